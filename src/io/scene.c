/// io/scene.c: reads scenes: text into lines of words, repeats, and limits on both.
#include "io/file.h"
#include "io/scene_inside.h"
#include <string.h>

#define COOKIE       0x5ce9e7e1u
#define MAX_BYTES    (16u << 20)
#define MAX_NESTING  16u
#define MAX_STEPS    10000000u /* lines run, with all repetitions */
#define BYTES_A_STEP 256u      /* a longer line counts as several */
#define PAIRS_A_STEP 1024u     /* of points of a hull */

vn_scene_text_def vn_default_scene_text_def(void) {
    return (vn_scene_text_def){.world = vn_default_world_def(), .cookie = COOKIE};
}

// --------------------------------------------------------------------------------------------------- text

static vn_status no_memory(const vni_scene_reader* in) {
    return vni_io_fail(in->detail, VN_OUT_OF_MEMORY, 0, "no memory to read a scene with");
}

/// All of the source, with a zero byte after it.
static vn_status load_text(vni_scene_reader* in, const vn_source* source) {
    for (;;) {
        if (in->text_size + 1 >= in->text_capacity &&
            !vni_io_grow(&in->allocator, &in->text, &in->text_capacity, 1))
            return no_memory(in);

        const size_t room = (size_t)(in->text_capacity - in->text_size) - 1;
        const int64_t got = source->read(source->user, in->text + in->text_size, room);
        if (got < 0 || got > (int64_t)room)
            return vni_io_fail(in->detail, VN_IO, 0, "reading failed");
        if (got == 0)
            break;

        in->text_size += (uint64_t)got;
        if (in->text_size > MAX_BYTES)
            return vni_io_fail(in->detail, VN_TOO_LARGE, 0, "a scene may have 16 MB at most");
    }

    in->text[in->text_size] = 0;
    return memchr(in->text, 0, (size_t)in->text_size) == NULL
               ? VN_OK
               : vni_io_fail(in->detail, VN_BAD_FORMAT, 0, "a zero byte: this is not a text file");
}

static bool is_blank(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static bool ends_word(char byte) {
    return byte == 0 || byte == '\n' || byte == '#' || is_blank(byte);
}

static bool add_word(vni_scene_reader* in, uint64_t begin) {
    if (in->word_count == in->word_capacity &&
        !vni_io_grow(&in->allocator, &in->words, &in->word_capacity, sizeof *in->words))
        return false;
    in->words[in->word_count++] = (uint32_t)begin;
    return true;
}

/// What running a line counts as: 1, and 1 for each 256 bytes of its text. The world compares each vertex of
/// a hull with each of its faces: a hull counts as the square of its points too.
static uint32_t steps_of(const vni_scene_reader* in, uint64_t first, uint64_t end) {
    const char* word = in->text + in->words[first];
    const uint64_t points = (in->word_count - first) / 3;
    const uint32_t steps = 1 + (uint32_t)(end - in->words[first]) / BYTES_A_STEP;
    if ((strcmp(word, "hull") != 0 && strcmp(word, "zone-hull") != 0) || points > VNI_SCENE_MAX_POINTS)
        return steps; // with more points it is refused
    return steps + (uint32_t)(points * points / PAIRS_A_STEP);
}

/// The line of the words from `first` on, if there are any; it ends at byte `end`.
static bool add_line(vni_scene_reader* in, uint32_t number, uint64_t first, uint64_t end) {
    if (in->word_count == first)
        return true;
    if (in->line_count == in->line_capacity &&
        !vni_io_grow(&in->allocator, &in->lines, &in->line_capacity, sizeof *in->lines))
        return false;

    in->lines[in->line_count++] = (vni_scene_line){.number = number,
                                                   .first = (uint32_t)first,
                                                   .count = (uint32_t)(in->word_count - first),
                                                   .steps = steps_of(in, first, end)};
    return true;
}

/// The words of the line that begins at `*at`, each ended by a zero byte; `*at` becomes its end.
static bool split_line(vni_scene_reader* in, uint64_t* at) {
    char* text = in->text;
    uint64_t i = *at;
    while (text[i] != 0 && text[i] != '\n' && text[i] != '#') {
        const uint64_t begin = i;
        while (!ends_word(text[i]))
            ++i;
        if (i > begin && !add_word(in, begin))
            return false;
        if (is_blank(text[i]))
            text[i++] = 0;
    }

    const uint64_t end = i;
    while (text[i] != 0 && text[i] != '\n')
        ++i;

    *at = i;
    text[end] = 0; // a comment may touch the last word
    return true;
}

static bool split(vni_scene_reader* in) {
    uint32_t number = 1;
    for (uint64_t at = 0; at < in->text_size; ++at, ++number) {
        const uint64_t first = in->word_count;
        if (!split_line(in, &at) || !add_line(in, number, first, at))
            return false;
        in->text[at] = 0; // the newline
    }

    return true;
}

// ------------------------------------------------------------------------------------------------- repeats

static bool line_is(const vni_scene_reader* in, const vni_scene_line* line, const char* word) {
    return strcmp(vni_scene_word(in, line, 0), word) == 0;
}

/// Gives each repeat the line of its end. Inner ones that are open keep, in `end`, the line of the one around
/// them until theirs is found: a stack without memory of its own.
static void match_ends(vni_scene_reader* in) {
    const uint32_t none = (uint32_t)in->line_count;
    uint32_t open = none;
    for (uint32_t i = 0; i < none; ++i) {
        if (line_is(in, &in->lines[i], "repeat")) {
            in->lines[i].end = open;
            open = i;
        } else if (open != none && line_is(in, &in->lines[i], "end")) {
            const uint32_t around = in->lines[open].end;
            in->lines[open].end = i;
            open = around;
        }
    }

    while (open != none) {
        const uint32_t around = in->lines[open].end;
        in->lines[open].end = none;
        open = around;
    }
}

/// What the lines come to with all repetitions.
typedef struct tally {
    uint64_t steps, obstacles;
    const vni_scene_line *step, *obstacle; ///< the last that counted as such
} tally;

static bool makes_obstacle(const char* word) {
    static const char* const words[] = {"box", "oriented", "sphere", "capsule", "cylinder", "hull", "mesh"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/// Is the head of a repeat in order? `*copies` is then its number.
static bool read_copies(const vni_scene_reader* in, const vni_scene_line* line, uint64_t* copies) {
    return line->count == 5 && vni_scene_count(vni_scene_word(in, line, 1), copies) &&
           *copies <= VNI_SCENE_MAX_OBSTACLES;
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/// Adds what a repeat contains.
static void add_copies(tally* sum, const tally* inner, uint64_t copies) {
    sum->steps += copies * least(inner->steps, MAX_STEPS + 1u);
    sum->obstacles += copies * least(inner->obstacles, VNI_SCENE_MAX_OBSTACLES + 1u);
    sum->step = inner->steps > 0 ? inner->step : sum->step;
    sum->obstacle = inner->obstacles > 0 ? inner->obstacle : sum->obstacle;
}

/// Counts before anything is run; both counts stop above their limits. A repeat that is wrong counts once,
/// because it is refused when it is run.
static tally count_lines(const vni_scene_reader* in, uint32_t first, uint32_t last, uint32_t depth) {
    tally sum = {0, 0, NULL, NULL};
    for (uint32_t i = first; i < last && sum.steps <= MAX_STEPS && sum.obstacles <= VNI_SCENE_MAX_OBSTACLES;
         ++i) {
        const vni_scene_line* line = &in->lines[i];
        uint64_t copies = 0;
        sum.steps += line->steps;
        sum.step = line;
        if (makes_obstacle(vni_scene_word(in, line, 0))) {
            ++sum.obstacles;
            sum.obstacle = line;
        }

        if (!line_is(in, line, "repeat"))
            continue;
        if (line->end < last && depth < MAX_NESTING && read_copies(in, line, &copies)) {
            const tally inner = count_lines(in, i + 1, line->end, depth + 1);
            add_copies(&sum, &inner, copies);
        }

        i = line->end < last ? line->end : last - 1;
    }

    return sum;
}

/// Refuses at once what would run for long before its line is refused.
static vn_status check_size(const vni_scene_reader* in) {
    const tally all = count_lines(in, 0, (uint32_t)in->line_count, 0);
    if (all.obstacles > VNI_SCENE_MAX_OBSTACLES)
        return vni_io_fail(in->detail, VN_TOO_LARGE, all.obstacle->number, "more than a million obstacles");
    if (all.steps > MAX_STEPS)
        return vni_io_fail(in->detail, VN_TOO_LARGE, all.step->number,
                           "the repeats come to more than ten million lines");
    return VN_OK;
}

static vn_status run_lines(vni_scene_reader* in, uint32_t first, uint32_t last, const double* shift);

static vn_status run_repeat(vni_scene_reader* in, uint32_t at, const double* shift) {
    const vni_scene_line* line = &in->lines[at];
    uint64_t copies = 0;
    double step[3];
    if (!read_copies(in, line, &copies))
        return vni_scene_wrong(in, line, "expected: repeat N dx dy dz, with N up to 1000000");
    if (line->end == in->line_count)
        return vni_scene_wrong(in, line, "this repeat has no end");
    if (in->nesting == MAX_NESTING)
        return vni_scene_wrong(in, line, "repeats are nested more than 16 deep");

    vn_status status = vni_scene_numbers(in, line, 2, 3, step);
    ++in->nesting;
    for (uint64_t i = 0; i < copies && status == VN_OK && line->end > at + 1; ++i) {
        const double n = (double)i;
        const double moved[3] = {shift[0] + n * step[0], shift[1] + n * step[1], shift[2] + n * step[2]};
        status = run_lines(in, at + 1, line->end, moved);
    }

    --in->nesting;
    return status;
}

/// Runs the lines [first, last).
static vn_status run_lines(vni_scene_reader* in, uint32_t first, uint32_t last, const double* shift) {
    vn_status status = VN_OK;
    VNI_IO_ASSERT(first <= last && last <= in->line_count);
    for (uint32_t i = first; i < last && status == VN_OK; ++i) {
        const vni_scene_line* line = &in->lines[i];
        if (line_is(in, line, "repeat")) {
            status = run_repeat(in, i, shift);
            i = line->end;
        } else {
            status = vni_scene_run_line(in, line, shift);
        }
    }

    return status;
}

// ----------------------------------------------------------------------------------------------- the whole

static void free_block(const vn_allocator* allocator, void* block, uint64_t capacity, size_t size) {
    if (block != NULL)
        allocator->release(allocator->user, block, (size_t)capacity * size);
}

static vn_status run_text(vni_scene_reader* in, const vn_source* source) {
    const double none[3] = {0, 0, 0};
    vn_status status = load_text(in, source);
    if (status != VN_OK)
        return status;
    if (!split(in))
        return no_memory(in);

    match_ends(in);
    status = check_size(in);
    return status == VN_OK ? run_lines(in, 0, (uint32_t)in->line_count, none) : status;
}

/// A list of routes keeps what it needs.
static vn_status fit_routes(vni_scene_reader* in) {
    vn_scene_text* out = in->out;
    if (out->route_count > 0 && !vni_io_shrink(&in->allocator, &out->routes, in->route_capacity,
                                               out->route_count, sizeof *out->routes))
        return no_memory(in);
    in->route_capacity = out->route_count;
    return VN_OK;
}

/// What `vni_file_read` hands through to `read_source`.
typedef struct task {
    const vn_scene_text_def* def;
    vn_scene_text* out;
} task;

static vn_status read_source(const vn_source* source, void* user, vn_detail* detail) {
    const task* t = user;
    vni_scene_reader in = {
        .def = t->def, .out = t->out, .detail = detail, .allocator = t->def->world.allocator};
    vn_status status = run_text(&in, source);
    if (status == VN_OK)
        status = fit_routes(&in);

    free_block(&in.allocator, in.text, in.text_capacity, 1);
    free_block(&in.allocator, in.words, in.word_capacity, sizeof *in.words);
    free_block(&in.allocator, in.lines, in.line_capacity, sizeof *in.lines);
    if (status != VN_OK) {
        free_block(&in.allocator, in.out->routes, in.route_capacity, sizeof *in.out->routes);
        in.out->routes = NULL;
        in.out->route_count = 0;
    }

    return status;
}

/// Checks the def and makes the world.
static vn_status begin(const vn_scene_text_def* def, vn_scene_text* out, vn_detail* detail) {
    memset(out, 0, sizeof *out);
    if (def->cookie != COOKIE)
        return vni_io_fail(detail, VN_BAD_DEF, 0, "the def was not made by vn_default_scene_text_def");

    const vn_status status = vn_world_create(&def->world, &out->world);
    out->allocator = def->world.allocator;
    return status == VN_OK ? VN_OK : vni_io_fail(detail, status, 0, "%s", vn_status_text(status));
}

/// A scene that failed is empty.
static vn_status finish(vn_scene_text* out, vn_status status) {
    if (status != VN_OK)
        vn_scene_text_free(out);
    return status;
}

vn_status vn_scene_text_read(const vn_source* source, const vn_scene_text_def* def, vn_scene_text* out,
                             vn_detail* detail) {
    VNI_IO_ASSERT(source != NULL && source->read != NULL && def != NULL && out != NULL);
    task t = {def, out};
    const vn_status status = begin(def, out, detail);
    return finish(out, status == VN_OK ? read_source(source, &t, detail) : status);
}

vn_status vn_scene_text_read_file(const char* path, const vn_scene_text_def* def, vn_scene_text* out,
                                  vn_detail* detail) {
    VNI_IO_ASSERT(path != NULL && def != NULL && out != NULL);
    task t = {def, out};
    const vn_status status = begin(def, out, detail);
    return finish(out, status == VN_OK ? vni_file_read(path, read_source, &t, detail) : status);
}

void vn_scene_text_free(vn_scene_text* scene) {
    if (scene == NULL)
        return;
    vn_world_destroy(scene->world);
    free_block(&scene->allocator, scene->routes, scene->route_count, sizeof *scene->routes);
    memset(scene, 0, sizeof *scene);
}
