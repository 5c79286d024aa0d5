/// volnav/search/legs.h: ends that were snapped: how far, whether the leg to the path is free, and in words.
#ifndef LEGS_H
#define LEGS_H

#include "search/search.h"
#include "shell/json.h"

/// Completes the legs of an outcome: an end that differs from its place (`start`, `goal`) was snapped, and
/// its leg is checked against the world; without a world the library's word counts. `goal` may be null: a
/// region. An end outside the space stays unchecked.
void legs_judge(const loaded* in, vn_point start, const vn_point* goal, search_outcome* out);

/// One line for each end that was snapped, after `indent`.
void legs_print(const loaded* in, const search_leg legs[2], const char* indent);

/// The array "snapped", if there is any.
void legs_write(json_writer* json, const search_leg legs[2]);

#endif
