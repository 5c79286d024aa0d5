/// volnav/commands/sim_report.c: a campaign as a table and as JSON.
#include <inttypes.h>
#include <math.h>

#include "commands/sim_summary.h"
#include "shell/json.h"
#include "shell/text.h"

// --------------------------------------------------------------------------------------------------- table

static void print_share(const char* name, uint64_t hits, uint64_t count, stats_interval share) {
    printf("  %-19s %" PRIu64 " of %" PRIu64, name, hits, count);
    if (count > 0) {
        printf(", %.1f %% (95 %%: %.1f to %.1f)", 100 * (double)hits / (double)count, 100 * share.low,
               100 * share.high);
    }
    putchar('\n');
}

static void print_contacts(const sim_summary* s) {
    printf("  %-19s %.4g", "collisions a run", s->counted > 0 ? s->collisions_mean : 0.0);
    if (isfinite(s->collisions_interval.low)) {
        printf(" (95 %%: %.3g to %.3g)", s->collisions_interval.low, s->collisions_interval.high);
    }
    printf(", %" PRIu64 " in all\n", s->collisions);
    printf("  %-19s %" PRIu64 "\n", "wall hits", s->wall_hits);
    if (s->agent_hits > 0) {
        printf("  %-19s %" PRIu64 "\n", "agents hit agents", s->agent_hits);
    }
    if (s->caught > 0) {
        printf("  %-19s %" PRIu64 "\n", "player caught", s->caught);
    }
    if (isfinite(s->clearance)) {
        printf("  %-19s %.3g m from what moves\n", "least clearance", s->clearance);
    }
}

static void print_flights(const sim_summary* s) {
    if (s->flights == 0) {
        return;
    }
    printf("  %-19s %.2f s", "flight", s->seconds);
    if (isfinite(s->ratio)) {
        printf(", %.4f of the same without what moves", s->ratio);
    }
    printf("\n  %-19s %.2f m\n", "length", s->length);
    if (s->fuel > 0) {
        printf("  %-19s %.3f\n", "fuel", s->fuel);
    }
}

static void print_work(const sim_summary* s) {
    printf("  %-19s %.1f a run", "paths", (double)s->calls / (double)s->runs);
    if (isfinite(s->path_us)) {
        printf(", %.1f us each", s->path_us);
    }
    printf(", %" PRIu64 " nodes expanded, %" PRIu64 " found dynamic\n", s->expanded, s->dynamic_nodes);
    printf("  %-19s mean %.1f us, p99 %.1f us, worst %.1f us\n", "step", s->frame_us_mean, s->frame_us_p99,
           s->worst_step_us);
}

void sim_print_table(const sim_campaign* c, const sim_summary* s) {
    const vn_run_def* def = &c->def;
    printf("%s, %s: %s on %s, autopilot %s, latency %g s, %s from seed %" PRIu64 "\n", def->scene,
           def->variant, def->algo, def->space, sim_pilot_name(def), def->latency,
           text_count(s->runs, "run").s, def->seed);
    if (c->resumed > 0) {
        printf("  %-19s %" PRIu64 " of them\n", "from the checkpoint", c->resumed);
    }
    print_share("arrived", s->reached, s->counted, s->reached_share);
    print_share("without collision", s->clean, s->counted, s->clean_share);
    print_share("both", s->perfect, s->counted, s->perfect_share);
    printf("  %-19s %" PRIu64 ", not counted above and below\n", "enclosed", s->enclosed);
    print_contacts(s);
    printf("  %-19s %" PRIu64 " and %" PRIu64 "\n", "timeouts and lost", s->timeouts, s->lost);
    print_flights(s);
    print_work(s);
}

// ---------------------------------------------------------------------------------------------------- JSON

static void write_interval(json_writer* json, const char* key, stats_interval interval) {
    json_begin_array(json, key, true);
    json_real(json, NULL, interval.low);
    json_real(json, NULL, interval.high);
    json_end(json);
}

static void write_campaign(json_writer* json, const sim_campaign* c) {
    const vn_run_def* def = &c->def;
    json_text(json, "scene", def->scene);
    json_text(json, "variant", def->variant);
    json_text(json, "algo", def->algo);
    json_text(json, "space", def->space);
    json_text(json, "autopilot", sim_pilot_name(def));
    json_count(json, "seed", def->seed);
    json_count(json, "agents", def->agents);
    if (def->obstacles == VN_RUN_AS_SCENE) {
        json_null(json, "obstacles");
    } else {
        json_count(json, "obstacles", def->obstacles);
    }
    json_real(json, "speed", def->speed);
    json_real(json, "latency", def->latency);
    json_real(json, "limit", def->limit);
    json_count(json, "resumed", c->resumed);
}

static void write_counts(json_writer* json, const sim_summary* s) {
    json_count(json, "runs", s->runs);
    json_count(json, "enclosed", s->enclosed);
    json_count(json, "reached", s->reached);
    write_interval(json, "reached_interval", s->reached_share);
    json_count(json, "clean", s->clean);
    write_interval(json, "clean_interval", s->clean_share);
    json_count(json, "perfect", s->perfect);
    write_interval(json, "perfect_interval", s->perfect_share);
    json_count(json, "timeouts", s->timeouts);
    json_count(json, "lost", s->lost);
    json_count(json, "collisions", s->collisions);
    json_real(json, "collisions_mean", s->collisions_mean);
    write_interval(json, "collisions_interval", s->collisions_interval);
    json_count(json, "wall_hits", s->wall_hits);
    json_count(json, "agent_hits", s->agent_hits);
    json_count(json, "caught", s->caught);
}

static void write_measures(json_writer* json, const sim_summary* s) {
    json_real(json, "clearance", s->clearance);
    json_real(json, "wall_clearance", s->wall_clearance);
    json_real(json, "seconds", s->seconds);
    json_real(json, "flight_ratio", s->ratio);
    json_real(json, "distance", s->length);
    json_real(json, "fuel", s->fuel);
    json_count(json, "replans", s->calls);
    json_count(json, "expanded", s->expanded);
    json_count(json, "dynamic_nodes", s->dynamic_nodes);
    json_count(json, "steps", s->steps);
    json_count(json, "stopped", s->stopped);
    json_count(json, "unverified", s->unverified);
    json_real(json, "path_us_mean", s->path_us);
    json_real(json, "frame_us_mean", s->frame_us_mean);
    json_real(json, "frame_us_p99", s->frame_us_p99);
    json_real(json, "worst_step_us", s->worst_step_us);
}

void sim_print_json(const sim_campaign* c, const sim_summary* s) {
    json_writer json = json_open(stdout);
    json_begin_object(&json, NULL);
    write_campaign(&json, c);
    write_counts(&json, s);
    write_measures(&json, s);
    json_begin_object(&json, "shown");
    json_text(&json, "why", s->shown);
    json_count(&json, "seed", s->shown_seed);
    json_end(&json);
    json_end(&json);
}
