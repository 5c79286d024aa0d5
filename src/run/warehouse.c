/// run/warehouse.c: drones between shelves, with lifts that go up and down and doors that slide.
#include "run/swarm.h"

enum { ROWS = 6, DOORS = 3, LIFTS = 6 };

/// Two halls of six rows of shelves, with a wall between them at x = 30 that has three doors.
static void add_walls(vni_swarm* swarm) {
    for (int row = 0; row < ROWS; ++row) {
        const double z = 4.0 + 6 * row;
        const vn_dvec3 low[2] = {{5, 0, z}, {35, 0, z}}, high[2] = {{25, 10, z + 1.5}, {55, 10, z + 1.5}};
        vni_swarm_add_box(swarm, low[0], high[0]);
        vni_swarm_add_box(swarm, low[1], high[1]);
    }

    // Between the doors from the floor up, and above them.
    const double edges[] = {0, 5, 9, 18, 22, 31, 35, 40};
    for (int i = 0; i < DOORS + 1; ++i) {
        const vn_dvec3 low = {29.5, 0, edges[2 * i]}, high = {30.5, 4, edges[2 * i + 1]};
        vni_swarm_add_box(swarm, low, high);
    }
    const vn_dvec3 low = {29.5, 4, 0}, high = {30.5, 16, 40};
    vni_swarm_add_box(swarm, low, high);
}

/// Open for twelve seconds and closed for as long; each slides to the side, along the wall.
static void add_door(vni_swarm* swarm, int index) {
    const double z = 7.0 + 13 * index;
    const vni_slider door = {.first = {30, 2, z - 4},
                             .second = {30, 2, z},
                             .half = {0.25, 2, 2},
                             .speed = 1,
                             .pause = 12,
                             .offset = vni_swarm_draw(swarm, 0, 30)};
    vni_swarm_add_slider(swarm, door);
}

/// In the aisles, at the ends of the shelves.
static void add_lift(vni_swarm* swarm, int index) {
    const double x = index % 2 == 0 ? 2.5 : 57.5, z = 7.75 + 6.0 * (index % 5);
    const vni_slider lift = {.first = {x, 0.5, z},
                             .second = {x, 12, z},
                             .half = {1.2, 0.25, 1.2},
                             .speed = vni_swarm_draw(swarm, 0.8, 1.5),
                             .pause = 4,
                             .offset = vni_swarm_draw(swarm, 0, 30)};
    vni_swarm_add_slider(swarm, lift);
}

static void build(vni_swarm* swarm) {
    const int count = (int)swarm->run->def.obstacles;
    add_walls(swarm);
    for (int i = 0; i < DOORS && i < count; ++i)
        add_door(swarm, i);
    for (int i = DOORS; i < count; ++i)
        add_lift(swarm, i - DOORS);
    for (uint32_t i = 0; i < swarm->slider_count; ++i)
        swarm->sliders[i].speed *= swarm->run->def.speed > 0.01 ? swarm->run->def.speed : 0.01;
}

/// A drone that has arrived gets the next order.
static vn_status guide(vni_swarm* swarm) {
    return vni_swarm_send_on(swarm, 1.25);
}

static const vni_swarm_scene scene = {.bounds = {{0, 0, 0}, {60, 16, 40}},
                                      .resolution = 0.5f,
                                      .body = 0.4f,
                                      .radius = 0.5f,
                                      .speed = 4,
                                      .acceleration = 10,
                                      .sliders = DOORS + LIFTS,
                                      .build = build,
                                      .guide = guide};

static vn_status make(vn_run* run, void** self, vn_detail* detail) {
    return vni_swarm_make(run, &scene, self, detail);
}

const vni_run_kind vni_run_warehouse = {
    .scene = {.name = "warehouse",
              .source = "ours",
              .description = "drones between shelves, lifts and sliding doors",
              .algos = "cells",
              .spaces = "cells",
              .agents = 40,
              .step = 1.0 / 30,
              .limit = 120},
    .variants = "halls",
    .make = make,
    .step = vni_swarm_step,
    .view = vni_swarm_view,
    .free = vni_swarm_free};
