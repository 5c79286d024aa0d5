/// tests/compile/from_cpp.cpp: the public headers in C++, and the libraries linked to it.
#include "volnav/io.h"
#include "volnav/volnav.h"
#include <cstdio>
#include <cstring>

int main() {
    const bool same_version = vn_version() == VN_VERSION;
    const bool same_word = std::strcmp(vn_status_word(VN_NO_PATH), "no-path") == 0;
    const bool same_def = vn_default_query_def().cookie != 0;
    std::printf("version %d, word %d, def %d\n", same_version, same_word, same_def);
    return same_version && same_word && same_def ? 0 : 1;
}
