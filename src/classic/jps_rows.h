/// classic/jps_rows.h: for every row of voxels, along each axis in both directions, where a straight run of
/// jump point search ends: at voxels where a step is forced (26 neighbours), and before blocked ones. So a
/// jump is one search in a short sorted list, however long the row.
///
/// Made from the bricks, 64 voxels at a time; only bricks near blocked ones have events. Memory: 4 bytes an
/// event, and 2 x 16 KB for each axis and each 64 x 64 rows along it near which there is anything.
#ifndef VNI_CLASSIC_JPS_ROWS_H
#define VNI_CLASSIC_JPS_ROWS_H

#include "classic/jps_rules.h"

/// Rows come in columns of 64 x 64: the rows along an axis through one block.
#define VNI_JPS_COLUMN_ROWS 4096
#define VNI_JPS_NO_COLUMN   UINT32_MAX

typedef struct vni_jps_rows {
    vn_allocator allocator;
    int32_t blocks[3];
    uint32_t* columns[3];     ///< by axis, then by the block's other two coordinates, the lower axis fastest:
                              ///< its first row, or VNI_JPS_NO_COLUMN
    uint32_t column_count[3]; ///< entries of `columns`
    uint32_t row_count[3];    ///< of columns that have rows
    uint8_t axis[6];          ///< of each direction
    uint32_t* first[6];       ///< by direction and row: its first event; one more at the end
    uint32_t* events[6];      ///< 2 * coordinate + (1: forced, 0: blocked), rising in each row
} vni_jps_rows;

/// VN_OUT_OF_MEMORY; VN_TOO_LARGE if the rows do not fit in 32 bits. `grid` has 26 neighbours and is not
/// kept. O(chunks + bricks near blocked ones).
vn_status vni_jps_rows_make(const vn_allocator* allocator, const vni_grid* grid, vni_jps_rows* out,
                            vn_detail* detail);

/// Zeroed rows are allowed.
void vni_jps_rows_free(vni_jps_rows* rows);
size_t vni_jps_rows_bytes(const vni_jps_rows* rows);

/// Axes of the two coordinates that number a row along `axis`, the lower one first.
static inline int vni_jps_row_low(int axis) {
    return axis == 0;
}
static inline int vni_jps_row_high(int axis) {
    return axis == 2 ? 1 : 2;
}

/// The events in face direction `direction` (0 to 5) of the row through `at`.
static inline const uint32_t* vni_jps_row(const vni_jps_rows* rows, uint32_t direction, const int32_t at[3],
                                          uint32_t* count) {
    VNI_ASSERT(direction < 6);

    int axis = rows->axis[direction];
    int32_t low = at[vni_jps_row_low(axis)], high = at[vni_jps_row_high(axis)];
    uint32_t column = rows->columns[axis][(low >> 6) + rows->blocks[vni_jps_row_low(axis)] * (high >> 6)];
    *count = 0;
    if (column == VNI_JPS_NO_COLUMN)
        return NULL;

    const uint32_t* first = rows->first[direction] + column + ((low & 63) | (high & 63) << 6);
    *count = first[1] - first[0];
    return *count > 0 ? rows->events[direction] + first[0] : NULL; // without any events they are null
}

#endif
