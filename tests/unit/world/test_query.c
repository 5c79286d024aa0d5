/// The query by box against a scan of all obstacles, while they come and go.
#include "base/rng.h"
#include "shapes.h"
#include "support.h"
#include "world/world.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <math.h>

#define MANY 400

static vn_box random_box(vni_rng* rng, int32_t largest) {
    float x = (float)vni_rng_range(rng, -50, 50), y = (float)vni_rng_range(rng, -50, 50),
          z = (float)vni_rng_range(rng, -50, 50);
    vn_box box = {{x, y, z},
                  {x + (float)vni_rng_range(rng, 0, largest), y + (float)vni_rng_range(rng, 0, largest),
                   z + (float)vni_rng_range(rng, 0, largest)}};
    return box;
}

static bool touch(const vn_box* a, const vn_box* b) {
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

/// What is in the world, as the test knows it: one entry a slot.
typedef struct entry {
    bool alive;
    vn_box box;
    vn_obstacle_id id;
} entry;

static void check_query(const vn_world* world, const entry* entries, const vn_box* box, uint32_t capacity) {
    static vn_obstacle_id found[MANY + 1];
    memset(found, 0xee, sizeof found);
    uint32_t count = 12345, expected = 0;
    vn_status status = vn_world_query_box(world, box, capacity == 0 ? NULL : found, capacity, &count);
    for (uint32_t slot = 0; slot < MANY; ++slot) {
        if (!entries[slot].alive || !touch(&entries[slot].box, box))
            continue;
        if (expected < capacity)
            assert_memory_equal(&found[expected], &entries[slot].id, sizeof(vn_obstacle_id));
        ++expected;
    }

    assert_int_equal(count, expected);
    assert_int_equal(status, expected > capacity ? VN_CAPACITY : VN_OK);
    assert_int_equal(found[expected < capacity ? expected : capacity].index1, 0xeeeeeeee);
}

static void toggle(vn_world* world, entry* entries, vni_rng* rng) {
    entry* e = &entries[vni_rng_below(rng, MANY)];
    if (e->alive) {
        assert_int_equal(vn_world_remove(world, e->id), VN_OK);
        e->alive = false;
        return;
    }

    vn_box box = random_box(rng, 12);
    vn_shape shape = vnt_box_shape(box.min, box.max);
    vn_obstacle_id id;
    assert_int_equal(vn_world_add(world, &shape, &id, NULL), VN_OK);
    assert_in_range(id.index1, 1, MANY);
    assert_false(entries[id.index1 - 1].alive);
    entries[id.index1 - 1] = (entry){true, box, id};
}

static void queries_agree_with_a_scan(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("world/query", 21));
    static entry entries[MANY];
    memset(entries, 0, sizeof entries);
    vnt_memory memory = vnt_memory_make();
    vn_world_def def = vn_default_world_def();
    def.allocator = vnt_memory_allocator(&memory);
    vn_world* world;

    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    for (uint32_t round = 0; round < vnt_scale(4000, 100000); ++round) {
        toggle(world, entries, &rng);
        vn_box box = random_box(&rng, round % 3 == 0 ? 100 : 15);
        uint64_t calls = memory.calls;
        check_query(world, entries, &box, round % 2 == 0 ? MANY : vni_rng_below(&rng, 30));
        assert_int_equal(memory.calls, calls);
    }

    vn_box all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    check_query(world, entries, &all, MANY);
    check_query(world, entries, &all, 1);
    check_query(world, entries, &all, 0);
    vn_world_destroy(world);
    assert_int_equal(memory.live_blocks, 0);
}

static void bad_boxes_are_refused(void** state) {
    (void)state;
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    const vn_box bad[] = {
        {{1, 0, 0}, {0, 1, 1}}, {{0, 0, 0}, {1, 1, -1}}, {{0, NAN, 0}, {1, 1, 1}}, {{0, 0, 0}, {1, 1, NAN}}};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        uint32_t count = 5;
        assert_int_equal(vn_world_query_box(world, &bad[i], NULL, 0, &count), VN_BAD_ARGUMENT);
        assert_int_equal(count, 0);
    }

    vn_world_destroy(world);
}

/// Collects the triangles that a mesh's tree gives.
typedef struct seen {
    uint32_t count;
    bool hit[VNT_MESH_TRIANGLES];
} seen;

static bool see(void* user, uint32_t triangle) {
    seen* s = user;
    assert_false(s->hit[triangle]);
    s->hit[triangle] = true;
    ++s->count;
    return true;
}

static void triangles_near_a_box_are_found(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("world/query triangles", 22));
    static vnt_mesh mesh;
    static seen found;
    memset(&mesh, 0, sizeof mesh);
    vnt_add_cube(&mesh, 12, 3);
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    vn_shape shape = vnt_mesh_shape(&mesh, false);
    assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
    const vni_mesh* held = &vni_world_obstacle(world, 0)->as.mesh;

    assert_false(held->solid);
    for (uint32_t round = 0; round < vnt_scale(200, 5000); ++round) {
        vn_box box = random_box(&rng, 60);
        memset(&found, 0, sizeof found);
        vni_mesh_query(held, &box, see, &found);
        uint32_t expected = 0;
        for (uint32_t t = 0; t < mesh.triangle_count; ++t) {
            vni_triangle triangle = vni_mesh_triangle(held, t);
            vni_aabb a = vni_triangle_bounds(&triangle), b = {vni_v_from(box.min), vni_v_from(box.max)};
            assert_int_equal(found.hit[t], vni_aabb_touches(&a, &b));
            expected += found.hit[t];
        }

        assert_int_equal(found.count, expected);
    }

    vn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_agree_with_a_scan),
        cmocka_unit_test(bad_boxes_are_refused),
        cmocka_unit_test(triangles_near_a_box_are_found),
    };
    return cmocka_run_group_tests_name("world/query", tests, NULL, NULL);
}
