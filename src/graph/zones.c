/// graph/zones.c: clipping a way to boxes, and adding up what its parts cost.
#include "graph/zones.h"
#include "base/assert.h"

#include <math.h>

/// Where a way is inside a zone: parameters from 0 to 1.
typedef struct span {
    double from, to, factor;
} span;

vni_zones vni_zones_make(const vni_zone* zones, uint32_t count) {
    VNI_ASSERT(count <= VNI_MAX_ZONES);
    vni_zones out = {zones, count, 1};
    for (uint32_t i = 0; i < count; ++i) {
        VNI_ASSERT(zones[i].factor > 0);
        out.least = zones[i].factor < out.least ? zones[i].factor : out.least;
    }
    return out;
}

static bool clip(const vni_zone* zone, const double a[3], const double b[3], span* out) {
    out->from = 0;
    out->to = 1;
    out->factor = zone->factor;
    for (int i = 0; i < 3; ++i) {
        double d = b[i] - a[i];
        if (d == 0) {
            if (a[i] < zone->low[i] || a[i] > zone->high[i])
                return false;
            continue;
        }
        double t0 = (zone->low[i] - a[i]) / d, t1 = (zone->high[i] - a[i]) / d;
        double enter = t0 < t1 ? t0 : t1, leave = t0 < t1 ? t1 : t0;
        out->from = enter > out->from ? enter : out->from;
        out->to = leave < out->to ? leave : out->to;
    }
    return out->from < out->to;
}

/// The largest factor of the spans that hold t; 1 if none does.
static double factor_at(const span* spans, uint32_t count, double t) {
    double factor = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (t > spans[i].from && t < spans[i].to && spans[i].factor > factor)
            factor = spans[i].factor;
    return factor > 0 ? factor : 1;
}

static void insert(double* sorted, uint32_t count, double value) {
    while (count > 0 && sorted[count - 1] > value) {
        sorted[count] = sorted[count - 1];
        --count;
    }
    sorted[count] = value;
}

double vni_zones_cost(const vni_zones* zones, const double a[3], const double b[3]) {
    span spans[VNI_MAX_ZONES];
    double cuts[2 * VNI_MAX_ZONES + 2] = {0, 1};
    uint32_t count = 0, cut_count = 2;
    for (uint32_t i = 0; i < zones->count; ++i)
        count += clip(&zones->zones[i], a, b, &spans[count]);
    double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2], length = sqrt(x * x + y * y + z * z);
    if (count == 0)
        return length;
    for (uint32_t i = 0; i < count; ++i) {
        insert(cuts, cut_count++, spans[i].from);
        insert(cuts, cut_count++, spans[i].to);
    }
    double sum = 0;
    for (uint32_t i = 1; i < cut_count; ++i)
        if (cuts[i] > cuts[i - 1])
            sum += (cuts[i] - cuts[i - 1]) * factor_at(spans, count, 0.5 * (cuts[i] + cuts[i - 1]));
    return sum * length;
}

static double zone_segment(const void* self, vn_point from, vn_point to) {
    const double step = 1.0 / VN_LATTICE;
    const double a[3] = {from.x * step, from.y * step, from.z * step},
                 b[3] = {to.x * step, to.y * step, to.z * step};
    return vni_zones_cost((const vni_zones*)self, a, b);
}

vni_cost vni_cost_zones(vni_metric metric, uint32_t neighbours, const vni_zones* zones) {
    vni_cost cost = vni_cost_length(metric, neighbours);
    cost.self = zones;
    cost.is_length = false;
    cost.least = zones->least;
    cost.segment = zone_segment;
    return cost;
}
