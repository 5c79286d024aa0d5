/// volnav/draw/cockpit.c: finds the page, and puts a file into it as text of base 64.
#include "draw/cockpit.h"

#include <stdlib.h>
#include <string.h>

#include "draw/svg.h"
#include "shell/system.h"

#define MOST_BYTES ((size_t)64 << 20)

// -------------------------------------------------------------------------------------------------- finding

/// Is there a file `folder`/`name`? Its path goes to `out`.
static bool is_there(const char* folder, const char* name, char* out) {
    const int length = snprintf(out, VN_PATH_SIZE, "%s%s", folder, name);
    return length > 0 && length < VN_PATH_SIZE && system_file_size(out) > 0;
}

int cockpit_find(char* out) {
    static const char* const places[] = {"/cockpit.html", "/../out/cockpit.html",
                                         "/../share/volnav/cockpit.html"};
    const char* chosen = getenv("VOLNAV_COCKPIT");
    if (chosen != NULL && chosen[0] != '\0') {
        return is_there(chosen, "", out)
                   ? EXIT_DONE
                   : say_bad("VOLNAV_COCKPIT: %s is not there, or empty; make cockpit-build makes the page",
                             chosen);
    }

    char folder[VN_PATH_SIZE];
    const bool has_folder = system_own_folder(folder);
    for (size_t i = 0; has_folder && i < sizeof places / sizeof *places; ++i) {
        if (is_there(folder, places[i], out)) {
            return EXIT_DONE;
        }
    }

    return say_bad(
        "the page of the cockpit is missing. In volnav's sources, make cockpit-build makes it "
        "(out/cockpit.html), and make install then installs it; VOLNAV_COCKPIT=PAGE names another");
}

// -------------------------------------------------------------------------------------------------- writing

/// Three bytes become four letters; what is missing at the end becomes '='.
static void write_base64(FILE* out, const uint8_t* bytes, size_t size) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t group = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (left > 2 ? (uint32_t)bytes[i + 2] : 0);
        fputc(letters[group >> 18], out);
        fputc(letters[group >> 12 & 63], out);
        fputc(left > 1 ? letters[group >> 6 & 63] : '=', out);
        fputc(left > 2 ? letters[group & 63] : '=', out);
    }
}

static void write_file(FILE* out, const cockpit_file* file) {
    svg_text name = {0};
    svg_add_escaped(&name, file->name);
    fputs("<script type=\"application/octet-stream\" id=\"volnav-file\" data-name=\"", out);
    fwrite(name.data, 1, name.size, out);
    fputs("\">", out);
    write_base64(out, file->bytes, file->size);
    fputs("</script>", out);
    svg_free(&name);
}

/// The comment in which the page waits for a file: where it begins and where it ends.
static bool find_place(const char* page, const char** begin, const char** end) {
    *begin = strstr(page, "<!-- volnav-file");
    *end = *begin != NULL ? strstr(*begin, "-->") : NULL;
    if (*end != NULL) {
        *end += 3;
    }
    return *end != NULL;
}

int cockpit_write(const char* path, const cockpit_file* file, const char* output) {
    system_bytes page;
    int code = system_read(path, MOST_BYTES, &page);
    if (code != EXIT_DONE) {
        return code;
    }

    const char *begin = NULL, *end = NULL;
    const char* text = (const char*)page.data;
    system_output out;
    if (!find_place(text, &begin, &end)) {
        code = say_bad("%s is not the page of the cockpit; make cockpit-build makes it", path);
    } else {
        code = system_create(output, &out);
    }

    if (code == EXIT_DONE) {
        fwrite(text, 1, (size_t)(begin - text), out.file);
        if (file->bytes != NULL) {
            write_file(out.file, file);
        } else {
            fwrite(begin, 1, (size_t)(end - begin), out.file);
        }
        fwrite(end, 1, page.size - (size_t)(end - text), out.file);
        code = system_commit(&out);
    }

    free(page.data);
    return code;
}
