/// volnav/search/terms.c: what one agent asks for besides two points.
#include <math.h>

#include "search/search.h"

const char search_terms_help[] =
    "Terms of the agent (search over cells):\n"
    "  --clearance M        prefer to keep M metres from walls; narrow places are\n"
    "                       still passed\n"
    "  --clearance-weight W extra cost of a metre at the wall (4)\n"
    "  --altitude LOW,HIGH  stay between these heights (y)\n"
    "  --limits x,y,z,x,y,z stay inside this box\n"
    "  --within M           arrive anywhere within M metres of --to\n"
    "  --sight M            arrive where --to can be seen from M metres or nearer (0:\n"
    "                       from anywhere)\n"
    "  --to-box x,y,z,x,y,z arrive anywhere in this box, instead of --to\n"
    "  --jitter J           vary the costs of cells by up to the fraction J, 0 to 1\n"
    "  --jitter-seed N      seed of the jitter\n"
    "Zones and links of a scene are used; a .vnav contains its links.\n";

search_terms search_terms_defaults(void) {
    return (search_terms){.clearance_weight = (double)vn_default_path_request().clearance_weight};
}

void search_add_terms(args_table* table, search_terms* t) {
    args_add(table, "--clearance", ARGS_REAL, ARGS_NOT_NEGATIVE, &t->clearance, NULL);
    args_add(table, "--clearance-weight", ARGS_REAL, ARGS_NOT_NEGATIVE, &t->clearance_weight, NULL);
    args_add(table, "--altitude", ARGS_LIST, ARGS_ANY, &t->altitude, &t->has_altitude);
    args_add(table, "--limits", ARGS_BOX, ARGS_ANY, t->limits, &t->has_limits);
    args_add(table, "--within", ARGS_REAL, ARGS_NOT_NEGATIVE, &t->within, &t->has_within);
    args_add(table, "--sight", ARGS_REAL, ARGS_NOT_NEGATIVE, &t->sight, &t->has_sight);
    args_add(table, "--to-box", ARGS_BOX, ARGS_ANY, t->goal_box, &t->has_goal_box);
    args_add(table, "--jitter", ARGS_REAL, ARGS_NOT_NEGATIVE, &t->jitter, NULL);
    args_add(table, "--jitter-seed", ARGS_COUNT, ARGS_ANY, &t->jitter_seed, NULL);
}

static vn_box box_of(const double* v) {
    return (vn_box){{(float)v[0], (float)v[1], (float)v[2]}, {(float)v[3], (float)v[4], (float)v[5]}};
}

static int apply_limits(const search_terms* terms, const loaded* in, vn_path_request* request) {
    const vn_dvec3 low = in->info.low;
    const double r = (double)in->info.resolution;
    double box[6] = {low.x,
                     low.y,
                     low.z,
                     low.x + r * in->info.dims.x,
                     low.y + r * in->info.dims.y,
                     low.z + r * in->info.dims.z};

    if (terms->has_altitude &&
        (terms->altitude.count != 2 || terms->altitude.values[0] > terms->altitude.values[1])) {
        return say_bad("--altitude: expected the lowest and the highest height, such as 10,50");
    }

    for (int i = 0; i < 6 && terms->has_limits; ++i) {
        box[i] = terms->limits[i];
    }

    if (terms->has_altitude) {
        box[1] = fmax(box[1], terms->altitude.values[0]);
        box[4] = fmin(box[4], terms->altitude.values[1]);
    }

    if (box[1] > box[4]) {
        return say_bad(
            "--altitude: there is nothing of the space, or of the --limits, between these heights");
    }

    request->has_limits = terms->has_limits || terms->has_altitude;
    request->limits = box_of(box);
    return EXIT_DONE;
}

static int apply_goal(const search_terms* terms, vn_path_request* request) {
    if (terms->has_within + terms->has_sight + terms->has_goal_box > 1) {
        return say_bad("--within, --sight and --to-box: one of them at a time");
    }

    request->goal_kind = terms->has_within     ? VN_GOAL_SPHERE
                         : terms->has_sight    ? VN_GOAL_SIGHT
                         : terms->has_goal_box ? VN_GOAL_BOX
                                               : VN_GOAL_POINT;
    request->goal_distance = terms->has_within ? terms->within : terms->sight;
    request->goal_box = box_of(terms->goal_box);

    return EXIT_DONE;
}

int search_apply_terms(const search_terms* terms, const loaded* in, vn_path_request* request) {
    const bool links = request->algo == VN_ALGO_CELLS && request->fuel.kind == VN_FUEL_NONE;
    request->zones = in->zones;
    request->zone_count = in->zone_count;
    request->connections = in->scene.connections;
    request->connection_count = links ? in->scene.connection_count : 0; // a scene's links are an offer
    request->preferred_clearance = (float)terms->clearance;
    request->clearance_weight = (float)terms->clearance_weight;
    request->jitter = (float)terms->jitter;
    request->jitter_seed = terms->jitter_seed;
    const int code = apply_goal(terms, request);

    return code == EXIT_DONE ? apply_limits(terms, in, request) : code;
}
