"""Tests of tools/check_layers: a small tree passes, then each test breaks one rule and expects its message."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK_LAYERS = Path(__file__).resolve().parents[2] / "tools" / "check_layers"

MODULES = ("base geom graph world occupancy voxelise cells space probe view avoid dynamic live search path curve query follow pilot store nav agent classic replan io sim run").split()
APP_FOLDERS = "shell input search draw commands bench experiment".split()

# The header files get their first line from Layers.write, so that an include on the first line here is on line 2 of the file.
TREE = {
    "include/volnav/base.h": "#ifndef A\n#define A\n#ifdef __cplusplus\nextern \"C\"\n#endif\n"
                             "__attribute__((visibility(\"default\"))) int vn_one(void);\n#define VN_API extern\n#endif\n",
    "include/volnav/math.h": "#include \"volnav/base.h\"\n",
    "include/volnav/io.h": "#include \"volnav/base.h\"\n",
    "include/volnav/space.h": "#include \"volnav/math.h\"\n",
    "include/volnav/layers.h": "#include \"volnav/space.h\"\n",
    "include/volnav/query.h": "#include \"volnav/layers.h\"\n",
    "include/volnav/store.h": "#include \"volnav/query.h\"\n",
    "include/volnav/volnav.h": "#include \"volnav/store.h\"\n",
    **{f"src/{module}/{module}.h": "" for module in MODULES},
    "src/base/heap.h": "#include \"volnav/base.h\"\n",
    "src/base/heap.c": "#include \"base/heap.h\"\n#include <stdlib.h>\nint vn_one(void) { return abs(1); }\n",
    "src/geom/vec.h": "#include \"volnav/math.h\"\n#include <math.h>\n",
    "src/geom/tree.h": "#include \"geom/vec.h\"\n",
    "src/occupancy/occupancy.h": "#include \"base/heap.h\"\n",
    "src/probe/sight.h": "#include \"occupancy/occupancy.h\"\n",
    "src/path/check.c": "#include \"geom/vec.h\"\n#include \"occupancy/occupancy.h\"\n",
    "src/path/taut.c": "#include \"probe/sight.h\"\n",
    "src/query/query_inside.h": "#include \"probe/sight.h\"\n#include \"volnav/query.h\"\n",
    "src/query/query.c": "#include \"query/query_inside.h\"\n",
    "src/store/record.c": "#include \"volnav/store.h\"\n",
    "src/io/file.h": "#include \"volnav/io.h\"\n",
    "src/io/file.c": "#include <stdio.h>\n#include \"io/file.h\"\n#include \"volnav/store.h\"\n",
    **{f"apps/volnav/{folder}/{folder}.h": "" for folder in APP_FOLDERS},
    "apps/volnav/main.c": "#include \"commands/commands.h\"\n#include \"volnav/base.h\"\n",
    "apps/volnav/draw/draw.c": "#include \"draw/draw.h\"\n#include \"input/input.h\"\n#include \"shell/shell.h\"\n",
    "apps/tool/main.c": "#include \"volnav/base.h\"\n#include \"local.h\"\n#include <stdio.h>\n",
    "apps/tool/local.h": "#include <stdbool.h>\n",
    "samples/first.c": "#include \"volnav/space.h\"\n",
    "tests/unit/test_x.c": "#include \"probe/sight.h\"\n#include \"query/query_inside.h\"\n",
}


class Layers(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="check_layers"))
        self.addCleanup(shutil.rmtree, self.root)
        for name, text in TREE.items():
            self.write(name, text)

    def write(self, name, text, first=None):
        """Writes a file; a header opens with the line `first`, or with the one that it should have."""
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        path = name.split("/", 1)[1] if name.startswith(("include/", "src/", "apps/")) else name
        if name.endswith(".h"):
            text = (f"/// {path}: its job." if first is None else first) + "\n" + text
        file.write_text(text)

    def check(self, *arguments):
        run = subprocess.run([sys.executable, CHECK_LAYERS, "--root", self.root, *arguments], capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        self.assertEqual(run.returncode, 0 if "layers hold" in run.stdout else 1, run.stdout)
        return run.stdout

    def expect(self, message, part="includes"):
        self.assertIn(message, self.check("--only", part))

    def test_a_sound_tree_passes(self):
        out = self.check().splitlines()
        self.assertEqual(out[0], "modules:  27 modules of src/, 7 folders of apps/volnav")
        self.assertRegex(out[1], r"^includes: \d\d includes$")
        self.assertRegex(out[2], r"^headers:  \d\d headers opened, \d+ compilations with [24] compilers$")
        self.assertEqual(out[3:], ["check_layers: the layers hold"])

    def test_counts_includes(self):
        before = self.check("--only", "includes").split()[1]
        self.write("samples/second.c", "#include \"volnav/space.h\"\n#include <math.h>\n")
        self.assertEqual(int(self.check("--only", "includes").split()[1]), int(before) + 2)

    def test_entry_without_a_module(self):
        shutil.rmtree(self.root / "src/voxelise")
        self.expect("tools/check_layers:1: has an entry for src/voxelise, which does not exist", "modules")

    def test_module_without_an_entry(self):
        self.write("src/attic/junk.c", "")
        self.expect("src/attic:1: tools/check_layers has no entry for this folder", "modules")

    def test_app_folder_without_an_entry(self):
        self.write("apps/volnav/attic/junk.c", "")
        self.expect("apps/volnav/attic:1: tools/check_layers has no entry for this folder", "modules")

    def test_entry_without_an_app_folder(self):
        shutil.rmtree(self.root / "apps/volnav/bench")
        self.expect("tools/check_layers:1: has an entry for apps/volnav/bench, which does not exist", "modules")

    def test_tables_have_no_cycles(self):
        text = CHECK_LAYERS.read_text()
        for old, new, home in (('"base": []', '"base": ["io"]', "src"), ('"shell": []', '"shell": ["input"]', "apps/volnav")):
            self.assertIn(old, text)
            spoilt = self.root / "check_layers"
            spoilt.write_text(text.replace(old, new))
            run = subprocess.run([sys.executable, spoilt, "--root", self.root, "--only", "modules"], capture_output=True, text=True)
            self.assertEqual(run.returncode, 1, run.stdout)
            self.assertIn(f"tools/check_layers:1: the table of {home} has a cycle: ", run.stdout)

    def test_inside_header_of_another_module(self):
        self.write("src/store/record.c", "#include <stddef.h>\n#include \"query/query_inside.h\"\n")
        self.expect("src/store/record.c:2: \"query/query_inside.h\" is an inside header of module query")

    def test_inside_header_by_a_relative_path(self):
        self.write("src/store/record.c", "#include \"../query/query_inside.h\"\n")
        self.expect("src/store/record.c:1: \"../query/query_inside.h\" is an inside header of module query")

    def test_header_that_says_it_is_private(self):
        self.write("src/store/record.c", "#include \"probe/sight.h\"\n")
        for words in ("Private to probe/sight*.c.", "Inside the module only."):
            self.write("src/probe/sight.h", f"/// More. {words}\n")
            self.expect("src/store/record.c:1: \"probe/sight.h\" is an inside header of module probe")
        self.write("src/probe/sight.h", "\n/// Members are private to the query.\n")
        self.assertIn("layers hold", self.check("--only", "includes"))

    def test_cycle_of_pairs_across_modules(self):
        self.write("src/space/space.c", "#include \"probe/sight.h\"\n")
        self.write("src/probe/sight.h", "")
        self.write("src/probe/sight.c", "#include \"view/view.h\"\n")
        self.write("src/view/view.h", "#include \"space/space.h\"\n")
        self.expect("src/probe/sight.h:1: a cycle of includes crosses modules: src/probe/sight, src/space/space, src/view/view\n")

    def test_cycle_of_pairs_inside_a_module(self):
        self.write("src/probe/sight.h", "#include \"probe/probe.h\"\n")
        self.write("src/probe/probe.c", "#include \"probe/sight.h\"\n")
        self.assertIn("layers hold", self.check("--only", "includes"))

    def test_header_names_another_path(self):
        self.write("src/probe/sight.h", "", first="/// space/sight.h: line of sight.")
        self.expect("src/probe/sight.h:1: the first line does not begin with \"/// probe/sight.h: \"", "headers")

    def test_header_of_the_tests_names_no_path(self):
        self.write("tests/support/support.h", "", first="/// What the tests share.")
        self.expect("tests/support/support.h:1: the first line does not begin with \"/// tests/support/support.h: \"", "headers")

    def test_two_headers_with_one_first_line(self):
        self.write("src/probe/sight.h", "", first="/// Parts.")
        self.write("src/path/parts.h", "", first="/// Parts.")
        self.expect("src/probe/sight.h:1: opens with the same line as src/path/parts.h", "headers")

    def test_folder_of_the_app_includes_upward(self):
        self.write("apps/volnav/shell/shell.c", "#include \"shell.h\"\n#include \"draw/draw.h\"\n")
        self.expect("apps/volnav/shell/shell.c:2: apps/volnav/shell must not include \"draw/draw.h\" of apps/volnav/draw")

    def test_folder_of_the_app_includes_by_a_relative_path(self):
        self.write("apps/volnav/bench/bench.c", "#include \"../experiment/experiment.h\"\n")
        self.expect("apps/volnav/bench/bench.c:1: apps/volnav/bench must not include \"../experiment/experiment.h\"")

    def test_main_includes_commands_only(self):
        self.write("apps/volnav/main.c", "#include \"bench/bench.h\"\n")
        self.expect("apps/volnav/main.c:1: apps/volnav/. must not include \"bench/bench.h\" of apps/volnav/bench")

    def test_upward_include(self):
        self.write("src/base/heap.c", "\n\n#include \"occupancy/occupancy.h\"\n")
        self.expect("src/base/heap.c:3: module base must not include \"occupancy/occupancy.h\" of module occupancy")

    def test_upward_include_of_a_public_header(self):
        self.write("src/base/heap.c", "#include \"volnav/math.h\"\n")
        self.expect("src/base/heap.c:1: module base must not include \"volnav/math.h\" of module geom")

    def test_upward_include_by_a_relative_path(self):
        self.write("src/base/heap.c", "  #  include \"../occupancy/occupancy.h\"\n")
        self.expect("src/base/heap.c:1: module base must not include")

    def test_public_header_includes_an_upper_one(self):
        self.write("include/volnav/math.h", "#include \"volnav/io.h\"\n")
        self.expect("include/volnav/math.h:2: module geom must not include \"volnav/io.h\" of module io")

    def test_public_header_includes_an_internal_one(self):
        self.write("include/volnav/math.h", "#include \"../../src/base/heap.h\"\n")
        self.expect("include/volnav/math.h:2: a public header includes the internal")

    def test_store_lies_above_query(self):
        self.write("src/query/query_inside.h", "#include \"volnav/store.h\"\n")
        self.expect("src/query/query_inside.h:2: module query must not include \"volnav/store.h\" of module store")

    def test_store_lies_below_io(self):
        self.write("src/store/record.c", "#include \"volnav/io.h\"\n")
        self.expect("src/store/record.c:1: module store must not include \"volnav/io.h\" of module io")

    def test_io_sees_public_headers_only(self):
        self.write("src/io/file.c", "#include \"base/heap.h\"\n")
        self.expect("src/io/file.c:1: module io is a library of its own and must not include the internal \"base/heap.h\"")

    def test_the_core_includes_stdio(self):
        self.write("src/probe/sight.h", "#include <stdio.h>\n")
        self.expect("src/probe/sight.h:2: <stdio.h> has no place in the core")

    def test_the_checker_shares_line_of_sight(self):
        self.write("src/path/check.c", "#include \"probe/sight.h\"\n")
        self.expect("src/path/check.c:1: src/path/check* must not include \"probe/sight.h\"")

    def test_the_checker_shares_geometry(self):
        self.write("src/path/check_world.h", "#include \"geom/tree.h\"\n")
        self.expect("src/path/check_world.h:2: src/path/check* must not include \"geom/tree.h\"")

    def test_unknown_module(self):
        self.write("src/attic/junk.c", "")
        self.expect("src/attic/junk.c:1: belongs to no module")

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
        build.mkdir(exist_ok=True)
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
        self.assertIn("check_layers: the layers hold\n", out)

    def test_object_needs_a_module_above(self):
        objects = self.root / "build/CMakeFiles/volnav_objects.dir/src"
        for module, source in (("base", "int vni_up(void);\nint vni_down(void);\nint vni_down(void) { return vni_up(); }\n"),
                               ("nav", "int vni_up(void);\nint vni_down(void);\nint vni_up(void) { return vni_down(); }\n")):
            (objects / module).mkdir(parents=True)
            self.write(f"src/{module}/x.c", source)
            subprocess.run(["gcc", "-c", self.root / f"src/{module}/x.c", "-o", objects / module / "x.c.o"], check=True)
            shutil.copy(objects / module / "x.c.o", objects / module / "gone.c.o")  # of a file that was removed: not looked at
        out = self.build(self.CORE + "PUBLIC int vn_f(void) { return 1; }\n")
        self.assertIn("src/base/x.c:1: needs vni_up, which module nav defines: nothing points up", out)
        self.assertIn("2 references between objects", out)
        self.assertEqual(out.count("points up"), 1)

    def test_core_needs_libm(self):
        out = self.build(self.CORE + "PUBLIC double vn_f(double x) { return cos(x); }\n")
        self.assertIn("libvolnav.a:1: volnav.o needs the symbol cos,", out)

    def test_core_needs_stdio(self):
        out = self.build(self.CORE + "PUBLIC int vn_f(char* x) { return snprintf(x, 1, \"\"); }\n")
        self.assertIn("libvolnav.a:1: volnav.o needs the symbol snprintf,", out)

    def test_classic_needs_the_core_and_no_stdio(self):
        core = self.CORE + "PUBLIC int vn_f(void) { return 1; }\n"
        out = self.build(core, "int vni_core(void);\nint vni_g(void);\nint vni_g(void) { return vni_core(); }\n")
        self.assertIn("check_layers: the layers hold\n", out)
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
        self.assertIn("include/volnav/math.h:4: vn_nowhere is declared, but no shared library exports it", out)


if __name__ == "__main__":
    unittest.main()
