/// tests/fuzz/api/world.c: calls on volnav/world.h.
#include "tests/fuzz/api/api.h"
#include <math.h>
#include <string.h>

/// What must not change when a call is refused.
typedef struct snapshot {
    uint64_t revision, zone_revision, hash;
    uint32_t count;
} snapshot;

static snapshot look(const vn_world* world) {
    const snapshot now = {vn_world_revision(world), vn_world_zone_revision(world), vn_world_hash(world),
                          vn_world_count(world)};
    return now;
}

static void require_same(const vn_world* world, const snapshot* before) {
    const snapshot now = look(world);
    VNF_REQUIRE(now.revision == before->revision && now.zone_revision == before->zone_revision);
    VNF_REQUIRE(now.hash == before->hash && now.count == before->count);
}

void vnf_need_world(vnf_api* api) {
    if (api->world != NULL)
        return;

    vn_world_def def = vn_default_world_def();
    def.allocator = vnf_heap_allocator(&api->heap);
    if (vnf_coin(&api->in))
        def.origin = vnf_dvec(&api->in);

    if (vn_world_create(&def, &api->world) == VN_OK)
        return;

    def.origin = (vn_dvec3){0, 0, 0};
    atomic_store(&api->heap.countdown, 0);
    VNF_REQUIRE(vn_world_create(&def, &api->world) == VN_OK);
}

void vnf_drop_world(vnf_api* api) {
    vn_world_destroy(api->world);
    api->world = NULL;
    memset(api->things, 0, sizeof api->things);
    memset(api->zones, 0, sizeof api->zones);
    api->space_revision = UINT64_MAX;
}

// ---------------------------------------------------------------------------------------------- obstacles

static void keep_thing(vnf_api* api, vn_obstacle_id id, bool moves) {
    vnf_thing* slot = &api->things[api->thing_next++ % VNF_THINGS];
    if (slot->alive)
        VNF_REQUIRE(vn_world_remove(api->world, slot->id) == VN_OK);
    *slot = (vnf_thing){id, true, moves};
}

static void judge_new(vnf_api* api, vn_status status, const snapshot* before, const vn_obstacle_id* id,
                      bool moves) {
    if (status != VN_OK) {
        require_same(api->world, before);
        return;
    }

    vn_obstacle_info info;
    VNF_REQUIRE(vn_world_has(api->world, *id));
    VNF_REQUIRE(vn_world_count(api->world) == before->count + 1);
    VNF_REQUIRE(vn_world_revision(api->world) > before->revision);
    VNF_REQUIRE(vn_world_get_info(api->world, *id, &info) == VN_OK);
    VNF_REQUIRE(info.bounds.min.x <= info.bounds.max.x && info.bounds.min.y <= info.bounds.max.y &&
                info.bounds.min.z <= info.bounds.max.z);
    keep_thing(api, *id, moves);
}

static void op_add(vnf_api* api) {
    vnf_shape_buffer buffer;
    const vn_shape shape = vnf_shape(&api->in, &buffer);
    const snapshot before = look(api->world);
    vn_obstacle_id id = {0};
    const vn_status status = vnf_judge(api, vn_world_add(api->world, &shape, &id, vnf_detail(api)));
    judge_new(api, status, &before, &id, false);
}

static void op_add_moving(vnf_api* api) {
    vnf_shape_buffer buffer;
    const vn_shape shape = vnf_shape(&api->in, &buffer);
    const vn_transform place = vnf_place(&api->in);
    const snapshot before = look(api->world);
    vn_obstacle_id id = {0};
    const vn_status status =
        vnf_judge(api, vn_world_add_moving(api->world, &shape, &place, &id, vnf_detail(api)));
    judge_new(api, status, &before, &id, true);
}

void vnf_add_some(vnf_api* api) {
    if (vnf_coin(&api->in))
        op_add(api);
    else
        op_add_moving(api);
}

static void op_remove(vnf_api* api) {
    vnf_thing other, *thing = vnf_thing_of(&api->in, api->things, &other);
    const snapshot before = look(api->world);
    const vn_status status = vn_world_remove(api->world, thing->id);
    VNF_REQUIRE(status == (thing->alive ? VN_OK : VN_STALE_ID));
    if (status != VN_OK)
        require_same(api->world, &before);

    thing->alive = false;
    VNF_REQUIRE(!vn_world_has(api->world, thing->id));
}

static void op_flags(vnf_api* api) {
    vnf_thing other, *thing = vnf_thing_of(&api->in, api->things, &other);
    const uint32_t flags = vnf_chance(&api->in, 8) ? VN_FLAG_UNKNOWN : vnf_below(&api->in, 4);
    const vn_status status = vn_world_set_flags(api->world, thing->id, flags);
    VNF_REQUIRE(status == (thing->alive ? VN_OK : VN_STALE_ID));
}

/// A move that is refused changes nothing; one that is done gives what adding it there would give.
static void op_move(vnf_api* api) {
    vnf_thing other, *thing = vnf_thing_of(&api->in, api->things, &other);
    const vn_transform place = vnf_place(&api->in);
    const snapshot before = look(api->world);
    const vn_status status = vnf_judge(api, vn_world_move(api->world, thing->id, &place, vnf_detail(api)));
    VNF_REQUIRE(thing->alive == (status != VN_STALE_ID));

    VNF_REQUIRE(status != VN_OUT_OF_MEMORY && (status != VN_OK || thing->moves));
    if (status != VN_OK) {
        require_same(api->world, &before);
        return;
    }

    vn_transform told;
    VNF_REQUIRE(vn_world_get_transform(api->world, thing->id, &told) == VN_OK);
    VNF_REQUIRE(memcmp(&told.position, &place.position, sizeof told.position) == 0);
}

static void op_velocity(vnf_api* api) {
    vnf_thing other, *thing = vnf_thing_of(&api->in, api->things, &other);
    const vn_vec3 velocity = vnf_vec(&api->in);
    vn_vec3 told;
    const vn_status status = vn_world_set_velocity(api->world, thing->id, velocity);

    const bool finite = isfinite(velocity.x) && isfinite(velocity.y) && isfinite(velocity.z);
    if (!thing->alive)
        VNF_REQUIRE(status == VN_STALE_ID);
    else if (thing->moves)
        VNF_REQUIRE(status == (finite ? VN_OK : VN_BAD_ARGUMENT));
    else
        VNF_REQUIRE(status == VN_UNSUPPORTED || status == VN_BAD_ARGUMENT);

    if (status == VN_OK)
        VNF_REQUIRE(vn_world_get_velocity(api->world, thing->id, &told) == VN_OK && told.x == velocity.x);
}

// ------------------------------------------------------------------------------------------------- looking

static void op_query_box(vnf_api* api) {
    vn_obstacle_id ids[VNF_THINGS];
    const vn_box box = vnf_box(&api->in);
    const uint32_t capacity = vnf_below(&api->in, VNF_THINGS + 1);
    uint32_t count = 0, written;
    const vn_status status =
        vn_world_query_box(api->world, &box, capacity > 0 ? ids : NULL, capacity, &count);
    VNF_REQUIRE(status == VN_OK || status == VN_CAPACITY || status == VN_BAD_ARGUMENT);

    if (status == VN_BAD_ARGUMENT)
        return;

    VNF_REQUIRE((status == VN_CAPACITY) == (count > capacity) && count <= vn_world_count(api->world));
    written = count < capacity ? count : capacity;
    for (uint32_t i = 0; i < written; ++i) {
        VNF_REQUIRE(vn_world_has(api->world, ids[i]));
        VNF_REQUIRE(i == 0 || ids[i - 1].index1 < ids[i].index1);
    }
}

static void op_look(vnf_api* api) {
    uint32_t alive = 0;
    for (uint32_t i = 0; i < VNF_THINGS; ++i) {
        vn_obstacle_info info;
        const vnf_thing* thing = &api->things[i];
        VNF_REQUIRE(vn_world_has(api->world, thing->id) == thing->alive);
        VNF_REQUIRE(vn_world_get_info(api->world, thing->id, &info) == (thing->alive ? VN_OK : VN_STALE_ID));
        alive += thing->alive;
    }

    vn_box bounds;
    vn_memory memory;
    VNF_REQUIRE(vn_world_count(api->world) == alive);
    VNF_REQUIRE(vn_world_get_bounds(api->world, &bounds) == (alive > 0));
    vn_world_get_memory(api->world, &memory);
    VNF_REQUIRE(memory.count <= VN_MEMORY_PARTS && memory.total > 0);
}

static void op_draw(vnf_api* api) {
    uint32_t calls = 0;
    const vn_box box = vnf_box(&api->in);
    const vn_draw draw = vnf_draw(&calls, 2000);
    const uint32_t told = vn_world_draw(api->world, vnf_coin(&api->in) ? &box : NULL, &draw);
    VNF_REQUIRE(told == calls && calls <= draw.max_calls);
}

// --------------------------------------------------------------------------------------------------- zones

static void op_add_zone(vnf_api* api) {
    vnf_shape_buffer buffer;
    const vn_zone_def def = vnf_zone_def(&api->in, &buffer);
    const snapshot before = look(api->world);
    vn_zone_id id = {0};

    const vn_status status = vnf_judge(api, vn_world_add_zone(api->world, &def, &id, vnf_detail(api)));
    if (status != VN_OK) {
        require_same(api->world, &before);
        return;
    }

    VNF_REQUIRE(vn_world_revision(api->world) == before.revision &&
                vn_world_zone_revision(api->world) > before.zone_revision);
    vnf_zone_thing* slot = &api->zones[api->zone_next++ % VNF_ZONES];
    if (slot->alive)
        VNF_REQUIRE(vn_world_remove_zone(api->world, slot->id) == VN_OK);

    *slot = (vnf_zone_thing){id, true};
}

static void op_change_zone(vnf_api* api) {
    vnf_zone_thing other, *zone = vnf_zone_of(&api->in, api->zones, &other);
    VNF_REQUIRE(vn_world_has_zone(api->world, zone->id) == zone->alive);
    if (vnf_coin(&api->in)) {
        const vn_transform place = vnf_place(&api->in);
        const snapshot before = look(api->world);
        const vn_status status =
            vnf_judge(api, vn_world_move_zone(api->world, zone->id, &place, vnf_detail(api)));

        VNF_REQUIRE(zone->alive == (status != VN_STALE_ID) && status != VN_OUT_OF_MEMORY);
        if (status != VN_OK)
            require_same(api->world, &before);

        vn_transform told;
        VNF_REQUIRE(vn_world_get_zone_transform(api->world, zone->id, &told) ==
                    (zone->alive ? VN_OK : VN_STALE_ID));
        VNF_REQUIRE(status != VN_OK || told.position.x == place.position.x);
    } else {
        VNF_REQUIRE(vn_world_remove_zone(api->world, zone->id) == (zone->alive ? VN_OK : VN_STALE_ID));
        zone->alive = false;
    }
}

static void op_zones(vnf_api* api) {
    vn_zone zones[VN_MAX_ZONES];
    uint32_t count = 0, alive = 0;
    const uint32_t capacity = vnf_below(&api->in, VN_MAX_ZONES + 1);
    const vn_status status = vn_world_get_zones(api->world, zones, capacity, &count);
    for (uint32_t i = 0; i < VNF_ZONES; ++i)
        alive += api->zones[i].alive;

    VNF_REQUIRE(count == alive && status == (count > capacity ? VN_CAPACITY : VN_OK));
}

const vnf_operation vnf_world_operations[] = {
    {"world: add", op_add},
    {"world: add", op_add},
    {"world: add moving", op_add_moving},
    {"world: remove", op_remove},
    {"world: flags", op_flags},
    {"world: move", op_move},
    {"world: velocity", op_velocity},
    {"world: query box", op_query_box},
    {"world: look", op_look},
    {"world: draw", op_draw},
    {"world: add zone", op_add_zone},
    {"world: change zone", op_change_zone},
    {"world: zones", op_zones},
    {NULL, NULL},
};
