/// query/draw.c: drawing spaces, searches and hits.
#include "query/draw.h"
#include "base/fail.h"
#include "base/hash.h"
#include "geom/units.h"
#include "query/query_inside.h"

#include <math.h>

#define BOUNDS_COLOR     0xffffff40u
#define BLOCKED_COLOR    0xb0583cffu
#define EXPANDED_COLOR   0x4a90d930u
#define CORRIDOR_COLOR   0xffd54a70u
#define PATH_COLOR       0x30e070ffu
#define CONNECTION_COLOR 0xc060ffffu
#define GOAL_COLOR       0x30e07040u
#define FAULT_COLOR      0xff4040ffu
#define NEAREST_COLOR    0xffa0a0ffu
#define TEXT_COLOR       0xffffffffu
#define RAY_COLOR        0xffe060ffu
#define CONTACT_COLOR    0xff4040ffu
#define NORMAL_COLOR     0x40c0ffffu

/// Parts of a dashed line that are drawn; between two of them lies a gap of the same length.
#define DASHES 8

// ------------------------------------------------------------------------------------------------- spaces

typedef struct space_pen {
    vni_pen pen;
    const vn_space* space;
} space_pen;

static vn_dvec3 corner_of(const vn_space* space, vn_voxel v) {
    return vn_space_point_to_world(space, vni_voxel_corner(v));
}

static bool draw_voxels(space_pen* p, vn_voxel low, vn_voxel high, vn_color color) {
    VNI_ASSERT(low.x < high.x && low.y < high.y && low.z < high.z);
    return vni_pen_box(&p->pen, corner_of(p->space, low), corner_of(p->space, high), color);
}

static bool draw_run(void* user, vn_voxel first, int32_t length) {
    vn_voxel high = {first.x + length, first.y + 1, first.z + 1};
    return draw_voxels((space_pen*)user, first, high, BLOCKED_COLOR);
}

uint32_t vn_space_draw_blocked(const vn_space* space, vn_voxel low, vn_voxel high, const vn_draw* draw) {
    VNI_ASSERT(space != NULL && draw != NULL);
    const int32_t* dims = space->occupancy.dims;
    space_pen p = {vni_pen_make(draw), space};
    vn_voxel zero = {0, 0, 0}, all = {dims[0], dims[1], dims[2]};
    if (draw_voxels(&p, zero, all, BOUNDS_COLOR))
        vn_space_visit_blocked(space, low, high, draw_run, &p);

    return p.pen.calls;
}

/// Sixteen labels in a row have sixteen colours.
static vn_color color_of_label(uint32_t label) {
    static const vn_color hues[16] = {0xe6194b60u, 0x3cb44b60u, 0xffe11960u, 0x4363d860u,
                                      0xf5823160u, 0x911eb460u, 0x42d4f460u, 0xf032e660u,
                                      0xbfef4560u, 0xfabed460u, 0x46999060u, 0xdcbeff60u,
                                      0x9a632460u, 0xaaffc360u, 0x80800060u, 0x00007560u};
    return hues[(label + (uint32_t)vni_hash_mix(label >> 4)) & 15];
}

static bool draw_cell(void* user, vn_voxel low, vn_voxel high) {
    space_pen* p = (space_pen*)user;
    const vni_cells* cells = &p->space->cells;
    vni_cell_ref cell;
    bool found = vni_cells_find(cells, low, &cell);
    VNI_ASSERT(found);
    return draw_voxels(p, low, high, found ? color_of_label(vni_cells_component(cells, cell)) : 0);
}

uint32_t vn_space_draw_cells(const vn_space* space, vn_voxel low, vn_voxel high, const vn_draw* draw) {
    VNI_ASSERT(space != NULL && draw != NULL);
    space_pen p = {vni_pen_make(draw), space};
    vn_space_visit_cells(space, low, high, draw_cell, &p);
    return p.pen.calls;
}

// ----------------------------------------------------------------------------------------------- searches

static bool draw_expanded(void* user, vn_voxel low, vn_voxel high, bool in_corridor) {
    return draw_voxels((space_pen*)user, low, high, in_corridor ? CORRIDOR_COLOR : EXPANDED_COLOR);
}

static vn_dvec3 between(vn_dvec3 a, vn_dvec3 b, double t) {
    vn_dvec3 p = {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
    return p;
}

static void draw_dashes(vni_pen* pen, vn_dvec3 a, vn_dvec3 b, vn_color color) {
    const double part = 1.0 / (2 * DASHES - 1);
    for (int i = 0; i < DASHES; ++i)
        if (!vni_pen_line(pen, between(a, b, 2 * i * part), between(a, b, (2 * i + 1) * part), color))
            return;
}

/// Metres, to the centimetre.
static double rounded(double metres) {
    return floor(metres * 100 + 0.5) / 100;
}

static void draw_path(space_pen* p, const vn_query* query) {
    uint32_t count, use_count, next = 0;
    const vn_point* points = vn_query_points(query, &count);
    const vn_connection_use* uses = vn_query_connections(query, &use_count);
    for (uint32_t i = 0; i + 1 < count; ++i) {
        vn_dvec3 a = vn_space_point_to_world(p->space, points[i]),
                 b = vn_space_point_to_world(p->space, points[i + 1]);
        if (next < use_count && uses[next].point == i) {
            draw_dashes(&p->pen, a, b, CONNECTION_COLOR);
            ++next;
        } else if (!vni_pen_line(&p->pen, a, b, PATH_COLOR)) {
            break;
        }
    }

    VNI_ASSERT(use_count < count || count == 0);

    if (count == 0)
        return;
    char text[32];
    vni_format(text, sizeof text, "%g m", rounded(query->result.length));
    vni_pen_text(&p->pen, vn_space_point_to_world(p->space, points[count / 2]), text, TEXT_COLOR);
}

/// Where the goal is written: a box that is the goal has no point of its own before it is reached.
static vn_point goal_of(const vn_query* query) {
    const vn_point low = query->goal_low, high = query->goal_high;
    if (query->request.goal_kind != VN_GOAL_BOX || query->result.status == VN_OK)
        return query->result.goal;
    vn_point middle = {low.x + (high.x - low.x) / 2, low.y + (high.y - low.y) / 2,
                       low.z + (high.z - low.z) / 2};
    return middle;
}

static void draw_goal_box(space_pen* p, const vn_query* query) {
    const vn_point low = query->goal_low, high = query->goal_high;
    if (query->request.goal_kind == VN_GOAL_BOX && low.x <= high.x && low.y <= high.y && low.z <= high.z)
        vni_pen_box(&p->pen, vn_space_point_to_world(p->space, low), vn_space_point_to_world(p->space, high),
                    GOAL_COLOR);
}

/// The name of an end, and the reason if it is at fault.
static void draw_end(space_pen* p, const vn_query* query, const char* name, vn_point at, bool at_fault) {
    const vn_path_result* r = &query->result;
    if (vn_point_is_outside(at)) // nowhere
        return;

    vn_status reason = r->status == VN_PARTIAL ? r->reason : r->status;
    char text[64];
    vni_format(text, sizeof text, "%s", name);
    if (at_fault)
        vni_format(text, sizeof text, "%s: %s", name, vn_status_word(reason));

    if (at_fault && reason == VN_TOO_NARROW)
        vni_format(text, sizeof text, "%s: %s, %g m would pass", name, vn_status_word(reason),
                   rounded((double)r->passing_radius));

    vn_dvec3 position = vn_space_point_to_world(p->space, at);
    vni_pen_text(&p->pen, position, text, at_fault ? FAULT_COLOR : TEXT_COLOR);
    if (!at_fault || !r->has_nearest)
        return;

    vn_dvec3 nearest = vn_space_point_to_world(p->space, r->nearest);
    vni_pen_line(&p->pen, position, nearest, NEAREST_COLOR);
    vni_format(text, sizeof text, "free, %g m away", rounded(r->nearest_distance));
    vni_pen_text(&p->pen, nearest, text, NEAREST_COLOR);
}

uint32_t vn_query_draw(const vn_query* query, const vn_draw* draw) {
    VNI_ASSERT(query != NULL && draw != NULL);

    space_pen p = {vni_pen_make(draw), query->space};
    if (query->request.cookie == 0) // no request yet
        return 0;

    vn_query_visit_expanded(query, draw_expanded, &p);
    draw_path(&p, query);
    const vn_path_result* r = &query->result;
    bool failed = r->status != VN_OK, start_at_fault = failed && r->end == VN_END_START;
    draw_end(&p, query, "start", r->start, start_at_fault);

    if (query->has_field)
        return p.pen.calls;
    draw_goal_box(&p, query);
    draw_end(&p, query, "goal", goal_of(query), failed && !start_at_fault);
    return p.pen.calls;
}

// --------------------------------------------------------------------------------------------------- hits

static vn_dvec3 moved(vn_dvec3 p, double x, double y, double z) {
    vn_dvec3 to = {p.x + x, p.y + y, p.z + z};
    return to;
}

/// The contact as a cross of a quarter of a voxel, the normal as an arrow's shaft of one voxel.
uint32_t vn_hit_draw(const vn_space* space, vn_point from, const vn_hit* hit, const vn_draw* draw) {
    VNI_ASSERT(space != NULL && hit != NULL && draw != NULL);
    if (vn_point_is_outside(from))
        return 0;

    vni_pen pen = vni_pen_make(draw);
    double size = (double)space->resolution, arm = size / 8;
    vn_dvec3 c = hit->contact, n = {(double)hit->normal.x, (double)hit->normal.y, (double)hit->normal.z};
    vni_pen_line(&pen, vn_space_point_to_world(space, from), hit->position, RAY_COLOR);
    vni_pen_line(&pen, moved(c, -arm, 0, 0), moved(c, arm, 0, 0), CONTACT_COLOR);
    vni_pen_line(&pen, moved(c, 0, -arm, 0), moved(c, 0, arm, 0), CONTACT_COLOR);

    vni_pen_line(&pen, moved(c, 0, 0, -arm), moved(c, 0, 0, arm), CONTACT_COLOR);
    if (n.x != 0 || n.y != 0 || n.z != 0)
        vni_pen_line(&pen, c, moved(c, n.x * size, n.y * size, n.z * size), NORMAL_COLOR);

    return pen.calls;
}
