/// volnav/experiment/crowd_picture.c: a crowd from above.
#include <math.h>
#include <stdio.h>

#include "experiment/crowd.h"

#define LEFT 16.0
#define TOP  44.0

typedef struct sheet {
    const crowd_film* film;
    double scale; ///< pixels a metre
} sheet;

static double pixel_x(const sheet* s, double x) {
    return LEFT + (x - (double)s->film->bounds.min.x) * s->scale;
}

static double pixel_y(const sheet* s, double z) {
    return TOP + (z - (double)s->film->bounds.min.z) * s->scale;
}

static void add_box(svg_text* out, const sheet* s, const vn_box* box, const char* style) {
    svg_add(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" %s/>\n",
            pixel_x(s, (double)box->min.x), pixel_y(s, (double)box->min.z),
            (double)(box->max.x - box->min.x) * s->scale, (double)(box->max.z - box->min.z) * s->scale,
            style);
}

static vn_dvec3 place(const sheet* s, uint32_t frame, uint32_t agent) {
    return s->film->at[(size_t)frame * s->film->agents + agent];
}

static void add_track(svg_text* out, const sheet* s, uint32_t agent, uint32_t from, uint32_t to,
                      const char* colour) {
    svg_add(out, "<path fill=\"none\" stroke=\"%s\" stroke-opacity=\".5\" stroke-width=\"1\" d=\"", colour);
    for (uint32_t i = from; i <= to; ++i) {
        const vn_dvec3 p = place(s, i, agent);
        svg_add(out, "%c%.1f %.1f", i == from ? 'M' : 'L', pixel_x(s, p.x), pixel_y(s, p.z));
    }
    svg_add(out, "\"/>\n");
}

static void add_agent(svg_text* out, const sheet* s, uint32_t agent, uint32_t from, uint32_t frame) {
    const vn_dvec3 p = place(s, frame, agent);
    const char* colour = plot_colour((int)(agent % 2));
    if (frame > from) {
        add_track(out, s, agent, from, frame, colour);
    }
    svg_add(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" fill-opacity=\".8\"/>\n",
            pixel_x(s, p.x), pixel_y(s, p.z), fmax(s->film->radii[agent] * s->scale, 1.5), colour);
}

/// Metres below the picture, from its left edge on.
static void add_ticks(svg_text* out, const sheet* s, double wide, double bottom) {
    const double step = wide >= 40 ? 10 : wide >= 20 ? 5 : 2;
    char text[32];
    for (double at = 0; at <= wide; at += step) {
        const double x = LEFT + at * s->scale;
        snprintf(text, sizeof text, "%.0f", at);
        svg_add(out, "<path stroke=\"#999\" d=\"M%.1f %.1fv4\"/>\n", x, bottom);
        plot_add_text(out, x, bottom + 15, 10, "middle", text);
    }
    plot_add_text(out, LEFT, bottom + 32, 11, "start", "from above: x (m)");
}

void crowd_draw(const crowd_film* film, const char* title, uint32_t frame, uint32_t before, int width,
                svg_text* out) {
    const double wide = (double)(film->bounds.max.x - film->bounds.min.x),
                 deep = (double)(film->bounds.max.z - film->bounds.min.z);
    const sheet s = {film, (width - 2 * LEFT) / wide};
    const uint32_t from = frame > before ? frame - before : 0;
    plot_begin(out, title, width, TOP + deep * s.scale + 40);
    add_box(out, &s, &film->bounds, "fill=\"none\" stroke=\"#999\"");
    for (uint32_t i = 0; i < film->wall_count; ++i) {
        add_box(out, &s, &film->walls[i], "fill=\"#d5d9e0\" stroke=\"#aab\" stroke-width=\".5\"");
    }
    for (uint32_t i = 0; i < film->mover_count; ++i) {
        add_box(out, &s, &film->movers[i], "fill=\"#2ca02c\" fill-opacity=\".4\"");
    }
    for (uint32_t i = 0; i < film->agents; ++i) {
        add_agent(out, &s, i, from, frame);
    }

    add_ticks(out, &s, wide, TOP + deep * s.scale);
    svg_add(out, "</svg>\n");
}
