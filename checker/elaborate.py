"""From trees to a system: names, types, instances, clocks.

Every call is an instance of its node with flows, memories and open values of its own. A value is a term,
`{field: value}` for a record or a list for an array; an expression has a list of values. A clock is a
pair of terms: whether it ticks at this step, and whether that tick, if it does, is its first.
"""

from fractions import Fraction

from syntax import Malformed, NotCovered
from terms import Property, System

DEEPEST = 200
OPERATORS = {"and", "or", "xor", "=>", "+", "-", "*", "div", "mod", "/", "<", "<="}


class Instance:
    def __init__(self, path, node, active, first, parent=None):
        self.path, self.node, self.active, self.first = path, node, active, first
        self.names = {}  # what names mean here: values
        self.types = {}  # of flows
        self.depth = parent.depth + 1 if parent else 0
        self.pieces = {}  # the place of a call -> the name of its instance
        self.ghosts = {}
        self.modes = {}


class Elaborator:
    def __init__(self, program):
        self.program = program
        self.system = System()
        self.terms = self.system.terms
        self.enumerations = {}  # value -> (enumeration, position)
        self.constants = {}
        self.pending = set()
        self.clocks = {}  # flags that tell whether clocks have ticked
        self.places = {}  # (path, line, column, number) -> free variable, of a first value that counts
        self.guarded = False  # whether an arrow keeps the first step away
        for name, kind in program["types"].items():
            if kind[0] == "enum":
                for i, value in enumerate(kind[3]):
                    if value in self.enumerations or value in program["constants"]:
                        raise Malformed(f"`{value}` is declared twice")
                    self.enumerations[value] = (("enum", name, tuple(kind[3])), i)

    # -- types: ("scalar", sort, low, high), ("record", fields), ("array", type, size); and conditions

    def type(self, kind, scope=None):
        """The type that a tree stands for."""
        tag, place = kind[0], kind[1]
        if tag in ("bool", "int", "real"):
            return ("scalar", tag.capitalize(), None, None)
        if tag == "enum":
            if kind[2] is None:
                raise NotCovered("an enumeration without a name", place[0])
            return ("scalar", ("enum", kind[2], tuple(kind[3])), None, None)
        if tag == "subrange":
            low, high = (None if b is None else self.static(b, scope) for b in kind[2:4])
            return ("scalar", "Int", low, high)
        if tag == "subtype":
            return self.type(kind[3], scope)
        if tag == "struct":
            return ("record", tuple((name, self.type(t, scope)) for name, t in kind[2]))
        if tag == "array":
            size = self.static(kind[3], scope)
            if size < 0 or size > 10_000:
                raise NotCovered(f"an array of {size} elements", place[0])
            return ("array", self.type(kind[2], scope), size)
        if kind[2] not in self.program["types"]:
            raise NotCovered(f"the type `{kind[2]}`", place[0])
        if (kind[2], "type") in self.pending:
            raise Malformed(f"the type `{kind[2]}` is made of itself")
        self.pending.add((kind[2], "type"))
        found = self.type(self.program["types"][kind[2]])
        self.pending.discard((kind[2], "type"))
        return found

    def static(self, tree, scope):
        """The number that a constant expression is."""
        names = dict(scope.names) if scope else {}
        plain = Instance("", None, self.terms.truth(True), self.terms.truth(False))
        plain.names = {n: v for n, v in names.items() if isinstance(v, int) and self.terms.value(v) is not None}
        try:
            value = self.terms.value(self.scalar(tree, plain))
        except NotCovered:
            value = None
        if not isinstance(value, int) or isinstance(value, bool):
            raise NotCovered("a bound or size that is no constant", tree[1][0])
        return value

    def conditions(self, kind, value, instance):
        """What a type says of a value beyond its sort, and whether it has conditions."""
        tag = kind[0]
        if tag == "subtype":
            base = self.conditions(kind[3], value, instance)
            inner = Instance(instance.path, instance.node, instance.active, instance.first)
            inner.names = {**instance.names, kind[2]: value}
            inner.types = {n: t for n, t in instance.types.items() if n != kind[2]}
            inner.depth = DEEPEST + 1  # a call in a condition is not covered
            return [*base, ("subtype", self.scalar(kind[4], inner))]
        if tag == "named":
            if self.program["types"][kind[2]][0] in ("bool", "int", "real", "enum"):
                return []
            # What stands in a declaration of a type sees no flows.
            outside = Instance(instance.path, instance.node, instance.active, instance.first)
            outside.depth = DEEPEST + 1
            return self.conditions(self.program["types"][kind[2]], value, outside)
        if tag == "struct":
            return [c for name, t in kind[2] for c in self.conditions(t, value[name], instance)]
        if tag == "array":
            return [c for element in value for c in self.conditions(kind[2], element, instance)]
        if tag == "subrange":
            return [("subrange", self.bounds(self.type(kind, instance), value))]
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
        if not good:
            raise Malformed(f"a value of another type, line {place[0]}")

    # -- instances

    def root(self, name):
        """The system of a node with all that it calls."""
        node = self.program["nodes"].get(name)
        if node is None:
            raise NotCovered(f"the node `{name}`, which is not in the text")
        system = self.system
        instance = Instance("", node, self.terms.truth(True), system.first)
        for flow, kind, _ in node["inputs"]:
            self.declare(instance, flow, kind, defined=False)
        self.body(instance)
        return system

    def declare(self, instance, name, kind, defined=True):
        system, found = self.system, self.type(kind, instance)

        def make(leaf, scalar):
            flow = system.flow(instance.path, leaf, scalar[1])
            if not defined:
                system.define(flow, self.open(f"input {leaf}", scalar))
                if scalar[2:] != (None, None):
                    system.domains[system.definitions[flow]] = scalar[2:]
            return flow

        if name in instance.names and name in instance.types:
            raise Malformed(f"`{name}` is declared twice")
        instance.names[name] = self.leaves(found, name, make)
        instance.types[name] = (kind, found)

    def open(self, name, scalar):
        """Any value of a scalar type; bounds are left to others."""
        term = self.system.free(name, scalar[1])
        self.restrict(term)
        return term

    def restrict(self, term):
        """The positions of an enumeration are those of its values."""
        sort = self.terms.sort(term)
        if isinstance(sort, tuple):
            self.system.domains[term] = (0, len(sort[2]) - 1)

    def call(self, tree, caller, name, arguments, clock=None, reset=None):
        """The outputs of a new instance."""
        place = tree[1]
        node = self.program["nodes"].get(name)
        if node is None:
            return self.library(name, arguments, caller, place)
        if not node["body"] and not node["function"]:
            raise NotCovered("a node without a body", node["place"][0])
        if caller.depth > DEEPEST:
            raise NotCovered("calls in a type, or calls of calls without an end", place[0])
        piece = caller.pieces[id(tree)]
        path = f"{caller.path}.{piece}" if caller.path else piece
        values = self.unguarded(lambda: [v for a in arguments for v in self.values(a, caller)])
        if len(values) != len(node["inputs"]):
            raise Malformed(f"`{name}` takes {len(node['inputs'])} values, line {place[0]}")
        active, first = self.clock(caller, clock, reset)
        instance = Instance(path, node, active, first, caller)
        for (flow, kind, _), value in zip(node["inputs"], values):
            self.declare(instance, flow, kind)
            self.check(instance.types[flow][1], value, place)
            self.equate(instance.names[flow], value)
        if not node["body"]:
            return self.unknown(instance)
        self.unguarded(lambda: self.body(instance))
        return [instance.names[flow] for flow, _, _ in node["outputs"]]

    def unknown(self, instance):
        """The outputs of a function without a body: equal arguments, equal results."""
        node = instance.node
        if node["contract"] or any(k[0] not in ("bool", "int", "real") for _, k, _ in node["inputs"] + node["outputs"]):
            raise NotCovered("a contract or special types of a function without a body", node["place"][0])
        arguments = [instance.names[flow] for flow, _, _ in node["inputs"]]
        for i, (flow, kind, _) in enumerate(node["outputs"]):
            self.declare(instance, flow, kind)
            function = ("function", f"{node['name']} {i}", instance.types[flow][1][1])
            self.equate(instance.names[flow], self.terms.apply(function, *arguments))
        return [instance.names[flow] for flow, _, _ in node["outputs"]]

    def unguarded(self, make, guarded=False):
        """What `make` gives, at every step (or only where no first step comes)."""
        before, self.guarded = self.guarded, guarded
        found = make()
        self.guarded = before
        return found

    def clock(self, caller, clock, reset):
        """The clock of a call: ticks of the caller where `clock` holds, anew where `reset` does."""
        if clock is None and reset is None:
            return caller.active, caller.first
        terms = self.terms
        active = caller.active
        if clock is not None:
            active = terms.apply("and", active, clock)
        begins = self.untouched(caller, active)
        first = begins if reset is None else terms.apply("or", begins, reset)
        return active, first

    def untouched(self, caller, active):
        """Whether a clock has not ticked before since that of its caller began."""
        terms, system = self.terms, self.system
        key = (caller.active, caller.first, active)
        if key not in self.clocks:
            memory = system.memory("untouched", "Bool", terms.truth(True))
            still = memory
            # The clock of the whole execution begins once, as the memory does.
            if caller.first != system.first:
                still = terms.apply("or", memory, terms.apply("and", caller.active, caller.first))
            system.memories[memory][1] = terms.apply("ite", active, terms.truth(False), still)
            self.clocks[key] = still
        return self.clocks[key]

    def clocked(self, tree, instance):
        """`condact`, `activate`, `restart`: between ticks the outputs of the last one, before it the defaults."""
        _, _, name, arguments, clock, defaults, reset = tree
        clock = None if clock is None else self.scalar(clock, instance)
        reset = None if reset is None else self.scalar(reset, instance)
        outputs = self.call(tree, instance, name, arguments, clock, reset)
        if clock is None:
            return outputs
        terms, system = self.terms, self.system
        given = [v for d in defaults for v in self.values(d, instance)]
        if len(given) != len(outputs):
            raise Malformed(f"a default for each output, line {tree[1][0]}")
        runs = terms.apply("and", instance.active, clock)
        still = self.untouched(instance, runs)

        def held(output, default):
            memory = system.delay(runs, output, "held")
            self.restrict(memory)
            before = terms.apply("ite", still, default, memory)
            return terms.apply("ite", runs, output, before)

        return [self.zip(held, o, d) for o, d in zip(outputs, given)]

    def number_calls(self, instance):
        """Names the instances of all calls of a node: numbered where a node is called twice."""
        found = []

        def walk(tree):
            if isinstance(tree, (tuple, list)):
                if isinstance(tree, tuple) and tree and tree[0] == "clocked":
                    [walk(part) for part in (tree[4], tree[6], tree[3], tree[5])]
                else:
                    [walk(part) for part in tree]
                called = isinstance(tree, tuple) and tree and tree[0] in ("call", "clocked")
                if called and tree[2] in self.program["nodes"]:
                    found.append(tree)

        node = instance.node
        walk([item for item in node["contract"]])
        walk([item[2:] for item in node["items"]])
        names = [tree[2] for tree in found]
        for i, tree in enumerate(found):
            number = names[: i + 1].count(tree[2])
            several = names.count(tree[2]) > 1
            instance.pieces[id(tree)] = f"{tree[2]}[{number}]" if several else tree[2]

    def body(self, instance):
        node, system = instance.node, self.system
        self.number_calls(instance)
        for name, constant, _ in node["constants"]:
            if constant[1] is None:
                raise NotCovered("a free constant in a node", node["place"][0])
            instance.names[name] = self.single(constant[1], instance)
        for flow, kind, _ in node["outputs"] + node["locals"]:
            self.declare(instance, flow, kind)
        self.contract(instance)
        for flow, kind, place in node["inputs"]:
            if instance.depth:
                self.promise(instance, flow, kind, place)
            else:
                given = self.conditions(kind, instance.names[flow], instance)
                system.constraints += [term for tag, term in given if tag == "subtype"]
        defined = set()
        for item in node["items"]:
            if item[0] != "equation":
                continue
            values = self.values(item[3], instance)
            if len(values) != len(item[2]):
                raise Malformed(f"{len(item[2])} flows and {len(values)} values, line {item[1][0]}")
            for name, value in zip(item[2], values):
                if name in defined or name not in dict((f, 0) for f, *_ in node["outputs"] + node["locals"]):
                    raise Malformed(f"`{name}` cannot be defined, line {item[1][0]}")
                defined.add(name)
                self.check(instance.types[name][1], value, item[1])
                self.equate(instance.names[name], value)
        for flow, kind, place in node["outputs"] + node["locals"]:
            if flow not in defined:
                raise NotCovered(f"the flow `{flow}` without an equation", place[0])
            self.promise(instance, flow, kind, place)
        for item in node["items"]:
            if item[0] == "assert":
                self.assume(instance, self.scalar(item[2], instance))
            elif item[0] in ("property", "reachable"):
                title = item[2] or (item[3][2] if item[3][0] == "name" else f"line {item[1][0]}")
                what = self.scalar(item[3], instance)
                if item[4] is not None:
                    condition = self.scalar(item[4], instance)
                    what = self.terms.implies(condition, what)
                    if not instance.depth:
                        self.state(instance, f"condition of {title}", item[1], condition, True)
                self.state(instance, title, item[1], what, item[0] == "reachable")

    def assume(self, instance, term):
        self.system.constraints.append(self.terms.implies(instance.active, term))

    def state(self, instance, title, place, term, reachable=False):
        """A property counts where its instance runs."""
        if self.terms.sort(term) != "Bool":
            raise Malformed(f"a property that is not boolean, line {place[0]}")
        combine = "and" if reachable else "=>"
        if self.terms.value(instance.active) is not True:
            term = self.terms.apply(combine, instance.active, term)
        name = f"{instance.path}.{title}" if instance.path else title
        self.system.properties.append(Property(name, place[0], term, reachable))

    def promise(self, instance, flow, kind, place):
        """That a flow is as its type says is a property."""
        parts = self.conditions(kind, instance.names[flow], instance)
        if parts:
            word = "subtype" if any(tag == "subtype" for tag, _ in parts) else "subrange"
            term = self.terms.conjunction([t for _, t in parts])
            self.state(instance, f"{word}({flow})", place, term)

    def contract(self, instance):
        modes = []
        for item in instance.node["contract"]:
            tag, place = item[0], item[1]
            if tag == "ghost":
                self.declare(instance, item[2], item[3])
                value = self.single(item[4], instance)
                self.equate(instance.names[item[2]], value)
                self.promise(instance, item[2], item[3], place)
                continue
            if tag == "mode":
                requires = self.terms.conjunction([self.scalar(e, instance) for e in item[3]])
                flow = self.system.flow(instance.path, f"::{item[2]}", "Bool")
                self.system.define(flow, requires)
                instance.names[f"::{item[2]}"] = requires = flow
                ensures = self.terms.conjunction([self.scalar(e, instance) for e in item[4]])
                self.state(instance, item[2], place, self.terms.implies(requires, ensures))
                if not instance.depth:
                    self.state(instance, f"mode {item[2]}", place, requires, True)
                modes.append((place, requires))
                continue
            term = self.scalar(item[3], instance)
            title = item[2] or (item[3][2] if item[3][0] == "name" else f"line {place[0]}")
            if tag == "assume" and not instance.path:
                self.assume(instance, term)
            else:
                self.state(instance, title, place, term)
        if modes:
            one = self.terms.negation(self.terms.conjunction([self.terms.negation(r) for _, r in modes]))
            self.state(instance, "one mode active", modes[0][0], one)

    def equate(self, flow, value):
        self.zip(lambda f, v: self.system.define(f, v) or f, flow, value)

    # -- values

    def zip(self, make, *values):
        """A function of scalars, applied to structures of one shape scalar by scalar."""
        head = values[0]
        if isinstance(head, int):
            if not all(isinstance(v, int) for v in values):
                raise Malformed("structures of different types")
            return make(*values)
        if isinstance(head, dict):
            if not all(isinstance(v, dict) and list(v) == list(head) for v in values):
                raise Malformed("records of different types")
            return {f: self.zip(make, *(v[f] for v in values)) for f in head}
        if not all(isinstance(v, list) and len(v) == len(head) for v in values):
            raise Malformed("arrays of different types")
        return [self.zip(make, *vs) for vs in zip(*values)]

    def scalars(self, value):
        if isinstance(value, int):
            return [value]
        parts = value.values() if isinstance(value, dict) else value
        return [s for part in parts for s in self.scalars(part)]

    def single(self, tree, instance):
        values = self.values(tree, instance)
        if len(values) != 1:
            raise Malformed(f"one value expected, line {tree[1][0]}")
        return values[0]

    def scalar(self, tree, instance):
        value = self.single(tree, instance)
        if not isinstance(value, int):
            raise Malformed(f"a scalar expected, line {tree[1][0]}")
        return value

    def name(self, tree, instance):
        name = tree[2]
        if name in instance.names:
            return instance.names[name]
        if name in self.enumerations:
            sort, position = self.enumerations[name]
            return self.terms.constant(position, sort)
        if name in self.constants:
            return self.constants[name]
        if name not in self.program["constants"]:
            raise NotCovered(f"the name `{name}`, which is not declared", tree[1][0])
        if name in self.pending:
            raise Malformed(f"the constant `{name}` is made of itself")
        self.pending.add(name)
        kind, definition = self.program["constants"][name]
        outside = Instance("", None, self.terms.truth(True), self.system.first)
        outside.depth = DEEPEST + 1
        if definition is None:
            self.constants[name] = self.free_constant(name, kind)
        else:
            self.constants[name] = self.single(definition, outside)
            if kind is not None:
                self.check(self.type(kind), self.constants[name], tree[1])
        self.pending.discard(name)
        return self.constants[name]

    def free_constant(self, name, kind):
        """One value for the whole execution: a memory that never changes."""
        system, found = self.system, self.type(kind)

        def make(leaf, scalar):
            flow = system.flow("", leaf, scalar[1])
            memory = system.memory(leaf, scalar[1])
            self.restrict(memory)
            system.memories[memory][1] = memory
            system.define(flow, memory)
            system.constants[leaf] = flow
            return flow

        value = self.leaves(found, name, make)
        outside = Instance("", None, self.terms.truth(True), system.first)
        outside.depth = DEEPEST + 1
        system.constraints += [term for _, term in self.conditions(kind, value, outside)]
        return value

    def values(self, tree, instance):
        """The values of an expression: several of a list, or of a call with several outputs."""
        tag, place = tree[0], tree[1]
        terms = self.terms
        if tag == "list":
            return [v for part in tree[2] for v in self.values(part, instance)]
        if tag == "call":
            return self.call(tree, instance, tree[2], tree[3])
        if tag == "clocked":
            return self.clocked(tree, instance)
        if tag == "name":
            return [self.name(tree, instance)]
        if tag == "number":
            return [terms.constant(tree[2], "Int")]
        if tag == "decimal":
            return [terms.constant(Fraction(tree[2] + "0" if tree[2].endswith(".") else tree[2]), "Real")]
        if tag == "truth":
            return [terms.truth(tree[2])]
        if tag in ("if", "->"):
            condition = self.scalar(tree[2], instance) if tag == "if" else instance.first
            then = self.values(tree[-2], instance)
            guarded = self.guarded or tag == "->"
            other = self.unguarded(lambda: self.values(tree[-1], instance), guarded)
            if len(then) != len(other):
                raise Malformed(f"lists of different lengths, line {place[0]}")
            choose = lambda a, b: terms.apply("ite", condition, a, b)
            return [self.zip(choose, a, b) for a, b in zip(then, other)]
        if tag == "pre":
            return self.delayed(tree, instance)
        if tag == "fby":
            then = self.values(tree[2], instance)
            later = self.unguarded(lambda: self.values(tree[3], instance))
            if len(then) != len(later):
                raise Malformed(f"lists of different lengths, line {place[0]}")
            return [self.zip(lambda a, b: self.fby(instance, a, b), a, b) for a, b in zip(then, later)]
        return [self.operation(tree, instance)]

    def fby(self, instance, first, later):
        memory = self.system.delay(instance.active, later, "fby")
        self.restrict(memory)
        return self.terms.apply("ite", instance.first, first, memory)

    def delayed(self, tree, instance):
        """`pre`: at the first step a value of the operand's type that nobody knows."""
        values = self.unguarded(lambda: self.values(tree[2], instance))
        found, number = [], [0]
        line, column = tree[1]
        bounds = self.known_bounds(tree[2], instance)

        def one(operand):
            number[0] += 1
            memory = self.system.delay(instance.active, operand, "pre")
            self.restrict(memory)
            key = (instance.path, line, column, number[0])
            sort = self.terms.sort(operand)
            low, high = bounds[number[0] - 1] if len(bounds) >= number[0] else (None, None)
            open_value = self.open(f"the first value of `pre`, line {line}", ("scalar", sort, low, high))
            if low is not None or high is not None:
                self.system.domains[open_value] = (low, high)
            if not self.guarded:
                self.places[key] = open_value
            return self.terms.apply("ite", instance.first, open_value, memory)

        for value in values:
            found.append(self.zip(one, value))
        return found

    def known_bounds(self, tree, instance):
        """The bounds of the type of a flow, or of `pre` of one: of its scalars in their order."""
        while tree[0] == "pre":
            tree = tree[2]
        if tree[0] != "name" or tree[2] not in instance.types:
            return []
        found = []
        self.leaves(instance.types[tree[2]][1], "", lambda _, kind: found.append(kind[2:4]))
        return found

    def operation(self, tree, instance):
        tag, place, terms = tree[0], tree[1], self.terms
        if tag in ("not", "neg"):
            return terms.apply(tag, self.scalar(tree[2], instance))
        if tag in ("int", "real"):
            operand = self.scalar(tree[2], instance)
            if terms.sort(operand) == tag.capitalize():
                return operand
            return terms.apply(f"to_{tag}", operand)
        if tag in ("=", "<>"):
            a, b = self.values(tree[2], instance), self.values(tree[3], instance)
            if len(a) != len(b):
                raise Malformed(f"lists of different lengths, line {place[0]}")
            equal = [self.zip(lambda x, y: terms.apply("=", x, y), x, y) for x, y in zip(a, b)]
            same = terms.conjunction([s for e in equal for s in self.scalars(e)])
            return same if tag == "=" else terms.negation(same)
        if tag in (">", ">="):
            a, b = self.scalar(tree[2], instance), self.scalar(tree[3], instance)
            return terms.apply("<" if tag == ">" else "<=", b, a)
        if tag in OPERATORS:
            a, b = self.scalar(tree[2], instance), self.scalar(tree[3], instance)
            if tag == "/" and terms.sort(a) == "Int":
                tag = "div"
            return terms.apply(tag, a, b)
        if tag == "atmost":
            items = [v for part in tree[2] for v in self.values(part, instance)]
            pairs = [(a, b) for i, a in enumerate(items) for b in items[:i]]
            return terms.conjunction([terms.negation(terms.apply("and", a, b)) for a, b in pairs])
        if tag == "record":
            return self.record(tree, instance)
        if tag == "array":
            return [v for part in tree[2] for v in self.values(part, instance)]
        if tag == "power":
            element, size = self.single(tree[2], instance), self.static(tree[3], instance)
            return [element] * size
        if tag == "field":
            value = self.single(tree[2], instance)
            if not isinstance(value, dict) or tree[3] not in value:
                raise Malformed(f"no field `{tree[3]}`, line {place[0]}")
            return value[tree[3]]
        if tag == "index":
            return self.element(tree, instance)
        if tag == "update":
            return self.update(tree, instance)
        raise NotCovered(f"`{tag}`", place[0])

    def record(self, tree, instance):
        kind = self.type(("named", tree[1], tree[2]))
        given = {f: self.single(e, instance) for f, e in tree[3]}
        if kind[0] != "record" or set(given) != {f for f, _ in kind[1]} or len(given) != len(tree[3]):
            raise Malformed(f"not the fields of `{tree[2]}`, line {tree[1][0]}")
        found = {f: given[f] for f, _ in kind[1]}
        self.check(kind, found, tree[1])
        return found

    def element(self, tree, instance):
        """An element; where the index is outside any value, the same for the same text in one node."""
        array, index = self.single(tree[2], instance), self.scalar(tree[3], instance)
        if not isinstance(array, list):
            raise Malformed(f"an array expected, line {tree[1][0]}")
        constant = self.terms.value(index)
        if constant is not None and 0 <= constant < len(array):
            return array[constant]
        raise NotCovered("an element whose index is no constant", tree[1][0])

    def update(self, tree, instance):
        whole, new = self.single(tree[2], instance), self.single(tree[4], instance)
        if isinstance(whole, dict):
            if tree[3][0] != "name" or tree[3][2] not in whole:
                raise NotCovered("an update", tree[1][0])
            return {**whole, tree[3][2]: self.zip(lambda _, b: b, whole[tree[3][2]], new)}
        index = self.scalar(tree[3], instance)
        terms = self.terms

        def chosen(i, old):
            here = terms.apply("=", index, terms.constant(i, "Int"))
            return self.zip(lambda a, b: terms.apply("ite", here, a, b), new, old)

        return [chosen(i, old) for i, old in enumerate(whole)]

    def library(self, name, arguments, caller, place):
        if name == "floor" and len(arguments) == 1:
            return [self.terms.apply("to_int", self.scalar(arguments[0], caller))]
        raise NotCovered(f"the node `{name}`, which is not in the text", place[0])
