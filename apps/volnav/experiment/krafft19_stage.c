/// volnav/experiment/krafft19_stage.c: the scene of Krafft 2019 with its search graphs.
#include "experiment/krafft19.h"

const char* const krafft19_graphs[KRAFFT19_GRAPHS] = {"grid", "waypoints, 1 indirect neighbour",
                                                      "waypoints, 8 indirect neighbours"};

static int check(const char* what, vn_status status, const vn_detail* detail) {
    return status == VN_OK ? EXIT_DONE : say_status(what, status, detail);
}

static int place_ends(krafft19_stage* s) {
    const vn_space* space = s->place.space;
    vn_moving_scene_info info;
    vn_vec3 goal;
    vn_moving_scene_get_info(s->place.scene, &info);
    vn_status status = vn_moving_scene_get_goal(s->place.scene, 0, &goal, NULL);
    status = status == VN_OK ? vn_space_point_from_local(space, info.start, &s->from) : status;
    status = status == VN_OK ? vn_space_point_from_local(space, goal, &s->to) : status;
    if (status == VN_OK) {
        s->from = vn_voxel_center(vn_space_voxel_at(space, s->from));
        s->to = vn_voxel_center(vn_space_voxel_at(space, s->to));
    }
    return check("krafft", status, NULL);
}

int krafft19_stage_open(experiment* e, krafft19_stage* out) {
    const moving_def def = {.every = true, .graphs = 1u << VN_NAV_GRID6};
    int code = moving_open_krafft(e, &def, &out->place);
    for (int i = KRAFFT19_WAYPOINTS; i < KRAFFT19_GRAPHS && code == EXIT_DONE; ++i) {
        code = moving_make_waypoints(&out->place, i == KRAFFT19_WAYPOINTS ? 1 : 8, &out->roadmaps[i]);
    }
    return code == EXIT_DONE ? place_ends(out) : code;
}

void krafft19_stage_close(krafft19_stage* s) {
    for (int i = 0; i < KRAFFT19_GRAPHS; ++i) {
        vn_roadmap_destroy(s->roadmaps[i]);
    }
    moving_close(&s->place);
}

int krafft19_stage_step(krafft19_stage* s, double seconds) {
    const moving_place* place = &s->place;
    bool changed = false;
    int code = moving_step(&s->place, seconds, &changed);
    s->update[KRAFFT19_GRID] = place->tick;
    for (int i = KRAFFT19_WAYPOINTS; i < KRAFFT19_GRAPHS && code == EXIT_DONE; ++i) {
        vn_detail detail = {0};
        const double begin = system_thread_seconds();
        const vn_status status = changed ? vn_roadmap_follow(s->roadmaps[i], place->space, place->version,
                                                             place->changes, 0, &detail)
                                         : VN_OK;
        s->update[i] = place->tick + system_thread_seconds() - begin;
        code = check(krafft19_graphs[i], status, &detail);
    }
    return code;
}

bool krafft19_ends_are_free(const krafft19_stage* s) {
    return vn_space_point_free(s->place.space, s->from) && vn_space_point_free(s->place.space, s->to);
}

int krafft19_open_racer(krafft19_stage* s, int graph, const racer_def* def, racer* out) {
    return graph == KRAFFT19_GRID ? racer_open_nav(def, s->place.nav, VN_NAV_GRID6, out)
                                  : racer_open_roadmap(def, s->roadmaps[graph], out);
}

int krafft19_search_afresh(const krafft19_stage* s, racer_answer* out) {
    vn_classic_request request = vn_default_classic_request();
    request.start = s->from;
    request.goal = s->to;
    request.neighbours = 6;
    request.heuristic = VN_HEURISTIC_EUCLIDEAN;
    return racer_search_voxels("A* from scratch", s->place.space, &request, out);
}
