/// run/krafft_enclosed.c: was the agent enclosed? A flood through the last seconds with the true schedule.
#include "run/krafft_inside.h"

#define SECONDS 2.0

/// The scene at one step of the flood.
typedef struct past {
    const vni_krafft* k;
    uint64_t first; ///< step of the run that the flood begins at
    uint32_t step;  ///< that `states` are of; 0: none yet
    vn_mover_state states[VNI_KRAFFT_MOVERS_MOST];
} past;

static void go_to(past* p, uint32_t step) {
    const vni_krafft* k = p->k;
    const uint64_t at = p->first + step;
    const double seconds = vni_krafft_clock(k, (double)at * k->run->def.step);
    const vn_blinkers* blinkers = at <= k->run->steps ? &k->past[at % VNI_KRAFFT_PAST] : &k->present;
    p->step = step;
    for (uint32_t i = 0; i < k->info.movers; ++i)
        if (vn_moving_scene_get_state(k->scene, i, seconds, blinkers, &p->states[i]) != VN_OK)
            p->states[i].present = false;
}

static double distance(void* user, vn_dvec3 point, uint32_t step) {
    past* p = user;
    const vni_krafft* k = p->k;
    const vn_transform still = vn_transform_identity();
    double least = HUGE_VAL;
    if (p->step != step)
        go_to(p, step);
    for (uint32_t i = 0; i < k->info.walls; ++i) {
        const vn_shape wall = {.kind = VN_SHAPE_BOX, .as.box = vn_moving_scene_wall(k->scene, i)};
        const double d = vni_judge_depth(point, &wall, &still);
        least = d < least ? d : least;
    }
    for (uint32_t i = 0; i < k->info.movers; ++i) {
        const double d = p->states[i].present
                             ? vni_judge_depth(point, &k->movers[i].shape, &p->states[i].transform)
                             : HUGE_VAL;
        least = d < least ? d : least;
    }
    return least;
}

bool vni_krafft_was_enclosed(vni_krafft* k) {
    const uint64_t now = k->run->steps, most = (uint64_t)(SECONDS / k->run->def.step);
    const uint64_t back = now < most ? now : most;
    past p = {.k = k, .first = now - back};
    const vni_enclosure e = {.start = k->track[p.first % VNI_KRAFFT_PAST],
                             .low = vni_exact(k->info.bounds.min),
                             .high = vni_exact(k->info.bounds.max),
                             .radius = k->info.agent_radius,
                             .reach = k->info.agent_speed * k->run->def.step,
                             .steps = (uint32_t)back + 1,
                             .distance = distance,
                             .user = &p};
    return vni_is_enclosed(&e, k->flood);
}
