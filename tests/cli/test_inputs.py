"""Every kind of input: levels of brushes, trees turned upright, info before a bake, and the way out of a first query."""
import os
import pathlib
import unittest

import hostile
from tool import ROOT, CliTest, box_obj

HALLS = ROOT / "samples" / "scenes" / "halls.map"
METRES = ("--scale", "0.03125")


class Brushes(CliTest):
    def query(self, *options, expect=0):
        return self.run_json("query", HALLS, *METRES, "--resolution", "0.25", "--from", "1.5,1.25,-4", "--to", "15,4,-4", *options,
                             expect=expect)

    def test_doors_open_by_flag(self):
        self.assertEqual(self.query(expect=1)["status"], "no-path")
        answer = self.query("--open", "1", "--radius", "0.3")
        self.assertEqual(answer["status"], "path")
        self.assertTrue(answer["checked"])

    def test_the_ramp_is_a_slope(self):
        """Under the slope is blocked, above it is free: x 448 to 576, z up to 64 units."""
        for height, status in ((0.75, "goal-blocked"), (1.5, "path")):
            answer = self.run_json("query", HALLS, *METRES, "--resolution", "0.125", "--from", "12,3,-4", "--to", f"16,{height},-4",
                                   expect=0 if status == "path" else 1)
            self.assertEqual(answer["status"], status)

    def test_up(self):
        """z is up unless --up says otherwise."""
        self.assertEqual(self.run_json("info", HALLS)["bounds"], [[-16, -16, -272], [656, 176, 16]])
        self.assertEqual(self.run_json("info", HALLS, "--up", "y")["bounds"], [[-16, -16, -16], [656, 272, 176]])
        self.assertEqual(self.run_json("info", HALLS, "--up", "x")["bounds"], [[-272, -16, -16], [16, 656, 176]])

    def test_counts(self):
        info = self.run_json("info", HALLS)
        self.assertEqual((info["kind"], info["brushes"], info["doors"], info["skipped_brushes"]), ("brushes", 12, 1, 4))

    def test_in_a_scene(self):
        self.file("halls.map", HALLS.read_text())
        scene = self.file("s.scene", "bounds -20 -20 -300 700 200 50\nmesh halls.map\n")
        self.assertEqual(self.run_json("info", scene)["brushes"], 12)

    def test_broken_brushes_are_warned_of(self):
        flat = "{\n" + hostile.face(((0, 0, 0), (0, 1, 0), (0, 2, 0))) + "}\n"
        path = self.file("flat.map", "{\n" + hostile.brush() + flat + "}\n")
        self.assertIn("flat.map:10: no solid", self.run_tool("bake", path).stderr)


class Trees(CliTest):
    def tree(self):
        """Voxels of 0.5 m at the origin: (0, 0, 0) is occupied, (1, 0, 0) and (0, 1, 0) are free."""
        nodes = [(1, 128)] + [(1, 1)] * 14 + [(1, 7), (1, 0), (-1, 0), (-1, 0)]
        return self.file("a.ot", hostile.ot(19, nodes))

    def test_up_turns_the_voxels(self):
        path = self.tree()
        for up, bounds in (("y", [[0, 0, 0], [1, 1, 0.5]]), ("z", [[0, 0, -1], [1, 0.5, 0]]), ("x", [[-1, 0, 0], [0, 1, 0.5]])):
            self.assertEqual(self.run_json("info", path, "--up", up)["bounds"], bounds)
        where = {"y": ("0.75,0.25,0.25", "0.25,0.25,0.25"), "z": ("0.75,0.25,-0.25", "0.25,0.25,-0.25"),
                 "x": ("-0.25,0.75,0.25", "-0.25,0.25,0.25")}
        for up, (free, blocked) in where.items():
            self.assertEqual(self.run_json("query", path, "--up", up, "--from", free, "--to", free)["status"], "path")
            answer = self.run_json("query", path, "--up", up, "--from", free, "--to", blocked, expect=1)
            self.assertEqual(answer["status"], "goal-blocked")

    def test_scale(self):
        self.assertEqual(self.run_json("info", self.tree(), "--scale", "2")["suggested_resolution"], 1)

    def test_altitude_is_upright(self):
        """--altitude cuts y: with --up z that is the tree's z."""
        path = self.tree()
        ends = ("--from", "0.75,0.25,-0.25", "--to", "0.75,0.25,-0.25", "--up", "z")
        self.assertEqual(self.run_json("query", path, *ends, "--altitude", "0,0.5")["status"], "path")
        self.assertEqual(self.run_json("query", path, *ends, "--altitude", "0.4,0.5", expect=1)["status"], "outside")


class Info(CliTest):
    def test_every_kind(self):
        self.file("a.obj", box_obj((0, 0, 0), (10, 2, 5)))
        self.map_file("a.3dmap", (8, 9, 10), [(1, 1, 1), (2, 2, 2)])
        self.file("a.bt", hostile.bt("id OcTree\nsize 24\nres 0.5\n", b"\3\0" * 15 + b"\xaa\xaa"))
        self.file("a.scene", "resolution 0.5\nbounds 0 0 0 8 8 8\nbox 1 1 1 2 2 2\nroute r 0 0 0 7 7 7\n")
        for name, kind, resolution in (("a.obj", "mesh", 0.05), ("a.3dmap", "map", 1), ("a.bt", "octomap", 0.5), ("a.scene", "scene", 0.5)):
            info = self.run_json("info", name)
            self.assertEqual((info["kind"], info["suggested_resolution"]), (kind, resolution))
            self.assertIn("try      --resolution", self.run_tool("info", name).stdout)
        self.assertEqual(self.run_json("info", "a.obj")["bounds"], [[0, 0, 0], [10, 2, 5]])
        self.assertEqual(self.run_json("info", "a.obj")["triangles"], 12)
        self.assertEqual(self.run_json("info", "a.3dmap")["occupied_voxels"], 2)
        self.assertEqual(self.run_json("info", "a.scene")["routes"], 1)

    def test_refusals(self):
        self.refused("info", "none.obj", says=["none.obj", "No such file"])
        self.refused("info", self.file("a.obj", box_obj()), "--check", says=["volnav bake"])
        self.refused("info", says=["info needs a file"])


class FirstQuery(CliTest):
    def explained(self, *args):
        return self.run_tool("query", *args, expect=1).stderr

    def test_outside_the_box_of_a_mesh(self):
        cube = self.file("cube.obj", box_obj((0, 0, 0), (10, 10, 10)))
        ends = ("--from", "-5,5,5", "--to", "-5,5,8")
        self.assertIn("Add --margin 6 ", self.explained(cube, *ends))
        self.run_tool("query", cube, *ends, "--margin", "6")
        self.assertIn("widen them", self.explained(cube, *ends, "--bounds", "0,0,0,10,10,10"))
        self.assertNotIn("--snap", self.explained(cube, *ends))  # the nearest free point is inside the cube

    def test_outside_an_open_world_more_space_comes_before_snapping(self):
        scene = self.file("a.scene", "bounds 0 0 0 8 8 8\nbox 1 1 1 2 2 2\n")
        text = self.explained(scene, "--from", "-3,4,4", "--to", "4,4,4")
        self.assertLess(text.index("The space ends"), text.index("--snap 3.001"))

    def test_far_outside(self):
        cube = self.file("cube.obj", box_obj((0, 0, 0), (10, 10, 10)))
        text = self.explained(cube, "--from", "500,400,900", "--to", "1,1,1")
        self.assertIn("89 times as far away", text)
        self.assertIn("--scale", text)
        self.assertNotIn("--margin", text)
        self.assertNotIn("--snap", text)

    def test_inside_a_closed_mesh(self):
        cube = self.file("cube.obj", box_obj((0, 0, 0), (10, 10, 10)))
        text = self.explained(cube, "--margin", "10", "--from", "5,5,5", "--to", "15,5,5")
        self.assertIn("The start lies in an enclosed region of 512 m", text)
        self.assertNotIn("The goal lies", text)

    def test_few_voxels(self):
        two = self.file("two.obj", box_obj((0, 0, 0), (2, 2, 2)))
        ends = ("--from", "0.5,0.5,0.5", "--to", "1.5,1.5,1.5")
        self.assertIn("2 x 2 x 2 voxels of 1 m: try --resolution 0.01.", self.explained(two, *ends))
        self.run_tool("query", two, *ends, "--resolution", "0.1")

    def test_too_fine(self):
        """What is proposed fits, and what is a tenth finer does not."""
        long = self.file("long.scene", "bounds 0 0 0 100000 1 1\nbox 0 0 0 1 1 1\n")
        says = self.refused("bake", long, "--resolution", "0.001", says=["The finest that fits is --resolution"]).stderr
        finest = float(says.split("--resolution ")[-1])
        self.run_tool("bake", long, "--resolution", finest)
        self.refused("bake", long, "--resolution", finest * 0.9)


class SavedSpaces(CliTest):
    ENDS = ("--from", "4,4,4", "--to", "7,7,7")

    def setUp(self):
        super().setUp()
        self.scene = self.file("a.scene", "resolution 1\nbounds 0 0 0 8 8 8\nbox 1 1 1 2 2 2\n")
        self.run_tool("bake", self.scene, "--radius", "0,0.5", "-o", "a.vnav")

    def test_options_of_the_bake_are_refused(self):
        for option in (("--resolution", "0.5"), ("--bounds", "0,0,0,4,4,4"), ("--margin", "1"), ("--seed", "4,4,4"),
                       ("--unknown", "free"), ("--scale", "2"), ("--up", "z"), ("--solid",), ("--hull",)):
            self.refused("query", "a.vnav", *self.ENDS, *option, says=[option[0], "volnav bake"])
        self.run_tool("query", "a.vnav", *self.ENDS, "--source", self.scene, "--up", "y")

    def test_the_layer_is_named(self):
        self.assertIn("layer: radius 0 m, ", self.run_tool("query", "a.vnav", *self.ENDS).stdout)
        self.assertIn("layer: radius 0.5 m, ", self.run_tool("query", "a.vnav", *self.ENDS, "--radius", "0.3").stdout)
        self.assertNotIn("layer:", self.run_tool("query", self.scene, *self.ENDS).stdout)

    def test_info_rounds_as_bake_does(self):
        done = self.run_tool("bake", self.scene, "--resolution", "0.2", "--bounds", "-2,-2,-2,14,7.8,11", "-o", "b.vnav")
        self.assertIn("  bounds   -2,-2,-2 to 14,7.8,11\n", done.stdout)
        self.assertIn("  bounds   -2,-2,-2 to 14,7.8,11\n", self.run_tool("info", "b.vnav").stdout)

    def test_a_missing_layer_names_the_bake(self):
        self.refused("query", "a.vnav", *self.ENDS, "--radius", "2", says=["the widest is for 0.5", "volnav bake IN --radius 2 -o a.vnav"])

    def test_no_path_names_options_that_a_file_takes(self):
        self.run_tool("bake", self.wall_map(), "-o", "wall.vnav")
        text = self.run_tool("query", "wall.vnav", "--from", "1,1,1", "--to", "7,7,7", expect=1).stderr
        self.assertIn("A finer --resolution when it is baked may open one", text)

    def test_a_budget_of_nodes_names_a_larger_one(self):
        done = self.run_tool("query", self.scene, *self.ENDS, "--algo", "astar", "--max-nodes", "3", expect=1)
        nodes = done.stderr.split("--max-nodes to ")[1].split()[0]
        self.assertGreater(int(nodes), 3)


@unittest.skipUnless(os.environ.get("VN_DATA"), "real data: make test-long")
class RealData(CliTest):
    def test_a_real_level(self):
        level = pathlib.Path(os.environ["VN_DATA"]) / "real" / "lq_e1m1.map"
        info = self.run_json("info", level, *METRES)
        self.assertEqual(info["warnings"], [])
        self.assertEqual((info["brushes"], info["doors"], info["skipped_brushes"]), (3735, 178, 191))
        answer = self.run_json("query", level, *METRES, "--resolution", "0.25", "--open", "1", "--from", "30.25,2.75,-45.5",
                               "--to", "-6,15,-29.5", "--snap", "2")
        self.assertTrue(answer["checked"])


if __name__ == "__main__":
    unittest.main()
