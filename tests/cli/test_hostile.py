"""Files that are made to hurt: each is refused with its reason, within a second of processor time and 200 MB."""
import os
import subprocess
import tempfile
import threading
import unittest

import hostile
from tool import TOOL, CliTest, has_sanitizer, is_debug

SECONDS, MEGABYTES = 1, 200


def measured(folder, *args):
    """Runs the tool with what it starts: exit code, standard error, processor seconds, megabytes."""
    tool = subprocess.Popen([TOOL, *args], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    watchdog = threading.Timer(120, tool.kill)  # a tool that waits takes no processor time
    watchdog.start()
    errors = tool.stderr.read().decode(errors="replace")
    _, status, used = os.wait4(tool.pid, 0)
    watchdog.cancel()
    tool.stderr.close()
    tool.returncode = os.waitstatus_to_exitcode(status)
    return tool.returncode, errors, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def command(name):
    if name.endswith(".vnrec"):
        return ("replay", name)
    if name.endswith(".3dscen"):
        return ("bench", "small.3dmap", "--scen", name)
    return ("info", name, "--check") if name.endswith(".vnav") else ("bake", name)


class Hostile(CliTest):
    def setUp(self):
        super().setUp()
        os.mkfifo(self.dir / "pipe.bin")
        self.map_file("small.3dmap", (4, 4, 4), [(1, 1, 1)])
        self.file("small.scene", "resolution 1\nbounds 0 0 0 80 8 8\nbox 2 2 2 3 3 3\nlink 1 1 1 7 7 7 1\n")
        hostile.put(self.dir, "device.obj", hostile.Link("/dev/zero"))
        self.slow = 10 if has_sanitizer() else 5 if is_debug() else 1

    def check(self, name, content, reason):
        if not (self.dir / name).is_symlink():
            hostile.put(self.dir, name, content)
        code, errors, seconds, megabytes = measured(self.dir, *command(name))
        with self.subTest(file=name):
            self.assertEqual(code, 0 if reason is None else 2, errors[-2000:])
            self.assertIn(reason or "", errors)
            if reason is not None:
                self.assertIn(name, errors)
            self.assertLess(seconds, SECONDS * self.slow)
            if self.slow == 1:
                self.assertLess(megabytes, MEGABYTES)
        os.remove(self.dir / name)
        return seconds, megabytes

    def check_all(self, cases):
        self.count = 0
        for name, content, reason in cases:
            seconds, megabytes = self.check(name, content, reason)
            self.count += 1
            if os.environ.get("VN_HOSTILE_TABLE"):
                print("%-24s %-40s %5.2f s %6.1f MB" % (name, reason, seconds, megabytes))

    def test_gltf(self):
        self.check_all(hostile.gltf_cases())

    def test_other_meshes(self):
        self.check_all(hostile.mesh_cases())

    def test_scenes(self):
        self.check_all(hostile.scene_cases())

    def test_maps(self):
        self.check_all(hostile.map_cases())

    def test_brushes(self):
        self.check_all(hostile.brush_cases())

    def test_scenarios(self):
        self.check_all(hostile.scenario_cases())

    def test_saved_files(self):
        self.run_tool("bake", "small.scene", "-o", "good.vnav")
        self.run_tool("query", "small.scene", "--from", "1,1,1", "--to", "7,7,7", "--record", "good.vnrec")
        vnav, vnrec = ((self.dir / name).read_bytes() for name in ("good.vnav", "good.vnrec"))
        self.assertEqual(hostile.Store(vnav).bytes(), vnav)  # or the cases would be refused for their checksums
        self.check_all(hostile.store_cases(vnav, vnrec))


if __name__ == "__main__":
    unittest.main()
