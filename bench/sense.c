/// bench/sense.c: a map told to a nav in 200 batches of up to 100,000 voxels, as a robot would that flies
/// through it: how long the host's call and the update take, and whether the last version is the bake of the
/// whole. VN_BENCH_MAP names an OctoMap file; without it the map is a hall with pillars. One thread, no
/// workers: processor time of this thread, and wall time of call and tick together.
#include "bench.h"

#include "../tests/support/sensor.h"

#define BATCHES 200
#define MOST    100000

typedef struct times {
    double sense[BATCHES], update[BATCHES], wall[BATCHES];
} times;

static int ascending(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void print_times(const char* name, double* all) {
    qsort(all, BATCHES, sizeof *all, ascending);
    printf("  %-28s p50 %7.2f  p99 %7.2f  max %7.2f ms\n", name, 1e3 * all[BATCHES / 2],
           1e3 * all[BATCHES * 99 / 100 - 1], 1e3 * all[BATCHES - 1]);
}

static vn_world* make_world(const vnt_sensor* s, bool all, vn_sense_batch* ids) {
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    def.origin = s->origin;
    vnb_must(vn_world_create(&def, &world), NULL);
    vnb_must(vnt_sensor_add(s, world, all, ids), NULL);
    return world;
}

/// Content and cells of each layer against a bake of the map that knows everything.
static void compare(const vnt_sensor* s, vn_nav* nav, const vn_nav_def* def) {
    vn_sense_batch ids = {0};
    vn_world* world = make_world(s, true, &ids);
    vn_layers* layers;
    const double begin = vnb_seconds();
    vnb_must(vn_layers_bake(world, &def->space, def->layers, def->layer_count, &layers, NULL), NULL);
    const double seconds = vnb_seconds() - begin;
    for (uint32_t i = 0; i < def->layer_count; ++i) {
        uint64_t version;
        const vn_space* now = vn_nav_pin(nav, (double)def->layers[i].radius, 0, &version);
        if (now == NULL || vn_space_content_hash(now) != vn_space_content_hash(vn_layers_space(layers, i)))
            vnb_fail("the last version is not the bake of the whole");
        (void)vn_nav_unpin(nav, version);
    }

    printf("  the last version is the bake of the whole, which takes %.0f ms\n", 1e3 * seconds);
    vn_layers_destroy(layers);
    vn_world_destroy(world);
}

static void run(vnt_sensor* s, const vn_nav_def* def) {
    static times t;
    vn_sense_batch batch = {0};
    vn_world* world = make_world(s, false, &batch);
    vn_nav* nav;
    uint64_t entries = 0;
    vnb_must(vn_nav_create(world, def, &nav, NULL), NULL);
    for (uint32_t i = 0; i < BATCHES; ++i) {
        vnt_sensor_batch(s, i, BATCHES, MOST, &batch);
        entries += batch.count;
        const double wall = vnb_wall(), begin = vnb_seconds();
        vnb_must(vn_nav_sense(nav, &batch, NULL, NULL), NULL);
        const double middle = vnb_seconds();
        vnb_must(vn_nav_tick(nav, NULL), NULL);
        t.sense[i] = middle - begin;
        t.update[i] = vnb_seconds() - middle;
        t.wall[i] = vnb_wall() - wall;
    }

    vnb_must(vn_nav_tick(nav, NULL), NULL);
    printf("%u layer%s, radius", def->layer_count, def->layer_count > 1 ? "s" : "");
    for (uint32_t i = 0; i < def->layer_count; ++i)
        printf(" %g", (double)def->layers[i].radius);
    printf(" m; %d batches of %.0f voxels\n", BATCHES, (double)entries / BATCHES);
    print_times("vn_nav_sense, thread CPU", t.sense);
    print_times("tick with update, thread CPU", t.update);
    print_times("both, wall", t.wall);

    vn_memory memory;
    vn_nav_get_memory(nav, &memory);
    printf("  memory %.1f MB\n", (double)memory.total / 1e6);
    compare(s, nav, def);
    vn_nav_destroy(nav);
}

static vnt_sensor make_hall(void) {
    vnt_sensor s = vnt_sensor_make((vn_voxel){480, 180, 40}, 0.1f);
    const vn_voxel_box all = {{0, 0, 0}, {480, 180, 40}}, hall = {{9, 9, 3}, {471, 171, 37}},
                       inner = {{10, 10, 4}, {470, 170, 36}};
    vnt_sensor_fill(&s, &all, VN_VOXEL_UNKNOWN);
    vnt_sensor_fill(&s, &hall, VN_VOXEL_OCCUPIED);
    vnt_sensor_fill(&s, &inner, VN_VOXEL_FREE);
    for (int32_t x = 20; x < 460; x += 23)
        for (int32_t y = 20; y < 160; y += 19) {
            const vn_voxel_box pillar = {{x, y, 4}, {x + 4, y + 4, 36}};
            vnt_sensor_fill(&s, &pillar, VN_VOXEL_OCCUPIED);
        }

    vnt_sensor_ready(&s);
    return s;
}

int main(void) {
    const char* path = getenv("VN_BENCH_MAP");
    vn_octomap map = {0};
    vn_detail detail = {0};
    if (path != NULL)
        vnb_must(vn_octomap_read_file(path, NULL, &map, &detail), &detail);

    vnt_sensor s = path != NULL ? vnt_sensor_octomap(&map) : make_hall();
    vn_nav_def def = vn_default_nav_def();
    def.space.resolution = s.size;
    def.space.unknown = VN_UNKNOWN_REFUSED;
    printf("%d x %d x %d voxels of %g m, %u known; calibration %.0f M/s\n", (int)s.dims.x, (int)s.dims.y,
           (int)s.dims.z, (double)s.size, (unsigned)s.known_count, vnb_calibration());
    run(&s, &def);
    def.layers[0].radius = 0.25f;
    run(&s, &def);
    def.layer_count = 3;
    def.layers[0].radius = 0;
    def.layers[1].radius = 0.15f;
    def.layers[2].radius = 0.3f;
    run(&s, &def);

    vnt_sensor_free(&s);
    vn_octomap_free(&map);
    return 0;
}
