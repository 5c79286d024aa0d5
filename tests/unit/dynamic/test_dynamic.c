/// A dynamic layer against fresh bakes: after every change the same bytes; versions, deltas, memory.
#include "cmocka_all.h"
#include "shapes.h"
#include "support.h"

#include "base/rng.h"
#include "dynamic/dynamic.h"
#include "volnav/space.h"
#include "world/journal.h"
#include "world/world.h"
#include <math.h>

#include <stdlib.h>
#include <string.h>

enum { MOVERS = 12 };

typedef struct scene {
    vn_world* world;
    vni_dynamic* dynamic;
    vni_dynamic_def def;
    vn_obstacle_id movers[MOVERS];
    vn_obstacle_id fixed[MOVERS];
    vn_transform home[MOVERS];
} scene;

static float real(vni_rng* rng, double low, double high) {
    return (float)(low + (high - low) * vni_rng_real(rng));
}

static vn_quat random_turn(vni_rng* rng) {
    double q[4], n = 0;
    for (int i = 0; i < 4; ++i) {
        q[i] = 2 * vni_rng_real(rng) - 1;
        n += q[i] * q[i];
    }

    if (n < 0.01)
        return (vn_quat){0, 0, 0, 1};
    n = sqrt(n);
    return (vn_quat){(float)(q[0] / n), (float)(q[1] / n), (float)(q[2] / n), (float)(q[3] / n)};
}

/// A random transform in and around the space, sometimes on whole metres.
static vn_transform random_transform(vni_rng* rng, bool turns) {
    vn_transform t = vn_transform_identity();
    t.position = vnt_vec(real(rng, -6, 90), real(rng, -6, 76), real(rng, -6, 40));
    if (vni_rng_below(rng, 2))
        t.position = vnt_vec((float)vni_rng_range(rng, 0, 80), (float)vni_rng_range(rng, 0, 70),
                             (float)vni_rng_range(rng, 0, 34));

    if (turns && vni_rng_below(rng, 2))
        t.rotation = random_turn(rng);

    if (vni_rng_below(rng, 4) == 0)
        t.scale = real(rng, 0.5, 2);

    return t;
}

static vn_shape random_shape(vni_rng* rng, uint32_t kind) {
    static vn_vec3 corners[6];
    static vn_voxel voxels[40];
    switch (kind) {
    case 0: return vnt_sphere_shape(vnt_vec(0, 0, 0), real(rng, 0.5, 6));
    case 1:
        vnt_octahedron(vnt_vec(0, 0, 0), vnt_vec(real(rng, 1, 8), real(rng, 1, 5), real(rng, 1, 5)), corners);
        return vnt_hull_of(corners, 6, vnt_octahedron_faces, 8);
    case 2:
        for (int i = 0; i < 40; ++i)
            voxels[i] =
                (vn_voxel){vni_rng_range(rng, 0, 7), vni_rng_range(rng, 0, 7), vni_rng_range(rng, 0, 7)};
        return vnt_voxels_shape((vn_voxel){8, 8, 8}, 1, voxels, 40);
    case 4: return vnt_capsule_shape(vnt_vec(-3, 0, 0), vnt_vec(3, 2, 1), real(rng, 0.5, 4));
    case 5: return vnt_cylinder_shape(vnt_vec(-3, 0, 0), vnt_vec(3, 2, 1), real(rng, 0.5, 4));
    case 6:
        vnt_octahedron(vnt_vec(0, 0, 0), vnt_vec(real(rng, 1, 8), real(rng, 1, 5), real(rng, 1, 5)), corners);
        return vnt_triangles_shape(corners, 6, vnt_octahedron_faces, 8, true);
    default: return vnt_box_shape(vnt_vec(-4, -4, -4), vnt_vec(4, real(rng, -3, 4), 4));
    }
}

static vn_obstacle_id add_wall(vn_world* world, vni_rng* rng) {
    float x = real(rng, 0, 80), y = real(rng, 0, 66), z = real(rng, 0, 30);
    vn_shape wall =
        vnt_box_shape(vnt_vec(x, y, z), vnt_vec(x + real(rng, 1, 20), y + real(rng, 1, 20), z + 3));
    vn_obstacle_id id;
    assert_int_equal(vn_world_add(world, &wall, &id, NULL), VN_OK);
    return id;
}

static scene make_scene(vni_rng* rng, float radius, const vn_allocator* allocator) {
    scene s;
    memset(&s, 0, sizeof s);
    vn_world_def world_def = vn_default_world_def();
    assert_int_equal(vn_world_create(&world_def, &s.world), VN_OK);
    for (int i = 0; i < MOVERS; ++i) {
        s.fixed[i] = add_wall(s.world, rng);
        uint32_t kind = (uint32_t)i % 8;
        vn_shape shape = random_shape(rng, kind);
        s.home[i] = random_transform(rng, kind != 2);
        assert_int_equal(vn_world_add_moving(s.world, &shape, &s.home[i], &s.movers[i], NULL), VN_OK);
    }

    s.def.allocator = allocator != NULL ? *allocator : vn_default_allocator();
    s.def.jobs = vn_serial_jobs();
    s.def.space = vn_default_space_def();
    s.def.space.radius = radius;
    s.def.space.has_bounds = true;
    s.def.space.bounds = (vn_box){{0, 0, 0}, {84, 70, 34}};

    return s;
}

static void free_scene(scene* s) {
    vni_dynamic_free(s->dynamic);
    vn_world_destroy(s->world);
}

static void start(scene* s) {
    vni_world_forget_changes(s->world);
    assert_int_equal(vni_dynamic_make(s->world, &s->def, &s->dynamic, NULL), VN_OK);
}

static vn_status update(scene* s) {
    uint32_t count;
    const vni_change* changes = vni_world_changes(s->world, &count);
    vn_status status = vni_dynamic_update(s->dynamic, s->world, changes, count, NULL);
    if (status == VN_OK)
        vni_world_forget_changes(s->world);
    return status;
}

/// The newest version, and a fresh bake of the world as it is, are the same to the last label.
static void compare(const scene* s) {
    uint64_t version;
    vn_space* fresh = NULL;
    const vn_space* now = vni_dynamic_pin(s->dynamic, &version);
    assert_int_equal(vn_space_bake(s->world, &s->def.space, &fresh, NULL), VN_OK);
    assert_int_equal(vn_space_content_hash(now), vn_space_content_hash(fresh));
    vn_space_info a, b;
    vn_space_get_info(now, &a);
    vn_space_get_info(fresh, &b);
    assert_true(a.cells == b.cells);
    assert_true(a.links == b.links);
    assert_true(a.components == b.components);
    assert_true(a.blocked_voxels == b.blocked_voxels);
    uint32_t blocks = vni_occupancy_block_count(&now->occupancy);
    assert_memory_equal(now->cells.base, fresh->cells.base, (blocks + 1) * sizeof(uint32_t));
    assert_memory_equal(now->cells.component_base, fresh->cells.component_base,
                        (blocks + 1) * sizeof(uint32_t));
    assert_memory_equal(now->cells.components, fresh->cells.components,
                        now->cells.component_base[blocks] * sizeof(uint32_t));
    vn_space_destroy(fresh);
    vni_dynamic_unpin(s->dynamic, version);
}

static void change_something(scene* s, vni_rng* rng) {
    uint32_t which = vni_rng_below(rng, MOVERS), what = vni_rng_below(rng, 12);
    if (what == 0) { // a wall goes, another one comes
        assert_int_equal(vn_world_remove(s->world, s->fixed[which]), VN_OK);
        s->fixed[which] = add_wall(s->world, rng);
        return;
    }

    uint32_t moves = 1 + vni_rng_below(rng, 4);
    for (uint32_t i = 0; i < moves; ++i) {
        uint32_t k = (which + i) % MOVERS;
        vn_transform transform = random_transform(rng, k % 4 != 2);
        assert_int_equal(vn_world_move(s->world, s->movers[k], &transform, NULL), VN_OK);
    }
}

static void every_change_equals_a_fresh_bake(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("dynamic equality", 500));
    const float radii[3] = {0, 0.4f, 1.5f};
    for (uint32_t round = 0; round < vnt_scale(3, 30); ++round) {
        scene s = make_scene(&rng, radii[round % 3], NULL);
        start(&s);
        compare(&s);
        for (uint32_t step = 0; step < vnt_scale(40, 1000); ++step) {
            change_something(&s, &rng);
            assert_int_equal(update(&s), VN_OK);
            compare(&s);
        }

        uint64_t version;
        vn_detail detail = {0};
        assert_int_equal(vn_space_validate(vni_dynamic_pin(s.dynamic, &version), &detail), VN_OK);
        vni_dynamic_unpin(s.dynamic, version);
        free_scene(&s);
    }
}

/// Out and back again: every byte is where it was.
static void back_home_everything_is_as_it_was(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("dynamic home", 501));
    scene s = make_scene(&rng, 0, NULL);
    start(&s);
    uint64_t version;

    uint64_t before = vn_space_content_hash(vni_dynamic_pin(s.dynamic, &version));
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < MOVERS; ++i) {
            vn_transform away = random_transform(&rng, i % 4 != 2);
            assert_int_equal(vn_world_move(s.world, s.movers[i], &away, NULL), VN_OK);
        }

        assert_int_equal(update(&s), VN_OK);
        for (int i = 0; i < MOVERS; ++i)
            assert_int_equal(vn_world_move(s.world, s.movers[i], &s.home[i], NULL), VN_OK);

        assert_int_equal(update(&s), VN_OK);
        uint64_t now;
        assert_int_equal(vn_space_content_hash(vni_dynamic_pin(s.dynamic, &now)), before);
        vni_dynamic_unpin(s.dynamic, now);
    }

    vni_dynamic_unpin(s.dynamic, version);
    free_scene(&s);
}

/// What moved and moved back in between is no change, and makes no version.
static void no_change_no_version(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("dynamic nothing", 502));
    scene s = make_scene(&rng, 0, NULL);
    start(&s);
    uint64_t before = vni_dynamic_version(s.dynamic);
    vn_transform away = random_transform(&rng, false);
    assert_int_equal(vn_world_move(s.world, s.movers[3], &away, NULL), VN_OK);
    assert_int_equal(vn_world_move(s.world, s.movers[3], &s.home[3], NULL), VN_OK);
    assert_int_equal(update(&s), VN_OK);
    assert_int_equal(vni_dynamic_version(s.dynamic), before);
    free_scene(&s);
}

/// A pinned version does not change; it costs memory while it is held, and none afterwards.
static void readers_keep_what_they_hold(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("dynamic readers", 503));
    vnt_memory memory = vnt_memory_make();
    vn_allocator allocator = vnt_memory_allocator(&memory);
    scene s = make_scene(&rng, 0, &allocator);
    start(&s);
    uint64_t old_version;
    const vn_space* old = vni_dynamic_pin(s.dynamic, &old_version);

    uint64_t hash = vn_space_content_hash(old);
    for (int i = 0; i < 60; ++i) {
        change_something(&s, &rng);
        assert_int_equal(update(&s), VN_OK);
        assert_int_equal(vn_space_content_hash(old), hash);
    }

    assert_int_equal(vn_space_validate(old, NULL), VN_OK);
    vni_dynamic_stats stats;
    vni_dynamic_get_stats(s.dynamic, &stats);
    assert_true(stats.versions == 2);
    assert_true(stats.retired > 0);
    assert_true(stats.retired < 200);
    vni_dynamic_unpin(s.dynamic, old_version);
    vn_transform transform = random_transform(&rng, false);
    assert_int_equal(vn_world_move(s.world, s.movers[3], &transform, NULL), VN_OK);
    assert_int_equal(update(&s), VN_OK);
    vni_dynamic_get_stats(s.dynamic, &stats);
    assert_true(stats.versions == 1);
    assert_true(stats.retired == 0);
    vni_dynamic_free(s.dynamic);
    assert_true(memory.live_blocks == 0);
    assert_true(!memory.mismatch);
    vn_world_destroy(s.world);
}

/// The delta of a version: cells before, less those gone, plus those new, are the cells after.
static bool count_cell(void* user, vn_voxel low, vn_voxel high) {
    (void)low;
    (void)high;
    ++*(uint64_t*)user;
    return true;
}

/// Around all voxels of a chunk that became blocked, or free; empty if there are none.
static vn_voxel_box changed_in_chunk(const vn_space* from, const vn_space* to, vn_voxel chunk) {
    vn_voxel_box box = {{INT32_MAX, INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN, INT32_MIN}};
    for (int32_t i = 0; i < 4096; ++i) {
        const int32_t at[3] = {chunk.x + i % 16, chunk.y + i / 16 % 16, chunk.z + i / 256};
        const vn_voxel v = {at[0], at[1], at[2]};
        if (!vn_space_voxel_free(from, v) || vn_space_voxel_free(to, v))
            continue;

        int32_t *low = &box.low.x, *high = &box.high.x;
        for (int k = 0; k < 3; ++k) {
            low[k] = at[k] < low[k] ? at[k] : low[k];
            high[k] = at[k] + 1 > high[k] ? at[k] + 1 : high[k];
        }
    }

    return box;
}

/// The boxes of a delta are just around what was free in `from` and is not in `to`, chunk by chunk.
static void check_boxes(const vn_space* from, const vn_space* to, const vn_voxel_box* boxes, uint32_t count) {
    uint32_t found = 0;
    for (int32_t z = 0; z < 34; z += 16)
        for (int32_t y = 0; y < 70; y += 16)
            for (int32_t x = 0; x < 84; x += 16) {
                const vn_voxel_box want = changed_in_chunk(from, to, (vn_voxel){x, y, z});
                uint32_t same = 0;
                for (uint32_t i = 0; i < count; ++i)
                    same += memcmp(&boxes[i], &want, sizeof want) == 0;
                assert_int_equal(same, want.low.x < want.high.x);
                found += same;
            }

    assert_int_equal(found, count);
}

static void deltas_tell_what_changed(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("dynamic deltas", 504));
    scene s = make_scene(&rng, 0, NULL);
    start(&s);
    for (int i = 0; i < 30; ++i) {
        uint64_t before_version, after_version;
        const vn_space* before = vni_dynamic_pin(s.dynamic, &before_version);
        change_something(&s, &rng);
        assert_int_equal(update(&s), VN_OK);
        const vn_space* after = vni_dynamic_pin(s.dynamic, &after_version);

        vni_delta delta;
        if (after_version != before_version) {
            uint64_t counts[2] = {0, 0};
            int64_t change = 0;
            const vn_voxel low = {0, 0, 0}, high = {84, 70, 34};
            assert_int_equal(vni_dynamic_delta(s.dynamic, after_version, &delta), VN_OK);
            vn_space_visit_cells(before, low, high, count_cell, &counts[0]);

            vn_space_visit_cells(after, low, high, count_cell, &counts[1]);
            for (uint32_t k = 0; k < delta.cell_count; ++k) {
                const vni_delta_cell* c = &delta.cells[k];
                change += c->is_new ? 1 : -1;
                assert_true(vn_space_box_free(c->is_new ? after : before, c->box.low, c->box.high));
            }

            assert_true((int64_t)counts[1] - (int64_t)counts[0] == change);
            if (i < 8) {
                check_boxes(before, after, delta.blocked, delta.blocked_count);
                check_boxes(after, before, delta.freed, delta.freed_count);
            }
        }

        vni_dynamic_unpin(s.dynamic, before_version);
        vni_dynamic_unpin(s.dynamic, after_version);
    }

    vni_delta delta;
    assert_int_equal(vni_dynamic_delta(s.dynamic, vni_dynamic_version(s.dynamic) + 1, &delta),
                     VN_BAD_ARGUMENT);
    free_scene(&s);
}

/// Every allocation fails once; the last version stays, and the next try gets it right.
static void out_of_memory_is_survived(void** state) {
    (void)state;
    for (uint64_t fail_at = 0, done = 0; !done; fail_at += fail_at < 40 ? 1 : 7) {
        vni_rng rng = vni_rng_make(505);
        vnt_memory memory = vnt_memory_make();
        vn_allocator allocator = vnt_memory_allocator(&memory);
        scene s = make_scene(&rng, 0, &allocator);
        vni_world_forget_changes(s.world);
        memory.fail_at = fail_at;

        vn_status status = vni_dynamic_make(s.world, &s.def, &s.dynamic, NULL);
        for (int i = 0; i < 3 && status == VN_OK; ++i) {
            change_something(&s, &rng);
            status = update(&s);
            if (status == VN_OUT_OF_MEMORY)
                status = update(&s);
            assert_int_equal(status, VN_OK);
            compare(&s);
        }

        done = !memory.failed;
        assert_true(status == VN_OK || (status == VN_OUT_OF_MEMORY && !s.dynamic));
        vni_dynamic_free(s.dynamic);
        assert_true(memory.live_blocks == 0);
        assert_true(!memory.mismatch);
        vn_world_destroy(s.world);
    }
}

static uint64_t count_calls(void* user) {
    return ++*(uint64_t*)user;
}

/// An update in pieces of about `most` units; returns how many.
static uint32_t update_in_pieces(scene* s, uint64_t most) {
    uint32_t count, pieces = 0;
    vn_status status = VN_OK;
    vni_update_piece piece;
    const vni_change* changes = vni_world_changes(s->world, &count);
    vni_dynamic_begin(s->dynamic, s->world, changes, count, NULL);
    for (; vni_dynamic_claim(s->dynamic, &piece); ++pieces) {
        vni_dynamic_run(s->dynamic, &piece, 0, most);
        vni_dynamic_end(s->dynamic, &piece);
    }

    assert_true(vni_dynamic_is_done(s->dynamic, &status));
    assert_int_equal(status, VN_OK);
    vni_world_forget_changes(s->world);
    return pieces;
}

/// With a clock that counts its calls, every call but the first of a piece is some stage's.
static void stages_add_up(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("dynamic stages", 507));
    scene s = make_scene(&rng, 0, NULL);
    vni_stages stages;
    uint64_t calls = 0, spent = 0, pieces = 0;
    start(&s);

    vni_dynamic_measure(s.dynamic, count_calls, &calls);
    for (int i = 0; i < 10; ++i) {
        vn_transform transform = random_transform(&rng, false);
        assert_int_equal(vn_world_move(s.world, s.movers[3], &transform, NULL), VN_OK);
        pieces += update_in_pieces(&s, i % 2 == 0 ? UINT64_MAX : 20);
    }

    vni_dynamic_get_stages(s.dynamic, &stages);
    for (int i = 0; i < VNI_STAGES; ++i) {
        assert_true(stages.spent[i] > 0);
        spent += stages.spent[i];
    }

    assert_true(pieces >= 10 * 5);
    assert_true(spent == calls - pieces);
    vni_dynamic_measure(s.dynamic, NULL, NULL);
    vni_dynamic_get_stages(s.dynamic, &stages);
    assert_int_equal(stages.spent[VNI_STAGE_CELLS], 0);
    free_scene(&s);
}

/// A wall with a door goes through two blocks. Closing the door, far from where they meet, changes nothing
/// there but which components the cells belong to.
static void a_door_parts_what_meets_elsewhere(void** state) {
    (void)state;
    scene s;
    memset(&s, 0, sizeof s);
    const vn_world_def world_def = vn_default_world_def();
    const vn_shape walls[2] = {vnt_box_shape(vnt_vec(0, 30, 0), vnt_vec(10, 32, 30)),
                               vnt_box_shape(vnt_vec(14, 30, 0), vnt_vec(120, 32, 30))};
    const vn_shape door = vnt_box_shape(vnt_vec(0, 0, 0), vnt_vec(4, 2, 30));
    vn_transform open = vn_transform_identity(), closed = vn_transform_identity();
    open.position = vnt_vec(12, 50, 0);
    closed.position = vnt_vec(10, 30, 0);

    assert_int_equal(vn_world_create(&world_def, &s.world), VN_OK);
    for (int i = 0; i < 2; ++i)
        assert_int_equal(vn_world_add(s.world, &walls[i], NULL, NULL), VN_OK);

    assert_int_equal(vn_world_add_moving(s.world, &door, &open, &s.movers[0], NULL), VN_OK);
    s.def.allocator = vn_default_allocator();
    s.def.jobs = vn_serial_jobs();
    s.def.space = vn_default_space_def();
    s.def.space.has_bounds = true;
    s.def.space.bounds = (vn_box){{0, 0, 0}, {120, 60, 30}};

    start(&s);
    for (int i = 0; i < 4; ++i) {
        uint64_t version;
        vn_space_info info;
        assert_int_equal(vn_world_move(s.world, s.movers[0], i % 2 ? &open : &closed, NULL), VN_OK);
        assert_int_equal(update(&s), VN_OK);
        compare(&s);
        vn_space_get_info(vni_dynamic_pin(s.dynamic, &version), &info);
        assert_int_equal(info.components, i % 2 ? 1 : 2);
        vni_dynamic_unpin(s.dynamic, version);
    }

    free_scene(&s);
}

static void what_cannot_live_is_refused(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(506);
    scene s = make_scene(&rng, 0, NULL);
    vn_detail detail;
    s.def.space.has_seed = true;
    assert_int_equal(vni_dynamic_make(s.world, &s.def, &s.dynamic, &detail), VN_UNSUPPORTED);
    s.def.space.has_seed = false;
    s.def.space.cells = false;
    assert_int_equal(vni_dynamic_make(s.world, &s.def, &s.dynamic, &detail), VN_UNSUPPORTED);
    free_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_change_equals_a_fresh_bake),
        cmocka_unit_test(back_home_everything_is_as_it_was),
        cmocka_unit_test(no_change_no_version),
        cmocka_unit_test(readers_keep_what_they_hold),
        cmocka_unit_test(deltas_tell_what_changed),
        cmocka_unit_test(out_of_memory_is_survived),
        cmocka_unit_test(a_door_parts_what_meets_elsewhere),
        cmocka_unit_test(stages_add_up),
        cmocka_unit_test(what_cannot_live_is_refused),
    };

    return cmocka_run_group_tests_name("dynamic/dynamic", tests, NULL, NULL);
}
