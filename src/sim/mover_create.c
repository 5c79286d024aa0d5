/// sim/mover_create.c: what follows from the def of a mover: its rail, extents, reach and planning volume.
#include <assert.h>
#include <math.h>

#include "sim/mover_inside.h"
#include "sim/refuse.h"
#include "sim/turn.h"
#include "sim/vec.h"

/// The planning volume: slightly larger, and ahead by what it flies until the next graph is there (282 ms in
/// Krafft 2019, figure 50; rounded up). The thesis gives no sizes.
static const double planning_margin = 0.25, planning_seconds = 0.5;

vn_mover_def vn_default_mover_def(void) {
    vn_mover_def def = {.shape = {.kind = VN_SHAPE_BOX},
                        .vanishes = (double)INFINITY,
                        .influence_factor = 4,
                        .cookie = VNI_MOVER_COOKIE};
    def.shape.as.box = (vn_box){{-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}};
    return def;
}

const char* vn_motion_name(vn_motion_kind kind) {
    static const char* const names[] = {"still", "patrol", "turn", "blink", "drift", "orbit"};
    static_assert(sizeof names / sizeof *names == VN_MOTION_KIND_COUNT, "each kind has a name");
    return (unsigned)kind < VN_MOTION_KIND_COUNT ? names[kind] : NULL;
}

/// There and back, or round.
static void lay_patrol(vni_rail* rail, const vn_motion* m) {
    for (uint32_t i = 1; i < m->point_count; ++i) {
        vni_rail_straight(rail, vni_exact(m->points[i - 1]), vni_exact(m->points[i]));
    }

    if (m->closed) {
        vni_rail_straight(rail, vni_exact(m->points[m->point_count - 1]), vni_exact(m->points[0]));
    } else {
        for (uint32_t i = m->point_count - 1; i > 0; --i) {
            vni_rail_straight(rail, vni_exact(m->points[i]), vni_exact(m->points[i - 1]));
        }
    }
}

/// Around each centre, and from where that circle ends to where the next begins.
static void lay_orbit(vni_rail* rail, const vn_motion* m) {
    for (uint32_t i = 0; i < m->point_count; ++i) {
        const vn_dvec3 a = vni_exact(m->points[i]), b = vni_exact(m->points[(i + 1) % m->point_count]);
        vni_rail_circle(rail, a, m->radius, m->turns);
        vni_rail_straight(rail, (vn_dvec3){a.x + m->radius, a.y, a.z}, (vn_dvec3){b.x + m->radius, b.y, b.z});
    }
}

static vn_status lay(vni_mover* m, const vn_motion* motion, const vn_allocator* allocator, uint64_t index,
                     vn_detail* detail) {
    if (motion->kind != VN_MOTION_PATROL && motion->kind != VN_MOTION_ORBIT) {
        return VN_OK;
    }

    const vn_status status = vni_rail_create(&m->rail, allocator, 2 * motion->point_count);
    if (status != VN_OK) {
        return vni_refuse(detail, status, index, "no memory for the points of a motion");
    }

    (motion->kind == VN_MOTION_PATROL ? lay_patrol : lay_orbit)(&m->rail, motion);
    if (m->rail.count == 0) {
        vni_rail_free(&m->rail, allocator);
        return vni_refuse(detail, VN_BAD_ARGUMENT, index, "all points of a patrol are equal");
    }

    return VN_OK;
}

/// Greatest distance of a point of the shape from its axis of turning, and the two axes square to it.
static double turning_radius(const vni_mover* m, int* a, int* b) {
    const double half[3] = {m->half.x, m->half.y, m->half.z};
    *a = (m->motion.axis + 1) % 3;
    *b = (m->motion.axis + 2) % 3;
    return m->info.shape.kind == VN_SHAPE_SPHERE ? m->half.x
                                                 : sqrt(half[*a] * half[*a] + half[*b] * half[*b]);
}

static double greatest_speed(const vni_mover* m) {
    int a, b;
    switch (m->motion.kind) {
    case VN_MOTION_PATROL:
    case VN_MOTION_ORBIT: return m->motion.speed;
    case VN_MOTION_DRIFT: return vni_length(vni_exact(m->motion.velocity));
    case VN_MOTION_TURN: {
        const double rate = m->motion.turns_per_second;
        return VNI_TAU * (rate < 0 ? -rate : rate) * turning_radius(m, &a, &b);
    }
    default: return 0;
    }
}

static double above(double a, double b) {
    return a > b ? a : b;
}

static double magnitude(double a) {
    return a < 0 ? -a : a;
}

/// How far the motion leads along each axis within planning_seconds, at most.
static void find_stretch(const vni_mover* m, double* out) {
    const double way = m->info.speed * planning_seconds;
    const double half[3] = {m->half.x, m->half.y, m->half.z};
    const vn_dvec3 v = vni_exact(m->motion.velocity);
    int a, b;
    for (int i = 0; i < 3; ++i) {
        out[i] = way;
    }

    switch (m->motion.kind) {
    case VN_MOTION_PATROL:
        out[0] = out[1] = out[2] = 0;
        for (uint32_t i = 0; i < m->rail.count; ++i) {
            const vn_dvec3 d = m->rail.parts[i].along;
            out[0] = above(out[0], way * magnitude(d.x));
            out[1] = above(out[1], way * magnitude(d.y));
            out[2] = above(out[2], way * magnitude(d.z));
        }
        break;
    case VN_MOTION_TURN: // the broad side leads: the box grows along its shorter edge
        (void)turning_radius(m, &a, &b);
        out[0] = out[1] = out[2] = 0;
        out[half[a] < half[b] ? a : b] = way;
        break;
    case VN_MOTION_DRIFT:
        if (m->motion.edge != VN_EDGE_RETURN) { // bouncing only changes signs
            out[0] = planning_seconds * magnitude(v.x);
            out[1] = planning_seconds * magnitude(v.y);
            out[2] = planning_seconds * magnitude(v.z);
        }
        break;
    default: break;
    }
}

static vn_shape planning_of(const vni_mover* m) {
    vn_shape shape = m->info.shape;
    if (m->motion.kind == VN_MOTION_STILL || m->motion.kind == VN_MOTION_BLINK) {
        return shape;
    }

    if (shape.kind == VN_SHAPE_SPHERE) {
        shape.as.sphere.radius = (float)(m->half.x + planning_margin + m->info.speed * planning_seconds);
        return shape;
    }

    double stretch[3];
    find_stretch(m, stretch);
    const vn_vec3 h = {(float)(m->half.x + planning_margin + stretch[0]),
                       (float)(m->half.y + planning_margin + stretch[1]),
                       (float)(m->half.z + planning_margin + stretch[2])};
    shape.as.box = (vn_box){{-h.x, -h.y, -h.z}, h};
    return shape;
}

static void join(vn_dvec3* low, vn_dvec3* high, vn_dvec3 p, double r) {
    *low = (vn_dvec3){low->x < p.x - r ? low->x : p.x - r, low->y < p.y ? low->y : p.y,
                      low->z < p.z - r ? low->z : p.z - r};
    *high = (vn_dvec3){above(high->x, p.x + r), above(high->y, p.y), above(high->z, p.z + r)};
}

/// Rounded outwards: a float is off by less than a millionth of its size.
static vn_box outwards(vn_dvec3 low, vn_dvec3 high) {
    const double bit = 1e-6;
    return (vn_box){
        {(float)(low.x - bit * (1 + magnitude(low.x))), (float)(low.y - bit * (1 + magnitude(low.y))),
         (float)(low.z - bit * (1 + magnitude(low.z)))},
        {(float)(high.x + bit * (1 + magnitude(high.x))), (float)(high.y + bit * (1 + magnitude(high.y))),
         (float)(high.z + bit * (1 + magnitude(high.z)))}};
}

/// A box around every place of the shape.
static vn_box reach_of(const vni_mover* m, const vn_motion* motion) {
    double half[3] = {m->half.x, m->half.y, m->half.z};
    vn_dvec3 low = vni_exact(motion->position), high = low;
    if (motion->kind == VN_MOTION_DRIFT) {
        low = vni_exact(m->bounds.min), high = vni_exact(m->bounds.max);
        if (motion->edge == VN_EDGE_BOUNCE) {
            return outwards(low, high);
        }
    } else if (motion->kind == VN_MOTION_TURN) {
        int a, b;
        const double r = turning_radius(m, &a, &b);
        half[a] = half[b] = r;
    } else if (motion->kind != VN_MOTION_STILL && motion->kind != VN_MOTION_BLINK) {
        low = high = vni_exact(motion->points[0]);
        for (uint32_t i = 0; i < motion->point_count; ++i) {
            join(&low, &high, vni_exact(motion->points[i]),
                 motion->kind == VN_MOTION_ORBIT ? motion->radius : 0);
        }
    }

    return outwards((vn_dvec3){low.x - half[0], low.y - half[1], low.z - half[2]},
                    (vn_dvec3){high.x + half[0], high.y + half[1], high.z + half[2]});
}

static uint32_t color_of(const vn_motion* m) {
    static const uint32_t turning[] = {0x2b4fb0ffu, 0x7d5ba6ffu, 0xd1403fffu};
    static const uint32_t others[] = {0xf2f2f2ffu, 0x3da34dffu, 0, 0x8ad0f2ffu, 0xa08d78ffu, 0xd98c2bffu};
    return m->kind == VN_MOTION_TURN ? turning[m->axis] : others[m->kind];
}

vn_status vni_mover_create(vni_mover* m, const vn_mover_def* def, const vn_box* bounds, uint64_t seed,
                           const vn_allocator* allocator, uint64_t index, vn_detail* detail) {
    *m = (vni_mover){.bounds = *bounds, .seed = seed};
    vn_status status = vni_mover_check(def, bounds, index, detail);
    if (status != VN_OK) {
        return status;
    }

    status = lay(m, &def->motion, allocator, index, detail);
    if (status != VN_OK) {
        return status;
    }

    const bool ball = def->shape.kind == VN_SHAPE_SPHERE;
    const double r = ball ? (double)def->shape.as.sphere.radius : 0;
    m->half = ball ? (vn_dvec3){r, r, r} : vni_exact(def->shape.as.box.max);
    m->motion = def->motion;
    m->motion.points = NULL;
    m->appears = def->appears;
    m->vanishes = def->vanishes;

    m->info = (vn_mover_info){.kind = def->motion.kind,
                              .axis = def->motion.kind == VN_MOTION_TURN ? def->motion.axis : -1,
                              .color = color_of(&def->motion),
                              .shape = def->shape,
                              .influence = def->influence,
                              .influence_factor = def->influence_factor};
    m->info.speed = greatest_speed(m);
    m->info.planning = planning_of(m);
    m->info.reach = reach_of(m, &def->motion);
    return VN_OK;
}

void vni_mover_free(vni_mover* m, const vn_allocator* allocator) {
    vni_rail_free(&m->rail, allocator);
}
