/// bench/load.c: loading a .vnav, beside the least any loader does: hashing its bytes and unpacking them. One
/// thread. VN_DATA names the folder of the maps: then warframe/Full1 is loaded, else what bench.h makes.
#include "bench.h"

#include "base/xxh64.h"
#include "store/bundle.h"

#include <string.h>

#define PASSES 25

static vn_layers* bake(void) {
    static char path[1024];
    const char* data = getenv("VN_DATA");
    if (data != NULL && vnb_map() == NULL) {
        snprintf(path, sizeof path, "%s/warframe/Full1.3dmap", data);
        setenv("VN_BENCH_MAP", path, 1);
    }

    vn_space_def def;
    vn_layers* layers;
    vn_detail detail = {0};
    vn_world* world = vnb_world(320, 400, 15, &def);
    const vn_layer_def layer = {0};
    vnb_must(vn_layers_bake(world, &def, &layer, 1, &layers, &detail), &detail);
    vn_world_destroy(world);
    vnb_print_space(vn_layers_space(layers, 0));

    return layers;
}

enum { LOAD, HASH, UNPACK, VALIDATE, STEPS };

/// Hashes and unpacks all sections into memory that has been used before.
static void hash_and_unpack(const vnb_bytes* file, const vn_codec* codec, uint8_t* buffer,
                            double seconds[STEPS]) {
    vn_detail detail = {0};
    vni_bundle bundle;
    double begin = vnb_seconds();
    vnb_must(vni_bundle_open(file->data, file->size, codec, &bundle, &detail), &detail);
    vn_jobs serial = vn_serial_jobs();
    vnb_must(vni_bundle_check_hashes(&bundle, &serial, &detail), &detail);
    seconds[HASH] = vnb_seconds() - begin;

    begin = vnb_seconds();
    for (uint32_t i = 0; i < bundle.head.section_count; ++i) {
        vni_file_entry entry = vni_bundle_get(&bundle, i);
        const uint8_t* stored = file->data + entry.offset;
        if (entry.codec == 0)
            memcpy(buffer, stored, (size_t)entry.unpacked);
        else if (!codec->unpack(codec->user, stored, (size_t)entry.stored, buffer, (size_t)entry.unpacked))
            vnb_fail("a section could not be unpacked");

        buffer += entry.unpacked;
    }

    seconds[UNPACK] = vnb_seconds() - begin;
}

static void load(const vnb_bytes* file, const vn_codec* codec, double seconds[STEPS]) {
    vn_load_def def = vn_default_load_def();
    vn_layers* layers;
    vn_detail detail = {0};
    def.codec = codec;
    double begin = vnb_seconds();
    vnb_must(vn_layers_read(file->data, file->size, &def, &layers, &detail), &detail);
    seconds[LOAD] = vnb_seconds() - begin;
    begin = vnb_seconds();
    vnb_must(vn_space_validate(vn_layers_space(layers, 0), &detail), &detail);
    seconds[VALIDATE] = vnb_seconds() - begin;
    vn_layers_destroy(layers);
}

static void measure(const vn_layers* layers, const vn_codec* codec, const char* name) {
    vnb_bytes file = {0};
    vn_sink sink = {vnb_append, &file};
    vn_store_def def = vn_default_store_def();
    vn_detail detail = {0};
    double best[STEPS], seconds[STEPS], begin = vnb_seconds();
    static vn_store_info info;
    def.codec = codec;
    vnb_must(vn_layers_write(layers, &def, NULL, &sink, &detail), &detail);
    double writing = vnb_seconds() - begin;
    vnb_must(vn_store_read_info(file.data, file.size, codec, &info, &detail), &detail);

    uint8_t* buffer = vnb_alloc(info.unpacked_bytes, 1);
    for (int pass = 0; pass < PASSES; ++pass) {
        for (uint32_t turn = 0; turn < 2; ++turn)
            if (rotation_at(2, (uint64_t)pass, turn) == 0)
                hash_and_unpack(&file, codec, buffer, seconds);
            else
                load(&file, codec, seconds);
        for (int i = 0; i < STEPS; ++i)
            best[i] = pass == 0 || seconds[i] < best[i] ? seconds[i] : best[i];
    }

    double least = best[HASH] + best[UNPACK];
    printf("%-7s %10zu %10llu %8.1f %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f\n", name, file.size,
           (unsigned long long)info.unpacked_bytes, writing * 1e3, best[HASH] * 1e3, best[UNPACK] * 1e3,
           best[VALIDATE] * 1e3, (best[LOAD] - least - best[VALIDATE]) * 1e3, best[LOAD] * 1e3,
           best[LOAD] / least);
    free(buffer);
    free(file.data);
}

int main(void) {
    vn_layers* layers = bake();
    const vn_codec zstd = vn_zstd_codec(0);
    printf("%-7s %10s %10s %8s %8s %8s %8s %8s %8s %8s\n", "ms", "bytes", "unpacked", "write", "hash",
           "unpack", "validate", "rest", "load", "ratio");
    measure(layers, NULL, "stored");
    measure(layers, &zstd, "zstd");
    vn_layers_destroy(layers);

    return 0;
}
