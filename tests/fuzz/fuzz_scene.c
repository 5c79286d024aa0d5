/// tests/fuzz/fuzz_scene.c: scenes. What is accepted is a world that can be baked, with zones and connections
/// that a request can use.
#include "tests/fuzz/probe.h"
#include "volnav/io.h"

/// Repetitions make a large world of a few bytes: what needs more memory is refused.
#define MOST_BYTES (2u << 20)

/// Requests a path with all zones and connections: refused for a reason, or found.
static void request_path(const vn_scene_text* scene) {
    vn_space_def def = vn_default_space_def();
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {12, 12, 12}};
    vn_space* space = NULL;
    vn_query* query = NULL;
    vn_detail detail = {0};
    VNF_REQUIRE_OK(vn_space_bake(scene->world, &def, &space, &detail), detail);

    vn_query_def query_def = vn_default_query_def();
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    request.start = (vn_point){512, 512, 512};
    request.goal = (vn_point){11 * VN_LATTICE + 512, 512, 11 * VN_LATTICE + 512};
    vn_zone zones[VN_MAX_ZONES];
    VNF_REQUIRE(vn_world_get_zones(scene->world, zones, VN_MAX_ZONES, &request.zone_count) == VN_OK);
    request.zones = zones;
    request.connections = scene->connections;
    request.connection_count = scene->connection_count;
    VNF_REQUIRE_OK(vn_query_create(space, &query_def, &query, &detail), detail);
    const vn_status status = vn_query_find_path(query, &request, &result, &detail);
    VNF_REQUIRE(status != VN_BAD_ARGUMENT && status != VN_BAD_DEF && status != VN_UNSUPPORTED);
    vn_query_destroy(query);
    vn_space_destroy(space);
}

static vn_status refuse_mesh(void* user, vn_world* world, const vn_scene_mesh* mesh, vn_detail* detail) {
    (void)user, (void)world, (void)detail;
    VNF_REQUIRE(mesh->file[0] != '\0' && mesh->line > 0);
    return VN_BAD_DATA;
}

static bool accepts(const uint8_t* data, size_t size) {
    static vn_scene_text scene;
    vnf_bytes bytes = {data, size};
    vnf_purse purse = {MOST_BYTES, 0};
    const vn_source source = vnf_source(&bytes);
    vn_scene_text_def def = vn_default_scene_text_def();
    vn_detail detail = {0};
    def.world.allocator = vnf_purse_allocator(&purse);
    def.add_mesh = refuse_mesh;

    const vn_status status = vn_scene_text_read(&source, &def, &scene, &detail);
    VNF_REQUIRE(detail.status == status && (status == VN_OK) == (detail.text[0] == '\0'));
    VNF_REQUIRE((status == VN_OK) == (scene.world != NULL));
    if (status == VN_OK)
        request_path(&scene);

    vn_scene_text_free(&scene);
    VNF_REQUIRE(purse.live == 0);
    return status == VN_OK;
}

const vnf_target vnf_the_target = {"scene", accepts, NULL, NULL, 0};
