/// The changes of versions and the graphs of a nav: every version equals the one before with its changes
/// applied, also where memory ran out in between.
#include "changes_check.h"
#include "changes_scene.h"

// ---------- voxels and cells

static bool has_cell(const vn_space* space, vn_voxel_box box) {
    vni_cell_ref ref;
    if (!vni_cells_find(&space->cells, box.low, &ref))
        return false;
    const vn_voxel_box found =
        vni_cell_voxels(&space->cells.views[ref.block], &space->cells.table[ref.block]->cells[ref.cell]);
    return memcmp(&found, &box, sizeof box) == 0;
}

/// Cells that went were there before and are not now, those that came the reverse; and the counts add up, so
/// that none is missing.
static void check_cells(const vn_layer_changes* layer, const vn_space* before, const vn_space* now) {
    for (uint32_t i = 0; i < layer->cells_went_count; ++i) {
        assert_true(has_cell(before, layer->cells_went[i]));
        assert_false(has_cell(now, layer->cells_went[i]));
    }

    for (uint32_t i = 0; i < layer->cells_came_count; ++i) {
        assert_false(has_cell(before, layer->cells_came[i]));
        assert_true(has_cell(now, layer->cells_came[i]));
    }

    uint32_t stay = 0;
    for (uint32_t b = 0; b < vni_cells_block_count(&now->cells); ++b)
        for (uint32_t i = 0; i < now->cells.table[b]->cell_count; ++i)
            stay += has_cell(before, vni_cell_voxels(&now->cells.views[b], &now->cells.table[b]->cells[i]));
    assert_int_equal(vni_cells_count(&now->cells) - stay, layer->cells_came_count);
    assert_int_equal(vni_cells_count(&before->cells) - stay, layer->cells_went_count);
}

static void a_version_is_the_one_before_and_its_changes(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = changes_def(0, VN_NAV_REALTIME);
    def.layer_count = 2;
    def.layers[1].radius = 1;
    scene_start(&s, vnt_seed("nav changes", 21), &def);
    vn_zone_id zone = {0, 0};
    for (uint32_t step = 0; step < vnt_scale(25, 400); ++step) {
        uint64_t before[2], now[2];
        const vn_space *old[2], *fresh[2];
        for (int i = 0; i < 2; ++i)
            old[i] = vn_nav_pin(s.nav, (double)i, 0, &before[i]);

        change(&s, &zone);
        next_version(&s, before[0]);
        for (int i = 0; i < 2; ++i)
            fresh[i] = vn_nav_pin(s.nav, (double)i, 0, &now[i]);
        assert_int_equal(now[0], before[0] + 1);

        const vn_changes* changes;
        assert_int_equal(vn_nav_get_changes(s.nav, now[0], &changes), VN_OK);
        assert_int_equal(changes->version, now[0]);
        assert_int_equal(changes->layer_count, 2);
        for (int i = 0; i < 2; ++i) {
            const vn_layer_changes* layer = &changes->layers[i];
            assert_true(layer->radius == (float)i);
            const int32_t* dims = old[i]->occupancy.dims;
            unsigned char *voxels = copy_voxels(old[i]), *expected = copy_voxels(fresh[i]);
            apply_bricks(layer, dims, voxels);
            assert_memory_equal(voxels, expected, (size_t)dims[0] * (size_t)dims[1] * (size_t)dims[2]);
            check_cells(layer, old[i], fresh[i]);
            free(voxels);
            free(expected);
        }

        // the same boxes as vn_nav_get_cost_changes
        const vn_box* boxes;
        uint32_t count;
        assert_int_equal(vn_nav_get_cost_changes(s.nav, now[0], &boxes, &count), VN_OK);
        assert_int_equal(changes->zone_count, count);
        if (count > 0)
            assert_memory_equal(changes->zones, boxes, count * sizeof *boxes);

        vn_nav_release_changes(s.nav, changes);
        for (int i = 0; i < 2; ++i) {
            assert_int_equal(vn_nav_unpin(s.nav, before[i]), VN_OK);
            assert_int_equal(vn_nav_unpin(s.nav, now[i]), VN_OK);
        }
    }
    vn_nav_destroy(s.nav);
}

// ---------- obstacles

static const vn_changes* changes_now(vn_nav* nav, uint64_t* version) {
    const vn_changes* changes;
    assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);
    vn_nav_stats stats;
    vn_nav_get_stats(nav, &stats);
    assert_int_equal(stats.version, ++*version);
    assert_int_equal(vn_nav_get_changes(nav, *version, &changes), VN_OK);
    return changes;
}

static void obstacles_are_listed_with_shape_and_transform(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = changes_def(0, VN_NAV_REALTIME);
    scene_start(&s, 5, &def);
    uint64_t version = 1;

    // a hull comes, and moves in the same version; a mover is moved twice
    const vn_shape hull = vnt_hull_shape();
    const vn_transform a = scene_at(10, 10, 10), b = scene_at(11, 10, 10), c = scene_at(12, 13, 14);
    vn_transform home;
    vn_obstacle_id id;
    assert_int_equal(vn_nav_get_transform(s.nav, s.movers[1], &home), VN_OK);
    assert_int_equal(vn_nav_add_moving(s.nav, &hull, &a, 4, &id, NULL), VN_OK);
    assert_int_equal(vn_nav_move(s.nav, id, &b, NULL), VN_OK);
    assert_int_equal(vn_nav_move(s.nav, s.movers[1], &a, NULL), VN_OK);
    assert_int_equal(vn_nav_move(s.nav, s.movers[1], &c, NULL), VN_OK);
    const vn_changes* changes = changes_now(s.nav, &version);
    assert_int_equal(changes->obstacle_count, 2);
    const vn_obstacle_change* o = &changes->obstacles[0];
    assert_int_equal(o->id.index1, id.index1);
    assert_false(o->was);
    assert_true(o->is);
    assert_true(o->moves);
    assert_int_equal(o->flags_after, 4);
    assert_memory_equal(&o->after, &b, sizeof b);
    assert_int_equal(o->shape->kind, VN_SHAPE_HULL);
    assert_int_equal(o->shape->as.hull.vertex_count, 4);
    assert_memory_equal(o->shape->as.hull.vertices, hull.as.hull.vertices, 4 * sizeof(vn_vec3));
    assert_memory_equal(o->shape->as.hull.indices, hull.as.hull.indices, 12 * sizeof(uint32_t));
    assert_true(o->bounds_after.min.x == 11);

    o = &changes->obstacles[1];
    assert_true(o->was);
    assert_true(o->is);
    assert_memory_equal(&o->before, &home, sizeof home);
    assert_memory_equal(&o->after, &c, sizeof c);
    assert_int_equal(o->shape->kind, VN_SHAPE_BOX);
    assert_true(o->shape->as.box.min.x == -3);

    vn_nav_release_changes(s.nav, changes);
    vn_nav_destroy(s.nav);
}

/// A static one goes and its slot is taken at once; one comes and goes unseen; one gets flags; what is held
/// keeps its shapes.
static void what_is_held_stays(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = changes_def(0, VN_NAV_REALTIME);
    scene_start(&s, 5, &def);
    uint64_t version = 1;
    const vn_shape hull = vnt_hull_shape();
    const vn_transform b = scene_at(11, 10, 10);
    vn_obstacle_id id, other;
    assert_int_equal(vn_nav_add_moving(s.nav, &hull, &b, 4, &id, NULL), VN_OK);
    const vn_changes* changes = changes_now(s.nav, &version);

    const vn_shape box = vnt_box_shape(vnt_vec(1, 1, 1), vnt_vec(2, 2, 2));
    const vn_changes* held = changes;
    assert_int_equal(vn_nav_remove(s.nav, s.wall), VN_OK);
    assert_int_equal(vn_nav_add(s.nav, &box, 0, &other, NULL), VN_OK);
    assert_int_equal(other.index1, s.wall.index1);
    vn_obstacle_id brief;
    assert_int_equal(vn_nav_add(s.nav, &box, 0, &brief, NULL), VN_OK);
    assert_int_equal(vn_nav_remove(s.nav, brief), VN_OK);
    assert_int_equal(vn_nav_set_flags(s.nav, id, 8), VN_OK);
    changes = changes_now(s.nav, &version);
    assert_int_equal(changes->obstacle_count, 3);
    assert_true(changes->obstacles[0].was);
    assert_false(changes->obstacles[0].is);
    assert_false(changes->obstacles[0].moves);
    assert_true(changes->obstacles[0].shape->as.box.min.x == 70);
    assert_int_equal(changes->obstacles[0].id.generation, s.wall.generation);
    assert_false(changes->obstacles[1].was);
    assert_int_equal(changes->obstacles[1].id.generation, other.generation);
    assert_int_equal(changes->obstacles[2].flags_before, 4);
    assert_int_equal(changes->obstacles[2].flags_after, 8);
    assert_memory_equal(&changes->obstacles[2].after, &b, sizeof b);

    // the hull goes for good; what is held still has its shape
    assert_int_equal(vn_nav_remove(s.nav, id), VN_OK);
    const vn_changes* last = changes_now(s.nav, &version);
    assert_memory_equal(&last->obstacles[0].before, &b, sizeof b);
    vn_nav_release_changes(s.nav, last);
    for (uint32_t i = 0; i < 2 * HISTORY; ++i) {
        const vn_transform at = scene_at((float)(20 + i), 20, 10.25f);
        assert_int_equal(vn_nav_move(s.nav, s.movers[0], &at, NULL), VN_OK);
        vn_nav_release_changes(s.nav, changes_now(s.nav, &version));
    }
    assert_memory_equal(held->obstacles[0].shape->as.hull.vertices, hull.as.hull.vertices,
                        4 * sizeof(vn_vec3));
    assert_int_equal(vn_nav_get_changes(s.nav, 2, &last), VN_STALE);

    vn_nav_release_changes(s.nav, held);
    vn_nav_release_changes(s.nav, changes);
    vn_nav_destroy(s.nav);
}

static void moves_without_voxels_make_versions(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = changes_def(0, VN_NAV_REALTIME);
    scene_start(&s, 5, &def);
    uint64_t version = 1;
    const vn_changes* last;

    // a move that blocks and frees no voxel makes a version; one that is undone makes none
    vn_nav_stats stats;
    vn_transform near;
    assert_int_equal(vn_nav_get_transform(s.nav, s.movers[1], &near), VN_OK);
    const vn_transform back = near;
    near.scale = 0.999999f;
    assert_int_equal(vn_nav_move(s.nav, s.movers[1], &near, NULL), VN_OK);
    last = changes_now(s.nav, &version);
    assert_int_equal(last->layers[0].brick_count, 0);
    assert_int_equal(last->obstacle_count, 1);
    vn_nav_release_changes(s.nav, last);
    assert_int_equal(vn_nav_move(s.nav, s.movers[1], &back, NULL), VN_OK);
    assert_int_equal(vn_nav_move(s.nav, s.movers[1], &near, NULL), VN_OK);
    assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
    vn_nav_get_stats(s.nav, &stats);
    assert_int_equal(stats.version, version);
    vn_nav_destroy(s.nav);
}

static void what_is_not_there_is_refused(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = changes_def(0, VN_NAV_REALTIME);
    const vn_changes* changes;
    scene_start(&s, 6, &def);
    assert_int_equal(vn_nav_get_changes(s.nav, 1, &changes), VN_STALE);
    assert_int_equal(vn_nav_get_changes(s.nav, 2, &changes), VN_BAD_ARGUMENT);
    vn_nav_graph_def graph_def = vn_default_nav_graph_def();
    vn_nav_graph* graph;
    vn_detail detail = {0};
    graph_def.radius = 7;
    assert_int_equal(vn_nav_graph_create(s.nav, &graph_def, &graph, &detail), VN_UNSUPPORTED);
    graph_def.cookie = 0;
    assert_int_equal(vn_nav_graph_create(s.nav, &graph_def, &graph, &detail), VN_BAD_DEF);
    graph_def = vn_default_nav_graph_def();
    assert_int_equal(vn_nav_graph_create(s.nav, &graph_def, &graph, &detail), VN_OK);
    assert_int_equal(vn_nav_graph_set_end(graph, 0, vn_point_outside()), VN_OUTSIDE);
    assert_int_equal(vn_nav_graph_set_end(graph, 0, scene_point(49, 2, 2)), VN_BLOCKED);
    assert_int_equal(vn_nav_graph_set_end(graph, 2, scene_point(1, 1, 1)), VN_BAD_ARGUMENT);
    vn_node_changes nodes;
    assert_int_equal(vn_nav_graph_advance(graph), VN_OK);
    assert_int_equal(vn_nav_graph_get_changes(graph, 1, &nodes), VN_STALE);
    vn_nav_graph_destroy(graph);
    vn_nav_destroy(s.nav);

    def.history = 0;
    def.graphs = 0;
    scene_start(&s, 6, &def);
    assert_int_equal(vn_nav_get_changes(s.nav, 1, &changes), VN_UNSUPPORTED);
    assert_int_equal(vn_nav_graph_create(s.nav, &graph_def, &graph, &detail), VN_UNSUPPORTED);
    vn_nav_destroy(s.nav);

    vn_world* world = scene_world(&s, 6, NULL);
    def.graphs = 1;
    assert_int_equal(vn_nav_create(world, &def, &s.nav, &detail), VN_BAD_ARGUMENT);
    def.history = 1;
    def.graphs = 16;
    assert_int_equal(vn_nav_create(world, &def, &s.nav, &detail), VN_BAD_ARGUMENT);
    vn_world_destroy(world);
}

// ---------- graphs

static void deltas_lead_from_version_to_version(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = changes_def(0, VN_NAV_REALTIME);
    def.space.bounds = (vn_box){{0, 0, 0}, {70, 12, 10}};
    scene_start(&s, vnt_seed("nav graphs", 22), &def);
    vn_nav_graph* graphs[KINDS];
    live_copy before[KINDS];
    for (int i = 0; i < KINDS; ++i) {
        vn_nav_graph_def graph_def = vn_default_nav_graph_def();
        graph_def.kind = (vn_nav_graph_kind)i;
        graph_def.zones = true;
        assert_int_equal(vn_nav_graph_create(s.nav, &graph_def, &graphs[i], NULL), VN_OK);
        before[i] = copy_graph(graphs[i]);
    }

    vn_zone_id zone = {0, 0};
    uint64_t version = 1;
    for (uint32_t step = 0; step < vnt_scale(12, 200); ++step) {
        // several versions at once: the changes are taken in order
        for (uint32_t i = 0; i < 1 + step % 3; ++i) {
            change(&s, &zone);
            next_version(&s, version++);
        }

        for (int i = 0; i < KINDS; ++i) {
            const uint64_t from = vn_nav_graph_version(graphs[i]);
            assert_int_equal(vn_nav_graph_advance(graphs[i]), VN_OK);
            assert_int_equal(vn_nav_graph_version(graphs[i]), version);
            live_copy now = copy_graph(graphs[i]);
            replay(graphs[i], from, &before[i]);
            live_copy_compare(&before[i], &now);
            live_copy_free(&before[i]);
            before[i] = now;
        }
    }

    // too far behind: stale, and right again
    for (uint32_t i = 0; i < HISTORY + 1; ++i) {
        change(&s, &zone);
        next_version(&s, version++);
    }
    for (int i = 0; i < KINDS; ++i) {
        assert_int_equal(vn_nav_graph_advance(graphs[i]), VN_STALE);
        assert_int_equal(vn_nav_graph_version(graphs[i]), version);
        assert_int_equal(vn_nav_graph_advance(graphs[i]), VN_OK);
        live_copy_free(&before[i]);
        vn_nav_graph_destroy(graphs[i]);
    }
    vn_nav_destroy(s.nav);
}

// ---------- memory

/// Applies the bricks of all versions; obstacles that came are those that went.
static void add_up(vn_nav* nav, const int32_t dims[3], unsigned char* voxels) {
    vn_nav_stats stats;
    vn_nav_get_stats(nav, &stats);
    uint32_t came = 0, went = 0;
    for (uint64_t version = 2; version <= stats.version; ++version) {
        const vn_changes* changes;
        assert_int_equal(vn_nav_get_changes(nav, version, &changes), VN_OK);
        apply_bricks(&changes->layers[1], dims, voxels);
        for (uint32_t i = 0; i < changes->obstacle_count; ++i) {
            came += !changes->obstacles[i].was && changes->obstacles[i].is;
            went += changes->obstacles[i].was && !changes->obstacles[i].is;
        }
        vn_nav_release_changes(nav, changes);
    }

    assert_int_equal(came, went);
}

/// With changes in flight, one allocation fails: the version stays, a later tick makes it with all changes.
static bool survive(uint64_t fail_at) {
    vnt_memory memory = vnt_memory_make();
    const vn_allocator allocator = vnt_memory_shared_allocator(&memory);
    scene s;
    vn_world* world = scene_world(&s, 8, &allocator);
    assert_non_null(world);
    vn_nav_def def = changes_def(0, VN_NAV_REALTIME);
    def.allocator = allocator;
    def.max_requests = 1;
    def.max_watches = 1;
    def.layer_count = 2;
    def.layers[1].radius = 1;
    assert_int_equal(vn_nav_create(world, &def, &s.nav, NULL), VN_OK);

    // from here on: bricks and transforms must add up, whatever fails
    uint64_t first;
    const vn_space* space = vn_nav_pin(s.nav, 1, 0, &first);
    unsigned char* voxels = copy_voxels(space);
    int32_t dims[3];
    memcpy(dims, space->occupancy.dims, sizeof dims);
    assert_int_equal(vn_nav_unpin(s.nav, first), VN_OK);
    memory.fail_at = memory.calls + fail_at;
    vn_obstacle_id added = {0, 0};
    const vn_shape hull = vnt_hull_shape();
    for (uint32_t step = 0; step < 4; ++step) {
        const vn_transform at = scene_at((float)(5 * step + 4), 7, 8);
        (void)vn_nav_move(s.nav, s.movers[step], &at, NULL);
        if (step == 1)
            (void)vn_nav_add_moving(s.nav, &hull, &at, 0, &added, NULL);
        if (step == 2 && added.index1 != 0)
            (void)vn_nav_remove(s.nav, added);
        (void)vn_nav_tick(s.nav, NULL);
    }

    const bool failed = memory.failed;
    memory.fail_at = UINT64_MAX;
    for (uint32_t i = 0; i < 2; ++i)
        assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);

    add_up(s.nav, dims, voxels);
    space = vn_nav_pin(s.nav, 1, 0, &first);
    unsigned char* expected = copy_voxels(space);
    assert_memory_equal(voxels, expected, (size_t)dims[0] * (size_t)dims[1] * (size_t)dims[2]);
    free(voxels);
    free(expected);

    vn_nav_destroy(s.nav);
    assert_int_equal(memory.live_blocks, 0);
    assert_false(memory.mismatch);
    return failed;
}

static void without_memory_no_change_is_lost(void** state) {
    (void)state;
    uint64_t k = 0;
    const uint32_t stride = 1;
    while (survive(k))
        k += stride;
    assert_true(k > 50);
}

/// Making a nav with graphs, and a graph, fails at each allocation and leaves nothing behind.
static void making_without_memory_leaves_nothing(void** state) {
    (void)state;
    vn_status status = VN_OUT_OF_MEMORY;
    for (uint64_t k = 0; status != VN_OK; ++k) {
        vnt_memory memory = vnt_memory_make();
        const vn_allocator allocator = vnt_memory_shared_allocator(&memory);
        scene s;
        vn_world* world = scene_world(&s, 8, &allocator);
        vn_nav_def def = changes_def(0, VN_NAV_REALTIME);
        def.allocator = allocator;
        def.max_requests = 1;
        def.max_watches = 1;
        def.space.bounds = (vn_box){{0, 0, 0}, {20, 12, 10}};
        // the graphs are made last but for requests and watches: begin near the end
        memory.fail_at = memory.calls + k;
        vn_nav_graph* graph = NULL;
        vn_nav_graph_def graph_def = vn_default_nav_graph_def();
        graph_def.zones = true;
        status = vn_nav_create(world, &def, &s.nav, NULL);
        if (status == VN_OK) {
            status = vn_nav_graph_create(s.nav, &graph_def, &graph, NULL);
            vn_nav_graph_destroy(graph);
            vn_nav_destroy(s.nav);
        } else {
            vn_world_destroy(world);
        }
        assert_true(status == VN_OK || status == VN_OUT_OF_MEMORY);
        assert_int_equal(memory.live_blocks, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_version_is_the_one_before_and_its_changes),
        cmocka_unit_test(obstacles_are_listed_with_shape_and_transform),
        cmocka_unit_test(what_is_held_stays),
        cmocka_unit_test(moves_without_voxels_make_versions),
        cmocka_unit_test(what_is_not_there_is_refused),
        cmocka_unit_test(deltas_lead_from_version_to_version),
        cmocka_unit_test(without_memory_no_change_is_lost),
        cmocka_unit_test(making_without_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
