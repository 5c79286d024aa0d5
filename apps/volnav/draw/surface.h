/// volnav/draw/surface.h: what each triangle of the image lattice shows.
#ifndef SURFACE_H
#define SURFACE_H

#include "draw/view.h"

enum {
    SURFACE_TOP = 0,
    SURFACE_LEFT = 1,
    SURFACE_RIGHT = 2
}; ///< the faces that look up, along +z and along +x

/// Arrays of columns * (rows + 1) triangles, see surface_at. A label of 0 shows nothing.
typedef struct surface {
    int columns, rows;
    int32_t* face;         ///< nearest face that is not cut away: cell index * 3 + side, or -1
    int32_t* ghost;        ///< nearest face that was cut away to show a path, or -1
    uint16_t* label;       ///< shade of the face
    uint16_t* haze;        ///< 1 to SURFACE_HAZE: how much of what the search saw lies in front of the face
    uint16_t* veil;        ///< ghost: 1 + side
    uint16_t* floor;       ///< 1: the floor lies in the shadow of something
    int32_t* shell;        ///< nearest face of a box that was expanded, hidden or not: box * 3 + side, or -1
    int32_t* tunnel;       ///< the same of the corridor's boxes
    uint16_t* shell_seen;  ///< 1 + side where the shell is not hidden
    uint16_t* tunnel_seen; ///< 1 + side where the tunnel is not hidden
} surface;

enum { SURFACE_HAZE = 5, SURFACE_BANDS = 16 };
enum { SURFACE_SECTION = 3 * SURFACE_BANDS * 3 * 2 + 1 }; ///< the label of walls that are cut

void surface_make(const view* v, const picture_plan* plan, surface* out);
void surface_free(surface* s);

/// Colour of a label, 0xRRGGBB.
uint32_t surface_colour(uint16_t label);

static inline size_t surface_at(const surface* s, int u, int w) {
    return (size_t)u * (size_t)(s->rows + 1) + (size_t)w;
}

/// True when the top of that cell is seen; y = -1 is the floor.
bool surface_top_seen(const view* v, const surface* s, int x, int y, int z);

/// Depth of a face's cell: the larger, the nearer to the eye.
int surface_depth(const view* v, int32_t face);

#endif
