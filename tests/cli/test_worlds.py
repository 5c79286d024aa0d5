"""Mazes, serpents, spirals and dust with default settings: every answer is a path that passes the checkers, or "no path",
and a flood fill of the script's own agrees. 40 voxels wide; with VN_TEST_LONG=1, 256;
with a part of the long size, 96."""
import collections
import json
import os
import random
import subprocess
import unittest

import worlds
from tool import TOOL, CliTest

SIZE, QUERIES = {"": (40, 12), "0": (40, 12), "1": (256, 40)}.get(os.environ.get("VN_TEST_LONG", ""), (96, 12))
SEED = os.environ.get("VN_SEED", "1")


class Worlds(CliTest):
    def ask(self, space, start, goal):
        """The status in JSON, whether the path was checked, and the exit code."""
        ends = [",".join(str(v + 0.5) for v in voxel) for voxel in (start, goal)]
        done = subprocess.run([TOOL, "query", space, "--from", ends[0], "--to", ends[1], "--json"], cwd=self.dir,
                              capture_output=True, text=True, timeout=900)
        answer = json.loads(done.stdout)
        return answer["status"], answer.get("checked"), done.returncode

    def check(self, kind):
        print(f"{kind} of {SIZE}: VN_SEED={SEED}")
        rng = random.Random(f"ends {kind} {SEED}")
        world = worlds.make(kind, SIZE, SEED)
        regions, counts = worlds.Regions(world), collections.Counter()
        world.write(self.dir / "world.3dmap")
        subprocess.run([TOOL, "bake", "world.3dmap", "-o", "world.vnav"], cwd=self.dir, check=True, capture_output=True,
                       timeout=900)
        for _ in range(QUERIES):
            start, goal = worlds.free_voxel(world, rng), worlds.free_voxel(world, rng)
            joined = regions.label(start) == regions.label(goal)
            expected = ("path", True, 0) if joined else ("no-path", None, 1)
            status, checked, code = self.ask("world.vnav", start, goal)
            counts[status] += 1
            with self.subTest(start=start, goal=goal):
                self.assertEqual((status, checked if status == "path" else None, code), expected)
        print(f"{kind} of {SIZE}: {dict(counts)}")

    def test_maze(self):
        self.check("maze")

    def test_serpent(self):
        self.check("serpent")

    def test_spiral(self):
        self.check("spiral")

    def test_dust(self):
        self.check("dust")


if __name__ == "__main__":
    unittest.main()
