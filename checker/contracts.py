"""Contracts: what they state, of their nodes and where they are imported.

A contract that is imported has flows of its own, which executions show under its name: what it is about, and its ghost
flows. What it states has its name before it.
"""

from copy import deepcopy

from generics import substituted
from kinds import Instance
from lexer import Malformed, NotCovered

MOST_IMPORTS = 1000


class Contracts:
    def imported(self, instance, clauses, mapping=None):
        """The clauses of a contract, with those of the contracts that it imports in their places: copies of their own.

        What a constant is made of constants is known here: it may be what a call gives a constant input.
        """
        found, mapping = [], dict(mapping or {})
        for clause in clauses:
            if mapping:
                clause = substituted(clause, mapping)
            if clause[0] == "constant":
                self.note_constant(mapping, clause[2], clause[4], instance)
            if clause[0] == "import":
                clause = self.import_of(clause, instance)
            found.append(clause)
        return found

    def note_constant(self, mapping, name, tree, instance):
        number = self.known_number(tree, instance)
        if number != "_":
            place = tree[1]
            plain = ("number", place, abs(int(number)))
            mapping["const", name] = plain if int(number) >= 0 else ("neg", place, plain)

    def import_of(self, clause, instance):
        """An import with a copy of its contract, and the clauses that it comes to."""
        _, place, name, given, results, statics = clause
        self.imports += 1
        if name not in self.program["contracts"]:
            raise NotCovered(f"the contract `{name}`, which is not in the text", place[0])
        if self.imports > MOST_IMPORTS:
            raise NotCovered("imports without an end", place[0])
        contract = self.program["contracts"][name]
        if contract["parameters"]:
            if statics is None:
                known = {**contract, "inputs": contract["inputs"] + contract["outputs"]}
                flows = [("name", place, flow) for flow in results]
                statics = self.inferred(known, [*given, *flows], instance, place)
            contract = self.with_arguments(contract, statics)
        contract, mapping = deepcopy(contract), {}
        if len(given) == len(contract["inputs"]):
            for (flow, *_), tree in zip(contract["inputs"], given):
                if flow in contract["constant inputs"]:
                    self.note_constant(mapping, flow, tree, instance)
        return ("import", place, name, given, results, contract, self.imported(instance, contract["contract"], mapping))

    def contract(self, instance):
        """States what the contract of an instance says; `(tag, term)` for each part of it.

        A contract has names of its own, of which the body sees nothing but which modes apply.
        """
        modes, said = [], []
        scope = self.where(instance, self.terms.truth(True))
        node = instance.node
        seen = {flow for flow, *_ in node["inputs"] + node["outputs"]}
        unseen = {name for name, *_ in node["constants"]} | set(instance.types) - seen
        scope.names = {n: v for n, v in instance.names.items() if n not in unseen}
        scope.types = {n: t for n, t in instance.types.items() if n in seen}
        scope.is_contract = True
        self.all_clauses(scope, instance.clauses, "", modes, said)
        instance.names.update({n: v for n, v in scope.names.items() if n.startswith("::")})
        if modes:
            one = self.terms.negation(self.terms.conjunction([self.terms.negation(r) for _, r in modes]))
            self.state(instance, "one mode active", modes[0][0], one)
        return said

    def all_clauses(self, instance, clauses, prefix, modes, said):
        names, seen = [clause[2] for clause in clauses if clause[0] == "import"], []
        for clause in clauses:
            # A ghost flow may be named before it is declared.
            if clause[0] == "ghost":
                self.ghost_flows(instance, clause[1], clause[2], prefix)
            elif clause[0] == "constant":
                self.ghost_constant(instance, *clause[1:], prefix)
        untyped = [clause for clause in clauses if clause[0] == "ghost" and any(kind is None for _, kind in clause[2])]
        for clause in untyped:
            self.ghosts(instance, clause[1], clause[2], clause[3], prefix)
        for clause in clauses:
            if clause in untyped:
                continue
            if clause[0] == "import":
                seen.append(clause[2])
                number = f"[{seen.count(clause[2])}]" if names.count(clause[2]) > 1 else ""
                self.bring_in(instance, clause, f"{prefix}{clause[2]}{number}", modes, said)
            else:
                self.clause(instance, clause, prefix, modes, said)

    def bring_in(self, instance, clause, prefix, modes, said):
        _, place, name, given, results, contract, clauses = clause
        inner = Instance(instance.path, instance.node, instance.active, instance.first)
        inner.depth, inner.pieces, inner.is_contract = instance.depth, instance.pieces, True
        inner.type_pieces = instance.type_pieces
        values = [v for part in given for v in self.values(part, instance)]
        if len(values) != len(contract["inputs"]) or len(results) != len(contract["outputs"]):
            raise Malformed(f"what `{name}` is imported for, line {place[0]}")
        values += [self.name(("name", place, flow), instance) for flow in results]
        for (flow, kind, at), value in zip(contract["inputs"] + contract["outputs"], values):
            is_known = flow in contract["constant inputs"]
            self.shown_as(inner, prefix, flow, kind, value, place, is_known)
        self.all_clauses(inner, clauses, f"{prefix}.", modes, said)
        for mode, term in inner.names.items():
            if mode.startswith("::"):
                instance.names[f"::{name}{mode}"] = term
        for flow, kind, at in contract["inputs"] + contract["outputs"]:
            tag = "assume" if (flow, kind, at) in contract["inputs"] else "guarantee"
            if (id(contract), flow) in instance.type_pieces:
                inner.type_pieces[prefix, flow] = instance.type_pieces[id(contract), flow]
            for _, term in self.conditions(kind, inner.names[flow], inner, (prefix, flow)):
                said.append((tag, term))
                if tag == "assume" and not instance.path:
                    self.system.assumes = True
                    self.assume(instance, term)
                else:
                    self.state(instance, f"{prefix}.subtype({flow})", at, term)

    def shown_as(self, inner, prefix, flow, kind, value, place, is_known=False):
        """A name in a contract, for which executions have a flow with the name of the contract."""
        found = self.type(kind, inner)
        self.check(found, value, place)
        names = self.leaves(found, f"{prefix}.{flow}", lambda l, s: self.system.flow(inner.path, l, s[1]))
        self.equate(names, value)
        inner.names[flow] = value if is_known else names
        if not is_known:
            inner.types[flow] = (kind, found)

    def clause(self, instance, item, prefix, modes, said):
        tag, place = item[0], item[1]
        see = self.shown if instance.node["body"] else self.assumed
        if tag == "ghost":
            self.ghosts(instance, place, item[2], item[3], prefix)
        elif tag == "constant":
            pass  # it is known before all others
        elif tag == "mode":
            requires = self.terms.conjunction([self.scalar(e, instance) for e in item[3]])
            flow = self.system.flow(instance.path, f"{prefix}::{item[2]}", "Bool")
            self.system.define(flow, requires)
            instance.names[f"::{item[2]}"] = flow
            ensures = self.terms.conjunction([see(e, instance) for e in item[4]])
            said.append(("mode", self.terms.implies(flow, ensures)))
            self.state(instance, f"{prefix}{item[2]}", place, said[-1][1])
            if not instance.depth:
                self.state(instance, f"mode {prefix}{item[2]}", place, flow, True)
            modes.append((place, flow))
        else:
            given = tag == "assume" and not instance.path
            look = self.assumed if given else see if tag == "guarantee" else self.scalar
            term = look(item[3], instance)
            if item[2] or item[3][0] == "name":
                title = prefix + (item[2] or item[3][2])
            else:
                title = f"line {place[0]}"
            said.append((tag, term))
            if given:
                self.system.assumes = True
                self.assume(instance, term)
            else:
                self.state(instance, title, place, term)

    def ghost_constant(self, instance, place, name, kind, definition, prefix):
        """A constant of a contract: a flow to those who look at executions."""
        if name in instance.names:
            raise NotCovered("a constant of a contract with the name of a flow", place[0])
        value = self.single(definition, instance)
        if kind is None:
            flows = self.leaves(self.plain(value), f"{prefix}{name}", lambda l, s: self.system.flow(instance.path, l, s[1]))
            self.equate(flows, value)
            instance.names[name] = value
        elif prefix:
            self.shown_as(instance, prefix[:-1], name, kind, value, place, True)
        else:
            self.known_constant(instance, name, kind, value, place)
        if kind is not None:
            self.state_type(instance, name, kind, place, prefix)

    def state_type(self, instance, name, kind, place, prefix):
        """That what a contract declares is as its type says."""
        parts = self.conditions(kind, instance.names[name], instance)
        if parts:
            word = "subtype" if any(tag == "subtype" for tag, _ in parts) else "subrange"
            self.state(instance, f"{prefix}{word}({name})", place, self.terms.conjunction([t for _, t in parts]))

    def ghost_flows(self, instance, place, flows, prefix):
        for name, kind in flows:
            if kind is None:
                continue  # its definition says what it is
            if name in instance.types:
                raise NotCovered("a ghost flow with the name of another flow", place[0])
            if prefix:
                found = self.type(kind, instance)
                make = lambda leaf, scalar: self.system.flow(instance.path, leaf, scalar[1])
                instance.names[name] = self.leaves(found, f"{prefix}{name}", make)
                instance.types[name] = (kind, found)
            else:
                self.declare(instance, name, kind)

    def ghosts(self, instance, place, flows, definition, prefix):
        values = self.values(definition, instance)
        if len(values) != len(flows):
            raise Malformed(f"{len(flows)} flows and {len(values)} values, line {place[0]}")
        for (name, kind), value in zip(flows, values):
            if kind is None:
                names = self.leaves(self.plain(value), f"{prefix}{name}", lambda l, s: self.system.flow(instance.path, l, s[1]))
                self.equate(names, value)
                instance.names[name] = names
                continue
            self.check(instance.types[name][1], value, place)
            self.equate(instance.names[name], value)
            self.state_type(instance, name, kind, place, prefix)
