/// tests/fuzz/fuzz_scene.c: scenes. What is accepted is a world that can be baked, with zones and connections
/// that a request can use.
#include "apps/volnav/input/scene.h"
#include "tests/fuzz/tool.h"
#include <string.h>

/// Repetitions make a large world of a few bytes: what needs more memory is refused.
#define MOST_BYTES (2u << 20)

/// Requests a path with all zones and connections: refused for a reason, or found.
static void request_path(const vn_world* world, const scene_info* scene) {
    vn_space_def def = vn_default_space_def();
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {12, 12, 12}};
    vn_space* space = NULL;
    vn_query* query = NULL;
    vn_detail detail = {0};
    VNF_REQUIRE_OK(vn_space_bake(world, &def, &space, &detail), detail);

    vn_query_def query_def = vn_default_query_def();
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    request.start = (vn_point){512, 512, 512};
    request.goal = (vn_point){11 * VN_LATTICE + 512, 512, 11 * VN_LATTICE + 512};
    request.zones = scene->zones;
    request.zone_count = scene->zone_count;
    request.connections = scene->connections;
    request.connection_count = scene->connection_count;
    VNF_REQUIRE_OK(vn_query_create(space, &query_def, &query, &detail), detail);
    const vn_status status = vn_query_find_path(query, &request, &result, &detail);
    VNF_REQUIRE(status != VN_BAD_ARGUMENT && status != VN_BAD_DEF && status != VN_UNSUPPORTED);
    vn_query_destroy(query);
    vn_space_destroy(space);
}

static bool accepts(const uint8_t* data, size_t size) {
    static scene_info scene;
    const import_options meshes = {.scale = 1, .up = 'y'};
    say_warnings warnings = {.quiet = true};
    import_report report = {0};
    vn_world_def def = vn_default_world_def();
    vnf_purse purse = {MOST_BYTES, 0};
    def.allocator = vnf_purse_allocator(&purse);
    vn_world* world = NULL;
    VNF_REQUIRE(vn_world_create(&def, &world) == VN_OK);

    memset(&scene, 0, sizeof scene);
    vnf_tool_forget_message();
    const char* path = vnf_tool_file(".scene", data, size);
    const int code = scene_read(world, path, &meshes, &warnings, &report, &scene);

    VNF_REQUIRE(code == EXIT_DONE || (code == EXIT_BAD && vnf_tool_message()[0] != '\0'));
    if (code == EXIT_DONE)
        request_path(world, &scene);

    scene_free(&scene);
    say_free_warnings(&warnings);
    vn_world_destroy(world);
    VNF_REQUIRE(purse.live == 0);
    return code == EXIT_DONE;
}

const vnf_target vnf_the_target = {"scene", accepts, NULL, NULL, 0};
