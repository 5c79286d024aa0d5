/// volnav/draw/picture.h: an isometric picture of a space, its paths and what a search looked at, as SVG.
///
/// The view is the isometric one, in which each voxel face covers two triangles of a regular lattice of the
/// image. So hidden surfaces are found exactly, one nearest face for each triangle, and equal neighbours join
/// into outlines: files stay small, and nothing is painted twice. What would hide a path is cut away around
/// it and drawn as a ghost; indoors, everything above the paths is left out. Voxels that a search looked at
/// are a haze; cells are boxes, those of the corridor brighter.
#ifndef PICTURE_H
#define PICTURE_H

#include "draw/svg.h"
#include "volnav/classic.h"
#include "volnav/space.h"

typedef struct picture_route {
    const char* label; ///< "" for none
    const vn_point* points;
    uint32_t count;
    double length; ///< metres
    bool partial;
} picture_route;

/// What to draw. Make it with {0} and fill in.
typedef struct picture_plan {
    const vn_space* space;
    const char* title;
    const char* algo;
    const picture_route* routes;
    uint32_t route_count;
    const vn_query* query;           ///< whose last search's footprint is shown; may be null
    const vn_classic_query* classic; ///< the same of a search by volnav/classic.h
    bool boxes;                      ///< of that: it expands boxes, not voxels
    uint64_t expanded;
    bool has_marks;     ///< show the two ends although there is no path
    vn_dvec3 marks[2];  ///< where they were asked for
    double snapped[2];  ///< metres from marks[i] to that end of the path; 0: it was not moved
    const char* reason; ///< with them: why, in a few words
    bool has_spot;      ///< show one more place
    vn_dvec3 spot;
    const char* spot_label;
} picture_plan;

/// Is that end shown where it was asked for?
static inline bool picture_shows_mark(const picture_plan* plan, int which) {
    return plan->has_marks || plan->snapped[which] > 0;
}

/// EXIT_DONE when the name suits a picture: it ends with .svg, or is a device or pipe. Else EXIT_BAD after a
/// message. To be asked before the search, so that a slip costs no waiting.
int picture_check_name(const char* path);

/// Writes a text that is a whole picture, and frees it; the name is checked first. Returns as picture_write.
int picture_save(const char* path, svg_text* text);

/// Returns EXIT_DONE, or EXIT_BAD after a message; a file that cannot be written whole is not written at all.
int picture_write(const char* path, const picture_plan* plan);

#endif
