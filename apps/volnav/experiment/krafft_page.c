/// volnav/experiment/krafft_page.c: tables and charts of the experiment "krafft-spaces".
#include <math.h>

#include "experiment/krafft.h"

static double in_ms(double seconds) {
    return seconds * 1e3;
}

// ---------------------------------------------------------------------------------------------------- nodes

/// Krafft 2021: 57,344 in the grid, 21,259 in the hybrid graph; Krafft 2019: 2,062 waypoints.
static const double their_nodes[KRAFFT_SPACES] = {57344, 2062, NAN, 21259, 21259, NAN, NAN, NAN};

/// Krafft 2019, figure 50, and Krafft 2021, 5.2.2; ms.
static const double their_updates[KRAFFT_SPACES] = {282.15, 327.71, NAN, 1.35, 1.35, NAN, NAN, NAN};

static void write_nodes(page* p, const krafft_run* run) {
    static const char* const heads[] = {"space", "ours", "thesis", "stored"};
    static const char* const kinds[3] = {"static", "dynamic", "dynamic neighbours"};
    static const char* const kind_heads[] = {"nodes of the hybrid graph", "ours", "thesis"};

    page_heading(p, 2, "Nodes");
    page_begin_table(p, "Nodes of each space; of octrees and cells the boxes", " |nodes:2|edges", heads, 4);
    for (int i = 0; i < KRAFFT_SPACES; ++i) {
        if (i == KRAFFT_HYBRID_AXES) {
            continue;
        }
        page_text(p, krafft_spaces[i]);
        page_real(p, run->nodes[i]);
        page_theirs(p, their_nodes[i]);
        page_real(p, run->edges[i]);
        page_end_row(p);
    }

    page_end_table(p);

    page_begin_table(p, "By kind (Krafft 2021, 5.2.1)", NULL, kind_heads, 3);
    for (int k = 0; k < 3; ++k) {
        page_text(p, kinds[k]);
        page_real(p, run->kinds[k]);
        page_theirs(p, k == VN_NODE_DYNAMIC ? 13696 : (double)NAN);
        page_end_row(p);
    }

    page_end_table(p);
    page_add(p,
             "Edges between adjacent voxels follow from the voxels and are not stored. Dynamic nodes are the "
             "cells that an obstacle covered at any frame of one minute; in this run obstacles left them in "
             "%.0f cells.",
             run->left);
}

// -------------------------------------------------------------------------------------------------- updates

static int write_updates(experiment* e, const krafft_run* run) {
    static const char* const heads[] = {"space",      "ours, ms",       "/ cells",
                                        "thesis, ms", "/ hybrid, ours", "/ hybrid, thesis"};
    const double hybrid = run->update[KRAFFT_HYBRID], cells = run->update[KRAFFT_CELLS];
    page* p = &e->page;
    files_csv csv =
        files_begin_csv("space,nodes,nodes_thesis,edges,update_ms,update_over_cells,update_thesis_ms");

    page_heading(p, 2, "Updates");
    page_begin_table(p, "Mean time of an update, a frame (Krafft 2019, figure 50; Krafft 2021, figure 45)",
                     NULL, heads, 6);
    for (int i = 0; i < KRAFFT_SPACES; ++i) {
        page_text(p, krafft_spaces[i]);
        page_real(p, in_ms(run->update[i]));
        page_real(p, run->update[i] / cells);
        page_theirs(p, their_updates[i]);
        page_real(p, run->update[i] / hybrid);
        page_theirs(p, their_updates[i] / their_updates[KRAFFT_HYBRID]);
        page_end_row(p);

        files_csv_text(&csv, krafft_spaces[i]);
        files_csv_real(&csv, run->nodes[i]);
        files_csv_real(&csv, their_nodes[i]);
        files_csv_real(&csv, run->edges[i]);
        files_csv_real(&csv, in_ms(run->update[i]));
        files_csv_real(&csv, run->update[i] / cells);
        files_csv_real(&csv, their_updates[i]);
        files_csv_end_row(&csv);
    }

    page_end_table(p);
    page_add(
        p,
        "Each contains the %.3f ms of the voxels. Grid: what a nav that lists changes by node of the grid "
        "takes more than one that does not. Grid and waypoints of the thesis are those of Krafft 2019.",
        in_ms(run->voxels));
    return files_write_csv(&e->folder, "spaces.csv", &csv);
}

static int write_updates_chart(experiment* e, const krafft_run* run) {
    double ours[KRAFFT_SPACES], theirs[KRAFFT_SPACES];
    plot_chart chart = {.title = "Update of a frame", .label = "mean time (ms)", .width = 900};
    for (int i = 0; i < KRAFFT_SPACES; ++i) {
        ours[i] = in_ms(run->update[i]);
        theirs[i] = their_updates[i];
    }

    plot_add(&chart, "ours", ours, 0, false);
    plot_add(&chart, "Krafft 2019, 2021", theirs, 1, true);
    chart.logarithmic = true;
    chart.categories = krafft_spaces;
    chart.count = KRAFFT_SPACES;
    svg_text svg = {0};
    plot_bars(&chart, &svg);
    return experiment_chart(e, "updates", &svg);
}

// ------------------------------------------------------------------------------------------------- searches

static int write_searches(experiment* e, const krafft_run* run) {
    static const char* const heads[] = {"search", "ours",   "thesis",     "ours",   "thesis",
                                        "ours",   "thesis", "for a node", "checks", "of all"};
    page* p = &e->page;
    files_csv csv =
        files_begin_csv("search,asked,found,valid,time_ms,time_thesis_ms,length,length_thesis,expanded,"
                        "expanded_thesis,ns_per_node,sight_checks");

    page_heading(p, 2, "Searches");
    page_begin_table(p, "Means over the found paths (Krafft 2021, figures 46 to 48; Krafft 2019, figure 48)",
                     " |time, ms:2|length, units:2|expanded nodes:2|ns|sight|found", heads, 10);
    for (int i = 0; i < KRAFFT_SEARCHES; ++i) {
        const krafft_search* s = &krafft_searches[i];
        const krafft_sum* sum = &run->sums[i];
        const bool any = sum->found > 0;
        char found[32];
        snprintf(found, sizeof found, "%u of %u", (unsigned)sum->found, (unsigned)sum->asked);
        const double values[6] = {any ? in_ms(sum->seconds) : (double)NAN, s->their_ms,
                                  any ? sum->length : (double)NAN,         s->their_length,
                                  any ? sum->expanded : (double)NAN,       s->their_expanded};

        page_text(p, s->name);
        files_csv_text(&csv, s->name);
        files_csv_real(&csv, sum->asked);
        files_csv_real(&csv, sum->found);
        files_csv_real(&csv, sum->valid);
        for (int k = 0; k < 6; ++k) {
            if (k % 2 == 0) {
                page_real(p, values[k]);
            } else {
                page_theirs(p, values[k]);
            }
            files_csv_real(&csv, values[k]);
        }

        page_real(p, any ? run->seconds_per_node[i] * 1e9 : (double)NAN);
        page_real(p, any ? sum->sights : (double)NAN);
        page_text(p, found);
        page_end_row(p);
        files_csv_real(&csv, any ? run->seconds_per_node[i] * 1e9 : (double)NAN);
        files_csv_real(&csv, any ? sum->sights : (double)NAN);
        files_csv_end_row(&csv);
    }

    page_end_table(p);
    page_add(p,
             "Times of the thesis: Krafft 2021; lengths and expanded nodes: Krafft 2019, whose goal stands "
             "still. A node of cells is a box, so its time for a node does not compare. Octrees: A* over "
             "transitions. Waypoints stand off their obstacles and have one neighbour on another obstacle: "
             "where nothing joins them to the goal, no path is found, though there is one. Such misses are "
             "counted here only, not among the paths at the end of the page.");
    return files_write_csv(&e->folder, "searches.csv", &csv);
}

static int write_search_chart(experiment* e, const krafft_run* run, const char* file, const char* title,
                              const char* label, bool per_node) {
    const char* names[KRAFFT_SEARCHES];
    double values[KRAFFT_SEARCHES];
    plot_chart chart = {.title = title, .label = label, .width = 900};
    int count = 0;
    for (int i = 0; i < KRAFFT_SEARCHES; ++i) {
        if (run->sums[i].found == 0 || (per_node && i == KRAFFT_SEARCH_CELLS)) {
            continue;
        }
        names[count] = krafft_searches[i].name;
        values[count++] = per_node ? run->seconds_per_node[i] * 1e6 : in_ms(run->sums[i].seconds);
    }

    plot_add(&chart, "ours", values, per_node ? 2 : 0, false);
    chart.logarithmic = true;
    chart.categories = names;
    chart.count = count;
    svg_text svg = {0};
    plot_bars(&chart, &svg);
    return experiment_chart(e, file, &svg);
}

// --------------------------------------------------------------------------------------------------- frames

static void write_frame(page* p, files_csv* csv, const char* map, const char* name, const krafft_frame* f) {
    files_csv_text(csv, map);
    files_csv_text(csv, name);
    page_text(p, name);
    const bool any = f->refused == NULL && f->frames > 0;
    const double values[4] = {in_ms(f->update), in_ms(f->mean), in_ms(f->p99), in_ms(f->worst)};
    for (int k = 0; k < 4; ++k) {
        page_real(p, any ? values[k] : (double)NAN);
        files_csv_real(csv, any ? values[k] : (double)NAN);
    }

    char kept[64] = "";
    if (any && f->missed > 0) {
        snprintf(kept, sizeof kept, "no: no path in %u of %u", (unsigned)f->missed,
                 (unsigned)(f->frames + f->missed));
    } else if (any) {
        snprintf(kept, sizeof kept, "%s: %u of %u", f->late == 0 ? "yes" : "no",
                 (unsigned)(f->frames - f->late), (unsigned)f->frames);
    }

    page_text(p, any ? kept : f->refused != NULL ? f->refused : "");
    files_csv_real(csv, any ? f->frames - f->late : (double)NAN);
    files_csv_real(csv, any ? f->frames : (double)NAN);
    files_csv_text(csv, f->refused != NULL ? f->refused : "");
    page_end_row(p);
    files_csv_end_row(csv);
}

static void write_frames_table(page* p, files_csv* csv, const char* map, const char* caption,
                               const krafft_frame* frames) {
    static const char* const heads[] = {"space",     "update", "both: mean",
                                        "99 of 100", "worst",  "<within 16 ms"};
    page_begin_table(p, caption, NULL, heads, 6);
    for (int i = 0; i < KRAFFT_SPACES; ++i) {
        if (frames[i].frames > 0 || frames[i].refused != NULL) {
            write_frame(p, csv, map, krafft_spaces[i], &frames[i]);
        }
    }

    page_end_table(p);
}

static int write_frames(experiment* e, const krafft_run* run, const krafft_large* large) {
    page* p = &e->page;
    files_csv csv = files_begin_csv("map,space,update_ms,mean_ms,p99_ms,worst_ms,kept,frames,refused");

    page_heading(p, 2, "A frame of 16 ms");
    page_add(p,
             "Krafft 2021 asks for update and new path within 16 ms, and finds that only A* on the hybrid "
             "graph does so reliably. Here: the update of a frame (the whole tick of the nav, and what the "
             "space takes) and A*; cells: their own search.");
    write_frames_table(p, &csv, "krafft", "57,344 cells, ms", run->frame);

    if (!large->there) {
        page_note(p, "%s.3dmap is not there (--data DIR, or VN_DATA): the large map is left out.",
                  large->map);
    } else {
        char caption[120];
        snprintf(caption, sizeof caption, "%s: %.1f million voxels, %u boxes of 8 voxels that drift, ms",
                 large->map, large->voxels * 1e-6, (unsigned)large->movers);
        page_add(
            p,
            "The same on a large map, with %u frames and a query of its scenario in each (on the grid in "
            "every fifth, with the Manhattan distance). A space that cannot take the map says why.",
            (unsigned)large->frames);
        write_frames_table(p, &csv, large->map, caption, large->frame);
    }

    return files_write_csv(&e->folder, "frames.csv", &csv);
}

static void write_edges(page* p, const krafft_run* run) {
    page_heading(p, 2, "Straight edges of the hybrid graph");
    page_add(
        p,
        "In Krafft 2021 neighbours are found by steps along axes, but agents fly straight lines. Our edges "
        "are checked at the bake and are registered with the dynamic cells that they cross. In %u frames "
        "%llu open edges were judged by the exact checker: %llu led through a blocked cell.",
        (unsigned)run->check_frames, (unsigned long long)run->edges_checked,
        (unsigned long long)run->edges_blocked);
}

int krafft_write(experiment* e, const krafft_run* run, const krafft_large* large) {
    write_nodes(&e->page, run);
    int code = write_updates(e, run);
    page_begin_charts(&e->page);
    code = code == EXIT_DONE ? write_updates_chart(e, run) : code;
    page_end_charts(&e->page);

    code = code == EXIT_DONE ? write_searches(e, run) : code;
    page_begin_charts(&e->page);
    code = code == EXIT_DONE ? write_search_chart(e, run, "searches", "A search", "mean time (ms)", false)
                             : code;
    code = code == EXIT_DONE ? write_search_chart(e, run, "per-node", "A search, for each expanded node",
                                                  "mean time (µs)", true)
                             : code;
    page_end_charts(&e->page);

    code = code == EXIT_DONE ? write_frames(e, run, large) : code;
    write_edges(&e->page, run);
    return code;
}
