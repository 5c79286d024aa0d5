/// Corridors: memory, places on a path against plain references, and new paths that join under way.
#include "follow_worlds.h"

static vn_corridor* make_corridor(uint32_t max_points) {
    vn_corridor_def def = vn_default_corridor_def();
    vn_corridor* corridor;
    def.max_points = max_points;
    assert_int_equal(vn_corridor_create(&def, &corridor, NULL), VN_OK);
    return corridor;
}

static vn_corridor_info info_of(const vn_corridor* corridor) {
    vn_corridor_info info;
    vn_corridor_get_info(corridor, &info);
    return info;
}

static vn_space* open_space(int32_t size) {
    const vn_jobs jobs = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){size, size, size});
    vn_space* space = vnt_voxels_cells(&voxels, &jobs);
    vnt_voxels_free(&voxels);
    return space;
}

// --------------------------------------------------------------------------------------------------- memory

static void test_out_of_memory(void** state) {
    (void)state;
    uint64_t k = 0;
    for (;; ++k) {
        vnt_memory memory = vnt_memory_make();
        vn_corridor_def def = vn_default_corridor_def();
        vn_corridor* corridor = NULL;
        memory.fail_at = k;
        def.allocator = vnt_memory_allocator(&memory);
        const vn_status status = vn_corridor_create(&def, &corridor, NULL);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        assert_int_equal(corridor == NULL, memory.failed);
        vn_corridor_destroy(corridor);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        if (!memory.failed)
            break;
    }

    assert_true(k >= 2);
}

static void test_bad_defs(void** state) {
    (void)state;
    vn_corridor_def def = {0};
    vn_corridor* corridor;
    assert_int_equal(vn_corridor_create(&def, &corridor, NULL), VN_BAD_DEF);
    def = vn_default_corridor_def();
    def.max_points = 1;
    assert_int_equal(vn_corridor_create(&def, &corridor, NULL), VN_BAD_ARGUMENT);
    def = vn_default_corridor_def();
    def.allocator.release = NULL;
    assert_int_equal(vn_corridor_create(&def, &corridor, NULL), VN_BAD_ARGUMENT);
    vn_corridor_destroy(NULL);
}

static void test_capacity(void** state) {
    (void)state;
    vn_space* space = open_space(8);
    vn_corridor* corridor = make_corridor(3);
    const vn_point path[5] = {{0, 0, 0}, {1024, 0, 0}, {1024, 1024, 0}, {2048, 1024, 0}, {2048, 2048, 0}};
    const vn_point far = {9 * 1024, 0, 0};
    assert_int_equal(vn_corridor_set(corridor, space, path, 3), VN_OK);
    assert_int_equal(vn_corridor_set(corridor, space, path, 5), VN_CAPACITY);
    assert_int_equal(info_of(corridor).needed_points, 5);
    assert_int_equal(vn_corridor_join(corridor, space, path, 5, VN_JOIN_ALWAYS, NULL), VN_CAPACITY);
    assert_int_equal(vn_corridor_set(corridor, space, path, 0), VN_BAD_ARGUMENT);
    assert_int_equal(vn_corridor_set(corridor, space, &far, 1), VN_OUTSIDE);
    assert_int_equal(info_of(corridor).point_count, 3); // the old path stays
    vn_corridor_clear(corridor);
    assert_int_equal(info_of(corridor).point_count, 0);
    vn_corridor_destroy(corridor);
    vn_space_destroy(space);
}

// --------------------------------------------------------------------------------------------- small paths

static void test_advance_and_corners(void** state) {
    (void)state;
    vn_space* space = open_space(8);
    vn_corridor* corridor = make_corridor(8);
    vn_corridor_place place;
    vn_dvec3 corners[4];
    const vn_point path[4] = {{0, 0, 0}, {2048, 0, 0}, {2048, 0, 0}, {2048, 3072, 0}};
    assert_int_equal(vn_corridor_predict(corridor, 1, 1, &place), VN_NOT_FOUND);
    assert_int_equal(vn_corridor_set(corridor, space, path, 4), VN_OK);
    assert_int_equal(info_of(corridor).point_count, 3); // without the repetition
    assert_true(info_of(corridor).length == 5);

    assert_true(vn_corridor_advance(corridor, 1.5) == 3.5);
    assert_true(info_of(corridor).position.x == 1.5);
    assert_int_equal(vn_corridor_next_corners(corridor, corners, 4), 2);
    assert_true(corners[0].x == 2);
    assert_true(corners[1].y == 3);
    assert_int_equal(vn_corridor_next_corners(corridor, corners, 1), 1);
    assert_int_equal(vn_corridor_predict(corridor, 0.5, 3, &place), VN_OK);
    assert_true(place.position.y == 1);
    assert_true(place.ahead == 1.5);
    assert_int_equal(place.segment, 1);
    assert_int_equal(place.point.y, 1024);

    assert_true(vn_corridor_advance(corridor, -1) == 3.5);
    assert_true(vn_corridor_advance(corridor, 100) == 0);
    assert_true(info_of(corridor).position.y == 3);
    vn_corridor_destroy(corridor);
    vn_space_destroy(space);
}

/// A path that crosses itself is followed from end to end.
static void test_crossing_path(void** state) {
    (void)state;
    vn_space* space = open_space(8);
    vn_corridor* corridor = make_corridor(8);
    const vn_point path[4] = {{1024, 4096, 1024}, {7168, 4096, 1024}, {4096, 7168, 1024}, {4096, 1024, 1024}};
    assert_int_equal(vn_corridor_set(corridor, space, path, 4), VN_OK);
    for (int i = 0; i <= 60; ++i) {
        const vn_dvec3 at = {1 + 0.1 * i, 4 + 0.0003, 1}; // beside it by a third of a step
        assert_int_equal(vn_corridor_advance_to_position(corridor, space, at), VN_OK);
        assert_int_equal(info_of(corridor).segment, i < 60 ? 0 : 1);
    }

    vn_corridor_destroy(corridor);
    vn_space_destroy(space);
}

static void test_move_target(void** state) {
    (void)state;
    const vn_jobs jobs = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){8, 8, 8});
    for (int32_t i = 0; i < 56; ++i) // a wall at x = 4 with a gap at y = 7
        vnt_voxels_block(&voxels, 4, i % 7, i / 7);
    vn_space* space = vnt_voxels_cells(&voxels, &jobs);
    vn_corridor* corridor = make_corridor(5);
    const vn_point path[4] = {{1024, 1024, 1024}, {4096, 7168, 1024}, {5120, 7168, 1024}, {7168, 5000, 1024}};
    assert_int_equal(vn_corridor_move_target(corridor, space, path[3]), VN_NOT_FOUND);
    assert_int_equal(vn_corridor_set(corridor, space, path, 4), VN_OK);

    // extended: one corner more, and shortened to before the wall
    assert_int_equal(vn_corridor_move_target(corridor, space, (vn_point){7168, 1024, 1024}), VN_OK);
    assert_int_equal(info_of(corridor).point_count, 4);
    assert_true(fabs(info_of(corridor).length - (sqrt(9 + 36) + 1 + sqrt(4 + 36))) < 1e-9);
    assert_int_equal(vn_corridor_move_target_position(corridor, space, (vn_dvec3){3, 2, 1}), VN_OK);
    assert_int_equal(info_of(corridor).point_count, 2);

    // from here nothing beyond the wall is visible
    assert_int_equal(vn_corridor_move_target(corridor, space, (vn_point){7168, 1024, 1024}), VN_NOT_FOUND);
    assert_int_equal(vn_corridor_move_target(corridor, space, (vn_point){4600, 1024, 1024}), VN_BLOCKED);
    assert_int_equal(vn_corridor_move_target_position(corridor, space, (vn_dvec3){9, 2, 1}), VN_OUTSIDE);
    assert_int_equal(info_of(corridor).point_count, 2);
    vn_corridor_destroy(corridor);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

// ------------------------------------------------------------------------------------- advance, plainly

static bool sees_plainly(const vn_space* space, vn_point a, vn_point b) {
    const vn_point two[2] = {a, b};
    return vn_space_check_path(space, two, 2, NULL);
}

static bool is_inside_a_voxel(vn_point p) {
    return p.x % VN_LATTICE != 0 && p.y % VN_LATTICE != 0 && p.z % VN_LATTICE != 0;
}

/// Of a path, by brute force, in steps: the distance of the nearest place; and of the nearest one among those
/// that count (the nearest place of each segment, and the corners), are visible, and lie inside a voxel or
/// are a corner.
static void search_plainly(const vn_space* space, const vn_point* points, uint32_t count, vn_point at,
                           double* nearest, double* visible) {
    *nearest = *visible = INFINITY;
    for (uint32_t i = 0; i + 1 < count; ++i) {
        const vn_dvec3 way = {points[i + 1].x - points[i].x, points[i + 1].y - points[i].y,
                              points[i + 1].z - points[i].z};
        const vn_dvec3 to = {points[i + 1].x - at.x, points[i + 1].y - at.y, points[i + 1].z - at.z};
        const double length = follow_size(way);
        double least = INFINITY;
        vn_point there = points[i];
        for (double along = 0; along <= length; along += 1) {
            const vn_dvec3 place = {points[i].x + way.x * along / length,
                                    points[i].y + way.y * along / length,
                                    points[i].z + way.z * along / length};
            const double distance = follow_size(follow_minus(place, (vn_dvec3){at.x, at.y, at.z}));
            if (distance < least) {
                least = distance;
                there =
                    (vn_point){(int32_t)lround(place.x), (int32_t)lround(place.y), (int32_t)lround(place.z)};
            }
        }

        *nearest = least < *nearest ? least : *nearest;
        if (least < *visible && is_inside_a_voxel(there) && sees_plainly(space, at, there))
            *visible = least;
        if (follow_size(to) < *visible && sees_plainly(space, at, points[i + 1]))
            *visible = follow_size(to);
    }
}

/// The place lies on the path, is visible, never behind the last one, not nearer than the nearest, and as
/// near as it if that is visible; at least as near as every visible corner ahead.
static void test_advance_to_position_against_brute_force(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("advance", 1611));
    vn_corridor* corridor = make_corridor(4096);
    uint32_t asked = 0, found = 0;
    for (uint32_t i = 0; i < vnt_scale(20, 300); ++i) {
        follow_world w = follow_world_make(&rng);
        vn_path_request request;
        vn_path_result result;
        uint64_t random = vni_rng_next(&rng);
        if (follow_route(&rng, &w, &request, &result)) {
            uint32_t count;
            const vn_point* points = vn_query_points(w.query, &count);
            assert_int_equal(vn_corridor_set(corridor, w.space, points, count), VN_OK);
            for (uint32_t k = 0; k < 20; ++k) {
                vn_point at;
                double nearest, visible;
                const double before = info_of(corridor).remaining;
                assert_int_equal(vn_space_random_point(w.space, &random, &at), VN_OK);
                const vn_status status =
                    vn_corridor_advance_to_position(corridor, w.space, vn_space_point_to_world(w.space, at));
                const vn_corridor_info info = info_of(corridor);
                search_plainly(w.space, points, count, at, &nearest, &visible);
                ++asked;
                found += status == VN_OK;
                assert_int_equal(status == VN_OK, info.on_path);
                assert_true(info.remaining <= before + 1e-9);
                if (status != VN_OK) {
                    assert_true(info.remaining == before);
                    assert_true(before != info.length || visible == INFINITY);
                    continue;
                }

                assert_true(sees_plainly(w.space, at, follow_point(&w, info.place)));
                assert_true(info.offset / w.step >= nearest - 3);
                assert_true(before != info.length || info.offset / w.step <= visible + 1.5);
                if (k % 2 == 1)
                    assert_int_equal(vn_corridor_set(corridor, w.space, points, count), VN_OK);
            }
        }

        follow_world_free(&w);
    }

    print_message("%u positions, %u see their path\n", asked, found);
    assert_true(found > asked / 10);
    vn_corridor_destroy(corridor);
}

/// The look-ahead point is visible, on the path, within its distance, and not before the farthest visible
/// corner.
static void test_look_ahead_against_brute_force(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("look ahead", 1612));
    vn_corridor* corridor = make_corridor(4096);
    for (uint32_t i = 0; i < vnt_scale(40, 600); ++i) {
        follow_world w = follow_world_make(&rng);
        vn_path_request request;
        vn_path_result result;
        if (follow_route(&rng, &w, &request, &result)) {
            // as it was found, with corners that need not be flown
            request.refine = VN_REFINE_NONE;
            assert_int_equal(vn_query_find_path(w.query, &request, &result, NULL), VN_OK);
            uint32_t count;
            const vn_point* points = vn_query_points(w.query, &count);
            assert_int_equal(vn_corridor_set(corridor, w.space, points, count), VN_OK);
            for (uint32_t k = 0; k < 10; ++k) {
                vn_corridor_place place;
                const double metres = result.length * vni_rng_real(&rng);
                const vn_corridor_info info = info_of(corridor);
                const vn_point here = follow_point(&w, info.position);
                if (vn_corridor_look_ahead(corridor, w.space, metres, &place) == VN_OK) {
                    double ahead = 0, farthest = 0;
                    vn_dvec3 last = info.position;
                    assert_true(place.ahead <= metres + w.step);
                    assert_true(sees_plainly(w.space, here, place.point));
                    for (uint32_t c = info.segment + 1; c < count; ++c) {
                        const vn_dvec3 corner = vn_space_point_to_world(w.space, points[c]);
                        ahead += follow_size(follow_minus(corner, last));
                        last = corner;
                        if (ahead <= metres && sees_plainly(w.space, here, points[c]))
                            farthest = ahead;
                    }

                    assert_true(place.ahead >= farthest - w.step);
                }

                (void)vn_corridor_advance(corridor, result.length * 0.1);
            }
        }

        follow_world_free(&w);
    }

    vn_corridor_destroy(corridor);
}

// ------------------------------------------------------------------------------------------------------ join

/// A path that begins where the agent was is not flown back to, and one that begins ahead is joined there.
static void test_join_is_ahead(void** state) {
    (void)state;
    const vn_jobs jobs = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){16, 16, 2});
    for (int32_t i = 0; i < 30; ++i) // a wall at y = 4 with an end at x = 15
        vnt_voxels_block(&voxels, i % 15, 4, i / 15);
    vn_space* space = vnt_voxels_cells(&voxels, &jobs);
    vn_corridor* corridor = make_corridor(16);
    bool joined = true;
    const vn_point path[4] = {{1024, 1024, 512}, {15360, 4096, 512}, {15360, 5120, 512}, {1024, 9216, 512}};
    const vn_point longer[5] = {
        {1024, 1024, 512}, {15360, 3000, 512}, {15360, 5120, 512}, {15360, 8000, 512}, {1024, 9216, 512}};
    const vn_point elsewhere[2] = {{1024, 12000, 512}, {9216, 12000, 512}};
    assert_int_equal(vn_corridor_join(corridor, space, path, 4, VN_JOIN_IF_SHORTER, &joined), VN_OK);
    assert_true(joined); // there was none
    (void)vn_corridor_advance(corridor, 6);
    const double remaining = info_of(corridor).remaining;

    // the same path again, from its beginning: nothing of it is flown twice
    assert_int_equal(vn_corridor_join(corridor, space, path, 4, VN_JOIN_ALWAYS, &joined), VN_OK);
    assert_true(joined);
    assert_true(fabs(info_of(corridor).remaining - remaining) < 0.01);

    // a longer one to the same target is refused or taken, by the rule
    assert_int_equal(vn_corridor_join(corridor, space, longer, 5, VN_JOIN_IF_SHORTER, &joined), VN_OK);
    assert_false(joined);
    assert_int_equal(vn_corridor_join(corridor, space, elsewhere, 2, VN_JOIN_ALWAYS, &joined), VN_NOT_FOUND);
    assert_false(joined);
    assert_true(fabs(info_of(corridor).remaining - remaining) < 0.01);

    // from a place ahead of the agent, to another target
    vn_corridor_place place;
    assert_int_equal(vn_corridor_predict(corridor, 2, 2, &place), VN_OK);
    const vn_point next[3] = {place.point, {15360, 4096, 512}, {15360, 9216, 512}};
    assert_int_equal(vn_corridor_join(corridor, space, next, 3, VN_JOIN_IF_SHORTER, &joined), VN_OK);
    assert_true(joined);
    uint32_t count;
    const vn_point* points = vn_corridor_points(corridor, &count);
    assert_true(vn_space_check_path(space, points, count, NULL));
    assert_int_equal(points[count - 1].y, 9216);
    assert_true(info_of(corridor).remaining < remaining);

    // from a place behind the wall, which the agent does not see: the old path leads there
    assert_int_equal(vn_corridor_set(corridor, space, path, 4), VN_OK);
    assert_int_equal(vn_corridor_predict(corridor, 20, 1, &place), VN_OK);
    assert_int_equal(place.segment, 2);
    const vn_point behind[2] = {place.point, {9216, 12000, 512}};
    assert_int_equal(vn_corridor_join(corridor, space, behind, 2, VN_JOIN_ALWAYS, &joined), VN_OK);
    assert_true(joined);
    points = vn_corridor_points(corridor, &count);
    assert_true(vn_space_check_path(space, points, count, NULL));
    assert_true(info_of(corridor).remaining > 20);
    vn_corridor_destroy(corridor);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

typedef struct hindsight {
    uint32_t flights, joins, frames;
    double worst, sum, sum_first;
} hindsight;

/// Steps while the search is under way.
static void fly_on(follow_world* w, vn_corridor* corridor, vn_agent_motion* motion, follow_trace* trace) {
    const vn_steering_def def = vn_default_steering_def();
    for (int late = 0; late < 4 && motion->state != VN_FOLLOW_ARRIVED; ++late) {
        assert_int_equal(vn_steering_step(&def, corridor, w->space, 1.0 / 60, motion), VN_OK);
        follow_trace_add(trace, w, motion->position);
    }
}

/// The length of a flight from where the agent is along a path, if it brakes straight ahead first. From where
/// it stands it flies to the farthest point that the checker allows. Infinity if it allows none.
static double length_from(const follow_world* w, const vn_agent_motion* motion, const vn_point* points,
                          uint32_t count) {
    const double speed = follow_size(motion->velocity);
    const double brake = speed > 0 ? speed / (2 * vn_default_steering_def().acceleration) : 0;
    const vn_dvec3 v = motion->velocity, p = motion->position;
    const vn_dvec3 stand = {p.x + brake * v.x, p.y + brake * v.y, p.z + brake * v.z};
    vn_point way[4] = {follow_point(w, p)};
    double rest = 0;
    if (vn_space_point_from_world(w->space, stand, &way[1]) != VN_OK)
        return INFINITY;
    for (uint32_t i = count; i-- > 0;) {
        const vn_dvec3 to = vn_space_point_to_world(w->space, points[i]);
        if (i + 1 < count)
            rest += follow_size(follow_minus(vn_space_point_to_world(w->space, points[i + 1]), to));
        way[2] = points[i];
        way[3] = points[i + 1 < count ? i + 1 : i];
        if (vn_space_check_path(w->space, way, 4, NULL))
            return brake * speed + follow_size(follow_minus(to, stand)) + rest;
    }

    return INFINITY;
}

/// The length of a flight straight to the beginning of a path and along it; infinity if the checker refuses
/// that. Nothing is said of how the agent would turn.
static double plain_length_from(const follow_world* w, const vn_agent_motion* motion, const vn_point* points,
                                uint32_t count, double length) {
    const vn_point way[3] = {follow_point(w, motion->position), points[0], points[count > 1 ? 1 : 0]};
    const vn_dvec3 begin = vn_space_point_to_world(w->space, points[0]);
    return vn_space_check_path(w->space, way, 3, NULL)
               ? follow_size(follow_minus(begin, motion->position)) + length
               : INFINITY;
}

/// A search from where the agent will be, whose result comes four frames later. Returns the length of the
/// whole flight by that path, the lesser one of both measures.
static double join_once(follow_world* w, vn_corridor* corridor, vn_path_request* request,
                        vn_agent_motion* motion, follow_trace* trace, hindsight* h) {
    vn_corridor_place start;
    vn_path_result result;
    bool joined = false;
    uint32_t count;
    const double flown = trace->travelled, speed = follow_size(motion->velocity);
    assert_int_equal(vn_corridor_predict(corridor, 4.0 / 60, speed, &start), VN_OK);
    request->start = start.point;
    request->quality = (vn_quality)(trace->count % VN_QUALITY_COUNT);
    const vn_status found = vn_query_find_path(w->query, request, &result, NULL);
    const vn_point* points = vn_query_points(w->query, &count);
    double total = INFINITY;
    if (found == VN_OK)
        total = flown + fmin(length_from(w, motion, points, count),
                             plain_length_from(w, motion, points, count, result.length));
    fly_on(w, corridor, motion, trace);
    if (found != VN_OK || result.point_count < 2)
        return INFINITY;

    const vn_status status = vn_corridor_join(corridor, w->space, points, count, VN_JOIN_IF_SHORTER, &joined);
    assert_true(status == VN_OK || status == VN_NOT_FOUND);
    h->joins += joined;
    points = vn_corridor_points(corridor, &count);
    assert_true(vn_space_check_path(w->space, points, count, NULL));
    return total;
}

/// One flight with a new path every four frames.
static void fly_with_new_paths(follow_world* w, vn_corridor* corridor, vn_path_request* request,
                               const vn_path_result* result, hindsight* h) {
    static follow_trace trace;
    const vn_steering_def def = vn_default_steering_def();
    double best = result->length;
    uint32_t count;
    const vn_point* points = vn_query_points(w->query, &count);
    vn_agent_motion motion = vn_agent_motion_at(&def, result->start_position, (vn_dvec3){1, 0, 0});
    assert_int_equal(vn_corridor_set(corridor, w->space, points, count), VN_OK);
    follow_trace_begin(&trace, w, motion.position);
    while (motion.state != VN_FOLLOW_ARRIVED && trace.count < 6000) {
        const double total = join_once(w, corridor, request, &motion, &trace, h);
        best = total < best ? total : best;
    }

    assert_int_equal(motion.state, VN_FOLLOW_ARRIVED);
    follow_trace_check(&trace, w);
    const double ratio = trace.travelled / best;
    if (ratio > 1.02)
        fail_msg("flight %u: %.4f m, %.4f times the best path", h->flights, trace.travelled, ratio);
    h->worst = ratio > h->worst ? ratio : h->worst;
    h->sum += ratio;
    h->sum_first += trace.travelled / result->length;
    h->frames += trace.count - 1;
    ++h->flights;
}

/// With a new path all the time, from where the agent will be when it comes, no flight is longer than 1.02
/// times the best path found in hindsight: what was flown when that was searched, and that path, whether or
/// not an agent could turn into it.
static void test_new_paths_all_the_time(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("join", 1613));
    vn_corridor* corridor = make_corridor(4096);
    hindsight h = {0};
    for (uint32_t i = 0; i < vnt_scale(20, 1000); ++i) {
        follow_world w = follow_world_make(&rng);
        vn_path_request request;
        vn_path_result result;
        if (follow_route(&rng, &w, &request, &result))
            fly_with_new_paths(&w, corridor, &request, &result, &h);
        follow_world_free(&w);
    }

    print_message(
        "%u flights, %u frames, %u paths joined; flown: %.4f times the best path, at most %.4f; %.4f "
        "times the first\n",
        h.flights, h.frames, h.joins, h.sum / h.flights, h.worst, h.sum_first / h.flights);
    assert_true(h.flights > 0);
    vn_corridor_destroy(corridor);
}

/// Worlds in which agents once flew more than 1.02 times as far: a new path that was shorter by less than the
/// turn into it cost; an old path that counted as blocked, because the agent's place on it, rounded, does not
/// see past an edge that the path grazes; an agent a step beside such an edge, which crept along it.
///
/// Others in which they never arrived, or crept for long: a few steps beside a corner, every other step led
/// astray or was refused, and standing or creeping in between counted as an end of that; a line that only the
/// exact corner sees; the same between corners; steps that rounding turned aside by less than half.
///
/// And a new path that was taken too fast for its first corner, and flown past out of sight; an old path that
/// was judged by the agent's place beside it instead of where it flies to; an agent that braked straight
/// ahead before it turned; and an old path with a near corner, for which the agent slows down, judged as if
/// it did not.
static void test_known_worlds(void** state) {
    (void)state;
    static const vni_rng worlds[] = {
        {{0xe6fc2645e613d4f2, 0xe897b732d0860ac4, 0x75d4406274f334b5, 0xd819bc3c6c39b9cf}}, // turn
        {{0x473995c2ab888526, 0x89b463ae510b16c8, 0xd5c9fe5800ca7575, 0xef18dd072f59ba6e}}, // rounded place
        {{0xefe0526340398db7, 0xb0adac87c012eab9, 0x185a5252bf17f7f8, 0xd5dacf1e13b2f720}}, // creeps
        {{0x076482faafb3ef99, 0x89a394482b06f644, 0x4b7d5e56f47d75c5, 0xbe83ca87e27dae6a}}, // brakes
        {{0x369cafa8ff369bfa, 0x8908eeb9bcbc45cc, 0xf2fdc6a19ff27229, 0xfc1650553f25a895}}, // creeps back
        {{0x87b6c32b3781d8fa, 0x44763d6329b3d9d9, 0xdaed0db58f045f28, 0x29ddc76499e687ea}}, // needle eye
        {{0x61e6917912d77f28, 0x9e8b873ad422a567, 0x84cc26d3e476da3f, 0xb142c61de03bf8a2}}, // between corners
        {{0x07a8a952f41a9b26, 0xa4dbe0c557261e4d, 0xc87d96ba24c2d1f0, 0x23e247cb5d6a7205}}, // slides along
        {{0xe38b59b112643562, 0xe292315b364311d3, 0x59386842f8231957, 0xe67dcab47f8cbee8}}, // too fast
        {{0x5309bf7fbee22719, 0x7112bcab447a8c41, 0x605a81b8b542a896, 0x6f35f7b1964711d1}}, // place beside
        {{0x14f028bbc0fc227c, 0x40cdab4218c44fd4, 0xa3f72d947327812f, 0xaba7dae44647a711}}, // turn at speed
        {{0x28a44bd2f1ff16e0, 0xd87e6c787dad63ec, 0xc0fe8e7cad562a4b, 0xd182b763b09ae85a}}, // planned corner
    };
    vn_corridor* corridor = make_corridor(4096);
    hindsight h = {0};
    for (uint32_t i = 0; i < sizeof worlds / sizeof *worlds; ++i) {
        vni_rng rng = worlds[i];
        follow_world w = follow_world_make(&rng);
        vn_path_request request;
        vn_path_result result;
        assert_true(follow_route(&rng, &w, &request, &result));
        fly_with_new_paths(&w, corridor, &request, &result, &h);
        follow_world_free(&w);
    }

    vn_corridor_destroy(corridor);
}

// ----------------------------------------------------------------------------------------------- allocations

/// No call but vn_corridor_create allocates: corridor, query and space count on one allocator.
static void test_steps_allocate_nothing(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_corridor_def def = vn_default_corridor_def();
    vn_corridor* corridor;
    vni_rng rng = vni_rng_make(vnt_seed("allocations", 1614));
    follow_world w = follow_shapes(&rng);
    vn_query_def query_def = vn_default_query_def();
    vn_path_request request;
    vn_path_result result;
    w.step = (double)w.space->resolution / VN_LATTICE;
    def.allocator = query_def.allocator = vnt_memory_allocator(&memory);
    assert_int_equal(vn_query_create(w.space, &query_def, &w.query, NULL), VN_OK);
    assert_int_equal(vn_corridor_create(&def, &corridor, NULL), VN_OK);
    assert_true(follow_route(&rng, &w, &request, &result));
    const uint64_t calls = memory.calls;

    uint32_t count;
    const vn_point* points = vn_query_points(w.query, &count);
    assert_int_equal(vn_corridor_set(corridor, w.space, points, count), VN_OK);
    const vn_steering_def steering = vn_default_steering_def();
    vn_agent_motion motion = vn_agent_motion_at(&steering, result.start_position, (vn_dvec3){1, 0, 0});
    for (int i = 0; i < 200; ++i) {
        vn_repair repair;
        bool joined;
        assert_int_equal(vn_steering_step(&steering, corridor, w.space, 1.0 / 60, &motion), VN_OK);
        request.start = follow_point(&w, motion.position);
        if (vn_query_find_path(w.query, &request, &result, NULL) == VN_OK) {
            points = vn_query_points(w.query, &count);
            (void)!vn_corridor_join(corridor, w.space, points, count, VN_JOIN_ALWAYS, &joined);
        }

        assert_int_equal(vn_corridor_repair(corridor, w.space, w.query, 100, &repair), VN_OK);
        (void)!vn_corridor_move_target(corridor, w.space, request.goal);
        (void)vn_space_slide(w.space, motion.position, (vn_dvec3){3, 0, 1});
    }

    assert_int_equal(memory.calls, calls);
    vn_corridor_destroy(corridor);
    follow_world_free(&w);
    assert_int_equal(memory.live_blocks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_bad_defs),
        cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_advance_and_corners),
        cmocka_unit_test(test_crossing_path),
        cmocka_unit_test(test_move_target),
        cmocka_unit_test(test_advance_to_position_against_brute_force),
        cmocka_unit_test(test_look_ahead_against_brute_force),
        cmocka_unit_test(test_join_is_ahead),
        cmocka_unit_test(test_new_paths_all_the_time),
        cmocka_unit_test(test_known_worlds),
        cmocka_unit_test(test_steps_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
