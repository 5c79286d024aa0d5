/// Cutting a block and a seam against the rules in plain form: which boxes, in which order; which links, in
/// which order; ranks.
#include "blocks.h"
#include "support.h"

#include "geom/vec.h"

/// A cube of places, as bytes.
typedef struct plain {
    bool open[16][16][16];
    int side;
} plain;

static bool plain_open(const plain* p, const int low[3], const int high[3]) {
    for (int z = low[2]; z < high[2]; ++z)
        for (int y = low[1]; y < high[1]; ++y)
            for (int x = low[0]; x < high[0]; ++x)
                if (x < 0 || y < 0 || z < 0 || x >= p->side || y >= p->side || z >= p->side ||
                    !p->open[z][y][x])
                    return false;

    return true;
}

static void plain_grow(const plain* p, int low[3], int high[3]) {
    for (bool grown = true; grown;) {
        grown = false;
        for (int face = 0; face < VNI_FACES; ++face) {
            int l[3] = {low[0], low[1], low[2]}, h[3] = {high[0], high[1], high[2]};
            const int axis = face >> 1;
            l[axis] = face & 1 ? high[axis] : low[axis] - 1;
            h[axis] = l[axis] + 1;
            if (!plain_open(p, l, h))
                continue;

            grown = true;
            *(face & 1 ? &high[axis] : &low[axis]) += face & 1 ? 1 : -1;
        }
    }
}

/// Checks the cells from `next` on against what the rules give for this cube; returns the first after them.
static uint32_t plain_cover(plain* p, const vni_cell_block* block, uint32_t next, int scale,
                            const int origin[3], const int32_t limit[3]) {
    for (int size = p->side; size > 0; size /= 2)
        for (int z = 0; z < p->side; z += size)
            for (int y = 0; y < p->side; y += size)
                for (int x = 0; x < p->side; x += size) {
                    int low[3] = {x, y, z}, high[3] = {x + size, y + size, z + size};
                    if (origin[0] + x * scale >= limit[0] || origin[1] + y * scale >= limit[1] ||
                        origin[2] + z * scale >= limit[2] || !plain_open(p, low, high))
                        continue;

                    plain_grow(p, low, high);
                    for (int c = low[2]; c < high[2]; ++c)
                        for (int b = low[1]; b < high[1]; ++b)
                            for (int a = low[0]; a < high[0]; ++a)
                                p->open[c][b][a] = false;

                    assert_true(next < block->cell_count);
                    for (int i = 0; i < 3; ++i) {
                        const int end = origin[i] + high[i] * scale;
                        assert_int_equal(block->cells[next].low[i], origin[i] + low[i] * scale);
                        assert_int_equal(block->cells[next].high[i], end < limit[i] ? end : limit[i]);
                    }

                    ++next;
                }

    return next;
}

static bool plain_blocked(vnt_block* m, int x, int y, int z) {
    return *vnt_block_word(m, x, y, z) >> vni_bit_of(x, y, z) & 1;
}

static void check_boxes(vnt_block* m) {
    static plain voxels[VNI_CHUNK_COUNT];
    static const int zero[3] = {0, 0, 0};
    plain chunks = {.side = 4};
    for (int c = 0; c < VNI_CHUNK_COUNT; ++c) {
        bool open = true;
        voxels[c].side = 16;
        for (int i = 0; i < 16 * 16 * 16; ++i) {
            const int x = i & 15, y = i >> 4 & 15, z = i >> 8;
            voxels[c].open[z][y][x] =
                !plain_blocked(m, 16 * (c & 3) + x, 16 * (c >> 2 & 3) + y, 16 * (c >> 4) + z);
            open = open && voxels[c].open[z][y][x];
        }

        chunks.open[c >> 4][c >> 2 & 3][c & 3] = open;
    }

    plain left = chunks;
    uint32_t next = plain_cover(&left, m->cells, 0, 16, zero, m->limit);
    for (int c = 0; c < VNI_CHUNK_COUNT; ++c) {
        const int origin[3] = {16 * (c & 3), 16 * (c >> 2 & 3), 16 * (c >> 4)};
        assert_int_equal(m->cells->first_of_chunk[c], next);
        if (!chunks.open[c >> 4][c >> 2 & 3][c & 3])
            next = plain_cover(&voxels[c], m->cells, next, 1, origin, m->limit);
    }

    assert_int_equal(next, m->cells->cell_count);
}

static const size_t owner_stride[3] = {1, 64, 64 * 64};

/// Checks one list: the cells beyond a face, in the order in which they are first met, with all that they
/// share. `owner` names the cells of `beyond` in the plane there. Returns the groups that there should be.
static uint32_t check_list(const vni_cell* cell, const vni_cell* beyond, int axis, const uint32_t* owner,
                           const vni_link_group* groups) {
    const int a = vni_other_axes[axis][0], b = vni_other_axes[axis][1];
    uint32_t count = 0;
    for (int vb = cell->low[b]; vb < cell->high[b]; ++vb)
        for (int va = cell->low[a]; va < cell->high[a]; ++va) {
            const uint32_t to = owner[(size_t)va * owner_stride[a] + (size_t)vb * owner_stride[b]];
            if (to == VNI_NO_CELL)
                continue;

            const vni_cell* other = &beyond[to];
            const int first_a = other->low[a] > cell->low[a] ? other->low[a] : cell->low[a];
            const int first_b = other->low[b] > cell->low[b] ? other->low[b] : cell->low[b];
            if (va != first_a || vb != first_b)
                continue;

            const vni_link_group* g = &groups[count / 4];
            const uint32_t lane = count++ % 4;
            assert_int_equal(g->to[lane], to);
            assert_int_equal(g->low_a[lane], first_a);
            assert_int_equal(g->low_b[lane], first_b);
            assert_int_equal(g->high_a[lane],
                             other->high[a] < cell->high[a] ? other->high[a] : cell->high[a]);
            assert_int_equal(g->high_b[lane],
                             other->high[b] < cell->high[b] ? other->high[b] : cell->high[b]);
        }

    const vni_link_group* g = &groups[count / 4];
    for (uint32_t lane = count % 4; lane > 0 && lane < 4; ++lane) {
        assert_int_equal(g->to[lane], VNI_NO_CELL);
        assert_true(g->low_a[lane] == g->low_a[lane - 1]);
        assert_true(g->high_a[lane] == g->high_a[lane - 1]);
        assert_true(g->low_b[lane] == g->low_b[lane - 1]);
        assert_true(g->high_b[lane] == g->high_b[lane - 1]);
    }

    return (count + 3) / 4;
}

static void draw_owners(const vni_cell_block* block, uint32_t* owner) {
    memset(owner, 0xff, 64 * 64 * 64 * sizeof *owner); // VNI_NO_CELL
    for (uint32_t i = 0; i < block->cell_count; ++i)
        for (int z = block->cells[i].low[2]; z < block->cells[i].high[2]; ++z)
            for (int y = block->cells[i].low[1]; y < block->cells[i].high[1]; ++y)
                for (int x = block->cells[i].low[0]; x < block->cells[i].high[0]; ++x)
                    owner[x + 64 * y + 64 * 64 * z] = i;
}

static uint32_t owners[2][64 * 64 * 64];

static void check_links(const vni_cell_block* block, const uint32_t* owner) {
    uint32_t ranks[VNI_FACES] = {0}, next = 0;
    for (uint32_t i = 0; i < block->cell_count; ++i) {
        const vni_cell* cell = &block->cells[i];
        assert_int_equal(cell->first_group, next);
        for (uint32_t face = 0; face < VNI_FACES; ++face) {
            const int axis = (int)(face >> 1);
            if (vni_cell_is_on_rim(cell, face)) {
                assert_int_equal(cell->faces[face], ranks[face]);
                assert_int_equal(block->ranked[face][ranks[face]++], i);
                continue;
            }

            const size_t plane = face & 1 ? cell->high[axis] : cell->low[axis] - (size_t)1;
            assert_int_equal(cell->faces[face],
                             check_list(cell, block->cells, axis, owner + plane * owner_stride[axis],
                                        block->groups + next));
            next += cell->faces[face];
        }
    }

    assert_int_equal(next, block->group_count);
    assert_memory_equal(ranks, block->rank_count, sizeof ranks);
}

/// The seam between two blocks whose owners are drawn.
static void check_seam(const vni_seam* seam, const vni_cell_block* a, const vni_cell_block* b, int axis) {
    const uint32_t high = 2 * (uint32_t)axis + 1, low = 2 * (uint32_t)axis;
    uint32_t next = 0;
    assert_true(seam->a_count == a->rank_count[high]);
    assert_true(seam->b_count == b->rank_count[low]);
    for (uint32_t i = 0; i < seam->a_count + seam->b_count; ++i) {
        const bool of_a = i < seam->a_count;
        const vni_cell* cell =
            of_a ? &a->cells[a->ranked[high][i]] : &b->cells[b->ranked[low][i - seam->a_count]];
        const uint32_t* plane = of_a ? owners[1] : owners[0] + 63 * owner_stride[axis];
        assert_int_equal(seam->first[i], next);
        next += check_list(cell, of_a ? b->cells : a->cells, axis, plane, seam->groups + next);
    }

    assert_int_equal(seam->first[seam->a_count + seam->b_count], next);
    assert_int_equal(seam->group_count, next);
}

static void test_rules(void** state) {
    (void)state;
    static vnt_block m[2];
    vni_rng rng = vni_rng_make(vnt_seed("cut", 505));
    vn_allocator allocator = vn_default_allocator();
    vni_cut cut;

    assert_true(vni_cut_make(&allocator, &cut));
    for (uint32_t i = 0; i < vnt_scale(8, 200); ++i) {
        for (int k = 0; k < 2; ++k) {
            vnt_block_make(&m[k], &rng, &cut, &allocator);
            draw_owners(m[k].cells, owners[k]);
            check_boxes(&m[k]);
            check_links(m[k].cells, owners[k]);
        }

        for (int axis = 0; axis < 3; ++axis) {
            vni_seam* seam = vni_cut_seam(&cut, &allocator, m[0].cells, m[1].cells, axis);
            assert_non_null(seam);
            check_seam(seam, m[0].cells, m[1].cells, axis);
            vni_seam_release(&allocator, seam);
        }

        for (int k = 0; k < 2; ++k)
            vnt_block_free(&m[k], &allocator);
    }

    vni_cut_free(&cut);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules)};
    return cmocka_run_group_tests_name("cells/cut", tests, NULL, NULL);
}
