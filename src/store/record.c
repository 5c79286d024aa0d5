/// store/record.c: writing and reading a .vnrec: the layers of a search, its request and its result in one
/// file.
///
/// Reading trusts nothing: every count is checked against the bytes of its section before memory is allocated
/// for it.
#include "store/record.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "geom/vec.h"
#include "query/last_search.h"
#include "store/extras.h"
#include "store/layer.h"
#include "store/layers.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------- writing

static bool is_same_position(const vn_dvec3* a, const vn_dvec3* b) {
    return memcmp(a, b, sizeof *a) == 0;
}

/// Are the ends those of the search? In the form in which they were given.
static bool has_same_ends(const vn_path_request* request, const vn_path_request* searched) {
    if (request->use_positions != searched->use_positions)
        return false;
    if (request->use_positions)
        return is_same_position(&request->start_position, &searched->start_position) &&
               is_same_position(&request->goal_position, &searched->goal_position);
    return vni_is_same_point(request->start, searched->start) &&
           vni_is_same_point(request->goal, searched->goal);
}

static vn_status check_order(const vni_last_search* last, const vn_path_request* request,
                             const vn_path_result* result, vn_detail* detail) {
    const vn_path_request* searched = last->request;
    if (!last->is_finished)
        return vni_fail(detail, VN_BAD_ORDER,
                        "the query has no finished search: record it after vn_query_finish");

    if (request->cookie != searched->cookie || request->algo != searched->algo ||
        request->zone_count != searched->zone_count ||
        request->connection_count != searched->connection_count || !has_same_ends(request, searched))
        return vni_fail(detail, VN_BAD_ARGUMENT, "this is not the request of the query's last search");
    if (result->status != last->result->status || result->point_count != last->point_count ||
        result->connections_used != last->connection_use_count)
        return vni_fail(detail, VN_BAD_ARGUMENT, "this is not the result of the query's last search");

    return VN_OK;
}

// Points and uses of connections are lists of plain numbers, three for each element.

static uint32_t point_number(const void* context, uint32_t index) {
    const vn_point* p = &((const vni_last_search*)context)->points[index / 3];
    return (uint32_t)(index % 3 == 0 ? p->x : index % 3 == 1 ? p->y : p->z);
}

static uint32_t use_number(const void* context, uint32_t index) {
    const vn_connection_use* use = &((const vni_last_search*)context)->connection_uses[index / 3];
    return index % 3 == 0 ? use->point : index % 3 == 1 ? use->connection : use->reversed;
}

/// The request without its lists, then each list that has elements. Boxes keep the section that readers of
/// version 1 know; other zones come last, under a tag that those readers skip.
static void put_request(vni_writer* writer, const vni_last_search* last, const vn_path_request* request,
                        bool boxes) {
    const vni_query_sizes sizes = {
        .max_points = last->max_points, .max_nodes = last->max_nodes, .on_layers = last->layers != NULL};
    vni_put_request(&writer->content, request, &sizes);
    vni_writer_add(writer, VNI_FILE_ALL_LAYERS, VNI_TAG_REQUEST, 0, 1, true);

    if (boxes && request->zone_count > 0) {
        vni_put_zones(&writer->content, request->zones, request->zone_count);
        vni_writer_add(writer, VNI_FILE_ALL_LAYERS, VNI_TAG_REQUEST_ZONES, 0, request->zone_count, true);
    }

    vni_put_connections(writer, VNI_TAG_REQUEST_CONNECTIONS, request->connections, request->connection_count);
}

static void put_search(vni_writer* writer, const vni_last_search* last, const vn_path_request* request,
                       const vn_path_result* result) {
    VNI_ASSERT(last->points != NULL);
    VNI_ASSERT(last->point_count <= last->max_points);

    const vni_part_source points = {.context = last, .head = point_number};
    const vni_part_source uses = {.context = last, .head = use_number};
    const bool boxes = vni_zones_are_boxes(request->zones, request->zone_count);
    put_request(writer, last, request, boxes);

    vni_put_result(&writer->content, result);
    vni_writer_add(writer, VNI_FILE_ALL_LAYERS, VNI_TAG_RESULT, 0, 1, true);
    vni_put_parts(writer, VNI_FILE_ALL_LAYERS, VNI_TAG_POINTS, 3 * last->point_count, &points);
    vni_put_parts(writer, VNI_FILE_ALL_LAYERS, VNI_TAG_CONNECTION_USES, 3 * last->connection_use_count,
                  &uses);

    // Sections are in ascending order of their tags, and that of shapes is the highest.
    if (boxes)
        return;
    vni_put_zone_shapes(&writer->content, request->zones, request->zone_count);
    vni_writer_add(writer, VNI_FILE_ALL_LAYERS, VNI_TAG_REQUEST_SHAPES, 0, request->zone_count, true);
}

vn_status vni_record_write(const vni_last_search* last, const vn_path_request* request,
                           const vn_path_result* result, const vn_store_def* def,
                           const vn_allocator* allocator, const vn_sink* sink, vn_detail* detail) {
    vn_allocator own = allocator != NULL ? *allocator : vn_default_allocator();
    if (last->request->inside_count > 0)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "a record has no obstacles, so it cannot start inside some: record the request from "
                        "points[inside_points] on, without `inside`");

    // A path that was found depends on one layer only. A failure may depend on all of them: the reason names
    // the widest layer that would have let the agent pass.
    const vn_layers* layers = result->status != VN_OK ? last->layers : NULL;
    uint32_t count = layers != NULL ? vn_layers_count(layers) : 1;

    vni_writer writer = vni_writer_make(&own, def->codec);
    for (uint32_t i = 0; i < count; ++i)
        vni_put_space(&writer, i, layers != NULL ? vn_layers_space(layers, i) : last->space);

    // Positions are recorded as the points that they were searched as.
    vn_path_request recorded = *request;
    recorded.start = last->request->start;
    recorded.goal = last->request->goal;

    vni_put_extras(&writer, def);
    put_search(&writer, last, &recorded, result);
    vn_status status =
        vni_writer_finish(&writer, VNI_FILE_RECORD, count,
                          last->layers != NULL ? vn_layers_world_hash(last->layers) : 0, sink, detail);
    vni_writer_free(&writer);

    return status;
}

vn_status vn_record_write(const vn_query* query, const vn_path_request* request, const vn_path_result* result,
                          const vn_store_def* def, const vn_allocator* allocator, const vn_sink* sink,
                          vn_detail* detail) {
    VNI_ASSERT(query != NULL && request != NULL && result != NULL && def != NULL && sink != NULL &&
               sink->write != NULL);

    const vni_last_search last = vni_query_last_search(query);
    vn_status status = vni_check_store_def(def, detail);
    if (status == VN_OK)
        status = check_order(&last, request, result, detail);
    return status == VN_OK ? vni_record_write(&last, request, result, def, allocator, sink, detail) : status;
}

// ------------------------------------------------------------------------------------------------- reading

static vn_status wrong(vn_detail* detail, vni_tag tag) {
    return vni_fail(detail, VN_BAD_FORMAT, "the record's %s are missing or invalid", vni_tag_name(tag));
}

/// Opens a section that is read as a whole; a missing one is an error if it must be there.
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

static vn_status take_request(const vni_bundle* bundle, vn_record* record, vn_detail* detail) {
    uint8_t scratch[VNI_SMALL_SECTION];
    vn_path_request* request = &record->request;
    vni_reader in;
    bool there;

    vn_status status = open_section(bundle, VNI_TAG_REQUEST, scratch, true, &in, &there, detail);
    if (status == VN_OK && !vni_read_request(&in, request, &record->scratch))
        status = wrong(detail, VNI_TAG_REQUEST);
    if (status == VN_OK)
        status = take_zones(bundle, record, detail);
    if (status == VN_OK)
        status = vni_take_connections(bundle, VNI_TAG_REQUEST_CONNECTIONS, record->connections,
                                      &request->connection_count, detail);

    request->connections = request->connection_count ? record->connections : NULL;
    if (status == VN_OK)
        status = open_section(bundle, VNI_TAG_RESULT, scratch, true, &in, &there, detail);
    if (status == VN_OK && !vni_read_result(&in, &record->result))
        status = wrong(detail, VNI_TAG_RESULT);

    return status;
}

static const char* take_point(void* context, uint32_t index, uint32_t number, vni_reader* in,
                              uint32_t worker) {
    (void)worker;
    VNI_ASSERT(index / 3 < ((const vn_record*)context)->result.point_count);
    vn_point* p = &((vn_record*)context)->points[index / 3];
    (void)in;
    *(index % 3 == 0 ? &p->x : index % 3 == 1 ? &p->y : &p->z) = (int32_t)number;
    return NULL;
}

static const char* take_use(void* context, uint32_t index, uint32_t number, vni_reader* in, uint32_t worker) {
    (void)worker;
    const vn_record* record = (const vn_record*)context;
    vn_connection_use* use = &record->connection_uses[index / 3];
    (void)in;
    if (index % 3 == 0)
        use->point = number;
    else if (index % 3 == 1)
        use->connection = number;
    else
        use->reversed = number == 1;

    const uint32_t limits[3] = {record->result.point_count, record->request.connection_count, 2};
    return number < limits[index % 3] ? NULL : "is out of range";
}

/// Bytes of all sections with a tag: an upper bound for the elements of its list.
static uint64_t section_bytes(const vni_bundle* bundle, vni_tag tag) {
    uint32_t count, first = vni_bundle_find(bundle, VNI_FILE_ALL_LAYERS, tag, &count);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; ++i)
        bytes += vni_bundle_get(bundle, first + i).unpacked;
    return bytes;
}

static vn_status take_lists(const vni_bundle* bundle, const vn_load_def* def, vn_record* record,
                            vn_detail* detail) {
    VNI_ASSERT(record->points == NULL && record->connection_uses == NULL);

    const uint32_t points = record->result.point_count, uses = record->result.connections_used;
    if (section_bytes(bundle, VNI_TAG_POINTS) != (uint64_t)points * sizeof(vn_point))
        return wrong(detail, VNI_TAG_POINTS);
    if (section_bytes(bundle, VNI_TAG_CONNECTION_USES) != (uint64_t)uses * 3 * sizeof(uint32_t))
        return wrong(detail, VNI_TAG_CONNECTION_USES);

    vni_loader loader;
    bool ready = vni_loader_make(&loader, bundle, &def->allocator, &def->jobs);
    record->points = (vn_point*)vni_alloc_zero(&def->allocator, points, sizeof(vn_point));
    record->connection_uses =
        (vn_connection_use*)vni_alloc_zero(&def->allocator, uses, sizeof(vn_connection_use));
    ready =
        ready && (record->points != NULL || points == 0) && (record->connection_uses != NULL || uses == 0);
    vn_status status =
        ready ? VN_OK
              : vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the record's %u points", points);

    if (status == VN_OK)
        status = vni_take_parts(&loader, VNI_FILE_ALL_LAYERS, VNI_TAG_POINTS, 3 * points, take_point, record,
                                detail);
    if (status == VN_OK)
        status = vni_take_parts(&loader, VNI_FILE_ALL_LAYERS, VNI_TAG_CONNECTION_USES, 3 * uses, take_use,
                                record, detail);

    vni_loader_free(&loader);
    return status;
}

/// A file has the points of the search; positions follow from them. Legs of snapped ends are not recorded.
static void place_ends(vn_record* record) {
    const vn_space* space = vn_layers_space(record->layers, 0);
    vn_path_result* result = &record->result;
    result->start_position = vn_space_point_to_world(space, result->start);
    result->goal_position = vn_space_point_to_world(space, result->goal);
    if (result->has_nearest)
        result->nearest_position = vn_space_point_to_world(space, result->nearest);
}

static vn_status take_record(const vni_bundle* bundle, const vn_load_def* def, vn_record** out,
                             vn_detail* detail) {
    if (bundle->head.kind != VNI_FILE_RECORD)
        return vni_fail(
            detail, VN_BAD_FORMAT,
            bundle->head.kind == VNI_FILE_RUN
                ? "the file holds a recorded run, not a recorded query: vn_run_record_read reads it"
                : "the file holds layers but no recorded request: it is a .vnav");

    vn_record* record = VNI_NEW(&def->allocator, vn_record);
    if (record == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a record");

    record->allocator = def->allocator;
    vn_status status = take_request(bundle, record, detail);
    if (status == VN_OK)
        status = take_lists(bundle, def, record, detail);
    if (status == VN_OK)
        status = vni_take_layers(bundle, def, &record->layers, detail);
    if (status == VN_OK) {
        place_ends(record);
        *out = record;
    } else {
        vn_record_destroy(record);
    }

    return status;
}

vn_status vn_record_read(const void* data, size_t size, const vn_load_def* def, vn_record** out,
                         vn_detail* detail) {
    VNI_ASSERT(def != NULL && out != NULL && (data != NULL || size == 0));

    vni_bundle bundle;
    *out = NULL;
    const vn_status status = vni_open_file(data, size, def, &bundle, detail);
    if (status != VN_OK)
        return status;
    return vni_outcome(&bundle, def, take_record(&bundle, def, out, detail), detail);
}

void vn_record_destroy(vn_record* record) {
    if (record == NULL)
        return;
    vn_allocator allocator = record->allocator;
    vn_layers_destroy(record->layers);
    VNI_DELETE_ARRAY(&allocator, record->points, record->result.point_count);
    VNI_DELETE_ARRAY(&allocator, record->connection_uses, record->result.connections_used);
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
    return record->connection_uses;
}
