/// volnav/experiment/maruszczyk.c: the experiment "maruszczyk": tables 2 to 11 of Maruszczyk 2016.
#include "experiment/maruszczyk.h"

#include <stdlib.h>

int experiment_maruszczyk(experiment* e) {
    maruszczyk_study* s = say_alloc(1, sizeof *s);
    int code = maruszczyk_run_searches(e, s->worlds);
    code = code == EXIT_DONE ? maruszczyk_fly(e, &s->flights) : code;
    code = code == EXIT_DONE ? maruszczyk_write(e, s) : code;
    code = code == EXIT_DONE ? files_write_csv(&e->folder, "flights.csv", &s->flights.csv) : code;
    if (code == EXIT_DONE) {
        maruszczyk_judge(e, s);
    }

    svg_free(&s->flights.csv.text);
    free(s);
    return code;
}
