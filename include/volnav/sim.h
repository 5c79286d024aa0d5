/// volnav/sim.h: worlds to try things in: scenes after the theses' own, made by rule from a seed. Library
/// volnav_sim.
#ifndef VOLNAV_SIM_H
#define VOLNAV_SIM_H

#include "volnav/space.h"

typedef struct vn_scene_info {
    const char* name;  ///< such as "zigzag"
    const char* after; ///< what it rebuilds, such as "Massonnat 2023, figure 6.1"
    const char* about; ///< one line
    float resolution;  ///< edge of a voxel as in the thesis, metres
    vn_box bounds;
    bool has_seed;
    vn_vec3 seed; ///< a free point; what is not connected with it is closed
} vn_scene_info;

VN_API uint32_t vn_scene_count(void);

/// Null for an index that there is not.
VN_API const vn_scene_info* vn_scene_get(uint32_t index);

/// False if there is no scene of that name.
VN_API bool vn_scene_find(const char* name, uint32_t* index);

/// Adds the scene's obstacles to an empty world, in metres for units of the thesis. The same seed gives the
/// same world on every machine; scenes in which nothing is left to chance are the same for all seeds.
/// VN_BAD_ARGUMENT: no such scene; VN_BAD_ORDER: the world is not empty; else as vn_world_add, and the world
/// is empty again.
VN_API vn_status vn_scene_build(uint32_t index, uint64_t seed, vn_world* world, vn_detail* detail);

#endif
