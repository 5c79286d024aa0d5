/// nav/workers.c: who does the work: threads, or the host itself; and the monitor around what they share.
#include "base/alloc.h"
#include "base/fail.h"
#include "nav/nav_inside.h"

void vni_nav_enter(const vn_nav* nav) {
#if VOLNAV_THREADS
    vni_monitor_enter(nav->monitor);
#else
    (void)nav;
#endif
}

void vni_nav_leave(const vn_nav* nav) {
#if VOLNAV_THREADS
    vni_monitor_leave(nav->monitor);
#else
    (void)nav;
#endif
}

void vni_nav_wait(vn_nav* nav) {
    VNI_ASSERT(nav->def.workers > 0); // else nobody would wake us
#if VOLNAV_THREADS
    vni_monitor_wait(nav->monitor);
#else
    (void)nav;
#endif
}

void vni_nav_wake(vn_nav* nav) {
#if VOLNAV_THREADS
    if (nav->def.workers > 0)
        vni_monitor_wake_all(nav->monitor);
#else
    (void)nav;
#endif
}

// ----------------------------------------------------------------------------------------------------- work

/// Runs the task. Inside, which it leaves meanwhile.
static void run_task(vn_nav* nav) {
    nav->task_state = VNI_TASK_RUNS;
    vni_nav_leave(nav);
    vni_nav_update(nav);
    vni_nav_enter(nav);
    if (nav->def.mode == VN_NAV_REALTIME && nav->task.made) { // others see it before the host does
        vni_nav_publish(nav, nav->task.made);
        nav->task.made = NULL;
    }

    nav->task_state = VNI_TASK_DONE;
    vni_nav_wake(nav);
}

void vni_nav_work_here(vn_nav* nav) {
    vni_worker* worker = &nav->workers[0];
    bool limited = nav->def.mode == VN_NAV_REALTIME && nav->def.budget > 0;
    uint64_t left = limited ? nav->def.budget : UINT64_MAX, used;
    if (nav->task_state == VNI_TASK_READY)
        run_task(nav);

    while (left > 0 && (worker->question != VNI_NONE || vni_nav_request_take(nav, worker))) {
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
    while (!vni_atomic_load(&nav->stop)) {
        if (nav->task_state == VNI_TASK_READY)
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
    nav->worker_count = nav->def.workers > 0 ? nav->def.workers : 1;
    nav->workers = vni_alloc_zero(&nav->allocator, nav->worker_count, sizeof *nav->workers);
    if (!nav->workers)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the workers");
    for (uint32_t i = 0; i < nav->worker_count; ++i) {
        nav->workers[i].nav = nav;
        nav->workers[i].question = VNI_NONE;
    }
#if VOLNAV_THREADS
    for (uint32_t i = 0; i < nav->def.workers; ++i) {
        vn_status status = vni_thread_start(&nav->allocator, run, &nav->workers[i], &nav->workers[i].thread);
        if (status != VN_OK)
            return vni_fail(detail, status, "worker %u of %u could not be started", (unsigned)i + 1,
                            (unsigned)nav->def.workers);
    }
#endif
    return VN_OK;
}

void vni_nav_stop(vn_nav* nav) {
    if (!nav->workers)
        return;
    vni_nav_enter(nav);
    vni_atomic_store(&nav->stop, 1);
    vni_nav_wake(nav);
    vni_nav_leave(nav);
    for (uint32_t i = 0; i < nav->worker_count; ++i) {
#if VOLNAV_THREADS
        if (nav->workers[i].thread)
            vni_thread_join(&nav->allocator, nav->workers[i].thread);
#endif
        vn_query_destroy(nav->workers[i].query);
    }
    VNI_DELETE_ARRAY(&nav->allocator, nav->workers, nav->worker_count);
    nav->workers = NULL;
}
