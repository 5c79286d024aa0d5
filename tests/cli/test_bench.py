"""tools/bench: the table and the plot of make bench, on small maps."""
import csv
import os
import random
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree

from tool import ROOT, TOOL, CliTest

SVG = "{http://www.w3.org/2000/svg}"


class MakeBench(CliTest):
    def bench(self, *args, expect=0):
        done = subprocess.run([sys.executable, str(ROOT / "tools" / "bench"), "--tool", TOOL, "--out", "out", *map(str, args)],
                              cwd=self.dir, capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done

    def map_with_scenario(self, name, seed, unreachable=False):
        """A map of 24^3 with a few walls, and queries along them whose costs need no search."""
        rng = random.Random(seed)
        walls = [(x, y, z) for x in (6, 12, 18) for y in range(24) for z in range(24) if unreachable or (y, z) != (3, 4)]
        path = self.map_file(name + ".3dmap", (24, 24, 24), walls)
        lines = []
        for _ in range(25):
            x, a, b = rng.choice((1, 8, 15, 20)), rng.randrange(10), rng.randrange(12, 24)
            lines.append("%d %d 7 %d %d 7 %d 1" % (x, a, x, b, b - a))
        if unreachable:
            lines.append("1 1 1 20 20 20 40 1")
        self.file(name + ".3dmap.3dscen", "\n".join(["version 1", name + ".3dmap"] + lines) + "\n")
        return path

    def cells_of_table(self, text):
        """The first table's rows by map, as lists of texts."""
        lines = [l for l in text.split("##")[0].splitlines() if l.startswith("|")]
        return {c[0]: c[1:] for c in ([p.strip() for p in l.strip("|").split("|")] for l in lines)}

    def test_table_and_plot(self):
        paths = [self.map_with_scenario("one", 1), self.map_with_scenario("two", 2)]
        self.bench("--sample", 20, "--astar-sample", 10, *paths)
        table = self.cells_of_table((self.dir / "out" / "bench.md").read_text())
        self.assertLessEqual({"map", "one", "two", "*geometric mean*"}, set(table))
        for name in ("one", "two"):
            row = dict(zip(table["map"], table[name]))
            self.assertEqual(len(table[name]), len(table["map"]))
            self.assertEqual(row["length"], "1.0000")  # along a wall, all ways are straight
            self.assertGreater(float(row["ratio"]), 0)
        root = ElementTree.parse(self.dir / "out" / "bench.svg").getroot()
        words = " ".join(node.text or "" for node in root.iter(SVG + "text"))
        for word in ("cells, standard", "cells, best", "A*", "voxels", "µs", "2 maps"):
            self.assertIn(word, words)
        self.assertEqual(len(root.findall(SVG + "polyline")), 6)
        self.assertEqual(sorted(os.listdir(self.dir / "out")), ["bench.md", "bench.svg"])

    def test_without_maps_it_makes_one(self):
        self.bench("--sample", 40, "--astar-sample", 10)
        table = self.cells_of_table((self.dir / "out" / "bench.md").read_text())
        row = dict(zip(table["map"], table["station"]))
        self.assertLess(float(row["length"]), 1)  # of cells, against costs that come from A*
        rows = list(csv.reader((self.dir / "out" / "station.3dmap.3dscen").read_text().splitlines()[2:], delimiter=" "))
        self.assertGreater(len(rows), 100)
        self.assertTrue(all(float(r[7]) >= 1 - 1e-9 for r in rows))  # no cost below that without obstacles

    def test_missing_paths_show(self):
        self.bench("--sample", 0, "--astar-sample", 5, self.map_with_scenario("closed", 3, unreachable=True), expect=1)
        self.assertIn("closed.**", (self.dir / "out" / "bench.md").read_text())

    def test_bad_maps(self):
        self.assertIn("nowhere.3dmap", self.bench("nowhere.3dmap", expect=2).stderr)


if __name__ == "__main__":
    unittest.main()
