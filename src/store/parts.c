/// store/parts.c: cutting lists into sections, and taking them from there, section by section in parallel.
#include "base/alloc.h"
#include "base/assert.h"
#include "base/fail.h"
#include "base/jobs.h"
#include "base/threads.h"
#include "store/store_inside.h"

#include <string.h>

const char vni_part_no_memory[] = "no memory", vni_part_too_large[] = "too large";

// ------------------------------------------------------------------------------------------------ writing

static uint64_t element_size(const vni_part_source* source, uint32_t index) {
    return sizeof(uint32_t) + (source->size != NULL ? source->size(source->context, index) : 0);
}

/// Fills the writer's section with elements from `first` on; returns where it ends.
static uint32_t put_part(vni_writer* writer, uint32_t first, uint32_t total, const vni_part_source* source) {
    uint32_t end = first;
    for (uint64_t size = 0; end < total && size < VNI_PART_BYTES; ++end)
        size += element_size(source, end);

    for (uint32_t i = first; i < end; ++i)
        vni_put_u32(&writer->content, source->head(source->context, i));

    for (uint32_t i = first; source->put != NULL && i < end; ++i) {
        uint64_t before = writer->content.size;
        if (element_size(source, i) > sizeof(uint32_t))
            source->put(source->context, i, &writer->content);
        VNI_ASSERT(writer->content.failed ||
                   writer->content.size - before + sizeof(uint32_t) == element_size(source, i));
        (void)before;
    }

    return end;
}

void vni_put_parts(vni_writer* writer, uint32_t layer, vni_tag tag, uint32_t total,
                   const vni_part_source* source) {
    VNI_ASSERT(source->head != NULL && (source->size != NULL) == (source->put != NULL));
    for (uint32_t first = 0; first < total && !writer->failed;) {
        uint32_t end = put_part(writer, first, total, source);
        VNI_ASSERT(end > first && end <= total);
        vni_writer_add(writer, layer, tag, first, end - first, true);
        first = end;
    }
}

// ------------------------------------------------------------------------------------------------ reading

bool vni_loader_make(vni_loader* loader, const vni_bundle* bundle, const vn_allocator* allocator,
                     const vn_jobs* jobs) {
    VNI_ASSERT(vni_allocator_is_valid(allocator) && vni_jobs_are_valid(jobs));
    *loader = (vni_loader){.bundle = *bundle, .allocator = *allocator, .jobs = *jobs, .most = UINT32_MAX};
    loader->scratch = VNI_NEW_ARRAY(allocator, vni_bytes, jobs->worker_count);
    loader->compared = (uint8_t*)vni_alloc_zero(allocator, bundle->head.section_count, 1);
    for (uint32_t i = 0; loader->scratch != NULL && i < jobs->worker_count; ++i)
        loader->scratch[i] = vni_bytes_make(allocator);
    if (loader->scratch != NULL && (loader->compared != NULL || bundle->head.section_count == 0))
        return true;

    vni_loader_free(loader);
    return false;
}

void vni_loader_free(vni_loader* loader) {
    for (uint32_t i = 0; loader->scratch != NULL && i < loader->jobs.worker_count; ++i)
        vni_bytes_free(&loader->scratch[i]);
    VNI_DELETE_ARRAY(&loader->allocator, loader->scratch, loader->jobs.worker_count);
    VNI_DELETE_ARRAY(&loader->allocator, loader->compared, loader->bundle.head.section_count);
    loader->scratch = NULL;
    loader->compared = NULL;
}

#define UNIT        64u        /* bytes; 2^32 of them are more than any space takes */
#define MOST_LIMITS (1u << 31) /* what all workers add before they stop does not reach 2^32 from here */

void vni_loader_limit(vni_loader* loader, uint64_t bytes) {
    loader->most = bytes / UNIT <= MOST_LIMITS ? (uint32_t)(bytes / UNIT) : UINT32_MAX;
}

bool vni_loader_spend(vni_loader* loader, uint64_t bytes) {
    const uint32_t units = (uint32_t)((bytes + UNIT - 1) / UNIT);
    VNI_ASSERT(bytes < 1u << 30);
    if (loader->most == UINT32_MAX)
        return true;

    const uint64_t before = vni_atomic_add(&loader->spent, units);
    if (before + units <= loader->most)
        return true;
    vni_atomic_add(&loader->spent, 0 - units);
    return false;
}

vn_status vni_loader_compare_rest(const vni_loader* loader, vn_detail* detail) {
    vn_status status = VN_OK;
    for (uint32_t i = 0; i < loader->bundle.head.section_count && status == VN_OK; ++i)
        if (!loader->compared[i])
            status = vni_bundle_check_hash(&loader->bundle, i, detail);
    return status;
}

/// What came of one section.
typedef struct outcome {
    const char* what; ///< null: nothing is wrong
    uint32_t index;
} outcome;

typedef struct part_loop {
    vni_loader* loader;
    uint32_t first_section;
    vni_take_part* take;
    void* context;
    outcome* outcomes;
} part_loop;

static outcome take_elements(const part_loop* loop, const vni_file_entry* entry, vni_reader in,
                             uint32_t worker) {
    const uint64_t heads = (uint64_t)entry->count * sizeof(uint32_t);
    vni_reader records = in;
    if (heads > in.left)
        return (outcome){"is truncated", entry->first};

    records.at += heads;
    records.left -= heads;
    for (uint32_t i = entry->first; i < entry->first + entry->count; ++i) {
        const char* what = loop->take(loop->context, i, vni_read_u32(&in), &records, worker);
        if (what != NULL)
            return (outcome){what, i};
    }

    if (!vni_read_all(&records))
        return (outcome){"is followed by bytes that belong to nothing", entry->first + entry->count - 1};
    return (outcome){NULL, 0};
}

static outcome take_section(const part_loop* loop, const vni_file_entry* entry, uint32_t worker) {
    vni_bytes* scratch = &loop->loader->scratch[worker];
    const vni_bundle* bundle = &loop->loader->bundle;
    vni_reader in;
    VNI_ASSERT(entry->unpacked <= VNI_FILE_MAX_SECTION);

    scratch->size = 0;
    if (entry->codec != 0 && vni_bytes_add(scratch, entry->unpacked) == NULL)
        return (outcome){vni_part_no_memory, entry->first};
    if (!vni_bundle_unpack(bundle, entry, scratch->data, scratch->size, &in))
        return (outcome){"is packed wrongly", entry->first};

    return take_elements(loop, entry, in, worker);
}

static void take_sections(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const part_loop* loop = (const part_loop*)context;
    vni_loader* loader = loop->loader;
    for (uint32_t i = begin; i < end; ++i) {
        const uint32_t section = loop->first_section + i;
        const vni_file_entry entry = vni_bundle_get(&loader->bundle, section);
        const bool right = loader->compared[section] || vni_bundle_hash_is_right(&loader->bundle, &entry);
        loader->compared[section] = right;
        loop->outcomes[i] = right ? take_section(loop, &entry, worker)
                                  : (outcome){"does not match its checksum", entry.first};
    }
}

/// Do the sections hold the elements [0, total), each once?
static vn_status check_ranges(const vni_bundle* bundle, uint32_t layer, vni_tag tag, uint32_t first_section,
                              uint32_t sections, uint32_t total, vn_detail* detail) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < sections; ++i) {
        vni_file_entry entry = vni_bundle_get(bundle, first_section + i);
        if (entry.first != next || entry.count == 0)
            return vni_fail_index(detail, VN_BAD_FORMAT, next, "layer %u lacks part of its %s from %u on",
                                  layer, vni_tag_name(tag), next);
        next += entry.count;
    }

    if (next != total)
        return vni_fail_index(detail, VN_BAD_FORMAT, next, "layer %u has %u of %u %s", layer, next, total,
                              vni_tag_name(tag));

    return VN_OK;
}

/// What is too large comes first: whether some section is follows from the sum of all, but which one, and
/// what is wrong with others that were not read to their end, from the order of the workers.
static vn_status report(const part_loop* loop, uint32_t sections, uint32_t layer, vni_tag tag,
                        vn_detail* detail) {
    for (uint32_t i = 0; i < sections; ++i)
        if (loop->outcomes[i].what == vni_part_too_large)
            return vni_fail(detail, VN_TOO_LARGE, "the %s of layer %u take more memory than max_bytes allows",
                            vni_tag_name(tag), layer);

    for (uint32_t i = 0; i < sections; ++i) {
        const outcome* o = &loop->outcomes[i];
        if (o->what == vni_part_no_memory)
            return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the %s of layer %u",
                            vni_tag_name(tag), layer);

        if (o->what != NULL)
            return vni_fail_index(detail, VN_BAD_FORMAT, o->index, "layer %u, %s, number %u %s", layer,
                                  vni_tag_name(tag), o->index, o->what);
    }

    return VN_OK;
}

uint64_t vni_count_parts(const vni_bundle* bundle, uint32_t layer, vni_tag tag) {
    uint32_t sections, first = vni_bundle_find(bundle, layer, tag, &sections);
    uint64_t count = 0;
    for (uint32_t i = 0; i < sections; ++i) {
        const vni_file_entry entry = vni_bundle_get(bundle, first + i);
        if (entry.count > entry.unpacked / sizeof(uint32_t))
            return UINT64_MAX;
        count += entry.count;
    }

    return count;
}

vn_status vni_take_parts(vni_loader* loader, uint32_t layer, vni_tag tag, uint32_t total, vni_take_part* take,
                         void* context, vn_detail* detail) {
    uint32_t sections;
    part_loop loop = {.loader = loader, .take = take, .context = context};
    loop.first_section = vni_bundle_find(&loader->bundle, layer, tag, &sections);
    vn_status status = check_ranges(&loader->bundle, layer, tag, loop.first_section, sections, total, detail);
    if (status != VN_OK || sections == 0)
        return status;

    loop.outcomes = VNI_NEW_ARRAY(&loader->allocator, outcome, sections);
    if (loop.outcomes == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to read %u sections", sections);

    vni_parallel_for(&loader->jobs, sections, 1, take_sections, &loop);
    status = report(&loop, sections, layer, tag, detail);
    VNI_DELETE_ARRAY(&loader->allocator, loop.outcomes, sections);
    return status;
}
