/// space/zone_buffer.c: from local metres to voxels, by kind.
#include "space/zone_buffer.h"
#include "base/assert.h"
#include "geom/vec.h"

#include <string.h>

_Static_assert(2 * VN_MAX_ZONES <= VNI_MAX_ZONES, "a room holds two full arrays");

static void to_voxels(const vni_zone_grid* grid, vn_vec3 p, double out[3]) {
    out[0] = ((double)p.x - grid->low.x) / grid->size;
    out[1] = ((double)p.y - grid->low.y) / grid->size;
    out[2] = ((double)p.z - grid->low.z) / grid->size;
}

static void add_box(vni_zone_buffer* room, const vn_zone* zone, const vni_zone_grid* grid) {
    VNI_ASSERT(room->box_count < VNI_MAX_ZONES);
    vni_zone* box = &room->boxes[room->box_count++];
    to_voxels(grid, zone->box.min, box->low);
    to_voxels(grid, zone->box.max, box->high);
    box->factor = (double)zone->factor;
}

static void add_ball(vni_zone_buffer* room, const vn_zone* zone, const vni_zone_grid* grid) {
    VNI_ASSERT(room->ball_count < VNI_MAX_ZONES && zone->radius >= 0);
    vni_zone_ball* ball = &room->balls[room->ball_count++];
    to_voxels(grid, zone->center, ball->center);
    ball->radius = (double)zone->radius / grid->size;
    ball->factor = (double)zone->factor;
}

static void add_hull(vni_zone_buffer* room, const vn_zone* zone, const vni_zone_grid* grid) {
    VNI_ASSERT(room->hull_count < VNI_MAX_ZONES);
    VNI_ASSERT(room->plane_count + zone->plane_count <= VNI_MAX_ZONE_PLANES);

    vni_zone_plane* planes = room->planes + room->plane_count;
    for (uint32_t i = 0; i < zone->plane_count; ++i) {
        const vni_vec normal = vni_v_from(zone->planes[i].normal);
        const vni_vec low = vni_v(grid->low.x, grid->low.y, grid->low.z);
        planes[i] = (vni_zone_plane){{normal.x * grid->size, normal.y * grid->size, normal.z * grid->size},
                                     (double)zone->planes[i].offset - vni_dot(normal, low)};
    }

    room->hulls[room->hull_count++] = (vni_zone_hull){planes, zone->plane_count, (double)zone->factor};
    room->plane_count += zone->plane_count;
}

void vni_zone_buffer_clear(vni_zone_buffer* room) {
    room->box_count = room->ball_count = room->hull_count = room->plane_count = 0;
    room->set = vni_zones_make(NULL, 0);
}

void vni_zone_buffer_add(vni_zone_buffer* room, const vn_zone* zones, uint32_t count, uint32_t flags,
                         const vni_zone_grid* grid) {
    VNI_ASSERT(grid->size > 0 && (zones || count == 0));

    for (uint32_t i = 0; i < count; ++i) {
        if (zones[i].flags != 0 && !(zones[i].flags & flags))
            continue;
        switch (zones[i].kind) {
        case VN_ZONE_BOX: add_box(room, &zones[i], grid); break;
        case VN_ZONE_SPHERE: add_ball(room, &zones[i], grid); break;
        case VN_ZONE_HULL: add_hull(room, &zones[i], grid); break;
        case VN_ZONE_KIND_COUNT: VNI_ASSERT(false);
        }
    }

    room->set = vni_zones_make(room->boxes, room->box_count);
    vni_zones_add_round(&room->set, room->balls, room->ball_count, room->hulls, room->hull_count);
}

uint32_t vni_zones_copy(const vn_zone* from, uint32_t count, vn_zone* to, vn_plane* planes) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; ++i) {
        to[i] = from[i];
        if (from[i].kind != VN_ZONE_HULL)
            continue;

        VNI_ASSERT(from[i].planes && used + from[i].plane_count <= VN_MAX_ZONE_PLANES);
        memcpy(planes + used, from[i].planes, from[i].plane_count * sizeof *planes);
        to[i].planes = planes + used;
        used += from[i].plane_count;
    }

    return used;
}
