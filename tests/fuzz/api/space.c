/// tests/fuzz/api/space.c: baking, and calls on volnav/space.h and volnav/layers.h.
#include "tests/fuzz/api/api.h"
#include "volnav/path.h"
#include <math.h>
#include <string.h>

/// Voxels of a bake: few, or so many along an axis that it is refused at once.
#define MOST_VOXELS 6000.0
#define MOST_ALONG  1500.0
#define TOO_MANY    1100000.0

vn_voxel vnf_dims(const vn_space* space) {
    vn_space_info info;
    vn_space_get_info(space, &info);
    return info.dims;
}

// -------------------------------------------------------------------------------------------------- the def

/// Runs ranges of odd lengths, the last first, with changing worker numbers: nothing may depend on that.
static void* enqueue_oddly(void* user, vn_task* task, void* context, uint32_t count, uint32_t min_range) {
    (void)user;
    const uint32_t step = min_range > 0 ? 2 * min_range : 1;
    uint32_t worker = 0;
    const uint32_t ranges = count / step + (count % step > 0);
    for (uint32_t i = ranges; i > 0; --i) {
        const uint32_t begin = (i - 1) * step, end = count - begin < step ? count : begin + step;
        task(context, begin, end, worker++ % 3);
    }

    return NULL;
}

static void finish_nothing(void* user, void* handle) {
    (void)user, (void)handle;
}

static bool count_down(void* user, const char* stage, double fraction) {
    uint32_t* left = user;
    VNF_REQUIRE(stage != NULL && fraction >= 0 && fraction <= 1);
    return *left > 0 && (*left)-- > 0;
}

static void volume(const vnf_api* api, const vn_space_def* def, double size[3]) {
    vn_box box = def->bounds;
    if (!def->has_bounds && !vn_world_get_bounds(api->world, &box))
        memset(&box, 0, sizeof box);

    const double margin = def->has_bounds ? 0 : 2 * (double)def->margin;
    size[0] = (double)box.max.x - (double)box.min.x + margin;
    size[1] = (double)box.max.y - (double)box.min.y + margin;
    size[2] = (double)box.max.z - (double)box.min.z + margin;
}

/// Is the bake quick, or refused before it begins?
static bool is_quick(const vnf_api* api, const vn_space_def* def) {
    double size[3], voxels = 1;
    volume(api, def, size);
    bool quick = true;
    for (int i = 0; i < 3; ++i) {
        const double along = ceil(size[i] / (double)def->resolution) + 1;
        if (!(along > 0) || along > TOO_MANY || !(def->resolution >= 1e-9f && def->resolution <= 1e9f))
            return true;
        quick = quick && along <= MOST_ALONG;
        voxels *= along;
    }

    return quick && voxels <= MOST_VOXELS;
}

/// Sometimes longer than a block of 64 voxels.
static vn_box tame_bounds(vnf_reader* in) {
    vn_box box;
    const uint32_t form = vnf_below(in, 8);
    box.min.x = (float)vnf_below(in, 4);
    box.min.y = (float)vnf_below(in, 4);
    box.min.z = (float)vnf_below(in, 4);
    box.max.x = box.min.x + (float)vnf_below(in, 15) + 1;
    box.max.y = box.min.y + (float)vnf_below(in, 15) + 1;

    box.max.z = box.min.z + (float)vnf_below(in, 15) + 1;
    if (form < 3) {
        const float length = (float)(50 + vnf_below(in, 100));
        box.max.x = box.min.x + (form == 0 ? length : 5);
        box.max.y = box.min.y + (form == 1 ? length : 5);
        box.max.z = box.min.z + (form == 2 ? length : 5);
    }

    return box;
}

vn_space_def vnf_space_def(vnf_api* api) {
    static const float resolutions[] = {1, 1, 1, 0.5f, 2, 0.75f, 1.5f};
    vnf_reader* in = &api->in;
    vn_space_def def = vn_default_space_def();
    def.allocator = vnf_heap_allocator(&api->heap);
    if (vnf_chance(in, 4))
        def.jobs = (vn_jobs){3, enqueue_oddly, finish_nothing, NULL};

    def.resolution = in->wild ? vnf_part(in, 3) : resolutions[vnf_below(in, 7)];
    def.radius = vnf_chance(in, 3) ? vnf_part(in, 2) : 0;
    def.open_flags = vnf_below(in, 4);
    def.unknown = (vn_unknown_policy)vnf_count(in, 3);

    def.has_bounds = !vnf_chance(in, 4);
    def.bounds = in->wild ? vnf_box(in) : tame_bounds(in);
    def.margin = vnf_chance(in, 4) ? vnf_part(in, 3) : 0;
    def.has_seed = vnf_chance(in, 8);
    def.seed = vnf_vec(in);

    def.cells = !vnf_chance(in, 8);
    if (in->wild && vnf_chance(in, 32))
        def.cookie ^= 1;

    if (!is_quick(api, &def)) {
        def.has_bounds = true;
        def.bounds = (vn_box){{0, 0, 0}, {16, 16, 16}};
        def.resolution = 1;
    }

    return def;
}

uint32_t vnf_layer_defs(vnf_api* api, vn_layer_def out[3]) {
    const uint32_t count = vnf_below(&api->in, 4);
    memset(out, 0, 3 * sizeof out[0]);
    for (uint32_t i = 0; i < count; ++i) {
        out[i].radius = i == 0 ? 0 : vnf_part(&api->in, 2);
        out[i].open_flags = vnf_below(&api->in, 4);
    }

    return count > 0 || api->in.wild ? count : 1;
}

// ---------------------------------------------------------------------------------------------------- baking

void vnf_drop_space(vnf_api* api) {
    vnf_drop_searches(api, false);
    vnf_drop_classic(api);
    vn_space_destroy(api->space);
    api->space = NULL;
}

void vnf_drop_layers(vnf_api* api) {
    vnf_drop_searches(api, true);
    vn_layers_destroy(api->layers);
    api->layers = NULL;
}

/// What holds of every space.
static void judge_space(vnf_api* api, const vn_space* space) {
    vn_space_info info;
    vn_space_get_info(space, &info);
    VNF_REQUIRE(info.dims.x > 0 && info.dims.y > 0 && info.dims.z > 0);
    VNF_REQUIRE(info.free_voxels + info.blocked_voxels ==
                (uint64_t)info.dims.x * (uint64_t)info.dims.y * (uint64_t)info.dims.z);
    const vn_status status = vnf_judge(api, vn_space_validate(space, vnf_detail(api)));
    VNF_REQUIRE(status == VN_OK || status == VN_OUT_OF_MEMORY);
}

static void take_space(vnf_api* api, vn_space* space, const vn_space_def* def) {
    vnf_drop_space(api);
    api->space = space;
    api->space_def = *def;
    api->space_revision = vn_world_revision(api->world);
}

/// The same bake with serial jobs gives the same bytes.
static void judge_jobs(vnf_api* api, const vn_space_def* def) {
    vn_space_def serial = *def;
    vn_space* again = NULL;
    serial.jobs = vn_serial_jobs();
    serial.progress = NULL;
    if (vn_space_bake(api->world, &serial, &again, NULL) == VN_OK)
        VNF_REQUIRE(vn_space_content_hash(again) == vn_space_content_hash(api->space));

    vn_space_destroy(again);
}

static void op_bake(vnf_api* api) {
    vn_space_def def = vnf_space_def(api);
    uint32_t left = vnf_byte(&api->in);
    if (vnf_chance(&api->in, 4)) {
        def.progress = count_down;
        def.progress_user = &left;
    }

    vn_space* space = NULL;
    const vn_status status = vnf_judge(api, vn_space_bake(api->world, &def, &space, vnf_detail(api)));
    VNF_REQUIRE((status == VN_OK) == (space != NULL));
    VNF_REQUIRE(status != VN_CANCELLED || def.progress != NULL);
    if (status != VN_OK)
        return;

    judge_space(api, space);
    take_space(api, space, &def);
    if (def.jobs.worker_count > 1)
        judge_jobs(api, &def);
}

static void op_bake_layers(vnf_api* api) {
    const vn_space_def def = vnf_space_def(api);
    vn_layer_def layers[3];
    const uint32_t count = vnf_layer_defs(api, layers);
    vn_layers* out = NULL;
    const vn_status status =
        vnf_judge(api, vn_layers_bake(api->world, &def, layers, count, &out, vnf_detail(api)));
    VNF_REQUIRE((status == VN_OK) == (out != NULL));

    if (status != VN_OK)
        return;

    vnf_drop_layers(api);
    api->layers = out;
    VNF_REQUIRE(vn_layers_count(out) == count);
    VNF_REQUIRE(vn_layers_world_hash(out) == vn_world_hash(api->world));
    for (uint32_t i = 0; i < count; ++i)
        judge_space(api, vn_layers_space(out, i));
}

vn_space_def vnf_plain_space_def(vnf_api* api) {
    vn_space_def def = vn_default_space_def();
    def.allocator = vnf_heap_allocator(&api->heap);
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {14, 14, 14}};
    return def;
}

vn_space* vnf_need_space(vnf_api* api) {
    if (api->space != NULL)
        return api->space;

    const vn_space_def def = vnf_plain_space_def(api);
    vn_space* space = NULL;
    if (vnf_judge(api, vn_space_bake(api->world, &def, &space, vnf_detail(api))) == VN_OK)
        take_space(api, space, &def);

    return api->space;
}

vn_layers* vnf_need_layers(vnf_api* api) {
    static const vn_layer_def layers[2] = {{0, 0}, {0.75f, 1}};
    const vn_space_def def = vnf_plain_space_def(api);
    if (api->layers == NULL)
        vnf_judge(api, vn_layers_bake(api->world, &def, layers, 2, &api->layers, vnf_detail(api)));
    return api->layers;
}

// ---------------------------------------------------------------------------------------------- probing

/// The verdict on a path by other means.
static bool checker_says(const vn_space* space, vn_point a, vn_point b) {
    const vn_point points[2] = {a, b};
    return vn_space_check_path(space, points, 2, NULL);
}

static const vn_world* world_of(const vnf_api* api) {
    return api->space_revision == vn_world_revision(api->world) ? api->world : NULL;
}

static void op_sight(vnf_api* api) {
    const vn_space* space = vnf_need_space(api);
    if (space == NULL)
        return;

    const vn_voxel dims = vnf_dims(space);
    const vn_point a = vnf_point(&api->in, dims), b = vnf_point(&api->in, dims);
    const bool sees = vn_space_visible(space, a, b);
    vn_hit hit;
    VNF_REQUIRE(vn_space_visible(space, b, a) == sees);
    VNF_REQUIRE(checker_says(space, a, b) == sees);
    VNF_REQUIRE(vn_space_raycast(space, world_of(api), a, b, &hit) == !sees);
    VNF_REQUIRE(hit.fraction >= 0 && hit.fraction <= 1 && (!sees || hit.fraction == 1));
    uint32_t calls = 0;
    const vn_draw draw = vnf_draw(&calls, 8);

    VNF_REQUIRE(vn_hit_draw(space, a, &hit, &draw) == calls && calls <= draw.max_calls);
    if (sees && vn_space_voxel_free(space, vn_space_voxel_at(space, a)) && vn_space_point_free(space, b)) {
        vn_space_info info;
        vn_space_get_info(space, &info);
        VNF_REQUIRE(info.cells == 0 || vn_space_reachable(space, a, b));
    }
}

static void op_sweep(vnf_api* api) {
    const vn_space* space = vnf_need_space(api);
    if (space == NULL)
        return;

    const vn_voxel dims = vnf_dims(space);
    const vn_point a = vnf_point(&api->in, dims), b = vnf_point(&api->in, dims);
    const float radius = vnf_part(&api->in, 3);
    vn_hit hit;
    const bool fits = vn_space_sweep_free(space, a, b, radius);
    const bool stops = vn_space_sweep(space, world_of(api), a, b, radius, &hit);
    VNF_REQUIRE(radius >= 0 ? stops == !fits : !fits);

    VNF_REQUIRE(hit.fraction >= 0 && hit.fraction <= 1);
    if (fits)
        VNF_REQUIRE(vn_space_visible(space, a, b));
}

static void op_nearest(vnf_api* api) {
    const vn_space* space = vnf_need_space(api);
    if (space == NULL)
        return;

    const vn_dvec3 position = vnf_dvec(&api->in);
    const double most = vnf_chance(&api->in, 2) ? INFINITY : vnf_real(&api->in, 20);
    vn_point point;
    double distance = -1;
    const vn_status status = vn_space_nearest_free(space, position, most, &point, &distance);

    VNF_REQUIRE(status == VN_OK || status == VN_NOT_FOUND || status == VN_BAD_ARGUMENT);
    if (status == VN_OK)
        VNF_REQUIRE(vn_space_point_free(space, point) && distance >= 0 && distance <= most * (1 + 1e-12));

    vn_space_info info;
    vn_space_get_info(space, &info);
    if (status == VN_NOT_FOUND && isinf(most))
        VNF_REQUIRE(info.free_voxels == 0);
}

static void op_wall(vnf_api* api) {
    const vn_space* space = vnf_need_space(api);
    if (space == NULL)
        return;

    const vn_point at = vnf_point(&api->in, vnf_dims(space));
    const double most = vnf_chance(&api->in, 2) ? INFINITY : vnf_real(&api->in, 20);
    vn_wall wall;
    vn_space_info info;
    vn_space_get_info(space, &info);
    const vn_status status = vn_space_nearest_wall(space, at, most, &wall);

    VNF_REQUIRE(status == VN_OK || status == VN_NOT_FOUND || status == VN_BAD_ARGUMENT);
    if (status == VN_NOT_FOUND && isinf(most))
        VNF_REQUIRE(info.blocked_voxels == 0);

    if (status != VN_OK)
        return;

    VNF_REQUIRE(wall.distance >= 0 && wall.distance <= most * (1 + 1e-12));
    VNF_REQUIRE(!vn_space_voxel_free(space, wall.voxel));
}

static void op_coordinates(vnf_api* api) {
    const vn_space* space = vnf_need_space(api);
    if (space == NULL)
        return;

    const vn_voxel dims = vnf_dims(space);
    vn_point point, same;
    const vn_status status = vn_space_point_from_world(space, vnf_dvec(&api->in), &point);
    VNF_REQUIRE(status == VN_OK || status == VN_OUTSIDE || status == VN_BAD_ARGUMENT);
    VNF_REQUIRE((status == VN_OUTSIDE) == vn_point_is_outside(point));
    const vn_status local = vn_space_point_from_local(space, vnf_vec(&api->in), &same);
    VNF_REQUIRE((local == VN_OUTSIDE) == vn_point_is_outside(same));
    const vn_point somewhere = vnf_point(&api->in, dims);
    const vn_voxel voxel = vn_space_voxel_at(space, somewhere);
    const bool inside = voxel.x >= 0 && voxel.y >= 0 && voxel.z >= 0 && voxel.x < dims.x &&
                        voxel.y < dims.y && voxel.z < dims.z;
    VNF_REQUIRE(inside || !vn_space_point_free(space, somewhere));
    vn_space_point_to_world(space, vnf_point(&api->in, dims));
    const vn_point any = vnf_point(&api->in, dims);
    VNF_REQUIRE(!vn_space_point_unknown(space, any) || !vn_space_point_free(space, any));

    const vn_voxel at = vnf_voxel(&api->in, dims);
    if (world_of(api) != NULL && vn_space_obstacle_at(space, world_of(api), at).index1 != 0)
        VNF_REQUIRE(!vn_space_voxel_free(space, at));
}

// -------------------------------------------------------------------------------------------------- visiting

typedef struct visits {
    uint32_t left;
    uint64_t voxels;
    const vn_space* space;
} visits;

static bool visit_run(void* user, vn_voxel first, int32_t length) {
    visits* v = user;
    VNF_REQUIRE(length > 0 && !vn_space_voxel_free(v->space, first));
    v->voxels += (uint64_t)length;
    return v->left > 0 && --v->left > 0;
}

static bool visit_cell(void* user, vn_voxel low, vn_voxel high) {
    visits* v = user;
    VNF_REQUIRE(vn_space_box_free(v->space, low, high));
    return v->left > 0 && --v->left > 0;
}

static void op_visit(vnf_api* api) {
    const vn_space* space = vnf_need_space(api);
    if (space == NULL)
        return;

    const vn_voxel dims = vnf_dims(space);
    const vn_voxel low = vnf_voxel(&api->in, dims), high = vnf_voxel(&api->in, dims);
    visits blocked = {UINT32_MAX, 0, space}, cells = {1 + vnf_byte(&api->in), 0, space};
    vn_space_visit_blocked(space, low, high, visit_run, &blocked);
    vn_space_visit_cells(space, low, high, visit_cell, &cells);

    const bool inside =
        low.x >= 0 && low.y >= 0 && low.z >= 0 && high.x <= dims.x && high.y <= dims.y && high.z <= dims.z;
    const bool empty = high.x <= low.x || high.y <= low.y || high.z <= low.z;
    VNF_REQUIRE(!empty || blocked.voxels == 0);
    if (inside || empty)
        VNF_REQUIRE(vn_space_box_free(space, low, high) == (blocked.voxels == 0));

    uint32_t calls = 0;
    const vn_draw draw = vnf_draw(&calls, 500);
    const uint32_t told = vn_space_draw_blocked(space, low, high, &draw);
    VNF_REQUIRE(told == calls && calls <= draw.max_calls);
    VNF_REQUIRE(vn_space_draw_cells(space, low, high, &draw) == calls - told);
}

static void op_random(vnf_api* api) {
    const vn_space* space = vnf_need_space(api);
    if (space == NULL)
        return;

    uint64_t random = vnf_bits(&api->in, 8);
    vn_point point;
    vn_memory memory;
    vn_space_info info;
    vn_space_get_info(space, &info);
    vn_space_get_memory(space, &memory);
    const vn_status status = vn_space_random_point(space, &random, &point);

    VNF_REQUIRE(status == (info.free_voxels > 0 ? VN_OK : VN_NOT_FOUND));
    if (status == VN_OK)
        VNF_REQUIRE(vn_space_point_free(space, point));
}

static void op_find_layer(vnf_api* api) {
    const vn_layers* layers = vnf_need_layers(api);
    if (layers == NULL)
        return;

    const double radius = vnf_real(&api->in, 2);
    const uint32_t flags = vnf_count(&api->in, 4);
    const vn_space* space = vn_layers_find(layers, radius, flags);
    vn_memory memory;
    vn_space_info info;
    vn_layers_get_memory(layers, &memory);

    if (space == NULL)
        return;
    vn_space_get_info(space, &info);
    VNF_REQUIRE((double)info.radius >= radius && (info.open_flags & ~flags) == 0);
}

/// Any polyline against the shapes; a verdict does not depend on whether the fault is requested.
static void op_check(vnf_api* api) {
    const vn_space* space = vnf_need_space(api);
    if (space == NULL)
        return;

    vn_point points[4];
    const uint32_t count = vnf_below(&api->in, 5);
    for (uint32_t i = 0; i < count; ++i)
        points[i] = vnf_point(&api->in, vnf_dims(space));

    const bool wild = api->in.wild;
    api->in.wild = false; // finite and not below 0 is a precondition
    const double radius = vnf_real(&api->in, 3);
    api->in.wild = wild;
    vn_check_result result;
    const bool free_here = vn_world_check_path(api->world, space, points, count, radius, &result);
    VNF_REQUIRE(free_here == (result.fault == VN_CHECK_FREE));
    VNF_REQUIRE(vn_world_check_path(api->world, space, points, count, radius, NULL) == free_here);
    VNF_REQUIRE(vn_check_fault_word(result.fault) != NULL);
    VNF_REQUIRE(vn_space_check_path(space, points, count, &result) == (result.fault == VN_CHECK_FREE));
}

const vnf_operation vnf_space_operations[] = {
    {"space: bake", op_bake},
    {"layers: bake", op_bake_layers},
    {"space: sight", op_sight},
    {"space: sweep", op_sweep},
    {"space: nearest", op_nearest},
    {"space: wall", op_wall},
    {"space: coordinates", op_coordinates},
    {"space: visit", op_visit},
    {"space: random", op_random},
    {"layers: find", op_find_layer},
    {"path: check", op_check},
    {NULL, NULL},
};
