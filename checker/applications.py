"""The parser: names with what they are applied to, calls with clocks, and arguments between `<<` and `>>`."""

from lexer import NotCovered
from reader import Reader

# What stands between `<<` and `>>` may be one of these.
OPERATORS = (
    "and or xor not pre -> => if = <> < <= > >= + - * / div mod ++ || && lsh rsh #".split()
)

# The operators by the names that Lustre V6 has for them.
LIBRARY = {
    "and": "and", "or": "or", "xor": "xor", "not": "not", "impl": "=>", "if": "if", "eq": "=", "neq": "<>",
    "div": "div", "mod": "mod", "diese": "#",
}
for _word, _sign in (("plus", "+"), ("minus", "-"), ("times", "*"), ("slash", "/"), ("lt", "<"), ("lte", "<="), ("gt", ">"), ("gte", ">=")):
    LIBRARY.update({_word: _sign, f"i{_word}": _sign, f"r{_word}": _sign})


class Applications(Reader):
    def named(self, place):
        name = self.name()
        if self.sees("("):
            return ("call", place, name, self.arguments())
        statics = None
        if self.sees("<<"):
            statics = self.static_arguments()
        elif self.sees("@") and self.ahead(1) in ("<", "<<"):
            self.at += 1
            statics = self.type_arguments()
        if statics is not None and self.sees("("):
            return ("call", place, name, self.arguments(), statics)
        if self.sees("?") and self.ahead(1) == "(":
            self.at += 2
            operand = self.expression()
            self.expect(")")
            return ("made by", place, name, operand)
        if statics is not None and not self.sees("{"):
            return ("name", place, name, statics)
        if self.sees("{"):
            self.at += 1
            fields = []
            if self.ahead(1) == ":=":
                return self.updated(("name", place, name), place)
            while not self.sees("}"):
                field = self.name()
                self.expect("=")
                fields.append((field, self.expression()))
                if not self.take(";", ","):
                    break
            self.expect("}")
            return ("record", place, name, fields) if statics is None else ("record", place, name, fields, statics)
        return ("name", place, name)

    def updated(self, whole, place):
        """`p{lo := 5; hi := x}`, behind its first mark: what `p[lo := 5; hi := x]` is."""
        changes = []
        while not self.sees("}"):
            where = ("name", self.place, self.name())
            self.expect(":=")
            changes.append((where, self.expression()))
            if not self.take(";", ","):
                break
        self.expect("}")
        return ("update", place, whole, changes)

    def late(self, place):
        """`fby(x; 2; 0)` (SCADE): what `x` was so many steps before, and 0 at the first ones."""
        self.expect("(")
        parts = [self.expression()]
        while self.take(";", ","):
            parts.append(self.expression())
        self.expect(")")
        if len(parts) != 3 or parts[1][0] != "number" or not 1 <= parts[1][2] <= 1000:
            raise NotCovered("such a `fby`", place[0])
        found = parts[0]
        for _ in range(parts[1][2]):
            found = ("fby", place, parts[2], found)
        return found

    def arguments(self):
        self.expect("(")
        found = self.inside(lambda: self.expressions(")"))
        self.expect(")")
        return found

    def expressions(self, end):
        """Expressions with commas between them, perhaps none."""
        found = [] if self.sees(end) else [self.expression()]
        while self.take(","):
            found.append(self.expression())
        return found

    def inside(self, read):
        """What is read in parentheses, where nothing around it counts."""
        before, self.in_arms, self.in_reset = (self.in_arms, self.in_reset), False, False
        found = read()
        self.in_arms, self.in_reset = before
        return found

    def static_arguments(self):
        """`<<3, int, f, +>>`: what a node is given where it is named."""
        self.expect("<<")
        found = []
        while True:
            if self.sees("const", "node", "function", "type"):
                self.at += 1
            place = self.place
            if self.token[0] in ("mark", "name") and self.ahead(1) in (",", ";", ">>") and self.token[1] in OPERATORS:
                found.append(("operator", place, self.token[1]))
                self.at += 1
            elif self.sees("Lustre") and self.ahead(1) == "::":
                self.at += 2
                if self.token[1] not in LIBRARY:
                    self.not_covered(f"`Lustre::{self.token[1]}`")
                found.append(("operator", place, LIBRARY[self.token[1]]))
                self.at += 1
            elif self.sees("bool", "int", "real", "[") or self.is_machine_type():
                found.append(self.type())
            else:
                found.append(self.expression())
            if not self.take(",", ";"):
                break
        self.closing(">>")
        return found

    def type_arguments(self):
        """`<int; bool>` or `<<int; bool>>` behind the name of a type or node."""
        end = ">>" if self.take("<<") else ">"
        if end == ">":
            self.expect("<")
        found = [self.type()]
        while self.take(";", ","):
            found.append(self.type())
        self.closing(end)
        return found

    def closing(self, end):
        """The end of a list; two lists may end with one token."""
        if end == ">" and self.sees(">>"):
            kind, _, line, column = self.token
            self.list[self.at] = (kind, ">", line, column + 1)
            return
        self.expect(end)

    def condact(self, place):
        if self.sees("<<"):
            # Lustre V6: `condact<<f, d>>(c, x)`.
            statics, given = self.static_arguments(), self.arguments()
            if len(statics) < 2 or statics[0][0] != "name" or not given:
                raise NotCovered("such a condact<<>>", place[0])
            name, *inner = statics[0][2:]
            if inner:
                raise NotCovered("condact of a node with parameters", place[0])
            return ("clocked", place, name, given[1:], given[0], statics[1:], None)
        self.expect("(")
        clock = self.expression()
        self.expect(",")
        call = self.prefix()
        defaults = []
        while self.take(","):
            defaults.append(self.expression())
        self.expect(")")
        if len(defaults) == 1 and defaults[0][0] == "list":
            defaults = defaults[0][2]
        if call[0] == "call":
            return ("clocked", call[1], call[2], call[3], clock, defaults, None)
        if call[0] == "clocked" and call[4] is None:
            return ("clocked", call[1], call[2], call[3], clock, defaults, call[6])
        raise NotCovered("condact of no call", place[0])

    def activation(self, place):
        clock, defaults, reset = None, None, None
        if self.take("restart"):
            name = self.name()
            self.expect("every")
            reset = self.expression_before(")")
        else:
            self.expect("activate")
            inner = None
            if self.take("("):
                self.expect("restart")
                name = self.name()
                self.expect("every")
                inner = self.expression_before(")")
                self.expect(")")
            else:
                name = self.name()
            self.expect("every")
            clock = self.expression_before("initial", "default", "restart", ")")
            is_plain = self.sees("default")
            if self.take("initial") or is_plain:
                self.expect("default")
                defaults = [self.expression()]
                while self.take(","):
                    defaults.append(self.expression())
                if len(defaults) == 1 and defaults[0][0] == "list":
                    defaults = defaults[0][2]
            if self.take("restart"):
                self.expect("every")
                reset = self.expression()
            if inner is not None and reset is not None:
                raise NotCovered("two resets of a call", place[0])
            reset = reset if inner is None else inner
        self.expect(")")
        found = ("clocked", place, name, self.arguments(), clock, defaults, reset)
        return ("where active", place, found) if clock is not None and is_plain else found

    def expression_before(self, *ends):
        found = self.expression()
        if not self.sees(*ends):
            self.not_covered()
        return found
