/// volnav/draw/picture_inside.h: the picture in parts: picture.c composes it, picture_legend.c writes its
/// texts.
#ifndef PICTURE_INSIDE_H
#define PICTURE_INSIDE_H

#include "draw/picture.h"
#include "draw/sheet.h"
#include "draw/surface.h"
#include "draw/svg.h"
#include "draw/view.h"

#define WIDTH SHEET_WIDTH
#define SIDE  SHEET_SIDE
#define ROW   SHEET_ROW

/// Everything that the layers share.
typedef struct canvas {
    svg_text* out;
    const picture_plan* plan;
    const view* v;
    const surface* s;
    double height, scale; ///< scale: pixels to the edge of a cell
    double left, top;     ///< where the lattice begins
    double legend;        ///< upper end of the legend, which stands in the free corner at the lower left
} canvas;

typedef struct pixel {
    double x, y;
} pixel;

static inline pixel pixel_of(const canvas* c, view_point p) {
    return (pixel){c->left + view_u(c->v, p) * 0.8660254 * c->scale,
                   c->top + view_v(c->v, p) * 0.5 * c->scale};
}

#define SPOT_STYLE "fill=\"none\" stroke=\"#ffd166\" stroke-width=\"3\" stroke-linecap=\"round\""

/// Rows of the legend, and about how wide it is.
int picture_legend_rows(const canvas* c, double* wide);

/// The legend, from c->legend down.
void picture_add_legend(canvas* c);

void picture_add_title(canvas* c);

/// Hundreds of boxes would fill the rooms that the roof was cut away from.
static inline bool picture_hides_boxes(const view* v) {
    return v->roof_cut && v->box_count > 500;
}

/// Arrows of the world's own axes, as the view is turned.
void picture_add_tripod(canvas* c);

#endif
