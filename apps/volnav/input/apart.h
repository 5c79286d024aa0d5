/// volnav/input/apart.h: work on a file that is not trusted, done by a child process under limits.
///
/// A library that crashes, hangs or asks for all memory takes the child with it and nothing else: the tool
/// gets a reason that it can print. On systems without fork the work is done in the process itself, without
/// limits. Sanitizers reserve more address space than any limit allows, so under them only the child remains.
#ifndef APART_H
#define APART_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/// What the child may take for an input of `bytes` bytes: 512 MB of memory and 20 times its size, and 10
/// seconds of processor time and 4 for each MB.
uint64_t apart_memory(uint64_t bytes);
uint64_t apart_seconds(uint64_t bytes);

typedef struct apart_task {
    /// In the child: writes what it finds to `out`. Nothing of the parent may be changed here, because
    /// nothing of it is seen there. Returns what the child exits with; EXIT_BAD: there was no memory.
    int (*work)(void* context, FILE* out);

    /// In the parent: reads what the child writes, while it writes it, up to the end of the file, which comes
    /// early when the child dies. False: it wants no more, and the child is ended.
    bool (*take)(void* context, FILE* in);
    void* context;
    uint64_t bytes; ///< size of the input; `take` may add what apart_grow added in the child
} apart_task;

/// Runs the task. `reason`, of `size` bytes, is empty if the child exited with EXIT_DONE, else it says what
/// the child died of: "the importer needed more than 512 MB". What `take` took stands either way; it is for
/// the caller to say whether it is whole.
void apart_run(const apart_task* task, char* reason, size_t size);

/// In the child: the input has turned out to be larger by so many bytes, because it names another file.
void apart_grow(uint64_t bytes);

#endif
