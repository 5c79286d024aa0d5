/// path/check.c: words and positions of verdicts.
#include "path/check.h"
#include "base/assert.h"

const char* vn_check_fault_word(vn_check_fault fault) {
    switch (fault) {
    case VN_CHECK_FREE: return "free";
    case VN_CHECK_EMPTY: return "empty";
    case VN_CHECK_OUTSIDE: return "outside";
    case VN_CHECK_BLOCKED: return "blocked";
    case VN_CHECK_SQUEEZED: return "squeezed";
    case VN_CHECK_TOO_CLOSE: return "too-close";
    }
    return "unknown";
}

vn_check_result vni_check_result_make(void) {
    vn_check_result result = {0};
    result.clearance = (double)INFINITY;
    return result;
}

vn_dvec3 vni_check_position(const vn_space* space, vn_point a, vn_point b, double at) {
    VNI_ASSERT(at >= 0.0 && at <= 1.0);
    double step = (double)space->resolution / VN_LATTICE;
    vn_dvec3 position;
    position.x = space->origin.x + (space->low.x + (a.x + ((double)b.x - a.x) * at) * step);
    position.y = space->origin.y + (space->low.y + (a.y + ((double)b.y - a.y) * at) * step);
    position.z = space->origin.z + (space->low.z + (a.z + ((double)b.z - a.z) * at) * step);

    return position;
}
