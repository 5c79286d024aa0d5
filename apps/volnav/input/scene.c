/// volnav/input/scene.c: the meshes of a scene by the tool's importers.
#include "input/scene.h"

#include <stdlib.h>
#include <string.h>

typedef struct importers {
    const char* path; ///< of the scene
    const import_options* options;
    say_warnings* warnings;
    import_report* report;
} importers;

/// A mesh is named relative to the folder of its scene. To be freed.
static char* beside_scene(const char* path, const char* name) {
    const char* slash = strrchr(path, '/');
    const size_t folder = slash == NULL || name[0] == '/' ? 0 : (size_t)(slash - path) + 1;
    char* file = say_alloc(folder + strlen(name) + 1, 1);
    memcpy(file, path, folder);
    memcpy(file + folder, name, strlen(name));
    return file;
}

/// What is wrong with the mesh has been said; the scene's own message adds the line.
static vn_status add_mesh(void* user, vn_world* world, const vn_scene_mesh* mesh, vn_detail* detail) {
    const importers* in = user;
    (void)detail;
    import_options options = *in->options;
    options.solid = options.solid || mesh->solid;
    options.shift = mesh->shift;
    options.flags = mesh->flags;

    char* file = beside_scene(in->path, mesh->file);
    const int code = import_file(world, file, &options, in->warnings, in->report);
    free(file);
    return code == EXIT_DONE ? VN_OK : VN_BAD_DATA;
}

int scene_read(const char* path, const import_options* meshes, say_warnings* warnings, import_report* report,
               vn_scene_text* out) {
    vn_detail detail = {0};
    vn_scene_text_def def = vn_default_scene_text_def();
    importers in = {path, meshes, warnings, report};
    def.add_mesh = add_mesh;
    def.mesh_user = &in;

    const vn_status status = vn_scene_text_read_file(path, &def, out, &detail);
    return status == VN_OK ? EXIT_DONE : say_status(path, status, &detail);
}
