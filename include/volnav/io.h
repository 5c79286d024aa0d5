/// volnav/io.h: reading and writing files (library volnav_io). The core itself never opens a file.
///
/// Files are read through a fixed buffer, so that memory depends on what they hold, not on how large the text
/// is. Every error of content carries its line. Devices are refused; the formats that are read from front to
/// back (.3dmap, .3dscen, .bt) may come through a pipe, up to 1 GiB. Files are saved as vn_saving says.
#ifndef VOLNAV_IO_H
#define VOLNAV_IO_H

#include "volnav/store.h"

// ---------------------------------------------------------------------------------------------- saving

/// Longest path of a file to be saved, its end included.
#define VN_PATH_SIZE 4096

/// A file on its way to its name: it is written beside its target under another name, and takes the target's
/// name when it is whole. Symbolic links are followed; a file that is replaced hands on its mode. A target
/// that is no regular file (a device, a pipe) is written directly. What earlier saves of the same target left
/// when they were killed is removed, once its process is gone and it has not been written for a minute; on
/// Windows it stays. It never stands in the way of a save.
typedef struct vn_saving {
    char target[VN_PATH_SIZE];    ///< the path, links followed
    char temporary[VN_PATH_SIZE]; ///< what to open and write; the target itself if it is not renamed
    bool renames, replaces;
    unsigned mode; ///< of the file that is replaced
} vn_saving;

/// Creates the empty temporary file. VN_IO with the system's reason. Large: keep `out` off small stacks.
VN_API vn_status vn_saving_begin(const char* path, vn_saving* out, vn_detail* detail);

/// `keep`: gives the temporary file, written and closed, the target's name. Else, or if that fails (VN_IO),
/// removes it; the target is as it was.
VN_API vn_status vn_saving_finish(const vn_saving* saving, bool keep, vn_detail* detail);

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

// ------------------------------------------------------------------------------------- .vnav and .vnrec

/// zstd. `level` 1 to 19; 0: the default (3). A library that was built without zstd (VOLNAV_ZSTD=OFF) gives a
/// codec without functions: files are then written unpacked, and packed ones are VN_UNSUPPORTED.
VN_API vn_codec vn_zstd_codec(int level);

/// Writes beside `path`, syncs, and renames: the file appears whole or not at all. def->codec null: zstd.
VN_API vn_status vn_layers_save_file(const vn_layers* layers, const char* path, const vn_store_def* def,
                                     vn_detail* detail);

/// def->codec null: zstd. VN_IO with the system's reason, or because it is no regular file; VN_TOO_LARGE
/// also: a file above max_bytes; else as vn_layers_read. Magic and size are looked at first
/// (vn_store_check_head), then the file is read into memory of def->allocator.
VN_API vn_status vn_layers_load_file(const char* path, const vn_load_def* def, vn_layers** out,
                                     vn_detail* detail);

/// As vn_store_read_info.
VN_API vn_status vn_store_read_info_file(const char* path, vn_store_info* out, vn_detail* detail);

VN_API vn_status vn_record_save_file(const vn_query* query, const vn_path_request* request,
                                     const vn_path_result* result, const char* path, const vn_store_def* def,
                                     vn_detail* detail);
VN_API vn_status vn_record_load_file(const char* path, const vn_load_def* def, vn_record** out,
                                     vn_detail* detail);

// ------------------------------------------------------------------------------------------ OctoMap .bt

/// An occupancy map as robots make them: each voxel is occupied, free, or has never been seen.
typedef struct vn_octomap {
    double resolution;      ///< metres
    vn_dvec3 low;           ///< low corner of voxel (0, 0, 0), in the map's frame, metres
    vn_voxel dims;          ///< the box around all that is known
    vn_voxel_box* occupied; ///< cubes of the tree, disjoint
    uint64_t occupied_count;
    vn_voxel_box* unknown; ///< what is neither, within dims; disjoint
    uint64_t unknown_count;
    uint64_t occupied_voxels, free_voxels, unknown_voxels;
    vn_allocator allocator;
} vn_octomap;

/// Reads a binary tree (.bt): of OctoMap's kinds OcTree, ColorOcTree and OcTreeStamped, whose bytes are the
/// same. Axes are kept as they are (z is up in most such maps). VN_BAD_FORMAT, with detail->line in the head
/// and the node's number as detail->index in the tree: not such a file, another kind of tree, a resolution
/// outside 1e-6 to 1e6, truncated, deeper than 16 levels, more or fewer nodes than it says, nothing known in
/// it. VN_TOO_LARGE: 2^32 nodes and more, or more than 1000 km along an axis. VN_IO. Comments, unknown fields
/// of the head and bytes after the tree are skipped, as OctoMap does. `allocator` may be null: the default
/// one. On failure `out` is empty. Memory depends on the nodes there are, never on the size that the head
/// names.
VN_API vn_status vn_octomap_read(const vn_source* source, const vn_allocator* allocator, vn_octomap* out,
                                 vn_detail* detail);
VN_API vn_status vn_octomap_read_file(const char* path, const vn_allocator* allocator, vn_octomap* out,
                                      vn_detail* detail);

/// Null and empty maps are allowed.
VN_API void vn_octomap_free(vn_octomap* map);

/// The two voxel sets, relative to map->low (the origin for their world); they point into `map`. The second
/// is for an obstacle with VN_FLAG_UNKNOWN.
VN_API vn_shape vn_octomap_occupied_shape(const vn_octomap* map);
VN_API vn_shape vn_octomap_unknown_shape(const vn_octomap* map);

#endif
