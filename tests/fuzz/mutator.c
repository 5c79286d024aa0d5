/// tests/fuzz/mutator.c: libFuzzer's mutations, repaired afterwards, so that they get past checksums and
/// counts.
#include "tests/fuzz/probe.h"

/// libFuzzer's own: changes the bytes and returns their new size.
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed);

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
    size = LLVMFuzzerMutate(data, size, max_size);
    if (vnf_the_target.repair != NULL && seed % 8 != 0)
        vnf_the_target.repair(data, size, seed % 2 == 0);
    if (vnf_the_target.bomb != NULL && seed / 8 % 8 == 0)
        size = vnf_the_target.bomb(data, size, max_size, seed / 64);
    return size;
}
