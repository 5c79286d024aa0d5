/// volnav/shell/say.c: messages on standard error.
#include "shell/say.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Messages quote files and arguments: what a terminal would obey is printed as a question mark.
static void put_text(const char* text) {
    for (; *text != '\0'; ++text) {
        const unsigned char c = (unsigned char)*text;
        const bool is_control = (c < ' ' && c != '\n' && c != '\t') || c == 0x7f;
        fputc(is_control ? '?' : c, stderr);
    }
}

int say_bad(const char* format, ...) {
    char text[8192];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);

    fputs("volnav: ", stderr);
    put_text(text);
    fputc('\n', stderr);
    return EXIT_BAD;
}

int say_status(const char* file, vn_status status, const vn_detail* detail) {
    const bool told = detail != NULL && detail->text[0] != '\0';
    fputs("volnav: ", stderr);
    if (file != NULL && !(told && status == VN_IO)) {
        put_text(file);
        fputc(':', stderr);
        if (detail != NULL && detail->line != 0) {
            fprintf(stderr, "%u:", (unsigned)detail->line);
        }
        fputc(' ', stderr);
    }

    put_text(told ? detail->text : vn_status_text(status));
    fputc('\n', stderr);
    return EXIT_BAD;
}

void say_warning(say_warnings* warnings, const char* format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const size_t size = strlen(text) + 1;
    warnings->texts = say_resize(warnings->texts, warnings->count + 1, sizeof *warnings->texts);
    warnings->texts[warnings->count] = say_alloc(size, 1);
    memcpy(warnings->texts[warnings->count], text, size);

    ++warnings->count;
    if (!warnings->quiet) {
        fputs("volnav: warning: ", stderr);
        put_text(text);
        fputc('\n', stderr);
    }
}

void say_free_warnings(say_warnings* warnings) {
    for (size_t i = 0; i < warnings->count; ++i) {
        free(warnings->texts[i]);
    }
    free(warnings->texts);
    warnings->texts = NULL;
    warnings->count = 0;
}

static void* need(void* block) {
    if (block == NULL) {
        exit(say_bad("out of memory"));
    }
    return block;
}

void* say_alloc(size_t count, size_t size) {
    return need(calloc(count == 0 ? 1 : count, size));
}

void* say_resize(void* block, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) {
        return need(NULL);
    }
    return need(realloc(block, count == 0 ? size : count * size));
}
