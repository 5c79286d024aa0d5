/// volnav/experiment/krafft19_pictures.c: the corridors of Krafft 2019, figures 42 to 47, drawn.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/corridors.h"
#include "experiment/krafft19.h"

/// A panel with the names of its paths.
typedef struct drawing {
    char names[KRAFFT19_PASSES][96];
    corridors_path paths[KRAFFT19_PASSES];
    corridors_panel panel;
} drawing;

static void open_drawing(drawing* d, const char* title, double seconds) {
    d->panel = (corridors_panel){.title = title, .seconds = seconds, .paths = d->paths};
}

/// A path that was not found has no line.
static void add_path(drawing* d, const krafft19_pass* pass, const char* name, bool pale) {
    const uint32_t i = d->panel.count++;
    if (pass->count > 0) {
        snprintf(d->names[i], sizeof d->names[i], "%s: %.1f", name, pass->cost);
    } else {
        snprintf(d->names[i], sizeof d->names[i], "%s: no path", name);
    }
    d->paths[i] = (corridors_path){d->names[i], pass->points, pass->count, pale};
}

static int draw(experiment* e, const char* file, const char* title, const vn_moving_scene* scene,
                const drawing* left, const drawing* right) {
    const corridors_plan plan = {title, scene, {&left->panel, &right->panel}};
    svg_text svg = {0};
    corridors_draw(&plan, &svg);
    return experiment_chart(e, file, &svg);
}

// ------------------------------------------------------------------------------------------- one or two ε

static void add_both(drawing* d, const krafft19_pass* both, const char* name) {
    for (int k = 0; k < 2; ++k) {
        char text[80];
        snprintf(text, sizeof text, "%s%sε = %d", name, name[0] != '\0' ? ", " : "", k + 1);
        add_path(d, &both[k], text, false);
    }
}

static int draw_graphs(experiment* e, const vn_moving_scene* scene, double seconds, const char* file,
                       const char* title, const krafft19_pass all[KRAFFT19_GRAPHS][2]) {
    drawing *left = say_alloc(1, sizeof *left), *right = say_alloc(1, sizeof *right);
    open_drawing(left, "grid", seconds);
    open_drawing(right, "waypoints", seconds);
    add_both(left, all[KRAFFT19_GRID], "");
    add_both(right, all[KRAFFT19_WAYPOINTS], "1 indirect neighbour");
    add_both(right, all[KRAFFT19_WAYPOINTS_8], "8 indirect neighbours");
    const int code = draw(e, file, title, scene, left, right);
    free(left);
    free(right);
    return code;
}

// ------------------------------------------------------------------------------------------------- anytime

static bool is_same_path(const krafft19_pass* a, const krafft19_pass* b) {
    return a->count == b->count && memcmp(a->points, b->points, a->count * sizeof *a->points) == 0;
}

/// Passes that lead to the same corridor share a line.
static void add_passes(drawing* d, const krafft19_passes* p) {
    for (int first = 0, next; first < p->count; first = next) {
        char text[80];
        next = first + 1;
        while (next < p->count && is_same_path(&p->all[first], &p->all[next])) {
            ++next;
        }

        if (next > first + 1) {
            snprintf(text, sizeof text, "ε = %.2g to %.2g", p->all[first].weight, p->all[next - 1].weight);
        } else {
            snprintf(text, sizeof text, "ε = %.2g", p->all[first].weight);
        }
        add_path(d, &p->all[first], text, false);
    }
}

static int draw_anytime(experiment* e, const vn_moving_scene* scene, double seconds, const char* file,
                        const char* title, const krafft19_passes passes[2]) {
    drawing *left = say_alloc(1, sizeof *left), *right = say_alloc(1, sizeof *right);
    open_drawing(left, "grid, δ = 0.2", seconds);
    open_drawing(right, "grid, δ = 0.4", seconds);
    add_passes(left, &passes[0]);
    add_passes(right, &passes[1]);
    const int code = draw(e, file, title, scene, left, right);
    free(left);
    free(right);
    return code;
}

// ------------------------------------------------------------------------------------------------------ all

static int draw_cut(experiment* e, const vn_moving_scene* scene, const krafft19_corridors* c) {
    drawing *left = say_alloc(1, sizeof *left), *right = say_alloc(1, sizeof *right);
    char title[64];
    snprintf(title, sizeof title, "grid, after %.2f s, when an obstacle is on it", c->cut_at);
    open_drawing(left, "grid, at the beginning", 0);
    open_drawing(right, title, c->cut_at);
    add_path(left, &c->before, "ε = 2", false);
    add_path(right, &c->before, "before", true);
    add_path(right, &c->after, "repaired", false);
    const int code =
        draw(e, "corridors-dstar-lite", "D* Lite, ε = 2: corridors (figures 45, 46 ii)", scene, left, right);
    free(left);
    free(right);
    return code;
}

int krafft19_draw_corridors(experiment* e, const krafft19_corridors* c) {
    vn_moving_scene_def def = vn_default_moving_scene_def();
    vn_moving_scene* scene = NULL;
    vn_detail detail = {0};
    def.seed = e->options->seed - 1;
    const vn_status status = vn_moving_scene_create(&def, &scene, &detail);
    int code = status == VN_OK ? EXIT_DONE : say_status("krafft", status, &detail);

    page_begin_charts(&e->page);
    if (code == EXIT_DONE)
        code = draw_graphs(e, scene, c->seconds, "corridors-astar", "A*: corridors (figure 42)", c->astar);
    if (code == EXIT_DONE)
        code = draw_anytime(e, scene, c->seconds, "corridors-ara", "ARA*: corridors of each ε (figure 43)",
                            c->ara);
    if (code == EXIT_DONE)
        code =
            draw_graphs(e, scene, c->seconds, "corridors-theta", "Theta*: corridors (figure 44)", c->theta);
    if (code == EXIT_DONE && c->cut_at > 0)
        code = draw_cut(e, scene, c);
    if (code == EXIT_DONE)
        code =
            draw_anytime(e, scene, c->seconds, "corridors-ad", "AD*: corridors of each ε (figure 47)", c->ad);
    page_end_charts(&e->page);
    vn_moving_scene_destroy(scene);
    return code;
}
