"""volnav experiment maruszczyk and volnav experiment all: pages, tables and verdicts, with few flights."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from test_experiment import NO_DATA, Experiments, rows_of
from tool import TOOL, has_sanitizer, is_long

SEARCHES = ["A*, list", "A*, heap", "Dijkstra", "best first", "cells"]
FIELDS = ["sparse", "sparse-300", "even-300", "maze-300", "large"]
OURS = "6: prediction (ours)"
TIMES = {"path_ms", "call_ms"}


def table(root, caption):
    """The cells of the rows below the heads of the tables whose captions contain a text."""
    found = [t for t in root.iter("table") if any(caption in "".join(c.itertext()) for c in t.iter("caption"))]
    return [["".join(cell.itertext()) for cell in row] for t in found for row in t.iter("tr") if row.find("td") is not None]


class Maruszczyk(Experiments):
    @classmethod
    def setUpClass(cls):
        cls.run_quick("maruszczyk")
        cls.searches = {(r["nodes_x"], float(r["blocked"]) > 0, r["search"]): r for r in rows_of(cls.out / "searches.csv")}
        cls.groups = {(r["field"], r["pilot"]): r for r in rows_of(cls.out / "groups.csv")}
        cls.flights = rows_of(cls.out / "flights.csv")

    def test_page(self):
        text = self.check_page(self.out, 7)
        for word in ("Tables 2 and 3", "Table 4", "Tables 5 to 8", "Tables 9 to 11", "4.7", "3.6", "0.05", "86,078", "Until it fails",
                     "A flight", "Same order?", "not in the thesis"):
            self.assertIn(word, text)

    def test_every_search_is_valid(self):
        paths = sum(float(r["paths"]) for r in self.searches.values())
        ours = sum(r["pilot"] == OURS and not r["field"].startswith("limit") for r in self.flights)
        self.assertEqual(self.answer["queries"], paths + ours)
        self.assertEqual((self.answer["found"], self.answer["valid"]), (self.answer["queries"],) * 2)

    def test_searches(self):
        self.assertEqual(len(self.searches), 3 * 2 * len(SEARCHES))
        self.assertEqual(self.searches["120", True, "A*, list"]["thesis_ms"], "86078")
        self.assertEqual(self.searches["120", True, "Dijkstra"]["thesis_ms"], "")
        self.assertEqual(self.searches["60", True, "best first"]["thesis_nodes"], "67")
        for size in ("30", "60", "120"):
            for rocks in (False, True):
                row = {s: self.searches[size, rocks, s] for s in SEARCHES}
                length = {s: float(row[s]["length"]) for s in SEARCHES}
                expanded = {s: float(row[s]["expanded"]) for s in SEARCHES}
                self.assertAlmostEqual(length["A*, list"], length["A*, heap"], 6)
                self.assertLessEqual(length["Dijkstra"], length["A*, heap"] + 1e-6)
                self.assertLessEqual(length["cells"], length["Dijkstra"] + 1e-6)
                self.assertLessEqual(expanded["A*, heap"], expanded["Dijkstra"])
                self.assertGreaterEqual(float(row["best first"]["nodes"]), float(size) * 0.8)
            self.assertLess(abs(float(self.searches[size, True, "cells"]["blocked"]) - 0.16), 0.02)

    def test_groups_are_the_sums_of_their_flights(self):
        self.assertEqual([f for f, p in self.groups if p == OURS], FIELDS)
        self.assertEqual(self.groups["sparse", "0: no avoidance"]["thesis_collisions"], "4.7")
        self.assertEqual(self.groups["sparse", "1: whole path at each move"]["thesis_collisions"], "")
        self.assertEqual(self.groups["maze-300", "5: speed control, radar"]["thesis_collisions"], "0.1")
        for (field, pilot), row in self.groups.items():
            mine = [f for f in self.flights if (f["field"], f["pilot"]) == (field, pilot)]
            self.assertEqual(len(mine), int(row["flights"]))
            self.assertEqual(sum(int(f["collisions"]) for f in mine), int(row["collisions"]))
            self.assertEqual(sum(f["end"] == "arrived" for f in mine), int(row["arrived"]))
            if mine:
                calls = sum(float(f["calls"]) for f in mine) / len(mine)
                self.assertAlmostEqual(calls, float(row["calls"]), 6)

    def test_our_autopilot_touches_nothing(self):
        for field in FIELDS:
            row = self.groups[field, OURS]
            self.assertGreater(int(row["flights"]), 0)
            self.assertEqual((row["arrived"], row["collisions"], row["wall_hits"]), (row["flights"], "0", "0"))
        for flight in self.flights:
            touched = int(flight["collisions"]) > 0
            self.assertEqual(float(flight["clearance_m"]) < 0, touched, flight)
            self.assertEqual(flight["wall_hits"], "0")

    def test_groups_differ_as_they_should(self):
        value = {p: {k: float(v) for k, v in r.items() if k not in ("field", "pilot") and v != ""}
                 for (f, p), r in self.groups.items() if f == "sparse"}
        self.assertEqual(value["0: no avoidance"]["calls"], 1)
        self.assertGreater(value["0: no avoidance"]["collisions_a_flight"], value["4: extended lookup"]["collisions_a_flight"])
        self.assertLess(value["3: fragment when detected"]["calls"], value["3: fragment at each move"]["calls"])
        self.assertGreater(value["4: extended lookup"]["dynamic_nodes"], 3 * value["3: fragment when detected"]["dynamic_nodes"])
        self.assertAlmostEqual(value["0: no avoidance"]["seconds"], value["0: no avoidance"]["seconds_empty"], 6)
        large = float(self.groups["large", OURS]["length_m"])
        self.assertGreater(large, 2 * value[OURS]["length_m"])

    def test_limits(self):
        rows = rows_of(self.out / "limits.csv")
        self.assertGreaterEqual(len(rows), 2)
        by_speed = {}
        for row in rows:
            by_speed.setdefault(row["speed"], []).append(row)
        for speed, flown in by_speed.items():
            self.assertEqual([r["density"] for r in flown], ["300", "1200"], speed)
        self.assertEqual([r["prototype_collisions_a_flight"] for r in rows], ["0", "0", "0.76", ""])
        for row in rows:
            mine = [f for f in self.flights if f["field"] == f"limit {row['speed']} m/s {row['density']}"]
            self.assertEqual(len(mine), int(row["flights"]))
            self.assertEqual(sum(int(f["collisions"]) for f in mine), int(row["collisions"]))
            self.assertEqual(sum(f["collisions"] != "0" for f in mine), int(row["with_collision"]))

    def test_claims(self):
        """Every claim has a verdict; one that does not hold has a reason or says that there is none."""
        rows = table(ElementTree.parse(self.out / "index.html").getroot(), "What the thesis concludes")
        self.assertEqual(len(rows), self.answer["orders"]["claims"])
        self.assertGreater(len(rows), 14)
        for said, found, holds, why in rows:
            self.assertTrue(said and found, said)
            self.assertNotIn("nan", found)
            self.assertEqual(holds == "no", why != "", said)
        said = {r[0]: r for r in rows}
        before, after = (float(self.groups["sparse", p]["collisions_a_flight"]) for p in ("3: fragment at each move", "3: fragment when detected"))
        self.assertEqual(said["And most importantly, it is safer."][2], "yes" if after < before else "no")

    def test_picture(self):
        """Both ways lead from corner to corner in both views."""
        svg = "{http://www.w3.org/2000/svg}"
        root = ElementTree.parse(self.out / "flight.svg").getroot()
        lines = [p.get("d") for p in root.iter(svg + "path") if p.get("fill") == "none" and p.get("d", "").count("L") > 20]
        self.assertEqual(len(lines), 4)
        for line in lines:
            ends = [float(point.split()[0]) for point in (line[1:].split("L")[0], line[1:].split("L")[-1])]
            self.assertLess(ends[0], 130)
            self.assertGreater(ends[1], 780)
        self.assertGreater(len(list(root.iter(svg + "circle"))), 20)

    @unittest.skipUnless(is_long() and not has_sanitizer(), "one more run of minutes: make test-long makes it")
    def test_same_seed_same_flights(self):
        def numbers(folder):
            return [{k: v for k, v in r.items() if k not in TIMES} for r in rows_of(folder / "flights.csv")]
        self.run_tool("experiment", "maruszczyk", "--quick", "--threads", 1, "--out", "again", env=NO_DATA)
        self.assertEqual(numbers(self.dir / "again"), numbers(self.out))
        self.assertEqual(len({r["hash"] for r in self.flights if r["field"] == "sparse"}),
                         len([r for r in self.flights if r["field"] == "sparse"]))


class All(Experiments):
    @classmethod
    def setUpClass(cls):
        if has_sanitizer() or not is_long():
            raise unittest.SkipTest("all experiments take minutes: make test-long runs them")
        shared = tempfile.TemporaryDirectory()
        cls.addClassCleanup(shared.cleanup)
        cls.out = pathlib.Path(shared.name) / "site"
        done = subprocess.run([TOOL, "experiment", "all", "--quick", "--sample", "1", "--json", "--out", str(cls.out)],
                              capture_output=True, text=True, timeout=900, env=dict(os.environ, **NO_DATA), check=False)
        assert done.returncode == 0, done.stderr
        cls.answer = json.loads(done.stdout)

    def test_there_is_a_page_for_each(self):
        listed = [line.split()[0] for line in self.run_tool("experiment").stdout.splitlines() if line and not line.startswith((" ", "volnav", "all"))]
        self.assertEqual([e["experiment"] for e in self.answer["experiments"]], listed)
        for one in self.answer["experiments"]:
            self.assertTrue((self.out / one["page"]).is_file(), one["page"])
            self.assertGreater(one["queries"], 0)
            self.assertEqual(one["valid"], one["queries"])

    def test_index(self):
        root = ElementTree.parse(self.out / "index.html").getroot()
        links = [a.get("href") for a in root.iter("a")]
        self.assertEqual(links, [e["page"] for e in self.answer["experiments"]])
        summary = table(root, "What came out")
        self.assertEqual([float(r[4]) for r in summary], [e["orders"]["claims"] for e in self.answer["experiments"]])
        self.assertEqual([float(r[5]) for r in summary], [e["orders"]["claims_hold"] for e in self.answer["experiments"]])
        claims = table(root, "What the thesis concludes")
        self.assertEqual(len(claims), sum(e["orders"]["claims"] for e in self.answer["experiments"]))
        self.assertGreater(len(claims), 60)


if __name__ == "__main__":
    unittest.main()
