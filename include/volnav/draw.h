/// volnav/draw.h: debug drawing through a sink: volnav says what to draw, the host draws it.
///
/// Everything is in world coordinates. Nothing here allocates; all may be called from any thread that may
/// read the object drawn.
#ifndef VOLNAV_DRAW_H
#define VOLNAV_DRAW_H

#include "volnav/query.h"

/// 0xRRGGBBAA.
typedef uint32_t vn_color;

/// What the host offers. A null function is skipped.
typedef struct vn_draw {
    void (*line)(void* user, vn_dvec3 a, vn_dvec3 b, vn_color color);
    void (*box)(void* user, vn_dvec3 low, vn_dvec3 high, vn_color color);
    void (*triangle)(void* user, vn_dvec3 a, vn_dvec3 b, vn_dvec3 c, vn_color color);
    void (*text)(void* user, vn_dvec3 at, const char* text, vn_color color);
    void* user;
    uint32_t limit; ///< calls after which a function here stops, so that nothing floods the host; 0: none
} vn_draw;

/// Each returns how many calls it made; one that stopped at the limit has made exactly that many.

/// The obstacles whose bounds touch `box` (local; null: all), in order of slot: boxes and voxel sets as boxes
/// (a set's voxels as runs along x), the others as triangles, counter-clockwise from outside; spheres as 320
/// triangles. Of a mesh and of a voxel set only the triangles and runs that touch the box. Obstacles with
/// flags, and those that stand for unseen space, have colours of their own.
VN_API uint32_t vn_world_draw(const vn_world* world, const vn_box* box, const vn_draw* draw);

/// The bounds of the space, and the blocked voxels of [low, high) as boxes, one for each run along x.
VN_API uint32_t vn_space_draw_blocked(const vn_space* space, vn_voxel low, vn_voxel high, const vn_draw* draw);

/// The cells that touch [low, high): a box each, coloured by component.
VN_API uint32_t vn_space_draw_cells(const vn_space* space, vn_voxel low, vn_voxel high, const vn_draw* draw);

/// The last search, also one that is running: cells or voxels that it expanded (the corridor brighter), the
/// path as lines, links dashed in another colour, its start, goal and length as text, a goal that is a box as
/// a box; for a failure the reason as text at the end at fault, and a line to the nearest free point. Nothing
/// if nothing has been asked yet.
VN_API uint32_t vn_query_draw(const vn_query* query, const vn_draw* draw);

/// A hit: the way to it from `from`, the contact as a small cross, the normal one voxel long.
VN_API uint32_t vn_hit_draw(const vn_space* space, vn_point from, const vn_hit* hit, const vn_draw* draw);

#endif
