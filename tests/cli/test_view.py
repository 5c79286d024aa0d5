"""The command view: a page with the user's file inside."""
import base64
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import time
import unittest

from tool import ROOT, TOOL, CliTest, box_obj, has_sanitizer

FIXTURES = ROOT / "tests" / "fixtures"
PAGE = "<!doctype html>\n<body>\n<!-- volnav-file: here -->\n<script>1</script>\n</body>\n"
SCENE = "resolution 1\nbounds 0 0 0 8 8 8\nbox 1 1 1 3 3 3\n"
FILE = re.compile(r'<script type="application/octet-stream" id="volnav-file" data-name="([^"]*)">([A-Za-z0-9+/=]*)</script>')


class View(CliTest):
    def setUp(self):
        super().setUp()
        self.page = self.file("cockpit.html", PAGE)
        self.env = {"VOLNAV_COCKPIT": self.page, "DISPLAY": "", "WAYLAND_DISPLAY": ""}

    def view(self, *args, env=(), expect=0):
        return self.run_tool("view", *args, expect=expect, env=dict(self.env, **dict(env)))

    def inside(self, name):
        """Name and bytes of the file in a page; all else is the page as it was."""
        text = (self.dir / name).read_text()
        found = FILE.search(text)
        self.assertEqual(FILE.sub("<!-- volnav-file: here -->", text), PAGE)
        return html.unescape(found[1]), base64.b64decode(found[2], validate=True)

    def test_files_that_go_in_as_they_are(self):
        map_file = self.map_file(blocked=[(1, 2, 3)])
        scene = self.file("a.scene", SCENE)
        for path in (map_file, scene, FIXTURES / "halls.vnav", FIXTURES / "path.vnrec"):
            path = pathlib.Path(path)
            done = self.view(path)
            self.assertIn("file://%s" % (self.dir / (path.name + ".html")).resolve(), done.stdout)
            self.assertEqual(self.inside(path.name + ".html"), (path.name, path.read_bytes()))

    def test_a_recorded_run(self):
        self.run_tool("sim", "asteroids", "--limit", "1", "--record", "run.vnrec")
        self.view("run.vnrec", "-o", "x.html")
        self.assertEqual(self.inside("x.html"), ("run.vnrec", (self.dir / "run.vnrec").read_bytes()))

    def baked(self, *args):
        """Bakes the input into a page, and what info says of the space in it."""
        self.view(*args, "-o", "out.html")
        name, data = self.inside("out.html")
        self.assertTrue(name.endswith(".vnav"))
        return name, self.run_json("info", self.file("inside.vnav", data))

    def test_a_mesh_is_baked(self):
        mesh = self.file("box.obj", box_obj((0, 0, 0), (8, 4, 4)))
        name, info = self.baked(mesh)
        self.assertEqual(name, "box.obj.vnav")
        self.assertAlmostEqual(info["resolution"], 0.05, 6)
        self.assertEqual([[round(v, 4) for v in corner] for corner in info["bounds"]], [[-0.4, -0.4, -0.4], [8.4, 4.4, 4.4]])
        name, info = self.baked(mesh, "--resolution", "0.5", "--margin", "1", "--radius", "0.25")
        self.assertEqual((info["resolution"], info["layers"][0]["radius"]), (0.5, 0.25))
        self.assertEqual(info["bounds"], [[-1, -1, -1], [9, 5, 5]])

    def test_a_scene_with_a_mesh_is_baked(self):
        self.file("box.obj", box_obj((0, 0, 0), (4, 4, 4)))
        name, info = self.baked(self.file("m.scene", SCENE + "mesh box.obj\n"))
        self.assertEqual((name, info["resolution"], info["bounds"]), ("m.scene.vnav", 1, [[0, 0, 0], [8, 8, 8]]))

    def test_options_bake(self):
        _, info = self.baked(self.file("a.scene", SCENE), "--resolution", "0.5")
        self.assertEqual(info["resolution"], 0.5)

    def test_json(self):
        got = json.loads(self.view(self.file("a.scene", SCENE), "--json").stdout)
        self.assertEqual((got["output"], got["file"], got["file_bytes"]), ("a.scene.html", "a.scene", len(SCENE)))
        self.assertEqual(got["bytes"], (self.dir / "a.scene.html").stat().st_size)
        self.assertFalse(got["opened"])

    def test_names_are_escaped(self):
        path = self.file('a"><b&.scene', SCENE)
        self.view(path, "-o", "x.html")
        self.assertEqual(self.inside("x.html")[0], 'a"><b&.scene')

    def test_without_a_file(self):
        self.assertIn(self.page, self.view().stdout)
        self.view("-o", "copy.html")
        self.assertEqual((self.dir / "copy.html").read_text(), PAGE)

    @unittest.skipUnless(os.name == "posix" and os.uname().sysname == "Linux", "xdg-open")
    def test_opens_it(self):
        browser = self.file("bin/xdg-open", "#!/bin/sh\nprintf '%s' \"$1\" > \"$OPENED\".part\nmv \"$OPENED\".part \"$OPENED\"\n")
        os.chmod(browser, 0o755)
        opened = self.dir / "opened"
        env = {"PATH": os.path.dirname(browser) + os.pathsep + os.environ["PATH"], "OPENED": str(opened)}
        scene = self.file("a.scene", SCENE)

        self.view(scene, "--no-open", env=dict(env, DISPLAY=":9"))
        self.assertIn("Open it", self.view(scene, env=env).stdout)  # no display
        self.assertIn("opened", self.view(scene, env=dict(env, WAYLAND_DISPLAY="w")).stdout)
        until = time.monotonic() + 60
        while not opened.exists() and time.monotonic() < until:
            time.sleep(0.05)
        self.assertEqual(opened.read_text(), str((self.dir / "a.scene.html").resolve()))
        self.assertIn("Open it", self.view(scene, env=dict(DISPLAY=":9", PATH="/nowhere")).stdout)

    def test_refusals(self):
        def refused(*args, says):
            done = self.view(*args, expect=2)
            self.assertEqual(done.stdout, "")
            for word in says:
                self.assertIn(word, done.stderr)

        refused("nowhere.scene", says=["nowhere.scene", "No such file"])
        refused(self.file("a.txt", "x"), says=["unknown kind"])
        refused(self.file("bad.scene", "blox\n"), says=["bad.scene:1:", "did you mean 'box'"])
        refused(self.file("bad.vnav", "x"), says=["bad.vnav"])
        refused(self.file("bad.vnrec", "x"), says=["bad.vnrec"])
        refused(FIXTURES / "halls.vnav", "--resolution", "2", says=["bake it again"])
        refused(self.file("a.scene", SCENE), "-o", "missing/x.html", says=["missing/x.html"])
        self.assertEqual(sorted(p.name for p in self.dir.glob("*.html")), ["cockpit.html"])

    def test_a_page_that_is_missing_or_none(self):
        scene = self.file("a.scene", SCENE)
        for page, word in ((self.dir / "nowhere", "make cockpit-build"), (scene, "make cockpit-build")):
            done = self.view(scene, env={"VOLNAV_COCKPIT": str(page)}, expect=2)
            self.assertIn(word, done.stderr)

    @unittest.skipIf(os.name != "posix" or has_sanitizer(), "links to the tool as it is installed")
    def test_where_the_page_is_looked_for(self):
        """Beside the tool, in a build tree, and in an install."""
        scene = self.file("a.scene", SCENE)
        tool = self.dir / "p" / "bin" / "volnav"
        tool.parent.mkdir(parents=True)
        shutil.copy(TOOL, tool)
        run = lambda: subprocess.run([tool, "view", scene, "-o", "x.html", "--no-open"], cwd=self.dir, capture_output=True, text=True,
                                     env=dict(os.environ, VOLNAV_COCKPIT=""))
        done = run()
        self.assertEqual(done.returncode, 2)
        self.assertIn("make cockpit-build", done.stderr)
        for place in ("share/volnav", "out", "bin"):
            page = self.dir / "p" / place / "cockpit.html"
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(PAGE + place)
            self.assertEqual(run().returncode, 0, place)
            self.assertTrue((self.dir / "x.html").read_text().endswith(place))


if __name__ == "__main__":
    unittest.main()
