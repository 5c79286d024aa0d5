/// volnav/search/many.c: one start, many targets.
#include "search/many.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "search/legs.h"
#include "shell/json.h"
#include "shell/system.h"
#include "shell/text.h"

static const char* const sharing_names[VN_SHARING_COUNT] = {"new-keys", "exact", "kept-keys"};

many_options many_defaults(void) {
    return (many_options){.sharing = sharing_names[VN_SHARING_NEW_KEYS]};
}

static bool find_sharing(const char* name, vn_classic_sharing* out) {
    for (int i = 0; i < (int)VN_SHARING_COUNT; ++i) {
        if (strcmp(name, sharing_names[i]) == 0) {
            *out = (vn_classic_sharing)i;
            return true;
        }
    }
    return false;
}

int many_check(const many_options* options) {
    vn_classic_sharing sharing;
    if (options->targets.count % 3 != 0) {
        return say_bad("--targets: %d numbers are no list of points x,y,z,x,y,z,...", options->targets.count);
    }

    return find_sharing(options->sharing, &sharing)
               ? EXIT_DONE
               : say_bad("--sharing %s: there are new-keys, exact, kept-keys", options->sharing);
}

// ------------------------------------------------------------------------------------------------ searching

/// The targets that lie in the space, or were snapped into it.
typedef struct placed_targets {
    vn_point points[MANY_MAX];
    int numbers[MANY_MAX]; ///< in the list
    uint32_t count;
} placed_targets;

/// Both checkers on the path to one target, and the legs of ends that were snapped.
static void judge_target(const loaded* in, vn_point start, vn_point goal, int k, many_outcome* all) {
    const vn_classic_target* target = &all->targets[k];
    search_outcome one = {.points = all->points + target->first_point, .count = target->point_count};
    if (target->status != VN_OK) {
        return;
    }

    one.path.length = target->length;
    one.path.start = one.points[0];
    one.path.goal = one.points[one.count - 1];
    search_judge(in, VN_OK, (double)in->info.radius, NULL, 0, &one);
    all->checked[k] = one.checked;

    memcpy(one.legs, all->legs[k], sizeof one.legs);
    legs_judge(in, start, &goal, &one);
    memcpy(all->legs[k], one.legs, sizeof one.legs);
}

static bool is_refused(vn_status status) {
    return status == VN_UNSUPPORTED || status == VN_BAD_ARGUMENT || status == VN_BAD_DEF;
}

static void find_all(const loaded* in, vn_classic_query* query, const vn_classic_request* request,
                     const placed_targets* placed, vn_classic_sharing sharing, many_outcome* out) {
    vn_classic_target found[MANY_MAX];
    uint32_t count = 0;
    const double begin = system_thread_seconds();
    const vn_status status = vn_classic_query_find_many(query, request, placed->points, placed->count,
                                                        sharing, found, &out->total, &out->detail);
    out->seconds = system_thread_seconds() - begin;
    out->points = vn_classic_query_points(query, &count);
    if (is_refused(status)) {
        out->status = status;
        return;
    }

    for (uint32_t i = 0; i < placed->count; ++i) {
        const int k = placed->numbers[i];
        out->targets[k] = found[i];
        judge_target(in, request->start, placed->points[i], k, out);
    }
}

void many_run(const loaded* in, vn_classic_query* query, vn_classic_request* request, const double* from,
              const many_options* options, many_outcome* out) {
    vn_classic_sharing sharing = VN_SHARING_NEW_KEYS;
    placed_targets placed = {.count = 0};
    const bool known = find_sharing(options->sharing, &sharing);
    assert(known && options->targets.count % 3 == 0);
    (void)known;
    *out = (many_outcome){.status = VN_OK, .count = options->targets.count / 3};

    for (int i = 0; i < out->count; ++i) {
        search_outcome place;
        vn_point goal;
        const double* to = &options->targets.values[(size_t)i * 3];
        if (search_place(in, from, to, request->snap_distance, &request->start, &goal, &place)) {
            placed.points[placed.count] = goal;
            placed.numbers[placed.count++] = i;
            memcpy(out->legs[i], place.legs, sizeof place.legs);
        } else {
            out->targets[i].status = place.path.status;
        }
    }

    find_all(in, query, request, &placed, sharing, out);
    for (int i = 0; i < out->count && out->status == VN_OK; ++i) {
        out->status = out->targets[i].status;
    }
}

// -------------------------------------------------------------------------------------------------- writing

static int exit_code(const many_outcome* outcome) {
    bool checked = outcome->status == VN_OK;
    for (int i = 0; i < outcome->count; ++i) {
        checked = checked && outcome->checked[i];
    }
    return checked ? EXIT_DONE : EXIT_NO_PATH;
}

static void write_target(json_writer* json, const loaded* in, const many_outcome* all, const double* to,
                         int number) {
    const vn_classic_target* target = &all->targets[number];
    const bool found = target->status == VN_OK;
    json_begin_object(json, NULL);
    json_triple(json, "target", to[0], to[1], to[2]);
    json_text(json, "status", vn_path_status_word(target->status));
    json_real(json, "length", found ? target->length : (double)NAN);
    json_real(json, "cost", found ? target->cost : (double)NAN);
    json_bool(json, "optimal", target->optimal);
    json_bool(json, "checked", all->checked[number]);
    legs_write(json, all->legs[number]);

    json_begin_array(json, "points", false);
    for (uint32_t k = 0; found && k < target->point_count; ++k) {
        const vn_dvec3 p = vn_space_point_to_world(in->space, all->points[target->first_point + k]);
        json_triple(json, NULL, p.x, p.y, p.z);
    }

    json_end(json);
    json_end(json);
}

int many_write_json(const loaded* in, const many_options* options, const many_outcome* outcome,
                    const many_words* words) {
    if (is_refused(outcome->status)) {
        return say_status(NULL, outcome->status, &outcome->detail);
    }

    json_writer json = json_open(stdout);
    json_begin_object(&json, NULL);
    json_text(&json, "status", vn_path_status_word(outcome->status));
    json_real(&json, "length", outcome->total.path.length);
    json_count(&json, "expanded", outcome->total.path.expanded);
    json_count(&json, "sight_checks", outcome->total.sight_checks);
    json_count(&json, "closed", outcome->total.closed);
    json_real(&json, "microseconds", outcome->seconds * 1e6);
    json_text(&json, "algo", words->algo);
    json_text(&json, "space", words->space);
    json_text(&json, "refine", words->refine);
    json_text(&json, "sharing", options->sharing);

    json_begin_array(&json, "targets", false);
    for (int i = 0; i < outcome->count; ++i) {
        write_target(&json, in, outcome, &options->targets.values[(size_t)i * 3], i);
    }

    json_end(&json);
    load_write_warnings(&json, in);
    json_end(&json);
    return exit_code(outcome);
}

int many_write_text(const loaded* in, const many_options* options, const many_outcome* outcome,
                    const many_words* words) {
    if (is_refused(outcome->status)) {
        return say_status(NULL, outcome->status, &outcome->detail);
    }

    for (int i = 0; i < outcome->count; ++i) {
        const double* to = &options->targets.values[(size_t)i * 3];
        const vn_classic_target* target = &outcome->targets[i];
        printf("to %.9g,%.9g,%.9g: %s", to[0], to[1], to[2], vn_path_status_word(target->status));
        if (target->status == VN_OK) {
            printf(", %.6g m long, %s%s%s", target->length, text_count(target->point_count, "point").s,
                   target->optimal ? ", the least cost on this graph" : "",
                   outcome->checked[i] ? "" : ", rejected by the checker");
        }
        putchar('\n');
        legs_print(in, outcome->legs[i], "  ");
    }

    printf("search: %s, %s expanded in %.3f ms, sharing %s\n", words->algo,
           text_count(outcome->total.path.expanded, words->unit).s, outcome->seconds * 1e3, options->sharing);
    return exit_code(outcome);
}
