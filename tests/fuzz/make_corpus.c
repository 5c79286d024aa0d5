/// tests/fuzz/make_corpus.c: writes the corpus of every fuzz target: make_corpus FOLDER, which must have a
/// folder for each format. Small files that are accepted, each with something that the others lack.
#include "tests/fuzz/bytes.h"
#include "tests/unit/io/bt.h"
#include "volnav/classic.h"
#include "volnav/io.h"
#include "volnav/roadmap.h"
#include "volnav/run.h"
#include <stdio.h>

static char folder[512];

static void fail(const char* what, const char* name) {
    fprintf(stderr, "%s: %s\n", name, what);
    exit(1);
}

static void put(const char* name, const void* data, size_t size) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* out = fopen(path, "wb");
    if (out == NULL || fwrite(data, 1, size, out) != size || fclose(out) != 0)
        fail("cannot be written", path);
}

static void put_text(const char* name, const char* text) {
    put(name, text, strlen(text));
}

// ----------------------------------------------------------------------------------------------- .3dmap

static void make_3dmaps(void) {
    put_text("3dmap/empty.3dmap", "voxel 3 4 5\n");
    put_text("3dmap/one.3dmap", "voxel 1 1 1\n0 0 0\n");
    put_text("3dmap/returns.3dmap", "\r\n voxel\t3 4  5 \r\n\r\n0 1 2\r\n0 1 2\r\n2 3 4");
    put_text("3dmap/far.3dmap", "voxel 1048576 1048576 1048576\n0 0 0\n1048575 1048575 1048575\n");

    char text[4096] = "voxel 9 7 8\n";
    for (int y = 0; y < 7; ++y)
        for (int z = 0; z < 8; ++z)
            if (y != 3 || z != 5)
                snprintf(text + strlen(text), 32, "4 %d %d\n", y, z);

    put_text("3dmap/window.3dmap", text);
}

// -------------------------------------------------------------------------------------------------- .bt

static void fill(vnt_bt_map* map, vn_voxel low, vn_voxel high, unsigned char state) {
    for (int32_t z = low.z; z < high.z; ++z)
        for (int32_t y = low.y; y < high.y; ++y)
            for (int32_t x = low.x; x < high.x; ++x)
                map->states[z][y][x] = state;
}

static void put_bt(const char* name, const vnt_bt_map* map, vni_rng* rng) {
    size_t size;
    char* bytes = vnt_bt_write(map, "0.25", rng, &size);
    put(name, bytes, size);
    free(bytes);
}

static void make_bts(void) {
    static vnt_bt_map map;
    vni_rng rng = vni_rng_make(1);
    put_text("bt/large.bt", "# Octomap OcTree binary file\nid 1\nsize 3\nres 0.5\ndata\n\x04\x20");
    map.base = (vn_voxel){32765, 32766, 32767};
    fill(&map, (vn_voxel){0, 0, 0}, (vn_voxel){1, 1, 1}, VNT_BT_OCCUPIED);
    put_bt("bt/voxel.bt", &map, NULL);
    fill(&map, (vn_voxel){0, 0, 0}, (vn_voxel){8, 8, 8}, VNT_BT_OCCUPIED);
    fill(&map, (vn_voxel){1, 1, 1}, (vn_voxel){7, 7, 7}, VNT_BT_FREE);
    fill(&map, (vn_voxel){3, 1, 1}, (vn_voxel){4, 6, 7}, VNT_BT_UNKNOWN);
    put_bt("bt/room.bt", &map, NULL);
    put_bt("bt/not_pruned.bt", &map, &rng);
    map.base = (vn_voxel){0, 65536 - VNT_BT_SIDE, 40000};
    fill(&map, (vn_voxel){0, 0, 0}, (vn_voxel){24, 24, 24}, VNT_BT_FREE);
    fill(&map, (vn_voxel){8, 0, 0}, (vn_voxel){9, 24, 22}, VNT_BT_OCCUPIED);
    put_bt("bt/rim.bt", &map, NULL);
}

// ------------------------------------------------------------------------------------------- .vnav and
// .vnrec

static void require(vn_status status, const char* name) {
    if (status != VN_OK)
        fail(vn_status_text(status), name);
}

/// A wall in the middle of x with a window of 2 x 2 voxels; with `unseen`, the first slab of z is
/// unknown.
static vn_world* make_world(vn_voxel dims, bool unseen) {
    vn_world_def def = vn_default_world_def();
    def.origin = (vn_dvec3){100, 0, -50};
    vn_world* world = NULL;
    require(vn_world_create(&def, &world), "world");
    const int32_t at = dims.x / 2;
    const vn_voxel_box wall[2] = {{{at, 0, 2}, {at + 1, dims.y, dims.z}}, {{at, 2, 0}, {at + 1, dims.y, 2}}};
    const vn_voxel_box dark = {{0, 0, 0}, {dims.x, dims.y, 1}};
    vn_shape shape = {.kind = VN_SHAPE_VOXELS};
    shape.as.voxels.size = 1;
    shape.as.voxels.dims = dims;
    shape.as.voxels.boxes = wall;
    shape.as.voxels.box_count = 2;

    require(vn_world_add(world, &shape, NULL, NULL), "wall");
    if (unseen) {
        vn_obstacle_id id;
        shape.as.voxels.boxes = &dark;
        shape.as.voxels.box_count = 1;
        require(vn_world_add(world, &shape, &id, NULL), "dark");
        require(vn_world_set_flags(world, id, VN_FLAG_UNKNOWN), "dark");
    }

    return world;
}

static vn_layers* make_layers(vn_voxel dims, bool cells, vn_unknown_policy unknown, uint32_t count) {
    static const vn_layer_def layers[2] = {{0, 0}, {0.75f, 3}};
    vn_world* world = make_world(dims, unknown == VN_UNKNOWN_REFUSED);
    vn_space_def def = vn_default_space_def();
    def.cells = cells;
    def.unknown = unknown;
    vn_layers* out = NULL;
    require(vn_layers_bake(world, &def, layers, count, &out, NULL), "layers");
    vn_world_destroy(world);

    return out;
}

static const vn_connection a_link = {{1.5f, 1.5f, 1.5f}, {6.5f, 1.5f, 1.5f}, 2.5f, true, 7};

/// `packed`: with zstd.
static void put_layers(const char* name, vn_layers* layers, bool packed) {
    const vn_codec codec = vn_zstd_codec(0);
    vn_store_def def = vn_default_store_def();
    def.codec = packed ? &codec : NULL;
    def.connections = &a_link;
    def.connection_count = packed ? 0 : 1;
    def.comment = packed ? NULL : "made by make_corpus";
    vnf_page page = {0};
    vn_sink sink = vnf_sink(&page);
    require(vn_layers_write(layers, &def, NULL, &sink, NULL), name);
    put(name, page.data, page.size);
    vn_layers_destroy(layers);
    free(page.data);
}

/// The bytes of a tree over a space.
static vnf_page make_tree(const vn_space* space, vn_classic_kind kind) {
    vn_classic_def def = vn_default_classic_def();
    vn_classic* classic = NULL;
    vnf_page page = {0};
    const vn_sink sink = vnf_sink(&page);
    def.kind = kind;
    require(vn_classic_build(space, &def, &classic, NULL), "tree");
    require(vn_classic_write(classic, &sink, NULL), "tree");
    vn_classic_destroy(classic);
    return page;
}

/// A layer with both trees.
static void put_trees(const char* name, vn_layers* layers) {
    const vn_space* space = vn_layers_space(layers, 0);
    vnf_page octree = make_tree(space, VN_CLASSIC_OCTREE), merged = make_tree(space, VN_CLASSIC_MERGED);
    const vn_store_tree trees[2] = {{0, VN_CLASSIC_OCTREE, octree.data, octree.size},
                                    {0, VN_CLASSIC_MERGED, merged.data, merged.size}};
    vn_store_def def = vn_default_store_def();
    vnf_page page = {0};
    const vn_sink sink = vnf_sink(&page);
    def.trees = trees;
    def.tree_count = 2;
    require(vn_layers_write(layers, &def, NULL, &sink, NULL), name);
    put(name, page.data, page.size);
    vn_layers_destroy(layers);
    free(octree.data);
    free(merged.data);
    free(page.data);
}

static vnf_page write_roadmap(vn_roadmap* roadmap) {
    vnf_page page = {0};
    const vn_sink sink = vnf_sink(&page);
    require(vn_roadmap_write(roadmap, &sink, NULL), "roadmap");
    vn_roadmap_destroy(roadmap);
    return page;
}

/// A layer with a hybrid graph and the waypoints of two boxes.
static void put_roadmaps(const char* name, vn_layers* layers) {
    const vn_space* space = vn_layers_space(layers, 0);
    const vn_allocator allocator = vn_default_allocator();
    const vn_world_def world_def = vn_default_world_def();
    vn_roadmap_def def = vn_default_roadmap_def();
    vn_area* area = NULL;
    vn_world* world = NULL;
    vn_roadmap *hybrid = NULL, *waypoints = NULL;
    require(vn_area_create(&allocator, space, &area, NULL), name);
    vn_area_add_box(area, (vn_voxel){1, 1, 1}, (vn_voxel){2, 2, 2});
    require(vn_roadmap_create_hybrid(space, area, space, &def, &hybrid, NULL), name);

    require(vn_world_create(&world_def, &world), name);
    for (int i = 0; i < 2; ++i) {
        const float x = 1.5f + 4 * (float)i;
        const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {{x, 2.5f, 2.5f}, {x + 1, 3.5f, 3.5f}}};
        require(vn_world_add(world, &box, NULL, NULL), name);
    }
    require(vn_roadmap_create_waypoints(world, space, &def, &waypoints, NULL), name);

    vnf_page saved[2] = {write_roadmap(hybrid), write_roadmap(waypoints)}, page = {0};
    const vn_store_tree trees[2] = {
        {0, VN_ROADMAP_STORED + VN_ROADMAP_HYBRID, saved[0].data, saved[0].size},
        {0, VN_ROADMAP_STORED + VN_ROADMAP_WAYPOINTS, saved[1].data, saved[1].size}};
    vn_store_def store = vn_default_store_def();
    const vn_sink sink = vnf_sink(&page);
    store.trees = trees;
    store.tree_count = 2;
    require(vn_layers_write(layers, &store, NULL, &sink, NULL), name);
    put(name, page.data, page.size);
    vn_area_destroy(area);
    vn_world_destroy(world);
    vn_layers_destroy(layers);
    free(saved[0].data);
    free(saved[1].data);
    free(page.data);
}

static void make_vnavs(void) {
    const vn_voxel hall = {8, 6, 7}, long_hall = {70, 4, 4};
    put_layers("vnav/room.vnav", make_layers(hall, true, VN_UNKNOWN_BLOCKED, 1), false);
    put_layers("vnav/no_cells.vnav", make_layers(hall, false, VN_UNKNOWN_FREE, 1), false);
    put_layers("vnav/unknown.vnav", make_layers(hall, true, VN_UNKNOWN_REFUSED, 1), false);
    put_trees("vnav/trees.vnav", make_layers(hall, false, VN_UNKNOWN_FREE, 1));
    put_roadmaps("vnav/roadmaps.vnav", make_layers(hall, false, VN_UNKNOWN_FREE, 1));
    put_layers("vnav/two_blocks.vnav", make_layers(long_hall, true, VN_UNKNOWN_BLOCKED, 1), false);
    put_layers("vnav/two_layers_packed.vnav", make_layers(hall, true, VN_UNKNOWN_BLOCKED, 2), true);
}

/// Searches in a hall, and records request and result.
static void put_record(const char* name, const vn_path_request* request, bool packed) {
    const vn_unknown_policy unknown = packed ? VN_UNKNOWN_REFUSED : VN_UNKNOWN_BLOCKED;
    vn_layers* layers = make_layers((vn_voxel){8, 6, 7}, true, unknown, 1);
    vn_query_def query_def = vn_default_query_def();
    query_def.scratch = VN_SCRATCH_ALL;
    vn_query* query = NULL;
    require(vn_query_create_layers(layers, &query_def, &query, NULL), name);
    vn_path_result result;
    vn_query_find_path(query, request, &result, NULL);
    const vn_codec codec = vn_zstd_codec(0);
    vn_store_def def = vn_default_store_def();
    def.codec = packed ? &codec : NULL;
    vnf_page page = {0};
    vn_sink sink = vnf_sink(&page);
    require(vn_record_write(query, request, &result, &def, NULL, &sink, NULL), name);
    put(name, page.data, page.size);
    vn_query_destroy(query);
    vn_layers_destroy(layers);
    free(page.data);
}

/// A second of a scene, as it is flown.
static void put_run(const char* name, const char* scene) {
    vn_run_def def = vn_default_run_def();
    def.scene = scene;
    def.limit = 1;
    def.record = true;
    vn_run* run = NULL;
    require(vn_run_create(&def, &run, NULL), name);
    vn_status status;
    do {
        status = vn_run_step(run, NULL);
    } while (status == VN_RUNNING);
    require(status, name);

    vn_store_def store = vn_default_store_def();
    vnf_page page = {0};
    const vn_sink sink = vnf_sink(&page);
    store.comment = "made by make_corpus";
    require(vn_run_record_write(vn_run_get_record(run), &store, NULL, &sink, NULL), name);
    put(name, page.data, page.size);
    vn_run_destroy(run);
    free(page.data);
}

static void make_vnrecs(void) {
    static const vn_zone zones[2] = {{.box = {{0, 0, 0}, {3, 6, 7}}, .factor = 2},
                                     {.box = {{2, 2, 2}, {8, 4, 4}}, .factor = 0.5f, .flags = 1}};
    const vn_path_request plain = vn_default_path_request();
    vn_path_request request = plain;
    request.start = (vn_point){512, 5632, 6656};
    request.goal = (vn_point){7680, 5632, 6656};
    put_record("vnrec/path.vnrec", &request, false);
    put_record("vnrec/packed.vnrec", &request, true);
    request.zones = zones;
    request.zone_count = 2;
    request.connections = &a_link;
    request.connection_count = 1;
    request.preferred_clearance = 1.5f;
    put_record("vnrec/zones.vnrec", &request, false);
    static const vn_plane planes[2] = {{{1, 1, 0}, 6}, {{-1, 0.5f, 0}, -1}};
    static const vn_zone shapes[3] = {
        {.kind = VN_ZONE_SPHERE, .center = {4, 3, 3}, .radius = 2, .factor = 3},
        {.kind = VN_ZONE_HULL, .planes = planes, .plane_count = 2, .factor = 5},
        {.box = {{0, 0, 0}, {3, 6, 7}}, .factor = 2},
    };
    request.zones = shapes;
    request.zone_count = 3;
    put_record("vnrec/shapes.vnrec", &request, false);
    request = plain;
    request.start = (vn_point){512, 5632, 6656};
    request.goal = (vn_point){4608, 5632, 6656};
    request.algo = VN_ALGO_ASTAR;
    put_record("vnrec/blocked.vnrec", &request, false);
    request.algo = VN_ALGO_CELLS;
    request.goal_kind = VN_GOAL_SPHERE;
    request.goal_distance = 2;
    put_record("vnrec/sphere.vnrec", &request, false);
    put_run("vnrec/run.vnrec", "asteroids");
}

int main(int count, char** arguments) {
    if (count != 2)
        fail("usage: make_corpus FOLDER", arguments[0]);

    snprintf(folder, sizeof folder, "%s", arguments[1]);
    make_3dmaps();
    make_bts();
    make_vnavs();
    make_vnrecs();

    return 0;
}
