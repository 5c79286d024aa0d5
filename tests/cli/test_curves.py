"""Curves along the path of a query: reports, the trajectory as CSV and its limits, pictures, refusals."""
import csv
import math
import unittest

from tool import CliTest

# A hall with a wall to go around, and a shaft up to a loft.
HALL = """
resolution 0.25
bounds 0 0 0  16 1.5 12
box 7 0 0  9 1.5 6
"""
SHAFT = """
resolution 0.5
bounds 0 0 0  8 12 8
box 0 2 0  3 10 8
box 5 2 0  8 10 8
box 3 2 0  5 10 3
box 3 2 5  5 10 8
"""
AROUND = ("--radius", "0.3", "--from", "3,0.75,2", "--to", "13,0.75,2")
UP = ("--from", "4,1,4", "--to", "4,11,4")


class Curves(CliTest):
    def hall(self):
        return self.file("hall.scene", HALL)

    def test_all_kinds(self):
        answer = self.run_json("query", self.hall(), *AROUND, "--curve", "all")
        self.assertEqual([one["kind"] for one in answer["curves"]], ["chaikin", "spline", "turn"])
        for one in answer["curves"]:
            self.assertEqual(one["status"], "ok")
            self.assertTrue(one["checked"])
            self.assertEqual(one["stops"], 0)
            self.assertTrue(answer["length"] * 0.9 < one["length"] < answer["length"] * 1.3)
            self.assertGreater(one["seconds"], one["length"] / 5)
        done = self.run_tool("query", self.hall(), *AROUND, "--curve", "turn,spline")
        self.assertIn("curve turn: ", done.stdout)
        self.assertIn("curve spline: ", done.stdout)
        self.assertNotIn("chaikin", done.stdout)
        self.assertNotIn("curves", self.run_json("query", self.hall(), *AROUND))

    def rows(self, path):
        with open(path, encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file))
        self.assertEqual(lines[0], "t,x,y,z,vx,vy,vz,ax,ay,az".split(","))
        return [[float(value) for value in line] for line in lines[1:]]

    def test_trajectory(self):
        path = str(self.dir / "way.csv")
        answer = self.run_json("query", self.hall(), *AROUND, "--curve", "turn", "--trajectory", path, "--speed", "3", "--acceleration", "2", "--turn-rate", "60")
        rows = self.rows(path)
        self.assertEqual(rows[0][:4], [0, 3, 0.75, 2])
        self.assertEqual(rows[-1][1:7], [13, 0.75, 2, 0, 0, 0])
        self.assertAlmostEqual(rows[-1][0], answer["curves"][0]["seconds"], places=6)
        for row in rows:
            self.assertLessEqual(math.hypot(*row[4:7]), 3 * (1 + 1e-6))
            self.assertLessEqual(math.hypot(*row[7:10]), 2 * (1 + 1e-6))
        for first, second in zip(rows, rows[1:]):
            step = second[0] - first[0]
            self.assertLessEqual(step, 1 / 60 + 1e-6)
            self.assertLessEqual(math.dist(first[1:4], second[1:4]), 3 * step + 1e-6)
            if min(math.hypot(*first[4:7]), math.hypot(*second[4:7])) > 0.01:
                cosine = sum(a * b for a, b in zip(first[4:7], second[4:7])) / math.hypot(*first[4:7]) / math.hypot(*second[4:7])
                self.assertLessEqual(math.acos(min(1, cosine)), math.radians(60) * step + 1e-4)

    def test_picture(self):
        path = self.dir / "way.svg"
        self.run_tool("query", self.hall(), *AROUND, "--curve", "all", "--picture", str(path))
        text = path.read_text(encoding="utf-8")
        for label in ("path: ", "chaikin: ", "spline: ", "turn: "):
            self.assertIn(label, text)

    def test_climb(self):
        scene = self.file("shaft.scene", SHAFT)
        plain = self.run_json("query", scene, *UP, "--curve", "turn")
        self.assertEqual(plain["curves"][0]["helices"], 0)
        helix = self.run_json("query", scene, *UP, "--curve", "turn", "--climb", "45")
        self.assertEqual(helix["curves"][0]["helices"], 1)
        self.assertGreater(helix["curves"][0]["length"], 10 * math.sqrt(2))
        slow = self.run_json("query", scene, *UP, "--curve", "turn", "--climb-rate", "0.5")
        self.assertGreater(slow["curves"][0]["seconds"], 20)
        refused = self.run_json("query", scene, *UP, "--curve", "turn", "--climb", "0", expect=1)
        self.assertEqual(refused["curves"][0]["status"], "not-found")
        self.assertIn("max_slope", refused["curves"][0]["reason"])
        self.assertIn("no turn curve", self.run_tool("query", scene, *UP, "--curve", "turn", "--climb", "0", expect=1).stderr)

    def test_stops(self):
        options = ("--curve", "turn", "--min-turn-radius", "9")
        answer = self.run_json("query", self.hall(), *AROUND, *options)
        self.assertGreater(answer["curves"][0]["stops"], 0)
        self.run_json("query", self.hall(), *AROUND, *options, "--no-stops", expect=1)

    def test_bad_usage(self):
        for options, word in ((("--curve", "circle"), "chaikin, spline, turn"), (("--trajectory", "a.csv"), "--curve"), (("--curve", "all", "--trajectory", "a.csv"), "one curve"),
                              (("--curve", "turn", "--climb", "91"), "90"), (("--curve", "turn", "--speed", "0"), "--speed")):
            done = self.run_tool("query", self.hall(), *AROUND, *options, expect=2)
            self.assertIn(word, done.stderr)


if __name__ == "__main__":
    unittest.main()
