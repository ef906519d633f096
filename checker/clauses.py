"""The parser: contracts, in comments and by themselves."""

from bodies import Bodies


class Clauses(Bodies):
    def contract(self, node):
        """Whether a contract stands here; its clauses become those of the node."""
        if self.note("CONTRACT"):
            while self.token[0] != "close":
                self.clause(node)
            self.at += 1
            self.take(";")
            return True
        if self.take("con"):
            while not self.take("noc"):
                self.clause(node)
            self.take(";")
            return True
        return False

    def contract_node(self):
        """`contract c(a: int) returns (b: int); let ... tel`, behind its first word."""
        place, name = self.place, self.name()
        parameters = [("type", p) for p in self.parameter_names()] if self.sees("<", "<<") else []
        self.expect("(")
        inputs, constant = self.declarations(")")
        self.expect(")")
        self.expect("returns")
        self.expect("(")
        outputs, _ = self.declarations(")")
        self.expect(")")
        self.take(";")
        found = {"name": name, "place": place, "parameters": parameters, "inputs": inputs, "outputs": outputs,
                 "constant inputs": constant, "contract": []}
        self.expect("let")
        while not self.take("tel"):
            self.clause(found)
        if not self.take(";"):
            self.take(".")
        self.add(self.tables["contracts"], name, found, place)

    def import_clause(self, place):
        """`import c(x) returns (y)`, behind its first word."""
        name, statics = self.name(), None
        if self.take("@"):
            statics = self.type_arguments()
        given = self.arguments()
        self.expect("returns")
        self.expect("(")
        results = [] if self.sees(")") else [self.name()]
        while self.take(","):
            results.append(self.name())
        self.expect(")")
        return ("import", place, name, given, results, statics)

    def ghost_type(self):
        """A type, or nothing where a definition says it."""
        if self.sees("="):
            return None
        self.expect(":")
        return self.type()

    def ghost_flows(self):
        """`a, b: int`: flows of one type."""
        names = [self.name()]
        while self.take(","):
            names.append(self.name())
        kind = self.ghost_type()
        return [(name, kind) for name in names]

    def title(self):
        if self.token[0] == "text":
            self.at += 1
            return " ".join(self.list[self.at - 1][1][1:-1].split()) or None
        return None

    def clause(self, node):
        place = self.place
        self.take("weakly")
        if self.sees("assume", "guarantee", "requires", "ensures"):
            kind = {"requires": "assume", "ensures": "guarantee"}.get(self.token[1], self.token[1])
            self.at += 1
            title = self.title()
            node["contract"].append((kind, place, title, self.expression()))
        elif self.take("var"):
            flows = self.ghost_flows()
            while self.take(","):
                flows += self.ghost_flows()
            self.expect("=")
            node["contract"].append(("ghost", place, flows, self.expression()))
        elif self.take("const"):
            name = self.name()
            kind = self.ghost_type() if self.sees(":") else None
            self.expect("=")
            node["contract"].append(("constant", place, name, kind, self.expression()))
        elif self.take("mode"):
            name = self.name()
            parts = {"require": [], "ensure": []}
            self.expect("(")
            while not self.take(")"):
                kind = self.token[1]
                if kind not in parts:
                    self.not_covered()
                self.at += 1
                self.title()
                parts[kind].append(self.expression())
                self.expect(";")
            node["contract"].append(("mode", place, name, parts["require"], parts["ensure"]))
        elif self.take("import"):
            node["contract"].append(self.import_clause(place))
        else:
            self.not_covered(f"`{self.token[1]}` in a contract")
        self.expect(";")
