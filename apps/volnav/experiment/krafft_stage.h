/// volnav/experiment/krafft_stage.h: all spaces of "krafft-spaces" on one moving scene: they follow it frame
/// by frame, and are searched.
#ifndef EXPERIMENT_KRAFFT_STAGE_H
#define EXPERIMENT_KRAFFT_STAGE_H

#include "experiment/follower.h"
#include "experiment/krafft.h"
#include "volnav/roadmap.h"

/// Most moving obstacles of the scene.
#define KRAFFT_SHAPES 64

/// Make it with {0}; free with krafft_stage_close.
typedef struct krafft_stage {
    experiment* e;
    moving_place place; ///< cells, and the voxels of all
    moving_place grid;  ///< the same with the graph of the 6-connected grid
    vn_nav_graph* graph;
    vn_roadmap* roadmaps[KRAFFT_HYBRID_AXES + 1];   ///< waypoints, hybrid twice; null: not there
    vn_roadmap_view* views[KRAFFT_HYBRID_AXES + 1]; ///< of those
    vn_roadmap_shape* shapes[KRAFFT_SHAPES];        ///< moving obstacles that have changed so far
    vn_transform transforms[KRAFFT_SHAPES];
    vn_obstacle_id shape_ids[KRAFFT_SHAPES];
    uint32_t shape_count;
    follower trees[KRAFFT_SPACES];                   ///< octree, merged octree
    vn_graph_query* queries[KRAFFT_HYBRID_AXES + 1]; ///< of the grid and the roadmaps
    vn_heuristic heuristic;                          ///< of searches on graphs
    uint32_t max_nodes;                              ///< of a search on a graph; 0: all
    double own[KRAFFT_SPACES]; ///< seconds that each took for the last frame, without voxels
} krafft_stage;

/// Opens the graph of `grid`, both trees on `base`, and scratch for searches; the places and roadmaps are
/// there. The trees follow to the place at once.
int krafft_stage_open(krafft_stage* s, const vn_space* base);
void krafft_stage_close(krafft_stage* s);

/// The next frame: every space follows, in an order that turns from frame to frame.
int krafft_stage_step(krafft_stage* s, uint32_t frame, double seconds);

/// A path, judged by the checker.
run_row krafft_stage_find(krafft_stage* s, const krafft_search* search, vn_point from, vn_point to);

#endif
