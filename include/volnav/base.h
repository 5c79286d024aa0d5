/// volnav/base.h: what every other header needs: versions, status codes, memory, jobs, log and assert hooks.
///
/// Three channels tell three kinds of trouble apart:
///   * assert: the program is wrong (a null pointer where none is allowed). Debug builds stop; see
///     vn_set_assert_handler.
///   * status: the world, the input or the memory is wrong. Every call that can fail returns a vn_status.
///   * log: diagnosis for people. Nothing that went wrong is only logged.
#ifndef VOLNAV_BASE_H
#define VOLNAV_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VN_VERSION_MAJOR 0
#define VN_VERSION_MINOR 1
#define VN_VERSION_PATCH 0
#define VN_VERSION_TEXT  "0.1.0"
/// One number to compare with: 1.2.3 is 10203.
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

/// The version of the library that is linked, as VN_VERSION; compare it with the header's.
VN_API uint32_t vn_version(void);

// ---------------------------------------------------------------------------------------------- status

/// What came of a call. The numbers are part of the ABI: none is ever reused, new ones are added at the end.
typedef enum vn_status {
    VN_OK = 0,             ///< done; of a search: a path from start to goal was found
    VN_RUNNING = 1,        ///< sliced work has more to do: call step again
    VN_PARTIAL = 2,        ///< the goal was not reached; there is a path to the point nearest to it that was
    VN_START_BLOCKED = 3,  ///< the start lies inside an obstacle
    VN_GOAL_BLOCKED = 4,   ///< the goal lies inside an obstacle
    VN_NO_PATH = 5,        ///< both ends are free, and no free way joins them
    VN_BUDGET_SPENT = 6,   ///< the caller's limit of expansions was reached first
    VN_CANCELLED = 7,      ///< the caller asked to stop
    VN_CAPACITY = 8,       ///< a capacity fixed by the caller (nodes, array) is too small
    VN_UNSUPPORTED = 9,    ///< this combination of space, search and options does not exist
    VN_OUT_OF_MEMORY = 10, ///< the allocator returned null; nothing was changed
    VN_OUTSIDE = 11,       ///< a point lies outside the bounds of the space
    VN_BAD_ARGUMENT = 12,  ///< an argument or a field of a def has a value that means nothing
    VN_BAD_DEF = 13,       ///< a def was not made by its vn_default_..._def()
    VN_BAD_ORDER = 14,     ///< calls in the wrong order, such as step before begin
    VN_STALE_ID = 15,      ///< the id's thing has been removed, or it never existed
    VN_BAD_DATA = 16,      ///< geometry that cannot be: not finite, index out of range, empty, not convex
    VN_TOO_LARGE = 17,     ///< more voxels, blocks or elements than the library addresses
    VN_IO = 18,            ///< the operating system refused: no such file, no permission, disk full
    VN_BAD_FORMAT = 19,    ///< a file's content is not what its format says
    VN_MISMATCH = 20,      ///< two inputs do not belong together, such as a scenario and another map
    VN_TOO_NARROW = 21,    ///< a way joins start and goal, but none is wide enough for this agent
    VN_UNKNOWN_SPACE = 22, ///< a point lies in space that nobody has seen, and the bake refuses such space
    VN_STALE = 23,         ///< made for an older state of its source: make it again
    VN_NOT_FOUND = 24,     ///< nothing of the kind was found within the limits given
    VN_BLOCKED = 25,       ///< a point that must be free, and is no end of a path, lies inside an obstacle
    VN_STATUS_COUNT
} vn_status;

/// The stable lower-case word of a status ("path", "no-path", "start-blocked" ...), as the tools print it in
/// JSON. Never null.
VN_API const char* vn_status_word(vn_status status);

/// One English sentence for people. Never null.
VN_API const char* vn_status_text(vn_status status);

#define VN_NO_INDEX UINT64_MAX

/// The detail behind a status that is not VN_OK: which element, which line, and a sentence that says what to
/// do. Every function that takes a vn_detail* accepts null, and leaves it alone on VN_OK.
typedef struct vn_detail {
    vn_status status;
    uint32_t line;  ///< line in a text file, from 1; 0 if there is none
    uint64_t index; ///< element at fault (vertex, triangle, voxel ...), from 0; VN_NO_INDEX if there is none
    char text[240]; ///< one sentence, null-terminated
} vn_detail;

// ---------------------------------------------------------------------------------------------- memory

/// Where an object takes its memory from. All three functions get `user`. `resize` and `release` are told the
/// size that was asked for, so that a host need not store it beside the block. Blocks are aligned to at least
/// 16 bytes. `alloc` and `resize` return null when there is no memory (`resize` then leaves the old block as
/// it was). Objects that are given a vn_jobs with several workers call the allocator from those workers: it
/// must be thread-safe then.
typedef struct vn_allocator {
    void* (*alloc)(void* user, size_t size);
    void* (*resize)(void* user, void* block, size_t old_size, size_t new_size);
    void (*release)(void* user, void* block, size_t size);
    void* user;
} vn_allocator;

/// malloc, realloc and free.
VN_API vn_allocator vn_default_allocator(void);

#define VN_MEMORY_PARTS 16

/// Memory held by an object, by part. `total` is the sum of the parts.
typedef struct vn_memory {
    size_t total;
    uint32_t count;
    struct {
        const char* name; ///< static text
        size_t bytes;
    } parts[VN_MEMORY_PARTS];
} vn_memory;

// --------------------------------------------------------------------------------------------- streams

/// Where bytes come from. `read` returns how many bytes it put into buffer: 0 at the end, below 0 on an
/// error.
typedef struct vn_source {
    int64_t (*read)(void* user, void* buffer, size_t size);
    void* user;
} vn_source;

/// Where bytes go. `write` takes all of them, or returns false.
typedef struct vn_sink {
    bool (*write)(void* user, const void* data, size_t size);
    void* user;
} vn_sink;

// ------------------------------------------------------------------------------------------------ jobs

/// Part of a parallel loop: handles the indices [begin, end) as worker `worker`, a number below the vn_jobs'
/// worker_count.
typedef void vn_task(void* context, uint32_t begin, uint32_t end, uint32_t worker);

/// The host's task system, or ours (vn_pool_jobs). volnav cuts work into index ranges whose results do not
/// depend on who runs them in which order: the same bytes come out for any number of workers.
///
/// `enqueue` runs `task` over [0, count) in ranges of at least `min_range` indices (the last may be shorter),
/// and returns a handle for `finish`, or null if everything has already been done. `finish` returns when all
/// ranges have been done; it is called exactly once for each handle that is not null, by the thread that
/// enqueued. No two ranges run at once with the same worker number. A task system that cannot take the work
/// runs it itself and returns null: enqueue never fails.
typedef struct vn_jobs {
    uint32_t worker_count; ///< at least 1
    void* (*enqueue)(void* user, vn_task* task, void* context, uint32_t count, uint32_t min_range);
    void (*finish)(void* user, void* handle);
    void* user;
} vn_jobs;

/// Everything on the calling thread; worker_count is 1. The default of every def.
VN_API vn_jobs vn_serial_jobs(void);

/// Our own pool of threads.
typedef struct vn_pool vn_pool;

/// Starts a pool with `worker_count` workers; the thread that calls finish works too and counts as one of
/// them, so that a pool of 1 starts no thread. 0 means one worker for each processor. The allocator is copied
/// and must not be null. VN_OUT_OF_MEMORY; VN_UNSUPPORTED if more than 1024 workers were asked for, or more
/// than one in a build without threads (VOLNAV_THREADS=OFF), or if the system refuses to start one.
VN_API vn_status vn_pool_create(const vn_allocator* allocator, uint32_t worker_count, vn_pool** out);

/// Waits for the workers and frees the pool. Null is allowed. No handle may be open.
VN_API void vn_pool_destroy(vn_pool* pool);

/// The pool as a job interface; valid as long as the pool. One thread at a time may enqueue and finish.
VN_API vn_jobs vn_pool_jobs(vn_pool* pool);

/// Called now and then by a long operation, on the thread that started it, with the name of the stage and the
/// part of it that is done, 0 to 1. Return false to cancel: the operation then frees what it made and returns
/// VN_CANCELLED.
typedef bool vn_progress(void* user, const char* stage, double fraction);

// --------------------------------------------------------------------------------------- log and assert

typedef enum vn_log_level { VN_LOG_INFO = 0, VN_LOG_WARNING = 1, VN_LOG_ERROR = 2 } vn_log_level;

/// Receives one line without a newline. May be called from any thread that runs volnav code.
typedef void vn_log_handler(void* user, vn_log_level level, const char* message);

/// Sets the handler for the whole process; null (the default) drops messages. Call it before other threads
/// use volnav.
VN_API void vn_set_log_handler(vn_log_handler* handler, void* user);

/// Called when an assert fails in a build that has them. Return true to stop the program, false to go on at
/// your own risk.
typedef bool vn_assert_handler(const char* condition, const char* file, int line);

/// Sets the handler for the whole process; null brings back the default, which stops the program.
VN_API void vn_set_assert_handler(vn_assert_handler* handler);

#endif
