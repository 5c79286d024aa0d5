/// tests/cli/failing.c: one call of nav that fails, for the tool as it is: the linker leads the tool's calls
/// through these functions. VOLNAV_FAIL names the function ("add", "move" or "tick") and the number of the
/// call, from 1: "add 3". That call returns VN_OUT_OF_MEMORY and changes nothing; all others are made.
#include "volnav/nav.h"

#include <stdlib.h>
#include <string.h>

vn_status __real_vn_nav_add_moving(vn_nav* nav, const vn_shape* shape, const vn_transform* transform,
                                   uint32_t flags, vn_obstacle_id* out, vn_detail* detail);
vn_status __wrap_vn_nav_add_moving(vn_nav* nav, const vn_shape* shape, const vn_transform* transform,
                                   uint32_t flags, vn_obstacle_id* out, vn_detail* detail);
vn_status __real_vn_nav_move(vn_nav* nav, vn_obstacle_id id, const vn_transform* transform,
                             vn_detail* detail);
vn_status __wrap_vn_nav_move(vn_nav* nav, vn_obstacle_id id, const vn_transform* transform,
                             vn_detail* detail);
vn_status __real_vn_nav_tick(vn_nav* nav, vn_detail* detail);
vn_status __wrap_vn_nav_tick(vn_nav* nav, vn_detail* detail);

/// Counts a call; true if it is the one that fails.
static bool fails(const char* name, unsigned long* calls) {
    const char* wanted = getenv("VOLNAV_FAIL");
    const size_t length = strlen(name);
    ++*calls;
    return wanted != NULL && strncmp(wanted, name, length) == 0 &&
           strtoul(wanted + length, NULL, 10) == *calls;
}

vn_status __wrap_vn_nav_add_moving(vn_nav* nav, const vn_shape* shape, const vn_transform* transform,
                                   uint32_t flags, vn_obstacle_id* out, vn_detail* detail) {
    static unsigned long calls;
    return fails("add ", &calls) ? VN_OUT_OF_MEMORY
                                 : __real_vn_nav_add_moving(nav, shape, transform, flags, out, detail);
}

vn_status __wrap_vn_nav_move(vn_nav* nav, vn_obstacle_id id, const vn_transform* transform,
                             vn_detail* detail) {
    static unsigned long calls;
    return fails("move ", &calls) ? VN_OUT_OF_MEMORY : __real_vn_nav_move(nav, id, transform, detail);
}

vn_status __wrap_vn_nav_tick(vn_nav* nav, vn_detail* detail) {
    static unsigned long calls;
    return fails("tick ", &calls) ? VN_OUT_OF_MEMORY : __real_vn_nav_tick(nav, detail);
}
