/// volnav/io.h: reading and writing files (library volnav_io). The core itself opens no files.
///
/// Text is read through a fixed buffer (a .scene as a whole): memory depends on the content, not on the size
/// of the text. Content errors carry the line number. Devices are refused; formats read from front to back
/// (.3dmap, .3dscen, .bt, .ot, .map, .scene) may come through a pipe, up to 1 GiB. Files are saved as
/// described at vn_saving.
#ifndef VOLNAV_IO_H
#define VOLNAV_IO_H

#include "volnav/store.h"

// ---------------------------------------------------------------------------------------------- saving

/// Size limit for the path of a file to save, terminator included.
#define VN_PATH_SIZE 4096

/// A file being saved. The content is written to a temporary file beside the target, which is renamed to the
/// target once complete. Symbolic links are followed; a replaced file passes on its mode. A target that is
/// not a regular file (a device, a pipe) is written directly. Temporary files left behind by killed processes
/// that were saving the same target are removed, once the process is gone and the file has not been written
/// for a minute (not on Windows). They never prevent a save.
typedef struct vn_saving {
    char target[VN_PATH_SIZE];    ///< the path, symbolic links followed
    char temporary[VN_PATH_SIZE]; ///< the file to open and write; the target itself if `renames` is false
    bool renames, replaces;
    unsigned mode; ///< of the file being replaced
} vn_saving;

/// Creates the empty temporary file. VN_IO with the system's reason. vn_saving is large: do not put it on a
/// small stack.
VN_NODISCARD vn_status vn_saving_begin(const char* path, vn_saving* out, vn_detail* detail);

/// With `keep`, renames the temporary file, written and closed, to the target. Otherwise, or if that fails
/// (VN_IO), removes it and leaves the target unchanged.
VN_NODISCARD vn_status vn_saving_finish(const vn_saving* saving, bool keep, vn_detail* detail);

// ---------------------------------------------------------------------------------------------- .3dmap

/// A voxel map of the benchmark by Brewer and Sturtevant. Text: `voxel X Y Z`, then one line `x y z` for each
/// blocked voxel.
typedef struct vn_3dmap {
    vn_voxel dims;
    vn_voxel* voxels; ///< in file order, duplicates included
    uint64_t voxel_count;
    vn_allocator allocator;
} vn_3dmap;

/// Reads a map. Blank lines, CRLF and an unterminated last line are accepted; a header without voxels is an
/// empty map. `allocator` may be null: the default one. Memory depends on the voxels listed, not on the
/// dimensions. On failure `out` is empty. VN_BAD_FORMAT with detail->line: missing header, dimension below 1,
/// voxel outside the dimensions, not a number, trailing words. VN_TOO_LARGE: a dimension above 2^20. VN_IO:
/// the source or the system failed, with the reason.
VN_NODISCARD vn_status vn_3dmap_read(const vn_source* source, const vn_allocator* allocator, vn_3dmap* out,
                                     vn_detail* detail);
VN_NODISCARD vn_status vn_3dmap_read_file(const char* path, const vn_allocator* allocator, vn_3dmap* out,
                                          vn_detail* detail);

/// Null and empty maps are allowed.
VN_API void vn_3dmap_free(vn_3dmap* map);

/// The map as a voxel set: voxel (x, y, z) is [x, x+1] x [y, y+1] x [z, z+1] metres. Points into `map`.
VN_API vn_shape vn_3dmap_shape(const vn_3dmap* map);

/// Writes a map. VN_BAD_DATA with detail->index: a voxel outside dims. VN_TOO_LARGE: a dimension above 2^20.
/// Both are detected before anything is written. VN_IO: the sink or the system failed. Files are saved
/// through a temporary file: they appear complete or not at all.
VN_NODISCARD vn_status vn_3dmap_write(const vn_sink* sink, vn_voxel dims, const vn_voxel* voxels,
                                      uint64_t count, vn_detail* detail);
VN_NODISCARD vn_status vn_3dmap_write_file(const char* path, vn_voxel dims, const vn_voxel* voxels,
                                           uint64_t count, vn_detail* detail);

// --------------------------------------------------------------------------------------------- .3dscen

/// One query of a scenario: from voxel centre to voxel centre.
typedef struct vn_scen_line {
    vn_voxel start, goal;
    double cost;   ///< least cost on the 26-connected grid without corner cutting, in voxels
    double ratio;  ///< cost divided by the cost without obstacles
    uint32_t line; ///< line in the file
} vn_scen_line;

typedef struct vn_3dscen {
    char map[256]; ///< file name of the map, as given in the scenario
    vn_scen_line* lines;
    uint64_t line_count;
    vn_allocator allocator;
} vn_3dscen;

/// Reads a scenario: `version 1`, the name of the map, then lines of `sx sy sz gx gy gz cost ratio`. Fails as
/// vn_3dmap_read; also VN_BAD_FORMAT: a coordinate that is negative or not below 2^20, a cost or ratio that
/// is negative or not finite, a line with fewer numbers (truncated), a name longer than 255 bytes.
VN_NODISCARD vn_status vn_3dscen_read(const vn_source* source, const vn_allocator* allocator, vn_3dscen* out,
                                      vn_detail* detail);
VN_NODISCARD vn_status vn_3dscen_read_file(const char* path, const vn_allocator* allocator, vn_3dscen* out,
                                           vn_detail* detail);

/// Null and empty scenarios are allowed.
VN_API void vn_3dscen_free(vn_3dscen* scen);

/// Checks whether a scenario belongs to a map. VN_MISMATCH: a voxel lies outside `dims` (detail->line is its
/// line), or the file name of `map_path` differs from the name in the scenario; folders are ignored. With a
/// null `map_path` the names are not compared.
VN_NODISCARD vn_status vn_3dscen_check(const vn_3dscen* scen, const char* map_path, vn_voxel dims,
                                       vn_detail* detail);

// ------------------------------------------------------------------------------------- .vnav and .vnrec

/// The zstd codec. `level` 1 to 19; 0: the default (3). In a build without zstd (VOLNAV_ZSTD=OFF) the codec
/// has no functions: files are written uncompressed, and compressed ones are VN_UNSUPPORTED.
VN_API vn_codec vn_zstd_codec(int level);

/// Writes a .vnav through a temporary file, synced and renamed: it appears complete or not at all. A null
/// def->codec means zstd.
VN_NODISCARD vn_status vn_layers_save_file(const vn_layers* layers, const char* path, const vn_store_def* def,
                                           vn_detail* detail);

/// As vn_layers_save_file, for a running nav (vn_nav_write) and for a result of one (vn_nav_write_record).
VN_NODISCARD vn_status vn_nav_save_file(const vn_nav* nav, const char* path, const vn_store_def* def,
                                        vn_detail* detail);
VN_NODISCARD vn_status vn_nav_save_record_file(const vn_nav* nav, vn_request_id id, const char* path,
                                               const vn_store_def* def, vn_detail* detail);

/// Reads the bytes of a tree of a .vnav, with def->allocator (vn_store_read_tree). A null def->codec means
/// zstd.
VN_NODISCARD vn_status vn_tree_load_file(const char* path, const vn_load_def* def, uint32_t layer,
                                         uint32_t kind, void** out, size_t* out_size, vn_detail* detail);

/// Reads a .vnav. A null def->codec means zstd. The kind and size of the file are checked first
/// (vn_store_check_head); then it is read into memory from def->allocator. VN_IO: the system's reason, or not
/// a regular file. VN_TOO_LARGE: also a file larger than max_bytes. Otherwise as vn_layers_read.
VN_NODISCARD vn_status vn_layers_load_file(const char* path, const vn_load_def* def, vn_layers** out,
                                           vn_detail* detail);

/// Reads the bytes of a .vnav or .vnrec as vn_layers_load_file does, for a reader of another library
/// (volnav/run.h: vn_run_record_read). The caller gives `*out` back with def->allocator.release and
/// `*out_size`.
VN_NODISCARD vn_status vn_store_load_bytes(const char* path, const vn_load_def* def, void** out,
                                           size_t* out_size, vn_detail* detail);

/// As vn_store_read_info.
VN_NODISCARD vn_status vn_store_read_info_file(const char* path, vn_store_info* out, vn_detail* detail);

VN_NODISCARD vn_status vn_record_save_file(const vn_query* query, const vn_path_request* request,
                                           const vn_path_result* result, const char* path,
                                           const vn_store_def* def, vn_detail* detail);
VN_NODISCARD vn_status vn_record_load_file(const char* path, const vn_load_def* def, vn_record** out,
                                           vn_detail* detail);

// ---------------------------------------------------------------------------------- OctoMap .bt and .ot

/// An occupancy map as built by robots: each voxel is occupied, free or unknown (never observed).
typedef struct vn_octomap {
    double resolution;      ///< metres
    vn_dvec3 low;           ///< low corner of voxel (0, 0, 0), in the map's frame, metres
    vn_voxel dims;          ///< the bounding box of all known voxels
    vn_voxel_box* occupied; ///< cubes of the tree, disjoint
    uint64_t occupied_count;
    vn_voxel_box* unknown; ///< neither occupied nor free, within dims; disjoint
    uint64_t unknown_count;
    uint64_t occupied_voxels, free_voxels, unknown_voxels;
    vn_allocator allocator;
} vn_octomap;

/// Reads a binary tree (.bt) or a full one (.ot), told apart by their first line, of the kinds OcTree,
/// ColorOcTree and OcTreeStamped. A leaf of a full tree is occupied from log-odds 0 up, which is a
/// probability of 0.5, OctoMap's default; other values, inner nodes' and colours are dropped. Axes
/// are not converted (in most such maps z is up). Comments, unknown header fields and bytes after the tree
/// are skipped, as OctoMap does. `allocator` may be null: the default one. Memory depends on the nodes read,
/// not on the size in the header. On failure `out` is empty. VN_BAD_FORMAT, with detail->line for the header
/// and the number of the node in detail->index for the tree: another kind of file or tree, a resolution
/// outside 1e-6 to 1e6, truncated, log-odds that are not a number, deeper than 16 levels, a wrong number of
/// nodes, no known voxel. VN_TOO_LARGE: 2^32 nodes or more, or more than 1000 km along an axis. VN_IO.
VN_NODISCARD vn_status vn_octomap_read(const vn_source* source, const vn_allocator* allocator,
                                       vn_octomap* out, vn_detail* detail);
VN_NODISCARD vn_status vn_octomap_read_file(const char* path, const vn_allocator* allocator, vn_octomap* out,
                                            vn_detail* detail);

/// Null and empty maps are allowed.
VN_API void vn_octomap_free(vn_octomap* map);

/// The two voxel sets, relative to map->low (use it as the origin of their world); they point into `map`. Add
/// the unknown one with VN_FLAG_UNKNOWN.
VN_API vn_shape vn_octomap_occupied_shape(const vn_octomap* map);
VN_API vn_shape vn_octomap_unknown_shape(const vn_octomap* map);

// ------------------------------------------------------------------------------------------ Quake .map

/// A solid brush of a level: a convex hull. Its indices count from its first vertex.
typedef struct vn_brush {
    uint32_t first_vertex, vertex_count;
    uint32_t first_index, triangle_count;
    uint32_t line; ///< on which it begins in the file
    bool is_door;  ///< of an entity whose class begins with func_door; it is where the map has it, closed
} vn_brush;

/// The brushes of a level for Quake and its relatives that block, in the map's units and frame: z is up, and
/// 32 units are about a metre.
typedef struct vn_brush_map {
    vn_vec3* vertices;
    uint64_t vertex_count;
    uint32_t* indices; ///< three per triangle
    uint64_t index_count;
    vn_brush* brushes; ///< in file order
    uint64_t brush_count;
    uint64_t entity_count;
    uint64_t skipped;     ///< brushes that block nothing, by the rules below
    uint64_t broken;      ///< brushes that are no solid: flat, open, or faces whose points lie on a line
    uint32_t broken_line; ///< of the first of them
    vn_allocator allocator;
} vn_brush_map;

/// Reads a map of brushes, with texture alignment in the classic form, Quake 2's or Valve's (220).
///
/// What blocks: brushes of worldspawn and of entities whose class begins with func_, except func_illusionary,
/// func_detail_illusionary, func_water, func_ladder, func_areaportal, func_friction and a few others without
/// substance. Brushes of other entities (trigger_...) are skipped, and so is a brush with a face whose
/// texture, folders not counted, is a liquid (* or ! before its name), clip, playerclip, monsterclip,
/// weapclip, full_clip, trigger, aaatrigger, hint, hintskip, origin or areaportal. Broken brushes are left
/// out and counted. Vertices closer than 0.01 units become one where that keeps the brush convex.
///
/// `allocator` may be null: the default one. Memory depends on the brushes that are kept. On failure `out` is
/// empty. VN_BAD_FORMAT with detail->line: no such map, not a number, truncated, no entity. VN_TOO_LARGE: a
/// coordinate beyond 1e6 units, a brush of more than 128 faces, more than 2^30 vertices. VN_UNSUPPORTED:
/// patches and brushes in Quake 3's newer form. VN_IO.
VN_NODISCARD vn_status vn_brush_map_read(const vn_source* source, const vn_allocator* allocator,
                                         vn_brush_map* out, vn_detail* detail);
VN_NODISCARD vn_status vn_brush_map_read_file(const char* path, const vn_allocator* allocator,
                                              vn_brush_map* out, vn_detail* detail);

/// Null and empty maps are allowed.
VN_API void vn_brush_map_free(vn_brush_map* map);

/// A brush as a hull that vn_world_add accepts. Points into `map`.
VN_API vn_shape vn_brush_map_shape(const vn_brush_map* map, uint64_t brush);

// ---------------------------------------------------------------------------------------------- .scene

/// A start and a goal that a scene names, world coordinates.
typedef struct vn_scene_route {
    char name[32]; ///< cut to 31 bytes
    vn_dvec3 from, to;
} vn_scene_route;

/// What a scene holds besides its world.
typedef struct vn_scene_text {
    vn_world*
        world; ///< obstacles and zones; destroyed by vn_scene_text_free, unless the caller took it (null)
    bool has_resolution, has_bounds;
    double resolution;                             ///< metres, above 0
    vn_dvec3 low, high;                            ///< of the bounds
    vn_connection connections[VN_MAX_CONNECTIONS]; ///< `id` is the line
    uint32_t connection_count;
    vn_scene_route* routes;
    uint64_t route_count;
    vn_allocator allocator;
} vn_scene_text;

/// A line `mesh FILE [solid]`.
typedef struct vn_scene_mesh {
    const char* file; ///< as the scene has it; valid during the call
    bool solid;
    vn_dvec3 shift; ///< metres, of the repeats around the line
    uint32_t flags; ///< for each obstacle
    uint32_t line;
} vn_scene_mesh;

/// Adds the obstacles of a mesh file to the world. Its status is that of the scene, its detail too if it has
/// a text; the line is entered by the reader.
typedef vn_status vn_scene_add_mesh(void* user, vn_world* world, const vn_scene_mesh* mesh,
                                    vn_detail* detail);

typedef struct vn_scene_text_def {
    vn_world_def world;          ///< its allocator is that of everything
    vn_scene_add_mesh* add_mesh; ///< null (the default): a scene that names a mesh is VN_UNSUPPORTED
    void* mesh_user;
    uint32_t cookie;
} vn_scene_text_def;

VN_API vn_scene_text_def vn_default_scene_text_def(void);

/// Reads a scene: a world in a few lines of text. One command a line, `#` starts a comment, metres
/// everywhere:
///
///     resolution M                                edge of a voxel
///     bounds X Y Z  X Y Z                         low and high corner of the space
///     box X Y Z  X Y Z                            low and high corner
///     oriented CX CY CZ  HX HY HZ  AX AY AZ  DEG  centre, half extents, axis and angle of its rotation
///     sphere CX CY CZ  R
///     capsule AX AY AZ  BX BY BZ  R               ends of its axis, radius
///     cylinder AX AY AZ  BX BY BZ  R              centres of its flat caps, radius
///     hull X Y Z  X Y Z ...                       convex hull of four points or more
///     mesh FILE [solid]                           a file beside the scene
///     repeat N  DX DY DZ ... end                  N copies of what is inside, each shifted by that much more
///     route NAME  X Y Z  X Y Z                    a named start and goal
///     flags N                                     marks the obstacles that follow (doors, teams); 0: none
///     unknown                                     what follows is unknown space; `flags` ends it
///     zone X Y Z  X Y Z  FACTOR                   a box in which a metre costs FACTOR metres
///     zone-oriented ... FACTOR                    the same with the shape of `oriented`, `sphere` or `hull`
///     zone-sphere CX CY CZ  R  FACTOR
///     zone-hull X Y Z  X Y Z ...  FACTOR
///     link X Y Z  X Y Z  COST [both]              a connection that the path may take, one way or both ways
///
/// The same text gives the same world on every machine and in every locale. Memory: the text, its words, and
/// the world. Time: the lines with all repetitions, of which there may be ten million; a hull of n points
/// counts as n^2 / 1024 of them. `out` is large: do not put it on a small stack. Free it with
/// vn_scene_text_free; on failure it is empty.
///
/// VN_BAD_FORMAT with detail->line: an unknown word, not a finite number, too few or too many of them, a
/// value out of range, repeats that do not end or are nested more than 16 deep, a zero byte. VN_BAD_DATA,
/// VN_DEGENERATE, VN_CAPACITY with detail->line: a shape or zone that the world refuses. VN_TOO_LARGE: a text
/// above 16 MB, more than a million obstacles, ten million lines. VN_UNSUPPORTED: a mesh without `add_mesh`.
/// VN_BAD_DEF, VN_IO, VN_OUT_OF_MEMORY.
VN_NODISCARD vn_status vn_scene_text_read(const vn_source* source, const vn_scene_text_def* def,
                                          vn_scene_text* out, vn_detail* detail);
VN_NODISCARD vn_status vn_scene_text_read_file(const char* path, const vn_scene_text_def* def,
                                               vn_scene_text* out, vn_detail* detail);

/// Null and empty scenes are allowed.
VN_API void vn_scene_text_free(vn_scene_text* scene);

#endif
