/// Roadmaps as bytes: written, read and written again without a difference; the loaded one follows as the
/// baked one does, with the same changes and paths; bytes that lie are refused or harmless; memory.
#include "graph_lists.h"
#include "hybrid_world.h"
#include "roadmap_stage.h"
#include "volnav/classic.h"
#include "volnav/io.h"

typedef struct page {
    uint8_t* data;
    size_t size;
} page;

static bool append(void* user, const void* data, size_t size) {
    page* p = user;
    p->data = realloc(p->data, p->size + size);
    assert_non_null(p->data);
    memcpy(p->data + p->size, data, size);
    p->size += size;
    return true;
}

static page write_roadmap(const vn_roadmap* roadmap) {
    page p = {0};
    const vn_sink sink = {append, &p};
    assert_int_equal(vn_roadmap_write(roadmap, &sink, NULL), VN_OK);
    return p;
}

static void assert_same_pages(const page* a, const page* b) {
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
}

/// Reads the page over the roadmap's newest space; the bytes must come out again.
static vn_roadmap* load_page(const vn_roadmap* first, const page* bytes) {
    vn_roadmap_def def = vn_default_roadmap_def();
    vn_roadmap* again;
    def.version = first->newest->number;
    assert_int_equal(vn_roadmap_read(first->newest->space, &def, bytes->data, bytes->size, &again, NULL),
                     VN_OK);
    page second = write_roadmap(again);
    assert_same_pages(bytes, &second);
    free(second.data);
    return again;
}

static void assert_same_info(const vn_roadmap* a, const vn_roadmap* b) {
    vn_roadmap_info one, two;
    vn_roadmap_get_info(a, &one);
    vn_roadmap_get_info(b, &two);
    assert_int_equal(one.kind, two.kind);
    assert_int_equal(one.version, two.version);
    assert_int_equal(one.nodes, two.nodes);
    assert_int_equal(one.edges, two.edges);
    assert_int_equal(one.static_nodes, two.static_nodes);
    assert_int_equal(one.dynamic_nodes, two.dynamic_nodes);
    assert_int_equal(one.neighbour_nodes, two.neighbour_nodes);
    assert_int_equal(one.blocked, two.blocked);
    assert_int_equal(one.without, two.without);
    assert_int_equal(one.left, two.left);
}

static void assert_same_sizes(const vn_roadmap* a, const vn_roadmap* b) {
    vn_roadmap_info one, two;
    vn_roadmap_get_info(a, &one);
    vn_roadmap_get_info(b, &two);
    assert_int_equal(one.nodes, two.nodes);
    assert_int_equal(one.edges, two.edges);
    assert_int_equal(one.blocked, two.blocked);
}

/// Of waypoints, ids of those that went are free until others come.
static bool is_node(const vn_roadmap* roadmap, uint32_t id) {
    const uint32_t* nodes_of = roadmap->newest->waypoints.nodes_of;
    return roadmap->kind != VN_ROADMAP_WAYPOINTS || nodes_of[id - VN_FIRST_NODE] != UINT32_MAX;
}

/// All edges, forwards and backwards.
static void assert_same_graphs(vn_roadmap* a, vn_roadmap* b) {
    vn_roadmap_view *one, *two;
    assert_int_equal(vn_roadmap_view_create(a, &one, NULL), VN_OK);
    assert_int_equal(vn_roadmap_view_create(b, &two, NULL), VN_OK);
    const vn_graph *p = vn_roadmap_view_graph(one), *q = vn_roadmap_view_graph(two);
    assert_int_equal(p->node_limit, q->node_limit);
    for (uint32_t id = VN_FIRST_NODE; id < p->node_limit; ++id) {
        assert_int_equal(is_node(a, id), is_node(b, id));
        for (int back = 0; back < 2 && is_node(a, id); ++back) {
            static edge_list x, y;
            list_edges(p, id, back == 1, &x);
            list_edges(q, id, back == 1, &y);
            assert_int_equal(x.count, y.count);
            assert_memory_equal(x.to, y.to, x.count * sizeof *x.to);
            assert_memory_equal(x.cost, y.cost, x.count * sizeof *x.cost);
        }
    }
    vn_roadmap_view_destroy(one);
    vn_roadmap_view_destroy(two);
}

static void assert_same_changes(vn_roadmap* a, vn_roadmap* b, uint64_t version) {
    vn_held_changes x, y;
    assert_int_equal(vn_roadmap_hold_changes(a, version, &x), VN_OK);
    assert_int_equal(vn_roadmap_hold_changes(b, version, &y), VN_OK);
    assert_int_equal(x.nodes.came_count, y.nodes.came_count);
    assert_int_equal(x.nodes.went_count, y.nodes.went_count);
    assert_int_equal(x.nodes.changed_count, y.nodes.changed_count);
    for (uint32_t i = 0; i < x.nodes.changed_count; ++i)
        assert_int_equal(x.nodes.changed[i], y.nodes.changed[i]);
    for (uint32_t i = 0; i < x.nodes.came_count; ++i)
        assert_int_equal(x.nodes.came[i], y.nodes.came[i]);
    vn_roadmap_release_changes(a, &x);
    vn_roadmap_release_changes(b, &y);
}

/// Cost of a path from the scene's start to its goal; the points are in the query.
static double find_path(const stage* s, vn_roadmap* roadmap, vn_graph_query* query, double seconds) {
    vn_moving_scene_info info;
    vn_vec3 goal;
    vn_point ends[2];
    vn_roadmap_view* view;
    vn_graph_result result = {0};
    const vn_graph_request request = vn_default_graph_request();
    vn_moving_scene_get_info(s->scene, &info);
    assert_int_equal(vn_moving_scene_get_goal(s->scene, seconds, &goal, NULL), VN_OK);
    assert_int_equal(vn_roadmap_view_create(roadmap, &view, NULL), VN_OK);
    const vn_space* space = vn_roadmap_view_space(view);
    assert_int_equal(vn_space_point_from_local(space, info.start, &ends[0]), VN_OK);
    assert_int_equal(vn_space_point_from_local(space, goal, &ends[1]), VN_OK);
    const vn_graph* graph = vn_roadmap_view_graph(view);
    bool set = true;
    for (uint32_t i = 0; i < 2; ++i)
        set = vn_roadmap_view_set_end(view, i, ends[i]) == VN_OK && set;
    assert_int_equal(vn_graph_query_grow(query, graph->node_limit, NULL), VN_OK);
    const bool found = set && vn_graph_query_find_path(query, graph, &request, &result, NULL) == VN_OK;
    vn_roadmap_view_destroy(view);
    return found ? result.cost : -1;
}

/// The roads of the stage and those that are loaded follow side by side.
static void test_loaded_follows_as_baked(void** state) {
    (void)state;
    const uint32_t frames = vnt_scale(12, 200);
    stage s = start(frames * 0.1 + 2, 64, vn_default_allocator());
    vn_graph_query_def query_def = vn_default_graph_query_def();
    vn_graph_query* query;
    vn_roadmap* loaded[2];
    uint32_t found = 0;
    assert_int_equal(vn_graph_query_create(&query_def, &query, NULL), VN_OK);
    for (int i = 0; i < 2; ++i) {
        page bytes = write_roadmap(s.roads[i]);
        loaded[i] = load_page(s.roads[i], &bytes);
        assert_same_info(s.roads[i], loaded[i]);
        assert_same_graphs(s.roads[i], loaded[i]);
        print_message("%s: %llu bytes\n", vn_roadmap_kind_name(s.roads[i]->kind),
                      (unsigned long long)bytes.size);
        free(bytes.data);
    }

    for (uint32_t frame = 1; frame <= frames; ++frame) {
        stage other = s;
        other.roads[0] = loaded[0];
        other.roads[1] = loaded[1];
        move_to(&s, frame * 0.1);
        follow(&s);
        follow(&other);
        for (int i = 0; i < 2; ++i) {
            assert_same_info(s.roads[i], loaded[i]);
            assert_same_changes(s.roads[i], loaded[i], s.version);
            const double cost = find_path(&s, s.roads[i], query, frame * 0.1);
            assert_true(cost == find_path(&s, loaded[i], query, frame * 0.1));
            found += cost > 0;
            if (frame % 6 == 0)
                assert_same_graphs(s.roads[i], loaded[i]);
        }
    }

    // What is saved later is what was saved first, for the one; for the other, obstacles have moved.
    for (int i = 0; i < 2; ++i) {
        page one = write_roadmap(s.roads[i]), two = write_roadmap(loaded[i]);
        assert_same_pages(&one, &two);
        vn_roadmap* again = load_page(s.roads[i], &one);

        // waypoints get ids without gaps when they are loaded (volnav/roadmap.h)
        if (s.roads[i]->kind == VN_ROADMAP_HYBRID)
            assert_same_graphs(s.roads[i], again);
        else
            assert_same_sizes(s.roads[i], again);
        assert_true(fabs(find_path(&s, s.roads[i], query, frames * 0.1) -
                         find_path(&s, again, query, frames * 0.1)) < 1e-9);
        vn_roadmap_destroy(again);
        free(one.data);
        free(two.data);
        vn_roadmap_destroy(loaded[i]);
    }

    assert_true(found > frames);
    vn_graph_query_destroy(query);
    stop(&s);
}

// ------------------------------------------------------------------------------------------- random worlds

static vn_roadmap* bake_random(const hybrid_world* w) {
    const vn_allocator allocator = vn_default_allocator();
    const vn_roadmap_def def = vn_default_roadmap_def();
    const vn_voxel dims = world_dims(w);
    vn_area* area;
    vn_roadmap* roadmap;
    assert_int_equal(vn_area_create(&allocator, w->fixed_space, &area, NULL), VN_OK);
    for (int32_t z = 0; z < dims.z; ++z)
        for (int32_t y = 0; y < dims.y; ++y)
            for (int32_t x = 0; x < dims.x; ++x)
                if (in_area(w, (vn_voxel){x, y, z}))
                    vn_area_add_box(area, (vn_voxel){x, y, z}, (vn_voxel){x + 1, y + 1, z + 1});
    assert_int_equal(vn_roadmap_create_hybrid(w->fixed_space, area, w->now_space, &def, &roadmap, NULL),
                     VN_OK);
    vn_area_destroy(area);
    return roadmap;
}

/// Obstacles, moving ones among them, that the space need not know.
static vn_roadmap* bake_boxes(const vn_space* space, vni_rng* rng) {
    const vn_world_def world_def = vn_default_world_def();
    vn_roadmap_def def = vn_default_roadmap_def();
    vn_world* world;
    vn_roadmap* roadmap;
    def.spacing = 1 + (float)vni_rng_below(rng, 4);
    def.indirect = 1 + vni_rng_below(rng, 4);
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    for (uint32_t i = 1 + vni_rng_below(rng, 4); i > 0; --i) {
        const float at = (float)vni_rng_below(rng, 8), size = 1 + (float)vni_rng_below(rng, 3);
        const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {{at, 1, at}, {at + size, 1 + size, at + 1}}};
        assert_int_equal(vn_world_add(world, &box, NULL, NULL), VN_OK);
    }
    assert_int_equal(vn_roadmap_create_waypoints(world, space, &def, &roadmap, NULL), VN_OK);
    vn_world_destroy(world);
    return roadmap;
}

static vn_roadmap* bake_one(const hybrid_world* w, vni_rng* rng, bool hybrid) {
    return hybrid ? bake_random(w) : bake_boxes(w->now_space, rng);
}

static void test_random_worlds(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("roadmap bytes", 121));
    for (uint32_t i = vnt_scale(60, 600); i > 0; --i) {
        hybrid_world w = world_random(&rng, 18);
        vn_roadmap* first = bake_one(&w, &rng, i % 3 != 0);
        page bytes = write_roadmap(first);
        vn_roadmap* again = load_page(first, &bytes);
        assert_same_info(first, again);
        assert_same_graphs(first, again);
        vn_roadmap_destroy(again);
        vn_roadmap_destroy(first);
        free(bytes.data);
        world_free(&w);
    }
}

// -------------------------------------------------------------------------------------------------- hostile

static bool is_wall(const vni_hybrid* h, vn_voxel v) {
    const int32_t low[3] = {v.x & ~3, v.y & ~3, v.z & ~3};
    return vni_stepper_walls(&h->stepper, low) >> vni_bit_of(v.x, v.y, v.z) & 1;
}

/// Samples of an edge, none of which is in a static obstacle.
static void check_line(const vni_hybrid* h, vn_voxel a, vn_voxel b) {
    for (int i = 1; i < 50; ++i) {
        const double t = i / 50.0;
        const vn_voxel v = {(int32_t)floor(a.x + 0.5 + t * (b.x - a.x)),
                            (int32_t)floor(a.y + 0.5 + t * (b.y - a.y)),
                            (int32_t)floor(a.z + 0.5 + t * (b.z - a.z))};
        assert_false(is_wall(h, v));
    }
}

/// Edges of what is accepted lead from node to node, and through no obstacle.
static void check_edges(const vn_roadmap* roadmap) {
    const vni_hybrid* h = &roadmap->hybrid;
    for (uint32_t i = 0; i < h->edge_count; ++i) {
        assert_true(h->edges[i].from < h->node_count);
        assert_true(h->edges[i].to < h->node_count);
        check_line(h, vni_hybrid_voxel(h, h->edges[i].from), vni_hybrid_voxel(h, h->edges[i].to));
    }
}

static vn_status try_bytes(const hybrid_world* w, const uint8_t* data, size_t size) {
    vn_roadmap* roadmap;
    vn_detail detail = {0};
    vnt_memory memory = vnt_memory_make();
    vn_roadmap_def def = vn_default_roadmap_def();
    def.allocator = vnt_memory_allocator(&memory);
    const vn_status status = vn_roadmap_read(w->now_space, &def, data, size, &roadmap, &detail);
    if (status == VN_OK) {
        check_edges(roadmap);
        page bytes = write_roadmap(roadmap);
        assert_int_equal(bytes.size, size);
        assert_memory_equal(bytes.data, data, size); // there is one way to write each roadmap
        free(bytes.data);
        vn_roadmap_destroy(roadmap);
    } else {
        assert_true(status == VN_BAD_FORMAT || status == VN_MISMATCH || status == VN_UNSUPPORTED ||
                    status == VN_TOO_LARGE);
        assert_null(roadmap);
        assert_true(detail.text[0] != 0);
    }

    assert_int_equal(memory.live_blocks, 0);
    return status;
}

static void test_bytes_that_lie(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("roadmap bytes hostile", 122));
    uint32_t refused = 0;
    for (uint32_t i = vnt_scale(30, 300); i > 0; --i) {
        hybrid_world w = world_random(&rng, 10);
        vn_roadmap* first = bake_one(&w, &rng, i % 2 == 0);
        page bytes = write_roadmap(first);
        for (uint32_t k = 0; k < 60; ++k) {
            uint8_t* copy = malloc(bytes.size);
            assert_non_null(copy);
            memcpy(copy, bytes.data, bytes.size);
            for (uint32_t flips = 1 + vni_rng_below(&rng, 2); flips > 0; --flips)
                copy[vni_rng_below(&rng, (uint32_t)bytes.size)] ^= (uint8_t)(1u << vni_rng_below(&rng, 8));
            const size_t size = k % 10 == 0 ? vni_rng_below(&rng, (uint32_t)bytes.size) : bytes.size;
            const vn_status status = try_bytes(&w, copy, size);
            assert_true(size == bytes.size || status != VN_OK); // nothing that is cut off is accepted
            refused += status != VN_OK;
            free(copy);
        }

        free(bytes.data);
        vn_roadmap_destroy(first);
        world_free(&w);
    }
    assert_true(refused > 0);
}

static void put_u32(page* p, size_t at, uint32_t value) {
    for (uint32_t i = 0; i < 4; ++i)
        p->data[at + i] = (uint8_t)(value >> 8 * i);
}

static uint32_t get_u32(const page* p, size_t at) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < 4; ++i)
        value |= (uint32_t)p->data[at + i] << 8 * i;
    return value;
}

/// The bytes with one edge more, from a to b in direction d, which has none yet.
static page with_edge(const vn_roadmap* roadmap, const page* bytes, vn_voxel a, vn_voxel b, uint32_t d) {
    const vni_hybrid* h = &roadmap->hybrid;
    const uint32_t from = vni_hybrid_node(h, a), to = vni_hybrid_node(h, b);
    uint32_t joined = 0;
    assert_true(from != VNI_NO_HYBRID);
    assert_true(to != VNI_NO_HYBRID);
    for (uint32_t i = 0; i < from; ++i)
        joined += !vni_hybrid_is_dynamic(h, i);
    page out = {malloc(bytes->size + 4), bytes->size + 4};
    assert_non_null(out.data);

    const size_t masks = 32 + 20 * (size_t)get_u32(bytes, 20),
                 targets = masks + 4 * (size_t)get_u32(bytes, 24);
    const uint32_t mask = get_u32(bytes, masks + 4 * (size_t)joined);
    assert_false(mask >> d & 1);
    const size_t at = targets + 4 * (size_t)(h->edge_first[from] + vni_popcount(mask & ((1u << d) - 1)));
    memcpy(out.data, bytes->data, at);
    put_u32(&out, at, to);
    memcpy(out.data + at + 4, bytes->data + at, bytes->size - at);
    put_u32(&out, 28, get_u32(bytes, 28) + 1);
    put_u32(&out, masks + 4 * (size_t)joined, mask | 1u << d);
    return out;
}

static uint32_t direction(const vni_grid* grid, int32_t x, int32_t y, int32_t z) {
    uint32_t d = 0;
    while (grid->step[d][0] != x || grid->step[d][1] != y || grid->step[d][2] != z)
        ++d;
    return d;
}

/// Each field that is checked, wrong in turn.
static void test_wrong_fields(void** state) {
    (void)state;
    const vn_voxel dims = {8, 8, 8};
    hybrid_world w = {vnt_voxels_make(dims), vnt_voxels_make(dims), vnt_voxels_make(dims), NULL, NULL};
    vnt_voxels_block(&w.fixed, 3, 3, 3);
    vnt_voxels_block(&w.now, 3, 3, 3);
    vnt_voxels_block(&w.area, 6, 6, 6);
    w.fixed_space = vnt_voxels_space(&w.fixed);
    w.now_space = vnt_voxels_space(&w.now);
    vn_roadmap* first = bake_random(&w);
    page bytes = write_roadmap(first);
    const struct {
        size_t at;
        uint32_t value;
        vn_status status;
    } cases[] = {
        {0, 2, VN_UNSUPPORTED},                   // version
        {4, 7, VN_BAD_FORMAT},                    // kind
        {8, 9, VN_MISMATCH},                      // size
        {20, 1, VN_BAD_FORMAT},                   // bricks
        {28, 0, VN_BAD_FORMAT},                   // edges
        {32, 8, VN_BAD_FORMAT},                   // a brick that there is not
        {40, 1u << 30, VN_BAD_FORMAT},            // an obstacle elsewhere: the edges are not of these nodes
        {bytes.size - 4, 1u << 20, VN_BAD_FORMAT} // a target
    };
    assert_int_equal(try_bytes(&w, bytes.data, bytes.size), VN_OK);
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const uint32_t old = get_u32(&bytes, cases[i].at);
        assert_true(old != cases[i].value);
        put_u32(&bytes, cases[i].at, cases[i].value);
        assert_int_equal(try_bytes(&w, bytes.data, bytes.size), cases[i].status);
        put_u32(&bytes, cases[i].at, old);
    }

    // An edge in another direction than it says, and one through the obstacle.
    const vni_grid* grid = &first->hybrid.grid;
    const vn_voxel a = {2, 2, 3}, across = {4, 4, 3};
    page edge = with_edge(first, &bytes, a, (vn_voxel){2, 2, 4}, direction(grid, -1, -1, 0));
    assert_int_equal(try_bytes(&w, edge.data, edge.size), VN_BAD_FORMAT);
    free(edge.data);
    edge = with_edge(first, &bytes, a, across, direction(grid, 1, 1, 0));
    assert_int_equal(try_bytes(&w, edge.data, edge.size), VN_BAD_FORMAT);
    free(edge.data);

    bytes.data = realloc(bytes.data, bytes.size + 4);
    assert_non_null(bytes.data);
    put_u32(&bytes, bytes.size, 0);
    assert_int_equal(try_bytes(&w, bytes.data, bytes.size + 4), VN_BAD_FORMAT);
    free(bytes.data);
    vn_roadmap_destroy(first);
    world_free(&w);
}

static void test_failing_memory(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("roadmap bytes memory", 123));
    for (uint32_t i = 0; i < 8; ++i) {
        hybrid_world w = world_random(&rng, 12);
        vn_roadmap* first = bake_one(&w, &rng, i % 2 == 0);
        page bytes = write_roadmap(first);
        vnt_memory memory = vnt_memory_make();
        vn_roadmap_def def = vn_default_roadmap_def();
        vn_roadmap* again = NULL;
        vn_status status = VN_OUT_OF_MEMORY;
        def.allocator = vnt_memory_allocator(&memory);
        for (uint64_t k = 0; status != VN_OK; ++k) {
            memory.fail_at = memory.calls + k;
            memory.failed = false;
            status = vn_roadmap_read(w.now_space, &def, bytes.data, bytes.size, &again, NULL);
            assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
            assert_true(status == VN_OK || memory.live_blocks == 0);
        }

        page none = {0};
        const vn_sink sink = {append, &none};
        memory.fail_at = memory.calls;
        assert_int_equal(vn_roadmap_write(again, &sink, NULL), VN_OUT_OF_MEMORY);
        assert_int_equal(none.size, 0);
        vn_roadmap_destroy(again);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        vn_roadmap_destroy(first);
        free(bytes.data);
        world_free(&w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loaded_follows_as_baked), cmocka_unit_test(test_random_worlds),
        cmocka_unit_test(test_bytes_that_lie),          cmocka_unit_test(test_wrong_fields),
        cmocka_unit_test(test_failing_memory),
    };
    return cmocka_run_group_tests_name("classic/roadmap_bytes", tests, NULL, NULL);
}
