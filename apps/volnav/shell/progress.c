/// volnav/shell/progress.c: the bar.
#include "shell/progress.h"

#include <stdio.h>

#include "shell/system.h"

progress_bar progress_begin(bool quiet) {
    return (progress_bar){.shown = !quiet && system_terminal(), .last = system_wall_seconds()};
}

bool progress_report(void* user, const char* stage, double fraction) {
    progress_bar* bar = user;
    const double now = system_wall_seconds();
    if (!bar->shown || now - bar->last < 0.1) {
        return true;
    }

    enum { WIDTH = 32 };
    char cells[WIDTH + 1];
    const int full = (int)(fraction * WIDTH);
    for (int i = 0; i < WIDTH; ++i) {
        cells[i] = i < full ? '#' : '.';
    }

    cells[WIDTH] = '\0';
    fprintf(stderr, "\r\033[K%-24.24s [%s] %3d %%", stage, cells, (int)(fraction * 100));
    fflush(stderr);
    bar->drawn = true;
    bar->last = now;

    return true;
}

void progress_end(progress_bar* bar) {
    if (bar->drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    bar->drawn = false;
}
