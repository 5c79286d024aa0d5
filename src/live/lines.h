/// live/lines.h: which of many sight lines does a change of voxels cut or open?
#ifndef VNI_LIVE_LINES_H
#define VNI_LIVE_LINES_H

#include "volnav/changes.h"

/// A sight line between two lattice points.
typedef struct vni_line {
    vn_point a, b;
} vni_line;

/// Sets hit[i] to whether line i touches the closed cube of a voxel that changed: only then its sight can
/// have changed. Exact up to bricks that the line touches; a line that merely touches one of their changed
/// voxels counts. O(changed bricks + lines, each a test against the box of all changes; lines that pass it:
/// times the bricks). Allocates nothing.
void vni_lines_cross(const vn_brick_change* bricks, uint32_t brick_count, const vni_line* lines,
                     uint32_t line_count, bool* hit);

#endif
