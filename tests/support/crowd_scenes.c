/// tests/support/crowd_scenes.c: the scenes of the tests of avoidance.
#include "cmocka_all.h"
#include "crowd.h"
#include "shapes.h"

#include <math.h>

#define RADIUS 0.375

/// Walls of boxes, baked.
typedef struct builder {
    vn_world* world;
} builder;

static builder build(void) {
    builder b;
    vn_world_def def = vn_default_world_def();
    assert_int_equal(vn_world_create(&def, &b.world), VN_OK);
    return b;
}

static void wall(builder* b, double x0, double y0, double z0, double x1, double y1, double z1) {
    vn_shape shape =
        vnt_box_shape((vn_vec3){(float)x0, (float)y0, (float)z0}, (vn_vec3){(float)x1, (float)y1, (float)z1});
    assert_int_equal(vn_world_add(b->world, &shape, NULL, NULL), VN_OK);
}

/// Six slabs around a box of free space.
static void shell(builder* b, double x, double y, double z) {
    wall(b, -1, -1, -1, 0, y + 1, z + 1);
    wall(b, x, -1, -1, x + 1, y + 1, z + 1);
    wall(b, 0, -1, -1, x, 0, z + 1);
    wall(b, 0, y, -1, x, y + 1, z + 1);
    wall(b, 0, 0, -1, x, y, 0);
    wall(b, 0, 0, z, x, y, z + 1);
}

static vn_space* bake(builder* b, float resolution) {
    vn_space_def def = vn_default_space_def();
    vn_space* space;
    vn_detail detail = {0};
    def.resolution = resolution;
    def.radius = (float)RADIUS;
    if (vn_space_bake(b->world, &def, &space, &detail) != VN_OK)
        fail_msg("%s", detail.text);
    vn_world_destroy(b->world);
    return space;
}

static vn_avoid_agent_def kind(vni_rng* rng, bool mixed) {
    vn_avoid_agent_def def = vn_default_avoid_agent_def();
    def.radius = (float)RADIUS;
    if (!mixed)
        return def;
    def.radius = (float)(0.2 + 0.175 * vni_rng_real(rng));
    def.max_speed = (float)(1 + vni_rng_real(rng));
    def.priority = (float)vni_rng_below(rng, 3);
    return def;
}

vnt_crowd vnt_ring(uint32_t count, double radius) {
    vnt_crowd crowd = vnt_crowd_make(NULL, count);
    vn_avoid_agent_def def = vn_default_avoid_agent_def();
    def.radius = (float)RADIUS;
    crowd.stays = true;
    for (uint32_t i = 0; i < count; ++i) {
        double angle = 2 * 3.14159265358979323846 * i / count;
        double x = radius * cos(angle), z = radius * sin(angle);
        vnt_crowd_add(&crowd, (vn_dvec3){x, 0, z}, (vn_dvec3){-x, 0, -z}, &def);
    }
    return crowd;
}

vnt_crowd vnt_sphere(uint32_t count, double area) {
    vnt_crowd crowd = vnt_crowd_make(NULL, count);
    vn_avoid_agent_def def = vn_default_avoid_agent_def();
    def.radius = (float)RADIUS;
    crowd.stays = true;
    double radius = sqrt(area * count / (4 * 3.14159265358979323846));
    for (uint32_t i = 0; i < count; ++i) {
        // a spiral from pole to pole, by the golden angle
        double y = 1 - 2 * (i + 0.5) / count, ring = sqrt(1 - y * y), angle = 2.39996322972865332 * i;
        vn_dvec3 p = {radius * ring * cos(angle), radius * y, radius * ring * sin(angle)};
        vnt_crowd_add(&crowd, p, (vn_dvec3){-p.x, -p.y, -p.z}, &def);
    }
    return crowd;
}

vnt_crowd vnt_corridor(uint32_t count, double height, bool mixed, uint64_t seed) {
    const double length = 60;
    const uint32_t high = height >= 4 ? 4 : 1;
    builder b = build();
    shell(&b, length, height, 4);
    vnt_crowd crowd = vnt_crowd_make(bake(&b, 0.125f), 2 * count);
    vni_rng rng = vni_rng_make(seed);
    for (uint32_t i = 0; i < 2 * count; ++i) {
        const uint32_t k = i / 2, row = k / (4 * high);
        vn_avoid_agent_def def = kind(&rng, mixed);
        double x = 0.5 + row, y = high == 1 ? height / 2 : 0.5 + k / 4 % 4, z = 0.5 + k % 4;
        // a little out of order, by the seed
        z += seed > 0 ? 0.1 * (vni_rng_real(&rng) - 0.5) : 0;
        const bool back = i % 2;
        vn_dvec3 start = {back ? length - x : x, y, z}, goal = {back ? 1.5 : length - 1.5, y, z};
        vnt_walker* w = vnt_crowd_add(&crowd, start, goal, &def);
        w->heading = (vn_vec3){back ? -1.0f : 1.0f, 0, 0};
    }
    return crowd;
}

/// A free place that keeps its distance from all others; false after 1,000 tries.
static bool place(const vnt_crowd* crowd, vni_rng* rng, vn_dvec3 low, vn_dvec3 high, double apart,
                  vn_dvec3* out) {
    for (int tries = 0; tries < 1000; ++tries) {
        double x = low.x + (high.x - low.x) * vni_rng_real(rng);
        double y = low.y + (high.y - low.y) * vni_rng_real(rng);
        double z = low.z + (high.z - low.z) * vni_rng_real(rng);
        bool fits = crowd->space == NULL || vn_space_position_free(crowd->space, (vn_dvec3){x, y, z});
        for (uint32_t i = 0; fits && i < crowd->count; ++i) {
            vn_dvec3 p = crowd->walkers[i].position;
            fits = (p.x - x) * (p.x - x) + (p.y - y) * (p.y - y) + (p.z - z) * (p.z - z) >= apart * apart;
        }
        *out = (vn_dvec3){x, y, z};
        if (fits)
            return true;
    }
    return false;
}

vnt_crowd vnt_door(uint32_t count, bool mixed, uint64_t seed) {
    builder b = build();
    shell(&b, 40.5, 4, 20);
    // the wall between the rooms, with an opening of 1.25 m by 1.25 m: one voxel for centres
    wall(&b, 20, 0, 0, 20.5, 4, 9.25);
    wall(&b, 20, 0, 10.5, 20.5, 4, 20);
    wall(&b, 20, 0, 9.25, 20.5, 1.5, 10.5);
    wall(&b, 20, 2.75, 9.25, 20.5, 4, 10.5);
    vnt_crowd crowd = vnt_crowd_make(bake(&b, 0.25f), 2 * count);
    vni_rng rng = vni_rng_make(seed);
    const vnt_field* right = vnt_crowd_field(&crowd, (vn_dvec3){38.5, 2, 10});
    const vnt_field* left = vnt_crowd_field(&crowd, (vn_dvec3){2, 2, 10});
    crowd.arrive = 1.5;
    for (uint32_t i = 0; i < 2 * count; ++i) {
        const bool back = i % 2;
        vn_avoid_agent_def def = kind(&rng, mixed);
        vn_dvec3 low = {back ? 23 : 0.5, 0.5, 0.5}, high = {back ? 40 : 17.5, 3.5, 19.5}, start;
        assert_true(place(&crowd, &rng, low, high, 0.9, &start));
        vnt_walker* w = vnt_crowd_add(&crowd, start, back ? left->goal : right->goal, &def);
        w->field = back ? left : right;
    }
    return crowd;
}

/// A wall of a station across x (or z), with doors 2.4 m wide in the middle of each hall's side.
static void wall_with_doors(builder* b, bool across_x, double at, double y) {
    for (int i = 0; i < 3; ++i) {
        double from = 12.0 * i, door = from + 6;
        double parts[3][4] = {{from, door - 1.25, y, y + 4},
                              {door + 1.25, from + 12, y, y + 4},
                              {door - 1.25, door + 1.25, y + 3, y + 4}};
        for (int k = 0; k < 3; ++k) {
            const double* p = parts[k];
            if (across_x)
                wall(b, at - 0.25, p[2], p[0], at + 0.25, p[3], p[1]);
            else
                wall(b, p[0], p[2], at - 0.25, p[1], p[3], at + 0.25);
        }
    }
}

/// The ceiling of the lower floor with a shaft of 3 m by 3 m in the corner of each second hall.
static void ceiling(builder* b) {
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            double x = 12.0 * i, z = 12.0 * k;
            if ((i + k) % 2 == 1) {
                wall(b, x, 4, z, x + 12, 4.5, z + 12);
                continue;
            }
            wall(b, x, 4, z, x + 1, 4.5, z + 12);
            wall(b, x + 4, 4, z, x + 12, 4.5, z + 12);
            wall(b, x + 1, 4, z, x + 4, 4.5, z + 1);
            wall(b, x + 1, 4, z + 4, x + 4, 4.5, z + 12);
        }
}

vnt_crowd vnt_station(uint32_t count, bool mixed, uint64_t seed) {
    builder b = build();
    shell(&b, 36, 8.5, 36);
    for (int i = 1; i < 3; ++i)
        for (int floor = 0; floor < 2; ++floor) {
            wall_with_doors(&b, true, 12.0 * i, 4.5 * floor);
            wall_with_doors(&b, false, 12.0 * i, 4.5 * floor);
        }
    ceiling(&b);
    vnt_crowd crowd = vnt_crowd_make(bake(&b, 0.25f), count);
    vni_rng rng = vni_rng_make(seed);
    const vnt_field* exits[6];
    const double places[6][3] = {{1, 1, 1}, {35, 1, 35}, {1, 7, 35}, {35, 7, 1}, {18, 1, 35}, {18, 7, 1}};
    for (int i = 0; i < 6; ++i)
        exits[i] = vnt_crowd_field(&crowd, (vn_dvec3){places[i][0], places[i][1], places[i][2]});
    crowd.arrive = 1.5;
    for (uint32_t i = 0; i < count; ++i) {
        const vnt_field* exit = exits[vni_rng_below(&rng, 6)];
        vn_avoid_agent_def def = kind(&rng, mixed);
        vn_dvec3 start;
        assert_true(place(&crowd, &rng, (vn_dvec3){0.5, 0.5, 0.5}, (vn_dvec3){35.5, 8, 35.5}, 0.9, &start));
        vnt_walker* w = vnt_crowd_add(&crowd, start, exit->goal, &def);
        w->field = exit;
    }
    return crowd;
}
