/// nav/workers.c: the threads that do the work, or the host in their place, and the monitor around what they
/// share.
///
/// All work is done in pieces: a slice of a request, or a piece of the update. A worker claims one, leaves
/// the monitor, runs it, and enters again. Who calls for the next piece is all that differs: a thread of the
/// nav (run), a thread of the host (vn_nav_work), or the host's tick (vni_nav_work_here).
///
/// A worker sleeps in the monitor until there is an update or a request, and leaves the monitor while it
/// works: the lock is held for bookkeeping only, never during a search or an update. So the host, which takes
/// it a few times a tick, never waits for work in realtime; in lockstep it waits for what is due, and only
/// for that.
#include "base/alloc.h"
#include "base/fail.h"
#include "nav/nav_inside.h"

void vni_nav_enter(const vn_nav* nav) {
#if VOLNAV_THREADS
    vni_monitor_enter(nav->fixed.monitor);
#else
    (void)nav;
#endif
}

void vni_nav_leave(const vn_nav* nav) {
#if VOLNAV_THREADS
    vni_monitor_leave(nav->fixed.monitor);
#else
    (void)nav;
#endif
}

void vni_nav_wait(vn_nav* nav) {
    VNI_ASSERT(nav->fixed.worker_count > 1 || nav->fixed.def.workers > 0); // else no thread ends the wait
#if VOLNAV_THREADS
    vni_monitor_wait(nav->fixed.monitor);
#else
    (void)nav;
#endif
}

void vni_nav_wake(vn_nav* nav) {
#if VOLNAV_THREADS
    if (!vni_nav_host_works(nav))
        vni_monitor_wake_all(nav->fixed.monitor);
#else
    (void)nav;
#endif
}

// ------------------------------------------------------------------------------------------------ pieces
// On any thread. Monitor held, and released while working.

/// Units of work of a piece, about.
#define PIECE 1024u

/// Units that a slice of a request counts for its share besides its expansions.
#define UNITS_SLICE 16u

/// Credit that updates or requests can save up for their share, in units.
#define MOST_CREDIT (8 * PIECE)

/// Notes work for the shares: with a share of 50, one unit of an update makes up for one unit of a request.
/// The balance is bounded, so that a long time without requests does not hold updates back later, or the
/// reverse.
static void note_work(vn_nav* nav, uint64_t of_update, uint64_t of_requests) {
    const uint64_t share = nav->fixed.def.update_share, most = MOST_CREDIT;
    const int64_t bound = (int64_t)(100 * most);
    int64_t balance = nav->shared.balance;
    balance += (int64_t)((of_update < most ? of_update : most) * (100 - share));
    balance -= (int64_t)((of_requests < most ? of_requests : most) * share);
    nav->shared.balance = balance > bound ? bound : balance < -bound ? -bound : balance;
}

/// One piece of the update; false if there is none.
static bool work_on_update(vni_worker* worker, uint64_t most, uint64_t* units) {
    vn_nav* nav = worker->nav;
    vni_nav_piece piece;
    if (!vni_nav_update_claim(nav, &piece))
        return false;

    vni_nav_leave(nav);
    vni_nav_update_run(nav, &piece, worker->lane, most);
    vni_nav_enter(nav);
    vni_nav_update_end(nav, &piece);
    note_work(nav, piece.units, 0);
    *units = piece.units;
    return true;
}

/// Has the host left a request half done in a slot, and not called for it since the last tick (or `now`)?
static bool is_left(const vni_worker* worker, bool now) {
    return worker->slot != VNI_NONE && !worker->busy && (now || worker->worked_at < worker->nav->shared.tick);
}

/// The worker whose request this thread goes on with: its own, one that was left, or its own with a new
/// request. Null if there is none.
static vni_worker* find_request(vni_worker* worker, bool now) {
    vn_nav* nav = worker->nav;
    if (is_left(worker, true))
        return worker;

    vni_worker* slots = nav->fixed.workers + nav->fixed.def.workers;
    for (uint32_t i = 0; i < nav->fixed.def.slots; ++i)
        if (is_left(&slots[i], now))
            return &slots[i];

    return worker->slot == VNI_NONE && vni_nav_request_take(nav, worker) ? worker : NULL;
}

/// A slice of a request; false if there is none.
static bool work_on_request(vni_worker* worker, bool now, uint64_t most, uint64_t* units) {
    vn_nav* nav = worker->nav;
    vni_worker* owner = find_request(worker, now);
    if (owner == NULL)
        return false;

    // In other hands it stays left, until its own slot is called again.
    owner->busy = true;
    if (owner == worker)
        owner->worked_at = nav->shared.tick;

    vni_nav_leave(nav);
    const bool ended = vni_nav_request_step(owner, most, units);
    vni_nav_enter(nav);
    owner->busy = false;
    note_work(nav, 0, *units + UNITS_SLICE);

    if (ended)
        vni_nav_request_end(owner);
    else if (nav->fixed.def.mode == VN_NAV_LOCKSTEP)
        vni_nav_wake(nav); // the host may wait for the slot
    return true;
}

/// A piece of what is behind its share, or else of the other.
static bool work_on_any(vni_worker* worker, uint64_t most, uint64_t* units) {
    // In lockstep the host may be waiting for what a slot has left.
    const bool now = worker->nav->fixed.def.mode == VN_NAV_LOCKSTEP;
    if (worker->nav->shared.balance <= 0)
        return work_on_update(worker, most, units) || work_on_request(worker, now, most, units);
    return work_on_request(worker, now, most, units) || work_on_update(worker, most, units);
}

bool vn_nav_work(vn_nav* nav, uint32_t slot) {
    VNI_ASSERT(nav != NULL);

    uint64_t units;
    if (slot >= nav->fixed.def.slots)
        return false;
    vni_nav_enter(nav);
    const bool worked = work_on_any(&nav->fixed.workers[nav->fixed.def.workers + slot], PIECE, &units);
    vni_nav_leave(nav);
    return worked;
}

// ------------------------------------------------------------------------------------------------- the host
// On its thread. Monitor held, and released while working.

/// Its own worker, if there are no others.
static vni_worker* host_worker(vn_nav* nav) {
    return &nav->fixed.workers[nav->fixed.worker_count - 1];
}

void vni_nav_help_update(vn_nav* nav) {
    uint64_t units;
    if (nav->fixed.def.workers > 0 || !work_on_update(host_worker(nav), UINT64_MAX, &units))
        vni_nav_wait(nav);
}

void vni_nav_help_request(vn_nav* nav, const vni_request* request) {
    uint64_t units;
    if (nav->fixed.def.workers == 0 && work_on_request(host_worker(nav), true, UINT64_MAX, &units))
        return;

    // One that was cancelled ends without work.
    if (request->state != VNI_REQUEST_FINISHED)
        vni_nav_wait(nav);
}

/// The work of an update and of requests is spread over the ticks up to the one at which it is due. How much
/// an update will take is not known: as much as the last one. What is left when it is due is done then.
static void work_evenly(vn_nav* nav) {
    vni_worker* worker = host_worker(nav);
    const uint64_t expected = nav->shared.expected;
    uint64_t part = expected > 0 ? expected / nav->fixed.def.latency + 1 : UINT64_MAX, units;
    while (part > 0 && work_on_update(worker, part, &units))
        part -= units < part ? units : part;

    for (uint32_t left = vni_nav_requests_quota(nav); left > 0; --left)
        if (!work_on_request(worker, true, UINT64_MAX, &units))
            return;
}

/// Without a limit: the requests see what the update makes.
static void work_on_all(vn_nav* nav) {
    vni_worker* worker = host_worker(nav);
    uint64_t units;
    while (work_on_update(worker, UINT64_MAX, &units)) {
    }

    while (work_on_request(worker, true, UINT64_MAX, &units)) {
    }
}

void vni_nav_work_here(vn_nav* nav) {
    if (nav->fixed.def.mode == VN_NAV_LOCKSTEP) {
        work_evenly(nav);
        return;
    }

    uint64_t left = nav->fixed.def.budget, units;
    if (left == 0)
        work_on_all(nav);
    while (left > 0 && work_on_any(host_worker(nav), left < PIECE ? left : PIECE, &units))
        left -= units < left ? units : left;
}

// ----------------------------------------------------------------------------------------------- the threads

#if VOLNAV_THREADS
static void run(void* argument) {
    vni_worker* worker = argument;
    vn_nav* nav = worker->nav;
    uint64_t units;
    vni_nav_enter(nav);
    while (!vni_atomic_load(&nav->shared.stop))
        if (!work_on_any(worker, PIECE, &units))
            vni_nav_wait(nav);

    vni_nav_leave(nav);
}
#endif

// ------------------------------------------------------------------------------------------ start and stop

vn_status vni_nav_start(vn_nav* nav, vn_detail* detail) {
    vni_nav_fixed* fixed = &nav->fixed;
    fixed->worker_count = vni_nav_worker_count(&fixed->def);
    fixed->workers =
        vni_alloc_zero(vni_nav_allocator(nav, VNI_PART_WORKERS), fixed->worker_count, sizeof *fixed->workers);
    if (fixed->workers == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the workers");

    // All of them are filled in before the first thread starts: from then on `fixed` is read by others.
    for (uint32_t i = 0; i < fixed->worker_count; ++i) {
        fixed->workers[i].nav = nav;
        fixed->workers[i].slot = VNI_NONE;
        fixed->workers[i].lane = i;
    }

    // A host that works itself must not stall at its first request.
    if (vni_nav_host_works(nav) && vni_nav_request_prepare(&fixed->workers[0]) != VN_OK)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a query");

#if VOLNAV_THREADS
    for (uint32_t i = 0; i < fixed->def.workers; ++i) {
        vni_worker* worker = &fixed->workers[i];
        vn_status status =
            vni_thread_start(vni_nav_allocator(nav, VNI_PART_WORKERS), run, worker, &worker->thread);
        if (status != VN_OK)
            return vni_fail(detail, status, "worker %u of %u could not be started", (unsigned)i + 1,
                            (unsigned)fixed->def.workers);
    }
#endif
    return VN_OK;
}

void vni_nav_stop(vn_nav* nav) {
    vni_nav_fixed* fixed = &nav->fixed;
    if (fixed->workers == NULL)
        return;

    // `stop` is set under the monitor: a worker holds it from reading `stop` until it sleeps, so that it
    // cannot miss the wake-up. One that works reads it after its piece, and a search between two slices.
    vni_nav_enter(nav);
    vni_atomic_store(&nav->shared.stop, 1);
    vni_nav_wake(nav);
    vni_nav_leave(nav);

    for (uint32_t i = 0; i < fixed->worker_count; ++i) {
#if VOLNAV_THREADS
        if (fixed->workers[i].thread != NULL)
            vni_thread_join(vni_nav_allocator(nav, VNI_PART_WORKERS), fixed->workers[i].thread);
#endif
        vn_query_destroy(fixed->workers[i].query);
    }

    VNI_DELETE_ARRAY(vni_nav_allocator(nav, VNI_PART_WORKERS), fixed->workers, fixed->worker_count);
    fixed->workers = NULL;
}
