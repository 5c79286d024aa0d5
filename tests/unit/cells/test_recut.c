/// Recutting a block: after random changes of its chunks the same bytes as cutting all of it, and the same
/// seams; what it says of cells that are gone and new; memory.
#include "blocks.h"
#include "support.h"

#include "cells/recut.h"

#include <stddef.h>
#include <stdlib.h>

/// A small box, a chunk that is filled or cleared, some voxels of a chunk, or everything.
static uint64_t edit(vnt_block* m, vni_rng* rng) {
    const uint32_t kind = vni_rng_below(rng, 24);
    const bool blocked = vni_rng_below(rng, 2);
    int32_t low[3], size[3];
    for (int i = 0; i < 3; ++i) {
        low[i] = vni_rng_range(rng, 0, m->limit[i] - 1);
        size[i] = vni_rng_range(rng, 1, 20);
        if (kind < 8) { // whole chunks
            low[i] &= -VNI_CHUNK_SIZE;
            size[i] = VNI_CHUNK_SIZE;
        }

        if (kind == 23)
            low[i] = 0, size[i] = VNI_BLOCK_SIZE;
    }

    if (kind < 20 || kind == 23)
        return vnt_block_set_box(m, low, size, blocked);
    uint64_t chunks = 0;
    for (uint32_t k = 0; k < 1 + vni_rng_below(rng, 40); ++k) { // dust
        const int32_t one[3] = {1, 1, 1};
        int32_t at[3];
        for (int i = 0; i < 3; ++i) {
            at[i] = (low[i] & -VNI_CHUNK_SIZE) + vni_rng_range(rng, 0, VNI_CHUNK_SIZE - 1);
            at[i] = at[i] < m->limit[i] ? at[i] : m->limit[i] - 1;
        }
        chunks |= vnt_block_set_box(m, at, one, vni_rng_below(rng, 3) != 0);
    }

    return chunks;
}

static uint64_t some_edits(vnt_block* m, vni_rng* rng) {
    uint64_t chunks = edit(m, rng);
    while (vni_rng_below(rng, 3) == 0)
        chunks |= edit(m, rng);
    while (vni_rng_below(rng, 5) == 0)
        chunks |= (uint64_t)1 << vni_rng_below(rng, 64); // where nothing has changed
    return chunks;
}

// --------------------------------------------------------------------------------------------- checking

static void check_same(const vni_cell_block* got, const vni_cell_block* want) {
    assert_int_equal(got->cell_count, want->cell_count);
    assert_int_equal(got->group_count, want->group_count);
    assert_int_equal(got->component_count, want->component_count);
    assert_memory_equal(got->rank_count, want->rank_count, sizeof got->rank_count);

    assert_memory_equal(got->first_of_chunk, want->first_of_chunk, sizeof got->first_of_chunk);
    if (want->cell_count)
        assert_memory_equal(got->cells, want->cells, want->cell_count * sizeof *want->cells);

    if (want->group_count)
        assert_memory_equal(got->groups, want->groups, want->group_count * sizeof *want->groups);

    for (int face = 0; face < VNI_FACES; ++face)
        if (want->rank_count[face])
            assert_memory_equal(got->ranked[face], want->ranked[face],
                                want->rank_count[face] * sizeof(uint32_t));

    assert_int_equal(got->references, 1);
}

static void check_same_seam(const vni_seam* got, const vni_seam* want) {
    assert_int_equal(got->a_count, want->a_count);
    assert_int_equal(got->b_count, want->b_count);
    assert_int_equal(got->group_count, want->group_count);
    assert_memory_equal(got->first, want->first, (got->a_count + got->b_count + 1) * sizeof *got->first);
    if (got->group_count)
        assert_memory_equal(got->groups, want->groups, got->group_count * sizeof *got->groups);
}

/// Apart from the indices of cells.
static void check_same_lists(const vni_seam* got, const vni_seam* old) {
    assert_true(got->a_count == old->a_count);
    assert_true(got->b_count == old->b_count);
    assert_memory_equal(got->first, old->first, (got->a_count + got->b_count + 1) * sizeof *got->first);
    for (uint32_t i = 0; i < got->group_count; ++i)
        assert_memory_equal(&got->groups[i], &old->groups[i], offsetof(vni_link_group, to));
}

/// The mixed chunk that a cell was cut in, or VNI_CHUNK_COUNT if it is made of whole ones.
static uint32_t chunk_of(const vni_cell_block* block, uint32_t cell) {
    for (uint32_t c = 0; c < VNI_CHUNK_COUNT; ++c)
        if (cell >= block->first_of_chunk[c] && cell < block->first_of_chunk[c + 1])
            return c;
    return VNI_CHUNK_COUNT;
}

/// The cell with the same box from the same place, or VNI_NO_CELL. Boxes of a block are disjoint.
static uint32_t find_box(const vni_cell_block* in, const vni_cell_block* block, uint32_t cell) {
    const vni_cell* c = &block->cells[cell];
    for (uint32_t i = 0; i < in->cell_count; ++i)
        if (memcmp(in->cells[i].low, c->low, 3) == 0 && memcmp(in->cells[i].high, c->high, 3) == 0)
            return chunk_of(in, i) == chunk_of(block, cell) ? i : VNI_NO_CELL;
    return VNI_NO_CELL;
}

static void check_report(const vni_recut_report* report, const vni_cell_block* old,
                         const vni_cell_block* now) {
    uint32_t gone = 0, made = 0, labelled = 0;
    bool same = old->component_count == now->component_count;
    unsigned char* seen = calloc(old->component_count + 1, 1);
    assert_non_null(seen);
    for (uint32_t i = 0; i < old->cell_count; ++i) {
        const uint32_t to = find_box(now, old, i);
        assert_int_equal(report->remap[i], to);
        if (to == VNI_NO_CELL) {
            assert_true(gone < report->gone_count);
            assert_int_equal(report->gone[gone++], i);
            continue;
        }

        same = same && old->cells[i].component == now->cells[to].component;
        seen[old->cells[i].component] = 1;
    }

    for (uint32_t i = 0; i < now->cell_count; ++i)
        if (find_box(old, now, i) == VNI_NO_CELL) {
            assert_true(made < report->made_count);
            assert_int_equal(report->made[made++], i);
        }

    for (uint32_t i = 0; i < old->component_count; ++i)
        labelled += seen[i];

    free(seen);
    assert_int_equal(report->gone_count, gone);
    assert_int_equal(report->made_count, made);
    assert_int_equal(report->link_change, (int64_t)vni_count_links(now->groups, now->group_count) -
                                              (int64_t)vni_count_links(old->groups, old->group_count));
    assert_int_equal(report->same_components, same && labelled == old->component_count);
}

/// Faces that have not changed have the same rectangles in the same ranks.
static void check_rim(const vni_recut_report* report, const vni_cell_block* old, const vni_cell_block* now) {
    for (uint32_t face = 0; face < VNI_FACES; ++face) {
        if (report->rim_changed >> face & 1)
            continue;
        assert_int_equal(old->rank_count[face], now->rank_count[face]);
        for (uint32_t i = 0; i < now->rank_count[face]; ++i) {
            const vni_cell *p = &old->cells[old->ranked[face][i]], *q = &now->cells[now->ranked[face][i]];
            assert_memory_equal(p->low, q->low, sizeof p->low);
            assert_memory_equal(p->high, q->high, sizeof p->high);
        }
    }
}

/// Edits, recuts, compares. Returns the cells before, which are the caller's then, and the faces that may
/// have changed.
static vni_cell_block* step(vnt_block* m, vni_rng* rng, vni_cut* cut, const vn_allocator* allocator,
                            bool brute, uint32_t* rim_changed) {
    const uint64_t touched = some_edits(m, rng);
    vni_cell_block* old = m->cells;
    vni_recut_report report;
    vnt_block_pack(m, allocator);
    m->cells = vni_recut_block(cut, allocator, old, m->block, m->limit, touched, &report, NULL);
    assert_non_null(m->cells);
    *rim_changed = report.rim_changed;

    check_rim(&report, old, m->cells);
    if (brute)
        check_report(&report, old, m->cells);

    vni_cell_block* want = vni_cut_block(cut, allocator, m->block, m->limit);
    assert_non_null(want);
    check_same(m->cells, want);
    vni_cell_block_release(allocator, want);
    return old;
}

// ------------------------------------------------------------------------------------------------- tests

/// Dense dust has very many cells: a few rounds of it will do.
static uint32_t rounds_of(const vnt_block* m, uint32_t rounds) {
    return m->cells->cell_count < 4000 ? rounds : rounds / 12;
}

static void test_edits(void** state) {
    (void)state;
    static vnt_block m;
    uint32_t rim_changed;
    vni_rng rng = vni_rng_make(vnt_seed("recut", 501));
    vnt_memory memory = vnt_memory_make();
    vn_allocator allocator = vnt_memory_allocator(&memory);
    vni_cut cut;

    assert_true(vni_cut_make(&allocator, &cut));
    for (uint32_t i = 0; i < vnt_scale(30, 1000); ++i) {
        vnt_block_make(&m, &rng, &cut, &allocator);
        for (uint32_t k = 0; k < rounds_of(&m, i == 0 ? 100 : 12); ++k)
            vni_cell_block_release(&allocator,
                                   step(&m, &rng, &cut, &allocator, m.cells->cell_count < 400, &rim_changed));
        vnt_block_free(&m, &allocator);
    }

    vni_cut_free(&cut);
    assert_int_equal(memory.live_blocks, 0);
    assert_false(memory.mismatch);
}

/// A cell that stays as it is may still go over to another component: its door to one closes, that to the
/// other opens, and both have cells that come before it.
static void test_goes_over(void** state) {
    (void)state;
    static vnt_block m;
    static const int32_t zero[3] = {0, 0, 0}, all[3] = {64, 64, 64};
    static const int32_t hole[3] = {20, 20, 4}, four[3] = {4, 4, 4};
    static const int32_t way_y[3] = {21, 16, 5}, from_y[3] = {21, 12, 5}, along_y[3] = {1, 4, 1};
    static const int32_t way_x[3] = {16, 21, 5}, from_x[3] = {12, 21, 5}, along_x[3] = {4, 1, 1};
    vn_allocator allocator = vn_default_allocator();
    vni_cut cut;
    vni_recut_report report;
    assert_true(vni_cut_make(&allocator, &cut));
    memcpy(m.limit, all, sizeof all);
    vnt_block_set_box(&m, zero, all, true);
    vnt_block_set_box(&m, hole, four, false);
    vnt_block_set_box(&m, from_x, along_x, false);
    vnt_block_set_box(&m, from_y, along_y, false);
    vnt_block_set_box(&m, way_y, along_y, false);
    vnt_block_pack(&m, &allocator);
    vni_cell_block* old = vni_cut_block(&cut, &allocator, m.block, m.limit);
    const uint64_t touched =
        vnt_block_set_box(&m, way_y, along_y, true) | vnt_block_set_box(&m, way_x, along_x, false);
    vnt_block_pack(&m, &allocator);
    m.cells = vni_recut_block(&cut, &allocator, old, m.block, m.limit, touched, &report, NULL);
    assert_true(old);
    assert_true(m.cells);
    assert_int_equal(report.gone_count, 1);
    assert_int_equal(report.made_count, 1);
    assert_int_equal(m.cells->component_count, old->component_count);
    assert_false(report.same_components);
    check_report(&report, old, m.cells);
    vni_cell_block_release(&allocator, old);
    vnt_block_free(&m, &allocator);
    vni_cut_free(&cut);
}

/// Two components change places when the first cell of one is gone: labels are in order of the first cells.
static void test_order(void** state) {
    (void)state;
    static vnt_block m;
    static const int32_t zero[3] = {0, 0, 0}, all[3] = {64, 64, 64};
    static const int32_t lone[3] = {2, 1, 1}, eight[3] = {8, 1, 1};
    static const int32_t first[3] = {20, 5, 5}, second[3] = {36, 9, 3};
    static const int32_t long_tunnel[3] = {40, 1, 1}, tunnel[3] = {24, 1, 1}, part[3] = {12, 1, 1};
    vn_allocator allocator = vn_default_allocator();
    vni_cut cut;
    vni_recut_report report;
    assert_true(vni_cut_make(&allocator, &cut));
    memcpy(m.limit, all, sizeof all);
    vnt_block_set_box(&m, zero, all, true);
    vnt_block_set_box(&m, lone, eight, false);
    vnt_block_set_box(&m, first, long_tunnel, false);
    vnt_block_set_box(&m, second, tunnel, false);
    vnt_block_pack(&m, &allocator);
    vni_cell_block* old = vni_cut_block(&cut, &allocator, m.block, m.limit);
    const uint64_t touched = vnt_block_set_box(&m, first, part, true);
    vnt_block_pack(&m, &allocator);
    m.cells = vni_recut_block(&cut, &allocator, old, m.block, m.limit, touched, &report, NULL);
    vni_cell_block* want = vni_cut_block(&cut, &allocator, m.block, m.limit);
    assert_true(old);
    assert_true(m.cells);
    assert_true(want);
    assert_true(old->component_count == 3);
    check_same(m.cells, want);
    assert_false(report.same_components);
    vni_cell_block_release(&allocator, want);
    vni_cell_block_release(&allocator, old);
    vnt_block_free(&m, &allocator);
    vni_cut_free(&cut);
}

/// How often the shortcuts of recut seams are taken.
typedef struct shortcuts {
    uint32_t shared, renamed;
} shortcuts;

/// Recuts the seam `before` between two blocks that may have changed: as if it were cut anew.
static void check_seam(vni_cut* cut, const vn_allocator* allocator, vni_seam* before, const vni_seam_side* a,
                       const vni_seam_side* b, int axis, shortcuts* taken) {
    vni_seam* want = vni_cut_seam(cut, allocator, a->now, b->now, axis);
    bool same_lists;
    vni_seam* got = vni_recut_seam(cut, allocator, before, a, b, axis, &same_lists);
    assert_non_null(got);

    check_same_seam(got, want);
    if (same_lists)
        check_same_lists(got, before);

    assert_int_equal(got->references, got == before ? 2 : 1);
    taken->shared += got == before;
    taken->renamed += got != before && got->group_count == before->group_count;
    vni_seam_release(allocator, want);
    vni_seam_release(allocator, got);
    vni_seam_release(allocator, before);
}

/// Three neighbours in a row along each axis; some of them change.
static void test_seams(void** state) {
    (void)state;
    static vnt_block m[3];
    vni_rng rng = vni_rng_make(vnt_seed("recut seams", 502));
    vnt_memory memory = vnt_memory_make();
    vn_allocator allocator = vnt_memory_allocator(&memory);
    vni_cut cut;
    shortcuts taken = {0, 0};

    assert_true(vni_cut_make(&allocator, &cut));
    for (uint32_t i = 0; i < vnt_scale(12, 400); ++i) {
        for (int k = 0; k < 3; ++k)
            vnt_block_make(&m[k], &rng, &cut, &allocator);

        for (uint32_t round = 0; round < rounds_of(&m[i % 3], 12); ++round) {
            const uint32_t changing = 1 + vni_rng_below(&rng, 7); // bits
            const int axis = (int)vni_rng_below(&rng, 3);
            vni_seam* before[2];
            vni_cell_block* old[3];

            uint32_t rims[3] = {0, 0, 0};
            for (int k = 0; k < 2; ++k)
                before[k] = vni_cut_seam(&cut, &allocator, m[k].cells, m[k + 1].cells, axis);

            for (int k = 0; k < 3; ++k)
                old[k] =
                    changing >> k & 1 ? step(&m[k], &rng, &cut, &allocator, false, &rims[k]) : m[k].cells;

            for (int k = 0; k < 2; ++k) {
                const vni_seam_side a = {old[k], m[k].cells, rims[k] >> (2 * axis + 1) & 1};
                const vni_seam_side b = {old[k + 1], m[k + 1].cells, rims[k + 1] >> 2 * axis & 1};
                check_seam(&cut, &allocator, before[k], &a, &b, axis, &taken);
            }

            for (int k = 0; k < 3; ++k)
                if (old[k] != m[k].cells)
                    vni_cell_block_release(&allocator, old[k]);
        }

        for (int k = 0; k < 3; ++k)
            vnt_block_free(&m[k], &allocator);
    }

    vni_cut_free(&cut);
    assert_int_equal(memory.live_blocks, 0);
    assert_true(taken.shared > 5);
    assert_true(taken.renamed > 5);
}

/// Once the scratch has grown, a block is one allocation and a seam at most one.
static void test_steady_state(void** state) {
    (void)state;
    static vnt_block m, other;
    vni_rng rng = vni_rng_make(vnt_seed("recut memory", 503));
    vnt_memory memory = vnt_memory_make();
    vn_allocator counted = vnt_memory_allocator(&memory), allocator = vn_default_allocator();
    vni_cut cut;
    assert_true(vni_cut_make(&counted, &cut));
    vnt_block_make(&m, &rng, &cut, &allocator);

    vnt_block_make(&other, &rng, &cut, &allocator);
    for (uint32_t round = 0; round < 2; ++round) {
        vni_rng same = vni_rng_make(7); // the same edits twice: the second time nothing is new
        const uint64_t calls = memory.calls;
        uint32_t made = 0;
        for (uint32_t k = 0; k < 40; ++k) {
            const int32_t low[3] = {vni_rng_range(&same, 0, 40), vni_rng_range(&same, 0, 40), 20};
            const int32_t size[3] = {8, 8, 8};
            const uint64_t touched = vnt_block_set_box(&m, low, size, k % 3 != 0);
            vni_cell_block* old = m.cells;
            vni_recut_report report;
            vni_seam* seam = vni_cut_seam(&cut, &allocator, old, other.cells, 0);
            vnt_block_pack(&m, &allocator);
            m.cells = vni_recut_block(&cut, &counted, old, m.block, m.limit, touched, &report, NULL);
            assert_non_null(m.cells);
            ++made;
            bool same_lists;
            const vni_seam_side a = {old, m.cells, report.rim_changed >> 1 & 1};
            const vni_seam_side b = {other.cells, other.cells, false};
            vni_seam* now = vni_recut_seam(&cut, &counted, seam, &a, &b, 0, &same_lists);
            assert_non_null(now);
            made += now != seam;
            vni_seam_release(now == seam ? &allocator : &counted, now);
            vni_seam_release(&allocator, seam);
            vni_cell_block_release(k == 0 ? &allocator : &counted, old);
        }

        if (round == 1)
            assert_int_equal(memory.calls - calls, made);

        vni_cell_block_release(&counted, m.cells);
        m.cells = vni_cut_block(&cut, &allocator, m.block, m.limit);
    }

    vnt_block_free(&m, &allocator);
    vnt_block_free(&other, &allocator);
    vni_cut_free(&cut);
    assert_int_equal(memory.live_blocks, 0);
}

/// One block and one seam, from an empty scratch, with one allocation failing after the other.
static bool try_all(const vn_allocator* allocator, const vnt_block* m, vni_cell_block* old, vni_seam* seam,
                    uint64_t touched) {
    vni_cut cut;
    vni_recut_report report;
    if (!vni_cut_make(allocator, &cut))
        return false;

    vni_cell_block* now = vni_recut_block(&cut, allocator, old, m->block, m->limit, touched, &report, NULL);
    if (!now) {
        assert_true(!report.remap);
        assert_true(report.gone_count == 0);
        assert_true(report.made_count == 0);
    }

    bool same_lists;
    const vni_seam_side a = {old, now, true}, b = {old, old, false};
    vni_seam* joined = now != NULL ? vni_recut_seam(&cut, allocator, seam, &a, &b, 1, &same_lists) : NULL;
    const bool done = joined != NULL;
    vni_seam_release(allocator, joined);
    vni_cell_block_release(allocator, now);
    vni_cut_free(&cut);

    return done;
}

static void test_out_of_memory(void** state) {
    (void)state;
    static vnt_block m;
    vni_rng rng = vni_rng_make(vnt_seed("recut failures", 504));
    vn_allocator allocator = vn_default_allocator();
    vni_cut cut;
    uint32_t failures = 0;

    assert_true(vni_cut_make(&allocator, &cut));
    for (uint32_t i = 0; i < vnt_scale(6, 60); ++i) {
        vnt_block_make(&m, &rng, &cut, &allocator);
        vni_seam* seam = vni_cut_seam(&cut, &allocator, m.cells, m.cells, 1);
        const uint64_t touched = some_edits(&m, &rng);
        vnt_block_pack(&m, &allocator);
        for (uint64_t fail_at = 0;; ++fail_at) {
            vnt_memory memory = vnt_memory_make();
            vn_allocator failing = vnt_memory_allocator(&memory);
            memory.fail_at = fail_at;
            const uint32_t references = seam->references;
            const bool done = try_all(&failing, &m, m.cells, seam, touched);
            assert_int_equal(memory.live_blocks, 0);
            assert_false(memory.mismatch);
            assert_int_equal(seam->references, references);
            assert_int_equal(done, !memory.failed);
            failures += !done;

            if (done)
                break;
        }

        vni_seam_release(&allocator, seam);
        vnt_block_free(&m, &allocator);
    }

    vni_cut_free(&cut);
    assert_true(failures > 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edits),        cmocka_unit_test(test_goes_over),
        cmocka_unit_test(test_order),        cmocka_unit_test(test_seams),
        cmocka_unit_test(test_steady_state), cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests_name("cells/recut", tests, NULL, NULL);
}
