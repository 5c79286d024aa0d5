/// bench/live.c: what deltas by node add to an update: a box of 8 x 8 x 8 voxels that moves by up to three
/// voxels, in navs without history, with changes, and with the graph cells-portal, which take turns; the last
/// one has a reader that goes on to each version, whose time is listed beside that of the update. Then how
/// many unchanged portals get another id when the box moves by a voxel. Map: Full1 if VN_DATA names the
/// folder that holds warframe/, else VN_BENCH_MAP or a generated space.
#include "bench.h"

#include "live/boxes.h"
#include "live/cells.h"
#include "live/compare.h"
#include "view/portals.h"

enum { CONTENDERS = 4, MOVES = 3000, STEPS = 20, SIDE = 8, SHIFTS = 200 };

typedef struct contender {
    const char* name;
    uint32_t history, graphs;
    vn_nav* nav;
    vn_obstacle_id box;
    bool reads;
    vn_nav_graph* graph; ///< null: it does not
    double* seconds;
    double* reading;              ///< of these: the reader's
    uint64_t came, went, changed; ///< nodes, by the deltas that were read
} contender;

static int by_value(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

static vn_shape box_shape(void) {
    const float half = SIDE / 2.0f;
    return (vn_shape){.kind = VN_SHAPE_BOX, .as.box = {{-half, -half, -half}, {half, half, half}}};
}

static void make(contender* c) {
    vn_detail detail = {0};
    vn_nav_def def = vn_default_nav_def();
    vn_world* world = vnb_world(256, 400, 3, &def.space);
    if (!def.space.has_bounds) {
        def.space.has_bounds = true;
        vn_world_get_bounds(world, &def.space.bounds);
    }

    def.history = c->history;
    def.graphs = c->graphs;
    vnb_must(vn_nav_create(world, &def, &c->nav, &detail), &detail);
    const vn_shape box = box_shape();
    vn_transform far = vn_transform_identity();
    far.position = (vn_vec3){-1000, -1000, -1000};
    vnb_must(vn_nav_add_moving(c->nav, &box, &far, 0, &c->box, &detail), &detail);
    vnb_must(vn_nav_tick(c->nav, &detail), &detail);
    c->seconds = vnb_alloc(MOVES, sizeof *c->seconds);
    c->reading = vnb_alloc(MOVES, sizeof *c->reading);
    const vn_nav_graph_def graph = vn_default_nav_graph_def();
    if (c->reads)
        vnb_must(vn_nav_graph_create(c->nav, &graph, &c->graph, &detail), &detail);
}

static void random_place(const vn_space* space, uint64_t* random, vn_transform* out) {
    vn_point point;
    vnb_must(vn_space_random_point(space, random, &point), NULL);
    const vn_voxel v = vn_space_voxel_at(space, point);
    const double size = (double)space->resolution;
    out->position = (vn_vec3){(float)(space->low.x + v.x * size), (float)(space->low.y + v.y * size),
                              (float)(space->low.z + v.z * size)};
}

static double move(contender* c, const vn_transform* at) {
    const double begin = vnb_seconds();
    vnb_must(vn_nav_move(c->nav, c->box, at, NULL), NULL);
    vnb_must(vn_nav_tick(c->nav, NULL), NULL);
    return vnb_seconds() - begin;
}

/// Goes on to the newest version; the time of that. The deltas are counted beyond it.
static double read_graph(contender* c) {
    if (c->graph == NULL)
        return 0;
    const uint64_t from = vn_nav_graph_version(c->graph);
    const double begin = vnb_seconds();
    vnb_must(vn_nav_graph_advance(c->graph), NULL);
    const double seconds = vnb_seconds() - begin;
    for (uint64_t v = from + 1; v <= vn_nav_graph_version(c->graph); ++v) {
        vn_node_changes changes;
        vnb_must(vn_nav_graph_get_changes(c->graph, v, &changes), NULL);
        c->came += changes.came_count;
        c->went += changes.went_count;
        c->changed += changes.changed_count;
    }
    return seconds;
}

static void measure(contender* contenders) {
    uint64_t random = 5, version;
    vni_rng rng = vni_rng_make(6);
    vn_transform at = vn_transform_identity();
    static vn_transform places[MOVES / STEPS];
    const vn_space* space = vn_nav_pin(contenders[0].nav, 0, 0, &version);
    vnb_print_space(space);
    for (uint32_t i = 0; i < MOVES / STEPS; ++i) {
        places[i] = at;
        random_place(space, &random, &places[i]);
    }

    // no pin from here on: an old version that is held makes updates slower
    vnb_must(vn_nav_unpin(contenders[0].nav, version), NULL);
    for (uint32_t i = 0; i < MOVES; ++i) {
        if (i % STEPS == 0)
            at = places[i / STEPS];
        at.position.x += (float)vni_rng_range(&rng, -3, 3);
        at.position.y += (float)vni_rng_range(&rng, -3, 3);
        at.position.z += (float)vni_rng_range(&rng, -3, 3);
        for (uint32_t turn = 0; turn < CONTENDERS; ++turn) {
            contender* c = &contenders[rotation_at(CONTENDERS, i, turn)];
            c->seconds[i] = move(c, &at);
            c->reading[i] = read_graph(c);
            c->seconds[i] += c->reading[i];
        }
    }

    double base = 0, base_median = 0;
    printf("one box of %d^3, an update (%d of them, thread CPU, taking turns):\n", SIDE, MOVES);
    for (uint32_t k = 0; k < CONTENDERS; ++k) {
        contender* c = &contenders[k];
        double mean = 0, reading = 0;
        for (uint32_t i = 0; i < MOVES; ++i) {
            mean += 1e6 * c->seconds[i] / MOVES;
            reading += 1e6 * c->reading[i] / MOVES;
        }
        qsort(c->seconds, MOVES, sizeof *c->seconds, by_value);
        const double median = 1e6 * c->seconds[MOVES / 2];
        base = k == 0 ? mean : base;
        base_median = k == 0 ? median : base_median;
        vn_memory memory;
        vn_nav_get_memory(c->nav, &memory);
        printf("  %-34s mean %8.1f us, median %8.1f; ratio %.2f (medians %.2f); memory %.0f MB\n", c->name,
               mean, median, mean / base, median / base_median, (double)memory.total / 1e6);
        if (c->graph != NULL)
            printf("    update %.1f us, reader %.1f; nodes a version: %.1f came, %.1f went, %.1f changed\n",
                   mean - reading, reading, (double)c->came / MOVES, (double)c->went / MOVES,
                   (double)c->changed / MOVES);
    }
}

/// The first reader that comes after more versions than are kept.
static void measure_late(contender* c) {
    const vn_nav_graph_def def = vn_default_nav_graph_def();
    vn_nav_graph* graph;
    const double begin = vnb_seconds();
    vnb_must(vn_nav_graph_create(c->nav, &def, &graph, NULL), NULL);
    printf("the first reader after %d versions: %.2f ms\n", MOVES, 1e3 * (vnb_seconds() - begin));
    vn_nav_graph_destroy(graph);
}

// ---------------------------------------------------------------------------------------------------- names

/// Key and number of a portal, in the numbering of view/portals.h.
typedef struct named {
    uint64_t point;
    uint32_t id;
} named;

static int by_point(const void* a, const void* b) {
    const uint64_t x = ((const named*)a)->point, y = ((const named*)b)->point;
    return x < y ? -1 : x > y;
}

static uint64_t pack(vn_point p) {
    return (uint64_t)(uint32_t)(p.x / 512) << 42 | (uint64_t)(uint32_t)(p.y / 512) << 21 |
           (uint64_t)(uint32_t)(p.z / 512);
}

static named* list_static(const vn_space* space, uint32_t* count) {
    const vn_allocator allocator = vn_default_allocator();
    vni_portal_index index;
    vnb_must(vni_portal_index_make(&allocator, &space->cells, &index), NULL);
    named* list = vnb_alloc(index.portal_count + 1, sizeof *list);
    *count = index.portal_count;
    for (uint32_t i = 0; i < *count; ++i)
        list[i] = (named){pack(index.portals[i].point), i};
    vni_portal_index_free(&index);
    qsort(list, *count, sizeof *list, by_point);
    return list;
}

static named* list_live(const vni_slot_version* version, uint32_t* count) {
    const uint32_t limit = version->arrays[VNI_LIVE_PORTALS].limit;
    named* list = vnb_alloc(limit + 1, sizeof *list);
    *count = 0;
    for (uint32_t i = 0; i < limit; ++i) {
        const vni_live_portal* portal = vni_live_portal_at(version, i);
        if (vni_live_has_portal(version, i))
            list[(*count)++] = (named){pack(portal->point), i};
    }
    qsort(list, *count, sizeof *list, by_point);
    return list;
}

/// How many portals of both lists have another number.
static void compare(const named* a, uint32_t a_count, const named* b, uint32_t b_count, uint64_t* same,
                    uint64_t* renamed) {
    for (uint32_t i = 0, k = 0; i < a_count && k < b_count;) {
        if (a[i].point == b[k].point) {
            ++*same;
            *renamed += a[i].id != b[k].id;
        }
        const bool first = a[i].point <= b[k].point, second = b[k].point <= a[i].point;
        i += first;
        k += second;
    }
}

/// Two versions of a space as live boxes, one after the other.
static void follow(vni_live_boxes* live, uint64_t version, const vn_space* before, const vn_space* now) {
    const vn_allocator allocator = vn_default_allocator();
    vni_difference d = {0};
    const bool ok = before == NULL ? vni_list_cells(&allocator, now, &d)
                                   : vni_compare_spaces(&allocator, before, now, &d);
    if (!ok)
        vnb_fail("out of memory");
    const vni_box_changes changes = {d.went, d.came, d.went_count, d.came_count, NULL, 0, false};
    const vni_boxes_source source = vni_cells_source(&now->cells);
    vnb_must(vni_live_boxes_advance(live, version, &changes, &source, NULL), NULL);
    vni_difference_free(&allocator, &d);
}

static void count_names(contender* c, uint32_t shifts) {
    uint64_t random = 9, pinned, now_pinned, same[2] = {0, 0}, renamed[2] = {0, 0};
    vn_transform at = vn_transform_identity();
    const vn_space* before = vn_nav_pin(c->nav, 0, 0, &pinned);
    vni_live_boxes_def def = {.allocator = vn_default_allocator(), .history = 1, .graphs = 3};
    memcpy(def.dims, before->occupancy.dims, sizeof def.dims);
    vni_live_boxes* live;
    vnb_must(vni_live_boxes_make(&def, &live, NULL), NULL);
    follow(live, 1, NULL, before);
    for (uint32_t i = 0; i < shifts; ++i) {
        const vni_slot_version* old = vni_live_boxes_pin(live);
        uint32_t counts[4];
        if (i % 2 == 0)
            random_place(before, &random, &at);
        else
            at.position.x += before->resolution;
        move(c, &at);
        const vn_space* now = vn_nav_pin(c->nav, 0, 0, &now_pinned);
        follow(live, i + 2, before, now);
        const vni_slot_version* version = vni_live_boxes_pin(live);
        if (i % 2 == 1) {
            named* lists[4] = {list_static(before, &counts[0]), list_static(now, &counts[1]),
                               list_live(old, &counts[2]), list_live(version, &counts[3])};
            compare(lists[0], counts[0], lists[1], counts[1], &same[0], &renamed[0]);
            compare(lists[2], counts[2], lists[3], counts[3], &same[1], &renamed[1]);
            for (int k = 0; k < 4; ++k)
                free(lists[k]);
        }
        vni_live_boxes_unpin(live, old);
        vni_live_boxes_unpin(live, version);
        vnb_must(vn_nav_unpin(c->nav, pinned), NULL);
        before = now;
        pinned = now_pinned;
    }

    printf("unchanged portals with another id after a move by a voxel (%u moves): numbered anew %llu of "
           "%llu, live %llu of %llu\n",
           shifts / 2, (unsigned long long)renamed[0], (unsigned long long)same[0],
           (unsigned long long)renamed[1], (unsigned long long)same[1]);
    vnb_must(vn_nav_unpin(c->nav, pinned), NULL);
    vni_live_boxes_free(live);
}

int main(void) {
    const char* data = getenv("VN_DATA");
    if (data != NULL) {
        char path[1000];
        snprintf(path, sizeof path, "%s/warframe/Full1.3dmap", data);
        setenv("VN_BENCH_MAP", path, 1);
    }

    contender contenders[CONTENDERS] = {
        {.name = "without history"},
        {.name = "changes of versions", .history = 16},
        {.name = "and deltas of cells-portal", .history = 16, .graphs = 1u << VN_NAV_CELLS_PORTAL},
        {.name = "and a reader of each version",
         .history = 16,
         .graphs = 1u << VN_NAV_CELLS_PORTAL,
         .reads = true}};
    for (uint32_t i = 0; i < CONTENDERS; ++i)
        make(&contenders[i]);
    measure(contenders);
    measure_late(&contenders[2]);
    count_names(&contenders[0], data != NULL || vnb_map() != NULL ? 6 : SHIFTS);
    for (uint32_t i = 0; i < CONTENDERS; ++i) {
        vn_nav_graph_destroy(contenders[i].graph);
        vn_nav_destroy(contenders[i].nav);
        free(contenders[i].seconds);
        free(contenders[i].reading);
    }
    return 0;
}
