/// volnav/shell/json.c: the JSON writer.
#include "shell/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "shell/utf8.h"

json_writer json_open(FILE* file) {
    return (json_writer){.file = file};
}

static void indent(const json_writer* writer) {
    fputc('\n', writer->file);
    for (int i = 0; i < writer->depth; ++i) {
        fputs("  ", writer->file);
    }
}

/// A byte that belongs to no character becomes U+FFFD, so that the whole stays JSON.
static void quoted(const json_writer* writer, const char* text) {
    assert(text != NULL);
    fputc('"', writer->file);
    for (size_t length = 0; *text != '\0'; text += length == 0 ? 1 : length) {
        const unsigned char c = (unsigned char)*text;
        length = utf8_length(text);
        if (c == '"' || c == '\\') {
            fprintf(writer->file, "\\%c", c);
        } else if (c < 0x20 || c == 0x7f) {
            fprintf(writer->file, "\\u%04x", (unsigned)c);
        } else if (length == 0) {
            fputs("\\ufffd", writer->file);
        } else {
            fwrite(text, 1, length, writer->file);
        }
    }

    fputc('"', writer->file);
}

/// The comma, the line break and the key before a value.
static void lead(json_writer* writer, const char* key) {
    if (writer->depth == 0) {
        return;
    }

    const int top = writer->depth - 1;
    assert((key == NULL) == writer->levels[top].array);
    if (writer->levels[top].filled) {
        fputc(',', writer->file);
    }

    if (!writer->levels[top].compact) {
        indent(writer);
    } else if (writer->levels[top].filled) {
        fputc(' ', writer->file);
    }

    writer->levels[top].filled = true;
    if (key != NULL) {
        quoted(writer, key);
        fputs(": ", writer->file);
    }
}

static void push(json_writer* writer, bool array, bool compact) {
    assert(writer->depth < JSON_DEPTH);
    const bool within = writer->depth > 0 && writer->levels[writer->depth - 1].compact;
    writer->levels[writer->depth].array = array;
    writer->levels[writer->depth].filled = false;
    writer->levels[writer->depth].compact = compact || within;
    ++writer->depth;
}

void json_begin_object(json_writer* writer, const char* key) {
    lead(writer, key);
    fputc('{', writer->file);
    push(writer, false, false);
}

void json_begin_array(json_writer* writer, const char* key, bool compact) {
    lead(writer, key);
    fputc('[', writer->file);
    push(writer, true, compact);
}

void json_end(json_writer* writer) {
    assert(writer->depth > 0);
    --writer->depth;
    if (writer->levels[writer->depth].filled && !writer->levels[writer->depth].compact) {
        indent(writer);
    }

    fputc(writer->levels[writer->depth].array ? ']' : '}', writer->file);
    if (writer->depth == 0) {
        fputc('\n', writer->file);
    }
}

void json_null(json_writer* writer, const char* key) {
    lead(writer, key);
    fputs("null", writer->file);
}

void json_text(json_writer* writer, const char* key, const char* value) {
    if (value == NULL) {
        json_null(writer, key);
        return;
    }
    lead(writer, key);
    quoted(writer, value);
}

void json_format_real(double value, char* text) {
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(text, 32, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            return;
        }
    }
}

void json_real(json_writer* writer, const char* key, double value) {
    if (!isfinite(value)) {
        json_null(writer, key);
        return;
    }

    char text[32];
    json_format_real(value, text);
    lead(writer, key);
    fputs(text, writer->file);
}

void json_count(json_writer* writer, const char* key, uint64_t value) {
    lead(writer, key);
    fprintf(writer->file, "%" PRIu64, value);
}

void json_bool(json_writer* writer, const char* key, bool value) {
    lead(writer, key);
    fputs(value ? "true" : "false", writer->file);
}

void json_triple(json_writer* writer, const char* key, double x, double y, double z) {
    json_begin_array(writer, key, true);
    json_real(writer, NULL, x);
    json_real(writer, NULL, y);
    json_real(writer, NULL, z);
    json_end(writer);
}
