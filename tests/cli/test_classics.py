"""Octree, merged octree and the searches of volnav/classic.h on the command line: bake, query, bench."""
import csv
import itertools
import json
import random
import subprocess
import sys
import unittest

from tool import ROOT, TOOL, CliTest

ALGOS = ("astar", "dijkstra", "greedy", "astar-list", "ara", "jps", "jps6", "theta", "lazy-theta")
REFINES = ("none", "prune", "smooth", "funnel", "funnel+prune")


class Classics(CliTest):
    def scenario(self, queries=6):
        """A map of 16^3 with random blocks, and queries whose costs grid A* gives."""
        rng = random.Random(3)
        blocked = sorted({tuple(min(15, c + d) for c, d in zip(corner, delta))
                          for corner in [(rng.randrange(2, 13), rng.randrange(2, 13), rng.randrange(2, 13)) for _ in range(25)]
                          for delta in itertools.product(range(2), repeat=3)})
        path = self.map_file("blocks.3dmap", (16, 16, 16), blocked)
        lines = []
        while len(lines) < queries:
            a, b = ((0, rng.randrange(16), rng.randrange(16)), (15, rng.randrange(16), rng.randrange(16)))
            if a in blocked or b in blocked:
                continue
            found = self.run_json("query", path, "--from", self.centre(a), "--to", self.centre(b), "--algo", "astar")
            lines.append("%d %d %d %d %d %d %r 1" % (a + b + (found["cost"],)))
        self.file("blocks.3dmap.3dscen", "\n".join(["version 1", "blocks.3dmap"] + lines) + "\n")
        return path

    @staticmethod
    def centre(voxel):
        return ",".join("%g" % (c + 0.5) for c in voxel)

    def test_bake(self):
        path = self.map_file(dims=(16, 16, 16), blocked=[(0, 0, 0)])
        octree = self.run_json("bake", path, "--space", "octree")
        merged = self.run_json("bake", path, "--space", "merged")
        self.assertEqual(octree["space"], "octree")
        self.assertEqual(octree["cells"], 7 * 4)  # seven at each of four depths
        self.assertEqual(octree["tree"]["leaves"], octree["cells"])
        self.assertEqual(octree["tree"]["depth"], 4)
        self.assertEqual(merged["tree"]["leaves"], octree["cells"])
        self.assertLess(merged["cells"], octree["cells"])
        self.assertGreater(octree["links"], 0)
        coarse = self.run_json("bake", path, "--space", "octree", "--max-depth", 2)
        self.assertEqual(coarse["cells"], 7 * 2)
        self.assertIn("leaves", self.run_tool("bake", path, "--space", "merged").stdout)
        self.refused("bake", path, "--space", "octree", "--min-depth", 3, "--max-depth", 2, says=["depth"])
        self.refused("bake", path, "--space", "pyramid", says=["pyramid", "cells, grid, octree, merged"])

    def test_query_everywhere(self):
        """Every space, algorithm and refinement: a checked path, or what is missing."""
        path = self.scenario(1)
        ends = ("--from", "0.5,3.5,3.5", "--to", "15.5,12.5,12.5", "--snap", 3)
        best = self.run_json("query", path, *ends, "--quality", "best")["length"]
        for space, algo, refine in itertools.product(("grid", "octree", "merged"), ALGOS, REFINES):
            with self.subTest(space=space, algo=algo, refine=refine):
                command = [TOOL, "query", path, *map(str, ends), "--space", space, "--algo", algo, "--refine", refine, "--json"]
                done = subprocess.run(command, cwd=self.dir, capture_output=True, text=True, timeout=300)
                if done.returncode == 2:
                    self.assertRegex(done.stderr, "needs|has no|not")
                    self.assertTrue((algo.startswith("jps") and space != "grid") or "funnel" in refine, done.stderr)
                    continue
                self.assertEqual(done.returncode, 0, done.stderr)
                out = json.loads(done.stdout)
                self.assertEqual((out["status"], out["checked"], out["space"], out["algo"]), ("path", True, space, algo))
                self.assertGreaterEqual(out["length"], best * 0.999)

    def test_bench(self):
        out = self.run_json("bench", self.scenario(), "--space", "cells,grid,octree,merged", "--algo",
                            "cells,astar,jps,lazy-theta", "--refine", "default,funnel+prune", "--sample", 0, "--passes", 1)
        results = {(r["space"], r["algo"], r["refine"]): r for r in out["results"]}
        self.assertEqual(len(results), len(out["results"]))  # the grid is not measured twice
        self.assertLessEqual({("grid", "astar", "default"), ("grid", "jps", "default"), ("octree", "lazy-theta", "default"),
                              ("merged", "astar", "funnel+prune"), ("cells", "cells", "default")}, set(results))
        for key, r in results.items():
            self.assertEqual((r["found"], r["valid"]), (r["queries"], r["queries"]), key)
        self.assertEqual(results["grid", "jps", "default"]["cost_errors"], 0)
        self.assertIsNone(results["octree", "astar", "default"]["cost_errors"])
        self.assertGreater(results["grid", "lazy-theta", "default"]["sight_checks"], 0)
        skipped = {s["name"]: s["why"] for s in out["skipped"]}
        self.assertIn("octree jps", skipped)
        self.assertRegex(skipped["octree jps"], "grid")
        self.assertIn("funnel", skipped["merged lazy-theta funnel+prune"])

    def test_table_of_make_bench(self):
        page = self.file("page.md", "before\n<!-- classics -->\nold\n<!-- /classics -->\nafter\n")
        script = ROOT / "tools" / "bench_classics"
        done = subprocess.run([sys.executable, str(script), "--tool", TOOL, "--out", "out", "--update", page, "--seconds", "1",
                               self.scenario()], cwd=self.dir, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        text = (self.dir / "page.md").read_text()
        self.assertTrue(text.startswith("before\n<!-- classics -->\n| map |") and text.endswith("<!-- /classics -->\nafter\n"))
        self.assertNotIn("old", text)
        self.assertIn("| blocks | ", text)
        self.assertIn("JPS over A*", (self.dir / "out" / "classics.md").read_text())

    def test_bench_of_nothing(self):
        done = self.refused("bench", self.scenario(1), "--space", "octree", "--algo", "jps", says=["octree jps", "nothing is left"])
        self.assertIn("grid", done.stderr)
        self.refused("bench", self.scenario(1), "--space", "octree,tree", says=["tree"])
        self.refused("bench", self.scenario(1), "--algo", "astar,bstar", says=["bstar", "lazy-theta"])

    def test_query_refuses(self):
        path = self.scenario(1)
        ends = ("--from", "0.5,3.5,3.5", "--to", "15.5,12.5,12.5", "--snap", 3)
        self.refused("query", path, *ends, "--space", "octree", "--algo", "cells", says=["cells", "octree"])
        self.refused("query", path, *ends, "--algo", "theta", "--clearance", 2, says=["theta", "clearance"])
        self.refused("query", path, *ends, "--space", "octree", "--graph", "corners", says=["centres", "transitions"])

    def test_options_are_checked_for_every_search(self):
        """A slip is told even where the option is not used."""
        path = self.scenario(1)
        ends = ("--from", "0.5,3.5,3.5", "--to", "15.5,12.5,12.5", "--snap", 3)
        self.refused("query", path, *ends, "--graph", "corners", says=["corners", "transitions"])
        self.refused("query", path, *ends, "--ara-first", 0.5, says=["--ara-first 0.5"])
        self.refused("bench", path, "--graph", "corners", says=["corners"])
        for space in ("cells", "octree"):
            self.refused("query", path, *ends, "--space", space, "--algo", "theta", "--refine", "taut", says=["taut", "cells"])

    def test_why_not(self):
        """Reasons in the words of the command line."""
        path = self.scenario(1)
        ends = ("--from", "0.5,3.5,3.5", "--to", "15.5,12.5,12.5", "--snap", 3)
        done = self.run_tool("query", path, *ends, "--algo", "theta", "--budget", 1, expect=1)
        self.assertIn("--budget", done.stderr)
        self.assertNotIn("--partial", done.stderr)  # which theta does not know
        self.assertIn("--max-nodes", self.run_tool("query", path, *ends, "--algo", "dijkstra", "--space", "octree", "--max-nodes", 1, "--min-depth",
                                                   4, expect=1).stderr)
        one = self.map_file("one.3dmap", dims=(16, 16, 16), blocked=[(0, 0, 0)])
        far = ("--from", "1.5,0.5,0.5", "--to", "15.5,12.5,12.5", "--space", "octree", "--max-depth", 1)
        done = self.run_tool("query", one, *far, expect=1)
        self.assertIn("--max-depth 1", done.stderr)
        self.assertNotIn("obstacle", done.stderr)
        self.run_tool("query", one, *far, "--snap", 16)

    def test_too_narrow(self):
        scene = self.file("door.scene", "\n".join(["resolution 0.5", "bounds 0 0 0 20 8 20", "box 9 0 0 11 8 9", "box 9 0 11 11 8 20"]) + "\n")
        for more in (("--space", "grid"), ("--space", "octree"), ("--algo", "jps"), ("--space", "merged", "--algo", "theta")):
            out = self.run_json("query", scene, "--from", "4,4,10", "--to", "16,4,10", "--radius", 1.5, *more, expect=1)
            self.assertEqual(out["status"], "too-narrow", more)
            self.assertLess(out["passage"]["radius"], 1.5)

    def test_saved_trees(self):
        path = self.map_file("m.3dmap", (30, 20, 25), [(x, y, 12) for x in range(30) for y in range(3, 20)])
        ends = ("--from", "2.5,10.5,2.5", "--to", "20.5,10.5,22.5")
        self.run_tool("bake", path, "--space", "grid", "-o", "plain.vnav")
        for space in ("octree", "merged"):
            self.run_tool("bake", path, "--space", space, "-o", "tree.vnav")
            self.run_tool("bake", path, "--space", space, "--max-depth", 3, "-o", "cut.vnav")
            self.assertGreater((self.dir / "tree.vnav").stat().st_size, (self.dir / "plain.vnav").stat().st_size)
            self.assertEqual((self.dir / "cut.vnav").stat().st_size, (self.dir / "plain.vnav").stat().st_size)
            built = self.run_json("query", path, *ends, "--space", space)
            for name in ("tree.vnav", "plain.vnav"):
                found = self.run_json("query", name, *ends, "--space", space)
                self.assertEqual([found[k] for k in ("cost", "points", "expanded")],
                                 [built[k] for k in ("cost", "points", "expanded")])
            self.assertEqual(self.run_json("bake", "tree.vnav", "--space", space)["cells"],
                             self.run_json("bake", path, "--space", space)["cells"])

    def test_file_without_cells(self):
        path = self.scenario(1)
        ends = ("--from", "0.5,3.5,3.5", "--to", "15.5,12.5,12.5", "--snap", 3)
        self.run_tool("bake", path, "--space", "octree", "-o", "tree.vnav")
        self.refused("query", "tree.vnav", *ends, says=["without cells", "--space"])
        self.refused("bench", "tree.vnav", "--random", 3, says=["without cells"])
        self.assertEqual(self.run_json("query", "tree.vnav", *ends, "--space", "octree")["cost"],
                         self.run_json("query", path, *ends, "--space", "octree")["cost"])

    def test_bench_random_and_rows(self):
        path = self.scenario()
        for space in ("grid", "octree", "grid,merged"):
            out = self.run_json("bench", path, "--random", 5, "--space", space, "--passes", 1)
            for r in out["results"]:
                self.assertEqual((r["found"], r["valid"], r["length_over_scen"]), (5, 5, None), space)
        self.run_tool("bench", path, "--space", "octree,merged", "--refine", "none,funnel", "--passes", 1, "--rows", "r.csv")
        rows = list(csv.DictReader((self.dir / "r.csv").read_text().splitlines()))
        self.assertEqual([(r["space"], r["refine"]) for r in rows[:4]],
                         [("octree", "none"), ("octree", "funnel"), ("merged", "none"), ("merged", "funnel")])
        done = self.run_tool("bench", path, "--space", "cells,grid", "--algo", "astar,theta", "--refine", "none,funnel", "--passes", 1)
        self.assertEqual(done.stderr.count("theta funnel"), 1)  # not once for each space
        done = self.run_tool("bench", path, "--space", "octree", "--max-depth", 0, "--passes", 1)
        self.assertIn("found 0 of 6", done.stderr)
        self.assertNotIn("nan", done.stdout)

    def test_graphs_and_ara(self):
        path = self.scenario(1)
        ends = ("--from", "0.5,3.5,3.5", "--to", "15.5,12.5,12.5", "--snap", 3)
        for space in ("grid", "octree", "merged"):
            for graph in ("centres", "transitions"):
                out = self.run_json("query", path, *ends, "--space", space, "--graph", graph)
                self.assertTrue(out["checked"])
        ara = self.run_json("query", path, *ends, "--algo", "ara", "--ara-first", 3, "--ara-step", 0.5)
        astar = self.run_json("query", path, *ends, "--algo", "astar")
        self.assertEqual((ara["passes"], ara["bound"]), (5, 1))
        self.assertAlmostEqual(ara["cost"], astar["cost"], 6)
        self.assertNotIn("reason", ara)
        hasty = self.run_json("query", path, *ends, "--algo", "ara", "--budget", ara["expanded"] - 1)
        self.assertEqual((hasty["status"], hasty["reason"]), ("path", "budget-spent"))
        self.assertGreater(hasty["bound"], 1)

    def test_free_weights(self):
        """Albertini 2022, 5.1.4: the corners are dijkstra, greedy and astar."""
        path = self.scenario(1)
        ends = ("--from", "0.5,3.5,3.5", "--to", "15.5,12.5,12.5", "--snap", 3)
        for space in ("grid", "octree"):
            for algo, g, h in (("dijkstra", 1, 0), ("greedy", 0, 1), ("astar", 0.5, 0.5)):
                named = self.run_json("query", path, *ends, "--space", space, "--algo", algo)
                free = self.run_json("query", path, *ends, "--space", space, "--algo", "astar", "--weight-g", g, "--weight-h", h)
                for key in ("status", "expanded", "length", "bound"):
                    self.assertEqual(free[key], named[key], (space, algo, key))
        half = self.run_json("query", path, *ends, "--space", "octree", "--weight-g", 0.5)
        self.assertEqual(half["bound"], 2)
        self.refused("query", path, *ends, "--weight-h", 1.5, says=["--weight-h 1.5"])
        self.refused("query", path, *ends, "--weight-g", 0, "--weight-h", 0, says=["not both 0"])
        self.refused("query", path, *ends, "--algo", "jps", "--weight-g", 0.5, says=["jps"])

    def test_every_sight(self):
        path = self.scenario(1)
        ends = ("--from", "0.5,3.5,3.5", "--to", "15.5,12.5,12.5", "--snap", 3, "--algo", "theta")
        for space in ("grid", "octree"):
            few = self.run_json("query", path, *ends, "--space", space)
            every = self.run_json("query", path, *ends, "--space", space, "--every-sight")
            for key in ("points", "closed", "length"):
                self.assertEqual(every[key], few[key], (space, key))
            self.assertGreater(every["sight_checks"], few["sight_checks"])

    def test_many_targets(self):
        path = self.scenario(1)
        start = ("--from", "0.5,3.5,3.5", "--snap", 3)
        ends = ["15.5,12.5,12.5", "0.5,3.5,3.5", "15.5,0.5,0.5", "8.5,12.5,3.5"]
        for space, algo in (("grid", "astar"), ("octree", "dijkstra"), ("merged", "lazy-theta")):
            kind = ("--space", space, "--algo", algo)
            many = self.run_json("query", path, *start, "--targets", ",".join(ends), *kind, "--sharing", "exact")
            self.assertEqual((many["algo"], many["space"], many["sharing"], len(many["targets"])), (algo, space, "exact", 4))
            for target, end in zip(many["targets"], ends):
                one = self.run_json("query", path, *start, "--to", end, *kind)
                self.assertEqual((target["status"], target["checked"]), (one["status"], one["checked"]), (space, end))
                self.assertAlmostEqual(target["length"], one["length"], 6)
            self.assertAlmostEqual(many["length"], sum(t["length"] for t in many["targets"]), 6)
        done = self.run_tool("query", path, *start, "--targets", ",".join(ends), "--sharing", "kept-keys")
        self.assertIn("sharing kept-keys", done.stdout)
        self.assertEqual(done.stdout.count("m long"), 4)
        out = self.run_json("query", path, "--from", "0.5,3.5,3.5", "--snap", 3, "--targets", "15.5,12.5,12.5,900,0,0", expect=1)
        self.assertEqual([t["status"] for t in out["targets"]], ["path", "outside"])
        self.refused("query", path, *start, "--targets", "1,2", says=["--targets", "points"])
        self.refused("query", path, *start, "--targets", "1,2,3", "--sharing", "all", says=["kept-keys"])
        self.refused("query", path, *start, "--targets", "1,2,3", "--to", "1,2,3", says=["--to"])
        self.refused("query", path, *start, "--targets", "1,2,3", "--algo", "jps", says=["jps"])
        self.refused("query", path, *start, "--targets", "1,2,3", "--algo", "cells", says=["lazy-theta"])


if __name__ == "__main__":
    unittest.main()
