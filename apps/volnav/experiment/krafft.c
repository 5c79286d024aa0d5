/// volnav/experiment/krafft.c: the experiment "krafft-spaces": the search graphs of Krafft 2019 and 2021 on
/// the scene of both theses.
#include "experiment/krafft.h"

#include <math.h>
#include <stdlib.h>

#include "experiment/krafft_stage.h"
#include "experiment/massonnat.h"
#include "shell/rotation.h"
#include "shell/stats.h"
#include "volnav/path.h"

enum { OBSERVED_SECONDS = 60 }; ///< in which the dynamic nodes are found

static const double frame_limit = 0.016; ///< seconds, Krafft 2021, 1.3

typedef struct study {
    krafft_stage stage;
    krafft_run* out;
    double* frames[KRAFFT_SPACES]; ///< update and path, of each search
    uint32_t counts[KRAFFT_SPACES];
    double tick, own[KRAFFT_SPACES];
} study;

static int check(const char* what, vn_status status, const vn_detail* detail) {
    return status == VN_OK ? EXIT_DONE : say_status(what, status, detail);
}

void krafft_fill_frame(double* seconds, uint32_t count, krafft_frame* out) {
    out->frames = count;
    for (uint32_t i = 0; i < count; ++i) {
        out->late += seconds[i] > frame_limit ? 1 : 0;
    }

    const stats_summary sum = stats_of(seconds, count);
    out->mean = sum.mean;
    out->p99 = sum.p99;
    out->worst = sum.max;
}

// -------------------------------------------------------------------------------------------------- opening

static int open_hybrids(study* s, const vn_space* fixed, const vn_area* area) {
    vn_roadmap_def def = vn_default_roadmap_def();
    vn_detail detail = {0};
    int code = EXIT_DONE;
    def.version = s->stage.place.version;
    for (int i = KRAFFT_HYBRID; i <= KRAFFT_HYBRID_AXES && code == EXIT_DONE; ++i) {
        code = check(
            krafft_spaces[i],
            vn_roadmap_create_hybrid(fixed, area, s->stage.place.space, &def, &s->stage.roadmaps[i], &detail),
            &detail);
    }
    return code;
}

static int open_study(study* s) {
    vn_space* fixed = NULL;
    vn_area* area = NULL;
    moving_def def = {.every = true, .stages = true, .goal = VN_GOAL_MOTION_HORIZONTAL};
    int code = moving_open_krafft(s->stage.e, &def, &s->stage.place);
    def.graphs = 1u << VN_NAV_GRID6;
    code = code == EXIT_DONE ? moving_open_krafft(s->stage.e, &def, &s->stage.grid) : code;
    for (int i = KRAFFT_WAYPOINTS; i <= KRAFFT_WAYPOINTS_8 && code == EXIT_DONE; ++i) {
        code = moving_make_waypoints(&s->stage.place, i == KRAFFT_WAYPOINTS ? 1 : 8, &s->stage.roadmaps[i]);
    }
    code = code == EXIT_DONE ? moving_observe_krafft(s->stage.e, OBSERVED_SECONDS, &fixed, &area) : code;
    code = code == EXIT_DONE ? open_hybrids(s, fixed, area) : code;
    code = code == EXIT_DONE ? krafft_stage_open(&s->stage, fixed) : code;
    vn_area_destroy(area);
    vn_space_destroy(fixed);
    return code;
}

static void note_nodes(study* s) {
    krafft_run* out = s->out;
    vn_space_info info;
    vn_space_get_info(s->stage.place.space, &info);
    out->nodes[KRAFFT_GRID] = (double)info.dims.x * info.dims.y * info.dims.z;
    out->nodes[KRAFFT_CELLS] = (double)info.cells;
    out->edges[KRAFFT_GRID] = out->edges[KRAFFT_OCTREE] = out->edges[KRAFFT_MERGED] =
        out->edges[KRAFFT_CELLS] = (double)NAN;
    out->nodes[KRAFFT_OCTREE] = (double)follower_cells(&s->stage.trees[KRAFFT_OCTREE]);
    out->nodes[KRAFFT_MERGED] = (double)follower_cells(&s->stage.trees[KRAFFT_MERGED]);
    for (int i = KRAFFT_WAYPOINTS; i <= KRAFFT_HYBRID_AXES; ++i) {
        vn_roadmap_info about;
        vn_roadmap_get_info(s->stage.roadmaps[i], &about);
        out->nodes[i] = about.nodes;
        out->edges[i] = about.edges;
        if (i == KRAFFT_HYBRID) {
            out->kinds[VN_NODE_STATIC] = about.static_nodes;
            out->kinds[VN_NODE_DYNAMIC] = about.dynamic_nodes;
            out->kinds[VN_NODE_DYNAMIC_NEIGHBOUR] = about.neighbour_nodes;
        }
    }
}

// ---------------------------------------------------------------------------------------------------- edges

/// Does every edge that is open now lead through free voxels? By the checker, which knows nothing of graphs.
static void check_node(study* s, const vn_graph* graph, uint32_t node) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    vn_point ends[2];
    graph->points(graph->self, &node, 1, &ends[0]);
    do {
        const uint32_t count = graph->expand(graph->self, node, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i) {
            if (to[i] < VN_FIRST_NODE) {
                continue; // an end of the last search
            }
            graph->points(graph->self, &to[i], 1, &ends[1]);
            ++s->out->edges_checked;
            s->out->edges_blocked += vn_space_check_path(s->stage.place.space, ends, 2, NULL) ? 0 : 1;
        }
    } while (cursor != 0);
}

static void check_edges(study* s) {
    const vn_graph* graph = vn_roadmap_view_graph(s->stage.views[KRAFFT_HYBRID]);
    ++s->out->check_frames;
    for (uint32_t node = VN_FIRST_NODE; node < graph->node_limit; ++node) {
        check_node(s, graph, node);
    }
}

// --------------------------------------------------------------------------------------------------- frames

static int place_ends(study* s, double seconds, vn_point* from, vn_point* to, bool* free_ends) {
    const vn_space* space = s->stage.place.space;
    vn_moving_scene_info info;
    vn_vec3 goal;
    vn_moving_scene_get_info(s->stage.place.scene, &info);
    vn_status status = vn_moving_scene_get_goal(s->stage.place.scene, seconds, &goal, NULL);
    status = status == VN_OK ? vn_space_point_from_local(space, info.start, from) : status;
    status = status == VN_OK ? vn_space_point_from_local(space, goal, to) : status;
    if (status != VN_OK) {
        return check("krafft", status, NULL);
    }

    const vn_voxel a = vn_space_voxel_at(space, *from), b = vn_space_voxel_at(space, *to);
    *from = vn_voxel_center(a);
    *to = vn_voxel_center(b);
    *free_ends = vn_space_voxel_free(space, a) && vn_space_voxel_free(space, b);
    return EXIT_DONE;
}

static void add_row(study* s, int search, const run_row* row) {
    krafft_sum* sum = &s->out->sums[search];
    ++sum->asked;
    if (!row->found) {
        return;
    }

    ++sum->found;
    sum->valid += row->valid ? 1 : 0;
    sum->seconds += row->seconds;
    sum->length += row->length;
    sum->expanded += row->closed;
    sum->sights += row->sight_checks;
    run_count(s->stage.e, row);
}

/// Update and path of a space in this frame; the share of the voxels is known in the end only, so the whole
/// tick of the nav is counted.
static void add_frame(study* s, int space, const run_row* row) {
    if (row->found) {
        s->frames[space][s->counts[space]++] = s->stage.place.tick + s->stage.own[space] + row->seconds;
    }
}

static int run_searches(study* s, double seconds) {
    vn_point from, to;
    bool free_ends = false;
    const int code = place_ends(s, seconds, &from, &to, &free_ends);
    if (code != EXIT_DONE || !free_ends) {
        s->out->blind += code == EXIT_DONE ? 1 : 0;
        return code;
    }

    const uint32_t round = s->out->searches++;
    for (uint32_t i = 0; i < KRAFFT_SEARCHES; ++i) {
        const int search = (int)rotation_at(KRAFFT_SEARCHES, round, i);
        const int space = krafft_searches[search].space;
        const run_row row = krafft_stage_find(&s->stage, &krafft_searches[search], from, to);
        add_row(s, search, &row);
        if (krafft_searches[search].algo == VN_CLASSIC_ASTAR) {
            add_frame(s, space, &row);
        }
        if (search == KRAFFT_ASTAR_HYBRID) {
            add_frame(s, KRAFFT_HYBRID_AXES, &row);
        }
    }
    return EXIT_DONE;
}

static int run_frame(study* s, uint32_t frame, uint32_t every, uint32_t check_every) {
    const double seconds = (double)frame / MOVING_FRAMES;
    vn_roadmap_info about;
    int code = krafft_stage_step(&s->stage, frame, seconds);
    s->tick += s->stage.place.tick;
    for (int i = 0; i < KRAFFT_SPACES; ++i) {
        s->own[i] += s->stage.own[i];
    }

    vn_roadmap_get_info(s->stage.roadmaps[KRAFFT_HYBRID], &about);
    s->out->left += about.left;
    if (code == EXIT_DONE && frame % check_every == 0) {
        check_edges(s);
    }
    return code == EXIT_DONE && frame % every == 0 ? run_searches(s, seconds) : code;
}

static void close_sums(study* s) {
    krafft_run* out = s->out;
    const double share = moving_voxel_share(&s->stage.place), tick = s->tick / out->frames;
    out->voxels = tick * share;
    for (int i = 0; i < KRAFFT_SPACES; ++i) {
        out->update[i] = i == KRAFFT_CELLS ? tick : out->voxels + s->own[i] / out->frames;
        out->frame[i].update = out->update[i];
        out->frame[i].missed = out->searches - s->counts[i];
        krafft_fill_frame(s->frames[i], s->counts[i], &out->frame[i]);
    }

    for (int i = 0; i < KRAFFT_SEARCHES; ++i) {
        krafft_sum* sum = &out->sums[i];
        const double found = sum->found > 0 ? sum->found : 1;
        out->seconds_per_node[i] = sum->expanded > 0 ? sum->seconds / sum->expanded : 0;
        sum->seconds /= found;
        sum->length /= found;
        sum->expanded /= found;
        sum->sights /= found;
    }
}

int krafft_measure(experiment* e, uint32_t frames, uint32_t every, uint32_t check_every, krafft_run* out) {
    study* s = say_alloc(1, sizeof *s);
    *out = (krafft_run){.frames = frames};
    *s = (study){.stage = {.e = e, .heuristic = VN_HEURISTIC_EUCLIDEAN}, .out = out};
    for (int i = 0; i < KRAFFT_SPACES; ++i) {
        s->frames[i] = say_alloc(frames / every + 1, sizeof *s->frames[i]);
    }

    int code = open_study(s);
    if (code == EXIT_DONE) {
        note_nodes(s);
    }
    for (uint32_t frame = 1; frame <= frames && code == EXIT_DONE; ++frame) {
        code = run_frame(s, frame, every, check_every);
        progress_report(&e->bar, "frames", (double)frame / frames);
    }

    if (code == EXIT_DONE) {
        close_sums(s);
    }
    krafft_stage_close(&s->stage);
    for (int i = 0; i < KRAFFT_SPACES; ++i) {
        free(s->frames[i]);
    }
    free(s);
    return code;
}

// ------------------------------------------------------------------------------------------------ all parts

/// How much is run: in full, and with --quick.
enum {
    FRAMES = 1000,
    QUICK_FRAMES = 60,
    EVERY = 10,
    QUICK_CHECK_EVERY = 20,
    LARGE_FRAMES = 20,
    QUICK_LARGE_FRAMES = 3
};

static void write_opening(experiment* e, const krafft_run* run) {
    page* p = &e->page;
    page_add(
        p,
        "Krafft (2019, 2021): search graphs that follow moving obstacles, and the time that a search takes "
        "on them. The scene is 64 × 56 × 16 units with cells of one unit, static walls, and 16 obstacles "
        "that patrol, turn, appear and disappear (seed %llu; docs/experiments.md says what of it is ours). "
        "It moves at 60 frames a second for %u frames; the agent waits, the goal moves horizontally. Every "
        "tenth frame each search looks for a path; %u times an end was covered, and none did.",
        (unsigned long long)e->options->seed, (unsigned)run->frames, (unsigned)run->blind);
    page_add(p,
             "Times are processor time of one thread, here and now; the theses' are those of C# in Unity, so "
             "that orders and ratios can be compared, not milliseconds. All spaces follow the same frames in "
             "one run, in rotated order. Searches use the straight distance as heuristic, as the theses do. "
             "The row \"cells\" is volnav's own space and search, kept by a nav.");
    page_add(p,
             "The voxels that obstacles cover are found once, by the nav, and are counted for every space. "
             "The row \"separating axes\" is Krafft 2021's own way: the same graph, which is not told what "
             "changed, and tests every dynamic node against every moving obstacle. It needs no voxels of its "
             "own; they are counted all the same, because lines of sight are looked up in them.");
}

int experiment_krafft_spaces(experiment* e) {
    krafft_run* run = say_alloc(1, sizeof *run);
    krafft_large* large = say_alloc(1, sizeof *large);
    const bool quick = e->options->quick;
    int code = massonnat_check_data(e->options);
    code = code == EXIT_DONE
               ? krafft_measure(e, quick ? QUICK_FRAMES : FRAMES, EVERY, quick ? QUICK_CHECK_EVERY : 1, run)
               : code;
    code =
        code == EXIT_DONE ? krafft_measure_large(e, quick ? QUICK_LARGE_FRAMES : LARGE_FRAMES, large) : code;
    if (code == EXIT_DONE) {
        write_opening(e, run);
        code = krafft_write(e, run, large);
        krafft_judge(e, run, large);
    }

    free(run);
    free(large);
    return code;
}
