/// volnav/draw/flight.c: ships, asteroids and rocks over time.
///
/// SVG itself moves everything (SMIL), from one clock that begins again when it ends. Cameras are groups that
/// move against their ship; asteroids fly straight in them and are animated only while they are seen. Beside
/// the group in motion there is one with a single moment, for viewers without animation and for those who
/// want less motion (prefers-reduced-motion).
#include "draw/flight.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "draw/picture.h"
#include "draw/sheet.h"
#include "draw/svg.h"
#include "shell/say.h"

#define TOP    112.0 ///< of the cameras
#define GAP    16.0  ///< between them
#define STRIP  60.0  ///< from them to the map below
#define ACROSS 9.0   ///< metres on each side of the diagonal that the map shows
#define FAST   4.0   ///< so much faster than the flight
#define REST   3.0   ///< seconds of flight until it begins again
#define FLASH  1.8   ///< seconds of flight for which a hit is seen
#define WORLD  200.0 ///< metres along x and z
#define LEVEL  2.4   ///< metres: nearer in height than this can be hit

/// So that letters can be read over what flies under them.
#define HALO "paint-order=\"stroke\" stroke=\"#0a1222\" stroke-width=\"6\" stroke-linejoin=\"round\" "

typedef struct canvas {
    svg_text* out;
    const flight_plan* plan;
    double scale;        ///< pixels to a metre
    double wide, deep;   ///< of a camera, pixels
    double map, map_top; ///< pixels to a metre of the map, and its top
    double whole;        ///< seconds of flight until it begins again
    double height;
} canvas;

static const char* const colours[FLIGHT_SHIPS] = {"#ffb347", "#5ee6d0"};

// ----------------------------------------------------------------------------------------------- where it is

static vn_dvec3 ship_at(const flight_ship* ship, double seconds) {
    uint32_t i = 1;
    while (i + 1 < ship->key_count && ship->keys[i].seconds < seconds) {
        ++i;
    }

    const flight_key *a = &ship->keys[i - 1], *b = &ship->keys[i];
    const double part = fmin(fmax((seconds - a->seconds) / (b->seconds - a->seconds), 0), 1);
    return (vn_dvec3){a->position.x + part * (b->position.x - a->position.x),
                      a->position.y + part * (b->position.y - a->position.y),
                      a->position.z + part * (b->position.z - a->position.z)};
}

static vn_dvec3 body_at(const flight_body* b, double seconds) {
    const double t = seconds - b->begin;
    return (vn_dvec3){b->position.x + t * b->velocity.x, b->position.y + t * b->velocity.y,
                      b->position.z + t * b->velocity.z};
}

/// Degrees of the direction from one key to the next as seen from above, without jumps from turn to turn.
static double heading(const flight_ship* ship, uint32_t i, double before) {
    const uint32_t next = i + 1 < ship->key_count ? i + 1 : i;
    const vn_dvec3 a = ship->keys[next - 1].position, b = ship->keys[next].position;
    const double x = b.x - a.x, z = b.z - a.z;
    if (x * x + z * z < 1e-6) {
        return before;
    }
    const double degrees = atan2(z, x) * 57.29577951308232;
    return degrees + 360 * floor((before - degrees) / 360 + 0.5);
}

/// On the map: along the diagonal from start to goal, and across it.
static void map_point(const canvas* c, vn_dvec3 p, double* x, double* y) {
    const double half = sqrt(0.5);
    *x = SHEET_SIDE + (p.x + p.z) * half * c->map;
    *y = c->map_top + (ACROSS + (p.z - p.x) * half) * c->map;
}

// ---------------------------------------------------------------------------------------------------- motion

/// Seconds of the picture.
static double shown(double seconds) {
    return seconds / FAST;
}

/// The attributes of an animation over the whole flight, up to its list of values.
static void begin_motion(canvas* c, const flight_ship* ship, const char* element, const char* rest) {
    svg_add(c->out, "<%s %s begin=\"clock.begin\" dur=\"%.2fs\" keyTimes=\"", element, rest, shown(c->whole));
    for (uint32_t k = 0; k < ship->key_count; ++k) {
        svg_add(c->out, "%.4f;", k == 0 ? 0 : ship->keys[k].seconds / c->whole);
    }
    svg_add(c->out, "1\" values=\"");
}

/// What the camera moves against its ship by, or the ship itself on the map. The last value comes twice: the
/// ship rests at its goal.
static void add_way(canvas* c, const flight_ship* ship, bool map) {
    begin_motion(c, ship, "animateTransform", "attributeName=\"transform\" type=\"translate\"");
    for (uint32_t k = 0; k <= ship->key_count; ++k) {
        const vn_dvec3 p = ship->keys[k < ship->key_count ? k : k - 1].position;
        double x = -p.x, y = -p.z;
        if (map) {
            map_point(c, p, &x, &y);
        }
        svg_add(c->out, "%s%.2f %.2f", k == 0 ? "" : ";", x, y);
    }
    svg_add(c->out, "\"/>");
}

static void add_turns(canvas* c, const flight_ship* ship) {
    double turn = heading(ship, 0, 0);
    begin_motion(c, ship, "animateTransform", "attributeName=\"transform\" type=\"rotate\"");
    for (uint32_t k = 0; k <= ship->key_count; ++k) {
        turn = k < ship->key_count ? heading(ship, k, turn) : turn;
        svg_add(c->out, "%s%.0f", k == 0 ? "" : ";", turn);
    }
    svg_add(c->out, "\"/>");
}

/// From above, from the key before to this one.
static double leg(const flight_ship* ship, uint32_t k) {
    const vn_dvec3 a = ship->keys[k > 0 ? k - 1 : 0].position, b = ship->keys[k].position;
    return hypot(b.x - a.x, b.z - a.z);
}

/// The part of the way that is flown, as a dash that grows.
static void add_growth(canvas* c, const flight_ship* ship) {
    double whole = 0, flown = 0;
    for (uint32_t k = 0; k < ship->key_count; ++k) {
        whole += leg(ship, k);
    }

    begin_motion(c, ship, "animate", "attributeName=\"stroke-dashoffset\"");
    for (uint32_t k = 0; k <= ship->key_count; ++k) {
        flown += k < ship->key_count ? leg(ship, k) : 0;
        svg_add(c->out, "%s%.4f", k == 0 ? "" : ";", fmax(1 - flown / whole, 0));
    }
    svg_add(c->out, "\"/>");
}

/// Seen from `begin` to `end`; opacity is 0 otherwise.
static void add_span(canvas* c, double begin, double end) {
    svg_add(c->out, "<set attributeName=\"opacity\" to=\"1\" begin=\"clock.begin+%.2fs\" dur=\"%.2fs\"/>",
            shown(begin), shown(end - begin));
}

// --------------------------------------------------------------------------------------------------- cameras

static void add_rocks(canvas* c, const flight_ship* ship, bool level) {
    svg_add(c->out,
            "<path fill=\"%s\" stroke=\"#8fa6c8\" stroke-width=\".12\" fill-opacity=\"%s\" "
            "stroke-opacity=\"%s\" d=\"",
            level ? "#5b6f92" : "#3b4a66", level ? "1" : ".35", level ? ".9" : ".3");
    for (uint32_t i = 0; i < ship->rock_count; ++i) {
        const vn_box* b = &ship->rocks[i].box;
        if ((ship->rocks[i].height < LEVEL) == level) {
            svg_add(c->out, "M%.2f %.2fH%.2fV%.2fH%.2fz", (double)b->min.x, (double)b->min.z,
                    (double)b->max.x, (double)b->max.z, (double)b->min.x);
        }
    }
    svg_add(c->out, "\"/>\n");
}

static void add_trail(canvas* c, int i, bool still) {
    const flight_ship* ship = &c->plan->ships[i];
    svg_add(c->out,
            "<path fill=\"none\" stroke=\"%s\" stroke-width=\".35\" stroke-opacity=\".75\" "
            "stroke-linejoin=\"round\"%s d=\"",
            colours[i], still ? "" : " pathLength=\"1\" stroke-dasharray=\"1\"");
    for (uint32_t k = 0; k < ship->key_count && !(still && ship->keys[k].seconds > c->plan->moment); ++k) {
        svg_add(c->out, "%c%.2f %.2f", k == 0 ? 'M' : 'L', ship->keys[k].position.x,
                ship->keys[k].position.z);
    }

    svg_add(c->out, "\">");
    if (!still) {
        add_growth(c, ship);
    }
    svg_add(c->out, "</path>\n");
}

/// An asteroid flies straight while the camera shows it: two places and two times do.
static void add_body(canvas* c, const flight_body* b, bool still) {
    const vn_dvec3 p = b->position, q = body_at(b, b->end), now = body_at(b, c->plan->moment);
    const char* kind = b->hits ? "b" : b->height < LEVEL ? "n" : "o";
    if (still && c->plan->moment >= b->begin && c->plan->moment <= b->end) {
        svg_add(c->out, "<circle class=\"%s\" r=\"%.2f\" cx=\"%.2f\" cy=\"%.2f\"/>\n", kind, b->radius, now.x,
                now.z);
    } else if (!still && b->end > b->begin) {
        svg_add(c->out,
                "<circle class=\"%s\" r=\"%.2f\" opacity=\"0\"><animateTransform attributeName=\"transform\" "
                "type=\"translate\" begin=\"clock.begin+%.2fs\" dur=\"%.2fs\" from=\"%.2f %.2f\" to=\"%.2f "
                "%.2f\"/>",
                kind, b->radius, shown(b->begin), shown(b->end - b->begin), p.x, p.z, q.x, q.z);
        add_span(c, b->begin, b->end);
        svg_add(c->out, "</circle>\n");
    }
}

/// Those far above or below come first, so that they do not cover what can be hit.
static void add_bodies(canvas* c, int i, bool level, bool still) {
    const flight_ship* ship = &c->plan->ships[i];
    for (uint32_t k = 0; k < ship->body_count; ++k) {
        if ((ship->bodies[k].height < LEVEL || ship->bodies[k].hits) == level) {
            add_body(c, &ship->bodies[k], still);
        }
    }
}

/// A ring that grows and fades for each hit.
static void add_flashes(canvas* c, const flight_ship* ship) {
    svg_add(c->out, "<circle r=\"1\" fill=\"none\" stroke=\"#ff3b3b\" stroke-width=\".4\" opacity=\"0\">");
    for (uint32_t k = 0; k < ship->hit_count; ++k) {
        const double next = k + 1 < ship->hit_count ? ship->hits[k + 1] : c->whole;
        const double seconds = shown(fmax(fmin(FLASH, next - ship->hits[k]), 0.1)),
                     begin = shown(ship->hits[k]);
        svg_add(
            c->out,
            "<animate attributeName=\"r\" begin=\"clock.begin+%.2fs\" dur=\"%.2fs\" from=\"1\" to=\"3.2\"/>"
            "<animate attributeName=\"opacity\" begin=\"clock.begin+%.2fs\" dur=\"%.2fs\" from=\"1\" "
            "to=\"0\"/>",
            begin, seconds, begin, seconds);
    }
    svg_add(c->out, "</circle>\n");
}

static double heading_at(const canvas* c, const flight_ship* ship) {
    double turn = heading(ship, 0, 0);
    for (uint32_t k = 0; k < ship->key_count && ship->keys[k].seconds <= c->plan->moment; ++k) {
        turn = heading(ship, k, turn);
    }
    return turn;
}

static void add_ship(canvas* c, int i, bool still) {
    const flight_ship* ship = &c->plan->ships[i];
    const double r = ship->radius;
    if (!still) {
        add_flashes(c, ship);
    }

    svg_add(c->out,
            "<circle r=\"%.2f\" fill=\"%s\" fill-opacity=\".25\" stroke=\"%s\" stroke-width=\".1\"/>\n", r,
            colours[i], colours[i]);
    svg_add(c->out,
            "<path transform=\"rotate(%.0f)\" fill=\"%s\" stroke=\"#0a1120\" stroke-width=\".08\" "
            "d=\"M%.2f 0L%.2f %.2fL%.2f 0L%.2f %.2fz\">",
            heading_at(c, ship), colours[i], r, -0.8 * r, 0.62 * r, -0.4 * r, -0.8 * r, -0.62 * r);
    if (!still) {
        add_turns(c, ship);
    }
    svg_add(c->out, "</path>\n");
}

/// The number of hits so far, at the upper right.
static void add_count(canvas* c, int i, double right, bool still) {
    const flight_ship* ship = &c->plan->ships[i];
    for (uint32_t k = 0; k <= ship->hit_count; ++k) {
        const double begin = k > 0 ? ship->hits[k - 1] : 0,
                     end = k < ship->hit_count ? ship->hits[k] : c->whole;
        if (still && !(begin <= c->plan->moment && c->plan->moment < end)) {
            continue;
        }

        svg_add(c->out,
                "<text x=\"%.1f\" y=\"%.1f\" font-size=\"20\" font-weight=\"650\" " HALO
                "text-anchor=\"end\" fill=\"%s\"%s>%u collision%s",
                right - 14, TOP + 30, k > 0 ? "#ff6b6b" : "#b8f26b", still ? "" : " opacity=\"0\"", k,
                k == 1 ? "" : "s");
        if (!still && end > begin) {
            add_span(c, begin, end);
        }
        svg_add(c->out, "</text>\n");
    }
}

/// What the camera sees: in motion, or at one moment.
static void add_view(canvas* c, int i, bool still) {
    const flight_ship* ship = &c->plan->ships[i];
    const vn_dvec3 at = ship_at(ship, c->plan->moment);
    svg_add(c->out, "<g transform=\"translate(%.2f %.2f)\">", -at.x, -at.z);
    if (!still) {
        add_way(c, ship, false);
    }

    svg_add(c->out, "\n");
    add_rocks(c, ship, false);
    add_bodies(c, i, false, still);
    add_rocks(c, ship, true);
    add_trail(c, i, still);
    add_bodies(c, i, true, still);
    svg_add(c->out, "</g>\n");
    add_ship(c, i, still);
}

static void add_camera(canvas* c, int i, bool still) {
    const double left = SHEET_SIDE + i * (c->wide + GAP);
    svg_add(c->out,
            "<g clip-path=\"url(#p%d)\">\n<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
            "fill=\"#0a1222\"/>\n",
            i, left, TOP, c->wide, c->deep);
    svg_add(c->out, "<g transform=\"translate(%.1f %.1f) scale(%.3f)\">\n", left + c->wide / 2,
            TOP + c->deep / 2, c->scale);
    add_view(c, i, still);
    svg_add(c->out,
            "</g></g>\n<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"10\" fill=\"none\" "
            "stroke=\"%s\" "
            "stroke-opacity=\".55\"/>\n",
            left, TOP, c->wide, c->deep, colours[i]);
    svg_add(c->out,
            "<text x=\"%.1f\" y=\"%.1f\" font-size=\"20\" font-weight=\"650\" " HALO
            "fill=\"%s\">%s</text>\n",
            left + 14, TOP + 30, colours[i], c->plan->ships[i].name);
    add_count(c, i, left + c->wide, still);
}

// ------------------------------------------------------------------------------------------------------- map

static void add_map_path(canvas* c, int i) {
    const flight_ship* ship = &c->plan->ships[i];
    svg_add(c->out,
            "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-opacity=\".8\" "
            "stroke-linejoin=\"round\" d=\"",
            colours[i]);
    for (uint32_t k = 0; k < ship->key_count; ++k) {
        double x, y;
        map_point(c, ship->keys[k].position, &x, &y);
        svg_add(c->out, "%c%.1f %.1f", k == 0 ? 'M' : 'L', x, y);
    }
    svg_add(c->out, "\"/>\n");

    for (uint32_t k = 0; k < ship->hit_count; ++k) {
        double x, y;
        map_point(c, ship_at(ship, ship->hits[k]), &x, &y);
        svg_add(c->out, "<path stroke=\"#ff5252\" stroke-width=\"2.5\" d=\"M%.1f %.1fl8 8m0-8l-8 8\"/>\n",
                x - 4, y - 4);
    }
}

static void add_map(canvas* c) {
    const double tall = 2 * ACROSS * c->map, wide = SHEET_WIDTH - 2 * SHEET_SIDE;
    double x, y;
    svg_add(c->out,
            "<text x=\"%.1f\" y=\"%.1f\" font-size=\"15\" fill=\"#a9bbd8\">the whole way from above, corner "
            "to corner; "
            "crosses: collisions</text>\n",
            SHEET_SIDE, c->map_top - 12);
    svg_add(c->out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"10\" fill=\"#0a1222\"/>\n",
            SHEET_SIDE, c->map_top, wide, tall);
    for (int i = 0; i < FLIGHT_SHIPS; ++i) {
        add_map_path(c, i);
    }

    map_point(c, c->plan->goal, &x, &y);
    svg_add(c->out, "<path transform=\"translate(%.1f %.1f)\" fill=\"#fff\" d=\"M0-9l9 9-9 9-9-9z\"/>\n", x,
            y);
}

static void add_map_ship(canvas* c, int i, bool still) {
    double x, y;
    map_point(c, ship_at(&c->plan->ships[i], c->plan->moment), &x, &y);
    svg_add(
        c->out,
        "<circle r=\"7\" fill=\"%s\" stroke=\"#fff\" stroke-width=\"2\" transform=\"translate(%.1f %.1f)\">",
        colours[i], x, y);
    if (!still) {
        add_way(c, &c->plan->ships[i], true);
    }
    svg_add(c->out, "</circle>\n");
}

// ------------------------------------------------------------------------------------------------- the whole

/// Who sees what: without motion, or where less of it is wanted, one moment.
static void add_style(canvas* c) {
    svg_add(c->out, "<style>.n{fill:#ffd9a0;stroke:#7a4d12;stroke-width:.08}.o{fill:#8b96a8;fill-opacity:.45}"
                    ".b{fill:#ff5252;stroke:#fff;stroke-width:.1}\n@media (prefers-reduced-motion:reduce)"
                    "{.live{display:none!important}.still{display:inline!important}}</style>\n");
    for (int i = 0; i < FLIGHT_SHIPS; ++i) {
        svg_add(c->out,
                "<clipPath id=\"p%d\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                "rx=\"10\"/></clipPath>\n",
                i, SHEET_SIDE + i * (c->wide + GAP), TOP, c->wide, c->deep);
    }
}

/// A group that motion shows, or one that it hides. The clock of all motion runs in the former: its end
/// begins it again.
static void begin_group(canvas* c, bool still) {
    svg_add(c->out, "<g class=\"%s\"%s><set attributeName=\"display\" to=\"%s\"/>\n",
            still ? "still" : "live", still ? "" : " display=\"none\"", still ? "none" : "inline");
    if (!still) {
        svg_add(
            c->out,
            "<rect width=\"0\" height=\"0\"><animate id=\"clock\" attributeName=\"x\" from=\"0\" to=\"1\" "
            "begin=\"0s;clock.end\" dur=\"%.2fs\"/></rect>\n",
            shown(c->whole));
    }
}

static void add_legend(canvas* c) {
    static const char* const marks[] = {
        "<circle cx=\"17\" r=\"8\" fill=\"#ffd9a0\"/>",
        "<circle cx=\"17\" r=\"8\" fill=\"#8b96a8\" fill-opacity=\".45\"/>",
        "<circle cx=\"17\" r=\"8\" fill=\"#ff5252\" stroke=\"#fff\"/>",
        "<rect x=\"7\" y=\"-10\" width=\"20\" height=\"20\" fill=\"#5b6f92\" stroke=\"#8fa6c8\"/>"};
    static const char* const texts[] = {"asteroid at the height of the ship", "passes above or below it",
                                        "hits the ship", "rock"};
    static const double at[] = {0, 330, 600, 770};
    for (int i = 0; i < 4; ++i) {
        sheet_begin_row(c->out, SHEET_SIDE - 8 + at[i], c->height - 40, marks[i]);
        svg_add(c->out, "%s", texts[i]);
        sheet_end_row(c->out);
    }
}

static void compose(canvas* c) {
    const flight_plan* plan = c->plan;
    c->wide = (SHEET_WIDTH - 2 * SHEET_SIDE - GAP) / FLIGHT_SHIPS;
    c->scale = c->wide / FLIGHT_WIDE;
    c->deep = FLIGHT_DEEP * c->scale;
    c->map = (SHEET_WIDTH - 2 * SHEET_SIDE) / (WORLD * sqrt(2));
    c->map_top = TOP + c->deep + STRIP;
    c->height = ceil(c->map_top + 2 * ACROSS * c->map + 84);
    c->whole = plan->seconds + REST;
    sheet_begin(c->out, plan->title, c->height);
    add_style(c);

    sheet_begin_title(c->out, plan->title);
    svg_add_escaped(c->out, plan->subtitle);
    svg_add(c->out, "</text>\n");
    add_map(c);
    for (int still = 0; still < 2; ++still) {
        begin_group(c, still == 1);
        for (int i = 0; i < FLIGHT_SHIPS; ++i) {
            add_camera(c, i, still == 1);
            add_map_ship(c, i, still == 1);
        }
        svg_add(c->out, "</g>\n");
    }
    add_legend(c);
    sheet_scale_bar(c->out, c->height, c->scale, "");
    svg_add(c->out, "</svg>\n");
}

int flight_write(const char* path, const flight_plan* plan) {
    svg_text text = {0};
    canvas c = {.out = &text, .plan = plan};
    compose(&c);
    return picture_save(path, &text);
}
