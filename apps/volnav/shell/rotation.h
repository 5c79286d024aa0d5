/// volnav/shell/rotation.h: the order in which contenders take turns, so that no position favours one.
///
/// What runs first in a round finds other caches and another clock rate than what runs last, and each
/// inherits the caches of the one before it. Plain rotation changes who runs first, but never who runs after
/// whom. The rows of a Williams square (Williams 1949, "Experimental designs balanced for the estimation of
/// residual effects of treatments") balance both: in 2 * count rounds each contender takes each position
/// equally often and directly follows each other contender equally often.
#ifndef ROTATION_H
#define ROTATION_H

#include <assert.h>
#include <stdint.h>

/// The contender, below `count`, whose turn it is in a round. In every round each has exactly one turn.
static inline uint32_t rotation_at(uint32_t count, uint64_t round, uint32_t turn) {
    assert(count > 0 && turn < count);

    // A row zigzags around its first contender: 0, 1, n-1, 2, n-2, ... Neighbours in it differ by 1, -2, 3,
    // ..., for an even count each difference once; every row adds one to all. An odd count needs the mirrored
    // rows too, so each second block of `count` rounds is read backwards.
    const uint32_t step = round / count % 2 == 0 ? turn : count - 1 - turn;
    const uint32_t zigzag = step % 2 == 1 ? (step + 1) / 2 : (count - step / 2) % count;
    return (uint32_t)((zigzag + round % count) % count);
}

#endif
