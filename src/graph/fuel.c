/// graph/fuel.c: what segments burn, and the potentials of the lower bound.
#include "graph/fuel.h"
#include "base/assert.h"
#include "graph/fixed.h"

/// Costs of zones are integrated in parts, with an error far below this: a step may cost less than computed
/// from its direction by this fraction.
#define SLACK 1e-12

// ---------- burning

double vni_pitch_share(double x) {
    static const double four_by_pi = 1.2732395447351628;
    VNI_ASSERT(x >= 0 && x <= 1);
    if (x == 1)
        return 1;

    // atan x = 2 atan (x / (1 + sqrt (1 + x^2))): twice makes x at most 0.2, where ten terms of the series
    // leave an error below 1e-16.
    double y = x / (1 + sqrt(1 + x * x));
    y = y / (1 + sqrt(1 + y * y));
    const double square = y * y;
    double sum = 0;
    for (int k = 21; k >= 1; k -= 2)
        sum = 1.0 / k - square * sum;

    return 4 * y * sum * four_by_pi;
}

/// A segment by its height and its horizontal and whole length.
typedef struct slope {
    double height, across, length;
} slope;

static slope slope_of(const vni_fuel* fuel, double x, double y, double z) {
    const double d[3] = {x, y, z};
    const double a = d[(fuel->up + 1) % 3], b = d[(fuel->up + 2) % 3], h = d[fuel->up];
    return (slope){h, sqrt(a * a + b * b), sqrt(a * a + b * b + h * h)};
}

/// What the direction adds to each voxel of length.
static double extra_of(const vni_fuel* fuel, const slope* c) {
    const double height = fabs(c->height), weight = c->height > 0 ? fuel->climb : -fuel->sink;
    if (c->length == 0)
        return 0;
    if (fuel->law == VNI_FUEL_BY_HEIGHT)
        return weight * (height / c->length);
    return weight * (height < c->across ? vni_pitch_share(height / c->across) : height > 0);
}

/// Cost of a voxel of length where the zones have this factor. Never falls when the factor grows.
static double rate_of(const vni_fuel* fuel, double factor, double extra) {
    if (fuel->law == VNI_FUEL_BY_PITCH)
        return factor * (1 + extra);
    const double rate = factor + extra;
    return rate > 0 ? rate : 0;
}

double vni_fuel_cost(const vni_fuel* fuel, const double a[3], const double b[3]) {
    vni_zone_part parts[VNI_MAX_ZONE_PARTS];
    const slope c = slope_of(fuel, b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const double extra = extra_of(fuel, &c);
    const uint32_t count = fuel->zones != NULL ? vni_zones_parts(fuel->zones, a, b, parts) : 0;
    if (count == 0)
        return c.length * rate_of(fuel, 1, extra);

    double sum = 0;
    for (uint32_t i = 0; i < count; ++i)
        sum += parts[i].share * rate_of(fuel, parts[i].factor, extra);

    return c.length * sum;
}

static double least_factor(const vni_fuel* fuel) {
    return fuel->zones != NULL ? fuel->zones->least : 1;
}

double vni_fuel_fair_cost(const vni_fuel* fuel, const double a[3], const double b[3]) {
    const slope c = slope_of(fuel, b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    return c.length * rate_of(fuel, least_factor(fuel), extra_of(fuel, &c));
}

// ---------- potentials

/// L . (x, y, z) <= most, for the differences as in vni_potential; `most` in units of cost.
typedef struct limit {
    double x, y, z, most;
} limit;

/// Ten kinds of steps and of symmetries.
#define MAX_LIMITS 10

typedef struct limits {
    limit items[MAX_LIMITS];
    uint32_t count;
} limits;

/// The step (x, y, z), z upwards, where the factor is least, in units of cost. Rounded up, as priced edges
/// are.
static double least_step(const vni_fuel* fuel, double x, double y, double z) {
    const slope c = {z, sqrt(x * x + y * y), sqrt(x * x + y * y + z * z)};
    const double cost = c.length * rate_of(fuel, least_factor(fuel), extra_of(fuel, &c));
    return vni_cost_up(cost * (1 - SLACK)) / VNI_COST_UNIT;
}

static void add_limit(limits* out, double x, double y, double z, double most) {
    VNI_ASSERT(out->count < MAX_LIMITS);
    out->items[out->count++] = (limit){x, y, z, most};
}

static limits limits_of(const vni_fuel* fuel, uint32_t neighbours) {
    limits out = {.count = 0};
    for (int z = -1; z <= 1; ++z)
        for (int axes = 0; axes <= 2; ++axes) {
            const bool is_face = (z != 0) + axes == 1, is_step = z != 0 || axes > 0;
            const double x = axes > 0, y = axes > 1;
            if (is_step && (neighbours == 26 || is_face))
                add_limit(&out, x, y, z, least_step(fuel, x, y, z));
        }

    add_limit(&out, -1, 1, 0, 0); // narrow <= wide
    add_limit(&out, 0, -1, 0, 0); // narrow >= 0
    return out;
}

/// Determinant of three rows; column `column` replaced by the right-hand sides (3: none).
static double determinant(const limit* rows[3], int column) {
    double m[3][3];
    for (int i = 0; i < 3; ++i) {
        m[i][0] = column == 0 ? rows[i]->most : rows[i]->x;
        m[i][1] = column == 1 ? rows[i]->most : rows[i]->y;
        m[i][2] = column == 2 ? rows[i]->most : rows[i]->z;
    }

    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static bool satisfies(const limits* all, const vni_potential* l) {
    for (uint32_t i = 0; i < all->count; ++i) {
        const limit* it = &all->items[i];
        if (it->x * l->wide + it->y * l->narrow + it->z * l->up > it->most)
            return false;
    }

    return true;
}

/// Is a never better than b, for horizontal differences wide >= narrow >= 0 and any height?
static bool is_below(const vni_potential* a, const vni_potential* b) {
    return a->up == b->up && a->wide <= b->wide && a->wide + a->narrow <= b->wide + b->narrow;
}

static void add_potential(vni_fuel* fuel, const vni_potential* l) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < fuel->potential_count; ++i)
        if (is_below(l, &fuel->potentials[i]))
            return;

    for (uint32_t i = 0; i < fuel->potential_count; ++i)
        if (!is_below(&fuel->potentials[i], l))
            fuel->potentials[kept++] = fuel->potentials[i];

    fuel->potential_count = kept;
    if (kept < VNI_MAX_POTENTIALS) // a bound with fewer vectors is lower, no more
        fuel->potentials[fuel->potential_count++] = *l;
}

/// Where three limits meet, if that is a vertex. Half units are rounded; if that breaks a limit, the
/// horizontal parts give way.
static void try_vertex(vni_fuel* fuel, const limits* all, const limit* rows[3]) {
    const double scale = determinant(rows, 3);
    if (scale == 0)
        return;

    vni_potential l = {floor(determinant(rows, 0) / scale), floor(determinant(rows, 1) / scale),
                       floor(determinant(rows, 2) / scale + 0.5)};
    for (int tries = 0; tries < 3; ++tries) {
        if (satisfies(all, &l)) {
            add_potential(fuel, &l);
            return;
        }
        l.wide = l.wide >= 1 ? l.wide - 1 : 0;
        l.narrow = l.narrow >= 1 ? l.narrow - 1 : 0;
    }
}

void vni_fuel_find_bound(vni_fuel* fuel, uint32_t neighbours) {
    VNI_ASSERT(neighbours == 6 || neighbours == 26);
    const limits all = limits_of(fuel, neighbours);
    const vni_potential none = {0, 0, 0};
    fuel->potential_count = 0;
    add_potential(fuel, &none); // costs are not negative

    for (uint32_t i = 0; i < all.count; ++i)
        for (uint32_t j = i + 1; j < all.count; ++j)
            for (uint32_t k = j + 1; k < all.count; ++k) {
                const limit* rows[3] = {&all.items[i], &all.items[j], &all.items[k]};
                try_vertex(fuel, &all, rows);
            }

    for (uint32_t i = 0; i < fuel->potential_count; ++i) {
        vni_potential* l = &fuel->potentials[i];
        *l = (vni_potential){l->wide * VNI_COST_UNIT, l->narrow * VNI_COST_UNIT, l->up * VNI_COST_UNIT};
    }
}

// ---------- the object

void vni_fuel_make(vni_fuel_law law, int up, double climb, double sink, const vni_zones* zones,
                   vni_fuel* out) {
    VNI_ASSERT(up >= 0 && up < 3 && climb >= 0 && sink >= 0 && (law != VNI_FUEL_BY_PITCH || sink <= 1));

    out->zones = zones;
    out->law = law;
    out->up = up;
    out->climb = climb;
    out->sink = sink;
    out->potential_count = 0;
    for (int i = 0; i < 27; ++i) {
        const slope c = slope_of(out, i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
        out->steps[i] = c.length * rate_of(out, 1, extra_of(out, &c));
    }
}

double vni_fuel_bound(const vni_fuel* fuel, vn_point from, vn_point to) {
    const double d[3] = {vni_steps_to_voxels((double)to.x - from.x),
                         vni_steps_to_voxels((double)to.y - from.y),
                         vni_steps_to_voxels((double)to.z - from.z)};
    const double a = fabs(d[(fuel->up + 1) % 3]), b = fabs(d[(fuel->up + 2) % 3]), height = d[fuel->up];
    const double wide = a > b ? a : b, narrow = a > b ? b : a;
    double best = 0;
    for (uint32_t i = 0; i < fuel->potential_count; ++i) {
        const vni_potential* l = &fuel->potentials[i];
        const double bound = l->wide * wide + l->narrow * narrow + l->up * height;
        best = bound > best ? bound : best;
    }

    return best;
}

static void fuel_bounds(const void* self, const vn_point* from, uint32_t count, vn_point to, double* out) {
    for (uint32_t i = 0; i < count; ++i)
        out[i] = vni_fuel_bound((const vni_fuel*)self, from[i], to);
}

/// The index of a step of the grid in `steps`; 27 if the segment is none.
static uint32_t step_of(vn_point from, vn_point to) {
    const int64_t d[3] = {(int64_t)to.x - from.x, (int64_t)to.y - from.y, (int64_t)to.z - from.z};
    uint32_t index = 0, weight = 1;
    for (int i = 0; i < 3; ++i, weight *= 3) {
        if (d[i] != 0 && d[i] != VN_LATTICE && d[i] != -VN_LATTICE)
            return 27;
        index += weight * (d[i] > 0 ? 2 : d[i] == 0 ? 1 : 0);
    }

    return index;
}

static double fuel_segment(const void* self, vn_point from, vn_point to) {
    const vni_fuel* fuel = (const vni_fuel*)self;
    const uint32_t step = fuel->zones == NULL ? step_of(from, to) : 27;
    if (step < 27)
        return fuel->steps[step];

    double a[3], b[3];
    vni_point_to_voxels(from, a);
    vni_point_to_voxels(to, b);
    return vni_fuel_cost(fuel, a, b);
}

vni_cost vni_cost_fuel(const vni_fuel* fuel) {
    vni_cost cost = {.self = fuel, .admissible = true, .least = 1};
    cost.segment = fuel_segment;
    cost.lower_bounds = fuel_bounds;
    return cost;
}
