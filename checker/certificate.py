"""What Lustral claims: the invariants of proofs and the executions of counterexamples, in source terms.

Formulas are SMT-LIB 2 over `a1`, `a2`, ...; `source.json` says what each of these is, by the names of
the program. They become terms of the checker's own system here: a memory that this system does not have is
added to it, which changes no execution.
"""

import re
from fractions import Fraction

import machine
from lexer import Malformed, NotCovered

SEXPR = re.compile(r"\s*(?:([()])|([^\s()]+))")
CHAINS = {"and", "or", "+", "*"}


def sexpr(text):
    """One S-expression as nested lists of words."""
    stack, at, text = [[]], 0, text.strip()
    while at < len(text):
        match = SEXPR.match(text, at)
        at = match.end()
        if match.group(1) == "(":
            stack.append([])
        elif match.group(1) == ")":
            if len(stack) < 2:
                raise Malformed("a formula with too many parentheses")
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(match.group(2))
    if len(stack) != 1 or len(stack[0]) != 1:
        raise Malformed("no formula")
    return stack[0][0]


class Claim:
    """The formulas of a proof as terms of a system."""

    def __init__(self, claim, system, places, of_contract=False):
        self.root, self.of_contract = claim["node"], of_contract
        self.system, self.terms, self.places = system, system.terms, places
        self.explained = {v["name"]: v for v in claim["variables"]}
        self.meaning = {}
        self.added = []  # the memories that the program has not
        self.k = claim["k"]
        self.proof = claim["proof"]
        if type(self.k) is not int or self.k < 1 or self.k > 10_000:
            raise Malformed(f"k = {self.k}")
        self.left_out = None  # why an invariant is left out: then the others have to do
        self.invariants = list(self.covered(claim["invariants"]))
        states = claim.get("states")
        self.states = self.facts = None
        if states is not None:
            self.states = [self.variable(name) for name in states["memories"]]
            self.facts = [self.formula(text) for text in states["facts"]]

    def covered(self, texts):
        """What is covered of some formulas; of the others nothing is left behind."""
        for text in texts:
            meaning, memories, added = dict(self.meaning), dict(self.system.memories), list(self.added)
            try:
                yield self.formula(text)
            except NotCovered as reason:
                self.left_out = reason
                self.meaning, self.added = meaning, added
                self.system.memories.clear()
                self.system.memories.update(memories)

    def formula(self, text):
        term = self.term(sexpr(text), {})
        if self.terms.sort(term) != "Bool":
            raise Malformed("an invariant that is not boolean")
        return term

    def variable(self, name):
        if name in self.meaning:
            if self.meaning[name] is None:
                # What is being defined is remembered by something that it depends on.
                self.meaning[name] = self.system.fresh("flow", name, plain_sort(self.explained[name]["sort"]))
            return self.meaning[name]
        if name not in self.explained:
            raise Malformed(f"`{name}` is not explained")
        what = self.explained[name]
        kind = what["is"]
        if kind == "first":
            found = self.system.first
        elif kind == "flow":
            place = what["instance"], what["flow"]
            found = self.system.find(*place, is_second=self.of_contract and place in self.system.hidden)
            if found is None:
                raise NotCovered(f"the flow {what['instance']}.{what['flow']} of the certificate")
        elif kind == "memory":
            return self.memory(name, what)
        elif kind == "defined":
            self.meaning[name] = None
            found = self.term(sexpr(what["term"]), {})
            if self.meaning[name] is not None:
                self.system.define(self.meaning[name], found)
                found = self.meaning[name]
        else:
            found = first_value(what["called"], self.places, self.root)
            if found is None:
                raise NotCovered(f"{what['called']} of the certificate")
        self.meaning[name] = found
        return found

    def memory(self, name, what):
        """A memory is one of the program's if it delays the same term, else one more."""
        if what["sort"] not in ("Bool", "Int", "Real") and not what["sort"].startswith("(_ BitVec"):
            raise NotCovered(f"the sort {what['sort']} of the certificate")
        first = self.term(sexpr(what["initially"]), {})
        memory = self.system.memory(name, self.terms.sort(first), first)
        self.meaning[name] = memory
        following = self.term(sexpr(what["next"]), {})
        sort = self.terms.sort(following)
        if isinstance(sort, tuple) and sort[0] in ("enum", "abstract"):
            # An enumeration or an abstract type: its values are written as integers.
            del self.system.memories[memory]
            first = self.terms.constant(self.terms.value(first), sort)
            memory = self.system.memory(name, sort, first)
            if sort[0] == "enum":
                self.system.domains[memory] = (0, len(sort[2]) - 1)
            self.meaning[name] = memory
            following = self.term(sexpr(what["next"]), {})
        known = self.known(memory, first, following)
        if known is None:
            self.system.memories[memory][1] = following
            self.added.append(memory)
            return memory
        del self.system.memories[memory]
        self.meaning[name] = known
        return known

    def known(self, memory, first, following):
        """The same by a memory of the program, if it has one."""
        operator, operands, _ = self.terms.list[following]
        always = self.terms.truth(True)
        key = (always, following)
        if operator == "ite" and operands[2] == memory:
            key = operands[:2]
        known = self.system.shared.get(key)
        if known is None or self.system.memories[known][0] == first:
            return known
        if key[0] != always:
            return None
        # `first -> pre e`, where the program's own begins with another value.
        return self.terms.apply("ite", self.system.first, first, known)

    def term(self, tree, bound):
        terms = self.terms
        if isinstance(tree, str):
            if tree in bound:
                return bound[tree]
            if tree in ("true", "false"):
                return terms.truth(tree == "true")
            if re.fullmatch(r"\d+", tree):
                return terms.constant(int(tree), "Int")
            if re.fullmatch(r"\d+\.\d+", tree):
                return terms.constant(Fraction(tree), "Real")
            return self.variable(tree)
        if tree[:1] == ["_"] and len(tree) == 3 and re.fullmatch(r"bv\d+", tree[1]):
            width = machine.checked_width(int(tree[2]), 0)
            return terms.constant(int(tree[1][2:]) % (1 << width), ("bits", width, False))
        if tree and isinstance(tree[0], list) and tree[0][:1] == ["_"]:
            tree = [f"({' '.join(map(str, tree[0]))})", *tree[1:]]
        if not tree or not isinstance(tree[0], str):
            raise NotCovered("an operator of the certificate")
        head = tree[0]
        if head == "let":
            inner = dict(bound)
            for name, value in tree[1]:
                inner[name] = self.term(value, bound)
            return self.term(tree[2], inner)
        operands = [self.term(part, bound) for part in tree[1:]]
        return self.apply(head, operands)

    def apply(self, head, operands):
        terms = self.terms
        operands = self.numbers_as_values(operands)
        if head == "-" and len(operands) == 1:
            return terms.apply("neg", *operands)
        if head in (">", ">=") and len(operands) == 2:
            return terms.apply("<" if head == ">" else "<=", operands[1], operands[0])
        if head == "distinct" and len(operands) == 2:
            return terms.negation(terms.apply("=", *operands))
        if head in CHAINS and operands:
            found = operands[0]
            for operand in operands[1:]:
                found = terms.apply(head, found, operand)
            return found
        swapped = {"bvugt": "bvult", "bvuge": "bvule", "bvsgt": "bvslt", "bvsge": "bvsle"}
        if head in swapped and len(operands) == 2:
            return terms.apply(swapped[head], operands[1], operands[0])
        if machine.head(head) and operands:
            return terms.apply(head, *operands)
        arity = {"not": 1, "to_real": 1, "to_int": 1, "ite": 3}.get(head, 2)
        if re.fullmatch(r"F\d+", head):
            return self.function(head, operands)
        if head not in ("not", "=>", "=", "<", "<=", "-", "div", "mod", "/", "ite", "to_real", "to_int", "xor"):
            raise NotCovered(f"the operator `{head}` of the certificate")
        if len(operands) != arity:
            raise Malformed(f"`{head}` of {len(operands)} operands")
        return terms.apply(head, *operands)

    def function(self, head, operands):
        """A function of which nothing is known, if the system has just one for such operands: nothing says which one is meant."""
        terms = self.terms
        sorts = [terms.sort(o) for o in operands]
        found = {
            operator
            for operator, data, _ in terms.list
            if operator[0] == "function" and [terms.sort(o) for o in data] == sorts
        }
        if len(found) != 1:
            raise NotCovered(f"the function `{head}` of the certificate")
        return terms.apply(found.pop(), *operands)

    def numbers_as_values(self, operands):
        """Values of enumerations are written as their positions."""
        sorts = {self.terms.sort(o) for o in operands} - {"Int", "Bool"}
        sort = next((s for s in sorts if isinstance(s, tuple) and s[0] in ("enum", "abstract")), None)
        if sort is None:
            return operands

        def converted(term):
            operator, parts, _ = self.terms.list[term]
            if operator == "ite" and self.terms.sort(term) == "Int":
                return self.terms.apply("ite", parts[0], converted(parts[1]), converted(parts[2]))
            value = self.terms.value(term)
            if self.terms.sort(term) != "Int" or value is None:
                return term
            if sort[0] == "enum" and not 0 <= value < len(sort[2]):
                raise NotCovered("a number beside an enumeration in the certificate")
            return self.terms.constant(value, sort)

        return [converted(o) for o in operands]


def plain_sort(text):
    if text not in ("Bool", "Int", "Real"):
        raise NotCovered(f"the sort {text} of the certificate")
    return text


FIRST = re.compile(r"\((?:first value of `pre`|any value) in (.*), line (\d+)(?:, column (\d+))?(?:, value (\d+))?\)", re.S)


def first_value(called, places, root=""):
    """The free variable that a report calls so; None if there is not exactly one."""
    match = FIRST.fullmatch(called)
    if not match:
        return None
    path, line, column, number = match.groups()
    found = [
        term
        for (at, l, c, n), term in places.items()
        if (at == path or (at == "" and path in (root, root.split("<<")[0])))
        and l == int(line)
        and (column is None or c == int(column))
        and (number is None or n == int(number))
    ]
    return found[0] if len(found) == 1 else None


def shown(value, sort):
    """A value of a report as one of a sort."""
    if sort == "Bool" and isinstance(value, bool):
        return value
    if machine.is_bits(sort) and not isinstance(value, bool) and re.fullmatch(r"-?\d+", str(value)):
        _, width, signed = sort
        low = -(1 << (width - 1)) if signed else 0
        if low <= int(value) < low + (1 << width):
            return int(value) % (1 << width)
    elif isinstance(sort, tuple) and isinstance(value, str) and value in sort[2]:
        return sort[2].index(value)
    if (sort == "Int" or (isinstance(sort, tuple) and sort[0] == "abstract")) and not isinstance(value, bool) and re.fullmatch(r"-?\d+", str(value)):
        return int(value)
    if sort == "Real" and not isinstance(value, bool) and re.fullmatch(r"-?\d+(\.\d+)?([eE][+-]?\d+)?(/\d+)?", str(value)):
        return Fraction(str(value))
    raise Malformed(f"{value!r} is no value of {sort}")
