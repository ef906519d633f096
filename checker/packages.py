"""Packages: names with paths. What a package declares has the name of the package before its own, and so have the names that mean it.

A name is looked up in its package, in those around it, in those that are used, and then in the program. A package that is made of a model is the
text of the model, read once more, with what it needs declared as what it is given.
"""

from lexer import Malformed, NotCovered

TABLES = ("types", "constants", "nodes", "aliases", "contracts")


def full(path, name):
    return "::".join((*path, name))


class Unit:
    """What one package declares; the program around all of them is one as well."""

    def __init__(self, path=(), uses=()):
        self.path, self.uses = path, list(uses)
        self.tables = {table: {} for table in TABLES}
        self.includes = []  # the files that stand where it does

    def names(self):
        found = {name for table in self.tables.values() for name in table}
        for kind in self.tables["types"].values():
            whole = kind[3] if kind[0] == "generic" else kind
            if whole[0] == "enum":
                found |= set(whole[3])
            if whole[0] == "data":
                found |= {constructor for constructor, _ in whole[3]}
        return found


def program_of(units, dialect):
    """One program of all packages, in which every name is whole."""
    units = together(units)
    whole = {table: {} for table in TABLES}
    declared = {full(unit.path, name) for unit in units for name in unit.names()}
    for unit in units:
        names = Names(unit, declared, {u.path: u for u in units})
        for table, entries in unit.tables.items():
            for name, what in entries.items():
                key = full(unit.path, name)
                if key in whole[table]:
                    raise Malformed(f"`{key}` is declared twice")
                whole[table][key] = names.declared_as(key, what) if len(units) > 1 else what
    return {**whole, "dialect": dialect}


def together(units):
    """The packages of several files: what stands outside of packages is one."""
    outside, rest = Unit(), [unit for unit in units if unit.path]
    for unit in units:
        if unit.path:
            continue
        outside.uses += unit.uses
        for table, entries in unit.tables.items():
            for name, what in entries.items():
                if name in outside.tables[table]:
                    raise Malformed(f"`{name}` is declared twice")
                outside.tables[table][name] = what
    return [outside, *rest]


class Names:
    """What names mean in a package."""

    def __init__(self, unit, declared, units):
        self.unit, self.declared = unit, declared
        # The program around all packages is none itself: its names come after those of the packages that are used.
        around = [unit.path[:n] for n in range(len(unit.path), 0, -1)]
        self.places = [*around, *(used for path in around for used in self.used(path, units)), (), *self.used((), units)]

    @staticmethod
    def used(path, units):
        """The packages that one uses; these may stand inside of it or of one around it."""
        for name in units[path].uses if path in units else ():
            parts = tuple(name.split("::"))
            for n in range(len(path), -1, -1):
                if (*path[:n], *parts) in units:
                    yield (*path[:n], *parts)
                    break

    def whole(self, name, hidden=frozenset()):
        if name in hidden:
            return name
        return next((full(p, name) for p in self.places if full(p, name) in self.declared), name)

    def declared_as(self, key, what):
        if isinstance(what, dict):  # a node or a contract
            hidden = {flow for part in ("inputs", "outputs", "locals", "constants") for flow, *_ in what.get(part, ())}
            hidden |= {name for _, name in what["parameters"]}
            found = {part: self.tree(value, hidden) for part, value in what.items() if part not in ("name", "constant inputs", "parameters")}
            return {**what, **found, "name": key}
        if what[0] == "abstract":
            return (*what[:2], key)
        return self.tree(what, frozenset())

    def tree(self, tree, hidden):
        if isinstance(tree, list):
            return [self.tree(part, hidden) for part in tree]
        if isinstance(tree, dict):  # the clocks of flows
            return {flow: self.tree(clock, hidden) for flow, clock in tree.items()}
        if not isinstance(tree, tuple) or not tree:
            return tree
        tag = tree[0]
        if tag in ("named", "name", "call", "clocked", "record", "made by", "import"):
            rest = tuple(self.tree(part, hidden) for part in tree[3:])
            return (tag, tree[1], self.whole(tree[2], hidden), *rest)
        if tag == "enum":
            values = [self.whole(value) for value in tree[3]]
            return (tag, tree[1], tree[2] and self.whole(tree[2]), values)
        if tag == "data":
            made = [(self.whole(constructor), self.tree(fields, hidden)) for constructor, fields in tree[3]]
            return (tag, tree[1], self.whole(tree[2]), made)
        if tag == "sampled":
            return (tag, tree[1], self.tree(tree[2], hidden), tree[3], self.value(tree[4]))
        if tag == "merge":
            return (tag, tree[1], tree[2], [(self.value(v), self.tree(part, hidden)) for v, part in tree[3]])
        if len(tree) == 2 and all(isinstance(part, (str, bool)) for part in tree):
            return (tag, self.value(tree[1]))  # the clock of a flow, or the target of an alias without arguments
        return tuple(self.tree(part, hidden) for part in tree)

    def value(self, value):
        return self.whole(value) if isinstance(value, str) else value


class Packages:
    """The parser: packages, and models of them."""

    def package(self, path):
        """`package P uses Q; provides ...; body ... end`, or without `body` (SCADE), behind its first word."""
        name = self.name()
        if self.take("=", "is"):
            self.copies.append(((*path, name), self.name(), self.at))
            self.skip(";")
            return
        self.unit_inside((*path, name))

    def unit_inside(self, path):
        uses = []
        self.take(";")
        while self.take("uses"):
            uses.append(self.name())
            while self.take(","):
                uses.append(self.name())
            self.expect(";")
        if self.sees("provides"):
            self.skip("body", keeps=True)
        self.take("body")
        unit = self.unit_at(path)
        unit.uses += uses
        self.expect("end")
        self.take(";") or self.take(".")

    def model(self):
        """What it needs, and where its text begins; that is read where a package is made of it."""
        name = self.name()
        uses_at = self.at
        while self.sees("uses"):
            self.skip(";")
        needs = []
        if self.take("needs"):
            while not self.sees("provides", "body"):
                needs.append(self.need())
                self.expect(";")
        if self.sees("provides"):
            self.skip("body", keeps=True)
        self.expect("body")
        self.models[name] = (needs, uses_at, self.at)
        unit = self.unit_at(("model", name))
        self.units.remove(unit)  # a model means nothing by itself
        self.expect("end")
        self.take(";") or self.take(".")

    def need(self):
        place = self.place
        if self.take("type"):
            return ("types", self.name(), None)
        if self.take("const"):
            name = self.name()
            self.expect(":")
            return ("constants", name, self.type())
        if not self.take("node", "function"):
            raise NotCovered("what a model needs", place[0])
        name = self.name()
        self.skip(";")
        self.at -= 1
        return ("aliases", name, None)

    def copied(self):
        """The packages that are made of models."""
        for path, model, at in self.copies:
            if model not in self.models:
                raise NotCovered(f"the model `{model}`, which is not in the text")
            needs, uses_at, body = self.models[model]
            self.at = at
            given = self.what_is_given(needs)
            self.at = uses_at
            uses = []
            while self.take("uses", ","):
                uses.append(self.name())
                self.take(";")
            self.at = body
            unit = self.unit_at(path)
            unit.uses += uses
            for (table, name, kind), what in zip(needs, given):
                unit.tables[table][name] = (kind, what) if table == "constants" else what

    def what_is_given(self, needs):
        """`(type t = int, first = 0, flip)`: what a package is given, by name or by its place."""
        found, names = {}, [name for _, name, _ in needs]
        self.expect("(")
        while not self.take(")"):
            self.take("type", "const", "node", "function")
            name = names[len(found)] if len(found) < len(names) else None
            if self.ahead(1) == "=" and self.token[1] in names:
                name = self.name()
                self.expect("=")
            if name is None:
                self.not_covered("more than a model needs")
            table = next(table for table, n, _ in needs if n == name)
            if table == "types":
                found[name] = self.type()
            elif table == "constants":
                found[name] = self.expression()
            else:
                found[name] = (self.name(), None)
            self.take(",", ";")
        if set(found) != set(names):
            self.not_covered("less than a model needs")
        return [found[name] for name in names]

    def skip(self, end, keeps=False):
        """Goes on behind a mark or word, or to it."""
        depth = 0  # of parentheses
        while depth or not self.sees(end):
            if self.token[0] == "end":
                raise Malformed(f"no `{end}`")
            depth += self.sees("(") - self.sees(")")
            self.at += 1
        self.at += not keeps
