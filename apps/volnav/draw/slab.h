/// volnav/draw/slab.h: one layer of voxels of a space: what is blocked, the cells that it cuts, and the
/// portals between them.
///
/// A layer lies across one axis of the space; its own two axes are `right` and `other`. All numbers are
/// voxels of the space.
#ifndef LAYER_H
#define LAYER_H

#include "volnav/space.h"

/// Cells never reach over the borders of blocks of this many voxels.
#define LAYER_BLOCK 64

typedef struct layer_rect {
    int32_t low[2], high[2]; ///< [low, high) along right and other
} layer_rect;

typedef struct layer_cell {
    layer_rect rect;
    uint64_t volume; ///< voxels of the whole cell
} layer_cell;

/// A stretch of the line at `at` of axis `across` (0 right, 1 other) that two cells share.
typedef struct layer_portal {
    int across;
    int32_t at, low, high; ///< from low to high along the other of the two axes
} layer_portal;

typedef struct layer {
    const vn_space* space;
    vn_space_info info;
    int axis, right, other;
    int32_t number;    ///< along the axis
    layer_rect window; ///< what is looked at
    layer_cell* cells;
    size_t cell_count, cell_capacity;
    layer_rect* blocked; ///< rectangles of blocked voxels, none on another
    size_t blocked_count, blocked_capacity;
    layer_portal* portals;
    size_t portal_count, portal_capacity;
    uint64_t blocked_voxels; ///< within the window
} layer;

/// Everything within the window, which lies inside the space. Returns EXIT_DONE, or EXIT_BAD after a message
/// if there are too many voxels to look at. Free with layer_free either way.
int layer_make(const vn_space* space, int axis, int32_t number, layer_rect window, layer* out);
void layer_free(layer* l);

/// The whole layer.
layer_rect layer_extent(const vn_space* space, int axis);

/// The two axes of a layer across `axis`: x and z as seen from above, z and y from the right, x and y from
/// the front.
void layer_axes(int axis, int* right, int* other);

/// A portal between cells of two blocks?
static inline bool layer_is_seam(const layer_portal* portal) {
    return portal->at % LAYER_BLOCK == 0;
}

static inline int32_t layer_of(vn_voxel v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

#endif
