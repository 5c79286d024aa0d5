/// base/status.c: the version, and what each status is called.
#include "base/assert.h"

static const struct {
    const char* word;
    const char* text;
} statuses[] = {
    [VN_OK] = {"path", "Done; of a search: a path from the start to the goal was found."},
    [VN_RUNNING] = {"running", "There is more to do; call step again."},
    [VN_PARTIAL] = {"partial", "The goal was not reached; the path leads to the nearest point that was."},
    [VN_START_BLOCKED] = {"start-blocked", "The start lies inside an obstacle."},
    [VN_GOAL_BLOCKED] = {"goal-blocked", "The goal lies inside an obstacle."},
    [VN_NO_PATH] = {"no-path", "The start and the goal are free, but no free way joins them."},
    [VN_BUDGET_SPENT] = {"budget-spent", "The limit of expansions was reached before the goal."},
    [VN_CANCELLED] = {"cancelled", "The caller asked to stop."},
    [VN_CAPACITY] = {"capacity", "A capacity that the caller fixed is too small."},
    [VN_UNSUPPORTED] = {"unsupported", "This combination of space, search and options does not exist."},
    [VN_OUT_OF_MEMORY] = {"out-of-memory", "There is not enough memory; nothing was changed."},
    [VN_OUTSIDE] = {"outside", "A point lies outside the bounds of the space."},
    [VN_BAD_ARGUMENT] = {"bad-argument", "An argument or a field of a def has a value that means nothing."},
    [VN_BAD_DEF] = {"bad-def", "A def was not made by its default function."},
    [VN_BAD_ORDER] = {"bad-order", "The calls came in the wrong order."},
    [VN_STALE_ID] = {"stale-id", "The thing that the id names has been removed, or never existed."},
    [VN_BAD_DATA] = {"bad-data", "The geometry cannot be: not finite, out of range, empty or not convex."},
    [VN_TOO_LARGE] = {"too-large", "There are more voxels, blocks or elements than the library addresses."},
    [VN_IO] = {"io-error", "The operating system refused to read or write."},
    [VN_BAD_FORMAT] = {"bad-format", "The content of a file is not what its format says."},
    [VN_MISMATCH] = {"mismatch", "Two inputs do not belong together."},
    [VN_TOO_NARROW] = {"too-narrow",
                       "A way joins the start and the goal, but it is too narrow for this agent."},
    [VN_UNKNOWN_SPACE] = {"unknown-space", "A point lies in space that nobody has seen."},
    [VN_STALE] = {"stale", "It was made for an older state of its source and must be made again."},
    [VN_NOT_FOUND] = {"not-found", "Nothing of the kind was found within the limits given."},
    [VN_BLOCKED] = {"blocked", "A point that must be free lies inside an obstacle."},
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

const char* vn_status_text(vn_status status) {
    return is_known(status) ? statuses[status].text
                            : "This status is unknown to this version of the library.";
}
