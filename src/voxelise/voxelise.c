/// voxelise/voxelise.c: prepares obstacles once, then stamps them into the blocks in parallel.
#include "voxelise/voxelise.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "base/jobs.h"
#include "voxelise/fill.h"
#include "voxelise/stamp.h"
#include <string.h>

/// What stamping an obstacle needs besides its record.
typedef union prepared {
    vni_vec* vertices;  ///< hull: in voxel units
    vni_inside* inside; ///< solid mesh
} prepared;

typedef struct voxeliser {
    const vn_world* world;
    const vni_occupancy* occupancy;
    const vn_allocator* allocator;
    vni_shape_filter filter;
    vni_frame frame;
    double radius; ///< voxels
    vni_reach reach;
    uint32_t workers;
    prepared* prepared;    ///< by slot
    uint64_t* scratch;     ///< two dense blocks a worker
    vni_block** blocks;    ///< results by block index
    vni_atomic failure;    ///< a vn_status
    uint64_t slice;        ///< work on the inside of a mesh per turn
    vni_atomic unfinished; ///< some inside needs another turn
} voxeliser;

/// One block while it is stamped.
typedef struct block_job {
    const voxeliser* v;
    const vni_obstacle* obstacle; ///< the mesh whose triangles are visited
    vni_window window;
    vn_box box; ///< of the block, local metres, grown by the radius and more than rounding
    uint64_t* rows;
    bool used; ///< the dense words have been cleared
} block_job;

/// Null if the slot is dead or the filter excludes it.
static const vni_obstacle* obstacle_at(const voxeliser* v, uint32_t slot) {
    const vni_obstacle* obstacle = vni_world_obstacle(v->world, slot);
    return obstacle != NULL && vni_filter_takes(&v->filter, obstacle) &&
                   vni_filter_takes_slot(&v->filter, slot)
               ? obstacle
               : NULL;
}

// ----------------------------------------------------------------------------------------------- one block

static vni_window window_of_block(const vni_occupancy* occupancy, uint32_t index, uint64_t* dense) {
    vni_window window = {.dense = dense};
    vni_block_low(occupancy->blocks, index, window.low);
    for (int i = 0; i < 3; ++i) {
        int32_t end = window.low[i] + VNI_BLOCK_SIZE;
        window.high[i] = end < occupancy->dims[i] ? end : occupancy->dims[i];
        VNI_ASSERT(window.low[i] < window.high[i]);
    }

    return window;
}

static bool stamp_triangle(void* user, uint32_t index) {
    block_job* job = user;
    vni_triangle t = vni_mesh_triangle(&job->obstacle->as.mesh, index);
    const vni_frame* frame = &job->v->frame;
    vni_triangle moved = {vni_to_frame(frame, t.a), vni_to_frame(frame, t.b), vni_to_frame(frame, t.c)};
    vni_stamp stamp = vni_stamp_of_triangle(&moved);
    vni_stamp_shape(&stamp, job->v->radius, &job->window);

    return true;
}

static void stamp_mesh(block_job* job, const vni_obstacle* obstacle, const vni_inside* inside) {
    VNI_ASSERT(job->used && obstacle->info.kind == VN_SHAPE_MESH);
    const vni_mesh* mesh = &obstacle->as.mesh;
    const int32_t* low = job->window.low;
    if (inside != NULL)
        vni_inside_mark(inside, low[0] >> VNI_BLOCK_SHIFT, low[1] >> VNI_BLOCK_SHIFT,
                        low[2] >> VNI_BLOCK_SHIFT, job->window.dense);

    job->obstacle = obstacle;
    vni_bvh_query(&mesh->bvh, mesh->boxes, &job->box, stamp_triangle, job);
}

static bool stamp_obstacle(void* user, uint32_t slot) {
    block_job* job = user;
    const voxeliser* v = job->v;
    const vni_obstacle* obstacle = obstacle_at(v, slot);
    if (obstacle == NULL)
        return true;

    if (!job->used)
        memset(job->window.dense, 0, VNI_BLOCK_BRICKS * sizeof *job->window.dense);

    job->used = true;
    if (obstacle->info.kind == VN_SHAPE_MESH) {
        stamp_mesh(job, obstacle, v->prepared[slot].inside);
    } else if (obstacle->info.kind == VN_SHAPE_VOXELS) {
        vni_stamp_set(&obstacle->as.voxels, &v->frame, v->radius, &v->reach, &job->window, job->rows);
    } else {
        vni_stamp stamp = vni_stamp_of_obstacle(obstacle, &v->frame, v->prepared[slot].vertices);
        vni_stamp_shape(&stamp, v->radius, &job->window);
    }

    return true;
}

/// Clears voxels beyond the dimensions: voxel sets are copied by whole bricks.
static void clip_window(const vni_window* window, const int32_t dims[3]) {
    VNI_ASSERT(window->high[0] <= dims[0] && window->high[1] <= dims[1] && window->high[2] <= dims[2]);

    bool whole = true;
    for (int i = 0; i < 3; ++i)
        whole = whole && window->high[i] == window->low[i] + VNI_BLOCK_SIZE;

    if (whole)
        return;
    for (int32_t z = 0; z < VNI_BLOCK_SIZE; z += 4)
        for (int32_t y = 0; y < VNI_BLOCK_SIZE; y += 4)
            for (int32_t x = 0; x < VNI_BLOCK_SIZE; x += 4)
                window->dense[vni_dense_index(x, y, z)] &=
                    vni_brick_within(dims, window->low[0] + x, window->low[1] + y, window->low[2] + z);
}

static void voxelise_blocks(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    voxeliser* v = context;
    VNI_ASSERT(worker < v->workers);

    // Each block is written by one worker, from shapes alone: the order of workers does not matter. A block
    // that nothing touches is never cleared, and stays null: all free.
    uint64_t* dense = v->scratch + (size_t)worker * 2 * VNI_BLOCK_BRICKS;
    for (uint32_t index = begin; index < end && vni_atomic_load(&v->failure) == VN_OK; ++index) {
        if (v->filter.blocks != NULL && !v->filter.blocks[index])
            continue;
        block_job job = {.v = v, .rows = dense + VNI_BLOCK_BRICKS};
        job.window = window_of_block(v->occupancy, index, dense);
        job.box = vni_window_box(&job.window, &v->frame, v->radius);
        vni_tree_query(&v->world->tree, &job.box, stamp_obstacle, &job);

        if (!job.used)
            continue;
        clip_window(&job.window, v->occupancy->dims);
        if (!vni_block_pack(v->allocator, dense, &v->blocks[index]))
            vni_atomic_store(&v->failure, VN_OUT_OF_MEMORY);
    }
}

// ----------------------------------------------------------------------------------------------- the whole

static bool is_solid_mesh(const vni_obstacle* obstacle) {
    return obstacle != NULL && obstacle->info.kind == VN_SHAPE_MESH && obstacle->as.mesh.solid;
}

static bool prepare_hulls(voxeliser* v) {
    vni_vec low = vni_frame_low(&v->frame);
    for (uint32_t slot = 0; slot < vni_world_slots(v->world); ++slot) {
        const vni_obstacle* obstacle = obstacle_at(v, slot);
        if (obstacle == NULL || obstacle->info.kind != VN_SHAPE_HULL)
            continue;

        const vni_hull* hull = &obstacle->as.hull;
        v->prepared[slot].vertices = VNI_NEW_ARRAY(v->allocator, vni_vec, hull->vertex_count);
        if (v->prepared[slot].vertices == NULL)
            return false;

        vni_hull_to_frame(hull, low, 1.0 / v->frame.size, v->prepared[slot].vertices);
    }

    return true;
}

/// Columns that are processed between two progress calls: some milliseconds.
#define FILL_SLICE (1u << 18)

/// One turn for the inside of a mesh.
static vn_status prepare_inside(voxeliser* v, const vni_mesh* mesh, vni_inside** inside) {
    vn_status status = VN_OK;
    if (*inside == NULL)
        status = vni_inside_begin(v->allocator, mesh, &v->frame, v->occupancy->dims, inside);
    return status == VN_OK ? vni_inside_step(v->allocator, *inside, v->slice) : status;
}

static void prepare_insides(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    voxeliser* v = context;
    (void)worker;
    for (uint32_t slot = begin; slot < end && vni_atomic_load(&v->failure) == VN_OK; ++slot) {
        const vni_obstacle* obstacle = obstacle_at(v, slot);
        if (!is_solid_mesh(obstacle))
            continue;

        vn_status status = prepare_inside(v, &obstacle->as.mesh, &v->prepared[slot].inside);
        if (status == VN_RUNNING)
            vni_atomic_store(&v->unfinished, 1);
        else if (status != VN_OK)
            vni_atomic_store(&v->failure, (uint32_t)status);
    }
}

/// Overall progress: that of the slowest mesh.
static double fill_progress(const voxeliser* v) {
    double least = 1;
    for (uint32_t slot = 0; slot < vni_world_slots(v->world); ++slot) {
        if (!is_solid_mesh(obstacle_at(v, slot)))
            continue;
        const vni_inside* inside = v->prepared[slot].inside;
        double part = inside != NULL ? vni_inside_progress(inside) : 0;
        least = part < least ? part : least;
    }

    return least;
}

/// Passes the overall progress on to the caller, in place of that of one turn.
typedef struct fill_report {
    vn_progress* progress;
    void* user;
    double done;
} fill_report;

static bool report_fill(void* user, const char* stage, double fraction) {
    const fill_report* report = user;
    (void)fraction; // of the turn
    return report->progress(report->user, stage, report->done);
}

/// Prepares the insides of all solid meshes, turn by turn, so that progress is reported and cancelling works
/// even within one large mesh. False if the caller cancels.
static bool fill_all(voxeliser* v, const vn_jobs* jobs, vn_progress* progress, void* user) {
    fill_report report = {progress, user, 0};
    v->slice = progress != NULL ? FILL_SLICE : UINT64_MAX;
    do {
        vni_atomic_store(&v->unfinished, 0);
        if (!vni_parallel_for_progress(jobs, vni_world_slots(v->world), 1, prepare_insides, v,
                                       progress != NULL ? report_fill : NULL, &report, "fill"))
            return false;
        report.done = fill_progress(v);
    } while (vni_atomic_load(&v->unfinished) && vni_atomic_load(&v->failure) == VN_OK);

    return progress == NULL || progress(user, "fill", 1);
}

static bool has_solid_mesh(const voxeliser* v) {
    for (uint32_t slot = 0; slot < vni_world_slots(v->world); ++slot)
        if (is_solid_mesh(obstacle_at(v, slot)))
            return true;
    return false;
}

static void free_prepared(const voxeliser* v) {
    uint32_t slots = vni_world_slots(v->world);
    for (uint32_t slot = 0; v->prepared != NULL && slot < slots; ++slot) {
        const vni_obstacle* obstacle = obstacle_at(v, slot);
        if (obstacle != NULL && obstacle->info.kind == VN_SHAPE_HULL)
            VNI_DELETE_ARRAY(v->allocator, v->prepared[slot].vertices, obstacle->as.hull.vertex_count);
        if (is_solid_mesh(obstacle))
            vni_inside_free(v->allocator, v->prepared[slot].inside);
    }

    VNI_DELETE_ARRAY(v->allocator, v->prepared, slots);
}

/// Fills v->blocks. The caller owns them, whatever the status.
static vn_status run(voxeliser* v, const vn_jobs* jobs, vn_progress* progress, void* user) {
    uint32_t count = vni_occupancy_block_count(v->occupancy);
    if (!prepare_hulls(v))
        return VN_OUT_OF_MEMORY;
    if (has_solid_mesh(v) && !fill_all(v, jobs, progress, user))
        return VN_CANCELLED;
    if (vni_atomic_load(&v->failure) != VN_OK)
        return (vn_status)vni_atomic_load(&v->failure);
    if (!vni_parallel_for_progress(jobs, count, 1, voxelise_blocks, v, progress, user, "voxelise"))
        return VN_CANCELLED;

    return (vn_status)vni_atomic_load(&v->failure);
}

/// Moves the blocks into the occupancy, or drops them.
static void take_blocks(const voxeliser* v, vn_status status, vni_occupancy* occupancy) {
    for (uint32_t index = 0; index < vni_occupancy_block_count(occupancy); ++index) {
        if (status == VN_OK && v->blocks[index] != NULL)
            vni_occupancy_set_block(occupancy, index, v->blocks[index]);
        else if (v->blocks[index] != NULL)
            vni_block_release(v->allocator, v->blocks[index]);
    }
}

static vn_status describe(vn_detail* detail, vn_status status) {
    switch (status) {
    case VN_OUT_OF_MEMORY:
        return vni_fail(detail, status,
                        "no memory left while voxelising: use a coarser resolution or smaller bounds");
    case VN_TOO_LARGE:
        return vni_fail(detail, status,
                        "a solid mesh crosses too many lines of voxels: use a coarser resolution");
    case VN_CANCELLED: return vni_fail(detail, status, "voxelising was cancelled by the progress callback");
    default: return status;
    }
}

vn_status vni_voxelise(const vn_world* world, const vni_shape_filter* filter, const vni_frame* frame,
                       double radius, const vn_jobs* jobs, vn_progress* progress, void* progress_user,
                       vni_occupancy* occupancy, vn_detail* detail) {
    VNI_ASSERT(frame->size > 0 && radius >= 0);
    VNI_ASSERT(occupancy->blocked_voxels == 0);

    uint32_t slots = vni_world_slots(world), count = vni_occupancy_block_count(occupancy);
    voxeliser v = {
        .world = world, .occupancy = occupancy, .allocator = &occupancy->allocator, .frame = *frame};
    v.filter = *filter;
    v.radius = radius / frame->size;
    v.workers = jobs->worker_count;
    vni_reach_make(v.radius, &v.reach);
    uint64_t scratch_words = (uint64_t)v.workers * 2 * VNI_BLOCK_BRICKS;
    v.prepared = vni_alloc_zero(v.allocator, slots, sizeof *v.prepared);
    v.scratch = VNI_NEW_ARRAY(v.allocator, uint64_t, scratch_words);
    v.blocks = vni_alloc_zero(v.allocator, count, sizeof *v.blocks);

    vn_status status = VN_OUT_OF_MEMORY;
    if ((v.prepared != NULL || slots == 0) && v.scratch != NULL && v.blocks != NULL)
        status = run(&v, jobs, progress, progress_user);

    if (v.blocks != NULL)
        take_blocks(&v, status, occupancy);

    free_prepared(&v);
    VNI_DELETE_ARRAY(v.allocator, v.blocks, count);
    VNI_DELETE_ARRAY(v.allocator, v.scratch, scratch_words);
    return describe(detail, status);
}
