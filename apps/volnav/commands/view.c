/// volnav/commands/view.c: the command view.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "commands/run_file.h"
#include "draw/cockpit.h"
#include "input/load.h"
#include "shell/system.h"
#include "volnav/io.h"

/// Of a file that goes into the page. The page holds it three times while it opens: as text, as bytes, and
/// read.
#define MOST_BYTES ((size_t)256 << 20)

static const char help[] =
    "Usage: volnav view [IN] [-o PAGE.html] [--no-open]\n"
    "\n"
    "Writes the cockpit, one HTML page with the whole library in it, with your own\n"
    "file inside, and opens it in a browser: look at the space, search it step by\n"
    "step, fly in it. The page needs no server and no network; send it to a colleague\n"
    "as it is. Without IN it opens the cockpit as it was built.\n"
    "\n"
    "A .vnav, .vnrec, .3dmap, .bt or .scene goes in as it is. Everything else (a\n"
    "mesh, a Quake .map, an .ot, a scene that names meshes) is baked first, and so is\n"
    "any input for which options describe the space. A mesh without --resolution gets\n"
    "at most 256 voxels along its longest side, and without --bounds or --margin\n"
    "eight voxels of space around it.\n"
    "\n"
    "  -o, --output F.html  where the page goes (IN.html in this folder)\n"
    "  --no-open            write it, and open nothing\n"
    "\n";

static const char help_end[] =
    "\n"
    "Examples:\n"
    "  volnav view samples/scenes/station.scene\n"
    "  volnav view house.glb --resolution 0.1 --radius 0.3 --solid\n"
    "  volnav query ship.vnav --from 0,2,0 --to 9,2,4 --record bug.vnrec\n"
    "  volnav view bug.vnrec\n"
    "\n"
    "The page is built by make cockpit-build; VOLNAV_COCKPIT=PAGE names another one.\n"
    "\n"
    "JSON: input, output, bytes, file (its name in the page), file_bytes, opened,\n"
    "warnings.\n"
    "\n"
    "Exit codes: 0 done; 2 bad usage or bad input.\n";

typedef struct view_options {
    load_options load;
    const char* output;
    bool no_open;
} view_options;

/// What goes into the page. Free with content_free.
typedef struct content {
    char name[256]; ///< in the page
    system_bytes bytes;
    loaded in; ///< for its warnings
} content;

static void content_free(content* c) {
    free(c->bytes.data);
    load_free(&c->in);
}

// -------------------------------------------------------------------------------------------------- as it is

/// Does an option say how the space is to be made?
static bool describes_space(const load_options* o) {
    return o->has_resolution || o->has_bounds || o->has_seed || o->has_margin || o->has_scale || o->has_up ||
           o->has_unknown || o->solid || o->hull || o->radii.count > 0 || o->open.count > 0;
}

static bool is_record(const char* path) {
    return system_ends_with(path, ".vnrec");
}

/// Reads a record as the page will: what is refused there is refused here, with the reason.
static int check_record(const char* path) {
    vn_detail detail = {0};
    const vn_load_def def = vn_default_load_def();
    vn_record* record = NULL;
    if (run_file_is(path)) {
        return EXIT_DONE;
    }

    const vn_status status = vn_record_load_file(path, &def, &record, &detail);
    vn_record_destroy(record);
    return status == VN_OK ? EXIT_DONE : say_status(path, status, &detail);
}

/// Can the page read this file itself? It has no importers for meshes.
static bool page_reads(const char* path, const loaded* in) {
    const bool is_kind =
        system_ends_with(path, ".3dmap") || system_ends_with(path, ".bt") || system_ends_with(path, ".scene");
    const bool has_files = in->report.meshes > 0 || in->report.has_map || in->report.brushes > 0;
    return is_kind && !(system_ends_with(path, ".scene") && has_files);
}

static int take_as_it_is(const char* path, content* out) {
    snprintf(out->name, sizeof out->name, "%s", load_file_name(path));
    return system_read(path, MOST_BYTES, &out->bytes);
}

// ----------------------------------------------------------------------------------------------------- baked

static bool append(void* user, const void* data, size_t size) {
    system_bytes* bytes = user;
    bytes->data = say_resize(bytes->data, bytes->size + size + 1, 1);
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    return true;
}

/// A size of voxels and a margin for a world that brings none.
static void choose_space(const loaded* in, load_options* o) {
    vn_box box;
    const bool has_own = in->scene.has_resolution || in->report.resolution > 0;
    if (!vn_world_get_bounds(in->world, &box)) {
        return;
    }

    const double sides[3] = {(double)box.max.x - (double)box.min.x, (double)box.max.y - (double)box.min.y,
                             (double)box.max.z - (double)box.min.z};
    const double rounded = load_round_resolution(fmax(sides[0], fmax(sides[1], sides[2])));
    if (!o->has_resolution && !has_own && rounded > 0) {
        o->resolution = rounded;
        o->has_resolution = true;
    }

    if (!o->has_bounds && !o->has_margin && !in->scene.has_bounds) {
        const double edge = o->has_resolution           ? o->resolution
                            : in->scene.has_resolution  ? in->scene.resolution
                            : in->report.resolution > 0 ? in->report.resolution
                                                        : 1;
        o->margin = 8 * edge;
        o->has_margin = true;
    }
}

static int take_baked(const char* path, const load_options* options, content* out) {
    load_options o = *options;
    choose_space(&out->in, &o);
    load_free(&out->in);
    const int code = load_input(path, &o, &out->in);
    if (code != EXIT_DONE) {
        return code;
    }

    vn_detail detail = {0};
    vn_store_def def = vn_default_store_def();
    const vn_codec codec = vn_zstd_codec(0);
    const vn_sink sink = {append, &out->bytes};
    def.codec = codec.pack != NULL ? &codec : NULL;
    def.connections = out->in.scene.connections;
    def.connection_count = out->in.scene.connection_count;
    def.comment = load_file_name(path);
    snprintf(out->name, sizeof out->name, "%.240s.vnav", load_file_name(path));
    const vn_status status = vn_layers_write(out->in.layers, &def, NULL, &sink, &detail);
    return status == VN_OK ? EXIT_DONE : say_status(path, status, &detail);
}

/// The file, checked, or what it is baked into.
static int take(const char* path, const load_options* options, content* out) {
    if (is_record(path) || load_is_vnav(path)) {
        const int code = is_record(path) ? check_record(path) : load_input(path, options, &out->in);
        return code == EXIT_DONE ? take_as_it_is(path, out) : code;
    }

    load_options first = *options;
    first.quiet = true; // what is baked is read again, and warns then
    const int code = load_world(path, &first, &out->in);
    if (code != EXIT_DONE) {
        return code;
    }

    return page_reads(path, &out->in) && !describes_space(options) ? take_as_it_is(path, out)
                                                                   : take_baked(path, options, out);
}

// ---------------------------------------------------------------------------------------------------- output

static void report(const view_options* o, const char* input, const char* output, const content* c,
                   bool opened) {
    char full[VN_PATH_SIZE];
    system_full_path(output, full);
    if (o->load.json) {
        json_writer json = json_open(stdout);
        json_begin_object(&json, NULL);
        json_text(&json, "input", input);
        json_text(&json, "output", output);
        json_count(&json, "bytes", system_file_size(output));
        json_text(&json, "file", input != NULL ? c->name : NULL);
        json_count(&json, "file_bytes", c->bytes.size);
        json_bool(&json, "opened", opened);
        load_write_warnings(&json, &c->in);
        json_end(&json);
    } else if (opened) {
        printf("%s: opened\n", full);
    } else {
        printf("Open it in a browser: file://%s\n", full);
    }
}

/// Writes the page and opens it. Without an input and an output the page itself is opened.
static int view(const view_options* o, const char* input) {
    char page[VN_PATH_SIZE], name[VN_PATH_SIZE];
    const char* output = o->output;
    content c = {0};
    int code = cockpit_find(page);
    if (code == EXIT_DONE && input != NULL) {
        code = take(input, &o->load, &c);
    }

    if (output == NULL && input != NULL) {
        snprintf(name, sizeof name, "%.4000s.html", load_file_name(input));
        output = name;
    }

    if (code == EXIT_DONE && output != NULL) {
        const cockpit_file file = {c.name, input != NULL ? c.bytes.data : NULL, c.bytes.size};
        code = cockpit_write(page, &file, output);
    }

    if (code == EXIT_DONE) {
        const char* shown = output != NULL ? output : page;
        report(o, input, shown, &c, !o->no_open && system_open(shown));
    }

    content_free(&c);
    return code;
}

int command_view(int argc, char** argv) {
    view_options o = {.load = load_defaults()};
    args_table table = {.command = "view", .positional_max = 1};
    load_add_options(&table, &o.load);
    args_add(&table, "--output", ARGS_TEXT, ARGS_ANY, &o.output, NULL);
    args_add(&table, "-o", ARGS_TEXT, ARGS_ANY, &o.output, NULL);
    args_add(&table, "--no-open", ARGS_FLAG, ARGS_ANY, &o.no_open, NULL);
    const int code = args_parse(&table, argc, argv);
    if (code != EXIT_DONE) {
        return code;
    }

    if (table.help) {
        fputs(help, stdout);
        fputs(load_help, stdout);
        fputs(help_end, stdout);
        return EXIT_DONE;
    }

    return view(&o, table.positional_count > 0 ? table.positional[0] : NULL);
}
