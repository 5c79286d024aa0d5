/// graph/incidence.c: enumerates neighbours in batches.
#include "graph/incidence.h"
#include "base/assert.h"

/// Flag in the cursor: the nodes on the first cell are done.
#define ON_SECOND 0x80000000u

/// Appends the nodes on a cell from number `*at` on: its portals, then the two ends if they lie in it.
/// Returns the new count; `*at` is the number of portals + 2 once the cell is done.
static uint32_t gather(const vni_incidence* in, uint32_t cell, uint32_t node, uint32_t* at, uint32_t* to,
                       uint32_t count) {
    uint32_t portals = in->first[cell], portal_count = in->first[cell + 1] - portals;
    for (; *at < portal_count && count < VN_EDGE_BATCH; ++*at) {
        to[count] = in->on_cell[portals + *at];
        count += to[count] != node;
    }

    for (; *at >= portal_count && *at < portal_count + 2 && count < VN_EDGE_BATCH; ++*at) {
        uint32_t end = *at - portal_count;
        to[count] = in->portal_count + end;
        count += in->end_cells[end] == cell && in->portal_count + end != node;
    }

    return count;
}

uint32_t vni_incidence_expand(const vni_incidence* in, uint32_t node, uint32_t* cursor, uint32_t* to) {
    bool is_portal = node < in->portal_count, second = *cursor & ON_SECOND;
    VNI_ASSERT(node < in->portal_count + 2 && (is_portal || !second));

    uint32_t at = *cursor & ~ON_SECOND, count = 0;
    for (;; second = true, at = 0) {
        uint32_t cell =
            is_portal ? vni_incidence_pair(in, node)[second] : in->end_cells[node - in->portal_count];
        count = gather(in, cell, node, &at, to, count);
        if (at < in->first[cell + 1] - in->first[cell] + 2) {
            *cursor = at | (second ? ON_SECOND : 0);
            VNI_ASSERT(count == VN_EDGE_BATCH && *cursor != 0);
            return count;
        }

        if (!is_portal || second)
            break;
    }

    *cursor = 0;
    return count;
}
