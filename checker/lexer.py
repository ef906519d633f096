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
      | (?P<contract>--@(?=\s*[A-Za-z]))
      | (?P<directive>\#open\b[^\n]*)
      | (?P<line>--[^\n]*|//[^\n]*)
      | (?P<open>\(\*@(?:contract\b)?|/\*@(?:contract\b)?|\(\*[%!](?=PROPERTY|MAIN)|/\*[%!](?=PROPERTY|MAIN))
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

PART = re.compile(r"(?P<int>\d+)")

WORDS = set(
    """and assert bool condact const contract div else elsif enum every false fby fi function if
    imported include int let merge mod node not of or pre real restart returns struct subrange tel then true
    type var when xor activate initial default current""".split()
)


DIALECTS = {"kind2", "lustrec", "v6", "velus", "heptagon"}
NAMED = re.compile(r"--[%!]DIALECT[ \t]+(\w+)")
# What a dialect has another sign for.
SIGNS = {"lustrec": {"&&": "and", "||": "or", "!=": "<>", "!": "not"}, "heptagon": {"&": "and"}}


def block_end(text, start, line, nested=False):
    """The end of a comment: comments of one kind nest in `heptagon` only."""
    begins, ends = ("(*", "*)") if text[start] == "(" else ("/*", "*/")
    depth, at = 1, start + 2
    while depth:
        end = text.find(ends, at)
        if end < 0:
            raise Malformed(f"a comment without an end, line {line}")
        inner = text.find(begins, at, end) if nested else -1
        depth, at = (depth - 1, end + 2) if inner < 0 else (depth + 1, inner + 2)
    return at


def named_dialect(text):
    """The dialect that a line of a text names; None if none does."""
    named = NAMED.search(text)
    if named and named.group(1) not in DIALECTS:
        raise NotCovered(f"the dialect `{named.group(1)}`")
    return named and named.group(1)


def dialect(text, is_heptagon=False):
    """The dialect of a text: as a line says, or as what only one has."""
    named = named_dialect(text)
    if named:
        return named
    found = tokens(text, "heptagon" if is_heptagon else "kind2")
    texts = [piece for kind, piece, *_ in found if kind in ("mark", "name", "directive")]
    if "!=" in texts or any(kind == "directive" for kind, *_ in found):
        return "lustrec"
    if "&&" in texts or "||" in texts:
        three = list(zip(texts, texts[1:], texts[2:]))
        if any(a == "state" and c == ":" for a, _, c in three) or ("bool", "clock") in zip(texts, texts[1:]):
            return "lustrec"
    return "heptagon" if is_heptagon else "kind2"


def tokens(text, dialect="kind2"):
    """The tokens `(kind, text, line, column)` of a text. Annotations are tokens, too."""
    found, at, line, begin, depth = [], 0, 1, 0, []
    lines_end = None  # the end of a line `--@ ...`, whose tokens are those of a contract
    while at < len(text):
        if lines_end is not None and at >= lines_end:
            more = re.compile(r"\s*--@").match(text, at)
            if more:
                line += text.count("\n", at, more.end())
                at, begin = more.end(), text.rfind("\n", 0, more.end()) + 1
                lines_end = (text.find("\n", at) + 1 or len(text) + 1) - 1
                continue
            found.append(("close", "", line, at - begin + 1))
            lines_end = None
        match = TOKEN.match(text, at)
        if found and found[-1][1] == ".%":
            match = PART.match(text, at) or match  # no decimal number
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
            else:
                end = (text.find("\n", end) + 1 or len(text) + 1) - 1
        elif kind == "open":
            depth.append(piece[:2])
            if "@" in piece:
                found.append(("note", "CONTRACT", *place))
            else:
                word = re.match(r"[A-Z]+", text[end:]).group()
                found.append(("note", word, *place))
                end += len(word)
        elif kind == "contract":
            found.append(("note", "CONTRACT", *place))
            lines_end = (text.find("\n", at) + 1 or len(text) + 1) - 1
        elif kind == "block":
            end = block_end(text, at, line, dialect == "heptagon")
        elif kind == "directive":
            if not re.match(r"#open\s*<\w+>", piece):
                raise NotCovered("a file that is opened", line)
            end = at + len(piece.split(">")[0]) + 1
            found.append((kind, piece, *place))
        elif kind == "close":
            if not depth:
                raise NotCovered(f"{piece!r}", line)
            depth.pop()
            found.append(("close", piece, *place))
        elif kind == "mark" and piece in SIGNS.get(dialect, ()):
            piece = SIGNS[dialect][piece]
            found.append(("name" if piece.isalpha() else "mark", piece, *place))
        elif kind not in ("skip", "line"):
            found.append((kind, piece, *place))
        newline = text.rfind("\n", at, end)
        if newline >= 0:
            line += text.count("\n", at, end)
            begin = newline + 1
        at = end
    if lines_end is not None:
        found.append(("close", "", line, at - begin + 1))
    found.append(("end", "", line, 0))
    return found
