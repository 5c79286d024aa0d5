/// Validation of occupancy and cells: what is made passes, what is changed does not, unless the slow oracle
/// finds it right too; whatever the arrays hold, nothing outside them is read (AddressSanitizer).
#include "cells_copy.h"
#include "cmocka_all.h"
#include "support.h"
#include "tests/oracle/cells_validate.h"
#include "voxels.h"

#include "base/alloc.h"
#include "cells/validate.h"
#include "space/space.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------- worlds

static void expect(vn_status got, vn_status want, const vn_detail* detail) {
    if (got != want)
        print_message("%s: %s\n", vn_status_word(got), detail->text);
    assert_int_equal(got, want);
}

static vn_voxel some_dims(vni_rng* rng, uint32_t round) {
    if (round % 4 == 0)
        return (vn_voxel){vni_rng_range(rng, 1, 300), vni_rng_range(rng, 1, 5), vni_rng_range(rng, 1, 70)};
    if (round % 4 == 1)
        return (vn_voxel){vni_rng_range(rng, 65, 100), vni_rng_range(rng, 65, 80), vni_rng_range(rng, 1, 20)};
    return vnt_random_dims(rng, round % 4 == 2 ? 70 : 24);
}

static void test_what_is_made_passes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("validate", 101));
    vn_jobs serial = vn_serial_jobs();
    for (uint32_t i = 0; i < vnt_scale(24, 400); ++i) {
        vnt_voxels voxels = vnt_voxels_random(&rng, some_dims(&rng, i));
        vn_space* space = vnt_voxels_cells(&voxels, &serial);
        vni_cells copy = vnt_cells_copy(&space->cells);
        vn_detail detail;
        expect(vni_occupancy_validate(&space->occupancy, &detail), VN_OK, &detail);

        expect(vni_cells_validate_with(&copy, &space->occupancy, NULL, &detail), VN_OK, &detail);
        if (i % 4 == 3)
            expect(vnt_cells_validate(&copy, &space->occupancy, &detail), VN_OK, &detail);

        vnt_cells_copy_free(&space->cells, &copy);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

/// Free blocks of full size are one object; a world that is all of them and one that has none of them pass.
static void test_open_and_closed_worlds(void** state) {
    (void)state;
    vn_jobs serial = vn_serial_jobs();
    vn_detail detail;
    for (int closed = 0; closed < 2; ++closed) {
        const vn_voxel dims = {256, 130, 128};
        vnt_voxels voxels = vnt_voxels_make(dims);
        memset(voxels.blocked, closed, (size_t)dims.x * (size_t)dims.y * (size_t)dims.z);
        vn_space* space = vnt_voxels_cells(&voxels, &serial);
        expect(vni_occupancy_validate(&space->occupancy, &detail), VN_OK, &detail);
        expect(vni_cells_validate(&space->cells, &space->occupancy, &detail), VN_OK, &detail);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

/// The cells of one world in another that differs from it by one voxel.
static void test_cells_of_another_world(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("validate another world", 108));
    vn_jobs serial = vn_serial_jobs();
    for (uint32_t i = 0; i < vnt_scale(60, 600); ++i) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, i % 8 == 0 ? 70 : 20));
        vn_space* space = vnt_voxels_cells(&voxels, &serial);
        const uint32_t count = (uint32_t)voxels.dims.x * (uint32_t)voxels.dims.y * (uint32_t)voxels.dims.z;
        voxels.blocked[vni_rng_below(&rng, count)] ^= 1;
        vn_space* other = vnt_voxels_space(&voxels);
        vn_detail detail = {0};
        expect(vni_cells_validate(&space->cells, &other->occupancy, &detail), VN_BAD_DATA, &detail);
        vn_space_destroy(other);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

// ---------------------------------------------------------------------------------------------- mutations

/// Some bytes of a cells object that are about to change.
typedef struct target {
    unsigned char* data;
    size_t count, size; ///< elements and bytes of each
    bool is_length;     ///< may only become smaller
} target;

static target pick_block_part(vni_rng* rng, vni_cell_block* b) {
    const uint32_t face = vni_rng_below(rng, VNI_FACES);
    switch (vni_rng_below(rng, 12)) {
    case 0: return (target){(unsigned char*)b->first_of_chunk, VNI_CHUNK_COUNT + 1, 4, false};
    case 1: return (target){(unsigned char*)b->ranked[face], b->rank_count[face], 4, false};
    case 2: return (target){(unsigned char*)&b->component_count, 1, 4, false};
    case 3: return (target){(unsigned char*)&b->rank_count[face], 1, 4, true};
    case 4: return (target){(unsigned char*)&b->group_count, 1, 4, true};
    case 5: return (target){(unsigned char*)&b->cell_count, 1, 4, true};
    case 6:
    case 7:
    case 8: return (target){(unsigned char*)b->cells, b->cell_count, sizeof *b->cells, false};
    default: return (target){(unsigned char*)b->groups, b->group_count, sizeof *b->groups, false};
    }
}

static target pick_seam_part(vni_rng* rng, vni_seam* s) {
    switch (vni_rng_below(rng, 8)) {
    case 0: return (target){(unsigned char*)&s->a_count, 1, 4, true};
    case 1: return (target){(unsigned char*)&s->b_count, 1, 4, true};
    case 2: return (target){(unsigned char*)&s->group_count, 1, 4, true};
    case 3:
    case 4: return (target){(unsigned char*)s->first, s->a_count + s->b_count + (size_t)1, 4, false};
    default: return (target){(unsigned char*)s->groups, s->group_count, sizeof *s->groups, false};
    }
}

static target pick_table(vni_rng* rng, vni_cells* c) {
    const uint32_t count = vnt_cells_blocks(c), axis = vni_rng_below(rng, 3),
                   block = vni_rng_below(rng, count);
    switch (vni_rng_below(rng, 9)) {
    case 0: return (target){(unsigned char*)c->base, count + (size_t)1, 4, false};
    case 1: return (target){(unsigned char*)c->component_base, count + (size_t)1, 4, false};
    case 2:
    case 3: return (target){(unsigned char*)c->components, c->component_base[count], 4, false};
    case 4: return (target){(unsigned char*)&c->component_count, 1, 4, false};
    case 5: return (target){(unsigned char*)&c->link_count, 1, 8, false};
    case 6: return (target){(unsigned char*)c->stride, 3, 4, false};
    case 7: return (target){(unsigned char*)&c->views[block].base, 1, 16, false};
    default: return (target){(unsigned char*)&c->dims[axis], 1, 4, false};
    }
}

static target pick(vni_rng* rng, vni_cells* c) {
    const uint32_t block = vni_rng_below(rng, vnt_cells_blocks(c)), what = vni_rng_below(rng, 8);
    vni_seam* seam = c->seams[vni_rng_below(rng, 3)][block];
    if (what < 2 && seam != NULL)
        return pick_seam_part(rng, seam);
    return what == 2 ? pick_table(rng, c) : pick_block_part(rng, c->table[block]);
}

/// Changes a bit, a byte, a number a little, or makes an element like another one.
static void change(vni_rng* rng, const target* t, unsigned char* element) {
    const uint32_t at = vni_rng_below(rng, (uint32_t)t->size);
    uint32_t number;
    switch (t->is_length ? 9 : vni_rng_below(rng, 6)) {
    case 0: element[at] = (unsigned char)(element[at] ^ 1u << vni_rng_below(rng, 8)); break;
    case 1: element[at] = (unsigned char)vni_rng_below(rng, 256); break;
    case 2: element[at] = (unsigned char)(element[at] + 1); break;
    case 3: element[at] = (unsigned char)(element[at] - 1); break;
    case 4: memcpy(element, t->data + t->size * vni_rng_below(rng, (uint32_t)t->count), t->size); break;
    case 5: memset(element + (at & ~(size_t)3), vni_rng_below(rng, 2) ? 255 : 0, 4); break;
    default:
        memcpy(&number, element, 4);
        number = number ? vni_rng_below(rng, number) : 0;
        memcpy(element, &number, 4);
    }
}

typedef struct tally {
    uint32_t refused, accepted, same;
} tally;

static void mutate(vni_rng* rng, vni_cells* cells, const vni_occupancy* occupancy, tally* out) {
    unsigned char before[64];
    const target t = pick(rng, cells);
    if (t.count == 0)
        return;

    unsigned char* element = t.data + t.size * vni_rng_below(rng, (uint32_t)t.count);
    assert_true(t.size <= sizeof before);
    memcpy(before, element, t.size);
    change(rng, &t, element);
    if (memcmp(before, element, t.size) == 0) {
        ++out->same;
        return;
    }

    vn_detail detail;
    vn_status status = vni_cells_validate_with(cells, occupancy, NULL, &detail);
    if (status == VN_OK) { // bytes between fields, or as good as before
        expect(vnt_cells_validate(cells, occupancy, &detail), VN_OK, &detail);
        ++out->accepted;
    } else {
        assert_int_equal(status, VN_BAD_DATA);
        ++out->refused;
    }

    memcpy(element, before, t.size);
}

static void test_mutations(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("validate mutations", 102));
    vn_jobs serial = vn_serial_jobs();
    tally t = {0, 0, 0};
    for (uint32_t world = 0; world < vnt_scale(12, 100); ++world) {
        vnt_voxels voxels = vnt_voxels_random(&rng, some_dims(&rng, world));
        vn_space* space = vnt_voxels_cells(&voxels, &serial);
        vni_cells copy = vnt_cells_copy(&space->cells);
        for (uint32_t i = 0; i < vnt_scale(400, 4000); ++i)
            mutate(&rng, &copy, &space->occupancy, &t);

        vn_detail detail; // all have been taken back
        expect(vni_cells_validate(&copy, &space->occupancy, &detail), VN_OK, &detail);
        vnt_cells_copy_free(&space->cells, &copy);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    print_message("%u refused, %u accepted, %u without effect\n", t.refused, t.accepted, t.same);
    assert_true(t.refused > 4 * t.accepted);
}

/// Nothing but noise in the arrays, all at once.
static void test_noise(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("validate noise", 103));
    vn_jobs serial = vn_serial_jobs();
    const vn_voxel dims = {70, 40, 20};
    for (uint32_t i = 0; i < vnt_scale(30, 300); ++i) {
        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        vn_space* space = vnt_voxels_cells(&voxels, &serial);
        vni_cells copy = vnt_cells_copy(&space->cells);
        const uint32_t highest = i % 3 == 0 ? 256 : i % 3 == 1 ? 65 : 8;
        for (uint32_t b = 0; b < vnt_cells_blocks(&copy); ++b)
            for (uint32_t k = 0; k < 8; ++k) {
                target t = pick_block_part(&rng, copy.table[b]);
                if (k == 0)
                    t = (target){(unsigned char*)copy.table[b]->cells, copy.table[b]->cell_count,
                                 sizeof(vni_cell), false};
                for (size_t at = 0; !t.is_length && at < t.count * t.size; ++at)
                    t.data[at] = (unsigned char)vni_rng_below(&rng, highest);
            }

        assert_int_equal(vni_cells_validate(&copy, &space->occupancy, NULL), VN_BAD_DATA);
        vnt_cells_copy_free(&space->cells, &copy);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

// ------------------------------------------------------------------------------------------ jobs and memory

/// Jobs that begin at the end, and change the worker with every index.
static void* odd_enqueue(void* user, vn_task* task, void* context, uint32_t count, uint32_t min_range) {
    (void)user;
    (void)min_range;
    for (uint32_t i = count; i-- > 0;)
        task(context, i, i + 1, i * 7 / 3 % 3);
    return NULL;
}

static void odd_finish(void* user, void* handle) {
    (void)user;
    (void)handle;
}

/// Two faults at once: the same one is reported.
static void compare_with_serial(vni_rng* rng, const vn_space* space, const vn_jobs* jobs) {
    vn_detail detail = {0}, want = {0};
    expect(vni_cells_validate_with(&space->cells, &space->occupancy, jobs, &detail), VN_OK, &detail);
    for (uint32_t i = 0; i < 30; ++i) {
        vni_cell_block* one = space->cells.table[vni_rng_below(rng, vnt_cells_blocks(&space->cells))];
        vni_cell_block* other = space->cells.table[vni_rng_below(rng, vnt_cells_blocks(&space->cells))];
        if (one->cell_count == 0 || other->cell_count == 0)
            continue;

        vni_cell* a = &one->cells[vni_rng_below(rng, one->cell_count)];
        vni_cell* b = &other->cells[vni_rng_below(rng, other->cell_count)];
        const vni_cell kept_a = *a, kept_b = *b;
        a->high[0] ^= i & 1;
        a->first_group += 1;
        b->high[1] ^= i & 1;
        b->first_group += 1;
        vn_status serially = vni_cells_validate(&space->cells, &space->occupancy, &want);
        vn_status jointly = vni_cells_validate_with(&space->cells, &space->occupancy, jobs, &detail);
        *b = kept_b;
        *a = kept_a;
        assert_int_equal(serially, VN_BAD_DATA);
        assert_int_equal(jointly, VN_BAD_DATA);
        assert_string_equal(detail.text, want.text);
        assert_int_equal(detail.index, want.index);
    }
}

static void test_any_number_of_workers(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("validate workers", 104));
    vn_allocator allocator = vn_default_allocator();
    vn_jobs serial = vn_serial_jobs(),
            odd = {.worker_count = 3, .enqueue = odd_enqueue, .finish = odd_finish};
    const vn_voxel dims = {200, 130, 70};

    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t i = 0; i < 200; ++i)
        vnt_voxels_block(&voxels, vni_rng_range(&rng, 0, 199), vni_rng_range(&rng, 0, 129),
                         vni_rng_range(&rng, 0, 69));

    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    compare_with_serial(&rng, space, &odd);
    for (uint32_t workers = 1; workers <= 4; ++workers) {
        vn_pool* pool;
        if (vn_pool_create(&allocator, workers, &pool) != VN_OK)
            break; // a build without threads
        vn_jobs jobs = vn_pool_jobs(pool);
        compare_with_serial(&rng, space, &jobs);
        vn_pool_destroy(pool);
    }

    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

static void test_out_of_memory(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("validate memory", 105));
    vn_jobs serial = vn_serial_jobs();
    const vn_voxel dims = {80, 70, 20};
    vnt_voxels voxels = vnt_voxels_random(&rng, dims);
    vn_space* space = vnt_voxels_cells(&voxels, &serial);

    vni_cells cells = space->cells;
    for (uint64_t k = 0;; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        cells.allocator = vnt_memory_allocator(&memory);
        vn_detail detail = {0};
        vn_status status = vni_cells_validate(&cells, &space->occupancy, &detail);
        expect(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK, &detail);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);

        if (!memory.failed)
            break;
        assert_true(detail.text[0] != 0);
    }

    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_made_passes),
        cmocka_unit_test(test_open_and_closed_worlds),
        cmocka_unit_test(test_cells_of_another_world),
        cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_any_number_of_workers),
        cmocka_unit_test(test_out_of_memory),
    };

    return cmocka_run_group_tests_name("cells/validate", tests, NULL, NULL);
}
