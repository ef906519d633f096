"""From trees to a system: instances, clocks, contracts.

Every call is an instance of its node with flows, memories and open values of its own. A clock is a
pair of terms: whether it ticks at this step, and whether that tick, if it does, is its first.
"""

import re

from definitions import Definitions
from kinds import DEEPEST, Instance, Kinds
from lexer import Malformed, NotCovered
from machine import MachineIntegers
from terms import Property, System
from values import Values


# A node that is checked for some values of its constant inputs.
CHOSEN = re.compile(r"(\w+)<<(\w+ = -?\d+(?:, \w+ = -?\d+)*)>>")


class Elaborator(Kinds, Values, Definitions, MachineIntegers):
    def __init__(self, program):
        self.program = program
        self.system = System()
        self.terms = self.system.terms
        self.enumerations = {}  # value -> (enumeration, position)
        self.constants = {}
        self.pending = set()
        self.clocks = {}  # flags that tell whether clocks have ticked
        self.places = {}  # (path, line, column, number) -> free variable, of a first value that counts
        self.position = 0  # the number of the element that a definition by index is at
        self.guarded = False  # whether an arrow keeps the first step away
        for name, kind in program["types"].items():
            if kind[0] == "enum":
                for i, value in enumerate(kind[3]):
                    if value in self.enumerations or value in program["constants"]:
                        raise Malformed(f"`{value}` is declared twice")
                    self.enumerations[value] = (("enum", name, tuple(kind[3])), i)

    # -- instances

    def root(self, name):
        """The system of a node with all that it calls."""
        chosen = CHOSEN.fullmatch(name)
        node = self.program["nodes"].get(chosen.group(1) if chosen else name)
        if node is None:
            raise NotCovered(f"the node `{name}`, which is not in the text")
        system = self.system
        instance = Instance("", node, self.terms.truth(True), system.first)
        values = dict(part.split(" = ") for part in chosen.group(2).split(", ")) if chosen else {}
        for constant in set(values) - node["constant inputs"]:
            self.chosen_constant(constant, int(values[constant]), name)
        for flow, kind, place in node["inputs"]:
            if flow in values:
                self.known_constant(instance, flow, kind, self.terms.constant(int(values[flow]), "Int"), place)
            elif flow in node["constant inputs"]:
                instance.names[flow] = self.free_constant(flow, kind)
                instance.types[flow] = (kind, self.type(kind, instance))
            else:
                self.declare(instance, flow, kind, defined=False)
        self.body(instance)
        return system

    def chosen_constant(self, constant, number, name):
        """A constant without a value, which a node is looked at for one value of."""
        kind, definition = self.program["constants"].get(constant, (None, True))
        if definition is not None or self.type(kind)[1] != "Int":
            raise Malformed(f"`{name}` has other constants")
        outside = Instance("", None, self.terms.truth(True), self.system.first)
        outside.depth = DEEPEST + 1
        value = self.terms.constant(number, "Int")
        flow = self.system.flow("", constant, "Int")
        self.system.define(flow, value)
        self.system.constants[constant] = flow
        self.constants[constant] = value
        for _, term in self.conditions(kind, value, outside):
            if self.terms.value(term) is not True:
                raise Malformed(f"{number} is no value of `{constant}`")

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
        if isinstance(sort, tuple) and sort[0] == "enum":
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
            if flow in node["constant inputs"]:
                if not isinstance(value, int) or self.terms.value(value) is None:
                    raise NotCovered("a constant input that is given no number", place[0])
                self.known_constant(instance, flow, kind, value, place)
                self.given_constant(instance, flow, kind, value)
                continue
            self.declare(instance, flow, kind)
            self.check(instance.types[flow][1], value, place)
            self.equate(instance.names[flow], value)
        if not node["body"]:
            return self.unknown(instance)
        self.unguarded(lambda: self.body(instance))
        return [instance.names[flow] for flow, _, _ in node["outputs"]]

    def given_constant(self, instance, flow, kind, value):
        """A constant input has to be as its type says, which is decided here."""
        for _, term in self.conditions(kind, value, instance):
            if self.terms.value(term) is not True:
                raise NotCovered(f"the constant input `{flow}`, which may not be as its type says", instance.node["place"][0])

    def unknown(self, instance):
        """The outputs of a function without a body: equal arguments, equal results."""
        node = instance.node
        if node["contract"] or any(k[0] not in ("bool", "int", "real", "bits") for _, k, _ in node["inputs"] + node["outputs"]):
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
        names = [self.called(tree, instance) for tree in found]
        for i, (tree, name) in enumerate(zip(found, names)):
            number = names[: i + 1].count(name)
            several = names.count(name) > 1
            instance.pieces[id(tree)] = f"{name}[{number}]" if several else name

    def called(self, tree, instance):
        """The name of a node with the values of its constant inputs."""
        node = self.program["nodes"][tree[2]]
        given = zip(node["inputs"], tree[3])
        values = [str(self.static(a, instance)) for (flow, *_), a in given if flow in node["constant inputs"]]
        return f"{tree[2]}<<{', '.join(values)}>>" if values else tree[2]

    def body(self, instance):
        node, system = instance.node, self.system
        for name, constant, _ in node["constants"]:
            if constant[1] is None:
                raise NotCovered("a free constant in a node", node["place"][0])
            instance.names[name] = self.single(constant[1], instance)
        self.number_calls(instance)
        for flow, kind, _ in node["outputs"] + node["locals"]:
            self.declare(instance, flow, kind)
        self.contract(instance)
        for flow, kind, place in node["inputs"]:
            if flow in node["constant inputs"]:
                continue
            if instance.depth:
                self.promise(instance, flow, kind, place)
            else:
                given = self.conditions(kind, instance.names[flow], instance)
                system.constraints += [term for tag, term in given if tag == "subtype"]
        defined = set()
        for item in node["items"]:
            for name, value, place in self.definitions(item, instance):
                if name in defined or name not in dict((f, 0) for f, *_ in node["outputs"] + node["locals"]):
                    raise Malformed(f"`{name}` cannot be defined, line {place[0]}")
                defined.add(name)
                self.check(instance.types[name][1], value, place)
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
                self.ghosts(instance, place, item[2], item[3])
                continue
            if tag == "constant":
                self.ghost_constant(instance, *item[1:])
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

    def ghost_constant(self, instance, place, name, kind, definition):
        """A constant of a contract: a flow to those who look at executions."""
        if name in instance.names:
            raise NotCovered("a constant of a contract with the name of a flow", place[0])
        value = self.single(definition, instance)
        if kind is None:
            instance.names[name] = value
        else:
            self.known_constant(instance, name, kind, value, place)

    def known_constant(self, instance, name, kind, value, place):
        """A name of a value, for which executions have a flow."""
        self.declare(instance, name, kind)
        self.check(instance.types.pop(name)[1], value, place)
        self.equate(instance.names[name], value)
        instance.names[name] = value

    def ghosts(self, instance, place, flows, definition):
        for name, kind in flows:
            if name in instance.types:
                raise NotCovered("a ghost flow with the name of another flow", place[0])
            self.declare(instance, name, kind)
        values = self.values(definition, instance)
        if len(values) != len(flows):
            raise Malformed(f"{len(flows)} flows and {len(values)} values, line {place[0]}")
        for (name, kind), value in zip(flows, values):
            self.check(instance.types[name][1], value, place)
            self.equate(instance.names[name], value)
            self.promise(instance, name, kind, place)

    def equate(self, flow, value):
        self.zip(lambda f, v: self.system.define(f, v) or f, flow, value)
