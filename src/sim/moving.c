/// sim/moving.c: the table of scenes with a clock; makes them and reads them.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "sim/moving_inside.h"
#include "sim/refuse.h"

#define SCENE_COOKIE 0x6d736301u

typedef struct moving_kind {
    vn_scene_info info;
    uint32_t own;    ///< movers; UINT32_MAX: as many as the def says
    bool own_bounds; ///< bounds and resolution of the def are not read
    vni_moving_fill* fill;
} moving_kind;

static vn_status fill_nothing(vn_moving_scene* scene, const vn_moving_scene_def* def, vn_detail* detail) {
    (void)scene, (void)def, (void)detail;
    return VN_OK;
}

#define CUBE                                                                                                 \
    {                                                                                                        \
        {0, 0, 0}, {                                                                                         \
            20, 20, 20                                                                                       \
        }                                                                                                    \
    }

static const moving_kind kinds[] = {
    {{.name = "krafft",
      .source = "Krafft 2019, 4.1.2; Krafft 2021, figure 10",
      .description = "walls, patrols, rotors and blinkers, 64 x 56 x 16",
      .resolution = 1,
      .bounds = {{0, 0, 0}, {64, 56, 16}}},
     VNI_KRAFFT_MOVERS,
     true,
     vni_fill_krafft},
    {{.name = "debris",
      .source = "Massonnat 2023, 5.4",
      .description = "boxes at constant velocity that bounce or vanish",
      .resolution = 0.625f,
      .bounds = CUBE},
     UINT32_MAX,
     false,
     vni_fill_debris},
    {{.name = "hunters",
      .source = "Massonnat 2023, 5.4",
      .description = "enemies that fly somewhere, orbit, and fly on",
      .resolution = 0.625f,
      .bounds = CUBE},
     UINT32_MAX,
     false,
     vni_fill_hunters},
    {{.name = "empty",
      .source = "the caller",
      .description = "nothing but the movers of the caller",
      .resolution = 0.625f,
      .bounds = CUBE},
     0,
     false,
     fill_nothing},
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

uint32_t vn_moving_scene_count(void) {
    return KIND_COUNT;
}

const vn_scene_info* vn_moving_scene_get(uint32_t index) {
    return index < KIND_COUNT ? &kinds[index].info : NULL;
}

bool vn_moving_scene_find(const char* name, uint32_t* index) {
    assert(name != NULL && index != NULL);
    for (uint32_t i = 0; i < KIND_COUNT; ++i) {
        if (strcmp(kinds[i].info.name, name) == 0) {
            *index = i;
            return true;
        }
    }

    return false;
}

// ------------------------------------------------------------------------------------------------ making

vn_moving_scene_def vn_default_moving_scene_def(void) {
    return (vn_moving_scene_def){.allocator = vn_default_allocator(),
                                 .name = "krafft",
                                 .bounds = CUBE,
                                 .resolution = 0.625f,
                                 .count = 8,
                                 .size = 1.5f,
                                 .speed = 2,
                                 .cookie = SCENE_COOKIE};
}

static bool is_box(const vn_box* b) {
    const float low[3] = {b->min.x, b->min.y, b->min.z}, high[3] = {b->max.x, b->max.y, b->max.z};
    for (int i = 0; i < 3; ++i) {
        if (!(low[i] >= -1e6f && high[i] <= 1e6f && low[i] < high[i])) {
            return false;
        }
    }

    return true;
}

static const char* check_def(const vn_moving_scene_def* def, const moving_kind* kind) {
    if (def->allocator.alloc == NULL || def->allocator.resize == NULL || def->allocator.release == NULL) {
        return "the allocator lacks a function";
    }

    if (def->mover_count > 0 && def->movers == NULL) {
        return "mover_count is above 0, but movers is null";
    }

    if (kind->own_bounds) {
        return (unsigned)def->goal <= VN_GOAL_MOTION_HORIZONTAL
                   ? NULL
                   : "the goal is static, vertical or horizontal";
    }

    if (!is_box(&def->bounds)) {
        return "the bounds are not a box with min below max within 1e6 metres";
    }

    if (!(def->resolution > 0 && def->resolution <= 1e6f)) {
        return "the resolution is above 0 and at most 1e6 metres";
    }

    return NULL;
}

vn_status vni_moving_add(vn_moving_scene* scene, const vn_mover_def* def, vn_detail* detail) {
    const uint32_t i = scene->info.movers;
    assert(i < scene->capacity);
    const vn_status status =
        vni_mover_create(&scene->movers[i], def, &scene->info.bounds, vni_random_of(scene->info.seed, i),
                         &scene->allocator, i, detail);
    if (status != VN_OK) {
        return status;
    }

    vni_mover* m = &scene->movers[i];
    ++scene->info.movers; // from here on destroy frees it
    scene->zones += m->info.influence > 0;
    if (scene->zones > VN_MAX_ZONES) {
        return vni_refuse(detail, VN_TOO_LARGE, i, "more movers have an influence than VN_MAX_ZONES");
    }

    if (m->info.kind == VN_MOTION_BLINK) {
        if (scene->info.blinkers == VN_MAX_BLINKERS) {
            return vni_refuse(detail, VN_TOO_LARGE, i, "more movers blink than VN_MAX_BLINKERS");
        }
        m->blinker = scene->info.blinkers++;
    }

    return VN_OK;
}

static vn_status fill(vn_moving_scene* scene, const moving_kind* kind, const vn_moving_scene_def* def,
                      vn_detail* detail) {
    vn_status status = kind->fill(scene, def, detail);
    for (uint32_t i = 0; i < def->mover_count && status == VN_OK; ++i) {
        status = vni_moving_add(scene, &def->movers[i], detail);
    }

    return status;
}

static vn_status make(const moving_kind* kind, const vn_moving_scene_def* def, vn_moving_scene** out,
                      vn_detail* detail) {
    const uint64_t own = kind->own == UINT32_MAX ? def->count : kind->own, all = own + def->mover_count;
    if (all > VN_MAX_MOVERS) {
        return vni_refuse(detail, VN_TOO_LARGE, VN_NO_INDEX, "more movers than VN_MAX_MOVERS");
    }

    const vn_allocator* a = &def->allocator;
    vn_moving_scene* scene = a->alloc(a->user, sizeof *scene);
    vni_mover* movers = all > 0 ? a->alloc(a->user, (size_t)all * sizeof *movers) : NULL;
    if (scene == NULL || (movers == NULL && all > 0)) {
        if (scene != NULL) {
            a->release(a->user, scene, sizeof *scene);
        }

        if (movers != NULL) {
            a->release(a->user, movers, (size_t)all * sizeof *movers);
        }
        return vni_refuse(detail, VN_OUT_OF_MEMORY, VN_NO_INDEX, "no memory for a scene");
    }

    *scene = (vn_moving_scene){.allocator = *a, .movers = movers, .capacity = (uint32_t)all};
    scene->info.kind = &kind->info;
    scene->info.seed = def->seed;
    scene->info.bounds = kind->own_bounds ? kind->info.bounds : def->bounds;
    scene->info.resolution = kind->own_bounds ? kind->info.resolution : def->resolution;
    const vn_status status = fill(scene, kind, def, detail);
    if (status != VN_OK) {
        vn_moving_scene_destroy(scene);
        return status;
    }

    assert(scene->info.movers == scene->capacity);
    *out = scene;
    return VN_OK;
}

vn_status vn_moving_scene_create(const vn_moving_scene_def* def, vn_moving_scene** out, vn_detail* detail) {
    assert(def != NULL && out != NULL);
    uint32_t index = 0;
    *out = NULL;
    if (def->cookie != SCENE_COOKIE) {
        return vni_refuse(detail, VN_BAD_DEF, VN_NO_INDEX,
                          "the def was not made by vn_default_moving_scene_def");
    }

    if (def->name == NULL || !vn_moving_scene_find(def->name, &index)) {
        return vni_refuse(detail, VN_NOT_FOUND, VN_NO_INDEX,
                          "no moving scene has this name: krafft, debris, hunters, empty");
    }

    const char* wrong = check_def(def, &kinds[index]);
    return wrong != NULL ? vni_refuse(detail, VN_BAD_ARGUMENT, VN_NO_INDEX, wrong)
                         : make(&kinds[index], def, out, detail);
}

void vn_moving_scene_destroy(vn_moving_scene* scene) {
    if (scene == NULL) {
        return;
    }

    const vn_allocator a = scene->allocator;
    for (uint32_t i = 0; i < scene->info.movers; ++i) {
        vni_mover_free(&scene->movers[i], &a);
    }

    vni_mover_free(&scene->goal, &a);
    if (scene->movers != NULL) {
        a.release(a.user, scene->movers, scene->capacity * sizeof *scene->movers);
    }

    a.release(a.user, scene, sizeof *scene);
}

// ----------------------------------------------------------------------------------------------- reading

void vn_moving_scene_get_info(const vn_moving_scene* scene, vn_moving_scene_info* out) {
    assert(scene != NULL && out != NULL);
    *out = scene->info;
}

vn_box vn_moving_scene_wall(const vn_moving_scene* scene, uint32_t index) {
    assert(scene != NULL && index < scene->info.walls);
    return scene->walls[index];
}

vn_status vn_moving_scene_build(const vn_moving_scene* scene, vn_world* world, vn_detail* detail) {
    assert(scene != NULL && world != NULL);
    vn_obstacle_id ids[VNI_MAX_WALLS];
    for (uint32_t i = 0; i < scene->info.walls; ++i) {
        const vn_shape shape = {.kind = VN_SHAPE_BOX, .as.box = scene->walls[i]};
        const vn_status status = vn_world_add(world, &shape, &ids[i], detail);
        if (status != VN_OK) {
            while (i > 0) {
                vn_world_remove(world, ids[--i]);
            }
            return status;
        }
    }

    return VN_OK;
}

/// False for NaN too.
static bool is_time(double seconds) {
    return seconds >= 0 && seconds <= VN_MAX_SCENE_SECONDS;
}

vn_status vn_moving_scene_get_goal(const vn_moving_scene* scene, double seconds, vn_vec3* position,
                                   vn_vec3* velocity) {
    assert(scene != NULL && position != NULL);
    vn_mover_state state;
    if (!scene->info.has_agent) {
        return VN_UNSUPPORTED;
    }

    if (!is_time(seconds)) {
        return VN_BAD_ARGUMENT;
    }

    vni_mover_at(&scene->goal, seconds, &state);
    *position = state.transform.position;
    if (velocity != NULL) {
        *velocity = state.velocity;
    }

    return VN_OK;
}

void vn_moving_scene_get_mover(const vn_moving_scene* scene, uint32_t index, vn_mover_info* out) {
    assert(scene != NULL && index < scene->info.movers && out != NULL);
    *out = scene->movers[index].info;
}

// ---------------------------------------------------------------------------------------------- blinking

static bool has_bit(const vn_blinkers* b, uint32_t i) {
    return (b->present[i / 64] >> i % 64 & 1) != 0;
}

vn_status vn_moving_scene_get_state(const vn_moving_scene* scene, uint32_t index, double seconds,
                                    const vn_blinkers* blinkers, vn_mover_state* out) {
    assert(scene != NULL && out != NULL);
    if (index >= scene->info.movers || !is_time(seconds)) {
        return VN_BAD_ARGUMENT;
    }

    const vni_mover* m = &scene->movers[index];
    vni_mover_at(m, seconds, out);
    if (blinkers != NULL && m->info.kind == VN_MOTION_BLINK) {
        out->present = has_bit(blinkers, m->blinker);
    }

    return VN_OK;
}

vn_status vn_moving_scene_get_timers(const vn_moving_scene* scene, double seconds, vn_blinkers* out) {
    assert(scene != NULL && out != NULL);
    if (!is_time(seconds)) {
        return VN_BAD_ARGUMENT;
    }

    *out = (vn_blinkers){{0}};
    for (uint32_t i = 0; i < scene->info.movers; ++i) {
        const vni_mover* m = &scene->movers[i];
        vn_mover_state state;
        if (m->info.kind == VN_MOTION_BLINK) {
            vni_mover_at(m, seconds, &state);
            out->present[m->blinker / 64] |= (uint64_t)state.present << m->blinker % 64;
        }
    }

    return VN_OK;
}

/// How far a coordinate is from [-half, half].
static double beyond(double from_center, double half) {
    const double d = (from_center < 0 ? -from_center : from_center) - half;
    return d > 0 ? d : 0;
}

/// Blinkers do not turn.
static double distance_to(const vni_mover* m, vn_vec3 p) {
    const vn_vec3 c = m->motion.position;
    const double x = (double)p.x - (double)c.x, y = (double)p.y - (double)c.y, z = (double)p.z - (double)c.z;
    if (m->info.shape.kind == VN_SHAPE_SPHERE) {
        return beyond(sqrt(x * x + y * y + z * z), m->half.x);
    }

    const double dx = beyond(x, m->half.x), dy = beyond(y, m->half.y), dz = beyond(z, m->half.z);
    return sqrt(dx * dx + dy * dy + dz * dz);
}

static bool is_one_near(const vni_mover* m, const vn_vec3* agents, uint32_t count, double distance) {
    for (uint32_t i = 0; i < count; ++i) {
        if (distance_to(m, agents[i]) < distance) {
            return true;
        }
    }

    return false;
}

static bool are_finite(const vn_vec3* agents, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (!isfinite(agents[i].x) || !isfinite(agents[i].y) || !isfinite(agents[i].z)) {
            return false;
        }
    }

    return true;
}

vn_status vn_moving_scene_blink(const vn_moving_scene* scene, double seconds, const vn_vec3* agents,
                                uint32_t agent_count, float distance, vn_blinkers* blinkers) {
    assert(scene != NULL && blinkers != NULL && (agents != NULL || agent_count == 0));
    vn_blinkers timers;
    if (!(distance >= 0) || !are_finite(agents, agent_count) ||
        vn_moving_scene_get_timers(scene, seconds, &timers) != VN_OK) {
        return VN_BAD_ARGUMENT;
    }

    for (uint32_t i = 0; i < scene->info.movers; ++i) {
        const vni_mover* m = &scene->movers[i];
        if (m->info.kind == VN_MOTION_BLINK &&
            has_bit(&timers, m->blinker) != has_bit(blinkers, m->blinker) &&
            !is_one_near(m, agents, agent_count, (double)distance)) {
            blinkers->present[m->blinker / 64] ^= (uint64_t)1 << m->blinker % 64;
        }
    }

    return VN_OK;
}
