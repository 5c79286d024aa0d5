/// classic/live_merged.c: life and updates of a merged octree that follows changes. As with the octree, a
/// plan lists what goes and comes without touching anything, and is then carried out, which cannot fail.
#include "classic/live_merged.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "classic/cube_state.h"
#include "classic/split.h"
#include "geom/morton.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------- life

static bool make_state(vni_live_merged* live) {
    const uint32_t count = live->saved.box_count;
    live->whole = (uint64_t*)vni_alloc_zero(&live->allocator, vni_bits_words(count), sizeof(uint64_t));
    live->stamps = (uint32_t*)vni_alloc_zero(&live->allocator, count, sizeof(uint32_t));
    if (count > 0 && (live->whole == NULL || live->stamps == NULL))
        return false;

    if (count > 0)
        vni_bits_set_range(live->whole, 0, count);
    live->whole_count = count;
    return true;
}

vn_status vni_live_merged_adopt(const vn_allocator* allocator, const vni_occupancy* occupancy,
                                const vni_octree_def* def, vni_octree* tree, vni_boxes* boxes,
                                vni_live_merged* out, vn_detail* detail) {
    const vni_octree_def whole = {def->root, def->min_depth, UINT32_MAX};
    *out = (vni_live_merged){
        .allocator = *allocator, .saved_tree = *tree, .saved = *boxes, .occupancy = occupancy};
    *tree = (vni_octree){0};
    *boxes = (vni_boxes){0};
    out->parts = vni_map_make(allocator);
    vn_status status = vni_live_octree_make_opened(allocator, occupancy, &whole, &out->opened, detail);
    if (status == VN_OK && !make_state(out))
        status = vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for %u merged boxes that follow changes",
                          out->saved.box_count);

    if (status != VN_OK)
        vni_live_merged_free(out);
    return status;
}

vn_status vni_live_merged_make(const vn_allocator* allocator, const vni_occupancy* occupancy,
                               const vni_octree_def* def, vni_live_merged* out, vn_detail* detail) {
    const vni_octree_def whole = {def->root, def->min_depth, UINT32_MAX};
    vni_octree tree;
    vni_boxes boxes;
    *out = (vni_live_merged){0};
    vn_status status = vni_octree_make(allocator, occupancy, &whole, &tree, detail);
    if (status != VN_OK)
        return status;

    status = vni_boxes_merge(allocator, &tree, &boxes, detail);
    if (status == VN_OK)
        return vni_live_merged_adopt(allocator, occupancy, def, &tree, &boxes, out, detail);
    vni_octree_free(&tree);
    return status;
}

void vni_live_merged_free(vni_live_merged* live) {
    const vn_allocator* allocator = &live->allocator;
    if (live->saved.tree != NULL) {
        live->saved.tree = &live->saved_tree;
        VNI_DELETE_ARRAY(allocator, live->whole, vni_bits_words(live->saved.box_count));
        VNI_DELETE_ARRAY(allocator, live->stamps, live->saved.box_count);
    }

    if (live->occupancy != NULL) {
        VNI_DELETE_ARRAY(allocator, live->hit, live->hit_capacity);
        VNI_DELETE_ARRAY(allocator, live->changes, live->change_capacity);
        VNI_DELETE_ARRAY(allocator, live->went.at, live->went.capacity);
        VNI_DELETE_ARRAY(allocator, live->came.at, live->came.capacity);
        vni_map_destroy(&live->parts);
    }

    vni_live_octree_free(&live->opened);
    vni_boxes_free(&live->saved);
    vni_octree_free(&live->saved_tree);
    *live = (vni_live_merged){0};
}

size_t vni_live_merged_bytes(const vni_live_merged* live) {
    const uint64_t lists = live->hit_capacity + live->went.capacity + live->came.capacity;
    return vni_octree_bytes(&live->saved_tree) +
           (size_t)live->saved.box_count * (sizeof(vni_box) + sizeof(uint32_t)) +
           (size_t)live->saved_tree.leaf_count * sizeof(uint32_t) +
           (size_t)vni_bits_words(live->saved.box_count) * sizeof(uint64_t) + vni_map_bytes(&live->parts) +
           vni_live_octree_bytes(&live->opened) + (size_t)lists * sizeof(uint32_t) +
           (size_t)live->change_capacity * sizeof(vni_box);
}

// ---------------------------------------------------------------------------------------------------- plan

typedef struct planner {
    vni_live_merged* live; ///< only its scratch is written to
    const vni_occupancy* now;
    vni_box* changes;      ///< those in the saved box that is looked at come first
    uint32_t change_count; ///< of these
    uint32_t all_changes;
    vni_box_lists* out;
    bool failed; ///< no memory
} planner;

/// A cube of a saved box that is not whole.
typedef struct cube {
    vni_box box; ///< cut to the space
    int32_t edge;
} cube;

static uint64_t key_of(const vni_box* box) {
    return vni_morton_encode((uint32_t)box->low[0], (uint32_t)box->low[1], (uint32_t)box->low[2]);
}

/// Is this very cube there?
static bool is_there(const vni_live_merged* live, const cube* c) {
    const uint32_t* edge = vni_map_find(&live->parts, key_of(&c->box));
    return edge != NULL && *edge == (uint32_t)c->edge;
}

static void add(planner* p, vni_box_list* list, vni_edge_list* edges, const vni_box* box, int32_t edge) {
    if (p->failed || !vni_grow(&p->live->allocator, &edges->at, &edges->capacity, (uint64_t)list->count + 1,
                               sizeof(uint32_t))) {
        p->failed = true;
        return;
    }

    edges->at[list->count] = (uint32_t)edge;
    p->failed = !vni_box_lists_add(p->out, list, box);
}

static void goes(planner* p, const vni_box* box, int32_t edge) {
    add(p, &p->out->went, &p->live->went, box, edge);
}

static void comes(planner* p, const vni_box* box, int32_t edge) {
    add(p, &p->out->came, &p->live->came, box, edge);
}

/// Does one of the first `count` changes overlap a box?
static bool has_changes(const planner* p, uint32_t count, const vni_box* box) {
    for (uint32_t i = 0; i < count; ++i)
        if (vni_box_overlaps(&p->changes[i], box))
            return true;
    return false;
}

/// All that is there of a box.
static void parts_go(planner* p, const vni_box* box, int32_t edge) {
    cube part = {.edge = edge};
    for (vni_parts parts = vni_parts_in(box, edge, box); !p->failed && vni_parts_next(&parts, &part.box);) {
        const int32_t next = vni_split_cube(edge);
        if (is_there(p->live, &part))
            goes(p, &part.box, edge);
        else if (next > 0)
            parts_go(p, &part.box, next);
    }
}

/// The parts of a box that was whole and is not free any more.
static void parts_come(planner* p, const vni_box* box, int32_t edge) {
    vni_box part;
    for (vni_parts parts = vni_parts_in(box, edge, box); !p->failed && vni_parts_next(&parts, &part);) {
        const vni_cube_state state = vni_box_state_of(p->now, &part);
        if (state == VNI_CUBE_FREE)
            comes(p, &part, edge);
        else if (state == VNI_CUBE_MIXED)
            parts_come(p, &part, vni_split_cube(edge));
    }
}

static void plan_parts(planner* p, const vni_box* box, int32_t edge);

static void plan_cube(planner* p, const cube* c) {
    const vni_cube_state state = vni_box_state_of(p->now, &c->box);
    const bool was = is_there(p->live, c);
    const int32_t next = vni_split_cube(c->edge);
    if (was && state == VNI_CUBE_FREE)
        return;

    if (was) {
        goes(p, &c->box, c->edge);
        if (state == VNI_CUBE_MIXED)
            parts_come(p, &c->box, next);
    } else if (state == VNI_CUBE_MIXED) {
        plan_parts(p, &c->box, next);
    } else {
        if (next > 0)
            parts_go(p, &c->box, next);
        if (state == VNI_CUBE_FREE)
            comes(p, &c->box, c->edge);
    }
}

/// The parts with changes of a box that was split and still is.
static void plan_parts(planner* p, const vni_box* box, int32_t edge) {
    for (uint32_t i = 0; i < p->change_count; ++i) {
        cube part = {.edge = edge};
        vni_parts parts = vni_parts_in(box, edge, &p->changes[i]);
        while (!p->failed && vni_parts_next(&parts, &part.box)) {
            // A part with two changes is the first one's.
            if (!has_changes(p, i, &part.box))
                plan_cube(p, &part);
        }
    }
}

static void plan_saved(planner* p, uint32_t number) {
    const vni_box* box = &p->live->saved.boxes[number];
    const int32_t edge = vni_split_box(box, p->now->dims);
    const bool was_whole = vni_bits_get(p->live->whole, number);
    const bool is_free = vni_box_state_of(p->now, box) == VNI_CUBE_FREE;
    if (was_whole && !is_free) {
        goes(p, box, 0);
        if (edge > 0)
            parts_come(p, box, edge);
    } else if (!was_whole && is_free) {
        if (edge > 0)
            parts_go(p, box, edge);
        comes(p, box, 0);
    } else if (!was_whole && edge > 0) {
        p->change_count = vni_boxes_select(p->changes, p->all_changes, box);
        plan_parts(p, box, edge);
    }
}

// ---------------------------------------------------------------------------------------------------- update

static bool note_hit(void* user, uint32_t leaf) {
    planner* p = (planner*)user;
    vni_live_merged* live = p->live;
    const uint32_t number = live->saved.of_leaf[leaf];
    if (live->stamps[number] == live->stamp)
        return true;

    live->stamps[number] = live->stamp;
    p->failed = !vni_grow(&live->allocator, &live->hit, &live->hit_capacity, (uint64_t)live->hit_count + 1,
                          sizeof(uint32_t));
    if (!p->failed)
        live->hit[live->hit_count++] = number;
    return !p->failed;
}

/// The saved boxes that overlap a change, each once.
static void find_hit(planner* p) {
    vni_live_merged* live = p->live;
    if (++live->stamp == 0 && live->saved.box_count > 0) { // once in 2^32 updates
        memset(live->stamps, 0, live->saved.box_count * sizeof(uint32_t));
        live->stamp = 1;
    }

    for (uint32_t i = 0; i < p->all_changes && !p->failed; ++i)
        vni_octree_visit_in(&live->saved_tree, &p->changes[i], note_hit, p);
}

/// The changes as a copy that the plan may put into another order.
static bool copy_changes(planner* p, const vni_box* changes) {
    vni_live_merged* live = p->live;
    live->hit_count = 0;
    p->failed =
        !vni_grow(&live->allocator, &live->changes, &live->change_capacity, p->all_changes, sizeof(vni_box));
    if (!p->failed && p->all_changes > 0)
        memcpy(live->changes, changes, p->all_changes * sizeof *changes);
    p->changes = live->changes;
    return !p->failed;
}

static void set_whole(vni_live_merged* live, const vni_box* box, bool whole) {
    const uint32_t number = vni_live_merged_saved_at(live, vni_box_low(box));
    VNI_ASSERT(vni_bits_get(live->whole, number) != whole);
    if (whole)
        vni_bits_set(live->whole, number);
    else
        vni_bits_clear(live->whole, number);
    live->whole_count = whole ? live->whole_count + 1 : live->whole_count - 1;
}

/// Carries out the plan; capacity for all parts has been reserved.
static void apply(vni_live_merged* live, const vni_box_lists* lists, uint32_t went_from, uint32_t went_end,
                  uint32_t came_from, uint32_t came_end) {
    for (uint32_t i = went_from; i < went_end; ++i) {
        const vni_box box = vni_box_of(lists->went.at[i]);
        if (live->went.at[i] == 0)
            set_whole(live, &box, false);
        else
            vni_map_remove(&live->parts, key_of(&box));
    }

    for (uint32_t i = came_from; i < came_end; ++i) {
        const vni_box box = vni_box_of(lists->came.at[i]);
        const bool put = live->came.at[i] == 0 || vni_map_put(&live->parts, key_of(&box), live->came.at[i]);
        VNI_ASSERT(put);
        (void)put;
        if (live->came.at[i] == 0)
            set_whole(live, &box, true);
    }
}

vn_status vni_live_merged_update(vni_live_merged* live, const vni_occupancy* occupancy,
                                 const vni_box* changes, uint32_t change_count, vni_box_lists* out,
                                 vn_detail* detail) {
    const uint32_t went = out->went.count, came = out->came.count;
    planner p = {live, occupancy, NULL, 0, change_count, out, false};
    if (copy_changes(&p, changes))
        find_hit(&p);
    for (uint32_t i = 0; i < live->hit_count && !p.failed; ++i)
        plan_saved(&p, live->hit[i]);

    const uint32_t went_end = out->went.count, came_end = out->came.count;
    vn_status status = VN_OK;
    if (p.failed || !vni_map_reserve(&live->parts, live->parts.count + (came_end - came)))
        status = vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to update a merged octree");
    if (status == VN_OK)
        status = vni_live_octree_update(&live->opened, occupancy, changes, change_count, out, detail);
    if (status != VN_OK) {
        out->went.count = went;
        out->came.count = came;
        return status;
    }

    apply(live, out, went, went_end, came, came_end);
    live->occupancy = occupancy;
    return VN_OK;
}
