"""The tokens of a program, annotations and contracts in comments among them."""

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
    """and assert bool condact const contract div else elsif enum every false fby fi function if
    imported include int let merge mod node not of or pre real restart returns struct subrange tel then true
    type var when xor activate initial default current""".split()
)


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
        elif kind == "line" and piece.startswith("--@"):
            raise NotCovered("a line of a contract", line)
        elif kind == "block" and text[end : end + 1] == "@":
            raise NotCovered("this form of a contract", line)
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
