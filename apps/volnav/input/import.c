/// volnav/input/import.c: meshes; maps are in maps.c.
#include "input/import.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/apart.h"
#include "input/gltf.h"
#include "input/maps.h"
#include "input/mesh_file.h"
#include "input/precheck.h"
#include "input/triangles.h"
#include "shell/kinds.h"
#include "shell/system.h"
#include "volnav/io.h"

/// Everything that one file needs.
typedef struct importer {
    vn_world* world;
    const char* path;
    const import_options* options;
    say_warnings* warnings;
    import_report* report;
    apart_task* task; ///< of a mesh
    int code;         ///< of a mesh: what came of the objects so far
    bool ended;       ///< of a mesh: the child said all that it had to say
} importer;

// --------------------------------------------------------------------------------------------- obstacles

static void remark(importer* in, const char* name, const vn_obstacle_info* info) {
    if (in->options->solid && !in->options->hull && !info->fillable) {
        say_warning(in->warnings,
                    "%s: mesh '%s' cannot be filled: it has %u open edges; only its surface blocks", in->path,
                    name, (unsigned)info->open_edges);
    }

    if (info->degenerate > 0) {
        say_warning(in->warnings,
                    "%s: mesh '%s' has %u triangles without area; they block as lines or points", in->path,
                    name, (unsigned)info->degenerate);
    }

    if (info->open_edges == 0 && info->volume < 0) {
        say_warning(in->warnings,
                    "%s: mesh '%s' is inside out (signed volume %g): its triangles face inwards", in->path,
                    name, info->volume);
    }
}

static vn_status add_shape(importer* in, const char* name, const triangles* t, vn_detail* detail) {
    vn_shape shape = {0};
    vn_hull hull = {0};
    if (in->options->hull) {
        const vn_status status =
            vn_hull_from_points(NULL, t->vertices, (uint32_t)t->vertex_count, &hull, detail);
        if (status != VN_OK) {
            return status;
        }

        shape = vn_hull_shape(&hull);
    } else {
        shape.kind = VN_SHAPE_MESH;
        shape.as.mesh.vertices = t->vertices;
        shape.as.mesh.vertex_count = (uint32_t)t->vertex_count;
        shape.as.mesh.indices = t->indices;
        shape.as.mesh.triangle_count = (uint32_t)(t->index_count / 3);
        shape.as.mesh.solid = in->options->solid;
    }

    vn_obstacle_id id;
    vn_obstacle_info info;
    vn_status status = vn_world_add(in->world, &shape, &id, detail);
    vn_hull_free(&hull);

    if (status == VN_OK) {
        vn_world_set_flags(in->world, id, in->options->flags);
        status = vn_world_get_info(in->world, id, &info);
    }

    if (status == VN_OK) {
        ++in->report->meshes;
        in->report->mesh_volume += info.volume;
        in->report->triangles += info.triangles;
        remark(in, name, &info);
    }

    return status;
}

static int add_object(importer* in, const char* name, const triangles* t) {
    vn_detail detail = {0};
    const vn_status status = add_shape(in, name, t, &detail);
    return status == VN_OK ? EXIT_DONE
                           : say_bad("%s: mesh '%s': %s", in->path, name,
                                     detail.text[0] != '\0' ? detail.text : vn_status_text(status));
}

// ------------------------------------------------------------------------------------------------ meshes

/// A pipe is left alone: looking into it would take away what is seen. A map is read once, from front to
/// back, so it may come through a pipe.
static int readable(const char* path) {
    if (system_is_special(path) && import_is_map(path)) {
        return EXIT_DONE;
    }

    if (system_is_special(path)) {
        return say_bad("%s: a mesh cannot be read from a pipe or device; save it as a file first", path);
    }

    FILE* file = fopen(path, "rb");
    if (file == NULL) {
        return say_bad("%s: %s", path, strerror(errno));
    }

    const int first = fgetc(file);
    const bool failed = ferror(file) != 0;
    fclose(file);
    if (failed) {
        return say_bad("%s: cannot be read; is it a file?", path);
    }

    return first == EOF ? say_bad("%s: the file is empty", path) : EXIT_DONE;
}

/// In the child: every importer sends objects of triangles.
static int read_apart(void* context, FILE* out) {
    const importer* in = context;
    triangles_sink sink = {.out = out, .path = in->path, .bytes = in->task->bytes};
    bool other = true;
    int code = EXIT_DONE;
    if (system_ends_with(in->path, ".gltf") || system_ends_with(in->path, ".glb")) {
        code = gltf_read(&sink, in->options, &other);
    }

    if (code == EXIT_DONE && other) {
        code = mesh_file_read(&sink, in->options);
    }

    if (code == EXIT_DONE) {
        triangles_end(&sink);
    }

    return code;
}

/// In the parent: takes the objects into the world as they come. False: no more are wanted.
static bool take_objects(void* context, FILE* stream) {
    importer* in = context;
    triangles_taken taken = {0};
    triangles_record record = TRIANGLES_OBJECT;
    while (in->code == EXIT_DONE && (record == TRIANGLES_OBJECT || record == TRIANGLES_GREW)) {
        record = triangles_take(stream, &taken);
        if (record == TRIANGLES_OBJECT) {
            in->code = add_object(in, taken.name, &taken.object);
        } else if (record == TRIANGLES_GREW) {
            in->task->bytes += taken.bytes;
        } else if (record == TRIANGLES_REFUSED) {
            in->code = say_bad("%s", taken.text);
        }
    }

    in->ended = record == TRIANGLES_END;
    triangles_free_taken(&taken);
    return in->code == EXIT_DONE || record == TRIANGLES_REFUSED;
}

static int import_mesh(importer* in) {
    if (!mesh_file_is_known(in->path)) {
        return kinds_refuse(in->path);
    }

    const int code = precheck_mesh(in->path, in->warnings);
    if (code != EXIT_DONE) {
        return code;
    }

    const uint64_t before = in->report->meshes;
    apart_task task = {read_apart, take_objects, in, system_file_size(in->path)};
    char reason[160];
    in->task = &task;

    apart_run(&task, reason, sizeof reason);
    if (in->code != EXIT_DONE) {
        return in->code; // that has been said
    }

    if (!in->ended) {
        return say_bad("%s: cannot be read as a mesh: %s", in->path,
                       reason[0] != '\0' ? reason : "the importer gave up on it");
    }

    return in->report->meshes > before ? EXIT_DONE : say_bad("%s: there are no triangles in it", in->path);
}

int import_file(vn_world* world, const char* path, const import_options* options, say_warnings* warnings,
                import_report* report) {
    assert(options->scale > 0 && strchr("xyz", options->up) != NULL);
    importer in = {.world = world, .path = path, .options = options, .warnings = warnings, .report = report};
    const int code = readable(path);
    if (code != EXIT_DONE) {
        return code;
    }

    return import_is_map(path) ? maps_import(world, path, options, warnings, report) : import_mesh(&in);
}
