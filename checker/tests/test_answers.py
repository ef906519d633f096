"""All that Lustral answers about the project's own programs is accepted, where it is covered."""

import unittest

from tests.common import ROOT, Answers, needs_lustral
from lexer import Malformed, NotCovered
from check import Program
from elaborate import Elaborator

PLACES = ["crates/lustral/tests/cases", "crates/lustral/tests/programs", "examples"]
# What must be covered at the least: a change that loses programs is to be noticed.
PROGRAMS, ANSWERS = 125, 380


def covered(path):
    """Whether nothing in it is beyond the checker. What is wrong on purpose has no answers."""
    try:
        program = Program(str(path))
        for name, node in program.tree["nodes"].items():
            if node["body"]:
                Elaborator(program.tree).root(name)
    except NotCovered:
        return False
    except Malformed:
        pass
    return True


@needs_lustral
class Corpus(unittest.TestCase):
    def test_answers_about_our_programs(self):
        paths = [path for place in PLACES for path in sorted((ROOT / place).glob("*.lus"))]
        paths = [path for path in paths if covered(path)]
        self.assertGreaterEqual(len(paths), PROGRAMS)
        answers = Answers(*paths)
        accepted, others = 0, []
        for event in answers.events:
            answer, why = answers.judge(event)
            if answer == "accepted":
                accepted += 1
            else:
                others.append(f"{answer}: {event['file']}: {event['property']}: {why}")
        self.assertEqual(others, [])
        self.assertGreaterEqual(accepted, ANSWERS)


if __name__ == "__main__":
    unittest.main()
