/// tests/fuzz/fuzz_bt.c: OctoMap's binary trees. What is accepted adds up; what is small becomes a world of
/// two obstacles, and a space with unknown space free, blocked or refused.
#include "tests/fuzz/probe.h"
#include "volnav/io.h"
#include <stdio.h>
#include <string.h>

/// Voxels of all boxes, each of which must lie inside the map.
static uint64_t count_voxels(const vn_octomap* map, const vn_voxel_box* boxes, uint64_t count) {
    uint64_t voxels = 0;
    for (uint64_t i = 0; i < count; ++i) {
        const vn_voxel low = boxes[i].low, high = boxes[i].high;
        VNF_REQUIRE(low.x >= 0 && low.y >= 0 && low.z >= 0);
        VNF_REQUIRE(low.x < high.x && low.y < high.y && low.z < high.z);
        VNF_REQUIRE(high.x <= map->dims.x && high.y <= map->dims.y && high.z <= map->dims.z);
        voxels += (uint64_t)(high.x - low.x) * (uint64_t)(high.y - low.y) * (uint64_t)(high.z - low.z);
    }

    return voxels;
}

static void add_up(const vn_octomap* map) {
    VNF_REQUIRE(count_voxels(map, map->occupied, map->occupied_count) == map->occupied_voxels);
    VNF_REQUIRE(count_voxels(map, map->unknown, map->unknown_count) == map->unknown_voxels);
    uint64_t all = (uint64_t)map->dims.x * (uint64_t)map->dims.y * (uint64_t)map->dims.z;
    VNF_REQUIRE(map->occupied_voxels + map->free_voxels + map->unknown_voxels == all);
}

static void become_a_world(const vn_octomap* map) {
    vn_world* world = vnf_empty_world(map->low);
    const vn_shape shapes[2] = {vn_octomap_occupied_shape(map), vn_octomap_unknown_shape(map)};
    vn_obstacle_id ids[2];
    vn_detail detail = {0};
    for (int i = 0; i < 2; ++i)
        VNF_REQUIRE_OK(vn_world_add(world, &shapes[i], &ids[i], &detail), detail);

    VNF_REQUIRE(vn_world_set_flags(world, ids[1], VN_FLAG_UNKNOWN) == VN_OK);
    vn_space_def def = vn_default_space_def();
    def.resolution = (float)map->resolution;
    def.unknown = (vn_unknown_policy)(map->free_voxels % 3);
    vnf_probe_world(world, &def);
    vn_world_destroy(world);
}

static bool accepts(const uint8_t* data, size_t size) {
    vnf_bytes bytes = {data, size};
    vn_source source = vnf_source(&bytes);
    vn_octomap map;
    vn_detail detail = {0};
    vn_status status = vn_octomap_read(&source, NULL, &map, &detail);

    VNF_REQUIRE(detail.status == status && status != VN_OUT_OF_MEMORY);
    if (status == VN_OK) {
        add_up(&map);
        if (vnf_is_small(map.dims)) // a world takes memory for the volume of its voxel sets
            become_a_world(&map);
    }

    vn_octomap_free(&map);
    return status == VN_OK;
}

/// Where a text begins in the bytes; `size` if nowhere.
static size_t find(const uint8_t* data, size_t size, const char* text) {
    size_t length = strlen(text);
    for (size_t at = 0; at + length <= size; ++at)
        if (memcmp(data + at, text, length) == 0)
            return at;
    return size;
}

/// Nodes of a tree, as far as it goes.
static uint32_t count_nodes(const uint8_t* tree, size_t size) {
    uint32_t nodes = 1, pending = 1;
    for (size_t at = 0; pending > 0 && at + 2 <= size; at += 2, --pending) {
        uint32_t codes = tree[at] | (uint32_t)tree[at + 1] << 8;
        for (; codes != 0; codes >>= 2) {
            nodes += (codes & 3) != 0;
            pending += (codes & 3) == 3;
        }
    }

    return nodes;
}

/// The same of a full tree.
static uint32_t count_full_nodes(const uint8_t* tree, size_t size, size_t bytes_each) {
    uint32_t nodes = 0, pending = 1;
    for (size_t at = 0; pending > 0 && at + bytes_each <= size; at += bytes_each, --pending) {
        ++nodes;
        for (uint32_t children = tree[at + bytes_each - 1]; children != 0; children >>= 1)
            pending += children & 1;
    }

    return nodes;
}

/// Makes the number of nodes right, if the head has ten digits for it.
static void repair(uint8_t* data, size_t size, bool layout) {
    (void)layout;
    size_t field = find(data, size, "size "), tree = find(data, size, "data\n");
    if (field > tree || tree == size || tree - field < 16 || data[field + 15] != '\n')
        return;

    char digits[11];
    const uint8_t* nodes = data + tree + 5;
    const size_t rest = size - tree - 5;
    const bool is_full = find(data, size, "# Octomap OcTree file") == 0;
    const size_t bytes_each = find(data, tree, "ColorOcTree") < tree ? 8 : 5;
    const uint32_t count = is_full ? count_full_nodes(nodes, rest, bytes_each) : count_nodes(nodes, rest);
    snprintf(digits, sizeof digits, "%010u", (unsigned)count);
    memcpy(data + field + 5, digits, 10);
}

const vnf_target vnf_the_target = {"bt", accepts, repair, NULL, 0};
