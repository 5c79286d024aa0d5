/// volnav/experiment/maruszczyk_picture.c: one flight of group 6 with and without asteroids, from above and
/// from the side.
#include <math.h>
#include <stdlib.h>

#include "experiment/maruszczyk.h"

#define SCALE  2.9   ///< pixels a metre
#define LEFT   56.0  ///< of both panels
#define ABOVE  76.0  ///< top of the view from above
#define ACROSS 36.0  ///< metres that it shows on each side of the diagonal
#define SIDE   340.0 ///< top of the view from the side
#define ALONG  283.0 ///< metres of the diagonal
#define NEAR   12.0  ///< rocks this near to the route are drawn, metres

enum { MOST_ROCKS = 16384 };

/// An asteroid at its least distance from the ship.
typedef struct meeting {
    uint64_t id;
    vn_dvec3 position, velocity;
    double radius, distance;
} meeting;

typedef struct trip {
    vn_dvec3* flown;
    uint32_t flown_count, flown_capacity;
    vn_dvec3* empty;
    uint32_t empty_count;
    vn_box* rocks;
    uint32_t rock_count;
    meeting* met;
    uint32_t met_count, met_capacity;
    double height; ///< of the world
    vn_run_result result;
} trip;

static double distance(vn_dvec3 a, vn_dvec3 b) {
    const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

static vn_dvec3 place_of(const vn_run_thing* t) {
    return (vn_dvec3){(double)t->transform.position.x, (double)t->transform.position.y,
                      (double)t->transform.position.z};
}

// ---------------------------------------------------------------------------------------------------- flying

static void add_position(trip* t, vn_dvec3 position) {
    if (t->flown_count == t->flown_capacity) {
        t->flown_capacity = 2 * t->flown_capacity + 256;
        t->flown = say_resize(t->flown, t->flown_capacity, sizeof *t->flown);
    }
    t->flown[t->flown_count++] = position;
}

/// The entry of an asteroid; a new one if there is none.
static meeting* find_meeting(trip* t, uint64_t id) {
    for (uint32_t i = 0; i < t->met_count; ++i) {
        if (t->met[i].id == id) {
            return &t->met[i];
        }
    }

    if (t->met_count == t->met_capacity) {
        t->met_capacity = 2 * t->met_capacity + 64;
        t->met = say_resize(t->met, t->met_capacity, sizeof *t->met);
    }
    t->met[t->met_count] = (meeting){.id = id, .distance = INFINITY};
    return &t->met[t->met_count++];
}

static void meet(trip* t, const vn_run_view* view, double radar) {
    const vn_run_agent* ship = &view->agents[0];
    for (uint32_t i = 0; i < view->thing_count; ++i) {
        const vn_run_thing* thing = &view->things[i];
        const double radius = (double)thing->shape.as.sphere.radius;
        const double gap = distance(place_of(thing), ship->position) - radius - ship->radius;
        if (gap > radar) {
            continue;
        }

        meeting* m = find_meeting(t, thing->id);
        if (gap < m->distance) {
            *m = (meeting){thing->id, place_of(thing), thing->velocity, radius, gap};
        }
    }
}

/// Rocks near the route without asteroids.
static vn_status list_rocks(trip* t, const vn_run_view* view) {
    vn_obstacle_id* ids = say_alloc(MOST_ROCKS, sizeof *ids);
    uint32_t count = 0;
    vn_status status = vn_world_query_box(view->world, &view->bounds, ids, MOST_ROCKS, &count);
    t->rocks = say_alloc(count > 0 ? count : 1, sizeof *t->rocks);
    for (uint32_t i = 0; i < count && status == VN_OK; ++i) {
        vn_obstacle_info info;
        bool near = false;
        status = vn_world_get_info(view->world, ids[i], &info);
        const vn_dvec3 middle = {((double)info.bounds.min.x + (double)info.bounds.max.x) / 2,
                                 ((double)info.bounds.min.y + (double)info.bounds.max.y) / 2,
                                 ((double)info.bounds.min.z + (double)info.bounds.max.z) / 2};
        for (uint32_t k = 0; k < t->empty_count && !near; ++k) {
            near = distance(middle, t->empty[k]) < NEAR;
        }
        if (near) {
            t->rocks[t->rock_count++] = info.bounds;
        }
    }

    free(ids);
    return status;
}

static vn_status start(vn_run* run, trip* t) {
    vn_run_view view;
    vn_run_get_view(run, &view);
    t->height = (double)view.bounds.max.y;
    t->empty_count = view.path_count;
    t->empty = say_alloc(view.path_count > 0 ? view.path_count : 1, sizeof *t->empty);
    for (uint32_t i = 0; i < view.path_count; ++i) {
        t->empty[i] = view.path[i];
    }
    add_position(t, view.agents[0].position);
    return list_rocks(t, &view);
}

static vn_status fly(uint64_t seed, trip* t, vn_detail* detail) {
    const double radar = 4;
    vn_run_def def = vn_default_run_def();
    vn_run* run = NULL;
    def.variant = "sparse-300";
    def.seed = seed;
    vn_status status = vn_run_create(&def, &run, detail);
    if (status != VN_OK) {
        return status;
    }

    status = start(run, t);
    status = status == VN_OK ? VN_RUNNING : status;
    while (status == VN_RUNNING) {
        vn_run_view view;
        status = vn_run_step(run, detail);
        vn_run_get_view(run, &view);
        add_position(t, view.agents[0].position);
        meet(t, &view, radar);
    }

    vn_run_get_result(run, &t->result);
    vn_run_destroy(run);
    return status;
}

// --------------------------------------------------------------------------------------------------- drawing

/// Along the diagonal of the ground, across it, and up.
static vn_dvec3 turned(vn_dvec3 p) {
    const double half = sqrt(0.5);
    return (vn_dvec3){(p.x + p.z) * half, p.y, (p.z - p.x) * half};
}

static double pixel_u(double along) {
    return LEFT + along * SCALE;
}

static double pixel_above(double across) {
    return ABOVE + (ACROSS + across) * SCALE;
}

static double pixel_side(const trip* t, double up) {
    return SIDE + (t->height - up) * SCALE;
}

static void add_line(svg_text* out, const trip* t, const vn_dvec3* points, uint32_t count, bool above,
                     const char* style) {
    svg_add(out, "<path fill=\"none\" %s d=\"", style);
    for (uint32_t i = 0; i < count; ++i) {
        const vn_dvec3 p = turned(points[i]);
        svg_add(out, "%c%.1f %.1f", i == 0 ? 'M' : 'L', pixel_u(p.x),
                above ? pixel_above(p.z) : pixel_side(t, p.y));
    }
    svg_add(out, "\"/>\n");
}

static void add_rock(svg_text* out, const trip* t, const vn_box* box, bool above) {
    const vn_dvec3 low = {(double)box->min.x, (double)box->min.y, (double)box->min.z};
    const vn_dvec3 high = {(double)box->max.x, (double)box->max.y, (double)box->max.z};
    if (!above) {
        const double a = turned(low).x, b = turned(high).x;
        svg_add(out, "M%.1f %.1fH%.1fV%.1fH%.1fz", pixel_u(a), pixel_side(t, low.y), pixel_u(b),
                pixel_side(t, high.y), pixel_u(a));
        return;
    }

    const vn_dvec3 corners[4] = {
        {low.x, 0, low.z}, {high.x, 0, low.z}, {high.x, 0, high.z}, {low.x, 0, high.z}};
    for (int i = 0; i < 4; ++i) {
        const vn_dvec3 p = turned(corners[i]);
        svg_add(out, "%c%.1f %.1f", i == 0 ? 'M' : 'L', pixel_u(p.x), pixel_above(p.z));
    }
    svg_add(out, "z");
}

/// The asteroid, and where it was two seconds before.
static void add_meeting(svg_text* out, const trip* t, const meeting* m, bool above) {
    const double tail = 2;
    const vn_dvec3 p = turned(m->position);
    const vn_dvec3 q =
        turned((vn_dvec3){m->position.x - tail * m->velocity.x, m->position.y - tail * m->velocity.y,
                          m->position.z - tail * m->velocity.z});
    const double y = above ? pixel_above(p.z) : pixel_side(t, p.y);
    svg_add(out,
            "<path stroke=\"#b5651d\" stroke-opacity=\".55\" stroke-width=\"1\" d=\"M%.1f %.1fL%.1f %.1f\"/>"
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"#d98324\"/>\n",
            pixel_u(q.x), above ? pixel_above(q.z) : pixel_side(t, q.y), pixel_u(p.x), y, pixel_u(p.x), y,
            m->radius * SCALE);
}

static void add_frame(svg_text* out, double top, double bottom, const char* name) {
    char text[16];
    svg_add(out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#999\"/>\n",
            LEFT, top, ALONG * SCALE, bottom - top);
    plot_add_text(out, LEFT, top - 8, 12, "start", name);
    for (int at = 0; at <= 250; at += 50) {
        snprintf(text, sizeof text, "%d", at);
        svg_add(out, "<path stroke=\"#999\" d=\"M%.1f %.1fv5\"/>", pixel_u(at), bottom);
        plot_add_text(out, pixel_u(at), bottom + 17, 11, "middle", text);
    }
}

static void add_panel(svg_text* out, const trip* t, bool above) {
    const double top = above ? ABOVE : SIDE;
    const double bottom = above ? pixel_above(ACROSS) : pixel_side(t, 0);
    svg_add(out,
            "<clipPath id=\"%s\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/></clipPath>\n",
            above ? "clip-above" : "clip-side", LEFT, top, ALONG * SCALE, bottom - top);
    svg_add(out,
            "<g clip-path=\"url(#%s)\">\n<path fill=\"#d5d9e0\" stroke=\"#aab\" stroke-width=\".5\" d=\"",
            above ? "clip-above" : "clip-side");
    for (uint32_t i = 0; i < t->rock_count; ++i) {
        add_rock(out, t, &t->rocks[i], above);
    }

    svg_add(out, "\"/>\n");
    for (uint32_t i = 0; i < t->met_count; ++i) {
        add_meeting(out, t, &t->met[i], above);
    }

    add_line(out, t, t->empty, t->empty_count, above,
             "stroke=\"#333\" stroke-width=\"1.2\" stroke-dasharray=\"5 4\"");
    add_line(out, t, t->flown, t->flown_count, above, "stroke=\"#1f5fbf\" stroke-width=\"1.8\"");
    svg_add(out, "</g>\n");
    add_frame(out, top, bottom,
              above ? "from above: across the diagonal, 72 m" : "from the side: height, 100 m");
}

static void add_legend(svg_text* out) {
    static const struct {
        double x;
        const char *mark, *text;
    } rows[] = {{LEFT, "<path stroke=\"#1f5fbf\" stroke-width=\"1.8\" d=\"M0 0h26\"/>", "with asteroids"},
                {LEFT + 160,
                 "<path stroke=\"#333\" stroke-width=\"1.2\" stroke-dasharray=\"5 4\" d=\"M0 0h26\"/>",
                 "without them"},
                {LEFT + 310, "<circle cx=\"13\" r=\"4\" fill=\"#d98324\"/>",
                 "asteroid that the radar saw, when it was nearest"},
                {LEFT + 660, "<rect x=\"6\" y=\"-6\" width=\"12\" height=\"12\" fill=\"#d5d9e0\"/>",
                 "rock near the route"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        svg_add(out, "<g transform=\"translate(%.1f 38)\">%s</g>\n", rows[i].x, rows[i].mark);
        plot_add_text(out, rows[i].x + 34, 42, 12, "start", rows[i].text);
    }
}

static void draw(const trip* t, svg_text* out) {
    const double bottom = pixel_side(t, 0);
    plot_begin(out, "One flight of group 6, 300 asteroids per 40³ m", 900, bottom + 48);
    add_legend(out);
    add_panel(out, t, true);
    add_panel(out, t, false);
    plot_add_text(out, pixel_u(ALONG / 2), bottom + 36, 12, "middle", "along the diagonal of the ground (m)");
    svg_add(out, "</svg>\n");
}

static void forget(trip* t) {
    free(t->flown);
    free(t->empty);
    free(t->rocks);
    free(t->met);
}

int maruszczyk_draw(experiment* e) {
    trip t = {0};
    vn_detail detail = {0};
    svg_text svg = {0};
    const vn_status status = fly(e->options->seed * 1000003, &t, &detail);
    int code = status == VN_OK ? EXIT_DONE : say_status("asteroids", status, &detail);
    if (code == EXIT_DONE) {
        draw(&t, &svg);
        page_heading(&e->page, 3, "A flight");
        page_begin_charts(&e->page);
        code = experiment_chart(e, "flight", &svg);
        page_end_charts(&e->page);
        page_add(&e->page,
                 "%u asteroids came within the 4 m of the radar; the nearest was %.2f m away, from surface "
                 "to surface. "
                 "The flight took %.1f s, without asteroids %.1f s.",
                 t.met_count, t.result.clearance, t.result.seconds, t.result.nominal);
    }

    forget(&t);
    return code;
}
