/// volnav/experiment/files.c: folders and files of numbers.
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif
#include "experiment/files.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#ifdef _WIN32
#include <direct.h>
#endif

#include "shell/json.h"

/// True if the folder is there in the end; else errno says why not.
static bool make_folder(const char* path) {
    struct stat about;
#ifdef _WIN32
    const bool made = _mkdir(path) == 0;
#else
    const bool made = mkdir(path, 0777) == 0;
#endif
    if (made || errno != EEXIST) {
        return made;
    }
    const bool folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    errno = folder ? errno : ENOTDIR;
    return folder;
}

static char* copy_of(const char* text) {
    char* out = say_alloc(strlen(text) + 1, 1);
    memcpy(out, text, strlen(text) + 1);
    return out;
}

int files_open(const char* path, files_folder* out) {
    *out = (files_folder){.path = path};
    char* part = copy_of(path);
    bool made = true;
    for (size_t i = 1; made && path[i - 1] != '\0'; ++i) {
        if (path[i] == '/' || path[i] == '\0') {
            part[i] = '\0';
            made = make_folder(part);
            part[i] = path[i];
        }
    }

    free(part);
    return made ? EXIT_DONE : say_bad("%s: the folder cannot be made: %s", path, strerror(errno));
}

void files_close(files_folder* folder) {
    for (int i = 0; i < folder->count; ++i) {
        free(folder->names[i]);
    }
    folder->count = 0;
}

int files_write(files_folder* folder, const char* name, const svg_text* text) {
    assert(folder->count < FILES_MAX);
    const size_t size = strlen(folder->path) + strlen(name) + 2;
    char* path = say_alloc(size, 1);
    system_output out;
    snprintf(path, size, "%s/%s", folder->path, name);

    int code = system_create(path, &out);
    if (code == EXIT_DONE) {
        fwrite(text->data, 1, text->size, out.file);
        code = system_commit(&out);
    }

    if (code == EXIT_DONE) {
        folder->names[folder->count++] = copy_of(name);
    }

    free(path);
    return code;
}

files_csv files_begin_csv(const char* heads) {
    files_csv csv = {.filled = false};
    svg_add(&csv.text, "%s\n", heads);
    return csv;
}

static void separate(files_csv* csv) {
    if (csv->filled) {
        svg_add_char(&csv->text, ',');
    }
    csv->filled = true;
}

void files_csv_text(files_csv* csv, const char* value) {
    separate(csv);
    const bool guarded = strpbrk(value, ",\"\n") != NULL;
    if (!guarded) {
        svg_add(&csv->text, "%s", value);
        return;
    }

    svg_add_char(&csv->text, '"');
    for (; *value != '\0'; ++value) {
        if (*value == '"') {
            svg_add_char(&csv->text, '"');
        }
        svg_add_char(&csv->text, *value);
    }

    svg_add_char(&csv->text, '"');
}

void files_csv_real(files_csv* csv, double value) {
    char text[32] = "";
    separate(csv);
    if (isfinite(value)) {
        json_format_real(value, text);
    }
    svg_add(&csv->text, "%s", text);
}

void files_csv_end_row(files_csv* csv) {
    svg_add_char(&csv->text, '\n');
    csv->filled = false;
}

int files_write_csv(files_folder* folder, const char* name, files_csv* csv) {
    assert(!csv->filled);
    const int code = files_write(folder, name, &csv->text);
    svg_free(&csv->text);
    return code;
}
