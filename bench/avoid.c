/// bench/avoid.c: avoidance: microseconds for each agent and step, and as a ratio to the calibration loop.
///
/// Layouts. *Sphere*: agents spread evenly on a sphere, with so many square metres each, cross to the
/// opposite place (radius 1.5 m, 2 m/s, neighbours within 15 m between centres, horizon 10 s, 10 neighbours,
/// steps of 1/8 s, the parameters of RVO2-3D's example); lists of neighbours kept for 1 step or for 4.
/// *Halls*: a square of halls of 12 x 4 x 12 m with doors 2.5 m wide, 11 agents a hall (radius 0.375 m, 1.5
/// m/s) that wander from hall to hall (defaults, steps of 1/60 s).
#include "bench.h"

#include <math.h>

enum { SIZES = 3, WARM_UP = 10 };
static const uint32_t sizes[SIZES] = {100, 1000, 10000};

typedef struct scene {
    const char* name;
    double area;   ///< square metres of the sphere for each agent; 0: halls
    float refresh; ///< seconds
    double us[SIZES];
    vn_avoid_mode mode;
} scene;

typedef struct agent {
    vn_avoid_agent_id id;
    vn_dvec3 goal;
    int32_t hall[2], next[2];
} agent;

typedef struct run {
    const scene* scene;
    vn_avoid* avoid;
    vn_space* space;
    agent* agents;
    uint32_t count;
    int32_t side; ///< halls along an edge
    vni_rng rng;
    float dt;
} run;

// ---------- halls

static void add_wall(vn_world* world, double x0, double y0, double z0, double x1, double y1, double z1) {
    vn_shape shape = {.kind = VN_SHAPE_BOX};
    shape.as.box.min = (vn_vec3){(float)x0, (float)y0, (float)z0};
    shape.as.box.max = (vn_vec3){(float)x1, (float)y1, (float)z1};
    vnb_must(vn_world_add(world, &shape, NULL, NULL), NULL);
}

/// Walls on the low sides of a hall, each with a door, which the rim has too: beyond it the space ends.
static void add_hall(vn_world* world, double x, double z) {
    add_wall(world, x - 0.25, 0, z, x + 0.25, 4, z + 4.75);
    add_wall(world, x - 0.25, 0, z + 7.25, x + 0.25, 4, z + 12);
    add_wall(world, x, 0, z - 0.25, x + 4.75, 4, z + 0.25);
    add_wall(world, x + 7.25, 0, z - 0.25, x + 12, 4, z + 0.25);
}

static vn_space* bake_halls(int32_t side) {
    vn_detail detail = {0};
    vn_world_def world_def = vn_default_world_def();
    vn_space_def def = vn_default_space_def();
    vn_world* world;
    vn_space* space;
    const double edge = 12.0 * side;
    vnb_must(vn_world_create(&world_def, &world), NULL);
    for (int32_t i = 0; i < side; ++i)
        for (int32_t k = 0; k < side; ++k)
            add_hall(world, 12.0 * i, 12.0 * k);
    add_wall(world, edge - 0.25, 0, 0, edge, 4, edge);
    add_wall(world, 0, 0, edge - 0.25, edge, 4, edge);
    add_wall(world, 0, -0.25, 0, edge, 0, edge);
    add_wall(world, 0, 4, 0, edge, 4.25, edge);

    def.resolution = 0.25f;
    def.radius = 0.375f;
    vnb_must(vn_space_bake(world, &def, &space, &detail), &detail);
    vn_world_destroy(world);
    return space;
}

/// The centre of a hall, or of the door between two.
static vn_dvec3 between(const int32_t a[2], const int32_t b[2], double y) {
    return (vn_dvec3){6 + 6.0 * (a[0] + b[0]), y, 6 + 6.0 * (a[1] + b[1])};
}

static void choose_hall(run* r, agent* a) {
    for (;;) {
        const int axis = (int)vni_rng_below(&r->rng, 2);
        a->next[0] = a->hall[0];
        a->next[1] = a->hall[1];
        a->next[axis] += vni_rng_below(&r->rng, 2) > 0 ? 1 : -1;
        if (a->next[axis] >= 0 && a->next[axis] < r->side)
            return;
    }
}

static void wander(run* r, agent* a, vn_dvec3 at) {
    double x = a->goal.x - at.x, z = a->goal.z - at.z;
    if (x * x + z * z > 1)
        return;

    // at a door: on to the next hall; in a hall: to one of its doors
    const bool at_door = a->next[0] != a->hall[0] || a->next[1] != a->hall[1];
    const double y = a->goal.y;
    if (at_door) {
        a->hall[0] = a->next[0];
        a->hall[1] = a->next[1];
        a->goal = between(a->hall, a->hall, y);
    } else {
        choose_hall(r, a);
        a->goal = between(a->hall, a->next, y);
    }
}

static void add_in_halls(run* r, uint32_t i) {
    agent* a = &r->agents[i];
    vn_avoid_agent_def def = vn_default_avoid_agent_def();
    vn_detail detail = {0};
    def.radius = 0.375f;
    def.space = r->space;
    const int32_t hall = (int32_t)(i % (uint32_t)(r->side * r->side)),
                  place = (int32_t)(i / (uint32_t)(r->side * r->side));
    a->hall[0] = a->next[0] = hall % r->side;
    a->hall[1] = a->next[1] = hall / r->side;
    def.position = between(a->hall, a->hall, 1 + place % 3);
    a->goal = def.position;
    def.position.x += 2.0 * (place / 3 % 4) - 3;
    def.position.z += 2.0 * (place / 12 % 4) - 3 + 0.3 * vni_rng_real(&r->rng);
    vnb_must(vn_avoid_add_agent(r->avoid, &def, &a->id, &detail), &detail);
}

// ---------- sphere

static void add_on_sphere(run* r, uint32_t i) {
    agent* a = &r->agents[i];
    vn_avoid_agent_def def = vn_default_avoid_agent_def();
    vn_detail detail = {0};
    const double pi = 3.14159265358979323846, radius = sqrt(r->scene->area * r->count / (4 * pi));
    double y = 1 - 2 * (i + 0.5) / r->count, ring = sqrt(1 - y * y), angle = 2.39996322972865332 * i;
    def.position = (vn_dvec3){radius * ring * cos(angle), radius * y, radius * ring * sin(angle)};
    def.radius = 1.5f;
    def.max_speed = 2;
    a->goal = (vn_dvec3){-def.position.x, -def.position.y, -def.position.z};
    vnb_must(vn_avoid_add_agent(r->avoid, &def, &a->id, &detail), &detail);
}

// ---------- runs

static void want(run* r, float speed) {
    for (uint32_t i = 0; i < r->count; ++i) {
        agent* a = &r->agents[i];
        vn_avoid_state state;
        vnb_must(vn_avoid_get_agent(r->avoid, a->id, &state), NULL);
        if (r->space != NULL)
            wander(r, a, state.position);
        double x = a->goal.x - state.position.x, y = a->goal.y - state.position.y,
               z = a->goal.z - state.position.z, length = sqrt(x * x + y * y + z * z);
        double scale = length > (double)speed ? (double)speed / length : 1;
        vn_vec3 wish = {(float)(x * scale), (float)(y * scale), (float)(z * scale)};
        vnb_must(vn_avoid_set_preferred(r->avoid, a->id, wish), NULL);
    }
}

static void begin(run* r) {
    vn_avoid_def def = vn_default_avoid_def();
    vn_detail detail = {0};
    const bool halls = r->scene->area == 0;
    def.max_agents = r->count;
    def.mode = r->scene->mode;
    if (halls) {
        r->side = (int32_t)ceil(sqrt((double)r->count / 11));
        r->space = bake_halls(r->side);
    } else {
        def.reach = 12; // between bodies
        def.horizon = 10;
        def.refresh = r->scene->refresh;
    }

    r->dt = halls ? 1.0f / 60 : 0.125f;
    r->agents = vnb_alloc(r->count, sizeof *r->agents);
    r->rng = vni_rng_make(1);
    vnb_must(vn_avoid_create(&def, &r->avoid, &detail), &detail);
    for (uint32_t i = 0; i < r->count; ++i)
        if (halls)
            add_in_halls(r, i);
        else
            add_on_sphere(r, i);
}

/// The mean over `steps`, after a few without the clock. Steps are few, so that the layout is still what its
/// name says: 80 of them take a hundred agents half the way to the centre of their sphere, where each has 29
/// square metres instead of 157.
static double measure_once(const scene* s, uint32_t count, uint32_t steps) {
    run r = {.scene = s, .count = count};
    double seconds = 0;
    begin(&r);
    for (uint32_t i = 0; i < WARM_UP + steps; ++i) {
        want(&r, s->area > 0 ? 2 : 1.5f);
        double start = vnb_seconds();
        vnb_must(vn_avoid_step(r.avoid, r.dt), NULL);
        seconds += i >= WARM_UP ? vnb_seconds() - start : 0;
    }

    vn_avoid_destroy(r.avoid);
    vn_space_destroy(r.space);
    free(r.agents);
    return seconds * 1e6 / ((double)steps * count);
}

/// The least of several runs: what other programs take of caches and clocks is left out.
static double measure(const scene* s, uint32_t count, uint32_t steps, uint32_t runs) {
    double least = INFINITY;
    for (uint32_t i = 0; i < runs; ++i)
        least = fmin(least, measure_once(s, count, steps));
    return least;
}

int main(void) {
    scene scenes[] = {{.name = "sphere, 157 m2 each, lists 1 step", .area = 157},
                      {.name = "sphere, 157 m2 each, lists 4 steps", .area = 157, .refresh = 0.5f},
                      {.name = "sphere, 25 m2 each, lists 1 step", .area = 25},
                      {.name = "sphere, 25 m2 each, lists 4 steps", .area = 25, .refresh = 0.5f},
                      {.name = "halls"},
                      {.name = "halls, pushing", .mode = VN_AVOID_PUSH}};
    enum { SCENES = sizeof scenes / sizeof *scenes };
    static const uint32_t steps[2][SIZES] = {{20, 40, 40}, {80, 80, 40}}, runs[SIZES] = {20, 5, 2};

    double rate = 0;
    for (int i = 0; i < 5; ++i)
        rate = fmax(rate, vnb_calibration());
    printf("calibration: %.0f M steps/s\n\n", rate);
    for (uint64_t size = 0; size < SIZES; ++size)
        for (uint32_t turn = 0; turn < SCENES; ++turn) {
            scene* s = &scenes[rotation_at(SCENES, size, turn)];
            s->us[size] = measure(s, sizes[size], steps[s->area == 0][size], runs[size]);
        }

    printf("us an agent and step (steps of the calibration loop)\n%-36s %16s %16s %16s\n", "layout", "100",
           "1,000", "10,000");
    for (int i = 0; i < SCENES; ++i) {
        printf("%-36s", scenes[i].name);
        for (int k = 0; k < SIZES; ++k)
            printf(" %8.2f (%5.0f)", scenes[i].us[k], scenes[i].us[k] * rate);
        printf("\n");
    }
    return 0;
}
