/// volnav/draw/sheet.h: what every picture is drawn on: the ground, a title, rows of a legend, a scale bar.
#ifndef SHEET_H
#define SHEET_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/svg.h"

#define SHEET_WIDTH 1400.0
#define SHEET_SIDE  56.0
#define SHEET_ROW   25.0

/// Opens the SVG and paints the ground. Close it with "</svg>\n".
void sheet_begin(svg_text* out, const char* title, double height);

/// The title, and under it a line that the caller adds and ends with "</text>\n".
void sheet_begin_title(svg_text* out, const char* title);

/// A mark (SVG around 0,0, up to 36 wide) and behind it a text that the caller adds; sheet_end_row ends it.
void sheet_begin_row(svg_text* out, double x, double y, const char* mark);
void sheet_end_row(svg_text* out);

/// A bar of a round number of metres at the lower right; `note` follows the number.
void sheet_scale_bar(svg_text* out, double height, double pixels_per_metre, const char* note);

/// An arrow from (x, y) in the direction (dx, dy), which is not null, for one of the world's axes.
void sheet_axis(svg_text* out, int axis, double x, double y, double dx, double dy);

/// The leg between where an end of a path was asked for and where it was snapped to, its mark for a legend,
/// and the text behind that: how far each end was moved, in metres; 0: it was not.
void sheet_leg(svg_text* out, double asked_x, double asked_y, double used_x, double used_y);
void sheet_add_legs_text(svg_text* out, const double snapped[2]);

static inline bool sheet_has_legs(const double snapped[2]) {
    return snapped[0] > 0 || snapped[1] > 0;
}

#define SHEET_LEG_STYLE                                                                                      \
    "fill=\"none\" stroke=\"#ff6f91\" stroke-width=\"3\" stroke-linecap=\"round\" stroke-dasharray=\"1 7\""
#define SHEET_LEG_MARK "<path d=\"M0 0H28\" " SHEET_LEG_STYLE "/><circle cx=\"31\" r=\"5\" fill=\"#ff6f91\"/>"

/// About as many as that text has.
#define SHEET_LEGS_LETTERS 44

/// Colour of route i.
const char* sheet_colour(uint32_t i);

/// 1, 2 or 5 times a power of ten, about `wish`, which is above 0.
double sheet_round_number(double wish);

/// 12345678 with thin spaces. Returns `text`.
const char* sheet_grouped(uint64_t value, char* text, size_t size);

#endif
