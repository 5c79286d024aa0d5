/// volnav/commands/run_file.h: recorded runs as files (.vnrec): writing, flying again, telling what is in
/// one.
#ifndef RUN_FILE_H
#define RUN_FILE_H

#include "volnav/run.h"

/// Flies the run of a def once more and writes its record. EXIT_DONE; EXIT_NO_PATH after a message if it
/// went otherwise than `before`, the result of the same run; EXIT_BAD after a message.
int run_file_save(const char* path, const vn_run_def* given, const vn_run_result* before);

/// True if the file can be read and holds a recorded run.
bool run_file_is(const char* path);

/// Flies the recorded run again and says whether it is the same. EXIT_DONE, EXIT_NO_PATH: it is not, EXIT_BAD
/// after a message.
int run_file_replay(const char* path, uint32_t workers, bool as_json);

/// Prints what the file holds. EXIT_DONE, or EXIT_BAD after a message.
int run_file_info(const char* path, bool as_json);

#endif
