"""volnav experiment: pages, charts and tables of the experiments, with few queries."""
import csv
import itertools
import json
import math
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from tool import TOOL, CliTest, has_sanitizer, is_long

SVG = "{http://www.w3.org/2000/svg}"
NO_DATA = {"VN_DATA": ""}
not_sanitized = unittest.skipIf(has_sanitizer() and not is_long(), "a minute with a sanitizer: make test-long makes it")
ALGORITHMS = ["Dijkstra", "BestFirstSearch", "A*", "Dijkstra PS", "BestFirstSearch PS", "A* PS", "Basic Theta*", "Lazy Theta*", "cells"]


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def text_box(node):
    """The place of a text as left, top, right, bottom, from the size of its letters."""
    x, y, size = (float(node.get(k)) for k in ("x", "y", "font-size"))
    width = 0.55 * size * len(node.text or "")
    shift = {"start": 0, "middle": -width / 2, "end": -width}[node.get("text-anchor")]
    box = (shift, -0.75 * size, shift + width, 0.2 * size)
    if node.get("transform", "").startswith("rotate(-90"):
        box = (box[1], -box[2], box[3], -box[0])
    return x + box[0], y + box[1], x + box[2], y + box[3]


def meet(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


class Experiments(CliTest):
    @classmethod
    def run_quick(cls, name):
        """Runs an experiment for the whole class: its folder becomes cls.out, what it says as JSON cls.answer."""
        shared = tempfile.TemporaryDirectory()
        cls.addClassCleanup(shared.cleanup)
        cls.out = pathlib.Path(shared.name)
        done = subprocess.run([TOOL, "experiment", name, "--quick", "--json", "--out", str(cls.out)], capture_output=True,
                              text=True, timeout=900, env=dict(os.environ, **NO_DATA), check=False)
        assert done.returncode == 0, done.stderr
        cls.answer = json.loads(done.stdout)

    def check_chart(self, root, name):
        """No two texts meet, none leaves the picture, and the axes are labelled."""
        width, height = (float(root.get(k)) for k in ("width", "height"))
        texts = list(root.iter(SVG + "text"))
        self.assertGreater(len(texts), 5, name)
        boxes = [text_box(node) for node in texts]
        for node, box in zip(texts, boxes):
            self.assertTrue(box[0] >= 0 and box[1] >= 0 and box[2] <= width and box[3] <= height, f"{name}: {node.text} {box}")
        for (a, first), (b, second) in itertools.combinations(zip(texts, boxes), 2):
            self.assertFalse(meet(first, second), f"{name}: {a.text!r} and {b.text!r}")
        words = " ".join(node.text or "" for node in texts)
        self.assertRegex(words, r"(\(|, median \()(ms|µs|m|m/s|units|voxels|ms × units|%|times as long)\)|collisions a flight|lines of sight|closed nodes|expanded nodes|number of cells|steps of the calibration loop", name)

    def check_page(self, folder, charts):
        """One file that needs no other: the charts of the folder are in it."""
        root = ElementTree.parse(folder / "index.html").getroot()
        inline = list(root.iter(SVG + "svg"))
        files = sorted(folder.glob("*.svg"))
        self.assertEqual((len(inline), len(files)), (charts, charts))
        for node in root.iter():
            self.assertFalse(set(node.attrib) & {"src", "href"}, node.tag)
        for path in files:
            self.check_chart(ElementTree.parse(path).getroot(), path.name)
        return "".join(root.itertext())


class Albertini(Experiments):
    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.shared.cleanup)
        cls.out = pathlib.Path(cls.shared.name) / "deep" / "er"
        done = subprocess.run([TOOL, "experiment", "albertini", "--quick", "--json", "--out", str(cls.out)], capture_output=True,
                              text=True, timeout=600, check=False)
        assert done.returncode == 0, done.stderr
        cls.answer = json.loads(done.stdout)

    def test_json(self):
        self.assertEqual(set(self.answer), {"experiment", "quick", "seed", "threads", "out", "page", "files", "queries", "found",
                                            "valid", "seconds", "orders"})
        self.assertEqual(set(self.answer["orders"]), {"compared", "same", "different", "claims", "claims_hold", "unexplained"})
        self.assertEqual((self.answer["experiment"], self.answer["quick"], self.answer["page"]), ("albertini", True, "index.html"))
        self.assertEqual(self.answer["queries"], 12 * 20 * 9)
        self.assertEqual(self.answer["valid"], self.answer["queries"])
        self.assertEqual(sorted(self.answer["files"]), sorted(os.listdir(self.out)))
        orders = self.answer["orders"]
        self.assertGreater(orders["same"], 0.85 * orders["compared"])

    def test_page(self):
        text = self.check_page(self.out, 30)
        for word in ("World 5", "Trade-off is time times length over 100", "Table 3 of the thesis looks like",
                     "Dijkstra row of table 6", "Same order?", "cells", "to find all 5 paths", "0.443",
                     "Ratios of lengths"):
            self.assertIn(word, text)

    def test_tables(self):
        rows = rows_of(self.out / "tables.csv")
        self.assertEqual(list(rows[0])[:10], ["table", "world", "space", "targets", "algorithm", "time_ms", "length", "sight_checks",
                                              "closed", "trade_off"])
        self.assertEqual([r["algorithm"] for r in rows], 12 * ALGORITHMS)
        self.assertEqual({r["table"] for r in rows if r["thesis_flag"]}, {"3", "6"})
        self.assertEqual(sum(r["thesis_flag"] != "" for r in rows), 9)
        for row in rows:
            self.assertGreater(float(row["time_ms"]), 0)
            self.assertAlmostEqual(float(row["time_ms"]) * float(row["length"]) / 100, float(row["trade_off"]), 6)
            self.assertEqual(row["thesis_length"] == "", row["algorithm"] == "cells")
        by_name = {(r["table"], r["algorithm"]): r for r in rows}
        self.assertEqual(by_name["1", "Dijkstra"]["thesis_time_ms"], "36.82")
        self.assertEqual(by_name["10", "Lazy Theta*"]["thesis_trade_off"], "75.42")
        for table in map(str, range(1, 13)):
            length = {name: float(by_name[table, name]["length"]) for name in ALGORITHMS}
            self.assertLessEqual(length["A* PS"], length["A*"] + 1e-9)
            self.assertLess(length["Basic Theta*"], length["Dijkstra"])
            self.assertLess(length["cells"], 1.02 * min(length.values()))

    def test_verdicts_come_from_their_rows(self):
        """What the page says is computed again from its own tables."""
        rows = {(int(r["table"]), r["algorithm"]): r for r in rows_of(self.out / "tables.csv")}
        text = "".join(ElementTree.parse(self.out / "index.html").getroot().itertext())
        faster = [sum(float(rows[2 * w + 2, a]["time_ms"]) < float(rows[2 * w + 1, a]["time_ms"]) for a in ALGORITHMS[:8]) for w in range(5)]
        worlds = sum(n > 4 for n in faster)
        self.assertIn("in %d of 5 worlds: %d, %d, %d, %d and %d of 8 rows" % (worlds, *faster), text)
        ratios = {int(r["table"]): r for r in rows_of(self.out / "ratios.csv")}
        for table, row in ratios.items():
            length = {a: float(rows[table, a]["length"]) for a in ALGORITHMS}
            self.assertAlmostEqual(float(row["theta_smoothed"]), length["Basic Theta*"] / length["A* PS"], 6)
            self.assertLessEqual(float(row["straight_smoothed"]), float(row["theta_smoothed"]) + 1e-9)
            self.assertEqual(row["theta_astar_thesis"] == "", table == 3)
        self.assertAlmostEqual(float(ratios[11]["theta_astar_thesis"]), 0.443, 3)
        for r in rows_of(self.out / "orders.csv"):
            if r["because"].startswith("Follows the closed"):
                for table in map(int, r["tables"].split(", ")):
                    self.assertGreater(float(rows[table, r["less"]]["closed"]), float(rows[table, r["more"]]["closed"]))

    def test_sharing_keeps_what_dijkstra_finds(self):
        rows = {(r["table"], r["algorithm"]): r for r in rows_of(self.out / "tables.csv")}
        for table in range(1, 10, 2):
            single, multi = rows[str(table), "Dijkstra"], rows[str(table + 1), "Dijkstra"]
            self.assertAlmostEqual(float(single["length"]), float(multi["length"]), 6)
            self.assertLess(float(multi["closed"]), 0.6 * float(single["closed"]))

    def test_worlds(self):
        rows = rows_of(self.out / "worlds.csv")
        self.assertEqual([r["scene"] for r in rows], ["sparse", "wall", "maze", "concave", "mixed"])
        for row in rows:
            self.assertLess(abs(float(row["leaves"]) / float(row["leaves_thesis"]) - 1), 0.15)

    def test_same_seed_same_numbers(self):
        def numbers(folder):
            return [[r[k] for k in r if "time" not in k and "trade" not in k] for r in rows_of(folder / "tables.csv")]
        self.run_tool("experiment", "albertini", "--quick", "--threads", 2, "--out", "again")
        self.run_tool("experiment", "albertini", "--sample", 5, "--seed", 2, "--out", "other")
        self.assertEqual(numbers(self.dir / "again"), numbers(self.out))
        self.assertNotEqual(numbers(self.dir / "other"), numbers(self.out))


class Massonnat(Experiments):
    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.shared.cleanup)
        cls.out = pathlib.Path(cls.shared.name)
        done = subprocess.run([TOOL, "experiment", "massonnat-static", "--quick", "--out", str(cls.out)], capture_output=True,
                              text=True, timeout=600, env=dict(os.environ, **NO_DATA), check=False)
        assert done.returncode == 0, done.stderr
        cls.text = done.stdout

    def test_summary(self):
        self.assertIn("index.html", self.text)
        self.assertRegex(self.text, r"(\d+) paths asked for, \1 found, \1 passed the checker")

    def test_page(self):
        text = self.check_page(self.out, 14)
        for word in ("Table 6.1", "Table 6.2", "Building 3", "Granularity", "Full4, plant02 and level01", "--data", "Same order?"):
            self.assertIn(word, text)

    def test_cells(self):
        rows = rows_of(self.out / "cells.csv")
        self.assertEqual([r["map"] for r in rows], ["zigzag", "building-1", "building-2", "building-3", "cave", "industrial"])
        for row in rows:
            voxels, octree, merged = (float(row[k]) for k in ("voxels", "octree", "merged"))
            self.assertLess(abs(voxels / float(row["voxels_thesis"]) - 1), 0.02)
            self.assertTrue(voxels > 3 * octree and octree > 5 * merged, row)

    def test_methods(self):
        rows = {(r["map"], r["method"]): r for r in rows_of(self.out / "methods.csv")}
        self.assertEqual(len(rows), 6 * 11)
        self.assertEqual(rows["cave", "Voxel"]["length_thesis"], "13.52")
        for name in ("zigzag", "cave", "industrial"):
            for tree in ("Octree", "Merged octree"):
                raw, funnel, prune = (float(rows[name, tree + how]["length"]) for how in ("", " + funnel", " + funnel + pruning"))
                self.assertTrue(raw > funnel >= prune, (name, tree))
        buckets = rows_of(self.out / "buckets.csv")
        self.assertEqual(len(buckets), 6 * 11 * 10)
        cave = [float(b["merged_length"]) for b in buckets if b["map"] == "cave" and b["method"] == "cells"]
        self.assertEqual(cave, sorted(cave))

    def test_granularity(self):
        rows = rows_of(self.out / "granularity.csv")
        self.assertEqual({(r["granularity"], r["space"]) for r in rows},
                         set(itertools.product(("1.25", "0.625", "0.3125"), ("voxels", "octree", "merged octree", "cells"))))

    def small_map(self, name, blocked):
        """A map of 12^3 with a scenario of ten queries in it."""
        self.map_file("maps/warframe/" + name + ".3dmap", (12, 12, 12), blocked)
        lines = ["version 1", name + ".3dmap"] + ["0 %d 1 11 %d 9 11 1" % (i, 11 - i) for i in range(10)]
        self.file("maps/warframe/" + name + ".3dmap.3dscen", "\n".join(lines) + "\n")

    def test_maps(self):
        self.small_map("Complex", [(5, y, z) for y in range(12) for z in range(12) if (y, z) != (6, 6)])
        self.small_map("Simple", [(5, y, 3) for y in range(12)])
        self.run_tool("experiment", "massonnat-static", "--quick", "--data", "maps", "--out", "out", env=NO_DATA)
        rows = rows_of(self.dir / "out" / "warframe.csv")
        self.assertEqual({r["map"] for r in rows}, {"Complex", "Simple"})
        by_name = {(r["map"], r["method"]): r for r in rows}
        for name in ("Complex", "Simple"):
            astar, jps, both = (float(by_name[name, m]["length"]) for m in ("A*, voxels", "JPS, voxels", "merged + funnel + pruning"))
            self.assertAlmostEqual(astar, jps, 6)
            self.assertLess(both, 1.2 * jps)
        text = self.check_page(self.dir / "out", 14 + 3 + 2)
        for word in ("41,385", "10,552", "Not in the folder: A1, BA1", "2.29 times"):
            self.assertIn(word, text)

    def test_maps_without_scenario(self):
        self.map_file("maps/Simple.3dmap", (8, 8, 8), [(1, 1, 1)])
        done = self.run_tool("experiment", "massonnat-static", "--quick", "--sample", 1, "--data", "maps", expect=2, env=NO_DATA)
        self.assertIn("Simple.3dmap.3dscen", done.stderr)


@not_sanitized
class MassonnatDynamic(Experiments):
    @classmethod
    def setUpClass(cls):
        cls.run_quick("massonnat-dynamic")
        cls.rows = {(r["map"], float(r["granularity"]), r["method"]): r for r in rows_of(cls.out / "updates.csv")}

    def test_every_path_is_found_and_valid(self):
        self.assertGreater(self.answer["queries"], 1000)
        self.assertEqual((self.answer["found"], self.answer["valid"]), (self.answer["queries"],) * 2)

    def test_page(self):
        text = self.check_page(self.out, 2)
        for word in ("Table 6.3", "figure 6.13", "Table 6.4", "Larger maps", "Same order?"):
            self.assertIn(word, text)

    def test_rows(self):
        table = {m: r for (name, _, m), r in self.rows.items() if name == "industrial"}
        self.assertEqual(len(table), 8)
        self.assertEqual(len(self.rows), 8 + 3 * 5)
        self.assertEqual(table["Octree + graph building"]["thesis_total_ms"], "4.1")
        self.assertEqual(table["cells"]["thesis_total_ms"], "")
        for name, row in table.items():
            parts = [float(row[k]) for k in ("space_ms", "graph_ms", "path_ms") if row[k]]
            self.assertAlmostEqual(sum(parts), float(row["total_ms"]), 6, name)
        # The octree's leaves are those of a new build, however they came to be.
        for key in ("cells", "length"):
            same = {table[m][key] for m in ("Octree + graph building", "Octree + local graph update", "Octree, built anew")}
            self.assertEqual(len(same), 1, same)

    def test_repair_stays_put_and_greedy_merging_drifts(self):
        rows = rows_of(self.out / "drift.csv")
        self.assertEqual((float(rows[0]["moves"]), float(rows[-1]["moves"])), (0, 10000))
        for name, growth in (("octree", 1.15), ("merged", 5)):
            first = float(rows[0][name])
            self.assertLess(max(float(r[name]) for r in rows), growth * first, name)
        self.assertGreater(float(rows[-1]["greedy"]), float(rows[0]["octree"]))
        text = "".join(ElementTree.parse(self.out / "index.html").getroot().itertext())
        octree, merged = (int(float(rows[0][k])) for k in ("octree", "merged"))
        self.assertIn(f"octree {octree} before, {octree} in the end; merged {merged} and {merged}", text)

    def test_last_moment(self):
        rows = {r["policy"]: float(r["updates_per_second"]) for r in rows_of(self.out / "policies.csv")}
        self.assertEqual(len(rows), 5)
        for tree in ("merged octree", "cells"):
            self.assertLess(rows[tree + ", last moment"], 0.2 * rows[tree + ", always"])


class KrafftSpaces(Experiments):
    @classmethod
    def setUpClass(cls):
        cls.run_quick("krafft-spaces")

    def test_page(self):
        text = self.check_page(self.out, 3)
        for word in ("13,696", "21,259", "2,062", "A frame of 16 ms", "Complex.3dmap is not there", "Same order?"):
            self.assertIn(word, text)
        self.assertRegex(text, r"[1-9]\d{5,} open edges were judged by the exact checker: 0 led through a blocked cell")

    def test_spaces(self):
        rows = {r["space"]: r for r in rows_of(self.out / "spaces.csv")}
        self.assertEqual(len(rows), 8)
        self.assertEqual(rows["grid, 6 neighbours"]["nodes"], "57344")
        self.assertLess(abs(float(rows["hybrid graph"]["nodes"]) / 21259 - 1), 0.15)
        self.assertEqual(rows["hybrid graph"]["update_thesis_ms"], "1.35")
        self.assertEqual(float(rows["cells"]["update_over_cells"]), 1)

    def test_searches(self):
        rows = {r["search"]: r for r in rows_of(self.out / "searches.csv")}
        self.assertEqual(len(rows), 11)
        value = {name: {k: float(r[k]) for k in ("asked", "found", "valid", "length", "expanded")} for name, r in rows.items() if r["length"]}
        for name, row in value.items():
            self.assertEqual(row["found"], row["valid"], name)
            if "waypoints" not in name:
                self.assertEqual(row["asked"], row["found"], name)
        length = {name: row["length"] for name, row in value.items()}
        self.assertLess(length["A*, hybrid"], length["A*, grid"])
        self.assertLess(length["Theta*, hybrid"], length["A*, hybrid"])
        self.assertLessEqual(length["Theta*, hybrid"], 1.001 * length["Theta* Fast, hybrid"])
        self.assertLess(length["cells"], 1.01 * min(length.values()))
        self.assertLess(value["A*, hybrid"]["expanded"], value["A*, grid"]["expanded"])
        fast, theta = (float(rows[name + ", hybrid"]["sight_checks"]) for name in ("Theta* Fast", "Theta*"))
        self.assertLess(fast, theta)

    def test_large_map(self):
        self.map_file("maps/Complex.3dmap", (24, 24, 24), [(12, y, z) for y in range(24) for z in range(24) if (y, z) != (12, 12)])
        lines = ["version 1", "Complex.3dmap"] + ["0 %d 1 23 %d 9 25 1" % (i, 23 - i) for i in range(12)]
        self.file("maps/Complex.3dmap.3dscen", "\n".join(lines) + "\n")
        self.run_tool("experiment", "krafft-spaces", "--quick", "--data", "maps", "--out", "out", env=NO_DATA)
        rows = {r["space"]: r for r in rows_of(self.dir / "out" / "frames.csv") if r["map"] == "Complex"}
        self.assertLessEqual({"waypoints", "hybrid graph"}, set(rows))
        self.assertIn("0 waypoints", rows["waypoints"]["refused"])
        self.assertIn("dynamic node", rows["hybrid graph"]["refused"])

    @unittest.skipUnless(is_long() and not has_sanitizer(), "two more runs of minutes: make test-long makes them")
    def test_same_seed_same_numbers(self):
        def numbers(folder):
            return [[r[k] for k in ("search", "found", "length", "expanded", "sight_checks")] for r in rows_of(folder / "searches.csv")]
        self.run_tool("experiment", "krafft-spaces", "--quick", "--out", "again", env=NO_DATA)
        self.run_tool("experiment", "krafft-spaces", "--quick", "--seed", 2, "--out", "other", env=NO_DATA)
        self.assertEqual(numbers(self.dir / "again"), numbers(self.out))
        self.assertNotEqual(numbers(self.dir / "other"), numbers(self.out))


@not_sanitized
class Krafft2019(Experiments):
    GRAPHS = ("grid", "waypoints, 1 indirect neighbour", "waypoints, 8 indirect neighbours")
    BOUNDS = {"A*, ε = 1": 1, "A*, ε = 2": 2, "ARA*, δ = 0.2": 1, "ARA*, δ = 0.4": 1, "Theta*, ε = 1": None, "Theta*, ε = 2": None,
              "D* Lite, ε = 1": 1, "D* Lite, ε = 2": 2, "AD*, δ = 0.2": 1, "AD*, δ = 0.4": 1, "AD*, δ = 0.2, down to 1.4": 1.4}

    @classmethod
    def setUpClass(cls):
        cls.run_quick("krafft-2019")
        cls.rows = {(r["scenario"], r["graph"], r["method"]): r for r in rows_of(cls.out / "totals.csv")}

    def value(self, graph, method, key="expanded", scenario="updates"):
        return float(self.rows[scenario, graph, method][key])

    def test_page(self):
        text = self.check_page(self.out, 6 + 8 + 5)
        for word in ("130.28", "98.28", "152.316", "29,141.04", "282.15", "327.71", "2,062", "figures 49 and 51 to 53, table 1",
                     "What is not here", "Same order?"):
            self.assertIn(word, text)
        for name in ("times-grid.svg", "times-waypoints.svg"):
            self.assertRegex((self.out / name).read_text(encoding="utf-8"), r"an update of the graph.*: \d+\.\d\d ms")

    def test_every_path_is_valid(self):
        paths = sum(int(r["found"]) for r in self.rows.values())
        self.assertEqual((paths, sum(int(r["valid"]) for r in self.rows.values())), (self.answer["queries"],) * 2)
        self.assertEqual(self.answer["valid"], self.answer["queries"])
        self.assertEqual(len(self.rows), 2 * (11 + 15 + 15 + 1))
        for (scenario, graph, method), row in self.rows.items():
            plans = "found" if graph == self.GRAPHS[1] else "plans"
            self.assertEqual(row["valid"], row[plans], (scenario, graph, method))

    def test_costs_are_within_their_bounds_of_a_fresh_astar(self):
        for (scenario, graph, method), row in self.rows.items():
            if graph == "cells":
                continue
            name = (scenario, graph, method)
            bound = self.BOUNDS[method.removesuffix(", resets")]
            self.assertEqual(row["costs_checked"], row["found"], name)
            least, worst = float(row["cost_over_astar_least"]), float(row["cost_over_astar_worst"])
            if bound is None:
                self.assertLess(least, 1, name)
            else:
                self.assertTrue(1 - 1e-7 <= least <= worst <= bound * (1 + 1e-7), (name, least, worst))
            if bound == 1:
                self.assertAlmostEqual(float(row["length"]), self.value(graph, "A*, ε = 1", "length", scenario), 5, name)

    def test_totals_are_those_of_the_frames(self):
        sums = {}
        for r in rows_of(self.out / "frames.csv"):
            sums.setdefault((r["scenario"], r["contender"]), []).append((float(r["expanded"]), float(r["ms"])))
        self.assertEqual(len(sums), len(self.rows))
        for (scenario, graph, method), row in self.rows.items():
            frames = sums[scenario, "cells" if graph == "cells" else graph + "; " + method]
            self.assertEqual(len(frames), int(row["plans"]))
            self.assertEqual(sum(f[0] for f in frames), float(row["expanded"]))
            self.assertAlmostEqual(sum(f[1] for f in frames), float(row["total_ms"]), 6)
            self.assertEqual(max(f[0] for f in frames[1:]), float(row["worst_expanded"]))

    def test_figure_48(self):
        for scenario in ("updates", "frames"):
            def nodes(method, graph="grid"):
                return self.value(graph, method, "expanded", scenario)
            self.assertLess(self.value("grid", "Theta*, ε = 1", "length", scenario), 0.8 * self.value("grid", "A*, ε = 1", "length", scenario))
            self.assertLess(nodes("Theta*, ε = 1"), 0.8 * nodes("A*, ε = 1"))
            for name in ("A*", "Theta*", "D* Lite"):
                self.assertLess(nodes(name + ", ε = 2"), nodes(name + ", ε = 1"))
            for repairs, searches, rest in (("D* Lite", "A*", ", ε = 1"), ("D* Lite", "A*", ", ε = 2"), ("AD*", "ARA*", ", δ = 0.2")):
                self.assertLess(nodes(repairs + rest), nodes(searches + rest))
                self.assertGreaterEqual(nodes(repairs + rest + ", resets", self.GRAPHS[1]), nodes(searches + rest, self.GRAPHS[1]))

    def test_who_resets(self):
        for (scenario, graph, method), row in self.rows.items():
            if method.endswith("resets"):
                self.assertEqual(int(row["resets"]), int(row["plans"]) - 1)
            elif graph == "grid" or "D* Lite" in method:
                self.assertEqual(row["resets"], "0", (scenario, graph, method))

    def test_passes(self):
        rows = rows_of(self.out / "passes.csv")
        for search, delta in itertools.product(("ARA*", "AD*"), ("0.2", "0.4")):
            passes = [r for r in rows if r["search"] == search and r["delta"] == delta]
            weights, lengths, nodes = ([float(r[k]) for r in passes] for k in ("epsilon", "length", "expanded"))
            falling = [max(1, round(3 - float(delta) * i, 6)) for i in range(len(passes))]
            self.assertEqual(weights, falling)
            self.assertEqual(lengths, sorted(lengths, reverse=True))
            self.assertEqual(nodes, sorted(nodes))
            self.assertLess(nodes[0], 0.5 * nodes[-1])
            self.assertGreater(lengths[0], lengths[-1])
            if search == "AD*":
                self.assertEqual(weights[-1], 1)
        self.assertEqual(len({r["length"] for i, r in enumerate(rows) if i + 1 == len(rows) or rows[i + 1]["epsilon"] == "3"}), 1)

    def test_corridors_lead_from_agent_to_destination(self):
        for name in ("astar", "ara", "theta", "dstar-lite", "ad"):
            root = ElementTree.parse(self.out / f"corridors-{name}.svg").getroot()
            balls = [(float(c.get("cx")), float(c.get("cy"))) for c in root.iter(SVG + "circle")]
            self.assertEqual(len(balls), 8, name)
            lines = [p.get("d") for p in root.iter(SVG + "path") if p.get("stroke-linejoin") == "round" and p.get("d") != ""]
            self.assertGreater(len(lines), 5, name)
            for line in lines:
                points = [tuple(map(float, p.split())) for p in line[1:].split("L")]
                for end, which in ((points[0], 0), (points[-1], 1)):
                    self.assertTrue(any(abs(end[0] - x) < 12 and abs(end[1] - y) < 12 for x, y in balls[which::2]), (name, end))

    @unittest.skipUnless(is_long() and not has_sanitizer(), "two more runs of minutes: make test-long makes them")
    def test_same_seed_same_numbers(self):
        def numbers(folder):
            return [[r[k] for k in r if "ms" not in k] for r in rows_of(folder / "frames.csv")] + rows_of(folder / "passes.csv")
        self.run_tool("experiment", "krafft-2019", "--quick", "--out", "again", env=NO_DATA)
        self.run_tool("experiment", "krafft-2019", "--quick", "--seed", 2, "--out", "other", env=NO_DATA)
        self.assertEqual(numbers(self.dir / "again"), numbers(self.out))
        self.assertNotEqual(numbers(self.dir / "other"), numbers(self.out))


@not_sanitized
class Krafft2021(Experiments):
    @classmethod
    def setUpClass(cls):
        cls.run_quick("krafft-2021")
        cls.rows = {(r["scenario"], r["contender"]): r for r in rows_of(cls.out / "totals.csv")}
        cls.live = {(r["scenario"], r["contender"]): r for r in rows_of(cls.out / "real-time-totals.csv")}

    def value(self, scenario, contender, key="expanded"):
        rows = self.live if scenario.startswith("real-time") else self.rows
        return float(rows[scenario, contender][key])

    def test_page(self):
        text = self.check_page(self.out, 40)
        for word in ("640 to 291 ms", "835,078", "1,444,702", "31.1", "34.17", "21,259", "figure 31", "one of its own", "What is not here", "Same order?",
                     "Figures 57 and 58"):
            self.assertIn(word, text)
        for figure in (11, 12, 24, 30, 31, 32, 33, 34, 35, 36, 46, 49, 50, 52, 53, 54, 55, 59):
            self.assertRegex(text, rf"Figures? (\d+, )*{figure}\b", figure)

    def test_claims(self):
        """Every claim has a verdict; one that does not hold has a reason or says that there is none."""
        root = ElementTree.parse(self.out / "index.html").getroot()
        rows = self.table(root, "What the thesis concludes")
        self.assertEqual(len(rows), self.answer["orders"]["claims"])
        for said, found, holds, why in rows:
            self.assertTrue(said and found, said)
            self.assertNotIn("nan", found + " " + said)
            self.assertEqual(holds == "no", why != "", said)
        self.assertEqual(sum(r[2] == "yes" for r in rows), self.answer["orders"]["claims_hold"])
        unexplained = sum("not explained" in r[3] for r in rows)
        self.assertLessEqual(self.answer["orders"]["unexplained"] - unexplained, self.answer["orders"]["different"])

    def table(self, root, caption):
        """The cells of the rows below the heads of a table, by a part of its caption."""
        found = [t for t in root.iter("table") if any(caption in "".join(c.itertext()) for c in t.iter("caption"))]
        self.assertEqual(len(found), 1, caption)
        return [["".join(cell.itertext()) for cell in row] for row in found[0].iter("tr") if row.find("td") is not None]

    def test_who_wins(self):
        """The verdicts at the top of the page are those of the sums."""
        names = {"Everything moves, the destination vertically": "dynamic-vertical", "Everything moves, one agent for all": "dynamic-60",
                 "Everything moves, in real time": "real-time"}
        rows = self.table(ElementTree.parse(self.out / "index.html").getroot(), "Sums of the first over sums of the second")
        self.assertEqual(len(rows), 12)
        for row in rows:
            (a, b, title), wins = row[:3], row[-1]
            scenario = names[title]
            nodes, time, length = (self.value(scenario, a, k) / self.value(scenario, b, k) for k in ("expanded", "total_ms", "length"))
            any_angle = a.startswith("any-angle")
            good = time < 1 and (any_angle or nodes <= 0.25) and (not any_angle or scenario != "dynamic-60" or length <= 1.01)
            self.assertEqual(wins, "yes" if good else "no", row)
            self.assertAlmostEqual(float(row[3].replace(",", "")), nodes, delta=0.01 * nodes)
            for cell, who, key in ((6, a, "p99_ms"), (7, b, "p99_ms"), (8, a, "worst_ms"), (9, b, "worst_ms")):
                self.assertAlmostEqual(float(row[cell]), self.value(scenario, who, key), delta=0.01 * float(row[cell]))

    def test_every_plan_is_a_valid_path(self):
        plans = sum(float(r["plans"]) for r in (*self.rows.values(), *self.live.values()))
        self.assertEqual(plans, self.answer["queries"])
        self.assertEqual((self.answer["found"], self.answer["valid"]), (self.answer["queries"],) * 2)
        self.assertEqual(len({s for s, _ in self.rows}), 10)

    def test_repaired_paths_are_as_short_as_those_of_astar(self):
        same_ends = ("reset", "waits", "waits-vertical", "waits-horizontal", "watches", "dynamic-60")
        for (scenario, contender), row in self.rows.items():
            like = scenario in same_ends and contender.startswith(("D* Lite", "Basic", "MT"))
            graph = next((g for g in ("26 neighbours", "cells-portal", "hybrid", "waypoints") if g in contender), "")
            if like and "ε" not in contender:
                astar = self.value(scenario, "A*, " + graph if graph else "A*", "length")
                self.assertAlmostEqual(float(row["length"]), astar, 6, (scenario, contender))

    def test_totals_are_those_of_the_frames(self):
        sums = {}
        for r in rows_of(self.out / "frames.csv"):
            sums.setdefault((r["scenario"], r["contender"]), []).append((float(r["expanded"]), float(r["ms"])))
        self.assertEqual(set(sums), set(self.rows))
        for key, frames in sums.items():
            self.assertEqual(len(frames), int(self.rows[key]["plans"]))
            self.assertEqual(sum(f[0] for f in frames), self.value(*key), key)
            self.assertAlmostEqual(max(f[1] for f in frames), self.value(*key, "worst_ms"), 6, key)
            self.assertEqual(max(f[0] for f in frames[1:]), self.value(*key, "worst_expanded"), key)

    def test_any_angle_paths(self):
        """As short as those of Theta*, and shorter than those along edges."""
        for scenario in ("watches", "dynamic-60"):
            for graph in ("", ", hybrid"):
                any_angle, theta, edges = (self.value(scenario, name + graph, "length") for name in ("any-angle MT-D* Lite", "Theta*", "MT-D* Lite"))
                self.assertLessEqual(any_angle, 1.01 * theta, (scenario, graph))
                self.assertLess(any_angle, edges, (scenario, graph))
            self.assertLess(self.value(scenario, "any-angle MT-D* Lite Fast, hybrid", "length"), self.value(scenario, "MT-D* Lite, hybrid", "length"))

    def test_hybrid_graph(self):
        for scenario in ("watches", "dynamic-vertical", "dynamic-horizontal", "dynamic-60"):
            self.assertLess(self.value(scenario, "A*, hybrid"), 0.6 * self.value(scenario, "A*"), scenario)
        self.assertLess(self.value("watches", "A*, hybrid", "length"), self.value("watches", "A*", "length"))
        self.assertLess(self.value("watches", "Theta* Fast, hybrid", "sight_checks"), self.value("watches", "Theta*, hybrid", "sight_checks"))

    def test_real_time(self):
        """A plan begins when the one before is ready: in the next frame, or as many later as it took."""
        before, count = {}, 0
        for r in rows_of(self.out / "real-time-frames.csv"):
            key, at, ms = (r["scenario"], r["contender"]), float(r["seconds"]), float(r["ms"])
            if key in before:
                self.assertGreaterEqual(at, before[key] - 1e-6, key)
                count += 1
            before[key] = at + max(1, math.ceil(ms * 1e-3 * self.value(*key, "slower") * 60)) / 60
        self.assertGreater(count, 100)
        lengths = [float(r["length"]) for r in rows_of(self.out / "real-time-frames.csv") if (r["scenario"], r["contender"]) == ("real-time", "cells")]
        self.assertEqual(len(lengths), 20)
        self.assertLess(lengths[-1], lengths[1] - 0.6)  # the agent flies 1.8 units meanwhile
        self.assertEqual({s for s, _ in self.live}, {"real-time", "real-time-slow"})
        self.assertEqual({c for s, c in self.live if s == "real-time"}, {c for s, c in self.live if s == "real-time-slow"})
        self.assertEqual(self.value("real-time", "A*", "slower"), 1)
        mean = self.value("watches", "A*", "total_ms") / self.value("watches", "A*", "plans")
        self.assertAlmostEqual(self.value("real-time-slow", "A*", "slower"), 17 / mean, delta=1e-3)

    def test_what_stands_is_searched_once(self):
        for name in ("D* Lite", "Basic MT-D* Lite", "MT-D* Lite", "MT-D* Lite, backward"):
            self.assertEqual(self.value("waits", name, "worst_expanded"), 0, name)
            self.assertEqual(self.value("waits", name, "resets"), 0, name)
            plans = self.value("reset", name, "plans")
            self.assertAlmostEqual(self.value("reset", name), plans * self.value("waits", name), 6, name)
        self.assertEqual(self.value("waits", "A*"), self.value("waits", "A*", "plans") * self.value("waits", "A*", "worst_expanded"))

    def test_who_resets(self):
        """D* Lite begins anew with the destination; moving target planners never do."""
        for scenario in ("waits-vertical", "flies-horizontal", "dynamic-vertical"):
            self.assertGreater(self.value(scenario, "D* Lite", "resets"), 0)
            for name in ("Basic MT-D* Lite", "MT-D* Lite", "Basic MT-D* Lite, backward", "MT-D* Lite, backward"):
                self.assertEqual(self.value(scenario, name, "resets"), 0, (scenario, name))

    def test_figures(self):
        self.assertEqual(self.value("reset", "MT-D* Lite"), self.value("reset", "MT-D* Lite, not optimised"))
        self.assertGreater(self.value("reset", "MT-D* Lite, not optimised", "total_ms"), 1.3 * self.value("reset", "MT-D* Lite", "total_ms"))
        self.assertLess(self.value("dynamic-60", "Basic MT-D* Lite"), 0.25 * self.value("dynamic-60", "A*"))
        self.assertLess(self.value("watches", "JPS"), 0.5 * self.value("watches", "A*"))

    @unittest.skipUnless(is_long() and not has_sanitizer(), "two more runs of minutes: make test-long makes them")
    def test_same_seed_same_numbers(self):
        def numbers(folder):
            return [[r[k] for k in r if "ms" not in k] for r in rows_of(folder / "frames.csv")]
        text = self.run_tool("experiment", "krafft-2021", "--quick", "--out", "again", env=NO_DATA).stdout
        holding, claims, differences, unexplained = map(int, re.search(r"(\d+) of (\d+) claims hold; (\d+) differences of both kinds, (\d+) of them not", text).groups())
        self.assertEqual(claims, self.answer["orders"]["claims"])
        self.assertGreaterEqual(differences, claims - holding)
        self.assertLessEqual(unexplained, differences)
        self.run_tool("experiment", "krafft-2021", "--quick", "--seed", 2, "--out", "other", env=NO_DATA)
        self.assertEqual(numbers(self.dir / "again"), numbers(self.out))
        self.assertNotEqual(numbers(self.dir / "other"), numbers(self.out))


class Usage(Experiments):
    def test_list(self):
        text = self.run_tool("experiment").stdout
        self.assertIn("albertini", text)
        self.assertIn("massonnat-static", text)
        self.assertIn("massonnat-dynamic", text)
        self.assertIn("krafft-spaces", text)
        self.assertIn("krafft-2019", text)
        self.assertIn("krafft-2021", text)
        self.assertIn("krafft-success", text)
        self.assertIn("maruszczyk", text)
        self.assertIn("crowd", text)
        self.assertRegex(text, r"(?m)^all ")

    def test_help(self):
        text = self.run_tool("experiment", "--help").stdout
        for line in text.splitlines():
            self.assertLessEqual(len(line), 80, line)
        for word in ("Exit codes", "Example", "--quick", "albertini", "massonnat-static"):
            self.assertIn(word, text)
        self.assertIn("experiment", self.run_tool("--help").stdout)

    def test_bad_words(self):
        self.refused("experiment", "einstein", says=["einstein", "albertini", "massonnat-static", "maruszczyk", "crowd, all"])
        self.refused("experiment", "albertini", "again", says=["again"])
        self.refused("experiment", "albertini", "--sample", "0", says=["--sample"])
        self.refused("experiment", "albertini", "--sample", "10001", says=["--sample", "10000"])
        self.refused("experiment", "albertini", "--threads", "1025", says=["--threads"])
        self.refused("experiment", "albertini", "--seed", "x", says=["--seed"])
        self.refused("experiment", "albertini", "--quik", says=["--quick"])

    def test_no_maps_are_told_at_once(self):
        self.refused("experiment", "massonnat-static", "--data", ".", says=["--data", "Complex.3dmap"])

    def test_folder_that_cannot_be(self):
        self.file("taken", "a file")
        for name in ("taken", "taken/out"):
            self.refused("experiment", "albertini", "--quick", "--out", name, says=[name, "folder"])


if __name__ == "__main__":
    unittest.main()
