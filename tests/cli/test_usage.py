"""Help, versions, unknown words and options, broken numbers."""
import json
import os
import pty
import subprocess
import unittest

from tool import TOOL, CliTest


COMMANDS = ("query", "bake", "info", "replay", "bench", "demo")


class Usage(CliTest):
    def test_help_teaches_within_80_columns(self):
        pages = [("--help",), ("help",), ("-h",)] + [(c, "--help") for c in COMMANDS]
        pages += [("help", c) for c in COMMANDS]
        for page in pages:
            text = self.run_tool(*page).stdout
            self.assertIn("Exit codes", text)
            self.assertIn("Example", text)
            for line in text.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_version(self):
        self.assertRegex(self.run_tool("--version").stdout, r"^volnav \d+\.\d+\.\d+\n$")

    def test_no_command(self):
        self.refused()

    def test_unknown_command_names_the_nearest(self):
        self.refused("qurey", says=["qurey", "query"])

    def test_command_of_a_later_version(self):
        for command in ("sim", "view"):
            self.refused(command, says=[command, "not in this version"])

    def test_unknown_option_names_the_nearest(self):
        self.refused("bake", "x.3dmap", "--resolutoin", "2", says=["--resolutoin", "--resolution"])
        self.refused("query", "x.3dmap", "--form", "1,2,3", says=["--form", "--from"])
        self.refused("bench", "x.3dmap", "--pases=2", says=["--pases=2", "--passes"])

    def test_far_fetched_words_get_no_proposal(self):
        for args in (("frobnicate",), ("bake", "x.3dmap", "--frobnicate"), ("bake", "x.3dmap", "-x")):
            done = self.refused(*args, says=[args[-1], "--help"])
            self.assertNotIn("did you mean", done.stderr)
        self.refused("bake", self.file("a.scene", "xyzzy 1 2 3\n"), says=["a.scene:1:", "xyzzy", "sphere"])

    def test_missing_and_surplus_values(self):
        self.refused("bake", "x.3dmap", "--resolution", says=["--resolution", "value"])
        self.refused("bake", "x.3dmap", "--solid=yes", says=["--solid"])
        self.refused("bake", "a.3dmap", "b.3dmap", says=["b.3dmap"])
        self.refused("bake", says=["input"])
        self.refused("bake", "", says=["empty"])
        self.refused("bake", "x.3dmap", "-o", "", says=["-o", "empty"])
        self.refused("bake", "-", says=["standard input"])
        self.refused("query", "a.3dmap", "--from", "1,2,3", says=["--to"])

    def test_numbers_are_read_completely(self):
        for text in ("abc", "1x", "", " 1", "nan", "inf", "0x10", "1e999", "0", "-1"):
            self.refused("bake", "x.3dmap", "--resolution=" + text, says=["--resolution"])
        for text in ("1e300", "1e-300"):
            self.refused("bake", "x.3dmap", "--resolution", text, says=["--resolution", text])
            self.refused("bake", "x.obj", "--scale", text, says=["--scale", text])
        self.refused("bake", "x.obj", "--margin", "1e300", says=["--margin", "1e9"])
        for text in ("-1", "1.5", "x", "99999999999999999999999"):
            self.refused("bake", "x.3dmap", "--threads=" + text, says=["--threads"])
        for text in ("1,2", "1,2,3,4", "1,,3", "1;2;3", "a,b,c", "1,2,nan", "1e300,0,0"):
            self.refused("query", "x.3dmap", "--from", text, "--to", "1,2,3", says=["--from"])
        self.refused("bake", "x.3dmap", "--bounds", "0,0,0,1,1", says=["--bounds"])
        self.refused("bake", "x.3dmap", "--bounds", "0,0,0,1,0,1", says=["--bounds"])

    def test_both_ways_of_giving_a_value(self):
        path = self.map_file(blocked=[(1, 1, 1)])
        a = self.run_json("bake", path, "--resolution", "2")
        b = json.loads(self.run_tool("bake", "--resolution=2", "--json", "--", path).stdout)
        self.assertEqual(a["hash"], b["hash"])
        self.assertEqual((a["resolution"], a["dims"]), (2, [4, 4, 4]))

    def test_things_of_later_versions_are_named(self):
        path = self.map_file()
        ends = ("--from", "1.5,1.5,1.5", "--to", "6.5,6.5,6.5")
        self.refused("query", path, *ends, "--algo", "dstar", says=["dstar", "astar", "dijkstra"])
        self.refused("query", path, *ends, "--space", "waypoints", says=["waypoints", "cells", "merged"])
        self.refused("query", path, *ends, "--refine", "iron", says=["iron", "none", "prune", "taut", "funnel"])
        self.refused("query", path, *ends, "--quality", "perfect", says=["perfect", "fast", "standard", "best"])
        self.refused("query", path, *ends, "--heuristic", "warp", says=["warp", "octile"])
        self.refused("query", path, *ends, "--neighbours", "18", says=["18", "26"])
        self.refused("query", path, *ends, "--weight", "0.5", says=["0.5"])
        self.refused("bake", path, "--up", "w", says=["--up"])

    def test_full_disk_is_noticed(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full here")
        with open("/dev/full", "w") as full:
            done = subprocess.run([TOOL, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("standard output", done.stderr)


class Progress(CliTest):
    def test_never_on_a_pipe(self):
        path = self.map_file(blocked=[(1, 1, 1)])
        done = self.run_tool("bake", path, "--resolution", "0.05", env={"TERM": "xterm"})
        self.assertEqual(done.stderr, "")

    def test_erased_on_a_terminal(self):
        path = self.map_file(dims=(64, 64, 64), blocked=[(x, x, 9) for x in range(64)])
        try:
            leader, follower = pty.openpty()
        except OSError:
            self.skipTest("there are no terminals here")
        env = dict(os.environ, TERM="xterm")
        done = subprocess.Popen([TOOL, "bake", path, "--resolution", "0.0625"], stdout=subprocess.DEVNULL,
                                stderr=follower, env=env)
        os.close(follower)
        seen = b""
        try:
            while True:
                chunk = os.read(leader, 4096)
                if not chunk:
                    break
                seen += chunk
        except OSError:
            pass  # the other end has closed
        os.close(leader)
        self.assertEqual(done.wait(timeout=300), 0)
        if seen:
            self.assertTrue(seen.endswith(b"\r\x1b[K"), seen[-80:])


if __name__ == "__main__":
    unittest.main()
