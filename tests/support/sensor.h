/// tests/support/sensor.h: a pretend sensor: a map of voxels, told in batches as a robot would that flies
/// along x through it. Each batch has what is new, and all that was seen shortly before once more. Some
/// voxels are seen wrongly at first, and rightly in the next batch.
#ifndef VNT_SENSOR_H
#define VNT_SENSOR_H

#include "volnav/io.h"
#include "volnav/nav.h"

#include <stdlib.h>
#include <string.h>

typedef struct vnt_sensor {
    vn_voxel dims;
    float size; ///< of a voxel, metres
    vn_dvec3 origin;
    uint8_t* states; ///< vn_voxel_state, x fastest
    vn_voxel* known; ///< in the order in which they are seen
    uint32_t known_count;
    vn_voxel* voxels; ///< of the current batch, like the next one
    uint8_t* batch_states;
} vnt_sensor;

static inline uint8_t* vnt_sensor_at(const vnt_sensor* s, int32_t x, int32_t y, int32_t z) {
    return &s->states[(size_t)x + (size_t)s->dims.x * ((size_t)y + (size_t)s->dims.y * (size_t)z)];
}

/// All free.
static inline vnt_sensor vnt_sensor_make(vn_voxel dims, float size) {
    const size_t all = (size_t)dims.x * (size_t)dims.y * (size_t)dims.z;
    return (vnt_sensor){.dims = dims,
                        .size = size,
                        .states = calloc(all, 1),
                        .known = malloc(all * sizeof(vn_voxel)),
                        .voxels = malloc(all * sizeof(vn_voxel)),
                        .batch_states = malloc(all)};
}

static inline void vnt_sensor_free(vnt_sensor* s) {
    free(s->states);
    free(s->known);
    free(s->voxels);
    free(s->batch_states);
}

static inline void vnt_sensor_fill(vnt_sensor* s, const vn_voxel_box* box, vn_voxel_state state) {
    for (int32_t z = box->low.z; z < box->high.z; ++z)
        for (int32_t y = box->low.y; y < box->high.y; ++y)
            memset(vnt_sensor_at(s, box->low.x, y, z), (int)state, (size_t)(box->high.x - box->low.x));
}

/// Lists the known voxels, once the states are set.
static inline void vnt_sensor_ready(vnt_sensor* s) {
    for (int32_t x = 0; x < s->dims.x; ++x)
        for (int32_t z = 0; z < s->dims.z; ++z)
            for (int32_t y = 0; y < s->dims.y; ++y)
                if (*vnt_sensor_at(s, x, y, z) != VN_VOXEL_UNKNOWN)
                    s->known[s->known_count++] = (vn_voxel){x, y, z};
}

static inline vnt_sensor vnt_sensor_octomap(const vn_octomap* map) {
    vnt_sensor s = vnt_sensor_make(map->dims, (float)map->resolution);
    s.origin = map->low;
    for (uint64_t i = 0; i < map->occupied_count; ++i)
        vnt_sensor_fill(&s, &map->occupied[i], VN_VOXEL_OCCUPIED);
    for (uint64_t i = 0; i < map->unknown_count; ++i)
        vnt_sensor_fill(&s, &map->unknown[i], VN_VOXEL_UNKNOWN);
    vnt_sensor_ready(&s);
    return s;
}

/// Adds the two sets to a world: nothing is known, or (`all`) everything that the sensor will tell.
static inline vn_status vnt_sensor_add(const vnt_sensor* s, vn_world* world, bool all, vn_sense_batch* ids) {
    vn_voxel* lists[2] = {malloc((s->known_count + 1) * sizeof(vn_voxel)), NULL};
    const vn_voxel_box whole = {{0, 0, 0}, s->dims};
    vn_shape shapes[2];
    for (int i = 0; i < 2; ++i) {
        shapes[i] = (vn_shape){.kind = VN_SHAPE_VOXELS};
        shapes[i].as.voxels.size = s->size;
        shapes[i].as.voxels.dims = s->dims;
        shapes[i].as.voxels.sensed = true;
    }

    if (all) {
        const size_t count = (size_t)s->dims.x * (size_t)s->dims.y * (size_t)s->dims.z;
        uint64_t unknown = 0, occupied = 0;
        lists[1] = malloc(count * sizeof(vn_voxel));
        for (uint32_t i = 0; i < s->known_count; ++i)
            if (*vnt_sensor_at(s, s->known[i].x, s->known[i].y, s->known[i].z) == VN_VOXEL_OCCUPIED)
                lists[0][occupied++] = s->known[i];
        for (size_t i = 0; i < count; ++i)
            if (s->states[i] == VN_VOXEL_UNKNOWN)
                lists[1][unknown++] = (vn_voxel){(int32_t)(i % (size_t)s->dims.x),
                                                 (int32_t)(i / (size_t)s->dims.x % (size_t)s->dims.y),
                                                 (int32_t)(i / (size_t)s->dims.x / (size_t)s->dims.y)};
        shapes[0].as.voxels.voxel_count = occupied;
        shapes[1].as.voxels.voxel_count = unknown;
    } else {
        shapes[1].as.voxels.boxes = &whole;
        shapes[1].as.voxels.box_count = 1;
    }

    shapes[0].as.voxels.voxels = lists[0];
    shapes[1].as.voxels.voxels = lists[1];
    vn_status status = vn_world_add(world, &shapes[0], &ids->occupied, NULL);
    if (status == VN_OK)
        status = vn_world_add(world, &shapes[1], &ids->unknown, NULL);
    if (status == VN_OK)
        status = vn_world_set_flags(world, ids->unknown, VN_FLAG_UNKNOWN);
    free(lists[0]);
    free(lists[1]);
    return status;
}

/// Batch `number` of `batches`, with up to `most` entries.
static inline void vnt_sensor_batch(vnt_sensor* s, uint32_t number, uint32_t batches, uint32_t most,
                                    vn_sense_batch* out) {
    const uint32_t begin = (uint32_t)((uint64_t)s->known_count * number / batches);
    const uint32_t end = (uint32_t)((uint64_t)s->known_count * (number + 1) / batches);
    const uint32_t from = end > most ? end - most : 0;
    uint32_t count = 0;
    for (uint32_t i = from < begin ? from : begin; i < end; ++i) {
        const vn_voxel v = s->known[i];
        const uint8_t state = *vnt_sensor_at(s, v.x, v.y, v.z);
        const bool wrong = i >= begin && number + 1 < batches && i * 2654435761u >> 26 == 7;
        s->voxels[count] = v;
        s->batch_states[count++] = wrong ? (uint8_t)(1 - state) : state;
    }

    out->voxels = s->voxels;
    out->states = s->batch_states;
    out->count = count;
}

#endif
