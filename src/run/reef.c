/// run/reef.c: schools of fish around rocks, with currents as zones.
#include "run/swarm.h"

enum { ROCKS = 40, CURRENTS = 4, SCHOOL = 20 };

#define PATIENCE 40.0 ///< seconds after which a school looks for another place
#define APART    1.0  ///< metres between the places of a school

static void build(vni_swarm* swarm) {
    for (int i = 0; i < ROCKS; ++i) {
        const double x = vni_swarm_draw(swarm, 6, 74), z = vni_swarm_draw(swarm, 6, 74);
        const double wide = vni_swarm_draw(swarm, 1, 4), tall = vni_swarm_draw(swarm, 2, 9);
        const double deep = vni_swarm_draw(swarm, 1, 4), y = vni_swarm_draw(swarm, -8, 24);
        const vn_dvec3 low = {x - wide, y, z - deep}, high = {x + wide, y + tall, z + deep};
        vni_swarm_add_box(swarm, low, high);
    }

    // With the current a metre costs half, across the next one twice as much.
    for (int i = 0; i < CURRENTS; ++i) {
        const vn_dvec3 low = {20.0 * i + 2, 0, 0}, high = {20.0 * i + 10, 30, 80};
        vni_swarm_add_zone(swarm, low, high, i % 2 == 0 ? 0.5 : 2);
    }
}

/// The place of an agent in its school: a lattice of three by three by three.
static vn_dvec3 place_in_school(uint32_t index) {
    const int k = (int)(index % SCHOOL);
    return (vn_dvec3){APART * (k % 3 - 1), APART * (k / 3 % 3 - 1), APART * (k / 9 - 1)};
}

static bool has_arrived(const vni_swarm* swarm, uint32_t first, uint32_t last) {
    uint32_t arrived = 0;
    for (uint32_t i = first; i < last; ++i)
        arrived += swarm->agents[i].arrived;
    return 2 * arrived >= last - first;
}

/// A school goes on when half of it has arrived.
static vn_status guide(vni_swarm* swarm) {
    const uint32_t agents = swarm->run->def.agents;
    const double seconds = (double)swarm->run->steps * swarm->run->def.step;
    vn_status status = VN_OK;
    for (uint32_t first = 0; status == VN_OK && first < agents; first += SCHOOL) {
        const uint32_t last = first + SCHOOL < agents ? first + SCHOOL : agents;
        const bool is_late = seconds - swarm->since[first] > PATIENCE;
        if (!is_late && !has_arrived(swarm, first, last))
            continue;

        const vn_dvec3 goal = vni_swarm_draw_place(swarm, 2.5);
        swarm->since[first] = seconds;
        for (uint32_t i = first; status == VN_OK && i < last; ++i)
            status = vni_swarm_send(swarm, i, vni_sum(goal, place_in_school(i)));
    }
    return status;
}

static const vni_swarm_scene scene = {.bounds = {{0, 0, 0}, {80, 30, 80}},
                                      .resolution = 0.5f,
                                      .body = 0.25f,
                                      .radius = 0.3f,
                                      .speed = 2,
                                      .acceleration = 6,
                                      .build = build,
                                      .guide = guide};

static vn_status make(vn_run* run, void** self, vn_detail* detail) {
    return vni_swarm_make(run, &scene, self, detail);
}

const vni_run_kind vni_run_reef = {.scene = {.name = "reef",
                                             .source = "ours",
                                             .description = "schools of fish around rocks, with currents",
                                             .algos = "cells",
                                             .spaces = "cells",
                                             .agents = 200,
                                             .step = 0.05,
                                             .limit = 120},
                                   .variants = "schools",
                                   .make = make,
                                   .step = vni_swarm_step,
                                   .view = vni_swarm_view,
                                   .free = vni_swarm_free};
