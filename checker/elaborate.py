"""From trees to a system: instances, clocks, contracts.

Every call is an instance of its node with flows, memories and open values of its own. A clock is a
pair of terms: whether it ticks at this step, and whether that tick, if it does, is its first.
"""

import re

from automata import Automata
from clocks import Clocks
from contracts import Contracts
from data import Data, has_data
from definitions import Definitions
from generics import Generics
from iterators import Iterators, with_iterators_named
from numbering import Numbering
from kinds import DEEPEST, Instance, Kinds
from lexer import Malformed, NotCovered
from machine import MachineIntegers
from quantifiers import Quantifiers
from syntax import Parser
from terms import Property, System
from trees import calls, mentioned
from unknown import Unknown
from values import Values


# A node that is checked for some values of its constant inputs.
CHOSEN = re.compile(r"([\w:]+)<<((?:\w+ = )?(?:-?\d+|_)(?:, (?:\w+ = )?(?:-?\d+|_))*)>>")


class Elaborator(Kinds, Values, Definitions, MachineIntegers, Unknown, Quantifiers, Generics, Contracts, Data, Clocks, Automata, Iterators, Numbering):
    def __init__(self, program):
        self.program, self.dialect = with_iterators_named(program), program["dialect"]
        self.system = System()
        self.terms = self.system.terms
        self.enumerations = {}  # value -> (enumeration, position)
        self.constants = {}
        self.pending = set()
        self.constructors = {}  # name -> (type, its tree, fields)
        self.data_at_work = []
        self.note_constructors()
        self.imports = 0
        self.said_of_flows = {}  # (path, flow) -> what its type says, where that calls something
        self.waiting = []  # what is asked of values that are left to the solver
        self.expansions = {}  # of iterators -> what each element comes to
        self.interfaces = {}  # of nodes -> the clocks of their inputs and outputs
        self.used = {}  # of nodes -> the clocks on which their flows are used
        self.asked_already = {}  # (instance, expression) -> what is asked of it
        self.making = []  # types that are being looked at
        self.choosable = {}  # id -> quantifier of which one value may be chosen
        self.outsides = {}  # what is read outside of arrays -> its value
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
        plain, values = self.chosen_values(name)
        node = self.program["nodes"].get(plain)
        outside = Instance("", None, self.terms.truth(True), self.system.first)
        if node is None and "<<" in name:
            tree = Parser(f"{name}()").expression()
            node = self.program["nodes"].get(self.callee(tree, outside))
        if node is None:
            raise NotCovered(f"the node `{name}`, which is not in the text")
        if node["parameters"]:
            place = node["place"]
            statics = [("number", place, int(v)) for v in values.pop(None, []) if v != "_"]
            if not statics and all(what == "type" for what, _ in node["parameters"]):
                # Checked itself, it is about values of which nothing is known.
                statics = [("abstract", place, name) for _, name in node["parameters"]]
            node = self.program["nodes"][self.instantiated(node, statics, outside, place)]
        if None in values:
            order = [flow for flow, *_ in node["inputs"] if flow in node["constant inputs"]]
            if len(order) != len(values[None]):
                raise NotCovered(f"the node `{name}`, which is not in the text")
            values = {flow: value for flow, value in zip(order, values[None]) if value != "_"}
        system = self.system
        instance = Instance("", node, self.terms.truth(True), system.first)
        for constant in set(values) - node["constant inputs"]:
            self.chosen_constant(constant, int(values[constant]), name)
        for flow, kind, place in node["inputs"]:
            if flow in values:
                value = self.terms.constant(int(values[flow]), "Int")
                self.known_constant(instance, flow, kind, value, place)
                self.given_constant(instance, flow, kind, value)
            elif flow in node["constant inputs"]:
                instance.names[flow] = self.free_constant(flow, kind)
                instance.types[flow] = (kind, self.type(kind, instance))
            else:
                self.declare(instance, flow, kind, defined=False)
        self.body(instance)
        return system

    @staticmethod
    def chosen_values(name):
        """The node that a report means, and the values of its constants by name; those without names are a list."""
        match = CHOSEN.fullmatch(name)
        if not match:
            return name, {}
        given = match.group(2).split(", ")
        if " = " in given[0]:
            return match.group(1), dict(part.split(" = ") for part in given)
        return match.group(1), {None: given}

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
        make = lambda leaf, scalar: system.flow(instance.path, leaf, scalar[1], instance.is_contract)
        if name in instance.names and name in instance.types:
            raise Malformed(f"`{name}` is declared twice")
        flows = instance.names[name] = self.leaves(found, name, make)
        instance.types[name] = (kind, found)
        if not defined:
            given = self.leaves(found, name, self.given_leaf)
            self.zip(lambda flow, free: system.inputs.update({flow: free}) or flow, flows, given)
            self.equate(flows, self.canonical(found, given))

    def given_leaf(self, name, scalar):
        term = self.open(f"input {name}", scalar)
        if scalar[2:] != (None, None):
            self.system.assumes = True
            self.system.domains[term] = scalar[2:]
        return term

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

    def call(self, tree, caller, name, arguments, clock=None, reset=None, given=None):
        """The outputs of a new instance; the arguments may be those of a faster clock."""
        place = tree[1]
        name = self.callee(tree, caller)
        node = self.program["nodes"].get(name)
        if node is None:
            return self.library(name, arguments, caller, place)
        if caller.depth > DEEPEST:
            raise NotCovered("calls in a type, or calls of calls without an end", place[0])
        piece = caller.pieces.get((id(tree), self.position), caller.pieces.get(id(tree)))
        if piece is None:
            raise NotCovered("a call in such a place", place[0])
        path = f"{caller.path}.{piece}" if caller.path else piece
        if self.interface(tree, caller):
            if clock is not None or reset is not None or given is not None:
                raise NotCovered("an activated call with sampled inputs or outputs", place[0])
            caller = self.at_base(caller, self.base_of_call(tree, caller) or self.chain(caller))
            sites = [self.at_clock(caller, self.clock_given(tree, flow, caller)) for flow, *_ in node["inputs"]]
        else:
            sites = [given or caller] * len(arguments)
        values = self.unguarded(lambda: [v for a, site in zip(arguments, sites) for v in self.values(a, site)])
        if len(values) != len(node["inputs"]):
            raise Malformed(f"`{name}` takes {len(node['inputs'])} values, line {place[0]}")
        active, first = self.clock(caller, clock, reset)
        instance = Instance(path, node, active, first, caller)
        for (flow, kind, _), value in zip(node["inputs"], values):
            if flow in node["constant inputs"]:
                if not isinstance(value, int) or self.terms.value(value) is None:
                    # A constant of which nothing is known, handed on: as any other input.
                    self.declare(instance, flow, kind)
                    self.check(instance.types[flow][1], value, place)
                    self.equate(instance.names[flow], value)
                    continue
                self.known_constant(instance, flow, kind, value, place)
                self.given_constant(instance, flow, kind, value)
                continue
            self.declare(instance, flow, kind)
            self.check(instance.types[flow][1], value, place)
            self.equate(instance.names[flow], value)
        position, self.position = self.position, 0
        outputs = self.unguarded(lambda: self.body(instance) if node["body"] else self.unknown(instance))
        self.position = position
        if not node["body"]:
            return outputs
        return [instance.names[flow] for flow, _, _ in node["outputs"]]

    def given_constant(self, instance, flow, kind, value):
        """A constant input has to be as its type says, which is decided here."""
        for _, term in self.conditions(kind, value, instance):
            if self.terms.value(term) is not True:
                raise NotCovered(f"the constant input `{flow}`, which may not be as its type says", instance.node["place"][0])

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
        if active == caller.active:
            return caller.first
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

    def clocked(self, tree, instance, is_held=True):
        """`condact`, `activate`, `restart`: between ticks the outputs of the last one, before it the defaults."""
        _, place, name, arguments, clock, defaults, reset = tree
        if clock is not None and defaults is None:
            if instance.sample != self.clock_of(tree, instance)[-1]:
                raise NotCovered("such an activation without a default", place[0])
            reset = None if reset is None else self.scalar(reset, instance.outer)
            return self.call(tree, instance, name, arguments, reset=reset, given=instance.outer)
        clock = None if clock is None else self.scalar(clock, instance)
        reset = None if reset is None else self.reset_of(reset, instance)
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
            before = terms.apply("ite", still, default, memory) if is_held else default
            return terms.apply("ite", runs, output, before)

        return [self.zip(held, o, d) for o, d in zip(outputs, given)]

    def body(self, instance):
        node, system = instance.node, self.system
        for name, constant, place in node["constants"]:
            if constant[1] is None:
                self.chosen_once(instance, name, constant[0], place)
                continue
            value = self.single(constant[1], instance)
            if constant[0] is not None:
                self.known_constant(instance, name, constant[0], value, node["place"])
            else:
                flows = self.leaves(self.plain(value), name, lambda l, s: self.system.flow(instance.path, l, s[1]))
                self.equate(flows, value)
            instance.names[name] = value
        for flow, kind, _ in node["outputs"] + node["locals"]:
            self.declare(instance, flow, kind)
        self.number_calls(instance)
        self.contract(instance)
        for flow, kind, place in node["inputs"]:
            if flow in node["constant inputs"]:
                continue
            inner = self.at_clock(instance, self.clock_of_flow(flow, instance))
            if instance.depth:
                self.promise(inner, flow, kind, place)
            else:
                for tag, term in self.conditions(kind, inner.names[flow], inner, flow):
                    if tag == "subtype":
                        system.assumes = True
                        self.assume(inner, term)
        for item in node["items"]:
            if item[0] == "last value":
                self.last_value(item, instance)
        defined = set()
        for item in node["items"]:
            for name, value, place in self.definitions(item, instance):
                if name in defined or name not in dict((f, 0) for f, *_ in node["outputs"] + node["locals"]):
                    raise Malformed(f"`{name}` cannot be defined, line {place[0]}")
                defined.add(name)
                self.check(instance.types[name][1], value, place)
                self.equate(instance.names[name], value)
        asserted = mentioned([item[2] for item in node["items"] if item[0] == "assert"])
        for flow, kind, place in node["outputs"] + node["locals"]:
            if flow not in defined:
                open_ = node["contract"] or flow in asserted
                if not open_ or (flow, kind, place) not in node["outputs"]:
                    raise NotCovered(f"the flow `{flow}` without an equation", place[0])
                if has_data(instance.types[flow][1]):
                    raise NotCovered("a data type that nobody defines", place[0])
                # Where there is a contract, an output that nothing defines has any value at each step, and any of
                # which the node's assertions hold, where these name it.
                self.equate(instance.names[flow], self.leaves(instance.types[flow][1], flow, self.bounded_leaf))
            self.promise(self.at_clock(instance, self.clock_of_flow(flow, instance)), flow, kind, place)
        for item in node["items"]:
            if item[0] == "assert":
                inner = self.at_clock(instance, self.clock_of(item[2], instance))
                self.assume(inner, self.assumed(item[2], inner))
            elif item[0] in ("property", "reachable"):
                self.stated(item, instance)

    def last_value(self, item, instance):
        """`last x = e;`: what `last x` is at the first step."""
        _, place, name, before = item
        if name not in instance.types or name in instance.kept:
            raise Malformed(f"the last value of `{name}`, line {place[0]}")
        before = self.single(before, instance)
        self.check(instance.types[name][1], before, place)
        instance.kept[name] = self.zip(lambda v, i: self.kept(instance, v, i), instance.names[name], before)

    def stated(self, item, instance):
        """A property of a body. One that is not covered is left out, and nobody finds it."""
        title = item[2] or (item[3][2] if item[3][0] == "name" else f"line {item[1][0]}")
        see = self.assumed if item[0] == "reachable" else self.shown
        try:
            instance = self.at_clock(instance, self.clock_of(item[3], instance))
            what = see(item[3], instance)
            if len(item) > 5:
                what = self.terms.apply("and", what, self.at_steps(instance, *item[5]))
            condition = None if item[4] is None else self.assumed(item[4], instance)
        except NotCovered as reason:
            if calls(item[3:]):
                # What the called nodes assert restricts executions, too: of these nothing is said then.
                self.system.partial = reason
            return
        if condition is not None:
            what = self.terms.implies(condition, what)
            if not instance.depth:
                self.state(instance, f"condition of {title}", item[1], condition, True)
        self.state(instance, title, item[1], what, item[0] == "reachable")

    def at_steps(self, instance, low, high):
        """Whether the number of the step, of those of an instance since it last began, is in a range.

        Beyond the range it is all the same which step it is.
        """
        terms, system = self.terms, self.system
        low, high = (None if tree is None else self.static(tree, instance) for tree in (low, high))
        most = terms.constant(max(low or 0, high or 0) + 1, "Int")
        number = system.fresh("flow", "the number of the step", "Int")
        before = system.delay(instance.active, number, "the number of the step")
        following = terms.apply("+", terms.constant(1, "Int"), before)
        following = terms.apply("ite", terms.apply("<=", most, before), before, following)
        system.define(number, terms.apply("ite", instance.first, terms.constant(0, "Int"), following))
        return self.bounds(("scalar", "Int", low, high), number)

    def chosen_once(self, instance, name, kind, place):
        """A constant without a value in a node: any value of its type, chosen where the instance begins."""
        self.declare(instance, name, kind)
        found = instance.types.pop(name)[1]
        if has_data(found):
            raise NotCovered("a constant of a data type, without a value", instance.node["place"][0])
        value = self.leaves(found, name, self.bounded_leaf)
        self.equate(instance.names[name], self.zip(lambda f, v: self.kept(instance, f, v), instance.names[name], value))
        for tag, term in self.conditions(kind, instance.names[name], instance, name):
            if tag == "subtype":
                self.assume(instance, term)
        self.promise(instance, name, kind, place)

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
        self.system.properties.append(Property(name, place, term, reachable))

    def promise(self, instance, flow, kind, place):
        """That a flow is as its type says is a property."""
        parts = self.conditions(kind, instance.names[flow], instance, flow)
        if parts:
            word = "subtype" if any(tag == "subtype" for tag, _ in parts) else "subrange"
            term = self.terms.conjunction([t for _, t in parts])
            self.state(instance, f"{word}({flow})", place, term)

    def known_constant(self, instance, name, kind, value, place):
        """A name of a value, for which executions have a flow."""
        self.declare(instance, name, kind)
        self.check(instance.types.pop(name)[1], value, place)
        self.equate(instance.names[name], value)
        instance.names[name] = value

    def equate(self, flow, value):
        self.zip(lambda f, v: self.system.define(f, v) or f, flow, value)
