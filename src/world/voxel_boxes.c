/// world/voxel_boxes.c: turns boxes of voxels into 4x4x4 bricks in Morton order, without listing voxels.
///
/// An octree walk, children in Morton order. A cube that no box meets is skipped; one that a box covers is a
/// run of full bricks with consecutive keys; any other is divided, down to single bricks. Bricks come out
/// sorted and merged. Two walks: one counts, one writes.
#include "base/alloc.h"
#include "base/assert.h"
#include "base/bits.h"
#include "base/fail.h"
#include "geom/morton.h"
#include "world/build.h"

/// An entry of a cube's list of boxes: the box's index, above 8 bits for the cube's children that it meets.
#define CHILDREN 8

/// A cube of 2^level bricks.
typedef struct cube {
    int32_t low[3]; ///< voxels
    uint32_t level;
} cube;

typedef struct walk {
    const vn_allocator* allocator;
    const vn_voxel_box* boxes;
    uint64_t* held; ///< stack: the lists of the cubes from the root down to the current one
    uint64_t capacity;
    vni_voxel_brick* out; ///< null: only count
    uint64_t count;
    vn_status failure;
} walk;

static bool is_empty(const vn_voxel_box* box) {
    return box->high.x <= box->low.x || box->high.y <= box->low.y || box->high.z <= box->low.z;
}

static int32_t edge_of(uint32_t level) {
    VNI_ASSERT(level <= 18);
    return 4 << level;
}

static uint64_t key_of(const cube* c) {
    return vni_morton_encode((uint32_t)c->low[0] >> 2, (uint32_t)c->low[1] >> 2, (uint32_t)c->low[2] >> 2);
}

static bool covers(const vn_voxel_box* box, const cube* c) {
    int32_t edge = edge_of(c->level);
    return box->low.x <= c->low[0] && box->low.y <= c->low[1] && box->low.z <= c->low[2] &&
           box->high.x >= c->low[0] + edge && box->high.y >= c->low[1] + edge &&
           box->high.z >= c->low[2] + edge;
}

// ------------------------------------------------------------------------------------------------ writing

/// Emits bricks with consecutive keys and the same bits. False if there are too many.
static bool emit(walk* w, uint64_t key, uint64_t bricks, uint64_t bits) {
    VNI_ASSERT(bits != 0);
    for (uint64_t i = 0; w->out != NULL && i < bricks; ++i)
        w->out[w->count + i] = (vni_voxel_brick){key + i, bits};

    w->count += bricks;
    if (w->count > UINT32_MAX)
        w->failure = VN_TOO_LARGE;
    return w->failure == VN_OK;
}

/// Clips [low, high) to the brick that begins at `from`: first and last voxel in it.
static void cut(int32_t low, int32_t high, int32_t from, int32_t out[2]) {
    out[0] = low > from ? low - from : 0;
    out[1] = high < from + 4 ? high - from - 1 : 3;
}

/// Emits one brick, which all boxes of the list meet.
static bool emit_brick(walk* w, const cube* c, uint64_t first, uint64_t last) {
    uint64_t bits = 0;
    for (uint64_t i = first; i < last; ++i) {
        const vn_voxel_box* box = &w->boxes[w->held[i] >> CHILDREN];
        int32_t x[2], y[2], z[2];
        cut(box->low.x, box->high.x, c->low[0], x);
        cut(box->low.y, box->high.y, c->low[1], y);
        cut(box->low.z, box->high.z, c->low[2], z);
        bits |= vni_brick_span(x[0], x[1], y[0], y[1], z[0], z[1]);
    }

    return emit(w, key_of(c), 1, bits);
}

// ----------------------------------------------------------------------------------------------- dividing

/// The children, bit x + 2 y + 4 z, of a cube divided at `middle` that a box meets. The box meets the cube,
/// so one comparison per half suffices. 0x55, 0x33, 0x0f: the children on the low side of x, y, z.
static uint64_t children_met(const vn_voxel_box* box, const int32_t middle[3]) {
    uint32_t x = (box->low.x < middle[0] ? 0x55u : 0) | (box->high.x > middle[0] ? 0xaau : 0);
    uint32_t y = (box->low.y < middle[1] ? 0x33u : 0) | (box->high.y > middle[1] ? 0xccu : 0);
    uint32_t z = (box->low.z < middle[2] ? 0x0fu : 0) | (box->high.z > middle[2] ? 0xf0u : 0);
    return x & y & z;
}

/// Pushes the child's list: the boxes of [first, last) that meet the child, up to `*end`. True if one of them
/// covers the child: then the list is not complete, nor needed.
static bool list_child(walk* w, const cube* c, uint32_t child, uint64_t first, uint64_t last, uint64_t* end) {
    *end = last;
    for (uint64_t i = first; i < last; ++i) {
        uint64_t box = w->held[i] >> CHILDREN;
        if (!(w->held[i] >> child & 1))
            continue;
        if (covers(&w->boxes[box], c))
            return true;

        if (*end == w->capacity &&
            !vni_grow(w->allocator, &w->held, &w->capacity, *end + 1, sizeof *w->held)) {
            w->failure = VN_OUT_OF_MEMORY;
            return false;
        }

        w->held[(*end)++] = box << CHILDREN;
    }

    return false;
}

/// Emits the bricks of a cube that the boxes held[first, last) meet and none covers. Recursion of at most 18.
/// False after a failure.
static bool divide(walk* w, const cube* c, uint64_t first, uint64_t last) {
    if (c->level == 0)
        return emit_brick(w, c, first, last);
    int32_t half = edge_of(c->level - 1);
    const int32_t middle[3] = {c->low[0] + half, c->low[1] + half, c->low[2] + half};
    // Once per box and cube, not once per child.
    for (uint64_t i = first; i < last; ++i)
        w->held[i] |= children_met(&w->boxes[w->held[i] >> CHILDREN], middle);

    for (uint32_t child = 0; child < CHILDREN; ++child) {
        cube part = {.level = c->level - 1};
        for (uint32_t axis = 0; axis < 3; ++axis)
            part.low[axis] = child >> axis & 1 ? middle[axis] : c->low[axis];

        uint64_t end;
        if (list_child(w, &part, child, first, last, &end))
            emit(w, key_of(&part), (uint64_t)1 << 3 * part.level, ~(uint64_t)0);
        else if (w->failure == VN_OK && end > last)
            divide(w, &part, last, end);

        if (w->failure != VN_OK)
            return false;
    }

    return true;
}

/// Walks from the smallest cube that holds the dims.
static bool walk_all(walk* w, const vn_voxel_box* boxes, uint64_t count, vn_voxel dims) {
    cube root = {.level = 1};
    while (edge_of(root.level) < dims.x || edge_of(root.level) < dims.y || edge_of(root.level) < dims.z)
        ++root.level;

    uint64_t held = 0;
    for (uint64_t i = 0; i < count; ++i)
        if (!is_empty(&boxes[i]))
            w->held[held++] = i << CHILDREN;

    w->count = 0;
    for (uint64_t i = 0; i < held; ++i)
        if (covers(&boxes[w->held[i] >> CHILDREN], &root))
            return emit(w, 0, (uint64_t)1 << 3 * root.level, ~(uint64_t)0);

    return held == 0 || divide(w, &root, 0, held);
}

// ------------------------------------------------------------------------------------------------- checking

static uint64_t bricks_along(int32_t low, int32_t high) {
    return (uint64_t)((high + 3) >> 2) - (uint64_t)(low >> 2);
}

/// Checks that boxes lie within the dims and none is too large; `*used` of them are not empty.
static vn_status check_boxes(const vn_voxel_box* boxes, uint64_t count, vn_voxel dims, uint64_t* used,
                             vn_detail* detail) {
    *used = 0;
    for (uint64_t i = 0; i < count; ++i) {
        vn_voxel low = boxes[i].low, high = boxes[i].high;
        if (is_empty(&boxes[i]))
            continue;

        if (low.x < 0 || low.y < 0 || low.z < 0 || high.x > dims.x || high.y > dims.y || high.z > dims.z)
            return vni_fail_index(
                detail, VN_BAD_DATA, i,
                "box %llu of voxels, (%d, %d, %d) to (%d, %d, %d), reaches outside the dims %d x %d x %d",
                (unsigned long long)i, (int)low.x, (int)low.y, (int)low.z, (int)high.x, (int)high.y,
                (int)high.z, (int)dims.x, (int)dims.y, (int)dims.z);

        uint64_t bricks =
            bricks_along(low.x, high.x) * bricks_along(low.y, high.y) * bricks_along(low.z, high.z);
        if (bricks > UINT32_MAX)
            return vni_fail_index(detail, VN_TOO_LARGE, i,
                                  "box %llu of voxels has %llu bricks of 4x4x4, and %u are possible: use "
                                  "larger voxels, or a box shape",
                                  (unsigned long long)i, (unsigned long long)bricks, (unsigned)UINT32_MAX);

        ++*used;
    }

    return VN_OK;
}

static vn_status say(vn_detail* detail, vn_status status, uint64_t bricks) {
    if (status == VN_TOO_LARGE)
        return vni_fail(detail, status,
                        "voxels: the boxes have more than %u bricks of 4x4x4; use larger voxels, or split "
                        "the set",
                        (unsigned)UINT32_MAX);

    return vni_fail(detail, status, "no memory for the boxes of a voxel set (%llu bricks of 16 bytes)",
                    (unsigned long long)bricks);
}

vn_status vni_voxel_boxes_make(const vn_allocator* allocator, const vn_voxel_box* boxes, uint64_t count,
                               vn_voxel dims, vni_voxel_brick** bricks, uint32_t* brick_count,
                               vn_detail* detail) {
    VNI_ASSERT(boxes != NULL || count == 0);
    VNI_ASSERT(dims.x > 0 && dims.y > 0 && dims.z > 0);

    *bricks = NULL;
    *brick_count = 0;
    walk w = {.allocator = allocator, .boxes = boxes};
    vn_status status = check_boxes(boxes, count, dims, &w.capacity, detail);
    if (status != VN_OK || w.capacity == 0)
        return status;

    w.held = VNI_NEW_ARRAY(allocator, uint64_t, w.capacity);
    if (w.held == NULL)
        return say(detail, VN_OUT_OF_MEMORY, 0);

    // First walk: counts. Second walk: writes, in the same order.
    if (walk_all(&w, boxes, count, dims)) {
        *brick_count = (uint32_t)w.count;
        w.out = VNI_NEW_ARRAY(allocator, vni_voxel_brick, w.count);
        w.failure = w.out != NULL ? VN_OK : VN_OUT_OF_MEMORY;
    }

    if (w.failure == VN_OK && !walk_all(&w, boxes, count, dims))
        VNI_DELETE_ARRAY(allocator, w.out, *brick_count);

    VNI_DELETE_ARRAY(allocator, w.held, w.capacity);
    if (w.failure != VN_OK)
        return say(detail, w.failure, *brick_count);

    VNI_ASSERT(w.count == *brick_count);

    *bricks = w.out;
    return VN_OK;
}
