/// tests/unit/query/terms_oracle.h: small worlds with a query, and brute force over their voxels: what can be
/// reached under limits and with connections, and what it costs on the grid.
#ifndef VNT_TERMS_ORACLE_H
#define VNT_TERMS_ORACLE_H

#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "volnav/path.h"
#include "volnav/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A world of resolution 1 with its low corner at the origin: metres are voxels.
typedef struct scene {
    vnt_voxels voxels;
    vn_space* space;
    vn_query* query;
} scene;

static inline scene make_scene(vnt_voxels voxels) {
    vn_jobs serial = vn_serial_jobs();
    vn_query_def def = vn_default_query_def();
    scene s = {voxels, vnt_voxels_cells(&voxels, &serial), NULL};
    assert_int_equal(vn_query_create(s.space, &def, &s.query, NULL), VN_OK);
    return s;
}

/// World number `number`: small; every eighth one reaches over the side of a block.
static inline scene random_scene(vni_rng* rng, uint32_t number) {
    vn_voxel dims = vnt_random_dims(rng, 13);
    if (number % 8 == 7)
        *(number & 8 ? &dims.x : &dims.z) = 70;
    return make_scene(vnt_voxels_random(rng, dims));
}

static inline void free_scene(scene* s) {
    vn_query_destroy(s->query);
    vn_space_destroy(s->space);
    vnt_voxels_free(&s->voxels);
}

// ------------------------------------------------------------------------------------------------ the oracle

/// Lattice points [low, high], the closed limits; without limits far away.
typedef struct bounds {
    int32_t low[3], high[3];
} bounds;

static inline bounds no_bounds(void) {
    bounds b = {{-1, -1, -1}, {INT32_MAX, INT32_MAX, INT32_MAX}};
    return b;
}

static inline int32_t round_up(float x) {
    return (int32_t)ceil((double)x * VN_LATTICE);
}
static inline int32_t round_down(float x) {
    return (int32_t)floor((double)x * VN_LATTICE);
}

/// The lattice points in a local box.
static inline bounds bounds_of(vn_box box) {
    bounds b = {{round_up(box.min.x), round_up(box.min.y), round_up(box.min.z)},
                {round_down(box.max.x), round_down(box.max.y), round_down(box.max.z)}};
    return b;
}

static inline bool bounds_hold(const bounds* b, vn_point p) {
    return p.x >= b->low[0] && p.y >= b->low[1] && p.z >= b->low[2] && p.x <= b->high[0] &&
           p.y <= b->high[1] && p.z <= b->high[2];
}

static inline bounds bounds_cut(const bounds* a, const bounds* b) {
    bounds out;
    for (int i = 0; i < 3; ++i) {
        out.low[i] = a->low[i] > b->low[i] ? a->low[i] : b->low[i];
        out.high[i] = a->high[i] < b->high[i] ? a->high[i] : b->high[i];
    }
    return out;
}

static inline bool bounds_are_empty(const bounds* b) {
    return b->low[0] > b->high[0] || b->low[1] > b->high[1] || b->low[2] > b->high[2];
}

/// A closed voxel.
static inline bounds bounds_of_voxel(vn_voxel v) {
    bounds b = {{v.x * VN_LATTICE, v.y * VN_LATTICE, v.z * VN_LATTICE},
                {(v.x + 1) * VN_LATTICE, (v.y + 1) * VN_LATTICE, (v.z + 1) * VN_LATTICE}};
    return b;
}

/// A path through a wall: from one free voxel to another.
typedef struct jump {
    vn_voxel from, to;
    double cost;
} jump;

static inline uint32_t index_of(const vnt_voxels* v, vn_voxel at) {
    return (uint32_t)(at.x + v->dims.x * (at.y + v->dims.y * at.z));
}

static inline uint32_t voxel_count(const vnt_voxels* v) {
    return (uint32_t)(v->dims.x * v->dims.y * v->dims.z);
}

static inline vn_voxel voxel_of(const vnt_voxels* v, uint32_t index) {
    uint32_t x = (uint32_t)v->dims.x, y = (uint32_t)v->dims.y;
    vn_voxel at = {(int32_t)(index % x), (int32_t)(index / x % y), (int32_t)(index / x / y)};
    return at;
}

/// May one go from voxel a to its face neighbour b? Their common face must have a point within the limits
/// that is not on its edge.
static inline bool may_cross(const bounds* limits, vn_voxel a, vn_voxel b) {
    const int32_t d[3] = {b.x - a.x, b.y - a.y, b.z - a.z}, at[3] = {a.x, a.y, a.z};
    for (int i = 0; i < 3; ++i) {
        int32_t low = at[i] * VN_LATTICE + 1, high = (at[i] + 1) * VN_LATTICE - 1;
        if (d[i] != 0)
            low = high = (at[i] + (d[i] > 0)) * VN_LATTICE;

        if (low > limits->high[i] || high < limits->low[i])
            return false;
        if ((d[i] > 0 && low == limits->high[i]) || (d[i] < 0 && low == limits->low[i]))
            return false;
    }

    return true;
}

/// What can be reached from `start`, voxel by voxel: 1 in an array that the caller frees.
static inline unsigned char* flood(const vnt_voxels* v, vn_voxel start, const bounds* limits,
                                   const jump* jumps, uint32_t jump_count) {
    static const int32_t steps[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    unsigned char* reached = calloc(voxel_count(v), 1);
    uint32_t* queue = calloc(voxel_count(v), sizeof *queue);
    assert_non_null(reached);
    assert_non_null(queue);
    uint32_t head = 0, tail = 0;
    queue[tail++] = index_of(v, start);

    reached[index_of(v, start)] = 1;
    while (head < tail) {
        vn_voxel at = voxel_of(v, queue[head++]);
        for (uint32_t i = 0; i < 6 + jump_count; ++i) {
            vn_voxel to = at;
            if (i < 6) {
                to.x += steps[i][0];
                to.y += steps[i][1];
                to.z += steps[i][2];
                if (!vnt_voxels_are_free(v, to.x, to.y, to.z) || !may_cross(limits, at, to))
                    continue;
            } else if (memcmp(&jumps[i - 6].from, &at, sizeof at) == 0) {
                to = jumps[i - 6].to;
            }

            if (!reached[index_of(v, to)]) {
                reached[index_of(v, to)] = 1;
                queue[tail++] = index_of(v, to);
            }
        }
    }

    free(queue);
    return reached;
}

/// Are all voxels of the box that two neighbours span free? No corners are cut.
static inline bool may_step(const vnt_voxels* v, vn_voxel a, vn_voxel b) {
    for (int32_t z = a.z < b.z ? a.z : b.z; z <= (a.z > b.z ? a.z : b.z); ++z)
        for (int32_t y = a.y < b.y ? a.y : b.y; y <= (a.y > b.y ? a.y : b.y); ++y)
            for (int32_t x = a.x < b.x ? a.x : b.x; x <= (a.x > b.x ? a.x : b.x); ++x)
                if (!vnt_voxels_are_free(v, x, y, z))
                    return false;
    return true;
}

/// The least cost from the centre of `start` to the centre of each voxel by 26 neighbours and jumps, among
/// voxels whose centres lie within the limits; infinity where there is none. The caller frees it.
static inline double* grid_costs(const vnt_voxels* v, vn_voxel start, const bounds* limits, const jump* jumps,
                                 uint32_t jump_count) {
    uint32_t count = voxel_count(v), head = 0, waiting = 0;
    double* cost = malloc(count * sizeof *cost);
    uint32_t* queue = malloc(count * sizeof *queue);
    unsigned char* is_queued = calloc(count, 1);

    assert_true(cost);
    assert_true(queue);
    assert_true(is_queued);
    for (uint32_t i = 0; i < count; ++i)
        cost[i] = HUGE_VAL;

    cost[index_of(v, start)] = 0;
    queue[waiting++] = index_of(v, start);
    while (waiting > 0) { // label correcting: each voxel waits at most once
        uint32_t from = queue[head];
        head = (head + 1) % count;
        --waiting;
        is_queued[from] = 0;
        vn_voxel at = voxel_of(v, from);
        for (uint32_t i = 0; i < 27 + jump_count; ++i) {
            vn_voxel to = {at.x + (int32_t)(i % 3) - 1, at.y + (int32_t)(i / 3 % 3) - 1,
                           at.z + (int32_t)(i / 9) - 1};
            double step = sqrt((double)((to.x - at.x) * (to.x - at.x) + (to.y - at.y) * (to.y - at.y) +
                                        (to.z - at.z) * (to.z - at.z)));
            if (i >= 27) {
                if (memcmp(&jumps[i - 27].from, &at, sizeof at) != 0)
                    continue;
                to = jumps[i - 27].to;
                step = jumps[i - 27].cost;
            } else if (!may_step(v, at, to) || !bounds_hold(limits, vn_voxel_center(to))) {
                continue;
            }

            uint32_t next = index_of(v, to);
            if (cost[from] + step >= cost[next])
                continue;

            cost[next] = cost[from] + step;
            if (!is_queued[next])
                queue[(head + waiting++) % count] = next;

            is_queued[next] = 1;
        }
    }

    free(queue);
    free(is_queued);
    return cost;
}

// ------------------------------------------------------------------------------------------------- the judge

static inline double distance_between(vn_point a, vn_point b) {
    double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
    return sqrt(x * x + y * y + z * z) / VN_LATTICE;
}

/// The path runs from start to end, every leg is free and within the limits, connections join where they
/// should, and lengths add up. Returns its last point.
static inline vn_point check_legs(const scene* s, const vn_path_request* request,
                                  const vn_path_result* result) {
    uint32_t count, uses;
    const vn_point* points = vn_query_points(s->query, &count);
    const vn_connection_use* taken = vn_query_connections(s->query, &uses);
    bounds limits = request->has_limits ? bounds_of(request->limits) : no_bounds();
    double length = 0, cost = 0;
    assert_true(count >= 1);
    assert_int_equal(count, result->point_count);
    assert_int_equal(uses, result->connections_used);

    assert_memory_equal(&points[0], &result->start, sizeof points[0]);
    for (uint32_t i = 0; i < count; ++i)
        assert_true(bounds_hold(&limits, points[i]));

    uint32_t first = 0;
    for (uint32_t i = 0; i <= uses; ++i) {
        uint32_t end = i < uses ? taken[i].point + 1 : count;
        assert_true(first < end);
        assert_true(end <= count);
        assert_true(vn_space_check_path(s->space, points + first, end - first, NULL));
        for (uint32_t k = first + 1; k < end; ++k)
            length += distance_between(points[k - 1], points[k]);

        if (i < uses) {
            const vn_connection* connection = &request->connections[taken[i].connection];
            vn_point from, to;
            assert_true(end < count);
            assert_true(connection->bidirectional || !taken[i].reversed);
            assert_int_equal(vn_space_point_from_local(s->space, connection->from, &from), VN_OK);
            assert_int_equal(vn_space_point_from_local(s->space, connection->to, &to), VN_OK);
            assert_memory_equal(&points[end - 1], taken[i].reversed ? &to : &from, sizeof from);
            assert_memory_equal(&points[end], taken[i].reversed ? &from : &to, sizeof to);
            cost += (double)connection->cost;
        }

        first = end;
    }

    assert_true(fabs(length - result->length) <= 1e-9 * (1 + length));
    if (request->zone_count == 0 && request->preferred_clearance == 0)
        assert_true(fabs(length + cost - result->cost) <= 1e-6 * (1 + result->cost));

    return points[count - 1];
}

#endif
