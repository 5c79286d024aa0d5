/// volnav/search/layers.c: layers in words.
#include "search/layers.h"

#include <inttypes.h>

#include "shell/text.h"

static const char* const unknown_words[] = {"blocked", "free", "refused"};

void layers_write_one(json_writer* json, const vn_space_info* info) {
    json_begin_object(json, NULL);
    json_real(json, "radius", (double)info->radius);
    json_count(json, "open_flags", info->open_flags);
    json_text(json, "unknown", unknown_words[info->unknown]);
    json_count(json, "cells", info->cells);
    json_count(json, "links", info->links);
    json_count(json, "components", info->components);
    json_count(json, "blocked_voxels", info->blocked_voxels);
    json_count(json, "free_voxels", info->free_voxels);
    json_count(json, "unknown_voxels", info->unknown_voxels);
    json_end(json);
}

void layers_write(json_writer* json, const vn_layers* layers) {
    json_begin_array(json, "layers", false);
    for (uint32_t i = 0; i < vn_layers_count(layers); ++i) {
        vn_space_info info;
        vn_space_get_info(vn_layers_space(layers, i), &info);
        layers_write_one(json, &info);
    }

    json_end(json);
}

void layers_print_one(const vn_space_info* info) {
    printf("  layer    radius %g m", (double)info->radius);
    if (info->open_flags != 0) {
        printf(", open %" PRIu32, info->open_flags);
    }
    printf(": %s, %s, %s, %s free\n", text_count(info->cells, "cell").s, text_count(info->links, "link").s,
           text_count(info->components, "component").s, text_count(info->free_voxels, "voxel").s);
}

void layers_print(const vn_layers* layers) {
    for (uint32_t i = 0; i < vn_layers_count(layers); ++i) {
        vn_space_info info;
        vn_space_get_info(vn_layers_space(layers, i), &info);
        layers_print_one(&info);
    }
}
