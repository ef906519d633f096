"""Inputs that are declared without a clock, in `lustrec` and `heptagon`: each is on the clock of its uses."""

from iterators import is_iterator
from lexer import NotCovered
from trees import children


class Uses:
    def clock_of_input(self, name, instance):
        """The clock that the uses of an input tell. All of them have to tell the same: what is on the clock
        of something that is on that of the input itself is not found out here."""
        node = instance.node
        if id(node) not in self.used:
            self.used[id(node)] = {}  # the flows that clocks are made of are on the clock of the node
            self.used[id(node)] = self.uses_in(node, instance)
        found = self.used[id(node)].get(name, set())
        if len(found) > 1 or found and any(flow == name for flow, _ in next(iter(found))):
            raise NotCovered(f"the clock of the input `{name}`")
        return next(iter(found), ())

    def uses_in(self, node, instance):
        """By flow without a declared clock: the clocks on which it is used."""
        open_ = {flow for part in ("inputs", "outputs", "locals") for flow, *_ in node[part] if not node["clocks"].get(flow)}
        inputs = {flow for flow, *_ in node["inputs"]}
        used = {}
        pending = []
        for item in node["items"]:
            if item[0] == "equation":
                declared = next((f for f in item[2] if node["clocks"].get(f)), None)
                clock = self.clock_of_flow(declared, instance) if declared else self.told(item[3], inputs & open_, instance)
                pending.append((item[3], clock))
            elif item[0] == "assert":
                pending.append((item[2], self.told(item[2], inputs & open_, instance)))
        while pending:
            tree, clock = pending.pop()
            if tree[0] == "name":
                if tree[2] in open_ and clock is not None:
                    used.setdefault(tree[2], set()).add(clock)
            elif tree[0] == "sampled":
                pending.append((tree[2], self.clock_of_flow(tree[3], instance)))
            elif tree[0] == "merge":
                on = self.clock_of_flow(tree[2], instance)
                pending += [(branch, (*on, (tree[2], value))) for value, branch in tree[3]]
            elif tree[0] in ("call", "clocked") and not is_iterator(tree) and self.interface(tree, instance):
                pending += [(argument, None) for argument in tree[3]]
            else:
                pending += [(part, clock) for part in children(tree)]
        for flow in used.keys() - inputs:
            if used[flow] != {self.clock_of_flow(flow, instance)}:
                raise NotCovered(f"the clock of `{flow}`")
        return used

    def told(self, tree, unknown, instance):
        """The clock of an expression, as what is not an unknown input tells it; None where nothing does."""
        if tree[0] == "name" and tree[2] in unknown:
            return None
        if tree[0] in ("sampled", "merge", "current", "call", "clocked", "name"):
            return self.clock_of(tree, instance)
        return next((clock for part in children(tree) if (clock := self.told(part, unknown, instance)) is not None), None)
