"""Dialects, iterators and packages, by execution: the rules on small examples."""

import unittest

from tests.common import elaborated, run
from lexer import Malformed, NotCovered, dialect


def value(expression, name="kind2", type_="int", more=""):
    text = f"--%DIALECT {name}\n{more}node main(u: int) returns (y: {type_});\nlet y = {expression}; tel"
    return run(text, {"u": [0]}, "y")[0]


class Dialects(unittest.TestCase):
    def test_which_one_it_is(self):
        body = "node main(x: int) returns (y: int); let y = x; tel"
        for text, found in [
            (body, "kind2"),
            (f"--%DIALECT v6\n{body}", "v6"),
            (f"#open <conv>\n{body}", "lustrec"),
            (body.replace("tel", "check y != 1; tel"), "lustrec"),
            (body.replace("tel", "z = a && b; tel"), "kind2"),
            (body.replace("x: int", "x: bool clock").replace("tel", "z = a && b; tel"), "lustrec"),
            (body.replace("tel", "-- a != b\ntel"), "kind2"),
        ]:
            self.assertEqual(dialect(text), found, text)
        self.assertEqual(dialect(body, is_heptagon=True), "heptagon")
        with self.assertRaises(NotCovered):
            dialect("--%DIALECT esterel\n")

    def test_division(self):
        for a, b, quotient, remainder in [(7, 2, 3, 1), (-7, 2, -3, -1), (7, -2, -3, 1), (-7, -2, 3, -1)]:
            for name in ("lustrec", "v6", "velus", "heptagon"):
                self.assertEqual(value(f"({a}) div ({b})", name), quotient)
                self.assertEqual(value(f"({a}) / ({b})", name), quotient)
                self.assertEqual(value(f"({a}) mod ({b})", name), remainder)
        self.assertEqual(value("(-7) / 2"), -4)

    def test_grouping(self):
        text = "--%DIALECT {}\nnode main(x: int) returns (y: int);\nlet y = 0 fby x + 1; tel"
        self.assertEqual(run(text.format("lustrec"), {"x": [1, 5, 7]}, "y"), [0, 2, 6])
        self.assertEqual(run(text.format("velus"), {"x": [1, 5, 7]}, "y"), [1, 2, 6])
        self.assertIs(value("not 1 < 0", "lustrec", "bool"), True)
        with self.assertRaises(Malformed):
            value("not 1 < 0", "kind2", "bool")
        self.assertIs(value("true or true xor true", "velus", "bool"), True)
        self.assertIs(value("true or true xor true", "kind2", "bool"), False)

    def test_operators_of_c(self):
        self.assertIs(value("!(1 != 1) && false || true", "lustrec", "bool"), True)
        self.assertIs(value("true & not false", "heptagon", "bool"), True)

    def test_nested_comments(self):
        self.assertEqual(value("1 (* + 1 (* + 1 *) + 1 *)", "heptagon"), 1)
        with self.assertRaises((NotCovered, Malformed)):
            value("1 (* + 1 (* + 1 *) + 1 *)", "kind2")

    def test_when_binds(self):
        """Only where `when` samples both operands are they on one clock, or where it samples neither."""
        text = "--%DIALECT {}\nnode main(c: bool; x: int) returns (y: int);\nlet y = merge c (true -> x + {}) (false -> 0 when not c); tel"
        inputs = {"c": [True, False, True], "x": [1, 2, 3]}
        self.assertEqual(run(text.format("lustrec", "x when c"), inputs, "y"), [2, 0, 6])
        self.assertEqual(run(text.format("velus", "x when c"), inputs, "y"), [2, 0, 6])
        with self.assertRaises(NotCovered):
            run(text.format("v6", "x when c"), inputs, "y")

    def test_libraries(self):
        self.assertEqual(value("real_to_int(0.0 - 1.5)", "lustrec"), -1)
        self.assertEqual(value("bool_to_int(true) + bool_to_int(false)", "lustrec"), 1)
        self.assertEqual(value("bool_to_int(true)", more="function bool_to_int(b: bool) returns (y: int); let y = 7; tel\n"), 7)


class Iterators(unittest.TestCase):
    NODES = """node sum(acc, x: int) returns (next, old: int); let old = 0 -> pre x; next = acc + old; tel
function digit(acc, d: int) returns (r: int); let r = 10 * acc + d; tel
function next(acc: int) returns (following, here: int); let following = acc + 2; here = acc; tel
"""

    def value(self, expression, type_="int"):
        return value(expression, type_=type_, more=self.NODES)

    def test_elements_from_the_first_on(self):
        self.assertEqual(self.value("red<<digit, 3>>(0, [1, 2, 3])"), 123)
        self.assertEqual(self.value("red<<-, 2>>(10, [3, 2])"), 5)
        self.assertEqual(self.value("map<<+, 3>>([1, 2, 3], [10, 20, 30])[1]"), 22)
        self.assertEqual(self.value("map<<map<<*, 2>>, 2>>([[1, 2], [3, 4]], [[5, 6], [7, 8]])[1][0]"), 21)
        self.assertEqual(self.value("red<<red<<+, 2>>, 2>>(1, [[1, 2], [3, 4]])"), 11)

    def test_some_of_several(self):
        for flags, found in [("false, false", False), ("true, false", True), ("true, true", False)]:
            self.assertIs(self.value(f"boolred<<1, 1, 2>>([{flags}])", "bool"), found)

    def test_nodes_that_remember(self):
        text = self.NODES + "node main(x, y: int) returns (s, t: int; old: int^2);\nlet s, old = fillred<<sum, 2>>(0, [x, y]); t = old[1]; tel"
        inputs = {"x": [1, 2, 3], "y": [10, 20, 30]}
        self.assertEqual(run(text, inputs, "s"), [0, 11, 22])
        self.assertEqual(run(text, inputs, "t"), [0, 10, 20])
        text = self.NODES + "node main(x: int) returns (s: int; l: int^3; t: int);\nlet s, l = fill<<next; 3>>(x); t = l[2]; tel"
        self.assertEqual([run(text, {"x": [5]}, flow) for flow in ("s", "t")], [[11], [9]])

    def test_other_names_of_them(self):
        more = "function plus = map<<+, 2>>;\nnode twice<<node f(x: int) returns (y: int)>>(x: int) returns (y: int); let y = f(f(x)); tel\n"
        more += "function three(x: int) returns (y: int); let y = 3 * x; tel\n"
        self.assertEqual(value("plus([1, 2], [3, 4])[1] + twice<<three>>(2)", more=more), 24)

    def test_wrong_sizes(self):
        for expression in ["map<<+, 3>>([1, 2], [3, 4])[0]", "map<<not, 2>>([1, 2], [3, 4])[0]", "red<<+, 2>>(1)"]:
            with self.assertRaises((Malformed, NotCovered), msg=expression):
                self.value(expression)


class Packages(unittest.TestCase):
    def test_names(self):
        text = """package P
uses Q;
provides function f(x: int) returns (y: int);
body
  const n = 3;
  function own(n: int) returns (y: int); let y = n + P::n; tel
  function f(x: int) returns (y: int); let y = own(x) + m; tel
end
package Q const m: int = 100; const n: int = 1000; end
const m: int = 7;
node main(x: int) returns (y, z: int);
let y = P::f(x); z = m + Q::n; tel"""
        self.assertEqual(run(text, {"x": [1, 2]}, "y"), [104, 105])
        self.assertEqual(run(text, {"x": [1, 2]}, "z"), [1007, 1007])

    def test_models(self):
        text = """package Ints = Late(t = int, first = 3, f = more);
package Bools is Late(bool, true, turned);
function more(x: int) returns (y: int); let y = x + 1; tel
function turned(x: bool) returns (y: bool); let y = not x; tel
model Late
needs type t; const first: t; function f(x: t) returns (y: t);
provides node late(x: t) returns (y: t);
body
  node late(x: t) returns (y: t); let y = first -> f(pre x); tel
end
node main(x: int; b: bool) returns (y: int; c: bool);
let y = Ints::late(x); c = Bools::late(b); tel"""
        inputs = {"x": [1, 5, 7], "b": [True, True, False]}
        self.assertEqual(run(text, inputs, "y"), [3, 2, 6])
        self.assertEqual(run(text, inputs, "c"), [True, False, False])

    def test_what_is_not_there(self):
        for text in ["node main(x: int) returns (y: int); let y = P::f(x); tel", "package P const n: int = 1; end\nnode main(x: int) returns (y: int); let y = n; tel"]:
            with self.assertRaises(NotCovered):
                elaborated(text)


if __name__ == "__main__":
    unittest.main()
