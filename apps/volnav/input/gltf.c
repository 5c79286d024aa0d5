/// volnav/input/gltf.c: nodes and meshes of glTF.
#include "input/gltf.h"

#ifndef VOLNAV_MESHES
#define VOLNAV_MESHES 1
#endif

#if VOLNAV_MESHES

#include <stdlib.h>
#include <string.h>

#include <assimp/cimport.h>
#include <assimp/matrix3x3.h>
#include <assimp/matrix4x4.h>
#include <assimp/quaternion.h>

#include "input/gltf_data.h"
#include "input/gltf_file.h"

#define MAX_NESTING 512

typedef struct reader {
    gltf_data data;
    triangles_sink* sink;
    const import_options* options;
    const json_document* document;
    gltf_list nodes, meshes;
    bool* seen;        ///< one for each node
    bool is_measuring; ///< the first walk only adds up what the second will send
    uint64_t bytes;    ///< of triangles, so far
} reader;

typedef struct aiMatrix4x4 matrix;

// --------------------------------------------------------------------------------------------- extensions

/// What a file may require and we can leave out: looks, light, sound and names.
static bool is_harmless(const char* name) {
    static const char* const beginnings[] = {"KHR_materials_", "KHR_texture_", "EXT_texture_",
                                             "MSFT_texture_",  "KHR_lights_",  "EXT_lights_",
                                             "KHR_xmp",        "KHR_audio"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; ++i) {
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0) {
            return true;
        }
    }

    return strcmp(name, "KHR_mesh_quantization") == 0;
}

static int refuse_extension(reader* in, const char* name) {
    static const struct {
        const char *name, *way_out;
    } known[] = {
        {"KHR_draco_mesh_compression", "export it without Draco compression"},
        {"EXT_meshopt_compression", "export it without meshopt compression (gltfpack without -c and -cc)"},
        {"KHR_meshopt_compression", "export it without meshopt compression (gltfpack without -c and -cc)"},
        {"EXT_mesh_gpu_instancing", "export it without instancing (gltfpack without -mi)"}};

    const char* way_out = "export it without this extension";
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        way_out = strcmp(name, known[i].name) == 0 ? known[i].way_out : way_out;
    }

    return triangles_refuse(in->sink, "it requires the glTF extension %.100s, which is not supported: %s",
                            name, way_out);
}

static int check_extensions(reader* in) {
    const json_document* d = in->document;
    const uint32_t list = json_member(d, 0, "extensionsRequired");
    int code = EXIT_DONE;
    for (uint32_t v = json_first(d, list); v != JSON_NONE && code == EXIT_DONE; v = json_next(d, list, v)) {
        char* name = json_string(d, v);
        if (name == NULL || !is_harmless(name)) {
            code = refuse_extension(in, name == NULL ? "?" : name);
        }
        free(name);
    }

    return code;
}

// ----------------------------------------------------------------------------------------------- meshes

/// One primitive: positions and corners of triangles, three for each.
typedef struct primitive {
    float* positions;
    uint32_t* corners;
    uint64_t position_count, corner_count;
} primitive;

static void free_primitive(primitive* p) {
    free(p->positions);
    free(p->corners);
    memset(p, 0, sizeof *p);
}

enum { MODE_TRIANGLES = 4, MODE_STRIP = 5, MODE_FAN = 6 };

/// A strip or fan becomes single triangles that turn the same way.
static void unroll(uint64_t mode, uint32_t** corners, uint64_t* count) {
    const uint64_t faces = *count < 3 ? 0 : mode == MODE_TRIANGLES ? *count / 3 : *count - 2;
    if (mode != MODE_TRIANGLES) {
        const uint32_t* from = *corners;
        uint32_t* out = say_alloc((size_t)faces * 3, sizeof *out);
        for (uint64_t i = 0; i < faces; ++i) {
            const bool odd = mode == MODE_STRIP && i % 2 == 1;
            out[3 * i] = from[mode == MODE_FAN ? 0 : odd ? i + 1 : i];
            out[3 * i + 1] = from[odd ? i : i + 1];
            out[3 * i + 2] = from[i + 2];
        }

        free(*corners);
        *corners = out;
    }

    *count = faces * 3;
}

static int read_corners(reader* in, uint32_t value, uint64_t indices, primitive* out) {
    uint64_t mode;
    int code = EXIT_DONE;
    if (indices != UINT64_MAX) {
        code = gltf_indices(&in->data, indices, &out->corners, &out->corner_count);
    } else {
        out->corner_count = out->position_count;
        out->corners = say_alloc((size_t)out->corner_count, sizeof *out->corners);
        for (uint64_t i = 0; i < out->corner_count; ++i) {
            out->corners[i] = (uint32_t)i;
        }
    }

    for (uint64_t i = 0; i < out->corner_count && code == EXIT_DONE; ++i) {
        if (out->corners[i] >= out->position_count) {
            code = triangles_refuse(in->sink, "a face names a vertex that does not exist: %lu of %llu",
                                    (unsigned long)out->corners[i], (unsigned long long)out->position_count);
        }
    }

    if (code == EXIT_DONE &&
        json_whole(in->document, json_member(in->document, value, "mode"), MODE_TRIANGLES, &mode)) {
        unroll(mode, &out->corners, &out->corner_count);
    }

    return code;
}

/// The two accessors of a primitive; UINT64_MAX: it has none. False if it holds no triangles.
static bool find_accessors(reader* in, uint32_t value, uint64_t* position, uint64_t* indices, bool* sound) {
    const json_document* d = in->document;
    const uint32_t attributes = json_member(d, value, "attributes");
    uint64_t mode;
    *sound = json_whole(d, json_member(d, value, "mode"), MODE_TRIANGLES, &mode) &&
             json_whole(d, json_member(d, attributes, "POSITION"), UINT64_MAX, position) &&
             json_whole(d, json_member(d, value, "indices"), UINT64_MAX, indices);

    return *sound && mode >= MODE_TRIANGLES && mode <= MODE_FAN && *position != UINT64_MAX;
}

static int read_primitive(reader* in, uint32_t value, primitive* out) {
    uint64_t position, indices;
    bool sound;
    memset(out, 0, sizeof *out);
    if (!find_accessors(in, value, &position, &indices, &sound)) {
        return sound ? EXIT_DONE : triangles_refuse(in->sink, "a primitive of a mesh makes no sense");
    }

    int code = gltf_positions(&in->data, position, &out->positions, &out->position_count);
    if (code == EXIT_DONE) {
        code = read_corners(in, value, indices, out);
    }

    return code;
}

static uint64_t hash_of(const float* v, uint64_t mask) {
    uint64_t hash = 0;
    for (int k = 0; k < 3; ++k) {
        const float value = v[k] + 0.0f; // both zeros are one
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }

    return hash & mask;
}

/// Which vertex of a primitive became which.
typedef struct joining {
    uint32_t* table; ///< by hash of the position: number of a kept vertex, from 1
    uint64_t mask;
    uint64_t kept; ///< vertices, at the beginning of the positions
} joining;

/// The kept vertex at the position of vertex `i`, which is kept if it is the first there.
static uint32_t keep(joining* j, float* positions, uint64_t i) {
    const float* v = positions + 3 * i;
    uint64_t slot = hash_of(v, j->mask);
    for (; j->table[slot] != 0; slot = (slot + 1) & j->mask) {
        const float* other = positions + 3 * (uint64_t)(j->table[slot] - 1);
        if (other[0] == v[0] && other[1] == v[1] && other[2] == v[2]) {
            return j->table[slot] - 1;
        }
    }

    memmove(positions + 3 * j->kept, v, 3 * sizeof *v); // never before a vertex that is still to come
    j->table[slot] = (uint32_t)++j->kept;
    return j->table[slot] - 1;
}

/// Vertices that no corner uses, and all but the first at a position, are dropped; the others keep their
/// order, and the corners are renamed. Returns how many are left.
static uint64_t join(primitive* p) {
    joining j = {.mask = 15};
    while (j.mask < 2 * p->position_count) {
        j.mask = 2 * j.mask + 1;
    }

    j.table = say_alloc((size_t)j.mask + 1, sizeof *j.table);
    uint32_t* renamed = say_alloc((size_t)p->position_count, sizeof *renamed);
    for (uint64_t i = 0; i < p->corner_count; ++i) {
        renamed[p->corners[i]] = 1; // used
    }

    for (uint64_t i = 0; i < p->position_count; ++i) {
        renamed[i] = renamed[i] != 0 ? keep(&j, p->positions, i) : 0;
    }

    for (uint64_t i = 0; i < p->corner_count; ++i) {
        p->corners[i] = renamed[p->corners[i]];
    }

    free(j.table);
    free(renamed);
    return j.kept;
}

/// Adds a primitive to the object of its node.
static void append(const reader* in, const primitive* p, uint64_t vertices, const matrix* placed,
                   triangles* out) {
    const size_t base = out->vertex_count;
    float m[16];
    memcpy(m, placed, sizeof m);
    const bool mirrored = triangles_is_mirrored(m);

    out->vertices = say_resize(out->vertices, base + (size_t)vertices, sizeof *out->vertices);
    for (uint64_t i = 0; i < vertices; ++i) {
        out->vertices[base + i] = triangles_place(in->options, m, p->positions + 3 * i);
    }

    out->vertex_count += (size_t)vertices;

    out->indices = say_resize(out->indices, out->index_count + (size_t)p->corner_count, sizeof *out->indices);
    for (uint64_t i = 0; i < p->corner_count; ++i) {
        const uint64_t from = mirrored ? i - i % 3 + (2 - i % 3) : i;
        out->indices[out->index_count++] = (uint32_t)(base + p->corners[from]);
    }
}

/// Adds the bytes that the mesh becomes at most, so that what is too much is refused before it is made.
static int measure(reader* in, uint32_t list) {
    const json_document* d = in->document;
    for (uint32_t v = json_first(d, list); v != JSON_NONE; v = json_next(d, list, v)) {
        uint64_t position, indices, vertices = 0, corners = 0;
        bool sound;
        if (!find_accessors(in, v, &position, &indices, &sound)) {
            continue;
        }

        int code = gltf_count(&in->data, position, &vertices);
        if (code == EXIT_DONE && indices != UINT64_MAX) {
            code = gltf_count(&in->data, indices, &corners);
        }

        if (code != EXIT_DONE) {
            return code;
        }

        in->bytes += 3 * sizeof(float) * vertices + sizeof(uint32_t) * corners;
        code = triangles_check_capacity(in->sink, in->bytes);
        if (code != EXIT_DONE) {
            return code;
        }
    }

    return EXIT_DONE;
}

static int send_mesh(reader* in, uint64_t index, const char* name, const matrix* placed) {
    const json_document* d = in->document;
    if (index >= in->meshes.count) {
        return triangles_refuse(in->sink, "node '%.200s' names mesh %llu, and there are %llu", name,
                                (unsigned long long)index, (unsigned long long)in->meshes.count);
    }

    const uint32_t list = json_member(d, in->meshes.items[index], "primitives");
    if (in->is_measuring) {
        return measure(in, list);
    }

    triangles object = {0};
    int code = EXIT_DONE;
    for (uint32_t v = json_first(d, list); v != JSON_NONE && code == EXIT_DONE; v = json_next(d, list, v)) {
        primitive p;
        code = read_primitive(in, v, &p);
        if (code == EXIT_DONE && p.corner_count > 0) {
            append(in, &p, join(&p), placed, &object);
        }
        free_primitive(&p);
    }

    if (code == EXIT_DONE) {
        code = triangles_send(in->sink, name, &object);
    }

    triangles_free(&object);
    return code;
}

// ------------------------------------------------------------------------------------------------- nodes

/// `count` numbers of a list. False, and `out` unchanged, if it is missing or different.
static bool numbers(const reader* in, uint32_t list, size_t count, float* out) {
    float read[16];
    size_t i = 0;
    for (uint32_t v = json_first(in->document, list); v != JSON_NONE; v = json_next(in->document, list, v)) {
        double number;
        if (i == count || !json_number(in->document, v, &number)) {
            return false;
        }
        read[i++] = (float)number;
    }

    if (i == count) {
        memcpy(out, read, count * sizeof *out);
    }

    return i == count;
}

/// Columns of the file become rows.
static matrix transposed(const float* m) {
    return (matrix){m[0], m[4], m[8],  m[12], m[1], m[5], m[9],  m[13],
                    m[2], m[6], m[10], m[14], m[3], m[7], m[11], m[15]};
}

/// Where a node stands in its parent: a matrix, or translation, rotation and scale. False: it makes no sense.
static bool local_matrix(const reader* in, uint32_t node, matrix* out) {
    const uint32_t whole = json_member(in->document, node, "matrix");
    const uint32_t moved = json_member(in->document, node, "translation");
    const uint32_t turned = json_member(in->document, node, "rotation");
    const uint32_t scaled = json_member(in->document, node, "scale");

    float m[16], t[3] = {0, 0, 0}, r[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    if (whole != JSON_NONE) {
        const bool sound = numbers(in, whole, 16, m);
        *out = sound ? transposed(m) : *out;
        return sound;
    }

    if ((moved != JSON_NONE && !numbers(in, moved, 3, t)) ||
        (turned != JSON_NONE && !numbers(in, turned, 4, r)) ||
        (scaled != JSON_NONE && !numbers(in, scaled, 3, s))) {
        return false;
    }

    const struct aiVector3D move = {t[0], t[1], t[2]}, size = {s[0], s[1], s[2]};
    const struct aiQuaternion turn = {r[3], r[0], r[1], r[2]};
    struct aiMatrix3x3 rotation;
    matrix step;
    aiMatrix4Translation(out, &move);
    aiMatrix3FromQuaternion(&rotation, &turn);
    aiMatrix4FromMatrix3(&step, &rotation);
    aiMultiplyMatrix4(out, &step);
    aiMatrix4Scaling(&step, &size);
    aiMultiplyMatrix4(out, &step);

    return true;
}

static int walk_list(reader* in, uint32_t list, const matrix* parent, int depth);

/// One node, then all below it. A node has one parent: then no file can place more nodes than it lists.
static int walk(reader* in, uint64_t index, const matrix* parent, int depth) {
    const json_document* d = in->document;
    uint64_t mesh;
    if (index >= in->nodes.count || in->seen[index]) {
        return triangles_refuse(in->sink,
                                index >= in->nodes.count
                                    ? "a scene or node names node %llu, which does not exist"
                                    : "node %llu has two parents, or is below itself: nodes must be a tree",
                                (unsigned long long)index);
    }

    if (depth > MAX_NESTING) {
        return triangles_refuse(in->sink, "nodes are nested more than %d deep", MAX_NESTING);
    }

    in->seen[index] = true;
    const uint32_t node = in->nodes.items[index];
    matrix local, placed = *parent;
    if (!local_matrix(in, node, &local) || !json_whole(d, json_member(d, node, "mesh"), UINT64_MAX, &mesh)) {
        return triangles_refuse(in->sink, "node %llu makes no sense", (unsigned long long)index);
    }

    aiMultiplyMatrix4(&placed, &local);

    int code = EXIT_DONE;
    if (mesh != UINT64_MAX) {
        char* name = json_string(d, json_member(d, node, "name"));
        code = send_mesh(in, mesh, name == NULL || name[0] == '\0' ? "unnamed" : name, &placed);
        free(name);
    }

    return code == EXIT_DONE ? walk_list(in, json_member(d, node, "children"), &placed, depth + 1) : code;
}

/// The nodes whose numbers are in a list.
static int walk_list(reader* in, uint32_t list, const matrix* parent, int depth) {
    const json_document* d = in->document;
    int code = EXIT_DONE;
    for (uint32_t v = json_first(d, list); v != JSON_NONE && code == EXIT_DONE; v = json_next(d, list, v)) {
        uint64_t index;
        code = json_whole(d, v, 0, &index)
                   ? walk(in, index, parent, depth)
                   : triangles_refuse(in->sink, "the number of a node is not possible");
    }

    return code;
}

static int walk_scene(reader* in) {
    const json_document* d = in->document;
    const gltf_list scenes = gltf_list_of(d, "scenes");
    uint64_t chosen;
    int code = json_whole(d, json_member(d, 0, "scene"), 0, &chosen) && chosen < scenes.count
                   ? EXIT_DONE
                   : triangles_refuse(in->sink, "it has no scene, so nothing is placed anywhere");

    if (code == EXIT_DONE) {
        matrix identity;
        const uint32_t roots = json_member(d, scenes.items[chosen], "nodes");
        aiIdentityMatrix4(&identity);
        in->is_measuring = true;
        code = walk_list(in, roots, &identity, 0);
        in->is_measuring = false;
        memset(in->seen, 0, in->nodes.count * sizeof *in->seen);
        code = code == EXIT_DONE ? walk_list(in, roots, &identity, 0) : code;
    }

    free(scenes.items);
    return code;
}

// -------------------------------------------------------------------------------------------------- file

static int read_document(triangles_sink* sink, const import_options* options, const json_document* d,
                         const gltf_file* p) {
    reader in = {.sink = sink, .options = options, .document = d};
    in.data = (gltf_data){.sink = sink, .document = d, .binary = p->binary, .binary_size = p->binary_size};
    int code = check_extensions(&in);
    if (code != EXIT_DONE) {
        return code;
    }

    in.nodes = gltf_list_of(d, "nodes");
    in.meshes = gltf_list_of(d, "meshes");
    in.seen = say_alloc(in.nodes.count, sizeof *in.seen);
    gltf_data_begin(&in.data);
    code = walk_scene(&in);
    gltf_data_free(&in.data);
    free(in.nodes.items);
    free(in.meshes.items);
    free(in.seen);

    return code;
}

/// Is it of version 1? That one is for the other importer.
static bool is_old(const json_document* d) {
    char* version = json_string(d, json_member(d, json_member(d, 0, "asset"), "version"));
    const bool old = version != NULL && version[0] == '1';
    free(version);
    return old;
}

static int read_file(triangles_sink* sink, const import_options* options, gltf_file* p, bool* other) {
    json_document d;
    unsigned line;
    while (p->text_size > 0 && p->text[p->text_size - 1] == '\0') {
        --p->text_size; // some exporters fill up with zeros
    }

    p->text[p->text_size] = '\0'; // of a .glb the head of the data, which has been read
    const char* wrong = json_read(p->text, (size_t)p->text_size, &d, &line);
    if (wrong != NULL) {
        return triangles_refuse(sink, "its JSON cannot be read: line %u: %s", line, wrong);
    }

    *other = is_old(&d);
    const int code = *other ? EXIT_DONE : read_document(sink, options, &d, p);
    json_free(&d);
    return code;
}

int gltf_read(triangles_sink* sink, const import_options* options, bool* other) {
    gltf_file p = {0};
    *other = false;
    int code = gltf_file_load(sink, &p);
    if (code == EXIT_DONE && !p.old) {
        code = read_file(sink, options, &p, other);
    }

    *other = *other || p.old;
    gltf_file_free(&p);
    return code;
}

#else

/// Without assimp, whose matrices the reader uses: mesh_file_read refuses the file.
int gltf_read(triangles_sink* sink, const import_options* options, bool* other) {
    (void)sink;
    (void)options;
    *other = true;
    return EXIT_DONE;
}

#endif
