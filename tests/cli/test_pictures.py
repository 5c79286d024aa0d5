"""Slices drawn by bake and query, and how pictures show a search over cells."""
import itertools
import json
import math
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from tool import STATION, TOOL, CliTest

SVG = "{http://www.w3.org/2000/svg}"
SIZES = ("#f7d08a", "#e9a05f", "#c9718a", "#8a68b5", "#4f76b8", "#35597f")
BLOCKED, INNER, SEAM = "#05080f", "#fff", "#3dffd5"
AXES = {"x": (0, 2, 1), "y": (1, 0, 2), "z": (2, 0, 1)}  # across, right, other


class PictureTest(CliTest):
    def picture(self, name="p.svg"):
        return ElementTree.parse(self.dir / name).getroot()

    def texts(self, name="p.svg"):
        """All texts, with thin spaces taken out of the numbers."""
        return [(node.text or "").replace("\u2009", "") for node in self.picture(name).iter(SVG + "text")]

    def number(self, label, name="p.svg"):
        """The number after `label:` in the legend."""
        found = [t for t in self.texts(name) if t.startswith(label + ": ")]
        self.assertEqual(len(found), 1, (label, self.texts(name)))
        return int(re.match(r"[^:]*: (\d+)", found[0]).group(1))

    def rects(self, key, colour, name="p.svg"):
        """(a0, b0, a1, b1) of every rectangle in paths of that colour."""
        found = []
        for node in self.picture(name).iter(SVG + "path"):
            if node.get(key) == colour and node.get("d"):
                found += re.findall(r"M(\d+) (\d+)H(\d+)V(\d+)H\d+z", node.get("d"))
        return [tuple(map(int, r)) for r in found]

    def lines(self, colour, name="p.svg"):
        """How many portals are drawn in that colour."""
        return sum(node.get("d").count("M") for node in self.picture(name).iter(SVG + "path")
                   if node.get("stroke") == colour and node.get("stroke-linecap") == "round"
                   and node.get("fill") == "none")


def touching(a, b):
    """Do two rectangles share a piece of a side?"""
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return (wide == 0 and high > 0) or (high == 0 and wide > 0)


def seam(a, b):
    across = 0 if min(a[2], b[2]) == max(a[0], b[0]) else 1
    return max(a[across], b[across]) % 64 == 0


class BakeSlices(PictureTest):
    DIMS = (70, 9, 21)

    def scattered(self):
        dust = {((7 * i) % 70, (5 * i * i) % 9, (11 * i) % 21) for i in range(400)}
        dust |= {(x, y, z) for z in range(9) for y in range(9) for x in range(40 + z // 2, 55 - z - y // 3)}
        return dust, self.map_file("dust.3dmap", self.DIMS, sorted(dust))

    def test_cells_cover_the_free_voxels_of_every_slice(self):
        dust, path = self.scattered()
        cells = self.run_json("bake", path)["cells"]
        for axis, number in (("x", 0), ("x", 64), ("x", 69), ("y", 4), ("z", 20)):
            across, right, other = AXES[axis]
            self.run_tool("bake", path, "--picture", "p.svg", "--slice", "%s=%g" % (axis, number + 0.5))
            blocked = {(v[right], v[other]) for v in dust if v[across] == number}
            drawn = [r for colour in SIZES for r in self.rects("fill", colour)]
            seen = [p for r in drawn for p in itertools.product(range(r[0], r[2]), range(r[1], r[3]))]
            everything = set(itertools.product(range(self.DIMS[right]), range(self.DIMS[other])))
            self.assertEqual(len(seen), len(set(seen)))
            self.assertEqual(set(seen), everything - blocked)
            dark = [p for r in self.rects("fill", BLOCKED)
                    for p in itertools.product(range(r[0], r[2]), range(r[1], r[3]))]
            self.assertEqual(sorted(dark), sorted(blocked))
            self.assertEqual(self.number("blocked voxels"), len(blocked))
            self.assertTrue(any("cuts %d of %d cells" % (len(drawn), cells) in t for t in self.texts()))

    def test_portals_are_where_cells_touch(self):
        _, path = self.scattered()
        for place in ("x=3.5", "y=4.5", "z=8.5"):
            self.run_tool("bake", path, "--picture", "p.svg", "--slice", place)
            drawn = [r for colour in SIZES for r in self.rects("fill", colour)]
            pairs = [(a, b) for a, b in itertools.combinations(drawn, 2) if touching(a, b)]
            seams = sum(seam(a, b) for a, b in pairs)
            self.assertEqual(self.number("portals between blocks"), seams)
            self.assertEqual(self.number("portals inside a block"), len(pairs) - seams)
            self.assertEqual(self.lines(SEAM), seams)
            self.assertEqual(self.lines(INNER), len(pairs) - seams)
            self.assertGreater(len(pairs), 10)

    def test_trees_cover_the_free_voxels_of_every_slice(self):
        dust, path = self.scattered()
        for space, name in (("octree", "leaves"), ("merged", "merged boxes")):
            cells = self.run_json("bake", path, "--space", space)["cells"]
            for axis, number in (("x", 64), ("y", 4), ("z", 20)):
                across, right, other = AXES[axis]
                self.run_tool("bake", path, "--space", space, "--picture", "p.svg",
                              "--slice", "%s=%g" % (axis, number + 0.5))
                blocked = {(v[right], v[other]) for v in dust if v[across] == number}
                drawn = [r for colour in SIZES for r in self.rects("fill", colour)]
                seen = [p for r in drawn for p in itertools.product(range(r[0], r[2]), range(r[1], r[3]))]
                everything = set(itertools.product(range(self.DIMS[right]), range(self.DIMS[other])))
                self.assertEqual(len(seen), len(set(seen)))
                self.assertEqual(set(seen), everything - blocked)
                pairs = [(a, b) for a, b in itertools.combinations(drawn, 2) if touching(a, b)]
                self.assertEqual(self.number("portals"), len(pairs))
                self.assertEqual(self.lines(INNER), len(pairs))
                self.assertEqual(self.lines(SEAM), 0)
                self.assertTrue(any("cuts %d of %d %s" % (len(drawn), cells, name) in t for t in self.texts()))

    def test_sizes_are_those_of_whole_cells(self):
        self.run_tool("bake", self.map_file(dims=(16, 16, 32)), "--picture", "p.svg")
        self.assertEqual([self.number(label) for label in ("below 8 voxels", "8 to 63", "64 to 511", "512 to 4095",
                                                           "4096 to 32767", "32768 and more")], [0, 0, 0, 0, 1, 0])

    def test_the_middle_unless_told(self):
        path = self.map_file(dims=(8, 9, 8), blocked=[(1, 4, 1)])
        self.run_tool("bake", path, "--picture", "a.svg")
        self.run_tool("bake", path, "--picture", "b.svg", "--slice", "y")
        self.run_tool("bake", path, "--picture", "c.svg", "--slice=y=4")
        self.assertEqual(self.number("blocked voxels", "a.svg"), 1)
        texts = {(self.dir / name).read_text() for name in ("a.svg", "b.svg", "c.svg")}
        self.assertEqual(len(texts), 1)

    def test_places_are_metres(self):
        scene = self.file("a.scene", "resolution 0.5\nbounds -4 -4 -4 4 4 4\nbox -1 -4 -1 1 -3 1\n")
        self.run_tool("bake", scene, "--picture", "p.svg", "--slice", "y=-3.2")
        self.assertEqual(self.number("blocked voxels"), 16)
        self.assertTrue(any("y = -3.5 to -3 m" in t for t in self.texts()))
        self.run_tool("bake", scene, "--picture", "p.svg", "--slice", "y=4")
        self.assertTrue(any("y = 3.5 to 4 m" in t for t in self.texts()))
        self.refused("bake", scene, "--picture", "q.svg", "--slice", "y=4.6", says=["--slice y=4.6", "-4 to 4"])
        self.refused("bake", scene, "--picture", "q.svg", "--slice", "y=-4.1", says=["-4 to 4"])
        self.assertFalse((self.dir / "q.svg").exists())

    def test_without_cells_or_free_voxels(self):
        self.run_tool("bake", self.wall_map(), "--space", "grid", "--picture", "p.svg")
        self.assertEqual(self.number("blocked voxels"), 8)
        self.assertEqual(self.number("portals inside a block"), 0)
        full = self.file("full.scene", "bounds 0 0 0 3 3 3\nbox 0 0 0 3 3 3\n")
        self.run_tool("bake", full, "--picture", "p.svg")
        self.assertEqual(self.rects("fill", BLOCKED), [(0, 0, 3, 3)])

    def test_bad_slices(self):
        path = self.map_file()
        self.refused("bake", path, "--picture", "p.svg", "--slice=", says=["--slice"])
        for text in ("w", "y=", "y=a", "=3", "y3", "yy=3", "y=1,2", "y=nan", "Y=1"):
            self.refused("bake", path, "--picture", "p.svg", "--slice=" + text, says=["--slice", "y=12.5"])
        self.refused("bake", path, "--slice", "y=1", says=["--slice", "--picture"])
        self.refused("bake", path, "--picture", "missing/p.svg", says=["missing/p.svg"])
        self.assertFalse((self.dir / "p.svg").exists())

    def test_help(self):
        for command in ("bake", "query"):
            self.assertIn("--slice AXIS[=M]", self.run_tool(command, "--help").stdout)


class QueryPictures(PictureTest):
    RING = ("--from", "76.5,36.5,16.5", "--to", "84.5,36.5,96.5")

    def test_cells_and_corridor(self):
        expanded = self.run_json("query", STATION, *self.RING, "--picture", "p.svg")["expanded"]
        self.assertTrue(any(t.startswith("%d cells expanded" % expanded) for t in self.texts()))
        self.assertTrue(any(re.match(r"\d+ cells in the corridor", t) for t in self.texts()))
        self.assertLess((self.dir / "p.svg").stat().st_size, 150000)

    def test_voxels_are_a_haze(self):
        self.run_tool("query", STATION, *self.RING, "--picture", "p.svg", "--algo", "astar")
        self.assertTrue(any("voxels searched by astar" in t for t in self.texts()))
        self.assertFalse(any("corridor" in t for t in self.texts()))

    def stages(self, *args, expect=0):
        """Label, length and number of points of each way in the slice."""
        self.run_tool("query", STATION, *self.RING, "--picture", "p.svg", "--slice", "y", *args, expect=expect)
        found = [re.fullmatch(r"(.+): ([\d.]+) m, (\d+) points", t) for t in self.texts()]
        return [(m.group(1), float(m.group(2)), int(m.group(3))) for m in found if m]

    def test_every_pass_is_shorter(self):
        ways = self.stages()
        self.assertEqual([w[0] for w in ways], ["as found", "taut", "taut and pruned", "taut, pruned and pulled"])
        lengths, points = [w[1] for w in ways], [w[2] for w in ways]
        self.assertEqual(lengths, sorted(lengths, reverse=True))
        self.assertGreater(lengths[0], lengths[-1])
        self.assertEqual(points[0], points[1])
        self.assertGreater(points[1], points[2])
        answer = self.run_json("query", STATION, *self.RING)
        self.assertAlmostEqual(answer["length"], lengths[-1], places=2)
        self.assertEqual(len(answer["points"]), points[-1])
        self.assertEqual(len(self.picture().findall(SVG + "polyline")), 8)

    def test_stages_follow_the_options(self):
        self.assertEqual([w[0] for w in self.stages("--quality", "fast")], ["as found", "taut", "taut and pruned"])
        self.assertEqual([w[0] for w in self.stages("--quality", "best")],
                         ["as found", "taut", "all passes, best of two"])
        self.assertEqual([w[0] for w in self.stages("--refine", "none")], ["as found"])
        self.assertEqual([w[0] for w in self.stages("--refine", "taut")], ["as found", "taut"])
        self.assertEqual([w[0] for w in self.stages("--refine", "prune")], ["as found", "pruned"])
        self.assertEqual([w[0] for w in self.stages("--algo", "astar")], ["path"])
        self.assertTrue(any("voxels expanded" in t for t in self.texts()))

    def test_stages_have_the_weight_of_the_outcome(self):
        for weight in ("1", "1.5", "4"):
            ways = self.stages("--weight", weight)
            for way, refine in ((ways[0], "none"), (ways[1], "taut")):
                answer = self.run_json("query", STATION, *self.RING, "--weight", weight, "--refine", refine)
                self.assertAlmostEqual(answer["length"], way[1], delta=0.006)

    def test_corridor_in_the_slice(self):
        wall = [(20, y, z) for y in range(40) for z in range(40) if not (y > 30 and z > 30)]
        path = self.map_file(dims=(40, 40, 40), blocked=wall + [(8, 2, 9), (30, 3, 12), (26, 35, 30)])
        self.run_tool("query", path, "--from", "2.5,2.5,2.5", "--to", "38.5,2.5,2.5", "--picture", "p.svg",
                      "--slice", "y")
        self.run_tool("bake", path, "--picture", "b.svg", "--slice", "y=2.5")
        dashed, solid = [], []
        for node in self.picture().iter(SVG + "path"):
            if node.get("stroke") == "#ffd08a":
                rects = [tuple(map(int, r)) for r in re.findall(r"M(\d+) (\d+)H(\d+)V(\d+)H", node.get("d"))]
                (dashed if node.get("stroke-dasharray") else solid).extend(rects)
        cut = {r for colour in SIZES for r in self.rects("fill", colour, "b.svg")}
        self.assertLessEqual(set(solid), cut)
        self.assertTrue(dashed)
        self.assertFalse(set(dashed) <= cut)
        for end in (2, 38):
            self.assertTrue(any(r[0] <= end < r[2] and r[1] <= 2 < r[3] for r in solid), solid)
        text = [t for t in self.texts() if t.startswith("cells in the corridor")]
        self.assertTrue(text[0].endswith(": %d" % (len(solid) + len(dashed))), text)

    def test_no_path_outside_and_partial(self):
        wall = self.wall_map()
        ends = ("--from", "1.5,1.5,1.5", "--to", "6.5,6.5,6.5")
        self.run_tool("query", wall, *ends, "--picture", "p.svg", "--slice", "x", expect=1)
        self.assertIn("no path: no free path joins the ends", self.texts())
        self.run_tool("query", wall, *ends, "--picture", "p.svg", "--slice", "x=6", "--partial", expect=1)
        self.assertTrue(any(t.startswith("taut, pruned and pulled") for t in self.texts()))
        self.refused("query", wall, "--from", "-5,1,1", "--to", "1,1,1", "--picture", "q.svg", "--slice", "x",
                     says=["0 to 8"])
        self.run_tool("query", wall, "--from", "-5,1,1", "--to", "1,1,1", "--picture", "q.svg", "--slice", "y",
                      expect=1)
        self.picture("q.svg")

    def test_bad_usage(self):
        path, ends = self.map_file(), ("--from", "1,1,1", "--to", "5,5,5")
        self.refused("query", path, *ends, "--slice", "y", says=["--picture"])
        self.refused("query", path, *ends, "--slice", "q", "--picture", "p.svg", says=["--slice q"])
        self.refused("query", path, *ends, "--slice", "z=9", "--picture", "p.svg", says=["0 to 8"])
        self.assertFalse((self.dir / "p.svg").exists())


class Failures(PictureTest):
    """A query without a path: both ends and the reason."""

    def failed(self, path, start, goal, *options):
        self.run_tool("query", path, "--from=" + start, "--to=" + goal, "--picture", "p.svg", *options, expect=1)
        root = self.picture()
        wide, high = (float(root.get(key)) for key in ("width", "height"))
        rings = [(float(n.get("cx")), float(n.get("cy"))) for n in root.iter(SVG + "circle") if n.get("r") == "8.5"]
        diamonds = [tuple(map(float, m.groups())) for n in root.iter(SVG + "path")
                    if (m := re.fullmatch(r"M([\d.-]+) ([\d.-]+)l11 11-11 11-11-11z", n.get("d") or ""))]
        self.assertEqual((len(rings), len(diamonds)), (1, 1))
        for x, y in rings + diamonds:
            self.assertTrue(10 < x < wide - 10 and 90 < y < high - 10, (x, y))
        self.assertNotEqual(rings[0], diamonds[0])
        reasons = [t for t in self.texts() if t.startswith("no path: ")]
        self.assertEqual(len(reasons), 1, self.texts())
        return reasons[0]

    def test_reasons(self):
        wall = self.wall_map()
        scene = self.file("a.scene", "resolution 0.25\nbounds 0 0 0 8 8 8\nbox 4 0 0 5 8 3.5\nbox 4 0 4.5 5 8 8\n")
        self.assertIn("no free path", self.failed(wall, "1.5,1.5,1.5", "6.5,6.5,6.5"))
        self.assertIn("the start is inside an obstacle", self.failed(wall, "4.5,1.5,1.5", "6.5,6.5,6.5"))
        self.assertIn("the nearest free point", self.texts())
        self.assertIn("the goal is inside an obstacle", self.failed(wall, "1.5,1.5,1.5", "4.5,1.5,1.5"))
        self.assertIn("too narrow for radius 1 m; 0.", self.failed(scene, "2,4,4", "6,4,4", "--radius", "1"))
        self.assertIn("the narrowest place of the widest path", self.texts())
        self.assertIn("budget", self.failed(self.wall_map("b.3dmap", hole=(2, 5)), "1.5,1.5,1.5", "6.5,6.5,6.5",
                                            "--algo", "astar", "--budget", "2"))

    def test_an_end_outside(self):
        wall = self.wall_map()
        for start, goal in (("-3,4,4", "2.5,2.5,2.5"), ("4,1,20", "2.5,2.5,2.5"), ("1e6,-1e6,1e6", "2.5,2.5,2.5")):
            self.assertIn("the start lies outside the space", self.failed(wall, start, goal))
            self.assertIn("the goal lies outside the space", self.failed(wall, goal, start))

    def test_slices_too(self):
        self.assertIn("the goal is inside", self.failed(self.wall_map(), "1.5,1.5,1.5", "4.5,1.5,1.5", "--slice", "y"))
        self.assertIn("the goal lies outside", self.failed(self.wall_map(), "1.5,1.5,1.5", "44,1.5,1.5", "--slice", "y"))


class Roofs(PictureTest):
    """A house of two rooms; the door is in the wall between them."""
    HOUSE = ("resolution 1\nbounds 0 0 0 60 20 40\nbox 5 0 5 55 1 35\nbox 5 9 5 55 10 35\n"
             "box 5 0 5 55 10 6\nbox 5 0 34 55 10 35\nbox 5 0 5 6 10 35\nbox 54 0 5 55 10 35\n"
             "box 30 0 5 31 10 25\nbox 30 0 28 31 10 35\n")
    SECTION = "#445272"

    def colours(self):
        return {n.get("fill") for n in self.picture().iter(SVG + "path")}

    def test_cut_away_above_a_path_indoors(self):
        house = self.file("house.scene", self.HOUSE)
        self.run_tool("query", house, "--from", "10,4,10", "--to", "50,4,10", "--picture", "p.svg")
        self.assertTrue(any("cut away" in t for t in self.texts()))
        self.assertIn(self.SECTION, self.colours())
        self.run_tool("query", house, "--from", "10,4,10", "--to", "2,15,10", "--picture", "p.svg", expect=1)
        self.assertFalse(any("cut away" in t for t in self.texts()))  # one end is above the roof
        self.run_tool("query", house, "--from", "10,4,10", "--to", "5,4,10", "--picture", "p.svg", expect=1)
        self.assertTrue(any("cut away" in t for t in self.texts()))

    def test_whole_outdoors(self):
        house = self.file("house.scene", self.HOUSE)
        self.run_tool("query", house, "--from", "2,4,2", "--to", "58,15,38", "--picture", "p.svg")
        self.assertFalse(any("cut away" in t for t in self.texts()))
        self.assertNotIn(self.SECTION, self.colours())

    def test_routes_indoors_and_outdoors(self):
        """Where one route of several is in the open, the roof stays."""
        house = self.file("house.scene", self.HOUSE + "route in 10 4 10  50 4 10\nroute out 2 4 2  58 15 38\n")
        self.run_tool("demo", house, "--picture", "p.svg")
        self.assertFalse(any("cut away" in t or "expanded" in t for t in self.texts()))


class Moving(PictureTest):
    """demo --moving: an animated picture of agents among moving obstacles."""

    def animation(self, node, name="transform"):
        """(time as a part of the whole, values) of one attribute."""
        for child in list(node):
            if child.get("attributeName") == name:
                values = [list(map(float, v.split())) for v in child.get("values").split(";")]
                return list(zip(map(float, child.get("keyTimes").split(";")), values))
        return []

    def at(self, keys, time):
        for (t0, a), (t1, b) in zip(keys, keys[1:]):
            if t0 <= time <= t1:
                part = (time - t0) / (t1 - t0) if t1 > t0 else 1
                return [x + part * (y - x) for x, y in zip(a, b)]
        return keys[-1][1]

    def test_agents_arrive_and_keep_clear(self):
        answer = self.run_json("demo", "--moving", "p.svg")
        self.assertEqual([a["arrived"] for a in answer["agents"]], [True] * 3)
        self.assertGreater(sum(a["blocked"] for a in answer["agents"]), 3)
        self.assertGreater(answer["updates"], 100)
        agents = [self.animation(n) for n in self.picture().iter(SVG + "circle")]
        boxes = [(float(n.get("width")), float(n.get("height")), self.animation(n))
                 for n in self.picture().iter(SVG + "rect") if self.animation(n)]
        self.assertEqual((len(agents), len(boxes)), (3, 4))
        for keys in agents + [b[2] for b in boxes]:
            times = [t for t, _ in keys]
            self.assertEqual((times, times[0], times[-1]), (sorted(times), 0, 1))
        for step in range(2001):
            for agent in agents:
                x, z = self.at(agent, step / 2000)
                for wide, deep, keys in boxes:
                    bx, bz = self.at(keys, step / 2000)
                    self.assertFalse(abs(x - bx) < wide / 2 and abs(z - bz) < deep / 2, (step, x, z))

    def test_the_first_picture_shows_a_path_of_each_agent(self):
        """Also where nothing moves: in a viewer without animation, and in print."""
        self.run_tool("demo", "--moving", "p.svg")
        paths = [n for n in self.picture().iter(SVG + "path") if n.find(SVG + "animate") is not None]
        shown = {n.get("stroke") for n in paths if n.get("opacity") != "0"}
        begins = [n.find(SVG + "animate").get("values") for n in paths if n.get("opacity") != "0"]
        self.assertEqual(len(shown), 3)
        self.assertEqual(begins, ["1;0"] * len(begins))

    def test_the_same_each_time_and_small(self):
        self.run_tool("demo", "--moving", "a.svg")
        self.run_tool("demo", "--moving", "b.svg")
        text = (self.dir / "a.svg").read_text()
        self.assertEqual(text, (self.dir / "b.svg").read_text())
        self.assertLess(len(text), 20000)

    def test_bad_usage(self):
        self.refused("demo", STATION, "--moving", "p.svg", says=["--moving", "station.scene"])
        self.refused("demo", "--picture", "q.svg", "--moving", "p.svg", says=["--picture"])
        self.refused("demo", "--moving", "p.png", says=[".svg"])


class Flight(PictureTest):
    """demo --flight: an asteroid field, flown without avoidance and by the autopilot."""

    @classmethod
    def setUpClass(cls):
        shared = tempfile.TemporaryDirectory()
        cls.addClassCleanup(shared.cleanup)
        path = pathlib.Path(shared.name) / "p.svg"
        done = subprocess.run([TOOL, "demo", "--flight", str(path), "--json"], capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        cls.answer = json.loads(done.stdout)
        cls.text = path.read_text()
        cls.root = ElementTree.fromstring(cls.text)
        cls.live, cls.still = ([g for g in cls.root if g.get("class") == name][0] for name in ("live", "still"))

    def keys(self, node):
        """(time as a part of the whole, values) of an animation of many keys."""
        times, values = (node.get(k).split(";") for k in ("keyTimes", "values"))
        self.assertEqual(len(times), len(values))
        return [(float(t), *map(float, v.split())) for t, v in zip(times, values)]

    def at(self, keys, time):
        for a, b in zip(keys, keys[1:]):
            if a[0] <= time <= b[0]:
                part = (time - a[0]) / (b[0] - a[0]) if b[0] > a[0] else 1
                return [x + part * (y - x) for x, y in zip(a[1:], b[1:])]
        return keys[-1][1:]

    def test_the_autopilot_touches_nothing(self):
        none, six = self.answer["flights"]
        self.assertEqual([none["group"], six["group"]], [0, 6])
        self.assertEqual([none["end"], six["end"]], ["arrived", "arrived"])
        self.assertGreater(none["collisions"], 3)
        self.assertLess(none["clearance"], 0)
        self.assertEqual((six["collisions"], six["wall_hits"]), (0, 0))
        self.assertGreater(six["clearance"], 0)
        self.assertLess(six["seconds"], 1.2 * six["seconds_empty"])
        counts = [n.text for n in self.live.iter(SVG + "text") if "collision" in n.text]
        self.assertEqual(counts, [f"{k} collision{'' if k == 1 else 's'}" for k in range(none["collisions"] + 1)] + ["0 collisions"])

    def test_motion_can_be_left_out(self):
        """Without animation, or where less of it is wanted, one moment is shown instead."""
        self.assertLess(len(self.text), 1000000)
        self.assertIn("@media (prefers-reduced-motion:reduce){.live{display:none!important}.still{display:inline!important}}", self.text)
        self.assertEqual((self.live.get("display"), self.still.get("display")), ("none", None))
        self.assertEqual([g[0].get("to") for g in (self.live, self.still)], ["inline", "none"])
        moving = [n for n in self.root.iter() if n.tag.startswith(SVG + "animate") or n.tag == SVG + "set"]
        self.assertEqual(len(moving), 1 + len([n for n in self.live.iter() if n in moving]))
        self.assertEqual([n.text for n in self.still.iter(SVG + "text") if "collision" in n.text], ["1 collision", "0 collisions"])
        self.assertGreater(len(list(self.still.iter(SVG + "circle"))), 40)

    def test_all_motion_follows_the_clock(self):
        clock = [n for n in self.root.iter() if n.get("id") == "clock"]
        self.assertEqual([n.get("begin") for n in clock], ["0s;clock.end"])
        whole = float(clock[0].get("dur")[:-1])
        moving = [n for n in self.live.iter() if n.get("attributeName") and n.get("attributeName") != "display" and n not in clock]
        self.assertGreater(len(moving), 500)
        for node in moving:
            begin = re.fullmatch(r"clock\.begin(?:\+(\d+\.\d+)s)?", node.get("begin"))
            end = float(begin[1] or 0) + float(node.get("dur")[:-1])
            self.assertLessEqual(end, whole + 0.02)
            if node.get("keyTimes"):
                times = [k[0] for k in self.keys(node)]
                self.assertEqual((times, times[0], times[-1]), (sorted(times), 0, 1))

    def test_what_hits_meets_the_ship(self):
        """Cameras and asteroids agree: what is drawn as a hit comes to the middle, and only without avoidance."""
        whole = float([n for n in self.root.iter() if n.get("id") == "clock"][0].get("dur")[:-1])
        hits = [[], []]
        views = [g for g in self.live.iter(SVG + "g") if len(g) > 0 and g[0].tag == SVG + "animateTransform"]
        self.assertEqual(len(views), 2)
        for view, found in zip(views, hits):
            camera = self.keys(view[0])
            for circle in view.iter(SVG + "circle"):
                move = circle.find(SVG + "animateTransform")
                if circle.get("class") == "b":
                    begin, span = float(move.get("begin").split("+")[1][:-1]), float(move.get("dur")[:-1])
                    a, b = ([float(v) for v in move.get(k).split()] for k in ("from", "to"))
                    body = [(begin / whole, *a), ((begin + span) / whole, *b)]
                    found.append(min(math.dist(self.at(body, t), [-v for v in self.at(camera, t)])
                                     for t in (body[0][0] + (body[1][0] - body[0][0]) * i / 400 for i in range(401))))
        self.assertGreater(len(hits[0]), 3)
        self.assertLess(max(hits[0]), 1.6)  # the radii and what the keys leave out
        self.assertEqual(hits[1], [])

    def test_the_same_each_time(self):
        self.run_tool("demo", "--flight", "again.svg")
        self.assertEqual((self.dir / "again.svg").read_text(), self.text)

    def test_bad_usage(self):
        self.refused("demo", STATION, "--flight", "p.svg", says=["--flight", "station.scene"])
        self.refused("demo", "--krafft", "q.svg", "--flight", "p.svg", says=["--krafft"])
        self.refused("demo", "--flight", "p.png", says=[".svg"])


class Krafft(PictureTest):
    """demo --krafft: a scene with a clock at four times."""

    def test_four_frames(self):
        answer = self.run_json("demo", "--krafft", "p.svg")
        self.assertEqual((answer["scene"], [t["seconds"] for t in answer["times"]]), ("krafft", [0, 3, 6, 9]))
        for one in answer["times"]:
            self.assertTrue(60 < one["length"] < 130, one)
        balls = list(self.picture().iter(SVG + "circle"))
        self.assertEqual(len(balls), 8)
        goals = [float(b.get("cy")) for b in balls[1::2]]
        self.assertEqual([goals[0] > goals[1], goals[2] > goals[3]], [True, True])  # it rises
        paths = [n for n in self.picture().iter(SVG + "path") if n.get("stroke") == "#ffb347"]
        self.assertEqual(len(paths), 4)
        shapes = [n for n in self.picture().iter(SVG + "path") if n.get("fill-opacity") == ".88"]
        away = [n for n in self.picture().iter(SVG + "path") if n.get("stroke-dasharray")]
        self.assertEqual(len(shapes) + len(away), 4 * 16)
        self.assertGreater(len(away), 1)
        for words in ("patrols", "turns about z", "turns about x", "blinks (dashed: away)"):
            self.assertIn(words, self.texts())

    def test_the_same_each_time_and_small(self):
        self.run_tool("demo", "--krafft", "a.svg")
        self.run_tool("demo", "--krafft", "b.svg")
        text = (self.dir / "a.svg").read_text()
        self.assertEqual(text, (self.dir / "b.svg").read_text())
        self.assertLess(len(text), 25000)

    def test_bad_usage(self):
        self.refused("demo", STATION, "--krafft", "p.svg", says=["--krafft", "station.scene"])
        self.refused("demo", "--picture", "q.svg", "--krafft", "p.svg", says=["--picture"])
        self.refused("demo", "--moving", "q.svg", "--krafft", "p.svg", says=["--moving"])
        self.refused("demo", "--krafft", "p.png", says=[".svg"])


class Texts(PictureTest):
    """No text lies over or under what is drawn."""

    def boxes(self):
        """About where each text is: x0, y0, x1, y1."""
        found = []
        for group in self.picture().iter(SVG + "g"):
            move = re.fullmatch(r"translate\(([\d.]+) ([\d.]+)\)", group.get("transform") or "")
            for text in group.findall(SVG + "text") if move else []:
                found.append((text, float(move.group(1)), float(move.group(2))))
        found += [(text, 0, 0) for text in self.picture().findall(SVG + "text")]
        out = []
        for text, dx, dy in found:
            size = float(text.get("font-size"))
            x, y, wide = dx + float(text.get("x")), dy + float(text.get("y")), 0.55 * size * len(text.text or "")
            x -= wide / 2 if text.get("text-anchor") == "middle" else 0
            out.append((x, y - 0.8 * size, x + wide, y + 0.2 * size))
        return out

    def floor(self):
        """The floor's outline as segments; everything drawn stands on it."""
        for node in self.picture().iter(SVG + "path"):
            if node.get("stroke-opacity") == ".32":
                numbers = re.findall(r"M([\d.-]+) ([\d.-]+)L([\d.-]+) ([\d.-]+)", node.get("d"))
                return [tuple(map(float, n)) for n in numbers]
        return []

    def lowest(self, x0, x1):
        """How far down the floor reaches between x0 and x1."""
        deepest = 0
        for ax, ay, bx, by in self.floor():
            for x in (x0, x1, ax, bx):
                if x0 <= x <= x1 and min(ax, bx) <= x <= max(ax, bx) and ax != bx:
                    deepest = max(deepest, ay + (by - ay) * (x - ax) / (bx - ax))
        return deepest

    def highest(self):
        """The uppermost point of what is drawn in the lattice and of paths and ends."""
        tops = [min(a[1], a[3]) for a in self.floor()]
        for group in self.picture().iter(SVG + "g"):
            move = re.fullmatch(r"matrix\(([\d.]+) 0 0 ([\d.]+) ([\d.-]+) ([\d.-]+)\)", group.get("transform") or "")
            for path in group.findall(SVG + "path") if move else []:
                tops += [float(move.group(4)) + float(move.group(2)) * float(y)
                         for y in re.findall(r"M-?\d+ (-?\d+)", path.get("d") or "")]
        for line in self.picture().findall(SVG + "polyline"):
            tops += [float(p.split(",")[1]) for p in line.get("points").split()]
        return min(tops)

    def test_apart(self):
        shapes = {"long": (300, 12, 12), "deep": (12, 12, 300), "tall": (10, 200, 10), "flat": (100, 3, 100), "cube": (40, 40, 40)}
        for name, (x, y, z) in shapes.items():
            scene = self.file(name + ".scene", "bounds 0 0 0 %d %d %d\nbox 0 0 0 %d %d %d\nbox %d 0 %d %d %d %d\n" % (
                x, y, z, x // 3, y, z // 2, x - 2, z - 2, x, y, z))
            start = "%g,%g,%g" % (x - 0.5, y - 0.5, 0.5)
            for goal, code in (("0.5,0.5,%g" % (z - 0.5), 0), ("0.5,0.5,0.5", 1), ("%d,%d,-5" % (2 * x, 2 * y), 1)):
                self.run_tool("query", scene, "--from", start, "--to", goal, "--picture", "p.svg", expect=code)
                for x0, y0, x1, y1 in self.boxes():
                    above = y1 <= self.highest() + 0.5
                    self.assertTrue(above or y0 >= self.lowest(x0, x1), (name, goal, (x0, y0, x1, y1)))


if __name__ == "__main__":
    unittest.main()
