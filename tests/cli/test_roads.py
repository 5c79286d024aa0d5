"""Hybrid graph and waypoints on the command line: bake, save, load, draw, search."""
import unittest
import xml.etree.ElementTree as ElementTree

from tool import ROOT, STATION, CliTest

GALLERY = ROOT / "samples" / "scenes" / "gallery.scene"
ENDS = ("--from", "5,5,9", "--to", "95,6,58")
AREA = ("--moving-area", "30,2,40,36,8,50")
ROOM = """resolution 1
bounds 0 0 0  24 16 24
box 8 4 8  12 10 12
"""


class Roads(CliTest):
    def test_bake_hybrid(self):
        plain = self.run_json("bake", GALLERY, "--space", "hybrid")
        baked = self.run_json("bake", GALLERY, "--space", "hybrid", *AREA, "-o", "g.vnav")
        graph = baked["graph"]
        self.assertEqual((baked["space"], baked["cells"], baked["links"]), ("hybrid", graph["nodes"], graph["edges"]))
        self.assertEqual(graph["dynamic_nodes"], 6 * 6 * 10)
        self.assertEqual(graph["nodes"], graph["static_nodes"] + graph["dynamic_nodes"] + graph["neighbour_nodes"])
        self.assertEqual((plain["graph"]["dynamic_nodes"], plain["graph"]["neighbour_nodes"]), (0, 0))
        for key in ("cells", "links", "blocked_voxels", "seconds", "bytes"):
            self.assertIn(key, baked)
        self.assertGreater(baked["bytes"], graph["bytes"])
        text = self.run_tool("bake", GALLERY, "--space", "hybrid", *AREA).stdout
        self.assertIn("360 dynamic", text)

    def test_two_areas(self):
        path = self.file("room.scene", ROOM)
        both = self.run_json("bake", path, "--space", "hybrid", "--moving-area", "1,1,1,3,3,3,20,1,20,22,3,22")
        self.assertEqual(both["graph"]["dynamic_nodes"], 2 * 8)
        outside = self.run_json("bake", path, "--space", "hybrid", "--moving-area=-9,-9,-9,1,1,1")
        self.assertEqual(outside["graph"]["dynamic_nodes"], 1)

    def test_loaded_is_what_was_baked(self):
        """A file gives the graph of its areas, which a query of the scene must be told again."""
        for space, options, algos in (("hybrid", AREA, ("astar", "theta", "theta-fast", "dijkstra")),
                                      ("waypoints", (), ("astar", "theta"))):
            self.run_tool("bake", STATION if space == "waypoints" else GALLERY, "--space", space, *options, "-o", "s.vnav")
            info = self.run_json("info", "s.vnav")
            self.assertEqual((info["space"], [t["kind"] for t in info["trees"]]), (space, [space]))
            self.assertIn(space, self.run_tool("info", "s.vnav", "--check").stdout)
            again = self.run_json("bake", "s.vnav", "--space", space, "-o", "t.vnav")
            self.assertEqual(again["graph"]["nodes"], self.run_json("bake", "s.vnav", "--space", space)["cells"])
            self.assertEqual(self.run_json("info", "t.vnav")["trees"], info["trees"])
            if space == "waypoints":
                continue
            for algo in algos:
                saved = self.run_json("query", "s.vnav", "--space", space, "--algo", algo, *ENDS)
                made = self.run_json("query", GALLERY, "--space", space, "--algo", algo, *ENDS, *options)
                self.assertEqual((saved["status"], saved["checked"], saved["space"], saved["algo"]), ("path", True, space, algo))
                self.assertEqual((saved["points"], saved["expanded"]), (made["points"], made["expanded"]))

    def test_waypoints(self):
        path = self.file("room.scene", ROOM)
        baked = self.run_json("bake", path, "--space", "waypoints", "-o", "room.vnav")
        self.assertEqual(baked["cells"], 8 + 12)  # corners, and one between on each edge: with the offset they are 8 or 10 m long
        for name in (path, "room.vnav"):
            found = self.run_json("query", name, "--space", "waypoints", "--from", "5,7,10", "--to", "15,7,10")
            self.assertEqual((found["status"], found["checked"]), ("path", True))
            self.assertGreater(len(found["points"]), 2)
        text = self.run_tool("query", "room.vnav", "--space", "waypoints", "--from", "5,7,10", "--to", "15,7,10").stdout
        self.assertIn("nodes", text)

    def test_ends(self):
        path = self.file("room.scene", ROOM)
        blocked = self.run_json("query", path, "--space", "hybrid", "--from", "10,7,10", "--to", "20,7,10", expect=1)
        self.assertEqual((blocked["status"], blocked["nearest_free"]["which"]), ("start-blocked", "start"))
        snapped = self.run_json("query", path, "--space", "hybrid", "--from", "10,7,10", "--to", "20,7,10", "--snap", 4)
        self.assertEqual((snapped["status"], snapped["snapped"][0]["which"]), ("path", "start"))
        self.assertEqual(self.run_json("query", path, "--space", "hybrid", "--from", "99,7,10", "--to", "20,7,10", expect=1)["status"],
                         "outside")

    def test_no_path_in_the_graph(self):
        """One indirect neighbour leaves the gallery's waypoints in pieces: the message names the way out."""
        done = self.run_tool("query", GALLERY, "--space", "waypoints", *ENDS, expect=1)
        self.assertIn("--space cells", done.stderr)

    def test_pictures(self):
        for space, colours in (("hybrid", ("#ffb347", "#ff6f91", "#3dffd5")), ("waypoints", ("#ffb347",))):
            options = AREA if space == "hybrid" else ()
            self.run_tool("bake", GALLERY, "--space", space, *options, "--picture", "p.svg", "--slice", "y=5.5")
            text = (self.dir / "p.svg").read_text()
            ElementTree.fromstring(text)
            for colour in colours:
                self.assertIn(f'fill="{colour}" d="M', text)
            self.assertIn("edges", text)
        self.run_tool("query", GALLERY, "--space", "hybrid", *ENDS, "--picture", "q.svg")
        ElementTree.fromstring((self.dir / "q.svg").read_text())

    def test_refused(self):
        voxels = self.wall_map(hole=(3, 3))
        room = self.file("room.scene", ROOM)
        self.refused("bake", voxels, "--space", "waypoints", says=["corners", "voxels"])
        self.refused("bake", room, "--space", "hybrid", "--moving-area", "1,2,3", says=["six numbers"])
        self.refused("bake", room, "--space", "hybrid", "--moving-area", "5,1,1,3,3,3", says=["low to high"])
        self.refused("bake", room, *AREA, says=["--space hybrid"])
        self.refused("bake", room, "--space", "hybrid", "--resolution", 0.03, says=["2^26 voxels"])
        self.refused("bench", voxels, "--space", "hybrid", says=["cells, grid, octree, merged"])
        self.run_tool("bake", room, "-o", "plain.vnav")
        ends = ("--from", "5,7,10", "--to", "15,7,10")
        self.refused("query", "plain.vnav", "--space", "waypoints", *ends, says=["--source"])
        for option in (("--algo", "jps"), ("--algo", "theta-fast", "--space", "waypoints"), ("--refine", "prune"), ("--partial",),
                       ("--record", "r.vnrec"), ("--clearance", 1), ("--weight-g", 0.5)):
            self.refused("query", room, "--space", "hybrid", *ends, *option)

    def test_damaged_file(self):
        self.run_tool("bake", self.file("room.scene", ROOM), "--space", "hybrid", "-o", "room.vnav")
        data = bytearray((self.dir / "room.vnav").read_bytes())
        data[-9] ^= 4
        (self.dir / "room.vnav").write_bytes(bytes(data))
        self.refused("query", "room.vnav", "--space", "hybrid", "--from", "5,7,10", "--to", "15,7,10", says=["room.vnav"])


if __name__ == "__main__":
    unittest.main()
