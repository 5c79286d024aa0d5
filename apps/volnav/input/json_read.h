/// volnav/input/json_read.h: JSON as a flat list of values that point into the text. For files that others
/// wrote.
#ifndef JSON_READ_H
#define JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum json_kind {
    JSON_NULL,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} json_kind;

/// Arrays are followed by their elements, objects by a key and a value for each member, all of them with
/// everything below them.
typedef struct json_value {
    uint32_t begin, size; ///< its text; of a string without the quotes
    uint32_t end;         ///< number of the value that follows after everything below this one
    uint32_t kind;
} json_value;

/// Value 0 is the whole text; no member or element is, so 0 also stands for "there is none".
typedef struct json_document {
    const char* text; ///< the caller's
    size_t size;
    json_value* values;
    size_t count;
} json_document;

#define JSON_NONE 0u

/// Null when done; else the reason (static text) and its line, and there is nothing to free. A byte order
/// mark is skipped. The text ends with a byte that is 0 at [size], and has less than 2^31 bytes. Nesting is
/// limited to 64. Memory: 16 bytes a value; time: linear.
const char* json_read(const char* text, size_t size, json_document* out, unsigned* line);
void json_free(json_document* document);

/// The member of an object, the first if there are several; JSON_NONE if there is none or `object` is no
/// object. Linear in the members.
uint32_t json_member(const json_document* document, uint32_t object, const char* key);

/// The first element of an array, and the one after an element; JSON_NONE at the end. For a loop:
/// for (v = json_first(d, array); v != JSON_NONE; v = json_next(d, array, v))
uint32_t json_first(const json_document* document, uint32_t array);
uint32_t json_next(const json_document* document, uint32_t array, uint32_t element);

/// The elements of an array, to be freed; none if it is no array.
uint32_t* json_elements(const json_document* document, uint32_t array, size_t* count);

bool json_is(const json_document* document, uint32_t value, json_kind kind);

/// A finite number; false if it is none.
bool json_number(const json_document* document, uint32_t value, double* out);

/// A whole number from 0 to 2^53; `missing` stands for JSON_NONE.
bool json_whole(const json_document* document, uint32_t value, uint64_t missing, uint64_t* out);

/// A string with its escapes undone, ended by 0, to be freed; null if it is none, or holds the character 0.
char* json_string(const json_document* document, uint32_t value);

/// Is it this string? Escapes are not undone.
bool json_equals(const json_document* document, uint32_t value, const char* text);

#endif
