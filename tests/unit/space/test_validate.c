/// Validation of occupancy and cells: what is made passes, what is changed does not, unless the slow oracle finds
/// it right too; whatever the arrays hold, nothing outside them is read (AddressSanitizer).
#include "cmocka_all.h"
#include "support.h"
#include "tests/oracle/cells_validate.h"
#include "voxels.h"

#include "base/alloc.h"
#include "space/space.h"
#include "space/validate.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------- copies

/// Each array in a block of memory of its own, just as long as it is said to be.
static void* copy_array(const void* data, size_t size) {
    void* copy = malloc(size ? size : 1);
    assert_non_null(copy);
    if (size)
        memcpy(copy, data, size);
    return copy;
}

static vni_cell_block* copy_block(const vni_cell_block* block) {
    vni_cell_block* copy = copy_array(block, sizeof *block);
    copy->cells = copy_array(block->cells, block->cell_count * sizeof *block->cells);
    copy->groups = copy_array(block->groups, block->group_count * sizeof *block->groups);
    for (int face = 0; face < VNI_FACES; ++face)
        copy->ranked[face] = copy_array(block->ranked[face], block->rank_count[face] * sizeof(uint32_t));
    return copy;
}

static vni_seam* copy_seam(const vni_seam* seam) {
    vni_seam* copy = copy_array(seam, sizeof *seam);
    copy->first = copy_array(seam->first, (seam->a_count + seam->b_count + (size_t)1) * sizeof *seam->first);
    copy->groups = copy_array(seam->groups, seam->group_count * sizeof *seam->groups);
    return copy;
}

static uint32_t blocks_of(const vni_cells* cells) {
    return (uint32_t)cells->blocks[0] * (uint32_t)cells->blocks[1] * (uint32_t)cells->blocks[2];
}

/// What is shared stays shared.
static vni_cells copy_cells(const vni_cells* cells) {
    const uint32_t count = blocks_of(cells);
    vni_cells copy = *cells;
    copy.table = copy_array(cells->table, count * sizeof *cells->table);
    copy.views = copy_array(cells->views, count * sizeof *cells->views);
    copy.base = copy_array(cells->base, (count + (size_t)1) * sizeof *cells->base);
    copy.component_base = copy_array(cells->component_base, (count + (size_t)1) * sizeof *cells->base);
    copy.components = copy_array(cells->components, cells->component_base[count] * sizeof *cells->components);
    for (int axis = 0; axis < 3; ++axis)
        copy.seams[axis] = copy_array(cells->seams[axis], count * sizeof *cells->seams[axis]);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t same = 0;
        while (cells->table[same] != cells->table[i])
            ++same;
        copy.table[i] = same < i ? copy.table[same] : copy_block(cells->table[i]);
        copy.views[i].cells = copy.table[i]->cells;
        copy.views[i].groups = copy.table[i]->groups;
        for (int axis = 0; axis < 3; ++axis) {
            vni_seam** seams = cells->seams[axis];
            for (same = 0; seams[same] != seams[i];)
                ++same;
            if (seams[i])
                copy.seams[axis][i] = same < i ? copy.seams[axis][same] : copy_seam(seams[i]);
        }
    }
    return copy;
}

static void free_copy(const vni_cells* original, vni_cells* copy) {
    for (uint32_t i = 0; i < blocks_of(original); ++i) {
        uint32_t same = 0;
        while (original->table[same] != original->table[i])
            ++same;
        if (same == i) {
            free(copy->table[i]->cells);
            free(copy->table[i]->groups);
            for (int face = 0; face < VNI_FACES; ++face)
                free(copy->table[i]->ranked[face]);
            free(copy->table[i]);
        }
        for (int axis = 0; axis < 3; ++axis) {
            for (same = 0; original->seams[axis][same] != original->seams[axis][i];)
                ++same;
            if (same == i && copy->seams[axis][i]) {
                free(copy->seams[axis][i]->first);
                free(copy->seams[axis][i]->groups);
                free(copy->seams[axis][i]);
            }
        }
    }
    for (int axis = 0; axis < 3; ++axis)
        free(copy->seams[axis]);
    free(copy->table);
    free(copy->views);
    free(copy->base);
    free(copy->component_base);
    free(copy->components);
}

// ------------------------------------------------------------------------------------------------- worlds

static void expect(vn_status got, vn_status want, const vn_detail* detail) {
    if (got != want)
        print_message("%s: %s\n", vn_status_word(got), detail->text);
    assert_int_equal(got, want);
}

static vn_voxel some_dims(vni_rng* rng, uint32_t round) {
    if (round % 4 == 0)
        return (vn_voxel){vni_rng_range(rng, 1, 300), vni_rng_range(rng, 1, 5), vni_rng_range(rng, 1, 70)};
    if (round % 4 == 1)
        return (vn_voxel){vni_rng_range(rng, 65, 100), vni_rng_range(rng, 65, 80), vni_rng_range(rng, 1, 20)};
    return vnt_random_dims(rng, round % 4 == 2 ? 70 : 24);
}

static void test_what_is_made_passes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("validate", 101));
    vn_jobs serial = vn_serial_jobs();
    for (uint32_t i = 0; i < vnt_scale(24, 400); ++i) {
        vnt_voxels voxels = vnt_voxels_random(&rng, some_dims(&rng, i));
        vn_space* space = vnt_voxels_cells(&voxels, &serial);
        vni_cells copy = copy_cells(&space->cells);
        vn_detail detail;
        expect(vni_occupancy_validate(&space->occupancy, &detail), VN_OK, &detail);
        expect(vni_cells_validate_with(&copy, &space->occupancy, NULL, &detail), VN_OK, &detail);
        if (i % 4 == 3)
            expect(vnt_cells_validate(&copy, &space->occupancy, &detail), VN_OK, &detail);
        free_copy(&space->cells, &copy);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

/// Free blocks of full size are one object; a world that is all of them and one that has none of them pass.
static void test_open_and_closed_worlds(void** state) {
    (void)state;
    vn_jobs serial = vn_serial_jobs();
    vn_detail detail;
    for (int closed = 0; closed < 2; ++closed) {
        const vn_voxel dims = {256, 130, 128};
        vnt_voxels voxels = vnt_voxels_make(dims);
        memset(voxels.blocked, closed, (size_t)dims.x * (size_t)dims.y * (size_t)dims.z);
        vn_space* space = vnt_voxels_cells(&voxels, &serial);
        expect(vni_occupancy_validate(&space->occupancy, &detail), VN_OK, &detail);
        expect(vni_cells_validate(&space->cells, &space->occupancy, &detail), VN_OK, &detail);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

// ---------------------------------------------------------------------------------------------- mutations

/// Some bytes of a cells object that are about to change.
typedef struct target {
    unsigned char* data;
    size_t count, size; ///< elements and bytes of each
    bool is_length;     ///< may only become smaller
} target;

static target pick_block_part(vni_rng* rng, vni_cell_block* b) {
    const uint32_t face = vni_rng_below(rng, VNI_FACES);
    switch (vni_rng_below(rng, 12)) {
    case 0: return (target){(unsigned char*)b->first_of_chunk, VNI_CHUNK_COUNT + 1, 4, false};
    case 1: return (target){(unsigned char*)b->ranked[face], b->rank_count[face], 4, false};
    case 2: return (target){(unsigned char*)&b->component_count, 1, 4, false};
    case 3: return (target){(unsigned char*)&b->rank_count[face], 1, 4, true};
    case 4: return (target){(unsigned char*)&b->group_count, 1, 4, true};
    case 5: return (target){(unsigned char*)&b->cell_count, 1, 4, true};
    case 6:
    case 7:
    case 8: return (target){(unsigned char*)b->cells, b->cell_count, sizeof *b->cells, false};
    default: return (target){(unsigned char*)b->groups, b->group_count, sizeof *b->groups, false};
    }
}

static target pick_seam_part(vni_rng* rng, vni_seam* s) {
    switch (vni_rng_below(rng, 8)) {
    case 0: return (target){(unsigned char*)&s->a_count, 1, 4, true};
    case 1: return (target){(unsigned char*)&s->b_count, 1, 4, true};
    case 2: return (target){(unsigned char*)&s->group_count, 1, 4, true};
    case 3:
    case 4: return (target){(unsigned char*)s->first, s->a_count + s->b_count + (size_t)1, 4, false};
    default: return (target){(unsigned char*)s->groups, s->group_count, sizeof *s->groups, false};
    }
}

static target pick_table(vni_rng* rng, vni_cells* c) {
    const uint32_t count = blocks_of(c), axis = vni_rng_below(rng, 3), block = vni_rng_below(rng, count);
    switch (vni_rng_below(rng, 9)) {
    case 0: return (target){(unsigned char*)c->base, count + (size_t)1, 4, false};
    case 1: return (target){(unsigned char*)c->component_base, count + (size_t)1, 4, false};
    case 2:
    case 3: return (target){(unsigned char*)c->components, c->component_base[count], 4, false};
    case 4: return (target){(unsigned char*)&c->component_count, 1, 4, false};
    case 5: return (target){(unsigned char*)&c->link_count, 1, 8, false};
    case 6: return (target){(unsigned char*)c->stride, 3, 4, false};
    case 7: return (target){(unsigned char*)&c->views[block].base, 1, 16, false};
    default: return (target){(unsigned char*)&c->dims[axis], 1, 4, false};
    }
}

static target pick(vni_rng* rng, vni_cells* c) {
    const uint32_t block = vni_rng_below(rng, blocks_of(c)), what = vni_rng_below(rng, 8);
    vni_seam* seam = c->seams[vni_rng_below(rng, 3)][block];
    if (what < 2 && seam)
        return pick_seam_part(rng, seam);
    return what == 2 ? pick_table(rng, c) : pick_block_part(rng, c->table[block]);
}

/// Changes a bit, a byte, a number a little, or makes an element like another one.
static void change(vni_rng* rng, const target* t, unsigned char* element) {
    const uint32_t at = vni_rng_below(rng, (uint32_t)t->size);
    uint32_t number;
    switch (t->is_length ? 9 : vni_rng_below(rng, 6)) {
    case 0: element[at] = (unsigned char)(element[at] ^ 1u << vni_rng_below(rng, 8)); break;
    case 1: element[at] = (unsigned char)vni_rng_below(rng, 256); break;
    case 2: element[at] = (unsigned char)(element[at] + 1); break;
    case 3: element[at] = (unsigned char)(element[at] - 1); break;
    case 4: memcpy(element, t->data + t->size * vni_rng_below(rng, (uint32_t)t->count), t->size); break;
    case 5: memset(element + (at & ~(size_t)3), vni_rng_below(rng, 2) ? 255 : 0, 4); break;
    default:
        memcpy(&number, element, 4);
        number = number ? vni_rng_below(rng, number) : 0;
        memcpy(element, &number, 4);
    }
}

typedef struct tally {
    uint32_t refused, accepted, same;
} tally;

static void mutate(vni_rng* rng, vni_cells* cells, const vni_occupancy* occupancy, tally* out) {
    unsigned char before[64];
    const target t = pick(rng, cells);
    if (t.count == 0)
        return;
    unsigned char* element = t.data + t.size * vni_rng_below(rng, (uint32_t)t.count);
    assert_true(t.size <= sizeof before);
    memcpy(before, element, t.size);
    change(rng, &t, element);
    if (memcmp(before, element, t.size) == 0) {
        ++out->same;
        return;
    }
    vn_detail detail;
    vn_status status = vni_cells_validate_with(cells, occupancy, NULL, &detail);
    if (status == VN_OK) { // bytes between fields, or as good as before
        expect(vnt_cells_validate(cells, occupancy, &detail), VN_OK, &detail);
        ++out->accepted;
    } else {
        assert_int_equal(status, VN_BAD_DATA);
        ++out->refused;
    }
    memcpy(element, before, t.size);
}

static void test_mutations(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("validate mutations", 102));
    vn_jobs serial = vn_serial_jobs();
    tally t = {0, 0, 0};
    for (uint32_t world = 0; world < vnt_scale(12, 100); ++world) {
        vnt_voxels voxels = vnt_voxels_random(&rng, some_dims(&rng, world));
        vn_space* space = vnt_voxels_cells(&voxels, &serial);
        vni_cells copy = copy_cells(&space->cells);
        for (uint32_t i = 0; i < vnt_scale(400, 4000); ++i)
            mutate(&rng, &copy, &space->occupancy, &t);
        vn_detail detail; // all have been taken back
        expect(vni_cells_validate(&copy, &space->occupancy, &detail), VN_OK, &detail);
        free_copy(&space->cells, &copy);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
    print_message("%u refused, %u accepted, %u without effect\n", t.refused, t.accepted, t.same);
    assert_true(t.refused > 4 * t.accepted);
}

/// Nothing but noise in the arrays, all at once.
static void test_noise(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("validate noise", 103));
    vn_jobs serial = vn_serial_jobs();
    const vn_voxel dims = {70, 40, 20};
    for (uint32_t i = 0; i < vnt_scale(30, 300); ++i) {
        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        vn_space* space = vnt_voxels_cells(&voxels, &serial);
        vni_cells copy = copy_cells(&space->cells);
        const uint32_t highest = i % 3 == 0 ? 256 : i % 3 == 1 ? 65 : 8;
        for (uint32_t b = 0; b < blocks_of(&copy); ++b)
            for (uint32_t k = 0; k < 8; ++k) {
                target t = pick_block_part(&rng, copy.table[b]);
                if (k == 0)
                    t = (target){(unsigned char*)copy.table[b]->cells, copy.table[b]->cell_count,
                                 sizeof(vni_cell), false};
                for (size_t at = 0; !t.is_length && at < t.count * t.size; ++at)
                    t.data[at] = (unsigned char)vni_rng_below(&rng, highest);
            }
        assert_int_equal(vni_cells_validate(&copy, &space->occupancy, NULL), VN_BAD_DATA);
        free_copy(&space->cells, &copy);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

// ------------------------------------------------------------------------------------------- faults by name

/// A world of 2 x 1 x 1 blocks: a wall with two windows in the first, one voxel in the second.
typedef struct scene {
    vnt_voxels voxels;
    vn_space* space;
    vni_cells cells;
} scene;

static scene make_scene(void) {
    const vn_voxel dims = {128, 40, 40};
    vn_jobs serial = vn_serial_jobs();
    scene s = {.voxels = vnt_voxels_make(dims)};
    for (int32_t z = 0; z < dims.z; ++z)
        for (int32_t y = 0; y < dims.y; ++y)
            if (!(y > 3 && y < 7 && z > 3 && z < 9) && !(y == 30 && z == 30))
                vnt_voxels_block(&s.voxels, 20, y, z);
    vnt_voxels_block(&s.voxels, 100, 20, 20);
    for (int32_t k = 0; k < 27; ++k) // a closed box with one free voxel
        if (k != 13)
            vnt_voxels_block(&s.voxels, 50 + k % 3, 10 + k / 3 % 3, 10 + k / 9);
    s.space = vnt_voxels_cells(&s.voxels, &serial);
    s.cells = copy_cells(&s.space->cells);
    return s;
}

static void free_scene(scene* s) {
    free_copy(&s->space->cells, &s->cells);
    vn_space_destroy(s->space);
    vnt_voxels_free(&s->voxels);
}

static void expect_refusal(const scene* s, const char* words) {
    vn_detail detail = {0};
    assert_int_equal(vni_cells_validate(&s->cells, &s->space->occupancy, &detail), VN_BAD_DATA);
    if (!strstr(detail.text, words))
        print_message("'%s' instead of '%s'\n", detail.text, words);
    assert_non_null(strstr(detail.text, words));
}

/// A cell with at least this number of links in one group of an inner face, which is the last of its list.
static vni_link_group* find_group(const vni_cells* cells, uint32_t block, uint32_t links, uint32_t* owner) {
    const vni_cell_block* b = cells->table[block];
    for (uint32_t i = 0; i < b->cell_count; ++i) {
        uint32_t group = b->cells[i].first_group;
        for (uint32_t face = 0; face < VNI_FACES; ++face) {
            uint32_t count = vni_cell_is_on_rim(&b->cells[i], face) ? 0 : b->cells[i].faces[face];
            if (count == 1 && b->groups[group].to[links - 1] != VNI_NO_CELL) {
                *owner = i;
                return &b->groups[group];
            }
            group += count;
        }
    }
    fail_msg("no such list");
    return NULL;
}

static void copy_lane(vni_link_group* g, uint32_t from, uint32_t to) {
    g->low_a[to] = g->low_a[from];
    g->high_a[to] = g->high_a[from];
    g->low_b[to] = g->low_b[from];
    g->high_b[to] = g->high_b[from];
    g->to[to] = g->to[from];
}

/// Takes the last link out of a group as if it had never been there.
static void drop_last(vni_link_group* g) {
    uint32_t last = 3;
    while (g->to[last] == VNI_NO_CELL)
        --last;
    for (; last < 4; ++last) {
        copy_lane(g, last - 1, last);
        g->to[last] = VNI_NO_CELL;
    }
}

static void test_missing_and_double_links(void** state) {
    (void)state;
    scene s = make_scene();
    uint32_t owner;
    vni_link_group *g = find_group(&s.cells, 0, 2, &owner), kept = *g;
    drop_last(g);
    expect_refusal(&s, "block 0: a link inside the block is missing");
    *g = kept;
    copy_lane(g, 0, 1);
    expect_refusal(&s, "out of order");
    *g = kept;
    copy_lane(g, 1, 3); // swap by way of a copy
    vni_link_group swapped = kept;
    copy_lane(&swapped, 1, 3);
    for (uint32_t lane = 0; lane < 4; ++lane)
        swapped.to[lane] = lane < 2 ? kept.to[1 - lane] : kept.to[lane];
    *g = swapped;
    expect_refusal(&s, "portal");
    *g = kept;
    g->to[1] = s.cells.table[0]->cell_count;
    expect_refusal(&s, "does not exist");
    *g = kept;
    g->to[0] = VNI_NO_CELL;
    expect_refusal(&s, "gap");
    *g = kept;
    g->to[0] = owner; // to itself
    expect_refusal(&s, "portal");
    *g = kept;
    g->high_a[0] = (uint8_t)(g->high_a[0] + 1);
    expect_refusal(&s, "portal");
    *g = kept;
    expect(vni_cells_validate(&s.cells, &s.space->occupancy, NULL), VN_OK, NULL);
    free_scene(&s);
}

static void test_padding_is_checked(void** state) {
    (void)state;
    scene s = make_scene();
    uint32_t owner;
    vni_link_group* g = find_group(&s.cells, 0, 1, &owner);
    assert_int_equal(g->to[3], VNI_NO_CELL);
    g->low_a[3] ^= 1;
    expect_refusal(&s, "block 0, cell");
    g->low_a[3] ^= 1;
    free_scene(&s);
}

static void test_seam_faults(void** state) {
    (void)state;
    scene s = make_scene();
    vni_seam* seam = s.cells.seams[0][0];
    assert_non_null(seam);
    vni_link_group kept = seam->groups[0];
    seam->groups[0].high_b[0] = (uint8_t)(kept.high_b[0] - 1);
    expect_refusal(&s, "block 0, cell");
    seam->groups[0] = kept;
    ++seam->first[1];
    expect_refusal(&s, "block 0, cell");
    --seam->first[1];
    vni_link_group* last = &seam->groups[seam->group_count - 1];
    kept = *last;
    last->low_a[0] = 63;
    expect_refusal(&s, "block 1, cell");
    *last = kept;
    const vni_cell* low = &s.cells.table[1]->cells[s.cells.table[1]->ranked[0][0]];
    uint32_t inner = 0; // a cell of the upper block that is not at the seam
    while (s.cells.table[1]->cells[inner].low[0] == 0)
        ++inner;
    assert_int_equal(low->low[0], 0);
    seam->groups[0].to[0] = inner;
    expect_refusal(&s, "portal");
    free_scene(&s);
}

static void test_component_faults(void** state) {
    (void)state;
    scene s = make_scene();
    vni_cell_block* b = s.cells.table[0];
    assert_int_equal(b->component_count, 2); // all, and the voxel in the box
    uint32_t inside = 0;
    while (b->cells[inside].component == 0)
        ++inside;
    b->cells[inside].component = 0; // the box joined with the rest
    expect_refusal(&s, "component");
    b->component_count = 1;
    expect_refusal(&s, "components do not follow");
    s.cells.component_base[1] = 1;
    s.cells.component_base[2] = 2;
    expect_refusal(&s, "not linked with the others of its component");
    s.cells.component_base[1] = 2;
    s.cells.component_base[2] = 3;
    b->component_count = 2;
    b->cells[inside].component = 1;
    s.cells.components[1] = 0;
    expect_refusal(&s, "label");
    s.cells.components[1] = 1;
    s.cells.component_count = 3;
    expect_refusal(&s, "2 connected regions, but 3 labels");
    s.cells.component_count = 2;
    ++s.cells.link_count;
    expect_refusal(&s, "links, but says");
    free_scene(&s);
}

static void test_cover_faults(void** state) {
    (void)state;
    scene s = make_scene();
    vni_cell_block* b = s.cells.table[0];
    const uint32_t small = b->first_of_chunk[0];
    assert_true(small < b->cell_count);
    vni_cell kept = b->cells[small];
    b->cells[small].high[0] = (uint8_t)(kept.high[0] + 64);
    expect_refusal(&s, "sticks out");
    b->cells[small].high[0] = kept.low[0];
    expect_refusal(&s, "empty");
    b->cells[small] = b->cells[small + 1];
    expect_refusal(&s, "of another cell");
    b->cells[small] = kept;
    if (kept.high[1] - kept.low[1] > 1) {
        b->cells[small].high[1] = (uint8_t)(kept.high[1] - 1);
        expect_refusal(&s, "in no cell");
        b->cells[small] = kept;
    }
    ++b->first_of_chunk[0];
    expect_refusal(&s, "block 0");
    --b->first_of_chunk[0];
    b->first_of_chunk[5] = UINT32_MAX;
    expect_refusal(&s, "block 0");
    free_scene(&s);
}

/// A block's cells where others belong, with all tables as they should be.
static void test_blocks_that_change_places(void** state) {
    (void)state;
    const vn_voxel dims = {128, 64, 64};
    vn_jobs serial = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_make(dims);
    vnt_voxels_block(&voxels, 30, 30, 30);
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vni_cells copy = copy_cells(&space->cells);
    vni_cell_block *a = copy.table[0], *b = copy.table[1];
    copy.table[0] = copy.table[1];
    copy.views[0].cells = b->cells;
    copy.views[0].groups = b->groups;
    copy.base[1] = copy.views[1].base = 1;
    copy.base[2] = 2;
    vn_detail detail = {0};
    assert_int_equal(vni_cells_validate(&copy, &space->occupancy, &detail), VN_BAD_DATA);
    assert_non_null(strstr(detail.text, "block 0"));
    copy.table[0] = a;
    copy.table[1] = NULL;
    assert_int_equal(vni_cells_validate(&copy, &space->occupancy, &detail), VN_BAD_DATA);
    copy.table[1] = b;
    free_copy(&space->cells, &copy);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

// ------------------------------------------------------------------------------------------ jobs and memory

static void test_any_number_of_workers(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("validate workers", 104));
    vn_allocator allocator = vn_default_allocator();
    vn_jobs serial = vn_serial_jobs();
    const vn_voxel dims = {200, 130, 70};
    vnt_voxels voxels = vnt_voxels_random(&rng, dims);
    vnt_voxels_block(&voxels, 100, 100, 30);
    vnt_voxels_block(&voxels, 150, 10, 50);
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    for (uint32_t workers = 1; workers <= 4; ++workers) {
        vn_pool* pool;
        if (vn_pool_create(&allocator, workers, &pool) != VN_OK)
            break; // a build without threads
        vn_jobs jobs = vn_pool_jobs(pool);
        vn_detail detail = {0}, want = {0};
        expect(vni_cells_validate_with(&space->cells, &space->occupancy, &jobs, &detail), VN_OK, &detail);
        for (uint32_t i = 0; i < 40; ++i) {
            vni_cell_block* one = space->cells.table[vni_rng_below(&rng, blocks_of(&space->cells))];
            vni_cell_block* other = space->cells.table[vni_rng_below(&rng, blocks_of(&space->cells))];
            if (one->cell_count == 0 || other->cell_count == 0)
                continue;
            vni_cell* a = &one->cells[vni_rng_below(&rng, one->cell_count)];
            vni_cell* b = &other->cells[vni_rng_below(&rng, other->cell_count)];
            const vni_cell kept_a = *a, kept_b = *b;
            a->high[0] ^= 1;
            b->first_group += 1;
            vn_status serially = vni_cells_validate(&space->cells, &space->occupancy, &want);
            vn_status jointly = vni_cells_validate_with(&space->cells, &space->occupancy, &jobs, &detail);
            *b = kept_b;
            *a = kept_a;
            assert_int_equal(serially, jointly);
            assert_string_equal(detail.text, want.text);
            assert_int_equal(detail.index, want.index);
        }
        vn_pool_destroy(pool);
    }
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

static void test_out_of_memory(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("validate memory", 105));
    vn_jobs serial = vn_serial_jobs();
    const vn_voxel dims = {80, 70, 20};
    vnt_voxels voxels = vnt_voxels_random(&rng, dims);
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vni_cells cells = space->cells;
    for (uint64_t k = 0;; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        cells.allocator = vnt_memory_allocator(&memory);
        vn_detail detail = {0};
        vn_status status = vni_cells_validate(&cells, &space->occupancy, &detail);
        expect(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK, &detail);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        if (!memory.failed)
            break;
        assert_true(detail.text[0] != 0);
    }
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

// ---------------------------------------------------------------------------------------------- occupancy

/// Is the block what packing its voxels gives? Only for blocks that store as many bricks as they flag.
static bool is_as_packed(const vni_block* block, const int32_t limit[3]) {
    static uint64_t dense[VNI_BLOCK_BRICKS];
    vn_allocator allocator = vn_default_allocator();
    vni_block* packed;
    uint32_t flagged = 0;
    for (uint32_t c = 0; c < 64; ++c)
        for (uint32_t b = 0; b < 64; ++b)
            flagged += (block->some[c] >> b & 1) && !(block->full[c] >> b & 1);
    if (flagged != block->mixed_count)
        return false;
    vni_block_unpack(block, dense);
    for (int32_t z = 0; z < 64; ++z)
        for (int32_t y = 0; y < 64; ++y)
            for (int32_t x = 0; x < 64; ++x)
                if ((x >= limit[0] || y >= limit[1] || z >= limit[2]) &&
                    dense[vni_chunk_of(x, y, z) * 64 + vni_brick_of(x, y, z)] >> vni_bit_of(x, y, z) & 1)
                    return false;
    assert_true(vni_block_pack(&allocator, dense, &packed));
    bool same = packed && packed->mixed_count == block->mixed_count &&
                packed->blocked_voxels == block->blocked_voxels &&
                memcmp(packed->first, block->first, sizeof block->first) == 0 &&
                memcmp(packed->some, block->some, sizeof block->some) == 0 &&
                memcmp(packed->full, block->full, sizeof block->full) == 0 &&
                memcmp(packed->bricks, block->bricks, block->mixed_count * sizeof(uint64_t)) == 0;
    vni_block_release(&allocator, packed);
    return same;
}

static target pick_occupancy(vni_rng* rng, vni_block* block) {
    switch (vni_rng_below(rng, 8)) {
    case 0: return (target){(unsigned char*)&block->mixed_count, 1, 4, true};
    case 1: return (target){(unsigned char*)&block->blocked_voxels, 1, 4, false};
    case 2: return (target){(unsigned char*)block->first, 64, 2, false};
    case 3:
    case 4: return (target){(unsigned char*)block->some, 64, 8, false};
    case 5: return (target){(unsigned char*)block->full, 64, 8, false};
    default: return (target){(unsigned char*)block->bricks, block->mixed_count, 8, false};
    }
}

/// One change in one block: refused exactly when the block is not what packing gives.
static bool mutate_occupancy(vni_rng* rng, vni_occupancy* o, uint32_t index) {
    unsigned char before[8];
    vni_block* block = o->table[index];
    const target t = pick_occupancy(rng, block);
    if (t.count == 0)
        return false;
    unsigned char* element = t.data + t.size * vni_rng_below(rng, (uint32_t)t.count);
    memcpy(before, element, t.size);
    const uint32_t at = vni_rng_below(rng, (uint32_t)t.size), blocked = block->blocked_voxels;
    if (t.is_length)
        block->mixed_count = block->mixed_count ? vni_rng_below(rng, block->mixed_count) : 0;
    else if (vni_rng_below(rng, 4) == 0)
        memset(element, vni_rng_below(rng, 2) ? 255 : 0, t.size);
    else
        element[at] = (unsigned char)(element[at] ^ 1u << vni_rng_below(rng, 8));
    const uint64_t total = o->blocked_voxels;
    const bool repairs = vni_rng_below(rng, 2);
    if (repairs) { // as a forger would
        block->blocked_voxels = 0;
        for (uint32_t c = 0; c < 64; ++c)
            for (uint32_t b = 0; b < 64; ++b)
                block->blocked_voxels += block->full[c] >> b & 1 ? 64 : 0;
        for (uint32_t i = 0; i < block->mixed_count; ++i)
            block->blocked_voxels += vni_popcount(block->bricks[i]);
        o->blocked_voxels = o->blocked_voxels - blocked + block->blocked_voxels;
    }
    int32_t limit[3];
    vni_block_limit(o->dims, o->blocks, index, limit);
    vn_detail detail = {0};
    const bool ok = is_as_packed(block, limit) && o->blocked_voxels == total - blocked + block->blocked_voxels;
    expect(vni_occupancy_validate(o, &detail), ok ? VN_OK : VN_BAD_DATA, &detail);
    block->blocked_voxels = blocked;
    o->blocked_voxels = total;
    memcpy(element, before, t.size);
    return ok;
}

static void test_occupancy_mutations(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("validate occupancy", 106));
    uint32_t accepted = 0;
    for (uint32_t world = 0; world < vnt_scale(15, 150); ++world) {
        vnt_voxels voxels = vnt_voxels_random(&rng, some_dims(&rng, world));
        vn_space* space = vnt_voxels_space(&voxels);
        vni_occupancy* o = &space->occupancy;
        for (uint32_t i = 0; i < vnt_scale(60, 600); ++i) {
            const uint32_t index = vni_rng_below(&rng, vni_occupancy_block_count(o));
            if (o->table[index])
                accepted += mutate_occupancy(&rng, o, index);
        }
        vn_detail detail;
        expect(vni_occupancy_validate(o, &detail), VN_OK, &detail);
        ++o->blocked_voxels;
        expect(vni_occupancy_validate(o, &detail), VN_BAD_DATA, &detail);
        --o->blocked_voxels;
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
    print_message("%u accepted\n", accepted);
}

/// A block that is stored though it is free.
static void test_free_block_is_not_stored(void** state) {
    (void)state;
    const vn_voxel dims = {64, 64, 64};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vnt_voxels_block(&voxels, 1, 2, 3);
    vn_space* space = vnt_voxels_space(&voxels);
    vni_block* block = space->occupancy.table[0];
    const uint64_t some = block->some[0];
    vn_detail detail = {0};
    block->some[0] = 0;
    block->mixed_count = block->blocked_voxels = 0;
    for (uint32_t i = 0; i < 64; ++i)
        block->first[i] = 0;
    space->occupancy.blocked_voxels = 0;
    expect(vni_occupancy_validate(&space->occupancy, &detail), VN_BAD_DATA, &detail);
    assert_non_null(strstr(detail.text, "a free block is not stored"));
    block->some[0] = some;
    block->mixed_count = block->blocked_voxels = 1;
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_made_passes),
        cmocka_unit_test(test_open_and_closed_worlds),
        cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_missing_and_double_links),
        cmocka_unit_test(test_padding_is_checked),
        cmocka_unit_test(test_seam_faults),
        cmocka_unit_test(test_component_faults),
        cmocka_unit_test(test_cover_faults),
        cmocka_unit_test(test_blocks_that_change_places),
        cmocka_unit_test(test_any_number_of_workers),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_occupancy_mutations),
        cmocka_unit_test(test_free_block_is_not_stored),
    };
    return cmocka_run_group_tests_name("space/validate", tests, NULL, NULL);
}
