/// bench/passage.c: the widest way out of a small room in a large map, and through a wall across all of it:
/// time and nodes taken, with layers and without (then for up to a million voxels).
#include "bench.h"

#define SIZE 464 // about 10^8 voxels
#define ROOM 24

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
    vnb_must(layers ? vn_query_create_layers(layers, &def, &query, &detail)
                    : vn_query_create(space, &def, &query, &detail),
             &detail);

    return query;
}

static void measure(const char* name, vn_query* query, vn_voxel from, vn_voxel to, double up_to,
                    uint64_t budget) {
    vn_passage p;
    uint32_t rounds = 0;
    double begin = vnb_seconds(), seconds;
    do {
        vn_query_find_passage(query, vn_voxel_center(from), vn_voxel_center(to), 0, up_to, budget, &p, NULL);
        seconds = vnb_seconds() - begin;
        ++rounds;
    } while (seconds < 0.5);

    double each = seconds / rounds;
    printf("%-30s %10.2f ms %10llu nodes %6.0f ns each, %s: radius %g\n", name, each * 1e3,
           (unsigned long long)p.expanded, p.expanded ? each / (double)p.expanded * 1e9 : 0.0,
           vn_status_word(p.status), p.radius);
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
    measure("layers 0, 1, 4", all, in, far, 4, 0);
    measure("layers, the other way round", all, far, in, 4, 0);
    measure("layers, from a corner", all, corner, far, 4, 0);
    measure("layers, to behind the room", all, in, behind, 4, 0);
    measure("one space", one, in, far, 4, 1000000);
    measure("one space, to behind the room", one, in, behind, 4, 1000000);
    measure("one space, up to 20 m", one, in, far, 20, 1000000);
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
