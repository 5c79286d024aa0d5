/// store/info.c: what the head of a file says.
#include "base/assert.h"
#include "base/fail.h"
#include "store/extras.h"
#include "store/layer.h"

#include <string.h>

static vn_space_info info_of(const vni_file_params* p) {
    uint64_t voxels = (uint64_t)p->dims[0] * (uint64_t)p->dims[1] * (uint64_t)p->dims[2];
    vn_space_info info;
    memset(&info, 0, sizeof info);
    info.dims = (vn_voxel){p->dims[0], p->dims[1], p->dims[2]};
    info.resolution = p->resolution;
    info.radius = p->radius;
    info.open_flags = p->open_flags;
    info.unknown = (vn_unknown_policy)p->unknown_policy;
    info.origin = (vn_dvec3){p->origin[0], p->origin[1], p->origin[2]};
    info.low = (vn_dvec3){p->low[0], p->low[1], p->low[2]};
    info.blocked_voxels = p->blocked_voxels;
    info.free_voxels = voxels - p->blocked_voxels;
    info.unknown_voxels = p->unknown_voxels;
    info.cells = p->cells;
    info.links = p->links;
    info.components = p->components;

    return info;
}

static void add_sizes(const vni_bundle* bundle, vn_store_info* out) {
    for (uint32_t i = 0; i < bundle->head.section_count; ++i) {
        vni_file_entry entry = vni_bundle_get(bundle, i);
        out->unpacked_bytes += entry.unpacked;
        if (entry.layer < out->layer_count)
            out->layer_bytes[entry.layer] += entry.stored;
        if (entry.layer < out->layer_count && entry.tag == VNI_TAG_TREE &&
            out->tree_count < VN_STORE_INFO_TREES)
            out->trees[out->tree_count++] =
                (vn_store_tree_info){entry.layer, entry.first, entry.stored, entry.unpacked};
    }
}

vn_status vn_store_read_info(const void* data, size_t size, const vn_codec* codec, vn_store_info* out,
                             vn_detail* detail) {
    VNI_ASSERT(out != NULL && (data != NULL || size == 0));

    vni_bundle bundle;
    memset(out, 0, sizeof *out);
    vn_status status = vni_bundle_open(data, size, codec, &bundle, detail);
    if (status != VN_OK)
        return status;

    out->version = bundle.head.version;
    out->kind = (vn_store_kind)bundle.head.kind;
    out->is_record = out->kind != VN_STORE_LAYERS;
    out->section_count = bundle.head.section_count;
    out->bytes = bundle.size;
    out->world_hash = bundle.head.source;
    out->layer_count = bundle.head.layer_count;

    add_sizes(&bundle, out);
    for (uint32_t i = 0; status == VN_OK && i < out->layer_count; ++i) {
        vni_file_params params;
        status = vni_take_params(&bundle, i, &params, detail);
        if (status == VN_OK)
            out->layers[i] = info_of(&params);
    }

    if (status == VN_OK)
        status = vni_take_comment(&bundle, out->comment, detail);

    return status == VN_OK ? vni_take_connections(&bundle, VNI_TAG_CONNECTIONS, out->connections,
                                                  &out->connection_count, detail)
                           : status;
}
