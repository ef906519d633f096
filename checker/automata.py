"""Automata: at each step the strong transitions of the state that is remembered, the equations of the state that runs, and its weak transitions.

A state runs on a clock of its own, which begins anew where a transition with `then` led to it.
"""

from lexer import Malformed, NotCovered
from quantifiers import MEMORY
from trees import calls, tags

HISTORY = {"then": True, "restart": True, "continue": False, "resume": False}


class Automata:
    def automaton(self, item, instance):
        _, place, name, initial, states = item
        terms, system = self.terms, self.system
        names = [state[0] for state in states]
        if len(set(names)) != len(names) or (initial or names[0]) not in names:
            raise Malformed(f"the states of an automaton, line {place[0]}")
        sort = ("enum", f"automaton, line {place[0]}", tuple(names))
        number = lambda state: terms.constant(names.index(state), sort)
        shown = self.name_of_automaton(instance, name)
        runs = system.flow(instance.path, shown, sort)
        system.automata.add((instance.path, shown))
        # What is remembered: the state, and whether it begins anew.
        following, anew = system.fresh("flow", "next state", sort), system.fresh("flow", "anew", "Bool")
        remembered = system.delay(instance.active, following, "state")
        self.restrict(remembered)
        remembered = terms.apply("ite", instance.first, number(initial or names[0]), remembered)
        pending = terms.truth(False)
        if any(HISTORY[word] for state in states for _, word, _ in state[4]):
            pending = terms.apply("ite", instance.first, pending, system.delay(instance.active, anew, "anew"))
        is_in = lambda state, term: terms.apply("=", term, number(state))
        target, begins = remembered, pending
        for state, _, strong, *_ in states:
            if strong:
                here = self.on_clock(instance, is_in(state, remembered), pending)
                conditions = [condition for condition, *_ in strong]
                if self.dialect == "velus" and (tags(conditions) & MEMORY or calls(conditions)):
                    raise NotCovered("a strong transition of Vélus that remembers something", place[0])
                for taken, to, history in self.transitions(strong, here, names, is_in(state, remembered)):
                    target = terms.apply("ite", taken, number(to), target)
                    begins = terms.apply("ite", taken, terms.truth(HISTORY[history]), begins)
        system.define(runs, target)
        parts, leads, flags = [], runs, terms.truth(False)
        for state, declared, _, items, weak, clocks in states:
            inner = self.on_clock(instance, is_in(state, runs), begins)
            part = self.state_part(state, declared, items, clocks, inner)
            parts.append((is_in(state, runs), part))
            for taken, to, history in self.transitions(weak, inner, names, is_in(state, runs)):
                leads = terms.apply("ite", taken, number(to), leads)
                flags = terms.apply("ite", taken, terms.truth(HISTORY[history]), flags)
        system.define(following, leads)
        system.define(anew, flags)
        return [(flow, value, place) for flow, value in self.chosen_parts(parts, instance, place).items()]

    def name_of_automaton(self, instance, name):
        taken = {flow for path, flow in self.system.flows if path == instance.path}
        return next(n for n in (name or "automaton", *(f"{name or 'automaton'} {i}" for i in range(2, 10_000))) if n not in taken)

    def on_clock(self, instance, condition, reset):
        """An instance whose steps are those at which a condition holds, and which begins anew where `reset` does."""
        inner = self.where(instance, self.terms.truth(True))
        inner.active, inner.first = self.clock(instance, condition, reset)
        return inner

    def transitions(self, found, inner, names, condition):
        """`(whether it is taken, state, word)`: the first whose condition holds."""
        left = condition
        for tree, word, state in found:
            if state not in names:
                raise Malformed(f"no state `{state}`")
            holds = self.unguarded(lambda: self.scalar(tree, inner))
            yield self.terms.apply("and", left, holds), state, word
            left = self.terms.apply("and", left, self.terms.negation(holds))

    def state_part(self, state, declared, items, clocks, inner):
        """What a state defines, with flows of its own."""
        for flow, kind, at in declared:
            if any(path == inner.path and f.split(".")[:2] == [state, flow] for path, f in self.system.flows):
                raise NotCovered("two states with one name and one flow", at[0])
        return self.part_with_flows(declared, items, clocks, inner, lambda flow: f"{state}.{flow}")

    def part_with_flows(self, declared, items, clocks, inner, shown):
        """What a part defines that has flows of its own; `shown` is what reports call these."""
        inner.names, inner.types, inner.kept = dict(inner.names), dict(inner.types), dict(inner.kept)
        inner.own = {**inner.own, **{flow: (clocks.get(flow), items) for flow, *_ in declared}}
        inner.flow_clocks, inner.slower = {}, {}
        own = {}
        for flow, kind, at in declared:
            found = self.type(kind, inner)
            make = lambda leaf, scalar: self.system.flow(inner.path, leaf, scalar[1])
            own[flow] = inner.names[flow] = self.leaves(found, shown(flow), make)
            inner.types[flow] = (kind, found)
            inner.kept.pop(flow, None)
        for item in items:
            if item[0] == "last value":
                self.last_value(item, inner)
        part = self.part(items, inner)
        for flow, kind, at in declared:
            if flow not in part:
                raise NotCovered(f"the flow `{flow}` without an equation", at[0])
            value = part.pop(flow)
            self.check(inner.types[flow][1], value, at)
            self.equate(own[flow], value)
            self.promise(inner, flow, kind, at)
        return part

    def chosen_parts(self, parts, instance, place):
        """Of some parts, the one that is chosen; a flow that it leaves out keeps its value."""
        names = list(dict.fromkeys(name for _, part in parts for name in part))
        for _, part in parts:
            for name in names:
                if name not in part:
                    if name not in instance.kept:
                        raise NotCovered("parts that define different flows", place[0])
                    part[name] = instance.kept[name]
        self.system.has_parts = True
        whole = dict(parts[-1][1])
        for chosen, part in reversed(parts[:-1]):
            choose = lambda a, b: self.terms.apply("ite", chosen, a, b)
            whole = {name: self.zip(choose, part[name], whole[name]) for name in names}
        return whole
