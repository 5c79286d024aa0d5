/// world/moving.h: obstacles that move: a shape in local coordinates and its current transform. Private to
/// the module.
///
/// The record that other modules read (vni_obstacle) always is the transformed shape, in separate arrays that
/// every move overwrites. It depends on the shape and the transform alone, not on earlier moves.
#ifndef VNI_WORLD_MOVING_H
#define VNI_WORLD_MOVING_H

#include "world/world.h"

/// A rotation by quarter turns: the shape's axis i becomes axis[i] of the world, reversed if flip[i].
typedef struct vni_turn {
    uint8_t axis[3];
    bool flip[3];
} vni_turn;

/// The bricks of a voxel set, prepared for every rotation. Reversed along an axis whose dimension is not a
/// multiple of 4, its voxels fall into other bricks: so there is one list for each set of such axes.
typedef struct vni_voxel_turns {
    vni_voxel_brick* lists[8]; ///< by set of reversed axes (bit i: axis i); null where not needed; [0]
                               ///< belongs to the shape
    uint32_t counts[8];
    uint32_t capacity; ///< length of the longest list
    vni_turn now;      ///< the rotation that the record's bricks have
} vni_voxel_turns;

struct vni_motion {
    vn_transform transform;
    vn_vec3 velocity;
    vni_obstacle shape; ///< in local coordinates; never changes
    vni_voxel_turns turns;
};

/// Makes the record of a moving shape at its first transform, except `leaf`. On failure nothing is held. Free
/// it with vni_obstacle_free.
vn_status vni_moving_make(const vn_allocator* allocator, const vn_shape* shape, const vn_transform* transform,
                          vni_obstacle* out, vn_detail* detail);

/// Frees, and counts, the memory of a moving obstacle, its record's arrays included.
void vni_moving_free(const vn_allocator* allocator, vni_obstacle* obstacle);
size_t vni_moving_bytes(const vni_obstacle* obstacle);

/// Moves it. Allocates nothing; on failure (VN_BAD_DATA, VN_UNSUPPORTED) nothing changes.
vn_status vni_moving_set_transform(vni_obstacle* obstacle, const vn_transform* transform, vn_detail* detail);

// -------------------------------------------------------------------------------------------------- turn.c

/// Prepares all rotations of a set. On VN_OUT_OF_MEMORY nothing is held.
vn_status vni_voxel_turns_make(const vn_allocator* allocator, const vni_voxels* set, vni_voxel_turns* out);
void vni_voxel_turns_free(const vn_allocator* allocator, vni_voxel_turns* turns);
size_t vni_voxel_turns_bytes(const vni_voxel_turns* turns);

/// Writes the bricks and dims of `shape` turned by `turn` into `out`, of at least turns->capacity bricks.
void vni_voxel_turns_apply(const vni_voxel_turns* turns, const vni_voxels* shape, const vni_turn* turn,
                           vni_voxels* out);

#endif
