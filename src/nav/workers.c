/// nav/workers.c: who does the work: threads, or the host itself; and the monitor around what they share.
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
    VNI_ASSERT(nav->fixed.def.workers > 0); // else nobody would wake us
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

/// Runs the task. Inside, which it leaves meanwhile.
static void run_task(vn_nav* nav) {
    nav->shared.update_state = VNI_UPDATE_RUNNING;
    vni_nav_leave(nav);
    vni_nav_update(nav);
    vni_nav_enter(nav);
    if (nav->fixed.def.mode == VN_NAV_REALTIME && nav->update.made) { // others see it before the host does
        vni_nav_publish(nav, nav->update.made);
        nav->update.made = NULL;
    }

    nav->shared.update_state = VNI_UPDATE_DONE;
    vni_nav_wake(nav);
}

void vni_nav_work_here(vn_nav* nav) {
    vni_worker* worker = &nav->fixed.workers[0];
    bool limited = nav->fixed.def.mode == VN_NAV_REALTIME && nav->fixed.def.budget > 0;
    uint64_t left = limited ? nav->fixed.def.budget : UINT64_MAX, used;
    if (nav->shared.update_state == VNI_UPDATE_READY)
        run_task(nav);

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
static void run_question(vni_worker* worker) {
    vn_nav* nav = worker->nav;
    uint64_t used;
    vni_nav_leave(nav);
    bool ended = vni_nav_request_step(worker, UINT64_MAX, &used);
    VNI_ASSERT(ended);
    (void)ended;
    vni_nav_enter(nav);
    vni_nav_request_end(worker);
}

static void run(void* argument) {
    vni_worker* worker = argument;
    vn_nav* nav = worker->nav;
    vni_nav_enter(nav);
    while (!vni_atomic_load(&nav->shared.stop)) {
        if (nav->shared.update_state == VNI_UPDATE_READY)
            run_task(nav);
        else if (vni_nav_request_take(nav, worker))
            run_question(worker);
        else
            vni_nav_wait(nav);
    }

    vni_nav_leave(nav);
}
#endif

// ------------------------------------------------------------------------------------------ start and stop

vn_status vni_nav_start(vn_nav* nav, vn_detail* detail) {
    nav->fixed.worker_count = nav->fixed.def.workers > 0 ? nav->fixed.def.workers : 1;
    nav->fixed.workers =
        vni_alloc_zero(&nav->fixed.allocator, nav->fixed.worker_count, sizeof *nav->fixed.workers);
    if (!nav->fixed.workers)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the workers");
    for (uint32_t i = 0; i < nav->fixed.worker_count; ++i) {
        nav->fixed.workers[i].nav = nav;
        nav->fixed.workers[i].slot = VNI_NONE;
    }
#if VOLNAV_THREADS
    for (uint32_t i = 0; i < nav->fixed.def.workers; ++i) {
        vn_status status = vni_thread_start(&nav->fixed.allocator, run, &nav->fixed.workers[i],
                                            &nav->fixed.workers[i].thread);
        if (status != VN_OK)
            return vni_fail(detail, status, "worker %u of %u could not be started", (unsigned)i + 1,
                            (unsigned)nav->fixed.def.workers);
    }
#endif
    return VN_OK;
}

void vni_nav_stop(vn_nav* nav) {
    if (!nav->fixed.workers)
        return;
    vni_nav_enter(nav);
    vni_atomic_store(&nav->shared.stop, 1);
    vni_nav_wake(nav);
    vni_nav_leave(nav);
    for (uint32_t i = 0; i < nav->fixed.worker_count; ++i) {
#if VOLNAV_THREADS
        if (nav->fixed.workers[i].thread)
            vni_thread_join(&nav->fixed.allocator, nav->fixed.workers[i].thread);
#endif
        vn_query_destroy(nav->fixed.workers[i].query);
    }
    VNI_DELETE_ARRAY(&nav->fixed.allocator, nav->fixed.workers, nav->fixed.worker_count);
    nav->fixed.workers = NULL;
}
