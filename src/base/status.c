/// base/status.c: the version, and the word and sentence of each status.
#include "base/assert.h"

static const struct {
    const char* word;
    const char* text;
} statuses[] = {
    [VN_OK] = {"ok", "Success; from a search: a path from the start to the goal was found."},
    [VN_RUNNING] = {"running", "The work is not finished; call step again."},
    [VN_PARTIAL] = {"partial",
                    "The goal was not reached; the path leads to the reached point nearest to it."},
    [VN_START_BLOCKED] = {"start-blocked", "The start lies inside an obstacle."},
    [VN_GOAL_BLOCKED] = {"goal-blocked", "The goal lies inside an obstacle."},
    [VN_NO_PATH] = {"no-path", "The start and the goal are free, but no free path joins them."},
    [VN_BUDGET_SPENT] = {"budget-spent", "The limit on expansions was reached before the goal."},
    [VN_CANCELLED] = {"cancelled", "The caller cancelled the operation."},
    [VN_CAPACITY] = {"capacity", "A capacity set by the caller is too small."},
    [VN_UNSUPPORTED] = {"unsupported", "This combination of space, search and options is not supported."},
    [VN_OUT_OF_MEMORY] = {"out-of-memory", "There is not enough memory; nothing was changed."},
    [VN_OUTSIDE] = {"outside", "A point lies outside the bounds of the space."},
    [VN_BAD_ARGUMENT] = {"bad-argument", "An argument or a field of a def has an invalid value."},
    [VN_BAD_DEF] = {"bad-def", "A def was not initialised by its default function."},
    [VN_BAD_ORDER] = {"bad-order", "The calls came in the wrong order."},
    [VN_STALE_ID] = {"stale-id", "The object of this id has been removed or never existed."},
    [VN_BAD_DATA] = {"bad-data", "The geometry is invalid: not finite, out of range, empty or not convex."},
    [VN_TOO_LARGE] = {"too-large", "There are more voxels, blocks or elements than the library can address."},
    [VN_IO] = {"io-error", "The operating system reported an error while reading or writing."},
    [VN_BAD_FORMAT] = {"bad-format", "The content of a file does not match its format."},
    [VN_MISMATCH] = {"mismatch", "Two inputs do not belong together."},
    [VN_TOO_NARROW] = {"too-narrow",
                       "Paths join the start and the goal, but none is wide enough for this agent."},
    [VN_UNKNOWN_SPACE] = {"unknown-space", "A point lies in unknown space."},
    [VN_STALE] = {"stale", "It was made from an older state of its source and must be made again."},
    [VN_NOT_FOUND] = {"not-found", "Nothing of the kind was found within the given limits."},
    [VN_BLOCKED] = {"blocked", "A point that must be free lies inside an obstacle."},
    [VN_DEGENERATE] = {"degenerate",
                       "The points have no volume: they lie in one plane, on one line or are equal."},
};

_Static_assert(sizeof statuses / sizeof statuses[0] == VN_STATUS_COUNT, "every status has a word and a text");

static bool is_known(vn_status status) {
    return (uint32_t)status < VN_STATUS_COUNT;
}

uint32_t vn_version(void) {
    return VN_VERSION;
}

const char* vn_status_word(vn_status status) {
    return is_known(status) ? statuses[status].word : "unknown";
}

const char* vn_path_status_word(vn_status status) {
    return status == VN_OK ? "path" : vn_status_word(status);
}

const char* vn_status_text(vn_status status) {
    return is_known(status) ? statuses[status].text
                            : "This version of the library does not know this status.";
}
