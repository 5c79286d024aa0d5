/// volnav/experiment/crowd_stage.c: the scenes of the experiment "crowd": ring, sphere, corridor, door,
/// station.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "experiment/crowd.h"

#define RADIUS 0.375f

const char* const crowd_names[CROWD_STAGES] = {"ring", "sphere", "corridor", "door", "station"};

double crowd_random(uint64_t* random) {
    *random += 0x9e3779b97f4a7c15u;
    uint64_t z = *random;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

// ----------------------------------------------------------------------------------------------------- walls

static vn_status add_wall(crowd_stage* s, vn_dvec3 low, vn_dvec3 high) {
    const vn_shape shape = {.kind = VN_SHAPE_BOX,
                            .as.box = {{(float)low.x, (float)low.y, (float)low.z},
                                       {(float)high.x, (float)high.y, (float)high.z}}};
    assert(s->wall_count < sizeof s->walls / sizeof *s->walls);
    s->walls[s->wall_count++] = shape.as.box;
    return vn_world_add(s->world, &shape, NULL, NULL);
}

static vn_status wall(crowd_stage* s, double x0, double y0, double z0, double x1, double y1, double z1) {
    return add_wall(s, (vn_dvec3){x0, y0, z0}, (vn_dvec3){x1, y1, z1});
}

/// Six slabs around a box of free space.
static vn_status begin_walls(crowd_stage* s, double x, double y, double z) {
    const vn_world_def def = vn_default_world_def();
    vn_status status = vn_world_create(&def, &s->world);
    s->bounds = (vn_box){{0, 0, 0}, {(float)x, (float)y, (float)z}};
    status = status == VN_OK ? wall(s, -1, -1, -1, 0, y + 1, z + 1) : status;
    status = status == VN_OK ? wall(s, x, -1, -1, x + 1, y + 1, z + 1) : status;
    status = status == VN_OK ? wall(s, 0, -1, -1, x, 0, z + 1) : status;
    status = status == VN_OK ? wall(s, 0, y, -1, x, y + 1, z + 1) : status;
    status = status == VN_OK ? wall(s, 0, 0, -1, x, y, 0) : status;
    return status == VN_OK ? wall(s, 0, 0, z, x, y, z + 1) : status;
}

static vn_status bake(crowd_stage* s, float resolution, vn_detail* detail) {
    vn_space_def def = vn_default_space_def();
    def.resolution = resolution;
    def.radius = RADIUS;
    const vn_status status = vn_space_bake(s->world, &def, &s->own, detail);
    s->space = s->own;
    return status;
}

// ---------------------------------------------------------------------------------------------------- agents

static vn_avoid_agent_def kind_of(crowd_stage* s, bool mixed) {
    vn_avoid_agent_def def = vn_default_avoid_agent_def();
    def.radius = RADIUS;
    if (mixed) {
        def.radius = (float)(0.2 + 0.175 * crowd_random(&s->random));
        def.max_speed = (float)(1 + crowd_random(&s->random));
        def.priority = (float)floor(3 * crowd_random(&s->random));
    }
    return def;
}

/// A walker that flies straight to its goal.
static vn_status add(crowd_stage* s, const vn_avoid_agent_def* kind, vn_dvec3 at, vn_dvec3 goal,
                     vn_detail* detail) {
    vn_avoid_agent_def def = *kind;
    crowd_walker* w = &s->walkers[s->count++];
    *w = (crowd_walker){.position = at, .goal = goal, .radius = def.radius, .speed = def.max_speed};
    def.position = at;
    def.space = s->space;
    return vn_avoid_add_agent(s->avoid, &def, &w->id, detail);
}

static bool is_apart(const crowd_stage* s, vn_dvec3 p) {
    for (uint32_t i = 0; i < s->count; ++i) {
        const vn_dvec3 q = s->walkers[i].position;
        const double x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
        if (x * x + y * y + z * z < 0.81) {
            return false;
        }
    }
    return true;
}

/// A free place away from the others. After many tries the last, which the crowd then refuses.
static vn_dvec3 draw_place(crowd_stage* s, vn_dvec3 low, vn_dvec3 high) {
    vn_dvec3 p = low;
    for (int tries = 0; tries < 10000; ++tries) {
        p.x = low.x + (high.x - low.x) * crowd_random(&s->random);
        p.y = low.y + (high.y - low.y) * crowd_random(&s->random);
        p.z = low.z + (high.z - low.z) * crowd_random(&s->random);
        if (vn_space_position_free(s->space, p) && is_apart(s, p)) {
            break;
        }
    }
    return p;
}

// ---------------------------------------------------------------------------------------------------- scenes

/// Halving an angle needs roots only, so that the places are the same on every machine: `count` is the next
/// power of two.
static vn_status make_ring(crowd_stage* s, vn_detail* detail) {
    double c = 1, si = 0, step_c = -1, step_s = 0;
    for (uint32_t n = 2; n < s->capacity; n *= 2) {
        step_s = sqrt((1 - step_c) / 2);
        step_c = sqrt((1 + step_c) / 2);
    }

    vn_status status = VN_OK;
    const double radius = s->capacity / 4.0;
    const vn_avoid_agent_def def = kind_of(s, false);
    for (uint32_t i = 0; status == VN_OK && i < s->capacity; ++i) {
        status = add(s, &def, (vn_dvec3){radius * c, 0, radius * si},
                     (vn_dvec3){-radius * c, 0, -radius * si}, detail);
        const double next = c * step_c - si * step_s;
        si = c * step_s + si * step_c;
        c = next;
    }
    s->stays = true;
    s->bounds = (vn_box){{-(float)radius, -1, -(float)radius}, {(float)radius, 1, (float)radius}};
    return status;
}

/// Spread over a sphere by the golden angle, whose cosine and sine are written down; 10 square metres each.
static vn_status make_sphere(crowd_stage* s, vn_detail* detail) {
    const double pi = 3.14159265358979323846, turn_c = -0.73736887807831985, turn_s = 0.67549029426152362;
    const double radius = sqrt(10.0 * s->capacity / (4 * pi));
    const vn_avoid_agent_def def = kind_of(s, false);
    double c = 1, si = 0;
    vn_status status = VN_OK;
    for (uint32_t i = 0; status == VN_OK && i < s->capacity; ++i) {
        const double y = 1 - 2 * (i + 0.5) / s->capacity, ring = sqrt(1 - y * y);
        const vn_dvec3 p = {radius * ring * c, radius * y, radius * ring * si};
        status = add(s, &def, p, (vn_dvec3){-p.x, -p.y, -p.z}, detail);
        const double next = c * turn_c - si * turn_s, length = sqrt(c * c + si * si);
        si = (c * turn_s + si * turn_c) / length;
        c = next / length;
    }
    const float edge = (float)radius;
    s->stays = true;
    s->bounds = (vn_box){{-edge, -edge, -edge}, {edge, edge, edge}};
    return status;
}

/// 60 x 4 x 4 m, half of the agents at each end.
static vn_status make_corridor(crowd_stage* s, vn_detail* detail) {
    vn_status status = begin_walls(s, 60, 4, 4);
    status = status == VN_OK ? bake(s, 0.125f, detail) : status;
    for (uint32_t i = 0; status == VN_OK && i < s->capacity; ++i) {
        const uint32_t k = i / 2;
        const bool back = i % 2 == 1;
        const vn_avoid_agent_def def = kind_of(s, true);
        const double x = 0.5 + k / 16, y = 0.5 + k / 4 % 4;
        const double z = 0.5 + k % 4 + 0.1 * (crowd_random(&s->random) - 0.5);
        status =
            add(s, &def, (vn_dvec3){back ? 60 - x : x, y, z}, (vn_dvec3){back ? 1.5 : 58.5, y, z}, detail);
        s->walkers[i].goes_along = true;
    }
    return status;
}

/// Two rooms, and between them an opening for one agent, which is a strait.
static vn_status make_door(crowd_stage* s, vn_detail* detail) {
    vn_avoid_strait strait;
    uint32_t straits = 0;
    vn_status status = begin_walls(s, 40.5, 4, 20);
    status = status == VN_OK ? wall(s, 20, 0, 0, 20.5, 4, 9.25) : status;
    status = status == VN_OK ? wall(s, 20, 0, 10.5, 20.5, 4, 20) : status;
    status = status == VN_OK ? wall(s, 20, 0, 9.25, 20.5, 1.5, 10.5) : status;
    status = status == VN_OK ? wall(s, 20, 2.75, 9.25, 20.5, 4, 10.5) : status;
    status = status == VN_OK ? bake(s, 0.25f, detail) : status;
    status = status == VN_OK ? vn_avoid_find_straits(s->space, RADIUS, &strait, 1, &straits) : status;
    status = status == VN_OK && straits == 1 ? vn_avoid_add_strait(s->avoid, &strait, NULL) : status;
    s->arrive = 1.5;
    for (uint32_t i = 0; status == VN_OK && i < s->capacity; ++i) {
        const bool back = i % 2 == 1;
        const vn_avoid_agent_def def = kind_of(s, false);
        const vn_dvec3 at =
            draw_place(s, (vn_dvec3){back ? 23 : 0.5, 0.5, 0.5}, (vn_dvec3){back ? 40 : 17.5, 3.5, 19.5});
        status = add(s, &def, at, (vn_dvec3){back ? 2 : 38.5, 2, 10}, detail);
        s->walkers[i].has_via = true;
        s->walkers[i].via = (vn_dvec3){20.25, 2.125, 9.875};
    }
    return status;
}

// --------------------------------------------------------------------------------------------------- station

/// A wall across x or z, with a door 2.5 m wide in each of its three parts.
static vn_status wall_with_doors(crowd_stage* s, bool across_x, double at, double y) {
    vn_status status = VN_OK;
    for (int i = 0; status == VN_OK && i < 3; ++i) {
        const double from = 12.0 * i, door = from + 6;
        const double parts[3][4] = {{from, door - 1.25, y, y + 4},
                                    {door + 1.25, from + 12, y, y + 4},
                                    {door - 1.25, door + 1.25, y + 3, y + 4}};
        for (int k = 0; status == VN_OK && k < 3; ++k) {
            const double* p = parts[k];
            status = across_x ? wall(s, at - 0.25, p[2], p[0], at + 0.25, p[3], p[1])
                              : wall(s, p[0], p[2], at - 0.25, p[1], p[3], at + 0.25);
        }
    }
    return status;
}

/// Between the floors, with nine shafts of 3 x 3 m.
static vn_status add_ceiling(crowd_stage* s) {
    static const double edges[] = {0, 1, 4, 16, 19, 32, 35, 36};
    vn_status status = VN_OK;
    for (int i = 0; status == VN_OK && i < 7; ++i) {
        const bool has_shafts = i % 2 == 1;
        if (!has_shafts) {
            status = wall(s, edges[i], 4, 0, edges[i + 1], 4.5, 36);
        }
        for (int k = 0; status == VN_OK && has_shafts && k < 7; k += 2) {
            status = wall(s, edges[i], 4, edges[k], edges[i + 1], 4.5, edges[k + 1]);
        }
    }
    return status;
}

static vn_status build_station(crowd_stage* s) {
    vn_status status = begin_walls(s, 36, 8.5, 36);
    for (int i = 0; status == VN_OK && i < 4; ++i) {
        status = wall_with_doors(s, i % 2 == 0, 12 + 12.0 * (i / 2), 0);
        status = status == VN_OK ? wall_with_doors(s, i % 2 == 0, 12 + 12.0 * (i / 2), 4.5) : status;
    }
    return status == VN_OK ? add_ceiling(s) : status;
}

static vn_status make_nav(crowd_stage* s, vn_avoid_mode mode, vn_detail* detail) {
    vn_nav_def def = vn_default_nav_def();
    vn_crowd_def crowd = vn_default_crowd_def();
    def.mode = VN_NAV_LOCKSTEP;
    def.workers = 0;
    def.max_requests = 4 * s->capacity;
    def.max_watches = 2 * s->capacity;
    def.space.resolution = 0.25f;
    def.layers[0].radius = RADIUS;
    vn_status status = vn_nav_create(s->world, &def, &s->nav, detail);
    if (status != VN_OK) {
        return status;
    }

    s->world = NULL; // the nav's now
    s->space = vn_nav_pin(s->nav, (double)RADIUS, 0, &s->version);
    crowd.max_agents = s->capacity;
    crowd.avoid.mode = mode;
    return vn_crowd_create(s->nav, &crowd, &s->crowd, detail);
}

/// Nine halls on two floors; agents look for their ways from random places to one of six exits.
static vn_status make_station(crowd_stage* s, vn_avoid_mode mode, vn_detail* detail) {
    static const vn_dvec3 exits[6] = {{1, 1, 1},  {35, 1, 35}, {1, 7, 35},
                                      {35, 7, 1}, {18, 1, 35}, {18, 7, 1}};
    vn_status status = build_station(s);
    status = status == VN_OK ? make_nav(s, mode, detail) : status;
    s->arrive = 1.5;
    for (uint32_t i = 0; status == VN_OK && i < s->capacity; ++i) {
        const vn_avoid_agent_def kind = kind_of(s, true);
        vn_agent_def def = vn_default_agent_def();
        crowd_walker* w = &s->walkers[i];
        def.position = draw_place(s, (vn_dvec3){0.5, 0.5, 0.5}, (vn_dvec3){35.5, 8, 35.5});
        def.radius = RADIUS;
        def.max_speed = kind.max_speed;
        def.max_acceleration = kind.max_acceleration;
        def.priority = kind.priority;
        def.arrival = s->arrive;
        *w = (crowd_walker){.position = def.position, .radius = def.radius, .speed = def.max_speed};
        w->goal = exits[(int)(6 * crowd_random(&s->random))];
        ++s->count;
        status = vn_crowd_add_agent(s->crowd, &def, &w->id, detail);
        status = status == VN_OK ? vn_crowd_go_to(s->crowd, w->id, w->goal, 1) : status;
    }
    return status;
}

// --------------------------------------------------------------------------------------------------- opening

static vn_status make(crowd_stage* s, vn_avoid_mode mode, vn_detail* detail) {
    vn_avoid_def def = vn_default_avoid_def();
    if (s->which == CROWD_STATION) {
        return make_station(s, mode, detail);
    }

    def.max_agents = s->capacity;
    def.mode = mode;
    const vn_status status = vn_avoid_create(&def, &s->avoid, detail);
    if (status != VN_OK) {
        return status;
    }

    switch (s->which) {
    case CROWD_RING: return make_ring(s, detail);
    case CROWD_SPHERE: return make_sphere(s, detail);
    case CROWD_CORRIDOR: return make_corridor(s, detail);
    default: return make_door(s, detail);
    }
}

int crowd_stage_open(int which, uint32_t agents, vn_avoid_mode mode, uint64_t seed, crowd_stage* out) {
    static const double limits[CROWD_STAGES] = {60, 120, 200, 0, 150};
    vn_detail detail = {0};
    *out = (crowd_stage){.which = which, .capacity = agents, .arrive = 0.5, .dt = 1.0 / 60, .random = seed};
    out->limit = which == CROWD_DOOR ? 60 + 2.5 * agents : limits[which];
    out->walkers = say_alloc(agents, sizeof *out->walkers);
    const vn_status status = make(out, mode, &detail);
    return status == VN_OK ? EXIT_DONE : say_status(crowd_names[which], status, &detail);
}

void crowd_stage_close(crowd_stage* stage) {
    vn_crowd_destroy(stage->crowd);
    if (stage->nav != NULL) {
        (void)vn_nav_unpin(stage->nav, stage->version);
        vn_nav_destroy(stage->nav);
    }
    vn_avoid_destroy(stage->avoid);
    vn_space_destroy(stage->own);
    if (stage->world != NULL) {
        vn_world_destroy(stage->world);
    }
    free(stage->walkers);
}
