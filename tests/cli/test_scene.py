"""Scenes, the demo, and pictures."""
import os
import unittest
import xml.etree.ElementTree as ElementTree

from tool import STATION, CliTest, box_obj

SVG = "{http://www.w3.org/2000/svg}"


class Scenes(CliTest):
    def bake(self, text, *args):
        return self.run_json("bake", self.file("a.scene", text), *args)

    def test_every_shape(self):
        head = "resolution 1\nbounds 0 0 0 8 8 8  # all of it\n"
        self.assertEqual(self.bake(head + "box 1 1 1 3 3 3\n")["blocked_voxels"], 8)
        self.assertEqual(self.bake(head + "oriented 4 4 4 1 1 1 0 1 0 90\n")["blocked_voxels"], 8)
        self.assertEqual(self.bake(head + "oriented 4 4 4 2 1 1 0 0 5 90\n")["blocked_voxels"], 16)
        self.assertEqual(self.bake(head + "sphere 4 4 4 0.5\n")["blocked_voxels"], 8)
        self.assertEqual(self.bake(head + "capsule 4 4 2 4 4 6 0.5\n")["blocked_voxels"], 24)
        self.assertEqual(self.bake(head + "cylinder 4 4 2 4 4 6 0.5\n")["blocked_voxels"], 16)
        hull = "hull 1 1 1 3 1 1 1 3 1 3 3 1 1 1 3 3 1 3 1 3 3 3 3 3\n"
        self.assertEqual(self.bake(head + hull)["blocked_voxels"], 8)

    def test_mesh_beside_the_scene(self):
        self.file("sub/box.obj", box_obj((0.5, 0.5, 0.5), (3.5, 3.5, 3.5)))
        scene = self.file("sub/a.scene", "bounds 0 0 0 9 9 9\nmesh box.obj solid\n")
        self.assertEqual(self.run_json("bake", scene)["blocked_voxels"], 64)
        scene = self.file("sub/b.scene", "bounds 0 0 0 9 9 9\nrepeat 2 4 0 0\nmesh box.obj solid\nend\n")
        self.assertEqual(self.run_json("bake", scene)["blocked_voxels"], 128)

    def test_repeat(self):
        text = "bounds 0 0 0 16 16 16\nrepeat 3 2 0 0\n repeat 2 0 4 0\n  box 0 0 0 1 1 1\n end\nend\n"
        self.assertEqual(self.bake(text)["blocked_voxels"], 6)
        self.assertEqual(self.bake("bounds 0 0 0 4 4 4\nrepeat 0 1 1 1\nbox 0 0 0 1 1 1\nend\n")["blocked_voxels"], 0)

    def test_options_win(self):
        text = "resolution 1\nbounds 0 0 0 8 8 8\nbox 1 1 1 3 3 3\n"
        answer = self.bake(text, "--resolution", "0.5", "--bounds", "0,0,0,4,4,4")
        self.assertEqual((answer["resolution"], answer["dims"]), (0.5, [8, 8, 8]))

    def test_errors_name_file_and_line(self):
        for text, line, word in (
                ("resolution 0\n", 1, "resolution"), ("resolution x\n", 1, "'x'"), ("\n\nbox 1 2 3\n", 3, "box"),
                ("box 3 3 3 1 1 1\n", 1, "low corner"), ("bounds 0 0 0 0 1 1\n", 1, "low corner"),
                ("sphere 1 1 1 -1\n", 1, "negative"), ("sphere 1 1 nan 1\n", 1, "nan"),
                ("capsule 1 1 1 2 2 2 -1\n", 1, "negative"), ("cylinder 1 1 1 1 1 1 2\n", 1, "axis"),
                ("cylinder 1 1 1 2\n", 1, "radius"),
                ("oriented 1 1 1 1 1 1 0 0 0 45\n", 1, "axis"), ("hull 0 0 0 1 0 0 0 1 0\n", 1, "four"),
                ("hull 0 0 0 1 0 0 0 1 0 1 1 0\n", 1, "plane"), ("blox 1\n", 1, "box"),
                ("repeat 2 1 1 1\nbox 0 0 0 1 1 1\n", 1, "end"), ("end\n", 1, "repeat"),
                ("repeat 2 1 1 1\nresolution 1\nend\n", 2, "repeat"), ("repeat -1 1 1 1\nend\n", 1, "repeat"),
                ("route a 1 2 3\n", 1, "route"), ("mesh\n", 1, "mesh"), ("mesh nowhere.obj\n", 1, "mesh"),
                ("box 0 0 0 9e9 1 1\n", 1, "a.scene")):
            self.refused("bake", self.file("a.scene", text), says=["a.scene:%d:" % line, word])

    def test_errors_give_the_terminal_no_orders(self):
        self.refused("bake", self.file("a.scene", "\033[31mfoo\a 1\n"), says=["unknown word '?[31mfoo?'"])

    def test_too_many_obstacles(self):
        text = "repeat 1000 1 0 0\nrepeat 1001 0 1 0\nbox 0 0 0 1 1 1\nend\nend\n"
        self.refused("bake", self.file("a.scene", text), says=["a.scene:3:", "million"])

    def test_repeats_without_end(self):
        text = "bounds 0 0 0 4 4 4\n" + 4 * "repeat 1000000 0 0 0\n" + 4 * "end\n"
        self.refused("bake", self.file("a.scene", text), says=["a.scene:5:", "ten million"])

    def test_nothing_at_all(self):
        self.refused("bake", self.file("a.scene", "# empty\n"), says=["a.scene", "--bounds"])
        self.refused("bake", self.file("a.scene", b"\0\1\2"), says=["a.scene"])
        self.refused("bake", "nowhere.scene", says=["nowhere.scene", "No such file"])


class Demo(CliTest):
    def test_table_and_picture(self):
        done = self.run_tool("demo", STATION, "--picture", "demo.svg")
        for route in ("fly-by", "docking", "cross-station", "ring-run", "wing-slalom", "cargo-maze"):
            self.assertIn(route, done.stdout)
        self.assertEqual(done.stdout.count(" free"), 18)
        picture = ElementTree.parse(self.dir / "demo.svg").getroot()
        text = " ".join(node.text or "" for node in picture.iter(SVG + "text"))
        self.assertIn("cargo-maze", text)
        self.assertLess((self.dir / "demo.svg").stat().st_size, 2e6)

    def test_json(self):
        scene = self.file("a.scene", "bounds 0 0 0 8 8 8\nbox 2 0 0 3 7 8\nroute over 0.5 0.5 0.5 6.5 0.5 0.5\n")
        results = self.run_json("demo", scene)["results"]
        self.assertEqual([(r["route"], r["algo"], r["checked"]) for r in results],
                         [("over", a, True) for a in ("cells", "astar", "greedy")])
        cells, astar, greedy = (r["length"] for r in results)
        self.assertLess(cells, astar)  # any angle against steps from voxel to voxel
        self.assertLessEqual(astar, greedy)

    def test_no_routes_and_no_way(self):
        self.refused("demo", self.file("a.scene", "bounds 0 0 0 8 8 8\n"), says=["a.scene", "route"])
        wall = "bounds 0 0 0 8 8 8\nbox 2 0 0 3 8 8\nroute into 0.5 0.5 0.5 6.5 0.5 0.5\n"
        self.assertIn("into", self.run_tool("demo", self.file("a.scene", wall), expect=1).stderr)


class Pictures(CliTest):
    ENDS = ("--from", "0.5,0.5,0.5", "--to", "7.5,7.5,7.5")

    def picture(self, name="p.svg"):
        return ElementTree.parse(self.dir / name).getroot()

    def test_shows_path_and_ends(self):
        self.run_tool("query", self.wall_map(hole=(3, 3)), *self.ENDS, "--picture", "p.svg")
        root = self.picture()
        self.assertEqual(root.tag, SVG + "svg")
        self.assertEqual(len(root.findall(SVG + "polyline")), 3)
        self.assertTrue(root.findall(SVG + "circle"))

    def test_without_a_path(self):
        self.run_tool("query", self.wall_map(), *self.ENDS, "--picture", "p.svg", expect=1)
        self.assertIn("no path: no free path joins the ends", [node.text for node in self.picture().iter(SVG + "text")])

    def test_partial_outside_empty_and_same_ends(self):
        wall = self.wall_map()
        self.run_tool("query", wall, *self.ENDS, "--partial", "--picture", "a.svg", expect=1)
        self.run_tool("query", wall, "--from", "-5,0,0", "--to", "1,1,1", "--picture", "b.svg", expect=1)
        empty = self.file("empty.scene", "bounds 0 0 0 5 1 9\n")
        self.run_tool("query", empty, "--from", "1,0.5,1", "--to", "1,0.5,1", "--picture", "c.svg")
        full = self.file("full.scene", "bounds 0 0 0 3 3 3\nbox 0 0 0 3 3 3\n")
        self.run_tool("query", full, "--from", "1,1,1", "--to", "2,2,2", "--picture", "d.svg", expect=1)
        for name in "abcd":
            self.picture(name + ".svg")

    def test_odd_file_names_are_escaped(self):
        path = self.map_file("a<b&\"c\".3dmap")
        self.run_tool("query", path, *self.ENDS, "--picture", "p.svg")
        self.assertEqual(self.picture().find(SVG + "title").text, "a<b&\"c\".3dmap")

    def test_large_worlds_stay_small(self):
        blocked = [(x * 7 % 600, x * 31 % 500, x * 113 % 600) for x in range(30000)]
        path = self.map_file("dust.3dmap", (600, 500, 600), set(blocked))
        self.run_tool("query", path, "--from", "0.5,0.5,1.5", "--to", "599.5,499.5,598.5", "--algo", "greedy",
                      "--snap", "3", "--picture", "p.svg")
        self.assertLess((self.dir / "p.svg").stat().st_size, 2e6)
        self.picture()

    def test_unwritable(self):
        path = self.map_file()
        self.refused("query", path, *self.ENDS, "--picture", "missing/p.svg", says=["missing/p.svg", "folder"])
        self.refused("query", path, *self.ENDS, "--picture", "p.png", says=["p.png", ".svg"])
        self.refused("demo", STATION, "--picture", "p.png", says=["p.png", ".svg"])
        if os.path.exists("/dev/full"):
            self.refused("query", path, *self.ENDS, "--picture", "/dev/full", says=["/dev/full", "space"])
        (self.dir / "taken.svg").mkdir()
        self.refused("query", path, *self.ENDS, "--picture", "taken.svg", says=["taken.svg"])
        self.assertEqual(sorted(os.listdir(self.dir)), ["map.3dmap", "taken.svg"])

    def test_an_old_picture_survives_a_failure(self):
        old = self.file("old.svg", "old")
        self.run_tool("query", self.wall_map(), "--from", "x", "--to", "1,1,1", "--picture", old, expect=2)
        self.assertEqual((self.dir / "old.svg").read_text(), "old")


if __name__ == "__main__":
    unittest.main()
