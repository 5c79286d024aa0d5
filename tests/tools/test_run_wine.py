"""tools/run_wine with a wine that is made up: it fails in wine's own way for as often as is asked, then runs the program."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

RUN_WINE = Path(__file__).resolve().parents[2] / "tools" / "run_wine"
FAULT = "wine client error:0: recvmsg: Connection reset by peer"
WINE = f"""#!/usr/bin/env bash
echo "$*" >>calls
if [ "$(wc -l <calls)" -le "$FAULTS" ]; then
    echo "{FAULT}" >&2
    exit 1
fi
exec "$@"
"""


class RunWine(unittest.TestCase):
    def setUp(self):
        self.dir = Path(tempfile.mkdtemp(prefix="run_wine"))
        self.addCleanup(shutil.rmtree, self.dir)
        wine = self.dir / "wine"
        wine.write_text(WINE)
        wine.chmod(0o755)

    def run_it(self, faults, script):
        """The finished process, and how often wine was started."""
        env = dict(os.environ, WINE="./wine", FAULTS=str(faults))
        done = subprocess.run([str(RUN_WINE), "sh", "-c", script], cwd=self.dir, env=env, capture_output=True, text=True, timeout=60)
        return done, len((self.dir / "calls").read_text().splitlines())

    def test_the_program_is_passed_through(self):
        done, calls = self.run_it(0, "echo out; echo err >&2; exit 0")
        self.assertEqual((done.returncode, done.stdout, done.stderr, calls), (0, "out\n", "err\n", 1))

    def test_a_fault_of_wine_is_tried_again(self):
        done, calls = self.run_it(2, "echo out")
        self.assertEqual((done.returncode, done.stdout, calls), (0, "out\n", 3))
        self.assertEqual(done.stderr.count(FAULT), 2)

    def test_three_faults_are_a_failure(self):
        done, calls = self.run_it(9, "echo out")
        self.assertEqual((done.returncode, done.stdout, calls), (1, "", 3))

    def test_a_failure_of_the_program_is_not_tried_again(self):
        done, calls = self.run_it(0, "echo broken >&2; exit 7")
        self.assertEqual((done.returncode, done.stderr, calls), (7, "broken\n", 1))


if __name__ == "__main__":
    unittest.main()
