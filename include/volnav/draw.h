/// volnav/draw.h: debug drawing. volnav generates lines, boxes, triangles and text; callbacks of the host
/// draw them.
///
/// All coordinates are world coordinates. Nothing here allocates. Functions may be called on any thread that
/// may read the object drawn.
#ifndef VOLNAV_DRAW_H
#define VOLNAV_DRAW_H

#include "volnav/query.h"

/// 0xRRGGBBAA.
typedef uint32_t vn_color;

/// Callbacks of the host. Those that are null are not called.
typedef struct vn_draw {
    void (*line)(void* user, vn_dvec3 a, vn_dvec3 b, vn_color color);
    void (*box)(void* user, vn_dvec3 low, vn_dvec3 high, vn_color color);
    void (*triangle)(void* user, vn_dvec3 a, vn_dvec3 b, vn_dvec3 c, vn_color color);
    void (*text)(void* user, vn_dvec3 at, const char* text, vn_color color);
    void* user;
    uint32_t max_calls; ///< limit on the calls of one drawing function; 0: none
} vn_draw;

// Each function returns the number of calls made; max_calls if it stopped there.

/// Draws the obstacles whose bounds touch `box` (local; null: all), in slot order. Boxes and voxel sets are
/// drawn as boxes (a set's voxels as runs along x), the others as triangles, counter-clockwise seen from
/// outside; a sphere has 320. Of meshes and voxel sets only the triangles and runs that touch the box are
/// drawn. Obstacles with flags and unknown space have their own colours.
VN_API uint32_t vn_world_draw(const vn_world* world, const vn_box* box, const vn_draw* draw);

/// Draws the bounds of the space, and the blocked voxels of [low, high) as boxes, one per run along x.
VN_API uint32_t vn_space_draw_blocked(const vn_space* space, vn_voxel low, vn_voxel high,
                                      const vn_draw* draw);

/// Draws the cells that touch [low, high) as boxes, coloured by component.
VN_API uint32_t vn_space_draw_cells(const vn_space* space, vn_voxel low, vn_voxel high, const vn_draw* draw);

/// Draws the last search, finished or running: the cells or voxels expanded (the corridor brighter); the path
/// as lines, connections dashed in another colour; start, goal and length as text; a goal box as a box; after
/// a failure the reason as text at the end at fault, and a line to the nearest free point. Draws nothing
/// before the first search.
VN_API uint32_t vn_query_draw(const vn_query* query, const vn_draw* draw);

/// Draws a hit: a line from `from` to it, the contact as a small cross, the normal one voxel long.
VN_API uint32_t vn_hit_draw(const vn_space* space, vn_point from, const vn_hit* hit, const vn_draw* draw);

#endif
