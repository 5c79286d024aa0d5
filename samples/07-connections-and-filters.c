/// 07-connections-and-filters: the same request under different conditions: keys, zones, altitude, clearance,
/// connections, kinds of goals.
#include "hall.h"

typedef struct sample {
    const vn_layers* layers;
    vn_query* query;
    int failures;
} sample;

static void find(sample* s, const char* title, const vn_path_request* request, vn_status expected) {
    vn_path_result result;
    vn_detail detail = {0};
    vn_status status = vn_query_find_path(s->query, request, &result, &detail);
    printf("%-34s %-8s %6.2f m, cost %6.2f, %u connections%s%s\n", title, vn_path_status_word(status),
           result.length, result.cost, (unsigned)result.connections_used, detail.text[0] ? ": " : "",
           detail.text);
    s->failures += status != expected;
}

static void find_under_conditions(sample* s) {
    vn_path_request plain = hall_route();
    plain.radius = 0.5f; // too large for the duct
    find(s, "the door is closed", &plain, VN_TOO_NARROW);
    plain.open_flags = HALL_DOOR;
    find(s, "with the key", &plain, VN_OK);

    vn_path_request r = plain;
    const vn_zone watched = {.box = {{17, 0, 0}, {33, 8, 8}}, .factor = 3, .flags = 4};
    r.zones = &watched;
    r.zone_count = 1;
    find(s, "a zone for other agents", &r, VN_OK);
    r.zone_flags = 4;
    find(s, "a zone where a metre costs 3", &r, VN_OK);

    r = plain;
    r.has_limits = true;
    r.limits = (vn_box){{0, 1.5f, 0}, {33, 2.5f, 16}};
    find(s, "at an altitude of 1.5 to 2.5 m", &r, VN_OK);

    r = plain;
    r.preferred_clearance = 1.5f;
    find(s, "1.5 m from walls if possible", &r, VN_OK);

    r = plain;
    r.jitter = 1;
    r.jitter_seed = 7;
    find(s, "another agent, another path", &r, VN_OK);
}

static void find_with_connections(sample* s) {
    vn_path_request r = hall_route();
    r.radius = 0.5f;
    const vn_connection lift = {
        .from = {8, 2, 6}, .to = {28, 2, 6}, .cost = 5, .bidirectional = false, .id = 42};
    r.connections = &lift;
    r.connection_count = 1;
    find(s, "a lift around the closed door", &r, VN_OK);

    uint32_t count;
    const vn_connection_use* uses = vn_query_connections(s->query, &count);
    for (uint32_t i = 0; i < count; ++i)
        printf("    after point %u: connection %u\n", (unsigned)uses[i].point, (unsigned)lift.id);

    vn_dvec3 start = r.start_position;
    r.start_position = r.goal_position;
    r.goal_position = start;
    find(s, "the lift goes one way only", &r, VN_TOO_NARROW);
}

static void find_other_goals(sample* s) {
    vn_path_request r = hall_route();
    r.radius = 0.5f;
    r.open_flags = HALL_DOOR;
    r.goal_kind = VN_GOAL_BOX;
    r.goal_box = (vn_box){{25, 0, 0}, {33, 8, 4}};
    find(s, "anywhere in that corner", &r, VN_OK);

    r.goal_kind = VN_GOAL_SPHERE;
    r.goal_position = (vn_dvec3){23, 2, 8}; // inside the pillar
    r.goal_distance = 3;
    find(s, "within 3 m of the pillar", &r, VN_OK);

    r.goal_kind = VN_GOAL_SIGHT;
    r.goal_position = (vn_dvec3){30, 2, 2};
    r.goal_distance = 20;
    find(s, "where that point is visible", &r, VN_OK);
}

int main(void) {
    // Doors are layers: for each size of agent one with the door closed, one with it open.
    const vn_layer_def layers[3] = {{0, 0}, {0.5f, 0}, {0.5f, HALL_DOOR}};
    const vn_space_def def = hall_space_def();
    const vn_query_def query_def = vn_default_query_def();
    vn_world* world = NULL;
    vn_layers* baked = NULL;
    sample s = {NULL, NULL, 0};

    vn_status status = hall_world(true, &world);
    if (status == VN_OK)
        status = vn_layers_bake(world, &def, layers, 3, &baked, NULL);
    if (status == VN_OK)
        status = vn_query_create_layers(baked, &query_def, &s.query, NULL);
    if (status == VN_OK) {
        s.layers = baked;
        find_under_conditions(&s);
        find_with_connections(&s);
        find_other_goals(&s);
    }

    vn_query_destroy(s.query);
    vn_layers_destroy(baked);
    vn_world_destroy(world);
    return status == VN_OK && s.failures == 0 ? 0 : 1;
}
