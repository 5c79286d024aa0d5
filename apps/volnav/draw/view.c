/// volnav/draw/view.c: cropping, coarsening and turning a space.
#include "draw/view.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shell/say.h"

#define MAX_SIDE  400
#define MAX_CELLS 40000000.0

// ------------------------------------------------------------------------------------------------- crop

static int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static int32_t most(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static void include_voxel(view* v, vn_voxel p, int32_t run) {
    v->low.x = least(v->low.x, p.x);
    v->low.y = least(v->low.y, p.y);
    v->low.z = least(v->low.z, p.z);
    v->high.x = most(v->high.x, p.x + run);
    v->high.y = most(v->high.y, p.y + 1);
    v->high.z = most(v->high.z, p.z + 1);
}

static bool include_run(void* user, vn_voxel first, int32_t length) {
    include_voxel(user, first, length);
    return true;
}

/// An end may lie outside; further away than the space is long, it is drawn at the edge of the picture.
static int32_t index_near(double metres, double resolution, int32_t length) {
    const double index = floor(metres / resolution);
    return (int32_t)(index < -length ? -length : index > 2.0 * length - 1 ? 2 * length - 1 : index);
}

static vn_voxel voxel_near(const view* v, vn_dvec3 p) {
    const vn_space_info* info = &v->info;
    const double r = (double)info->resolution;
    return (vn_voxel){index_near(p.x - info->origin.x - info->low.x, r, info->dims.x),
                      index_near(p.y - info->origin.y - info->low.y, r, info->dims.y),
                      index_near(p.z - info->origin.z - info->low.z, r, info->dims.z)};
}

static void include_plan(view* v, const picture_plan* plan) {
    for (uint32_t r = 0; r < plan->route_count; ++r) {
        for (uint32_t i = 0; i < plan->routes[r].count; ++i) {
            include_voxel(v, vn_space_voxel_at(v->space, plan->routes[r].points[i]), 1);
        }
    }

    const vn_voxel dims = v->info.dims;
    for (int i = 0; i < 2; ++i) {
        vn_point point;
        if (!picture_shows_mark(plan, i)) {
            continue;
        }

        include_voxel(v, voxel_near(v, plan->marks[i]), 1);
        if (vn_space_point_from_world(v->space, plan->marks[i], &point) != VN_OK) { // its bounds are drawn
            include_voxel(v, (vn_voxel){0, 0, 0}, dims.x);
            include_voxel(v, (vn_voxel){0, dims.y - 1, dims.z - 1}, dims.x);
        }
    }
}

/// With a margin, as far as there is room for it in [0, length).
static void widen(int32_t margin, int32_t length, int32_t* low, int32_t* high) {
    *low = least(*low, most(*low - margin, 0));
    *high = most(*high, least(*high + margin, length));
}

/// Obstacles and paths with a small margin, within the space; the whole space when there is nothing.
static void crop(view* v, const picture_plan* plan) {
    const vn_voxel zero = {0, 0, 0}, dims = v->info.dims;
    v->low = dims;
    v->high = zero;
    vn_space_visit_blocked(v->space, zero, dims, include_run, v);

    include_plan(v, plan);
    if (v->low.x >= v->high.x) {
        v->low = zero;
        v->high = dims;
    }

    const int32_t margin = 1 + (v->high.x - v->low.x + v->high.z - v->low.z) / 60;
    widen(margin, dims.x, &v->low.x, &v->high.x);
    widen(margin, dims.y, &v->low.y, &v->high.y);
    widen(margin, dims.z, &v->low.z, &v->high.z);
}

static int cells_for(int32_t voxels, int level) {
    return (int)(((int64_t)voxels + (1 << level) - 1) >> level);
}

static void choose_level(view* v, int coarser) {
    const int32_t x = v->high.x - v->low.x, y = v->high.y - v->low.y, z = v->high.z - v->low.z;
    for (v->level = 0;; ++v->level) {
        const int a = cells_for(x, v->level), b = cells_for(y, v->level), c = cells_for(z, v->level);
        const int side = most(a, most(b, c));
        if (side <= MAX_SIDE && (double)a * b * c <= MAX_CELLS) {
            break;
        }
    }

    assert(coarser >= 0);
    v->level += coarser;
    v->size[0] = cells_for(x, v->level);
    v->size[1] = cells_for(y, v->level);
    v->size[2] = cells_for(z, v->level);
}

// ------------------------------------------------------------------------------------------------- cells

int view_cell(const view* v, int x, int y, int z) {
    if (x < 0 || y < 0 || z < 0 || x >= v->size[0] || y >= v->size[1] || z >= v->size[2]) {
        return v->solid_outside ? VIEW_BLOCKED : 0;
    }
    return v->cells[view_index(v, x, y, z)];
}

static void mark_voxel(view* v, vn_voxel p, uint8_t flag) {
    assert(p.x >= v->low.x && p.y >= v->low.y && p.z >= v->low.z);
    assert(p.x < v->high.x && p.y < v->high.y && p.z < v->high.z);
    const int x = (p.x - v->low.x) >> v->level, y = (p.y - v->low.y) >> v->level,
              z = (p.z - v->low.z) >> v->level;
    v->cells[view_index(v, x, y, z)] |= flag;
}

static bool mark_run(void* user, vn_voxel first, int32_t length) {
    view* v = user;
    const int32_t step = 1 << v->level;
    for (int32_t i = 0; i < length; i += step) {
        mark_voxel(v, (vn_voxel){first.x + i, first.y, first.z}, VIEW_BLOCKED);
    }

    mark_voxel(v, (vn_voxel){first.x + length - 1, first.y, first.z}, VIEW_BLOCKED);
    return true;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

/// What a search over voxels looked at, as far as the picture reaches.
static bool mark_seen(void* user, vn_voxel low, vn_voxel high, bool in_corridor) {
    (void)in_corridor;
    view* v = user;
    for (int z = larger(low.z, v->low.z); z < smaller(high.z, v->high.z); ++z) {
        for (int y = larger(low.y, v->low.y); y < smaller(high.y, v->high.y); ++y) {
            for (int x = larger(low.x, v->low.x); x < smaller(high.x, v->high.x); ++x) {
                mark_voxel(v, (vn_voxel){x, y, z}, VIEW_SEEN);
            }
        }
    }

    return true;
}

static bool mostly_solid_border(const view* v) {
    int64_t blocked = 0, all = 0;
    for (int y = 0; y < v->size[1]; ++y) {
        for (int z = 0; z < v->size[2]; ++z) {
            const bool edge = y == 0 || z == 0 || y == v->size[1] - 1 || z == v->size[2] - 1;
            const int step = edge || v->size[0] == 1 ? 1 : v->size[0] - 1;
            for (int x = 0; x < v->size[0]; x += step) {
                blocked += v->cells[view_index(v, x, y, z)] & VIEW_BLOCKED;
                ++all;
            }
        }
    }

    return 2 * blocked > all;
}

// -------------------------------------------------------------------------------------------------- turn

static view_point turned(const view* v, view_point p, int turn) {
    const double a = v->size[0], c = v->size[2];
    switch (turn) {
    case 1: return (view_point){p.z, p.y, a - p.x};
    case 2: return (view_point){a - p.x, p.y, c - p.z};
    case 3: return (view_point){c - p.z, p.y, p.x};
    default: return p;
    }
}

/// Size before turning, from the size after it.
static view unturned_view(const view* v) {
    view out = *v;
    if (v->turn % 2 == 1) {
        out.size[0] = v->size[2];
        out.size[2] = v->size[0];
    }

    out.turn = 0;
    return out;
}

static view_point from_voxels(const view* v, double x, double y, double z) {
    const double scale = 1.0 / (double)(1 << v->level);
    const view plain = unturned_view(v);
    const view_point p = {(x - v->low.x) * scale, (y - v->low.y) * scale, (z - v->low.z) * scale};
    return turned(&plain, p, v->turn);
}

view_point view_of_point(const view* v, vn_point point) {
    const double s = 1.0 / VN_LATTICE;
    return from_voxels(v, point.x * s, point.y * s, point.z * s);
}

view_point view_of_position(const view* v, vn_dvec3 p) {
    const double s = 1.0 / (double)v->info.resolution;
    return from_voxels(v, (p.x - v->info.origin.x - v->info.low.x) * s,
                       (p.y - v->info.origin.y - v->info.low.y) * s,
                       (p.z - v->info.origin.z - v->info.low.z) * s);
}

void view_walk(const view* v, const vn_point* points, uint32_t count, view_visit* visit, void* user) {
    for (uint32_t i = 0; i + 1 < count; ++i) {
        const view_point a = view_of_point(v, points[i]), b = view_of_point(v, points[i + 1]);
        const double length = fabs(b.x - a.x) + fabs(b.y - a.y) + fabs(b.z - a.z);
        const int steps = 1 + (int)(2 * length);
        for (int k = 0; k < steps; ++k) {
            const double t = (double)k / steps;
            visit(user, (view_point){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)});
        }
    }

    if (count > 0) {
        visit(user, view_of_point(v, points[count - 1]));
    }
}

void view_walk_all(const view* v, const picture_plan* plan, view_visit* visit, void* user) {
    for (uint32_t r = 0; r < plan->route_count; ++r) {
        view_walk(v, plan->routes[r].points, plan->routes[r].count, visit, user);
    }

    for (int i = 0; i < 2; ++i) {
        if (picture_shows_mark(plan, i)) {
            visit(user, view_of_position(v, plan->marks[i]));
        }
    }
}

// -------------------------------------------------------------------------------------------------- roof

/// How much of the paths has something straight above it.
typedef struct roof_count {
    const view* v;
    int covered, all;
} roof_count;

static bool is_covered(const view* v, view_point p) {
    const int x = (int)floor(p.x), z = (int)floor(p.z);
    for (int y = (int)floor(p.y) + 1; y < v->size[1]; ++y) {
        if (y >= 0 && x >= 0 && z >= 0 && x < v->size[0] && z < v->size[2] &&
            (v->cells[view_index(v, x, y, z)] & VIEW_BLOCKED) != 0) {
            return true;
        }
    }

    return false;
}

static void count_covered(void* user, view_point p) {
    roof_count* count = user;
    count->covered += is_covered(count->v, p) ? 1 : 0;
    ++count->all;
}

/// For each column of cells the height of the nearest path, and how far away that is.
typedef struct roof_map {
    const view* v;
    float *height, *distance;
} roof_map;

static void put_height(void* user, view_point p) {
    const roof_map* map = user;
    const int x = (int)floor(p.x), z = (int)floor(p.z);
    if (x >= 0 && z >= 0 && x < map->v->size[0] && z < map->v->size[2]) {
        const size_t at = (size_t)z * (size_t)map->v->size[0] + (size_t)x;
        map->height[at] = map->distance[at] > 0 ? (float)p.y : fmaxf(map->height[at], (float)p.y);
        map->distance[at] = 0;
    }
}

/// Takes over the path of a neighbouring column if that is nearer than the own one.
static void take_nearer(const roof_map* map, int x, int z, int dx, int dz) {
    const int a = x + dx, b = z + dz, wide = map->v->size[0];
    if (a < 0 || b < 0 || a >= wide || b >= map->v->size[2]) {
        return;
    }

    const size_t at = (size_t)z * (size_t)wide + (size_t)x, from = (size_t)b * (size_t)wide + (size_t)a;
    const float distance = map->distance[from] + (dx != 0 && dz != 0 ? 1.414f : 1.0f);
    if (distance < map->distance[at]) {
        map->distance[at] = distance;
        map->height[at] = map->height[from];
    }
}

/// One sweep of the distance transform, forwards (step 1) or backwards (step -1).
static void spread(const roof_map* map, int step) {
    const int wide = map->v->size[0], deep = map->v->size[2];
    for (int j = 0; j < deep; ++j) {
        for (int i = 0; i < wide; ++i) {
            const int x = step > 0 ? i : wide - 1 - i, z = step > 0 ? j : deep - 1 - j;
            take_nearer(map, x, z, -step, 0);
            take_nearer(map, x, z, -step, -step);
            take_nearer(map, x, z, 0, -step);
            take_nearer(map, x, z, step, -step);
        }
    }
}

static void cut_column(view* v, int x, int z, int top) {
    bool above = false;
    for (int y = v->size[1] - 1; y > top && y >= 0; --y) {
        uint8_t* cell = &v->cells[view_index(v, x, y, z)];
        above = (*cell & VIEW_BLOCKED) != 0;
        *cell &= (uint8_t)~VIEW_BLOCKED;
    }

    if (above && top >= 0 && (v->cells[view_index(v, x, top, z)] & VIEW_BLOCKED) != 0) {
        v->cells[view_index(v, x, top, z)] |= VIEW_SECTION;
    }
}

/// Does each path run below something for most of its length? Without a path: do both ends lie below
/// something?
static bool is_indoors(const view* v, const picture_plan* plan) {
    for (uint32_t r = 0; r < plan->route_count; ++r) {
        roof_count count = {v, 0, 0};
        view_walk(v, plan->routes[r].points, plan->routes[r].count, count_covered, &count);
        if (2 * count.covered < count.all) {
            return false;
        }
    }

    for (int i = 0; i < 2 && plan->has_marks; ++i) {
        if (!is_covered(v, view_of_position(v, plan->marks[i]))) {
            return false;
        }
    }

    return plan->route_count > 0 || plan->has_marks;
}

/// Indoors a roof hides everything: what is higher than the nearest path is left out.
static void cut_roof(view* v, const picture_plan* plan) {
    v->roof_cut = is_indoors(v, plan);
    if (!v->roof_cut) {
        return;
    }

    const size_t columns = (size_t)v->size[0] * (size_t)v->size[2];
    roof_map map = {v, say_alloc(columns, sizeof(float)), say_alloc(columns, sizeof(float))};
    for (size_t i = 0; i < columns; ++i) {
        map.height[i] = (float)v->size[1];
        map.distance[i] = INFINITY;
    }

    view_walk_all(v, plan, put_height, &map);
    spread(&map, 1);
    spread(&map, -1);
    for (size_t i = 0; i < columns; ++i) {
        cut_column(v, (int)(i % (size_t)v->size[0]), (int)(i / (size_t)v->size[0]),
                   (int)floorf(map.height[i]));
    }

    free(map.height);
    free(map.distance);
}

// ---------------------------------------------------------------------------------------------- best turn

/// How many cells stand between the eye and the paths, for each of the four turns.
typedef struct hidden_counts {
    const view* v; ///< not turned
    int64_t hidden[4];
} hidden_counts;

static void count_hidden(void* user, view_point p) {
    static const int toward[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    hidden_counts* counts = user;
    for (int turn = 0; turn < 4; ++turn) {
        int x = (int)floor(p.x), y = (int)floor(p.y), z = (int)floor(p.z);
        for (++y; y < counts->v->size[1]; ++y) {
            x += toward[turn][0];
            z += toward[turn][1];
            counts->hidden[turn] += view_cell(counts->v, x, y, z) & VIEW_BLOCKED;
        }
    }
}

static int best_turn(const view* v, const picture_plan* plan) {
    hidden_counts counts = {v, {0}};
    view_walk_all(v, plan, count_hidden, &counts);
    int best = 0;
    for (int turn = 1; turn < 4; ++turn) {
        best = counts.hidden[turn] < counts.hidden[best] ? turn : best;
    }

    return best;
}

static void turn_cells(view* v, int turn) {
    if (turn == 0) {
        return;
    }

    assert(turn > 0 && turn < 4);
    const view plain = *v;
    v->turn = turn;
    if (turn % 2 == 1) {
        v->size[0] = plain.size[2];
        v->size[2] = plain.size[0];
    }

    v->cells = say_alloc((size_t)v->size[0] * (size_t)v->size[1] * (size_t)v->size[2], 1);
    for (int y = 0; y < plain.size[1]; ++y) {
        for (int z = 0; z < plain.size[2]; ++z) {
            for (int x = 0; x < plain.size[0]; ++x) {
                const view_point to = turned(&plain, (view_point){x + 0.5, y, z + 0.5}, turn);
                v->cells[view_index(v, (int)to.x, y, (int)to.z)] = plain.cells[view_index(&plain, x, y, z)];
            }
        }
    }

    free(plain.cells);
}

// -------------------------------------------------------------------------------------------------- boxes

typedef struct box_list {
    view* v;
    int capacity;
} box_list;

/// Where the box appears, cut off where the picture ends; false if nothing of it does.
static bool place_box(const view* v, vn_voxel low, vn_voxel high, view_box* out) {
    const view_point p = from_voxels(v, most(low.x, v->low.x), most(low.y, v->low.y), most(low.z, v->low.z));
    const view_point q =
        from_voxels(v, least(high.x, v->high.x), least(high.y, v->high.y), least(high.z, v->high.z));
    const double a[3] = {p.x, p.y, p.z}, b[3] = {q.x, q.y, q.z};
    for (int i = 0; i < 3; ++i) {
        out->low[i] = (int)floor(fmin(a[i], b[i]));
        out->high[i] = smaller((int)ceil(fmax(a[i], b[i])), v->size[i]);
        if (out->low[i] < 0 || out->low[i] >= out->high[i]) {
            return false;
        }
    }

    return low.x < v->high.x && high.x > v->low.x && low.y < v->high.y && high.y > v->low.y &&
           low.z < v->high.z && high.z > v->low.z;
}

static bool add_box(void* user, vn_voxel low, vn_voxel high, bool in_corridor) {
    box_list* list = user;
    view_box box = {{0}, {0}, in_corridor};
    if (!place_box(list->v, low, high, &box)) {
        return true;
    }

    if (list->v->box_count == list->capacity) {
        list->capacity = 2 * list->capacity + 64;
        list->v->boxes = say_resize(list->v->boxes, (size_t)list->capacity, sizeof *list->v->boxes);
    }

    list->v->boxes[list->v->box_count++] = box;
    return true;
}

/// Does the search expand boxes? Else voxels.
static bool shows_boxes(const picture_plan* plan) {
    vn_algo algo;
    return plan->boxes || (vn_algo_from_name(plan->algo, &algo) && algo == VN_ALGO_CELLS);
}

static void visit_search(const picture_plan* plan, vn_visit_box* visit, void* user) {
    if (plan->query != NULL) {
        vn_query_visit_expanded(plan->query, visit, user);
    } else if (plan->classic != NULL) {
        vn_classic_query_visit_expanded(plan->classic, visit, user);
    }
}

static void visit_blocked(view* v) {
    const vn_voxel low = {most(v->low.x, 0), most(v->low.y, 0), most(v->low.z, 0)}, dims = v->info.dims;
    const vn_voxel high = {least(v->high.x, dims.x), least(v->high.y, dims.y), least(v->high.z, dims.z)};
    vn_space_visit_blocked(v->space, low, high, mark_run, v);
}

void view_make(const picture_plan* plan, int coarser, view* out) {
    assert(plan->space != NULL && (plan->routes != NULL || plan->route_count == 0));
    memset(out, 0, sizeof *out);
    out->space = plan->space;
    vn_space_get_info(plan->space, &out->info);
    crop(out, plan);
    choose_level(out, coarser);
    out->cells = say_alloc((size_t)out->size[0] * (size_t)out->size[1] * (size_t)out->size[2], 1);

    visit_blocked(out);
    if (!shows_boxes(plan)) {
        visit_search(plan, mark_seen, out);
    }

    out->solid_outside = mostly_solid_border(out);
    if (!out->solid_outside) {
        cut_roof(out, plan);
    }

    turn_cells(out, best_turn(out, plan));
    if (shows_boxes(plan)) {
        box_list list = {out, 0};
        visit_search(plan, add_box, &list);
    }

    out->columns = out->size[0] + out->size[2];
    out->rows = out->size[0] + out->size[2] + 2 * out->size[1];
}

void view_free(view* v) {
    free(v->cells);
    free(v->boxes);
    v->cells = NULL;
    v->boxes = NULL;
}
