/// Trees as bytes: written, read and written again without a difference; in a .vnav beside their layer; and
/// bytes that lie, which are refused or harmless.
#include "live_world.h"

#include "classic/classic_inside.h"
#include "classic/cube_state.h"
#include "volnav/io.h"

typedef struct page {
    uint8_t* data;
    size_t size;
} page;

static bool append(void* user, const void* data, size_t size) {
    page* p = user;
    p->data = realloc(p->data, p->size + size);
    assert_non_null(p->data);
    memcpy(p->data + p->size, data, size);
    p->size += size;
    return true;
}

static page write_tree(const vn_classic* classic) {
    page p = {0};
    const vn_sink sink = {append, &p};
    assert_int_equal(vn_classic_write(classic, &sink, NULL), VN_OK);
    return p;
}

static vn_classic* build(const vn_space* space, vn_classic_kind kind, bool split_root, bool follows) {
    vn_classic_def def = vn_default_classic_def();
    vn_classic* classic;
    def.kind = kind;
    def.split_root = split_root;
    def.follows = follows;
    assert_int_equal(vn_classic_build(space, &def, &classic, NULL), VN_OK);
    return classic;
}

static bool collect(void* user, vn_voxel low, vn_voxel high) {
    const vni_box box = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
    set_add((box_set*)user, &box);
    return true;
}

static box_set boxes_of(const vn_classic* classic, vn_voxel dims) {
    box_set boxes = {0};
    vn_classic_visit_boxes(classic, (vn_voxel){0, 0, 0}, dims, collect, &boxes);
    return boxes;
}

static void assert_same_classics(const vn_classic* a, const vn_classic* b, vn_voxel dims) {
    vn_classic_info one, two;
    vn_classic_get_info(a, &one);
    vn_classic_get_info(b, &two);
    assert_memory_equal(&one, &two, sizeof one);
    box_set p = boxes_of(a, dims), q = boxes_of(b, dims);
    assert_same_sets(&p, &q);
    set_free(&p);
    set_free(&q);
}

static void test_read_is_what_was_written(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("tree bytes", 111));
    for (uint32_t i = vnt_scale(80, 800); i > 0; --i) {
        live_world w = live_random(&rng, 24);
        const vn_classic_kind kind = i % 2 ? VN_CLASSIC_OCTREE : VN_CLASSIC_MERGED;
        vn_classic* first = build(w.space, kind, i % 3 == 0, i % 4 < 2);
        page bytes = write_tree(first);

        // Read as one that follows changes, or not, whatever it was.
        for (int follows = 0; follows < 2; ++follows) {
            vn_classic_def def = vn_default_classic_def();
            vn_classic* again;
            def.follows = follows == 1;
            assert_int_equal(vn_classic_read(w.space, &def, bytes.data, bytes.size, &again, NULL), VN_OK);
            page second = write_tree(again);
            assert_int_equal(second.size, bytes.size);
            assert_memory_equal(second.data, bytes.data, bytes.size);
            vn_classic* built = build(w.space, kind, i % 3 == 0, follows == 1);
            assert_same_classics(again, built, w.fixed.dims);
            vn_classic_destroy(built);
            vn_classic_destroy(again);
            free(second.data);
        }

        vn_classic_destroy(first);
        free(bytes.data);
        live_free(&w);
    }
}

/// The saved boxes are those of the first space, whatever has happened since.
static void test_follows_from_the_saved_boxes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("tree bytes follow", 112));
    for (uint32_t i = vnt_scale(20, 200); i > 0; --i) {
        live_world w = live_random(&rng, 16);
        vn_space* begin = vnt_voxels_space(&w.all);
        vn_classic* first = build(w.space, VN_CLASSIC_MERGED, false, true);
        for (uint64_t version = 2; version < 6; ++version) {
            live_step(&w, &rng);
            assert_int_equal(vn_classic_follow(first, w.space, version, NULL, NULL), VN_OK);
        }

        page bytes = write_tree(first);
        vn_classic_def def = vn_default_classic_def();
        vn_classic* again;
        def.follows = true;
        assert_int_equal(vn_classic_read(begin, &def, bytes.data, bytes.size, &again, NULL), VN_OK);
        assert_int_equal(vn_classic_follow(again, w.space, 2, NULL, NULL), VN_OK);
        assert_same_classics(first, again, w.fixed.dims);
        vn_classic_destroy(again);
        vn_classic_destroy(first);
        vn_space_destroy(begin);
        free(bytes.data);
        live_free(&w);
    }
}

// -------------------------------------------------------------------------------------------------- hostile

/// What is accepted covers the free voxels, each once.
static void check_cover(const live_world* w, const vn_classic* classic) {
    int64_t volume = 0, free_voxels = 0;
    box_set boxes = boxes_of(classic, w->fixed.dims);
    for (size_t i = 0; i < live_volume(&w->all); ++i)
        free_voxels += !w->all.blocked[i];

    for (uint32_t i = 0; i < boxes.count; ++i) {
        const vni_box* b = &boxes.at[i];
        volume += (int64_t)(b->high[0] - b->low[0]) * (b->high[1] - b->low[1]) * (b->high[2] - b->low[2]);
        assert_int_equal(vni_box_state_of(&w->space->occupancy, b), VNI_CUBE_FREE);
        for (uint32_t k = 0; k < i; ++k)
            assert_false(vni_box_overlaps(b, &boxes.at[k]));
    }

    assert_int_equal(volume, free_voxels);
    set_free(&boxes);
}

static void try_bytes(const live_world* w, const uint8_t* data, size_t size, uint32_t* accepted) {
    vn_classic* classic;
    vn_detail detail = {0};
    vnt_memory memory = vnt_memory_make();
    vn_classic_def def = vn_default_classic_def();
    def.allocator = vnt_memory_allocator(&memory);
    const vn_status status = vn_classic_read(w->space, &def, data, size, &classic, &detail);
    if (status == VN_OK) {
        ++*accepted;
        check_cover(w, classic);
        vn_classic_destroy(classic);
    } else {
        assert_true(status == VN_BAD_FORMAT || status == VN_MISMATCH || status == VN_UNSUPPORTED);
        assert_null(classic);
        assert_true(detail.text[0] != 0);
    }

    assert_int_equal(memory.live_blocks, 0);
}

static void test_bytes_that_lie(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("tree bytes hostile", 113));
    uint32_t accepted = 0;
    for (uint32_t i = vnt_scale(20, 200); i > 0; --i) {
        live_world w = live_random(&rng, 10);
        vn_classic* first = build(w.space, i % 2 ? VN_CLASSIC_OCTREE : VN_CLASSIC_MERGED, false, false);
        page bytes = write_tree(first);
        for (uint32_t k = 0; k < 60; ++k) {
            uint8_t* copy = malloc(bytes.size);
            assert_non_null(copy);
            memcpy(copy, bytes.data, bytes.size);
            for (uint32_t flips = 1 + vni_rng_below(&rng, 2); flips > 0; --flips)
                copy[vni_rng_below(&rng, (uint32_t)bytes.size)] ^= (uint8_t)(1u << vni_rng_below(&rng, 8));
            try_bytes(&w, copy, k % 10 == 0 ? vni_rng_below(&rng, (uint32_t)bytes.size) : bytes.size,
                      &accepted);
            free(copy);
        }

        free(bytes.data);
        vn_classic_destroy(first);
        live_free(&w);
    }
}

/// A leaf that could be larger, one that is missing, two in the wrong order, one in an obstacle.
static void test_wrong_leaves(void** state) {
    (void)state;
    live_world w = live_make(vnt_voxels_make((vn_voxel){8, 8, 8}));
    vn_classic* open = build(w.space, VN_CLASSIC_OCTREE, false, false);
    page bytes = write_tree(open);
    assert_int_equal(bytes.size, 36 + 8); // one leaf
    uint32_t accepted = 0;
    try_bytes(&w, bytes.data, bytes.size, &accepted);
    assert_int_equal(accepted, 1);

    // Eight leaves instead of one.
    uint8_t eight[36 + 64];
    memcpy(eight, bytes.data, 36);
    eight[28] = 8;
    for (uint32_t i = 0; i < 8; ++i) {
        const int32_t low[3] = {i & 1 ? 4 : 0, i & 2 ? 4 : 0, i & 4 ? 4 : 0};
        const uint64_t code = vni_octree_code(low, 2);
        for (uint32_t k = 0; k < 8; ++k)
            eight[36 + 8 * i + k] = (uint8_t)(code >> 8 * k);
    }

    try_bytes(&w, eight, sizeof eight, &accepted);
    eight[28] = 7; // one is missing
    try_bytes(&w, eight, sizeof eight - 8, &accepted);
    assert_int_equal(accepted, 1);

    // The same leaf over a space with an obstacle.
    w.exists[0] = true;
    w.obstacles[0] = (vni_box){{3, 3, 3}, {4, 4, 4}};
    live_publish(&w);
    try_bytes(&w, bytes.data, bytes.size, &accepted);
    assert_int_equal(accepted, 1);
    vn_classic_destroy(open);
    free(bytes.data);
    live_free(&w);
}

static void test_failing_memory(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("tree bytes memory", 114));
    for (uint32_t i = 0; i < 8; ++i) {
        live_world w = live_random(&rng, 12);
        vn_classic* first = build(w.space, i % 2 ? VN_CLASSIC_OCTREE : VN_CLASSIC_MERGED, false, false);
        page bytes = write_tree(first);
        vnt_memory memory = vnt_memory_make();
        vn_classic_def def = vn_default_classic_def();
        def.allocator = vnt_memory_allocator(&memory);
        def.follows = i % 4 < 2;
        vn_classic* again = NULL;
        vn_status status = VN_OUT_OF_MEMORY;
        for (uint64_t k = 0; status != VN_OK; ++k) {
            memory.fail_at = memory.calls + k;
            memory.failed = false;
            status = vn_classic_read(w.space, &def, bytes.data, bytes.size, &again, NULL);
            assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
            assert_true(status == VN_OK || memory.live_blocks == 0);
        }

        vn_classic_destroy(again);
        assert_int_equal(memory.live_blocks, 0);
        vn_classic_destroy(first);
        free(bytes.data);
        live_free(&w);
    }
}

// ----------------------------------------------------------------------------------------------------- files

static vn_layers* bake_layers(void) {
    vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {{3, 3, 3}, {6, 9, 12}}};
    assert_int_equal(vn_world_add(world, &box, NULL, NULL), VN_OK);
    vn_space_def def = vn_default_space_def();
    const vn_layer_def layer = {0, 0};
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {20, 16, 24}};
    vn_layers* layers;
    assert_int_equal(vn_layers_bake(world, &def, &layer, 1, &layers, NULL), VN_OK);
    vn_world_destroy(world);
    return layers;
}

/// Layers with both trees, as a packed file, and without them.
typedef struct tree_file {
    vn_layers* layers;
    page trees_bytes[2], file, plain;
    vn_store_tree trees[2];
    vn_codec codec;
} tree_file;

static vn_status write_file(const tree_file* f, uint32_t trees, page* out) {
    vn_store_def store = vn_default_store_def();
    const vn_sink sink = {append, out};
    store.trees = f->trees;
    store.tree_count = trees;
    store.codec = &f->codec;
    return vn_layers_write(f->layers, &store, NULL, &sink, NULL);
}

static void file_make(tree_file* f) {
    static const vn_classic_kind kinds[2] = {VN_CLASSIC_OCTREE, VN_CLASSIC_MERGED};
    *f = (tree_file){.layers = bake_layers(), .codec = vn_zstd_codec(0)};
    for (int i = 0; i < 2; ++i) {
        vn_classic* classic = build(vn_layers_space(f->layers, 0), kinds[i], false, false);
        f->trees_bytes[i] = write_tree(classic);
        f->trees[i] = (vn_store_tree){0, (uint32_t)kinds[i], f->trees_bytes[i].data, f->trees_bytes[i].size};
        vn_classic_destroy(classic);
    }

    assert_int_equal(write_file(f, 2, &f->file), VN_OK);
    assert_int_equal(write_file(f, 0, &f->plain), VN_OK);
}

static void file_free(tree_file* f) {
    vn_layers_destroy(f->layers);
    free(f->trees_bytes[0].data);
    free(f->trees_bytes[1].data);
    free(f->file.data);
    free(f->plain.data);
}

static vn_status read_bytes(const tree_file* f, const page* file, uint32_t kind, page* out) {
    const vn_allocator allocator = vn_default_allocator();
    void* bytes;
    const vn_status status =
        vn_store_read_tree(file->data, file->size, &f->codec, 0, kind, &allocator, &bytes, &out->size, NULL);
    out->data = bytes;
    return status;
}

/// Readers that do not ask for the trees see no difference.
static void test_trees_in_a_file(void** state) {
    (void)state;
    tree_file f;
    file_make(&f);
    vn_load_def load = vn_default_load_def();
    vn_layers* again;
    load.codec = &f.codec;
    assert_int_equal(vn_layers_read(f.file.data, f.file.size, &load, &again, NULL), VN_OK);
    for (uint32_t i = 0; i < 2; ++i) {
        page bytes;
        assert_int_equal(read_bytes(&f, &f.file, f.trees[i].kind, &bytes), VN_OK);
        assert_int_equal(bytes.size, f.trees[i].size);
        assert_memory_equal(bytes.data, f.trees[i].data, bytes.size);
        vn_classic* loaded;
        const vn_classic_def def = vn_default_classic_def();
        assert_int_equal(
            vn_classic_read(vn_layers_space(again, 0), &def, bytes.data, bytes.size, &loaded, NULL), VN_OK);
        vn_classic_destroy(loaded);
        free(bytes.data);
        assert_int_equal(read_bytes(&f, &f.plain, f.trees[i].kind, &bytes), VN_NOT_FOUND);
    }

    f.trees[1].layer = 1; // there is no such layer
    assert_int_equal(write_file(&f, 2, &f.plain), VN_BAD_ARGUMENT);
    f.trees[1] = f.trees[0]; // twice the same
    assert_int_equal(write_file(&f, 2, &f.plain), VN_BAD_ARGUMENT);
    vn_layers_destroy(again);
    file_free(&f);
}

/// A damaged file is found, by those who read a tree and by those who read the layers.
static void test_damaged_files(void** state) {
    (void)state;
    tree_file f;
    file_make(&f);
    vn_load_def load = vn_default_load_def();
    load.codec = &f.codec;
    uint32_t refused = 0;
    for (size_t i = 64; i < f.file.size; i += 7) {
        vn_layers* none;
        page bytes;
        f.file.data[i] ^= 1;
        const vn_status status = read_bytes(&f, &f.file, VN_CLASSIC_MERGED, &bytes);
        if (status == VN_OK)
            free(bytes.data);
        assert_true(status == VN_OK || status == VN_BAD_FORMAT);
        refused += status == VN_BAD_FORMAT;
        assert_int_equal(vn_layers_read(f.file.data, f.file.size, &load, &none, NULL), VN_BAD_FORMAT);
        f.file.data[i] ^= 1;
    }

    assert_true(refused > 0);
    file_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_is_what_was_written),
        cmocka_unit_test(test_follows_from_the_saved_boxes),
        cmocka_unit_test(test_bytes_that_lie),
        cmocka_unit_test(test_wrong_leaves),
        cmocka_unit_test(test_failing_memory),
        cmocka_unit_test(test_trees_in_a_file),
        cmocka_unit_test(test_damaged_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
