/// volnav/experiment/place.c: from a scene or a map to spaces and the scratch of their searches.
#include <assert.h>
#include <stdlib.h>

#include "experiment/run.h"
#include "volnav/sim.h"

static int make_world(vn_world** out) {
    const vn_world_def def = vn_default_world_def();
    const vn_status status = vn_world_create(&def, out);
    return status == VN_OK ? EXIT_DONE : say_status(NULL, status, NULL);
}

static int bake(experiment* e, const char* name, vn_space_def* def, run_place* place) {
    vn_detail detail = {0};
    def->jobs = vn_pool_jobs(e->pool);
    const double begin = system_wall_seconds();
    const vn_status status = vn_space_bake(place->world, def, &place->space, &detail);
    if (status != VN_OK) {
        return say_status(name, status, &detail);
    }

    place->seconds[RUN_CELLS] = system_wall_seconds() - begin;
    vn_space_get_info(place->space, &place->info);
    return EXIT_DONE;
}

static int make_classic(run_place* place, const char* name, int kind) {
    vn_classic_def def = vn_default_classic_def();
    vn_classic_query_def query_def = vn_default_classic_query_def();
    vn_detail detail = {0};
    def.kind = (vn_classic_kind)kind;
    const double begin = system_wall_seconds();
    vn_status status = vn_classic_build(place->space, &def, &place->classics[kind], &detail);

    place->seconds[kind] = system_wall_seconds() - begin;
    if (status != VN_OK) {
        return say_status(name, status, &detail);
    }

    vn_classic_get_info(place->classics[kind], &place->about[kind]);
    place->queries[kind] = say_alloc(place->workers, sizeof *place->queries[kind]);
    for (uint32_t i = 0; i < place->workers; ++i) {
        status =
            vn_classic_query_create(place->classics[kind], &query_def, &place->queries[kind][i], &detail);
        if (status != VN_OK) {
            return say_status(name, status, &detail);
        }
    }

    return EXIT_DONE;
}

static int make_cells(run_place* place, const char* name) {
    const vn_query_def def = vn_default_query_def();
    vn_detail detail = {0};
    place->cells = say_alloc(place->workers, sizeof *place->cells);
    for (uint32_t i = 0; i < place->workers; ++i) {
        const vn_status status = vn_query_create(place->space, &def, &place->cells[i], &detail);
        if (status != VN_OK) {
            return say_status(name, status, &detail);
        }
    }

    return EXIT_DONE;
}

static int make_spaces(experiment* e, const char* name, unsigned spaces, run_place* place) {
    int code = EXIT_DONE;
    place->workers = vn_pool_jobs(e->pool).worker_count;
    for (int kind = 0; kind < RUN_CELLS && code == EXIT_DONE; ++kind) {
        progress_report(&e->bar, name, (double)kind / RUN_SPACES);
        if ((spaces & 1u << kind) != 0) {
            code = make_classic(place, name, kind);
        }
    }

    return code == EXIT_DONE && (spaces & 1u << RUN_CELLS) != 0 ? make_cells(place, name) : code;
}

int run_open_scene(experiment* e, const char* scene, double coarser, unsigned spaces, run_place* out) {
    uint32_t index = 0;
    vn_detail detail = {0};
    vn_space_def def = vn_default_space_def();
    const bool found = vn_scene_find(scene, &index);

    assert(found);
    if (!found || make_world(&out->world) != EXIT_DONE) {
        return EXIT_BAD;
    }

    const vn_scene_info* info = vn_scene_get(index);
    const vn_status status = vn_scene_build(index, e->options->seed, out->world, &detail);
    if (status != VN_OK) {
        return say_status(scene, status, &detail);
    }

    def.resolution = (float)((double)info->resolution * coarser);
    def.has_bounds = true;
    def.bounds = info->bounds;
    def.has_seed = info->has_seed;

    def.seed = info->seed;
    if (bake(e, scene, &def, out) != EXIT_DONE) {
        return EXIT_BAD;
    }

    if (vn_space_point_from_local(out->space, info->seed, &out->source) != VN_OK) {
        return say_status(scene, VN_OUTSIDE, &detail);
    }

    out->source = vn_voxel_center(vn_space_voxel_at(out->space, out->source));
    return make_spaces(e, scene, spaces, out);
}

int run_open_map(experiment* e, const char* path, const char* name, unsigned spaces, run_place* out) {
    vn_3dmap map = {0};
    vn_detail detail = {0};
    vn_space_def def = vn_default_space_def();
    vn_status status = vn_3dmap_read_file(path, NULL, &map, &detail);

    int code = status == VN_OK ? make_world(&out->world) : say_status(path, status, &detail);
    if (code == EXIT_DONE) {
        const vn_shape shape = vn_3dmap_shape(&map);
        status = vn_world_add(out->world, &shape, NULL, &detail);
        code = status == VN_OK ? EXIT_DONE : say_status(path, status, &detail);
    }

    vn_3dmap_free(&map);
    if (code == EXIT_DONE) {
        code = bake(e, path, &def, out);
    }

    return code == EXIT_DONE ? make_spaces(e, name, spaces, out) : code;
}

void run_close(run_place* place) {
    for (int kind = 0; kind < RUN_CELLS; ++kind) {
        for (uint32_t i = 0; i < place->workers && place->queries[kind] != NULL; ++i) {
            vn_classic_query_destroy(place->queries[kind][i]);
        }
        free(place->queries[kind]);
        vn_classic_destroy(place->classics[kind]);
    }

    for (uint32_t i = 0; i < place->workers && place->cells != NULL; ++i) {
        vn_query_destroy(place->cells[i]);
    }

    free(place->cells);
    vn_space_destroy(place->space);
    vn_world_destroy(place->world);
    *place = (run_place){.world = NULL};
}
