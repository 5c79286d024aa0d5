/// cells/cells.h: divides free space into few convex boxes (cells) and stores the rectangles where they meet
/// (links), so that a search expands boxes instead of voxels.
///
/// A cell is the 3D form of a polygon of a navigation mesh; its links are the portals of that mesh.
///
/// Each 64^3 block is cut from its own voxels alone. So the result is canonical, blocks are cut in parallel,
/// and a block is replaced without touching the others. The cells of a block and the links between them are
/// one immutable object, vni_cell_block; the links across the face between two blocks are another, vni_seam:
///
///     +-----------+-----------+
///     |  block    S  block    |      B - S - B        S, T: seams, stored by the lower of the two
///     +-----T-----+-----T-----+      T       T        blocks and the axis
///     |  block    S  block    |      B - S - B
///     +-----------+-----------+
///
/// A link needs little memory: all links through one face of a cell lie in the plane of that face, so only
/// the rectangle within the plane and the cell beyond are stored, as bytes relative to the block, four links
/// to a group (32 bytes: one SIMD load for the rectangles, one for the cells). A face of a cell lies either
/// inside the block, and its links belong to the block, or on the rim of the block, and they belong to the
/// seam.
#ifndef VNI_CELLS_CELLS_H
#define VNI_CELLS_CELLS_H

#include "base/jobs.h"
#include "occupancy/occupancy.h"

#define VNI_NO_CELL UINT32_MAX

/// Faces are numbered 2 * axis + (1 for the high side).
#define VNI_FACES 6

/// Four links through one face: rectangles [low, high] along the two other axes (a before b, as in
/// vni_other_axes) and the cells beyond. A list of links is a run of groups, in order of the low corners (b,
/// then a).
typedef struct vni_link_group {
    uint8_t low_a[4], high_a[4], low_b[4], high_b[4];
    uint32_t
        to[4]; ///< index in its block; VNI_NO_CELL after the last link, whose rectangle is repeated there
} vni_link_group;

typedef struct vni_cell {
    uint8_t low[3], high[3];   ///< [low, high) in voxels of the block, high up to 64
    uint32_t component;        ///< cells of a component are connected by links inside the block
    uint32_t first_group;      ///< of its links inside the block, face after face
    uint16_t faces[VNI_FACES]; ///< a face inside the block: count of groups; a face on the rim of the block:
                               ///< the cell's rank among the cells there
} vni_cell;

/// The cells of a block: first the whole cells, made of whole free chunks, then those of each mixed chunk.
typedef struct vni_cell_block {
    vni_atomic references;
    uint32_t cell_count, group_count, component_count;
    uint32_t rank_count[VNI_FACES];               ///< cells on each face of the block
    uint32_t first_of_chunk[VNI_CHUNK_COUNT + 1]; ///< cells [first_of_chunk[c], first_of_chunk[c + 1]) lie in
                                                  ///< the mixed chunk c; whole cells are below the first
    vni_cell* cells;
    vni_link_group* groups;
    uint32_t* ranked[VNI_FACES]; ///< by rank: the cell
} vni_cell_block;

/// Links between block A (lower) and its neighbour B along an axis: one list for each cell on the face, by
/// rank, first those of A, then those of B. Each link is stored in both directions.
typedef struct vni_seam {
    vni_atomic references;
    uint32_t a_count, b_count, group_count;
    uint32_t* first; ///< a_count + b_count + 1
    vni_link_group* groups;
} vni_seam;

/// The fields of a block that a search reads, in half a cache line.
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
    uint32_t stride[3];     ///< from a block to its upper neighbour along each axis, in the tables
    vni_block_view* views;  ///< by block
    vni_cell_block** table; ///< by block, as in the occupancy; never null
    vni_seam** seams[3];    ///< by axis and lower block; null at the upper end of the space
    uint32_t* base; ///< block count + 1: id of each block's first cell; ids are below base[block count]
    uint32_t* component_base; ///< block count + 1
    uint32_t* components; ///< by component_base[block] + cell.component: label of the connected region of the
                          ///< space, dense from 0
    uint32_t component_count;
    uint64_t link_count; ///< both directions count
} vni_cells;

/// Cuts all blocks, then all seams, in parallel; the same bytes for any number of workers. VN_OUT_OF_MEMORY,
/// VN_CANCELLED, VN_TOO_LARGE (2^32 cells or more): `out` is then empty.
vn_status vni_cells_make(const vn_allocator* allocator, const vni_occupancy* occupancy, const vn_jobs* jobs,
                         vn_progress* progress, void* progress_user, vni_cells* out, vn_detail* detail);

/// A zeroed object is allowed.
void vni_cells_free(vni_cells* cells);

/// Adds the memory of each part to `out`.
void vni_cells_memory(const vni_cells* cells, vn_memory* out);
uint64_t vni_cells_hash(const vni_cells* cells);

/// A cell by its block and its index there.
typedef struct vni_cell_ref {
    uint32_t block, cell;
} vni_cell_ref;

/// The cell that holds a voxel; false if the voxel is blocked or outside.
bool vni_cells_find(const vni_cells* cells, vn_voxel voxel, vni_cell_ref* out);

/// Label of the connected region that a cell belongs to: a path between two points exists exactly when the
/// labels of their cells are equal. O(1).
static inline uint32_t vni_cells_component(const vni_cells* cells, vni_cell_ref ref) {
    return cells
        ->components[cells->component_base[ref.block] + cells->table[ref.block]->cells[ref.cell].component];
}

/// Some components, by label. A point touches at most eight.
typedef struct vni_components {
    uint32_t labels[8], count;
} vni_components;

static inline bool vni_components_have(const vni_components* components, uint32_t label) {
    for (uint32_t i = 0; i < components->count; ++i)
        if (components->labels[i] == label)
            return true;
    return false;
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

/// Does this face of a cell lie on the face of its block? Then its links are in the seam.
static inline bool vni_cell_is_on_rim(const vni_cell* cell, uint32_t face) {
    return face & 1 ? cell->high[face >> 1] == VNI_BLOCK_SIZE : cell->low[face >> 1] == 0;
}

/// The links through a face of a cell on the rim of its block: returns the count of groups, 0 at the rim of
/// the space; `*groups` and `*beyond`, the block that the links lead to, are set if it is not 0.
static inline uint32_t vni_cells_rim_face(const vni_cells* cells, uint32_t block, const vni_cell* cell,
                                          uint32_t face, const vni_link_group** groups, uint32_t* beyond) {
    uint32_t axis = face >> 1, high = face & 1, list = cell->faces[face];
    uint32_t lower = high ? block : block - cells->stride[axis];
    if (!high && cells->views[block].low[axis] == 0)
        return 0;

    const vni_seam* seam = cells->seams[axis][lower];
    if (seam == NULL)
        return 0;

    // through a high face the block is side A of the seam, through a low one side B
    list += high ? 0 : seam->a_count;
    *groups = seam->groups + seam->first[list];
    *beyond = high ? block + cells->stride[axis] : lower;
    return seam->first[list + 1] - seam->first[list];
}

/// The links through any face of a cell, returned as by vni_cells_rim_face.
uint32_t vni_cells_face(const vni_cells* cells, vni_cell_ref ref, uint32_t face,
                        const vni_link_group** groups, uint32_t* beyond);

/// Checks everything against the occupancy, which must be valid itself: each free voxel lies in exactly one
/// cell and no blocked one in any; links are symmetric, complete and geometrically right; lookup, components
/// and all counts are right. Lists, ranks and labels must have the order that vni_cells_make gives them; the
/// cells may be any that lie inside one mixed chunk or consist of whole free ones.
///
/// Safe for any content of the tables and arrays. Precondition: each array is as long as the counts of its
/// block or seam say, `components` has an entry for each component of each block, and pointers to arrays that
/// are not empty are not null. VN_OK, VN_OUT_OF_MEMORY, or VN_BAD_DATA with what is wrong in the lowest block
/// at fault, whatever the number of workers. O(bricks stored + cells + links); scratch comes from the
/// allocator of the cells. `jobs` may be null: the calling thread.
vn_status vni_cells_validate_with(const vni_cells* cells, const vni_occupancy* occupancy, const vn_jobs* jobs,
                                  vn_detail* detail);

/// The same on the calling thread.
static inline vn_status vni_cells_validate(const vni_cells* cells, const vni_occupancy* occupancy,
                                           vn_detail* detail) {
    return vni_cells_validate_with(cells, occupancy, NULL, detail);
}

#endif
