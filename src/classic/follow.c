/// classic/follow.c: what changed in the voxels, what that changes in the boxes, what that changes in the
/// graphs.
#include "classic/follow.h"

#include "base/alloc.h"
#include "base/fail.h"

// ------------------------------------------------------------------------------------- either decomposition

uint32_t vni_follow_count(const vni_follow* follow) {
    if (follow->greedy)
        return vni_live_greedy_count(&follow->drift);
    return follow->merges ? vni_live_merged_count(&follow->merged) : vni_live_octree_count(&follow->tree);
}

bool vni_follow_at(const vni_follow* follow, vn_voxel voxel, vni_box* out) {
    if (follow->greedy)
        return vni_live_greedy_at(&follow->drift, voxel, out);
    if (follow->merges)
        return vni_live_merged_at(&follow->merged, voxel, out);
    const uint32_t leaf = vni_octree_leaf_at(&follow->tree.tree, voxel);
    if (leaf != VNI_NO_LEAF)
        *out = vni_octree_leaf_box(&follow->tree.tree, leaf);
    return leaf != VNI_NO_LEAF;
}

typedef struct leaf_visit {
    const vni_octree* tree;
    vni_visit_box* visit;
    void* user;
} leaf_visit;

static bool visit_leaf(void* user, uint32_t leaf) {
    const leaf_visit* v = (const leaf_visit*)user;
    const vni_box box = vni_octree_leaf_box(v->tree, leaf);
    return v->visit(v->user, &box);
}

bool vni_follow_visit_in(const vni_follow* follow, const vni_box* region, vni_visit_box* visit, void* user) {
    if (follow->greedy)
        return vni_live_greedy_visit_in(&follow->drift, region, visit, user);
    if (follow->merges)
        return vni_live_merged_visit_in(&follow->merged, region, visit, user);
    leaf_visit v = {&follow->tree.tree, visit, user};
    return vni_octree_visit_in(&follow->tree.tree, region, visit_leaf, &v);
}

static bool visit_neighbours(const void* self, const vni_box* box, vni_visit_box* visit, void* user) {
    const vni_follow* follow = (const vni_follow*)self;
    if (follow->greedy)
        return vni_live_greedy_neighbours(&follow->drift, box, visit, user);
    return follow->merges ? vni_live_merged_neighbours(&follow->merged, box, visit, user)
                          : vni_live_octree_neighbours(&follow->tree, box, visit, user);
}

vni_boxes_source vni_follow_source(const vni_follow* follow) {
    return (vni_boxes_source){follow, visit_neighbours};
}

static vn_status update_boxes(vni_follow* follow, const vni_occupancy* occupancy, const vni_box* changes,
                              uint32_t count, vn_detail* detail) {
    vni_box_lists_clear(&follow->lists);
    if (follow->greedy)
        return vni_live_greedy_update(&follow->drift, occupancy, changes, count, &follow->lists, detail);
    return follow->merges
               ? vni_live_merged_update(&follow->merged, occupancy, changes, count, &follow->lists, detail)
               : vni_live_octree_update(&follow->tree, occupancy, changes, count, &follow->lists, detail);
}

// ----------------------------------------------------------------------------------------------- everything

/// Lists what differs between the decomposition and the newest version of the graphs.
typedef struct matcher {
    vni_follow* follow;
    const vni_slot_version* version; ///< null: there is none
    bool failed;
} matcher;

static bool match_box(void* user, const vni_box* box) {
    matcher* m = (matcher*)user;
    const uint32_t slot = m->version != NULL ? vni_live_find(m->version, vni_box_low(box)) : VNI_NO_SLOT;
    if (slot == VNI_NO_SLOT || !vni_box_equals(&vni_live_box_at(m->version, slot)->box, box))
        m->failed = !vni_box_lists_add(&m->follow->lists, &m->follow->lists.came, box);
    return !m->failed;
}

static void match_slots(matcher* m) {
    const uint32_t limit = m->version != NULL ? m->version->arrays[VNI_LIVE_BOXES].limit : 0;
    for (uint32_t slot = 0; slot < limit && !m->failed; ++slot) {
        vni_box box;
        if (!vni_live_has_box(m->version, slot))
            continue;

        const vni_live_box* old = vni_live_box_at(m->version, slot);
        if (!vni_follow_at(m->follow, vni_box_low(&old->box), &box) || !vni_box_equals(&box, &old->box))
            m->failed = !vni_box_lists_add(&m->follow->lists, &m->follow->lists.went, &old->box);
    }
}

static vni_box whole_space(const vni_occupancy* o) {
    return (vni_box){{0, 0, 0}, {o->dims[0], o->dims[1], o->dims[2]}};
}

/// The decomposition is up to date, the graphs may be anywhere.
static vn_status list_all(vni_follow* follow, const vni_occupancy* occupancy, vn_detail* detail) {
    matcher m = {follow, vni_live_boxes_pin(follow->boxes), false};
    const vni_box space = whole_space(occupancy);
    vni_box_lists_clear(&follow->lists);
    vni_follow_visit_in(follow, &space, match_box, &m);
    match_slots(&m);
    if (m.version != NULL)
        vni_live_boxes_unpin(follow->boxes, m.version);
    return m.failed ? vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to list the boxes of a tree") : VN_OK;
}

// ----------------------------------------------------------------------------------------------------- life

static vn_status advance(vni_follow* follow, uint64_t version, vn_detail* detail) {
    const vni_box_lists* lists = &follow->lists;
    const vni_box_changes changes = {
        lists->went.at, lists->came.at, lists->went.count, lists->came.count, NULL, 0, false};
    const vni_boxes_source source = vni_follow_source(follow);
    const vn_status status = vni_live_boxes_advance(follow->boxes, version, &changes, &source, detail);
    if (status == VN_OK)
        follow->version = version;
    return status;
}

static vn_status make_tree(vni_follow* follow, const vn_space* space, const vni_follow_def* def,
                           vn_detail* detail) {
    if (def->greedy)
        return vni_live_greedy_make(&def->allocator, &space->occupancy, &def->tree, &follow->drift, detail);
    if (!def->merges && def->adopts != NULL)
        return vni_live_octree_adopt(def->adopts, &def->tree, &follow->tree, detail);
    if (!def->merges)
        return vni_live_octree_make(&def->allocator, &space->occupancy, &def->tree, &follow->tree, detail);

    // The saved boxes look at the voxels of the beginning for as long as they exist.
    follow->saved = vni_space_share(space, &space->allocator);
    if (follow->saved == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to keep the space of the beginning");
    const vni_occupancy* occupancy = &follow->saved->occupancy;
    if (def->adopts == NULL)
        return vni_live_merged_make(&def->allocator, occupancy, &def->tree, &follow->merged, detail);
    def->adopts->occupancy = occupancy;
    return vni_live_merged_adopt(&def->allocator, occupancy, &def->tree, def->adopts, def->boxes,
                                 &follow->merged, detail);
}

static vn_status make_graphs(const vni_follow* follow, const vn_space* space, vni_live_boxes** out,
                             vn_detail* detail) {
    const int32_t* dims = space->occupancy.dims;
    const vni_live_boxes_def boxes = {follow->allocator,
                                      {dims[0], dims[1], dims[2]},
                                      follow->history,
                                      1u << VNI_BOXES_CENTRES | 1u << VNI_BOXES_TRANSITIONS};
    return vni_live_boxes_make(&boxes, out, detail);
}

vn_status vni_follow_make(const vn_space* space, const vni_follow_def* def, vni_follow* out,
                          vn_detail* detail) {
    *out = (vni_follow){.allocator = def->allocator,
                        .merges = def->merges,
                        .greedy = def->greedy,
                        .history = def->history,
                        .clock = def->clock};
    out->lists = vni_box_lists_make(&def->allocator);
    vn_status status = make_tree(out, space, def, detail);
    if (status == VN_OK)
        status = make_graphs(out, space, &out->boxes, detail);
    if (status == VN_OK)
        status = list_all(out, &space->occupancy, detail);
    if (status == VN_OK)
        status = advance(out, def->version, detail);

    if (status != VN_OK)
        vni_follow_free(out);
    return status;
}

void vni_follow_free(vni_follow* follow) {
    if (follow->boxes != NULL)
        vni_live_boxes_free(follow->boxes);
    vni_live_octree_free(&follow->tree);
    vni_live_merged_free(&follow->merged);
    vni_live_greedy_free(&follow->drift);
    if (follow->saved != NULL)
        vn_space_destroy(follow->saved);
    if (follow->changes != NULL)
        VNI_DELETE_ARRAY(&follow->allocator, follow->changes, follow->change_capacity);
    vni_box_lists_free(&follow->lists);
    *follow = (vni_follow){0};
}

// --------------------------------------------------------------------------------------------------- update

/// Bricks of one chunk in a row become one box: fewer to look through.
static bool box_bricks(vni_follow* follow, const vn_brick_change* bricks, uint32_t count, uint32_t* boxes) {
    *boxes = 0;
    if (!vni_grow(&follow->allocator, &follow->changes, &follow->change_capacity, count, sizeof(vni_box)))
        return false;

    for (uint32_t i = 0; i < count; ++i) {
        const vn_voxel low = bricks[i].low;
        const vni_box brick = {{low.x, low.y, low.z}, {low.x + 4, low.y + 4, low.z + 4}};
        const bool joins = i > 0 && bricks[i - 1].low.x >> 4 == low.x >> 4 &&
                           bricks[i - 1].low.y >> 4 == low.y >> 4 && bricks[i - 1].low.z >> 4 == low.z >> 4;
        if (!joins) {
            follow->changes[(*boxes)++] = brick;
            continue;
        }

        vni_box* last = &follow->changes[*boxes - 1];
        for (int k = 0; k < 3; ++k) {
            last->low[k] = brick.low[k] < last->low[k] ? brick.low[k] : last->low[k];
            last->high[k] = brick.high[k] > last->high[k] ? brick.high[k] : last->high[k];
        }
    }

    return true;
}

static uint64_t read_clock(const vni_follow* follow) {
    return follow->clock.read != NULL ? follow->clock.read(follow->clock.user) : 0;
}

static void add_times(vni_follow* follow, uint64_t tree, uint64_t graph) {
    ++follow->times.updates;
    follow->times.tree_ns += tree;
    follow->times.graph_ns += graph;
}

vn_status vni_follow_update(vni_follow* follow, const vn_space* space, uint64_t version,
                            const vn_brick_change* bricks, uint32_t brick_count, vn_detail* detail) {
    const bool looks_at_all = bricks == NULL || follow->is_behind;
    const uint64_t begin = read_clock(follow);
    const vni_box all = whole_space(&space->occupancy);
    uint32_t count = 1;
    follow->is_behind = true; // until the end is reached
    if (!looks_at_all && !box_bricks(follow, bricks, brick_count, &count))
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for %u bricks that changed", brick_count);

    vn_status status =
        update_boxes(follow, &space->occupancy, looks_at_all ? &all : follow->changes, count, detail);
    if (status == VN_OK && looks_at_all)
        status = list_all(follow, &space->occupancy, detail);
    const uint64_t middle = read_clock(follow);
    if (status == VN_OK)
        status = advance(follow, version, detail);

    follow->is_behind = status != VN_OK;
    if (status == VN_OK)
        add_times(follow, middle - begin, read_clock(follow) - middle);
    return status;
}

vn_status vni_follow_rebuild(vni_follow* follow, const vn_space* space, uint64_t version, vn_detail* detail) {
    vni_live_boxes *old = follow->boxes, *fresh = NULL;
    vn_status status = make_graphs(follow, space, &fresh, detail);
    if (status != VN_OK)
        return status;

    // Nothing is known to the new graphs, so everything is listed as come.
    follow->boxes = fresh;
    status = list_all(follow, &space->occupancy, detail);
    if (status == VN_OK)
        status = advance(follow, version, detail);

    follow->boxes = status == VN_OK ? fresh : old;
    vni_live_boxes_free(status == VN_OK ? old : fresh);
    return status;
}
