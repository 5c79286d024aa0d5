/// world/moving.h: obstacles that move: a shape in a frame of its own, and where that frame is. Inside this
/// room only.
///
/// The record that the other rooms read (vni_obstacle) is always the shape where it is now, in arrays of its
/// own that are written anew at every move; it depends on the shape and the place alone.
#ifndef VNI_WORLD_MOVING_H
#define VNI_WORLD_MOVING_H

#include "world/world.h"

/// A turn that maps axes to axes: the shape's axis i goes to axis[i] of the world, backwards if flip[i].
typedef struct vni_turn {
    uint8_t axis[3];
    bool flip[3];
} vni_turn;

/// The bricks of a voxel set for every way to turn it. Seen backwards along an axis whose dimension is not a
/// multiple of 4, its voxels lie in other bricks: so there is a list for each set of such axes.
typedef struct vni_voxel_turns {
    vni_voxel_brick* lists[8]; ///< by set of axes; null where it is not needed; [0] is the shape's own
    uint32_t counts[8];
    uint32_t room; ///< the longest of them
    vni_turn now;  ///< that the placed bricks have
} vni_voxel_turns;

struct vni_motion {
    vn_transform place;
    vn_vec3 velocity;
    vni_obstacle shape; ///< in its own frame; never changes
    vni_voxel_turns turns;
};

/// The record of a shape that moves, at its first place; `leaf` excepted. On failure nothing is held. Free it
/// with vni_obstacle_free.
vn_status vni_moving_make(const vn_allocator* allocator, const vn_shape* shape, const vn_transform* place,
                          vni_obstacle* out, vn_detail* detail);

/// What a moving obstacle holds, its record's arrays included.
void vni_moving_free(const vn_allocator* allocator, vni_obstacle* obstacle);
size_t vni_moving_bytes(const vni_obstacle* obstacle);

/// Puts it at `place`. Allocates nothing; on failure (VN_BAD_DATA, VN_UNSUPPORTED) nothing has changed.
vn_status vni_moving_place(vni_obstacle* obstacle, const vn_transform* place, vn_detail* detail);

// -------------------------------------------------------------------------------------------------- turn.c

/// Prepares all turns of a set. VN_OUT_OF_MEMORY holds nothing.
vn_status vni_voxel_turns_make(const vn_allocator* allocator, const vni_voxels* set, vni_voxel_turns* out);
void vni_voxel_turns_free(const vn_allocator* allocator, vni_voxel_turns* turns);
size_t vni_voxel_turns_bytes(const vni_voxel_turns* turns);

/// Writes the bricks and dims of `shape` turned by `turn` into `out`, whose bricks have room for turns->room.
void vni_voxel_turns_apply(const vni_voxel_turns* turns, const vni_voxels* shape, const vni_turn* turn,
                           vni_voxels* out);

#endif
