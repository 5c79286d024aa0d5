"""tools/check_layers must be able to fail: a small house is built that passes, then one thing at a time is spoilt."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK_LAYERS = Path(__file__).resolve().parents[2] / "tools" / "check_layers"

HOUSE = {
    "include/volnav/base.h": "#ifndef A\n#define A\n#ifdef __cplusplus\nextern \"C\"\n#endif\n"
                             "__attribute__((visibility(\"default\"))) int vn_one(void);\n#define VN_API extern\n#endif\n",
    "include/volnav/math.h": "#include \"volnav/base.h\"\n",
    "include/volnav/io.h": "#include \"volnav/base.h\"\n",
    "include/volnav/space.h": "#include \"volnav/math.h\"\n",
    "src/base/heap.h": "#include \"volnav/base.h\"\n",
    "src/base/heap.c": "#include \"base/heap.h\"\n#include <stdlib.h>\nint vn_one(void) { return abs(1); }\n",
    "src/geom/vec.h": "#include \"volnav/math.h\"\n#include <math.h>\n",
    "src/geom/tree.h": "#include \"geom/vec.h\"\n",
    "src/occupancy/occupancy.h": "#include \"base/heap.h\"\n",
    "src/probe/sight.h": "#include \"space/occupancy.h\"\n",
    "src/path/check.c": "#include \"geom/vec.h\"\n#include \"space/occupancy.h\"\n",
    "src/path/taut.c": "#include \"space/sight.h\"\n",
    "include/volnav/layers.h": "#include \"volnav/space.h\"\n",
    "include/volnav/query.h": "#include \"volnav/layers.h\"\n",
    "include/volnav/store.h": "#include \"volnav/query.h\"\n",
    "include/volnav/volnav.h": "#include \"volnav/store.h\"\n",
    "src/query/query_inside.h": "#include \"space/sight.h\"\n#include \"volnav/query.h\"\n",
    "src/store/record.c": "#include \"query/parts.h\"\n#include \"volnav/store.h\"\n",
    "src/io/file.h": "#include \"volnav/io.h\"\n",
    "src/io/file.c": "#include <stdio.h>\n#include \"io/file.h\"\n#include \"volnav/store.h\"\n",
    "apps/tool/main.c": "#include \"volnav/base.h\"\n#include \"local.h\"\n#include <stdio.h>\n",
    "apps/tool/local.h": "#include <stdbool.h>\n",
    "samples/first.c": "#include \"volnav/space.h\"\n",
    "tests/unit/test_x.c": "#include \"space/sight.h\"\n",
}


class Layers(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="check_layers"))
        self.addCleanup(shutil.rmtree, self.root)
        for name, text in HOUSE.items():
            self.write(name, text)

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def check(self, *arguments):
        run = subprocess.run([sys.executable, CHECK_LAYERS, "--root", self.root, *arguments], capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        self.assertEqual(run.returncode, 0 if "layers hold" in run.stdout else 1, run.stdout)
        return run.stdout

    def expect(self, message, part="includes"):
        self.assertIn(message, self.check("--only", part))

    def test_a_sound_house_passes(self):
        self.assertEqual(self.check(), "check_layers: the layers hold\n")

    def test_upward_include(self):
        self.write("src/base/heap.c", "\n\n#include \"space/occupancy.h\"\n")
        self.expect("src/base/heap.c:3: room base must not include \"space/occupancy.h\" of room space")

    def test_upward_include_of_a_public_header(self):
        self.write("src/base/heap.c", "#include \"volnav/math.h\"\n")
        self.expect("src/base/heap.c:1: room base must not include \"volnav/math.h\" of room geom")

    def test_upward_include_by_a_relative_path(self):
        self.write("src/base/heap.c", "  #  include \"../space/occupancy.h\"\n")
        self.expect("src/base/heap.c:1: room base must not include")

    def test_public_header_includes_an_upper_one(self):
        self.write("include/volnav/math.h", "#include \"volnav/io.h\"\n")
        self.expect("include/volnav/math.h:1: room geom must not include \"volnav/io.h\" of room io")

    def test_public_header_includes_an_internal_one(self):
        self.write("include/volnav/math.h", "#include \"../../src/base/heap.h\"\n")
        self.expect("include/volnav/math.h:1: a public header includes the internal")

    def test_store_lies_above_query(self):
        self.write("src/query/query_inside.h", "#include \"volnav/store.h\"\n")
        self.expect("src/query/query_inside.h:1: room query must not include \"volnav/store.h\" of room store")

    def test_store_lies_below_io(self):
        self.write("src/store/record.c", "#include \"volnav/io.h\"\n")
        self.expect("src/store/record.c:1: room store must not include \"volnav/io.h\" of room io")

    def test_io_sees_public_headers_only(self):
        self.write("src/io/file.c", "#include \"base/heap.h\"\n")
        self.expect("src/io/file.c:1: room io is a library of its own and must not include the internal \"base/heap.h\"")

    def test_the_core_includes_stdio(self):
        self.write("src/probe/sight.h", "#include <stdio.h>\n")
        self.expect("src/probe/sight.h:1: <stdio.h> has no place in the core")

    def test_the_checker_shares_line_of_sight(self):
        self.write("src/path/check.c", "#include \"space/sight.h\"\n")
        self.expect("src/path/check.c:1: src/path/check* must not include \"space/sight.h\"")

    def test_the_checker_shares_geometry(self):
        self.write("src/path/check_world.h", "#include \"geom/tree.h\"\n")
        self.expect("src/path/check_world.h:1: src/path/check* must not include \"geom/tree.h\"")

    def test_unknown_room(self):
        self.write("src/attic/junk.c", "")
        self.expect("src/attic/junk.c:1: belongs to no room")

    def test_missing_header(self):
        self.write("src/base/heap.c", "#include \"base/heep.h\"\n")
        self.expect("src/base/heap.c:1: \"base/heep.h\" is neither in include/ nor in src/")

    def test_app_looks_inside(self):
        self.write("apps/tool/main.c", "#include \"../../src/base/heap.h\"\n")
        self.expect("apps/tool/main.c:1: \"../../src/base/heap.h\": apps/ may include")

    def test_sample_looks_inside(self):
        self.write("samples/first.c", "#include <base/heap.h>\n")
        self.expect("samples/first.c:1: \"base/heap.h\": samples/ may include")

    def test_public_header_does_not_compile_alone(self):
        self.write("include/volnav/io.h", "static inline size_t vn_f(void) { return 0; }\n")
        out = self.check("--only", "headers")
        self.assertIn("include/volnav/io.h:1: does not compile alone as c17", out)
        self.assertIn("include/volnav/io.h:1: does not compile alone as c++17", out)

    def test_public_header_is_no_cpp(self):
        self.write("include/volnav/io.h", "#ifndef B\n#define B\ntypedef struct vn_a { int class; } vn_a;\n#endif\n")
        out = self.check("--only", "headers")
        self.assertIn("include/volnav/io.h:1: does not compile alone as c++17", out)
        self.assertNotIn("as c17", out)

    def test_header_without_guard(self):
        self.write("src/probe/sight.h", "typedef struct vni_a { int b; } vni_a;\n")
        self.expect("src/probe/sight.h:1: does not compile alone as c17", "headers")

    def build(self, core_source, classic_source="int vni_f(void);\nint vni_f(void) { return 1; }\n"):
        """Links the libraries as the real build does; returns what the check says of their symbols."""
        build = self.root / "build"
        build.mkdir()
        self.write("core.c", core_source)
        self.write("io.c", "#include <stdio.h>\nint vn_two(void);\n"
                           "__attribute__((visibility(\"default\"))) int vn_two(void) { return puts(\"two\"); }\n")
        self.write("classic.c", classic_source)
        self.write("sim.c", "int vni_s(void);\nint vni_s(void) { return 2; }\n")
        for name, source in (("volnav", "core.c"), ("volnav_io", "io.c"), ("volnav_classic", "classic.c"), ("volnav_sim", "sim.c")):
            subprocess.run(["gcc", "-fPIC", "-O1", "-fvisibility=hidden", "-fno-builtin", "-c", self.root / source,
                            "-o", build / (name + ".o")], check=True)
            subprocess.run(["ar", "rc", build / f"lib{name}.a", build / (name + ".o")], check=True)
            subprocess.run(["gcc", "-shared", build / (name + ".o"), "-o", build / f"lib{name}.so", "-lm"], check=True)
        return self.check("--only", "symbols", "--build", build)

    CORE = "#include <math.h>\n#include <stdlib.h>\n#include <stdio.h>\n" \
           "#define PUBLIC __attribute__((visibility(\"default\")))\n"

    def test_symbols_pass(self):
        out = self.build(self.CORE + "PUBLIC double vn_f(double x) { return floor(x); }\nvoid* vni_g(void) { return malloc(1); }\n")
        self.assertEqual(out, "check_layers: the layers hold\n")

    def test_core_needs_libm(self):
        out = self.build(self.CORE + "PUBLIC double vn_f(double x) { return cos(x); }\n")
        self.assertIn("libvolnav.a:1: volnav.o needs the symbol cos,", out)

    def test_core_needs_stdio(self):
        out = self.build(self.CORE + "PUBLIC int vn_f(char* x) { return snprintf(x, 1, \"\"); }\n")
        self.assertIn("libvolnav.a:1: volnav.o needs the symbol snprintf,", out)

    def test_classic_needs_the_core_and_no_stdio(self):
        core = self.CORE + "PUBLIC int vn_f(void) { return 1; }\n"
        out = self.build(core, "int vni_core(void);\nint vni_g(void);\nint vni_g(void) { return vni_core(); }\n")
        self.assertEqual(out, "check_layers: the layers hold\n")
        shutil.rmtree(self.root / "build")
        out = self.build(core, self.CORE + "int vni_g(char* x);\nint vni_g(char* x) { return snprintf(x, 1, \"\"); }\n")
        self.assertIn("libvolnav_classic.a:1: volnav_classic.o needs the symbol snprintf,", out)

    def test_internal_symbol_is_exported(self):
        out = self.build(self.CORE + "PUBLIC int vni_f(void) { return 1; }\n")
        self.assertIn("libvolnav.so:1: exports vni_f, which is not public", out)

    def test_global_symbol_without_prefix(self):
        out = self.build(self.CORE + "int helper(void) { return 1; }\n")
        self.assertIn("libvolnav.a:1: defines the global symbol helper,", out)

    def test_declared_but_missing(self):
        self.write("include/volnav/math.h", "#include \"volnav/base.h\"\n\nVN_API int vn_nowhere(void);\n")
        out = self.build(self.CORE + "PUBLIC int vn_f(void) { return 1; }\n")
        self.assertIn("include/volnav/math.h:3: vn_nowhere is declared, but no shared library exports it", out)


if __name__ == "__main__":
    unittest.main()
