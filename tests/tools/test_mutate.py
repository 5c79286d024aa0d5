"""Tests of tools/mutate: which changes it makes, and runs on a toy project whose tests notice some of them."""

import importlib.machinery
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
MUTATE = Path(__file__).resolve().parents[2] / "tools" / "mutate"
loader = importlib.machinery.SourceFileLoader("mutate", str(MUTATE))
mutate = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", loader))
loader.exec_module(mutate)

CMAKE = """cmake_minimum_required(VERSION 3.22)
project(toy C)
enable_testing()
add_library(toy STATIC src/toy/toy.c)
add_executable(test_toy_sum tests/unit/toy/test_sum.c)
target_link_libraries(test_toy_sum toy)
add_test(NAME toy/sum COMMAND test_toy_sum)
"""
TOY = """/* toy.c: sums. */
int sum(const int* values, int count);
int unused(int a);
int sum(const int* values, int count) {
    int total = 0;
    for (int i = 0; i < count; ++i)
        total += values[i];
    return total;
}
int unused(int a) {
    return a + 1;
}
"""
TEST = """int sum(const int* values, int count);
int main(void) {
    const int values[4] = {1, 2, 3, 1000};
    return sum(values, 3) == 6 ? 0 : 1;
}
"""


CMAKE_UNUSED = """add_executable(test_toy_unused tests/unit/toy/test_unused.c)
target_link_libraries(test_toy_unused toy)
add_test(NAME toy/unused COMMAND test_toy_unused)
"""
TEST_UNUSED = """int unused(int a);
int main(void) {
    return unused(5) == 6 ? 0 : 1;
}
"""


def changed(text):
    """Each change as the line that it makes, with the kind before it."""
    return sorted(f"{change[0]}: {mutate.Mutant('x.c', text, change).new_line}" for change in mutate.changes(text))


class Changes(unittest.TestCase):
    def body(self, line):
        return changed("void f(void) {\n    " + line + "\n}\n")

    def test_comparison(self):
        self.assertEqual(self.body("return a < b;"), ["operator: return a <= b;"])

    def test_condition(self):
        self.assertEqual(self.body("if (a && b)"), ["negation: if (!(a && b))", "operator: if (a || b)"])

    def test_negated_condition_is_changed_once(self):
        self.assertEqual(self.body("if (!a)"), ["negation: if (a)"])

    def test_constants(self):
        self.assertEqual(self.body("return 7u;"), ["constant: return 6u;", "constant: return 8u;"])
        self.assertEqual(self.body("return 0;"), ["constant: return 1;"])
        self.assertEqual(self.body("return 0x1f;"), ["constant: return 0x20;"])
        self.assertEqual(self.body("return 2.5f;"), ["constant: return (2.5f * 2);"])
        self.assertEqual(self.body("return true;"), ["constant: return false;"])

    def test_statement(self):
        self.assertEqual(self.body("call(a);"), ["statement: ;"])
        self.assertEqual(self.body("a->b = c;"), ["statement: ;"])
        self.assertEqual(self.body("break;"), ["statement: ;"])

    def test_declarations_stay(self):
        self.assertEqual(self.body("int* a = b;"), [])
        self.assertEqual(self.body("vn_space* a;"), [])

    def test_stars_and_signs(self):
        self.assertEqual(self.body("return *a;"), [])
        self.assertEqual(self.body("return (double)-a;"), [])
        self.assertEqual(self.body("return (vn_space*)&a;"), [])
        self.assertEqual(self.body("return a * b;"), ["operator: return a / b;"])
        self.assertEqual(self.body("return f(a) - b;"), ["operator: return f(a) + b;"])

    def test_loop_heads_keep_their_parts(self):
        self.assertEqual(self.body("for (i = j; i < n; ++i)"), ["operator: for (i = j; i < n; --i)", "operator: for (i = j; i <= n; ++i)"])

    def test_what_is_no_code(self):
        self.assertEqual(self.body("// a < b"), [])
        self.assertEqual(self.body('return "a < b";'), [])
        self.assertEqual(self.body("VNI_ASSERT(a < 5);"), [])
        self.assertEqual(changed("#define A (1 < 2)\n#if 1 < 2\n#endif\nint a[3];\n"), [])

    def test_a_dropped_statement_keeps_the_lines(self):
        text = "void f(void) {\n    call(a,\n         b);\n    end();\n}\n"
        for change in mutate.changes(text):
            self.assertEqual(mutate.Mutant("x.c", text, change).text.count("\n"), text.count("\n"))


class Runs(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="mutate"))
        self.addCleanup(shutil.rmtree, self.root)
        for name, text in (("CMakeLists.txt", CMAKE), ("src/toy/toy.c", TOY), ("tests/unit/toy/test_sum.c", TEST)):
            file = self.root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def run_it(self, *arguments, code=0):
        run = subprocess.run([sys.executable, MUTATE, "--root", self.root, "--module", "toy", *arguments], capture_output=True, text=True)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run.stdout + run.stderr

    def verdicts(self, seed=1):
        state = json.loads((self.root / f"out/mutate/toy-{seed}.json").read_text())
        return {one["key"]: one["verdict"] for one in state["verdicts"]}

    def test_all_changes(self):
        out = self.run_it("--count", "0")
        killed = "src/toy/toy.c: `total += values[i];` becomes `total -= values[i];`"
        survived = "src/toy/toy.c: `return a + 1;` becomes `return a - 1;`"
        self.assertEqual(self.verdicts()[killed], "killed")
        self.assertEqual(self.verdicts()[survived], "survived")
        self.assertIn(f"SURVIVED: {survived} (line 11)", out)
        self.assertEqual((self.root / "src/toy/toy.c").read_text(), TOY)
        self.assertEqual((self.root / "out/mutate/tree/src/toy/toy.c").read_text(), TOY)

        # A survivor with a reason counts apart.
        before = float(out.split("): ")[1].split(" %")[0])
        self.assertLess(before, 95)
        (self.root / "tools").mkdir()
        (self.root / "tools/mutate.md").write_text("\n".join(f"- {key}: no one calls it." for key, verdict in self.verdicts().items()
                                                             if verdict == "survived"))
        self.assertIn("100.0 % killed", self.run_it("--status"))

    def test_share_below_the_least(self):
        self.run_it("--count", "0", "--least", "99", code=1)

    def test_goes_on_where_it_stopped(self):
        self.run_it("--count", "3")
        first = list(self.verdicts())
        out = self.run_it("--count", "5")
        self.assertEqual(list(self.verdicts())[:len(first)], first)
        self.assertIn("2 mutants in this run", out)
        whole = Path(self.root / "out/mutate/toy-1.json")
        resumed = [one["key"] for one in json.loads(whole.read_text())["verdicts"]]
        whole.unlink()
        self.run_it("--count", "5")
        self.assertEqual([one["key"] for one in json.loads(whole.read_text())["verdicts"]], resumed)

    def test_begins_anew_when_the_module_changes(self):
        self.run_it("--count", "1")
        (self.root / "src/toy/toy.c").write_text(TOY.replace("a + 1", "a + 2"))
        self.assertIn("all begins anew", self.run_it("--count", "1"))

    def test_a_new_test_meets_only_survivors(self):
        self.run_it("--count", "0")
        before = self.verdicts()
        survivors = [key for key, verdict in before.items() if verdict == "survived"]
        self.assertGreater(len(survivors), 0)
        self.assertEqual(set(before.values()), {"killed", "survived", "same"} & set(before.values()))
        (self.root / "CMakeLists.txt").write_text(CMAKE + CMAKE_UNUSED)
        (self.root / "tests/unit/toy/test_unused.c").write_text(TEST_UNUSED)
        self.assertIn(f"{len(survivors)} verdicts are older than the tests", self.run_it("--status"))
        out = self.run_it("--count", "0")
        self.assertIn(f"{len(survivors)} mutants in this run", out)
        self.assertNotIn("older than the tests", out)
        self.assertEqual(list(self.verdicts()), list(before))
        for key, verdict in before.items():
            self.assertEqual(self.verdicts()[key], "killed" if "return a" in key else verdict)
        self.assertIn("0 mutants in this run", self.run_it("--count", "0"))

    def test_a_header_counts_for_the_tests_that_include_it(self):
        folder = self.root / "tests/unit/toy"
        files = {"test_a.c": '#include "a.h"\n', "a.h": '#include "b.h"\n', "b.h": "", "c.h": "", "test_b.c": "#include <b.h>\n"}
        for name, text in files.items():
            (folder / name).write_text(text)
        found = {one.name for one in mutate.with_headers(folder / "test_a.c")}
        self.assertEqual(found, {"test_a.c", "a.h", "b.h"})
        self.assertEqual(mutate.with_headers(folder / "test_b.c"), {folder / "test_b.c"})
        before = mutate.digest(mutate.with_headers(folder / "test_a.c"))
        (folder / "c.h").write_text("int c;\n")
        self.assertEqual(mutate.digest(mutate.with_headers(folder / "test_a.c")), before)
        (folder / "b.h").write_text("int b;\n")
        self.assertNotEqual(mutate.digest(mutate.with_headers(folder / "test_a.c")), before)

    def test_a_changed_test_meets_all_again(self):
        self.run_it("--count", "0")
        before = self.verdicts()
        (self.root / "tests/unit/toy/test_sum.c").write_text("int main(void) { return 0; }\n")
        counted = sum(verdict in ("killed", "survived") for verdict in before.values())
        self.assertIn(f"{counted} mutants in this run", self.run_it("--count", "0"))
        self.assertNotIn("killed", self.verdicts().values())

    def test_a_change_left_behind_is_undone(self):
        self.run_it("--count", "1")
        (self.root / "out/mutate/tree/src/toy/toy.c").write_text(TOY.replace("+=", "-="))
        self.run_it("--count", "2")

    def test_tests_that_fail_by_themselves(self):
        (self.root / "tests/unit/toy/test_sum.c").write_text(TEST.replace("== 6", "== 7"))
        self.assertIn("the test toy/sum fails without a change", self.run_it(code=2))

    def test_no_such_module(self):
        self.assertIn("no such module: attic; there are: toy", self.run_it("--module", "attic", code=2))


if __name__ == "__main__":
    unittest.main()
