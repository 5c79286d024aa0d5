/// tests/fuzz/fuzz_api.c: bytes become calls on the public headers. Whatever the calls, in whatever order:
/// nothing crashes, no assert fails, results hold, and all memory comes back.
#include "tests/fuzz/api/api.h"
#include "tests/fuzz/probe.h"
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 48

static const vnf_operation* const tables[] = {
    vnf_world_operations, vnf_space_operations, vnf_query_operations, vnf_field_operations,
    vnf_nav_operations,   vnf_watch_operations, vnf_store_operations, vnf_classic_operations,
};
#define TABLES (sizeof tables / sizeof tables[0])

/// The operation with this number over all tables; null: there are not so many.
static const vnf_operation* operation_of(uint32_t number) {
    for (size_t t = 0; t < TABLES; ++t)
        for (const vnf_operation* o = tables[t]; o->name != NULL; ++o)
            if (number-- == 0)
                return o;
    return NULL;
}

static uint32_t operation_count(void) {
    uint32_t count = 0;
    while (operation_of(count) != NULL)
        ++count;
    return count;
}

/// One step in eight gets extreme numbers; one in sixteen meets a failing allocation.
static void run_step(vnf_api* api, uint32_t count) {
    const uint8_t mood = vnf_byte(&api->in);
    const vnf_operation* operation = operation_of(vnf_below(&api->in, count));
    api->in.wild = mood % 8 == 7;
    if (mood / 8 % 16 == 15)
        atomic_store(&api->heap.countdown, 1 + vnf_byte(&api->in));

    vnf_note(operation->name, api->in.wild, atomic_load(&api->heap.countdown));
    operation->run(api);
    atomic_store(&api->heap.countdown, 0);
}

static void drop_all(vnf_api* api) {
    vnf_drop_nav(api);
    vnf_drop_space(api);
    vnf_drop_layers(api);
    vnf_drop_world(api);
    VNF_REQUIRE(atomic_load(&api->heap.live_blocks) == 0 && atomic_load(&api->heap.live_bytes) == 0);
}

/// Accepted: something was done.
static bool accepts(const uint8_t* data, size_t size) {
    vnf_api* api = calloc(1, sizeof *api);
    VNF_REQUIRE(api != NULL);
    api->in = (vnf_reader){data, size, false};
    vnf_need_world(api);
    for (uint32_t shapes = vnf_below(&api->in, 8); shapes > 0; --shapes)
        vnf_add_some(api);

    const uint32_t count = operation_count();
    for (uint32_t i = 0; i < MOST_STEPS && api->in.left > 0; ++i)
        run_step(api, count);

    drop_all(api);
    const bool accepted = api->successes > 0;
    free(api);
    return accepted;
}

const vnf_target vnf_the_target = {"api", accepts, NULL, NULL, 256};
