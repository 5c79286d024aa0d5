/// volnav/store.h: layers, recorded queries and recorded runs as bytes: the formats .vnav and .vnrec
/// (docs/files.md).
///
/// The core writes and reads bytes in memory and opens no files; volnav/io.h adds files and zstd. Without a
/// codec, sections are stored uncompressed. Every section has an XXH64 checksum; readers skip sections they
/// do not know. File content is not trusted: layers are accepted only if they pass vn_space_validate.
#ifndef VOLNAV_STORE_H
#define VOLNAV_STORE_H

#include "volnav/layers.h"
#include "volnav/nav.h"

/// The format version that this library writes. It reads versions 1 to this.
#define VN_STORE_VERSION 2

/// Compression of sections. All functions may be called by several workers at the same time. If `bound` or
/// `pack` is null, nothing is compressed; if `unpack` is null, compressed sections are VN_UNSUPPORTED.
typedef struct vn_codec {
    uint32_t id; ///< stored with each section: 1 is zstd; never 0

    /// The largest compressed size of `size` bytes.
    size_t (*bound)(void* user, size_t size);

    /// Compresses; returns the compressed size, or 0 on failure.
    size_t (*pack)(void* user, const void* data, size_t size, void* out, size_t capacity);

    /// Decompresses; true if the result has exactly `out_size` bytes.
    bool (*unpack)(void* user, const void* data, size_t size, void* out, size_t out_size);
    void* user;
} vn_codec;

/// A tree or a roadmap over a layer, as bytes (volnav/classic.h: vn_classic_write; volnav/roadmap.h:
/// vn_roadmap_write). The core does not look into them.
typedef struct vn_store_tree {
    uint32_t layer;
    uint32_t kind; ///< vn_classic_kind, or VN_ROADMAP_STORED + vn_roadmap_kind; one of each for a layer
    const void* data;
    uint64_t size; ///< up to VN_STORE_MAX_TREE
} vn_store_tree;

#define VN_STORE_MAX_TREE 67108864u

/// Options and additional content of a file.
typedef struct vn_store_def {
    const vn_codec* codec;            ///< null: sections are stored uncompressed
    const vn_connection* connections; ///< stored with the layers; see vn_store_info
    uint32_t connection_count;        ///< up to VN_MAX_CONNECTIONS
    const vn_store_tree* trees;       ///< vn_layers_write only; in ascending order of layer, then kind
    uint32_t tree_count;
    const char* comment; ///< null, or up to 4000 bytes of UTF-8, such as the origin of the data
    uint32_t cookie;
} vn_store_def;

VN_API vn_store_def vn_default_store_def(void);

/// Writes layers as a .vnav. The same layers give the same bytes (with a codec: if the codec is
/// deterministic). Buffers for the whole file, compressed, come from `allocator` (null: the default one): the
/// sink receives nothing before the content is complete. VN_BAD_DEF, VN_BAD_ARGUMENT: the def. VN_TOO_LARGE:
/// more than VN_STORE_MAX_SECTIONS. VN_OUT_OF_MEMORY. VN_IO: the sink failed.
VN_NODISCARD vn_status vn_layers_write(const vn_layers* layers, const vn_store_def* def,
                                       const vn_allocator* allocator, const vn_sink* sink, vn_detail* detail);

/// Writes the layers of a running nav as a .vnav: all changes that an update has taken, and the vn_world_hash
/// of the world with them. A nav that is made from the file (vn_nav_create_baked) and that world goes on as
/// this one does, byte for byte. The file does not hold obstacles, zones, requests and watches: the host
/// saves its obstacles with their transforms and adds them in the order of their slots. Of sensed voxel sets
/// it holds the voxels. On the host's thread,
/// which writes until the call returns; workers go on with requests. VN_RUNNING: an update is running; try
/// again before the next tick. VN_STALE: the last update failed. Otherwise as vn_layers_write.
VN_NODISCARD vn_status vn_nav_write(const vn_nav* nav, const vn_store_def* def, const vn_allocator* allocator,
                                    const vn_sink* sink, vn_detail* detail);

typedef struct vn_load_def {
    vn_allocator allocator;
    vn_jobs jobs;
    const vn_codec* codec; ///< null: compressed sections are VN_UNSUPPORTED
    bool check_world_hash; ///< reject files not baked from the world with `world_hash`: VN_STALE
    uint64_t world_hash;   ///< vn_world_hash of the current world
    uint64_t max_bytes;    ///< limit on the decompressed size, and on the memory of tables, cells and links,
                        ///< which take more than in a file: VN_TOO_LARGE; default 16 GiB

    /// The file comes from the host's own build: only its checksums are verified, and cells and links are
    /// taken as they are. Loads in about two thirds of the time. A file made to do harm can then crash a
    /// query. Default: false.
    bool trusted;
    uint32_t cookie;
} vn_load_def;

VN_API vn_load_def vn_default_load_def(void);

/// Reads a .vnav (or the layers of a recorded query) from memory; `data` must stay valid during the call
/// only. Failures, with the reason in `detail`: VN_BAD_FORMAT (another kind of file, truncated, wrong
/// checksum, invalid content), VN_UNSUPPORTED (newer version, other byte order, compressed section without a
/// codec), VN_STALE, VN_TOO_LARGE, VN_OUT_OF_MEMORY; VN_BAD_DEF, VN_BAD_ARGUMENT: the def.
VN_NODISCARD vn_status vn_layers_read(const void* data, size_t size, const vn_load_def* def, vn_layers** out,
                                      vn_detail* detail);

/// Reads the bytes of a tree of a .vnav. Its checksum is verified; what they say is for vn_classic_read
/// or vn_roadmap_read to judge. The caller gives `*out` back with allocator->release and `*out_size`.
/// VN_NOT_FOUND: the file has no such tree. Otherwise fails as vn_layers_read.
VN_NODISCARD vn_status vn_store_read_tree(const void* data, size_t size, const vn_codec* codec,
                                          uint32_t layer, uint32_t kind, const vn_allocator* allocator,
                                          void** out, size_t* out_size, vn_detail* detail);

/// Size of the header of a .vnav or .vnrec, bytes.
#define VN_STORE_HEAD_SIZE 64

/// Checks the header of a file of `file_size` bytes before the rest is read: the kind of file, a version that
/// this library reads, the right size. `head` holds the first VN_STORE_HEAD_SIZE bytes, or the whole file if
/// that is shorter. VN_BAD_FORMAT, VN_UNSUPPORTED, as in vn_layers_read. O(1).
VN_NODISCARD vn_status vn_store_check_head(const void* head, size_t head_size, uint64_t file_size,
                                           vn_detail* detail);

/// Maximum number of sections in a file. A section holds about 128 KB before compression, or one block.
#define VN_STORE_MAX_SECTIONS 131072

/// A tree or a roadmap that a file has for a layer.
typedef struct vn_store_tree_info {
    uint32_t layer, kind; ///< as in vn_store_tree
    uint64_t bytes, unpacked_bytes;
} vn_store_tree_info;

/// More of them are not listed.
#define VN_STORE_INFO_TREES 128

/// What a file holds.
typedef enum vn_store_kind {
    VN_STORE_LAYERS = 1, ///< .vnav: layers
    VN_STORE_QUERY = 2,  ///< .vnrec: a recorded query and its layers (vn_record_read)
    VN_STORE_RUN = 3     ///< .vnrec: a recorded run, without layers (volnav/run.h: vn_run_record_read)
} vn_store_kind;

/// Summary of a file. Cheap to read: only the comment and the connections are decompressed, and of the layers
/// only the parameters are verified against their checksums.
typedef struct vn_store_info {
    uint32_t version;
    vn_store_kind kind;
    bool is_record; ///< true for a .vnrec, of a query or of a run
    uint32_t section_count;
    uint64_t bytes, unpacked_bytes;
    uint64_t world_hash;  ///< of the world baked from
    uint32_t layer_count; ///< 0: a recorded run
    vn_space_info layers[VN_MAX_LAYERS];
    uint64_t layer_bytes[VN_MAX_LAYERS]; ///< size in the file
    vn_connection connections[VN_MAX_CONNECTIONS];
    uint32_t connection_count;
    vn_store_tree_info trees[VN_STORE_INFO_TREES];
    uint32_t tree_count;
    char comment[4001];
} vn_store_info;

/// Fails as vn_layers_read. vn_store_info is large: do not put it on a small stack.
VN_NODISCARD vn_status vn_store_read_info(const void* data, size_t size, const vn_codec* codec,
                                          vn_store_info* out, vn_detail* detail);

// ---------------------------------------------------------------------------------------------- records

/// A recorded query: the request, everything that it depends on, and its result. A bug report in one file.
typedef struct vn_record vn_record;

/// Writes a .vnrec: the request, the result, the points, the capacities of the query, and the layer that was
/// searched; if no path was found, all of its layers, because the reason may lie in another one.
/// VN_BAD_ORDER: the last operation of the query was not a finished search. VN_BAD_ARGUMENT: `request` or
/// `result` do not belong to that search. Otherwise as vn_layers_write.
VN_NODISCARD vn_status vn_record_write(const vn_query* query, const vn_path_request* request,
                                       const vn_path_result* result, const vn_store_def* def,
                                       const vn_allocator* allocator, const vn_sink* sink, vn_detail* detail);

/// Writes a .vnrec of a result of a nav that has been collected (vn_nav_next_result) and not released. The
/// zones of its version become zones of the recorded request. On the host's thread. VN_STALE_ID: no such
/// result. VN_UNSUPPORTED: the request was cancelled, ran out of memory, or found a path of more than
/// max_points. VN_CAPACITY: more zones than a request can have. Otherwise as vn_layers_write.
VN_NODISCARD vn_status vn_nav_write_record(const vn_nav* nav, vn_request_id id, const vn_store_def* def,
                                           const vn_allocator* allocator, const vn_sink* sink,
                                           vn_detail* detail);

/// Fails as vn_layers_read; a .vnav and a recorded run are VN_BAD_FORMAT.
VN_NODISCARD vn_status vn_record_read(const void* data, size_t size, const vn_load_def* def, vn_record** out,
                                      vn_detail* detail);
VN_API void vn_record_destroy(vn_record* record);

VN_API const vn_layers* vn_record_layers(const vn_record* record);

/// The request; its zones and connections belong to the record.
VN_API const vn_path_request* vn_record_request(const vn_record* record);
VN_API const vn_path_result* vn_record_result(const vn_record* record);
VN_API const vn_point* vn_record_points(const vn_record* record, uint32_t* count);

/// As vn_query_connections.
VN_API const vn_connection_use* vn_record_connections(const vn_record* record, uint32_t* count);

/// Result of replaying a recorded query.
typedef struct vn_replay {
    bool same;                 ///< status, points and cost are equal, bit for bit
    vn_path_result result;     ///< of the replay
    uint32_t first_difference; ///< index of the first point that differs; VN_NO_POINT if none does
    char text[160];            ///< one sentence about the difference
} vn_replay;

#define VN_NO_POINT UINT32_MAX

/// Runs the recorded request again. `query` must have been created on the record's layers or one of their
/// spaces. If null, one is created for the call, with the recorded capacities; otherwise the new points are
/// in the query. A cancelled search is cancelled again after the same number of expansions. VN_OK whether or
/// not the result is the same. VN_BAD_ARGUMENT, VN_OUT_OF_MEMORY, and those of vn_query_begin.
VN_NODISCARD vn_status vn_record_replay(const vn_record* record, vn_query* query, vn_replay* out,
                                        vn_detail* detail);

// ------------------------------------------------------------------------------------------------- runs

/// A part of a recorded run. The core stores the bytes and does not look into them; vn_run_record_write and
/// vn_run_record_read (volnav/run.h) know what they mean.
typedef struct vn_store_part {
    const void* data;
    size_t size; ///< 1 to VN_STORE_MAX_TREE
} vn_store_part;

#define VN_STORE_RUN_PARTS 3

/// Writes a .vnrec of a run, with the comment of the def. VN_BAD_ARGUMENT: a part without bytes.
/// VN_TOO_LARGE: a part of more than VN_STORE_MAX_TREE. Otherwise as vn_layers_write.
VN_NODISCARD vn_status vn_store_write_run(const vn_store_part parts[VN_STORE_RUN_PARTS],
                                          const vn_store_def* def, const vn_allocator* allocator,
                                          const vn_sink* sink, vn_detail* detail);

/// Reads a part of a .vnrec of a run, `part` below VN_STORE_RUN_PARTS. All checksums are verified. The caller
/// gives `*out` back with def->allocator.release and `*out_size`. Fails as vn_layers_read; other kinds of
/// files are VN_BAD_FORMAT.
VN_NODISCARD vn_status vn_store_read_run(const void* data, size_t size, const vn_load_def* def, uint32_t part,
                                         void** out, size_t* out_size, vn_detail* detail);

#endif
