/// path/segment_voxels.c: a segment against a set of voxels.
///
/// Bricks sorted by Morton key (Morton 1966) are an octree without nodes: the bricks of an octant are
/// neighbours in the array. The walk descends, nearest octant first, and skips what lies beyond the limit.
///
///     key:   ... zyx zyx zyx      one digit of three bits for each level
///                |   octant among its eight siblings
///                octants of this level share all digits to the left
#include "base/assert.h"
#include "path/segment.h"

/// Levels of brick octants: 2^20 voxels are 2^18 bricks. Each level leaves at most seven octants waiting.
#define LEVELS  18
#define WAITING (7 * LEVELS + 8)

/// The bricks [first, last) are those within 2^level bricks from (x, y, z).
typedef struct octant {
    uint32_t first, last, level;
    int32_t x, y, z;
    double at_least; ///< distance to the segment
} octant;

typedef struct brick_visit {
    const vni_segment* segment;
    const vni_voxels* set;
    double limit; ///< bricks farther than this are left out; may shrink
    double depth; ///< for entering
    vni_nearest found;
} brick_visit;

typedef void visit_voxel(brick_visit* visit, int32_t x, int32_t y, int32_t z);

/// Low corner of a voxel, metres.
static vni_vec corner(const vni_voxels* set, int32_t x, int32_t y, int32_t z) {
    double size = (double)set->size;
    return vni_v((double)set->low.x + x * size, (double)set->low.y + y * size, (double)set->low.z + z * size);
}

static double octant_at_least(const brick_visit* visit, const octant* o) {
    int32_t width = (int32_t)(4u << o->level);
    vni_vec min = corner(visit->set, 4 * o->x, 4 * o->y, 4 * o->z);
    vni_vec max = corner(visit->set, 4 * o->x + width, 4 * o->y + width, 4 * o->z + width);
    return vni_segment_box_at_least(visit->segment, min, max, visit->limit);
}

/// First brick of [first, last) whose key is at least `key`; last if there is none.
static uint32_t find_key(const vni_voxels* set, uint32_t first, uint32_t last, uint64_t key) {
    while (first < last) {
        uint32_t middle = first + (last - first) / 2;
        if (set->bricks[middle].key < key)
            first = middle + 1;
        else
            last = middle;
    }

    return first;
}

/// Puts the children within the limit on the stack, the nearest on top.
static uint32_t push_children(const brick_visit* visit, const octant* parent, octant* stack, uint32_t count) {
    const uint32_t bottom = count, level = parent->level - 1, shift = 3 * level;
    const uint64_t base = visit->set->bricks[parent->first].key >> (shift + 3) << (shift + 3);
    uint32_t first = parent->first;
    for (uint32_t k = 0; k < 8 && first < parent->last; ++k) {
        uint32_t last = find_key(visit->set, first, parent->last, base + ((uint64_t)(k + 1) << shift));
        octant child = {first,
                        last,
                        level,
                        parent->x + (int32_t)((k & 1) << level),
                        parent->y + (int32_t)((k >> 1 & 1) << level),
                        parent->z + (int32_t)((k >> 2) << level),
                        0.0};
        first = last;

        if (child.first == child.last)
            continue;
        child.at_least = octant_at_least(visit, &child);
        if (child.at_least > visit->limit)
            continue;

        VNI_ASSERT(count < WAITING);

        uint32_t i = count++;
        for (; i > bottom && stack[i - 1].at_least < child.at_least; --i)
            stack[i] = stack[i - 1];

        stack[i] = child;
    }

    return count;
}

static void visit_brick(brick_visit* visit, const octant* o, visit_voxel* voxel) {
    uint64_t bits = visit->set->bricks[o->first].bits;
    for (int32_t bit = 0; bit < 64; ++bit) {
        if (bits >> bit & 1)
            voxel(visit, 4 * o->x + (bit & 3), 4 * o->y + (bit >> 2 & 3), 4 * o->z + (bit >> 4));
    }
}

static void visit_bricks(brick_visit* visit, visit_voxel* voxel) {
    octant stack[WAITING];
    uint32_t count = 0;
    octant root = {0, visit->set->brick_count, LEVELS, 0, 0, 0, 0.0};
    if (root.last != 0)
        stack[count++] = root;

    while (count > 0) {
        octant o = stack[--count];
        VNI_ASSERT(o.first < o.last);
        if (o.at_least > visit->limit)
            continue;

        if (o.level == 0)
            visit_brick(visit, &o, voxel);
        else
            count = push_children(visit, &o, stack, count);
    }
}

static void measure_voxel(brick_visit* visit, int32_t x, int32_t y, int32_t z) {
    vni_vec min = corner(visit->set, x, y, z), max = corner(visit->set, x + 1, y + 1, z + 1);
    if (vni_segment_box_at_least(visit->segment, min, max, visit->limit) > visit->limit)
        return;
    visit->found = vni_nearer(visit->found, vni_segment_box(visit->segment, min, max));
    if (visit->found.distance < visit->limit)
        visit->limit = visit->found.distance;
}

vni_nearest vni_segment_voxels(const vni_segment* segment, const vni_voxels* voxels, double limit) {
    brick_visit visit = {segment, voxels, limit, 0.0, {(double)INFINITY, 0.0}};
    visit_bricks(&visit, measure_voxel);
    return visit.found;
}

static bool is_blocked(const vni_voxels* set, int32_t x, int32_t y, int32_t z) {
    VNI_ASSERT(x >= 0 && y >= 0 && z >= 0);

    uint64_t key = 0;
    for (uint32_t i = 0; i <= LEVELS; ++i) {
        uint64_t digit = ((uint64_t)x >> (i + 2) & 1) | ((uint64_t)y >> (i + 2) & 1) << 1 |
                         ((uint64_t)z >> (i + 2) & 1) << 2;
        key |= digit << (3 * i);
    }

    uint32_t index = find_key(set, 0, set->brick_count, key);
    if (index == set->brick_count || set->bricks[index].key != key)
        return false;

    return set->bricks[index].bits >> ((x & 3) | (y & 3) << 2 | (z & 3) << 4) & 1;
}

/// Are all voxels blocked that a part spans: voxel (x, y, z) and its upper neighbours on the axes whose bit
/// is set in `part`?
static bool part_is_blocked(const vni_voxels* set, int32_t x, int32_t y, int32_t z, uint32_t part) {
    for (uint32_t k = 1; k < 8; ++k) {
        bool spanned = (k & ~part) == 0;
        if (spanned &&
            !is_blocked(set, x + (int32_t)(k & 1), y + (int32_t)(k >> 1 & 1), z + (int32_t)(k >> 2)))
            return false;
    }

    return true;
}

/// A range of one axis of a part: the voxel without a border of `depth`, or the border zone between it and
/// its upper neighbour.
static void part_range(double low, double high, double depth, bool border, double* begin, double* end) {
    *begin = border ? high - depth : low + depth;
    *end = border ? high + depth : high - depth;
}

/// The union of the voxels, eroded by `depth` on all axes, consists of eight kinds of parts: what is left of
/// each voxel, and the zones around the faces, edges and corners between voxels that are all blocked. Each
/// part is tested from its lowest voxel:
///
///     +-----+-----+
///     |  A :|: B  |    A, B: voxels without their borders (part 0 of each)
///     +-----+-----+    :|:   the zone around their face (part 1 of A), if both are blocked
static void enter_voxel(brick_visit* visit, int32_t x, int32_t y, int32_t z) {
    vni_vec low = corner(visit->set, x, y, z), high = corner(visit->set, x + 1, y + 1, z + 1);
    if (vni_segment_box_at_least(visit->segment, low, high, visit->limit) > visit->limit)
        return;

    for (uint32_t part = 0; part < 8; ++part) {
        vni_vec min, max;
        double at;
        part_range(low.x, high.x, visit->depth, part & 1, &min.x, &max.x);
        part_range(low.y, high.y, visit->depth, part & 2, &min.y, &max.y);
        part_range(low.z, high.z, visit->depth, part & 4, &min.z, &max.z);

        if (!vni_segment_meets_box(visit->segment, min, max, &at) ||
            !part_is_blocked(visit->set, x, y, z, part))
            continue;
        vni_nearest entry = {0.0, at};
        visit->found = vni_nearer(visit->found, entry);
    }
}

bool vni_segment_enters_voxels(const vni_segment* segment, const vni_voxels* voxels, double depth,
                               double* at) {
    VNI_ASSERT(depth >= 0.0);
    brick_visit visit = {segment, voxels, 2.0 * depth, depth, {(double)INFINITY, 0.0}};
    visit_bricks(&visit, enter_voxel);
    if (visit.found.distance > 0.0)
        return false;

    *at = visit.found.at;
    return true;
}
