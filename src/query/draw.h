/// query/draw.h: the pen behind the functions of volnav/draw.h: it counts calls, stops at the limit, and
/// skips what the host does not offer.
#ifndef VNI_QUERY_DRAW_H
#define VNI_QUERY_DRAW_H

#include "base/assert.h"
#include "volnav/draw.h"

typedef struct vni_pen {
    const vn_draw* draw;
    uint32_t left;  ///< calls that may still be made
    uint32_t calls; ///< made
} vni_pen;

static inline vni_pen vni_pen_make(const vn_draw* draw) {
    VNI_ASSERT(draw != NULL);
    vni_pen pen = {draw, draw->max_calls ? draw->max_calls : UINT32_MAX, 0};
    return pen;
}

/// Counts a call to `function`; false if it must not be made.
static inline bool vni_pen_take(vni_pen* pen, bool has_function) {
    if (!has_function || pen->left == 0)
        return false;
    --pen->left;
    ++pen->calls;
    return true;
}

/// Each returns whether there is any point in drawing more of the kind.
static inline bool vni_pen_line(vni_pen* pen, vn_dvec3 a, vn_dvec3 b, vn_color color) {
    bool may = vni_pen_take(pen, pen->draw->line != NULL);
    if (may)
        pen->draw->line(pen->draw->user, a, b, color);
    return may && pen->left > 0;
}

static inline bool vni_pen_box(vni_pen* pen, vn_dvec3 low, vn_dvec3 high, vn_color color) {
    bool may = vni_pen_take(pen, pen->draw->box != NULL);
    if (may)
        pen->draw->box(pen->draw->user, low, high, color);
    return may && pen->left > 0;
}

static inline bool vni_pen_triangle(vni_pen* pen, vn_dvec3 a, vn_dvec3 b, vn_dvec3 c, vn_color color) {
    bool may = vni_pen_take(pen, pen->draw->triangle != NULL);
    if (may)
        pen->draw->triangle(pen->draw->user, a, b, c, color);
    return may && pen->left > 0;
}

static inline bool vni_pen_text(vni_pen* pen, vn_dvec3 at, const char* text, vn_color color) {
    bool may = vni_pen_take(pen, pen->draw->text != NULL);
    if (may)
        pen->draw->text(pen->draw->user, at, text, color);
    return may && pen->left > 0;
}

#endif
