/// sim/scene.c: which scenes there are.
#include <assert.h>
#include <string.h>

#include "sim/refuse.h"
#include "sim/scenes.h"

typedef struct scene {
    vn_scene_info info;
    vni_scene_maker* make;
} scene;

#define ALBERTINI "Albertini 2022, "
#define MASSONNAT "Massonnat 2023, figure 6.3"

/// A cube from the origin, whose seed is given in voxels.
#define SCENE(text, origin, line, edge, voxel, x, y, z, function)                                            \
    {                                                                                                        \
        {.name = (text),                                                                                     \
         .source = (origin),                                                                                 \
         .description = (line),                                                                              \
         .resolution = (voxel),                                                                              \
         .bounds = {{0, 0, 0}, {(edge), (edge), (edge)}},                                                    \
         .has_seed = true,                                                                                   \
         .seed = {(x) * (voxel), (y) * (voxel), (z) * (voxel)}},                                             \
            (function)                                                                                       \
    }

static const scene scenes[] = {
    SCENE("sparse", ALBERTINI "figure 17 (World 1)", "objects scattered over open space", 1024, 16, 32.5f,
          32.5f, 32.5f, vni_scene_sparse),
    SCENE("wall", ALBERTINI "figure 18 (World 2)", "one large wall with a way around two of its edges", 1024,
          16, 4.5f, 4.5f, 4.5f, vni_scene_wall),
    SCENE("maze", ALBERTINI "figure 19 (World 3)", "a maze in three dimensions: one way from place to place",
          1024, 32, 1.5f, 1.5f, 1.5f, vni_scene_maze),
    SCENE("concave", ALBERTINI "figure 20 (World 4)", "one large mesh that is not convex: a pot", 1024, 16,
          32.5f, 48.5f, 32.5f, vni_scene_concave),
    SCENE("mixed", ALBERTINI "figure 21 (World 5)", "pots, boxes and balls", 1024, 16, 32.5f, 32.5f, 32.5f,
          vni_scene_mixed),
    SCENE("zigzag", MASSONNAT, "three walls to weave between", 20, 0.625f, 1.5f, 16.5f, 16.5f,
          vni_scene_zigzag),
    SCENE("building-1", MASSONNAT, "three storeys of rooms with many small holes", 20, 0.625f, 0.5f, 0.5f,
          0.5f, vni_scene_building_1),
    SCENE("building-2", MASSONNAT, "three storeys of halls with large holes", 20, 0.625f, 0.5f, 0.5f, 0.5f,
          vni_scene_building_2),
    SCENE("building-3", MASSONNAT, "a tower beside a lower house", 20, 0.625f, 0.5f, 0.5f, 0.5f,
          vni_scene_building_3),
    SCENE("cave", MASSONNAT, "a cave with rocks that hang, stand and stick out", 20, 0.625f, 16.5f, 16.5f,
          16.5f, vni_scene_cave),
    SCENE("industrial", MASSONNAT, "halls, tanks, pipes and a bridge", 20, 0.625f, 16.5f, 24.5f, 0.5f,
          vni_scene_industrial),
};

enum { SCENE_COUNT = sizeof scenes / sizeof *scenes };

uint32_t vn_scene_count(void) {
    return SCENE_COUNT;
}

const vn_scene_info* vn_scene_get(uint32_t index) {
    return index < SCENE_COUNT ? &scenes[index].info : NULL;
}

bool vn_scene_find(const char* name, uint32_t* index) {
    assert(name != NULL && index != NULL);
    for (uint32_t i = 0; i < SCENE_COUNT; ++i) {
        if (strcmp(scenes[i].info.name, name) == 0) {
            *index = i;
            return true;
        }
    }

    return false;
}

/// Empties a world that holds nothing but a part of a scene.
static void empty(vn_world* world) {
    enum { BATCH = 64 };
    const float far = 4e6f; // beyond all that a world may hold
    const vn_box all = {{-far, -far, -far}, {far, far, far}};
    vn_obstacle_id ids[BATCH];

    uint32_t count = 0;
    do {
        (void)vn_world_query_box(world, &all, ids, BATCH, &count); // the count says whether there are more
        for (uint32_t i = 0; i < count && i < BATCH; ++i) {
            vn_world_remove(world, ids[i]);
        }
    } while (count > BATCH);

    assert(vn_world_count(world) == 0);
}

vn_status vn_scene_build(uint32_t index, uint64_t seed, vn_world* world, vn_detail* detail) {
    assert(world != NULL);
    if (index >= SCENE_COUNT) {
        return vni_refuse(detail, VN_BAD_ARGUMENT, VN_NO_INDEX,
                          "there is no scene of this number; see vn_scene_count");
    }

    if (vn_world_count(world) != 0) {
        return vni_refuse(detail, VN_BAD_ORDER, VN_NO_INDEX, "a scene is built in an empty world");
    }

    vni_maker maker = {
        .world = world, .detail = detail, .random = seed, .unit = scenes[index].info.resolution};
    scenes[index].make(&maker);
    if (maker.status != VN_OK) {
        empty(world);
    }

    return maker.status;
}
