/// Live boxes over cells: after every change the graphs of the newest version are those of a fresh bake, by
/// brute force; what did not change keeps its name; the deltas lead from one version to the next.
#include "live_scene.h"

#include "live/boxes_view.h"
#include "live/cells.h"
#include "live/compare.h"

#include "graph/cost.h"

typedef struct box_list {
    vni_box* items;
    uint32_t count;
} box_list;

typedef struct live_test {
    live_scene scene;
    vn_allocator allocator;
    vni_live_boxes* live;
    vni_difference difference;
    const vn_space* space; ///< that `live` shows, pinned
    uint64_t space_version, version;
} live_test;

static vn_status advance(live_test* t) {
    uint64_t number;
    const vn_space* space = vni_dynamic_pin(t->scene.dynamic, &number);
    const bool first = t->space == NULL;
    bool ok = first ? vni_list_cells(&t->allocator, space, &t->difference)
                    : vni_compare_spaces(&t->allocator, t->space, space, &t->difference);
    vn_status status = VN_OUT_OF_MEMORY;
    if (ok) {
        const vni_difference* d = &t->difference;
        const vni_box_changes changes = {
            .went = d->went, .came = d->came, .went_count = d->went_count, .came_count = d->came_count};
        const vni_boxes_source source = vni_cells_source(&space->cells);
        status = vni_live_boxes_advance(t->live, t->version + 1, &changes, &source, NULL);
    }

    if (status != VN_OK) {
        vni_dynamic_unpin(t->scene.dynamic, number);
        return status;
    }

    if (!first)
        vni_dynamic_unpin(t->scene.dynamic, t->space_version);
    t->space = space;
    t->space_version = number;
    ++t->version;
    return VN_OK;
}

static vn_status make_live(live_test* t) {
    const vni_live_boxes_def def = {.allocator = t->allocator,
                                    .dims = {t->scene.dims.x, t->scene.dims.y, t->scene.dims.z},
                                    .history = 4,
                                    .graphs = 3};
    return vni_live_boxes_make(&def, &t->live, NULL);
}

static live_test begin(vni_rng* rng, int32_t limit) {
    live_test t = {0};
    t.scene = live_scene_make(rng, limit, NULL);
    t.allocator = vn_default_allocator();
    assert_int_equal(make_live(&t), VN_OK);
    assert_int_equal(advance(&t), VN_OK);
    return t;
}

static void end(live_test* t) {
    if (t->space != NULL)
        vni_dynamic_unpin(t->scene.dynamic, t->space_version);
    vni_difference_free(&t->allocator, &t->difference);
    vni_live_boxes_free(t->live);
    live_scene_free(&t->scene);
}

static bool box_exists(const void* user, uint32_t id) {
    return vni_live_has_box((const vni_slot_version*)user, id - VN_FIRST_NODE);
}

static bool portal_exists(const void* user, uint32_t id) {
    return vni_live_has_portal((const vni_slot_version*)user, id - VN_FIRST_NODE);
}

static live_copy copy_graph(const live_test* t, const vni_slot_version* version, vni_boxes_graph kind) {
    vni_boxes_view view;
    vni_boxes_view_make(version, t->space->occupancy.dims, &t->space->occupancy, kind, NULL, &view);
    const vn_graph graph = vni_boxes_view_graph(&view);
    return live_copy_make(&graph, kind == VNI_BOXES_CENTRES ? box_exists : portal_exists, version);
}

// ---------- brute force

/// The cells of a fresh bake of the world as it is.
static box_list fresh_boxes(const live_test* t) {
    vn_space_def def = vn_default_space_def();
    def.has_bounds = true;
    def.bounds =
        (vn_box){{0, 0, 0}, {(float)t->scene.dims.x, (float)t->scene.dims.y, (float)t->scene.dims.z}};
    vn_space* space = NULL;
    assert_int_equal(vn_space_bake(t->scene.world, &def, &space, NULL), VN_OK);
    box_list list = {calloc(vni_cells_count(&space->cells) + 1, sizeof(vni_box)), 0};
    for (uint32_t b = 0; b < vni_cells_block_count(&space->cells); ++b)
        for (uint32_t i = 0; i < space->cells.table[b]->cell_count; ++i) {
            vni_box* box = &list.items[list.count++];
            vni_cell_bounds(&space->cells.views[b], &space->cells.table[b]->cells[i], box->low, box->high);
        }
    vn_space_destroy(space);
    return list;
}

/// The rectangle that two boxes share: low corner and size; false if they share none.
static bool share(const vni_box* a, const vni_box* b, int32_t low[3], int32_t size[3], int* axis) {
    int flat = 0;
    for (int i = 0; i < 3; ++i) {
        low[i] = a->low[i] > b->low[i] ? a->low[i] : b->low[i];
        size[i] = (a->high[i] < b->high[i] ? a->high[i] : b->high[i]) - low[i];
        if (size[i] < 0)
            return false;
        if (size[i] == 0) {
            ++flat;
            *axis = i;
        }
    }

    return flat == 1;
}

/// A portal as brute force finds it.
typedef struct plain_portal {
    uint32_t boxes[2]; ///< in the list of fresh boxes
    uint32_t key;
    vn_point point;
    int32_t low[3], size[3];
    int axis;
    uint32_t id; ///< of the node in the version
} plain_portal;

typedef struct plain_graph {
    box_list boxes;
    uint32_t* box_ids; ///< of the nodes in the version
    plain_portal* portals;
    uint32_t count;
} plain_graph;

static plain_graph plain_make(const live_test* t) {
    plain_graph g = {fresh_boxes(t), NULL, NULL, 0};
    uint32_t capacity = 0;
    for (uint32_t i = 0; i < g.boxes.count; ++i)
        for (uint32_t k = 0; k < i; ++k) {
            int32_t low[3], size[3];
            int axis = 0;
            if (!share(&g.boxes.items[i], &g.boxes.items[k], low, size, &axis))
                continue;
            if (g.count == capacity) {
                capacity = 2 * capacity + 16;
                g.portals = realloc(g.portals, capacity * sizeof *g.portals);
                assert_non_null(g.portals);
            }
            const uint32_t voxel = (uint32_t)(low[0] + t->scene.dims.x * (low[1] + t->scene.dims.y * low[2]));
            g.portals[g.count++] = (plain_portal){
                {i, k},
                3 * voxel + (uint32_t)axis + 2,
                {1024 * low[0] + 512 * size[0], 1024 * low[1] + 512 * size[1], 1024 * low[2] + 512 * size[2]},
                {low[0], low[1], low[2]},
                {size[0], size[1], size[2]},
                axis,
                VN_NO_NODE};
        }
    return g;
}

static void plain_free(plain_graph* g) {
    free(g->boxes.items);
    free(g->box_ids);
    free(g->portals);
}

static uint32_t live_count(const live_copy* copy) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < copy->limit; ++i)
        count += copy->nodes[i].exists;
    return count;
}

static bool has_edge(const live_node* node, uint32_t to, double cost) {
    for (uint32_t i = 0; i < node->count; ++i)
        if (node->edges[i].to == to)
            return node->edges[i].cost == cost;
    return false;
}

/// Portals are nodes: the same points and keys, and an edge exactly between two on one box.
static void check_transitions(plain_graph* g, const live_copy* copy) {
    assert_int_equal(live_count(copy), g->count);
    for (uint32_t i = 0; i < g->count; ++i)
        for (uint32_t id = VN_FIRST_NODE; id < copy->limit && g->portals[i].id == VN_NO_NODE; ++id)
            if (copy->nodes[id].exists && copy->nodes[id].key == g->portals[i].key)
                g->portals[i].id = id;

    for (uint32_t i = 0; i < g->count; ++i) {
        const plain_portal* p = &g->portals[i];
        assert_true(p->id != VN_NO_NODE);
        const live_node* node = &copy->nodes[p->id];
        assert_memory_equal(&node->point, &p->point, sizeof p->point);
        uint32_t degree = 0;
        for (uint32_t k = 0; k < g->count; ++k) {
            const plain_portal* q = &g->portals[k];
            if (k == i || (q->boxes[0] != p->boxes[0] && q->boxes[0] != p->boxes[1] &&
                           q->boxes[1] != p->boxes[0] && q->boxes[1] != p->boxes[1]))
                continue;
            ++degree;
            assert_true(has_edge(node, q->id, vni_distance(p->point, q->point)));
        }
        assert_int_equal(node->count, degree);
    }
}

/// Does the straight segment pass the portal? In double, with a tolerance.
static bool passes(const plain_portal* p, vn_point a, vn_point b) {
    const double from[3] = {a.x, a.y, a.z}, to[3] = {b.x, b.y, b.z};
    const double t = (1024.0 * p->low[p->axis] - from[p->axis]) / (to[p->axis] - from[p->axis]);
    for (int i = 0; i < 3; ++i) {
        const double at = (from[i] + t * (to[i] - from[i])) / 1024;
        if (at < p->low[i] - 1e-9 || at > p->low[i] + p->size[i] + 1e-9)
            return false;
    }
    return true;
}

/// Boxes are nodes: the same centres, and an edge exactly between two that share a face, straight where that
/// passes the face, else over its middle.
static void check_centres(plain_graph* g, const live_copy* copy, const vni_slot_version* version) {
    assert_int_equal(live_count(copy), g->boxes.count);
    g->box_ids = calloc(g->boxes.count + 1, sizeof *g->box_ids);
    uint32_t* degrees = calloc(g->boxes.count + 1, sizeof *degrees);
    for (uint32_t i = 0; i < g->boxes.count; ++i) {
        const vni_box* box = &g->boxes.items[i];
        const uint32_t slot = vni_live_find(version, vni_box_low(box));
        assert_true(slot != VNI_NO_SLOT);
        assert_true(vni_box_equals(&vni_live_box_at(version, slot)->box, box));
        g->box_ids[i] = slot + VN_FIRST_NODE;
    }

    for (uint32_t i = 0; i < g->count; ++i) {
        const plain_portal* p = &g->portals[i];
        const live_node *a = &copy->nodes[g->box_ids[p->boxes[0]]],
                        *b = &copy->nodes[g->box_ids[p->boxes[1]]];
        const double over = vni_distance(a->point, p->point) + vni_distance(p->point, b->point);
        double cost = -1;
        for (uint32_t k = 0; k < a->count; ++k)
            if (a->edges[k].to == g->box_ids[p->boxes[1]])
                cost = a->edges[k].cost;
        assert_true(cost == (passes(p, a->point, b->point) ? vni_distance(a->point, b->point) : over));
        assert_true(has_edge(b, g->box_ids[p->boxes[0]], cost));
        ++degrees[p->boxes[0]];
        ++degrees[p->boxes[1]];
    }

    for (uint32_t i = 0; i < g->boxes.count; ++i)
        assert_int_equal(copy->nodes[g->box_ids[i]].count, degrees[i]);
    free(degrees);
}

/// Nodes that are in both versions, by key and point, have the same id.
static void check_names(const live_copy* before, const live_copy* now) {
    for (uint32_t i = 0; i < before->limit; ++i) {
        const live_node* a = &before->nodes[i];
        if (!a->exists || (i < now->limit && now->nodes[i].exists && now->nodes[i].key == a->key))
            continue;
        for (uint32_t k = 0; k < now->limit; ++k) {
            const live_node* b = &now->nodes[k];
            if (b->exists && b->key == a->key)
                assert_memory_not_equal(&a->point, &b->point, sizeof a->point);
        }
    }
}

static void replay(const live_test* t, const vni_slot_version* version, vni_boxes_graph kind,
                   live_copy* before, const live_copy* now) {
    const vni_boxes_delta* delta;
    assert_int_equal(vni_live_boxes_hold(t->live, t->version, &delta), VN_OK);
    const vn_node_changes changes = vni_boxes_delta_nodes(delta, kind);
    assert_true(changes.version == t->version);

    vni_boxes_view view;
    vni_boxes_view_make(version, t->space->occupancy.dims, NULL, kind, NULL, &view);
    const vn_graph graph = vni_boxes_view_graph(&view);
    live_copy_replay(before, &changes, &graph);
    live_copy_compare(before, now);
    vni_live_boxes_release(t->live, delta);
}

static void versions_and_deltas_equal_a_fresh_build(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("live boxes", 700));
    for (uint32_t round = 0; round < vnt_scale(60, 300); ++round) {
        live_test t = begin(&rng, round % 4 == 0 ? 24 : 14);
        const vni_slot_version* version = vni_live_boxes_pin(t.live);
        live_copy before[2] = {copy_graph(&t, version, VNI_BOXES_CENTRES),
                               copy_graph(&t, version, VNI_BOXES_TRANSITIONS)};
        for (uint32_t step = 0; step < vnt_scale(10, 340); ++step) {
            live_scene_change(&t.scene, &rng);
            live_scene_update(&t.scene);
            assert_int_equal(advance(&t), VN_OK);
            vni_live_boxes_unpin(t.live, version);
            version = vni_live_boxes_pin(t.live);

            live_copy centres = copy_graph(&t, version, VNI_BOXES_CENTRES);
            live_copy transitions = copy_graph(&t, version, VNI_BOXES_TRANSITIONS);
            plain_graph plain = plain_make(&t);
            check_transitions(&plain, &transitions);
            check_centres(&plain, &centres, version);
            check_names(&before[0], &centres);
            check_names(&before[1], &transitions);
            replay(&t, version, VNI_BOXES_CENTRES, &before[0], &centres);
            replay(&t, version, VNI_BOXES_TRANSITIONS, &before[1], &transitions);

            plain_free(&plain);
            live_copy_free(&before[0]);
            live_copy_free(&before[1]);
            before[0] = centres;
            before[1] = transitions;
        }

        live_copy_free(&before[0]);
        live_copy_free(&before[1]);
        vni_live_boxes_unpin(t.live, version);
        end(&t);
    }
}

// ---------- pins

static void a_pinned_version_stays_as_it_was(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("live pins", 701));
    live_test t = begin(&rng, 20);
    enum { PINS = 5 };
    const vni_slot_version* pins[PINS];
    live_copy copies[PINS];
    for (int i = 0; i < PINS; ++i) {
        live_scene_change(&t.scene, &rng);
        live_scene_update(&t.scene);
        assert_int_equal(advance(&t), VN_OK);
        pins[i] = vni_live_boxes_pin(t.live);
        copies[i] = copy_graph(&t, pins[i], VNI_BOXES_TRANSITIONS);
    }

    for (uint32_t step = 0; step < vnt_scale(30, 300); ++step) {
        live_scene_change(&t.scene, &rng);
        live_scene_update(&t.scene);
        assert_int_equal(advance(&t), VN_OK);
        if (step % 10 != 9)
            continue;
        for (int i = 0; i < PINS; ++i) {
            live_copy again = copy_graph(&t, pins[i], VNI_BOXES_TRANSITIONS);
            live_copy_compare(&copies[i], &again);
            live_copy_free(&again);
        }
    }

    for (int i = 0; i < PINS; ++i) {
        live_copy_free(&copies[i]);
        vni_live_boxes_unpin(t.live, pins[i]);
    }
    end(&t);
}

static void a_delta_beyond_the_ring_is_stale(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("live ring", 702));
    live_test t = begin(&rng, 12);
    const vni_boxes_delta *delta, *held;
    assert_int_equal(vni_live_boxes_hold(t.live, 1, &delta), VN_BAD_ARGUMENT); // the first has none
    for (int i = 0; i < 3; ++i)
        assert_int_equal(advance(&t), VN_OK);
    assert_int_equal(vni_live_boxes_hold(t.live, 2, &held), VN_OK);
    for (int i = 0; i < 3; ++i)
        assert_int_equal(advance(&t), VN_OK);

    // versions up to 7, of which the ring has 4, 5, 6, 7
    assert_int_equal(vni_live_boxes_hold(t.live, 2, &delta), VN_STALE);
    assert_int_equal(vni_live_boxes_hold(t.live, 3, &delta), VN_STALE);
    assert_int_equal(vni_live_boxes_hold(t.live, 8, &delta), VN_BAD_ARGUMENT);
    assert_int_equal(vni_live_boxes_hold(t.live, 4, &delta), VN_OK);
    assert_int_equal(held->item.version, 2); // held, so it stays
    vni_live_boxes_release(t.live, delta);
    vni_live_boxes_release(t.live, held);
    end(&t);
}

// ---------- ends and costs

/// A random box of a version, which has one.
static uint32_t random_box(vni_rng* rng, const vni_slot_version* version) {
    uint32_t slot;
    do
        slot = vni_rng_below(rng, version->arrays[VNI_LIVE_BOXES].limit);
    while (!vni_live_has_box(version, slot));
    return slot;
}

static void ends_are_joined_with_their_box(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("live ends", 703));
    for (uint32_t round = 0; round < vnt_scale(30, 300); ++round) {
        live_test t = begin(&rng, 14);
        const vni_slot_version* version = vni_live_boxes_pin(t.live);
        const uint32_t boxes = version->arrays[VNI_LIVE_BOXES].live;
        for (int kind = 0; boxes > 0 && kind < VNI_BOXES_GRAPHS; ++kind) {
            vni_boxes_view view;
            vni_boxes_view_make(version, t.space->occupancy.dims, &t.space->occupancy, (vni_boxes_graph)kind,
                                NULL, &view);
            const uint32_t a = random_box(&rng, version),
                           b = vni_rng_below(&rng, 3) ? random_box(&rng, version) : a;
            const vni_box *box_a = &vni_live_box_at(version, a)->box,
                          *box_b = &vni_live_box_at(version, b)->box;
            const vn_point start = vni_box_middle(box_a->low, box_a->high),
                           goal = {1024 * box_b->low[0], 1024 * box_b->low[1], 1024 * box_b->low[2]};
            assert_true(vni_boxes_view_set_end(&view, 0, start, vni_box_low(box_a)));
            assert_true(vni_boxes_view_set_end(&view, 1, goal, vni_box_low(box_b)));

            // every edge of an end has its reverse, with the same cost, and ends of one box are joined
            const vn_graph graph = vni_boxes_view_graph(&view);
            live_node node = {0}, other = {0};
            for (uint32_t end_id = 0; end_id < 2; ++end_id) {
                const uint32_t slot = end_id ? b : a;
                live_copy_edges(&graph, end_id, &node);
                const uint32_t own = kind == VNI_BOXES_CENTRES ? 1 : vni_live_box_at(version, slot)->count;
                assert_int_equal(node.count, own + (a == b));
                for (uint32_t i = 0; i < node.count; ++i) {
                    live_copy_edges(&graph, node.edges[i].to, &other);
                    assert_true(has_edge(&other, end_id, node.edges[i].cost));
                }
            }

            // a box that is not there: the end is gone
            assert_false(vni_boxes_view_set_end(&view, 1, goal, (vn_voxel){-5, 0, 0}));
            live_copy_edges(&graph, VN_GOAL_NODE, &node);
            assert_int_equal(node.count, 0);
            free(node.edges);
            free(other.edges);
        }
        vni_live_boxes_unpin(t.live, version);
        end(&t);
    }
}

/// Where costs change, exactly the nodes with an edge in a box that touches the region are listed.
static void costs_are_changes_by_node(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("live costs", 704));
    for (uint32_t round = 0; round < vnt_scale(30, 300); ++round) {
        live_test t = begin(&rng, 16);
        vni_box region;
        for (int i = 0; i < 3; ++i) {
            region.low[i] = vni_rng_range(&rng, -1, t.space->occupancy.dims[i]);
            region.high[i] = region.low[i] + vni_rng_range(&rng, 0, 4);
        }

        const vni_box_changes changes = {.costs = &region, .cost_count = 1};
        const vni_boxes_source source = vni_cells_source(&t.space->cells);
        assert_int_equal(vni_live_boxes_advance(t.live, ++t.version, &changes, &source, NULL), VN_OK);
        const vni_slot_version* version = vni_live_boxes_pin(t.live);
        const vni_boxes_delta* delta;
        assert_int_equal(vni_live_boxes_hold(t.live, t.version, &delta), VN_OK);
        const vn_node_changes nodes = vni_boxes_delta_nodes(delta, VNI_BOXES_TRANSITIONS);
        assert_int_equal(nodes.came_count + nodes.went_count, 0);
        for (uint32_t i = 0; i < version->arrays[VNI_LIVE_PORTALS].limit; ++i) {
            if (!vni_live_has_portal(version, i))
                continue;
            const vni_live_portal* p = vni_live_portal_at(version, i);
            bool expected = false, found = false;
            for (int side = 0; side < 2; ++side) {
                const vni_box* box = &vni_live_box_at(version, p->boxes[side])->box;
                bool touches = true;
                for (int k = 0; k < 3; ++k)
                    touches = touches && box->low[k] <= region.high[k] && region.low[k] <= box->high[k];
                expected = expected || touches;
            }
            for (uint32_t k = 0; k < nodes.changed_count; ++k)
                found = found || nodes.changed[k] == i + VN_FIRST_NODE;
            assert_int_equal(found, expected);
        }
        vni_live_boxes_release(t.live, delta);
        vni_live_boxes_unpin(t.live, version);
        end(&t);
    }
}

// ---------- memory

/// Advances with the first, second, third ... allocation failing, until none does: the last version stays
/// meanwhile. Returns how many have failed.
static uint32_t fail_each(live_test* t, vnt_memory* memory) {
    live_copy before = {0};
    const vni_slot_version* version = vni_live_boxes_pin(t->live);
    if (version != NULL)
        before = copy_graph(t, version, VNI_BOXES_TRANSITIONS);

    uint32_t failures = 0;
    for (uint64_t k = 0;; ++k) {
        memory->fail_at = memory->calls + k;
        const vn_status status = advance(t);
        memory->fail_at = UINT64_MAX;
        if (status == VN_OK)
            break;

        assert_int_equal(status, VN_OUT_OF_MEMORY);
        ++failures;
        const vni_slot_version* same = vni_live_boxes_pin(t->live);
        assert_ptr_equal(same, version);
        if (version != NULL) {
            live_copy again = copy_graph(t, version, VNI_BOXES_TRANSITIONS);
            live_copy_compare(&before, &again);
            live_copy_free(&again);
            vni_live_boxes_unpin(t->live, same);
        }
    }

    if (version != NULL)
        vni_live_boxes_unpin(t->live, version);
    live_copy_free(&before);
    return failures;
}

static void without_memory_the_last_version_stays(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("live memory", 705));
    vnt_memory memory = vnt_memory_make();
    live_test t = {0};
    t.scene = live_scene_make(&rng, 12, NULL);
    t.allocator = vnt_memory_allocator(&memory);

    // making fails at each allocation
    vn_status status = VN_OUT_OF_MEMORY;
    for (uint64_t k = 0; status != VN_OK; ++k) {
        memory.fail_at = memory.calls + k;
        status = make_live(&t);
        if (status != VN_OK)
            assert_int_equal(memory.live_blocks, 0);
    }

    memory.fail_at = UINT64_MAX;
    uint32_t failures = 0;
    for (int step = 0; step < 6; ++step) {
        if (step > 0) {
            live_scene_change(&t.scene, &rng);
            live_scene_update(&t.scene);
        }
        failures += fail_each(&t, &memory);

        const vni_slot_version* version = vni_live_boxes_pin(t.live);
        live_copy now = copy_graph(&t, version, VNI_BOXES_TRANSITIONS);
        plain_graph plain = plain_make(&t);
        check_transitions(&plain, &now);
        plain_free(&plain);
        live_copy_free(&now);
        vni_live_boxes_unpin(t.live, version);
    }

    assert_true(failures > 20);
    end(&t);
    assert_int_equal(memory.live_blocks, 0);
    assert_false(memory.mismatch);
}

static void what_does_not_fit_is_refused(void** state) {
    (void)state;
    vni_live_boxes* live;
    vn_detail detail = {0};
    const vni_live_boxes_def def = {
        .allocator = vn_default_allocator(), .dims = {2000, 2000, 400}, .history = 1, .graphs = 3};
    assert_int_equal(vni_live_boxes_make(&def, &live, &detail), VN_TOO_LARGE);
    assert_null(live);

    // a box that went and was not there
    vni_rng rng = vni_rng_make(1);
    live_test t = begin(&rng, 8);
    const vn_voxel_box none = {{0, 0, 0}, {100, 1, 1}};
    const vni_box_changes changes = {.went = &none, .went_count = 1};
    const vni_boxes_source source = vni_cells_source(&t.space->cells);
    assert_int_equal(vni_live_boxes_advance(t.live, 2, &changes, &source, &detail), VN_BAD_DATA);
    end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_and_deltas_equal_a_fresh_build),
        cmocka_unit_test(a_pinned_version_stays_as_it_was),
        cmocka_unit_test(a_delta_beyond_the_ring_is_stale),
        cmocka_unit_test(ends_are_joined_with_their_box),
        cmocka_unit_test(costs_are_changes_by_node),
        cmocka_unit_test(without_memory_the_last_version_stays),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
