/// volnav/draw/slice.h: a flat picture of one slab of voxels, as SVG: blocked voxels and the cells that it
/// cuts, by size, with their portals; or what a search did there, and paths before and after each pass.
#ifndef SLICE_H
#define SLICE_H

#include "draw/picture.h"
#include "volnav/classic.h"

/// What --slice asked for: an axis, and perhaps where along it, in metres.
typedef struct slice_place {
    int axis;
    bool has_at;
    double at;
} slice_place;

/// Reads "y" or "y=12.5". EXIT_DONE, or EXIT_BAD after a message.
int slice_parse(const char* text, slice_place* out);

/// The slab at that place; if none was given the one at `otherwise` (metres; not a number: the middle).
/// EXIT_BAD after a message if it lies outside the space.
int slice_find(const vn_space* space, const slice_place* place, double otherwise, int32_t* number);

/// What to draw. Make it with {0} and fill in.
typedef struct slice_plan {
    const vn_space* space;
    const vn_classic* tree; ///< show its boxes instead of the cells; may be null
    const char* title;
    int axis;
    int32_t slab;
    const vn_query* query;       ///< show its last search instead of the sizes of cells; may be null
    uint64_t expanded;           ///< by that search
    const char* unit;            ///< of what it expanded: "cell" or "voxel"
    const picture_route* routes; ///< seen along the axis, up to four; the last one is drawn last and boldest
    uint32_t route_count;
    bool has_marks; ///< show the two ends although there is no path
    vn_dvec3 marks[2];
    double snapped[2];  ///< metres from marks[i] to that end of the path; 0: it was not moved
    const char* reason; ///< with them: why, in a few words
} slice_plan;

/// Returns EXIT_DONE, or EXIT_BAD after a message; a file that cannot be written whole is not written at all.
/// The picture shows the whole slab; with routes, their surroundings.
int slice_write(const char* path, const slice_plan* plan);

#endif
