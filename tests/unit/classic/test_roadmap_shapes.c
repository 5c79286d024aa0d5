/// A hybrid graph that follows shapes by separating axes against one that follows voxels, on the theses'
/// scene: the same graph and the same changes; statuses; memory.
#include "roadmap_stage.h"
#include "world/shape_copy.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SHAPES 512

/// The moving obstacles of the scene: each gets its axes when it is seen first.
typedef struct movers {
    vn_roadmap_shape* shapes[MOST_SHAPES];
    vn_obstacle_id ids[MOST_SHAPES];
    uint32_t count;
    vn_roadmap_place places[MOST_SHAPES]; ///< of those that are there now
    uint32_t place_count;
} movers;

static vn_roadmap_shape* shape_of(movers* m, vn_obstacle_id id, const vni_obstacle* obstacle,
                                  const vn_allocator* allocator) {
    for (uint32_t i = 0; i < m->count; ++i)
        if (m->ids[i].index1 == id.index1 && m->ids[i].generation == id.generation)
            return m->shapes[i];
    vni_shape_copy* copy = vni_shape_copy_make(allocator, obstacle);
    assert_true(m->count < MOST_SHAPES);
    assert_non_null(copy);
    assert_int_equal(vn_roadmap_shape_create(allocator, &copy->shape, &m->shapes[m->count], NULL), VN_OK);
    vni_shape_copy_release(allocator, copy);
    m->ids[m->count] = id;
    return m->shapes[m->count++];
}

static void place_all(movers* m, const vn_world* world, const vn_allocator* allocator) {
    m->place_count = 0;
    for (uint32_t slot = 0; slot < vni_world_slots(world); ++slot) {
        const vni_obstacle* obstacle = vni_world_obstacle(world, slot);
        if (obstacle == NULL || obstacle->motion == NULL)
            continue;
        m->places[m->place_count++] = (vn_roadmap_place){
            shape_of(m, vni_world_id(world, slot), obstacle, allocator), vni_obstacle_transform(obstacle)};
    }
}

static void free_movers(movers* m) {
    for (uint32_t i = 0; i < m->count; ++i)
        vn_roadmap_shape_destroy(m->shapes[i]);
}

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

/// A second hybrid graph like the first.
static vn_roadmap* make_twin(const vn_roadmap* first) {
    vn_roadmap_def def = vn_default_roadmap_def();
    page bytes = {0};
    const vn_sink sink = {append, &bytes};
    vn_roadmap* twin;
    def.allocator = first->allocator;
    def.version = first->newest->number;
    assert_int_equal(vn_roadmap_write(first, &sink, NULL), VN_OK);
    assert_int_equal(vn_roadmap_read(first->newest->space, &def, bytes.data, bytes.size, &twin, NULL), VN_OK);
    free(bytes.data);
    return twin;
}

static void assert_same_states(const vn_roadmap* a, const vn_roadmap* b) {
    assert_int_equal(a->hybrid.edge_count, b->hybrid.edge_count);
    assert_memory_equal(a->newest->hybrid.open, b->newest->hybrid.open,
                        vni_bits_words(a->hybrid.edge_count) * sizeof(uint64_t));
}

static int compare_ids(const void* a, const void* b) {
    const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}

/// The same nodes, in whatever order; returns how many.
static uint32_t assert_same_changes(vn_roadmap* a, vn_roadmap* b, uint64_t version) {
    vn_roadmap* both[2] = {a, b};
    uint32_t* lists[2];
    uint32_t counts[2];
    for (int i = 0; i < 2; ++i) {
        vn_held_changes held;
        assert_int_equal(vn_roadmap_hold_changes(both[i], version, &held), VN_OK);
        counts[i] = held.nodes.changed_count;
        lists[i] = malloc((counts[i] + 1) * sizeof(uint32_t));
        assert_non_null(lists[i]);
        memcpy(lists[i], held.nodes.changed, counts[i] * sizeof(uint32_t));
        qsort(lists[i], counts[i], sizeof(uint32_t), compare_ids);
        vn_roadmap_release_changes(both[i], &held);
    }

    assert_int_equal(counts[0], counts[1]);
    assert_memory_equal(lists[0], lists[1], counts[0] * sizeof(uint32_t));
    free(lists[0]);
    free(lists[1]);
    return counts[0];
}

static void test_same_graph(void** state) {
    (void)state;
    const uint32_t frames = vnt_scale(20, 400);
    stage s = start(frames * 0.25 + 1, 64, vn_default_allocator());
    vn_roadmap* twin = make_twin(s.roads[0]);
    movers* m = calloc(1, sizeof *m);
    uint64_t changed = 0, version;
    assert_non_null(m);
    for (uint32_t frame = 1; frame <= frames; ++frame) {
        move_to(&s, frame * 0.25); // the times that the stage observed: nothing leaves the dynamic nodes
        follow(&s);
        place_all(m, s.nav->fixed.world, &s.allocator);
        const vn_space* space = vn_nav_pin(s.nav, 0, 0, &version);
        assert_int_equal(vn_roadmap_follow_shapes(twin, space, version, m->places, m->place_count, NULL),
                         VN_OK);
        assert_int_equal(vn_nav_unpin(s.nav, version), VN_OK);
        assert_same_states(s.roads[0], twin);
        changed += assert_same_changes(s.roads[0], twin, version);
    }

    print_message("%u frames, %u moving obstacles, %llu nodes changed\n", frames, m->place_count,
                  (unsigned long long)changed);
    assert_true(m->place_count >= 8);
    assert_true(changed > 0);
    free_movers(m);
    free(m);
    vn_roadmap_destroy(twin);
    stop(&s);
}

static void test_statuses(void** state) {
    (void)state;
    stage s = start(2, 8, vn_default_allocator());
    vn_detail detail;
    uint64_t version;
    vn_roadmap_shape* shape;
    const vn_shape ball = {.kind = VN_SHAPE_SPHERE, .as.sphere = {{0, 0, 0}, 1}};
    const vn_space* space = vn_nav_pin(s.nav, 0, 0, &version);
    assert_int_equal(vn_roadmap_shape_create(&s.allocator, &ball, &shape, &detail), VN_UNSUPPORTED);
    assert_null(shape);
    assert_int_equal(vn_roadmap_follow_shapes(s.roads[0], space, version, NULL, 0, &detail), VN_BAD_ARGUMENT);
    assert_int_equal(vn_roadmap_follow_shapes(s.roads[1], space, version + 1, NULL, 0, &detail),
                     VN_UNSUPPORTED);
    assert_int_equal(vn_nav_unpin(s.nav, version), VN_OK);

    // A layer for a wide agent, of the same size.
    vn_world* world = make_world(&s);
    vn_space_def def = space_def(&s);
    vn_space* wide;
    def.radius = 0.5f;
    assert_int_equal(vn_space_bake(world, &def, &wide, NULL), VN_OK);
    assert_int_equal(vn_roadmap_follow_shapes(s.roads[0], wide, version + 1, NULL, 0, &detail),
                     VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "radius"));
    vn_space_destroy(wide);
    vn_world_destroy(world);
    stop(&s);
}

/// Each allocation fails once: the last version stays, and the next try gives the right one.
static void test_memory(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    stage s = start(3, 4, vnt_memory_allocator(&memory));
    vn_roadmap* twin = make_twin(s.roads[0]);
    movers* m = calloc(1, sizeof *m);
    uint64_t version;
    assert_non_null(m);
    move_to(&s, 0.5);
    follow(&s);
    place_all(m, s.nav->fixed.world, &s.allocator);
    const vn_space* space = vn_nav_pin(s.nav, 0, 0, &version);
    vn_status status = VN_OUT_OF_MEMORY;
    for (uint64_t k = 0; status != VN_OK; ++k) {
        memory.failed = false;
        memory.fail_at = memory.calls + k;
        status = vn_roadmap_follow_shapes(twin, space, version, m->places, m->place_count, NULL);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        assert_int_equal(twin->newest->number, status == VN_OK ? version : 1);
    }

    memory.fail_at = UINT64_MAX;
    assert_same_states(s.roads[0], twin);
    assert_int_equal(vn_nav_unpin(s.nav, version), VN_OK);
    free_movers(m);
    free(m);
    vn_roadmap_destroy(twin);
    stop(&s);
    assert_int_equal(memory.live_blocks, 0);
    assert_false(memory.mismatch);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_graph), cmocka_unit_test(test_statuses),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests_name("classic/roadmap_shapes", tests, NULL, NULL);
}
