"""Layers keep their distance: random queries at several radii on mesh worlds, checked against the triangles."""
import math
import os
import pathlib
import random
import unittest

from tool import CliTest, obj

LONG = os.environ.get("VN_TEST_LONG") == "1"
DATA = pathlib.Path(os.environ.get("VN_DATA", ""))
RADII = ("0", "0.25", "1")
SEED = 20261115


def tumbled_box(rng, center, half):
    """Corners of a box that is turned by a random rotation."""
    while True:
        q = [rng.gauss(0, 1) for _ in range(4)]
        n = math.sqrt(sum(c * c for c in q))
        if n > 0.1:
            break
    w, x, y, z = (c / n for c in q)
    rows = ((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))
    corners = [(sx * half[0], sy * half[1], sz * half[2]) for sz in (-1, 1) for sy in (-1, 1) for sx in (-1, 1)]
    return [tuple(c + sum(r * v for r, v in zip(row, corner)) for c, row in zip(center, rows)) for corner in corners]


def rubble(seed, count=60):
    """Tumbled slabs and beams in a room of 24 m; what is left between them is narrow in places."""
    rng = random.Random(seed)
    faces = [(1, 3, 4), (1, 4, 2), (5, 6, 8), (5, 8, 7), (1, 2, 6), (1, 6, 5), (3, 7, 8), (3, 8, 4), (1, 5, 7), (1, 7, 3),
             (2, 4, 8), (2, 8, 6)]
    vertices, triangles = [], []
    for _ in range(count):
        center = [rng.uniform(1, 23) for _ in range(3)]
        half = rng.choice(((0.1, 2, 3), (0.5, 0.5, 4), (1, 1, 1), (0, 2, 2)))
        triangles += [tuple(len(vertices) + i for i in face) for face in faces]
        vertices += tumbled_box(rng, center, half)
    return obj(vertices, triangles)


class Radius(CliTest):
    def keeps_its_distance(self, mesh, queries, *options):
        self.run_tool("bake", mesh, "--resolution", "0.25", "--radius", ",".join(RADII), "-o", "layers.vnav", *options)
        for radius in RADII:
            done = self.run_json("bench", "layers.vnav", "--source", mesh, "--radius", radius, "--random", queries, "--passes", 1)
            result = done["results"][0]
            counts = [result[key] for key in ("queries", "found", "valid")]
            self.assertEqual(counts, [queries] * 3, f"{mesh} at radius {radius}, seed {SEED}")

    def test_rubble(self):
        print(f"rubble: seed {SEED}")
        self.keeps_its_distance(self.file("rubble.obj", rubble(SEED)), 1000 if LONG else 100, "--margin", "2")

    @unittest.skipUnless(LONG and DATA.is_dir() and (DATA / "meshes").is_dir(), "needs VN_TEST_LONG=1 and VN_DATA")
    def test_real_meshes(self):
        for name in ("dungeon.obj", "nav_test.obj"):
            self.keeps_its_distance(str(DATA / "meshes" / name), 1000, "--margin", "2")


if __name__ == "__main__":
    unittest.main()
