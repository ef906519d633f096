"""What the text leaves open: nodes and functions without a body, and elements outside of their arrays.

A node without a body gives any values at each step; a function gives the same for the same arguments. What their
contracts guarantee holds of both where what they assume holds: of a node, where it has held at all its steps so far.
"""

from data import has_data
from kinds import Instance
from lexer import Malformed, NotCovered
from trees import mentioned, written


class Unknown:
    def unknown(self, instance):
        """The outputs of a node or function without a body."""
        node, terms = instance.node, self.terms
        given = [s for flow, _, _ in node["inputs"] for s in self.scalars(instance.names[flow])]
        for flow, kind, _ in node["outputs"]:
            self.declare(instance, flow, kind)
            if has_data(instance.types[flow][1]):
                raise NotCovered("a data type that nobody defines", node["place"][0])
            make = self.function(f"{node['name']}.{flow}", given) if node["function"] else self.bounded_leaf
            self.equate(instance.names[flow], self.leaves(instance.types[flow][1], flow, make))
        self.number_calls(instance)
        assumed = [self.within(instance.types[f][1], instance.names[f]) for f, _, _ in node["inputs"]]
        for flow, kind, place in node["inputs"]:
            if flow not in node["constant inputs"]:
                self.promise(instance, flow, kind, place)
            assumed += [term for tag, term in self.conditions(kind, instance.names[flow], instance, flow) if tag == "subtype"]
        known = [
            term
            for flow, kind, _ in node["outputs"]
            for tag, term in self.conditions(kind, instance.names[flow], instance, flow)
            if tag == "subtype"
        ]
        for tag, term in self.contract(instance):
            (assumed if tag == "assume" else known).append(term)
        kept = terms.conjunction(assumed)
        if not node["function"] and terms.value(kept) is not True:
            kept = self.so_far(instance, kept)
        for term in known:
            self.assume(instance, terms.implies(kept, term))
        return [instance.names[flow] for flow, _, _ in node["outputs"]]

    def so_far(self, instance, now):
        """Whether something has held at all steps of an instance, since it last began."""
        terms, system = self.terms, self.system
        flow = system.fresh("flow", "so far", "Bool")
        before = system.delay(instance.active, flow, "so far")
        always = terms.apply("ite", instance.first, terms.truth(True), before)
        system.define(flow, terms.apply("and", now, always))
        return flow

    def function(self, name, given):
        """What makes scalars of the results of a function of which nothing is known, for some arguments."""

        def make(leaf, scalar):
            result = self.terms.apply(("function", f"{name} {leaf}", scalar[1]), *given)
            if isinstance(scalar[1], tuple) and scalar[1][0] == "enum":
                # The values of a function have no domain of their own: they are those of something that has.
                found = self.open(leaf, scalar)
                self.system.constraints.append(self.terms.apply("=", found, result))
                return found
            if scalar[2:] != (None, None):
                # That a result is within the bounds of its type is known at every step.
                self.system.constraints.append(self.bounds(scalar, result))
            return result

        return make

    def brought_within(self, make):
        """What `make` gives where it is within the bounds of its type, and elsewhere the plainest value of it."""

        def within(leaf, scalar):
            result, (_, sort, low, high) = make(leaf, (*scalar[:2], None, None)), scalar
            if (low, high) == (None, None):
                return result
            plainest = low if low is not None and low > 0 else high if high is not None and high < 0 else 0
            return self.terms.apply("ite", self.bounds(scalar, result), result, self.terms.constant(plainest, sort))

        return within

    def outside(self, tree, array, instance):
        """An element outside of its array: one value at a step for each way to write it in a node."""
        names = mentioned(tree)
        numbers = tuple(
            (name, value)
            for name, value in sorted((n, instance.names.get(n)) for n in names)
            if isinstance(value, int) and name not in instance.types
        )
        key = (instance.path, written(tree), numbers)
        if key not in self.outsides:
            if instance.node is None or instance.depth > 200:
                raise NotCovered("an element outside of its array in a constant or a type", tree[1][0])
            kind = self.kind_of_elements(tree[2], array, instance)
            if instance.node["function"]:
                if any(self.terms.value(value) is None for _, value in numbers):
                    # Which reading has which function in another call is not said by its text then.
                    raise NotCovered("an element outside of its array in a function, by a variable of a part of it", tree[1][0])
                index = self.scalar(tree[3], instance)
                flows = [f for f, _, _ in instance.node["inputs"]]
                given = [s for f in flows for s in self.scalars(instance.names[f])] + [index]
                name = f"{instance.node['name']} outside {key[1:]}"
                found = self.leaves(kind, "", self.brought_within(self.function(name, given)))
            else:
                found = self.leaves(kind, "an element outside of its array", self.bounded_leaf)
            self.outsides[key] = found
        for number, term in enumerate(self.scalars(self.outsides[key])):
            self.places[instance.path, *tree[1], number + 1] = term
        return self.outsides[key]

    def kind_of_elements(self, tree, array, instance):
        """The type of the elements of an array that is read."""
        found = self.kind_of(tree, array, instance)
        if found[0] != "array":
            raise Malformed(f"an array expected, line {tree[1][0]}")
        return found[1]

    def kind_of(self, tree, value, instance):
        """The type of an expression with this value, where its text says it."""
        tag, place = tree[0], tree[1]
        if tag == "name" and tree[2] in instance.types:
            return instance.types[tree[2]][1]
        if tag == "name" and tree[2] not in instance.names and tree[2] in self.program["constants"]:
            kind = self.program["constants"][tree[2]][0]
            return self.plain(value) if kind is None else self.type(kind)
        if tag in ("array", "power"):
            return self.plain(value)
        if tag == "clocked" or tag == "call" and tree[2] not in self.constructors:
            node = self.program["nodes"].get(self.callee(tree, instance))
            if node is not None and len(node["outputs"]) == 1:
                inside = Instance("", node, self.terms.truth(True), self.system.first)
                return self.type(node["outputs"][0][1], inside)
        if tag in ("if", "when", "->", "fby"):
            return self.kind_of(tree[3], value, instance)
        if tag == "pre":
            return self.kind_of(tree[2], value, instance)
        if tag in ("update", "sampled"):
            return self.kind_of(tree[2], value, instance)
        if tag == "index":
            return self.kind_of(tree[2], [value], instance)[1]
        if tag == "field":
            whole = dict(self.kind_of(tree[2], {tree[3]: value}, instance)[1])
            if tree[3] in whole:
                return whole[tree[3]]
        raise NotCovered("an element of such an expression, outside of its array", place[0])

    def plain(self, value):
        """The type of a value, without bounds."""
        if isinstance(value, dict):
            return ("record", tuple((field, self.plain(part)) for field, part in value.items()))
        if isinstance(value, list):
            return ("array", self.plain(value[0]), len(value))
        return ("scalar", self.terms.sort(value), None, None)
