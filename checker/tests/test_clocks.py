"""The meaning of clocks, blocks and automata, by execution."""

import unittest

from tests.common import elaborated, run
from lexer import NotCovered
from solver import Execution, Open


class Ranges(unittest.TestCase):
    def test_ranges_of_steps(self):
        text = (
            "node main(x: int) returns (n: int);\nlet n = 0 -> pre n + 1;\n"
            "check reachable \"early\" n = 2 within 1; check reachable \"at\" n = 2 at 2; check reachable \"late\" n = 2 from 3; tel"
        )
        system, _ = elaborated(text)
        execution = Execution(system, {}, {})
        when = {p.name: [step for step in range(6) if execution.value(p.term, step)] for p in system.properties}
        self.assertEqual(when, {"early": [], "at": [2], "late": []})


class Clocks(unittest.TestCase):
    def flow(self, body, flow="y", more="", kind="int"):
        text = (
            "node count() returns (n: int);\nlet n = 0 -> pre n + 1; tel\n"
            f"node main(x: int; c: bool) returns (y: {kind});\n{more}let {body} tel"
        )
        return run(text, {"x": [5, 6, 7, 8], "c": [False, True, False, True]}, flow)

    def test_samples(self):
        """As in the tables of docs/language.md; where a flow has no value, what it is does not count."""
        more = "var s, d: int;\n"
        self.assertEqual(self.flow("s = x when c; d = s; y = merge c (true -> s) (false -> 0);", more=more), [0, 6, 0, 8])
        body = "s = (0 when c) -> pre (x when c); d = s; y = merge c s x;"
        self.assertEqual(self.flow(body, more=more), [5, 0, 7, 6])
        body = "s = x when c; d = 0; y = current s;"
        self.assertEqual(self.flow("s = x when not c; d = 0; y = current s;", more=more), [5, 5, 7, 7])
        with self.assertRaises(Open):
            self.flow(body, more=more)  # what it is before the first value is left open

    def test_branches_that_are_not_sampled(self):
        """They go by the steps of the merge; each part of a list by itself."""
        more = "var k, d: int;\n"
        self.assertEqual(self.flow("k = 0 -> pre k + 1; d = 0; y = merge(c; 9; k);", more=more), [0, 9, 2, 9])
        self.assertEqual(self.flow("k = 0; d = 0; y = merge(c; x; 0 -> pre y);", more=more), [0, 6, 6, 8])
        body = "(d, y) = merge(c; (x, k); (x when not c, 0 -> pre y)); k = 0 -> pre k + 1;"
        self.assertEqual(self.flow(body, more=more), [0, 1, 1, 3])
        with self.assertRaises(NotCovered):
            self.flow("k = 0; d = 0; y = merge c (true -> count() + x) (false -> x);", more=more)

    def test_calls_on_clocks(self):
        more = "var s: int;\n"
        body = "s = (activate count every c)(); y = merge c (true -> s) (false -> -1);"
        self.assertEqual(self.flow(body, more=more), [-1, 0, -1, 1])
        body = "s = count() + (0 when c); y = merge(c; s; 9);"
        self.assertEqual(self.flow(body, more=more), [9, 0, 9, 1])


class Interfaces(unittest.TestCase):
    SUMS = "node sums(on: bool; x: int when on) returns (y: int when on);\nlet y = x -> pre y + x; tel\n"
    INPUTS = {"c": [False, True, False, True, True], "r": [False, False, True, False, False], "x": [1, 2, 3, 4, 5]}

    def flow(self, nodes, locals_, body):
        text = f"{nodes}node main(c, r: bool; x: int) returns (z: int);\nvar {locals_}\nlet {body} tel"
        return run(text, self.INPUTS, "z")

    def test_sampled_inputs(self):
        body = "y = sums(c, x when c); z = merge c (true -> y) (false -> -1 when not c);"
        self.assertEqual(self.flow(self.SUMS, "y: int when c;", body), [-1, 2, -1, 6, 11])

    def test_an_output_that_samples_another(self):
        half = "node half(x: int) returns (on: bool; y: int when on);\nlet on = false -> not pre on; y = x when on; tel\n"
        body = "(d, y) = half(x); z = merge d (true -> y) (false -> 0 when not d);"
        self.assertEqual(self.flow(half, "d: bool; y: int when d;", body), [0, 2, 0, 4, 0])

    def test_resets_that_wait(self):
        count = "node count() returns (n: int);\nlet n = 1 -> pre n + 1; tel\n"
        body = "k = (restart count every r)(); z = merge c (true -> k) (false -> 0);"
        self.assertEqual(self.flow(count, "k: int when c;", body), [0, 1, 0, 1, 2])
        body = "z = (activate (restart count every r) every c initial default 0)();"
        self.assertEqual(self.flow(count, "k: int;", "k = 0; " + body), [0, 1, 1, 2, 3])

    def test_results_that_are_not_held(self):
        count = "node count() returns (n: int);\nlet n = 1 -> pre n + 1; tel\n"
        self.assertEqual(self.flow(count, "k: int;", "k = 0; z = (activate count every c default 7)();"), [7, 1, 7, 2, 3])
        self.assertEqual(self.flow(count, "k: int;", "k = 0; z = fby(x; 2; 9);"), [9, 9, 1, 2, 3])

    def test_expressions_that_begin_anew(self):
        self.assertEqual(self.flow("", "k: int;", "k = 0; z = reset 0 fby (z + x) every r;"), [0, 1, 0, 3, 7])


class Blocks(unittest.TestCase):
    """As in the tables of docs/language.md."""

    def test_parts_take_steps_of_their_own(self):
        text = (
            "type m = enum { Slow, Fast };\n"
            "node main(c: bool) returns (x, y, z: int);\nvar k: m;\n"
            "let last x = 0; k = if c then Fast else Slow;\n"
            "when c then y = 1 -> pre y + 1; x = last x + 10; else y = 0; end\n"
            "switch k | Slow do z = 0 -> pre z + 1; | Fast do z = -1; end tel"
        )
        clock = {"c": [True, False, True, True, False]}
        self.assertEqual(run(text, clock, "y"), [1, 0, 2, 3, 0])
        self.assertEqual(run(text, clock, "x"), [10, 10, 20, 30, 30])
        self.assertEqual(run(text, clock, "z"), [-1, 0, -1, -1, 1])

    def test_blocks_that_begin_anew(self):
        text = (
            "node count() returns (n: int); let n = 1 -> pre n + 1; tel\n"
            "node main(c, r: bool) returns (x, y, z, u: int);\n"
            "let reset last y = 0; x = 1 -> pre x + 1; y = last y + 10; z = count(); every r;\n"
            "present r do u = 0 | c do u = 5 -> pre u + 1; default do u = -1; end tel"
        )
        inputs = {"c": [True, True, False, True, True], "r": [False, False, False, True, False]}
        self.assertEqual(run(text, inputs, "x"), [1, 2, 3, 1, 2])
        self.assertEqual(run(text, inputs, "y"), [10, 20, 30, 10, 20])
        self.assertEqual(run(text, inputs, "z"), [1, 2, 3, 1, 2])
        self.assertEqual(run(text, inputs, "u"), [5, 6, -1, 0, 7])

    def test_what_begins_anew_in_what_begins_anew(self):
        text = (
            "node main(a, b, c: bool) returns (x: int);\n"
            "let last x = 0; reset when c then reset x = 1 -> pre x + 1; every b; end every a; tel"
        )
        inputs = {
            "a": [False, False, False, True, False, False],
            "b": [False, False, True, False, False, False],
            "c": [True, True, True, False, True, True],
        }
        self.assertEqual(run(text, inputs, "x"), [1, 2, 1, 1, 1, 2])

    def automaton(self, off, on, steps=5):
        text = (
            "node main(go: bool) returns (y: int; off: bool);\nlet last y = 0; automaton\n"
            f"state Off do y = 0; off = true; {off}\nstate On do y = 1 -> pre y + 1; off = false; {on}\nend tel"
        )
        go = [True] + [False] * (steps - 1)
        found = zip(run(text, {"go": go}, "off"), run(text, {"go": go}, "y"))
        return [("Off" if off else "On", y) for off, y in found]

    def test_flows_of_a_part(self):
        text = "node main(c: bool; x: int) returns (y: int);\nlet\n"
        text += "when c then var z: int; let z = 1 -> pre z + x; y = z; tel else var z: int; let z = x; y = -z; tel end tel"
        inputs = {"c": [True, False, True], "x": [5, 6, 7]}
        self.assertEqual(run(text, inputs, "y"), [1, -6, 8])

    def test_automata(self):
        weak = self.automaton("until go then On", "until y >= 3 then Off")
        self.assertEqual(weak, [("Off", 0), ("On", 1), ("On", 2), ("On", 3), ("Off", 0)])
        strong = self.automaton("unless go then On", "unless last y >= 3 then Off")
        self.assertEqual(strong, [("On", 1), ("On", 2), ("On", 3), ("Off", 0), ("Off", 0)])
        resumed = self.automaton("until true continue On", "until true continue Off")
        self.assertEqual(resumed, [("Off", 0), ("On", 1), ("Off", 0), ("On", 2), ("Off", 0)])

    def test_automata_of_scade(self):
        text = (
            "node main(on, off: bool) returns (y: int last = 7; z: int)\n"
            "let automaton m initial state A unless if on restart B; if off resume A; let z = 0; tel\n"
            "state B let y = last 'y + 1; z = 1 -> pre z + 1; tel until if z >= 2 restart A; if off resume A;\n"
            "returns y, z; tel"
        )
        inputs = {"on": [False, True, False, True, True], "off": [False, False, False, False, True]}
        self.assertEqual(run(text, inputs, "y"), [7, 8, 9, 10, 11])
        self.assertEqual(run(text, inputs, "z"), [0, 1, 2, 1, 2])


if __name__ == "__main__":
    unittest.main()
