/// view/climbs.c: edges of the grid, with the climbs counted.
#include "view/climbs.h"
#include "base/assert.h"

uint32_t vni_climb_grid_limit(const vni_grid* grid, uint32_t most) {
    const uint64_t limit = (uint64_t)vni_grid_graph(grid).node_limit * ((uint64_t)most + 1);
    return limit < UINT32_MAX ? (uint32_t)limit : 0;
}

vni_climb_grid vni_climb_grid_make(const vni_grid* grid, uint32_t most, int up) {
    VNI_ASSERT(most > 0 && up >= 0 && up < 3 && vni_climb_grid_limit(grid, most) > 0);
    return (vni_climb_grid){grid, vni_grid_graph(grid).node_limit, most, VN_NO_NODE, up};
}

static int32_t height_of(const vni_climb_grid* c, uint32_t voxel) {
    const vn_voxel v = vni_grid_voxel(c->grid, voxel);
    return c->up == 0 ? v.x : c->up == 1 ? v.y : v.z;
}

static uint32_t climb_expand(const void* self, uint32_t node, uint32_t* cursor, const vn_edges* out) {
    const vni_climb_grid* c = (const vni_climb_grid*)self;
    const vn_graph grid = vni_grid_graph(c->grid);
    const uint32_t voxel = node % c->voxels, climbs = node / c->voxels;
    const int32_t height = height_of(c, voxel);
    const uint32_t all = grid.expand(grid.self, voxel, cursor, out);
    uint32_t count = 0;
    for (uint32_t i = 0; i < all; ++i) {
        const uint32_t to = out->to[i], next = height_of(c, to) > height ? climbs + 1 : 0;
        if (next > c->most)
            continue;

        out->to[count] = to == c->goal ? to : next * c->voxels + to;
        out->cost[count++] = out->cost[i];
    }

    return count;
}

static void climb_points(const void* self, const uint32_t* nodes, uint32_t count, vn_point* out) {
    const vni_climb_grid* c = (const vni_climb_grid*)self;
    for (uint32_t i = 0; i < count; ++i)
        out[i] = vn_voxel_center(vni_grid_voxel(c->grid, nodes[i] % c->voxels));
}

vn_graph vni_climb_grid_graph(const vni_climb_grid* climbs) {
    vn_graph graph = {0};
    graph.self = climbs;
    graph.node_limit = vni_climb_grid_limit(climbs->grid, climbs->most);
    graph.expand = climb_expand;
    graph.points = climb_points;
    graph.grid = climbs->grid;

    return graph;
}
