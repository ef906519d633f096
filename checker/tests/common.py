"""What the tests share: small programs, and Lustral, where its binary is named in $LUSTRAL."""

import atexit
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.setrecursionlimit(100_000)

from check import judge  # noqa: E402
from elaborate import Elaborator  # noqa: E402
from lexer import dialect  # noqa: E402
from program import Programs  # noqa: E402
from solver import Execution, Solver  # noqa: E402
from syntax import Parser  # noqa: E402

ROOT = HERE.parent.parent
LUSTRAL = os.environ.get("LUSTRAL")
SOLVER = ["cvc5", "--lang=smt2"]


def elaborated(text, node="main"):
    elaborator = Elaborator(Parser(text, dialect(text)).program())
    return elaborator.root(node), elaborator.places


def run(text, inputs, flow, node="main"):
    """The values of a flow of the root, for inputs by name."""
    system, _ = elaborated(text, node)
    steps = max(len(values) for values in inputs.values())
    given = {}
    for name, values in inputs.items():
        free = system.inputs[system.flows["", name]]
        given.update({(free, step): value for step, value in enumerate(values)})
    execution = Execution(system, given, {})
    return [execution.value(system.flows["", flow], step) for step in range(steps)]


FOLDER = tempfile.TemporaryDirectory()
atexit.register(FOLDER.cleanup)


def scratch():
    """A new folder, which goes with the tests."""
    return Path(tempfile.mkdtemp(dir=FOLDER.name))


class Answers:
    """The answers of Lustral about some programs, in a folder of its own."""

    def __init__(self, *paths, more=()):
        self.base = scratch()
        command = [LUSTRAL, "check", "--json", "--timeout", "10", "--certificate", "out", *more]
        output = subprocess.run([*command, *map(str, paths)], cwd=self.base, capture_output=True, text=True)
        lines = [json.loads(line) for line in output.stdout.splitlines()]
        self.events = [e for e in lines if e["event"] == "verdict" and e["verdict"] != "unknown"]
        if not self.events:
            raise AssertionError(output.stdout + output.stderr)

    @staticmethod
    def to(text, more=()):
        """The answers about a program that is given as text."""
        path = scratch() / "program.lus"
        path.write_text(text)
        found = Answers(path, more=more)
        found.path = path
        return found

    def event(self, name):
        found = [e for e in self.events if e["property"] == name]
        assert len(found) == 1, (name, self.events)
        return json.loads(json.dumps(found[0]))

    def certificate(self, event):
        return self.base / event["certificate"]["folder"]

    def judge(self, event, first=False):
        return judge(event, Programs(self.base, [e["file"] for e in self.events]), Solver(SOLVER, 60), first)


needs_lustral = unittest.skipUnless(LUSTRAL, "the binary of Lustral is not named in $LUSTRAL")
