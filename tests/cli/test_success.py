"""volnav experiment krafft-success: pages, tables and verdicts, with few runs."""
import unittest
import xml.etree.ElementTree as ElementTree

from test_experiment import NO_DATA, SVG, Experiments, rows_of
from test_maruszczyk import table
from tool import has_sanitizer, is_long

LATENCIES = ["none", "ours", "thesis's"]


class Success(Experiments):
    @classmethod
    def setUpClass(cls):
        cls.run_quick("krafft-success")
        cls.runs = rows_of(cls.out / "runs.csv")
        cls.shares = {(r["group"], r["agent"], r["latency"]): r for r in rows_of(cls.out / "shares.csv")}

    def runs_of(self, group, algo, space, latency):
        rules = "group 6" if group == "group 6" else "thesis"
        return [r for r in self.runs if (r["rules"], r["algo"], r["space"], r["latency"]) == (rules, algo, space, latency)]

    def test_page(self):
        text = self.check_page(self.out, 9)
        for word in ("Figures 49 i and 64", "Figure 57", "Figures 72 to 77", "93.28", "33.59", "160.1", "111 / 119", "Group 6",
                     "Same order?", "no way out"):
            self.assertIn(word, text)

    def test_quick_flies_a_part(self):
        self.assertEqual([k for k in self.shares if k[1] == "A*, ε = 2"], [("grid", "A*, ε = 2", name) for name in LATENCIES])
        self.assertEqual({k[0] for k in self.shares}, {"grid", "waypoints", "hybrid", "group 6"})
        self.assertEqual(self.shares["grid", "A*, ε = 2", "none"]["thesis_share"], "93.277")
        self.assertEqual(self.shares["grid", "A*, ε = 2", "none"]["thesis_expanded"], "360037.395")
        self.assertEqual(self.shares["waypoints", "Theta*, ε = 2", "thesis's"]["thesis_share"], "33.594")
        self.assertEqual(self.shares["hybrid", "A*", "thesis's"]["thesis_length"], "")

    def test_shares_are_those_of_the_runs(self):
        self.assertEqual(len(self.runs), sum(int(r["runs"]) for r in self.shares.values()))
        for key, algo, space in ((("grid", "A*, ε = 2"), "astar-2", "grid"), (("group 6", "cells"), "cells", "cells")):
            for latency in LATENCIES:
                row, mine = self.shares[(*key, latency)], self.runs_of(key[0], algo, space, latency)
                good = [r for r in mine if r["end"] == "arrived" and r["collisions"] == r["wall_hits"] == "0"]
                self.assertEqual((len(mine), len(good)), (int(row["runs"]), int(row["succeeded"])))
                self.assertAlmostEqual(float(row["share"]), 100 * len(good) / len(mine))
                self.assertLessEqual(float(row["low"]), float(row["share"]) + 1e-9)
                self.assertGreaterEqual(float(row["high"]), float(row["share"]) - 1e-9)
                if good:
                    self.assertAlmostEqual(float(row["length_m"]), sum(float(r["length_m"]) for r in good) / len(good), 6)
                else:
                    self.assertEqual(row["length_m"], "")

    def test_every_run_is_in_one_class(self):
        for key, row in self.shares.items():
            classes = ("succeeded", "obstacle", "wall", "late", "enclosed")
            self.assertEqual(sum(int(row[c]) for c in classes), int(row["runs"]), key)
        for run in self.runs:
            self.assertEqual(run["end"] in ("collided", "enclosed"), run["collisions"] != "0" or run["wall_hits"] != "0", run)
            self.assertEqual(float(run["clearance_m"]) < 0, run["collisions"] != "0", run)

    def test_our_autopilot_touches_nothing(self):
        ours = [r for r in self.runs if r["rules"] == "group 6"]
        self.assertEqual((self.answer["queries"], self.answer["found"], self.answer["valid"]), (len(ours),) * 3)
        self.assertGreaterEqual(len(ours), 4)
        for run in ours:
            self.assertEqual((run["end"], run["collisions"], run["wall_hits"]), ("arrived", "0", "0"))
            self.assertGreater(float(run["clearance_m"]), 0.09)

    def test_agents_have_the_same_seeds(self):
        self.assertEqual(len({r["seed"] for r in self.runs}), 1)
        none, late = (self.runs_of("grid", "astar-2", "grid", name)[0]["hash"] for name in ("none", "thesis's"))
        self.assertNotEqual(none, late)  # a latency changes the flight

    def test_intervals_are_drawn(self):
        root = ElementTree.parse(self.out / "success-grid.svg").getroot()
        whiskers = [p for p in root.iter(SVG + "path") if p.get("fill") == "none" and "v5m0" in p.get("d", "")]
        self.assertEqual(len(whiskers), 3)

    def test_claims(self):
        """Every claim has a verdict; one that does not hold has a reason or says that there is none."""
        rows = table(ElementTree.parse(self.out / "index.html").getroot(), "What the thesis concludes")
        self.assertEqual(len(rows), self.answer["orders"]["claims"])
        self.assertGreaterEqual(len(rows), 1)
        for said, found, holds, why in rows:
            self.assertTrue(said and found, said)
            self.assertNotIn("nan", found)
            self.assertEqual(holds == "no", why != "", said)

    @unittest.skipUnless(is_long() and not has_sanitizer(), "one more run: make test-long makes it")
    def test_same_seed_same_runs(self):
        def numbers(folder):
            return [{k: v for k, v in r.items() if k != "path_ms"} for r in rows_of(folder / "runs.csv")]
        self.run_tool("experiment", "krafft-success", "--quick", "--threads", 1, "--out", "again", env=NO_DATA)
        self.assertEqual(numbers(self.dir / "again"), numbers(self.out))


if __name__ == "__main__":
    unittest.main()
