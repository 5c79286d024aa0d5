/// store/layers.c: a .vnav from end to end.
#include "store/layers.h"
#include "base/alloc.h"
#include "base/assert.h"
#include "base/fail.h"
#include "base/jobs.h"
#include "space/layers.h"
#include "store/extras.h"
#include "store/layer.h"
#include "store/sensed.h"
#include "store/trees.h"

#include <string.h>

#define STORE_COOKIE 0x73746f73u
#define LOAD_COOKIE  0x6c6f6164u

vn_store_def vn_default_store_def(void) {
    vn_store_def def;
    memset(&def, 0, sizeof def);
    def.cookie = STORE_COOKIE;
    return def;
}

vn_load_def vn_default_load_def(void) {
    vn_load_def def;
    memset(&def, 0, sizeof def);
    def.allocator = vn_default_allocator();
    def.jobs = vn_serial_jobs();
    def.max_bytes = (uint64_t)16 << 30;
    def.cookie = LOAD_COOKIE;

    return def;
}

vn_status vni_check_store_def(const vn_store_def* def, vn_detail* detail) {
    if (def->cookie != STORE_COOKIE)
        return vni_fail(detail, VN_BAD_DEF, "the store def was not made by vn_default_store_def()");
    if (def->codec != NULL && def->codec->id == 0)
        return vni_fail(detail, VN_BAD_ARGUMENT, "the codec's id is 0, which means that nothing is packed");

    if (def->connection_count > VN_MAX_CONNECTIONS || (def->connection_count > 0 && def->connections == NULL))
        return vni_fail(detail, VN_BAD_ARGUMENT, "%u connections were given, but a file holds up to %d",
                        def->connection_count, VN_MAX_CONNECTIONS);

    for (uint32_t i = 0; i < def->connection_count; ++i)
        if (!vni_connection_is_valid(&def->connections[i]))
            return vni_fail_index(detail, VN_BAD_ARGUMENT, i,
                                  "connection %u needs two finite ends and a cost from 0 to 1e6", i);

    size_t length = def->comment != NULL ? strlen(def->comment) : 0;
    if (length > VNI_MAX_COMMENT || (length > 0 && !vni_is_text(def->comment, length)))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the comment is longer than %d bytes, or no UTF-8",
                        VNI_MAX_COMMENT);

    return VN_OK;
}

// ------------------------------------------------------------------------------------------------ writing

vn_status vn_layers_write(const vn_layers* layers, const vn_store_def* def, const vn_allocator* allocator,
                          const vn_sink* sink, vn_detail* detail) {
    VNI_ASSERT(layers != NULL && def != NULL && sink != NULL && sink->write != NULL);

    vn_allocator own = allocator != NULL ? *allocator : vn_default_allocator();
    vn_status status = vni_check_store_def(def, detail);
    if (status != VN_OK)
        return status;

    status = vni_check_trees(def, vn_layers_count(layers), detail);
    if (status != VN_OK)
        return status;

    vni_writer writer = vni_writer_make(&own, def->codec);
    for (uint32_t i = 0; i < vn_layers_count(layers); ++i) {
        vni_put_space(&writer, i, vn_layers_space(layers, i));
        vni_put_trees(&writer, i, def);
    }

    vni_put_extras(&writer, def);
    vni_put_sensed(&writer, layers->sensed, layers->sensed_count);
    status = vni_writer_finish(&writer, VNI_FILE_LAYERS, vn_layers_count(layers),
                               vn_layers_world_hash(layers), sink, detail);
    vni_writer_free(&writer);
    return status;
}

// ------------------------------------------------------------------------------------------------ reading

static vn_status check_load_def(const vn_load_def* def, vn_detail* detail) {
    if (def->cookie != LOAD_COOKIE)
        return vni_fail(detail, VN_BAD_DEF, "the load def was not made by vn_default_load_def()");
    if (!vni_allocator_is_valid(&def->allocator))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the allocator lacks a function");
    if (!vni_jobs_are_valid(&def->jobs))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the jobs lack a function or have no worker");

    return VN_OK;
}

vn_status vni_open_file(const void* data, size_t size, const vn_load_def* def, vni_bundle* out,
                        vn_detail* detail) {
    vn_status status = check_load_def(def, detail);
    if (status == VN_OK)
        status = vni_bundle_open(data, size, def->codec, out, detail);
    if (status == VN_OK && def->check_world_hash && out->head.source != def->world_hash)
        return vni_fail(detail, VN_STALE,
                        "the file was made from another state of the world than the one at hand: bake it "
                        "again");

    return status == VN_OK ? vni_bundle_check_sizes(out, def->max_bytes, detail) : status;
}

vn_status vni_outcome(const vni_bundle* bundle, const vn_load_def* def, vn_status status, vn_detail* detail) {
    if (status == VN_OK)
        return VN_OK;
    const vn_status damage = vni_bundle_check_hashes(bundle, &def->jobs, detail);
    return damage != VN_OK ? damage : status;
}

/// All parameters are read before any layer is made: checks that there is memory for all of their tables.
/// `*left` is what they leave of max_bytes.
static vn_status take_all_params(const vni_bundle* bundle, uint64_t max_bytes, vni_file_params* params,
                                 uint64_t* left, vn_detail* detail) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < bundle->head.layer_count; ++i) {
        vn_status status = vni_take_params(bundle, i, &params[i], detail);
        if (status != VN_OK)
            return status;
        bytes += vni_params_table_bytes(&params[i]);
    }

    *left = max_bytes - bytes;
    return bytes <= max_bytes
               ? VN_OK
               : vni_fail(detail, VN_TOO_LARGE,
                          "the tables of the layers take %llu bytes, and max_bytes allows %llu",
                          (unsigned long long)bytes, (unsigned long long)max_bytes);
}

static vn_status adopt(const vni_bundle* bundle, const vn_load_def* def, vn_space** spaces, vn_layers** out,
                       vn_detail* detail) {
    vn_status status =
        vni_layers_adopt(&def->allocator, spaces, bundle->head.layer_count, bundle->head.source, out);
    if (status == VN_OUT_OF_MEMORY)
        return vni_fail(detail, status, "no memory left for the layers");
    if (status != VN_OK)
        return vni_fail(detail, VN_BAD_FORMAT, "the layers are not in order, or do not share one grid");

    return VN_OK;
}

vn_status vni_take_layers(const vni_bundle* bundle, const vn_load_def* def, vn_layers** out,
                          vn_detail* detail) {
    VNI_ASSERT(bundle->head.layer_count >= 1 && bundle->head.layer_count <= VN_MAX_LAYERS);

    vni_file_params params[VN_MAX_LAYERS];
    vn_space* spaces[VN_MAX_LAYERS];
    uint32_t made = 0;
    uint64_t left;
    vn_status status = take_all_params(bundle, def->max_bytes, params, &left, detail);
    if (status != VN_OK)
        return status;

    vni_loader loader;
    if (!vni_loader_make(&loader, bundle, &def->allocator, &def->jobs))
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to read the file");

    loader.trusted = def->trusted;
    vni_loader_limit(&loader, left);
    for (; status == VN_OK && made < bundle->head.layer_count; ++made) {
        status = vni_take_space(&loader, made, &params[made], &spaces[made], detail);
        if (status != VN_OK)
            break;
    }

    vni_saved_set* sensed = NULL;
    uint32_t sensed_count = 0;
    if (status == VN_OK)
        status = vni_take_sensed(&loader, &sensed, &sensed_count, detail);

    if (status == VN_OK)
        status = vni_loader_compare_rest(&loader, detail);

    vni_loader_free(&loader);
    if (status == VN_OK)
        status = adopt(bundle, def, spaces, out, detail);

    if (status == VN_OK) {
        (*out)->sensed = sensed;
        (*out)->sensed_count = sensed_count;
        return VN_OK;
    }

    vni_saved_sets_free(&def->allocator, sensed, sensed_count);
    for (uint32_t i = 0; i < made; ++i)
        vn_space_destroy(spaces[i]);

    return status;
}

vn_status vn_layers_read(const void* data, size_t size, const vn_load_def* def, vn_layers** out,
                         vn_detail* detail) {
    VNI_ASSERT(def != NULL && out != NULL && (data != NULL || size == 0));
    vni_bundle bundle;
    *out = NULL;
    const vn_status status = vni_open_file(data, size, def, &bundle, detail);
    if (status != VN_OK)
        return status;
    if (bundle.head.kind == VNI_FILE_RUN)
        return vni_outcome(
            &bundle, def,
            vni_fail(detail, VN_BAD_FORMAT, "the file holds a recorded run and no layers: replay it"),
            detail);
    return vni_outcome(&bundle, def, vni_take_layers(&bundle, def, out, detail), detail);
}
