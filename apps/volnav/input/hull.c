/// volnav/input/hull.c: qhull's facets as triangles.
#include "input/hull.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef VOLNAV_MESHES
#define VOLNAV_MESHES 1
#endif

#if VOLNAV_MESHES
#include <libqhull_r/qhull_ra.h>

#include "shell/say.h"

#ifdef _WIN32
#define NULL_DEVICE "NUL"
#else
#define NULL_DEVICE "/dev/null"
#endif

static double* doubles_of(const vn_vec3* points, uint32_t count) {
    double* out = say_alloc((size_t)count * 3, sizeof *out);
    for (uint32_t i = 0; i < count; ++i) {
        out[3 * i] = (double)points[i].x;
        out[3 * i + 1] = (double)points[i].y;
        out[3 * i + 2] = (double)points[i].z;
    }

    return out;
}

/// Positive when the triangle, as listed, turns its front to the side that `outward` points to.
static double facing(const double* p, const uint32_t* t, const double* outward) {
    const double *a = p + 3 * t[0], *b = p + 3 * t[1], *c = p + 3 * t[2];
    const double ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2];
    const double vx = c[0] - a[0], vy = c[1] - a[1], vz = c[2] - a[2];
    return (uy * vz - uz * vy) * outward[0] + (uz * vx - ux * vz) * outward[1] +
           (ux * vy - uy * vx) * outward[2];
}

static void take_facets(qhT* qh, const double* coordinates, hull_mesh* out) {
    facetT* facet;
    out->indices = say_alloc((size_t)qh->num_facets * 3, sizeof *out->indices);
    out->triangle_count = 0;

    FORALLfacets {
        vertexT *vertex, **vertexp;
        uint32_t* corner = out->indices + 3 * (size_t)out->triangle_count;
        int n = 0;
        FOREACHvertex_(facet->vertices) {
            if (n < 3) {
                corner[n] = (uint32_t)qh_pointid(qh, vertex->point);
            }
            ++n;
        }

        assert(n == 3); // Qt: all facets are triangles
        if (facing(coordinates, corner, facet->normal) < 0) {
            const uint32_t swap = corner[1];
            corner[1] = corner[2];
            corner[2] = swap;
        }

        ++out->triangle_count;
    }
}

/// Drops the points that no triangle uses.
static void compact(const vn_vec3* points, uint32_t count, hull_mesh* out) {
    uint32_t* renamed = say_alloc(count, sizeof *renamed);
    out->vertices = say_alloc(count, sizeof *out->vertices);
    out->vertex_count = 0;
    for (size_t i = 0; i < (size_t)out->triangle_count * 3; ++i) {
        const uint32_t old = out->indices[i];
        if (renamed[old] == 0) {
            out->vertices[out->vertex_count] = points[old];
            renamed[old] = ++out->vertex_count;
        }
        out->indices[i] = renamed[old] - 1;
    }

    free(renamed);
}

const char* hull_of_points(const vn_vec3* points, uint32_t count, hull_mesh* out) {
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < count; ++i) {
        if (!isfinite(points[i].x) || !isfinite(points[i].y) || !isfinite(points[i].z)) {
            return "a point is not finite";
        }
    }

    if (count < 4 || count > INT32_MAX / 3) {
        return count < 4 ? "a hull needs at least four points" : "too many points for a hull";
    }

    FILE* silent = fopen(NULL_DEVICE, "w");
    double* coordinates = doubles_of(points, count);
    char command[] = "qhull Qt";
    qhT state;
    qh_zero(&state, silent);

    const int failed = qh_new_qhull(&state, 3, (int)count, coordinates, False, command, silent, silent);
    if (failed == 0) {
        take_facets(&state, coordinates, out);
        compact(points, count, out);
    }

    int blocks = 0, bytes = 0;
    qh_freeqhull(&state, !qh_ALL);
    qh_memfreeshort(&state, &blocks, &bytes);
    free(coordinates);
    if (silent != NULL) {
        fclose(silent);
    }

    return failed == 0                ? NULL
           : failed == qh_ERRsingular ? "the points lie in one plane, so they have no hull with a volume"
                                      : "qhull cannot make a hull of the points";
}

#else

const char* hull_of_points(const vn_vec3* points, uint32_t count, hull_mesh* out) {
    (void)points;
    (void)count;
    memset(out, 0, sizeof *out);
    return "this build of the tool makes no hulls (VOLNAV_MESHES=OFF)";
}

#endif

void hull_free(hull_mesh* mesh) {
    free(mesh->vertices);
    free(mesh->indices);
    memset(mesh, 0, sizeof *mesh);
}
