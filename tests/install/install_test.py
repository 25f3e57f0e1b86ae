#!/usr/bin/python3
"""Installs a build tree as a packager does (DESTDIR), and uses what is there as a new user does.

usage: install_test.py BUILD SOURCE FOLDER   (FOLDER is emptied; /opt/heddle is made below it)
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

BUILD, SOURCE, ROOT = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(3))
PREFIX = ROOT / "opt/heddle"
SHELL = {"bash": "share/bash-completion/completions/heddle", "zsh": "share/zsh/site-functions/_heddle",
         "fish": "share/fish/vendor_completions.d/heddle.fish"}


def run(*words, code=0, **more):
    """What the command prints; its exit code is looked at."""
    ended = subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)
    if ended.returncode != code:
        raise AssertionError(f"{words}: exit code {ended.returncode}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def heddle(*words, **more):
    return run(PREFIX / "bin/heddle", *words, **more)


def commands():
    """The commands that the help lists."""
    listed = heddle("--help").split("Subcommands:\n")[1].split("\n\n")[0]
    return re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE)


def options(command):
    """The options that the help of a command lists."""
    return sorted(set(re.findall(r"^  (?:-\w,)?(--[a-z-]+)", heddle(command, "--help"), re.MULTILINE)))


def setUpModule():
    shutil.rmtree(ROOT, ignore_errors=True)
    run("cmake", "--install", BUILD, "--prefix", "/opt/heddle", env={**os.environ, "DESTDIR": str(ROOT)})


class Program(unittest.TestCase):
    def test_version_names_the_commit(self):
        has_commit = (shutil.which("git") and (SOURCE / ".git").exists() and
                      subprocess.run(["git", "-C", SOURCE, "rev-parse", "HEAD"], capture_output=True).returncode == 0)
        pattern = r"heddle \d+\.\d+\.\d+" + (r" \([0-9a-f]{10,}\+?\)\n" if has_commit else r"\n")
        self.assertRegex(heddle("-V"), "^" + pattern + "$")

    def test_modules_are_found(self):
        """From a folder without any: a proof (Z3 or GLPK), a C program (Clang)."""
        heddle("verify", SOURCE / "examples/tutorial/withdraw-many.c", cwd="/")
        heddle("verify", SOURCE / "examples/tutorial/withdraw-broken.c", code=10, cwd="/")
        heddle("verify", SOURCE / "examples/thread-system/mutex.tts", cwd="/")
        modules = {path.name for path in (PREFIX / "lib/heddle").iterdir()}
        self.assertLessEqual({"heddle_z3.so", "heddle_cvc5.so", "heddle_glpk.so", "heddle_c.so"}, modules)

    def test_a_module_that_is_missing_is_named(self):
        copy = ROOT / "copy/bin"
        copy.mkdir(parents=True)
        shutil.copy(PREFIX / "bin/heddle", copy)
        ended = subprocess.run([copy / "heddle", "verify", SOURCE / "examples/tutorial/withdraw.c"],
                               capture_output=True, text=True)
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("heddle_c.so: not found", ended.stdout + ended.stderr)

    def test_documents(self):
        documents = PREFIX / "share/doc/heddle"
        for name in ("README.md", "LICENSE", "docs/tutorial.md", "docs/answer.schema.json",
                     "examples/tutorial/lock.tts"):
            self.assertTrue((documents / name).exists(), name)


class Generated(unittest.TestCase):
    """From the option tables: every command and every option of the help is there."""

    def test_manual_pages(self):
        folder = PREFIX / "share/man/man1"
        self.assertGreaterEqual(len(commands()), 10)
        for command in commands():
            page = (folder / f"heddle-{command}.1").read_text().replace("\\-", "-")
            for option in options(command):
                self.assertIn(f"\\fB{option}\\fR", page, command)
            self.assertIn(f"heddle-{command}", (folder / "heddle.1").read_text().replace("\\-", "-"))
        self.assertTrue(all(ord(c) < 128 for page in folder.iterdir() for c in page.read_text()))

    @unittest.skipUnless(shutil.which("man"), "there is no man")
    def test_manual_pages_are_formatted_everywhere(self):
        for page in (PREFIX / "share/man/man1").iterdir():
            formatted = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True,
                                       env={**os.environ, "LC_ALL": "C", "MANWIDTH": "80"})
            self.assertEqual((formatted.returncode, formatted.stderr), (0, ""), page.name)

    def test_completions(self):
        for shell, file in SHELL.items():
            text = (PREFIX / file).read_text()
            for command in commands():
                self.assertIn(command, text, shell)
                for option in options(command):
                    name = f"-l {option[2:]} " if shell == "fish" else option
                    self.assertIn(name, text, (shell, command))

    def complete(self, *words):
        """What bash offers for the last word."""
        script = f"""source {PREFIX / SHELL["bash"]}
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
            _heddle heddle "${{@: -1}}" "${{@: -2:1}}"; printf '%s\\n' "${{COMPREPLY[@]}}" """
        return run("bash", "-c", script, "bash", "heddle", *words, cwd=SOURCE).split()

    def test_bash_completes(self):
        self.assertEqual(self.complete("ver"), ["verify"])
        self.assertIn("--engine", self.complete("verify", "x.tts", "--eng"))
        self.assertEqual(self.complete("verify", "--color", "al"), ["always"])
        self.assertEqual(self.complete("verify", "--engine", "backward,expl"), ["backward,explore"])
        self.assertEqual(self.complete("engines", "expl"), ["explore"])
        self.assertIn("CHANGELOG.md", self.complete("verify", "CHANGE"))

    def test_shells_accept_them(self):
        for shell, file in SHELL.items():
            if shutil.which(shell):
                run(shell, "-n", PREFIX / file)


class Library(unittest.TestCase):
    def test_only_the_interface_is_visible(self):
        header = (PREFIX / "include/heddle/heddle.h").read_text()
        declared = set(re.findall(r"HEDDLE_API [^;(]*?\*?(heddle_\w+)\(", header))
        listed = run("nm", "-D", "--defined-only", PREFIX / "lib/libheddle.so")
        visible = {line.split()[2].split("@")[0] for line in listed.splitlines()} - {"HEDDLE_1"}
        self.assertEqual(visible, declared)
        self.assertGreater(len(declared), 40)

    def test_pkg_config(self):
        environment = {**os.environ, "PKG_CONFIG_PATH": str(PREFIX / "lib/pkgconfig")}
        flags = run("pkg-config", "--cflags", "--libs", "heddle", env=environment).split()
        program = ROOT / "lock"
        run("gcc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", SOURCE / "examples/library/lock.c",
            "-o", program, *flags, f"-Wl,-rpath,{PREFIX}/lib")
        printed = run(program, cwd="/")
        self.assertIn("SAFE: the target 1|1,1 is unreachable, for any number of threads", printed)
        self.assertIn("UNSAFE: the target 0|1,1 is reachable with 2 threads", printed)

    def test_find_package(self):
        tree = ROOT / "examples"
        run("cmake", "-G", "Ninja", "-S", SOURCE / "examples/library", "-B", tree, f"-DCMAKE_PREFIX_PATH={PREFIX}")
        run("cmake", "--build", tree)
        self.assertIn("confirmed by an independent check", run(tree / "buffer", cwd="/"))
        run(tree / "lock", cwd="/")


if __name__ == "__main__":
    unittest.main()
