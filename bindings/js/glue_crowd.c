/// bindings/js/glue_crowd.c: crowds.
#include "glue_nav.h"
#include "volnav/crowd.h"

#include <stdlib.h>
#include <string.h>

/// A crowd with what JavaScript looks at in place.
typedef struct crowd {
    navigator* nav;
    vn_crowd* crowd;
    glue_list numbers; ///< doubles
    glue_list words;   ///< uint32_t
} crowd;

EXPORT(js_crowd_destroy) void js_crowd_destroy(crowd* c) {
    if (c != NULL) {
        vn_crowd_destroy(c->crowd);
        glue_free(&c->numbers);
        glue_free(&c->words);
        js_nav_destroy(c->nav);
        free(c);
    }
}

/// out: the handle.
EXPORT(js_crowd_create)
int js_crowd_create(navigator* nav, uint32_t most, uint32_t mover_flags, double patience, int ticks) {
    vn_crowd_def def = vn_default_crowd_def();
    crowd* c = calloc(1, sizeof *c);
    vn_status status = VN_OUT_OF_MEMORY;
    def.max_agents = most;
    def.mover_flags = mover_flags;
    def.patience = patience;
    def.ticks = ticks != 0;
    glue_begin();
    if (c != NULL) {
        c->nav = nav;
        ++nav->users;
        status = vn_crowd_create(nav->nav, &def, &c->crowd, glue_begin());
    }
    if (status != VN_OK) {
        js_crowd_destroy(c);
        c = NULL;
    }
    glue_put_pointer(0, c);
    return glue_done(status);
}

/// `n`: position, radius, speed, acceleration, turn rate, climb, priority, arrival; negative: as by default.
/// out: the id.
EXPORT(js_crowd_add) int js_crowd_add(crowd* c, const double* n) {
    vn_agent_def def = vn_default_agent_def();
    vn_agent_id id = {0};
    float* const to[] = {&def.radius,        &def.max_speed, &def.max_acceleration,
                         &def.max_turn_rate, &def.max_climb, &def.priority};
    def.position = glue_position(n);
    for (int i = 0; i < 6; ++i)
        if (n[3 + i] >= 0)
            *to[i] = (float)n[3 + i];
    if (n[9] >= 0)
        def.arrival = n[9];
    const vn_status status = vn_crowd_add_agent(c->crowd, &def, &id, glue_begin());
    glue_out[0] = id.index1;
    glue_out[1] = id.generation;
    return glue_done(status);
}

static vn_agent_id agent_of(uint32_t index1, uint32_t generation) {
    return (vn_agent_id){index1, generation};
}

EXPORT(js_crowd_remove) int js_crowd_remove(crowd* c, uint32_t index1, uint32_t generation) {
    glue_begin();
    return glue_done(vn_crowd_remove_agent(c->crowd, agent_of(index1, generation)));
}
EXPORT(js_crowd_go)
int js_crowd_go(crowd* c, uint32_t index1, uint32_t generation, double x, double y, double z, double snap) {
    glue_begin();
    return glue_done(vn_crowd_go_to(c->crowd, agent_of(index1, generation), (vn_dvec3){x, y, z}, snap));
}
EXPORT(js_crowd_follow)
int js_crowd_follow(crowd* c, uint32_t index1, uint32_t generation, uint32_t leader1,
                    uint32_t leader_generation, double distance) {
    glue_begin();
    return glue_done(vn_crowd_follow_agent(c->crowd, agent_of(index1, generation),
                                           agent_of(leader1, leader_generation), distance));
}
EXPORT(js_crowd_stop) int js_crowd_stop(crowd* c, uint32_t index1, uint32_t generation) {
    glue_begin();
    return glue_done(vn_crowd_stop(c->crowd, agent_of(index1, generation)));
}
EXPORT(js_crowd_place)
int js_crowd_place(crowd* c, uint32_t index1, uint32_t generation, const double* position,
                   const double* velocity) {
    const vn_vec3 v = {(float)velocity[0], (float)velocity[1], (float)velocity[2]};
    glue_begin();
    return glue_done(
        vn_crowd_place_agent(c->crowd, agent_of(index1, generation), glue_position(position), v));
}
EXPORT(js_crowd_update) int js_crowd_update(crowd* c, double seconds) {
    return glue_done(vn_crowd_update(c->crowd, seconds, glue_begin()));
}

// ------------------------------------------------------------------------------------------------------ view

static void put_agent(const vn_agent_info* a, size_t i, size_t n, double* to) {
    memcpy(to + 3 * i, &a->position, sizeof a->position);
    to[3 * n + 3 * i] = (double)a->velocity.x;
    to[3 * n + 3 * i + 1] = (double)a->velocity.y;
    to[3 * n + 3 * i + 2] = (double)a->velocity.z;
    memcpy(to + 6 * n + 3 * i, &a->target, sizeof a->target);
    double* q = to + 9 * n + 4 * i;
    q[0] = (double)a->orientation.x, q[1] = (double)a->orientation.y;
    q[2] = (double)a->orientation.z, q[3] = (double)a->orientation.w;
    to[13 * n + i] = a->distance;
}

/// out: agents, where their numbers are (position, velocity, target, orientation, distance, each of all
/// agents) and their words (slot, generation, state).
EXPORT(js_crowd_view) int js_crowd_view(crowd* c) {
    vn_crowd_stats stats;
    vn_agent_id id;
    vn_agent_info info;
    glue_begin();
    vn_crowd_get_stats(c->crowd, &stats);
    const size_t n = stats.agents;
    double* numbers = glue_room(&c->numbers, 14 * n * sizeof *numbers);
    uint32_t* words = glue_room(&c->words, 3 * n * sizeof *words);
    if (numbers == NULL || words == NULL)
        return glue_done(VN_OUT_OF_MEMORY);

    size_t i = 0;
    for (uint32_t at = 0; i < n && vn_crowd_next_agent(c->crowd, &at, &id); ++i) {
        if (vn_crowd_get_agent(c->crowd, id, &info) != VN_OK)
            break;
        put_agent(&info, i, n, numbers);
        words[i] = id.index1;
        words[n + i] = id.generation;
        words[2 * n + i] = info.state;
    }
    glue_out[0] = (double)n;
    glue_put_pointer(1, numbers);
    glue_put_pointer(2, words);
    return glue_done(i == n ? VN_OK : VN_BAD_DATA);
}

/// out: where its positions are, and how many; they live until the next view or path.
EXPORT(js_crowd_path) int js_crowd_path(crowd* c, uint32_t index1, uint32_t generation) {
    const vn_agent_id id = agent_of(index1, generation);
    uint32_t count = 0;
    glue_begin();
    const vn_status asked = vn_crowd_get_path(c->crowd, id, NULL, 0, &count);
    if (asked != VN_OK && asked != VN_CAPACITY)
        return glue_done(asked);
    vn_dvec3* to = glue_room(&c->numbers, (count + 1) * sizeof *to);
    if (to == NULL)
        return glue_done(VN_OUT_OF_MEMORY);

    const vn_status status = vn_crowd_get_path(c->crowd, id, to, count, &count);
    glue_put_pointer(0, to);
    glue_out[1] = count;
    return glue_done(status);
}

/// out: agents, in each of seven states, asked, answered, shared, fields, repaired, replanned.
EXPORT(js_crowd_stats) void js_crowd_stats(const crowd* c) {
    vn_crowd_stats s;
    vn_crowd_get_stats(c->crowd, &s);
    glue_out[0] = s.agents;
    for (int i = 0; i < 7; ++i)
        glue_out[1 + i] = s.in_state[i];
    const double numbers[] = {(double)s.asked,  (double)s.answered, (double)s.shared,
                              (double)s.fields, (double)s.repaired, (double)s.replanned};
    memcpy(glue_out + 8, numbers, sizeof numbers);
}
