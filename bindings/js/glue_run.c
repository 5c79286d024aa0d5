/// bindings/js/glue_run.c: simulated runs: the scenes, a run and what it looks like.
#include "glue_draw.h"
#include "volnav/run.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------- scenes

EXPORT(js_scene_count) uint32_t js_scene_count(void) {
    return vn_run_scene_count();
}

/// out: name, source, description, algos, spaces, variants as texts; agents, step, limit.
EXPORT(js_scene_get) void js_scene_get(uint32_t index) {
    const vn_run_scene* scene = vn_run_scene_get(index);
    if (scene == NULL)
        return;
    const char* const texts[] = {scene->name,  scene->source, scene->description,
                                 scene->algos, scene->spaces, vn_run_scene_variants(index)};
    for (int i = 0; i < 6; ++i)
        glue_put_pointer(i, texts[i]);
    glue_out[6] = scene->agents;
    glue_out[7] = scene->step;
    glue_out[8] = scene->limit;
}

// ------------------------------------------------------------------------------------------------------ runs

/// A run with what JavaScript looks at in place.
typedef struct flight {
    vn_run* run;
    glue_list numbers; ///< doubles
    glue_list words;   ///< uint32_t
} flight;

EXPORT(js_run_destroy) void js_run_destroy(flight* f) {
    if (f != NULL) {
        vn_run_destroy(f->run);
        glue_free(&f->numbers);
        glue_free(&f->words);
        free(f);
    }
}

/// Takes over `run`. out: the handle.
static vn_status hand_out(vn_status status, vn_run* run) {
    flight* f = status == VN_OK ? calloc(1, sizeof *f) : NULL;
    if (status == VN_OK && f == NULL) {
        vn_run_destroy(run);
        status = VN_OUT_OF_MEMORY;
    } else if (f != NULL) {
        f->run = run;
    }
    glue_put_pointer(0, f);
    return status;
}

/// Texts may be null. `n`: seed as two halves, autopilot (negative: the rules of the thesis), each move,
/// agents, obstacles (negative: as the scene), speed, radar, step, limit, replan, latency, end at collision,
/// record. out: the handle.
EXPORT(js_run_create)
int js_run_create(const char* scene, const char* variant, const char* algo, const char* space,
                  const double* n) {
    vn_run_def def = vn_default_run_def();
    vn_run* run = NULL;
    def.scene = scene;
    def.variant = variant;
    def.algo = algo;
    def.space = space;
    def.seed = (uint64_t)n[0] << 32 | (uint64_t)n[1];
    def.rules = n[2] < 0 ? VN_RUN_THESIS : VN_RUN_AUTOPILOT;
    def.autopilot = n[2] < 0 ? VN_PILOT_PREDICT : (vn_pilot_group)n[2];
    def.each_move = n[3] != 0;
    def.agents = (uint32_t)n[4];
    def.obstacles = n[5] < 0 ? VN_RUN_AS_SCENE : (uint32_t)n[5];
    def.speed = n[6];
    def.radar = n[7];
    def.step = n[8];
    def.limit = n[9];
    def.replan = n[10];
    def.latency = n[11];
    def.end_at_collision = n[12] != 0;
    def.record = n[13] != 0;
    const vn_status status = vn_run_create(&def, &run, glue_begin());
    return glue_done(hand_out(status, run));
}

EXPORT(js_run_step) int js_run_step(flight* f) {
    return glue_done(vn_run_step(f->run, glue_begin()));
}

/// What stands; null: nothing. For js_world_geometry.
EXPORT(js_run_world) const vn_world* js_run_world(flight* f) {
    vn_run_view view;
    vn_run_get_view(f->run, &view);
    return view.world;
}

int js_world_zones(const vn_world* world);

/// Those of the run, or of what stands in it. out: as glue_give_zones.
EXPORT(js_run_zones) int js_run_zones(flight* f) {
    vn_run_view view;
    glue_begin();
    vn_run_get_view(f->run, &view);
    if (view.zone_count == 0)
        return js_world_zones(view.world);
    return glue_done(glue_give_zones(view.zones, view.zone_count, (vn_dvec3){0, 0, 0}));
}

static void put_result(const vn_run_result* r) {
    const double numbers[] = {r->end,
                              r->agents,
                              r->arrived,
                              r->collisions,
                              r->wall_hits,
                              r->agent_hits,
                              r->clearance,
                              r->seconds,
                              r->length,
                              r->fuel,
                              (double)r->calls,
                              (double)r->expanded,
                              r->nominal,
                              (double)(r->hash >> 32),
                              (double)(r->hash & 0xffffffffu),
                              r->caught,
                              r->goals,
                              r->wall_clearance,
                              r->agent_clearance,
                              (double)r->steps,
                              (double)r->stopped,
                              (double)r->unverified,
                              (double)r->dynamic_nodes,
                              r->reason};
    memcpy(glue_out, numbers, sizeof numbers);
}

/// out: end, agents, arrived, collisions, wall hits, agent hits, clearance, seconds, length, fuel, calls,
/// expanded, nominal, hash as two halves, caught, goals, clearance of walls and of agents, steps, stopped,
/// unverified, dynamic nodes, reason.
EXPORT(js_run_result) void js_run_result(const flight* f) {
    vn_run_result result;
    vn_run_get_result(f->run, &result);
    put_result(&result);
}

// --------------------------------------------------------------------------------------------------- records

/// What a run with `record` has recorded so far, as a .vnrec. out: by glue_give.
EXPORT(js_run_save) int js_run_save(flight* f) {
    const vn_run_record* record = vn_run_get_record(f->run);
    glue_list bytes = {0};
    const vn_store_def def = vn_default_store_def();
    const vn_sink sink = {.write = glue_append, .user = &bytes};
    glue_begin();
    const vn_status status =
        record == NULL ? VN_BAD_ORDER : vn_run_record_write(record, &def, NULL, &sink, glue_begin());
    if (status != VN_OK)
        glue_free(&bytes);
    const vn_status given = glue_give(0, &bytes);
    return glue_done(status != VN_OK ? status : given);
}

/// Reads a .vnrec of a run, as js_layers_read. out: the handle.
EXPORT(js_run_record_read)
int js_run_record_read(const unsigned char* data, size_t size, const glue_section* sections, uint32_t count) {
    glue_sections all = {data, sections, count};
    const vn_codec codec = glue_codec(&all);
    vn_load_def def = vn_default_load_def();
    vn_run_record* record = NULL;
    def.codec = &codec;
    def.max_bytes = (uint64_t)1 << 31;
    const vn_status status = vn_run_record_read(data, size, &def, &record, glue_begin());
    glue_put_pointer(0, record);
    return glue_done(status);
}
EXPORT(js_run_record_destroy) void js_run_record_destroy(vn_run_record* record) {
    vn_run_record_destroy(record);
}

/// out: scene, variant, algo, space as texts or null; the numbers of js_run_create; steps.
EXPORT(js_run_record_def) void js_run_record_def(const vn_run_record* record) {
    const vn_run_def* d = vn_run_record_def(record);
    uint64_t steps = 0;
    (void)vn_run_record_result(record, &steps);
    glue_put_pointer(0, d->scene);
    glue_put_pointer(1, d->variant);
    glue_put_pointer(2, d->algo);
    glue_put_pointer(3, d->space);
    glue_put_64(4, d->seed);
    const double numbers[] = {d->rules == VN_RUN_THESIS ? -1 : (double)d->autopilot,
                              d->each_move,
                              d->agents,
                              d->obstacles == VN_RUN_AS_SCENE ? -1 : (double)d->obstacles,
                              d->speed,
                              d->radar,
                              d->step,
                              d->limit,
                              d->replan,
                              d->latency,
                              d->end_at_collision,
                              (double)steps};
    memcpy(glue_out + 6, numbers, sizeof numbers);
}

/// out: as js_run_result.
EXPORT(js_run_record_result) void js_run_record_result(const vn_run_record* record) {
    put_result(vn_run_record_result(record, NULL));
}

/// Flies it again. out: same, a sentence as text, first step that differs (negative: none), steps.
EXPORT(js_run_record_replay) int js_run_record_replay(const vn_run_record* record) {
    static vn_run_replay replay;
    const vn_status status = vn_run_record_replay(record, 0, &replay, glue_begin());
    glue_out[0] = status == VN_OK && replay.same;
    glue_put_pointer(1, replay.text);
    glue_out[2] = replay.first_difference == VN_RUN_NO_STEP ? -1 : (double)replay.first_difference;
    glue_out[3] = (double)replay.steps;
    return glue_done(status);
}

// ------------------------------------------------------------------------------------------------------ view

static void put3(double* to, size_t at, vn_dvec3 v) {
    to[3 * at] = v.x;
    to[3 * at + 1] = v.y;
    to[3 * at + 2] = v.z;
}

/// For each quantity the numbers of all agents, one quantity after another; colours.
static void put_agents(const vn_run_view* view, double* numbers, uint32_t* colors) {
    const size_t n = view->agent_count;
    for (size_t i = 0; i < n; ++i) {
        const vn_run_agent* a = &view->agents[i];
        put3(numbers, i, a->position);
        put3(numbers + 3 * n, i, a->velocity);
        put3(numbers + 6 * n, i, a->goal);
        numbers[9 * n + i] = a->radius;
        numbers[10 * n + i] = a->arrived;
        colors[i] = a->color;
    }
}

/// v turned by q.
static vn_dvec3 turned(vn_quat q, vn_vec3 v) {
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    const double a = (double)v.x, b = (double)v.y, c = (double)v.z;
    const double tx = 2 * (y * c - z * b), ty = 2 * (z * a - x * c), tz = 2 * (x * b - y * a);
    return (vn_dvec3){a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz,
                      c + w * tz + x * ty - y * tx};
}

/// Centre in its own frame, and whole edges: of a sphere its diameters.
static void measure(const vn_shape* shape, vn_vec3* centre, vn_dvec3* size) {
    if (shape->kind == VN_SHAPE_SPHERE) {
        const double d = 2 * (double)shape->as.sphere.radius;
        *centre = shape->as.sphere.center;
        *size = (vn_dvec3){d, d, d};
        return;
    }
    const vn_vec3 a = shape->as.box.min, b = shape->as.box.max;
    *centre = (vn_vec3){(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
    *size = (vn_dvec3){(double)b.x - (double)a.x, (double)b.y - (double)a.y, (double)b.z - (double)a.z};
}

static void put_thing(const vn_run_thing* thing, size_t i, size_t n, double* numbers) {
    const vn_transform t = thing->transform;
    const double scale = (double)t.scale;
    vn_vec3 centre;
    vn_dvec3 size;
    measure(&thing->shape, &centre, &size);
    const vn_dvec3 c = turned(t.rotation, centre);

    put3(numbers, i,
         (vn_dvec3){(double)t.position.x + scale * c.x, (double)t.position.y + scale * c.y,
                    (double)t.position.z + scale * c.z});
    put3(numbers + 3 * n, i, (vn_dvec3){scale * size.x, scale * size.y, scale * size.z});
    put3(numbers + 6 * n, i, thing->velocity);
    double* rotation = numbers + 9 * n + 4 * i;
    rotation[0] = (double)t.rotation.x, rotation[1] = (double)t.rotation.y;
    rotation[2] = (double)t.rotation.z, rotation[3] = (double)t.rotation.w;
    numbers[13 * n + i] = (double)(thing->id & (((uint64_t)1 << 53) - 1));
}

static void put_things(const vn_run_view* view, double* numbers, uint32_t* words) {
    const size_t n = view->thing_count;
    for (size_t i = 0; i < n; ++i) {
        put_thing(&view->things[i], i, n, numbers);
        words[i] = view->things[i].color;
        words[n + i] = view->things[i].shape.kind == VN_SHAPE_SPHERE;
    }
}

/// out: seconds, bounds, agents, things, path and its points, where the numbers and the words are, centres of
/// cubes that are looked at, how many, and their edge. Numbers of
/// agents: position, velocity, goal, radius, arrived; of things: centre, size, velocity, rotation, id. Words:
/// colours of agents, colours of things, 1 for spheres. All live until the next step or view.
EXPORT(js_run_view) int js_run_view(flight* f) {
    vn_run_view view;
    glue_begin();
    vn_run_get_view(f->run, &view);
    const size_t agents = view.agent_count, things = view.thing_count;
    double* numbers = glue_room(&f->numbers, (11 * agents + 14 * things) * sizeof *numbers);
    uint32_t* words = glue_room(&f->words, (agents + 2 * things) * sizeof *words);
    if (numbers == NULL || words == NULL)
        return glue_done(VN_OUT_OF_MEMORY);

    put_agents(&view, numbers, words);
    put_things(&view, numbers + 11 * agents, words + agents);
    const vn_vec3 low = view.bounds.min, high = view.bounds.max;
    glue_out[0] = view.seconds;
    glue_put(1, (vn_dvec3){(double)low.x, (double)low.y, (double)low.z});
    glue_put(4, (vn_dvec3){(double)high.x, (double)high.y, (double)high.z});
    glue_out[7] = (double)agents;
    glue_out[8] = (double)things;
    glue_put_pointer(9, view.path);
    glue_out[10] = view.path != NULL ? view.path_count : 0;
    glue_put_pointer(11, numbers);
    glue_put_pointer(12, words);
    glue_put_pointer(13, view.lookup);
    glue_out[14] = view.lookup_count;
    glue_out[15] = view.lookup_edge;
    return glue_done(VN_OK);
}
