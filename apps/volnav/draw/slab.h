/// volnav/draw/slab.h: a slab, one voxel thick, of a space: its blocked voxels, the cells or the boxes of a
/// tree that it cuts, and the portals between them.
///
/// A slab lies across one axis of the space; its own two axes are `right` and `other`. All numbers are
/// voxels of the space.
#ifndef SLAB_H
#define SLAB_H

#include "volnav/classic.h"
#include "volnav/space.h"

/// Cells never reach over the borders of blocks of this many voxels.
#define SLAB_BLOCK 64

typedef struct slab_rect {
    int32_t low[2], high[2]; ///< [low, high) along right and other
} slab_rect;

typedef struct slab_cell {
    slab_rect rect;
    uint64_t volume; ///< voxels of the whole cell
} slab_cell;

/// A stretch of the line at `at` of axis `across` (0 right, 1 other) that two cells share.
typedef struct slab_portal {
    int across;
    int32_t at, low, high; ///< from low to high along the other of the two axes
} slab_portal;

typedef struct slab {
    const vn_space* space;
    vn_space_info info;
    int axis, right, other;
    int32_t number;   ///< along the axis
    slab_rect window; ///< what is looked at
    slab_cell* cells;
    size_t cell_count, cell_capacity;
    slab_rect* blocked; ///< rectangles of blocked voxels, none on another
    size_t blocked_count, blocked_capacity;
    slab_portal* portals;
    size_t portal_count, portal_capacity;
    uint64_t blocked_voxels; ///< within the window
} slab;

/// Everything within the window, which lies inside the space; with a tree over the space (may be null) its
/// boxes instead of the cells, and info.cells and info.links are the tree's. Returns EXIT_DONE, or EXIT_BAD
/// after a message if there are too many voxels to look at. Free with slab_free either way.
int slab_make(const vn_space* space, const vn_classic* tree, int axis, int32_t number, slab_rect window,
              slab* out);
void slab_free(slab* s);

/// The whole slab.
slab_rect slab_extent(const vn_space* space, int axis);

/// The two axes of a slab across `axis`: x and z as seen from above, z and y from the right, x and y from
/// the front.
void slab_axes(int axis, int* right, int* other);

/// True for a portal between cells of two blocks.
static inline bool slab_is_seam(const slab_portal* portal) {
    return portal->at % SLAB_BLOCK == 0;
}

/// The coordinate along an axis.
static inline int32_t slab_along(vn_voxel v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

#endif
