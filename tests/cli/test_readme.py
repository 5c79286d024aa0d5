"""Every command that README.md shows works as it stands there, from the root of the repository after `make`."""
import os
import re
import shlex
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from tool import ROOT, TOOL, CliTest

README = (ROOT / "README.md").read_text()


def shown():
    """The lines of the code blocks that have no language: commands."""
    blocks = re.findall(r"^```(.*?)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    lines = [line for language, block in blocks if language == "" for line in block.splitlines()]
    return [words for line in lines if (words := shlex.split(line, comments=True))]


class Readme(CliTest):
    def setUp(self):
        """A folder that looks like the repository after `make`, so that nothing is written into the real one."""
        super().setUp()
        for name in ("samples", "tests", "docs"):
            os.symlink(ROOT / name, self.dir / name)
        (self.dir / "build").mkdir()
        os.symlink(TOOL, self.dir / "build" / "volnav")

    def test_commands(self):
        commands = [words for words in shown() if words[0] != "make"]
        names = {words[1] for words in commands if words[0] == "build/volnav"}
        self.assertLessEqual({"query", "bake", "info", "replay", "demo", "bench", "sim", "experiment"}, names)
        for words in commands:
            self.assertIn(words[0], ("build/volnav", "mkdir"), words)
            done = subprocess.run(words, cwd=self.dir, capture_output=True, text=True, timeout=300)
            self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        written = sorted(os.listdir(self.dir / "out"))
        self.assertEqual(written, sorted({w.rpartition("/")[2] for words in commands for w in words if w.startswith("out/")}))
        for name in written:
            if name.endswith(".svg"):
                ElementTree.parse(self.dir / "out" / name)

    def test_make_targets(self):
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        for name in {words[1] for words in shown() if words[0] == "make"} | set(re.findall(r"`make ([a-z-]+)`", README)):
            self.assertIn(name, targets)

    def test_program_compiles(self):
        head, body = re.search(r"^```c\n((?:#[^\n]*\n)+)(.*?)^```$", README, re.DOTALL | re.MULTILINE).groups()
        self.file("program.c", head + "int main(void) {\n" + body + "}\n")
        done = subprocess.run(["cc", "-std=c17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{ROOT}/include", "program.c"],
                              cwd=self.dir, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_headers_are_named(self):
        """The table names each header that volnav.h does not bring along."""
        headers = {h.name: set(re.findall(r'#include "volnav/(\w+\.h)"', h.read_text())) for h in (ROOT / "include/volnav").glob("*.h*")}
        inside = {"volnav.h"}
        while more := set().union(*(headers[name] for name in inside)) - inside:
            inside |= more
        for name in sorted(set(headers) - inside):
            self.assertIn(f"`volnav/{name}`", README)

    def test_make_help(self):
        """Each target that has a description is listed, with all of it."""
        described = re.findall(r"^([a-z-]+):.* ## (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
        done = subprocess.run(["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, timeout=60)
        listed = dict(re.findall(r"^make ([a-z-]+) +(.*)$", done.stdout, re.MULTILINE))
        for name, text in described:
            self.assertEqual(listed.get(name), text)

    def test_links(self):
        for target in re.findall(r"\]\(([^)#:]+)\)", README):
            self.assertTrue((ROOT / target).exists(), target)


if __name__ == "__main__":
    unittest.main()
