/// io/octomap.c: occupancy maps of robots, as OctoMap writes them (.bt and .ot): a head in text, then a tree
/// of cubes.
///
/// The tree divides the cube of 2^16 voxels an edge whose centre is the map's origin. Each inner node is two
/// bytes, two bits for each of its eight children, the first child in the lowest bits of the first byte; bit
/// 0, 1, 2 of a child's number says whether it is the upper half in x, y, z. 0: unknown, 1: free,
/// 2: occupied, 3: an inner node. Those follow in order, each with all that is below it.
///
/// In a full tree (.ot) each node, leaves included, is its log-odds, a float of four bytes, lowest first,
/// then with ColorOcTree three bytes of colour, then a byte with a bit for each child that exists. A node
/// without children is a leaf.
#include "io/file.h"
#include "io/lines.h"
#include <string.h>

#define LEVELS     16
#define CENTRE     (1 << (LEVELS - 1))
#define FIRST_LINE "# Octomap OcTree binary file"
#define FULL_LINE  "# Octomap OcTree file"

/// Metres. What is smaller or larger is no map of anything.
#define LEAST_RESOLUTION 1e-6
#define LONGEST_SIDE     1e6

typedef enum child_code { CHILD_UNKNOWN = 0, CHILD_FREE = 1, CHILD_OCCUPIED = 2, CHILD_INNER = 3 } child_code;

/// What the head says.
typedef struct bt_head {
    bool has_id;
    bool is_full;  ///< .ot
    bool is_color; ///< ColorOcTree
    uint32_t size; ///< nodes, leaves included; 0: not said
    double resolution;
} bt_head;

// ------------------------------------------------------------------------------------------------- the head

static vn_status skip_line(vni_lines* lines, vn_detail* detail) {
    vni_token token = vni_lines_next(lines);
    while (token == VNI_TOKEN_WORD)
        token = vni_lines_next(lines);
    return token == VNI_TOKEN_ERROR ? vni_lines_failed(lines, detail) : VN_OK;
}

static bool begins_with(const char* text, const char* beginning) {
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static vn_status read_first_line(vni_lines* lines, bt_head* head, vn_detail* detail) {
    char text[sizeof FIRST_LINE];
    size_t length;
    if (vni_lines_next_text(lines, text, sizeof text, &length) == VNI_TOKEN_ERROR)
        return vni_lines_failed(lines, detail);
    head->is_full = begins_with(text, FULL_LINE);
    if (head->is_full || begins_with(text, FIRST_LINE))
        return skip_line(lines, detail);

    const char* reason =
        "this is no OctoMap file: it does not begin with '" FIRST_LINE "' or '" FULL_LINE "'";
    if (text[0] == 3)
        reason = "this may be a binary tree with the head of before 2010; convert it with OctoMap's "
                 "convert_octree";

    return vni_io_fail(detail, VN_BAD_FORMAT, lines->line, "%s", reason);
}

/// Trees whose binary form is that of OcTree; 1 is its old name.
static vn_status read_id(vni_lines* lines, bt_head* head, vn_detail* detail) {
    static const char* const known[] = {"OcTree", "ColorOcTree", "OcTreeStamped", "1"};
    for (size_t i = 0; i < sizeof known / sizeof *known && !head->has_id; ++i)
        head->has_id = vni_lines_word_is(lines, known[i]);
    head->is_color = vni_lines_word_is(lines, "ColorOcTree");
    return head->has_id
               ? VN_OK
               : vni_lines_refuse(lines, "id",
                                  "a kind of tree that is known: OcTree, ColorOcTree, OcTreeStamped", detail);
}

static vn_status read_size(vni_lines* lines, bt_head* head, vn_detail* detail) {
    int64_t size;
    if (!vni_lines_integer(lines, &size) || size < 0)
        return vni_lines_refuse(lines, "size", "a number of nodes", detail);

    if (size > UINT32_MAX)
        return vni_io_fail(detail, VN_TOO_LARGE, lines->line,
                           "size: a tree of %s nodes is above the limit of %u", lines->word,
                           (unsigned)UINT32_MAX);

    if (size == 0)
        return vni_io_fail(detail, VN_BAD_FORMAT, lines->line,
                           "size: the map is empty, nothing is known in it");

    head->size = (uint32_t)size;
    return VN_OK;
}

static vn_status read_resolution(vni_lines* lines, bt_head* head, vn_detail* detail) {
    double resolution;
    bool fits =
        vni_lines_decimal(lines, &resolution) && resolution >= LEAST_RESOLUTION && resolution <= LONGEST_SIDE;
    if (!fits)
        return vni_lines_refuse(lines, "res", "a resolution in metres, 1e-6 to 1e6", detail);

    head->resolution = resolution;
    return VN_OK;
}

typedef vn_status read_field(vni_lines* lines, bt_head* head, vn_detail* detail);

static const struct {
    const char* name;
    read_field* read;
} fields[] = {{"id", read_id}, {"size", read_size}, {"res", read_resolution}};

/// The field whose name is the last word. Comments and unknown fields extend to the end of their
/// line.
static vn_status read_named(vni_lines* lines, bt_head* head, vn_detail* detail) {
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i) {
        if (!vni_lines_word_is(lines, fields[i].name))
            continue;
        vn_status status = vni_lines_expect_word(lines, fields[i].name, detail);
        return status == VN_OK ? fields[i].read(lines, head, detail) : status;
    }

    return skip_line(lines, detail);
}

static vn_status check_head(const vni_lines* lines, const bt_head* head, vn_detail* detail) {
    const char* missing = !head->has_id           ? "id"
                          : head->size == 0       ? "size"
                          : head->resolution == 0 ? "res"
                                                  : NULL;
    return missing == NULL ? VN_OK
                           : vni_io_fail(detail, VN_BAD_FORMAT, lines->line,
                                         "the head has no '%s' before its line 'data'", missing);
}

/// Up to the first byte of the tree.
static vn_status read_head(vni_lines* lines, bt_head* head, vn_detail* detail) {
    vn_status status = read_first_line(lines, head, detail);
    while (status == VN_OK) {
        vni_token token = vni_lines_next_word(lines);
        if (token == VNI_TOKEN_ERROR)
            return vni_lines_failed(lines, detail);

        if (token == VNI_TOKEN_TEXT_END)
            return vni_io_fail(detail, VN_BAD_FORMAT, lines->line,
                               "the file ends before the line 'data': it may be truncated");

        if (vni_lines_word_is(lines, "data")) {
            status = check_head(lines, head, detail);
            return status == VN_OK ? skip_line(lines, detail) : status;
        }

        status = read_named(lines, head, detail);
    }

    return status;
}

// ------------------------------------------------------------------------------------------------- the tree

typedef struct box_list {
    vn_voxel_box* items;
    uint64_t count, capacity;
} box_list;

/// A tree while it is read. Coordinates are OctoMap's keys, 0 to 2^16.
typedef struct tree {
    vni_lines* lines;
    const vn_allocator* allocator;
    bt_head head;
    uint64_t nodes;     ///< so far
    vn_voxel_box known; ///< around the leaves so far; low above high: none
    box_list occupied;  ///< cubes
    box_list unknown;   ///< cubes
    uint64_t free_voxels;
    uint64_t occupied_voxels;
} tree;

/// An inner node on the path from the root.
typedef struct inner {
    vn_voxel low;
    uint32_t codes; ///< two bits a child; of a full tree one
    uint32_t next;  ///< child
} inner;

static vn_status fail_at_node(const tree* t, const char* what, vn_detail* detail) {
    vn_status status = vni_io_fail(detail, VN_BAD_FORMAT, 0, "%s (node %u of the %u that the head names)",
                                   what, (unsigned)t->nodes, (unsigned)t->head.size);
    if (detail != NULL)
        detail->index = t->nodes;
    return status;
}

/// How many of the eight children there are.
static uint32_t count_children(uint32_t codes) {
    uint32_t count = 0;
    for (uint32_t child = 0; child < 8; ++child)
        count += (codes >> 2 * child & 3) != CHILD_UNKNOWN;
    return count;
}

/// An inner node whose low corner is `low`; counts its children.
static vn_status read_inner(tree* t, vn_voxel low, inner* out, vn_detail* detail) {
    int first = vni_lines_byte(t->lines);
    int second = first < 0 ? -1 : vni_lines_byte(t->lines);
    if (t->lines->failed)
        return vni_io_fail(detail, VN_IO, 0, "reading failed");
    if (second < 0)
        return fail_at_node(t, "the file ends inside the tree: it is truncated", detail);

    *out = (inner){low, (uint32_t)first | (uint32_t)second << 8, 0};
    if (out->codes == 0)
        return fail_at_node(
            t, t->nodes == 1 ? "nothing is known in this map" : "an inner node has no children", detail);

    t->nodes += count_children(out->codes);
    return t->nodes <= t->head.size ? VN_OK
                                    : fail_at_node(t, "the tree has more nodes than its head says", detail);
}

static vn_status add_box(const tree* t, box_list* list, vn_voxel_box box, vn_detail* detail) {
    if (list->count == list->capacity &&
        !vni_io_grow(t->allocator, &list->items, &list->capacity, sizeof *list->items))
        return vni_io_fail(detail, VN_OUT_OF_MEMORY, 0, "no memory for more cubes of the tree");
    VNI_IO_ASSERT(list->count < list->capacity);
    list->items[list->count++] = box;
    return VN_OK;
}

static int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static int32_t greatest(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static void include_box(vn_voxel_box* all, const vn_voxel_box* box) {
    all->low = (vn_voxel){least(all->low.x, box->low.x), least(all->low.y, box->low.y),
                          least(all->low.z, box->low.z)};
    all->high = (vn_voxel){greatest(all->high.x, box->high.x), greatest(all->high.y, box->high.y),
                           greatest(all->high.z, box->high.z)};
}

/// A leaf, or a child that is missing: a cube with an edge of `edge` voxels.
static vn_status add_cube(tree* t, child_code code, vn_voxel low, int32_t edge, vn_detail* detail) {
    VNI_IO_ASSERT(code != CHILD_INNER && edge > 0);
    vn_voxel_box box = {low, {low.x + edge, low.y + edge, low.z + edge}};
    uint64_t voxels = (uint64_t)edge * (uint64_t)edge * (uint64_t)edge;
    if (code == CHILD_UNKNOWN)
        return add_box(t, &t->unknown, box, detail);

    include_box(&t->known, &box);
    if (code == CHILD_FREE) {
        t->free_voxels += voxels;
        return VN_OK;
    }

    t->occupied_voxels += voxels;
    return add_box(t, &t->occupied, box, detail);
}

/// Everything below the root.
static vn_status read_tree(tree* t, vn_detail* detail) {
    inner stack[LEVELS];
    uint32_t depth = 0;
    t->nodes = 1;
    vn_status status = read_inner(t, (vn_voxel){0, 0, 0}, &stack[0], detail);
    while (status == VN_OK) {
        inner* node = &stack[depth];
        if (node->next == 8) {
            if (depth == 0)
                break;
            --depth;
            continue;
        }

        VNI_IO_ASSERT(depth < LEVELS && node->next < 8);
        uint32_t child = node->next++;
        int32_t edge = 1 << (LEVELS - 1 - depth);
        child_code code = (child_code)(node->codes >> 2 * child & 3);
        vn_voxel low = {node->low.x + (child & 1 ? edge : 0), node->low.y + (child & 2 ? edge : 0),
                        node->low.z + (child & 4 ? edge : 0)};

        if (code != CHILD_INNER)
            status = add_cube(t, code, low, edge, detail);
        else if (depth + 1 == LEVELS)
            status = fail_at_node(t, "a voxel has children: the tree is deeper than 16 levels", detail);
        else
            status = read_inner(t, low, &stack[++depth], detail);
    }

    if (status == VN_OK && t->nodes < t->head.size)
        status = fail_at_node(t, "the tree has fewer nodes than its head says", detail);

    return status;
}

// ---------------------------------------------------------------------------------------------- a full tree

/// A node as it stands in the file.
typedef struct full_node {
    float log_odds;
    uint32_t children; ///< a bit for each
} full_node;

static vn_status read_full_node(tree* t, full_node* out, vn_detail* detail) {
    unsigned char bytes[8] = {0};
    const int size = t->head.is_color ? 8 : 5;
    for (int i = 0; i < size; ++i) {
        const int byte = vni_lines_byte(t->lines);
        if (t->lines->failed)
            return vni_io_fail(detail, VN_IO, 0, "reading failed");
        if (byte < 0)
            return fail_at_node(t, "the file ends inside the tree: it is truncated", detail);
        bytes[i] = (unsigned char)byte;
    }

    const uint32_t bits =
        (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    memcpy(&out->log_odds, &bits, sizeof bits);
    out->children = bytes[size - 1];
    if (out->log_odds != out->log_odds)
        return fail_at_node(t, "the log-odds of a node are not a number", detail);

    return ++t->nodes <= t->head.size ? VN_OK
                                      : fail_at_node(t, "the tree has more nodes than its head says", detail);
}

/// Reads the node of a cube. A leaf is added, an inner node goes on the stack, whose depth `*depth` it
/// becomes; -1: the stack is empty.
static vn_status take_full_node(tree* t, inner* stack, int32_t* depth, vn_voxel low, int32_t edge,
                                vn_detail* detail) {
    full_node node = {0, 0};
    vn_status status = read_full_node(t, &node, detail);
    if (status != VN_OK)
        return status;

    if (node.children == 0)
        return add_cube(t, node.log_odds >= 0 ? CHILD_OCCUPIED : CHILD_FREE, low, edge, detail);
    if (edge == 1)
        return fail_at_node(t, "a voxel has children: the tree is deeper than 16 levels", detail);

    VNI_IO_ASSERT(*depth + 1 < LEVELS);
    stack[++*depth] = (inner){low, node.children, 0};
    return VN_OK;
}

static vn_status read_full_tree(tree* t, vn_detail* detail) {
    inner stack[LEVELS];
    int32_t depth = -1;
    vn_status status = take_full_node(t, stack, &depth, (vn_voxel){0, 0, 0}, 1 << LEVELS, detail);
    while (status == VN_OK && depth >= 0) {
        inner* node = &stack[depth];
        if (node->next == 8) {
            --depth;
            continue;
        }

        const uint32_t child = node->next++;
        const int32_t edge = 1 << (LEVELS - 1 - depth);
        const vn_voxel low = {node->low.x + (child & 1 ? edge : 0), node->low.y + (child & 2 ? edge : 0),
                              node->low.z + (child & 4 ? edge : 0)};
        status = (node->codes >> child & 1) != 0 ? take_full_node(t, stack, &depth, low, edge, detail)
                                                 : add_cube(t, CHILD_UNKNOWN, low, edge, detail);
    }

    if (status == VN_OK && t->nodes < t->head.size)
        status = fail_at_node(t, "the tree has fewer nodes than its head says", detail);

    return status;
}

// ------------------------------------------------------------------------------------------------ the result

/// Moves boxes into the frame of the known box and cuts off, or drops, what lies outside.
static void clip_boxes(box_list* list, const vn_voxel_box* known) {
    VNI_IO_ASSERT(list->count <= list->capacity);
    uint64_t kept = 0;
    const vn_voxel low = known->low, high = known->high;
    for (uint64_t i = 0; i < list->count; ++i) {
        vn_voxel_box b = list->items[i];
        b.low = (vn_voxel){greatest(b.low.x, low.x) - low.x, greatest(b.low.y, low.y) - low.y,
                           greatest(b.low.z, low.z) - low.z};
        b.high = (vn_voxel){least(b.high.x, high.x) - low.x, least(b.high.y, high.y) - low.y,
                            least(b.high.z, high.z) - low.z};

        if (b.low.x < b.high.x && b.low.y < b.high.y && b.low.z < b.high.z)
            list->items[kept++] = b;
    }

    list->count = kept;
}

static void free_list(const vn_allocator* allocator, box_list* list) {
    if (list->items != NULL)
        allocator->release(allocator->user, list->items, (size_t)list->capacity * sizeof *list->items);
    *list = (box_list){NULL, 0, 0};
}

/// Gives back what a list does not need. False if the allocator refuses.
static bool fit_list(const vn_allocator* allocator, box_list* list) {
    if (list->count == 0) {
        free_list(allocator, list);
        return true;
    }

    if (!vni_io_shrink(allocator, &list->items, list->capacity, list->count, sizeof *list->items))
        return false;
    list->capacity = list->count;
    return true;
}

static vn_status finish(tree* t, vn_octomap* map, vn_detail* detail) {
    const vn_voxel low = t->known.low, high = t->known.high;
    const vn_voxel dims = {high.x - low.x, high.y - low.y, high.z - low.z};
    VNI_IO_ASSERT(dims.x > 0 && dims.y > 0 && dims.z > 0);
    const double resolution = t->head.resolution;
    if (greatest(dims.x, greatest(dims.y, dims.z)) * resolution > LONGEST_SIDE)
        return vni_io_fail(detail, VN_TOO_LARGE, 0,
                           "the map spans %d x %d x %d voxels of this resolution: more than 1000 km",
                           (int)dims.x, (int)dims.y, (int)dims.z);

    clip_boxes(&t->occupied, &t->known);
    clip_boxes(&t->unknown, &t->known);
    if (!fit_list(t->allocator, &t->occupied) || !fit_list(t->allocator, &t->unknown))
        return vni_io_fail(detail, VN_OUT_OF_MEMORY, 0, "no memory to shrink the lists of cubes");

    VNI_IO_ASSERT(t->occupied_voxels + t->free_voxels > 0);
    map->resolution = resolution;
    map->low = (vn_dvec3){(low.x - CENTRE) * resolution, (low.y - CENTRE) * resolution,
                          (low.z - CENTRE) * resolution};
    map->dims = dims;
    map->occupied = t->occupied.items;
    map->occupied_count = t->occupied.count;
    map->unknown = t->unknown.items;
    map->unknown_count = t->unknown.count;
    map->occupied_voxels = t->occupied_voxels;
    map->free_voxels = t->free_voxels;
    map->unknown_voxels =
        (uint64_t)dims.x * (uint64_t)dims.y * (uint64_t)dims.z - t->occupied_voxels - t->free_voxels;

    return VN_OK;
}

static vn_status read_source(const vn_source* source, void* out, vn_detail* detail) {
    vn_octomap* map = out;
    vni_lines lines;
    vni_lines_begin(&lines, source);
    tree t = {.lines = &lines, .allocator = &map->allocator};
    t.known = (vn_voxel_box){{INT32_MAX, INT32_MAX, INT32_MAX}, {0, 0, 0}};

    vn_status status = read_head(&lines, &t.head, detail);
    if (status == VN_OK)
        status = t.head.is_full ? read_full_tree(&t, detail) : read_tree(&t, detail);
    if (status == VN_OK)
        status = finish(&t, map, detail);

    if (status != VN_OK) {
        free_list(&map->allocator, &t.occupied);
        free_list(&map->allocator, &t.unknown);
    }

    return status;
}

vn_status vn_octomap_read(const vn_source* source, const vn_allocator* allocator, vn_octomap* out,
                          vn_detail* detail) {
    VNI_IO_ASSERT(source != NULL && source->read != NULL && out != NULL);
    *out = (vn_octomap){.allocator = vni_io_allocator(allocator)};
    return read_source(source, out, detail);
}

vn_status vn_octomap_read_file(const char* path, const vn_allocator* allocator, vn_octomap* out,
                               vn_detail* detail) {
    VNI_IO_ASSERT(path != NULL && out != NULL);
    *out = (vn_octomap){.allocator = vni_io_allocator(allocator)};
    return vni_file_read(path, read_source, out, detail);
}

void vn_octomap_free(vn_octomap* map) {
    if (map == NULL)
        return;
    box_list occupied = {map->occupied, map->occupied_count, map->occupied_count};
    box_list unknown = {map->unknown, map->unknown_count, map->unknown_count};
    free_list(&map->allocator, &occupied);
    free_list(&map->allocator, &unknown);
    *map = (vn_octomap){0};
}

static vn_shape shape_of(const vn_octomap* map, const vn_voxel_box* boxes, uint64_t count) {
    VNI_IO_ASSERT(map->resolution > 0 && (boxes != NULL || count == 0)); // a map that was read
    vn_shape shape = {.kind = VN_SHAPE_VOXELS};
    shape.as.voxels.size = (float)map->resolution;
    shape.as.voxels.dims = map->dims;
    shape.as.voxels.boxes = boxes;
    shape.as.voxels.box_count = count;

    return shape;
}

vn_shape vn_octomap_occupied_shape(const vn_octomap* map) {
    VNI_IO_ASSERT(map != NULL);
    return shape_of(map, map->occupied, map->occupied_count);
}

vn_shape vn_octomap_unknown_shape(const vn_octomap* map) {
    VNI_IO_ASSERT(map != NULL);
    return shape_of(map, map->unknown, map->unknown_count);
}
