"""The real maps and meshes, when the environment variable VN_DATA names their folder (make test-long sets it)."""

import glob
import math
import os
import unittest

from tool import CliTest

DATA = os.environ.get("VN_DATA", "")


@unittest.skipUnless(DATA, "VN_DATA is not set")
class RealData(CliTest):
    def bench(self, name, algo):
        path = os.path.join(DATA, "warframe", name + ".3dmap")
        result = self.run_json("bench", path, "--scen", path + ".3dscen", "--algo", algo, "--sample", "200", "--passes", "1")
        row = result["results"][0]
        self.assertEqual((row["queries"], row["found"], row["valid"], row["cost_errors"]), (200, 200, 200, 0))
        self.assertLess(row["max_cost_error"], 1e-5)

    def test_astar_costs_are_those_of_the_scenario(self):
        for name in ("Simple", "Complex", "DA1"):
            with self.subTest(map=name):
                self.bench(name, "astar")

    def bench_cells(self, path, sample, *options):
        """Results of cells, after what must hold of each: all found, all checked."""
        answer = self.run_json("bench", path, "--sample", sample, "--passes", "1", *options)
        for row in answer["results"]:
            self.assertEqual((row["found"], row["valid"]), (row["queries"], row["queries"]))
            self.assertIsNone(row["cost_errors"])
            self.assertLessEqual(row["bytes"], 64e6)
        return answer["results"]

    def test_cells_find_short_ways_on_every_map(self):
        logs = []
        paths = sorted(glob.glob(os.path.join(DATA, "warframe", "*.3dmap")))
        self.assertEqual(len(paths), 14)
        for path in paths:
            with self.subTest(map=os.path.basename(path)):
                rows = self.bench_cells(path, 1000, "--quality", "standard,best")
                standard, best = (row["length_over_scen"] for row in rows)
                self.assertLessEqual(standard, 0.945)
                self.assertLessEqual(best, standard)
                logs.append((math.log(standard), math.log(best)))
        standard, best = (math.exp(sum(values) / len(values)) for values in zip(*logs))
        self.assertLessEqual(standard, 0.927)
        self.assertLessEqual(best, 0.9235)

    def test_cells_on_all_lines_of_a_map(self):
        rows = self.bench_cells(os.path.join(DATA, "warframe", "Complex.3dmap"), 0)
        self.assertEqual(rows[0]["queries"], 10000)

    def test_dijkstra_agrees_on_the_small_map(self):
        self.bench("Simple", "dijkstra")

    def test_quantised_duck(self):
        # 1.65 x 1.54 x 1.15 m, as its unquantised original.
        answer = self.run_json("bake", os.path.join(DATA, "real", "duck-quantized", "Duck.gltf"), "--resolution", "0.01")
        for got, metres in zip(answer["dims"], (1.655, 1.541, 1.153)):
            self.assertAlmostEqual(got / 100, metres, delta=0.02)
        self.assertEqual(answer["triangles"], 4212)

    def test_solid_volume_converges(self):
        path = os.path.join(DATA, "meshes", "spot.obj")
        errors = []
        for resolution in ("0.04", "0.02", "0.01"):
            result = self.run_json("bake", path, "--solid", "--resolution", resolution)
            errors.append(result["volume"] / result["mesh_volume"] - 1)
        for coarse, fine in zip(errors, errors[1:]):
            self.assertGreater(fine, 0)  # conservative: never too little
            self.assertLess(fine, 0.55 * coarse)  # the surface layer halves with the resolution

    def test_ways_through_buildings(self):
        ways = {
            "dungeon": ("-13.64,1.122,3.584", "21.61,17.622,-88.916"),
            "nav_test": ("-17.014,-0.995,-15.675", "36.986,0.755,4.075"),
        }
        for name, (start, goal) in ways.items():
            for radius in ("0", "0.3"):
                with self.subTest(mesh=name, radius=radius):
                    path = os.path.join(DATA, "meshes", name + ".obj")
                    result = self.run_json("query", path, "--resolution", "0.25", "--radius", radius, "--seed", start, "--from", start, "--to", goal)
                    self.assertEqual((result["status"], result["checked"]), ("path", True))
                    self.assertGreaterEqual(result["clearance"], float(radius) - 1e-9)


if __name__ == "__main__":
    unittest.main()
