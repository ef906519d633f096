"""All that Lustral answers about the project's own programs is accepted, where it is covered."""

import unittest

from tests.common import ROOT, Answers, needs_lustral
from tests.constructs import WRITTEN

PLACES = ["crates/lustral/tests/cases", "crates/lustral/tests/programs", "examples"]
# What must be accepted at the least: a change that loses answers is to be noticed.
ANSWERS = 900
# What was made wrong on purpose, or for another dialect, has no answers here.


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


if __name__ == "__main__":
    unittest.main()
