/// tests/fuzz/fuzz_vnrec.c: recorded queries. What is accepted can be requested again, and the result
/// recorded: that record replays as it was.
#include "tests/fuzz/probe.h"
#include "volnav/io.h"
#include "volnav/path.h"
#include <stdlib.h>

#define MAX_BYTES (4u << 20)

/// What loading and repeating may take in all, whatever the sections claim.
#define MOST_MEMORY (16u * MAX_BYTES)

/// Replays in larger spaces take too long for a fuzzer.
#define MOST_VOXELS 40000

static bool replays_in_no_time(const vn_layers* layers) {
    for (uint32_t i = 0; i < vn_layers_count(layers); ++i) {
        vn_space_info info;
        vn_space_get_info(vn_layers_space(layers, i), &info);
        if (info.free_voxels + info.blocked_voxels > MOST_VOXELS)
            return false;
    }

    return true;
}

/// The result must be right, whatever the request was.
static void judge(const vn_record* record, const vn_query* query, const vn_path_result* result) {
    const vn_path_request* request = vn_record_request(record);
    const vn_space* space =
        vn_layers_find(vn_record_layers(record), (double)request->radius, request->open_flags);
    uint32_t count;
    const vn_point* points = vn_query_points(query, &count);

    VNF_REQUIRE(result->status != VN_BAD_DATA);
    if (space != NULL && count > 0 && result->connections_used == 0)
        VNF_REQUIRE(vn_space_check_path(space, points, count, NULL));
}

/// Records the last result of the query, and plays that.
static void record_again(const vn_record* record, vn_query* query, const vn_path_result* result) {
    vnf_page page = {0};
    vn_sink sink = vnf_sink(&page);
    vn_store_def store = vn_default_store_def();
    vn_load_def def = vn_default_load_def();
    vn_record* again = NULL;
    vn_replay replay;
    vn_detail detail = {0};
    VNF_REQUIRE_OK(vn_record_write(query, vn_record_request(record), result, &store, NULL, &sink, &detail),
                   detail);
    VNF_REQUIRE_OK(vn_record_read(page.data, page.size, &def, &again, &detail), detail);
    VNF_REQUIRE_OK(vn_record_replay(again, NULL, &replay, &detail), detail);
    VNF_REQUIRE(replay.same);
    vn_record_destroy(again);
    free(page.data);
}

static void play(const vn_record* record) {
    vn_query_def def = vn_default_query_def();
    def.scratch = VN_SCRATCH_ALL;
    vn_query* query = NULL;
    vn_detail detail = {0};
    VNF_REQUIRE_OK(vn_query_create_layers(vn_record_layers(record), &def, &query, &detail), detail);

    vn_replay replay;
    if (vn_record_replay(record, query, &replay, &detail) == VN_OK) {
        judge(record, query, &replay.result);
        record_again(record, query, &replay.result);
    }

    vn_query_destroy(query);
}

static bool accepts(const uint8_t* data, size_t size) {
    const vn_codec codec = vn_zstd_codec(0);
    vnf_purse purse = {MOST_MEMORY, 0};
    vn_load_def def = vn_default_load_def();
    def.allocator = vnf_purse_allocator(&purse);
    def.codec = &codec;
    def.max_bytes = MAX_BYTES;
    vn_record* record = NULL;
    vn_detail detail = {0};
    vn_status status = vn_record_read(data, size, &def, &record, &detail);
    VNF_REQUIRE(detail.status == status && status != VN_OUT_OF_MEMORY);
    VNF_REQUIRE((status == VN_OK) == (record != NULL));

    if (status == VN_UNSUPPORTED && codec.unpack == NULL)
        return true; // a build without zstd does not read what is packed
    if (status == VN_OK && replays_in_no_time(vn_record_layers(record)))
        play(record);

    vn_record_destroy(record);
    VNF_REQUIRE(purse.live == 0);
    return status == VN_OK;
}

const vnf_target vnf_the_target = {"vnrec", accepts, vnf_repair_store, vnf_bomb_store, 0};
