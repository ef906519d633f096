#!/usr/bin/env python3
"""An independent checker of Lustral's answers.

    lustral check --json --certificate DIR program.lus > answers.jsonl
    python3 check.py answers.jsonl

Reads each program again, with a parser and an encoding of its own, and checks each answer: a proof by
the invariant of its certificate (`source.json`), a counterexample by executing the program. A line for each answer:
`accepted`, `REJECTED`, `not covered`, or `undecided` where the solver gives no answer. Exit code: 0 all accepted, 1 something
rejected, 2 wrong usage, 4 nothing rejected and something not covered or undecided.
"""

import argparse
import json
import re
import shlex
import sys
import threading
import time
from pathlib import Path

from certificate import Claim, first_value, shown
from lexer import DIALECTS, Malformed, NotCovered
from program import Programs
from proof import Proof, Rejected
from solver import Execution, NoAnswer, Open, Script, Solver, literal, number
from terms import Property


# `ok (line 5)`, `line 5:3`
AT_A_PLACE = re.compile(r"^(.*?)(?: \(line \d+(?::\d+)?\)|(?<=\d):\d+)$", re.S)


PINNED = re.compile(r"<<(\w+ = -?\d+(?:, \w+ = -?\d+)*)>>$")


def find(system, event):
    """The property that an answer is about."""
    # That a flow is as its type says has two names, after what the type has: bounds or a condition.
    plain = lambda name: name.replace("subrange(", "subtype(")
    name, line = event["property"], event.get("line")
    # Of several with one name, the others are told apart by their places, which are in the answer as well.
    names = {plain(name), plain(AT_A_PLACE.sub(r"\1", name))}
    found = [p for p in system.properties if plain(p.name) in names and (line is None or p.line == line)]
    if len({p.column for p in found}) > 1:
        found = [p for p in found if p.column == event.get("column")]
    if len(found) > 1 and event["verdict"] == "valid":
        # Several say this of the same place, as where a contract is imported twice: then all of them are shown.
        return Property(name, (line, None), system.terms.conjunction([p.term for p in found]), found[0].reachable)
    if len(found) != 1:
        raise NotCovered(f"the property `{name}` of line {line}: {len(found)} such properties")
    return found[0]


def plainly(found, node):
    """An answer or a certificate about a node, with the names of instances as they are here.

    Where a program is looked at for one value of a constant, the names of the nodes that are called say that value as well.
    """
    pinned = PINNED.search(node)
    if not pinned:
        return found
    values = pinned.group(1)
    text = json.dumps(found).replace(f", {values}>>", ">>").replace(f"<<{values}>>", "")
    return {**json.loads(text), "node": found["node"]}


def inhabited(system, solver):
    """That there is an execution, of one step."""
    if not system.constraints:
        return
    script = Script(system, "initial")
    script.constraints(0)
    if solver.ask(script) != "sat":
        raise Rejected("there is no execution: the answer is vacuous")



def rows_of(system, trace):
    """The rows of an execution: what is said of each flow at each step."""
    for instance in trace["instances"]:
        seen, names = set(), [stream["name"] for stream in instance["streams"]]
        for stream in instance["streams"]:
            # Of two with one name the second is that of the contract.
            is_second = stream["name"] in seen
            seen.add(stream["name"])
            automaton = stream["name"].removesuffix(" unless").removesuffix(" until")
            if automaton != stream["name"] and (instance["path"], automaton) in system.automata:
                continue  # which transitions are taken is said by the states
            variable = re.sub(r" \d+$", "", re.split(r"[.\[]", stream["name"])[0])
            if (instance["path"], variable) in system.chosen and several(variable, names, system, instance["path"]):
                continue  # chosen several times there, once here: what is chosen is asked of the solver
            flow = system.find(instance["path"], stream["name"], is_second)
            if flow is None:
                raise NotCovered(f"the flow {instance['path']}.{stream['name']} of the execution")
            sort = system.terms.sort(flow)
            values = [None if v is None else shown(v, sort) for v in stream["values"]]
            if len(values) != trace["steps"]:
                raise Rejected("a flow with too few values")
            is_input = instance["path"] == "" and stream["role"] == "input"
            yield f"{instance['path']}.{stream['name']}".lstrip("."), flow, values, is_input


def several(variable, names, system, path):
    """Whether an execution has more flows of a variable of a quantifier than the system has."""
    of_it = [name for name in names if re.fullmatch(re.escape(variable) + r"( \d+)?([.\[].*)?", name)]
    return any(system.find(path, name) is None for name in of_it)


def open_values(system, places, event):
    """What the execution says of values that the semantics leaves open.

    Where it is not clear which value is meant, nothing is taken from it: that some value fits is asked of the solver.
    """
    for choice in event["trace"]["choices"]:
        free = first_value(choice["name"], places, event["node"])
        if free is not None:
            yield free, choice.get("step"), shown(choice["value"], system.terms.sort(free))


def execute(system, places, event, goal, solver):
    """That the execution shown is one at whose last step the goal, a term, holds."""
    trace = event["trace"]
    steps = trace["steps"]
    if system.partial is not None:
        raise system.partial
    if event.get("step") != steps - 1 or steps < 1:
        raise Rejected("the execution does not end at the step that is named")
    rows = list(rows_of(system, trace))
    given = {(free, step): value for free, step, value in open_values(system, places, event)}
    for _, flow, values, is_input in rows:
        if is_input:
            free = system.inputs.get(flow, system.definitions[flow])
            given.update({(free, step): v for step, v in enumerate(values) if v is not None})
    divisions = {}
    for d in trace["divisions"]:
        sort = "Real" if d["operation"] == "/" else "Int"
        divisions[d["operation"], shown(d["dividend"], sort)] = shown(d["value"], sort)
    execution = Execution(system, given, divisions)
    try:
        for name, flow, values, _ in rows:
            for step, value in enumerate(values):
                if value is not None and execution.value(flow, step) != value:
                    raise Rejected(f"{name} is not {value} at step {step}")
        for step in range(steps):
            if not all(execution.value(constraint, step) for constraint in system.constraints):
                raise Rejected(f"an assertion fails at step {step}")
        if not execution.value(goal, steps - 1):
            raise Rejected(f"the property is not as it is said to be at step {steps - 1}")
        return "executed"
    except Open:
        # The report leaves out values on which nothing depends that it shows as relevant.
        satisfy(system, steps, rows, given, divisions, goal, solver)
        return "executed, with open values that fit"


def satisfy(system, steps, rows, given, divisions, goal, solver):
    """That open values can be chosen so that the execution comes out."""
    script = Script(system, "initial")
    for _, flow, values, _ in rows:
        for step, value in enumerate(values):
            if value is not None:
                script.require(f"(= {script.at(flow, step)} {literal(value, system.terms.sort(flow))})")
    for (free, step), value in given.items():
        if value is not None:
            for at in range(steps) if step is None else [step]:
                script.require(f"(= {script.at(free, at)} {literal(value, system.terms.sort(free))})")
    for (operation, dividend), value in divisions.items():
        zero = "0.0" if operation == "/" else "0"
        script.require(f"(= ({operation} {number(dividend)} {zero}) {number(value)})")
    for step in range(steps):
        script.constraints(step)
    script.require(script.at(goal, steps - 1))
    if solver.ask(script) != "sat":
        raise Rejected("no choice of open values gives the execution")


def nothing_earlier(system, steps, goal, solver):
    """That the goal, a term, holds at none of the first steps of any execution."""
    script = Script(system, "initial")
    so_far, found = "true", ["false"]
    for step in range(steps):
        now = script.at(system.terms.conjunction(system.constraints), step)
        so_far = script.define("so_far", step, "Bool", f"(and {so_far} {now})")
        found.append(f"(and {so_far} {script.at(goal, step)})")
    script.require(f"(or {' '.join(found)})")
    if not solver.holds(script):
        raise Rejected("some execution does so earlier")


def check(event, programs, solver, first=False):
    """Checks one answer; what was done."""
    program = programs.of(event)
    system, places = program.system(event["node"])
    wanted = find(system, event)
    verdict = event["verdict"]
    if (verdict in ("reachable", "unreachable")) != wanted.reachable:
        raise Rejected(f"`{verdict}` is no answer to this")
    if verdict in ("falsifiable", "reachable"):
        goal = wanted.term if wanted.reachable else system.terms.negation(wanted.term)
        done = execute(system, places, event, goal, solver)
        if first and event["first"]:
            nothing_earlier(system, event["step"], goal, solver)
            done += ", none earlier"
        return done
    folder = event["certificate"].get("folder")
    if folder is None:
        raise NotCovered("an answer without a certificate folder")
    folder = programs.base / folder
    manifest = json.loads((folder / "manifest.json").read_text())
    if not program.is_that_of(manifest["sources"]):
        raise Rejected("the certificate is about another text")
    if event.get("every_call") and system.assumes:
        raise NotCovered("an answer about every call of a node that assumes something")
    text = plainly(claimed(folder, manifest), event["node"])
    for key in ("node", "property"):
        if text[key] != event[key]:
            raise Rejected(f"the certificate is about another {key}")
    inhabited(system, solver)
    try:
        return prove(system, wanted, Claim(text, system, places), solver)
    except Rejected:
        if manifest.get("rests_on"):
            # Here all calls are inlined, and what their nodes guarantee is not looked at.
            raise NotCovered("a compositional proof that needs what called nodes guarantee") from None
        if not system.hidden:
            raise
    # A flow of a contract has the name of one of the body: perhaps that one is meant.
    system, places = program.system(event["node"])
    return prove(system, find(system, event), Claim(text, system, places, of_contract=True), solver)


def claimed(folder, manifest):
    """What a certificate claims. A compositional proof has no claim about the whole program: then it is that the property is k-inductive."""
    path = folder / "source.json"
    if path.exists() or not manifest.get("rests_on"):
        return json.loads(path.read_text())
    return {**{key: manifest[key] for key in ("node", "property", "k")}, "proof": "induction", "invariants": [], "variables": []}


def prove(system, wanted, claim, solver):
    goal = system.terms.negation(wanted.term) if wanted.reachable else wanted.term
    try:
        Proof(system, goal, claim, solver).check()
    except Rejected:
        if claim.left_out is not None:
            raise claim.left_out from None
        raise
    without = "" if claim.left_out is None else ", without those that are not covered"
    return f"proved, k = {claim.k}, {len(claim.invariants)} invariants{without}"


def main():
    parser = argparse.ArgumentParser(description="Checks Lustral's answers independently.")
    parser.add_argument("answers", nargs="+", help="the output of `lustral check --json --certificate DIR`")
    parser.add_argument("--base", default=".", help="the folder that file names are relative to")
    parser.add_argument("--with", dest="more", action="append", default=[], help="a file that was added to the program (repeatable)")
    parser.add_argument("--dialect", choices=sorted(DIALECTS), help="the dialect that was named for the program")
    parser.add_argument("--first", action="store_true", help="check as well that nothing fails before the step that is named, where the answer says so")
    parser.add_argument("--solver", default="cvc5 --lang=smt2", help="an SMT-LIB 2 solver that reads standard input")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for each question")
    parser.add_argument("--quiet", action="store_true", help="show only what is not accepted, and the sum")
    options = parser.parse_args()
    try:
        solver = Solver(shlex.split(options.solver), options.timeout)
    except NoAnswer as reason:
        print(f"error: {reason}", file=sys.stderr)
        return 2
    counts = {"accepted": 0, "REJECTED": 0, "not covered": 0, "undecided": 0}
    begin = time.monotonic()
    for name in options.answers:
        events = [json.loads(line) for line in Path(name).read_text().splitlines()]
        events = [e for e in events if e.get("event") == "verdict" and e["verdict"] != "unknown"]
        programs = Programs(Path(options.base), [e["file"] for e in events], options.more, options.dialect)
        for event in events:
            answer, detail = judge(event, programs, solver, options.first)
            counts[answer] += 1
            if answer != "accepted" or not options.quiet:
                print(f"{answer:12}{event['file']}: {event['node']}: {event['property']}: {detail}", flush=True)
    seconds = time.monotonic() - begin
    print(", ".join(f"{n} {word}" for word, n in counts.items() if n or word != "undecided"), f"in {seconds:.1f} s, {solver.asked} questions")
    return 1 if counts["REJECTED"] else 4 if counts["not covered"] or counts["undecided"] else 0


def judge(event, programs, solver, first=False):
    """What is to be said of an answer, and why."""
    try:
        return "accepted", check(plainly(event, event["node"]), programs, solver, first)
    except NotCovered as reason:
        return "not covered", str(reason)
    except NoAnswer as reason:
        return "undecided", str(reason)
    except (Rejected, Malformed) as reason:
        return "REJECTED", str(reason)
    except Exception as reason:  # whatever goes wrong, nothing is accepted
        return "REJECTED", f"it cannot be checked: {reason!r}"


if __name__ == "__main__":
    # Long chains of definitions are deep terms.
    sys.setrecursionlimit(1_000_000)
    threading.stack_size(512 * 1024 * 1024)
    codes = []
    thread = threading.Thread(target=lambda: codes.append(main()))
    thread.start()
    thread.join()
    sys.exit(codes[0] if codes else 2)
