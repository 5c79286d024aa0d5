/// tests/support/fly.h: flies a run to its end.
#ifndef VNT_FLY_H
#define VNT_FLY_H

#include "cmocka_all.h"
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

#endif
