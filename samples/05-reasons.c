/// 05-reasons: every status, and what comes with it. A failure is a value with a reason, and often a remedy.
#include "hall.h"
#include <volnav/io.h>

#include <stdlib.h>

static int surprises;
static bool shown[VN_STATUS_COUNT];

/// Prints one line: the word of the status, its sentence, and what else a user would be told.
static void show(vn_status expected, vn_status status, const char* more) {
    printf("%-15s %s%s%s\n", vn_path_status_word(status), vn_status_text(status), more[0] ? " " : "", more);
    surprises += status != expected;
    shown[status] = true;
}

static void find(vn_query* query, vn_status expected, const vn_path_request* request) {
    char more[320] = "";
    vn_detail detail = {0};
    vn_path_result result;
    vn_status status = vn_query_find_path(query, request, &result, &detail);

    if (result.has_nearest) {
        vn_dvec3 p = result.nearest_position;
        snprintf(more, sizeof more, "The nearest free point is (%.2f, %.2f, %.2f), %.2f m away.", p.x, p.y,
                 p.z, result.nearest_distance);
    } else if (status == VN_TOO_NARROW) {
        vn_passage widest;
        if (vn_query_find_passage(query, result.start, result.goal, 0, (double)result.layer_radius, 0,
                                  &widest, NULL) != VN_OK)
            ++surprises;
        vn_dvec3 p = widest.bottleneck_position;
        snprintf(more, sizeof more, "A radius of %.2f m would pass at (%.2f, %.2f, %.2f).", widest.radius,
                 p.x, p.y, p.z);
    } else if (status == VN_PARTIAL) {
        snprintf(more, sizeof more, "Reason: %s", vn_status_text(result.reason));
    } else if (detail.text[0]) {
        snprintf(more, sizeof more, "Detail: %s.", detail.text);
    }

    show(expected, status, more);
}

static void fail_at_the_ends(vn_query* query) {
    vn_path_request r = hall_route();
    find(query, VN_OK, &r);
    r.start_position = (vn_dvec3){16.5, 4, 12};
    find(query, VN_START_BLOCKED, &r);

    r.start_position = (vn_dvec3){8, 2, 4};
    r.goal_position = (vn_dvec3){23, 2, 8};
    find(query, VN_GOAL_BLOCKED, &r);
    r.goal_position = (vn_dvec3){1, 1, 15};
    find(query, VN_UNKNOWN_SPACE, &r);
    r.goal_position.x = 1e6;
    find(query, VN_OUTSIDE, &r);
    r.goal_position = (vn_dvec3){29, 2, 13};
    find(query, VN_NO_PATH, &r); // the vault: decided by components, without a search
}

static void fail_in_the_search(vn_query* query, const vn_space* s) {
    vn_path_request narrow = hall_route(), r = hall_route();
    narrow.radius = 1.25f;
    find(query, VN_TOO_NARROW, &narrow);

    r.budget = 2;
    find(query, VN_BUDGET_SPENT, &r);
    r.allow_partial = true;
    find(query, VN_PARTIAL, &r);

    vn_path_result result;
    r = hall_route();
    show(VN_BAD_ORDER, vn_query_step(query, 1), "");
    surprises += vn_query_begin(query, &r, NULL) != VN_OK;
    show(VN_RUNNING, vn_query_step(query, 1), "");
    show(VN_CANCELLED, vn_query_finish(query, &result), "");

    vn_query_def def = vn_default_query_def();
    vn_query* small = NULL;
    def.max_points = 2;
    vn_status status = vn_query_create(s, &def, &small, NULL);
    surprises += status != VN_OK;
    if (status == VN_OK)
        find(small, VN_CAPACITY, &r);
    vn_query_destroy(small);
}

static void fail_in_the_request(vn_query* query) {
    vn_path_request r = hall_route();
    r.weight = 0.5;
    find(query, VN_BAD_ARGUMENT, &r);
    r.weight = 0;
    r.radius = 9;
    find(query, VN_UNSUPPORTED, &r);
    r.cookie = 0;
    find(query, VN_BAD_DEF, &r);
}

static void* no_memory(void* user, size_t size) {
    (void)user;
    (void)size;
    return NULL;
}

static void fail_in_the_space(vn_world* world, const vn_space* s) {
    vn_detail d = {0};
    const vn_shape inside_out = {.kind = VN_SHAPE_BOX, .as.box = {{1, 0, 0}, {0, 1, 1}}};
    show(VN_BAD_DATA, vn_world_add(world, &inside_out, NULL, &d), d.text);

    vn_hull hull;
    const vn_vec3 square[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    show(VN_DEGENERATE, vn_hull_from_points(NULL, square, 4, &hull, &d), d.text);
    show(VN_STALE_ID, vn_world_remove(world, (vn_obstacle_id){99, 1}), "");

    vn_space* none = NULL;
    vn_space_def def = hall_space_def();
    def.has_seed = true;
    def.seed = (vn_vec3){23, 2, 8}; // in the pillar
    show(VN_BLOCKED, vn_space_bake(world, &def, &none, &d), d.text);
    def.resolution = 1e-6f;
    show(VN_TOO_LARGE, vn_space_bake(world, &def, &none, &d), d.text);

    vn_wall wall;
    show(VN_NOT_FOUND, vn_space_nearest_wall_position(s, (vn_dvec3){8, 2, 4}, 0.5, &wall),
         "No wall within 0.5 m.");

    vn_query_def query_def = vn_default_query_def();
    vn_query* query = NULL;
    query_def.allocator.alloc = no_memory;
    show(VN_OUT_OF_MEMORY, vn_query_create(s, &query_def, &query, &d), d.text);
}

static void fail_in_files(const vn_world* world, const vn_layers* baked) {
    vn_detail d = {0};
    vn_load_def load = vn_default_load_def();
    vn_layers* layers = NULL;
    show(VN_IO, vn_layers_load_file("no/such/file.vnav", &load, &layers, &d), d.text);
    show(VN_BAD_FORMAT, vn_layers_read("not a file of ours", 18, &load, &layers, &d), d.text);

    const vn_store_def store = vn_default_store_def();
    surprises += vn_layers_save_file(baked, "reasons.vnav", &store, NULL) != VN_OK;
    load.check_world_hash = true;
    load.world_hash = vn_world_hash(world) + 1; // as if the world had changed
    show(VN_STALE, vn_layers_load_file("reasons.vnav", &load, &layers, &d), d.text);
    remove("reasons.vnav");

    vn_scen_line line = {.goal = {99, 0, 0}};
    const vn_3dscen scen = {.map = "other.3dmap", .lines = &line, .line_count = 1};
    show(VN_MISMATCH, vn_3dscen_check(&scen, NULL, (vn_voxel){9, 9, 9}, &d), d.text);
}

int main(void) {
    const vn_layer_def sizes[3] = {{0, 0}, {0.5f, 0}, {1.25f, 0}};
    const vn_space_def def = hall_space_def();
    vn_query_def query_def = vn_default_query_def();
    query_def.scratch = VN_SCRATCH_ALL; // vn_query_find_passage searches the grid
    vn_world* world = NULL;
    vn_layers* layers = NULL;
    vn_query* query = NULL;

    vn_status status = hall_world(false, &world);
    if (status == VN_OK)
        status = vn_layers_bake(world, &def, sizes, 3, &layers, NULL);
    if (status == VN_OK)
        status = vn_query_create_layers(layers, &query_def, &query, NULL);

    if (status == VN_OK) {
        const vn_space* space = vn_layers_space(layers, 0);
        fail_at_the_ends(query);
        fail_in_the_search(query, space);
        fail_in_the_request(query);
        fail_in_the_space(world, space);
        fail_in_files(world, layers);
    }

    for (int i = 0; i < VN_STATUS_COUNT; ++i)
        surprises += !shown[i];

    vn_query_destroy(query);
    vn_layers_destroy(layers);
    vn_world_destroy(world);
    return status == VN_OK && surprises == 0 ? 0 : 1;
}
