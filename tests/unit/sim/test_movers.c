/// tests/unit/sim/test_movers.c: motions as stated: speeds, bounds, bouncing against a walk in small steps,
/// vanishing and returning, blinking, and what is refused.
#include "cmocka_all.h"
#include "support.h"
#include "volnav/sim.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const vn_box room = {{-10, 0, 5}, {10, 12, 30}};

static vn_status try_one(const vn_mover_def* mover, vn_moving_scene** out, vn_detail* detail) {
    vn_moving_scene_def def = vn_default_moving_scene_def();
    def.name = "empty";
    def.bounds = room;
    def.seed = 9;
    def.movers = mover;
    def.mover_count = 1;
    return vn_moving_scene_create(&def, out, detail);
}

static vn_moving_scene* make_one(const vn_mover_def* mover) {
    vn_moving_scene* scene = NULL;
    vn_detail detail = {0};
    if (try_one(mover, &scene, &detail) != VN_OK) {
        fail_msg("%s", detail.text);
    }

    return scene;
}

static vn_mover_state at(const vn_moving_scene* scene, double seconds) {
    vn_mover_state state;
    assert_int_equal(vn_moving_scene_get_state(scene, 0, seconds, NULL, &state), VN_OK);
    return state;
}

static double length(vn_vec3 v) {
    return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

static double distance(vn_vec3 a, vn_vec3 b) {
    return length((vn_vec3){a.x - b.x, a.y - b.y, a.z - b.z});
}

static void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance)) {
        fail_msg("%.9g is not %.9g", a, b);
    }
}

// ------------------------------------------------------------------------------------------------ motions

/// There at speed, and back; the velocity is the difference quotient.
static void test_patrol(void** state) {
    (void)state;
    const vn_vec3 points[] = {{-4, 2, 10}, {2, 2, 10}, {2, 10, 10}};
    vn_mover_def def = vn_default_mover_def();
    def.motion = (vn_motion){.kind = VN_MOTION_PATROL, .points = points, .point_count = 3, .speed = 2};
    vn_moving_scene* scene = make_one(&def);
    for (int lap = 0; lap < 3; ++lap) {
        assert_near((double)at(scene, 14 * lap).transform.position.x, -4, 0);
        assert_near((double)at(scene, 14 * lap + 2).transform.position.x, 0, 1e-6);
        assert_near((double)at(scene, 14 * lap + 5).transform.position.y, 6, 1e-6);
        assert_near((double)at(scene, 14 * lap + 7).transform.position.y, 10, 1e-6);
        assert_near((double)at(scene, 14 * lap + 9).transform.position.y, 6, 1e-6);
        assert_near((double)at(scene, 14 * lap + 9).velocity.y, -2, 0);
        assert_near((double)at(scene, 14 * lap + 1).velocity.x, 2, 0);
    }

    vn_moving_scene_destroy(scene);
    def.motion.closed = true;
    scene = make_one(&def);
    assert_near((double)at(scene, 7 + 2.5).transform.position.x, -1,
                1e-6); // half of the straight way back: 10
    assert_near((double)at(scene, 12).transform.position.x, -4, 1e-6);
    vn_moving_scene_destroy(scene);

    vn_moving_scene_destroy(NULL);
}

/// The velocity of every kind is what the position does, and speed in the info is its greatest.
static void test_velocities(void** state) {
    (void)state;
    const vn_vec3 points[] = {{-4, 2, 10}, {2, 5, 12}, {2, 10, 20}};
    vn_mover_def defs[3];
    for (int i = 0; i < 3; ++i) {
        defs[i] = vn_default_mover_def();
    }

    defs[0].motion = (vn_motion){.kind = VN_MOTION_PATROL, .points = points, .point_count = 3, .speed = 2.5};
    defs[1].motion = (vn_motion){.kind = VN_MOTION_ORBIT, .points = points, .point_count = 3, .speed = 2.5};
    defs[1].motion.radius = 1.5;
    defs[1].motion.turns = 2;
    defs[2].motion = (vn_motion){.kind = VN_MOTION_DRIFT, .position = {1, 2, 10}, .velocity = {1.5f, 0, -2}};
    for (int i = 0; i < 3; ++i) {
        vn_moving_scene* scene = make_one(&defs[i]);
        vn_mover_info info;
        int corners = 0;
        vn_moving_scene_get_mover(scene, 0, &info);
        assert_near(info.speed, 2.5, 1e-9);
        for (int k = 0; k < 3000; ++k) {
            const double t = 0.0371 * k, step = 1.0 / 64;
            const vn_mover_state a = at(scene, t), b = at(scene, t + step);
            const vn_vec3 d = {a.transform.position.x + a.velocity.x / 64,
                               a.transform.position.y + a.velocity.y / 64,
                               a.transform.position.z + a.velocity.z / 64};
            assert_near(length(a.velocity), 2.5, 1e-5);
            corners += distance(d, b.transform.position) > 1e-3; // it turned in between
        }
        assert_true(corners < 150);
        vn_moving_scene_destroy(scene);
    }
}

/// Rotates a corner of the box and compares with the platform's sine; the axis is that of the def, the sense
/// is counter-clockwise.
static void test_turning(void** state) {
    (void)state;
    for (int axis = 0; axis < 3; ++axis) {
        vn_mover_def def = vn_default_mover_def();
        vn_mover_info info;
        def.motion = (vn_motion){
            .kind = VN_MOTION_TURN, .position = {1, 5, 10}, .axis = axis, .turns_per_second = 0.2};
        vn_moving_scene* scene = make_one(&def);
        vn_moving_scene_get_mover(scene, 0, &info);
        assert_int_equal(info.axis, axis);
        assert_near(info.speed, 0.2 * 6.283185307179586 * sqrt(0.5), 1e-9);
        for (int k = 0; k < 1000; ++k) {
            const double t = 0.0317 * k, angle = 0.2 * 6.283185307179586 * t;
            const vn_quat q = at(scene, t).transform.rotation;
            const double w = (double)q.w, part[3] = {(double)q.x, (double)q.y, (double)q.z};
            // The quaternion turns the next axis towards the one after it: cos = w^2 - s^2, sin = 2 w s.
            assert_near(w * w - part[axis] * part[axis], cos(angle), 1e-6);
            assert_near(2 * w * part[axis], sin(angle), 1e-6);
            assert_true(part[(axis + 1) % 3] == 0);
            assert_true(part[(axis + 2) % 3] == 0);
            assert_near(length(at(scene, t).spin), 0.2 * 6.283185307179586, 1e-6);
        }
        vn_moving_scene_destroy(scene);
    }
}

/// Against a walk in small steps that turns around whenever a face is touched; speed stays, the box inside.
static void test_bounce(void** state) {
    (void)state;
    uint64_t random = vnt_seed("bounce", 3);
    for (uint32_t n = 0; n < vnt_scale(30, 1000); ++n) {
        vn_mover_def def = vn_default_mover_def();
        const float v[3] = {(float)(vn_random_next(&random) % 17) / 4 - 2,
                            (float)(vn_random_next(&random) % 17) / 4 - 2,
                            (float)(vn_random_next(&random) % 17) / 4 - 2};
        def.motion =
            (vn_motion){.kind = VN_MOTION_DRIFT, .position = {1, 3, 10}, .velocity = {v[0], v[1], v[2]}};
        vn_moving_scene* scene = make_one(&def);
        const double low[3] = {-9.5, 0.5, 5.5}, high[3] = {9.5, 11.5, 29.5};
        double p[3] = {1, 3, 10}, w[3] = {(double)v[0], (double)v[1], (double)v[2]};
        for (int k = 0; k <= 6400; ++k) {
            const vn_mover_state s = at(scene, k / 64.0);
            const float q[3] = {s.transform.position.x, s.transform.position.y, s.transform.position.z};
            assert_near(length(s.velocity), length(def.motion.velocity), 1e-6);
            assert_true(s.present);
            for (int i = 0; i < 3; ++i) {
                assert_near((double)q[i], p[i], 1e-4);
                assert_true((double)q[i] >= low[i]);
                assert_true((double)q[i] <= high[i]);
                p[i] += w[i] / 64;
                if (p[i] > high[i] || p[i] < low[i]) {
                    p[i] = p[i] > high[i] ? 2 * high[i] - p[i] : 2 * low[i] - p[i];
                    w[i] = -w[i];
                }
            }
        }
        vn_moving_scene_destroy(scene);
    }
}

static bool is_inside(vn_vec3 p) {
    const float bit = 1e-4f;
    return p.x >= room.min.x - bit && p.x <= room.max.x + bit && p.y >= room.min.y - bit &&
           p.y <= room.max.y + bit && p.z >= room.min.z - bit && p.z <= room.max.z + bit;
}

/// Straight out after 4.5 seconds, and never back; or back again and again, always entering at a face.
static void test_vanish_and_return(void** state) {
    (void)state;
    vn_mover_def def = vn_default_mover_def();
    def.motion = (vn_motion){.kind = VN_MOTION_DRIFT, .position = {1, 3, 10}, .velocity = {2, 0, 0}};
    def.motion.edge = VN_EDGE_VANISH;
    vn_moving_scene* scene = make_one(&def);
    assert_true(at(scene, 4.49).present);
    assert_false(at(scene, 4.5).present);
    assert_near((double)at(scene, 1e7).transform.position.x, 10, 0);
    assert_false(at(scene, 1e7).present);
    vn_moving_scene_destroy(scene);

    def.motion.edge = VN_EDGE_RETURN;
    scene = make_one(&def);
    int lives = 0, present = 0;
    bool before = true;
    for (int k = 0; k < 100000; ++k) {
        const vn_mover_state s = at(scene, 0.05 * k);
        const vn_vec3 p = s.transform.position;
        assert_true(is_inside(p));
        if (s.present) {
            assert_near(length(s.velocity), 2, 1e-5);
            present += 1;
        }
        if (s.present && !before) {
            const double faces[6] = {(double)(p.x - room.min.x), (double)(room.max.x - p.x),
                                     (double)(p.y - room.min.y), (double)(room.max.y - p.y),
                                     (double)(p.z - room.min.z), (double)(room.max.z - p.z)};
            double least = 100;
            for (int i = 0; i < 6; ++i) {
                least = fmin(least, faces[i]);
            }
            assert_true(least < 0.11);
            ++lives;
        }
        before = s.present;
    }

    print_message("%d lives, there in %d of 100000 moments\n", lives, present);
    assert_in_range(lives, 270, 300); // 5000 s at 17.1 s a life, but for those that last to its end
    assert_in_range(present, 20000, 80000);
    vn_moving_scene_destroy(scene);

    // What stands still never leaves.
    def.motion.velocity = (vn_vec3){0, 0, 0};
    scene = make_one(&def);
    assert_true(at(scene, 1e7).present);
    vn_moving_scene_destroy(scene);
}

/// On for 3 of 5 seconds, from a phase of 1; a still one is there from 2 to 6 only.
static void test_blink(void** state) {
    (void)state;
    vn_mover_def def = vn_default_mover_def();
    def.motion = (vn_motion){.kind = VN_MOTION_BLINK, .position = {0, 1, 10}, .on = 3, .off = 2, .offset = 1};
    vn_moving_scene* scene = make_one(&def);
    int on = 0;
    for (int k = 0; k < 50000; ++k) {
        on += at(scene, 0.01 * k).present;
    }

    assert_in_range(on, 29990, 30010);
    assert_true(at(scene, 1.99).present);
    assert_false(at(scene, 2.01).present);
    assert_false(at(scene, 3.99).present);
    assert_true(at(scene, 4.01).present);
    vn_moving_scene_destroy(scene);

    def.motion.kind = VN_MOTION_STILL;
    def.appears = 2;
    def.vanishes = 6;
    scene = make_one(&def);
    assert_false(at(scene, 1.999).present);
    assert_true(at(scene, 2).present);
    assert_true(at(scene, 5.999).present);
    assert_false(at(scene, 6).present);
    vn_moving_scene_destroy(scene);
}

/// Everything that a mover ever covers lies in its reach; its planning volume holds its shape.
static void test_reach(void** state) {
    (void)state;
    const vn_vec3 points[] = {{-4, 2, 10}, {2, 5, 12}, {2, 10, 20}};
    for (int kind = 0; kind < VN_MOTION_KIND_COUNT; ++kind) {
        for (int edge = 0; edge < 3; ++edge) {
            vn_mover_def def = vn_default_mover_def();
            def.shape.as.box = (vn_box){{-1, -0.25f, -2}, {1, 0.25f, 2}};
            def.motion = (vn_motion){.kind = (vn_motion_kind)kind, .position = {1, 3, 10}, .points = points};
            def.motion.point_count = 3, def.motion.speed = 3, def.motion.turns_per_second = -0.3;
            def.motion.axis = edge, def.motion.on = 1, def.motion.off = 2,
            def.motion.velocity = (vn_vec3){1, 2, 3};
            def.motion.edge = (vn_motion_edge)edge, def.motion.radius = 2, def.motion.turns = 1;
            vn_moving_scene* scene = make_one(&def);
            vn_mover_info info;
            vn_moving_scene_get_mover(scene, 0, &info);
            assert_true(info.planning.as.box.max.x >= 1);
            assert_true(info.planning.as.box.max.y >= 0.25f);
            assert_true(info.planning.as.box.max.z >= 2);
            const bool moves = kind != VN_MOTION_STILL && kind != VN_MOTION_BLINK;
            assert_true((info.planning.as.box.max.x > 1) == moves);
            for (int k = 0; k < 2000; ++k) {
                // The world itself says where the shape is.
                const vn_mover_state s = at(scene, 0.043 * k);
                const vn_world_def world_def = vn_default_world_def();
                vn_world* world = NULL;
                vn_box box;
                assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
                assert_int_equal(vn_world_add_moving(world, &info.shape, &s.transform, NULL, NULL), VN_OK);
                assert_true(vn_world_get_bounds(world, &box));
                assert_true(box.min.x >= info.reach.min.x);
                assert_true(box.min.y >= info.reach.min.y);
                assert_true(box.min.z >= info.reach.min.z);
                assert_true(box.max.x <= info.reach.max.x);
                assert_true(box.max.y <= info.reach.max.y);
                assert_true(box.max.z <= info.reach.max.z);
                vn_world_destroy(world);
            }
            vn_moving_scene_destroy(scene);
        }
    }
}

static void assert_planning(const vn_mover_def* def, double x, double y, double z) {
    vn_moving_scene* scene = make_one(def);
    vn_mover_info info;
    vn_moving_scene_get_mover(scene, 0, &info);
    assert_near((double)info.planning.as.box.max.x, x, 1e-5);
    assert_near((double)info.planning.as.box.max.y, y, 1e-5);
    assert_near((double)info.planning.as.box.max.z, z, 1e-5);
    assert_true(info.planning.as.box.min.z == -info.planning.as.box.max.z);
    vn_moving_scene_destroy(scene);
}

/// A quarter of a metre on each side, and half a second's way along the motion; the broad side of a rotor.
static void test_planning(void** state) {
    (void)state;
    const vn_vec3 points[] = {{-4, 2, 10}, {2, 2, 10}, {2, 2, 20}};
    vn_mover_def def = vn_default_mover_def();
    def.shape.as.box = (vn_box){{-1, -0.25f, -2}, {1, 0.25f, 2}};
    def.motion = (vn_motion){.kind = VN_MOTION_PATROL, .points = points, .point_count = 2, .speed = 3};
    assert_planning(&def, 1 + 0.25 + 1.5, 0.5, 2.25);
    def.motion.point_count = 3;
    assert_planning(&def, 1 + 0.25 + 1.5, 0.5, 2.25 + 1.5);
    def.motion = (vn_motion){.kind = VN_MOTION_DRIFT, .position = {0, 5, 10}, .velocity = {-2, 0, 4}};
    assert_planning(&def, 1.25 + 1, 0.5, 2.25 + 2);
    def.motion = (vn_motion){.kind = VN_MOTION_TURN, .position = {0, 5, 10}, .turns_per_second = 0.1};
    const double way = 0.5 * 0.1 * 6.283185307179586 * sqrt(4 + 0.0625);
    assert_planning(&def, 1.25, 0.5 + way, 2.25);
    def.motion.kind = VN_MOTION_STILL;
    assert_planning(&def, 1, 0.25, 2);
}

// ----------------------------------------------------------------------------------------------- refusals

static void refuse(const vn_mover_def* def, vn_status status, const char* word) {
    vn_moving_scene* scene = NULL;
    vn_detail detail = {0};
    assert_int_equal(try_one(def, &scene, &detail), status);
    assert_null(scene);
    assert_int_equal(detail.status, status);
    assert_true(detail.index == 0);
    if (strstr(detail.text, word) == NULL) {
        fail_msg("\"%s\" lacks %s", detail.text, word);
    }
    assert_int_equal(try_one(def, &scene, NULL), status);
}

static void test_refusals(void** state) {
    (void)state;
    const vn_vec3 outside[] = {{0, 1, 10}, {0, 13, 10}}, equal[] = {{0, 1, 10}, {0, 1, 10}};
    const vn_mover_def good = {.cookie = vn_default_mover_def().cookie,
                               .shape = vn_default_mover_def().shape,
                               .vanishes = 1,
                               .influence_factor = 1,
                               .motion = {.position = {0, 1, 10}}};
    vn_mover_def d = good;
    d.cookie = 0, refuse(&d, VN_BAD_DEF, "vn_default_mover_def");
    d = good, d.shape.kind = VN_SHAPE_CAPSULE, refuse(&d, VN_UNSUPPORTED, "box or a sphere");
    d = good, d.shape.as.box.max.x = 0, d.shape.as.box.min.x = 0, refuse(&d, VN_BAD_ARGUMENT, "extent");
    d = good, d.shape.as.box.max.y = NAN, refuse(&d, VN_BAD_ARGUMENT, "extent");
    d = good, d.shape.as.box.max.z = 1, refuse(&d, VN_BAD_ARGUMENT, "min is -max");
    d = good, d.motion.kind = VN_MOTION_KIND_COUNT, refuse(&d, VN_BAD_ARGUMENT, "kind");
    d = good, d.motion.offset = -1, refuse(&d, VN_BAD_ARGUMENT, "offset");
    d = good, d.motion.offset = NAN, refuse(&d, VN_BAD_ARGUMENT, "offset");
    d = good, d.appears = 2, refuse(&d, VN_BAD_ARGUMENT, "appears");
    d = good, d.influence = -1, refuse(&d, VN_BAD_ARGUMENT, "influence");
    d = good, d.motion.position.x = 11, refuse(&d, VN_BAD_ARGUMENT, "bounds");
    d = good, d.motion.position.x = INFINITY, refuse(&d, VN_BAD_ARGUMENT, "bounds");
    d = good, d.motion.kind = VN_MOTION_TURN, d.motion.axis = 3, refuse(&d, VN_BAD_ARGUMENT, "axis");
    d.motion.axis = 0, d.motion.turns_per_second = INFINITY, refuse(&d, VN_BAD_ARGUMENT, "turns");
    d = good, d.motion.kind = VN_MOTION_BLINK, d.motion.on = 1, refuse(&d, VN_BAD_ARGUMENT, "0.001");
    d = good, d.motion.kind = VN_MOTION_DRIFT, d.motion.velocity.z = NAN,
    refuse(&d, VN_BAD_ARGUMENT, "velocity");
    d.motion.velocity.z = 0, d.motion.edge = (vn_motion_edge)3, refuse(&d, VN_BAD_ARGUMENT, "bounces");
    d.motion.edge = VN_EDGE_BOUNCE, d.motion.position.y = 0.4f, refuse(&d, VN_BAD_ARGUMENT, "bounces");
    d.motion.position.y = 6, d.shape.as.box.max.y = 6, d.shape.as.box.min.y = -6, d.motion.velocity.y = 1;
    refuse(&d, VN_BAD_ARGUMENT, "room");
    d = good, d.motion.kind = VN_MOTION_PATROL, refuse(&d, VN_BAD_ARGUMENT, "points");
    d.motion.points = outside, d.motion.point_count = 1, refuse(&d, VN_BAD_ARGUMENT, "points");
    d.motion.point_count = 2, refuse(&d, VN_BAD_ARGUMENT, "speed");
    d.motion.speed = NAN, refuse(&d, VN_BAD_ARGUMENT, "speed");
    d.motion.speed = 1, refuse(&d, VN_BAD_ARGUMENT, "bounds");
    d.motion.points = equal, refuse(&d, VN_BAD_ARGUMENT, "equal");
    d.motion.kind = VN_MOTION_ORBIT, refuse(&d, VN_BAD_ARGUMENT, "radius");
    d.motion.radius = 1, refuse(&d, VN_BAD_ARGUMENT, "turns");
    d.motion.turns = 1, d.motion.radius = 11, refuse(&d, VN_BAD_ARGUMENT, "bounds");
}

/// Mostly harmless, so that whole defs pass.
static double draw_value(uint64_t* random) {
    // clang-format off
    static const double values[] = {0, 1, -1, 0.5, 1e-6, 1e-300, 1e6, 1e7, 1e30, 1e300, -1e300, 5, 10, 11, 3.7, DBL_MIN,
                                    (double)NAN, (double)INFINITY, -(double)INFINITY};
    // clang-format on
    return vn_random_next(random) % 8 == 0 ? values[vn_random_next(random) % (sizeof values / sizeof *values)]
                                           : 5.0 + (double)(vn_random_next(random) % 5);
}

static void draw_def(uint64_t* random, vn_mover_def* d, vn_vec3 points[3]) {
    double v[24];
    for (int i = 0; i < 24; ++i) {
        v[i] = draw_value(random);
    }

    for (int i = 0; i < 3; ++i) {
        points[i] = (vn_vec3){(float)v[i], (float)v[i + 3], (float)v[i + 6]};
    }

    const float h = (float)(v[9] / 20);
    *d = vn_default_mover_def();
    d->shape.as.box = (vn_box){{-h, -h, -h}, {h, h, h}};
    if (vn_random_next(random) % 4 == 0) {
        d->shape = (vn_shape){.kind = VN_SHAPE_SPHERE, .as.sphere = {{0, 0, 0}, h}};
    }

    d->motion = (vn_motion){.kind = (vn_motion_kind)(vn_random_next(random) % VN_MOTION_KIND_COUNT),
                            .offset = v[10],
                            .position = points[0],
                            .points = points,
                            .point_count = 3,
                            .speed = v[11],
                            .closed = v[11] > 7,
                            .axis = (int)(vn_random_next(random) % 3),
                            .turns_per_second = v[12],
                            .on = v[13],
                            .off = v[14],
                            .velocity = {(float)v[15], (float)v[16], (float)v[17]},
                            .edge = (vn_motion_edge)(vn_random_next(random) % 3),
                            .radius = v[18] / 10,
                            .turns = 1};
    d->appears = v[19] - 5;
    d->vanishes = v[20] * 2;
    d->influence = (float)v[21];
}

static void assert_sane(const vn_moving_scene* scene) {
    static const double times[] = {0, 1e-300, 0.1, 1, 7.77, 12345.678, 1e6, 9999999.99, 1e7};
    for (size_t i = 0; i < sizeof times / sizeof *times; ++i) {
        const vn_mover_state s = at(scene, times[i]);
        const vn_quat q = s.transform.rotation;
        const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
        assert_true(is_inside(s.transform.position));
        assert_true(isfinite(length(s.velocity)));
        assert_true(isfinite(length(s.spin)));
        assert_near(sqrt(x * x + y * y + z * z + w * w), 1, 1e-6);
    }
}

/// Values from everywhere: each def is refused with a text, or gives finite states at all times.
static void test_hostile(void** state) {
    (void)state;
    uint64_t random = vnt_seed("hostile", 8);
    uint32_t taken = 0, refused = 0;
    for (uint32_t n = 0; n < vnt_scale(200000, 5000000); ++n) {
        vn_mover_def d;
        vn_vec3 points[3];
        vn_moving_scene* scene = NULL;
        vn_detail detail = {0};
        draw_def(&random, &d, points);
        const vn_status status = try_one(&d, &scene, &detail);
        if (status == VN_OK) {
            assert_sane(scene);
            ++taken;
        } else {
            assert_int_equal(status, VN_BAD_ARGUMENT);
            assert_true(strlen(detail.text) > 10);
            ++refused;
        }
        vn_moving_scene_destroy(scene);
    }

    print_message("%u taken, %u refused\n", taken, refused);
    assert_true(taken > refused / 10);
    assert_true(refused > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patrol),   cmocka_unit_test(test_velocities),
        cmocka_unit_test(test_turning),  cmocka_unit_test(test_bounce),
        cmocka_unit_test(test_blink),    cmocka_unit_test(test_vanish_and_return),
        cmocka_unit_test(test_reach),    cmocka_unit_test(test_planning),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_hostile)};
    return cmocka_run_group_tests_name("sim/movers", tests, NULL, NULL);
}
