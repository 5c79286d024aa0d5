/// volnav/experiment/massonnat.h: what the parts of the experiment "massonnat-static" share.
#ifndef EXPERIMENT_MASSONNAT_H
#define EXPERIMENT_MASSONNAT_H

#include "experiment/run.h"

/// The methods of table 6.2 in its order, then two of ours.
enum {
    MASSONNAT_VOXEL,
    MASSONNAT_OCTREE,
    MASSONNAT_OCTREE_PRUNE,
    MASSONNAT_OCTREE_FUNNEL,
    MASSONNAT_OCTREE_BOTH,
    MASSONNAT_MERGED,
    MASSONNAT_MERGED_PRUNE,
    MASSONNAT_MERGED_FUNNEL,
    MASSONNAT_MERGED_BOTH,
    MASSONNAT_PRINTED, ///< so many are in the thesis
    MASSONNAT_VOXEL_26 = MASSONNAT_PRINTED,
    MASSONNAT_CELLS,
    MASSONNAT_METHODS
};

enum { MASSONNAT_MAPS = 6, MASSONNAT_BUCKETS = 10, MASSONNAT_GRAINS = 3 };

extern const char* const massonnat_names[MASSONNAT_METHODS];

/// What one of the handmade maps gave.
typedef struct massonnat_map {
    const char* scene;
    const char* title;
    double printed_cells[3]; ///< voxels, octree, merged (table 6.1)
    double cells[4];         ///< the same, and our cells
    run_summary sums[MASSONNAT_METHODS];
    double added[MASSONNAT_METHODS]; ///< seconds that refinement adds: the median over the pairs; 0 without
    double bucket_length[MASSONNAT_BUCKETS]; ///< mean of the merged octree's paths, units
    run_summary buckets[MASSONNAT_METHODS][MASSONNAT_BUCKETS];
} massonnat_map;

/// Cave with voxels of another size.
typedef struct massonnat_grain {
    double granularity; ///< units
    double cells[4];
    run_summary sums[4]; ///< voxels, octree, merged octree, cells; no refinement
} massonnat_grain;

/// Lengths of table 6.2; not a number for our own methods.
double massonnat_length(int map, int method);

/// Cuts pairs into ten buckets of equal size by the lengths of `key`'s rows: fills `order` with the pairs'
/// numbers, shortest first. Bucket k holds those from k * count / 10 on.
void massonnat_sort(const run_row* key, uint32_t count, uint32_t* order);

/// Tables and charts of the handmade maps, and what follows from them.
int massonnat_write_maps(experiment* e, const massonnat_map* maps);
int massonnat_write_grains(experiment* e, const massonnat_grain* grains);
void massonnat_judge(experiment* e, const massonnat_map* maps, const massonnat_grain* grains);

/// EXIT_BAD after a message if a folder was given that has no maps in it.
int massonnat_check_data(const experiment_options* options);

/// The file of a Warframe map; empty if there is none.
void massonnat_find_map(const experiment_options* options, const char* name, char* path, size_t size);

/// The Warframe maps: measures and writes, or says that there are none.
int massonnat_warframe(experiment* e);

#endif
