"""Types: what a declaration says of values.

A type is `("scalar", sort, low, high)`, `("record", fields)` or `("array", type, size)`. Conditions are no part of types: they are
terms about a value, made from the tree of the declaration.
"""

from lexer import Malformed, NotCovered

DEEPEST = 200


class Instance:
    def __init__(self, path, node, active, first, parent=None):
        self.path, self.node, self.active, self.first = path, node, active, first
        self.names = {}  # what names mean here: values
        self.types = {}  # of flows
        self.depth = parent.depth + 1 if parent else 0
        self.kept = {}  # flow of a frame -> what it keeps where nothing defines it
        self.pieces = {}  # the place of a call -> the name of its instance
        self.clauses = []  # of its contract, with what is imported
        self.written_out = False  # whether a variable of a quantifier is written out
        self.left_open = False  # whether one is left to the solver: then a term here means nothing outside
        self.modes = {}
        self.outer = self.sample = None  # of a slower clock: what is sampled, and by which flow and value
        self.slower = {}  # slower clocks -> the instance on them
        self.flow_clocks = {}
        self.is_contract = False
        self.type_pieces = {}  # of a flow -> the names of the instances that its type calls
        self.own = {}  # flows of a part -> the clock that is declared, if one is, and what the part says


class Kinds:
    def type(self, kind, scope=None):
        """The type that a tree stands for."""
        tag, place = kind[0], kind[1]
        if tag in ("bool", "int", "real"):
            return ("scalar", tag.capitalize(), None, None)
        if tag == "abstract":
            return ("scalar", ("abstract", kind[2]), None, None)
        if tag == "bits":
            return ("scalar", kind[:1] + kind[2:], None, None)
        if tag == "enum":
            if kind[2] is None:
                raise NotCovered("an enumeration without a name", place[0])
            return ("scalar", ("enum", kind[2], tuple(kind[3])), None, None)
        if tag == "subrange":
            low, high = (self.known_bound(b, scope) for b in kind[2:4])
            if low is not None and high is not None and low > high:
                raise Malformed(f"a subrange without values, line {place[0]}")
            return ("scalar", "Int", low, high)
        if tag == "subtype":
            return self.type(kind[3], scope)
        if tag == "struct":
            return ("record", tuple((name, self.type(t, scope)) for name, t in kind[2]))
        if tag == "data":
            return self.data_type(kind, scope)
        if tag == "tuple":
            return ("tuple", tuple(self.type(t, scope) for t in kind[2]))
        if tag == "array":
            size = self.static(kind[3], scope)
            if size < 0 or size > 10_000:
                raise NotCovered(f"an array of {size} elements", place[0])
            return ("array", self.type(kind[2], scope), size)
        if kind[2] not in self.program["types"]:
            raise NotCovered(f"the type `{kind[2]}`", place[0])
        if ("type", kind[2:]) in self.making:
            raise Malformed(f"the type `{kind[2]}` is made of itself")
        self.making.append(("type", kind[2:]))
        found = self.type(self.definition(kind), scope if len(kind) > 3 and kind[3] else None)
        self.making.pop()
        return found

    def static(self, tree, scope):
        """The number that a constant expression is."""
        plain = Instance("", None, self.terms.truth(True), self.terms.truth(False))
        plain.names = dict(scope.names) if scope else {}  # flows among them, which hide constants
        try:
            value = self.terms.value(self.scalar(tree, plain))
        except NotCovered:
            value = None
        if not isinstance(value, int) or isinstance(value, bool):
            raise NotCovered("a bound or size that is no constant", tree[1][0])
        return value

    def known_bound(self, tree, scope):
        """The number that a bound is; one that is no constant is a condition and no bound."""
        try:
            return None if tree is None else self.static(tree, scope)
        except NotCovered:
            return None

    def conditions(self, kind, value, instance, flow=None):
        """What a type says of a value beyond its sort, and whether it has conditions.

        What the type of a flow calls runs once, however often it is asked what the type says.
        """
        if flow not in instance.type_pieces:
            return self.conditions_of(kind, value, instance)
        if (instance.path, flow) not in self.said_of_flows:
            inner = self.where(instance, self.terms.truth(True))
            inner.pieces = {**instance.pieces, **instance.type_pieces[flow]}
            self.said_of_flows[instance.path, flow] = self.unguarded(lambda: self.conditions_of(kind, value, inner))
        return self.said_of_flows[instance.path, flow]

    def conditions_of(self, kind, value, instance):
        tag = kind[0]
        if tag == "subtype":
            base = self.conditions(kind[3], value, instance)
            inner = self.where(instance, self.terms.truth(True))
            inner.names = {**instance.names, kind[2]: value}
            inner.types = {n: t for n, t in instance.types.items() if n != kind[2]}
            return [*base, ("subtype", self.scalar(kind[4], inner))]
        if tag == "named":
            definition = self.definition(kind)
            if definition[0] in ("bool", "int", "real", "enum", "bits", "abstract"):
                return []
            # What stands in a declaration of a type sees no flows.
            outside = Instance(instance.path, instance.node, instance.active, instance.first)
            outside.depth, outside.left_open = instance.depth, instance.left_open
            outside.pieces = {**instance.pieces, **instance.type_pieces.get(("use", id(kind)), {})}
            return self.conditions(definition, value, outside)
        if tag == "struct":
            return [c for name, t in kind[2] for c in self.conditions(t, value[name], instance)]
        if tag == "array":
            return [c for element in value for c in self.conditions(kind[2], element, instance)]
        if tag == "data":
            found = []
            made = self.type(kind, instance)
            for constructor, fields in kind[3]:
                is_made = self.made_by(made, value, constructor)
                for f, t in fields:
                    found += [(w, self.terms.implies(is_made, c)) for w, c in self.conditions(t, value[f], instance)]
            return found
        if tag == "tuple":
            return [c for part, t in zip(value, kind[2]) for c in self.conditions(t, part, instance)]
        if tag == "subrange":
            found = [("subrange", self.bounds(self.type(kind, instance), value))]
            for tree, is_low in ((kind[2], True), (kind[3], False)):
                if tree is not None and self.known_bound(tree, instance) is None:
                    bound = self.scalar(tree, instance)
                    found.append(("subtype", self.terms.apply("<=", *((bound, value) if is_low else (value, bound)))))
            return found
        return []

    def bounds(self, kind, term):
        """That a term is within the bounds of a scalar type."""
        parts = []
        if kind[2] is not None:
            parts.append(self.terms.apply("<=", self.terms.constant(kind[2], "Int"), term))
        if kind[3] is not None:
            parts.append(self.terms.apply("<=", term, self.terms.constant(kind[3], "Int")))
        return self.terms.conjunction(parts)

    def leaves(self, kind, name, make):
        """A value of a type, of what `make` gives for each scalar."""
        if kind[0] == "record":
            return {f: self.leaves(t, f"{name}.{f}", make) for f, t in kind[1]}
        if kind[0] == "array":
            return [self.leaves(kind[1], f"{name}[{i}]", make) for i in range(kind[2])]
        if kind[0] == "tuple":
            return [self.leaves(t, f"{name}[{i}]", make) for i, t in enumerate(kind[1])]
        if kind[0] == "data":
            fields = [(f, t) for _, part in kind[2] for f, t in part]
            return {"": make(name, kind[1]), **{f: self.leaves(t, f"{name}.{f}", make) for f, t in fields}}
        return make(name, kind)

    def check(self, kind, value, place):
        """That a value is one of a type, apart from bounds."""
        good = kind[0] == "scalar" and isinstance(value, int) and self.terms.sort(value) == kind[1]
        if kind[0] == "record":
            good = isinstance(value, dict) and list(value) == [f for f, _ in kind[1]]
            good and [self.check(t, value[f], place) for f, t in kind[1]]
        if kind[0] == "array":
            good = isinstance(value, list) and len(value) == kind[2]
            good and [self.check(kind[1], v, place) for v in value]
        if kind[0] == "data":
            fields = [(f, t) for _, part in kind[2] for f, t in part]
            good = isinstance(value, dict) and list(value) == ["", *(f for f, _ in fields)]
            good and self.check(kind[1], value[""], place)
            good and [self.check(t, value[f], place) for f, t in fields]
        if kind[0] == "tuple":
            good = isinstance(value, list) and len(value) == len(kind[1])
            good and [self.check(t, v, place) for t, v in zip(kind[1], value)]
        if not good:
            raise Malformed(f"a value of another type, line {place[0]}")
