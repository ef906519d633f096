"""Sampled flows: which clock an expression is on, and what it is there.

A clock is a list of flows with the values at which it ticks, each a flow on the clock before it; () is that of the node.
An expression is evaluated in an instance whose steps are those of its clock. The clocks of local flows are found from what defines
them; that a program is well clocked is taken for granted, but a sample that does not fit where it stands is not covered.
"""

from iterators import is_iterator
from kinds import Instance
from lexer import NotCovered
from trees import calls, children
from uses import Uses


class Clocks(Uses):
    def clock_of(self, tree, instance):
        """The clock of an expression; None if any will do."""
        tag = tree[0]
        if tag == "name":
            return self.clock_of_flow(tree[2], instance) if self.is_flow(tree[2], instance) else None
        if tag == "sampled":
            return (*self.clock_of_flow(tree[3], instance), (tree[3], tree[4]))
        if tag == "clocked" and tree[4] is not None and tree[5] is None:
            sample = self.sample_of(tree[4])
            if sample is None:
                raise NotCovered("an activation without a default", tree[1][0])
            return (*self.clock_of_flow(sample[0], instance), sample)
        if tag == "merge":
            return self.clock_of_flow(tree[2], instance)
        if tag == "current":
            inner = self.clock_of(tree[2], instance)
            return inner[:-1] if inner else inner
        if tag in ("call", "clocked") and not is_iterator(tree) and self.interface(tree, instance):
            return self.clock_of_output(tree, 0, instance)
        for part in children(tree):
            found = self.clock_of(part, instance)
            if found is not None:
                return found
        return None

    @staticmethod
    def is_flow(name, instance):
        node = instance.node
        return name in instance.own or any(name == f for part in ("inputs", "outputs", "locals") for f, *_ in node[part])

    # -- Nodes with inputs or outputs on clocks of their own

    def interface(self, tree, instance):
        """The clocks of the inputs and outputs of the node that a call is one of, in its own names; those that have one."""
        name = self.callee(tree, instance)
        node = self.program["nodes"].get(name)
        if node is None:
            return {}
        if name not in self.interfaces:
            self.interfaces[name] = {}  # what calls itself tells nothing of itself
            inside = Instance("", node, None, None)
            flows = [flow for flow, *_ in node["inputs"] + node["outputs"]]
            found = {flow: self.clock_of_flow(flow, inside) for flow in flows}
            self.interfaces[name] = {flow: clock for flow, clock in found.items() if clock}
        return self.interfaces[name]

    def base_of_call(self, tree, instance):
        """The clock on which a called node runs, as the clocks of what it is given tell it; None if any will do."""
        clocks, node = self.interface(tree, instance), self.program["nodes"][self.callee(tree, instance)]
        if len(tree[3]) != len(node["inputs"]):
            raise NotCovered("several values for sampled inputs", tree[1][0])
        for (flow, *_), argument in zip(node["inputs"], tree[3]):
            found, own = self.clock_of(argument, instance), clocks.get(flow, ())
            if found is not None:
                if len(found) < len(own):
                    raise NotCovered("a sampled input that is given another clock", tree[1][0])
                return found[: len(found) - len(own)]
        return None

    def clock_given(self, tree, flow, instance, results=()):
        """The clock of an input or output of a called node, seen from its base by the flows that are given for those it is made of."""
        node = self.program["nodes"][self.callee(tree, instance)]
        names = dict(zip((f for f, *_ in node["outputs"]), results))
        names.update({f: a[2] for (f, *_), a in zip(node["inputs"], tree[3]) if a[0] == "name"})
        found = []
        for part, value in self.interface(tree, instance).get(flow, ()):
            if part not in names or names[part] == "_":
                raise NotCovered("a clock for which a call gives no flow", tree[1][0])
            found.append((names[part], value))
        return tuple(found)

    def clock_of_output(self, tree, position, instance, results=()):
        outputs = self.program["nodes"][self.callee(tree, instance)]["outputs"]
        base = self.base_of_call(tree, instance) or ()
        return base + self.clock_given(tree, outputs[position][0], instance, results)

    def chain(self, instance):
        """The clock whose steps are those of an instance."""
        return () if instance.sample is None else (*self.chain(instance.outer), instance.sample)

    def at_base(self, instance, clock):
        """The instance on a clock, whatever clock the present one is on."""
        own = self.chain(instance)
        while own and own != clock[: len(own)]:
            instance, own = instance.outer, own[:-1]
        return self.at_clock(instance, clock[len(own) :])

    def reset_of(self, tree, instance):
        """Whether a call begins anew. A reset on a faster clock counts also where the call does not run."""
        clock, own = self.clock_of(tree, instance), self.chain(instance)
        if clock == own or not own and not clock:
            return self.scalar(tree, instance)
        if clock is not None and own[: len(clock)] != clock:
            raise NotCovered("a reset on another clock", tree[1][0])
        outside = self.at_base(instance, clock or ())
        now = self.terms.apply("and", outside.active, self.scalar(tree, outside))
        waiting = self.system.memory("a reset that waits", "Bool", self.terms.truth(False))
        begins = self.terms.apply("or", waiting, now)
        self.system.memories[waiting][1] = self.terms.apply("ite", instance.active, self.terms.truth(False), begins)
        return begins

    def sample_of(self, clock):
        """What `every c`, `every not c` or `every m = A` samples: a flow and its value."""
        if clock[0] == "name":
            return clock[2], True
        if clock[0] == "not" and clock[2][0] == "name":
            return clock[2][2], False
        if clock[0] == "=" and clock[2][0] == clock[3][0] == "name" and clock[3][2] in self.enumerations:
            return clock[2][2], clock[3][2]
        return None

    def clock_of_flow(self, name, instance):
        node, known = instance.node, instance.flow_clocks
        declared, items = instance.own.get(name, (node["clocks"].get(name), node["items"]))
        if declared:
            return (*self.clock_of_flow(declared[0], instance), declared)
        is_open = self.dialect in ("lustrec", "heptagon")
        if is_open and name not in instance.own and any(name == f for f, *_ in node["inputs"]):
            return self.clock_of_input(name, instance)
        found_out = ["locals", "outputs"] if is_open else ["locals"]
        if name not in instance.own and not any(name == f for part in found_out for f, *_ in node[part]):
            return ()
        if name not in known:
            known[name] = None  # what it reads of itself tells nothing
            for item in items:
                if item[0] == "equation" and name in item[2]:
                    known[name] = self.clock_of_result(item, item[2].index(name), instance)
            known[name] = known[name] or ()
        return () if known[name] is None else known[name]

    def clock_of_result(self, item, position, instance):
        tree = item[3]
        if tree[0] in ("call", "clocked") and not is_iterator(tree) and len(item[2]) > 1 and self.interface(tree, instance):
            return self.clock_of_output(tree, position, instance, item[2])
        return self.clock_of(tree, instance)

    def at_clock(self, instance, clock):
        """The instance whose steps are those of a clock."""
        for flow, value in clock or ():
            instance = self.sampled_by(instance, flow, value)
        return instance

    def sampled_by(self, instance, flow, value):
        key = (flow, value)
        if key not in instance.slower:
            condition = self.ticks(instance, flow, value)
            inner = self.where(instance, condition)
            inner.outer, inner.sample = instance, key
            inner.flow_clocks, inner.slower = instance.flow_clocks, {}
            instance.slower[key] = inner
        return instance.slower[key]

    def ticks(self, instance, flow, value):
        term = instance.names[flow]
        if isinstance(value, bool):
            return term if value else self.terms.negation(term)
        if value not in self.enumerations:
            raise NotCovered(f"a clock with the value `{value}`")
        sort, position = self.enumerations[value]
        return self.terms.apply("=", term, self.terms.constant(position, sort))

    def sample(self, tree, instance):
        _, place, operand, flow, value = tree
        if instance.sample != (flow, value):
            raise NotCovered("`when` on another clock than where it stands", place[0])
        return self.unguarded(lambda: self.values(operand, instance.outer))

    def merged(self, tree, instance):
        """Each branch where its value of the clock is there."""
        _, place, flow, branches = tree
        if not branches or instance.names.get(flow) is None:
            raise NotCovered("`merge`", place[0])
        found = []
        for value, branch in branches:
            inner = self.sampled_by(instance, flow, value)
            condition = self.ticks(instance, flow, value)
            found.append((condition, self.unguarded(lambda: self.branch(branch, flow, instance, inner))))
        whole = found[-1][1]
        for condition, values in reversed(found[:-1]):
            if len(values) != len(whole):
                raise NotCovered("branches of different lengths", place[0])
            choose = lambda a, b: self.terms.apply("ite", condition, a, b)
            whole = [self.zip(choose, a, b) for a, b in zip(values, whole)]
        return whole

    def branch(self, tree, flow, instance, inner):
        """The values of a branch of `merge`: of what is on the clock of the merge, those of its steps."""
        if tree[0] == "list":
            return [value for part in tree[2] for value in self.branch(part, flow, instance, inner)]
        clock = self.clock_of(tree, instance)
        if clock is None or clock != self.clock_of_flow(flow, instance):
            return self.values(tree, inner)
        if calls(tree) - set(self.constructors):
            raise NotCovered("a call in a branch of `merge` that is not sampled", tree[1][0])
        return self.values(tree, instance)

    def current(self, tree, instance):
        """The last value of a sampled flow; before the first one any value, which stays."""
        _, place, operand = tree
        clock = self.clock_of(operand, instance)
        if not clock or instance.first != self.system.first or instance.active != self.terms.truth(True):
            raise NotCovered("`current`", place[0])
        inner = self.sampled_by(instance, *clock[-1])
        values = self.unguarded(lambda: self.values(operand, inner))
        number = [0]

        def held(value):
            number[0] += 1
            last = self.system.delay(inner.active, value, "current")
            self.restrict(last)
            before = self.system.memory("before the first value", self.terms.sort(value))
            self.system.memories[before][1] = before
            self.restrict(before)
            if not instance.written_out:
                self.places[instance.path, *place, number[0]] = before
            past = self.terms.apply("ite", self.untouched(instance, inner.active), before, last)
            return self.terms.apply("ite", inner.active, value, past)

        return [self.zip(held, value) for value in values]
