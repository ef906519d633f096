"""Lexer and parser: the text of a program as trees of tuples.

An expression is `(kind, place, ...)` with the place as `(line, column)`, both from 1. The grammar
is that of the dialect `kind2`; whatever else Lustre has ends in `NotCovered`, never in a guess.
"""

import re


class NotCovered(Exception):
    """A construct that this checker does not know."""

    def __init__(self, construct, line=0):
        self.construct = construct
        super().__init__(f"{construct}, line {line}" if line else construct)


class Malformed(Exception):
    """A text that is no program, or no certificate of it."""


TOKEN = re.compile(
    r"""(?P<skip>\s+)
      | (?P<note>--[%!](?=[A-Za-z]))
      | (?P<line>--[^\n]*|//[^\n]*)
      | (?P<open>\(\*@contract\b|/\*@contract\b|\(\*[%!](?=PROPERTY|MAIN)|/\*[%!](?=PROPERTY|MAIN))
      | (?P<block>\(\*|/\*)
      | (?P<close>\*\)|\*/)
      | (?P<real>\d+\.\d+(?:[eE][+-]?\d+)?|\d+\.(?!\.)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)
      | (?P<int>0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|\d+)
      | (?P<name>[A-Za-z_][A-Za-z0-9_']*(?:[~!][A-Za-z0-9_']+)*)
      | (?P<text>"[^"]*")
      | (?P<mark>->|==>|=>|<<|>>|<=|>=|<>|:=|::|\.\.|\.%|\+\+|&&|\|\||!=|[-+*/=<>()\[\]{},;:.^|\#!@&'?])
    """,
    re.X,
)

WORDS = set(
    """and assert bool condact const contract div else elsif enum every false fby function if
    imported include int let merge mod node not of or pre real restart returns struct subrange tel then true
    type var when xor activate initial default current""".split()
)
# Words that begin something beyond the grammar below, wherever a definition may stand.
BLOCKS = {"automaton", "frame", "switch", "present", "reset", "cond", "last", "when", "if", "var"}


def block_end(text, start, line):
    """The end of a comment: comments of one kind do not nest."""
    end = text.find("*)" if text[start] == "(" else "*/", start + 2)
    if end < 0:
        raise Malformed(f"a comment without an end, line {line}")
    return end + 2


def tokens(text):
    """The tokens `(kind, text, line, column)` of a text. Annotations are tokens, too."""
    found, at, line, begin, depth = [], 0, 1, 0, []
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise NotCovered(f"the character {text[at]!r}", line)
        kind, piece = match.lastgroup, match.group()
        place = (line, at - begin + 1)
        end = match.end()
        if kind == "note":
            word = re.match(r"[A-Za-z_]+", text[end:]).group()
            if word in ("PROPERTY", "MAIN", "CANDIDATE"):
                found.append(("note", word, *place))
                end += len(word)
            elif word in ("DIALECT",):
                raise NotCovered("another dialect", line)
            else:
                end = (text.find("\n", end) + 1 or len(text) + 1) - 1
        elif kind == "open":
            depth.append(piece[:2])
            if "contract" in piece:
                found.append(("note", "CONTRACT", *place))
            else:
                word = re.match(r"[A-Z]+", text[end:]).group()
                found.append(("note", word, *place))
                end += len(word)
        elif kind == "block":
            end = block_end(text, at, line)
        elif kind == "close":
            if not depth:
                raise NotCovered(f"{piece!r}", line)
            depth.pop()
            found.append(("close", piece, *place))
        elif kind not in ("skip", "line"):
            found.append((kind, piece, *place))
        newline = text.rfind("\n", at, end)
        if newline >= 0:
            line += text.count("\n", at, end)
            begin = newline + 1
        at = end
    found.append(("end", "", line, 0))
    return found


LEVELS = [  # from loose to tight; `->` and `=>` group to the right and are apart
    ("or", "xor"),
    ("and",),
    ("=", "<>", "<", "<=", ">", ">="),
    ("+", "-"),
    ("*", "/", "div", "mod"),
]


class Parser:
    def __init__(self, text):
        self.list = tokens(text)
        self.at = 0

    # -- tokens

    @property
    def token(self):
        return self.list[self.at]

    @property
    def place(self):
        return self.token[2:]

    def sees(self, *texts):
        kind, text = self.token[:2]
        return text in texts and kind in ("mark", "name")

    def ahead(self, n):
        return self.list[min(self.at + n, len(self.list) - 1)][1]

    def take(self, *texts):
        if self.sees(*texts):
            self.at += 1
            return True
        return False

    def expect(self, text):
        if not self.take(text):
            raise NotCovered(f"{self.token[1]!r} in the place of `{text}`", self.token[2])

    def name(self):
        kind, text = self.token[:2]
        if kind != "name" or text in WORDS:
            raise NotCovered(f"{text!r} in the place of a name", self.token[2])
        self.at += 1
        return text

    def note(self, word):
        if self.token[:2] == ("note", word):
            self.at += 1
            return True
        return False

    def not_covered(self, what=None):
        raise NotCovered(what or f"`{self.token[1]}`", self.token[2])

    # -- declarations

    def program(self):
        """A dictionary of types, constants and nodes."""
        types, constants, nodes, includes = {}, {}, {}, []
        while self.token[0] != "end":
            if self.take("include"):
                includes.append(self.token[1].strip('"'))
                self.at += 1
                self.take(";")
            elif self.take("type"):
                while self.token[0] == "name" and not self.sees("node", "function", "const", "type"):
                    place, name = self.place, self.name()
                    if not self.take("="):
                        self.not_covered("an abstract type or one with parameters")
                    self.add(types, name, self.type(name), place)
                    self.expect(";")
            elif self.take("const"):
                while self.token[0] == "name" and self.token[1] not in WORDS:
                    for name, constant, place in self.constant():
                        self.add(constants, name, constant, place)
            elif self.sees("node", "function"):
                node = self.node()
                self.add(nodes, node["name"], node, node["place"])
            elif self.token[0] == "note":
                self.not_covered("an annotation outside of a node")
            else:
                self.not_covered()
        return {"types": types, "constants": constants, "nodes": nodes, "includes": includes}

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
        elif self.token[0] == "name" and self.token[1] not in WORDS:
            found = ("named", place, self.name())
            if self.sees("<", "<<", "@"):
                self.not_covered("a type with parameters")
        else:
            self.not_covered("a type")
        while self.sees("^", "["):
            dimension = self.take("^")
            if not dimension:
                self.expect("[")
            size = self.binary(4) if dimension else self.expression()
            if not dimension:
                self.expect("]")
            found = ("array", place, found, size)
        return found

    def declarations(self, end):
        """`a, b: t; c: u`, up to a closing mark."""
        found = []
        while not self.sees(end):
            if self.sees("const"):
                self.not_covered("a constant input")
            place, names = self.place, [(self.name(), self.list[self.at - 1][2:])]
            while self.take(","):
                names.append((self.name(), self.list[self.at - 1][2:]))
            self.expect(":")
            kind = self.type()
            if self.take("|"):
                condition = self.expression()
                found += [(n, ("subtype", p, n, kind, condition), p) for n, p in names]
            else:
                found += [(n, kind, p) for n, p in names]
            if self.sees("when", "clock", "last"):
                self.not_covered("a flow with a clock of its own")
            if not self.take(";"):
                break
            del place
        return found

    def node(self):
        place = self.place
        function = self.token[1] == "function"
        self.at += 1
        imported = self.take("imported")
        name = self.name()
        if self.sees("<", "<<", "="):
            self.not_covered("a node with parameters")
        self.expect("(")
        inputs = self.declarations(")")
        self.expect(")")
        self.expect("returns")
        self.expect("(")
        outputs = self.declarations(")")
        self.expect(")")
        self.take(";")
        node = {
            "name": name, "place": place, "function": function, "inputs": inputs,
            "outputs": outputs, "locals": [], "constants": [], "items": [], "contract": [],
            "main": False, "body": False,
        }
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
        if not imported and self.take("let"):
            node["body"] = True
            while not self.sees("tel"):
                self.item(node)
            self.at += 1
            if not self.take(";"):
                self.take(".")
        elif node["locals"]:
            self.not_covered("a node without a body")
        return node

    def local(self):
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
        if self.sees("when", "clock", "last"):
            self.not_covered("a flow with a clock of its own")
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
            name = self.name()
            self.expect(":")
            kind = self.type()
            self.expect("=")
            node["contract"].append(("ghost", place, name, kind, self.expression()))
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
        else:
            self.not_covered(f"`{self.token[1]}` in a contract")
        self.expect(";")

    # -- bodies

    def item(self, node):
        place = self.place
        add = node["items"].append
        if self.note("MAIN"):
            node["main"] = True
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
        elif self.token[1] in BLOCKS and self.ahead(1) not in ("=", ",", "["):
            self.not_covered()
        else:
            self.equation(place, add)

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
        if self.sees("from", "within", "at"):
            self.not_covered(f"`{self.token[1]}` in a property")
        self.expect(";")
        add(("reachable" if reachable else "property", place, title, what, provided))

    def equation(self, place, add):
        parens = self.take("(")
        names = [] if self.sees(")") else [self.name()]
        while self.take(","):
            names.append(self.name())
        if parens:
            self.expect(")")
        if self.sees("["):
            self.not_covered("a definition by index")
        self.expect("=")
        add(("equation", place, names, self.expression()))
        self.expect(";")

    # -- expressions

    def expression(self):
        found = self.arrow()
        if self.sees("|", "when", "every", "whennot"):
            if self.sees("|"):
                return found  # the condition of a declaration comes next
            self.not_covered()
        return found

    def arrow(self):
        left = self.implication()
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
            self.not_covered("a lazy operator")
        return left

    def binary(self, level):
        if level == len(LEVELS):
            return self.fby()
        left = self.binary(level + 1)
        while self.sees(*LEVELS[level]):
            operator, place = self.token[1], self.place
            if operator in ("and", "or") and self.ahead(1) in ("then", "else"):
                self.not_covered("a lazy operator")
            self.at += 1
            left = (operator, place, left, self.binary(level + 1))
        if self.sees("++", "||", "&&", "lsh", "rsh"):
            self.not_covered()
        return left

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
        if self.sees("!", "when", "forall", "exists", "current", "last", "with", "merge", "any", "choose"):
            if self.sees("!", "when", "current", "merge") or self.ahead(1) in ("(", "{", "@") or (
                self.list[self.at + 1][0] == "name" and self.ahead(1) not in WORDS
            ):
                self.not_covered()
        return self.postfix(self.primary())

    def postfix(self, found):
        while True:
            place = self.place
            if self.sees("."):
                self.at += 1
                found = ("field", place, found, self.name())
            elif self.sees("["):
                self.at += 1
                index = self.expression()
                if self.take(":="):
                    found = ("update", place, found, index, self.expression())
                elif self.sees("..", ":"):
                    self.not_covered("a slice")
                else:
                    found = ("index", place, found, index)
                if self.sees(";"):
                    self.not_covered("several updates")
                self.expect("]")
            elif self.sees("^"):
                self.at += 1
                found = ("power", place, found, self.postfix(self.primary()))
            elif self.sees(".%", "{") and self.token[1] == ".%":
                self.not_covered("a tuple")
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
            found = [] if self.sees(")") else [self.expression()]
            while self.take(","):
                found.append(self.expression())
            if self.sees(":"):
                self.not_covered("a type of an expression")
            self.expect(")")
            return found[0] if len(found) == 1 else ("list", place, found)
        if self.take("["):
            found = [self.expression()]
            while self.take(","):
                found.append(self.expression())
            self.expect("]")
            return ("array", place, found)
        if self.take("condact"):
            return self.condact(place)
        if self.sees("#"):
            self.at += 1
            return ("atmost", place, self.arguments())
        if self.take("::"):
            name = self.name()
            if self.sees("::"):
                self.not_covered("a mode of an imported contract")
            return ("name", place, f"::{name}")
        if kind == "name" and text not in WORDS:
            return self.named(place)
        self.not_covered()

    def named(self, place):
        name = self.name()
        if self.sees("("):
            return ("call", place, name, self.arguments())
        if self.sees("<<", "@") or self.sees("::"):
            self.not_covered("parameters of a node")
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
            return ("record", place, name, fields)
        return ("name", place, name)

    def arguments(self):
        self.expect("(")
        found = [] if self.sees(")") else [self.expression()]
        while self.take(","):
            found.append(self.expression())
        self.expect(")")
        return found

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
            if defaults is None:
                raise NotCovered("an activation without a default", place[0])
        self.expect(")")
        return ("clocked", place, name, self.arguments(), clock, defaults, reset)

    def expression_before(self, *ends):
        found = self.expression()
        if not self.sees(*ends):
            self.not_covered()
        return found
