/// nav/memory.c: the memory of a nav by part.
///
/// Each part allocates through a tally, so that its bytes are known at any time, whatever the other threads
/// do. The world is different: it has its own allocator, and its memory is counted by going through it, which
/// must wait while an update changes it.
#include "base/alloc.h"
#include "nav/nav_inside.h"

#include <string.h>

/// Records of obstacles that the world does not have yet: they are the world's memory already.
static size_t record_bytes(const vni_ops* ops, uint32_t from) {
    size_t bytes = 0;
    for (uint32_t i = from; i < ops->count; ++i)
        bytes += ops->items[i].record != NULL ? vni_record_bytes(ops->items[i].record) : 0;
    return bytes;
}

/// The world, as it was when no update was running last.
static size_t world_bytes(vn_nav* nav) {
    vni_nav_enter(nav);
    const vni_update_state state = nav->shared.update_state;
    vni_nav_leave(nav);

    // No update begins before the host's next tick.
    if (state != VNI_UPDATE_READY && state != VNI_UPDATE_RUNNING) {
        vn_memory world;
        vn_world_get_memory(nav->fixed.world, &world);
        nav->host.world_bytes = world.total + record_bytes(&nav->update.taken, nav->update.applied);
    }

    return nav->host.world_bytes + record_bytes(&nav->host.pending, 0);
}

void vn_nav_get_memory(vn_nav* nav, vn_memory* out) {
    static const char* const names[VNI_PARTS] = {"layers", "requests", "watches", "workers", "zones", "nav"};
    VNI_ASSERT(nav != NULL && out != NULL);

    memset(out, 0, sizeof *out);
    vni_memory_add(out, "world", world_bytes(nav));
    for (uint32_t i = 0; i < VNI_PARTS; ++i)
        vni_memory_add(out, names[i], vni_tally_bytes(&nav->fixed.parts[i]));
}
