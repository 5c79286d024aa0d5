/// The words for algorithms, heuristics, qualities, refinements and goals: they are written in files and on
/// command lines, so each stands here once more.
#include "cmocka_all.h"

#include "volnav/query.h"

/// Checks one family of words: names in order, back from the name, no name beyond the last one, and that an
/// unknown word is refused and changes nothing.
#define CHECK_WORDS(type, name_of, from_name, ...)                                                           \
    do {                                                                                                     \
        static const char* const words[] = {__VA_ARGS__};                                                    \
        const int count = (int)(sizeof words / sizeof *words);                                               \
        for (int i = 0; i < count; ++i) {                                                                    \
            type found = (type)-1;                                                                           \
            assert_string_equal(name_of((type)i), words[i]);                                                 \
            assert_true(from_name(words[i], &found));                                                        \
            assert_int_equal(found, i);                                                                      \
        }                                                                                                    \
        type kept = (type)1;                                                                                 \
        assert_null(name_of((type)count));                                                                   \
        assert_null(name_of((type)-1));                                                                      \
        assert_false(from_name("", &kept));                                                                  \
        assert_false(from_name("Cells", &kept));                                                             \
        assert_int_equal(kept, 1);                                                                           \
    } while (0)

static void test_words(void** state) {
    (void)state;
    CHECK_WORDS(vn_algo, vn_algo_name, vn_algo_from_name, "cells", "astar", "dijkstra", "greedy",
                "astar-list");
    CHECK_WORDS(vn_heuristic, vn_heuristic_name, vn_heuristic_from_name, "default", "octile", "euclidean",
                "manhattan", "r16");
    CHECK_WORDS(vn_quality, vn_quality_name, vn_quality_from_name, "standard", "fast", "best");
    CHECK_WORDS(vn_refine, vn_refine_name, vn_refine_from_name, "default", "none", "prune", "taut", "smooth",
                "funnel", "funnel+prune");
    CHECK_WORDS(vn_goal_kind, vn_goal_kind_name, vn_goal_kind_from_name, "point", "box", "sphere", "sight");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words)};
    return cmocka_run_group_tests_name("query/names", tests, NULL, NULL);
}
