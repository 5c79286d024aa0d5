/// volnav/draw/scene_view.h: a scene with a clock at one time, seen from the front (x to the right, y up) or
/// from above (x to the right, z down), as parts of an SVG.
#ifndef SCENE_VIEW_H
#define SCENE_VIEW_H

#include "draw/svg.h"
#include "volnav/sim.h"

/// Where and how large. Make it with scene_view_make and set the place.
typedef struct scene_view {
    svg_text* out;
    const vn_moving_scene* scene;
    vn_moving_scene_info info;
    bool above;
    double scale;      ///< pixels to a metre
    double wide, high; ///< pixels
    double left, top;
} scene_view;

/// `wide`: pixels.
scene_view scene_view_make(svg_text* out, const vn_moving_scene* scene, bool above, double wide);

/// `style`: attributes of the <path>.
void scene_view_box(const scene_view* v, const vn_box* box, const char* style);
void scene_view_walls(const scene_view* v, const char* style);

/// All movers in their colours; one that is away is dashed. `reach`: and where each can get to, pale.
void scene_view_movers(const scene_view* v, double seconds, bool reach);
void scene_view_ball(const scene_view* v, vn_vec3 at, const char* colour);

/// A path through positions in metres, moved by `shift` pixels to the right and down, so that lines on each
/// other can be told apart.
void scene_view_line(const scene_view* v, const vn_dvec3* points, uint32_t count, double shift,
                     const char* style);

#endif
