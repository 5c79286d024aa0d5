/// tests/fuzz/api/watch.c: calls on volnav/nav.h: watches, events, pins and statistics. They need a nav, and
/// do nothing without one.
#include "tests/fuzz/api/api.h"
#include <string.h>

static void op_watch(vnf_api* api) {
    vnf_nav* n = &api->nav;
    if (n->nav == NULL || n->watch_count == VNF_WATCHES)
        return;

    vn_point points[8];
    uint32_t count = n->path_count;
    memcpy(points, n->path, sizeof points);
    if (count == 0 || vnf_chance(&api->in, 3)) {
        count = vnf_below(&api->in, 5);
        for (uint32_t i = 0; i < count; ++i)
            points[i] = vnf_point(&api->in, n->dims);
    }

    vn_watch_def def = vn_default_watch_def();
    def.radius = vnf_chance(&api->in, 4) ? vnf_part(&api->in, 2) : 0;
    def.open_flags = vnf_below(&api->in, 4);
    def.horizon = vnf_coin(&api->in) ? 0 : vnf_real(&api->in, 8);
    def.once = vnf_coin(&api->in);
    def.user = n->watch_count;
    const vn_connection_use use = {vnf_below(&api->in, 4), 0, false};
    def.connections = &use;
    def.connection_count = vnf_chance(&api->in, 4) ? 1 : 0;
    vnf_watched* slot = &n->watches[n->watch_count];
    vn_watch_id watch = 0;
    vnf_begin_call(api);
    const vn_status status =
        vnf_judge(api, vn_nav_watch_points(n->nav, points, count, &def, &watch, vnf_detail(api)));

    if (count == 0)
        VNF_REQUIRE(status == VN_BAD_ARGUMENT);

    if (status != VN_OK)
        return;

    VNF_REQUIRE(watch != 0);
    *slot = (vnf_watched){watch, count, false, def.once};
    ++n->watch_count;
    vnf_success(api);
}

static vnf_watched* some_watch(vnf_api* api) {
    vnf_nav* n = &api->nav;
    return n->nav != NULL && n->watch_count > 0 ? &n->watches[vnf_below(&api->in, n->watch_count)] : NULL;
}

static void op_change_watch(vnf_api* api) {
    vnf_watched* watched = some_watch(api);
    if (watched == NULL)
        return;

    vn_nav* nav = api->nav.nav;
    const uint32_t segment = vnf_count(&api->in, 6);
    const vn_status from = vn_nav_watch_advance(nav, watched->watch, segment);
    VNF_REQUIRE(from == VN_OK || from == VN_STALE_ID || from == VN_BAD_ARGUMENT);
    VNF_REQUIRE(from != VN_OK || segment < watched->points);

    const vn_status to = vn_nav_watch_advance_to(nav, watched->watch, vnf_real(&api->in, 16));
    VNF_REQUIRE(to == VN_OK || to == VN_STALE_ID || to == VN_BAD_ARGUMENT);
    const vn_status near_by =
        vn_nav_watch_advance_near(nav, watched->watch, vnf_point(&api->in, api->nav.dims));
    VNF_REQUIRE(near_by == VN_OK || near_by == VN_STALE_ID);
    const vn_status horizon = vn_nav_watch_set_horizon(nav, watched->watch, vnf_real(&api->in, 8));
    VNF_REQUIRE(horizon == VN_OK || horizon == VN_STALE_ID || horizon == VN_BAD_ARGUMENT);
    vn_watch_info info;
    VNF_REQUIRE((vn_nav_get_watch(nav, watched->watch, &info) == VN_OK) == !watched->over);
    VNF_REQUIRE(watched->over || (info.progress >= 0 && info.progress <= info.length && info.distance >= 0));

    const uint64_t version = vnf_coin(&api->in) ? 0 : vnf_count(&api->in, 6);
    const vn_status costs = vn_nav_watch_costs(nav, watched->watch, vnf_below(&api->in, 4), version);
    VNF_REQUIRE((unsigned)costs < VN_STATUS_COUNT);
    if (vnf_chance(&api->in, 4)) {
        const vn_status status = vn_nav_unwatch(nav, watched->watch);
        VNF_REQUIRE(status == (watched->over ? VN_STALE_ID : VN_OK));
        watched->over = true;
    }
}

static void judge_event(vnf_nav* n, const vn_nav_event* event) {
    VNF_REQUIRE(event->kind >= VN_EVENT_VERSION);
    if (event->kind == VN_EVENT_VERSION)
        return;

    bool known = false;
    for (uint32_t i = 0; i < n->watch_count; ++i)
        if (n->watches[i].watch == event->watch) {
            known = true;
            VNF_REQUIRE(event->segment < n->watches[i].points);
            VNF_REQUIRE(!n->watches[i].over && event->user == i);
            n->watches[i].over = n->watches[i].once && event->kind == VN_EVENT_PATH_BLOCKED;
        }

    VNF_REQUIRE(known);
}

static void op_events(vnf_api* api) {
    vn_nav_event event;
    uint32_t left = 1 + vnf_byte(&api->in);
    while (api->nav.nav != NULL && left-- > 0 && vn_nav_next_event(api->nav.nav, &event))
        judge_event(&api->nav, &event);
}

static void op_pin(vnf_api* api) {
    vnf_nav* n = &api->nav;
    const uint32_t slot = vnf_below(&api->in, VNF_PINS);
    if (n->nav == NULL)
        return;

    if (n->pins[slot] != 0) {
        VNF_REQUIRE(vn_nav_unpin(n->nav, n->pins[slot]) == VN_OK);
        n->pins[slot] = 0;
        return;
    }

    const double radius = vnf_chance(&api->in, 4) ? vnf_real(&api->in, 2) : 0;
    uint64_t version = 0;
    const vn_space* space = vn_nav_pin(n->nav, radius, vnf_below(&api->in, 4), &version);
    if (space == NULL)
        return;

    n->pins[slot] = version;
    const vn_status status = vnf_judge(api, vn_space_validate(space, vnf_detail(api)));
    VNF_REQUIRE(status == VN_OK || status == VN_OUT_OF_MEMORY);
}

static void op_look(vnf_api* api) {
    vnf_nav* n = &api->nav;
    if (n->nav == NULL)
        return;

    vn_nav_stats stats;
    vn_nav_get_stats(n->nav, &stats);
    VNF_REQUIRE(stats.versions >= 1 && stats.version >= 1);
    VNF_REQUIRE(vn_nav_unpin(n->nav, UINT64_MAX) == VN_STALE_ID);

    const vn_zone* zones;
    const vn_box* boxes;
    uint32_t zone_count = 0, box_count = 0;
    VNF_REQUIRE(vn_nav_get_zones(n->nav, stats.version, &zones, &zone_count) == VN_OK);
    VNF_REQUIRE(zone_count <= VN_MAX_ZONES);
    const vn_status changes = vn_nav_get_cost_changes(n->nav, stats.version, &boxes, &box_count);
    VNF_REQUIRE(changes == VN_OK || changes == VN_STALE_ID);
    VNF_REQUIRE(vn_nav_get_zones(n->nav, stats.version + 100, &zones, &zone_count) == VN_STALE_ID);
}

const vnf_operation vnf_watch_operations[] = {
    {"nav: watch", op_watch},   {"nav: change watch", op_change_watch},
    {"nav: events", op_events}, {"nav: pin", op_pin},
    {"nav: look", op_look},     {NULL, NULL},
};
