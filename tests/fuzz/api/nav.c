/// tests/fuzz/api/nav.c: calls on volnav/nav.h: changes, requests and results.
#include "tests/fuzz/api/api.h"
#include <math.h>
#include <string.h>

/// Ticks after which every request must have its result.
#define LAST_TICKS 64

// -------------------------------------------------------------------------------------------------- the nav

static vn_nav_def nav_def(vnf_api* api, bool plain) {
    vnf_reader* in = &api->in;
    vn_nav_def def = vn_default_nav_def();
    def.allocator = vnf_heap_allocator(&api->heap);
    def.space = plain ? vnf_plain_space_def(api) : vnf_space_def(api);
    def.space.has_seed = false;

    def.space.cells = true;
    def.max_requests = 8;
    def.max_points = 64;
    def.max_watches = 4;
    def.mode = (vn_nav_mode)vnf_below(in, 2);
    def.policy = (vn_update_policy)vnf_below(in, 3);

    if (plain)
        return def;

    def.mode = (vn_nav_mode)vnf_count(in, 2);
    def.workers = def.mode == VN_NAV_LOCKSTEP && vnf_chance(in, 16) ? 1 : 0;
    def.latency = vnf_chance(in, 2) ? 1 + vnf_count(in, 4) : 2;
    def.update_interval = vnf_chance(in, 2) ? vnf_count(in, 5) : 4;
    def.layer_count = vnf_layer_defs(api, def.layers);
    def.static_layers = vnf_chance(in, 4) ? vnf_count(in, 8) : 0;
    def.max_requests = vnf_chance(in, 4) ? vnf_count(in, 5) : 8;
    def.max_points = vnf_chance(in, 4) ? vnf_count(in, 10) : 64;
    def.max_watches = vnf_chance(in, 4) ? vnf_count(in, 5) : 4;

    def.budget = vnf_chance(in, 4) ? vnf_byte(in) : 0;
    if (in->wild && vnf_chance(in, 32))
        def.cookie ^= 1;

    return def;
}

/// On success the nav has the world with all its ids.
static void make_nav(vnf_api* api, bool plain) {
    vnf_nav* n = &api->nav;
    vnf_drop_nav(api);
    n->def = nav_def(api, plain);
    const vn_status status = vnf_judge(api, vn_nav_create(api->world, &n->def, &n->nav, vnf_detail(api)));
    VNF_REQUIRE((status == VN_OK) == (n->nav != NULL));

    if (status != VN_OK)
        return;

    n->failures = atomic_load(&api->heap.failures);
    memcpy(n->things, api->things, sizeof n->things);
    memcpy(n->zones, api->zones, sizeof n->zones);
    api->world = NULL;
    vnf_drop_world(api);
    vnf_need_world(api);

    uint64_t version;
    const vn_space* space = vn_nav_pin(n->nav, 0, UINT32_MAX, &version);
    n->dims = space != NULL ? vnf_dims(space) : (vn_voxel){4, 4, 4};
    if (space != NULL)
        VNF_REQUIRE(vn_nav_unpin(n->nav, version) == VN_OK);
}

static vnf_nav* need_nav(vnf_api* api) {
    if (api->nav.nav == NULL)
        make_nav(api, true);
    return api->nav.nav != NULL ? &api->nav : NULL;
}

static void op_create(vnf_api* api) {
    make_nav(api, false);
}

// -------------------------------------------------------------------------------------------------- changes

static vnf_thing* free_slot(vnf_nav* n) {
    for (uint32_t i = 0; i < VNF_THINGS; ++i)
        if (!n->things[i].alive)
            return &n->things[i];
    return NULL;
}

static void op_add(vnf_api* api) {
    vnf_nav* n = need_nav(api);
    vnf_thing* slot = n != NULL ? free_slot(n) : NULL;
    if (slot == NULL)
        return;

    vnf_shape_buffer buffer;
    const vn_shape shape = vnf_shape(&api->in, &buffer);
    const vn_transform place = vnf_place(&api->in);
    const uint32_t flags = vnf_below(&api->in, 4);
    const bool moves = vnf_coin(&api->in);
    vn_obstacle_id id = {0};
    vn_detail* detail = vnf_detail(api);
    const vn_status status =
        vnf_judge(api, moves ? vn_nav_add_moving(n->nav, &shape, &place, flags, &id, detail)
                             : vn_nav_add(n->nav, &shape, flags, &id, detail));

    if (status != VN_OK)
        return;

    VNF_REQUIRE(vn_nav_has(n->nav, id));
    for (uint32_t i = 0; i < VNF_THINGS; ++i)
        VNF_REQUIRE(!n->things[i].alive || n->things[i].id.index1 != id.index1);

    *slot = (vnf_thing){id, true, moves};
}

static void op_move(vnf_api* api) {
    vnf_nav* n = need_nav(api);
    if (n == NULL)
        return;

    vnf_thing other, *thing = vnf_thing_of(&api->in, n->things, &other);
    const vn_transform place = vnf_place(&api->in);
    vn_transform told;
    const vn_status status = vnf_judge(api, vn_nav_move(n->nav, thing->id, &place, vnf_detail(api)));
    VNF_REQUIRE(thing->alive == (status != VN_STALE_ID));

    VNF_REQUIRE(status != VN_OK || thing->moves);
    if (status == VN_OK) {
        VNF_REQUIRE(vn_nav_get_transform(n->nav, thing->id, &told) == VN_OK);
        VNF_REQUIRE(memcmp(&told.position, &place.position, sizeof told.position) == 0);
    }
}

static void op_change(vnf_api* api) {
    vnf_nav* n = need_nav(api);
    if (n == NULL)
        return;

    vnf_thing other, *thing = vnf_thing_of(&api->in, n->things, &other);
    const vn_vec3 velocity = vnf_vec(&api->in);
    VNF_REQUIRE(vn_nav_has(n->nav, thing->id) == thing->alive);
    vnf_begin_call(api);
    const vn_status flags = vnf_judge_plain(api, vn_nav_set_flags(n->nav, thing->id, vnf_below(&api->in, 4)));
    VNF_REQUIRE(thing->alive == (flags != VN_STALE_ID));
    const vn_status moved = vnf_judge_plain(api, vn_nav_set_velocity(n->nav, thing->id, velocity));
    VNF_REQUIRE(thing->alive == (moved != VN_STALE_ID));

    vn_vec3 told;
    if (moved == VN_OK)
        VNF_REQUIRE(vn_nav_get_velocity(n->nav, thing->id, &told) == VN_OK && told.x == velocity.x);
}

/// A few voxels, inside the sets or not; most things are no sensed sets.
static void op_sense(vnf_api* api) {
    vnf_nav* n = need_nav(api);
    if (n == NULL)
        return;

    vnf_thing other[2];
    const vnf_thing *occupied = vnf_thing_of(&api->in, n->things, &other[0]),
                    *unknown = vnf_thing_of(&api->in, n->things, &other[1]);
    vn_voxel voxels[16];
    uint8_t states[16];
    uint32_t outside = 0;
    vn_sense_batch batch = {
        .occupied = occupied->id, .voxels = voxels, .states = states, .count = vnf_below(&api->in, 17)};
    if (vnf_coin(&api->in))
        batch.unknown = unknown->id;
    for (uint32_t i = 0; i < batch.count; ++i) {
        voxels[i] = (vn_voxel){vnf_int(&api->in, 0, 12), vnf_int(&api->in, 0, 12), vnf_int(&api->in, 0, 12)};
        states[i] = (uint8_t)(vnf_byte(&api->in) % (vnf_chance(&api->in, 64) ? 256 : 3));
    }

    const vn_status status = vnf_judge(api, vn_nav_sense(n->nav, &batch, &outside, vnf_detail(api)));
    VNF_REQUIRE(status != VN_OK || (occupied->alive && !occupied->moves && outside <= batch.count));
}

static void op_remove(vnf_api* api) {
    vnf_nav* n = need_nav(api);
    if (n == NULL)
        return;

    vnf_thing other, *thing = vnf_thing_of(&api->in, n->things, &other);
    vnf_begin_call(api);
    const vn_status status = vnf_judge_plain(api, vn_nav_remove(n->nav, thing->id));
    VNF_REQUIRE(thing->alive == (status != VN_STALE_ID));
    VNF_REQUIRE(status == VN_OK || status == VN_STALE_ID || status == VN_OUT_OF_MEMORY);
    thing->alive = thing->alive && status != VN_OK;
    VNF_REQUIRE(vn_nav_has(n->nav, thing->id) == thing->alive);
}

static void op_add_zone(vnf_api* api) {
    vnf_nav* n = need_nav(api);
    if (n == NULL)
        return;

    uint32_t slot = 0;
    while (slot < VNF_ZONES && n->zones[slot].alive)
        ++slot;

    if (slot == VNF_ZONES)
        return;

    vnf_shape_buffer buffer;
    const vn_zone_def def = vnf_zone_def(&api->in, &buffer);
    vn_zone_id id = {0};
    if (vnf_judge(api, vn_nav_add_zone(n->nav, &def, &id, vnf_detail(api))) == VN_OK)
        n->zones[slot] = (vnf_zone_thing){id, true};
}

static void op_change_zone(vnf_api* api) {
    vnf_nav* n = need_nav(api);
    if (n == NULL)
        return;

    vnf_zone_thing other, *zone = vnf_zone_of(&api->in, n->zones, &other);
    VNF_REQUIRE(vn_nav_has_zone(n->nav, zone->id) == zone->alive);
    if (vnf_coin(&api->in)) {
        const vn_transform place = vnf_place(&api->in);
        const vn_status status = vnf_judge(api, vn_nav_move_zone(n->nav, zone->id, &place, vnf_detail(api)));
        VNF_REQUIRE(zone->alive == (status != VN_STALE_ID));
    } else {
        vnf_begin_call(api);
        const vn_status status = vnf_judge_plain(api, vn_nav_remove_zone(n->nav, zone->id));
        VNF_REQUIRE(zone->alive == (status != VN_STALE_ID));
        zone->alive = zone->alive && status != VN_OK;
    }
}

// ------------------------------------------------------------------------------------------------- requests

static void op_submit(vnf_api* api) {
    vnf_nav* n = need_nav(api);
    if (n == NULL || n->submitted_count == VNF_REQUESTS)
        return;

    vnf_submitted* submitted = &n->submitted[n->submitted_count];
    vnf_read_request(&api->in, n->dims, &submitted->own);
    vn_nav_request request = vn_default_nav_request();
    request.path = submitted->own.request;
    request.priority = vnf_int(&api->in, -3, 3);
    request.deadline = vnf_chance(&api->in, 4) ? vnf_count(&api->in, 4) : 0;
    request.user = n->submitted_count;
    vn_request_id id = 0;
    const vn_status status = vnf_judge(api, vn_nav_submit(n->nav, &request, &id, vnf_detail(api)));

    VNF_REQUIRE(status != VN_OK || id != 0);
    if (status == VN_OK) {
        submitted->id = id;
        ++n->submitted_count;
    }
}

static vnf_submitted* some_submitted(vnf_nav* n, vnf_reader* in) {
    return n->submitted_count > 0 ? &n->submitted[vnf_below(in, n->submitted_count)] : NULL;
}

static void op_cancel(vnf_api* api) {
    vnf_nav* n = need_nav(api);
    vnf_submitted* submitted = n != NULL ? some_submitted(n, &api->in) : NULL;
    if (submitted == NULL) {
        VNF_REQUIRE(n == NULL || vn_nav_cancel(n->nav, vnf_bits(&api->in, 8) | 1u << 31) == VN_STALE_ID);
        return;
    }

    const vn_status status = vn_nav_cancel(n->nav, submitted->id);
    VNF_REQUIRE(status == VN_OK || status == VN_STALE_ID);
    if (submitted->collected)
        VNF_REQUIRE(status == VN_STALE_ID);

    submitted->cancelled = submitted->cancelled || status == VN_OK;
}

static void judge_result(vnf_api* api, const vn_nav_result* result) {
    vnf_nav* n = &api->nav;
    VNF_REQUIRE(result->user < n->submitted_count);
    vnf_submitted* submitted = &n->submitted[result->user];
    VNF_REQUIRE(submitted->id == result->id && !submitted->collected);
    VNF_REQUIRE(!submitted->cancelled || result->result.status == VN_CANCELLED);
    submitted->collected = true;

    if (result->result.status == VN_CANCELLED || result->space == NULL) {
        VNF_REQUIRE(result->version == 0 && result->space == NULL);
        VNF_REQUIRE(result->point_count == 0 && result->connection_count == 0);
        return;
    }

    if (result->result.status == VN_OUT_OF_MEMORY)
        return;
    vnf_judge_path(result->space, &submitted->own.request, &result->result, result->points,
                   result->point_count, result->connections, result->connection_count);
    if (result->point_count == 0)
        return;

    vnf_success(api);
    n->path_count = result->point_count < 8 ? result->point_count : 8;
    memcpy(n->path, result->points, n->path_count * sizeof n->path[0]);
}

static void collect(vnf_api* api) {
    vn_nav_result result;
    while (vn_nav_next_result(api->nav.nav, &result)) {
        judge_result(api, &result);
        if (vnf_coin(&api->in)) {
            vn_nav_release_result(api->nav.nav, result.id);
            api->nav.submitted[result.user].released = true;
        }
    }
}

static void op_collect(vnf_api* api) {
    if (need_nav(api) != NULL)
        collect(api);
}

static void op_release(vnf_api* api) {
    vnf_nav* n = need_nav(api);
    vnf_submitted* submitted = n != NULL ? some_submitted(n, &api->in) : NULL;
    if (submitted == NULL)
        return;

    vn_nav_release_result(n->nav, submitted->id); // no effect unless it was collected
    submitted->released = submitted->collected;
}

static void op_tick(vnf_api* api) {
    vnf_nav* n = need_nav(api);
    if (n == NULL)
        return;

    for (uint32_t i = 1 + vnf_below(&api->in, 4); i > 0; --i) {
        const vn_status told = vn_nav_tick(n->nav, vnf_detail(api));
        api->failures_before = n->failures; // in lockstep a tick tells what failed in an earlier one
        const vn_status status = vnf_judge(api, told);
        VNF_REQUIRE(status == VN_OK || status == VN_OUT_OF_MEMORY);
    }

    for (uint32_t i = 0; i < VNF_THINGS; ++i)
        VNF_REQUIRE(vn_nav_has(n->nav, n->things[i].id) == n->things[i].alive);
}

/// Every request gets one result in the end.
static void judge_end(vnf_api* api) {
    vnf_nav* n = &api->nav;
    const uint32_t failures = atomic_load(&api->heap.failures);
    const bool is_slow = n->def.budget > 0 || n->def.latency > LAST_TICKS / 4;
    for (uint32_t i = 0; i < LAST_TICKS; ++i) {
        (void)vn_nav_tick(n->nav, NULL); // memory may fail to the end
        collect(api);
    }

    if (is_slow || atomic_load(&api->heap.failures) != failures)
        return;

    for (uint32_t i = 0; i < n->submitted_count; ++i)
        VNF_REQUIRE(n->submitted[i].collected);
}

void vnf_drop_nav(vnf_api* api) {
    if (api->nav.nav != NULL) {
        atomic_store(&api->heap.countdown, 0);
        if (api->nav.submitted_count > 0)
            judge_end(api);
        vn_nav_destroy(api->nav.nav);
    }

    memset(&api->nav, 0, sizeof api->nav);
}

const vnf_operation vnf_nav_operations[] = {
    {"nav: create", op_create},
    {"nav: add", op_add},
    {"nav: add", op_add},
    {"nav: move", op_move},
    {"nav: move", op_move},
    {"nav: change", op_change},
    {"nav: sense", op_sense},
    {"nav: sense", op_sense},
    {"nav: remove", op_remove},
    {"nav: add zone", op_add_zone},
    {"nav: change zone", op_change_zone},
    {"nav: submit", op_submit},
    {"nav: submit", op_submit},
    {"nav: cancel", op_cancel},
    {"nav: collect", op_collect},
    {"nav: release", op_release},
    {"nav: tick", op_tick},
    {"nav: tick", op_tick},
    {NULL, NULL},
};
