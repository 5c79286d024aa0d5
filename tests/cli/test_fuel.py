"""query --fuel: the model of Maruszczyk 2016 and gravity, weather, limits on climbs; in text, in JSON and in records."""
import math
import unittest

from tool import CliTest

OPEN = "resolution 1\nbounds 0 0 0  40 20 20\n"
RAIN = OPEN + "zone 15 0 0  25 14 20  8\n"
LEVEL = ("--from", "5.5,10.5,10.5", "--to", "35.5,10.5,10.5")


class Fuel(CliTest):
    def ask(self, scene, *options):
        return self.run_json("query", self.file("fuel.scene", scene), *options)

    def test_level_flight(self):
        for model in ("r16", "gravity"):
            for algo in ("cells", "astar", "dijkstra"):
                answer = self.ask(OPEN, *LEVEL, "--fuel", model, "--algo", algo)
                self.assertAlmostEqual(answer["fuel"], 0.2 * 30)
                self.assertAlmostEqual(answer["cost"], 30)
                self.assertTrue(answer["checked"])

    def test_climbing_at_45_degrees(self):
        for ends, share in ((("5.5,2.5,10.5", "15.5,12.5,10.5"), 1.5), (("15.5,12.5,10.5", "5.5,2.5,10.5"), 0.75)):
            answer = self.ask(OPEN, "--from", ends[0], "--to", ends[1], "--fuel", "r16", "--refine", "none")
            self.assertLessEqual(answer["fuel"], 0.2 * math.sqrt(200) * share + 1e-9)
            answer = self.ask(OPEN, "--from", ends[0], "--to", ends[1], "--fuel", "gravity")
            self.assertAlmostEqual(answer["fuel"], 0.2 * (math.sqrt(200) + (10 if share > 1 else -5)), places=6)

    def test_weather(self):
        straight = 0.2 * (20 + 8 * 10)
        for algo in ("cells", "astar"):
            around = self.ask(RAIN, *LEVEL, "--fuel", "r16", "--algo", algo)
            through = self.ask(RAIN, *LEVEL, "--fuel", "r16", "--algo", algo, "--ignore-weather")
            self.assertLess(around["fuel"], straight)
            self.assertAlmostEqual(through["fuel"], straight)
            self.assertGreater(around["length"], through["length"])

    def test_climbs(self):
        ends = ("--from", "5.5,2.5,10.5", "--to", "8.5,17.5,10.5", "--algo", "astar")
        free, limited = self.ask(OPEN, *ends), self.ask(OPEN, *ends, "--climbs", "2")
        self.assertGreater(limited["length"], free["length"])
        self.assertNotIn("fuel", limited)
        steps = [b[1] - a[1] for a, b in zip(limited["points"], limited["points"][1:])]
        self.assertLessEqual(max(steps), 2)

    def test_text_and_record(self):
        scene, record = self.file("fuel.scene", RAIN), str(self.dir / "fuel.vnrec")
        done = self.run_tool("query", scene, *LEVEL, "--fuel", "gravity", "--record", record)
        self.assertRegex(done.stdout, r"(?m)^fuel: \d+\.\d+ by gravity$")
        self.assertIn("same", self.run_tool("replay", record).stdout)

    def test_refused(self):
        scene = self.file("fuel.scene", OPEN)
        for options, says in ((("--fuel", "oil"), ["--fuel oil", "r16, gravity"]),
                              (("--climbs", "16", "--algo", "astar"), ["--climbs 16", "1 to 15"]),
                              (("--climbs", "2"), ["climbs are steps of the grid"]),
                              (("--ignore-weather",), ["--ignore-weather belongs to --fuel"]),
                              (("--fuel", "r16", "--algo", "theta"), ["theta does not know fuel"]),
                              (("--climbs", "2", "--algo", "jps"), ["does not know --climbs"]),
                              (("--fuel", "r16", "--algo", "astar", "--heuristic", "octile"), ["another heuristic"]),
                              (("--fuel", "r16", "--clearance", "2"), ["a preferred clearance"])):
            with self.subTest(options=options):
                self.refused("query", scene, *LEVEL, *options, says=says)

    def test_links_are_left(self):
        scene = OPEN + "link 5.5 10.5 10.5  35.5 10.5 10.5  1\n"
        answer = self.ask(scene, *LEVEL, "--fuel", "r16")
        self.assertAlmostEqual(answer["length"], 30)
        self.assertTrue(any("links" in warning for warning in answer["warnings"]))


if __name__ == "__main__":
    unittest.main()
