/// run/spawners.c: spawners of asteroids.
#include "run/spawners.h"

#include "sim/mover.h"
#include "sim/vec.h"

#include <string.h>

typedef struct spawned {
    uint64_t id;
    vn_dvec3 from, velocity;
    double radius, born;
} spawned;

struct vni_spawners {
    vni_spawners_def def;
    uint64_t random, appeared;
    double due[VNI_SPAWNERS_MOST]; ///< of each box: how many, parts included
    spawned* flying;               ///< in the order in which they appeared
    uint32_t flying_count;
};

vn_status vni_spawners_create(const vni_spawners_def* def, vni_spawners** out) {
    const vn_allocator* m = &def->allocator;
    vni_spawners* s = m->alloc(m->user, sizeof *s);
    *out = NULL;
    if (s == NULL)
        return VN_OUT_OF_MEMORY;

    memset(s, 0, sizeof *s);
    s->def = *def;
    s->random = vni_random_of(def->seed, 0);
    s->flying = m->alloc(m->user, VNI_SPAWNED_MOST * sizeof *s->flying);
    if (s->flying == NULL) {
        m->release(m->user, s, sizeof *s);
        return VN_OUT_OF_MEMORY;
    }

    // so that they do not all throw at once
    for (uint32_t i = 0; i < def->box_count; ++i)
        s->due[i] = vni_random_real(&s->random, 0, 1);
    *out = s;
    return VN_OK;
}

void vni_spawners_destroy(vni_spawners* spawners) {
    if (spawners == NULL)
        return;
    const vn_allocator m = spawners->def.allocator;
    m.release(m.user, spawners->flying, VNI_SPAWNED_MOST * sizeof *spawners->flying);
    m.release(m.user, spawners, sizeof *spawners);
}

// -------------------------------------------------------------------------------------------------- throwing

static double dot(vn_dvec3 a, vn_dvec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// Seconds until one that flies at `speed` can meet the ship; 0: never.
static double time_to_meet(vn_dvec3 from, double speed, const vni_spawners_ship* ship) {
    const vn_dvec3 d = vni_difference(ship->position, from);
    const double a = dot(ship->velocity, ship->velocity) - speed * speed;
    const double b = dot(d, ship->velocity), c = dot(d, d), square = b * b - a * c;
    if (square < 0 || a > -1e-9 * speed * speed) {
        // the ship is at least as fast: it must come nearer, and may pass before
        const bool meets = square >= 0 && b < 0;
        return meets ? c / (-b + sqrt(square)) : 0;
    }
    return (b + sqrt(square)) / -a;
}

static vn_dvec3 draw_place(uint64_t* random, vn_dvec3 low, vn_dvec3 high) {
    vn_dvec3 p; // drawn one by one: the values of an initialiser have no order of their own
    p.x = vni_random_real(random, low.x, high.x);
    p.y = vni_random_real(random, low.y, high.y);
    p.z = vni_random_real(random, low.z, high.z);
    return p;
}

static void throw_one(vni_spawners* s, const vn_box* box, double seconds, const vni_spawners_ship* ship) {
    const vni_spawners_def* def = &s->def;
    spawned one = {.id = s->appeared, .born = seconds};
    one.radius = vni_random_real(&s->random, def->radius[0], def->radius[1]);
    const double speed = def->speed * vni_random_real(&s->random, 1 - def->spread, 1 + def->spread);
    const double side = def->off / sqrt(3); // of the cube inside the ball
    one.from = draw_place(&s->random, vni_exact(box->min), vni_exact(box->max));
    const vn_dvec3 off =
        draw_place(&s->random, (vn_dvec3){-side, -side, -side}, (vn_dvec3){side, side, side});

    // the draws above are made in any case, so that one left out does not change the others
    const double gap = vni_length(vni_difference(one.from, ship->position)) - one.radius;
    if (gap < ship->clear || s->flying_count == VNI_SPAWNED_MOST)
        return;

    const double later = time_to_meet(one.from, speed, ship);
    const vn_dvec3 target = vni_sum(vni_sum(ship->position, vni_scaled(ship->velocity, later)), off);
    const vn_dvec3 way = vni_difference(target, one.from);
    const double length = vni_length(way);
    one.velocity = length > 0 ? vni_scaled(way, speed / length) : (vn_dvec3){speed, 0, 0};
    s->flying[s->flying_count++] = one;
    ++s->appeared;
}

static vn_dvec3 place_at(const spawned* one, double seconds) {
    return vni_sum(one->from, vni_scaled(one->velocity, seconds - one->born));
}

static bool is_inside(const vn_box* b, vn_dvec3 p) {
    return p.x >= (double)b->min.x && p.x <= (double)b->max.x && p.y >= (double)b->min.y &&
           p.y <= (double)b->max.y && p.z >= (double)b->min.z && p.z <= (double)b->max.z;
}

static void destroy_old(vni_spawners* s, double seconds) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->flying_count; ++i) {
        const spawned* one = &s->flying[i];
        if (seconds - one->born <= s->def.lifetime && is_inside(&s->def.bounds, place_at(one, seconds)))
            s->flying[kept++] = *one;
    }
    s->flying_count = kept;
}

static double volume_of(const vn_box* box) {
    const vn_dvec3 edges = vni_difference(vni_exact(box->max), vni_exact(box->min));
    return edges.x * edges.y * edges.z;
}

void vni_spawners_step(vni_spawners* spawners, double seconds, double step, const vni_spawners_ship* ship) {
    destroy_old(spawners, seconds);
    for (uint32_t i = 0; i < spawners->def.box_count; ++i) {
        const vn_box* box = &spawners->def.boxes[i];
        spawners->due[i] += spawners->def.rate * volume_of(box) * step;
        for (; spawners->due[i] >= 1; spawners->due[i] -= 1)
            throw_one(spawners, box, seconds, ship);
    }
}

// ---------------------------------------------------------------------------------------------- what is near

vn_status vni_spawners_near(const vni_spawners* spawners, double seconds, vn_dvec3 position, double reach,
                            vn_asteroid* out, uint32_t capacity, uint32_t* count) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < spawners->flying_count; ++i) {
        const spawned* one = &spawners->flying[i];
        const vn_dvec3 at = place_at(one, seconds);
        if (one->born > seconds || vni_length(vni_difference(at, position)) - one->radius > reach)
            continue;
        if (found < capacity)
            out[found] = (vn_asteroid){one->id, at, one->velocity, one->radius};
        ++found;
    }

    *count = found;
    return found <= capacity ? VN_OK : VN_CAPACITY;
}

void vni_spawners_count(const vni_spawners* spawners, uint64_t* appeared, uint32_t* flying) {
    *appeared = spawners->appeared;
    *flying = spawners->flying_count;
}
