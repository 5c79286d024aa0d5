/// classic/roadmap_bytes.c: a roadmap as bytes, little-endian; hybrid_bytes.c and waypoints_bytes.c go on:
///
///     u32 version, kind; i32 dims[3]
///     of waypoints: f64 radius, margin, spacing; u32 indirect
#include "base/alloc.h"
#include "base/fail.h"
#include "classic/roadmap_inside.h"

#define BYTES_VERSION 1u

vn_status vn_roadmap_write(const vn_roadmap* roadmap, const vn_sink* sink, vn_detail* detail) {
    VNI_ASSERT(roadmap != NULL && sink != NULL && sink->write != NULL);
    vni_number_writer* w = VNI_NEW(&roadmap->allocator, vni_number_writer);
    if (w == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to write a roadmap");

    w->sink = sink;
    vni_put_number(w, BYTES_VERSION, 4);
    vni_put_number(w, (uint32_t)roadmap->kind, 4);
    for (int i = 0; i < 3; ++i)
        vni_put_number(w, (uint32_t)roadmap->newest->space->occupancy.dims[i], 4);

    if (roadmap->kind == VN_ROADMAP_HYBRID) {
        vni_hybrid_write(&roadmap->hybrid, w);
    } else {
        vni_put_double(w, roadmap->waypoints.radius);
        vni_put_double(w, roadmap->waypoints.margin);
        vni_put_double(w, roadmap->waypoints.spacing);
        vni_put_number(w, roadmap->waypoints.indirect, 4);
        vni_waypoints_write(&roadmap->newest->waypoints, w);
    }

    vni_numbers_flush(w);
    const bool failed = w->failed;
    VNI_DELETE(&roadmap->allocator, w);
    return failed ? vni_fail(detail, VN_IO, "the roadmap could not be written") : VN_OK;
}

// ------------------------------------------------------------------------------------------------- reading

static vn_status read_head(vni_number_reader* in, const vn_space* space, vn_roadmap_kind* kind,
                           vn_detail* detail) {
    const uint32_t version = vni_take_u32(in), number = vni_take_u32(in);
    const uint32_t dims[3] = {vni_take_u32(in), vni_take_u32(in), vni_take_u32(in)};
    if (in->failed)
        return vni_fail(detail, VN_BAD_FORMAT, "the saved roadmap is truncated");
    if (version != BYTES_VERSION)
        return vni_fail(detail, VN_UNSUPPORTED, "a saved roadmap of version %u; this library reads %u",
                        version, BYTES_VERSION);
    if (number != VN_ROADMAP_HYBRID && number != VN_ROADMAP_WAYPOINTS)
        return vni_fail(detail, VN_BAD_FORMAT, "a saved roadmap of a kind that there is not: %u", number);

    for (int i = 0; i < 3; ++i)
        if (dims[i] != (uint32_t)space->occupancy.dims[i])
            return vni_fail(detail, VN_MISMATCH, "the saved roadmap is of a space of another size");
    *kind = (vn_roadmap_kind)number;
    return VN_OK;
}

static vn_status read_waypoint_def(vni_number_reader* in, const vn_space* space, vni_waypoints_def* out,
                                   vn_detail* detail) {
    out->radius = vni_take_double(in);
    out->margin = vni_take_double(in);
    out->spacing = vni_take_double(in);
    out->indirect = vni_take_u32(in);
    const bool good = out->margin >= 0 && out->margin <= 1e9 && out->spacing > 0 && out->spacing <= 1e30 &&
                      out->indirect >= 1 && out->indirect <= VNI_MAX_INDIRECT;
    if (in->failed || !good)
        return vni_fail(detail, VN_BAD_FORMAT,
                        "the saved waypoints have a margin, a spacing or a number of "
                        "neighbours that there is not");
    if (out->radius != (double)space->radius)
        return vni_fail(detail, VN_MISMATCH, "the saved waypoints are of a layer with another radius");
    return VN_OK;
}

static vn_status fill_saved(vn_roadmap* roadmap, vni_roadmap_version* version, void* user,
                            vni_brick_list* bricks, vn_detail* detail) {
    (void)bricks;
    vni_number_reader* in = (vni_number_reader*)user;
    if (roadmap->kind == VN_ROADMAP_WAYPOINTS)
        return vni_waypoints_read(&roadmap->waypoints, version->space, in, &version->waypoints, detail);
    return vni_hybrid_state_make(&roadmap->hybrid, &version->space->occupancy, &version->hybrid, detail);
}

vn_status vn_roadmap_read(const vn_space* space, const vn_roadmap_def* def, const void* data, size_t size,
                          vn_roadmap** out, vn_detail* detail) {
    VNI_ASSERT(space != NULL && def != NULL && out != NULL && (data != NULL || size == 0));
    vni_number_reader in = {(const uint8_t*)data, size, false};
    vn_roadmap* roadmap = NULL;
    vn_roadmap_kind kind = VN_ROADMAP_HYBRID;
    *out = NULL;
    vn_status status = read_head(&in, space, &kind, detail);
    if (status == VN_OK)
        status = vni_roadmap_make(kind, def, &roadmap, detail);
    if (status != VN_OK)
        return status;

    if (kind == VN_ROADMAP_HYBRID) {
        status = vni_hybrid_read(&def->allocator, space->occupancy.dims, &in, &roadmap->hybrid, detail);
        if (status == VN_OK)
            status = vni_hybrid_scratch_make(&def->allocator, &roadmap->hybrid, &roadmap->scratch, detail);
    } else {
        roadmap->waypoints = (vni_waypoints_def){.allocator = def->allocator};
        status = read_waypoint_def(&in, space, &roadmap->waypoints, detail);
    }

    if (status == VN_OK)
        status = vni_roadmap_begin(roadmap, space, def->version, fill_saved, &in, detail);
    if (status == VN_OK)
        *out = roadmap;
    else
        vn_roadmap_destroy(roadmap);
    return status;
}
