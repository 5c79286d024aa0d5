/// bindings/js/test/native.c: what test/volnav.test.mjs does in WebAssembly, natively: the same world, the
/// same 1,000 queries by the same calls, a run. Prints the hash of the space, of all paths bit by bit, of the
/// run.
#include "../glue.c"

#include <stdio.h>

static uint32_t state = 12345;

/// A number in [0, 1) with 16 bits, exact everywhere.
static double draw(void) {
    state = state * 1664525u + 1013904223u;
    return (double)(state >> 16) / 65536;
}

static uint64_t hash = 0xcbf29ce484222325u;

static void mix(double x) {
    unsigned char raw[8];
    memcpy(raw, &x, 8);
    for (int i = 0; i < 8; ++i)
        hash = (hash ^ raw[i]) * 0x100000001b3u;
}

static void fill(vn_world* world) {
    for (int i = 0; i < 300; ++i) {
        float box[6];
        for (int k = 0; k < 3; ++k) {
            box[k] = (float)(30 * draw());
            box[k + 3] = box[k] + (float)(0.5 + 4 * draw());
        }
        (void)js_world_add(world, VN_SHAPE_BOX, box, NULL);
    }
}

static void find_all(finder* f) {
    for (int i = 0; i < 1000; ++i) {
        double ends[6], options[7] = {i % 10 == 0 ? 1 : 0, i % 3, 0, 2, -1, 0, 1};
        for (int k = 0; k < 6; ++k)
            ends[k] = 32 * draw();
        mix(js_query_find(f, ends, options));
        mix(out[2]);
        mix(out[4]);
        for (uint32_t k = 0; k < (uint32_t)out[1]; ++k) {
            mix(f->positions[k].x);
            mix(f->positions[k].y);
            mix(f->positions[k].z);
        }
    }
}

int main(void) {
    const float radius = 0.3f, bounds[6] = {0, 0, 0, 34, 34, 34};
    vn_world* world = js_world_create(0, 0, 0);
    fill(world);
    if (js_layers_bake(world, 0.5, &radius, 1, bounds, 0) != 0)
        return 1;
    vn_layers* layers = (vn_layers*)(uintptr_t)out[0];
    printf("%016llx\n", (unsigned long long)vn_space_content_hash(js_layers_space(layers, 0)));

    if (js_query_create(layers) != 0)
        return 1;
    finder* f = (finder*)(uintptr_t)out[0];
    find_all(f);
    printf("%016llx\n", (unsigned long long)hash);
    js_query_destroy(f);
    js_layers_destroy(layers);
    js_world_destroy(world);

    if (js_run_create("asteroids", NULL, NULL, NULL, 7, 6, VN_RUN_AS_SCENE, 20) != 0)
        return 1;
    vn_run* run = (vn_run*)(uintptr_t)out[0];
    while (js_run_step(run) == VN_RUNNING) {
    }
    js_run_result(run);
    printf("%08x%08x\n", (unsigned)out[13], (unsigned)out[14]);
    js_run_destroy(run);
    return 0;
}
