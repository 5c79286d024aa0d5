"""Runs of scenes that move: the list, results in order of seeds, CSV, checkpoints, records and their replay."""
import csv
import re
import signal
import subprocess
import time
import unittest

from tool import TOOL, CliTest

SHORT = ("--limit", "3", "--quiet")  # simulated seconds
TIMES = ("path_seconds", "path_us_mean", "worst_step_us")


class Sim(CliTest):
    def rows(self, name):
        with open(self.dir / name, newline="") as file:
            return list(csv.DictReader(file))

    def without_times(self, name):
        """The lines of a CSV but for the columns of CPU time, which are the last."""
        lines = (self.dir / name).read_text().splitlines()
        self.assertTrue(lines[0].endswith("," + ",".join(TIMES)))
        return [line.rsplit(",", len(TIMES))[0] for line in lines]

    def test_the_list(self):
        scenes = self.run_json("sim")["scenes"]
        asteroids = next(s for s in scenes if s["scene"] == "asteroids")
        self.assertIn("cells", asteroids["algos"])
        self.assertIn("cells", asteroids["spaces"])
        self.assertIn("maze-300", asteroids["variants"])
        text = self.run_tool("sim").stdout
        for scene in scenes:
            self.assertIn(scene["scene"] + ":", text)
            for name in scene["algos"] + scene["spaces"] + scene["variants"]:
                self.assertIn(name, text)

    def test_crowds_in_the_worlds_of_the_theses(self):
        variants = {s["scene"]: s["variants"] for s in self.run_json("sim")["scenes"]}
        self.assertEqual(variants["albertini"], ["sparse", "wall", "maze", "concave", "mixed"])
        self.assertEqual(len(variants["massonnat"]), 6)
        for scene, variant in (("albertini", "maze"), ("massonnat", "cave"), ("debris", "wreck")):
            done = self.run_json("sim", scene, "--variant", variant, "--agents", 8, "--limit", 2, "--quiet")
            self.assertEqual((done["collisions"], done["wall_hits"], done["agent_hits"]), (0, 0, 0), scene)
            self.assertGreater(done["distance"], 1, scene)
            self.run_tool("sim", scene, "--variant", variant, "--limit", 0.5, "--agents", 2, "--quiet", "--record", "run.vnrec")
            self.assertIn("same", self.run_tool("replay", "run.vnrec").stdout, scene)

    def test_a_map_of_the_user(self):
        """A wall with a hole of six voxels, in place of the wreck."""
        wall = [(20, y, z) for y in range(20) for z in range(20) if not (7 <= y < 13 and 7 <= z < 13)]
        (self.dir / "a.3dmap").write_text("voxel 41 20 20\n" + "".join("%d %d %d\n" % v for v in wall + [(0, 0, 0), (40, 19, 19)]))
        options = ("--agents", 8, "--obstacles", 2, "--limit", 4, "--quiet")
        done = self.run_json("sim", "debris", "--map", "a.3dmap", "--runs", 2, *options)
        self.assertEqual((done["runs"], done["collisions"], done["wall_hits"], done["agent_hits"]), (2, 0, 0, 0))
        self.assertGreater(done["distance"], 8 * 10)
        self.refused("sim", "debris", "--map", "no.3dmap", says=["no.3dmap"])
        self.refused("sim", "debris", "--map", "a.3dmap", "--record", "a.vnrec", says=["--record"])
        self.refused("sim", "reef", "--map", "a.3dmap", says=["only the scene debris"])
        (self.dir / "small.3dmap").write_text("voxel 8 8 8\n0 0 0\n7 7 7\n")
        self.refused("sim", "debris", "--map", "small.3dmap", says=["no place for so many agents"])

    def test_a_campaign(self):
        out = self.run_json("sim", "asteroids", "--runs", 4, "--seed", 5, "--csv", "a.csv", "--threads", 1, *SHORT)
        for key in ("runs", "reached", "collisions", "frame_us_mean", "frame_us_p99", "replans", "distance", "fuel"):
            self.assertIn(key, out)
        rows = self.rows("a.csv")
        self.assertEqual([row["seed"] for row in rows], ["5", "6", "7", "8"])
        self.assertEqual({row["end"] for row in rows}, {"timeout"})
        self.assertEqual(len({row["hash"] for row in rows}), 4)
        self.assertEqual((out["runs"], out["reached"], out["timeouts"], out["enclosed"]), (4, 0, 4, 0))
        self.assertEqual(out["replans"], sum(int(row["calls"]) for row in rows))
        self.assertEqual(out["collisions"], sum(int(row["collisions"]) for row in rows))
        self.assertLess(out["reached_interval"][1], 0.5)  # Wilson's of 0 of 4 ends at 0.49
        self.assertGreater(out["reached_interval"][1], 0.48)
        self.assertGreater(out["frame_us_p99"], 0)
        for row in rows:
            self.assertGreater(float(row["length"]), 0)
            self.assertGreater(float(row["path_seconds"]), 0)

    def test_threads_change_nothing_but_times(self):
        self.run_tool("sim", "asteroids", "--runs", 5, "--csv", "one.csv", "--threads", 1, *SHORT)
        self.run_tool("sim", "asteroids", "--runs", 5, "--csv", "three.csv", "--threads", 3, *SHORT)
        self.assertEqual(self.without_times("one.csv"), self.without_times("three.csv"))

    def test_options_reach_the_run(self):
        plain = self.run_json("sim", "asteroids", *SHORT)
        other = self.run_json("sim", "asteroids", "--variant", "maze-300", "--autopilot", 4, "--latency", "thesis", "--speed", 2,
                              "--obstacles", 9, "--csv", "a.csv", *SHORT)
        row = self.rows("a.csv")[0]
        self.assertEqual((row["variant"], row["autopilot"], row["latency"], row["speed"], row["obstacles"]),
                         ("maze-300", "4", "0.282", "2", "9"))
        self.assertEqual(other["latency"], 0.282)
        self.assertEqual(plain["latency"], 0)
        self.assertEqual(self.run_json("sim", "asteroids", "--latency", "ours", *SHORT)["latency"], 0.00058)
        self.assertEqual(self.run_json("sim", "asteroids", "--latency", "0.5", *SHORT)["latency"], 0.5)

    def test_text_names_the_figures(self):
        text = self.run_tool("sim", "asteroids", "--runs", 2, *SHORT).stdout
        for words in ("2 runs from seed 1", "arrived             0 of 2", "without collision", "collisions a run", "enclosed", "wall hits",
                      "timeouts and lost   2 and 0", "paths", "p99"):
            self.assertIn(words, text)

    def test_refusals(self):
        self.refused("sim", "asteriods", says=["asteriods", "did you mean asteroids?"])
        self.refused("sim", "asteroids", "--algo", "magic", says=["--algo magic", "cells"])
        self.refused("sim", "asteroids", "--space", "magic", says=["--space magic", "cells"])
        self.refused("sim", "asteroids", "--variant", "magic", says=["--variant magic", "maze-300"])
        self.refused("sim", "asteroids", "--autopilot", "7", says=["--autopilot 7", "0 to 6"])
        self.refused("sim", "asteroids", "--latency", "some", says=["--latency some", "ours"])
        self.refused("sim", "asteroids", "--latency", "-1", says=["--latency -1"])
        self.refused("sim", "asteroids", "--runs", "0", says=["--runs 0"])
        self.refused("sim", "asteroids", "--runs", "1000001", says=["--runs", "1000000"])
        self.refused("sim", "asteroids", "--limit", "1e8", says=["asteroids", "out of range"])
        self.refused("sim", "asteroids", "--agents", "2", "--threads", "2", "--runs", "9", says=["asteroids", "one ship"])
        self.refused("sim", "asteroids", "--csv", "none/a.csv", says=["none/a.csv"])
        self.refused("sim", "asteroids", "--record", "none/a.vnrec", says=["none/a.vnrec"])
        self.refused("sim", "asteroids", "--checkpoint", "none/a", *SHORT, says=["none/a"])
        self.assertEqual(list(self.dir.iterdir()), [])


class Clean(CliTest):
    def test_require_clean(self):
        """Without an autopilot a dense field is flown into; in an empty one nothing is touched."""
        dense = ("sim", "asteroids", "--autopilot", 0, "--obstacles", 250, "--limit", "15", "--quiet", "--end-at-collision")
        out = self.run_json(*dense, "--require-clean", expect=1)
        self.assertEqual((out["clean"], out["collisions"]), (0, 1))
        self.assertLess(out["clearance"], 0)
        self.run_tool(*dense)
        self.run_tool("sim", "asteroids", "--obstacles", 0, "--require-clean", *SHORT)


class Records(CliTest):
    def test_record_and_replay(self):
        text = self.run_tool("sim", "asteroids", "--runs", 3, "--seed", 40, "--record", "r.vnrec", *SHORT).stdout
        self.assertIn("seed 40, the first that failed, to r.vnrec", text)  # none arrives within the limit
        info = self.run_json("info", "r.vnrec")
        self.assertEqual((info["kind"], info["scene"], info["seed"], info["steps"], info["end"]), ("run", "asteroids", 40, 30, "timeout"))
        self.assertIn("a recorded run: asteroids, sparse, seed 40", self.run_tool("info", "r.vnrec").stdout)
        for workers in (0, 1, 3):
            out = self.run_json("replay", "r.vnrec", "--workers", workers)
            self.assertTrue(out["same"])
            self.assertIsNone(out["first_difference"])
            self.assertEqual(out["hash"], info["hash"])
        self.assertIn("the same, bit by bit, in all 30 steps", self.run_tool("replay", "r.vnrec").stdout)
        first = (self.dir / "r.vnrec").read_bytes()
        self.run_tool("sim", "asteroids", "--seed", 40, "--record", "s.vnrec", *SHORT)
        self.assertEqual(first, (self.dir / "s.vnrec").read_bytes())

    def test_broken_records_are_refused(self):
        self.run_tool("sim", "asteroids", "--record", "r.vnrec", *SHORT)
        good = (self.dir / "r.vnrec").read_bytes()
        flipped = bytearray(good)
        flipped[-9] ^= 1
        for name, data in (("cut", good[:-1]), ("flipped", bytes(flipped)), ("longer", good + b"x"), ("empty", b"")):
            path = self.file(name + ".vnrec", data)
            self.refused("replay", path, says=[name + ".vnrec"])
            self.refused("info", path, says=[name + ".vnrec"])
        self.refused("info", "r.vnrec", "--check", says=["volnav replay"])
        self.refused("query", "r.vnrec", "--from", "1,1,1", "--to", "2,2,2", says=["volnav replay"])


class Checkpoints(CliTest):
    def campaign(self, runs, *options):
        return self.run_json("sim", "asteroids", "--runs", runs, "--checkpoint", "c.txt", *options, *SHORT)

    def test_a_campaign_goes_on(self):
        self.assertEqual(self.campaign(2)["resumed"], 0)
        self.assertEqual(self.campaign(4, "--csv", "a.csv")["resumed"], 2)
        self.run_tool("sim", "asteroids", "--runs", 4, "--csv", "b.csv", *SHORT)
        a, b = ([line.rsplit(",", 3)[0] for line in (self.dir / n).read_text().splitlines()] for n in ("a.csv", "b.csv"))
        self.assertEqual(a, b)
        again = self.campaign(4)
        self.assertEqual(again["resumed"], 4)
        self.assertEqual(again["frame_us_p99"], self.campaign(4)["frame_us_p99"])  # times come from the file, too
        self.assertEqual(self.campaign(1)["resumed"], 1)
        self.assertEqual(self.campaign(4)["resumed"], 4)  # the shorter one has not dropped the others

    def test_another_campaign_is_refused(self):
        self.campaign(1)
        before = (self.dir / "c.txt").read_bytes()
        for options, words in ((("--autopilot", 5), ('"autopilot 6"', '"autopilot 5"')), (("--seed", 2), ('"seed 1"', '"seed 2"')),
                               (("--speed", "1.5"), ('"speed 1"', '"speed 1.5"'))):
            self.refused("sim", "asteroids", "--checkpoint", "c.txt", *options, *SHORT, says=["c.txt", "another campaign", *words])
        self.assertEqual(before, (self.dir / "c.txt").read_bytes())

    def test_damaged_files_are_refused(self):
        self.campaign(2)
        good = (self.dir / "c.txt").read_text()
        for text, words in ((good[:-3], "cut off"), (good.replace("timeout", "tired", 1), "damaged"), (good.replace("end 2", "end 3"), "missing"),
                            (good.replace("run 2,", "run 9999999999,"), "damaged"), ("something\n", "no checkpoint"), ("", "no checkpoint")):
            self.file("c.txt", text)
            self.refused("sim", "asteroids", "--runs", 2, "--checkpoint", "c.txt", *SHORT, says=["c.txt", words])
            self.assertEqual(text, (self.dir / "c.txt").read_text())

    def test_a_killed_campaign_goes_on(self):
        command = [TOOL, "sim", "asteroids", "--runs", "5000", "--threads", "1", "--checkpoint", "c.txt", *SHORT]
        process = subprocess.Popen(command, cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(1200):
                path = self.dir / "c.txt"
                if path.exists() and "\nrun " in path.read_text():
                    break
                time.sleep(0.05)
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
        done = len(re.findall(r"^run ", (self.dir / "c.txt").read_text(), re.MULTILINE))
        self.assertGreater(done, 0)
        self.assertEqual(self.campaign(done + 1)["resumed"], done)


if __name__ == "__main__":
    unittest.main()
