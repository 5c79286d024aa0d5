/// live/lines.h: which of many sight lines does a change of voxels cut or open?
#ifndef VNI_LIVE_LINES_H
#define VNI_LIVE_LINES_H

#include "volnav/changes.h"

/// A sight line between two lattice points.
typedef struct vni_line {
    vn_point a, b;
} vni_line;

/// Sets hit[i] to whether line i touches the closed cube of a voxel that changed, exactly, in integers: only
/// then its sight can have changed. The bricks are in the order of vn_layer_changes. O(lines * blocks that
/// changed), and for lines that pass the box of a block's changes times its bricks. Allocates nothing.
///
/// Measured by bench_lines (20,000 lines, boxes of 8^3 that move by a voxel): 113 us for one box, 6.9 ms for
/// fifty. An index of the lines by 16^3 chunk answers in 3 us and 113 us, but each line that comes takes
/// 150 ns to enter, and one that goes must be taken out again: it pays where most lines stay from change to
/// change. Any-angle planners move thousands of parents in a replan, so this form, which keeps nothing, is
/// the one that is here.
void vni_lines_cross(const vn_brick_change* bricks, uint32_t brick_count, const vni_line* lines,
                     uint32_t line_count, bool* hit);

#endif
