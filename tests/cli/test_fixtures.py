"""Files that version 0.1 wrote (tests/fixtures) are still read, and answer as they did then."""
import json
import unittest

from tool import ROOT, CliTest

FIXTURES = ROOT / "tests" / "fixtures"
EXPECTED = json.loads((FIXTURES / "expected.json").read_text())
ANSWER = ("status", "length", "cost", "points", "expanded")
LAYER = ("radius", "open_flags", "unknown", "cells", "links", "components", "blocked_voxels", "free_voxels", "unknown_voxels")


class Fixtures(CliTest):
    def test_a_saved_space_has_what_it_had(self):
        info = self.run_json("info", FIXTURES / "halls.vnav", "--check")
        self.assertEqual([{key: layer[key] for key in LAYER} for layer in info["layers"]], EXPECTED["layers"])

    def test_a_saved_space_answers_as_it_did(self):
        for query in EXPECTED["queries"]:
            got = self.run_json("query", FIXTURES / "halls.vnav", *query["options"], expect=query["exit"])
            self.assertEqual({key: got[key] for key in ANSWER}, query["answer"], query["options"])

    def test_baking_its_source_gives_the_same_bytes(self):
        bake = self.run_json("bake", FIXTURES / "halls.scene", *EXPECTED["bake"], "-o", "again.vnav")
        self.assertEqual(bake["hash"], EXPECTED["hash"])
        self.assertIn("up to date", self.run_tool("info", FIXTURES / "halls.vnav", "--source", FIXTURES / "halls.scene").stdout)

    def test_every_record_is_answered_as_it_was(self):
        records = sorted(FIXTURES.glob("*.vnrec"))
        self.assertEqual([path.name for path in records], sorted(EXPECTED["records"]))
        for path in records:
            replay = self.run_json("replay", path)
            self.assertTrue(replay["same"], path.name)
            self.assertEqual({key: replay[key] for key in ANSWER}, EXPECTED["records"][path.name], path.name)


if __name__ == "__main__":
    unittest.main()
