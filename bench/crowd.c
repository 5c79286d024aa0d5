/// bench/crowd.c: agents of a crowd that go to one target: the first update, in which they get their paths,
/// with a shared cost field and without; and an update later, while they fly. One thread, no workers. The
/// world is what bench.h makes: a cube of 256 voxels with 120 boxes.
#include "bench.h"

#define PASSES 5
#define FRAMES 60

enum { ALONE, SHARED, WAYS };

typedef struct row {
    double plan, fly;   ///< seconds, least of all passes; `fly` of one update
    double length;      ///< of all paths, metres
    uint32_t with_path; ///< agents
} row;

/// The first update asks, the second has the answers of a nav without workers.
static row run(int how, uint32_t agents, const vn_space_def* space_def, uint32_t seed) {
    vn_nav_def def = vn_default_nav_def();
    vn_crowd_def crowd_def = vn_default_crowd_def();
    vn_agent_def agent = vn_default_agent_def();
    vn_detail detail = {0};
    vn_space_def unused;
    vn_nav* nav;
    vn_crowd* crowd;
    vn_dvec3 goal;
    uint64_t version, random = seed;
    row out = {0};
    def.space = *space_def;
    def.layers[0].radius = agent.radius;
    def.max_requests = agents;
    vnb_must(vn_nav_create(vnb_world(256, 120, 7, &unused), &def, &nav, &detail), &detail);
    crowd_def.max_agents = agents;
    crowd_def.share_from = how == SHARED ? 2 : 0;
    vnb_must(vn_crowd_create(nav, &crowd_def, &crowd, &detail), &detail);

    const vn_space* space = vn_nav_pin(nav, (double)agent.radius, 0, &version);
    vnb_must(vn_space_random_position(space, &random, &goal), NULL);
    for (uint32_t i = 0; i < agents; ++i) {
        vn_agent_id id;
        vnb_must(vn_space_random_position(space, &random, &agent.position), NULL);
        vnb_must(vn_crowd_add_agent(crowd, &agent, &id, &detail), &detail);
        vnb_must(vn_crowd_go_to(crowd, id, goal, 0), NULL);
    }

    const double begin = vnb_seconds();
    for (int i = 0; i < 2; ++i)
        vnb_must(vn_crowd_update(crowd, 1.0 / 60, &detail), &detail);
    const double planned = vnb_seconds();
    vn_agent_id id;
    for (uint32_t at = 0; vn_crowd_next_agent(crowd, &at, &id);) {
        vn_agent_info info;
        vnb_must(vn_crowd_get_agent(crowd, id, &info), NULL);
        out.with_path += info.distance >= 0;
        out.length += info.distance >= 0 ? info.distance : 0;
    }

    const double flying = vnb_seconds();
    for (int i = 0; i < FRAMES; ++i)
        vnb_must(vn_crowd_update(crowd, 1.0 / 60, &detail), &detail);
    out.plan = planned - begin;
    out.fly = (vnb_seconds() - flying) / FRAMES;
    vn_crowd_destroy(crowd);
    vnb_must(vn_nav_unpin(nav, version), NULL);
    vn_nav_destroy(nav);
    return out;
}

static void measure(uint32_t agents, const vn_space_def* def) {
    static const char* const names[WAYS] = {"each its own", "one field"};
    row best[WAYS] = {{0}};
    for (uint32_t pass = 0; pass < PASSES; ++pass)
        for (uint32_t turn = 0; turn < WAYS; ++turn) {
            const uint32_t how = rotation_at(WAYS, pass, turn);
            const row now = run((int)how, agents, def, 11);
            const row old = best[how];
            best[how] = now;
            best[how].plan = pass > 0 && old.plan < now.plan ? old.plan : now.plan;
            best[how].fly = pass > 0 && old.fly < now.fly ? old.fly : now.fly;
        }

    for (uint32_t i = 0; i < WAYS; ++i)
        printf("%7u %-14s %10.3f %8.2f %10u %10.1f %12.2f\n", agents, names[i], best[i].plan * 1e3,
               best[i].plan / best[ALONE].plan, best[i].with_path, best[i].length,
               best[i].fly * 1e6 / agents);
}

int main(void) {
    static const uint32_t counts[] = {10, 100, 1000};
    vn_space_def def;
    vn_space* space;
    vn_detail detail = {0};
    vn_world* world = vnb_world(256, 120, 7, &def);
    vnb_must(vn_space_bake(world, &def, &space, &detail), &detail);
    vnb_print_space(space);
    vn_space_destroy(space);
    vn_world_destroy(world);

    printf("%7s %-14s %10s %8s %10s %10s %12s\n", "agents", "paths", "ms", "time", "with path", "metres",
           "us per agent");
    for (uint32_t i = 0; i < sizeof counts / sizeof *counts; ++i)
        measure(counts[i], &def);
    return 0;
}
