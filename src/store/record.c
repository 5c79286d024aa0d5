/// store/record.c: a .vnrec from end to end.
#include "store/record.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "query/query_inside.h"
#include "store/extras.h"
#include "store/layer.h"
#include "store/layers.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------- writing

static vn_status check_order(const vn_query* query, const vn_path_request* request,
                             const vn_path_result* result, vn_detail* detail) {
    const vn_path_request* asked = &query->request;
    if (query->phase != VNI_PHASE_IDLE || query->has_field || asked->cookie == 0)
        return vni_fail(detail, VN_BAD_ORDER,
                        "the query has no search that was finished: record it after vn_query_finish");

    if (request->cookie != asked->cookie || request->algo != asked->algo ||
        request->zone_count != asked->zone_count || request->connection_count != asked->connection_count ||
        !vni_is_same_point(request->start, asked->start) || !vni_is_same_point(request->goal, asked->goal))
        return vni_fail(detail, VN_BAD_ARGUMENT, "this is not the request that the query answered last");
    if (result->status != query->result.status || result->point_count != query->point_count ||
        result->connections_used != query->link_use_count)
        return vni_fail(detail, VN_BAD_ARGUMENT, "this is not the result of the query's last search");

    return VN_OK;
}

/// A coordinate of the points, or a number of the uses of links: three each.
static uint32_t point_number(const void* context, uint32_t index) {
    const vn_point* p = &((const vn_query*)context)->points[index / 3];
    return (uint32_t)(index % 3 == 0 ? p->x : index % 3 == 1 ? p->y : p->z);
}

static uint32_t use_number(const void* context, uint32_t index) {
    const vn_connection_use* use = &((const vn_query*)context)->link_uses[index / 3];
    return index % 3 == 0 ? use->point : index % 3 == 1 ? use->connection : use->reversed;
}

static void put_search(vni_writer* writer, const vn_query* query, const vn_path_request* request,
                       const vn_path_result* result) {
    VNI_ASSERT(query->points && query->point_count <= query->max_points);

    const vni_query_scratch_bytes room = {.max_points = query->max_points,
                                          .max_nodes = query->grid.scratch.page_capacity * 64,
                                          .on_layers = query->layers != NULL};
    const vni_part_source points = {.context = query, .head = point_number};
    const vni_part_source uses = {.context = query, .head = use_number};
    vni_put_request(&writer->content, request, &room);
    vni_writer_add(writer, VNI_FILE_ALL_LAYERS, VNI_TAG_REQUEST, 0, 1, true);

    const bool boxes = vni_zones_are_boxes(request->zones, request->zone_count);
    if (boxes)
        vni_put_zones(&writer->content, request->zones, request->zone_count);

    if (boxes && request->zone_count > 0)
        vni_writer_add(writer, VNI_FILE_ALL_LAYERS, VNI_TAG_REQUEST_ZONES, 0, request->zone_count, true);

    vni_put_links(writer, VNI_TAG_REQUEST_LINKS, request->connections, request->connection_count);
    vni_put_result(&writer->content, result);
    vni_writer_add(writer, VNI_FILE_ALL_LAYERS, VNI_TAG_RESULT, 0, 1, true);
    vni_put_parts(writer, VNI_FILE_ALL_LAYERS, VNI_TAG_POINTS, 3 * query->point_count, &points);
    vni_put_parts(writer, VNI_FILE_ALL_LAYERS, VNI_TAG_LINK_USES, 3 * query->link_use_count, &uses);

    if (boxes)
        return;
    vni_put_zone_shapes(&writer->content, request->zones, request->zone_count);
    vni_writer_add(writer, VNI_FILE_ALL_LAYERS, VNI_TAG_REQUEST_SHAPES, 0, request->zone_count, true);
}

vn_status vn_record_write(const vn_query* query, const vn_path_request* request, const vn_path_result* result,
                          const vn_store_def* def, const vn_allocator* allocator, const vn_sink* sink,
                          vn_detail* detail) {
    VNI_ASSERT(query && request && result && def && sink && sink->write);

    vn_allocator own = allocator ? *allocator : vn_default_allocator();
    vn_status status = vni_check_store_def(def, detail);
    if (status == VN_OK)
        status = check_order(query, request, result, detail);

    if (status != VN_OK)
        return status;
    const vn_layers* layers =
        result->status != VN_OK ? query->layers : NULL; // null: the one that it searched
    uint32_t count = layers ? vn_layers_count(layers) : 1;

    vni_writer writer = vni_writer_make(&own, def->codec);
    for (uint32_t i = 0; i < count; ++i)
        vni_put_space(&writer, i, layers ? vn_layers_space(layers, i) : query->space);

    vni_put_extras(&writer, def);
    put_search(&writer, query, request, result);
    status = vni_writer_finish(&writer, VNI_FILE_RECORD, count,
                               query->layers ? vn_layers_world_hash(query->layers) : 0, sink, detail);
    vni_writer_free(&writer);

    return status;
}

// ------------------------------------------------------------------------------------------------- reading

static vn_status wrong(vn_detail* detail, vni_tag tag) {
    return vni_fail(detail, VN_BAD_FORMAT, "the record's %s say what cannot be, or are missing",
                    vni_tag_name(tag));
}

/// Opens a section that is read at once; one that must be there and is not is an error.
static vn_status open_section(const vni_bundle* bundle, vni_tag tag, uint8_t* scratch, bool must_be_there,
                              vni_reader* in, bool* there, vn_detail* detail) {
    vn_status status =
        vni_bundle_read_one(bundle, VNI_FILE_ALL_LAYERS, tag, scratch, VNI_SMALL_SECTION, in, there, detail);
    return status == VN_OK && must_be_there && !*there ? wrong(detail, tag) : status;
}

/// Boxes, or shapes, or none.
static vn_status take_zones(const vni_bundle* bundle, vn_record* record, vn_detail* detail) {
    uint8_t scratch[VNI_ZONE_SHAPES_BYTES];
    vn_path_request* request = &record->request;
    vni_reader in;
    bool boxes, shapes;

    vn_status status = open_section(bundle, VNI_TAG_REQUEST_ZONES, scratch, false, &in, &boxes, detail);
    if (status == VN_OK && boxes && !vni_read_zones(&in, record->zones, &request->zone_count))
        status = wrong(detail, VNI_TAG_REQUEST_ZONES);
    if (status == VN_OK)
        status = vni_bundle_read_one(bundle, VNI_FILE_ALL_LAYERS, VNI_TAG_REQUEST_SHAPES, scratch,
                                     sizeof scratch, &in, &shapes, detail);
    if (status == VN_OK && shapes &&
        (boxes || !vni_read_zone_shapes(&in, record->zones, record->planes, &request->zone_count)))
        status = wrong(detail, VNI_TAG_REQUEST_SHAPES);

    request->zones = request->zone_count ? record->zones : NULL;
    return status;
}

static vn_status take_question(const vni_bundle* bundle, vn_record* record, vn_detail* detail) {
    uint8_t scratch[VNI_SMALL_SECTION];
    vn_path_request* request = &record->request;
    vni_reader in;
    bool there;

    vn_status status = open_section(bundle, VNI_TAG_REQUEST, scratch, true, &in, &there, detail);
    if (status == VN_OK && !vni_read_request(&in, request, &record->room))
        status = wrong(detail, VNI_TAG_REQUEST);
    if (status == VN_OK)
        status = take_zones(bundle, record, detail);
    if (status == VN_OK)
        status =
            vni_take_links(bundle, VNI_TAG_REQUEST_LINKS, record->links, &request->connection_count, detail);

    request->connections = request->connection_count ? record->links : NULL;
    if (status == VN_OK)
        status = open_section(bundle, VNI_TAG_RESULT, scratch, true, &in, &there, detail);
    if (status == VN_OK && !vni_read_result(&in, &record->result))
        status = wrong(detail, VNI_TAG_RESULT);

    return status;
}

static const char* take_point(void* context, uint32_t index, uint32_t number, vni_reader* in) {
    VNI_ASSERT(index / 3 < ((const vn_record*)context)->result.point_count);
    vn_point* p = &((vn_record*)context)->points[index / 3];
    (void)in;
    *(index % 3 == 0 ? &p->x : index % 3 == 1 ? &p->y : &p->z) = (int32_t)number;
    return NULL;
}

static const char* take_use(void* context, uint32_t index, uint32_t number, vni_reader* in) {
    const vn_record* record = (const vn_record*)context;
    vn_connection_use* use = &record->link_uses[index / 3];
    (void)in;
    if (index % 3 == 0)
        use->point = number;
    else if (index % 3 == 1)
        use->connection = number;
    else
        use->reversed = number == 1;

    const uint32_t limits[3] = {record->result.point_count, record->request.connection_count, 2};
    return number < limits[index % 3] ? NULL : "is a number that cannot be";
}

/// Bytes of all sections with a tag: no list can have more elements than these.
static uint64_t section_bytes(const vni_bundle* bundle, vni_tag tag) {
    uint32_t count, first = vni_bundle_find(bundle, VNI_FILE_ALL_LAYERS, tag, &count);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; ++i)
        bytes += vni_bundle_get(bundle, first + i).unpacked;
    return bytes;
}

static vn_status take_lists(const vni_bundle* bundle, const vn_load_def* def, vn_record* record,
                            vn_detail* detail) {
    VNI_ASSERT(!record->points && !record->link_uses);

    const uint32_t points = record->result.point_count, uses = record->result.connections_used;
    if (section_bytes(bundle, VNI_TAG_POINTS) != (uint64_t)points * sizeof(vn_point))
        return wrong(detail, VNI_TAG_POINTS);
    if (section_bytes(bundle, VNI_TAG_LINK_USES) != (uint64_t)uses * 3 * sizeof(uint32_t))
        return wrong(detail, VNI_TAG_LINK_USES);

    vni_loader loader;
    bool ready = vni_loader_make(&loader, bundle, &def->allocator, &def->jobs);
    record->points = (vn_point*)vni_alloc_zero(&def->allocator, points, sizeof(vn_point));
    record->link_uses = (vn_connection_use*)vni_alloc_zero(&def->allocator, uses, sizeof(vn_connection_use));
    ready = ready && (record->points || points == 0) && (record->link_uses || uses == 0);
    vn_status status =
        ready ? VN_OK
              : vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the record's %u points", points);

    if (status == VN_OK)
        status = vni_take_parts(&loader, VNI_FILE_ALL_LAYERS, VNI_TAG_POINTS, 3 * points, take_point, record,
                                detail);
    if (status == VN_OK)
        status = vni_take_parts(&loader, VNI_FILE_ALL_LAYERS, VNI_TAG_LINK_USES, 3 * uses, take_use, record,
                                detail);

    vni_loader_free(&loader);
    return status;
}

vn_status vn_record_read(const void* data, size_t size, const vn_load_def* def, vn_record** out,
                         vn_detail* detail) {
    VNI_ASSERT(def && out && (data || size == 0));

    vni_bundle bundle;
    *out = NULL;
    vn_status status = vni_open_checked(data, size, def, &bundle, detail);
    if (status != VN_OK)
        return status;

    if (bundle.head.kind != VNI_FILE_RECORD)
        return vni_fail(detail, VN_BAD_FORMAT,
                        "the file has layers only and records no question: it is a .vnav");

    vn_record* record = VNI_NEW(&def->allocator, vn_record);
    if (!record)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a record");

    record->allocator = def->allocator;
    status = take_question(&bundle, record, detail);
    if (status == VN_OK)
        status = take_lists(&bundle, def, record, detail);
    if (status == VN_OK)
        status = vni_take_layers(&bundle, def, &record->layers, detail);
    if (status == VN_OK)
        *out = record;
    else
        vn_record_destroy(record);

    return status;
}

void vn_record_destroy(vn_record* record) {
    if (!record)
        return;
    vn_allocator allocator = record->allocator;
    vn_layers_destroy(record->layers);
    VNI_DELETE_ARRAY(&allocator, record->points, record->result.point_count);
    VNI_DELETE_ARRAY(&allocator, record->link_uses, record->result.connections_used);
    VNI_DELETE(&allocator, record);
}

const vn_layers* vn_record_layers(const vn_record* record) {
    return record->layers;
}

const vn_path_request* vn_record_request(const vn_record* record) {
    return &record->request;
}

const vn_path_result* vn_record_result(const vn_record* record) {
    return &record->result;
}

const vn_point* vn_record_points(const vn_record* record, uint32_t* count) {
    *count = record->result.point_count;
    return record->points;
}

const vn_connection_use* vn_record_connections(const vn_record* record, uint32_t* count) {
    *count = record->result.connections_used;
    return record->link_uses;
}
