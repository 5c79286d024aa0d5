/// tests/unit/agent/crowd_model.h: a plain model of a crowd, and calls that both must agree on.
///
/// The model keeps lists: agents with their targets, obstacles, ids that are stale. Every call goes through a
/// function here that predicts its status, makes the call, compares, and then notes it. A call that fails
/// must leave everything that can be read as it was. After each update all agents are judged by what the
/// headers promise. A failed check prints nothing by itself: the script prints seed and call first.
#ifndef VNT_AGENT_CROWD_MODEL_H
#define VNT_AGENT_CROWD_MODEL_H

#include "cmocka_all.h"
#include "support.h"

#include "base/rng.h"
#include "volnav/crowd.h"

#include <math.h>
#include <string.h>

enum {
    MODEL_AGENTS = 6,
    MODEL_OBSTACLES = 6,
    MODEL_GONE = 4,  ///< stale ids remembered
    MODEL_MOVES = 1, ///< flag of movers
    MODEL_POINTS = 64
};

typedef enum model_kind { MODEL_NONE, MODEL_POINT, MODEL_BOX, MODEL_AGENT, MODEL_OBSTACLE } model_kind;

typedef struct model_target {
    model_kind kind;
    vn_dvec3 low, high;
    double snap, distance;
    vn_agent_id leader;
    vn_obstacle_id obstacle;
} model_target;

typedef struct model_agent {
    bool alive;
    vn_agent_id id;
    vn_agent_def def;
    model_target target;
    vn_agent_info info; ///< before the update under way
} model_agent;

typedef struct model_obstacle {
    bool alive, moves;
    vn_obstacle_id id;
} model_obstacle;

typedef struct model {
    vn_nav* nav;
    vn_crowd* crowd;
    vn_crowd_def def;
    vni_rng rng;
    vnt_memory* memory;     ///< null: allocations do not fail
    uint64_t failures;      ///< before the call under way
    uint64_t failures_seen; ///< at the last update
    uint32_t late;          ///< updates that may still report a failure: a tick tells of the one before
    model_agent agents[MODEL_AGENTS];
    model_obstacle obstacles[MODEL_OBSTACLES];
    vn_agent_id gone[MODEL_GONE];
    uint32_t gone_count;
    uint64_t version; ///< of the nav, before the update under way
    double quiet;     ///< seconds since that has changed, or an agent was added, placed or given a target
    uint64_t trace;   ///< of all that was read
    uint64_t calls, updates, refused, excuses, in_state[7];
} model;

// ---------------------------------------------------------------------------------------------------- small

static inline double model_size(double x, double y, double z) {
    return sqrt(x * x + y * y + z * z);
}

static inline double model_apart(vn_dvec3 a, vn_dvec3 b) {
    return model_size(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline double model_speed(vn_vec3 v) {
    return model_size((double)v.x, (double)v.y, (double)v.z);
}

static inline bool model_is_finite(vn_dvec3 p) {
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

static inline double model_draw(model* m, double low, double high) {
    return low + (high - low) * vni_rng_real(&m->rng);
}

static inline model_agent* model_find(model* m, vn_agent_id id) {
    for (uint32_t i = 0; i < MODEL_AGENTS; ++i)
        if (m->agents[i].alive && m->agents[i].id.index1 == id.index1 &&
            m->agents[i].id.generation == id.generation)
            return &m->agents[i];
    return NULL;
}

static inline uint32_t model_count(const model* m) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < MODEL_AGENTS; ++i)
        count += m->agents[i].alive;
    return count;
}

// ------------------------------------------------------------------------------------------------- what is
// read

static inline uint64_t model_mix(uint64_t hash, const void* bytes, size_t size) {
    const unsigned char* p = bytes;
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}

#define MODEL_MIX(hash, field) ((hash) = model_mix((hash), &(field), sizeof(field)))

static inline uint64_t model_hash_agent(const model* m, vn_agent_id id, uint64_t hash) {
    vn_agent_info info;
    vn_dvec3 points[MODEL_POINTS];
    uint32_t count;
    assert_int_equal(vn_crowd_get_agent(m->crowd, id, &info), VN_OK);
    MODEL_MIX(hash, id.index1);
    MODEL_MIX(hash, id.generation);
    MODEL_MIX(hash, info.state);
    MODEL_MIX(hash, info.status);
    MODEL_MIX(hash, info.position);
    MODEL_MIX(hash, info.velocity);
    MODEL_MIX(hash, info.orientation);
    MODEL_MIX(hash, info.target);
    MODEL_MIX(hash, info.distance);
    MODEL_MIX(hash, info.version);
    assert_int_equal(vn_crowd_get_path(m->crowd, id, points, MODEL_POINTS, &count), VN_OK);
    return model_mix(hash, points, count * sizeof *points);
}

/// Of all that a host can read.
static inline uint64_t model_hash(const model* m) {
    vn_crowd_stats stats;
    vn_agent_id id;
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t at = 0; vn_crowd_next_agent(m->crowd, &at, &id);)
        hash = model_hash_agent(m, id, hash);
    vn_crowd_get_stats(m->crowd, &stats);
    MODEL_MIX(hash, stats.agents);
    MODEL_MIX(hash, stats.in_state);
    MODEL_MIX(hash, stats.asked);
    MODEL_MIX(hash, stats.answered);
    MODEL_MIX(hash, stats.shared);
    return hash;
}

/// Before a call.
static inline uint64_t model_begin(model* m) {
    ++m->calls;
    m->failures = m->memory != NULL ? m->memory->failures : 0;
    return model_hash(m);
}

/// After it: the status is the predicted one, or an allocation has failed; a failure changes nothing. True if
/// it succeeded.
static inline bool model_end(model* m, uint64_t before, vn_status expected, vn_status status) {
    const bool excused = status == VN_OUT_OF_MEMORY && m->memory != NULL && m->memory->failures > m->failures;
    if (!excused)
        assert_int_equal(status, expected);
    m->excuses += excused;
    m->refused += status != VN_OK;
    if (status != VN_OK)
        assert_true(model_hash(m) == before);
    return status == VN_OK;
}

// ---------------------------------------------------------------------------------------------------- agents

static inline uint32_t model_wall_flags(const model* m, const vn_agent_def* def) {
    return def->open_flags | m->def.mover_flags;
}

/// May an agent be there, in the newest version that the crowd has seen?
static inline vn_status model_place_status(const model* m, const vn_agent_def* def, vn_dvec3 position) {
    uint64_t version;
    vn_point point;
    if (!model_is_finite(position))
        return VN_BAD_ARGUMENT;
    const vn_space* space = vn_nav_pin(m->nav, (double)def->radius, model_wall_flags(m, def), &version);
    assert_non_null(space);
    vn_status status = vn_space_point_from_world(space, position, &point);
    if (status == VN_OK && !vn_space_point_free(space, point))
        status = VN_BLOCKED;
    assert_int_equal(vn_nav_unpin(m->nav, version), VN_OK);
    return status;
}

static inline vn_status model_expect_add(const model* m, const vn_agent_def* def) {
    if (def->cookie == 0)
        return VN_BAD_DEF;
    if (!(def->max_speed > 0))
        return VN_BAD_ARGUMENT;
    if (def->radius > 0.8f)
        return VN_UNSUPPORTED;
    const vn_status status = model_place_status(m, def, def->position);
    return status == VN_OK && model_count(m) == MODEL_AGENTS ? VN_CAPACITY : status;
}

static inline void model_add(model* m, const vn_agent_def* def) {
    vn_agent_id id;
    const vn_status expected = model_expect_add(m, def);
    const uint64_t before = model_begin(m);
    if (!model_end(m, before, expected, vn_crowd_add_agent(m->crowd, def, &id, NULL)))
        return;

    assert_true(id.index1 >= 1 && id.index1 <= MODEL_AGENTS);
    model_agent* a = &m->agents[id.index1 - 1];
    assert_false(a->alive);
    *a = (model_agent){.alive = true, .id = id, .def = *def};
    m->quiet = 0;
    assert_int_equal(vn_crowd_get_agent(m->crowd, id, &a->info), VN_OK);
    assert_int_equal(a->info.state, VN_AGENT_IDLE);
    assert_true(model_apart(a->info.position, def->position) == 0);
}

static inline void model_remove(model* m, vn_agent_id id) {
    model_agent* a = model_find(m, id);
    const uint64_t before = model_begin(m);
    if (!model_end(m, before, a != NULL ? VN_OK : VN_STALE_ID, vn_crowd_remove_agent(m->crowd, id)))
        return;
    a->alive = false;
    m->gone[m->gone_count++ % MODEL_GONE] = id;
}

static inline void model_place(model* m, vn_agent_id id, vn_dvec3 position, vn_vec3 velocity) {
    model_agent* a = model_find(m, id);
    vn_status expected = VN_STALE_ID;
    if (a != NULL)
        expected = isfinite(velocity.x) ? model_place_status(m, &a->def, position) : VN_BAD_ARGUMENT;
    const uint64_t before = model_begin(m);
    if (model_end(m, before, expected, vn_crowd_place_agent(m->crowd, id, position, velocity)))
        m->quiet = 0;
}

// --------------------------------------------------------------------------------------------------- targets

static inline vn_status model_expect_target(model* m, const model_agent* a, const model_target* t) {
    vn_transform transform;
    if (a == NULL || (t->kind == MODEL_AGENT && model_find(m, t->leader) == NULL))
        return VN_STALE_ID;
    switch (t->kind) {
    case MODEL_NONE: break;
    case MODEL_POINT: return model_is_finite(t->low) && t->snap >= 0 ? VN_OK : VN_BAD_ARGUMENT;
    case MODEL_BOX: return model_is_finite(t->low) && t->low.x <= t->high.x ? VN_OK : VN_BAD_ARGUMENT;
    case MODEL_AGENT: return t->distance >= 0 && t->leader.index1 != a->id.index1 ? VN_OK : VN_BAD_ARGUMENT;
    case MODEL_OBSTACLE:
        return t->distance >= 0 ? vn_nav_get_transform(m->nav, t->obstacle, &transform) : VN_BAD_ARGUMENT;
    }

    return VN_OK;
}

static inline vn_status model_call_target(const model* m, vn_agent_id id, const model_target* t) {
    switch (t->kind) {
    case MODEL_POINT: return vn_crowd_go_to(m->crowd, id, t->low, t->snap);
    case MODEL_BOX: return vn_crowd_go_into(m->crowd, id, t->low, t->high);
    case MODEL_AGENT: return vn_crowd_follow_agent(m->crowd, id, t->leader, t->distance);
    case MODEL_OBSTACLE: return vn_crowd_follow_obstacle(m->crowd, id, t->obstacle, t->distance);
    case MODEL_NONE: break;
    }

    return vn_crowd_stop(m->crowd, id);
}

/// A target moves no agent by itself: that is for the next update.
static inline void model_aim(model* m, vn_agent_id id, const model_target* target) {
    model_agent* a = model_find(m, id);
    vn_agent_info was, is;
    const vn_status expected = model_expect_target(m, a, target);
    if (a != NULL)
        assert_int_equal(vn_crowd_get_agent(m->crowd, id, &was), VN_OK);
    const uint64_t before = model_begin(m);
    if (!model_end(m, before, expected, model_call_target(m, id, target)))
        return;

    a->target = *target;
    m->quiet = 0;
    assert_int_equal(vn_crowd_get_agent(m->crowd, id, &is), VN_OK);
    assert_true(model_apart(was.position, is.position) == 0);
    assert_int_equal(was.state, is.state);
}

// --------------------------------------------------------------------------------------------------- judging

/// Is what it follows gone?
static inline bool model_has_lost(model* m, const model_agent* a) {
    vn_transform transform;
    if (a->target.kind == MODEL_AGENT)
        return model_find(m, a->target.leader) == NULL;
    return a->target.kind == MODEL_OBSTACLE &&
           vn_nav_get_transform(m->nav, a->target.obstacle, &transform) != VN_OK;
}

static inline double model_beyond(double x, double low, double high) {
    return x < low ? low - x : x > high ? x - high : 0;
}

/// How far the agent is from where its target counts as reached. Leaders count where they were before they
/// moved.
static inline double model_to_go(model* m, const model_agent* a, vn_dvec3 p) {
    const model_target* t = &a->target;
    vn_transform transform;
    switch (t->kind) {
    case MODEL_NONE: break;
    case MODEL_POINT: return model_apart(p, t->low) - t->snap;
    case MODEL_BOX:
        return model_size(model_beyond(p.x, t->low.x, t->high.x), model_beyond(p.y, t->low.y, t->high.y),
                          model_beyond(p.z, t->low.z, t->high.z));
    case MODEL_AGENT: return model_apart(p, model_find(m, t->leader)->info.position) - t->distance;
    case MODEL_OBSTACLE:
        assert_int_equal(vn_nav_get_transform(m->nav, t->obstacle, &transform), VN_OK);
        return model_apart(p, (vn_dvec3){(double)transform.position.x, (double)transform.position.y,
                                         (double)transform.position.z}) -
               t->distance;
    }

    return INFINITY;
}

static inline void model_judge_state(model* m, const model_agent* a, const vn_agent_info* now) {
    const bool lost = model_has_lost(m, a), has_path = now->distance >= 0;
    assert_non_null(vn_agent_state_name(now->state));
    assert_int_equal(now->state == VN_AGENT_IDLE, a->target.kind == MODEL_NONE);
    assert_int_equal(now->status == VN_OK, now->state != VN_AGENT_NO_PATH);
    if (lost)
        assert_int_equal(now->status, VN_STALE_ID);
    if (now->state == VN_AGENT_NO_PATH && !lost)
        assert_int_not_equal(now->status, VN_STALE_ID);
    if (now->state == VN_AGENT_MOVING || now->state == VN_AGENT_WAITING || now->state == VN_AGENT_STUCK)
        assert_true(has_path);
    if (now->state == VN_AGENT_PLANNING || now->state == VN_AGENT_NO_PATH || now->state == VN_AGENT_IDLE)
        assert_false(has_path);
    if (now->state == VN_AGENT_ARRIVED)
        assert_true(model_to_go(m, a, now->position) <= a->def.arrival + 2e-3); // steps of the lattice
    if (a->target.kind == MODEL_POINT)
        assert_true(model_apart(now->target, a->target.low) == 0);
}

/// In a world that stays as it is, an agent without a path that stays where it is keeps its reason. It asks
/// twice a second, so that an answer about the world before may come that late.
static inline void model_judge_reason(const model* m, const model_agent* a, const vn_agent_info* now) {
    vn_nav_stats stats;
    vn_nav_get_stats(m->nav, &stats);
    const bool fails = m->memory != NULL && m->memory->failures > 0;
    if (a->info.state != VN_AGENT_NO_PATH || m->quiet < 1 || fails || a->target.kind != MODEL_POINT ||
        stats.version != m->version || model_apart(a->info.position, now->position) > 0)
        return;
    assert_int_equal(now->state, VN_AGENT_NO_PATH);
    assert_int_equal(now->status, a->info.status);
}

/// Walls are hard; who stands in what became a wall stays there. Limits of speed and acceleration hold,
/// except that a wall stops at once.
static inline void model_judge_motion(const model* m, const model_agent* a, const vn_agent_info* now,
                                      double dt) {
    const vn_agent_info* was = &a->info;
    const double old = model_speed(was->velocity), speed = model_speed(now->velocity);
    const double most = old + (double)a->def.max_acceleration * dt;
    const vn_quat q = now->orientation;
    assert_true(model_is_finite(now->position));
    if (model_place_status(m, &a->def, was->position) == VN_OK)
        assert_int_equal(model_place_status(m, &a->def, now->position), VN_OK);
    else
        assert_true(model_apart(was->position, now->position) == 0);
    assert_true(speed <= fmax(old, (double)a->def.max_speed) * (1 + 1e-5));
    assert_true(speed <= most * (1 + 1e-5));
    assert_true(model_apart(was->position, now->position) <= most * dt * (1 + 1e-5) + 2e-3);
    assert_true(fabs((double)(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w) - 1) < 1e-4);
}

static inline void model_judge_path(const model* m, const model_agent* a, const vn_agent_info* now) {
    vn_dvec3 points[MODEL_POINTS];
    uint32_t count, all;
    assert_int_equal(vn_crowd_get_path(m->crowd, a->id, points, MODEL_POINTS, &count), VN_OK);
    assert_int_equal(count > 0, now->distance >= 0);
    if (count > 0)
        assert_true(model_apart(points[0], now->position) == 0);
    if (count > 1)
        assert_int_equal(vn_crowd_get_path(m->crowd, a->id, points, 1, &all), VN_CAPACITY);
}

/// The list of agents and the counts are those of the model.
static inline void model_judge_lists(model* m) {
    vn_crowd_stats stats;
    vn_agent_id id;
    uint32_t slot = 0, sum = 0;
    for (uint32_t at = 0; vn_crowd_next_agent(m->crowd, &at, &id); ++slot) {
        while (slot < MODEL_AGENTS && !m->agents[slot].alive)
            ++slot;
        assert_true(slot < MODEL_AGENTS);
        assert_int_equal(id.index1, m->agents[slot].id.index1);
        assert_int_equal(id.generation, m->agents[slot].id.generation);
    }

    vn_crowd_get_stats(m->crowd, &stats);
    assert_int_equal(stats.agents, model_count(m));
    for (int i = 0; i < 7; ++i)
        sum += stats.in_state[i];
    assert_int_equal(sum, stats.agents);
}

static inline void model_judge(model* m, double dt) {
    vn_agent_info now[MODEL_AGENTS];
    for (uint32_t i = 0; i < MODEL_AGENTS; ++i) {
        const model_agent* a = &m->agents[i];
        if (!a->alive)
            continue;
        assert_int_equal(vn_crowd_get_agent(m->crowd, a->id, &now[i]), VN_OK);
        model_judge_state(m, a, &now[i]);
        model_judge_reason(m, a, &now[i]);
        model_judge_motion(m, a, &now[i], dt);
        model_judge_path(m, a, &now[i]);
        ++m->in_state[now[i].state];
    }

    model_judge_lists(m);
    m->trace = m->trace * 31 + model_hash(m);
}

/// One update, and what all agents do in it. A tick that lacks memory fails, now or in the next one, and
/// agents move all the same.
static inline void model_update(model* m, double dt) {
    vn_nav_stats stats;
    for (uint32_t i = 0; i < MODEL_AGENTS; ++i)
        if (m->agents[i].alive)
            assert_int_equal(vn_crowd_get_agent(m->crowd, m->agents[i].id, &m->agents[i].info), VN_OK);
    vn_nav_get_stats(m->nav, &stats);
    const bool is_step = dt > 0 && dt <= 0.25;
    m->quiet = stats.version != m->version ? 0 : m->quiet + (is_step ? dt : 0);
    m->version = stats.version;

    const uint64_t before = model_begin(m);
    const vn_status status = vn_crowd_update(m->crowd, dt, NULL);
    if (!is_step) {
        (void)model_end(m, before, VN_BAD_ARGUMENT, status);
        return;
    }

    m->late -= m->late > 0;
    if (m->memory != NULL && m->memory->failures > m->failures_seen)
        m->late = 3;
    m->failures_seen = m->memory != NULL ? m->memory->failures : 0;
    const bool excused = status == VN_OUT_OF_MEMORY && m->late > 0;
    assert_true(status == VN_OK || excused);
    m->excuses += excused;
    ++m->updates;
    model_judge(m, dt);
}

#endif
