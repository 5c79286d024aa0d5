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

/// A nav; see volnav/nav.h.
typedef struct vn_nav vn_nav;

/// Parts of a nav to draw.
typedef enum vn_nav_draw_parts {
    VN_DRAW_OBSTACLES = 1, ///< as vn_world_draw, as the last update left them. While an update is running,
                           ///< only those that can move, as boxes around them
    VN_DRAW_PENDING = 2,   ///< boxes around what changes that no version shows yet will block
    VN_DRAW_CELLS = 4,     ///< as vn_space_draw_cells, of the newest version as of the last tick
    VN_DRAW_WATCHES = 8,   ///< watched paths: the way ahead bright, the way behind pale; and a cross with the
                           ///< word "blocked" at the first blocked place ahead of the agent, if any
    VN_DRAW_ALL = 15
} vn_nav_draw_parts;

/// Draws parts of a nav (bits of vn_nav_draw_parts) that touch `box` (local; null: all); watched paths are
/// drawn whole. The cells are those of the layer for an agent (vn_layers_find); none if there is no such
/// layer. On the host's thread; does not wait.
VN_API uint32_t vn_nav_draw(const vn_nav* nav, uint32_t parts, const vn_box* box, double radius,
                            uint32_t open_flags, const vn_draw* draw);

/// Draws a hit: a line from `from` to it, the contact as a small cross, the normal one voxel long.
VN_API uint32_t vn_hit_draw(const vn_space* space, vn_point from, const vn_hit* hit, const vn_draw* draw);

#endif
