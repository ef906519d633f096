"""Terms and systems: what a program becomes, for the solver and for execution alike.

A term is a number; `Terms.list` has its operator, operands and sort. Equal terms have equal numbers.
Variables are terms, too: of a step (`flow`, defined by another term; `free`, any value of its domain) or of
the state (`memory`, with a first value and what it is at the next step). Sorts are "Bool", "Int", "Real"
and `("enum", name, values)`, whose values are their positions, and machine integers (`machine.py`).
"""

from fractions import Fraction

import machine
from lexer import Malformed

COMPARISONS = {"<", "<="}


class Terms:
    def __init__(self):
        self.list = []  # (operator, operands or data, sort)
        self.known = {}

    def intern(self, operator, operands, sort):
        key = (operator, operands, sort)
        if key not in self.known:
            self.known[key] = len(self.list)
            self.list.append(key)
        return self.known[key]

    def sort(self, term):
        return self.list[term][2]

    def constant(self, value, sort):
        return self.intern("constant", value, sort)

    def truth(self, value):
        return self.constant(bool(value), "Bool")

    def value(self, term):
        """The value of a constant; None of anything else."""
        operator, data, _ = self.list[term]
        return data if operator == "constant" else None

    def apply(self, operator, *operands):
        """An operator applied, typed, and decided where all operands are constants."""
        sort = self.type(operator, operands)
        if isinstance(operator, tuple):  # of which no value is known here
            return self.intern(operator, operands, sort)
        term = self.intern(operator, operands, sort)
        values = [self.value(o) for o in operands]
        if operator == "ite" and values[0] is not None:
            return operands[1] if values[0] else operands[2]
        if operator == "ite" and operands[1] == operands[2]:
            return operands[1]
        for absorbed, neutral in (("and", True), ("or", False)):
            if operator == absorbed and neutral in values and None in values:
                return operands[1 - values.index(neutral)]
        if all(v is not None for v in values) and not (
            operator in ("div", "mod", "/") and values[1] == 0
        ):
            return self.constant(meaning(operator, values, [self.sort(o) for o in operands]), sort)
        return term

    def type(self, operator, operands):
        sorts = [self.sort(o) for o in operands]
        number = sorts != [] and sorts[0] in ("Int", "Real") and all(s == sorts[0] for s in sorts)
        if operator in ("not", "and", "or", "xor", "=>"):
            good, sort = all(s == "Bool" for s in sorts), "Bool"
        elif operator == "ite":
            good, sort = sorts[0] == "Bool" and machine.alike(sorts[1], sorts[2]), sorts[1]
        elif operator == "=":
            good, sort = machine.alike(sorts[0], sorts[1]), "Bool"
        elif machine.head(operator):
            sort = machine.result(operator, sorts)
            good = sort is not None
        elif operator in COMPARISONS:
            good, sort = number, "Bool"
        elif operator in ("div", "mod"):
            good, sort = number and sorts[0] == "Int", "Int"
        elif operator == "/":
            good, sort = number and sorts[0] == "Real", "Real"
        elif operator == "position":  # of a value of an enumeration
            good, sort = isinstance(sorts[0], tuple) and sorts[0][0] == "enum", "Int"
        elif operator == "to_int":
            good, sort = sorts[0] == "Real", "Int"
        elif operator == "to_real":
            good, sort = sorts[0] == "Int", "Real"
        elif isinstance(operator, tuple):  # a function of which nothing is known, with its sort
            good, sort = True, operator[2]
        else:
            good, sort = number and operator in ("+", "-", "*", "neg"), sorts[0]
        if not good:
            raise Malformed(f"`{operator}` does not apply to {', '.join(map(str, sorts))}")
        return sort

    # -- shorthands

    def conjunction(self, terms):
        found = self.truth(True)
        for term in terms:
            if self.value(term) is True:
                continue
            found = term if self.value(found) is True else self.apply("and", found, term)
        return found

    def negation(self, term):
        return self.apply("not", term)

    def implies(self, a, b):
        if self.value(a) is True:
            return b
        return self.apply("=>", a, b)


def euclid(a, b):
    """Quotient and remainder with 0 <= remainder < |b|."""
    remainder = a % abs(b)
    return (a - remainder) // b, remainder


def meaning(operator, v, sorts):
    """The value of an operator applied to values of some sorts; the divisor is not zero."""
    if machine.head(operator):
        return machine.meaning(operator, v, sorts)
    if operator == "not":
        return not v[0]
    if operator == "and":
        return v[0] and v[1]
    if operator == "or":
        return v[0] or v[1]
    if operator == "xor":
        return v[0] != v[1]
    if operator == "=>":
        return not v[0] or v[1]
    if operator == "ite":
        return v[1] if v[0] else v[2]
    if operator == "position":
        return v[0]
    if operator == "=":
        return v[0] == v[1]
    if operator == "<":
        return v[0] < v[1]
    if operator == "<=":
        return v[0] <= v[1]
    if operator == "+":
        return v[0] + v[1]
    if operator == "-":
        return v[0] - v[1]
    if operator == "*":
        return v[0] * v[1]
    if operator == "neg":
        return -v[0]
    if operator == "div":
        return euclid(v[0], v[1])[0]
    if operator == "mod":
        return euclid(v[0], v[1])[1]
    if operator == "/":
        return Fraction(v[0]) / v[1]
    if operator == "to_int":
        return v[0].numerator // v[0].denominator
    if operator == "to_real":
        return Fraction(v[0])
    raise Malformed(f"the operator `{operator}`")


class System:
    """Variables with what determines them, constraints and properties."""

    def __init__(self):
        self.terms = Terms()
        self.definitions = {}  # flow -> term
        self.memories = {}  # memory -> [first value or None, next]
        self.domains = {}  # free variable or memory -> term, true of its values
        self.called = {}  # free variable -> what reports call it
        self.flows = {}  # (path, name) -> term
        self.hidden = {}  # (path, name) -> what a contract declares beside a flow of the body with this name
        self.chosen = set()  # (path, name) of variables of quantifiers that are chosen
        self.has_parts = False  # of blocks: what one defines by another, another may define the other way round
        self.automata = set()  # (path, name) of the flows that say which state runs
        self.inputs = {}  # flow of the root -> the free variable that gives it values
        self.constraints = []
        self.properties = []  # Property
        self.constants = {}  # free constant -> flow
        self.shared = {}  # (active, operand) -> memory
        self.assumes = False  # whether something is assumed of the inputs of the root
        self.partial = None  # why something that restricts executions may be missing
        self.count = 0
        self.first = self.memory("first", "Bool", self.terms.truth(True))
        self.memories[self.first][1] = self.terms.truth(False)

    def fresh(self, kind, name, sort):
        self.count += 1
        return self.terms.intern(kind, (self.count, name), sort)

    def flow(self, path, name, sort, of_contract=False):
        term = self.fresh("flow", f"{path}.{name}" if path else name, sort)
        if (path, name) not in self.flows:
            self.flows[path, name] = term
        elif of_contract and (path, name) not in self.hidden:
            self.hidden[path, name] = term
        else:
            raise Malformed(f"two flows {path}.{name}")
        return term

    def find(self, path, name, is_second=False):
        """A flow by its instance and name; free constants are the same in all instances."""
        if is_second:
            return self.hidden.get((path, name))
        return self.flows.get((path, name), self.constants.get(name))

    def free(self, name, sort):
        term = self.fresh("free", name, sort)
        self.called[term] = name
        return term

    def memory(self, name, sort, first=None, next=None):
        term = self.fresh("memory", name, sort)
        self.memories[term] = [first, next]
        return term

    def delay(self, active, operand, name):
        """What a term was when its clock last ticked: one memory for all delays of it.

        Its first value is never read: every use stands behind the first tick of its clock.
        """
        if (active, operand) not in self.shared:
            sort = self.terms.sort(operand)
            zero = {"Bool": False, "Real": Fraction(0)}.get(sort, 0)
            memory = self.memory(name, sort, self.terms.constant(zero, sort))
            kept = self.terms.apply("ite", active, operand, memory)
            self.memories[memory][1] = kept
            self.shared[active, operand] = memory
        return self.shared[active, operand]

    def define(self, flow, term):
        if self.terms.sort(flow) != self.terms.sort(term):
            raise Malformed(f"the sorts of {self.terms.list[flow][1][1]} and its definition differ")
        if flow in self.definitions:
            raise Malformed(f"two definitions of {self.terms.list[flow][1][1]}")
        self.definitions[flow] = term


class Property:
    def __init__(self, name, place, term, reachable=False):
        self.name, (self.line, self.column), self.term, self.reachable = name, place, term, reachable
