/// bench/lines.c: which of many sight lines do changed voxels cross? The bricks of the change against the
/// lines (live/lines.h), beside an index of the lines by 16^3 chunk, which must be kept up to date with every
/// line that comes and goes. Lines of 10 to 60 voxels in a space of 640^3; one box of 8^3 that moves by a
/// voxel, or fifty of them.
#include "bench.h"

#include "live/lines.h"

enum { LINES = 20000, SIZE = 640, SIDE = SIZE / 16, ROUNDS = 40 };

typedef struct entry {
    uint32_t line, next;
} entry;

typedef struct lines_index {
    uint32_t heads[SIDE * SIDE * SIDE];
    entry* entries;
    uint32_t count;
} lines_index;

static int32_t chunk_of(int32_t step) {
    const int32_t at = step / (16 * VN_LATTICE);
    return at < SIDE ? at : SIDE - 1;
}

/// Enters a line into the chunks that it may touch: halves it until its box is small.
static void insert(lines_index* index, uint32_t line, vn_point a, vn_point b, int depth) {
    const int32_t low[3] = {chunk_of((a.x < b.x ? a.x : b.x) - 1), chunk_of((a.y < b.y ? a.y : b.y) - 1),
                            chunk_of((a.z < b.z ? a.z : b.z) - 1)};
    const int32_t high[3] = {chunk_of((a.x > b.x ? a.x : b.x) + 1), chunk_of((a.y > b.y ? a.y : b.y) + 1),
                             chunk_of((a.z > b.z ? a.z : b.z) + 1)};
    const int32_t volume = (high[0] - low[0] + 1) * (high[1] - low[1] + 1) * (high[2] - low[2] + 1);
    if (volume > 2 && depth < 3) {
        const vn_point m = {(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
        insert(index, line, a, m, depth + 1);
        insert(index, line, m, b, depth + 1);
        return;
    }

    for (int32_t z = low[2]; z <= high[2]; ++z)
        for (int32_t y = low[1]; y <= high[1]; ++y)
            for (int32_t x = low[0]; x <= high[0]; ++x) {
                uint32_t* head = &index->heads[x + SIDE * (y + SIDE * z)];
                if (*head != UINT32_MAX && index->entries[*head].line == line)
                    continue;
                index->entries[index->count] = (entry){line, *head};
                *head = index->count++;
            }
}

/// The lines of the chunks of the bricks, each against the bricks.
static void cross_index(const lines_index* index, const vn_brick_change* bricks, uint32_t count,
                        const vni_line* lines, bool* hit) {
    memset(hit, 0, LINES);
    for (uint32_t i = 0; i < count; ++i) {
        const vn_voxel v = bricks[i].low;
        uint32_t at = index->heads[v.x / 16 + SIDE * (v.y / 16 + SIDE * (v.z / 16))];
        for (; at != UINT32_MAX; at = index->entries[at].next)
            if (!hit[index->entries[at].line])
                vni_lines_cross(&bricks[i], 1, &lines[index->entries[at].line], 1,
                                &hit[index->entries[at].line]);
    }
}

/// The bricks of boxes of 8^3 that have moved by a voxel along x.
static uint32_t make_bricks(vni_rng* rng, uint32_t boxes, vn_brick_change* out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < boxes; ++i) {
        const vn_voxel low = {4 * vni_rng_range(rng, 4, SIZE / 4 - 8),
                              4 * vni_rng_range(rng, 4, SIZE / 4 - 8),
                              4 * vni_rng_range(rng, 4, SIZE / 4 - 8)};
        for (int32_t x = 0; x <= 8; x += 8)
            for (int32_t k = 0; k < 4; ++k)
                out[count++] = (vn_brick_change){{low.x + x, low.y + 4 * (k & 1), low.z + 4 * (k >> 1)},
                                                 x ? 0 : 0x1111111111111111u,
                                                 x ? 0x1111111111111111u : 0};
    }
    return count;
}

static vn_point random_point(vni_rng* rng, vn_point near, int32_t reach) {
    int32_t at[3] = {near.x, near.y, near.z};
    for (int i = 0; i < 3; ++i) {
        at[i] += vni_rng_range(rng, -reach, reach);
        at[i] = at[i] < 0 ? 0 : at[i] > SIZE * VN_LATTICE ? SIZE * VN_LATTICE : at[i];
    }
    return (vn_point){at[0], at[1], at[2]};
}

int main(void) {
    vni_rng rng = vni_rng_make(4);
    static vni_line lines[LINES];
    static bool direct[LINES], by_index[LINES];
    static vn_brick_change bricks[8 * 50];
    lines_index* index = vnb_alloc(1, sizeof *index);
    index->entries = vnb_alloc((size_t)LINES * 64, sizeof *index->entries);
    memset(index->heads, 0xff, sizeof index->heads);
    for (uint32_t i = 0; i < LINES; ++i) {
        const vn_point middle = {SIZE * VN_LATTICE / 2, SIZE * VN_LATTICE / 2, SIZE * VN_LATTICE / 2};
        lines[i].a = random_point(&rng, middle, SIZE * VN_LATTICE / 2);
        lines[i].b = random_point(&rng, lines[i].a, vni_rng_range(&rng, 10, 40) * VN_LATTICE);
    }

    double begin = vnb_seconds();
    for (uint32_t i = 0; i < LINES; ++i)
        insert(index, i, lines[i].a, lines[i].b, 0);
    printf("calibration: %.0f M steps/s\nindex: %.0f ns to enter a line, %.1f chunks each\n",
           vnb_calibration(), 1e9 * (vnb_seconds() - begin) / LINES, (double)index->count / LINES);
    for (uint32_t boxes = 1; boxes <= 50; boxes += 49) {
        double seconds[2] = {0, 0};
        uint32_t hits = 0;
        for (uint32_t round = 0; round < ROUNDS; ++round) {
            const uint32_t count = make_bricks(&rng, boxes, bricks);
            for (uint32_t turn = 0; turn < 2; ++turn) {
                const uint32_t who = rotation_at(2, round, turn);
                begin = vnb_seconds();
                if (who == 0)
                    vni_lines_cross(bricks, count, lines, LINES, direct);
                else
                    cross_index(index, bricks, count, lines, by_index);
                seconds[who] += vnb_seconds() - begin;
            }
            for (uint32_t i = 0; i < LINES; ++i) {
                if (direct[i] != by_index[i])
                    vnb_fail("the two do not agree");
                hits += direct[i];
            }
        }
        printf("%2u boxes, %d lines, %.1f hit: bricks against lines %.1f us, index %.1f us\n", boxes, LINES,
               (double)hits / ROUNDS, 1e6 * seconds[0] / ROUNDS, 1e6 * seconds[1] / ROUNDS);
    }
    free(index->entries);
    free(index);
    return 0;
}
