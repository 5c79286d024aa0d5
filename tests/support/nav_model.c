/// tests/support/nav_model.c: what a nav must show, tick by tick, and the comparison.
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "nav_model.h"
#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#endif

// ------------------------------------------------------------------------------------------------- messages

void vnt_model_fail(const vnt_model* m, const char* condition, const char* file, int line) {
    vn_nav_stats s = {0};
    if (m->nav != NULL)
        vn_nav_get_stats(m->nav, &s);

    fprintf(stderr,
            "nav model: VN_SEED=%llu, call %u (%s): not true: %s (%s:%d)\n"
            "  mode %d, workers %u, slots %u, budget %llu, policy %d, latency %u, every %u, layers %u, tick "
            "%llu\n",
            (unsigned long long)m->seed, m->step, m->call, condition, file, line, (int)m->def.mode,
            m->def.workers, m->def.slots, (unsigned long long)m->def.budget, (int)m->def.policy,
            m->def.latency, m->def.update_interval, m->def.layer_count, (unsigned long long)m->tick);
    fprintf(stderr,
            "  nav says: version %llu of %u held, waiting %u, running %u, finished %u, pending %u, lag %llu\n"
            "  model: version %llu, take %llu (%s), requests %u submitted, %u collected\n",
            (unsigned long long)s.version, s.versions, s.waiting, s.running, s.finished, s.pending_changes,
            (unsigned long long)s.version_lag, m->shown != NULL ? (unsigned long long)m->shown->version : 0,
            m->take != NULL ? (unsigned long long)m->take->version : 0, m->takes ? "under way" : "none",
            vnt_model_count(m, VNT_SUBMITTED), vnt_model_count(m, VNT_COLLECTED));
    fail();
}

void vnt_model_enter(vnt_model* m, const char* call) {
    m->call = call;
    ++m->calls;
    vnt_model_watch_over(m);
    m->failures = m->memory != NULL ? vnt_memory_failures(m->memory) : 0;
}

bool vnt_model_excused(vnt_model* m, vn_status status) {
    if (status != VN_OUT_OF_MEMORY)
        return false;

    VNT_REQUIRE(m, m->memory != NULL && vnt_memory_failures(m->memory) > m->failures);
    ++m->excuses;
    return true;
}

void vnt_mix(uint64_t* hash, const void* data, size_t size) {
    const unsigned char* bytes = data;
    for (size_t i = 0; i < size; ++i)
        *hash = (*hash ^ bytes[i]) * 0x100000001b3u;
}

// ---------------------------------------------------------------------------------------------------- layers

static uint32_t bits_in(uint32_t flags) {
    uint32_t count = 0;
    for (; flags; flags &= flags - 1)
        ++count;
    return count;
}

/// Does layer `a` serve better than `b`?
static bool serves_better(const vn_layer_def* a, const vn_layer_def* b) {
    const uint32_t bits_a = bits_in(a->open_flags), bits_b = bits_in(b->open_flags);
    if (bits_a != bits_b)
        return bits_a > bits_b;
    return a->radius != b->radius ? a->radius < b->radius : a->open_flags < b->open_flags;
}

uint32_t vnt_model_layer(const vnt_model* m, float radius, uint32_t open_flags) {
    uint32_t best = VNT_LAYERS;
    for (uint32_t i = 0; i < m->def.layer_count; ++i) {
        const vn_layer_def* layer = &m->def.layers[i];
        const bool fits = layer->radius >= radius && (layer->open_flags & ~open_flags) == 0;
        if (fits && (best == VNT_LAYERS || serves_better(layer, &m->def.layers[best])))
            best = i;
    }

    return best;
}

static bool is_static(const vnt_model* m, uint32_t layer) {
    return m->def.static_layers >> layer & 1u;
}

// ------------------------------------------------------------------------------------------------- snapshots

static void build_obstacles(vnt_model* m, vn_world* world) {
    for (uint32_t i = 0; i < VNT_OBSTACLES; ++i) {
        const vnt_obstacle* o = &m->obstacles[i];
        vn_obstacle_id id;
        if (!o->alive)
            continue;

        const vn_shape* shape = &m->forms[o->form].shape;
        vn_status status = o->moves ? vn_world_add_moving(world, shape, &o->transform, &id, NULL)
                                    : vn_world_add(world, shape, &id, NULL);
        VNT_REQUIRE(m, status == VN_OK && "the nav took an obstacle that a world refuses");
        VNT_REQUIRE(m, vn_world_set_flags(world, id, o->flags) == VN_OK);
    }

    vnt_model_build_map(m, world);
}

/// The dynamic zone with the lowest slot above `slot`.
static const vnt_zone* next_zone(const vnt_model* m, uint32_t slot) {
    const vnt_zone* next = NULL;
    for (uint32_t i = 0; i < VNT_ZONES; ++i) {
        const vnt_zone* z = &m->zones[i];
        if (z->alive && z->id.index1 > slot && (next == NULL || z->id.index1 < next->id.index1))
            next = z;
    }

    return next;
}

static void build_zones(vnt_model* m, vnt_snapshot* s) {
    uint32_t n = 0;
    for (const vnt_zone* z = next_zone(m, 0); z != NULL; z = next_zone(m, z->id.index1)) {
        VNT_REQUIRE(m, vn_world_add_zone(s->world, &z->def, NULL, NULL) == VN_OK);
        s->zone_ids[n] = z->id;
        s->zone_transforms[n++] = z->def.transform;
    }

    VNT_REQUIRE(m, vn_world_get_zones(s->world, s->zones, VNT_ZONES, &s->zone_count) == VN_OK);
    VNT_REQUIRE(m, s->zone_count == n);
}

vnt_snapshot* vnt_snapshot_make(vnt_model* m) {
    vnt_snapshot* s = calloc(1, sizeof *s);
    const vn_world_def world_def = vn_default_world_def();
    VNT_REQUIRE(m, s != NULL && vn_world_create(&world_def, &s->world) == VN_OK);
    s->revision = m->revision;
    build_obstacles(m, s->world);
    build_zones(m, s);

    for (uint32_t i = 0; i < m->def.layer_count; ++i) {
        vn_space_def def = m->def.space;
        def.allocator = vn_default_allocator();
        def.radius = m->def.layers[i].radius;
        def.open_flags = m->def.layers[i].open_flags;
        if (is_static(m, i) && m->first.spaces[i] != NULL) {
            s->hashes[i] = m->first.hashes[i];
            continue;
        }

        VNT_REQUIRE(m, vn_space_bake(s->world, &def, &s->spaces[i], NULL) == VN_OK);
        s->hashes[i] = vn_space_content_hash(s->spaces[i]);
    }

    return s;
}

void vnt_snapshot_free(vnt_snapshot* s) {
    if (s == NULL)
        return;
    for (uint32_t i = 0; i < VNT_LAYERS; ++i)
        vn_space_destroy(s->spaces[i]);
    vn_world_destroy(s->world);
    free(s);
}

const vn_space* vnt_model_space(const vnt_model* m, const vnt_snapshot* s, uint32_t layer) {
    return s->spaces[layer] != NULL ? s->spaces[layer] : m->first.spaces[layer];
}

vnt_snapshot* vnt_model_find(const vnt_model* m, uint64_t version) {
    vnt_snapshot* s = m->ring[version % VNT_SNAPSHOTS];
    return s != NULL && s->version == version ? s : NULL;
}

uint64_t vnt_model_revision_of(const vnt_model* m, uint64_t version) {
    const vnt_snapshot* s = vnt_model_find(m, version);
    if (s == NULL)
        return UINT64_MAX;
    return m->takes && m->take->version == version ? m->take->revision : s->revision;
}

static bool same_zones(const vnt_snapshot* a, const vnt_snapshot* b) {
    return a->zone_count == b->zone_count &&
           memcmp(a->zone_ids, b->zone_ids, a->zone_count * sizeof *a->zone_ids) == 0 &&
           memcmp(a->zone_transforms, b->zone_transforms, a->zone_count * sizeof *a->zone_transforms) == 0;
}

/// A version differs from the one before if anything of its spaces or zones does.
static bool same_content(const vnt_snapshot* a, const vnt_snapshot* b) {
    return memcmp(a->hashes, b->hashes, sizeof a->hashes) == 0 && same_zones(a, b);
}

// ------------------------------------------------------------------------------------------------ comparing

static void compare_space(vnt_model* m, vnt_snapshot* s, uint32_t layer, const vn_space* space) {
    if (s->compared[layer])
        return;
    VNT_REQUIRE(m, vn_space_content_hash(space) == s->hashes[layer] && "the nav shows the model's world");

    vn_space_info is, must;
    vn_space_get_info(space, &is);
    vn_space_get_info(vnt_model_space(m, s, layer), &must);
    VNT_REQUIRE(m, is.cells == must.cells && is.links == must.links && is.components == must.components &&
                       is.blocked_voxels == must.blocked_voxels);

    if (vni_rng_below(&m->rng, 16) == 0 && m->memory == NULL) // it allocates with the allocator of the nav
        VNT_REQUIRE(m, vn_space_validate(space, NULL) == VN_OK);

    s->compared[layer] = true;
    ++m->compared;
}

static bool same_zone(const vn_zone* a, const vn_zone* b) {
    if (a->kind != b->kind || a->factor != b->factor || a->flags != b->flags)
        return false;
    if (a->kind == VN_ZONE_BOX)
        return memcmp(&a->box, &b->box, sizeof a->box) == 0;
    if (a->kind == VN_ZONE_SPHERE)
        return memcmp(&a->center, &b->center, sizeof a->center) == 0 && a->radius == b->radius;

    return a->plane_count == b->plane_count &&
           memcmp(a->planes, b->planes, a->plane_count * sizeof *a->planes) == 0;
}

/// Has a version that is held the zones of a snapshot?
static bool shows_zones(vnt_model* m, const vnt_snapshot* s, uint64_t version) {
    const vn_zone* zones;
    uint32_t count;
    VNT_REQUIRE(m, vn_nav_get_zones(m->nav, version, &zones, &count) == VN_OK);
    bool same = count == s->zone_count;
    for (uint32_t i = 0; same && i < count; ++i)
        same = same_zone(&zones[i], &s->zones[i]);
    return same;
}

/// Has `version` the content of a snapshot? If it is no longer the newest, it is not looked at: true.
static bool shows(vnt_model* m, const vnt_snapshot* s, uint64_t version) {
    bool same = true;
    for (uint32_t i = 0; same && i < m->def.layer_count; ++i) {
        const vn_layer_def* layer = &m->def.layers[i];
        uint64_t newest = 0;
        const vn_space* space = vn_nav_pin(m->nav, (double)layer->radius, layer->open_flags, &newest);
        VNT_REQUIRE(m, space != NULL);
        if (newest == version)
            same = vn_space_content_hash(space) == s->hashes[i] && shows_zones(m, s, version);
        VNT_REQUIRE(m, vn_nav_unpin(m->nav, newest) == VN_OK);
    }

    return same;
}

// -------------------------------------------------------------------------------------------------- ticking

/// Sleeps while the workers go on.
static void doze(const vnt_model* m, long nanoseconds) {
    if (m->def.workers == 0)
        return;
#if !defined(_WIN32)
    const struct timespec moment = {0, nanoseconds};
    nanosleep(&moment, NULL);
#else
    (void)nanoseconds; // the shortest there is; without it all calls of a test are ticks that wait for the
                       // workers
    Sleep(1);
#endif
}

/// The take becomes what is shown.
static void promote(vnt_model* m) {
    VNT_REQUIRE(m, m->takes);
    m->takes = m->may_repeat = false;
    if (m->take->version == m->shown->version) {
        m->shown->revision = m->take->revision;
        vnt_snapshot_free(m->take);
    } else {
        m->shown = m->take;
        ++m->versions;
    }

    m->take = NULL;
}

static void put_in_ring(vnt_model* m, vnt_snapshot* s) {
    vnt_snapshot** at = &m->ring[s->version % VNT_SNAPSHOTS];
    if (*at != &m->first)
        vnt_snapshot_free(*at);
    *at = s;
}

/// The take has failed; its changes are part of the next one.
static void drop_take(vnt_model* m) {
    if (m->take->version != m->shown->version)
        m->ring[m->take->version % VNT_SNAPSHOTS] = NULL;
    vnt_snapshot_free(m->take);
    m->take = NULL;
    m->takes = false;
    m->may_repeat = true;
}

/// Has the update before this take failed? With workers or slots the tick that takes says so, and with a
/// budget the tick before: it ends with what was done in it.
static bool has_failed(const vnt_model* m, vn_status status) {
    const bool host_works = m->def.workers == 0 && m->def.slots == 0;
    return (host_works ? m->last_status : status) != VN_OK;
}

/// An update has taken all changes. There is one update at a time, so the previous one has ended. With
/// workers in realtime the status of a tick says how; otherwise it failed, or it would have been promoted.
static void note_take(vnt_model* m, vn_status status) {
    const bool is_known = !vnt_model_is_async(m);
    if (m->takes && (is_known || has_failed(m, status)))
        drop_take(m);
    else if (m->takes)
        promote(m);

    vnt_snapshot* s = vnt_snapshot_make(m);
    s->version = m->shown->version + !same_content(m->shown, s);
    m->take = s;
    m->takes = true;
    m->due = m->tick + m->def.latency;
    m->took_at = m->tick;

    m->waits_since = 0;
    if (s->version != m->shown->version)
        put_in_ring(m, s);
}

/// The version of a take that repeats a failed one is known only when it shows: part of the failed one may
/// have reached the layers, so that changes that cancel out make a version with the same content. With
/// workers the version may also be that of the take after it, if this one made none: its content tells.
static void know_version(vnt_model* m, uint64_t newest) {
    if (!m->takes || !m->may_repeat || m->take->version != m->shown->version || newest == m->shown->version)
        return;
    if (m->def.workers > 0 && newest == m->shown->version + 1 && !shows(m, m->take, newest))
        return;

    m->take->version = m->shown->version + 1;
    put_in_ring(m, m->take);
}

/// The newest version is the one shown, or (possible only in realtime with others that work) the one being
/// made.
static void compare_newest(vnt_model* m) {
    const bool may_be_early = vnt_model_is_async(m);
    for (uint32_t i = 0; i < m->def.layer_count; ++i) {
        const vn_layer_def* layer = &m->def.layers[i];
        uint64_t version = 0;
        const vn_space* space = vn_nav_pin(m->nav, (double)layer->radius, layer->open_flags, &version);
        VNT_REQUIRE(m, space != NULL);

        // It may be younger than the statistics of this tick.
        know_version(m, version);
        const bool early = may_be_early && m->takes && version == m->take->version;
        VNT_REQUIRE(m, early || version == m->shown->version);

        vnt_snapshot* s = version == m->shown->version ? m->shown : m->take;
        compare_space(m, s, i, space);
        VNT_REQUIRE(m, shows_zones(m, s, version));
        VNT_REQUIRE(m, vn_nav_unpin(m->nav, version) == VN_OK);
    }
}

/// Policies: when changes must have been taken, and when not yet.
static void check_policy(vnt_model* m, bool took, uint64_t before) {
    const bool lockstep = m->def.mode == VN_NAV_LOCKSTEP;
    uint64_t longest = lockstep ? m->def.latency : 1;
    if (m->def.policy == VN_UPDATE_EVERY_N) {
        VNT_REQUIRE(m, !took || m->tick - before >= m->def.update_interval);
        longest += m->def.update_interval;
    }

    if (took || m->pending == 0) {
        m->waits_since = 0;
        return;
    }

    if (m->waits_since == 0)
        m->waits_since = m->tick;

    const bool free_to_wait =
        m->def.policy == VN_UPDATE_LAST_MOMENT || vnt_model_is_async(m) || m->excuses > 0;
    VNT_REQUIRE(m, free_to_wait || m->tick - m->waits_since <= longest);
}

/// Follows what the tick has shown and taken, in the order of the mode.
static void follow_tick(vnt_model* m, vn_status status, const vn_nav_stats* now) {
    const bool took = m->pending > 0 && now->pending_changes == 0;
    const uint64_t took_before = m->took_at;
    m->pending = now->pending_changes;

    know_version(m, now->version);
    if (m->def.mode == VN_NAV_LOCKSTEP) {
        if (m->takes && m->tick >= m->due && status == VN_OK)
            promote(m);
        else if (m->takes && m->tick >= m->due)
            m->due = m->tick + m->def.latency; // it is tried again
        m->versions_at[m->tick % VNT_TICKS] = m->shown->version;
    }

    if (took)
        note_take(m, status);

    if (took && m->def.mode == VN_NAV_REALTIME) // made in the same tick, perhaps
        know_version(m, now->version);

    if (m->def.mode == VN_NAV_REALTIME && m->takes) {
        const bool is_seen = now->version == m->take->version && now->version != m->shown->version;
        if (vnt_model_is_async(m) ? is_seen : status == VN_OK)
            promote(m);
    }

    check_policy(m, took, took_before);
}

void vnt_model_tick(vnt_model* m) {
    vnt_model_enter(m, "tick");
    vn_nav_stats stats;
    vn_nav_get_stats(m->nav, &stats);
    m->pending = stats.pending_changes;
    m->idle = stats.waiting == 0 && stats.running == 0 ? m->idle + 1 : 0;

    vn_status status = vn_nav_tick(m->nav, NULL);
    ++m->tick;
    ++m->ticks;

    // A slow host looks late in one tick, and in the next late for a second time: a version may appear before
    // the statistics are read, or between them and the comparison.
    if (m->slow_host && m->tick % 2 == 0)
        doze(m, 500000);

    VNT_REQUIRE(m, status == VN_OK || status == VN_OUT_OF_MEMORY);
    if (status == VN_OUT_OF_MEMORY) { // with workers it may have failed long before
        ++m->excuses;
        VNT_REQUIRE(m, m->memory != NULL && m->excuses <= vnt_memory_failures(m->memory));
    }

    vn_nav_get_stats(m->nav, &stats);
    follow_tick(m, status, &stats);
    m->last_status = status;
    if (m->slow_host && m->tick % 2 == 1)
        doze(m, 500000);
    compare_newest(m);
    vnt_model_check_stats(m);
    vnt_model_end_abandoned(m);
}

// ------------------------------------------------------------------------------------------------ statistics

/// Nothing is pending: all changes since the last update must have cancelled out.
static void check_nothing_pending(vnt_model* m) {
    vnt_snapshot* last = m->takes ? m->take : m->shown;
    if (last->revision == m->revision)
        return;

    vnt_snapshot* now = vnt_snapshot_make(m);
    VNT_REQUIRE(m, same_content(last, now) && "no change is lost");
    last->revision = m->revision;
    vnt_snapshot_free(now);
}

/// The moving obstacles are those of the model, each once, with their transform and velocity.
static void check_movers(vnt_model* m) {
    vn_nav_mover mover;
    uint32_t count = 0;
    for (uint32_t at = 0; vn_nav_next_mover(m->nav, &at, &mover);) {
        const vnt_obstacle* known = NULL;
        for (uint32_t i = 0; i < VNT_OBSTACLES; ++i)
            if (m->obstacles[i].alive && memcmp(&m->obstacles[i].id, &mover.id, sizeof mover.id) == 0)
                known = &m->obstacles[i];

        VNT_REQUIRE(m, known != NULL && known->moves && at == mover.id.index1);
        VNT_REQUIRE(m, memcmp(&mover.transform, &known->transform, sizeof mover.transform) == 0);
        VNT_REQUIRE(m, memcmp(&mover.velocity, &known->velocity, sizeof mover.velocity) == 0);
        VNT_REQUIRE(m, mover.flags == known->flags && mover.kind == m->forms[known->form].shape.kind);
        ++count;
    }

    for (uint32_t i = 0; i < VNT_OBSTACLES; ++i)
        count -= m->obstacles[i].alive && m->obstacles[i].moves;
    VNT_REQUIRE(m, count == 0 && "each moving obstacle is listed");
}

void vnt_model_check_stats(vnt_model* m) {
    check_movers(m);

    vn_nav_stats s;
    vn_nav_get_stats(m->nav, &s);
    if (s.pending_changes == 0)
        check_nothing_pending(m);

    const uint32_t submitted = vnt_model_count(m, VNT_SUBMITTED),
                   collected = vnt_model_count(m, VNT_COLLECTED);
    const bool knows = !vnt_model_is_async(m);
    VNT_REQUIRE(m, s.tick == m->tick && s.versions >= 1);
    VNT_REQUIRE(m, s.finished >= collected && s.finished <= collected + submitted);
    VNT_REQUIRE(m, s.waiting + s.running + s.finished <=
                       collected + submitted + vnt_model_count(m, VNT_ABANDONED));
    VNT_REQUIRE(m, s.running <= m->def.workers + m->def.slots + (m->def.workers == 0));

    if (knows) {
        VNT_REQUIRE(m, s.version == m->shown->version);
        VNT_REQUIRE(m, (s.version_lag > 0) <= (m->takes || s.pending_changes > 0));
    }
}

/// Versions that the host holds, and the newest.
static uint32_t held_versions(const vnt_model* m) {
    uint64_t held[1 + VNT_PINS + VNT_REQUESTS];
    uint32_t count = 0;
    held[count++] = m->shown->version;
    for (uint32_t i = 0; i < VNT_PINS + VNT_REQUESTS; ++i) {
        const bool is_pin = i < VNT_PINS;
        const vnt_request* request = is_pin ? NULL : &m->requests[i - VNT_PINS];
        const uint64_t version = is_pin                            ? m->pins[i].version
                                 : request->state == VNT_COLLECTED ? request->result.version
                                                                   : 0;

        bool known = version == 0;
        for (uint32_t k = 0; k < count; ++k)
            known = known || held[k] == version;

        if (!known)
            held[count++] = version;
    }

    return count;
}

// -------------------------------------------------------------------------------------------------- settling

/// One round: a tick, then all results and events are read.
static void settle_round(vnt_model* m) {
    vn_nav_stats s;
    vn_nav_get_stats(m->nav, &s);
    if (m->def.policy == VN_UPDATE_LAST_MOMENT && s.pending_changes > 0)
        vnt_model_submit_plain(m);

    vnt_model_tick(m);
    for (uint32_t slot = 0; slot < m->def.slots; ++slot)
        while (vn_nav_work(m->nav, slot)) {
        }

    while (vnt_model_collect(m)) {
    }

    vnt_model_events(m);
    doze(m, 20000);
}

static bool is_settled(const vnt_model* m) {
    vn_nav_stats s;
    vn_nav_get_stats(m->nav, &s);
    if (vnt_model_is_async(m) && !vnt_model_watches_agree(m))
        return false; // no statistics show whether fresh watches have been checked
    // A search that was cancelled runs until its worker notices.
    return s.pending_changes == 0 && s.version_lag == 0 && vnt_model_count(m, VNT_SUBMITTED) == 0 &&
           s.waiting == 0 && s.running == 0 && s.versions == held_versions(m);
}

void vnt_model_settle(vnt_model* m) {
    const uint32_t most = m->def.workers > 0 ? 100000 : 4000;
    for (uint32_t i = 0; i < 2 * m->def.latency + 2; ++i) // so that fresh watches are checked
        settle_round(m);

    for (uint32_t i = 0; i < most && !is_settled(m); ++i)
        settle_round(m);

    m->call = "settle";
    VNT_REQUIRE(m, is_settled(m));

    if (m->takes)
        promote(m);

    VNT_REQUIRE(m, m->shown->revision == m->revision);
    compare_newest(m);
    VNT_REQUIRE(m, vnt_model_watches_agree(m) &&
                       "blocked and free paths are reported, and changes of cost add up");
    vn_nav_stats s;
    vn_nav_get_stats(m->nav, &s);
    VNT_REQUIRE(m, s.finished == vnt_model_count(m, VNT_COLLECTED) && s.version == m->shown->version);
    VNT_REQUIRE(m, s.waiting == 0 && s.running == 0);
    ++m->settled;
}
