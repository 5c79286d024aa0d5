/// classic/live_merged_find.c: which boxes of a merged octree that follows changes are where.
#include "classic/live_merged.h"

#include "classic/split.h"
#include "geom/morton.h"

/// The cube that is there with this low corner; 0 if none is.
static uint32_t edge_at(const vni_live_merged* live, const int32_t low[3]) {
    const uint64_t key = vni_morton_encode((uint32_t)low[0], (uint32_t)low[1], (uint32_t)low[2]);
    const uint32_t* edge = vni_map_find(&live->parts, key);
    return edge != NULL ? *edge : 0;
}

/// Down through the cubes around the voxel, until one is there.
static bool part_at(const vni_live_merged* live, const vni_box* saved, vn_voxel voxel, vni_box* out) {
    const vni_box region = {{voxel.x, voxel.y, voxel.z}, {voxel.x + 1, voxel.y + 1, voxel.z + 1}};
    vni_box box = *saved;
    for (int32_t edge = vni_split_box(saved, live->occupancy->dims); edge > 0; edge = vni_split_cube(edge)) {
        vni_parts parts = vni_parts_in(&box, edge, &region);
        vni_parts_next(&parts, out);
        if (edge_at(live, out->low) == (uint32_t)edge)
            return true;
        box = *out;
    }

    return false;
}

bool vni_live_merged_at(const vni_live_merged* live, vn_voxel voxel, vni_box* out) {
    const uint32_t saved = vni_live_merged_saved_at(live, voxel);
    if (saved == UINT32_MAX) {
        const uint32_t leaf = vni_octree_leaf_at(&live->opened.tree, voxel);
        if (leaf != VNI_NO_LEAF)
            *out = vni_octree_leaf_box(&live->opened.tree, leaf);
        return leaf != VNI_NO_LEAF;
    }

    *out = live->saved.boxes[saved];
    return vni_bits_get(live->whole, saved) || part_at(live, &live->saved.boxes[saved], voxel, out);
}

// ------------------------------------------------------------------------------------------------ in a
// region

typedef struct visitor {
    const vni_live_merged* live;
    const vni_box* region;
    vni_visit_box* visit;
    void* user;
} visitor;

static bool visit_parts(const visitor* v, const vni_box* box, int32_t edge) {
    vni_box part;
    for (vni_parts parts = vni_parts_in(box, edge, v->region); vni_parts_next(&parts, &part);) {
        const int32_t next = vni_split_cube(edge);
        const bool is_there = edge_at(v->live, part.low) == (uint32_t)edge;
        if (is_there ? !v->visit(v->user, &part) : next > 0 && !visit_parts(v, &part, next))
            return false;
    }

    return true;
}

/// A saved box has many leaves: it is the turn of the one that holds the low corner of its part in the
/// region.
static bool visit_saved(void* user, uint32_t leaf) {
    const visitor* v = (const visitor*)user;
    const vni_live_merged* live = v->live;
    const uint32_t number = live->saved.of_leaf[leaf];
    const vni_box *box = &live->saved.boxes[number], of_leaf = vni_octree_leaf_box(&live->saved_tree, leaf);
    const vni_box part = vni_box_cut(box, v->region);
    for (int i = 0; i < 3; ++i)
        if (part.low[i] < of_leaf.low[i] || part.low[i] >= of_leaf.high[i])
            return true;

    if (vni_bits_get(live->whole, number))
        return v->visit(v->user, box);
    const int32_t edge = vni_split_box(box, live->occupancy->dims);
    return edge == 0 || visit_parts(v, box, edge);
}

static bool visit_opened(void* user, uint32_t leaf) {
    const visitor* v = (const visitor*)user;
    const vni_box box = vni_octree_leaf_box(&v->live->opened.tree, leaf);
    return v->visit(v->user, &box);
}

bool vni_live_merged_visit_in(const vni_live_merged* live, const vni_box* region, vni_visit_box* visit,
                              void* user) {
    visitor v = {live, region, visit, user};
    return vni_octree_visit_in(&live->saved_tree, region, visit_saved, &v) &&
           vni_octree_visit_in(&live->opened.tree, region, visit_opened, &v);
}

bool vni_live_merged_neighbours(const vni_live_merged* live, const vni_box* box, vni_visit_box* visit,
                                void* user) {
    for (int face = 0; face < 6; ++face) {
        const int axis = face / 2;
        vni_box beyond = *box;
        beyond.low[axis] = face % 2 ? box->high[axis] : box->low[axis] - 1;
        beyond.high[axis] = beyond.low[axis] + 1;
        if (!vni_live_merged_visit_in(live, &beyond, visit, user))
            return false;
    }

    return true;
}
