/// store/request_bytes.c: every field of a request and of a result, in the order of docs/files.md. Numbers
/// that no field can have are refused; whether they make sense together, vn_query_begin decides.
#include "store/request_bytes.h"
#include "base/assert.h"
#include "search/scratch.h"

#include <string.h>

/// Of the section, not of the file: fields are added at the end.
#define SECTION_VERSION 1

/// Of a request whose zones are stored by kind: readers of version 1 would overlook them.
#define SHAPES_VERSION 2

/// Of a request with a fuel model or a limit on climbs, and of a result with fuel: one more field each.
#define FUEL_VERSION  3
#define BURNT_VERSION 2

/// More points than any query was made for.
#define MOST_POINTS (1u << 24)

// ------------------------------------------------------------------------------------------------ requests

static bool has_fuel(const vn_path_request* r) {
    return r->fuel.kind != VN_FUEL_NONE || r->fuel.max_climbs > 0;
}

static uint32_t version_of(const vn_path_request* r) {
    if (has_fuel(r))
        return FUEL_VERSION;
    return vni_zones_are_boxes(r->zones, r->zone_count) ? SECTION_VERSION : SHAPES_VERSION;
}

static void put_fuel(vni_bytes* out, const vn_fuel_model* fuel) {
    vni_put_u32(out, (uint32_t)fuel->kind);
    vni_put_u32(out, fuel->up);
    vni_put_f64(out, fuel->per_metre);
    vni_put_f64(out, fuel->climb);
    vni_put_f64(out, fuel->sink);
    vni_put_u32(out, fuel->avoids_weather);
    vni_put_u32(out, fuel->avoids_moving);
    vni_put_u32(out, fuel->max_climbs);
}

void vni_put_request(vni_bytes* out, const vn_path_request* r, const vni_query_sizes* sizes) {
    VNI_ASSERT(r->zone_count <= VN_MAX_ZONES && r->connection_count <= VN_MAX_CONNECTIONS);

    vni_put_u32(out, version_of(r));
    vni_put_u32(out, sizes->max_points);
    vni_put_u32(out, sizes->max_nodes);
    vni_put_u32(out, sizes->on_layers);
    vni_put_point(out, r->start);
    vni_put_point(out, r->goal);
    vni_put_u32(out, (uint32_t)r->goal_kind);
    vni_put_box(out, &r->goal_box);
    vni_put_f64(out, r->goal_distance);
    vni_put_f32(out, r->radius);
    vni_put_u32(out, r->open_flags);
    vni_put_u32(out, (uint32_t)r->algo);
    vni_put_u32(out, (uint32_t)r->quality);
    vni_put_u32(out, (uint32_t)r->refine);
    vni_put_u32(out, (uint32_t)r->heuristic);
    vni_put_u32(out, r->neighbours);
    vni_put_f64(out, r->weight);
    vni_put_u64(out, r->budget);
    vni_put_u32(out, r->allow_partial);
    vni_put_f64(out, r->snap_distance);
    vni_put_u32(out, r->zone_flags);
    vni_put_u32(out, r->has_limits);
    vni_put_box(out, &r->limits);
    vni_put_f32(out, r->preferred_clearance);
    vni_put_f32(out, r->clearance_weight);
    vni_put_f32(out, r->jitter);
    vni_put_u64(out, r->jitter_seed);
    vni_put_u32(out, r->check);
    if (has_fuel(r))
        put_fuel(out, &r->fuel);
}

/// A number below `count`.
static uint32_t read_choice(vni_reader* in, uint32_t count) {
    VNI_ASSERT(count > 0);
    uint32_t value = vni_read_u32(in);
    in->failed |= value >= count;
    return value < count ? value : 0;
}

static bool read_sizes(vni_reader* in, uint32_t* version, vni_query_sizes* out) {
    *version = vni_read_u32(in);
    out->max_points = vni_read_u32(in);
    out->max_nodes = vni_read_u32(in);
    out->on_layers = vni_read_bool(in);
    return *version >= SECTION_VERSION && *version <= FUEL_VERSION && out->max_points > 0 &&
           out->max_points <= MOST_POINTS && out->max_nodes <= VNI_MAX_NODES;
}

static void read_fuel(vni_reader* in, vn_fuel_model* out) {
    out->kind = (vn_fuel_kind)read_choice(in, VN_FUEL_KIND_COUNT);
    out->up = read_choice(in, 3);
    out->per_metre = vni_read_f64(in);
    out->climb = vni_read_f64(in);
    out->sink = vni_read_f64(in);
    out->avoids_weather = vni_read_bool(in);
    out->avoids_moving = vni_read_bool(in);
    out->max_climbs = read_choice(in, VN_MAX_CLIMBS + 1);
}

bool vni_read_request(vni_reader* in, vn_path_request* out, vni_query_sizes* sizes) {
    *out = vn_default_path_request();
    uint32_t version;
    if (!read_sizes(in, &version, sizes))
        return false;

    out->start = vni_read_point(in);
    out->goal = vni_read_point(in);
    out->goal_kind = (vn_goal_kind)read_choice(in, VN_GOAL_KIND_COUNT);
    out->goal_box = vni_read_box(in);
    out->goal_distance = vni_read_f64(in);
    out->radius = vni_read_f32(in);
    out->open_flags = vni_read_u32(in);
    out->algo = (vn_algo)read_choice(in, VN_ALGO_COUNT);
    out->quality = (vn_quality)read_choice(in, VN_QUALITY_COUNT);
    out->refine = (vn_refine)read_choice(in, VN_REFINE_COUNT);
    out->heuristic = (vn_heuristic)read_choice(in, VN_HEURISTIC_COUNT);
    out->neighbours = vni_read_u32(in);
    out->weight = vni_read_f64(in);
    out->budget = vni_read_u64(in);
    out->allow_partial = vni_read_bool(in);
    out->snap_distance = vni_read_f64(in);
    out->zone_flags = vni_read_u32(in);
    out->has_limits = vni_read_bool(in);
    out->limits = vni_read_box(in);
    out->preferred_clearance = vni_read_f32(in);
    out->clearance_weight = vni_read_f32(in);
    out->jitter = vni_read_f32(in);
    out->jitter_seed = vni_read_u64(in);
    out->check = vni_read_bool(in);
    if (version == FUEL_VERSION)
        read_fuel(in, &out->fuel);

    return vni_read_all(in) && has_fuel(out) == (version == FUEL_VERSION);
}

// ------------------------------------------------------------------------------------------------- results

void vni_put_result(vni_bytes* out, const vn_path_result* r) {
    vni_put_u32(out, r->fuel > 0 ? BURNT_VERSION : SECTION_VERSION);
    vni_put_u32(out, (uint32_t)r->status);
    vni_put_u32(out, (uint32_t)r->reason);
    vni_put_u32(out, r->point_count);

    vni_put_f64(out, r->length);
    vni_put_f64(out, r->cost);
    vni_put_f64(out, r->bound);
    vni_put_f64(out, r->weight);
    vni_put_u32(out, r->turns);
    vni_put_u32(out, r->checked);
    vni_put_u64(out, r->expanded);
    vni_put_u64(out, r->touched);

    vni_put_point(out, r->start);
    vni_put_point(out, r->goal);
    vni_put_u32(out, (uint32_t)r->end);
    vni_put_u32(out, r->has_nearest);
    vni_put_point(out, r->nearest);
    vni_put_f64(out, r->nearest_distance);
    vni_put_f32(out, r->layer_radius);
    vni_put_f32(out, r->passing_radius);
    vni_put_u32(out, r->connections_used);
    vni_put_u32(out, r->connections_ignored);
    if (r->fuel > 0)
        vni_put_f64(out, r->fuel);
}

bool vni_read_result(vni_reader* in, vn_path_result* out) {
    memset(out, 0, sizeof *out);
    const uint32_t version = vni_read_u32(in);
    if (version != SECTION_VERSION && version != BURNT_VERSION)
        return false;

    out->status = (vn_status)read_choice(in, VN_STATUS_COUNT);
    out->reason = (vn_status)read_choice(in, VN_STATUS_COUNT);
    out->point_count = vni_read_u32(in);
    out->length = vni_read_f64(in);
    out->cost = vni_read_f64(in);
    out->bound = vni_read_f64(in);
    out->weight = vni_read_f64(in);
    out->turns = vni_read_u32(in);
    out->checked = vni_read_bool(in);
    out->expanded = vni_read_u64(in);
    out->touched = vni_read_u64(in);
    out->start = vni_read_point(in);
    out->goal = vni_read_point(in);
    out->end = (vn_path_end)read_choice(in, VN_END_GOAL + 1);
    out->has_nearest = vni_read_bool(in);
    out->nearest = vni_read_point(in);
    out->nearest_distance = vni_read_f64(in);
    out->layer_radius = vni_read_f32(in);
    out->passing_radius = vni_read_f32(in);
    out->connections_used = vni_read_u32(in);
    out->connections_ignored = vni_read_u32(in);
    if (version == BURNT_VERSION)
        out->fuel = vni_read_f64(in);

    return vni_read_all(in) && out->point_count <= MOST_POINTS &&
           (out->fuel > 0) == (version == BURNT_VERSION);
}

// --------------------------------------------------------------------------------------------------- zones

void vni_put_zones(vni_bytes* out, const vn_zone* zones, uint32_t count) {
    VNI_ASSERT(count <= VN_MAX_ZONES && (zones != NULL || count == 0));
    for (uint32_t i = 0; i < count; ++i) {
        vni_put_box(out, &zones[i].box);
        vni_put_f32(out, zones[i].factor);
        vni_put_u32(out, zones[i].flags);
    }
}

bool vni_read_zones(vni_reader* in, vn_zone out[VN_MAX_ZONES], uint32_t* count) {
    uint64_t zones = in->left / VNI_ZONE_BYTES;
    *count = 0;
    if (zones > VN_MAX_ZONES)
        return false;

    for (uint32_t i = 0; i < zones; ++i) {
        memset(&out[i], 0, sizeof out[i]);
        out[i].box = vni_read_box(in);
        out[i].factor = vni_read_f32(in);
        out[i].flags = vni_read_u32(in);
    }

    *count = (uint32_t)zones;
    return vni_read_all(in);
}

bool vni_zones_are_boxes(const vn_zone* zones, uint32_t count) {
    VNI_ASSERT(zones != NULL || count == 0);
    for (uint32_t i = 0; i < count; ++i)
        if (zones[i].kind != VN_ZONE_BOX)
            return false;
    return true;
}

static void put_planes(vni_bytes* out, const vn_zone* zone) {
    vni_put_u32(out, zone->plane_count);
    for (uint32_t i = 0; i < zone->plane_count; ++i) {
        vni_put_vec(out, zone->planes[i].normal);
        vni_put_f32(out, zone->planes[i].offset);
    }
}

void vni_put_zone_shapes(vni_bytes* out, const vn_zone* zones, uint32_t count) {
    VNI_ASSERT(count <= VN_MAX_ZONES && (zones != NULL || count == 0));

    for (uint32_t i = 0; i < count; ++i) {
        vni_put_u32(out, (uint32_t)zones[i].kind);
        vni_put_f32(out, zones[i].factor);
        vni_put_u32(out, zones[i].flags);
        if (zones[i].kind == VN_ZONE_BOX)
            vni_put_box(out, &zones[i].box);
        else if (zones[i].kind == VN_ZONE_HULL)
            put_planes(out, &zones[i]);
        else {
            vni_put_vec(out, zones[i].center);
            vni_put_f32(out, zones[i].radius);
        }
    }
}

/// `used` of the planes are taken.
static void read_planes(vni_reader* in, vn_zone* out, vn_plane planes[VN_MAX_ZONE_PLANES], uint32_t* used) {
    const uint32_t count = vni_read_u32(in);
    if (count > VN_MAX_ZONE_PLANES - *used) {
        in->failed = true;
        return;
    }

    out->planes = planes + *used;
    out->plane_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        planes[*used].normal = vni_read_vec(in);
        planes[(*used)++].offset = vni_read_f32(in);
    }
}

bool vni_read_zone_shapes(vni_reader* in, vn_zone out[VN_MAX_ZONES], vn_plane planes[VN_MAX_ZONE_PLANES],
                          uint32_t* count) {
    uint32_t zones = 0, used = 0;
    *count = 0;
    while (in->left > 0 && !in->failed && zones < VN_MAX_ZONES) {
        vn_zone* zone = &out[zones++];
        memset(zone, 0, sizeof *zone);
        zone->kind = (vn_zone_kind)read_choice(in, VN_ZONE_KIND_COUNT);
        zone->factor = vni_read_f32(in);

        zone->flags = vni_read_u32(in);
        if (zone->kind == VN_ZONE_BOX)
            zone->box = vni_read_box(in);
        else if (zone->kind == VN_ZONE_HULL)
            read_planes(in, zone, planes, &used);
        else {
            zone->center = vni_read_vec(in);
            zone->radius = vni_read_f32(in);
        }
    }

    if (!vni_read_all(in))
        return false;
    *count = zones;
    return true;
}
