/// store/extras.c: comment and connections as sections.
#include "store/extras.h"
#include "base/assert.h"
#include "base/fail.h"
#include "geom/vec.h"

#include <string.h>

_Static_assert(VN_MAX_CONNECTIONS* VNI_CONNECTION_BYTES <= VNI_SMALL_SECTION &&
                   VNI_MAX_COMMENT <= VNI_SMALL_SECTION,
               "both are read through the stack");

// ------------------------------------------------------------------------------------------------ writing

void vni_put_connections(vni_writer* writer, vni_tag tag, const vn_connection* connections, uint32_t count) {
    VNI_ASSERT(count <= VN_MAX_CONNECTIONS && (connections != NULL || count == 0));

    if (count == 0)
        return;
    for (uint32_t i = 0; i < count; ++i) {
        vni_put_vec(&writer->content, connections[i].from);
        vni_put_vec(&writer->content, connections[i].to);
        vni_put_f32(&writer->content, connections[i].cost);
        vni_put_u32(&writer->content, connections[i].bidirectional);
        vni_put_u32(&writer->content, connections[i].id);
    }

    VNI_ASSERT(writer->content.failed || writer->content.size == (uint64_t)count * VNI_CONNECTION_BYTES);

    vni_writer_add(writer, VNI_FILE_ALL_LAYERS, tag, 0, count, true);
}

void vni_put_extras(vni_writer* writer, const vn_store_def* def) {
    size_t length = def->comment != NULL ? strlen(def->comment) : 0;
    if (length > 0) {
        vni_bytes_put(&writer->content, def->comment, length);
        vni_writer_add(writer, VNI_FILE_ALL_LAYERS, VNI_TAG_COMMENT, 0, 1, true);
    }
    vni_put_connections(writer, VNI_TAG_CONNECTIONS, def->connections, def->connection_count);
}

// ------------------------------------------------------------------------------------------------ reading

/// Bytes that follow after the first of a character, and the least number that needs them; 0: it is no first
/// byte.
static uint32_t utf8_length(uint8_t first, uint32_t* least) {
    if (first < 0x80) {
        *least = 1; // no zeros
        return 1;
    }
    *least = first < 0xe0 ? 0x80 : first < 0xf0 ? 0x800 : 0x10000;
    return first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
}

bool vni_is_text(const char* text, size_t size) {
    for (size_t i = 0; i < size;) {
        uint8_t first = (uint8_t)text[i];
        uint32_t least, length = utf8_length(first, &least);
        if (length == 0 || length > size - i)
            return false;

        uint32_t number = length == 1 ? first : first & (0x7fu >> length);
        for (uint32_t k = 1; k < length; ++k) {
            uint8_t next = (uint8_t)text[i + k];
            if ((next & 0xc0) != 0x80)
                return false;
            number = number << 6 | (next & 0x3fu);
        }

        if (number < least || number > 0x10ffff || (number >= 0xd800 && number < 0xe000))
            return false;
        i += length;
    }

    return true;
}

vn_status vni_take_comment(const vni_bundle* bundle, char out[VNI_MAX_COMMENT + 1], vn_detail* detail) {
    uint8_t scratch[VNI_SMALL_SECTION];
    vni_reader in;
    bool there;
    vn_status status = vni_bundle_read_one(bundle, VNI_FILE_ALL_LAYERS, VNI_TAG_COMMENT, scratch,
                                           sizeof scratch, &in, &there, detail);
    out[0] = 0;

    if (status != VN_OK || !there)
        return status;
    size_t length = (size_t)in.left;
    if (length > VNI_MAX_COMMENT || !vni_is_text((const char*)in.at, length))
        return vni_fail(detail, VN_BAD_FORMAT, "the comment of the file is too long, or no text in UTF-8");

    vni_read(&in, out, length);
    out[length] = 0;
    return VN_OK;
}

bool vni_connection_is_valid(const vn_connection* connection) {
    return vni_v_is_finite(vni_v_from(connection->from)) && vni_v_is_finite(vni_v_from(connection->to)) &&
           connection->cost >= 0 && connection->cost <= 1e6f;
}

static vn_connection read_connection(vni_reader* in) {
    vn_connection connection;
    memset(&connection, 0, sizeof connection);
    connection.from = vni_read_vec(in);
    connection.to = vni_read_vec(in);
    connection.cost = vni_read_f32(in);
    connection.bidirectional = vni_read_bool(in);
    connection.id = vni_read_u32(in);

    return connection;
}

vn_status vni_take_connections(const vni_bundle* bundle, vni_tag tag, vn_connection out[VN_MAX_CONNECTIONS],
                               uint32_t* count, vn_detail* detail) {
    uint8_t scratch[VNI_SMALL_SECTION];
    vni_reader in;
    bool there;
    vn_status status =
        vni_bundle_read_one(bundle, VNI_FILE_ALL_LAYERS, tag, scratch, sizeof scratch, &in, &there, detail);
    *count = 0;

    if (status != VN_OK || !there)
        return status;
    uint64_t found = in.left / VNI_CONNECTION_BYTES;
    if (found > VN_MAX_CONNECTIONS || found * VNI_CONNECTION_BYTES != in.left)
        return vni_fail(detail, VN_BAD_FORMAT, "the %s of the file are not a whole number up to %d",
                        vni_tag_name(tag), VN_MAX_CONNECTIONS);

    for (uint32_t i = 0; i < found; ++i) {
        out[i] = read_connection(&in);
        if (in.failed || !vni_connection_is_valid(&out[i]))
            return vni_fail_index(detail, VN_BAD_FORMAT, i, "connection %u of the file is invalid", i);
    }

    *count = (uint32_t)found;
    return VN_OK;
}
