//! Contracts of a node with a truth value and a number as inputs, the same as outputs, and
//! a ghost flow; and who wins their game, by looking at all states.

/// A truth value. `true` means the value at the step before, at first `false`.
pub enum Truth {
    Input(bool),
    Output(bool),
    /// The ghost flow.
    Ghost,
    Less(Term, Term),
    Equal(Term, Term),
    Not(Box<Truth>),
    And(Box<Truth>, Box<Truth>),
    Or(Box<Truth>, Box<Truth>),
    Implies(Box<Truth>, Box<Truth>),
}

/// A number from 0 to 2. `true` means the value at the step before, at first 0.
pub enum Term {
    Input(bool),
    Output(bool),
    Number(i64),
}

/// A contract.
pub struct Contract {
    pub assumptions: Vec<Truth>,
    /// What the ghost flow is; it was so at some step since the first.
    pub ghost: Truth,
    pub guarantees: Vec<Truth>,
}

/// The values of a step.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Step {
    a: bool,
    n: i64,
    x: bool,
    y: i64,
    ghost: bool,
}

impl Truth {
    fn text(&self) -> String {
        let flow = |name: &str, before: bool| {
            if before { format!("(false -> pre {name})") } else { name.to_string() }
        };
        match self {
            Truth::Input(before) => flow("a", *before),
            Truth::Output(before) => flow("x", *before),
            Truth::Ghost => "g".into(),
            Truth::Less(s, t) => format!("({} < {})", s.text(), t.text()),
            Truth::Equal(s, t) => format!("({} = {})", s.text(), t.text()),
            Truth::Not(p) => format!("(not {})", p.text()),
            Truth::And(p, q) => format!("({} and {})", p.text(), q.text()),
            Truth::Or(p, q) => format!("({} or {})", p.text(), q.text()),
            Truth::Implies(p, q) => format!("({} => {})", p.text(), q.text()),
        }
    }

    fn holds(&self, before: &Step, now: &Step) -> bool {
        let of = |b: bool| if b { before } else { now };
        match self {
            Truth::Input(b) => of(*b).a,
            Truth::Output(b) => of(*b).x,
            Truth::Ghost => now.ghost,
            Truth::Less(s, t) => s.value(before, now) < t.value(before, now),
            Truth::Equal(s, t) => s.value(before, now) == t.value(before, now),
            Truth::Not(p) => !p.holds(before, now),
            Truth::And(p, q) => p.holds(before, now) && q.holds(before, now),
            Truth::Or(p, q) => p.holds(before, now) || q.holds(before, now),
            Truth::Implies(p, q) => !p.holds(before, now) || q.holds(before, now),
        }
    }
}

impl Term {
    fn text(&self) -> String {
        let flow = |name: &str, before: bool| {
            if before { format!("(0 -> pre {name})") } else { name.to_string() }
        };
        match self {
            Term::Input(before) => flow("n", *before),
            Term::Output(before) => flow("y", *before),
            Term::Number(n) => n.to_string(),
        }
    }

    fn value(&self, before: &Step, now: &Step) -> i64 {
        let of = |b: bool| if b { before } else { now };
        match self {
            Term::Input(b) => of(*b).n,
            Term::Output(b) => of(*b).y,
            Term::Number(n) => *n,
        }
    }
}

impl Contract {
    /// The contract, of a node without a body.
    pub fn text(&self) -> String {
        let mut text = "node imported main(a: bool; n: subrange [0, 2] of int)\n\
                        returns (x: bool; y: subrange [0, 2] of int);\ncon\n"
            .to_string();
        text += &format!("  var g: bool = false -> (pre g or {});\n", self.ghost.text());
        for assumption in &self.assumptions {
            text += &format!("  assume {};\n", assumption.text());
        }
        for guarantee in &self.guarantees {
            text += &format!("  guarantee {};\n", guarantee.text());
        }
        text + "noc\n"
    }

    /// What the system can answer to a choice: the steps that keep the guarantees.
    fn answers(&self, first: bool, before: &Step, a: bool, n: i64) -> Vec<Step> {
        let mut found = Vec::new();
        for (x, y) in [false, true].into_iter().flat_map(|x| (0..3).map(move |y| (x, y))) {
            let mut now = Step { a, n, x, y, ghost: false };
            now.ghost = !first && (before.ghost || self.ghost.holds(before, &now));
            if self.guarantees.iter().all(|g| g.holds(before, &now)) {
                found.push(now);
            }
        }
        found
    }

    /// What the environment may choose.
    fn choices(&self, before: &Step) -> Vec<(bool, i64)> {
        let all = [false, true].into_iter().flat_map(|a| (0..3).map(move |n| (a, n)));
        let allowed = |(a, n): &(bool, i64)| {
            let now = Step { a: *a, n: *n, ..Step::default() };
            self.assumptions.iter().all(|assumption| assumption.holds(before, &now))
        };
        all.filter(allowed).collect()
    }
}

/// Who wins: nothing if the environment cannot begin; else after how many steps the
/// environment wins, if it does.
pub fn solve(contract: &Contract) -> Option<Option<usize>> {
    let initial = (true, Step::default());
    if contract.choices(&initial.1).is_empty() {
        return None;
    }
    let mut states = vec![initial];
    let mut at = 0;
    while at < states.len() {
        let (first, before) = states[at];
        for (a, n) in contract.choices(&before) {
            for now in contract.answers(first, &before, a, n) {
                if !states.contains(&(false, now)) {
                    states.push((false, now));
                }
            }
        }
        at += 1;
    }
    let mut lost: Vec<(bool, Step)> = Vec::new();
    for round in 1.. {
        let loses = |state: &&(bool, Step)| {
            let (first, before) = state;
            let unanswered = |(a, n): &(bool, i64)| {
                let answers = contract.answers(*first, before, *a, *n);
                answers.iter().all(|now| lost.contains(&(false, *now)))
            };
            contract.choices(before).iter().any(unanswered)
        };
        let more: Vec<(bool, Step)> =
            states.iter().filter(|s| !lost.contains(s)).filter(loses).copied().collect();
        if more.contains(&initial) {
            return Some(Some(round));
        }
        if more.is_empty() {
            return Some(None);
        }
        lost.extend(more);
    }
    unreachable!("there are finitely many states")
}

/// After how many steps at the least the environment can be left without a choice, whatever the
/// system does as long as it keeps the guarantees.
pub fn dead_end(contract: &Contract) -> Option<usize> {
    let mut seen = vec![(true, Step::default())];
    let mut last = seen.clone();
    for steps in 1.. {
        let mut next = Vec::new();
        for (first, before) in &last {
            for (a, n) in contract.choices(before) {
                next.extend(
                    contract.answers(*first, before, a, n).into_iter().map(|now| (false, now)),
                );
            }
        }
        if next.iter().any(|(_, now)| contract.choices(now).is_empty()) {
            return Some(steps);
        }
        next.retain(|state| !seen.contains(state));
        next.dedup();
        if next.is_empty() {
            return None;
        }
        seen.extend(next.iter().copied());
        last = next;
    }
    unreachable!("there are finitely many states")
}
