/// store/extras.h: what a file has besides its layers: a comment and connections.
#ifndef VNI_STORE_EXTRAS_H
#define VNI_STORE_EXTRAS_H

#include "store/bundle.h"
#include "store/writer.h"

#define VNI_MAX_COMMENT 4000

/// Bytes of a connection in a file.
#define VNI_CONNECTION_BYTES 36

/// Most bytes of a section that is read as a whole, through a buffer on the stack.
#define VNI_SMALL_SECTION 4096

/// The comment and the connections of a def that has been checked.
void vni_put_extras(vni_writer* writer, const vn_store_def* def);
void vni_put_connections(vni_writer* writer, vni_tag tag, const vn_connection* connections, uint32_t count);

/// Empty if the file has none. VN_BAD_FORMAT: too long, or not text.
vn_status vni_take_comment(const vni_bundle* bundle, char out[VNI_MAX_COMMENT + 1], vn_detail* detail);

/// None if the file has none. VN_BAD_FORMAT: too many, or invalid numbers.
vn_status vni_take_connections(const vni_bundle* bundle, vni_tag tag, vn_connection out[VN_MAX_CONNECTIONS],
                               uint32_t* count, vn_detail* detail);

/// Finite ends, and a cost from 0 to 1e6.
bool vni_connection_is_valid(const vn_connection* connection);

/// UTF-8 without zeros.
bool vni_is_text(const char* text, size_t size);

#endif
