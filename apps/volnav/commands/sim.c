/// volnav/commands/sim.c: the command sim.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "commands/run_file.h"
#include "commands/sim_summary.h"
#include "input/latency.h"
#include "shell/args.h"
#include "shell/json.h"
#include "shell/say.h"
#include "shell/system.h"
#include "volnav/io.h"

static const char help[] =
    "Usage: volnav sim SCENE [options]\n"
    "       volnav sim [--json]\n"
    "\n"
    "Flies a scene that moves, many times with different seeds, on all cores. A judge\n"
    "that shares no code with searches and pilots measures what was touched. Without\n"
    "a scene: the scenes that there are, with their algorithms, spaces and variants.\n"
    "\n"
    "  --algo NAME          algorithm that plans (the scene's first)\n"
    "  --space NAME         space that it plans in (the scene's first)\n"
    "  --variant NAME       variant of the scene (its first)\n"
    "  --map F.3dmap        debris: in this map of voxels, a metre each, instead of\n"
    "                       the wreck; no --record, no --checkpoint\n"
    "  --autopilot N        0 to 6: how agents avoid what moves (6); or thesis: by\n"
    "                       the rules of the thesis that the scene comes from\n"
    "  --runs N             how many (1); run i has the seed S + i\n"
    "  --seed S             of the first run (1)\n"
    "  --agents N           how many fly (as the scene has it)\n"
    "  --obstacles N        how many move, in the scene's unit (as the scene has it)\n"
    "  --speed F            factor on the speed of what moves (1)\n"
    "  --latency L          seconds until agents learn of a change and get a path for\n"
    "                       it: none (0), thesis, ours, or a number. thesis: updates\n"
    "                       of Krafft 2019 (grid 0.282, waypoints 0.328) and 2021\n"
    "                       (hybrid 0.00135); ours: update and A* at worst in the\n"
    "                       experiment krafft-spaces (grid 0.0129, waypoints 0.0015,\n"
    "                       hybrid 0.0102, cells 0.00058)\n"
    "  --limit SECONDS      simulated, after which a run ends (as the scene has it)\n"
    "  --step SECONDS       of the clock (as the scene has it)\n"
    "  --replan SECONDS     from one plan to the next (as the scene has it)\n"
    "  --radar METRES       range (as the scene has it)\n"
    "  --end-at-collision   the first collision ends a run\n"
    "  --threads N          runs at a time (0: one for each processor)\n"
    "  --csv F              a line for each run; the last three columns are CPU\n"
    "                       times, the others do not depend on the number of threads\n"
    "  --record F.vnrec     flies the first run that failed (or that was enclosed;\n"
    "                       else the first) again and records it; see volnav replay\n"
    "  --checkpoint F       keeps finished runs in F, every few seconds, and begins\n"
    "                       with those that are in it; with more --runs it goes on\n"
    "  --require-clean      exit code 1 if something was touched in a run\n"
    "  --json               JSON on standard output\n"
    "  --quiet              no progress\n"
    "  --help               this text\n"
    "\n"
    "Runs in which the agent was enclosed, with no way out whatever it had done,\n"
    "count apart. Intervals have a confidence of 95 %: Wilson's for shares, Student's\n"
    "for means of collisions, with 3.69 / runs above none at all. Flight, length and\n"
    "fuel are means of the runs that arrived.\n"
    "\n"
    "Examples:\n"
    "  volnav sim asteroids --runs 20 --csv runs.csv\n"
    "  volnav sim asteroids --autopilot 0 --seed 100000 --record bad.vnrec\n"
    "  volnav replay bad.vnrec\n"
    "\n"
    "JSON: scene, variant, algo, space, autopilot, seed, agents, obstacles, speed,\n"
    "latency, limit, resumed, runs, enclosed, reached, clean, perfect (both),\n"
    "timeouts, lost, collisions, collisions_mean, wall_hits, agent_hits, caught,\n"
    "..._interval (low and high), clearance, wall_clearance (least), seconds,\n"
    "flight_ratio, distance, fuel, replans, expanded, dynamic_nodes, steps, stopped,\n"
    "unverified, path_us_mean, frame_us_mean, frame_us_p99, worst_step_us, shown (the\n"
    "run that --record takes: why, seed).\n"
    "\n"
    "Exit codes: 0 all runs were flown; 1 something was touched (--require-clean);\n"
    "2 bad usage, or a run that could not go on.\n";

enum { NAME = 64 };

typedef struct sim_options {
    const char *algo, *space, *variant, *map, *autopilot, *latency, *csv, *record, *checkpoint;
    uint64_t runs, seed, agents, obstacles, threads;
    bool has_obstacles, end_at_collision, require_clean, json, quiet;
    double speed, limit, step, replan, radar;
    char names[3][NAME]; ///< algo, space, variant that were chosen
} sim_options;

// ---------------------------------------------------------------------------------------------- the scenes

static void write_names(json_writer* json, const char* key, const char* names) {
    json_begin_array(json, key, true);
    for (const char* at = names; *at != '\0';) {
        char name[NAME];
        const size_t length = strcspn(at, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        json_text(json, NULL, name);
        at += length + (at[length] == ' ');
    }
    json_end(json);
}

static void list_as_json(void) {
    json_writer json = json_open(stdout);
    json_begin_object(&json, NULL);
    json_begin_array(&json, "scenes", false);
    for (uint32_t i = 0; i < vn_run_scene_count(); ++i) {
        const vn_run_scene* scene = vn_run_scene_get(i);
        json_begin_object(&json, NULL);
        json_text(&json, "scene", scene->name);
        json_text(&json, "source", scene->source);
        json_text(&json, "description", scene->description);
        write_names(&json, "algos", scene->algos);
        write_names(&json, "spaces", scene->spaces);
        write_names(&json, "variants", vn_run_scene_variants(i));
        json_count(&json, "agents", scene->agents);
        json_real(&json, "step", scene->step);
        json_real(&json, "limit", scene->limit);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
}

static int list_scenes(bool as_json) {
    if (as_json) {
        list_as_json();
        return EXIT_DONE;
    }

    for (uint32_t i = 0; i < vn_run_scene_count(); ++i) {
        const vn_run_scene* scene = vn_run_scene_get(i);
        printf("%s: %s\n", scene->name, scene->description);
        printf("  source    %s\n", scene->source);
        printf("  algos     %s\n", scene->algos);
        printf("  spaces    %s\n", scene->spaces);
        printf("  variants  %s\n", vn_run_scene_variants(i));
        printf("  by default %" PRIu32 " agent%s, steps of %g s, %g s at most\n", scene->agents,
               scene->agents == 1 ? "" : "s", scene->step, scene->limit);
    }
    return EXIT_DONE;
}

static int unknown_scene(const char* name) {
    enum { MOST = 64 };
    const char* names[MOST + 1];
    uint32_t count = vn_run_scene_count();
    count = count < MOST ? count : MOST;
    for (uint32_t i = 0; i < count; ++i) {
        names[i] = vn_run_scene_get(i)->name;
    }
    names[count] = NULL;

    const char* nearest = args_nearest(name, names);
    return nearest == NULL
               ? say_bad("no scene is called %s; volnav sim lists them", name)
               : say_bad("no scene is called %s; did you mean %s? volnav sim lists them", name, nearest);
}

// --------------------------------------------------------------------------------------------- the options

/// The given name, which must be among `names`; the first of them if none is given.
static int choose(const char* option, const char* given, const char* names, const char* scene,
                  char out[NAME]) {
    out[0] = '\0';
    for (const char* at = names; *at != '\0';) {
        const size_t length = strcspn(at, " ");
        if (given == NULL || (strlen(given) == length && strncmp(given, at, length) == 0)) {
            snprintf(out, NAME, "%.*s", (int)length, at);
            return EXIT_DONE;
        }
        at += length + (at[length] == ' ');
    }
    return given == NULL ? EXIT_DONE
                         : say_bad("%s %s: the scene %s has %s", option, given, scene,
                                   names[0] != '\0' ? names : "none");
}

static int set_autopilot(const char* text, vn_run_def* def) {
    if (text == NULL) {
        return EXIT_DONE;
    }
    if (strcmp(text, "thesis") == 0) {
        def->rules = VN_RUN_THESIS;
        return EXIT_DONE;
    }
    if (text[0] < '0' || text[0] >= '0' + VN_PILOT_GROUP_COUNT || text[1] != '\0') {
        return say_bad("--autopilot %s: expected 0 to %d, or thesis", text, VN_PILOT_GROUP_COUNT - 1);
    }
    def->autopilot = (vn_pilot_group)(text[0] - '0');
    return EXIT_DONE;
}

static int set_latency(const char* text, vn_run_def* def) {
    double seconds = 0;
    if (text == NULL || strcmp(text, "none") == 0) {
        def->latency = 0;
    } else if (strcmp(text, "thesis") == 0 || strcmp(text, "ours") == 0) {
        def->latency = latency_of(text[0] == 't' ? LATENCY_THESIS : LATENCY_OURS, def->space);
    } else if (args_real(text, &seconds) && seconds >= 0 && seconds <= 3600) {
        def->latency = seconds;
    } else {
        return say_bad("--latency %s: expected none, ours, thesis, or seconds up to 3600", text);
    }
    return EXIT_DONE;
}

static int check_numbers(const sim_options* o) {
    if (o->runs > SIM_MOST_RUNS) {
        return say_bad("--runs %" PRIu64 ": %d at most", o->runs, SIM_MOST_RUNS);
    }
    if (o->seed > UINT64_MAX - SIM_MOST_RUNS) {
        return say_bad("--seed %" PRIu64 " is too large", o->seed);
    }
    if (o->threads > 1024) {
        return say_bad("--threads %" PRIu64 ": 1024 at most", o->threads);
    }
    if (o->agents > 1000000 || o->obstacles > 1000000) {
        return say_bad("--agents and --obstacles: 1000000 at most");
    }
    return EXIT_DONE;
}

static int make_def(sim_options* o, const char* scene_name, vn_run_def* def) {
    uint32_t index;
    if (!vn_run_scene_find(scene_name, &index)) {
        return unknown_scene(scene_name);
    }

    const vn_run_scene* scene = vn_run_scene_get(index);
    int code = choose("--algo", o->algo, scene->algos, scene->name, o->names[0]);
    if (code == EXIT_DONE) {
        code = choose("--space", o->space, scene->spaces, scene->name, o->names[1]);
    }
    if (code == EXIT_DONE) {
        code = choose("--variant", o->variant, vn_run_scene_variants(index), scene->name, o->names[2]);
    }

    *def = vn_default_run_def();
    def->scene = scene->name;
    def->algo = o->names[0];
    def->space = o->names[1];
    def->variant = o->names[2];
    def->seed = o->seed;
    def->agents = o->agents > 0 ? (uint32_t)o->agents : scene->agents;
    def->obstacles = o->has_obstacles ? (uint32_t)o->obstacles : VN_RUN_AS_SCENE;
    def->speed = o->speed;
    def->radar = o->radar;
    def->replan = o->replan;
    def->step = o->step > 0 ? o->step : scene->step;
    def->limit = o->limit > 0 ? o->limit : scene->limit;
    def->end_at_collision = o->end_at_collision;
    code = code == EXIT_DONE ? set_autopilot(o->autopilot, def) : code;
    return code == EXIT_DONE ? set_latency(o->latency, def) : code;
}

// ----------------------------------------------------------------------------------------------- the runs

/// A file that cannot be written is said before the first run, not after the last one.
static int check_output(const char* path) {
    if (path == NULL) {
        return EXIT_DONE;
    }
    vn_detail detail = {0};
    vn_saving* saving = say_alloc(1, sizeof *saving);
    vn_status status = vn_saving_begin(path, saving, &detail);
    if (status == VN_OK) {
        status = vn_saving_finish(saving, false, &detail);
    }
    free(saving);
    return status == VN_OK ? EXIT_DONE : say_status(path, status, &detail);
}

static int record_run(const sim_options* o, const sim_campaign* c, const sim_summary* s) {
    vn_run_def def = c->def;
    def.seed = s->shown_seed;
    const int code = run_file_save(o->record, &def, &c->outcomes[s->shown_seed - c->def.seed].result);
    if (code == EXIT_DONE && !o->json) {
        const char* why = s->failed ? " that failed" : s->enclosed > 0 ? " that was enclosed" : "";
        printf("  %-19s seed %" PRIu64 ", the first%s, to %s\n", "recorded", s->shown_seed, why, o->record);
    }
    return code;
}

static int run_campaign(const sim_options* o, sim_campaign* c) {
    int code = check_output(o->csv);
    if (code == EXIT_DONE) {
        code = check_output(o->record);
    }
    if (code == EXIT_DONE) {
        code = sim_campaign_run(c);
    }
    if (code == EXIT_DONE && o->csv != NULL) {
        code = sim_csv_write(c, o->csv);
    }
    if (code != EXIT_DONE) {
        return code;
    }

    const sim_summary s = sim_summarise(c);
    if (o->json) {
        sim_print_json(c, &s);
    } else {
        sim_print_table(c, &s);
    }
    if (o->record != NULL) {
        code = record_run(o, c, &s);
    }
    return code == EXIT_DONE && o->require_clean && s.clean < s.counted ? EXIT_NO_PATH : code;
}

static void add_options(args_table* table, sim_options* o) {
    args_add(table, "--algo", ARGS_TEXT, ARGS_ANY, &o->algo, NULL);
    args_add(table, "--space", ARGS_TEXT, ARGS_ANY, &o->space, NULL);
    args_add(table, "--variant", ARGS_TEXT, ARGS_ANY, &o->variant, NULL);
    args_add(table, "--map", ARGS_TEXT, ARGS_ANY, &o->map, NULL);
    args_add(table, "--autopilot", ARGS_TEXT, ARGS_ANY, &o->autopilot, NULL);
    args_add(table, "--runs", ARGS_COUNT, ARGS_POSITIVE, &o->runs, NULL);
    args_add(table, "--seed", ARGS_COUNT, ARGS_ANY, &o->seed, NULL);
    args_add(table, "--agents", ARGS_COUNT, ARGS_POSITIVE, &o->agents, NULL);
    args_add(table, "--obstacles", ARGS_COUNT, ARGS_ANY, &o->obstacles, &o->has_obstacles);
    args_add(table, "--speed", ARGS_REAL, ARGS_NOT_NEGATIVE, &o->speed, NULL);
    args_add(table, "--latency", ARGS_TEXT, ARGS_ANY, &o->latency, NULL);
    args_add(table, "--limit", ARGS_REAL, ARGS_POSITIVE, &o->limit, NULL);
    args_add(table, "--step", ARGS_REAL, ARGS_POSITIVE, &o->step, NULL);
    args_add(table, "--replan", ARGS_REAL, ARGS_POSITIVE, &o->replan, NULL);
    args_add(table, "--radar", ARGS_REAL, ARGS_POSITIVE, &o->radar, NULL);
    args_add(table, "--end-at-collision", ARGS_FLAG, ARGS_ANY, &o->end_at_collision, NULL);
    args_add(table, "--threads", ARGS_COUNT, ARGS_ANY, &o->threads, NULL);
    args_add(table, "--csv", ARGS_TEXT, ARGS_ANY, &o->csv, NULL);
    args_add(table, "--record", ARGS_TEXT, ARGS_ANY, &o->record, NULL);
    args_add(table, "--checkpoint", ARGS_TEXT, ARGS_ANY, &o->checkpoint, NULL);
    args_add(table, "--require-clean", ARGS_FLAG, ARGS_ANY, &o->require_clean, NULL);
    args_add(table, "--json", ARGS_FLAG, ARGS_ANY, &o->json, NULL);
    args_add(table, "--quiet", ARGS_FLAG, ARGS_ANY, &o->quiet, NULL);
}

/// Flies in a map of the user's, or without. What a run came to depends on the map, which neither a record
/// nor a checkpoint keeps.
static int run_in_map(const sim_options* o, sim_campaign* c) {
    const vn_allocator allocator = vn_default_allocator();
    vn_detail detail = {0};
    vn_3dmap map;
    if (o->map == NULL) {
        return run_campaign(o, c);
    }
    if (o->record != NULL || o->checkpoint != NULL) {
        return say_bad("--map goes with neither --record nor --checkpoint");
    }

    const vn_status status = vn_3dmap_read_file(o->map, &allocator, &map, &detail);
    if (status != VN_OK) {
        return say_status(o->map, status, &detail);
    }
    const vn_shape shape = vn_3dmap_shape(&map);
    c->def.map = &shape;
    const int code = run_campaign(o, c);
    c->def.map = NULL;
    vn_3dmap_free(&map);
    return code;
}

int command_sim(int argc, char** argv) {
    sim_options o = {.runs = 1, .seed = 1, .speed = 1};
    args_table table = {.command = "sim", .positional_max = 1};
    add_options(&table, &o);
    int code = args_parse(&table, argc, argv);
    if (code != EXIT_DONE) {
        return code;
    }
    if (table.help) {
        fputs(help, stdout);
        return EXIT_DONE;
    }
    if (table.positional_count == 0) {
        return list_scenes(o.json);
    }

    sim_campaign campaign = {
        .runs = o.runs, .threads = o.threads, .checkpoint = o.checkpoint, .quiet = o.quiet};
    code = check_numbers(&o);
    if (code == EXIT_DONE) {
        code = make_def(&o, table.positional[0], &campaign.def);
    }
    if (code == EXIT_DONE) {
        code = run_in_map(&o, &campaign);
    }
    sim_campaign_free(&campaign);
    return code;
}
