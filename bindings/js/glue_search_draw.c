/// bindings/js/glue_search_draw.c: what a search looks like: boxes, nodes, edges, the open set.
#include "glue_search.h"

#include <string.h>

// ---------- boxes
// boxes

static bool add_box(void* user, vn_voxel low, vn_voxel high) {
    const vn_voxel_box box = {low, high};
    return glue_append(user, &box, sizeof box);
}

/// The cells in the order of their numbers.
static const vn_voxel_box* cells_of(search* s, size_t* count) {
    if (s->cells.size == 0)
        vn_space_visit_cells(s->space, (vn_voxel){0, 0, 0}, s->info.dims, add_box, &s->cells);
    *count = s->cells.size / sizeof(vn_voxel_box);
    return (const vn_voxel_box*)(const void*)s->cells.data;
}

static bool take_first(void* user, vn_voxel low, vn_voxel high) {
    *(vn_voxel_box*)user = (vn_voxel_box){low, high};
    return false;
}

void glue_search_box(void* user, const glue_step* step, vn_voxel* low, vn_voxel* high) {
    search* s = user;
    const vn_voxel at = vn_space_voxel_at(s->space, step->point);
    const vn_voxel next = {at.x + 1, at.y + 1, at.z + 1};
    vn_voxel_box box = {at, next};
    if (s->kind == CELLS && s->by_number) {
        size_t count;
        const vn_voxel_box* cells = cells_of(s, &count);
        box = step->node < count ? cells[step->node] : box;
    } else if (s->kind == CELLS) {
        vn_space_visit_cells(s->space, at, next, take_first, &box);
    } else if (s->kind == OCTREE || s->kind == MERGED) {
        vn_classic_visit_boxes(s->classic, at, next, take_first, &box);
    }
    *low = box.low;
    *high = box.high;
}

/// The power of two that the longest edge reaches, in voxels.
static uint8_t level_of(const vn_voxel_box* b) {
    const int32_t x = b->high.x - b->low.x, y = b->high.y - b->low.y, z = b->high.z - b->low.z;
    const int32_t longest = x > y ? (x > z ? x : z) : (y > z ? y : z);
    uint8_t level = 0;
    while (longest >> (level + 1) > 0)
        ++level;
    return level;
}

static vn_status give_boxes(search* s, const vn_voxel_box* boxes, size_t count) {
    glue_list floats = {0}, levels = {0};
    float* to = glue_room(&floats, 6 * count * sizeof *to);
    uint8_t* level = glue_room(&levels, count);
    for (size_t i = 0; to != NULL && level != NULL && i < count; ++i) {
        glue_put_box(to + 6 * i, &s->info, boxes[i].low, boxes[i].high);
        level[i] = level_of(&boxes[i]);
    }
    const vn_status a = glue_give(0, &floats), b = glue_give(2, &levels);
    return a != VN_OK ? a : b;
}

// ---------- open set

static bool add_open(void* user, vn_voxel low, vn_voxel high, bool in_corridor) {
    (void)in_corridor;
    return add_box(user, low, high);
}

/// Boxes around the open nodes of a search on a graph.
static void add_open_nodes(search* s, const vn_graph* graph, glue_list* list) {
    const uint32_t count = vn_graph_query_get_open(s->graph_query, NULL, 0);
    glue_list ids = {0};
    uint32_t* nodes = glue_room(&ids, count * sizeof *nodes);
    list->failed |= nodes == NULL;
    if (nodes != NULL)
        (void)vn_graph_query_get_open(s->graph_query, nodes, count);
    for (uint32_t i = 0; nodes != NULL && i < count; ++i) {
        glue_step step = {.node = nodes[i]};
        vn_voxel low, high;
        graph->points(graph->self, &nodes[i], 1, &step.point);
        glue_search_box(s, &step, &low, &high);
        (void)add_box(list, low, high);
    }
    glue_free(&ids);
}

/// What is in the open set of the last search, a classic or on a graph; nothing of others. out: floats and
/// levels, by glue_give.
EXPORT(js_search_open) int js_search_open(search* s) {
    glue_list list = {0};
    glue_begin();
    if (s->was_classic)
        vn_classic_query_visit_open(s->classic_query, add_open, &list);
    else if (s->last.graph != NULL)
        add_open_nodes(s, s->last.graph(s->last.self), &list);
    const vn_status status = list.failed ? VN_OUT_OF_MEMORY
                                         : give_boxes(s, (const vn_voxel_box*)(const void*)list.data,
                                                      list.size / sizeof(vn_voxel_box));
    glue_free(&list);
    return glue_done(status);
}

// ---------- all of it

/// Voxels of the nodes of a roadmap; levels are their kinds (vn_node_kind).
static vn_status give_nodes(search* s) {
    const vn_graph* graph = vn_roadmap_view_graph(s->roads);
    const uint32_t count = graph->node_limit - VN_FIRST_NODE;
    glue_list floats = {0}, kinds = {0};
    float* to = glue_room(&floats, (size_t)6 * count * sizeof *to);
    uint8_t* kind = glue_room(&kinds, count);
    for (uint32_t i = 0; to != NULL && kind != NULL && i < count; ++i) {
        const uint32_t node = VN_FIRST_NODE + i;
        vn_point point;
        graph->points(graph->self, &node, 1, &point);
        const vn_voxel at = vn_space_voxel_at(s->space, point);
        glue_put_box(to + (size_t)6 * i, &s->info, at, (vn_voxel){at.x + 1, at.y + 1, at.z + 1});
        kind[i] = VN_NODE_STATIC;
        if (graph->kinds != NULL)
            graph->kinds(graph->self, &node, 1, &kind[i]);
    }
    const vn_status a = glue_give(0, &floats), b = glue_give(2, &kinds);
    return a != VN_OK ? a : b;
}

/// What is searched, as boxes. out: floats and levels, by glue_give.
EXPORT(js_search_boxes) int js_search_boxes(search* s) {
    glue_begin();
    if (s->roads != NULL)
        return glue_done(give_nodes(s));
    if (s->kind == CELLS) {
        size_t count;
        const vn_voxel_box* cells = cells_of(s, &count);
        return glue_done(s->cells.failed ? VN_OUT_OF_MEMORY : give_boxes(s, cells, count));
    }

    glue_list list = {0};
    vn_classic_visit_boxes(s->classic, (vn_voxel){0, 0, 0}, s->info.dims, add_box, &list);
    const vn_status status = list.failed ? VN_OUT_OF_MEMORY
                                         : give_boxes(s, (const vn_voxel_box*)(const void*)list.data,
                                                      list.size / sizeof(vn_voxel_box));
    glue_free(&list);
    return glue_done(status);
}

static void add_edges(search* s, const vn_graph* graph, uint32_t node, uint32_t most, glue_list* lines) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    do {
        const uint32_t count = graph->expand(graph->self, node, &cursor, &edges);
        for (uint32_t i = 0; i < count && lines->size < (size_t)24 * most; ++i) {
            const uint32_t ends[2] = {node, to[i]};
            vn_point points[2];
            vn_dvec3 p[2];
            if (to[i] < VN_FIRST_NODE)
                continue;
            graph->points(graph->self, ends, 2, points);
            vn_space_points_to_world(s->space, points, 2, p);
            const float line[6] = {(float)p[0].x, (float)p[0].y, (float)p[0].z,
                                   (float)p[1].x, (float)p[1].y, (float)p[1].z};
            (void)glue_append(lines, line, sizeof line);
        }
    } while (cursor != 0);
}

/// The edges of the graph, up to `most`, as lines of six floats; ends are left out, and edges that are there
/// in both directions come twice. out: by glue_give.
EXPORT(js_search_edges) int js_search_edges(search* s, uint32_t most, const double* n) {
    glue_list lines = {0};
    vn_graph_source source;
    wishes w;
    memcpy(&w, n, sizeof w);
    const vn_status status = glue_search_source(s, &w, &source, glue_begin());
    if (status != VN_OK)
        return glue_done(status);

    const vn_graph* graph = source.graph(source.self);
    const bool dense = s->kind == GRID; // ids of blocked voxels are no nodes
    for (uint32_t node = VN_FIRST_NODE; !dense && node < graph->node_limit && lines.size < (size_t)24 * most;
         ++node)
        add_edges(s, graph, node, most, &lines);
    return glue_done(glue_give(0, &lines));
}
