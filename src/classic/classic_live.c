/// classic/classic_live.c: a classic that follows a changing space: updates, and what it tells of itself.
#include "base/alloc.h"
#include "base/fail.h"
#include "classic/classic_inside.h"

// --------------------------------------------------------------------------------------------- about itself

/// The newest version; the pin is given back at once, because nothing follows meanwhile.
static const vni_slot_version* newest(const vn_classic* classic) {
    const vni_slot_version* version = vni_live_boxes_pin(classic->follow.boxes);
    vni_live_boxes_unpin(classic->follow.boxes, version);
    return version;
}

void vni_classic_live_memory(const vn_classic* classic, vn_memory* out) {
    const vni_follow* follow = &classic->follow;
    vni_memory_add(out, "octree", vni_live_octree_bytes(&follow->tree));
    vni_memory_add(out, "saved and split boxes", vni_live_merged_bytes(&follow->merged));
    vni_memory_add(out, "greedily merged boxes", vni_live_greedy_bytes(&follow->drift));
    vni_memory_add(out, "lists of changes",
                   vni_box_lists_bytes(&follow->lists) + (size_t)follow->change_capacity * sizeof(vni_box));
    vni_memory_add(out, "graphs", vni_live_boxes_bytes(follow->boxes));
}

static void greedy_info(const vni_live_greedy* drift, vn_classic_info* out) {
    out->leaves = drift->leaves;
    out->depth = drift->deepest;
    out->root_edge = drift->root_edge;
    out->roots = (vn_voxel){drift->roots[0], drift->roots[1], drift->roots[2]};
}

void vni_classic_live_info(const vn_classic* classic, vn_classic_info* out) {
    const vni_follow* follow = &classic->follow;
    const vni_octree* tree = follow->merges ? &follow->merged.saved_tree : &follow->tree.tree;
    out->cells = vni_follow_count(follow);
    out->portals = newest(classic)->arrays[VNI_LIVE_PORTALS].live;
    if (follow->greedy) {
        greedy_info(&follow->drift, out);
        return;
    }

    out->leaves = follow->merges ? tree->leaf_count : out->cells;
    out->depth = tree->deepest;
    out->root_edge = tree->root_edge;
    out->roots = (vn_voxel){tree->roots[0], tree->roots[1], tree->roots[2]};
}

typedef struct cell_visit {
    vn_visit_cell* visit;
    void* user;
} cell_visit;

static bool visit_cell(void* user, const vni_box* box) {
    const cell_visit* v = (const cell_visit*)user;
    return v->visit(v->user, vni_box_low(box), (vn_voxel){box->high[0], box->high[1], box->high[2]});
}

void vni_classic_live_visit(const vn_classic* classic, vn_voxel low, vn_voxel high, vn_visit_cell* visit,
                            void* user) {
    const vni_box region = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
    cell_visit v = {visit, user};
    vni_follow_visit_in(&classic->follow, &region, visit_cell, &v);
}

static uint64_t slots_of(const vn_classic* classic) {
    const vni_slot_version* version = newest(classic);
    const uint64_t boxes = version->arrays[VNI_LIVE_BOXES].limit;
    const uint64_t portals = version->arrays[VNI_LIVE_PORTALS].limit;
    return boxes > portals ? boxes : portals;
}

uint32_t vni_classic_live_nodes(const vn_classic* classic) {
    const uint64_t nodes = 2 * slots_of(classic) + 4096;
    return nodes < VNI_MAX_NODES ? (uint32_t)nodes : VNI_MAX_NODES;
}

/// Eight times what there is, and a million: the table of a scratch takes 4 bytes for 64 ids.
uint32_t vni_classic_live_limit(const vn_classic* classic) {
    const uint64_t limit = 8 * slots_of(classic) + (1u << 20);
    return limit < VN_NO_NODE ? (uint32_t)limit : VN_NO_NODE - 1;
}

// ------------------------------------------------------------------------------------------------- following

static vn_status check_version(const vn_classic* classic, uint64_t version, vn_detail* detail) {
    if (!classic->follows)
        return vni_fail(detail, VN_BAD_ARGUMENT,
                        "this classic does not follow changes: build it with `follows` in its def");
    if (version <= classic->follow.version)
        return vni_fail(detail, VN_BAD_ARGUMENT, "version %llu is not above %llu, at which the classic is",
                        (unsigned long long)version, (unsigned long long)classic->follow.version);
    return VN_OK;
}

vn_status vn_classic_follow(vn_classic* classic, const vn_space* space, uint64_t version,
                            const vn_layer_changes* changes, vn_detail* detail) {
    VNI_ASSERT(classic != NULL && space != NULL);
    const vn_status fits = check_version(classic, version, detail);
    if (fits != VN_OK)
        return fits;
    for (int i = 0; i < 3; ++i)
        if (space->occupancy.dims[i] != classic->space->occupancy.dims[i])
            return vni_fail(detail, VN_BAD_ARGUMENT,
                            "the space has another size: build a new classic over it");

    static const vn_brick_change none = {0};
    const vn_brick_change* bricks = changes == NULL             ? NULL
                                    : changes->brick_count == 0 ? &none
                                                                : changes->bricks;
    const vn_status status = vni_follow_update(&classic->follow, space, version, bricks,
                                               changes != NULL ? changes->brick_count : 0, detail);
    if (status == VN_OK)
        classic->space = space;
    return status;
}

vn_status vn_classic_rebuild_graph(vn_classic* classic, uint64_t version, vn_detail* detail) {
    VNI_ASSERT(classic != NULL);
    const vn_status status = check_version(classic, version, detail);
    return status == VN_OK ? vni_follow_rebuild(&classic->follow, classic->space, version, detail) : status;
}

void vn_classic_get_times(const vn_classic* classic, vn_classic_times* out) {
    VNI_ASSERT(classic != NULL && out != NULL);
    const vni_follow_times* times = &classic->follow.times;
    *out = (vn_classic_times){times->updates, times->tree_ns, times->graph_ns};
}

uint64_t vn_classic_version(const vn_classic* classic) {
    return classic->follows ? classic->follow.version : 0;
}
