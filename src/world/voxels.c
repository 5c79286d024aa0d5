/// world/voxels.c: sorts voxels, listed or in boxes, into 4x4x4 bricks in Morton order without duplicates.
#include "base/alloc.h"
#include "base/assert.h"
#include "base/bits.h"
#include "base/fail.h"
#include "geom/morton.h"
#include "world/build.h"
#include "world/radix.h"

/// A voxel as one number: the Morton key of its brick above the 6 bits of its index in the brick. Sorted, the
/// voxels of a brick are neighbours.
#define INDEX_BITS 6

static uint64_t code_of(vn_voxel v) {
    uint64_t key = vni_morton_encode((uint32_t)v.x >> 2, (uint32_t)v.y >> 2, (uint32_t)v.z >> 2);
    uint64_t index = (uint64_t)(v.x & 3) + 4 * (uint64_t)(v.y & 3) + 16 * (uint64_t)(v.z & 3);
    return key << INDEX_BITS | index;
}

static bool is_within(vn_voxel v, vn_voxel dims) {
    return v.x >= 0 && v.y >= 0 && v.z >= 0 && v.x < dims.x && v.y < dims.y && v.z < dims.z;
}

static vn_status check_axis(const char* axis, float low, float size, int32_t dim, vn_detail* detail) {
    if (dim < 1)
        return vni_fail(detail, VN_BAD_DATA, "voxels: dims.%s is %d; give at least 1", axis, (int)dim);
    if (dim > VNI_VOXELS_LIMIT)
        return vni_fail(detail, VN_TOO_LARGE, "voxels: dims.%s is %d; at most %d are possible", axis,
                        (int)dim, VNI_VOXELS_LIMIT);

    if (!vni_coordinate_is_valid(low))
        return vni_fail(detail, VN_BAD_DATA,
                        "voxels: low.%s is %g; it must be finite and within 1e6 metres of the origin", axis,
                        (double)low);

    double high = (double)low + (double)size * dim;
    if (high > VNI_VOXELS_LIMIT)
        return vni_fail(detail, VN_BAD_DATA,
                        "voxels: the grid ends at %g on %s; %d metres is the limit: use smaller dims or size",
                        high, axis, VNI_VOXELS_LIMIT);

    return VN_OK;
}

vn_status vni_check_grid(vn_vec3 low, float size, vn_voxel dims, vn_detail* detail) {
    if (!vni_coordinate_is_valid(size) || size <= 0)
        return vni_fail(detail, VN_BAD_DATA, "voxels: size is %g; it must be above 0 and at most 1e6 metres",
                        (double)size);

    vn_status status = check_axis("x", low.x, size, dims.x, detail);
    if (status == VN_OK)
        status = check_axis("y", low.y, size, dims.y, detail);
    if (status == VN_OK)
        status = check_axis("z", low.z, size, dims.z, detail);

    return status;
}

/// Codes of all voxels; `*width` becomes the number of bits in use. The first voxel outside is an error.
static vn_status encode(const vn_shape* shape, uint64_t* codes, uint32_t* width, vn_detail* detail) {
    const vn_voxel* voxels = shape->as.voxels.voxels;
    vn_voxel dims = shape->as.voxels.dims;
    uint64_t used = 1;
    for (uint64_t i = 0; i < shape->as.voxels.voxel_count; ++i) {
        vn_voxel v = voxels[i];
        if (!is_within(v, dims))
            return vni_fail_index(
                detail, VN_BAD_DATA, i, "voxel %llu (%d, %d, %d) lies outside the dims %d x %d x %d",
                (unsigned long long)i, (int)v.x, (int)v.y, (int)v.z, (int)dims.x, (int)dims.y, (int)dims.z);

        codes[i] = code_of(v);
        used |= codes[i];
    }

    *width = vni_highest_bit(used) + 1;
    return VN_OK;
}

static uint64_t count_bricks(const uint64_t* codes, uint64_t count) {
    uint64_t bricks = 1;
    for (uint64_t i = 1; i < count; ++i)
        bricks += codes[i] >> INDEX_BITS != codes[i - 1] >> INDEX_BITS;
    return bricks;
}

/// Sorted codes into bricks; returns the number of distinct voxels.
static uint64_t gather(const uint64_t* codes, uint64_t count, vni_voxel_brick* bricks) {
    uint64_t distinct = 0;
    vni_voxel_brick* brick = bricks;
    for (uint64_t i = 0; i < count; ++brick) {
        brick->key = codes[i] >> INDEX_BITS;
        brick->bits = 0;
        for (; i < count && codes[i] >> INDEX_BITS == brick->key; ++i)
            brick->bits |= (uint64_t)1 << (codes[i] & 63);
        distinct += vni_popcount(brick->bits);
    }

    return distinct;
}

/// Fills `out->bricks` from the codes (scratch in two halves).
static vn_status make_bricks(const vn_allocator* allocator, uint64_t* codes, uint64_t count, uint32_t width,
                             vni_voxels* out, vn_obstacle_info* info, vn_detail* detail) {
    vni_radix_sort(codes, codes + count, count, INDEX_BITS, width < INDEX_BITS ? INDEX_BITS : width);
    uint64_t bricks = count_bricks(codes, count);
    VNI_ASSERT(bricks > 0 && bricks <= count);

    if (bricks > UINT32_MAX)
        return vni_fail(detail, VN_TOO_LARGE, "voxels: %llu bricks of 4x4x4 are too many; split the set",
                        (unsigned long long)bricks);

    out->bricks = VNI_NEW_ARRAY(allocator, vni_voxel_brick, bricks);
    if (out->bricks == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for %llu bricks of voxels",
                        (unsigned long long)bricks);

    out->brick_count = (uint32_t)bricks;
    info->voxels = gather(codes, count, out->bricks);
    info->duplicates = count - info->voxels;
    return VN_OK;
}

/// The bricks of the voxels that are listed.
static vn_status make_list(const vn_allocator* allocator, const vn_shape* shape, vni_voxels* out,
                           vn_obstacle_info* info, vn_detail* detail) {
    uint64_t count = shape->as.voxels.voxel_count;
    if (count == 0)
        return VN_OK;

    uint64_t* codes = count > UINT64_MAX / 2 ? NULL : VNI_NEW_ARRAY(allocator, uint64_t, 2 * count);
    if (codes == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to sort %llu voxels", (unsigned long long)count);

    uint32_t width = 0;
    vn_status status = encode(shape, codes, &width, detail);
    if (status == VN_OK)
        status = make_bricks(allocator, codes, count, width, out, info, detail);

    VNI_DELETE_ARRAY(allocator, codes, 2 * count);
    return status;
}

// -------------------------------------------------------------------------------------------------- boxes

/// Two sorted lists of bricks.
typedef struct pair {
    const vni_voxel_brick *a, *b;
    uint32_t a_count, b_count;
} pair;

/// Merges both lists into `out` (null: counts only); returns the number of bricks.
static uint64_t join(const pair* p, vni_voxel_brick* out) {
    uint64_t count = 0;
    for (uint32_t i = 0, k = 0; i < p->a_count || k < p->b_count; ++count) {
        uint64_t key_a = i < p->a_count ? p->a[i].key : UINT64_MAX;
        uint64_t key_b = k < p->b_count ? p->b[k].key : UINT64_MAX;
        vni_voxel_brick brick = {key_a < key_b ? key_a : key_b, 0};
        if (key_a == brick.key)
            brick.bits |= p->a[i++].bits;

        if (key_b == brick.key)
            brick.bits |= p->b[k++].bits;

        if (out != NULL)
            out[count] = brick;
    }

    return count;
}

/// Merges `bricks` into the set. Frees them in any case.
static vn_status add_bricks(const vn_allocator* allocator, vni_voxel_brick* bricks, uint32_t count,
                            vni_voxels* set, vn_detail* detail) {
    pair p = {set->bricks, bricks, set->brick_count, count};
    uint64_t joined = join(&p, NULL);
    vni_voxel_brick* both = joined > UINT32_MAX ? NULL : VNI_NEW_ARRAY(allocator, vni_voxel_brick, joined);
    if (both != NULL)
        join(&p, both);

    VNI_DELETE_ARRAY(allocator, bricks, count);
    if (joined > UINT32_MAX)
        return vni_fail(detail, VN_TOO_LARGE, "voxels: %llu bricks of 4x4x4 are too many; split the set",
                        (unsigned long long)joined);

    if (both == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for %llu bricks of voxels",
                        (unsigned long long)joined);

    VNI_DELETE_ARRAY(allocator, set->bricks, set->brick_count);
    set->bricks = both;
    set->brick_count = (uint32_t)joined;
    return VN_OK;
}

static vn_status add_boxes(const vn_allocator* allocator, const vn_shape* shape, vni_voxels* set,
                           vn_obstacle_info* info, vn_detail* detail) {
    vni_voxel_brick* bricks;
    uint32_t count;
    vn_status status = vni_voxel_boxes_make(allocator, shape->as.voxels.boxes, shape->as.voxels.box_count,
                                            set->dims, &bricks, &count, detail);
    if (status != VN_OK || count == 0)
        return status;

    if (set->brick_count > 0) {
        status = add_bricks(allocator, bricks, count, set, detail);
    } else {
        set->bricks = bricks;
        set->brick_count = count;
    }

    info->voxels = 0;
    for (uint32_t i = 0; status == VN_OK && i < set->brick_count; ++i)
        info->voxels += vni_popcount(set->bricks[i].bits);

    return status;
}

// -------------------------------------------------------------------------------------------------- sets

vn_box vni_voxels_bounds(const vni_voxels* set) {
    vni_vec low = vni_v_from(set->low);
    vni_vec dims = vni_v(set->dims.x, set->dims.y, set->dims.z);
    return vni_box_around(low, vni_add(low, vni_scale(dims, (double)set->size)));
}

static void measure(const vni_voxels* set, vn_obstacle_info* info) {
    double size = (double)set->size;
    info->bounds = vni_voxels_bounds(set);
    info->volume = (double)info->voxels * size * size * size;
}

vn_status vni_voxels_make(const vn_allocator* allocator, const vn_shape* shape, vni_voxels* out,
                          vn_obstacle_info* info, vn_detail* detail) {
    VNI_ASSERT(shape->kind == VN_SHAPE_VOXELS);
    VNI_ASSERT(shape->as.voxels.voxel_count == 0 || shape->as.voxels.voxels != NULL);

    *out = (vni_voxels){
        .low = shape->as.voxels.low, .size = shape->as.voxels.size, .dims = shape->as.voxels.dims};
    out->sensed = shape->as.voxels.sensed;
    vn_status status = vni_check_grid(out->low, out->size, out->dims, detail);
    if (status == VN_OK)
        status = make_list(allocator, shape, out, info, detail);
    if (status == VN_OK)
        status = add_boxes(allocator, shape, out, info, detail);

    out->brick_capacity = out->brick_count;
    if (status == VN_OK)
        measure(out, info);
    else
        vni_voxels_free(allocator, out);

    return status;
}

void vni_voxels_free(const vn_allocator* allocator, vni_voxels* voxels) {
    VNI_DELETE_ARRAY(allocator, voxels->bricks, voxels->brick_capacity);
    VNI_DELETE_ARRAY(allocator, voxels->edited, voxels->edited_capacity);
    *voxels = (vni_voxels){0};
}

size_t vni_voxels_bytes(const vni_voxels* voxels) {
    return (size_t)voxels->brick_capacity * sizeof *voxels->bricks +
           (size_t)voxels->edited_capacity * sizeof *voxels->edited;
}
