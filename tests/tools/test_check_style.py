"""Tests of tools/check_style: a small tree passes, then each test breaks one rule and expects its message."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK_STYLE = Path(__file__).resolve().parents[2] / "tools" / "check_style"

GOOD = """/// base/good.c: sums.
#include "base/good.h"

// ---------------------------------------------------------------------------------------------- sums

int sum(const int* values, int count) {
    int total = 0, used = 0; // i++; in a comment is no step

    for (int i = 0; i < count; ++i) {
        total += values[used++];
        print("i++;");
    }

    return total - used--;
}
"""


class Style(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="check_style"))
        self.addCleanup(shutil.rmtree, self.root)
        self.write("src/base/good.c", GOOD)
        self.write("docs/words.md", "# Words\n\nNo one writes `nobody`.\n\n```\nsomebody\n```\n")

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def check(self):
        run = subprocess.run([sys.executable, CHECK_STYLE, "--root", self.root], capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        self.assertEqual(run.returncode, 0 if " 0 violation(s)" in run.stdout else 1, run.stdout)
        return run.stdout

    def expect(self, name, text, *messages):
        """The file is refused with these messages and no others."""
        self.write(name, text)
        lines = self.check().splitlines()
        self.assertEqual(lines[:-1], [f"{name}:{message}" for message in messages])

    def test_good_files_pass(self):
        self.assertEqual(self.check(), "check_style: 2 files, 0 violation(s)\n")

    def test_step_as_statement(self):
        self.expect("src/a.c", "void f(x* p) {\n    p->count++;\n    if (p)\n        --p->n;\n    else\n        p->a[p->n]--;\n}\n",
                    "2: step: p->count++: write ++p->count", "6: step: p->a[p->n]--: write --p->a[p->n]")

    def test_step_of_a_loop(self):
        self.expect("src/a.c", "void f(int n) {\n    for (int i = 0, k = n; i < k; i++, k--)\n        g(i);\n}\n",
                    "2: step: i++: write ++i", "2: step: k--: write --k")

    def test_used_values_are_no_steps(self):
        self.expect("src/a.c", "int f(int* p, int n) {\n    p[n++] = 1;\n    g(n++);\n    while (n-- > 0)\n        *p++ = 0;\n    return n++;\n}\n")

    def test_banner_of_two_lines(self):
        self.expect("src/a.c", "// --------------------\n// name\n", "1: banner: a banner is one line with a name: // ---------- name")

    def test_banner_in_a_block_comment(self):
        self.expect("src/a.c", "/*********************\n * name */\n", "1: banner: a banner is one line with a name: // ---------- name")

    def test_space(self):
        self.expect("src/a.c", "int a; \n\tint b;\n\n", "1: space: blanks at the end of the line", "2: space: a tab",
                    "4: space: a file ends with one newline")

    def test_words_in_comments(self):
        self.expect("src/a.c", "// Nobody frees it.\nint room;\nchar* s = \"room\";\n/* in a room */\n",
                    "1: word: \"Nobody\": name who or what: the caller, no thread, every reader",
                    "4: word: \"room\": module, scratch, capacity or buffer")

    def test_words_of_the_core_elsewhere(self):
        self.expect("samples/a.c", "// A room with a gate.\n")

    def test_words_in_prose(self):
        self.expect("docs/a.md", "# A\n\nHardly any is left.\n", "3: word: \"Hardly any\": plain present tense")

    def test_words_in_scripts(self):
        self.expect("tools/run", "# for somebody\n", "1: word: \"somebody\": name who or what: the caller, no thread, every reader")

    def test_long_function(self):
        body = lambda lines: "static int f(int a,\n             int b) {\n" + "    g();\n" * (lines - 3) + "}\n"
        self.expect("src/a.c", body(60))
        self.expect("src/a.c", "int a;\n" + body(61), "2: length: a function of 61 lines; at most 60")

    def test_long_table_is_no_function(self):
        self.expect("src/a.c", "static const int table[] = {\n" + "    1,\n" * 100 + "};\n")

    def test_long_text_is_no_function(self):
        self.expect("src/a.c", "static const char help[] =\n" + '    "text"\n' * 70 + '    "end";\n\nint f(void) {\n    return 1;\n}\n')

    def test_long_file(self):
        self.expect("src/a.c", "int a;\n" * 621, "1: length: 621 lines; at most 620")

    def test_long_test(self):
        self.expect("tests/a.c", "int a;\n" * 721, "1: length: 721 lines; at most 720")


if __name__ == "__main__":
    unittest.main()
