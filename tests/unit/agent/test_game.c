/// agent: the game of samples/19-agents.c: 30 boxes move through a hall, and 10 agents fly from goal to goal.
/// No agent is ever in a box or a wall, and all keep arriving; with any number of workers, to the same byte.
#include "cmocka_all.h"
#include "support.h"
#include "volnav/crowd.h"
#include "volnav/path.h"

#include <math.h>
#include <stdio.h>

enum { BOXES = 30, AGENTS = 10, HZ = 60, MOVES = 1 };
static const double box_speed = 3, half = 1.5;
static const float radius = 0.5f;

typedef struct game {
    vn_nav* nav;
    vn_crowd* crowd;
    const vn_space* walls; ///< pinned
    uint64_t version, random, seed, hash;
    vn_obstacle_id boxes[BOXES];
    vn_agent_id agents[AGENTS];
    vn_dvec3 at[BOXES];
    uint64_t arrived[AGENTS], frames, touched;
    double least; ///< metres between an agent's centre and a box
} game;

// ----------------------------------------------------------------------------------------------------- boxes

/// Boxes go back and forth between two places, which depend on the seed.
static vn_dvec3 box_at(const game* g, int i, int frame) {
    const int k = i + (int)(g->seed % 1000) * 7;
    const vn_dvec3 from = {2 + k * 17 % 57, 2 + k * 5 % 9, 2 + k * 29 % 57},
                   to = {2 + (k * 43 + 30) % 56, 2 + k * 7 % 8, 2 + k * 31 % 53}, loop[] = {from, to, from};
    return vn_positions_along(loop, 3, fmod(box_speed * frame / HZ, vn_positions_length(loop, 3)));
}

static double distance_to_box(vn_dvec3 p, vn_dvec3 box) {
    const double x = fmax(fabs(p.x - box.x) - half, 0), y = fmax(fabs(p.y - box.y) - half, 0),
                 z = fmax(fabs(p.z - box.z) - half, 0);
    return sqrt(x * x + y * y + z * z);
}

static double nearest_box(const game* g, vn_dvec3 p) {
    double least = 1e9;
    for (int k = 0; k < BOXES; ++k)
        least = fmin(least, distance_to_box(p, g->at[k]));
    return least;
}

static void move_boxes(game* g, int frame) {
    for (int i = 0; i < BOXES; ++i) {
        g->at[i] = box_at(g, i, frame);
        const vn_transform transform = vn_transform_at(g->at[i].x, g->at[i].y, g->at[i].z);
        assert_int_equal(vn_nav_move(g->nav, g->boxes[i], &transform, NULL), VN_OK);
    }
}

// ---------------------------------------------------------------------------------------------------- start

static void make_nav(game* g, uint32_t workers) {
    const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {{-1.5f, -1.5f, -1.5f}, {1.5f, 1.5f, 1.5f}}};
    const vn_world_def world_def = vn_default_world_def();
    vn_nav_def def = vn_default_nav_def();
    vn_world* world;
    def.mode = VN_NAV_LOCKSTEP;
    def.workers = workers;
    def.space.resolution = 0.5f;
    def.space.has_bounds = true;
    def.space.bounds.max = (vn_vec3){60, 12, 60};
    def.layers[0].radius = def.layers[1].radius = radius;
    def.layers[1].open_flags = MOVES;
    def.layer_count = 2;

    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    for (int i = 0; i < BOXES; ++i) {
        g->at[i] = box_at(g, i, 0);
        const vn_transform at = vn_transform_at(g->at[i].x, g->at[i].y, g->at[i].z);
        assert_int_equal(vn_world_add_moving(world, &box, &at, &g->boxes[i], NULL), VN_OK);
        assert_int_equal(vn_world_set_flags(world, g->boxes[i], MOVES), VN_OK);
    }

    assert_int_equal(vn_nav_create(world, &def, &g->nav, NULL), VN_OK);
    g->walls = vn_nav_pin(g->nav, (double)radius, MOVES, &g->version);
}

/// Agents begin where no box is that could reach them before they can move: at 10 m/s2 they need 0.3 s to
/// outrun one.
static void add_agents(game* g) {
    for (int i = 0; i < AGENTS; ++i) {
        vn_agent_def def = vn_default_agent_def();
        def.radius = radius;
        do
            assert_int_equal(vn_space_random_position(g->walls, &g->random, &def.position), VN_OK);
        while (nearest_box(g, def.position) < 2);
        assert_int_equal(vn_crowd_add_agent(g->crowd, &def, &g->agents[i], NULL), VN_OK);
    }
}

static void start(game* g, uint64_t seed, uint32_t workers) {
    vn_crowd_def def = vn_default_crowd_def();
    *g = (game){.seed = seed, .random = seed, .least = 1e9};
    make_nav(g, workers);
    def.mover_flags = MOVES;
    assert_int_equal(vn_crowd_create(g->nav, &def, &g->crowd, NULL), VN_OK);
    add_agents(g);
}

static void end(game* g) {
    vn_crowd_destroy(g->crowd);
    assert_int_equal(vn_nav_unpin(g->nav, g->version), VN_OK);
    vn_nav_destroy(g->nav);
}

// --------------------------------------------------------------------------------------------------- playing

static void mix(game* g, const void* data, size_t size) {
    const unsigned char* bytes = data;
    for (size_t i = 0; i < size; ++i)
        g->hash = (g->hash ^ bytes[i]) * 0x100000001b3u;
}

static void judge(game* g, int i) {
    vn_agent_info info;
    assert_int_equal(vn_crowd_get_agent(g->crowd, g->agents[i], &info), VN_OK);
    assert_true(vn_space_position_free(g->walls, info.position));
    const double least = nearest_box(g, info.position);
    g->touched += least < (double)radius;
    g->least = fmin(g->least, least);
    ++g->frames;
    mix(g, &info.position, sizeof info.position);
    mix(g, &info.orientation, sizeof info.orientation);

    if (info.state == VN_AGENT_ARRIVED || info.state == VN_AGENT_IDLE) {
        vn_dvec3 goal;
        g->arrived[i] += info.state == VN_AGENT_ARRIVED;
        assert_int_equal(vn_space_random_position(g->walls, &g->random, &goal), VN_OK);
        assert_int_equal(vn_crowd_go_to(g->crowd, g->agents[i], goal, 8), VN_OK);
    }
}

static void play(game* g, int frames) {
    for (int frame = 1; frame <= frames; ++frame) {
        move_boxes(g, frame);
        assert_int_equal(vn_crowd_update(g->crowd, 1.0 / HZ, NULL), VN_OK);
        for (int i = 0; i < AGENTS; ++i)
            judge(g, i);
    }
}

/// A body that a box pushes against the ceiling, where exactly its radius is left, may touch it by
/// millimetres: more than a hundredth of a metre is not allowed.
static void test_game(void** state) {
    (void)state;
    static game g;
    const uint64_t seed = vnt_seed("agent game", 1);
    const uint32_t rounds = vnt_is_slow_build() ? vnt_scale(2, 40) : vnt_scale(2, 100);
    uint64_t touched = 0, frames = 0, arrivals = 0;
    double least = 1e9;
    for (uint32_t i = 0; i < rounds; ++i) {
        start(&g, seed + i, 0);
        play(&g, 60 * HZ);
        touched += g.touched;
        frames += g.frames;
        least = fmin(least, g.least);
        for (int k = 0; k < AGENTS; ++k) {
            assert_true(g.arrived[k] > 0);
            arrivals += g.arrived[k];
        }
        end(&g);
    }

    fprintf(stderr,
            "%llu agent-frames: %llu touch a box, the nearest centre is %.3f m from one; %llu arrivals\n",
            (unsigned long long)frames, (unsigned long long)touched, least, (unsigned long long)arrivals);
    assert_true(least > (double)radius - 0.01);
}

/// Positions and orientations of a game, with 0, 1 and 3 workers: the same bytes in every build.
static void test_workers(void** state) {
    (void)state;
    static game g;
    const uint64_t golden = 0x916abdc415aba773u;
    static const uint32_t workers[] = {0, 1, 3};
    for (uint32_t i = 0; i < (VOLNAV_THREADS ? 3 : 1); ++i) {
        start(&g, 5, workers[i]);
        play(&g, 10 * HZ);
        if (g.hash != golden)
            fprintf(stderr, "workers %u: 0x%016llx\n", (unsigned)workers[i], (unsigned long long)g.hash);
        assert_true(g.hash == golden);
        end(&g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_game), cmocka_unit_test(test_workers)};
    return cmocka_run_group_tests_name("agent/game", tests, NULL, NULL);
}
