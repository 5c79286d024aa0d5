/// voxelise/fill.c: collects where the lines of the grid cross a mesh, and turns crossings into votes.
///
/// Crossings are stored by column in compressed form: count, prefix sum, write, sort. Each of these passes
/// can stop and resume at any column or row.
#include "voxelise/fill.h"

#include "base/alloc.h"
#include "voxelise/fill_exact.h"
#include "voxelise/stamp.h"
#include <string.h>

#define SNAP      20
#define ONE       ((int64_t)1 << SNAP)
#define FAR_COORD 1099511627776.0 /* 2^40 voxels: coordinates are clamped to it */

/// The lines along one axis a. A column is a pair (u, v) of coordinates along the axes a + 1 and a + 2 (mod
/// 3). Only columns under the mesh are stored.
typedef struct lines {
    int32_t low[2], count[2]; ///< columns [low, low + count) along u and v
    int32_t dims;             ///< voxels along the axis
    uint64_t columns;
    uint32_t* ends;      ///< by column (u fastest): end of its crossings, which is the begin of the next
    uint32_t* crossings; ///< 2 k + (goes in): affects the voxels from k on; sorted within a column
    uint64_t crossing_count;
} lines;

/// The passes over the lines of an axis, in order.
typedef enum pass {
    PASS_CLEAR, ///< ends = 0
    PASS_COUNT, ///< ends = number of crossings
    PASS_SUM,   ///< ends = begin of the column's crossings
    PASS_WRITE, ///< writes crossings, moving begins on: now ends are ends
    PASS_SORT,
    PASS_DONE
} pass;

struct vni_inside {
    lines axis[3];

    // While it is made: the current position.
    const vni_mesh* mesh;
    vni_frame frame;
    int at_axis;
    pass at_pass;
    uint64_t at_column;   ///< clear, sum and sort
    uint32_t at_triangle; ///< count and write
    int32_t at_row;       ///< of the triangle's rows of columns
};

/// A corner of a triangle relative to lines along the axis: across in steps of 2^-20 voxel, along in voxels.
typedef struct corner {
    int64_t u, v;
    double along;
} corner;

// ----------------------------------------------------------------------------------------------- crossings

/// Is the line at (u, v), displaced by (e, e^2) for an infinitesimal e, to the left of a -> b? The result is
/// never the same for a -> b and b -> a, so the two triangles at an edge agree on which side of it a line
/// passes.
static bool is_left(const corner* a, const corner* b, int64_t u, int64_t v) {
    int sign = vni_difference_sign(b->u - a->u, v - a->v, b->v - a->v, u - a->u);
    if (sign != 0)
        return sign > 0;
    return b->v != a->v ? b->v < a->v : b->u > a->u;
}

static int64_t floor_steps(int64_t steps) {
    return steps >= 0 ? steps >> SNAP : -((-steps + ONE - 1) >> SNAP);
}

static int64_t snap(double voxels) {
    return (int64_t)floor(vni_clamp(voxels, -FAR_COORD, FAR_COORD) * (double)ONE + 0.5);
}

static int64_t least(int64_t a, int64_t b, int64_t c) {
    int64_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/// Columns [*first, *last] of the window with centres between the three coordinates; false if there are none.
static bool column_range(int64_t a, int64_t b, int64_t c, int32_t low, int32_t count, int32_t* first,
                         int32_t* last) {
    // Centres lie at ONE / 2 within their columns: ceil((least - ONE / 2) / ONE) to floor((most - ONE / 2) /
    // ONE).
    int64_t from = floor_steps(least(a, b, c) - ONE / 2 + ONE - 1),
            to = floor_steps(-least(-a, -b, -c) - ONE / 2);
    from = from < low ? low : from;
    to = to > low + count - 1 ? low + count - 1 : to;
    *first = (int32_t)(from <= to ? from : 0);
    *last = (int32_t)(from <= to ? to : 0);

    return from <= to;
}

static double weight(const corner* a, const corner* b, int64_t u, int64_t v) {
    double cross = (double)(b->u - a->u) * (double)(v - a->v) - (double)(b->v - a->v) * (double)(u - a->u);
    return cross > 0 ? cross : 0;
}

/// First voxel with its centre behind the crossing, 0 to dims. The crossing is a mean of the corners with
/// weights
/// >= 0 (barycentric coordinates), so that rounding moves it on the triangle, not off it.
static uint32_t crossing_voxel(const corner t[3], int64_t u, int64_t v, int32_t dims) {
    double a = weight(&t[1], &t[2], u, v), b = weight(&t[2], &t[0], u, v), c = weight(&t[0], &t[1], u, v);
    // Each weight is the area opposite to its corner. Clamped at 0, since rounding may put the line just
    // outside.
    double sum = a + b + c;
    double along = sum > 0 ? (a * t[0].along + b * t[1].along + c * t[2].along) / sum : t[0].along;
    double voxel = -floor(0.5 - along);
    return voxel <= 0 ? 0 : voxel >= dims ? (uint32_t)dims : (uint32_t)voxel;
}

static uint64_t column_of(const lines* l, int32_t u, int32_t v) {
    VNI_ASSERT(u >= l->low[0] && u < l->low[0] + l->count[0] && v >= l->low[1] &&
               v < l->low[1] + l->count[1]);
    return (uint64_t)(u - l->low[0]) + (uint64_t)(v - l->low[1]) * (uint64_t)l->count[0];
}

/// The corners of a triangle relative to lines along the current axis.
static void see_triangle(const vni_inside* inside, uint32_t index, corner t[3]) {
    const int axis = inside->at_axis;
    vni_triangle triangle = vni_mesh_triangle(inside->mesh, index);
    const vni_vec* from[3] = {&triangle.a, &triangle.b, &triangle.c};
    for (int k = 0; k < 3; ++k) {
        vni_vec p = vni_to_frame(&inside->frame, *from[k]);
        const double at[3] = {p.x, p.y, p.z};
        t[k] = (corner){snap(at[(axis + 1) % 3]), snap(at[(axis + 2) % 3]), at[axis]};
    }
}

/// Counts the crossings of a row of columns, or, once the array is allocated, writes them and moves the ends
/// on. The corners turn left; `goes_in` if they had to be swapped for that.
static void cross_row(lines* l, const corner t[3], bool goes_in, int32_t row, int32_t first, int32_t last,
                      bool write) {
    VNI_ASSERT(l->ends != NULL && (!write || l->crossings != NULL || l->crossing_count == 0));

    for (int32_t i = first; i <= last; ++i) {
        int64_t u = i * ONE + ONE / 2, v = row * ONE + ONE / 2;
        // Inside all three edges; the displaced line lies on none of them.
        if (!is_left(&t[0], &t[1], u, v) || !is_left(&t[1], &t[2], u, v) || !is_left(&t[2], &t[0], u, v))
            continue;

        uint64_t column = column_of(l, i, row);
        if (write)
            l->crossings[l->ends[column]++] = 2 * crossing_voxel(t, u, v, l->dims) + goes_in;
        else
            ++l->ends[column];
    }
}

/// Processes the rows of the current triangle from at_row on. False if `*work` columns are used up before the
/// last.
static bool cross_triangle(vni_inside* inside, bool write, uint64_t* work) {
    lines* l = &inside->axis[inside->at_axis];
    corner t[3];
    int32_t first_u, last_u, first_v, last_v;
    see_triangle(inside, inside->at_triangle, t);
    // 0: seen edge-on, after snapping. No displaced line crosses it.
    int facing = vni_difference_sign(t[1].u - t[0].u, t[2].v - t[0].v, t[1].v - t[0].v, t[2].u - t[0].u);

    if (facing == 0 || !column_range(t[0].u, t[1].u, t[2].u, l->low[0], l->count[0], &first_u, &last_u) ||
        !column_range(t[0].v, t[1].v, t[2].v, l->low[1], l->count[1], &first_v, &last_v))
        return true;

    // Always counter-clockwise from here on; the facing is kept in the crossing's bit 0.
    if (facing < 0) {
        corner swap = t[1];
        t[1] = t[2];
        t[2] = swap;
    }

    for (int32_t row = first_v + inside->at_row; row <= last_v; ++row, ++inside->at_row) {
        uint64_t columns = (uint64_t)(last_u - first_u) + 1;
        if (*work == 0)
            return false;
        cross_row(l, t, facing < 0, row, first_u, last_u, write);
        *work = *work > columns ? *work - columns : 0;
    }

    return true;
}

/// Counts or writes the crossings of all triangles. False if the work is used up before the last.
static bool cross_mesh(vni_inside* inside, bool write, uint64_t* work) {
    for (; inside->at_triangle < inside->mesh->triangle_count; ++inside->at_triangle) {
        if (*work == 0 || !cross_triangle(inside, write, work))
            return false;
        inside->at_row = 0;
        *work -= *work > 0;
    }

    return true;
}

/// Shell sort with the gaps 1, 4, 13, ...: columns are short.
static void sort_crossings(uint32_t* keys, uint32_t count) {
    VNI_ASSERT(keys != NULL || count == 0);

    uint32_t gap = 1;
    while (gap < count / 3)
        gap = 3 * gap + 1;

    for (; gap > 0; gap /= 3)
        for (uint32_t i = gap; i < count; ++i) {
            uint32_t key = keys[i], j = i;
            for (; j >= gap && keys[j - gap] > key; j -= gap)
                keys[j] = keys[j - gap];
            keys[j] = key;
        }
}

static uint32_t begin_of(const lines* l, uint64_t column) {
    return column ? l->ends[column - 1] : 0;
}

static void clear_column(lines* l, uint64_t column) {
    l->ends[column] = 0;
}

static void sum_column(lines* l, uint64_t column) {
    uint32_t count = l->ends[column];
    l->ends[column] = (uint32_t)l->crossing_count; // truncated if it does not fit: the next pass fails then
    l->crossing_count += count;
}

static void sort_column(lines* l, uint64_t column) {
    uint32_t begin = begin_of(l, column);
    if (begin < l->ends[column]) // else `crossings` may be null
        sort_crossings(l->crossings + begin, l->ends[column] - begin);
}

/// Visits the columns from at_column on. False if the work is used up before the last.
static bool visit_columns(vni_inside* inside, void (*visit)(lines*, uint64_t), uint64_t* work) {
    lines* l = &inside->axis[inside->at_axis];
    uint64_t left = l->columns - inside->at_column, end = inside->at_column + (left < *work ? left : *work);
    *work -= end - inside->at_column;
    for (; inside->at_column < end; ++inside->at_column)
        visit(l, inside->at_column);
    return end == l->columns;
}

/// Continues the current pass. False if the work is used up before its end.
static bool go_on(vni_inside* inside, uint64_t* work) {
    switch (inside->at_pass) {
    case PASS_CLEAR: return visit_columns(inside, clear_column, work);
    case PASS_COUNT: return cross_mesh(inside, false, work);
    case PASS_SUM: return visit_columns(inside, sum_column, work);
    case PASS_WRITE: return cross_mesh(inside, true, work);
    case PASS_SORT: return visit_columns(inside, sort_column, work);
    case PASS_DONE: break;
    }
    return true;
}

/// Allocates for the next pass and rewinds.
static vn_status begin_pass(const vn_allocator* allocator, vni_inside* inside, pass next) {
    lines* l = &inside->axis[inside->at_axis];
    inside->at_pass = l->columns > 0 ? next : PASS_DONE;
    inside->at_column = 0;
    inside->at_triangle = 0;

    // Memory is allocated when its size is known: ends before counting, crossings after summing.
    inside->at_row = 0;
    if (inside->at_pass == PASS_CLEAR) {
        l->ends = VNI_NEW_ARRAY(allocator, uint32_t, l->columns);
        return l->ends != NULL ? VN_OK : VN_OUT_OF_MEMORY;
    }

    if (inside->at_pass != PASS_WRITE)
        return VN_OK;
    if (l->crossing_count > UINT32_MAX)
        return VN_TOO_LARGE;

    l->crossings = VNI_NEW_ARRAY(allocator, uint32_t, l->crossing_count);
    return l->crossings != NULL || l->crossing_count == 0 ? VN_OK : VN_OUT_OF_MEMORY;
}

/// The voxels along one axis with centres between min and max (and at most one more on each side): `*count`
/// from
/// `*low` on.
static void window_along(double min, double max, int32_t dims, int32_t* low, int32_t* count) {
    VNI_ASSERT(min <= max && dims > 0);
    double first = floor(min - 0.5), last = floor(max + 0.5);
    first = first < 0 ? 0 : first;
    last = last > dims - 1 ? dims - 1 : last;
    *low = first <= last ? (int32_t)first : 0;
    *count = first <= last ? (int32_t)(last - first) + 1 : 0;
}

static vni_aabb mesh_bounds(const vni_mesh* mesh, const vni_frame* frame) {
    VNI_ASSERT(mesh->vertex_count > 0);
    vni_vec min = vni_v_from(mesh->vertices[0]), max = min;
    for (uint32_t i = 1; i < mesh->vertex_count; ++i) {
        min = vni_min(min, vni_v_from(mesh->vertices[i]));
        max = vni_max(max, vni_v_from(mesh->vertices[i]));
    }

    return (vni_aabb){vni_to_frame(frame, min), vni_to_frame(frame, max)};
}

vn_status vni_inside_begin(const vn_allocator* allocator, const vni_mesh* mesh, const vni_frame* frame,
                           const int32_t dims[3], vni_inside** out) {
    VNI_ASSERT(frame->size > 0 && dims[0] > 0 && dims[1] > 0 && dims[2] > 0);

    vni_inside* inside = *out = VNI_NEW(allocator, vni_inside);
    if (inside == NULL)
        return VN_OUT_OF_MEMORY;

    vni_aabb bounds = mesh_bounds(mesh, frame);
    const double min[3] = {bounds.min.x, bounds.min.y, bounds.min.z};
    const double max[3] = {bounds.max.x, bounds.max.y, bounds.max.z};
    for (int axis = 0; axis < 3; ++axis) {
        lines* l = &inside->axis[axis];
        l->dims = dims[axis];
        for (int k = 0; k < 2; ++k) {
            int across = (axis + 1 + k) % 3;
            window_along(min[across], max[across], dims[across], &l->low[k], &l->count[k]);
        }

        l->columns = (uint64_t)l->count[0] * (uint64_t)l->count[1];
    }

    inside->mesh = mesh;
    inside->frame = *frame;
    return begin_pass(allocator, inside, PASS_CLEAR);
}

vn_status vni_inside_step(const vn_allocator* allocator, vni_inside* inside, uint64_t work) {
    vn_status status = VN_OK;
    while (status == VN_OK && go_on(inside, &work)) {
        if (inside->at_pass != PASS_DONE)
            status = begin_pass(allocator, inside, (pass)(inside->at_pass + 1));
        else if (inside->at_axis == 2)
            return VN_OK;
        else {
            ++inside->at_axis;
            status = begin_pass(allocator, inside, PASS_CLEAR);
        }
    }

    return status == VN_OK ? VN_RUNNING : status;
}

double vni_inside_progress(const vni_inside* inside) {
    double passes = (double)(inside->at_axis * PASS_DONE + (int)inside->at_pass);
    const uint32_t triangles = inside->mesh->triangle_count;
    return (passes + (triangles ? (double)inside->at_triangle / triangles : 0)) / (3.0 * PASS_DONE + 1);
}

vn_status vni_inside_make(const vn_allocator* allocator, const vni_mesh* mesh, const vni_frame* frame,
                          const int32_t dims[3], vni_inside** out) {
    vn_status status = vni_inside_begin(allocator, mesh, frame, dims, out);
    if (status == VN_OK)
        status = vni_inside_step(allocator, *out, UINT64_MAX);

    if (status != VN_OK) {
        vni_inside_free(allocator, *out);
        *out = NULL;
    }

    return status;
}

void vni_inside_free(const vn_allocator* allocator, vni_inside* inside) {
    if (inside == NULL)
        return;
    for (int axis = 0; axis < 3; ++axis) {
        lines* l = &inside->axis[axis];
        if (l->ends != NULL)
            VNI_DELETE_ARRAY(allocator, l->ends, l->columns);
        if (l->crossings != NULL)
            VNI_DELETE_ARRAY(allocator, l->crossings, l->crossing_count);
    }

    VNI_DELETE(allocator, inside);
}

// --------------------------------------------------------------------------------------------------- votes

/// How a line votes: by the sum of signs, by the number of crossings, or not at all.
typedef enum counting { BY_SIGN, BY_PARITY, ABSTAINS } counting;

static counting counting_of(const uint32_t* keys, uint32_t count) {
    int64_t total = 0;
    for (uint32_t i = 0; i < count; ++i)
        total += keys[i] & 1 ? 1 : -1;
    return total == 0 ? BY_SIGN : count % 2 == 0 ? BY_PARITY : ABSTAINS;
}

/// Bits of the voxels [first, last) relative to `base`, cut to 16.
static uint32_t run_of_16(int32_t first, int32_t last, int32_t base) {
    VNI_ASSERT(first <= last);
    first = first > base ? first - base : 0;
    last = last < base + 16 ? last - base : 16;
    return first < last ? 0xffffu >> (16 - (last - first)) << first : 0;
}

/// A line's vote on the 16 voxels from `base` on.
static uint32_t vote(const uint32_t* keys, uint32_t count, int32_t base) {
    // Most columns miss the chunk: all crossings lie behind it, or in front.
    if (count < 2 || (int32_t)(keys[0] >> 1) >= base + 16 || (int32_t)(keys[count - 1] >> 1) <= base)
        return 0;
    counting by = counting_of(keys, count);
    if (by == ABSTAINS)
        return 0;

    uint32_t bits = 0;
    int64_t sum = 0;
    VNI_ASSERT(keys[0] <= keys[count - 1]);

    // Between two crossings the line is inside or outside throughout: one run of bits.
    for (uint32_t i = 0; i + 1 < count && (int32_t)(keys[i] >> 1) < base + 16; ++i) {
        sum += by == BY_PARITY || keys[i] & 1 ? 1 : -1;
        if (by == BY_PARITY ? sum & 1 : sum != 0)
            bits |= run_of_16((int32_t)(keys[i] >> 1), (int32_t)(keys[i + 1] >> 1), base);
    }

    return bits;
}

/// Adds 16 voxels along an axis, at the chunk's column (u, v), to its 64 bricks. Four consecutive bits go to
/// one brick, spread to the axis' stride there:
///
///     dcba  ->  along x  dcba,  along y  ...d...c...b...a,  along z  one in 16
static void put_votes(uint32_t bits, int axis, int32_t u, int32_t v, uint64_t* bricks) {
    static const uint32_t bit_stride[3] = {1, 4, 16};
    int across_u = (axis + 1) % 3, across_v = (axis + 2) % 3;
    VNI_ASSERT(bits <= 0xffff && u >= 0 && u < 16 && v >= 0 && v < 16);

    uint32_t shift = (uint32_t)(u & 3) * bit_stride[across_u] + (uint32_t)(v & 3) * bit_stride[across_v];
    uint32_t brick = (uint32_t)(u >> 2) * bit_stride[across_u] + (uint32_t)(v >> 2) * bit_stride[across_v];
    for (; bits; bits >>= 4, brick += bit_stride[axis]) {
        uint64_t four = bits & 15;
        if (axis == 1)
            four = (four | four << 3 | four << 6 | four << 9) & 0x1111;
        else if (axis == 2)
            four = (four | four << 15 | four << 30 | four << 45) & 0x0001000100010001u;
        bricks[brick] |= four << shift;
    }
}

/// Votes of the lines along one axis on the chunk at `at` (voxels). False if there are none for inside.
static bool chunk_votes(const lines* l, int axis, const int32_t at[3], uint64_t bricks[64]) {
    int32_t low[2], high[2];
    for (int k = 0; k < 2; ++k) {
        int32_t from = at[(axis + 1 + k) % 3], end = l->low[k] + l->count[k];
        low[k] = from > l->low[k] ? from : l->low[k];
        high[k] = from + 16 < end ? from + 16 : end;
    }

    memset(bricks, 0, 64 * sizeof *bricks);
    bool any = false;
    for (int32_t v = low[1]; v < high[1]; ++v)
        for (int32_t u = low[0]; u < high[0]; ++u) {
            uint64_t column = column_of(l, u, v);
            uint32_t begin = begin_of(l, column), count = l->ends[column] - begin;
            uint32_t bits = count ? vote(l->crossings + begin, count, at[axis]) : 0;
            if (bits)
                put_votes(bits, axis, u & 15, v & 15, bricks);
            any = any || bits;
        }

    return any;
}

static void mark_chunk(const vni_inside* inside, const int32_t at[3], uint64_t* bricks) {
    uint64_t votes[3][64];
    bool x = chunk_votes(&inside->axis[0], 0, at, votes[0]),
         y = chunk_votes(&inside->axis[1], 1, at, votes[1]);
    if (!x && !y)
        return;

    // Two of three: without x and y there is no majority, and z need not vote.
    chunk_votes(&inside->axis[2], 2, at, votes[2]);
    for (int i = 0; i < 64; ++i)
        bricks[i] |= (votes[0][i] & (votes[1][i] | votes[2][i])) | (votes[1][i] & votes[2][i]);
}

void vni_inside_mark(const vni_inside* inside, int32_t bx, int32_t by, int32_t bz, uint64_t* dense) {
    VNI_ASSERT(inside != NULL && dense != NULL);
    VNI_ASSERT(bx >= 0 && by >= 0 && bz >= 0);
    for (int32_t chunk = 0; chunk < 64; ++chunk) {
        int32_t at[3] = {bx * 64 + (chunk & 3) * 16, by * 64 + (chunk >> 2 & 3) * 16,
                         bz * 64 + (chunk >> 4) * 16};
        mark_chunk(inside, at, dense + chunk * 64);
    }
}
