/// classic/jps_jump.c: jumps by rows of events, and by words of bricks.
#include "classic/jps_jump.h"
#include "classic/jps_words.h"

static bool is_forced_at(const vni_grid* grid, const vni_jps_rules* rules, uint32_t direction, int axis,
                         const int32_t from[3], int32_t at) {
    int32_t voxel[3] = {from[0], from[1], from[2]};
    voxel[axis] = at;
    vn_voxel v = {voxel[0], voxel[1], voxel[2]};
    return vni_jps_is_forced(rules, direction, vni_grid_free_around(grid->occupancy, v));
}

// -------------------------------------------------------------------------------------------------- rows

/// How many of the events are below `key`.
static uint32_t count_below(const uint32_t* events, uint32_t count, uint32_t key) {
    uint32_t low = 0;
    while (count > 0) {
        uint32_t half = count / 2;
        bool below = events[low + half] < key;
        low = below ? low + half + 1 : low;
        count = below ? count - half - 1 : half;
    }

    return low;
}

vni_jps_jump vni_jps_jump_rows(const vni_grid* grid, const vni_jps_rules* rules, const vni_jps_rows* rows,
                               uint32_t direction, const int32_t from[3]) {
    VNI_ASSERT(rules->rows >> direction & 1);
    VNI_ASSERT(vni_occupancy_free_at(grid->occupancy, from[0], from[1], from[2]));

    int axis = rows->axis[direction];
    bool up = grid->step[direction][axis] > 0;
    uint32_t count, at = (uint32_t)from[axis] << 1;
    const uint32_t* events = vni_jps_row(rows, direction, from, &count);
    vni_jps_jump jump = {up ? grid->occupancy->dims[axis] - 1 : 0, false, 1};

    // An event is coordinate << 1 | forced, in rising order: upwards the first beyond the voxel, downwards
    // the last before it.
    uint32_t i = count_below(events, count, up ? at + 2 : at) - !up; // wraps below the first
    for (; i < count; i += up ? 1 : UINT32_MAX, ++jump.looked) {
        int32_t to = (int32_t)(events[i] >> 1);
        if (!(events[i] & 1)) {
            jump.end = up ? to - 1 : to + 1;
            return jump;
        }

        // The events are those of 26 neighbours: with 6, fewer steps are forced.
        if (rules->neighbours == 26 || is_forced_at(grid, rules, direction, axis, from, to)) {
            jump.end = to;
            jump.is_forced = true;
            return jump;
        }
    }

    return jump;
}

// ------------------------------------------------------------------------------------------------ bricks

/// Bricks along the row that hold some of the 3 x 3 rows around it. What is along the axis is added.
typedef struct strip {
    uint32_t table, chunk, brick;
    uint64_t around; ///< bits of the rows beside
} strip;

typedef struct scan {
    const vni_occupancy* occupancy;
    int axis;
    uint32_t count, block_step;
    strip strips[4];  ///< the first holds the row itself
    uint64_t middle;  ///< bits of the row in it
    int32_t block_at; ///< along the axis, of `blocks`
    bool any_block;
    const vni_block* blocks[4];
    uint64_t words[4]; ///< of the bricks at hand
    uint64_t any;      ///< of them
} scan;

/// The plane and those beside it, as far as they lie in the brick.
static inline uint64_t planes_around(int axis, int32_t at) {
    uint64_t middle = vni_jps_plane(axis, at);
    return middle | vni_jps_raise(axis, middle) | vni_jps_lower(axis, middle);
}

/// Where the rows beside lie in another brick: -1 or 1; 0 if nowhere.
static inline int32_t crossing(int32_t at, int32_t dim) {
    if ((at & 3) == 0)
        return at > 0 ? -1 : 0;
    return (at & 3) == 3 && at + 1 < dim ? 1 : 0;
}

static void add_strip(scan* s, int u, int v, int32_t at_u, int32_t at_v, uint64_t around) {
    uint32_t steps[3];
    vni_block_strides(s->occupancy->blocks, steps);
    VNI_ASSERT(s->count < 4 && around != 0);

    strip* added = &s->strips[s->count++];
    added->table = (uint32_t)(at_u >> 6) * steps[u] + (uint32_t)(at_v >> 6) * steps[v];
    added->chunk = ((uint32_t)at_u >> 4 & 3) << 2 * u | ((uint32_t)at_v >> 4 & 3) << 2 * v;
    added->brick = ((uint32_t)at_u >> 2 & 3) << 2 * u | ((uint32_t)at_v >> 2 & 3) << 2 * v;
    added->around = around;
    s->block_step = steps[s->axis];
}

static void begin(scan* s, const vni_occupancy* o, int axis, const int32_t from[3]) {
    int u = vni_jps_row_low(axis), v = vni_jps_row_high(axis);
    int32_t cu = from[u], cv = from[v], du = crossing(cu, o->dims[u]), dv = crossing(cv, o->dims[v]);
    uint64_t near_u = planes_around(u, cu), near_v = planes_around(v, cv);
    s->occupancy = o;
    s->axis = axis;
    s->count = 0;
    s->block_at = -1;
    s->middle = vni_jps_plane(u, cu) & vni_jps_plane(v, cv);

    // The 3 x 3 rows lie in one brick across, or in two, or in four, if the row runs along the edge of its
    // brick:
    //
    //      v ^   . . . . | . . . .
    //        |   . . . n | n . . .      m: the row, n: rows beside it
    //        |   . . . m | n . . .      two strips of bricks here; four in a corner
    //        |   . . . n | n . . .
    //        +-----------------> u
    add_strip(s, u, v, cu, cv, near_u & near_v & ~s->middle);
    if (du)
        add_strip(s, u, v, cu + du, cv, vni_jps_plane(u, cu + du) & near_v);

    if (dv)
        add_strip(s, u, v, cu, cv + dv, near_u & vni_jps_plane(v, cv + dv));

    if (du && dv)
        add_strip(s, u, v, cu + du, cv + dv, vni_jps_plane(u, cu + du) & vni_jps_plane(v, cv + dv));
}

/// Takes the words at coordinate `at` of the row. They hold for the voxels that differ from it only in the
/// bits returned: 63, 15 or 3; of more than a brick they are all 0.
static int32_t take_words(scan* s, int32_t at) {
    uint32_t shift = 2 * (uint32_t)s->axis;

    // Blocks of 64 voxels are looked up once; a missing one is free as a whole.
    if (s->block_at != at >> 6) {
        s->block_at = at >> 6;
        s->any_block = false;
        for (uint32_t i = 0; i < s->count; ++i) {
            s->blocks[i] = s->occupancy->table[s->strips[i].table + (uint32_t)(at >> 6) * s->block_step];
            s->any_block |= s->blocks[i] != NULL;
        }
    }

    s->any = 0;
    for (uint32_t i = 0; i < s->count; ++i)
        s->words[i] = 0;

    if (!s->any_block)
        return 63;
    uint32_t chunk = ((uint32_t)at >> 4 & 3) << shift, brick = ((uint32_t)at >> 2 & 3) << shift;

    // A chunk of 16 voxels without a set bit for any brick of the strips is free as a whole.
    uint64_t some = 0;
    for (uint32_t i = 0; i < s->count; ++i)
        if (s->blocks[i] != NULL)
            some |= s->blocks[i]->some[s->strips[i].chunk | chunk] & vni_jps_row_bits[s->axis]
                                                                         << s->strips[i].brick;

    if (!some)
        return 15;
    for (uint32_t i = 0; i < s->count; ++i)
        if (s->blocks[i] != NULL) {
            s->words[i] =
                vni_block_brick(s->blocks[i], s->strips[i].chunk | chunk, s->strips[i].brick | brick);
            s->any |= s->words[i];
        }

    return 3;
}

/// Voxels of the brick at which the row is blocked, or a row beside it ceases to be: only there can anything
/// be forced. `carried` are the words of the brick before, their last plane moved to where it is next.
static uint64_t suspects(const scan* s, bool up, const uint64_t carried[4]) {
    uint64_t out = s->words[0] & s->middle;
    for (uint32_t i = 0; i < s->count; ++i) {
        uint64_t w = s->words[i];
        uint64_t before = carried[i] | (up ? vni_jps_raise(s->axis, w) : vni_jps_lower(s->axis, w));
        out |= before & ~w & s->strips[i].around;
    }

    return out;
}

vni_jps_jump vni_jps_jump_bricks(const vni_grid* grid, const vni_jps_rules* rules, uint32_t direction,
                                 const int32_t from[3]) {
    VNI_ASSERT(rules->rows >> direction & 1);
    VNI_ASSERT(vni_occupancy_free_at(grid->occupancy, from[0], from[1], from[2]));

    const vni_occupancy* o = grid->occupancy;
    int axis = vni_jps_axis(grid, direction);
    bool up = grid->step[direction][axis] > 0;
    int32_t at = from[axis], one = up ? 1 : -1;
    vni_jps_jump jump = {up ? o->dims[axis] - 1 : 0, false, 0};
    uint64_t carried[4] = {0, 0, 0, 0}, any_carried = 0;
    scan s;

    begin(&s, o, axis, from);
    while ((uint32_t)at < (uint32_t)o->dims[axis]) {
        int32_t span = take_words(&s, at);
        ++jump.looked;

        // Whole spans of free voxels cost one look: nothing to scan unless a word, or the plane before it, is
        // set.
        uint64_t hits = s.any | any_carried ? suspects(&s, up, carried) : 0;
        int32_t low = at & ~3;
        for (int32_t t = at == from[axis] ? at + one : at; hits && (t & ~3) == low; t += one) {
            if (!(hits & vni_jps_plane(axis, t)))
                continue;
            if (s.words[0] & s.middle & vni_jps_plane(axis, t)) {
                jump.end = t - one;
                return jump;
            }

            // A row beside it opens here, which is necessary but not enough: the rules decide.
            if (t < o->dims[axis] && is_forced_at(grid, rules, direction, axis, from, t)) {
                jump.end = t;
                jump.is_forced = true;
                return jump;
            }
        }

        // The last plane of this brick lies beside the first of the next.
        any_carried = 0;
        for (uint32_t i = 0; i < s.count; ++i) {
            carried[i] =
                up ? vni_jps_last_to_first(axis, s.words[i]) : vni_jps_first_to_last(axis, s.words[i]);
            any_carried |= carried[i];
        }

        at = up ? (at | span) + 1 : (at & ~span) - 1;
    }

    return jump;
}
