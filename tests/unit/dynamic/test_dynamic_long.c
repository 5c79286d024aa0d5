/// A dynamic layer over many single changes on many random worlds: after each one every byte is that of a
/// fresh bake, and the space validates; with all obstacles back where they were, every byte is the first one
/// again.
#include "cmocka_all.h"
#include "shapes.h"
#include "support.h"

#include "base/rng.h"
#include "dynamic/dynamic.h"
#include "world/journal.h"
#include <math.h>
#include <string.h>

enum { THINGS = 14, FLAG_OPEN = 2, FLAG_OTHER = 4 };

/// An obstacle, with all that is needed to add it again.
typedef struct thing {
    vn_shape shape;
    vn_vec3 corners[6];
    vn_voxel voxels[24];
    bool moves, here, turns; ///< `turns`: by any angle
    vn_transform home, transform;
    uint32_t flags; ///< at home
    vn_obstacle_id id;
} thing;

typedef struct scene {
    vn_world* world;
    vni_dynamic* dynamic;
    vni_dynamic_def def;
    float size[3];
    thing things[THINGS];
} scene;

static float real(vni_rng* rng, float low, float high) {
    return low + (high - low) * (float)vni_rng_real(rng);
}

// ---------------------------------------------------------------------------------------------------- bytes

static void check_bytes(const void* a, const void* b, size_t count) {
    assert_true((a && b) || count == 0);
    if (count > 0)
        assert_memory_equal(a, b, count);
}

static void check_voxels(const vni_block* a, const vni_block* b) {
    assert_int_equal(a == NULL, b == NULL);
    if (a == NULL)
        return;

    assert_true(a->mixed_count == b->mixed_count);
    assert_true(a->blocked_voxels == b->blocked_voxels);
    check_bytes(a->first, b->first, sizeof a->first);
    check_bytes(a->some, b->some, sizeof a->some);
    check_bytes(a->full, b->full, sizeof a->full);
    check_bytes(a->bricks, b->bricks, a->mixed_count * sizeof *a->bricks);
}

static void check_block(const vni_cell_block* a, const vni_cell_block* b) {
    assert_true(a->cell_count == b->cell_count);
    assert_true(a->group_count == b->group_count);
    assert_true(a->component_count == b->component_count);
    check_bytes(a->rank_count, b->rank_count, sizeof a->rank_count);
    check_bytes(a->first_of_chunk, b->first_of_chunk, sizeof a->first_of_chunk);
    check_bytes(a->cells, b->cells, a->cell_count * sizeof *a->cells);

    check_bytes(a->groups, b->groups, a->group_count * sizeof *a->groups);
    for (int face = 0; face < VNI_FACES; ++face)
        check_bytes(a->ranked[face], b->ranked[face], a->rank_count[face] * sizeof(uint32_t));
}

static void check_seam(const vni_seam* a, const vni_seam* b) {
    assert_int_equal(a == NULL, b == NULL);
    if (a == NULL)
        return;
    assert_true(a->a_count == b->a_count);
    assert_true(a->b_count == b->b_count);
    assert_true(a->group_count == b->group_count);
    check_bytes(a->first, b->first, ((size_t)a->a_count + a->b_count + 1) * sizeof *a->first);
    check_bytes(a->groups, b->groups, a->group_count * sizeof *a->groups);
}

/// Everything that a search looks at.
static void check_same(const vn_space* a, const vn_space* b) {
    const vni_cells *p = &a->cells, *q = &b->cells;
    const uint32_t blocks = vni_occupancy_block_count(&a->occupancy);
    check_bytes(p->dims, q->dims, sizeof p->dims);
    assert_true(a->occupancy.blocked_voxels == b->occupancy.blocked_voxels);
    assert_true(p->link_count == q->link_count);
    assert_true(p->component_count == q->component_count);
    check_bytes(p->base, q->base, (blocks + 1) * sizeof *p->base);
    check_bytes(p->component_base, q->component_base, (blocks + 1) * sizeof *p->component_base);

    check_bytes(p->components, q->components, p->component_base[blocks] * sizeof *p->components);
    for (uint32_t i = 0; i < blocks; ++i) {
        check_voxels(a->occupancy.table[i], b->occupancy.table[i]);
        check_block(p->table[i], q->table[i]);
        for (int axis = 0; axis < 3; ++axis)
            check_seam(p->seams[axis][i], q->seams[axis][i]);
        assert_true(p->views[i].base == p->base[i]);
        assert_true(p->views[i].cells == p->table[i]->cells);
        assert_true(p->views[i].groups == p->table[i]->groups);
    }

    assert_true(vn_space_content_hash(a) == vn_space_content_hash(b));
}

// ---------------------------------------------------------------------------------------------------- scenes

static vn_quat random_turn(vni_rng* rng) {
    double q[4], n = 0;
    for (int i = 0; i < 4; ++i) {
        q[i] = 2 * vni_rng_real(rng) - 1;
        n += q[i] * q[i];
    }

    n = sqrt(n + 1e-3);
    return (vn_quat){(float)(q[0] / n), (float)(q[1] / n), (float)(q[2] / n),
                     (float)(sqrt(1 - (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) / (n * n)))};
}

static void random_position(const scene* s, vni_rng* rng, float* out) {
    const bool whole = vni_rng_below(rng, 2);
    for (int i = 0; i < 3; ++i) {
        out[i] = real(rng, -4, s->size[i] + 4);
        out[i] = whole ? floorf(out[i]) : out[i];
    }
}

static vn_transform random_transform(const scene* s, vni_rng* rng, bool turns) {
    vn_transform transform = vn_transform_identity();
    random_position(s, rng, &transform.position.x);
    if (turns && vni_rng_below(rng, 2))
        transform.rotation = random_turn(rng);

    if (vni_rng_below(rng, 4) == 0)
        transform.scale = real(rng, 0.5f, 2);
    return transform;
}

/// Around (0, 0, 0).
static void make_shape(thing* t, vni_rng* rng) {
    const vn_vec3 half = {real(rng, 0.5f, 9), real(rng, 0.5f, 7), real(rng, 0.5f, 6)};
    const uint32_t kind = vni_rng_below(rng, 5);
    t->turns = kind != 3;
    switch (kind) {
    case 0: t->shape = vnt_sphere_shape(vnt_vec(0, 0, 0), half.x * 0.7f); break;
    case 1:
        vnt_octahedron(vnt_vec(0, 0, 0), half, t->corners);
        t->shape = vnt_hull_of(t->corners, 6, vnt_octahedron_faces, 8);
        break;
    case 2: t->shape = vnt_box_shape(vnt_vec(-4, -4, -4), vnt_vec(4, 4, 4)); break;
    case 3:
        for (int i = 0; i < 24; ++i)
            t->voxels[i] =
                (vn_voxel){vni_rng_range(rng, 0, 6), vni_rng_range(rng, 0, 6), vni_rng_range(rng, 0, 6)};
        t->shape = vnt_voxels_shape((vn_voxel){7, 7, 7}, 1, t->voxels, 24);
        break;
    default: t->shape = vnt_box_shape(vnt_vec(-half.x, -half.y, -half.z), half);
    }
}

/// A wall, a pillar or a slab that stands still: somewhere, on whole voxels now and then.
static void make_wall(const scene* s, thing* t, vni_rng* rng) {
    float low[3], high[3];
    const uint32_t thin = vni_rng_below(rng, 3);
    random_position(s, rng, low);
    for (uint32_t i = 0; i < 3; ++i)
        high[i] = low[i] + (i == thin ? real(rng, 0.3f, 3) : real(rng, 2, 40));
    t->shape = vnt_box_shape(vnt_vec(low[0], low[1], low[2]), vnt_vec(high[0], high[1], high[2]));
}

static void appear(scene* s, thing* t, const vn_transform* transform) {
    const vn_status status = t->moves ? vn_world_add_moving(s->world, &t->shape, transform, &t->id, NULL)
                                      : vn_world_add(s->world, &t->shape, &t->id, NULL);
    assert_int_equal(status, VN_OK);
    assert_int_equal(vn_world_set_flags(s->world, t->id, t->flags), VN_OK);
    t->transform = *transform;
    t->here = true;
}

static void make_scene(scene* s, vni_rng* rng) {
    static const float radii[3] = {0, 0.4f, 1.3f};
    const vn_world_def world_def = vn_default_world_def();
    memset(s, 0, sizeof *s);
    assert_int_equal(vn_world_create(&world_def, &s->world), VN_OK);
    s->size[0] = (float)vni_rng_range(rng, 10, 140);
    s->size[1] = (float)vni_rng_range(rng, 10, 90);

    s->size[2] = (float)vni_rng_range(rng, 4, 80);
    for (int i = 0; i < THINGS; ++i) {
        thing* t = &s->things[i];
        t->moves = i % 2;
        t->flags = vni_rng_below(rng, 4) ? 0 : FLAG_OPEN;
        if (t->moves)
            make_shape(t, rng);
        else
            make_wall(s, t, rng);

        t->home = t->moves ? random_transform(s, rng, t->turns) : vn_transform_identity();
        appear(s, t, &t->home);
    }

    s->def.allocator = vn_default_allocator();
    s->def.jobs = vn_serial_jobs();
    s->def.space = vn_default_space_def();
    s->def.space.radius = radii[vni_rng_below(rng, 3)];
    s->def.space.open_flags = vni_rng_below(rng, 2) ? FLAG_OPEN : 0;
    s->def.space.has_bounds = true;
    s->def.space.bounds.max = vnt_vec(s->size[0], s->size[1], s->size[2]);
    vni_world_forget_changes(s->world);
    assert_int_equal(vni_dynamic_make(s->world, &s->def, &s->dynamic, NULL), VN_OK);
}

// --------------------------------------------------------------------------------------------------- changes

static void move_to(scene* s, thing* t, const vn_transform* transform) {
    assert_int_equal(vn_world_move(s->world, t->id, transform, NULL), VN_OK);
    t->transform = *transform;
}

/// One change of one obstacle: it comes, goes, moves a little or far away, turns, grows, or opens like a
/// door.
static void change(scene* s, vni_rng* rng) {
    thing* t = &s->things[vni_rng_below(rng, THINGS)];
    const uint32_t what = vni_rng_below(rng, 10);
    vn_transform transform = t->transform;
    if (!t->here) {
        transform = t->moves ? random_transform(s, rng, t->turns) : t->home;
        appear(s, t, &transform);
    } else if (what == 0) {
        assert_int_equal(vn_world_remove(s->world, t->id), VN_OK);
        t->here = false;
    } else if (what == 1 || !t->moves) {
        const uint32_t flags[3] = {0, FLAG_OPEN, FLAG_OTHER};
        assert_int_equal(vn_world_set_flags(s->world, t->id, flags[vni_rng_below(rng, 3)]), VN_OK);
    } else if (what < 4) {
        transform = random_transform(s, rng, t->turns);
        move_to(s, t, &transform);
    } else {
        for (int i = 0; i < 3; ++i)
            (&transform.position.x)[i] += (float)vni_rng_range(rng, -3, 3);
        move_to(s, t, &transform);
    }
}

static void go_home(scene* s) {
    for (int i = 0; i < THINGS; ++i) {
        thing* t = &s->things[i];
        if (!t->here)
            appear(s, t, &t->home);
        else if (t->moves)
            move_to(s, t, &t->home);
        assert_int_equal(vn_world_set_flags(s->world, t->id, t->flags), VN_OK);
    }
}

static void update(scene* s) {
    uint32_t count;
    const vni_change* changes = vni_world_changes(s->world, &count);
    assert_int_equal(vni_dynamic_update(s->dynamic, s->world, changes, count, NULL), VN_OK);
    vni_world_forget_changes(s->world);
}

static void check_newest(scene* s) {
    uint64_t version;
    vn_space* fresh = NULL;
    vn_detail detail = {0};
    const vn_space* now = vni_dynamic_pin(s->dynamic, &version);
    assert_int_equal(vn_space_bake(s->world, &s->def.space, &fresh, NULL), VN_OK);
    check_same(now, fresh);
    assert_int_equal(vn_space_validate(now, &detail), VN_OK);
    vn_space_destroy(fresh);
    vni_dynamic_unpin(s->dynamic, version);
}

static void run_scene(vni_rng* rng, uint32_t changes) {
    static scene s;
    uint64_t first_version, last_version;
    make_scene(&s, rng);
    const vn_space* first = vni_dynamic_pin(s.dynamic, &first_version);
    for (uint32_t i = 0; i < changes; ++i) {
        change(&s, rng);
        update(&s);
        check_newest(&s);
    }

    go_home(&s);
    update(&s);
    check_newest(&s);
    check_same(vni_dynamic_pin(s.dynamic, &last_version), first);
    vni_dynamic_unpin(s.dynamic, last_version);
    vni_dynamic_unpin(s.dynamic, first_version);
    vni_dynamic_free(s.dynamic);
    vn_world_destroy(s.world);
}

static void every_byte_after_every_change(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("dynamic, change by change", 520));
    const uint32_t scenes = vnt_scale(10, 500), changes = vnt_scale(40, 200);
    for (uint32_t i = 0; i < scenes; ++i)
        run_scene(&rng, changes);
    print_message("%u changes, %u worlds\n", scenes * changes, scenes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_after_every_change),
    };
    return cmocka_run_group_tests_name("dynamic/dynamic_long", tests, NULL, NULL);
}
