/// volnav/input/scene_inside.h: a scene while it is read: shared by scene.c, which goes through its lines,
/// and scene_commands.c, which runs one of them.
#ifndef SCENE_INSIDE_H
#define SCENE_INSIDE_H

#include "input/scene.h"

#define SCENE_MAX_OBSTACLES 1000000u

typedef struct scene_line {
    uint32_t number;
    size_t first, count; ///< its words
} scene_line;

/// A scene while it is read.
typedef struct scene_reader {
    vn_world* world;
    const char* path;
    const import_options* meshes;
    say_warnings* warnings;
    import_report* report;
    scene_info* out;
    char* text;
    char** words;
    scene_line* lines;
    size_t word_count, line_count;
    int nesting;
    uint64_t steps;
    uint32_t flags; ///< of the obstacles that follow
    bool is_zone;   ///< the shape that is read now is a zone
    double factor;  ///< of that zone
} scene_reader;

/// EXIT_BAD, after a message with file, line and reason.
int scene_wrong(const scene_reader* in, const scene_line* line, const char* reason);

/// `count` numbers from word `at` of the line. EXIT_BAD after a message.
int scene_numbers(const scene_reader* in, const scene_line* line, size_t at, size_t count, double* out);

/// Runs one line, which is not a `repeat`; `shift` is that of the repeats around it.
int scene_run_line(scene_reader* in, const scene_line* line, const double* shift);

#endif
