"""All that Lustral answers about the project's own programs is accepted, where it is covered."""

import unittest

from tests.common import ROOT, Answers, needs_lustral, scratch
from tests.constructs import WRITTEN

PLACES = ["crates/lustral/tests/cases", "crates/lustral/tests/programs", "examples"]
# What must be accepted at the least: a change that loses answers is to be noticed.
ANSWERS = 900
# What was made wrong on purpose has no answers here.


@needs_lustral
class Corpus(unittest.TestCase):
    def test_answers_about_our_programs(self):
        """Nothing that Lustral answers about them is rejected, and what is not covered says so."""
        paths = [path for place in PLACES for path in sorted((ROOT / place).glob("*.lus"))]
        answers = Answers(*paths)
        accepted, rejected, not_covered = 0, [], []
        for event in answers.events:
            answer, why = answers.judge(event)
            told = f"{event['file']}: {event['property']}: {why}"
            if answer == "accepted":
                accepted += 1
            else:
                (rejected if answer == "REJECTED" else not_covered).append(told)
        self.assertEqual(rejected, [])
        self.assertGreaterEqual(accepted, ANSWERS, not_covered)


@needs_lustral
class Constructs(unittest.TestCase):
    def test_answers_about_constructs(self):
        """Each of these has a proof and a counterexample that are accepted; all that is not says that it is not covered."""
        for what, text in WRITTEN.items():
            answers = Answers.to(text)
            with self.subTest(what):
                found = [(event["verdict"], *answers.judge(event)) for event in answers.events]
                self.assertNotIn("REJECTED", [answer for _, answer, _ in found], found)
                for verdict in ("valid", "falsifiable"):
                    self.assertIn((verdict, "accepted"), [(v, answer) for v, answer, _ in found], found)


@needs_lustral
class Files(unittest.TestCase):
    """A program of several files: of one that is included, the answers are about the program that includes it."""

    def setUp(self):
        self.folder = scratch()
        (self.folder / "library.lus").write_text(
            'function twice(x: int) returns (y: int);\nlet y = 2 * x; check "even" y mod 2 = 0; check "low" y < 9; tel\n'
        )
        path = self.folder / "program.lus"
        path.write_text(
            'include "library.lus"\nnode main(x: int) returns (y: int);\nlet y = twice(x) + 1; check "odd" y mod 2 = 1; tel\n'
        )
        self.answers = Answers(path)

    def test_files_that_are_included(self):
        found = {(e["property"], e["verdict"], self.answers.judge(e)[0]) for e in self.answers.events}
        names = {("odd", "valid"), ("twice.even", "valid"), ("twice.low", "falsifiable")}
        self.assertEqual(found, {(*name, "accepted") for name in names})

    def test_an_edit_of_a_file_that_is_included(self):
        library = self.folder / "library.lus"
        library.write_text(library.read_text().replace("2 * x", "3 * x"))
        for event in self.answers.events:
            answer, why = self.answers.judge(event)
            self.assertEqual(answer, "REJECTED")
            if event["verdict"] == "valid":
                self.assertEqual(why, "the certificate is about another text")


if __name__ == "__main__":
    unittest.main()
