/// Sensed voxels and refused unknown space in a dynamic layer, against a plain array of states: after every
/// batch the world has the hash, and the layer the bytes, of ones that are made anew from the array.
#include "cmocka_all.h"
#include "shapes.h"
#include "support.h"

#include "base/rng.h"
#include "dynamic/dynamic.h"
#include "volnav/space.h"
#include "world/journal.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

enum { X = 75, Y = 40, Z = 37, ALL = X * Y * Z, MOST = 4000, MOVERS = 3 };

typedef struct scene {
    vn_world* world;
    vni_dynamic* dynamic;
    vni_dynamic_def def;
    vn_obstacle_id occupied, unknown, wall, movers[MOVERS];
    vn_vec3 low;
    float size;
    uint8_t states[ALL]; ///< vn_voxel_state, x fastest
} scene;

static float real(vni_rng* rng, double low, double high) {
    return (float)(low + (high - low) * vni_rng_real(rng));
}

static vn_voxel voxel_at(uint32_t i) {
    return (vn_voxel){(int32_t)(i % X), (int32_t)(i / X % Y), (int32_t)(i / X / Y)};
}

static uint32_t index_of(vn_voxel v) {
    return (uint32_t)(v.x + X * (v.y + Y * v.z));
}

/// The set of all voxels with a state.
static vn_shape shape_of(const scene* s, vn_voxel_state state, vn_voxel* voxels, bool sensed) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < ALL; ++i)
        if (s->states[i] == state)
            voxels[count++] = voxel_at(i);
    vn_shape shape = vnt_voxels_shape((vn_voxel){X, Y, Z}, s->size, voxels, count);
    shape.as.voxels.low = s->low;
    shape.as.voxels.sensed = sensed;
    return shape;
}

static vn_obstacle_id add_set(const scene* s, vn_world* world, vn_voxel_state state, bool sensed) {
    vn_voxel* voxels = malloc(ALL * sizeof *voxels);
    vn_obstacle_id id;
    vn_shape shape = shape_of(s, state, voxels, sensed);
    assert_int_equal(vn_world_add(world, &shape, &id, NULL), VN_OK);
    if (state == VN_VOXEL_UNKNOWN)
        assert_int_equal(vn_world_set_flags(world, id, VN_FLAG_UNKNOWN), VN_OK);
    free(voxels);
    return id;
}

/// On the grid of the space or beside it; `others`: with a wall and moving boxes, one of which is unknown.
static scene* make_scene(vni_rng* rng, vn_unknown_policy policy, float radius, bool aligned, bool others,
                         const vn_allocator* allocator) {
    scene* s = calloc(1, sizeof *s);
    vn_world_def world_def = vn_default_world_def();
    world_def.allocator = allocator != NULL ? *allocator : vn_default_allocator();
    s->size = aligned ? 1.0f : 0.7f;
    s->low = aligned ? vnt_vec(3, -2, 1) : vnt_vec(2.3f, 1.1f, -0.4f);
    memset(s->states, VN_VOXEL_UNKNOWN, sizeof s->states);
    for (uint32_t i = 0; i < 2000; ++i)
        s->states[vni_rng_below(rng, ALL)] = (uint8_t)vni_rng_below(rng, 2);

    assert_int_equal(vn_world_create(&world_def, &s->world), VN_OK);
    s->occupied = add_set(s, s->world, VN_VOXEL_OCCUPIED, true);
    s->unknown = add_set(s, s->world, VN_VOXEL_UNKNOWN, true);
    for (int i = 0; i < MOVERS && others; ++i) {
        vn_shape box = vnt_box_shape(vnt_vec(-3, -3, -3), vnt_vec(3, 4, 5));
        vn_transform at = vn_transform_identity();
        at.position = vnt_vec(real(rng, 0, 70), real(rng, 0, 40), real(rng, 0, 30));
        assert_int_equal(vn_world_add_moving(s->world, &box, &at, &s->movers[i], NULL), VN_OK);
        assert_int_equal(vn_world_set_flags(s->world, s->movers[i], i == 1 ? VN_FLAG_UNKNOWN : 0), VN_OK);
    }

    vn_shape wall = vnt_box_shape(vnt_vec(20, 0, 0), vnt_vec(22, 30, 20));
    if (others)
        assert_int_equal(vn_world_add(s->world, &wall, &s->wall, NULL), VN_OK);

    s->def.allocator = world_def.allocator;
    s->def.jobs = vn_serial_jobs();
    s->def.space = vn_default_space_def();
    s->def.space.radius = radius;
    s->def.space.unknown = policy;
    s->def.space.has_bounds = true;
    s->def.space.bounds = (vn_box){{0, 0, 0}, {84, 35, 38}};
    return s;
}

static void start(scene* s) {
    vni_world_forget_changes(s->world);
    assert_int_equal(vni_dynamic_make(s->world, &s->def, &s->dynamic, NULL), VN_OK);
}

static void free_scene(scene* s) {
    vni_dynamic_free(s->dynamic);
    vn_world_destroy(s->world);
    free(s);
}

static vn_status update(scene* s) {
    uint32_t count;
    const vni_change* changes = vni_world_changes(s->world, &count);
    vn_status status = vni_dynamic_update(s->dynamic, s->world, changes, count, NULL);
    if (status == VN_OK)
        vni_world_forget_changes(s->world);
    else
        vni_world_keep_changes(s->world);
    return status;
}

/// A world with the content of the scene's, without a history.
static vn_world* fresh_world(const scene* s) {
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    add_set(s, world, VN_VOXEL_OCCUPIED, false);
    add_set(s, world, VN_VOXEL_UNKNOWN, false);
    for (int i = 0; i < MOVERS && s->movers[0].index1 != 0; ++i) {
        vn_shape box = vnt_box_shape(vnt_vec(-3, -3, -3), vnt_vec(3, 4, 5));
        vn_transform at;
        vn_obstacle_info info;
        vn_obstacle_id id;
        assert_int_equal(vn_world_get_transform(s->world, s->movers[i], &at), VN_OK);
        assert_int_equal(vn_world_get_info(s->world, s->movers[i], &info), VN_OK);
        assert_int_equal(vn_world_add_moving(world, &box, &at, &id, NULL), VN_OK);
        assert_int_equal(vn_world_set_flags(world, id, info.flags), VN_OK);
    }

    vn_shape wall = vnt_box_shape(vnt_vec(20, 0, 0), vnt_vec(22, 30, 20));
    if (vn_world_has(s->world, s->wall))
        assert_int_equal(vn_world_add(world, &wall, NULL, NULL), VN_OK);
    return world;
}

static void compare_unknown(const vn_space* now, const vn_space* fresh) {
    assert_int_equal(now->unknown.table != NULL, fresh->unknown.table != NULL);
    if (fresh->unknown.table == NULL)
        return;
    assert_true(now->unknown.blocked_voxels == fresh->unknown.blocked_voxels);
    for (uint32_t i = 0; i < vni_occupancy_block_count(&now->occupancy); ++i)
        assert_int_equal(now->unknown.table[i] == now->occupancy.table[i],
                         fresh->unknown.table[i] == fresh->occupancy.table[i]);
}

static void compare(const scene* s) {
    uint64_t version;
    vn_world* world = fresh_world(s);
    vn_space* fresh = NULL;
    const vn_space* now = vni_dynamic_pin(s->dynamic, &version);
    vn_obstacle_info info;
    uint64_t count = 0;
    for (uint32_t i = 0; i < ALL; ++i)
        count += s->states[i] == VN_VOXEL_OCCUPIED;

    assert_int_equal(vn_world_get_info(s->world, s->occupied, &info), VN_OK);
    assert_true(info.voxels == count);
    assert_true(vn_world_hash(s->world) == vn_world_hash(world));
    assert_int_equal(vn_space_bake(world, &s->def.space, &fresh, NULL), VN_OK);
    assert_true(vn_space_content_hash(now) == vn_space_content_hash(fresh));
    compare_unknown(now, fresh);
    vn_space_destroy(fresh);
    vn_world_destroy(world);
    vni_dynamic_unpin(s->dynamic, version);
}

/// A box of voxels, or dust all over; some entries are repeated with other states, some lie outside.
static uint32_t random_batch(vni_rng* rng, vn_voxel* voxels, uint8_t* states) {
    const uint32_t count = vni_rng_below(rng, 4) == 0 ? vni_rng_below(rng, 8) : vni_rng_below(rng, MOST);
    const bool dust = vni_rng_below(rng, 2) == 0, plain = vni_rng_below(rng, 2) == 0;
    const uint32_t state = vni_rng_below(rng, 3);
    const vn_voxel low = voxel_at(vni_rng_below(rng, ALL));
    for (uint32_t i = 0; i < count; ++i) {
        const int32_t k = (int32_t)i;
        voxels[i] = dust ? voxel_at(vni_rng_below(rng, ALL))
                         : (vn_voxel){low.x + k % 16, low.y + k / 16 % 16, low.z + k / 256};
        if (i > 0 && vni_rng_below(rng, 9) == 0)
            voxels[i] = voxels[vni_rng_below(rng, i)];
        if (vni_rng_below(rng, 50) == 0)
            voxels[i] = (vn_voxel){vni_rng_range(rng, -3, X + 3), -1, vni_rng_range(rng, -3, Z + 3)};
        states[i] = (uint8_t)(plain ? state : vni_rng_below(rng, 3));
    }

    return count;
}

static bool is_inside(vn_voxel v) {
    return v.x >= 0 && v.y >= 0 && v.z >= 0 && v.x < X && v.y < Y && v.z < Z;
}

/// Into the array; returns how many lie outside.
static uint32_t note_batch(scene* s, const vn_voxel* voxels, const uint8_t* states, uint32_t count) {
    uint32_t outside = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (is_inside(voxels[i]))
            s->states[index_of(voxels[i])] = states[i];
        else
            ++outside;
    }

    return outside;
}

/// As voxels, or as positions inside them.
static void sense(scene* s, vni_rng* rng) {
    static vn_voxel voxels[MOST];
    static vn_dvec3 positions[MOST];
    static uint8_t states[MOST];
    const uint32_t count = random_batch(rng, voxels, states);
    const double size = (double)s->size;
    vn_sense_batch batch = {
        .occupied = s->occupied, .unknown = s->unknown, .states = states, .count = count};
    for (uint32_t i = 0; i < count; ++i)
        positions[i] = (vn_dvec3){(double)s->low.x + (voxels[i].x + 0.4) * size,
                                  (double)s->low.y + (voxels[i].y + 0.5) * size,
                                  (double)s->low.z + (voxels[i].z + 0.6) * size};
    if (vni_rng_below(rng, 2))
        batch.voxels = voxels;
    else
        batch.positions = positions;

    uint32_t outside = UINT32_MAX;
    assert_int_equal(vn_world_sense(s->world, &batch, &outside, NULL), VN_OK);
    assert_int_equal(outside, note_batch(s, voxels, states, count));
}

static void change_others(scene* s, vni_rng* rng) {
    const uint32_t i = vni_rng_below(rng, MOVERS);
    vn_transform at = vn_transform_identity();
    at.position = vnt_vec(real(rng, 0, 70), real(rng, 0, 40), real(rng, 0, 30));
    switch (vni_rng_below(rng, 6)) {
    case 0: // it becomes unknown, or known
        assert_int_equal(vn_world_set_flags(s->world, s->movers[i], vni_rng_below(rng, 2) * VN_FLAG_UNKNOWN),
                         VN_OK);
        break;
    case 1:
        if (vn_world_has(s->world, s->wall))
            assert_int_equal(vn_world_remove(s->world, s->wall), VN_OK);
        break;
    default: assert_int_equal(vn_world_move(s->world, s->movers[i], &at, NULL), VN_OK);
    }
}

static void every_batch_equals_a_fresh_bake(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("sensed equality", 900));
    const float radii[3] = {0, 0.4f, 2.5f};
    for (uint32_t round = 0; round < vnt_scale(12, 36); ++round) {
        const bool others = round % 2;
        scene* s = make_scene(&rng, (vn_unknown_policy)(round % 3 == 2 ? 1 : 2 - 2 * (round % 3)),
                              radii[round / 3 % 3], round / 2 % 2, others, NULL);
        start(s);
        compare(s);
        for (uint32_t step = 0; step < vnt_scale(8, 60); ++step) {
            for (uint32_t k = vni_rng_below(&rng, 3); k <= 2; ++k)
                sense(s, &rng);
            if (others)
                change_others(s, &rng);
            assert_int_equal(update(s), VN_OK);
            compare(s);
        }

        uint64_t version;
        vn_detail detail = {0};
        assert_int_equal(vn_space_validate(vni_dynamic_pin(s->dynamic, &version), &detail), VN_OK);
        vni_dynamic_unpin(s->dynamic, version);
        free_scene(s);
    }
}

/// A voxel that turns from unknown to occupied blocks nothing new, but is no longer unknown.
static void what_becomes_known_is_told(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(901);
    scene* s = make_scene(&rng, VN_UNKNOWN_REFUSED, 0, true, false, NULL);
    memset(s->states, VN_VOXEL_UNKNOWN, sizeof s->states);
    const vn_voxel_box all = {{0, 0, 0}, {X, Y, Z}};
    assert_int_equal(vn_world_remove(s->world, s->unknown), VN_OK);
    assert_int_equal(vn_world_remove(s->world, s->occupied), VN_OK);
    s->occupied = add_set(s, s->world, VN_VOXEL_OCCUPIED, true);
    vn_shape shape = vnt_voxels_shape((vn_voxel){X, Y, Z}, 1, NULL, 0);
    shape.as.voxels.low = s->low;
    shape.as.voxels.sensed = true;
    shape.as.voxels.boxes = &all;
    shape.as.voxels.box_count = 1;
    assert_int_equal(vn_world_add(s->world, &shape, &s->unknown, NULL), VN_OK);
    assert_int_equal(vn_world_set_flags(s->world, s->unknown, VN_FLAG_UNKNOWN), VN_OK);
    start(s);

    // voxel (10, 10, 10) of the set is (13, 8, 11) of the space
    const vn_point point = vn_voxel_center((vn_voxel){13, 8, 11});
    const vn_voxel voxel = {10, 10, 10};
    const vn_voxel_state row[] = {VN_VOXEL_OCCUPIED, VN_VOXEL_FREE, VN_VOXEL_OCCUPIED, VN_VOXEL_UNKNOWN,
                                  VN_VOXEL_FREE};
    for (uint32_t i = 0; i < 5; ++i) {
        const vn_sense_batch batch = {
            .occupied = s->occupied, .unknown = s->unknown, .voxels = &voxel, .state = row[i], .count = 1};
        uint64_t before = vni_dynamic_version(s->dynamic), version;
        assert_int_equal(vn_world_sense(s->world, &batch, NULL, NULL), VN_OK);
        s->states[index_of(voxel)] = (uint8_t)row[i];
        assert_int_equal(update(s), VN_OK);
        compare(s);
        const vn_space* space = vni_dynamic_pin(s->dynamic, &version);
        assert_true(version == before + 1);
        assert_int_equal(vn_space_point_unknown(space, point), row[i] == VN_VOXEL_UNKNOWN);
        assert_int_equal(vn_space_point_free(space, point), row[i] == VN_VOXEL_FREE);
        vni_dynamic_unpin(s->dynamic, version);

        // the same again is no new version
        assert_int_equal(vn_world_sense(s->world, &batch, NULL, NULL), VN_OK);
        assert_int_equal(update(s), VN_OK);
        assert_true(vni_dynamic_version(s->dynamic) == before + 1);
    }

    free_scene(s);
}

/// Each allocation of a batch and its update fails once: nothing is lost, and nothing leaks.
static void out_of_memory_is_survived(void** state) {
    (void)state;
    bool failed = true;
    for (uint64_t k = 0; failed; ++k) {
        vni_rng rng = vni_rng_make(902);
        vnt_memory memory = vnt_memory_make();
        const vn_allocator allocator = vnt_memory_allocator(&memory);
        scene* s = make_scene(&rng, VN_UNKNOWN_REFUSED, 0.4f, true, true, &allocator);
        start(s);

        static vn_voxel voxels[MOST];
        static uint8_t states[MOST];
        uint32_t count = 0;
        while (count < MOST / 2)
            count = random_batch(&rng, voxels, states);
        const vn_sense_batch batch = {.occupied = s->occupied,
                                      .unknown = s->unknown,
                                      .voxels = voxels,
                                      .states = states,
                                      .count = count};
        memory.fail_at = memory.calls + k;
        if (vn_world_sense(s->world, &batch, NULL, NULL) != VN_OK) {
            compare(s);
            assert_int_equal(vn_world_sense(s->world, &batch, NULL, NULL), VN_OK);
        }

        note_batch(s, voxels, states, count);
        if (update(s) != VN_OK) {
            sense(s, &rng);
            assert_int_equal(update(s), VN_OK);
        }

        failed = memory.failures > 0;
        compare(s);
        free_scene(s);
        assert_int_equal(memory.live_blocks, 0);
    }
}

#define REFUSED(change, status)                                                                              \
    do {                                                                                                     \
        vn_sense_batch b = good;                                                                             \
        change;                                                                                              \
        assert_int_equal(vn_world_sense(s->world, &b, NULL, &detail), status);                               \
    } while (0)

static void wrong_batches_are_refused(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(903);
    scene* s = make_scene(&rng, VN_UNKNOWN_REFUSED, 0, true, true, NULL);
    vn_detail detail;
    const vn_voxel voxel = {1, 1, 1};
    const vn_dvec3 nowhere = {0, 0.0 / (double)(s->size - 1), 0};
    const uint8_t bad = 3;
    const vn_sense_batch good = {
        .occupied = s->occupied, .unknown = s->unknown, .voxels = &voxel, .state = VN_VOXEL_FREE, .count = 1};
    const uint64_t hash = vn_world_hash(s->world);
    vn_shape other = vnt_voxels_shape((vn_voxel){X, Y, Z + 1}, 1, NULL, 0);
    vn_obstacle_id else_where, plain;
    other.as.voxels.sensed = true;
    assert_int_equal(vn_world_add(s->world, &other, &else_where, NULL), VN_OK);
    other.as.voxels.sensed = false;
    assert_int_equal(vn_world_add(s->world, &other, &plain, NULL), VN_OK);
    const uint64_t with_others = vn_world_hash(s->world);
    (void)hash;

    REFUSED(b.occupied.generation += 7, VN_STALE_ID);
    REFUSED(b.unknown.generation += 7, VN_STALE_ID);
    REFUSED(b.occupied = s->wall, VN_UNSUPPORTED);
    REFUSED(b.occupied = s->movers[0], VN_UNSUPPORTED);
    REFUSED(b.unknown = plain, VN_UNSUPPORTED);
    REFUSED(b.unknown = else_where, VN_UNSUPPORTED);
    REFUSED(b.unknown = s->occupied, VN_BAD_ARGUMENT);
    REFUSED(b.voxels = NULL, VN_BAD_ARGUMENT);
    REFUSED((b.voxels = NULL, b.positions = &nowhere), VN_BAD_DATA);
    REFUSED(b.states = &bad, VN_BAD_DATA);
    REFUSED(b.state = (vn_voxel_state)9, VN_BAD_DATA);
    assert_true(vn_world_hash(s->world) == with_others);

    vn_transform at = vn_transform_identity();
    other.as.voxels.sensed = true;
    assert_int_equal(vn_world_add_moving(s->world, &other, &at, NULL, &detail), VN_UNSUPPORTED);

    // without a set of unknown voxels they count as free; an empty batch is no change
    vn_sense_batch b = good;
    b.unknown = (vn_obstacle_id){0, 0};
    b.state = VN_VOXEL_OCCUPIED;
    assert_int_equal(vn_world_sense(s->world, &b, NULL, NULL), VN_OK);
    assert_true(vn_world_hash(s->world) != with_others);
    b.state = VN_VOXEL_UNKNOWN;
    assert_int_equal(vn_world_sense(s->world, &b, NULL, NULL), VN_OK);
    b.count = 0;
    b.voxels = NULL;
    assert_int_equal(vn_world_sense(s->world, &b, NULL, NULL), VN_OK);
    free_scene(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_batch_equals_a_fresh_bake),
        cmocka_unit_test(what_becomes_known_is_told),
        cmocka_unit_test(out_of_memory_is_survived),
        cmocka_unit_test(wrong_batches_are_refused),
    };

    return cmocka_run_group_tests_name("dynamic/sensed", tests, NULL, NULL);
}
