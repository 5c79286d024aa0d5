"""The command query: found, blocked, outside, nowhere; its JSON."""
import math
import unittest

from tool import CliTest

KEYS = {"status", "length", "cost", "points", "expanded", "microseconds", "clearance", "checked", "algo", "space",
        "bound", "start", "goal"}
ENDS = ("--from", "1.5,1.5,1.5", "--to", "6.5,6.5,6.5")


class Found(CliTest):
    def test_json(self):
        answer = self.run_json("query", self.wall_map(hole=(2, 5)), *ENDS)
        self.assertLessEqual(KEYS, set(answer))
        self.assertEqual(answer["points"][0], [1.5, 1.5, 1.5])
        self.assertEqual(answer["points"][-1], [6.5, 6.5, 6.5])
        self.assertTrue(answer["checked"])
        self.assertEqual((answer["algo"], answer["space"]), ("astar", "grid"))
        length = sum(math.dist(a, b) for a, b in zip(answer["points"], answer["points"][1:]))
        self.assertAlmostEqual(answer["length"], length, places=9)
        self.assertAlmostEqual(answer["cost"], length, places=9)
        self.assertGreater(answer["expanded"], 0)
        self.assertGreaterEqual(answer["clearance"], 0)
        through = [p for p in answer["points"] if 4 < p[0] < 5]
        self.assertTrue(all(p[1:] == [2.5, 5.5] for p in through), through)

    def test_straight_and_by_every_algorithm(self):
        path = self.map_file(blocked=[(7, 7, 7)])
        for algo in ("astar", "dijkstra", "greedy", "astar-list"):
            answer = self.run_json("query", path, "--from", "0.5,0.5,0.5", "--to", "5.5,0.5,0.5", "--algo", algo)
            self.assertEqual(answer["length"], 5)
            self.assertEqual(answer["points"], [[0.5, 0.5, 0.5], [5.5, 0.5, 0.5]])

    def test_six_neighbours(self):
        answer = self.run_json("query", self.map_file(), "--from", "0.5,0.5,0.5", "--to", "3.5,2.5,1.5",
                               "--neighbours", "6")
        self.assertEqual(answer["length"], 6)

    def test_heuristics_agree_where_they_are_lower_bounds(self):
        path = self.wall_map(hole=(0, 0))
        costs = [self.run_json("query", path, *ENDS, "--heuristic", h)["cost"] for h in ("octile", "euclidean")]
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
        answer = self.run_json("query", path, *ENDS, expect=1)
        self.assertEqual(answer["status"], "no-path")
        self.assertEqual(answer["points"], [])
        self.assertIsNone(answer["length"])
        self.assertFalse(answer["checked"])
        self.assertIn("no free way", self.run_tool("query", path, *ENDS, expect=1).stderr)

    def test_partial(self):
        answer = self.run_json("query", self.wall_map(), *ENDS, "--partial", expect=1)
        self.assertEqual((answer["status"], answer["reason"]), ("partial", "no-path"))
        self.assertTrue(answer["checked"])
        self.assertEqual(answer["points"][-1][0], 3.5)

    def test_budget(self):
        answer = self.run_json("query", self.wall_map(), *ENDS, "--budget", "3", expect=1)
        self.assertEqual(answer["status"], "budget-spent")
        self.assertLessEqual(answer["expanded"], 3)

    def test_capacity(self):
        answer = self.run_json("query", self.wall_map(), *ENDS, "--max-nodes", "5", expect=1)
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
