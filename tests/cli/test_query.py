"""The command query: found, blocked, outside, nowhere; its JSON."""
import math
import unittest

from tool import CliTest

KEYS = {"status", "length", "cost", "points", "expanded", "microseconds", "clearance", "checked", "algo", "space",
        "quality", "weight", "bound", "turns", "start", "goal"}
ENDS = ("--from", "1.5,1.5,1.5", "--to", "6.5,6.5,6.5")

# Pillars, beams and a sphere between two opposite corners.
CLUTTER = ("resolution 1\nbounds 0 0 0 32 32 32\n"
           "repeat 4 7 0 0\n repeat 4 0 0 7\n  box 3 0 3 6 28 6\n end\nend\n"
           "repeat 3 0 9 0\n box 0 4 8 32 6 9\n box 12 6 0 13 8 32\nend\nsphere 15 16 15 5\n")


class Found(CliTest):
    def answer_through_hole(self, *options):
        """The answer to a query through the hole (2, 5) of the wall, after what holds for every algorithm."""
        answer = self.run_json("query", self.wall_map(hole=(2, 5)), *ENDS, *options)
        self.assertLessEqual(KEYS, set(answer))
        self.assertEqual(answer["points"][0], [1.5, 1.5, 1.5])
        self.assertEqual(answer["points"][-1], [6.5, 6.5, 6.5])
        self.assertTrue(answer["checked"])
        length = sum(math.dist(a, b) for a, b in zip(answer["points"], answer["points"][1:]))
        self.assertAlmostEqual(answer["length"], length, places=9)
        self.assertAlmostEqual(answer["cost"], length, places=9)
        self.assertEqual(answer["turns"], len(answer["points"]) - 2)
        self.assertGreater(answer["expanded"], 0)
        self.assertGreaterEqual(answer["clearance"], 0)
        self.assertTrue(all(2 <= p[1] <= 3 and 5 <= p[2] <= 6 for p in answer["points"] if 4 <= p[0] <= 5))
        return answer

    def test_json(self):
        answer = self.answer_through_hole()
        self.assertEqual((answer["algo"], answer["space"], answer["quality"]), ("cells", "cells", "standard"))
        self.assertGreaterEqual(answer["weight"], 1)
        self.assertIsNone(answer["bound"])  # nothing is promised about the least length

    def test_json_of_the_grid(self):
        for options in (("--algo", "astar"), ("--space", "grid"), ("--space", "grid", "--algo", "astar")):
            answer = self.answer_through_hole(*options)
            self.assertEqual((answer["algo"], answer["space"]), ("astar", "grid"))
            self.assertEqual((answer["quality"], answer["weight"], answer["bound"]), (None, 1, 1))
            through = [p for p in answer["points"] if 4 < p[0] < 5]
            self.assertTrue(all(p[1:] == [2.5, 5.5] for p in through), through)

    def test_cells_take_the_shortest_way_through_a_hole(self):
        """Least over the square hole of the way to it and on from it, by brute force on both of its faces."""
        at = [k / 64 for k in range(65)]
        face = [(2 + a, 5 + b) for a in at for b in at]
        inside = {p: math.dist((1.5, 1.5, 1.5), (4, *p)) for p in face}
        outside = {p: math.dist((5, *p), (6.5, 6.5, 6.5)) for p in face}
        edge = [p for p in face if p[0] in (2, 3) or p[1] in (5, 6)]
        least = min(inside[p] + math.dist((4, *p), (5, *q)) + outside[q] for p in edge for q in edge)
        for quality in ("fast", "standard", "best"):
            answer = self.answer_through_hole("--quality", quality)
            self.assertAlmostEqual(answer["length"], least, delta=0.01)

    def test_quality(self):
        """The weights in order; the best way is as short as the standard's; astar pays for its steps."""
        path = self.file("a.scene", CLUTTER)
        ends = ("--from", "0.5,0.5,0.5", "--to", "31.5,30.5,31.5")
        answers = {q: self.run_json("query", path, *ends, "--quality", q) for q in ("fast", "standard", "best")}
        for quality, answer in answers.items():
            self.assertEqual((answer["quality"], answer["checked"]), (quality, True))
        weights = [answers[q]["weight"] for q in ("fast", "standard", "best")]
        self.assertEqual(weights, sorted(weights, reverse=True))
        self.assertEqual(weights[2], 1)
        self.assertLessEqual(answers["best"]["length"], answers["standard"]["length"] * 1.005)
        grid = self.run_json("query", path, *ends, "--algo", "astar")["length"]
        for answer in answers.values():
            self.assertLess(answer["length"], grid)
            self.assertGreaterEqual(answer["length"], math.dist((0.5, 0.5, 0.5), (31.5, 30.5, 31.5)))
        self.assertEqual(self.run_json("query", path, *ends, "--weight", "1.5")["weight"], 1.5)

    def test_refine(self):
        """Each pass takes what the one before left, and never makes it longer."""
        path = self.file("a.scene", CLUTTER)
        ends = ("--from", "0.5,0.5,0.5", "--to", "31.5,30.5,31.5")
        answers = {r: self.run_json("query", path, *ends, "--refine", r) for r in ("none", "prune", "taut", "default")}
        for answer in answers.values():
            self.assertTrue(answer["checked"])
            self.assertEqual(answer["expanded"], answers["none"]["expanded"])
        self.assertLess(answers["prune"]["turns"], answers["none"]["turns"])
        self.assertLess(answers["prune"]["length"], answers["none"]["length"])
        self.assertLess(answers["taut"]["length"], answers["none"]["length"])
        self.assertLess(answers["default"]["turns"], answers["taut"]["turns"])
        self.assertLessEqual(answers["default"]["length"], answers["taut"]["length"])

    def test_refine_on_the_grid(self):
        path = self.file("a.scene", CLUTTER)
        ends = ("--from", "0.5,0.5,0.5", "--to", "31.5,30.5,31.5", "--algo", "astar")
        plain, pruned = (self.run_json("query", path, *ends, "--refine", r) for r in ("none", "prune"))
        self.assertTrue(pruned["checked"])
        self.assertLess(pruned["length"], plain["length"])
        self.refused("query", path, *ends, "--refine", "taut", says=["taut", "grid"])

    def test_cells_on_a_grid_are_refused(self):
        path = self.map_file()
        for command in (("query", path, *ENDS), ("bench", path, "--scen", "none.3dscen")):
            self.refused(*command, "--algo", "cells", "--space", "grid", says=["--algo cells", "--space grid"])

    def test_straight_and_by_every_algorithm(self):
        path = self.map_file(blocked=[(7, 7, 7)])
        for algo in ("cells", "astar", "dijkstra", "greedy", "astar-list"):
            answer = self.run_json("query", path, "--from", "0.5,0.5,0.5", "--to", "5.5,0.5,0.5", "--algo", algo)
            self.assertEqual(answer["length"], 5)
            self.assertEqual(answer["points"], [[0.5, 0.5, 0.5], [5.5, 0.5, 0.5]])

    def test_six_neighbours(self):
        answer = self.run_json("query", self.map_file(), "--from", "0.5,0.5,0.5", "--to", "3.5,2.5,1.5",
                               "--neighbours", "6", "--algo", "astar")
        self.assertEqual(answer["length"], 6)

    def test_heuristics_agree_where_they_are_lower_bounds(self):
        path = self.wall_map(hole=(0, 0))
        costs = [self.run_json("query", path, *ENDS, "--algo", "astar", "--heuristic", h)["cost"]
                 for h in ("octile", "euclidean")]
        self.assertAlmostEqual(costs[0], costs[1], places=9)

    def test_start_is_goal(self):
        answer = self.run_json("query", self.map_file(), "--from", "2.5,2.5,2.5", "--to", "2.5,2.5,2.5")
        self.assertEqual(answer["length"], 0)
        self.assertTrue(answer["checked"])

    def test_no_obstacles_no_clearance(self):
        scene = self.file("empty.scene", "bounds 0 0 0 4 4 4\n")
        answer = self.run_json("query", scene, "--from", "0.5,0.5,0.5", "--to", "3.5,3.5,3.5")
        self.assertIsNone(answer["clearance"])

    def test_radius_is_kept(self):
        scene = self.file("a.scene", "resolution 0.5\nbounds 0 0 0 10 10 10\nsphere 5 5 5 2\n")
        answer = self.run_json("query", scene, "--from", "0.6,5.1,5.1", "--to", "9.4,5.1,5.1", "--radius", "1")
        self.assertGreaterEqual(answer["clearance"], 1)

    def test_text(self):
        done = self.run_tool("query", self.map_file(), *ENDS)
        self.assertIn("path:", done.stdout)
        self.assertIn("checked: free", done.stdout)


class NotFound(CliTest):
    def test_no_way(self):
        path = self.wall_map()
        for algo in ("cells", "astar"):
            answer = self.run_json("query", path, *ENDS, "--algo", algo, expect=1)
            self.assertEqual(answer["status"], "no-path")
            self.assertEqual(answer["points"], [])
            self.assertIsNone(answer["length"])
            self.assertFalse(answer["checked"])
            self.assertIn("no free path", self.run_tool("query", path, *ENDS, "--algo", algo, expect=1).stderr)

    def test_other_components_need_no_search(self):
        self.assertEqual(self.run_json("query", self.wall_map(), *ENDS, expect=1)["expanded"], 0)

    def test_partial(self):
        answer = self.run_json("query", self.wall_map(), *ENDS, "--partial", "--algo", "astar", expect=1)
        self.assertEqual((answer["status"], answer["reason"]), ("partial", "no-path"))
        self.assertTrue(answer["checked"])
        self.assertEqual(answer["points"][-1][0], 3.5)

    def test_partial_of_cells(self):
        """The goal is walled in: the way ends nearer to it than it began, and the checkers accept it."""
        scene = self.file("a.scene", CLUTTER + "box 26 26 26 27 32 32\nbox 26 26 26 32 27 32\nbox 26 26 26 32 32 27\n")
        start, goal = (0.5, 0.5, 0.5), (31.5, 30.5, 31.5)
        ends = ("--from", "0.5,0.5,0.5", "--to", "31.5,30.5,31.5")
        self.assertEqual(self.run_json("query", scene, *ends, expect=1)["status"], "no-path")
        answer = self.run_json("query", scene, *ends, "--partial", expect=1)
        self.assertEqual((answer["status"], answer["reason"], answer["checked"]), ("partial", "no-path", True))
        self.assertEqual(answer["points"][0], list(start))
        self.assertLess(math.dist(answer["points"][-1], goal), 0.5 * math.dist(start, goal))
        self.assertAlmostEqual(answer["length"], sum(map(math.dist, answer["points"], answer["points"][1:])), places=9)

    def test_budget(self):
        answer = self.run_json("query", self.wall_map(), *ENDS, "--budget", "3", "--algo", "astar", expect=1)
        self.assertEqual(answer["status"], "budget-spent")
        self.assertLessEqual(answer["expanded"], 3)

    def test_budget_of_cells(self):
        path = self.file("a.scene", CLUTTER)
        ends = ("--from", "0.5,0.5,0.5", "--to", "31.5,30.5,31.5")
        needed = self.run_json("query", path, *ends)["expanded"]
        self.assertEqual(self.run_json("query", path, *ends, "--budget", needed)["status"], "path")
        answer = self.run_json("query", path, *ends, "--budget", 3, expect=1)
        self.assertEqual((answer["status"], answer["points"]), ("budget-spent", []))
        self.assertLessEqual(answer["expanded"], 3)
        answer = self.run_json("query", path, *ends, "--budget", 3, "--partial", expect=1)
        self.assertEqual((answer["status"], answer["reason"], answer["checked"]), ("partial", "budget-spent", True))
        self.assertIn("--budget", self.run_tool("query", path, *ends, "--budget", 3, expect=1).stderr)

    def test_capacity(self):
        answer = self.run_json("query", self.wall_map(), *ENDS, "--max-nodes", "5", "--algo", "astar", expect=1)
        self.assertEqual(answer["status"], "capacity")

    def test_blocked_ends_name_the_nearest_free_point(self):
        path = self.map_file(blocked=[(x, y, z) for x in range(3, 6) for y in range(3, 6) for z in range(3, 6)])
        for which, ends in (("start", ("--from", "4.5,4.5,3.25", "--to", "0.5,0.5,0.5")),
                            ("goal", ("--from", "0.5,0.5,0.5", "--to", "4.5,4.5,3.25"))):
            answer = self.run_json("query", path, *ends, expect=1)
            self.assertEqual(answer["status"], which + "-blocked")
            near = answer["nearest_free"]
            self.assertEqual(near["which"], which)
            self.assertAlmostEqual(near["distance"], 0.25, delta=0.01)
            self.assertAlmostEqual(near["point"][2], 3, delta=0.01)
            text = self.run_tool("query", path, *ends, expect=1).stderr
            self.assertIn("The " + which + " is inside an obstacle", text)
            snap = text.split("--snap ")[1].split()[0]
            self.assertEqual(self.run_json("query", path, *ends, "--snap", snap)["status"], "path")

    def test_outside(self):
        path = self.map_file()
        ends = ("--from", "-2,4.5,4.5", "--to", "4.5,4.5,4.5")
        answer = self.run_json("query", path, *ends, expect=1)
        self.assertEqual(answer["status"], "outside")
        self.assertEqual(answer["nearest_free"]["which"], "start")
        self.assertIn("outside", self.run_tool("query", path, *ends, expect=1).stderr)
        self.assertEqual(self.run_json("query", path, *ends, "--snap", "2.1")["status"], "path")


if __name__ == "__main__":
    unittest.main()
