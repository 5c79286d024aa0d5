/// sim/refuse.c
#include "sim/refuse.h"

#include <assert.h>
#include <string.h>

vn_status vni_refuse(vn_detail* detail, vn_status status, uint64_t index, const char* text) {
    if (detail != NULL) {
        *detail = (vn_detail){.status = status, .index = index};
        assert(strlen(text) < sizeof detail->text);
        memcpy(detail->text, text, strlen(text) + 1);
    }
    return status;
}
