/// volnav/experiment/krafft_large.c: update and new path on a large map: who keeps a frame of 16 ms, and
/// which spaces cannot take the map at all.
#include <math.h>
#include <stdlib.h>

#include "experiment/krafft_stage.h"
#include "experiment/massonnat.h"
#include "shell/rotation.h"

/// Movers as many as in Krafft's scene; nodes that a search on the grid may touch, which is 1.6 GB.
/// A* on the grid of a large map takes seconds: it runs in every fifth frame.
enum { MOVERS = 16, NODES_MAX = 1 << 26, GRID_EVERY = 5, PATH_SIZE = 600 };

typedef struct study {
    krafft_stage stage;
    krafft_large* out;
    vn_3dscen scen;
    double* frames[KRAFFT_SPACES];
    uint32_t counts[KRAFFT_SPACES];
    double tick, own[KRAFFT_SPACES];
    uint32_t asked;
} study;

static int check(const char* what, vn_status status, const vn_detail* detail) {
    return status == VN_OK ? EXIT_DONE : say_status(what, status, detail);
}

static void refuse(krafft_large* out, int space, const char* why) {
    snprintf(out->reasons[space], sizeof out->reasons[space], "%s", why);
    out->frame[space].refused = out->reasons[space];
}

// -------------------------------------------------------------------------------------------------- refusals

/// Obstacles drift everywhere, so all of the map is dynamic.
static int try_hybrid(const run_place* place, krafft_large* out) {
    const vn_allocator allocator = vn_default_allocator();
    const vn_roadmap_def def = vn_default_roadmap_def();
    vn_roadmap* hybrid = NULL;
    vn_area* area = NULL;
    vn_detail detail = {0};
    if (out->voxels <= (double)(1u << 26)) {
        refuse(out, KRAFFT_HYBRID,
               "not built: obstacles drift everywhere, so that every voxel is a dynamic node");
        return EXIT_DONE;
    }

    vn_status status = vn_area_create(&allocator, place->space, &area, &detail);
    if (status == VN_OK) {
        vn_area_add_box(area, (vn_voxel){0, 0, 0}, place->info.dims);
        status = vn_roadmap_create_hybrid(place->space, area, place->space, &def, &hybrid, &detail);
    }

    refuse(out, KRAFFT_HYBRID, status == VN_OK ? "built, but not measured" : detail.text);
    vn_roadmap_destroy(hybrid);
    vn_area_destroy(area);
    return EXIT_DONE;
}

static int try_waypoints(const run_place* place, krafft_large* out) {
    const vn_roadmap_def def = vn_default_roadmap_def();
    vn_roadmap* waypoints = NULL;
    vn_roadmap_info info = {0};
    vn_detail detail = {0};
    const vn_status status =
        vn_roadmap_create_waypoints(place->world, place->space, &def, &waypoints, &detail);
    if (status == VN_OK) {
        vn_roadmap_get_info(waypoints, &info);
    }

    char why[160];
    snprintf(why, sizeof why,
             "%u waypoints: a map of voxels is one obstacle without corners and edges to put them at",
             (unsigned)info.nodes);
    refuse(out, KRAFFT_WAYPOINTS, status == VN_OK ? why : detail.text);
    vn_roadmap_destroy(waypoints);
    return EXIT_DONE;
}

static int try_roadmaps(experiment* e, const char* path, krafft_large* out) {
    run_place place = {0};
    int code = run_open_map(e, path, out->map, 0, &place);
    if (code == EXIT_DONE) {
        out->voxels = (double)place.info.dims.x * place.info.dims.y * place.info.dims.z;
        out->boxes = (double)place.info.cells;
        code = try_hybrid(&place, out);
    }
    code = code == EXIT_DONE ? try_waypoints(&place, out) : code;
    run_close(&place);
    return code;
}

// --------------------------------------------------------------------------------------------------- frames

static int open_study(study* s, experiment* e, const char* path) {
    char scen[PATH_SIZE + 16];
    vn_detail detail = {0};
    snprintf(scen, sizeof scen, "%s.3dscen", path);
    s->stage.e = e;
    s->stage.heuristic = VN_HEURISTIC_DEFAULT; // the best for the grid
    s->stage.max_nodes = NODES_MAX;
    int code = check(scen, vn_3dscen_read_file(scen, NULL, &s->scen, &detail), &detail);
    code = code == EXIT_DONE ? moving_open_map(e, path, MOVERS, &(moving_def){.every = true, .stages = true},
                                               &s->stage.place)
                             : code;
    code = code == EXIT_DONE
               ? moving_open_map(e, path, MOVERS,
                                 &(moving_def){.every = true, .stages = true, .graphs = 1u << VN_NAV_GRID6},
                                 &s->stage.grid)
               : code;
    return code == EXIT_DONE ? krafft_stage_open(&s->stage, s->stage.place.space) : code;
}

static void close_study(study* s) {
    krafft_stage_close(&s->stage);
    vn_3dscen_free(&s->scen);
    for (int i = 0; i < KRAFFT_SPACES; ++i) {
        free(s->frames[i]);
    }
}

static void add_row(study* s, int space, const run_row* row) {
    run_count(s->stage.e, row);
    s->frames[space][s->counts[space]++] = s->stage.place.tick + s->stage.own[space] + row->seconds;
}

/// One query of the scenario in each space; lines whose ends an obstacle covers, or that have no path now,
/// are left out.
static void run_searches(study* s, uint32_t frame) {
    const vn_scen_line* line = &s->scen.lines[(uint64_t)frame * s->scen.line_count / (s->out->frames + 1)];
    const vn_point from = vn_voxel_center(line->start), to = vn_voxel_center(line->goal);
    const run_row cells = krafft_stage_find(&s->stage, &krafft_searches[KRAFFT_SEARCH_CELLS], from, to);
    if (!cells.found) {
        return;
    }

    static const int searches[] = {KRAFFT_ASTAR_GRID, KRAFFT_ASTAR_OCTREE, KRAFFT_ASTAR_MERGED,
                                   KRAFFT_SEARCH_CELLS};
    const uint32_t count = sizeof searches / sizeof *searches;
    for (uint32_t i = 0; i < count; ++i) {
        const int search = searches[rotation_at(count, s->asked, i)];
        if (search == KRAFFT_ASTAR_GRID && s->asked % GRID_EVERY != 0) {
            continue;
        }

        const run_row row = search == KRAFFT_SEARCH_CELLS
                                ? cells
                                : krafft_stage_find(&s->stage, &krafft_searches[search], from, to);
        add_row(s, krafft_searches[search].space, &row);
    }
    ++s->asked;
}

static void close_sums(study* s) {
    krafft_large* out = s->out;
    const double tick = s->tick / out->frames, voxels = tick * moving_voxel_share(&s->stage.place);
    for (int i = 0; i < KRAFFT_SPACES; ++i) {
        out->frame[i].update = i == KRAFFT_CELLS ? tick : voxels + s->own[i] / out->frames;
        krafft_fill_frame(s->frames[i], s->counts[i], &out->frame[i]);
    }
}

/// The movers come before the first frame that counts.
static int run_frames(study* s) {
    int code = krafft_stage_step(&s->stage, 0, 0);
    for (uint32_t frame = 1; frame <= s->out->frames && code == EXIT_DONE; ++frame) {
        code = krafft_stage_step(&s->stage, frame, (double)frame / MOVING_FRAMES);
        s->tick += s->stage.place.tick;
        for (int i = 0; i < KRAFFT_SPACES; ++i) {
            s->own[i] += s->stage.own[i];
        }

        if (code == EXIT_DONE) {
            run_searches(s, frame);
        }
        progress_report(&s->stage.e->bar, s->out->map, (double)frame / s->out->frames);
    }
    return code;
}

int krafft_measure_large(experiment* e, uint32_t frames, krafft_large* out) {
    char path[PATH_SIZE];
    *out = (krafft_large){.map = e->options->quick ? "Complex" : "Full1", .frames = frames, .movers = MOVERS};
    massonnat_find_map(e->options, out->map, path, sizeof path);
    out->there = path[0] != '\0';
    if (!out->there) {
        return EXIT_DONE;
    }

    study* s = say_alloc(1, sizeof *s);
    s->out = out;
    for (int i = 0; i < KRAFFT_SPACES; ++i) {
        s->frames[i] = say_alloc(frames, sizeof *s->frames[i]);
    }

    int code = try_roadmaps(e, path, out);
    code = code == EXIT_DONE ? open_study(s, e, path) : code;
    code = code == EXIT_DONE ? run_frames(s) : code;
    if (code == EXIT_DONE) {
        close_sums(s);
    }
    close_study(s);
    free(s);
    return code;
}
