/// run/run.c: the clock of a run, the table of scenes, and the def.
#include "run/record.h"
#include "run/run_inside.h"

#include <string.h>

static const vni_run_kind* const kinds[] = {&vni_run_asteroids, &vni_run_krafft, &vni_run_lost,
                                            &vni_run_warehouse, &vni_run_reef,   &vni_run_albertini,
                                            &vni_run_massonnat, &vni_run_debris};
enum { KINDS = sizeof kinds / sizeof *kinds };

#define COOKIE 0x52554e32u

vn_run_def vn_default_run_def(void) {
    return (vn_run_def){.allocator = vn_default_allocator(),
                        .scene = "asteroids",
                        .seed = 1,
                        .autopilot = VN_PILOT_PREDICT,
                        .obstacles = VN_RUN_AS_SCENE,
                        .speed = 1,
                        .cookie = COOKIE};
}

const char* vn_run_end_name(vn_run_end end) {
    static const char* const names[VN_RUN_END_COUNT] = {"going",   "arrived",  "collided",
                                                        "timeout", "enclosed", "lost"};
    return (unsigned)end < VN_RUN_END_COUNT ? names[end] : NULL;
}

uint32_t vn_run_scene_count(void) {
    return KINDS;
}

const vn_run_scene* vn_run_scene_get(uint32_t index) {
    return index < KINDS ? &kinds[index]->scene : NULL;
}

bool vn_run_scene_find(const char* name, uint32_t* index) {
    for (uint32_t i = 0; name != NULL && i < KINDS; ++i) {
        if (strcmp(kinds[i]->scene.name, name) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

const char* vn_run_scene_variants(uint32_t index) {
    const char* variants = index < KINDS ? kinds[index]->variants : NULL;
    return variants != NULL || index >= KINDS ? variants : "";
}

void vni_run_hash(vn_run_result* result, vn_dvec3 position) {
    uint64_t bits[3];
    memcpy(bits, &position, sizeof bits);
    for (int i = 0; i < 3; ++i)
        result->hash = (result->hash ^ bits[i]) * 0x9e3779b97f4a7c15u + (result->hash >> 29);
}

// --------------------------------------------------------------------------------------------------- the def

/// Finds a name in a row of names with spaces between; null and "" are the first one.
static bool find_name(const char* names, const char* name, uint32_t* index) {
    *index = 0;
    if (name == NULL || name[0] == '\0')
        return true;

    const size_t length = strlen(name);
    for (const char* at = names; *at != '\0'; ++*index) {
        const size_t here = strcspn(at, " ");
        if (here == length && strncmp(at, name, here) == 0)
            return true;
        at += here + (at[here] == ' ');
    }
    return false;
}

static vn_status unknown(vn_detail* detail, const char* what, const char* names) {
    char text[240];
    const size_t left = sizeof text - 1 - strlen(what), length = strlen(names);
    const size_t taken = length < left ? length : left;
    memcpy(text, what, strlen(what));
    memcpy(text + strlen(what), names, taken);
    text[strlen(what) + taken] = '\0';
    return vni_refuse(detail, VN_NOT_FOUND, 0, text);
}

static bool in_range(double x, double low, double high) {
    return x >= low && x <= high; // false for what is not a number
}

static vn_status check_numbers(const vn_run_def* def, vn_detail* detail) {
    const bool good = in_range(def->speed, 0, 100) && in_range(def->radar, 0, 1000) &&
                      in_range(def->step, 0, 1) && in_range(def->limit, 0, VN_MAX_SCENE_SECONDS) &&
                      in_range(def->replan, 0, 3600) && in_range(def->latency, 0, 3600) &&
                      (unsigned)def->autopilot < VN_PILOT_GROUP_COUNT &&
                      (def->rules == VN_RUN_AUTOPILOT || def->rules == VN_RUN_THESIS);
    if (!good)
        return vni_refuse(detail, VN_BAD_ARGUMENT, 0, "a value of the run is not finite or out of range");
    if (def->step > 0 && def->step < 0.001)
        return vni_refuse(detail, VN_BAD_ARGUMENT, 0, "a step is 0.001 to 1 seconds");
    return VN_OK;
}

static vn_status check_map(const vn_run_def* def, const vni_run_kind* kind, vn_detail* detail) {
    if (def->map != NULL && kind != &vni_run_debris)
        return vni_refuse(detail, VN_UNSUPPORTED, 0, "only the scene debris takes a map");
    if (def->map != NULL && def->record)
        return vni_refuse(detail, VN_UNSUPPORTED, 0, "a record has no room for a map");
    return VN_OK;
}

static vn_status take_def(const vn_run_def* def, vn_run* run, vn_detail* detail) {
    const vni_run_kind* kind = run->kind;
    run->def = *def;
    if (!find_name(kind->scene.algos, def->algo, &run->algo))
        return unknown(detail, "this scene has the algorithms ", kind->scene.algos);
    if (!find_name(kind->scene.spaces, def->space, &run->space))
        return unknown(detail, "this scene has the spaces ", kind->scene.spaces);
    if (!find_name(kind->variants, def->variant, &run->variant))
        return unknown(detail, "this scene has the variants ", kind->variants);

    if (def->step == 0)
        run->def.step = kind->scene.step;
    if (def->limit == 0)
        run->def.limit = kind->scene.limit;
    if (def->agents == 0)
        run->def.agents = kind->scene.agents;
    return VN_OK;
}

// ------------------------------------------------------------------------------------------------- the run

vn_status vn_run_create(const vn_run_def* def, vn_run** out, vn_detail* detail) {
    uint32_t index;
    *out = NULL;
    if (def->cookie != COOKIE)
        return vni_refuse(detail, VN_BAD_DEF, 0, "a def begins as vn_default_run_def()");
    if (!vn_run_scene_find(def->scene, &index))
        return vni_refuse(detail, VN_NOT_FOUND, 0, "no scene of runs has that name");
    vn_status status = check_numbers(def, detail);
    if (status == VN_OK)
        status = check_map(def, kinds[index], detail);
    if (status != VN_OK)
        return status;

    vn_run* run = def->allocator.alloc(def->allocator.user, sizeof *run);
    if (run == NULL)
        return vni_refuse(detail, VN_OUT_OF_MEMORY, 0, "no memory for a run");
    *run = (vn_run){.kind = kinds[index]};
    status = take_def(def, run, detail);
    if (status == VN_OK && def->record)
        status = vni_run_record_begin(run, detail);
    if (status == VN_OK)
        status = run->kind->make(run, &run->self, detail);
    if (status != VN_OK) {
        vn_run_record_destroy(run->record);
        def->allocator.release(def->allocator.user, run, sizeof *run);
        return status;
    }

    run->result.agents = run->def.agents;
    run->def.map = NULL; // the caller's: it may be gone now
    *out = run;
    return VN_OK;
}

void vn_run_destroy(vn_run* run) {
    if (run == NULL)
        return;
    run->kind->free(run->self);
    vn_run_record_destroy(run->record);
    const vn_allocator allocator = run->def.allocator;
    allocator.release(allocator.user, run, sizeof *run);
}

vn_status vn_run_step(vn_run* run, vn_detail* detail) {
    if (run->result.end != VN_RUN_GOING)
        return VN_OK;

    const vn_status status = run->kind->step(run->self, detail);
    if (status != VN_OK)
        return status;
    ++run->steps;
    run->result.seconds = (double)run->steps * run->def.step;

    const bool hit = run->result.collisions + run->result.wall_hits + run->result.agent_hits > 0;
    if (run->result.end == VN_RUN_GOING && run->def.end_at_collision && hit)
        run->result.end = VN_RUN_COLLIDED;
    if (run->result.end == VN_RUN_GOING && run->result.seconds >= run->def.limit)
        run->result.end = VN_RUN_TIMEOUT;
    if (run->record != NULL)
        vni_run_record_mark(run->record, run->steps, run->result.hash);
    return run->result.end == VN_RUN_GOING ? VN_RUNNING : VN_OK;
}

void vn_run_get_result(const vn_run* run, vn_run_result* out) {
    *out = run->result;
}

void vn_run_get_view(vn_run* run, vn_run_view* out) {
    *out = (vn_run_view){.seconds = run->result.seconds};
    run->kind->view(run->self, out);
}
