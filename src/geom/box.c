/// geom/box.c: the segment between the centres of two boxes.
#include "geom/box.h"

// In integers: all in half voxels, multiplied by how far the centres are apart across the face.
//
// Of two cubes of an octree it always passes. Let their edges be a >= b. The smaller one's face lies within
// the larger one's, so along an axis of the face the centres are apart by d <= (a - b) / 2. The segment comes
// to the face at a / (a + b) of its length, where it is d b / (a + b) away from the smaller one's centre:
// less than b / 2. So it crosses inside the smaller face, and boxes are convex. Leaves that are cut at the
// rim of the space may be flat, and for those it does not hold.
bool vni_box_is_straight(const vni_box* a, const vni_box* b) {
    int axis = 0;
    while (a->high[axis] > b->low[axis] && b->high[axis] > a->low[axis])
        ++axis;

    VNI_ASSERT(axis < 3);

    const vni_box *lower = a->low[axis] < b->low[axis] ? a : b, *upper = lower == a ? b : a;
    int64_t from = lower->low[axis] + lower->high[axis], apart = upper->low[axis] + upper->high[axis] - from;
    int64_t to_face = 2 * lower->high[axis] - from;
    VNI_ASSERT(lower->high[axis] == upper->low[axis] && apart > to_face && to_face > 0);

    for (int k = 0; k < 3; ++k) {
        if (k == axis)
            continue;
        int32_t low = a->low[k] > b->low[k] ? a->low[k] : b->low[k];
        int32_t high = a->high[k] < b->high[k] ? a->high[k] : b->high[k];
        int64_t start = lower->low[k] + lower->high[k], across = upper->low[k] + upper->high[k] - start;
        int64_t crossing = start * apart + across * to_face;

        if (crossing < 2 * low * apart || crossing > 2 * high * apart)
            return false;
    }

    return true;
}
