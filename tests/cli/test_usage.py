"""Help, versions, unknown words and options, broken numbers."""
import json
import os
import pty
import re
import subprocess
import unittest

from tool import TOOL, CliTest


COMMANDS = ("query", "bake", "info", "replay", "bench", "demo", "sim", "experiment", "view")


class Usage(CliTest):
    def test_help_teaches_within_80_columns(self):
        pages = [("--help",), ("help",), ("-h",)] + [(c, "--help") for c in COMMANDS]
        pages += [("help", c) for c in COMMANDS + ("help", "--help")]
        for page in pages:
            text = self.run_tool(*page).stdout
            self.assertIn("Exit codes", text)
            self.assertIn("Example", text)
            for line in text.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_help_lists_every_command(self):
        listed = re.findall(r"^  ([a-z]+) .{4,}$", self.run_tool("--help").stdout, re.MULTILINE)
        self.assertEqual([name for name in listed if name != "volnav"], list(COMMANDS) + ["help"])

    def test_version(self):
        self.assertRegex(self.run_tool("--version").stdout, r"^volnav \d+\.\d+\.\d+\n$")

    def test_no_command(self):
        self.refused()

    def test_unknown_command_names_the_nearest(self):
        self.refused("qurey", says=["qurey", "query"])

    def test_unknown_option_names_the_nearest(self):
        self.refused("bake", "x.3dmap", "--resolutoin", "2", says=["--resolutoin", "--resolution"])
        self.refused("query", "x.3dmap", "--form", "1,2,3", says=["--form", "--from"])
        self.refused("bench", "x.3dmap", "--pases=2", says=["--pases=2", "--passes"])

    def test_far_fetched_words_get_no_proposal(self):
        for args in (("frobnicate",), ("bake", "x.3dmap", "--frobnicate"), ("bake", "x.3dmap", "-x")):
            done = self.refused(*args, says=[args[-1], "--help"])
            self.assertNotIn("did you mean", done.stderr)
        self.refused("bake", self.file("a.scene", "xyzzy 1 2 3\n"), says=["a.scene:1:", "xyzzy", "sphere"])

    def test_missing_and_surplus_values(self):
        self.refused("bake", "x.3dmap", "--resolution", says=["--resolution", "value"])
        self.refused("bake", "x.3dmap", "--solid=yes", says=["--solid"])
        self.refused("bake", "a.3dmap", "b.3dmap", says=["b.3dmap"])
        self.refused("bake", says=["input"])
        self.refused("bake", "", says=["empty"])
        self.refused("bake", "x.3dmap", "-o", "", says=["-o", "empty"])
        self.refused("bake", "-", says=["standard input"])
        self.refused("query", "a.3dmap", "--from", "1,2,3", says=["--to"])

    def test_numbers_are_read_completely(self):
        for text in ("abc", "1x", "", " 1", "nan", "inf", "0x10", "1e999", "0", "-1"):
            self.refused("bake", "x.3dmap", "--resolution=" + text, says=["--resolution"])
        for text in ("1e300", "1e-300"):
            self.refused("bake", "x.3dmap", "--resolution", text, says=["--resolution", text])
            self.refused("bake", "x.obj", "--scale", text, says=["--scale", text])
        self.refused("bake", "x.obj", "--margin", "1e300", says=["--margin", "1e9"])
        for text in ("-1", "1.5", "x", "99999999999999999999999"):
            self.refused("bake", "x.3dmap", "--threads=" + text, says=["--threads"])
        for text in ("1,2", "1,2,3,4", "1,,3", "1;2;3", "a,b,c", "1,2,nan", "1e300,0,0"):
            self.refused("query", "x.3dmap", "--from", text, "--to", "1,2,3", says=["--from"])
        self.refused("bake", "x.3dmap", "--bounds", "0,0,0,1,1", says=["--bounds"])
        self.refused("bake", "x.3dmap", "--bounds", "0,0,0,1,0,1", says=["--bounds"])

    def test_both_ways_of_giving_a_value(self):
        path = self.map_file(blocked=[(1, 1, 1)])
        a = self.run_json("bake", path, "--resolution", "2")
        b = json.loads(self.run_tool("bake", "--resolution=2", "--json", "--", path).stdout)
        self.assertEqual(a["hash"], b["hash"])
        self.assertEqual((a["resolution"], a["dims"]), (2, [4, 4, 4]))

    def test_things_of_later_versions_are_named(self):
        path = self.map_file()
        ends = ("--from", "1.5,1.5,1.5", "--to", "6.5,6.5,6.5")
        self.refused("query", path, *ends, "--algo", "sipp", says=["sipp", "astar", "dijkstra", "dstar-lite"])
        self.refused("query", path, *ends, "--space", "pyramid", says=["pyramid", "cells", "merged", "hybrid", "waypoints"])
        self.refused("query", path, *ends, "--refine", "iron", says=["iron", "none", "prune", "taut", "funnel"])
        self.refused("query", path, *ends, "--quality", "perfect", says=["perfect", "fast", "standard", "best"])
        self.refused("query", path, *ends, "--heuristic", "warp", says=["warp", "octile"])
        self.refused("query", path, *ends, "--neighbours", "18", says=["18", "26"])
        self.refused("query", path, *ends, "--weight", "0.5", says=["0.5"])
        self.refused("bake", path, "--up", "w", says=["--up"])

    def test_full_disk_is_noticed(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full here")
        with open("/dev/full", "w") as full:
            done = subprocess.run([TOOL, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("standard output", done.stderr)


class NextStep(CliTest):
    """Each refusal names what to do."""

    def test_missing_ends(self):
        path = self.map_file()
        missing = {(): ("--from", "--to"), ("--from", "1,1,1"): ("--to",), ("--to", "1,1,1"): ("--from",)}
        for given, wanted in missing.items():
            text = self.refused("query", path, *given, says=["volnav info " + path, *wanted]).stderr
            for end in ("--from", "--to"):
                self.assertEqual("query needs " + end in text or " and " + end in text, end in wanted, text)
        self.refused("query", says=["samples/scenes/gallery.scene", "--from", "--to"])

    def test_the_bounds_to_choose_from(self):
        scene = self.file("a.scene", "resolution 0.5\nbounds -4 -2 0 4 2.5 1\n")
        self.assertIn("  bounds   -4,-2,0 to 4,2.5,1\n", self.run_tool("info", scene).stdout)

    def test_bench_without_a_scenario(self):
        path = self.map_file()
        self.refused("bench", says=["--random", "3dscen"])
        self.refused("bench", path, says=[path + ".3dscen", "--scen", "--random"])
        self.refused("bench", self.file("a.scene", "bounds 0 0 0 4 4 4\n"), says=["a.scene --random"])
        self.refused("bench", path, "--scen", "none.3dscen", says=["none.3dscen"])
        self.run_tool("bench", path, "--random", "3", "--passes", "1")

    def test_unknown_kinds(self):
        steps = {"a.txt": ".glb", "a.vnrec": "volnav replay", "a.3dscen": "bench", "a.blend.zip": "unpack",
                 "a.usdz": "export", "a.iges": ".stl", "a.las": ".bt", "A.PNG": "--picture"}
        for name, step in steps.items():
            path = self.file(name, "something")
            for command in (("query", path, "--from", "1,1,1", "--to", "2,2,2"), ("bake", path), ("demo", path)):
                self.refused(*command, says=[name, step])

    def test_replay_of_something_else(self):
        scene = self.file("a.scene", "bounds 0 0 0 4 4 4\n")
        self.run_tool("bake", scene, "-o", "a.vnav")
        self.refused("replay", scene, says=["--record"])
        self.refused("replay", "a.vnav", says=["volnav query a.vnav", "volnav info a.vnav"])
        self.refused("replay", "none.vnrec", says=["none.vnrec", "No such file"])

    def test_words_of_other_tools(self):
        ends = ("--from", "1.5,1.5,1.5", "--to", "6.5,6.5,6.5")
        for given, ours in (("--start", "--from"), ("--goal", "--to"), ("--voxel-size=2", "--resolution"),
                            ("--svg", "--picture"), ("--algorithm", "--algo")):
            self.refused("query", self.map_file(), given, "1", says=[given, "did you mean " + ours + "?"])
        self.refused("bake", "a.3dmap", "--out", "b.vnav", says=["did you mean --output?"])
        for word in ("--input", "--scene", "-i"):
            self.refused("query", word, self.map_file(), *ends, says=[word, "volnav query FILE"])
        for name in ("a*", "AStar", "astr"):
            self.refused("query", self.map_file(), *ends, "--algo", name, says=[name, "did you mean astar?", "jps6"])
        self.refused("query", self.map_file(), *ends, "--algo", "xyzzyxyzzy", says=["not in this version", "jps6"])

    def test_a_goal_region_out_of_reach(self):
        done = self.run_tool("query", self.wall_map(), "--from", "1.5,1.5,1.5", "--to-box", "6,6,6,7,7,7", expect=1)
        self.assertIn("no free point of the goal region is reached", done.stderr)
        self.assertNotIn("Both ends", done.stderr)

    def test_a_file_as_command(self):
        self.refused("level.glb", says=["volnav query level.glb --from"])

    def test_nothing_free(self):
        path = self.map_file(blocked=[(4, 4, 4)])
        done = self.run_tool("query", path, "--from", "1,1,1", "--to", "6,6,6", "--radius", "30", expect=1)
        self.assertIn("Try a smaller --radius", done.stderr)

    def test_demo_without_routes(self):
        self.refused("demo", self.map_file(), says=["volnav query"])
        self.refused("demo", self.file("a.scene", "bounds 0 0 0 4 4 4\n"), says=["route NAME"])


class Words(CliTest):
    """What people read: rounded numbers, plurals, where files went, the status before the sentences."""

    def test_printed_points_are_the_points(self):
        """Read back, each printed coordinate is the same point of the lattice; and none is longer than needed."""
        for resolution, decimals in ((1, 4), (0.5, 4), (0.1, 5), (3, 3), (20, 2)):
            size, r = 40 * resolution, resolution
            scene = self.file("a.scene", "resolution %r\nbounds 0 0 0 %r %r %r\nsphere %r %r %r %r\n" % (
                r, size, size, size, size / 2, size / 2, size / 2, size / 3))
            ends = ("--from", "%r,%r,%r" % (0.37 * r, size / 2, size / 2), "--to", "%r,%r,%r" % (size - r / 3, size / 2, size / 2))
            exact = self.run_json("query", scene, *ends)["points"]
            lines = self.run_tool("query", scene, *ends).stdout.splitlines()
            printed = [line.strip().split(",") for line in lines if line.startswith("  ")]
            self.assertGreater(len(exact), 2)
            self.assertEqual(len(printed), len(exact))
            for texts, point in zip(printed, exact):
                for text, value in zip(texts, point):
                    self.assertEqual(round(float(text) / r * 1024), round(value / r * 1024))
                    self.assertLessEqual(len(text.partition(".")[2]), decimals)
                    self.assertNotRegex(text, r"e|\.\d*0$|^-0$")

    def test_clearance_is_not_rounded_up(self):
        scene = self.file("a.scene", "resolution 0.5\nbounds 0 0 0 10 10 10\nsphere 5 5 5 2\n")
        ends = ("--from", "0.6,5.1,5.1", "--to", "9.4,5.1,5.1", "--radius", "1")
        exact = self.run_json("query", scene, *ends)["clearance"]
        text = self.run_tool("query", scene, *ends).stdout.split("never closer than ")[1].split(" m")[0]
        self.assertTrue(exact - 0.0002 < float(text) <= exact, (text, exact))

    def test_plurals(self):
        path = self.map_file()
        done = self.run_tool("query", path, "--from", "1.5,1.5,1.5", "--to", "1.5,1.5,1.5").stdout
        self.assertRegex(done, r"(?m), 1 point$")
        done = self.run_tool("query", path, "--from", "1.5,1.5,1.5", "--to", "6.5,6.5,6.5").stdout
        self.assertRegex(done, r"(?m), 2 points$")
        self.assertRegex(done, r"(, 1 cell|, \d+ cells) expanded in")
        self.assertIn("1 component\n", self.run_tool("bake", path).stdout)
        self.assertIn("2 components\n", self.run_tool("bake", self.wall_map()).stdout)

    def test_files_are_named(self):
        path = self.map_file()
        ends = ("--from", "1.5,1.5,1.5", "--to", "6.5,6.5,6.5")
        done = self.run_tool("query", path, *ends, "--picture", "p.svg", "--record", "r.vnrec").stdout
        self.assertIn("The picture is in p.svg\n", done)
        self.assertIn("The record is in r.vnrec;", done)
        self.assertIn("The picture is in p.svg\n", self.run_tool("bake", path, "--picture", "p.svg").stdout)
        self.run_json("bake", path, "--picture", "p.svg")

    def test_the_status_comes_first(self):
        """Also where both streams go into one pipe."""
        done = subprocess.run([TOOL, "query", self.wall_map(), "--from", "1.5,1.5,1.5", "--to", "4.5,6.5,6.5"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], "no path: goal-blocked")
        self.assertTrue(lines[-1].endswith("to go there."), lines)
        self.assertEqual(self.run_tool("query", self.wall_map(), "--from", "1.5,1.5,1.5", "--to", "6.5,6.5,6.5",
                                       expect=1).stdout.splitlines()[0], "no path")


class Progress(CliTest):
    def test_never_on_a_pipe(self):
        path = self.map_file(blocked=[(1, 1, 1)])
        done = self.run_tool("bake", path, "--resolution", "0.05", env={"TERM": "xterm"})
        self.assertEqual(done.stderr, "")

    def test_erased_on_a_terminal(self):
        path = self.map_file(dims=(64, 64, 64), blocked=[(x, x, 9) for x in range(64)])
        try:
            leader, follower = pty.openpty()
        except OSError:
            self.skipTest("there are no terminals here")
        env = dict(os.environ, TERM="xterm")
        done = subprocess.Popen([TOOL, "bake", path, "--resolution", "0.0625"], stdout=subprocess.DEVNULL,
                                stderr=follower, env=env)
        os.close(follower)
        seen = b""
        try:
            while True:
                chunk = os.read(leader, 4096)
                if not chunk:
                    break
                seen += chunk
        except OSError:
            pass  # the other end has closed
        os.close(leader)
        self.assertEqual(done.wait(timeout=300), 0)
        if seen:
            self.assertTrue(seen.endswith(b"\r\x1b[K"), seen[-80:])


class WithoutArguments(CliTest):
    def test_demo_away_from_the_source_tree(self):
        self.refused("demo", says=["samples/scenes/station.scene", "volnav demo F.scene", "volnav demo --moving"])

    def test_experiment_says_how_to_run_one(self):
        text = self.run_tool("experiment").stdout
        self.assertIn("volnav experiment NAME --quick", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)

    def test_large_volumes_have_no_exponent(self):
        self.assertIn("blocked  1 voxel, 1000000 cubic metres",
                      self.run_tool("bake", self.file("a.scene", "resolution 100\nbounds 0 0 0 500 500 500\nbox 10 10 10 20 20 20\n")).stdout)


if __name__ == "__main__":
    unittest.main()
