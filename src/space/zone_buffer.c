/// space/zone_buffer.c: one conversion for each kind of zone.
#include "space/zone_buffer.h"
#include "base/assert.h"

#include <string.h>

_Static_assert(2 * VN_MAX_ZONES <= VNI_MAX_ZONES, "a buffer holds two full arrays of zones");

static void to_voxels(const vni_frame* frame, vn_vec3 p, double out[3]) {
    const vni_vec v = vni_to_frame(frame, vni_v_from(p));
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static void add_box(vni_zone_buffer* buffer, const vn_zone* zone, const vni_frame* frame) {
    VNI_ASSERT(buffer->box_count < VNI_MAX_ZONES);
    vni_zone* box = &buffer->boxes[buffer->box_count++];
    to_voxels(frame, zone->box.min, box->low);
    to_voxels(frame, zone->box.max, box->high);
    box->factor = (double)zone->factor;
}

static void add_ball(vni_zone_buffer* buffer, const vn_zone* zone, const vni_frame* frame) {
    VNI_ASSERT(buffer->ball_count < VNI_MAX_ZONES && zone->radius >= 0);
    vni_zone_ball* ball = &buffer->balls[buffer->ball_count++];
    to_voxels(frame, zone->center, ball->center);
    ball->radius = (double)zone->radius / frame->size;
    ball->factor = (double)zone->factor;
}

static void add_hull(vni_zone_buffer* buffer, const vn_zone* zone, const vni_frame* frame) {
    VNI_ASSERT(buffer->hull_count < VNI_MAX_ZONES);
    VNI_ASSERT(buffer->plane_count + zone->plane_count <= VNI_MAX_ZONE_PLANES);

    // A plane n . p <= offset with p = low + v * size becomes (n * size) . v <= offset - n . low. The normal
    // keeps its scaled length: only signs and ratios of distances count.
    vni_zone_plane* planes = buffer->planes + buffer->plane_count;
    for (uint32_t i = 0; i < zone->plane_count; ++i) {
        const vni_vec normal = vni_v_from(zone->planes[i].normal);
        planes[i] = (vni_zone_plane){{normal.x * frame->size, normal.y * frame->size, normal.z * frame->size},
                                     (double)zone->planes[i].offset - vni_dot(normal, vni_frame_low(frame))};
    }

    buffer->hulls[buffer->hull_count++] = (vni_zone_hull){planes, zone->plane_count, (double)zone->factor};
    buffer->plane_count += zone->plane_count;
}

void vni_zone_buffer_clear(vni_zone_buffer* buffer) {
    buffer->box_count = buffer->ball_count = buffer->hull_count = buffer->plane_count = 0;
    buffer->set = vni_zones_make(NULL, 0);
}

void vni_zone_buffer_add(vni_zone_buffer* buffer, const vn_zone* zones, uint32_t count, uint32_t flags,
                         const vni_frame* frame) {
    VNI_ASSERT(frame->size > 0 && (zones != NULL || count == 0));

    for (uint32_t i = 0; i < count; ++i) {
        if (zones[i].flags != 0 && !(zones[i].flags & flags))
            continue;
        switch (zones[i].kind) {
        case VN_ZONE_BOX: add_box(buffer, &zones[i], frame); break;
        case VN_ZONE_SPHERE: add_ball(buffer, &zones[i], frame); break;
        case VN_ZONE_HULL: add_hull(buffer, &zones[i], frame); break;
        case VN_ZONE_KIND_COUNT: VNI_ASSERT(false);
        }
    }

    buffer->set = vni_zones_make(buffer->boxes, buffer->box_count);
    vni_zones_add_round(&buffer->set, buffer->balls, buffer->ball_count, buffer->hulls, buffer->hull_count);
}

uint32_t vni_zones_copy(const vn_zone* from, uint32_t count, vn_zone* to, vn_plane* planes) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; ++i) {
        to[i] = from[i];
        if (from[i].kind != VN_ZONE_HULL)
            continue;

        VNI_ASSERT(from[i].planes != NULL && used + from[i].plane_count <= VN_MAX_ZONE_PLANES);
        memcpy(planes + used, from[i].planes, from[i].plane_count * sizeof *planes);
        to[i].planes = planes + used;
        used += from[i].plane_count;
    }

    return used;
}
