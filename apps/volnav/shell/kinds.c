/// volnav/shell/kinds.c: the next step for kinds of files that are not read.
#include "shell/kinds.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "shell/say.h"
#include "shell/system.h"

/// What a group of files is, and the next step.
typedef struct kind {
    const char* endings[10];
    const char* advice;
} kind;

static const kind kinds[] = {
    {{".3dscen"}, "this is a scenario, not a map: volnav bench MAP.3dmap --scen takes it"},
    {{".blend", ".max", ".ma", ".mb", ".c4d", ".skp", ".usd", ".usdc", ".usdz"},
     "this is the project file of a modelling program: export it from there as .glb or .obj"},
    {{".step", ".stp", ".iges", ".igs", ".dwg", ".sldprt", ".brep"},
     "this is a CAD file: export it as .stl or .obj, with metres as unit or with --scale"},
    {{".pcd", ".las", ".laz", ".e57", ".pts", ".bag", ".db3"},
     "this is a point cloud: turn it into an OctoMap (.bt), or into a mesh"},
    {{".png", ".jpg", ".jpeg", ".tif", ".tiff", ".svg"},
     "this is a picture; volnav writes them with --picture"},
    {{".gz", ".zip", ".zst", ".xz", ".7z", ".tar", ".tgz"}, "this is packed: unpack it first"},
};

static const char* advice_for(const char* path) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        for (size_t k = 0; k < sizeof kinds[i].endings / sizeof *kinds[i].endings; ++k) {
            const char* ending = kinds[i].endings[k];
            if (ending != NULL && system_ends_with(path, ending)) {
                return kinds[i].advice;
            }
        }
    }

    return NULL;
}

int kinds_refuse(const char* path) {
    const char* advice = advice_for(path);
    if (system_ends_with(path, ".vnrec")) {
        return say_bad("%s: this is a recorded query: volnav replay %s runs it again", path, path);
    }

    if (advice != NULL) {
        return say_bad("%s: %s", path, advice);
    }

    return say_bad("%s: unknown kind of file; volnav reads .vnav, .scene, the maps .3dmap .bt .ot .map, and "
                   "meshes such as "
                   ".gltf .glb .obj .stl .ply .fbx. Export it as one of these, a mesh as .glb or .obj.",
                   path);
}
