/// bindings/js/glue_draw.c: what a world looks like: triangles, boxes, zones.
#include "glue_draw.h"

#include <string.h>

static void add_floats(glue_list* list, const vn_dvec3* points, uint32_t count) {
    float* to = glue_more(list, (size_t)3 * count * sizeof *to);
    for (uint32_t i = 0; to != NULL && i < count; ++i) {
        *to++ = (float)points[i].x;
        *to++ = (float)points[i].y;
        *to++ = (float)points[i].z;
    }
}

static void add_color(glue_list* list, vn_color color) {
    (void)glue_append(list, &color, sizeof color);
}

static void draw_triangle(void* user, vn_dvec3 a, vn_dvec3 b, vn_dvec3 c, vn_color color) {
    glue_geometry* g = user;
    add_floats(&g->triangles, (const vn_dvec3[]){a, b, c}, 3);
    add_color(&g->triangle_colors, color);
}

static void draw_box(void* user, vn_dvec3 low, vn_dvec3 high, vn_color color) {
    glue_geometry* g = user;
    add_floats(&g->boxes, (const vn_dvec3[]){low, high}, 2);
    add_color(&g->box_colors, color);
}

static void draw_line(void* user, vn_dvec3 a, vn_dvec3 b, vn_color color) {
    glue_geometry* g = user;
    add_floats(&g->lines, (const vn_dvec3[]){a, b}, 2);
    add_color(&g->line_colors, color);
}

vn_draw glue_drawing(glue_geometry* geometry) {
    *geometry = (glue_geometry){0};
    return (vn_draw){.line = draw_line, .box = draw_box, .triangle = draw_triangle, .user = geometry};
}

vn_status glue_give_geometry(glue_geometry* g) {
    glue_list* const lists[] = {&g->triangles,  &g->triangle_colors, &g->boxes,
                                &g->box_colors, &g->lines,           &g->line_colors};
    vn_status status = VN_OK;
    for (int i = 0; i < 6; ++i) {
        const vn_status given = glue_give(2 * i, lists[i]);
        status = given != VN_OK ? given : status;
    }
    return status;
}

/// A null world has nothing in it.
EXPORT(js_world_geometry) int js_world_geometry(const vn_world* world) {
    glue_geometry geometry;
    const vn_draw draw = glue_drawing(&geometry);
    glue_begin();
    if (world != NULL)
        (void)vn_world_draw(world, NULL, &draw);
    return glue_done(glue_give_geometry(&geometry));
}

enum { ZONE_NUMBERS = 12 };

static void put_zone(double* to, const vn_zone* zone, vn_dvec3 origin) {
    const vn_vec3 a = zone->kind == VN_ZONE_SPHERE ? zone->center : zone->box.min;
    const vn_vec3 b = zone->box.max;
    const double numbers[ZONE_NUMBERS] = {zone->kind,
                                          (double)zone->factor,
                                          zone->flags,
                                          origin.x + (double)a.x,
                                          origin.y + (double)a.y,
                                          origin.z + (double)a.z,
                                          origin.x + (double)b.x,
                                          origin.y + (double)b.y,
                                          origin.z + (double)b.z,
                                          (double)zone->radius,
                                          zone->plane_count,
                                          0};
    memcpy(to, numbers, sizeof numbers);
}

static void add_planes(glue_list* list, const vn_zone* zone) {
    for (uint32_t k = 0; zone->kind == VN_ZONE_HULL && k < zone->plane_count; ++k) {
        const vn_plane p = zone->planes[k];
        const double plane[4] = {(double)p.normal.x, (double)p.normal.y, (double)p.normal.z,
                                 (double)p.offset};
        (void)glue_append(list, plane, sizeof plane);
    }
}

/// Zones of 12 numbers: kind, factor, flags, low corner or centre, high corner, radius, number of planes; for
/// each plane 4 numbers follow all zones: normal and offset. out: where they are, bytes, how many zones.
vn_status glue_give_zones(const vn_zone* zones, uint32_t count, vn_dvec3 origin) {
    glue_list list = {0};
    for (uint32_t i = 0; i < count; ++i) {
        double* to = glue_more(&list, ZONE_NUMBERS * sizeof *to);
        if (to != NULL)
            put_zone(to, &zones[i], origin);
    }
    for (uint32_t i = 0; i < count; ++i)
        add_planes(&list, &zones[i]);
    glue_out[2] = count;
    return glue_give(0, &list);
}

/// As glue_give_zones. A null world has none.
EXPORT(js_world_zones) int js_world_zones(const vn_world* world) {
    static vn_zone zones[VN_MAX_ZONES];
    const vn_dvec3 origin = world != NULL ? vn_world_origin(world) : (vn_dvec3){0, 0, 0};
    uint32_t count = 0;
    glue_begin();
    if (world != NULL && vn_world_get_zones(world, zones, VN_MAX_ZONES, &count) != VN_OK)
        return glue_done(VN_CAPACITY);
    return glue_done(glue_give_zones(zones, count, origin));
}
