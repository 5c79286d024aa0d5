/// volnav/shell/json.h: writes JSON to a stream, compact arrays and one key a line.
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_DEPTH 16

/// Make it with json_open. Keys are null inside arrays.
typedef struct json_writer {
    FILE* file;
    int depth;
    struct {
        bool array, filled, compact;
    } levels[JSON_DEPTH];
} json_writer;

json_writer json_open(FILE* file);
void json_begin_object(json_writer* writer, const char* key);
void json_begin_array(json_writer* writer, const char* key,
                      bool compact); ///< compact: everything in it on one line
void json_end(json_writer* writer);  ///< closes the innermost object or array

void json_text(json_writer* writer, const char* key, const char* value); ///< null becomes null
void json_real(json_writer* writer, const char* key,
               double value); ///< shortest text that reads back the same; null if not finite
void json_count(json_writer* writer, const char* key, uint64_t value);
void json_bool(json_writer* writer, const char* key, bool value);
void json_null(json_writer* writer, const char* key);
void json_triple(json_writer* writer, const char* key, double x, double y, double z);

/// Writes the shortest of %.15g, %.16g, %.17g that reads back the same. `text` holds 32 bytes.
void json_format_real(double value, char* text);

#endif
