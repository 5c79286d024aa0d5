/// volnav/draw/scene_view.c: walls, movers in their colours, where each of them can get to, balls and lines.
#include "draw/scene_view.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct spot {
    double x, y;
} spot;

scene_view scene_view_make(svg_text* out, const vn_moving_scene* scene, bool above, double wide) {
    scene_view v = {.out = out, .scene = scene, .above = above, .wide = wide};
    vn_moving_scene_get_info(scene, &v.info);
    const vn_box* b = &v.info.bounds;
    v.scale = wide / ((double)b->max.x - (double)b->min.x);
    v.high = v.scale * (above ? (double)b->max.z - (double)b->min.z : (double)b->max.y - (double)b->min.y);
    return v;
}

static spot spot_of(const scene_view* v, double x, double y, double z) {
    const vn_box* b = &v->info.bounds;
    const double down = v->above ? z - (double)b->min.z : (double)b->max.y - y;
    return (spot){v->left + (x - (double)b->min.x) * v->scale, v->top + down * v->scale};
}

void scene_view_box(const scene_view* v, const vn_box* b, const char* style) {
    const spot a = spot_of(v, (double)b->min.x, (double)b->max.y, (double)b->min.z),
               z = spot_of(v, (double)b->max.x, (double)b->min.y, (double)b->max.z);
    svg_add(v->out, "<path %s d=\"M%.1f %.1fH%.1fV%.1fH%.1fz\"/>\n", style, a.x, a.y, z.x, z.y, a.x);
}

void scene_view_walls(const scene_view* v, const char* style) {
    for (uint32_t i = 0; i < v->info.walls; ++i) {
        const vn_box wall = vn_moving_scene_wall(v->scene, i);
        scene_view_box(v, &wall, style);
    }
}

void scene_view_ball(const scene_view* v, vn_vec3 at, const char* colour) {
    const spot p = spot_of(v, (double)at.x, (double)at.y, (double)at.z);
    svg_add(v->out,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"7\" fill=\"%s\" stroke=\"#fff\" stroke-width=\"2\"/>\n", p.x,
            p.y, colour);
}

void scene_view_line(const scene_view* v, const vn_dvec3* points, uint32_t count, double shift,
                     const char* style) {
    svg_add(v->out, "<path fill=\"none\" %s stroke-linejoin=\"round\" d=\"", style);
    for (uint32_t i = 0; i < count; ++i) {
        const spot p = spot_of(v, points[i].x, points[i].y, points[i].z);
        svg_add(v->out, "%c%.1f %.1f", i == 0 ? 'M' : 'L', p.x + shift, p.y + shift);
    }

    svg_add(v->out, "\"/>\n");
}

// --------------------------------------------------------------------------------------------------- movers

/// A corner of a box, turned and moved.
static spot corner_of(const scene_view* v, const vn_mover_state* s, vn_vec3 half, int corner) {
    const vn_quat q = s->transform.rotation;
    const vn_vec3 at = s->transform.position;
    const double x = (double)(corner & 1 ? half.x : -half.x), y = (double)(corner & 2 ? half.y : -half.y),
                 z = (double)(corner & 4 ? half.z : -half.z);
    const double qx = (double)q.x, qy = (double)q.y, qz = (double)q.z, qw = (double)q.w;
    const double tx = 2 * (qy * z - qz * y), ty = 2 * (qz * x - qx * z), tz = 2 * (qx * y - qy * x);
    return spot_of(v, (double)at.x + x + qw * tx + qy * tz - qz * ty,
                   (double)at.y + y + qw * ty + qz * tx - qx * tz,
                   (double)at.z + z + qw * tz + qx * ty - qy * tx);
}

static int compare_spots(const void* a, const void* b) {
    const spot *p = a, *q = b;
    return p->x != q->x ? (p->x < q->x ? -1 : 1) : (p->y > q->y) - (p->y < q->y);
}

/// Drops the last corners of a chain that do not turn towards the next one.
static size_t turn_to(const spot* hull, size_t first, size_t count, spot next) {
    while (count >= first + 2) {
        const spot a = hull[count - 2], b = hull[count - 1];
        if ((b.x - a.x) * (next.y - a.y) - (b.y - a.y) * (next.x - a.x) > 1e-6) {
            break;
        }
        --count;
    }

    return count;
}

/// The outline of eight corners: the lower chain, then the upper one. Returns how many.
static size_t outline(spot corners[8], spot hull[16]) {
    size_t count = 0;
    qsort(corners, 8, sizeof *corners, compare_spots);
    for (int i = 0; i < 8; ++i) {
        count = turn_to(hull, 0, count, corners[i]);
        hull[count++] = corners[i];
    }

    const size_t lower = count - 1;
    for (int i = 6; i >= 0; --i) {
        count = turn_to(hull, lower, count, corners[i]);
        hull[count++] = corners[i];
    }

    return count - 1;
}

/// One that is away is dashed.
static void add_mover(const scene_view* v, const vn_mover_info* info, const vn_mover_state* s) {
    spot corners[8], hull[16];
    assert(info->shape.kind == VN_SHAPE_BOX);
    for (int i = 0; i < 8; ++i) {
        corners[i] = corner_of(v, s, info->shape.as.box.max, i);
    }

    const size_t count = outline(corners, hull);
    svg_add(v->out, "<path %s=\"#%06x\" %s d=\"",
            s->present ? "fill" : "fill=\"none\" stroke-dasharray=\"5 5\" stroke",
            (unsigned)(info->color >> 8),
            s->present ? "fill-opacity=\".88\" stroke=\"#fff\" stroke-opacity=\".55\"" : "");
    for (size_t i = 0; i < count; ++i) {
        svg_add(v->out, "%c%.1f %.1f", i == 0 ? 'M' : 'L', hull[i].x, hull[i].y);
    }

    svg_add(v->out, "z\"/>\n");
}

static void add_reach(const scene_view* v, uint32_t mover) {
    vn_mover_info info;
    char style[96];
    vn_moving_scene_get_mover(v->scene, mover, &info);
    snprintf(style, sizeof style, "fill=\"#%06x\" fill-opacity=\".13\"", (unsigned)(info.color >> 8));
    scene_view_box(v, &info.reach, style);
}

void scene_view_movers(const scene_view* v, double seconds, bool reach) {
    for (uint32_t i = 0; i < v->info.movers && reach; ++i) {
        add_reach(v, i);
    }

    for (uint32_t i = 0; i < v->info.movers; ++i) {
        vn_mover_info info;
        vn_mover_state state;
        vn_moving_scene_get_mover(v->scene, i, &info);
        if (vn_moving_scene_get_state(v->scene, i, seconds, NULL, &state) == VN_OK) {
            add_mover(v, &info, &state);
        }
    }
}
