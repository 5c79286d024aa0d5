/// The waypoint graph against brute force: places of a box's waypoints, neighbours, and states that follow
/// moving obstacles against states made anew; memory.
#include "base/alloc.h"
#include "base/rng.h"
#include "classic/waypoints_view.h"
#include "cmocka_all.h"
#include "geom/units.h"
#include "graph_lists.h"
#include "probe/sight.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE   24
#define THINGS 8

// --------------------------------------------------------------------------------------------------- worlds

/// An obstacle of the test: its shape, where it is, and whether it is there.
typedef struct thing {
    vn_shape shape;
    vn_transform transform;
    bool is;
    uint32_t generation;
} thing;

typedef struct scene {
    thing things[THINGS];
    vn_space* space;
} scene;

static const vn_vec3 tetrahedron[4] = {{-2, -2, -2}, {3, -2, -2}, {-2, 3, -2}, {-2, -2, 3}};
static const uint32_t tetrahedron_faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static float random_in(vni_rng* rng, float low, float high) {
    return low + (high - low) * (float)vni_rng_below(rng, 1001) / 1000;
}

static vn_shape random_shape(vni_rng* rng) {
    vn_shape shape = {.kind = VN_SHAPE_BOX};
    const vn_vec3 half = {random_in(rng, 0.5f, 3), random_in(rng, 0.5f, 3), random_in(rng, 0.5f, 3)};
    shape.as.box = (vn_box){{-half.x, -half.y, -half.z}, half};
    switch (vni_rng_below(rng, 4)) {
    case 0:
        shape = (vn_shape){.kind = VN_SHAPE_HULL};
        shape.as.hull.vertices = tetrahedron;
        shape.as.hull.vertex_count = 4;
        shape.as.hull.indices = tetrahedron_faces;
        shape.as.hull.triangle_count = 4;
        break;
    case 1:
        shape = (vn_shape){.kind = VN_SHAPE_SPHERE};
        shape.as.sphere.radius = half.x;
        break;
    default: break;
    }

    return shape;
}

static vn_transform random_transform(vni_rng* rng) {
    vn_transform t = vn_transform_identity();
    t.position =
        (vn_vec3){random_in(rng, -1, SIDE + 1), random_in(rng, -1, SIDE + 1), random_in(rng, -1, SIDE + 1)};
    const vn_quat q = {random_in(rng, -1, 1), random_in(rng, -1, 1), random_in(rng, -1, 1),
                       random_in(rng, 0.2f, 1)};
    const float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (vni_rng_below(rng, 2))
        t.rotation = (vn_quat){q.x / length, q.y / length, q.z / length, q.w / length};
    return t;
}

static vn_space* bake(const scene* s) {
    vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    for (int i = 0; i < THINGS; ++i)
        if (s->things[i].is)
            assert_int_equal(
                vn_world_add_moving(world, &s->things[i].shape, &s->things[i].transform, NULL, NULL), VN_OK);
    vn_space_def def = vn_default_space_def();
    def.resolution = 1;
    def.bounds = (vn_box){{0, 0, 0}, {SIDE, SIDE, SIDE}};
    def.has_bounds = true;
    def.cells = false;
    vn_space* space;
    assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);
    vn_world_destroy(world);
    return space;
}

static scene random_scene(vni_rng* rng) {
    scene s = {0};
    for (int i = 0; i < THINGS; ++i)
        s.things[i] = (thing){random_shape(rng), random_transform(rng), vni_rng_below(rng, 5) > 0, 1};
    s.space = bake(&s);
    return s;
}

static vn_obstacle_change change_of(const thing* before, const thing* after, uint32_t slot) {
    const thing* t = after->is ? after : before;
    return (vn_obstacle_change){.id = {slot + 1, t->generation},
                                .was = before->is && (!after->is || before->generation == after->generation),
                                .is = after->is,
                                .moves = true,
                                .shape = &t->shape,
                                .before = before->transform,
                                .after = after->transform};
}

/// All that is there, as came.
static uint32_t list_all(const scene* s, vn_obstacle_change* out) {
    const thing nothing = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < THINGS; ++i)
        if (s->things[i].is)
            out[count++] = change_of(&nothing, &s->things[i], i);
    return count;
}

static vni_waypoints_def make_def(vni_rng* rng) {
    return (vni_waypoints_def){.allocator = vn_default_allocator(),
                               .radius = 0,
                               .margin = 0.9,
                               .spacing = random_in(rng, 1.5f, 6),
                               .indirect = vni_rng_below(rng, 4)};
}

// ---------------------------------------------------------------------------------------------- brute force

/// The nearest seen of other obstacles, by looking at all.
static uint32_t nearest_seen(const vni_waypoints* w, uint32_t node, const uint32_t* taken,
                             uint32_t taken_count) {
    uint32_t best = UINT32_MAX;
    double distance = HUGE_VAL;
    for (uint32_t i = 0; i < w->node_count; ++i) {
        bool skip = w->nodes[i].blocked || w->nodes[i].owner == w->nodes[node].owner;
        for (uint32_t k = 0; k < taken_count; ++k)
            skip |= taken[k] == i;
        if (skip || !vni_sight(&w->space->occupancy, w->nodes[node].point, w->nodes[i].point))
            continue;
        const double d = vni_steps_between(w->nodes[node].point, w->nodes[i].point);
        if (d < distance) {
            distance = d;
            best = i;
        }
    }

    return best;
}

static void check_node(const vni_waypoints* w, uint32_t node) {
    const vni_waypoint* n = &w->nodes[node];
    const vni_waypoint_owner* owner = &w->owners[n->owner];
    const uint32_t place = node - owner->first;
    uint32_t at = 0;
    for (uint32_t i = owner->plan->first[place]; i < owner->plan->first[place + 1]; ++i) {
        const uint32_t to = owner->first + owner->plan->direct[i];
        if (!n->blocked && !w->nodes[to].blocked &&
            vni_sight(&w->space->occupancy, n->point, w->nodes[to].point))
            assert_int_equal(w->to[n->first + at++], to);
    }

    uint32_t taken[VNI_MAX_INDIRECT];
    for (uint32_t i = 0; !n->blocked && i < w->def.indirect; ++i) {
        taken[i] = nearest_seen(w, node, taken, i);
        if (taken[i] == UINT32_MAX)
            break;
        assert_int_equal(w->to[n->first + at++], taken[i]);
    }
    assert_int_equal(n->count, at);
}

/// Every edge stands once among those that lead to its target.
static void check_back(const vni_waypoints* w) {
    assert_int_equal(w->back_first[w->node_count], w->to_count);
    for (uint32_t node = 0; node < w->node_count; ++node)
        for (uint32_t i = 0; i < w->nodes[node].count; ++i) {
            const uint32_t to = w->to[w->nodes[node].first + i];
            uint32_t found = 0;
            for (uint32_t k = w->back_first[to]; k < w->back_first[to + 1]; ++k)
                found += w->back[k] == node;
            assert_true(found >= 1);
        }
}

static void check_blocked(const vni_waypoints* w) {
    for (uint32_t i = 0; i < w->node_count; ++i) {
        const vn_point p = w->nodes[i].point;
        bool blocked = vn_point_is_outside(p);
        for (int32_t k = 0; k < 8 && !blocked; ++k) {
            // the voxel in each of eight directions, a step away: the same one if the point is inside it
            const int32_t x = (p.x - (k & 1)) >> 10, y = (p.y - (k >> 1 & 1)) >> 10,
                          z = (p.z - (k >> 2)) >> 10;
            blocked = !vni_occupancy_free_at(&w->space->occupancy, x, y, z);
        }
        assert_int_equal(w->nodes[i].blocked, blocked);
    }
}

/// As a graph with ends: every edge is a sight line that the other side knows of.
static void check_view(const vni_waypoints* w, vni_rng* rng) {
    vni_waypoints_view view;
    vni_waypoints_view_make(w, &view);
    const vn_graph graph = vni_waypoints_view_graph(&view);
    check_predecessors(&graph, VN_FIRST_NODE, graph.node_limit);
    for (uint32_t end = 0; end < 2; ++end) {
        vn_voxel v = {0};
        do {
            v = (vn_voxel){(int32_t)vni_rng_below(rng, SIDE), (int32_t)vni_rng_below(rng, SIDE),
                           (int32_t)vni_rng_below(rng, SIDE)};
        } while (!vni_occupancy_free_at(&w->space->occupancy, v.x, v.y, v.z));
        vni_waypoints_view_set_end(&view, end, vn_voxel_center(v));
    }

    for (uint32_t end = 0; end < 2; ++end) {
        edge_list out, back;
        list_edges(&graph, end, false, &out);
        for (uint32_t i = 0; i < out.count; ++i) {
            assert_true(graph.visible(graph.self, end, out.to[i]));
            list_edges(&graph, out.to[i], false, &back);
            assert_true(has_edge(&back, end, out.cost[i]));
        }

        uint32_t seen = 0;
        for (uint32_t i = 0; i < w->node_count; ++i)
            seen += !w->nodes[i].blocked && graph.visible(graph.self, end, w->ids[i]);
        list_edges(&graph, 1 - end, false, &back);
        const bool ends_see = has_edge(&back, end, view.ends.cost);
        assert_int_equal(out.count, (seen < VNI_WAYPOINT_JOINS ? seen : VNI_WAYPOINT_JOINS) + ends_see);
    }
}

static void test_made(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("waypoints made", 1));
    uint64_t edges = 0;
    for (uint32_t round = 0; round < vnt_scale(12, 300); ++round) {
        scene s = random_scene(&rng);
        const vni_waypoints_def def = make_def(&rng);
        vn_obstacle_change list[THINGS];
        vni_waypoints w;
        assert_int_equal(vni_waypoints_make(&def, s.space, list, list_all(&s, list), &w, NULL), VN_OK);
        check_blocked(&w);
        for (uint32_t i = 0; i < w.node_count; ++i)
            check_node(&w, i);
        check_back(&w);
        check_view(&w, &rng);
        edges += w.to_count;
        vni_waypoints_free(&w);
        vn_space_destroy(s.space);
    }
    assert_true(edges > 500);
}

// ---------------------------------------------------------------------------------------------------- boxes

/// A cube of edge 4: corners' waypoints sqrt(3) (r + m) away along the diagonal, that is r + m on each axis.
static void test_box(void** state) {
    (void)state;
    const vn_allocator allocator = vn_default_allocator();
    vn_shape shape = {.kind = VN_SHAPE_BOX};
    shape.as.box = (vn_box){{-2, -2, -2}, {2, 2, 2}};
    vni_waypoint_plan* plan;
    assert_int_equal(vni_waypoint_plan_make(&allocator, &shape, 1, sqrt(3) * 0.75, 2.5, &plan, NULL), VN_OK);
    assert_int_equal(plan->corner_count, 8);
    assert_int_equal(plan->count, 8 + 12 * 2); // edges of 5.5 metres: 2 between keep pieces below 2.5

    vni_vec at[32];
    vn_transform t = vn_transform_identity();
    t.position = (vn_vec3){10, 0, 0};
    vni_waypoint_positions(plan, &t, at);
    for (uint32_t i = 0; i < 8; ++i) {
        assert_true(fabs(fabs(at[i].x - 10) - 2.75) < 1e-9);
        assert_true(fabs(fabs(at[i].y) - 2.75) < 1e-9 && fabs(fabs(at[i].z) - 2.75) < 1e-9);
        assert_int_equal(plan->first[i + 1] - plan->first[i], 3);
    }
    for (uint32_t i = 8; i < 32; ++i) {
        assert_int_equal(plan->first[i + 1] - plan->first[i], 3);
        const vni_vec across = at[plan->direct[plan->first[i] + 2]];
        assert_true(vni_length(vni_sub(across, at[i])) < 5.5 / 3 * 1.5);
    }
    vni_waypoint_plan_release(plan);
}

/// A flat face that is cut into triangles has corners at its rim only.
static void test_flat_faces(void** state) {
    (void)state;
    const vn_allocator allocator = vn_default_allocator();
    const vn_vec3 v[5] = {{0, 0, 0}, {4, 0, 0}, {4, 0, 4}, {0, 0, 4}, {2, 0, 2}};
    const uint32_t faces[12] = {0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0};
    vn_shape shape = {.kind = VN_SHAPE_MESH};
    shape.as.mesh.vertices = v;
    shape.as.mesh.vertex_count = 5;
    shape.as.mesh.indices = faces;
    shape.as.mesh.triangle_count = 4;
    vni_waypoint_plan* plan;
    assert_int_equal(vni_waypoint_plan_make(&allocator, &shape, 1, 1, 100, &plan, NULL), VN_OK);
    assert_int_equal(plan->count, 4);
    for (uint32_t i = 0; i < 4; ++i)
        assert_true(fabs(plan->out[i].y) > 0.99);
    vni_waypoint_plan_release(plan);
}

static void test_too_many(void** state) {
    (void)state;
    const vn_allocator allocator = vn_default_allocator();
    vn_shape shape = {.kind = VN_SHAPE_BOX};
    shape.as.box = (vn_box){{-2, -2, -2}, {2, 2, 2}};
    vni_waypoint_plan* plan;
    vn_detail detail;
    assert_int_equal(vni_waypoint_plan_make(&allocator, &shape, 1, 1, 0.001, &plan, &detail), VN_TOO_LARGE);
    assert_non_null(strstr(detail.text, "spacing"));
    assert_null(plan);
}

// -------------------------------------------------------------------------------------------------- changes

static uint32_t compare_bricks(const vn_space* a, const vn_space* b, vn_brick_change* out) {
    uint32_t count = 0;
    for (int32_t z = 0; z < SIDE; z += 4)
        for (int32_t y = 0; y < SIDE; y += 4)
            for (int32_t x = 0; x < SIDE; x += 4) {
                const vn_brick_change c = {{x, y, z},
                                           vni_occupancy_brick(&a->occupancy, x, y, z),
                                           vni_occupancy_brick(&b->occupancy, x, y, z)};
                if (c.before != c.after)
                    out[count++] = c;
            }
    return count;
}

/// Some things come, go, move, or make room for another.
static uint32_t shake(scene* s, vni_rng* rng, vn_obstacle_change* out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < THINGS; ++i) {
        const thing before = s->things[i];
        thing* t = &s->things[i];
        switch (vni_rng_below(rng, 10)) {
        case 0:
            t->is = !t->is;
            t->generation += t->is;
            break;
        case 1: *t = (thing){random_shape(rng), random_transform(rng), true, before.generation + 1}; break;
        case 2: t->transform = random_transform(rng); break;
        case 3: t->transform.position.x += 0.5f; break;
        case 4: t->transform.scale = t->transform.scale == 1 ? 1.25f : 1; break;
        default: continue;
        }

        if (before.is && t->is && before.generation != t->generation) {
            thing gone = before;
            gone.is = false;
            out[count++] = change_of(&before, &gone, i);
        }
        if (before.is || t->is)
            out[count++] = change_of(&before, t, i);
    }
    return count;
}

static void assert_same(const vni_waypoints* a, const vni_waypoints* b) {
    assert_int_equal(a->node_count, b->node_count);
    assert_int_equal(a->to_count, b->to_count);
    assert_int_equal(a->without, b->without);
    for (uint32_t i = 0; i < a->node_count; ++i) {
        const vni_waypoint *x = &a->nodes[i], *y = &b->nodes[i];
        assert_true(vni_is_same_point(x->point, y->point));
        assert_true(x->blocked == y->blocked && x->count == y->count && x->first == y->first);
        assert_true(x->reach == y->reach);
        assert_int_equal(vni_waypoint_key(a, i), vni_waypoint_key(b, i));
    }
    if (a->to_count > 0) {
        assert_memory_equal(a->to, b->to, a->to_count * sizeof *a->to);
        assert_memory_equal(a->back, b->back, a->to_count * sizeof *a->back);
    }
}

/// The node of an id; UINT32_MAX if it is none.
static uint32_t node_of(const vni_waypoints* w, uint32_t id) {
    return id - VN_FIRST_NODE < w->id_count ? w->nodes_of[id - VN_FIRST_NODE] : UINT32_MAX;
}

/// Edges by id and cost, in order.
static bool same_lists(const vni_waypoints* a, uint32_t x, const vni_waypoints* b, uint32_t y, bool back) {
    const uint32_t* p = back ? a->back + a->back_first[x] : a->to + a->nodes[x].first;
    const uint32_t* q = back ? b->back + b->back_first[y] : b->to + b->nodes[y].first;
    const uint32_t n = back ? a->back_first[x + 1] - a->back_first[x] : a->nodes[x].count;
    const uint32_t m = back ? b->back_first[y + 1] - b->back_first[y] : b->nodes[y].count;
    if (n != m)
        return false;
    for (uint32_t i = 0; i < n; ++i) {
        bool found = false;
        for (uint32_t k = 0; k < n; ++k)
            found |= a->ids[p[i]] == b->ids[q[k]] &&
                     vni_voxels_between(a->nodes[x].point, a->nodes[p[i]].point) ==
                         vni_voxels_between(b->nodes[y].point, b->nodes[q[k]].point) &&
                     vni_is_same_point(a->nodes[p[i]].point, b->nodes[q[k]].point);
        if (!found)
            return false;
    }
    return vni_is_same_point(a->nodes[x].point, b->nodes[y].point);
}

static bool is_listed(const uint32_t* list, uint32_t count, uint32_t id) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; ++i)
        found += list[i] == id;
    assert_true(found <= 1);
    return found == 1;
}

static void check_delta(const vni_waypoints* a, const vni_waypoints* b, const vni_waypoint_delta* d) {
    const uint32_t limit = a->id_count > b->id_count ? a->id_count : b->id_count;
    for (uint32_t id = VN_FIRST_NODE; id < VN_FIRST_NODE + limit; ++id) {
        const uint32_t x = node_of(a, id), y = node_of(b, id);
        assert_int_equal(is_listed(d->came, d->came_count, id), x == UINT32_MAX && y != UINT32_MAX);
        assert_int_equal(is_listed(d->went, d->went_count, id), x != UINT32_MAX && y == UINT32_MAX);
        const bool both = x != UINT32_MAX && y != UINT32_MAX;
        if (both) // an id that stays is the same waypoint
            assert_int_equal(vni_waypoint_key(a, x), vni_waypoint_key(b, y));
        const bool same = both && same_lists(a, x, b, y, false) && same_lists(a, x, b, y, true);
        assert_int_equal(is_listed(d->changed, d->changed_count, id), both && !same);
    }
}

static void test_changes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("waypoints changes", 2));
    uint64_t kept = 0, changed = 0;
    for (uint32_t round = 0; round < vnt_scale(15, 300); ++round) {
        scene s = random_scene(&rng);
        const vni_waypoints_def def = make_def(&rng);
        vn_obstacle_change list[2 * THINGS], all[THINGS];
        vni_waypoints now;
        vni_waypoint_delta delta = {0};
        assert_int_equal(vni_waypoints_make(&def, s.space, list, list_all(&s, list), &now, NULL), VN_OK);
        for (uint32_t step = 0; step < vnt_scale(10, 40); ++step) {
            vn_space* old = s.space;
            vn_brick_change bricks[SIDE * SIDE * SIDE / 64];
            vni_waypoints next, anew;
            // a change names the shape of the thing as it was: a copy outlives the shake
            scene copy = s;
            const uint32_t count = shake(&s, &rng, list);
            for (uint32_t i = 0; i < count; ++i)
                if (!list[i].is)
                    list[i].shape = &copy.things[list[i].id.index1 - 1].shape;
            s.space = bake(&s);
            const uint32_t brick_count = compare_bricks(old, s.space, bricks);
            assert_int_equal(
                vni_waypoints_next(&now, s.space, list, count, bricks, brick_count, &next, &delta, NULL),
                VN_OK);
            assert_int_equal(vni_waypoints_make(&def, s.space, all, list_all(&s, all), &anew, NULL), VN_OK);
            assert_same(&next, &anew);
            check_delta(&now, &next, &delta);
            changed += delta.changed_count;
            kept += next.node_count - delta.came_count - delta.changed_count;

            vni_waypoints_free(&anew);
            vni_waypoints_free(&now);
            now = next;
            vn_space_destroy(old);
        }
        vni_waypoint_delta_free(&def.allocator, &delta);
        vni_waypoints_free(&now);
        vn_space_destroy(s.space);
    }
    assert_true(kept > 1000 && changed > 1000);
}

/// A cube turns about its main diagonal: the waypoint there stays, and the three that it is joined with leave
/// the space. Nothing else changes near it.
static void test_turned(void** state) {
    (void)state;
    scene s = {0};
    const vn_shape cube = {.kind = VN_SHAPE_BOX, .as.box = {{-1, -1, -1}, {1, 1, 1}}};
    for (int i = 0; i < 2; ++i)
        s.things[i] = (thing){cube, vn_transform_identity(), true, 1};
    s.things[0].transform.position = (vn_vec3){17.4f, 17.4f, 17.4f};
    s.things[1].transform.position = (vn_vec3){28.4f, 28.4f, 28.4f};
    s.space = bake(&s);

    const vni_waypoints_def def = {
        .allocator = vn_default_allocator(), .margin = 5, .spacing = 50, .indirect = 1};
    vn_obstacle_change list[THINGS];
    vni_waypoints now, next, anew;
    vni_waypoint_delta delta = {0};
    assert_int_equal(vni_waypoints_make(&def, s.space, list, list_all(&s, list), &now, NULL), VN_OK);
    assert_int_equal(now.nodes[7].count, 4);

    const thing before = s.things[0];
    vn_space* old = s.space;
    vn_brick_change bricks[SIDE * SIDE * SIDE / 64];
    s.things[0].transform.rotation = (vn_quat){0.28867513f, 0.28867513f, 0.28867513f, 0.8660254f};
    s.space = bake(&s);
    list[0] = change_of(&before, &s.things[0], 0);
    const uint32_t brick_count = compare_bricks(old, s.space, bricks);
    assert_int_equal(vni_waypoints_next(&now, s.space, list, 1, bricks, brick_count, &next, &delta, NULL),
                     VN_OK);
    assert_int_equal(vni_waypoints_make(&def, s.space, list, list_all(&s, list), &anew, NULL), VN_OK);
    assert_int_equal(anew.nodes[7].count, 1);
    assert_same(&next, &anew);
    check_delta(&now, &next, &delta);

    vni_waypoint_delta_free(&def.allocator, &delta);
    vni_waypoints_free(&anew);
    vni_waypoints_free(&next);
    vni_waypoints_free(&now);
    vn_space_destroy(old);
    vn_space_destroy(s.space);
}

// --------------------------------------------------------------------------------------------------- memory

static bool follow_once(const scene* s, const vn_obstacle_change* all, uint32_t count,
                        const vni_waypoints_def* def) {
    vni_waypoints now, next = {0};
    vni_waypoint_delta delta = {0};
    vn_status status = vni_waypoints_make(def, s->space, all, count, &now, NULL);
    if (status == VN_OK)
        status = vni_waypoints_next(&now, s->space, all, count / 2, NULL, 0, &next, &delta, NULL);
    assert_true(status == VN_OK || status == VN_OUT_OF_MEMORY);
    vni_waypoint_delta_free(&def->allocator, &delta);
    vni_waypoints_free(&next);
    vni_waypoints_free(&now);
    return status == VN_OK;
}

static void test_memory(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("waypoints memory", 3));
    for (uint32_t round = 0; round < 4; ++round) {
        scene s = random_scene(&rng);
        vn_obstacle_change all[THINGS];
        const uint32_t count = list_all(&s, all);
        bool done = false;
        for (uint64_t k = 0; !done; ++k) {
            vnt_memory memory = vnt_memory_make();
            vni_waypoints_def def = make_def(&rng);
            memory.fail_at = k;
            def.spacing = 3;
            def.allocator = vnt_memory_allocator(&memory);
            done = follow_once(&s, all, count, &def);
            assert_int_equal(done, !memory.failed);
            assert_int_equal(memory.live_blocks, 0);
            assert_false(memory.mismatch);
        }
        vn_space_destroy(s.space);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_made),       cmocka_unit_test(test_box),
                                       cmocka_unit_test(test_flat_faces), cmocka_unit_test(test_too_many),
                                       cmocka_unit_test(test_changes),    cmocka_unit_test(test_turned),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests_name("classic/waypoints", tests, NULL, NULL);
}
