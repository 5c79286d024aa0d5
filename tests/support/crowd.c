/// tests/support/crowd.c: runs a scene of many agents and measures it.
#include "crowd.h"
#include "base/hash.h"
#include "cmocka_all.h"
#include "volnav/path.h"

#include <math.h>
#include <stdlib.h>

vn_jobs vnt_crowd_jobs;
vn_avoid_mode vnt_crowd_mode;

// ---------- jobs in another order

static void* reverse_enqueue(void* user, vn_task* task, void* context, uint32_t count, uint32_t min_range) {
    (void)user;
    (void)min_range;
    for (uint32_t i = count; i-- > 0;)
        task(context, i, i + 1, 0);
    return NULL;
}

static void reverse_finish(void* user, void* handle) {
    (void)user;
    (void)handle;
}

vn_jobs vnt_reverse_jobs(void) {
    return (vn_jobs){.worker_count = 1, .enqueue = reverse_enqueue, .finish = reverse_finish};
}

// ---------- making

vnt_crowd vnt_crowd_make(vn_space* space, uint32_t capacity) {
    vnt_crowd crowd = {.space = space, .def = vn_default_avoid_def(), .capacity = capacity, .arrive = 0.5};
    crowd.def.max_agents = capacity;
    crowd.def.mode = vnt_crowd_mode;
    if (vnt_crowd_jobs.enqueue != NULL)
        crowd.def.jobs = vnt_crowd_jobs;
    crowd.walkers = calloc(capacity, sizeof *crowd.walkers);
    crowd.fields = calloc(8, sizeof *crowd.fields);
    assert_non_null(crowd.walkers);
    assert_non_null(crowd.fields);
    return crowd;
}

void vnt_crowd_free(vnt_crowd* crowd) {
    vn_avoid_destroy(crowd->avoid);
    vn_space_destroy(crowd->space);
    for (uint32_t i = 0; i < crowd->field_count; ++i) {
        free(crowd->fields[i].distance);
        free(crowd->fields[i].next);
    }

    free(crowd->fields);
    free(crowd->walkers);
}

static void begin(vnt_crowd* crowd) {
    vn_detail detail = {0};
    vn_status status = vn_avoid_create(&crowd->def, &crowd->avoid, &detail);
    if (status != VN_OK)
        fail_msg("%s", detail.text);
}

vnt_walker* vnt_crowd_add(vnt_crowd* crowd, vn_dvec3 start, vn_dvec3 goal, const vn_avoid_agent_def* def) {
    vn_detail detail = {0};
    vn_avoid_agent_def agent = *def;
    assert_true(crowd->count < crowd->capacity);
    vnt_walker* w = &crowd->walkers[crowd->count++];
    if (crowd->avoid == NULL)
        begin(crowd);

    *w = (vnt_walker){
        .goal = goal, .position = start, .carrot = start, .radius = def->radius, .speed = def->max_speed};
    agent.position = start;
    agent.space = crowd->space;
    vn_status status = vn_avoid_add_agent(crowd->avoid, &agent, &w->id, &detail);
    if (status != VN_OK)
        fail_msg("%s at %g %g %g: %s", vn_status_word(status), start.x, start.y, start.z, detail.text);
    return w;
}

// ---------- fields

static size_t index_in(const vnt_field* f, vn_voxel v) {
    return (size_t)v.x + (size_t)f->dims.x * ((size_t)v.y + (size_t)f->dims.y * (size_t)v.z);
}

/// The k-th of 26 neighbours, if it is farther than through v; false also if the step is not free or cuts a
/// corner.
static bool improves(const vnt_field* f, vn_voxel v, float key, int k, vn_voxel* out, float* cost) {
    const int d[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    *out = (vn_voxel){v.x + d[0], v.y + d[1], v.z + d[2]};
    *cost = sqrtf((float)(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    if (out->x < 0 || out->y < 0 || out->z < 0 || out->x >= f->dims.x || out->y >= f->dims.y ||
        out->z >= f->dims.z || key + *cost >= f->distance[index_in(f, *out)])
        return false;

    vn_voxel low = {v.x + (d[0] < 0 ? -1 : 0), v.y + (d[1] < 0 ? -1 : 0), v.z + (d[2] < 0 ? -1 : 0)};
    vn_voxel high = {v.x + 1 + (d[0] > 0), v.y + 1 + (d[1] > 0), v.z + 1 + (d[2] > 0)};
    return vn_space_box_free(f->space, low, high);
}

typedef struct entry {
    float key;
    vn_voxel voxel;
} entry;

static void heap_push(entry* heap, size_t* count, entry e) {
    size_t at = (*count)++;
    for (; at > 0 && heap[(at - 1) / 2].key > e.key; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = e;
}

static entry heap_pop(entry* heap, size_t* count) {
    entry top = heap[0], last = heap[--*count];
    size_t at = 0;
    for (size_t child = 1; child < *count; child = 2 * at + 1) {
        if (child + 1 < *count && heap[child + 1].key < heap[child].key)
            ++child;
        if (heap[child].key >= last.key)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

static void fill_field(vnt_field* f, vn_voxel goal) {
    size_t total = (size_t)f->dims.x * (size_t)f->dims.y * (size_t)f->dims.z, count = 0;
    entry* heap = malloc(total * 8 * sizeof *heap);
    assert_non_null(heap);
    for (size_t i = 0; i < total; ++i) {
        f->distance[i] = INFINITY;
        f->next[i] = goal;
    }

    f->distance[index_in(f, goal)] = 0;
    f->next[index_in(f, goal)] = goal;
    heap_push(heap, &count, (entry){0, goal});
    while (count > 0) {
        entry e = heap_pop(heap, &count);
        if (e.key > f->distance[index_in(f, e.voxel)])
            continue;
        for (int k = 0; k < 27; ++k) {
            vn_voxel next;
            float cost;
            if (!improves(f, e.voxel, e.key, k, &next, &cost))
                continue;
            f->distance[index_in(f, next)] = e.key + cost;
            f->next[index_in(f, next)] = e.voxel;
            heap_push(heap, &count, (entry){e.key + cost, next});
        }
    }
    free(heap);
}

const vnt_field* vnt_crowd_field(vnt_crowd* crowd, vn_dvec3 goal) {
    vn_space_info info;
    vn_point point;
    assert_true(crowd->field_count < 8);
    vnt_field* f = &crowd->fields[crowd->field_count++];
    vn_space_get_info(crowd->space, &info);
    *f = (vnt_field){.space = crowd->space, .dims = info.dims, .goal = goal};
    f->distance = malloc((size_t)info.dims.x * (size_t)info.dims.y * (size_t)info.dims.z * sizeof(float));
    assert_non_null(f->distance);
    assert_int_equal(vn_space_point_from_world(crowd->space, goal, &point), VN_OK);
    assert_true(vn_space_point_free(crowd->space, point));
    f->next = malloc((size_t)info.dims.x * (size_t)info.dims.y * (size_t)info.dims.z * sizeof *f->next);
    assert_non_null(f->next);
    fill_field(f, vn_space_voxel_at(crowd->space, point));
    return f;
}

/// The farthest point in sight down the field, at most 20 voxels on; looked at every fifth.
static vn_dvec3 carrot(const vnt_field* f, vn_dvec3 position) {
    vn_point at;
    if (vn_space_point_from_world(f->space, position, &at) != VN_OK)
        return f->goal;
    vn_voxel v = vn_space_voxel_at(f->space, at), best = f->next[index_in(f, v)];
    for (int step = 1; step <= 20; ++step) {
        v = f->next[index_in(f, v)];
        if (step % 5 == 0 && !vn_space_visible(f->space, at, vn_voxel_center(v)))
            break;
        if (step % 5 == 0)
            best = v;
    }
    return vn_space_point_to_world(f->space, vn_voxel_center(best));
}

// ---------- running

static vn_dvec3 minus(vn_dvec3 a, vn_dvec3 b) {
    return (vn_dvec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double length(vn_dvec3 a) {
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static bool has_heading(const vnt_walker* w) {
    return w->heading.x != 0 || w->heading.y != 0 || w->heading.z != 0;
}

static void want(vnt_crowd* crowd, vnt_walker* w, bool look) {
    vn_vec3 wish;
    if (has_heading(w))
        wish = (vn_vec3){w->heading.x * w->speed, w->heading.y * w->speed, w->heading.z * w->speed};
    else {
        if (w->field != NULL && (look || length(minus(w->carrot, w->position)) < 0.5))
            w->carrot = carrot(w->field, w->position);
        vn_dvec3 to = minus(w->field != NULL ? w->carrot : w->goal, w->position);
        double far = length(minus(w->goal, w->position)), all = length(to);
        double speed = far < (double)w->speed * 0.5 ? far * 2 : (double)w->speed;
        double scale = all > 1e-9 ? speed / all : 0;
        wish = (vn_vec3){(float)(to.x * scale), (float)(to.y * scale), (float)(to.z * scale)};
    }
    assert_int_equal(vn_avoid_set_preferred(crowd->avoid, w->id, wish), VN_OK);
}

static bool is_there(const vnt_crowd* crowd, const vnt_walker* w) {
    vn_dvec3 to = minus(w->goal, w->position);
    if (has_heading(w))
        return to.x * (double)w->heading.x + to.y * (double)w->heading.y + to.z * (double)w->heading.z <= 0;
    return length(to) <= crowd->arrive;
}

/// Compares the step with the limits, and its segment with the walls.
static void judge(const vnt_crowd* crowd, vnt_walker* w, const vn_avoid_state* now,
                  vnt_crowd_report* report) {
    vn_dvec3 v = {(double)now->velocity.x, (double)now->velocity.y, (double)now->velocity.z};
    double excess = length(v) / (double)w->speed - 1;
    report->speed_excess = excess > report->speed_excess ? excess : report->speed_excess;
    report->longest_held =
        (double)now->held > report->longest_held ? (double)now->held : report->longest_held;
    if (crowd->space != NULL) {
        vn_point ends[2];
        bool inside = vn_space_point_from_world(crowd->space, w->position, &ends[0]) == VN_OK &&
                      vn_space_point_from_world(crowd->space, now->position, &ends[1]) == VN_OK;
        report->wall_faults += !inside || !vn_space_check_path(crowd->space, ends, 2, NULL);
    }
}

static int by_x(const void* a, const void* b) {
    const vnt_walker *const *v = a, *const *w = b;
    return (*v)->position.x < (*w)->position.x ? -1 : (*v)->position.x > (*w)->position.x;
}

/// The deepest overlap of all pairs, as a share of their radii's sum: sorted along x.
static double deepest(const vnt_crowd* crowd) {
    vnt_walker** sorted = malloc(crowd->count * sizeof *sorted);
    uint32_t count = 0;
    double worst = 0;
    assert_non_null(sorted);
    for (uint32_t i = 0; i < crowd->count; ++i)
        if (!crowd->walkers[i].arrived || crowd->stays)
            sorted[count++] = &crowd->walkers[i];
    qsort(sorted, count, sizeof *sorted, by_x);
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t j = i + 1; j < count && sorted[j]->position.x - sorted[i]->position.x < 1; ++j) {
            double sum = (double)(sorted[i]->radius + sorted[j]->radius);
            double share = 1 - length(minus(sorted[i]->position, sorted[j]->position)) / sum;
            worst = share > worst ? share : worst;
        }
    free(sorted);
    return worst;
}

void vnt_crowd_step(vnt_crowd* crowd, float dt, vnt_crowd_report* report) {
    for (uint32_t i = 0; i < crowd->count; ++i)
        if (!crowd->walkers[i].arrived || crowd->stays)
            want(crowd, &crowd->walkers[i], (report->steps + i) % 8 == 0);
    assert_int_equal(vn_avoid_step(crowd->avoid, dt), VN_OK);
    ++report->steps;
    double now = (double)report->steps * (double)dt;

    for (uint32_t i = 0; i < crowd->count; ++i) {
        vnt_walker* w = &crowd->walkers[i];
        vn_avoid_state state;
        if (w->arrived && !crowd->stays)
            continue;
        assert_int_equal(vn_avoid_get_agent(crowd->avoid, w->id, &state), VN_OK);
        judge(crowd, w, &state, report);
        w->position = state.position;
        w->velocity = state.velocity;
        report->hash = vni_hash_bytes(&state.position, sizeof state.position, report->hash);
        if (w->arrived || !is_there(crowd, w))
            continue;
        w->arrived = true;
        w->arrival = now;
        ++report->arrived;
        report->last = now;
        if (!crowd->stays)
            assert_int_equal(vn_avoid_remove_agent(crowd->avoid, w->id), VN_OK);
    }

    if (report->steps % 4 == 0) {
        double overlap = deepest(crowd);
        report->overlap = overlap > report->overlap ? overlap : report->overlap;
    }
}

vnt_crowd_report vnt_crowd_run(vnt_crowd* crowd, float dt, double seconds) {
    vnt_crowd_report report = {0};
    while (report.arrived < crowd->count && (double)report.steps * (double)dt < seconds)
        vnt_crowd_step(crowd, dt, &report);
    if (report.arrived < crowd->count)
        report.last = seconds;
    return report;
}
