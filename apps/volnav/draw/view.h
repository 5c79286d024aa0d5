/// volnav/draw/view.h: the part of a space that a picture shows, turned towards the viewer, and the lattice
/// of the image.
///
/// View axes: x to the lower right, z to the lower left, y up; the eye is at +x +y +z. A view point (x, y, z)
/// appears at the image lattice point u = x - z, v = x + z - 2y; one step of u is sqrt(3)/2 and one of v is
/// 1/2 of the length of a cell's edge. Triangle (u, w) lies between the columns u and u+1, with its corners
/// at the rows w-1, w and w+1.
#ifndef VIEW_H
#define VIEW_H

#include "draw/picture.h"

enum {
    VIEW_BLOCKED = 1,
    VIEW_SEEN = 2,
    VIEW_SECTION = 4 ///< blocked, and what was above it is cut away
};

/// A box [low, high) of cells, in view axes, that a cells search expanded.
typedef struct view_box {
    int low[3], high[3];
    bool in_corridor;
} view_box;

typedef struct view {
    const vn_space* space;
    vn_space_info info;
    vn_voxel low, high; ///< the voxels shown, [low, high); beyond the space where an end lies outside
    int level;          ///< a cell is 2^level voxels wide
    int turn;           ///< quarter turns about the upright axis
    int size[3];        ///< cells, in view axes
    uint8_t* cells;     ///< see view_cell
    bool roof_cut;      ///< what is above the paths is left out
    bool solid_outside; ///< the border is mostly blocked, so that what is inside is a cave
    int columns, rows;  ///< of the image lattice
    view_box* boxes;    ///< of the last search, as far as the picture reaches, if it was over cells
    int box_count;
} view;

/// A point in view axes, in cells.
typedef struct view_point {
    double x, y, z;
} view_point;

/// Chooses what to show and from which side, so that as little as possible hides the paths. `coarser` levels
/// are added. Free with view_free.
void view_make(const picture_plan* plan, int coarser, view* out);
void view_free(view* v);

/// Flags of a cell; outside it is VIEW_BLOCKED or 0 by solid_outside.
int view_cell(const view* v, int x, int y, int z);

view_point view_of_point(const view* v, vn_point point);
view_point view_of_position(const view* v, vn_dvec3 position);

/// Calls `visit` along the path in steps of at most half a cell.
typedef void view_visit(void* user, view_point point);
void view_walk_all(const view* v, const picture_plan* plan, view_visit* visit,
                   void* user); ///< routes, and ends
void view_walk(const view* v, const vn_point* points, uint32_t count, view_visit* visit, void* user);

static inline size_t view_index(const view* v, int x, int y, int z) {
    return ((size_t)y * (size_t)v->size[2] + (size_t)z) * (size_t)v->size[0] + (size_t)x;
}

/// Lattice coordinates from the upper left corner of the image.
static inline double view_u(const view* v, view_point p) {
    return p.x - p.z + v->size[2];
}

static inline double view_v(const view* v, view_point p) {
    return p.x + p.z - 2 * p.y + 2 * v->size[1];
}

#endif
