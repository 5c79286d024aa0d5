/// The rules of jump point search against their definition: a step from x to n is left out exactly if, within
/// the 3x3x3, some way leads from p to n without x that is shorter, or as long and ends with a better step.
/// All patterns of the 26 voxels around x in long runs; else those that differ by more than a symmetry after
/// a straight step, and for every direction all patterns of the voxels that a step depends on.
#include "cmocka_all.h"
#include "support.h"

#include "base/rng.h"
#include "classic/jps_rules.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CENTRE    13
#define ALL_27    0x7ffffffu
#define MAX_MASKS 64

static vni_occupancy occupancy;
static vni_grid grids[2]; // 6 and 26 neighbours
static vni_jps_rules rules[2];

/// Steps of each kind: costs compare exactly, because 1, sqrt 2 and sqrt 3 have no common measure.
typedef struct cost {
    int count[3];
} cost;

static cost plus_step(cost c, uint32_t direction) {
    ++c.count[direction < 6 ? 0 : direction < 18 ? 1 : 2];
    return c;
}

static double value(cost c) {
    return c.count[0] + c.count[1] * sqrt(2.0) + c.count[2] * sqrt(3.0);
}

static bool is_equal(cost a, cost b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

/// The cell one step on; -1 outside the 3x3x3.
static int cell_after(const vni_grid* grid, int cell, uint32_t direction) {
    int at[3] = {cell % 3, cell / 3 % 3, cell / 9};
    for (int i = 0; i < 3; ++i) {
        at[i] += grid->step[direction][i];
        if (at[i] < 0 || at[i] > 2)
            return -1;
    }

    return at[0] + 3 * at[1] + 9 * at[2];
}

/// Cells of the box that a step spans.
static uint32_t box_of(int from, int to) {
    uint32_t box = 0;
    for (int cell = 0; cell < 27; ++cell) {
        bool is_in = true;
        for (int i = 0, unit = 1; i < 3; ++i, unit *= 3) {
            int a = from / unit % 3, b = to / unit % 3, c = cell / unit % 3;
            is_in &= (a <= c && c <= b) || (b <= c && c <= a);
        }

        if (is_in)
            box |= 1u << cell;
    }

    return box;
}

static int parent_cell(const vni_grid* grid, uint32_t arrival) {
    const int32_t* by = grid->step[arrival];
    return CENTRE - by[0] - 3 * by[1] - 9 * by[2];
}

// ------------------------------------------------------------- the definition, once for all patterns

/// For a step: what must be free for each of the ways that beat it.
typedef struct beaten {
    uint32_t needs, count, masks[MAX_MASKS];
} beaten;

static void add_mask(beaten* b, uint32_t mask) {
    for (uint32_t i = 0; i < b->count; ++i)
        if ((mask & b->masks[i]) == b->masks[i])
            return;

    uint32_t kept = 0;
    for (uint32_t i = 0; i < b->count; ++i)
        if ((mask & b->masks[i]) != mask)
            b->masks[kept++] = b->masks[i];

    b->count = kept;
    assert_true(b->count < MAX_MASKS);
    b->masks[b->count++] = mask;
}

/// Follows all ways from `cell` that do not pass through the centre and are no longer than `limit`.
static void follow(const vni_grid* grid, int cell, int to, cost so_far, cost limit, uint32_t mask,
                   uint32_t last, uint32_t step_rank, beaten* out) {
    if (cell == to && (!is_equal(so_far, limit) || vni_jps_rank(grid, last) < step_rank))
        add_mask(out, mask);

    for (uint32_t d = 0; d < grid->neighbours; ++d) {
        int next = cell_after(grid, cell, d);
        cost longer = plus_step(so_far, d);
        if (next < 0 || next == CENTRE || (!is_equal(longer, limit) && value(longer) > value(limit)))
            continue;
        follow(grid, next, to, longer, limit, mask | box_of(cell, next), d, step_rank, out);
    }
}

static void define(const vni_grid* grid, uint32_t arrival, beaten out[VNI_GRID_DIRECTIONS]) {
    int from = parent_cell(grid, arrival);
    memset(out, 0, VNI_GRID_DIRECTIONS * sizeof *out);
    for (uint32_t n = 0; n < grid->neighbours; ++n) {
        cost zero = {{0, 0, 0}}, limit = plus_step(plus_step(zero, arrival), n);
        int to = cell_after(grid, CENTRE, n);
        out[n].needs = box_of(CENTRE, to);
        follow(grid, from, to, zero, limit, 0, 0, vni_jps_rank(grid, n), &out[n]);
    }
}

static bool is_taken(const beaten* b, uint32_t free) {
    if ((free & b->needs) != b->needs)
        return false;
    for (uint32_t i = 0; i < b->count; ++i)
        if ((free & b->masks[i]) == b->masks[i])
            return false;
    return true;
}

/// Steps that are never taken, whatever is free, need not be asked about each time.
static uint32_t possible(const vni_grid* grid, const beaten* all) {
    uint32_t set = 0;
    for (uint32_t n = 0; n < grid->neighbours; ++n) {
        bool is_possible = true;
        for (uint32_t i = 0; i < all[n].count; ++i)
            is_possible &= (all[n].masks[i] & ~all[n].needs) != 0;
        if (is_possible)
            set |= 1u << n;
    }

    return set;
}

static uint32_t defined(const beaten* all, uint32_t candidates, uint32_t free) {
    uint32_t set = 0;
    for (; candidates; candidates &= candidates - 1) {
        uint32_t n = vni_lowest_bit(candidates);
        set |= (uint32_t)is_taken(&all[n], free) << n;
    }
    return set;
}

/// What is free in any case: x, p, and the box between them.
static uint32_t always_free(const vni_grid* grid, uint32_t arrival) {
    return box_of(CENTRE, parent_cell(grid, arrival));
}

static void check(const vni_jps_rules* r, uint32_t arrival, const beaten* all, uint32_t candidates,
                  uint32_t free) {
    uint32_t want = defined(all, candidates, free), got = vni_jps_successors(r, arrival, free);
    bool is_forced = (got & ~r->natural[arrival]) != 0;
    if (want != got || is_forced != vni_jps_is_forced(r, arrival, free))
        printf("arrival %u, free %07x: %07x, should be %07x\n", arrival, free, got, want);
    assert_int_equal(got, want);
    assert_int_equal(vni_jps_is_forced(r, arrival, free), is_forced);
}

static int make_grids(void** state) {
    (void)state;
    vn_allocator allocator = vn_default_allocator();
    vn_voxel dims = {3, 3, 3};
    assert_int_equal(vni_occupancy_make(&allocator, dims, &occupancy, NULL), VN_OK);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(vni_grid_make(&occupancy, i ? 26 : 6, &grids[i], NULL), VN_OK);
        vni_jps_rules_make(&grids[i], &rules[i]);
    }

    return 0;
}

static int free_grids(void** state) {
    (void)state;
    vni_occupancy_free(&occupancy);
    return 0;
}

// ------------------------------------------------------------------------------ the definition, literally

/// Is there a way from `cell` through free cells, not through the centre, that beats the step?
static bool is_beaten(const vni_grid* grid, uint32_t free, int cell, int to, cost so_far, cost limit,
                      uint32_t last, uint32_t rank) {
    if (cell == to && (!is_equal(so_far, limit) || vni_jps_rank(grid, last) < rank))
        return true;
    for (uint32_t d = 0; d < grid->neighbours; ++d) {
        int next = cell_after(grid, cell, d);
        cost longer = plus_step(so_far, d);
        if (next < 0 || next == CENTRE || (!is_equal(longer, limit) && value(longer) > value(limit)))
            continue;

        uint32_t box = box_of(cell, next);
        if ((free & box) == box && is_beaten(grid, free, next, to, longer, limit, d, rank))
            return true;
    }

    return false;
}

static void test_literally(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("jps rules", 311));
    for (uint32_t round = 0; round < vnt_scale(20, 2000); ++round)
        for (int i = 0; i < 2; ++i)
            for (uint32_t arrival = 0; arrival < grids[i].neighbours; ++arrival) {
                const vni_grid* grid = &grids[i];
                uint32_t free = (uint32_t)vni_rng_next(&rng), want = 0;
                if (round % 2)
                    free |= (uint32_t)vni_rng_next(&rng); // fewer are blocked

                free = (free & ALL_27) | always_free(grid, arrival);
                for (uint32_t n = 0; n < grid->neighbours; ++n) {
                    int to = cell_after(grid, CENTRE, n);
                    uint32_t box = box_of(CENTRE, to);
                    cost zero = {{0, 0, 0}}, limit = plus_step(plus_step(zero, arrival), n);
                    if ((free & box) == box && !is_beaten(grid, free, parent_cell(grid, arrival), to, zero,
                                                          limit, 0, vni_jps_rank(grid, n)))
                        want |= 1u << n;
                }

                assert_int_equal(vni_jps_successors(&rules[i], arrival, free), want);
            }
}

// ---------------------------------------------------------------------------------------------- patterns

/// For every direction of arrival and every step: all patterns of the voxels that the step depends on by the
/// definition, the others at random.
static void test_what_matters(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("jps rules by step", 312));
    uint32_t most = 0;
    for (int i = 0; i < 2; ++i)
        for (uint32_t arrival = 0; arrival < grids[i].neighbours; ++arrival) {
            beaten all[VNI_GRID_DIRECTIONS];
            define(&grids[i], arrival, all);
            uint32_t fixed = always_free(&grids[i], arrival), candidates = possible(&grids[i], all);
            for (uint32_t left = candidates; left; left &= left - 1) {
                const beaten* b = &all[vni_lowest_bit(left)];
                uint32_t matters = b->needs;
                for (uint32_t k = 0; k < b->count; ++k)
                    matters |= b->masks[k];

                matters &= ~fixed;
                most = vni_popcount(matters) > most ? vni_popcount(matters) : most;
                uint32_t pattern = 0;
                do {
                    uint32_t others = (uint32_t)vni_rng_next(&rng) & ALL_27 & ~matters;
                    check(&rules[i], arrival, all, candidates, pattern | others | fixed);
                    pattern = ((pattern | ~matters) + 1) & matters;
                } while (pattern);
            }
        }

    printf("a step depends on up to %u voxels\n", most);
    assert_true(most <= 14);
}

/// The ring of eight around a layer's middle, turned and mirrored.
static uint32_t moved_layer(uint32_t layer, uint32_t symmetry) {
    uint32_t out = 0;
    for (int cell = 0; cell < 9; ++cell) {
        int x = cell % 3, y = cell / 3, swap;
        if (symmetry & 1)
            x = 2 - x;

        if (symmetry & 2)
            y = 2 - y;

        if (symmetry & 4) {
            swap = x;
            x = y;
            y = swap;
        }

        out |= (layer >> cell & 1) << (x + 3 * y);
    }

    return out;
}

static uint32_t moved(uint32_t cells, uint32_t symmetry) {
    return moved_layer(cells & 511, symmetry) | moved_layer(cells >> 9 & 511, symmetry) << 9 |
           moved_layer(cells >> 18 & 511, symmetry) << 18;
}

static uint32_t cells_of(const vni_grid* grid, uint32_t directions) {
    uint32_t cells = 0;
    for (; directions; directions &= directions - 1)
        cells |= 1u << cell_after(grid, CENTRE, vni_lowest_bit(directions));
    return cells;
}

/// After a straight step up: the rules turn and mirror with the space, so that one pattern of each kind of
/// surroundings of p stands for all of them; with it all patterns of the other two layers.
static void test_symmetry_classes(void** state) {
    (void)state;
    const vni_grid* grid = &grids[1];
    const uint32_t up = vni_jps_direction(&rules[1], 0, 0, 1);
    vni_rng rng = vni_rng_make(vnt_seed("jps symmetry", 313));
    beaten all[VNI_GRID_DIRECTIONS];
    define(grid, up, all);

    uint32_t candidates = possible(grid, all), classes = 0, fixed = always_free(grid, up);
    for (uint32_t round = 0; round < vnt_scale(5000, 500000); ++round) {
        uint32_t free = ((uint32_t)vni_rng_next(&rng) & ALL_27) | fixed, symmetry = vni_rng_below(&rng, 8);
        uint32_t here = cells_of(grid, vni_jps_successors(&rules[1], up, free));
        uint32_t there = cells_of(grid, vni_jps_successors(&rules[1], up, moved(free, symmetry)));
        assert_int_equal(moved(here, symmetry), there);
    }

    for (uint32_t layer = 0; layer < 512; ++layer) {
        bool is_least = (layer & 16) != 0;
        for (uint32_t symmetry = 1; symmetry < 8; ++symmetry)
            is_least &= layer <= moved_layer(layer, symmetry);

        if (!is_least)
            continue;
        ++classes;
        uint32_t step = vnt_scale(7, 1); // of the layer ahead: prime to its 512 patterns
        for (uint32_t k = 0, ahead = 0; k < 512 / step; ++k, ahead = (ahead + 7) % 512)
            for (uint32_t ring = 0; ring < 512; ++ring)
                if (ring & 16)
                    check(&rules[1], up, all, candidates, layer | ring << 9 | ahead << 18);
    }

    printf("%u classes of surroundings\n", classes);
    assert_int_equal(classes, 51);
}

/// Long runs: all 2^26 patterns, for one direction of each kind; those in which the step to x was impossible
/// are left out.
static void test_all_patterns(void** state) {
    (void)state;
    const uint32_t arrivals[3] = {vni_jps_direction(&rules[1], 1, 0, 0),
                                  vni_jps_direction(&rules[1], 1, -1, 0),
                                  vni_jps_direction(&rules[1], -1, 1, 1)};
    if (vnt_scale(0, 1) == 0)
        skip();

    for (int k = 0; k < 3; ++k) {
        beaten all[VNI_GRID_DIRECTIONS];
        define(&grids[1], arrivals[k], all);
        uint32_t fixed = always_free(&grids[1], arrivals[k]), candidates = possible(&grids[1], all);
        uint32_t pattern = 0, varied = ALL_27 & ~fixed;

        uint64_t count = 0;
        do {
            uint32_t free = pattern | fixed;
            if (vni_jps_successors(&rules[1], arrivals[k], free) != defined(all, candidates, free))
                check(&rules[1], arrivals[k], all, candidates, free);
            ++count;
            pattern = ((pattern | ~varied) + 1) & varied;
        } while (pattern);

        printf("%llu patterns\n", (unsigned long long)count);
        assert_true(count == (uint64_t)1 << vni_popcount(varied));
    }
}

/// The start takes every step that there is.
static void test_start(void** state) {
    (void)state;
    for (int i = 0; i < 2; ++i) {
        uint32_t all = grids[i].neighbours == 26 ? 0x3ffffffu : 0x3fu;
        assert_int_equal(vni_jps_successors(&rules[i], VNI_JPS_NO_ARRIVAL, ALL_27), all);
        assert_int_equal(vni_jps_successors(&rules[i], VNI_JPS_NO_ARRIVAL, 1u << CENTRE), 0);
        uint32_t right = vni_jps_direction(&rules[i], 1, 0, 0);
        assert_int_equal(vni_jps_successors(&rules[i], VNI_JPS_NO_ARRIVAL, 3u << CENTRE), 1u << right);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_literally),
        cmocka_unit_test(test_what_matters),
        cmocka_unit_test(test_symmetry_classes),
        cmocka_unit_test(test_all_patterns),
        cmocka_unit_test(test_start),
    };

    return cmocka_run_group_tests_name("classic/jps_rules", tests, make_grids, free_grids);
}
