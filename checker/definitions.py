"""What defines flows in a body: equations, definitions by index, `if` blocks and frames.

Each is a list of flows with their values; an `if` block chooses among those of its parts, which all take
every step. In a frame a flow that a part leaves out keeps its value.
"""

from data import has_data
from iterators import is_iterator
from lexer import Malformed, NotCovered


class Definitions:
    def definitions(self, item, instance):
        """`(flow, value, place)` for each flow that an item of a body defines."""
        if item[0] == "equation":
            values = self.values(item[3], self.at_equation(item, instance))
            if len(values) != len(item[2]):
                raise Malformed(f"{len(item[2])} flows and {len(values)} values, line {item[1][0]}")
            return [(name, value, item[1]) for name, value in zip(item[2], values) if name != "_"]
        if item[0] == "by index":
            _, place, name, indices, definition = item
            if name not in instance.types:
                raise Malformed(f"`{name}` cannot be defined, line {place[0]}")
            kind = instance.types[name][1]
            value = self.by_index(kind, indices, definition, instance, place)
            self.position = 0
            return [(name, value, place)]
        if item[0] == "if block":
            return self.if_block(item, instance)
        if item[0] == "frame":
            return self.frame(item, instance)
        if item[0] == "block":
            return self.block(item, instance)
        if item[0] == "scope":
            return self.scope(item, instance)
        if item[0] == "reset":
            return self.begun_anew(item, instance)
        if item[0] == "automaton":
            return self.automaton(item, instance)
        return []

    def begun_anew(self, item, instance):
        """A block that takes the steps of what is around it, and begins anew where its condition holds."""
        _, place, items, condition = item
        inner = self.where(instance, self.terms.truth(True))
        inner.active, inner.first = self.clock(instance, None, self.scalar(condition, instance))
        inner.kept = dict(inner.kept)
        for part in items:
            if part[0] == "last value":
                self.last_value(part, inner)
        return [(name, value, place) for name, value in self.part(items, inner).items()]

    def at_equation(self, item, instance):
        """The instance whose steps are those of what an equation defines."""
        tree = item[3]
        if tree[0] == "call" and tree[2] not in self.constructors and not is_iterator(tree) and self.interface(tree, instance):
            return self.at_base(instance, self.base_of_call(tree, instance) or self.chain(instance))
        clocks = {self.clock_of_flow(name, instance) for name in item[2] if name in instance.types}
        if len(clocks) > 1:
            raise NotCovered("flows on different clocks in one equation", item[1][0])
        return self.at_clock(instance, next(iter(clocks), ()))

    def scope(self, item, instance):
        """A part with flows that only it sees."""
        _, place, flows, items, clocks = item
        inner = self.where(instance, self.terms.truth(True))
        found = self.part_with_flows(flows, items, clocks, inner, lambda flow: self.name_of_flow(instance, flow))
        return [(name, value, place) for name, value in found.items()]

    def name_of_flow(self, instance, name):
        """What reports call a flow of a part: another one with its name has a number."""
        taken = {flow.split(".")[0].split("[")[0] for path, flow in self.system.flows if path == instance.path}
        return next(n for n in (name, *(f"{name} {i}" for i in range(2, 10_000))) if n not in taken)

    def block(self, item, instance):
        """A block of which each part takes a step where it is chosen."""
        _, place, parts, other = item
        left, found = self.terms.truth(True), []
        for condition, items in parts:
            # A condition is evaluated where those before it are false.
            chosen = self.scalar(condition, self.where(instance, left))
            found.append((chosen, self.part(items, self.where(instance, self.terms.apply("and", left, chosen)))))
            left = self.terms.apply("and", left, self.terms.negation(chosen))
        found.append((left, self.part(other or [], self.where(instance, left))))
        return [(name, value, place) for name, value in self.chosen_parts(found, instance, place).items()]

    def part(self, items, inner):
        """What a part defines; what it asserts and states counts at its steps."""
        found = {}
        for item in items:
            if item[0] == "assert":
                self.assume(inner, self.assumed(item[2], inner))
            elif item[0] in ("property", "reachable"):
                self.stated(item, inner)
            for name, value, place in self.unguarded(lambda: self.definitions(item, inner)):
                if name in found:
                    raise Malformed(f"`{name}` is defined twice, line {place[0]}")
                found[name] = value
        return found

    def by_index(self, kind, indices, definition, instance, place):
        """An array of what the definition is for each index; of two with one name the inner counts."""
        if not indices:
            value = self.single(definition, instance)
            self.position += 1
            return value
        if kind[0] != "array":
            raise Malformed(f"too many indices, line {place[0]}")
        name, hidden = indices[0], {}
        for table in (instance.names, instance.types):
            if name in table:
                hidden[id(table)] = table.pop(name)
        found = []
        for i in range(kind[2]):
            instance.names[name] = self.terms.constant(i, "Int")
            found.append(self.by_index(kind[1], indices[1:], definition, instance, place))
        del instance.names[name]
        for table in (instance.names, instance.types):
            if id(table) in hidden:
                table[name] = hidden[id(table)]
        return found

    def if_block(self, item, instance):
        _, place, condition, then, other = item
        chosen = self.scalar(condition, instance)
        parts = [[d for part in items for d in self.definitions(part, instance)] for items in (then, other)]
        first, second = ({name: value for name, value, _ in part} for part in parts)
        for part in (first, second):
            for name in (set(first) | set(second)) - set(part):
                if name in instance.kept:
                    part[name] = instance.kept[name]
        if set(first) != set(second) or any(len({n for n, *_ in p}) != len(p) for p in parts):
            raise NotCovered("an `if` block whose parts define different flows", place[0])
        choose = lambda a, b: self.terms.apply("ite", chosen, a, b)
        return [(name, self.zip(choose, value, second[name]), place) for name, value in first.items()]

    def frame(self, item, instance):
        _, place, names, before, items = item
        if len(set(names)) != len(names) or any(n not in instance.types or n in instance.kept for n in names):
            raise Malformed(f"the flows of a frame, line {place[0]}")
        initial = {name: value for part in before for name, value, _ in self.definitions(part, instance)}
        for name in names:
            kind = instance.types[name][1]
            if name in initial:
                self.check(kind, initial[name], place)
            elif has_data(kind):
                raise NotCovered("a frame that leaves a data type open", place[0])
            else:
                initial[name] = self.leaves(kind, name, self.bounded_leaf)
            instance.kept[name] = self.zip(lambda v, i: self.kept(instance, v, i), instance.names[name], initial[name])
        if set(initial) != set(names):
            raise Malformed(f"a frame defines other flows, line {place[0]}")
        found = [d for part in items for d in self.definitions(part, instance)]
        defined = [name for name, *_ in found]
        if not set(defined) <= set(names):
            raise Malformed(f"a frame defines other flows, line {place[0]}")
        return found + [(name, instance.kept[name], place) for name in names if name not in defined]

    def kept(self, instance, flow, initial):
        memory = self.system.delay(instance.active, flow, "kept")
        self.restrict(memory)
        return self.terms.apply("ite", instance.first, initial, memory)

    def bounded_leaf(self, name, scalar):
        """Any value of the type, with its bounds."""
        term = self.open(f"{name} before the first step", scalar)
        if scalar[2:] != (None, None):
            self.system.domains[term] = scalar[2:]
        return term
