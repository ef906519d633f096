"""Data types, `match` and lazy operators.

A value of a data type is a record of its constructor, under the name "", and of all fields of all constructors; those that
another constructor has are the plainest values of their types, so that equal values are equal field by field. A side that takes
a step only where it is chosen has a clock of its own.
"""

from fractions import Fraction

from kinds import Instance
from lexer import Malformed, NotCovered

TAG = ""


def has_data(kind):
    """Whether values of a type have parts that do not count."""
    if kind[0] == "data":
        return True
    if kind[0] == "record":
        return any(has_data(t) for _, t in kind[1])
    if kind[0] == "array":
        return has_data(kind[1])
    return kind[0] == "tuple" and any(has_data(t) for t in kind[1])


class Data:
    def note_constructors(self):
        """Which types have which constructors; a name is that of one in the whole program."""
        for name, kind in self.program["types"].items():
            whole = kind[3] if kind[0] == "generic" else kind
            for constructor, fields in whole[3] if whole[0] == "data" else ():
                if constructor in self.constructors:
                    raise Malformed(f"`{constructor}` is declared twice")
                self.constructors[constructor] = (name, kind, fields)

    def data_type(self, kind, scope):
        tag = ("scalar", ("enum", kind[2], tuple(c for c, _ in kind[3])), None, None)
        if kind in self.data_at_work or len(self.data_at_work) > 20:
            raise NotCovered("a recursive data type", kind[1][0])
        self.data_at_work.append(kind)
        made = tuple((c, tuple((f, self.type(t, scope)) for f, t in fields)) for c, fields in kind[3])
        self.data_at_work.pop()
        names = [f for _, fields in made for f, _ in fields]
        if len(set(names)) != len(names):
            raise Malformed(f"a field twice, line {kind[1][0]}")
        return ("data", tag, made)

    def plainest(self, kind):
        """The value of a field that another constructor has."""

        def make(_, scalar):
            _, sort, low, high = scalar
            number = low if low is not None and low > 0 else high if high is not None and high < 0 else 0
            value = {"Bool": False, "Real": Fraction(0)}.get(sort, number)
            return self.terms.constant(value, sort)

        return self.leaves(kind, "", make)

    def canonical(self, kind, value):
        """A value whose parts that do not count are the plainest."""
        if kind[0] == "record":
            return {f: self.canonical(t, value[f]) for f, t in kind[1]}
        if kind[0] == "array":
            return [self.canonical(kind[1], v) for v in value]
        if kind[0] == "tuple":
            return [self.canonical(t, v) for t, v in zip(kind[1], value)]
        if kind[0] != "data":
            return value
        found = {TAG: value[TAG]}
        for constructor, fields in kind[2]:
            made = self.made_by(kind, value, constructor)
            choose = lambda a, b: self.terms.apply("ite", made, a, b)
            for field, t in fields:
                found[field] = self.zip(choose, self.canonical(t, value[field]), self.plainest(t))
        return found

    def made_by(self, kind, value, constructor):
        names = [c for c, _ in kind[2]]
        tag = self.terms.constant(names.index(constructor), kind[1][1])
        return self.terms.apply("=", value[TAG], tag)

    def construct(self, name, tree, values, instance):
        """A value that a constructor makes."""
        type_name, kind, _ = self.constructors[name]
        arguments = []
        if kind[0] == "generic":
            arguments = self.arguments_of_constructor(name, tree, instance)
        found = self.type(("named", tree[1], type_name, arguments), instance)
        fields = dict(found[2])[name]
        if len(values) != len(fields):
            raise Malformed(f"`{name}` takes {len(fields)} values, line {tree[1][0]}")
        names = [c for c, _ in found[2]]
        made = {TAG: self.terms.constant(names.index(name), found[1][1])}
        given = dict(zip((f for f, _ in fields), values))
        for _, others in found[2]:
            for field, t in others:
                made[field] = given.get(field) if field in given else self.plainest(t)
        for field, t in fields:
            self.check(t, given[field], tree[1])
        return made

    def arguments_of_constructor(self, name, tree, instance):
        """What the parameters of its type stand for: as the text says, or as the values have it."""
        statics = tree[4] if tree[0] == "call" and len(tree) > 4 else tree[3] if tree[0] == "name" and len(tree) > 3 else None
        if statics is not None:
            return [self.named_type(s) for s in statics]
        _, kind, fields = self.constructors[name]
        given = {}
        for (_, declared), argument in zip(fields, tree[3] if tree[0] == "call" else ()):
            self.unify(declared, self.kinds_of(argument, instance)[0], kind[2], given)
        missing = [p for p in kind[2] if p not in given]
        if missing:
            raise NotCovered(f"the argument `{missing[0]}` of the type of `{name}`", tree[1][0])
        return [given[p] for p in kind[2]]

    def is_made_by(self, tree, instance):
        """`Circle?(s)`"""
        _, place, name, operand = tree
        value = self.single(operand, instance)
        if name in self.enumerations:
            sort, position = self.enumerations[name]
            return self.terms.apply("=", value, self.terms.constant(position, sort))
        if name not in self.constructors or not isinstance(value, dict) or TAG not in value:
            raise Malformed(f"`{name}?` of such a value, line {place[0]}")
        return self.tagged(value, name, place)

    def constructors_of(self, value):
        """The constructors of the type of a value, with their fields."""
        names = self.terms.sort(value[TAG])[2]
        return [(name, self.constructors[name][2]) for name in names]

    def tagged(self, value, name, place):
        sort = self.terms.sort(value[TAG])
        if not isinstance(sort, tuple) or name not in sort[2]:
            raise Malformed(f"`{name}` is no constructor of the value, line {place[0]}")
        return self.terms.apply("=", value[TAG], self.terms.constant(sort[2].index(name), sort))

    # -- What takes a step only where it is chosen

    def where(self, instance, condition):
        """An instance whose steps are those at which a condition holds."""
        inner = Instance(instance.path, instance.node, instance.active, instance.first)
        for name in ("names", "types", "depth", "kept", "pieces", "clauses", "written_out", "left_open", "flow_clocks", "own", "is_contract", "type_pieces"):
            setattr(inner, name, getattr(instance, name))
        if self.terms.value(condition) is not True:
            inner.active, inner.first = self.clock(instance, condition, None)
        return inner

    def lazy(self, tree, instance):
        """`when c then a else b`, `and then`, `or else`, `==>`."""
        tag, place, *parts = tree
        terms = self.terms
        condition = self.scalar(parts[0], instance)
        negated = terms.negation(condition)
        if tag == "when":
            then = self.values_where(parts[1], instance, condition)
            other = self.values_where(parts[2], instance, negated)
            if len(then) != len(other):
                raise Malformed(f"lists of different lengths, line {place[0]}")
            choose = lambda a, b: terms.apply("ite", condition, a, b)
            return [self.zip(choose, a, b) for a, b in zip(then, other)]
        chosen = negated if tag == "or else" else condition
        (side,) = self.values_where(parts[1], instance, chosen)
        return [terms.apply({"and then": "and", "or else": "or", "==>": "=>"}[tag], condition, side)]

    def values_where(self, tree, instance, condition):
        return self.unguarded(lambda: self.values(tree, self.where(instance, condition)))

    def match(self, tree, instance):
        """The first arm whose pattern the value has."""
        _, place, subject, arms = tree
        value, terms = self.single(subject, instance), self.terms
        left, found = terms.truth(True), []
        for pattern, arm in arms:
            names = {}
            fits = self.fits(pattern, value, names)
            inner = self.where(instance, terms.apply("and", left, fits))
            inner.names = {**instance.names, **names}
            inner.types = {n: t for n, t in instance.types.items() if n not in names}
            found.append((fits, self.unguarded(lambda: self.values(arm, inner))))
            left = terms.apply("and", left, terms.negation(fits))
        _, whole = found[-1]
        for fits, values in reversed(found[:-1]):
            if len(values) != len(whole):
                raise Malformed(f"lists of different lengths, line {place[0]}")
            whole = [self.zip(lambda a, b: terms.apply("ite", fits, a, b), a, b) for a, b in zip(values, whole)]
        return whole

    def fits(self, pattern, value, names):
        """Whether a value has a pattern; what it names is noted."""
        tag, place, name = pattern[0], pattern[1], pattern[2]
        if tag == "name" and name not in self.constructors and name not in self.enumerations:
            if name != "_":
                names[name] = value
            return self.terms.truth(True)
        if name in self.enumerations:
            sort, position = self.enumerations[name]
            return self.terms.apply("=", value, self.terms.constant(position, sort))
        if name not in self.constructors or not isinstance(value, dict) or TAG not in value:
            raise NotCovered("such a pattern", place[0])
        fields = [f for f, _ in self.constructors[name][2]]
        parts = pattern[3] if tag == "call" else []
        if len(parts) != len(fields):
            raise Malformed(f"`{name}` has {len(fields)} fields, line {place[0]}")
        whole = self.tagged(value, name, place)
        for field, part in zip(fields, parts):
            inner = self.fits(part, value[field], names)
            whole = whole if self.terms.value(inner) is True else self.terms.apply("and", whole, inner)
        return whole
