/// volnav/draw/outline.h: areas and lines on the image lattice as SVG path data.
#ifndef OUTLINE_H
#define OUTLINE_H

#include "draw/surface.h"
#include "draw/svg.h"

/// Writes the opening of the <path> of a label, up to but without its data.
typedef void outline_open(svg_text* out, uint16_t label);

/// One <path> for each label but 0 that occurs in `labels` (laid out as in a surface): the outline of all its
/// triangles.
void outline_areas(svg_text* out, const view* v, const surface* s, const uint16_t* labels,
                   outline_open* open);

/// Should there be a line between two triangles that share an edge? SIZE_MAX stands for beyond the image.
typedef bool outline_between(const view* v, const surface* s, size_t a, size_t b);

/// Path data (without <path>) of all edges for which `between` says yes, joined along straight lines.
void outline_lines(svg_text* out, const view* v, const surface* s, outline_between* between);

#endif
