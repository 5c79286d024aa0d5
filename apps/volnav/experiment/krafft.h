/// volnav/experiment/krafft.h: what the parts of the experiment "krafft-spaces" share.
#ifndef EXPERIMENT_KRAFFT_H
#define EXPERIMENT_KRAFFT_H

#include "experiment/moving.h"

/// The spaces.
enum {
    KRAFFT_GRID,
    KRAFFT_WAYPOINTS,
    KRAFFT_WAYPOINTS_8, ///< with eight neighbours on other obstacles instead of one
    KRAFFT_HYBRID,
    KRAFFT_HYBRID_AXES, ///< the same graph, which tests all its dynamic nodes by separating axes
    KRAFFT_OCTREE,
    KRAFFT_MERGED,
    KRAFFT_CELLS,
    KRAFFT_SPACES
};

extern const char* const krafft_spaces[KRAFFT_SPACES];

/// The searches of Krafft 2021, figure 46, then those on waypoints and ours.
enum {
    KRAFFT_ASTAR_GRID,
    KRAFFT_THETA_GRID,
    KRAFFT_ASTAR_HYBRID,
    KRAFFT_THETA_HYBRID,
    KRAFFT_FAST_HYBRID,
    KRAFFT_ASTAR_WAYPOINTS,
    KRAFFT_ASTAR_WAYPOINTS_8,
    KRAFFT_THETA_WAYPOINTS_8,
    KRAFFT_ASTAR_OCTREE,
    KRAFFT_ASTAR_MERGED,
    KRAFFT_SEARCH_CELLS,
    KRAFFT_SEARCHES
};

typedef struct krafft_search {
    const char* name;
    int space;
    vn_classic_algo algo;
    double their_ms;     ///< Krafft 2021, figure 46; not a number where the text has none
    double their_length; ///< Krafft 2019, figure 48; likewise
    double their_expanded;
} krafft_search;

extern const krafft_search krafft_searches[KRAFFT_SEARCHES];

/// What a search gave, in the mean.
typedef struct krafft_sum {
    double seconds, length, expanded, sights;
    uint32_t asked, found, valid;
} krafft_sum;

/// Times of an update and a new path, in all frames with a search.
typedef struct krafft_frame {
    double update, mean, p99, worst; ///< seconds: of the update in the mean, and of both together
    uint32_t frames, late;           ///< frames with a path; late: more than 16 ms
    uint32_t missed;                 ///< frames in which no path was found, though there was one
    const char* refused;             ///< null, or why the space cannot take the map
} krafft_frame;

typedef struct krafft_run {
    uint32_t frames, searches, blind; ///< blind: frames without a search, because an end was covered
    double nodes[KRAFFT_SPACES];      ///< of the spaces
    double edges[KRAFFT_SPACES];      ///< stored ones; not a number where they follow from the nodes
    double kinds[3];                  ///< hybrid: static, dynamic, dynamic neighbours
    double voxels;                    ///< seconds of an update that all spaces share
    double update[KRAFFT_SPACES];     ///< seconds of a frame, the voxels included
    krafft_sum sums[KRAFFT_SEARCHES];
    krafft_frame frame[KRAFFT_SPACES];     ///< with A*; cells: its own search
    uint64_t edges_checked, edges_blocked; ///< straight edges of the hybrid graph, in all frames
    uint32_t check_frames;
    double left; ///< voxels that were blocked outside the dynamic nodes, in all frames
    double seconds_per_node[KRAFFT_SEARCHES];
} krafft_run;

/// A large map.
typedef struct krafft_large {
    bool there; ///< the map is
    const char* map;
    double voxels, boxes;
    uint32_t movers, frames;
    krafft_frame frame[KRAFFT_SPACES];
    char reasons[KRAFFT_SPACES][256]; ///< what `refused` points to
} krafft_large;

int krafft_measure(experiment* e, uint32_t frames, uint32_t every, uint32_t check_every, krafft_run* out);
int krafft_measure_large(experiment* e, uint32_t frames, krafft_large* out);

/// Sums of times, one a frame; fills mean, p99, worst and late. Sorts them.
void krafft_fill_frame(double* seconds, uint32_t count, krafft_frame* out);

int krafft_write(experiment* e, const krafft_run* run, const krafft_large* large);
void krafft_judge(experiment* e, const krafft_run* run, const krafft_large* large);

#endif
