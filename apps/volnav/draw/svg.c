/// volnav/draw/svg.c: appending to a text.
#include "draw/svg.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell/utf8.h"

static void add_bytes(svg_text* text, const char* bytes, size_t count) {
    if (text->size + count > text->capacity) {
        text->capacity = 2 * (text->size + count) + 1024;
        text->data = say_resize(text->data, text->capacity, 1);
    }
    memcpy(text->data + text->size, bytes, count);
    text->size += count;
}

void svg_add(svg_text* text, const char* format, ...) {
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    add_bytes(text, line, strlen(line));
}

void svg_add_char(svg_text* text, char c) {
    add_bytes(text, &c, 1);
}

void svg_add_int(svg_text* text, int value) {
    char digits[16];
    const int length = snprintf(digits, sizeof digits, "%d", value);
    if (value >= 0 && text->size > 0 && isdigit((unsigned char)text->data[text->size - 1]) != 0) {
        svg_add_char(text, ' ');
    }
    add_bytes(text, digits, (size_t)length);
}

void svg_add_escaped(svg_text* text, const char* content) {
    while (*content != '\0') {
        const size_t length = utf8_length(content);
        const char c = *content;
        if (c == '&' || c == '<' || c == '>' || c == '"') {
            svg_add(text, c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&quot;");
        } else if (length == 0 || (unsigned char)c < 0x20) {
            svg_add_char(text, '?');
        } else {
            add_bytes(text, content, length);
        }

        content += length == 0 ? 1 : length;
    }
}

void svg_free(svg_text* text) {
    free(text->data);
    memset(text, 0, sizeof *text);
}
