/// run/worlds.c: agents that fly from goal to goal in the worlds of Albertini 2022 and Massonnat 2023, and in
/// a wreck full of debris.
#include "run/swarm.h"

enum { DEBRIS = 8, WRECKAGE = 16, CRATES = 30 };

/// Debris flies to and fro between two places, through walls too.
static void add_debris(vni_swarm* swarm, double size, double speed) {
    const vn_dvec3 low = vni_exact(swarm->bounds.min), high = vni_exact(swarm->bounds.max);
    const double factor = swarm->run->def.speed > 0.01 ? swarm->run->def.speed : 0.01;
    for (uint32_t i = 0; i < swarm->run->def.obstacles; ++i) {
        vni_slider s = {.pause = 0};
        s.half.x = vni_swarm_draw(swarm, 0.25, 0.5) * size;
        s.half.y = vni_swarm_draw(swarm, 0.25, 0.5) * size;
        s.half.z = vni_swarm_draw(swarm, 0.25, 0.5) * size;
        vn_dvec3* const places[2] = {&s.first, &s.second};
        for (int k = 0; k < 2; ++k) {
            places[k]->x = vni_swarm_draw(swarm, low.x + size, high.x - size);
            places[k]->y = vni_swarm_draw(swarm, low.y + size, high.y - size);
            places[k]->z = vni_swarm_draw(swarm, low.z + size, high.z - size);
        }
        s.speed = vni_swarm_draw(swarm, 0.5, 1) * speed * factor;
        s.offset = vni_swarm_draw(swarm, 0, 60);
        vni_swarm_add_slider(swarm, s);
    }
}

// ------------------------------------------------------------------------------------------------- Albertini

static void build_nothing(vni_swarm* swarm) {
    (void)swarm;
}

static vn_status guide_albertini(vni_swarm* swarm) {
    return vni_swarm_send_on(swarm, 12);
}

/// One unit is a metre: the worlds have edges of 1024, and what agents keep apart grows likewise.
#define ALBERTINI(name)                                                                                      \
    {                                                                                                        \
        .world = (name), .scale = 16, .spread = 0.5f, .resolution = 8, .body = 5, .radius = 6, .speed = 48,  \
        .acceleration = 160, .build = build_nothing, .guide = guide_albertini                                \
    }

static const vni_swarm_scene albertini[] = {ALBERTINI("sparse"), ALBERTINI("wall"), ALBERTINI("maze"),
                                            ALBERTINI("concave"), ALBERTINI("mixed")};

static vn_status make_albertini(vn_run* run, void** self, vn_detail* detail) {
    return vni_swarm_make(run, &albertini[run->variant], self, detail);
}

const vni_run_kind vni_run_albertini = {
    .scene = {.name = "albertini",
              .source = "Albertini 2022, chapters 7 and 8",
              .description = "agents of different speeds from goal to goal in the thesis's worlds",
              .algos = "cells",
              .spaces = "cells",
              .agents = 30,
              .step = 1.0 / 30,
              .limit = 60},
    .variants = "sparse wall maze concave mixed",
    .make = make_albertini,
    .step = vni_swarm_step,
    .view = vni_swarm_view,
    .free = vni_swarm_free};

// ------------------------------------------------------------------------------------------------- Massonnat

static void build_massonnat(vni_swarm* swarm) {
    add_debris(swarm, 1, 1);
}

static vn_status guide_massonnat(vni_swarm* swarm) {
    return vni_swarm_send_on(swarm, 0.3);
}

/// Finer than the thesis's 0.625, so that its narrow holes let an agent with a radius pass.
#define MASSONNAT(name)                                                                                      \
    {                                                                                                        \
        .world = (name), .scale = 0.5f, .resolution = 0.15625f, .body = 0.12f, .radius = 0.15f, .speed = 2,  \
        .acceleration = 8, .sliders = DEBRIS, .build = build_massonnat, .guide = guide_massonnat             \
    }

static const vni_swarm_scene massonnat[] = {MASSONNAT("zigzag"),     MASSONNAT("building-1"),
                                            MASSONNAT("building-2"), MASSONNAT("building-3"),
                                            MASSONNAT("cave"),       MASSONNAT("industrial")};

static vn_status make_massonnat(vn_run* run, void** self, vn_detail* detail) {
    return vni_swarm_make(run, &massonnat[run->variant], self, detail);
}

const vni_run_kind vni_run_massonnat = {
    .scene = {.name = "massonnat",
              .source = "Massonnat 2023, chapters 5 and 6",
              .description = "agents from goal to goal in the thesis's worlds, among debris",
              .algos = "cells",
              .spaces = "cells",
              .agents = 20,
              .step = 1.0 / 30,
              .limit = 60},
    .variants = "zigzag building-1 building-2 building-3 cave industrial",
    .make = make_massonnat,
    .step = vni_swarm_step,
    .view = vni_swarm_view,
    .free = vni_swarm_free};

// ---------------------------------------------------------------------------------------------------- debris

/// A wall across an axis (0 x, 1 y, 2 z), 1 m thick, over a rectangle of the other two axes, with an opening.
static void add_bulkhead(vni_swarm* swarm, int axis, double at, const double low[2], const double high[2]) {
    const int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    double hole[2][2];
    for (int k = 0; k < 2; ++k) {
        const double wide = vni_swarm_draw(swarm, 4, 6);
        hole[0][k] = vni_swarm_draw(swarm, low[k] + 1, high[k] - wide - 1);
        hole[1][k] = hole[0][k] + wide;
    }

    // Before and behind the opening along u; there, below and above it along v.
    const double parts[4][4] = {{low[0], hole[0][0], low[1], high[1]},
                                {hole[1][0], high[0], low[1], high[1]},
                                {hole[0][0], hole[1][0], low[1], hole[0][1]},
                                {hole[0][0], hole[1][0], hole[1][1], high[1]}};
    for (int i = 0; i < 4; ++i) {
        double corners[2][3];
        corners[0][axis] = at - 0.5;
        corners[1][axis] = at + 0.5;
        corners[0][u] = parts[i][0];
        corners[1][u] = parts[i][1];
        corners[0][v] = parts[i][2];
        corners[1][v] = parts[i][3];
        vni_swarm_add_box(swarm, (vn_dvec3){corners[0][0], corners[0][1], corners[0][2]},
                          (vn_dvec3){corners[1][0], corners[1][1], corners[1][2]});
    }
}

/// Sixteen holds of 16 x 12 x 32 m on two decks, each with openings to its neighbours, and crates.
static void build_wreck(vni_swarm* swarm) {
    for (int deck = 0; deck < 2; ++deck) {
        for (int i = 0; i < 6; ++i) {
            const double low[2] = {12.0 * deck, 32.0 * (i / 3)}, high[2] = {low[0] + 12, low[1] + 32};
            add_bulkhead(swarm, 0, 16.0 + 16 * (i % 3), low, high);
        }
        for (int i = 0; i < 4; ++i) {
            const double low[2] = {16.0 * i, 12.0 * deck}, high[2] = {low[0] + 16, low[1] + 12};
            add_bulkhead(swarm, 2, 32, low, high);
        }
    }
    for (int i = 0; i < 8; ++i) {
        const double low[2] = {16.0 * (i % 4), 32.0 * (i / 4)}, high[2] = {low[0] + 16, low[1] + 32};
        add_bulkhead(swarm, 1, 12, low, high);
    }

    for (int i = 0; i < CRATES; ++i) {
        const double x = vni_swarm_draw(swarm, 2, 60), z = vni_swarm_draw(swarm, 2, 60);
        const double edge = vni_swarm_draw(swarm, 0.5, 2), y = i % 2 == 0 ? 0 : 12.5;
        vni_swarm_add_box(swarm, (vn_dvec3){x, y, z}, (vn_dvec3){x + edge, y + edge, z + edge});
    }
    add_debris(swarm, 2, 2);
}

static vn_status guide_debris(vni_swarm* swarm) {
    return vni_swarm_send_on(swarm, 1.25);
}

static const vni_swarm_scene wreck = {.bounds = {{0, 0, 0}, {64, 24, 64}},
                                      .resolution = 0.5f,
                                      .body = 0.4f,
                                      .radius = 0.5f,
                                      .speed = 4,
                                      .acceleration = 10,
                                      .sliders = WRECKAGE,
                                      .build = build_wreck,
                                      .guide = guide_debris};

static void build_map(vni_swarm* swarm) {
    add_debris(swarm, 4, 4);
}

/// In a voxel map, whose voxels are a metre wide.
static const vni_swarm_scene map = {.resolution = 1,
                                    .body = 0.4f,
                                    .radius = 0.5f,
                                    .speed = 8,
                                    .acceleration = 20,
                                    .sliders = WRECKAGE,
                                    .build = build_map,
                                    .guide = guide_debris};

static vn_status make_debris(vn_run* run, void** self, vn_detail* detail) {
    return vni_swarm_make(run, run->def.map != NULL ? &map : &wreck, self, detail);
}

const vni_run_kind vni_run_debris = {.scene = {.name = "debris",
                                               .source = "ours, after the Warframe maps of Massonnat 2023",
                                               .description = "drones in the holds of a wreck, among debris",
                                               .algos = "cells",
                                               .spaces = "cells",
                                               .agents = 30,
                                               .step = 1.0 / 30,
                                               .limit = 60},
                                     .variants = "wreck",
                                     .make = make_debris,
                                     .step = vni_swarm_step,
                                     .view = vni_swarm_view,
                                     .free = vni_swarm_free};
