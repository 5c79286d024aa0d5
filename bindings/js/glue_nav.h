/// bindings/js/glue_nav.h: a nav that crowds and planners share.
#ifndef GLUE_NAV_H
#define GLUE_NAV_H

#include "glue_query.h"

/// Freed with the last of those that use it: JavaScript's collector has no order.
typedef struct navigator {
    vn_nav* nav;
    uint32_t users;
    uint32_t layer_count;
    vn_layer_def layers[VN_MAX_LAYERS];
    const vn_space* pinned[VN_MAX_LAYERS]; ///< of `version`; null: not asked for yet
    uint32_t pins;
    uint64_t version;
    finder* finder; ///< on the first layer of `version`; null: not asked for yet
    glue_list positions;
} navigator;

/// One user less.
void js_nav_destroy(navigator* n);

/// A layer in the newest version, until the next call of any kind on the nav.
const vn_space* js_nav_space(navigator* n, uint32_t layer);

#endif
