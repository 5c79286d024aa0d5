/// sim/maker.c: shapes from a few numbers.
#include "sim/maker.h"

#include <assert.h>
#include <math.h>

uint32_t vni_maker_below(vni_maker* maker, uint32_t limit) {
    assert(limit > 0);
    return (uint32_t)((vn_random_next(&maker->random) >> 32) * limit >> 32);
}

float vni_maker_real(vni_maker* maker, float low, float high) {
    assert(low <= high);
    return low + (high - low) * ((float)(vn_random_next(&maker->random) >> 40) / 16777216.0f);
}

static vn_vec3 scaled(vn_vec3 v, float factor) {
    return (vn_vec3){v.x * factor, v.y * factor, v.z * factor};
}

static void add(vni_maker* maker, const vn_shape* shape) {
    if (maker->status == VN_OK) {
        maker->status = vn_world_add(maker->world, shape, NULL, maker->detail);
    }
}

void vni_maker_box(vni_maker* maker, vn_vec3 low, vn_vec3 high) {
    vn_shape shape = {.kind = VN_SHAPE_BOX};
    shape.as.box.min = scaled(low, maker->unit);
    shape.as.box.max = scaled(high, maker->unit);
    add(maker, &shape);
}

void vni_maker_sphere(vni_maker* maker, vn_vec3 center, float radius) {
    vn_shape shape = {.kind = VN_SHAPE_SPHERE};
    shape.as.sphere.center = scaled(center, maker->unit);
    shape.as.sphere.radius = radius * maker->unit;
    add(maker, &shape);
}

/// Uniform enough: a point of the ball in four dimensions, pushed to its skin.
static vn_quat random_rotation(vni_maker* maker) {
    for (;;) {
        vn_quat q; // drawn one by one: the values of an initialiser have no order of their own
        q.x = vni_maker_real(maker, -1, 1);
        q.y = vni_maker_real(maker, -1, 1);
        q.z = vni_maker_real(maker, -1, 1);
        q.w = vni_maker_real(maker, -1, 1);
        const double square = (double)q.x * (double)q.x + (double)q.y * (double)q.y +
                              (double)q.z * (double)q.z + (double)q.w * (double)q.w;

        if (square > 0.01 && square <= 1) {
            const float f = (float)(1 / sqrt(square));
            return (vn_quat){q.x * f, q.y * f, q.z * f, q.w * f};
        }
    }
}

void vni_maker_turned(vni_maker* maker, vn_vec3 center, vn_vec3 half) {
    vn_shape shape = {.kind = VN_SHAPE_ORIENTED};
    shape.as.oriented.center = scaled(center, maker->unit);
    shape.as.oriented.half = scaled(half, maker->unit);
    shape.as.oriented.rotation = random_rotation(maker);
    add(maker, &shape);
}

// ---------------------------------------------------------------------------------------------------- pots

enum {
    TURNS = 24,       ///< corners of a circle: one every 15 degrees
    RISE = 10,        ///< steps of the wall: from the pole to 60 degrees above the equator
    RINGS = 2 * RISE, ///< outside upward, then inside downward; the poles are apart
    POT_VERTICES = 2 + RINGS * TURNS,
    POT_TRIANGLES = 2 * TURNS + 2 * (RINGS - 1) * TURNS
};

/// Cosine and sine of 15 degrees: turning by steps needs no library that rounds as it likes.
static const double step_cos = 0.96592582628906829, step_sin = 0.25881904510252076;

static void turn(double* c, double* s) {
    const double old = *c;
    *c = old * step_cos - *s * step_sin;
    *s = old * step_sin + *s * step_cos;
}

/// A point at `out` from the pot's axis, in the direction (c, s) around it, and `along` it from the centre.
static vn_vec3 pot_point(vn_vec3 center, int axis, double along, double out, double c, double s) {
    const double v[3] = {along, out * c, out * s};
    return (vn_vec3){(float)((double)center.x + v[(3 - axis) % 3]),
                     (float)((double)center.y + v[(4 - axis) % 3]),
                     (float)((double)center.z + v[(5 - axis) % 3])};
}

static void pot_vertices(vn_vec3 center, double radius, int axis, double sign, vn_vec3* out) {
    const double inner = 0.9 * radius;
    double c = 0, s = -1; // from the centre to the wall, in the plane through the axis
    double profile[RINGS][2];
    for (int i = 0; i < RISE; ++i) {
        turn(&c, &s);
        profile[i][0] = sign * s * radius, profile[i][1] = c * radius;
        profile[RINGS - 1 - i][0] = sign * s * inner, profile[RINGS - 1 - i][1] = c * inner;
    }

    out[0] = pot_point(center, axis, -sign * radius, 0, 1, 0);
    out[1] = pot_point(center, axis, -sign * inner, 0, 1, 0);
    c = 1, s = 0;
    for (int t = 0; t < TURNS; ++t, turn(&c, &s)) {
        for (int ring = 0; ring < RINGS; ++ring) {
            out[2 + ring * TURNS + t] = pot_point(center, axis, profile[ring][0], profile[ring][1], c, s);
        }
    }
}

static void triangle(uint32_t* indices, uint32_t* count, uint32_t a, uint32_t b, uint32_t c) {
    indices[(*count)++] = a;
    indices[(*count)++] = b;
    indices[(*count)++] = c;
}

static void pot_triangles(uint32_t* indices) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < TURNS; ++t) {
        const uint32_t u = (t + 1) % TURNS, last = 2 + (RINGS - 1) * TURNS;
        triangle(indices, &count, 0, 2 + t, 2 + u);
        triangle(indices, &count, 1, last + u, last + t);
        for (uint32_t ring = 0; ring + 1 < RINGS; ++ring) {
            const uint32_t a = 2 + ring * TURNS, b = a + TURNS;
            triangle(indices, &count, a + t, b + t, b + u);
            triangle(indices, &count, a + t, b + u, a + u);
        }
    }

    assert(count == 3 * POT_TRIANGLES);
}

void vni_maker_pot(vni_maker* maker, vn_vec3 center, float radius, int axis, bool up) {
    assert(axis >= 0 && axis < 3 && radius > 0);
    vn_vec3 vertices[POT_VERTICES];
    uint32_t indices[3 * POT_TRIANGLES];
    vn_shape shape = {.kind = VN_SHAPE_MESH};
    pot_vertices(scaled(center, maker->unit), (double)(radius * maker->unit), axis, up ? 1 : -1, vertices);
    pot_triangles(indices);
    shape.as.mesh.vertices = vertices;
    shape.as.mesh.vertex_count = POT_VERTICES;
    shape.as.mesh.indices = indices;
    shape.as.mesh.triangle_count = POT_TRIANGLES;
    shape.as.mesh.solid = true;
    add(maker, &shape);
}

// -------------------------------------------------------------------------------------------------- plates

static void plate_box(vni_maker* maker, int axis, float from, float to, vni_rect r) {
    float low[3], high[3];
    assert(axis >= 0 && axis < 3 && from < to);
    low[axis] = from;
    high[axis] = to;
    for (int i = 0; i < 2; ++i) {
        low[(axis + 1 + i) % 3] = r.low[i];
        high[(axis + 1 + i) % 3] = r.high[i];
    }

    vni_maker_box(maker, (vn_vec3){low[0], low[1], low[2]}, (vn_vec3){high[0], high[1], high[2]});
}

static bool is_empty(vni_rect r) {
    return r.low[0] >= r.high[0] || r.low[1] >= r.high[1];
}

static float least(float a, float b) {
    return a < b ? a : b;
}

static float most(float a, float b) {
    return a > b ? a : b;
}

/// Cuts the first hole out, which leaves up to four pieces, and each of them goes on with the other holes: as
/// deep as there are holes.
void vni_maker_plate(vni_maker* maker, int axis, float low, float high, vni_rect r, const vni_rect* holes,
                     uint32_t hole_count) {
    if (is_empty(r)) {
        return;
    }

    if (hole_count == 0) {
        plate_box(maker, axis, low, high, r);
        return;
    }

    const vni_rect hole = {{most(r.low[0], holes->low[0]), most(r.low[1], holes->low[1])},
                           {least(r.high[0], holes->high[0]), least(r.high[1], holes->high[1])}};
    if (is_empty(hole)) {
        vni_maker_plate(maker, axis, low, high, r, holes + 1, hole_count - 1);
        return;
    }

    const vni_rect pieces[4] = {{{r.low[0], r.low[1]}, {hole.low[0], r.high[1]}},
                                {{hole.high[0], r.low[1]}, {r.high[0], r.high[1]}},
                                {{hole.low[0], r.low[1]}, {hole.high[0], hole.low[1]}},
                                {{hole.low[0], hole.high[1]}, {hole.high[0], r.high[1]}}};
    for (int i = 0; i < 4; ++i) {
        vni_maker_plate(maker, axis, low, high, pieces[i], holes + 1, hole_count - 1);
    }
}
