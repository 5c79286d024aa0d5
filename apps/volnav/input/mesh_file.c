/// volnav/input/mesh_file.c: assimp's scenes as objects of triangles, and files for assimp.
#include "input/mesh_file.h"

#include <stdlib.h>
#include <string.h>

#ifndef VOLNAV_MESHES
#define VOLNAV_MESHES 1
#endif

#if VOLNAV_MESHES

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#define MAX_NESTING 512

typedef struct reader {
    triangles_sink* sink;
    const import_options* options;
    const struct aiScene* scene;
} reader;

// ------------------------------------------------------------------------------------------------- files

/// A file that assimp has open.
typedef struct opened_file {
    FILE* file;
    uint64_t size;
} opened_file;

static opened_file* opened_of(struct aiFile* file) {
    return (opened_file*)(void*)file->UserData;
}

static size_t file_read(struct aiFile* file, char* buffer, size_t size, size_t count) {
    return fread(buffer, size, count, opened_of(file)->file);
}

static size_t file_write(struct aiFile* file, const char* buffer, size_t size, size_t count) {
    (void)file;
    (void)buffer;
    (void)size;
    (void)count;
    return 0;
}

static size_t file_tell(struct aiFile* file) {
    const long at = ftell(opened_of(file)->file);
    return at < 0 ? 0 : (size_t)at;
}

static size_t file_size(struct aiFile* file) {
    return (size_t)opened_of(file)->size;
}

static void file_flush(struct aiFile* file) {
    (void)file;
}

static enum aiReturn file_seek(struct aiFile* file, size_t offset, enum aiOrigin origin) {
    const int whence = origin == aiOrigin_SET ? SEEK_SET : origin == aiOrigin_CUR ? SEEK_CUR : SEEK_END;
    return fseek(opened_of(file)->file, (long)offset, whence) == 0 ? aiReturn_SUCCESS : aiReturn_FAILURE;
}

static struct aiFile* file_open(struct aiFileIO* io, const char* path, const char* mode) {
    uint64_t size = 0;
    triangles_sink* sink = (triangles_sink*)(void*)io->UserData;
    FILE* stream = mode[0] == 'r' ? triangles_open(sink, path, &size) : NULL;
    if (stream == NULL) {
        return NULL;
    }

    opened_file* opened = say_alloc(1, sizeof *opened);
    *opened = (opened_file){stream, size};
    struct aiFile* file = say_alloc(1, sizeof *file);
    *file = (struct aiFile){.ReadProc = file_read,
                            .WriteProc = file_write,
                            .TellProc = file_tell,
                            .FileSizeProc = file_size,
                            .SeekProc = file_seek,
                            .FlushProc = file_flush,
                            .UserData = (aiUserData)(void*)opened};

    return file;
}

static void file_close(struct aiFileIO* io, struct aiFile* file) {
    (void)io;
    fclose(opened_of(file)->file);
    free(opened_of(file));
    free(file);
}

// ------------------------------------------------------------------------------------------------- nodes

/// Adds one mesh to the object of its node. Points and lines are left out. False if an index is out of range.
static bool append(const reader* in, const struct aiMesh* mesh, const struct aiMatrix4x4* placed,
                   triangles* out) {
    const size_t base = out->vertex_count;
    float m[16];
    memcpy(m, placed, sizeof m);
    const bool mirrored = triangles_is_mirrored(m);

    out->vertices = say_resize(out->vertices, base + mesh->mNumVertices, sizeof *out->vertices);
    for (unsigned i = 0; i < mesh->mNumVertices; ++i) {
        const float v[3] = {mesh->mVertices[i].x, mesh->mVertices[i].y, mesh->mVertices[i].z};
        out->vertices[base + i] = triangles_place(in->options, m, v);
    }

    out->vertex_count += mesh->mNumVertices;

    out->indices =
        say_resize(out->indices, out->index_count + (size_t)mesh->mNumFaces * 3, sizeof *out->indices);
    for (unsigned f = 0; f < mesh->mNumFaces; ++f) {
        const struct aiFace* face = &mesh->mFaces[f];
        for (unsigned k = 0; k < 3 && face->mNumIndices == 3; ++k) {
            const unsigned index = face->mIndices[mirrored ? 2 - k : k];
            if (index >= mesh->mNumVertices) {
                return false;
            }
            out->indices[out->index_count++] = (uint32_t)(base + index);
        }
    }

    return true;
}

static int send_node(reader* in, const struct aiNode* node, const struct aiMatrix4x4* placed) {
    const char* name = node->mName.length > 0 ? node->mName.data : "unnamed";
    triangles object = {0};
    bool in_range = true;
    for (unsigned i = 0; i < node->mNumMeshes && in_range; ++i) {
        in_range = append(in, in->scene->mMeshes[node->mMeshes[i]], placed, &object);
    }

    const int code =
        in_range
            ? triangles_send(in->sink, name, &object)
            : triangles_refuse(in->sink, "mesh '%.200s': a face names a vertex that does not exist", name);
    triangles_free(&object);

    return code;
}

static int walk(reader* in, const struct aiNode* node, const struct aiMatrix4x4* parent, int depth) {
    if (depth > MAX_NESTING) {
        return triangles_refuse(in->sink, "nodes are nested more than %d deep", MAX_NESTING);
    }

    struct aiMatrix4x4 placed = *parent;
    aiMultiplyMatrix4(&placed, &node->mTransformation);
    int code = send_node(in, node, &placed);
    for (unsigned i = 0; i < node->mNumChildren && code == EXIT_DONE; ++i) {
        code = walk(in, node->mChildren[i], &placed, depth + 1);
    }

    return code;
}

// -------------------------------------------------------------------------------------------------- file

static const struct aiScene* read_scene(triangles_sink* sink) {
    struct aiFileIO files = {
        .OpenProc = file_open, .CloseProc = file_close, .UserData = (aiUserData)(void*)sink};
    struct aiPropertyStore* properties = aiCreatePropertyStore();
    const int dropped =
        (int)(aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS | aiComponent_COLORS |
              aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
              aiComponent_TEXTURES | aiComponent_LIGHTS | aiComponent_CAMERAS | aiComponent_MATERIALS);
    aiSetImportPropertyInteger(properties, AI_CONFIG_PP_RVC_FLAGS, dropped);
    const unsigned steps =
        aiProcess_RemoveComponent | aiProcess_Triangulate | aiProcess_JoinIdenticalVertices;
    const struct aiScene* scene = aiImportFileExWithProperties(sink->path, steps, &files, properties);
    aiReleasePropertyStore(properties);

    return scene;
}

bool mesh_file_is_known(const char* path) {
    const char* dot = strrchr(path, '.');
    return dot != NULL && aiIsExtensionSupported(dot) == AI_TRUE;
}

int mesh_file_read(triangles_sink* sink, const import_options* options) {
    reader in = {sink, options, read_scene(sink)};
    if (in.scene == NULL) {
        const char* reason = aiGetErrorString();
        return strstr(reason, "bad_alloc") != NULL
                   ? EXIT_BAD
                   : triangles_refuse(sink, "cannot be read as a mesh: %s", reason);
    }

    struct aiMatrix4x4 identity;
    aiIdentityMatrix4(&identity);
    const int code = in.scene->mRootNode == NULL ? EXIT_DONE : walk(&in, in.scene->mRootNode, &identity, 0);
    aiReleaseImport(in.scene);
    return code;
}

#else

#include "shell/system.h"

/// Known, so that the reason is that this build has no importer.
bool mesh_file_is_known(const char* path) {
    static const char* const endings[] = {".gltf", ".glb", ".obj", ".stl", ".ply", ".fbx", ".dae"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
        if (system_ends_with(path, endings[i])) {
            return true;
        }
    }
    return false;
}

int mesh_file_read(triangles_sink* sink, const import_options* options) {
    (void)options;
    return triangles_refuse(sink, "this build of the tool reads no meshes (VOLNAV_MESHES=OFF)");
}

#endif
