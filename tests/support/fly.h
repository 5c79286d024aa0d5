/// tests/support/fly.h: flies a run to its end; makes one without memory.
#ifndef VNT_FLY_H
#define VNT_FLY_H

#include "cmocka_all.h"
#include "support.h"
#include "volnav/run.h"

static inline vn_run_result fly(const vn_run_def* def) {
    vn_detail detail = {0};
    vn_run* run = NULL;
    vn_run_result result;
    assert_int_equal(vn_run_create(def, &run, &detail), VN_OK);
    vn_status status;
    do {
        status = vn_run_step(run, &detail);
    } while (status == VN_RUNNING);
    assert_int_equal(status, VN_OK);
    vn_run_get_result(run, &result);
    vn_run_destroy(run);
    return result;
}

/// Makes the run while one allocation fails, the next one each time; with `sparse` fewer and fewer of them,
/// for scenes that bake. Its allocator is replaced.
static inline void make_without_memory(vn_run_def def, bool sparse) {
    for (uint64_t k = 0;; k += sparse ? 1 + k / 6 : 1) {
        vnt_memory memory = vnt_memory_make();
        vn_run* run = NULL;
        memory.fail_at = k;
        def.allocator = vnt_memory_allocator(&memory);
        const vn_status status = vn_run_create(&def, &run, NULL);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        vn_run_destroy(run);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        if (!memory.failed)
            break;
    }
}

#endif
