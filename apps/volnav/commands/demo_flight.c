/// volnav/commands/demo_flight.c: the command demo --flight: an asteroid field, flown without avoidance and
/// by the autopilot that predicts.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands/demo_inside.h"
#include "draw/flight.h"
#include "draw/picture.h"
#include "shell/json.h"
#include "shell/say.h"
#include "shell/system.h"
#include "volnav/run.h"

#define VARIANT "sparse-300"
#define KEY     5 ///< steps from key to key of the picture

enum { SEED = 1, MOST_ROCKS = 16384 };

static const struct {
    vn_pilot_group group;
    const char* name;
} pilots[FLIGHT_SHIPS] = {{VN_PILOT_NONE, "no avoidance"}, {VN_PILOT_PREDICT, "autopilot"}};

/// Both flights.
typedef struct show {
    flight_ship ships[FLIGHT_SHIPS];
    vn_run_result results[FLIGHT_SHIPS];
    vn_box* rocks;
    uint32_t rock_count;
    vn_dvec3 start, goal;
} show;

// -------------------------------------------------------------------------------------------------- tracking

/// The array, with capacity for one more entry.
static void* grow(void* array, uint32_t count, uint32_t* capacity, size_t size) {
    if (count < *capacity) {
        return array;
    }
    *capacity = 2 * count + 64;
    return say_resize(array, *capacity, size);
}

static void add_key(flight_ship* ship, double seconds, vn_dvec3 position) {
    ship->keys = grow(ship->keys, ship->key_count, &ship->key_capacity, sizeof *ship->keys);
    ship->keys[ship->key_count++] = (flight_key){seconds, position};
}

static void add_hit(flight_ship* ship, double seconds) {
    ship->hits = grow(ship->hits, ship->hit_count, &ship->hit_capacity, sizeof *ship->hits);
    ship->hits[ship->hit_count++] = seconds;
}

static flight_body* find_body(flight_ship* ship, const vn_run_thing* thing, vn_dvec3 position,
                              double seconds) {
    for (uint32_t i = 0; i < ship->body_count; ++i) {
        if (ship->bodies[i].id == thing->id) {
            return &ship->bodies[i];
        }
    }

    ship->bodies = grow(ship->bodies, ship->body_count, &ship->body_capacity, sizeof *ship->bodies);
    ship->bodies[ship->body_count] = (flight_body){.id = thing->id,
                                                   .begin = seconds,
                                                   .position = position,
                                                   .velocity = thing->velocity,
                                                   .radius = (double)thing->shape.as.sphere.radius,
                                                   .near = INFINITY};
    return &ship->bodies[ship->body_count++];
}

/// Does the camera show something at this distance from its ship?
static bool is_shown(double x, double y, double z, double size) {
    return fabs(x) < FLIGHT_WIDE / 2 + size && fabs(z) < FLIGHT_DEEP / 2 + size && fabs(y) < FLIGHT_REACH;
}

static void track_things(flight_ship* ship, const vn_run_view* view) {
    const vn_run_agent* agent = &view->agents[0];
    for (uint32_t i = 0; i < view->thing_count; ++i) {
        const vn_run_thing* thing = &view->things[i];
        const vn_dvec3 at = {(double)thing->transform.position.x, (double)thing->transform.position.y,
                             (double)thing->transform.position.z};
        const double x = at.x - agent->position.x, y = at.y - agent->position.y, z = at.z - agent->position.z;
        const double radius = (double)thing->shape.as.sphere.radius;
        if (!is_shown(x, y, z, radius)) {
            continue;
        }

        flight_body* body = find_body(ship, thing, at, view->seconds);
        body->end = view->seconds;
        if (hypot(x, z) < body->near) {
            body->near = hypot(x, z);
            body->height = fabs(y);
        }

        body->hits = body->hits || sqrt(x * x + y * y + z * z) < radius + agent->radius;
    }
}

/// A rock that has been shown before keeps its least distance.
static void add_rock(flight_ship* ship, const flight_rock* rock) {
    for (uint32_t i = 0; i < ship->rock_count; ++i) {
        flight_rock* known = &ship->rocks[i];
        if (known->box.min.x == rock->box.min.x && known->box.min.y == rock->box.min.y &&
            known->box.min.z == rock->box.min.z) {
            *known = rock->near < known->near ? *rock : *known;
            return;
        }
    }
    ship->rocks = grow(ship->rocks, ship->rock_count, &ship->rock_capacity, sizeof *ship->rocks);
    ship->rocks[ship->rock_count++] = *rock;
}

static void track_rocks(flight_ship* ship, const show* s, vn_dvec3 position) {
    for (uint32_t i = 0; i < s->rock_count; ++i) {
        const vn_box* b = &s->rocks[i];
        const double x = ((double)b->min.x + (double)b->max.x) / 2 - position.x;
        const double y = ((double)b->min.y + (double)b->max.y) / 2 - position.y;
        const double z = ((double)b->min.z + (double)b->max.z) / 2 - position.z;
        if (is_shown(x, y, z, 4)) {
            const flight_rock rock = {*b, hypot(x, z), fabs(y)};
            add_rock(ship, &rock);
        }
    }
}

// ---------------------------------------------------------------------------------------------------- flying

static vn_status list_rocks(show* s, const vn_run_view* view) {
    vn_obstacle_id* ids = say_alloc(MOST_ROCKS, sizeof *ids);
    vn_status status = vn_world_query_box(view->world, &view->bounds, ids, MOST_ROCKS, &s->rock_count);
    free(s->rocks);
    s->rocks = say_alloc(s->rock_count > 0 ? s->rock_count : 1, sizeof *s->rocks);
    for (uint32_t i = 0; i < s->rock_count && status == VN_OK; ++i) {
        vn_obstacle_info info;
        status = vn_world_get_info(view->world, ids[i], &info);
        s->rocks[i] = info.bounds;
    }
    free(ids);
    return status;
}

static void note(show* s, flight_ship* ship, const vn_run_view* view, uint32_t step) {
    track_things(ship, view);
    if (step % KEY == 0) {
        add_key(ship, view->seconds, view->agents[0].position);
        track_rocks(ship, s, view->agents[0].position);
    }
}

static vn_status follow(show* s, vn_run* run, flight_ship* ship, vn_detail* detail) {
    vn_run_view view;
    vn_run_result result;
    vn_run_get_view(run, &view);
    vn_status status = list_rocks(s, &view);
    ship->radius = view.agents[0].radius;
    s->start = view.agents[0].position;
    s->goal = view.agents[0].goal;
    note(s, ship, &view, 0);

    status = status == VN_OK ? VN_RUNNING : status;
    for (uint32_t step = 1; status == VN_RUNNING; ++step) {
        status = vn_run_step(run, detail);
        vn_run_get_view(run, &view);
        vn_run_get_result(run, &result);
        note(s, ship, &view, status == VN_RUNNING ? step : 0); // the last one is a key
        while (ship->hit_count < result.collisions) {
            add_hit(ship, result.seconds);
        }
    }
    return status;
}

static vn_status fly(show* s, int i, vn_detail* detail) {
    vn_run_def def = vn_default_run_def();
    vn_run* run = NULL;
    def.scene = "asteroids";
    def.variant = VARIANT;
    def.seed = SEED;
    def.autopilot = pilots[i].group;
    def.clock = system_thread_seconds;
    s->ships[i].name = pilots[i].name;
    vn_status status = vn_run_create(&def, &run, detail);
    if (status == VN_OK) {
        status = follow(s, run, &s->ships[i], detail);
        vn_run_get_result(run, &s->results[i]);
        vn_run_destroy(run);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------- output

static int draw(show* s, const char* picture) {
    char subtitle[240];
    const vn_run_result *none = &s->results[0], *six = &s->results[1];
    snprintf(subtitle, sizeof subtitle,
             "200 × 100 × 200 m, %u rocks, 300 asteroids in 40³ m, the same for both; four times as fast. "
             "Radar of the "
             "autopilot: 4 m. %.1f s and %.1f s of flight",
             s->rock_count, none->seconds, six->seconds);
    const flight_plan plan = {.title = "an asteroid field, flown twice",
                              .subtitle = subtitle,
                              .start = s->start,
                              .goal = s->goal,
                              .ships = s->ships,
                              .seconds = fmax(none->seconds, six->seconds),
                              .moment = s->ships[0].hit_count > 0 ? s->ships[0].hits[0] : none->seconds / 2};
    return flight_write(picture, &plan);
}

static void write_text(const show* s, const char* picture) {
    printf("asteroid field: 200 x 100 x 200 m, %u rocks, 300 asteroids in 40^3 m, seed %d\n\n", s->rock_count,
           SEED);
    printf("%-15s %10s %9s %8s %7s %8s %5s %9s\n", "pilot", "collisions", "nearest m", "flight s", "empty s",
           "length m", "fuel", "us a step");
    for (int i = 0; i < FLIGHT_SHIPS; ++i) {
        const vn_run_result* r = &s->results[i];
        char name[48];
        snprintf(name, sizeof name, "%d %s", (int)pilots[i].group, pilots[i].name);
        printf("%-15s %10u %9.2f %8.1f %7.1f %8.1f %5.1f %9.1f\n", name, r->collisions, r->clearance,
               r->seconds, r->nominal, r->length, r->fuel, 1e6 * r->path_seconds / (double)r->steps);
    }
    printf("empty: without asteroids; a step includes the radar: 42 m, of the autopilot 4 m\n"
           "\nThe flight is in %s; open it in a browser\n",
           picture);
}

static void write_json(const show* s) {
    json_writer json = json_open(stdout);
    json_begin_object(&json, NULL);
    json_text(&json, "scene", "asteroids");
    json_text(&json, "variant", VARIANT);
    json_count(&json, "seed", SEED);
    json_count(&json, "rocks", s->rock_count);
    json_begin_array(&json, "flights", false);
    for (int i = 0; i < FLIGHT_SHIPS; ++i) {
        const vn_run_result* r = &s->results[i];
        json_begin_object(&json, NULL);
        json_count(&json, "group", (uint64_t)pilots[i].group);
        json_text(&json, "end", vn_run_end_name(r->end));
        json_count(&json, "collisions", r->collisions);
        json_count(&json, "wall_hits", r->wall_hits);
        json_real(&json, "clearance", r->clearance);
        json_real(&json, "seconds", r->seconds);
        json_real(&json, "seconds_empty", r->nominal);
        json_real(&json, "length", r->length);
        json_real(&json, "fuel", r->fuel);
        json_count(&json, "calls", r->calls);
        json_count(&json, "steps", r->steps);
        json_real(&json, "microseconds_a_step", 1e6 * r->path_seconds / (double)r->steps);
        json_end(&json);
    }

    json_end(&json);
    json_end(&json);
}

static void forget(show* s) {
    for (int i = 0; i < FLIGHT_SHIPS; ++i) {
        free(s->ships[i].keys);
        free(s->ships[i].bodies);
        free(s->ships[i].rocks);
        free(s->ships[i].hits);
    }
    free(s->rocks);
}

int demo_flight(const char* picture, bool as_json) {
    show s = {.rocks = NULL};
    vn_detail detail = {0};
    vn_status status = VN_OK;
    if (picture_check_name(picture) != EXIT_DONE) {
        return EXIT_BAD;
    }

    for (int i = 0; i < FLIGHT_SHIPS && status == VN_OK; ++i) {
        status = fly(&s, i, &detail);
    }

    int code = status == VN_OK ? draw(&s, picture) : say_status("--flight", status, &detail);
    if (code == EXIT_DONE && as_json) {
        write_json(&s);
    } else if (code == EXIT_DONE) {
        write_text(&s, picture);
    }

    const vn_run_result* ours = &s.results[FLIGHT_SHIPS - 1];
    const bool good = ours->end == VN_RUN_ARRIVED && ours->collisions == 0 && ours->wall_hits == 0;
    forget(&s);
    return code == EXIT_DONE && !good ? EXIT_NO_PATH : code;
}
