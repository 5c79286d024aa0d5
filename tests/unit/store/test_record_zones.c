/// Zones of recorded requests: every kind comes back, hostile bytes do not, and old readers are warned off.
#include "files.h"
#include "zones.h"

#include "store/layer.h"
#include "store/record.h"
#include "store/writer.h"

static void zones_keep_their_shapes(void** state) {
    (void)state;
    const vn_plane planes[4] = {{{1, 2, 3}, 4}, {{-1, 0, 0.5f}, -2}, {{0, 0, 1}, 8}, {{0, -1, 0}, 0.25f}};
    const vn_zone zones[4] = {
        {.kind = VN_ZONE_HULL, .planes = planes, .plane_count = 3, .factor = 2.5f, .flags = 0x80000001},
        {.kind = VN_ZONE_SPHERE, .center = {1.5f, -2, 3}, .radius = 4.25f, .factor = 0.5f},
        {.box = {{1, 2, 3}, {4, 5, 6}}, .factor = 3, .flags = 7},
        {.kind = VN_ZONE_HULL, .planes = planes + 3, .plane_count = 1, .factor = 9},
    };
    static vn_zone back[VN_MAX_ZONES];
    static vn_plane back_planes[VN_MAX_ZONE_PLANES];
    uint32_t count;
    vn_allocator allocator = vn_default_allocator();
    vni_bytes bytes = vni_bytes_make(&allocator), again = vni_bytes_make(&allocator);
    assert_false(vni_zones_are_boxes(zones, 4));
    assert_true(vni_zones_are_boxes(zones + 2, 1));
    assert_true(vni_zones_are_boxes(NULL, 0));
    vni_put_zone_shapes(&bytes, zones, 4);
    assert_true(bytes.size == 4 * 12 + 4 + 3 * 16 + 16 + 24 + 4 + 16);
    assert_true(bytes.size <= VNI_ZONE_SHAPES_BYTES);
    vni_reader in = {.at = bytes.data, .left = bytes.size};
    assert_true(vni_read_zone_shapes(&in, back, back_planes, &count));

    assert_int_equal(count, 4);
    for (uint32_t i = 0; i < 4; ++i)
        expect_same_zone(&zones[i], &back[i]);

    const uint64_t whole[5] = {0, 64, 92, 128, bytes.size}; // where a zone ends
    for (uint64_t size = 0; size <= bytes.size; ++size) {
        bool ends = false;
        for (int i = 0; i < 5; ++i)
            ends |= size == whole[i];
        in = (vni_reader){.at = bytes.data, .left = size};
        assert_true(vni_read_zone_shapes(&in, back, back_planes, &count) == ends);
        assert_true(ends || count == 0);
    }

    for (uint64_t bit = 0; bit < 8 * bytes.size; ++bit) { // what is accepted means what it says
        bytes.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        in = (vni_reader){.at = bytes.data, .left = bytes.size};
        again.size = 0;
        if (vni_read_zone_shapes(&in, back, back_planes, &count)) {
            vni_put_zone_shapes(&again, back, count);
            assert_true(again.size == bytes.size);
            assert_memory_equal(again.data, bytes.data, bytes.size);
        }
        bytes.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }

    vni_bytes_free(&again);
    vni_bytes_free(&bytes);
}

/// One too many of either; and readers of the first version do not take requests whose zones they would miss.
static void zones_have_limits(void** state) {
    (void)state;
    static vn_zone zones[VN_MAX_ZONES], back[VN_MAX_ZONES];
    static vn_plane planes[VN_MAX_ZONE_PLANES], back_planes[VN_MAX_ZONE_PLANES];
    const vn_zone ball = {.kind = VN_ZONE_SPHERE, .radius = 1, .factor = 2};
    uint32_t count;
    vn_allocator allocator = vn_default_allocator();

    vni_bytes bytes = vni_bytes_make(&allocator);
    for (uint32_t i = 0; i < VN_MAX_ZONES; ++i)
        zones[i] = (vn_zone){.kind = VN_ZONE_HULL,
                             .factor = 2,
                             .planes = planes + i * (VN_MAX_ZONE_PLANES / VN_MAX_ZONES),
                             .plane_count = VN_MAX_ZONE_PLANES / VN_MAX_ZONES};

    vni_put_zone_shapes(&bytes, zones, VN_MAX_ZONES);
    assert_true(bytes.size <= VNI_ZONE_SHAPES_BYTES);
    vni_reader in = {.at = bytes.data, .left = bytes.size};
    assert_true(vni_read_zone_shapes(&in, back, back_planes, &count));
    assert_true(count == VN_MAX_ZONES);
    vni_put_zone_shapes(&bytes, &ball, 1);
    in = (vni_reader){.at = bytes.data, .left = bytes.size};
    assert_false(vni_read_zone_shapes(&in, back, back_planes, &count));
    bytes.size = 0;
    zones[0].plane_count = VN_MAX_ZONE_PLANES;
    zones[0].planes = planes;
    zones[1].plane_count = 1;
    vni_put_zone_shapes(&bytes, zones, 2);
    in = (vni_reader){.at = bytes.data, .left = bytes.size};
    assert_false(vni_read_zone_shapes(&in, back, back_planes, &count));
    const vni_query_sizes query_room = {1000, 2000, true};

    vn_path_request request = vn_default_path_request();
    for (uint32_t shaped = 0; shaped < 2; ++shaped) {
        const vn_zone box = {.box = {{0, 0, 0}, {1, 1, 1}}, .factor = 2};
        request.zones = shaped ? &ball : &box;
        request.zone_count = 1;
        bytes.size = 0;
        vni_put_request(&bytes, &request, &query_room);
        assert_int_equal(bytes.data[0], 1 + shaped);
    }

    vni_bytes_free(&bytes);
}

/// A record written by hand, with zones as boxes (1), by kind (2), both (3) or none.
static vn_status read_by_hand(const vn_layers* layers, uint32_t sections, uint32_t* zones) {
    const vn_zone ball = {.kind = VN_ZONE_SPHERE, .radius = 1, .factor = 2}, box = {.factor = 2};
    const vni_query_sizes sizes = {100, 100, false};
    const vn_path_result none = {.status = VN_NO_PATH, .reason = VN_NO_PATH};
    vn_allocator allocator = vn_default_allocator();
    vni_writer writer = vni_writer_make(&allocator, NULL);
    vnt_file file = vnt_file_make();
    vn_sink sink = vnt_file_sink(&file);
    vn_path_request request = vn_default_path_request();
    request.zones = &ball;
    request.zone_count = sections >= 2;
    vni_put_space(&writer, 0, vn_layers_space(layers, 0));
    vni_put_request(&writer.content, &request, &sizes);
    vni_writer_add(&writer, VNI_FILE_ALL_LAYERS, VNI_TAG_REQUEST, 0, 1, true);

    vni_put_zones(&writer.content, &box, sections & 1);
    if (sections & 1)
        vni_writer_add(&writer, VNI_FILE_ALL_LAYERS, VNI_TAG_REQUEST_ZONES, 0, 1, true);

    vni_put_result(&writer.content, &none);
    vni_writer_add(&writer, VNI_FILE_ALL_LAYERS, VNI_TAG_RESULT, 0, 1, true);
    vni_put_zone_shapes(&writer.content, &ball, sections >> 1);
    if (sections & 2)
        vni_writer_add(&writer, VNI_FILE_ALL_LAYERS, VNI_TAG_REQUEST_SHAPES, 0, 1, true);

    assert_int_equal(vni_writer_finish(&writer, VNI_FILE_RECORD, 1, 0, &sink, NULL), VN_OK);
    vni_writer_free(&writer);
    vn_load_def def = vn_default_load_def();
    vn_record* record;
    vn_status status = vn_record_read(file.data, file.size, &def, &record, NULL);
    *zones = status == VN_OK ? vn_record_request(record)->zone_count : 0;
    vn_record_destroy(record);
    vnt_file_free(&file);

    return status;
}

static void zones_come_one_way(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(36);
    const vnt_layers_def def = {.dims = {20, 10, 10}, .layer_count = 1, .cells = true};
    vn_layers* layers = vnt_random_layers(&rng, &def);
    for (uint32_t sections = 0; sections < 4; ++sections) {
        uint32_t zones;
        assert_int_equal(read_by_hand(layers, sections, &zones), sections == 3 ? VN_BAD_FORMAT : VN_OK);
        assert_int_equal(zones, sections == 1 || sections == 2);
    }

    vn_layers_destroy(layers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zones_keep_their_shapes),
        cmocka_unit_test(zones_have_limits),
        cmocka_unit_test(zones_come_one_way),
    };
    return cmocka_run_group_tests_name("store/record_zones", tests, NULL, NULL);
}
