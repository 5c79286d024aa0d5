/// volnav/draw/surface.c: nearest faces, cutting away, light.
#include "draw/surface.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shell/say.h"

enum { SHADOW_REACH = 28 };

typedef struct cell {
    int x, y, z;
} cell;

static cell cell_of(const view* v, int32_t face) {
    assert(face >= 0);
    const int i = face / 3, row = v->size[0] * v->size[2];
    return (cell){i % v->size[0], i / row, i % row / v->size[0]};
}

int surface_depth(const view* v, int32_t face) {
    const cell c = cell_of(v, face);
    return c.x + c.y + c.z;
}

/// The two triangles that a side of a cell covers.
static void triangles_of(const view* v, const surface* s, cell c, int side, size_t out[2]) {
    assert(c.x >= 0 && c.y >= -1 && c.z >= 0);
    assert(c.x < v->size[0] && c.y < v->size[1] && c.z < v->size[2]);
    const int u = c.x - c.z + v->size[2], top = c.x + c.z - 2 * (c.y + 1) + 2 * v->size[1];
    if (side == SURFACE_TOP) {
        out[0] = surface_at(s, u - 1, top + 1);
        out[1] = surface_at(s, u, top + 1);
    } else {
        const int column = side == SURFACE_LEFT ? u - 1 : u;
        out[0] = surface_at(s, column, top + 2);
        out[1] = surface_at(s, column, top + 3);
    }
}

static bool open_side(const view* v, cell c, int side) {
    const int x = c.x + (side == SURFACE_RIGHT), y = c.y + (side == SURFACE_TOP),
              z = c.z + (side == SURFACE_LEFT);
    return (view_cell(v, x, y, z) & VIEW_BLOCKED) == 0;
}

bool surface_top_seen(const view* v, const surface* s, int x, int y, int z) {
    size_t at[2];
    const cell c = {x, y, z};
    triangles_of(v, s, c, SURFACE_TOP, at);
    const int32_t face = y < 0 ? -1 : (int32_t)(view_index(v, x, y, z) * 3) + SURFACE_TOP;
    return s->face[at[0]] == face || s->face[at[1]] == face;
}

// ---------------------------------------------------------------------------------------------- cut away

typedef struct cutter {
    const view* v;
    const surface* s;
    float* limit; ///< for each triangle the depth beyond which a face hides a path
    double reach; ///< how far from the path on the image, in edges of a cell
} cutter;

/// A cone from the path point towards the eye: what is nearer is cut wider.
static void cut_around(void* user, view_point p) {
    const cutter* k = user;
    const double u0 = view_u(k->v, p), v0 = view_v(k->v, p), depth = p.x + p.y + p.z;
    const int du = (int)ceil(k->reach / 0.866), dv = (int)ceil(k->reach / 0.5);
    for (int u = (int)floor(u0) - du; u <= (int)floor(u0) + du; ++u) {
        for (int w = (int)floor(v0) - dv; w <= (int)floor(v0) + dv; ++w) {
            if (u < 0 || w < 0 || u >= k->s->columns || w > k->s->rows) {
                continue;
            }

            const double a = (u + 0.5 - u0) * 0.866, b = (w - v0) * 0.5, distance = sqrt(a * a + b * b);
            float* limit = &k->limit[surface_at(k->s, u, w)];
            const float here = (float)(depth + 2 * distance - 1);
            if (distance <= k->reach && here < *limit) {
                *limit = here;
            }
        }
    }
}

static float* cut_limits(const view* v, const surface* s, const picture_plan* plan) {
    const size_t count = (size_t)s->columns * (size_t)(s->rows + 1);
    float* limit = say_alloc(count, sizeof *limit);
    for (size_t i = 0; i < count; ++i) {
        limit[i] = INFINITY;
    }

    cutter k = {v, s, limit, 1.5 + 0.022 * (v->columns + v->size[1]) / sqrt(plan->route_count + 0.1)};
    view_walk_all(v, plan, cut_around, &k);

    return limit;
}

// ------------------------------------------------------------------------------------------------- faces

static void offer(const view* v, int32_t* best, int32_t face, int depth) {
    if (*best < 0 || surface_depth(v, *best) < depth) {
        *best = face;
    }
}

static void put_face(const view* v, surface* s, const float* limit, cell c, int side) {
    size_t at[2];
    const int depth = c.x + c.y + c.z;
    const int32_t face = (int32_t)(view_index(v, c.x, c.y, c.z) * 3) + side;
    triangles_of(v, s, c, side, at);
    for (int i = 0; i < 2; ++i) {
        offer(v, (float)depth > limit[at[i]] ? &s->ghost[at[i]] : &s->face[at[i]], face, depth);
    }
}

static void put_cells(const view* v, surface* s, const float* limit) {
    cell c;
    for (c.y = 0; c.y < v->size[1]; ++c.y) {
        for (c.z = 0; c.z < v->size[2]; ++c.z) {
            for (c.x = 0; c.x < v->size[0]; ++c.x) {
                if ((v->cells[view_index(v, c.x, c.y, c.z)] & VIEW_BLOCKED) == 0) {
                    continue;
                }

                for (int side = 0; side < 3; ++side) {
                    if (open_side(v, c, side)) {
                        put_face(v, s, limit, c, side);
                    }
                }
            }
        }
    }
}

static void put_haze(const view* v, surface* s) {
    cell c;
    for (c.y = 0; c.y < v->size[1]; ++c.y) {
        for (c.z = 0; c.z < v->size[2]; ++c.z) {
            for (c.x = 0; c.x < v->size[0]; ++c.x) {
                if (v->cells[view_index(v, c.x, c.y, c.z)] != VIEW_SEEN) {
                    continue;
                }

                for (int side = 0; side < 3; ++side) {
                    size_t at[2];
                    triangles_of(v, s, c, side, at);
                    for (int i = 0; i < 2; ++i) {
                        const int32_t behind = s->face[at[i]];
                        const bool hidden = behind >= 0 && surface_depth(v, behind) > c.x + c.y + c.z;
                        s->haze[at[i]] = (uint16_t)(s->haze[at[i]] + (hidden ? 0 : 1));
                    }
                }
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------- boxes

/// Faces that have been put, and how near to the eye.
typedef struct box_layer {
    int32_t* face;
    int* depth;
} box_layer;

static void put_box_cell(const view* v, const surface* s, box_layer* layer, cell c, int32_t face) {
    size_t at[2];
    const int depth = c.x + c.y + c.z;
    triangles_of(v, s, c, face % 3, at);
    for (int i = 0; i < 2; ++i) {
        if (layer->face[at[i]] < 0 || layer->depth[at[i]] < depth) {
            layer->face[at[i]] = face;
            layer->depth[at[i]] = depth;
        }
    }
}

/// One of the three sides of a box that look towards the eye.
static void put_box_side(const view* v, const surface* s, box_layer* layer, int box, int side) {
    static const int across[3] = {1, 2, 0}; // the axes that top, left and right look along
    const view_box* b = &v->boxes[box];
    int low[3] = {b->low[0], b->low[1], b->low[2]};
    low[across[side]] = b->high[across[side]] - 1;
    for (int y = low[1]; y < b->high[1]; ++y) {
        for (int z = low[2]; z < b->high[2]; ++z) {
            for (int x = low[0]; x < b->high[0]; ++x) {
                put_box_cell(v, s, layer, (cell){x, y, z}, (int32_t)box * 3 + side);
            }
        }
    }
}

/// Nearest faces of the wanted boxes, and where nothing stands before them.
static void put_boxes(const view* v, const surface* s, bool corridor_only, int32_t* face, uint16_t* seen) {
    const size_t count = (size_t)s->columns * (size_t)(s->rows + 1);
    box_layer layer = {face, say_alloc(count, sizeof(int))};
    memset(face, 0xff, count * sizeof *face);
    for (int i = 0; i < v->box_count; ++i) {
        for (int side = 0; side < 3 && (!corridor_only || v->boxes[i].in_corridor); ++side) {
            put_box_side(v, s, &layer, i, side);
        }
    }

    for (size_t i = 0; i < count; ++i) {
        const bool hidden = s->face[i] >= 0 && surface_depth(v, s->face[i]) > layer.depth[i];
        seen[i] = (uint16_t)(face[i] >= 0 && !hidden ? 1 + face[i] % 3 : 0);
    }

    free(layer.depth);
}

/// Counts become a few steps, each twice as deep.
static void quantise_haze(surface* s) {
    const size_t count = (size_t)s->columns * (size_t)(s->rows + 1);
    const double unit = 0.004 * (s->columns + s->rows);
    for (size_t i = 0; i < count; ++i) {
        int step = 0;
        for (double limit = 0; s->haze[i] > limit && step<SURFACE_HAZE; limit = limit> 0 ? 2 * limit : unit) {
            ++step;
        }
        s->haze[i] = (uint16_t)step;
    }
}

// ------------------------------------------------------------------------------------------------- light

/// Blocked cells among the eight around the open cell before a face, in the face's plane.
static int crowding(const view* v, cell c, int side) {
    int count = 0;
    for (int a = -1; a <= 1; ++a) {
        for (int b = -1; b <= 1; ++b) {
            const int x = c.x + (side == SURFACE_RIGHT ? 1 : a);
            const int y = c.y + (side == SURFACE_TOP ? 1 : side == SURFACE_RIGHT ? a : b);
            const int z = c.z + (side == SURFACE_LEFT    ? 1
                                 : side == SURFACE_TOP   ? b
                                 : side == SURFACE_RIGHT ? b
                                                         : 0);
            count += view_cell(v, x, y, z) & VIEW_BLOCKED;
        }
    }

    return count;
}

/// True when something stands between the point and the sun, which shines from the upper left behind the
/// viewer.
static bool in_shadow(const view* v, double x, double y, double z) {
    for (int i = 0; i < 2 * SHADOW_REACH; ++i) {
        x += 0.10;
        y += 0.42;
        z += 0.26;
        if (x >= v->size[0] || y >= v->size[1] || z >= v->size[2]) {
            return false;
        }

        if (x >= 0 && y >= 0 && z >= 0 &&
            (v->cells[view_index(v, (int)x, (int)y, (int)z)] & VIEW_BLOCKED) != 0) {
            return true;
        }
    }

    return false;
}

static uint16_t label_of(const view* v, int32_t face) {
    const cell c = cell_of(v, face);
    assert((view_cell(v, c.x, c.y, c.z) & VIEW_BLOCKED) != 0);
    const int side = face % 3, around = crowding(v, c, side);
    if (side == SURFACE_TOP && (view_cell(v, c.x, c.y, c.z) & VIEW_SECTION) != 0) {
        return SURFACE_SECTION;
    }

    const int shade = around == 0 ? 0 : around <= 3 ? 1 : 2;
    const int band = c.y * SURFACE_BANDS / v->size[1];
    const double x = c.x + (side == SURFACE_RIGHT ? 1.05 : 0.5), y = c.y + (side == SURFACE_TOP ? 1.05 : 0.5),
                 z = c.z + (side == SURFACE_LEFT ? 1.05 : 0.5);
    const int dark = side == SURFACE_RIGHT || (!v->solid_outside && in_shadow(v, x, y, z)) ? 1 : 0;

    return (uint16_t)(1 + ((side * SURFACE_BANDS + band) * 3 + shade) * 2 + dark);
}

static uint32_t channel(double value) {
    return value <= 0 ? 0 : value >= 255 ? 255 : (uint32_t)(value + 0.5);
}

uint32_t surface_colour(uint16_t label) {
    static const double low[3] = {84, 101, 138}, middle[3] = {146, 162, 190}, high[3] = {236, 222, 196};
    static const double light[3] = {1.0, 0.82, 0.60};
    assert(label > 0 && label <= SURFACE_SECTION);
    if (label == SURFACE_SECTION) {
        return 0x445272;
    }

    const int code = label - 1, dark = code % 2, shade = code / 2 % 3, band = code / 6 % SURFACE_BANDS;
    const int side = code / (6 * SURFACE_BANDS);
    const double t = (double)band / (SURFACE_BANDS - 1);

    uint32_t colour = 0;
    for (int i = 0; i < 3; ++i) {
        const double base =
            t < 0.5 ? low[i] + (middle[i] - low[i]) * 2 * t : middle[i] + (high[i] - middle[i]) * (2 * t - 1);
        double value = base * light[side] * (1 - 0.10 * shade);
        if (dark != 0 && side != SURFACE_RIGHT) {
            value *= i == 2 ? 0.76 : 0.66;
        }

        colour = colour << 8 | channel(value);
    }

    return colour;
}

// --------------------------------------------------------------------------------------------- the whole

/// The floor under the lowest cells: dark where something stands above it within reach.
static void put_floor(const view* v, surface* s) {
    for (int z = 0; z < v->size[2]; ++z) {
        for (int x = 0; x < v->size[0]; ++x) {
            size_t at[2];
            const cell below = {x, -1, z};
            triangles_of(v, s, below, SURFACE_TOP, at);
            if (in_shadow(v, x + 0.5, 0.05, z + 0.5) || (view_cell(v, x, 0, z) & VIEW_BLOCKED) != 0) {
                s->floor[at[0]] = 1;
                s->floor[at[1]] = 1;
            }
        }
    }
}

static void put_labels(const view* v, surface* s) {
    const size_t count = (size_t)s->columns * (size_t)(s->rows + 1);
    for (size_t i = 0; i < count; ++i) {
        s->label[i] = s->face[i] >= 0 ? label_of(v, s->face[i]) : 0;
        s->veil[i] = (uint16_t)(s->ghost[i] >= 0 ? 1 + s->ghost[i] % 3 : 0);
    }
}

void surface_make(const view* v, const picture_plan* plan, surface* out) {
    const size_t count = (size_t)v->columns * (size_t)(v->rows + 1);
    *out = (surface){.columns = v->columns, .rows = v->rows};
    out->face = say_alloc(count, sizeof *out->face);
    out->ghost = say_alloc(count, sizeof *out->ghost);
    out->label = say_alloc(count, sizeof *out->label);
    out->haze = say_alloc(count, sizeof *out->haze);
    out->veil = say_alloc(count, sizeof *out->veil);
    out->floor = say_alloc(count, sizeof *out->floor);
    out->shell = say_alloc(count, sizeof *out->shell);
    out->tunnel = say_alloc(count, sizeof *out->tunnel);
    out->shell_seen = say_alloc(count, sizeof *out->shell_seen);
    out->tunnel_seen = say_alloc(count, sizeof *out->tunnel_seen);
    memset(out->face, 0xff, count * sizeof *out->face);
    memset(out->ghost, 0xff, count * sizeof *out->ghost);
    float* limit = cut_limits(v, out, plan);
    put_cells(v, out, limit);
    free(limit);
    put_haze(v, out);
    quantise_haze(out);
    put_boxes(v, out, false, out->shell, out->shell_seen);
    put_boxes(v, out, true, out->tunnel, out->tunnel_seen);

    put_labels(v, out);
    if (!v->solid_outside) {
        put_floor(v, out);
    }
}

void surface_free(surface* s) {
    free(s->face);
    free(s->ghost);
    free(s->label);
    free(s->haze);
    free(s->veil);
    free(s->floor);
    free(s->shell);
    free(s->tunnel);
    free(s->shell_seen);
    free(s->tunnel_seen);
    memset(s, 0, sizeof *s);
}
