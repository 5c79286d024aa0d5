"""Planners that repair, by name on the command line: one plan each, on every space that they run on."""
import unittest
import xml.etree.ElementTree as ElementTree

from tool import ROOT, CliTest

GALLERY = ROOT / "samples" / "scenes" / "gallery.scene"
ENDS = ("--from", "5,5,9", "--to", "95,6,58")
AREA = ("--moving-area", "30,2,40,36,8,50")
EXACT = ("lpa-star", "dstar-lite", "ad-star", "dstar", "mtdstar-basic", "mtdstar-basic-backward", "mtdstar", "mtdstar-backward",
         "adaptive-astar", "mpaa", "tree-adaptive")
ANY_ANGLE = ("aamtdstar", "aamtdstar-backward")
ROOM = """resolution 1
bounds 0 0 0  24 16 24
box 8 0 8  12 16 12
"""
ZONES = ROOM + "zone-sphere 16 8 10  5  3\nzone 2 2 14  6 14 22  0.5\n"
ACROSS = ("--from", "3.5,7.5,9.5", "--to", "20.5,8.5,10.5")


class Planners(CliTest):
    def same_cost(self, scene, *options, planners=EXACT):
        """A single plan costs what A* costs on the same space, and its path is checked."""
        least = self.run_json("query", scene, *options, "--algo", "astar")
        for name in planners:
            with self.subTest(planner=name, options=options):
                found = self.run_json("query", scene, *options, "--algo", name)
                self.assertEqual((found["status"], found["checked"], found["algo"], found["space"]), ("path", True, name, least["space"]))
                self.assertAlmostEqual(found["cost"], least["cost"], delta=1e-6 * least["cost"])
                self.assertAlmostEqual(found["bound"], 1, delta=1e-12)
                self.assertEqual((found["points"][0], found["points"][-1]), (least["points"][0], least["points"][-1]))
        return least

    def test_grid(self):
        self.same_cost(GALLERY, *ENDS)
        self.same_cost(GALLERY, *ENDS, "--space", "grid", "--neighbours", 6, planners=EXACT[:4])

    def test_trees(self):
        for options in (("octree",), ("merged",), ("octree", "--graph", "centres"), ("merged", "--graph", "centres")):
            self.same_cost(GALLERY, *ENDS, "--space", *options)

    def test_roadmaps(self):
        self.same_cost(GALLERY, *ENDS, "--space", "hybrid", *AREA)
        room = self.file("room.scene", ROOM)
        self.same_cost(room, *ACROSS, "--space", "waypoints")

    def test_zones(self):
        scene = self.file("zones.scene", ZONES)
        plain = self.run_json("query", self.file("room.scene", ROOM), *ACROSS, "--algo", "astar")
        self.assertGreater(self.same_cost(scene, *ACROSS)["cost"], plain["cost"] + 1)

    def test_saved(self):
        self.run_tool("bake", GALLERY, "--space", "merged", "-o", "g.vnav")
        self.same_cost("g.vnav", *ENDS, "--space", "merged", planners=("dstar-lite",))
        self.same_cost("g.vnav", *ENDS, "--space", "grid", planners=("dstar-lite",))
        self.run_tool("bake", GALLERY, "--space", "hybrid", "-o", "h.vnav")
        self.same_cost("h.vnav", *ENDS, "--space", "hybrid", planners=("dstar-lite",))

    def test_any_angle(self):
        for space in ("grid", "octree", "merged", "hybrid"):
            least = self.run_json("query", GALLERY, *ENDS, "--space", space, "--algo", "astar")
            theta = self.run_json("query", GALLERY, *ENDS, "--space", space, "--algo", "theta")
            for name in ANY_ANGLE + (("aamtdstar-fast",) if space == "hybrid" else ()):
                found = self.run_json("query", GALLERY, *ENDS, "--space", space, "--algo", name)
                self.assertEqual((found["checked"], found["bound"]), (True, None))
                self.assertLess(found["cost"], least["cost"])
                self.assertLess(found["cost"], 1.05 * theta["cost"])
                self.assertGreater(found["sight_checks"], 0)
            passes = self.run_json("query", GALLERY, *ENDS, "--space", space, "--algo", "aaad-star")
            self.assertEqual((passes["checked"], passes["bound"]), (True, 1))
            self.assertLess(passes["cost"], least["cost"])
            self.assertLess(passes["cost"], 1.05 * theta["cost"])
        field = self.run_json("query", GALLERY, *ENDS, "--algo", "field-dstar")
        self.assertEqual((field["checked"], field["space"]), (True, "grid"))
        self.assertLess(field["cost"], 0.98 * self.run_json("query", GALLERY, *ENDS, "--algo", "astar")["cost"])

    def test_bound(self):
        """AD* that is stopped has a path within its bound; D* Lite with a weight is within that."""
        least = self.run_json("query", GALLERY, *ENDS, "--algo", "astar")["cost"]
        short = self.run_json("query", GALLERY, *ENDS, "--algo", "ad-star", "--budget", 20000)
        self.assertEqual((short["status"], short["reason"]), ("path", "budget-spent"))
        self.assertGreater(short["bound"], 1)
        self.assertLessEqual(short["cost"], short["bound"] * least * (1 + 1e-6))
        spent = self.run_json("query", GALLERY, *ENDS, "--algo", "mtdstar", "--budget", 100, expect=1)
        self.assertEqual((spent["status"], spent["expanded"]), ("budget-spent", 100))
        heavy = self.run_json("query", GALLERY, *ENDS, "--algo", "dstar-lite", "--weight", 2)
        self.assertEqual(heavy["bound"], 2)
        self.assertLessEqual(heavy["cost"], 2 * least * (1 + 1e-6))
        self.assertEqual(self.run_json("query", GALLERY, *ENDS, "--algo", "dstar", "--max-nodes", 64, expect=1)["status"], "capacity")

    def test_ends(self):
        room = self.file("room.scene", ROOM)
        goal = ("--to", "20,8,10", "--algo", "mtdstar")
        blocked = self.run_json("query", room, "--from", "10,7,10", *goal, expect=1)
        self.assertEqual((blocked["status"], blocked["nearest_free"]["which"]), ("start-blocked", "start"))
        snapped = self.run_json("query", room, "--from", "10,7,10", *goal, "--snap", 4)
        self.assertEqual((snapped["status"], snapped["checked"], snapped["snapped"][0]["which"]), ("path", True, "start"))
        self.assertEqual(self.run_json("query", room, "--from", "99,7,10", *goal, expect=1)["status"], "outside")
        inside = self.run_json("query", room, "--from", "3.2,7.5,9.5", "--to", "3.9,7.5,9.5", "--algo", "mtdstar")
        self.assertEqual((inside["checked"], len(inside["points"])), (True, 2))
        self.assertAlmostEqual(inside["cost"], 0.7, delta=1e-2)
        off = ("--from", "3.2,7.9,9.1", "--to", "20.1,8.2,10.9")
        self.same_cost(room, *off, planners=("lpa-star",))

    def test_no_path(self):
        wall = self.wall_map()
        done = self.run_tool("query", wall, "--from", "1.5,1.5,1.5", "--to", "6.5,1.5,1.5", "--algo", "dstar-lite", expect=1)
        self.assertIn("no free path joins them", done.stderr)
        hole = self.wall_map("hole.3dmap", (3, 3))
        tight = self.run_json("query", hole, "--from", "2,3.5,3.5", "--to", "6.5,3.5,3.5", "--algo", "dstar-lite", "--radius", 0.8, expect=1)
        self.assertEqual(tight["status"], "too-narrow")

    def test_picture(self):
        self.run_tool("query", GALLERY, *ENDS, "--algo", "dstar-lite", "--picture", "p.svg")
        ElementTree.fromstring((self.dir / "p.svg").read_text())

    def test_refused(self):
        """By name, with the reason and the way out."""
        zones = self.file("zones.scene", ZONES)
        here = ("query", GALLERY, *ENDS, "--algo")
        self.refused(*here, "aamtdstar-fast", says=["aamtdstar-fast", "kinds of nodes", "--space hybrid"])
        self.refused(*here, "field-dstar", "--space", "octree", says=["field-dstar", "voxels", "--space grid"])
        self.refused("query", zones, *ACROSS, "--algo", "aamtdstar", says=["aamtdstar", "zones", "field-dstar"])
        self.refused("query", zones, *ACROSS, "--algo", "lpa-star", "--space", "merged", says=["lpa-star", "zones", "--space grid"])
        for option, says in ((("--refine", "prune"), "refinement"), (("--partial",), "partial"), (("--clearance", 1), "clearance"),
                             (("--weight-g", 0.5), "--weight-g"), (("--graph", "transitions"), "--space octree"), (("--weight", 2), "ad-star"),
                             (("--max-depth", 3, "--space", "octree"), "limited depth"), (("--record", "r.vnrec"), "--record"),
                             (("--heuristic", "r16"), "overestimates")):
            self.refused(*here, "mtdstar", *option, says=[says])
        self.refused(*here, "dstar-lite-backward", says=["did you mean dstar-lite?"])
        self.refused(*here, "dstar-lit", says=["did you mean dstar-lite?", "tree-adaptive"])
        self.refused("query", GALLERY, "--from", "5,5,9", "--targets", "95,6,58", "--algo", "mtdstar", says=["--targets"])

    def test_bench(self):
        done = self.run_tool("bench", self.file("room.scene", ROOM), "--random", 5, "--passes", 1, "--space", "grid,octree", "--refine", "none,prune",
                             "--algo", "astar,lpa-star,mtdstar-backward,field-dstar", "--rows", "r.csv")
        self.assertIn("octree mtdstar-backward", done.stdout)
        for word in ("octree field-dstar none", "voxels", "lpa-star prune", "refinement"):
            self.assertIn(word, done.stderr)
        rows = [line.split(",") for line in (self.dir / "r.csv").read_text().splitlines()]
        at = {name: i for i, name in enumerate(rows[0])}
        for query in range(5):
            for space in ("grid", "octree"):
                lengths = {r[at["algo"]]: float(r[at["length"]]) for r in rows[1:]
                           if r[at["query"]] == str(query) and r[at["space"]] == space and r[at["refine"]] == "none"}
                for name in ("lpa-star", "mtdstar-backward"):
                    self.assertAlmostEqual(lengths[name], lengths["astar"], delta=1e-6 * lengths["astar"] + 1e-9)

    def test_bench_scenario(self):
        """On the grid costs are those of the scenario, on several threads too."""
        self.map_file("open.3dmap", (16, 8, 8))
        self.file("open.3dmap.3dscen", "version 1\nopen.3dmap\n0 0 0 15 0 0 15.00000000 1\n1 1 1 9 1 1 8 1\n")
        found = self.run_json("bench", "open.3dmap", "--algo", "dstar-lite,ad-star,aamtdstar", "--threads", 2, "--passes", 1)
        self.assertEqual([(r["algo"], r["valid"], r["cost_errors"]) for r in found["results"]],
                         [("dstar-lite", 2, 0), ("ad-star", 2, 0), ("aamtdstar", 2, None)])

    def test_help(self):
        for command in ("query", "bench"):
            self.assertIn("lpa-star", self.run_tool(command, "--help").stdout)
        text = self.run_tool("query", "--help").stdout
        for name in ("dstar-lite", "ad-star", "mtdstar-basic", "aamtdstar-fast", "field-dstar", "mpaa", "tree-adaptive", "aaad-star", "-backward"):
            self.assertIn(name, text)


if __name__ == "__main__":
    unittest.main()
