/// volnav/experiment/krafft21_live.c: a scenario of "krafft-2021" in real time, as the thesis runs it: while
/// a contender plans, the world and its agent move on, so that a slow one makes fewer plans.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/krafft21_race.h"
#include "shell/rotation.h"

/// A path of its own.
typedef struct route {
    vn_point points[KRAFFT21_POINTS];
    uint32_t count;
} route;

/// An agent between two plans.
typedef struct pilot {
    route now, next; ///< that it flies along; that is not ready before a frame
    double along;    ///< voxels from the begin of `now`; before it, if negative
    bool plans;
    uint32_t ready; ///< the first frame that has `next`
    double lead;    ///< how far past the begin of `next` it was when that was planned
    double flown;   ///< voxels since then
} pilot;

typedef struct live {
    double slower;
    pilot pilots[KRAFFT21_CONTENDERS];
} live;

/// Takes over a plan that is ready. It begins where the agent was; the agent goes on from where it is if that
/// is on the new path, within a voxel, and otherwise flies back to its begin first (Krafft 2019, 4.4.3).
static void take_plan(pilot* p) {
    vn_dvec3 direction = {0};
    const double gone = p->lead + p->flown;
    const route* before = p->now.count > 0 ? &p->now : &p->next; // the first plan is of an agent that waits
    const vn_dvec3 is = krafft21_walk(before->points, before->count, fmax(p->along, 0), &direction);
    const vn_dvec3 at = krafft21_walk(p->next.points, p->next.count, fmax(gone, 0), &direction);
    const double x = at.x - is.x, y = at.y - is.y, z = at.z - is.z;
    p->along = x * x + y * y + z * z < 1 ? gone : p->lead - p->flown;
    p->now = p->next;
    p->plans = false;
}

/// A frame further along its path; it waits before what is blocked.
static void fly(const krafft21_study* s, pilot* p, krafft21_agent* a) {
    const double along = p->along + s->ends.speed;
    if (p->now.count < 2) {
        return;
    }

    // Before the begin of its path it is still in the voxel where that begins.
    if (along <= 0) {
        a->ahead = along;
    } else if (!krafft21_put(s->stage.place.space, p->now.points, p->now.count, along, a)) {
        return;
    }
    p->along = along;
    p->flown += s->ends.speed;
}

/// Begins a plan in this frame, which is ready in the next one or later. It is made at once, in the world as
/// it is now.
static int begin_plan(krafft21_study* s, live* l, int contender, uint32_t frame) {
    pilot* p = &l->pilots[contender];
    const krafft21_agent* a = &s->agents[contender];
    racer_answer answer;
    const int code = krafft21_plan(s, contender, a, frame, &answer);
    if (code != EXIT_DONE || !answer.row.found || answer.count < 1) {
        return code;
    }

    p->next.count = answer.count < KRAFFT21_POINTS ? answer.count : KRAFFT21_POINTS;
    memcpy(p->next.points, answer.points, p->next.count * sizeof *answer.points);
    const double frames = ceil(answer.row.seconds * l->slower * s->scenario->rate);
    p->ready = frame + (frames > 1 ? (uint32_t)frames : 1);
    p->plans = true;
    p->lead = a->ahead;
    p->flown = 0;
    return EXIT_DONE;
}

static int run_pilot(krafft21_study* s, live* l, int contender, uint32_t frame) {
    pilot* p = &l->pilots[contender];
    krafft21_agent* a = &s->agents[contender];
    if (a->done || !krafft21_takes_part(contender, s->index)) {
        return EXIT_DONE;
    }

    if (p->plans && frame >= p->ready) {
        take_plan(p);
    }
    fly(s, p, a);
    krafft21_note_arrival(s, contender, frame, a);
    return p->plans || a->done ? EXIT_DONE : begin_plan(s, l, contender, frame);
}

static int plan_live(krafft21_study* s, uint32_t frame, void* user) {
    live* l = user;
    int code = EXIT_DONE;
    s->out->slower = l->slower;
    for (uint32_t i = 0; i < KRAFFT21_CONTENDERS && code == EXIT_DONE; ++i) {
        code = run_pilot(s, l, (int)rotation_at(KRAFFT21_CONTENDERS, frame, i), frame);
    }
    return code;
}

int krafft21_measure_live(experiment* e, const krafft21_ground* ground, int scenario, double slower,
                          krafft21_run* run) {
    live* l = say_alloc(1, sizeof *l);
    l->slower = slower;
    const int code = krafft21_run_frames(e, ground, scenario, run, plan_live, l);
    free(l);
    return code;
}
