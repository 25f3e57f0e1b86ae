#!/usr/bin/env python3
"""Opens reports in a browser: stepping by click, key and address, search, colours, a phone, long runs, no errors.

usage: report_test.py HEDDLE CHROMIUM EXAMPLES [FOLDER FOR PICTURES]
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from browser import Browser  # noqa: E402

HEDDLE, CHROMIUM, EXAMPLES = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
PICTURES = sys.argv[4] if len(sys.argv) > 4 else None


def report(folder, model, *options):
    """A page about an example or a model of the folder."""
    page = folder / (pathlib.Path(model).name + ".html")
    ended = subprocess.run([HEDDLE, "verify", str(model), "--report", str(page), *options], capture_output=True, text=True)
    assert page.exists(), ended.stdout + ended.stderr
    return "file://" + str(page)


class Reports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.browser = Browser(CHROMIUM)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.temporary.cleanup()

    def setUp(self):
        self.browser.errors.clear()
        self.browser.requests.clear()
        self.browser.size(1280, 900)
        self.browser.colours("light")

    def tearDown(self):
        self.assertEqual(self.browser.errors, [])
        self.assertEqual([url for url in self.browser.requests if not url.startswith(("file:", "data:", "about:"))], [])

    def open(self, *arguments):
        self.browser.open(report(self.folder, *arguments))
        self.browser.settle()

    def text(self, selector):
        return self.browser.value(f"document.querySelector({json.dumps(selector)})?.textContent")

    def selected(self):
        return self.text("#steps [aria-selected=true] .n")

    def picture(self, name):
        if PICTURES:
            self.browser.picture(f"{PICTURES}/{name}.png")

    def test_steps_by_click_key_and_address(self):
        self.open(EXAMPLES / "c/counter-broken.c", "--engine", "explore")
        self.picture("c-light")
        self.assertEqual(self.text("#now"), "start")
        self.browser.click("#next")
        self.assertEqual(self.selected(), "1")
        self.assertIn("pthread_create", self.text("#source .here"))
        self.assertEqual(self.browser.value("location.hash"), "#step-1")
        self.browser.value("document.activeElement.blur()")
        self.browser.press("j")
        self.assertEqual(self.selected(), "2")
        self.browser.press("ArrowLeft")
        self.assertEqual(self.selected(), "1")
        self.browser.click("#steps")  # gives it the focus
        self.browser.press("End")
        self.assertEqual(self.text("#now").split(" · ")[0], "step 11")
        self.assertIn("failure: counter == 2", self.text("#now"))
        self.browser.value("location.hash = '#step-5'")
        self.browser.settle()
        self.assertEqual(self.selected(), "5")
        self.assertIn("was 0", self.text("#state tr.changed"))
        self.assertIn("counter", self.text("#state tr.changed"))
        self.picture("c-step-5")
        self.assertEqual(self.browser.value("document.querySelectorAll('#steps .dot').length"), 11)

    def test_finds_steps(self):
        self.open(EXAMPLES / "c/counter-broken.c", "--engine", "explore")
        self.browser.press("/")
        self.assertEqual(self.browser.value("document.activeElement.id"), "find")
        self.browser.type("JOIN")
        self.assertEqual(self.text("#found"), "3 found")
        self.browser.press("Enter")
        self.assertEqual(self.selected(), "3")
        self.browser.press("Enter")
        self.assertEqual(self.selected(), "9")

    def test_every_kind_of_model_has_steps_and_source(self):
        for model in ("boolean/counter-racy.bp", "thread-system/mutex-broken.tts", "petri/mutex-double-unlock.spec",
                      "pushdown/recursive-lock-early.pds", "remopla/crossing-broken.rem"):
            with self.subTest(model=model):
                self.open(EXAMPLES / model)
                self.browser.click("#next")
                self.assertEqual(self.selected(), "1")
                line = self.browser.value("Number(document.querySelector('#source .here .n').textContent)")
                self.assertGreater(line, 0)
                self.assertGreater(self.browser.value("document.querySelectorAll('#state tr').length"), 0)
                self.browser.click("#last")
                self.assertTrue(self.browser.value("document.querySelector('#next').disabled"))
                self.picture(pathlib.Path(model).name)

    def test_shows_proofs(self):
        self.open(EXAMPLES / "thread-system/mutex.tts", "--engine", "forward")
        self.assertIn("SAFE", self.text("h1"))
        self.assertIn("no target is reachable", self.text("main pre"))
        self.assertGreater(len(self.text("main pre").splitlines()), 2)
        self.assertIsNone(self.text("#steps"))
        self.assertIn("->", self.text("#source"))
        self.picture("proof")

    def test_a_cutoff_has_its_proof_once(self):
        page = self.folder / "cutoff.html"
        subprocess.run([HEDDLE, "cutoff", EXAMPLES / "thread-system/mutex.tts", "-q", "--report", page], check=True,
                       capture_output=True)
        self.browser.open(page.as_uri())
        proof = self.text("main pre")
        self.assertIn("more than 2 threads reach nothing new", proof)
        for elsewhere in ("CUTOFF", "evidence confirmed", "configuration bytes"):
            self.assertNotIn(elsewhere, proof)

    def test_names_and_figures_of_engines_are_not_broken(self):
        self.open(EXAMPLES / "c/ticket-lock.c")
        broken = """[...document.querySelectorAll('.times th, .times td:nth-child(3), .times td:nth-child(4)')].filter((cell) => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            return range.getClientRects().length > 1;
        }).map((cell) => cell.textContent)"""
        for width in (1300, 375):
            self.browser.size(width, 900, mobile=width < 500)
            self.browser.settle()
            self.assertEqual(self.browser.value(broken), [])

    def test_has_two_sets_of_colours_and_fits_a_phone(self):
        self.open(EXAMPLES / "thread-system/mutex-broken.tts")
        ground = "getComputedStyle(document.documentElement).backgroundColor"
        light = self.browser.value(ground)
        self.browser.click("#theme")
        dark = self.browser.value(ground)
        self.assertNotEqual(light, dark)
        self.browser.value("delete document.documentElement.dataset.theme")
        self.browser.colours("dark")
        self.assertEqual(self.browser.value(ground), dark)
        self.browser.click("#next")
        self.picture("dark")
        self.browser.size(375, 740, mobile=True)
        self.browser.value("document.querySelector('#run').scrollIntoView()")
        self.browser.settle()
        self.picture("phone")
        self.assertLessEqual(self.browser.value("document.documentElement.scrollWidth"), 375)
        self.assertGreaterEqual(self.browser.value("document.querySelector('#next').getBoundingClientRect().height"), 40)

    def test_can_be_read_aloud(self):
        self.open(EXAMPLES / "c/counter-broken.c", "--engine", "explore")
        unnamed = """[...document.querySelectorAll('button, input, [role]')].filter((element) => !element.ariaLabel &&
            !element.labels?.length && !element.textContent.trim() && !element.matches('[role=status]')).map((e) => e.outerHTML)"""
        self.assertEqual(self.browser.value(unnamed), [])
        self.assertEqual(self.browser.value("document.querySelector('#now').ariaLive"), "polite")
        self.browser.click("#next")
        active = "document.getElementById(document.querySelector('#steps').getAttribute('aria-activedescendant'))"
        self.assertEqual(self.browser.value(active + ".ariaSelected"), "true")
        self.assertEqual(self.browser.value(active + ".ariaSetSize"), "11")

    def counter(self, steps):
        model = self.folder / f"count-{steps}.spec"
        model.write_text(f"vars\np q\nrules\nq >= 1 -> p' = p + 1;\ninit\np = 0, q = 1\ntarget\np >= {steps}\n")
        self.open(model)

    def test_long_runs_draw_few_rows(self):
        self.counter(900)  # a row for each step
        self.browser.value("location.hash = '#step-450'")
        self.browser.settle()
        self.assertTrue(self.text("#now").startswith("step 450 "))
        self.assertIn("450", self.text("#state"))
        self.assertEqual(self.browser.value("document.querySelector('#slider').max"), "900")
        self.assertLess(self.browser.value("document.querySelectorAll('#steps .row').length"), 100)

    def test_steps_have_numbers_of_any_size(self):
        self.counter(1000000)
        self.assertIn("1000000 steps", self.text("#run"))
        self.browser.value("location.hash = '#step-999999'")
        self.browser.settle()
        self.assertTrue(self.text("#now").startswith("step 999999 "), self.text("#now"))
        self.assertIn("999999", self.text("#state"))
        self.browser.value("location.hash = '#step-500000'")
        self.browser.settle()
        self.assertRegex(self.text("#now"), r"^step \d+–\d+ ")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
