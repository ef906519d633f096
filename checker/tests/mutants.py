"""Answers made wrong, by themselves: each mutant is wrong by construction, so each has to be rejected.

It is given an answer that was accepted, and changes the claim about it (`source.json`), the execution, the verdict or the program.
"""

import copy
import hashlib
import json
import re


def of_proof(claim):
    """`(what, claim)`: claims that are false, made of one that was proved.

    What was proved holds at every step of every execution, and there is an execution: its opposite fails at the first step.
    """
    for i, formula in enumerate(claim["invariants"]):
        opposite = copy.deepcopy(claim)
        opposite["invariants"][i] = f"(not {formula})"
        yield f"the opposite of invariant {i}", opposite
    for what, formula in (("false", "false"), ("an equation", "(= 0 1)")):
        more = copy.deepcopy(claim)
        more["invariants"].append(formula)
        yield f"{what} as one more invariant", more
    for variable in range(len(claim["variables"])):
        unexplained = copy.deepcopy(claim)
        name = unexplained["variables"].pop(variable)["name"]
        if any(re.search(rf"\b{name}\b", text) for text in texts(unexplained)):
            yield f"{name} without an explanation", unexplained
    yield "no steps", {**claim, "k": 0}
    yield "another kind of proof", {**claim, "proof": "belief"}
    yield "another property", {**claim, "property": claim["property"] + "'"}
    yield "another node", {**claim, "node": claim["node"] + "'"}
    if "states" in claim:
        yield "no facts and no memories", {**claim, "states": {"memories": [], "facts": ["false"]}}


def texts(claim):
    """All formulas of a claim."""
    states = claim.get("states", {})
    explained = [v.get(key, "") for v in claim["variables"] for key in ("term", "next", "initially")]
    return [*claim["invariants"], *explained, *states.get("facts", []), *states.get("memories", [])]


def of_execution(event, determined):
    """`(what, event)`: executions that are none, or show nothing. Where the inputs determine all flows, each value counts."""
    trace = event["trace"]
    last = trace["steps"] - 1
    for i, instance in enumerate(trace["instances"]) if determined else ():
        for j, stream in enumerate(instance["streams"]):
            if instance["path"] == "" and stream["role"] == "input":
                continue
            for step in sorted({0, last // 2, last}):
                other = another(stream["values"][step], stream["type"])
                if other is not None:
                    changed = copy.deepcopy(event)
                    changed["trace"]["instances"][i]["streams"][j]["values"][step] = other
                    yield f"{instance['path']}.{stream['name']} at step {step}", changed
    yield "a later step", {**event, "step": event["step"] + 1}
    shorter = copy.deepcopy(event)
    rows = [stream["values"] for part in shorter["trace"]["instances"] for stream in part["streams"]]
    if rows:
        [values.pop() for values in rows]
        yield "rows that are too short", shorter
    yield "no steps", {**event, "step": -1, "trace": {**trace, "steps": 0}}
    if last > 0 and event["verdict"] == "falsifiable" and event["first"]:
        # No execution fails earlier, so what is left of this one shows nothing.
        cut = copy.deepcopy(event)
        cut["step"] -= 1
        cut["trace"]["steps"] -= 1
        for part in cut["trace"]["instances"]:
            for stream in part["streams"]:
                stream["values"].pop()
        yield "without its last step", cut
    opposite = {"falsifiable": "reachable", "reachable": "falsifiable"}[event["verdict"]]
    yield "the other verdict", {**event, "verdict": opposite}


def another(value, kind):
    """Another value of a type; none where the flow has no value."""
    if isinstance(value, bool):
        return not value
    if kind == "int" and re.fullmatch(r"-?\d+", str(value)):
        return int(value) + 1
    if kind == "real" and value is not None:
        return f"{value}1" if "." in str(value) else f"{value}/7" if "/" not in str(value) and str(value) != "0" else None
    return None


def of_program(text, event):
    """The program with the opposite of a property that was proved; None if its place is not clear."""
    expression = event.get("expression", "")
    lines = text.split("\n")
    at = event["line"] - 1
    if not expression or at >= len(lines) or lines[at].count(expression) != 1 or "." in event["property"]:
        return None
    if {"forall", "exists"} & set(lines[at].split(expression)[0].split()):
        return None  # what is quantified, of a quantifier that was eliminated: its opposite is not that of the property
    lines[at] = lines[at].replace(expression, f"not ({expression})")
    return "\n".join(lines)


def forged(folder, text):
    """Gives a certificate the hash of another text."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["sources"][0]["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    path.write_text(json.dumps(manifest))
