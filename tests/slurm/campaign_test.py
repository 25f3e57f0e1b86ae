#!/usr/bin/env python3
"""Campaigns on a real Slurm, which the test starts on this machine, and then things go wrong with its nodes.

    campaign_test.py HEDDLE [CLASS[.NAME]...]     the program; only these tests

What every campaign must give, whatever happened: all cases, each with the verdict of a local run, and no finished case a
second time. Other tools, whose command is a line of the shell, count how often they are called.
"""

import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cluster as slurm  # noqa: E402

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/differential")
SKIPPED = 77
PATIENCE = os.environ.get("HEDDLE_SLURM_PATIENCE")  # wait for the real time limit, which takes two minutes
LIMIT = "600" if PATIENCE else "30"  # seconds for a case
HEDDLE = None
FOLDER = None

SAFE = "2 3\n0 0 -> 1 1\n1 1 -> 0 0\n"
UNSAFE = "2 3\n0 0 -> 1 1\n1 1 -> 1 2\n"


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as out:
        out.write(text)


def fill(path):
    """Until the disk is full."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        while os.write(file, b"x" * 4096) > 0:
            pass
    except OSError:
        pass
    os.close(file)


def wait_for(condition, what, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not happen within {seconds} s")
        time.sleep(0.05)


class Campaigns(unittest.TestCase):
    """On a cluster of their own: the nodes and settings of `slurm.Cluster`."""

    settings = {"nodes": 2}

    @classmethod
    def setUpClass(cls):
        cls.cluster = slurm.Cluster(os.path.join(FOLDER, cls.__name__), **cls.settings)
        cls.cluster.__enter__()
        cls.addClassCleanup(cls.cluster.end)

    def setUp(self):
        self.place = os.path.join(FOLDER, self._testMethodName)
        self.suite = os.path.join(self.place, "suite")
        os.makedirs(self.suite)
        self.cluster.recover()

    def cases(self, count):
        lines = ["path\ttarget\tinitial\texpected"]
        for i in range(count):
            write(os.path.join(self.suite, f"case{i:02}.tts"), UNSAFE if i % 2 else SAFE)
            write(os.path.join(self.suite, f"case{i:02}.prop"), "1|2\n")
            lines.append(f"case{i:02}.tts\tcase{i:02}.prop\t0|0\t{'unsafe' if i % 2 else 'safe'}")
        write(os.path.join(self.suite, "INDEX.tsv"), "\n".join(lines) + "\n")

    def path(self, name):
        return os.path.join(self.place, name)

    def command(self, *words, output="out"):
        return [HEDDLE, "bench", os.path.join(self.suite, "INDEX.tsv"), "--timeout", LIMIT, "--output", self.path(output), *words]

    def run_bench(self, *words, output="out", code=0):
        done = subprocess.run(
            self.command(*words, output=output), env=self.cluster.environment, cwd=self.place, capture_output=True, text=True, timeout=60
        )
        self.assertEqual(done.returncode, code, done.stdout + done.stderr + self.logs())
        return done

    def start_bench(self, *words, environment=None):
        with open(self.path("printed"), "w") as printed:
            return subprocess.Popen(
                self.command(*words), env=environment or self.cluster.environment, cwd=self.place, stdout=printed, stderr=printed
            )

    def printed(self):
        with open(self.path("printed")) as file:
            return file.read()

    def logs(self):
        folder = self.path("out/slurm")
        if not os.path.isdir(folder):
            return ""
        text = ""
        for name in sorted(os.listdir(folder)):
            if name.endswith(".log"):
                with open(os.path.join(folder, name)) as file:
                    text += file.read()
        return text[-2000:]

    def slow_tool(self, seconds):
        """A tool that takes its time and notes when it begins and when it has finished a case."""
        log = self.path("calls")
        return f"--against=slow=sleep {seconds}; basename {{file}} >>{log}; echo safe"

    def finished_calls(self):
        try:
            with open(self.path("calls")) as log:
                return collections.Counter(log.read().split())
        except OSError:
            return collections.Counter()

    def verdicts(self, output="out"):
        rows = {}
        with open(os.path.join(self.path(output), "results.tsv")) as file:
            lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
        for row in lines[1:]:
            self.assertNotIn((row[0], row[1]), rows, "each case once")
            rows[row[0], row[1]] = row[2:6]
        return rows

    def expect_complete(self, process, count, repeated=0):
        code = process.wait(timeout=240 if PATIENCE else 60)
        self.assertEqual(code, 0, self.printed() + self.logs())
        verdicts = self.verdicts()
        self.assertEqual(len(verdicts), 2 * count)
        for (path, tool), row in verdicts.items():
            self.assertIn(row[0], ["solved", "wrong"] if tool == "slow" else ["solved"], f"{path} {tool} {row}")
        calls = self.finished_calls()
        self.assertEqual(len(calls), count)
        self.assertLessEqual(sum(calls.values()) - count, repeated, f"finished cases were run again: {calls}")


class TwoNodes(Campaigns):
    def test_same_as_a_local_run(self):
        self.cases(10)
        local = self.run_bench(output="local")
        done = self.run_bench("--slurm", "--nodes", "2", "--group", "3", "--partition", "second")
        self.assertEqual(self.verdicts(), self.verdicts("local"))
        self.assertEqual(list(self.verdicts()), list(self.verdicts("local")), "in the same order")
        without_times = lambda text: [re.split(r"\s+", line.strip())[:6] for line in text.splitlines() if line.startswith(("all", "."))]
        self.assertEqual(without_times(done.stdout), without_times(local.stdout))
        for name in ["results.json", "cactus.svg"]:
            self.assertTrue(os.path.exists(os.path.join(self.path("out"), name)), name)
        self.assertIn("is the result of an earlier run", self.run_bench("--slurm", code=3).stderr)
        self.assertIn("resumed: 10", self.run_bench("--slurm", "--resume").stdout)

    def test_node_killed_in_the_middle(self):
        self.cases(8)
        process = self.start_bench("--slurm", "--group", "4", self.slow_tool(0.7))
        wait_for(lambda: len(self.finished_calls()) >= 3, "three cases")
        victim = next(name for name in self.cluster.names if self.cluster.processes_of(name))
        self.cluster.lose_node(victim)
        self.expect_complete(process, 8, repeated=1)

    def test_controller_killed_in_the_middle(self):
        """As it is killed some seconds after jobs have begun: earlier, Slurm itself forgets that they run."""
        self.cases(4)
        process = self.start_bench("--slurm", "--group", "2", self.slow_tool(4), environment=self.cluster.impatient())
        wait_for(lambda: len(self.finished_calls()) >= 2, "two cases")
        time.sleep(2)
        self.cluster.kill_controller()
        wait_for(lambda: "Slurm does not answer" in self.printed(), "a note")
        wait_for(lambda: len(self.finished_calls()) >= 4, "two more cases, without a controller")
        self.cluster.start_controller()
        self.expect_complete(process, 4)

    def test_our_own_process_killed_and_resumed(self):
        self.cases(6)
        process = self.start_bench("--slurm", "--group", "3", self.slow_tool(0.7))
        wait_for(lambda: len(self.finished_calls()) >= 2, "two cases")
        process.kill()
        process.wait()
        self.expect_complete(self.start_bench("--slurm", "--group", "3", "--resume", self.slow_tool(0.7)), 6)

    def test_job_over_its_limit(self):
        """Ended by Slurm as at its time limit, which has whole minutes: first asked, then killed."""
        self.cases(4)
        hang = f"--against=slow=test -e {self.path('hung')} || {{ touch {self.path('hung')}; sleep 1000; }}; " + self.slow_tool(0.1).split("=", 2)[2]
        process = self.start_bench("--slurm", "--group", "4", "--nodes", "1", hang)
        wait_for(lambda: os.path.exists(self.path("hung")), "the tool to hang")
        job = self.cluster.run("squeue", "-h", "-o", "%A").stdout.split()[0]
        if PATIENCE:
            self.cluster.run("scontrol", "update", f"jobid={job}", "timelimit=1")
        else:
            self.cluster.run("scancel", job)
        self.expect_complete(process, 4)

    def test_job_that_always_fails_is_given_up(self):
        self.cases(3)
        kill_job = "kill -9 $PPID"
        done = self.run_bench("--slurm", "--group", "3", f"--against=deadly=case {{file}} in *case01*) {kill_job};; esac; echo safe", code=0)
        rows = self.verdicts()
        self.assertEqual(rows["case01.tts", "deadly"][0], "error", done.stdout)
        self.assertEqual(rows["case02.tts", "deadly"][0], "solved", done.stdout)
        with open(os.path.join(self.path("out"), "results.tsv")) as file:
            self.assertIn("ended 3 times", file.read())

    def test_suite_edited_between_two_runs(self):
        self.cases(4)
        self.run_bench("--slurm", "--group", "2")
        write(os.path.join(self.suite, "case00.tts"), SAFE + "# edited\n")
        done = self.run_bench("--slurm", "--resume", "--group", "2")
        self.assertIn("resumed: 3 were done before", done.stdout)
        self.assertIn("stale: 1 were done before on other files or options", done.stdout)

    def test_full_disk(self):
        """No Slurm in it: the disk of a node is one like any other."""
        self.cases(40)
        out = self.path("out")
        os.makedirs(out)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", out], capture_output=True).returncode != 0:
            self.skipTest("no small file system can be mounted here")
        try:
            filler = os.path.join(out, "filler")
            fill(filler)
            os.truncate(filler, os.path.getsize(filler) - 4096)  # room for the head and a few cases
            done = self.run_bench("--jobs", "1", self.slow_tool(0), code=3)
            self.assertIn("No space left on device", done.stderr)
            self.assertRegex(done.stderr, r"[1-9]\d* finished cases are in it")
            self.assertTrue(self.finished_calls())
            os.remove(filler)
            subprocess.run(["mount", "-o", "remount,size=2m", out], check=True)
            done = self.run_bench("--jobs", "1", "--resume", self.slow_tool(0))
            self.assertRegex(done.stdout, r"resumed: [1-9]\d+ ")
            self.assertEqual(len(self.verdicts()), 80)
            self.assertLessEqual(sum(self.finished_calls().values()), 41, "only the one that found the disk full is run again")
        finally:
            subprocess.run(["umount", out], check=False)

    def test_verify_by_jobs(self):
        self.cases(2)
        for name, code, word in [("case00.tts", 0, "SAFE"), ("case01.tts", 10, "UNSAFE")]:
            evidence = self.path(name + ".evidence")
            words = [HEDDLE, "verify", os.path.join(self.suite, name), "--initial", "0/0", "--slurm", "--timeout", "60"]
            done = subprocess.run(
                [*words, "--evidence", evidence, "--verbose"], env=self.cluster.environment, cwd=self.place, capture_output=True, text=True, timeout=60
            )
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            self.assertRegex(done.stdout, f"(?m)^{word}")
            self.assertIn("confirmed", done.stdout)
            again = subprocess.run([HEDDLE, "check", words[2], evidence, "--initial", "0/0"], capture_output=True, text=True)
            self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
        wait_for(lambda: not self.cluster.run("squeue", "-h").stdout.strip(), "the other jobs to be cancelled")
        self.assertEqual([name for name in os.listdir(self.place) if name.startswith("heddle-slurm-")], [])

    def arrays(self):
        """Numbers of the arrays of `heddle verify --slurm` that the controller knows."""
        known = self.cluster.run("scontrol", "--oneliner", "show", "job").stdout
        return set(re.findall(r"(?m)^JobId=\d+ ArrayJobId=(\d+) .*JobName=heddle-slurm-", known))

    def test_what_jobs_of_verify_are_told(self):
        """Flags for Clang and the project's settings, but not to submit jobs or to write files themselves."""
        write(self.path("both.c"), "#include <assert.h>\nint main(void) { assert(WANTED != 1); }\n")
        write(self.path("heddle.json"), '{"slurm": true, "report": "report.html", "timeout": 60, "I": ["include"]}')
        write(self.path("include/wanted.h"), "#define WANTED 1\n")
        before = self.arrays()
        for words in [["--", "-DWANTED=1"], ["--include", "wanted.h"]]:
            done = subprocess.run([HEDDLE, "verify", "both.c", "--engine", "explore", *words], env=self.cluster.environment,
                                  cwd=self.place, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 10, done.stdout + done.stderr)
            self.assertTrue(os.path.exists(self.path("report.html")))
            os.remove(self.path("report.html"))
        self.assertEqual(len(self.arrays() - before), 2, "no job submits others")


class ManyNodes(Campaigns):
    settings = {"nodes": 8}

    def test_nodes_are_lost_one_after_the_other(self):
        self.cases(24)
        process = self.start_bench("--slurm", "--group", "2", self.slow_tool(0.5))
        lost = []
        for finished in [2, 8, 14]:
            wait_for(lambda: len(self.finished_calls()) >= finished, f"{finished} cases")
            lost.append(next(name for name in self.cluster.names if name not in lost and self.cluster.processes_of(name)))
            self.cluster.lose_node(lost[-1])
        self.expect_complete(process, 24, repeated=3)


class Differential(Campaigns):
    """tools/differential: a node is lost, and what was finished is not played again."""

    settings = {"nodes": 3}

    def differential(self, *words, code=0):
        done = subprocess.run([TOOL, "--runs", "6000", "--kind", "OrdinaryNets", "--output", self.path("played"), *words],
                              env=self.cluster.environment, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return [line.split("|")[1:5] for line in done.stdout.splitlines() if line.startswith("| all |")][:1]

    def blocks(self):
        """Kind and number of each block that is written down."""
        blocks = []
        for path in glob.glob(self.path("played/*.jsonl")):
            with open(path) as file:
                lines = [json.loads(line) for line in file if line.endswith("\n")]
            blocks += [(line["kind"], line["block"]) for line in lines if "block" in line]
        return sorted(blocks)

    def test_a_node_is_lost(self):
        if "HEDDLE_BUILD_DIR" not in os.environ:
            self.skipTest("HEDDLE_BUILD_DIR does not say where the program is")
        local = self.differential("--output", self.path("local"))

        def lose_a_node():
            wait_for(lambda: len(self.blocks()) >= 3, "three blocks")
            self.cluster.lose_node(next(name for name in self.cluster.names if self.cluster.processes_of(name)))

        loser = threading.Thread(target=lose_a_node)
        loser.start()
        self.differential("--slurm", "--jobs", "3", code=3)
        loser.join()
        self.assertEqual(self.differential("--slurm", "--jobs", "2", "--resume"), local)
        self.assertEqual(len(set(self.blocks())), len(self.blocks()), "no block twice")


class Cgroups(Campaigns):
    settings = {"nodes": 2, "cgroups": True}

    @classmethod
    def setUpClass(cls):
        if not slurm.can_use_cgroups():
            raise unittest.SkipTest("no cgroups of version 1 can be made here")
        super().setUpClass()

    def test_memory_that_heddle_cannot_limit(self):
        """Shared memory is none of a process's own: only the cgroup of the job, by its --mem, stands in the way."""
        self.cases(4)
        take = "import mmap; m = mmap.mmap(-1, 1 << 30); [m.write(bytes(1 << 20)) for i in range(1 << 10)]; print('safe')"
        hungry = f"--against=hungry=case {{file}} in *case01*) exec {sys.executable} -c \"{take}\";; esac; " + self.slow_tool(0).split("=", 2)[2]
        self.run_bench("--slurm", "--group", "4", "--nodes", "1", "--memory", "64", hungry)
        rows = self.verdicts()
        self.assertEqual([row[0] for (path, tool), row in rows.items() if tool == "hungry"], ["solved", "error", "solved", "wrong"])
        with open(os.path.join(self.path("out"), "results.tsv")) as file:
            self.assertRegex(file.read(), r"case01.tts\thungry\terror.*killed by signal 9")
        self.assertEqual(sum(self.finished_calls().values()), 3)


def main():
    global HEDDLE, FOLDER
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    HEDDLE = os.path.abspath(sys.argv[1])
    missing = slurm.missing()
    if missing or os.getuid() != 0:
        print("skipped: " + (f"{', '.join(missing)} not there (packages slurm-wlm, munge)" if missing else "needs root, for munged and slurmd"))
        sys.exit(SKIPPED)
    FOLDER = tempfile.mkdtemp(prefix="heddle-slurm-test-")
    try:
        program = unittest.main(argv=[sys.argv[0], *sys.argv[2:]], exit=False, verbosity=2)
    finally:
        if not os.environ.get("HEDDLE_KEEP"):
            shutil.rmtree(FOLDER, ignore_errors=True)
    sys.exit(not program.result.wasSuccessful())


if __name__ == "__main__":
    main()
