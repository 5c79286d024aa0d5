/// query/draw_world.c: drawing obstacles.
#include "geom/morton.h"
#include "query/draw.h"
#include "world/world.h"

#define SOLID_COLOR   0x8f9aa8ffu
#define FLAGGED_COLOR 0xe8a030ffu ///< open for some
#define UNSEEN_COLOR  0x7a5fae80u

/// What is drawn, where it is, and in which colour.
typedef struct brush {
    vni_pen pen;
    vn_dvec3 origin;
    const vn_box* box; ///< null: everything
    vn_color color;
} brush;

static vn_dvec3 place(const brush* b, vni_vec local) {
    vn_dvec3 p = {b->origin.x + local.x, b->origin.y + local.y, b->origin.z + local.z};
    return p;
}

static bool draw_box(brush* b, vni_vec low, vni_vec high) {
    return vni_pen_box(&b->pen, place(b, low), place(b, high), b->color);
}

static bool draw_triangle(brush* b, vni_vec p, vni_vec q, vni_vec r) {
    return vni_pen_triangle(&b->pen, place(b, p), place(b, q), place(b, r), b->color);
}

static bool is_wanted(const brush* b, const vni_aabb* box) {
    if (b->box == NULL)
        return true;
    const vni_aabb wanted = {vni_v_from(b->box->min), vni_v_from(b->box->max)};
    return vni_aabb_touches(&wanted, box);
}

// ------------------------------------------------------------------------------------------------- solids

/// Corner i of a box has the high side of axis k where bit k of i is set. Counter-clockwise from outside.
static const uint8_t box_triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                             {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                             {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static void draw_oriented(brush* b, const vni_obb* obb) {
    vni_vec corner[8];
    for (int i = 0; i < 8; ++i) {
        corner[i] = obb->center;
        for (int k = 0; k < 3; ++k)
            corner[i] = vni_add_scaled(corner[i], obb->axis[k], i >> k & 1 ? obb->half[k] : -obb->half[k]);
    }

    for (int i = 0; i < 12; ++i)
        if (!draw_triangle(b, corner[box_triangles[i][0]], corner[box_triangles[i][1]],
                           corner[box_triangles[i][2]]))
            return;
}

static void draw_hull(brush* b, const vni_hull* hull) {
    for (uint32_t i = 0; i < hull->triangle_count; ++i) {
        const uint32_t* t = hull->indices + 3 * (size_t)i;
        VNI_ASSERT(t[0] < hull->vertex_count && t[1] < hull->vertex_count && t[2] < hull->vertex_count);
        if (!draw_triangle(b, hull->vertices[t[0]], hull->vertices[t[1]], hull->vertices[t[2]]))
            return;
    }
}

/// Corners of an icosahedron: (0, 1, golden) with all signs, and turned.
static vni_vec icosahedron_corner(int i) {
    const double golden = (1 + sqrt(5.0)) / 2;
    double one = i & 1 ? -1 : 1, long_side = i & 2 ? -golden : golden;
    switch (i >> 2) {
    case 0: return vni_v(0, one, long_side);
    case 1: return vni_v(long_side, 0, one);
    default: return vni_v(one, long_side, 0);
    }
}

/// Counter-clockwise from outside.
static const uint8_t icosahedron[20][3] = {{0, 1, 4},   {0, 6, 1},  {0, 4, 8},   {0, 8, 9},  {0, 9, 6},
                                           {1, 10, 4},  {1, 6, 11}, {1, 11, 10}, {2, 5, 3},  {2, 3, 7},
                                           {2, 8, 5},   {2, 9, 8},  {2, 7, 9},   {3, 5, 10}, {3, 11, 7},
                                           {3, 10, 11}, {4, 5, 8},  {4, 10, 5},  {6, 9, 7},  {6, 7, 11}};

/// Point (i, j) of the grid of four steps to a side on a face, moved out to the ball around the end of the
/// capsule that lies in its direction.
static vni_vec capsule_point(const vni_vec face[3], int i, int j, const vni_capsule* c) {
    vni_vec at = vni_scale(face[0], 4 - i - j);
    at = vni_add_scaled(at, face[1], i);
    at = vni_add_scaled(at, face[2], j);
    vni_vec end = vni_dot(at, vni_sub(c->b, c->a)) > 0 ? c->b : c->a;
    return vni_add_scaled(end, at, c->radius / vni_length(at));
}

/// Each face in 16. A sphere is a capsule whose ends are equal.
static void draw_capsule(brush* b, const vni_capsule* c) {
    for (int f = 0; f < 20; ++f) {
        const vni_vec face[3] = {icosahedron_corner(icosahedron[f][0]), icosahedron_corner(icosahedron[f][1]),
                                 icosahedron_corner(icosahedron[f][2])};
        for (int i = 0; i < 4; ++i)
            for (int j = 0; i + j < 4; ++j) {
                vni_vec p = capsule_point(face, i, j, c), q = capsule_point(face, i + 1, j, c),
                        s = capsule_point(face, i, j + 1, c);
                if (!draw_triangle(b, p, q, s))
                    return;
                if (i + j < 3 && !draw_triangle(b, q, capsule_point(face, i + 1, j + 1, c), s))
                    return;
            }
    }
}

/// Two triangles of a side and one of each cap, between two points of the rim given from the axis.
static bool draw_stave(brush* b, const vni_cylinder* c, vni_vec p, vni_vec q) {
    vni_vec up = vni_scale(c->axis, c->half), top = vni_add(c->center, up), foot = vni_sub(c->center, up);
    return draw_triangle(b, vni_add(foot, p), vni_add(foot, q), vni_add(top, q)) &&
           draw_triangle(b, vni_add(foot, p), vni_add(top, q), vni_add(top, p)) &&
           draw_triangle(b, top, vni_add(top, p), vni_add(top, q)) &&
           draw_triangle(b, foot, vni_add(foot, q), vni_add(foot, p));
}

/// 24 sides, each turned on from the last by 15 degrees.
static void draw_cylinder(brush* b, const vni_cylinder* c) {
    const double cosine = 0.96592582628906829, sine = 0.25881904510252076;
    const vni_vec size = vni_abs_each(c->axis);
    vni_vec p = vni_cross(c->axis, size.x < 0.6 ? vni_v(1, 0, 0) : vni_v(0, 1, 0));
    p = vni_scale(p, c->radius / vni_length(p));
    for (int i = 0; i < 24; ++i) {
        vni_vec q = vni_add_scaled(vni_scale(p, cosine), vni_cross(c->axis, p), sine);
        if (!draw_stave(b, c, p, q))
            return;
        p = q;
    }
}

// ------------------------------------------------------------------------------------------------- meshes

typedef struct mesh_brush {
    brush* brush;
    const vni_mesh* mesh;
} mesh_brush;

static bool draw_mesh_triangle(void* user, uint32_t triangle) {
    mesh_brush* m = (mesh_brush*)user;
    vni_triangle t = vni_mesh_triangle(m->mesh, triangle);
    return draw_triangle(m->brush, t.a, t.b, t.c);
}

static void draw_mesh(brush* b, const vni_mesh* mesh) {
    mesh_brush m = {b, mesh};
    if (b->box != NULL) {
        vni_mesh_query(mesh, b->box, draw_mesh_triangle, &m);
        return;
    }

    for (uint32_t i = 0; i < mesh->triangle_count && draw_mesh_triangle(&m, i); ++i) {
    }
}

// --------------------------------------------------------------------------------------------- voxel sets

/// The four bits along x of row `row` (y + 4 z) of the brick at (x, y, z); 0 if there is none.
static uint32_t row_of(const vni_voxels* set, uint32_t x, uint32_t y, uint32_t z, uint32_t row) {
    uint64_t key = vni_morton_encode(x, y, z);
    uint32_t low = 0, high = set->brick_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (set->bricks[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }

    bool found = low < set->brick_count && set->bricks[low].key == key;
    return found ? (uint32_t)(set->bricks[low].bits >> (4 * row)) & 15 : 0;
}

/// Draws the run that begins at bit `first` of a row and may go on in the bricks beyond.
static bool draw_run(brush* b, const vni_voxels* set, const uint32_t at[3], uint32_t row, uint32_t bits,
                     uint32_t first) {
    uint32_t x = at[0], end = first;
    while (bits >> (end & 3) & 1)
        if ((++end & 3) == 0)
            bits = row_of(set, ++x, at[1], at[2], row);

    double size = (double)set->size;
    VNI_ASSERT(end > first && size > 0);

    vni_vec low = vni_v_from(set->low);
    vni_vec from = vni_v(4.0 * at[0] + first, 4.0 * at[1] + (row & 3), 4.0 * at[2] + (row >> 2));
    vni_vec to = vni_v(4.0 * at[0] + end, from.y + 1, from.z + 1);
    vni_aabb box = {vni_add_scaled(low, from, size), vni_add_scaled(low, to, size)};
    return !is_wanted(b, &box) || draw_box(b, box.min, box.max);
}

/// A run belongs to the brick in which it begins.
static bool draw_brick(brush* b, const vni_voxels* set, const vni_voxel_brick* brick) {
    uint32_t at[3];
    vni_morton_decode(brick->key, &at[0], &at[1], &at[2]);
    for (uint32_t row = 0; row < 16; ++row) {
        uint32_t bits = (uint32_t)(brick->bits >> (4 * row)) & 15;
        bool goes_on = bits & 1 && at[0] > 0 && row_of(set, at[0] - 1, at[1], at[2], row) & 8;
        uint32_t begins = bits & ~(bits << 1) & (goes_on ? 14u : 15u);
        for (uint32_t first = 0; first < 4; ++first)
            if (begins >> first & 1 && !draw_run(b, set, at, row, bits, first))
                return false;
    }

    return true;
}

static void draw_voxels(brush* b, const vni_voxels* set) {
    for (uint32_t i = 0; i < set->brick_count; ++i)
        if (!draw_brick(b, set, &set->bricks[i]))
            return;
}

// -------------------------------------------------------------------------------------------------- world

static void draw_obstacle(brush* b, const vni_obstacle* o) {
    b->color = o->info.flags & VN_FLAG_UNKNOWN ? UNSEEN_COLOR : o->info.flags ? FLAGGED_COLOR : SOLID_COLOR;
    switch (o->info.kind) {
    case VN_SHAPE_BOX: draw_box(b, o->as.box.min, o->as.box.max); break;
    case VN_SHAPE_ORIENTED: draw_oriented(b, &o->as.oriented); break;
    case VN_SHAPE_SPHERE:
        draw_capsule(b, &(vni_capsule){o->as.sphere.center, o->as.sphere.center, o->as.sphere.radius});
        break;
    case VN_SHAPE_HULL: draw_hull(b, &o->as.hull); break;
    case VN_SHAPE_MESH: draw_mesh(b, &o->as.mesh); break;
    case VN_SHAPE_VOXELS: draw_voxels(b, &o->as.voxels); break;
    case VN_SHAPE_CAPSULE: draw_capsule(b, &o->as.capsule); break;
    case VN_SHAPE_CYLINDER: draw_cylinder(b, &o->as.cylinder); break;
    }
}

uint32_t vn_world_draw(const vn_world* world, const vn_box* box, const vn_draw* draw) {
    VNI_ASSERT(world != NULL && draw != NULL);

    brush b = {vni_pen_make(draw), world->origin, box, 0};
    for (uint32_t slot = 0; slot < vni_world_slots(world) && b.pen.left > 0; ++slot) {
        const vni_obstacle* o = vni_world_obstacle(world, slot);
        if (o == NULL)
            continue;
        vni_aabb bounds = {vni_v_from(o->info.bounds.min), vni_v_from(o->info.bounds.max)};
        if (is_wanted(&b, &bounds))
            draw_obstacle(&b, o);
    }

    return b.pen.calls;
}
