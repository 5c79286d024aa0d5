/// tests/unit/nav/changes_check.h: voxels and graphs of a version, and what the changes of versions make of
/// them.
#ifndef VNT_CHANGES_CHECK_H
#define VNT_CHANGES_CHECK_H

#include "graph_copy.h"
#include "scene.h"

#include "space/space.h"

/// All voxels of a space as bytes.
static inline unsigned char* copy_voxels(const vn_space* space) {
    const int32_t* dims = space->occupancy.dims;
    unsigned char* out = calloc((size_t)dims[0] * (size_t)dims[1] * (size_t)dims[2], 1);
    assert_non_null(out);
    for (int32_t z = 0, i = 0; z < dims[2]; ++z)
        for (int32_t y = 0; y < dims[1]; ++y)
            for (int32_t x = 0; x < dims[0]; ++x)
                out[i++] = !vni_occupancy_free_at(&space->occupancy, x, y, z);
    return out;
}

/// Applies the bricks; each bit of `before` must be what is there.
static inline void apply_bricks(const vn_layer_changes* layer, const int32_t dims[3], unsigned char* voxels) {
    for (uint32_t i = 0; i < layer->brick_count; ++i) {
        const vn_brick_change* b = &layer->bricks[i];
        assert_true(b->before != b->after);
        for (int32_t bit = 0; bit < 64; ++bit) {
            const int32_t x = b->low.x + (bit & 3), y = b->low.y + (bit >> 2 & 3), z = b->low.z + (bit >> 4);
            if (x >= dims[0] || y >= dims[1] || z >= dims[2])
                continue;
            unsigned char* at = &voxels[x + dims[0] * (y + dims[1] * z)];
            assert_int_equal(*at, b->before >> bit & 1);
            *at = b->after >> bit & 1;
        }
    }
}

/// Marks the nodes next to the start, which is put into every free voxel of a coarse grid and every cell.
static inline live_copy copy_graph(vn_nav_graph* graph) {
    const vn_space* space = vn_nav_graph_space(graph);
    const vn_graph* g = vn_nav_graph_get(graph);
    live_copy copy = {calloc(g->node_limit + 1, sizeof(live_node)), g->node_limit};
    live_node start = {0};
    for (uint32_t b = 0; b < vni_cells_block_count(&space->cells); ++b)
        for (uint32_t i = 0; i < space->cells.table[b]->cell_count; ++i) {
            const vn_voxel_box box =
                vni_cell_voxels(&space->cells.views[b], &space->cells.table[b]->cells[i]);
            const bool grid = g->cells != NULL;
            for (int32_t z = box.low.z; z < (grid ? box.high.z : box.low.z + 1); ++z)
                for (int32_t y = box.low.y; y < (grid ? box.high.y : box.low.y + 1); ++y)
                    for (int32_t x = box.low.x; x < (grid ? box.high.x : box.low.x + 1); ++x) {
                        assert_int_equal(vn_nav_graph_set_end(graph, 0, scene_point(x, y, z)), VN_OK);
                        live_copy_edges(g, VN_START_NODE, &start);
                        for (uint32_t k = 0; k < start.count; ++k)
                            copy.nodes[start.edges[k].to].exists = true;
                    }
        }

    // without the end, whose edges are this reader's own
    (void)vn_nav_graph_set_end(graph, 0, vn_point_outside());
    for (uint32_t id = 0; id < copy.limit; ++id)
        if (copy.nodes[id].exists)
            live_copy_node(g, id, &copy.nodes[id]);
    free(start.edges);
    return copy;
}

/// Changes a copy as of `from` by the deltas since: what went is gone, what came or changed is read from the
/// newest graph.
static inline void replay(const vn_nav_graph* graph, uint64_t from, live_copy* copy) {
    const vn_graph* g = vn_nav_graph_get(graph);
    live_copy_grow(copy, g->node_limit);
    for (uint64_t v = from + 1; v <= vn_nav_graph_version(graph); ++v) {
        vn_node_changes c;
        assert_int_equal(vn_nav_graph_get_changes(graph, v, &c), VN_OK);
        assert_int_equal(c.version, v);
        for (uint32_t k = 0; k < c.went_count; ++k) {
            assert_true(copy->nodes[c.went[k]].exists);
            copy->nodes[c.went[k]].exists = false;
        }
        for (uint32_t k = 0; k < c.came_count; ++k) {
            assert_false(copy->nodes[c.came[k]].exists);
            copy->nodes[c.came[k]].exists = true;
            copy->nodes[c.came[k]].key = VN_NO_NODE; // to be read
        }
        for (uint32_t k = 0; k < c.changed_count; ++k) {
            assert_true(copy->nodes[c.changed[k]].exists);
            copy->nodes[c.changed[k]].key = VN_NO_NODE;
        }
    }

    for (uint32_t id = 0; id < copy->limit; ++id)
        if (copy->nodes[id].exists && copy->nodes[id].key == VN_NO_NODE)
            live_copy_node(g, id, &copy->nodes[id]);
}

#endif
