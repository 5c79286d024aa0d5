/// volnav/search/layers.h: the layers of a bake or a file, as JSON and as text.
#ifndef LAYERS_H
#define LAYERS_H

#include "shell/json.h"
#include "volnav/layers.h"

/// The array "layers".
void layers_write(json_writer* json, const vn_layers* layers);

/// One object of that array.
void layers_write_one(json_writer* json, const vn_space_info* info);

/// A line for each on standard output.
void layers_print(const vn_layers* layers);
void layers_print_one(const vn_space_info* info);

#endif
