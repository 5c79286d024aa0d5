/// bench/nav_start.c: starting a nav: baking, beside reading a .vnav (stored, and packed by zstd) and taking
/// its layers. One thread, no workers. VN_BENCH_MESH names an .obj file (triangles and polygons, z and y as
/// they are), VN_BENCH_RESOLUTION the metres of a voxel (0.1); without them the world is what bench.h makes.
/// With movers, boxes that move stand in the world and in the file.
#include "bench.h"

#include <string.h>

#define PASSES 15 // the best of so many: other programs disturb most of them
#define MOVERS 30

// ---------------------------------------------------------------------------------------------------- worlds

typedef struct mesh {
    vnb_bytes vertices, indices; ///< vn_vec3, uint32_t
} mesh;

/// A face, as a fan of triangles. Only the first index of each corner counts.
static void read_face(mesh* m, char* text) {
    uint32_t corners[3] = {0, 0, 0}, count = 0;
    for (char* word = strtok(text, " \t\r\n"); word != NULL; word = strtok(NULL, " \t\r\n"), ++count) {
        const long number = strtol(word, NULL, 10);
        const size_t vertices = m->vertices.size / sizeof(vn_vec3);
        const uint32_t index = (uint32_t)(number < 0 ? (long)vertices + number : number - 1);
        corners[count < 2 ? count : 2] = index;
        if (count < 2)
            continue;
        vnb_append(&m->indices, corners, sizeof corners);
        corners[1] = corners[2];
    }
}

static void add_mesh(vn_world* world, const char* path) {
    static char line[4096];
    mesh m = {0};
    vn_detail detail = {0};
    FILE* file = fopen(path, "r");
    if (file == NULL)
        vnb_fail("VN_BENCH_MESH cannot be read");

    while (fgets(line, sizeof line, file) != NULL) {
        vn_vec3 v;
        if (sscanf(line, "v %f %f %f", &v.x, &v.y, &v.z) == 3)
            vnb_append(&m.vertices, &v, sizeof v);
        else if (strncmp(line, "f ", 2) == 0)
            read_face(&m, line + 2);
    }

    fclose(file);
    vn_shape shape = {.kind = VN_SHAPE_MESH};
    shape.as.mesh.vertices = (const vn_vec3*)(const void*)m.vertices.data;
    shape.as.mesh.vertex_count = (uint32_t)(m.vertices.size / sizeof(vn_vec3));
    shape.as.mesh.indices = (const uint32_t*)(const void*)m.indices.data;
    shape.as.mesh.triangle_count = (uint32_t)(m.indices.size / (3 * sizeof(uint32_t)));
    vnb_must(vn_world_add(world, &shape, NULL, &detail), &detail);
    free(m.vertices.data);
    free(m.indices.data);
}

static void add_movers(vn_world* world, uint32_t count) {
    vn_box box;
    vni_rng rng = vni_rng_make(5);
    if (!vn_world_get_bounds(world, &box))
        vnb_fail("the world is empty");

    for (uint32_t i = 0; i < count; ++i) {
        const vn_shape shape = {.kind = VN_SHAPE_BOX,
                                .as.box = {.min = {-0.5f, -0.5f, -0.5f}, .max = {0.5f, 0.5f, 0.5f}}};
        vn_transform at = vn_transform_identity();
        at.position.x = box.min.x + (box.max.x - box.min.x) * (float)vni_rng_real(&rng);
        at.position.y = box.min.y + (box.max.y - box.min.y) * (float)vni_rng_real(&rng);
        at.position.z = box.min.z + (box.max.z - box.min.z) * (float)vni_rng_real(&rng);
        vnb_must(vn_world_add_moving(world, &shape, &at, NULL, NULL), NULL);
    }
}

static vn_world* make_world(vn_nav_def* def, uint32_t movers) {
    const char *path = getenv("VN_BENCH_MESH"), *resolution = getenv("VN_BENCH_RESOLUTION");
    vn_world* world;
    *def = vn_default_nav_def();
    if (path == NULL) {
        world = vnb_world(320, 400, 15, &def->space);
    } else {
        const vn_world_def world_def = vn_default_world_def();
        vnb_must(vn_world_create(&world_def, &world), NULL);
        add_mesh(world, path);
        def->space.resolution = resolution != NULL ? (float)atof(resolution) : 0.1f;
    }

    add_movers(world, movers);
    return world;
}

// ------------------------------------------------------------------------------------------------- measuring

enum { BAKE, STORED, TRUSTED, ZSTD, ZSTD_TRUSTED, STARTS };

/// Starts a nav in one of the ways; returns the seconds.
static double start(int how, const vnb_bytes* file, const vn_codec* codec, uint32_t movers, vn_nav** out) {
    vn_nav_def def;
    vn_detail detail = {0};
    vn_layers* layers;
    vn_load_def load = vn_default_load_def();
    vn_world* world = make_world(&def, movers);
    load.codec = codec;
    load.trusted = how == TRUSTED || how == ZSTD_TRUSTED;
    const double begin = vnb_seconds();
    if (how == BAKE) {
        vnb_must(vn_nav_create(world, &def, out, &detail), &detail);
        return vnb_seconds() - begin;
    }

    vnb_must(vn_layers_read(file->data, file->size, &load, &layers, &detail), &detail);
    vnb_must(vn_nav_create_baked(world, layers, &def, out, &detail), &detail);
    vn_layers_destroy(layers);
    return vnb_seconds() - begin;
}

static void write_file(const vn_nav* nav, const vn_codec* codec, vnb_bytes* out) {
    const vn_sink sink = {vnb_append, out};
    vn_store_def def = vn_default_store_def();
    vn_detail detail = {0};
    def.codec = codec;
    vnb_must(vn_nav_write(nav, &def, NULL, &sink, &detail), &detail);
}

static void measure(uint32_t movers) {
    static const char* const names[STARTS] = {"bake", "stored", "stored, trusted", "zstd", "zstd, trusted"};
    const vn_codec zstd = vn_zstd_codec(0);
    const vn_codec* codecs[STARTS] = {NULL, NULL, NULL, &zstd, &zstd};
    vnb_bytes files[STARTS] = {{0}};
    double best[STARTS];
    vn_nav* nav;

    start(BAKE, NULL, NULL, movers, &nav);
    for (uint32_t i = STORED; i < STARTS; ++i)
        write_file(nav, codecs[i], &files[i]);
    vn_nav_destroy(nav);
    for (uint32_t pass = 0; pass < PASSES; ++pass)
        for (uint32_t turn = 0; turn < STARTS; ++turn) {
            const uint32_t how = rotation_at(STARTS, pass, turn);
            const double seconds = start((int)how, &files[how], codecs[how], movers, &nav);
            best[how] = pass == 0 || seconds < best[how] ? seconds : best[how];
            vn_nav_destroy(nav);
        }

    for (uint32_t i = 0; i < STARTS; ++i) {
        printf("%6u %-16s %12zu %10.2f %8.1f\n", movers, names[i], files[i].size, best[i] * 1e3,
               best[BAKE] / best[i]);
        free(files[i].data);
    }
}

int main(void) {
    vn_nav_def def;
    vn_space* space;
    vn_detail detail = {0};
    vn_world* world = make_world(&def, 0);
    vnb_must(vn_space_bake(world, &def.space, &space, &detail), &detail);
    vnb_print_space(space);
    vn_space_destroy(space);
    vn_world_destroy(world);

    printf("%6s %-16s %12s %10s %8s\n", "movers", "start", "bytes", "ms", "faster");
    measure(0);
    measure(MOVERS);
    return 0;
}
