/// world/measure.c: measures a mesh: area, volume, open edges, and whether its holes are small enough to fill
/// it.
///
/// Vertices at equal positions are welded first. An edge is open if the numbers of triangles that traverse it
/// in its two directions differ. Open edges always form closed loops (each triangle enters and leaves each of
/// its vertices once); loops that share vertices are one hole. A fan of triangles from a hole's centre closes
/// it: the fan's area is the size of the hole, its summed area vector the direction that the hole faces.
#include "base/alloc.h"
#include "base/assert.h"
#include "base/bits.h"
#include "base/sets.h"
#include "world/build.h"
#include "world/radix.h"
#include <string.h>

/// A triangle counts as degenerate below this part of its longest edge squared.
#define DEGENERATE_PART 1e-12

/// See vn_obstacle_info.fillable.
#define HOLES_PART_OF_AREA  0.05
#define HOLE_PART_OF_FACING 0.1

/// Scratch of one measurement: `codes` are those of vertices, then of edges, in the end of open edges only.
typedef struct scratch {
    uint64_t* codes;
    uint64_t* spare;
    uint64_t capacity; ///< of codes, and of spare
    uint32_t* weld;    ///< by vertex: lowest vertex at the same position; later parents of the union-find of
                       ///< open edges
    uint64_t edges;    ///< codes in use
    uint32_t open;     ///< distinct open edges
} scratch;

/// Totals over triangles and holes.
typedef struct totals {
    double area, volume6;
    uint32_t degenerate;
    double facing[6]; ///< sum of v v^T / |v| over the area vectors v, symmetric: xx yy zz xy xz yz
    double hole_area;
    bool has_large_hole;
} totals;

typedef struct hole {
    vni_vec center, vector;
    double area;
} hole;

vni_vec vni_triangle_area_vector(const vni_triangle* triangle) {
    return vni_scale(vni_cross(vni_sub(triangle->b, triangle->a), vni_sub(triangle->c, triangle->a)), 0.5);
}

double vni_triangle_volume6(const vni_triangle* triangle, vni_vec apex) {
    return vni_dot(vni_sub(triangle->a, apex),
                   vni_cross(vni_sub(triangle->b, apex), vni_sub(triangle->c, apex)));
}

// ---------------------------------------------------------------------------------------------- welding

/// The bits of a coordinate; -0 gives those of +0. Any order will do, as long as equals become neighbours.
static uint64_t coordinate_bits(const vn_vec3* v, uint32_t axis) {
    float value = (axis == 0 ? v->x : axis == 1 ? v->y : v->z) + 0.0f;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool positions_are_equal(const vn_vec3* a, const vn_vec3* b) {
    return a->x == b->x && a->y == b->y && a->z == b->z;
}

/// Sorts the vertices by position and names each by the lowest index among its equals.
static void weld_vertices(const vni_mesh* mesh, scratch* s) {
    VNI_ASSERT(mesh->vertex_count <= s->capacity);

    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
        s->codes[v] = v;

    // Three stable sorts, z first: the last one, by x, keeps the order of y and z among equals, and the order
    // of indices among equal positions.
    for (uint32_t axis = 3; axis-- > 0;) {
        for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
            uint32_t v = (uint32_t)s->codes[i];
            s->codes[i] = coordinate_bits(&mesh->vertices[v], axis) << 32 | v;
        }
        vni_radix_sort(s->codes, s->spare, mesh->vertex_count, 32, 64);
    }

    uint32_t first = (uint32_t)s->codes[0];
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        uint32_t v = (uint32_t)s->codes[i];
        if (!positions_are_equal(&mesh->vertices[first], &mesh->vertices[v]))
            first = v;
        s->weld[v] = first;
    }
}

// ------------------------------------------------------------------------------------------------ edges

/// One code for an edge in either direction, but for bit 0: set if it runs from the higher vertex down.
///
///     bit  60 ........ 31 | 30 ......... 1 | 0
///          lower vertex   | higher vertex  | direction
static uint64_t edge_code(uint32_t from, uint32_t to) {
    VNI_ASSERT(from != to && from < VNI_MESH_LIMIT && to < VNI_MESH_LIMIT);
    return from < to ? (uint64_t)from << 31 | (uint64_t)to << 1
                     : (uint64_t)to << 31 | (uint64_t)from << 1 | 1;
}

static uint32_t edge_from(uint64_t code) {
    return (uint32_t)(code & 1 ? (code >> 1) & (VNI_MESH_LIMIT - 1) : code >> 31);
}

static uint32_t edge_to(uint64_t code) {
    return edge_from(code ^ 1);
}

static void collect_edges(const vni_mesh* mesh, scratch* s) {
    s->edges = 0;
    for (uint64_t i = 0; i < 3 * (uint64_t)mesh->triangle_count; ++i) {
        uint64_t next = i % 3 == 2 ? i - 2 : i + 1;
        uint32_t from = s->weld[mesh->indices[i]];
        uint32_t to = s->weld[mesh->indices[next]];
        if (from != to)
            s->codes[s->edges++] = edge_code(from, to);
    }

    VNI_ASSERT(s->edges <= s->capacity);
}

/// Cancels opposite edges; keeps what is left over, as often as it is.
static void keep_open_edges(scratch* s) {
    uint64_t kept = 0;
    s->open = 0;
    for (uint64_t i = 0; i < s->edges;) {
        uint64_t edge = s->codes[i] >> 1;
        int64_t balance = 0;
        for (; i < s->edges && s->codes[i] >> 1 == edge; ++i)
            balance += s->codes[i] & 1 ? -1 : 1;

        // Counted once per edge, kept as often as it is unbalanced: each copy closes with its own triangle of
        // the fan.
        s->open += balance != 0;
        uint64_t code = edge << 1 | (balance < 0);
        for (int64_t copies = balance < 0 ? -balance : balance; copies > 0; --copies)
            s->codes[kept++] = code;

        VNI_ASSERT(kept <= i);
    }

    s->edges = kept;
}

// ------------------------------------------------------------------------------------------------ holes

/// Unites the ends of all open edges: each hole becomes one set.
static void join_open_edges(scratch* s) {
    for (uint64_t i = 0; i < s->edges; ++i) {
        s->weld[edge_from(s->codes[i])] = edge_from(s->codes[i]);
        s->weld[edge_to(s->codes[i])] = edge_to(s->codes[i]);
    }
    for (uint64_t i = 0; i < s->edges; ++i)
        vni_sets_join(s->weld, edge_from(s->codes[i]), edge_to(s->codes[i]));
}

static vni_vec hole_center(const vni_mesh* mesh, const scratch* s, const uint64_t* order, uint64_t count) {
    vni_vec sum = {0, 0, 0};
    double length = 0;
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t edge = s->codes[(uint32_t)order[i]];
        vni_vec a = vni_v_from(mesh->vertices[edge_from(edge)]);
        vni_vec b = vni_v_from(mesh->vertices[edge_to(edge)]);
        double weight = vni_length(vni_sub(b, a));
        sum = vni_add_scaled(sum, vni_add(a, b), 0.5 * weight);
        length += weight;
    }

    VNI_ASSERT(length > 0);

    return vni_scale(sum, 1 / length);
}

static hole measure_hole(const vni_mesh* mesh, const scratch* s, const uint64_t* order, uint64_t count) {
    hole h = {.center = hole_center(mesh, s, order, count)};
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t edge = s->codes[(uint32_t)order[i]];
        vni_triangle fan = {h.center, vni_v_from(mesh->vertices[edge_from(edge)]),
                            vni_v_from(mesh->vertices[edge_to(edge)])};
        vni_vec vector = vni_triangle_area_vector(&fan);
        h.vector = vni_add(h.vector, vector);
        h.area += vni_length(vector);
    }

    return h;
}

/// The mesh's area that faces along d (of any length), each triangle weighted by its squared cosine to d:
/// d^T M d / d^T d with M = sum of v v^T / |v|.
static double facing_area(const totals* t, vni_vec d) {
    const double* m = t->facing;
    double sum = m[0] * d.x * d.x + m[1] * d.y * d.y + m[2] * d.z * d.z;
    sum += 2 * (m[3] * d.x * d.y + m[4] * d.x * d.z + m[5] * d.y * d.z);
    return sum / vni_length2(d);
}

static void add_hole(totals* t, const hole* h) {
    double size = vni_length(h->vector);
    t->hole_area += h->area;
    if (size > 0 && size > HOLE_PART_OF_FACING * facing_area(t, h->vector))
        t->has_large_hole = true;
}

/// Sorts the open edges by hole and adds up the holes. `order` holds two codes an edge.
static void add_holes(const vni_mesh* mesh, scratch* s, uint64_t* order, totals* t) {
    join_open_edges(s);
    for (uint64_t i = 0; i < s->edges; ++i)
        order[i] = (uint64_t)vni_sets_find(s->weld, edge_from(s->codes[i])) << 32 | i;

    vni_radix_sort(order, order + s->edges, s->edges, 32, 62);
    for (uint64_t begin = 0; begin < s->edges;) {
        uint64_t end = begin;
        while (end < s->edges && order[end] >> 32 == order[begin] >> 32)
            ++end;
        hole h = measure_hole(mesh, s, order + begin, end - begin);
        add_hole(t, &h);
        begin = end;
    }
}

static vn_status measure_holes(const vn_allocator* allocator, const vni_mesh* mesh, scratch* s, totals* t) {
    weld_vertices(mesh, s);
    collect_edges(mesh, s);
    // Without bit 0, so that both directions of an edge come together; nothing above the highest vertex.
    uint32_t width = 32 + vni_highest_bit(mesh->vertex_count);
    vni_radix_sort(s->codes, s->spare, s->edges, 1, width);
    keep_open_edges(s);

    if (s->edges == 0)
        return VN_OK;
    uint64_t* order = VNI_NEW_ARRAY(allocator, uint64_t, 2 * s->edges);
    if (order == NULL)
        return VN_OUT_OF_MEMORY;

    add_holes(mesh, s, order, t);
    VNI_DELETE_ARRAY(allocator, order, 2 * s->edges);
    return VN_OK;
}

// -------------------------------------------------------------------------------------------- triangles

static double larger(double a, double b) {
    return a < b ? b : a;
}

static void add_triangle(totals* t, const vni_triangle* triangle, vni_vec apex) {
    vni_vec v = vni_triangle_area_vector(triangle);
    double area = vni_length(v);
    double ab = vni_length2(vni_sub(triangle->b, triangle->a));
    double bc = vni_length2(vni_sub(triangle->c, triangle->b));
    double ca = vni_length2(vni_sub(triangle->a, triangle->c));
    t->degenerate += area <= DEGENERATE_PART * larger(ab, larger(bc, ca));
    t->area += area;

    // Tetrahedra to the centre of the bounds: their signed volumes add up to that of a closed mesh.
    t->volume6 += vni_triangle_volume6(triangle, apex);
    if (area > 0) {
        double parts[6] = {v.x * v.x, v.y * v.y, v.z * v.z, v.x * v.y, v.x * v.z, v.y * v.z};
        for (uint32_t i = 0; i < 6; ++i)
            t->facing[i] += parts[i] / area;
    }
}

static totals measure_triangles(const vni_mesh* mesh, const vn_box* bounds) {
    totals t = {0};
    vni_vec center = vni_scale(vni_add(vni_v_from(bounds->min), vni_v_from(bounds->max)), 0.5);
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        vni_triangle triangle = vni_mesh_triangle(mesh, i);
        add_triangle(&t, &triangle, center);
    }

    return t;
}

vn_status vni_mesh_measure(const vn_allocator* allocator, const vni_mesh* mesh, vn_obstacle_info* info) {
    VNI_ASSERT(mesh->vertex_count > 0 && mesh->triangle_count > 0);

    scratch s = {0};
    s.capacity = 3 * (uint64_t)mesh->triangle_count;
    s.capacity = s.capacity < mesh->vertex_count ? mesh->vertex_count : s.capacity;
    s.codes = VNI_NEW_ARRAY(allocator, uint64_t, s.capacity);
    s.spare = VNI_NEW_ARRAY(allocator, uint64_t, s.capacity);
    s.weld = VNI_NEW_ARRAY(allocator, uint32_t, mesh->vertex_count);
    totals t = measure_triangles(mesh, &info->bounds);

    vn_status status = VN_OUT_OF_MEMORY;
    if (s.codes != NULL && s.spare != NULL && s.weld != NULL)
        status = measure_holes(allocator, mesh, &s, &t);

    VNI_DELETE_ARRAY(allocator, s.codes, s.capacity);
    VNI_DELETE_ARRAY(allocator, s.spare, s.capacity);
    VNI_DELETE_ARRAY(allocator, s.weld, mesh->vertex_count);
    if (status != VN_OK)
        return status;

    info->degenerate = t.degenerate;
    info->open_edges = s.open;
    info->area = t.area;
    info->volume = t.volume6 / 6;
    info->fillable = t.area > 0 && !t.has_large_hole && t.hole_area <= HOLES_PART_OF_AREA * t.area;

    return VN_OK;
}
