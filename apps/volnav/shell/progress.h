/// volnav/shell/progress.h: a bar on standard error, only when that is a terminal.
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>

/// Make it with progress_begin. One thread at a time.
typedef struct progress_bar {
    bool shown; ///< may be drawn at all
    bool drawn; ///< something stands on the line now
    double last;
} progress_bar;

/// `quiet` never draws.
progress_bar progress_begin(bool quiet);

/// A vn_progress: `user` is a progress_bar. Draws at most ten times a second. Always returns true.
bool progress_report(void* user, const char* stage, double fraction);

/// Erases the bar.
void progress_end(progress_bar* bar);

#endif
