/// volnav/experiment/crowd_times.c: what one agent costs in one step, among 100, 1,000 and 10,000.
///
/// The density is the same for all sizes: 25 square metres of a sphere each (agents of 1.5 m, a horizon of
/// 10 s, new lists every fourth step of 1/8 s), and aisles between pillars with 36 square metres each.
#include <math.h>
#include <stdlib.h>

#include "experiment/crowd.h"
#include "shell/scaling.h"

const uint32_t crowd_sizes[CROWD_SIZES] = {100, 1000, 10000};
const char* const crowd_layouts[CROWD_LAYOUTS] = {"sphere", "aisles", "aisles, pushing"};

enum { SPHERE, AISLES, AISLES_PUSHING, WARM_UP = 8 };

#define CELL 6.0 ///< metres from pillar to pillar

typedef struct field {
    int layout;
    vn_space* space;
    vn_avoid* avoid;
    vn_avoid_agent_id* ids;
    vn_dvec3* goals;
    uint32_t count;
    double edge; ///< of the aisles, metres
    float dt;
} field;

static vn_status add_pillars(vn_world* world, int side) {
    vn_status status = VN_OK;
    for (int i = 0; status == VN_OK && i < side * side; ++i) {
        const float x = (float)CELL * (float)(i % side), z = (float)CELL * (float)(i / side);
        const vn_shape pillar = {.kind = VN_SHAPE_BOX, .as.box = {{x, 0, z}, {x + 2, 4, z + 2}}};
        status = vn_world_add(world, &pillar, NULL, NULL);
    }
    return status;
}

static vn_status bake_aisles(field* f, int side, vn_detail* detail) {
    const vn_world_def world_def = vn_default_world_def();
    vn_space_def def = vn_default_space_def();
    vn_world* world = NULL;
    vn_status status = vn_world_create(&world_def, &world);
    if (status != VN_OK) {
        return status;
    }

    f->edge = CELL * side;
    def.resolution = 0.5f;
    def.radius = 0.375f;
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {(float)f->edge, 4, (float)f->edge}};
    status = add_pillars(world, side);
    status = status == VN_OK ? vn_space_bake(world, &def, &f->space, detail) : status;
    vn_world_destroy(world);
    return status;
}

/// One in each cell: along the aisle beside its pillar, of four neighbours one in each direction.
static vn_dvec3 place_in_aisle(const field* f, uint32_t i, int side, vn_dvec3* goal) {
    const int x = (int)i % side, z = (int)i / side % side, way = x % 2 + 2 * (z % 2);
    const double along = CELL * (way < 2 ? x : z) + 1, across = CELL * (way < 2 ? z : x) + 3.5 + way % 2;
    const double end = way % 2 == 0 ? f->edge : 0;
    *goal = way < 2 ? (vn_dvec3){end, 2, across} : (vn_dvec3){across, 2, end};
    return way < 2 ? (vn_dvec3){along, 2, across} : (vn_dvec3){across, 2, along};
}

static vn_status add_all(field* f, int side, vn_detail* detail) {
    const double pi = 3.14159265358979323846, radius = sqrt(25.0 * f->count / (4 * pi));

    double c = 1, s = 0;
    vn_status status = VN_OK;
    for (uint32_t i = 0; status == VN_OK && i < f->count; ++i) {
        vn_avoid_agent_def def = vn_default_avoid_agent_def();
        if (f->layout == SPHERE) {
            const double y = 1 - 2 * (i + 0.5) / f->count, ring = sqrt(1 - y * y);
            const double next = -0.73736887807831985 * c - 0.67549029426152362 * s, all = sqrt(c * c + s * s);
            def.position = (vn_dvec3){radius * ring * c, radius * y, radius * ring * s};
            def.radius = 1.5f;
            def.max_speed = 2;
            f->goals[i] = (vn_dvec3){-def.position.x, -def.position.y, -def.position.z};
            s = (0.67549029426152362 * c - 0.73736887807831985 * s) / all;
            c = next / all;
        } else {
            def.position = place_in_aisle(f, i, side, &f->goals[i]);
            def.radius = 0.375f;
            def.max_speed = 1.5f + (float)(i % 3) * 0.25f;
            def.space = f->space;
        }

        status = vn_avoid_add_agent(f->avoid, &def, &f->ids[i], detail);
    }
    return status;
}

static vn_status open_field(field* f, vn_detail* detail) {
    vn_avoid_def def = vn_default_avoid_def();
    const int side = (int)ceil(sqrt((double)f->count));
    def.max_agents = f->count;
    def.mode = f->layout == AISLES_PUSHING ? VN_AVOID_PUSH : VN_AVOID_RECIPROCAL;
    f->dt = 1.0f / 60;
    if (f->layout == SPHERE) {
        def.reach = 12;
        def.horizon = 10;
        def.refresh = 0.5f;
        f->dt = 0.125f;
    }

    f->ids = say_alloc(f->count, sizeof *f->ids);
    f->goals = say_alloc(f->count, sizeof *f->goals);
    vn_status status = f->layout == SPHERE ? VN_OK : bake_aisles(f, side, detail);
    status = status == VN_OK ? vn_avoid_create(&def, &f->avoid, detail) : status;
    return status == VN_OK ? add_all(f, side, detail) : status;
}

static void close_field(field* f) {
    vn_avoid_destroy(f->avoid);
    vn_space_destroy(f->space);
    free(f->ids);
    free(f->goals);
}

static vn_status want(const field* f, uint32_t i) {
    vn_avoid_state state;
    vn_status status = vn_avoid_get_agent(f->avoid, f->ids[i], &state);
    const double x = f->goals[i].x - state.position.x, y = f->goals[i].y - state.position.y,
                 z = f->goals[i].z - state.position.z, length = sqrt(x * x + y * y + z * z);
    const double scale = length > 2 ? 2 / length : 1;
    const vn_vec3 wish = {(float)(x * scale), (float)(y * scale), (float)(z * scale)};
    return status == VN_OK ? vn_avoid_set_preferred(f->avoid, f->ids[i], wish) : status;
}

static vn_status fly(field* f, uint32_t steps, double* us) {
    double seconds = 0;
    vn_status status = VN_OK;
    for (uint32_t step = 0; status == VN_OK && step < WARM_UP + steps; ++step) {
        for (uint32_t i = 0; status == VN_OK && i < f->count; ++i) {
            status = want(f, i);
        }

        const double begin = system_thread_seconds();
        status = status == VN_OK ? vn_avoid_step(f->avoid, f->dt) : status;
        seconds += step >= WARM_UP ? system_thread_seconds() - begin : 0;
    }
    *us = 1e6 * seconds / ((double)steps * f->count);
    return status;
}

int crowd_measure(experiment* e, crowd_times* out) {
    const uint32_t steps = e->options->quick ? 24 : 80;
    vn_detail detail = {0};
    vn_status status = VN_OK;
    out->calibration = scaling_calibration() * 1e-6;
    for (int size = 0; status == VN_OK && size < CROWD_SIZES; ++size) {
        for (int layout = 0; status == VN_OK && layout < CROWD_LAYOUTS; ++layout) {
            field f = {.layout = layout, .count = crowd_sizes[size]};
            status = open_field(&f, &detail);
            status = status == VN_OK ? fly(&f, steps, &out->us[layout][size]) : status;
            close_field(&f);
        }
    }
    return status == VN_OK ? EXIT_DONE : say_status("crowd", status, &detail);
}
