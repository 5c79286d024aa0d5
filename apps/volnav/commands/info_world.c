/// volnav/commands/info_world.c: what an input holds before it is baked.
#include "commands/info_inside.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "shell/system.h"

/// An input as info shows it.
typedef struct summary {
    const char* kind; ///< of the JSON
    const char* words;
    bool has_box;
    double low[3], high[3];
    double longest;    ///< metres
    double resolution; ///< to begin with; 0: there is nothing to tell it from
    bool is_own;       ///< the input says it itself
} summary;

static void name_kind(const char* path, summary* out) {
    out->kind = "mesh";
    out->words = "a mesh";
    if (system_ends_with(path, ".scene")) {
        out->kind = "scene";
        out->words = "a scene";
    } else if (import_is_octomap(path)) {
        out->kind = "octomap";
        out->words = "an occupancy map";
    } else if (import_is_brush_map(path)) {
        out->kind = "brushes";
        out->words = "a level of brushes";
    } else if (import_is_map(path)) {
        out->kind = "map";
        out->words = "a voxel map";
    }
}

static void take_box(const loaded* in, summary* out) {
    vn_box box;
    const vn_dvec3 o = vn_world_origin(in->world);
    out->has_box = vn_world_get_bounds(in->world, &box);
    const double low[3] = {o.x + (double)box.min.x, o.y + (double)box.min.y, o.z + (double)box.min.z};
    const double high[3] = {o.x + (double)box.max.x, o.y + (double)box.max.y, o.z + (double)box.max.z};
    memcpy(out->low, low, sizeof low);
    memcpy(out->high, high, sizeof high);
    if (in->scene.has_bounds) {
        out->has_box = true;
        const vn_dvec3 *from = &in->scene.low, *to = &in->scene.high;
        memcpy(out->low, (const double[3]){from->x, from->y, from->z}, sizeof out->low);
        memcpy(out->high, (const double[3]){to->x, to->y, to->z}, sizeof out->high);
    }

    for (int axis = 0; axis < 3 && out->has_box; ++axis) {
        out->longest = fmax(out->longest, out->high[axis] - out->low[axis]);
    }
}

static summary summarise(const char* path, const loaded* in) {
    summary out = {0};
    name_kind(path, &out);
    take_box(in, &out);

    const double own = in->scene.has_resolution ? in->scene.resolution : in->report.resolution;
    out.is_own = own > 0 || strcmp(out.kind, "map") == 0;
    out.resolution = own > 0 ? own : out.is_own ? 1 : load_round_resolution(out.longest);
    return out;
}

// --------------------------------------------------------------------------------------------------- JSON

static void write_json(const char* path, const loaded* in, const summary* s) {
    const import_report* r = &in->report;
    json_writer json = json_open(stdout);
    json_begin_object(&json, NULL);
    json_text(&json, "input", path);
    json_text(&json, "kind", s->kind);
    json_begin_array(&json, "bounds", false);
    if (s->has_box) {
        json_triple(&json, NULL, s->low[0], s->low[1], s->low[2]);
        json_triple(&json, NULL, s->high[0], s->high[1], s->high[2]);
    }
    json_end(&json);

    json_count(&json, "obstacles", vn_world_count(in->world));
    json_count(&json, "meshes", r->meshes);
    json_count(&json, "triangles", r->triangles);
    json_count(&json, "brushes", r->brushes);
    json_count(&json, "doors", r->doors);
    json_count(&json, "skipped_brushes", r->skipped_brushes);
    json_count(&json, "occupied_voxels", r->occupied_voxels);
    json_count(&json, "free_voxels", r->free_voxels);
    json_count(&json, "unknown_voxels", r->unknown_voxels);
    json_count(&json, "zones", in->zone_count);
    json_count(&json, "links", in->scene.connection_count);
    json_count(&json, "routes", in->scene.route_count);

    if (s->resolution > 0) {
        json_real(&json, "suggested_resolution", s->resolution);
    } else {
        json_null(&json, "suggested_resolution");
    }
    load_write_warnings(&json, in);
    json_end(&json);
}

// --------------------------------------------------------------------------------------------------- text

static void print_count(uint64_t count, const char* one, const char* many, bool* any) {
    if (count > 0) {
        printf("%s%" PRIu64 " %s", *any ? ", " : "", count, count == 1 ? one : many);
        *any = true;
    }
}

static void print_counts(const loaded* in) {
    const import_report* r = &in->report;
    bool any = false;
    printf("  holds    ");
    print_count(r->meshes, "mesh", "meshes", &any);
    print_count(r->triangles, "triangle", "triangles", &any);
    print_count(r->brushes, "brush", "brushes", &any);
    print_count(r->doors, "of them a door (--open 1 passes it)", "of them doors (--open 1 passes them)",
                &any);
    print_count(r->skipped_brushes, "brush that blocks nothing", "brushes that block nothing", &any);
    print_count(r->occupied_voxels, "voxel occupied", "voxels occupied", &any);
    print_count(r->free_voxels, "free", "free", &any);
    print_count(r->unknown_voxels, "unknown", "unknown", &any);
    if (!any || in->scene.has_bounds) {
        print_count(vn_world_count(in->world), "obstacle", "obstacles", &any);
    }
    print_count(in->zone_count, "zone", "zones", &any);
    print_count(in->scene.connection_count, "link", "links", &any);
    print_count(in->scene.route_count, "route", "routes", &any);
    printf("%s\n", any ? "" : "nothing");
}

/// Voxels along an axis, for people.
static double voxels(const summary* s, int axis) {
    return fmax(1, ceil((s->high[axis] - s->low[axis]) / s->resolution - 1e-3));
}

static void print_advice(const char* path, const load_options* options, const summary* s) {
    printf("  try      --resolution %.6g%s: %.0f x %.0f x %.0f voxels\n", s->resolution,
           s->is_own ? " (its own)" : "", voxels(s, 0), voxels(s, 1), voxels(s, 2));
    if (import_is_brush_map(path) && !options->has_scale) {
        printf("           with --scale 0.03125 32 units become a metre, as in Quake\n");
    } else if (import_is_octomap(path) && !options->has_up) {
        printf("           with --up z, if z points up in it as in most such maps\n");
    } else if (s->longest > 2000 && !options->has_scale && strcmp(s->kind, "mesh") == 0) {
        printf("           with --scale 0.01, if its units are centimetres (0.001: millimetres)\n");
    }
}

static void print_text(const char* path, const load_options* options, const loaded* in, const summary* s) {
    printf("%s: %s\n", path, s->words);
    if (s->has_box) {
        printf("  bounds   %.7g,%.7g,%.7g to %.7g,%.7g,%.7g\n", s->low[0], s->low[1], s->low[2], s->high[0],
               s->high[1], s->high[2]);
        printf("  size     %.6g x %.6g x %.6g m\n", s->high[0] - s->low[0], s->high[1] - s->low[1],
               s->high[2] - s->low[2]);
    }

    print_counts(in);
    if (s->has_box && s->resolution > 0) {
        print_advice(path, options, s);
    }
}

int info_world(const char* path, const load_options* options) {
    loaded in;
    const int code = load_world(path, options, &in);
    if (code == EXIT_DONE) {
        const summary s = summarise(path, &in);
        if (options->json) {
            write_json(path, &in, &s);
        } else {
            print_text(path, options, &in, &s);
        }
    }

    load_free(&in);
    return code;
}
