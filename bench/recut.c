/// bench/recut.c: times recutting a block and its six seams after a box of 8^3 voxels has moved by a few
/// voxels inside it, beside cutting all of it. Exits with 1 if the two results differ. A generated space, or
/// DA1 and Full1 if VN_DATA names the folder that holds warframe/. One thread.
#include "bench.h"

#include "cells/recut.h"
#include "occupancy/limit.h"

#include <string.h>

enum { SIDE = 8, MOVES = 400, PASSES = 5 };

/// What is timed.
enum { RECUT_BLOCK, RECUT_SEAMS, CUT_BLOCK, CUT_SEAMS, PARTS };

/// Before and after one move.
typedef struct scene {
    uint32_t index; ///< of the block
    int32_t limit[3];
    uint64_t touched;
    vni_block* after;
    vni_cell_block* cells;      ///< before
    vni_seam* seams[VNI_FACES]; ///< before; null at the rim of the space
} scene;

static uint64_t dense[VNI_BLOCK_BRICKS];

/// Ends the program unless this holds.
static void must(bool ok, const char* what) {
    if (ok)
        return;
    fprintf(stderr, "bench_recut: %s\n", what);
    exit(1);
}

static uint64_t* word_of(int32_t x, int32_t y, int32_t z) {
    return &dense[vni_chunk_of(x, y, z) * 64 + vni_brick_of(x, y, z)];
}

static bool is_free(const int32_t at[3]) {
    for (int32_t z = at[2]; z < at[2] + SIDE; ++z)
        for (int32_t y = at[1]; y < at[1] + SIDE; ++y)
            for (int32_t x = at[0]; x < at[0] + SIDE; ++x)
                if (*word_of(x, y, z) >> vni_bit_of(x, y, z) & 1)
                    return false;
    return true;
}

/// Blocks or frees the box and returns the chunks that it lies in.
static uint64_t flip(const int32_t at[3]) {
    uint64_t chunks = 0;
    for (int32_t z = at[2]; z < at[2] + SIDE; ++z)
        for (int32_t y = at[1]; y < at[1] + SIDE; ++y)
            for (int32_t x = at[0]; x < at[0] + SIDE; ++x) {
                *word_of(x, y, z) ^= (uint64_t)1 << vni_bit_of(x, y, z);
                chunks |= (uint64_t)1 << vni_chunk_of(x, y, z);
            }

    return chunks;
}

/// The block beyond a face, or the block itself at the rim of the space.
static uint32_t beyond(const vni_cells* cells, uint32_t block, uint32_t face) {
    const uint32_t axis = face >> 1, step = cells->stride[axis];
    const int32_t at = cells->views[block].low[axis] / VNI_BLOCK_SIZE;
    if (face & 1)
        return at + 1 < cells->blocks[axis] ? block + step : block;
    return at > 0 ? block - step : block;
}

/// Where the box is before and after, free in both cases: false if none is found in a hundred tries.
static bool find_positions(vni_rng* rng, const int32_t limit[3], int32_t from[3], int32_t to[3]) {
    for (int tries = 0; tries < 100; ++tries) {
        for (int i = 0; i < 3; ++i) {
            if (limit[i] < SIDE + 4)
                return false;
            from[i] = vni_rng_range(rng, 0, limit[i] - SIDE);
            to[i] = from[i] + vni_rng_range(rng, -3, 3);
            to[i] = to[i] < 0 ? 0 : to[i] > limit[i] - SIDE ? limit[i] - SIDE : to[i];
        }

        if (memcmp(from, to, 3 * sizeof *to) != 0 && is_free(from) && is_free(to))
            return true;
    }

    return false;
}

static vni_seam* seam_of(vni_cut* cut, const vni_cells* cells, uint32_t block, const vni_cell_block* now,
                         uint32_t face) {
    const uint32_t other = beyond(cells, block, face);
    const int axis = (int)(face >> 1);
    if (other == block)
        return NULL;

    vni_seam* seam = face & 1 ? vni_cut_seam(cut, &cells->allocator, now, cells->table[other], axis)
                              : vni_cut_seam(cut, &cells->allocator, cells->table[other], now, axis);
    must(seam != NULL, "no memory");
    return seam;
}

static bool make_scene(vni_rng* rng, vni_cut* cut, const vn_space* space, scene* out) {
    const vni_cells* cells = &space->cells;
    const uint32_t index = vni_rng_below(rng, vni_occupancy_block_count(&space->occupancy));
    int32_t from[3], to[3];
    vni_block* before;
    if (space->occupancy.table[index] == NULL)
        return false;

    out->index = index;
    vni_block_limit_at(cells->dims, cells->views[index].low, out->limit);
    vni_block_unpack(space->occupancy.table[index], dense);
    if (!find_positions(rng, out->limit, from, to))
        return false;

    out->touched = flip(from);
    must(vni_block_pack(&space->allocator, dense, &before), "no memory");

    out->cells = vni_cut_block(cut, &space->allocator, before, out->limit);
    must(out->cells != NULL, "no memory");
    vni_block_release(&space->allocator, before);
    for (uint32_t face = 0; face < VNI_FACES; ++face)
        out->seams[face] = seam_of(cut, cells, index, out->cells, face);

    flip(from);
    out->touched |= flip(to);
    must(vni_block_pack(&space->allocator, dense, &out->after), "no memory");
    return true;
}

static void free_scene(const vn_space* space, scene* s) {
    vni_block_release(&space->allocator, s->after);
    vni_cell_block_release(&space->allocator, s->cells);
    for (uint32_t face = 0; face < VNI_FACES; ++face)
        vni_seam_release(&space->allocator, s->seams[face]);
}

/// Recutting must give the same cells and links as cutting; both are made, and their groups have no padding.
static void compare(const vni_cell_block* recut, const vni_cell_block* fresh, vni_seam* seams[2][VNI_FACES]) {
    must(recut != NULL && fresh != NULL, "no memory");
    must(recut->cell_count == fresh->cell_count && recut->group_count == fresh->group_count &&
             memcmp(recut->groups, fresh->groups, fresh->group_count * sizeof *fresh->groups) == 0,
         "recutting and cutting differ");
    for (uint32_t face = 0; face < VNI_FACES; ++face) {
        const vni_seam *a = seams[0][face], *b = seams[1][face];
        must((a == NULL) == (b == NULL), "no memory");
        must(a == NULL || (a->group_count == b->group_count &&
                           memcmp(a->groups, b->groups, b->group_count * sizeof *b->groups) == 0),
             "the seams of recutting and cutting differ");
    }
}

/// Recuts and cuts; keeps the least time of each over the passes.
static void measure(vni_cut* cut, const vn_space* space, const scene* s, double best[PARTS]) {
    const vni_cells* cells = &space->cells;
    const vn_allocator* allocator = &space->allocator;
    for (int pass = 0; pass < PASSES; ++pass) {
        vni_recut_report report;
        bool same_lists;
        vni_seam* seams[2][VNI_FACES] = {{NULL}, {NULL}};
        double times[PARTS + 1];
        times[0] = vnb_seconds();
        vni_cell_block* recut =
            vni_recut_block(cut, allocator, s->cells, s->after, s->limit, s->touched, &report, NULL);

        times[1] = vnb_seconds();
        for (uint32_t face = 0; face < VNI_FACES; ++face) {
            const vni_cell_block* other = cells->table[beyond(cells, s->index, face)];
            const vni_seam_side mine = {s->cells, recut, report.rim_changed >> face & 1};
            const vni_seam_side its = {other, other, false};
            if (s->seams[face] != NULL)
                seams[0][face] = vni_recut_seam(cut, allocator, s->seams[face], face & 1 ? &mine : &its,
                                                face & 1 ? &its : &mine, (int)(face >> 1), &same_lists);
        }

        times[2] = vnb_seconds();
        vni_cell_block* fresh = vni_cut_block(cut, allocator, s->after, s->limit);
        times[3] = vnb_seconds();
        for (uint32_t face = 0; face < VNI_FACES; ++face)
            seams[1][face] = seam_of(cut, cells, s->index, fresh, face);

        times[4] = vnb_seconds();
        for (int i = 0; i < PARTS; ++i) {
            const double seconds = times[i + 1] - times[i];
            best[i] = pass == 0 || seconds < best[i] ? seconds : best[i];
        }

        compare(recut, fresh, seams);
        vni_cell_block_release(allocator, recut);
        vni_cell_block_release(allocator, fresh);
        for (uint32_t face = 0; face < 2 * VNI_FACES; ++face)
            vni_seam_release(allocator, seams[face / VNI_FACES][face % VNI_FACES]);
    }
}

/// Sums over the moves that touch as many chunks as the row says.
typedef struct row {
    const char* name;
    uint32_t most; ///< chunks
    uint32_t count;
    double cells, seconds[PARTS];
} row;

static void add(row* rows, uint32_t count, uint32_t chunks, const scene* s, const double seconds[PARTS]) {
    for (uint32_t i = 0; i < count; ++i) {
        if (chunks > rows[i].most || (i > 0 && i + 1 < count && chunks <= rows[i - 1].most))
            continue;
        ++rows[i].count;
        rows[i].cells += s->cells->cell_count;
        for (int k = 0; k < PARTS; ++k)
            rows[i].seconds[k] += seconds[k];
    }
}

static void run(const vn_space* space) {
    row rows[] = {{.name = "1 chunk", .most = 1},
                  {.name = "2 or 3", .most = 3},
                  {.name = "4 to 8", .most = 8},
                  {.name = "all", .most = UINT32_MAX}};
    const uint32_t count = sizeof rows / sizeof *rows;
    vni_rng rng = vni_rng_make(5);

    vni_cut cut;
    must(vni_cut_make(&space->allocator, &cut), "no memory");

    for (uint32_t moves = 0; moves < MOVES;) {
        scene s;
        double seconds[PARTS];
        if (!make_scene(&rng, &cut, space, &s))
            continue;

        measure(&cut, space, &s, seconds);
        add(rows, count, vni_popcount(s.touched), &s, seconds);
        free_scene(space, &s);
        ++moves;
    }

    printf("%-8s %6s %7s | %8s %8s %8s | %8s %8s %8s | %6s\n", "chunks", "moves", "cells", "recut us",
           "seams", "both", "cut us", "seams", "both", "ratio");
    for (uint32_t i = 0; i < count; ++i) {
        const row* r = &rows[i];
        double us[PARTS];
        for (int k = 0; k < PARTS; ++k)
            us[k] = r->count ? r->seconds[k] / r->count * 1e6 : 0;

        printf("%-8s %6u %7.0f | %8.1f %8.1f %8.1f | %8.1f %8.1f %8.1f | %6.1f\n", r->name, r->count,
               r->count ? r->cells / r->count : 0, us[0], us[1], us[0] + us[1], us[2], us[3], us[2] + us[3],
               r->count ? (us[2] + us[3]) / (us[0] + us[1]) : 0);
    }

    printf("\n");
    vni_cut_free(&cut);
}

int main(void) {
    static const char* const maps[] = {"DA1", "Full1"};
    const char* data = getenv("VN_DATA");
    for (int i = 0; i < (data != NULL ? 2 : 1); ++i) {
        char path[1000];
        if (data != NULL) {
            snprintf(path, sizeof path, "%s/warframe/%s.3dmap", data, maps[i]);
            setenv("VN_BENCH_MAP", path, 1);
        }

        vn_space* space = vnb_space(320, 400, 15);
        run(space);
        vn_space_destroy(space);
    }

    return 0;
}
