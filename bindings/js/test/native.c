/// bindings/js/test/native.c: what the tests do in WebAssembly, natively, by the same calls: the hash of a
/// space, of 1,000 paths bit by bit, of a game, and of runs in all scenes, positions and views. With an
/// argument: only the bake and the queries, and the CPU seconds that they take, for test/speed.mjs.
#include "../glue.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct finder finder;
typedef struct flight flight;
typedef struct player player;

vn_world* js_world_create(double x, double y, double z);
void js_world_destroy(vn_world* world);
int js_world_add(vn_world* world, int kind, const float* numbers, const float* transform);
int js_layers_bake(const vn_world* world, double resolution, const float* radii, uint32_t count,
                   const float* bounds, double margin);
const vn_space* js_layers_space(const vn_layers* layers, uint32_t index);
void js_layers_destroy(vn_layers* layers);
int js_query_create(const vn_layers* layers);
int js_query_find(finder* f, const double* ends, const double* options);
void js_query_destroy(finder* f);
uint32_t js_scene_count(void);
void js_scene_get(uint32_t index);
int js_run_create(const char* scene, const char* variant, const char* algo, const char* space,
                  const double* n);
int js_run_step(flight* f);
int js_run_view(flight* f);
void js_run_result(const flight* f);
void js_run_destroy(flight* f);
int js_game_create(uint32_t seed_high, uint32_t seed_low, int field, int hunt, const double* n);
void js_game_script(const player* p);
int js_game_step(player* p, const double* n);
int js_game_view(player* p);
void js_game_destroy(player* p);

static void* handle(int at) {
    return (void*)(uintptr_t)glue_out[at];
}

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

static void mix_all(const double* numbers, size_t count) {
    for (size_t i = 0; i < count; ++i)
        mix(numbers[i]);
}

static void find_all(finder* f) {
    for (int i = 0; i < 1000; ++i) {
        double ends[6], options[7] = {i % 10 == 0 ? 1 : 0, i % 3, 0, 2, -1, 0, 1};
        for (int k = 0; k < 6; ++k)
            ends[k] = 32 * draw();
        mix(js_query_find(f, ends, options));
        mix(glue_out[2]);
        mix(glue_out[4]);
        mix_all(handle(0), 3 * (size_t)glue_out[1]);
    }
}

static double seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static int find_paths(bool time) {
    const double begin = seconds();
    const float radius = 0.3f, bounds[6] = {0, 0, 0, 34, 34, 34};
    vn_world* world = js_world_create(0, 0, 0);
    fill(world);
    if (js_layers_bake(world, 0.5, &radius, 1, bounds, 0) != 0)
        return 1;
    vn_layers* layers = handle(0);
    printf("space %016llx\n", (unsigned long long)vn_space_content_hash(js_layers_space(layers, 0)));

    if (js_query_create(layers) != 0)
        return 1;
    finder* f = handle(0);
    const double baked = seconds();
    find_all(f);
    if (time)
        printf("bake %.6f queries %.6f\n", baked - begin, seconds() - baked);
    printf("paths %016llx\n", (unsigned long long)hash);
    js_query_destroy(f);
    js_layers_destroy(layers);
    js_world_destroy(world);
    return 0;
}

/// Of the positions that JavaScript sees.
static void mix_view(flight* f) {
    hash = 0xcbf29ce484222325u;
    if (js_run_view(f) == 0) {
        mix_all(glue_out, 9);
        mix_all(handle(11), 11 * (size_t)glue_out[7] + 14 * (size_t)glue_out[8]);
        mix_all(handle(9), 3 * (size_t)glue_out[10]);
    }
}

static int fly(uint32_t scene) {
    const double options[14] = {0, 7, 6, 0, 0, -1, 1, 0, 0, 5, 0, 0, 0, 0};
    js_scene_get(scene);
    const char* name = handle(0);
    if (js_run_create(name, NULL, NULL, NULL, options) != 0)
        return 1;
    flight* f = handle(0);
    while (js_run_step(f) == VN_RUNNING) {
    }
    mix_view(f);
    js_run_result(f);
    printf("%s %08x%08x %016llx\n", name, (unsigned)glue_out[13], (unsigned)glue_out[14],
           (unsigned long long)hash);
    js_run_destroy(f);
    return 0;
}

static int play(void) {
    double options[32], input[9];
    for (int i = 0; i < 32; ++i)
        options[i] = (double)NAN;
    if (js_game_create(0, 5, 0, 0, options) != 0)
        return 1;
    player* p = handle(0);
    int status = VN_RUNNING;
    for (int i = 0; i < 600 && status == VN_RUNNING; ++i) {
        js_game_script(p);
        memcpy(input, glue_out, sizeof input);
        status = js_game_step(p, input);
    }

    hash = 0xcbf29ce484222325u;
    if (js_game_view(p) == 0) {
        const double* things = handle(10);
        mix_all(glue_out + 11, 3);
        mix_all(things, 3 * (size_t)glue_out[5]);
        mix_all(things + 10 * (size_t)glue_out[5], 3 * (size_t)glue_out[6]);
    }
    printf("game %016llx\n", (unsigned long long)hash);
    js_game_destroy(p);
    return 0;
}

int main(int argc, char** argv) {
    (void)argv;
    if (argc > 1)
        return find_paths(true);

    int failed = find_paths(false) | play();
    for (uint32_t i = 0; i < js_scene_count(); ++i)
        failed |= fly(i);
    return failed;
}
