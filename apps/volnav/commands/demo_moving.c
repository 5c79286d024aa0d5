/// volnav/commands/demo_moving.c: the command demo --moving: agents cross a hall in which obstacles move.
///
/// A game's frame loop around vn_nav: obstacles move, the nav updates its space, a path that gets blocked is
/// searched again from where its agent is. Lockstep, so that the picture is the same each time.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/demo_inside.h"
#include "draw/motion.h"
#include "shell/json.h"
#include "shell/say.h"
#include "shell/text.h"
#include "volnav/nav.h"

#define WIDE      60.0
#define DEEP      30.0
#define HIGH      2.0
#define STEP      0.05 // seconds to a frame
#define SPEED     4.0  // of an agent, metres per second
#define RADIUS    0.5
#define SNAP      2.0 // a moving obstacle may come nearer than the radius
#define REST      1.0 // seconds between the last arrival and the next beginning
#define MAX_FRAME 2000
#define MAX_WAIT  20 // ticks until the first paths

static const motion_wall walls[] = {{17, 0, 18, 4},   {17, 10, 18, 19}, {17, 25, 18, 30}, {41, 0, 42, 8},
                                    {41, 13, 42, 20}, {41, 26, 42, 30}, {28, 11, 32, 18}, {8, 12, 11, 17}};

/// A box that stands at a place for a while, moves to another, stands there, and moves back.
typedef struct shuttle {
    double wide, deep, from_x, from_z, to_x, to_z;
    double seconds, phase; ///< for there and back; part of that which has passed at the beginning
} shuttle;

static const shuttle shuttles[] = {{1, 6, 15.5, 7, 15.5, 22, 10, 0.14},
                                   {1, 6, 43.5, 23, 43.5, 10.5, 9, 0.72},
                                   {5, 3, 23, 4, 36, 4, 8, 0.3},
                                   {5, 3, 36, 25, 23, 25, 7, 0}};

static const double ends[][4] = {{3, 5, 57, 22}, {3, 15, 57, 15}, {57, 6, 3, 25}};

enum {
    WALLS = sizeof walls / sizeof *walls,
    BOXES = sizeof shuttles / sizeof *shuttles,
    AGENTS = sizeof ends / sizeof *ends
};

typedef struct agent {
    double x, z;
    size_t next; ///< the point of its path that it flies to
    size_t path; ///< index + 1; 0: none
    vn_request_id request;
    vn_watch_id watch;
    bool arrived;
    uint32_t requests, blocked;
    double flown;
} agent;

typedef struct play {
    vn_nav* nav;
    vn_obstacle_id ids[BOXES];
    agent agents[AGENTS];
    motion_body boxes[BOXES], tracks[AGENTS];
    motion_path* paths;
    size_t path_count, path_capacity;
    double seconds;
} play;

// -------------------------------------------------------------------------------------------------- world

/// The parts of a turn at which a box begins or ends to move.
static const double breaks[4] = {0.38, 0.5, 0.88, 1};

/// 0 at the one place, 1 at the other.
static double swing(const shuttle* s, double seconds) {
    const double turn = seconds / s->seconds + s->phase, part = turn - floor(turn);
    if (part < breaks[1]) {
        return part < breaks[0] ? 0 : (part - breaks[0]) / (breaks[1] - breaks[0]);
    }
    return part < breaks[2] ? 1 : (breaks[3] - part) / (breaks[3] - breaks[2]);
}

static motion_key place_of(const shuttle* s, double seconds) {
    const double t = swing(s, seconds);
    return (motion_key){seconds, s->from_x + t * (s->to_x - s->from_x),
                        s->from_z + t * (s->to_z - s->from_z)};
}

static vn_transform transform_of(const shuttle* s, double seconds) {
    const motion_key at = place_of(s, seconds);
    return vn_transform_at(at.x, 0, at.z);
}

static vn_status add_obstacles(vn_world* world, play* p, vn_detail* detail) {
    vn_status status = VN_OK;
    for (size_t i = 0; i < WALLS && status == VN_OK; ++i) {
        const motion_wall* w = &walls[i];
        const vn_shape shape = {
            .kind = VN_SHAPE_BOX,
            .as.box = {{(float)w->x0, 0, (float)w->z0}, {(float)w->x1, (float)HIGH, (float)w->z1}}};
        status = vn_world_add(world, &shape, NULL, detail);
    }

    for (size_t i = 0; i < BOXES && status == VN_OK; ++i) {
        const float x = (float)shuttles[i].wide / 2, z = (float)shuttles[i].deep / 2;
        const vn_shape shape = {.kind = VN_SHAPE_BOX, .as.box = {{-x, 0, -z}, {x, (float)HIGH, z}}};
        const vn_transform transform = transform_of(&shuttles[i], 0);
        status = vn_world_add_moving(world, &shape, &transform, &p->ids[i], detail);
    }

    return status;
}

static vn_status create(play* p, vn_detail* detail) {
    vn_world* world = NULL;
    const vn_world_def world_def = vn_default_world_def();
    vn_nav_def def = vn_default_nav_def();
    def.space.resolution = 0.5f;
    def.space.has_bounds = true;
    def.space.bounds = (vn_box){{0, 0, 0}, {(float)WIDE, (float)HIGH, (float)DEEP}};
    def.layers[0].radius = (float)RADIUS;
    def.mode = VN_NAV_LOCKSTEP;
    def.latency = 1;

    vn_status status = vn_world_create(&world_def, &world);
    if (status == VN_OK) {
        status = add_obstacles(world, p, detail);
    }

    if (status == VN_OK) {
        status = vn_nav_create(world, &def, &p->nav, detail);
    }

    if (status != VN_OK) {
        vn_world_destroy(world);
    }

    return status;
}

// -------------------------------------------------------------------------------------------------- frames

static void note_agent(play* p, size_t i) {
    motion_body* track = &p->tracks[i];
    const agent* a = &p->agents[i];
    motion_add(&track->keys, &track->count, &track->capacity, (motion_key){p->seconds, a->x, a->z});
}

static void end_path(play* p, agent* a, bool blocked) {
    if (a->path > 0) {
        motion_path* path = &p->paths[a->path - 1];
        path->end = p->seconds;
        path->blocked = blocked;
    }

    if (a->watch != 0) {
        (void)vn_nav_unwatch(p->nav, a->watch); // it may have ended by itself
    }

    a->path = 0;
    a->watch = 0;
}

static vn_status request_path(play* p, size_t i) {
    agent* a = &p->agents[i];
    vn_nav_request request = vn_default_nav_request();
    request.path.use_positions = true;
    request.path.start_position = (vn_dvec3){a->x, HIGH / 2, a->z};
    request.path.goal_position = (vn_dvec3){ends[i][2], HIGH / 2, ends[i][3]};
    request.path.radius = (float)RADIUS;
    request.path.snap_distance = (float)SNAP;
    request.user = i;
    ++a->requests;
    return vn_nav_submit(p->nav, &request, &a->request, NULL);
}

static void take_path(play* p, const vn_nav_result* result) {
    agent* a = &p->agents[result->user];
    motion_path path = {.agent = (size_t)result->user, .begin = p->seconds};
    motion_add(&path.points, &path.count, &path.capacity, (motion_key){0, a->x, a->z});
    for (uint32_t i = 0; i < result->point_count; ++i) {
        const vn_dvec3 at = vn_space_point_to_world(result->space, result->points[i]);
        motion_add(&path.points, &path.count, &path.capacity, (motion_key){0, at.x, at.z});
    }

    if (p->path_count == p->path_capacity) {
        p->path_capacity = 2 * p->path_capacity + 16;
        p->paths = say_resize(p->paths, p->path_capacity, sizeof *p->paths);
    }

    p->paths[p->path_count++] = path;
    a->path = p->path_count;
    a->next = 1;
}

static vn_status watch(play* p, const vn_nav_result* result, vn_watch_id* out) {
    const vn_watch_def def = vn_default_watch_def();
    return vn_nav_watch(p->nav, result, &def, out, NULL);
}

static vn_status take_results(play* p) {
    vn_status status = VN_OK;
    vn_nav_result result;
    while (status == VN_OK && vn_nav_next_result(p->nav, &result)) {
        agent* a = &p->agents[result.user];
        a->request = 0;
        if (result.result.status == VN_OK) {
            take_path(p, &result);
            note_agent(p, (size_t)result.user);
            status = watch(p, &result, &a->watch);
        }
        vn_nav_release_result(p->nav, result.id); // without a path the agent waits and asks again
    }

    return status;
}

static void take_events(play* p) {
    vn_nav_event event;
    while (vn_nav_next_event(p->nav, &event)) {
        for (size_t i = 0; i < AGENTS && event.kind == VN_EVENT_PATH_BLOCKED; ++i) {
            if (p->agents[i].watch != 0 && p->agents[i].watch == event.watch) {
                note_agent(p, i);
                ++p->agents[i].blocked;
                end_path(p, &p->agents[i], true);
            }
        }
    }
}

/// Flies one frame along the path. The watched points are those of the path without its first.
static void fly(play* p, size_t i) {
    agent* a = &p->agents[i];
    double left = SPEED * STEP;
    while (a->path > 0 && left > 0) {
        const motion_path* path = &p->paths[a->path - 1];
        const double dx = path->points[a->next].x - a->x, dz = path->points[a->next].z - a->z;
        const double length = sqrt(dx * dx + dz * dz), part = length > left ? left / length : 1;
        a->x += part * dx;
        a->z += part * dz;
        a->flown += part * length;
        left -= part * length;
        if (part < 1) {
            break;
        }

        p->seconds += STEP * (1 - left / (SPEED * STEP)); // when it turns
        note_agent(p, i);
        p->seconds -= STEP * (1 - left / (SPEED * STEP));
        a->arrived = ++a->next == path->count;
        if (a->arrived) {
            end_path(p, a, false);
        } else if (a->next >= 2) {
            (void)vn_nav_watch_advance(p->nav, a->watch, (uint32_t)a->next - 2);
        }
    }
}

/// One tick: boxes move, agents without a path ask for one, and what the nav says is taken.
static vn_status run_tick(play* p) {
    vn_status status = VN_OK;
    for (size_t i = 0; i < BOXES && status == VN_OK; ++i) {
        const vn_transform transform = transform_of(&shuttles[i], p->seconds);
        status = vn_nav_move(p->nav, p->ids[i], &transform, NULL);
    }

    for (size_t i = 0; i < AGENTS && status == VN_OK; ++i) {
        const agent* a = &p->agents[i];
        status = a->path > 0 || a->request != 0 || a->arrived ? VN_OK : request_path(p, i);
    }

    if (status == VN_OK) {
        status = vn_nav_tick(p->nav, NULL);
    }

    take_events(p);
    return status == VN_OK ? take_results(p) : status;
}

static bool all_have_paths(const play* p) {
    bool all = true;
    for (size_t i = 0; i < AGENTS; ++i) {
        all = all && p->agents[i].path > 0;
    }
    return all;
}

static bool all_arrived(const play* p) {
    bool all = true;
    for (size_t i = 0; i < AGENTS; ++i) {
        all = all && p->agents[i].arrived;
    }
    return all;
}

static vn_status run(play* p) {
    vn_status status = VN_OK;
    for (size_t i = 0; i < AGENTS; ++i) {
        p->agents[i].x = ends[i][0];
        p->agents[i].z = ends[i][1];
        note_agent(p, i);
    }

    // The clock starts when the first paths are there: the first picture shows them.
    for (int i = 0; i < MAX_WAIT && status == VN_OK && !all_have_paths(p); ++i) {
        status = run_tick(p);
    }

    for (int frame = 0; frame < MAX_FRAME && status == VN_OK && !all_arrived(p); ++frame) {
        p->seconds = frame * STEP;
        status = run_tick(p);
        for (size_t i = 0; i < AGENTS && status == VN_OK; ++i) {
            fly(p, i);
        }
    }

    p->seconds += REST;
    for (size_t i = 0; i < AGENTS; ++i) {
        note_agent(p, i);
    }

    return status;
}

// ------------------------------------------------------------------------------------------------- output

/// The places where the boxes turn, and those at the beginning and the end.
static void trace_boxes(play* p) {
    for (size_t i = 0; i < BOXES; ++i) {
        motion_body* box = &p->boxes[i];
        const shuttle* s = &shuttles[i];
        box->wide = s->wide;
        box->deep = s->deep;
        motion_add(&box->keys, &box->count, &box->capacity, place_of(s, 0));
        for (int k = 0;; ++k) {
            const double at = (k / 4 + breaks[k % 4] - s->phase) * s->seconds;
            if (at >= p->seconds) {
                break;
            }

            if (at > 0) {
                motion_add(&box->keys, &box->count, &box->capacity, place_of(s, at));
            }
        }

        motion_add(&box->keys, &box->count, &box->capacity, place_of(s, p->seconds));
    }
}

static int draw(play* p, const char* picture, const vn_nav_stats* stats) {
    char subtitle[320];
    uint32_t blocked = 0;
    for (size_t i = 0; i < AGENTS; ++i) {
        blocked += p->agents[i].blocked;
    }

    trace_boxes(p);
    snprintf(subtitle, sizeof subtitle, "%.1f s in real time: %s of the space, %s searched again",
             p->seconds - REST, text_count(stats->updates, "update").s,
             text_count(blocked, "blocked path").s);
    const motion_plan plan = {.title = "a world that changes",
                              .subtitle = subtitle,
                              .wide = WIDE,
                              .deep = DEEP,
                              .seconds = p->seconds,
                              .walls = walls,
                              .wall_count = WALLS,
                              .boxes = p->boxes,
                              .box_count = BOXES,
                              .agents = p->tracks,
                              .agent_count = AGENTS,
                              .paths = p->paths,
                              .path_count = p->path_count};
    return motion_write(picture, &plan);
}

static void write_text(const play* p, const char* picture, const vn_nav_stats* stats) {
    printf("%s of the space in %.1f s of flight\n", text_count(stats->updates, "update").s,
           p->seconds - REST);
    for (size_t i = 0; i < AGENTS; ++i) {
        const agent* a = &p->agents[i];
        printf("  agent %zu  %.1f m, %s, %" PRIu32 " of its paths blocked\n", i + 1, a->flown,
               text_count(a->requests, "request").s, a->blocked);
    }
    printf("The picture is in %s\n", picture);
}

static void write_json(const play* p, const vn_nav_stats* stats) {
    json_writer json = json_open(stdout);
    json_begin_object(&json, NULL);
    json_real(&json, "seconds", p->seconds - REST);
    json_count(&json, "updates", stats->updates);
    json_begin_array(&json, "agents", false);
    for (size_t i = 0; i < AGENTS; ++i) {
        const agent* a = &p->agents[i];
        json_begin_object(&json, NULL);
        json_real(&json, "length", a->flown);
        json_count(&json, "requests", a->requests);
        json_count(&json, "blocked", a->blocked);
        json_bool(&json, "arrived", a->arrived);
        json_end(&json);
    }

    json_end(&json);
    json_end(&json);
}

static void forget(play* p) {
    for (size_t i = 0; i < p->path_count; ++i) {
        free(p->paths[i].points);
    }

    for (size_t i = 0; i < BOXES; ++i) {
        free(p->boxes[i].keys);
    }

    for (size_t i = 0; i < AGENTS; ++i) {
        free(p->tracks[i].keys);
    }

    free(p->paths);
    vn_nav_destroy(p->nav);
}

int demo_moving(const char* picture, bool as_json) {
    play p = {0};
    vn_detail detail = {0};
    vn_nav_stats stats;
    vn_status status = create(&p, &detail);
    if (status == VN_OK) {
        status = run(&p);
    }

    int code = status == VN_OK ? EXIT_DONE : say_status("--moving", status, &detail);
    if (code == EXIT_DONE) {
        vn_nav_get_stats(p.nav, &stats);
        code = draw(&p, picture, &stats);
    }

    if (code == EXIT_DONE && as_json) {
        write_json(&p, &stats);
    } else if (code == EXIT_DONE) {
        write_text(&p, picture, &stats);
    }

    const bool arrived = all_arrived(&p);
    forget(&p);
    return code == EXIT_DONE && !arrived ? EXIT_NO_PATH : code;
}
