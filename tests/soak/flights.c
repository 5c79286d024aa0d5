/// tests/soak/flights.c: flies all scenes of volnav/run.h in turn in one process, for as long as is asked: is
/// memory flat, is every path valid?
///
///     soak_flights [--seconds S] [--rounds N] [--limit S] [--checkpoint F] [--seed S]
///
/// A round flies each scene once, each round with the next seed and variant; scenes of many agents
/// for a minute. After each run its allocator holds nothing. After the third round the resident memory of the
/// process may grow by 16 MiB at most. Planned paths (crowds, krafft) are checked by the exact checker in the
/// space that they were found in, flown ways (asteroids) against the true rocks. Contacts are counted, not
/// judged here. `--checkpoint` keeps the totals after each round and goes on from there.
///
/// Exit codes: 0 all is well; 1 a path is not valid, or memory grows; 2 bad usage.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run/krafft_inside.h"
#include "run/swarm.h"
#include "support.h"
#include "volnav/path.h"

enum { POINTS = 4096, WARM_ROUNDS = 3, SLIDES = 1 };

static const double allowed_growth = 16 * 1048576.0; ///< bytes

typedef struct totals {
    uint64_t rounds, runs, steps, paths, invalid;
    uint64_t contacts; ///< of any kind
    double simulated, seconds;
} totals;

typedef struct options {
    double seconds, limit;
    uint64_t rounds, seed;
    const char* checkpoint;
} options;

/// What a path is checked with, by scene.
typedef struct watch {
    vn_run* run;
    const char* name;
    vn_space* frame;    ///< of the rocks
    vn_dvec3 from;      ///< where the ship was
    uint64_t calls;     ///< of krafft, when last looked at
    uint64_t repaired;  ///< of the crowd
    uint64_t* versions; ///< of the paths of the crowd's agents
} watch;

/// Whole seconds: mingw's headers know no finer standard clock.
static double wall_seconds(void) {
    return difftime(time(NULL), 0);
}

/// Resident bytes of this process; 0 where the system does not tell.
static double resident(void) {
    double pages = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%*s %lf", &pages) != 1)
        pages = 0;
    (void)fclose(file);
    return 4096 * pages;
}

// ---------------------------------------------------------------------------------------------------- checks

static void count_path(totals* t, const watch* w, bool valid, const char* what) {
    ++t->paths;
    if (valid)
        return;
    ++t->invalid;
    printf("INVALID: %s, seed %" PRIu64 ", step %" PRIu64 ": %s\n", w->name, w->run->def.seed, w->run->steps,
           what);
}

/// Positions that are points of the lattice of a space.
static bool is_free(const vn_space* space, const vn_dvec3* positions, uint32_t count) {
    static vn_point points[POINTS];
    for (uint32_t i = 0; i < count; ++i)
        if (vn_space_point_from_world(space, positions[i], &points[i]) != VN_OK)
            return false;
    return vn_space_check_path(space, points, count, NULL);
}

static void check_krafft(watch* w, totals* t) {
    const vni_course* c = &((const vni_krafft*)w->run->self)->course;
    if (c->calls != w->calls && c->count > 0 && c->count <= POINTS)
        count_path(t, w, is_free(c->space, c->points, c->count), "a path of the agent");
    w->calls = c->calls;
}

/// Walls are never on a path; what moves is not when the path is new.
static void check_agent(watch* w, totals* t, uint32_t index, const vn_space* spaces[2], uint64_t version,
                        bool was_repaired) {
    static vn_dvec3 corners[POINTS];
    const vni_swarm* s = w->run->self;
    vn_agent_info info;
    uint32_t count;
    if (vn_crowd_get_agent(s->crowd, s->agents[index].id, &info) != VN_OK ||
        vn_crowd_get_path(s->crowd, s->agents[index].id, corners, POINTS, &count) != VN_OK || count < 2)
        return;

    const bool is_new = info.version == version && w->versions[index] != version && !was_repaired;
    if (is_new)
        count_path(t, w, is_free(spaces[0], corners + 1, count - 1), "a new path of a crowd");
    else if ((w->run->steps + index) % 32 == 0)
        count_path(t, w, is_free(spaces[1], corners + 1, count - 1), "a path of a crowd leads into a wall");
    w->versions[index] = info.version;
}

static void check_crowd(watch* w, totals* t) {
    const vni_swarm* s = w->run->self;
    const double radius = (double)s->scene->radius;
    const vn_space* spaces[2];
    uint64_t versions[2];
    vn_crowd_stats stats;
    vn_crowd_get_stats(s->crowd, &stats);
    spaces[0] = vn_nav_pin(s->nav, radius, 0, &versions[0]);
    spaces[1] = vn_nav_pin(s->nav, radius, SLIDES, &versions[1]);
    for (uint32_t i = 0; i < w->run->def.agents; ++i)
        check_agent(w, t, i, spaces, versions[0], stats.repaired != w->repaired);
    w->repaired = stats.repaired;
    (void)vn_nav_unpin(s->nav, versions[0]);
    (void)vn_nav_unpin(s->nav, versions[1]);
}

/// The step of the ship, by the checker that knows the rocks.
static void check_flown(watch* w, totals* t) {
    vn_run_view view;
    vn_point ends[2];
    vn_run_get_view(w->run, &view);
    const vn_dvec3 to = view.agents[0].position;
    if (w->frame != NULL && vn_space_point_from_world(w->frame, w->from, &ends[0]) == VN_OK &&
        vn_space_point_from_world(w->frame, to, &ends[1]) == VN_OK)
        count_path(t, w,
                   vn_world_check_path(view.world, w->frame, ends, 2, view.agents[0].radius - 0.01, NULL),
                   "the ship flew into a rock");
    w->from = to;
}

// ---------------------------------------------------------------------------------------------------- flying

static void watch_begin(watch* w, vn_run* run, const char* name, uint64_t* versions) {
    vn_run_view view;
    *w = (watch){.run = run, .name = name, .versions = versions};
    vn_run_get_view(run, &view);
    memset(versions, 0, VNI_SWARM_AGENTS * sizeof *versions);
    if (strcmp(name, "asteroids") != 0)
        return;

    vn_space_def def = vn_default_space_def();
    def.allocator = run->def.allocator;
    def.resolution = 4;
    def.has_bounds = true;
    def.bounds = view.bounds;
    if (vn_space_bake(view.world, &def, &w->frame, NULL) != VN_OK)
        w->frame = NULL;
    w->from = view.agents[0].position;
}

static void watch_step(watch* w, totals* t) {
    if (strcmp(w->name, "krafft") == 0)
        check_krafft(w, t);
    else if (strcmp(w->name, "asteroids") == 0)
        check_flown(w, t);
    else if (w->run->kind->view == vni_swarm_view)
        check_crowd(w, t);
}

/// The variant of a scene for a seed: in turn.
static void choose_variant(uint32_t scene, uint64_t seed, char* out, size_t size) {
    const char* at = vn_run_scene_variants(scene);
    uint64_t count = 1, skip;
    for (const char* c = at; *c != '\0'; ++c)
        count += *c == ' ';
    for (skip = (seed + count - 1) % count; skip > 0; --skip)
        at = strchr(at, ' ') + 1;
    snprintf(out, size, "%.*s", (int)strcspn(at, " "), at);
}

/// False, after a message, if the run could not be flown or has left memory behind.
static bool fly(const options* o, uint32_t scene, uint64_t seed, totals* t) {
    static uint64_t versions[VNI_SWARM_AGENTS];
    vnt_memory memory = vnt_memory_make();
    vn_run_def def = vn_default_run_def();
    const vn_run_scene* info = vn_run_scene_get(scene);
    char variant[64];
    vn_run* run = NULL;
    vn_detail detail = {0};
    vn_run_result result = {0};
    watch w;
    choose_variant(scene, seed, variant, sizeof variant);
    def.allocator = vnt_memory_allocator(&memory);
    def.scene = info->name;
    def.variant = variant;
    def.seed = seed;
    def.limit = info->agents > 1 ? 60 : 0;
    def.limit = o->limit > 0 ? o->limit : def.limit;

    vn_status status = vn_run_create(&def, &run, &detail);
    if (status == VN_OK) {
        watch_begin(&w, run, info->name, versions);
        while ((status = vn_run_step(run, &detail)) == VN_RUNNING)
            watch_step(&w, t);
        vn_run_get_result(run, &result);
        vn_space_destroy(w.frame);
        vn_run_destroy(run);
    }

    ++t->runs;
    t->steps += result.steps;
    t->simulated += result.seconds;
    t->contacts += (uint64_t)result.collisions + result.wall_hits + result.agent_hits;
    if (result.collisions + result.wall_hits + result.agent_hits > 0)
        printf("contact: %s %s, seed %" PRIu64 ": %u with what moves, %u with walls, %u of agents\n",
               info->name, variant, def.seed, result.collisions, result.wall_hits, result.agent_hits);
    if (status != VN_OK)
        printf("FAILED: %s %s, seed %" PRIu64 ": %s\n", info->name, variant, def.seed, detail.text);
    if (memory.live_blocks > 0)
        printf("LEAK: %s %s, seed %" PRIu64 ": %" PRIu64 " blocks\n", info->name, variant, def.seed,
               memory.live_blocks);
    return status == VN_OK && memory.live_blocks == 0;
}

// ------------------------------------------------------------------------------------------------ checkpoint

static void load(const options* o, totals* t) {
    FILE* file = o->checkpoint != NULL ? fopen(o->checkpoint, "r") : NULL;
    totals read = {0};
    if (file == NULL)
        return;
    if (fscanf(file, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %lf %lf",
               &read.rounds, &read.runs, &read.steps, &read.paths, &read.invalid, &read.contacts,
               &read.simulated, &read.seconds) == 8)
        *t = read;
    (void)fclose(file);
}

/// By renaming, so that there is always a whole one.
static void save(const options* o, const totals* t) {
    char fresh[1024];
    if (o->checkpoint == NULL ||
        (size_t)snprintf(fresh, sizeof fresh, "%s.new", o->checkpoint) >= sizeof fresh)
        return;
    FILE* file = fopen(fresh, "w");
    if (file == NULL)
        return;
    fprintf(file, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %.3f %.3f\n",
            t->rounds, t->runs, t->steps, t->paths, t->invalid, t->contacts, t->simulated, t->seconds);
    if (fclose(file) == 0)
        (void)rename(fresh, o->checkpoint);
}

// ------------------------------------------------------------------------------------------------------ main

static bool parse(int argc, char** argv, options* o) {
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seconds") == 0)
            o->seconds = strtod(argv[i + 1], NULL);
        else if (strcmp(argv[i], "--rounds") == 0)
            o->rounds = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--limit") == 0)
            o->limit = strtod(argv[i + 1], NULL);
        else if (strcmp(argv[i], "--seed") == 0)
            o->seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--checkpoint") == 0)
            o->checkpoint = argv[i + 1];
        else
            return false;
    }
    return argc % 2 == 1;
}

static void say(const totals* t, double bytes) {
    printf("%" PRIu64 " rounds, %" PRIu64 " runs in %.0f s; %.3f hours simulated, %" PRIu64
           " steps of agents; %" PRIu64 " paths checked, %" PRIu64 " invalid; %" PRIu64
           " contacts; %.1f MiB\n",
           t->rounds, t->runs, t->seconds, t->simulated / 3600, t->steps, t->paths, t->invalid, t->contacts,
           bytes / 1048576);
    (void)fflush(stdout);
}

int main(int argc, char** argv) {
    options o = {.rounds = UINT64_MAX, .seed = 1, .seconds = 1e12};
    totals t = {0};
    bool good = true;
    double warm = 0, most = 0;
    if (!parse(argc, argv, &o)) {
        fprintf(stderr,
                "usage: soak_flights [--seconds S] [--rounds N] [--limit S] [--checkpoint F] [--seed S]\n");
        return 2;
    }

    load(&o, &t);
    const double begin = wall_seconds(), before = t.seconds;
    const uint64_t invalid = t.invalid;
    for (uint64_t i = 0; good && i < o.rounds && wall_seconds() - begin < o.seconds; ++i) {
        for (uint32_t scene = 0; scene < vn_run_scene_count(); ++scene)
            good = fly(&o, scene, o.seed + t.rounds, &t) && good;
        ++t.rounds;
        t.seconds = before + wall_seconds() - begin;
        save(&o, &t);

        // Large and small scenes come in turn: the first rounds show how much they need.
        const double bytes = resident();
        if (i < WARM_ROUNDS)
            warm = bytes > warm ? bytes : warm;
        most = bytes > most ? bytes : most;
        say(&t, bytes);
        if (bytes > warm + allowed_growth) {
            printf("MEMORY: %.1f MiB, after the first rounds %.1f MiB\n", bytes / 1048576, warm / 1048576);
            good = false;
        }
    }

    printf("most %.1f MiB, in the first %d rounds %.1f MiB\n", most / 1048576, WARM_ROUNDS, warm / 1048576);
    return good && t.invalid == invalid ? 0 : 1;
}
