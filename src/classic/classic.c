/// classic/classic.c: the life of a search space, and what it tells of itself.
#include "base/alloc.h"
#include "base/fail.h"
#include "classic/classic_inside.h"
#include "probe/nearest.h"
#include "space/frame.h"

#include <math.h>
#include <string.h>

#define CLASSIC_COOKIE  0x71b40065u
#define DEFAULT_HISTORY 64u

vn_classic_def vn_default_classic_def(void) {
    vn_classic_def def;
    memset(&def, 0, sizeof def);
    def.allocator = vn_default_allocator();
    def.max_depth = UINT32_MAX;
    def.version = 1;
    def.cookie = CLASSIC_COOKIE;
    return def;
}

static vn_status check_def(const vn_classic_def* def, vn_detail* detail) {
    if (def->cookie != CLASSIC_COOKIE)
        return vni_fail(detail, VN_BAD_DEF,
                        "make the classic's def with vn_default_classic_def, then change what you mean");

    if (!vni_allocator_is_valid(&def->allocator))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the allocator lacks a function");
    if (vn_classic_kind_name(def->kind) == NULL)
        return vni_fail(detail, VN_BAD_ARGUMENT, "there is no search space number %d", (int)def->kind);

    return VN_OK;
}

/// VN_CANCELLED if the caller has had enough.
static vn_status report(const vn_classic_def* def, const char* stage, double fraction, vn_detail* detail) {
    if (def->progress == NULL || def->progress(def->progress_user, stage, fraction))
        return VN_OK;
    return vni_fail(detail, VN_CANCELLED, "cancelled while building the %s", vn_classic_kind_name(def->kind));
}

static vn_status build_grid(vn_classic* classic, const vn_classic_def* def, vn_detail* detail) {
    const vni_occupancy* occupancy = &classic->space->occupancy;
    vn_status status = report(def, "rows", 0, detail);
    if (status == VN_OK)
        status = vni_grid_make(occupancy, 6, &classic->grid6, detail);
    if (status == VN_OK)
        status = vni_grid_make(occupancy, 26, &classic->grid26, detail);
    if (status == VN_OK)
        status = vni_jps_rows_make(&def->allocator, &classic->grid26, &classic->rows, detail);

    if (status != VN_OK)
        return status;
    vni_jps_index_make(&classic->grid6, &classic->rows, &classic->jps6);
    vni_jps_index_make(&classic->grid26, &classic->rows, &classic->jps26);
    return report(def, "rows", 1, detail);
}

vn_status vni_classic_make_centres(vn_classic* classic, vn_detail* detail) {
    const uint32_t count = classic->boxes.portal_count;
    classic->centres = VNI_NEW_ARRAY(&classic->allocator, vn_point, count);
    if (count > 0 && classic->centres == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the %u transitions of a tree", count);
    vni_view_centres(&classic->boxes, classic->centres);
    return VN_OK;
}

static vni_octree_def tree_def(const vn_classic_def* def) {
    return (vni_octree_def){def->split_root ? VNI_ROOT_GCD : VNI_ROOT_CUBE, def->min_depth, def->max_depth};
}

vn_status vni_classic_build_live(vn_classic* classic, const vn_classic_def* def, vni_octree* tree,
                                 vni_boxes* boxes, vn_detail* detail) {
    const vni_follow_def follow = {.allocator = def->allocator,
                                   .merges = def->kind == VN_CLASSIC_MERGED,
                                   .tree = tree_def(def),
                                   .history = def->history ? def->history : DEFAULT_HISTORY,
                                   .version = def->version,
                                   .adopts = tree,
                                   .boxes = boxes,
                                   .greedy = def->greedy,
                                   .clock = {def->clock, def->clock_user}};
    classic->follows = true;
    return vni_follow_make(classic->space, &follow, &classic->follow, detail);
}

static vn_status build_live(vn_classic* classic, const vn_classic_def* def, vn_detail* detail) {
    if (def->kind == VN_CLASSIC_GRID)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "the grid follows changes as a graph of the nav: a classic "
                        "that follows is an octree or a merged one");
    if (def->greedy && def->kind != VN_CLASSIC_MERGED)
        return vni_fail(detail, VN_UNSUPPORTED, "only a merged octree can be merged greedily");
    if (def->max_depth < VNI_OCTREE_MAX_LEVELS)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "a tree that follows changes has no greatest depth: bake with larger voxels");

    vn_status status = report(def, "octree", 0, detail);
    if (status == VN_OK)
        status = vni_classic_build_live(classic, def, NULL, NULL, detail);
    return status == VN_OK ? report(def, "octree", 1, detail) : status;
}

static vn_status build_tree(vn_classic* classic, const vn_classic_def* def, vn_detail* detail) {
    const vni_octree_def tree = tree_def(def);
    const char* boxes = def->kind == VN_CLASSIC_MERGED ? "merge" : "join";
    vn_status status = report(def, "octree", 0, detail);
    if (status == VN_OK)
        status = vni_octree_make(&def->allocator, &classic->space->occupancy, &tree, &classic->tree, detail);
    if (status == VN_OK)
        status = report(def, boxes, 0, detail);
    if (status == VN_OK)
        status = def->kind == VN_CLASSIC_MERGED
                     ? vni_boxes_merged(&def->allocator, &classic->tree, &classic->boxes, detail)
                     : vni_boxes_from_leaves(&def->allocator, &classic->tree, &classic->boxes, detail);

    if (status == VN_OK)
        status = vni_classic_make_centres(classic, detail);

    return status == VN_OK ? report(def, boxes, 1, detail) : status;
}

vn_status vni_classic_begin(const vn_space* space, const vn_classic_def* def, vn_classic** out,
                            vn_detail* detail) {
    *out = NULL;
    vn_status status = check_def(def, detail);
    if (status != VN_OK)
        return status;

    vn_classic* classic = VNI_NEW(&def->allocator, vn_classic);
    if (classic == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a search space");

    classic->allocator = def->allocator;
    classic->space = space;
    classic->kind = def->kind;
    classic->split_root = def->split_root;
    classic->min_depth = def->min_depth;
    classic->max_depth = def->max_depth;
    *out = classic;
    return VN_OK;
}

vn_status vn_classic_build(const vn_space* space, const vn_classic_def* def, vn_classic** out,
                           vn_detail* detail) {
    VNI_ASSERT(space != NULL && def != NULL && out != NULL);

    vn_status status = vni_classic_begin(space, def, out, detail);
    if (status != VN_OK)
        return status;

    status = def->follows                   ? build_live(*out, def, detail)
             : def->kind == VN_CLASSIC_GRID ? build_grid(*out, def, detail)
                                            : build_tree(*out, def, detail);
    if (status != VN_OK) {
        vn_classic_destroy(*out);
        *out = NULL;
    }

    return status;
}

void vn_classic_destroy(vn_classic* classic) {
    if (classic == NULL)
        return;
    vn_allocator allocator = classic->allocator;
    vni_jps_rows_free(&classic->rows);
    vni_follow_free(&classic->follow);
    VNI_DELETE_ARRAY(&allocator, classic->centres, classic->boxes.portal_count);
    vni_boxes_free(&classic->boxes);
    vni_octree_free(&classic->tree);
    VNI_DELETE(&allocator, classic);
}

void vn_classic_get_memory(const vn_classic* classic, vn_memory* out) {
    memset(out, 0, sizeof *out);
    if (classic->kind == VN_CLASSIC_GRID) {
        vni_memory_add(out, "rows", vni_jps_rows_bytes(&classic->rows));
    } else if (classic->follows) {
        vni_classic_live_memory(classic, out);
    } else {
        vni_memory_add(out, "octree", vni_octree_bytes(&classic->tree));
        vni_memory_add(out, "boxes", vni_boxes_bytes(&classic->boxes));
        vni_memory_add(out, "transitions", classic->boxes.portal_count * sizeof *classic->centres);
    }

    vni_memory_add(out, "classic", sizeof *classic);
}

void vn_classic_get_info(const vn_classic* classic, vn_classic_info* out) {
    VNI_ASSERT(classic != NULL && out != NULL);

    memset(out, 0, sizeof *out);
    out->kind = classic->kind;
    if (classic->kind == VN_CLASSIC_GRID) {
        vn_space_info info;
        vn_space_get_info(classic->space, &info);
        out->leaves = out->cells = info.free_voxels;
        return;
    }

    if (classic->follows) {
        vni_classic_live_info(classic, out);
        return;
    }

    const vni_octree* tree = &classic->tree;
    out->leaves = tree->leaf_count;
    out->cells = classic->boxes.box_count;
    out->portals = classic->boxes.portal_count;
    out->depth = tree->deepest;
    out->root_edge = tree->root_edge;
    out->roots = (vn_voxel){tree->roots[0], tree->roots[1], tree->roots[2]};
}

// --------------------------------------------------------------------------------------------------- boxes

static int32_t clamp(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}

static void visit_voxels(const vni_occupancy* o, vn_voxel low, vn_voxel high, vn_visit_cell* visit,
                         void* user) {
    for (int32_t z = clamp(low.z, 0, o->dims[2]); z < clamp(high.z, 0, o->dims[2]); ++z)
        for (int32_t y = clamp(low.y, 0, o->dims[1]); y < clamp(high.y, 0, o->dims[1]); ++y)
            for (int32_t x = clamp(low.x, 0, o->dims[0]); x < clamp(high.x, 0, o->dims[0]); ++x)
                if (vni_occupancy_free_at(o, x, y, z) &&
                    !visit(user, (vn_voxel){x, y, z}, (vn_voxel){x + 1, y + 1, z + 1}))
                    return;
}

static vn_voxel low_of(const vni_box* box) {
    return (vn_voxel){box->low[0], box->low[1], box->low[2]};
}

static vn_voxel high_of(const vni_box* box) {
    return (vn_voxel){box->high[0], box->high[1], box->high[2]};
}

void vn_classic_visit_boxes(const vn_classic* classic, vn_voxel low, vn_voxel high, vn_visit_cell* visit,
                            void* user) {
    VNI_ASSERT(classic != NULL && visit != NULL);

    if (classic->kind == VN_CLASSIC_GRID) {
        visit_voxels(&classic->space->occupancy, low, high, visit, user);
        return;
    }

    if (classic->follows) {
        vni_classic_live_visit(classic, low, high, visit, user);
        return;
    }

    for (uint32_t i = 0; i < classic->boxes.box_count; ++i) {
        const vni_box* box = &classic->boxes.boxes[i];
        bool meets = box->low[0] < high.x && box->low[1] < high.y && box->low[2] < high.z &&
                     box->high[0] > low.x && box->high[1] > low.y && box->high[2] > low.z;
        if (meets && !visit(user, low_of(box), high_of(box)))
            return;
    }
}

vn_status vn_classic_nearest_box(const vn_classic* classic, vn_point point, vn_voxel* low, vn_voxel* high,
                                 double* distance) {
    VNI_ASSERT(classic != NULL && low != NULL && high != NULL && distance != NULL);

    if (vn_point_is_outside(point))
        return VN_OUTSIDE;
    if (classic->kind == VN_CLASSIC_GRID || classic->follows) {
        vni_vec at = vni_point_in_voxels(point);
        if (!vni_nearest_free(&classic->space->occupancy, at, HUGE_VAL, low, distance))
            return VN_NOT_FOUND;
        *high = (vn_voxel){low->x + 1, low->y + 1, low->z + 1};
        vni_box box;
        if (classic->follows && vni_follow_at(&classic->follow, *low, &box)) {
            *low = low_of(&box);
            *high = high_of(&box);
        }

        *distance = vni_voxels_to_metres(classic->space, *distance);
        return VN_OK;
    }

    double distance2;
    uint32_t leaf = vni_octree_nearest(&classic->tree, point, &distance2);
    if (leaf == VNI_NO_LEAF)
        return VN_NOT_FOUND;

    const vni_boxes* boxes = &classic->boxes;
    const vni_box* box = &boxes->boxes[boxes->of_leaf != NULL ? boxes->of_leaf[leaf] : leaf];
    *low = low_of(box);
    *high = high_of(box);
    *distance = vni_steps_to_metres(classic->space, sqrt(distance2));

    return VN_OK;
}

// ---------------------------------------------------------------------------------------------------- ends

static int32_t nearest_voxel(int32_t coordinate, int32_t low, int32_t high) {
    return clamp(vni_step_to_voxel(coordinate), low, high - 1);
}

/// The nearest point of the nearest leaf.
static vn_status place_in_leaf(const vn_classic* classic, vn_point point, double snap_distance,
                               vni_endpoint* out) {
    double distance2;
    uint32_t leaf = vni_octree_nearest(&classic->tree, point, &distance2);
    if (leaf == VNI_NO_LEAF)
        return vni_space_fault_at(classic->space, point);

    const vni_box b = vni_octree_leaf_box(&classic->tree, leaf);
    vn_point nearest = {clamp(point.x, vni_voxel_to_steps(b.low[0]), vni_voxel_to_steps(b.high[0])),
                        clamp(point.y, vni_voxel_to_steps(b.low[1]), vni_voxel_to_steps(b.high[1])),
                        clamp(point.z, vni_voxel_to_steps(b.low[2]), vni_voxel_to_steps(b.high[2]))};

    double distance = vni_steps_to_metres(classic->space, sqrt(distance2));
    if (distance > snap_distance) {
        out->has_nearest = true;
        out->nearest = nearest;
        out->nearest_distance = distance;
        return vni_space_fault_at(classic->space, point);
    }

    out->point = nearest;
    out->voxel =
        (vn_voxel){nearest_voxel(point.x, b.low[0], b.high[0]), nearest_voxel(point.y, b.low[1], b.high[1]),
                   nearest_voxel(point.z, b.low[2], b.high[2])};
    return VN_OK;
}

vn_status vni_classic_place(const vn_classic* classic, vn_point point, double snap_distance,
                            vni_endpoint* out) {
    if (classic->kind == VN_CLASSIC_GRID || classic->follows)
        return vni_endpoint_place(classic->space, point, snap_distance, out);
    memset(out, 0, sizeof *out);
    out->point = point;
    if (vn_point_is_outside(point))
        return VN_OUTSIDE;
    if (vni_space_free_voxel_at(classic->space, point, &out->voxel) &&
        vni_boxes_at(&classic->boxes, out->voxel) != VNI_NO_LEAF)
        return VN_OK;

    return place_in_leaf(classic, point, snap_distance, out);
}

static bool has_box(const void* user, vn_voxel voxel) {
    const vn_classic* classic = (const vn_classic*)user;
    return classic->kind == VN_CLASSIC_GRID || classic->follows ||
           vni_boxes_at(&classic->boxes, voxel) != VNI_NO_LEAF;
}

/// False only if no path joins the voxels.
static bool may_be_joined(const vn_space* space, vn_voxel a, vn_voxel b) {
    vni_cell_ref of_a, of_b;
    return !vni_space_has_cells(space) || !vni_cells_find(&space->cells, a, &of_a) ||
           !vni_cells_find(&space->cells, b, &of_b) ||
           vni_cells_component(&space->cells, of_a) == vni_cells_component(&space->cells, of_b);
}

bool vni_classic_pair(const vn_classic* classic, uint32_t number, vni_endpoint* start, vni_endpoint* goal) {
    vn_voxel starts[8], goals[8];
    uint32_t start_count = vni_space_sides(classic->space, start->point, has_box, classic, starts);
    uint32_t goal_count = vni_space_sides(classic->space, goal->point, has_box, classic, goals), found = 0;
    for (uint32_t i = 0; i < start_count * goal_count; ++i) {
        vn_voxel a = starts[i / goal_count], b = goals[i % goal_count];
        if (!may_be_joined(classic->space, a, b) || found++ < number)
            continue;
        start->voxel = a;
        goal->voxel = b;
        return true;
    }

    return number == 0;
}
