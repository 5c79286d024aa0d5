/// cells/cells.h: free space cut into few convex boxes (cells), and the rectangles where they meet (portals).
///
/// Each 64^3 block is cut on its own, by its own voxels alone: the result is canonical, and blocks can be
/// replaced one by one. A block's cells and the links between them are one immutable object; the links across
/// the face between two blocks are another, a seam.
///
/// A link needs little: all portals in one face of a cell lie in the plane of that face, so that only the
/// rectangle in the plane and the cell beyond are stored, four links to a group, as bytes relative to the
/// block. A face of a cell lies either inside the block, and its links are the block's, or on the block's own
/// face, and they are the seam's.
#ifndef VNI_CELLS_CELLS_H
#define VNI_CELLS_CELLS_H

#include "base/jobs.h"
#include "occupancy/occupancy.h"

#define VNI_NO_CELL UINT32_MAX

/// Faces are numbered 2 * axis + (1 for the high side).
#define VNI_FACES 6

/// Four links through one face: rectangles [low, high] along the two other axes (a before b) and the cells
/// beyond.
typedef struct vni_link_group {
    uint8_t low_a[4], high_a[4], low_b[4], high_b[4];
    uint32_t to[4]; ///< index in its block; VNI_NO_CELL from the end of the list on (its rectangle repeats
                    ///< the last one)
} vni_link_group;

typedef struct vni_cell {
    uint8_t low[3], high[3];   ///< [low, high) in voxels of the block, high up to 64
    uint32_t component;        ///< connected by links inside the block; below component_count
    uint32_t first_group;      ///< of its inner links, face after face
    uint16_t faces[VNI_FACES]; ///< an inner face: groups of links; a face on the block's own face: the cell's
                               ///< rank among those there
} vni_cell;

/// The cells of a block: first those made of whole free chunks, then those of each mixed chunk.
typedef struct vni_cell_block {
    vni_atomic references;
    uint32_t cell_count, group_count, component_count;
    uint32_t rank_count[VNI_FACES];               ///< cells on each face of the block
    uint32_t first_of_chunk[VNI_CHUNK_COUNT + 1]; ///< cells [first_of_chunk[c], first_of_chunk[c + 1]) were
                                                  ///< cut in the mixed chunk c
    vni_cell* cells;
    vni_link_group* groups;
    uint32_t* ranked[VNI_FACES]; ///< by rank: the cell
} vni_cell_block;

/// Links between block A (lower) and its neighbour B along an axis. Lists are by rank on the face: first
/// those of A, then those of B.
typedef struct vni_seam {
    vni_atomic references;
    uint32_t a_count, b_count, group_count;
    uint32_t* first; ///< a_count + b_count + 1
    vni_link_group* groups;
} vni_seam;

/// A block at a glance.
typedef struct vni_block_view {
    const vni_cell* cells;
    const vni_link_group* groups;
    uint32_t base;  ///< id of its first cell
    int32_t low[3]; ///< low corner in voxels
} vni_block_view;

/// All cells of a space.
typedef struct vni_cells {
    vn_allocator allocator;
    int32_t dims[3], blocks[3];
    uint32_t stride[3];     ///< from a block to its upper neighbour along each axis
    vni_block_view* views;  ///< by block: what a search needs of it, in half a cache line
    vni_cell_block** table; ///< as the occupancy's; never null
    vni_seam** seams[3];    ///< by the lower block: to its neighbour along the axis; null at the rim
    uint32_t* base; ///< block count + 1: id of each block's first cell; ids are below base[block count]
    uint32_t* component_base; ///< block count + 1
    uint32_t* components; ///< by component_base[block] + cell.component: label of the whole connected region,
                          ///< dense from 0
    uint32_t component_count;
    uint64_t link_count; ///< directed
} vni_cells;

/// Cuts all blocks in parallel; the same bytes for any number of workers. VN_OUT_OF_MEMORY, VN_CANCELLED,
/// VN_TOO_LARGE (2^32 cells or more): `out` is then empty.
vn_status vni_cells_make(const vn_allocator* allocator, const vni_occupancy* occupancy, const vn_jobs* jobs,
                         vn_progress* progress, void* progress_user, vni_cells* out, vn_detail* detail);

/// A zeroed object is allowed.
void vni_cells_free(vni_cells* cells);

/// Adds its parts to `out`.
void vni_cells_memory(const vni_cells* cells, vn_memory* out);
uint64_t vni_cells_hash(const vni_cells* cells);

/// A cell by its block and its index there.
typedef struct vni_cell_ref {
    uint32_t block, cell;
} vni_cell_ref;

/// The cell that holds a voxel; false if the voxel is blocked or outside.
bool vni_cells_find(const vni_cells* cells, vn_voxel voxel, vni_cell_ref* out);

/// Label of the connected region that a cell belongs to: two points can be joined exactly when their cells'
/// labels are equal.
static inline uint32_t vni_cells_component(const vni_cells* cells, vni_cell_ref ref) {
    return cells
        ->components[cells->component_base[ref.block] + cells->table[ref.block]->cells[ref.cell].component];
}

static inline uint32_t vni_cells_block_count(const vni_cells* cells) {
    return vni_block_count(cells->blocks);
}

/// The box of a cell in voxels of the space, [low, high).
static inline void vni_cell_bounds(const vni_block_view* view, const vni_cell* cell, int32_t low[3],
                                   int32_t high[3]) {
    for (int i = 0; i < 3; ++i) {
        low[i] = view->low[i] + cell->low[i];
        high[i] = view->low[i] + cell->high[i];
    }
}

static inline vn_voxel_box vni_cell_voxels(const vni_block_view* view, const vni_cell* cell) {
    int32_t low[3], high[3];
    vni_cell_bounds(view, cell, low, high);
    return (vn_voxel_box){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

/// All cells of the space; ids are below it.
static inline uint32_t vni_cells_count(const vni_cells* cells) {
    return cells->base[vni_cells_block_count(cells)];
}

/// Does this face of a cell lie on its block's own face?
static inline bool vni_cell_is_on_rim(const vni_cell* cell, uint32_t face) {
    return face & 1 ? cell->high[face >> 1] == VNI_BLOCK_SIZE : cell->low[face >> 1] == 0;
}

/// The seam's links through face `face` of a cell that lies on the rim of its block: how many groups, where
/// they are, and the block beyond.
static inline uint32_t vni_cells_rim_face(const vni_cells* cells, uint32_t block, const vni_cell* cell,
                                          uint32_t face, const vni_link_group** groups, uint32_t* beyond) {
    uint32_t axis = face >> 1, high = face & 1, list = cell->faces[face];
    uint32_t lower = high ? block : block - cells->stride[axis];
    if (!high && cells->views[block].low[axis] == 0)
        return 0;

    const vni_seam* seam = cells->seams[axis][lower];
    if (!seam)
        return 0;

    list += high ? 0 : seam->a_count;
    *groups = seam->groups + seam->first[list];
    *beyond = high ? block + cells->stride[axis] : lower;
    return seam->first[list + 1] - seam->first[list];
}

/// The links through any one face of a cell.
uint32_t vni_cells_face(const vni_cells* cells, vni_cell_ref ref, uint32_t face,
                        const vni_link_group** groups, uint32_t* beyond);

/// Checks everything against the occupancy, which must be valid itself: free voxels covered exactly once and
/// no blocked one, links symmetric and geometrically true and complete, lookup right, components and all
/// numbers right. Demands the order that vni_cells_make gives to lists, ranks and labels; any cover by cells
/// that lie inside one mixed chunk, or are made of whole free ones, will do.
///
/// Safe with whatever the tables and arrays hold: the caller promises only that each is as long as the counts
/// of its block or seam say, that `components` has an entry for each block's components, and that pointers of
/// arrays that are not empty are not null. VN_OK, VN_OUT_OF_MEMORY, or VN_BAD_DATA with what fails and where:
/// in the lowest block that fails, whatever the number of workers. O(bricks stored + cells + links); scratch
/// by the cells' allocator. `jobs` may be null.
vn_status vni_cells_validate_with(const vni_cells* cells, const vni_occupancy* occupancy, const vn_jobs* jobs,
                                  vn_detail* detail);

/// The same on this thread.
static inline vn_status vni_cells_validate(const vni_cells* cells, const vni_occupancy* occupancy,
                                           vn_detail* detail) {
    return vni_cells_validate_with(cells, occupancy, NULL, detail);
}

#endif
