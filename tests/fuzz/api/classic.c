/// tests/fuzz/api/classic.c: calls on volnav/classic.h.
#include "tests/fuzz/api/api.h"
#include "volnav/path.h"
#include <math.h>
#include <string.h>

#define MOST_TARGETS 4

void vnf_drop_classic(vnf_api* api) {
    vn_classic_query_destroy(api->classic_query);
    api->classic_query = NULL;
    vn_classic_destroy(api->classic);
    api->classic = NULL;
}

static bool count_down(void* user, const char* stage, double fraction) {
    uint32_t* left = user;
    VNF_REQUIRE(stage != NULL && fraction >= 0 && fraction <= 1);
    return *left > 0 && (*left)-- > 0;
}

static void build(vnf_api* api) {
    vnf_reader* in = &api->in;
    const vn_space* space = vnf_need_space(api);
    if (space == NULL)
        return;

    vnf_drop_classic(api);
    uint32_t left = vnf_byte(in);
    vn_classic_def def = vn_default_classic_def();
    def.allocator = vnf_heap_allocator(&api->heap);
    def.kind = (vn_classic_kind)vnf_count(in, VN_CLASSIC_KIND_COUNT);
    def.min_depth = vnf_chance(in, 4) ? vnf_count(in, 4) : 0;
    def.max_depth = vnf_chance(in, 4) ? vnf_count(in, 6) : def.max_depth;

    def.split_root = vnf_coin(in);
    if (vnf_chance(in, 8)) {
        def.progress = count_down;
        def.progress_user = &left;
    }

    const vn_status status = vnf_judge(api, vn_classic_build(space, &def, &api->classic, vnf_detail(api)));
    VNF_REQUIRE((status == VN_OK) == (api->classic != NULL));
    VNF_REQUIRE(status != VN_CANCELLED || def.progress != NULL);
}

static vn_classic* need_classic(vnf_api* api) {
    if (api->classic == NULL || api->space == NULL)
        build(api);
    return api->classic;
}

static vn_classic_query* need_query(vnf_api* api) {
    if (need_classic(api) == NULL || api->classic_query != NULL)
        return api->classic_query;

    vn_classic_query_def def = vn_default_classic_query_def();
    def.allocator = vnf_heap_allocator(&api->heap);
    def.max_nodes = vnf_chance(&api->in, 4) ? vnf_count(&api->in, 200) : 0;
    def.max_points = vnf_chance(&api->in, 4) ? vnf_count(&api->in, 30) : 512;
    def.max_targets = vnf_chance(&api->in, 4) ? vnf_count(&api->in, 4) : MOST_TARGETS;
    const vn_status status =
        vnf_judge(api, vn_classic_query_create(api->classic, &def, &api->classic_query, vnf_detail(api)));
    VNF_REQUIRE((status == VN_OK) == (api->classic_query != NULL));
    api->classic_def = def;

    return api->classic_query;
}

// ---------------------------------------------------------------------------------------------- looking

static void op_build(vnf_api* api) {
    build(api);
}

static bool visit_cell(void* user, vn_voxel low, vn_voxel high) {
    VNF_REQUIRE(low.x < high.x && low.y < high.y && low.z < high.z);
    return ++*(uint32_t*)user < 300;
}

static bool visit_box(void* user, vn_voxel low, vn_voxel high, bool in_corridor) {
    VNF_REQUIRE(!in_corridor);
    return visit_cell(user, low, high);
}

static void op_look(vnf_api* api) {
    const vn_classic* classic = need_classic(api);
    if (classic == NULL)
        return;

    const vn_voxel dims = vnf_dims(api->space);
    vn_classic_info info;
    vn_memory memory;
    vn_voxel low, high;
    double distance;
    uint32_t calls = 0;
    vn_classic_get_info(classic, &info);
    vn_classic_get_memory(classic, &memory);
    const vn_voxel from = vnf_voxel(&api->in, dims), to = vnf_voxel(&api->in, dims);
    vn_classic_visit_boxes(classic, from, to, visit_cell, &calls);
    const vn_status status =
        vn_classic_nearest_box(classic, vnf_point(&api->in, dims), &low, &high, &distance);

    VNF_REQUIRE(status == VN_OK || (status == VN_NOT_FOUND && info.cells == 0));
    if (status == VN_OK)
        VNF_REQUIRE(distance >= 0 && vn_space_box_free(api->space, low, high));

    calls = 0;
    if (api->classic_query != NULL) {
        vn_classic_query_visit_expanded(api->classic_query, visit_box, &calls);
        vn_classic_query_get_memory(api->classic_query, &memory);
    }
}

// -------------------------------------------------------------------------------------------- searching

static bool on_pass(void* user, const vn_classic_pass* pass) {
    const vn_space* space = user;
    VNF_REQUIRE((pass->bound >= 1 || pass->bound == 0) && pass->cost >= 0);
    if (pass->point_count > 0)
        VNF_REQUIRE(vn_space_check_path(space, pass->points, pass->point_count, NULL));
    return pass->number < 3;
}

static vn_classic_request request_of(vnf_api* api) {
    vnf_reader* in = &api->in;
    const vn_voxel dims = vnf_dims(api->space);
    vn_classic_request request = vn_default_classic_request();
    request.start = vnf_point(in, dims);
    request.goal = vnf_point(in, dims);
    request.algo = (vn_classic_algo)vnf_count(in, VN_CLASSIC_ALGO_COUNT);
    request.graph = (vn_classic_graph)vnf_count(in, VN_GRAPH_COUNT);
    request.neighbours = vnf_coin(in) ? 26 : 6;
    request.heuristic = (vn_heuristic)vnf_count(in, VN_HEURISTIC_COUNT);
    request.weight = vnf_chance(in, 4) ? 1 + vnf_real(in, 4) : 0;
    request.ara_first = vnf_chance(in, 4) ? 1 + vnf_real(in, 5) : request.ara_first;
    request.ara_step = vnf_chance(in, 4) ? 0.1 + vnf_real(in, 1) : request.ara_step;
    request.refine = vnf_chance(in, 2) ? (vn_refine)vnf_count(in, VN_REFINE_COUNT) : VN_REFINE_DEFAULT;
    request.budget = vnf_chance(in, 4) ? vnf_byte(in) : 0;
    request.snap_distance = vnf_chance(in, 4) ? vnf_real(in, 8) : 0;

    request.check = vnf_coin(in);
    if (vnf_coin(in)) {
        request.on_pass = on_pass;
        request.on_pass_user = api->space;
    }

    request.g_weight = vnf_chance(in, 4) ? vnf_real(in, 1) : request.g_weight;
    request.h_weight = vnf_chance(in, 4) ? vnf_real(in, 1) : request.h_weight;
    request.every_sight = vnf_chance(in, 4);
    return request;
}

/// Sight that is checked for every neighbour finds the same path as sight that is checked when needed.
static void judge_every_sight(const vnf_api* api, vn_classic_query* query, vn_classic_request request,
                              const vn_classic_result* result) {
    vn_classic_result other;
    request.every_sight = !request.every_sight;
    if (vn_classic_supports(api->classic, &request, NULL) != VN_OK)
        return;

    const vn_status status = vn_classic_query_find_path(query, &request, &other, NULL);
    VNF_REQUIRE(status == result->path.status);
    VNF_REQUIRE(other.path.point_count == result->path.point_count);
    VNF_REQUIRE(other.path.length == result->path.length);
    VNF_REQUIRE(other.path.expanded == result->path.expanded);
}

/// The whole graph holds every voxel: then a path exists exactly when the regions are joined.
static void judge_no_path(vnf_api* api, const vn_classic_result* result) {
    vn_space_info info;
    vn_space_get_info(api->space, &info);
    if (info.cells == 0 || result->path.status != VN_OK)
        return;
    VNF_REQUIRE(vn_space_reachable(api->space, result->path.start, result->path.goal));
}

static void op_find(vnf_api* api) {
    vn_classic_query* query = need_query(api);
    if (query == NULL)
        return;

    const vn_classic_request request = request_of(api);
    vn_classic_result result;
    const vn_status able = vn_classic_supports(api->classic, &request, NULL);
    vnf_begin_call(api);
    const vn_status status = vnf_judge_plain(api, vn_classic_query_find_path(query, &request, &result, NULL));
    VNF_REQUIRE(status != VN_OUT_OF_MEMORY && status != VN_BAD_DATA);
    VNF_REQUIRE((able == VN_UNSUPPORTED) == (status == VN_UNSUPPORTED) || able == VN_BAD_ARGUMENT ||
                status == VN_BAD_ARGUMENT);
    uint32_t count;
    const vn_point* points = vn_classic_query_points(query, &count);
    VNF_REQUIRE((status == VN_OK) == (count > 0));

    if (status != VN_OK)
        return;

    VNF_REQUIRE(vn_space_check_path(api->space, points, count, NULL));
    judge_no_path(api, &result);
    if (request.every_sight)
        judge_every_sight(api, query, request, &result);

    vnf_success(api);
}

static void judge_target(const vnf_api* api, const vn_classic_target* target, const vn_point* points,
                         uint32_t count) {
    VNF_REQUIRE((unsigned)target->status < VN_STATUS_COUNT);
    VNF_REQUIRE(target->first_point <= count && target->point_count <= count - target->first_point);
    if (target->status == VN_OK)
        VNF_REQUIRE(vn_space_check_path(api->space, points + target->first_point, target->point_count, NULL));
}

static void op_find_many(vnf_api* api) {
    vn_classic_query* query = need_query(api);
    if (query == NULL)
        return;

    const vn_classic_request request = request_of(api);
    vn_point targets[MOST_TARGETS];
    vn_classic_target out[MOST_TARGETS];
    vn_classic_result total;

    const uint32_t count = vnf_below(&api->in, MOST_TARGETS + 1);
    for (uint32_t i = 0; i < count; ++i)
        targets[i] = vnf_point(&api->in, vnf_dims(api->space));

    const vn_classic_sharing sharing = (vn_classic_sharing)vnf_count(&api->in, VN_SHARING_COUNT);
    vnf_begin_call(api);
    const vn_status status = vnf_judge_plain(
        api, vn_classic_query_find_many(query, &request, targets, count, sharing, out, &total, NULL));
    if (status != VN_OK)
        return;

    uint32_t point_count;
    const vn_point* points = vn_classic_query_points(query, &point_count);
    for (uint32_t i = 0; i < count; ++i)
        judge_target(api, &out[i], points, point_count);

    vnf_success(api);
}

const vnf_operation vnf_classic_operations[] = {
    {"classic: build", op_build}, {"classic: look", op_look},           {"classic: find", op_find},
    {"classic: find", op_find},   {"classic: find many", op_find_many}, {NULL, NULL},
};
