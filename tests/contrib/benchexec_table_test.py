#!/usr/bin/env python3
"""BenchExec itself runs a sample with our tool-info module, and its table says what the table of
`heddle bench` says about the same tasks.

Usage: benchexec_table_test.py HEDDLE        (77: BenchExec is not installed, or cannot run here)
"""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

MODULE = pathlib.Path(__file__).resolve().parents[2] / "contrib" / "benchexec"
SKIPPED = 77

LOCKED = """#include <pthread.h>
extern void reach_error(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;
void *add(void *unused) {
  LOCK
  count = count + 1;
  UNLOCK
  return 0;
}
int main(void) {
  pthread_t first, second;
  MEMORY
  pthread_create(&first, 0, add, 0);
  pthread_create(&second, 0, add, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  if (count != 2) reach_error();
  return 0;
}
"""


def program(locked, loses_memory=False):
    text = LOCKED.replace("UNLOCK", "pthread_mutex_unlock(&lock);" if locked else "")
    text = text.replace("LOCK", "pthread_mutex_lock(&lock);" if locked else "")
    text = text.replace("MEMORY", "char *lost = malloc(1);" if loses_memory else "")
    return ("#include <stdlib.h>\n" if loses_memory else "") + text


# file -> text; property -> (formulas, name for `heddle bench`); task -> does the property hold?
FILES = {"locked.c": program(True), "racy.c": program(False), "leak.c": program(True, True),
         "broken.c": "int main(void) {\n"}
PROPERTIES = {"unreach-call": (["G ! call(reach_error())"], "reach"),
              "no-data-race": (["G ! data-race"], "no-data-race"),
              "valid-memsafety": (["G valid-free", "G valid-deref", "G valid-memtrack"],
                                  "memory-safety")}
EXPECTED = {("locked.c", "unreach-call"): True, ("racy.c", "unreach-call"): False,
            ("locked.c", "no-data-race"): True, ("racy.c", "no-data-race"): False,
            ("locked.c", "valid-memsafety"): True, ("leak.c", "valid-memsafety"): False,
            ("broken.c", "unreach-call"): None}
# What BenchExec's table calls the answers of ours.
SAME = {"true": "solved safe", "false": "solved unsafe", "unknown": "unknown unknown",
        "ERROR": "refused unknown", "TIMEOUT": "timeout unknown"}


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def write_sample(folder):
    for name, text in FILES.items():
        (folder / name).write_text(text)
    definitions = []
    for prop, (formulas, _) in PROPERTIES.items():
        (folder / f"{prop}.prp").write_text(
            "".join(f"CHECK( init(main()), LTL({f}) )\n" for f in formulas))
        tasks = [file for file, asked in EXPECTED if asked == prop]
        for file in tasks:
            holds = EXPECTED[file, prop]
            lines = ["format_version: '2.0'", f"input_files: '{file}'", "properties:",
                     f"  - property_file: {prop}.prp"]
            if holds is not None:
                lines.append(f"    expected_verdict: {str(holds).lower()}")
            if holds is False and prop == "valid-memsafety":
                lines.append("    subproperty: valid-memtrack")
            lines += ["options:", "  language: C", "  data_model: LP64"]
            (folder / f"{file[:-2]}.{prop}.yml").write_text("\n".join(lines) + "\n")
        definitions.append(
            f'<rundefinition name="{prop}"><propertyfile>{prop}.prp</propertyfile><tasks>'
            + "".join(f"<include>{file[:-2]}.{prop}.yml</include>" for file in tasks)
            + "</tasks></rundefinition>")
    (folder / "sample.xml").write_text(
        '<?xml version="1.0"?>\n<benchmark tool="heddle_info.heddle" timelimit="60 s">'
        + "".join(definitions) + "</benchmark>\n")


def table_of_benchexec(heddle, folder):
    """(file, property) -> status and category."""
    environment = dict(os.environ)
    environment["PYTHONPATH"] = os.pathsep.join(
        part for part in (str(MODULE), environment.get("PYTHONPATH")) if part)
    done = subprocess.run(
        [sys.executable, "-m", "benchexec.benchexec", "--no-container", "--no-compress-results",
         "--tool-directory", str(heddle.parent), "--outputpath", str(folder / "theirs") + "/",
         str(folder / "sample.xml")],
        cwd=folder, env=environment, capture_output=True, text=True, check=False)
    tables = sorted((folder / "theirs").glob("*.results.*.xml")) if done.returncode == 0 else []
    if not tables and "cgroup" in done.stderr:
        skip("BenchExec cannot use cgroups here: " + done.stderr.strip().splitlines()[-1])
    if not tables:
        print(done.stdout + done.stderr)
        sys.exit(1)
    seen = {}
    for table in tables:
        for run in xml.parse(table).getroot().iter("run"):
            prop = run.get("properties")
            file = pathlib.Path(run.get("name")).name.split(".")[0] + ".c"
            columns = {c.get("title"): c.get("value") for c in run.iter("column")}
            seen[file, prop] = (columns["status"], columns["category"])
    return seen


def table_of_heddle(heddle, folder):
    lines = [f"{file}\tc\t{PROPERTIES[prop][1]}" for file, prop in EXPECTED]
    (folder / "INDEX.tsv").write_text("path\tformat\tproperty\n" + "\n".join(lines) + "\n")
    subprocess.run([str(heddle), "bench", str(folder / "INDEX.tsv"), "--timeout", "60", "--output",
                    str(folder / "ours")], capture_output=True, check=False)
    rows = [line.split("\t")
            for line in (folder / "ours" / "results.tsv").read_text().splitlines()
            if not line.startswith("# ")]
    header, rows = rows[0], rows[1:]
    status, verdict = 2, 4
    if len(rows) != len(EXPECTED):
        print(f"heddle bench has {len(rows)} rows, not {len(EXPECTED)}: {header}")
        sys.exit(1)
    return {case: f"{row[status]} {row[verdict]}" for case, row in zip(EXPECTED, rows)}


def main():
    heddle = pathlib.Path(sys.argv[1]).absolute()
    if importlib.util.find_spec("benchexec") is None:
        skip("BenchExec is not installed")
    good = True
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_sample(folder)
        theirs, ours = table_of_benchexec(heddle, folder), table_of_heddle(heddle, folder)
        for case, holds in EXPECTED.items():
            status, category = theirs.get(case, ("no row", ""))
            wanted = "correct" if holds is not None else "error"
            if SAME.get(status.split("(")[0]) != ours[case] or category != wanted:
                print(f"{case}: BenchExec says {status} ({category}), heddle bench {ours[case]}")
                good = False
        if len(theirs) != len(EXPECTED):
            print(f"BenchExec's tables have {len(theirs)} rows, not {len(EXPECTED)}")
            good = False
    print(f"{len(EXPECTED)} tasks, the tables {'agree' if good else 'differ'}")
    sys.exit(0 if good else 1)


main()
