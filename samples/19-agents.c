/// 19-agents: the game of 11-frame-loop-game with a crowd: 30 boxes move, 10 agents fly from goal to goal.
/// The crowd finds paths, follows and repairs them, and keeps agents apart. A minute at 60 Hz, or the seconds
/// given.
#include <stdio.h>
#include <stdlib.h>
#include <volnav/volnav.h>

enum { BOXES = 30, AGENTS = 10, HZ = 60, MOVES = 1 }; // MOVES: the flag of what agents step aside for

static void check(vn_status status) {
    if (status != VN_OK)
        exit(puts(vn_status_text(status)) >= 0);
}

/// Places in a hall of 60 x 12 x 60 metres, scattered by multiples of primes.
static vn_dvec3 place(int i) {
    return (vn_dvec3){2 + i * 17 % 56, 2 + i * 5 % 9, 2 + i * 29 % 57};
}

/// Each box goes to another place and back.
static vn_transform box_at(int i, int frame) {
    const vn_dvec3 loop[] = {place(i), place(7 * i + 3), place(i)};
    const vn_dvec3 at = vn_positions_along(loop, 3, 3.0 * frame / HZ);
    return vn_transform_at(at.x, at.y, at.z);
}

int main(void) {
    const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {{-1.5f, -1.5f, -1.5f}, {1.5f, 1.5f, 1.5f}}};
    const vn_world_def world_def = vn_default_world_def();
    vn_nav_def nav_def = vn_default_nav_def();
    nav_def.space.resolution = 0.5f;
    nav_def.space.has_bounds = true;
    nav_def.space.bounds.max = (vn_vec3){60, 12, 60};
    nav_def.layers[0].radius = nav_def.layers[1].radius = 0.4f; // to plan in, and the walls alone
    nav_def.layers[1].open_flags = MOVES;
    nav_def.layer_count = 2;
    vn_world* world;
    vn_nav* nav;
    check(vn_world_create(&world_def, &world));
    check(vn_nav_create(world, &nav_def, &nav, NULL));

    vn_crowd_def crowd_def = vn_default_crowd_def();
    vn_agent_def agent_def = vn_default_agent_def();
    vn_crowd* crowd;
    vn_agent_id agents[AGENTS];
    crowd_def.mover_flags = MOVES;
    check(vn_crowd_create(nav, &crowd_def, &crowd, NULL));
    for (int i = 0; i < AGENTS; ++i) {
        agent_def.position = place(100 + 13 * i);
        check(vn_crowd_add_agent(crowd, &agent_def, &agents[i], NULL));
    }

    vn_obstacle_id boxes[BOXES];
    int goals = 0;
    for (int frame = 0; frame < 60 * HZ; ++frame) {
        for (int i = 0; i < BOXES; ++i) {
            const vn_transform at = box_at(i, frame);
            check(frame == 0 ? vn_nav_add_moving(nav, &box, &at, MOVES, &boxes[i], NULL)
                             : vn_nav_move(nav, boxes[i], &at, NULL));
        }

        check(vn_crowd_update(crowd, 1.0 / HZ, NULL));
        for (int i = 0; i < AGENTS; ++i) {
            vn_agent_info info;
            check(vn_crowd_get_agent(crowd, agents[i], &info));
            if (info.state == VN_AGENT_ARRIVED || info.state == VN_AGENT_IDLE)
                check(vn_crowd_go_to(crowd, agents[i], place(31 * ++goals), 8));
        }
    }

    vn_crowd_destroy(crowd);
    vn_nav_destroy(nav);
    return printf("%d agents have arrived %d times\n", AGENTS, goals - AGENTS) < 0 || goals == AGENTS;
}
