/// The view cells-portal: its edges against all pairs of portals on a cell, and A* = Dijkstra on it, with
/// paths that the checker accepts.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "search/best_first.h"
#include "space/space.h"
#include "view/portals.h"
#include "volnav/path.h"

#include <math.h>
#include <string.h>

typedef struct setting {
    vnt_voxels voxels;
    vn_space* space;
    vni_portal_index index;
    vni_portal_view view;
    vn_graph graph;
    vn_voxel start, goal;
} setting;

static bool make_setting(vni_rng* rng, int32_t limit, setting* out) {
    vn_jobs serial = vn_serial_jobs();
    out->voxels = vnt_voxels_random(rng, vnt_random_dims(rng, limit));
    out->space = vnt_voxels_cells(&out->voxels, &serial);
    assert_int_equal(vni_portal_index_make(&out->space->allocator, &out->space->cells, &out->index), VN_OK);
    if (!vnt_random_free_voxel(rng, &out->voxels, &out->start) ||
        !vnt_random_free_voxel(rng, &out->voxels, &out->goal))
        return false;

    assert_true(vni_portal_view_make(&out->index, &out->space->occupancy, vn_voxel_center(out->start),
                                     out->start, vn_voxel_center(out->goal), out->goal, &out->view));
    out->graph = vni_portal_view_graph(&out->view);
    return true;
}

static void free_setting(setting* s) {
    vni_portal_index_free(&s->index);
    vn_space_destroy(s->space);
    vnt_voxels_free(&s->voxels);
}

/// The cells that a node lies on.
static uint32_t cells_of(const setting* s, uint32_t node, uint32_t out[2]) {
    if (node >= s->index.portal_count) {
        out[0] = s->view.incidence.end_cells[node - s->index.portal_count];
        return 1;
    }
    memcpy(out, s->index.portals[node].cells, sizeof s->index.portals[node].cells);
    return 2;
}

static bool share_a_cell(const setting* s, uint32_t a, uint32_t b) {
    uint32_t ca[2], cb[2], na = cells_of(s, a, ca), nb = cells_of(s, b, cb);
    for (uint32_t i = 0; i < na; ++i)
        for (uint32_t k = 0; k < nb; ++k)
            if (ca[i] == cb[k])
                return true;
    return false;
}

static void check_edges(const setting* s, uint32_t node) {
    static unsigned char seen[1 << 16];
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    assert_true(s->graph.node_limit <= sizeof seen);

    memset(seen, 0, s->graph.node_limit);
    do {
        uint32_t count = s->graph.expand(s->graph.self, node, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i) {
            assert_true(to[i] != node);
            assert_true(to[i] < s->graph.node_limit);
            assert_true(cost[i] >= 0);
            assert_true(s->graph.visible(s->graph.self, node, to[i]));
            seen[to[i]] = 1;
        }
    } while (cursor != 0);

    for (uint32_t other = 0; other < s->graph.node_limit; ++other)
        assert_int_equal(seen[other], other != node && share_a_cell(s, node, other));
}

static void test_edges(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("portal edges", 121));
    for (uint32_t i = 0; i < vnt_scale(30, 400); ++i) {
        setting s;
        if (make_setting(&rng, 14, &s)) {
            assert_int_equal(s.index.portal_count * (uint64_t)2, s.space->cells.link_count);
            uint32_t step = 1 + s.graph.node_limit / 50;
            for (uint32_t node = 0; node < s.graph.node_limit; node += step)
                check_edges(&s, node);
            check_edges(&s, vni_portal_view_start(&s.view));
            check_edges(&s, vni_portal_view_goal(&s.view));
        }

        free_setting(&s);
    }
}

static vn_status search(const setting* s, vni_scratch* scratch, double h_weight, vni_best_first* out) {
    static vni_cost cost;
    cost = vni_cost_length(VNI_METRIC_EUCLIDEAN, 26);
    vni_best_first_def def = {1, h_weight, false, false, 0};
    assert_int_equal(vni_best_first_begin(out, &def, &s->graph, &cost, scratch,
                                          vni_portal_view_start(&s->view), vni_portal_view_goal(&s->view)),
                     VN_OK);

    return vni_best_first_step(out, UINT64_MAX);
}

static void check_path(const setting* s, const vni_best_first* found) {
    vn_point points[4096];
    uint32_t count = 0;
    for (uint32_t at = vni_portal_view_goal(&s->view); at != VN_NO_NODE && count < 4096;
         at = vni_best_first_parent(found, at))
        s->graph.points(s->graph.self, &at, 1, &points[count++]);
    assert_true(vn_space_check_path(s->space, points, count, NULL));
}

static void test_astar_equals_dijkstra(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("portal search", 122));
    vn_allocator allocator = vn_default_allocator();
    for (uint32_t i = 0; i < vnt_scale(100, 2000); ++i) {
        setting s;
        if (make_setting(&rng, i % 4 == 0 ? 70 : 16, &s)) {
            vni_scratch scratch;
            vni_best_first dijkstra, astar;
            assert_int_equal(vni_scratch_make(&allocator, s.graph.node_limit, s.graph.node_limit, &scratch),
                             VN_OK);
            vn_status want = search(&s, &scratch, 0, &dijkstra);
            double cost = want == VN_OK ? vni_best_first_g(&dijkstra, vni_portal_view_goal(&s.view)) : 0;
            assert_int_equal(search(&s, &scratch, 1, &astar), want);
            vni_cell_ref a, b;
            assert_true(vni_cells_find(&s.space->cells, s.start, &a));
            assert_true(vni_cells_find(&s.space->cells, s.goal, &b));
            assert_int_equal(want == VN_OK, vni_cells_component(&s.space->cells, a) ==
                                                vni_cells_component(&s.space->cells, b));

            if (want == VN_OK) {
                assert_true(fabs(vni_best_first_g(&astar, vni_portal_view_goal(&s.view)) - cost) <=
                            1e-9 * (1 + cost));
                assert_true(astar.expanded <= dijkstra.expanded);
                check_path(&s, &astar);
            }

            vni_scratch_free(&scratch);
        }

        free_setting(&s);
    }
}

static void test_out_of_memory(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("portal memory", 123));
    vn_jobs serial = vn_serial_jobs();
    vn_voxel dims = {30, 20, 10};
    vnt_voxels voxels = vnt_voxels_random(&rng, dims);

    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    for (uint64_t k = 0;; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        vn_allocator allocator = vnt_memory_allocator(&memory);
        vni_portal_index index;
        vn_status status = vni_portal_index_make(&allocator, &space->cells, &index);

        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        if (status == VN_OK)
            assert_int_equal(vni_portal_index_bytes(&index), memory.live_bytes);

        vni_portal_index_free(&index);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        if (!memory.failed)
            break;
    }

    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges),
                                       cmocka_unit_test(test_astar_equals_dijkstra),
                                       cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests_name("search/portals", tests, NULL, NULL);
}
