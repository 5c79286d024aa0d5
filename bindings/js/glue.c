/// bindings/js/glue.c: the library as flat calls for JavaScript: numbers in, numbers out. A handle is a
/// pointer. What a call has to say beyond its status is in the array that js_out points to; the reason of a
/// failure is the text of js_detail. src/index.ts is the only caller.
#include "volnav/run.h"
#include "volnav/volnav.h"

#include <stdlib.h>
#include <string.h>

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name)))
#else
#define EXPORT(name)
#endif

enum { OUT = 64 };

static double out[OUT];
static vn_detail detail;

static void put_vector(int at, vn_dvec3 v) {
    out[at] = v.x;
    out[at + 1] = v.y;
    out[at + 2] = v.z;
}

static int done(vn_status status) {
    if (status == VN_OK)
        detail.text[0] = '\0';
    return (int)status;
}

/// Begins a call: the reason of the last failure is forgotten.
static vn_detail* begin(void) {
    detail = (vn_detail){.status = VN_OK};
    return &detail;
}

EXPORT(js_out) double* js_out(void) {
    return out;
}
EXPORT(js_detail) const char* js_detail(void) {
    return detail.text;
}
EXPORT(js_status_word) const char* js_status_word(int status) {
    return vn_status_word((vn_status)status);
}
EXPORT(js_version) uint32_t js_version(void) {
    return vn_version();
}
EXPORT(js_alloc) void* js_alloc(size_t size) {
    return malloc(size);
}
EXPORT(js_free) void js_free(void* block) {
    free(block);
}

// -------------------------------------------------------------------------------------------------- worlds

EXPORT(js_world_create) vn_world* js_world_create(double x, double y, double z) {
    vn_world_def def = vn_default_world_def();
    vn_world* world = NULL;
    def.origin = (vn_dvec3){x, y, z};
    return vn_world_create(&def, &world) == VN_OK ? world : NULL;
}
EXPORT(js_world_destroy) void js_world_destroy(vn_world* world) {
    vn_world_destroy(world);
}

static vn_vec3 vector(const float* v) {
    return (vn_vec3){v[0], v[1], v[2]};
}

/// From an array of numbers: a box is low and high, a sphere centre and radius, a capsule both ends and
/// radius.
static vn_shape shape_of(int kind, const float* v) {
    vn_shape shape = {.kind = (vn_shape_kind)kind};
    if (shape.kind == VN_SHAPE_BOX) {
        shape.as.box = (vn_box){vector(v), vector(v + 3)};
    } else if (shape.kind == VN_SHAPE_SPHERE) {
        shape.as.sphere.center = vector(v);
        shape.as.sphere.radius = v[3];
    } else if (shape.kind == VN_SHAPE_CAPSULE) {
        shape.as.capsule.a = vector(v);
        shape.as.capsule.b = vector(v + 3);
        shape.as.capsule.radius = v[6];
    }
    return shape;
}

static vn_transform transform_of(const float* v) {
    return (vn_transform){vector(v), {v[3], v[4], v[5], v[6]}, 1};
}

static void put_id(vn_obstacle_id id) {
    out[0] = id.index1;
    out[1] = id.generation;
}

static vn_obstacle_id id_of(uint32_t index1, uint32_t generation) {
    return (vn_obstacle_id){index1, generation};
}

/// `transform`: null for what stands. out: the id.
EXPORT(js_world_add)
int js_world_add(vn_world* world, int kind, const float* numbers, const float* transform) {
    const vn_shape shape = shape_of(kind, numbers);
    vn_obstacle_id id = {0};
    vn_status status;
    if (transform == NULL) {
        status = vn_world_add(world, &shape, &id, begin());
    } else {
        const vn_transform t = transform_of(transform);
        status = vn_world_add_moving(world, &shape, &t, &id, begin());
    }
    put_id(id);
    return done(status);
}

EXPORT(js_world_add_mesh)
int js_world_add_mesh(vn_world* world, const float* vertices, uint32_t vertex_count, const uint32_t* indices,
                      uint32_t triangle_count, int solid) {
    vn_shape shape = {.kind = VN_SHAPE_MESH};
    vn_obstacle_id id = {0};
    shape.as.mesh.vertices = (const vn_vec3*)vertices;
    shape.as.mesh.vertex_count = vertex_count;
    shape.as.mesh.indices = indices;
    shape.as.mesh.triangle_count = triangle_count;
    shape.as.mesh.solid = solid != 0;
    const vn_status status = vn_world_add(world, &shape, &id, begin());
    put_id(id);
    return done(status);
}

EXPORT(js_world_remove) int js_world_remove(vn_world* world, uint32_t index1, uint32_t generation) {
    begin();
    return done(vn_world_remove(world, id_of(index1, generation)));
}

// -------------------------------------------------------------------------------------------------- layers
// A space is a set of layers here, of one layer mostly: so that files and bakes are the same thing.

/// `bounds`: six numbers, or null. out: the handle.
EXPORT(js_layers_bake)
int js_layers_bake(const vn_world* world, double resolution, const float* radii, uint32_t count,
                   const float* bounds, double margin) {
    vn_space_def def = vn_default_space_def();
    vn_layer_def layers[VN_MAX_LAYERS];
    vn_layers* made = NULL;
    def.resolution = (float)resolution;
    def.margin = (float)margin;
    def.has_bounds = bounds != NULL;
    if (bounds != NULL)
        def.bounds = (vn_box){vector(bounds), vector(bounds + 3)};
    for (uint32_t i = 0; i < count && i < VN_MAX_LAYERS; ++i)
        layers[i] = (vn_layer_def){.radius = radii[i]};

    const vn_status status = vn_layers_bake(world, &def, layers, count, &made, begin());
    out[0] = (double)(uintptr_t)made;
    return done(status);
}
EXPORT(js_layers_destroy) void js_layers_destroy(vn_layers* layers) {
    vn_layers_destroy(layers);
}
EXPORT(js_layers_count) uint32_t js_layers_count(const vn_layers* layers) {
    return vn_layers_count(layers);
}
EXPORT(js_layers_space) const vn_space* js_layers_space(const vn_layers* layers, uint32_t index) {
    return vn_layers_space(layers, index);
}

/// A section of a file that JavaScript has unpacked: where it lies in the file, where it is now, its size.
typedef struct unpacked {
    uint32_t offset, at, size;
} unpacked;

typedef struct unpacked_all {
    const unsigned char* file;
    const unpacked* sections;
    uint32_t count;
} unpacked_all;

static bool take_unpacked(void* user, const void* data, size_t size, void* to, size_t to_size) {
    const unpacked_all* all = user;
    const size_t offset = (size_t)((const unsigned char*)data - all->file);
    (void)size;
    for (uint32_t i = 0; i < all->count; ++i) {
        const unpacked* one = &all->sections[i];
        if (one->offset == offset && one->size == to_size) {
            memcpy(to, (const void*)(uintptr_t)one->at, to_size);
            return true;
        }
    }
    return false;
}

/// Reads a .vnav, or the layers of a .vnrec. `sections`: those packed with zstd, unpacked. out: the handle.
EXPORT(js_layers_read)
int js_layers_read(const unsigned char* data, size_t size, const unpacked* sections, uint32_t count) {
    unpacked_all all = {data, sections, count};
    const vn_codec codec = {.id = 1, .unpack = take_unpacked, .user = &all};
    vn_load_def def = vn_default_load_def();
    vn_layers* made = NULL;
    def.codec = &codec;
    def.max_bytes = (uint64_t)1 << 31;
    const vn_status status = vn_layers_read(data, size, &def, &made, begin());
    out[0] = (double)(uintptr_t)made;
    return done(status);
}

typedef struct bytes {
    unsigned char* data;
    size_t size, capacity;
} bytes;

static bool append(void* user, const void* data, size_t size) {
    bytes* b = user;
    if (b->size + size > b->capacity) {
        const size_t capacity = 2 * (b->size + size);
        unsigned char* grown = realloc(b->data, capacity);
        if (grown == NULL)
            return false;
        b->data = grown;
        b->capacity = capacity;
    }
    memcpy(b->data + b->size, data, size);
    b->size += size;
    return true;
}

/// out: where the bytes are, and how many; js_free frees them.
EXPORT(js_layers_write) int js_layers_write(const vn_layers* layers) {
    bytes b = {0};
    const vn_store_def def = vn_default_store_def();
    const vn_sink sink = {.write = append, .user = &b};
    const vn_status status = vn_layers_write(layers, &def, NULL, &sink, begin());
    if (status != VN_OK) {
        free(b.data);
        b = (bytes){0};
    }
    out[0] = (double)(uintptr_t)b.data;
    out[1] = (double)b.size;
    return done(status);
}

// -------------------------------------------------------------------------------------------------- spaces

/// out: dims, resolution, radius, low corner, voxels blocked and free, cells, links, components.
EXPORT(js_space_info) void js_space_info(const vn_space* space) {
    vn_space_info info;
    vn_space_get_info(space, &info);
    put_vector(0, (vn_dvec3){info.dims.x, info.dims.y, info.dims.z});
    out[3] = (double)info.resolution;
    out[4] = (double)info.radius;
    put_vector(
        5, (vn_dvec3){info.origin.x + info.low.x, info.origin.y + info.low.y, info.origin.z + info.low.z});
    out[8] = (double)info.blocked_voxels;
    out[9] = (double)info.free_voxels;
    out[10] = (double)info.cells;
    out[11] = (double)info.links;
    out[12] = (double)info.components;
}

/// As two halves, because a double has not all of its bits.
EXPORT(js_space_hash) void js_space_hash(const vn_space* space) {
    const uint64_t hash = vn_space_content_hash(space);
    out[0] = (double)(hash >> 32);
    out[1] = (double)(hash & 0xffffffffu);
}
EXPORT(js_space_free) int js_space_free(const vn_space* space, double x, double y, double z) {
    return vn_space_position_free(space, (vn_dvec3){x, y, z});
}
EXPORT(js_space_visible)
int js_space_visible(const vn_space* space, double ax, double ay, double az, double bx, double by,
                     double bz) {
    return vn_space_visible_positions(space, (vn_dvec3){ax, ay, az}, (vn_dvec3){bx, by, bz});
}

/// Returns 1 if something is hit. out: fraction, position, contact, normal.
EXPORT(js_space_raycast)
int js_space_raycast(const vn_space* space, double ax, double ay, double az, double bx, double by,
                     double bz) {
    vn_hit hit;
    const bool hits =
        vn_space_raycast_positions(space, NULL, (vn_dvec3){ax, ay, az}, (vn_dvec3){bx, by, bz}, &hit);
    out[0] = hit.fraction;
    put_vector(1, hit.position);
    put_vector(4, hit.contact);
    put_vector(7, (vn_dvec3){(double)hit.normal.x, (double)hit.normal.y, (double)hit.normal.z});
    return hits;
}

/// out: the position.
EXPORT(js_space_nearest)
int js_space_nearest(const vn_space* space, double x, double y, double z, double most) {
    vn_dvec3 found = {0};
    double distance = 0;
    begin();
    const vn_status status =
        vn_space_nearest_free_position(space, (vn_dvec3){x, y, z}, most, &found, &distance);
    put_vector(0, found);
    out[3] = distance;
    return done(status);
}

/// out: the position, and what the next seed is, as two halves.
EXPORT(js_space_random) int js_space_random(const vn_space* space, uint32_t seed_high, uint32_t seed_low) {
    uint64_t random = (uint64_t)seed_high << 32 | seed_low;
    vn_dvec3 found = {0};
    begin();
    const vn_status status = vn_space_random_position(space, &random, &found);
    put_vector(0, found);
    out[3] = (double)(random >> 32);
    out[4] = (double)(random & 0xffffffffu);
    return done(status);
}

typedef struct boxes {
    float* data;
    uint32_t count, capacity;
} boxes;

static void add_box(boxes* b, vn_voxel low, vn_voxel high) {
    if (b->count == b->capacity) {
        const uint32_t capacity = b->capacity == 0 ? 1024 : 2 * b->capacity;
        float* grown = realloc(b->data, (size_t)capacity * 6 * sizeof *grown);
        if (grown == NULL)
            return;
        b->data = grown;
        b->capacity = capacity;
    }
    float* to = b->data + (size_t)6 * b->count++;
    to[0] = (float)low.x, to[1] = (float)low.y, to[2] = (float)low.z;
    to[3] = (float)high.x, to[4] = (float)high.y, to[5] = (float)high.z;
}

static bool add_run(void* user, vn_voxel first, int32_t length) {
    add_box(user, first, (vn_voxel){first.x + length, first.y + 1, first.z + 1});
    return true;
}

static bool add_cell(void* user, vn_voxel low, vn_voxel high) {
    add_box(user, low, high);
    return true;
}

/// Rows of blocked voxels (what = 0) or cells (1) as boxes of six floats, in voxels. out: where they are, and
/// how many; js_free frees them.
EXPORT(js_space_boxes) void js_space_boxes(const vn_space* space, int what) {
    vn_space_info info;
    boxes b = {0};
    vn_space_get_info(space, &info);
    if (what == 0)
        vn_space_visit_blocked(space, (vn_voxel){0, 0, 0}, info.dims, add_run, &b);
    else
        vn_space_visit_cells(space, (vn_voxel){0, 0, 0}, info.dims, add_cell, &b);
    out[0] = (double)(uintptr_t)b.data;
    out[1] = b.count;
}

// ------------------------------------------------------------------------------------------------- queries

/// A query with the positions of its last path, so that JavaScript can look at them in place.
typedef struct finder {
    vn_query* query;
    vn_dvec3* positions;
    uint32_t capacity;
} finder;

EXPORT(js_query_destroy) void js_query_destroy(finder* f) {
    if (f != NULL) {
        vn_query_destroy(f->query);
        free(f->positions);
        free(f);
    }
}

/// out: the handle.
EXPORT(js_query_create) int js_query_create(const vn_layers* layers) {
    finder* f = calloc(1, sizeof *f);
    vn_query_def def = vn_default_query_def();
    def.scratch = VN_SCRATCH_ALL;
    const vn_status status =
        f == NULL ? VN_OUT_OF_MEMORY : vn_query_create_layers(layers, &def, &f->query, begin());
    if (status != VN_OK) {
        js_query_destroy(f);
        f = NULL;
    }
    out[0] = (double)(uintptr_t)f;
    return done(status);
}

static vn_status fetch_positions(finder* f) {
    uint32_t count = 0;
    (void)vn_query_points(f->query, &count);
    if (count > f->capacity) {
        vn_dvec3* grown = realloc(f->positions, count * sizeof *grown);
        if (grown == NULL)
            return VN_OUT_OF_MEMORY;
        f->positions = grown;
        f->capacity = count;
    }

    const vn_status status = vn_query_get_positions(f->query, f->positions, f->capacity, &count);
    out[0] = (double)(uintptr_t)f->positions;
    out[1] = count;
    return status;
}

/// `ends`: start and goal; `options`: algo, quality, refine, snap distance, radius (negative: not given),
/// allow partial, check. Returns the status of the search. out: positions, how many, length, cost, expanded,
/// turns, bound, checked, has nearest, nearest position, its distance, passing radius, reason.
EXPORT(js_query_find) int js_query_find(finder* f, const double* ends, const double* options) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    memset(&result, 0, sizeof result);
    request.use_positions = true;
    request.start_position = (vn_dvec3){ends[0], ends[1], ends[2]};
    request.goal_position = (vn_dvec3){ends[3], ends[4], ends[5]};
    request.algo = (vn_algo)options[0];
    request.quality = (vn_quality)options[1];
    request.refine = (vn_refine)options[2];
    request.snap_distance = options[3];
    if (options[4] >= 0)
        request.radius = (float)options[4];
    request.allow_partial = options[5] != 0;
    request.check = options[6] != 0;

    const vn_status status = vn_query_find_path(f->query, &request, &result, begin());
    memset(out, 0, sizeof out);
    const vn_status fetched = fetch_positions(f);
    out[2] = result.length;
    out[3] = result.cost;
    out[4] = (double)result.expanded;
    out[5] = result.turns;
    out[6] = result.bound;
    out[7] = result.checked;
    out[8] = result.has_nearest;
    put_vector(9, result.nearest_position);
    out[12] = result.nearest_distance;
    out[13] = (double)result.passing_radius;
    out[14] = result.reason;
    return done(status == VN_OK && fetched != VN_OK ? fetched : status);
}

// ---------------------------------------------------------------------------------------------------- runs

/// out: the handle. `autopilot`: a group, or -1 for the rules of the thesis.
EXPORT(js_run_create)
int js_run_create(const char* scene, const char* variant, const char* algo, const char* space, uint32_t seed,
                  int autopilot, uint32_t obstacles, double limit) {
    vn_run_def def = vn_default_run_def();
    vn_run* run = NULL;
    def.scene = scene;
    def.variant = variant;
    def.algo = algo;
    def.space = space;
    def.seed = seed;
    def.rules = autopilot < 0 ? VN_RUN_THESIS : VN_RUN_AUTOPILOT;
    def.autopilot = autopilot < 0 ? VN_PILOT_PREDICT : (vn_pilot_group)autopilot;
    def.obstacles = obstacles;
    def.limit = limit;
    const vn_status status = vn_run_create(&def, &run, begin());
    out[0] = (double)(uintptr_t)run;
    return done(status);
}
EXPORT(js_run_destroy) void js_run_destroy(vn_run* run) {
    vn_run_destroy(run);
}
EXPORT(js_run_step) int js_run_step(vn_run* run) {
    return done(vn_run_step(run, begin()));
}

/// out: end, agents, arrived, collisions, wall hits, agent hits, clearance, seconds, length, fuel, calls,
/// expanded, nominal, hash as two halves.
EXPORT(js_run_result) void js_run_result(const vn_run* run) {
    vn_run_result r;
    vn_run_get_result(run, &r);
    const double numbers[] = {r.end,
                              r.agents,
                              r.arrived,
                              r.collisions,
                              r.wall_hits,
                              r.agent_hits,
                              r.clearance,
                              r.seconds,
                              r.length,
                              r.fuel,
                              (double)r.calls,
                              (double)r.expanded,
                              r.nominal,
                              (double)(r.hash >> 32),
                              (double)(r.hash & 0xffffffffu)};
    memcpy(out, numbers, sizeof numbers);
}
