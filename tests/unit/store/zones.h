/// tests/unit/store/zones.h: are two zones the same, in what their kind has?
#ifndef VNT_STORE_ZONES_H
#define VNT_STORE_ZONES_H

#include "cmocka_all.h"

#include "volnav/query.h"

#include <string.h>

static inline void expect_same_zone(const vn_zone* a, const vn_zone* b) {
    assert_true(a->kind == b->kind);
    assert_true(a->factor == b->factor);
    assert_true(a->flags == b->flags);
    if (a->kind == VN_ZONE_BOX)
        assert_true(memcmp(&a->box, &b->box, sizeof a->box) == 0);
    else if (a->kind == VN_ZONE_SPHERE) {
        assert_true(memcmp(&a->center, &b->center, sizeof a->center) == 0);
        assert_true(a->radius == b->radius);
    } else {
        assert_int_equal(a->plane_count, b->plane_count);
        assert_true(a->planes != b->planes);
        assert_memory_equal(a->planes, b->planes, a->plane_count * sizeof *a->planes);
    }
}

#endif
