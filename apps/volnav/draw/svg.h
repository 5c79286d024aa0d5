/// volnav/draw/svg.h: a growing text for SVG.
#ifndef SVG_H
#define SVG_H

#include <stddef.h>

#include "shell/say.h"

/// Make it with {0}; free with svg_free.
typedef struct svg_text {
    char* data;
    size_t size, capacity;
} svg_text;

/// At most 1023 characters at a time.
void svg_add(svg_text* text, const char* format, ...) SAY_PRINTF(2, 3);

/// Text content, or an attribute in double quotes: markup is escaped, control characters and broken UTF-8
/// become question marks.
void svg_add_escaped(svg_text* text, const char* content);

/// A whole number for path data: with a space before it unless a minus sign parts it from what stands before.
void svg_add_int(svg_text* text, int value);
void svg_add_char(svg_text* text, char c);
void svg_free(svg_text* text);

#endif
