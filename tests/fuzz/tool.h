/// tests/fuzz/tool.h: what the targets for the command line's readers share.
///
/// tool.c also stands in for apps/volnav/shell/say.c, because messages about each input would bury a finding.
#ifndef VNF_TOOL_H
#define VNF_TOOL_H

#include "apps/volnav/shell/say.h"
#include "tests/fuzz/probe.h"

/// Writes the bytes to a file with this ending (".obj") and returns its path, which is static; the next call
/// with the same ending overwrites it, and the end of the program removes it.
const char* vnf_tool_file(const char* ending, const uint8_t* data, size_t size);

/// The last message that the reader gave; a refusal without one is a fault.
const char* vnf_tool_message(void);
void vnf_tool_forget_message(void);

#endif
