"""Maps, scenarios and the commands bake and bench; broken files of every kind."""
import csv
import os
import random
import stat
import subprocess
import unittest

from tool import CliTest

BAKE_KEYS = {"space", "cells", "links", "components", "blocked_voxels", "seconds", "bytes", "memory", "dims", "resolution",
             "radius", "volume", "warnings"}
SCALING_KEYS = {"queries_per_second_one", "queries_per_second", "scaling", "calibration_scaling"}
RESULT_KEYS = {"algo", "space", "quality", "weight", "queries", "found", "valid", "mean_us", "median_us", "p99_us", "stream_mean_us", "stream_median_us", "stream_p99_us",
               "max_us", "expanded", "expansions_per_second", "length_over_scen", "cost_errors", "max_cost_error",
               "bake_seconds", "bytes", "ratio"}


class Bake(CliTest):
    def test_json(self):
        answer = self.run_json("bake", self.map_file(dims=(4, 5, 6), blocked=[(1, 1, 1), (2, 2, 2)]))
        self.assertLessEqual(BAKE_KEYS, set(answer))
        self.assertEqual(answer["dims"], [4, 5, 6])
        self.assertEqual(answer["blocked_voxels"], 2)
        self.assertEqual(answer["space"], "cells")
        self.assertEqual(answer["components"], 1)
        self.assertLess(answer["cells"], 20)
        self.assertGreaterEqual(answer["links"], 2 * (answer["cells"] - 1))  # connected, both directions counted
        self.assertEqual(answer["volume"], 2)
        self.assertEqual(answer["bytes"], sum(answer["memory"].values()))

    def test_cells_of_plain_worlds(self):
        """One box is one cell; a whole wall parts two; a hole is a third, linked with both."""
        for path, cells, links, components in ((self.map_file(), 1, 0, 1), (self.wall_map(), 2, 0, 2),
                                               (self.wall_map("hole.3dmap", hole=(2, 5)), 3, 4, 1)):
            answer = self.run_json("bake", path)
            self.assertEqual((answer["cells"], answer["links"], answer["components"]), (cells, links, components))

    def test_grid(self):
        answer = self.run_json("bake", self.map_file(dims=(4, 5, 6), blocked=[(1, 1, 1), (2, 2, 2)]), "--space", "grid")
        self.assertLessEqual(BAKE_KEYS, set(answer))
        self.assertEqual(answer["space"], "grid")
        self.assertEqual(answer["cells"], 4 * 5 * 6 - 2)
        self.assertEqual((answer["links"], answer["components"]), (0, 0))
        self.assertEqual(answer["bytes"], sum(answer["memory"].values()))

    def test_any_bytes_in_a_name(self):
        for name, shown in ((b"h\xc3\xb6hle", "h\u00f6hle"), (b"h\xf6hle", "h\ufffdhle"), (b"\xf0\x9f\x90\x9f\xed\xa0\x80",
                            "\U0001f41f\ufffd\ufffd\ufffd"), (b'a"b\\c\td', 'a"b\\c\td')):
            path = self.map_file(os.fsdecode(name + b".3dmap"))
            self.assertTrue(self.run_json("bake", path)["input"].endswith(shown + ".3dmap"))

    def test_written_map_reads_back(self):
        blocked = [(1, 1, 1), (2, 2, 2), (3, 0, 3)]
        path = self.map_file(dims=(4, 4, 4), blocked=blocked)
        self.run_tool("bake", path, "-o", "out.3dmap")
        lines = (self.dir / "out.3dmap").read_text().split("\n")
        self.assertEqual(lines[0].strip(), "voxel 4 4 4")
        self.assertEqual({tuple(map(int, l.split())) for l in lines[1:] if l.strip()}, set(blocked))
        self.assertEqual(self.run_json("bake", "out.3dmap")["hash"], self.run_json("bake", path)["hash"])

    def test_radius_and_seed(self):
        path = self.wall_map()
        seeded = self.run_json("bake", path, "--seed", "1.5,1.5,1.5")
        self.assertEqual((seeded["cells"], seeded["components"], seeded["blocked_voxels"]), (1, 1, (8 - 4) * 64))
        wide = self.run_json("bake", path, "--radius", "0.5")
        self.assertEqual((wide["cells"], wide["components"], wide["blocked_voxels"]), (2, 2, 3 * 64))
        self.assertEqual(self.run_json("bake", path, "--seed", "1.5,1.5,1.5", "--space", "grid")["cells"], 4 * 64)
        self.assertEqual(self.run_json("bake", path, "--radius", "0.5", "--space", "grid")["cells"], (3 + 2) * 64)
        self.refused("bake", path, "--seed", "4.5,4.5,4.5", says=["wall.3dmap"])
        self.refused("bake", path, "--seed", "40,4,4", says=["wall.3dmap"])

    def test_threads_do_not_change_the_result(self):
        path = self.map_file(dims=(100, 90, 80), blocked=[(x, x, x) for x in range(80)])
        hashes = {self.run_json("bake", path, "--threads", n, "--radius", "2.5")["hash"] for n in (1, 2, 3)}
        self.assertEqual(len(hashes), 1)

    def test_duplicates_are_accepted_and_counted(self):
        answer = self.run_json("bake", self.map_file(blocked=[(1, 1, 1), (1, 1, 1), (1, 1, 1), (2, 2, 2)]))
        self.assertEqual((answer["blocked_voxels"], answer["duplicates"]), (2, 2))
        self.assertIn("2 voxels", answer["warnings"][0])

    def test_other_endings_are_refused(self):
        self.refused("bake", self.map_file(), "-o", "x.txt", says=["x.txt", ".3dmap", ".vnav"])
        self.assertFalse((self.dir / "x.txt").exists())

    def test_unwritable_output(self):
        path = self.map_file(blocked=[(1, 1, 1)])
        self.refused("bake", path, "-o", "missing/x.3dmap", says=["missing/x.3dmap", "folder"])
        (self.dir / "taken.3dmap").mkdir()
        self.refused("bake", path, "-o", "taken.3dmap", says=["taken.3dmap"])
        self.assertEqual(sorted(os.listdir(self.dir)), ["map.3dmap", "taken.3dmap"])


class BrokenMaps(CliTest):
    def broken(self, text, *says):
        self.refused("bake", self.file("bad.3dmap", text), says=["bad.3dmap", *says])

    def test_with_file_line_and_reason(self):
        self.broken("", "bad.3dmap")
        self.broken("hello 1 2 3\n", ":1:")
        self.broken("voxel 8 8\n", ":1:")
        self.broken("voxel 0 8 8\n", ":1:")
        self.broken("voxel 8 -8 8\n", ":1:")
        self.broken("voxel 8 8 8 8\n", ":1:")
        self.broken("voxel 8 8 8\n1 1 1\n8 1 1\n", ":3:")
        self.broken("voxel 8 8 8\n1 1 1\n-1 1 1\n", ":3:")
        self.broken("voxel 8 8 8\n1 1\n", ":2:")
        self.broken("voxel 8 8 8\n\n1 1 x\n", ":3:")
        self.broken("voxel 8 8 8\n1 1 1 1\n", ":2:")
        self.broken("voxel 8 8 8\n1 1 nan\n", ":2:")
        self.broken("voxel 99999999 8 8\n", "bad.3dmap")
        self.broken(bytes(range(256)), "bad.3dmap")

    def test_missing_unreadable_and_folder(self):
        self.refused("bake", "nowhere.3dmap", says=["nowhere.3dmap", "No such file"])
        (self.dir / "folder.3dmap").mkdir()
        self.refused("bake", "folder.3dmap", says=["folder.3dmap"])
        path = self.map_file("secret.3dmap")
        os.chmod(path, 0)
        if not os.access(path, os.R_OK):
            self.refused("bake", path, says=["secret.3dmap"])
        os.chmod(path, stat.S_IRUSR | stat.S_IWUSR)

    def test_pipe(self):
        os.mkfifo(self.dir / "pipe.3dmap")
        writer = subprocess.Popen(["sh", "-c", "printf 'voxel 4 4 4\\n1 1 1\\n' > pipe.3dmap"], cwd=self.dir)
        self.assertEqual(self.run_json("bake", "pipe.3dmap")["blocked_voxels"], 1)
        self.assertEqual(writer.wait(timeout=60), 0)

    def test_crlf_and_blank_lines_are_fine(self):
        answer = self.run_json("bake", self.file("dos.3dmap", "voxel 4 4 4\r\n\r\n1 1 1\r\n"))
        self.assertEqual(answer["blocked_voxels"], 1)

    def test_huge_headers_work_or_are_refused(self):
        path = self.file("large.3dmap", "voxel 1000 1000 1000\n5 5 5\n")
        answer = self.run_json("bake", path)
        self.assertLess(answer["cells"], 16**3 + 100)  # one for each free block of 64^3, and some around the voxel
        self.assertEqual(answer["components"], 1)
        self.assertLess(answer["bytes"], 30e6)
        self.assertEqual(self.run_json("bake", path, "--space", "grid")["cells"], 10**9 - 1)
        path = self.file("vast.3dmap", "voxel 1048576 1048576 1048576\n5 5 5\n")
        done = self.run_tool("bake", path, expect=2)
        self.assertIn("vast.3dmap", done.stderr)

    def test_query_in_a_huge_map(self):
        path = self.file("large.3dmap", "voxel 1000 1000 1000\n5 5 5\n")
        for options in ((), ("--algo", "astar"), ("--space", "grid")):
            answer = self.run_json("query", path, "--from", "0.5,0.5,0.5", "--to", "900.5,0.5,0.5", *options)
            self.assertEqual(answer["length"], 900)


class Bench(CliTest):
    def scenario(self, lines, name="wall.3dmap.3dscen", map_name="wall.3dmap"):
        rows = [" ".join(map(str, line)) for line in lines]
        return self.file(name, "\n".join(["version 1", map_name] + rows) + "\n")

    def lines(self):
        """Straight queries on one side of the wall, so that the costs are plain."""
        return [(0, 0, 0, 0, n, 0, n, 1.0) for n in range(1, 8)]

    def test_json(self):
        scen = self.scenario(self.lines())
        answer = self.run_json("bench", self.wall_map(), "--scen", scen, "--algo", "astar,greedy,dijkstra,astar-list")
        self.assertEqual(answer["map"], "wall.3dmap")
        self.assertEqual([r["algo"] for r in answer["results"]], ["astar", "greedy", "dijkstra", "astar-list"])
        for result in answer["results"]:
            self.assertLessEqual(RESULT_KEYS, set(result))
            self.assertEqual((result["queries"], result["found"], result["valid"]), (7, 7, 7))
            self.assertEqual(result["cost_errors"], 0)
            self.assertAlmostEqual(result["length_over_scen"], 1, places=9)
            self.assertLessEqual(result["median_us"], result["p99_us"])
            self.assertLessEqual(result["p99_us"], result["max_us"])

    def test_scenario_beside_the_map_is_the_default(self):
        self.scenario(self.lines())
        self.assertEqual(self.run_json("bench", self.wall_map())["results"][0]["queries"], 7)

    def test_table_fits(self):
        self.scenario(self.lines())
        options = ("--algo", "cells,astar,astar-list", "--quality", "standard,best", "--passes", 1, "--threads", 2)
        text = self.run_tool("bench", self.wall_map(), *options).stdout
        for line in text.splitlines():
            self.assertLessEqual(len(line), 80)
        for word in ("cells standard", "cells best", "astar-list"):
            self.assertIn(word, text)
        if self.run_json("bench", self.wall_map(), *options)["threads"] > 1:  # else it was built without
            for word in ("1 thread", "2 threads", "calibration loop"):
                self.assertIn(word, text)

    def honest_scenario(self):
        """A cluttered map and a scenario for it whose costs come from astar."""
        rng = random.Random(1)
        blocked = set()
        for _ in range(40):
            low = [rng.randrange(38) for _ in range(3)]
            high = [v + rng.randrange(1, 9) for v in low]
            blocked |= {(x, y, z) for x in range(low[0], min(high[0], 40)) for y in range(low[1], min(high[1], 40))
                        for z in range(low[2], min(high[2], 40))}
        path = self.map_file("rocks.3dmap", (40, 40, 40), sorted(blocked))
        ends = [tuple(rng.randrange(40) for _ in range(6)) for _ in range(60)]
        ends = [e for e in ends if e[:3] not in blocked and e[3:] not in blocked and e[:3] != e[3:]]
        scen = self.scenario([e + (1, 1) for e in ends], "rocks.3dmap.3dscen", "rocks.3dmap")
        self.run_tool("bench", path, "--scen", scen, "--sample", 0, "--algo", "astar", "--rows", "costs.csv")
        rows = list(csv.DictReader((self.dir / "costs.csv").read_text().splitlines()))
        lines = [e + (row["length"], 1) for e, row in zip(ends, rows) if row["status"] == "path"]
        self.assertGreater(len(lines), 20)
        return path, self.scenario(lines, "rocks.3dmap.3dscen", "rocks.3dmap"), len(lines)

    def test_cells(self):
        """Cells find all, at any angle, and so below the grid's cost; that is no error of cost."""
        path, scen, queries = self.honest_scenario()
        answer = self.run_json("bench", path, "--scen", scen, "--sample", 0, "--algo", "cells,astar", "--quality",
                               "fast,standard,best")
        fast, standard, best, astar = answer["results"]
        self.assertEqual([r["quality"] for r in answer["results"]], ["fast", "standard", "best", None])
        self.assertEqual([r["space"] for r in answer["results"]], ["cells", "cells", "cells", "grid"])
        for result in answer["results"]:
            self.assertLessEqual(RESULT_KEYS, set(result))
            self.assertEqual((result["queries"], result["found"], result["valid"]), (queries, queries, queries))
            self.assertFalse(SCALING_KEYS & set(result))
        for result in (fast, standard, best):
            self.assertEqual((result["cost_errors"], result["max_cost_error"]), (None, None))
            self.assertLess(result["length_over_scen"], 1)
            self.assertGreater(result["length_over_scen"], 0.8)  # the straight line's, at the very least
            self.assertLess(result["expanded"], astar["expanded"])
        self.assertLessEqual(best["length_over_scen"], standard["length_over_scen"])
        self.assertEqual((astar["cost_errors"], astar["weight"]), (0, 1))
        self.assertAlmostEqual(astar["length_over_scen"], 1, places=9)
        self.assertAlmostEqual(astar["ratio"], astar["mean_us"] / fast["mean_us"], places=6)
        self.assertAlmostEqual(astar["stream_ratio"], astar["stream_mean_us"] / fast["stream_mean_us"], places=6)
        self.assertGreater(answer["calibration_steps_per_second"], 1e6)

    def test_grid_is_searched_by_astar(self):
        self.scenario(self.lines())
        result = self.run_json("bench", self.wall_map(), "--space", "grid")["results"][0]
        self.assertEqual((result["algo"], result["space"], result["quality"]), ("astar", "grid", None))
        self.assertEqual(result["cost_errors"], 0)

    def test_rows(self):
        path, scen, queries = self.honest_scenario()
        answer = self.run_json("bench", path, "--scen", scen, "--sample", 20, "--algo", "cells,astar", "--rows", "r.csv")
        rows = list(csv.DictReader((self.dir / "r.csv").read_text().splitlines()))
        self.assertEqual(set(rows[0]), {"query", "line", "scen_cost", "algo", "quality", "status", "length", "us",
                                        "expanded", "stream_us"})
        self.assertEqual([(r["query"], r["algo"]) for r in rows],
                         [(str(i), algo) for i in range(20) for algo in ("cells", "astar")])
        self.assertEqual([int(r["line"]) for r in rows[::2]], [i * queries // 20 + 3 for i in range(20)])
        for result, mine in zip(answer["results"], (rows[::2], rows[1::2])):
            self.assertAlmostEqual(result["mean_us"], sum(float(r["us"]) for r in mine) / 20, delta=0.01)
            self.assertAlmostEqual(result["stream_mean_us"], sum(float(r["stream_us"]) for r in mine) / 20, delta=0.01)
            self.assertAlmostEqual(result["stream_max_us"], max(float(r["stream_us"]) for r in mine), delta=0.01)
            self.assertTrue(all(float(r["stream_us"]) > 0 for r in mine))
            self.assertAlmostEqual(result["expanded"], sum(int(r["expanded"]) for r in mine) / 20, places=9)
            ratio = sum(float(r["length"]) / float(r["scen_cost"]) for r in mine) / 20
            self.assertAlmostEqual(result["length_over_scen"], ratio, places=9)
        self.refused("bench", path, "--scen", scen, "--rows", "missing/r.csv", says=["missing/r.csv"])
        none = self.scenario([(0, 0, 0, 7, 7, 7, 9, 1.0)], "none.3dscen")
        self.run_tool("bench", self.wall_map(), "--scen", none, "--rows", "none.csv")
        self.assertRegex((self.dir / "none.csv").read_text().splitlines()[1], r"^0,3,9,cells,standard,no-path,,[\d.]+,0,[\d.]+$")

    def test_table_has_both_times(self):
        path, scen, _ = self.honest_scenario()
        lines = self.run_tool("bench", path, "--scen", scen, "--sample", 33, "--algo", "astar,cells", "--quiet").stdout.splitlines()
        heading, *rows = (line.split() for line in lines[3:6])
        self.assertEqual(heading[:5], ["algo", "found", "valid", "repeat", "stream"])
        self.assertEqual([row[0] for row in rows], ["astar", "cells"])
        for row in rows:
            repeat, stream = map(float, row[-5:-3])
            self.assertGreater(repeat, 0)
            self.assertGreater(stream, 0)

    def test_sample_and_offset(self):
        # One wrong cost a sample shows which lines were taken: line n has cost n + 1 where n is marked.
        path = self.wall_map()
        for sample, offset in ((3, 0), (3, 1), (2, 5), (7, 3), (1, 6), (3, 701)):
            taken = {(i * 7 // sample + offset) % 7 for i in range(sample)}
            for marked in range(7):
                lines = self.lines()
                lines[marked] = lines[marked][:6] + (lines[marked][6] + 1, 1.0)
                scen = self.scenario(lines)
                result = self.run_json("bench", path, "--scen", scen, "--sample", sample, "--offset", offset,
                                       "--passes", 1, "--algo", "astar")["results"][0]
                self.assertEqual(result["queries"], sample)
                self.assertEqual(result["cost_errors"], 1 if marked in taken else 0)

    def test_threads_change_times_only(self):
        path, scen = self.wall_map(hole=(3, 3)), self.scenario(self.lines() + [(0, 0, 0, 7, 7, 7, 20, 1.0)] * 9)
        rows = []
        for threads in (1, 2, 3):
            answer = self.run_json("bench", path, "--scen", scen, "--threads", threads, "--algo", "cells,astar,greedy",
                                   "--passes", 1)
            rows.append([(r["found"], r["valid"], r["expanded"], r["length_over_scen"], r["cost_errors"],
                          r["max_cost_error"]) for r in answer["results"]])
            for result in answer["results"]:
                self.assertEqual(SCALING_KEYS & set(result), SCALING_KEYS if answer["threads"] > 1 else set())
                if answer["threads"] > 1:
                    self.assertAlmostEqual(result["scaling"], result["queries_per_second"] /
                                           result["queries_per_second_one"], places=9)
                    self.assertGreater(result["calibration_scaling"], 0)
        self.assertEqual(rows[0], rows[1])
        self.assertEqual(rows[0], rows[2])

    def test_blocked_and_unreachable_count_as_not_found(self):
        lines = [(0, 0, 0, 0, 3, 0, 3, 1.0), (4, 4, 4, 0, 0, 0, 5, 1.0), (0, 0, 0, 7, 7, 7, 9, 1.0)]
        result = self.run_json("bench", self.wall_map(), "--scen", self.scenario(lines))["results"][0]
        self.assertEqual((result["queries"], result["found"], result["valid"]), (3, 1, 1))

    def test_scenario_for_another_map(self):
        scen = self.scenario(self.lines(), map_name="other.3dmap")
        self.refused("bench", self.wall_map(), "--scen", scen, says=["other.3dmap", "wall.3dmap"])
        scen = self.scenario(self.lines() + [(0, 0, 0, 0, 9, 0, 9, 1.0)])
        self.refused("bench", self.wall_map(), "--scen", scen, says=[".3dscen:10:"])

    def test_broken_scenarios(self):
        path = self.wall_map()
        for text, line in (("version 2\nwall.3dmap\n", ":1:"), ("version 1\nwall.3dmap\n1 2 3\n", ":3:"),
                           ("version 1\nwall.3dmap\n0 0 0 0 1 0 x 1\n", ":3:"),
                           ("version 1\nwall.3dmap\n0 0 0 0 1 0 nan 1\n", ":3:")):
            self.refused("bench", path, "--scen", self.file("bad.3dscen", text), says=["bad.3dscen", line])
        self.refused("bench", path, "--scen", self.file("bad.3dscen", "version 1\nwall.3dmap\n"), says=["no queries"])
        self.refused("bench", path, "--scen", "nowhere.3dscen", says=["nowhere.3dscen"])

    def test_bad_usage(self):
        self.refused("bench", says=["map"])
        self.refused("bench", "a.obj", says=["a.obj", ".3dmap"])
        self.refused("bench", "a.3dmap", "--algo", "astar,wings", says=["wings"])
        self.refused("bench", "a.3dmap", "--algo", ",", says=["--algo"])
        self.refused("bench", "a.3dmap", "--quality", "best,perfect", says=["perfect"])
        self.refused("bench", "a.3dmap", "--algo", ",".join(["cells"] * 17), says=["--algo", "16"])
        self.refused("bench", "a.3dmap", "--passes", "0", says=["--passes"])


if __name__ == "__main__":
    unittest.main()
