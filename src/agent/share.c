/// agent/share.c: one cost field for many agents with the same goal: the space is searched once, from the
/// goal, and each path is read off.
#include "agent/crowd_inside.h"
#include "base/sort.h"

static int by_number(double a, double b) {
    return (a > b) - (a < b);
}

/// Agents that may share a field side by side; among them by slot.
static int compare_wishes(const void* left, const void* right) {
    const vni_wish *a = left, *b = right;
    if (a->layer != b->layer)
        return a->layer < b->layer ? -1 : 1;
    if (a->zone_flags != b->zone_flags)
        return a->zone_flags < b->zone_flags ? -1 : 1;

    const int orders[] = {by_number(a->snap, b->snap), by_number(a->goal.x, b->goal.x),
                          by_number(a->goal.y, b->goal.y), by_number(a->goal.z, b->goal.z)};
    for (uint32_t i = 0; i < sizeof orders / sizeof *orders; ++i)
        if (orders[i] != 0)
            return orders[i];
    return a->slot < b->slot ? -1 : a->slot > b->slot;
}

static bool may_share(const vni_wish* a, const vni_wish* b) {
    return a->layer == b->layer && a->zone_flags == b->zone_flags && a->snap == b->snap &&
           vni_distance(a->goal, b->goal) == 0;
}

/// Who has been held up asks alone, for another way than the rest.
static bool wants_to_share(const vn_crowd* crowd, const vni_agent* agent) {
    return agent->alive && agent->wants_path && agent->target.kind == VNI_TARGET_POINT &&
           agent->held <= crowd->def.patience && vni_agent_may_ask(agent);
}

static uint32_t gather(vn_crowd* crowd) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < crowd->slots; ++i) {
        const vni_agent* agent = &crowd->agents[i];
        if (wants_to_share(crowd, agent))
            crowd->wishes[count++] = (vni_wish){.goal = agent->goal,
                                                .snap = agent->target.snap,
                                                .layer = agent->layer,
                                                .zone_flags = agent->def.zone_flags,
                                                .slot = i};
    }

    vni_wish spare;
    vni_sort(crowd->wishes, count, sizeof *crowd->wishes, compare_wishes, &spare);
    return count;
}

/// The field leads from the goal to the agent: its path, reversed, is the agent's.
static void read_path(vn_crowd* crowd, vni_agent* agent) {
    const vni_crowd_layer* layer = &crowd->layers[agent->layer];
    vn_path_result result;
    vn_point at;
    uint32_t count;
    if (vn_space_point_from_world(layer->space, agent->motion.position, &at) != VN_OK ||
        vn_query_field_path(crowd->query, at, &result) != VN_OK)
        return;

    const vn_point* points = vn_query_points(crowd->query, &count);
    const uint32_t most = count < crowd->def.max_points ? count : crowd->def.max_points;
    for (uint32_t i = 0; i < most; ++i)
        crowd->reversed[i] = points[count - 1 - i];

    vni_agent_take_path(crowd, agent, crowd->reversed, most, layer->version);
    agent->is_cut = most < count;
    agent->asked_goal = agent->goal;
    crowd->stats.shared += !agent->wants_path;
}

static void share(vn_crowd* crowd, const vni_wish* wishes, uint32_t count) {
    const vn_space* space = crowd->layers[wishes[0].layer].space;
    vn_field_request request = vn_default_field_request();
    const vni_agent* first = &crowd->agents[wishes[0].slot];
    request.radius = first->def.radius;
    request.open_flags = first->def.open_flags;
    request.zone_flags = wishes[0].zone_flags;
    request.budget = crowd->def.budget;

    // A goal that is not free is snapped for each agent by itself.
    if (vn_space_point_from_world(space, wishes[0].goal, &request.source) != VN_OK ||
        !vn_space_point_free(space, request.source) || vni_crowd_use_query(crowd, wishes[0].layer) != VN_OK)
        return;

    const vn_status status = vn_query_build_field(crowd->query, &request, NULL, NULL);
    if (status != VN_OK && status != VN_BUDGET_SPENT)
        return;
    ++crowd->stats.fields;
    for (uint32_t i = 0; i < count; ++i)
        read_path(crowd, &crowd->agents[wishes[i].slot]);
}

void vni_crowd_share(vn_crowd* crowd) {
    const uint32_t count = gather(crowd);
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && may_share(&crowd->wishes[first], &crowd->wishes[end]);)
            ++end;
        if (end - first >= crowd->def.share_from)
            share(crowd, crowd->wishes + first, end - first);
    }
}
