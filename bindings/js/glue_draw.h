/// bindings/js/glue_draw.h: lists that debug drawing fills.
#ifndef GLUE_DRAW_H
#define GLUE_DRAW_H

#include "glue.h"

/// Floats (9 a triangle, 6 a box or line) and colours, in parallel.
typedef struct glue_geometry {
    glue_list triangles, triangle_colors, boxes, box_colors, lines, line_colors;
} glue_geometry;

/// Empties `geometry`, which outlives the result.
vn_draw glue_drawing(glue_geometry* geometry);

/// All six lists by glue_give, from out[0] on.
vn_status glue_give_geometry(glue_geometry* geometry);

/// For takeZones of draw.ts, from out[0] on.
vn_status glue_give_zones(const vn_zone* zones, uint32_t count, vn_dvec3 origin);

#endif
