/// probe/clearance.c: integrates the missing clearance along a segment: by steps near walls, by leaps in the
/// open.
#include "probe/clearance.h"
#include "geom/units.h"
#include "probe/nearest.h"
#include "world/world.h"

static inline double min_of(double a, double b) {
    return a < b ? a : b;
}

static inline double max_of(double a, double b) {
    return a > b ? a : b;
}

// ------------------------------------------------------------------------------------- the nearest wall

// vni_nearest_blocked does the same for any box at any distance. Here it is done many times for points near a
// wall or in the open, within a small ball: plain loops over the ball's chunks take a third of the time.

/// Largest radius, voxels: beyond it there are so many chunks that vni_nearest_blocked is faster.
#define LARGEST_BALL 32

typedef struct ball {
    double at[3];
    double best2;            ///< squared distance of the best so far, or the limit
    double near2;            ///< squared; for bricks beyond it, the brick's own distance is accurate enough
    int32_t low[3], high[3]; ///< voxels that the ball meets, inclusive
    bool found;              ///< best2 is the distance of `voxel`
    vn_voxel voxel;
} ball;

static inline double gap2(double at, double low, double high) {
    double gap = max_of(max_of(low - at, at - high), 0);
    return gap * gap;
}

static void look_into_brick(ball* b, uint64_t bits, int32_t x, int32_t y, int32_t z) {
    // nearest[h][bits]: in a row of four voxels, the blocked one nearest to a point in half voxel h of the
    // row. Halves, since on either side of a voxel's middle another neighbour is nearer.
    static const uint8_t nearest[8][16] = {
        {0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0}, {0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0},
        {0, 0, 1, 1, 2, 0, 1, 1, 3, 0, 1, 1, 2, 0, 1, 1}, {0, 0, 1, 1, 2, 2, 1, 1, 3, 0, 1, 1, 2, 2, 1, 1},
        {0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 1, 1, 2, 2, 2, 2}, {0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 2, 2, 2, 2},
        {0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3}, {0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3}};
    const uint8_t* nearest_x = nearest[(int)vni_clamp(floor(2 * (b->at[0] - x)), 0, 7)];
    double gaps[3][4];
    VNI_ASSERT(bits != 0);

    for (int32_t i = 0; i < 4; ++i) {
        gaps[0][i] = gap2(b->at[0], x + i, x + i + 1);
        gaps[1][i] = gap2(b->at[1], y + i, y + i + 1);
        gaps[2][i] = gap2(b->at[2], z + i, z + i + 1);
    }

    for (int32_t row = 0; row < 16; ++row, bits >>= 4) {
        int32_t i = nearest_x[bits & 15], j = row & 3, k = row >> 2;
        double distance2 = gaps[0][i] + gaps[1][j] + gaps[2][k];
        if (!(bits & 15) || distance2 >= b->best2)
            continue;

        b->best2 = distance2;
        b->found = true;
        b->voxel = (vn_voxel){x + i, y + j, z + k};
    }
}

/// The bricks of the chunk with low corner (x, y, z) that the ball may meet.
static uint64_t bricks_in_range(const ball* b, int32_t x, int32_t y, int32_t z) {
    VNI_ASSERT(((x | y | z) & 15) == 0);
    const int32_t corner[3] = {x, y, z};
    int32_t first[3], last[3];
    for (int i = 0; i < 3; ++i) {
        first[i] = b->low[i] > corner[i] ? (b->low[i] - corner[i]) >> 2 : 0;
        last[i] = b->high[i] < corner[i] + 15 ? (b->high[i] - corner[i]) >> 2 : 3;
    }

    return vni_brick_span(first[0], last[0], first[1], last[1], first[2], last[2]);
}

static void look_into_chunk(ball* b, const vni_block* block, int32_t x, int32_t y, int32_t z) {
    uint32_t chunk = vni_chunk_of(x, y, z);
    if (!block->some[chunk])
        return;

    for (uint64_t bricks = block->some[chunk] & bricks_in_range(b, x, y, z); bricks; bricks &= bricks - 1) {
        uint32_t brick = vni_lowest_bit(bricks);
        int32_t bx = x + (int32_t)(brick & 3) * 4, by = y + (int32_t)(brick >> 2 & 3) * 4,
                bz = z + (int32_t)(brick >> 4) * 4;
        double distance2 =
            gap2(b->at[0], bx, bx + 4) + gap2(b->at[1], by, by + 4) + gap2(b->at[2], bz, bz + 4);

        if (distance2 >= b->best2)
            continue;
        // Far bricks are not opened: their own distance bounds the leap from below.
        if (distance2 >= b->near2) {
            b->best2 = distance2;
            b->found = false;
        } else {
            look_into_brick(b, vni_block_brick(block, chunk, brick), bx, by, bz);
        }
    }
}

/// Finds the nearest blocked voxel if it is nearer than `*clear`, which becomes its distance. Beyond `near`
/// the distance may be too small, though not below `near`, and `wall` is not written: a leap needs no more.
static bool find_wall(const vni_occupancy* o, vni_vec at, double near, vn_voxel* wall, double* clear) {
    VNI_ASSERT(near > 0 && *clear >= 0);

    double limit = *clear;
    if (limit > LARGEST_BALL)
        return vni_nearest_blocked(o, at, at, limit, wall, clear);

    ball b = {.at = {at.x, at.y, at.z}, .best2 = limit * limit, .near2 = near * near};
    for (int i = 0; i < 3; ++i) {
        b.low[i] = (int32_t)vni_clamp(floor(b.at[i] - limit), 0, o->dims[i]);
        b.high[i] = (int32_t)vni_clamp(floor(b.at[i] + limit), -1, o->dims[i] - 1);
        if (b.low[i] > b.high[i])
            return false;
    }

    for (int32_t z = b.low[2] & ~15; z <= b.high[2]; z += 16)
        for (int32_t y = b.low[1] & ~15; y <= b.high[1]; y += 16)
            for (int32_t x = b.low[0] & ~15; x <= b.high[0]; x += 16) {
                const vni_block* block = vni_occupancy_block(o, x, y, z);
                if (block != NULL)
                    look_into_chunk(&b, block, x, y, z);
            }

    if (b.best2 < limit * limit)
        *clear = sqrt(b.best2);

    if (b.found)
        *wall = b.voxel;

    return b.found;
}

static double missing_at(const vni_clearance* clearance, double distance) {
    return max_of(0, 1 - distance / clearance->distance);
}

double vni_clearance_missing(const vni_clearance* clearance, vni_vec at) {
    VNI_ASSERT(clearance->distance > 0 && vni_v_is_finite(at));
    vn_voxel wall;
    double clear = clearance->distance;
    find_wall(clearance->occupancy, at, clearance->distance, &wall, &clear);
    return missing_at(clearance, clear);
}

// ------------------------------------------------------------------------------------------------- the walk

typedef struct walk {
    const vni_clearance* clearance;
    vni_vec start, along; ///< `along` is a unit vector
    double length;
    double step;  ///< near walls
    double at;    ///< position, voxels from the start
    double clear; ///< distance from the wall there; a lower bound beyond the preferred distance
    bool has_wall;
    vn_voxel wall; ///< the last one found: its distance bounds the next search
} walk;

static double distance_to_voxel(vni_vec at, vn_voxel v) {
    vni_vec low = vni_v(v.x, v.y, v.z), high = vni_v(v.x + 1.0, v.y + 1.0, v.z + 1.0);
    return vni_length(vni_sub(at, vni_max(low, vni_min(at, high))));
}

/// Measures the clearance at the current position. Searches no farther than the last wall, and than a leap
/// that pays: the volume of the ball grows with the cube of its radius.
static void look(walk* w) {
    double preferred = w->clearance->distance;
    double leap = min_of(w->length - w->at, max_of(4, 0.5 * preferred));
    vni_vec at = vni_add_scaled(w->start, w->along, w->at);
    w->clear = preferred + leap;
    // The last wall bounds the search: near walls, most searches end at it.
    if (w->has_wall) {
        double known = distance_to_voxel(at, w->wall);
        w->has_wall = known < w->clear;
        w->clear = min_of(known, w->clear);
    }

    if (w->clear > 0 && find_wall(w->clearance->occupancy, at, preferred, &w->wall, &w->clear))
        w->has_wall = true;
}

static walk begin_walk(const vni_clearance* clearance, vni_vec a, vni_vec b, double from) {
    VNI_ASSERT(clearance->distance > 0 && clearance->weight > 0);
    VNI_ASSERT(vni_v_is_finite(a) && vni_v_is_finite(b));
    vni_vec segment = vni_sub(b, a);
    walk w = {.clearance = clearance, .start = a, .length = vni_length(segment), .at = from};
    w.along = w.length > 0 ? vni_scale(segment, 1 / w.length) : segment;
    w.step = max_of(clearance->distance * 0.25, VNI_CLEARANCE_LEAST_STEP);
    look(&w);

    return w;
}

/// Advances by a step or a leap. Returns its length: 0 at the end. With a clearance of c, points up to c -
/// distance ahead still lack none: that is the leap.
static double go_on(walk* w) {
    VNI_ASSERT(w->step > 0 && w->clear >= 0);
    double before = w->at;
    w->at = min_of(w->length, before + max_of(w->step, w->clear - w->clearance->distance));
    if (w->at > before)
        look(w);
    return w->at - before;
}

static bool comes_before(const double a[3], const double b[3]) {
    for (int i = 0; i < 3; ++i)
        if (a[i] != b[i])
            return a[i] < b[i];
    return true;
}

double vni_clearance_cost(const vni_clearance* clearance, const double a[3], const double b[3]) {
    // Always from the lesser end, so that both directions add up the same numbers; trapezoids between
    // samples.
    const double *first = comes_before(a, b) ? a : b, *last = first == a ? b : a;
    walk w = begin_walk(clearance, vni_v(first[0], first[1], first[2]), vni_v(last[0], last[1], last[2]), 0);
    double sum = 0, before = missing_at(clearance, w.clear), gone;
    while ((gone = go_on(&w)) > 0) {
        double now = missing_at(clearance, w.clear);
        sum += (before + now) * gone;
        before = now;
    }

    return clearance->weight * 0.5 * sum;
}

bool vni_clearance_dip(const vni_clearance* clearance, vni_vec a, vni_vec b, double from, vni_dip* out) {
    VNI_ASSERT(from >= 0 && out != NULL);

    walk w = begin_walk(clearance, a, b, from);
    // To the first sample that lacks clearance, then on to the last of them.
    while (w.clear >= clearance->distance)
        if (go_on(&w) == 0)
            return false;

    vni_dip dip = {w.at, w.at, w.at, w.clear, w.wall};
    while (go_on(&w) > 0 && w.clear < clearance->distance) {
        dip.to = w.at;
        if (w.clear < dip.least) {
            dip.deepest = w.at;
            dip.least = w.clear;
            dip.wall = w.wall;
        }
    }

    *out = dip;
    return true;
}

// --------------------------------------------------------------------------------------------- cost object

static double terms_segment(const void* self, vn_point from, vn_point to) {
    const vni_terms* terms = (const vni_terms*)self;
    double a[3], b[3];
    vni_point_to_voxels(from, a);
    vni_point_to_voxels(to, b);
    static const vni_zones none = {.least = 1};
    double cost = vni_zones_cost(terms->zones != NULL ? terms->zones : &none, a, b);

    return terms->clearance != NULL ? cost + vni_clearance_cost(terms->clearance, a, b) : cost;
}

vni_cost vni_cost_terms(vni_metric metric, uint32_t neighbours, const vni_terms* terms) {
    VNI_ASSERT(terms != NULL && (terms->clearance == NULL || terms->clearance->weight > 0));
    vni_cost cost = vni_cost_length(metric, neighbours);
    cost.self = terms;
    cost.is_length = terms->zones == NULL && terms->clearance == NULL;
    cost.least = terms->zones != NULL ? terms->zones->least : 1;
    cost.segment = terms_segment;

    return cost;
}
