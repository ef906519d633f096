"""The parser: expressions by the grouping of their operators."""

from applications import Applications
from lexer import WORDS

LEVELS = [  # from loose to tight; `->` and `=>` group to the right and are apart
    ("or", "xor"),
    ("and",),
    ("=", "<>", "<", "<=", ">", ">="),
    ("+", "-"),
    ("*", "/", "div", "mod"),
    ("++",),
    ("||",),
    ("&&",),
    ("lsh", "rsh"),
]

# What `or` and `xor` are to each other.
LEVELS_OF = {"velus": [("or",), ("xor",), *LEVELS[1:]]}
# Below which operators `when` stands: those of this and the tighter ones are sampled together.
WHEN = {"velus": "+", "heptagon": "+", "v6": None}


class Expressions(Applications):
    def expression(self):
        found = self.arrow()
        while self.sees("|") and not self.in_arms:
            place = self.place
            self.at += 1
            found = ("together", place, found, self.arrow())
        return self.sampled(found) if self.dialect == "kind2" else found

    def sampled(self, found):
        while self.sees("when", "whennot"):
            place = self.place
            found = ("sampled", place, found, *self.clock_value())
        return found

    def clock_value(self, behind=False):
        """`when c`, `when not c`, `when A(m)`, `when (m = A)`, `whennot c`: the flow, and its value."""
        if not behind:
            if self.take("whennot"):
                return self.name(), False
            self.expect("when")
        if self.take("not"):
            return self.name(), False
        if self.take("("):
            flow = self.name()
            self.expect("=")
            value = self.truth_or_name()
            self.expect(")")
            return flow, value
        first = self.truth_or_name()
        if self.take("("):
            flow = self.name()
            self.expect(")")
            return flow, first
        return first, True

    def truth_or_name(self):
        if self.take("true", "false"):
            return self.list[self.at - 1][1] == "true"
        return self.name()

    def merge(self, place):
        """`merge c (true -> a) (false -> b)`, `merge(c; a; b)` or `merge c a b`, behind its first word."""
        if self.take("("):
            flow = self.name()
            self.expect(";")
            then = self.expression()
            self.expect(";")
            other = self.expression()
            self.expect(")")
            return ("merge", place, flow, [(True, then), (False, other)])
        flow = self.name()
        arrows = ("->", "=>") if self.dialect == "velus" or self.ahead(1) in ("true", "false") else ("->",)
        if self.sees("(") and self.ahead(2) in arrows and (
            self.ahead(1) in ("true", "false") or self.list[self.at + 1][0] == "name"
        ):
            branches = []
            while self.take("("):
                value = self.truth_or_name()
                self.take("=>") or self.expect("->")
                branches.append((value, self.expression()))
                self.expect(")")
            return ("merge", place, flow, branches)
        begin = self.at
        then = self.postfix(self.primary(), begin)
        begin = self.at
        return ("merge", place, flow, [(True, then), (False, self.postfix(self.primary(), begin))])

    def arrow(self):
        left = self.implication()
        if self.dialect == "lustrec":
            left = self.sampled(left)
            if self.sees("fby"):
                place = self.place
                self.at += 1
                return ("fby", place, left, self.arrow())
        if self.sees("->"):
            place = self.place
            self.at += 1
            return ("->", place, left, self.arrow())
        return left

    def implication(self):
        left = self.binary(0)
        if self.sees("=>"):
            place = self.place
            self.at += 1
            return ("=>", place, left, self.implication())
        if self.sees("==>"):
            place = self.place
            self.at += 1
            return ("==>", place, left, self.implication())
        return left

    def binary(self, level):
        levels = LEVELS_OF.get(self.dialect, LEVELS)
        if level == len(levels):
            found = self.prefix() if self.dialect == "lustrec" else self.fby()
            return self.sampled(found) if self.dialect == "v6" else found
        if self.dialect == "lustrec" and "=" in levels[level] and self.sees("not"):
            # `not x < y` is the opposite of the comparison there.
            self.at += 1
            return ("not", self.list[self.at - 1][2:], self.binary(level))
        left = self.binary(level + 1)
        while self.sees(*levels[level]):
            operator, place = self.token[1], self.place
            if (operator, self.ahead(1)) in (("and", "then"), ("or", "else")):
                operator = f"{operator} {self.ahead(1)}"
                self.at += 1
            self.at += 1
            left = (operator, place, left, self.binary(level + 1))
        return self.sampled(left) if WHEN.get(self.dialect) in levels[level] else left

    def fby(self):
        left = self.prefix()
        if self.sees("fby"):
            place = self.place
            self.at += 1
            return ("fby", place, left, self.fby())
        return left

    def prefix(self):
        place = self.place
        for word in ("not", "pre"):
            if self.take(word):
                return (word, place, self.prefix())
        if self.take("-"):
            return ("neg", place, self.prefix())
        if self.take("!"):
            return ("!", place, self.prefix())
        if self.is_machine_type():
            width, signed = self.machine_type("@")
            # A conversion is of all that follows.
            return ("convert", place, width, signed, self.expression())
        if self.sees("int", "real"):
            word = self.token[1]
            self.at += 1
            return (word, place, self.prefix())
        if self.take("if"):
            condition = self.expression()
            self.expect("then")
            then = self.expression()
            self.expect("else")
            return ("if", place, condition, then, self.expression())
        if self.token[0] == "name" and self.token[1] in self.node_names and self.ahead(1) == "(":
            begin = self.at
            return self.postfix(self.primary(), begin)
        if self.sees("any", "choose") and self.ahead(1) in ("{", "@"):
            word = self.token[1]
            self.at += 1
            return (word, *self.choice(place)[1:])
        found = self.begun_by_word(place)
        begin = self.at
        return self.postfix(self.primary(), begin) if found is None else found

    def begun_by_word(self, place):
        """An expression that begins with a word that may be a name as well; None if it is one."""
        if self.sees("with") and self.list[self.at + 1][0] != "mark" or self.sees("with") and self.ahead(1) == "(":
            self.at += 1
            condition = self.expression()
            self.expect("then")
            then = self.expression()
            self.expect("else")
            return ("with", place, condition, then, self.expression())
        if self.sees("when") and self.list[self.at + 1][0] != "end":
            self.at += 1
            condition = self.expression()
            self.expect("then")
            then = self.expression()
            self.expect("else")
            return ("when", place, condition, then, self.expression())
        if self.sees("match") and (self.list[self.at + 1][0] == "name" or self.ahead(1) == "("):
            self.at += 1
            return self.match(place)
        if self.sees("case") and self.ahead(2) == "of":
            self.at += 1
            return self.case(place)
        if self.sees("reset") and self.begins_operand(1):
            self.at += 1
            before, self.in_reset = self.in_reset, True
            found = self.expression()
            self.in_reset = before
            self.expect("every")
            return ("begun anew", place, found, self.expression())
        if self.sees("inlined") and self.list[self.at + 1][0] == "name":
            self.at += 1  # how it is compiled
        if self.sees("forall", "exists") and self.ahead(1) == "(":
            return self.quantifier(place)
        if self.sees("last") and self.ahead(1) == "'":
            self.at += 2
            begin = self.at
            return self.postfix(("last", place, self.name()), begin)
        if self.sees("last") and self.list[self.at + 1][0] == "name" and self.ahead(1) not in WORDS:
            self.at += 1
            begin = self.at
            return self.postfix(("last", place, self.name()), begin)
        if self.sees("merge") and (self.ahead(1) == "(" or self.list[self.at + 1][0] == "name"):
            self.at += 1
            return self.merge(place)
        if self.sees_word("current") and (self.ahead(1) == "(" or self.list[self.at + 1][0] == "name"):
            self.at += 1
            return ("current", place, self.prefix())
        if self.sees("when", "forall", "exists", "last", "with", "merge", "any", "choose") or self.sees_word("current"):
            if self.sees("when", "merge") or self.sees_word("current") or self.ahead(1) in ("(", "{", "@") or (
                self.list[self.at + 1][0] == "name" and self.ahead(1) not in WORDS
            ):
                self.not_covered()
        return None

    def match(self, place):
        """`match s with | Circle (r) : e | _ : f end`, behind its first word."""
        subject = self.expression()
        self.expect("with")
        arms, before, self.in_arms = [], self.in_arms, True
        self.take("|")
        while not arms or self.take("|"):
            pattern = self.primary()
            self.expect(":")
            arms.append((pattern, self.expression()))
        self.expect("end")
        self.in_arms = before
        return ("match", place, subject, arms)

    def begins_operand(self, n):
        """Whether an operand begins so many tokens further on: what stands here is a word then, and no name."""
        kind, text = self.list[min(self.at + n, len(self.list) - 1)][:2]
        return kind in ("int", "real") or kind == "name" and text not in WORDS or text == "("

    def case(self, place):
        """`case m of (Slow => a) (_ => b)`: a choice like `if`, behind its first word."""
        subject, arms = self.name(), []
        self.expect("of")
        while self.take("("):
            at, value = self.place, self.truth_or_name()
            value = ("truth", at, value) if isinstance(value, bool) else ("name", at, value)
            self.expect("=>")
            arms.append((value, self.expression()))
            self.expect(")")
        if not arms:
            self.not_covered()
        whole = arms[-1][1]
        for value, arm in reversed(arms[:-1]):
            whole = ("if", place, ("=", value[1], ("name", place, subject), value), arm, whole)
        return whole

    def quantifier(self, place):
        """`forall (i, j: int; k: small) e`, of all that follows."""
        word = self.token[1]
        self.at += 2
        variables = []
        while not self.sees(")"):
            variables += self.declared()
            if not self.take(";"):
                break
        self.expect(")")
        return (word, place, variables, self.expression())

    def choice(self, place):
        """`any { x: t | p }`, `any { x: t }` or `any@<t>`: some value, with what it is called and the condition."""
        if self.take("@"):
            self.expect("<")
            kind = self.type()
            self.expect(">")
            return ("any", place, None, kind, None)
        self.expect("{")
        name = self.name()
        self.expect(":")
        kind = self.type()
        condition = self.expression() if self.take("|") else None
        self.expect("}")
        return ("any", place, name, kind, condition)

    def postfix(self, found, begin):
        while True:
            place = self.place
            if self.sees("every") and found[0] == "call" and not self.in_reset:
                # lustrec: the call begins anew where a condition holds.
                self.at += 1
                if len(found) > 4:
                    self.not_covered("a call of a node with parameters that begins anew")
                found = ("clocked", found[1], found[2], found[3], None, None, self.expression())
            elif self.sees("."):
                self.at += 1
                found = ("field", place, found, self.name())
                found = (*found, self.list[begin][2:], self.text_from(begin))
            elif self.sees("["):
                self.at += 1
                index = self.expression()
                if self.take(":="):
                    changes = [(index, self.expression())]
                    while self.take(";") and not self.sees("]"):
                        index = self.expression()
                        self.expect(":=")
                        changes.append((index, self.expression()))
                    found = ("update", place, found, changes)
                elif self.take(":"):
                    found = ("bits", place, found, index, self.expression())
                elif self.take(".."):
                    found = ("slice", place, found, index, self.expression())
                else:
                    found = ("index", self.list[begin][2:], found, index)
                self.expect("]")
            elif self.sees("^"):
                self.at += 1
                found = ("power", place, found, self.primary())
            elif self.take(".%"):
                if self.token[0] != "int":
                    self.not_covered()
                found = ("index", self.list[begin][2:], found, self.primary())
            else:
                return found

    def primary(self):
        kind, text, *place = self.token
        place = tuple(place)
        if kind == "int":
            self.at += 1
            return ("number", place, int(text, 0) if text[:1] == "0" and len(text) > 1 and text[1] in "xXoObB" else int(text))
        if kind == "real":
            self.at += 1
            return ("decimal", place, text)
        if self.take("true", "false"):
            return ("truth", place, text == "true")
        if self.take("("):
            if self.sees("activate", "restart"):
                return self.activation(place)
            begin = self.at
            found = self.inside(lambda: self.expressions(")"))
            if len(found) == 1 and self.take(":"):
                kind = self.type()
                found = [("ascribed", place, found[0], kind, self.text_from(begin))]
            self.expect(")")
            return found[0] if len(found) == 1 else ("list", place, found)
        if self.take("["):
            found = self.inside(lambda: self.expressions("]"))
            self.expect("]")
            return ("array", place, found)
        if self.sees("'") and self.ahead(1) == "(":
            self.at += 1
            return ("tuple", place, self.arguments())
        if self.sees("fby") and self.ahead(1) == "(":
            self.at += 1
            return self.late(place)
        if self.sees_word("condact"):
            self.at += 1
            return self.condact(place)
        if self.sees("#"):
            self.at += 1
            return ("atmost", place, self.arguments())
        if self.take("::"):
            name = f"::{self.name()}"
            while self.take("::"):
                name += f"::{self.name()}"
            return ("name", place, name)
        if kind == "name" and text not in self.words:
            return self.named(place)
        self.not_covered()
