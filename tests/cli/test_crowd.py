"""volnav experiment crowd: who arrives, what is touched, what it costs, with small crowds."""
import unittest
import xml.etree.ElementTree as ElementTree

from test_experiment import NO_DATA, Experiments, rows_of
from test_maruszczyk import table
from tool import has_sanitizer, is_long

STAGES = ["ring", "sphere", "corridor", "door", "station"]
SVG = "{http://www.w3.org/2000/svg}"


class Crowd(Experiments):
    @classmethod
    def setUpClass(cls):
        cls.run_quick("crowd")
        cls.scenes = {(r["scene"], r["mode"]): r for r in rows_of(cls.out / "scenes.csv")}
        cls.runs = {r["scene"]: r for r in rows_of(cls.out / "runs.csv")}
        cls.times = rows_of(cls.out / "times.csv")

    def test_page(self):
        text = self.check_page(self.out, 13)
        for word in ("What holds", "Who arrives", "pushing", "Albertini 2022", "Warehouse and reef", "calibration loop"):
            self.assertIn(word, text)
        self.assertNotIn("Same order?", text)  # there is no thesis to compare with

    def test_everyone_arrives_and_no_wall_is_touched(self):
        self.assertEqual([s for s, mode in self.scenes if mode == "ours"], STAGES)
        for stage in STAGES:
            row = self.scenes[stage, "ours"]
            self.assertEqual((row["arrived"], row["wall_violations"]), (row["agents"], "0"), stage)
            self.assertLess(float(row["overlap"]), 0.15, stage)
            self.assertGreater(float(row["last_s"]), 5, stage)
            self.assertEqual(self.scenes[stage, "pushing"]["wall_violations"], "0", stage)

    def test_pushing_is_worse_where_all_meet(self):
        self.assertEqual(self.scenes["ring", "pushing"]["arrived"], "0")
        self.assertEqual(self.scenes["ring", "pushing"]["last_s"], "")
        self.assertGreater(float(self.scenes["ring", "pushing"]["overlap"]), 0.9)
        self.assertLess(int(self.scenes["door", "pushing"]["arrived"]), int(self.scenes["door", "ours"]["arrived"]))

    def test_nothing_is_touched_in_the_runs(self):
        self.assertEqual(list(self.runs), ["warehouse", "reef"])
        for scene, row in self.runs.items():
            self.assertEqual((row["agent_hits"], row["collisions"], row["wall_hits"]), ("0", "0", "0"), scene)
            self.assertGreater(float(row["agent_clearance_m"]), 0, scene)
            self.assertGreater(int(row["goals"]), 5, scene)

    def test_times(self):
        self.assertEqual([int(r["agents"]) for r in self.times], 3 * [100, 1000, 10000])
        for row in self.times:
            self.assertGreater(float(row["us_agent_step"]), 0)
            self.assertGreater(float(row["calibration_steps"]), float(row["us_agent_step"]))

    def test_counts_and_verdicts(self):
        agents = sum(int(r["agents"]) for (_, mode), r in self.scenes.items() if mode == "ours")
        agents += sum(int(r["agents"]) for r in self.runs.values())
        self.assertEqual([self.answer[k] for k in ("queries", "found", "valid")], 3 * [agents])
        self.assertEqual(self.answer["orders"]["claims"], 0)
        rows = table(ElementTree.parse(self.out / "index.html").getroot(), "Ours")
        self.assertEqual(len(rows), 5)
        self.assertEqual([r[2] for r in rows[:4]], 4 * ["yes"])  # the fifth is a time

    def test_pictures_show_every_agent(self):
        for stage in ("ring", "corridor", "door", "station"):
            for mode in ("ours", "pushing"):
                root = ElementTree.parse(self.out / f"{stage}-{mode}.svg").getroot()
                self.assertEqual(len(list(root.iter(SVG + "circle"))), int(self.scenes[stage, mode]["agents"]))
        for scene, row in self.runs.items():
            root = ElementTree.parse(self.out / f"{scene}.svg").getroot()
            self.assertEqual(len(list(root.iter(SVG + "circle"))), int(row["agents"]))

    @unittest.skipUnless(is_long() and not has_sanitizer(), "two more runs: make test-long makes them")
    def test_same_seed_same_flights(self):
        def numbers(folder):
            return [[v for k, v in r.items() if k != "us_agent_step"] for name in ("scenes.csv", "runs.csv") for r in rows_of(folder / name)]
        self.run_tool("experiment", "crowd", "--quick", "--out", "again", env=NO_DATA)
        self.run_tool("experiment", "crowd", "--quick", "--seed", 2, "--out", "other", env=NO_DATA)
        self.assertEqual(numbers(self.dir / "again"), numbers(self.out))
        self.assertNotEqual(numbers(self.dir / "other"), numbers(self.out))


if __name__ == "__main__":
    unittest.main()
