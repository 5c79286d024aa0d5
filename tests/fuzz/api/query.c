/// tests/fuzz/api/query.c: searches: calls on volnav/query.h in any order.
#include "tests/fuzz/api/api.h"
#include "volnav/path.h"
#include <math.h>
#include <string.h>

/// Voxels along an axis up to which the world's checker is exact enough to confirm every path.
#define CHECKED_VOXELS 1e5

// ---------------------------------------------------------------------------------------------- judging

static bool same_point(vn_point a, vn_point b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// The legs between the connections are free, each by itself.
static void judge_legs(const vn_space* space, const vn_point* points, uint32_t count,
                       const vn_connection_use* uses, uint32_t use_count) {
    uint32_t first = 0;
    for (uint32_t i = 0; i <= use_count; ++i) {
        const uint32_t end = i < use_count ? uses[i].point + 1 : count;
        VNF_REQUIRE(first < end && end <= count);
        VNF_REQUIRE(vn_space_check_path(space, points + first, end - first, NULL));
        first = end;
    }
}

void vnf_judge_path(const vn_space* space, const vn_path_request* request, const vn_path_result* result,
                    const vn_point* points, uint32_t count, const vn_connection_use* uses,
                    uint32_t use_count) {
    const bool has_path = result->status == VN_OK || result->status == VN_PARTIAL;
    VNF_REQUIRE((unsigned)result->status < VN_STATUS_COUNT && (unsigned)result->reason < VN_STATUS_COUNT);
    VNF_REQUIRE(result->status != VN_BAD_DATA && result->status != VN_RUNNING);
    VNF_REQUIRE(has_path == (count > 0) && result->point_count == count);
    VNF_REQUIRE(result->connections_used == use_count);

    if (!has_path)
        return;

    judge_legs(space, points, count, uses, use_count);
    for (uint32_t i = 0; i < use_count; ++i)
        VNF_REQUIRE(uses[i].connection < request->connection_count &&
                    (!uses[i].reversed || request->connections[uses[i].connection].bidirectional));

    VNF_REQUIRE(same_point(points[0], result->start));
    VNF_REQUIRE(isfinite(result->length) && result->length >= 0 && !isnan(result->cost));
    VNF_REQUIRE(isfinite(result->fuel) && result->fuel >= 0);
    VNF_REQUIRE(result->fuel == 0 || request->fuel.kind != VN_FUEL_NONE);
    if (result->status == VN_OK && request->goal_kind == VN_GOAL_POINT)
        VNF_REQUIRE(same_point(points[count - 1], result->goal));
    if (result->status == VN_OK && request->goal_kind == VN_GOAL_SIGHT)
        VNF_REQUIRE(vn_space_visible(space, points[count - 1], request->goal));
}

void vnf_judge_world_path(vnf_api* api, const vn_space* space, const vn_point* points, uint32_t count) {
    vn_space_info info;
    vn_space_get_info(space, &info);
    const double far = fabs(info.low.x) + fabs(info.low.y) + fabs(info.low.z);
    if (far > CHECKED_VOXELS * (double)info.resolution)
        return;

    vn_check_result verdict;
    VNF_REQUIRE(vn_world_check_path(api->world, space, points, count, (double)info.radius, &verdict));
}

/// "No path" to a point is right exactly when the space's regions say so.
static void judge_no_path(const vn_space* space, const vn_path_request* request,
                          const vn_path_result* result) {
    vn_space_info info;
    vn_space_get_info(space, &info);
    const bool plain = request->goal_kind == VN_GOAL_POINT && !request->has_limits &&
                       request->connection_count == 0 && request->fuel.max_climbs == 0;
    if (!plain || info.cells == 0)
        return;

    if (result->status == VN_NO_PATH || result->status == VN_TOO_NARROW)
        VNF_REQUIRE(!vn_space_reachable(space, result->start, result->goal));

    if (result->status == VN_OK)
        VNF_REQUIRE(vn_space_reachable(space, result->start, result->goal));
}

static const vn_space* searched_space(const vnf_api* api, const vnf_search* search) {
    return search->on_layers ? vn_layers_find(api->layers, (double)search->last.request.radius,
                                              search->last.request.open_flags)
                             : api->space;
}

static void judge_finished(vnf_api* api, vnf_search* search) {
    uint32_t count, use_count;
    const vn_point* points = vn_query_points(search->query, &count);
    const vn_connection_use* uses = vn_query_connections(search->query, &use_count);
    const vn_space* space = searched_space(api, search);
    VNF_REQUIRE(space != NULL);
    vnf_judge_path(space, &search->last.request, &search->result, points, count, uses, use_count);
    judge_no_path(space, &search->last.request, &search->result);

    if (count == 0 || use_count > 0)
        return;

    vnf_success(api);
    if (!search->on_layers && api->space_revision == vn_world_revision(api->world))
        vnf_judge_world_path(api, space, points, count);
}

/// After a refused request there is no path.
static void judge_refused(const vnf_search* search) {
    uint32_t count, use_count;
    vn_query_points(search->query, &count);
    vn_query_connections(search->query, &use_count);
    VNF_REQUIRE(count == 0 && use_count == 0);
}

// --------------------------------------------------------------------------------------------- requests

static void add_zones(vnf_reader* in, vnf_request* home) {
    vn_path_request* request = &home->request;
    request->zones = home->zones;
    request->zone_count = vnf_below(in, 5);
    request->zone_flags = vnf_below(in, 4);
    for (uint32_t i = 0; i < request->zone_count; ++i)
        home->zones[i] = vnf_zone(in, home->planes);
}

static void add_terms(vnf_reader* in, vnf_request* home) {
    vn_path_request* request = &home->request;
    const uint32_t connections = vnf_below(in, 4);
    for (uint32_t i = 0; i < connections; ++i)
        home->connections[i] = vnf_connection(in);

    request->connections = home->connections;
    request->connection_count = connections;

    request->has_limits = vnf_chance(in, 4);
    request->limits = vnf_box(in);
    request->preferred_clearance = vnf_chance(in, 3) ? vnf_part(in, 4) : 0;
    request->clearance_weight = vnf_part(in, 20);
    request->jitter = vnf_chance(in, 3) ? vnf_part(in, 1) : 0;
    request->jitter_seed = vnf_byte(in);
}

static void add_grid(vnf_reader* in, vn_path_request* request) {
    request->algo = (vn_algo)vnf_count(in, VN_ALGO_COUNT);
    request->heuristic = (vn_heuristic)vnf_count(in, VN_HEURISTIC_COUNT);
    request->neighbours = vnf_coin(in) ? 26 : 6;
    if (in->wild && vnf_chance(in, 8))
        request->neighbours = vnf_byte(in);
}

static void add_fuel(vnf_reader* in, vn_path_request* request) {
    request->fuel = vn_default_fuel_model((vn_fuel_kind)vnf_count(in, VN_FUEL_KIND_COUNT));
    request->fuel.up = vnf_below(in, 3);
    request->fuel.climb = vnf_real(in, 5);
    request->fuel.sink = request->fuel.climb * (double)vnf_part(in, 1);
    request->fuel.avoids_weather = !vnf_chance(in, 4);
    request->fuel.max_climbs = vnf_chance(in, 4) ? vnf_below(in, 5) : 0;
}

void vnf_read_request(vnf_reader* in, vn_voxel dims, vnf_request* out) {
    vn_path_request* request = &out->request;
    memset(out, 0, sizeof *out);
    *request = vn_default_path_request();
    request->start = vnf_point(in, dims);

    request->goal = vnf_point(in, dims);
    if (vnf_chance(in, 3)) {
        request->goal_kind = (vn_goal_kind)vnf_count(in, VN_GOAL_KIND_COUNT);
        request->goal_box = vnf_box(in);
        request->goal_distance = vnf_real(in, 8);
    }

    request->radius = vnf_chance(in, 4) ? vnf_part(in, 2) : 0;
    request->open_flags = vnf_below(in, 4);
    request->quality = (vn_quality)vnf_count(in, VN_QUALITY_COUNT);
    request->refine = vnf_chance(in, 3) ? (vn_refine)vnf_count(in, VN_REFINE_COUNT) : VN_REFINE_DEFAULT;
    request->weight = vnf_chance(in, 4) ? 1 + vnf_real(in, 5) : 0;
    request->budget = vnf_chance(in, 4) ? vnf_byte(in) : 0;
    request->allow_partial = vnf_chance(in, 3);
    request->snap_distance = vnf_chance(in, 3) ? vnf_real(in, 10) : 0;
    request->check = vnf_coin(in);

    if (vnf_chance(in, 3))
        add_zones(in, out);

    if (vnf_chance(in, 3))
        add_terms(in, out);
    else if (vnf_chance(in, 2))
        add_grid(in, request);

    if (vnf_chance(in, 4))
        add_fuel(in, request);

    if (in->wild && vnf_chance(in, 32))
        request->cookie ^= 1;
}

void vnf_copy_request(const vnf_request* from, vnf_request* to) {
    *to = *from;
    for (uint32_t i = 0; i < from->request.zone_count; ++i)
        to->zones[i].planes = to->planes;
    to->request.zones = to->zones;
    to->request.connections = to->connections;
}

// ----------------------------------------------------------------------------------------------- making

void vnf_drop_search(vnf_search* search) {
    vn_query_destroy(search->query);
    memset(search, 0, sizeof *search);
}

void vnf_drop_searches(vnf_api* api, bool on_layers) {
    for (uint32_t i = 0; i < VNF_SEARCHES; ++i)
        if (api->searches[i].query != NULL && api->searches[i].on_layers == on_layers)
            vnf_drop_search(&api->searches[i]);
}

static vn_query_def query_def(vnf_api* api, bool plain) {
    vnf_reader* in = &api->in;
    vn_query_def def = vn_default_query_def();
    def.allocator = vnf_heap_allocator(&api->heap);
    def.scratch = VN_SCRATCH_ALL;
    def.max_points = 256;

    if (plain)
        return def;

    def.scratch = (vn_query_scratch)vnf_count(in, 4);
    def.max_nodes = vnf_chance(in, 3) ? vnf_count(in, 200) : 0;
    def.max_climbs = vnf_chance(in, 3) ? vnf_below(in, 5) : 0;
    def.max_points = vnf_chance(in, 3) ? vnf_count(in, 30) : 256;
    if (in->wild && vnf_chance(in, 32))
        def.cookie ^= 1;

    return def;
}

static void make_search(vnf_api* api, vnf_search* search, bool plain) {
    vnf_drop_search(search);
    const bool on_layers = vnf_chance(&api->in, 3);
    const vn_query_def def = query_def(api, plain);
    if (on_layers ? vnf_need_layers(api) == NULL : vnf_need_space(api) == NULL)
        return;

    vn_detail* detail = vnf_detail(api);
    const vn_status status = on_layers ? vn_query_create_layers(api->layers, &def, &search->query, detail)
                                       : vn_query_create(api->space, &def, &search->query, detail);
    vnf_judge(api, status);
    VNF_REQUIRE((status == VN_OK) == (search->query != NULL));
    search->on_layers = on_layers;
}

/// One of the queries, made if there is none; null if that fails.
static vnf_search* some_search(vnf_api* api) {
    vnf_search* search = &api->searches[vnf_below(&api->in, VNF_SEARCHES)];
    if (search->query == NULL)
        make_search(api, search, true);
    return search->query != NULL ? search : NULL;
}

static vn_voxel search_dims(const vnf_api* api, const vnf_search* search) {
    return vnf_dims(search->on_layers ? vn_layers_space(api->layers, 0) : api->space);
}

static void op_create(vnf_api* api) {
    make_search(api, &api->searches[vnf_below(&api->in, VNF_SEARCHES)], false);
}

// -------------------------------------------------------------------------------------------- searching

static void op_begin(vnf_api* api) {
    vnf_search* search = some_search(api);
    if (search == NULL)
        return;

    vnf_request made;
    vnf_read_request(&api->in, search_dims(api, search), &made);
    const vn_status status = vnf_judge(api, vn_query_begin(search->query, &made.request, vnf_detail(api)));
    VNF_REQUIRE(search->begun == (status == VN_BAD_ORDER));
    if (search->begun)
        return;

    search->finished = false;
    search->begun = search->early = status == VN_OK;
    vnf_copy_request(&made, &search->last);
    if (status != VN_OK)
        judge_refused(search);
}

static void op_step(vnf_api* api) {
    vnf_search* search = some_search(api);
    if (search == NULL)
        return;

    const uint64_t most = vnf_chance(&api->in, 8) ? UINT64_MAX : vnf_byte(&api->in);
    for (uint32_t i = vnf_below(&api->in, 6); i > 0; --i) {
        const vn_status status = vn_query_step(search->query, most);
        VNF_REQUIRE((unsigned)status < VN_STATUS_COUNT);
        VNF_REQUIRE(search->begun == (status != VN_BAD_ORDER));
        search->early = status == VN_RUNNING;
    }
}

static void op_finish(vnf_api* api) {
    vnf_search* search = some_search(api);
    if (search == NULL)
        return;

    vn_path_result result;
    const vn_status status = vn_query_finish(search->query, &result);
    VNF_REQUIRE(search->begun == (status != VN_BAD_ORDER));
    if (!search->begun)
        return;

    VNF_REQUIRE(status == result.status);
    search->result = result;
    search->begun = false;
    search->finished = true;
    judge_finished(api, search);
}

/// The same request twice gives the same result twice.
static void repeat_search(vnf_api* api, vnf_search* search) {
    vn_path_result again;
    const vn_status status = vn_query_find_path(search->query, &search->last.request, &again, NULL);
    VNF_REQUIRE(status == search->result.status);
    VNF_REQUIRE(memcmp(&again.cost, &search->result.cost, sizeof again.cost) == 0);
    VNF_REQUIRE(again.point_count == search->result.point_count);
    VNF_REQUIRE(again.expanded == search->result.expanded);
    search->result = again;
    judge_finished(api, search);
}

static void op_find(vnf_api* api) {
    vnf_search* search = some_search(api);
    if (search == NULL)
        return;

    vnf_request made;
    vnf_read_request(&api->in, search_dims(api, search), &made);
    vn_path_result result;
    vn_detail* detail = vnf_detail(api);
    const vn_status status = vn_query_find_path(search->query, &made.request, &result, detail);
    vnf_judge_plain(api, status);
    VNF_REQUIRE(search->begun == (status == VN_BAD_ORDER));

    if (search->begun)
        return;

    const bool refused = detail->status == status && status != VN_OK; // only begin writes a detail
    search->finished = !refused;
    search->early = false;
    vnf_copy_request(&made, &search->last);

    search->result = result;
    if (refused) {
        judge_refused(search);
        return;
    }

    judge_finished(api, search);
    if (vnf_chance(&api->in, 4))
        repeat_search(api, search);
}

/// Grid and cells agree on whether a path exists.
static void op_compare(vnf_api* api) {
    const vn_space* space = vnf_need_space(api);
    vnf_search* search = &api->searches[0];
    if (space == NULL)
        return;

    if (search->query == NULL || search->on_layers || search->begun)
        make_search(api, search, true);

    if (search->query == NULL || search->on_layers)
        return;

    vn_path_request request = vn_default_path_request();
    request.start = vnf_point(&api->in, vnf_dims(space));
    request.goal = vnf_point(&api->in, vnf_dims(space));
    vn_path_result cells, grid;
    const vn_status one = vn_query_find_path(search->query, &request, &cells, NULL);
    search->finished = false;
    request.algo = VN_ALGO_ASTAR;
    const vn_status two = vn_query_find_path(search->query, &request, &grid, NULL);

    if (one == VN_UNSUPPORTED || two == VN_UNSUPPORTED || one == VN_CAPACITY || two == VN_CAPACITY)
        return;
    VNF_REQUIRE(one == two);
}

// ---------------------------------------------------------------------------------------------- looking

static bool visit_box(void* user, vn_voxel low, vn_voxel high, bool in_corridor) {
    (void)in_corridor;
    VNF_REQUIRE(low.x < high.x && low.y < high.y && low.z < high.z);
    return ++*(uint32_t*)user < 500;
}

static void op_look(vnf_api* api) {
    const vnf_search* search = some_search(api);
    if (search == NULL)
        return;

    uint32_t calls = 0, drawn = 0;
    vn_memory memory;
    const vn_draw draw = vnf_draw(&drawn, vnf_byte(&api->in));
    vn_query_get_memory(search->query, &memory);
    VNF_REQUIRE(memory.total > 0 && memory.count <= VN_MEMORY_PARTS);
    vn_query_visit_expanded(search->query, visit_box, &calls);
    VNF_REQUIRE(vn_query_draw(search->query, &draw) == drawn &&
                (draw.max_calls == 0 || drawn <= draw.max_calls));
}

static void op_names(vnf_api* api) {
    const uint8_t number = vnf_byte(&api->in);
    vn_algo algo;
    vn_refine refine;
    const char* name = vn_algo_name((vn_algo)number);
    VNF_REQUIRE((name != NULL) == (number < VN_ALGO_COUNT));
    VNF_REQUIRE(name == NULL || (vn_algo_from_name(name, &algo) && algo == (vn_algo)number));
    name = vn_refine_name((vn_refine)number);
    VNF_REQUIRE(name == NULL || (vn_refine_from_name(name, &refine) && refine == (vn_refine)number));
    vn_quality quality;
    name = vn_quality_name((vn_quality)number);
    VNF_REQUIRE(name == NULL || (vn_quality_from_name(name, &quality) && quality == (vn_quality)number));
    vn_heuristic heuristic;
    name = vn_heuristic_name((vn_heuristic)number);
    VNF_REQUIRE(name == NULL ||
                (vn_heuristic_from_name(name, &heuristic) && heuristic == (vn_heuristic)number));
    vn_goal_kind goal;
    name = vn_goal_kind_name((vn_goal_kind)number);
    VNF_REQUIRE(name == NULL || (vn_goal_kind_from_name(name, &goal) && goal == (vn_goal_kind)number));
    VNF_REQUIRE(vn_status_word((vn_status)number) != NULL && vn_status_text((vn_status)number) != NULL);
    vn_update_stage_name((vn_update_stage)number);
    vn_classic_kind kind;
    name = vn_classic_kind_name((vn_classic_kind)number);
    VNF_REQUIRE(name == NULL || (vn_classic_kind_from_name(name, &kind) && kind == (vn_classic_kind)number));
    vn_classic_graph graph;
    name = vn_classic_graph_name((vn_classic_graph)number);
    VNF_REQUIRE(name == NULL ||
                (vn_classic_graph_from_name(name, &graph) && graph == (vn_classic_graph)number));
}

// ---------------------------------------------------------------------------------------- fields and
// passages

static void op_passage(vnf_api* api) {
    vnf_search* search = some_search(api);
    if (search == NULL)
        return;

    const vn_voxel dims = search_dims(api, search);
    const vn_point start = vnf_point(&api->in, dims), goal = vnf_point(&api->in, dims);
    const double up_to = vnf_coin(&api->in) ? INFINITY : vnf_real(&api->in, 4);
    const uint64_t budget = vnf_coin(&api->in) ? 0 : vnf_byte(&api->in);
    vn_passage passage;
    const vn_status status =
        vnf_judge(api, vn_query_find_passage(search->query, start, goal, vnf_below(&api->in, 4), up_to,
                                             budget, &passage, vnf_detail(api)));

    VNF_REQUIRE(status == passage.status);
    if (status == VN_OK)
        VNF_REQUIRE(passage.radius >= (double)passage.layer_radius);

    // A search that was running has ended, unless the request was refused before: now it has.
    vn_path_result result;
    if (search->begun)
        vn_query_finish(search->query, &result);

    search->begun = search->finished = false;
}

static vn_field_request field_request(vnf_api* api, vnf_request* home, vn_voxel dims) {
    vnf_read_request(&api->in, dims, home);
    const vn_path_request path = home->request;
    vn_field_request request = vn_default_field_request();
    request.source = path.start;
    request.radius = path.radius;
    request.open_flags = path.open_flags;
    request.zones = path.zones;
    request.zone_count = path.zone_count;
    request.zone_flags = path.zone_flags;
    request.has_limits = path.has_limits;
    request.limits = path.limits;
    request.max_cost = vnf_coin(&api->in) ? 0 : vnf_real(&api->in, 20);
    request.budget = path.budget;

    return request;
}

/// The path to a target is free and costs what the field says.
static void judge_field(vnf_api* api, vnf_search* search, const vn_space* space) {
    const vn_point target = vnf_point(&api->in, vnf_dims(space));
    double cost = -1, random_cost = -1;
    vn_path_result result;
    VNF_REQUIRE(vn_query_field_costs(search->query, &target, 1, &cost) == VN_OK);
    VNF_REQUIRE(cost >= 0);
    const vn_status status = vn_query_field_path(search->query, target, &result);
    VNF_REQUIRE((status == VN_OK) == (cost < INFINITY));
    uint32_t count;
    const vn_point* points = vn_query_points(search->query, &count);

    VNF_REQUIRE((status == VN_OK) == (count > 0));
    if (status == VN_OK)
        VNF_REQUIRE(vn_space_check_path(space, points, count, NULL));

    uint64_t random = vnf_byte(&api->in);
    vn_point point;
    if (vn_query_field_random(search->query, &random, &point, &random_cost) == VN_OK) {
        VNF_REQUIRE(vn_space_point_free(space, point));
        VNF_REQUIRE(vn_query_field_costs(search->query, &point, 1, &cost) == VN_OK && cost == random_cost);
    }
}

static void op_field(vnf_api* api) {
    vnf_search* search = some_search(api);
    if (search == NULL)
        return;

    vnf_request home;
    const vn_field_request request = field_request(api, &home, search_dims(api, search));
    uint64_t cells = 0;
    vnf_begin_call(api);
    const vn_status status =
        vnf_judge_plain(api, vn_query_build_field(search->query, &request, &cells, NULL));
    VNF_REQUIRE(search->begun == (status == VN_BAD_ORDER));

    if (search->begun)
        return;

    search->finished = false;
    if (status != VN_OK && status != VN_BUDGET_SPENT)
        return;

    const vn_space* space = search->on_layers
                                ? vn_layers_find(api->layers, (double)request.radius, request.open_flags)
                                : api->space;
    VNF_REQUIRE(space != NULL);

    vnf_success(api);
    for (int i = 0; i < 3; ++i)
        judge_field(api, search, space);
}

/// Without a field, or after one, in any state.
static void op_field_order(vnf_api* api) {
    const vnf_search* search = some_search(api);
    if (search == NULL)
        return;

    const vn_point target = vnf_point(&api->in, search_dims(api, search));
    double cost;
    vn_path_result result;
    const vn_status one = vn_query_field_costs(search->query, &target, 1, &cost);
    if (!search->begun && search->finished)
        VNF_REQUIRE(one == VN_BAD_ORDER &&
                    vn_query_field_path(search->query, target, &result) == VN_BAD_ORDER);
}

const vnf_operation vnf_query_operations[] = {
    {"query: create", op_create},
    {"query: begin", op_begin},
    {"query: step", op_step},
    {"query: finish", op_finish},
    {"query: find", op_find},
    {"query: find", op_find},
    {"query: find", op_find},
    {"query: compare", op_compare},
    {"query: look", op_look},
    {"query: names", op_names},
    {NULL, NULL},
};

const vnf_operation vnf_field_operations[] = {
    {"query: passage", op_passage},
    {"query: field", op_field},
    {"query: field order", op_field_order},
    {NULL, NULL},
};
