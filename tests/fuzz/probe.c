/// tests/fuzz/probe.c: the requests that every space gets.
#include "tests/fuzz/probe.h"
#include "volnav/path.h"
#include <string.h>

#define REQUESTS 3

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size <= VNF_LARGEST_INPUT)
        vnf_the_target.accepts(data, size);
    return 0;
}

bool vnf_is_small(vn_voxel dims) {
    VNF_REQUIRE(dims.x > 0 && dims.y > 0 && dims.z > 0);
    return (int64_t)dims.x * dims.y <= VNF_SMALL_SPACE &&
           (int64_t)dims.x * dims.y * dims.z <= VNF_SMALL_SPACE;
}

vn_world* vnf_empty_world(vn_dvec3 origin) {
    vn_world_def def = vn_default_world_def();
    def.origin = origin;
    vn_world* world = NULL;
    VNF_REQUIRE(vn_world_create(&def, &world) == VN_OK);
    return world;
}

/// One request; a path must be free.
static void search(const vn_space* space, vn_query* query, const vn_path_request* request) {
    vn_path_result result, again;
    vn_detail detail = {0};
    vn_status status = vn_query_find_path(query, request, &result, &detail);
    VNF_REQUIRE(status == VN_OK || status == VN_NO_PATH);
    uint32_t count;
    const vn_point* points = vn_query_points(query, &count);

    VNF_REQUIRE((status == VN_OK) == (count > 0));
    if (status == VN_OK)
        VNF_REQUIRE(vn_space_check_path(space, points, count, NULL));

    VNF_REQUIRE(vn_query_find_path(query, request, &again, &detail) == status);
    VNF_REQUIRE(memcmp(&result.length, &again.length, sizeof result.length) == 0);
}

static void search_some(const vn_space* space, vn_algo algo) {
    vn_query_def def = vn_default_query_def();
    def.scratch = algo == VN_ALGO_CELLS ? VN_SCRATCH_CELLS : VN_SCRATCH_GRID;
    vn_query* query = NULL;
    vn_detail detail = {0};
    VNF_REQUIRE_OK(vn_query_create(space, &def, &query, &detail), detail);

    uint64_t random = 7;
    for (int i = 0; i < REQUESTS; ++i) {
        vn_path_request request = vn_default_path_request();
        request.algo = algo;
        if (vn_space_random_point(space, &random, &request.start) != VN_OK ||
            vn_space_random_point(space, &random, &request.goal) != VN_OK)
            break;
        search(space, query, &request);
    }

    vn_query_destroy(query);
}

void vnf_probe_space(const vn_space* space) {
    vn_space_info info;
    vn_space_get_info(space, &info);
    if (!vnf_is_small(info.dims))
        return;

    vn_detail detail = {0};
    VNF_REQUIRE_OK(vn_space_validate(space, &detail), detail);
    uint64_t voxels = (uint64_t)info.dims.x * (uint64_t)info.dims.y * (uint64_t)info.dims.z;
    VNF_REQUIRE(info.free_voxels + info.blocked_voxels == voxels);
    if (info.cells > 0)
        search_some(space, VN_ALGO_CELLS);

    search_some(space, VN_ALGO_ASTAR);
}

void vnf_probe_world(const vn_world* world, const vn_space_def* def) {
    vn_space* space = NULL;
    vn_detail detail = {0};
    vn_status status = vn_space_bake(world, def, &space, &detail);
    VNF_REQUIRE(status == VN_OK || status == VN_TOO_LARGE);
    if (status == VN_OK)
        vnf_probe_space(space);

    vn_space_destroy(space);
}
