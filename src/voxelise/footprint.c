/// voxelise/footprint.c: stamps one obstacle block by block and collects the bricks.
#include "voxelise/footprint.h"

#include "base/alloc.h"
#include "voxelise/fill.h"
#include "voxelise/stamp.h"
#include <string.h>

/// Growth of the bounds, voxels: far above rounding and slack, so that no voxel is missed.
#define EDGE 0.01

struct vni_footprint_scratch {
    uint64_t dense[VNI_BLOCK_BRICKS]; ///< all zero between calls
    uint64_t rows[VNI_BLOCK_BRICKS];
    vni_reach reach;
    double reach_radius;         ///< voxels, of `reach`; < 0: none
    vni_vec* vertices;           ///< of a hull, in voxel units
    vni_footprint_brick* bricks; ///< collected so far
    uint64_t vertex_capacity, brick_capacity;
    uint32_t count;
};

/// One footprint while it is made.
typedef struct footprint_job {
    const vni_obstacle* obstacle;
    const vni_frame* frame;
    const vn_allocator* allocator;
    vni_footprint_scratch* scratch;
    double radius;           ///< voxels
    int32_t low[3], high[3]; ///< voxels [low, high) that may be stamped, within the blocks
    int32_t dims[3];
    vni_stamp stamp;    ///< of volumes
    vni_inside* inside; ///< of a solid mesh
} footprint_job;

void vni_footprint_free(const vn_allocator* allocator, vni_footprint* footprint) {
    VNI_DELETE_ARRAY(allocator, footprint->bricks, footprint->capacity);
    *footprint = (vni_footprint){0};
}

vni_footprint_scratch* vni_footprint_scratch_make(const vn_allocator* allocator) {
    vni_footprint_scratch* scratch = VNI_NEW(allocator, vni_footprint_scratch);
    if (scratch != NULL)
        scratch->reach_radius = -1;
    return scratch;
}

void vni_footprint_scratch_free(const vn_allocator* allocator, vni_footprint_scratch* scratch) {
    if (scratch == NULL)
        return;
    VNI_DELETE_ARRAY(allocator, scratch->vertices, scratch->vertex_capacity);
    VNI_DELETE_ARRAY(allocator, scratch->bricks, scratch->brick_capacity);
    VNI_DELETE(allocator, scratch);
}

// ----------------------------------------------------------------------------------------------- one block

typedef struct triangle_job {
    const footprint_job* p;
    const vni_window* window;
} triangle_job;

static bool stamp_triangle(void* user, uint32_t index) {
    const triangle_job* job = user;
    const vni_frame* frame = job->p->frame;
    vni_triangle t = vni_mesh_triangle(&job->p->obstacle->as.mesh, index);
    vni_triangle moved = {vni_to_frame(frame, t.a), vni_to_frame(frame, t.b), vni_to_frame(frame, t.c)};
    vni_stamp stamp = vni_stamp_of_triangle(&moved);
    vni_stamp_shape(&stamp, job->p->radius, job->window);

    return true;
}

static void stamp_mesh(const footprint_job* p, const vni_window* window) {
    const int32_t* low = window->low;
    if (p->inside != NULL)
        vni_inside_mark(p->inside, low[0] >> VNI_BLOCK_SHIFT, low[1] >> VNI_BLOCK_SHIFT,
                        low[2] >> VNI_BLOCK_SHIFT, window->dense);

    triangle_job job = {p, window};
    vn_box box = vni_window_box(window, p->frame, p->radius);
    vni_mesh_query(&p->obstacle->as.mesh, &box, stamp_triangle, &job);
}

static void stamp_block(const footprint_job* p, const vni_window* window) {
    vni_footprint_scratch* scratch = p->scratch;
    switch (p->obstacle->info.kind) {
    case VN_SHAPE_MESH: stamp_mesh(p, window); break;
    case VN_SHAPE_VOXELS:
        vni_stamp_set(&p->obstacle->as.voxels, p->frame, p->radius, &scratch->reach, window, scratch->rows);
        break;
    default: vni_stamp_shape(&p->stamp, p->radius, window);
    }
}

/// Makes capacity for the bricks of the span [low, high) of one block.
static bool reserve_bricks(const footprint_job* p, const int32_t low[3], const int32_t high[3]) {
    vni_footprint_scratch* scratch = p->scratch;
    uint64_t need = 1;
    for (int i = 0; i < 3; ++i)
        need *= (uint64_t)(((high[i] - 1) >> 2) - (low[i] >> 2) + 1);

    need += scratch->count;
    return need <= scratch->brick_capacity ||
           (need <= UINT32_MAX && vni_grow(p->allocator, &scratch->bricks, &scratch->brick_capacity, need,
                                           sizeof *scratch->bricks));
}

/// Moves the bricks of one chunk's part [low, high) from the dense words to the list, in their order, and
/// clears them: only what was stamped is cleared, not the whole block.
static void collect_chunk(const footprint_job* p, uint32_t block, const int32_t low[3],
                          const int32_t high[3]) {
    vni_footprint_scratch* scratch = p->scratch;
    for (int32_t z = low[2] & -4; z < high[2]; z += 4)
        for (int32_t y = low[1] & -4; y < high[1]; y += 4)
            for (int32_t x = low[0] & -4; x < high[0]; x += 4) {
                uint32_t brick = vni_dense_index(x, y, z);
                uint64_t bits = scratch->dense[brick] & vni_brick_within(p->dims, x, y, z);
                scratch->dense[brick] = 0;
                VNI_ASSERT(scratch->count < scratch->brick_capacity);
                if (bits)
                    scratch->bricks[scratch->count++] = (vni_footprint_brick){block, brick, bits};
            }
}

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static void collect_block(const footprint_job* p, uint32_t block, const int32_t low[3],
                          const int32_t high[3]) {
    for (int32_t z = low[2] & -16; z < high[2]; z += 16)
        for (int32_t y = low[1] & -16; y < high[1]; y += 16)
            for (int32_t x = low[0] & -16; x < high[0]; x += 16) {
                int32_t from[3] = {larger(low[0], x), larger(low[1], y), larger(low[2], z)};
                int32_t to[3] = {smaller(high[0], x + 16), smaller(high[1], y + 16),
                                 smaller(high[2], z + 16)};
                collect_chunk(p, block, from, to);
            }
}

static bool add_block(const footprint_job* p, int32_t bx, int32_t by, int32_t bz) {
    const int32_t corner[3] = {bx << VNI_BLOCK_SHIFT, by << VNI_BLOCK_SHIFT, bz << VNI_BLOCK_SHIFT};
    int32_t low[3], high[3], blocks[3];
    vni_window window = {.dense = p->scratch->dense};
    for (int i = 0; i < 3; ++i) {
        blocks[i] = vni_blocks_along(p->dims[i]);
        window.low[i] = corner[i];
        window.high[i] = smaller(corner[i] + VNI_BLOCK_SIZE, p->dims[i]);
        low[i] = larger(p->low[i], window.low[i]);
        high[i] = smaller(p->high[i], corner[i] + VNI_BLOCK_SIZE);
        VNI_ASSERT(low[i] < high[i]);
    }

    // Capacity first: once stamped, the dense words must be collected to be clear again.
    if (!reserve_bricks(p, low, high))
        return false;
    stamp_block(p, &window);
    collect_block(p, vni_block_index(blocks, bx, by, bz), low, high);

    return true;
}

// ------------------------------------------------------------------------------------------------ the whole

/// The voxels that may be stamped, up to the end of the last block: voxel sets set some beyond the
/// dimensions. False if there are none.
static bool find_range(footprint_job* p) {
    const vn_box* box = &p->obstacle->info.bounds;
    vni_vec min = vni_to_frame(p->frame, vni_v_from(box->min));
    vni_vec max = vni_to_frame(p->frame, vni_v_from(box->max));
    const double low[3] = {min.x, min.y, min.z}, high[3] = {max.x, max.y, max.z};
    for (int i = 0; i < 3; ++i) {
        double first = low[i] - p->radius - EDGE, last = high[i] + p->radius + EDGE;
        if (last < 0 || first >= p->dims[i])
            return false;

        p->low[i] = first > 0 ? (int32_t)first : 0;
        // Up to the end of the last block, not of the dimensions: what is stamped there must be cleared too.
        int32_t end = vni_blocks_along(p->dims[i]) << VNI_BLOCK_SHIFT;
        p->high[i] = last < end ? (int32_t)last + 1 : end;
        VNI_ASSERT(p->low[i] < p->high[i]);
    }

    return true;
}

static void prepare_reach(vni_footprint_scratch* scratch, double radius) {
    if (scratch->reach_radius == radius)
        return;
    vni_reach_make(radius, &scratch->reach);
    scratch->reach_radius = radius;
}

/// Prepares the obstacle for stamping.
static vn_status prepare(footprint_job* p) {
    vni_footprint_scratch* scratch = p->scratch;
    const vni_obstacle* o = p->obstacle;
    switch (o->info.kind) {
    case VN_SHAPE_MESH:
        return o->as.mesh.solid ? vni_inside_make(p->allocator, &o->as.mesh, p->frame, p->dims, &p->inside)
                                : VN_OK;
    case VN_SHAPE_VOXELS: prepare_reach(scratch, p->radius); return VN_OK;
    case VN_SHAPE_HULL:
        if (o->as.hull.vertex_count > scratch->vertex_capacity &&
            !vni_grow(p->allocator, &scratch->vertices, &scratch->vertex_capacity, o->as.hull.vertex_count,
                      sizeof *scratch->vertices))
            return VN_OUT_OF_MEMORY;
        vni_hull_to_frame(&o->as.hull, vni_frame_low(p->frame), 1.0 / p->frame->size, scratch->vertices);
        break;
    default: break;
    }
    p->stamp = vni_stamp_of_obstacle(o, p->frame, scratch->vertices);
    return VN_OK;
}

static vn_status add_blocks(const footprint_job* p) {
    for (int32_t bz = p->low[2] >> VNI_BLOCK_SHIFT; bz <= (p->high[2] - 1) >> VNI_BLOCK_SHIFT; ++bz)
        for (int32_t by = p->low[1] >> VNI_BLOCK_SHIFT; by <= (p->high[1] - 1) >> VNI_BLOCK_SHIFT; ++by)
            for (int32_t bx = p->low[0] >> VNI_BLOCK_SHIFT; bx <= (p->high[0] - 1) >> VNI_BLOCK_SHIFT; ++bx)
                if (!add_block(p, bx, by, bz))
                    return VN_OUT_OF_MEMORY;
    return VN_OK;
}

/// Copies the list to `out`, whose capacity grows by doubling.
static vn_status hand_over(const vn_allocator* allocator, const vni_footprint_scratch* scratch,
                           vni_footprint* out) {
    if (scratch->count > out->capacity) {
        uint64_t capacity = 2 * (uint64_t)out->capacity;
        capacity = capacity < scratch->count ? scratch->count : capacity;
        capacity = capacity > UINT32_MAX ? UINT32_MAX : capacity;
        vni_footprint_brick* bricks = VNI_NEW_ARRAY(allocator, vni_footprint_brick, capacity);
        if (bricks == NULL)
            return VN_OUT_OF_MEMORY;

        VNI_DELETE_ARRAY(allocator, out->bricks, out->capacity);
        out->bricks = bricks;
        out->capacity = (uint32_t)capacity;
    }

    VNI_ASSERT(scratch->count <= out->capacity);

    if (scratch->count > 0)
        memcpy(out->bricks, scratch->bricks, scratch->count * sizeof *out->bricks);

    out->count = scratch->count;
    return VN_OK;
}

vn_status vni_footprint_of(const vni_obstacle* obstacle, const vni_frame* frame, double radius,
                           const int32_t dims[3], const vn_allocator* allocator,
                           vni_footprint_scratch* scratch, vni_footprint* out) {
    VNI_ASSERT(obstacle->alive && frame->size > 0 && radius >= 0);
    VNI_ASSERT(dims[0] > 0 && dims[1] > 0 && dims[2] > 0);

    footprint_job p = {.obstacle = obstacle, .frame = frame, .allocator = allocator, .scratch = scratch};
    p.radius = radius / frame->size;
    memcpy(p.dims, dims, sizeof p.dims);
    scratch->count = 0;

    vn_status status = VN_OK;
    if (find_range(&p)) {
        status = prepare(&p);
        if (status == VN_OK)
            status = add_blocks(&p);
        vni_inside_free(allocator, p.inside);
    }

    return status == VN_OK ? hand_over(allocator, scratch, out) : status;
}
