/// volnav/draw/picture_legend.c: title, legend and axes of the picture.
#include <stdio.h>
#include <string.h>

#include "draw/picture_inside.h"
#include "shell/text.h"

static int corridor_cells(const view* v) {
    int count = 0;
    for (int i = 0; i < v->box_count; ++i) {
        count += v->boxes[i].in_corridor ? 1 : 0;
    }
    return count;
}

static bool shows_search(const picture_plan* plan) {
    return (plan->query != NULL || plan->classic != NULL) && plan->expanded > 0;
}

int picture_legend_rows(const canvas* c, double* wide) {
    const picture_plan* plan = c->plan;
    const bool searched = shows_search(plan);
    size_t letters = searched ? 34 + strlen(plan->algo) : 28;

    for (uint32_t i = 0; i < plan->route_count; ++i) {
        const size_t row = strlen(plan->routes[i].label) + 12;
        letters = row > letters ? row : letters;
    }

    if (plan->has_marks && plan->reason != NULL) {
        const size_t row = strlen(plan->reason) + 9;
        letters = row > letters ? row : letters;
    }

    if (sheet_has_legs(plan->snapped)) {
        letters = letters > SHEET_LEGS_LETTERS ? letters : SHEET_LEGS_LETTERS;
    }

    *wide = 48 + 8.2 * (double)letters;
    const bool ends = plan->route_count > 0 || plan->has_marks;
    return (int)plan->route_count + (plan->has_marks ? 1 : 0) + (searched ? 1 : 0) +
           (corridor_cells(c->v) > 0 ? 1 : 0) + (ends ? 1 : 0) + (plan->has_spot ? 1 : 0) +
           (sheet_has_legs(plan->snapped) ? 1 : 0);
}

void picture_add_title(canvas* c) {
    char number[64];
    const vn_space_info* info = &c->v->info;
    sheet_begin_title(c->out, c->plan->title);
    svg_add(c->out, "%d \xc3\x97 %d \xc3\x97 %d voxels of %g m, %s blocked", info->dims.x, info->dims.y,
            info->dims.z, (double)info->resolution,
            sheet_grouped(info->blocked_voxels, number, sizeof number));

    if (info->radius > 0) {
        svg_add(c->out, ", radius %g m", (double)info->radius);
    }

    if (c->v->roof_cut) {
        svg_add(c->out, "; what is above the path is cut away");
    }

    svg_add(c->out, "</text>\n");
}

static void add_legend_row(canvas* c, double y, const char* mark) {
    sheet_begin_row(c->out, SIDE - 8, y, mark);
}

static void add_route_row(canvas* c, double y, uint32_t i) {
    char mark[256];
    const picture_route* route = &c->plan->routes[i];
    snprintf(mark, sizeof mark,
             "<path d=\"M0 0H34\" stroke=\"%s\" stroke-width=\"5\" stroke-linecap=\"round\"%s/>",
             sheet_colour(i), route->partial ? " stroke-dasharray=\"9 7\"" : "");

    add_legend_row(c, y, mark);
    if (route->label[0] != '\0') {
        svg_add_escaped(c->out, route->label);
        svg_add(c->out, ": %.1f m", route->length);
    } else {
        svg_add(c->out, "%s by %s: %.1f m", route->partial ? "partial path" : "path", c->plan->algo,
                route->length);
    }

    sheet_end_row(c->out);
}

/// What the search looked at: voxels as a haze, or cells as boxes.
static double add_search_rows(canvas* c, double y) {
    char number[64];
    const int corridor = corridor_cells(c->v);
    if (!shows_search(c->plan)) {
        return y;
    }

    add_legend_row(
        c, y,
        "<rect x=\"-2\" y=\"-8\" width=\"38\" height=\"16\" rx=\"4\" fill=\"#39c8ff\" fill-opacity=\".3\"/>");
    sheet_grouped(c->plan->expanded, number, sizeof number);
    if (c->v->box_count > 0) {
        svg_add(c->out, "%s %s%s expanded%s", number, c->plan->boxes ? "node" : "cell",
                c->plan->expanded == 1 ? "" : "s", picture_hides_boxes(c->v) ? " (not drawn)" : "");
    } else {
        svg_add(c->out, "%s voxel%s searched by %s", number, c->plan->expanded == 1 ? "" : "s",
                c->plan->algo);
    }

    sheet_end_row(c->out);
    if (corridor > 0) {
        y += ROW;
        add_legend_row(c, y,
                       "<rect x=\"-2\" y=\"-8\" width=\"38\" height=\"16\" rx=\"1\" fill=\"#ffb347\" "
                       "fill-opacity=\".3\" stroke=\"#ffd08a\"/>");
        svg_add(c->out, "%s in the corridor", text_count((uint64_t)corridor, "cell").s);
        sheet_end_row(c->out);
    }

    return y + ROW;
}

void picture_add_legend(canvas* c) {
    double y = c->legend;
    for (uint32_t i = 0; i < c->plan->route_count; ++i, y += ROW) {
        add_route_row(c, y, i);
    }

    if (c->plan->has_marks) {
        add_legend_row(c, y, "<circle cx=\"17\" r=\"5\" fill=\"#ff6f91\"/>");
        svg_add(c->out, "no path%s", c->plan->reason != NULL ? ": " : "");
        svg_add_escaped(c->out, c->plan->reason != NULL ? c->plan->reason : "");
        sheet_end_row(c->out);
        y += ROW;
    }

    if (c->plan->has_spot) {
        add_legend_row(c, y, "<path " SPOT_STYLE " d=\"M10-7l14 14m0-14l-14 14\"/>");
        svg_add_escaped(c->out, c->plan->spot_label);
        sheet_end_row(c->out);
        y += ROW;
    }

    if (sheet_has_legs(c->plan->snapped)) {
        add_legend_row(c, y, SHEET_LEG_MARK);
        sheet_add_legs_text(c->out, c->plan->snapped);
        sheet_end_row(c->out);
        y += ROW;
    }

    y = add_search_rows(c, y);
    if (c->plan->route_count > 0 || c->plan->has_marks) {
        add_legend_row(
            c, y,
            "<circle cx=\"5\" r=\"5.5\" fill=\"#0d1525\" stroke=\"#fff\" stroke-width=\"2\"/>"
            "<path d=\"M28-7l7 7-7 7-7-7z\" fill=\"#8fa3c4\" stroke=\"#fff\" stroke-width=\"2\"/>");
        svg_add(c->out, "start and goal");
        sheet_end_row(c->out);
    }
}

void picture_add_tripod(canvas* c) {
    const vn_dvec3 o = {0, 0, 0}, ends[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const pixel zero = pixel_of(c, view_of_position(c->v, o));
    for (int i = 0; i < 3; ++i) {
        const pixel p = pixel_of(c, view_of_position(c->v, ends[i]));
        sheet_axis(c->out, i, WIDTH - SIDE - 290, c->height - 66, p.x - zero.x, p.y - zero.y);
    }
}
