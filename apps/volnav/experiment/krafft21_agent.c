/// volnav/experiment/krafft21_agent.c: flight along a path at constant speed.
#include "experiment/krafft21_agent.h"

#include <math.h>

static int check(vn_status status) {
    return status == VN_OK ? EXIT_DONE : say_status("krafft", status, NULL);
}

int krafft21_ends_open(const moving_place* place, double rate, krafft21_ends* out) {
    vn_moving_scene_info info;
    vn_moving_scene_get_info(place->scene, &info);
    out->speed = info.agent_speed / rate / (double)info.resolution;
    const int code = check(vn_space_point_from_local(place->space, info.start, &out->home));
    out->home = vn_voxel_center(vn_space_voxel_at(place->space, out->home));
    return code;
}

int krafft21_ends_step(const moving_place* place, double seconds, krafft21_ends* ends) {
    vn_vec3 goal;
    vn_status status = vn_moving_scene_get_goal(place->scene, seconds, &goal, NULL);
    status = status == VN_OK ? vn_space_point_from_local(place->space, goal, &ends->to) : status;
    ends->to = vn_voxel_center(vn_space_voxel_at(place->space, ends->to));
    return check(status);
}

vn_dvec3 krafft21_walk(const vn_point* points, uint32_t count, double distance, vn_dvec3* direction) {
    vn_dvec3 at = {points[0].x / 1024.0, points[0].y / 1024.0, points[0].z / 1024.0};
    double left = distance;
    for (uint32_t i = 0; i + 1 < count; ++i) {
        const vn_point p = points[i], q = points[i + 1];
        const double x = (q.x - p.x) / 1024.0, y = (q.y - p.y) / 1024.0, z = (q.z - p.z) / 1024.0;
        const double length = sqrt(x * x + y * y + z * z), part = length > left ? left / length : 1;
        at = (vn_dvec3){p.x / 1024.0 + x * part, p.y / 1024.0 + y * part, p.z / 1024.0 + z * part};
        if (length > 0) {
            *direction = (vn_dvec3){x / length, y / length, z / length};
        }
        left -= length;
        if (left <= 0) {
            break;
        }
    }
    return at;
}

bool krafft21_put(const vn_space* space, const vn_point* points, uint32_t count, double distance,
                  krafft21_agent* agent) {
    vn_dvec3 direction = {0};
    const vn_dvec3 at = krafft21_walk(points, count, distance, &direction);
    const vn_voxel voxel = {(int32_t)at.x, (int32_t)at.y, (int32_t)at.z};
    if (!vn_space_voxel_free(space, voxel)) {
        return false;
    }

    agent->from = vn_voxel_center(voxel);
    agent->ahead = (at.x - voxel.x - 0.5) * direction.x + (at.y - voxel.y - 0.5) * direction.y +
                   (at.z - voxel.z - 0.5) * direction.z;
    return true;
}

bool krafft21_has_arrived(const krafft21_agent* agent, const krafft21_ends* ends) {
    const double near = 2.5 * 1024;
    const double x = agent->from.x - ends->to.x, y = agent->from.y - ends->to.y,
                 z = agent->from.z - ends->to.z;
    return x * x + y * y + z * z < near * near;
}
