/// tests/fuzz/mutator.c: libFuzzer's mutations, repaired afterwards, so that they get past checksums and
/// counts; and its options for a target.
#include "tests/fuzz/probe.h"
#include <stdio.h>

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

#define MAX_ARGUMENTS 64

int LLVMFuzzerInitialize(int* count, char*** arguments);

/// Adds options of its own for a target whose inputs are calls, not a format: they are short, and each
/// reaches so much code that libFuzzer's choice by entropy takes longer than running them.
int LLVMFuzzerInitialize(int* count, char*** arguments) {
    static char length[32], entropic[] = "-entropic=0";
    static char* more[MAX_ARGUMENTS + 3];
    if (vnf_the_target.random_size == 0 || *count > MAX_ARGUMENTS)
        return 0;

    snprintf(length, sizeof length, "-max_len=%u", vnf_the_target.random_size);
    for (int i = 0; i < *count; ++i)
        more[i] = (*arguments)[i];

    more[(*count)++] = length;
    more[(*count)++] = entropic;
    *arguments = more;
    return 0;
}
