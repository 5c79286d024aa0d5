/// volnav/commands/demo_krafft.c: the command demo --krafft: a scene with a clock at four times, with a path
/// in each.
#include <stdio.h>

#include "commands/demo_inside.h"
#include "draw/frames.h"
#include "shell/json.h"
#include "shell/say.h"

static const double times[] = {0, 3, 6, 9};

enum { TIMES = sizeof times / sizeof *times, MAX_POINTS = 64 };

typedef struct moment {
    vn_dvec3 points[MAX_POINTS];
    uint32_t count;
    vn_path_result result;
} moment;

/// The scene's voxels at a time.
static vn_status bake(const vn_moving_scene* scene, double seconds, vn_space** out, vn_detail* detail) {
    const vn_world_def world_def = vn_default_world_def();
    vn_staging_def staging_def = vn_default_staging_def();
    vn_space_def def = vn_default_space_def();
    vn_moving_scene_info info;
    vn_world* world = NULL;
    vn_staging* staging = NULL;
    vn_moving_scene_get_info(scene, &info);
    staging_def.scene = scene;
    def.resolution = info.resolution;
    def.has_bounds = true;
    def.bounds = info.bounds;

    vn_status status = vn_world_create(&world_def, &world);
    status = status == VN_OK ? vn_staging_create(&staging_def, &staging) : status;
    status = status == VN_OK ? vn_moving_scene_build(scene, world, detail) : status;
    status = status == VN_OK ? vn_staging_to_world(staging, world, seconds, NULL, detail) : status;
    status = status == VN_OK ? vn_space_bake(world, &def, out, detail) : status;
    vn_staging_destroy(staging);
    vn_world_destroy(world);
    return status;
}

static vn_dvec3 position(vn_vec3 p) {
    return (vn_dvec3){(double)p.x, (double)p.y, (double)p.z};
}

static vn_status find(const vn_moving_scene* scene, double seconds, const vn_space* space, moment* m,
                      vn_detail* detail) {
    const vn_query_def def = vn_default_query_def();
    vn_path_request request = vn_default_path_request();
    vn_moving_scene_info info;
    vn_query* query = NULL;
    vn_vec3 goal = {0, 0, 0};
    vn_moving_scene_get_info(scene, &info);
    vn_status status = vn_moving_scene_get_goal(scene, seconds, &goal, NULL);
    status = status == VN_OK ? vn_query_create(space, &def, &query, detail) : status;
    if (status == VN_OK) {
        request.use_positions = true;
        request.start_position = position(info.start);
        request.goal_position = position(goal);
        request.quality = VN_QUALITY_BEST;
        request.check = true;
        status = vn_query_find_path(query, &request, &m->result, detail);
    }

    if (status == VN_OK) {
        status = vn_query_get_positions(query, m->points, MAX_POINTS, &m->count);
    }

    vn_query_destroy(query);
    return status;
}

static vn_status run(const vn_moving_scene* scene, moment* moments, vn_detail* detail) {
    for (int i = 0; i < TIMES; ++i) {
        vn_space* space = NULL;
        vn_status status = bake(scene, times[i], &space, detail);
        status = status == VN_OK ? find(scene, times[i], space, &moments[i], detail) : status;
        vn_space_destroy(space);
        if (status != VN_OK) {
            return status;
        }
    }

    return VN_OK;
}

static int draw(const char* picture, const vn_moving_scene* scene, const moment* moments) {
    frames_one frames[TIMES];
    for (int i = 0; i < TIMES; ++i) {
        frames[i] = (frames_one){.seconds = times[i],
                                 .points = moments[i].points,
                                 .count = moments[i].count,
                                 .length = moments[i].result.length};
    }

    const frames_plan plan = {.title = "krafft: the test environment of Krafft 2019",
                              .scene = scene,
                              .frames = frames,
                              .count = TIMES};
    return frames_write(picture, &plan);
}

static void report(const char* picture, const moment* moments, bool as_json) {
    json_writer json = json_open(stdout);
    if (!as_json) {
        for (int i = 0; i < TIMES; ++i) {
            printf("%4g s  %7.2f m, %u points\n", times[i], moments[i].result.length, moments[i].count);
        }
        printf("The picture is in %s\n", picture);
        return;
    }

    json_begin_object(&json, NULL);
    json_text(&json, "scene", "krafft");
    json_begin_array(&json, "times", false);
    for (int i = 0; i < TIMES; ++i) {
        json_begin_object(&json, NULL);
        json_real(&json, "seconds", times[i]);
        json_real(&json, "length", moments[i].result.length);
        json_count(&json, "points", moments[i].count);
        json_end(&json);
    }

    json_end(&json);
    json_end(&json);
}

int demo_krafft(const char* picture, bool as_json) {
    vn_moving_scene_def def = vn_default_moving_scene_def();
    vn_moving_scene* scene = NULL;
    vn_detail detail = {0};
    moment moments[TIMES] = {0};
    def.goal = VN_GOAL_MOTION_VERTICAL;
    vn_status status = vn_moving_scene_create(&def, &scene, &detail);
    status = status == VN_OK ? run(scene, moments, &detail) : status;
    const int code =
        status == VN_OK ? draw(picture, scene, moments) : say_status("--krafft", status, &detail);
    if (code == EXIT_DONE) {
        report(picture, moments, as_json);
    }

    vn_moving_scene_destroy(scene);
    return code;
}
