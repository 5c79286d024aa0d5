/// tests/unit/query/drawing.h: a sink that records what is drawn, and measures of it.
#ifndef VNT_DRAWING_H
#define VNT_DRAWING_H

#include "cmocka_all.h"

#include "geom/vec.h"
#include "volnav/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum mark_kind { LINE, BOX, TRIANGLE, TEXT, KINDS } mark_kind;

typedef struct mark {
    mark_kind kind;
    vn_dvec3 p[3];
    vn_color color;
    char text[64];
} mark;

#define MAX_MARKS 20000

typedef struct recording {
    mark* marks;
    uint32_t count;
    uint32_t of[KINDS];
} recording;

static inline mark* add_mark(void* user, mark_kind kind, vn_color color) {
    recording* r = user;
    assert_true(r->count < MAX_MARKS);
    mark* m = &r->marks[r->count++];
    memset(m, 0, sizeof *m);
    m->kind = kind;
    m->color = color;
    ++r->of[kind];

    return m;
}

static inline void on_line(void* user, vn_dvec3 a, vn_dvec3 b, vn_color color) {
    mark* m = add_mark(user, LINE, color);
    m->p[0] = a;
    m->p[1] = b;
}

static inline void on_box(void* user, vn_dvec3 low, vn_dvec3 high, vn_color color) {
    mark* m = add_mark(user, BOX, color);
    m->p[0] = low;
    m->p[1] = high;
}

static inline void on_triangle(void* user, vn_dvec3 a, vn_dvec3 b, vn_dvec3 c, vn_color color) {
    mark* m = add_mark(user, TRIANGLE, color);
    m->p[0] = a;
    m->p[1] = b;
    m->p[2] = c;
}

static inline void on_text(void* user, vn_dvec3 at, const char* text, vn_color color) {
    mark* m = add_mark(user, TEXT, color);
    m->p[0] = at;
    assert_true(strlen(text) < sizeof m->text);
    memcpy(m->text, text, strlen(text) + 1);
}

/// `kinds`: bits of those that the host offers.
static inline vn_draw sink(recording* r, uint32_t kinds, uint32_t limit) {
    vn_draw draw = {kinds >> LINE & 1 ? on_line : NULL,
                    kinds >> BOX & 1 ? on_box : NULL,
                    kinds >> TRIANGLE & 1 ? on_triangle : NULL,
                    kinds >> TEXT & 1 ? on_text : NULL,
                    r,
                    limit};

    return draw;
}

static inline recording record_make(void) {
    recording r = {calloc(MAX_MARKS, sizeof(mark)), 0, {0}};
    assert_non_null(r.marks);
    return r;
}

static inline void record_reset(recording* r) {
    r->count = 0;
    memset(r->of, 0, sizeof r->of);
}

static inline void record_free(recording* r) {
    free(r->marks);
}

/// A drawing: one of the functions with its arguments.
typedef uint32_t drawing(const void* what, const vn_draw* draw);

/// Draws all of it; then with every limit, or some of them; then for hosts that lack functions.
static inline void draw_every_way(drawing* draw_it, const void* what, recording* all) {
    vn_draw draw = sink(all, 15, 0);
    record_reset(all);
    uint32_t calls = draw_it(what, &draw);
    assert_int_equal(calls, all->count);

    recording part = record_make();
    for (uint32_t limit = 1; limit <= all->count + 1; limit += 1 + limit / 4) {
        record_reset(&part);
        draw = sink(&part, 15, limit);
        calls = draw_it(what, &draw);
        assert_int_equal(calls, limit < all->count ? limit : all->count);
        assert_int_equal(part.count, calls);
        assert_memory_equal(part.marks, all->marks, calls * sizeof(mark));
    }

    for (uint32_t kinds = 0; kinds < 15; ++kinds) {
        record_reset(&part);
        draw = sink(&part, kinds, 0);
        calls = draw_it(what, &draw);
        assert_int_equal(calls, part.count);

        uint32_t at = 0;
        for (uint32_t i = 0; i < all->count; ++i)
            if (kinds >> all->marks[i].kind & 1) {
                assert_true(at < part.count);
                assert_memory_equal(&part.marks[at++], &all->marks[i], sizeof(mark));
            }

        assert_int_equal(at, part.count);
    }

    record_free(&part);
}

static inline const mark* find_text(const recording* r, const char* text) {
    for (uint32_t i = 0; i < r->count; ++i)
        if (r->marks[i].kind == TEXT && strstr(r->marks[i].text, text) != NULL)
            return &r->marks[i];
    return NULL;
}

// ------------------------------------------------------------------------------------------------- geometry

static inline vni_vec vec(vn_dvec3 p) {
    return vni_v(p.x, p.y, p.z);
}

static inline double apart(vn_dvec3 a, vn_dvec3 b) {
    return vni_length(vni_sub(vec(a), vec(b)));
}

static inline vni_vec area_of(const mark* m) {
    vni_vec a = vec(m->p[0]);
    return vni_scale(vni_cross(vni_sub(vec(m->p[1]), a), vni_sub(vec(m->p[2]), a)), 0.5);
}

/// Area of all triangles, and the volume that they enclose; each must face outwards.
static inline void measure(const recording* r, double* area, double* volume) {
    vni_vec middle = vni_v(0, 0, 0);
    for (uint32_t i = 0; i < r->count; ++i)
        for (int c = 0; c < 3; ++c)
            middle = vni_add_scaled(middle, vec(r->marks[i].p[c]), 1.0 / (3 * r->count));

    *area = *volume = 0;
    for (uint32_t i = 0; i < r->count; ++i) {
        assert_int_equal(r->marks[i].kind, TRIANGLE);
        vni_vec n = area_of(&r->marks[i]);
        *area += vni_length(n);
        double part = vni_dot(n, vni_sub(vec(r->marks[i].p[0]), middle)) / 3;
        assert_true(part > 0);
        *volume += part;
    }
}

static inline bool is_near(double a, double b, double by) {
    return fabs(a - b) <= by;
}

#endif
