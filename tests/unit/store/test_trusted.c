/// store: a trusted file is read without validating its cells, but with its checksums.
#include "files.h"

static vn_status read_file(const vnt_file* file, bool trusted, vn_layers** out) {
    vn_load_def def = vn_default_load_def();
    def.trusted = trusted;
    return vn_layers_read(file->data, file->size, &def, out, NULL);
}

static vn_layers* make_layers(uint64_t seed) {
    vni_rng rng = vni_rng_make(seed);
    const vnt_layers_def def = {.dims = {70, 40, 33}, .layer_count = 2, .cells = true};
    return vnt_random_layers(&rng, &def);
}

static void test_same_layers(void** state) {
    (void)state;
    vn_layers *layers = make_layers(1), *read;
    const vn_store_def def = vn_default_store_def();
    vnt_file file = vnt_write(layers, &def);
    assert_int_equal(read_file(&file, true, &read), VN_OK);
    for (uint32_t i = 0; i < 2; ++i) {
        assert_true(vn_space_content_hash(vn_layers_space(read, i)) ==
                    vn_space_content_hash(vn_layers_space(layers, i)));
        assert_int_equal(vn_space_validate(vn_layers_space(read, i), NULL), VN_OK);
    }

    vn_layers_destroy(read);
    vn_layers_destroy(layers);
    vnt_file_free(&file);
}

/// A wrong label: with the old checksum it is refused, with the right one only a reader that does not trust
/// the file refuses it.
static void test_wrong_label(void** state) {
    (void)state;
    vn_layers *layers = make_layers(2), *read;
    const vn_store_def def = vn_default_store_def();
    vnt_file file = vnt_write(layers, &def);
    bool found = false;
    for (uint32_t i = 0; i < vnt_head(&file).section_count && !found; ++i) {
        const vni_file_entry entry = vnt_entry(&file, i);
        found = entry.tag == VNI_TAG_COMPONENTS;
        if (found)
            file.data[entry.offset] ^= 1;
    }

    assert_true(found);
    assert_int_equal(read_file(&file, true, &read), VN_BAD_FORMAT);
    vnt_reseal(&file);
    assert_int_equal(read_file(&file, false, &read), VN_BAD_FORMAT);
    assert_int_equal(read_file(&file, true, &read), VN_OK);
    assert_int_equal(vn_space_validate(vn_layers_space(read, 0), NULL), VN_BAD_DATA);

    vn_layers_destroy(read);
    vn_layers_destroy(layers);
    vnt_file_free(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_layers),
        cmocka_unit_test(test_wrong_label),
    };

    return cmocka_run_group_tests_name("store/trusted", tests, NULL, NULL);
}
