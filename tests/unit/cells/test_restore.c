/// Cells from what a file stores of them: the same as before, and proved; whatever is changed in between is
/// refused, or left unproved, or right after all.
#include "cmocka_all.h"
#include "support.h"
#include "tests/oracle/cells_validate.h"
#include "voxels.h"

#include "base/alloc.h"
#include "cells/restore.h"
#include "space/space.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------- storing

/// Words to be read again, in memory of just their size.
typedef struct words {
    uint32_t* data;
    uint32_t count, capacity;
} words;

static void put(words* w, uint32_t value) {
    if (w->count == w->capacity) {
        w->capacity = 2 * w->capacity + 16;
        w->data = realloc(w->data, w->capacity * sizeof *w->data);
        assert_non_null(w->data);
    }

    w->data[w->count++] = value;
}

static uint32_t links_of(const vni_link_group* group) {
    uint32_t links = 0;
    while (links < 4 && group->to[links] != VNI_NO_CELL)
        ++links;
    return links;
}

static void put_cell(words* w, const vni_cell* cell) {
    uint8_t sides[8] = {
        cell->low[0], cell->low[1], cell->low[2], cell->high[0], cell->high[1], cell->high[2], 0, 0};
    uint32_t two[2];
    memcpy(two, sides, sizeof two);
    put(w, two[0]);
    put(w, two[1]);
    put(w, cell->component);
}

static words store_block(const vni_cell_block* block, vni_stored_block* head) {
    words w = {0};
    memset(head, 0, sizeof *head);
    head->cell_count = block->cell_count;
    head->group_count = block->group_count;
    head->component_count = block->component_count;
    memcpy(head->rank_count, block->rank_count, sizeof head->rank_count);
    memcpy(head->first_of_chunk, block->first_of_chunk, sizeof head->first_of_chunk);
    for (uint32_t i = 0; i < block->cell_count; ++i)
        put_cell(&w, &block->cells[i]);

    const vni_link_group* group = block->groups;
    for (uint32_t i = 0; i < 6 * block->cell_count; ++i) {
        const vni_cell* cell = &block->cells[i / 6];
        const uint32_t count = vni_cell_is_on_rim(cell, i % 6) ? 0 : cell->faces[i % 6];
        for (const vni_link_group* end = group + count; group < end; ++group) {
            const uint32_t links = links_of(group);
            put(&w, (i / 6) << 3 | i % 6 | (links - 1) << 30);
            for (uint32_t k = 0; k < links; ++k)
                put(&w, group->to[k]);
            head->link_count += links;
        }
    }

    return w;
}

static words store_seam(const vni_seam* seam, vni_stored_seam* head) {
    words w = {0};
    *head = (vni_stored_seam){seam->a_count, seam->b_count, 0, seam->group_count};
    for (uint32_t i = 0; i < seam->a_count + seam->b_count; ++i) {
        uint32_t links = 0;
        for (uint32_t g = seam->first[i]; g < seam->first[i + 1]; ++g)
            links += links_of(&seam->groups[g]);
        put(&w, links);
        head->link_count += links;
    }

    for (uint32_t g = 0; g < seam->group_count; ++g)
        for (uint32_t k = 0; k < links_of(&seam->groups[g]); ++k)
            put(&w, seam->groups[g].to[k]);
    return w;
}

// ----------------------------------------------------------------------------------------------- restoring

/// Cells without blocks and seams, with all else of others.
static vni_cells empty_copy(const vni_cells* from) {
    vni_cells c = *from;
    const uint64_t count = vni_cells_block_count(from), components = from->component_base[count];
    c.table = (vni_cell_block**)vni_alloc_zero(&c.allocator, count, sizeof *c.table);
    c.views = VNI_NEW_ARRAY(&c.allocator, vni_block_view, count);
    c.base = VNI_NEW_ARRAY(&c.allocator, uint32_t, count + 1);
    c.component_base = VNI_NEW_ARRAY(&c.allocator, uint32_t, count + 1);
    c.components = VNI_NEW_ARRAY(&c.allocator, uint32_t, components);
    for (int i = 0; i < 3; ++i)
        c.seams[i] = (vni_seam**)vni_alloc_zero(&c.allocator, count, sizeof *c.seams[i]);
    memcpy(c.views, from->views, count * sizeof *c.views);
    memcpy(c.base, from->base, (count + 1) * sizeof *c.base);
    memcpy(c.component_base, from->component_base, (count + 1) * sizeof *c.component_base);
    if (components > 0)
        memcpy(c.components, from->components, components * sizeof *c.components);
    return c;
}

/// What is to be changed in between, and where.
typedef struct change {
    uint32_t place; ///< 4 * block + axis of a seam, or 3 for the block itself; UINT32_MAX: nowhere
    uint32_t word;  ///< that is changed; of the other kinds: the number of the group or list
    uint32_t by;    ///< what is xored
    enum { XOR, DROP, SWAP, FLIP, ADD } kind;
} change;

static void drop_words(words* w, uint32_t at, uint32_t count) {
    memmove(w->data + at, w->data + at + count, (w->count - at - count) * sizeof *w->data);
    w->count -= count;
}

/// Whether the last change was one of the order of links.
static bool has_swapped;

static void swap_words(words* w, uint32_t a, uint32_t b) {
    const uint32_t value = w->data[a];
    has_swapped = true;
    w->data[a] = w->data[b];
    w->data[b] = value;
}

/// Leaves out a group of a block, moves it to the opposite face, adds a link to the end, or swaps two links
/// of a list.
static void change_groups(words* w, vni_stored_block* head, const change* c) {
    uint32_t at = 3 * head->cell_count, before = at;
    for (uint32_t i = 0; i < c->word % head->group_count; ++i) {
        before = at;
        at += 2 + (w->data[at] >> 30);
    }

    const uint32_t links = 1 + (w->data[at] >> 30);
    if (c->kind == DROP) {
        drop_words(w, at, 1 + links);
        --head->group_count;
        head->link_count -= links;
    } else if (c->kind == FLIP) {
        w->data[at] ^= 1;
    } else if (c->kind == ADD) {
        put(w, 0);
        ++head->link_count;
    } else if (before < at && w->data[before] << 2 == w->data[at] << 2) {
        swap_words(w, at - 1, at + 1); // the last of one group, and the first of the next of the same list
    } else if (links > 1) {
        swap_words(w, at + 1, at + 2);
    }
}

/// Leaves out the last link of a list of a seam, or swaps two.
static void change_lists(words* w, vni_stored_seam* head, const change* c) {
    const uint32_t lists = head->a_count + head->b_count, list = c->word % lists;
    uint32_t at = lists;
    for (uint32_t i = 0; i < list; ++i)
        at += w->data[i];

    const uint32_t links = w->data[list];
    if (c->kind == DROP && links > 0) {
        drop_words(w, at + links - 1, 1);
        --w->data[list];
        --head->link_count;
        head->group_count -= links % 4 == 1;
    } else if (c->kind == SWAP && links > 1) {
        const uint32_t k = links > 4 ? 3 : 0;
        swap_words(w, at + k, at + k + 1);
    }
}

/// Bytes that end with their memory, at an odd address: so that reading beyond them is noticed.
static uint8_t* take_bytes(words* w, const change* c, uint32_t place, uint8_t** memory) {
    const size_t size = w->count * sizeof *w->data;
    if (c->place == place && c->kind == XOR && w->count > 0)
        w->data[c->word % w->count] ^= c->by;
    *memory = malloc(size + 1);
    assert_non_null(*memory);
    if (size > 0)
        memcpy(*memory + 1, w->data, size);
    free(w->data);
    return *memory + 1;
}

static vn_status restore_block(vni_restore* r, const vni_cells* from, uint32_t i, const change* c,
                               const char** what) {
    vni_stored_block head;
    uint8_t* memory;
    words w = store_block(from->table[i], &head);
    if (c->place == 4 * i + 3 && c->kind != XOR && head.group_count > 0)
        change_groups(&w, &head, c);
    const uint8_t* bytes = take_bytes(&w, c, 4 * i + 3, &memory);
    const vn_status status = vni_restore_block(r, i % r->worker_count, i, &head, bytes, what);
    free(memory);
    if (status == VN_OK) {
        r->cells->views[i].cells = r->cells->table[i]->cells;
        r->cells->views[i].groups = r->cells->table[i]->groups;
    }

    return status;
}

static vn_status restore_seam(vni_restore* r, const vni_cells* from, uint32_t i, int axis, const change* c,
                              const char** what) {
    vni_stored_seam head;
    uint8_t* memory;
    words w = store_seam(from->seams[axis][i], &head);
    if (c->place == 4 * i + (uint32_t)axis && c->kind != XOR && head.link_count > 0)
        change_lists(&w, &head, c);
    const uint8_t* bytes = take_bytes(&w, c, 4 * i + (uint32_t)axis, &memory);
    const vn_status status = vni_restore_seam(r, i % r->worker_count, i, axis, &head, bytes, what);
    free(memory);
    return status;
}

static vn_status restore_all(vni_restore* r, const vni_cells* from, const change* c, const char** what) {
    const uint32_t count = vni_cells_block_count(from);
    vn_status status = VN_OK;
    for (uint32_t i = 0; i < count && status == VN_OK; ++i)
        status = restore_block(r, from, i, c, what);
    for (uint32_t i = 0; i < 3 * count && status == VN_OK; ++i)
        if (from->seams[i % 3][i / 3] != NULL)
            status = restore_seam(r, from, i / 3, (int)(i % 3), c, what);
    return status;
}

// --------------------------------------------------------------------------------------------------- tests

static void expect_same_block(const vni_cell_block* got, const vni_cell_block* want) {
    assert_int_equal(got->cell_count, want->cell_count);
    assert_int_equal(got->group_count, want->group_count);
    if (want->group_count > 0)
        assert_memory_equal(got->groups, want->groups, want->group_count * sizeof *want->groups);
    for (uint32_t i = 0; i < want->cell_count; ++i) {
        const vni_cell *a = &got->cells[i], *b = &want->cells[i];
        assert_memory_equal(a->low, b->low, 6);
        assert_int_equal(a->component, b->component);
        assert_int_equal(a->first_group, b->first_group);
        assert_memory_equal(a->faces, b->faces, sizeof a->faces);
    }

    for (int face = 0; face < VNI_FACES; ++face)
        if (want->rank_count[face] > 0)
            assert_memory_equal(got->ranked[face], want->ranked[face],
                                want->rank_count[face] * sizeof(uint32_t));
}

static void expect_same_seam(const vni_seam* got, const vni_seam* want) {
    assert_int_equal(got->group_count, want->group_count);
    assert_memory_equal(got->first, want->first, (want->a_count + want->b_count + 1) * sizeof(uint32_t));
    if (want->group_count > 0)
        assert_memory_equal(got->groups, want->groups, want->group_count * sizeof *want->groups);
}

static void expect_same(const vni_restore* r, const vni_cells* want) {
    for (uint32_t i = 0; i < vni_cells_block_count(want); ++i) {
        expect_same_block(r->cells->table[i], want->table[i]);
        assert_true(r->proved[VNI_PROVED_BLOCKS][i] || want->table[i]->component_count > 256);
        for (int axis = 0; axis < 3; ++axis)
            if (want->seams[axis][i] != NULL) {
                expect_same_seam(r->cells->seams[axis][i], want->seams[axis][i]);
                assert_true(r->proved[axis][i]);
            }
    }
}

/// Dust below free chunks, or beyond the face of a free block, so that these have lists of many links.
static void add_dust(vni_rng* rng, bool beyond, vnt_voxels* voxels) {
    vnt_voxels_free(voxels);
    *voxels = vnt_voxels_make((vn_voxel){70, 48, 40});
    for (uint32_t i = 0; i < 700; ++i) {
        const int32_t x = vni_rng_range(rng, beyond ? 64 : 0, 69);
        const int32_t y = vni_rng_range(rng, 0, beyond ? 47 : 15);
        vnt_voxels_block(voxels, x, y, vni_rng_range(rng, 0, 39));
    }
}

static vn_space* make_space(vni_rng* rng, uint32_t round, vnt_voxels* voxels) {
    const vn_jobs serial = vn_serial_jobs();
    vn_voxel dims = {90, 20, 70};
    if (round % 3 == 0)
        dims = (vn_voxel){30, 20, 24};
    if (round % 3 == 1)
        dims = vnt_random_dims(rng, 80);
    *voxels = vnt_voxels_random(rng, dims);
    if (round % 4 == 3)
        add_dust(rng, round % 8 == 3, voxels);
    return vnt_voxels_cells(voxels, &serial);
}

static void test_same_again(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("restore", 31));
    const change none = {.place = UINT32_MAX};
    for (uint32_t round = 0; round < vnt_scale(24, 400); ++round) {
        vnt_voxels voxels;
        vn_space* space = make_space(&rng, round, &voxels);
        vni_cells cells = empty_copy(&space->cells);
        const vn_jobs serial = vn_serial_jobs();
        const char* what = NULL;
        vni_restore r;
        assert_true(vni_restore_make(&cells, &space->occupancy, 1 + round % 3, &r));
        assert_int_equal(restore_all(&r, &space->cells, &none, &what), VN_OK);
        expect_same(&r, &space->cells);
        assert_int_equal(vni_restore_validate(&r, &serial, NULL), VN_OK);
        vni_restore_free(&r);
        vni_cells_free(&cells);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

/// Small changes, which may lead to another cell that exists, and large ones.
static change some_change(vni_rng* rng, const vni_cells* cells) {
    const uint32_t place = vni_rng_below(rng, 4 * vni_cells_block_count(cells));
    const uint32_t word = vni_rng_below(rng, 1u << 30);
    const uint32_t kind = vni_rng_below(rng, 7);
    const uint32_t by = kind == 5 ? 1 + vni_rng_below(rng, 7) : 1u << vni_rng_below(rng, 32);
    return (change){place, word, by, kind <= ADD ? kind : XOR};
}

/// Returns whether the changed cells were refused.
static bool change_once(const vn_space* space, const change* c) {
    vni_cells cells = empty_copy(&space->cells);
    const vn_jobs serial = vn_serial_jobs();
    const char* what = NULL;
    vni_restore r;
    assert_true(vni_restore_make(&cells, &space->occupancy, 1, &r));
    vn_status status = restore_all(&r, &space->cells, c, &what);
    if (status == VN_OK) {
        // what has been proved needs no look: the rest gives the same result as everything
        vn_detail rest = {0}, all = {0};
        status = vni_restore_validate(&r, &serial, &rest);
        assert_int_equal(vni_cells_validate(&cells, &space->occupancy, &all), status);
        assert_string_equal(rest.text, all.text);
        assert_int_equal(rest.index, all.index);
        if (status == VN_OK)
            assert_int_equal(vnt_cells_validate(&cells, &space->occupancy, NULL), VN_OK);
    } else {
        assert_int_equal(status, VN_BAD_DATA);
        assert_non_null(what);
    }

    vni_restore_free(&r);
    vni_cells_free(&cells);
    // a number of links that is too high leaves bytes over
    assert_true(status != VN_OK || c->kind != ADD || c->place % 4 != 3 ||
                space->cells.table[c->place / 4]->group_count == 0);
    return status != VN_OK;
}

static void test_changed(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("restore changed", 32));
    uint32_t refused = 0, all = 0;
    for (uint32_t round = 0; round < vnt_scale(16, 200); ++round) {
        vnt_voxels voxels;
        vn_space* space = make_space(&rng, round, &voxels);
        for (uint32_t i = 0; i < 40; ++i, ++all) {
            const change c = some_change(&rng, &space->cells);
            has_swapped = false;
            const bool is_refused = change_once(space, &c);
            assert_true(is_refused || !has_swapped);
            refused += is_refused;
        }

        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    // a place without a seam, or without words, is not changed
    assert_true(refused > all / 4);
    assert_true(refused < all);
}

/// A block with a wall that has a window. Word 0 of the groups is the number of the first, which is a list of
/// one link; word 1 the cell beyond.
static vn_space* make_window(vnt_voxels* voxels) {
    const vn_jobs serial = vn_serial_jobs();
    *voxels = vnt_voxels_make((vn_voxel){8, 8, 8});
    for (int32_t i = 4; i < 64; ++i)
        vnt_voxels_block(voxels, 4, i % 8, i / 8);
    return vnt_voxels_cells(voxels, &serial);
}

static void test_refusals(void** state) {
    (void)state;
    static const struct {
        bool of_groups; ///< or of cells
        uint32_t word, by;
        const char* what; ///< null: it is not refused, but not proved either
    } cases[] = {
        {false, 1, 0x00010000, "padding"},     {false, 2, 1, NULL},
        {true, 0, 6, "than it says"},                              // face 7, which no cell has
        {true, 0, 0x40000000, "out of order"},                     // a link more
        {true, 0, 1u << 20, "out of order"},                       // of a cell that does not exist
        {true, 1, 1u << 24, "does not exist"}, {true, 1, 2, NULL}, // to itself
    };
    vnt_voxels voxels;
    vn_space* space = make_window(&voxels);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        vni_cells cells = empty_copy(&space->cells);
        const uint32_t first = cases[i].of_groups ? 3 * space->cells.table[0]->cell_count : 0;
        const change c = {3, first + cases[i].word, cases[i].by, XOR};
        const char* what = NULL;
        vni_restore r;
        assert_true(vni_restore_make(&cells, &space->occupancy, 1, &r));
        assert_int_equal(restore_all(&r, &space->cells, &c, &what),
                         cases[i].what != NULL ? VN_BAD_DATA : VN_OK);
        if (cases[i].what != NULL && strstr(what, cases[i].what) == NULL)
            print_message("'%s' instead of '%s'\n", what, cases[i].what);
        if (cases[i].what != NULL)
            assert_non_null(strstr(what, cases[i].what));
        assert_false(r.proved[VNI_PROVED_BLOCKS][0]);
        vni_restore_free(&r);
        vni_cells_free(&cells);
    }

    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// Two parts without a way between them that say they are one component: no link is wrong, but they are not
/// connected.
static void test_joined_components(void** state) {
    (void)state;
    const vn_jobs serial = vn_serial_jobs();
    for (uint32_t joined = 0; joined < 2; ++joined) {
        vnt_voxels voxels = vnt_voxels_make((vn_voxel){8, 8, 8});
        for (int32_t i = 0; i < 64; ++i)
            vnt_voxels_block(&voxels, 4, i % 8, i / 8);
        vn_space* space = vnt_voxels_cells(&voxels, &serial);
        vni_cells cells = empty_copy(&space->cells);
        vni_stored_block head;
        vni_restore r;
        const char* what = NULL;
        words w = store_block(space->cells.table[0], &head);
        assert_int_equal(head.component_count, 2);
        head.component_count -= joined;
        for (uint32_t i = 0; joined && i < head.cell_count; ++i)
            w.data[3 * i + 2] = 0;

        assert_true(vni_restore_make(&cells, &space->occupancy, 1, &r));
        assert_int_equal(vni_restore_block(&r, 0, 0, &head, (const uint8_t*)w.data, &what), VN_OK);
        assert_int_equal(r.proved[VNI_PROVED_BLOCKS][0], !joined);
        free(w.data);
        vni_restore_free(&r);
        vni_cells_free(&cells);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

/// Without an occupancy nothing is proved, and the cells are the same.
static void test_trusted(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("restore trusted", 33));
    const change none = {.place = UINT32_MAX};
    vnt_voxels voxels;
    vn_space* space = make_space(&rng, 2, &voxels);
    vni_cells cells = empty_copy(&space->cells);
    const char* what = NULL;
    vni_restore r;
    assert_true(vni_restore_make(&cells, NULL, 1, &r));
    assert_int_equal(restore_all(&r, &space->cells, &none, &what), VN_OK);
    for (uint32_t i = 0; i < vni_cells_block_count(&cells); ++i) {
        expect_same_block(cells.table[i], space->cells.table[i]);
        for (int k = 0; k < VNI_PROVED_TABLES; ++k)
            assert_false(r.proved[k][i]);
    }

    assert_int_equal(vni_cells_validate(&cells, &space->occupancy, NULL), VN_OK);
    vni_restore_free(&r);
    vni_cells_free(&cells);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_again), cmocka_unit_test(test_changed),
        cmocka_unit_test(test_refusals),   cmocka_unit_test(test_joined_components),
        cmocka_unit_test(test_trusted),
    };

    return cmocka_run_group_tests_name("cells/restore", tests, NULL, NULL);
}
