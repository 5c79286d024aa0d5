/// volnav/bench/contenders.c: from lists of spaces, algorithms, refinements and qualities to contenders.
#include <assert.h>
#include <string.h>

#include "bench/bench.h"

static int read_words(const char* option, const char* list, bench_words* out) {
    *out = (bench_words){.count = 0};
    if (strlen(list) >= sizeof out->text) {
        return say_bad("%s: the list is too long", option);
    }

    snprintf(out->text, sizeof out->text, "%s", list);
    for (char* word = strtok(out->text, ","); word != NULL; word = strtok(NULL, ",")) {
        if (out->count == BENCH_WORDS_MAX) {
            return say_bad("%s: %d names at most", option, (int)BENCH_WORDS_MAX);
        }
        out->words[out->count++] = word;
    }

    return out->count > 0 ? EXIT_DONE : say_bad("%s: the list is empty", option);
}

static bool has_word(const bench_words* list, const char* word) {
    for (int i = 0; i < list->count; ++i) {
        if (strcmp(list->words[i], word) == 0) {
            return true;
        }
    }
    return false;
}

/// Names that do not exist are told before anything is loaded.
static int check_words(const bench* b) {
    int code = EXIT_DONE;
    for (int i = 0; i < b->spaces.count; ++i) {
        vn_classic_kind kind;
        if (strcmp(b->spaces.words[i], "cells") != 0 &&
            !vn_classic_kind_from_name(b->spaces.words[i], &kind)) {
            return say_bad("--space %s is not in this version; there are: cells, grid, octree, merged",
                           b->spaces.words[i]);
        }
    }

    load_options anywhere = {.space =
                                 b->spaces.count == 1 && b->algos.count == 1 ? b->spaces.words[0] : "cells"};
    for (int i = 0; i < b->algos.count && code == EXIT_DONE; ++i) {
        search_algo algo;
        code = search_read_algo(b->algos.words[i], &anywhere, &algo);
    }

    search_algo cells;
    search_find_algo("cells", &cells);
    for (int i = 0; i < b->refines.count * b->qualities.count && code == EXIT_DONE; ++i) {
        vn_path_request request;
        search_options search = b->options->search;
        search.refine = b->refines.words[i % b->refines.count];
        search.quality = b->qualities.words[i / b->refines.count];
        code = search_request(&search, &b->options->load, &cells, &request);
    }

    return code;
}

int bench_read_lists(bench* b, bench_options* options) {
    int code = read_words("--space", options->load.space, &b->spaces);
    if (code == EXIT_DONE) {
        code = read_words("--quality", options->search.quality, &b->qualities);
    }

    if (code == EXIT_DONE) {
        code = read_words("--refine", options->search.refine, &b->refines);
    }

    if (code == EXIT_DONE && options->algo != NULL) {
        code = read_words("--algo", options->algo, &b->algos);
    }

    const bool cells = has_word(&b->spaces, "cells") || options->random > 0; // which know what is reachable
    options->load.space = cells ? "cells" : "grid";
    return code == EXIT_DONE ? check_words(b) : code;
}

// --------------------------------------------------------------------------------------------- combinations

static bool is_default(const char* refine) {
    return strcmp(refine, "default") == 0;
}

/// Such as "astar", "merged lazy-theta prune" or "cells best".
static void name_it(const char* space, const search_algo* algo, const char* refine, const char* quality,
                    char* out, size_t size) {
    const bool plain = strcmp(space, "cells") == 0 || strcmp(space, "grid") == 0;
    snprintf(out, size, "%s%s%s%s%s%s%s", plain ? "" : space, plain ? "" : " ", algo->name,
             quality != NULL ? " " : "", quality != NULL ? quality : "", is_default(refine) ? "" : " ",
             is_default(refine) ? "" : refine);
}

static void skip(bench* b, const bench_contender* c, const char* why) {
    for (int i = 0; i < b->skipped_count; ++i) {
        if (strcmp(b->skipped[i].name, c->name) == 0) {
            return;
        }
    }

    if (b->skipped_count == BENCH_CONTENDERS_MAX) {
        return;
    }

    bench_skipped* s = &b->skipped[b->skipped_count++];
    memcpy(s->name, c->name, sizeof s->name);
    snprintf(s->why, sizeof s->why, "%s", why);
}

/// The library's reason, or ours where that speaks of its functions.
static const char* why_not(const bench_contender* c, const vn_detail* detail) {
    const vn_path_request* request = &c->request;
    const bool smooth = bench_is_cells(c) && request->refine == VN_REFINE_SMOOTH;
    return request->refine == VN_REFINE_TAUT ? "taut needs the search over cells"
           : smooth                          ? "smooth is for other searches; cells are pulled taut"
                                             : detail->text;
}

/// By volnav/classic.h: builds the space, and asks whether it can.
static int add_classic(bench* b, bench_contender* c, bool* can) {
    vn_detail detail = {0};
    int code = classics_request(&b->options->search, &c->algo, &c->request, &c->classic);
    if (code == EXIT_DONE) {
        code = classics_build(b->in, &b->options->search, c->kind, b->options->load.quiet, &b->classics);
    }

    if (code != EXIT_DONE) {
        return code;
    }

    *can = vn_classic_supports(b->classics.kinds[c->kind], &c->classic, &detail) == VN_OK;
    if (!*can) {
        skip(b, c, why_not(c, &detail));
    }

    return EXIT_DONE;
}

/// By a planner: builds its space, and asks whether it can plan there.
static int add_plan(bench* b, bench_contender* c, const char* space, bool* can) {
    const road_options none = {0};
    const search_options* search = &b->options->search;
    vn_detail detail = {0};
    plan_space* here = &b->plan_spaces[c->kind];
    vn_status status = plans_def(search, &c->algo, space, &c->request, &c->planner, &detail);
    if (status == VN_OK &&
        plans_build(b->in, search, &none, space, b->options->load.quiet, here) != EXIT_DONE) {
        return EXIT_BAD;
    }

    if (status == VN_OK) {
        one_plan once = {0};
        status = plans_create(b->in, here, search, &c->planner, &c->request, &once, &detail);
        plans_free(&once);
    }

    *can = status == VN_OK;
    if (status == VN_UNSUPPORTED) {
        skip(b, c, detail.text);
    }
    return status == VN_OK || status == VN_UNSUPPORTED ? EXIT_DONE : say_status(c->name, status, &detail);
}

/// What the core refuses, it refuses when a search begins.
static bool core_can(const bench* b, const bench_contender* c, vn_detail* detail) {
    vn_query* query = NULL;
    vn_query_def def = vn_default_query_def();
    vn_path_request request = c->request;
    def.scratch = bench_is_cells(c) ? VN_SCRATCH_CELLS : VN_SCRATCH_GRID;
    def.max_nodes = 64;

    bool can = true;
    if (vn_query_create_layers(b->in->layers, &def, &query, NULL) == VN_OK) {
        can = vn_query_begin(query, &request, detail) != VN_UNSUPPORTED;
    }

    vn_query_destroy(query);
    return can;
}

/// The grid may come twice: by its own name, and for what cells do not search.
static bool is_there(const bench* b, const char* name) {
    for (int i = 0; i < b->contender_count; ++i) {
        if (strcmp(b->contenders[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static int add(bench* b, const char* space, const search_algo* algo, const char* refine,
               const char* quality) {
    search_options search = b->options->search;
    if (b->contender_count == BENCH_CONTENDERS_MAX) {
        return say_bad("--space, --algo, --refine and --quality: %d combinations at most",
                       (int)BENCH_CONTENDERS_MAX);
    }

    bench_contender* c = &b->contenders[b->contender_count];
    const bool cells = search_is_cells(algo);
    memset(c, 0, sizeof *c);
    c->algo = *algo;
    search.refine = refine;
    search.quality = quality;

    int code = search_request(&search, &b->options->load, algo, &c->request);
    if (code != EXIT_DONE) {
        return code;
    }

    vn_detail detail = {0};
    bool can = true;
    c->quality = cells ? vn_quality_name(c->request.quality) : NULL;
    c->is_plan = algo->is_planner;
    c->is_classic = !c->is_plan && classics_needed(space, &b->options->search, algo, &c->request, &c->kind);
    if (c->is_plan) {
        (void)vn_classic_kind_from_name(plans_space_name(space), &c->kind); // check_words has seen it
    }
    c->space = c->is_classic || c->is_plan ? vn_classic_kind_name(c->kind) : search_space_of(algo);

    name_it(space, algo, refine, c->quality, c->name, sizeof c->name);
    if (is_there(b, c->name)) {
        return EXIT_DONE;
    }

    if (cells && strcmp(space, "cells") != 0) {
        snprintf(detail.text, sizeof detail.text, "cells searches cells, and --space %s has none", space);
        can = false;
        skip(b, c, detail.text);
    } else if (c->is_plan) {
        code = add_plan(b, c, space, &can);
    } else if (c->is_classic) {
        code = add_classic(b, c, &can);
    } else if (!core_can(b, c, &detail)) {
        can = false;
        skip(b, c, why_not(c, &detail));
    }

    b->contender_count += code == EXIT_DONE && can ? 1 : 0;
    return code;
}

/// Cells with each quality, all others once.
static int add_all(bench* b, const char* space, const char* name, const char* refine) {
    const load_options here = {.space = strcmp(space, "cells") == 0 ? "cells" : "grid"};
    search_algo algo;
    if (name == NULL || !search_find_algo(name, &algo)) {
        search_read_algo(NULL, &here, &algo);
    }

    const int count = search_is_cells(&algo) ? b->qualities.count : 1;
    int code = EXIT_DONE;
    for (int i = 0; i < count && code == EXIT_DONE; ++i) {
        code = add(b, space, &algo, refine, b->qualities.words[i]);
    }

    return code;
}

/// All that are left out for the same reason as this one, if it is the first of them.
static void tell_skipped(const bench* b, int first) {
    const char* why = b->skipped[first].why;
    for (int i = 0; i < first; ++i) {
        if (strcmp(b->skipped[i].why, why) == 0) {
            return;
        }
    }

    fprintf(stderr, "volnav: left out: %s", b->skipped[first].name);
    for (int i = first + 1; i < b->skipped_count; ++i) {
        if (strcmp(b->skipped[i].why, why) == 0) {
            fprintf(stderr, ", %s", b->skipped[i].name);
        }
    }

    fprintf(stderr, ": %s\n", why);
}

int bench_read_contenders(bench* b) {
    const int algos = b->algos.count > 0 ? b->algos.count : 1;
    int code = EXIT_DONE;
    assert(b->spaces.count > 0 && b->refines.count > 0 && b->qualities.count > 0);
    for (int s = 0; s < b->spaces.count; ++s) {
        for (int a = 0; a < algos; ++a) {
            for (int r = 0; r < b->refines.count && code == EXIT_DONE; ++r) {
                code = add_all(b, b->spaces.words[s], b->algos.count > 0 ? b->algos.words[a] : NULL,
                               b->refines.words[r]);
            }
        }
    }

    for (int i = 0; i < b->skipped_count && code == EXIT_DONE; ++i) {
        tell_skipped(b, i);
    }

    return code == EXIT_DONE && b->contender_count == 0 ? say_bad("nothing is left to measure") : code;
}
