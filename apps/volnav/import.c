/// volnav/import.c: maps and meshes.
#include "import.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include "hull.h"
#include "precheck.h"
#include "system.h"
#include "volnav/io.h"

/// Everything that one walk through a file needs.
typedef struct importer {
    vn_world* world;
    const char* path;
    const import_options* options;
    say_warnings* warnings;
    import_report* report;
    const struct aiScene* scene;
} importer;

/// The triangles of one node, in world coordinates.
typedef struct soup {
    vn_vec3* vertices;
    uint32_t* indices;
    size_t vertex_count, index_count;
} soup;

// ------------------------------------------------------------------------------------------------- maps

bool import_is_octomap(const char* path) {
    return system_ends_with(path, ".bt");
}

bool import_is_map(const char* path) {
    return system_ends_with(path, ".3dmap") || import_is_octomap(path);
}

/// Adds a voxel set, shifted as the options say.
static vn_status add_voxels(importer* in, vn_shape* shape, uint32_t flags, vn_obstacle_id* id,
                            vn_detail* detail) {
    shape->as.voxels.low.x += (float)in->options->shift.x;
    shape->as.voxels.low.y += (float)in->options->shift.y;
    shape->as.voxels.low.z += (float)in->options->shift.z;
    const vn_status status = vn_world_add(in->world, shape, id, detail);
    return status == VN_OK ? vn_world_set_flags(in->world, *id, flags) : status;
}

/// What is occupied becomes one obstacle, what nobody has seen another.
static int import_octomap(importer* in) {
    const vn_allocator allocator = vn_default_allocator();
    vn_detail detail = {0};
    vn_octomap map;
    vn_status status = vn_octomap_read_file(in->path, &allocator, &map, &detail);
    if (status != VN_OK) {
        return say_status(in->path, status, &detail);
    }
    vn_shape shapes[2] = {vn_octomap_occupied_shape(&map), vn_octomap_unknown_shape(&map)};
    const uint32_t flags[2] = {in->options->flags, in->options->flags | VN_FLAG_UNKNOWN};
    for (int i = 0; i < 2 && status == VN_OK; i++) {
        vn_obstacle_id id;
        shapes[i].as.voxels.low = (vn_vec3){(float)map.low.x, (float)map.low.y, (float)map.low.z};
        status = add_voxels(in, &shapes[i], flags[i], &id, &detail);
    }
    in->report->has_map = true;
    in->report->resolution = map.resolution;
    vn_octomap_free(&map);
    return status == VN_OK ? EXIT_DONE : say_status(in->path, status, &detail);
}

static int import_map(importer* in) {
    const vn_allocator allocator = vn_default_allocator();
    vn_detail detail = {0};
    vn_3dmap map;
    vn_status status = vn_3dmap_read_file(in->path, &allocator, &map, &detail);
    if (status != VN_OK) {
        return say_status(in->path, status, &detail);
    }
    vn_shape shape = vn_3dmap_shape(&map);
    vn_obstacle_id id;
    status = add_voxels(in, &shape, in->options->flags, &id, &detail);
    vn_3dmap_free(&map);
    if (status != VN_OK) {
        return say_status(in->path, status, &detail);
    }
    vn_obstacle_info info;
    vn_world_info(in->world, id, &info);
    in->report->has_map = true;
    in->report->duplicates += info.duplicates;
    if (info.duplicates > 0) {
        say_warning(in->warnings, "%s: %llu voxels are given more than once; the repetitions are ignored",
                    in->path, (unsigned long long)info.duplicates);
    }
    return EXIT_DONE;
}

// ------------------------------------------------------------------------------------------- transforms

static struct aiMatrix4x4 multiply(const struct aiMatrix4x4* a, const struct aiMatrix4x4* b) {
    struct aiMatrix4x4 out = *a;
    aiMultiplyMatrix4(&out, b);
    return out;
}

static double determinant(const struct aiMatrix4x4* m) {
    const double a1 = (double)m->a1, a2 = (double)m->a2, a3 = (double)m->a3;
    return a1 * ((double)m->b2 * (double)m->c3 - (double)m->b3 * (double)m->c2) -
           a2 * ((double)m->b1 * (double)m->c3 - (double)m->b3 * (double)m->c1) +
           a3 * ((double)m->b1 * (double)m->c2 - (double)m->b2 * (double)m->c1);
}

/// Node transform, then scale, up axis and shift.
static vn_vec3 place(const importer* in, const struct aiMatrix4x4* m, struct aiVector3D v) {
    const double x = (double)v.x, y = (double)v.y, z = (double)v.z, s = in->options->scale;
    const double px = s * ((double)m->a1 * x + (double)m->a2 * y + (double)m->a3 * z + (double)m->a4);
    const double py = s * ((double)m->b1 * x + (double)m->b2 * y + (double)m->b3 * z + (double)m->b4);
    const double pz = s * ((double)m->c1 * x + (double)m->c2 * y + (double)m->c3 * z + (double)m->c4);
    vn_dvec3 out = {px, py, pz};
    if (in->options->up == 'z') {
        out = (vn_dvec3){px, pz, -py};
    } else if (in->options->up == 'x') {
        out = (vn_dvec3){-py, px, pz};
    }
    const vn_dvec3 shift = in->options->shift;
    return (vn_vec3){(float)(out.x + shift.x), (float)(out.y + shift.y), (float)(out.z + shift.z)};
}

/// Appends one mesh to the soup. Points and lines are left out. False if an index is out of range.
static bool append(const importer* in, const struct aiMesh* mesh, const struct aiMatrix4x4* m, soup* out) {
    const size_t base = out->vertex_count;
    const bool mirrored = determinant(m) < 0;
    out->vertices = say_resize(out->vertices, base + mesh->mNumVertices, sizeof *out->vertices);
    for (unsigned i = 0; i < mesh->mNumVertices; i++) {
        out->vertices[base + i] = place(in, m, mesh->mVertices[i]);
    }
    out->vertex_count += mesh->mNumVertices;
    out->indices =
        say_resize(out->indices, out->index_count + (size_t)mesh->mNumFaces * 3, sizeof *out->indices);
    for (unsigned f = 0; f < mesh->mNumFaces; f++) {
        const struct aiFace* face = &mesh->mFaces[f];
        if (face->mNumIndices != 3) {
            continue;
        }
        for (unsigned k = 0; k < 3; k++) {
            const unsigned index = face->mIndices[mirrored ? 2 - k : k];
            if (index >= mesh->mNumVertices) {
                return false;
            }
            out->indices[out->index_count++] = (uint32_t)(base + index);
        }
    }
    return true;
}

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

static vn_status add_shape(importer* in, const char* name, const soup* triangles, vn_detail* detail) {
    vn_shape shape = {0};
    hull_mesh hull = {0};
    if (in->options->hull) {
        const char* why = hull_of_points(triangles->vertices, (uint32_t)triangles->vertex_count, &hull);
        if (why != NULL) {
            snprintf(detail->text, sizeof detail->text, "no convex hull: %s", why);
            return VN_BAD_DATA;
        }
        shape.kind = VN_SHAPE_HULL;
        shape.as.hull.vertices = hull.vertices;
        shape.as.hull.vertex_count = hull.vertex_count;
        shape.as.hull.indices = hull.indices;
        shape.as.hull.triangle_count = hull.triangle_count;
    } else {
        shape.kind = VN_SHAPE_MESH;
        shape.as.mesh.vertices = triangles->vertices;
        shape.as.mesh.vertex_count = (uint32_t)triangles->vertex_count;
        shape.as.mesh.indices = triangles->indices;
        shape.as.mesh.triangle_count = (uint32_t)(triangles->index_count / 3);
        shape.as.mesh.solid = in->options->solid;
    }
    vn_obstacle_id id;
    const vn_status status = vn_world_add(in->world, &shape, &id, detail);
    hull_free(&hull);
    if (status == VN_OK) {
        vn_world_set_flags(in->world, id, in->options->flags);
        vn_obstacle_info info;
        vn_world_info(in->world, id, &info);
        in->report->meshes++;
        in->report->mesh_volume += info.volume;
        in->report->triangles += info.triangles;
        remark(in, name, &info);
    }
    return status;
}

static int add_node(importer* in, const struct aiNode* node, const struct aiMatrix4x4* placed) {
    soup triangles = {0};
    bool in_range = true;
    for (unsigned i = 0; i < node->mNumMeshes && in_range; i++) {
        in_range = append(in, in->scene->mMeshes[node->mMeshes[i]], placed, &triangles);
    }
    const char* name = node->mName.length > 0 ? node->mName.data : "unnamed";
    int code = EXIT_DONE;
    if (!in_range) {
        code = say_bad("%s: mesh '%s': a face names a vertex that does not exist", in->path, name);
    } else if (triangles.vertex_count > UINT32_MAX || triangles.index_count / 3 > UINT32_MAX) {
        code = say_bad("%s: mesh '%s' has more than 2^32 vertices or triangles", in->path, name);
    } else if (triangles.index_count > 0) {
        vn_detail detail = {0};
        const vn_status status = add_shape(in, name, &triangles, &detail);
        if (status != VN_OK) {
            code = say_bad("%s: mesh '%s': %s", in->path, name,
                           detail.text[0] != '\0' ? detail.text : vn_status_text(status));
        }
    }
    free(triangles.vertices);
    free(triangles.indices);
    return code;
}

/// Node trees of real files are shallow; a limit keeps a hostile one from ending the stack.
static int walk(importer* in, const struct aiNode* node, const struct aiMatrix4x4* parent, int depth) {
    if (depth > 512) {
        return say_bad("%s: nodes are nested more than 512 deep", in->path);
    }
    const struct aiMatrix4x4 placed = multiply(parent, &node->mTransformation);
    int code = add_node(in, node, &placed);
    for (unsigned i = 0; i < node->mNumChildren && code == EXIT_DONE; i++) {
        code = walk(in, node->mChildren[i], &placed, depth + 1);
    }
    return code;
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

/// Debian's assimp is built with asserts, which end the process on some broken files. Then at least say
/// which.
static const char* imported_path;

static void importer_gave_up(int number) {
    (void)number;
    say_bad("%s: cannot be read as a mesh: the importer gave up on it", imported_path);
    _Exit(EXIT_BAD);
}

static const struct aiScene* read_scene(const char* path) {
    struct aiPropertyStore* properties = aiCreatePropertyStore();
    const int dropped =
        (int)(aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS | aiComponent_COLORS |
              aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
              aiComponent_TEXTURES | aiComponent_LIGHTS | aiComponent_CAMERAS | aiComponent_MATERIALS);
    aiSetImportPropertyInteger(properties, AI_CONFIG_PP_RVC_FLAGS, dropped);
    const unsigned steps =
        aiProcess_RemoveComponent | aiProcess_Triangulate | aiProcess_JoinIdenticalVertices;
    imported_path = path;
    void (*before)(int) = signal(SIGABRT, importer_gave_up);
    const struct aiScene* scene = aiImportFileExWithProperties(path, steps, NULL, properties);
    signal(SIGABRT, before == SIG_ERR ? SIG_DFL : before);
    aiReleasePropertyStore(properties);
    return scene;
}

static bool known_ending(const char* path) {
    const char* dot = strrchr(path, '.');
    return dot != NULL && aiIsExtensionSupported(dot) == AI_TRUE;
}

static int import_mesh(importer* in) {
    if (!known_ending(in->path)) {
        return say_bad("%s: unknown kind of file; known are .3dmap, .scene and meshes such as .gltf .glb "
                       ".obj .stl .ply .fbx",
                       in->path);
    }
    int code = precheck_mesh(in->path, in->warnings);
    if (code != EXIT_DONE) {
        return code;
    }
    in->scene = read_scene(in->path);
    if (in->scene == NULL) {
        return say_bad("%s: cannot be read as a mesh: %s", in->path, aiGetErrorString());
    }
    const uint64_t before = in->report->meshes;
    struct aiMatrix4x4 identity;
    aiIdentityMatrix4(&identity);
    code = in->scene->mRootNode == NULL ? EXIT_DONE : walk(in, in->scene->mRootNode, &identity, 0);
    aiReleaseImport(in->scene);
    if (code == EXIT_DONE && in->report->meshes == before) {
        code = say_bad("%s: there are no triangles in it", in->path);
    }
    return code;
}

int import_file(vn_world* world, const char* path, const import_options* options, say_warnings* warnings,
                import_report* report) {
    assert(options->scale > 0 && strchr("xyz", options->up) != NULL);
    importer in = {world, path, options, warnings, report, NULL};
    const int code = readable(path);
    if (code != EXIT_DONE) {
        return code;
    }
    if (import_is_octomap(path)) {
        return import_octomap(&in);
    }
    return import_is_map(path) ? import_map(&in) : import_mesh(&in);
}
