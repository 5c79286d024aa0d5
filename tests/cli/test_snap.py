"""Ends that --snap moves: said in text, in JSON and in pictures, with the distance and whether the leg is free."""
import unittest
import xml.etree.ElementTree as tree

from tool import ROOT, CliTest

SVG = "{http://www.w3.org/2000/svg}"

# A wall from floor to ceiling at x = 10 to 12, with a door.
WALL = "resolution 0.5\nbounds 0 0 0  24 6 24\nbox 10 0 0  12 6 10\nbox 10 0 14  12 6 24\n"
NEAR = ("--radius", "0.4", "--from", "9.8,3,5", "--to", "20,3,20")   # beside the wall
INSIDE = ("--radius", "0.4", "--from", "10.6,3,5", "--to", "20,3,20")  # in it
OUTSIDE = ("--from", "5,3,5", "--to", "20,3,26")                      # 2 m beyond the space


class Snap(CliTest):
    def setUp(self):
        super().setUp()
        self.scene = self.file("wall.scene", WALL)

    def only(self, out, which):
        self.assertEqual([leg["which"] for leg in out["snapped"]], [which])
        return out["snapped"][0]

    def test_nothing_is_said_of_free_ends(self):
        ends = ("--from", "5,3,5", "--to", "20,3,20", "--snap", "2")
        self.assertNotIn("snapped", self.run_json("query", self.scene, *ends))
        self.assertNotIn("snapped", self.run_tool("query", self.scene, *ends).stdout)

    def test_beside_an_obstacle(self):
        out = self.run_json("query", self.scene, *NEAR, "--snap", "2")
        leg = self.only(out, "start")
        self.assertEqual((leg["asked"], leg["used"], leg["leg"]), ([9.8, 3, 5], [9.5, 3, 5], "free"))
        self.assertAlmostEqual(leg["distance"], 0.3)
        self.assertAlmostEqual(leg["clearance"], 0.2, delta=0.001)
        self.assertEqual(out["points"][0], leg["used"])
        text = self.run_tool("query", self.scene, *NEAR, "--snap", "2").stdout
        self.assertIn("start: snapped by 0.3 m to 9.5,3,5; the leg to it is free\n", text)

    def test_out_of_an_obstacle(self):
        leg = self.only(self.run_json("query", self.scene, *INSIDE, "--snap", "2"), "start")
        self.assertEqual((leg["leg"], leg["clearance"]), ("blocked", None))
        self.assertIn("start: snapped by 1.1 m to 9.5,3,5; the leg to it meets an obstacle\n",
                      self.run_tool("query", self.scene, *INSIDE, "--snap", "2").stdout)

    def test_from_outside_the_space(self):
        leg = self.only(self.run_json("query", self.scene, *OUTSIDE, "--snap", "3"), "goal")
        self.assertEqual((leg["asked"], leg["used"], leg["distance"], leg["leg"]),
                         ([20, 3, 26], [20, 3, 24], 2, "unchecked"))
        self.assertIn("goal: snapped by 2 m to 20,3,24; the leg from it is not checked\n",
                      self.run_tool("query", self.scene, *OUTSIDE, "--snap", "3").stdout)

    def test_by_the_layers_of_a_file(self):
        self.run_tool("bake", self.scene, "--radius", "0,0.4", "-o", "wall.vnav")
        leg = self.only(self.run_json("query", "wall.vnav", *NEAR, "--snap", "2"), "start")
        self.assertEqual((leg["leg"], leg["clearance"]), ("free", 0))
        leg = self.only(self.run_json("query", "wall.vnav", *INSIDE, "--snap", "2"), "start")
        self.assertEqual(leg["leg"], "unchecked")

    def test_without_a_path(self):
        closed = self.file("closed.scene", WALL + "box 10 0 10  12 6 14\n")
        done = self.run_tool("query", closed, *NEAR, "--snap", "2", expect=1)
        self.assertIn("no path\nstart: snapped by 0.3 m", done.stdout)

    def test_on_trees_and_with_targets(self):
        leg = self.only(self.run_json("query", self.scene, *INSIDE, "--snap", "2", "--space", "octree"), "start")
        self.assertEqual(leg["used"], [9.5, 3, 5])
        many = ("query", self.scene, *NEAR[:4], "--targets", "20,3,20,20,3,26", "--snap", "3")
        first, second = self.run_json(*many)["targets"]
        self.assertEqual([leg["which"] for leg in first["snapped"]], ["start"])
        self.assertEqual([(leg["which"], leg["leg"]) for leg in second["snapped"]], [("start", "free"), ("goal", "unchecked")])
        self.assertIn("\n  goal: snapped by 2 m to 20,3,24", self.run_tool(*many).stdout)

    def legs(self, *args):
        """How many legs the picture has, and its texts."""
        self.run_tool("query", self.scene, *args, "--picture", "p.svg")
        root = tree.parse(self.dir / "p.svg").getroot()
        texts = ["".join(node.itertext()) for node in root.iter(SVG + "text")]
        return len([node for node in root.iter(SVG + "path") if node.get("class") == "leg"]), texts

    def test_pictures(self):
        for more in ((), ("--slice", "y")):
            count, texts = self.legs(*NEAR, "--snap", "2", *more)
            self.assertEqual(count, 1)
            self.assertIn("snapped: the start by 0.3 m", texts)
            count, texts = self.legs("--from", "9.8,3,5", "--to", "20,3,26", "--radius", "0.4", "--snap", "3", *more)
            self.assertEqual(count, 2)
            self.assertIn("snapped: the start by 0.3 m, the goal by 2 m", texts)
            count, texts = self.legs("--from", "5,3,5", "--to", "20,3,20", "--snap", "2", *more)
            self.assertEqual((count, [t for t in texts if "snapped" in t]), (0, []))


class NarrowFile(CliTest):
    """A .vnav whose layer is for a larger agent than the one asked for."""

    def narrow(self, radius, *more):
        """Through a gap 1.2 m wide."""
        self.file("gap.scene", "resolution 0.1\nbounds 0 0 0  6 2 6\nbox 2.5 0 0  3.5 2 2.4\nbox 2.5 0 3.6  3.5 2 6\n")
        self.run_tool("bake", "gap.scene", "--radius", "0,1", "-o", "gap.vnav")
        return self.run_tool("query", "gap.vnav", "--radius", radius, "--from", "1.25,1,3", "--to", "4.75,1,3", *more, expect=1)

    def test_the_radius_asked_for_is_named(self):
        text = self.narrow("0.8").stderr
        self.assertIn("too narrow for an agent of radius 0.8.", text)
        self.assertIn("Make the agent smaller", text)
        self.assertIn("too narrow for an agent of radius 1.", self.narrow("1").stderr)

    def test_an_agent_that_would_fit_needs_its_layer(self):
        text = self.narrow("0.3").stderr
        self.assertIn("too narrow for the layer of radius 1, which answers for radius 0.3.", text)
        self.assertIn("add 0.3 to --radius of volnav bake", text)

    def test_an_agent_that_fits_between_the_shapes_needs_its_layer(self):
        """The voxels let less pass than the shapes: a bake at the radius finds a path."""
        house = ("house.obj", "--resolution", "0.2", "--margin", "2", "--radius")
        ends = ("--from", "2,1.2,7", "--to", "2,4.2,7")
        (self.dir / "house.obj").symlink_to(ROOT / "samples/scenes/house.obj")
        self.run_tool("query", *house, "0.4", *ends)
        self.run_tool("bake", *house, "0,0.3,0.5", "-o", "house.vnav")
        text = self.run_tool("query", "house.vnav", "--radius", "0.4", *ends, expect=1).stderr
        self.assertIn("too narrow for the layer of radius 0.5, which answers for radius 0.4.", text)
        self.assertIn("lets a radius of at least 0.3 pass", text)
        self.assertIn("add 0.4 to --radius of volnav bake", text)

    def test_picture(self):
        self.narrow("0.8", "--picture", "p.svg")
        self.assertIn("too narrow for radius 0.8 m", (self.dir / "p.svg").read_text())
        self.narrow("0.3", "--picture", "p.svg")
        self.assertIn("too narrow for the layer of 1 m; there is none for 0.3 m", (self.dir / "p.svg").read_text())


if __name__ == "__main__":
    unittest.main()
