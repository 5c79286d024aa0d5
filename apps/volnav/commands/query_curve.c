/// volnav/commands/query_curve.c: curves along the path of a query, and the trajectory of one as CSV.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/query_inside.h"
#include "shell/system.h"

/// Seconds between samples.
#define STEP (1.0 / 60)
/// Rows of a trajectory: beyond an hour, the limits are not meant.
#define MAX_SAMPLES 216000.0

const char query_curve_help[] =
    "  --curve KIND[,KIND]  curves along the path that an agent can fly, checked at\n"
    "                       every 1/60 s: chaikin, spline, turn (arcs), or all\n"
    "  --trajectory F.csv   with one curve: t,x,y,z,vx,vy,vz,ax,ay,az every 1/60 s\n"
    "  --speed V            limits of the agent: m/s (default 5)\n"
    "  --acceleration A     m/s^2, along and across together (default 5)\n"
    "  --turn-rate D        degrees a second (default: no limit)\n"
    "  --climb D            steepest climb, degrees from the horizontal\n"
    "  --climb-rate V       m/s up or down\n"
    "  --turn-radius M      of turn, where it fits (default: as --speed needs)\n"
    "  --min-turn-radius M  never tighter; a corner that needs it becomes a stop\n"
    "  --no-stops           refuse a curve that would have to stop\n";

query_curve_options query_curve_defaults(void) {
    return (query_curve_options){.speed = 5, .acceleration = 5};
}

void query_curve_add_options(args_table* table, query_curve_options* o) {
    args_add(table, "--curve", ARGS_TEXT, ARGS_ANY, &o->kinds, NULL);
    args_add(table, "--trajectory", ARGS_TEXT, ARGS_ANY, &o->csv, NULL);
    args_add(table, "--speed", ARGS_REAL, ARGS_POSITIVE, &o->speed, NULL);
    args_add(table, "--acceleration", ARGS_REAL, ARGS_POSITIVE, &o->acceleration, NULL);
    args_add(table, "--turn-rate", ARGS_REAL, ARGS_POSITIVE, &o->turn_rate, NULL);
    args_add(table, "--climb", ARGS_REAL, ARGS_NOT_NEGATIVE, &o->climb, &o->has_climb);
    args_add(table, "--climb-rate", ARGS_REAL, ARGS_POSITIVE, &o->climb_rate, NULL);
    args_add(table, "--turn-radius", ARGS_REAL, ARGS_POSITIVE, &o->radius, NULL);
    args_add(table, "--min-turn-radius", ARGS_REAL, ARGS_NOT_NEGATIVE, &o->least_radius, NULL);
    args_add(table, "--no-stops", ARGS_FLAG, ARGS_ANY, &o->no_stops, NULL);
}

// ------------------------------------------------------------------------------------------------ options

/// The kinds in a list of names, each once. EXIT_BAD after a message.
static int read_kinds(const char* text, query_curves* out) {
    bool is_asked[VN_CURVE_KIND_COUNT] = {false};
    const bool all = strcmp(text, "all") == 0;
    for (const char* at = text; !all && at != NULL;) {
        const char* comma = strchr(at, ',');
        const size_t length = comma != NULL ? (size_t)(comma - at) : strlen(at);
        char name[16] = "";
        vn_curve_kind kind;
        memcpy(name, at, length < sizeof name ? length : sizeof name - 1);
        if (!vn_curve_kind_from_name(name, &kind)) {
            return say_bad("--curve %s: there are chaikin, spline, turn, and all", text);
        }

        is_asked[kind] = true;
        at = comma != NULL ? comma + 1 : NULL;
    }

    out->count = 0;
    for (int i = 0; i < VN_CURVE_KIND_COUNT; ++i) {
        if (all || is_asked[i]) {
            out->list[out->count++].kind = (vn_curve_kind)i;
        }
    }

    return EXIT_DONE;
}

int query_curve_check(const query_options* options) {
    const query_curve_options* o = &options->curve;
    query_curves curves = {0};
    if (o->kinds == NULL) {
        return o->csv == NULL ? EXIT_DONE
                              : say_bad("--trajectory %s: of which curve? Add --curve turn", o->csv);
    }

    if (read_kinds(o->kinds, &curves) != EXIT_DONE) {
        return EXIT_BAD;
    }

    if (o->csv != NULL && curves.count != 1) {
        return say_bad("--trajectory: name one curve with --curve; there are %d", curves.count);
    }

    if (o->has_climb && o->climb > 90) {
        return say_bad("--climb %g: expected 0 to 90 degrees", o->climb);
    }

    return options->many.targets.count > 0 || options->slice != NULL
               ? say_bad("--curve: not with --targets and --slice")
               : EXIT_DONE;
}

static vn_curve_def make_def(const query_curve_options* o, vn_curve_kind kind) {
    const double degree = acos(-1) / 180;
    vn_curve_def def = vn_default_curve_def();
    def.kind = kind;
    def.max_speed = o->speed;
    def.max_acceleration = o->acceleration;
    def.max_turn_rate = o->turn_rate > 0 ? o->turn_rate * degree : INFINITY;
    def.max_climb_rate = o->climb_rate > 0 ? o->climb_rate : INFINITY;
    def.max_slope = o->has_climb && o->climb < 90 ? tan(o->climb * degree) : INFINITY;
    def.turn_radius = o->radius;
    def.min_turn_radius = o->least_radius;
    def.allow_stops = !o->no_stops;
    def.step = STEP;
    return def;
}

// ------------------------------------------------------------------------------------------------- curves

static uint32_t count_samples(const vn_trajectory* trajectory) {
    const double count = floor(vn_trajectory_duration(trajectory) / STEP) + 2;
    return count <= MAX_SAMPLES ? (uint32_t)count : 0;
}

/// The last sample is the end itself.
static vn_trajectory_state sample(const vn_trajectory* trajectory, uint32_t i, double* seconds) {
    vn_trajectory_state motion;
    *seconds = fmin(i * STEP, vn_trajectory_duration(trajectory));
    vn_trajectory_sample(trajectory, *seconds, &motion);
    return motion;
}

static void check(const loaded* in, query_curve* one) {
    double seconds;
    one->points = say_alloc(one->count, sizeof *one->points);
    one->checked = true;
    for (uint32_t i = 0; i < one->count; ++i) {
        const vn_dvec3 position = sample(one->trajectory, i, &seconds).position;
        one->checked &= vn_space_point_from_world(in->space, position, &one->points[i]) == VN_OK;
    }

    one->checked = one->checked && vn_space_check_path(in->space, one->points, one->count, NULL) &&
                   (in->world == NULL || vn_world_check_path(in->world, in->space, one->points, one->count,
                                                             (double)in->info.radius, NULL));
}

static int make(const query_options* options, const query_session* s, query_curve* one) {
    const vn_curve_def def = make_def(&options->curve, one->kind);
    const vn_trajectory_def timing = vn_default_trajectory_def();
    const search_outcome* outcome = &s->outcome;
    one->status =
        vn_curve_make(s->in.space, outcome->points, outcome->count, &def, &one->curve, &one->detail);
    if (one->status == VN_OK) {
        one->status = vn_trajectory_make(one->curve, &timing, &one->trajectory, &one->detail);
    }

    if (one->status == VN_NOT_FOUND) {
        fprintf(stderr, "volnav: no %s curve: %s\n", vn_curve_kind_name(one->kind), one->detail.text);
        return EXIT_NO_PATH;
    }

    if (one->status != VN_OK) {
        return say_status(NULL, one->status, &one->detail);
    }

    one->count = count_samples(one->trajectory);
    if (one->count == 0) {
        return say_bad("--curve: the trajectory takes %g s, more than an hour; raise the limits",
                       vn_trajectory_duration(one->trajectory));
    }

    check(&s->in, one);
    return one->checked ? EXIT_DONE : EXIT_NO_PATH;
}

static void write_row(FILE* file, double seconds, const vn_trajectory_state* m) {
    const double row[] = {seconds,           m->position.x,    m->position.y, m->position.z,
                          m->velocity.x,     m->velocity.y,    m->velocity.z, m->acceleration.x,
                          m->acceleration.y, m->acceleration.z};
    for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
        fprintf(file, "%s%.9g", i > 0 ? "," : "", row[i]);
    }

    fputc('\n', file);
}

static int write_csv(const char* path, const query_curve* one) {
    system_output output;
    if (system_create(path, &output) != EXIT_DONE) {
        return EXIT_BAD;
    }

    fputs("t,x,y,z,vx,vy,vz,ax,ay,az\n", output.file);
    for (uint32_t i = 0; i < one->count; ++i) {
        double seconds;
        const vn_trajectory_state motion = sample(one->trajectory, i, &seconds);
        write_row(output.file, seconds, &motion);
    }

    return system_commit(&output);
}

int query_curve_run(const query_options* options, query_session* s) {
    int code = EXIT_DONE;
    if (options->curve.kinds == NULL || !query_has_path(&s->outcome)) {
        return EXIT_DONE;
    }

    if (s->outcome.path.connections_used > 0) {
        return say_bad("--curve: the path takes a link, and a curve cannot; ask for the parts between links");
    }

    if (read_kinds(options->curve.kinds, &s->curves) != EXIT_DONE) {
        return EXIT_BAD;
    }

    for (int i = 0; i < s->curves.count && code != EXIT_BAD; ++i) {
        const int one = make(options, s, &s->curves.list[i]);
        code = one != EXIT_DONE ? one : code;
    }

    const query_curve* first = &s->curves.list[0];
    if (code != EXIT_BAD && options->curve.csv != NULL && first->trajectory != NULL &&
        write_csv(options->curve.csv, first) != EXIT_DONE) {
        return EXIT_BAD;
    }

    return code;
}

void query_curve_free(query_curves* curves) {
    for (int i = 0; i < curves->count; ++i) {
        vn_trajectory_destroy(curves->list[i].trajectory);
        vn_curve_destroy(curves->list[i].curve);
        free(curves->list[i].points);
    }

    curves->count = 0;
}

// ------------------------------------------------------------------------------------------------ reports

static void write_one(json_writer* json, const query_curve* one) {
    vn_curve_info info = {0};
    json_begin_object(json, NULL);
    json_text(json, "kind", vn_curve_kind_name(one->kind));
    json_text(json, "status", vn_status_word(one->status));
    if (one->trajectory != NULL) {
        vn_curve_get_info(one->curve, &info);
        json_real(json, "length", info.length);
        json_real(json, "seconds", vn_trajectory_duration(one->trajectory));
        json_count(json, "corners", info.corners);
        json_count(json, "tightened", info.tightened);
        json_count(json, "stops", info.stops);
        json_count(json, "helices", info.helices);
        json_real(json, "least_turn_radius", info.least_turn_radius);
        json_bool(json, "checked", one->checked);
    } else {
        json_text(json, "reason", one->detail.text);
    }

    json_end(json);
}

void query_curve_write(json_writer* json, const query_curves* curves) {
    if (curves->count == 0) {
        return;
    }

    json_begin_array(json, "curves", false);
    for (int i = 0; i < curves->count; ++i) {
        write_one(json, &curves->list[i]);
    }

    json_end(json);
}

void query_curve_print(const query_options* options, const query_curves* curves) {
    for (int i = 0; i < curves->count; ++i) {
        const query_curve* one = &curves->list[i];
        vn_curve_info info;
        if (one->trajectory == NULL) {
            continue;
        }

        vn_curve_get_info(one->curve, &info);
        printf("curve %s: %.2f m in %.2f s; %s\n", vn_curve_kind_name(one->kind), info.length,
               vn_trajectory_duration(one->trajectory),
               one->checked ? "checked: free at every 1/60 s" : "NOT FREE");
        printf("  corners rounded: %u, stops: %u, least radius %.2f m\n", (unsigned)info.corners,
               (unsigned)info.stops, info.least_turn_radius);
    }

    if (options->curve.csv != NULL && curves->count > 0 && curves->list[0].trajectory != NULL &&
        !system_is_special(options->curve.csv)) {
        printf("The trajectory is in %s\n", options->curve.csv);
    }
}
