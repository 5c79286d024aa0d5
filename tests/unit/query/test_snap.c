/// Snapped ends against brute force over all free voxels: the nearest that joins the other end, otherwise the
/// nearest; and the legs that they leave.
#include "cmocka_all.h"
#include "shapes.h"
#include "support.h"
#include "voxels.h"

#include "volnav/path.h"
#include "volnav/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------- oracle

/// A world with the label of each free voxel's region; 0: blocked.
typedef struct regions {
    const vnt_voxels* voxels;
    uint32_t* label;
} regions;

static size_t index_of(vn_voxel dims, int32_t x, int32_t y, int32_t z) {
    return (size_t)x + (size_t)dims.x * ((size_t)y + (size_t)dims.y * (size_t)z);
}

static uint32_t label_at(const regions* r, int32_t x, int32_t y, int32_t z) {
    return vnt_voxels_are_free(r->voxels, x, y, z) ? r->label[index_of(r->voxels->dims, x, y, z)] : 0;
}

/// Takes the greatest label of the six neighbours until nothing changes.
static regions find_regions(const vnt_voxels* voxels) {
    static const int32_t step[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const vn_voxel d = voxels->dims;
    const size_t count = (size_t)d.x * (size_t)d.y * (size_t)d.z;
    regions r = {voxels, calloc(count, sizeof(uint32_t))};
    assert_non_null(r.label);
    for (size_t i = 0; i < count; ++i)
        r.label[i] = voxels->blocked[i] ? 0 : (uint32_t)i + 1;

    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < count; ++i) {
            const int32_t x = (int32_t)(i % (size_t)d.x), y = (int32_t)(i / (size_t)d.x % (size_t)d.y),
                          z = (int32_t)(i / (size_t)d.x / (size_t)d.y);
            for (int k = 0; k < 6 && r.label[i] != 0; ++k) {
                const uint32_t other = label_at(&r, x + step[k][0], y + step[k][1], z + step[k][2]);
                if (other > r.label[i]) {
                    r.label[i] = other;
                    changed = true;
                }
            }
        }
    }

    return r;
}

/// Labels of the voxels that touch a point.
typedef struct touched {
    uint32_t of[8], count;
} touched;

static touched labels_at(const regions* r, vn_point p) {
    touched t = {{0}, 0};
    for (int i = 0; i < 8; ++i) {
        if ((i & 1 && p.x % 1024 != 0) || (i & 2 && p.y % 1024 != 0) || (i & 4 && p.z % 1024 != 0))
            continue;
        const uint32_t label =
            label_at(r, (p.x >> 10) - (i & 1), (p.y >> 10) - (i >> 1 & 1), (p.z >> 10) - (i >> 2));
        if (label != 0)
            t.of[t.count++] = label;
    }

    return t;
}

static bool holds(const touched* t, uint32_t label) {
    for (uint32_t i = 0; i < t->count; ++i)
        if (t->of[i] == label)
            return true;
    return false;
}

static bool are_joined(const regions* r, vn_point a, vn_point b) {
    const touched of_a = labels_at(r, a), of_b = labels_at(r, b);
    for (uint32_t i = 0; i < of_a.count; ++i)
        if (holds(&of_b, of_a.of[i]))
            return true;
    return false;
}

static int32_t clamp(int32_t value, int32_t voxel) {
    const int32_t low = voxel * 1024, high = low + 1024;
    return value < low ? low : value > high ? high : value;
}

static int64_t square(int64_t value) {
    return value * value;
}

static int64_t distance2(vn_point a, vn_point b) {
    return square((int64_t)a.x - b.x) + square((int64_t)a.y - b.y) + square((int64_t)a.z - b.z);
}

/// The point of the free voxels (of the wanted regions; null: of all) that is nearest to p, within `most`
/// steps. Voxels in z, y, x order: the first of equals wins.
static bool nearest(const regions* r, vn_point p, const touched* wanted, double most, vn_point* out) {
    const vn_voxel d = r->voxels->dims;
    int64_t best = INT64_MAX;
    for (int32_t z = 0; z < d.z; ++z)
        for (int32_t y = 0; y < d.y; ++y)
            for (int32_t x = 0; x < d.x; ++x) {
                const uint32_t label = label_at(r, x, y, z);
                const vn_point at = {clamp(p.x, x), clamp(p.y, y), clamp(p.z, z)};
                if (label == 0 || (wanted != NULL && !holds(wanted, label)) || distance2(p, at) >= best)
                    continue;
                best = distance2(p, at);
                *out = at;
            }

    return best < INT64_MAX && sqrt((double)best) <= most;
}

/// What the rule of vn_snap_leg gives. False: an end cannot be placed.
static bool expected_ends(const regions* r, vn_point start, vn_point goal, double most, vn_point out[2]) {
    const bool start_free = labels_at(r, start).count > 0, goal_free = labels_at(r, goal).count > 0;
    out[0] = start;
    out[1] = goal;
    if (!start_free && !nearest(r, start, NULL, most, &out[0]))
        return false;
    if (!goal_free && !nearest(r, goal, NULL, most, &out[1]))
        return false;
    if (are_joined(r, out[0], out[1]))
        return true;

    const touched of_start = labels_at(r, out[0]), of_goal = labels_at(r, out[1]);
    vn_point better;
    if (!goal_free && nearest(r, goal, &of_start, most, &better))
        out[1] = better;
    else if (!start_free && nearest(r, start, &of_goal, most, &better))
        out[0] = better;
    return true;
}

// ----------------------------------------------------------------------------------------- random worlds

/// Anywhere in the space or up to two voxels beside it.
static vn_point random_end(vni_rng* rng, vn_voxel dims) {
    const int32_t step = vni_rng_below(rng, 3) == 0 ? 512 : 1;
    return (vn_point){vni_rng_range(rng, -2048 / step, (dims.x + 2) * 1024 / step) * step,
                      vni_rng_range(rng, -2048 / step, (dims.y + 2) * 1024 / step) * step,
                      vni_rng_range(rng, -2048 / step, (dims.z + 2) * 1024 / step) * step};
}

static void check_leg(const vn_snap_leg* leg, vn_point requested, vn_point used) {
    const bool moved = memcmp(&requested, &used, sizeof used) != 0;
    assert_int_equal(leg->state, moved ? VN_LEG_UNCHECKED : VN_LEG_NONE);
    assert_true(fabs(leg->distance - sqrt((double)distance2(requested, used)) / 1024) < 1e-9);
}

/// One request. Returns whether an end went farther than to the nearest free point.
static bool check_request(const regions* r, vn_query* query, vn_point start, vn_point goal, double snap) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    vn_point ends[2], plain = start, plain_goal = goal;
    request.start = start;
    request.goal = goal;
    request.snap_distance = snap;
    const vn_status status = vn_query_find_path(query, &request, &result, NULL);
    if (!expected_ends(r, start, goal, snap * 1024, ends)) {
        assert_true(status == VN_OUTSIDE || status == VN_START_BLOCKED || status == VN_GOAL_BLOCKED);
        return false;
    }

    assert_memory_equal(&result.start, &ends[0], sizeof ends[0]);
    assert_memory_equal(&result.goal, &ends[1], sizeof ends[1]);
    assert_int_equal(status, are_joined(r, ends[0], ends[1]) ? VN_OK : VN_NO_PATH);
    check_leg(&result.start_leg, start, ends[0]);
    check_leg(&result.goal_leg, goal, ends[1]);

    if (labels_at(r, start).count == 0)
        nearest(r, start, NULL, INFINITY, &plain);
    if (labels_at(r, goal).count == 0)
        nearest(r, goal, NULL, INFINITY, &plain_goal);
    return memcmp(&plain, &ends[0], sizeof plain) != 0 || memcmp(&plain_goal, &ends[1], sizeof plain) != 0;
}

static void ends_are_those_of_brute_force(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("snap", 131));
    uint32_t preferred = 0;
    for (uint32_t world = 0; world < vnt_scale(150, 3000); ++world) {
        vn_voxel dims = vnt_random_dims(&rng, 10);
        if (world % 6 == 0)
            dims.x += 60; // several blocks

        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        voxels.blocked[vni_rng_below(&rng, (uint32_t)(dims.x * dims.y * dims.z))] = 0;
        const vn_jobs jobs = vn_serial_jobs();
        vn_space* space = vnt_voxels_cells(&voxels, &jobs);
        vn_query_def def = vn_default_query_def();
        vn_query* query = NULL;
        assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);

        const regions r = find_regions(&voxels);
        for (int i = 0; i < 12; ++i)
            preferred += check_request(&r, query, random_end(&rng, dims), random_end(&rng, dims),
                                       vni_rng_real(&rng) * (i % 3 == 0 ? 12 : 3));

        free(r.label);
        vn_query_destroy(query);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    print_message("%u ends went beyond the nearest free point\n", preferred);
    assert_true(preferred >= 20);
}

// --------------------------------------------------------------------------------------------------- legs

/// A slot of 1 m between two slabs, closed at its ends if `closed`; layers of radius 0 and 1.
static vn_layers* slot_layers(bool closed) {
    const vn_box boxes[4] = {{{0, 0, 4}, {16, 16, 5}},
                             {{0, 0, 6}, {16, 16, 7}},
                             {{0, 0, 5}, {1, 16, 6}},
                             {{15, 0, 5}, {16, 16, 6}}};
    vn_world_def world_def = vn_default_world_def();
    vn_world* world = NULL;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    for (int i = 0; i < (closed ? 4 : 1); ++i) {
        const vn_shape shape = vnt_box_shape(boxes[i].min, boxes[i].max);
        assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
    }

    vn_space_def def = vn_default_space_def();
    def.resolution = 0.25f;
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {16, 16, 16}};
    const vn_layer_def sizes[2] = {{0, 0}, {1, 0}};
    vn_layers* layers = NULL;
    assert_int_equal(vn_layers_bake(world, &def, sizes, 2, &layers, NULL), VN_OK);
    vn_world_destroy(world);
    return layers;
}

static vn_path_result snap_from(const vn_layers* layers, vn_dvec3 start, double snap) {
    const vn_query_def def = vn_default_query_def();
    vn_query* query = NULL;
    vn_path_result result;
    assert_int_equal(vn_query_create_layers(layers, &def, &query, NULL), VN_OK);
    vn_path_request request = vn_default_path_request();
    request.use_positions = true;
    request.start_position = start;
    request.goal_position = (vn_dvec3){8, 8, 12};
    request.radius = 1;
    request.snap_distance = snap;
    assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
    vn_query_destroy(query);
    return result;
}

/// Too close to a wall for its radius, the agent has a free leg for a point; through a slab it has none.
static void legs_are_judged_in_narrower_layers(void** state) {
    (void)state;
    vn_layers *open = slot_layers(false), *closed = slot_layers(true);
    const vn_dvec3 beside = {8, 8, 5.4}, within = {8, 8, 4.5};
    vn_path_result r = snap_from(open, beside, 3);
    assert_int_equal(r.start_leg.state, VN_LEG_FREE);
    assert_true(r.start_leg.radius == 0);
    assert_memory_equal(&r.start_leg.from, &beside, sizeof beside);
    assert_memory_equal(&r.start_leg.to, &r.start_position, sizeof beside);
    assert_true(r.start_leg.distance > 0.5 && r.start_leg.distance < 1);
    assert_int_equal(r.goal_leg.state, VN_LEG_NONE);

    r = snap_from(closed, (vn_dvec3){8, 8, 5.5}, 4);
    assert_int_equal(r.start_leg.state, VN_LEG_BLOCKED);
    r = snap_from(open, within, 4);
    assert_int_equal(r.start_leg.state, VN_LEG_UNCHECKED);
    vn_layers_destroy(open);
    vn_layers_destroy(closed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_are_those_of_brute_force),
        cmocka_unit_test(legs_are_judged_in_narrower_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
