/// tests/unit/nav/zones.h: the scene with moving zones of every kind.
#ifndef VNT_NAV_ZONES_H
#define VNT_NAV_ZONES_H

#include "scene.h"

#include "space/zone_buffer.h"

enum { MOVERS = 6 };

/// The scene and its zones, which move like the obstacles.
typedef struct zone_scene {
    scene s;
    vn_zone_id zones[MOVERS];
} zone_scene;

static inline vn_zone_def zone_def(uint32_t number, float factor) {
    vn_zone_def def = vn_default_zone_def();
    def.factor = factor;
    if (number % 3 == 0)
        def.shape = vnt_box_shape(vnt_vec(-6, -6, -6), vnt_vec(6, 6, 6));
    else if (number % 3 == 1)
        def.shape = vnt_sphere_shape(vnt_vec(0, 0, 0), 8);
    else {
        static vn_vec3 corners[6];
        vnt_octahedron(vnt_vec(0, 0, 0), vnt_vec(12, 8, 8), corners);
        def.shape = vnt_hull_of(corners, 6, vnt_octahedron_faces, 8);
    }

    return def;
}

static inline vn_transform zone_transform(vni_rng* rng) {
    vn_transform transform = scene_transform(rng);
    if (vni_rng_below(rng, 2))
        transform.rotation = (vn_quat){0, 0.6f, 0, 0.8f};
    return transform;
}

static inline void start(zone_scene* z, uint64_t seed, const vn_nav_def* def) {
    vn_world* world = scene_world(&z->s, seed, NULL);
    assert_non_null(world);
    for (uint32_t i = 0; i < MOVERS; ++i) {
        vn_zone_def zone = zone_def(i, i == 0 ? 0.5f : (float)(1 + i));
        zone.transform = zone_transform(&z->s.rng);
        zone.flags = i == 5 ? 4 : 0;
        assert_int_equal(vn_world_add_zone(world, &zone, &z->zones[i], NULL), VN_OK);
    }

    assert_int_equal(vn_nav_create(world, def, &z->s.nav, NULL), VN_OK);
}

static inline void move_zones(zone_scene* z, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        vn_transform transform = zone_transform(&z->s.rng);
        vn_zone_id id = z->zones[vni_rng_below(&z->s.rng, MOVERS)];
        assert_int_equal(vn_nav_move_zone(z->s.nav, id, &transform, NULL), VN_OK);
    }
}

static inline void tick(const scene* s) {
    assert_int_equal(vn_nav_tick(s->nav, NULL), VN_OK);
}

static inline vn_nav_stats stats_of(const scene* s) {
    vn_nav_stats stats;
    vn_nav_get_stats(s->nav, &stats);
    return stats;
}

/// Cost of a polyline with the zones of a version and those of the request, metres. The grid of the scene has
/// voxels of 1 metre and begins at the origin.
static inline double cost_in(const vn_nav* nav, uint64_t version, const vn_path_request* request,
                             const vn_point* points, uint32_t count) {
    static vni_zone_buffer buffer;
    const vni_frame grid = {{0, 0, 0}, 1};
    const vn_zone* zones;
    uint32_t zone_count;
    assert_int_equal(vn_nav_get_zones(nav, version, &zones, &zone_count), VN_OK);
    vni_zone_buffer_clear(&buffer);
    vni_zone_buffer_add(&buffer, zones, zone_count, request->zone_flags, &grid);
    vni_zone_buffer_add(&buffer, request->zones, request->zone_count, request->zone_flags, &grid);
    const vni_cost cost = vni_cost_zones(VNI_METRIC_EUCLIDEAN, 26, &buffer.set);

    double sum = 0;
    for (uint32_t i = 0; i + 1 < count; ++i)
        sum += cost.segment(cost.self, points[i], points[i + 1]);

    return sum;
}

#endif
