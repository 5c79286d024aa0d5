/// volnav/shell/args.h: the command line, read by a table of options.
#ifndef ARGS_H
#define ARGS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum args_kind {
    ARGS_FLAG,  ///< bool; takes no value
    ARGS_TEXT,  ///< const char*; not empty
    ARGS_REAL,  ///< double; a decimal number, 0 or of a size between 1e-9 and 1e9
    ARGS_COUNT, ///< uint64_t; a whole number
    ARGS_POINT, ///< double[3]; x,y,z within 1e9 metres
    ARGS_BOX,   ///< double[6]; x,y,z,x,y,z with the low corner first
    ARGS_LIST   ///< args_list; numbers separated by commas, each as ARGS_REAL
} args_kind;

#define ARGS_LIST_MAX 32

typedef struct args_list {
    double values[ARGS_LIST_MAX];
    int count;
} args_list;

typedef enum args_rule { ARGS_ANY, ARGS_NOT_NEGATIVE, ARGS_POSITIVE } args_rule;

typedef struct args_option {
    const char* name; ///< with its dashes
    args_kind kind;
    args_rule rule; ///< for ARGS_REAL and ARGS_COUNT
    void* value;    ///< of the kind's type; left alone when the option is not given
    bool* given;    ///< may be null; set to true when it is
} args_option;

#define ARGS_MAX 80

/// The options of one command. Make it with {0}.
typedef struct args_table {
    args_option options[ARGS_MAX];
    int count;
    const char* command;
    const char* positional[2]; ///< filled by args_parse
    int positional_count;
    int positional_max;
    bool help; ///< --help or -h was given; everything else is then ignored
} args_table;

void args_add(args_table* table, const char* name, args_kind kind, args_rule rule, void* value, bool* given);

/// Reads `--name value` and `--name=value`; `--` ends the options. Returns EXIT_DONE, or EXIT_BAD after a
/// message that names the argument at fault, what is wrong with it, and for an unknown option the nearest
/// known one.
int args_parse(args_table* table, int argc, char** argv);

/// The whole text as a finite decimal number; false otherwise.
bool args_real(const char* text, double* out);
bool args_count(const char* text, uint64_t* out);

/// `count` numbers separated by commas, nothing else.
bool args_reals(const char* text, double* out, int count);

/// The word of `words` (ended by null) that is nearest to `text` by edits; null if none resembles it: half of
/// its letters would have to change, or more.
const char* args_nearest(const char* text, const char* const* words);

#endif
