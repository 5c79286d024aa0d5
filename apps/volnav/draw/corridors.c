/// volnav/draw/corridors.c: paths over each other.
#include "draw/corridors.h"

#include <stdio.h>

#include "draw/plot.h"
#include "draw/scene_view.h"

enum { WIDTH = 900, GAP = 16, PANEL = (WIDTH - 3 * GAP) / 2, TOP = 34, LABEL = 24, ROW = 18, TEXT = 12 };

/// Pixels between two lines that would lie on each other.
static const double shift_step = 1.7;

static void style_of(const corridors_path* path, uint32_t number, char* style, size_t size) {
    snprintf(style, size, "stroke=\"%s\" stroke-width=\"2\"%s", plot_colour((int)(number % PLOT_COLOURS)),
             path->pale || number >= PLOT_COLOURS ? " stroke-dasharray=\"7 4\"" : "");
}

static void add_view(const scene_view* v, const corridors_panel* panel) {
    vn_vec3 goal;
    scene_view_box(v, &v->info.bounds, "fill=\"#fbfbfb\" stroke=\"#666\"");
    scene_view_walls(v, "fill=\"#d0d0d0\"");
    svg_add(v->out, "<g opacity=\".45\">\n");
    scene_view_movers(v, panel->seconds, false);
    svg_add(v->out, "</g>\n");

    for (uint32_t i = 0; i < panel->count; ++i) {
        char style[96];
        style_of(&panel->paths[i], i, style, sizeof style);
        scene_view_line(v, panel->paths[i].points, panel->paths[i].count,
                        shift_step * (i - (panel->count - 1) / 2.0), style);
    }

    scene_view_ball(v, v->info.start, "#1e6b3a");
    if (vn_moving_scene_get_goal(v->scene, panel->seconds, &goal, NULL) == VN_OK) {
        scene_view_ball(v, goal, "#f08c1e");
    }
}

static void add_names(svg_text* out, const corridors_panel* panel, double left, double top) {
    for (uint32_t i = 0; i < panel->count; ++i) {
        const double y = top + ROW * (i + 0.5);
        char style[96];
        style_of(&panel->paths[i], i, style, sizeof style);
        svg_add(out, "<path d=\"M%.1f %.1fh26\" %s/>\n", left, y, style);
        plot_add_text(out, left + 34, y + 4, TEXT, "start", panel->paths[i].name);
    }
}

void corridors_draw(const corridors_plan* plan, svg_text* out) {
    scene_view front = scene_view_make(out, plan->scene, false, PANEL),
               above = scene_view_make(out, plan->scene, true, PANEL);
    uint32_t rows = 0;
    for (int i = 0; i < 2; ++i) {
        rows = plan->panels[i]->count > rows ? plan->panels[i]->count : rows;
    }

    front.top = TOP + LABEL;
    above.top = front.top + front.high + LABEL;
    const double names = above.top + above.high + LABEL;
    plot_begin(out, plan->title, WIDTH, names + rows * ROW + GAP);
    for (int i = 0; i < 2; ++i) {
        const corridors_panel* panel = plan->panels[i];
        front.left = above.left = GAP + i * (PANEL + GAP);
        plot_add_text(out, front.left, front.top - 8, TEXT, "start", panel->title);
        plot_add_text(out, above.left, above.top - 8, TEXT, "start", "from above");
        plot_add_text(out, above.left, names - 6, TEXT, "start", "lengths (units)");
        add_view(&front, panel);
        add_view(&above, panel);
        add_names(out, panel, front.left, names);
    }

    svg_add(out, "</svg>\n");
}
