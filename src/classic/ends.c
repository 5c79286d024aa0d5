/// classic/ends.c: joins start and goal with a graph.
#include "classic/ends.h"
#include "probe/sight.h"

void vni_ends_set(vni_ends* ends, uint32_t which, vn_point point, const vni_occupancy* occupancy) {
    VNI_ASSERT(which < 2);
    const vni_end* other = &ends->at[1 - which];
    ends->at[which] = (vni_end){.is_set = true, .point = point};
    ends->see = other->is_set && vni_sight(occupancy, point, other->point);
    ends->cost = ends->see ? vni_voxels_between(point, other->point) : 0;
}

void vni_ends_join(vni_ends* ends, uint32_t which, uint32_t id, vn_point point) {
    vni_end* end = &ends->at[which];
    VNI_ASSERT(end->count < VNI_END_JOINS);
    end->nodes[end->count] = id;
    end->costs[end->count++] = vni_voxels_between(end->point, point);
}

void vni_put_end(const vni_ends* ends, uint32_t which, vni_edge_writer* writer) {
    const vni_end* end = &ends->at[which];
    for (uint32_t i = 0; i < end->count; ++i)
        vni_put_edge(writer, end->nodes[i], end->costs[i]);
    if (end->is_set && ends->see)
        vni_put_edge(writer, 1 - which, ends->cost);
}

void vni_put_joined(const vni_ends* ends, uint32_t id, vni_edge_writer* writer) {
    for (uint32_t which = 0; which < 2; ++which)
        for (uint32_t i = 0; i < ends->at[which].count; ++i)
            if (ends->at[which].nodes[i] == id)
                vni_put_edge(writer, which, ends->at[which].costs[i]);
}
