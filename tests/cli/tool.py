"""Runs the command-line tool for the tests and makes small inputs for it."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = os.environ.get("VOLNAV", str(ROOT / "build" / "volnav"))
if os.sep in TOOL:
    TOOL = os.path.abspath(TOOL)
STATION = ROOT / "samples" / "scenes" / "station.scene"


def is_long():
    """Are these the long sizes (make test-long)?"""
    return os.environ.get("VN_TEST_LONG", "0") not in ("", "0")


def has_sanitizer():
    """A sanitizer makes everything slower, and its memory says nothing about the tool's."""
    data = pathlib.Path(TOOL).read_bytes()
    return b"__asan_init" in data or b"__tsan_init" in data


def is_debug():
    """Built with debug information, which is without optimisation here."""
    return b".debug_info" in pathlib.Path(TOOL).read_bytes()


class CliTest(unittest.TestCase):
    """A folder of its own for each test, and ways to run the tool in it."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.dir = pathlib.Path(self.folder.name)

    def file(self, name, text):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text)
        return str(path)

    def run_tool(self, *args, expect=0, env=None):
        """Runs the tool in the test's folder and checks its exit code."""
        done = subprocess.run([TOOL, *map(str, args)], cwd=self.dir, capture_output=True, text=True, timeout=300,
                              env=dict(os.environ, **(env or {})))
        self.assertEqual(done.returncode, expect, f"{args}\nstdout: {done.stdout[-2000:]}\nstderr: {done.stderr[-2000:]}")
        return done

    def run_json(self, *args, expect=0):
        return json.loads(self.run_tool(*args, "--json", expect=expect).stdout)

    def refused(self, *args, says=()):
        """Exit code 2, nothing on standard output, and every word of `says` on standard error."""
        done = self.run_tool(*args, expect=2)
        self.assertEqual(done.stdout, "")
        for word in says:
            self.assertIn(str(word), done.stderr)
        return done

    def map_file(self, name="map.3dmap", dims=(8, 8, 8), blocked=()):
        lines = ["voxel %d %d %d" % dims] + ["%d %d %d" % v for v in blocked]
        return self.file(name, "\n".join(lines) + "\n")

    def wall_map(self, name="wall.3dmap", hole=None):
        """8 x 8 x 8 with a wall at x = 4, but for one hole."""
        wall = [(4, y, z) for y in range(8) for z in range(8) if (y, z) != hole]
        return self.map_file(name, (8, 8, 8), wall)


def obj(vertices, faces):
    """The text of an OBJ file; faces count from 1."""
    lines = ["v %r %r %r" % tuple(v) for v in vertices] + ["f " + " ".join(map(str, f)) for f in faces]
    return "\n".join(lines) + "\n"


CUBE_FACES = [(1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)]


def box_vertices(low, high):
    return [(x, y, z) for z in (low[2], high[2]) for y in (low[1], high[1]) for x in (low[0], high[0])]


def box_obj(low=(0, 0, 0), high=(1, 1, 1)):
    """A closed box whose faces look outwards."""
    return obj(box_vertices(low, high), CUBE_FACES)
