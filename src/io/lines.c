/// io/lines.c: the tokenizer behind the text formats.
#include "io/lines.h"
#include <string.h>

#define END_OF_TEXT (-1)

void vni_lines_begin(vni_lines* lines, const vn_source* source) {
    VNI_IO_ASSERT(source != NULL && source->read != NULL);
    lines->source = source;
    lines->position = lines->end = 0;
    lines->line = lines->next_line = 1;
    lines->finished = lines->failed = false;
    lines->length = 0;
    lines->word[0] = 0;
}

/// Fills the empty buffer; false at the end and after an error.
static bool refill(vni_lines* lines) {
    VNI_IO_ASSERT(lines->position == lines->end);
    if (lines->finished)
        return false;

    int64_t got = lines->source->read(lines->source->user, lines->buffer, sizeof lines->buffer);
    lines->failed = got < 0 || got > (int64_t)sizeof lines->buffer;
    lines->finished = got <= 0 || lines->failed;
    lines->position = 0;
    lines->end = lines->finished ? 0 : (size_t)got;

    return !lines->finished;
}

/// The next byte, not taken yet, or END_OF_TEXT.
static int peek(vni_lines* lines) {
    if (lines->position == lines->end && !refill(lines))
        return END_OF_TEXT;
    return lines->buffer[lines->position];
}

static bool is_blank(int byte) {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static bool ends_word(int byte) {
    return byte == END_OF_TEXT || byte == '\n' || is_blank(byte);
}

/// A word that never ends is given in pieces.
static void read_word(vni_lines* lines) {
    size_t length = 0;
    for (int byte = peek(lines); !ends_word(byte) && length < VNI_LINES_LONGEST; byte = peek(lines)) {
        if (length < VNI_LINES_WORD - 1)
            lines->word[length] = (char)byte;
        ++length;
        ++lines->position;
    }

    lines->word[length < VNI_LINES_WORD ? length : VNI_LINES_WORD - 1] = 0;
    lines->length = length;
}

/// Skips blanks and says what comes then; `line` is where it stands.
static vni_token classify(vni_lines* lines) {
    int byte = peek(lines);
    for (; is_blank(byte); byte = peek(lines))
        ++lines->position;

    lines->line = lines->next_line;
    if (byte == END_OF_TEXT)
        return lines->failed ? VNI_TOKEN_ERROR : VNI_TOKEN_TEXT_END;
    return byte == '\n' ? VNI_TOKEN_LINE_END : VNI_TOKEN_WORD;
}

static void take_line_end(vni_lines* lines) {
    VNI_IO_ASSERT(lines->buffer[lines->position] == '\n');
    ++lines->position;
    lines->next_line += lines->next_line < UINT32_MAX;
}

vni_token vni_lines_next(vni_lines* lines) {
    vni_token token = classify(lines);
    if (token == VNI_TOKEN_WORD)
        read_word(lines);
    else if (token == VNI_TOKEN_LINE_END)
        take_line_end(lines);
    return lines->failed ? VNI_TOKEN_ERROR : token; // a word that an error cut short is none
}

vni_token vni_lines_next_word(vni_lines* lines) {
    vni_token token = vni_lines_next(lines);
    while (token == VNI_TOKEN_LINE_END)
        token = vni_lines_next(lines);
    return token;
}

vni_token vni_lines_next_text(vni_lines* lines, char* out, size_t size, size_t* length) {
    VNI_IO_ASSERT(size > 0);
    vni_token token = classify(lines);
    for (; token == VNI_TOKEN_LINE_END; token = classify(lines))
        take_line_end(lines);

    size_t read = 0, trimmed = 0;
    for (int byte = peek(lines); byte != END_OF_TEXT && byte != '\n' && read < VNI_LINES_LONGEST;
         byte = peek(lines)) {
        if (read < size - 1)
            out[read] = (char)byte;
        ++read;
        ++lines->position;
        trimmed = is_blank(byte) ? trimmed : read;
    }

    out[trimmed < size ? trimmed : size - 1] = 0;
    *length = trimmed;
    return lines->failed ? VNI_TOKEN_ERROR : token;
}

int vni_lines_peek(vni_lines* lines) {
    return peek(lines);
}

int vni_lines_byte(vni_lines* lines) {
    int byte = peek(lines);
    lines->position += byte != END_OF_TEXT;
    return byte;
}

bool vni_lines_word_is(const vni_lines* lines, const char* word) {
    size_t length = strlen(word);
    VNI_IO_ASSERT(length < VNI_LINES_WORD);
    return lines->length == length && memcmp(lines->word, word, length) == 0;
}

// ---------------------------------------------------------------------------------------------- numbers

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Skips a sign; true if it is a minus.
static bool take_sign(const char** at) {
    bool negative = **at == '-';
    *at += negative || **at == '+';
    return negative;
}

/// Digits up to the first other character, saturating at `limit`; false if there are none.
static bool take_digits(const char** at, int64_t limit, int64_t* out) {
    VNI_IO_ASSERT(limit <= INT64_MAX / 10 * 10);
    const char* begin = *at;
    int64_t value = 0;
    for (; is_digit(**at); ++*at) {
        int64_t digit = **at - '0';
        value = value > (limit - digit) / 10 ? limit : 10 * value + digit;
    }

    *out = value;
    return *at != begin;
}

bool vni_lines_integer(const vni_lines* lines, int64_t* out) {
    if (lines->length >= VNI_LINES_WORD)
        return false;
    const char* at = lines->word;
    bool negative = take_sign(&at);
    int64_t value;

    if (!take_digits(&at, VNI_LINES_INTEGER_LIMIT, &value) || at != lines->word + lines->length)
        return false;
    *out = negative ? -value : value;
    return true;
}

/// Digits that a decimal number was read into: digits x 10^exponent.
typedef struct decimal {
    uint64_t digits;
    int64_t exponent;
    uint32_t count; ///< significant digits kept
    bool any;
} decimal;

/// The digits before or after the point; those beyond 19 significant ones only count for the exponent.
static void take_decimal_digits(const char** at, bool after_point, decimal* d) {
    for (; is_digit(**at); ++*at) {
        d->any = true;
        bool kept = d->count < 19;
        if (kept) {
            d->digits = 10 * d->digits + (uint64_t)(**at - '0');
            d->count += d->digits != 0;
        }

        d->exponent += (int)!kept - (int)after_point;
    }
}

/// digits x 10^exponent with one rounding if both are exact in double, else with one for each 22 powers of
/// ten.
static double decimal_value(const decimal* d) {
    double value = (double)d->digits;
    int64_t left = d->exponent < 0 ? -d->exponent : d->exponent;
    if (d->digits == 0)
        return 0;

    while (left > 0) {
        double power = 1;
        for (int64_t i = left < 22 ? left : 22; i > 0; --i, --left)
            power *= 10;
        value = d->exponent < 0 ? value / power : value * power;
    }

    return value;
}

bool vni_text_decimal(const char* text, double* out) {
    const char* at = text;
    bool negative = take_sign(&at);
    decimal d = {0};

    take_decimal_digits(&at, false, &d);
    if (*at == '.') {
        ++at;
        take_decimal_digits(&at, true, &d);
    }

    if (!d.any)
        return false;
    if (*at == 'e' || *at == 'E') {
        ++at;
        bool minus = take_sign(&at);
        int64_t exponent;
        if (!take_digits(&at, 1000, &exponent))
            return false;
        d.exponent += minus ? -exponent : exponent;
    }

    *out = negative ? -decimal_value(&d) : decimal_value(&d);
    return *at == 0;
}

/// A zero byte inside the word makes it none.
bool vni_lines_decimal(const vni_lines* lines, double* out) {
    return lines->length < VNI_LINES_WORD && strlen(lines->word) == lines->length &&
           vni_text_decimal(lines->word, out);
}

// ----------------------------------------------------------------------------------------------- records

vn_status vni_lines_failed(const vni_lines* lines, vn_detail* detail) {
    return vni_io_fail(detail, VN_IO, lines->line, "reading failed");
}

vn_status vni_lines_refuse(const vni_lines* lines, const char* what, const char* wanted, vn_detail* detail) {
    char shown[VNI_LINES_WORD];
    size_t i = 0;
    for (; i < lines->length && i < VNI_LINES_WORD - 1; ++i)
        shown[i] = lines->word[i] > ' ' && lines->word[i] < 127 ? lines->word[i] : '?';

    shown[i] = 0;
    return vni_io_fail(detail, VN_BAD_FORMAT, lines->line, "%s: '%s%s' is not %s", what, shown,
                       i < lines->length ? "..." : "", wanted);
}

vn_status vni_lines_expect_word(vni_lines* lines, const char* what, vn_detail* detail) {
    vni_token token = vni_lines_next(lines);
    if (token == VNI_TOKEN_WORD)
        return VN_OK;
    if (token == VNI_TOKEN_ERROR)
        return vni_lines_failed(lines, detail);

    const char* where = token == VNI_TOKEN_TEXT_END
                            ? "the text ends in the middle of the line: it may be truncated"
                            : "the line is too short";
    return vni_io_fail(detail, VN_BAD_FORMAT, lines->line, "%s: %s", what, where);
}

vn_status vni_lines_expect_end(vni_lines* lines, const char* what, vn_detail* detail) {
    vni_token token = vni_lines_next(lines);
    if (token == VNI_TOKEN_ERROR)
        return vni_lines_failed(lines, detail);
    return token == VNI_TOKEN_WORD
               ? vni_lines_refuse(lines, what, "expected: the line should end before it", detail)
               : VN_OK;
}

vn_status vni_lines_integers(vni_lines* lines, const char* what, uint32_t count, int64_t* out,
                             vn_detail* detail) {
    for (uint32_t i = 0; i < count; ++i) {
        vn_status status = i == 0 ? VN_OK : vni_lines_expect_word(lines, what, detail);
        if (status != VN_OK)
            return status;
        if (!vni_lines_integer(lines, &out[i]))
            return vni_lines_refuse(lines, what, "a whole number", detail);
    }

    return VN_OK;
}
