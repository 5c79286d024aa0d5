"""Saved spaces and records: bake -o, info, query on a .vnav, stale and broken files, replay."""
import json
import unittest

from tool import STATION, CliTest

HALLS = """
resolution 0.5
bounds 0 0 0  24 8 8
box 11 0 0  12 8 3
box 11 0 5  12 8 8
box 11 0 3  12 3 5
box 11 5 3  12 8 5
link 2 2 2  22 6 6  1 both
"""

FROM_TO = ("--from", "2,4,4", "--to", "22,4,4")


class Files(CliTest):
    def halls(self, text=HALLS):
        return self.file("halls.scene", text)

    def baked(self, *options):
        self.run_tool("bake", self.halls(), "-o", "halls.vnav", *options)
        return str(self.dir / "halls.vnav")

    def test_a_saved_space_answers_like_a_baked_one(self):
        saved = self.baked("--radius", "0.25")
        plain = self.run_json("query", self.halls(), "--radius", "0.25", *FROM_TO)
        again = self.run_json("query", saved, "--radius", "0.25", *FROM_TO)
        for key in ("status", "length", "cost", "points", "expanded", "checked"):
            self.assertEqual(plain[key], again[key], key)
        self.assertIsNone(again["clearance"])  # no shapes to measure against
        with_source = self.run_json("query", saved, "--source", self.halls(), "--radius", "0.25", *FROM_TO)
        self.assertEqual(plain["clearance"], with_source["clearance"])

    def test_info_names_everything(self):
        info = self.run_json("info", self.baked("--radius", "0,0.25,0.75"))
        for key in ("version", "space", "bounds", "resolution", "layers", "cells", "components", "bytes"):
            self.assertIn(key, info)
        self.assertEqual(info["bounds"], [[0, 0, 0], [24, 8, 8]])
        self.assertEqual([layer["radius"] for layer in info["layers"]], [0, 0.25, 0.75])
        self.assertEqual(info["links"], 1)
        self.assertEqual(info["comment"], "halls.scene")
        self.assertEqual(info["bytes"]["total"], (self.dir / "halls.vnav").stat().st_size)
        text = self.run_tool("info", "halls.vnav", "--check").stdout
        self.assertIn("radius 0.75 m", text)
        self.assertIn("checked  whole", text)

    def test_the_layer_for_the_radius_answers(self):
        saved = self.baked("--radius", "0,0.25,0.75")
        for asked, got in (("0", 0), ("0.1", 0.25), ("0.25", 0.25), ("0.5", 0.75)):
            self.assertEqual(self.run_json("query", saved, "--radius", asked, *FROM_TO)["radius"], got)
        self.refused("query", saved, "--radius", "0.8", *FROM_TO, says=["0.8", "0.75", "bake"])

    def test_bake_again_gives_the_same_bytes(self):
        first = self.baked("--threads", "1", "--radius", "0,0.5")
        before = (self.dir / "halls.vnav").read_bytes()
        self.assertEqual(first, self.baked("--threads", "3", "--radius", "0.5,0"))
        self.assertEqual(before, (self.dir / "halls.vnav").read_bytes())

    def test_a_stale_file_is_refused(self):
        saved = self.baked()
        source = self.halls()
        self.assertIn("up to date", self.run_tool("info", saved, "--source", source).stdout)
        self.halls(HALLS + "sphere 5 4 4 1\n")
        for command in (("info", saved), ("query", saved, *FROM_TO)):
            self.refused(*command, "--source", source, says=["stale", "bake"])
        self.refused("query", source, "--source", saved, *FROM_TO, says=["--source"])

    def test_broken_files_are_refused_with_the_reason(self):
        saved = self.baked()
        good = (self.dir / "halls.vnav").read_bytes()
        flipped = bytearray(good)
        flipped[len(good) // 2] ^= 4
        for name, bad in (("empty", b""), ("foreign", b"voxel 8 8 8\n" * 40), ("cut", good[:-5]), ("flipped", bytes(flipped)),
                          ("longer", good + b"x")):
            path = self.file(name + ".vnav", bad)
            self.refused("info", path, "--check", says=[name + ".vnav"])
            self.refused("query", path, *FROM_TO, says=[name + ".vnav"])
        self.refused("info", "none.vnav", says=["none.vnav", "No such file"])
        self.assertEqual((self.dir / "halls.vnav").read_bytes(), good)

    def test_saving_where_nothing_can_be_saved(self):
        self.refused("bake", self.halls(), "-o", "no/such/folder/x.vnav", says=["no/such/folder"])
        self.assertEqual([p.name for p in self.dir.iterdir()], ["halls.scene"])

    def test_record_and_replay(self):
        self.run_tool("query", self.halls(), *FROM_TO, "--radius", "0.25", "--record", "a.vnrec")
        self.assertIn("the same answer", self.run_tool("replay", "a.vnrec").stdout)
        again = self.run_json("replay", "a.vnrec")
        self.assertTrue(again["same"])
        self.assertIsNone(again["difference"])
        self.assertEqual(again["points"], again["recorded"]["points"])
        self.assertEqual(self.run_json("info", "a.vnrec")["kind"], "record")

    def test_failures_are_recorded_too(self):
        self.run_tool("query", self.halls(), "--from", "2,4,4", "--to", "11.5,1,1", "--record", "a.vnrec", expect=1)
        self.assertEqual(self.run_json("replay", "a.vnrec")["status"], "goal-blocked")

    def test_a_record_carries_the_terms(self):
        self.run_tool("query", self.halls(), "--from", "2,2,3", "--to", "22,6,5", "--clearance", "1", "--jitter", "0.5",
                      "--jitter-seed", "9", "--altitude", "1,7", "--record", "a.vnrec")
        self.assertTrue(self.run_json("replay", "a.vnrec")["same"])
        self.refused("replay", self.baked(), says=["halls.vnav"])
        self.refused("replay", says=["vnrec"])

    def test_bench_reads_saved_spaces(self):
        done = self.run_json("bench", self.baked("--radius", "0.25"), "--random", "20", "--radius", "0.25", "--source", self.halls())
        self.assertEqual([done["results"][0][k] for k in ("queries", "found", "valid")], [20, 20, 20])
        self.assertIsNone(done["results"][0]["length_over_scen"])
        self.refused("bench", self.halls(), says=["--random"])


if __name__ == "__main__":
    unittest.main()
