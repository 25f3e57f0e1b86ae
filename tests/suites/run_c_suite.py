#!/usr/bin/env python3
"""Runs explore_task over tasks of the competition's format and compares with the expected verdicts.

  run_c_suite.py BINARY SECONDS DIRECTORY...      (one line a task, then a table)
"""
import collections, os, re, resource, subprocess, sys, time


def task(path):
    text = open(path).read()
    field = lambda name: (re.search(name + r":\s*'?([^'\n]*)'?", text) or [None, ""])[1].strip().strip('"')
    prop = os.path.basename(field("property_file")).replace(".prp", "")
    bits = "32" if "ILP32" in text else "64"
    return os.path.join(os.path.dirname(path), field("input_files")), prop, field("expected_verdict"), bits


def limit():
    resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))


def main():
    binary, seconds, paths = sys.argv[1], sys.argv[2], []
    for root in sys.argv[3:]:
        if os.path.isdir(root):
            paths += sorted(os.path.join(root, f) for f in os.listdir(root) if f.endswith(".yml"))
        else:
            paths.append(root)
    table = collections.Counter()
    for path in paths:
        source, prop, expected, bits = task(path)
        if prop not in ("unreach-call", "no-data-race", "no-overflow", "valid-memsafety"):
            continue
        begin = time.time()
        try:
            done = subprocess.run([binary, source, prop, bits, seconds], capture_output=True, text=True,
                                  timeout=float(seconds) * 2 + 20, preexec_fn=limit)
            line = done.stdout.strip() or f"crash {done.returncode} " + done.stderr.strip()[-200:]
        except subprocess.TimeoutExpired:
            line = "hangs"
        verdict = line.split()[0]
        wrong = verdict in ("true", "false") and expected in ("true", "false") and verdict != expected
        table[(os.path.basename(os.path.dirname(path)), expected, "WRONG" if wrong else verdict)] += 1
        mark = "WRONG " if wrong else "ok    " if verdict == expected else "      "
        print(f"{mark}{os.path.basename(os.path.dirname(path))}/{os.path.basename(path)[:-4]} "
              f"{prop} expected {expected}: {line} [{time.time() - begin:.1f} s]", flush=True)
    for key in sorted(table):
        print(*key, table[key])


main()
