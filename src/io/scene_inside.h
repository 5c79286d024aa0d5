/// io/scene_inside.h: a scene while it is read: shared by scene.c, which goes through its lines,
/// scene_commands.c, which runs one of them, and scene_words.c, which reads words.
#ifndef VNI_IO_SCENE_INSIDE_H
#define VNI_IO_SCENE_INSIDE_H

#include "io/common.h"

#define VNI_SCENE_MAX_OBSTACLES 1000000u
#define VNI_SCENE_MAX_POINTS    4096u /* of a hull */

typedef struct vni_scene_line {
    uint32_t number;
    uint32_t first, count; ///< its words, one or more
    uint32_t steps;        ///< what running it counts as, see steps_of
    uint32_t end;          ///< of a repeat: the line of its end; the number of lines if it has none
} vni_scene_line;

typedef struct vni_scene_reader {
    const vn_scene_text_def* def;
    vn_scene_text* out;
    vn_detail* detail;
    vn_allocator allocator;
    char* text; ///< words are ended by zero bytes
    uint64_t text_size, text_capacity;
    uint32_t* words; ///< where each begins in the text
    uint64_t word_count, word_capacity;
    vni_scene_line* lines;
    uint64_t line_count, line_capacity;
    uint64_t route_capacity;
    uint32_t nesting;
    uint32_t flags; ///< of the obstacles that follow
    bool is_zone;   ///< the shape that is read now is a zone
    double factor;  ///< of that zone
} vni_scene_reader;

// -------------------------------------------------------------------------------------------------- words

/// Word `at` of the line.
const char* vni_scene_word(const vni_scene_reader* in, const vni_scene_line* line, uint32_t at);

/// VN_BAD_FORMAT at this line.
vn_status vni_scene_wrong(const vni_scene_reader* in, const vni_scene_line* line, const char* reason);

/// `count` finite numbers from word `at` of the line.
vn_status vni_scene_numbers(const vni_scene_reader* in, const vni_scene_line* line, uint32_t at,
                            uint32_t count, double* out);

/// The whole text as digits; false otherwise, or beyond 2^64.
bool vni_scene_count(const char* text, uint64_t* out);

/// The word of `words` (ended by null) that is nearest to `text` by edits; null if half of its letters would
/// have to change, or more.
const char* vni_scene_nearest(const char* text, const char* const* words);

/// Sine and cosine of an angle in degrees, to about 1e-15; the same bits on every machine, exact at multiples
/// of 90 degrees.
void vni_scene_turn(double degrees, double* sine, double* cosine);

// ----------------------------------------------------------------------------------------------- commands

/// Runs one line, which is not a `repeat`; `shift` is that of the repeats around it.
vn_status vni_scene_run_line(vni_scene_reader* in, const vni_scene_line* line, const double* shift);

#endif
