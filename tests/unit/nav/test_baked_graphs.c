/// A nav made from baked layers, with a history and graphs: changes and nodes are those of one that bakes.
#include "changes_scene.h"

#include "volnav/layers.h"

static void assert_same_lists(const uint32_t* a, const uint32_t* b, uint32_t count_a, uint32_t count_b) {
    assert_int_equal(count_a, count_b);
    if (count_a > 0)
        assert_memory_equal(a, b, count_a * sizeof *a);
}

/// Bricks and obstacles of one version.
static void assert_same_changes(vn_nav* a, vn_nav* b, uint64_t version) {
    const vn_changes *x, *y;
    assert_int_equal(vn_nav_get_changes(a, version, &x), VN_OK);
    assert_int_equal(vn_nav_get_changes(b, version, &y), VN_OK);
    assert_int_equal(x->layer_count, y->layer_count);
    for (uint32_t i = 0; i < x->layer_count; ++i) {
        assert_int_equal(x->layers[i].brick_count, y->layers[i].brick_count);
        for (uint32_t k = 0; k < x->layers[i].brick_count; ++k) {
            const vn_brick_change *p = &x->layers[i].bricks[k], *q = &y->layers[i].bricks[k];
            assert_memory_equal(&p->low, &q->low, sizeof p->low);
            assert_true(p->before == q->before);
            assert_true(p->after == q->after);
        }
        assert_int_equal(x->layers[i].cells_came_count, y->layers[i].cells_came_count);
        assert_int_equal(x->layers[i].cells_went_count, y->layers[i].cells_went_count);
    }
    assert_int_equal(x->zone_count, y->zone_count);
    assert_int_equal(x->obstacle_count, y->obstacle_count);
    for (uint32_t i = 0; i < x->obstacle_count; ++i)
        assert_memory_equal(&x->obstacles[i].after, &y->obstacles[i].after, sizeof(vn_transform));
    vn_nav_release_changes(a, x);
    vn_nav_release_changes(b, y);
}

/// All edges of all nodes that a version changed.
static void assert_same_nodes(const vn_graph* a, const vn_graph* b, const vn_node_changes* changes) {
    assert_int_equal(a->node_limit, b->node_limit);
    for (uint32_t i = 0; i < changes->changed_count; ++i) {
        uint32_t to[2][VN_EDGE_BATCH], cursors[2] = {0, 0};
        double cost[2][VN_EDGE_BATCH];
        do {
            const vn_edges x = {to[0], cost[0]}, y = {to[1], cost[1]};
            const uint32_t count = a->expand(a->self, changes->changed[i], &cursors[0], &x);
            assert_int_equal(count, b->expand(b->self, changes->changed[i], &cursors[1], &y));
            assert_int_equal(cursors[0], cursors[1]);
            assert_memory_equal(to[0], to[1], count * sizeof(uint32_t));
            assert_memory_equal(cost[0], cost[1], count * sizeof(double));
        } while (cursors[0] != 0);
    }
}

/// One graph of each nav to its newest version, side by side; returns how many nodes came, went or changed.
static uint64_t advance_both(vn_nav_graph* a, vn_nav_graph* b) {
    uint64_t nodes = 0;
    const uint64_t from = vn_nav_graph_version(a);
    assert_int_equal(vn_nav_graph_advance(a), VN_OK);
    assert_int_equal(vn_nav_graph_advance(b), VN_OK);
    assert_true(vn_nav_graph_version(a) == vn_nav_graph_version(b));
    for (uint64_t v = from + 1; v <= vn_nav_graph_version(a); ++v) {
        vn_node_changes x, y;
        assert_int_equal(vn_nav_graph_get_changes(a, v, &x), VN_OK);
        assert_int_equal(vn_nav_graph_get_changes(b, v, &y), VN_OK);
        assert_same_lists(x.came, y.came, x.came_count, y.came_count);
        assert_same_lists(x.went, y.went, x.went_count, y.went_count);
        assert_same_lists(x.changed, y.changed, x.changed_count, y.changed_count);
        nodes += (uint64_t)x.came_count + x.went_count + x.changed_count;
        if (v == vn_nav_graph_version(a))
            assert_same_nodes(vn_nav_graph_get(a), vn_nav_graph_get(b), &x);
    }
    return nodes;
}

static vn_layers* bake(const vn_world* world, const vn_nav_def* def) {
    const vn_layer_def layer = {0, 0};
    vn_layers* layers;
    assert_int_equal(vn_layers_bake(world, &def->space, &layer, 1, &layers, NULL), VN_OK);
    return layers;
}

static void open_graphs(vn_nav* nav, vn_nav_graph* out[KINDS]) {
    for (uint32_t kind = 0; kind < KINDS; ++kind) {
        vn_nav_graph_def def = vn_default_nav_graph_def();
        def.kind = (vn_nav_graph_kind)kind;
        assert_int_equal(vn_nav_graph_create(nav, &def, &out[kind], NULL), VN_OK);
    }
}

static void test_changes_are_those_of_a_nav_that_bakes(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("nav baked graphs", 31);
    for (uint32_t round = 0; round < vnt_scale(3, 30); ++round) {
        scene s[2];
        vn_nav_graph* graphs[2][KINDS];
        vn_zone_id zones[2] = {{0, 0}, {0, 0}};
        const vn_nav_def def = changes_def(0, VN_NAV_LOCKSTEP);
        vn_world* worlds[2];
        for (int i = 0; i < 2; ++i)
            worlds[i] = scene_world(&s[i], seed + round, NULL);
        vn_layers* layers = bake(worlds[1], &def);
        assert_int_equal(vn_nav_create(worlds[0], &def, &s[0].nav, NULL), VN_OK);
        assert_int_equal(vn_nav_create_baked(worlds[1], layers, &def, &s[1].nav, NULL), VN_OK);
        vn_layers_destroy(layers);
        for (int i = 0; i < 2; ++i)
            open_graphs(s[i].nav, graphs[i]);

        uint64_t nodes[KINDS] = {0}, seen = 1;
        for (uint32_t tick = 0; tick < 20; ++tick) {
            for (int i = 0; i < 2; ++i) {
                change(&s[i], &zones[i]);
                assert_int_equal(vn_nav_tick(s[i].nav, NULL), VN_OK);
            }
            for (uint32_t kind = 0; kind < KINDS; ++kind)
                nodes[kind] += advance_both(graphs[0][kind], graphs[1][kind]);
            for (; seen < vn_nav_graph_version(graphs[0][0]); ++seen)
                assert_same_changes(s[0].nav, s[1].nav, seen + 1);
        }

        assert_true(seen > 5);
        for (uint32_t kind = 0; kind < KINDS; ++kind) {
            assert_true(nodes[kind] > 0);
            vn_nav_graph_destroy(graphs[0][kind]);
            vn_nav_graph_destroy(graphs[1][kind]);
        }
        vn_nav_destroy(s[0].nav);
        vn_nav_destroy(s[1].nav);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_changes_are_those_of_a_nav_that_bakes)};
    return cmocka_run_group_tests_name("nav/baked_graphs", tests, NULL, NULL);
}
