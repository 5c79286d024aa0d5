/// volnav/input/json_read.c: reading JSON.
#include "input/json_read.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shell/say.h"

#define MAX_DEPTH 64

typedef struct parser {
    json_document* out;
    const char* at;
    size_t capacity;
} parser;

static const char* parse_value(parser* p, int depth);

static void skip_blanks(parser* p) {
    p->at += strspn(p->at, " \t\r\n");
}

/// Adds a value whose text begins here; its end is set when it is known.
static uint32_t add(parser* p, json_kind kind) {
    json_document* d = p->out;
    if (d->count == p->capacity) {
        p->capacity = p->capacity == 0 ? 256 : 2 * p->capacity;
        d->values = say_resize(d->values, p->capacity, sizeof *d->values);
    }

    d->values[d->count] = (json_value){(uint32_t)(p->at - d->text), 0, 0, (uint32_t)kind};
    const size_t index = d->count;
    ++d->count;
    return (uint32_t)index;
}

static void finish(parser* p, uint32_t value) {
    json_value* v = &p->out->values[value];
    v->size = (uint32_t)(p->at - p->out->text) - v->begin;
    v->end = (uint32_t)p->out->count;
}

static const char* parse_string(parser* p) {
    ++p->at;
    const uint32_t value = add(p, JSON_STRING);
    while (*p->at != '"') {
        if ((unsigned char)*p->at < ' ') {
            return "a text without its end, or with a line end in it";
        }
        p->at += p->at[0] == '\\' && p->at[1] != '\0' ? 2 : 1;
    }

    finish(p, value);
    ++p->at;
    return NULL;
}

static const char* parse_number(parser* p) {
    const uint32_t value = add(p, JSON_NUMBER);
    const size_t length = strspn(p->at, "+-.0123456789eE");
    char* end = NULL;
    if (length == 0 || *p->at == '+' || !(fabs(strtod(p->at, &end)) <= DBL_MAX) || end != p->at + length) {
        return "neither a value nor a finite number";
    }

    p->at += length;
    finish(p, value);
    return NULL;
}

static const char* parse_word(parser* p, const char* word, json_kind kind) {
    if (strncmp(p->at, word, strlen(word)) != 0) {
        return "an unknown word";
    }

    const uint32_t value = add(p, kind);
    p->at += strlen(word);
    finish(p, value);
    return NULL;
}

static const char* parse_key(parser* p) {
    if (*p->at != '"') {
        return "expected the name of a member";
    }

    const char* wrong = parse_string(p);
    skip_blanks(p);
    if (wrong == NULL && *p->at != ':') {
        wrong = "expected a colon";
    }

    p->at += wrong == NULL ? 1 : 0;
    return wrong;
}

static const char* parse_container(parser* p, int depth, json_kind kind) {
    const char close = kind == JSON_ARRAY ? ']' : '}';
    const uint32_t value = add(p, kind);
    ++p->at;
    skip_blanks(p);
    for (bool first = true; *p->at != close; first = false) {
        if (!first && *p->at != ',') {
            return "expected a comma or the end of the list";
        }

        p->at += first ? 0 : 1;
        skip_blanks(p);
        const char* wrong = kind == JSON_OBJECT ? parse_key(p) : NULL;
        wrong = wrong == NULL ? parse_value(p, depth + 1) : wrong;
        if (wrong != NULL) {
            return wrong;
        }

        skip_blanks(p);
    }

    ++p->at;
    finish(p, value);
    return NULL;
}

static const char* parse_value(parser* p, int depth) {
    skip_blanks(p);
    if (depth > MAX_DEPTH) {
        return "lists are nested more than 64 deep";
    }
    switch (*p->at) {
    case '{': return parse_container(p, depth, JSON_OBJECT);
    case '[': return parse_container(p, depth, JSON_ARRAY);
    case '"': return parse_string(p);
    case 't': return parse_word(p, "true", JSON_TRUE);
    case 'f': return parse_word(p, "false", JSON_FALSE);
    case 'n': return parse_word(p, "null", JSON_NULL);
    default: return parse_number(p);
    }
}

const char* json_read(const char* text, size_t size, json_document* out, unsigned* line) {
    *out = (json_document){.text = text, .size = size};
    parser p = {.out = out, .at = text + (strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0)};
    const char* wrong = size > INT32_MAX ? "the text is too long" : parse_value(&p, 0);
    if (wrong == NULL) {
        skip_blanks(&p);
        wrong = p.at == text + size ? NULL : "something follows after the end";
    }

    *line = 1;
    for (const char* at = text; wrong != NULL && at < p.at; ++at) {
        *line += *at == '\n' ? 1 : 0;
    }

    if (wrong != NULL) {
        json_free(out);
    }

    return wrong;
}

void json_free(json_document* document) {
    free(document->values);
    document->values = NULL;
    document->count = 0;
}

// ------------------------------------------------------------------------------------------------ looking

bool json_is(const json_document* document, uint32_t value, json_kind kind) {
    return value < document->count && document->values[value].kind == (uint32_t)kind;
}

bool json_equals(const json_document* document, uint32_t value, const char* text) {
    const json_value* v = &document->values[value];
    return json_is(document, value, JSON_STRING) && v->size == strlen(text) &&
           memcmp(document->text + v->begin, text, v->size) == 0;
}

uint32_t json_member(const json_document* document, uint32_t object, const char* key) {
    if (!json_is(document, object, JSON_OBJECT)) {
        return JSON_NONE;
    }

    for (uint32_t at = object + 1; at < document->values[object].end;) {
        const uint32_t value = document->values[at].end;
        if (json_equals(document, at, key)) {
            return value;
        }
        at = document->values[value].end;
    }

    return JSON_NONE;
}

uint32_t json_first(const json_document* document, uint32_t array) {
    const bool any = json_is(document, array, JSON_ARRAY) && document->values[array].end > array + 1;
    return any ? array + 1 : JSON_NONE;
}

uint32_t json_next(const json_document* document, uint32_t array, uint32_t element) {
    const uint32_t next = document->values[element].end;
    return next < document->values[array].end ? next : JSON_NONE;
}

uint32_t* json_elements(const json_document* document, uint32_t array, size_t* count) {
    *count = 0;
    for (uint32_t v = json_first(document, array); v != JSON_NONE; v = json_next(document, array, v)) {
        ++*count;
    }

    uint32_t* out = say_alloc(*count, sizeof *out);
    size_t i = 0;
    for (uint32_t v = json_first(document, array); v != JSON_NONE; v = json_next(document, array, v)) {
        out[i++] = v;
    }

    return out;
}

bool json_number(const json_document* document, uint32_t value, double* out) {
    if (!json_is(document, value, JSON_NUMBER)) {
        return false;
    }
    *out = strtod(document->text + document->values[value].begin, NULL); // the text goes on with no digit
    return true;
}

bool json_whole(const json_document* document, uint32_t value, uint64_t missing, uint64_t* out) {
    double number = 0;
    *out = missing;
    if (value == JSON_NONE) {
        return true;
    }

    if (!json_number(document, value, &number) || number < 0 || number > 9007199254740992.0 ||
        number != floor(number)) {
        return false;
    }

    *out = (uint64_t)number;
    return true;
}

// ------------------------------------------------------------------------------------------------ strings

static bool hex4(const char* text, uint32_t* out) {
    *out = 0;
    for (int i = 0; i < 4; ++i) {
        static const char digits[] = "0123456789abcdefABCDEF";
        const char* digit = text[i] != '\0' ? strchr(digits, text[i]) : NULL;
        if (digit == NULL) {
            return false;
        }

        const uint32_t number = (uint32_t)(digit - digits);
        *out = *out * 16 + (number < 16 ? number : number - 6);
    }

    return true;
}

static char* put_utf8(char* out, uint32_t c) {
    if (c < 0x80) {
        *out++ = (char)c;
    } else if (c < 0x800) {
        *out++ = (char)(0xc0 | c >> 6);
        *out++ = (char)(0x80 | (c & 63));
    } else if (c < 0x10000) {
        *out++ = (char)(0xe0 | c >> 12);
        *out++ = (char)(0x80 | (c >> 6 & 63));
        *out++ = (char)(0x80 | (c & 63));
    } else {
        *out++ = (char)(0xf0 | c >> 18);
        *out++ = (char)(0x80 | (c >> 12 & 63));
        *out++ = (char)(0x80 | (c >> 6 & 63));
        *out++ = (char)(0x80 | (c & 63));
    }

    return out;
}

/// One escape; `*at` stands behind its backslash and is moved on. False if it is none, or the character 0.
static bool unescape(const char** at, char** out) {
    static const char names[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    const char* name = **at != '\0' ? strchr(names, **at) : NULL;
    uint32_t c = 0, low = 0;
    if (name != NULL) {
        *(*out)++ = means[name - names];
        ++*at;
        return true;
    }

    if (**at != 'u' || !hex4(*at + 1, &c) || c == 0) {
        return false;
    }

    *at += 5;
    const bool high = c >= 0xd800 && c < 0xdc00;
    if (high && (*at)[0] == '\\' && (*at)[1] == 'u' && hex4(*at + 2, &low) && low >= 0xdc00 && low < 0xe000) {
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        *at += 6;
    }

    *out = put_utf8(*out, c);
    return true;
}

char* json_string(const json_document* document, uint32_t value) {
    if (!json_is(document, value, JSON_STRING)) {
        return NULL;
    }

    const json_value* v = &document->values[value];
    const char *at = document->text + v->begin, *end = at + v->size;
    char *text = say_alloc((size_t)v->size + 1, 1), *out = text;
    while (at < end) {
        if (*at != '\\') {
            *out++ = *at++;
            continue;
        }

        ++at;
        if (!unescape(&at, &out)) {
            free(text);
            return NULL;
        }
    }

    return text;
}
