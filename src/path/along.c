/// path/along.c: length of a polyline of world positions, and the position so many metres along it.
#include "base/assert.h"
#include "geom/vec.h"
#include "volnav/path.h"

static vni_vec vec_of(vn_dvec3 p) {
    return vni_v(p.x, p.y, p.z);
}

static double leg_length(const vn_dvec3* from) {
    return vni_length(vni_sub(vec_of(from[1]), vec_of(from[0])));
}

double vn_positions_length(const vn_dvec3* positions, uint32_t count) {
    double length = 0;
    VNI_ASSERT(positions != NULL || count == 0);
    for (uint32_t i = 1; i < count; ++i) {
        length += leg_length(positions + i - 1);
    }

    return length;
}

vn_dvec3 vn_positions_along(const vn_dvec3* positions, uint32_t count, double metres) {
    VNI_ASSERT(positions != NULL && count > 0);
    if (!(metres > 0)) {
        return positions[0];
    }

    for (uint32_t i = 1; i < count; ++i) {
        const double leg = leg_length(positions + i - 1);
        if (metres < leg) {
            const vni_vec a = vec_of(positions[i - 1]), way = vni_sub(vec_of(positions[i]), a);
            const vni_vec at = vni_add_scaled(a, way, metres / leg);
            return (vn_dvec3){at.x, at.y, at.z};
        }

        metres -= leg;
    }

    return positions[count - 1];
}
