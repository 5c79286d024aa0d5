/// volnav/draw/corridors.h: paths through a scene with a clock, drawn over each other, as SVG for a page: for
/// each panel the scene at one time from the front and from above, and the paths with their names below.
#ifndef CORRIDORS_H
#define CORRIDORS_H

#include "draw/svg.h"
#include "volnav/sim.h"

typedef struct corridors_path {
    const char* name;
    const vn_dvec3* points; ///< metres
    uint32_t count;
    bool pale; ///< dashed
} corridors_path;

typedef struct corridors_panel {
    const char* title;
    double seconds;
    const corridors_path* paths; ///< the last is drawn last
    uint32_t count;
} corridors_panel;

typedef struct corridors_plan {
    const char* title;
    const vn_moving_scene* scene;     ///< one with an agent
    const corridors_panel* panels[2]; ///< side by side
} corridors_plan;

/// 900 pixels wide.
void corridors_draw(const corridors_plan* plan, svg_text* out);

#endif
