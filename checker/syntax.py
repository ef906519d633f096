"""The parser: the text of a program as trees of tuples.

An expression is `(kind, place, ...)` with the place as `(line, column)`, both from 1. The grammar
is that of the dialect `kind2`; whatever else Lustre has ends in `NotCovered`, never in a guess.
"""

from clauses import Clauses
from lexer import WORDS, Malformed
from packages import Packages, Unit, program_of


class Parser(Clauses, Packages):
    def program(self):
        """A dictionary of types, constants and nodes."""
        return program_of(self.parsed(), self.dialect)

    def parsed(self):
        """The packages of the text; the first is the program around them."""
        self.clocks, self.lasts = {}, None  # what flows of a header are before, where that may be said
        self.units, self.models, self.copies = [], {}, []
        self.before = []  # the contract of the next node
        self.unit_at(())
        if self.token[0] != "end":
            self.not_covered()
        self.copied()
        return self.units

    def unit_at(self, path):
        """What a package declares, up to its end."""
        unit = Unit(path)
        self.units.append(unit)
        while self.token[0] != "end" and not (path and self.sees("end")):
            if self.sees("private", "public") and self.list[self.at + 1][0] == "name":
                self.at += 1
            elif self.sees("package", "model") and self.list[self.at + 1][0] == "name":
                self.at += 1
                self.package(path) if self.list[self.at - 1][1] == "package" else self.model()
            elif self.sees("open") and self.list[self.at + 1][0] == "name":
                self.at += 1
                unit.uses.append(self.name())
                self.take(";")
            elif self.take("include"):
                unit.includes.append(self.token[1].strip('"'))
                self.at += 1
                self.take(";")
            else:
                self.tables, self.unit = unit.tables, unit
                self.declaration(unit.tables["types"], unit.tables["constants"], unit.tables["nodes"])
        return unit

    def declaration(self, types, constants, nodes):
        if self.take("type"):
            while self.token[0] == "name" and self.ahead(1) in (";", "=", "<", "<<"):
                place, name = self.place, self.name()
                if self.sees(";"):
                    self.add(types, name, ("abstract", place, name), place)
                elif self.take("="):
                    self.add(types, name, self.type(name), place)
                else:
                    names = self.parameter_names()
                    self.expect("=")
                    self.add(types, name, ("generic", place, names, self.type(name)), place)
                self.declaration_end()
        elif self.sees("datatype") and self.list[self.at + 1][0] == "name":
            self.at += 1
            self.data_type(types)
        elif self.take("const", "param"):
            while self.token[0] == "name" and self.token[1] not in WORDS and self.ahead(1) in (",", ":", "=", ";"):
                for name, constant, place in self.constant():
                    self.add(constants, name, constant, place)
        elif self.sees("transparent") and self.ahead(1) in ("node", "function"):
            self.at += 1  # calls of it are never cut: here none is
        elif self.sees("node", "function"):
            node = self.node()
            if node is not None:
                self.add(nodes, node["name"], node, node["place"])
        elif self.sees("extern", "unsafe", "external"):
            node = self.external()
            self.add(nodes, node["name"], node, node["place"])
        elif self.take("contract"):
            self.contract_node()
        elif self.token[:2] == ("note", "CONTRACT"):
            self.at += 1
            if self.take("contract") or self.token[0] == "name" and self.ahead(1) in ("(", "<", "<<"):
                self.contract_node()
            else:
                # What stands before a node is its contract.
                before = {"contract": self.before}
                while self.token[0] != "close":
                    self.clause(before)
            self.at += self.token[0] == "close"
        elif self.token[0] == "note":
            self.not_covered("an annotation outside of a node")
        else:
            self.not_covered()

    def declaration_end(self):
        """The end of a declaration, which Heptagon and Vélus do not mark."""
        if not self.take(";") and self.dialect not in ("heptagon", "velus"):
            self.expect(";")

    def external(self):
        """`extern node f(x: int) returns (y: int);` (V6), `external f(int) returns int`."""
        place = self.place
        if self.take("external"):
            name = self.name()
            self.expect("(")
            kinds = [] if self.sees(")") else [self.type()]
            while self.take(","):
                kinds.append(self.type())
            self.expect(")")
            self.expect("returns")
            output = self.type()
            self.take(";")
            inputs = [(f"x{i}" if len(kinds) > 1 else "x", kind, place) for i, kind in enumerate(kinds)]
            return self.header(name, place, True, inputs, [("y", output, place)])
        unsafe = self.take("unsafe")
        is_extern = self.take("extern")
        if not self.sees("node", "function"):
            self.not_covered()
        node = self.node(is_extern)
        if unsafe and is_extern:
            node["function"] = False
        return node

    @staticmethod
    def header(name, place, function, inputs, outputs):
        return {
            "name": name, "parameters": [], "place": place, "function": function, "inputs": inputs, "constant inputs": set(),
            "outputs": outputs, "locals": [], "constants": [], "items": [], "contract": [],
            "main": False, "body": False, "clocks": {},
        }

    def data_type(self, types):
        """`datatype t = A (x: int) | B;`, behind its first word."""
        place, name = self.place, self.name()
        parameters = self.parameter_names() if self.sees("<", "<<") else None
        self.expect("=")
        constructors = []
        while not constructors or self.take("|"):
            constructor, fields = self.name(), []
            if self.take("("):
                while not self.sees(")"):
                    names = [self.name()]
                    while self.sees(",") and self.ahead(2) in (",", ":"):
                        self.at += 1
                        names.append(self.name())
                    self.expect(":")
                    kind = self.type()
                    fields += [(field, kind) for field in names]
                    if not self.take(",", ";"):
                        break
                self.expect(")")
            constructors.append((constructor, fields))
        self.expect(";")
        if any(fields for _, fields in constructors):
            found = ("data", place, name, constructors)
        else:
            found = ("enum", place, name, [constructor for constructor, _ in constructors])
        self.add(types, name, found if parameters is None else ("generic", place, parameters, found), place)

    @staticmethod
    def add(table, name, what, place):
        if name in table:
            raise Malformed(f"`{name}` is declared twice, line {place[0]}")
        table[name] = what

    def constant(self):
        place, names = self.place, [self.name()]
        while self.take(","):
            names.append(self.name())
        declared = self.type() if self.take(":") else None
        value = self.expression() if self.take("=") else None
        self.declaration_end()
        if declared is None and value is None:
            raise Malformed(f"a constant without a type, line {place[0]}")
        return [(name, (declared, value), place) for name in names]

    def type(self, name=None):
        place = self.place
        if self.take("bool", "int", "real"):
            found = (self.list[self.at - 1][1], place)
        elif self.take("enum"):
            self.expect("{")
            values = [self.name()]
            while self.take(","):
                values.append(self.name())
            self.expect("}")
            found = ("enum", place, name, values)
        elif self.take("subrange"):
            self.expect("[")
            low = None if self.take("*") else self.expression()
            self.expect(",")
            high = None if self.take("*") else self.expression()
            self.expect("]")
            self.expect("of")
            self.expect("int")
            found = ("subrange", place, low, high)
        elif self.sees("subtype") and self.ahead(1) == "{":
            self.at += 2
            bound = self.name()
            self.expect(":")
            base = self.type()
            self.expect("|")
            found = ("subtype", place, bound, base, self.expression())
            self.expect("}")
        elif self.take("["):
            found = self.tuple_type(place, "]")
        elif self.sees("{") and not self.begins_fields():
            self.at += 1
            found = self.tuple_type(place, "}")
        elif self.sees("struct", "{"):
            self.take("struct")
            self.expect("{")
            fields = []
            while not self.sees("}"):
                names = [self.name()]
                while self.take(","):
                    names.append(self.name())
                self.expect(":")
                base = self.type()
                fields += [(n, base) for n in names]
                if not self.take(";"):
                    break
            self.expect("}")
            found = ("struct", place, fields)
        elif self.is_machine_type():
            found = ("bits", place, *self.machine_type())
        elif name is not None and (self.sees("|") or self.token[0] == "name" and self.ahead(1) == "|"):
            # Heptagon and Vélus: `type t = A | B`.
            self.take("|")
            values = [self.name()]
            while self.take("|"):
                values.append(self.name())
            found = ("enum", place, name, values)
        elif self.token[0] == "name" and self.token[1] not in WORDS:
            found = ("named", place, self.name(), self.type_arguments() if self.sees("<", "<<") else [])
        else:
            self.not_covered("a type")
        while self.sees("^", "["):
            dimension = self.take("^")
            if not dimension:
                self.expect("[")
            size = self.primary() if dimension else self.expression()
            if not dimension:
                self.expect("]")
            found = ("array", place, found, size)
        return found

    def begins_fields(self):
        """Whether names of fields stand here, and not the types of a tuple."""
        n = 1
        while self.ahead(n + 1) == "," and self.list[self.at + n][0] == "name":
            n += 2
        return self.ahead(n + 1) == ":"

    def parameter_names(self):
        """`<T; U>` or `<<T; U>>`."""
        end = ">>" if self.take("<<") else ">"
        if end == ">":
            self.expect("<")
        names = []
        while not names or self.take(";", ","):
            self.take("type")
            names.append(self.name())
        self.closing(end)
        return names

    def static_parameters(self):
        """`<<const n: int; type t; function f(x: t) returns (y: t)>>`: what each is, and its name."""
        self.expect("<<")
        found = []
        while not found or self.take(";", ","):
            if self.take("type"):
                found.append(("type", self.name()))
            elif self.sees("node", "function"):
                self.at += 1
                found.append(("node", self.name()))
                self.expect("(")
                self.declarations(")")
                self.expect(")")
                self.expect("returns")
                self.expect("(")
                self.declarations(")")
                self.expect(")")
            else:
                self.take("const")
                found.append(("const", self.name()))
                self.expect(":")
                self.type()
        self.expect(">>")
        return found

    def alias(self, name):
        """`node f = g<<3>>;`"""
        place, other = self.place, self.name()
        self.add(self.tables["aliases"], name, (other, self.static_arguments()), place)
        self.take(";")

    def expression_of_alias(self, inputs):
        place, other = self.place, self.name()
        return ("call", place, other, [("name", place, flow) for flow, *_ in inputs], self.static_arguments())

    def tuple_type(self, place, end):
        parts = [self.type()]
        while self.take(","):
            parts.append(self.type())
        self.expect(end)
        return ("tuple", place, parts)

    def declared(self):
        """`a, b: t`, perhaps with a condition: each name with its type and place."""
        if self.sees("(") and self.ahead(2) in (":", ","):
            return self.declared_together()
        if self.sees("clock") and self.list[self.at + 1][0] == "name":
            self.at += 1  # SCADE
        is_last = self.sees("last") and self.list[self.at + 1][0] == "name"
        self.at += is_last
        names = [(self.name(), self.list[self.at - 1][2:])]
        while self.take(","):
            names.append((self.name(), self.list[self.at - 1][2:]))
        self.expect(":")
        kind = self.type()
        if self.take("|"):
            condition = self.expression()
            found = [(n, ("subtype", p, n, kind, condition), p) for n, p in names]
        else:
            found = [(n, kind, p) for n, p in names]
        if self.sees("clock"):
            self.at += 1  # `bool clock`
        if self.dialect == "heptagon" and self.take("at"):
            self.name()
        self.declared_clock([name for name, *_ in found])
        if is_last or self.lasts is not None and self.sees("last") and self.ahead(1) == "=":
            # What `last x` is at the first step: Heptagon and Vélus, or SCADE.
            self.take("last")
            self.expect("=")
            before = self.expression()
            if self.lasts is None:
                self.not_covered("the last value of an input")
            self.lasts += [("last value", place, name, before) for name, _, place in found]
        if self.sees("clock", "last", "when"):
            self.not_covered("a flow with a clock of its own")
        return found

    def declared_clock(self, names):
        """`when c`, `on c` or `:: . on c on d`: what a flow samples is on the clock before it."""
        if self.sees("when", "whennot"):
            clock = self.clock_value()
            self.clocks.update({name: clock for name in names})
            return
        if self.sees("::"):
            self.at += 1
            self.expect(".")
        while self.take("on"):
            clock = self.clock_value(behind=True)
            self.clocks.update({name: clock for name in names})

    def declared_together(self):
        """`(a: bool; b: int) when c`: flows that are on a clock together."""
        self.expect("(")
        found, _ = self.declarations(")")
        self.expect(")")
        own = [name for name, *_ in found if name not in self.clocks]
        self.declared_clock(own)
        return found

    def declarations(self, end):
        """`a, b: t; const c: u`, up to a closing mark, and the names of those that are constant."""
        found, constant = [], set()
        while not self.sees(end):
            is_constant = self.take("const")
            several = self.declared()
            found += several
            if is_constant:
                constant |= {name for name, *_ in several}
            if not self.take(";"):
                break
        return found, constant

    def node(self, imported=False):
        place = self.place
        before, self.before = self.before, []
        function = self.token[1] == "function"
        self.clocks, self.lasts = {}, None
        self.at += 1
        imported = self.take("imported") or imported
        name = self.name()
        parameters = []
        if self.sees("<"):
            parameters = [("type", name) for name in self.parameter_names()]
        elif self.sees("<<"):
            parameters = self.static_parameters()
        elif self.take("="):
            self.alias(name)
            return None
        self.expect("(")
        inputs, constant = self.declarations(")")
        self.expect(")")
        self.expect("returns")
        self.expect("(")
        self.lasts = []
        outputs, wrong = self.declarations(")")
        if wrong:
            self.not_covered("a constant output")
        self.expect(")")
        while self.sees("prototype", "lib") and self.list[self.at + 1][0] == "name":
            self.at += 2  # lustrec: where its code is
            imported = True
        defined = self.expression_of_alias(inputs) if self.take("=") else None
        self.take(";")
        node = self.header(name, place, function, inputs, outputs)
        node.update({"parameters": parameters, "constant inputs": constant, "clocks": self.clocks, "contract": before})
        if defined is not None:
            node["items"].append(("equation", place, [flow for flow, *_ in outputs], defined))
            node["body"] = True
            return node
        while self.contract(node) or not imported and self.more_of_header(node):
            pass
        lasts, self.lasts = self.lasts, None
        is_equation = not self.sees("let") and self.token[0] == "name" and self.ahead(1) == "=" and not imported
        if not imported and (self.take("let") or is_equation):
            node["body"] = True
            if is_equation:
                self.item(node)
            else:
                node["items"] += self.part_before("tel")
                self.at += 1
                if not self.take(";"):
                    self.take(".")
        elif node["locals"]:
            self.not_covered("locals of a node without a body")
        node["main"] = any(item[0] == "main" for item in node["items"])
        node["items"] = [item for item in node["items"] if item[0] != "main"]
        if node["contract"] and not node["items"]:
            node["body"] = False
        node["items"] += lasts
        return node

    def more_of_header(self, node):
        """Flows and constants of a node, and marks and properties before its body."""
        if self.take("const"):
            while self.token[0] == "name" and self.token[1] not in WORDS:
                node["constants"] += self.constant()
        elif self.take("var"):
            while self.token[0] == "name" and self.token[1] not in WORDS | {"automaton", "con"} and self.is_declaration():
                node["locals"] += self.local()
        elif self.token[:2] in (("note", "MAIN"), ("note", "PROPERTY")):
            self.item(node)
        else:
            return False
        return True

    def is_declaration(self):
        """Whether flows are declared here: a name, and then another or a type."""
        return self.ahead(1) in (",", ":") or self.sees("last") or self.sees("clock")

    def local(self):
        found = self.declared()
        if not self.sees("let"):
            self.expect(";")
        return found
