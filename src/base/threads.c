/// base/threads.c: threads and monitors over pthreads or Win32, and the number of processors.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // sched_getaffinity
#elif defined(_WIN32) && !defined(_WIN32_WINNT)
#define _WIN32_WINNT 0x0600 // condition variables
#endif

#include "base/threads.h"

#if !VOLNAV_THREADS

uint32_t vni_processor_count(void) {
    return 1;
}

#else

#include "base/alloc.h"
#include "base/assert.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "base/bits.h"
#include <process.h>
#else
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#endif

struct vni_thread {
    void (*run)(void* argument);
    void* argument;
#if defined(_WIN32)
    HANDLE handle;
#else
    pthread_t handle;
#endif
};

#if defined(_WIN32)

// -------------------------------------------------------------------------------------------- Win32

struct vni_monitor {
    SRWLOCK lock;
    CONDITION_VARIABLE condition;
};

static bool monitor_open(vni_monitor* monitor) {
    InitializeSRWLock(&monitor->lock);
    InitializeConditionVariable(&monitor->condition);
    return true;
}

static void monitor_close(vni_monitor* monitor) {
    (void)monitor; // neither part holds system resources
}

void vni_monitor_enter(vni_monitor* monitor) {
    AcquireSRWLockExclusive(&monitor->lock);
}

void vni_monitor_leave(vni_monitor* monitor) {
    ReleaseSRWLockExclusive(&monitor->lock);
}

void vni_monitor_wait(vni_monitor* monitor) {
    SleepConditionVariableSRW(&monitor->condition, &monitor->lock, INFINITE, 0);
}

void vni_monitor_wake_all(vni_monitor* monitor) {
    WakeAllConditionVariable(&monitor->condition);
}

static unsigned __stdcall thread_main(void* argument) {
    vni_thread* thread = argument;
    thread->run(thread->argument);
    return 0;
}

static bool thread_open(vni_thread* thread) {
    thread->handle = (HANDLE)_beginthreadex(NULL, 0, thread_main, thread, 0, NULL);
    return thread->handle != NULL;
}

static void thread_close(vni_thread* thread) {
    DWORD result = WaitForSingleObject(thread->handle, INFINITE);
    VNI_ASSERT(result == WAIT_OBJECT_0);
    (void)result;
    CloseHandle(thread->handle);
}

uint32_t vni_processor_count(void) {
    DWORD_PTR ours = 0, all = 0;
    if (GetProcessAffinityMask(GetCurrentProcess(), &ours, &all) && ours != 0)
        return vni_popcount(ours);
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors > 0 ? (uint32_t)info.dwNumberOfProcessors : 1;
}

#else

// ----------------------------------------------------------------------------------------- pthreads

struct vni_monitor {
    pthread_mutex_t lock;
    pthread_cond_t condition;
};

/// For calls that can fail only because of a bug.
static void must_be_zero(int error) {
    VNI_ASSERT(error == 0);
    (void)error;
}

static bool monitor_open(vni_monitor* monitor) {
    if (pthread_mutex_init(&monitor->lock, NULL) != 0)
        return false;
    if (pthread_cond_init(&monitor->condition, NULL) == 0)
        return true;
    must_be_zero(pthread_mutex_destroy(&monitor->lock));
    return false;
}

static void monitor_close(vni_monitor* monitor) {
    must_be_zero(pthread_cond_destroy(&monitor->condition));
    must_be_zero(pthread_mutex_destroy(&monitor->lock));
}

void vni_monitor_enter(vni_monitor* monitor) {
    must_be_zero(pthread_mutex_lock(&monitor->lock));
}

void vni_monitor_leave(vni_monitor* monitor) {
    must_be_zero(pthread_mutex_unlock(&monitor->lock));
}

void vni_monitor_wait(vni_monitor* monitor) {
    must_be_zero(pthread_cond_wait(&monitor->condition, &monitor->lock));
}

void vni_monitor_wake_all(vni_monitor* monitor) {
    must_be_zero(pthread_cond_broadcast(&monitor->condition));
}

static void* thread_main(void* argument) {
    vni_thread* thread = argument;
    thread->run(thread->argument);
    return NULL;
}

static bool thread_open(vni_thread* thread) {
    return pthread_create(&thread->handle, NULL, thread_main, thread) == 0;
}

static void thread_close(vni_thread* thread) {
    must_be_zero(pthread_join(thread->handle, NULL));
}

uint32_t vni_processor_count(void) {
#if defined(__linux__)
    cpu_set_t ours;
    if (sched_getaffinity(0, sizeof ours, &ours) == 0 && CPU_COUNT(&ours) > 0)
        return (uint32_t)CPU_COUNT(&ours);
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}

#endif

// --------------------------------------------------------------------------------------------- both

vni_monitor* vni_monitor_create(const vn_allocator* allocator) {
    vni_monitor* monitor = VNI_NEW(allocator, vni_monitor);
    if (monitor != NULL && !monitor_open(monitor)) {
        VNI_DELETE(allocator, monitor);
        return NULL;
    }
    return monitor;
}

void vni_monitor_destroy(const vn_allocator* allocator, vni_monitor* monitor) {
    if (monitor == NULL)
        return;

    monitor_close(monitor);
    VNI_DELETE(allocator, monitor);
}

vn_status vni_thread_start(const vn_allocator* allocator, void (*run)(void* argument), void* argument,
                           vni_thread** out) {
    VNI_ASSERT(run != NULL && out != NULL);

    *out = NULL;
    vni_thread* thread = VNI_NEW(allocator, vni_thread);
    if (thread == NULL)
        return VN_OUT_OF_MEMORY;

    thread->run = run;
    thread->argument = argument;
    if (!thread_open(thread)) {
        VNI_DELETE(allocator, thread);
        return VN_UNSUPPORTED;
    }

    *out = thread;
    return VN_OK;
}

void vni_thread_join(const vn_allocator* allocator, vni_thread* thread) {
    VNI_ASSERT(thread != NULL);
    thread_close(thread);
    VNI_DELETE(allocator, thread);
}

#endif
