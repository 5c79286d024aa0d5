/// tests/fuzz/fuzz_3dmap.c: voxel maps as text. What is accepted is written and read again without a
/// difference, becomes a world, and if it is small a space.
#include "tests/fuzz/probe.h"
#include "volnav/io.h"
#include <stdlib.h>
#include <string.h>

static void write_and_read(const vn_3dmap* map) {
    vnf_page page = {0};
    vn_sink sink = vnf_sink(&page);
    VNF_REQUIRE(vn_3dmap_write(&sink, map->dims, map->voxels, map->voxel_count, NULL) == VN_OK);
    vnf_bytes bytes = {page.data, page.size};
    vn_source source = vnf_source(&bytes);
    vn_3dmap again;
    VNF_REQUIRE(vn_3dmap_read(&source, NULL, &again, NULL) == VN_OK);
    VNF_REQUIRE(memcmp(&again.dims, &map->dims, sizeof map->dims) == 0);

    VNF_REQUIRE(again.voxel_count == map->voxel_count);
    if (map->voxel_count > 0)
        VNF_REQUIRE(memcmp(again.voxels, map->voxels, (size_t)map->voxel_count * sizeof *map->voxels) == 0);

    vn_3dmap_free(&again);
    free(page.data);
}

static void become_a_world(const vn_3dmap* map) {
    vn_world* world = vnf_empty_world((vn_dvec3){0, 0, 0});
    vn_shape shape = vn_3dmap_shape(map);
    vn_detail detail = {0};
    VNF_REQUIRE_OK(vn_world_add(world, &shape, NULL, &detail), detail);
    if (vnf_is_small(map->dims)) {
        vn_space_def def = vn_default_space_def();
        def.radius = map->voxel_count % 3 == 2 ? 0.75f : 0;
        vnf_probe_world(world, &def);
    }

    vn_world_destroy(world);
}

static bool accepts(const uint8_t* data, size_t size) {
    vnf_bytes bytes = {data, size};
    vn_source source = vnf_source(&bytes);
    vn_3dmap map;
    vn_detail detail = {0};
    vn_status status = vn_3dmap_read(&source, NULL, &map, &detail);

    VNF_REQUIRE(detail.status == status && status != VN_OUT_OF_MEMORY);
    if (status == VN_OK) {
        write_and_read(&map);
        become_a_world(&map);
    }

    vn_3dmap_free(&map);
    return status == VN_OK;
}

const vnf_target vnf_the_target = {"3dmap", accepts, NULL, NULL, 0};
