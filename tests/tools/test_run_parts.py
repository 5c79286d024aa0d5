"""tools/run_parts with a make that is made up: what it prints and returns for each target is a file."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

RUN_PARTS = Path(__file__).resolve().parents[2] / "tools" / "run_parts"
MAKE = """#!/usr/bin/env bash
echo "$*" >>calls
. ./$2
"""


class RunParts(unittest.TestCase):
    def setUp(self):
        self.dir = Path(tempfile.mkdtemp(prefix="run_parts"))
        self.addCleanup(shutil.rmtree, self.dir)
        make = self.dir / "make"
        make.write_text(MAKE)
        make.chmod(0o755)

    def part(self, target, body):
        (self.dir / target).write_text(body + "\n")

    def command(self, *args):
        return [sys.executable, str(RUN_PARTS), *args], dict(os.environ, MAKE="./make")

    def run_it(self, *args):
        command, env = self.command(*args)
        return subprocess.run(command, cwd=self.dir, env=env, capture_output=True, text=True, timeout=60)

    def test_every_part_runs_after_a_failure(self):
        self.part("all-one", "echo '97% tests passed, 1 tests failed out of 30'; echo the end; exit 8")
        self.part("all-two", "echo noise; echo '100% tests passed, 0 tests failed out of 12'; echo 'Total Test time (real) =   1.50 sec'")
        self.part("all-three", "echo built")
        done = self.run_it("all", "one", "two", "three")
        self.assertEqual(done.returncode, 1, done.stderr)
        calls = (self.dir / "calls").read_text().splitlines()
        self.assertEqual(calls, ["--no-print-directory all-" + part for part in ("one", "two", "three")])
        self.assertIn("\nthe end\n", done.stdout)
        self.assertNotIn("noise", done.stdout)
        self.assertIn("   100% tests passed, 0 tests failed out of 12\n   Total Test time (real) =   1.50 sec\n", done.stdout)
        table = (self.dir / "out/all/table.txt").read_text()
        self.assertTrue(done.stdout.endswith(table))
        rows = [line.split() for line in table.splitlines()]
        self.assertEqual([row[:2] for row in rows],
                         [["one", "FAILED"], ["two", "passed"], ["three", "passed"], ["all", "FAILED"]])
        self.assertEqual(rows[0][3:], "30 tests, 1 failed".split())
        self.assertEqual((self.dir / "out/all/two.log").read_text().splitlines()[0], "noise")

    def test_all_pass(self):
        self.part("all-one", "sleep 1")
        done = self.run_it("all", "one")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"one  passed +0:0[1-9]\nall  passed")

    def test_at_once(self):
        """Each waits for the other to begin; the table keeps the order of the parts."""
        for own, other in (("one", "two"), ("two", "one")):
            self.part(f"all-{own}", f"touch begun-{own}; until [ -e begun-{other} ]; do sleep 0.01; done; {'sleep 0.2' if own == 'one' else ''}")
        self.part("all-three", "exit 3")
        done = self.run_it("--at-once", "2", "all", "one", "two", "three")
        self.assertEqual(done.returncode, 1, done.stderr)
        rows = [line.split()[:2] for line in (self.dir / "out/all/table.txt").read_text().splitlines()]
        self.assertEqual(rows, [["one", "passed"], ["two", "passed"], ["three", "FAILED"], ["all", "FAILED"]])

    def test_stopped_at_once(self):
        for part in ("one", "two", "three"):
            self.part(f"all-{part}", f"touch begun-{part}; exec sleep 100")
        command, env = self.command("--at-once", "2", "all", "one", "two", "three")
        with subprocess.Popen(command, cwd=self.dir, env=env, stdout=subprocess.PIPE, text=True) as process:
            while not (self.dir / "begun-one").exists() or not (self.dir / "begun-two").exists():
                time.sleep(0.02)
            process.terminate()
            out = process.communicate(timeout=30)[0]
        self.assertEqual(process.returncode, 130)
        self.assertRegex(out, r"one  stopped .*\ntwo  stopped .*\nall  stopped")
        self.assertFalse((self.dir / "begun-three").exists())

    def test_stopped(self):
        self.part("all-one", "touch begun; exec sleep 100")
        self.part("all-two", "true")
        command, env = self.command("all", "one", "two")
        with subprocess.Popen(command, cwd=self.dir, env=env, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
            while not (self.dir / "begun").exists():
                time.sleep(0.02)
            os.killpg(process.pid, signal.SIGINT)
            out = process.communicate(timeout=30)[0]
        self.assertEqual(process.returncode, 130)
        self.assertRegex(out, r"one  stopped")
        self.assertFalse("all: two" in out)


if __name__ == "__main__":
    unittest.main()
