/// tests/fuzz/api/store.c: calls on volnav/store.h: what is written is read as it was.
#include "tests/fuzz/api/api.h"
#include "volnav/io.h"
#include <stdlib.h>
#include <string.h>

/// Bytes that a section of an input may unpack to.
#define MOST_BYTES (4u << 20)

static vn_load_def load_def(vnf_api* api, const vn_codec* codec) {
    vn_load_def def = vn_default_load_def();
    def.allocator = vnf_heap_allocator(&api->heap);
    def.codec = codec;
    def.max_bytes = MOST_BYTES;
    return def;
}

static vn_store_def store_def(vnf_api* api, const vn_codec* codec, vn_connection connections[2]) {
    vn_store_def def = vn_default_store_def();
    def.codec = vnf_coin(&api->in) ? codec : NULL;
    def.comment = vnf_coin(&api->in) ? "a comment" : NULL;
    def.connection_count = vnf_below(&api->in, 3);
    for (uint32_t i = 0; i < def.connection_count; ++i)
        connections[i] = vnf_connection(&api->in);

    def.connections = connections;
    return def;
}

static void judge_layers(const vn_layers* a, const vn_layers* b) {
    VNF_REQUIRE(vn_layers_count(a) == vn_layers_count(b) &&
                vn_layers_world_hash(a) == vn_layers_world_hash(b));
    for (uint32_t i = 0; i < vn_layers_count(a); ++i)
        VNF_REQUIRE(vn_space_content_hash(vn_layers_space(a, i)) ==
                    vn_space_content_hash(vn_layers_space(b, i)));
}

/// One byte is wrong: refused, or it did not matter.
static void read_spoilt(vnf_api* api, vnf_page* page, const vn_load_def* def) {
    if (page->size == 0 || !vnf_chance(&api->in, 4))
        return;

    vn_layers* layers = NULL;
    page->data[vnf_bits(&api->in, 4) % page->size] ^= (uint8_t)(1u << vnf_below(&api->in, 8));
    const vn_status status =
        vnf_judge(api, vn_layers_read(page->data, page->size, def, &layers, vnf_detail(api)));
    VNF_REQUIRE((status == VN_OK) == (layers != NULL));
    vn_layers_destroy(layers);
}

static void read_back(vnf_api* api, vnf_page* page, const vn_codec* codec) {
    static vn_store_info info;
    const vn_load_def def = load_def(api, codec);
    vn_layers* again = NULL;
    const vn_status status =
        vnf_judge(api, vn_layers_read(page->data, page->size, &def, &again, vnf_detail(api)));

    VNF_REQUIRE(status == VN_OK || status == VN_OUT_OF_MEMORY);
    if (status == VN_OK)
        judge_layers(api->layers, again);

    vn_layers_destroy(again);

    VNF_REQUIRE(vn_store_read_info(page->data, page->size, codec, &info, NULL) == VN_OK);
    VNF_REQUIRE(info.layer_count == vn_layers_count(api->layers) && !info.is_record);
    read_spoilt(api, page, &def);
}

static void op_save(vnf_api* api) {
    if (vnf_need_layers(api) == NULL)
        return;

    const vn_codec codec = vn_zstd_codec(0);
    const vn_allocator allocator = vnf_heap_allocator(&api->heap);
    vn_connection connections[2];
    vnf_page page = {0};
    const vn_sink sink = vnf_sink(&page);
    const vn_store_def def = store_def(api, &codec, connections);
    const vn_status status =
        vnf_judge(api, vn_layers_write(api->layers, &def, &allocator, &sink, vnf_detail(api)));

    VNF_REQUIRE((status == VN_OK) == (page.size > 0));
    if (status == VN_OK)
        read_back(api, &page, &codec);

    free(page.data);
}

// ---------------------------------------------------------------------------------------------- records

static void replay(vnf_api* api, const vnf_page* page, const vnf_search* search) {
    const vn_load_def def = load_def(api, NULL);
    vn_record* record = NULL;
    const vn_status status =
        vnf_judge(api, vn_record_read(page->data, page->size, &def, &record, vnf_detail(api)));
    VNF_REQUIRE(status == VN_OK || status == VN_OUT_OF_MEMORY);

    if (status != VN_OK)
        return;

    uint32_t count, use_count;
    vn_replay again;
    vn_record_points(record, &count);
    vn_record_connections(record, &use_count);
    VNF_REQUIRE(count == search->result.point_count && use_count == search->result.connections_used);
    VNF_REQUIRE(vn_record_result(record)->status == search->result.status);
    VNF_REQUIRE(vn_record_request(record)->zone_count == search->last.request.zone_count);
    VNF_REQUIRE(vn_layers_count(vn_record_layers(record)) >= 1);
    const vn_status played = vnf_judge(api, vn_record_replay(record, NULL, &again, vnf_detail(api)));

    VNF_REQUIRE(played == VN_OK || played == VN_OUT_OF_MEMORY);
    if (played == VN_OK && !again.same)
        vnf_failed("the replay is the same", __FILE__, __LINE__, again.text);

    vn_record_destroy(record);
}

static void op_record(vnf_api* api) {
    const vnf_search* search = &api->searches[vnf_below(&api->in, VNF_SEARCHES)];
    if (search->query == NULL)
        return;

    const vn_allocator allocator = vnf_heap_allocator(&api->heap);
    const vn_store_def def = vn_default_store_def();
    vnf_page page = {0};
    const vn_sink sink = vnf_sink(&page);

    vn_path_request request = search->last.request;
    if (request.cookie == 0)
        request = vn_default_path_request();

    const vn_status status = vnf_judge(api, vn_record_write(search->query, &request, &search->result, &def,
                                                            &allocator, &sink, vnf_detail(api)));
    if (search->begun)
        VNF_REQUIRE(status == VN_BAD_ORDER);

    if (search->finished)
        VNF_REQUIRE(status == VN_OK || status == VN_OUT_OF_MEMORY);

    if (search->finished && status == VN_OK)
        replay(api, &page, search);

    free(page.data);
}

const vnf_operation vnf_store_operations[] = {
    {"store: save", op_save},
    {"store: record", op_record},
    {NULL, NULL},
};
