/// Jitter: none is the plain path; the same seed gives the same path, other seeds others, none much longer.
#include "terms_oracle.h"

#include "base/hash.h"

/// A forest of pillars: many paths of about the same length.
static scene forest(void) {
    const vn_voxel dims = {100, 12, 100};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t x = 6; x < 96; x += 8)
        for (int32_t z = 4 + x / 8 % 2 * 4; z < 96; z += 8)
            for (int32_t y = 0; y < 12; ++y)
                for (int32_t k = 0; k < 9; ++k)
                    vnt_voxels_block(&voxels, x + k % 3, y, z + k / 3);

    return make_scene(voxels);
}

static vn_path_request through(vni_rng* rng, const scene* s) {
    vn_path_request request = vn_default_path_request();
    vn_voxel a = {1, 6, 50}, b = {98, 6, 50};
    vnt_random_free_voxel(rng, &s->voxels, &a);
    vnt_random_free_voxel(rng, &s->voxels, &b);
    request.start = vn_voxel_center(a);
    request.goal = vn_voxel_center(b);

    return request;
}

static uint64_t hash_of(const vn_query* query) {
    uint32_t count;
    const vn_point* points = vn_query_points(query, &count);
    return vni_hash_bytes(points, count * sizeof *points, 0);
}

static void test_seeds(void** state) {
    (void)state;
    enum { SEEDS = 8 };
    scene s = forest();
    vni_rng rng = vni_rng_make(vnt_seed("jitter", 431));
    double plain_sum = 0, sum = 0, jitter_sum = 0;

    uint32_t paths = 0, requests = vnt_scale(12, 300);
    for (uint32_t i = 0; i < requests; ++i) {
        vn_path_request request = through(&rng, &s);
        vn_path_result plain, result;
        assert_int_equal(vn_query_find_path(s.query, &request, &plain, NULL), VN_OK);
        uint64_t hashes[SEEDS], plain_hash = hash_of(s.query);
        request.jitter_seed = 77; // without jitter a seed means nothing
        assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
        assert_true(hash_of(s.query) == plain_hash);

        request.jitter = 1;
        for (uint32_t k = 0; k < SEEDS; ++k) {
            request.jitter_seed = k;
            assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
            check_legs(&s, &request, &result); // the cost is the length: no jitter in it
            hashes[k] = hash_of(s.query);
            jitter_sum += result.cost;
            plain_sum += plain.cost;

            bool is_new = true;
            for (uint32_t m = 0; m < k; ++m)
                is_new = is_new && hashes[m] != hashes[k];

            paths += is_new;
        }

        request.jitter_seed = 3;
        assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
        assert_true(hash_of(s.query) == hashes[3]);
        sum += SEEDS;
    }

    print_message("%u different paths of %.0f; %.4f of the plain length\n", paths, sum,
                  jitter_sum / plain_sum);
    assert_true(paths > 3 * requests);
    assert_true(jitter_sum < 1.1 * plain_sum);
    free_scene(&s);
}

/// However large, it never makes a path where there is none, nor loses one.
static void test_found_all_the_same(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("jitter everywhere", 432));
    for (uint32_t world = 0; world < vnt_scale(60, 2000); ++world) {
        scene s = random_scene(&rng, world);
        vn_voxel a, b;
        for (uint32_t i = 0; i < 4 && vnt_random_free_voxel(&rng, &s.voxels, &a) &&
                             vnt_random_free_voxel(&rng, &s.voxels, &b);
             ++i) {
            vn_path_request request = vn_default_path_request();
            vn_path_result plain, result;
            request.start = vn_voxel_center(a);
            request.goal = vn_voxel_center(b);
            vn_query_find_path(s.query, &request, &plain, NULL);
            request.jitter = (float)vni_rng_range(&rng, 1, 16) / 16;
            request.jitter_seed = vni_rng_next(&rng);
            assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), plain.status);
            if (result.status == VN_OK)
                check_legs(&s, &request, &result);
        }

        free_scene(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_seeds),
                                       cmocka_unit_test(test_found_all_the_same)};
    return cmocka_run_group_tests_name("query/jitter", tests, NULL, NULL);
}
