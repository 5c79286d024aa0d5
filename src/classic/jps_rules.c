/// classic/jps_rules.c: the rules as masks on the 3x3x3, and their evaluation.
#include "classic/jps_rules.h"

#include <string.h>

#define NEVER    UINT32_MAX ///< a mask that is never all free
#define ALL_FREE 0x7ffffffu

typedef struct step {
    int32_t by[3];
} step;

static step add(step a, step b) {
    step sum = {{a.by[0] + b.by[0], a.by[1] + b.by[1], a.by[2] + b.by[2]}};
    return sum;
}

static step minus(step a, step b) {
    step sum = {{a.by[0] - b.by[0], a.by[1] - b.by[1], a.by[2] - b.by[2]}};
    return sum;
}

static step along(int axis, int32_t by) {
    step s = {{0, 0, 0}};
    s.by[axis] = by;
    return s;
}

static step step_of(const vni_grid* grid, uint32_t direction) {
    const int32_t* by = grid->step[direction];
    step s = {{by[0], by[1], by[2]}};
    return s;
}

static uint32_t cell_of(step s) {
    VNI_ASSERT((uint32_t)(s.by[0] + 1) <= 2 && (uint32_t)(s.by[1] + 1) <= 2 && (uint32_t)(s.by[2] + 1) <= 2);
    return (uint32_t)((s.by[0] + 1) + 3 * (s.by[1] + 1) + 9 * (s.by[2] + 1));
}

static uint32_t bit_of(step s) {
    return 1u << cell_of(s);
}

static uint32_t direction_of(const vni_jps_rules* rules, step s) {
    return rules->direction_of[cell_of(s)];
}

uint32_t vni_jps_rank(const vni_grid* grid, uint32_t direction) {
    VNI_ASSERT(direction < VNI_GRID_DIRECTIONS);
    if (direction >= 6)
        return direction;
    int axis = vni_jps_axis(grid, direction);
    return 2 * (2 - (uint32_t)axis) + (grid->step[direction][axis] > 0);
}

// ------------------------------------------------------------------------------------------------ making

/// The step `to` is forced after `arrival`, unless all voxels of one of the masks are free.
static void force(vni_jps_rules* rules, uint32_t arrival, step to, uint32_t a, uint32_t b, uint32_t c) {
    VNI_ASSERT(rules->forced_count[arrival] < VNI_JPS_MAX_FORCED);
    uint32_t direction = direction_of(rules, to);
    vni_jps_forced f = {direction, rules->needs[direction], {a, b, c}};
    rules->forced[arrival][rules->forced_count[arrival]++] = f;
}

/// After a straight step, 26 neighbours. The voxel before x is at -d.
static void force_after_face(vni_jps_rules* rules, uint32_t arrival, step d) {
    int axis = d.by[0] ? 0 : d.by[1] ? 1 : 2, side = (axis + 1) % 3, other = (axis + 2) % 3;
    for (int32_t i = 0; i < 4; ++i) {
        int32_t sign = i & 1 ? 1 : -1, sign2 = i & 2 ? 1 : -1;
        step e = along(side, sign), f = along(other, sign2), single = i & 2 ? e : along(other, sign);
        uint32_t beside = bit_of(minus(single, d));
        force(rules, arrival, single, beside, NEVER, NEVER);
        force(rules, arrival, add(d, single), beside, NEVER, NEVER);

        step ef = add(e, f);
        uint32_t beside_e = bit_of(minus(e, d)), beside_f = bit_of(minus(f, d));
        force(rules, arrival, ef, beside_e, beside_f, NEVER);
        force(rules, arrival, add(d, ef), beside_e | beside_f | bit_of(minus(ef, d)), NEVER, NEVER);
        rules->watch[arrival] |= beside_e | beside_f | bit_of(minus(ef, d));
    }
}

/// The step a+f after a+b over an edge; `around` are the voxels beside the step from p to x on f's side.
static void force_edge_after_edge(const vni_grid* grid, vni_jps_rules* rules, uint32_t arrival, step a,
                                  step b, step f, uint32_t around) {
    step to = add(a, f), ahead = minus(a, b);
    uint32_t beside_p = bit_of(minus(f, add(a, b))), beside_a = bit_of(minus(f, b));
    uint32_t shorter = beside_a | bit_of(ahead) | bit_of(add(ahead, f));
    bool better = vni_jps_rank(grid, arrival) < vni_jps_rank(grid, direction_of(rules, to));
    uint32_t equal = better ? beside_p | beside_a | bit_of(add(ahead, f)) : NEVER;
    force(rules, arrival, to, around, shorter, equal);
}

/// After a step a+b over an edge. The voxel before x is at -a-b.
static void force_after_edge(const vni_grid* grid, vni_jps_rules* rules, uint32_t arrival, step d) {
    int flat = !d.by[0] ? 0 : !d.by[1] ? 1 : 2, side = (flat + 1) % 3, other = (flat + 2) % 3;
    step a = along(side, d.by[side]), b = along(other, d.by[other]);
    uint32_t rank_a = vni_jps_rank(grid, direction_of(rules, a));
    uint32_t rank_b = vni_jps_rank(grid, direction_of(rules, b));
    for (int32_t sign = -1; sign <= 1; sign += 2) {
        step f = along(flat, sign);
        uint32_t rank_f = vni_jps_rank(grid, direction_of(rules, f));
        uint32_t p = bit_of(minus(f, d)), pa = bit_of(minus(f, b)), pb = bit_of(minus(f, a));
        uint32_t around = p | pa | pb;
        rules->watch[arrival] |= around;
        force(rules, arrival, f, around, rank_b < rank_f ? p | pa : NEVER, rank_a < rank_f ? p | pb : NEVER);
        force_edge_after_edge(grid, rules, arrival, a, b, f, around);
        force_edge_after_edge(grid, rules, arrival, b, a, f, around);
        force(rules, arrival, add(d, f), around, NEVER, NEVER);
    }
}

/// With 6 neighbours, after a step along an axis: what goes along a worse axis.
static void force_of_six(const vni_grid* grid, vni_jps_rules* rules, uint32_t arrival, step d) {
    for (uint32_t n = 0; n < 6; ++n) {
        step e = step_of(grid, n);
        if (vni_jps_rank(grid, n) / 2 <= vni_jps_rank(grid, arrival) / 2)
            continue;
        uint32_t beside = bit_of(minus(e, d));
        force(rules, arrival, e, beside, NEVER, NEVER);
        rules->watch[arrival] |= beside;
    }
}

/// 26: all steps made of parts of d. 6: d, and steps along better axes.
static bool is_natural(const vni_grid* grid, uint32_t arrival, uint32_t n) {
    if (grid->neighbours == 6)
        return n == arrival || vni_jps_rank(grid, n) / 2 < vni_jps_rank(grid, arrival) / 2;
    for (int i = 0; i < 3; ++i)
        if (grid->step[n][i] != 0 && grid->step[n][i] != grid->step[arrival][i])
            return false;
    return true;
}

void vni_jps_rules_make(const vni_grid* grid, vni_jps_rules* out) {
    VNI_ASSERT(grid->neighbours == 6 || grid->neighbours == 26);

    memset(out, 0, sizeof *out);
    out->neighbours = grid->neighbours;
    memcpy(out->needs, grid->needs, sizeof out->needs);
    for (uint32_t d = 0; d < VNI_GRID_DIRECTIONS; ++d)
        out->direction_of[cell_of(step_of(grid, d))] = (uint8_t)d;

    for (uint32_t d = 0; d < grid->neighbours; ++d) {
        for (uint32_t n = 0; n < grid->neighbours; ++n)
            if (is_natural(grid, d, n))
                out->natural[d] |= 1u << n;

        if (grid->neighbours == 26 ? d < 6 : vni_jps_rank(grid, d) < 2)
            out->rows |= 1u << d;

        if (grid->neighbours == 6)
            force_of_six(grid, out, d, step_of(grid, d));
        else if (d < 6)
            force_after_face(out, d, step_of(grid, d));
        else if (d < 18)
            force_after_edge(grid, out, d, step_of(grid, d));

        out->natural[VNI_JPS_NO_ARRIVAL] |= 1u << d;
    }
}

// ---------------------------------------------------------------------------------------------- asking

/// Without branches on the masks.
static inline bool holds(const vni_jps_forced* f, uint32_t free) {
    bool pruned = (free & f->masks[0]) == f->masks[0];
    pruned |= (free & f->masks[1]) == f->masks[1];
    pruned |= (free & f->masks[2]) == f->masks[2];
    return (free & f->needs) == f->needs && !pruned;
}

uint32_t vni_jps_successors(const vni_jps_rules* rules, uint32_t arrival, uint32_t free) {
    VNI_ASSERT(arrival <= VNI_JPS_NO_ARRIVAL && free <= ALL_FREE);

    uint32_t out = 0;
    if (free == ALL_FREE)
        return rules->natural[arrival];

    for (uint32_t left = rules->natural[arrival]; left; left &= left - 1) {
        uint32_t n = vni_lowest_bit(left);
        out |= (uint32_t)((free & rules->needs[n]) == rules->needs[n]) << n;
    }

    if (arrival == VNI_JPS_NO_ARRIVAL || (free & rules->watch[arrival]) == rules->watch[arrival])
        return out;
    for (uint32_t i = 0; i < rules->forced_count[arrival]; ++i)
        out |= (uint32_t)holds(&rules->forced[arrival][i], free) << rules->forced[arrival][i].direction;

    return out;
}

bool vni_jps_is_forced(const vni_jps_rules* rules, uint32_t arrival, uint32_t free) {
    VNI_ASSERT(arrival < VNI_JPS_NO_ARRIVAL && free <= ALL_FREE);
    if ((free & rules->watch[arrival]) == rules->watch[arrival])
        return false;

    for (uint32_t i = 0; i < rules->forced_count[arrival]; ++i)
        if (holds(&rules->forced[arrival][i], free))
            return true;
    return false;
}
