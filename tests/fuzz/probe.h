/// tests/fuzz/probe.h: what the fuzz targets share: a target's description, and what every space must hold
/// for.
///
/// A target reads hostile bytes. Refusing them is always right; what is accepted must hold.
#ifndef VNF_PROBE_H
#define VNF_PROBE_H

#include "tests/fuzz/bytes.h"
#include "volnav/query.h"

/// Voxels of a space up to which it is validated and searched.
#define VNF_SMALL_SPACE 100000

/// Bytes of an input that is looked at.
#define VNF_LARGEST_INPUT 65536

/// One format. Each fuzz_<name>.c defines the one of its program.
typedef struct vnf_target {
    const char* name;

    /// True if the bytes were accepted; then all that they hold has been probed. Stops the program
    /// if something does not hold.
    bool (*accepts)(const uint8_t* data, size_t size);

    /// Makes what a mutation broke fit again, as far as the bytes still look like a file: checksums and
    /// counts, and with `layout` also where things lie. Null: the format has nothing of that kind.
    void (*repair)(uint8_t* data, size_t size, bool layout);

    /// A mutation of its own: puts something hostile into the bytes and returns their new size, up to
    /// `capacity`. Null: none.
    size_t (*bomb)(uint8_t* data, size_t size, size_t capacity, uint32_t seed);

    /// The driver also tries inputs of random bytes, up to this many: as many as mutations. 0: none.
    uint32_t random_size;
} vnf_target;

extern const vnf_target vnf_the_target;

/// The entry point of libFuzzer: `accepts`, whatever it says.
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/// `repair` for .vnav and .vnrec.
void vnf_repair_store(uint8_t* data, size_t size, bool layout);

/// `bomb` for .vnav and .vnrec: a section that unpacks to something else than the file says, or to a lot.
size_t vnf_bomb_store(uint8_t* data, size_t size, size_t capacity, uint32_t seed);

/// Is the space small enough to be validated and searched in no time?
bool vnf_is_small(vn_voxel dims);

/// A world with nothing in it.
vn_world* vnf_empty_world(vn_dvec3 origin);

/// A small space must be valid, and its results must be right: paths free by the checker, the same for the
/// same request.
void vnf_probe_space(const vn_space* space);

/// Bakes the world and probes the space. Nothing if the bake has a reason to refuse.
void vnf_probe_world(const vn_world* world, const vn_space_def* def);

#endif
