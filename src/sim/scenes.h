/// sim/scenes.h: the scenes, each in a function of its own. The table of them is in scene.c.
#ifndef VNI_SIM_SCENES_H
#define VNI_SIM_SCENES_H

#include "sim/maker.h"

/// Albertini 2022, 7.2: worlds of 1024 units along each edge; the maker's unit is a voxel of the thesis's
/// depth.
vni_scene_maker vni_scene_sparse, vni_scene_wall, vni_scene_maze, vni_scene_concave, vni_scene_mixed;

/// Massonnat 2023, 6.2: maps of 20 units along each edge; the maker's unit is a voxel of 0.625.
vni_scene_maker vni_scene_zigzag, vni_scene_building_1, vni_scene_building_2, vni_scene_building_3,
    vni_scene_cave, vni_scene_industrial;

#endif
