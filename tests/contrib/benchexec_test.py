#!/usr/bin/env python3
"""The tool-info module for BenchExec: its command line runs, and it understands what is printed.

BenchExec itself is not needed; what the module uses of it is stood in for here.
Usage: benchexec_test.py HEDDLE
"""

import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import types


def stand_in_for_benchexec():
    def module(name, **members):
        made = types.ModuleType(name)
        made.__dict__.update(members)
        sys.modules[name] = made
        return made

    result = module("benchexec.result", RESULT_TRUE_PROP="true", RESULT_FALSE_PROP="false",
                    RESULT_UNKNOWN="unknown", RESULT_ERROR="ERROR", RESULT_TIMEOUT="TIMEOUT")
    template = module("benchexec.tools.template", BaseTool2=object)
    util = module("benchexec.tools.sv_benchmarks_util", ILP32="ILP32", LP64="LP64",
                  get_data_model_from_task=lambda task, models: models.get(task.data_model))
    tools = module("benchexec.tools", template=template, sv_benchmarks_util=util)
    module("benchexec", result=result, tools=tools)


def read_tool():
    path = pathlib.Path(__file__).parents[2] / "contrib" / "benchexec" / "heddle_info" / "heddle.py"
    spec = importlib.util.spec_from_file_location("heddle_tool", path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made.Tool()


def run(tool, heddle, files, property_file, options=(), model="LP64", limit=60):
    task = types.SimpleNamespace(input_files=files, property_file=property_file, data_model=model)
    command = tool.cmdline(heddle, list(options), task, types.SimpleNamespace(cputime=limit))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    output = (done.stdout + done.stderr if done.returncode == 3 else done.stdout).splitlines()
    return tool.determine_result(types.SimpleNamespace(
        output=output, was_timeout=False, exit_code=types.SimpleNamespace(value=done.returncode)))


PROGRAM = """
#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
int x;
void *add(void *p) { x = x + 1; return 0; }
int main(void) {
  pthread_t t;
  void *lost = malloc(sizeof(long));
  pthread_create(&t, 0, add, 0);
  x = x + 1;
  pthread_join(t, 0);
  if (sizeof(long) == 4) reach_error();
  return 0;
}
"""


def same_as_bench(heddle, folder, seen):
    """Do the tables of `heddle bench` and of BenchExec say the same about the same tasks?"""
    words = {"true": "solved safe", "false": "solved unsafe", "unknown": "unknown unknown", "ERROR": "refused unknown"}
    sample = [("safe", "program.c", "reach", []), ("race", "program.c", "no-data-race", []),
              ("lost memory", "program.c", "memory-safety", []), ("not C", "broken.c", "reach", []),
              ("few steps", "program.c", "reach", ["--steps", "1"])]
    good = True
    for name, file, asked, options in sample:
        (folder / "INDEX.tsv").write_text(f"path\tformat\tproperty\n{file}\tc\t{asked}\n")
        subprocess.run([heddle, "bench", str(folder / "INDEX.tsv"), "--timeout", "60", "--output", str(folder / "out"), *options],
                       capture_output=True, check=False)
        rows = [line.split("\t") for line in (folder / "out" / "results.tsv").read_text().splitlines() if line[:2] != "# "]
        ours = f"{rows[1][2]} {rows[1][4]}"
        theirs = words[seen[name].split("(")[0]]
        if ours != theirs:
            print(f"{name}: heddle bench says {ours}, BenchExec's table {theirs}")
            good = False
    return good


def main():
    stand_in_for_benchexec()
    tool = read_tool()
    heddle = str(pathlib.Path(sys.argv[1]).absolute())
    folder = pathlib.Path(tempfile.mkdtemp())

    def write(name, text):
        (folder / name).write_text(text)
        return str(folder / name)

    def prp(name, *formulas):
        return write(name, "".join(f"CHECK( init(main()), LTL({f}) )\n" for f in formulas))

    program = write("program.c", PROGRAM)
    broken = write("broken.c", "int main(void) {\n")
    reach = prp("reach.prp", "G ! call(reach_error())")
    race = prp("race.prp", "G ! data-race")
    memory = prp("memory.prp", "G valid-free", "G valid-deref", "G valid-memtrack")
    seen = {
        "safe": run(tool, heddle, [program], reach),
        "pointers of 4 bytes": run(tool, heddle, [program], reach, model="ILP32"),
        "race": run(tool, heddle, [program], race),
        "lost memory": run(tool, heddle, [program], memory),
        "not C": run(tool, heddle, [broken], reach),
        "few steps": run(tool, heddle, [program], reach, options=["--steps", "1"]),
        "no time": run(tool, heddle, [program], reach, options=["--timeout", "1ms"]),
    }
    wanted = {
        "safe": "true",
        "pointers of 4 bytes": "false(unreach-call)",
        "race": "false(no-data-race)",
        "lost memory": "false(valid-memtrack)",
        "not C": "ERROR(bad input)",
        "few steps": "unknown",
        "no time": "TIMEOUT",
    }
    for name, result in wanted.items():
        if seen[name] != result:
            print(f"{name}: {seen[name]}, expected {result}")
    agrees = same_as_bench(heddle, folder, seen)
    sys.exit(0 if seen == wanted and agrees else 1)


main()
