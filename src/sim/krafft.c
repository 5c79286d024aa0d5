/// sim/krafft.c: the test environment of Krafft 2019 (4.1.2, 5.2) and Krafft 2021 (chapter 3, figure 10).
///
/// What the theses say: a cuboid of 64 x 56 x 16 units (x, y, z), cells of 1 unit; white static objects;
/// green obstacles that move at constant speed between patrol points, red ones that turn about their z axis,
/// dark blue ones about their x axis, light blue ones that appear and disappear on a set timer; 16 moving
/// obstacles (2021); all pass through each other and through what is static, all move roughly at the same
/// speed, slower than the agent. A sphere starts top left and wants to the bottom right (2019; mirrored in
/// 2021). The goal is static, moves along y at its side of the environment, or moves horizontally; it is
/// slower than the agent too. Nothing is random.
///
/// What only the figures show, and is chosen here: the walls, which obstacle is where, how large it is, how
/// many there are of each colour, all speeds and times, and the agent's radius. The choice is held against
/// what the theses measured: 6-connected A* finds 130.28 units on average and Theta* 98.28, A* expands 28,296
/// cells, and 13,696 cells are blocked by a moving obstacle at some time (tests/unit/sim/test_krafft.c).
///
/// The seed: 0 is the scene as it is drawn here. Any other draws where each obstacle is in its cycle at time
/// 0, and changes nothing else.
#include <assert.h>

#include "sim/moving_inside.h"
#include "sim/turn.h"
#include "sim/vec.h"

static const double patrol_speed = 3, goal_speed = 2, agent_speed = 6, agent_radius = 0.4;

/// All reach from z = 0 to z = 16.
static const struct {
    float left, bottom, right, top;
} walls[] = {
    {14, 28, 16, 56}, // hangs on the left: the way leads below it
    {30, 0, 32, 30},  // stands in the middle: the way leads above it
    {46, 24, 48, 56}, // hangs on the right
    {0, 36, 6, 38},   // shelves at the sides
    {58, 32, 64, 34},
};

typedef struct krafft_mover {
    vn_motion_kind kind;
    vn_vec3 at, half;
    vn_vec3 to;   ///< patrol: between `at` and here
    int axis;     ///< turn
    float sign;   ///< turn: which way
    double phase; ///< 0 to 1: where in its cycle it is at time 0
} krafft_mover;

static const krafft_mover movers[] = {
    {.kind = VN_MOTION_PATROL, .at = {3, 46, 5}, .to = {11, 46, 5}, .half = {2.5f, 2, 5}},
    {.kind = VN_MOTION_PATROL, .at = {22, 5, 8}, .to = {22, 22, 8}, .half = {2, 2, 5}, .phase = 0.3},
    {.kind = VN_MOTION_PATROL, .at = {23, 40, 4}, .to = {40, 40, 4}, .half = {2.5f, 2, 4}, .phase = 0.1},
    {.kind = VN_MOTION_PATROL, .at = {40, 43, 12}, .to = {23, 43, 12}, .half = {2.5f, 2, 4}, .phase = 0.1},
    {.kind = VN_MOTION_PATROL, .at = {47, 18, 4}, .to = {47, 18, 12}, .half = {2, 2.5f, 4}},
    {.kind = VN_MOTION_PATROL, .at = {54, 26, 9}, .to = {54, 46, 9}, .half = {3, 2, 5}, .phase = 0.4},

    {.kind = VN_MOTION_TURN, .at = {8, 20, 8}, .half = {6.5f, 1, 5}, .axis = 2, .sign = 1},
    {.kind = VN_MOTION_TURN, .at = {23, 30, 8}, .half = {5.5f, 1, 5}, .axis = 2, .sign = -1, .phase = 0.2},
    {.kind = VN_MOTION_TURN, .at = {39, 26, 8}, .half = {5.5f, 1, 5}, .axis = 2, .sign = 1, .phase = 0.4},
    {.kind = VN_MOTION_TURN, .at = {54, 10, 8}, .half = {6, 1, 5}, .axis = 2, .sign = -1, .phase = 0.6},

    {.kind = VN_MOTION_TURN, .at = {8, 30, 8}, .half = {4, 1, 6.5f}, .axis = 0, .sign = 1},
    {.kind = VN_MOTION_TURN, .at = {39, 12, 8}, .half = {4, 1, 6.5f}, .axis = 0, .sign = -1, .phase = 0.3},
    {.kind = VN_MOTION_TURN, .at = {54, 20, 8}, .half = {3, 1, 6.5f}, .axis = 0, .sign = 1, .phase = 0.6},

    {.kind = VN_MOTION_BLINK, .at = {15, 25, 8}, .half = {1, 3, 8}},
    {.kind = VN_MOTION_BLINK, .at = {31, 32, 8}, .half = {1, 2, 8}, .phase = 0.33},
    {.kind = VN_MOTION_BLINK, .at = {47, 10, 8}, .half = {1, 5, 8}, .phase = 0.66},
};

static_assert(sizeof movers / sizeof *movers == VNI_KRAFFT_MOVERS, "16 as in Krafft 2021");

/// Where agent and goal are, and how far the goal goes.
static const vn_vec3 start = {1.5f, 54.5f, 8.5f}, goal = {62.5f, 1.5f, 8.5f}, goal_up = {62.5f, 25.5f, 8.5f},
                     goal_aside = {38.5f, 1.5f, 8.5f};

static vn_vec3 place(vn_vec3 p, bool mirrored) {
    return (vn_vec3){mirrored ? 64 - p.x : p.x, p.y, p.z};
}

/// Tips of rotors are about as fast as patrols; blinkers are there for 4 seconds and away for 4. A mirror
/// image turns the other way about z, and the same way about x.
static double set_motion(vn_motion* motion, const krafft_mover* k, bool mirrored, vn_vec3 ends[2]) {
    ends[0] = place(k->at, mirrored);
    ends[1] = place(k->to, mirrored);
    *motion = (vn_motion){.kind = k->kind, .position = ends[0]};
    if (k->kind == VN_MOTION_PATROL) {
        motion->points = ends;
        motion->point_count = 2;
        motion->speed = patrol_speed;
        return 2 * vni_length(vni_difference(vni_exact(ends[1]), vni_exact(ends[0]))) / patrol_speed;
    }

    if (k->kind == VN_MOTION_BLINK) {
        motion->on = motion->off = 4;
        return motion->on + motion->off;
    }

    const vn_dvec3 h = vni_exact(k->half);
    const double radius = vni_length(k->axis == 0 ? (vn_dvec3){0, h.y, h.z} : (vn_dvec3){h.x, h.y, 0});
    const double rate = patrol_speed / (VNI_TAU * radius);
    motion->axis = k->axis;
    motion->turns_per_second = (mirrored && k->axis == 2 ? -rate : rate) * (double)k->sign;
    return 1 / rate;
}

static vn_status add_movers(vn_moving_scene* scene, const vn_moving_scene_def* def, vn_detail* detail) {
    uint64_t random = vni_random_of(def->seed, 0);
    for (uint32_t i = 0; i < VNI_KRAFFT_MOVERS; ++i) {
        const krafft_mover* k = &movers[i];
        const double drawn = vni_random_real(&random, 0, 1);
        vn_mover_def mover = vn_default_mover_def();
        vn_vec3 ends[2];
        const double cycle = set_motion(&mover.motion, k, def->mirrored, ends);
        mover.motion.offset = (def->seed == 0 ? k->phase : drawn) * cycle;
        mover.shape.as.box = (vn_box){{-k->half.x, -k->half.y, -k->half.z}, k->half};
        const vn_status status = vni_moving_add(scene, &mover, detail);
        if (status != VN_OK) {
            return status;
        }
    }

    return VN_OK;
}

static vn_status add_goal(vn_moving_scene* scene, const vn_moving_scene_def* def, vn_detail* detail) {
    vn_mover_def mover = vn_default_mover_def();
    const vn_vec3 ends[2] = {
        place(goal, def->mirrored),
        place(def->goal == VN_GOAL_MOTION_VERTICAL ? goal_up : goal_aside, def->mirrored)};
    mover.motion = (vn_motion){.kind = def->goal == VN_GOAL_MOTION_NONE ? VN_MOTION_STILL : VN_MOTION_PATROL,
                               .position = ends[0],
                               .points = ends,
                               .point_count = 2,
                               .speed = goal_speed};
    return vni_mover_create(&scene->goal, &mover, &scene->info.bounds, 0, &scene->allocator, VN_NO_INDEX,
                            detail);
}

vn_status vni_fill_krafft(vn_moving_scene* scene, const vn_moving_scene_def* def, vn_detail* detail) {
    static_assert(sizeof walls / sizeof *walls <= VNI_MAX_WALLS, "all walls fit");
    scene->info.walls = sizeof walls / sizeof *walls;
    for (uint32_t i = 0; i < scene->info.walls; ++i) {
        const float a = walls[i].left, b = walls[i].right;
        scene->walls[i] = (vn_box){{def->mirrored ? 64 - b : a, walls[i].bottom, 0},
                                   {def->mirrored ? 64 - a : b, walls[i].top, 16}};
    }

    scene->info.has_agent = true;
    scene->info.start = place(start, def->mirrored);
    scene->info.agent_radius = agent_radius;
    scene->info.agent_speed = agent_speed;
    const vn_status status = add_goal(scene, def, detail);
    return status == VN_OK ? add_movers(scene, def, detail) : status;
}
