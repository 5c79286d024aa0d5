/// tests/fuzz/fuzz_mesh.c: the look at mesh files before an importer sees them. The first byte says which
/// format the others are: o OBJ, p PLY, s STL.
#include "apps/volnav/input/precheck.h"
#include "tests/fuzz/tool.h"

static const char* ending_of(uint8_t first) {
    switch (first) {
    case 'o': return ".obj";
    case 'p': return ".ply";
    case 's': return ".stl";
    default: return NULL;
    }
}

static bool accepts(const uint8_t* data, size_t size) {
    const char* ending = size > 0 ? ending_of(data[0]) : NULL;
    if (ending == NULL)
        return false;

    say_warnings warnings = {.quiet = true};
    vnf_tool_forget_message();
    const int code = precheck_mesh(vnf_tool_file(ending, data + 1, size - 1), &warnings);
    VNF_REQUIRE(code == EXIT_DONE || (code == EXIT_BAD && vnf_tool_message()[0] != '\0'));
    say_free_warnings(&warnings);

    return code == EXIT_DONE;
}

const vnf_target vnf_the_target = {"mesh", accepts, NULL, NULL, 0};
