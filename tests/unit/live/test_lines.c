/// Sight lines against changes: a line is hit exactly if it touches the closed cube of a voxel that changed,
/// by the pieces of geom/lattice.h; and a line that is not hit has the same sight before and after.
#include "live_scene.h"

#include "geom/lattice.h"
#include "live/compare.h"
#include "live/lines.h"
#include "probe/sight.h"

static bool has_changed(const vn_space* a, const vn_space* b, int32_t x, int32_t y, int32_t z) {
    return vni_occupancy_free_at(&a->occupancy, x, y, z) != vni_occupancy_free_at(&b->occupancy, x, y, z);
}

static bool touches(const vn_space* a, const vn_space* b, const vni_line* line) {
    vni_lattice_walk walk = vni_lattice_begin(line->a, line->b);
    vni_lattice_piece p;
    while (vni_lattice_next(&walk, &p))
        for (int32_t z = p.low[2]; z <= p.high[2]; ++z)
            for (int32_t y = p.low[1]; y <= p.high[1]; ++y)
                for (int32_t x = p.low[0]; x <= p.high[0]; ++x)
                    if (has_changed(a, b, x, y, z))
                        return true;
    return false;
}

static vn_point random_point(vni_rng* rng, const int32_t dims[3]) {
    static const int32_t grain[3] = {1, 512, 1024};
    const int32_t g = grain[vni_rng_below(rng, 3)];
    return (vn_point){vni_rng_range(rng, 0, 1024 * dims[0] / g) * g,
                      vni_rng_range(rng, 0, 1024 * dims[1] / g) * g,
                      vni_rng_range(rng, 0, 1024 * dims[2] / g) * g};
}

static void lines_are_hit_exactly(void** state) {
    (void)state;
    enum { LINES = 300 };
    static vni_line lines[LINES];
    static bool hit[LINES];
    vni_rng rng = vni_rng_make(vnt_seed("live lines", 730));
    const vn_allocator allocator = vn_default_allocator();
    uint32_t hits = 0, misses = 0;
    for (uint32_t round = 0; round < vnt_scale(40, 600); ++round) {
        live_scene s = live_scene_make(&rng, 24, NULL);
        uint64_t first, second;
        vni_difference d = {0};
        const vn_space* before = vni_dynamic_pin(s.dynamic, &first);
        live_scene_change(&s, &rng);
        live_scene_update(&s);
        const vn_space* now = vni_dynamic_pin(s.dynamic, &second);
        assert_true(vni_compare_spaces(&allocator, before, now, &d));
        for (uint32_t i = 0; i < LINES; ++i)
            lines[i] =
                (vni_line){random_point(&rng, now->occupancy.dims), random_point(&rng, now->occupancy.dims)};
        vni_lines_cross(d.bricks, d.brick_count, lines, LINES, hit);
        for (uint32_t i = 0; i < LINES; ++i) {
            assert_int_equal(hit[i], touches(before, now, &lines[i]));
            if (!hit[i])
                assert_int_equal(vni_sight(&before->occupancy, lines[i].a, lines[i].b),
                                 vni_sight(&now->occupancy, lines[i].a, lines[i].b));
            hits += hit[i];
            misses += !hit[i];
        }
        vni_difference_free(&allocator, &d);
        vni_dynamic_unpin(s.dynamic, first);
        vni_dynamic_unpin(s.dynamic, second);
        live_scene_free(&s);
    }
    assert_true(hits > 100);
    assert_true(misses > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_hit_exactly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
