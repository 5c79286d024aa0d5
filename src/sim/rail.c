/// sim/rail.c: a table of parts by the metres before them.
#include "sim/rail.h"

#include <assert.h>

#include "sim/turn.h"
#include "sim/vec.h"

vn_status vni_rail_create(vni_rail* rail, const vn_allocator* allocator, uint32_t capacity) {
    assert(capacity > 0);
    *rail = (vni_rail){.capacity = capacity};
    rail->parts = allocator->alloc(allocator->user, capacity * sizeof *rail->parts);
    return rail->parts != NULL ? VN_OK : VN_OUT_OF_MEMORY;
}

void vni_rail_free(vni_rail* rail, const vn_allocator* allocator) {
    if (rail->parts != NULL) {
        allocator->release(allocator->user, rail->parts, rail->capacity * sizeof *rail->parts);
    }
    *rail = (vni_rail){0};
}

static void add(vni_rail* rail, vni_rail_part part, double length) {
    assert(rail->count < rail->capacity);
    part.begin = rail->length;
    rail->parts[rail->count++] = part;
    rail->length += length;
}

void vni_rail_straight(vni_rail* rail, vn_dvec3 from, vn_dvec3 to) {
    const vn_dvec3 d = vni_difference(to, from);
    const double length = vni_length(d);
    if (length > 0) {
        const vn_dvec3 along = {d.x / length, d.y / length, d.z / length};
        add(rail, (vni_rail_part){.from = from, .along = along}, length);
    }
}

void vni_rail_circle(vni_rail* rail, vn_dvec3 center, double radius, uint32_t turns) {
    assert(radius > 0 && turns > 0);
    add(rail, (vni_rail_part){.radius = radius, .from = center}, VNI_TAU * radius * turns);
}

/// The last part that begins at or before this.
static const vni_rail_part* find(const vni_rail* rail, double metres) {
    uint32_t low = 0, high = rail->count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (rail->parts[middle].begin <= metres) {
            low = middle;
        } else {
            high = middle;
        }
    }

    return &rail->parts[low];
}

void vni_rail_at(const vni_rail* rail, double metres, vn_dvec3* point, vn_dvec3* direction) {
    assert(rail->count > 0 && rail->length > 0);
    const double at = vni_wrap(metres, rail->length);
    const vni_rail_part* part = find(rail, at);
    const double s = at - part->begin;

    if (part->radius > 0) {
        double cosine, sine;
        vni_turn(s / (VNI_TAU * part->radius), &cosine, &sine);
        *point = (vn_dvec3){part->from.x + part->radius * cosine, part->from.y,
                            part->from.z + part->radius * sine};
        *direction = (vn_dvec3){-sine, 0, cosine};
    } else {
        *point = vni_sum(part->from, vni_scaled(part->along, s));
        *direction = part->along;
    }
}
