/// space/layers.c: bakes several spaces of one world and finds the one for an agent.
#include "space/layers.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "geom/vec.h"
#include "space/bake.h"
#include "space/space.h"
#include <string.h>

// ---------------------------------------------------------------------------------------------------- making

/// Does an agent (radius, open_flags) come before another?
static bool comes_before(float radius, uint32_t flags, float other_radius, uint32_t other_flags) {
    return radius != other_radius ? radius < other_radius : flags < other_flags;
}

static bool have_same_grid(const vn_space* a, const vn_space* b) {
    const int32_t *m = a->occupancy.dims, *n = b->occupancy.dims;
    return m[0] == n[0] && m[1] == n[1] && m[2] == n[2] && a->resolution == b->resolution &&
           a->low.x == b->low.x && a->low.y == b->low.y && a->low.z == b->low.z &&
           a->origin.x == b->origin.x && a->origin.y == b->origin.y && a->origin.z == b->origin.z;
}

vn_status vni_layers_adopt(const vn_allocator* allocator, vn_space** spaces, uint32_t count, uint64_t source,
                           vn_layers** out) {
    VNI_ASSERT(vni_allocator_is_valid(allocator) && spaces != NULL && out != NULL);

    *out = NULL;
    if (count == 0 || count > VN_MAX_LAYERS)
        return VN_BAD_DATA;

    for (uint32_t i = 1; i < count; ++i) {
        const vn_space *a = spaces[i - 1], *b = spaces[i];
        if (!comes_before(a->radius, a->open_flags, b->radius, b->open_flags) || !have_same_grid(a, b))
            return VN_BAD_DATA;
    }

    vn_layers* layers = VNI_NEW(allocator, vn_layers);
    if (layers == NULL)
        return VN_OUT_OF_MEMORY;

    layers->allocator = *allocator;
    layers->count = count;
    layers->source = source;
    memcpy(layers->spaces, spaces, count * sizeof *spaces);
    *out = layers;

    return VN_OK;
}

void vni_saved_sets_free(const vn_allocator* allocator, vni_saved_set* sets, uint32_t count) {
    for (uint32_t i = 0; sets != NULL && i < count; ++i)
        VNI_DELETE_ARRAY(allocator, sets[i].bricks, sets[i].count);
    VNI_DELETE_ARRAY(allocator, sets, count);
}

void vn_layers_destroy(vn_layers* layers) {
    if (layers == NULL)
        return;
    vni_saved_sets_free(&layers->allocator, layers->sensed, layers->sensed_count);
    for (uint32_t i = 0; i < layers->count; ++i)
        vn_space_destroy(layers->spaces[i]);
    vn_allocator allocator = layers->allocator;
    VNI_DELETE(&allocator, layers);
}

// ---------------------------------------------------------------------------------------------------- baking

/// The layers to bake: indices into the caller's array, sorted.
typedef struct plan {
    const vn_layer_def* layers;
    uint32_t order[VN_MAX_LAYERS];
    uint32_t count;
    bool closed[VN_MAX_LAYERS]; ///< by position in `order`: the seed is blocked
} plan;

static vn_status check_layer(const vn_layer_def* layers, uint32_t index, vn_detail* detail) {
    float radius = layers[index].radius;
    if (!vni_is_finite((double)radius) || !(radius >= 0))
        return vni_fail_index(detail, VN_BAD_ARGUMENT, index,
                              "the radius of layer %u is %g: it must be 0 metres or more", (unsigned)index,
                              (double)radius);

    for (uint32_t i = 0; i < index; ++i)
        if (layers[i].radius == radius && layers[i].open_flags == layers[index].open_flags)
            return vni_fail_index(detail, VN_BAD_ARGUMENT, index,
                                  "layers %u and %u are the same (radius %g, open flags %u): leave one out",
                                  (unsigned)i, (unsigned)index, (double)radius,
                                  (unsigned)layers[i].open_flags);

    return VN_OK;
}

/// Checks the layers and sorts them by insertion.
static vn_status make_plan(const vn_layer_def* layers, uint32_t count, plan* out, vn_detail* detail) {
    if (count == 0 || count > VN_MAX_LAYERS)
        return vni_fail(detail, VN_BAD_ARGUMENT, "the number of layers is %u: give 1 to %u", (unsigned)count,
                        (unsigned)VN_MAX_LAYERS);

    VNI_ASSERT(layers != NULL);

    *out = (plan){.layers = layers, .count = count};
    for (uint32_t i = 0; i < count; ++i) {
        vn_status status = check_layer(layers, i, detail);
        if (status != VN_OK)
            return status;

        uint32_t at = i;
        for (; at > 0; --at) {
            const vn_layer_def* before = &layers[out->order[at - 1]];
            if (!comes_before(layers[i].radius, layers[i].open_flags, before->radius, before->open_flags))
                break;
            out->order[at] = out->order[at - 1];
        }

        out->order[at] = i;
    }

    return VN_OK;
}

/// The space def of one layer.
static vn_space_def def_of(const vn_space_def* def, const vn_layer_def* layer) {
    vn_space_def own = *def;
    own.radius = layer->radius;
    own.open_flags = layer->open_flags;
    return own;
}

/// Bakes the planned spaces in order. The caller owns `*made` of them, whatever the status.
static vn_status bake_all(const vn_world* world, const vn_space_def* def, plan* p, vn_space** spaces,
                          uint32_t* made, vn_detail* detail) {
    vn_space_def first = def_of(def, &p->layers[p->order[0]]);
    vni_extent extent;
    vn_status status = vni_bake_extent(world, &first, &extent, detail);
    for (*made = 0; status == VN_OK && *made < p->count; ++*made) {
        uint32_t index = p->order[*made];
        vn_space_def own = def_of(def, &p->layers[index]);
        status = vni_bake(world, &own, &extent, false, &p->closed[*made], &spaces[*made], detail);
        if (status != VN_OK && detail != NULL)
            detail->index = index;

        if (status != VN_OK)
            break;
    }

    return status;
}

/// A seed that is blocked in some layers is logged; in all of them, an error.
static vn_status judge_seed(const plan* p, vn_detail* detail) {
    uint32_t closed = 0;
    for (uint32_t i = 0; i < p->count; ++i)
        closed += p->closed[i];

    if (closed == p->count)
        return vni_fail(detail, VN_BLOCKED,
                        "the seed lies in a blocked voxel of every layer: move it into free space");

    for (uint32_t i = 0; i < p->count; ++i) {
        const vn_layer_def* layer = &p->layers[p->order[i]];
        if (p->closed[i])
            vni_log(VN_LOG_WARNING,
                    "the seed lies in a wall of the layer of radius %g (open flags %u): nothing is free "
                    "there",
                    (double)layer->radius, (unsigned)layer->open_flags);
    }

    return VN_OK;
}

vn_status vn_layers_bake(const vn_world* world, const vn_space_def* def, const vn_layer_def* layers,
                         uint32_t count, vn_layers** out, vn_detail* detail) {
    VNI_ASSERT(world != NULL && def != NULL && out != NULL);

    *out = NULL;
    plan p;
    vn_space* spaces[VN_MAX_LAYERS];
    uint32_t made = 0;

    vn_status status = make_plan(layers, count, &p, detail);
    if (status == VN_OK)
        status = bake_all(world, def, &p, spaces, &made, detail);
    if (status == VN_OK)
        status = judge_seed(&p, detail);
    if (status == VN_OK) {
        status = vni_layers_adopt(&def->allocator, spaces, made, vn_world_hash(world), out);
        VNI_ASSERT(status == VN_OK || status == VN_OUT_OF_MEMORY);
        if (status != VN_OK)
            vni_fail(detail, status, "no memory left for the layers");
    }

    for (uint32_t i = 0; status != VN_OK && i < made; ++i)
        vn_space_destroy(spaces[i]);

    return status;
}

// -------------------------------------------------------------------------------------------- reading

uint32_t vn_layers_count(const vn_layers* layers) {
    return layers->count;
}

const vn_space* vn_layers_space(const vn_layers* layers, uint32_t index) {
    VNI_ASSERT(index < layers->count);
    return layers->spaces[index];
}

/// The distinct radii of the layers, which are sorted by radius, as "0.3, 0.8".
static void list_radii(const vn_layers* layers, char* out, size_t size) {
    size_t used = 0;
    for (uint32_t i = 0; i < layers->count && used + 1 < size; ++i) {
        const float radius = layers->spaces[i]->radius;
        if (i == 0 || radius != layers->spaces[i - 1]->radius)
            used += vni_format(out + used, size - used, "%s%g", used > 0 ? ", " : "", (double)radius);
    }
}

vn_status vni_layers_agent_radius(const vn_layers* layers, float* radius, vn_detail* detail) {
    const float first = layers->spaces[0]->radius, last = layers->spaces[layers->count - 1]->radius;
    if (*radius != VN_RADIUS_NOT_GIVEN)
        return VN_OK;

    *radius = first;
    if (first == last)
        return VN_OK;

    char radii[160];
    list_radii(layers, radii, sizeof radii);
    return vni_fail(detail, VN_BAD_ARGUMENT, "set the agent's radius: there are layers for %s metres", radii);
}

const vn_space* vn_layers_find(const vn_layers* layers, double radius, uint32_t open_flags) {
    const vn_space* best = NULL;
    uint32_t most = 0;
    for (uint32_t i = 0; i < layers->count; ++i) {
        const vn_space* space = layers->spaces[i];
        uint32_t opened = vni_popcount(space->open_flags);
        if (!((double)space->radius >= radius) || space->open_flags & ~open_flags)
            continue;

        if (best == NULL || opened > most) { // layers ascend by radius: the first of equals is the narrowest
            best = space;
            most = opened;
        }
    }

    return best;
}

uint64_t vn_layers_world_hash(const vn_layers* layers) {
    return layers->source;
}

/// Adds to the part of that name, or appends one.
static void add_part(vn_memory* memory, const char* name, size_t bytes) {
    uint32_t i = 0;
    while (i < memory->count && strcmp(memory->parts[i].name, name) != 0)
        ++i;

    if (i == memory->count) {
        vni_memory_add(memory, name, bytes);
        return;
    }

    memory->parts[i].bytes += bytes;
    memory->total += bytes;
}

void vn_layers_get_memory(const vn_layers* layers, vn_memory* out) {
    VNI_ASSERT(layers != NULL && out != NULL);

    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < layers->count; ++i) {
        vn_memory one;
        vn_space_get_memory(layers->spaces[i], &one);
        for (uint32_t part = 0; part < one.count; ++part)
            add_part(out, one.parts[part].name, one.parts[part].bytes);
    }

    add_part(out, "layers", sizeof *layers);
    for (uint32_t i = 0; i < layers->sensed_count; ++i)
        add_part(out, "sensed",
                 sizeof *layers->sensed + (size_t)layers->sensed[i].count * sizeof *layers->sensed[i].bricks);
}
