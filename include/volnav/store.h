/// volnav/store.h: layers and recorded queries as bytes: the formats .vnav and .vnrec (docs/files.md).
///
/// The core writes and reads bytes in memory and opens no file; volnav/io.h adds files and zstd. Without a
/// codec sections are stored as they are. Every section has an xxHash (XXH64) checksum; what a reader does
/// not know it skips. Nothing of a file is believed: what is accepted passes vn_space_validate.
#ifndef VOLNAV_STORE_H
#define VOLNAV_STORE_H

#include "volnav/layers.h"
#include "volnav/query.h"

/// The version of the format that this library writes; it reads 1 up to this.
#define VN_STORE_VERSION 1

/// How sections are packed. All functions may be called from several workers at once. `bound` and `pack` may
/// be null: then nothing is packed; `unpack` may be null: then packed sections are VN_UNSUPPORTED.
typedef struct vn_codec {
    uint32_t id; ///< stored with each section: 1 is zstd; never 0

    /// Most bytes that `pack` writes for `size` bytes.
    size_t (*bound)(void* user, size_t size);

    /// Returns the packed size; 0: it could not.
    size_t (*pack)(void* user, const void* data, size_t size, void* out, size_t capacity);

    /// True if `data` gave exactly `out_size` bytes.
    bool (*unpack)(void* user, const void* data, size_t size, void* out, size_t out_size);
    void* user;
} vn_codec;

/// What goes into a file besides the layers.
typedef struct vn_store_def {
    const vn_codec* codec; ///< null: sections are stored as they are
    const vn_connection* connections;  ///< kept beside the layers; see vn_store_info
    uint32_t connection_count;   ///< up to VN_MAX_CONNECTIONS
    const char* comment;   ///< null, or up to 4000 bytes of UTF-8: where it came from, for people
    uint32_t cookie;
} vn_store_def;

VN_API vn_store_def vn_default_store_def(void);

/// Writes layers as a .vnav. The same layers give the same bytes (with a codec: as far as that does). Scratch
/// for the whole file, packed, is taken from `allocator` (null: the default one): nothing reaches the sink
/// before all of it is known. VN_BAD_DEF, VN_BAD_ARGUMENT: the def; VN_TOO_LARGE: more than
/// VN_STORE_MAX_SECTIONS; VN_OUT_OF_MEMORY; VN_IO: the sink refused.
VN_API vn_status vn_layers_write(const vn_layers* layers, const vn_store_def* def,
                                 const vn_allocator* allocator, const vn_sink* sink, vn_detail* detail);

typedef struct vn_load_def {
    vn_allocator allocator;
    vn_jobs jobs;
    const vn_codec* codec; ///< null: packed sections are VN_UNSUPPORTED
    bool check_source;     ///< refuse what was not baked from `source`: VN_STALE
    uint64_t source;       ///< vn_world_hash of the world as it is now
    uint64_t max_bytes;    ///< refuse what unpacks to more, or needs larger tables (VN_TOO_LARGE); 16 GiB
    uint32_t cookie;
} vn_load_def;

VN_API vn_load_def vn_default_load_def(void);

/// Reads a .vnav (or the layers of a .vnrec) from memory; `data` is needed only during the call. Refused,
/// with the reason in words: VN_BAD_FORMAT (not such a file, truncated, a checksum that does not fit, content
/// that cannot be), VN_UNSUPPORTED (a newer version, the other byte order, a packed section and no codec for
/// it), VN_STALE, VN_TOO_LARGE, VN_OUT_OF_MEMORY.
VN_API vn_status vn_layers_read(const void* data, size_t size, const vn_load_def* def, vn_layers** out,
                                vn_detail* detail);

/// Bytes of the head of a .vnav or .vnrec.
#define VN_STORE_HEAD_SIZE 64

/// A look at the first bytes of a file of `file_size` bytes, before the rest is read: is it such a file, of a
/// version that this library reads, and as long as it says? `head` holds the first VN_STORE_HEAD_SIZE bytes,
/// or the whole file if that is shorter. VN_BAD_FORMAT or VN_UNSUPPORTED, as vn_layers_read; O(1).
VN_API vn_status vn_store_check_head(const void* head, size_t head_size, uint64_t file_size,
                                     vn_detail* detail);

/// Of a file. A section has about 128 KB before packing, or one block.
#define VN_STORE_MAX_SECTIONS 131072

/// What the head of a file says: cheap, nothing is unpacked but comment and links, and of the layers only the
/// parameters are compared with their checksums.
typedef struct vn_store_info {
    uint32_t version;
    bool is_record; ///< a .vnrec
    uint32_t section_count;
    uint64_t bytes, unpacked_bytes;
    uint64_t source; ///< hash of the world
    uint32_t layer_count;
    vn_space_info layers[VN_MAX_LAYERS];
    uint64_t layer_bytes[VN_MAX_LAYERS]; ///< in the file
    vn_connection connections[VN_MAX_CONNECTIONS];
    uint32_t connection_count;
    char comment[4001];
} vn_store_info;

/// Errors as vn_layers_read. Large: keep `out` off small stacks.
VN_API vn_status vn_store_read_info(const void* data, size_t size, const vn_codec* codec, vn_store_info* out,
                                    vn_detail* detail);

// ---------------------------------------------------------------------------------------------- records

/// A question with everything that it depends on, and the answer that it got: a bug report in one file.
typedef struct vn_record vn_record;

/// Writes a .vnrec: the request, the result, the points, what the query had room for, and the layer that it
/// last searched; all of its layers if the path was not found, because the reason may lie in another one.
/// VN_BAD_ORDER if the last thing that the query did was not a search that was finished. VN_BAD_ARGUMENT:
/// `request` or `result` are not those of that search. Else as vn_layers_write.
VN_API vn_status vn_record_write(const vn_query* query, const vn_path_request* request,
                                 const vn_path_result* result, const vn_store_def* def,
                                 const vn_allocator* allocator, const vn_sink* sink, vn_detail* detail);

/// Errors as vn_layers_read; a .vnav is VN_BAD_FORMAT.
VN_API vn_status vn_record_read(const void* data, size_t size, const vn_load_def* def, vn_record** out,
                                vn_detail* detail);
VN_API void vn_record_destroy(vn_record* record);

VN_API const vn_layers* vn_record_layers(const vn_record* record);

/// The request; its zones and links belong to the record.
VN_API const vn_path_request* vn_record_request(const vn_record* record);
VN_API const vn_path_result* vn_record_result(const vn_record* record);
VN_API const vn_point* vn_record_points(const vn_record* record, uint32_t* count);

/// As vn_query_connections.
VN_API const vn_connection_use* vn_record_connections(const vn_record* record, uint32_t* count);

/// What a second run of a recorded question came to.
typedef struct vn_replay {
    bool same;                 ///< status, points and cost are equal, bit by bit
    vn_path_result result;     ///< this time
    uint32_t first_difference; ///< the first point that differs; VN_NO_POINT if none does
    char text[160];            ///< one sentence: what differs
} vn_replay;

#define VN_NO_POINT UINT32_MAX

/// Asks the recorded question again. `query` must be made on the record's layers or one of their spaces, or
/// be null: then one is made for the call, with the room that the recorded one had. The new points are in the
/// query. A search that was cancelled is cancelled again after as many expansions. VN_OK whether or not the
/// answer is the same; VN_BAD_ARGUMENT, VN_OUT_OF_MEMORY, and what vn_query_begin says of the request.
VN_API vn_status vn_record_replay(const vn_record* record, vn_query* query, vn_replay* out,
                                  vn_detail* detail);

#endif
