/// volnav/shell/args.c: reading options and numbers.
#include "shell/args.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell/say.h"

void args_add(args_table* table, const char* name, args_kind kind, args_rule rule, void* value, bool* given) {
    assert(table->count < ARGS_MAX);
    table->options[table->count++] = (args_option){name, kind, rule, value, given};
}

bool args_real(const char* text, double* out) {
    if (text[0] == '\0' || strspn(text, "0123456789+-.eE") != strlen(text)) {
        return false;
    }

    char* end = NULL;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value)) {
        return false;
    }

    *out = value;
    return true;
}

bool args_count(const char* text, uint64_t* out) {
    if (text[0] == '\0' || strspn(text, "0123456789") != strlen(text)) {
        return false;
    }

    errno = 0;
    const unsigned long long value = strtoull(text, NULL, 10);
    if (errno != 0) {
        return false;
    }

    *out = value;
    return true;
}

bool args_reals(const char* text, double* out, int count) {
    for (int i = 0; i < count; ++i) {
        char piece[64];
        const size_t length = strcspn(text, ",");
        const bool last = i + 1 == count;
        if (length >= sizeof piece || (text[length] == '\0') != last) {
            return false;
        }

        memcpy(piece, text, length);
        piece[length] = '\0';
        if (!args_real(piece, &out[i])) {
            return false;
        }

        text += length + (last ? 0 : 1);
    }

    return true;
}

/// What floats can hold with room to spare; beyond it a number is a slip.
#define LEAST    1e-9
#define GREATEST 1e9

/// Levenshtein's distance; words above 63 letters are cut.
static int edits(const char* a, const char* b) {
    int row[65];
    int n = (int)strlen(b);
    n = n > 63 ? 63 : n;
    for (int j = 0; j <= n; ++j) {
        row[j] = j;
    }

    for (int i = 0; a[i] != '\0' && i < 63; ++i) {
        int diagonal = row[0];
        row[0] = i + 1;
        for (int j = 0; j < n; ++j) {
            const int change = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            int best = change < diagonal + 1 ? change : diagonal + 1;
            best = best < row[j] + 1 ? best : row[j] + 1;
            row[j + 1] = best;
        }
    }

    return row[n];
}

const char* args_nearest(const char* text, const char* const* words) {
    const char* best = NULL;
    int least = (int)(strlen(text) - strspn(text, "-")) / 2 + 1;
    for (; *words != NULL; ++words) {
        const int distance = edits(text, *words);
        if (distance < least) {
            least = distance;
            best = *words;
        }
    }

    return best;
}

/// Words of other tools, and ours for the same thing.
static const char* const synonyms[][2] = {{"--start", "--from"},
                                          {"--goal", "--to"},
                                          {"--end", "--to"},
                                          {"--target", "--to"},
                                          {"--voxel-size", "--resolution"},
                                          {"--cell-size", "--resolution"},
                                          {"--agent-radius", "--radius"},
                                          {"--algorithm", "--algo"},
                                          {"--svg", "--picture"},
                                          {"--image", "--picture"},
                                          {"--out", "--output"},
                                          {"--units", "--scale"},
                                          {"--jobs", "--threads"},
                                          {"--silent", "--quiet"}};

/// The option of this table that means the same as a word of another tool; null if there is none.
static const char* synonym_of(const args_table* table, const char* name) {
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; ++i) {
        for (int k = 0; k < table->count && strcmp(name, synonyms[i][0]) == 0; ++k) {
            if (strcmp(table->options[k].name, synonyms[i][1]) == 0) {
                return synonyms[i][1];
            }
        }
    }

    return NULL;
}

static bool is_input_word(const char* name) {
    static const char* const words[] = {"--input", "--in",   "--file",  "--map",
                                        "--scene", "--mesh", "--world", "-i"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        if (strcmp(name, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

static int unknown_option(const args_table* table, const char* name) {
    const char* words[ARGS_MAX + 2];
    for (int i = 0; i < table->count; ++i) {
        words[i] = table->options[i].name;
    }

    words[table->count] = "--help";
    words[table->count + 1] = NULL;
    char plain[64];
    snprintf(plain, sizeof plain, "%.*s", (int)strcspn(name, "="), name);
    if (is_input_word(plain) && table->positional_max > 0) {
        return say_bad(
            "unknown option %s; the input is named without an option: volnav %s FILE. See volnav %s "
            "--help.",
            name, table->command, table->command);
    }

    const char* synonym = synonym_of(table, plain);
    const char* nearest = synonym != NULL ? synonym : args_nearest(plain, words);
    if (nearest == NULL) {
        return say_bad("unknown option %s. See volnav %s --help.", name, table->command);
    }

    return say_bad("unknown option %s; did you mean %s? See volnav %s --help.", name, nearest,
                   table->command);
}

/// The option whose name is the first `length` letters of `text`.
static const args_option* find_option(const args_table* table, const char* text, size_t length) {
    for (int i = 0; i < table->count; ++i) {
        const char* name = table->options[i].name;
        if (strlen(name) == length && strncmp(name, text, length) == 0) {
            return &table->options[i];
        }
    }

    return NULL;
}

static bool obeys(args_rule rule, double value) {
    return rule == ARGS_ANY || (rule == ARGS_NOT_NEGATIVE && value >= 0) ||
           (rule == ARGS_POSITIVE && value > 0);
}

static const char* rule_text(args_rule rule) {
    return rule == ARGS_POSITIVE ? " above 0" : rule == ARGS_NOT_NEGATIVE ? " of at least 0" : "";
}

static int read_real(const args_option* option, const char* text, double* out) {
    double value = 0;
    if (!args_real(text, &value) || !obeys(option->rule, value)) {
        return say_bad("%s %s: expected a number%s, such as 0.5", option->name, text,
                       rule_text(option->rule));
    }

    if (fabs(value) > GREATEST) {
        return say_bad("%s %s is too large: 1e9 at most", option->name, text);
    }

    if (value != 0 && fabs(value) < LEAST) {
        return say_bad("%s %s is too small: 1e-9 at least", option->name, text);
    }

    *out = value;
    return EXIT_DONE;
}

static int set_list(const args_option* option, const char* text) {
    args_list list = {.count = 0};
    int code = EXIT_DONE;
    for (const char* at = text; code == EXIT_DONE && at != NULL;) {
        char word[64];
        const size_t length = strcspn(at, ",");
        if (list.count == ARGS_LIST_MAX) {
            return say_bad("%s %s: %d numbers at most", option->name, text, ARGS_LIST_MAX);
        }

        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word), at);
        code = read_real(option, word, &list.values[list.count++]);
        at = at[length] == ',' ? at + length + 1 : NULL;
    }

    *(args_list*)option->value = list;
    return code;
}

static int set_count(const args_option* option, const char* text) {
    uint64_t value = 0;
    const bool read = args_count(text, &value);
    if (!read && text[0] != '\0' && strspn(text, "0123456789") == strlen(text)) {
        return say_bad("%s %s is too large", option->name, text);
    }

    if (!read || !obeys(option->rule, (double)value)) {
        return say_bad("%s %s: expected a whole number%s", option->name, text,
                       option->rule == ARGS_POSITIVE ? " above 0" : " of at least 0");
    }

    *(uint64_t*)option->value = value;
    return EXIT_DONE;
}

static int near_enough(const args_option* option, const char* text, const double* value, int count) {
    for (int i = 0; i < count; ++i) {
        if (fabs(value[i]) > GREATEST) {
            return say_bad("%s %s: coordinates reach to 1e9 metres", option->name, text);
        }
    }
    return EXIT_DONE;
}

static int set_point(const args_option* option, const char* text) {
    double value[3];
    if (!args_reals(text, value, 3)) {
        return say_bad("%s %s: expected three numbers x,y,z without spaces, such as 1.5,0,-2", option->name,
                       text);
    }

    memcpy(option->value, value, sizeof value);
    return near_enough(option, text, value, 3);
}

static int set_box(const args_option* option, const char* text) {
    double value[6];
    if (!args_reals(text, value, 6)) {
        return say_bad("%s %s: expected six numbers x,y,z,x,y,z: the low corner, then the high one",
                       option->name, text);
    }

    for (int i = 0; i < 3; ++i) {
        if (value[i] >= value[i + 3]) {
            return say_bad("%s %s: the low corner must lie below the high one on every axis", option->name,
                           text);
        }
    }

    memcpy(option->value, value, sizeof value);
    return near_enough(option, text, value, 6);
}

static int set_text(const args_option* option, const char* text) {
    *(const char**)option->value = text;
    return text[0] != '\0' ? EXIT_DONE : say_bad("%s needs a value; it is empty", option->name);
}

static int set_value(const args_option* option, const char* text) {
    if (option->given != NULL) {
        *option->given = true;
    }
    switch (option->kind) {
    case ARGS_FLAG: *(bool*)option->value = true; return EXIT_DONE;
    case ARGS_TEXT: return set_text(option, text);
    case ARGS_REAL: return read_real(option, text, option->value);
    case ARGS_COUNT: return set_count(option, text);
    case ARGS_POINT: return set_point(option, text);
    case ARGS_BOX: return set_box(option, text);
    case ARGS_LIST: return set_list(option, text);
    }
    return EXIT_BAD;
}

/// Reads the option at argv[*at] and moves *at to its last argument.
static int parse_option(args_table* table, int argc, char** argv, int* at) {
    const char* text = argv[*at];
    const size_t length = text[1] == '-' ? strcspn(text, "=") : strlen(text);
    const bool joined = text[length] == '=';
    const args_option* option = find_option(table, text, length);
    if (option == NULL) {
        return unknown_option(table, text);
    }

    if (option->kind == ARGS_FLAG) {
        return joined ? say_bad("%s takes no value", option->name) : set_value(option, NULL);
    }

    if (joined) {
        return set_value(option, text + length + 1);
    }

    if (*at + 1 >= argc) {
        return say_bad("%s needs a value. See volnav %s --help.", option->name, table->command);
    }

    *at += 1;
    return set_value(option, argv[*at]);
}

static bool wants_help(int argc, char** argv) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; ++i) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

int args_parse(args_table* table, int argc, char** argv) {
    bool only_positional = false;
    table->help = wants_help(argc, argv);
    for (int i = 0; i < argc && !table->help; ++i) {
        if (!only_positional && strcmp(argv[i], "--") == 0) {
            only_positional = true;
        } else if (!only_positional && argv[i][0] == '-' && argv[i][1] != '\0') {
            const int code = parse_option(table, argc, argv, &i);
            if (code != EXIT_DONE) {
                return code;
            }
        } else if (argv[i][0] == '\0') {
            return say_bad("an argument is empty. See volnav %s --help.", table->command);
        } else if (table->positional_count == table->positional_max) {
            return say_bad("unexpected argument %s. See volnav %s --help.", argv[i], table->command);
        } else {
            table->positional[table->positional_count++] = argv[i];
        }
    }

    return EXIT_DONE;
}
