"""Certificates that are wrong are rejected, whatever is wrong with them.

That a mutant is wrong is known without the checker: the negation of an invariant fails at the first
step, a bound below a value that is reached fails, a defined flow has one value for given inputs, a property that is
false has no proof.
"""

import hashlib
import json
import random
import unittest
from pathlib import Path

from tests import mutants
from tests.common import ROOT, Answers, needs_lustral, run, scratch
from tests.constructs import EDITED, WRITTEN

BOUNDED = """node main(up, down: bool) returns (n: int);
var m: int;
let
  n = 0 -> if up and pre n < 10 then pre n + 1 else if down and pre n > 0 then pre n - 1 else pre n;
  m = 0 -> if up and pre m < 10 then pre m + 1 else if down and pre m > 0 then pre m - 1 else pre m;
  check "bounded" n <= 10;
  check "low" n < 3;
  check "same" n = m;
  --%MAIN;
tel
"""
# That a grows needs that b is never negative.
CHAIN = """node main(c: bool) returns (a, b: int);
let
  a = 0 -> pre a + pre b;
  b = 1 -> if c then pre b else pre b + 1;
  check "grows" a >= 0;
  --%MAIN;
tel
"""
BYTES = """node main(up: bool) returns (n, m: uint8);
let
  n = (uint8 0) -> if up and pre n < (uint8 200) then pre n + (uint8 1) else pre n;
  m = (uint8 5) -> if up and pre n < (uint8 200) then pre m + (uint8 1) else pre m;
  check "bounded" n <= (uint8 200);
  check "apart" m = n + (uint8 5);
  --%MAIN;
tel
"""
CASES = ROOT / "crates/lustral/tests/cases"


@needs_lustral
class Proofs(unittest.TestCase):
    def setUp(self):
        self.answers = Answers.to(BOUNDED)

    def rejected(self, answers, event, change, reason=""):
        """Changes `source.json` and has it judged."""
        path = answers.certificate(event) / "source.json"
        before = path.read_text()
        claim = json.loads(before)
        change(claim)
        path.write_text(json.dumps(claim))
        answer, why = answers.judge(event)
        path.write_text(before)
        self.assertEqual(answer, "REJECTED", why)
        self.assertIn(reason, why)
        self.assertEqual(answers.judge(event)[0], "accepted")

    def test_negated_invariants(self):
        for event in self.answers.events:
            if event["verdict"] != "valid":
                continue
            folder = self.answers.certificate(event)
            count = len(json.loads((folder / "source.json").read_text())["invariants"])
            self.assertGreater(count, 0)
            for i in range(count):
                def negate(claim, i=i):
                    claim["invariants"][i] = f"(not {claim['invariants'][i]})"
                self.rejected(self.answers, event, negate, "fails within")

    def test_bounds_below_what_is_reached(self):
        event = self.answers.event("bounded")
        for bound in (9, 5, -1):
            def lower(claim, bound=bound):
                n = next(v["name"] for v in claim["variables"] if v.get("flow") == "n")
                claim["invariants"].append(f"(<= {n} {bound})")
            self.rejected(self.answers, event, lower)

    def test_bits(self):
        """Machine integers: a bound below what is reached, bits that do change, another sign."""
        answers = Answers.to(BYTES)
        for title in ("bounded", "apart"):
            event = answers.event(title)
            self.assertEqual(event["verdict"], "valid")
            for wrong in ("(bvule {n} (_ bv199 8))", "(= ((_ extract 0 0) {n}) (_ bv0 1))", "(bvsle (_ bv0 8) {n})"):
                def weaker(claim, wrong=wrong):
                    claim["variables"].append({"name": "a901", "sort": "(_ BitVec 8)", "is": "flow", "instance": "", "flow": "n"})
                    claim["invariants"].append(wrong.format(n="a901"))
                self.rejected(answers, event, weaker)

    def test_needed_invariants(self):
        answers = Answers.to(CHAIN)
        event = answers.event("grows")
        claim = json.loads((answers.certificate(event) / "source.json").read_text())
        self.assertGreater(len(claim["invariants"]), 1)

        def keep_property(claim):
            claim["invariants"] = ["true"]
        # Without any invariant nothing is known of b, which may be negative.
        self.rejected(answers, event, keep_property, "not inductive")

    def test_other_operators(self):
        event = self.answers.event("bounded")

        def strict(claim):
            claim["invariants"] = [text.replace("<=", "<") for text in claim["invariants"]] + ["false"]
        self.rejected(self.answers, event, strict)

    def test_other_depths(self):
        event = self.answers.event("bounded")
        for k in (0, -1, "1", 1.5, None):
            def depth(claim, k=k):
                claim["k"] = k
            self.rejected(self.answers, event, depth)

    def test_other_memories(self):
        """A memory that remembers something else than the program's."""
        event = self.answers.event("bounded")

        def other(claim):
            n = next(v["name"] for v in claim["variables"] if v.get("flow") == "n")
            claim["variables"].append(
                {"name": "a900", "sort": "Int", "is": "memory", "initially": "0", "next": f"(- {n})"}
            )
            claim["invariants"].append("(<= 0 a900)")
        self.rejected(self.answers, event, other)

    def test_the_property_is_the_programs(self):
        """A proof of one property, handed in for another that is false."""
        false = self.answers.event("low")
        for name in ("bounded", "same"):
            event = self.answers.event(name)
            folder = self.answers.certificate(event)
            claim = json.loads((folder / "source.json").read_text())
            claim["property"] = "low"
            (folder / "source.json").write_text(json.dumps(claim))
            forged = {**event, "property": "low", "line": false["line"]}
            answer, why = self.answers.judge(forged)
            self.assertEqual(answer, "REJECTED", why)

    def test_changed_programs(self):
        """The program changes so that the property fails, and the hash with it."""
        event = self.answers.event("bounded")
        folder = self.answers.certificate(event)
        for old, new in [("pre n < 10", "pre n < 11"), ("0 -> if up and pre n", "11 -> if up and pre n"), ("check \"bounded\" n <= 10", "check \"bounded\" n < 10")]:
            text = BOUNDED.replace(old, new, 1)
            self.assertNotEqual(text, BOUNDED)
            self.answers.path.write_text(text)
            answer, why = self.answers.judge(event)
            self.assertEqual((answer, why), ("REJECTED", "the certificate is about another text"))
            manifest = json.loads((folder / "manifest.json").read_text())
            manifest["sources"][0]["sha256"] = hashlib.sha256(text.encode()).hexdigest()
            (folder / "manifest.json").write_text(json.dumps(manifest))
            answer, why = self.answers.judge(event)
            self.assertEqual(answer, "REJECTED", why)

    def test_no_execution(self):
        """A proof about no execution proves nothing."""
        event = self.answers.event("bounded")
        folder = self.answers.certificate(event)
        text = BOUNDED.replace("let\n", "let\n  assert up and not up;\n", 1).replace("check", "  check", 0)
        self.answers.path.write_text(text)
        manifest = json.loads((folder / "manifest.json").read_text())
        manifest["sources"][0]["sha256"] = hashlib.sha256(text.encode()).hexdigest()
        (folder / "manifest.json").write_text(json.dumps(manifest))
        event["line"] += 1
        answer, why = self.answers.judge(event)
        self.assertEqual(answer, "REJECTED", why)
        self.assertIn("no execution", why)

    def test_states_that_leave_something_out(self):
        for case, proof in [("needs-distinct-states", "induction"), ("trap-termination-only", "exhausted")]:
            how = ("--engine", "k-induction", "--prepare", "memories,sofar,slice", "--max-k", "32")
            answers = Answers(CASES / f"{case}.lus", more=how)
            event = next(e for e in answers.events if e["verdict"] == "valid")
            claim = json.loads((answers.certificate(event) / "source.json").read_text())
            self.assertEqual(claim["proof"], proof)
            self.assertIn("states", claim)

            def no_memories(claim):
                claim["states"]["memories"] = []
            self.rejected(answers, event, no_memories, "different futures")

            def wrong_fact(claim):
                claim["states"]["facts"].append("false")
            self.rejected(answers, event, wrong_fact, "initially")

            def plain(claim):
                del claim["states"]
            self.rejected(answers, event, plain)


@needs_lustral
class Constructs(unittest.TestCase):
    """What is said of programs with a construct each, made wrong in every way that is known to be wrong."""

    MOST = 3  # of an answer

    def test_none_is_accepted(self):
        chance = random.Random(2)
        for what, (name, old, new) in EDITED.items():
            answers = Answers.to(WRITTEN[what])
            for event in answers.events:
                with self.subTest(what, property=event["property"]):
                    answer, why = answers.judge(event)
                    self.assertEqual(answer, "accepted", why)
                    if event["verdict"] == "valid":
                        self.proof(answers, event, chance)
                    else:
                        self.execution(answers, event, why, chance)
            with self.subTest(what, edit=new):
                self.edited(answers, answers.event(name), WRITTEN[what], (old, new))

    def proof(self, answers, event, chance):
        path = answers.certificate(event) / "source.json"
        before = path.read_text()
        claim = json.loads(before)
        found = list(mutants.of_proof(claim))
        found = chance.sample(found, min(self.MOST, len(found)))
        found += [(f"k = {k!r}", {**claim, "k": k}) for k in (-1, True, "1", None)]
        for what, mutant in found:
            path.write_text(json.dumps(mutant))
            self.assertEqual(answers.judge(event)[0], "REJECTED", what)
        path.write_text(before)

    def execution(self, answers, event, why, chance):
        determined = why == "executed" and not event["trace"]["choices"]
        found = list(mutants.of_execution(event, determined))
        for what, mutant in chance.sample(found, min(self.MOST, len(found))):
            self.assertEqual(answers.judge(mutant)[0], "REJECTED", what)

    def edited(self, answers, event, text, change):
        """The property fails in the edited text, as Lustral finds, too; its proof is one of another text."""
        self.assertEqual((event["verdict"], text.count(change[0])), ("valid", 1))
        other = text.replace(*change)
        self.assertEqual(Answers.to(other).event(event["property"])["verdict"], "falsifiable")
        answers.path.write_text(other)
        self.assertEqual(answers.judge(event), ("REJECTED", "the certificate is about another text"))
        mutants.forged(answers.certificate(event), other)
        answer, why = answers.judge(event)
        self.assertEqual(answer, "REJECTED", why)


@needs_lustral
class Generated(unittest.TestCase):
    """Mutants of the answers about the project's programs, each wrong by construction."""

    MOST = 2  # of an answer: all of them take minutes

    def test_none_is_accepted(self):
        paths = sorted(CASES.glob("*.lus"))[::4]
        answers, chance = Answers(*paths), random.Random(1)
        counts, wrong = {"proof": 0, "execution": 0, "program": 0}, []
        for event in answers.events:
            answer, why = answers.judge(event)
            if answer != "accepted":
                continue
            for kind, what, judged in self.mutants(answers, event, why, chance):
                counts[kind] += 1
                if judged[0] == "accepted":
                    wrong.append((event["file"], event["property"], kind, what))
        self.assertEqual(wrong, [])
        self.assertTrue(all(count > 40 for count in counts.values()), counts)

    def mutants(self, answers, event, why, chance):
        if event["verdict"] in ("falsifiable", "reachable"):
            determined = why == "executed" and not event["trace"]["choices"]
            all_of_them = list(mutants.of_execution(event, determined))
            for what, mutant in chance.sample(all_of_them, min(self.MOST, len(all_of_them))):
                yield "execution", what, answers.judge(mutant)
            return
        folder = answers.certificate(event)
        source = folder / "source.json"
        before = source.read_text()
        all_of_them = list(mutants.of_proof(json.loads(before)))
        for what, claim in chance.sample(all_of_them, min(self.MOST, len(all_of_them))):
            source.write_text(json.dumps(claim))
            yield "proof", what, answers.judge(event)
        source.write_text(before)
        path = Path(event["file"])
        text = path.read_text()
        other = mutants.of_program(text, event)
        if other is not None:
            changed = scratch() / path.name
            changed.write_text(other)
            manifest = (folder / "manifest.json").read_text()
            mutants.forged(folder, other)
            yield "program", "the opposite of the property", answers.judge({**event, "file": str(changed)})
            (folder / "manifest.json").write_text(manifest)


@needs_lustral
class Executions(unittest.TestCase):
    def setUp(self):
        self.answers = Answers.to(BOUNDED)
        self.event = self.answers.event("low")
        self.assertEqual(self.answers.judge(self.event)[0], "accepted")

    def rejected(self, change):
        event = json.loads(json.dumps(self.event))
        change(event)
        answer, why = self.answers.judge(event)
        self.assertEqual(answer, "REJECTED", why)

    def test_every_value_of_a_defined_flow(self):
        steps = self.event["trace"]["steps"]
        for i, stream in enumerate(self.event["trace"]["instances"][0]["streams"]):
            if stream["role"] == "input":
                continue
            for step in range(steps):
                def shift(event, i=i, step=step):
                    event["trace"]["instances"][0]["streams"][i]["values"][step] += 1
                self.rejected(shift)

    def test_inputs_that_do_something_else(self):
        def nothing_goes_up(event):
            stream = event["trace"]["instances"][0]["streams"][0]
            self.assertEqual(stream["name"], "up")
            stream["values"] = [False for _ in stream["values"]]
        self.rejected(nothing_goes_up)

    def test_another_step(self):
        def later(event):
            event["step"] += 1
        self.rejected(later)

        def shorter(event):
            event["step"] -= 1
            event["trace"]["steps"] -= 1
            for stream in event["trace"]["instances"][0]["streams"]:
                stream["values"].pop()
        self.rejected(shorter)

    def test_an_earlier_step(self):
        """An execution that idles fails later than another: it is one, but its step is not the first."""
        self.assertEqual(self.answers.judge(self.event, first=True)[0], "accepted")
        inputs = {"up": [True, False, True, True, True], "down": [False] * 5}
        late = json.loads(json.dumps(self.event))
        streams = [{"name": name, "role": "input", "type": "bool", "values": values} for name, values in inputs.items()]
        late["trace"]["instances"][0]["streams"] = streams
        self.assertEqual(run(BOUNDED, inputs, "n"), [0, 0, 1, 2, 3])
        late["trace"]["steps"], late["step"] = 5, 4
        self.assertEqual(self.answers.judge(late)[0], "accepted")
        self.assertEqual(self.answers.judge(late, first=True), ("REJECTED", "some execution does so earlier"))
        late["first"] = False
        self.assertEqual(self.answers.judge(late, first=True)[0], "accepted")

    def test_another_property(self):
        """An execution in which a property holds is no counterexample of it."""
        other = self.answers.event("bounded")

        def about(event):
            event.update(property="bounded", line=other["line"])
        self.rejected(about)

    def test_another_verdict(self):
        def reached(event):
            event["verdict"] = "reachable"
        self.rejected(reached)

        def proved(event):
            event.update(verdict="valid", certificate=self.answers.event("bounded")["certificate"])
        self.rejected(proved)

    def test_assertions_count(self):
        text = BOUNDED.replace("let\n", "let\n  assert n < 2;\n", 1)
        self.answers.path.write_text(text)

        def moved(event):
            event["line"] += 1
        self.rejected(moved)


if __name__ == "__main__":
    unittest.main()
