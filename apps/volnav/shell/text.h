/// volnav/shell/text.h: numbers and counts as people read them. JSON keeps full precision (json.h).
///
/// Each call returns a piece of text by value: printf("%s", text_metres(2.5, 1).s).
#ifndef TEXT_H
#define TEXT_H

#include <stdint.h>

#include "volnav/math.h"

typedef struct text_piece {
    char s[96];
} text_piece;

/// Metres with as many decimals as tell lattice points apart at this resolution, and no more: read back, a
/// coordinate gives the same lattice point.
text_piece text_metres(double metres, double resolution);

/// The same, rounded down: for what is promised to be at least so much.
text_piece text_at_least(double metres, double resolution);

/// Cubic metres, six digits, without an exponent up to a million million.
text_piece text_volume(double cubic_metres);

/// "x,y,z", as --from takes it.
text_piece text_point(vn_dvec3 p, double resolution);

/// "1 point", "2 points".
text_piece text_count(uint64_t count, const char* noun);

#endif
