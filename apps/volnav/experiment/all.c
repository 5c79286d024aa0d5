/// volnav/experiment/all.c: all experiments as one site: a page for each, and an index with one summary.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/experiment.h"

/// One experiment that has been run.
typedef struct chapter {
    const experiment_entry* entry;
    experiment* e;
    char* folder;
    char page[96]; ///< from the index
    double seconds;
} chapter;

typedef struct site {
    const experiment_options* options;
    const char* path;
    chapter* chapters;
    int count;
    double seconds;
} site;

// --------------------------------------------------------------------------------------------------- running

static void open_chapter(const site* s, const experiment_entry* entry, chapter* c) {
    const size_t size = strlen(s->path) + strlen(entry->name) + 2;
    c->entry = entry;
    c->e = say_alloc(1, sizeof *c->e);
    c->folder = say_alloc(size, 1);
    snprintf(c->folder, size, "%s/%s", s->path, entry->name);
    snprintf(c->page, sizeof c->page, "%s/index.html", entry->name);
}

static void say_chapter(const chapter* c) {
    const order_book* orders = &c->e->orders;
    printf("%-18s %8" PRIu64 " paths, %" PRIu64 " valid; %d of %d claims hold, %d not explained; %.1f s\n",
           c->entry->name, c->e->queries, c->e->valid, order_holding(orders), orders->claim_count,
           order_unexplained(orders), c->seconds);
    fflush(stdout);
}

/// Goes on after a path that was not found or not valid; the worst exit code.
static int run_all(site* s, const experiment_entry* entries, int count) {
    int worst = EXIT_DONE;
    for (int i = 0; i < count && worst != EXIT_BAD; ++i) {
        chapter* c = &s->chapters[s->count++];
        open_chapter(s, &entries[i], c);
        const int code = experiment_make(&entries[i], s->options, c->folder, c->e, &c->seconds);
        if (code != EXIT_BAD && !s->options->json) {
            say_chapter(c);
        }
        worst = code > worst ? code : worst;
    }
    return worst;
}

static void forget(site* s) {
    for (int i = 0; i < s->count; ++i) {
        experiment_forget(s->chapters[i].e);
        free(s->chapters[i].e);
        free(s->chapters[i].folder);
    }
    free(s->chapters);
}

// --------------------------------------------------------------------------------------------------- writing

static void write_opening(const site* s, page* p) {
    page_add(
        p, "Theses on navigation in volumes, rebuilt: their set-ups as scenes of our own, their searches and "
           "autopilots, their tables beside ours. Every path is judged by the exact checker. A verdict is "
           "computed "
           "from the figures of this run, and a reason is shown only where a test of it succeeded.");
    page_add(p,
             "Seed %llu. Times are processor time of one thread; everything but the times is the same for "
             "the same "
             "seed, apart from what is run in real time.",
             (unsigned long long)s->options->seed);
    if (s->options->quick) {
        page_note(p, "A quick run, with few queries: small differences, above all of times, may be noise.");
    }
}

static void write_summary(const site* s, page* p) {
    static const char* const heads[] = {
        "experiment",        "<about",        "paths", "valid", "claims", "of them hold", "pairs compared",
        "in the same order", "not explained", "s"};
    page_begin_table(p, "What came out", NULL, heads, 10);
    for (int i = 0; i < s->count; ++i) {
        const chapter* c = &s->chapters[i];
        const order_book* orders = &c->e->orders;
        page_link(p, c->page, c->entry->title);
        page_text(p, c->entry->about);
        page_real(p, (double)c->e->queries);
        page_real(p, (double)c->e->valid);
        page_real(p, orders->claim_count);
        page_real(p, order_holding(orders));
        page_real(p, (double)orders->compared);
        page_real(p, (double)orders->same);
        page_real(p, order_unexplained(orders));
        page_real(p, c->seconds);
        page_end_row(p);
    }
    page_end_table(p);
}

static int write_index(site* s) {
    files_folder folder;
    page p = page_begin("Theses on navigation in volumes, rebuilt");
    int code = files_open(s->path, &folder);
    write_opening(s, &p);
    write_summary(s, &p);
    for (int i = 0; i < s->count; ++i) {
        page_heading(&p, 2, s->chapters[i].entry->title);
        if (s->chapters[i].e->orders.claim_count > 0) {
            order_write_claims(&s->chapters[i].e->orders, &p);
        } else {
            page_add(&p, "It has no claims of a thesis to be judged.");
        }
    }

    page_end(&p);
    code = code == EXIT_DONE ? files_write(&folder, "index.html", &p.text) : code;
    files_close(&folder);
    svg_free(&p.text);
    return code;
}

static void write_json(const site* s) {
    json_writer json = json_open(stdout);
    json_begin_object(&json, NULL);
    json_text(&json, "experiment", "all");
    json_bool(&json, "quick", s->options->quick);
    json_count(&json, "seed", s->options->seed);
    json_text(&json, "out", s->path);
    json_text(&json, "page", "index.html");
    json_real(&json, "seconds", s->seconds);

    json_begin_array(&json, "experiments", false);
    for (int i = 0; i < s->count; ++i) {
        const chapter* c = &s->chapters[i];
        json_begin_object(&json, NULL);
        json_text(&json, "experiment", c->entry->name);
        json_text(&json, "page", c->page);
        json_count(&json, "queries", c->e->queries);
        json_count(&json, "found", c->e->found);
        json_count(&json, "valid", c->e->valid);
        json_real(&json, "seconds", c->seconds);
        order_write_json(&c->e->orders, &json);
        json_end(&json);
    }

    json_end(&json);
    json_end(&json);
    putchar('\n');
}

int experiment_make_all(const experiment_entry* entries, int count, const experiment_options* options) {
    site s = {.options = options, .path = options->out != NULL ? options->out : "out/experiment-all"};
    s.chapters = say_alloc((size_t)count, sizeof *s.chapters);
    const double begin = system_wall_seconds();
    int code = run_all(&s, entries, count);
    s.seconds = system_wall_seconds() - begin;
    if (code != EXIT_BAD && write_index(&s) != EXIT_DONE) {
        code = EXIT_BAD;
    }

    if (code != EXIT_BAD && options->json) {
        write_json(&s);
    } else if (code != EXIT_BAD) {
        printf("%s/index.html in %.1f s\n", s.path, s.seconds);
    }
    forget(&s);
    return code;
}
