/// base/tally.c: see base/tally.h.
#include "base/tally.h"
#include "base/assert.h"

static void* take(void* user, size_t size) {
    vni_tally* tally = user;
    void* block = tally->inner.alloc(tally->inner.user, size);
    if (block != NULL)
        atomic_fetch_add(&tally->bytes, size);
    return block;
}

static void* resize(void* user, void* block, size_t old_size, size_t new_size) {
    vni_tally* tally = user;
    void* moved = tally->inner.resize(tally->inner.user, block, old_size, new_size);

    // unsigned: a difference that wraps subtracts
    if (moved != NULL)
        atomic_fetch_add(&tally->bytes, new_size - old_size);
    return moved;
}

static void release(void* user, void* block, size_t size) {
    vni_tally* tally = user;
    tally->inner.release(tally->inner.user, block, size);
    atomic_fetch_sub(&tally->bytes, size);
}

void vni_tally_make(vni_tally* tally, const vn_allocator* inner) {
    VNI_ASSERT(tally != NULL && inner != NULL);
    tally->allocator = (vn_allocator){take, resize, release, tally};
    tally->inner = *inner;
    atomic_store(&tally->bytes, 0);
}

vni_tally* vni_tally_of(const vn_allocator* allocator) {
    return allocator->alloc == take ? (vni_tally*)allocator->user : NULL;
}
