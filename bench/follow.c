/// bench/follow.c: microseconds per step of an agent that follows its path, and the repair of a path beside a
/// fresh search on the same version.
///
///   bench_follow [CHANGES]     VN_BENCH_MAP names a map; without it a cube with random boxes
///
/// Each flight is from a random point to another. For repairs a box of 8 voxels moves onto the path ahead of
/// the agent; both contenders get the same version and take turns to be first. Thread CPU time.
#include "bench.h"

#include "volnav/follow.h"

#include <math.h>

enum { FLIGHTS = 200, MOST_STEPS = 4000 };

static const double frame = 1.0 / 60;

static vn_corridor* make_corridor(void) {
    vn_corridor_def def = vn_default_corridor_def();
    vn_corridor* corridor;
    def.max_points = 4096;
    vnb_must(vn_corridor_create(&def, &corridor, NULL), NULL);
    return corridor;
}

static void set_path(vn_corridor* corridor, const vn_space* space, const vn_query* query) {
    uint32_t count;
    const vn_point* points = vn_query_points(query, &count);
    vnb_must(vn_corridor_set(corridor, space, points, count), NULL);
}

// ---------------------------------------------------------------------------------------------------- steps

static void measure_steps(const vn_space* space) {
    const vn_query_def query_def = vn_default_query_def();
    vn_steering_def def = vn_default_steering_def();
    vn_corridor* corridor = make_corridor();
    vn_query* query;
    vni_rng rng = vni_rng_make(1);
    uint64_t steps = 0, arrived = 0;
    double seconds = 0, worst = 0;
    def.speed = 6;
    vnb_must(vn_query_create(space, &query_def, &query, NULL), NULL);
    for (uint32_t i = 0; i < FLIGHTS; ++i) {
        const vnb_ends ends = vnb_random_ends(&rng, space);
        vn_path_request request = vn_default_path_request();
        vn_path_result result;
        request.start = ends.start;
        request.goal = ends.goal;
        vnb_must(vn_query_find_path(query, &request, &result, NULL), NULL);
        set_path(corridor, space, query);
        vn_agent_motion motion = vn_agent_motion_at(&def, result.start_position, (vn_dvec3){1, 0, 0});
        const double begin = vnb_seconds();
        uint32_t flown = 0;
        for (; flown < MOST_STEPS && motion.state != VN_FOLLOW_ARRIVED; ++flown)
            vnb_must(vn_steering_step(&def, corridor, space, frame, &motion), NULL);
        const double took = vnb_seconds() - begin;
        seconds += took;
        steps += flown;
        arrived += motion.state == VN_FOLLOW_ARRIVED;
        worst = took / flown > worst ? took / flown : worst;
    }

    printf("steps: %llu in %d flights (%llu arrived within %d), %.2f us each, slowest flight %.2f us\n",
           (unsigned long long)steps, FLIGHTS, (unsigned long long)arrived, MOST_STEPS,
           1e6 * seconds / (double)steps, 1e6 * worst);
    vn_query_destroy(query);
    vn_corridor_destroy(corridor);
}

// -------------------------------------------------------------------------------------------------- repairs

typedef struct totals {
    uint32_t blocked, repaired, found;
    double repair, fresh; ///< seconds
    double longer;        ///< of the repaired paths, ratio to the fresh ones
    uint64_t repair_expanded, fresh_expanded;
} totals;

/// The two contenders, in either order.
static void compare(const vn_space* space, vn_corridor* corridor, vn_point goal, uint64_t budget,
                    bool fresh_first, totals* t) {
    const vn_query_def query_def = vn_default_query_def();
    vn_path_request request = vn_default_path_request();
    vn_path_result result = {0};
    vn_repair repair = {0};
    vn_corridor_info info;
    vn_query *query, *other;
    double seconds[2];
    vn_corridor_get_info(corridor, &info);
    vnb_must(vn_query_create(space, &query_def, &query, NULL), NULL);
    vnb_must(vn_query_create(space, &query_def, &other, NULL), NULL);
    request.goal = goal;
    vnb_must(vn_space_point_from_world(space, info.position, &request.start), NULL);
    for (int turn = 0; turn < 2; ++turn) {
        const bool is_fresh = (turn == 0) == fresh_first;
        const double begin = vnb_seconds();
        if (is_fresh)
            (void)vn_query_find_path(query, &request, &result, NULL);
        else
            vnb_must(vn_corridor_repair(corridor, space, other, budget, &repair), NULL);
        seconds[is_fresh] = vnb_seconds() - begin;
    }

    if (repair.kind != VN_REPAIR_KEPT && result.status == VN_OK) {
        ++t->blocked;
        t->repair += seconds[0];
        t->fresh += seconds[1];
        t->repair_expanded += repair.expanded;
        t->fresh_expanded += result.expanded;
        if (repair.kind == VN_REPAIR_REPAIRED) {
            vn_corridor_get_info(corridor, &info);
            ++t->repaired;
            t->longer += info.remaining / result.length;
        }
    }

    vn_query_destroy(query);
    vn_query_destroy(other);
}

static const vn_space* wait_for_version(vn_nav* nav, uint64_t* version) {
    vn_nav_stats stats;
    do {
        vnb_must(vn_nav_tick(nav, NULL), NULL);
        vn_nav_get_stats(nav, &stats);
    } while (stats.pending_changes > 0 || stats.version_lag > 0);
    return vn_nav_pin(nav, 0, 0, version);
}

static void change_once(vn_nav* nav, vn_obstacle_id box, vni_rng* rng, vn_corridor* corridor,
                        bool fresh_first, totals* t) {
    const vn_query_def query_def = vn_default_query_def();
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    vn_corridor_place place;
    vn_query* query;
    uint64_t version;

    // a path, the agent somewhere on its first half, the box somewhere ahead
    const vn_space* space = wait_for_version(nav, &version);
    const vnb_ends ends = vnb_random_ends(rng, space);
    request.start = ends.start;
    request.goal = ends.goal;
    vnb_must(vn_query_create(space, &query_def, &query, NULL), NULL);
    vnb_must(vn_query_find_path(query, &request, &result, NULL), NULL);
    set_path(corridor, space, query);
    (void)vn_corridor_advance(corridor, 0.5 * result.length * vni_rng_real(rng));
    vn_query_destroy(query);
    vnb_must(vn_corridor_predict(corridor, 12 + 0.5 * result.length * vni_rng_real(rng), 1, &place), NULL);
    vnb_must(vn_nav_unpin(nav, version), NULL);

    const vn_transform at = vn_transform_at(place.position.x, place.position.y, place.position.z);
    vnb_must(vn_nav_move(nav, box, &at, NULL), NULL);
    space = wait_for_version(nav, &version);
    compare(space, corridor, ends.goal, 256, fresh_first, t);
    vnb_must(vn_nav_unpin(nav, version), NULL);
}

static void measure_repairs(uint32_t changes) {
    const vn_transform home = vn_transform_identity();
    const vn_shape shape = {.kind = VN_SHAPE_BOX, .as.box = {{-4, -4, -4}, {4, 4, 4}}};
    vn_nav_def def = vn_default_nav_def();
    vn_corridor* corridor = make_corridor();
    vn_obstacle_id box;
    vn_nav* nav;
    vni_rng rng = vni_rng_make(2);
    totals t = {0};
    vn_world* world = vnb_world(128, 200, 1, &def.space);
    vnb_must(vn_world_add_moving(world, &shape, &home, &box, NULL), NULL);
    vnb_must(vn_nav_create(world, &def, &nav, NULL), NULL);
    for (uint32_t i = 0; i < changes; ++i)
        change_once(nav, box, &rng, corridor, i % 2 == 0, &t);

    printf(
        "repairs: of %u changes %u block a path that has another way, %.1f %% repaired; repair %.1f us (%.1f "
        "expansions), fresh search %.1f us (%.1f): ratio %.2f; repaired path %.4f times the fresh one\n",
        changes, t.blocked, 100.0 * t.repaired / t.blocked, 1e6 * t.repair / t.blocked,
        (double)t.repair_expanded / t.blocked, 1e6 * t.fresh / t.blocked,
        (double)t.fresh_expanded / t.blocked, t.repair / t.fresh, t.longer / t.repaired);
    vn_nav_destroy(nav);
    vn_corridor_destroy(corridor);
}

int main(int argc, char** argv) {
    vn_space* space = vnb_space(128, 200, 1);
    measure_steps(space);
    vn_space_destroy(space);
    measure_repairs(argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000);
    return 0;
}
