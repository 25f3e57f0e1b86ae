#!/usr/bin/python3
"""The Python module as users have it: types, errors, threads, Ctrl-C, pictures.

usage: module_test.py SOURCE   (PYTHONPATH says where the module is)
"""

import copy
import dataclasses
import os
import pathlib
import pickle
import signal
import sys
import threading
import time
import unittest

import heddle

SOURCE = pathlib.Path(sys.argv.pop(1))


def lock():
    return heddle.ThreadSystem(shared=2, local=2).step((0, 0), (1, 1)).step((1, 1), (0, 0))


def endless():
    """A search without end, with events all the time."""
    return heddle.PetriNet().place("p").place("q", 1).transition({"q": 1}, {"q": 1, "p": 1})


ENDLESS = {"target": "p>=2000000000", "engine": "backward"}


class Answers(unittest.TestCase):
    def test_proof(self):
        answer = heddle.verify(lock(), target="1|1,1", timeout=60)
        self.assertIs(answer.verdict, heddle.Verdict.SAFE)
        self.assertTrue(answer.is_safe and answer.evidence.confirmed)
        self.assertIn("unreachable, for any number of threads", str(answer))
        self.assertEqual(answer.data["verdict"], "safe")
        self.assertIsInstance(answer.evidence.data, dict)
        again = heddle.check(lock(), answer.evidence, target="1|1,1")
        self.assertTrue(again.evidence.confirmed)

    def test_run(self):
        answer = heddle.verify(lock(), target="1|1,0")
        self.assertTrue(answer.is_unsafe)
        self.assertIsInstance(answer.trace, list)
        self.assertEqual([step.thread for step in answer.trace], [0])
        self.assertEqual(str(answer.trace), repr(answer.trace))
        self.assertEqual(str(answer.trace).strip()[:1], "1")
        self.assertTrue(dataclasses.is_dataclass(answer) and dataclasses.is_dataclass(answer.trace[0]))
        with self.assertRaises(dataclasses.FrozenInstanceError):
            answer.verdict = None

    def test_answers_are_data(self):
        """As dataclasses can, they are taken apart, copied, and sent to other processes."""
        net = heddle.PetriNet().place("p").place("q", 1).transition({"q": 1}, {"p": 1})
        answer = heddle.verify(net, target="p>=1")
        self.assertEqual(dataclasses.asdict(answer)["trace"][0]["first"], 1)
        for copied in (copy.deepcopy(answer), pickle.loads(pickle.dumps(answer))):
            self.assertEqual(copied, answer)
            self.assertEqual(copied.model.source, net.source)
        more = copy.copy(net).place("r")
        self.assertNotIn("r", net.source.split())
        self.assertTrue(heddle.verify(more.transition({"p": 1}, {"r": 1}), target="r>=1").is_unsafe)

    def test_program_in_memory(self):
        program = heddle.Model.text("one.c", '#include "two.h"\nint main(void) { return f(1); }\n')
        program.add_text("two.h", "#include <assert.h>\nint f(int);\n")
        program.add_text("two.c", '#include "two.h"\nint f(int x) {\n  assert(x == 2);\n  return x;\n}\n')
        answer = heddle.verify(program, I=["."])
        self.assertTrue(answer.is_unsafe)
        self.assertEqual(answer.trace[-1].place.file, "two.c")
        self.assertEqual(answer.trace[-1].place.line, 3)

    def test_net(self):
        net = heddle.PetriNet().place("slots", 2).place("items").place("workers", 1, at_least=True)
        net.transition({"slots": 1, "workers": 1}, {"items": 1, "workers": 1})
        self.assertTrue(heddle.verify(net, target="items>=3").is_safe)
        self.assertTrue(heddle.verify(net, target=["items>=3", "items>=2"]).is_unsafe)
        self.assertIn("slots", heddle.translate(net, "lola"))
        with self.assertRaises(ValueError):
            net.transition({"nowhere": 1}, {})

    def test_pictures(self):
        self.assertIn("<svg", lock()._repr_svg_())
        self.assertIn("<svg", heddle.verify(lock(), target="1|1,0", timeout=60)._repr_svg_())
        self.assertIsNone(heddle.Model.text("bad.tts", "?")._repr_svg_())

    def test_errors(self):
        with self.assertRaises(heddle.InputError) as caught:
            heddle.verify(heddle.Model.text("bad.tts", "2 2\n0 0 -> 9 9\n"))
        self.assertTrue(str(caught.exception).startswith("bad.tts:2:"))
        with self.assertRaises(heddle.UsageError):
            heddle.verify(lock(), no_such_option=1)
        with self.assertRaises(heddle.UsageError):
            heddle.verify(lock(), json=True)
        with self.assertRaises(ValueError):
            heddle.ThreadSystem(2, 2).step((0, 0), (2, 0))

    def test_limits(self):
        answer = heddle.verify(endless(), timeout=0.3, **ENDLESS)
        self.assertEqual(answer.reason, "time_limit")
        self.assertIs(answer.verdict, heddle.Verdict.UNKNOWN)

    def test_stubs(self):
        folder = pathlib.Path(heddle.__file__).parent
        self.assertTrue((folder / "py.typed").exists() and (folder / "_heddle.pyi").exists())


class Running(unittest.TestCase):
    def test_progress_cancels(self):
        events = []

        def progress(event):
            events.append(event)
            return len(events) < 3

        answer = heddle.verify(endless(), progress=progress, **ENDLESS)
        self.assertEqual((answer.reason, len(events)), ("cancelled", 3))
        self.assertEqual(events[0].engine, "backward")

    def test_an_exception_of_progress(self):
        def progress(event):
            raise KeyError("enough")

        with self.assertRaises(KeyError):
            heddle.verify(endless(), progress=progress, **ENDLESS)

    def test_another_thread_cancels(self):
        cancel, answers = heddle.Cancellation(), []
        asking = threading.Thread(
            target=lambda: answers.append(heddle.verify(endless(), cancel=cancel, **ENDLESS)))
        asking.start()
        time.sleep(0.3)
        cancel.cancel()
        asking.join()
        self.assertEqual(answers[0].reason, "cancelled")

    def test_cancelled_before_it_is_asked(self):
        cancel = heddle.Cancellation()
        cancel.cancel()
        self.assertEqual(heddle.verify(lock(), cancel=cancel, target="1|1,1").reason, "cancelled")

    def test_the_interpreter_is_free(self):
        """This thread works while the other one asks. If it had to wait for the interpreter, it would
        work for a few milliseconds, before the question begins."""
        asking = threading.Thread(target=lambda: heddle.verify(endless(), timeout=1, **ENDLESS))
        asking.start()
        before = time.thread_time()
        while asking.is_alive():
            pass
        self.assertGreater(time.thread_time() - before, 0.03)

    def test_ctrl_c(self):
        threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            heddle.verify(endless(), **ENDLESS)
        self.assertTrue(heddle.verify(lock(), target="1|1,1").is_safe)


if __name__ == "__main__":
    unittest.main()
