/// nav/draw.c: drawing a nav: its obstacles, the changes that wait, its cells, and the watched paths.
#include "query/draw.h"
#include "geom/vec.h"
#include "nav/nav_inside.h"
#include "space/frame.h"

#include <math.h>

#define MOVING_COLOR  0x8f9aa8a0u
#define PENDING_COLOR 0x40c0ff70u
#define AHEAD_COLOR   0x30e0c0ffu
#define BEHIND_COLOR  0x30e0c050u
#define BLOCKED_COLOR 0xff4040ffu

/// What is drawn, and where.
typedef struct nav_pen {
    vni_pen pen;
    const vn_nav* nav;
    const vn_space* space; ///< for the frame
    const vn_box* box;     ///< null: everything
} nav_pen;

/// The host's callbacks for the calls that are left; there is at least one.
static vn_draw rest_of(const nav_pen* p) {
    vn_draw draw = *p->pen.draw;
    VNI_ASSERT(p->pen.left > 0);
    draw.max_calls = p->pen.left;
    return draw;
}

static void count(nav_pen* p, uint32_t calls) {
    p->pen.calls += calls;
    p->pen.left -= calls;
}

static bool touches(const nav_pen* p, const vn_box* box) {
    if (p->box == NULL)
        return true;
    const vni_aabb a = {vni_v_from(p->box->min), vni_v_from(p->box->max)};
    const vni_aabb b = {vni_v_from(box->min), vni_v_from(box->max)};
    return vni_aabb_touches(&a, &b);
}

static vn_dvec3 place(const nav_pen* p, vn_vec3 local) {
    const vn_dvec3 origin = p->space->origin;
    return (vn_dvec3){origin.x + (double)local.x, origin.y + (double)local.y, origin.z + (double)local.z};
}

static bool draw_box(nav_pen* p, const vn_box* box, vn_color color) {
    return !touches(p, box) || vni_pen_box(&p->pen, place(p, box->min), place(p, box->max), color);
}

// ------------------------------------------------------------------------------------------------ obstacles

static bool world_is_changing(const vn_nav* nav) {
    vni_nav_enter(nav);
    const vni_update_state state = nav->shared.update_state;
    vni_nav_leave(nav);
    return state == VNI_UPDATE_READY || state == VNI_UPDATE_RUNNING;
}

/// From what the host knows, because the world belongs to the update.
static void draw_movers(nav_pen* p) {
    const vni_nav_host* host = &p->nav->host;
    for (uint32_t slot = 0; slot < host->ids.slots; ++slot) {
        const vni_known* known = &host->known[slot];
        const vn_obstacle_id id = {slot + 1, host->ids.generations[slot]};
        if (vn_nav_has(p->nav, id) && known->motion != NULL && !draw_box(p, &known->bounds, MOVING_COLOR))
            return;
    }
}

static void draw_obstacles(nav_pen* p) {
    if (world_is_changing(p->nav)) {
        draw_movers(p);
        return;
    }

    const vn_draw draw = rest_of(p);
    count(p, vn_world_draw(p->nav->fixed.world, p->box, &draw));
}

/// The update writes neither the kind nor the box of a change.
static bool draw_ops(nav_pen* p, const vni_ops* ops) {
    vn_box box;
    for (uint32_t i = 0; i < ops->count; ++i)
        if (vni_nav_op_box(p->nav, &ops->items[i], &box) && !draw_box(p, &box, PENDING_COLOR))
            return false;
    return true;
}

static void draw_pending(nav_pen* p) {
    // What an update has taken is not shown before the host adopts it.
    if (draw_ops(p, &p->nav->update.taken))
        draw_ops(p, &p->nav->host.pending);
}

// ---------------------------------------------------------------------------------------------------- cells

/// The voxel of a local coordinate, rounded down, or up for an upper end; cut to the space.
static int32_t voxel_at(double at, int32_t dim, bool up) {
    return (int32_t)vni_clamp(up ? floor(at) + 1 : floor(at), 0, dim);
}

static void draw_cells(nav_pen* p, const vn_space* space) {
    const int32_t* dims = space->occupancy.dims;
    vn_voxel low = {0, 0, 0}, high = {dims[0], dims[1], dims[2]};
    if (p->box != NULL) {
        const vni_vec from = vni_local_to_voxels(space, p->box->min),
                      to = vni_local_to_voxels(space, p->box->max);
        low = (vn_voxel){voxel_at(from.x, dims[0], false), voxel_at(from.y, dims[1], false),
                         voxel_at(from.z, dims[2], false)};
        high = (vn_voxel){voxel_at(to.x, dims[0], true), voxel_at(to.y, dims[1], true),
                          voxel_at(to.z, dims[2], true)};
    }

    const vn_draw draw = rest_of(p);
    count(p, vn_space_draw_cells(space, low, high, &draw));
}

// -------------------------------------------------------------------------------------------------- watches

static bool draw_watch(nav_pen* p, const vni_watched* watched) {
    for (uint32_t i = 0; i + 1 < watched->count; ++i) {
        const vn_dvec3 a = vn_space_point_to_world(p->space, watched->points[i]),
                       b = vn_space_point_to_world(p->space, watched->points[i + 1]);
        if (!vni_pen_line(&p->pen, a, b, i >= watched->agent.segment ? AHEAD_COLOR : BEHIND_COLOR))
            return false;
    }
    return true;
}

/// A cross of two voxels.
static void draw_blocked(nav_pen* p, vn_point point) {
    const vn_dvec3 at = vn_space_point_to_world(p->space, point);
    const double arm = (double)p->space->resolution;
    const vn_dvec3 arms[3] = {{arm, 0, 0}, {0, arm, 0}, {0, 0, arm}};
    for (int i = 0; i < 3; ++i) {
        const vn_dvec3 a = {at.x - arms[i].x, at.y - arms[i].y, at.z - arms[i].z};
        const vn_dvec3 b = {at.x + arms[i].x, at.y + arms[i].y, at.z + arms[i].z};
        vni_pen_line(&p->pen, a, b, BLOCKED_COLOR);
    }

    vni_pen_text(&p->pen, at, "blocked", BLOCKED_COLOR);
}

/// The first blocked place ahead is marked as long as it is known to be blocked, within the horizon or not.
static void draw_watches(nav_pen* p) {
    const vni_watched *first = p->nav->fixed.watches, *end = first + p->nav->fixed.watch_slots;
    for (const vni_watched* w = first; w < end; ++w)
        if (w->id != 0 && !draw_watch(p, w))
            break;

    for (const vni_watched* w = first; w < end; ++w)
        if (w->id != 0 && w->known && w->block.blocked)
            draw_blocked(p, w->block.point);
}

uint32_t vn_nav_draw(const vn_nav* nav, uint32_t parts, const vn_box* box, double radius, uint32_t open_flags,
                     const vn_draw* draw) {
    VNI_ASSERT(nav != NULL && draw != NULL);

    // The version that the host sees is pinned for as long as the host does not tick.
    const vn_layers* layers = &nav->host.seen->view;
    const vn_space* space = vn_layers_find(layers, radius, open_flags);
    nav_pen p = {vni_pen_make(draw), nav, vn_layers_space(layers, 0), box};
    if (parts & VN_DRAW_OBSTACLES)
        draw_obstacles(&p);
    if (parts & VN_DRAW_PENDING && p.pen.left > 0)
        draw_pending(&p);
    if (parts & VN_DRAW_CELLS && p.pen.left > 0 && space != NULL)
        draw_cells(&p, space);
    if (parts & VN_DRAW_WATCHES && p.pen.left > 0)
        draw_watches(&p);

    return p.pen.calls;
}
