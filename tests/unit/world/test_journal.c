/// tests/unit/world/test_journal.c: what the journal says against a plain copy of the world as it was.
#include "base/rng.h"
#include "cmocka_all.h"
#include "shapes.h"
#include "support.h"
#include "world/world.h"

#define SLOTS 24

/// A slot as it was when changes were forgotten last, and whether anything happened to it since.
typedef struct remembered {
    bool was, was_moving, touched;
    vn_box before;
} remembered;

typedef struct model {
    vn_world* world;
    vni_rng rng;
    remembered slots[SLOTS];
    vn_obstacle_id ids[SLOTS]; ///< of the obstacles that are there; by slot
    bool alive[SLOTS], moving[SLOTS];
} model;

static vn_world* make_world(const vn_allocator* allocator) {
    vn_world_def def = vn_default_world_def();
    if (allocator != NULL)
        def.allocator = *allocator;
    vn_world* world = NULL;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    return world;
}

static vn_transform random_transform(vni_rng* rng) {
    vn_transform transform = vn_transform_identity();
    transform.position = vnt_vec((float)vni_rng_range(rng, -50, 50), (float)vni_rng_range(rng, -50, 50), 0);
    return transform;
}

// ---------------------------------------------------------------------------------------------- operations

static void add(model* m) {
    vn_shape shape = vnt_box_shape(vnt_vec(0, 0, 0), vnt_vec(1, 2, 3));
    if (vn_world_count(m->world) == SLOTS)
        return;

    bool moving = vni_rng_below(&m->rng, 2);
    vn_transform transform = random_transform(&m->rng);
    vn_obstacle_id id;
    if (moving)
        assert_int_equal(vn_world_add_moving(m->world, &shape, &transform, &id, NULL), VN_OK);
    else
        assert_int_equal(vn_world_add(m->world, &shape, &id, NULL), VN_OK);

    uint32_t slot = id.index1 - 1;
    assert_true(slot < SLOTS);
    assert_true(!m->alive[slot]);
    m->alive[slot] = true;
    m->moving[slot] = moving;
    m->ids[slot] = id;
    m->slots[slot].touched = true;
}

static void change(model* m) {
    uint32_t slot = vni_rng_below(&m->rng, SLOTS);
    if (!m->alive[slot])
        return;
    vn_transform transform = random_transform(&m->rng), before;
    uint32_t flags = vni_rng_below(&m->rng, 2);
    vn_obstacle_info info;
    assert_int_equal(vn_world_get_info(m->world, m->ids[slot], &info), VN_OK);
    switch (vni_rng_below(&m->rng, 4)) {
    case 0:
        assert_int_equal(vn_world_remove(m->world, m->ids[slot]), VN_OK);
        m->alive[slot] = false;
        m->slots[slot].touched = true;
        break;
    case 1:
        assert_int_equal(vn_world_set_flags(m->world, m->ids[slot], flags), VN_OK);
        m->slots[slot].touched |= flags != info.flags;
        break;
    case 2:
        assert_int_equal(vn_world_set_velocity(m->world, m->ids[slot], transform.position),
                         m->moving[slot] ? VN_OK : VN_UNSUPPORTED);
        break;
    default:
        if (!m->moving[slot])
            return;
        assert_int_equal(vn_world_get_transform(m->world, m->ids[slot], &before), VN_OK);
        assert_int_equal(vn_world_move(m->world, m->ids[slot], &transform, NULL), VN_OK);
        m->slots[slot].touched |= memcmp(&before, &transform, sizeof transform) != 0;
    }
}

static void forget(model* m) {
    vni_world_forget_changes(m->world);
    for (uint32_t slot = 0; slot < SLOTS; ++slot) {
        remembered now = {m->alive[slot], m->alive[slot] && m->moving[slot], false, {{0, 0, 0}, {0, 0, 0}}};
        vn_obstacle_info info;
        if (m->alive[slot]) {
            assert_int_equal(vn_world_get_info(m->world, m->ids[slot], &info), VN_OK);
            now.before = info.bounds;
        }

        m->slots[slot] = now;
    }
}

// ---------------------------------------------------------------------------------------------- comparing

static void compare_slot(const model* m, uint32_t slot, const vni_change* change) {
    const remembered* then = &m->slots[slot];
    vn_obstacle_info info;
    assert_int_equal(change->slot, slot);
    assert_int_equal(change->was, then->was);
    assert_int_equal(change->is, m->alive[slot]);

    assert_int_equal(change->moving, then->was_moving || (m->alive[slot] && m->moving[slot]));
    if (then->was)
        assert_memory_equal(&change->before, &then->before, sizeof then->before);

    if (m->alive[slot]) {
        assert_int_equal(vn_world_get_info(m->world, m->ids[slot], &info), VN_OK);
        assert_memory_equal(&change->after, &info.bounds, sizeof info.bounds);
    }
}

static void compare(const model* m) {
    uint32_t count, expected = 0;
    const vni_change* changes = vni_world_changes(m->world, &count);
    for (uint32_t slot = 0; slot < SLOTS; ++slot) {
        if (!m->slots[slot].touched || (!m->slots[slot].was && !m->alive[slot]))
            continue;
        assert_true(expected < count);
        compare_slot(m, slot, &changes[expected++]);
    }

    assert_int_equal(count, expected);
    assert_int_equal(changes == NULL, count == 0);
}

static void tells_what_changed(void** state) {
    (void)state;
    model m = {.rng = vni_rng_make(vnt_seed("journal", 41))};
    m.world = make_world(NULL);
    for (uint32_t step = 0; step < vnt_scale(20000, 500000); ++step) {
        uint32_t what = vni_rng_below(&m.rng, 24);
        if (what == 0)
            forget(&m);
        else if (what < 3)
            compare(&m);
        else if (what < 7)
            add(&m);
        else
            change(&m);
    }

    vn_world_destroy(m.world);
}

/// The first transform counts as before, not the last one.
static void the_first_place_counts(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    vn_shape shape = vnt_sphere_shape(vnt_vec(0, 0, 0), 1);
    vn_transform transform = vn_transform_identity();
    vn_obstacle_id id;
    uint32_t count;
    assert_int_equal(vn_world_add_moving(world, &shape, &transform, &id, NULL), VN_OK);
    vni_world_forget_changes(world);

    assert_null(vni_world_changes(world, &count));
    for (int i = 1; i < 5; ++i) {
        transform.position.x = (float)(10 * i);
        assert_int_equal(vn_world_move(world, id, &transform, NULL), VN_OK);
    }

    const vni_change* changes = vni_world_changes(world, &count);
    assert_int_equal(count, 1);
    assert_true(changes->moving);
    assert_true(changes->was);
    assert_true(changes->is);
    assert_true(changes->before.min.x == -1);
    assert_true(changes->before.max.x == 1);
    assert_true(changes->after.min.x == 39);
    assert_true(changes->after.max.x == 41);
    transform.position.x = NAN;
    assert_int_equal(vn_world_move(world, id, &transform, NULL), VN_BAD_DATA);
    changes = vni_world_changes(world, &count);
    assert_true(count == 1);
    assert_true(changes->after.min.x == 39);
    vn_world_destroy(world);
}

// -------------------------------------------------------------------------------------------------- memory

/// An obstacle that only some readers have seen is listed again, also when it is gone by then.
static void kept_changes_are_listed_again(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    vn_shape shape = vnt_box_shape(vnt_vec(0, 0, 0), vnt_vec(1, 2, 3));
    vn_transform transform = vn_transform_identity();
    vn_obstacle_id fixed, mover;
    uint32_t count;
    assert_int_equal(vn_world_add(world, &shape, &fixed, NULL), VN_OK);
    assert_int_equal(vn_world_add_moving(world, &shape, &transform, &mover, NULL), VN_OK);
    vni_world_changes(world, &count);
    assert_int_equal(count, 2);

    vni_world_keep_changes(world);
    transform.position.x = 10;
    assert_int_equal(vn_world_move(world, mover, &transform, NULL), VN_OK);
    vni_world_keep_changes(world);
    assert_int_equal(vn_world_remove(world, fixed), VN_OK);
    assert_int_equal(vn_world_remove(world, mover), VN_OK);
    const vni_change* changes = vni_world_changes(world, &count);

    assert_int_equal(count, 2);
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(changes[i].was);
        assert_false(changes[i].is);
        assert_true(changes[i].before.min.x == 0);
    }

    assert_true(changes[0].before.max.x == 1);
    assert_true(changes[1].before.max.x == 11);
    assert_true(changes[1].moving);

    vni_world_forget_changes(world);
    assert_null(vni_world_changes(world, &count));
    vn_world_destroy(world);
}

static void noting_allocates_nothing(void** state) {
    (void)state;
    enum { COUNT = 100 };
    vnt_memory memory = vnt_memory_make();
    vn_allocator allocator = vnt_memory_allocator(&memory);
    vn_world* world = make_world(&allocator);
    vni_rng rng = vni_rng_make(42);
    vn_obstacle_id ids[COUNT];
    vn_shape shape = vnt_sphere_shape(vnt_vec(0, 0, 0), 1);
    vn_transform transform = vn_transform_identity();

    uint32_t count;
    for (int i = 0; i < COUNT; ++i)
        assert_int_equal(vn_world_add_moving(world, &shape, &transform, &ids[i], NULL), VN_OK);

    uint64_t calls = memory.calls;
    for (int round = 0; round < 20; ++round) {
        for (int i = 0; i < COUNT; ++i) {
            transform = random_transform(&rng);
            assert_int_equal(vn_world_move(world, ids[vni_rng_below(&rng, COUNT)], &transform, NULL), VN_OK);
            assert_int_equal(vn_world_set_flags(world, ids[COUNT - 1 - i], vni_rng_below(&rng, 4)), VN_OK);
            vni_world_changes(world, &count);
            if (i % 10 == 0)
                vni_world_forget_changes(world);
        }
    }

    for (int i = 0; i < COUNT; ++i)
        assert_int_equal(vn_world_remove(world, ids[i]), VN_OK);

    assert_true(memory.calls == calls);
    vn_world_destroy(world);
    assert_int_equal(memory.live_blocks, 0);
}

/// Adds that fail leave everything that was noted as it is.
static void running_out_of_memory_loses_nothing(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_allocator allocator = vnt_memory_allocator(&memory);
    vn_world* world = make_world(&allocator);
    vn_shape shape = vnt_sphere_shape(vnt_vec(0, 0, 0), 1);
    vn_transform transform = vn_transform_identity();

    uint32_t added = 0, failed = 0, count;
    for (uint32_t i = 0; i < 400; ++i) {
        memory.failed = false;
        memory.fail_at = memory.calls + i % 7;
        bool done = vn_world_add_moving(world, &shape, &transform, NULL, NULL) == VN_OK;
        memory.fail_at = UINT64_MAX;
        added += done;
        failed += !done;
        const vni_change* changes = vni_world_changes(world, &count);

        assert_int_equal(count, added);
        for (uint32_t k = 0; k < count; ++k) {
            assert_true(changes[k].slot == k);
            assert_true(changes[k].is);
            assert_true(!changes[k].was);
            assert_true(changes[k].moving);
        }
    }

    assert_true(added > 100);
    assert_true(failed > 10);
    vn_world_destroy(world);
    assert_int_equal(memory.live_blocks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_what_changed),
        cmocka_unit_test(the_first_place_counts),
        cmocka_unit_test(kept_changes_are_listed_again),
        cmocka_unit_test(noting_allocates_nothing),
        cmocka_unit_test(running_out_of_memory_loses_nothing),
    };

    return cmocka_run_group_tests_name("world/journal", tests, NULL, NULL);
}
