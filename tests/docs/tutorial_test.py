#!/usr/bin/env python3
"""Runs every command of docs/tutorial.md: each line that it shows must be printed, in this order.

usage: tutorial_test.py HEDDLE SOURCE
"""

import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

heddle, source = sys.argv[1], pathlib.Path(sys.argv[2])


def commands(text):
    """The commands of console blocks, each with the lines below it."""
    inside = False
    for line in text.splitlines():
        if line.startswith("```"):
            inside = line == "```console"
        elif inside and line.startswith("$ "):
            shown = []
            yield line[2:], shown
        elif inside:
            shown.append(line)


def missing(shown, printed):
    """The first line that is not the beginning of a line of the rest."""
    rest = iter(printed.splitlines())
    for line in shown:
        if not any(candidate.startswith(line) for candidate in rest):
            return line
    return None


assert missing(["a", "c"], "ab\nb\nc") is None and missing(["c", "a"], "a\nb\nc") == "a"
count = 0
with tempfile.TemporaryDirectory() as folder:
    for file in (source / "examples/tutorial").iterdir():
        shutil.copy(file, folder)
    for command, shown in list(commands((source / "docs/tutorial.md").read_text())):
        words = shlex.split(command)
        assert words[0] == "heddle", command
        ended = subprocess.run([heddle, *words[1:]], cwd=folder, capture_output=True, text=True)
        line = missing(shown, ended.stdout)
        if line is not None or not shown:
            sys.exit(f"$ {command}\nshould print: {line}\nprinted:\n{ended.stdout}{ended.stderr}")
        count += 1
assert count >= 10, f"only {count} commands were found"
print(f"{count} commands print what the tutorial shows")
