/// base/fail.c: formatting without stdio, error details, the log.
#include "base/fail.h"

#include "base/assert.h"
#include <string.h>

#define VNI_LOG_LINE 512

// ------------------------------------------------------------------------------------------ output

/// Text, truncated at the end of the buffer.
typedef struct writer {
    char* out;
    size_t size; ///< including the terminating null
    size_t length;
} writer;

static void put_char(writer* w, char c) {
    if (w->length + 1 < w->size)
        w->out[w->length++] = c;
}

static void put_part(writer* w, const char* text, size_t most) {
    for (const char* c = text != NULL ? text : "(null)"; most > 0 && *c; ++c, --most)
        put_char(w, *c);
}

static void put_text(writer* w, const char* text) {
    put_part(w, text, SIZE_MAX);
}

static void put_unsigned(writer* w, unsigned long long value) {
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
    put_unsigned(w, value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value);
}

// ----------------------------------------------------------------------------------------- doubles

/// A finite double, exactly, in limbs of nine decimal digits, the most significant first. The decimal point
/// is before limb VNI_INTEGER_LIMBS: the largest double has 309 digits before the point, the smallest 1074
/// after it.
///
///     [ 0 ] ... [34] . [35] ... [154]
#define VNI_INTEGER_LIMBS  35
#define VNI_FRACTION_LIMBS 120
#define VNI_LIMBS          (VNI_INTEGER_LIMBS + VNI_FRACTION_LIMBS)
#define VNI_LIMB           1000000000u
#define VNI_LIMB_DIGITS    9
#define VNI_DIGITS         9 ///< significant digits to print

typedef struct decimal {
    uint32_t limbs[VNI_LIMBS];
} decimal;

static void multiply_by_two_to(decimal* d, int power) {
    // Steps of 2^29 keep limb times step plus carry below 2^64; only whole numbers are multiplied.
    while (power > 0) {
        int step = power < 29 ? power : 29;
        uint64_t carry = 0;
        for (int i = VNI_INTEGER_LIMBS - 1; i >= 0; --i) {
            uint64_t x = ((uint64_t)d->limbs[i] << step) + carry;
            d->limbs[i] = (uint32_t)(x % VNI_LIMB);
            carry = x / VNI_LIMB;
        }

        VNI_ASSERT(carry == 0);

        power -= step;
    }
}

static void divide_by_two_to(decimal* d, int power) {
    while (power > 0) {
        // 2^9 divides the base of a limb, 10^9, so the remainder of a limb carries into the next one exactly.
        int step = power < VNI_LIMB_DIGITS ? power : VNI_LIMB_DIGITS;
        uint32_t carry = 0;
        for (int i = 0; i < VNI_LIMBS; ++i) {
            uint32_t rest = d->limbs[i] & ((1u << step) - 1);
            d->limbs[i] = (d->limbs[i] >> step) + carry;
            carry = rest * (VNI_LIMB >> step);
        }

        VNI_ASSERT(carry == 0);

        power -= step;
    }
}

/// mantissa * 2^power
static void write_out(decimal* d, uint64_t mantissa, int power) {
    memset(d, 0, sizeof *d);
    d->limbs[VNI_INTEGER_LIMBS - 1] = (uint32_t)(mantissa % VNI_LIMB);
    d->limbs[VNI_INTEGER_LIMBS - 2] = (uint32_t)(mantissa / VNI_LIMB);
    if (power > 0)
        multiply_by_two_to(d, power);
    else
        divide_by_two_to(d, -power);
}

/// The decimal digit at `index`, counted from the first digit of the first limb.
static uint32_t digit_at(const decimal* d, int index) {
    if (index >= VNI_LIMBS * VNI_LIMB_DIGITS)
        return 0;
    uint32_t limb = d->limbs[index / VNI_LIMB_DIGITS];
    for (int i = index % VNI_LIMB_DIGITS; i < VNI_LIMB_DIGITS - 1; ++i)
        limb /= 10;
    return limb % 10;
}

static bool all_zero_from(const decimal* d, int index) {
    for (int i = index; i < VNI_LIMBS * VNI_LIMB_DIGITS; ++i) {
        if (digit_at(d, i) != 0)
            return false;
    }
    return true;
}

/// The first nine significant digits as a number, rounded half to even, and the power of ten of the first
/// one.
static uint32_t round_digits(const decimal* d, int* exponent) {
    int first = 0;
    while (digit_at(d, first) == 0)
        ++first;

    uint32_t digits = 0;
    for (int i = 0; i < VNI_DIGITS; ++i)
        digits = digits * 10 + digit_at(d, first + i);

    uint32_t next = digit_at(d, first + VNI_DIGITS);
    bool tie = next == 5 && all_zero_from(d, first + VNI_DIGITS + 1);
    if (tie ? (digits & 1) != 0 : next >= 5)
        ++digits;

    *exponent = VNI_INTEGER_LIMBS * VNI_LIMB_DIGITS - 1 - first;
    if (digits == VNI_LIMB) { // 999999999.5 and more became 10^9
        digits /= 10;
        ++*exponent;
    }

    return digits;
}

/// Writes `count` digits with the decimal point after the first `whole` of them; if `whole` is 0 or less,
/// zeros come first.
static void put_digits(writer* w, uint32_t digits, int count, int whole) {
    char text[VNI_DIGITS];
    for (int i = count - 1; i >= 0; --i) {
        text[i] = (char)('0' + digits % 10);
        digits /= 10;
    }

    for (int i = whole < 1 ? whole - 1 : 0; i < count || i < whole; ++i) {
        if (i == whole)
            put_char(w, '.');
        put_char(w, i >= 0 && i < count ? text[i] : '0');
    }
}

static void put_exponent(writer* w, int exponent) {
    put_char(w, 'e');
    put_char(w, exponent < 0 ? '-' : '+');
    uint32_t size = (uint32_t)(exponent < 0 ? -exponent : exponent);
    if (size < 10)
        put_char(w, '0');
    put_unsigned(w, size);
}

static void put_nonzero(writer* w, uint64_t mantissa, int power) {
    VNI_ASSERT(mantissa != 0);

    decimal d;
    write_out(&d, mantissa, power);
    int exponent, count = VNI_DIGITS;
    uint32_t digits = round_digits(&d, &exponent);
    for (; digits % 10 == 0; --count)
        digits /= 10;

    VNI_ASSERT(count > 0);

    if (exponent >= -4 && exponent < VNI_DIGITS) {
        put_digits(w, digits, count, exponent + 1);
    } else {
        put_digits(w, digits, count, 1);
        put_exponent(w, exponent);
    }
}

static void put_double(writer* w, double value) {
    _Static_assert(sizeof(double) == 8, "doubles are IEEE binary64");
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t mantissa = bits & 0xfffffffffffffu;
    int power = (int)(bits >> 52 & 0x7ff);

    if (power == 0x7ff && mantissa != 0) {
        put_text(w, "nan");
        return;
    }

    if (bits >> 63)
        put_char(w, '-');

    if (power == 0x7ff)
        put_text(w, "inf");
    else if (power == 0 && mantissa == 0)
        put_char(w, '0');
    else if (power == 0) // subnormal: no implicit leading bit
        put_nonzero(w, mantissa, -1074);
    else
        put_nonzero(w, mantissa | 0x10000000000000u, power - 1075);
}

// ------------------------------------------------------------------------------------------ format

/// A va_list in a struct, because a va_list may be an array: a pointer to it cannot be passed portably.
typedef struct arguments {
    va_list list;
} arguments;

static void put_integer(writer* w, char kind, int longs, bool is_size, arguments* from) {
    if (kind == 'd') {
        put_signed(w, longs == 2   ? va_arg(from->list, long long)
                      : longs == 1 ? va_arg(from->list, long)
                                   : va_arg(from->list, int));
    } else {
        put_unsigned(w, is_size      ? va_arg(from->list, size_t)
                        : longs == 2 ? va_arg(from->list, unsigned long long)
                        : longs == 1 ? va_arg(from->list, unsigned long)
                                     : va_arg(from->list, unsigned));
    }
}

/// Most characters of a text, as in "%.30s", and where the conversion goes on.
static const char* read_most(const char* format, size_t* most) {
    *most = SIZE_MAX;
    if (*format != '.')
        return format;
    for (*most = 0, ++format; *format >= '0' && *format <= '9'; ++format)
        *most = 10 * *most + (size_t)(*format - '0');
    return format;
}

/// Writes the conversion after a percent sign; returns its last character.
static const char* put_conversion(writer* w, const char* format, arguments* from) {
    size_t most;
    format = read_most(format, &most);
    bool is_size = *format == 'z';
    int longs = 0;
    if (is_size)
        ++format;
    while (*format == 'l' && longs < 2) {
        ++longs;
        ++format;
    }

    VNI_ASSERT(*format != 0 && strchr("duscg%", *format) != NULL);
    switch (*format) {
    case 'd':
    case 'u': put_integer(w, *format, longs, is_size, from); break;
    case 's': put_part(w, va_arg(from->list, const char*), most); break;
    case 'c': put_char(w, (char)va_arg(from->list, int)); break;
    case 'g': put_double(w, va_arg(from->list, double)); break;
    case '%': put_char(w, '%'); break;
    default: return format - 1;
    }
    return format;
}

size_t vni_format_list(char* out, size_t size, const char* format, va_list list) {
    VNI_ASSERT(out != NULL && size > 0 && format != NULL);

    writer w = {out, size, 0};
    arguments from;
    va_copy(from.list, list);
    for (const char* c = format; *c; ++c) {
        if (*c != '%')
            put_char(&w, *c);
        else
            c = put_conversion(&w, c + 1, &from);
    }

    va_end(from.list);
    out[w.length] = 0;
    return w.length;
}

size_t vni_format(char* out, size_t size, const char* format, ...) {
    va_list list;
    va_start(list, format);
    size_t length = vni_format_list(out, size, format, list);
    va_end(list);
    return length;
}

// ----------------------------------------------------------------------------------------- failing

static vn_status fill_detail(vn_detail* detail, vn_status status, uint32_t line, uint64_t index,
                             const char* format, va_list list) {
    VNI_ASSERT(status != VN_OK && (uint32_t)status < VN_STATUS_COUNT);
    if (detail != NULL) {
        detail->status = status;
        detail->line = line;
        detail->index = index;
        vni_format_list(detail->text, sizeof detail->text, format, list);
    }

    return status;
}

vn_status vni_fail(vn_detail* detail, vn_status status, const char* format, ...) {
    va_list list;
    va_start(list, format);
    fill_detail(detail, status, 0, VN_NO_INDEX, format, list);
    va_end(list);
    return status;
}

vn_status vni_fail_index(vn_detail* detail, vn_status status, uint64_t index, const char* format, ...) {
    va_list list;
    va_start(list, format);
    fill_detail(detail, status, 0, index, format, list);
    va_end(list);
    return status;
}

vn_status vni_fail_line(vn_detail* detail, vn_status status, uint32_t line, const char* format, ...) {
    va_list list;
    va_start(list, format);
    fill_detail(detail, status, line, VN_NO_INDEX, format, list);
    va_end(list);
    return status;
}

// --------------------------------------------------------------------------------------------- log

static vn_log_handler* log_handler;
static void* log_user;

void vn_set_log_handler(vn_log_handler* handler, void* user) {
    log_handler = handler;
    log_user = user;
}

void vni_log(vn_log_level level, const char* format, ...) {
    if (log_handler == NULL)
        return;

    char line[VNI_LOG_LINE];
    va_list list;
    va_start(list, format);
    vni_format_list(line, sizeof line, format, list);
    va_end(list);
    log_handler(log_user, level, line);
}
