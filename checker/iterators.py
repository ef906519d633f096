"""Iterators of Lustre V6, written out element by element.

What is applied to an element is an expression over names that no program has, which stand for the values that it is given. The
expressions are made once for each place, as calls in them are instances of their own for each element.
"""

from lexer import Malformed, NotCovered
from trees import substituted

ITERATORS = {"map", "red", "fill", "fillred", "fold", "boolred"}
PREFIX = {"not", "pre"}


def is_iterator(tree):
    return isinstance(tree, tuple) and tree[:1] == ("call",) and tree[2] in ITERATORS and len(tree) > 4 and tree[4] is not None


def given(number):
    """The name of what is given to an element; none of a program has a blank."""
    return f"given {number}"


def applied(what, place, count):
    """The expression that applies an operator, a node or another iterator to so many values."""
    values = [("name", place, given(i)) for i in range(count)]
    if what[0] == "operator":
        operator = what[2]
        if operator == "if" and count == 3:
            return ("if", place, *values)
        if operator == "#":
            return ("atmost", place, values)
        if operator == "-" and count == 1:
            return ("neg", place, *values)
        if count != (1 if operator in PREFIX else 2):
            raise Malformed(f"`{operator}` of {count} values, line {place[0]}")
        return (operator, place, *values)
    if what[0] == "name":
        return ("call", place, what[2], values, *what[3:4])
    raise NotCovered("such an argument of an iterator", place[0])


def with_iterators_named(program):
    """A program in which other names of iterators (`function f = map<<+, 3>>;`) are these."""
    mapping = {("node", name): ("node", what, statics) for name, (what, statics) in program["aliases"].items() if what in ITERATORS}
    if not mapping:
        return program
    nodes = {
        name: {part: value if part == "constant inputs" else substituted(value, mapping) for part, value in node.items()}
        for name, node in program["nodes"].items()
    }
    return {**program, "nodes": nodes}


class Iterators:
    def elements_of(self, tree, instance):
        """What each element of an iterator comes to, in their order."""
        if tree[2] == "boolred" or tree[2] in self.program["nodes"]:
            return []
        statics = tree[4]
        if len(statics) != 2:
            raise Malformed(f"`{tree[2]}` has a node and a size, line {tree[1][0]}")
        size = self.static(statics[1], instance)
        if not 0 < size <= 10_000:
            raise NotCovered(f"an iterator over {size} elements", tree[1][0])
        key = (id(tree), size)
        if key not in self.expansions:
            # The tree is kept, and with it its number.
            self.expansions[key] = (tree, [applied(statics[0], tree[1], len(tree[3])) for _ in range(size)])
        return self.expansions[key][1]

    def iterated(self, tree, instance):
        """The values of an iterator: the last accumulator, if it has one, and an array of each other result."""
        place, word = tree[1], tree[2]
        values = [v for part in tree[3] for v in self.values(part, instance)]
        if word == "boolred":
            return [self.counted(tree, values, instance)]
        elements = self.elements_of(tree, instance)
        if len(values) != len(tree[3]):
            raise NotCovered("an iterator over several values of one expression", place[0])
        has_accumulator = word != "map"
        accumulator, arrays = (values[:1], values[1:]) if has_accumulator else ([], values)
        if any(not isinstance(a, list) or len(a) != len(elements) for a in arrays) or has_accumulator and not values:
            raise Malformed(f"the arrays of `{word}` are of another size, line {place[0]}")
        results = []
        for i, element in enumerate(elements):
            inner = self.where(instance, self.terms.truth(True))
            inner.written_out = True  # of several elements it is not known which one a report means
            inner.names = {**instance.names, **{given(n): v for n, v in enumerate([*accumulator, *(a[i] for a in arrays)])}}
            found = self.values(element, inner)
            if has_accumulator:
                accumulator, found = found[:1], found[1:]
            results.append(found)
        return [*accumulator, *([list(column) for column in zip(*results)] if results else [])]

    def counted(self, tree, values, instance):
        """`boolred<<i, j, k>>`: at least i and at most j of k are true."""
        low, high, size = (self.static(part, instance) for part in tree[4])
        terms = self.terms
        if len(values) != 1 or not isinstance(values[0], list) or len(values[0]) != size or not 0 <= low <= high <= size:
            raise Malformed(f"`boolred` of such an array, line {tree[1][0]}")
        number = lambda n: terms.constant(n, "Int")
        count = number(0)
        for value in values[0]:
            count = terms.apply("+", count, terms.apply("ite", value, number(1), number(0)))
        return self.bounds(("scalar", "Int", low, high), count)
