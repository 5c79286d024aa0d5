/// dynamic/steps.c: an update as a row of phases, in pieces that several threads claim.
///
///     CLEAR -> FIXED -> SENSED -> MOVING -> PLAN -> BLOCKS -> GATHER -> SEAMS -> PUBLISH -> RELEASE -> DONE
///      one      one      one       one      one      many      one      many       one       one
///
/// Phases for one thread have one piece out at a time; it may go on through several of them. Phases for many
/// have a list of items that do not depend on each other: each thread works with its own lane, and results
/// are put together in the order of the items, so that it does not matter who made which. A failure lets the
/// pieces that are out end, and drops the work.
#include "base/alloc.h"
#include "base/bits.h"
#include "base/fail.h"
#include "dynamic/dynamic_inside.h"

#include <string.h>

// What one step of work counts, in units of about one expansion of a search (bench_dynamic prints the time of
// a unit by phase: 0.2 to 0.9 microseconds).
#define UNITS_OBSTACLE  4u  ///< moving; and one for each 2 bricks
#define UNITS_BLOCK     16u ///< and one for each 3 cells
#define UNITS_CHUNK     8u  ///< that is cut again
#define UNITS_SEAM      2u  ///< and one for each 4 groups of links
#define UNITS_FIXED     4096u
#define UNITS_SENSED    8u  ///< chunk near sensed voxels
#define UNITS_GATHERED  2u  ///< block
#define UNITS_TABLES    16u ///< a version; and one for each 16 blocks of the space
#define RELEASED_A_STEP 32u
#define CELLS_A_UNIT    3u
#define GROUPS_A_UNIT   4u

#define SEAMS_A_PIECE 8u

// -------------------------------------------------------------------------------------------------- lanes

void vni_lane_free(const vn_allocator* allocator, vni_lane* lane) {
    VNI_DELETE_ARRAY(allocator, lane->dense, 2 * VNI_BLOCK_BRICKS);
    VNI_DELETE_ARRAY(allocator, lane->delta.blocked, lane->delta.blocked_capacity);
    VNI_DELETE_ARRAY(allocator, lane->delta.freed, lane->delta.freed_capacity);
    VNI_DELETE_ARRAY(allocator, lane->delta.cells, lane->delta.cell_capacity);
    VNI_DELETE_ARRAY(allocator, lane->pair_buffer, lane->pair_capacity);
    vni_cut_free(&lane->cut);
}

vni_lane* vni_dynamic_lane(vni_dynamic* dynamic, uint32_t index) {
    VNI_ASSERT(index < dynamic->lane_count);

    vni_lane* lane = &dynamic->lanes[index];
    if (lane->made)
        return lane;

    if (lane->dense == NULL)
        lane->dense = VNI_NEW_ARRAY(&dynamic->allocator, uint64_t, 2 * VNI_BLOCK_BRICKS);

    lane->made = lane->dense != NULL && vni_cut_make(&dynamic->allocator, &lane->cut);
    return lane->made ? lane : NULL;
}

// ----------------------------------------------------------------------------------- phases for one thread
// Each step returns VN_OK and the units it took, and enters the next phase when its own is over.

static void enter_phase(vni_dynamic* dynamic, vni_phase phase, uint32_t items) {
    dynamic->progress.phase = phase;
    dynamic->progress.next = 0;
    dynamic->progress.items = items;
}

static vn_status step_fixed(vni_dynamic* dynamic, uint64_t* units) {
    vni_progress* p = &dynamic->progress;
    const uint32_t dirty = dynamic->dirty_count;
    const vn_status status =
        vni_dynamic_take_fixed(dynamic, p->world, p->changes, p->change_count, p->detail);
    *units = dynamic->dirty_count != dirty ? UNITS_FIXED : 1;
    if (status != VN_OK)
        return status;

    bool any;
    const vn_status marked = vni_dynamic_mark_sensed(dynamic, p->world, p->changes, p->change_count, &any);
    enter_phase(dynamic, any ? VNI_PHASE_SENSED : VNI_PHASE_MOVING,
                any ? vni_dynamic_blocks(dynamic) : p->change_count);
    return marked;
}

static vn_status step_sensed(vni_dynamic* dynamic, uint64_t* units) {
    vni_progress* p = &dynamic->progress;
    uint32_t chunks;
    const vn_status status = vni_dynamic_take_sensed(dynamic, p->world, &p->next, &chunks);
    *units = (uint64_t)UNITS_SENSED * chunks;
    if (chunks == 0 && status == VN_OK)
        enter_phase(dynamic, VNI_PHASE_MOVING, p->change_count);
    return status;
}

static vn_status step_moving(vni_dynamic* dynamic, uint64_t* units) {
    vni_progress* p = &dynamic->progress;
    if (p->next == p->items) {
        enter_phase(dynamic, VNI_PHASE_PLAN, 0);
        return VN_OK;
    }

    const uint32_t dirty = dynamic->dirty_count;
    const vn_status status = vni_dynamic_take_moving(dynamic, p->world, &p->changes[p->next++]);
    *units = UNITS_OBSTACLE + (dynamic->dirty_count - dirty) / 2;
    return status;
}

static vn_status step_plan(vni_dynamic* dynamic, uint64_t* units) {
    if (!vni_dynamic_plan_blocks(dynamic))
        return VN_OUT_OF_MEMORY;
    *units = 1 + dynamic->dirty_count / 16;
    enter_phase(dynamic, dynamic->touched_count > 0 ? VNI_PHASE_BLOCKS : VNI_PHASE_GATHER,
                dynamic->touched_count);
    return VN_OK;
}

static vn_status step_gather(vni_dynamic* dynamic, uint64_t* units) {
    if (!vni_dynamic_gather(dynamic) || !vni_dynamic_plan_seams(dynamic))
        return VN_OUT_OF_MEMORY;

    *units = 1 + (uint64_t)UNITS_GATHERED * dynamic->touched_count;
    enter_phase(dynamic, dynamic->seam_count > 0 ? VNI_PHASE_SEAMS : VNI_PHASE_PUBLISH, dynamic->seam_count);

    // no voxel has changed: there is no new version, and the bricks are clean
    if (dynamic->touched_count == 0 && dynamic->unknown_count == 0) {
        dynamic->dirty_count = 0;
        enter_phase(dynamic, VNI_PHASE_DONE, 0);
    }

    return VN_OK;
}

static vn_status step_publish(vni_dynamic* dynamic, vni_stages* stages, uint64_t* units) {
    *units = UNITS_TABLES + vni_dynamic_blocks(dynamic) / 16 + dynamic->seam_count / 8;
    const vn_status status = vni_dynamic_publish(dynamic, stages);
    if (status != VN_OK)
        return status;

    dynamic->progress.kept = 0;
    enter_phase(dynamic, VNI_PHASE_RELEASE, 0);
    return VN_OK;
}

static vn_status step_release(vni_dynamic* dynamic, uint64_t* units) {
    vni_progress* p = &dynamic->progress;
    *units = 1 + (dynamic->retired_count > 0 ? RELEASED_A_STEP / 2 : 0);
    if (p->next == 0)
        vni_dynamic_drop_unpinned(dynamic);
    if (vni_dynamic_sweep(dynamic, &p->next, &p->kept, RELEASED_A_STEP))
        enter_phase(dynamic, p->phase == VNI_PHASE_CLEAR ? VNI_PHASE_FIXED : VNI_PHASE_DONE, 0);
    return VN_OK;
}

static void drop(vni_dynamic* dynamic) {
    vni_dynamic_drop_work(dynamic);
    enter_phase(dynamic, VNI_PHASE_DONE, 0);
}

static bool is_for_many(vni_phase phase) {
    return phase == VNI_PHASE_BLOCKS || phase == VNI_PHASE_SEAMS;
}

static vn_status step_alone(vni_dynamic* dynamic, vni_stages* stages, uint64_t* units) {
    vn_status status = VN_OK;
    *units = 0;
    switch (dynamic->progress.phase) {
    case VNI_PHASE_CLEAR:
    case VNI_PHASE_RELEASE: status = step_release(dynamic, units); break;
    case VNI_PHASE_FIXED: status = step_fixed(dynamic, units); break;
    case VNI_PHASE_SENSED: status = step_sensed(dynamic, units); break;
    case VNI_PHASE_MOVING: status = step_moving(dynamic, units); break;
    case VNI_PHASE_PLAN: status = step_plan(dynamic, units); break;
    case VNI_PHASE_GATHER: status = step_gather(dynamic, units); break;
    case VNI_PHASE_PUBLISH: status = step_publish(dynamic, stages, units); break;
    case VNI_PHASE_DROP: drop(dynamic); break;
    default: VNI_ASSERT(false); break;
    }

    return status;
}

/// The stage that a phase is measured as.
static vni_stage stage_of(vni_phase phase) {
    switch (phase) {
    case VNI_PHASE_FIXED:
    case VNI_PHASE_SENSED:
    case VNI_PHASE_MOVING: return VNI_STAGE_FOOTPRINT;
    case VNI_PHASE_PLAN: return VNI_STAGE_OCCUPANCY;
    case VNI_PHASE_GATHER: return VNI_STAGE_DELTA;
    default: return VNI_STAGE_PUBLISH;
    }
}

/// From step to step and phase to phase, up to one for many threads or the end.
static void run_alone(vni_dynamic* dynamic, vni_update_piece* piece, vni_lane* lane, uint64_t most) {
    vni_progress* p = &dynamic->progress;
    while (p->phase != VNI_PHASE_DONE && !is_for_many(p->phase) && piece->units < most) {
        const vni_phase phase = p->phase;
        uint64_t units;
        const vn_status status = step_alone(dynamic, &lane->stages, &units);
        piece->units += units;
        if (p->phase != phase || status != VN_OK)
            vni_stage_end(&lane->stages, stage_of(phase));

        // the work is dropped at once: this thread is alone
        if (status != VN_OK) {
            piece->status = status;
            enter_phase(dynamic, VNI_PHASE_DROP, 0);
        }
    }

    vni_stage_end(&lane->stages, stage_of(p->phase));
}

// ----------------------------------------------------------------------------------- phases for many threads

static uint64_t units_of_block(const vni_touched* t) {
    const uint32_t cells = t->cells != NULL ? t->cells->cell_count : 0;
    return UNITS_BLOCK + UNITS_CHUNK * vni_popcount(t->chunks) + cells / CELLS_A_UNIT;
}

static uint64_t units_of_seam(const vni_touched_seam* s) {
    return UNITS_SEAM + (s->seam != NULL ? s->seam->group_count / GROUPS_A_UNIT : 0);
}

static void run_items(vni_dynamic* dynamic, vni_update_piece* piece, vni_lane* lane) {
    for (uint32_t i = piece->first; i < piece->end && piece->status == VN_OK; ++i) {
        bool ok;
        if (piece->phase == VNI_PHASE_BLOCKS) {
            ok = vni_dynamic_rebuild_block(dynamic, lane, &dynamic->touched[i]);
            piece->units += units_of_block(&dynamic->touched[i]);
        } else {
            ok = vni_dynamic_rebuild_seam(dynamic, lane, &dynamic->seams[i]);
            piece->units += units_of_seam(&dynamic->seams[i]);
        }

        piece->status = ok ? VN_OK : VN_OUT_OF_MEMORY;
    }
}

// ----------------------------------------------------------------------------------------------- the pieces

void vni_dynamic_begin(vni_dynamic* dynamic, const vn_world* world, const vni_change* changes, uint32_t count,
                       vn_detail* detail) {
    VNI_ASSERT(vni_dynamic_is_done(dynamic, NULL));

    dynamic->progress = (vni_progress){.phase = VNI_PHASE_CLEAR,
                                       .status = VN_OK,
                                       .world = world,
                                       .changes = changes,
                                       .change_count = count,
                                       .detail = detail};
    const uint32_t versions = dynamic->stats.versions;
    const size_t retired = dynamic->stats.retired;
    dynamic->stats = (vni_dynamic_stats){.versions = versions, .retired = retired};

    for (uint32_t i = 0; i < dynamic->lane_count; ++i) {
        vni_delta_buffer* delta = &dynamic->lanes[i].delta;
        delta->blocked_count = delta->freed_count = delta->cell_count = 0;
        dynamic->lanes[i].bricks = 0;
    }
}

/// The next items of a phase for many; false if there are none, or if it has failed.
static bool claim_items(vni_progress* p, vni_update_piece* out) {
    if (p->next == p->items || p->status != VN_OK)
        return false;

    const uint32_t left = p->items - p->next;
    const uint32_t most = p->phase == VNI_PHASE_BLOCKS ? 1 : SEAMS_A_PIECE;
    out->first = p->next;
    out->end = p->next += left < most ? left : most;
    ++p->out;
    return true;
}

bool vni_dynamic_claim(vni_dynamic* dynamic, vni_update_piece* out) {
    vni_progress* p = &dynamic->progress;
    if (p->alone || p->phase == VNI_PHASE_NONE || p->phase == VNI_PHASE_DONE)
        return false;

    *out = (vni_update_piece){.phase = (uint32_t)p->phase, .status = VN_OK};
    if (is_for_many(p->phase))
        return claim_items(p, out);

    p->alone = true;
    ++p->out;
    return true;
}

void vni_dynamic_run(vni_dynamic* dynamic, vni_update_piece* piece, uint32_t lane_index, uint64_t most) {
    // needs no lane: there may be no memory for one
    if (piece->phase == VNI_PHASE_DROP) {
        drop(dynamic);
        return;
    }

    // A phase for one thread takes the lane that always exists: it must not fail half-way through a sweep.
    const bool for_many = is_for_many((vni_phase)piece->phase);
    vni_lane* lane = vni_dynamic_lane(dynamic, for_many ? lane_index : 0);
    if (lane == NULL) {
        piece->status = VN_OUT_OF_MEMORY;
        return;
    }

    vni_stages_begin(&lane->stages);
    if (for_many)
        run_items(dynamic, piece, lane);
    else
        run_alone(dynamic, piece, lane, most);
}

/// After the last piece of a phase for many: the next phase.
static void leave_many(vni_dynamic* dynamic) {
    vni_progress* p = &dynamic->progress;
    if (p->status != VN_OK)
        enter_phase(dynamic, VNI_PHASE_DROP, 0);
    else if (p->next == p->items)
        enter_phase(dynamic, p->phase == VNI_PHASE_BLOCKS ? VNI_PHASE_GATHER : VNI_PHASE_PUBLISH, 0);
}

void vni_dynamic_end(vni_dynamic* dynamic, const vni_update_piece* piece) {
    vni_progress* p = &dynamic->progress;
    VNI_ASSERT(p->out > 0);
    --p->out;
    p->alone = false;
    if (p->status == VN_OK)
        p->status = piece->status;

    // a lane that could not be made: nothing has been done in this piece
    if (p->status != VN_OK && p->phase != VNI_PHASE_DONE && p->out == 0)
        enter_phase(dynamic, VNI_PHASE_DROP, 0);
    if (is_for_many(p->phase) && p->out == 0)
        leave_many(dynamic);
}

bool vni_dynamic_is_done(const vni_dynamic* dynamic, vn_status* status) {
    const vni_progress* p = &dynamic->progress;
    if (p->alone || (p->phase != VNI_PHASE_NONE && p->phase != VNI_PHASE_DONE))
        return false;
    if (status == NULL)
        return true;

    *status = p->status == VN_OUT_OF_MEMORY
                  ? vni_fail(p->detail, p->status,
                             "no memory left for the next version of the space; the last one stays")
                  : p->status;
    return true;
}

void vni_dynamic_abandon(vni_dynamic* dynamic) {
    vni_progress* p = &dynamic->progress;
    VNI_ASSERT(p->out == 0);
    if ((p->phase > VNI_PHASE_PLAN && p->phase < VNI_PHASE_RELEASE) || p->phase == VNI_PHASE_DROP)
        vni_dynamic_drop_work(dynamic);

    // in the middle of a sweep the list has a gap between what stays and what is left
    uint32_t next = p->next;
    if (p->phase == VNI_PHASE_RELEASE || p->phase == VNI_PHASE_CLEAR)
        (void)vni_dynamic_sweep(dynamic, &next, &p->kept, UINT32_MAX);

    enter_phase(dynamic, VNI_PHASE_NONE, 0);
}
