"""Tests of tools/check_tidy on a small tree with commands of its own; those that need clang-tidy are skipped without it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHECK_TIDY = ROOT / "tools" / "check_tidy"
HAS_CLANG = shutil.which("clang-tidy") is not None and shutil.which("clang-query") is not None


class Tidy(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="check_tidy")).resolve()
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "build").mkdir()
        (self.root / "src").mkdir()
        shutil.copy(ROOT / ".clang-tidy", self.root / ".clang-tidy")

    def check(self, body, code, top="", **environment):
        """The output for a file whose function `int f(char* p, char* q, int n)` has this body on line 3."""
        file = self.root / "src/a.c"
        file.write_text(f"#include <stddef.h>\n{top}int f(char* p, char* q, int n); int f(char* p, char* q, int n) {{\n{body}\n}}\n")
        command = f"ccache gcc -std=c17 -DVOLNAV_ASSERTS=0 -c {file} -o a.o"
        (self.root / "build/compile_commands.json").write_text(
            json.dumps([{"directory": str(self.root / "build"), "file": str(file), "command": command}] * 2))
        return self.run_it(code, **environment)

    def run_it(self, code, **environment):
        run = subprocess.run([sys.executable, CHECK_TIDY, "--root", self.root], capture_output=True, text=True,
                             env={**os.environ, **environment})
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run.stdout

    def expect_pointers(self, body, *places, top=""):
        out = self.check(body, 1, top)
        self.assertEqual(out.splitlines()[:-1],
                         [f"src/a.c:{place}: a pointer used as a condition: compare it with NULL" for place in places])

    @unittest.skipUnless(HAS_CLANG, "no clang-tidy")
    def test_compared_pointers_pass(self):
        out = self.check("return p != NULL && q == NULL && !n && *p ? n : 0;", 0)
        self.assertRegex(out, r"^check_tidy: 1 files, 0 violation\(s\), \d+ s\n$")

    @unittest.skipUnless(HAS_CLANG, "no clang-tidy")
    def test_pointers_as_conditions(self):
        self.expect_pointers("if (!p) return 1; while (q) ++q; return n;", "3:6", "3:26")
        self.expect_pointers("return n && (p) ? *q : 0;", "3:14")
        self.expect_pointers("_Bool b = p; return q ? b : n;", "3:11", "3:21")

    @unittest.skipUnless(HAS_CLANG, "no clang-tidy")
    def test_pointers_in_asserts(self):
        top = "#if VOLNAV_ASSERTS\n#define A(x) ((x) ? (void)0 : (void)1)\n#else\n#define A(x) ((void)0)\n#endif\n"
        self.expect_pointers("A(p && n); A(q != NULL); return n;", "8:3", top=top)

    @unittest.skipUnless(HAS_CLANG, "no clang-tidy")
    def test_checks_of_clang_tidy(self):
        out = self.check("return n == n || p == q;", 1)
        self.assertIn("src/a.c:3:10: both sides of operator are equivalent [misc-redundant-expression]\n", out)

    @unittest.skipUnless(HAS_CLANG, "no clang-tidy")
    def test_what_does_not_compile(self):
        self.assertIn("use of undeclared identifier", self.check("return nowhere;", 1))

    def test_without_clang_tidy_it_is_skipped(self):
        out = self.check("return !p;", 77, PATH="/nowhere")
        self.assertIn("skipped: clang-tidy is not installed", out)

    def test_without_a_build_it_is_skipped(self):
        if HAS_CLANG:
            self.assertIn("has no compile_commands.json", self.run_it(77))


if __name__ == "__main__":
    unittest.main()
