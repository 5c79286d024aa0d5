/// volnav/io.h: reading and writing files (library volnav_io). The core itself never opens a file.
///
/// Files are read through a fixed buffer, so that memory depends on what they hold, not on how large the text
/// is. Every error of content carries its line. Nothing half-written is ever left behind: files are written
/// beside their target and then renamed.
#ifndef VOLNAV_IO_H
#define VOLNAV_IO_H

#include "volnav/world.h"

// ---------------------------------------------------------------------------------------------- streams

/// Where bytes come from. `read` returns how many bytes it put into buffer: 0 at the end, below 0 on an
/// error.
typedef struct vn_source {
    int64_t (*read)(void* user, void* buffer, size_t size);
    void* user;
} vn_source;

/// Where bytes go. `write` takes all of them, or returns false.
typedef struct vn_sink {
    bool (*write)(void* user, const void* data, size_t size);
    void* user;
} vn_sink;

// ---------------------------------------------------------------------------------------------- .3dmap

/// A voxel map as in the benchmark of Brewer and Sturtevant: text, `voxel X Y Z`, then `x y z` on a line for
/// each blocked voxel.
typedef struct vn_3dmap {
    vn_voxel dims;
    vn_voxel* voxels; ///< in file order, duplicates included
    uint64_t voxel_count;
    vn_allocator allocator;
} vn_3dmap;

/// Reads a map. VN_BAD_FORMAT with detail->line: header missing, dimension below 1, voxel outside the
/// dimensions, not a number, trailing words. VN_TOO_LARGE: a dimension above 2^20. VN_IO: the source or the
/// system refuses, with its reason. Blank lines, CRLF and a last line without its end are accepted; a header
/// without voxels is an empty map. `allocator` may be null: the default one. On failure `out` is empty.
/// Memory depends on the voxels listed, never on the dimensions.
VN_API vn_status vn_3dmap_read(const vn_source* source, const vn_allocator* allocator, vn_3dmap* out,
                               vn_detail* detail);
VN_API vn_status vn_3dmap_read_file(const char* path, const vn_allocator* allocator, vn_3dmap* out,
                                    vn_detail* detail);

/// Null and empty maps are allowed.
VN_API void vn_3dmap_free(vn_3dmap* map);

/// The map as a voxel set: cube (x, y, z) is [x, x+1] x [y, y+1] x [z, z+1] metres. Points into `map`.
VN_API vn_shape vn_3dmap_shape(const vn_3dmap* map);

/// Writes a map. VN_BAD_DATA with detail->index: a voxel outside dims; VN_TOO_LARGE: a dimension above 2^20;
/// both before anything is written. VN_IO: the sink or the system refuses. A file is written beside `path`
/// and then renamed: it appears whole or not at all.
VN_API vn_status vn_3dmap_write(const vn_sink* sink, vn_voxel dims, const vn_voxel* voxels, uint64_t count,
                                vn_detail* detail);
VN_API vn_status vn_3dmap_write_file(const char* path, vn_voxel dims, const vn_voxel* voxels, uint64_t count,
                                     vn_detail* detail);

// --------------------------------------------------------------------------------------------- .3dscen

/// One query of a scenario: from voxel centre to voxel centre.
typedef struct vn_scen_line {
    vn_voxel start, goal;
    double cost;   ///< least cost on the 26-connected grid without corner cutting, voxels
    double ratio;  ///< cost over the obstacle-free cost
    uint32_t line; ///< where it stands in the file
} vn_scen_line;

typedef struct vn_3dscen {
    char map[256]; ///< the map's file name, as the scenario gives it
    vn_scen_line* lines;
    uint64_t line_count;
    vn_allocator allocator;
} vn_3dscen;

/// Reads `version 1`, the map's name, then `sx sy sz gx gy gz cost ratio` a line. Errors as vn_3dmap_read;
/// also VN_BAD_FORMAT: a coordinate below 0 or not below 2^20, a cost or ratio that is negative or not
/// finite, a line with fewer numbers (truncated), a name above 255 bytes.
VN_API vn_status vn_3dscen_read(const vn_source* source, const vn_allocator* allocator, vn_3dscen* out,
                                vn_detail* detail);
VN_API vn_status vn_3dscen_read_file(const char* path, const vn_allocator* allocator, vn_3dscen* out,
                                     vn_detail* detail);

/// Null and empty scenarios are allowed.
VN_API void vn_3dscen_free(vn_3dscen* scen);

/// Does the scenario belong to this map? VN_MISMATCH names the line whose voxel lies outside `dims`, or the
/// two names when the file name of `map_path` differs from the scenario's; folders do not count. A null
/// `map_path` leaves the names unchecked.
VN_API vn_status vn_3dscen_check(const vn_3dscen* scen, const char* map_path, vn_voxel dims,
                                 vn_detail* detail);

#endif
