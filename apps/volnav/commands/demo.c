/// volnav/commands/demo.c: the command demo.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "commands/demo_inside.h"
#include "draw/picture.h"
#include "search/search.h"
#include "shell/system.h"

static const char help[] = "Usage: volnav demo [SCENE] [--picture F.svg] [options]\n"
                           "\n"
                           "Flies the routes that a scene names over cells and with A* and greedy search on\n"
                           "the voxel grid, checks every path, prints a table, and draws the first ones.\n"
                           "\n"
                           "  SCENE                a .scene file (samples/scenes/station.scene)\n"
                           "  --picture F.svg      where to draw\n"
                           "  --moving F.svg       instead of a scene: agents cross a hall of moving\n"
                           "                       obstacles and search again when blocked; an\n"
                           "                       animated picture\n"
                           "  --krafft F.svg       instead of a scene: the test environment of Krafft 2019\n"
                           "                       at four times, with a path in each\n"
                           "  --flight F.svg       instead of a scene: an asteroid field, flown without\n"
                           "                       avoidance and by the autopilot; a table and an\n"
                           "                       animated picture\n"
                           "\n";

static const char examples[] =
    "\n"
    "Examples:\n"
    "  volnav demo samples/scenes/station.scene --picture station.svg\n"
    "  volnav demo --moving moving.svg\n"
    "  volnav demo --krafft krafft.svg\n"
    "  volnav demo --flight flight.svg\n"
    "\n"
    "Exit codes: 0 all routes were found and checked; 1 one was not, or the autopilot\n"
    "touched something; 2 bad usage or bad input.\n";

static const vn_algo algos[] = {VN_ALGO_CELLS, VN_ALGO_ASTAR, VN_ALGO_GREEDY};

enum { ALGO_COUNT = sizeof algos / sizeof *algos };

/// The first path of a route, kept for the picture, and the figures of all algorithms.
typedef struct flight {
    search_outcome outcomes[ALGO_COUNT];
    vn_point* points;
} flight;

typedef struct demo {
    load_options load;
    search_options search;
    loaded in;
    vn_query* query;
    flight* flights;
} demo;

/// The request of one of the algorithms. EXIT_BAD after a message.
static int make_request(const demo* d, vn_algo algo, vn_path_request* out) {
    search_algo found;
    search_find_algo(vn_algo_name(algo), &found);
    return search_request(&d->search, &d->load, &found, out);
}

static int fly(demo* d, const vn_scene_route* route, flight* out) {
    const double from[3] = {route->from.x, route->from.y, route->from.z};
    const double to[3] = {route->to.x, route->to.y, route->to.z};
    int code = EXIT_DONE;
    for (int a = 0; a < ALGO_COUNT; ++a) {
        vn_path_request request;
        const int bad = make_request(d, algos[a], &request);
        if (bad != EXIT_DONE) {
            return bad;
        }

        search_outcome* outcome = &out->outcomes[a];
        search_run(&d->in, d->query, &request, from, to, outcome);
        const int one = search_exit_code(outcome);
        if (one != EXIT_DONE) {
            fprintf(stderr, "volnav: route %s by %s:\n", route->name, vn_algo_name(algos[a]));
            search_explain(stderr, &d->in, &d->search, outcome);
            code = one > code ? one : code;
        } else if (a == 0) {
            out->points = say_alloc(outcome->count, sizeof *out->points);
            memcpy(out->points, outcome->points, outcome->count * sizeof *out->points);
        }

        outcome->points = NULL;
    }

    return code;
}

// ------------------------------------------------------------------------------------------------ output

static void write_text(const demo* d, const char* path) {
    const vn_space_info* info = &d->in.info;
    printf("%s: %d x %d x %d voxels of %g m, %" PRIu64 " blocked, baked in %.3f s\n\n", path, info->dims.x,
           info->dims.y, info->dims.z, (double)info->resolution, info->blocked_voxels, d->in.bake_seconds);
    printf("%-18s %-9s %10s %10s %10s  %s\n", "route", "algo", "length m", "expanded", "ms", "checked");
    for (size_t i = 0; i < d->in.scene.route_count; ++i) {
        for (int a = 0; a < ALGO_COUNT; ++a) {
            const search_outcome* o = &d->flights[i].outcomes[a];
            printf("%-18s %-9s %10.2f %10" PRIu64 " %10.3f  %s\n", a == 0 ? d->in.scene.routes[i].name : "",
                   vn_algo_name(algos[a]), o->path.length, o->path.expanded, o->seconds * 1e3,
                   o->checked ? "free" : vn_path_status_word(o->path.status));
        }
    }
}

static void write_flight(json_writer* json, const vn_scene_route* route, int algo, const search_outcome* o) {
    json_begin_object(json, NULL);
    json_text(json, "route", route->name);
    json_text(json, "algo", vn_algo_name(algos[algo]));
    json_text(json, "status", vn_path_status_word(o->path.status));
    json_real(json, "length", o->path.length);
    json_count(json, "expanded", o->path.expanded);
    json_real(json, "microseconds", o->seconds * 1e6);
    json_bool(json, "checked", o->checked);
    json_end(json);
}

static void write_json(const demo* d, const char* path) {
    json_writer json = json_open(stdout);
    json_begin_object(&json, NULL);
    json_text(&json, "scene", path);
    json_triple(&json, "dims", d->in.info.dims.x, d->in.info.dims.y, d->in.info.dims.z);
    json_count(&json, "blocked_voxels", d->in.info.blocked_voxels);

    json_begin_array(&json, "results", false);
    for (size_t i = 0; i < d->in.scene.route_count; ++i) {
        for (int a = 0; a < ALGO_COUNT; ++a) {
            write_flight(&json, &d->in.scene.routes[i], a, &d->flights[i].outcomes[a]);
        }
    }

    json_end(&json);
    load_write_warnings(&json, &d->in);
    json_end(&json);
}

static int draw(demo* d, const char* path, const char* picture) {
    const vn_scene_text* scene = &d->in.scene;
    picture_route* routes = say_alloc(scene->route_count, sizeof *routes);
    for (size_t i = 0; i < scene->route_count; ++i) {
        const search_outcome* o = &d->flights[i].outcomes[0];
        routes[i] = (picture_route){
            .label = scene->routes[i].name, .points = d->flights[i].points, .length = o->path.length};
        routes[i].count = d->flights[i].points != NULL ? o->count : 0;
    }

    const picture_plan plan = {.space = d->in.space,
                               .title = load_file_name(path),
                               .algo = vn_algo_name(algos[0]),
                               .routes = routes,
                               .route_count = (uint32_t)scene->route_count};
    const int code = picture_write(picture, &plan);
    free(routes);

    return code;
}

// ----------------------------------------------------------------------------------------------- command

static int fly_all(demo* d, const char* path, const char* picture) {
    const size_t count = d->in.scene.route_count;
    int code = search_create(&d->in, &d->search, algos, ALGO_COUNT, &d->query);
    d->flights = say_alloc(count, sizeof *d->flights);
    for (size_t i = 0; i < count && code != EXIT_BAD; ++i) {
        const int one = fly(d, &d->in.scene.routes[i], &d->flights[i]);
        code = one > code ? one : code;
    }

    if (code == EXIT_BAD || (picture != NULL && draw(d, path, picture) != EXIT_DONE)) {
        return EXIT_BAD;
    }

    (d->load.json ? write_json : write_text)(d, path);
    if (picture != NULL && !d->load.json) {
        printf("\nThe picture is in %s\n", picture);
    }

    return code;
}

static int run(demo* d, const char* path, const char* picture) {
    int code = picture != NULL ? picture_check_name(picture) : EXIT_DONE;
    if (code == EXIT_DONE) {
        code = load_input(path, &d->load, &d->in);
    }

    if (code == EXIT_DONE && d->in.scene.route_count == 0) {
        code =
            system_ends_with(path, ".scene")
                ? say_bad("%s: there are no routes in it; add lines such as: route NAME x y z x y z", path)
                : say_bad("%s: demo flies the routes of a .scene, and this has none; for one path try volnav "
                          "query %s --from x,y,z --to x,y,z",
                          path, path);
    }

    if (code == EXIT_DONE) {
        code = fly_all(d, path, picture);
    }

    for (size_t i = 0; d->flights != NULL && i < d->in.scene.route_count; ++i) {
        free(d->flights[i].points);
    }

    free(d->flights);
    vn_query_destroy(d->query);
    load_free(&d->in);
    return code;
}

/// The scene that is named, else the sample of the source tree if it is there. Null after a message.
static const char* find_scene(const args_table* table) {
    static const char sample[] = "samples/scenes/station.scene";
    if (table->positional_count > 0) {
        return table->positional[0];
    }

    FILE* file = fopen(sample, "rb");
    if (file == NULL) {
        say_bad("demo needs a scene: %s, its default, is not here. Name one (volnav demo F.scene), or try "
                "volnav demo --moving moving.svg, which needs none",
                sample);
        return NULL;
    }

    fclose(file);
    return sample;
}

/// Options with a world of their own take nothing beside them.
static int refuse_beside(const char* option, const char* other) {
    return other != NULL
               ? say_bad("%s has a world of its own and draws one picture: leave out %s", option, other)
               : EXIT_DONE;
}

int command_demo(int argc, char** argv) {
    demo d = {.load = load_defaults(), .search = search_defaults()};
    const char *picture = NULL, *moving = NULL, *krafft = NULL, *field = NULL;
    args_table table = {.command = "demo", .positional_max = 1};
    args_add(&table, "--picture", ARGS_TEXT, ARGS_ANY, &picture, NULL);
    args_add(&table, "--moving", ARGS_TEXT, ARGS_ANY, &moving, NULL);
    args_add(&table, "--krafft", ARGS_TEXT, ARGS_ANY, &krafft, NULL);
    args_add(&table, "--flight", ARGS_TEXT, ARGS_ANY, &field, NULL);
    search_add_options(&table, &d.search);
    load_add_options(&table, &d.load);

    const int code = args_parse(&table, argc, argv);
    if (code != EXIT_DONE) {
        return code;
    }

    if (table.help) {
        printf("%s%s\n%s%s", help, search_help, load_help, examples);
        return EXIT_DONE;
    }

    if (load_check_one_agent(&d.load) != EXIT_DONE) {
        return EXIT_BAD;
    }

    const char* scene_file = table.positional_count > 0 ? table.positional[0] : NULL;
    const char* beside = picture != NULL ? "--picture" : moving != NULL ? "--moving" : scene_file;
    if (field != NULL) {
        return refuse_beside("--flight", krafft != NULL ? "--krafft" : beside) == EXIT_DONE
                   ? demo_flight(field, d.load.json)
                   : EXIT_BAD;
    }

    if (krafft != NULL) {
        return refuse_beside("--krafft", beside) == EXIT_DONE ? demo_krafft(krafft, d.load.json) : EXIT_BAD;
    }

    if (moving != NULL) {
        return refuse_beside("--moving", picture != NULL ? "--picture" : scene_file) == EXIT_DONE
                   ? demo_moving(moving, d.load.json)
                   : EXIT_BAD;
    }

    const char* scene = find_scene(&table);
    return scene != NULL ? run(&d, scene, picture) : EXIT_BAD;
}
