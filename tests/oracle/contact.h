/// tests/oracle/contact.h: the rules of contact by brute force, for tests only. Slow on purpose, and written
/// without a look at the library.
#ifndef VNT_ORACLE_CONTACT_H
#define VNT_ORACLE_CONTACT_H

#include "volnav/path.h"

/// A small voxel map, x fastest; 1 is blocked. Dimensions up to 8.
typedef struct vnt_contact_map {
    vn_voxel dims;
    const uint8_t* blocked;
} vnt_contact_map;

typedef struct vnt_contact {
    vn_check_fault fault;
    uint32_t segment;
    double at;
} vnt_contact;

/// Builds the whole graph: one node for each piece of the polyline (every cut point and every stretch between
/// two) and each free voxel whose closed cube holds that piece; edges between face neighbours at the same
/// piece, and from a piece to the next in the same voxel. Free if a breadth-first search from all nodes of
/// the first piece comes to the last. Coordinates within +-2^14.
vnt_contact vnt_contact_check(const vnt_contact_map* map, const vn_point* points, uint32_t count);

#endif
