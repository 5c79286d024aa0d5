"""volnav bench --dynamic: one box, a crowd and policies, on a small map."""
import os
import random
import subprocess
import unittest

from tool import CliTest

FAILING = os.environ.get("VOLNAV_FAILING")  # tests/cli/failing.c


class Dynamic(CliTest):
    def scenario(self):
        """A map of 48 x 32 x 32 with a wall that has a window, and queries through it."""
        rng = random.Random(5)
        wall = [(24, y, z) for y in range(32) for z in range(32) if not (10 <= y < 22 and 10 <= z < 22)]
        path = self.map_file("window.3dmap", (48, 32, 32), wall)
        lines = []
        for _ in range(20):
            a = (rng.randrange(1, 20), rng.randrange(32), rng.randrange(32))
            b = (rng.randrange(28, 47), rng.randrange(32), rng.randrange(32))
            lines.append("%d %d %d %d %d %d 60 1" % (a + b))
        self.file("window.3dmap.3dscen", "\n".join(["version 1", "window.3dmap"] + lines) + "\n")
        return path

    def test_figures(self):
        out = self.run_json("bench", self.scenario(), "--dynamic", "--seconds", 0.5, "--obstacles", 5, "--requests", 2,
                            "--threads", 2, "--quiet")
        self.assertEqual(out["map"], "window.3dmap")
        for key in ("update_us", "query_us"):
            self.assertLess(0, out[key]["mean"])
            self.assertLessEqual(out[key]["median"], out[key]["p99"])
        self.assertAlmostEqual(out["update_over_query"], out["update_us"]["mean"] / out["query_us"]["mean"], 6)
        self.assertEqual(set(out["update_stages_us"]),
                         {"footprint", "occupancy", "cells", "links", "seams", "components", "delta", "publish"})
        # The map is a single block: it has no seams.
        self.assertEqual({stage for stage, us in out["update_stages_us"].items() if us == 0}, {"seams"})
        crowd = out["crowd"]
        self.assertEqual((crowd["obstacles"], crowd["requests_a_frame"], crowd["frames"]), (5, 2, 31))
        self.assertEqual(crowd["asked"], 62)
        self.assertLessEqual(crowd["found"], crowd["asked"])
        self.assertEqual(crowd["valid"], crowd["found"])
        self.assertGreater(crowd["versions"], 1)
        policies = out["policies"]
        self.assertGreater(policies["always"]["updates_a_second"], 50)
        self.assertLess(policies["last_moment"]["updates_a_second"], policies["always"]["updates_a_second"])

    def test_text(self):
        done = self.run_tool("bench", self.scenario(), "--dynamic", "--seconds", 0.2, "--obstacles", 2)
        for word in ("whole update", "update / query", "version lag", "last moment", "valid in the version"):
            self.assertIn(word, done.stdout)

    def test_a_query_without_a_path_publishes_nothing(self):
        path = self.map_file("closed.3dmap", (16, 16, 16), [(8, y, z) for y in range(16) for z in range(16)])
        self.file("closed.3dmap.3dscen", "version 1\nclosed.3dmap\n1 1 1 4 4 4 6 1\n1 1 1 14 14 14 24 1\n")
        self.refused("bench", path, "--dynamic", "--seconds", 0.1, "--obstacles", 1, says=["line 4 of the scenario"])

    @unittest.skipIf(FAILING is None, "VOLNAV_FAILING names no tool with calls that fail")
    def test_a_call_that_fails_publishes_nothing(self):
        path = self.scenario()
        arguments = ["bench", path, "--dynamic", "--seconds", "0.1", "--obstacles", "2", "--json", "--quiet"]
        # The box alone, an obstacle of the crowd, that of the policies; a move of the box; the first tick of each.
        for call, words in (("add 1", "adding a box"), ("add 4", "adding a box"), ("add 5", "adding a box"), ("move 100", "moving the box"),
                            ("move 4001", "moving an obstacle"), ("tick 1", "first tick"), ("tick 50", "moving the box")):
            with self.subTest(call):
                done = subprocess.run([FAILING, *arguments], cwd=self.dir, capture_output=True, text=True, timeout=300,
                                      env=dict(os.environ, VOLNAV_FAIL=call))
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn(words, done.stderr)
                self.assertIn("memory", done.stderr)

    def test_refused(self):
        self.refused("bench", self.scenario(), "--dynamic", "--seconds", 0, says=["--seconds"])
        self.refused("bench", self.scenario(), "--dynamic", "--obstacles", 0, says=["--obstacles"])


if __name__ == "__main__":
    unittest.main()
