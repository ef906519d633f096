"""The parser: names with what they are applied to, calls with clocks, and arguments between `<<` and `>>`."""

from lexer import WORDS, NotCovered
from reader import Reader

# What stands between `<<` and `>>` may be one of these.
OPERATORS = (
    "and or xor not pre -> => if = <> < <= > >= + - * / div mod ++ || && lsh rsh".split()
)


class Applications(Reader):
    def named(self, place):
        name = self.name()
        if self.sees("("):
            return ("call", place, name, self.arguments())
        if self.sees("::"):
            self.not_covered("a name of a library")
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
            while not self.sees("}"):
                field = self.name()
                if not self.take("="):
                    self.not_covered("an update of a record")
                fields.append((field, self.expression()))
                if not self.take(";", ","):
                    break
            self.expect("}")
            return ("record", place, name, fields) if statics is None else ("record", place, name, fields, statics)
        return ("name", place, name)

    def arguments(self):
        self.expect("(")
        found = [] if self.sees(")") else [self.expression()]
        while self.take(","):
            found.append(self.expression())
        self.expect(")")
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
            self.not_covered("condact<<>>")
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
            if self.sees("("):
                self.not_covered("an activation of a restart")
            name = self.name()
            self.expect("every")
            clock = self.expression_before("initial", "restart", ")")
            if self.take("initial"):
                self.expect("default")
                defaults = [self.expression()]
                while self.take(","):
                    defaults.append(self.expression())
                if len(defaults) == 1 and defaults[0][0] == "list":
                    defaults = defaults[0][2]
            if self.take("restart"):
                self.expect("every")
                reset = self.expression()
        self.expect(")")
        return ("clocked", place, name, self.arguments(), clock, defaults, reset)

    def expression_before(self, *ends):
        found = self.expression()
        if not self.sees(*ends):
            self.not_covered()
        return found
