/// sim/asteroids.c: asteroids at constant velocity, as a function of time and seed (after Maruszczyk 2016,
/// "True Dynamic obstacles").
///
/// Drifting ones fill space by repetition: each has a copy in every tile, so that the density is the same
/// everywhere, and none ever appears. Aimed ones are a list of straight flights across the route; those of a
/// moment are found by their span of time.
#include <assert.h>

#include "sim/mover.h"
#include "sim/refuse.h"
#include "sim/vec.h"
#include "volnav/path.h"

#define ASTEROIDS_COOKIE 0x61737401u
#define CORRIDOR         30.0 ///< width and height of the corridor that the aimed ones would fill, metres
#define MAX_FLIGHTS      1000000.0
#define SPANS_A_LIFE     4.0 ///< so many spans of time does a flight last, or one more
#define MOST_SPANS       65536.0

/// Straight on from `at`, where it is at time 0.
typedef struct flight {
    vn_dvec3 at, velocity;
    double radius;
    double appears, vanishes;
} flight;

struct vn_asteroids {
    vn_allocator allocator;
    double tile;
    flight* drifting;
    flight* aimed;
    uint32_t drifting_count, aimed_count;

    /// Span i is from i * span seconds on, the last one without end. Those that fly in it are
    /// in_span[begin[i]
    /// ... begin[i + 1]), aimed ones by index, ascending.
    double span;
    uint32_t* begin;
    uint32_t* in_span;
    uint32_t span_count, in_span_count;
};

vn_asteroids_def vn_default_asteroids_def(void) {
    return (vn_asteroids_def){.allocator = vn_default_allocator(),
                              .count = 50,
                              .tile = 30,
                              .radius_min = 0.4,
                              .radius_max = 0.6,
                              .speed = 0.8,
                              .speed_spread = 0.2,
                              .aimed = 0.5,
                              .entry = 22,
                              .spread = 5,
                              .clear = 6,
                              .seconds = 600,
                              .cookie = ASTEROIDS_COOKIE};
}

// ------------------------------------------------------------------------------------------------ drawing

/// A point of the unit ball.
static vn_dvec3 draw_ball(uint64_t* random) {
    for (;;) {
        vn_dvec3 d; // drawn one by one: the values of an initialiser have no order of their own
        d.x = vni_random_real(random, -1, 1);
        d.y = vni_random_real(random, -1, 1);
        d.z = vni_random_real(random, -1, 1);
        const double length = vni_length(d);
        if (length > 0.01 && length <= 1) {
            return d;
        }
    }
}

static vn_dvec3 draw_direction(uint64_t* random) {
    const vn_dvec3 d = draw_ball(random);
    return vni_scaled(d, 1 / vni_length(d));
}

static double draw_speed(const vn_asteroids_def* def, uint64_t* random) {
    return def->speed * vni_random_real(random, 1 - def->speed_spread, 1 + def->speed_spread);
}

/// From where the nearest copy is at the start, the difference along one axis.
static double wrapped(double difference, double tile) {
    return difference - tile * floor(difference / tile + 0.5);
}

static bool is_clear(const vn_asteroids_def* def, const flight* f, bool repeats) {
    if (def->route_count == 0) {
        return true;
    }

    vn_dvec3 d = vni_difference(f->at, def->route[0]);
    if (repeats) {
        d = (vn_dvec3){wrapped(d.x, def->tile), wrapped(d.y, def->tile), wrapped(d.z, def->tile)};
    }

    return vni_length(d) >= def->clear + f->radius;
}

static flight draw_drifting(const vn_asteroids_def* def, uint32_t index) {
    uint64_t random = vni_random_of(def->seed, index);
    flight f = {.vanishes = HUGE_VAL};
    f.radius = vni_random_real(&random, def->radius_min, def->radius_max);
    const double speed = draw_speed(def, &random);
    f.velocity = vni_scaled(draw_direction(&random), speed);
    for (int tries = 0; tries < 1000; ++tries) {
        f.at.x = vni_random_real(&random, 0, def->tile);
        f.at.y = vni_random_real(&random, 0, def->tile);
        f.at.z = vni_random_real(&random, 0, def->tile);
        if (is_clear(def, &f, true)) {
            break;
        }
    }

    return f;
}

// ------------------------------------------------------------------------------------------------ the route

static double route_length(const vn_asteroids_def* def) {
    return def->route_count > 1 ? vn_positions_length(def->route, def->route_count) : 0;
}

static double from_segment(vn_dvec3 p, vn_dvec3 a, vn_dvec3 b) {
    const vn_dvec3 d = vni_difference(b, a), e = vni_difference(p, a);
    const double square = d.x * d.x + d.y * d.y + d.z * d.z;
    double s = square > 0 ? (e.x * d.x + e.y * d.y + e.z * d.z) / square : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    return vni_length(vni_difference(e, vni_scaled(d, s)));
}

static double from_route(const vn_asteroids_def* def, vn_dvec3 p) {
    double least = HUGE_VAL;
    for (uint32_t i = 0; i + 1 < def->route_count; ++i) {
        const double d = from_segment(p, def->route[i], def->route[i + 1]);
        least = d < least ? d : least;
    }

    return least;
}

/// The direction from which it comes: one whose entry is away from all of the route, not only from the place
/// that it passes.
static vn_dvec3 draw_approach(const vn_asteroids_def* def, vn_dvec3 target, uint64_t* random) {
    vn_dvec3 best = {0, 0, 0};
    double farthest = -1;
    for (int tries = 0; tries < 64 && farthest < 0.5 * def->entry; ++tries) {
        const vn_dvec3 d = draw_direction(random);
        const double far = from_route(def, vni_sum(target, vni_scaled(d, def->entry)));
        if (far > farthest) {
            farthest = far;
            best = d;
        }
    }

    return best;
}

static double mean_life(const vn_asteroids_def* def) {
    return 2 * def->entry / def->speed;
}

/// How many cross the route in all.
static double flights_of(const vn_asteroids_def* def) {
    const double density = def->aimed * def->count / (def->tile * def->tile * def->tile);
    const double in_flight = density * CORRIDOR * CORRIDOR * route_length(def);
    return floor(in_flight * (def->seconds + mean_life(def)) / mean_life(def));
}

static flight draw_aimed(const vn_asteroids_def* def, uint32_t index) {
    uint64_t random = vni_random_of(def->seed, (uint64_t)1 << 32 | index);
    flight f = {.radius = vni_random_real(&random, def->radius_min, def->radius_max)};
    const double speed = draw_speed(def, &random), half = def->entry / speed;
    const double passes =
        vni_random_real(&random, -0.5 * mean_life(def), def->seconds + 0.5 * mean_life(def));
    const double along = vni_random_real(&random, 0, route_length(def));
    const vn_dvec3 off = vni_scaled(draw_ball(&random), def->spread);
    const vn_dvec3 target = vni_sum(vn_positions_along(def->route, def->route_count, along), off);
    const vn_dvec3 from = draw_approach(def, target, &random);
    f.velocity = vni_scaled(from, -speed);
    f.at = vni_sum(target, vni_scaled(f.velocity, -passes));
    f.appears = passes - half;
    f.vanishes = passes + half;

    // One that would be at the start at time 0 never comes.
    if (f.appears <= 0 && f.vanishes > 0 && !is_clear(def, &f, false)) {
        f.vanishes = f.appears;
    }

    return f;
}

// ------------------------------------------------------------------------------------------------- the field

static bool is_in(double x, double low, double high) {
    return x >= low && x <= high;
}

static const char* fault_of(const vn_asteroids_def* def) {
    if (def->allocator.alloc == NULL || def->allocator.resize == NULL || def->allocator.release == NULL) {
        return "the allocator lacks a function";
    }
    if (def->count > 60000 || !is_in(def->tile, 1, 1000)) {
        return "at most 60000 in a tile of 1 to 1000 metres";
    }
    if (!is_in(def->radius_min, 1e-3, 1e3) || !is_in(def->radius_max, def->radius_min, 1e3)) {
        return "radii are 0.001 to 1000 metres, the least first";
    }
    if (!is_in(def->speed, 1e-3, 1e4) || !is_in(def->speed_spread, 0, 0.9)) {
        return "the speed is 0.001 to 10000 metres per second, its spread 0 to 0.9";
    }
    if (!is_in(def->aimed, 0, 1) || !is_in(def->entry, 1, 1e4) || !is_in(def->spread, 0, 1e3) ||
        !is_in(def->clear, 0, 1e3) || !is_in(def->seconds, 0, VN_MAX_SCENE_SECONDS)) {
        return "aimed is 0 to 1, entry 1 to 10000, spread and clear 0 to 1000 metres";
    }
    if (def->route_count > 0 && def->route == NULL) {
        return "there is no route";
    }

    for (uint32_t i = 0; i < def->route_count; ++i) {
        const vn_dvec3 p = def->route[i];
        if (!is_in(p.x, -1e9, 1e9) || !is_in(p.y, -1e9, 1e9) || !is_in(p.z, -1e9, 1e9)) {
            return "a point of the route is not finite or farther than 1e9 metres";
        }
    }

    return NULL;
}

static vn_status allocate(vn_asteroids* field, uint32_t drifting, uint32_t aimed) {
    const vn_allocator* a = &field->allocator;
    field->drifting_count = drifting;
    field->aimed_count = aimed;
    if (drifting > 0) {
        field->drifting = a->alloc(a->user, drifting * sizeof(flight));
    }
    if (aimed > 0) {
        field->aimed = a->alloc(a->user, aimed * sizeof(flight));
    }

    return (drifting == 0 || field->drifting != NULL) && (aimed == 0 || field->aimed != NULL)
               ? VN_OK
               : VN_OUT_OF_MEMORY;
}

static void fill(vn_asteroids* field, const vn_asteroids_def* def) {
    for (uint32_t i = 0; i < field->drifting_count; ++i) {
        field->drifting[i] = draw_drifting(def, i);
    }
    for (uint32_t i = 0; i < field->aimed_count; ++i) {
        field->aimed[i] = draw_aimed(def, i);
    }
}

// ------------------------------------------------------------------------------------------- spans of time

static uint32_t span_at(const vn_asteroids* field, double seconds) {
    const double at = seconds > 0 ? floor(seconds / field->span) : 0;
    return at < field->span_count ? (uint32_t)at : field->span_count - 1;
}

/// Counts the spans of each flight, and with `lists` writes it into them, at field->begin.
static void spread(vn_asteroids* field, bool lists) {
    for (uint32_t i = 0; i < field->aimed_count; ++i) {
        const flight* f = &field->aimed[i];
        if (f->vanishes <= f->appears || f->vanishes <= 0) {
            continue; // never comes, or is gone before time 0
        }

        const uint32_t last = span_at(field, f->vanishes);
        for (uint32_t k = span_at(field, f->appears); k <= last; ++k) {
            if (lists) {
                field->in_span[field->begin[k]] = i;
            }
            ++field->begin[k];
        }
    }
}

/// Makes begin[k] what begin[k - 1] was, and begin[0] zero.
static void shift(vn_asteroids* field) {
    for (uint32_t k = field->span_count; k > 0; --k) {
        field->begin[k] = field->begin[k - 1];
    }
    field->begin[0] = 0;
}

/// Lists the aimed ones by span. Flights that pass and vanish outside of what is asked for stay out.
static vn_status list_spans(vn_asteroids* field, const vn_asteroids_def* def) {
    const vn_allocator* a = &field->allocator;
    if (field->aimed_count == 0) {
        return VN_OK;
    }

    const double shortest = def->seconds / MOST_SPANS, part = mean_life(def) / SPANS_A_LIFE;
    field->span = part > shortest ? part : shortest;
    field->span_count = (uint32_t)(def->seconds / field->span) + 1;
    field->begin = a->alloc(a->user, (field->span_count + 1) * sizeof *field->begin);
    if (field->begin == NULL) {
        return VN_OUT_OF_MEMORY;
    }

    for (uint32_t k = 0; k <= field->span_count; ++k) {
        field->begin[k] = 0;
    }
    spread(field, false);
    for (uint32_t k = 1; k < field->span_count; ++k) {
        field->begin[k] += field->begin[k - 1];
    }
    field->in_span_count = field->begin[field->span_count - 1];
    field->in_span = a->alloc(a->user, (field->in_span_count + 1) * sizeof *field->in_span);
    if (field->in_span == NULL) {
        return VN_OUT_OF_MEMORY;
    }

    shift(field); // from where lists end to where they begin; writing moves them on again
    spread(field, true);
    shift(field);
    return VN_OK;
}

vn_status vn_asteroids_create(const vn_asteroids_def* def, vn_asteroids** out, vn_detail* detail) {
    assert(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != ASTEROIDS_COOKIE) {
        return vni_refuse(detail, VN_BAD_DEF, VN_NO_INDEX, "start from vn_default_asteroids_def()");
    }

    const char* fault = fault_of(def);
    if (fault != NULL) {
        return vni_refuse(detail, VN_BAD_ARGUMENT, VN_NO_INDEX, fault);
    }

    const double share = route_length(def) > 0 ? def->aimed : 0;
    const double aimed = share > 0 ? flights_of(def) : 0;
    if (aimed > MAX_FLIGHTS) {
        return vni_refuse(detail, VN_TOO_LARGE, VN_NO_INDEX,
                          "more than a million would cross the route: lower count, aimed or seconds");
    }

    vn_asteroids* field = def->allocator.alloc(def->allocator.user, sizeof *field);
    if (field == NULL) {
        return VN_OUT_OF_MEMORY;
    }

    *field = (vn_asteroids){.allocator = def->allocator, .tile = def->tile};
    if (allocate(field, (uint32_t)floor(def->count * (1 - share) + 0.5), (uint32_t)aimed) != VN_OK) {
        vn_asteroids_destroy(field);
        return VN_OUT_OF_MEMORY;
    }

    fill(field, def);
    if (list_spans(field, def) != VN_OK) {
        vn_asteroids_destroy(field);
        return VN_OUT_OF_MEMORY;
    }

    *out = field;
    return VN_OK;
}

void vn_asteroids_destroy(vn_asteroids* field) {
    if (field == NULL) {
        return;
    }

    const vn_allocator a = field->allocator;
    if (field->drifting != NULL) {
        a.release(a.user, field->drifting, field->drifting_count * sizeof(flight));
    }
    if (field->aimed != NULL) {
        a.release(a.user, field->aimed, field->aimed_count * sizeof(flight));
    }

    if (field->begin != NULL) {
        a.release(a.user, field->begin, (field->span_count + 1) * sizeof *field->begin);
    }
    if (field->in_span != NULL) {
        a.release(a.user, field->in_span, (field->in_span_count + 1) * sizeof *field->in_span);
    }

    a.release(a.user, field, sizeof *field);
}

// ---------------------------------------------------------------------------------------------- what is near

/// What is found so far.
typedef struct search {
    vn_dvec3 position;
    double reach;
    vn_asteroid* out;
    uint32_t capacity, count;
} search;

static void take(search* s, uint64_t id, const flight* f, vn_dvec3 at) {
    const double within = s->reach + f->radius;
    const vn_dvec3 d = vni_difference(at, s->position);
    if (d.x * d.x + d.y * d.y + d.z * d.z > within * within) {
        return;
    }

    if (s->count < s->capacity) {
        s->out[s->count] = (vn_asteroid){id, at, f->velocity, f->radius};
    }
    ++s->count;
}

/// The copies of a coordinate within reach of another: tiles [low, high].
static void tiles_near(double at, double position, double within, double tile, int32_t* low, int32_t* high) {
    *low = (int32_t)(floor((position - within - at) / tile) + 1);
    *high = (int32_t)floor((position + within - at) / tile);
}

static uint64_t id_of(uint32_t index, int32_t x, int32_t y, int32_t z) {
    return (uint64_t)1 << 63 | (uint64_t)((uint32_t)x & 0x7fff) << 48 |
           (uint64_t)((uint32_t)y & 0xffff) << 32 | (uint64_t)((uint32_t)z & 0xffff) << 16 | index;
}

static void take_copies(search* s, uint32_t index, const flight* f, double tile, double seconds) {
    const vn_dvec3 at = vni_sum(f->at, vni_scaled(f->velocity, seconds));
    const double within = s->reach + f->radius;
    int32_t low[3], high[3];
    tiles_near(at.x, s->position.x, within, tile, &low[0], &high[0]);
    tiles_near(at.y, s->position.y, within, tile, &low[1], &high[1]);
    tiles_near(at.z, s->position.z, within, tile, &low[2], &high[2]);
    for (int32_t z = low[2]; z <= high[2]; ++z) {
        for (int32_t y = low[1]; y <= high[1]; ++y) {
            for (int32_t x = low[0]; x <= high[0]; ++x) {
                const vn_dvec3 copy = {at.x + x * tile, at.y + y * tile, at.z + z * tile};
                take(s, id_of(index, x, y, z), f, copy);
            }
        }
    }
}

static void take_aimed(search* s, const vn_asteroids* field, double seconds) {
    if (field->aimed_count == 0) {
        return;
    }

    const uint32_t span = span_at(field, seconds);
    for (uint32_t k = field->begin[span]; k < field->begin[span + 1]; ++k) {
        const uint32_t i = field->in_span[k];
        const flight* f = &field->aimed[i];
        if (seconds >= f->appears && seconds < f->vanishes) {
            take(s, i, f, vni_sum(f->at, vni_scaled(f->velocity, seconds)));
        }
    }
}

vn_status vn_asteroids_near(const vn_asteroids* field, double seconds, vn_dvec3 position, double reach,
                            vn_asteroid* out, uint32_t capacity, uint32_t* count) {
    assert(field != NULL && count != NULL && (out != NULL || capacity == 0));
    *count = 0;
    if (!is_in(seconds, 0, VN_MAX_SCENE_SECONDS) || !is_in(reach, 0, 1000) || !is_in(position.x, -1e9, 1e9) ||
        !is_in(position.y, -1e9, 1e9) || !is_in(position.z, -1e9, 1e9)) {
        return VN_BAD_ARGUMENT;
    }

    search s = {position, reach, out, capacity, 0};
    for (uint32_t i = 0; i < field->drifting_count; ++i) {
        take_copies(&s, i, &field->drifting[i], field->tile, seconds);
    }

    take_aimed(&s, field, seconds);
    *count = s.count;
    return s.count <= capacity ? VN_OK : VN_CAPACITY;
}
