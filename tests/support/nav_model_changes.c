/// tests/support/nav_model_changes.c: obstacles and zones added, moved and removed, and invalid calls.
#include "nav_model.h"
#include "shapes.h"

#include <math.h>
#include <string.h>

static float real(vni_rng* rng, double low, double high) {
    return (float)(low + (high - low) * vni_rng_real(rng));
}

static bool one_in(vni_rng* rng, uint32_t n) {
    return vni_rng_below(rng, n) == 0;
}

// --------------------------------------------------------------------------------------------- random things

static vn_quat random_turn(vni_rng* rng) {
    const vn_quat turns[] = {
        {0, 0, 0, 1}, {0, 0, 1, 0}, {0.6f, 0, 0, 0.8f}, {0, 0.28f, 0, 0.96f}, {0.5f, 0.5f, 0.5f, 0.5f}};
    return turns[vni_rng_below(rng, 5)];
}

static vn_quat quarter_turn(vni_rng* rng) {
    const vn_quat turns[] = {{0, 0, 0, 1}, {0, 0, 1, 0}, {0.5f, 0.5f, 0.5f, 0.5f}};
    return turns[vni_rng_below(rng, 3)];
}

/// In and around the space, sometimes on whole metres.
static vn_transform random_transform(vnt_model* m, bool may_turn) {
    vni_rng* rng = &m->rng;
    vn_transform t = vn_transform_identity();
    t.position = vnt_vec(real(rng, -3, (double)m->size[0] + 3), real(rng, -3, (double)m->size[1] + 3),
                         real(rng, -3, (double)m->size[2] + 3));
    if (one_in(rng, 2))
        t.position = vnt_vec(floorf(t.position.x), floorf(t.position.y), floorf(t.position.z));

    if (one_in(rng, 3))
        t.rotation = may_turn ? random_turn(rng) : quarter_turn(rng);

    if (one_in(rng, 5))
        t.scale = real(rng, 0.5, 2);

    return t;
}

/// A transform that is refused, or nearly: not finite, far away, without scale, turned by no unit quaternion.
static vn_transform odd_transform(vnt_model* m) {
    static const float odd[] = {NAN,    INFINITY, -INFINITY, 1e6f,    -1e6f, 999999.0f,
                                1e-45f, 1e-30f,   1e30f,     3.4e38f, 0,     -1};
    vn_transform t = random_transform(m, true);
    float* fields[] = {&t.position.x, &t.position.y, &t.position.z, &t.rotation.x,
                       &t.rotation.w, &t.scale,      &t.scale};
    *fields[vni_rng_below(&m->rng, 7)] = odd[vni_rng_below(&m->rng, 12)];

    return t;
}

static vn_shape voxel_shape(vni_rng* rng, vnt_form* form) {
    for (uint32_t i = 0; i < 24; ++i)
        form->voxels[i] =
            (vn_voxel){vni_rng_range(rng, 0, 3), vni_rng_range(rng, 0, 3), vni_rng_range(rng, 0, 3)};
    return vnt_voxels_shape((vn_voxel){4, 4, 4}, one_in(rng, 2) ? 1.0f : 0.25f, form->voxels, 24);
}

static vn_shape round_shape(vni_rng* rng, float a, float b, float c) {
    switch (vni_rng_below(rng, 3)) {
    case 0: return vnt_sphere_shape(vnt_vec(0, 0, 0), a);
    case 1: return vnt_capsule_shape(vnt_vec(0, -b, 0), vnt_vec(0, b, c), a / 2);
    default: return vnt_cylinder_shape(vnt_vec(0, -b, 0), vnt_vec(0, b, c), a / 2);
    }
}

static vn_shape random_shape(vni_rng* rng, uint32_t kind, vnt_form* form) {
    const float a = real(rng, 0.2, 4), b = real(rng, 0.2, 4), c = real(rng, 0.2, 4);
    switch (kind) {
    case 0: return round_shape(rng, a, b, c);
    case 1:
        vnt_octahedron(vnt_vec(0, 0, 0), vnt_vec(a, b, c), form->corners);
        return vnt_hull_of(form->corners, 6, vnt_octahedron_faces, 8);
    case 2: return voxel_shape(rng, form);
    case 3: return vnt_oriented_shape(vnt_vec(0, 1, 0), vnt_vec(a, b, c), random_turn(rng));
    case 4: // a wall across the space
        return vnt_box_shape(vnt_vec(-0.5f, -100, -100), vnt_vec(0.5f, 100, b < 1 ? 4.0f : 100));
    case 5: return vnt_box_shape(vnt_vec(-a, -b, 0), vnt_vec(a, b, 0)); // flat
    case 6: return vnt_box_mesh(vnt_vec(2, 2, 2), vnt_vec(2 + a, 2 + b, 2 + c), true, form->corners);
    default: return vnt_box_shape(vnt_vec(-a, -b, -c), vnt_vec(a, b, c));
    }
}

static void make_forms(vnt_model* m) {
    for (uint32_t i = 0; i < VNT_SHAPES; ++i) {
        vnt_form* form = &m->forms[i];
        const uint32_t kind = i % 8;
        form->shape = random_shape(&m->rng, kind, form);
        form->may_move = true;
        form->may_turn = kind != 2;
    }
}

vn_shape vnt_model_zone_shape(vni_rng* rng, vn_vec3 corners[6]) {
    const float a = real(rng, 1, 8), b = real(rng, 1, 8), c = real(rng, 1, 8);
    switch (vni_rng_below(rng, 3)) {
    case 0: return vnt_sphere_shape(vnt_vec(0, 0, 0), a);
    case 1:
        vnt_octahedron(vnt_vec(0, 0, 0), vnt_vec(a, b, c), corners);
        return vnt_hull_of(corners, 6, vnt_octahedron_faces, 8);
    default: return vnt_box_shape(vnt_vec(-a, -b, -c), vnt_vec(a, b, c));
    }
}

// --------------------------------------------------------------------------------------- the first world

static vn_status add_to_world(vnt_model* m, vn_world* world, vnt_obstacle* o) {
    o->form = vni_rng_below(&m->rng, VNT_SHAPES);
    o->moves = m->forms[o->form].may_move;
    o->transform = random_transform(m, m->forms[o->form].may_turn);
    o->flags = one_in(&m->rng, 3) ? 1 : 0;
    const vn_shape* shape = &m->forms[o->form].shape;
    vn_status status = o->moves ? vn_world_add_moving(world, shape, &o->transform, &o->id, NULL)
                                : vn_world_add(world, shape, &o->id, NULL);

    if (status != VN_OK)
        return status;
    m->generations[o->id.index1] = o->id.generation;
    o->alive = true;
    return vn_world_set_flags(world, o->id, o->flags);
}

vn_world* vnt_model_world(vnt_model* m, const vn_allocator* allocator) {
    vn_world_def def = vn_default_world_def();
    def.allocator = *allocator;
    vn_world* world;
    make_forms(m);
    vn_status status = vn_world_create(&def, &world);

    if (status == VN_OUT_OF_MEMORY)
        return NULL;

    const uint32_t count = vni_rng_below(&m->rng, 5);
    for (uint32_t i = 0; i < count && status == VN_OK; ++i)
        status = add_to_world(m, world, &m->obstacles[i]);

    if (status == VN_OK)
        return world;
    VNT_REQUIRE(m, status == VN_OUT_OF_MEMORY);
    vn_world_destroy(world);
    return NULL;
}

// --------------------------------------------------------------------------------------------- obstacles

/// A random free entry of the list, or one in use; null if there is none.
static vnt_obstacle* pick_obstacle(vnt_model* m, bool alive) {
    const uint32_t start = vni_rng_below(&m->rng, VNT_OBSTACLES);
    for (uint32_t i = 0; i < VNT_OBSTACLES; ++i) {
        vnt_obstacle* o = &m->obstacles[(start + i) % VNT_OBSTACLES];
        if (o->alive == alive)
            return o;
    }

    return NULL;
}

void vnt_model_check_refused(vnt_model* m, uint32_t pending) {
    vn_nav_stats s;
    vn_nav_get_stats(m->nav, &s);
    VNT_REQUIRE(m, s.pending_changes == pending);
    ++m->refused;
}

uint32_t vnt_model_pending(const vnt_model* m) {
    vn_nav_stats s;
    vn_nav_get_stats(m->nav, &s);
    return s.pending_changes;
}

void vnt_model_check_new_id(vnt_model* m, vn_obstacle_id id) {
    VNT_REQUIRE(m, id.index1 > 0 && id.index1 < VNT_SLOTS);
    VNT_REQUIRE(m, id.generation > m->generations[id.index1]);
    m->generations[id.index1] = id.generation;
    for (uint32_t i = 0; i < VNT_OBSTACLES; ++i)
        VNT_REQUIRE(m, !m->obstacles[i].alive || m->obstacles[i].id.index1 != id.index1);
}

void vnt_model_note_gone(vnt_model* m, vn_obstacle_id id) {
    m->gone[m->gone_count++ % VNT_STALE] = id;
}

void vnt_model_add(vnt_model* m) {
    vnt_obstacle* o = pick_obstacle(m, false);
    if (o == NULL)
        return;

    const uint32_t number = vni_rng_below(&m->rng, VNT_SHAPES), before = vnt_model_pending(m);
    const vnt_form* form = &m->forms[number];
    vnt_obstacle made = {.form = number, .transform = random_transform(m, form->may_turn)};
    made.moves = form->may_move && !one_in(&m->rng, 4);
    made.flags = one_in(&m->rng, 3) ? vni_rng_below(&m->rng, 4) : 0;

    vnt_model_enter(m, made.moves ? "add_moving" : "add");
    vn_status status =
        made.moves ? vn_nav_add_moving(m->nav, &form->shape, &made.transform, made.flags, &made.id, NULL)
                   : vn_nav_add(m->nav, &form->shape, made.flags, &made.id, NULL);
    if (vnt_model_excused(m, status)) {
        vnt_model_check_refused(m, before);
        return;
    }

    VNT_REQUIRE(m, status == VN_OK);
    vnt_model_check_new_id(m, made.id);
    made.alive = true;
    *o = made;
    ++m->revision;
}

void vnt_model_move(vnt_model* m) {
    vnt_obstacle* o = pick_obstacle(m, true);
    if (o == NULL)
        return;

    const bool odd = one_in(&m->rng, 12);
    vn_transform transform = odd ? odd_transform(m) : random_transform(m, m->forms[o->form].may_turn);
    if (one_in(&m->rng, 8))
        transform = o->transform;

    const uint32_t before = vnt_model_pending(m);
    const bool same = memcmp(&transform, &o->transform, sizeof transform) == 0;

    vnt_model_enter(m, odd ? "move to an odd transform" : "move");
    vn_status status = vn_nav_move(m->nav, o->id, &transform, NULL);
    if (vnt_model_excused(m, status)) {
        vnt_model_check_refused(m, before);
        return;
    }

    if (!o->moves)
        VNT_REQUIRE(m, status == VN_UNSUPPORTED);
    else if (!odd || same)
        VNT_REQUIRE(m, status == VN_OK);

    if (status == VN_OK) {
        o->transform = transform;
        m->revision += !same;
    } else
        vnt_model_check_refused(m, before);
}

void vnt_model_set_flags(vnt_model* m) {
    vnt_obstacle* o = pick_obstacle(m, true);
    if (o == NULL)
        return;

    const uint32_t flags = vni_rng_below(&m->rng, 4), before = vnt_model_pending(m);
    vnt_model_enter(m, "set_flags");
    vn_status status = vn_nav_set_flags(m->nav, o->id, flags);
    if (vnt_model_excused(m, status)) {
        vnt_model_check_refused(m, before);
        return;
    }

    VNT_REQUIRE(m, status == VN_OK);
    o->flags = flags;
    ++m->revision;
}

void vnt_model_set_velocity(vnt_model* m) {
    vnt_obstacle* o = pick_obstacle(m, true);
    if (o == NULL)
        return;

    vn_vec3 velocity = vnt_vec(real(&m->rng, -9, 9), 1, 0);
    const bool odd = one_in(&m->rng, 5);
    if (odd)
        velocity.y = one_in(&m->rng, 2) ? NAN : INFINITY;

    vnt_model_enter(m, "set_velocity");
    vn_status status = vn_nav_set_velocity(m->nav, o->id, velocity);
    VNT_REQUIRE(m, status == (!o->moves ? VN_UNSUPPORTED : odd ? VN_BAD_ARGUMENT : VN_OK));
    if (status == VN_OK)
        o->velocity = velocity;
}

void vnt_model_remove(vnt_model* m) {
    vnt_obstacle* o = pick_obstacle(m, true);
    if (o == NULL)
        return;

    const uint32_t before = vnt_model_pending(m);
    vnt_model_enter(m, "remove");
    vn_status status = vn_nav_remove(m->nav, o->id);
    if (vnt_model_excused(m, status)) {
        vnt_model_check_refused(m, before);
        return;
    }

    VNT_REQUIRE(m, status == VN_OK);
    o->alive = false;
    vnt_model_note_gone(m, o->id);
    ++m->revision;
}

// ------------------------------------------------------------------------------------------------- zones

static vnt_zone* pick_zone(vnt_model* m, bool alive) {
    const uint32_t start = vni_rng_below(&m->rng, VNT_ZONES);
    for (uint32_t i = 0; i < VNT_ZONES; ++i) {
        vnt_zone* z = &m->zones[(start + i) % VNT_ZONES];
        if (z->alive == alive)
            return z;
    }

    return NULL;
}

static void add_zone(vnt_model* m) {
    vnt_zone* z = pick_zone(m, false);
    if (z == NULL)
        return;

    const uint32_t before = vnt_model_pending(m);
    // The shape of a hull points at its corners: one array for each entry of the list.
    static vn_vec3 corners[VNT_ZONES][6];
    vnt_zone made = {.def = vn_default_zone_def()};
    made.def.shape = vnt_model_zone_shape(&m->rng, corners[z - m->zones]);
    made.def.transform = random_transform(m, true);
    made.def.factor = one_in(&m->rng, 3) ? 0.5f : (float)vni_rng_range(&m->rng, 1, 5);
    made.def.flags = one_in(&m->rng, 4) ? 1 : 0;

    vnt_model_enter(m, "add_zone");
    vn_status status = vn_nav_add_zone(m->nav, &made.def, &made.id, NULL);
    if (vnt_model_excused(m, status)) {
        vnt_model_check_refused(m, before);
        return;
    }

    VNT_REQUIRE(m, status == VN_OK);
    made.alive = true;
    *z = made;
    ++m->revision;
}

static void move_zone(vnt_model* m) {
    vnt_zone* z = pick_zone(m, true);
    if (z == NULL)
        return;

    const bool odd = one_in(&m->rng, 10);
    vn_transform transform = odd ? odd_transform(m) : random_transform(m, true);
    const uint32_t before = vnt_model_pending(m);
    vnt_model_enter(m, odd ? "move_zone to an odd transform" : "move_zone");
    vn_status status = vn_nav_move_zone(m->nav, z->id, &transform, NULL);

    VNT_REQUIRE(m, status == VN_OK || odd);
    if (status != VN_OK) {
        vnt_model_check_refused(m, before);
        return;
    }

    z->def.transform = transform;
    ++m->revision;
}

static void remove_zone(vnt_model* m) {
    vnt_zone* z = pick_zone(m, true);
    if (z == NULL)
        return;

    vnt_model_enter(m, "remove_zone");
    VNT_REQUIRE(m, vn_nav_remove_zone(m->nav, z->id) == VN_OK);
    z->alive = false;
    m->gone_zones[m->gone_zone_count++ % VNT_STALE] = z->id;
    ++m->revision;
}

void vnt_model_change_zones(vnt_model* m) {
    switch (vni_rng_below(&m->rng, 7)) {
    case 0:
    case 1: add_zone(m); break;
    case 2: remove_zone(m); break;
    default: move_zone(m); break;
    }
}

// ------------------------------------------------------------------------------------------- wrong calls

/// An id that names nothing.
static vn_obstacle_id stale_id(vnt_model* m) {
    const uint32_t gone = m->gone_count < VNT_STALE ? m->gone_count : VNT_STALE;
    switch (vni_rng_below(&m->rng, 4)) {
    case 0: return (vn_obstacle_id){0, vni_rng_below(&m->rng, 3)};
    case 1: return (vn_obstacle_id){UINT32_MAX - vni_rng_below(&m->rng, 2), 1};
    case 2: return (vn_obstacle_id){1 + vni_rng_below(&m->rng, 40), UINT32_MAX};
    default: return gone > 0 ? m->gone[vni_rng_below(&m->rng, gone)] : (vn_obstacle_id){0, 0};
    }
}

static vn_zone_id stale_zone(vnt_model* m) {
    const uint32_t gone = m->gone_zone_count < VNT_STALE ? m->gone_zone_count : VNT_STALE;
    if (gone == 0 || one_in(&m->rng, 3))
        return (vn_zone_id){vni_rng_below(&m->rng, 2) ? UINT32_MAX : 0, 7};
    return m->gone_zones[vni_rng_below(&m->rng, gone)];
}

static void call_with_stale_id(vnt_model* m) {
    const vn_obstacle_id id = stale_id(m);
    const vn_zone_id zone = stale_zone(m);
    vn_transform transform = random_transform(m, true);
    vn_vec3 velocity = {0, 0, 0};
    vnt_model_enter(m, "calls with stale ids");
    VNT_REQUIRE(m, !vn_nav_has(m->nav, id) && !vn_nav_has_zone(m->nav, zone));
    VNT_REQUIRE(m, vn_nav_move(m->nav, id, &transform, NULL) == VN_STALE_ID);
    VNT_REQUIRE(m, vn_nav_set_flags(m->nav, id, 1) == VN_STALE_ID);
    VNT_REQUIRE(m, vn_nav_set_velocity(m->nav, id, velocity) == VN_STALE_ID);
    VNT_REQUIRE(m, vn_nav_get_velocity(m->nav, id, &velocity) == VN_STALE_ID);
    VNT_REQUIRE(m, vn_nav_get_transform(m->nav, id, &transform) == VN_STALE_ID);
    VNT_REQUIRE(m, vn_nav_remove(m->nav, id) == VN_STALE_ID);
    VNT_REQUIRE(m, vn_nav_move_zone(m->nav, zone, &transform, NULL) == VN_STALE_ID);
    VNT_REQUIRE(m, vn_nav_remove_zone(m->nav, zone) == VN_STALE_ID);
}

/// A shape or a transform that no world accepts.
static void add_wrongly(vnt_model* m) {
    vn_shape shape = vnt_box_shape(vnt_vec(1, 1, 1), vnt_vec(2, 2, 2));
    vn_transform transform = random_transform(m, true);
    bool moves = false;
    vn_vec3 corners[8];
    switch (vni_rng_below(&m->rng, 6)) {
    case 0: shape.as.box.min.y = 3; break;
    case 1: shape = vnt_sphere_shape(vnt_vec(0, NAN, 0), 1); break;
    case 2: shape.as.box.max.x = 1e7f; break;
    case 3:
        transform.scale = 0;
        moves = true;
        break;
    case 4:
        shape = vnt_box_mesh(vnt_vec(0, 0, 0), vnt_vec(1, 1, 1), false, corners);
        shape.as.mesh.triangle_count = VN_MAX_MOVING_TRIANGLES + 1;
        moves = true;
        break;
    default: shape.kind = (vn_shape_kind)99; break;
    }
    vnt_model_enter(m, "add wrongly");
    vn_obstacle_id id = {0, 0};
    vn_status status = moves ? vn_nav_add_moving(m->nav, &shape, &transform, 0, &id, NULL)
                             : vn_nav_add(m->nav, &shape, 0, &id, NULL);
    if (!vnt_model_excused(m, status))
        VNT_REQUIRE(m, status == VN_BAD_DATA || status == VN_TOO_LARGE || status == VN_BAD_ARGUMENT);
}

void vnt_model_change_wrongly(vnt_model* m) {
    const uint32_t before = vnt_model_pending(m);
    switch (vni_rng_below(&m->rng, 3)) {
    case 0: call_with_stale_id(m); break;
    case 1: vnt_model_sense_wrongly(m); break;
    default: add_wrongly(m); break;
    }
    vnt_model_check_refused(m, before);
}

// ----------------------------------------------------------------------------------------------- looking

static void look_at(vnt_model* m, const vnt_obstacle* o) {
    vn_transform transform;
    vn_vec3 velocity;
    const vn_status must = o->moves ? VN_OK : VN_UNSUPPORTED;
    VNT_REQUIRE(m, vn_nav_has(m->nav, o->id));
    VNT_REQUIRE(m, vn_nav_get_transform(m->nav, o->id, &transform) == must);
    VNT_REQUIRE(m, vn_nav_get_velocity(m->nav, o->id, &velocity) == must);

    if (!o->moves)
        return;
    VNT_REQUIRE(m, memcmp(&transform, &o->transform, sizeof transform) == 0);
    VNT_REQUIRE(m, memcmp(&velocity, &o->velocity, sizeof velocity) == 0);
}

void vnt_model_look(vnt_model* m) {
    vnt_model_enter(m, "look");
    for (uint32_t i = 0; i < VNT_OBSTACLES; ++i)
        if (m->obstacles[i].alive)
            look_at(m, &m->obstacles[i]);

    for (uint32_t i = 0; i < VNT_ZONES; ++i)
        VNT_REQUIRE(m, !m->zones[i].alive || vn_nav_has_zone(m->nav, m->zones[i].id));

    const uint32_t gone = m->gone_count < VNT_STALE ? m->gone_count : VNT_STALE;
    for (uint32_t i = 0; i < gone; ++i)
        VNT_REQUIRE(m, !vn_nav_has(m->nav, m->gone[i]));
}
