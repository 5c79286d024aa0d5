/// bench/footprint.c: obstacles of 8^3 voxels that move: what a move costs the world, and what their voxels
/// cost.
#include "bench.h"

#include "voxelise/footprint.h"

#define OBSTACLES 200
#define ROUNDS    20
#define DIM       256

enum { RADII = 3 };

typedef struct subject {
    const char* name;
    vn_shape shape;
    bool turns;
    vn_world* world;
    vn_obstacle_id ids[OBSTACLES];
    vni_rng rng;
    vni_footprint_scratch* scratch;
    vni_footprint print;
    double move, footprint[RADII]; ///< seconds
    uint64_t bricks;               ///< at radius 0
} subject;

/// A box as a hull: corners where bit i is the high side of axis i.
static const uint32_t box_faces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
static const uint32_t round_faces[60] = {0,  1,  4,  0,  6, 1, 0,  4,  8, 0, 8, 9, 0,  9, 6, 1, 10, 4, 1, 6,
                                         11, 1,  11, 10, 2, 5, 3,  2,  3, 7, 2, 8, 5,  2, 9, 8, 2,  7, 9, 3,
                                         5,  10, 3,  11, 7, 3, 10, 11, 4, 5, 8, 4, 10, 5, 6, 9, 7,  6, 7, 11};

static vn_vec3 box_corners[8], round_corners[12];
static vn_voxel_box all_voxels = {{0, 0, 0}, {8, 8, 8}};

static void make_corners(void) {
    for (int i = 0; i < 8; ++i)
        box_corners[i] = (vn_vec3){i & 1 ? 4.0f : -4.0f, i & 2 ? 4.0f : -4.0f, i & 4 ? 4.0f : -4.0f};

    for (int i = 0; i < 12; ++i) { // an icosahedron
        float one = i & 1 ? -2.1f : 2.1f, far = i & 2 ? -3.4f : 3.4f;
        round_corners[i] = i < 4   ? (vn_vec3){0, one, far}
                           : i < 8 ? (vn_vec3){far, 0, one}
                                   : (vn_vec3){one, far, 0};
    }
}

static vn_shape hull_shape(const vn_vec3* vertices, uint32_t count, const uint32_t* faces,
                           uint32_t triangles) {
    vn_shape shape = {.kind = VN_SHAPE_HULL};
    shape.as.hull.vertices = vertices;
    shape.as.hull.vertex_count = count;
    shape.as.hull.indices = faces;
    shape.as.hull.triangle_count = triangles;
    return shape;
}

static vn_transform random_transform(vni_rng* rng, bool turns) {
    vn_transform transform = vn_transform_identity();
    float* at = &transform.position.x;
    for (int i = 0; i < 3; ++i)
        at[i] = (float)(10 + vni_rng_real(rng) * (DIM - 20));

    if (turns) {
        double q[4], sum = 0;
        for (int i = 0; i < 4; ++i) {
            q[i] = vni_rng_real(rng) - 0.5;
            sum += q[i] * q[i];
        }

        double l = sqrt(sum);
        transform.rotation =
            (vn_quat){(float)(q[0] / l), (float)(q[1] / l), (float)(q[2] / l), (float)(q[3] / l)};
    }

    return transform;
}

static void open_subject(subject* s) {
    vn_allocator allocator = vn_default_allocator();
    vn_world_def def = vn_default_world_def();
    vn_detail detail = {0};
    s->rng = vni_rng_make(3);
    vnb_must(vn_world_create(&def, &s->world), NULL);
    for (uint32_t i = 0; i < OBSTACLES; ++i) {
        vn_transform transform = random_transform(&s->rng, s->turns);
        vnb_must(vn_world_add_moving(s->world, &s->shape, &transform, &s->ids[i], &detail), &detail);
    }

    s->scratch = vni_footprint_scratch_make(&allocator);
    if (s->scratch == NULL)
        vnb_fail("out of memory");
}

static void close_subject(subject* s) {
    vn_allocator allocator = vn_default_allocator();
    vni_footprint_free(&allocator, &s->print);
    vni_footprint_scratch_free(&allocator, s->scratch);
    vn_world_destroy(s->world);
}

static void run_moves(subject* s) {
    vn_detail detail = {0};
    double begin = vnb_seconds();
    for (uint32_t i = 0; i < OBSTACLES; ++i) {
        vn_transform transform = random_transform(&s->rng, s->turns);
        vnb_must(vn_world_move(s->world, s->ids[i], &transform, &detail), &detail);
    }

    s->move += vnb_seconds() - begin;
    vni_world_forget_changes(s->world);
}

static void run_footprints(subject* s, uint32_t r) {
    static const double radii[RADII] = {0, 0.5, 2};
    const vni_frame frame = {{0, 0, 0}, 1};
    const int32_t dims[3] = {DIM, DIM, DIM};
    vn_allocator allocator = vn_default_allocator();
    double begin = vnb_seconds();
    for (uint32_t i = 0; i < OBSTACLES; ++i) {
        vnb_must(vni_footprint_of(vni_world_obstacle(s->world, i), &frame, radii[r], dims, &allocator,
                                  s->scratch, &s->print),
                 NULL);
        s->bricks += r == 0 ? s->print.count : 0;
    }

    s->footprint[r] += vnb_seconds() - begin;
}

static void run_round(subject* s, uint32_t round) {
    run_moves(s);
    for (uint32_t turn = 0; turn < RADII; ++turn)
        run_footprints(s, rotation_at(RADII, round, turn));
}

static void print_row(const subject* s) {
    const double all = (double)OBSTACLES * ROUNDS, us = 1e6 / all;
    printf("%-16s %8.2f %8.2f %8.2f %8.2f %8.1f\n", s->name, s->move * us, s->footprint[0] * us,
           s->footprint[1] * us, s->footprint[2] * us, (double)s->bricks / all);
}

int main(void) {
    make_corners();
    subject subjects[] = {
        {.name = "box", .shape = {.kind = VN_SHAPE_BOX, .as.box = {{-4, -4, -4}, {4, 4, 4}}}, .turns = false},
        {.name = "box, turned",
         .shape = {.kind = VN_SHAPE_BOX, .as.box = {{-4, -4, -4}, {4, 4, 4}}},
         .turns = true},
        {.name = "sphere", .shape = {.kind = VN_SHAPE_SPHERE, .as.sphere = {{0, 0, 0}, 4}}, .turns = false},
        {.name = "hull, box", .shape = hull_shape(box_corners, 8, box_faces, 12), .turns = true},
        {.name = "hull, 20 faces", .shape = hull_shape(round_corners, 12, round_faces, 20), .turns = true},
        {.name = "voxels", .shape = {.kind = VN_SHAPE_VOXELS}, .turns = false},
    };
    vn_shape* set = &subjects[5].shape;
    set->as.voxels.size = 1;
    set->as.voxels.dims = (vn_voxel){8, 8, 8};
    set->as.voxels.boxes = &all_voxels;
    set->as.voxels.box_count = 1;
    printf("calibration: %.0f M steps/s\n\n", vnb_calibration());
    printf("microseconds, radius in voxels\n%-16s %8s %8s %8s %8s %8s\n", "obstacle", "move", "r 0", "r 0.5",
           "r 2", "bricks");

    const uint32_t count = sizeof subjects / sizeof *subjects;
    for (uint32_t i = 0; i < count; ++i)
        open_subject(&subjects[i]);

    for (uint32_t round = 0; round < ROUNDS; ++round)
        for (uint32_t turn = 0; turn < count; ++turn)
            run_round(&subjects[rotation_at(count, round, turn)], round);

    for (uint32_t i = 0; i < count; ++i) {
        print_row(&subjects[i]);
        close_subject(&subjects[i]);
    }

    return 0;
}
