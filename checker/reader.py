"""The parser's lowest part: the tokens of a text, one after the other."""

import machine
from lexer import WORDS, NotCovered, tokens


class Reader:
    def __init__(self, text, dialect="kind2"):
        self.dialect = dialect
        self.list = [token for token in tokens(text, dialect) if token[0] != "directive"]
        texts = [token[1] for token in self.list]
        self.node_names = {name for word, name in zip(texts, texts[1:]) if word in ("node", "function")}
        self.words = WORDS - (self.node_names & {"current", "condact"})  # what the program declares is a name
        self.lines = text.split("\n")
        self.at, self.in_reset = 0, False
        self.in_arms = False  # whether `|` begins the next arm, and does not put arrays together

    @property
    def token(self):
        return self.list[self.at]

    @property
    def place(self):
        return self.token[2:]

    def sees(self, *texts):
        kind, text = self.token[:2]
        return text in texts and kind in ("mark", "name")

    def sees_word(self, text):
        """Whether a word stands here that the program has not declared as a name."""
        return text in self.words and self.sees(text)

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
        if kind != "name" or text in self.words:
            raise NotCovered(f"{text!r} in the place of a name", self.token[2])
        if machine.word(text) or text in ("uint", "sint"):
            raise NotCovered(f"the name `{text}`", self.token[2])
        self.at += 1
        while self.sees("::") and self.list[self.at + 1][0] == "name":
            text = f"{text}::{self.ahead(1)}"
            self.at += 2
        return text

    def text_from(self, begin):
        """What is written from a token on, up to the one that comes next; on one line."""
        _, last, end_line, end_column = self.list[self.at - 1]
        line, column = self.list[begin][2:]
        text = "\n".join(self.lines[line - 1 : end_line])
        cut = len(self.lines[end_line - 1]) - (end_column - 1 + len(last))
        return " ".join(text[column - 1 : len(text) - cut].split())

    def note(self, word):
        if self.token[:2] == ("note", word):
            self.at += 1
            return True
        return False

    def not_covered(self, what=None):
        raise NotCovered(what or f"`{self.token[1]}`", self.token[2])

    def is_machine_type(self):
        kind, text = self.token[:2]
        return kind == "name" and bool(machine.word(text) or text in ("uint", "sint"))

    def machine_type(self, mark=None):
        """The width and sign of a type that begins here; before `<` of a conversion there is a mark."""
        line, text = self.token[2], self.token[1]
        self.at += 1
        known = machine.word(text)
        if known:
            return known
        if mark is not None:
            self.expect(mark)
        self.expect("<")
        if self.token[0] != "int":
            self.not_covered("a width that is no number")
        width = machine.checked_width(int(self.token[1], 0), line)
        self.at += 1
        self.expect(">")
        return width, text == "sint"
