"""The parser: what stands in a body, which is equations, blocks, automata, assertions and properties."""

from expressions import Expressions
from lexer import WORDS

BLOCKS = {"automaton", "frame", "switch", "present", "reset", "cond", "last", "when", "var"}


class Bodies(Expressions):
    def item(self, node):
        place, before = self.place, self.in_arms
        self.one_item(node, place)
        self.in_arms = before

    def one_item(self, node, place):
        add = node["items"].append
        if self.note("MAIN"):
            add(("main", place))
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
            add(self.chosen_equations(place) if self.dialect == "heptagon" else self.if_block(place))
        elif self.sees("activate") and self.ahead(1) in ("if", "when"):
            self.at += 1
            add(self.activated(place))
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
        parts, other, self.in_arms = [], None, True
        if self.take("reset"):
            items = self.part("every")
            self.expect("every")
            condition = self.expression()
            self.take(";")
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

    def chosen_equations(self, place):
        """Heptagon: `if c then ... else ... end`, whose parts take steps of their own, behind its first word."""
        parts = [(self.condition("then"), self.part("else", "end"))]
        self.expect("else")
        other = self.part("end")
        self.expect("end")
        self.take(";")
        return ("block", place, parts, other)

    def activated(self, place):
        """SCADE: `activate if c then x = 1; else x = 0; returns x;`, `activate when m match | A: x = 1; ... returns ..;`."""
        parts, other, self.in_arms = [], None, True
        if self.take("if"):
            parts.append((self.condition("then"), self.part("else", "returns")))
            while self.take("else"):
                if self.take("if"):
                    parts.append((self.condition("then"), self.part("else", "returns")))
                else:
                    other = self.part("returns")
        else:
            self.expect("when")
            subject = self.expression()
            self.expect("match")
            while self.take("|"):
                at, value = self.place, self.truth_or_name()
                self.expect(":")
                value = ("truth", at, value) if isinstance(value, bool) else ("name", at, value)
                parts.append((("=", at, subject, value), self.part("|", "returns")))
            if not parts:
                self.not_covered()
            other = parts.pop()[1]
        self.results()
        self.take(";")
        return ("block", place, parts, other)

    def results(self):
        """SCADE says what is defined, which is known, or `..`."""
        self.expect("returns")
        if self.sees(";"):
            return
        self.take("..") or self.name()
        while self.take(","):
            self.take("..") or self.name()

    def automaton(self, place):
        """`automaton a state A unless ... do ... until ... state B ... end`, behind its first word."""
        name = None if self.sees("state", "initially", "initial") else self.name()
        initial, states, self.ends_with_state = None, [], False
        if self.take("initially"):
            initial = self.name()
        while self.sees("state", "initial"):
            is_initial = self.take("initial")
            self.expect("state")
            states.append(self.state())
            initial = states[-1][0] if is_initial else initial
        if not states:
            self.not_covered()
        if self.sees("returns"):
            self.results()
        elif not self.take("end") and not self.ends_with_state:
            self.expect("end")
        self.take(";")
        return ("automaton", place, name, initial, states)

    def state(self):
        """`(name, flows, strong transitions, items, weak transitions, clocks of the flows)`"""
        name, flows, strong, weak, items = self.name(), [], [], [], None
        (before, self.lasts), (clocks, self.clocks) = (self.lasts, []), (self.clocks, {})
        is_lustrec = self.take(":")
        while not self.sees("state", "initial", "end", "returns"):
            if is_lustrec and items is not None and not self.sees("until"):
                break
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
                    if self.take("in"):
                        pass
                    items = self.part_before("until", "unless", "state", "initial", "end")
            else:
                self.not_covered()
            if items is not None:
                self.take(";")
        self.ends_with_state = is_lustrec
        (lasts, self.lasts), (own, self.clocks) = (self.lasts, before), (self.clocks, clocks)
        return (name, flows, strong, (items or []) + lasts, weak, own)

    def own_flows(self):
        found = []
        while self.token[0] == "name" and self.token[1] not in WORDS and not self.sees("do", "in"):
            found += self.declared()
            if not self.sees("in", "do", "let"):
                self.expect(";")
        return found

    def part_before(self, *ends):
        inside = {"items": []}
        while not self.sees(*ends):
            if self.sees("var") and self.list[self.at + 1][0] == "name":
                inside["items"].append(self.scope(ends))
            elif self.take("let"):
                inside["items"] += self.part_before("tel")
                self.expect("tel")
                self.take(";")
            else:
                self.item(inside)
        return inside["items"]

    def scope(self, ends):
        """`var z: int; let z = 1; x = z; tel`, or with `in` and then what is left of the part (Heptagon)."""
        place, flows = self.place, []
        before, self.lasts = self.lasts, []
        clocks, self.clocks = self.clocks, {}
        while self.take("var"):
            flows += self.own_flows()
        lasts, self.lasts = self.lasts, before
        own, self.clocks = self.clocks, clocks
        if self.take("let"):
            items = self.part_before("tel")
            self.expect("tel")
            self.take(";")
        else:
            self.expect("in")
            items = self.part_before(*ends)
        return ("scope", place, flows, items + lasts, own)

    def transitions(self):
        """`c then A | d continue B`, of which the first that holds is taken."""
        self.in_arms = True
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
        self.end_of_equation()
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
        self.end_of_equation()

    def end_of_equation(self):
        """The last equation of a part may end with it, and what stands in a comment with that."""
        if self.token[0] == "close":
            return
        if not self.sees("until", "unless", "state", "end", "|", "default", "every", "else", "elsif", "tel", "returns", "initial"):
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
