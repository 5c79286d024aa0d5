/// tests/fuzz/api/api.h: what one input of the API fuzzer works on: objects, the ids that it has seen, and a
/// model of what must be so.
///
/// Bytes become calls on the public headers. What the headers forbid (null pointers, freed objects) is left
/// out; everything else is tried. Each call is judged: its status is possible, its detail fits, memory runs
/// out only when the allocator says so, and each result is compared with the same result by other means.
#ifndef VNF_API_H
#define VNF_API_H

#include "tests/fuzz/api/reader.h"
#include "tests/fuzz/bytes.h"
#include "volnav/classic.h"
#include "volnav/draw.h"
#include "volnav/nav.h"
#include "volnav/store.h"
#include <stdatomic.h>

#define VNF_THINGS   24
#define VNF_ZONES    8
#define VNF_SEARCHES 2
#define VNF_REQUESTS 32
#define VNF_WATCHES  8
#define VNF_PINS     8

// ------------------------------------------------------------------------------------------------- memory

/// An allocator that several threads may use: counts, checks sizes, fails on demand and above a limit.
typedef struct vnf_heap {
    _Atomic uint32_t live_blocks, live_bytes;
    _Atomic uint32_t failures;  ///< so far
    _Atomic uint32_t countdown; ///< 0: none; 1: the next allocation fails
} vnf_heap;

vn_allocator vnf_heap_allocator(vnf_heap* heap);

// -------------------------------------------------------------------------------------------------- state

typedef struct vnf_thing {
    vn_obstacle_id id;
    bool alive, moves;
} vnf_thing;

typedef struct vnf_zone_thing {
    vn_zone_id id;
    bool alive;
} vnf_zone_thing;

/// A path request with the arrays that it points to.
typedef struct vnf_request {
    vn_path_request request;
    vn_zone zones[4];
    vn_plane planes[4];
    vn_connection connections[3];
} vnf_request;

/// A query, and what is known of it.
typedef struct vnf_search {
    vn_query* query;
    bool on_layers;
    bool begun;    ///< a search has begun and is not finished
    bool early;    ///< and was finished while it was running
    bool finished; ///< `last` and `result` are those of the last thing that the query did
    vnf_request last;
    vn_path_result result;
} vnf_search;

typedef struct vnf_submitted {
    vn_request_id id; ///< 0: none
    bool cancelled, collected, released;
    vnf_request own;
} vnf_submitted;

typedef struct vnf_watched {
    vn_watch_id watch; ///< 0: none
    uint32_t points;
    bool over; ///< unwatched, or told to be blocked if `once`
    bool once;
} vnf_watched;

/// A nav and what the host knows of it.
typedef struct vnf_nav {
    vn_nav* nav;
    vn_nav_def def;
    vn_voxel dims;
    uint32_t failures; ///< of the heap, when it was made
    vnf_thing things[VNF_THINGS];
    vnf_zone_thing zones[VNF_ZONES];
    vnf_submitted submitted[VNF_REQUESTS];
    uint32_t submitted_count;
    vnf_watched watches[VNF_WATCHES];
    uint32_t watch_count;
    uint64_t pins[VNF_PINS]; ///< versions; 0: none
    vn_point path[8];        ///< of a result
    uint32_t path_count;
} vnf_nav;

typedef struct vnf_api {
    vnf_reader in;
    vnf_heap heap;
    uint32_t failures_before; ///< of the heap, when the call began
    vn_detail detail;
    uint32_t successes; ///< calls that did what they are for

    vn_world* world; ///< never null between two operations
    vnf_thing things[VNF_THINGS];
    vnf_zone_thing zones[VNF_ZONES];
    uint32_t thing_next, zone_next;

    vn_space* space;
    vn_space_def space_def;
    uint64_t space_revision; ///< of the world that it was baked from; UINT64_MAX: of another one
    vn_layers* layers;
    vnf_search searches[VNF_SEARCHES];
    vn_classic* classic;
    vn_classic_query* classic_query;
    vn_classic_query_def classic_def;
    vnf_nav nav;
} vnf_api;

/// One kind of step. `run` reads its arguments and checks what the calls return.
typedef struct vnf_operation {
    const char* name;
    void (*run)(vnf_api* api);
} vnf_operation;

/// Each table ends with a null name.
extern const vnf_operation vnf_world_operations[], vnf_space_operations[], vnf_query_operations[],
    vnf_field_operations[], vnf_nav_operations[], vnf_watch_operations[], vnf_store_operations[],
    vnf_classic_operations[];

// ------------------------------------------------------------------------------------------ judging a call

/// The detail for a call, filled so that a write into it is seen.
vn_detail* vnf_detail(vnf_api* api);

/// After a call that got vnf_detail: the status is one that there is, the detail belongs to it, and memory
/// has run out only if the allocator failed. Returns the status.
vn_status vnf_judge(vnf_api* api, vn_status status);

/// The same for a call without detail; vnf_begin_call comes before it.
void vnf_begin_call(vnf_api* api);
vn_status vnf_judge_plain(vnf_api* api, vn_status status);

/// Counts a call that did what it is for.
void vnf_success(vnf_api* api);

/// Draws nothing, and counts the calls.
vn_draw vnf_draw(uint32_t* calls, uint32_t limit);

/// With VN_FUZZ_VERBOSE set: prints the step; the statuses of its calls follow.
void vnf_note(const char* name, bool wild, uint32_t countdown);

// ------------------------------------------------------------------------------------------ making objects

/// Makes the world if there is none.
void vnf_need_world(vnf_api* api);

/// Adds an obstacle to it.
void vnf_add_some(vnf_api* api);

/// A space, a plain one if none has been baked; null if that fails (memory).
vn_space* vnf_need_space(vnf_api* api);
vn_layers* vnf_need_layers(vnf_api* api);

void vnf_drop_world(vnf_api* api);
void vnf_drop_space(vnf_api* api);  ///< and what is made on it
void vnf_drop_layers(vnf_api* api); ///< and what is made on them
void vnf_drop_search(vnf_search* search);
void vnf_drop_searches(vnf_api* api, bool on_layers);
void vnf_drop_classic(vnf_api* api);
void vnf_drop_nav(vnf_api* api);

vn_voxel vnf_dims(const vn_space* space);

/// A space def without surprises: 14 metres a side.
vn_space_def vnf_plain_space_def(vnf_api* api);

/// A space def, bounded so that its bake is quick or refused.
vn_space_def vnf_space_def(vnf_api* api);
uint32_t vnf_layer_defs(vnf_api* api, vn_layer_def out[3]);

/// Reads a path request whose ends lie in the space.
void vnf_read_request(vnf_reader* in, vn_voxel dims, vnf_request* out);

/// A copy whose arrays are its own.
void vnf_copy_request(const vnf_request* from, vnf_request* to);

/// A path that is reported as free is free: the checker says so, its ends are right, and so are its numbers.
void vnf_judge_path(const vn_space* space, const vn_path_request* request, const vn_path_result* result,
                    const vn_point* points, uint32_t count, const vn_connection_use* uses,
                    uint32_t use_count);

/// A free polyline of a space of the world as it is now also keeps the space's radius from its shapes.
void vnf_judge_world_path(vnf_api* api, const vn_space* space, const vn_point* points, uint32_t count);

// ------------------------------------------------------------------------------------------------- shapes

/// Memory for the arrays of one shape.
typedef struct vnf_shape_buffer {
    vn_vec3 vertices[16];
    uint32_t indices[3 * 16];
    vn_voxel voxels[16];
    vn_voxel_box boxes[4];
} vnf_shape_buffer;

/// Any shape; its arrays are in `buffer`.
vn_shape vnf_shape(vnf_reader* in, vnf_shape_buffer* buffer);
vn_zone_def vnf_zone_def(vnf_reader* in, vnf_shape_buffer* buffer);
vn_zone vnf_zone(vnf_reader* in, vn_plane planes[4]);
vn_connection vnf_connection(vnf_reader* in);

/// An id out of the list, alive or not, or one that never was.
vnf_thing* vnf_thing_of(vnf_reader* in, vnf_thing* things, vnf_thing* other);
vnf_zone_thing* vnf_zone_of(vnf_reader* in, vnf_zone_thing* zones, vnf_zone_thing* other);

#endif
