/// bench/heap.c: the open set: pushes, pops and updates as a search does them, in heaps of several sizes.
#include "bench.h"

#include "base/heap.h"

int main(void) {
    printf("calibration: %.0f M steps/s\n\n", vnb_calibration());
    printf("%-10s %14s\n", "entries", "ns a push+pop");
    for (uint32_t size = 1u << 8; size <= 1u << 20; size <<= 4) {
        vni_heap heap = {0};
        uint32_t* positions = vnb_alloc(size, sizeof *positions);
        heap.entries = vnb_alloc(size, sizeof *heap.entries);
        heap.capacity = size;
        heap.positions = (unsigned char*)positions;
        heap.stride = sizeof *positions;

        vni_rng rng = vni_rng_make(size);
        for (uint32_t i = 0; i < size; ++i)
            if (!vni_heap_push(&heap, (vni_heap_entry){vni_rng_real(&rng), 0, i, i}))
                vnb_fail("a push was refused");

        const uint32_t rounds = 1000000;
        double begin = vnb_seconds();
        for (uint32_t i = 0; i < rounds; ++i) { // keys only grow, as in a search
            vni_heap_entry entry = vni_heap_pop(&heap);
            entry.key += vni_rng_real(&rng);
            if (!vni_heap_push(&heap, entry))
                vnb_fail("a push was refused");
        }

        printf("%-10u %14.1f\n", size, (vnb_seconds() - begin) / rounds * 1e9);
        free(heap.entries);
        free(positions);
    }

    return 0;
}
