/// probe/sweep.c: sweeps balls along segments through the occupancy; tests boxes.
///
/// A ball touches a cube when its centre reaches the cube rounded by the radius (the Minkowski sum of both).
/// The search follows the segment part by part. In each part it descends from blocks to voxels, nearer
/// children first, and enters a branch only if the segment meets the branch, grown by the radius, before the
/// best contact so far (slabs: Kay and Kajiya 1986).
#include "geom/shapes.h"
#include "probe/hit.h"
#include "probe/nearest.h"

/// Growth of branches beyond the radius, voxels: far above rounding error.
#define SLACK 1e-6

/// A part of the segment, in fractions of it; empty if out < in.
typedef struct range {
    double in, out;
} range;

typedef struct sweep {
    const vni_occupancy* occupancy;
    vni_vec a, b;
    double from[3], along[3]; ///< a, and b - a
    double inverse[3];        ///< 1 / along; 0 if along is so small that the slack covers it
    int axes[3];              ///< the segment's longest axis first
    double radius, radius2;
    range part; ///< the part being searched
    bool any;   ///< any contact will do, not only the first
    bool found;
    double limit; ///< fraction of the first contact so far, or of the end
    int32_t voxel[3];
} sweep;

static const range whole = {-HUGE_VAL, HUGE_VAL}, never = {HUGE_VAL, -HUGE_VAL};

static inline range meet(range a, range b) {
    range r = {a.in > b.in ? a.in : b.in, a.out < b.out ? a.out : b.out};
    return r;
}

/// The part of the segment within `grow` of [low, high] along one axis.
static range pass(const sweep* s, int axis, double low, double high, double grow) {
    double from = s->from[axis], along = s->along[axis];
    range r;
    if (along == 0)
        return from >= low - grow && from <= high + grow ? whole : never;

    double to_low = (low - grow - from) / along, to_high = (high + grow - from) / along;
    r.in = along > 0 ? to_low : to_high;
    r.out = along > 0 ? to_high : to_low;
    return r;
}

// -------------------------------------------------------------------------------------- ball and cube

/// A cube as three slabs. Between the parameters where the segment enters or leaves a slab, its squared
/// distance from the cube is one quadratic: the sum over the axes on which it is outside.
typedef struct slabs {
    double low[3], high[3];
    range inside[3];
} slabs;

/// The quadratic that holds at t and just after it: excess + 2 slope (x - t) + curve (x - t)^2 is the squared
/// distance at x minus the squared radius.
static void quadratic_at(const sweep* s, const slabs* cube, double t, double* curve, double* slope,
                         double* excess) {
    *curve = *slope = 0;
    *excess = -s->radius2;
    for (int i = 0; i < 3; ++i) {
        if (t >= cube->inside[i].in && t < cube->inside[i].out)
            continue;
        double at = s->from[i] + s->along[i] * t;
        bool below = s->along[i] > 0   ? t < cube->inside[i].in
                     : s->along[i] < 0 ? t >= cube->inside[i].out
                                       : at < cube->low[i];
        double gap = at - (below ? cube->low[i] : cube->high[i]);
        *curve += s->along[i] * s->along[i];
        *slope += s->along[i] * gap;
        *excess += gap * gap;
    }
}

/// The next parameter after t where a slab is entered or left.
static double next_change(const slabs* cube, double t) {
    double next = HUGE_VAL;
    for (int i = 0; i < 3; ++i) {
        if (cube->inside[i].in > t && cube->inside[i].in < next)
            next = cube->inside[i].in;
        if (cube->inside[i].out > t && cube->inside[i].out < next)
            next = cube->inside[i].out;
    }

    return next;
}

/// The parameter where the centre reaches the rounded cube, which the segment is known to enter. Starts where
/// it reaches the cube grown by the radius (with sharp edges): there the gaps are small, and nothing cancels.
/// The distance decreases until the contact; if it stops decreasing before, rounding error exceeds what is
/// missing.
static double first_touch(const sweep* s, const int32_t voxel[3]) {
    slabs cube;
    range grown = {0, 1};
    for (int i = 0; i < 3; ++i) {
        cube.low[i] = voxel[i];
        cube.high[i] = voxel[i] + 1.0;
        cube.inside[i] = pass(s, i, cube.low[i], cube.high[i], 0);
        grown = meet(grown, pass(s, i, cube.low[i], cube.high[i], s->radius));
    }

    double t = vni_clamp(grown.in, 0, 1);
    for (;;) {
        double curve, slope, excess, next = next_change(&cube, t);
        quadratic_at(s, &cube, t, &curve, &slope, &excess);
        // In contact, past the nearest point, or at the end.
        if (excess <= 0 || slope >= 0 || t >= 1)
            return t;

        // The smaller root, in the form that does not cancel: slope < 0, so both terms of the divisor add up.
        double root2 = slope * slope - curve * excess;
        double touch = root2 >= 0 ? t + excess / (sqrt(root2) - slope) : t - slope / curve;
        if (touch <= next)
            return touch < 1 ? touch : 1;

        t = next < 1 ? next : 1;
    }
}

/// Compares the contact with one voxel with the best so far. Whether there is one is decided by the distance
/// alone, so that it does not depend on the order of the search.
static void try_voxel(sweep* s, const int32_t voxel[3]) {
    vni_aabb cube = vni_aabb_of_voxel(voxel[0], voxel[1], voxel[2]);
    if (!(vni_segment_box_distance2(s->a, s->b, &cube) < s->radius2))
        return;

    double at = s->any ? 0 : first_touch(s, voxel);
    if (at > s->limit || (s->found && at == s->limit && !vni_comes_before(voxel, s->voxel)))
        return;

    // With `any`, a limit of minus infinity ends the search.
    s->limit = s->any ? -HUGE_VAL : at;
    s->found = true;
    for (int i = 0; i < 3; ++i)
        s->voxel[i] = voxel[i];
}

// ------------------------------------------------------------------------------------------ down the tree

/// A cube with 4 x 4 x 4 children of edge 1 << shift, of which `some` contain blocked voxels.
typedef struct branch {
    const vni_block* block;
    uint32_t chunk;
    int32_t shift;
    int32_t low[3];
    uint64_t some;
} branch;

static inline bool is_worth(const sweep* s, range r) {
    return r.in <= r.out && r.in <= s->limit;
}

/// By child along one axis: the part of the segment that is near it.
static inline void find_row(const sweep* s, const branch* b, int axis, range row[4]) {
    double size = 1 << b->shift, grow = s->radius + SLACK, inverse = s->inverse[axis];
    double to_low = b->low[axis] - grow - s->from[axis], to_high = b->low[axis] + size + grow - s->from[axis];
    for (int k = 0; k < 4; ++k, to_low += size, to_high += size) {
        if (inverse > 0)
            row[k] = (range){to_low * inverse, to_high * inverse};
        else if (inverse < 0)
            row[k] = (range){to_high * inverse, to_low * inverse};
        else
            row[k] = to_low <= 0 && to_high >= 0 ? whole : never;
    }
}

static void visit_branch(sweep* s, const branch* b);

static void visit_child(sweep* s, const branch* b, int32_t child) {
    VNI_ASSERT((b->shift == 0 || b->shift == 2 || b->shift == 4) && child >= 0 && child < 64);

    branch inner = {b->block, b->chunk, b->shift - 2, {0, 0, 0}, 0};
    for (int i = 0; i < 3; ++i)
        inner.low[i] = b->low[i] + ((child >> (2 * i) & 3) << b->shift);

    if (b->shift == 0) {
        try_voxel(s, inner.low);
        return;
    }

    if (b->shift == 4) {
        inner.chunk = (uint32_t)child;
        inner.some = b->block->some[child];
    } else {
        inner.some = vni_block_brick(b->block, b->chunk, (uint32_t)child);
    }

    if (inner.some)
        visit_branch(s, &inner);
}

/// Visits children in the order of the segment, the longest axis outermost: i ^ flip counts 0 1 2 3 or 3 2 1
/// 0.
static void visit_branch(sweep* s, const branch* b) {
    const int *axes = s->axes, shift[3] = {2 * axes[0], 2 * axes[1], 2 * axes[2]};
    range rows[3][4];
    int32_t flip[3];
    for (int i = 0; i < 3; ++i) {
        flip[i] = s->along[axes[i]] < 0 ? 3 : 0;
        find_row(s, b, axes[i], rows[i]);
    }

    // Each loop narrows the part of the segment: a slab of 16 children, a row of 4, one child.
    for (int32_t i = 0; i < 4; ++i) {
        range first = meet(s->part, rows[0][i ^ flip[0]]);
        if (!is_worth(s, first))
            continue;

        for (int32_t j = 0; j < 4; ++j) {
            range second = meet(first, rows[1][j ^ flip[1]]);
            if (!is_worth(s, second))
                continue;

            for (int32_t k = 0; k < 4; ++k) {
                int32_t child =
                    (i ^ flip[0]) << shift[0] | (j ^ flip[1]) << shift[1] | (k ^ flip[2]) << shift[2];
                if (b->some >> child & 1 && is_worth(s, meet(second, rows[2][k ^ flip[2]])))
                    visit_child(s, b, child);
            }
        }
    }
}

static void visit_block(sweep* s, int32_t x, int32_t y, int32_t z) {
    const vni_occupancy* o = s->occupancy;
    const vni_block* block = o->table[vni_block_index(o->blocks, x, y, z)];
    if (block == NULL || s->limit < s->part.in)
        return;
    branch b = {block, 0, 4, {x * VNI_BLOCK_SIZE, y * VNI_BLOCK_SIZE, z * VNI_BLOCK_SIZE}, ~(uint64_t)0};
    visit_branch(s, &b); // `some` is not known for chunks: all are visited
}

/// The blocks along one axis that [low, high] meets, clamped to the table.
static void block_range(double low, double high, int32_t blocks, int32_t* first, int32_t* last) {
    VNI_ASSERT(low <= high && blocks > 0);
    *first = low > 0 ? (int32_t)(vni_clamp(low, 0, VNI_MAX_DIM)) >> VNI_BLOCK_SHIFT : 0;
    *last = (int32_t)(vni_clamp(high, 0, VNI_MAX_DIM)) >> VNI_BLOCK_SHIFT;
    if (*last >= blocks)
        *last = blocks - 1;
}

static void visit_part(sweep* s) {
    int32_t first[3], last[3];
    for (int i = 0; i < 3; ++i) {
        double a = s->from[i] + s->along[i] * s->part.in, b = s->from[i] + s->along[i] * s->part.out;
        double grow = s->radius + SLACK;
        block_range((a < b ? a : b) - grow, (a < b ? b : a) + grow, s->occupancy->blocks[i], &first[i],
                    &last[i]);
    }

    for (int32_t z = first[2]; z <= last[2]; ++z)
        for (int32_t y = first[1]; y <= last[1]; ++y)
            for (int32_t x = first[0]; x <= last[0]; ++x)
                visit_block(s, x, y, z);
}

/// Searches part by part, each about as long as a block or as the ball's diameter: few parts share a block.
static void follow(sweep* s) {
    VNI_ASSERT(s->radius > 0 && s->limit <= 1);

    double step = 2 * s->radius > VNI_BLOCK_SIZE ? 2 * s->radius : VNI_BLOCK_SIZE;
    double parts = floor(vni_abs(s->along[s->axes[0]]) / step) + 1;
    // A contact found in one part ends the search: later parts begin behind it.
    s->part.out = 0;
    for (double k = 1; s->part.out <= s->limit && k <= parts; ++k) {
        s->part.in = s->part.out;
        s->part.out = k / parts;
        visit_part(s);
    }
}

static sweep sweep_make(const vni_occupancy* occupancy, vni_vec a, vni_vec b, double radius) {
    VNI_ASSERT(radius > 0 && vni_v_is_finite(a) && vni_v_is_finite(b));

    sweep s = {.occupancy = occupancy, .a = a, .b = b, .from = {a.x, a.y, a.z}, .limit = 1};
    s.along[0] = b.x - a.x;
    s.along[1] = b.y - a.y;
    s.along[2] = b.z - a.z;
    for (int i = 0; i < 3; ++i) {
        double length = vni_abs(s.along[i]);
        s.inverse[i] = length > SLACK / 10 ? 1 / s.along[i] : 0;
        s.axes[0] = length > vni_abs(s.along[s.axes[0]]) ? i : s.axes[0];
    }

    s.axes[1] = vni_other_axes[s.axes[0]][0];
    s.axes[2] = vni_other_axes[s.axes[0]][1];
    s.radius = radius;
    s.radius2 = radius * radius;
    return s;
}

bool vni_sweep_is_free(const vni_occupancy* occupancy, vni_vec a, vni_vec b, double radius) {
    sweep s = sweep_make(occupancy, a, b, radius);
    s.any = true;
    follow(&s);
    return !s.found;
}

bool vni_sweep_touch(const vni_occupancy* occupancy, vni_vec a, vni_vec b, double radius, double limit,
                     vn_voxel* voxel, double* at) {
    VNI_ASSERT(limit >= 0 && limit <= 1);
    sweep s = sweep_make(occupancy, a, b, radius);
    s.limit = limit;
    follow(&s);
    *voxel = (vn_voxel){s.voxel[0], s.voxel[1], s.voxel[2]};
    *at = s.limit;

    return s.found;
}

// ------------------------------------------------------------------------------------------------ hits

/// The hit of a ball that touches a voxel when its centre is at the fraction `at` of the segment.
static vn_hit touch_hit(const vn_space* space, const vn_world* world, vni_vec a, vni_vec b, double at,
                        vn_voxel voxel, bool inside) {
    VNI_ASSERT(at >= 0 && at <= 1 && (at == 0 || !inside));

    vni_vec segment = vni_sub(b, a), center = vni_add_scaled(a, segment, at);
    vni_vec nearest = vni_nearest_in_voxel(center, voxel), off = vni_sub(center, nearest);
    vn_hit hit = {.fraction = at, .voxel = voxel, .starts_blocked = inside};
    hit.position = vni_voxels_to_world(space, center);

    hit.contact = vni_voxels_to_world(space, nearest);
    if (!inside) // a radius lost in the rounding of the position leaves only the segment's direction
        hit.normal = vni_unit(vni_length2(off) > 0 ? off : vni_scale(segment, -1));

    if (world != NULL)
        hit.obstacle = vn_space_obstacle_at(space, world, voxel);

    return hit;
}

bool vn_space_sweep(const vn_space* space, const vn_world* world, vn_point a, vn_point b, float radius,
                    vn_hit* out) {
    VNI_ASSERT(space != NULL && out != NULL);

    const vni_occupancy* o = &space->occupancy;
    vni_stop stop;
    if (!(radius > 0) || !vni_point_is_inside(o, a) || vn_point_is_outside(b))
        return vn_space_raycast(space, world, a, b, out);

    double voxels = vni_metres_to_voxels(space, (double)radius), at;
    vni_vec from = vni_point_in_voxels(a), to = vni_point_in_voxels(b);
    vn_voxel voxel;
    if (vni_nearest_blocked(o, from, from, voxels, &voxel, &at) && at < voxels) {
        *out = touch_hit(space, world, from, to, 0, voxel, true);
        return true;
    }

    // The centre must stay inside the bounds: they end the sweep, unless something is touched before.
    bool leaves = vni_exit_point(o, a, b, &stop);
    double end = leaves ? (double)stop.numerator / (double)stop.denominator : 1;
    if (vni_sweep_touch(o, from, to, voxels, end, &voxel, &at) && !(leaves && at == end)) {
        *out = touch_hit(space, world, from, to, at, voxel, false);
        return true;
    }

    *out = leaves ? vni_hit_of_stop(space, world, a, b, &stop) : vni_hit_none(space, b);
    return leaves;
}

// ------------------------------------------------------------------------------------------------ boxes

/// The bits of a row of a brick in [low, high), relative to the brick.
static uint64_t range_bits(int32_t low, int32_t high) {
    VNI_ASSERT(low < 4 && high > 0);
    int32_t from = low < 0 ? 0 : low, to = high > 4 ? 4 : high;
    return from < to ? ((uint64_t)1 << to) - ((uint64_t)1 << from) : 0;
}

/// The voxels of the brick at (x, y, z) in the box: a row, repeated to a plane, repeated to a box.
static uint64_t brick_box_bits(int32_t x, int32_t y, int32_t z, vn_voxel low, vn_voxel high) {
    uint64_t row = range_bits(low.x - x, high.x - x), rows = range_bits(low.y - y, high.y - y), bits = 0;
    uint64_t planes = range_bits(low.z - z, high.z - z), plane = 0;
    for (int i = 0; i < 4; ++i)
        if (rows >> i & 1)
            plane |= row << (4 * i);

    for (int i = 0; i < 4; ++i)
        if (planes >> i & 1)
            bits |= plane << (16 * i);

    return bits;
}

/// Edge of the aligned cube around (x, y, z) that is free as far as it lies in the box: 64, 16 or 4; 0 if it
/// is not.
static int32_t free_run(const vni_occupancy* o, int32_t x, int32_t y, int32_t z, vn_voxel low,
                        vn_voxel high) {
    const vni_block* block = vni_occupancy_block(o, x, y, z);
    if (block == NULL)
        return VNI_BLOCK_SIZE;

    uint32_t chunk = vni_chunk_of(x, y, z);
    if (!block->some[chunk])
        return 16;

    uint64_t bits = vni_block_brick(block, chunk, vni_brick_of(x, y, z));
    return bits & brick_box_bits(x & ~3, y & ~3, z & ~3, low, high) ? 0 : 4;
}

bool vni_box_is_free(const vni_occupancy* occupancy, vn_voxel low, vn_voxel high) {
    if (low.x >= high.x || low.y >= high.y || low.z >= high.z)
        return true;
    if (!vni_occupancy_inside(occupancy, low.x, low.y, low.z) ||
        !vni_occupancy_inside(occupancy, high.x - 1, high.y - 1, high.z - 1))
        return false;

    for (int32_t z = low.z; z < high.z; z = (z & ~3) + 4)
        for (int32_t y = low.y; y < high.y; y = (y & ~3) + 4)
            for (int32_t x = low.x; x < high.x;) {
                int32_t run = free_run(occupancy, x, y, z, low, high);
                if (run == 0)
                    return false;
                x = (x & ~(run - 1)) + run;
            }

    return true;
}
