/// replan/field_cell.c: corners of cells as nodes, and the least cost through a cell.
#include "replan/field.h"

#include <math.h>
#include <string.h>

// ---------- corners

void vni_field_groups(const double cost[8], uint32_t out[VNI_FIELD_GROUPS]) {
    uint32_t left = 0, count = 0;
    for (uint32_t i = 0; i < 8; ++i)
        left |= (uint32_t)(cost[i] < HUGE_VAL) << i;

    memset(out, 0, VNI_FIELD_GROUPS * sizeof *out);
    while (left != 0) {
        // names of cells that share a face differ in one bit: by 1, 2 or 4
        uint32_t group = left & (~left + 1), before;
        do {
            before = group;
            group |= left & ((group & 0x55) << 1 | (group >> 1 & 0x55));
            group |= left & ((group & 0x33) << 2 | (group >> 2 & 0x33));
            group |= left & ((group & 0x0f) << 4 | group >> 4);
        } while (group != before);

        VNI_ASSERT(count < VNI_FIELD_GROUPS);
        out[count++] = group;
        left &= ~group;
    }
}

uint32_t vni_field_id(const vni_field* field, vn_voxel corner, uint32_t group) {
    const vn_voxel n = field->bricks;
    const uint32_t brick = (uint32_t)(((corner.z >> 2) * n.y + (corner.y >> 2)) * n.x + (corner.x >> 2));
    const uint32_t in = (uint32_t)((corner.x & 3) | (corner.y & 3) << 2 | (corner.z & 3) << 4);
    return VN_FIRST_NODE + group * field->corners + (brick << 6 | in);
}

vn_voxel vni_field_corner_of(const vni_field* field, uint32_t id) {
    const uint32_t at = (id - VN_FIRST_NODE) % field->corners, brick = at >> 6;
    const uint32_t nx = (uint32_t)field->bricks.x, ny = (uint32_t)field->bricks.y;
    return (vn_voxel){(int32_t)(brick % nx << 2 | (at & 3)), (int32_t)(brick / nx % ny << 2 | (at >> 2 & 3)),
                      (int32_t)(brick / nx / ny << 2 | (at >> 4 & 3))};
}

/// The node of the group that holds the cell of that name, or null.
static vni_plan_node* seen_from(const vni_field* field, vn_voxel corner, uint32_t name) {
    for (uint32_t group = 0; group < VNI_FIELD_GROUPS; ++group) {
        vni_plan_node* node = vni_plan_find(&field->core->nodes, vni_field_id(field, corner, group));
        if (node == NULL || vni_field_mask(node) == 0)
            return NULL; // groups are known together, and there are no gaps
        if (vni_field_mask(node) >> name & 1)
            return node;
    }
    return NULL;
}

void vni_field_load(const vni_field* field, vn_voxel cell, vni_field_cell* out) {
    out->low = cell;
    for (uint32_t t = 0; t < 8; ++t) {
        out->nodes[t] = seen_from(field, vni_field_corner(cell, t), 7 - t);
        out->g[t] = out->nodes[t] != NULL ? out->nodes[t]->g : HUGE_VAL;
    }
}

bool vni_field_end_cell(const vn_graph* graph, uint32_t end, vn_voxel* out) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    const uint32_t count = graph->expand(graph->self, end, &cursor, &edges);
    for (uint32_t i = 0; i < count; ++i)
        if (to[i] >= VN_FIRST_NODE) {
            *out = graph->cells->voxel(graph->cells->self, to[i]);
            return true;
        }
    return false;
}

vni_field vni_field_of(vni_replan* r) {
    const vn_graph* graph = r->source.graph(r->source.self);
    const vn_voxel dims = graph->cells->dims, n = {dims.x / 4 + 1, dims.y / 4 + 1, dims.z / 4 + 1};
    return (vni_field){.core = &r->core,
                       .cells = graph->cells,
                       .bricks = n,
                       .corners = (uint32_t)n.x * (uint32_t)n.y * (uint32_t)n.z << 6,
                       .has_goal = r->field.has_goal,
                       .goal_cell = r->field.goal_cell,
                       .goal = r->field.goal};
}

uint64_t vni_field_node_limit(const vn_graph* graph) {
    const vn_voxel d = graph->cells->dims;
    const uint64_t bricks =
        (uint64_t)(d.x / 4 + 1) * (uint64_t)(d.y / 4 + 1) * (uint64_t)(d.z / 4 + 1); // below 2^57
    return bricks < (uint64_t)1 << 32 ? VN_FIRST_NODE + VNI_FIELD_GROUPS * (bricks << 6) : UINT64_MAX;
}

uint32_t vni_field_usual_nodes(const vn_graph* graph) {
    const uint64_t nodes = vni_field_node_limit(graph), corners = nodes / VNI_FIELD_GROUPS;
    return (uint32_t)(corners <= (uint64_t)1 << 18 ? nodes : corners + corners / 2);
}

// ---------- the least cost through a cell

// At p = (1, y, z) the cost is a + (b - a) y + (d - b) z. With M = (a - b) / c and N = (b - d) / c the sum
//
//     c sqrt(1 + y y + z z) + a - c M y - c N z
//
// is convex, and flat where y = M r, z = N r, r = sqrt(1 + y y + z z) = 1 / sqrt(1 - M M - N N): there it is
// a + c sqrt(1 - M M - N N). Where that lies outside of 1 >= y >= z >= 0, the least is on an edge of the
// triangle, found alike, or at a corner. (Krafft 2019, equation 8, is the edge from a to b, without its c.)
//
// At such a place, u - a = c (1, 0, 0) p / |p| for the cost u that results, and so for b and d: what a node
// costs exceeds all that it was made of by at least c / sqrt 3.
double vni_field_triangle(double a, double b, double d, double c) {
    const double M = (a - b) / c, N = (b - d) / c, K = (a - d) / c;
    const double s = 1 - M * M - N * N;

    // comparisons with what is infinite, or the difference of infinities, are false
    if (0 <= N && N <= M && M * M <= s)
        return a + c * sqrt(s);

    double best = a + c, value = b + c * sqrt(2.0);
    best = value < best ? value : best;
    value = d + c * sqrt(3.0);
    best = value < best ? value : best;
    value = 0 < M && 2 * M * M < 1 ? a + c * sqrt(1 - M * M) : best;
    best = value < best ? value : best;
    value = 0 < N && 3 * N * N < 1 ? b + c * sqrt(2 - 2 * N * N) : best;
    best = value < best ? value : best;
    value = 0 < K && 3 * K * K < 4 ? a + c * sqrt(1 - K * K / 2) : best;
    return value < best ? value : best;
}
