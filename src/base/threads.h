/// base/threads.h: thread primitives over pthreads or Win32, or none (VOLNAV_THREADS=0). Atomics are those of
/// C11 on 32-bit counters, sequentially consistent.
#ifndef VNI_BASE_THREADS_H
#define VNI_BASE_THREADS_H

#include "volnav/base.h"
#include <stdatomic.h>

#ifndef VOLNAV_THREADS
#define VOLNAV_THREADS 1
#endif

typedef _Atomic uint32_t vni_atomic;

/// Adds and returns the value before the addition.
static inline uint32_t vni_atomic_add(vni_atomic* value, uint32_t by) {
    return atomic_fetch_add(value, by);
}
static inline uint32_t vni_atomic_load(const vni_atomic* value) {
    return atomic_load((vni_atomic*)(uintptr_t)value);
}
static inline void vni_atomic_store(vni_atomic* value, uint32_t to) {
    atomic_store(value, to);
}

#if VOLNAV_THREADS
typedef struct vni_thread vni_thread;   ///< opaque: defined in threads.c
typedef struct vni_monitor vni_monitor; ///< a mutex with one condition variable

/// Null if memory runs out.
vni_monitor* vni_monitor_create(const vn_allocator* allocator);
void vni_monitor_destroy(const vn_allocator* allocator, vni_monitor* monitor);
void vni_monitor_enter(vni_monitor* monitor);
void vni_monitor_leave(vni_monitor* monitor);
void vni_monitor_wait(
    vni_monitor* monitor); ///< inside: leaves, waits until woken, enters again; may wake spuriously
void vni_monitor_wake_all(vni_monitor* monitor); ///< inside

/// Starts a thread that calls `run` once. On VN_OUT_OF_MEMORY, or VN_UNSUPPORTED (the system cannot start a
/// thread), `*out` is null.
vn_status vni_thread_start(const vn_allocator* allocator, void (*run)(void* argument), void* argument,
                           vni_thread** out);

/// Waits until the thread has ended, and frees it. Call it exactly once for each thread.
void vni_thread_join(const vn_allocator* allocator, vni_thread* thread);
#endif

/// Number of processors that this process may use, at least 1.
uint32_t vni_processor_count(void);

#endif
