/// volnav/input/scene.h: scenes (volnav/io.h) whose meshes the tool imports.
#ifndef SCENE_H
#define SCENE_H

#include "input/import.h"
#include "volnav/io.h"

/// Reads the scene with its world. `meshes` says how to import the meshes that it names, which lie beside it.
/// Returns EXIT_DONE, or EXIT_BAD after a message with file, line and reason. Free `out` with
/// vn_scene_text_free either way.
int scene_read(const char* path, const import_options* meshes, say_warnings* warnings, import_report* report,
               vn_scene_text* out);

#endif
