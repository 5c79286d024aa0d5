/// store/layer.c: a space: its parameters, and its parts in their order.
#include "store/layer.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "geom/vec.h"
#include "space/bake.h"
#include "store/space_bytes.h"

#include <string.h>

_Static_assert(sizeof(vni_file_params) == 120 && offsetof(vni_file_params, origin) == 16 &&
                   offsetof(vni_file_params, blocked_voxels) == 80 &&
                   offsetof(vni_file_params, components) == 112,
               "the parameters have no padding");

// ------------------------------------------------------------------------------------------------ writing

static vni_file_params params_of(const vn_space* space) {
    vn_space_info info;
    vn_space_get_info(space, &info);
    vni_file_params p = {.resolution = info.resolution,
                         .radius = info.radius,
                         .open_flags = info.open_flags,
                         .unknown_policy = (uint32_t)info.unknown,
                         .origin = {info.origin.x, info.origin.y, info.origin.z},
                         .low = {info.low.x, info.low.y, info.low.z},
                         .dims = {info.dims.x, info.dims.y, info.dims.z},
                         .blocked_voxels = info.blocked_voxels,
                         .unknown_voxels = info.unknown_voxels,
                         .cells = info.cells,
                         .links = info.links,
                         .components = (uint32_t)info.components,
                         .region = space->region};
    p.parts = (vni_space_has_cells(space) ? VNI_PARTS_CELLS : 0u) |
              (vni_space_has_unknown(space) ? VNI_PARTS_UNKNOWN : 0u);

    return p;
}

void vni_put_space(vni_writer* writer, uint32_t layer, const vn_space* space) {
    VNI_ASSERT(space->occupancy.table != NULL && layer < VN_MAX_LAYERS);

    const vni_file_params params = params_of(space);
    vni_bytes_put(&writer->content, &params, sizeof params);
    vni_writer_add(writer, layer, VNI_TAG_PARAMS, 0, 1, false);
    vni_put_occupancy(writer, layer, VNI_TAG_OCCUPANCY, &space->occupancy);
    if (vni_space_has_unknown(space))
        vni_put_occupancy(writer, layer, VNI_TAG_UNKNOWN, &space->unknown);

    if (vni_space_has_cells(space))
        vni_put_cells(writer, layer, &space->cells);
}

// ------------------------------------------------------------------------------------------------ reading

static bool numbers_are_sound(const vni_file_params* p) {
    bool finite = vni_is_finite((double)p->resolution) && vni_is_finite((double)p->radius);
    for (int i = 0; i < 3; ++i)
        finite = finite && vni_is_finite(p->origin[i]) && vni_is_finite(p->low[i]);
    return finite && p->resolution >= VNI_MIN_RESOLUTION && p->resolution <= VNI_MAX_RESOLUTION &&
           p->radius >= 0;
}

static bool parts_are_sound(const vni_file_params* p) {
    bool unknown = p->parts & VNI_PARTS_UNKNOWN, cells = p->parts & VNI_PARTS_CELLS;
    if (p->parts & ~(uint32_t)VNI_PARTS_ALL || p->unknown_policy > VN_UNKNOWN_REFUSED)
        return false;
    if (p->region != 0 && (!cells || (p->region > p->components && p->region != VNI_NO_REGION)))
        return false;
    if (unknown != (p->unknown_voxels > 0) || (unknown && p->unknown_policy != VN_UNKNOWN_REFUSED))
        return false;
    return cells || (p->cells == 0 && p->links == 0 && p->components == 0);
}

static uint64_t block_count(const vni_file_params* params) {
    uint64_t blocks = 1;
    for (int i = 0; i < 3; ++i)
        blocks *= (uint64_t)vni_blocks_along(params->dims[i]);
    return blocks;
}

static bool dims_are_sound(const vni_file_params* p) {
    uint64_t voxels = 1;
    for (int i = 0; i < 3; ++i) {
        if (p->dims[i] < 1 || p->dims[i] > VNI_MAX_DIM)
            return false;
        voxels *= (uint64_t)p->dims[i];
    }

    return block_count(p) <= VNI_MAX_BLOCKS && p->blocked_voxels <= voxels;
}

vn_status vni_take_params(const vni_bundle* bundle, uint32_t layer, vni_file_params* out, vn_detail* detail) {
    VNI_ASSERT(layer < bundle->head.layer_count);

    uint8_t scratch[sizeof *out];
    vni_reader in;
    bool there;
    vn_status status =
        vni_bundle_read_one(bundle, layer, VNI_TAG_PARAMS, scratch, sizeof scratch, &in, &there, detail);

    if (status != VN_OK)
        return status;
    if (!there || !vni_read(&in, out, sizeof *out) || !vni_read_all(&in))
        return vni_fail_index(detail, VN_BAD_FORMAT, layer, "layer %u has no parameters, or not enough",
                              layer);

    if (!numbers_are_sound(out) || !parts_are_sound(out) || !dims_are_sound(out))
        return vni_fail_index(detail, VN_BAD_FORMAT, layer, "the parameters of layer %u are invalid", layer);

    return VN_OK;
}

uint64_t vni_params_table_bytes(const vni_file_params* params) {
    VNI_ASSERT(dims_are_sound(params));
    uint64_t each = sizeof(vni_block*);
    if (params->parts & VNI_PARTS_UNKNOWN)
        each += sizeof(vni_block*);

    if (params->parts & VNI_PARTS_CELLS)
        each +=
            sizeof(vni_cell_block*) + sizeof(vni_block_view) + 3 * sizeof(vni_seam*) + 5 * sizeof(uint32_t);

    return block_count(params) * each;
}

static vn_status take_occupancies(vni_loader* loader, uint32_t layer, const vni_file_params* params,
                                  vn_space* space, vn_detail* detail) {
    const vn_voxel dims = {params->dims[0], params->dims[1], params->dims[2]};
    vn_status status = vni_occupancy_make(&loader->allocator, dims, &space->occupancy, detail);
    if (status == VN_OK)
        status = vni_take_occupancy(loader, layer, VNI_TAG_OCCUPANCY, &space->occupancy, detail);
    if (status == VN_OK)
        status = vni_occupancy_validate(&space->occupancy, detail);

    if (status != VN_OK || !(params->parts & VNI_PARTS_UNKNOWN))
        return status;
    status = vni_occupancy_make(&loader->allocator, dims, &space->unknown, detail);
    if (status == VN_OK)
        status = vni_take_occupancy(loader, layer, VNI_TAG_UNKNOWN, &space->unknown, detail);

    return status == VN_OK ? vni_occupancy_validate(&space->unknown, detail) : status;
}

static vn_status take_content(vni_loader* loader, uint32_t layer, const vni_file_params* params,
                              vn_space* space, vn_detail* detail) {
    vn_status status = take_occupancies(loader, layer, params, space, detail);
    if (status == VN_OK && vni_space_has_unknown(space))
        status = vni_space_validate_unknown(space, detail);
    if (status == VN_OK && (space->occupancy.blocked_voxels != params->blocked_voxels ||
                            space->unknown.blocked_voxels != params->unknown_voxels))
        status = vni_fail(detail, VN_BAD_FORMAT,
                          "the parameters of layer %u name another number of voxels than there are", layer);

    if (status == VN_OK)
        vni_space_share_unknown(space);

    if (status != VN_OK || !(params->parts & VNI_PARTS_CELLS))
        return status;
    return vni_take_cells(loader, layer, params, &space->occupancy, &space->cells, detail);
}

/// What the validators call bad data is bad format here.
static vn_status as_format(vn_status status, vn_detail* detail) {
    if (status != VN_BAD_DATA)
        return status;
    if (detail != NULL)
        detail->status = VN_BAD_FORMAT;
    return VN_BAD_FORMAT;
}

vn_status vni_take_space(vni_loader* loader, uint32_t layer, const vni_file_params* params, vn_space** out,
                         vn_detail* detail) {
    VNI_ASSERT(numbers_are_sound(params) && parts_are_sound(params) && dims_are_sound(params));

    vn_space* space = VNI_NEW(&loader->allocator, vn_space);
    if (space == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for layer %u", layer);

    space->allocator = loader->allocator;
    space->origin = (vn_dvec3){params->origin[0], params->origin[1], params->origin[2]};
    space->low = (vn_dvec3){params->low[0], params->low[1], params->low[2]};
    space->resolution = params->resolution;
    space->radius = params->radius;
    space->open_flags = params->open_flags;
    space->unknown_policy = (vn_unknown_policy)params->unknown_policy;
    space->region = params->region;

    vn_status status = as_format(take_content(loader, layer, params, space, detail), detail);
    if (status == VN_OK)
        *out = space;
    else
        vn_space_destroy(space);

    return status;
}
