/// sim/massonnat.c: the six handmade maps of Massonnat 2023. The thesis shows them as pictures; ours follow
/// what it says about them and come near its numbers of voxels and leaves.
#include <assert.h>

#include "sim/scenes.h"

enum { EDGE = 32 };

static void box(vni_maker* m, float x0, float y0, float z0, float x1, float y1, float z1) {
    vni_maker_box(m, (vn_vec3){x0, y0, z0}, (vn_vec3){x1, y1, z1});
}

/// The walls reach beyond the middle from alternate sides, and one edge of each stays open.
void vni_scene_zigzag(vni_maker* m) {
    box(m, 7, 0, 0, 8, 19, 23);
    box(m, 16, 13, 9, 17, EDGE, EDGE);
    box(m, 23, 0, 0, 24, 19, 21);
}

// ----------------------------------------------------------------------------------------------- buildings

enum { HOLES_MAX = 6 };

typedef struct building {
    float low[2], high[2]; ///< x and z
    int storeys;
    float height;      ///< of a storey, with its ceiling
    float ceiling;     ///< its thickness; walls have 1
    uint32_t holes;    ///< in each wall of a storey and in each ceiling
    float least, most; ///< edges of a hole
    int rooms;         ///< along x, in each storey
} building;

/// Up to so many random holes in a rectangle, one of them at least entirely inside.
static void make_holes(vni_maker* m, const building* b, vni_rect r, vni_rect* out) {
    assert(b->holes <= HOLES_MAX);
    for (uint32_t i = 0; i < b->holes; ++i) {
        for (int axis = 0; axis < 2; ++axis) {
            const float space = r.high[axis] - r.low[axis] - 2;
            const float wanted = b->least + (float)vni_maker_below(m, (uint32_t)(b->most - b->least) + 1);
            const float edge = wanted < space ? wanted : space;
            assert(edge >= 1);
            out[i].low[axis] = r.low[axis] + 1 + (float)vni_maker_below(m, (uint32_t)(space - edge) + 1);
            out[i].high[axis] = out[i].low[axis] + edge;
        }
    }
}

static void plate(vni_maker* m, const building* b, int axis, float at, float thickness, vni_rect r) {
    vni_rect holes[HOLES_MAX];
    make_holes(m, b, r, holes);
    vni_maker_plate(m, axis, at, at + thickness, r, holes, b->holes);
}

/// Plates across x lie along y and z, across y along z and x, across z along x and y.
static void add_building(vni_maker* m, const building* b) {
    for (int s = 0; s < b->storeys; ++s) {
        const float floor = (float)s * b->height, ceiling = floor + b->height - b->ceiling;
        const float room = (b->high[0] - b->low[0] - 1) / (float)b->rooms;
        const vni_rect across_x = {{floor, b->low[1]}, {ceiling, b->high[1]}};
        const vni_rect across_z = {{b->low[0] + 1, floor}, {b->high[0] - 1, ceiling}};
        plate(m, b, 2, b->low[1], 1, across_z);

        plate(m, b, 2, b->high[1] - 1, 1, across_z);
        for (int i = 0; i <= b->rooms; ++i) {
            const float x = (float)(int)(b->low[0] + (float)i * room);
            plate(m, b, 0, x, 1, across_x);
            if (i < b->rooms) {
                const float next = (float)(int)(b->low[0] + (float)(i + 1) * room);
                const float end = i + 1 == b->rooms ? next + 1 : next;
                plate(m, b, 1, ceiling, b->ceiling, (vni_rect){{b->low[1], x}, {b->high[1], end}});
            }
        }
    }
}

void vni_scene_building_1(vni_maker* m) {
    add_building(m, &(building){{5, 5}, {26, 27}, 3, 8, 2, 3, 2, 3, 3});
}

void vni_scene_building_2(vni_maker* m) {
    add_building(m, &(building){{4, 4}, {26, 26}, 3, 9, 2, 2, 3, 5, 1});
}

void vni_scene_building_3(vni_maker* m) {
    add_building(m, &(building){{3, 3}, {15, 15}, 4, 7, 1, 2, 2, 3, 1});
    add_building(m, &(building){{17, 6}, {29, 29}, 2, 7, 1, 2, 2, 4, 2});
}

// ---------------------------------------------------------------------------------------------------- cave

/// A square column from the floor or from the ceiling.
static void add_column(vni_maker* m, bool hangs, float x, float z, float length, float half) {
    box(m, x - half, hangs ? EDGE - length : 0, z - half, x + half, hangs ? EDGE : length, z + half);
}

/// Rocks of a thick foot and a long needle that hang or stand, one in each square of a lattice, but none in
/// the four squares of the middle. Needles are less than half a voxel thick, so that finer voxels see more.
void vni_scene_cave(vni_maker* m) {
    enum { SQUARES = 8, SQUARE = EDGE / SQUARES };
    for (uint32_t i = 0; i < SQUARES * SQUARES; ++i) {
        const uint32_t square_x = i % SQUARES, square_z = i / SQUARES;
        const float x = (float)(SQUARE * square_x + vni_maker_below(m, SQUARE));
        const float z = (float)(SQUARE * square_z + vni_maker_below(m, SQUARE));
        const bool hangs = vni_maker_below(m, 2) == 0;

        const float length = 18 + 4 * (float)vni_maker_below(m, 4), foot = 1 + (float)vni_maker_below(m, 6);
        if ((square_x != 3 && square_x != 4) || (square_z != 3 && square_z != 4)) {
            add_column(m, hangs, x + 0.25f, z + 0.25f, length, 0.2f);
            add_column(m, hangs, x + 0.5f, z + 0.5f, foot, 1.2f);
        }
    }
}

// ---------------------------------------------------------------------------------------------- industrial

/// Its pieces stand where they stand; only the pipes are drawn by lot.
void vni_scene_industrial(vni_maker* m) {
    box(m, 2, 0, 2, 9, 6, 10); // halls
    box(m, 20, 0, 21, 28, 5, 27);
    box(m, 3, 0, 22, 5, 13, 24); // chimneys
    box(m, 7, 0, 22, 9, 13, 24);

    box(m, 22, 2, 4, 26, 6, 8); // a tank on four legs
    for (int i = 0; i < 4; ++i) {
        const float x = i % 2 == 0 ? 22 : 25, z = i / 2 == 0 ? 4 : 7;
        box(m, x, 0, z, x + 1, 2, z + 1);
    }

    box(m, 5, 10, 14, 27, 11, 17); // a bridge, and what it stands on
    box(m, 6, 0, 15, 7, 10, 16);
    box(m, 25, 0, 15, 26, 10, 16);
    for (int i = 0; i < 4; ++i) {
        const float y = 14 + (float)vni_maker_below(m, 6),
                    z = 2 + 6 * (float)i + (float)vni_maker_below(m, 5);
        // Drawn one by one: compilers differ in the order in which they evaluate arguments.
        const float to = 20 + (float)vni_maker_below(m, 12), from = (float)vni_maker_below(m, 8);
        box(m, from, y, z, to, y + 1, z + 1);
    }
}
