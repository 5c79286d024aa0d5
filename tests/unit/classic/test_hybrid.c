/// The hybrid graph against its definition by brute force: nodes and kinds, edges, predecessors, states after
/// changes and their deltas; memory.
#include "graph_lists.h"
#include "hybrid_world.h"

#include <math.h>

static vn_voxel voxel_number(vn_voxel dims, uint32_t i) {
    return (vn_voxel){(int32_t)i % dims.x, (int32_t)i / dims.x % dims.y, (int32_t)i / dims.x / dims.y};
}

// ---------------------------------------------------------------------------------------------------- nodes

static expected_kind kind_of(const vni_hybrid* h, vn_voxel v) {
    const uint32_t node = vni_hybrid_node(h, v);
    if (node == VNI_NO_HYBRID)
        return UNUSED;
    const vn_voxel back = vni_hybrid_voxel(h, node);
    assert_true(back.x == v.x && back.y == v.y && back.z == v.z);
    const vn_node_kind kind = vni_hybrid_kind(h, node);
    return kind == VN_NODE_DYNAMIC ? DYNAMIC : kind == VN_NODE_STATIC ? STATIC : NEIGHBOUR;
}

static void test_kinds(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("hybrid kinds", 1));
    for (uint32_t round = 0; round < vnt_scale(60, 1000); ++round) {
        hybrid_world w = world_random(&rng, 14);
        vni_hybrid h = world_hybrid(&w);
        uint32_t counts[4] = {0};
        for (uint32_t i = 0; i < world_size(&w); ++i) {
            const vn_voxel v = voxel_number(world_dims(&w), i);
            const expected_kind kind = kind_at(&w, v);
            assert_int_equal(kind_of(&h, v), kind);
            ++counts[kind];
        }

        assert_int_equal(h.node_count, counts[STATIC] + counts[NEIGHBOUR] + counts[DYNAMIC]);
        assert_int_equal(h.dynamic_count, counts[DYNAMIC]);
        assert_int_equal(h.neighbour_count, counts[NEIGHBOUR]);
        vni_hybrid_free(&h);
        world_free(&w);
    }
}

// ---------------------------------------------------------------------------------------------------- edges

static double length_of(vn_voxel a, vn_voxel b) {
    const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

static void check_edges(const hybrid_world* w, const vni_hybrid* h, const vn_graph* graph) {
    for (uint32_t node = 0; node < h->node_count; ++node) {
        const vn_voxel v = vni_hybrid_voxel(h, node);
        const expected_kind kind = kind_at(w, v);
        edge_list list;
        uint32_t expected = 0;
        list_edges(graph, node + VN_FIRST_NODE, false, &list);
        for (int i = 0; i < 27; ++i) {
            const int32_t d[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
            vn_voxel to;
            if (i == 13 || !expected_edge(w, v, kind, d, &to))
                continue;
            ++expected;
            assert_true(has_edge(&list, vni_hybrid_node(h, to) + VN_FIRST_NODE, length_of(v, to)));
        }
        assert_int_equal(list.count, expected);
    }
}

static void test_edges(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("hybrid edges", 2));
    uint32_t far = 0;
    for (uint32_t round = 0; round < vnt_scale(40, 600); ++round) {
        hybrid_world w = world_random(&rng, 12);
        vni_hybrid h = world_hybrid(&w);
        vni_hybrid_state s;
        vni_hybrid_view view;
        assert_int_equal(vni_hybrid_state_make(&h, &w.now_space->occupancy, &s, NULL), VN_OK);
        vni_hybrid_view_make(&s, &view);
        const vn_graph graph = vni_hybrid_view_graph(&view);
        check_edges(&w, &h, &graph);
        check_predecessors(&graph, VN_FIRST_NODE, graph.node_limit);
        for (uint32_t i = 0; i < h.edge_count; ++i)
            far += h.edges[i].cost > 2;

        vni_hybrid_state_free(&s);
        vni_hybrid_free(&h);
        world_free(&w);
    }
    assert_true(far > 100); // the worlds have edges that lead farther than the next voxel
}

// -------------------------------------------------------------------------------------------------- changes

/// The bricks in which two occupancies differ.
static uint32_t compare(const vni_occupancy* a, const vni_occupancy* b, vn_brick_change* out) {
    uint32_t count = 0;
    for (int32_t z = 0; z < a->dims[2]; z += 4)
        for (int32_t y = 0; y < a->dims[1]; y += 4)
            for (int32_t x = 0; x < a->dims[0]; x += 4) {
                const vn_brick_change change = {
                    {x, y, z}, vni_occupancy_brick(a, x, y, z), vni_occupancy_brick(b, x, y, z)};
                if (change.before != change.after)
                    out[count++] = change;
            }
    return count;
}

static bool same_edges(const vn_graph* a, const vn_graph* b, uint32_t id, bool back) {
    edge_list x, y;
    list_edges(a, id, back, &x);
    list_edges(b, id, back, &y);
    if (x.count != y.count)
        return false;
    for (uint32_t i = 0; i < x.count; ++i)
        if (x.to[i] != y.to[i] || x.cost[i] != y.cost[i])
            return false;
    return true;
}

/// The delta lists exactly the nodes whose edges differ.
static void check_delta(const vni_hybrid* h, const vni_hybrid_state* before, const vni_hybrid_state* after,
                        const vni_hybrid_delta* delta) {
    vni_hybrid_view views[2];
    vni_hybrid_view_make(before, &views[0]);
    vni_hybrid_view_make(after, &views[1]);
    const vn_graph a = vni_hybrid_view_graph(&views[0]), b = vni_hybrid_view_graph(&views[1]);
    unsigned char* listed = calloc(h->node_count + 1, 1);
    assert_non_null(listed);
    for (uint32_t i = 0; i < delta->count; ++i)
        assert_int_equal(listed[delta->nodes[i]]++, 0);
    for (uint32_t node = 0; node < h->node_count; ++node) {
        const uint32_t id = node + VN_FIRST_NODE;
        const bool same = same_edges(&a, &b, id, false) && same_edges(&a, &b, id, true);
        assert_int_equal(listed[node], !same);
    }
    free(listed);
}

static uint32_t count_left(const hybrid_world* w, const unsigned char* before) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < world_size(w); ++i)
        left += !before[i] && w->now.blocked[i] && !(w->area.blocked[i] && !w->fixed.blocked[i]);
    return left;
}

/// One change: the next state equals one made anew. Takes over `before`.
static void change_once(hybrid_world* w, vni_hybrid* h, vni_hybrid_scratch* scratch, vni_hybrid_state* before,
                        vni_hybrid_delta* delta, vni_rng* rng) {
    vn_space* old = w->now_space;
    unsigned char* bytes = malloc(world_size(w));
    vn_brick_change* bricks = malloc(sizeof *bricks * h->brick_count);
    assert_non_null(bytes);
    assert_non_null(bricks);
    memcpy(bytes, w->now.blocked, world_size(w));
    w->now_space = NULL;
    world_shake(w, rng);

    vni_hybrid_state next, anew;
    const uint32_t count = compare(&old->occupancy, &w->now_space->occupancy, bricks);
    assert_int_equal(
        vni_hybrid_state_next(before, &w->now_space->occupancy, bricks, count, scratch, &next, delta, NULL),
        VN_OK);
    assert_int_equal(vni_hybrid_state_make(h, &w->now_space->occupancy, &anew, NULL), VN_OK);
    if (h->edge_count > 0)
        assert_memory_equal(next.open, anew.open, vni_bits_words(h->edge_count) * sizeof(uint64_t));
    check_delta(h, before, &next, delta);
    assert_int_equal(delta->left, count_left(w, bytes));

    vni_hybrid_state_free(&anew);
    vni_hybrid_state_free(before);
    *before = next;
    vn_space_destroy(old);
    free(bytes);
    free(bricks);
}

static void test_changes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("hybrid changes", 3));
    const vn_allocator allocator = vn_default_allocator();
    uint64_t changed = 0, left = 0;
    for (uint32_t round = 0; round < vnt_scale(30, 300); ++round) {
        hybrid_world w = world_random(&rng, 14);
        vni_hybrid h = world_hybrid(&w);
        vni_hybrid_state now;
        vni_hybrid_scratch scratch;
        vni_hybrid_delta delta = {0};
        assert_int_equal(vni_hybrid_state_make(&h, &w.now_space->occupancy, &now, NULL), VN_OK);
        assert_int_equal(vni_hybrid_scratch_make(&allocator, &h, &scratch, NULL), VN_OK);
        for (uint32_t step = 0; step < vnt_scale(8, 40); ++step) {
            change_once(&w, &h, &scratch, &now, &delta, &rng);
            changed += delta.count;
            left += delta.left;
        }

        VNI_DELETE_ARRAY(&allocator, delta.nodes, delta.capacity);
        vni_hybrid_scratch_free(&scratch);
        vni_hybrid_state_free(&now);
        vni_hybrid_free(&h);
        world_free(&w);
    }
    assert_true(changed > 1000 && left > 10);
}

// ----------------------------------------------------------------------------------------------------- ends

static double nearest_seen(const vn_graph* graph, uint32_t end, const vni_hybrid* h) {
    double nearest = HUGE_VAL;
    for (uint32_t node = 0; node < h->node_count; ++node) {
        const uint32_t pair[2] = {end, node + VN_FIRST_NODE};
        vn_point p[2];
        graph->points(graph->self, pair, 2, p);
        const double x = p[0].x - p[1].x, y = p[0].y - p[1].y, z = p[0].z - p[1].z;
        const double d = sqrt(x * x + y * y + z * z) / VN_LATTICE;
        if (d < nearest && graph->visible(graph->self, end, pair[1]))
            nearest = d;
    }

    return nearest;
}

/// Does stepping from the end's voxel find a node that the end sees?
static bool steps_to_a_node(const hybrid_world* w, const vn_graph* graph, uint32_t end, vn_voxel voxel,
                            const vni_hybrid* h) {
    for (int i = 0; i < 27; ++i) {
        const int32_t d[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
        vn_voxel to;
        if (i != 13 && expected_neighbour(w, voxel, d, &to) &&
            graph->visible(graph->self, end, vni_hybrid_node(h, to) + VN_FIRST_NODE))
            return true;
    }

    return false;
}

/// Edges between ends and nodes are sight lines, both ways. True if the end is joined with a node that
/// stepping does not find.
static bool check_end(const hybrid_world* w, const vn_graph* graph, uint32_t end, vn_voxel voxel,
                      const vni_hybrid* h) {
    edge_list list;
    list_edges(graph, end, false, &list);
    for (uint32_t i = 0; i < list.count; ++i) {
        edge_list back;
        assert_true(graph->visible(graph->self, end, list.to[i]));
        list_edges(graph, list.to[i], false, &back);
        assert_true(has_edge(&back, end, list.cost[i]));
        list_edges(graph, list.to[i], true, &back);
        assert_true(has_edge(&back, end, list.cost[i]));
    }

    const uint32_t own = vni_hybrid_node(h, voxel);
    if (own != VNI_NO_HYBRID)
        assert_true(has_edge(&list, own + VN_FIRST_NODE, 0));

    // Without a node that stepping finds and the end sees, it has the nearest that it sees, or sees none.
    const double nearest = nearest_seen(graph, end, h);
    if (own != VNI_NO_HYBRID || steps_to_a_node(w, graph, end, voxel, h))
        return false;
    assert_int_equal(nearest<HUGE_VAL, list.count> 0 && list.to[0] >= VN_FIRST_NODE);
    if (nearest < HUGE_VAL)
        assert_true(list.cost[0] == nearest);
    return nearest < HUGE_VAL;
}

/// Flat, with a few static voxels, and moving obstacles outside the area: stepping looks past these.
static hybrid_world world_sparse(vni_rng* rng) {
    hybrid_world w = {0};
    const vn_voxel dims = {24, 24, 1};
    w.fixed = vnt_voxels_make(dims);
    w.area = vnt_voxels_make(dims);
    w.now = vnt_voxels_make(dims);
    for (uint32_t i = 0; i < 3; ++i)
        vnt_voxels_block(&w.fixed, (int32_t)vni_rng_below(rng, 24), (int32_t)vni_rng_below(rng, 24), 0);
    memcpy(w.now.blocked, w.fixed.blocked, world_size(&w));
    for (uint32_t i = 0; i < 40; ++i)
        vnt_voxels_block(&w.now, (int32_t)vni_rng_below(rng, 24), (int32_t)vni_rng_below(rng, 24), 0);
    w.fixed_space = vnt_voxels_space(&w.fixed);
    w.now_space = vnt_voxels_space(&w.now);
    return w;
}

static void test_ends(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("hybrid ends", 4));
    uint32_t nearest = 0;
    for (uint32_t round = 0; round < vnt_scale(300, 3000); ++round) {
        hybrid_world w = round % 2 ? world_random(&rng, 14) : world_sparse(&rng);
        vni_hybrid h = world_hybrid(&w);
        vni_hybrid_state s;
        vni_hybrid_view view;
        assert_int_equal(vni_hybrid_state_make(&h, &w.now_space->occupancy, &s, NULL), VN_OK);
        vni_hybrid_view_make(&s, &view);
        vn_voxel ends[2];
        const vn_graph graph = vni_hybrid_view_graph(&view);
        if (vnt_random_free_voxel(&rng, &w.now, &ends[0]) && vnt_random_free_voxel(&rng, &w.now, &ends[1])) {
            for (uint32_t i = 0; i < 2; ++i)
                vni_hybrid_view_set_end(&view, i, vn_voxel_center(ends[i]), ends[i]);
            nearest += check_end(&w, &graph, VN_START_NODE, ends[0], &h);
            nearest += check_end(&w, &graph, VN_GOAL_NODE, ends[1], &h);
        }

        vni_hybrid_state_free(&s);
        vni_hybrid_free(&h);
        world_free(&w);
    }
    assert_true(nearest > 0);
}

// --------------------------------------------------------------------------------------------------- memory

/// Makes a graph, a state and the next one; false if memory ran out.
static bool make_all(const hybrid_world* w, const vni_area* area, const vn_allocator* allocator) {
    vni_hybrid h;
    vni_hybrid_state s = {0}, next = {0};
    vni_hybrid_scratch scratch = {0};
    vni_hybrid_delta delta = {0};
    vn_status status = vni_hybrid_make(allocator, &w->fixed_space->occupancy, area, NULL, NULL, &h, NULL);
    if (status == VN_OK)
        status = vni_hybrid_scratch_make(allocator, &h, &scratch, NULL);
    if (status == VN_OK)
        status = vni_hybrid_state_make(&h, &w->now_space->occupancy, &s, NULL);
    if (status == VN_OK)
        status = vni_hybrid_state_next(&s, &w->now_space->occupancy, NULL, 0, &scratch, &next, &delta, NULL);

    assert_true(status == VN_OK || status == VN_OUT_OF_MEMORY);
    if (delta.nodes != NULL)
        VNI_DELETE_ARRAY(allocator, delta.nodes, delta.capacity);
    vni_hybrid_state_free(&next);
    vni_hybrid_state_free(&s);
    vni_hybrid_scratch_free(&scratch);
    vni_hybrid_free(&h);
    return status == VN_OK;
}

static void test_memory(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("hybrid memory", 5));
    for (uint32_t round = 0; round < 10; ++round) {
        hybrid_world w = world_random(&rng, 12);
        const vn_allocator plain = vn_default_allocator();
        vni_area area = world_area(&w, &plain);
        bool done = false;
        for (uint64_t k = 0; !done; ++k) {
            vnt_memory memory = vnt_memory_make();
            memory.fail_at = k;
            const vn_allocator allocator = vnt_memory_allocator(&memory);
            done = make_all(&w, &area, &allocator);
            assert_int_equal(done, !memory.failed);
            assert_int_equal(memory.live_blocks, 0);
            assert_false(memory.mismatch);
        }
        vni_area_free(&area);
        world_free(&w);
    }
}

static void test_too_large(void** state) {
    (void)state;
    const vn_allocator allocator = vn_default_allocator();
    vni_occupancy o;
    vni_area area;
    vni_hybrid h;
    vn_detail detail;
    assert_int_equal(vni_occupancy_make(&allocator, (vn_voxel){1024, 1024, 65}, &o, NULL), VN_OK);
    assert_int_equal(vni_area_make(&allocator, &o, &area, NULL), VN_OK);
    assert_int_equal(vni_hybrid_make(&allocator, &o, &area, NULL, NULL, &h, &detail), VN_TOO_LARGE);
    assert_non_null(strstr(detail.text, "coarser"));
    vni_area_free(&area);
    vni_occupancy_free(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds),   cmocka_unit_test(test_edges),
                                       cmocka_unit_test(test_changes), cmocka_unit_test(test_ends),
                                       cmocka_unit_test(test_memory),  cmocka_unit_test(test_too_large)};
    return cmocka_run_group_tests_name("classic/hybrid", tests, NULL, NULL);
}
