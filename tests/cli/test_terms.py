"""The terms of an agent: radii and reasons, doors, limits, goals, clearance, links, zones, unseen space."""
import struct
import unittest

from tool import CliTest

# Two halls of 10 m, a wall of 1 m between them with a gap of 2 m, and a door in the gap.
HALLS = """
resolution 0.25
bounds 0 0 0  21 8 8
box 10 0 0  11 8 3
box 10 0 5  11 8 8
box 10 0 3  11 3 5
box 10 5 3  11 8 5
"""
DOOR = "flags 2\nbox 10.25 3 3  10.75 5 5\n"
THROUGH = ("--from", "2,4,4", "--to", "19,4,4")


def octomap(children):
    """A .bt of resolution 1 whose root has these eight kinds: 0 unknown, 1 free, 2 occupied; cubes of 2^15 voxels."""
    bits = {0: 0b00, 1: 0b01, 2: 0b10}
    stream = sum(bits[kind] << (2 * i) for i, kind in enumerate(children))
    nodes = 1 + sum(kind != 0 for kind in children)
    return b"# Octomap OcTree binary file\nid OcTree\nsize %d\nres 1\ndata\n" % nodes + struct.pack("<H", stream)


class Terms(CliTest):
    def scene(self, more=""):
        return self.file("halls.scene", HALLS + more)

    def ask(self, *options, more="", expect=0):
        return self.run_json("query", self.scene(more), *options, expect=expect)

    def explained(self, *options, more="", says=()):
        done = self.run_tool("query", self.scene(more), *options, expect=1)
        for word in says:
            self.assertIn(word, done.stderr)
        return done

    # reasons

    def test_too_narrow_names_radius_and_place(self):
        answer = self.ask(*THROUGH, "--radius", "1.5", expect=1)
        self.assertEqual(answer["status"], "too-narrow")
        self.assertEqual(answer["passage"]["layer_radius"], 0)
        self.assertTrue(0.5 <= answer["passage"]["radius"] <= 1)
        x, y, z = answer["passage"]["bottleneck"]
        self.assertTrue(9 <= x <= 12 and 3 <= y <= 5 and 3 <= z <= 5)
        done = self.explained(*THROUGH, "--radius", "1.5", says=["too narrow", "--radius"])
        self.assertEqual(done.stdout.splitlines()[0], "no path: too-narrow")
        self.ask(*THROUGH, "--radius", answer["passage"]["radius"])  # the way out that it names is one

    def test_no_way_at_all(self):
        wall = "box 10 3 3  11 5 5\n"
        self.assertEqual(self.ask(*THROUGH, "--radius", "0.5", more=wall, expect=1)["status"], "no-path")
        self.explained(*THROUGH, more=wall, says=["no free path joins them"])

    def test_blocked_outside_and_beyond_the_limits(self):
        self.explained("--from", "10.5,1,1", "--to", "2,4,4", says=["start", "inside an obstacle", "--snap"])
        self.explained("--from", "2,4,4", "--to", "10.5,1,1", says=["goal", "inside an obstacle", "--snap"])
        self.explained("--from", "2,4,4", "--to", "50,1,1", says=["goal", "outside the space", "--snap"])
        self.explained(*THROUGH, "--altitude", "0,3", says=["start", "limits"])
        self.explained(*THROUGH, "--budget", "1", says=["budget", "--partial"])

    # filters

    def test_doors_open_for_those_with_the_flag(self):
        self.assertEqual(self.ask(*THROUGH, more=DOOR, expect=1)["status"], "no-path")
        self.assertEqual(self.ask(*THROUGH, "--open", "1", more=DOOR, expect=1)["status"], "no-path")
        self.assertEqual(self.ask(*THROUGH, "--open", "3", more=DOOR)["status"], "path")
        self.run_tool("bake", self.scene(DOOR), "--open", "0,2", "--radius", "0,0.25", "-o", "doors.vnav")
        self.assertEqual(len(self.run_json("info", "doors.vnav")["layers"]), 4)
        self.assertEqual(self.run_json("query", "doors.vnav", *THROUGH, "--open", "2", "--radius", "0.2")["radius"], 0.25)
        self.run_json("query", "doors.vnav", *THROUGH, expect=1)

    def test_altitude_and_limits_hold(self):
        answer = self.ask("--from", "2,4,1", "--to", "19,4,7", "--altitude", "3.5,4.25")
        self.assertTrue(all(3.5 <= y <= 4.25 for _, y, _ in answer["points"]))
        answer = self.ask("--from", "2,4,4", "--to", "19,4,4", "--limits", "0,0,3.5,21,8,4.5")
        self.assertTrue(all(3.5 <= z <= 4.5 for _, _, z in answer["points"]))
        self.refused("query", self.scene(), *THROUGH, "--altitude", "5", says=["--altitude"])
        self.refused("query", self.scene(), *THROUGH, "--altitude", "50,60", says=["--altitude"])

    def test_clearance_keeps_off_the_walls_and_passes_the_gap(self):
        corner = ("--from", "9.5,4,1", "--to", "11.5,4,1")
        plain = self.ask(*corner)
        clear = self.ask(*corner, "--clearance", "1")
        self.assertLess(plain["length"], clear["length"])
        self.assertLess(plain["clearance"], 0.01)
        self.assertEqual(clear["status"], "path")
        self.assertGreater(clear["cost"], clear["length"])
        wide = self.ask("--from", "2,0.5,4", "--to", "8,0.5,4", "--clearance", "2")
        self.assertEqual(wide["length"], 6)  # the floor is the rim of the space, which is no wall

    def test_clearance_draws_both_ways(self):
        self.ask("--from", "9.5,4,1", "--to", "11.5,4,1", "--clearance", "1", "--picture", "a.svg")
        text = (self.dir / "a.svg").read_text()
        self.assertIn("with clearance", text)
        self.assertIn("as short as can be", text)

    def test_jitter_varies_by_seed(self):
        lengths = {self.ask(*THROUGH, "--jitter", "1", "--jitter-seed", s)["length"] for s in range(4)}
        self.assertTrue(all(length >= 17 for length in lengths))
        again = [self.ask(*THROUGH, "--jitter", "1", "--jitter-seed", 3)["points"] for _ in range(2)]
        self.assertEqual(*again)

    def test_zones_of_a_scene_count(self):
        dear = "zone 9 0 0  12 8 8  10\n"
        self.assertGreater(self.ask(*THROUGH, more=dear)["cost"], 17 + 9 * 3 - 1)

    # goals

    def test_goals_that_are_not_points(self):
        near = self.ask("--from", "2,4,4", "--to", "10.5,1,4", "--within", "3")
        x, y, z = near["points"][-1]
        self.assertTrue((x - 10.5) ** 2 + (y - 1) ** 2 + (z - 4) ** 2 <= 9.01)
        box = self.ask("--from", "2,4,4", "--to-box", "13,0,0,21,8,8")
        self.assertEqual(box["points"][-1][0], 13)
        seen = self.ask("--from", "2,4,1", "--to", "19,4,4", "--sight", "0")
        self.assertLess(seen["length"], 8)
        self.refused("query", self.scene(), *THROUGH, "--within", "1", "--sight", "1", says=["--within"])
        self.refused("query", self.scene(), *THROUGH, "--to-box", "0,0,0,1,1,1", says=["--to-box"])
        self.assertEqual(self.run_tool("query", self.scene(), *THROUGH, "--algo", "astar", "--within", "1", expect=2).stdout, "")

    # links

    def test_links_are_part_of_the_path(self):
        wall, link = "box 10 3 3  11 5 5\n", "link 3 4 4  18 4 4  2\n"
        answer = self.ask(*THROUGH, more=wall + link)
        self.assertEqual(answer["length"], 2)
        self.assertEqual(answer["cost"], 4)
        self.assertEqual([use["point"] for use in answer["links"]], [1])
        self.assertTrue(answer["checked"])
        self.assertEqual(self.ask("--from", "19,4,4", "--to", "2,4,4", more=wall + link, expect=1)["status"], "no-path")
        back = self.ask("--from", "19,4,4", "--to", "2,4,4", more=wall + link.replace(" 2\n", " 2 both\n"))
        self.assertTrue(back["links"][0]["reversed"])
        self.assertIn("then by a link", self.run_tool("query", self.scene(wall + link), *THROUGH).stdout)
        self.refused("bake", self.scene("link 1 2 3 4 5\n"), says=["halls.scene:8", "link"])

    # unseen space

    def test_unseen_space_by_policy(self):
        unseen = "unknown\nbox 15 0 0  21 8 8\n"
        self.assertEqual(self.ask(*THROUGH, more=unseen, expect=1)["status"], "goal-blocked")
        self.assertEqual(self.ask(*THROUGH, "--unknown", "free", more=unseen)["status"], "path")
        self.assertEqual(self.ask(*THROUGH, "--unknown", "refused", more=unseen, expect=1)["status"], "unknown-space")
        self.explained(*THROUGH, "--unknown", "refused", more=unseen, says=["unknown space", "--unknown free"])
        self.refused("bake", self.scene(), "--unknown", "maybe", says=["--unknown", "refused"])

    def test_octomap(self):
        bad = octomap([1] * 8)[:-1]
        self.refused("bake", self.file("cut.bt", bad), says=["cut.bt"])
        self.refused("bake", self.file("text.bt", "hello\n"), says=["text.bt"])


if __name__ == "__main__":
    unittest.main()
