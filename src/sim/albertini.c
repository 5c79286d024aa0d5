/// sim/albertini.c: the five worlds of Albertini 2022. The thesis shows them as pictures; ours follow what it
/// says about them and come near the numbers of leaves of its octrees.
#include <assert.h>
#include <string.h>

#include "sim/scenes.h"

/// A convex object of about this size: a ball, a box, or a box that is turned.
static void add_convex(vni_maker* m, vn_vec3 center, float size) {
    const uint32_t kind = vni_maker_below(m, 3);
    const float a = vni_maker_real(m, 0.6f, 1) * size, b = vni_maker_real(m, 0.6f, 1) * size,
                c = vni_maker_real(m, 0.6f, 1) * size;
    if (kind == 0) {
        vni_maker_sphere(m, center, size);
    } else if (kind == 1) {
        vni_maker_box(m, (vn_vec3){center.x - a, center.y - b, center.z - c},
                      (vn_vec3){center.x + a, center.y + b, center.z + c});
    } else {
        vni_maker_turned(m, center, (vn_vec3){0.57f * a, 0.57f * b, 0.57f * c});
    }
}

/// Somewhere in cell (x, y, z) of a lattice, so that something of this size stays inside the cell.
static vn_vec3 place_in_cell(vni_maker* m, uint32_t x, uint32_t y, uint32_t z, float edge, float size) {
    const float room = edge - 2 * size;
    assert(room >= 0);
    vn_vec3 center; // drawn one by one: the values of an initialiser have no order of their own
    center.x = (float)x * edge + size + vni_maker_real(m, 0, room);
    center.y = (float)y * edge + size + vni_maker_real(m, 0, room);
    center.z = (float)z * edge + size + vni_maker_real(m, 0, room);

    return center;
}

/// One object in each cell of a lattice. A cell's corners stay free, and so does the middle of the world.
void vni_scene_sparse(vni_maker* m) {
    for (uint32_t i = 0; i < 64; ++i) {
        const float size = vni_maker_real(m, 3.7f, 5.5f);
        add_convex(m, place_in_cell(m, i % 4, i / 4 % 4, i / 16, 16, size), size);
    }
}

/// Leaves a gap at the far end of y and one at the far end of z.
void vni_scene_wall(vni_maker* m) {
    vni_maker_box(m, (vn_vec3){27, 0, 0}, (vn_vec3){31, 57, 59});
}

// ---------------------------------------------------------------------------------------------------- maze

/// Cells of 2 x 2 x 2 voxels with walls of 2 between them. They begin at odd voxels, so that no leaf of the
/// octree is larger than a voxel and corridors are two leaves wide.
enum {
    MAZE_X = 8,
    MAZE_Y = 8,
    MAZE_Z = 7,
    MAZE_CELLS = MAZE_X * MAZE_Y * MAZE_Z,
    MAZE_PERIOD = 4,
    MAZE_VOXELS = 32
};

typedef struct maze {
    unsigned char open[MAZE_VOXELS][MAZE_VOXELS][MAZE_VOXELS]; ///< z, y, x
    bool reached[MAZE_CELLS];
    uint16_t cells[MAZE_CELLS]; ///< that may still have a neighbour to grow to
    uint32_t count;
} maze;

/// Opens the 2 x 2 x 2 voxels from (x, y, z) on.
static void open_voxels(maze* w, int x, int y, int z) {
    for (int i = 0; i < 8; ++i) {
        w->open[z + i / 4][y + i / 2 % 2][x + i % 2] = 1;
    }
}

static void reach(maze* w, uint32_t cell) {
    w->reached[cell] = true;
    w->cells[w->count++] = (uint16_t)cell;
}

/// Opens a way from a cell to a neighbour that has none yet; false if there is no such neighbour.
static bool grow(maze* w, vni_maker* m, uint32_t cell) {
    static const int dims[3] = {MAZE_X, MAZE_Y, MAZE_Z}, stride[3] = {1, MAZE_X, MAZE_X * MAZE_Y};
    const int at[3] = {(int)(cell % MAZE_X), (int)(cell / MAZE_X % MAZE_Y), (int)(cell / (MAZE_X * MAZE_Y))};
    int found[6], count = 0;
    for (int d = 0; d < 6; ++d) {
        const int sign = d % 2 == 0 ? 1 : -1, to = at[d / 2] + sign;
        if (to >= 0 && to < dims[d / 2] && !w->reached[(int)cell + sign * stride[d / 2]]) {
            found[count++] = d;
        }
    }

    if (count == 0) {
        return false;
    }

    const int d = found[vni_maker_below(m, (uint32_t)count)], sign = d % 2 == 0 ? 1 : -1;
    int v[3] = {MAZE_PERIOD * at[0] + 1, MAZE_PERIOD * at[1] + 1, MAZE_PERIOD * at[2] + 1};
    for (int step = 0; step < 2; ++step) {
        v[d / 2] += 2 * sign;
        open_voxels(w, v[0], v[1], v[2]);
    }

    reach(w, (uint32_t)((int)cell + sign * stride[d / 2]));
    return true;
}

/// A tree over all cells that grows from the newest cell mostly, which makes long corridors, and from any
/// other now and then, which makes branches.
static void grow_all(maze* w, vni_maker* m) {
    open_voxels(w, 1, 1, 1);
    reach(w, 0);
    while (w->count > 0) {
        const uint32_t pick = vni_maker_below(m, 10) == 0 ? vni_maker_below(m, w->count) : w->count - 1;
        if (!grow(w, m, w->cells[pick])) {
            memmove(&w->cells[pick], &w->cells[pick + 1], (w->count - pick - 1) * sizeof *w->cells);
            --w->count;
        }
    }
}

/// What is not open, as one box for each run along x.
static void add_walls(const maze* w, vni_maker* m) {
    for (int z = 0; z < MAZE_VOXELS; ++z) {
        for (int y = 0; y < MAZE_VOXELS; ++y) {
            for (int x = 0, end = 0; x < MAZE_VOXELS; x = end + 1) {
                for (end = x; end < MAZE_VOXELS && w->open[z][y][end] == 0; ++end) {
                }
                if (end > x) {
                    vni_maker_box(m, (vn_vec3){(float)x, (float)y, (float)z},
                                  (vn_vec3){(float)end, (float)y + 1, (float)z + 1});
                }
            }
        }
    }
}

void vni_scene_maze(vni_maker* m) {
    maze w = {.count = 0};
    grow_all(&w, m);
    add_walls(&w, m);
}

// -------------------------------------------------------------------------------------------------- meshes

/// Opens upward, where the seed is: above the rim.
void vni_scene_concave(vni_maker* m) {
    vni_maker_pot(m, (vn_vec3){33, 30.3f, 31}, 20.3f, 1, true);
}

/// Pots in some cells of a lattice, opening this way and that, convex objects in the others. The middle of
/// the world is inside a pot that opens downward.
void vni_scene_mixed(vni_maker* m) {
    for (uint32_t i = 0; i < 27; ++i) {
        const uint32_t x = i % 3, y = i / 3 % 3, z = i / 9;
        const bool pot = (x + y + z) % 3 == 0;
        const float size = pot ? vni_maker_real(m, 6.1f, 8.7f) : vni_maker_real(m, 3.7f, 6.4f);
        const vn_vec3 center = place_in_cell(m, x, y, z, 21, pot ? size + 1.5f : size); // mouths stay open
        if (i == 13) {
            vni_maker_pot(m, (vn_vec3){31.5f, 31.5f, 31.5f}, 10, 1, false);
        } else if (pot) {
            const uint32_t way = vni_maker_below(m, 6);
            vni_maker_pot(m, center, size, (int)way / 2, way % 2 == 0);
        } else {
            add_convex(m, center, size);
        }
    }
}
