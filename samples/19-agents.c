/// 19-agents: the game of 11-frame-loop-game with a crowd: 30 boxes move, 10 agents fly from goal to goal.
/// The crowd finds paths, follows and repairs them, and keeps agents apart. A minute at 60 Hz, or the seconds
/// given.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <volnav/volnav.h>

enum {
    BOXES = 30,
    AGENTS = 10,
    HZ = 60,
    MOVES = 1
}; // MOVES: the flag of obstacles that agents step aside for

static void check(vn_status status, const char* what) {
    if (status != VN_OK) {
        printf("%s: %s\n", what, vn_status_text(status));
        exit(1);
    }
}

/// Boxes go back and forth between two places, which are scattered by multiples of primes.
static vn_transform box_at(int i, int frame) {
    const vn_dvec3 from = {2 + i * 17 % 57, 2 + i * 5 % 9, 2 + i * 29 % 57},
                   to = {2 + (i * 43 + 30) % 56, 2 + i * 7 % 8, 2 + i * 31 % 53}, loop[] = {from, to, from};
    const vn_dvec3 at = vn_positions_along(loop, 3, fmod(3.0 * frame / HZ, vn_positions_length(loop, 3)));
    return vn_transform_at(at.x, at.y, at.z);
}

int main(int argc, char** argv) {
    const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {{-1.5f, -1.5f, -1.5f}, {1.5f, 1.5f, 1.5f}}};
    const vn_world_def world_def = vn_default_world_def();
    vn_obstacle_id boxes[BOXES];
    vn_world* world;
    check(vn_world_create(&world_def, &world), "world");
    for (int i = 0; i < BOXES; ++i) {
        const vn_transform at = box_at(i, 0);
        check(vn_world_add_moving(world, &box, &at, &boxes[i], NULL), "box");
        check(vn_world_set_flags(world, boxes[i], MOVES), "flags");
    }

    vn_nav_def def = vn_default_nav_def();
    def.mode = VN_NAV_LOCKSTEP; // a game would use VN_NAV_REALTIME, and workers
    def.space.resolution = 0.5f;
    def.space.has_bounds = true;
    def.space.bounds.max = (vn_vec3){60, 12, 60};
    def.layers[0] = (vn_layer_def){.radius = 0.5f};                      // to plan in
    def.layers[1] = (vn_layer_def){.radius = 0.5f, .open_flags = MOVES}; // the walls alone
    def.layer_count = 2;
    vn_nav* nav;
    check(vn_nav_create(world, &def, &nav, NULL), "nav");

    vn_crowd_def crowd_def = vn_default_crowd_def();
    crowd_def.mover_flags = MOVES;
    vn_crowd* crowd;
    check(vn_crowd_create(nav, &crowd_def, &crowd, NULL), "crowd");
    vn_agent_id agents[AGENTS];
    uint64_t version, random = 1;
    const vn_space* space = vn_nav_pin(nav, 0.5, 0, &version);
    for (int i = 0; i < AGENTS; ++i) {
        vn_agent_def agent = vn_default_agent_def();
        agent.radius = 0.5f;
        check(vn_space_random_position(space, &random, &agent.position), "start");
        check(vn_crowd_add_agent(crowd, &agent, &agents[i], NULL), "agent");
    }

    int arrivals = 0;
    for (int frame = 1; frame <= (argc > 1 ? atoi(argv[1]) : 60) * HZ; ++frame) {
        for (int i = 0; i < BOXES; ++i) {
            const vn_transform at = box_at(i, frame);
            check(vn_nav_move(nav, boxes[i], &at, NULL), "move");
        }

        check(vn_crowd_update(crowd, 1.0 / HZ, NULL), "update");
        for (int i = 0; i < AGENTS; ++i) {
            vn_agent_info info;
            check(vn_crowd_get_agent(crowd, agents[i], &info), "agent");
            arrivals += info.state == VN_AGENT_ARRIVED;
            if (info.state == VN_AGENT_ARRIVED || info.state == VN_AGENT_IDLE) {
                vn_dvec3 goal;
                check(vn_space_random_position(space, &random, &goal), "goal");
                check(vn_crowd_go_to(crowd, agents[i], goal, 8), "target");
            }
        }
    }

    printf("%d agents have arrived %d times\n", AGENTS, arrivals);
    vn_crowd_destroy(crowd);
    vn_nav_destroy(nav);
    return arrivals > 0 ? 0 : 1;
}
