/// io/lines.h: text as words on numbered lines, through a fixed buffer. Words are parted by blanks, tabs and
/// returns; lines end with a newline or with the text. Lines and runs of blanks may be of any length; a word
/// that is longer than VNI_LINES_LONGEST is cut into several, so that each token costs no more than that.
#ifndef VNI_IO_LINES_H
#define VNI_IO_LINES_H

#include "io/common.h"

#define VNI_LINES_BUFFER  16384
#define VNI_LINES_WORD    48
#define VNI_LINES_LONGEST 65536

/// Whole numbers saturate here.
#define VNI_LINES_INTEGER_LIMIT ((int64_t)1000000000000000000)

typedef enum vni_token {
    VNI_TOKEN_WORD,
    VNI_TOKEN_LINE_END,
    VNI_TOKEN_TEXT_END,
    VNI_TOKEN_ERROR ///< the source failed
} vni_token;

typedef struct vni_lines {
    const vn_source* source;
    size_t position, end; ///< of what is left in the buffer
    uint32_t line;        ///< of the last token, from 1
    uint32_t next_line;   ///< of the next byte
    bool finished, failed;
    size_t length; ///< of the last word; it may be longer than what `word` keeps of it
    char word[VNI_LINES_WORD];
    unsigned char buffer[VNI_LINES_BUFFER];
} vni_lines;

void vni_lines_begin(vni_lines* lines, const vn_source* source);

/// The next token. After the last line end, or without one, VNI_TOKEN_TEXT_END, again and again.
vni_token vni_lines_next(vni_lines* lines);

/// The next word, whatever blank lines come before it; else VNI_TOKEN_TEXT_END or VNI_TOKEN_ERROR.
vni_token vni_lines_next_word(vni_lines* lines);

/// The next line that is not blank, from its first to its last byte that is not, into `out`. `*length` is its
/// full length, or VNI_LINES_LONGEST if it is longer; if that is above `size` - 1, `out` holds the beginning.
/// VNI_TOKEN_WORD, VNI_TOKEN_TEXT_END or VNI_TOKEN_ERROR. The line end itself is left.
vni_token vni_lines_next_text(vni_lines* lines, char* out, size_t size, size_t* length);

/// The next byte, not taken yet; -1 if there is none. lines->failed says why.
int vni_lines_peek(vni_lines* lines);

/// The same, taken. Neither counts lines.
int vni_lines_byte(vni_lines* lines);

/// Is the last word this one?
bool vni_lines_word_is(const vni_lines* lines, const char* word);

/// The last word as a whole number; false if it is none. Saturates at +-VNI_LINES_INTEGER_LIMIT.
bool vni_lines_integer(const vni_lines* lines, int64_t* out);

/// A text as a decimal number (digits, one point, exponent); false if it is none. The same in every locale.
/// Correctly rounded up to 15 digits and exponents within +-22, beyond that to about 1e-15 of its size;
/// infinity if it is too large. No names such as nan.
bool vni_text_decimal(const char* text, double* out);

/// The last word as a decimal number; false if it is none, or longer than what `word` keeps.
bool vni_lines_decimal(const vni_lines* lines, double* out);

/// Reads `count` whole numbers; the first is the last word already. `what` names the record in errors.
vn_status vni_lines_integers(vni_lines* lines, const char* what, uint32_t count, int64_t* out,
                             vn_detail* detail);

/// The next token must be a word.
vn_status vni_lines_expect_word(vni_lines* lines, const char* what, vn_detail* detail);

/// The next token must end the line or the text.
vn_status vni_lines_expect_end(vni_lines* lines, const char* what, vn_detail* detail);

/// VN_BAD_FORMAT for the last word: "<what>: '<word>' is not <wanted>".
vn_status vni_lines_refuse(const vni_lines* lines, const char* what, const char* wanted, vn_detail* detail);

/// VN_IO: the source failed.
vn_status vni_lines_failed(const vni_lines* lines, vn_detail* detail);

#endif
