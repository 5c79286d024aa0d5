/// nav/create_baked.c: a nav from layers that were baked before, or read from a file.
///
/// A dynamic layer keeps static and moving obstacles apart, and baked layers have both in one: where a moving
/// obstacle stands, they do not tell whether a wall stands there too. So everything in them is taken as
/// static, and then each moving obstacle is reported as one that was static and now moves. That voxelises the
/// static obstacles again in the blocks that moving ones touch, and in no others:
///
///     baked from       the moving obstacles then are          voxelised again
///     all obstacles    changes from static to moving          blocks around them; no voxel changes
///     static ones      changes from nothing to moving         nothing; their footprints become blocked
#include "base/alloc.h"
#include "base/fail.h"
#include "nav/nav_inside.h"
#include "nav/restore.h"

#include <string.h>

static bool is_same_allocator(const vn_allocator* a, const vn_allocator* b) {
    return a->alloc == b->alloc && a->resize == b->resize && a->release == b->release && a->user == b->user;
}

static bool has_moving(const vn_world* world, const vn_layers* baked) {
    return vn_layers_world_hash(baked) == vn_world_hash(world);
}

vn_status vni_nav_check_baked(const vn_world* world, const vn_layers* baked, const vn_nav_def* def,
                              vn_detail* detail) {
    for (uint32_t i = 0; i < vn_layers_count(baked); ++i) {
        const vn_space* space = vn_layers_space(baked, i);
        if (!vni_space_has_cells(space))
            return vni_fail_index(detail, VN_UNSUPPORTED, i,
                                  "layer %u has no cells, which a nav needs: bake it with space.cells",
                                  (unsigned)i);

        if (!is_same_allocator(&space->allocator, &def->allocator))
            return vni_fail_index(detail, VN_BAD_ARGUMENT, i,
                                  "layer %u has another allocator than the nav: read or bake the layers with "
                                  "the allocator of the nav's def",
                                  (unsigned)i);
    }

    const uint64_t source = vn_layers_world_hash(baked);
    if (source != vn_world_hash(world) && source != vni_world_static_hash(world))
        return vni_fail(detail, VN_STALE,
                        "the layers were baked from another world than this one: bake them again, or give "
                        "the world the obstacles, flags and transforms that it had then");

    // A static layer is taken as it is: nothing adds moving obstacles to it.
    if (def->static_layers != 0 && source != vn_world_hash(world))
        return vni_fail(
            detail, VN_UNSUPPORTED,
            "a static layer shows the moving obstacles where they are: bake the layers with them");

    return VN_OK;
}

/// Lists all moving obstacles as changes; returns their number. `out` may be null.
static uint32_t list_moving(const vn_world* world, bool were_static, vni_change* out) {
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < vni_world_slots(world); ++slot) {
        const vni_obstacle* obstacle = vni_world_obstacle(world, slot);
        if (obstacle == NULL || obstacle->motion == NULL)
            continue;

        if (out != NULL)
            out[count] = (vni_change){.slot = slot,
                                      .moving = true,
                                      .was = were_static,
                                      .is = true,
                                      .before = obstacle->info.bounds,
                                      .after = obstacle->info.bounds};
        ++count;
    }

    return count;
}

/// Tells a layer which of its obstacles move.
static vn_status take_moving(vn_nav* nav, vni_dynamic* layer, vn_detail* detail) {
    const vn_world* world = nav->fixed.world;
    const bool were_static = has_moving(world, nav->fixed.baked);
    const uint32_t count = list_moving(world, were_static, NULL);
    if (count == 0)
        return VN_OK;

    vni_change* changes = VNI_NEW_ARRAY(&nav->fixed.allocator, vni_change, count);
    if (changes == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for %u moving obstacles", (unsigned)count);

    list_moving(world, were_static, changes);
    const vn_status status = vni_dynamic_update(layer, world, changes, count, detail);
    VNI_DELETE_ARRAY(&nav->fixed.allocator, changes, count);
    return status;
}

/// What is shared counts as memory of the nav: the layers are usually destroyed, and then it is.
static vn_status share_static(vn_nav* nav, uint32_t index, vn_detail* detail) {
    vni_tally* tally = &nav->fixed.parts[VNI_PART_LAYERS];
    const size_t before = vni_tally_bytes(tally);
    vn_space* space = vni_space_share(vn_layers_space(nav->fixed.baked, index), &tally->allocator);
    if (space == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for layer %u", (unsigned)index);

    vn_memory all;
    memset(&all, 0, sizeof all);
    vn_space_get_memory(space, &all);
    vni_tally_add(tally, all.total - (vni_tally_bytes(tally) - before));
    space->region = 0;
    nav->fixed.static_spaces[index] = space;
    return VN_OK;
}

vn_status vni_nav_layer_take_baked(vn_nav* nav, uint32_t index, const vni_dynamic_def* def,
                                   vn_detail* detail) {
    const vn_space* space = vn_layers_space(nav->fixed.baked, index);
    if (nav->fixed.def.static_layers >> index & 1u)
        return share_static(nav, index, detail);

    vni_dynamic** layer = &nav->fixed.dynamic[index];
    vn_status status = vni_dynamic_make_baked(nav->fixed.world, space, def, layer, detail);
    if (status != VN_OK)
        return status;

    vni_tally_add(&nav->fixed.parts[VNI_PART_LAYERS], vni_dynamic_object_bytes(*layer));
    return take_moving(nav, *layer, detail);
}

/// The def with the parameters of the layers, which are in order already.
static void take_params(const vn_layers* baked, vn_nav_def* def) {
    const vn_space* space = vn_layers_space(baked, 0);
    def->space.resolution = space->resolution;
    def->space.unknown = space->unknown_policy;
    def->space.cells = true;
    def->layer_count = vn_layers_count(baked);
    for (uint32_t i = 0; i < def->layer_count; ++i)
        def->layers[i] =
            (vn_layer_def){vn_layers_space(baked, i)->radius, vn_layers_space(baked, i)->open_flags};
}

vn_status vn_nav_create_baked(vn_world* world, const vn_layers* layers, const vn_nav_def* def, vn_nav** out,
                              vn_detail* detail) {
    VNI_ASSERT(world != NULL && layers != NULL && def != NULL && out != NULL);

    vn_nav_def own = *def;
    vni_restored restored;
    take_params(layers, &own);
    vn_status status = vni_world_restore(world, layers->sensed, layers->sensed_count, &restored, detail);
    if (status != VN_OK)
        return status;

    // a failure gives the sets back what they had
    status = vni_nav_create(world, layers, &own, out, detail);
    vni_world_end_restore(world, &restored, status == VN_OK);
    return status;
}
