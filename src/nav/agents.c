/// nav/agents.c: for which layer an agent asks.
#include "base/fail.h"
#include "nav/nav_inside.h"

/// The distinct radii of the layers, which are sorted by radius, as "0.3, 0.8".
static void list_radii(const vn_nav* nav, char* out, size_t size) {
    size_t used = 0;
    for (uint32_t i = 0; i < nav->fixed.def.layer_count && used + 1 < size; ++i) {
        const float radius = nav->fixed.def.layers[i].radius;
        if (i == 0 || radius != nav->fixed.def.layers[i - 1].radius)
            used += vni_format(out + used, size - used, "%s%g", used > 0 ? ", " : "", (double)radius);
    }
}

vn_status vni_nav_agent_radius(const vn_nav* nav, float* radius, vn_detail* detail) {
    const vn_layer_def* layers = nav->fixed.def.layers;
    const uint32_t count = nav->fixed.def.layer_count;
    if (*radius != VN_RADIUS_NOT_GIVEN)
        return VN_OK;

    *radius = layers[0].radius;
    if (layers[0].radius == layers[count - 1].radius)
        return VN_OK;

    char radii[160];
    list_radii(nav, radii, sizeof radii);
    return vni_fail(detail, VN_BAD_ARGUMENT, "set the agent's radius: there are layers for %s metres", radii);
}
