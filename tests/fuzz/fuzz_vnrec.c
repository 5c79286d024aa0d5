/// tests/fuzz/fuzz_vnrec.c: recorded queries and recorded runs. A query that is accepted can be requested
/// again, and the result recorded: that record replays as it was. A run that is accepted is written and read
/// again without a difference; of the short ones some are flown again.
#include "tests/fuzz/probe.h"
#include "volnav/io.h"
#include "volnav/path.h"
#include "volnav/run.h"
#include <stdlib.h>
#include <string.h>

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

// ---------------------------------------------------------------------------------------------------- runs

/// Runs of more steps than this are not flown, and of the others one in so many.
enum { MOST_STEPS = 12, FLOWN = 32 };

static vnf_page write_run(const vn_run_record* record) {
    const vn_store_def store = vn_default_store_def();
    vnf_page page = {0};
    const vn_sink sink = vnf_sink(&page);
    vn_detail detail = {0};
    VNF_REQUIRE_OK(vn_run_record_write(record, &store, NULL, &sink, &detail), detail);
    return page;
}

/// Whatever the numbers are: refused with a reason, or flown; what is said about it fits together.
static void fly_again(const vn_run_record* record) {
    const vn_run_def* def = vn_run_record_def(record);
    vn_run_replay replay;
    vn_detail detail = {0};
    if (def->limit > MOST_STEPS * def->step || vn_run_record_result(record, NULL)->hash % FLOWN != 0)
        return;

    const vn_status status = vn_run_record_replay(record, 0, &replay, &detail);
    VNF_REQUIRE(status == VN_OK || detail.status == status);
    if (status == VN_OK) {
        VNF_REQUIRE(replay.same == (replay.first_difference == VN_RUN_NO_STEP));
        VNF_REQUIRE(replay.same || replay.same_until <= replay.first_difference);
        VNF_REQUIRE(replay.text[0] != '\0');
    }
}

static void probe_run(const vn_run_record* record) {
    const vn_load_def def = vn_default_load_def();
    const vn_run_def* run = vn_run_record_def(record);
    vn_run_record* again = NULL;
    vn_detail detail = {0};
    VNF_REQUIRE(strlen(run->scene) < 64 && strlen(run->algo) < 64 && strlen(run->space) < 64);
    VNF_REQUIRE(run->step >= 0.001 && run->step <= 1 && run->limit >= 0);
    vnf_page first = write_run(record);
    VNF_REQUIRE_OK(vn_run_record_read(first.data, first.size, &def, &again, &detail), detail);
    vnf_page second = write_run(again);
    VNF_REQUIRE(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
    fly_again(again);
    vn_run_record_destroy(again);
    free(first.data);
    free(second.data);
}

static bool accepts_run(const uint8_t* data, size_t size, const vn_load_def* def) {
    vn_run_record* record = NULL;
    vn_detail detail = {0};
    const vn_status status = vn_run_record_read(data, size, def, &record, &detail);
    VNF_REQUIRE(detail.status == status && status != VN_OUT_OF_MEMORY);
    VNF_REQUIRE((status == VN_OK) == (record != NULL));
    if (status == VN_OK)
        probe_run(record);
    vn_run_record_destroy(record);
    return status == VN_OK;
}

// ------------------------------------------------------------------------------------------------- queries

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
    const bool is_run = status != VN_OK && accepts_run(data, size, &def);
    VNF_REQUIRE(purse.live == 0);
    return status == VN_OK || is_run;
}

const vnf_target vnf_the_target = {"vnrec", accepts, vnf_repair_store, vnf_bomb_store, 0};
