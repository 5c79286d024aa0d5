/// nav/workers.c: the threads that do the work, or the host in their place, and the monitor around what they
/// share.
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
    VNI_ASSERT(nav->fixed.def.workers > 0); // without workers there is no thread to end the wait
#if VOLNAV_THREADS
    vni_monitor_wait(nav->fixed.monitor);
#else
    (void)nav;
#endif
}

void vni_nav_wake(vn_nav* nav) {
#if VOLNAV_THREADS
    if (nav->fixed.def.workers > 0)
        vni_monitor_wake_all(nav->fixed.monitor);
#else
    (void)nav;
#endif
}

// ----------------------------------------------------------------------------------------------------- work

/// Runs the update. Any one thread. Monitor held, and released meanwhile.
static void run_update(vn_nav* nav) {
    // From READY to RUNNING under the lock: exactly one thread gets it, and `nav->update` with it.
    nav->shared.update_state = VNI_UPDATE_RUNNING;
    vni_nav_leave(nav);
    vni_nav_update(nav);
    vni_nav_enter(nav);

    // Realtime: requests see the version at once, before the host's next tick. In lockstep the host publishes
    // it, at the tick at which it is due.
    if (nav->fixed.def.mode == VN_NAV_REALTIME && nav->update.made != NULL) {
        vni_nav_publish(nav, nav->update.made);
        nav->update.made = NULL;
    }

    // Wakes a host that waits for it (lockstep) and workers whose requests were held back (last moment).
    nav->shared.update_state = VNI_UPDATE_DONE;
    vni_nav_wake(nav);
}

void vni_nav_work_here(vn_nav* nav) {
    vni_worker* worker = &nav->fixed.workers[0];
    const bool limited = nav->fixed.def.mode == VN_NAV_REALTIME && nav->fixed.def.budget > 0;
    uint64_t left = limited ? nav->fixed.def.budget : UINT64_MAX, used;

    // The update first: in realtime, the requests taken below see what it makes. The budget does not limit
    // it.
    if (nav->shared.update_state == VNI_UPDATE_READY)
        run_update(nav);

    // A request that the budget cut short continues before another one is taken. Without a limit, as in
    // lockstep, all of them end within this tick.
    while (left > 0 && (worker->slot != VNI_NONE || vni_nav_request_take(nav, worker))) {
        vni_nav_leave(nav);
        bool ended = vni_nav_request_step(worker, left, &used);
        vni_nav_enter(nav);
        if (limited)
            left -= used < left ? used : left;

        if (ended)
            vni_nav_request_end(worker);
    }
}

#if VOLNAV_THREADS
static void run_request(vni_worker* worker) {
    vn_nav* nav = worker->nav;
    uint64_t used;
    vni_nav_leave(nav);
    bool ended = vni_nav_request_step(worker, UINT64_MAX, &used);
    VNI_ASSERT(ended); // there is no budget
    (void)ended;
    vni_nav_enter(nav);
    vni_nav_request_end(worker);
}

/// The thread of a worker. Updates come before requests: there is one at a time, and others wait for it.
static void run(void* argument) {
    vni_worker* worker = argument;
    vn_nav* nav = worker->nav;
    vni_nav_enter(nav);
    while (!vni_atomic_load(&nav->shared.stop)) {
        if (nav->shared.update_state == VNI_UPDATE_READY)
            run_update(nav);
        else if (vni_nav_request_take(nav, worker))
            run_request(worker);
        else
            vni_nav_wait(nav);
    }

    vni_nav_leave(nav);
}
#endif

// ------------------------------------------------------------------------------------------ start and stop

vn_status vni_nav_start(vn_nav* nav, vn_detail* detail) {
    vni_nav_fixed* fixed = &nav->fixed;
    fixed->worker_count = fixed->def.workers > 0 ? fixed->def.workers : 1; // without threads: the host's
    fixed->workers =
        vni_alloc_zero(vni_nav_allocator(nav, VNI_PART_WORKERS), fixed->worker_count, sizeof *fixed->workers);
    if (fixed->workers == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the workers");

    // All of them are filled in before the first thread starts: from then on `fixed` is read by others.
    for (uint32_t i = 0; i < fixed->worker_count; ++i) {
        fixed->workers[i].nav = nav;
        fixed->workers[i].slot = VNI_NONE;
    }

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
    // cannot miss the wake-up. One that is searching reads it between two slices; an update runs to its end.
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
