/// A partial path ends at the point of its last cell that is nearest to the goal, also where that lies on the
/// rim of the space.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "volnav/path.h"
#include "volnav/query.h"

/// 16 x 8 x 8 with a closed wall at x = 8.
static void on_the_rim(void** state) {
    (void)state;
    vn_jobs serial = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){16, 8, 8});
    for (int32_t i = 0; i < 64; ++i)
        vnt_voxels_block(&voxels, 8, i % 8, i / 8);

    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    for (int32_t i = 0; i < 8; ++i) {
        const int32_t y = i & 1 ? 8 * VN_LATTICE : 0, z = i & 2 ? 8 * VN_LATTICE : 0;
        vn_path_request request = vn_default_path_request();
        vn_path_result result;
        uint32_t count;
        request.start = vn_voxel_center((vn_voxel){1, 4, 4});
        request.goal = (vn_point){14 * VN_LATTICE, y, z};
        request.allow_partial = true;
        request.jitter = i & 4 ? 0.5f : 0; // both searches
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_PARTIAL);
        const vn_point* points = vn_query_points(query, &count);
        assert_true(count > 1);
        assert_int_equal(points[count - 1].x, 8 * VN_LATTICE);
        assert_int_equal(points[count - 1].y, y);
        assert_int_equal(points[count - 1].z, z);
    }

    vn_query_destroy(query);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(on_the_rim)};
    return cmocka_run_group_tests_name("query/partial_end", tests, NULL, NULL);
}
