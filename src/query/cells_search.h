/// query/cells_search.h: the fast search: from both ends over cells, with exact entry points.
///
/// Not a graph search: the cost of a link depends on where its cell was entered. A cell is entered at the
/// point of the portal that makes the path from the parent's entry point over it to the other end shortest
/// (query/cells_enter.h). Each direction keeps one entry point for each cell; a new one replaces it when its
/// f = g + weight * distance to the other end is smaller. Where the two directions meet in a cell, which is
/// convex, the segment between their entry points is free. The search ends when no open cell can beat the
/// best meeting.
#ifndef VNI_QUERY_CELLS_SEARCH_H
#define VNI_QUERY_CELLS_SEARCH_H

#include "base/queue.h"
#include "cells/cells.h"
#include "graph/fuel.h"
#include "graph/observer.h"

/// The record of a cell in one direction: 32 bytes, so that the two directions share a cache line.
typedef struct vni_entry {
    float point[3]; ///< where the cell is entered, voxels
    float g, f;
    uint32_t parent; ///< id of the cell before; VNI_NO_CELL for the first
    uint32_t block;  ///< of the cell
    uint32_t stamp;  ///< generation, and the lowest bit: closed
} vni_entry;

/// Scratch and state; nothing is allocated after vni_cells_search_make.
typedef struct vni_cells_search {
    vn_allocator allocator;
    const vni_cells* cells;
    vni_entry (*entries)[2]; ///< by cell id and direction; aligned to 64 bytes within `block`
    void* block;             ///< as allocated
    vni_queue queues[2];
    uint32_t capacity; ///< cells
    uint32_t generation;
    float ends[2][3]; ///< start and goal, voxels
    float weight;
    float least;            ///< lower bound of the cost of one voxel of length
    const vni_zones* zones; ///< null: a segment costs its length
    float best;             ///< cost of the best path found so far
    uint32_t meeting;       ///< the cell where its two halves meet; VNI_NO_CELL if none yet
    uint32_t nearest;       ///< the cell expanded from the start that was entered nearest to the goal
    float nearest_distance;
    bool partial; ///< continue from the start when the goal's side is exhausted, to find `nearest`
    uint64_t expanded, budget;
    vn_status status;
    const vni_observer* observer; ///< may be null; set it after begin, which forgets it
    const vni_fuel* fuel;         ///< the same: a segment costs fuel, from the start's side to the goal's
    int start_side;               ///< for the observer: the direction that comes from the request's start
} vni_cells_search;

/// Allocates scratch for spaces of up to `capacity` cells.
vn_status vni_cells_search_make(const vn_allocator* allocator, uint32_t capacity, vni_cells_search* out);

/// A zeroed object is allowed.
void vni_cells_search_free(vni_cells_search* search);
size_t vni_cells_search_bytes(const vni_cells_search* search);

/// Starts between two points in voxels and the cells that hold them; `zones` may be null. VN_CAPACITY if the
/// space has too many cells. Ends in different components are known without a search: the first step returns
/// VN_NO_PATH.
vn_status vni_cells_search_begin(vni_cells_search* search, const vni_cells* cells, const float start[3],
                                 vni_cell_ref start_cell, const float goal[3], vni_cell_ref goal_cell,
                                 float weight, const vni_zones* zones, uint64_t budget, bool partial);

/// Expands up to `max_expansions` cells: VN_RUNNING, VN_OK, VN_NO_PATH, VN_BUDGET_SPENT.
vn_status vni_cells_search_step(vni_cells_search* search, uint64_t max_expansions);

/// The cells from start to goal, and between each two of them the point of crossing: `points` gets count - 1
/// of them. Writes up to `capacity` cells; returns how many there are, 0 if no path was found. After
/// VN_BUDGET_SPENT without a meeting: the cells from the start to the one entered nearest to the goal.
uint32_t vni_cells_search_corridor(const vni_cells_search* search, vni_cell_ref* out, float (*points)[3],
                                   uint32_t capacity);

#endif
