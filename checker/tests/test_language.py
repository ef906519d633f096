"""The meaning of programs, by execution: the rules of the language on small examples."""

import subprocess
import unittest
from fractions import Fraction

from tests.common import SOLVER, elaborated, run
import machine
from lexer import Malformed, NotCovered
from solver import Script, Solver, literal, number
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

    def test_definitions_by_index(self):
        text = (
            "node main(x: int) returns (y: int);\nvar m: int^3^3; u: int^2;\n"
            "let m[i][j] = if i = 0 or j = 0 then x else m[i - 1][j] + m[i][j - 1]; u[k] = (0 -> pre u[k]) + k;\n"
            "y = m[2][2] + 1000 * u[1]; tel"
        )
        self.assertEqual(run(text, {"x": [1, 2]}, "y"), [1006, 2012])

    def test_if_blocks(self):
        text = (
            "node main(x: int) returns (y, z: int);\nlet\n"
            "if x < 0 then y = 1; z = x; elsif x < 5 then (y, z) = (2, 0 -> pre x); else y = 3; z = 0; fi tel"
        )
        inputs = {"x": [1, -4, 3, 9]}
        self.assertEqual(run(text, inputs, "y"), [2, 1, 2, 3])
        self.assertEqual(run(text, inputs, "z"), [0, -4, -4, 0])
        with self.assertRaises(NotCovered):
            elaborated("node main(x: int) returns (y, z: int);\nlet if x < 0 then y = 1; else z = 1; fi tel")

    def test_frames(self):
        """A flow keeps its value where nothing defines it; what it is before counts at the first step only."""
        text = (
            "node main(c: bool) returns (x, y: int);\nlet\n"
            "frame (x, y) x = 7; y = 0 -> 100; let\n"
            "if c then x = last x + 1; if x > 8 then y = x; fi fi tel\ntel"
        )
        inputs = {"c": [False, True, False, True, False]}
        self.assertEqual(run(text, inputs, "x"), [7, 8, 8, 9, 9])
        self.assertEqual(run(text, inputs, "y"), [0, 0, 0, 9, 9])
        for frame in ["frame (x) let y = 1; tel x = 1;", "frame (x, x) let tel y = 1;"]:
            with self.assertRaises(Malformed, msg=frame):
                elaborated(f"node main(c: bool) returns (x, y: int);\nlet {frame} tel")

    def test_any_value(self):
        """What is chosen is as its type and condition say, at each step anew."""
        text = (
            "type small = subrange [0, 9] of int;\nnode main(x: int) returns (y: int);\n"
            "var s: small; t: int;\nlet y = any { v: int | v > x }; s = any@<small>; t = any { v: int | v = y + s };\n"
            "check \"more\" y > x and 0 <= s and t >= y; check \"two\" true -> y = pre y; tel"
        )
        system, _ = elaborated(text)
        for title, answer in [("more", "unsat"), ("two", "sat")]:
            goal = next(p.term for p in system.properties if p.name == title)
            script = Script(system, "initial")
            script.constraints(0), script.constraints(1)
            script.require(f"(not {script.at(goal, 1)})")
            self.assertEqual(Solver(SOLVER).ask(script), answer)

    def test_constant_inputs(self):
        text = (
            "const m: subrange [1, *] of int;\nnode f(const n: int; x: int) returns (y: int^n);\nlet y[i] = x + i + m; tel\n"
            "node main(const k: int; x: int) returns (y: int);\nvar a: int^3; b: int^m;\n"
            "let a = f(3, x); b = k^m; y = a[2] + b[0]; tel"
        )
        self.assertEqual(run(text, {"x": [1, 2]}, "y", "main<<k = 10, m = 4>>"), [17, 18])
        # Nothing else has values that could be chosen.
        for wrong in ("main<<x = 1, m = 1>>", "main<<z = 1, m = 1>>", "main<<m = 0>>"):
            with self.assertRaises(Malformed, msg=wrong):
                elaborated(text, wrong)
        free = "node main(const k: int; x: int) returns (y: bool);\nlet y = true -> k = pre k; check \"y\" y; tel"
        system, _ = elaborated(free)
        script = Script(system, "initial")
        script.require(f"(not {script.at(system.properties[0].term, 2)})")
        self.assertEqual(Solver(SOLVER).ask(script), "unsat")

    def test_abstract_types(self):
        text = "type t;\nnode main(a: t; b: t) returns (y: t; same: bool);\nlet y = a -> pre b; same = a = b; tel"
        inputs = {"a": [1, 2, 3], "b": [4, 2, 6]}
        self.assertEqual(run(text, inputs, "y"), [1, 4, 2])
        self.assertEqual(run(text, inputs, "same"), [False, True, False])
        with self.assertRaises(Malformed):
            elaborated(text.replace("a = b;", "a < b;"))

    def test_ranges_without_values(self):
        with self.assertRaises(Malformed):
            elaborated("node main(x: subrange [5, 3] of int) returns (y: int);\nlet y = x; tel")


def answers(text, node="main", steps=2):
    """By property: whether it can fail at the last of some steps of an execution."""
    system, _ = elaborated(text, node)
    found = {}
    for goal in system.properties:
        script = Script(system, "initial")
        [script.constraints(step) for step in range(steps)]
        script.require(f"(not {script.at(goal.term, steps - 1)})")
        found[goal.name] = "fails" if Solver(SOLVER).ask(script) == "sat" else "holds"
    return found


class Parameters(unittest.TestCase):
    def test_nodes_of_any_type(self):
        text = (
            "type pair<T; U> = struct { one: T; two: U };\n"
            "node delay<T>(first, x: T) returns (y: T);\nlet y = first -> pre x; tel\n"
            "function swap<T; U>(p: pair<T; U>) returns (q: pair<U; T>);\n"
            "let q = pair@<U; T> { one = p.two; two = p.one }; tel\n"
            "node main(x: int; b: bool) returns (y: int; c: bool);\nvar p: pair<int; bool>;\n"
            "let p = pair { one = x; two = b }; y = delay@<int>(7, swap(p).two); c = delay(true, swap(p).one); tel"
        )
        inputs = {"x": [1, 2, 3], "b": [False, True, False]}
        self.assertEqual(run(text, inputs, "y"), [7, 1, 2])
        self.assertEqual(run(text, inputs, "c"), [True, False, True])

    def test_static_parameters(self):
        text = (
            "node late<<const k: int; type t>>(first, x: t) returns (y: t);\nvar line: t^(k + 1);\n"
            "let line[i] = if i = 0 then x else first -> pre line[i - 1]; y = line[k]; tel\n"
            "function sum<<const n: int>>(a: int^n) returns (s: int);\n"
            "let s = with n = 1 then a[0] else sum<<n - 1>>(a[0 .. n - 2]) + a[n - 1]; tel\n"
            "node twice<<node f(x: int) returns (y: int)>>(x: int) returns (y: int);\nlet y = f(f(x)); tel\n"
            "node two = late<<2, int>>;\nnode next(x: int) returns (y: int);\nlet y = x + 1; tel\n"
            "node main(x: int) returns (y, z: int);\nlet y = two(-1, x); z = sum<<3>>([x, 10, 100]) + twice<<next>>(0); tel"
        )
        self.assertEqual(run(text, {"x": [1, 2, 3, 4]}, "y"), [-1, -1, 1, 2])
        self.assertEqual(run(text, {"x": [1, 2]}, "z"), [113, 114])


class DataTypes(unittest.TestCase):
    TEXT = (
        "datatype shape = Disc (r: int) | Box (w: int, h: int) | Point;\n"
        "node count() returns (n: int);\nlet n = 0 -> pre n + 1; tel\n"
        "node main(x: int) returns (area: int; same, round: bool; steps: int);\nvar s, t: shape;\n"
        "let s = if x > 5 then Disc(x) else if x > 0 then Box(x, 2) else Point; t = Disc(6);\n"
        "area = match s with | Disc(r) : 3 * r * r | Box(a, b) : a * b | Point : 0 end;\n"
        "same = s = t; round = Disc?(s); steps = match s with | Box(_, _) : count() | other : -1 end; tel"
    )

    def test_values(self):
        inputs = {"x": [6, 3, 0, 2]}
        self.assertEqual(run(self.TEXT, inputs, "area"), [108, 6, 0, 4])
        self.assertEqual(run(self.TEXT, inputs, "same"), [True, False, False, False])
        self.assertEqual(run(self.TEXT, inputs, "round"), [True, False, False, False])
        # An arm takes steps where it is chosen.
        self.assertEqual(run(self.TEXT, inputs, "steps"), [-1, 0, -1, 1])

    def test_lazy_operators(self):
        text = (
            "node count() returns (n: int);\nlet n = 0 -> pre n + 1; tel\n"
            "node main(c: bool) returns (y: int; z: bool);\n"
            "let y = when c then count() else 10 + count(); z = c and then count() > 0; tel"
        )
        clock = [True, False, True, True]
        self.assertEqual(run(text, {"c": clock}, "y"), [0, 10, 1, 2])
        self.assertEqual(run(text, {"c": clock}, "z"), [False, False, True, True])


class LeftOpen(unittest.TestCase):
    def test_nodes_and_functions_without_a_body(self):
        text = (
            "function f(x: int) returns (y: int);\n"
            "node imported g(x: int) returns (y: int);\n"
            "con assume x >= 0; guarantee y >= x; noc\n"
            "node main(x, z: int) returns (a, b, c: int);\n"
            "let a = f(x); b = f(z); c = g(x);\n"
            "check \"function\" x = z => a = b; check \"other\" a = b;\n"
            "check \"kept\" x >= 0 and (true -> pre (x >= 0)) => c >= x; check \"now\" x >= 0 => c >= x; tel"
        )
        expected = {"function": "holds", "other": "fails", "kept": "holds", "now": "fails", "g.line 3": "fails"}
        self.assertEqual(answers(text), expected)

    def test_outside_of_arrays(self):
        text = (
            "node main(i: int) returns (x: bool);\nvar a, b: int^3;\n"
            "let a = [1, 2, 3]; b = a; x = true;\n"
            "check \"same\" a[i] = a[i]; check \"two\" a[i] = b[i]; check \"inside\" 0 <= i and i < 3 => a[i] = i + 1; tel"
        )
        self.assertEqual(answers(text), {"same": "holds", "two": "fails", "inside": "holds"})
        text = (
            "datatype d = A | B(h: int);\nfunction f(x: d; a: int^2) returns (v: int);\n"
            "let v = match x with | A : {} | B(h) : a[0] + h end; tel\n"
            "node main(x, y: d; a, b: int^2) returns (c: bool);\n"
            "let c = f(x, a) = f(y, b); check \"same\" x = y and a = b => c; tel"
        )
        self.assertEqual(answers(text.format("a[2]")), {"same": "holds"})
        with self.assertRaises(NotCovered):
            elaborated(text.format("a[2]").replace("a[0] + h", "a[h]"))

    def test_quantifiers(self):
        text = (
            "node main(x: int; a: int^3) returns (y: int; z: bool);\n"
            "let y = x; z = forall (i: int) 0 <= i and i < 3 => a[i] > x;\n"
            "assert exists (k: int) x = 2 * k;\n"
            "check \"written out\" z => a[0] > x and a[2] > x; check \"some\" z or exists (i: int) i >= 0 and i < 3 and a[i] <= x;\n"
            "check \"all\" forall (n: int) n > x => n >= x + 1; check \"wrong\" forall (n: int) n > x => n > x + 1;\n"
            "check \"even\" x mod 2 = 0; tel"
        )
        expected = {"written out": "holds", "some": "holds", "all": "holds", "wrong": "fails", "even": "holds"}
        self.assertEqual(answers(text), expected)

    def test_quantifiers_are_chosen_where_that_is_the_same(self):
        """A `forall` in what is assumed, or an `exists` in what is shown, is none that one value decides."""
        text = (
            "node main(x: int) returns (y, z: bool);\n"
            "let y = forall (i: int) i > x; z = exists (i: int) x < i and i < x + 2;\n"
            "check \"some\" exists (i: int) i > x; check \"none\" exists (i: int) x < i and i < x + 1;\n"
            "check \"flows\" not y and z; check \"mixed\" exists (i: int) forall (j: int) j >= i or j < x; tel"
        )
        self.assertEqual(answers(text), {"some": "holds", "none": "fails", "flows": "holds", "mixed": "holds"})
        assumed = "node main(x: int) returns (y: int);\nlet y = x; assert forall (i: int) i >= 0 => x <= i; check \"a\" x <= 0; check \"b\" x < 0; tel"
        self.assertEqual(list(answers(assumed).values()), ["holds", "fails"])
        with self.assertRaises(NotCovered):
            elaborated("node main(x: int) returns (y: bool);\nlet y = forall (i: int) i = pre x; tel")


class Imports(unittest.TestCase):
    def test_contracts_that_are_imported(self):
        text = (
            "contract inner(x: int) returns (y: int);\nlet guarantee \"above\" y > x; tel\n"
            "contract outer(const n: int; x: int) returns (y: int);\n"
            "let var last: int = x -> pre y; import inner(x) returns (y); mode low (require x < n; ensure y < n + 1;); tel\n"
            "node main(x: int) returns (y: int);\n"
            "con import outer(3, x) returns (y); guarantee \"mode\" ::outer::low => y = x + 1; noc\n"
            "let y = x + 1; tel"
        )
        expected = {
            "outer.inner.above": "holds", "outer.low": "holds", "mode outer.low": "fails",
            "mode": "holds", "one mode active": "fails",
        }
        self.assertEqual(answers(text), expected)


class MachineIntegers(unittest.TestCase):
    def test_wrapping(self):
        for expression, type_, bits in [
            ("(uint8 200) + (uint8 100)", "uint8", 44),
            ("uint8 -3", "uint8", 253),
            ("(int8 100) + (int8 100)", "int8", 200),
            ("(int8 -128) div (int8 -1)", "int8", 128),
            ("(int8 -7) div (int8 2)", "int8", 253),
            ("(int8 -7) mod (int8 2)", "int8", 255),
            ("(uint8 7) div (uint8 0)", "uint8", 255),
            ("(int8 -64) rsh (uint8 9)", "int8", 255),
            ("(uint8 128) rsh (uint8 9)", "uint8", 0),
            ("(uint8 3) ++ (uint8 5)", "uint16", 773),
            ("(uint8 200)[7:4]", "uint<4>", 12),
            ("!(uint8 1) && (uint8 7) lsh (uint8 1)", "uint8", 14),
            ("int16 (int8 -1)", "int16", 65535),
        ]:
            self.assertEqual(value(expression, type_), bits, expression)
        self.assertEqual(value("int (int8 200)"), -56)
        self.assertEqual(value("(int8 -1) < (int8 0) and (uint8 -1) > (uint8 0)", "bool"), True)
        # A conversion is of all that follows.
        self.assertEqual(value("int (uint8 250 + 10)"), 4)

    def test_conversions_of_flows(self):
        text = (
            "node main(n: int) returns (y, z: int; same: bool);\n"
            "let y = int (uint8 n * 3); z = int (int8 n); same = (uint8 n + n) = (uint8 n) + (uint8 n); tel"
        )
        inputs = {"n": [-1, 0, 127, 128, 300, -129]}
        self.assertEqual(run(text, inputs, "y"), [(3 * n) % 256 for n in inputs["n"]])
        self.assertEqual(run(text, inputs, "z"), [(n + 128) % 256 - 128 for n in inputs["n"]])
        self.assertEqual(run(text, inputs, "same"), [True] * 6)

    def test_the_solver_means_the_same(self):
        """Every operator on values at the edges, here and by the solver."""
        width, edges = 8, [0, 1, 2, 7, 8, 127, 128, 129, 254, 255]
        sort = ("bits", width, False)
        names = sorted(machine.SAME | machine.ORDER | {"concat"})
        names += sorted(machine.ALONE) + ["bv2nat", "(_ extract 6 2)", "(_ sign_extend 3)", "(_ zero_extend 3)"]
        wrong = []
        for name in names:
            alone = name in machine.ALONE or name == "bv2nat" or name.startswith("(")
            for values in [(a,) for a in edges] if alone else [(a, b) for a in edges for b in edges]:
                sorts = [sort] * len(values)
                found = machine.meaning(name, list(values), sorts)
                text = f"({name} {' '.join(literal(v, sort) for v in values)})"
                wrong.append(f"(distinct {text} {literal(found, machine.result(name, sorts))})")
        for n in (-1000, -1, 0, 255, 256, 1000):
            wrong.append(f"(distinct ((_ int2bv 8) {number(n)}) {literal(n % 256, sort)})")
        script = f"(set-logic ALL)\n(assert (or {' '.join(wrong)}))\n(check-sat)\n"
        answer = subprocess.run(SOLVER, input=script, capture_output=True, text=True, timeout=60)
        self.assertEqual(answer.stdout.strip(), "unsat", answer.stderr)

    def test_what_is_no_program(self):
        body = "node main(a: uint8; b: int8; n: int) returns (y: bool);\nlet y = {}; tel"
        for expression in ["a = n", "(uint8 b) = a", "(uint16 a) = a", "a[8:0] = a", "a < 3", "(uint8 true) = a"]:
            with self.assertRaises(Malformed, msg=expression):
                elaborated(body.format(expression))


class Rejections(unittest.TestCase):
    def test_what_is_not_covered_is_named(self):
        body = "node main(c: bool; x: int) returns (y: int);\nlet\n  {}\ntel"
        for line, construct in [
            ("y = x when c;", "when"),
            ("y = last x;", "last"),
            ("y = forall (i: int) i > pre x;", "forall"),
            ("y = f(x);", "f"),
        ]:
            with self.assertRaises(NotCovered) as caught:
                elaborated(body.format(line))
            self.assertIn(construct, str(caught.exception))
            self.assertIn("line 3", str(caught.exception))

    def test_a_contract_may_hide_a_constant(self):
        """The body does not see what its contract declares: there the name is that of the constant."""
        text = "const N = 3;\ntype t = enum {{ A, B }};\nnode main(x: int) returns (y: int; a: t);\ncon {} noc\nlet y = N; a = A; tel"
        for clause in ["const N = 5;", "var N: int = x;", "const A = 5;", "var A: bool = x > 0;", "const M = 5;"]:
            self.assertEqual(run(text.format(clause), {"x": [1, 2]}, "y"), [3, 3])
        hidden, _ = elaborated(text.format("const N = 5; guarantee N = 5;"))
        self.assertIs(hidden.terms.value(hidden.properties[0].term), True)

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

    def test_contracts_in_other_comments(self):
        """Lines one after the other are one contract, and so is a comment; before a node they are that of this node."""
        lines = "--@ requires x > 1;\n--@ ensures y\n--@   > 2;\n"
        header, body = "node main(x: int) returns (y: int);\n", "let y = x; tel"
        for text in [lines + header + body, header + lines + body, header + "(*@ requires x > 1;\n ensures y > 2; *)\n" + body]:
            contract = Parser(text).program()["nodes"]["main"]["contract"]
            self.assertEqual([(clause[0], clause[3][0]) for clause in contract], [("assume", ">"), ("guarantee", ">")])

    def test_comments(self):
        _, items = self.items("-- check x > 1;\n(* check x > 2; *)\n/* check x > 3; */\n(*%PROPERTY x > 4; *)")
        self.assertEqual(len(items), 1)


if __name__ == "__main__":
    unittest.main()
