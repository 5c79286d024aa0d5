/// base/pool.c: the thread pool: threads that live as long as the pool, and a fixed number of open loops.
///
/// A loop is divided into pieces; each participant takes the next piece through an atomic counter. Workers
/// join and leave a loop inside the monitor, and a loop is done when all pieces are taken and no worker is
/// inside. So everything that workers wrote is visible to the thread that finishes, and the slot of a loop is
/// not reused while a worker still uses it.
#include "base/alloc.h"
#include "base/assert.h"
#include "base/threads.h"

#define VNI_MAX_WORKERS       1024
#define VNI_OPEN_LOOPS        16
#define VNI_PIECES_PER_WORKER 64 ///< enough to balance uneven work

typedef struct loop loop;

#if VOLNAV_THREADS

/// The slot of one loop. All fields but `next_piece` change inside the monitor only.
struct loop {
    vn_task* task;
    void* context;
    uint32_t count;
    uint32_t piece; ///< indices per piece; the last may have fewer
    uint32_t pieces;
    uint32_t working; ///< workers inside, not counting the thread that finishes
    bool open;
    bool awaited;          ///< the thread that finishes has found no piece left and may be waiting
    vni_atomic next_piece; ///< exceeds `pieces` by at most the number of participants
};

typedef struct worker {
    vn_pool* pool;
    vni_thread* thread;
    uint32_t number; ///< from 1; the thread that finishes is worker 0
} worker;

#endif

struct vn_pool {
    vn_allocator allocator;
    uint32_t worker_count;
#if VOLNAV_THREADS
    worker* workers;      ///< worker_count - 1 of them
    uint32_t started;     ///< workers whose thread runs
    vni_monitor* monitor; ///< null in a pool of 1
    bool stop;
    loop loops[VNI_OPEN_LOOPS];
#endif
};

// -------------------------------------------------------------------------------------------- loops

#if VOLNAV_THREADS

/// Indices per piece: at most VNI_PIECES_PER_WORKER pieces per worker, each of at least min_range indices.
static uint32_t piece_size(const vn_pool* pool, uint32_t count, uint32_t min_range) {
    uint32_t most = pool->worker_count * VNI_PIECES_PER_WORKER;
    uint32_t even = count / most + (count % most != 0);
    return even > min_range ? even : min_range;
}

/// Runs pieces until none is left.
static void work_on(loop* l, uint32_t number) {
    for (;;) {
        uint32_t piece = vni_atomic_add(&l->next_piece, 1);
        if (piece >= l->pieces)
            return;

        uint32_t begin = piece * l->piece;
        uint32_t end = piece + 1 == l->pieces ? l->count : begin + l->piece;
        VNI_ASSERT(begin < end && end <= l->count);
        l->task(l->context, begin, end, number);
    }
}

/// Inside the monitor: an open loop with pieces left; null if there is none.
static loop* find_work(vn_pool* pool) {
    for (uint32_t i = 0; i < VNI_OPEN_LOOPS; ++i) {
        loop* l = &pool->loops[i];
        if (l->open && vni_atomic_load(&l->next_piece) < l->pieces)
            return l;
    }
    return NULL;
}

static void run_worker(void* argument) {
    const worker* self = argument;
    vn_pool* pool = self->pool;
    vni_monitor_enter(pool->monitor);
    while (!pool->stop) {
        loop* l = find_work(pool);
        if (l == NULL) {
            vni_monitor_wait(pool->monitor);
            continue;
        }

        // Counted as inside before the monitor is left: the loop cannot be closed in between.
        ++l->working;
        vni_monitor_leave(pool->monitor);
        work_on(l, self->number);
        vni_monitor_enter(pool->monitor);
        VNI_ASSERT(l->open && l->working > 0);

        // Only the last one out wakes the thread that finishes; until it waits, there is no one to wake.
        if (--l->working == 0 && l->awaited)
            vni_monitor_wake_all(pool->monitor);
    }

    vni_monitor_leave(pool->monitor);
}

/// Inside the monitor: an unused slot; null if all loops are open.
static loop* free_loop(vn_pool* pool) {
    for (uint32_t i = 0; i < VNI_OPEN_LOOPS; ++i) {
        if (!pool->loops[i].open)
            return &pool->loops[i];
    }
    return NULL;
}

/// Null if the work cannot be shared, or too many loops are open: the caller then runs it alone.
static loop* open_loop(vn_pool* pool, vn_task* task, void* context, uint32_t count, uint32_t min_range) {
    uint32_t piece = piece_size(pool, count, min_range);
    if (pool->worker_count == 1 || piece >= count)
        return NULL;

    vni_monitor_enter(pool->monitor);
    loop* l = free_loop(pool);
    if (l != NULL) {
        VNI_ASSERT(l->working == 0);

        l->task = task;
        l->context = context;
        l->count = count;
        l->piece = piece;
        l->pieces = count / piece + (count % piece != 0);
        l->awaited = false;
        l->open = true;

        // A worker that looked at this slot before it was reused is gone: `working` was 0 when it was closed.
        vni_atomic_store(&l->next_piece, 0);
        vni_monitor_wake_all(pool->monitor);
    }

    vni_monitor_leave(pool->monitor);
    return l;
}

static void close_loop(vn_pool* pool, loop* l) {
    VNI_ASSERT(l >= pool->loops && l < pool->loops + VNI_OPEN_LOOPS && l->open);
    work_on(l, 0);

    // Now every piece is taken, and find_work no longer returns this loop: `working` can only fall.
    vni_monitor_enter(pool->monitor);
    l->awaited = true;
    while (l->working > 0)
        vni_monitor_wait(pool->monitor);

    l->open = false;
    vni_monitor_leave(pool->monitor);
}

#else

static loop* open_loop(vn_pool* pool, vn_task* task, void* context, uint32_t count, uint32_t min_range) {
    (void)pool, (void)task, (void)context, (void)count, (void)min_range;
    return NULL;
}

static void close_loop(vn_pool* pool, loop* l) {
    (void)pool, (void)l;
    VNI_ASSERT(l == NULL); // open_loop returns none
}

#endif

static void* pool_enqueue(void* user, vn_task* task, void* context, uint32_t count, uint32_t min_range) {
    VNI_ASSERT(user != NULL && task != NULL);
    if (count == 0)
        return NULL;

    loop* l = open_loop(user, task, context, count, min_range > 0 ? min_range : 1);
    if (l == NULL)
        task(context, 0, count, 0);
    return l;
}

static void pool_finish(void* user, void* handle) {
    VNI_ASSERT(user != NULL);
    close_loop(user, handle);
}

// --------------------------------------------------------------------------------------------- pool

#if VOLNAV_THREADS

static vn_status start_workers(vn_pool* pool) {
    uint32_t threads = pool->worker_count - 1;
    if (threads == 0)
        return VN_OK;

    pool->monitor = vni_monitor_create(&pool->allocator);
    pool->workers = vni_alloc_zero(&pool->allocator, threads, sizeof *pool->workers);
    if (pool->monitor == NULL || pool->workers == NULL)
        return VN_OUT_OF_MEMORY;

    for (; pool->started < threads; ++pool->started) {
        worker* w = &pool->workers[pool->started];
        w->pool = pool;
        w->number = pool->started + 1;
        vn_status status = vni_thread_start(&pool->allocator, run_worker, w, &w->thread);
        if (status != VN_OK)
            return status;
    }

    return VN_OK;
}

static void stop_workers(vn_pool* pool) {
    if (pool->started > 0) {
        vni_monitor_enter(pool->monitor);
        pool->stop = true;
        vni_monitor_wake_all(pool->monitor);
        vni_monitor_leave(pool->monitor);
    }

    // Only threads that were started: start_workers may have failed halfway.
    for (uint32_t i = 0; i < pool->started; ++i)
        vni_thread_join(&pool->allocator, pool->workers[i].thread);

    for (uint32_t i = 0; i < VNI_OPEN_LOOPS; ++i)
        VNI_ASSERT(!pool->loops[i].open);

    if (pool->workers != NULL)
        VNI_DELETE_ARRAY(&pool->allocator, pool->workers, pool->worker_count - 1);

    vni_monitor_destroy(&pool->allocator, pool->monitor);
}

#else

static vn_status start_workers(vn_pool* pool) {
    return pool->worker_count == 1 ? VN_OK : VN_UNSUPPORTED;
}

static void stop_workers(vn_pool* pool) {
    VNI_ASSERT(pool->worker_count >= 1);
    (void)pool;
}

#endif

vn_status vn_pool_create(const vn_allocator* allocator, uint32_t worker_count, vn_pool** out) {
    VNI_ASSERT(vni_allocator_is_valid(allocator) && out != NULL);

    *out = NULL;
    if (worker_count == 0) {
        uint32_t processors = vni_processor_count();
        worker_count = processors < VNI_MAX_WORKERS ? processors : VNI_MAX_WORKERS;
    }

    if (worker_count > VNI_MAX_WORKERS)
        return VN_UNSUPPORTED;
    vn_pool* pool = VNI_NEW(allocator, vn_pool);
    if (pool == NULL)
        return VN_OUT_OF_MEMORY;

    pool->allocator = *allocator;
    pool->worker_count = worker_count;
    vn_status status = start_workers(pool);
    if (status != VN_OK) {
        vn_pool_destroy(pool);
        return status;
    }

    *out = pool;
    return VN_OK;
}

void vn_pool_destroy(vn_pool* pool) {
    if (pool == NULL)
        return;
    stop_workers(pool);
    vn_allocator allocator = pool->allocator;
    VNI_DELETE(&allocator, pool);
}

vn_jobs vn_pool_jobs(vn_pool* pool) {
    VNI_ASSERT(pool != NULL);
    return (vn_jobs){
        .worker_count = pool->worker_count, .enqueue = pool_enqueue, .finish = pool_finish, .user = pool};
}
