/// volnav/sim.h: procedural test scenes, modelled on those of the theses and generated from a seed. Library
/// volnav_sim.
#ifndef VOLNAV_SIM_H
#define VOLNAV_SIM_H

#include "volnav/space.h"

typedef struct vn_scene_info {
    const char* name;        ///< such as "zigzag"
    const char* source;      ///< the scene it reproduces, such as "Massonnat 2023, figure 6.1"
    const char* description; ///< one line
    float resolution;        ///< edge of a voxel in the thesis, metres
    vn_box bounds;
    bool has_seed;
    vn_vec3 seed; ///< a free point; regions not connected to it are closed
} vn_scene_info;

VN_API uint32_t vn_scene_count(void);

/// Null if the index is out of range.
VN_API const vn_scene_info* vn_scene_get(uint32_t index);

/// False if no scene has that name.
VN_API bool vn_scene_find(const char* name, uint32_t* index);

/// Adds the obstacles of a scene to an empty world; one unit of the thesis is one metre. The same seed gives
/// the same world on every machine; scenes without randomness ignore the seed. VN_BAD_ARGUMENT: no such
/// scene. VN_BAD_ORDER: the world is not empty. Otherwise as vn_world_add; after a failure the world is empty
/// again.
VN_API vn_status vn_scene_build(uint32_t index, uint64_t seed, vn_world* world, vn_detail* detail);

#endif
