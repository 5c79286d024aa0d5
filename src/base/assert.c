/// base/assert.c: failed asserts.
#include "base/assert.h"

#include "base/fail.h"
#include <stdlib.h>

static vn_assert_handler* current_handler;

void vn_set_assert_handler(vn_assert_handler* handler) {
    current_handler = handler;
}

void vni_assert_failed(const char* condition, const char* file, int line) {
    if (current_handler != NULL) {
        if (current_handler(condition, file, line))
            abort();
        return;
    }

    vni_log(VN_LOG_ERROR, "assert failed: %s (%s:%d)", condition, file, line);
    abort();
}
