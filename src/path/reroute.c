/// path/reroute.c: exchanging vertices.
///
/// The known segments are a direct-mapped cache: one slot for each hash, and the newer segment overwrites the
/// older.
#include "path/reroute.h"
#include "base/assert.h"
#include "geom/units.h"
#include "path/refine.h"
#include "probe/sight.h"

void vni_reroute_begin(vni_reroute* out, const vni_occupancy* occupancy, const vni_cost* cost,
                       vn_point* points, uint32_t count, uint32_t capacity, const vn_point* low,
                       const vn_point* high) {
    VNI_ASSERT(occupancy != NULL && cost != NULL && points != NULL && count <= capacity);
    VNI_ASSERT((low == NULL) == (high == NULL));

    const vni_known_segment none = {
        {0, 0, 0}, {0, 0, 0}, 0, 0}; // a valid entry: the segment from the origin to itself costs nothing
    out->occupancy = occupancy;
    out->cost = cost;
    out->low = low;
    out->high = high;
    out->points = points;
    out->count = count;
    out->capacity = capacity;

    out->gained = 0;
    for (uint32_t i = 0; i < 1u << VNI_KNOWN_SHIFT; ++i)
        out->known[i] = none;
}

// ---------- known segments

vni_known_segment* vni_reroute_know(vni_reroute* reroute, vn_point a, vn_point b) {
    const int32_t numbers[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
    uint64_t hash = 0;
    for (int i = 0; i < 6; ++i)
        hash = (hash ^ (uint32_t)numbers[i]) * UINT64_C(0x9e3779b97f4a7c15);

    vni_known_segment* known = &reroute->known[hash >> (64 - VNI_KNOWN_SHIFT)];
    if (!vni_is_same_point(known->a, a) || !vni_is_same_point(known->b, b)) {
        const vni_known_segment fresh = {a, b, -1, 0};
        *known = fresh;
    }

    return known;
}

static double known_cost(vni_reroute* r, vn_point a, vn_point b) {
    vni_known_segment* known = vni_reroute_know(r, a, b);
    if (known->cost < 0)
        known->cost = vni_leg_cost(r->cost, a, b);
    return known->cost;
}

double vni_reroute_cost(vni_reroute* reroute, const vn_point* points, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 1; i < count; ++i)
        sum += known_cost(reroute, points[i - 1], points[i]);
    return sum;
}

double vni_reroute_corner_cost(vni_reroute* reroute, uint32_t vertex) {
    VNI_ASSERT(vertex >= 1 && vertex + 1 < reroute->count);
    return vni_reroute_cost(reroute, reroute->points + vertex - 1, 3);
}

// -------------------------------------------------------------------------------------------------- changes

static bool is_within(vn_point p, vn_point low, vn_point high) {
    return p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y && p.z <= high.z;
}

bool vni_reroute_allows(const vni_reroute* reroute, vn_point point) {
    const int32_t* dims = reroute->occupancy->dims;
    const vn_point zero = {0, 0, 0}, end = vni_voxel_corner((vn_voxel){dims[0], dims[1], dims[2]});
    return is_within(point, zero, end) &&
           (reroute->low == NULL || is_within(point, *reroute->low, *reroute->high));
}

/// The cost of a chain of points if it is below `limit`; else a lower bound of it that is not. Lengths alone
/// give the first bound; then segments are priced one by one, short ones first: they are cheap to price, and
/// walls are as close to them.
static double chain_cost(vni_reroute* r, const vn_point* points, uint32_t count, double limit) {
    VNI_ASSERT(count >= 2 && count <= VNI_REROUTE_MOST + 2);

    double least[VNI_REROUTE_MOST + 1], bound = 0;
    for (uint32_t i = 0; i + 1 < count; ++i)
        bound += least[i] = vni_steps_between(points[i], points[i + 1]) * r->cost->least;

    for (uint32_t done = 0; done + 1 < count && bound < limit; ++done) {
        uint32_t shortest = 0;
        for (uint32_t i = 1; i + 1 < count; ++i)
            if (least[i] >= 0 && (least[shortest] < 0 || least[i] < least[shortest]))
                shortest = i;
        bound += known_cost(r, points[shortest], points[shortest + 1]) - least[shortest];
        least[shortest] = -1;
    }

    return bound;
}

/// The chain is free, its inner points may be vertices, and it costs less than `*cost`, which becomes its
/// cost. Cheap tests come first.
static bool is_better(vni_reroute* r, const vn_point* chain, uint32_t count, double* cost) {
    for (uint32_t i = 1; i + 1 < count; ++i)
        if (!vni_reroute_allows(r, chain[i]) || !vni_point_is_plain(r->occupancy, chain[i]))
            return false;

    for (uint32_t i = 0; i + 1 < count; ++i)
        if (!vni_sight(r->occupancy, chain[i], chain[i + 1]))
            return false;

    double now = chain_cost(r, chain, count, *cost);
    if (!(now < *cost))
        return false;

    *cost = now;
    return true;
}

static void exchange(vni_reroute* r, uint32_t first, uint32_t last, const vn_point* vertices,
                     uint32_t count) {
    uint32_t after = first + count;
    VNI_ASSERT(first >= 1 && first <= last && last < r->count && r->count - last + after <= r->capacity);

    if (after > last)
        for (uint32_t i = r->count; i-- > last;)
            r->points[i + (after - last)] = r->points[i];
    else
        for (uint32_t i = last; i < r->count; ++i)
            r->points[i - (last - after)] = r->points[i];

    r->count = r->count - last + after;
    for (uint32_t i = 0; i < count; ++i)
        r->points[first + i] = vertices[i];
}

/// `out` gets a, the vertices and b. Returns how many.
static uint32_t make_chain(vn_point a, const vn_point* vertices, uint32_t count, vn_point b, vn_point* out) {
    VNI_ASSERT(count <= VNI_REROUTE_MOST);
    out[0] = a;
    for (uint32_t i = 0; i < count; ++i)
        out[i + 1] = vertices[i];
    out[count + 1] = b;
    return count + 2;
}

bool vni_reroute_replace(vni_reroute* reroute, uint32_t first, uint32_t last, const vn_point* vertices,
                         uint32_t count, double* cost) {
    VNI_ASSERT(first >= 1 && first <= last && last < reroute->count);

    vn_point chain[VNI_REROUTE_MOST + 2];
    double before = *cost;
    if (reroute->count - (last - first) + count > reroute->capacity)
        return false;

    uint32_t chained = make_chain(reroute->points[first - 1], vertices, count, reroute->points[last], chain);
    if (!is_better(reroute, chain, chained, cost))
        return false;

    reroute->gained += before - *cost;
    exchange(reroute, first, last, vertices, count);
    return true;
}

bool vni_reroute_drop(vni_reroute* reroute, uint32_t vertex, double loss) {
    VNI_ASSERT(loss >= 0);
    // Half of the gain at most, so that a series of drops never uses up all of it: the pass as a whole stays
    // a gain.
    loss = loss < 0.5 * reroute->gained ? loss : 0.5 * reroute->gained;
    double cost = vni_reroute_corner_cost(reroute, vertex) + loss;
    if (!vni_reroute_replace(reroute, vertex, vertex + 1, NULL, 0, &cost))
        return false;

    reroute->gained -= loss;
    return true;
}

// ------------------------------------------------------------------------------------------------- stretches

/// The point `along` voxels along the segment from a to b.
static vn_point point_along(vn_point a, vn_point b, double along) {
    vni_vec from = vni_v_of_point(a), chord = vni_sub(vni_v_of_point(b), from);
    return vni_point_of_v(vni_add_scaled(from, chord, vni_voxels_to_steps(along) / vni_length(chord)));
}

vni_stretch vni_reroute_cut(const vni_reroute* reroute, uint32_t first, uint32_t last, double from, double to,
                            double shortest) {
    VNI_ASSERT(first >= 1 && first <= last && last < reroute->count && shortest > 0);

    const vn_point *before = reroute->points + first - 1, *behind = reroute->points + last - 1;
    double length_before = vni_steps_to_voxels(vni_steps_between(before[0], before[1])),
           length_behind = vni_steps_to_voxels(vni_steps_between(behind[0], behind[1]));
    vni_stretch s = {first, last, {before[0], behind[1]}, {from > shortest, to < length_behind - shortest}};
    if (s.is_new[0])
        s.ends[0] = point_along(before[0], before[1], from < length_before ? from : length_before);

    if (s.is_new[1])
        s.ends[1] = point_along(behind[0], behind[1], to > 0 ? to : 0);

    return s;
}

uint32_t vni_reroute_lead(vni_reroute* reroute, const vni_stretch* stretch, const vn_point* vertices,
                          uint32_t count, double margin) {
    VNI_ASSERT(count + 2 <= VNI_REROUTE_MOST && stretch->last - stretch->first <= VNI_REROUTE_MOST);

    vn_point chain[VNI_REROUTE_MOST + 2];
    const vn_point* old = reroute->points + stretch->first;
    uint32_t taken = stretch->last - stretch->first;
    uint32_t chained = make_chain(stretch->ends[0], old, taken, stretch->ends[1], chain);
    double local = vni_reroute_cost(reroute, chain, chained) - margin;
    chained = make_chain(stretch->ends[0], vertices, count, stretch->ends[1], chain);

    if (!is_better(reroute, chain, chained, &local))
        return 0;
    double cost = vni_reroute_cost(reroute, old - 1, taken + 2);
    uint32_t begin = stretch->is_new[0] ? 0 : 1, end = stretch->is_new[1] ? chained : chained - 1;
    if (!vni_reroute_replace(reroute, stretch->first, stretch->last, chain + begin, end - begin, &cost))
        return 0;

    return stretch->first + (end - begin) + (stretch->is_new[1] ? 0 : 1);
}
