/// run/record.h: the struct behind vn_run_record, and what its bytes are made of. Private to run.
#ifndef VNI_RUN_RECORD_H
#define VNI_RUN_RECORD_H

#include "volnav/run.h"

enum { VNI_RUN_NAMES = 4, VNI_RUN_NAME = 64, VNI_RUN_MOST_MARKS = 65536 };

struct vn_run_record {
    vn_allocator allocator;
    vn_run_def def;
    char names[VNI_RUN_NAMES][VNI_RUN_NAME]; ///< of def: scene, algo, space, variant
    uint64_t steps;
    vn_run_result result;
    uint32_t every; ///< mark i is the hash after step (i + 1) * every
    uint32_t mark_count, mark_capacity;
    uint64_t* marks;
};

/// Numbers of a def or of a result, by their places in the struct. Enums are u32.
typedef enum vni_run_type { VNI_RUN_U32, VNI_RUN_U64, VNI_RUN_F64, VNI_RUN_BOOL } vni_run_type;

typedef struct vni_run_field {
    const char* name;
    vni_run_type type;
    size_t offset;
} vni_run_field;

enum { VNI_RUN_DEF_FIELDS = 13, VNI_RUN_RESULT_FIELDS = 23 };
extern const vni_run_field vni_run_def_fields[VNI_RUN_DEF_FIELDS];
extern const vni_run_field vni_run_result_fields[VNI_RUN_RESULT_FIELDS];

/// Bytes of a field in a file, and in memory.
size_t vni_run_field_size(vni_run_type type);

/// Makes run->record for a run whose def has been looked up. VN_OUT_OF_MEMORY.
vn_status vni_run_record_begin(vn_run* run, vn_detail* detail);

/// Notes the hash after a step. The steps come one after the other, from 1.
void vni_run_record_mark(vn_run_record* record, uint64_t step, uint64_t hash);

/// Lets def point at the names.
void vni_run_record_tie(vn_run_record* record);

#endif
