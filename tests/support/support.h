/// tests/support/support.h: what the tests share: seeds that are printed, sizes that grow in long runs, and
/// an allocator that counts and fails.
#ifndef VNT_SUPPORT_H
#define VNT_SUPPORT_H

#include "volnav/base.h"

/// The seed of a randomised test: VN_SEED from the environment, else `fallback`. Prints it with the name, so
/// that a failure can be run again.
uint64_t vnt_seed(const char* name, uint64_t fallback);

/// `normal`; with VN_TEST_LONG=1 `long_run`, with VN_TEST_LONG=n an n-th of it (n times a step that is finer
/// in a long run), but `normal` at least (make test-long).
uint32_t vnt_scale(uint32_t normal, uint32_t long_run);

/// A build with sanitizers, which is many times slower.
bool vnt_is_slow_build(void);

/// An allocator for tests: checks the sizes that it is given back, counts live blocks and bytes, fails one
/// allocation on demand, or all from that one on.
typedef struct vnt_memory {
    uint64_t calls;     ///< allocations and growing resizes so far
    uint64_t fail_at;   ///< the call with this number (from 0) fails; UINT64_MAX: none
    bool keeps_failing; ///< and all calls after it
    uint64_t failures;  ///< how many have failed
    uint64_t live_blocks, live_bytes, peak_bytes;
    bool failed;   ///< the failure has happened
    bool mismatch; ///< a block came back with another size than it was taken with
} vnt_memory;

vnt_memory vnt_memory_make(void);

/// Not thread-safe: for serial jobs only.
vn_allocator vnt_memory_allocator(vnt_memory* memory);

/// The same for any number of threads. While others may use it, read the failures and return memory by the
/// functions below.
vn_allocator vnt_memory_shared_allocator(vnt_memory* memory);
uint64_t vnt_memory_failures(vnt_memory* memory);

/// No allocation fails any more.
void vnt_memory_restore(vnt_memory* memory);

#endif
