/// sim/rocks.c: the static part of the worlds of Maruszczyk 2016, as boxes inside nodes of 4 metres.
#include "sim/mover.h"
#include "sim/refuse.h"

#include <assert.h>

enum {
    WALLS = 8,
    WINDOW = 3, ///< nodes
    CLEAR = 2   ///< nodes around start and goal that stay free
};

static const vn_voxel start_node = {2, 4, 2};

static const struct {
    vn_voxel dims, goal;
    uint32_t rocks; ///< not of the maze
} layouts[VN_ROCK_LAYOUT_COUNT] = {
    {{VN_ROCK_NODES, VN_ROCK_HEIGHT, VN_ROCK_NODES}, {47, 20, 47}, 2079},
    {{VN_ROCK_NODES, VN_ROCK_HEIGHT, VN_ROCK_NODES}, {47, 20, 47}, 10000},
    {{VN_ROCK_NODES, VN_ROCK_HEIGHT, VN_ROCK_NODES}, {47, 20, 47}, 0},
    {{75, VN_ROCK_HEIGHT, 175}, {72, 20, 172}, 10915},
    {{30, 8, 30}, {27, 5, 27}, 240},
    {{60, 15, 60}, {57, 12, 57}, 1796},
    {{120, 30, 120}, {117, 25, 117}, 14370},
};

static vn_dvec3 centre_of(vn_voxel v) {
    const double size = (double)VN_ROCK_NODE;
    return (vn_dvec3){(v.x + 0.5) * size, (v.y + 0.5) * size, (v.z + 0.5) * size};
}

vn_dvec3 vn_rocks_start(void) {
    return centre_of(start_node);
}

vn_dvec3 vn_rocks_goal(void) {
    return vn_rocks_goal_of(VN_ROCKS_SPARSE);
}

vn_dvec3 vn_rocks_goal_of(vn_rock_layout layout) {
    assert((unsigned)layout < VN_ROCK_LAYOUT_COUNT);
    return centre_of(layouts[layout].goal);
}

vn_dvec3 vn_rocks_size(vn_rock_layout layout) {
    assert((unsigned)layout < VN_ROCK_LAYOUT_COUNT);
    const vn_voxel dims = layouts[layout].dims;
    const double size = (double)VN_ROCK_NODE;
    return (vn_dvec3){dims.x * size, dims.y * size, dims.z * size};
}

/// The box of the nodes [low, high), `gap` metres inside them.
static vn_status add(vn_world* world, vn_voxel low, vn_voxel high, float gap, vn_detail* detail) {
    const float s = VN_ROCK_NODE;
    vn_shape shape = {.kind = VN_SHAPE_BOX};
    shape.as.box.min = (vn_vec3){(float)low.x * s + gap, (float)low.y * s + gap, (float)low.z * s + gap};
    shape.as.box.max = (vn_vec3){(float)high.x * s - gap, (float)high.y * s - gap, (float)high.z * s - gap};
    return vn_world_add(world, &shape, NULL, detail);
}

static bool is_near(vn_voxel a, vn_voxel b) {
    return a.x - b.x <= CLEAR && b.x - a.x <= CLEAR && a.y - b.y <= CLEAR && b.y - a.y <= CLEAR &&
           a.z - b.z <= CLEAR && b.z - a.z <= CLEAR;
}

static vn_voxel node_at(vn_voxel dims, uint32_t index) {
    const uint32_t x = (uint32_t)dims.x, y = (uint32_t)dims.y;
    return (vn_voxel){(int32_t)(index % x), (int32_t)(index / x % y), (int32_t)(index / (x * y))};
}

/// Selection sampling over all nodes but those near the ends: exactly as many as the layout has.
static vn_status scatter(vn_rock_layout layout, uint64_t seed, float gap, vn_world* world,
                         vn_detail* detail) {
    const uint32_t spared = 2 * (2 * CLEAR + 1) * (2 * CLEAR + 1) * (2 * CLEAR + 1);
    uint64_t random = vni_random_of(seed, UINT64_MAX - 2);
    const vn_voxel dims = layouts[layout].dims;
    const uint32_t nodes = (uint32_t)(dims.x * dims.y * dims.z);
    uint32_t left = nodes - spared, wanted = layouts[layout].rocks;
    vn_status status = VN_OK;
    for (uint32_t i = 0; i < nodes && status == VN_OK; ++i) {
        const vn_voxel v = node_at(dims, i);
        if (is_near(v, start_node) || is_near(v, layouts[layout].goal)) {
            continue;
        }

        const uint64_t draw = (vn_random_next(&random) >> 32) * left >> 32;
        if (draw < wanted) {
            status = add(world, v, (vn_voxel){v.x + 1, v.y + 1, v.z + 1}, gap, detail);
            --wanted;
        }

        --left;
    }

    return status;
}

/// One wall: all around a window whose low corner is at y, z.
static vn_status add_wall(vn_world* world, int32_t x, int32_t y, int32_t z, float gap, vn_detail* detail) {
    const int32_t top = VN_ROCK_HEIGHT, far = VN_ROCK_NODES;
    const vn_voxel parts[4][2] = {
        {{x, 0, 0}, {x + 1, top, z}},
        {{x, 0, z + WINDOW}, {x + 1, top, far}},
        {{x, 0, z}, {x + 1, y, z + WINDOW}},
        {{x, y + WINDOW, z}, {x + 1, top, z + WINDOW}},
    };
    vn_status status = VN_OK;
    for (int i = 0; i < 4 && status == VN_OK; ++i) {
        const vn_voxel low = parts[i][0], high = parts[i][1];
        if (low.y < high.y && low.z < high.z) {
            status = add(world, low, high, gap, detail);
        }
    }

    return status;
}

static vn_status add_maze(uint64_t seed, float gap, vn_world* world, vn_detail* detail) {
    uint64_t random = vni_random_of(seed, UINT64_MAX - 3);
    vn_status status = VN_OK;
    for (int32_t i = 0; i < WALLS && status == VN_OK; ++i) {
        const int32_t y = (int32_t)((vn_random_next(&random) >> 32) * (VN_ROCK_HEIGHT - WINDOW + 1) >> 32);
        const int32_t z = (int32_t)((vn_random_next(&random) >> 32) * (VN_ROCK_NODES - WINDOW + 1) >> 32);
        status = add_wall(world, 6 + 5 * i, y, z, gap, detail);
    }

    return status;
}

vn_status vn_rocks_build(vn_rock_layout layout, uint64_t seed, float gap, vn_world* world,
                         vn_detail* detail) {
    if (!((unsigned)layout < VN_ROCK_LAYOUT_COUNT && gap >= 0 && gap <= 1.5f)) {
        return vni_refuse(detail, VN_BAD_ARGUMENT, VN_NO_INDEX,
                          "the layout is one of vn_rock_layout, the gap 0 to 1.5 metres");
    }

    if (layout == VN_ROCKS_MAZE) {
        return add_maze(seed, gap, world, detail);
    }

    return scatter(layout, seed, gap, world, detail);
}
