/// bench/passage.c: the widest passage out of a small room in a large map, and through a wall across the
/// whole map: time and nodes, with layers and without (then up to a million voxels).
#include "bench.h"

#define SIZE   464 // about 10^8 voxels
#define ROOM   24
#define ROUNDS 2

static void add_box(vn_world* world, vn_vec3 min, vn_vec3 max) {
    vn_detail detail = {0};
    vn_shape shape = {.kind = VN_SHAPE_BOX};
    shape.as.box.min = min;
    shape.as.box.max = max;
    vnb_must(vn_world_add(world, &shape, NULL, &detail), &detail);
}

/// A wall across x at [low.x, high.x), from low to high on the other axes, with a square hole in the middle.
static void add_wall(vn_world* world, vn_vec3 low, vn_vec3 high, float hole) {
    float y = (low.y + high.y) / 2, z = (low.z + high.z) / 2, h = hole / 2;
    add_box(world, low, (vn_vec3){high.x, y - h, high.z});
    add_box(world, (vn_vec3){low.x, y + h, low.z}, high);
    add_box(world, low, (vn_vec3){high.x, high.y, z - h});
    add_box(world, (vn_vec3){low.x, low.y, z + h}, high);
}

static void add_room(vn_world* world, float low, float size, float door) {
    float a = low - 2, b = low + size + 2;
    add_box(world, (vn_vec3){a, a, a}, (vn_vec3){low, b, b});
    add_box(world, (vn_vec3){a, a, a}, (vn_vec3){b, low, b});
    add_box(world, (vn_vec3){a, a, a}, (vn_vec3){b, b, low});
    add_box(world, (vn_vec3){a, b - 2, a}, (vn_vec3){b, b, b});
    add_box(world, (vn_vec3){a, a, b - 2}, (vn_vec3){b, b, b});
    add_wall(world, (vn_vec3){b - 2, a, a}, (vn_vec3){b, b, b}, door);
}

static vn_world* make_world(bool across) {
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    vnb_must(vn_world_create(&def, &world), NULL);
    if (across)
        add_wall(world, (vn_vec3){SIZE / 2, 0, 0}, (vn_vec3){SIZE / 2 + 2, SIZE, SIZE}, 6);
    else
        add_room(world, 40, ROOM, 6);

    return world;
}

static vn_query* make_query(const vn_space* space, const vn_layers* layers) {
    vn_query_def def = vn_default_query_def();
    vn_detail detail = {0};
    vn_query* query;
    def.scratch = VN_SCRATCH_GRID;
    vnb_must(layers != NULL ? vn_query_create_layers(layers, &def, &query, &detail)
                            : vn_query_create(space, &def, &query, &detail),
             &detail);

    return query;
}

/// A search that takes turns with others.
typedef struct row {
    const char* name;
    vn_query* query;
    vn_voxel from, to;
    double up_to;
    uint64_t budget;
    double seconds; ///< of all calls
    uint32_t calls;
    vn_passage passage;
} row;

/// At least one call, and more for a tenth of a second.
static void run(row* r) {
    double begin = vnb_seconds(), seconds;
    do {
        vn_detail detail = {0};
        vn_status status = vn_query_find_passage(r->query, vn_voxel_center(r->from), vn_voxel_center(r->to),
                                                 0, r->up_to, r->budget, &r->passage, &detail);
        if (status != VN_BUDGET_SPENT)
            vnb_must(status, &detail);
        seconds = vnb_seconds() - begin;
        ++r->calls;
    } while (seconds < 0.1);
    r->seconds += seconds;
}

static void print(const row* r) {
    double each = r->seconds / r->calls;
    const vn_passage* p = &r->passage;
    printf("%-30s %10.2f ms %10llu nodes %6.0f ns each, %s: radius %g\n", r->name, each * 1e3,
           (unsigned long long)p->expanded, p->expanded > 0 ? each / (double)p->expanded * 1e9 : 0.0,
           vn_path_status_word(p->status), p->radius);
}

static void measure_world(bool across) {
    vn_detail detail = {0};
    vn_world* world = make_world(across);
    vn_space_def def = vn_default_space_def();
    def.has_bounds = true;
    def.bounds.max = (vn_vec3){SIZE, SIZE, SIZE};
    const vn_layer_def layer_defs[3] = {{0, 0}, {1, 0}, {4, 0}};
    vn_layers* layers;
    vnb_must(vn_layers_bake(world, &def, layer_defs, 3, &layers, &detail), &detail);
    vn_query* all = make_query(NULL, layers);
    vn_query* one = make_query(vn_layers_space(layers, 0), NULL);
    vn_voxel in = {40 + ROOM / 2, 40 + ROOM / 2, 40 + ROOM / 2}, corner = {40, 40, 40},
             far = {SIZE - 20, SIZE - 20, SIZE - 20}, behind = {20, SIZE / 2, SIZE / 2};
    printf("%s\n", across ? "a wall across the map" : "a room in a corner of the map");
    row rows[] = {{"layers 0, 1, 4", all, in, far, 4, 0, 0, 0, {0}},
                  {"layers, from goal to start", all, far, in, 4, 0, 0, 0, {0}},
                  {"layers, from a corner", all, corner, far, 4, 0, 0, 0, {0}},
                  {"layers, to behind the room", all, in, behind, 4, 0, 0, 0, {0}},
                  {"one space", one, in, far, 4, 1000000, 0, 0, {0}},
                  {"one space, to behind the room", one, in, behind, 4, 1000000, 0, 0, {0}},
                  {"one space, up to 20 m", one, in, far, 20, 1000000, 0, 0, {0}}};
    const uint32_t count = sizeof rows / sizeof *rows;
    for (uint32_t round = 0; round < ROUNDS; ++round)
        for (uint32_t turn = 0; turn < count; ++turn)
            run(&rows[rotation_at(count, round, turn)]);

    for (uint32_t i = 0; i < count; ++i)
        print(&rows[i]);

    vn_query_destroy(all);
    vn_query_destroy(one);
    vn_layers_destroy(layers);
    vn_world_destroy(world);
}

int main(void) {
    printf("calibration: %.0f M steps/s\n", vnb_calibration());
    printf("%d^3 voxels, room of %d^3 = %d\n\n", SIZE, ROOM, ROOM * ROOM * ROOM);
    measure_world(false);
    measure_world(true);
    return 0;
}
