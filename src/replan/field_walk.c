/// replan/field_walk.c: the path of Field D*: from the start down the field, a straight leg through one cell
/// after another.
///
/// A leg leads to a point of a face, where the cost of the rest is interpolated. Interpolation errs: so what
/// is believed of the best few points is what their own next legs promise, and not what lies on their face.
/// That promise has to fall from leg to leg. Where it does not, the walk goes on from corner to corner, whose
/// costs are certain and fall, until they are below the last promise: so it always comes to the goal.
///
/// A leg lies in a closed free cell, and the cell of the next one is joined with it by faces around the point
/// between them: the path is free by the rules of contact. Points are on the lattice.
#include "replan/field.h"

#include <math.h>
#include <string.h>

enum { TRIES = 4 }; ///< points whose next legs are looked at

#define LEAST_FALL 0.000244140625 // 2^-12

typedef struct leg {
    vn_point to;
    vn_voxel cell; ///< that it lies in
    double cost;   ///< of the leg
    double rest;   ///< from its end on, as the face says
} leg;

/// The best legs from a place, the best first.
typedef struct legs {
    leg items[TRIES];
    uint32_t count, capacity;
} legs;

/// A point, and the cells around it that a path which came there may go on in.
typedef struct place {
    vn_point at;
    vn_voxel corner; ///< cells are named as around this one
    double cost[8];
    uint32_t cells;
} place;

// ---------- places

/// Names differ only along the axes on whose planes the point lies.
static void find_cells(const vni_field* f, vn_point at, vn_voxel from, place* out) {
    const int32_t p[3] = {at.x, at.y, at.z};
    vn_voxel voxels[8];
    uint32_t valid = 255;
    out->at = at;
    out->corner = (vn_voxel){vni_step_to_voxel(at.x), vni_step_to_voxel(at.y), vni_step_to_voxel(at.z)};
    static const uint32_t high[3] = {0xaa, 0xcc, 0xf0};
    for (uint32_t axis = 0; axis < 3; ++axis)
        if (vni_step_in_voxel(p[axis]) != 0)
            valid &= high[axis];

    uint32_t groups[VNI_FIELD_GROUPS], name = 0;
    for (uint32_t i = 0; i < 8; ++i) {
        voxels[i] = vni_field_beside(out->corner, i);
        name = (valid >> i & 1) && vni_field_same(voxels[i], from) ? i : name;
    }
    f->cells->costs(f->cells->self, voxels, 8, out->cost);
    for (uint32_t i = 0; i < 8; ++i)
        out->cost[i] = valid >> i & 1 ? out->cost[i] : HUGE_VAL;

    vni_field_groups(out->cost, groups);
    out->cells = 0;
    for (uint32_t i = 0; i < VNI_FIELD_GROUPS; ++i)
        out->cells |= groups[i] >> name & 1 ? groups[i] : 0;
}

/// Loads a cell, without the costs of corners that are yet to rise, or lie beyond the end of the search: they
/// may be those of an earlier world.
static void load_settled(const vni_field* f, vn_voxel low, vni_field_cell* out) {
    vni_field_load(f, low, out);
    for (uint32_t t = 0; t < 8; ++t) {
        const bool is_settled = out->g[t] < HUGE_VAL && out->g[t] >= out->nodes[t]->rhs &&
                                out->g[t] + vni_field_bound(f, vni_field_corner(low, t)) <= f->settled;
        out->g[t] = is_settled ? out->g[t] : HUGE_VAL;
    }
}

/// Takes out a leg to the same point that is not better; true if there is a better one.
static bool has_better(legs* best, const leg* found) {
    for (uint32_t i = 0; i < best->count; ++i) {
        const leg* other = &best->items[i];
        if (memcmp(&other->to, &found->to, sizeof other->to) != 0 || other->rest != found->rest)
            continue; // the same corner may be another node from another cell
        if (other->cost <= found->cost)
            return true;
        memmove(&best->items[i], &best->items[i + 1], (--best->count - i) * sizeof *other);
        return false;
    }
    return false;
}

static void offer(legs* best, const leg* found) {
    const double value = found->cost + found->rest;
    if (has_better(best, found))
        return;

    uint32_t i = best->count;
    for (; i > 0 && value < best->items[i - 1].cost + best->items[i - 1].rest; --i)
        if (i < best->capacity)
            best->items[i] = best->items[i - 1];
    if (i == best->capacity)
        return;
    best->items[i] = *found;
    best->count += best->count < best->capacity;
}

// ---------- legs through a face

/// A face of a cell, seen from a point that is not in its plane; along the face u and w, from 0 to 1.
typedef struct face {
    vn_point from;
    vn_voxel cell;
    double c;
    int axis, side, along[2];
    double height, u, w; ///< of the point
    double g[2][2];      ///< at the corners, by u and w
} face;

/// Offers the leg to a point of the face, where the rest costs `g`.
static void offer_at(const face* f, double u, double w, double g, legs* best) {
    int32_t p[3] = {vni_voxel_to_steps(f->cell.x), vni_voxel_to_steps(f->cell.y),
                    vni_voxel_to_steps(f->cell.z)};
    p[f->axis] += f->side * VN_LATTICE;
    p[f->along[0]] += (int32_t)floor(u * VN_LATTICE + 0.5);
    p[f->along[1]] += (int32_t)floor(w * VN_LATTICE + 0.5);
    const vn_point to = {p[0], p[1], p[2]};
    const leg found = {to, f->cell, f->c * vni_distance(f->from, to), g};
    offer(best, &found);
}

/// The half of the face at its corner (i, j): c times the distance, and the cost, which is linear, are flat
/// together at one point (as in replan/field_cell.c).
static void cross_half(const face* f, int i, int j, legs* best) {
    const double gu = f->g[1][j] - f->g[0][j], gw = f->g[i][1] - f->g[i][0];
    const double s = 1 - (gu * gu + gw * gw) / (f->c * f->c);
    if (!(s > 0))
        return;

    const double k = f->height / (f->c * sqrt(s)), u = f->u - gu * k, w = f->w - gw * k;
    const double du = i ? 1 - u : u, dw = j ? 1 - w : w;
    if (du >= 0 && dw >= 0 && du + dw <= 1)
        offer_at(f, u, w, f->g[i][j] + gu * (u - i) + gw * (w - j), best);
}

/// The segment of the face between two of its corners, a and b.
static void cross_line(const face* f, const int a[2], const int b[2], legs* best) {
    const double ga = f->g[a[0]][a[1]], gb = f->g[b[0]][b[1]];
    if (ga == HUGE_VAL || gb == HUGE_VAL)
        return;

    // the point's foot on the line, its distance from there, both in voxels; the cost along the line falls by
    // k c a voxel
    const double du = b[0] - a[0], dw = b[1] - a[1], length = sqrt(du * du + dw * dw);
    const double foot = ((f->u - a[0]) * du + (f->w - a[1]) * dw) / length;
    const double beside = ((f->u - a[0]) * dw - (f->w - a[1]) * du) / length;
    const double far = sqrt(f->height * f->height + beside * beside);
    const double k = (ga - gb) / (length * f->c), s = 1 - k * k;
    if (!(s > 0))
        return;

    const double t = (foot + far * k / sqrt(s)) / length;
    if (t > 0 && t < 1)
        offer_at(f, a[0] + t * du, a[1] + t * dw, ga + t * (gb - ga), best);
}

/// Both ways of splitting the face into triangles, their sides, and their corners.
static void cross_face(const face* f, legs* best) {
    static const int ends[6][2][2] = {{{0, 0}, {1, 0}}, {{0, 1}, {1, 1}}, {{0, 0}, {0, 1}},
                                      {{1, 0}, {1, 1}}, {{0, 0}, {1, 1}}, {{0, 1}, {1, 0}}};
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            cross_half(f, i, j, best);
            if (f->g[i][j] < HUGE_VAL)
                offer_at(f, i, j, f->g[i][j], best);
        }
    for (uint32_t i = 0; i < 6; ++i)
        cross_line(f, ends[i][0], ends[i][1], best);
}

static void cross_cell(const vni_field* field, vn_point from, vn_voxel low, double c, legs* best) {
    const int32_t steps[3] = {from.x - vni_voxel_to_steps(low.x), from.y - vni_voxel_to_steps(low.y),
                              from.z - vni_voxel_to_steps(low.z)};
    if (vni_field_same(low, field->goal_cell)) {
        const leg last = {field->goal, low, c * vni_distance(from, field->goal), 0};
        offer(best, &last);
    }

    vni_field_cell cell;
    load_settled(field, low, &cell);
    for (int i = 0; i < 6; ++i) {
        face f = {.from = from, .cell = low, .c = c, .axis = i / 2, .side = i % 2};
        if (steps[f.axis] == f.side * VN_LATTICE)
            continue; // its sides belong to other faces too
        f.along[0] = vni_other_axes[f.axis][0];
        f.along[1] = vni_other_axes[f.axis][1];
        f.height = fabs(vni_steps_to_voxels(steps[f.axis]) - f.side);
        f.u = vni_steps_to_voxels(steps[f.along[0]]);
        f.w = vni_steps_to_voxels(steps[f.along[1]]);
        for (int j = 0; j < 4; ++j)
            f.g[j & 1][j >> 1] = cell.g[f.side << f.axis | (j & 1) << f.along[0] | (j >> 1) << f.along[1]];
        cross_face(&f, best);
    }
}

static void find_legs(const vni_field* f, const place* p, uint32_t capacity, legs* out) {
    out->count = 0;
    out->capacity = capacity;
    for (uint32_t i = 0; i < 8; ++i)
        if (p->cells >> i & 1)
            cross_cell(f, p->at, vni_field_beside(p->corner, i), p->cost[i], out);
}

// ---------- the walk

static bool is_goal(const vni_field* f, vn_point at) {
    return memcmp(&at, &f->goal, sizeof at) == 0;
}

/// What the best next leg from the end of a leg promises.
static double promise(const vni_field* f, const leg* l) {
    if (is_goal(f, l->to))
        return 0;
    place there;
    legs next;
    find_cells(f, l->to, l->cell, &there);
    find_legs(f, &there, 1, &next);
    return next.count > 0 ? next.items[0].cost + next.items[0].rest : HUGE_VAL;
}

/// The best leg whose end promises less than `limit`, which becomes that; false if there is none.
static bool choose(const vni_field* f, const place* p, double* limit, leg* out) {
    legs found;
    double best = HUGE_VAL, below = HUGE_VAL;
    find_legs(f, p, TRIES, &found);
    for (uint32_t i = 0; i < found.count; ++i) {
        const leg* l = &found.items[i];
        const double rest = promise(f, l);
        const bool falls = rest < *limit - LEAST_FALL * f->core->cost.least || is_goal(f, l->to);
        if (!falls || !(l->cost + rest < best))
            continue;
        best = l->cost + rest;
        below = rest;
        *out = *l;
    }

    *limit = best < HUGE_VAL ? below : *limit;
    return best < HUGE_VAL;
}

/// The best leg to a corner that costs less than `limit`; its cost becomes the limit.
static bool choose_corner(const vni_field* f, const place* p, double* limit, leg* out) {
    double best = HUGE_VAL, below = *limit;
    for (uint32_t i = 0; i < 8; ++i) {
        if (!(p->cells >> i & 1))
            continue;
        vni_field_cell cell;
        load_settled(f, vni_field_beside(p->corner, i), &cell);
        for (uint32_t t = 0; t < 8; ++t) {
            const vn_point to = vni_field_point(vni_field_corner(cell.low, t));
            const leg l = {to, cell.low, p->cost[i] * vni_distance(p->at, to), cell.g[t]};
            if (!(l.rest < *limit) || !(l.cost + l.rest < best))
                continue;
            best = l.cost + l.rest;
            below = l.rest;
            *out = l;
        }
    }
    *limit = below;
    return best < HUGE_VAL;
}

/// The name of a cell at a place; 8 if it does not touch it.
static uint32_t name_of(const place* p, vn_voxel cell) {
    uint32_t i = 0;
    while (i < 8 && !((p->cells >> i & 1) && vni_field_same(vni_field_beside(p->corner, i), cell)))
        ++i;
    return i;
}

/// Zones are closed: along the face between two cells the dearer one counts. Where a path that comes through
/// `from` and goes on through `to` touches a dearer cell, it keeps a lattice step away from it.
static vn_point keep_off(const vni_field* f, const place* p, vn_voxel from, vn_voxel to) {
    const uint32_t a = name_of(p, from), b = name_of(p, to);
    if (a == 8 || b == 8)
        return p->at;

    const double c = p->cost[a] > p->cost[b] ? p->cost[a] : p->cost[b];
    int32_t at[3] = {p->at.x, p->at.y, p->at.z};
    for (uint32_t axis = 0; axis < 3; ++axis) {
        bool is_dear = false;
        for (uint32_t i = 0; i < 8; ++i)
            is_dear = is_dear || (((i ^ a) >> axis & 1) && p->cost[i] > c && p->cost[i] < HUGE_VAL);
        if (is_dear && !((a ^ b) >> axis & 1))
            at[axis] += a >> axis & 1 ? 1 : -1;
    }

    // the two may be joined at the corner only by cells that it leaves
    place aside;
    find_cells(f, (vn_point){at[0], at[1], at[2]}, from, &aside);
    return name_of(&aside, to) < 8 ? aside.at : p->at;
}

// ---------- the path

/// Appends a point; false if there is no place for it.
static bool append(vni_replan* r, vn_point point) {
    if (r->point_count == r->max_points)
        return false;
    r->points[r->point_count++] = point;
    return true;
}

/// The walk: where it stands, by the last leg, and what it may believe.
typedef struct walk {
    vni_field field;
    place at;
    leg last;            ///< that led here
    double c;            ///< of its cell
    double cost;         ///< of all legs
    double limit;        ///< last promise
    double corner_limit; ///< of the last corner, while it goes from corner to corner
} walk;

/// Finds the next leg, settles where the last one ends, and appends the next one's end.
static bool go_on(vni_replan* r, walk* w) {
    leg next;
    if (choose(&w->field, &w->at, &w->limit, &next))
        w->corner_limit = HUGE_VAL;
    else if (!choose_corner(&w->field, &w->at, &w->corner_limit, &next))
        return false;

    vn_point* here = &r->points[r->point_count - 1];
    if (r->point_count > 1) {
        *here = keep_off(&w->field, &w->at, w->last.cell, next.cell);
        w->cost += w->c * vni_distance(here[-1], *here);
    }
    w->c = w->at.cost[name_of(&w->at, next.cell)];
    w->last = next;
    find_cells(&w->field, next.to, next.cell, &w->at);
    return append(r, next.to);
}

vn_status vni_field_lay(vni_replan* r, double* cost) {
    walk w = {.field = vni_field_of(r), .limit = HUGE_VAL, .corner_limit = HUGE_VAL};
    const vn_graph* graph = r->core.graph;
    const uint32_t start = VN_START_NODE;
    r->point_count = 0;
    graph->points(graph->self, &start, 1, &w.last.to);
    bool goes = vni_field_end_cell(graph, VN_START_NODE, &w.last.cell) && append(r, w.last.to);
    w.field.settled = vni_field_leaf_key(&w.field, w.last.cell, 1);
    find_cells(&w.field, w.last.to, w.last.cell, &w.at);

    while (goes && !is_goal(&w.field, w.last.to))
        goes = go_on(r, &w);
    if (!goes) {
        r->point_count = 0;
        return VN_CAPACITY;
    }

    const vn_point* end = &r->points[r->point_count - 1];
    *cost = w.cost + (r->point_count > 1 ? w.c * vni_distance(end[-1], *end) : 0);
    return VN_OK;
}
