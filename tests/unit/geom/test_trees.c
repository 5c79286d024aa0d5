/// tests/unit/geom/test_trees.c: the static and the dynamic tree of boxes against a linear scan.
#include "base/rng.h"
#include "cmocka_all.h"
#include "geom/bvh.h"
#include "geom/tree.h"
#include "support.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 3000 };

typedef struct catch {
    uint32_t items[MOST_ITEMS];
    uint32_t count, limit;
}
catch;

static bool catch_item(void* user, uint32_t item) {
    catch* c = user;
    assert_true(c->count < MOST_ITEMS);
    c->items[c->count++] = item;
    return c->count < c->limit;
}

/// Lattice coordinates, so that boxes often touch or coincide; some boxes are points, some sheets.
static vn_box random_box(vni_rng* rng, int32_t reach, uint32_t size) {
    float low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        low[i] = (float)vni_rng_range(rng, -reach, reach);
        high[i] = low[i] + (float)vni_rng_below(rng, size);
    }

    const vn_box box = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    return box;
}

static bool touch(const vn_box* a, const vn_box* b) {
    return !(a->max.x < b->min.x || b->max.x < a->min.x || a->max.y < b->min.y || b->max.y < a->min.y ||
             a->max.z < b->min.z || b->max.z < a->min.z);
}

static int compare_items(const void* a, const void* b) {
    const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return x < y ? -1 : x > y;
}

/// The same items as a scan of all boxes finds, each once. `alive` may be null.
static void assert_caught(catch* c, const vn_box* boxes, const bool* alive, uint32_t count,
                          const vn_box* box) {
    qsort(c->items, c->count, sizeof *c->items, compare_items);
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if ((alive == NULL || alive[i]) && touch(&boxes[i], box)) {
            assert_true(at < c->count);
            assert_int_equal(c->items[at++], i);
        }
    }

    assert_int_equal(at, c->count);
}

// ---------------------------------------------------------------------------------------------- static

static void check_static(vni_rng* rng, uint32_t count, int32_t reach, uint32_t queries) {
    static vn_box boxes[MOST_ITEMS];
    static catch c;
    const vn_allocator allocator = vn_default_allocator();
    for (uint32_t i = 0; i < count; ++i)
        boxes[i] = random_box(rng, reach, 5);

    vni_bvh bvh, again;
    assert_int_equal(vni_bvh_build(&allocator, boxes, count, &bvh), VN_OK);
    assert_int_equal(vni_bvh_build(&allocator, boxes, count, &again), VN_OK);
    assert_int_equal(bvh.item_count, count);

    assert_int_equal(vni_bvh_bytes(&bvh), bvh.node_count * sizeof(vni_bvh_node) + count * sizeof(uint32_t));
    if (count > 0) {
        assert_memory_equal(bvh.nodes, again.nodes, bvh.node_count * sizeof *bvh.nodes);
        assert_memory_equal(bvh.items, again.items, count * sizeof *bvh.items);
    }

    for (uint32_t i = 0; i < queries; ++i) {
        const vn_box box = random_box(rng, reach + 2, i % 8 == 0 ? 40 : 6);
        c.count = 0;
        c.limit = UINT32_MAX;
        vni_bvh_query(&bvh, boxes, &box, catch_item, &c);
        assert_caught(&c, boxes, NULL, count, &box);
    }

    vni_bvh_free(&allocator, &again);
    vni_bvh_free(&allocator, &bvh);
    assert_int_equal(bvh.node_count, 0);
}

static void static_tree_finds_all(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("static tree", 41));
    for (uint32_t count = 0; count < 70; ++count)
        check_static(&rng, count, 6, 100);
    check_static(&rng, MOST_ITEMS, 30, vnt_scale(4000, 40000));
    check_static(&rng, MOST_ITEMS, 0, 20); // all in one heap
}

static void static_tree_stops_when_told(void** state) {
    (void)state;
    static catch c;
    vn_box boxes[100] = {0};
    const vn_allocator allocator = vn_default_allocator();
    vni_bvh bvh;
    assert_int_equal(vni_bvh_build(&allocator, boxes, 100, &bvh), VN_OK);
    c.count = 0;
    c.limit = 7;
    vni_bvh_query(&bvh, boxes, &boxes[0], catch_item, &c);

    assert_int_equal(c.count, 7);
    for (uint32_t i = 0; i < 7; ++i) // equal centres are split by index
        assert_int_equal(c.items[i], i);

    vni_bvh_free(&allocator, &bvh);
}

static void static_tree_survives_lack_of_memory(void** state) {
    (void)state;
    vn_box boxes[40] = {0};
    for (uint64_t fail_at = 0;; ++fail_at) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = fail_at;
        const vn_allocator allocator = vnt_memory_allocator(&memory);
        vni_bvh bvh;
        const vn_status status = vni_bvh_build(&allocator, boxes, 40, &bvh);
        assert_true(status == VN_OK ||
                    (status == VN_OUT_OF_MEMORY && bvh.nodes == NULL && bvh.items == NULL));

        if (status == VN_OK) {
            assert_int_equal(memory.live_bytes, vni_bvh_bytes(&bvh));
            vni_bvh_free(&allocator, &bvh);
        }

        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        if (!memory.failed)
            return;
    }
}

// --------------------------------------------------------------------------------------------- dynamic

typedef struct herd {
    vni_tree tree;
    vn_box boxes[MOST_ITEMS];
    uint32_t leaves[MOST_ITEMS];
    bool alive[MOST_ITEMS];
} herd;

static void toggle(herd* h, uint32_t item, vn_box box) {
    if (h->alive[item]) {
        vni_tree_remove(&h->tree, h->leaves[item]);
    } else {
        h->boxes[item] = box;
        assert_true(vni_tree_insert(&h->tree, &box, item, &h->leaves[item]));
    }

    h->alive[item] = !h->alive[item];
}

static void check_bounds(const herd* h, uint32_t count) {
    vn_box all = {0}, bounds = {0};
    bool any = false;
    for (uint32_t i = 0; i < count; ++i) {
        if (!h->alive[i])
            continue;
        const vn_box* b = &h->boxes[i];
        all = any ? all : *b;
        any = true;
        all.min.x = b->min.x < all.min.x ? b->min.x : all.min.x;
        all.min.y = b->min.y < all.min.y ? b->min.y : all.min.y;
        all.min.z = b->min.z < all.min.z ? b->min.z : all.min.z;
        all.max.x = b->max.x > all.max.x ? b->max.x : all.max.x;
        all.max.y = b->max.y > all.max.y ? b->max.y : all.max.y;
        all.max.z = b->max.z > all.max.z ? b->max.z : all.max.z;
    }

    assert_true(vni_tree_bounds(&h->tree, &bounds) == any);
    if (any)
        assert_memory_equal(&bounds, &all, sizeof all);
}

static void dynamic_tree_follows_changes(void** state) {
    (void)state;
    static herd h;
    static catch c;
    vni_rng rng = vni_rng_make(vnt_seed("dynamic tree", 42));

    const vn_allocator allocator = vn_default_allocator();
    for (uint32_t items = 1; items <= 400; items = items * 3 + 1) {
        memset(&h, 0, sizeof h);
        h.tree = vni_tree_make(&allocator);
        for (uint32_t i = 0; i < vnt_scale(4000, 40000); ++i) {
            toggle(&h, vni_rng_below(&rng, items), random_box(&rng, 20, 5));
            if (i % 8 == 0)
                assert_true(vni_tree_is_valid(&h.tree));

            if (i % 64 == 0)
                check_bounds(&h, items);

            const vn_box box = random_box(&rng, 20, i % 8 == 0 ? 40 : 6);
            c.count = 0;
            c.limit = UINT32_MAX;
            vni_tree_query(&h.tree, &box, catch_item, &c);
            assert_caught(&c, h.boxes, h.alive, items, &box);
        }

        assert_true(h.tree.used <= 2 * items); // nodes are used again
        for (uint32_t i = 0; i < items; ++i) {
            if (h.alive[i])
                toggle(&h, i, h.boxes[i]);
        }

        assert_true(vni_tree_is_valid(&h.tree));
        assert_int_equal(h.tree.leaf_count, 0);
        vni_tree_destroy(&h.tree);
        assert_int_equal(vni_tree_bytes(&h.tree), 0);
    }
}

/// Sorted input, the worst for trees that are not balanced.
static void dynamic_tree_stays_low(void** state) {
    (void)state;
    static herd h;
    memset(&h, 0, sizeof h);
    const vn_allocator allocator = vn_default_allocator();

    h.tree = vni_tree_make(&allocator);
    for (uint32_t i = 0; i < MOST_ITEMS; ++i) {
        const float x = (float)i;
        toggle(&h, i, (vn_box){{x, 0, 0}, {x + 1, 1, 1}});
    }

    assert_true(vni_tree_is_valid(&h.tree));
    assert_true(h.tree.nodes[h.tree.root].height <= 17); // 1.45 log2 3000
    for (uint32_t i = 0; i + 10 < MOST_ITEMS; ++i)
        toggle(&h, i, h.boxes[i]);

    assert_true(vni_tree_is_valid(&h.tree));
    assert_true(h.tree.nodes[h.tree.root].height <= 5);
    vni_tree_destroy(&h.tree);
}

static void dynamic_tree_stops_when_told(void** state) {
    (void)state;
    static herd h;
    static catch c;
    memset(&h, 0, sizeof h);
    const vn_allocator allocator = vn_default_allocator();
    h.tree = vni_tree_make(&allocator);

    const vn_box box = {0};
    for (uint32_t i = 0; i < 50; ++i)
        toggle(&h, i, box);

    c.count = 0;
    c.limit = 3;
    vni_tree_query(&h.tree, &box, catch_item, &c);
    assert_int_equal(c.count, 3);
    vni_tree_destroy(&h.tree);
}

static void dynamic_tree_survives_lack_of_memory(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(43);
    for (uint64_t fail_at = 0;; ++fail_at) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = fail_at;
        const vn_allocator allocator = vnt_memory_allocator(&memory);
        vni_tree tree = vni_tree_make(&allocator);
        for (uint32_t i = 0; i < 100; ++i) {
            const vn_box box = random_box(&rng, 9, 4);
            uint32_t leaf = 0;
            const uint32_t before = tree.leaf_count;
            const bool inserted = vni_tree_insert(&tree, &box, i, &leaf);
            assert_int_equal(tree.leaf_count, before + inserted);
            assert_true(vni_tree_is_valid(&tree));
            assert_int_equal(memory.live_bytes, vni_tree_bytes(&tree));
        }

        assert_int_equal(tree.leaf_count, memory.failed ? 99 : 100);
        vni_tree_destroy(&tree);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        if (!memory.failed)
            return;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(static_tree_finds_all),
        cmocka_unit_test(static_tree_stops_when_told),
        cmocka_unit_test(static_tree_survives_lack_of_memory),
        cmocka_unit_test(dynamic_tree_follows_changes),
        cmocka_unit_test(dynamic_tree_stays_low),
        cmocka_unit_test(dynamic_tree_stops_when_told),
        cmocka_unit_test(dynamic_tree_survives_lack_of_memory),
    };

    return cmocka_run_group_tests_name("geom/trees", tests, NULL, NULL);
}
