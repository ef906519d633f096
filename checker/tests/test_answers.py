"""All that Lustral answers about the project's own programs is accepted, where it is covered."""

import unittest

from tests.common import ROOT, Answers, needs_lustral

PLACES = ["crates/lustral/tests/cases", "crates/lustral/tests/programs", "examples"]
# What must be accepted at the least: a change that loses answers is to be noticed.
ANSWERS = 760
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
                (not_covered if answer == "not covered" else rejected).append(told)
        self.assertEqual(rejected, [])
        self.assertGreaterEqual(accepted, ANSWERS, not_covered)


WRITTEN = {
    "a data type behind a constant, with a structure inside": """
const N: int = 2;
datatype D = Vec (val: int^N) | Empty;
node eq<T>(x, y: T) returns (r: bool); let r = x = y; tel
node main(v: int^N) returns (ok: bool);
var x, y: D;
let x = Vec(v); y = Vec(v); ok = eq@<D>(x, y); check ok; check "empty" x = Empty; tel
""",
    "ghost flows and constants of a contract, of types that are said once or not at all": """
node two(x: int) returns (a, b: int); let a = x; b = x; tel
node main(x: int) returns (y: int);
(*@contract
  const most = 3;
  var a, b: int = two(x);
  guarantee a = b;
  guarantee y <= most + a;
*)
let y = x + 4; tel
""",
    "one statement at two places, and one place with two statements": """
contract up(x: int) returns (y: int);
let guarantee y > x; guarantee "ok" y > 0; tel
contract both(x: int) returns (y: int);
let import up(x) returns (y); guarantee "ok" y > 1; tel
node main(x: int) returns (y: int);
(*@contract import up(x) returns (y); import both(x) returns (y); *)
let y = if x > 0 then x + 1 else 1; check "ok" y > 0; tel
""",
    "an activation where a flow has a value of an enumeration": """
type mode = enum { A, B };
node id(x: int) returns (y: int); let y = x; tel
node main(m: mode; x: int) returns (y: int);
let
  y = merge m (A -> x when A(m)) (B -> (activate id every m = B)(x));
  check y = x;
  check "positive" y > 0;
tel
""",
    "a node that is made for a type, below one that is looked at for some values of a constant": """
const N: int;
node id<T>(x: T) returns (y: T); let y = x; check "same" y = x; tel
node main(x: int) returns (a: int^N; y: int);
let a[i] = x; y = id(x); check "first" y = x; check "less" y < 7; tel
""",
    "a constant of a node whose type says something of it": """
type small = subrange [0, 9] of int;
node main(x: int) returns (y: int);
const c: small;
let y = if x > 0 then c else 0; check y < 10; check "zero" y = 0; tel
""",
    "a type of an expression of which a value is left to the solver": """
type positive = subtype { x: int | x > 0 };
node main(x: int) returns (y: bool);
let y = not (exists (i: int) (i: positive) = x); check y or x = x; check "other" x > 0; tel
""",
}


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
