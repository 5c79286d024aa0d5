/// tests/unit/io/bt.h: occupancy maps as plain arrays of bytes, and a writer of OctoMap's binary trees.
#ifndef VNT_IO_BT_H
#define VNT_IO_BT_H

#include "base/rng.h"
#include "volnav/math.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VNT_BT_SIDE 24
#define VNT_BT_SIZE 65536

/// As the format numbers them.
enum { VNT_BT_UNKNOWN = 0, VNT_BT_FREE = 1, VNT_BT_OCCUPIED = 2 };

/// A cube of VNT_BT_SIDE voxels an edge, whose low corner has the key `base`; everything beyond is unknown.
typedef struct vnt_bt_map {
    vn_voxel base;                                               ///< 0 to 2^16 - VNT_BT_SIDE
    unsigned char states[VNT_BT_SIDE][VNT_BT_SIDE][VNT_BT_SIDE]; ///< [z][y][x]
} vnt_bt_map;

/// The tree as bytes, after its head.
typedef struct vnt_bt {
    uint32_t nodes;
    size_t size; ///< bytes
    unsigned char bytes[VNT_BT_SIZE];
} vnt_bt;

static inline int32_t vnt_bt_clamp(int32_t key, int32_t base) {
    return key < base ? 0 : key - base > VNT_BT_SIDE ? VNT_BT_SIDE : key - base;
}

/// The one state of a cube, or 3 if it has several.
static inline int vnt_bt_state(const vnt_bt_map* map, vn_voxel low, int32_t edge) {
    const int32_t from[3] = {vnt_bt_clamp(low.x, map->base.x), vnt_bt_clamp(low.y, map->base.y),
                             vnt_bt_clamp(low.z, map->base.z)};
    const int32_t to[3] = {vnt_bt_clamp(low.x + edge, map->base.x), vnt_bt_clamp(low.y + edge, map->base.y),
                           vnt_bt_clamp(low.z + edge, map->base.z)};
    bool whole = to[0] - from[0] == edge && to[1] - from[1] == edge && to[2] - from[2] == edge;

    int state = whole ? map->states[from[2]][from[1]][from[0]] : VNT_BT_UNKNOWN;
    for (int32_t z = from[2]; z < to[2]; ++z)
        for (int32_t y = from[1]; y < to[1]; ++y)
            for (int32_t x = from[0]; x < to[0]; ++x)
                if (map->states[z][y][x] != state)
                    return 3;

    return state;
}

/// The low corner of child i of a cube.
static inline vn_voxel vnt_bt_child(vn_voxel low, int32_t half, uint32_t i) {
    return (vn_voxel){low.x + (i & 1 ? half : 0), low.y + (i & 2 ? half : 0), low.z + (i & 4 ? half : 0)};
}

/// Adds the node of a cube and all below it. With an `rng` some cubes of one state are divided all the same.
static inline void vnt_bt_add(vnt_bt* bt, const vnt_bt_map* map, vn_voxel low, int32_t edge, vni_rng* rng) {
    vn_voxel lows[8];
    uint32_t codes = 0;
    int32_t half = edge / 2;
    for (uint32_t i = 0; i < 8; ++i) {
        lows[i] = vnt_bt_child(low, half, i);
        uint32_t state = (uint32_t)vnt_bt_state(map, lows[i], half);
        bool divide = rng != NULL && half > 1 && state != VNT_BT_UNKNOWN && vni_rng_below(rng, 4) == 0;
        codes |= (divide ? 3 : state) << 2 * i;
        bt->nodes += state != VNT_BT_UNKNOWN;
    }

    if (bt->size + 2 > VNT_BT_SIZE)
        abort();

    bt->bytes[bt->size++] = (unsigned char)(codes & 255);
    bt->bytes[bt->size++] = (unsigned char)(codes >> 8);
    for (uint32_t i = 0; i < 8; ++i)
        if ((codes >> 2 * i & 3) == 3)
            vnt_bt_add(bt, map, lows[i], half, rng);
}

/// The whole file: its head, with ten digits for the number of nodes, and its tree. Something must be known
/// in the map. `*size` becomes its length; free it.
static inline char* vnt_bt_write(const vnt_bt_map* map, const char* resolution, vni_rng* rng, size_t* size) {
    vnt_bt* bt = calloc(1, sizeof *bt);
    char* file = malloc(VNT_BT_SIZE + 256);
    if (bt == NULL || file == NULL)
        abort();

    bt->nodes = 1;
    vnt_bt_add(bt, map, (vn_voxel){0, 0, 0}, 65536, rng);
    int head = snprintf(
        file, 256, "# Octomap OcTree binary file\n# made for a test\nid OcTree\nsize %010u\nres %s\ndata\n",
        (unsigned)bt->nodes, resolution);
    memcpy(file + head, bt->bytes, bt->size);
    *size = (size_t)head + bt->size;
    free(bt);

    return file;
}

static inline void vnt_bt_paint(vnt_bt_map* map, vni_rng* rng, uint32_t largest) {
    int32_t low[3], high[3];
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = (int32_t)vni_rng_below(rng, VNT_BT_SIDE);
        high[axis] = low[axis] + 1 + (int32_t)vni_rng_below(rng, largest);
        high[axis] = high[axis] > VNT_BT_SIDE ? VNT_BT_SIDE : high[axis];
    }

    unsigned char state = (unsigned char)vni_rng_below(rng, 3);
    for (int32_t z = low[2]; z < high[2]; ++z)
        for (int32_t y = low[1]; y < high[1]; ++y)
            for (int32_t x = low[0]; x < high[0]; ++x)
                map->states[z][y][x] = state;
}

/// Boxes of random states over each other, somewhere; at least one voxel is known.
static inline void vnt_bt_random(vnt_bt_map* map, vni_rng* rng) {
    memset(map, 0, sizeof *map);
    uint32_t boxes = 1 + vni_rng_below(rng, 60), largest = 1 + vni_rng_below(rng, VNT_BT_SIDE);
    for (uint32_t i = 0; i < boxes; ++i)
        vnt_bt_paint(map, rng, largest);

    map->states[vni_rng_below(rng, VNT_BT_SIDE)][vni_rng_below(rng, VNT_BT_SIDE)]
               [vni_rng_below(rng, VNT_BT_SIDE)] = (unsigned char)(1 + vni_rng_below(rng, 2));
    int32_t* base[3] = {&map->base.x, &map->base.y, &map->base.z};
    for (int axis = 0; axis < 3; ++axis) {
        const int32_t places[] = {0, 65536 - VNT_BT_SIDE, 32768 - vni_rng_range(rng, 0, VNT_BT_SIDE),
                                  vni_rng_range(rng, 0, 65536 - VNT_BT_SIDE)};
        *base[axis] = places[vni_rng_below(rng, 4)];
    }
}

#endif
