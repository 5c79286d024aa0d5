"""Installs a build into a new prefix, moves that prefix elsewhere, and builds and runs programs against it: through
find_package and through pkg-config, with the shared libraries and the static ones. VOLNAV_BUILD names the build."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SAMPLE = ROOT / "samples" / "02-query.c"
READER = HERE / "reader.c"
CLASSICS = ROOT / "samples" / "10-classics.c"
HANDLES = ROOT / "tests" / "compile" / "volnav_hpp.cpp"
PROGRAMS = (("sample", SAMPLE, "volnav"), ("reader", READER, "volnav_io"), ("classics", CLASSICS, "volnav_classic"))


def run(*command, **settings):
    done = subprocess.run([str(one) for one in command], capture_output=True, text=True, **settings)
    if done.returncode != 0:
        raise AssertionError(f"{command} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = Path(tempfile.mkdtemp(prefix="volnav-install"))
        cls.addClassCleanup(shutil.rmtree, cls.scratch)
        run("cmake", "--install", os.environ["VOLNAV_BUILD"], "--prefix", cls.scratch / "first")
        cls.prefix = cls.scratch / "moved"
        (cls.scratch / "first").rename(cls.prefix)
        cls.libdir = next(cls.prefix.rglob("libvolnav.a")).parent
        cls.has_zstd = "libzstd" in next(cls.prefix.rglob("volnav_io.pc")).read_text()
        cls.pkgconfig = {**os.environ, "PKG_CONFIG_PATH": str(next(cls.prefix.rglob("volnav.pc")).parent)}

    def expect_output(self, program, **settings):
        out = run(program, **settings)
        if program.name.startswith("reader"):
            self.assertIn("a map with 2 blocked voxels", out)
            self.assertIn(f"zstd: {'yes' if self.has_zstd else 'no'}", out)
        else:
            self.assertNotEqual(out, "")

    def needed(self, program):
        return re.findall(r"NEEDED\)\s+Shared library: \[(libvolnav[^]]*)\]", run("readelf", "-d", program))

    def test_find_package(self):
        build = self.scratch / "cmake"
        run("cmake", "-S", HERE, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DSAMPLE={SAMPLE}", f"-DCLASSICS={CLASSICS}",
            f"-DHANDLES={HANDLES}")
        run("cmake", "--build", build)
        for name in ("handles", "handles_static"):
            self.assertIn("all of it works", run(build / name))
        for name, _, _ in PROGRAMS:
            self.expect_output(build / name)
            self.expect_output(build / f"{name}_static")
            self.assertIn("libvolnav.so.0.1", self.needed(build / name))
            self.assertEqual(self.needed(build / f"{name}_static"), [])

    def pkg_config(self, *arguments):
        return run("pkg-config", *arguments, env=self.pkgconfig).split()

    def test_pkg_config_shared(self):
        for name, source, package in PROGRAMS:
            program = self.scratch / f"{name}-pc"
            run("cc", "-std=c17", source, "-o", program, *self.pkg_config("--cflags", "--libs", package))
            self.expect_output(program, env={**os.environ, "LD_LIBRARY_PATH": str(self.libdir)})
            self.assertIn("libvolnav.so.0.1", self.needed(program))

    def test_pkg_config_static(self):
        for name, source, package in PROGRAMS:
            program = self.scratch / f"{name}-pc-static"
            run("cc", "-std=c17", "-static", source, "-o", program, *self.pkg_config("--static", "--cflags", "--libs", package))
            self.expect_output(program)

    def test_versions_agree(self):
        header = (self.prefix / "include/volnav/base.h").read_text()
        text = re.search(r'VN_VERSION_TEXT\s+"([^"]+)"', header).group(1)
        for package in ("volnav", "volnav_io", "volnav_classic", "volnav_sim"):
            self.assertEqual(self.pkg_config("--modversion", package), [text])

    def test_nothing_names_the_build(self):
        for file in [*self.prefix.rglob("*.cmake"), *self.prefix.rglob("*.pc")]:
            self.assertNotIn(str(ROOT), file.read_text(), file)

    def test_internal_headers_stay_at_home(self):
        installed = {str(one.relative_to(self.prefix / "include")) for one in (self.prefix / "include").rglob("*.h")}
        public = {str(one.relative_to(ROOT / "include")) for one in (ROOT / "include").rglob("*.h")}
        self.assertEqual(installed, public)


if __name__ == "__main__":
    unittest.main()
