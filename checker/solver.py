"""Steps of a system as SMT-LIB 2, and the solver, a process of its own for each question."""

import shutil
import subprocess
from fractions import Fraction

from lexer import Malformed, NotCovered
from machine import SIGNS, is_bits

NAMES = {"neg": "-"}


class NoAnswer(Exception):
    """The solver said neither sat nor unsat."""


class Solver:
    def __init__(self, command, seconds=60):
        if shutil.which(command[0]) is None:
            raise NoAnswer(f"no solver `{command[0]}`: name one with --solver")
        self.command, self.seconds, self.asked = command, seconds, 0

    def holds(self, script):
        """Whether a script is unsatisfiable."""
        return self.ask(script) == "unsat"

    def ask(self, script):
        self.asked += 1
        try:
            run = subprocess.run(
                self.command, input=script.text(), capture_output=True, text=True, timeout=self.seconds
            )
        except subprocess.TimeoutExpired:
            raise NoAnswer(f"the solver took more than {self.seconds} s") from None
        answer = run.stdout.strip()
        if answer not in ("sat", "unsat"):
            raise NoAnswer(f"the solver said: {(answer + ' ' + run.stderr).strip()[:200]}")
        return answer


def sort_text(sort):
    if is_bits(sort):
        return f"(_ BitVec {sort[1]})"
    return "Int" if isinstance(sort, tuple) else sort


def literal(value, sort):
    """A value of a sort."""
    return f"(_ bv{value} {sort[1]})" if is_bits(sort) else number(value)


def number(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        text = f"{abs(value.numerator)}.0"
        if value.denominator != 1:
            text = f"(/ {text} {value.denominator}.0)"
    else:
        text = str(abs(value))
    return f"(- {text})" if value < 0 else text


class Script:
    """Steps of a system, each with all that the asserted terms need.

    `start` is "initial" (step 0 is that of an execution), "anywhere" (step 0 is the first one, or follows a step
    -1 of which nothing is known but that it is one), or "apart" (steps 0 and 1 are any steps, with any memories).
    """

    def __init__(self, system, start):
        self.system, self.start = system, start
        self.terms = system.terms
        self.lines, self.names, self.busy, self.functions, self.open = [], {}, set(), {}, {}

    def text(self):
        head = "(set-logic ALL)\n"
        return head + "\n".join(self.lines) + "\n(check-sat)\n(exit)\n"

    def require(self, text):
        self.lines.append(f"(assert {text})")

    def constraints(self, step):
        for constraint in self.system.constraints:
            self.require(self.at(constraint, step))

    def at(self, term, step):
        """The text of a term at a step, with all definitions that it needs before it."""
        key = (term, step)
        if key in self.names:
            return self.names[key]
        operator, data, sort = self.terms.list[term]
        if operator == "constant":
            text = literal(data, sort)
        elif operator == "bound":
            text = f"x{term}"
        elif operator[0] == "quantifier":
            text = self.quantified(operator, data[0], step)
        elif operator in SIGNS or operator == "position":
            text = self.at(data[0], step)
        elif operator in ("flow", "free", "memory"):
            if key in self.busy:
                if self.system.has_parts:
                    raise NotCovered(f"`{data[1]}`, which parts of blocks define in different orders")
                raise Malformed(f"`{data[1]}` depends on itself")
            self.busy.add(key)
            text = self.variable(term, operator, step, sort)
            self.busy.discard(key)
        else:
            parts = " ".join([self.at(o, step) for o in data])
            if isinstance(operator, tuple):
                operator = self.function(operator, data)
            text = f"({NAMES.get(operator, operator)} {parts})" if data else operator
            # What depends on a variable of a quantifier has no meaning outside of it.
            if len(text) > 60 and not self.is_open(term):
                text = self.define(f"t{term}", step, sort, text)
        self.names[key] = text
        return text

    def quantified(self, operator, body, step):
        _, tag, _, variable = operator
        sort = self.terms.sort(variable)
        within = ""
        if isinstance(sort, tuple) and sort[0] == "enum":
            within = f"(and (<= 0 x{variable}) (<= x{variable} {len(sort[2]) - 1}))"
        text = self.at(body, step)
        if within:
            text = f"({'=>' if tag == 'forall' else 'and'} {within} {text})"
        return f"({tag} ((x{variable} {sort_text(sort)})) {text})"

    def is_open(self, term):
        """Whether a term depends on a variable of a quantifier (flows do not)."""
        if term not in self.open:
            operator, data, _ = self.terms.list[term]
            inside = data if isinstance(data, tuple) and operator not in ("flow", "free", "memory", "constant", "bound") else ()
            self.open[term] = operator == "bound" or any(self.is_open(part) for part in inside)
        return self.open[term]

    def function(self, operator, operands):
        if operator not in self.functions:
            self.functions[operator] = f"f{len(self.functions)}"
            sorts = " ".join(sort_text(self.terms.sort(o)) for o in operands)
            self.lines.append(f"(declare-fun {self.functions[operator]} ({sorts}) {sort_text(operator[2])})")
        return self.functions[operator]

    def define(self, name, step, sort, text):
        name = self.name(name, step)
        self.lines.append(f"(define-fun {name} () {sort_text(sort)} {text})")
        return name

    def name(self, name, step):
        return f"{name}_{step}" if step >= 0 else f"{name}_before"

    def variable(self, term, operator, step, sort):
        if operator == "flow":
            if term not in self.system.definitions:
                raise NotCovered(f"the flow {self.terms.list[term][1][1]} without a definition")
            definition = self.at(self.system.definitions[term], step)
            return self.define(f"v{term}", step, sort, definition)
        if operator == "free":
            return self.declare(f"c{term}", term, step, sort)
        first, following = self.system.memories[term]
        if self.start == "apart":
            return self.declare(f"m{term}", term, step, sort)
        if step > 0:
            return self.define(f"m{term}", step, sort, self.at(following, step - 1))
        if self.start == "initial":
            if first is not None:
                return self.at(first, 0)
            return self.declare(f"m{term}", term, step, sort)
        if step < 0 or term == self.system.first:
            return self.declare(f"m{term}", term, step, sort)
        begin = self.declare(f"b{term}", term, 0, sort) if first is None else self.at(first, 0)
        before = self.at(following, -1)
        is_first = self.at(self.system.first, 0)
        return self.define(f"m{term}", 0, sort, f"(ite {is_first} {begin} {before})")

    def declare(self, name, term, step, sort):
        name = self.name(name, step)
        self.lines.append(f"(declare-const {name} {sort_text(sort)})")
        low, high = self.system.domains.get(term, (None, None))
        if low is not None:
            self.require(f"(<= {number(low)} {name})")
        if high is not None:
            self.require(f"(<= {name} {number(high)})")
        return name


class Open(Exception):
    """A value that nothing determines."""


class Execution:
    """An execution, computed step by step; `given` has the values of free variables by step."""

    def __init__(self, system, given, divisions):
        self.system, self.given, self.divisions = system, given, divisions
        self.known = {}
        self.busy = set()

    def value(self, term, step):
        from terms import meaning

        key = (term, step)
        if key in self.known:
            return self.known[key]
        if key in self.busy:
            raise Malformed("a flow depends on itself")
        self.busy.add(key)
        operator, data, sort = self.system.terms.list[term]
        if operator == "constant":
            found = data
        elif operator == "flow":
            found = self.value(self.system.definitions[term], step)
        elif operator == "free":
            found = self.free(term, step)
        elif operator == "memory":
            first, following = self.system.memories[term]
            if step == 0:
                found = self.free(term, 0) if first is None else self.value(first, 0)
            else:
                found = self.value(following, step - 1)
        elif operator == "ite":
            found = self.value(data[1] if self.value(data[0], step) else data[2], step)
        elif operator == "bound" or isinstance(operator, tuple):
            raise Open(f"a value of {operator[1]}")
        elif operator in ("div", "mod", "/") and self.value(data[1], step) == 0:
            found = self.division(operator, self.value(data[0], step))
        else:
            sorts = [self.system.terms.sort(o) for o in data]
            found = meaning(operator, [self.value(o, step) for o in data], sorts)
        self.busy.discard(key)
        self.known[key] = found
        return found

    def free(self, term, step):
        for key in ((term, step), (term, None)):
            if key in self.given:
                found = self.given[key]
                low, high = self.system.domains.get(term, (None, None))
                if (low is not None and found < low) or (high is not None and found > high):
                    raise Malformed(f"{found} is no value of {self.system.called.get(term, 'a constant')}")
                return found
        raise Open(self.system.called.get(term, "a memory before its first value"))

    def division(self, operator, dividend):
        if (operator, dividend) not in self.divisions:
            raise Open(f"{dividend} {operator} 0")
        return self.divisions[operator, dividend]
