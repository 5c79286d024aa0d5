/// volnav/shell/utf8.h: which bytes are text. Names of files and of objects may hold any bytes.
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>

/// Length of the UTF-8 sequence at `text` (null-terminated), 1 to 4; 0 if it is broken: a stray or missing
/// byte, a longer form than needed, half a surrogate pair, beyond U+10FFFF.
static inline size_t utf8_length(const char* text) {
    const unsigned char* s = (const unsigned char*)text;
    if (s[0] < 0x80) {
        return 1;
    }

    const size_t length = s[0] >= 0xc2 && s[0] < 0xe0   ? 2
                          : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                          : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                                        : 0;
    for (size_t i = 1; i < length; ++i) {
        if ((s[i] & 0xc0) != 0x80) {
            return 0;
        }
    }

    const unsigned pair = length > 2 ? (unsigned)s[0] << 8 | s[1] : 0;
    const int too_long = (pair >= 0xe080 && pair < 0xe0a0) || (pair >= 0xf080 && pair < 0xf090);
    const int no_character = (pair >= 0xeda0 && pair < 0xedc0) || (pair >= 0xf490 && pair < 0xf4c0);
    return too_long || no_character ? 0 : length;
}

#endif
