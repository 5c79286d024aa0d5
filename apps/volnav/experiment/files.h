/// volnav/experiment/files.h: the folder that an experiment writes to, and files of numbers in it.
#ifndef EXPERIMENT_FILES_H
#define EXPERIMENT_FILES_H

#include <stdbool.h>

#include "draw/svg.h"
#include "shell/system.h"

enum { FILES_MAX = 96 };

/// What has been written so far. Make it with files_open.
typedef struct files_folder {
    const char* path;
    char* names[FILES_MAX];
    int count;
} files_folder;

/// Makes the folder and those above it where they are missing. EXIT_BAD after a message.
int files_open(const char* path, files_folder* out);
void files_close(files_folder* folder);

/// Writes a text as one file of the folder. EXIT_BAD after a message.
int files_write(files_folder* folder, const char* name, const svg_text* text);

/// A table of numbers: a line of heads, then rows. Make it with files_begin_csv.
typedef struct files_csv {
    svg_text text;
    bool filled; ///< something stands in this row
} files_csv;

/// `heads`: the names of the columns with commas between them.
files_csv files_begin_csv(const char* heads);
void files_csv_text(files_csv* csv, const char* value); ///< commas and quotes are guarded
void files_csv_real(files_csv* csv, double value);      ///< empty if not finite
void files_csv_end_row(files_csv* csv);

/// Writes and frees it. EXIT_BAD after a message.
int files_write_csv(files_folder* folder, const char* name, files_csv* csv);

#endif
