"""The parser: the text of a program as trees of tuples.

An expression is `(kind, place, ...)` with the place as `(line, column)`, both from 1. The grammar
is that of the dialect `kind2`; whatever else Lustre has ends in `NotCovered`, never in a guess.
"""

from expressions import Expressions
from lexer import WORDS, Malformed

# Words that begin something beyond the grammar below, wherever a definition may stand.
BLOCKS = {"automaton", "frame", "switch", "present", "reset", "cond", "last", "when", "var"}


class Parser(Expressions):
    # -- declarations

    def program(self):
        """A dictionary of types, constants and nodes."""
        types, constants, nodes, includes, self.aliases = {}, {}, {}, [], {}
        self.clocks, self.lasts = {}, None  # what flows of a header are before, where that may be said
        self.contracts = {}
        while self.token[0] != "end":
            if self.take("include"):
                includes.append(self.token[1].strip('"'))
                self.at += 1
                self.take(";")
            elif self.take("type"):
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
                    self.expect(";")
            elif self.sees("datatype") and self.list[self.at + 1][0] == "name":
                self.at += 1
                self.data_type(types)
            elif self.take("const"):
                while self.token[0] == "name" and self.token[1] not in WORDS and not self.begins_declaration():
                    for name, constant, place in self.constant():
                        self.add(constants, name, constant, place)
            elif self.sees("transparent") and self.ahead(1) in ("node", "function"):
                self.at += 1  # calls of it are never cut: here none is
            elif self.sees("node", "function"):
                node = self.node()
                if node is not None:
                    self.add(nodes, node["name"], node, node["place"])
            elif self.take("contract"):
                self.contract_node()
            elif self.token[:2] == ("note", "CONTRACT"):
                self.at += 1
                self.take("contract")
                self.contract_node()
                self.at += self.token[0] == "close"
            elif self.token[0] == "note":
                self.not_covered("an annotation outside of a node")
            else:
                self.not_covered()
        return {"types": types, "constants": constants, "nodes": nodes, "includes": includes, "aliases": self.aliases,
                "contracts": self.contracts}

    def begins_declaration(self):
        """Whether a word that may be a name begins the next declaration."""
        return self.sees("datatype", "transparent") and self.list[self.at + 1][0] == "name"

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
        self.expect(";")
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
        elif self.sees("{") and (self.ahead(2) not in (":", ",") or self.list[self.at + 3][0] != "name" and self.ahead(2) == ","):
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
        self.add(self.aliases, name, (other, self.static_arguments()), place)
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
        if self.sees("when"):
            clock = self.clock_value()
            self.clocks.update({name: clock for name, *_ in found})
        if self.lasts is not None and self.sees("last") and self.ahead(1) == "=":
            # SCADE: what `last x` is at the first step.
            self.at += 2
            before = self.expression()
            self.lasts += [("last value", place, name, before) for name, _, place in found]
        if self.sees("clock", "last", "when"):
            self.not_covered("a flow with a clock of its own")
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

    def node(self):
        place = self.place
        function = self.token[1] == "function"
        self.clocks, self.lasts = {}, None
        self.at += 1
        imported = self.take("imported")
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
        defined = self.expression_of_alias(inputs) if self.take("=") else None
        self.take(";")
        node = {
            "name": name, "parameters": parameters, "place": place, "function": function, "inputs": inputs, "constant inputs": constant,
            "outputs": outputs, "locals": [], "constants": [], "items": [], "contract": [],
            "main": False, "body": False, "clocks": self.clocks,
        }
        if defined is not None:
            node["items"].append(("equation", place, [flow for flow, *_ in outputs], defined))
            node["body"] = True
            return node
        self.contract(node)
        while not imported and self.sees("var", "const"):
            if self.take("const"):
                while self.token[0] == "name" and self.token[1] not in WORDS:
                    node["constants"] += self.constant()
            else:
                self.at += 1
                while self.token[0] == "name" and self.token[1] not in WORDS:
                    node["locals"] += self.local()
        self.contract(node)
        lasts, self.lasts = self.lasts, None
        if not imported and self.take("let"):
            node["body"] = True
            while not self.sees("tel"):
                self.item(node)
            self.at += 1
            if not self.take(";"):
                self.take(".")
        elif node["locals"]:
            self.not_covered("locals of a node without a body")
        if node["contract"] and not node["items"]:
            node["body"] = False
        node["items"] += lasts
        return node

    def local(self):
        found = self.declared()
        self.expect(";")
        return found

    # -- contracts

    def contract(self, node):
        if self.note("CONTRACT"):
            while self.token[0] != "close":
                self.clause(node)
            self.at += 1
            self.take(";")
        elif self.take("con"):
            while not self.take("noc"):
                self.clause(node)
            self.take(";")

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
        self.add(self.contracts, name, found, place)

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
        if self.sees("assume", "guarantee"):
            kind = self.token[1]
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

    # -- bodies

    def item(self, node):
        place = self.place
        add = node["items"].append
        if self.note("MAIN"):
            node["main"] = True
            if self.take(":"):
                self.expression()
            self.take(";")
            if self.token[0] == "close":
                self.at += 1
        elif self.token[0] == "note":
            word = self.token[1]
            self.at += 1
            if word == "CANDIDATE":
                self.expression()
                self.expect(";")
            elif word == "PROPERTY":
                self.take(":")
                self.property(place, add)
                if self.token[0] == "close":
                    self.at += 1
            else:
                self.not_covered(f"--%{word}")
        elif self.take("assert"):
            self.title()
            add(("assert", place, self.expression()))
            self.expect(";")
        elif self.sees("check") and self.ahead(1) not in ("=", ",", "["):
            self.at += 1
            self.property(place, add)
        elif self.sees("if"):
            self.at += 1
            add(self.if_block(place))
        elif self.sees("frame") and self.ahead(1) == "(":
            self.at += 1
            add(self.frame(place))
        elif self.sees("last") and self.list[self.at + 1][0] == "name" and self.ahead(2) == "=":
            self.at += 1
            name = self.name()
            self.expect("=")
            add(("last value", place, name, self.expression()))
            self.expect(";")
        elif self.token[1] in BLOCKS and self.ahead(1) not in ("=", ",", "["):
            add(self.automaton(place) if self.take("automaton") else self.block(place))
        else:
            self.equation(place, add)

    def block(self, place):
        """`when c then ... elsif ... else ... end`, `switch m | A do ... end`, `cond | c: ... otherwise: ... end`."""
        parts, other = [], None
        if self.take("reset"):
            items = self.part("every")
            self.expect("every")
            condition = self.expression()
            self.expect(";")
            return ("reset", place, items, condition)
        if self.take("when"):
            parts.append((self.condition("then"), self.part("elsif", "else", "end")))
            while self.take("elsif"):
                parts.append((self.condition("then"), self.part("elsif", "else", "end")))
            if self.take("else"):
                other = self.part("end")
        elif self.take("switch"):
            subject = self.name()
            while self.take("|"):
                at, value = self.place, self.truth_or_name()
                if not self.take("do", "=>", "->", ":"):
                    self.not_covered()
                value = ("truth", at, value) if isinstance(value, bool) else ("name", at, value)
                parts.append((("=", at, ("name", at, subject), value), self.part("|", "end")))
            if not parts:
                self.not_covered()
            other = parts.pop()[1]  # a program that leaves a value out is none
        elif self.sees("cond", "present"):
            then, last = (":", "otherwise") if self.take("cond") else ("do", "default")
            then == ":" or self.expect("present")
            self.take("|")
            while not self.sees(last, "end"):
                parts.append((self.condition(then), self.part("|", last, "end")))
                self.take("|")
            if self.take(last):
                self.expect(then)
                other = self.part("end")
        else:
            self.not_covered()
        self.expect("end")
        self.take(";")
        return ("block", place, parts, other)

    def automaton(self, place):
        """`automaton a state A unless ... do ... until ... state B ... end`, behind its first word."""
        name = None if self.sees("state", "initially", "initial") else self.name()
        initial, states = None, []
        if self.take("initially"):
            initial = self.name()
        while self.sees("state", "initial"):
            is_initial = self.take("initial")
            self.expect("state")
            states.append(self.state())
            initial = states[-1][0] if is_initial else initial
        if not states:
            self.not_covered()
        if self.take("returns"):
            # SCADE says what is defined, which is known, or `..`.
            self.take("..") or self.name()
            while self.take(","):
                self.take("..") or self.name()
        else:
            self.expect("end")
        self.take(";")
        return ("automaton", place, name, initial, states)

    def state(self):
        """`(name, flows, strong transitions, items, weak transitions)`"""
        name, flows, strong, weak, items = self.name(), [], [], [], None
        self.take(":")
        while not self.sees("state", "initial", "end", "returns"):
            if self.take("unless"):
                strong += self.transitions()
            elif self.take("until"):
                weak += self.transitions()
            elif self.take("var"):
                flows += self.own_flows()
            elif items is None and self.take("let"):
                items = self.part_before("tel")
                self.expect("tel")
                self.take(";")
            elif items is None and self.take("do"):
                if self.take("var"):
                    flows += self.own_flows()
                if self.take("let"):
                    items = self.part_before("tel")
                    self.expect("tel")
                    self.take(";")
                else:
                    items = self.part_before("until", "unless", "state", "initial", "end")
            else:
                self.not_covered()
        return (name, flows, strong, items or [], weak)

    def own_flows(self):
        found = []
        while self.token[0] == "name" and self.token[1] not in WORDS and not self.sees("do"):
            if self.sees("last"):
                self.not_covered()
            found += self.declared()
            self.expect(";")
        return found

    def part_before(self, *ends):
        inside = {"items": []}
        while not self.sees(*ends):
            self.item(inside)
        return inside["items"]

    def transitions(self):
        """`c then A | d continue B`, of which the first that holds is taken."""
        found = []
        while not found or self.take("|"):
            if self.sees("if"):
                found += self.transitions_of_scade()
                continue
            condition = self.expression()
            word = self.token[1]
            if not self.take("then", "continue", "restart", "resume"):
                self.not_covered()
            found.append((condition, word, self.name()))
        self.take(";")
        return found

    def transitions_of_scade(self):
        """`if c restart A; if d resume B;`, in their order."""
        found = []
        while self.take("if"):
            condition = self.expression()
            word = self.token[1]
            if not self.take("restart", "resume"):
                self.not_covered("a transition of this form")
            found.append((condition, word, self.name()))
            self.expect(";")
        return found

    def condition(self, end):
        found = self.expression()
        self.expect(end)
        return found

    def part(self, *ends):
        """What a part of a block says, up to one of some words."""
        if self.sees("var", "let"):
            self.not_covered("a flow of a block")
        return self.part_before(*ends)

    def property(self, place, add):
        reachable = False
        if self.token[0] == "name" and self.ahead(1) not in (";",) and self.sees("invariant"):
            self.at += 1
        elif self.sees("reachable") and self.ahead(1) not in (";", "and", "or", "=", "=>", "<>"):
            self.at += 1
            reachable = True
        title = self.title()
        what = self.expression()
        provided = self.expression() if not reachable and self.take("provided") else None
        low = high = None
        while reachable and self.sees("from", "within", "at"):
            word = self.token[1]
            self.at += 1
            bound = self.expression()
            low, high = (bound if word in ("from", "at") else low), (bound if word in ("within", "at") else high)
        self.expect(";")
        steps = [] if low is None and high is None else [(low, high)]
        add(("reachable" if reachable else "property", place, title, what, provided, *steps))

    def equation(self, place, add):
        is_call = self.token[0] == "name" and self.ahead(1) == "(" and not self.sees("not")
        if is_call or self.sees("(") and self.ahead(1) in ("activate", "restart"):
            # A call of a node without outputs; held is nothing.
            call = self.prefix()
            if call[0] == "clocked" and call[5] is None and call[4] is not None:
                call = (*call[:5], [], call[6])
            add(("equation", place, [], call))
            self.expect(";")
            return
        parens = self.take("(")
        names = [] if self.sees(")") else [self.name()]
        while self.take(","):
            names.append(self.name())
        if parens:
            self.expect(")")
        indices = []
        while self.take("["):
            indices.append(self.name())
            self.expect("]")
        if indices and len(names) != 1:
            self.not_covered("several definitions by index")
        self.expect("=")
        if indices:
            add(("by index", place, names[0], indices, self.expression()))
        else:
            add(("equation", place, names, self.expression()))
        # The last equation of a part may end with it.
        if not self.sees("until", "unless", "state", "end", "|", "default", "every"):
            self.expect(";")

    def if_block(self, place):
        """`if c then ... elsif ... else ... fi`, behind its first word, with equations and such blocks inside."""
        condition = self.expression()
        self.expect("then")
        then, other = [], []
        while not self.sees("elsif", "else", "fi"):
            self.definition(then)
        inner = self.place
        if self.take("elsif"):
            return ("if block", place, condition, then, [self.if_block(inner)])
        if self.take("else"):
            while not self.sees("fi"):
                self.definition(other)
        self.expect("fi")
        self.take(";")
        return ("if block", place, condition, then, other)

    def frame(self, place):
        """`frame (x, y) x = 0; let ... tel`: flows, what they are before, and what defines them."""
        self.expect("(")
        names = [self.name()]
        while self.take(","):
            names.append(self.name())
        self.expect(")")
        before, items = [], []
        while not self.take("let"):
            self.equation(self.place, before.append)
        while not self.take("tel"):
            self.definition(items)
        self.take(";")
        return ("frame", place, names, before, items)

    def definition(self, found):
        place = self.place
        if self.take("if"):
            found.append(self.if_block(place))
        elif self.sees("when", "switch", "cond"):
            found.append(self.block(place))
        elif self.token[1] in BLOCKS or self.token[0] == "note" or self.sees("assert", "check"):
            self.not_covered()
        else:
            self.equation(place, found.append)
