/// 13-sensor: a drone that knows nothing at first: its depth camera tells a nav what it sees, and the drone
/// flies through what has become known, as near to its goal as that goes.
///
/// The map is two sensed voxel sets of the nav's world: occupied voxels, and unknown ones: at first the whole
/// grid. The halls exist twice: as the truth, which only the camera sees, and as the map.
#include "hall.h"

#include <math.h>

enum { WIDTH = 61, HEIGHT = 41, STEPS = 48, MOST = WIDTH * HEIGHT * (STEPS + 1), FRAMES = 400 };

#define VOXEL  0.25
#define STRIDE 0.5 // metres that the drone flies between two frames

static vn_dvec3 seen[MOST];
static uint8_t states[MOST];

/// One ray of the camera: free up to what it hits, which is occupied. Half a voxel between two points.
static uint32_t cast(const vn_space* truth, vn_dvec3 eye, vn_dvec3 way, uint32_t count) {
    const double length = sqrt(way.x * way.x + way.y * way.y + way.z * way.z), step = VOXEL / 2 / length;
    const double range = STEPS * step;
    const vn_dvec3 end = {eye.x + range * way.x, eye.y + range * way.y, eye.z + range * way.z};
    vn_hit hit;
    const bool stops = vn_space_raycast_positions(truth, NULL, eye, end, &hit);
    for (int i = 0; i < STEPS * hit.fraction; ++i, ++count) {
        seen[count] =
            (vn_dvec3){eye.x + i * step * way.x, eye.y + i * step * way.y, eye.z + i * step * way.z};
        states[count] = VN_VOXEL_FREE;
    }

    // the ray ends on a face of the voxel: a bit further is inside
    if (stops) {
        const double in = hit.fraction * range + 1e-3 / length;
        seen[count] = (vn_dvec3){eye.x + in * way.x, eye.y + in * way.y, eye.z + in * way.z};
        states[count++] = VN_VOXEL_OCCUPIED; // beyond the bounds of the map it is counted, and skipped
    }
    return count;
}

/// A picture of 90 by 60 degrees; the camera turns by a quarter from frame to frame.
static uint32_t look(const vn_space* truth, vn_dvec3 eye, int frame) {
    uint32_t count = 0;
    for (int row = 0; row < HEIGHT; ++row)
        for (int column = 0; column < WIDTH; ++column) {
            const double side = 2.0 * column / (WIDTH - 1) - 1, up = 1.2 * row / (HEIGHT - 1) - 0.6;
            const double ahead = frame % 4 < 2 ? 1 : -1;
            const vn_dvec3 way = {frame % 2 ? side : ahead, up, frame % 2 ? ahead : side};
            count = cast(truth, eye, way, count);
        }
    return count;
}

/// Moves the drone along the path of a result.
static vn_dvec3 fly(const vn_nav* nav, const vn_nav_result* result, vn_dvec3 at) {
    vn_dvec3 path[64];
    uint32_t count = 0;
    double left = STRIDE;
    if (vn_nav_get_positions(nav, result, path, 64, &count) != VN_OK)
        return at;
    for (uint32_t i = 0; i < count && left > 0; ++i) {
        const vn_dvec3 d = {path[i].x - at.x, path[i].y - at.y, path[i].z - at.z};
        const double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
        const double part = length > left ? left / length : 1;
        at = (vn_dvec3){at.x + part * d.x, at.y + part * d.y, at.z + part * d.z};
        left -= length;
    }
    return at;
}

/// A path to the goal, or to the known free place nearest to it; true if the goal itself can be reached.
static bool advance(vn_nav* nav, vn_dvec3 goal, vn_dvec3* at, vn_status* status) {
    vn_nav_request request = vn_default_nav_request();
    vn_request_id id;
    vn_nav_result result;
    request.path.use_positions = true;
    request.path.start_position = *at;
    request.path.goal_position = goal;
    request.path.snap_distance = 40;
    *status = vn_nav_submit(nav, &request, &id, NULL);
    do
        *status = *status == VN_OK ? vn_nav_tick(nav, NULL) : *status;
    while (*status == VN_OK && !vn_nav_next_result(nav, &result));

    if (*status != VN_OK)
        return false;
    const bool open = result.result.status == VN_OK && result.result.goal_leg.state == VN_LEG_NONE;
    if (result.result.status == VN_OK)
        *at = fly(nav, &result, *at);
    vn_nav_release_result(nav, id);
    return open;
}

/// The world of the drone: a map of the size of the halls in which everything is unknown.
static vn_status make_map(vn_world** world, vn_sense_batch* batch) {
    const vn_world_def def = vn_default_world_def();
    const vn_voxel_box all = {{0, 0, 0}, {132, 32, 64}};
    vn_shape set = {.kind = VN_SHAPE_VOXELS};
    set.as.voxels.size = (float)VOXEL;
    set.as.voxels.dims = all.high;
    set.as.voxels.sensed = true;
    vn_status status = vn_world_create(&def, world);
    if (status == VN_OK)
        status = vn_world_add(*world, &set, &batch->occupied, NULL);
    set.as.voxels.boxes = &all;
    set.as.voxels.box_count = 1;
    if (status == VN_OK)
        status = vn_world_add(*world, &set, &batch->unknown, NULL);
    return status == VN_OK ? vn_world_set_flags(*world, batch->unknown, VN_FLAG_UNKNOWN) : status;
}

int main(void) {
    vn_world *halls = NULL, *map = NULL;
    vn_space* truth = NULL;
    vn_nav* nav = NULL;
    vn_sense_batch batch = {.positions = seen, .states = states};
    vn_nav_def def = vn_default_nav_def();
    const vn_space_def space = hall_space_def();
    vn_dvec3 at = {3, 1.6, 4.1}, goal = {30, 1.6, 8.1};
    def.space = space; // unknown space is refused

    vn_status status = hall_world(false, &halls);
    if (status == VN_OK)
        status = vn_space_bake(halls, &space, &truth, NULL);
    if (status == VN_OK)
        status = make_map(&map, &batch);
    if (status == VN_OK)
        status = vn_nav_create(map, &def, &nav, NULL);

    int frame = 0;
    bool open = false, arrived = false, safe = true;
    for (; status == VN_OK && frame < FRAMES && !arrived; ++frame) {
        batch.count = look(truth, at, frame);
        status = vn_nav_sense(nav, &batch, NULL, NULL);
        if (status == VN_OK)
            open = advance(nav, goal, &at, &status);
        safe = safe && vn_space_position_free(truth, at);
        arrived = open && fabs(at.x - goal.x) + fabs(at.y - goal.y) + fabs(at.z - goal.z) < 0.1;
        if (frame % 20 == 0 || arrived)
            printf("frame %d: at (%.1f, %.1f, %.1f), %u voxels seen, goal %s\n", frame, at.x, at.y, at.z,
                   (unsigned)batch.count, open ? "in reach" : "not known yet");
    }

    printf("%s after %d frames, %s\n", arrived ? "arrived" : "not arrived", frame,
           safe ? "never inside an obstacle" : "through an obstacle");
    vn_nav_destroy(nav); // also its world
    vn_space_destroy(truth);
    vn_world_destroy(halls);
    return status == VN_OK && arrived && safe ? 0 : 1;
}
