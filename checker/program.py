"""Programs as they stand in files: one with all that it includes."""

import hashlib
import os
from pathlib import Path

from elaborate import Elaborator
from lexer import Malformed, NotCovered, dialect, named_dialect
from packages import program_of
from syntax import Parser


class Program:
    """The text of a file and of those that it includes, and what was made of them."""

    def __init__(self, path, more=(), named=None):
        self.files, self.units, self.dialects = {}, [], set()
        self.named = named
        for one in (path, *more):
            self.read(os.path.normpath(one), None, None)
        if len(self.dialects) > 1:
            raise NotCovered("files in several dialects")
        self.tree = program_of(self.units, self.dialects.pop())

    def read(self, path, includer, line):
        """Reads a file, once. Where it does not say its dialect, a line of its includer does, and then what it has."""
        if path in self.files:
            return
        try:
            self.files[path] = Path(path).read_bytes()
        except OSError:
            raise NotCovered(f"the file {path}, which cannot be read") from None
        text = self.files[path].decode()
        line = self.named or named_dialect(text) or line
        found = line or dialect(text, path.endswith(".ept"))
        if found == "kind2" and includer is not None:
            found = includer
        self.dialects.add(found)
        parser = Parser(text, found)
        units = parser.parsed()
        self.units += units
        for unit in units:
            for name in unit.includes:
                self.read(os.path.normpath(os.path.join(os.path.dirname(path), name)), found, line)

    def system(self, node):
        """A new system of a node, and the places of its open values."""
        elaborator = Elaborator(self.tree)
        return elaborator.root(node), elaborator.places

    def is_that_of(self, sources):
        """Whether a list of sources, with their SHA-256, is that of these files."""
        mine = sorted(hashlib.sha256(content).hexdigest() for content in self.files.values())
        return mine == sorted(source.get("sha256", "") for source in sources)

    def has_node(self, name):
        return name.split("<<")[0] in self.tree["nodes"] or name.split("<<")[0] in self.tree["aliases"]


class Programs:
    """The programs that some answers are about, each read once."""

    def __init__(self, base, paths=(), more=(), dialect=None):
        self.base, self.paths, self.more, self.dialect = base, list(dict.fromkeys(paths)), more, dialect
        self.known = {}

    def of(self, event):
        """The program of an answer: that of the file that is named, or one that includes it."""
        program = self.at(event["file"])
        if isinstance(program, Program) and program.has_node(event["node"]):
            return program
        whole = os.path.normpath(self.base / event["file"])
        for path in self.paths:
            other = self.at(path)
            if isinstance(other, Program) and whole in other.files and other.has_node(event["node"]):
                return other
        if not isinstance(program, Program):
            raise program
        return program

    def at(self, path):
        if path not in self.known:
            try:
                self.known[path] = Program(str(self.base / path), [str(self.base / m) for m in self.more], self.dialect)
            except (NotCovered, Malformed) as reason:
                self.known[path] = reason
        return self.known[path]
