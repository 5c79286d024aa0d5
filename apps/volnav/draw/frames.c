/// volnav/draw/frames.c: a scene at a few times, with agent, goal and path.
#include "draw/frames.h"

#include <math.h>
#include <stdio.h>

#include "draw/picture.h"
#include "draw/scene_view.h"
#include "draw/sheet.h"
#include "shell/say.h"

#define TOP    112.0
#define GAP    40.0 // between the frames of a row
#define LABEL  34.0 // above each frame
#define BOTTOM 88.0

static void add_frame(scene_view* v, const frames_one* f) {
    vn_vec3 goal;
    svg_add(v->out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"15\" fill=\"#dce6f7\">%g s: %.1f m</text>\n",
            v->left, v->top - 10, f->seconds, f->length);
    scene_view_box(v, &v->info.bounds, "fill=\"#22385a\" stroke=\"#9fc0ee\" stroke-opacity=\".6\"");
    scene_view_walls(v, "fill=\"#f2f2f2\"");
    scene_view_movers(v, f->seconds, true);
    if (f->points != NULL) {
        scene_view_line(v, f->points, f->count, 0, "stroke=\"#ffb347\" stroke-width=\"3\"");
    }

    scene_view_ball(v, v->info.start, "#1e6b3a");
    if (vn_moving_scene_get_goal(v->scene, f->seconds, &goal, NULL) == VN_OK) {
        scene_view_ball(v, goal, "#f08c1e");
    }
}

/// One row for each colour, in the order in which the movers have them.
static void add_legend(const scene_view* v, double height) {
    static const char* const words[] = {"stands", "patrols", "turns about ", "blinks (dashed: away)",
                                        "drifts", "orbits"};
    static const char* const axes[] = {"x", "y", "z"};
    uint32_t last = 0;
    double x = SHEET_SIDE - 8;
    for (uint32_t i = 0; i < v->info.movers; ++i) {
        vn_mover_info info;
        char mark[96];
        vn_moving_scene_get_mover(v->scene, i, &info);
        if (info.color != last) {
            snprintf(mark, sizeof mark, "<rect x=\"4\" y=\"-9\" width=\"30\" height=\"18\" fill=\"#%06x\"/>",
                     (unsigned)(info.color >> 8));
            sheet_begin_row(v->out, x, height - 40, mark);
            svg_add(v->out, "%s%s", words[info.kind], info.axis >= 0 ? axes[info.axis] : "");
            sheet_end_row(v->out);
            x += 180;
        }
        last = info.color;
    }
}

static void compose(const frames_plan* plan, svg_text* out) {
    scene_view v = scene_view_make(out, plan->scene, false, (SHEET_WIDTH - 2 * SHEET_SIDE - GAP) / 2);
    const vn_box* b = &v.info.bounds;
    const uint32_t rows = (plan->count + 1) / 2;
    const double height = ceil(TOP + rows * (LABEL + v.high) + BOTTOM);
    sheet_begin(out, plan->title, height);
    sheet_begin_title(out, plan->title);
    svg_add(out,
            "From the front, %g m deep. White: walls. Pale: where an obstacle can get to. Agent green, goal "
            "orange; the path as it is then.</text>\n",
            (double)b->max.z - (double)b->min.z);

    for (uint32_t i = 0; i < plan->count; ++i) {
        v.left = SHEET_SIDE + i % 2 * (v.wide + GAP);
        v.top = TOP + LABEL + i / 2 * (v.high + LABEL);
        add_frame(&v, &plan->frames[i]);
    }

    add_legend(&v, height);
    sheet_scale_bar(out, height, v.scale, "");
    svg_add(out, "</svg>\n");
}

int frames_write(const char* path, const frames_plan* plan) {
    svg_text text = {0};
    compose(plan, &text);
    return picture_save(path, &text);
}
