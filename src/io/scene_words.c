/// io/scene_words.c: the words of a scene: numbers, counts, angles, and which word a slip was meant to be.
#include "io/lines.h"
#include "io/scene_inside.h"
#include <math.h>
#include <string.h>

const char* vni_scene_word(const vni_scene_reader* in, const vni_scene_line* line, uint32_t at) {
    VNI_IO_ASSERT(at < line->count && line->first + at < in->word_count);
    return in->text + in->words[line->first + at];
}

vn_status vni_scene_wrong(const vni_scene_reader* in, const vni_scene_line* line, const char* reason) {
    return vni_io_fail(in->detail, VN_BAD_FORMAT, line->number, "%s", reason);
}

vn_status vni_scene_numbers(const vni_scene_reader* in, const vni_scene_line* line, uint32_t at,
                            uint32_t count, double* out) {
    for (uint32_t i = 0; i < count; ++i) {
        const char* word = vni_scene_word(in, line, at + i);
        if (!vni_text_decimal(word, &out[i]) || !isfinite(out[i]))
            return vni_io_fail(in->detail, VN_BAD_FORMAT, line->number, "'%.40s' is not a finite number",
                               word);
    }

    return VN_OK;
}

bool vni_scene_count(const char* text, uint64_t* out) {
    uint64_t value = 0;
    const char* at = text;
    for (; *at >= '0' && *at <= '9'; ++at) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = 10 * value + digit;
    }

    *out = value;
    return at != text && *at == 0;
}

// ------------------------------------------------------------------------------------------------- nearest

#define LONGEST 63

/// Levenshtein's distance, a row at a time; longer words are cut.
static uint32_t edits(const char* a, const char* b) {
    uint32_t row[LONGEST + 1], n = 0;
    for (; b[n] != 0 && n < LONGEST; ++n)
        row[n] = n;
    row[n] = n;

    for (uint32_t i = 0; a[i] != 0 && i < LONGEST; ++i) {
        uint32_t diagonal = row[0];
        row[0] = i + 1;
        for (uint32_t j = 0; j < n; ++j) {
            uint32_t best = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            best = best < diagonal + 1 ? best : diagonal + 1;
            row[j + 1] = best < row[j] + 1 ? best : row[j] + 1;
        }
    }

    return row[n];
}

const char* vni_scene_nearest(const char* text, const char* const* words) {
    const char* best = NULL;
    size_t least = strlen(text) / 2 + 1;
    for (; *words != NULL; ++words) {
        const uint32_t distance = edits(text, *words);
        if (distance < least) {
            least = distance;
            best = *words;
        }
    }

    return best;
}

// -------------------------------------------------------------------------------------------------- angles

/// Sine of x, |x| up to pi / 4, by its series: the first term left out is below 1e-17.
static double series_sine(double x) {
    const double square = x * x;
    double term = x, sum = x;
    for (int n = 2; n <= 16; n += 2) {
        term *= -square / (double)(n * (n + 1));
        sum += term;
    }

    return sum;
}

static double series_cosine(double x) {
    const double square = x * x;
    double term = 1, sum = 1;
    for (int n = 1; n <= 17; n += 2) {
        term *= -square / (double)(n * (n + 1));
        sum += term;
    }

    return sum;
}

void vni_scene_turn(double degrees, double* sine, double* cosine) {
    // Whole turns first, in degrees, where that is exact; then the nearest quarter.
    const double rest = degrees - 360 * floor(degrees / 360);
    const double quarters = floor(rest / 90 + 0.5);
    const double x = (rest - 90 * quarters) * (3.14159265358979323846 / 180);
    const double s = series_sine(x), c = series_cosine(x);
    const int quadrant = (int)quarters & 3;

    *sine = quadrant == 0 ? s : quadrant == 1 ? c : quadrant == 2 ? -s : -c;
    *cosine = quadrant == 0 ? c : quadrant == 1 ? -s : quadrant == 2 ? -c : s;
}
