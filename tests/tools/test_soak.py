"""tools/soak with jobs that are made up: a ctest that names two test programs, and a fuzz target, all shell scripts."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOAK = ROOT / "tools" / "soak"


class Soak(unittest.TestCase):
    def setUp(self):
        self.dir = Path(tempfile.mkdtemp(prefix="soak"))
        self.addCleanup(shutil.rmtree, self.dir)
        self.script("tools/fuzz", (ROOT / "tools" / "fuzz").read_text())
        (self.dir / "build-asan").mkdir()
        (self.dir / "build-asan" / "CTestTestfile.cmake").touch()
        self.tests = []
        self.write_ctest()

    def script(self, name, body):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body if body.startswith("#!") else f"#!/usr/bin/env bash\n{body}\n")
        path.chmod(0o755)
        return path

    def write_ctest(self):
        answer = json.dumps({"tests": self.tests})
        self.script("bin/ctest", f"cat <<'END'\n{answer}\nEND")

    def add_test(self, name, body):
        """A test with the label soak, in build-asan."""
        program = self.script("build-asan/tests/" + name, body)
        self.tests.append({"name": "nav/" + name, "command": [str(program)],
                           "properties": [{"name": "ENVIRONMENT", "value": ["EXTRA=yes"]}]})
        self.write_ctest()

    def fuzz_job(self, name, body):
        self.script("build-fuzz/tests/fuzz/fuzz_" + name, body)

    def command(self, *args):
        return dict(args=[sys.executable, str(SOAK), *map(str, args)], cwd=self.dir, text=True,
                    env=dict(os.environ, PATH=f"{self.dir}/bin:{os.environ['PATH']}"))

    def soak(self, *args, expect=0):
        done = subprocess.run(**self.command(*args), capture_output=True, timeout=120)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done

    def state(self, job):
        return json.loads((self.dir / "out/soak/state.json").read_text())["jobs"][job]

    def calls(self, name):
        path = self.dir / name
        return [tuple(map(int, line.split())) for line in path.read_text().splitlines()] if path.exists() else []

    def test_seeds_follow_each_other_over_runs(self):
        self.add_test("model", 'echo "$VN_SEED $VN_SOAK_ROUNDS" >>calls; [ "$EXTRA" = yes ]; sleep 0.1')
        for _ in range(2):
            self.soak("--seconds", 1, "--slice", 5)
        calls = self.calls("calls")
        self.assertGreater(len(calls), 2)
        for (seed, rounds), (following, _) in zip(calls, calls[1:]):
            self.assertEqual(seed + rounds, following)
        self.assertGreater(calls[-1][1], 1)  # the rounds grow until a slice is full
        state = self.state("nav/model-asan")
        self.assertEqual(state["next"], sum(calls[-1]))
        self.assertEqual((state["done"], state["findings"]), (state["next"] - 1, 0))

    def test_mutants_of_one_module_after_another(self):
        for module in ("geom", "base", "attic"):
            (self.dir / "src" / module).mkdir(parents=True)
            if module != "attic":  # has no tests
                (self.dir / "tests/unit" / module).mkdir(parents=True)
        self.script("tools/mutate", 'echo "$2 $4 $6" >>modules; echo "3 mutants in this run"; sleep 0.05')
        self.soak("--seconds", 1, expect=2)  # not prepared
        self.script("build-mutate/build.ninja", "")
        self.soak("--seconds", 1, "--slice", 0.1, "mutate")
        lines = (self.dir / "modules").read_text().split("\n")
        self.assertEqual(lines[:3], ["base 0 1", "geom 0 1", "base 0 1"])
        self.assertEqual(self.state("mutate")["done"], 3 * (len(lines) - 1))

    def test_jobs_take_turns(self):
        self.add_test("a", "echo a >>turns; sleep 0.05")
        self.add_test("b", "echo b >>turns; sleep 0.05")
        self.soak("--seconds", 2, "--slice", 0.05)
        turns = (self.dir / "turns").read_text().split()
        self.assertEqual(turns[:4], ["a", "b", "a", "b"])

    def test_two_at_once(self):
        for name in "ab":
            self.add_test(name, f"touch begun-{name}; until [ -e begun-a ] && [ -e begun-b ]; do sleep 0.01; done")
        self.soak("--seconds", 1, "--slice", 1, "--at-once", 2, "--limit", 20)

    def test_finding_is_kept_and_the_job_goes_on(self):
        self.add_test("model", '''[ "$VN_SEED" -gt 1 ] || { echo "nav model: VN_SEED=1: a voxel differs"; exit 3; }; sleep 0.1''')
        done = self.soak("--seconds", 2, "--slice", 0.1, expect=1)
        path = self.dir / "out/soak/findings/nav-model-asan-1.txt"
        text = path.read_text()
        self.assertIn("exit code 3\nAgain: VN_SEED=1 VN_SOAK_ROUNDS=1 EXTRA=yes build-asan/tests/model\n", text)
        self.assertIn("a voxel differs", text)
        self.assertIn("FOUND: nav/model-asan", done.stdout)
        self.assertGreater(self.state("nav/model-asan")["next"], 2)
        self.assertEqual(self.state("nav/model-asan")["findings"], 1)
        self.soak("--seconds", 0.3, "--slice", 0.1)  # no new one: exit code 0

    def test_flights_have_their_hour_and_keep_their_rounds(self):
        program = self.script("build/tests/soak_flights", 'echo "$@" >>calls; echo "7 rounds, 35 runs in 1 s"; sleep 0.2; '
                              '[ ! -e bad ] || { echo "INVALID: reef, seed 12, step 9: a path"; exit 1; }')
        self.soak("--seconds", 1, "--slice", 0.1)
        calls = (self.dir / "calls").read_text().splitlines()
        self.assertEqual(calls[0], "--seconds 1 --checkpoint out/soak/flights.txt")
        self.assertEqual(self.state("flights")["done"], 35)  # totals, not sums of totals
        (self.dir / "bad").touch()
        self.soak("--seconds", 0.1, expect=1)
        finding, = (self.dir / "out/soak/findings").iterdir()
        self.assertIn("Again: build/tests/soak_flights --seed 12 --rounds 1\n", finding.read_text())
        program.unlink()
        self.assertIn("no such job", self.soak("flights", expect=2).stderr)

    def test_flights_are_not_cut_into_slices(self):
        self.script("build/tests/soak_flights", 'echo "$@" >>calls; exec sleep 1000')
        with subprocess.Popen(**self.command("--slice", 5), stdout=subprocess.PIPE) as process:
            while not (self.dir / "calls").exists():
                time.sleep(0.02)
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=30)
        self.assertTrue((self.dir / "calls").read_text().startswith("--seconds 3600 "))

    def test_fuzz(self):
        self.fuzz_job("bt", 'echo "$@" >>calls; echo "stat::number_of_executed_units: 700"; sleep 0.2')
        self.fuzz_job("driver_bt", "exit 1")  # no job
        (self.dir / "tests/fuzz/corpus/bt").mkdir(parents=True)
        self.soak("--seconds", 0.5, "--slice", 3)
        calls = (self.dir / "calls").read_text().splitlines()
        self.assertTrue(calls[0].startswith("-max_total_time=1 "), calls)
        self.assertTrue(calls[0].endswith("-artifact_prefix=out/fuzz/ -seed=1 out/fuzz/bt tests/fuzz/corpus/bt"), calls)
        self.assertEqual(self.state("fuzz-bt")["done"], 700 * len(calls))

    def test_fuzz_finding_names_the_input(self):
        self.fuzz_job("bt", 'echo "Test unit written to out/fuzz/crash-1234"; sleep 0.2; exit 77')
        self.soak("--seconds", 0.1, "--slice", 1, expect=1)
        self.assertIn("Again: build-fuzz/tests/fuzz/fuzz_bt out/fuzz/crash-1234\n",
                      (self.dir / "out/soak/findings/fuzz-bt-1.txt").read_text())

    def test_hanging_job_is_a_finding(self):
        self.add_test("model", "sleep 1000")
        self.soak("--seconds", 0.1, "--slice", 0.1, "--limit", 0.5, expect=1)
        self.assertIn("takes too long", (self.dir / "out/soak/findings/nav-model-asan-1.txt").read_text())

    def stopped_by(self, number):
        """Stops soak in the middle of the second slice; no process is left, and its seed comes again."""
        self.add_test("model", '[ "$VN_SEED" -gt 1 ] || exit 0; echo $$ >pid; touch begun; sleep 1000; true')
        with subprocess.Popen(**self.command("--slice", 0.01), stdout=subprocess.PIPE) as process:
            while not (self.dir / "begun").exists():
                time.sleep(0.02)
            begin = time.monotonic()
            process.send_signal(number)
            out = process.communicate(timeout=30)[0]
        self.assertLess(time.monotonic() - begin, 10)
        self.assertEqual(process.returncode, 0, out)
        self.assertEqual(self.state("nav/model-asan")["next"], 2)
        self.assertFalse(Path("/proc", (self.dir / "pid").read_text().strip()).exists())

    def test_interrupted(self):
        self.stopped_by(signal.SIGINT)

    def test_terminated(self):
        self.stopped_by(signal.SIGTERM)

    def test_status(self):
        self.add_test("model", "sleep 0.05")
        self.soak("--seconds", 0.2, "--slice", 0.05, "--seed", 1000)
        out = self.soak("--status").stdout
        self.assertRegex(out, r"nav/model-asan +1\d{3} ")
        self.assertIn("0 findings", out)

    def test_jobs_by_name(self):
        self.add_test("a", "touch a; sleep 0.1")
        self.add_test("b", "touch b; sleep 0.1")
        self.soak("--seconds", 0.2, "--slice", 0.1, "nav/b-asan")
        self.assertEqual([(self.dir / name).exists() for name in "ab"], [False, True])
        done = self.soak("nav/c-asan", expect=2)
        self.assertIn("no such job: nav/c-asan; there are: nav/a-asan, nav/b-asan", done.stderr)


if __name__ == "__main__":
    unittest.main()
