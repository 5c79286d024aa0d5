/// volnav/changes.h: what a version of a nav changed against the one before: voxels, cells, zones and
/// obstacles. Immutable; read with vn_nav_get_changes (volnav/nav.h) on any thread.
#ifndef VOLNAV_CHANGES_H
#define VOLNAV_CHANGES_H

#include "volnav/graph.h"
#include "volnav/world.h"

/// 4 x 4 x 4 voxels, of which at least one changed. Bit x + 4 y + 16 z is the voxel low + (x, y, z); a set
/// bit is a blocked one. So `after & ~before` became blocked, `before & ~after` became free.
typedef struct vn_brick_change {
    vn_voxel low; ///< multiples of 4
    uint64_t before, after;
} vn_brick_change;

/// The changes of one layer.
typedef struct vn_layer_changes {
    float radius; ///< which layer
    uint32_t open_flags;
    const vn_brick_change* bricks; ///< each once, block by block
    uint32_t brick_count;
    const vn_voxel_box* cells_went; ///< cells that are no more, block by block
    const vn_voxel_box* cells_came; ///< cells that were not before
    uint32_t cells_went_count, cells_came_count;
} vn_layer_changes;

/// An obstacle that came, went, moved, or got other flags. One that came and went in between is not listed;
/// one whose slot another took is: it went, and the other came. Batches of a sensor (vn_nav_sense) are not
/// listed, their voxels are in the bricks: a sensed set has the voxels that it had when it was listed first.
typedef struct vn_obstacle_change {
    vn_obstacle_id id;
    bool was, is;          ///< in the version before; in this one
    bool moves;            ///< it was added as a moving one; otherwise both transforms are the identity
    const vn_shape* shape; ///< in its own frame, with its own arrays; a rotation is normalised. As it was
                           ///< added, but a voxel set is given by its voxels, each once, and a mesh says
                           ///< whether it is solid in fact
    vn_transform before, after;         ///< if it was; if it is
    vn_box bounds_before, bounds_after; ///< local metres; likewise
    uint32_t flags_before, flags_after; ///< likewise
} vn_obstacle_change;

typedef struct vn_changes {
    uint64_t version;
    const vn_layer_changes* layers; ///< one a layer, in the nav's order; static ones have no changes
    uint32_t layer_count;
    const vn_box* zones; ///< local metres: old and new extents of zones that came, went or moved
    uint32_t zone_count;
    const vn_obstacle_change* obstacles;
    uint32_t obstacle_count;
} vn_changes;

#endif
