"""Zones of a scene: boxes, turned boxes, spheres and hulls, in what a path costs and how it runs; and in records."""
import math
import unittest

from tool import CliTest

OPEN = "resolution 0.5\nbounds 0 0 0  40 20 20\n"
THROUGH = ("--from", "2,10,10", "--to", "38,10,10")


class Zones(CliTest):
    def ask(self, zones, *options, expect=0):
        scene = self.file("zones.scene", OPEN + zones)
        return self.run_json("query", scene, *(options or THROUGH), expect=expect)

    def bad(self, zones, *says):
        return self.refused("bake", self.file("zones.scene", OPEN + zones), says=["zones.scene:3", *says])

    def test_no_zone(self):
        self.assertEqual(self.ask("")["cost"], 36)

    def test_every_kind_costs_what_lies_in_it(self):
        inside = {  # across everything: there is no way around, and the straight one is the cheapest
            "zone 18 0 0  22 20 20  3\n": 4,
            "zone-oriented 20 10 10  2 90 90  0 0 1  0  3\n": 4,
            "zone-sphere 20 10 10  100  3\n": 36,
            "zone-hull 18 -50 -50  22 -50 -50  18 90 -50  18 -50 90  22 90 -50  22 -50 90  18 90 90  22 90 90  3\n": 4,
        }
        for zone, metres in inside.items():
            with self.subTest(zone=zone):
                answer = self.ask(zone)
                self.assertAlmostEqual(answer["length"], 36, places=3)
                self.assertAlmostEqual(answer["cost"], 36 + 2 * metres, places=3)
                self.assertTrue(answer["checked"])

    def test_a_turned_wall(self):
        answer = self.ask("zone-oriented 20 10 10  2 90 90  0 0 1  45  3\n")
        self.assertLessEqual(answer["cost"], 36 + 2 * 4 * math.sqrt(2) + 0.01)
        self.assertGreater(answer["cost"], 36 + 2 * 4 - 0.01)

    def test_around_a_ball(self):
        answer = self.ask("zone-sphere 20 10 10  5  10\n")
        self.assertGreater(answer["length"], 36.5)
        self.assertLess(answer["cost"], 40)
        for x, y, z in answer["points"]:
            self.assertGreater(math.dist((x, y, z), (20, 10, 10)), 4.9)

    def test_classics_pay_too(self):
        ball, wall = "zone-sphere 20 10 10  5  10\n", "zone 18 0 0  22 20 20  3\n"
        for algo in ("astar", "dijkstra", "ara", "theta", "lazy-theta"):
            for space in ("grid", "octree", "merged"):
                with self.subTest(algo=algo, space=space):
                    answer = self.ask(wall, *THROUGH, "--space", space, "--algo", algo)
                    self.assertAlmostEqual(answer["cost"] - answer["length"], 8 * answer["length"] / 36, delta=6)
                    self.assertTrue(answer["checked"])
        around = self.ask(ball, *THROUGH, "--space", "grid", "--algo", "theta")
        self.assertGreater(around["length"], 36.5)
        self.assertLess(around["cost"], 40)
        scene = self.file("zones.scene", OPEN + ball)
        self.refused("query", scene, *THROUGH, "--space", "grid", "--algo", "jps", says=["jps", "through zones"])
        self.refused("query", scene, *THROUGH, "--space", "merged", "--refine", "prune", says=["prune", "zones"])

    def test_repeated_and_shifted(self):
        answer = self.ask("repeat 3 8 0 0\nzone-sphere 10 10 10  100  2\nend\nzone-sphere 20 10 10 0.5 1\n")
        self.assertAlmostEqual(answer["cost"], 72, places=3)
        self.assertGreater(self.ask("repeat 2 8 0 0\nzone 12 0 0  14 20 20  3\nend\n")["cost"], 36 + 7.9)

    def test_zones_block_nothing(self):
        with_zone = self.run_json("bake", self.file("a.scene", OPEN + "zone-sphere 20 10 10  5  10\n"))
        without = self.run_json("bake", self.file("b.scene", OPEN))
        self.assertEqual(with_zone["blocked_voxels"], without["blocked_voxels"])

    def test_records_keep_them(self):
        zones = "zone-sphere 20 10 10  5  10\nzone-oriented 12 10 10  2 6 90  0 0 1  45  3\nzone 30 0 0  31 9 9  2\n"
        scene = self.file("zones.scene", OPEN + zones)
        self.run_tool("query", scene, *THROUGH, "--record", "a.vnrec")
        done = self.run_tool("replay", "a.vnrec")
        self.assertIn("same", done.stdout)

    def test_refusals(self):
        self.bad("zone-sphere 1 2 3 4\n", "zone-sphere cx cy cz radius factor")
        self.bad("zone-sphere 1 2 3 -4 2\n", "negative")
        self.bad("zone-sphere 1 2 3 4 0\n", "factor")
        self.bad("zone-sphere 1 2 3 4 2e6\n", "factor")
        self.bad("zone-oriented 1 2 3 4 5 6 0 0 0 10 2\n", "axis")
        self.bad("zone-hull 2\n", "hull")
        self.bad("zone-hull\n", "zone-hull")
        self.bad("zone-hull 0 0 0  1 0 0  0 1 0  0 0 1  nan\n", "nan")
        self.bad("zone 5 0 0  1 1 1  2\n", "corner")
        self.bad("zone-spheer 1 2 3 4 2\n", "did you mean 'zone-sphere'?")
        many = "".join("zone-sphere %d 2 3 4 2\n" % i for i in range(65))
        self.refused("bake", self.file("many.scene", OPEN + many), says=["many.scene:67", "64 zones"])


if __name__ == "__main__":
    unittest.main()
