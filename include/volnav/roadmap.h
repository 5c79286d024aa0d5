/// volnav/roadmap.h: Krafft's two search graphs, which follow a changing world: the hybrid graph (Krafft
/// 2021, 5.2) and waypoints around obstacles (Krafft 2019, 4.2.2). Library volnav_classic.
///
///   every version of the nav:  vn_roadmap_follow  ->  a view  ->  vn_graph_query_find_path
///   (volnav/classic.h)
///
/// A roadmap is a row of versions, like the space that it follows. One thread at a time makes and follows;
/// any thread opens views and holds changes. A version shares the blocks of its space: the caller may destroy
/// or unpin the space at once.
#ifndef VOLNAV_ROADMAP_H
#define VOLNAV_ROADMAP_H

#include "volnav/planner.h"
#include "volnav/space.h"

typedef struct vn_roadmap vn_roadmap;

typedef enum vn_roadmap_kind {
    VN_ROADMAP_HYBRID = 0,   ///< nodes at edges of static obstacles, and wherever moving ones can be
    VN_ROADMAP_WAYPOINTS = 1 ///< nodes off the corners and edges of obstacles, moving with them
} vn_roadmap_kind;

/// "hybrid", "waypoints"; null for an unknown value.
VN_API const char* vn_roadmap_kind_name(vn_roadmap_kind kind);

// ------------------------------------------------------------------------------------------- hybrid graph

/// A set of voxels: where moving obstacles can be. From volumes, from what is observed over a run, or both.
typedef struct vn_area vn_area;

/// Empty, for spaces of the size of this one. VN_OUT_OF_MEMORY.
VN_NODISCARD vn_status vn_area_create(const vn_allocator* allocator, const vn_space* space, vn_area** out,
                                      vn_detail* detail);

/// Null is allowed.
VN_API void vn_area_destroy(vn_area* area);

/// Adds the voxels of [low, high) that lie inside.
VN_API void vn_area_add_box(vn_area* area, vn_voxel low, vn_voxel high);

/// Adds the voxels that are blocked in `now`, but not in `fixed`: what moving obstacles cover at this moment.
/// VN_BAD_ARGUMENT: a space of another size.
VN_NODISCARD vn_status vn_area_observe(vn_area* area, const vn_space* fixed, const vn_space* now);

typedef struct vn_roadmap_def {
    vn_allocator allocator; ///< leads to the same memory as those of the spaces; thread-safe if other threads
                            ///< open views
    uint32_t history;       ///< versions whose changes are kept (default 64)
    uint64_t version;       ///< number of the first (default 1)
    vn_progress* progress;  ///< of the hybrid graph's edges; may be null
    void* progress_user;

    // Waypoints.
    float margin;  ///< corners' waypoints stand sqrt(3) * (the layer's radius + this) off, metres; default
                   ///< 0: two voxels
    float spacing; ///< most between two along an edge, metres (default 5, as in Krafft 2019)
    uint32_t indirect; ///< neighbours on other obstacles, 1 to 16 (default 1)
    uint32_t cookie;
} vn_roadmap_def;

VN_API vn_roadmap_def vn_default_roadmap_def(void);

/// Bakes the hybrid graph: nodes and edges, which never change; which of the edges are open is that of
/// `now`. `fixed` has the static obstacles alone; all three are of one size. VN_BAD_DEF; VN_BAD_ARGUMENT;
/// VN_TOO_LARGE: more than 2^26 voxels; VN_CANCELLED; VN_OUT_OF_MEMORY. Costs about nodes times the area of a
/// side.
VN_NODISCARD vn_status vn_roadmap_create_hybrid(const vn_space* fixed, const vn_area* area,
                                                const vn_space* now, const vn_roadmap_def* def,
                                                vn_roadmap** out, vn_detail* detail);

/// Puts waypoints around all obstacles of `world` that block the layer `space`, which was baked from it.
/// Voxel sets get none. The world is not kept: a nav may take it afterwards. VN_TOO_LARGE: an obstacle needs
/// more than 4096 waypoints. Otherwise as above.
VN_NODISCARD vn_status vn_roadmap_create_waypoints(const vn_world* world, const vn_space* space,
                                                   const vn_roadmap_def* def, vn_roadmap** out,
                                                   vn_detail* detail);

// ------------------------------------------------------------------------------------------------- saving

/// The kind of a saved roadmap in a .vnav (vn_store_tree, vn_store_read_tree) is this plus its
/// vn_roadmap_kind.
#define VN_ROADMAP_STORED 16u

/// Writes a roadmap as bytes, for vn_store_tree. Hybrid: static obstacles, where moving ones can be, and the
/// edges; which are open follows from the space. Waypoints: of each obstacle of the newest version where it
/// stands, and its waypoints in its own frame; edges between obstacles follow from the space. The same
/// roadmap gives the same bytes. On the following thread. VN_OUT_OF_MEMORY; VN_IO: the sink failed.
VN_NODISCARD vn_status vn_roadmap_write(const vn_roadmap* roadmap, const vn_sink* sink, vn_detail* detail);

/// Makes a roadmap from such bytes. `space` is what it begins with: for a hybrid graph any of the same size,
/// for waypoints that of the version that was saved. It follows as the saved one does; a hybrid graph's nodes
/// have the ids that they had, waypoints get new ones in the order of their obstacles. Of `def`, margin,
/// spacing and indirect are ignored: the bytes have them. Takes far less than baking: nothing is stepped
/// through. The bytes are not trusted: every index is checked, and no edge goes through a static obstacle;
/// but edges that are missing are not missed. VN_BAD_FORMAT; VN_UNSUPPORTED: a newer version; VN_MISMATCH: a
/// space of another size, or a layer of another radius; VN_BAD_DEF; VN_BAD_ARGUMENT; VN_TOO_LARGE;
/// VN_OUT_OF_MEMORY.
VN_NODISCARD vn_status vn_roadmap_read(const vn_space* space, const vn_roadmap_def* def, const void* data,
                                       size_t size, vn_roadmap** out, vn_detail* detail);

/// Null is allowed. No view may be open, and no changes held.
VN_API void vn_roadmap_destroy(vn_roadmap* roadmap);

typedef struct vn_roadmap_info {
    vn_roadmap_kind kind;
    uint64_t version;
    uint32_t nodes,
        edges; ///< stored edges; the hybrid graph's between adjacent voxels follow from the voxels
    uint32_t static_nodes, dynamic_nodes, neighbour_nodes; ///< hybrid: by kind
    uint32_t blocked;                                      ///< waypoints: that are not free now
    uint32_t without;                                      ///< waypoints: obstacles that have none
    uint32_t left; ///< hybrid: voxels that became blocked outside the dynamic nodes in this version. The
                   ///< graph is right all the same, but has no nodes around them
} vn_roadmap_info;

/// Of the newest version. On the following thread.
VN_API void vn_roadmap_get_info(const vn_roadmap* roadmap, vn_roadmap_info* out);
VN_API void vn_roadmap_get_memory(const vn_roadmap* roadmap, vn_memory* out);

// ------------------------------------------------------------------------------------------------ following

/// Follows to the next version of the space: `layer` of `changes` (vn_nav_get_changes) are what changed since
/// the last call; `version` is changes->version, or more if several were put together. `changes` may be null
/// for a hybrid graph: then everything is looked at. `space` is that of `version`: with a later one the graph
/// is right once it has followed up to it, but not what changed by node. VN_STALE: the changes of a version
/// in between are missing; waypoints need those of each version in turn, or are made anew. VN_BAD_ARGUMENT:
/// another size, an old version, changes of another one, no such layer. VN_OUT_OF_MEMORY, VN_TOO_LARGE: the
/// last version stays, and the same call can be made again.
VN_NODISCARD vn_status vn_roadmap_follow(vn_roadmap* roadmap, const vn_space* space, uint64_t version,
                                         const vn_changes* changes, uint32_t layer, vn_detail* detail);

/// A shape of moving obstacles whose separating axes are prepared: each direction of faces and edges once
/// (Krafft 2021, 5.2.2.1). One thread at a time.
typedef struct vn_roadmap_shape vn_roadmap_shape;

/// Boxes and hulls; the shape is not kept. VN_UNSUPPORTED: others; VN_OUT_OF_MEMORY.
VN_NODISCARD vn_status vn_roadmap_shape_create(const vn_allocator* allocator, const vn_shape* shape,
                                               vn_roadmap_shape** out, vn_detail* detail);

/// Null is allowed.
VN_API void vn_roadmap_shape_destroy(vn_roadmap_shape* shape);

/// Where a moving obstacle stands. Each has a shape of its own.
typedef struct vn_roadmap_place {
    vn_roadmap_shape* shape;
    vn_transform transform;
} vn_roadmap_place;

/// Follows as vn_roadmap_follow without changes, but finds what changed as Krafft 2021 does (5.2.2): every
/// dynamic node is tested against all moving obstacles, which are given with each call. For comparison: it
/// costs O(dynamic nodes * obstacles), whatever has moved. The result is the same graph, and the same changes
/// by node, if these are all that moves and they stay on the dynamic nodes. What they block elsewhere is not
/// seen: edges there stay open. Hybrid graphs over a layer for a point only: VN_UNSUPPORTED otherwise.
/// Otherwise as vn_roadmap_follow.
VN_NODISCARD vn_status vn_roadmap_follow_shapes(vn_roadmap* roadmap, const vn_space* space, uint64_t version,
                                                const vn_roadmap_place* places, uint32_t count,
                                                vn_detail* detail);

/// What a version changed by node. Held until it is released. VN_STALE: beyond the history. VN_BAD_ARGUMENT:
/// the first version, or one that is not there yet. Any thread.
VN_NODISCARD vn_status vn_roadmap_hold_changes(vn_roadmap* roadmap, uint64_t version, vn_held_changes* out);
VN_API void vn_roadmap_release_changes(vn_roadmap* roadmap, vn_held_changes* changes);

// --------------------------------------------------------------------------------------------------- views

/// One reader's graph in one version, with its own start and goal. One thread at a time.
typedef struct vn_roadmap_view vn_roadmap_view;

/// Opens the newest version. VN_OUT_OF_MEMORY. Any thread.
VN_NODISCARD vn_status vn_roadmap_view_create(vn_roadmap* roadmap, vn_roadmap_view** out, vn_detail* detail);

/// Null is allowed. Any thread.
VN_API void vn_roadmap_view_destroy(vn_roadmap_view* view);

/// Goes on to the newest version; the ends are gone until they are set again. Any thread.
VN_API void vn_roadmap_view_advance(vn_roadmap_view* view);
VN_API uint64_t vn_roadmap_view_version(const vn_roadmap_view* view);

/// The space of its version.
VN_API const vn_space* vn_roadmap_view_space(const vn_roadmap_view* view);

/// Lives until the next advance. Sees and reverses; hybrid: has kinds. Edges are one-way.
VN_API const vn_graph* vn_roadmap_view_graph(const vn_roadmap_view* view);

/// Puts VN_START_NODE or VN_GOAL_NODE at a point. VN_BLOCKED, VN_OUTSIDE: then it is not there.
VN_NODISCARD vn_status vn_roadmap_view_set_end(vn_roadmap_view* view, uint32_t node, vn_point point);

/// The view as a source of planners (volnav/planner.h), with bricks: lines of sight can be kept. The view
/// outlives it, and no other caller advances the view. Its `advance` goes on to what vn_roadmap_follow made,
/// holds the changes on the way there and never runs out of memory; VN_STALE: more versions than the history.
/// On any thread while the roadmap follows on another.
VN_API vn_graph_source vn_roadmap_view_source(vn_roadmap_view* view);

#endif
