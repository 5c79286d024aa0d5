/// tests/fuzz/fuzz_vnav.c: saved layers. What is accepted holds spaces that validate and can be searched, and
/// is written and read again without a difference.
#include "tests/fuzz/probe.h"
#include "volnav/classic.h"
#include "volnav/io.h"
#include "volnav/roadmap.h"
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES (4u << 20)

/// What loading may take in all, whatever the sections claim.
#define MOST_MEMORY (8u * MAX_BYTES)

static vnf_purse purse = {MOST_MEMORY, 0};

static vn_load_def load_def(const vn_codec* codec) {
    vn_load_def def = vn_default_load_def();
    def.allocator = vnf_purse_allocator(&purse);
    def.codec = codec;
    def.max_bytes = MAX_BYTES;
    return def;
}

static void write_and_read(const vn_layers* layers) {
    vnf_page page = {0};
    vn_sink sink = vnf_sink(&page);
    vn_store_def store = vn_default_store_def();
    vn_load_def def = load_def(NULL);
    def.max_bytes = UINT64_MAX;
    vn_layers* again = NULL;
    vn_detail detail = {0};
    VNF_REQUIRE_OK(vn_layers_write(layers, &store, NULL, &sink, &detail), detail);
    VNF_REQUIRE_OK(vn_layers_read(page.data, page.size, &def, &again, &detail), detail);

    VNF_REQUIRE(vn_layers_count(again) == vn_layers_count(layers));
    for (uint32_t i = 0; i < vn_layers_count(layers); ++i)
        VNF_REQUIRE(vn_space_content_hash(vn_layers_space(again, i)) ==
                    vn_space_content_hash(vn_layers_space(layers, i)));

    vn_layers_destroy(again);
    free(page.data);
}

static void search(const vn_layers* layers) {
    bool small = true;
    for (uint32_t i = 0; i < vn_layers_count(layers); ++i) {
        vn_space_info info;
        vn_space_get_info(vn_layers_space(layers, i), &info);
        vnf_probe_space(vn_layers_space(layers, i));
        small = small && vnf_is_small(info.dims);
    }

    if (small)
        write_and_read(layers);
}

/// The trees that the file has: refused, or as those that are built.
static void read_trees(const uint8_t* data, size_t size, const vn_codec* codec, const vn_space* space,
                       uint32_t layer) {
    const vn_allocator allocator = vnf_purse_allocator(&purse);
    vn_classic_def def = vn_default_classic_def();
    def.allocator = allocator;
    for (uint32_t kind = VN_CLASSIC_OCTREE; kind <= VN_CLASSIC_MERGED; ++kind) {
        void* bytes = NULL;
        size_t count = 0;
        vn_classic* tree = NULL;
        const vn_status found =
            vn_store_read_tree(data, size, codec, layer, kind, &allocator, &bytes, &count, NULL);
        VNF_REQUIRE((found == VN_OK) == (bytes != NULL));
        if (found != VN_OK)
            continue;

        const vn_status status = vn_classic_read(space, &def, bytes, count, &tree, NULL);
        VNF_REQUIRE((status == VN_OK) == (tree != NULL));
        vn_classic_destroy(tree);
        allocator.release(allocator.user, bytes, count);
    }
}

static void put_and_compare(const vn_roadmap* roadmap, const void* bytes, size_t count) {
    vnf_page page = {0};
    const vn_sink sink = vnf_sink(&page);
    vn_detail detail = {0};
    VNF_REQUIRE_OK(vn_roadmap_write(roadmap, &sink, &detail), detail);
    VNF_REQUIRE(page.size == count && memcmp(page.data, bytes, count) == 0);
    free(page.data);
}

/// The roadmaps that the file has: refused, or written again without a difference, and able to follow.
static void read_roadmaps(const uint8_t* data, size_t size, const vn_codec* codec, const vn_space* space,
                          uint32_t layer) {
    const vn_allocator allocator = vnf_purse_allocator(&purse);
    vn_roadmap_def def = vn_default_roadmap_def();
    def.allocator = allocator;
    for (uint32_t kind = VN_ROADMAP_HYBRID; kind <= VN_ROADMAP_WAYPOINTS; ++kind) {
        void* bytes = NULL;
        size_t count = 0;
        vn_roadmap* roadmap = NULL;
        if (vn_store_read_tree(data, size, codec, layer, VN_ROADMAP_STORED + kind, &allocator, &bytes, &count,
                               NULL) != VN_OK)
            continue;

        const vn_status status = vn_roadmap_read(space, &def, bytes, count, &roadmap, NULL);
        VNF_REQUIRE((status == VN_OK) == (roadmap != NULL));
        if (status == VN_OK) {
            vn_roadmap_info info;
            vn_roadmap_get_info(roadmap, &info);
            put_and_compare(roadmap, bytes, count);
            VNF_REQUIRE(info.kind == VN_ROADMAP_WAYPOINTS ||
                        vn_roadmap_follow(roadmap, space, 2, NULL, 0, NULL) == VN_OK);
        }

        vn_roadmap_destroy(roadmap);
        allocator.release(allocator.user, bytes, count);
    }
}

/// What the head says is what was loaded.
static void compare(const vn_layers* layers, const vn_store_info* info) {
    VNF_REQUIRE(vn_layers_count(layers) == info->layer_count);
    VNF_REQUIRE(vn_layers_world_hash(layers) == info->world_hash);
    for (uint32_t i = 0; i < info->layer_count; ++i) {
        vn_space_info loaded;
        vn_space_get_info(vn_layers_space(layers, i), &loaded);
        VNF_REQUIRE(memcmp(&loaded.dims, &info->layers[i].dims, sizeof loaded.dims) == 0);
        VNF_REQUIRE(loaded.free_voxels == info->layers[i].free_voxels &&
                    loaded.cells == info->layers[i].cells);
    }
}

static bool accepts(const uint8_t* data, size_t size) {
    static vn_store_info info;
    const vn_codec codec = vn_zstd_codec(0);
    const vn_load_def def = load_def(&codec);
    vn_layers* layers = NULL;
    vn_detail detail = {0}, info_detail = {0};
    vn_status status = vn_layers_read(data, size, &def, &layers, &detail);
    vn_status info_status = vn_store_read_info(data, size, &codec, &info, &info_detail);
    VNF_REQUIRE(detail.status == status && info_detail.status == info_status);
    VNF_REQUIRE(status != VN_OUT_OF_MEMORY && info_status != VN_OUT_OF_MEMORY);
    VNF_REQUIRE((status == VN_OK) == (layers != NULL));

    if (status == VN_UNSUPPORTED && codec.unpack == NULL)
        return true; // a build without zstd does not read what is packed
    for (uint32_t i = 0; status == VN_OK && i < vn_layers_count(layers); ++i) {
        vn_space_info space;
        vn_space_get_info(vn_layers_space(layers, i), &space);
        if (!vnf_is_small(space.dims))
            continue;
        read_trees(data, size, &codec, vn_layers_space(layers, i), i);
        read_roadmaps(data, size, &codec, vn_layers_space(layers, i), i);
    }

    if (status == VN_OK) {
        search(layers);
        if (info_status ==
            VN_OK) // else its comment or its connections are bad, which loading does not look at
            compare(layers, &info);
    }

    vn_layers_destroy(layers);
    VNF_REQUIRE(purse.live == 0);
    return status == VN_OK;
}

const vnf_target vnf_the_target = {"vnav", accepts, vnf_repair_store, vnf_bomb_store, 0};
