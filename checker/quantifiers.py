"""Quantifiers: written out over few values, and chosen where one that fails, or that holds, may be chosen.

A `forall` in what is to be shown fails where it fails for some value, so its variable is a flow that has any value at
each step; an `exists` in what is assumed holds where it holds for some value. In other places, and where what is
quantified remembers something, only those over few values are covered.
"""

from data import has_data
from kinds import Instance
from lexer import Malformed, NotCovered
from trees import calls, mentioned, tags

MOST = 4096  # values that are written out
OTHER = {"forall": "exists", "exists": "forall"}
MEMORY = {"sampled", "merge", "current", "when", "match", "and then", "or else", "==>", "pre", "fby", "->", "clocked", "any", "choose", "last"}


def may_be_chosen(tree, wanted):
    """The quantifiers of a kind around which nothing stands but what decides whether the whole is true."""
    tag = tree[0]
    if tag == wanted:
        return [tree, *may_be_chosen(tree[3], wanted)]
    if tag in ("and", "or", "->"):
        return may_be_chosen(tree[2], wanted) + may_be_chosen(tree[3], wanted)
    if tag in ("and then", "or else", "==>"):
        return may_be_chosen(tree[3], wanted)  # the left side decides about steps
    if tag == "not":
        return may_be_chosen(tree[2], OTHER[wanted])
    if tag == "=>":
        return may_be_chosen(tree[2], OTHER[wanted]) + may_be_chosen(tree[3], wanted)
    if tag == "if":
        return may_be_chosen(tree[3], wanted) + may_be_chosen(tree[4], wanted)
    return []


def conjuncts(tree):
    return conjuncts(tree[2]) + conjuncts(tree[3]) if tree[0] == "and" else [tree]


class Quantifiers:
    def shown(self, tree, instance):
        """The value of what is to be shown."""
        self.note_choosable(tree, "forall")
        return self.scalar(tree, instance)

    def assumed(self, tree, instance):
        """The value of what is assumed."""
        self.note_choosable(tree, "exists")
        return self.scalar(tree, instance)

    def note_choosable(self, tree, wanted):
        # By identity, so they are kept: nothing else may get the number of one that is gone.
        self.choosable.update({id(found): found for found in may_be_chosen(tree, wanted)})

    def quantified(self, tree, instance):
        tag, place, variables, body = tree
        return self.over(tag, variables, body, instance, tree)

    def over(self, tag, variables, body, instance, tree):
        """The value for the first variable on; the type of each sees those before it."""
        if not variables:
            value = self.scalar(body, instance)
            if self.terms.sort(value) != "Bool":
                raise Malformed(f"what is quantified is not boolean, line {tree[1][0]}")
            return value
        (name, kind, place), left = variables[0], variables[1:]
        found = self.type(kind, instance)
        values = self.few(found, tag, [v[0] for v in variables], body, instance)
        combine = "and" if tag == "forall" else "or"
        if values is not None:
            whole = self.terms.truth(tag == "forall")
            for number, value in enumerate(values):
                inner = self.inside(instance, name, kind, found, value, number)
                part = self.limited(tag, kind, value, inner, left, body, tree)
                whole = self.terms.apply(combine, whole, part)
            return whole
        if tags(body) & MEMORY:
            raise NotCovered(f"`{tag}` of what remembers or chooses", place[0])
        if id(tree) not in self.choosable:
            return self.left_to_the_solver(tag, variables[0], found, left, body, instance, tree)
        value = self.chosen_flow(instance, name, found)
        inner = self.inside(instance, name, kind, found, value, None)
        return self.limited(tag, kind, value, inner, left, body, tree)

    def left_to_the_solver(self, tag, variable, found, left, body, instance, tree):
        """A quantifier of the solver's own, over a scalar; what is quantified calls nothing."""
        name, kind, place = variable
        if has_data(found) or calls(body) - set(self.constructors):
            raise NotCovered(f"`{tag}` over many values", place[0])
        bound = self.leaves(found, name, lambda leaf, scalar: self.terms.intern("bound", (len(self.terms.list), leaf), scalar[1]))
        inner = self.inside(instance, name, kind, found, bound, None)
        inner.left_open = True
        before, self.waiting = self.waiting, []
        value = self.limited(tag, kind, bound, inner, left, body, tree)
        asked, self.waiting = self.waiting, before
        for part, title, at, term in asked:
            self.asked(part, instance, title, at, self.for_all("forall", found, bound, term))
        return self.for_all(tag, found, bound, value)

    def for_all(self, tag, kind, bound, value):
        """A term for all values of a type, or for some; `bound` are the variables that it is made of."""
        within = self.within(kind, bound)
        value = self.terms.implies(within, value) if tag == "forall" else self.terms.apply("and", within, value)
        for scalar in self.scalars(bound):
            value = self.terms.apply(("quantifier", tag, "Bool", scalar), value)
        return value

    def limited(self, tag, kind, value, instance, left, body, tree):
        """What is quantified, which counts for the values of the type only; so does what calls in it are owed."""
        meant = self.terms.conjunction([term for _, term in self.conditions(kind, value, instance)])
        if self.terms.value(meant) is True:
            return self.over(tag, left, body, instance, tree)
        instance.active = self.terms.apply("and", instance.active, meant)
        part = self.over(tag, left, body, instance, tree)
        return self.terms.implies(meant, part) if tag == "forall" else self.terms.apply("and", meant, part)

    def inside(self, instance, name, kind, found, value, number):
        """The instance with one more name; calls there are instances of their own for each value that is written out."""
        inner = Instance(instance.path, instance.node, instance.active, instance.first)
        inner.depth, inner.kept, inner.modes = instance.depth, instance.kept, instance.modes
        inner.type_pieces, inner.own = instance.type_pieces, instance.own
        inner.names = {**instance.names, name: value}
        # What has a type is a flow; a number that is written out is none.
        inner.types = {n: t for n, t in instance.types.items() if n != name}
        if number is None:
            inner.types[name] = (kind, found)
            inner.pieces = instance.pieces
        else:
            inner.pieces = {key: f"{piece} for {name} {number}" for key, piece in instance.pieces.items()}
            inner.written_out = True
        inner.written_out = inner.written_out or instance.written_out
        inner.left_open = instance.left_open
        return inner

    def chosen_flow(self, instance, name, found):
        """A flow with any value at each step, which executions show."""
        shown = self.name_of_flow(instance, name)
        self.system.chosen.add((instance.path, name))

        def make(leaf, scalar):
            flow = self.system.flow(instance.path, leaf, scalar[1])
            self.system.define(flow, self.open(leaf, scalar))
            if scalar[2:] != (None, None):
                self.system.domains[self.system.definitions[flow]] = scalar[2:]
            return flow

        if has_data(found):
            raise NotCovered("a quantifier over a data type")
        return self.leaves(found, shown, make)

    def few(self, kind, tag, names, body, instance):
        """All values of a type, or those outside of which nothing is said; None if they are many."""
        if kind[0] != "scalar":
            return None
        _, sort, low, high = kind
        if sort == "Bool":
            return [self.terms.truth(False), self.terms.truth(True)]
        if isinstance(sort, tuple) and sort[0] == "enum":
            return [self.terms.constant(i, sort) for i in range(len(sort[2]))]
        if sort != "Int":
            return None
        said = body[2] if tag == "forall" and body[0] == "=>" else body if tag == "exists" else None
        for part in conjuncts(said) if said else []:
            under, over = self.limits(part, names, instance)
            low = under if low is None else low if under is None else max(low, under)
            high = over if high is None else high if over is None else min(high, over)
        if low is None or high is None or high - low >= MOST:
            return None
        return [self.terms.constant(i, "Int") for i in range(low, high + 1)]

    def limits(self, part, names, instance):
        """The least and the largest value of the first name for which a comparison with a constant can hold."""
        tag = part[0]
        if tag not in ("<", "<=", ">", ">=", "="):
            return None, None
        left, right = part[2], part[3]
        if tag in (">", ">="):
            tag, left, right = {">": "<", ">=": "<="}[tag], right, left
        is_left, is_right = (side[0] == "name" and side[2] == names[0] for side in (left, right))
        if is_left == is_right:
            return None, None
        other = right if is_left else left
        if mentioned(other) & set(names):
            return None, None
        try:
            number = self.static(other, instance)
        except (NotCovered, Malformed):
            return None, None
        strict = 1 if tag == "<" else 0
        if tag == "=":
            return number, number
        return (None, number - strict) if is_left else (number + strict, None)
