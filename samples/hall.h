/// samples/hall.h: the small world used by all samples.
///
/// Two halls, 16 m by 16 m and 8 m high, lie side by side along x, with a wall of 1 m between them. A door, 2
/// m wide and 3 m high, leads through the wall at z = 8; an air duct, 0.75 m by 0.75 m, high up at z = 3. In
/// the second hall are a pillar and a vault without a door. The far corner of the first hall is unknown
/// space.
#ifndef SAMPLES_HALL_H
#define SAMPLES_HALL_H

#include <stdio.h>
#include <volnav/volnav.h>

/// Flag of the door: agents with the key may pass.
#define HALL_DOOR 1u

static const vn_box hall_bounds = {{0, 0, 0}, {33, 8, 16}};

/// Adds a box with flags. Does nothing after a failure: `status` keeps the first one.
static inline void hall_add(vn_world* world, vn_status* status, uint32_t flags, vn_vec3 min, vn_vec3 max) {
    vn_shape shape = {.kind = VN_SHAPE_BOX, .as.box = {min, max}};
    vn_obstacle_id id;
    if (*status == VN_OK)
        *status = vn_world_add(world, &shape, &id, NULL);
    if (*status == VN_OK)
        *status = vn_world_set_flags(world, id, flags);
}

/// Creates the world. With `closed`, an obstacle with the flag HALL_DOOR closes the door.
static inline vn_status hall_world(bool closed, vn_world** out) {
    vn_world_def def = vn_default_world_def();
    vn_status status = vn_world_create(&def, out);
    if (status != VN_OK)
        return status;

    hall_add(*out, &status, 0, (vn_vec3){16, 0, 9}, (vn_vec3){17, 8, 16}); // the wall around the door
    hall_add(*out, &status, 0, (vn_vec3){16, 3, 7}, (vn_vec3){17, 8, 9});
    hall_add(*out, &status, 0, (vn_vec3){16, 0, 3.75f}, (vn_vec3){17, 8, 7});
    hall_add(*out, &status, 0, (vn_vec3){16, 0, 0}, (vn_vec3){17, 8, 3});
    hall_add(*out, &status, 0, (vn_vec3){16, 0, 3}, (vn_vec3){17, 6, 3.75f}); // and the wall around the duct
    hall_add(*out, &status, 0, (vn_vec3){16, 6.75f, 3}, (vn_vec3){17, 8, 3.75f});
    hall_add(*out, &status, 0, (vn_vec3){22, 0, 7}, (vn_vec3){24, 8, 9});      // the pillar
    hall_add(*out, &status, 0, (vn_vec3){27, 0, 11}, (vn_vec3){32, 5, 11.5f}); // the vault
    hall_add(*out, &status, 0, (vn_vec3){27, 0, 14.5f}, (vn_vec3){32, 5, 15});
    hall_add(*out, &status, 0, (vn_vec3){27, 0, 11}, (vn_vec3){27.5f, 5, 15});
    hall_add(*out, &status, 0, (vn_vec3){31.5f, 0, 11}, (vn_vec3){32, 5, 15});
    hall_add(*out, &status, 0, (vn_vec3){27, 4.5f, 11}, (vn_vec3){32, 5, 15});
    hall_add(*out, &status, VN_FLAG_UNKNOWN, (vn_vec3){0, 0, 13}, (vn_vec3){3, 3, 16});

    if (closed)
        hall_add(*out, &status, HALL_DOOR, (vn_vec3){16.25f, 0, 7}, (vn_vec3){16.75f, 3, 9});

    return status;
}

/// The bake parameters of all samples: voxels of 25 cm, unknown space refused.
static inline vn_space_def hall_space_def(void) {
    vn_space_def def = vn_default_space_def();
    def.resolution = 0.25f;
    def.has_bounds = true;
    def.bounds = hall_bounds;
    def.unknown = VN_UNKNOWN_REFUSED;
    return def;
}

/// From the middle of the first hall to the far end of the second.
static inline vn_path_request hall_route(void) {
    vn_path_request request = vn_default_path_request();
    request.use_positions = true; // world metres; without it, exact points of the lattice
    request.start_position = (vn_dvec3){8, 2, 4};
    request.goal_position = (vn_dvec3){30, 2, 8};
    request.radius = 0; // for layers of several radii it must be given
    return request;
}

#endif
