/// sim/drifting.c: the motions of Massonnat 2023, 5.4, drawn from a seed in any bounds: debris that drifts,
/// and enemies that fly to a place, search around it and move on. Patrols along the paths of a space are
/// movers of the caller's, who knows the paths.
#include "sim/moving_inside.h"
#include "sim/refuse.h"
#include "sim/vec.h"

/// A point of the bounds that keeps `margin` from them on each axis.
static vn_vec3 draw_point(uint64_t* random, const vn_box* b, vn_vec3 margin) {
    vn_vec3 p; // drawn one by one: the values of an initialiser have no order of their own
    p.x = (float)vni_random_real(random, (double)b->min.x + (double)margin.x,
                                 (double)b->max.x - (double)margin.x);
    p.y = (float)vni_random_real(random, (double)b->min.y + (double)margin.y,
                                 (double)b->max.y - (double)margin.y);
    p.z = (float)vni_random_real(random, (double)b->min.z + (double)margin.z,
                                 (double)b->max.z - (double)margin.z);
    return p;
}

/// A velocity of this length in any direction: of a point of the ball, pushed to its skin.
static vn_vec3 draw_velocity(uint64_t* random, double speed) {
    for (;;) {
        vn_dvec3 d;
        d.x = vni_random_real(random, -1, 1);
        d.y = vni_random_real(random, -1, 1);
        d.z = vni_random_real(random, -1, 1);
        const double length = vni_length(d);
        if (length > 0.1 && length <= 1) {
            return vni_rounded(vni_scaled(d, speed / length));
        }
    }
}

static vn_status check(const vn_moving_scene* scene, const vn_moving_scene_def* def, double room,
                       vn_detail* detail) {
    const vn_box* b = &scene->info.bounds;
    const double x = (double)b->max.x - (double)b->min.x, y = (double)b->max.y - (double)b->min.y,
                 z = (double)b->max.z - (double)b->min.z;
    if (!(def->size > 0 && (double)def->size <= 1e6) || !(def->speed >= 1e-3 && def->speed <= 1e5)) {
        return vni_refuse(detail, VN_BAD_ARGUMENT, VN_NO_INDEX,
                          "the size is above 0 and at most 1e6 metres, the speed 0.001 to 1e5");
    }

    return x >= room && y >= room && z >= room
               ? VN_OK
               : vni_refuse(detail, VN_BAD_ARGUMENT, VN_NO_INDEX,
                            "movers of this size do not fit into the bounds: make size smaller");
}

vn_status vni_fill_debris(vn_moving_scene* scene, const vn_moving_scene_def* def, vn_detail* detail) {
    uint64_t random = vni_random_of(def->seed, UINT64_MAX);
    vn_status status = check(scene, def, 1.25 * (double)def->size, detail);
    for (uint32_t i = 0; i < def->count && status == VN_OK; ++i) {
        vn_mover_def mover = vn_default_mover_def();
        vn_vec3 h;
        h.x = (float)(vni_random_real(&random, 0.25, 0.5) * (double)def->size);
        h.y = (float)(vni_random_real(&random, 0.25, 0.5) * (double)def->size);
        h.z = (float)(vni_random_real(&random, 0.25, 0.5) * (double)def->size);
        mover.shape.as.box = (vn_box){{-h.x, -h.y, -h.z}, h};

        // A little farther from the bounds than needed, so that rounding does not put it outside.
        const float m = 0.55f * def->size;
        mover.motion.kind = VN_MOTION_DRIFT;
        mover.motion.position = draw_point(&random, &scene->info.bounds, (vn_vec3){m, m, m});
        mover.motion.velocity = draw_velocity(&random, vni_random_real(&random, 0.5, 1) * def->speed);
        mover.motion.edge = def->edge;
        status = vni_moving_add(scene, &mover, detail);
    }

    return status;
}

/// Twelve places each, one turn around each of them; the circle is as wide as the enemy.
vn_status vni_fill_hunters(vn_moving_scene* scene, const vn_moving_scene_def* def, vn_detail* detail) {
    enum { PLACES = 12 };
    uint64_t random = vni_random_of(def->seed, UINT64_MAX - 1);
    vn_status status = check(scene, def, 3.5 * (double)def->size, detail);
    for (uint32_t i = 0; i < def->count && status == VN_OK; ++i) {
        vn_mover_def mover = vn_default_mover_def();
        vn_vec3 places[PLACES];
        const float r = (float)(vni_random_real(&random, 0.25, 0.5) * (double)def->size);
        const float across = 1.6f * def->size, up = 0.55f * def->size;
        for (int k = 0; k < PLACES; ++k) {
            places[k] = draw_point(&random, &scene->info.bounds, (vn_vec3){across, up, across});
        }

        mover.shape = (vn_shape){.kind = VN_SHAPE_SPHERE, .as.sphere = {{0, 0, 0}, r}};
        mover.motion.kind = VN_MOTION_ORBIT;
        mover.motion.points = places;
        mover.motion.point_count = PLACES;
        mover.motion.radius = (double)def->size;
        mover.motion.turns = 1;
        mover.motion.speed = vni_random_real(&random, 0.5, 1) * def->speed;

        // Only so many zones fit into a world.
        mover.influence = i < VN_MAX_ZONES ? 2 * def->size : 0;
        status = vni_moving_add(scene, &mover, detail);
    }

    return status;
}
