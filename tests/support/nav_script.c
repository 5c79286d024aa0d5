/// tests/support/nav_script.c: a script of random calls on a nav and its model, and the watchdog over it.
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "cmocka_all.h"
#include "nav_model.h"
#include "shapes.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !defined(_WIN32)
#include <unistd.h>
#endif

/// A call that takes longer than this, in seconds, never ends.
#define LONGEST_CALL 60u

// ------------------------------------------------------------------------------------------------- watchdog

#if !defined(_WIN32)
static const vnt_model* volatile watched;

/// The program ends here, so that what is not safe in a signal handler does no harm.
static void bark(int number) {
    (void)number;
    const vnt_model* m = watched;
    fprintf(stderr, "nav model: VN_SEED=%llu, call %u (%s) does not end (mode %d, workers %u, policy %d)\n",
            (unsigned long long)m->seed, m->step, m->call, (int)m->def.mode, m->def.workers,
            (int)m->def.policy);
    fflush(stderr);
    _exit(3);
}

void vnt_model_watch_over(const vnt_model* m) {
    watched = m;
    signal(SIGALRM, bark);
    alarm(m != NULL ? LONGEST_CALL : 0);
}
#else
void vnt_model_watch_over(const vnt_model* m) {
    (void)m;
}
#endif

// --------------------------------------------------------------------------------------------------- the nav

/// Small spaces: one block, two blocks, or a flat one.
static void choose_space(vnt_model* m, bool tiny) {
    static const float sizes[][3] = {{16, 16, 16}, {20, 12, 18}, {24, 24, 10}, {70, 9, 10}, {40, 30, 30}};
    const uint32_t which = vni_rng_below(&m->rng, tiny ? 3 : 5);
    memcpy(m->size, sizes[which], sizeof m->size);
    const float low = vni_rng_below(&m->rng, 3) == 0 ? -2.5f : 0;
    m->def.space.resolution = vni_rng_below(&m->rng, 4) == 0 ? 2.0f : 1.0f;
    m->def.space.unknown = (vn_unknown_policy)vni_rng_below(&m->rng, 3);
    m->def.space.has_bounds = true;
    m->def.space.bounds =
        (vn_box){vnt_vec(low, low, low), vnt_vec(low + m->size[0], low + m->size[1], low + m->size[2])};
}

static void choose_layers(vnt_model* m) {
    static const vn_layer_def all[] = {{0, 0}, {1, 0}, {0, 1}, {0.5f, 1}, {2, 3}};
    m->def.layer_count = 1 + vni_rng_below(&m->rng, VNT_LAYERS);
    const uint32_t first = vni_rng_below(&m->rng, 5);
    for (uint32_t i = 0; i < m->def.layer_count; ++i)
        m->def.layers[i] = all[(first + i) % 5];

    if (vni_rng_below(&m->rng, 4) == 0)
        m->def.static_layers = 1u << vni_rng_below(&m->rng, m->def.layer_count);
}

static void choose_def(vnt_model* m, const vnt_script* script) {
    m->def = vn_default_nav_def();
    m->def.mode = script->mode;
    m->def.workers = script->workers;
    m->def.slots = script->slots;
    m->def.latency = 1 + vni_rng_below(&m->rng, 3);
    m->def.policy = (vn_update_policy)vni_rng_below(&m->rng, 3);
    m->def.update_interval = 1 + vni_rng_below(&m->rng, 5);
    m->def.max_requests = VNT_REQUESTS;
    m->def.max_watches = VNT_WATCHES;
    m->def.max_points = VNT_POINTS;
    m->def.budget = vni_rng_below(&m->rng, 4) == 0 ? 20 : 0;
    choose_space(m, script->memory != NULL);
    choose_layers(m);
}

/// The model's def for layers that are in order: the bits of its static layers move along.
static vn_nav_def sorted_def(const vnt_model* m, const vn_layers* layers) {
    vn_nav_def def = m->def;
    def.static_layers = 0;
    for (uint32_t i = 0; i < m->def.layer_count; ++i)
        for (uint32_t k = 0; k < vn_layers_count(layers); ++k) {
            vn_space_info info;
            vn_space_get_info(vn_layers_space(layers, k), &info);
            if (info.radius == m->def.layers[i].radius && info.open_flags == m->def.layers[i].open_flags)
                def.static_layers |= (m->def.static_layers >> i & 1u) << k;
        }
    return def;
}

/// Every third nav is made from layers that were baked before.
static vn_status create(vnt_model* m, vn_world* world) {
    if (m->seed % 3 != 0)
        return vn_nav_create(world, &m->def, &m->nav, NULL);

    vn_layers* layers;
    vn_space_def space = m->def.space;
    space.allocator = m->def.allocator;
    vn_status status = vn_layers_bake(world, &space, m->def.layers, m->def.layer_count, &layers, NULL);
    if (status != VN_OK)
        return status;

    const vn_nav_def def = sorted_def(m, layers);
    status = vn_nav_create_baked(world, layers, &def, &m->nav, NULL);
    vn_layers_destroy(layers);
    return status;
}

/// False for want of memory.
static bool make_nav(vnt_model* m) {
    const vn_allocator allocator =
        m->memory != NULL ? vnt_memory_shared_allocator(m->memory) : vn_default_allocator();
    vnt_model_enter(m, "create");
    m->def.allocator = allocator;
    vn_world* world = vnt_model_world(m, &allocator);

    if (world == NULL)
        return false;

    vn_status status = create(m, world);
    if (status == VN_OK)
        return true;

    VNT_REQUIRE(m, vnt_model_excused(m, status) && m->nav == NULL);
    vn_world_destroy(world);
    return false;
}

static void begin_model(vnt_model* m) {
    vnt_snapshot* first = vnt_snapshot_make(m);
    m->first = *first;
    free(first);
    m->first.version = 1;
    m->shown = &m->first;
    m->ring[1 % VNT_SNAPSHOTS] = &m->first;

    m->reported_version = 1;
    for (uint32_t i = 0; i < VNT_TICKS; ++i)
        m->versions_at[i] = 1;
}

static void end_model(vnt_model* m) {
    if (m->takes && m->take->version == m->shown->version)
        vnt_snapshot_free(m->take);

    for (uint32_t i = 0; i < VNT_SNAPSHOTS; ++i)
        if (m->ring[i] != &m->first)
            vnt_snapshot_free(m->ring[i]);

    for (uint32_t i = 0; i < VNT_LAYERS; ++i)
        vn_space_destroy(m->first.spaces[i]);

    vn_world_destroy(m->first.world);
}

// ------------------------------------------------------------------------------------------------- the calls

static void tick(vnt_model* m) {
    vnt_model_tick(m);
    if (vni_rng_below(&m->rng, 6) != 0)
        vnt_model_events(m);
}

static void collect_some(vnt_model* m) {
    const uint32_t most = vni_rng_below(&m->rng, 2 * VNT_REQUESTS);
    for (uint32_t i = 0; i < most && vnt_model_collect(m); ++i) {
    }
}

typedef struct choice {
    uint32_t weight;
    void (*call)(vnt_model* m);
} choice;

static void call_something(vnt_model* m) {
    static const choice choices[] = {{24, tick},
                                     {9, vnt_model_add},
                                     {16, vnt_model_move},
                                     {5, vnt_model_set_flags},
                                     {2, vnt_model_set_velocity},
                                     {6, vnt_model_remove},
                                     {9, vnt_model_sense},
                                     {8, vnt_model_change_zones},
                                     {4, vnt_model_change_wrongly},
                                     {2, vnt_model_look},
                                     {14, vnt_model_submit},
                                     {4, vnt_model_cancel},
                                     {8, collect_some},
                                     {5, vnt_model_release_some},
                                     {6, vnt_model_watch},
                                     {9, vnt_model_change_watch},
                                     {3, vnt_model_pin},
                                     {4, vnt_model_unpin}};
    enum { COUNT = sizeof choices / sizeof *choices };

    uint32_t sum = 0, which = 0;
    for (uint32_t i = 0; i < COUNT; ++i)
        sum += choices[i].weight;

    uint32_t at = vni_rng_below(&m->rng, sum);
    while (at >= choices[which].weight)
        at -= choices[which++].weight;

    choices[which].call(m);
}

/// A few pieces of work in the slots. No random number is drawn: the other calls of the script stay as they
/// are, with slots or without.
static void work_some(vnt_model* m) {
    const uint32_t mixed = (m->step * 2654435761u) >> 16;
    for (uint32_t i = mixed % 4; m->def.slots > 0 && i > 0; --i)
        (void)vn_nav_work(m->nav, (mixed / 4 + i) % m->def.slots);
}

static void run_calls(vnt_model* m, const vnt_script* script) {
    while (m->calls < script->calls) {
        ++m->step;
        if (m->memory != NULL && m->step == script->memory_back_at)
            vnt_memory_restore(m->memory);

        call_something(m);
        work_some(m);
        vnt_model_check_stats(m);
        if (script->settles && vni_rng_below(&m->rng, 60) == 0)
            vnt_model_settle(m);
    }

    if (m->memory != NULL)
        vnt_memory_restore(m->memory);

    vnt_model_settle(m);
    vnt_model_look(m);
}

void vnt_script_add(vnt_model* sums, const vnt_model* m) {
    sums->calls += m->calls;
    sums->ticks += m->ticks;
    sums->versions += m->versions;
    sums->results += m->results;
    sums->paths += m->paths;
    sums->cancelled += m->cancelled;
    sums->blocked += m->blocked;
    sums->freed += m->freed;
    sums->rechecked += m->rechecked;
    sums->cost_events += m->cost_events;
    sums->sensed += m->sensed;
    sums->refused += m->refused;
    sums->compared += m->compared;
    sums->settled += m->settled;
    sums->excuses += m->excuses;
    vnt_mix(&sums->trace, &m->trace, sizeof m->trace);
}

bool vnt_script_run(const vnt_script* script, vnt_model* sums) {
    vnt_model* m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->seed = script->seed;
    m->rng = vni_rng_make(script->seed);
    m->memory = script->memory;
    m->slow_host = script->slow_host;
    choose_def(m, script);

    const bool made = make_nav(m);
    if (made) {
        begin_model(m);
        run_calls(m, script);
        vnt_model_enter(m, "destroy");
        vn_nav_destroy(m->nav);
        end_model(m);
    }

    vnt_model_watch_over(NULL);
    if (sums != NULL)
        vnt_script_add(sums, m);

    free(m);
    return made;
}

void vnt_script_print(const char* name, const vnt_model* sums, uint64_t scripts) {
    fprintf(stderr,
            "%s: %llu scripts, %llu calls (%llu ticks, %llu refused), %llu versions, %llu spaces compared, "
            "%llu results (%llu paths, %llu cancelled), %llu blocked, %llu freed, %llu rechecked, %llu "
            "costs, %llu sensed, %llu out of memory\n",
            name, (unsigned long long)scripts, (unsigned long long)sums->calls,
            (unsigned long long)sums->ticks, (unsigned long long)sums->refused,
            (unsigned long long)sums->versions, (unsigned long long)sums->compared,
            (unsigned long long)sums->results, (unsigned long long)sums->paths,
            (unsigned long long)sums->cancelled, (unsigned long long)sums->blocked,
            (unsigned long long)sums->freed, (unsigned long long)sums->rechecked,
            (unsigned long long)sums->cost_events, (unsigned long long)sums->sensed,
            (unsigned long long)sums->excuses);
}
