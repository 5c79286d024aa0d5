/// volnav/shell/text.c: numbers and counts as text.
#include "shell/text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "volnav/base.h"

/// The least number of decimals whose last place is finer than a step of the lattice.
static int decimals_of(double resolution) {
    assert(resolution > 0);
    const int decimals = (int)floor(-log10(resolution / VN_LATTICE)) + 1;
    return decimals < 0 ? 0 : decimals > 12 ? 12 : decimals;
}

/// Without zeros at the end, and without a sign of zero.
static void trim(char* text) {
    if (strchr(text, '.') != NULL) {
        size_t length = strlen(text);
        while (text[length - 1] == '0') {
            --length;
        }
        text[text[length - 1] == '.' ? length - 1 : length] = '\0';
    }

    if (strcmp(text, "-0") == 0) {
        memcpy(text, "0", 2);
    }
}

static void put(double value, int decimals, char* text, size_t size) {
    if (fabs(value) < 1e15) {
        snprintf(text, size, "%.*f", decimals, value);
        trim(text);
    } else {
        snprintf(text, size, "%g", value);
    }
}

text_piece text_metres(double metres, double resolution) {
    text_piece out;
    put(metres, decimals_of(resolution), out.s, sizeof out.s);
    return out;
}

text_piece text_at_least(double metres, double resolution) {
    const double unit = pow(10, decimals_of(resolution));
    return text_metres(floor(metres * unit + 1e-6) / unit, resolution); // 0.3 is not 0.2999
}

text_piece text_volume(double cubic_metres) {
    text_piece out;
    const bool is_large = fabs(cubic_metres) >= 1e5 && fabs(cubic_metres) < 1e12;
    snprintf(out.s, sizeof out.s, is_large ? "%.0f" : "%.6g", cubic_metres);
    return out;
}

text_piece text_point(vn_dvec3 p, double resolution) {
    text_piece out;
    snprintf(out.s, sizeof out.s, "%.31s,%.31s,%.31s", text_metres(p.x, resolution).s,
             text_metres(p.y, resolution).s, text_metres(p.z, resolution).s);
    return out;
}

text_piece text_count(uint64_t count, const char* noun) {
    text_piece out;
    snprintf(out.s, sizeof out.s, "%" PRIu64 " %s%s", count, noun, count == 1 ? "" : "s");
    return out;
}
