/// Validation of links, seams and components: forgeries that are nearly right, each refused for its own
/// reason. The copies' arrays have just their length, so that AddressSanitizer sees who believes a forged
/// index.
#include "validate_scene.h"

#include "geom/vec.h"
#include "tests/oracle/cells_validate.h"

// ---------------------------------------------------------------------------------------------- lists

/// A list of a cell in a block.
typedef struct list {
    uint32_t cell, face, first, count, links;
} list;

static list list_of(const vni_cell_block* b, uint32_t cell, uint32_t face) {
    list l = {cell, face, b->cells[cell].first_group, 0, 0};
    for (uint32_t f = 0; f <= face; ++f) {
        l.first += l.count;
        l.count = vni_cell_is_on_rim(&b->cells[cell], f) ? 0 : b->cells[cell].faces[f];
    }

    for (uint32_t i = 0; i < 4 * l.count; ++i)
        l.links += b->groups[l.first + i / 4].to[i % 4] != VNI_NO_CELL;

    return l;
}

/// The first list with a number of links in this range.
static list find_list(const vni_cell_block* b, uint32_t least, uint32_t most) {
    for (uint32_t i = 0; i < b->cell_count; ++i)
        for (uint32_t face = 0; face < VNI_FACES; ++face) {
            const list l = list_of(b, i, face);
            if (l.links >= least && l.links <= most && !vni_cell_is_on_rim(&b->cells[i], face))
                return l;
        }

    fail_msg("no such list");
    return (list){0, 0, 0, 0, 0};
}

static void copy_lane(vni_link_group* to, uint32_t to_lane, const vni_link_group* from, uint32_t lane) {
    to->low_a[to_lane] = from->low_a[lane];
    to->high_a[to_lane] = from->high_a[lane];
    to->low_b[to_lane] = from->low_b[lane];
    to->high_b[to_lane] = from->high_b[lane];
    to->to[to_lane] = from->to[lane];
}

/// Fills a group up from its link `last` on.
static void fill_up(vni_link_group* g, uint32_t last) {
    for (uint32_t lane = last + 1; lane < 4; ++lane) {
        copy_lane(g, lane, g, last);
        g->to[lane] = VNI_NO_CELL;
    }
}

static uint32_t last_lane(const vni_link_group* g) {
    uint32_t last = 3;
    while (last > 0 && g->to[last] == VNI_NO_CELL)
        --last;
    return last;
}

static void test_links(void** state) {
    (void)state;
    scene s = make_house();
    const list l = find_list(s.cells.table[0], 2, 4);
    vni_link_group *g = &s.cells.table[0]->groups[l.first], kept = *g;
    fill_up(g, last_lane(g) - 1);
    expect_refusal(&s, "block 0: a link inside the block is missing");
    *g = kept;
    g->to[0] = kept.to[1];
    g->to[1] = kept.to[0];
    expect_refusal(&s, "portal");
    *g = kept;
    g->to[1] = s.cells.table[0]->cell_count;
    expect_refusal(&s, "does not exist");
    *g = kept;
    g->to[0] = VNI_NO_CELL;
    expect_refusal(&s, "gap");
    *g = kept;
    g->to[0] = l.cell; // itself
    expect_refusal(&s, "portal");
    *g = kept;
    g->high_a[0] = (uint8_t)(g->high_a[0] + 1);
    expect_refusal(&s, "portal");
    *g = kept;
    s.cells.table[0]->cells[l.cell].faces[l.face] = 65535;
    expect_refusal(&s, "has more links than its block");
    free_scene(&s);
}

static uint32_t lane_area(const vni_link_group* g, uint32_t lane) {
    return (uint32_t)(g->high_a[lane] - g->low_a[lane]) * (uint32_t)(g->high_b[lane] - g->low_b[lane]);
}

/// A link that is there twice, instead of another one of the same area: all sums are right.
static void test_double_links(void** state) {
    (void)state;
    scene s = make_dust(201);
    vni_cell_block* block = s.cells.table[0];
    uint32_t tried = 0;
    for (uint32_t i = 0; i < block->group_count; ++i)
        for (uint32_t lane = 1; lane < 4; ++lane) {
            vni_link_group *g = &block->groups[i], kept = *g;
            if (g->to[lane] == VNI_NO_CELL || lane_area(g, lane) != lane_area(g, lane - 1))
                continue;

            copy_lane(g, lane, g, lane - 1);
            if (last_lane(g) == lane)
                fill_up(g, lane);

            expect_refusal(&s, "out of order");
            *g = kept;
            ++tried;
        }

    assert_true(tried > 20);
    free_scene(&s);
}

/// Cells that touch a face in its plane along an edge only: a link of no area, which no sum misses.
static void test_links_without_area(void** state) {
    (void)state;
    scene s = make_dust(202);
    vni_cell_block* b = s.cells.table[0];
    uint32_t tried = 0;

    ++s.cells.link_count;
    for (uint32_t i = 0; i < b->cell_count; ++i)
        for (uint32_t k = 0; k < VNI_FACES * b->cell_count; ++k) {
            const uint32_t face = k % VNI_FACES, axis = face >> 1, to = k / VNI_FACES;
            const int x = vni_other_axes[axis][0], y = vni_other_axes[axis][1];
            const vni_cell *c = &b->cells[i], *o = &b->cells[to];
            const list l = list_of(b, i, face);
            if (l.count == 0 || l.links % 4 == 0 || to == i ||
                (face & 1 ? o->low[axis] != c->high[axis] : o->high[axis] != c->low[axis]))
                continue;

            vni_link_group *g = &b->groups[l.first + l.count - 1], kept = *g;
            const uint32_t lane = last_lane(g) + 1;
            g->to[lane] = to;
            g->low_a[lane] = c->low[x] > o->low[x] ? c->low[x] : o->low[x];
            g->high_a[lane] = c->high[x] < o->high[x] ? c->high[x] : o->high[x];
            g->low_b[lane] = c->low[y] > o->low[y] ? c->low[y] : o->low[y];
            g->high_b[lane] = c->high[y] < o->high[y] ? c->high[y] : o->high[y];
            const uint32_t corner = g->low_b[lane] * 256u + g->low_a[lane],
                           before = g->low_b[lane - 1] * 256u + g->low_a[lane - 1];

            if (lane_area(g, lane) == 0 && corner > before) {
                fill_up(g, lane);
                expect_refusal(&s, "portal");
                ++tried;
            }

            *g = kept;
            if (tried > 50)
                i = b->cell_count - 1;
        }

    assert_true(tried > 10);
    free_scene(&s);
}

/// The same instead of the only link: nothing is linked, and nothing is missed.
static void test_single_link_without_area(void** state) {
    (void)state;
    const vn_voxel dims = {4, 4, 1}; // two free voxels that share an edge
    vnt_voxels voxels = vnt_voxels_make(dims);
    memset(voxels.blocked, 1, 16);
    voxels.blocked[5] = voxels.blocked[10] = 0;
    scene s = scene_of(voxels);
    vni_cell_block* b = s.cells.table[0];
    assert_int_equal(b->cell_count, 2);
    assert_int_equal(b->group_count, 0);
    vni_link_group g = {
        {2, 2, 2, 2}, {2, 2, 2, 2}, {0, 0, 0, 0}, {1, 1, 1, 1}, {1, VNI_NO_CELL, VNI_NO_CELL, VNI_NO_CELL}};
    b->groups = with_length(b->groups, sizeof g, 0, 1);
    b->groups[0] = g;
    b->group_count = 1;
    b->cells[0].faces[1] = 1;
    b->cells[1].first_group = 1;
    s.cells.link_count = 1;
    update_view(&s, 0);
    expect_refusal(&s, "another component");
    b->cells[1].component = 0; // with the components that such a link would give
    b->component_count = s.cells.component_count = 1;
    s.cells.component_base[1] = 1;
    expect_refusal(&s, "portal");
    free_scene(&s);
}

/// Whatever follows the last link repeats its rectangle.
static void test_filling_up(void** state) {
    (void)state;
    scene s = make_house();
    uint32_t tried = 0;
    for (uint32_t part = 0; part < 2; ++part) {
        vni_link_group* groups = part ? s.cells.seams[0][0]->groups : s.cells.table[0]->groups;
        const uint32_t count = part ? s.cells.seams[0][0]->group_count : s.cells.table[0]->group_count;
        for (uint32_t i = 0; i < count; ++i)
            for (uint32_t lane = 1; lane < 4; ++lane) {
                uint8_t* const bytes[4] = {groups[i].low_a, groups[i].high_a, groups[i].low_b,
                                           groups[i].high_b};
                for (uint32_t k = 0; k < 4 && groups[i].to[lane] == VNI_NO_CELL; ++k) {
                    bytes[k][lane] ^= 1;
                    expect_refusal(&s, "not filled up");
                    bytes[k][lane] ^= 1;
                    ++tried;
                }
            }
    }

    assert_true(tried > 100);
    free_scene(&s);
}

/// All links are there, but a group has a gap before the last one.
static void test_gap_between_groups(void** state) {
    (void)state;
    scene s = make_dust(203);
    vni_cell_block* b = s.cells.table[0];
    const list l = find_list(b, 5, 7);

    vni_link_group *g = &b->groups[l.first], kept[2] = {g[0], g[1]};
    for (uint32_t i = 0; i < l.links - 4 + 1; ++i)
        copy_lane(&g[1], i, i ? &kept[1] : &kept[0], i ? i - 1 : 3);

    fill_up(&g[1], l.links - 4);
    fill_up(&g[0], 2);
    expect_refusal(&s, "gap");
    vn_detail detail;
    assert_int_equal(vnt_cells_validate(&s.cells, &s.space->occupancy, &detail), VN_BAD_DATA);
    free_scene(&s);
}

/// Puts a group of nothing but ones into a block.
static void insert_group(scene* s, vni_cell_block* b, uint32_t at) {
    b->groups = with_length(b->groups, sizeof *b->groups, b->group_count, b->group_count + (size_t)1);
    memmove(b->groups + at + 1, b->groups + at, (b->group_count - at) * sizeof *b->groups);
    memset(b->groups + at, 255, sizeof *b->groups);
    ++b->group_count;
    update_view(s, 0);
}

static void test_empty_groups(void** state) {
    (void)state;
    scene s = make_house();
    vni_cell_block* b = s.cells.table[0];
    insert_group(&s, b, b->group_count); // of no cell
    expect_refusal(&s, "belong to no cell");
    free_scene(&s);
    s = make_house();
    b = s.cells.table[0];
    const list l = find_list(b, 0, 0);
    insert_group(&s, b, l.first);

    b->cells[l.cell].faces[l.face] = 1;
    for (uint32_t i = l.cell + 1; i < b->cell_count; ++i)
        ++b->cells[i].first_group;

    expect_refusal(&s, "gap");
    ++b->cells[l.cell].first_group;
    expect_refusal(&s, "do not follow");
    free_scene(&s);
}

// ---------------------------------------------------------------------------------------------- components

static void test_components(void** state) {
    (void)state;
    scene s = make_house();
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
    for (uint32_t i = 0; i < b->cell_count; ++i)
        b->cells[i].component = i != inside; // the right parts with the wrong numbers

    expect_refusal(&s, "out of order");
    for (uint32_t i = 0; i < b->cell_count; ++i)
        b->cells[i].component = i == inside;

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

/// A component cut in two where each part hangs together, with all numbers as they would be.
static void split_component(scene* s) {
    vni_cell_block* b = s->cells.table[0];
    uint32_t count = 0;
    for (uint32_t i = 0; i < b->cell_count; ++i) { // each with the lowest that it is linked with
        uint32_t least = i;
        const uint32_t end = i + 1 < b->cell_count ? b->cells[i + 1].first_group : b->group_count;
        for (uint32_t k = 4 * b->cells[i].first_group; k < 4 * end; ++k)
            least = b->groups[k / 4].to[k % 4] < least ? b->groups[k / 4].to[k % 4] : least;
        b->cells[i].component = least == i ? count++ : b->cells[least].component;
    }

    assert_true(count > b->component_count);
    s->cells.components = with_length(s->cells.components, 4, b->component_count, count);
    for (uint32_t i = 0; i < count; ++i)
        s->cells.components[i] = i;

    b->component_count = s->cells.component_count = s->cells.component_base[1] = count;
}

static void test_split_component(void** state) {
    (void)state;
    scene s = make_dust(204);
    split_component(&s);
    expect_refusal(&s, "another component");
    free_scene(&s);
    const vn_voxel dims = {5, 8, 1}; // a U: two cells, and one that is linked with both, by one link each

    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t y = 0; y < 7; ++y)
        for (int32_t x = 1; x < 4; ++x)
            vnt_voxels_block(&voxels, x, y, 0);

    s = scene_of(voxels);
    split_component(&s);
    expect_refusal(&s, "another component");
    free_scene(&s);
}

/// A free chunk, one beside it with a blocked voxel, and 511 voxels that are free alone. The cells of the
/// second chunk become component 512, though they are linked with component 0: equal modulo 256.
static void test_more_than_256_components(void** state) {
    (void)state;
    const vn_voxel dims = {48, 16, 16};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t i = 0; i < 16 * 16 * 16; ++i)
        if (i % 2 || i / 16 % 2 || i / 256 % 2 || i == 0)
            vnt_voxels_block(&voxels, i % 16, i / 16 % 16, i / 256);

    vnt_voxels_block(&voxels, 40, 8, 8);
    scene s = scene_of(voxels);
    vni_cell_block* b = s.cells.table[0];
    assert_int_equal(b->component_count, 512);
    assert_int_equal(b->first_of_chunk[2], 1 + 511);
    for (uint32_t i = b->first_of_chunk[2]; i < b->cell_count; ++i)
        b->cells[i].component = 512;

    s.cells.components = with_length(s.cells.components, 4, 512, 513);
    s.cells.components[512] = 512;
    b->component_count = s.cells.component_count = s.cells.component_base[1] = 513;
    expect_refusal(&s, "cell 0: it is linked with a cell of another component");
    free_scene(&s);
}

// -------------------------------------------------------------------------------------------------- seams

/// Links, one or two, that lead into a block without cells.
static void test_links_into_a_solid_block(void** state) {
    (void)state;
    for (uint32_t links = 1; links <= 2; ++links) {
        const vn_voxel dims = {65, 4, 4};
        vnt_voxels voxels = vnt_voxels_make(dims);
        for (int32_t i = 0; i < 16; ++i)
            vnt_voxels_block(&voxels, 64, i % 4, i / 4);

        scene s = scene_of(voxels);
        vni_seam* seam = s.cells.seams[0][0];
        assert_int_equal(s.cells.table[1]->cell_count, 0);
        assert_int_equal(seam->a_count, 1);
        seam->groups = with_length(seam->groups, sizeof *seam->groups, 0, 1);
        for (uint32_t i = 0; i < links; ++i)
            seam->groups[0].to[i] = i;

        seam->first[1] = seam->group_count = 1;
        expect_refusal(&s, "cell 0: it has a link to a cell that does not exist");
        free_scene(&s);
    }
}

static void test_seams(void** state) {
    (void)state;
    scene s = make_house();
    vni_seam* seam = s.cells.seams[0][0];
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

    uint32_t inner = 0, several = 0; // a cell of the upper block that is not at the seam
    while (s.cells.table[1]->cells[inner].low[0] == 0)
        ++inner;

    kept = seam->groups[0];
    seam->groups[0].to[0] = inner;
    expect_refusal(&s, "portal");
    seam->groups[0] = kept;
    while (seam->groups[several].to[1] == VNI_NO_CELL || seam->groups[several].to[3] != VNI_NO_CELL)
        ++several;

    fill_up(&seam->groups[several], last_lane(&seam->groups[several]) - 1);
    expect_refusal(&s, "block 0: a link to the upper neighbour is missing");
    free_scene(&s);
}

static void test_groups_that_no_seam_list_holds(void** state) {
    (void)state;
    for (int at_end = 0; at_end < 2; ++at_end) {
        scene s = make_house();
        vni_seam* seam = s.cells.seams[0][0];
        const uint32_t lists = seam->a_count + seam->b_count, count = seam->group_count;
        seam->groups = with_length(seam->groups, sizeof *seam->groups, count, count + (size_t)1);
        if (!at_end) {
            memmove(seam->groups + 1, seam->groups, count * sizeof *seam->groups);
            for (uint32_t i = 0; i <= lists; ++i)
                ++seam->first[i];
        }

        ++seam->group_count;
        expect_refusal(&s, "belong to no cell");
        free_scene(&s);
    }
}

/// Lists that go on beyond the arrays.
static void test_short_seams(void** state) {
    (void)state;
    scene s = make_house();
    vni_seam* seam = s.cells.seams[0][0];
    for (uint32_t i = 0; i < 4 * seam->group_count; ++i)
        seam->groups[i / 4].to[i % 4] = 0; // no list ends

    seam->first[1] = UINT32_MAX;
    expect_refusal(&s, "do not follow");
    free_scene(&s);
    s = make_house();
    seam = s.cells.seams[0][0];
    seam->first = with_length(seam->first, 4, seam->a_count + seam->b_count + (size_t)1, 1);
    seam->first[0] = seam->a_count = seam->b_count = seam->group_count = 0;
    expect_refusal(&s, "are not those of the cells there");
    free_scene(&s);
    s = make_house();
    free(s.cells.seams[0][0]->first);
    free(s.cells.seams[0][0]->groups);
    free(s.cells.seams[0][0]);
    s.cells.seams[0][0] = NULL;
    expect_refusal(&s, "lacks the links to a neighbour");
    free_scene(&s);
}

static void test_ranks(void** state) {
    (void)state;
    for (uint32_t face = 0; face < VNI_FACES; ++face)
        for (int longer = 0; longer < 2; ++longer) {
            scene s = make_house();
            vni_cell_block* b = s.cells.table[0];
            const uint32_t count = b->rank_count[face];
            if (count || longer) {
                b->rank_count[face] = longer ? count + 1 : count - 1;
                b->ranked[face] = with_length(b->ranked[face], 4, count, b->rank_count[face]);
                expect_refusal(&s, longer ? "number of cells on a face" : "wrong rank");
            }

            free_scene(&s);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_double_links),
        cmocka_unit_test(test_links_without_area),
        cmocka_unit_test(test_single_link_without_area),
        cmocka_unit_test(test_filling_up),
        cmocka_unit_test(test_gap_between_groups),
        cmocka_unit_test(test_empty_groups),
        cmocka_unit_test(test_components),
        cmocka_unit_test(test_split_component),
        cmocka_unit_test(test_more_than_256_components),
        cmocka_unit_test(test_links_into_a_solid_block),
        cmocka_unit_test(test_seams),
        cmocka_unit_test(test_groups_that_no_seam_list_holds),
        cmocka_unit_test(test_short_seams),
        cmocka_unit_test(test_ranks),
    };

    return cmocka_run_group_tests_name("cells/validate_links", tests, NULL, NULL);
}
