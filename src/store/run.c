/// store/run.c: recorded runs: parts whose bytes mean something to the library volnav_sim only.
#include "base/alloc.h"
#include "base/assert.h"
#include "base/fail.h"
#include "store/extras.h"
#include "store/layers.h"

_Static_assert(VN_STORE_MAX_TREE == VNI_FILE_MAX_SECTION, "a part is one section");
_Static_assert(VNI_TAG_RUN_MARKS - VNI_TAG_RUN + 1 == VN_STORE_RUN_PARTS, "each part has its tag");

static vn_status check_parts(const vn_store_part parts[VN_STORE_RUN_PARTS], vn_detail* detail) {
    for (uint32_t i = 0; i < VN_STORE_RUN_PARTS; ++i) {
        if (parts[i].data == NULL || parts[i].size == 0)
            return vni_fail_index(detail, VN_BAD_ARGUMENT, i, "part %u of the run has no bytes", i);
        if (parts[i].size > VN_STORE_MAX_TREE)
            return vni_fail_index(detail, VN_TOO_LARGE, i, "part %u of the run has more than 2^26 bytes", i);
    }

    return VN_OK;
}

vn_status vn_store_write_run(const vn_store_part parts[VN_STORE_RUN_PARTS], const vn_store_def* def,
                             const vn_allocator* allocator, const vn_sink* sink, vn_detail* detail) {
    VNI_ASSERT(parts != NULL && def != NULL && sink != NULL && sink->write != NULL);
    const vn_allocator own = allocator != NULL ? *allocator : vn_default_allocator();
    vn_status status = vni_check_store_def(def, detail);
    if (status == VN_OK)
        status = check_parts(parts, detail);
    if (status != VN_OK)
        return status;

    vni_writer writer = vni_writer_make(&own, def->codec);
    vni_put_extras(&writer, def);
    for (uint32_t i = 0; i < VN_STORE_RUN_PARTS; ++i) {
        vni_bytes_put(&writer.content, parts[i].data, parts[i].size);
        vni_writer_add(&writer, VNI_FILE_ALL_LAYERS, (vni_tag)(VNI_TAG_RUN + i), 0, 1, true);
    }

    status = vni_writer_finish(&writer, VNI_FILE_RUN, 0, 0, sink, detail);
    vni_writer_free(&writer);
    return status;
}

vn_status vn_store_read_run(const void* data, size_t size, const vn_load_def* def, uint32_t part, void** out,
                            size_t* out_size, vn_detail* detail) {
    VNI_ASSERT(def != NULL && out != NULL && out_size != NULL && (data != NULL || size == 0));
    VNI_ASSERT(part < VN_STORE_RUN_PARTS);
    vni_bundle bundle;
    *out = NULL;
    *out_size = 0;
    vn_status status = vni_open_file(data, size, def, &bundle, detail);
    if (status == VN_OK)
        status = vni_bundle_check_hashes(&bundle, &def->jobs, detail);
    if (status != VN_OK)
        return status;
    if (bundle.head.kind != VNI_FILE_RUN)
        return vni_fail(detail, VN_BAD_FORMAT, "the file holds no recorded run but %s",
                        bundle.head.kind == VNI_FILE_RECORD ? "a recorded query" : "layers: it is a .vnav");

    const vni_tag tag = (vni_tag)(VNI_TAG_RUN + part);
    uint32_t count = 0;
    const uint32_t index = vni_bundle_find(&bundle, VNI_FILE_ALL_LAYERS, tag, &count);
    const vni_file_entry entry = count == 1 ? vni_bundle_get(&bundle, index) : (vni_file_entry){0};
    if (count != 1 || entry.first != 0 || entry.count != 1)
        return vni_fail(detail, VN_BAD_FORMAT, "the section (%s) is missing or there twice",
                        vni_tag_name(tag));
    return vni_bundle_take(&bundle, &entry, &def->allocator, out, out_size, detail);
}
