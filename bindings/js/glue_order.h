/// bindings/js/glue_order.h: what a search did, in order, for scrubbing.
#ifndef GLUE_ORDER_H
#define GLUE_ORDER_H

#include "glue.h"

typedef struct glue_step {
    vn_point point, parent;
    double g, h, key;
    uint32_t node, from_goal;
} glue_step;

typedef struct glue_sight {
    vn_point from, to;
    uint32_t visible, after;
} glue_sight;

/// All zero: nothing happened yet.
typedef struct glue_order {
    glue_list steps;  ///< of glue_step
    glue_list sights; ///< of glue_sight
} glue_order;

/// A vn_search_observer; `order` is a glue_order.
void glue_observe(void* order, const vn_search_event* event);

/// The voxels of what was expanded.
typedef void glue_box_of(void* user, const glue_step* step, vn_voxel* low, vn_voxel* high);

/// Ten numbers from out[at] on: five lists by glue_give. Doubles: points, parents, g, h, keys; floats: boxes
/// in metres; words: nodes, from the goal; doubles: sights; words: visible, after. Empties the order.
vn_status glue_give_order(int at, glue_order* order, const vn_space* space, glue_box_of* box_of, void* user);
void glue_free_order(glue_order* order);

/// A box of voxels in metres, as six floats.
void glue_put_box(float* to, const vn_space_info* info, vn_voxel low, vn_voxel high);

#endif
