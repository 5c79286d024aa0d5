/// tests/fuzz/fuzz_gltf.c: glTF, as text and as .glb. What is accepted arrives whole, as objects that a world
/// can judge.
#include "apps/volnav/input/apart.h"
#include "apps/volnav/input/gltf.h"
#include "apps/volnav/input/triangles.h"
#include "tests/fuzz/tool.h"
#include <stdlib.h>
#include <string.h>

/// Limits far below the tool's, so that no input takes long.
#define MOST_TRIANGLES (1u << 20)
#define MOST_WORLD     (32u << 20)

uint64_t apart_memory(uint64_t bytes) {
    return MOST_TRIANGLES + 20 * bytes;
}

void apart_grow(uint64_t bytes) {
    (void)bytes;
}

/// An object is added, or refused for a reason.
static void add(vn_world* world, const triangles* object) {
    vn_shape shape = {.kind = VN_SHAPE_MESH};
    shape.as.mesh.vertices = object->vertices;
    shape.as.mesh.vertex_count = (uint32_t)object->vertex_count;
    shape.as.mesh.indices = object->indices;
    shape.as.mesh.triangle_count = (uint32_t)(object->index_count / 3);
    VNF_REQUIRE(object->index_count % 3 == 0 && object->index_count > 0);
    vn_detail detail = {0};
    const vn_status status = vn_world_add(world, &shape, NULL, &detail);
    VNF_REQUIRE(status == VN_OK || status == VN_BAD_DATA || status == VN_OUT_OF_MEMORY);
}

/// Takes everything that was sent; the last record.
static triangles_record take_all(FILE* stream, vn_world* world) {
    triangles_taken taken = {0};
    triangles_record record;
    while ((record = triangles_take(stream, &taken)) == TRIANGLES_OBJECT || record == TRIANGLES_GREW)
        if (record == TRIANGLES_OBJECT)
            add(world, &taken.object);

    VNF_REQUIRE(record != TRIANGLES_REFUSED || (taken.text != NULL && taken.text[0] != '\0'));
    triangles_free_taken(&taken);
    return record;
}

static bool accepts(const uint8_t* data, size_t size) {
    const bool is_binary = size >= 4 && memcmp(data, "glTF", 4) == 0;
    const import_options options = {.scale = 1, .up = 'y'};
    FILE* stream = tmpfile();
    VNF_REQUIRE(stream != NULL);
    triangles_sink sink = {.out = stream, .path = vnf_tool_file(is_binary ? ".glb" : ".gltf", data, size)};
    bool other = false;
    const int code = gltf_read(&sink, &options, &other);

    const bool refused = code != EXIT_DONE;
    if (refused)
        free(sink.opened); // the child's end frees it in the tool
    else
        triangles_end(&sink);

    vnf_purse purse = {MOST_WORLD, 0};
    vn_world_def def = vn_default_world_def();
    def.allocator = vnf_purse_allocator(&purse);
    vn_world* world = NULL;
    VNF_REQUIRE(vn_world_create(&def, &world) == VN_OK);
    rewind(stream);
    VNF_REQUIRE(take_all(stream, world) == (refused ? TRIANGLES_REFUSED : TRIANGLES_END));
    vn_world_destroy(world);
    VNF_REQUIRE(purse.live == 0);
    fclose(stream);

    return !refused && !other;
}

const vnf_target vnf_the_target = {"gltf", accepts, NULL, NULL, 0};
