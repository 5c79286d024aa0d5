/// bindings/js/glue_format.c: vsnprintf for the messages of the readers. libc's own would import a console
/// and bring arithmetic of 128 bits along: here only texts, characters and whole numbers are written.
#ifdef __wasm__

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

typedef struct writer {
    char* out;
    size_t size, length;
} writer;

static void put_char(writer* w, char c) {
    if (w->length + 1 < w->size)
        w->out[w->length] = c;
    ++w->length;
}

static void put_text(writer* w, const char* text, int most) {
    for (int i = 0; text[i] != '\0' && (most < 0 || i < most); ++i)
        put_char(w, text[i]);
}

static void put_number(writer* w, unsigned long long value) {
    char digits[20];
    int count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    while (count > 0)
        put_char(w, digits[--count]);
}

static void put_signed(writer* w, long long value) {
    if (value < 0)
        put_char(w, '-');
    put_number(w, value < 0 ? 0ull - (unsigned long long)value : (unsigned long long)value);
}

/// ".30" of "%.30s"; negative: none.
static int read_precision(const char** at) {
    int most = -1;
    if (**at != '.')
        return most;
    for (most = 0, ++*at; **at >= '0' && **at <= '9'; ++*at)
        most = 10 * most + (**at - '0');
    return most;
}

/// One conversion, after its '%'; returns its last character.
static const char* put_one(writer* w, const char* at, va_list* list) {
    const int most = read_precision(&at);
    int longs = 0;
    for (; *at == 'l' || *at == 'z'; ++at)
        longs += *at == 'l' ? 1 : 0;

    if (*at == 's')
        put_text(w, va_arg(*list, const char*), most);
    else if (*at == 'c')
        put_char(w, (char)va_arg(*list, int));
    else if (*at == 'd')
        put_signed(w, longs > 1 ? va_arg(*list, long long) : va_arg(*list, int));
    else if (*at == 'u')
        put_number(w, longs > 1 ? va_arg(*list, unsigned long long) : va_arg(*list, unsigned));
    else
        put_char(w, *at);
    return at;
}

int vsnprintf(char* out, size_t size, const char* format, va_list arguments) {
    writer w = {out, size, 0};
    va_list list;
    va_copy(list, arguments);
    for (const char* at = format; *at != '\0'; ++at) {
        if (*at == '%' && at[1] != '\0')
            at = put_one(&w, at + 1, &list);
        else
            put_char(&w, *at);
    }
    va_end(list);
    if (size > 0)
        out[w.length < size ? w.length : size - 1] = '\0';
    return (int)w.length;
}

#else
typedef int glue_format_is_for_wasm;
#endif
