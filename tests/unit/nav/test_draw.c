/// nav: what vn_nav_draw draws: obstacles, changes that wait, cells, watched paths.
#include "scene.h"

#include "nav/nav_inside.h"
#include "tests/unit/query/drawing.h"

typedef struct picture {
    const vn_nav* nav;
    uint32_t parts;
    const vn_box* box;
    double radius;
} picture;

static uint32_t draw_nav(const void* what, const vn_draw* draw) {
    const picture* p = what;
    return vn_nav_draw(p->nav, p->parts, p->box, p->radius, 0, draw);
}

static uint32_t draw_world(const void* what, const vn_draw* draw) {
    return vn_world_draw(((const vn_nav*)what)->fixed.world, NULL, draw);
}

static void check_same_marks(const recording* a, const recording* b) {
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->marks, b->marks, a->count * sizeof(mark));
}

static void test_obstacles_and_cells(void** state) {
    (void)state;
    scene s;
    const vn_nav_def def = scene_def();
    scene_start(&s, 1, &def);
    recording drawn = record_make(), expected = record_make();
    vn_draw draw = sink(&expected, 15, 0);
    picture p = {.nav = s.nav, .parts = VN_DRAW_OBSTACLES};

    draw_every_way(draw_nav, &p, &drawn);
    draw_world(s.nav, &draw);
    assert_true(drawn.count > 100);
    check_same_marks(&drawn, &expected);

    uint64_t version;
    const vn_space* space = vn_nav_pin(s.nav, 0, 0, &version);
    p.parts = VN_DRAW_CELLS;
    record_reset(&expected);
    draw_every_way(draw_nav, &p, &drawn);
    vn_space_draw_cells(space, (vn_voxel){0, 0, 0}, (vn_voxel){96, 64, 48}, &draw);
    assert_true(drawn.count > 100);
    check_same_marks(&drawn, &expected);

    // a box of metres is a box of voxels here; its upper face belongs to the next voxel
    const vn_box box = {{10.5f, 4, 30}, {30, 9.5f, 70}};
    p.box = &box;
    record_reset(&expected);
    draw_every_way(draw_nav, &p, &drawn);
    vn_space_draw_cells(space, (vn_voxel){10, 4, 30}, (vn_voxel){31, 10, 48}, &draw);
    check_same_marks(&drawn, &expected);

    // no layer is for so wide an agent
    p.radius = 3;
    draw = sink(&drawn, 15, 0);
    assert_int_equal(draw_nav(&p, &draw), 0);
    record_free(&drawn);
    record_free(&expected);
    vn_nav_destroy(s.nav);
}

/// While an update has the world, the host draws what it knows itself.
static void test_obstacles_during_update(void** state) {
    (void)state;
    scene s;
    const vn_nav_def def = scene_def();
    scene_start(&s, 2, &def);
    recording drawn = record_make();
    const picture p = {.nav = s.nav, .parts = VN_DRAW_OBSTACLES};
    const vn_transform transform = scene_at(20, 50, 10);
    assert_int_equal(vn_nav_move(s.nav, s.movers[1], &transform, NULL), VN_OK);
    assert_int_equal(vn_nav_remove(s.nav, s.movers[2]), VN_OK);

    s.nav->shared.update_state = VNI_UPDATE_RUNNING;
    draw_every_way(draw_nav, &p, &drawn);
    s.nav->shared.update_state = VNI_UPDATE_NONE;
    assert_int_equal(drawn.count, SCENE_MOVERS - 1);
    assert_int_equal(drawn.of[BOX], drawn.count);
    assert_true(drawn.marks[1].p[0].x == 17 && drawn.marks[1].p[1].y == 53);
    record_free(&drawn);
    vn_nav_destroy(s.nav);
}

static void test_pending(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    def.mode = VN_NAV_LOCKSTEP;
    scene_start(&s, 3, &def);
    recording drawn = record_make();
    const picture p = {.nav = s.nav, .parts = VN_DRAW_PENDING};
    vn_draw draw = sink(&drawn, 15, 0);
    assert_int_equal(draw_nav(&p, &draw), 0);

    const vn_transform transform = scene_at(20, 50, 10);
    const vn_shape box = vnt_box_shape(vnt_vec(1, 2, 3), vnt_vec(4, 5, 6));
    assert_int_equal(vn_nav_move(s.nav, s.movers[1], &transform, NULL), VN_OK);
    assert_int_equal(vn_nav_remove(s.nav, s.movers[2]), VN_OK);
    assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK); // taken, and not shown yet
    assert_int_equal(vn_nav_add(s.nav, &box, 0, NULL, NULL), VN_OK);
    draw_every_way(draw_nav, &p, &drawn);
    assert_int_equal(drawn.of[BOX], 2);
    assert_int_equal(drawn.count, 2);
    assert_true(drawn.marks[0].p[0].x == 17 && drawn.marks[1].p[1].z == 6);

    for (uint32_t i = 0; i < 6; ++i)
        assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);

    draw = sink(&drawn, 15, 0);
    assert_int_equal(draw_nav(&p, &draw), 0);
    record_free(&drawn);
    vn_nav_destroy(s.nav);
}

static void test_watches(void** state) {
    (void)state;
    scene s;
    const vn_nav_def def = scene_def();
    const vn_point path[3] = {scene_point(2, 60, 2), scene_point(30, 60, 2), scene_point(30, 60, 40)};
    const vn_shape box = vnt_box_shape(vnt_vec(28, 58, 20), vnt_vec(33, 63, 24));
    vn_watch_id watch;
    scene_start(&s, 4, &def);
    for (uint32_t i = 0; i < SCENE_MOVERS; ++i)
        assert_int_equal(vn_nav_remove(s.nav, s.movers[i]), VN_OK);

    assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
    recording drawn = record_make();
    const picture p = {.nav = s.nav, .parts = VN_DRAW_WATCHES};
    assert_int_equal(scene_watch(s.nav, path, 3, &watch), VN_OK);
    draw_every_way(draw_nav, &p, &drawn);
    assert_int_equal(drawn.count, 2);
    assert_true(drawn.marks[0].p[0].x == 2.5 && drawn.marks[1].p[1].z == 40.5);
    assert_true(drawn.marks[0].color == drawn.marks[1].color);

    assert_int_equal(vn_nav_watch_advance(s.nav, watch, 1), VN_OK);
    draw_every_way(draw_nav, &p, &drawn);
    assert_true(drawn.marks[0].color != drawn.marks[1].color);

    // blocked: a cross and a word until the obstacle is gone
    vn_obstacle_id id;
    assert_int_equal(vn_nav_add(s.nav, &box, 0, &id, NULL), VN_OK);
    assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
    draw_every_way(draw_nav, &p, &drawn);
    const mark* word = find_text(&drawn, "blocked");
    assert_non_null(word);
    assert_true(is_near(word->p[0].z, 20, 0.01) && word->p[0].x == 30.5);

    assert_int_equal(vn_nav_remove(s.nav, id), VN_OK);
    assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
    draw_every_way(draw_nav, &p, &drawn);
    assert_null(find_text(&drawn, "blocked"));
    record_free(&drawn);
    vn_nav_destroy(s.nav);
}

/// All parts in one call, in their order, within one limit.
static void test_all(void** state) {
    (void)state;
    scene s;
    const vn_nav_def def = scene_def();
    scene_start(&s, 5, &def);
    const vn_point path[2] = {scene_point(2, 60, 2), scene_point(30, 60, 2)};
    const vn_transform transform = scene_at(20, 50, 10);
    vn_watch_id watch;
    assert_int_equal(scene_watch(s.nav, path, 2, &watch), VN_OK);
    assert_int_equal(vn_nav_move(s.nav, s.movers[1], &transform, NULL), VN_OK);
    recording all = record_make(), part = record_make();
    picture p = {.nav = s.nav, .parts = VN_DRAW_ALL};
    draw_every_way(draw_nav, &p, &all);

    const vn_draw draw = sink(&part, 15, 0);
    for (p.parts = VN_DRAW_OBSTACLES; p.parts < VN_DRAW_ALL; p.parts *= 2)
        assert_true(draw_nav(&p, &draw) > 0);
    check_same_marks(&all, &part);
    record_free(&all);
    record_free(&part);
    vn_nav_destroy(s.nav);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_obstacles_and_cells),
        cmocka_unit_test(test_obstacles_during_update),
        cmocka_unit_test(test_pending),
        cmocka_unit_test(test_watches),
        cmocka_unit_test(test_all),
    };

    return cmocka_run_group_tests_name("nav/draw", tests, NULL, NULL);
}
