/// volnav/experiment/maruszczyk_page.c: tables, charts and numbers of the experiment "maruszczyk".
#include <math.h>
#include <stdio.h>

#include "experiment/maruszczyk.h"

static void write_pair(page* p, double theirs, double ours) {
    page_theirs(p, theirs);
    page_real(p, ours);
}

static void write_opening(experiment* e) {
    page* p = &e->page;
    page_add(
        p,
        "Maruszczyk (2016) flies one ship through rocks that stand and asteroids that fly, over a grid with "
        "26 neighbours, and makes its autopilot better in five versions. Its worlds are pictures; ours are "
        "made by rule (seed %llu) with what the text gives: nodes of 4 units, 2,079 of 62,500 blocked, "
        "asteroids of about 1 unit at 0.8 units a second, 50 in a cube of 30 units and 300 in one of 40, a "
        "radar of 4 units, a look-ahead of 5 nodes, nodes blocked for 0.5 s. One unit is one metre here. "
        "The ship's data are not in the thesis: ours has a radius of 0.75 m, flies at 3 m/s, at most at "
        "6, and accelerates by 4 m/s².",
        (unsigned long long)e->options->seed);
    page_add(
        p,
        "Half of the asteroids cross the route that the same pilot takes without them, the others drift. "
        "A flight is judged by a swept test that shares no code with the pilots and knows the true shapes; "
        "a contact that lasts counts once. Groups 0 to 5 see 42 m far, turn on the spot and fly from node "
        "to node, as in the thesis; group 6, ours, sees 4 m and obeys its acceleration in every direction. "
        "Every flight is a function of its seed; only the times differ from run to run.");
    page_add(
        p,
        "Times are processor time of one thread, here and now; the thesis's are those of C# in Unity. Orders "
        "and ratios can be compared, milliseconds cannot. Path time contains all that a pilot does: "
        "searching, looking, steering.");
}

// --------------------------------------------------------------------------------------------- tables 2 to 4

static void name_world(const maruszczyk_world* w, char* out, size_t size) {
    snprintf(out, size, "%d × %d × %d%s", w->dims[0], w->dims[1], w->dims[2], w->rocks ? ", rocks" : "");
}

static double over(double a, double b) {
    return b > 0 ? a / b : (double)NAN;
}

static void write_times(page* p, const maruszczyk_study* s) {
    static const char* const heads[] = {"nodes", "thesis", "ours", "thesis", "ours", "thesis",
                                        "ours",  "thesis", "ours", "thesis", "ours", "ours"};
    page_begin_table(p, "Tables 2 and 3: ms a path",
                     "|A*, list:2|A*, heap:2|list / heap:2|Dijkstra:2|best first:2|cells", heads, 12);
    for (int size = 0; size < MARUSZCZYK_SIZES; ++size) {
        for (int rocks = 0; rocks < 2; ++rocks) {
            const maruszczyk_world* w = &s->worlds[size][rocks];
            const double* theirs = maruszczyk_ms[size][rocks];
            char name[64];
            name_world(w, name, sizeof name);
            page_text(p, name);
            write_pair(p, theirs[MARUSZCZYK_LIST], w->searches[MARUSZCZYK_LIST].ms);
            write_pair(p, theirs[MARUSZCZYK_HEAP], w->searches[MARUSZCZYK_HEAP].ms);
            write_pair(p, over(theirs[MARUSZCZYK_LIST], theirs[MARUSZCZYK_HEAP]),
                       over(w->searches[MARUSZCZYK_LIST].ms, w->searches[MARUSZCZYK_HEAP].ms));
            write_pair(p, theirs[MARUSZCZYK_DIJKSTRA], w->searches[MARUSZCZYK_DIJKSTRA].ms);
            write_pair(p, theirs[MARUSZCZYK_GREEDY], w->searches[MARUSZCZYK_GREEDY].ms);
            page_real(p, w->searches[MARUSZCZYK_CELLS].ms);
            page_end_row(p);
        }
    }
    page_end_table(p);
}

static void write_lengths(page* p, const maruszczyk_study* s) {
    static const char* const heads[] = {"with rocks", "blocked, %", "thesis", "ours",       "thesis",
                                        "ours",       "thesis",     "ours",   "best first", "A*",
                                        "cells",      "best first", "A*"};
    page_begin_table(
        p, "Table 4: path length",
        "|rock|best first, nodes:2|A*, nodes:2|best first / A*:2|length, edges of a node:3|expanded:2", heads,
        13);
    for (int size = 0; size < MARUSZCZYK_SIZES; ++size) {
        const maruszczyk_world* w = &s->worlds[size][1];
        const maruszczyk_search *greedy = &w->searches[MARUSZCZYK_GREEDY],
                                *heap = &w->searches[MARUSZCZYK_HEAP];
        const double* theirs = maruszczyk_nodes[size];
        char name[64];
        name_world(w, name, sizeof name);

        page_text(p, name);
        page_real(p, 100 * w->blocked);
        write_pair(p, theirs[0], greedy->nodes);
        write_pair(p, theirs[1], heap->nodes);
        write_pair(p, theirs[0] / theirs[1], over(greedy->nodes, heap->nodes));
        page_real(p, greedy->length);
        page_real(p, heap->length);
        page_real(p, w->searches[MARUSZCZYK_CELLS].length);
        page_real(p, greedy->expanded);
        page_real(p, heap->expanded);
        page_end_row(p);
    }
    page_end_table(p);
}

static int draw_list(experiment* e, const maruszczyk_study* s) {
    static const char* const names[MARUSZCZYK_SIZES] = {"30 × 8 × 30", "60 × 15 × 60", "120 × 30 × 120"};
    double values[4][MARUSZCZYK_SIZES];
    for (int size = 0; size < MARUSZCZYK_SIZES; ++size) {
        for (int rocks = 0; rocks < 2; ++rocks) {
            const maruszczyk_search* our = s->worlds[size][rocks].searches;
            const double* t = maruszczyk_ms[size][rocks];
            values[2 * rocks][size] = t[MARUSZCZYK_LIST] / t[MARUSZCZYK_HEAP];
            values[2 * rocks + 1][size] = over(our[MARUSZCZYK_LIST].ms, our[MARUSZCZYK_HEAP].ms);
        }
    }

    plot_chart chart = {.title = "A* with a list over A* with a heap",
                        .label = "list / heap (times as long)",
                        .width = 440,
                        .logarithmic = true,
                        .categories = names,
                        .count = MARUSZCZYK_SIZES};
    svg_text svg = {0};
    plot_add(&chart, "empty: thesis", values[0], 0, true);
    plot_add(&chart, "ours", values[1], 0, false);
    plot_add(&chart, "rocks: thesis", values[2], 1, true);
    plot_add(&chart, "ours, rocks", values[3], 1, false);
    plot_bars(&chart, &svg);
    return experiment_chart(e, "list-heap", &svg);
}

static int draw_searches(experiment* e, const maruszczyk_study* s) {
    static const char* const names[MARUSZCZYK_SIZES] = {"30 × 8 × 30", "60 × 15 × 60", "120 × 30 × 120"};
    static const int colours[MARUSZCZYK_SEARCHES] = {4, 1, 2, 3, 6};
    double values[MARUSZCZYK_SEARCHES][MARUSZCZYK_SIZES];
    plot_chart chart = {.title = "One path through rocks",
                        .label = "processor time (ms)",
                        .width = 440,
                        .logarithmic = true,
                        .categories = names,
                        .count = MARUSZCZYK_SIZES};
    svg_text svg = {0};
    for (int i = 0; i < MARUSZCZYK_SEARCHES; ++i) {
        for (int size = 0; size < MARUSZCZYK_SIZES; ++size) {
            values[i][size] = s->worlds[size][1].searches[i].ms;
        }
        plot_add(&chart, maruszczyk_search_names[i], values[i], colours[i], false);
    }
    plot_bars(&chart, &svg);
    return experiment_chart(e, "searches", &svg);
}

static int write_searches(experiment* e, const maruszczyk_study* s) {
    page* p = &e->page;
    page_heading(p, 2, "Tables 2 to 4: searches");
    page_add(
        p,
        "The sizes of these worlds are nodes: the thesis's A* crosses 30 of them in 28 steps, and its "
        "Dijkstra "
        "takes 9.5 and 8.4 times as long from size to size, as there are 7.5 and 8 times as many nodes. "
        "Paths in each world, each from one corner to the opposite one: %u. The heuristic is the thesis's "
        "sorted diagonal. With rocks, boxes of up to a fifth of the world's edges block 16 %% of the nodes: "
        "the thesis's Dijkstra takes 10 and 16 %% less time with obstacles.",
        s->worlds[0][0].searches[MARUSZCZYK_HEAP].count);
    write_times(p, s);
    write_lengths(p, s);
    page_begin_charts(p);
    int code = draw_list(e, s);
    code = code == EXIT_DONE ? draw_searches(e, s) : code;
    page_end_charts(p);
    return code;
}

static int write_searches_csv(experiment* e, const maruszczyk_study* s) {
    files_csv csv = files_begin_csv("nodes_x,nodes_y,nodes_z,blocked,search,paths,ms,nodes,length,expanded,"
                                    "thesis_ms,thesis_nodes");
    for (int i = 0; i < MARUSZCZYK_SIZES * 2 * MARUSZCZYK_SEARCHES; ++i) {
        const int size = i / (2 * MARUSZCZYK_SEARCHES), rocks = i / MARUSZCZYK_SEARCHES % 2;
        const int which = i % MARUSZCZYK_SEARCHES;
        const maruszczyk_world* w = &s->worlds[size][rocks];
        const maruszczyk_search* one = &w->searches[which];
        const bool printed = rocks == 1 && (which == MARUSZCZYK_GREEDY || which == MARUSZCZYK_HEAP);

        for (int k = 0; k < 3; ++k) {
            files_csv_real(&csv, w->dims[k]);
        }
        files_csv_real(&csv, w->blocked);
        files_csv_text(&csv, maruszczyk_search_names[which]);
        files_csv_real(&csv, one->count);
        files_csv_real(&csv, one->ms);
        files_csv_real(&csv, one->nodes);
        files_csv_real(&csv, one->length);
        files_csv_real(&csv, one->expanded);
        files_csv_real(&csv, maruszczyk_ms[size][rocks][which]);
        files_csv_real(&csv,
                       printed ? maruszczyk_nodes[size][which == MARUSZCZYK_HEAP ? 1 : 0] : (double)NAN);
        files_csv_end_row(&csv);
    }

    return files_write_csv(&e->folder, "searches.csv", &csv);
}

// -------------------------------------------------------------------------------------------- tables 5 to 11

/// The thesis's columns, for the pilots of one field.
static void write_columns(page* p, const maruszczyk_flights* f) {
    static const char* const heads[] = {"pilot", "thesis", "ours", "thesis", "ours", "thesis",
                                        "ours",  "thesis", "ours", "thesis", "ours"};
    page_begin_table(p, "Tables 5 to 8: 4 % rock; a flight",
                     "|path time, ms:2|calls:2|length, nodes:2|dynamic nodes:2|collisions:2", heads, 11);
    for (int i = 0; i < MARUSZCZYK_PILOTS; ++i) {
        const maruszczyk_sum* sum = &f->sums[MARUSZCZYK_SPARSE][i];
        if (sum->runs > 0) {
            page_text(p, maruszczyk_pilots[i].name);
            for (int c = 0; c < MARUSZCZYK_COLUMNS; ++c) {
                write_pair(p, maruszczyk_theirs(MARUSZCZYK_SPARSE, i, c), maruszczyk_mean(sum, c));
            }
            page_end_row(p);
        }
    }
    page_end_table(p);
}

static void write_final(page* p, const maruszczyk_flights* f) {
    static const char* const heads[] = {"group 5 in", "thesis", "ours", "thesis", "ours", "thesis",
                                        "ours",       "thesis", "ours", "thesis", "ours"};
    page_begin_table(p, "Tables 9 to 11: the final autopilot of the thesis; a flight",
                     "|path time, ms:2|calls:2|length, nodes:2|dynamic nodes:2|collisions:2", heads, 11);
    for (int i = 0; i < MARUSZCZYK_FIELDS; ++i) {
        const maruszczyk_sum* sum = &f->sums[i][MARUSZCZYK_RADAR];
        if (sum->runs > 0) {
            page_text(p, maruszczyk_fields[i].title);
            for (int c = 0; c < MARUSZCZYK_COLUMNS; ++c) {
                write_pair(p, maruszczyk_theirs(i, MARUSZCZYK_RADAR, c), maruszczyk_mean(sum, c));
            }
            page_end_row(p);
        }
    }
    page_end_table(p);
}

static void write_flight_row(page* p, const char* name, const maruszczyk_sum* sum, bool verifies) {
    const double arrived = sum->arrived > 0 ? sum->arrived : (double)NAN;
    char collisions[64];
    if (sum->collisions == 0) {
        snprintf(collisions, sizeof collisions, "0 (below %.2g)", maruszczyk_margin(sum));
    } else {
        snprintf(collisions, sizeof collisions, "%.3g ± %.2g", maruszczyk_mean(sum, MARUSZCZYK_COLLISIONS),
                 maruszczyk_margin(sum));
    }

    page_text(p, name);
    page_real(p, sum->runs);
    page_text(p, sum->runs > 1 || sum->collisions == 0 ? collisions : "one flight only");
    page_real(p, sum->with_collision);
    page_real(p, (double)sum->wall_hits);
    page_real(p, sum->runs - sum->arrived);
    page_real(p, sum->seconds / arrived);
    page_real(p, sum->nominal / arrived);
    page_real(p, sum->length / arrived);
    page_real(p, sum->fuel / arrived);
    page_real(p, sum->clearance);
    page_real(p, 1e6 * sum->path_seconds / sum->steps);
    page_real(p, 1e6 * sum->worst_step);
    page_real(p, verifies ? 100 * sum->unverified / sum->steps : (double)NAN);
    page_end_row(p);
}

static void write_field(page* p, const maruszczyk_flights* f, int field) {
    static const char* const heads[] = {
        "pilot", "flights", "<collisions, 95 %", "with one",  "rocks hit", "late",         "s", "s, empty",
        "m",     "fuel",    "least, m",          "µs a step", "worst",     "unverified, %"};
    page_begin_table(p, maruszczyk_fields[field].title, NULL, heads, 14);
    for (int i = 0; i < MARUSZCZYK_PILOTS; ++i) {
        const maruszczyk_sum* sum = &f->sums[field][i];
        if (sum->runs > 0) {
            write_flight_row(p, maruszczyk_pilots[i].name, sum, i == MARUSZCZYK_PREDICT);
        }
    }
    page_end_table(p);
}

static int draw_collisions(experiment* e, const maruszczyk_flights* f) {
    const char* names[MARUSZCZYK_PILOTS];
    double theirs[MARUSZCZYK_PILOTS], ours[MARUSZCZYK_FIELDS][MARUSZCZYK_PILOTS];
    static const int colours[MARUSZCZYK_FIELDS] = {1, 2, 3, 4, 5};
    plot_chart chart = {.title = "Collisions a flight, by autopilot",
                        .label = "collisions a flight",
                        .width = 900,
                        .categories = names,
                        .count = MARUSZCZYK_PILOTS};
    svg_text svg = {0};
    for (int i = 0; i < MARUSZCZYK_PILOTS; ++i) {
        names[i] = maruszczyk_pilots[i].name;
        theirs[i] = maruszczyk_theirs(MARUSZCZYK_SPARSE, i, MARUSZCZYK_COLLISIONS);
    }

    plot_add(&chart, "thesis", theirs, 0, true);
    for (int field = 0; field < MARUSZCZYK_FIELDS; ++field) {
        for (int i = 0; i < MARUSZCZYK_PILOTS; ++i) {
            ours[field][i] = maruszczyk_mean(&f->sums[field][i], MARUSZCZYK_COLLISIONS);
        }
        plot_add(&chart, maruszczyk_fields[field].variant, ours[field], colours[field], false);
    }
    plot_bars(&chart, &svg);
    return experiment_chart(e, "collisions", &svg);
}

static int write_groups_csv(experiment* e, const maruszczyk_flights* f) {
    files_csv csv = files_begin_csv(
        "field,pilot,flights,arrived,collisions,margin,with_collision,wall_hits,seconds,seconds_empty,length_"
        "m,fuel,"
        "path_ms,calls,length_nodes,dynamic_nodes,collisions_a_flight,thesis_path_ms,thesis_calls,"
        "thesis_length_nodes,thesis_dynamic_nodes,thesis_collisions");
    for (int i = 0; i < MARUSZCZYK_FIELDS * MARUSZCZYK_PILOTS; ++i) {
        const int field = i / MARUSZCZYK_PILOTS, pilot = i % MARUSZCZYK_PILOTS;
        const maruszczyk_sum* sum = &f->sums[field][pilot];
        const double arrived = sum->arrived > 0 ? sum->arrived : (double)NAN;
        const double numbers[] = {sum->runs,
                                  sum->arrived,
                                  (double)sum->collisions,
                                  sum->runs > 0 ? maruszczyk_margin(sum) : (double)NAN,
                                  sum->with_collision,
                                  (double)sum->wall_hits,
                                  sum->seconds / arrived,
                                  sum->nominal / arrived,
                                  sum->length / arrived,
                                  sum->fuel / arrived};

        files_csv_text(&csv, maruszczyk_fields[field].variant);
        files_csv_text(&csv, maruszczyk_pilots[pilot].name);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
            files_csv_real(&csv, numbers[k]);
        }
        for (int c = 0; c < MARUSZCZYK_COLUMNS; ++c) {
            files_csv_real(&csv, maruszczyk_mean(sum, c));
        }
        for (int c = 0; c < MARUSZCZYK_COLUMNS; ++c) {
            files_csv_real(&csv, maruszczyk_theirs(field, pilot, c));
        }
        files_csv_end_row(&csv);
    }

    return files_write_csv(&e->folder, "groups.csv", &csv);
}

static int write_flights(experiment* e, const maruszczyk_flights* f) {
    page* p = &e->page;
    page_heading(p, 2, "Tables 5 to 11: autopilots");
    page_add(
        p,
        "The thesis means 20 flights. It does not say which of its two densities experiment 3 has; its 4.7 "
        "collisions without avoidance are nearest to 50 asteroids per 30³, so that field stands beside its "
        "tables 5 to 8. Versions 1 and 2 were not measured there. Lengths are what was flown over the edge "
        "of a "
        "node; the thesis counts the nodes of the path. Its 589.83 dynamic nodes of table 7 are 548 in table "
        "8.");
    write_columns(p, f);
    write_final(p, f);

    page_begin_charts(p);
    const int code = draw_collisions(e, f);
    page_end_charts(p);

    page_heading(p, 3, "All flights");
    page_add(p, "Collisions with their 95 %% interval; after no collision in n flights the mean is below 3 / "
                "n with 95 %% "
                "confidence. Seconds, metres and fuel are those of flights that arrived; late are the "
                "others. Empty: the "
                "same pilot without asteroids. Least: the least distance from surface to surface, below 0 an "
                "overlap. "
                "Unverified: steps in which group 6 knew no manoeuvre that is safe to its end.");
    for (int i = 0; i < MARUSZCZYK_FIELDS; ++i) {
        write_field(p, f, i);
    }
    return code;
}

// --------------------------------------------------------------------------------------------------- group 6

static void write_ours(page* p, const maruszczyk_flights* f) {
    uint64_t flights = 0, collisions = 0, rocks = 0, late = 0;
    double worst = 0;
    for (int i = 0; i < MARUSZCZYK_FIELDS; ++i) {
        const maruszczyk_sum *six = &f->sums[i][MARUSZCZYK_PREDICT], *five = &f->sums[i][MARUSZCZYK_RADAR];
        flights += six->runs;
        collisions += six->collisions;
        rocks += six->wall_hits;
        late += six->runs - six->arrived;
        if (six->arrived > 0 && five->arrived > 0) {
            worst = fmax(worst, six->seconds / six->arrived / (five->seconds / five->arrived));
        }
    }

    page_heading(p, 2, "Group 6");
    page_add(p,
             "In %llu flights through all fields the sixth autopilot collided %llu times, hit %llu rocks, "
             "and was late "
             "%llu times. Its flights take at most %.2f times as long as those of group 5, which flies at up "
             "to twice the "
             "cruising speed whenever its radar sees something.",
             (unsigned long long)flights, (unsigned long long)collisions, (unsigned long long)rocks,
             (unsigned long long)late, worst);
}

int maruszczyk_write(experiment* e, maruszczyk_study* s) {
    write_opening(e);
    int code = write_searches(e, s);
    code = code == EXIT_DONE ? write_searches_csv(e, s) : code;
    code = code == EXIT_DONE ? write_flights(e, &s->flights) : code;
    code = code == EXIT_DONE ? write_groups_csv(e, &s->flights) : code;
    write_ours(&e->page, &s->flights);
    code = code == EXIT_DONE ? maruszczyk_write_limits(e, &s->flights.limits) : code;
    return code == EXIT_DONE ? maruszczyk_draw(e) : code;
}
