/// nav from baked layers: made from a file it is the nav that bakes, byte for byte, also after updates; a nav
/// that was saved goes on in the same way.
#include "scene.h"

#include "nav/nav_inside.h"
#include "volnav/io.h"
#include "volnav/store.h"

#include <stdio.h>

// ---------------------------------------------------------------------------------------------------- files

/// Bytes in memory.
typedef struct bytes {
    uint8_t data[1 << 22];
    size_t size;
} bytes;

static bool append(void* user, const void* data, size_t size) {
    bytes* to = user;
    assert_true(to->size + size <= sizeof to->data);
    memcpy(to->data + to->size, data, size);
    to->size += size;
    return true;
}

static vn_status save(const vn_nav* nav, const vn_allocator* allocator, bytes* out) {
    const vn_sink sink = {append, out};
    const vn_store_def def = vn_default_store_def();
    out->size = 0;
    return vn_nav_write(nav, &def, allocator, &sink, NULL);
}

static vn_layers* load(const bytes* file, const vn_allocator* allocator) {
    vn_load_def def = vn_default_load_def();
    vn_layers* layers;
    def.allocator = *allocator;
    assert_int_equal(vn_layers_read(file->data, file->size, &def, &layers, NULL), VN_OK);
    return layers;
}

static bytes file_a, file_b;
static uint32_t compared; ///< pairs of files
static uint32_t seen;     ///< pairs of spaces

/// What the hosts see, layer by layer; at every tick, also while updates run.
static void check_seen(vn_nav* a, vn_nav* b) {
    static const double radii[2] = {0, 1};
    for (uint32_t i = 0; i < 2; ++i) {
        uint64_t version_a, version_b;
        const vn_space *first = vn_nav_pin(a, radii[i], 0, &version_a),
                       *second = vn_nav_pin(b, radii[i], 0, &version_b);
        assert_int_equal(first != NULL, second != NULL);
        if (first == NULL)
            continue;

        assert_true(vn_space_content_hash(first) == vn_space_content_hash(second));
        assert_int_equal(vn_nav_unpin(a, version_a), VN_OK);
        assert_int_equal(vn_nav_unpin(b, version_b), VN_OK);
        ++seen;
    }
}

/// Both navs show the same, and save the same bytes. In lockstep an update is spread over ticks, by what the
/// update before it took: while it runs in either nav, there is nothing to save.
static void check_same(vn_nav* a, vn_nav* b, bool lockstep) {
    check_seen(a, b);
    const vn_status first = save(a, NULL, &file_a), second = save(b, NULL, &file_b);
    if (lockstep && (first == VN_RUNNING || second == VN_RUNNING))
        return;

    assert_int_equal(first, VN_OK);
    assert_int_equal(second, VN_OK);
    ++compared;
    assert_int_equal(file_a.size, file_b.size);
    assert_memory_equal(file_a.data, file_b.data, file_a.size);
}

// --------------------------------------------------------------------------------------------------- worlds

/// Several layers; one mover stands in a wall, so that the file has the wall and the mover in one.
static vn_world* make_world(scene* s, uint64_t seed, vn_nav_def* def) {
    vn_world* world = scene_world(s, seed, &def->allocator);
    assert_non_null(world);
    const vn_transform in_wall = scene_at(49, 12, 20);
    assert_int_equal(vn_world_move(world, s->movers[0], &in_wall, NULL), VN_OK);
    assert_int_equal(vn_world_set_flags(world, s->movers[3], 1), VN_OK);
    def->layer_count = 3;
    def->layers[0] = (vn_layer_def){1.5f, 0};
    def->layers[1] = (vn_layer_def){0, 1};
    def->layers[2] = (vn_layer_def){0, 0};
    return world;
}

static vn_layers* bake(const vn_world* world, const vn_nav_def* def) {
    vn_layers* layers;
    vn_space_def space = def->space;
    space.allocator = def->allocator;
    assert_int_equal(vn_layers_bake(world, &space, def->layers, def->layer_count, &layers, NULL), VN_OK);
    return layers;
}

/// The layers of the same world without its movers.
static vn_layers* bake_static(uint64_t seed, const vn_nav_def* def) {
    scene s;
    vn_nav_def own = *def;
    vn_world* world = make_world(&s, seed, &own);
    for (uint32_t i = 0; i < SCENE_MOVERS; ++i)
        assert_int_equal(vn_world_remove(world, s.movers[i]), VN_OK);

    vn_layers* layers = bake(world, def);
    vn_world_destroy(world);
    return layers;
}

/// The same changes for both: movers of all kinds, walls that come and go, flags.
static void change(vni_rng* rng, const scene* a, const scene* b, vn_obstacle_id* added) {
    for (uint32_t i = 0; i < 6; ++i) {
        const vn_transform transform = scene_transform(rng);
        const uint32_t which = vni_rng_below(rng, SCENE_MOVERS);
        assert_int_equal(vn_nav_move(a->nav, a->movers[which], &transform, NULL), VN_OK);
        assert_int_equal(vn_nav_move(b->nav, b->movers[which], &transform, NULL), VN_OK);
    }

    const float x = (float)vni_rng_range(rng, 0, 80);
    const vn_shape wall = vnt_box_shape(vnt_vec(x, 3, 3), vnt_vec(x + 5, 40, 30));
    vn_obstacle_id twin;
    if (added->index1 != 0) {
        assert_int_equal(vn_nav_remove(a->nav, *added), VN_OK);
        assert_int_equal(vn_nav_remove(b->nav, *added), VN_OK);
    }

    assert_int_equal(vn_nav_add(a->nav, &wall, 0, added, NULL), VN_OK);
    assert_int_equal(vn_nav_add(b->nav, &wall, 0, &twin, NULL), VN_OK);
    assert_memory_equal(added, &twin, sizeof twin);
}

static void run_both(vni_rng* rng, const scene* a, const scene* b, bool lockstep, uint32_t frames) {
    vn_obstacle_id added = {0, 0};
    for (uint32_t i = 0; i < frames; ++i) {
        change(rng, a, b, &added);
        assert_int_equal(vn_nav_tick(a->nav, NULL), VN_OK);
        assert_int_equal(vn_nav_tick(b->nav, NULL), VN_OK);
        check_same(a->nav, b->nav, lockstep);
    }
}

// ---------------------------------------------------------------------------------------------------- tests

/// From all obstacles, and from the static ones alone, through a file.
static void test_same_as_baking(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("nav baked", 1);
    for (uint32_t round = 0; round < vnt_scale(4, 40); ++round) {
        scene a, b;
        vn_nav_def def = scene_def();
        vn_world* world_a = make_world(&a, seed + round, &def);
        vn_world* world_b = make_world(&b, seed + round, &def);
        vn_layers* baked = round % 2 ? bake_static(seed + round, &def) : bake(world_b, &def);

        const vn_store_def store = vn_default_store_def();
        const vn_sink sink = {append, &file_a};
        file_a.size = 0;
        assert_int_equal(vn_layers_write(baked, &store, NULL, &sink, NULL), VN_OK);
        vn_layers_destroy(baked);

        // what the def says about layers and space is ignored
        vn_layers* layers = load(&file_a, &def.allocator);
        vn_nav_def other = vn_default_nav_def();
        other.space.resolution = 7;
        other.layers[0].radius = 30;
        assert_int_equal(vn_nav_create(world_a, &def, &a.nav, NULL), VN_OK);
        assert_int_equal(vn_nav_create_baked(world_b, layers, &other, &b.nav, NULL), VN_OK);
        vn_layers_destroy(layers);

        check_same(a.nav, b.nav, false);
        vni_rng rng = vni_rng_make(seed + round);
        run_both(&rng, &a, &b, def.mode == VN_NAV_LOCKSTEP, 12);
        vn_nav_destroy(a.nav);
        vn_nav_destroy(b.nav);
    }
}

/// A world in the state of a running nav.
static vn_world* follow(scene* to, const scene* from, uint64_t seed, vn_nav_def* def) {
    vn_world* world = make_world(to, seed, def);
    for (uint32_t i = 0; i < SCENE_MOVERS; ++i) {
        vn_transform transform;
        assert_int_equal(vn_nav_get_transform(from->nav, from->movers[i], &transform), VN_OK);
        assert_int_equal(vn_world_move(world, to->movers[i], &transform, NULL), VN_OK);
    }
    return world;
}

/// Save, load, update: the nav that was saved and the one that is made from the file stay the same, in both
/// modes.
static void test_saved_nav_goes_on(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("nav saved", 1);
    compared = seen = 0;
    for (uint32_t round = 0; round < vnt_scale(4, 40); ++round) {
        scene a, b;
        vn_nav_def def = scene_def();
        def.mode = round % 2 ? VN_NAV_LOCKSTEP : VN_NAV_REALTIME;
        vn_world* world = make_world(&a, seed + round, &def);
        assert_int_equal(vn_nav_create(world, &def, &a.nav, NULL), VN_OK);
        a.rng = vni_rng_make(seed + round);
        for (uint32_t i = 0; i < 5; ++i) {
            scene_move_some(&a, 10);
            assert_int_equal(vn_nav_tick(a.nav, NULL), VN_OK);
        }

        // lockstep: until all of it is taken
        for (uint32_t i = 0; i < 4; ++i)
            assert_int_equal(vn_nav_tick(a.nav, NULL), VN_OK);

        assert_int_equal(save(a.nav, NULL, &file_a), VN_OK);
        vn_layers* layers = load(&file_a, &def.allocator);
        world = follow(&b, &a, seed + round, &def);
        assert_int_equal(vn_nav_create_baked(world, layers, &def, &b.nav, NULL), VN_OK);
        vn_layers_destroy(layers);

        check_same(a.nav, b.nav, false);
        vni_rng rng = vni_rng_make(seed + round);
        run_both(&rng, &a, &b, def.mode == VN_NAV_LOCKSTEP, 10);
        vn_nav_destroy(a.nav);
        vn_nav_destroy(b.nav);
    }

    assert_true(compared >= vnt_scale(4, 40) * 8); // more than those of realtime alone
    assert_true(seen >= vnt_scale(4, 40) * 11);    // all of both modes
}

/// A file holds what updates have taken, in lockstep before the host sees it.
static void test_saves_what_is_taken(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.mode = VN_NAV_LOCKSTEP;
    def.latency = 3;
    scene_start(&s, 1, &def);
    const vn_transform transform = scene_at(10, 50, 10);
    assert_int_equal(vn_nav_move(s.nav, s.movers[0], &transform, NULL), VN_OK);
    assert_int_equal(save(s.nav, NULL, &file_a), VN_OK);
    vn_layers* before = load(&file_a, &def.allocator);
    assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
    assert_int_equal(save(s.nav, NULL, &file_a), VN_OK);
    vn_layers* after = load(&file_a, &def.allocator);

    const vn_voxel there = {10, 50, 10};
    assert_true(vn_space_voxel_free(vn_layers_space(before, 0), there));
    assert_false(vn_space_voxel_free(vn_layers_space(after, 0), there));
    assert_true(vn_layers_world_hash(before) != vn_layers_world_hash(after));
    vn_layers_destroy(before);
    vn_layers_destroy(after);
    vn_nav_destroy(s.nav);
}

/// Static layers are those of the layers, and never change.
static void test_static_layers(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    vn_world* world = make_world(&s, 3, &def);
    vn_layers* layers = bake(world, &def);
    const uint64_t first = vn_space_content_hash(vn_layers_space(layers, 2));
    def.static_layers = 4; // in order: radius 0, radius 0 with flag 1, radius 1.5
    assert_int_equal(vn_nav_create_baked(world, layers, &def, &s.nav, NULL), VN_OK);
    vn_layers_destroy(layers);

    uint64_t version;
    scene_move_some(&s, 20);
    assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
    assert_true(vn_space_content_hash(vn_nav_pin(s.nav, 1.5, 0, &version)) == first);
    assert_true(version == 2);
    vn_nav_destroy(s.nav);
}

/// One set of layers serves several navs and outlives them.
static void test_shared_layers(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_nav_def def = scene_small_def(&memory);
    scene s[3];
    vn_world* worlds[3];
    for (uint32_t i = 0; i < 3; ++i)
        worlds[i] = make_world(&s[i], 4, &def);

    vn_layers* layers = bake(worlds[0], &def);
    const uint64_t hash = vn_space_content_hash(vn_layers_space(layers, 0));
    for (uint32_t i = 0; i < 3; ++i)
        assert_int_equal(vn_nav_create_baked(worlds[i], layers, &def, &s[i].nav, NULL), VN_OK);

    for (uint32_t i = 0; i < 3; ++i) {
        scene_move_some(&s[i], 20);
        assert_int_equal(vn_nav_tick(s[i].nav, NULL), VN_OK);
    }

    assert_true(vn_space_content_hash(vn_layers_space(layers, 0)) == hash);
    assert_int_equal(vn_space_validate(vn_layers_space(layers, 0), NULL), VN_OK);
    vn_nav_destroy(s[0].nav);
    vn_nav_destroy(s[2].nav);
    vn_layers_destroy(layers);
    assert_int_equal(vn_nav_tick(s[1].nav, NULL), VN_OK);
    vn_nav_destroy(s[1].nav);
    assert_true(memory.live_blocks == 0);
    assert_true(!memory.mismatch);
}

/// Every allocation fails in turn: nothing leaks, world and layers stay whole.
static void test_out_of_memory(void** state) {
    (void)state;
    vn_status status = VN_OUT_OF_MEMORY;
    for (uint64_t k = 0; status != VN_OK; ++k) {
        scene s;
        vnt_memory memory = vnt_memory_make();
        vn_nav_def def = scene_small_def(&memory);
        vn_world* world = make_world(&s, 5, &def);
        vn_layers* layers = bake(world, &def);
        const uint64_t blocks = memory.live_blocks;
        memory.fail_at = memory.calls + k;
        def.static_layers = 2;

        status = vn_nav_create_baked(world, layers, &def, &s.nav, NULL);
        memory.fail_at = UINT64_MAX;
        assert_int_equal(vn_space_validate(vn_layers_space(layers, 0), NULL), VN_OK);
        vn_layers_destroy(layers);
        if (status == VN_OK) {
            assert_true(!memory.failed);
            vn_nav_destroy(s.nav);
        } else {
            assert_int_equal(status, VN_OUT_OF_MEMORY);
            assert_true(memory.live_blocks < blocks && s.nav == NULL);
            vn_world_destroy(world);
        }

        assert_true(memory.live_blocks == 0);
        assert_true(!memory.mismatch);
    }
}

static void test_refused(void** state) {
    (void)state;
    scene s;
    vnt_memory memory = vnt_memory_make();
    vn_nav_def def = scene_def();
    vn_detail detail;
    vn_nav* nav;
    vn_world* world = make_world(&s, 6, &def);
    vn_layers* layers = bake(world, &def);

    // another transform of a mover, another static obstacle
    const vn_transform elsewhere = scene_at(30, 30, 30);
    assert_int_equal(vn_world_move(world, s.movers[1], &elsewhere, NULL), VN_OK);
    assert_int_equal(vn_nav_create_baked(world, layers, &def, &nav, &detail), VN_STALE);
    assert_non_null(strstr(detail.text, "another world"));
    assert_true(nav == NULL);
    vn_layers_destroy(layers);
    layers = bake(world, &def);
    assert_int_equal(vn_world_remove(world, s.wall), VN_OK);
    assert_int_equal(vn_nav_create_baked(world, layers, &def, &nav, NULL), VN_STALE);
    vn_layers_destroy(layers);

    layers = bake(world, &def);
    vn_nav_def wrong = def;
    wrong.allocator = vnt_memory_allocator(&memory);
    assert_int_equal(vn_nav_create_baked(world, layers, &wrong, &nav, &detail), VN_BAD_ARGUMENT);
    assert_non_null(strstr(detail.text, "allocator"));
    wrong = def;
    wrong.cookie = 0;
    assert_int_equal(vn_nav_create_baked(world, layers, &wrong, &nav, NULL), VN_BAD_DEF);
    vn_layers_destroy(layers);

    def.space.cells = false;
    layers = bake(world, &def);
    assert_int_equal(vn_nav_create_baked(world, layers, &def, &nav, &detail), VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "cells"));
    vn_layers_destroy(layers);
    vn_world_destroy(world);
}

/// A nav is not saved while an update changes its world, nor after one has failed.
static void test_save_refused(void** state) {
    (void)state;
    scene s;
    const vn_nav_def def = scene_def();
    scene_start(&s, 7, &def);
    for (vni_update_state at = VNI_UPDATE_READY; at <= VNI_UPDATE_RUNNING; ++at) {
        s.nav->shared.update_state = at;
        assert_int_equal(save(s.nav, NULL, &file_a), VN_RUNNING);
        assert_true(file_a.size == 0);
    }

    s.nav->shared.update_state = VNI_UPDATE_NONE;
    s.nav->update.status = VN_OUT_OF_MEMORY;
    assert_int_equal(save(s.nav, NULL, &file_a), VN_STALE);
    s.nav->update.status = VN_OK;
    assert_int_equal(save(s.nav, NULL, &file_a), VN_OK);
    vn_nav_destroy(s.nav);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_baking),
        cmocka_unit_test(test_saved_nav_goes_on),
        cmocka_unit_test(test_saves_what_is_taken),
        cmocka_unit_test(test_static_layers),
        cmocka_unit_test(test_shared_layers),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_save_refused),
    };

    return cmocka_run_group_tests_name("nav/baked", tests, NULL, NULL);
}
