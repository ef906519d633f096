"""The meaning of programs, by execution: the rules of the language on small examples."""

import unittest
from fractions import Fraction

from tests.common import elaborated, run
from lexer import Malformed, NotCovered
from syntax import Parser


def value(expression, type_="int"):
    text = f"node main(u: int) returns (y: {type_});\nlet y = {expression}; tel"
    return run(text, {"u": [0]}, "y")[0]


class Expressions(unittest.TestCase):
    def test_grouping(self):
        self.assertEqual(value("1 + 2 * 3 - 4"), 3)
        self.assertEqual(value("- 7 mod 3"), 2)
        self.assertEqual(value("false => true => false", "bool"), True)
        self.assertEqual(value("true or true and false", "bool"), True)
        self.assertEqual(value("true or true xor true", "bool"), False)
        self.assertEqual(value("1 = 1 = true", "bool"), True)
        self.assertEqual(value("if false then 1 else 2 + 3"), 5)
        self.assertEqual(value("not true or true", "bool"), True)

    def test_numbers(self):
        for a, b, quotient, remainder in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1)]:
            self.assertEqual(value(f"({a}) div ({b})"), quotient)
            self.assertEqual(value(f"({a}) mod ({b})"), remainder)
        self.assertEqual(value("1.0 / 3.0", "real"), Fraction(1, 3))
        self.assertEqual(value("int(0.0 - 1.5)"), -2)
        self.assertEqual(value("real(3)", "real"), 3)
        self.assertEqual(value("0x1f"), 31)

    def test_at_most_one(self):
        self.assertEqual(value("#(true, false, false)", "bool"), True)
        self.assertEqual(value("#(true, false, true)", "bool"), False)


class Steps(unittest.TestCase):
    def flow(self, equation, more="", steps=4):
        text = f"node main(x: int) returns (y: int);\n{more}let {equation} tel"
        return run(text, {"x": list(range(5, 5 + steps))}, "y")

    def test_arrow_does_not_delay(self):
        self.assertEqual(self.flow("y = 1 -> 2 -> 3;"), [1, 3, 3, 3])
        self.assertEqual(self.flow("y = 1 -> pre (2 -> 3);"), [1, 2, 3, 3])

    def test_pre_and_fby(self):
        self.assertEqual(self.flow("y = 0 -> pre x;"), [0, 5, 6, 7])
        self.assertEqual(self.flow("y = 0 -> pre y + 1;"), [0, 1, 2, 3])
        self.assertEqual(self.flow("y = 0 fby x + 1;"), [1, 6, 7, 8])
        self.assertEqual(self.flow("y = 0 fby 1 fby x;"), [0, 1, 5, 6])

    COUNT = "node count() returns (n: int);\nlet n = 0 -> pre n + 1; tel\n"

    def clocked(self, expression, clock):
        text = f"{self.COUNT}node main(c: bool) returns (y: int);\nlet y = {expression}; tel"
        return run(text, {"c": [bool(b) for b in clock]}, "y")

    def test_condact_holds(self):
        self.assertEqual(self.clocked("condact(c, count(), -1)", [0, 1, 0, 1, 1]), [-1, 0, 0, 1, 2])
        activated = "(activate count every c initial default -1)()"
        self.assertEqual(self.clocked(activated, [0, 1, 0, 1, 1]), [-1, 0, 0, 1, 2])

    def test_restart(self):
        self.assertEqual(self.clocked("(restart count every c)()", [0, 0, 1, 0, 0]), [0, 1, 0, 1, 2])

    def test_restart_of_what_does_not_run(self):
        text = self.COUNT + (
            "node held(r: bool) returns (n: int);\nlet n = condact(r, count(), -1); tel\n"
            "node main(c, r: bool) returns (y: int);\nlet y = (restart held every c)(r); tel"
        )
        clock = [False, False, True, False, False]
        runs = [True, True, False, False, True]
        self.assertEqual(run(text, {"c": clock, "r": runs}, "y"), [0, 1, -1, -1, 0])

    def test_each_call_is_an_instance(self):
        text = "node d(x: int) returns (y: int);\nlet y = 0 -> pre x; tel\n"
        text += "node main(x: int) returns (y: int);\nlet y = d(d(x)) + 100 * d(x); tel"
        self.assertEqual(run(text, {"x": [1, 2, 3]}, "y"), [0, 100, 201])


class Structures(unittest.TestCase):
    def test_records_and_arrays(self):
        text = (
            "type p = struct { lo: int; hi: int };\n"
            "node main(x: int) returns (y: int);\nvar q: p; a: int^3;\n"
            "let q = p { lo = x; hi = 0 -> pre q.lo }; a = [x, q.hi, 7][x := 0]; y = a[0] + 10 * a[1] + 100 * a[2]; tel"
        )
        self.assertEqual(run(text, {"x": [0, 1, 2]}, "y"), [700, 701, 12])


    def test_powers_group_to_the_left(self):
        text = (
            "type m = int^2^3;\nnode main(x: int) returns (y: int);\nvar a: m;\n"
            "let a = x^2^3; y = a[2][1]; tel"
        )
        self.assertEqual(run(text, {"x": [4, 5]}, "y"), [4, 5])

    def test_ranges_without_values(self):
        with self.assertRaises(Malformed):
            elaborated("node main(x: subrange [5, 3] of int) returns (y: int);\nlet y = x; tel")


class Rejections(unittest.TestCase):
    def test_what_is_not_covered_is_named(self):
        body = "node main(c: bool; x: int) returns (y: int);\nlet\n  {}\ntel"
        for line, construct in [
            ("y = merge(c; 1; 2);", "merge"),
            ("y = x when c;", "when"),
            ("automaton state A do y = 1; end", "automaton"),
            ("y = any { v: int | v > 0 };", "any"),
            ("y = map<<+, 3>>(x, x);", "parameters"),
            ("frame (y) y = 0; let tel", "frame"),
            ("y = forall (i: int) i > 0;", "forall"),
            ("y = uint8 x;", "'x'"),
            ("y = f(x);", "f"),
        ]:
            with self.assertRaises(NotCovered) as caught:
                elaborated(body.format(line))
            self.assertIn(construct, str(caught.exception))
            self.assertIn("line 3", str(caught.exception))

    def test_wrong_programs(self):
        body = "node main(c: bool; x: int) returns (y: int);\nlet\n  {}\ntel"
        for line in ["y = c;", "y = 1; y = 2;", "y = x + 1.0;", "y = if x then 1 else 2;", "x = 1; y = 1;"]:
            with self.assertRaises(Malformed, msg=line):
                elaborated(body.format(line))

    def test_cycles(self):
        with self.assertRaises(Malformed):
            run("node main(x: int) returns (y: int);\nvar z: int; let y = z; z = y + x; tel", {"x": [0]}, "y")


class Notes(unittest.TestCase):
    def items(self, text):
        node = Parser(f"node main(x: int) returns (y: int);\nlet\n{text}\ny = x;\ntel").program()["nodes"]["main"]
        return node["main"], [item for item in node["items"] if item[0] != "equation"]

    def test_annotations(self):
        main, items = self.items("--%MAIN;\n--%PROPERTY x > 0;\n-- %PROPERTY y > 0;\ncheck \"a\" y = x;")
        self.assertTrue(main)
        self.assertEqual([(item[1][0], item[2]) for item in items], [(4, None), (6, "a")])

    def test_comments(self):
        _, items = self.items("-- check x > 1;\n(* check x > 2; *)\n/* check x > 3; */\n(*%PROPERTY x > 4; *)")
        self.assertEqual(len(items), 1)


if __name__ == "__main__":
    unittest.main()
