/// Open sets: turned to another goal they come out in the new order; forgotten nodes are out of them.
#include "cmocka_all.h"
#include "support.h"

#include "base/rng.h"
#include "search/open.h"

#define NODES 1000

/// Points and nothing else.
typedef struct cloud {
    vn_point points[NODES];
} cloud;

static void cloud_points(const void* self, const uint32_t* nodes, uint32_t count, vn_point* out) {
    const cloud* c = self;
    for (uint32_t i = 0; i < count; ++i)
        out[i] = c->points[nodes[i]];
}

static vn_point random_point(vni_rng* rng) {
    vn_point p = {vni_rng_range(rng, 0, 9999), vni_rng_range(rng, 0, 9999), vni_rng_range(rng, 0, 9999)};
    return p;
}

/// Some of the nodes, open, with random paths and keys that mean nothing.
static void fill(vni_heap* open, vni_scratch* scratch, vni_rng* rng, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t id = vni_rng_below(rng, NODES), slot = vni_scratch_slot(scratch, id);
        if (scratch->nodes[slot].position != VNI_NODE_UNSEEN)
            continue;
        scratch->nodes[slot].g = vni_rng_below(rng, 50);
        vni_heap_entry entry = {vni_rng_real(rng), vni_rng_real(rng), id, slot};
        assert_true(vni_heap_push(open, entry));
    }
}

/// Pops all: each with the key and tie that it must have, in order.
static void check_order(vni_heap* open, const vni_scratch* scratch, const cloud* c, const vni_cost* cost,
                        vn_point goal) {
    assert_true(vni_heap_is_valid(open));
    vni_heap_entry last = {-1, 0, 0, 0};
    while (open->count > 0) {
        vni_heap_entry entry = vni_heap_pop(open);
        double h;
        cost->lower_bounds(cost->self, &c->points[entry.id], 1, goal, &h);
        assert_true(vni_heap_less(&last, &entry));
        assert_true(entry.tie == h);
        assert_true(entry.key == 2 * scratch->nodes[entry.slot].g + 3 * h);
        last = entry;
    }
}

static void test_turn_and_forget(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("open", 331));
    static cloud c;
    for (uint32_t i = 0; i < NODES; ++i)
        c.points[i] = random_point(&rng);

    vn_graph graph = {.self = &c, .node_limit = NODES, .points = cloud_points};
    vni_cost cost = vni_cost_length(VNI_METRIC_EUCLIDEAN, 26);
    vn_allocator allocator = vn_default_allocator();
    vni_scratch scratch;

    assert_int_equal(vni_scratch_make(&allocator, NODES, NODES, &scratch), VN_OK);
    for (uint32_t round = 0; round < vnt_scale(100, 2000); ++round) {
        vni_heap open;
        assert_true(vni_open_begin(&open, &graph, &scratch));
        assert_int_equal(open.count, 0);
        fill(&open, &scratch, &rng, vni_rng_below(&rng, 300));
        for (uint32_t i = 0; i < 100; ++i) {
            uint32_t id = vni_rng_below(&rng, NODES), before = open.count;
            const vni_node* node = vni_scratch_find(&scratch, id);
            bool was_open = node != NULL && node->position != VNI_NODE_UNSEEN;
            vni_open_forget(&open, &scratch, id);
            assert_int_equal(open.count, before - was_open);
            assert_true(!node || node->position == VNI_NODE_UNSEEN);
            assert_true(vni_heap_is_valid(&open));
        }

        vn_point goal = random_point(&rng);
        vni_open_turn(&open, &graph, &cost, &scratch, goal, 2, 3);
        check_order(&open, &scratch, &c, &cost, goal);
    }

    graph.node_limit = NODES + 64;
    vni_heap open;
    assert_false(vni_open_begin(&open, &graph, &scratch));
    vni_scratch_free(&scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_turn_and_forget)};
    return cmocka_run_group_tests_name("search/open", tests, NULL, NULL);
}
