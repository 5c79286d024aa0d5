/// voxelise/stamp_rows.c: computes where a row's blocked voxels begin and end, and sets them.
///
///     row of centres along x    . . . ? ? # # # # # ? . . .
///                                     |   |       | |
///                              out_low  in_low  in_high  out_high
///
///     #  within the inner range: blocked; a run of bits
///     ?  between inner and outer range: judged one by one, outwards
///     .  outside the outer range: free
#include "voxelise/stamp_rows.h"

#include <math.h>

/// Neighbouring rows that are considered at a radius, on each side; and most rows along an axis then.
#define BORDER 4
#define FIELD  (VNI_ROWS_SPAN + 2 * BORDER)

/// Bounds of a row's blocked voxels, by their centres: none outside [out_low, out_high], all within [in_low,
/// in_high].
typedef struct range {
    double out_low, out_high, in_low, in_high;
} range;

static const range everything = {-HUGE_VAL, HUGE_VAL, -HUGE_VAL, HUGE_VAL};
static const range empty = {HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

bool vni_rows_prepare(const vni_stamp* stamp, double radius, vni_rows* out) {
    VNI_ASSERT(radius >= 0);

    out->stamp = stamp;
    out->radius = radius;
    out->margin = VNI_STAMP_MARGIN * stamp->slack;
    out->slab_count = out->line_count[0] = out->line_count[1] = out->line_count[2] = 0;
    out->polytope = stamp->kind == VN_SHAPE_ORIENTED || stamp->kind == VN_SHAPE_HULL;

    if (out->margin > VNI_ROWS_MARGIN)
        return false;
    if (out->polytope)
        return vni_rows_of_polytope(out);

    if (stamp->kind == VN_SHAPE_BOX) {
        out->core = stamp->as.box;
        out->reach = radius;
        return radius > 0;
    }

    if (stamp->kind != VN_SHAPE_SPHERE)
        return false;
    out->core = (vni_aabb){stamp->as.sphere.center, stamp->as.sphere.center};
    out->reach = radius + stamp->as.sphere.radius;
    return out->reach > 0;
}

// ---------------------------------------------------------------------------------------------------- ranges

static bool is_empty(const range* r) {
    return !(r->out_low <= r->out_high);
}

/// A bound that does not depend on x: `outer` and `inner` are the distances to it, below 0 beyond it.
static void cut_all(range* r, double outer, double inner) {
    if (outer < 0)
        r->out_high = -HUGE_VAL;
    if (inner < 0)
        r->in_high = -HUGE_VAL;
}

/// In the projection along an axis: the range of the first coordinate p at the other one, q.
static range range_of_lines(const vni_rows* rows, int along, double q) {
    range r = everything;
    for (uint32_t i = 0; i < rows->line_count[along]; ++i) {
        const vni_row_line* line = &rows->lines[along][i];
        double across = line->v * q, outer = line->outer - across, inner = line->inner - across;
        if (line->inverse > 0) {
            r.out_high = smaller(r.out_high, outer * line->inverse);
            r.in_high = smaller(r.in_high, inner * line->inverse);
        } else if (line->inverse < 0) {
            r.out_low = larger(r.out_low, outer * line->inverse);
            r.in_low = larger(r.in_low, inner * line->inverse);
        } else {
            cut_all(&r, outer, inner);
        }
    }

    return r;
}

static void cut_by_slab(range* r, const vni_row_slab* s, double y, double z) {
    double at = s->mid - s->ay * y - s->az * z;
    if (s->inverse == 0) {
        cut_all(r, s->outer - vni_abs(at), s->inner - vni_abs(at));
        return;
    }

    double slope = vni_abs(s->inverse), center = at * s->inverse;
    r->out_low = larger(r->out_low, center - s->outer * slope);
    r->out_high = smaller(r->out_high, center + s->outer * slope);
    r->in_low = larger(r->in_low, center - s->inner * slope);
    r->in_high = smaller(r->in_high, center + s->inner * slope);
}

static double gap(double at, double low, double high) {
    return larger(0, larger(low - at, at - high) - 0.5);
}

/// Centres within reach of the core. `gap2` is the squared distance along the other two axes; Pythagoras
/// leaves the rest for x.
static range range_by_reach(const vni_rows* rows, double gap2) {
    double outer = rows->reach + rows->margin, inner = rows->reach - rows->margin;
    double out2 = outer * outer - gap2, in2 = inner > 0 ? inner * inner - gap2 : 0;
    if (!(out2 > 0))
        return empty;

    // From the core to the cube's near face is `sqrt(...)`; its centre lies half a voxel beyond.
    double out = 0.5 + rows->margin + sqrt(out2), low = rows->core.min.x, high = rows->core.max.x;
    range r = {low - out, high + out, HUGE_VAL, -HUGE_VAL};
    if (in2 > 0) {
        double in = 0.5 - rows->margin + sqrt(in2);
        r.in_low = low - in;
        r.in_high = high + in;
    }

    return r;
}

// ------------------------------------------------------------------------------------------------------ rows

/// One row of the window, y and z fixed.
typedef struct row {
    const vni_rows* rows;
    uint64_t* dense;
    int32_t y, z, low, high; ///< x from low to high
} row;

/// First voxel with its centre at or above `at`; last one with its centre at or below it. Cut to the row.
static int32_t first_voxel(const row* to, double at) {
    double x = at - 0.5;
    if (!(x > to->low))
        return to->low;
    if (x > to->high)
        return to->high + 1;

    int32_t whole = (int32_t)x;
    return whole < x ? whole + 1 : whole;
}

static int32_t last_voxel(const row* to, double at) {
    double x = at - 0.5;
    if (!(x >= to->low))
        return to->low - 1;
    return x >= to->high ? to->high : (int32_t)x;
}

/// Sets the voxels [first, last]: four bits a brick.
static void set_run(const row* to, int32_t first, int32_t last) {
    VNI_ASSERT(first >= to->low && last <= to->high);

    // All bricks of the row have its four bits at the same position.
    uint32_t shift = vni_bit_of(0, to->y, to->z);
    for (int32_t x = first & -4; x <= last; x += 4) {
        uint64_t nibble = 15;
        if (first > x)
            nibble &= nibble << (first - x);
        if (last < x + 3)
            nibble &= 15u >> (x + 3 - last);
        to->dense[vni_dense_index(x, to->y, to->z)] |= nibble << shift;
    }
}

/// The decision on one voxel.
typedef struct verdict {
    bool blocked;
    double beyond; ///< if > 0: free, and this far beyond the radius and the margin
    double slope;  ///< derivative of the distance along the row
} verdict;

static verdict judge(const row* to, int32_t x) {
    const vni_rows* rows = to->rows;
    if (rows->polytope && rows->radius > 0) {
        vni_vec center = vni_v(x + 0.5, to->y + 0.5, to->z + 0.5), nearest;
        double distance, limit = rows->radius + rows->margin;
        // Outside the margin on either side the distance decides; inside it, or if none was found, the exact
        // test.
        if (vni_halfspaces_nearest(rows->halfspaces, rows->halfspace_count, center, limit, rows->tolerance,
                                   &nearest, &distance)) {
            if (distance > limit)
                return (verdict){false, distance - limit, (center.x - nearest.x) / distance};
            if (distance < rows->radius - rows->margin)
                return (verdict){.blocked = true};
        }
    }

    return (verdict){.blocked = vni_stamp_blocks_voxel(rows->stamp, rows->radius, x, to->y, to->z)};
}

/// Judges voxels from `x` to `last`, away from blocked ones. The distance is convex, so it only grows: the
/// first one that is clearly free ends the run.
static void judge_away(const row* to, int32_t x, int32_t last, int32_t step) {
    for (; step > 0 ? x <= last : x >= last; x += step) {
        verdict v = judge(to, x);
        if (v.beyond > 0)
            return;
        if (v.blocked)
            set_run(to, x, x);
    }
}

/// Judges voxels of which none is known to be blocked. The distance is convex: it lies above its tangent, so
/// where that stays beyond the radius all voxels are skipped.
static void judge_all(const row* to, int32_t x, int32_t last) {
    while (x <= last) {
        verdict v = judge(to, x);
        if (v.blocked) {
            set_run(to, x, x);
            judge_away(to, x + 1, last, 1);
            return;
        }

        // A tangent that rises, or reaches the radius beyond the last voxel, rules out the rest of the row.
        double steps = v.beyond > 0 ? v.beyond / -v.slope : 0;
        if (v.beyond > 0 && !(v.slope < 0 && steps <= last - x))
            return;

        x += (int32_t)steps + 1;
    }
}

static void stamp_row(const row* to, const range* r) {
    if (is_empty(r))
        return;
    int32_t first = first_voxel(to, r->out_low), last = last_voxel(to, r->out_high);
    int32_t in_first = first_voxel(to, r->in_low), in_last = last_voxel(to, r->in_high);
    if (in_first > in_last) {
        judge_all(to, first, last);
        return;
    }

    VNI_ASSERT(first <= in_first && in_last <= last);

    // Outwards from the known run on both sides: the first clearly free voxel ends each.
    judge_away(to, in_first - 1, first, -1);
    set_run(to, in_first, in_last);
    judge_away(to, in_last + 1, last, 1);
}

// ----------------------------------------------------------------------------------------- polytopes, radius
// 0

/// The parts of a polytope's ranges that depend on one coordinate only: O(rows) instead of O(rows^2) lines.
typedef struct tables {
    range by_y[FIELD], by_z[FIELD], in_y[FIELD]; ///< of x at y, of x at z, of y at z
    int32_t low_y, low_z;                        ///< coordinates of the first entries
} tables;

/// Makes tables for the rows [low, high] and `border` more on each side.
static void make_tables(const vni_rows* rows, const int32_t low[3], const int32_t high[3], int32_t border,
                        tables* out) {
    VNI_ASSERT(high[1] - low[1] + 2 * border < FIELD && high[2] - low[2] + 2 * border < FIELD);

    out->low_y = low[1] - border;
    out->low_z = low[2] - border;
    for (int32_t y = out->low_y; y <= high[1] + border; ++y)
        out->by_y[y - out->low_y] = range_of_lines(rows, 2, y + 0.5);

    for (int32_t z = out->low_z; z <= high[2] + border; ++z) {
        out->by_z[z - out->low_z] = range_of_lines(rows, 1, z + 0.5);
        out->in_y[z - out->low_z] = range_of_lines(rows, 0, z + 0.5);
    }
}

/// The range of one row: `in` for cubes that meet the polytope, `out` for those within the radius of it.
static range range_of_row(const vni_rows* rows, const tables* t, int32_t y, int32_t z) {
    const range *a = &t->by_y[y - t->low_y], *b = &t->by_z[z - t->low_z], *in_y = &t->in_y[z - t->low_z];
    double at_y = y + 0.5, at_z = z + 0.5;
    if (at_y < in_y->out_low || at_y > in_y->out_high)
        return empty;

    // The range of x is cut by two projections, at y and at z, and by the slabs; the third projection, along
    // x, decides whether the row counts at all.
    range r = {larger(a->out_low, b->out_low), smaller(a->out_high, b->out_high),
               larger(a->in_low, b->in_low), smaller(a->in_high, b->in_high)};
    for (uint32_t i = 0; i < rows->slab_count; ++i)
        cut_by_slab(&r, &rows->slabs[i], at_y, at_z);

    if (at_y < in_y->in_low || at_y > in_y->in_high)
        r.in_high = -HUGE_VAL;

    return r;
}

static void stamp_meeting(const vni_rows* rows, const int32_t low[3], const int32_t high[3], row* to) {
    tables t;
    make_tables(rows, low, high, 0, &t);
    for (to->z = low[2]; to->z <= high[2]; ++to->z)
        for (to->y = low[1]; to->y <= high[1]; ++to->y) {
            range r = range_of_row(rows, &t, to->y, to->z);
            stamp_row(to, &r);
        }
}

// ------------------------------------------------------------------------------------- polytopes at a radius

/// Neighbouring rows up to `border` away, and how far along x a cube there may be within the radius.
typedef struct offsets {
    uint32_t count;
    struct {
        int32_t index; ///< relative to the row's
        double reach;
    } at[(2 * BORDER + 1) * (2 * BORDER + 1)];
} offsets;

static void make_offsets(double radius, int32_t border, offsets* out) {
    VNI_ASSERT(border >= 0 && border <= BORDER);

    out->count = 0;
    for (int32_t z = -border; z <= border; ++z)
        for (int32_t y = -border; y <= border; ++y) {
            double rest = radius * radius - (double)(y * y + z * z);
            if (rest > 0 && radius > 0) {
                out->at[out->count].index = y + FIELD * z;
                out->at[out->count++].reach = sqrt(rest);
            }
        }
}

/// Widens the inner range: a cube is blocked if moving it by less than the radius, along the row or to
/// another row and along that, makes it meet the polytope.
static void reach_out(const range* field, const offsets* from, range* r) {
    r->in_low = HUGE_VAL;
    r->in_high = -HUGE_VAL;
    for (uint32_t i = 0; i < from->count; ++i) {
        const range* there = field + from->at[i].index;
        if (there->in_low > there->in_high)
            continue;
        r->in_low = smaller(r->in_low, there->in_low - from->at[i].reach);
        r->in_high = larger(r->in_high, there->in_high + from->at[i].reach);
    }
}

static void stamp_near(const vni_rows* rows, const int32_t low[3], const int32_t high[3], row* to) {
    tables t;
    offsets from;
    range field[FIELD * FIELD];
    double radius = rows->radius - rows->margin;
    int32_t border = radius < BORDER ? (int32_t)larger(0, radius) : BORDER;
    make_tables(rows, low, high, border, &t);

    make_offsets(radius, border, &from);
    // Ranges of all rows first: each one is widened by its neighbours' below.
    for (int32_t z = low[2] - border; z <= high[2] + border; ++z)
        for (int32_t y = low[1] - border; y <= high[1] + border; ++y)
            field[y - t.low_y + FIELD * (z - t.low_z)] = range_of_row(rows, &t, y, z);

    for (to->z = low[2]; to->z <= high[2]; ++to->z)
        for (to->y = low[1]; to->y <= high[1]; ++to->y) {
            const range* here = &field[to->y - t.low_y + FIELD * (to->z - t.low_z)];
            range r = *here;
            reach_out(here, &from, &r);
            stamp_row(to, &r);
        }
}

// ------------------------------------------------------------------------------------------ boxes and balls

static void stamp_by_reach(const vni_rows* rows, const int32_t low[3], const int32_t high[3], row* to) {
    const vni_aabb* core = &rows->core;
    VNI_ASSERT(!rows->polytope && rows->reach > 0);

    for (to->z = low[2]; to->z <= high[2]; ++to->z) {
        double gap_z = gap(to->z + 0.5, core->min.z, core->max.z);
        for (to->y = low[1]; to->y <= high[1]; ++to->y) {
            double gap_y = gap(to->y + 0.5, core->min.y, core->max.y);
            range r = range_by_reach(rows, gap_y * gap_y + gap_z * gap_z);
            stamp_row(to, &r);
        }
    }
}

void vni_rows_stamp(const vni_rows* rows, const int32_t low[3], const int32_t high[3],
                    const vni_window* window) {
    VNI_ASSERT(low[0] >= window->low[0] && high[0] < window->high[0] && low[2] <= high[2]);
    row to = {.rows = rows, .dense = window->dense, .low = low[0], .high = high[0]};
    if (rows->polytope && rows->radius > 0)
        stamp_near(rows, low, high, &to);
    else if (rows->polytope)
        stamp_meeting(rows, low, high, &to);
    else
        stamp_by_reach(rows, low, high, &to);
}
