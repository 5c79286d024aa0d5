/// tests/fuzz/fuzz_map.c: levels of brushes as text. Every brush that is kept is a hull that a world accepts,
/// and if the level is small it becomes a space.
#include "tests/fuzz/probe.h"
#include "volnav/io.h"

static void check_lists(const vn_brush_map* map) {
    uint64_t vertices = 0, indices = 0;
    for (uint64_t i = 0; i < map->brush_count; ++i) {
        const vn_brush* b = &map->brushes[i];
        VNF_REQUIRE(b->first_vertex == vertices && b->first_index == indices);
        VNF_REQUIRE(b->line > 0 && b->vertex_count >= 4 && b->triangle_count >= 4);
        vertices += b->vertex_count;
        indices += 3 * (uint64_t)b->triangle_count;
    }

    VNF_REQUIRE(vertices == map->vertex_count && indices == map->index_count);
    VNF_REQUIRE((map->broken == 0) == (map->broken_line == 0));
}

static void become_a_world(const vn_brush_map* map) {
    vn_world* world = vnf_empty_world((vn_dvec3){0, 0, 0});
    for (uint64_t i = 0; i < map->brush_count; ++i) {
        vn_shape shape = vn_brush_map_shape(map, i);
        vn_detail detail = {0};
        VNF_REQUIRE_OK(vn_world_add(world, &shape, NULL, &detail), detail);
    }

    vn_box box;
    if (vn_world_get_bounds(world, &box)) {
        const float size = box.max.x - box.min.x + box.max.y - box.min.y + box.max.z - box.min.z;
        vn_space_def def = vn_default_space_def();
        def.resolution = size / 32;
        vnf_probe_world(world, &def);
    }

    vn_world_destroy(world);
}

static bool accepts(const uint8_t* data, size_t size) {
    vnf_bytes bytes = {data, size};
    vn_source source = vnf_source(&bytes);
    vn_brush_map map;
    vn_detail detail = {0};
    const vn_status status = vn_brush_map_read(&source, NULL, &map, &detail);

    VNF_REQUIRE(detail.status == status && status != VN_OUT_OF_MEMORY);
    if (status == VN_OK) {
        check_lists(&map);
        become_a_world(&map);
    }

    vn_brush_map_free(&map);
    return status == VN_OK;
}

const vnf_target vnf_the_target = {"map", accepts, NULL, NULL, 0};
