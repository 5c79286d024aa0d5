/// store/format.h: the bytes of a .vnav or .vnrec, as docs/files.md draws them. Everything is little-endian.
#ifndef VNI_STORE_FORMAT_H
#define VNI_STORE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define VNI_FILE_MAGIC_SIZE 8
#define VNI_FILE_BYTE_ORDER 0x01020304u

enum { VNI_FILE_LAYERS = 1, VNI_FILE_RECORD = 2, VNI_FILE_RUN = 3 };

/// Sections begin at multiples of this; what lies between them is zero.
#define VNI_FILE_ALIGN 16

/// Most bytes of a section that we write or read, before packing. The cells of one block stay below it: there
/// are no more than 64^3 of them, with no more than 6 links through the faces of each voxel.
#define VNI_FILE_MAX_SECTION ((uint64_t)1 << 26)

typedef struct vni_file_head {
    uint8_t magic[VNI_FILE_MAGIC_SIZE];
    uint32_t version;
    uint32_t byte_order;
    uint32_t kind;
    uint32_t section_count;
    uint64_t size;        ///< of the file
    uint64_t source;      ///< hash of the world
    uint32_t layer_count; ///< 1 to VN_MAX_LAYERS; of a run 0
    uint32_t zero_1;
    uint64_t zero_2;
    uint64_t hash; ///< XXH64 of the table, its seed being the XXH64 of the bytes before this field
} vni_file_head;

/// One section. The table is in ascending order of layer, tag and first, each combination once; the sections
/// follow in the same order, each at the next multiple of VNI_FILE_ALIGN.
typedef struct vni_file_entry {
    uint32_t layer; ///< or VNI_FILE_ALL_LAYERS
    uint32_t tag;
    uint32_t first, count; ///< which blocks, seams or elements are in it
    uint32_t codec;        ///< 0: not packed
    uint32_t zero;
    uint64_t offset, stored, unpacked;
    uint64_t hash; ///< XXH64 of the stored bytes, seed 0
} vni_file_entry;

#define VNI_FILE_ALL_LAYERS UINT32_MAX

/// Sections of a layer, then of the whole file. Numbers that are not here are skipped.
typedef enum vni_tag {
    VNI_TAG_PARAMS = 1,
    VNI_TAG_OCCUPANCY = 2,
    VNI_TAG_UNKNOWN = 3,
    VNI_TAG_CELLS = 4,
    VNI_TAG_SEAMS = 5,
    VNI_TAG_COMPONENTS = 6,
    VNI_TAG_TREE = 7, ///< `first` is its kind, `count` 1
    VNI_TAG_COMMENT = 16,
    VNI_TAG_CONNECTIONS = 17,
    VNI_TAG_SENSED = 18,
    VNI_TAG_REQUEST = 32,
    VNI_TAG_REQUEST_ZONES = 33,
    VNI_TAG_REQUEST_CONNECTIONS = 34,
    VNI_TAG_RESULT = 35,
    VNI_TAG_POINTS = 36,
    VNI_TAG_CONNECTION_USES = 37,
    VNI_TAG_REQUEST_SHAPES = 38,
    VNI_TAG_RUN = 64,
    VNI_TAG_RUN_RESULT = 65,
    VNI_TAG_RUN_MARKS = 66
} vni_tag;

enum { VNI_PARTS_CELLS = 1, VNI_PARTS_UNKNOWN = 2, VNI_PARTS_ALL = 3 };

/// VNI_TAG_PARAMS.
typedef struct vni_file_params {
    float resolution, radius;
    uint32_t open_flags;
    uint32_t unknown_policy;
    double origin[3], low[3];
    int32_t dims[3];
    uint32_t parts; ///< VNI_PARTS_ bits: which sections there are besides the occupancy
    uint64_t blocked_voxels, unknown_voxels;
    uint64_t cells, links;
    uint32_t components;
    uint32_t region; ///< vn_space.region; files of spaces without one have 0
} vni_file_params;

/// No record: a free block, or no seam.
#define VNI_FILE_NONE UINT32_MAX

/// Format version 1: the head of a block's record in VNI_TAG_CELLS; its link groups and its cells follow. In
/// later versions it is a vni_stored_block.
typedef struct vni_file_cells {
    uint32_t cell_count, group_count, component_count;
    uint32_t rank_count[6];
    uint32_t first_of_chunk[65];
} vni_file_cells;

/// Format version 1: the head of a record in VNI_TAG_SEAMS; `first` and the groups follow. In later versions
/// it is a vni_stored_seam.
typedef struct vni_file_seam {
    uint32_t a_count, b_count, group_count;
} vni_file_seam;

#endif
