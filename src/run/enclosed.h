/// run/enclosed.h: the proof that a ball had no way out, whatever it had done. Private to run.
#ifndef VNI_RUN_ENCLOSED_H
#define VNI_RUN_ENCLOSED_H

#include <stddef.h>

#include "sim/vec.h"

enum { VNI_ENCLOSED_CELLS = 48 }; ///< along each axis of the cube that is looked at

typedef struct vni_enclosure {
    vn_dvec3 start;     ///< of the centre, metres
    vn_dvec3 low, high; ///< the centre stays inside
    double radius;      ///< of the ball
    double reach;       ///< metres that it flies in a step, at most
    uint32_t steps;

    /// Signed distance of a point from what is solid after so many steps: below 0 inside. It changes from
    /// point to point by no more than they are apart.
    double (*distance)(void* user, vn_dvec3 point, uint32_t step);
    void* user;
} vni_enclosure;

/// Bytes of scratch.
size_t vni_enclosed_bytes(void);

/// A flood through space and time, in cells of half a metre: true if no cell is left in which a ball could be
/// that has kept clear at the end of each step. Cells count as solid only if the ball touches something
/// wherever it is in them, and as reached if any point of them may be, so that true is a proof. A flood that
/// comes to the rim of the cube is false.
bool vni_is_enclosed(const vni_enclosure* enclosure, uint8_t* scratch);

#endif
