#!/usr/bin/python3
"""Runs the Python of docs/python.md: each block in turn, in a copy of examples/tutorial. A line
`# prints: TEXT` below a print says how a line of its output begins.

usage: tutorial_test.py SOURCE   (PYTHONPATH says where the module is)
"""

import contextlib
import io
import os
import pathlib
import shutil
import sys
import tempfile


def blocks(text):
    """The lines of blocks of Python."""
    inside, lines = False, []
    for line in text.splitlines():
        if line.startswith("```"):
            if inside:
                yield "\n".join(lines)
            inside, lines = line == "```python", []
        elif inside:
            lines.append(line)


def missing(shown, printed):
    """The first line that is not the beginning of a line of the rest."""
    rest = iter(printed.splitlines())
    for line in shown:
        if not any(candidate.strip().startswith(line) for candidate in rest):
            return line
    return None


assert missing(["a", "c"], "ab\nb\n c") is None and missing(["c", "a"], "a\nb\nc") == "a"
source = pathlib.Path(sys.argv[1]).resolve()
names, count = {}, 0
with tempfile.TemporaryDirectory() as folder:
    shutil.copytree(source / "examples/tutorial", folder, dirs_exist_ok=True)
    os.chdir(folder)
    for block in blocks((source / "docs/python.md").read_text()):
        shown = [line.split("# prints: ", 1)[1] for line in block.splitlines() if "# prints: " in line]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, "docs/python.md", "exec"), names)
        line = missing(shown, printed.getvalue())
        if line is not None:
            sys.exit(f"{block}\nshould print: {line}\nprinted:\n{printed.getvalue()}")
        count += len(shown)
    os.chdir("/")
assert count >= 10, f"only {count} lines were looked at"
print(f"{count} lines are printed as docs/python.md shows")
