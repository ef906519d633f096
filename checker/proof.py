"""The obligations of a proof, over the checker's own system.

A proof by induction: the invariant and the property hold at the first k steps of every execution, and
after k steps at which the invariant holds both hold at the next. Where a proof tells states apart, only steps in
different states count; what makes that sound is in `states`.
"""

from solver import Script


class Rejected(Exception):
    """An answer that is not shown to be right."""


class Proof:
    def __init__(self, system, goal, claim, solver):
        self.system, self.claim, self.solver = system, claim, solver
        self.terms = system.terms
        self.invariant = self.terms.conjunction(claim.invariants)
        # What implies the goal wherever it holds is as good with the goal.
        self.both = self.terms.conjunction([*claim.invariants, goal])
        self.equal = []  # facts about memories that the certificate added

    def check(self):
        claim = self.claim
        self.base()
        if claim.states is not None:
            self.find_equal()
            self.state_facts()
            self.same_future()
        if claim.proof not in ("induction", "exhausted") or (claim.proof == "exhausted" and claim.states is None):
            raise Rejected("no known kind of proof")
        last = self.exhausted if claim.proof == "exhausted" else self.step
        if last():
            return
        # Perhaps memories of the certificate are the program's own in another form.
        tried = bool(self.equal)
        self.find_equal()
        if tried or not (self.equal and last()):
            raise Rejected("the invariant is not inductive, or does not imply the property")

    def base(self):
        script = Script(self.system, "initial")
        # A step may fail where a later one would violate a constraint: each counts with those up to it.
        so_far, failures = "true", ["false"]
        for step in range(self.claim.k):
            now = script.at(self.terms.conjunction(self.system.constraints), step)
            so_far = script.define("so_far", step, "Bool", f"(and {so_far} {now})")
            failures.append(f"(and {so_far} (not {script.at(self.both, step)}))")
        script.require(f"(or {' '.join(failures)})")
        if not self.solver.holds(script):
            raise Rejected(f"the invariant or the property fails within {self.claim.k} steps of some execution")

    def step(self):
        script, k = Script(self.system, "anywhere"), self.claim.k
        for fact in self.equal:
            script.require(script.at(fact, 0))
        for step in range(k):
            script.constraints(step)
            script.require(script.at(self.invariant, step))
        script.constraints(k)
        if self.claim.states is not None:
            self.different(script, k)
        script.require(f"(not {script.at(self.both, k)})")
        return self.solver.holds(script)

    def exhausted(self):
        """No execution has k + 1 steps in different states: all that is reachable was seen."""
        script, k = Script(self.system, "initial"), self.claim.k
        for step in range(k + 1):
            script.constraints(step)
        self.different(script, k)
        return self.solver.holds(script)

    def different(self, script, k):
        for second in range(1, k + 1):
            for first in range(second):
                pairs = [(script.at(m, first), script.at(m, second)) for m in self.claim.states]
                script.require(f"(not (and true {' '.join(f'(= {a} {b})' for a, b in pairs)}))")

    # -- Why steps in equal states need not be looked at
    #
    # Let M be what the certificate calls the state. Facts, its own and those of `find_equal`, hold at every step, whatever the inputs are and even where
    # constraints are violated (`state_facts`). Where M and all free values are equal at two steps a and b, the
    # facts hold at both and the constraints at a, the constraints hold at b, what is proved has the same value, and M is equal
    # at the next steps (`same_future`). So from an execution that fails and repeats M the steps between can be cut out, and a
    # shortest one that fails repeats none.

    def state_facts(self):
        facts = self.terms.conjunction(self.claim.facts)
        script = Script(self.system, "initial")
        script.require(f"(not {script.at(facts, 0)})")
        if not self.solver.holds(script):
            raise Rejected("a fact about states does not hold initially")
        script = Script(self.system, "anywhere")
        script.require(script.at(facts, 0))
        script.require(f"(not {script.at(facts, 1)})")
        if not self.solver.holds(script):
            raise Rejected("a fact about states does not stay true")

    def same_future(self):
        script, system = Script(self.system, "apart"), self.system
        facts = self.terms.conjunction([*self.claim.facts, *self.equal])
        constraints = self.terms.conjunction(system.constraints)
        for step in (0, 1):
            script.require(script.at(facts, step))
        script.require(script.at(constraints, 0))
        both = [[script.at(t, step) for t in (constraints, self.both)] for step in (0, 1)]
        agree = [both[1][0], f"(= {both[0][1]} {both[1][1]})"]
        for state in self.claim.states:
            script.require(f"(= {script.at(state, 0)} {script.at(state, 1)})")
            following = self.following(state)
            agree.append(f"(= {script.at(following, 0)} {script.at(following, 1)})")
        for term, step in list(script.names):
            if step == 0 and self.terms.list[term][0] == "free":
                script.require(f"(= {script.at(term, 0)} {script.at(term, 1)})")
        script.require(f"(not (and {' '.join(agree)}))")
        if not self.solver.holds(script):
            raise Rejected("steps in equal states may have different futures")

    def following(self, state):
        """What a part of the state is at the next step, which is not the first."""
        operator, operands, _ = self.terms.list[state]
        if operator == "ite" and operands[0] == self.system.first:
            return self.following(operands[2])
        if operator != "memory":
            raise Rejected("a state is made of memories")
        return self.system.memories[state][1]

    # -- Memories that are equal

    def find_equal(self):
        """The largest set of equations between memories that is inductive by itself."""
        self.equal = [
            equation
            for other in self.claim.added
            for mine in self.system.memories
            if mine not in self.claim.added
            for equation in self.equation(mine, other)
        ]
        before = None
        while self.equal != before:
            before = self.equal
            self.equal = [one for one in before if self.stays(one, before)]

    def equation(self, mine, other):
        """That two memories are equal, if they begin with one value. The certificate may have positions for values of an enumeration."""
        terms, sort = self.terms, self.terms.sort(mine)
        firsts = [self.system.memories[memory][0] for memory in (mine, other)]
        if sort == terms.sort(other):
            return [terms.apply("=", mine, other)] if firsts[0] == firsts[1] else []
        if not isinstance(sort, tuple) or sort[0] != "enum" or terms.sort(other) != "Int" or None in firsts:
            return []
        if terms.value(firsts[0]) is None or terms.value(firsts[0]) != terms.value(firsts[1]):
            return []
        return [terms.apply("=", terms.apply("position", mine), other)]

    def stays(self, one, all_of_them):
        script = Script(self.system, "anywhere")
        for fact in all_of_them:
            script.require(script.at(fact, 0))
        script.require(f"(not {script.at(one, 1)})")
        return self.solver.holds(script)
