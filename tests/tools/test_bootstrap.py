"""tools/bootstrap on machines that we do not have: each test gives it a PATH whose dpkg-query, id, sudo and apt-get are made up."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

BOOTSTRAP = Path(__file__).resolve().parents[2] / "tools" / "bootstrap"
NORMAL = ("gcc g++ libc6-dev:amd64 make cmake ninja-build pkgconf:amd64 python3 libcmocka-dev libassimp-dev libqhull-dev:amd64 "
          "libzstd-dev:amd64 libxxhash-dev:amd64").split()
BORROWED = "bash env sed tr sort head".split()


class Bootstrap(unittest.TestCase):
    def setUp(self):
        self.bin = Path(tempfile.mkdtemp(prefix="bootstrap"))
        self.addCleanup(shutil.rmtree, self.bin)
        for name in BORROWED:
            (self.bin / name).symlink_to(shutil.which(name))
        self.log = self.bin / "log"
        self.log.touch()
        self.program("cmake", "echo cmake version 3.25.1")

    def program(self, name, body):
        file = self.bin / name
        file.write_text(f"#!/usr/bin/env bash\n{body}\n")
        file.chmod(0o755)

    def debian(self, installed, user=0):
        """A Debian with these packages; its apt-get writes down what it is asked for."""
        provides = {"pkgconf:amd64": "pkg-config (= 1.8.1-1)", "gcc": "c-compiler, gcc-x86-64-linux-gnu (= 4:12.2.0-3)"}
        lines = [f"installed {name} {provides.get(name, '')}" for name in installed] + ["config-files clang "]
        self.program("dpkg-query", "cat <<'END'\n" + "\n".join(lines) + "\nEND")
        (self.bin / "cat").symlink_to(shutil.which("cat"))
        self.program("id", f"echo {user}")
        self.program("apt-get", f'echo "$DEBIAN_FRONTEND $*" >>"{self.log}"')

    def run_it(self, *groups):
        return subprocess.run([shutil.which("bash"), BOOTSTRAP, *groups], env={"PATH": str(self.bin)},
                              capture_output=True, text=True)

    def apt_calls(self):
        return self.log.read_text().splitlines()

    def test_nothing_missing_is_silent(self):
        self.debian(NORMAL)
        run = self.run_it()
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))
        self.assertEqual(self.apt_calls(), [])

    def test_root_installs_what_is_missing(self):
        self.debian([name for name in NORMAL if name not in ("cmake", "libqhull-dev:amd64")])
        run = self.run_it()
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout, "tools/bootstrap: installing cmake libqhull-dev\n")
        self.assertEqual(self.apt_calls(), [
            "noninteractive --quiet=2 --yes update",
            "noninteractive --quiet=2 --yes install --no-install-recommends cmake libqhull-dev"])

    def test_sudo_without_password_installs(self):
        self.debian(NORMAL[1:], user=1000)
        self.program("sudo", f'echo "sudo $*" >>"{self.log}"; [ "$2" = true ] || {{ shift; exec "$@"; }}')
        run = self.run_it()
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.apt_calls()[-1], "noninteractive --quiet=2 --yes install --no-install-recommends gcc")

    def test_without_rights_one_command_is_printed(self):
        self.debian(NORMAL[2:], user=1000)
        self.program("sudo", "exit 1")
        run = self.run_it()
        self.assertEqual(run.returncode, 1)
        self.assertIn("\n  sudo apt-get install --yes --no-install-recommends gcc g++\n", run.stderr)
        self.assertEqual(self.apt_calls(), [])

    def test_removed_package_with_settings_left_is_missing(self):
        self.debian(NORMAL)
        run = self.run_it("long")
        self.assertEqual(run.stdout, "tools/bootstrap: installing clang libclang-rt-dev gcc-mingw-w64-x86-64 gcc-aarch64-linux-gnu "
                                     "libc6-dev-arm64-cross qemu-user wine64 xz-utils\n")

    def test_failed_update_still_tries(self):
        self.debian(NORMAL[1:])
        self.program("apt-get", f'echo "$*" >>"{self.log}"; [ "$3" != update ]')
        run = self.run_it()
        self.assertEqual(run.returncode, 0)
        self.assertIn("update failed", run.stderr)
        self.assertEqual(len(self.apt_calls()), 2)

    def test_failed_install_fails(self):
        self.debian(NORMAL[1:])
        self.program("apt-get", '[ "$3" != install ]')
        run = self.run_it()
        self.assertEqual(run.returncode, 1)
        self.assertIn("could not install gcc", run.stderr)

    def test_group_tidy(self):
        self.debian(NORMAL)
        self.assertEqual(self.run_it("tidy").stdout, "tools/bootstrap: installing clang-tidy\n")

    def test_unknown_group(self):
        self.debian(NORMAL)
        self.assertEqual(self.run_it("everything").returncode, 2)

    def test_old_cmake(self):
        self.debian(NORMAL)
        self.program("cmake", "echo cmake version 3.18.4")
        run = self.run_it()
        self.assertEqual(run.returncode, 1)
        self.assertIn("3.22 or newer", run.stderr)

    def test_other_system_complete(self):
        for name in "cc c++ make ninja pkg-config python3".split():
            self.program(name, "exit 0")
        run = self.run_it()
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_other_system_says_what_is_missing(self):
        for name in "cc c++ make pkg-config python3".split():
            self.program(name, "exit 0")
        self.program("pkg-config", '[ "$2" != assimp ]')
        run = self.run_it()
        self.assertEqual(run.returncode, 1)
        self.assertIn("what is missing: ninja assimp\n", run.stderr)


if __name__ == "__main__":
    unittest.main()
