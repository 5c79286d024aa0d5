/// 01-load: bake a world once, save it, and load it in no time. A file that is out of date is refused.
#include "hall.h"
#include <volnav/io.h>

static void print_layers(const vn_layers* layers) {
    for (uint32_t i = 0; i < vn_layers_count(layers); ++i) {
        vn_space_info info;
        vn_space_get_info(vn_layers_space(layers, i), &info);
        printf("  radius %.2f m: %llu cells, %llu links, %llu components\n", (double)info.radius,
               (unsigned long long)info.cells, (unsigned long long)info.links,
               (unsigned long long)info.components);
    }
}

int main(void) {
    vn_detail detail = {0};
    vn_world* world = NULL;
    vn_layers *baked = NULL, *loaded = NULL, *stale = NULL;
    vn_status status = hall_world(false, &world);

    // In the level editor: bake for every size of agent, and save.
    const vn_layer_def sizes[2] = {{0, 0}, {0.5f, 0}};
    const vn_space_def space_def = hall_space_def();
    if (status == VN_OK)
        status = vn_layers_bake(world, &space_def, sizes, 2, &baked, &detail);

    vn_store_def store_def = vn_default_store_def();
    store_def.comment = "the two halls of the samples";
    if (status == VN_OK)
        status = vn_layers_save_file(baked, "hall.vnav", &store_def, &detail);

    // In the game: load. If the world is at hand, its hash detects a stale file.
    vn_load_def load_def = vn_default_load_def();
    load_def.check_world_hash = true;
    load_def.world_hash = world != NULL ? vn_world_hash(world) : 0;
    if (status == VN_OK)
        status = vn_layers_load_file("hall.vnav", &load_def, &loaded, &detail);
    if (status == VN_OK) {
        printf("layers loaded from hall.vnav:\n");
        print_layers(loaded);
        const vn_space *a = vn_layers_space(baked, 0), *b = vn_layers_space(loaded, 0);
        if (vn_space_content_hash(a) != vn_space_content_hash(b))
            status = VN_BAD_DATA;
    }

    // A crate is added to the hall: the file no longer matches the world.
    vn_status changed = status;
    hall_add(world, &changed, 0, (vn_vec3){4, 0, 4}, (vn_vec3){6, 2, 6});
    if (changed == VN_OK) {
        load_def.world_hash = vn_world_hash(world);
        changed = vn_layers_load_file("hall.vnav", &load_def, &stale, &detail);
        printf("after a change to the world: %s: %s\n", vn_status_word(changed), detail.text);
    }

    if (status != VN_OK)
        printf("%s: %s\n", vn_status_word(status), detail.text);

    remove("hall.vnav");
    vn_layers_destroy(stale);
    vn_layers_destroy(loaded);
    vn_layers_destroy(baked);
    vn_world_destroy(world);

    return status == VN_OK && changed == VN_STALE ? 0 : 1;
}
