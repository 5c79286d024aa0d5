/// volnav/base.h: common definitions: version, status codes, memory, streams, jobs, log and assert hooks.
///
/// Errors are reported through three channels:
///   * assert: a bug in the calling program, such as a null pointer where none is allowed. Debug builds stop;
///     see vn_set_assert_handler.
///   * status: a problem with the world, the input or memory. Every call that can fail returns a vn_status.
///   * log: diagnostics for people. No failure is reported through the log alone.
#ifndef VOLNAV_BASE_H
#define VOLNAV_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VN_VERSION_MAJOR 0
#define VN_VERSION_MINOR 1
#define VN_VERSION_PATCH 0
#define VN_VERSION_TEXT  "0.1.0"
/// The version as one number, for comparisons: 1.2.3 is 10203.
#define VN_VERSION (VN_VERSION_MAJOR * 10000 + VN_VERSION_MINOR * 100 + VN_VERSION_PATCH)

#if defined(_WIN32) && defined(VOLNAV_SHARED)
#ifdef VOLNAV_BUILDING
#define VN_EXPORT __declspec(dllexport)
#else
#define VN_EXPORT __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define VN_EXPORT __attribute__((visibility("default")))
#else
#define VN_EXPORT
#endif

#ifdef __cplusplus
#define VN_API extern "C" VN_EXPORT
#else
#define VN_API extern VN_EXPORT
#endif

/// VN_NODISCARD instead of VN_API: the call writes an output, or makes a change, that is of no use unless its
/// status says so. Calls for which an id that is already gone is no harm (remove, cancel, unwatch) have
/// VN_API. Compilers warn when the status is dropped (C23, C++17, GCC, Clang); a cast to void says that it is
/// meant.
#if defined(__cplusplus) && __cplusplus >= 201703L
#define VN_NODISCARD extern "C" [[nodiscard]] VN_EXPORT
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L
#define VN_NODISCARD [[nodiscard]] VN_API
#elif defined(__GNUC__) && !defined(__cplusplus) && defined(__has_c_attribute)
#if __has_c_attribute(nodiscard)
#define VN_NODISCARD __extension__ [[nodiscard]] VN_API
#endif
#endif
#ifndef VN_NODISCARD
#if defined(__GNUC__)
#define VN_NODISCARD VN_API __attribute__((warn_unused_result))
#else
#define VN_NODISCARD VN_API
#endif
#endif

/// Version of the linked library, encoded as VN_VERSION. Compare it with the header's VN_VERSION.
VN_API uint32_t vn_version(void);

// ---------------------------------------------------------------------------------------------- status

/// Result of a call. The numbers are part of the ABI: they are never reused, and new ones are appended.
typedef enum vn_status {
    VN_OK = 0,             ///< success; from a search: a path from start to goal was found
    VN_RUNNING = 1,        ///< sliced work is not finished: call step again
    VN_PARTIAL = 2,        ///< the goal was not reached; the path leads to the reached point nearest to it
    VN_START_BLOCKED = 3,  ///< the start lies inside an obstacle
    VN_GOAL_BLOCKED = 4,   ///< the goal lies inside an obstacle
    VN_NO_PATH = 5,        ///< both ends are free, but no free path joins them
    VN_BUDGET_SPENT = 6,   ///< the caller's limit on expansions was reached first
    VN_CANCELLED = 7,      ///< cancelled by the caller
    VN_CAPACITY = 8,       ///< a capacity set by the caller (nodes, array) is too small
    VN_UNSUPPORTED = 9,    ///< this combination of space, search and options is not supported
    VN_OUT_OF_MEMORY = 10, ///< the allocator returned null; nothing was changed
    VN_OUTSIDE = 11,       ///< a point lies outside the bounds of the space
    VN_BAD_ARGUMENT = 12,  ///< an argument or a field of a def has an invalid value
    VN_BAD_DEF = 13,       ///< a def was not initialised by its vn_default_..._def()
    VN_BAD_ORDER = 14,     ///< calls in the wrong order, such as step before begin
    VN_STALE_ID = 15,      ///< the object of this id has been removed or never existed
    VN_BAD_DATA = 16,      ///< invalid geometry: not finite, index out of range, empty, not convex
    VN_TOO_LARGE = 17,     ///< more voxels, blocks or elements than the library can address
    VN_IO = 18,            ///< the operating system reported an error: no such file, no permission, disk full
    VN_BAD_FORMAT = 19,    ///< the content of a file does not match its format
    VN_MISMATCH = 20,      ///< two inputs do not belong together, such as a scenario and another map
    VN_TOO_NARROW = 21,    ///< paths join start and goal, but none is wide enough for this agent
    VN_UNKNOWN_SPACE = 22, ///< a point lies in unknown space, which the bake refuses
    VN_STALE = 23,         ///< made from an older state of its source: make it again
    VN_NOT_FOUND = 24,     ///< nothing of the kind was found within the given limits
    VN_BLOCKED = 25,       ///< a point that must be free (other than a start or goal) lies inside an obstacle
    VN_DEGENERATE = 26,    ///< points without a volume: all in one plane, on one line or equal
    VN_STATUS_COUNT
} vn_status;

/// The status as a stable lower-case word ("ok", "no-path", "start-blocked" ...). Never null.
VN_API const char* vn_status_word(vn_status status);

/// The status of a search as a word: "path" for VN_OK, otherwise as vn_status_word. This is what the tools
/// print as the "status" of a search in JSON. Never null.
VN_API const char* vn_path_status_word(vn_status status);

/// The status as one English sentence. Never null.
VN_API const char* vn_status_text(vn_status status);

#define VN_NO_INDEX UINT64_MAX

/// Details of a failure: the element or line at fault, and a sentence that says what to do about it. Every
/// function that takes a vn_detail* accepts null, and does not write to it on VN_OK.
typedef struct vn_detail {
    vn_status status;
    uint32_t line;  ///< line of a text file, counted from 1; 0 if not applicable
    uint64_t index; ///< element at fault (vertex, triangle, voxel ...), counted from 0; VN_NO_INDEX if not
                    ///< applicable
    char text[240]; ///< one sentence, null-terminated
} vn_detail;

// ---------------------------------------------------------------------------------------------- memory

/// Memory functions of an object. Each receives `user`. `resize` and `release` receive the size that was
/// requested for the block, so a host need not store it. Blocks must be aligned to at least 16 bytes. `alloc`
/// and `resize` return null when memory runs out; `resize` then leaves the old block unchanged. Objects that
/// use a vn_jobs with several workers call the allocator from those workers: it must then be thread-safe.
typedef struct vn_allocator {
    void* (*alloc)(void* user, size_t size);
    void* (*resize)(void* user, void* block, size_t old_size, size_t new_size);
    void (*release)(void* user, void* block, size_t size);
    void* user;
} vn_allocator;

/// An allocator that uses malloc, realloc and free.
VN_API vn_allocator vn_default_allocator(void);

#define VN_MEMORY_PARTS 16

/// Bytes held by an object, itemised. `total` is the sum over `parts`.
typedef struct vn_memory {
    size_t total;
    uint32_t count;
    struct {
        const char* name; ///< static text
        size_t bytes;
    } parts[VN_MEMORY_PARTS];
} vn_memory;

// -------------------------------------------------------------------------------------- random numbers

/// A random 64-bit number, uniformly distributed, the same on every machine (splitmix64, as in
/// vn_space_random_point). `*random` is the state of the generator: start with any number; each call changes
/// it.
VN_API uint64_t vn_random_next(uint64_t* random);

// --------------------------------------------------------------------------------------------- streams

/// Input stream. `read` returns the number of bytes stored in `buffer`: 0 at the end, negative on an error.
typedef struct vn_source {
    int64_t (*read)(void* user, void* buffer, size_t size);
    void* user;
} vn_source;

/// Output stream. `write` takes all `size` bytes, or returns false.
typedef struct vn_sink {
    bool (*write)(void* user, const void* data, size_t size);
    void* user;
} vn_sink;

// ------------------------------------------------------------------------------------------------ jobs

/// One range of a parallel loop: processes the indices [begin, end) as worker `worker`, which is below the
/// worker_count of the vn_jobs.
typedef void vn_task(void* context, uint32_t begin, uint32_t end, uint32_t worker);

/// Interface to a task system: the host's own, or a vn_pool (vn_pool_jobs). volnav divides work into index
/// ranges whose results do not depend on the worker or the order of execution: the output is the same, byte
/// for byte, for any number of workers.
///
/// `enqueue` runs `task` over [0, count) in ranges of at least `min_range` indices (the last may be shorter).
/// It returns a handle for `finish`, or null if all the work is already done. `finish` returns once all
/// ranges are done; the thread that enqueued calls it exactly once for each non-null handle. Two ranges with
/// the same worker number never run at the same time. `enqueue` cannot fail: a task system that cannot accept
/// the work runs it on the calling thread and returns null.
typedef struct vn_jobs {
    uint32_t worker_count; ///< at least 1
    void* (*enqueue)(void* user, vn_task* task, void* context, uint32_t count, uint32_t min_range);
    void (*finish)(void* user, void* handle);
    void* user;
} vn_jobs;

/// Runs everything on the calling thread; worker_count is 1. The default in every def.
VN_API vn_jobs vn_serial_jobs(void);

/// The library's thread pool.
typedef struct vn_pool vn_pool;

/// Starts a pool of `worker_count` workers; 0 means one for each processor. The thread that calls finish
/// works too and counts as one of them, so a pool of 1 starts no thread. The allocator is copied; it must not
/// be null. VN_OUT_OF_MEMORY. VN_UNSUPPORTED: more than 1024 workers, more than one in a build without
/// threads (VOLNAV_THREADS=OFF), or the system cannot start a thread.
VN_API vn_status vn_pool_create(const vn_allocator* allocator, uint32_t worker_count, vn_pool** out);

/// Waits for the workers and frees the pool. Null is allowed. Every handle must have been finished.
VN_API void vn_pool_destroy(vn_pool* pool);

/// The pool as a task system, valid as long as the pool. One thread at a time may enqueue and finish.
VN_API vn_jobs vn_pool_jobs(vn_pool* pool);

/// Progress callback of a long operation: called from time to time, on the thread that started the operation,
/// with the name of the current stage and the completed fraction of it, 0 to 1. Return false to cancel: the
/// operation then frees its results and returns VN_CANCELLED.
typedef bool vn_progress(void* user, const char* stage, double fraction);

// --------------------------------------------------------------------------------------- log and assert

typedef enum vn_log_level { VN_LOG_INFO = 0, VN_LOG_WARNING = 1, VN_LOG_ERROR = 2 } vn_log_level;

/// Receives one message, without a newline. May be called on any thread that runs volnav code.
typedef void vn_log_handler(void* user, vn_log_level level, const char* message);

/// Sets the log handler of the process; null (the default) discards messages. Call it before other threads
/// use volnav.
VN_API void vn_set_log_handler(vn_log_handler* handler, void* user);

/// Called when an assert fails, in builds with asserts. Return true to stop the program, false to continue at
/// your own risk.
typedef bool vn_assert_handler(const char* condition, const char* file, int line);

/// Sets the assert handler of the process; null restores the default, which stops the program.
VN_API void vn_set_assert_handler(vn_assert_handler* handler);

#endif
