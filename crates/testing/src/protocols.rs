//! Random protocols in first-order logic as texts, and their reachable states by explicit search
//! with the evaluator.

use std::collections::BTreeSet;

use lustral_base::Random;
use lustral_first_order::{Structure, Universe};
use lustral_protocol::{Argued, Change, Protocol, complete, read};
use lustral_syntax::{Diagnostics, SourceMap};

const SYMBOLS: &str = "\
sort node
immutable relation e(node)
mutable relation p(node)
mutable relation flag
mutable constant c: node
mutable function f(node): node
derived relation d(node): d(X) <-> p(X) & (exists Y. !p(Y) & f(Y) = X) | X = c
";

/// A random protocol, as text: it has one sort, `node`, and one safety property.
#[must_use]
pub fn random_protocol(seed: u64) -> String {
    Maker { random: Random::new(seed) }.protocol()
}

struct Maker {
    random: Random,
}

impl Maker {
    fn pick(&mut self, list: &[&str]) -> String {
        (*self.random.pick(list)).to_string()
    }

    /// A term over these variables, in the state that is left.
    fn term(&mut self, variables: &[&str]) -> String {
        match self.random.below(6) {
            0 => "c".into(),
            1 => format!("f({})", self.pick(variables)),
            2 => {
                let condition = self.formula(variables, 0);
                let [then, otherwise] = [(), ()].map(|()| self.pick(variables));
                format!("(if {condition} then {then} else {otherwise})")
            }
            _ => self.pick(variables),
        }
    }

    fn formula(&mut self, variables: &[&str], depth: u32) -> String {
        if depth == 0 || self.random.below(4) == 0 {
            let term = self.pick(variables);
            return match self.random.below(7) {
                0 => "flag".into(),
                1 => format!("{term} = c"),
                2 => format!("f({term}) != {}", self.pick(variables)),
                n => format!("{}({term})", ["p", "p", "e", "d"][n as usize - 3]),
            };
        }
        let [left, right] = [(), ()].map(|()| self.formula(variables, depth - 1));
        match self.random.below(7) {
            0 => format!("!({left})"),
            1 => format!("({left} -> {right})"),
            2 => format!("({left} & {right})"),
            3 => format!("({left} | {right})"),
            4 => format!("({left} <-> {right})"),
            5 => {
                let with: Vec<&str> = variables.iter().copied().chain(["Z"]).collect();
                format!("(forall Z: node. {})", self.formula(&with, depth - 1))
            }
            _ => {
                let with: Vec<&str> = variables.iter().copied().chain(["Z"]).collect();
                format!("(exists Z: node. {})", self.formula(&with, depth - 1))
            }
        }
    }

    /// A part of a transition's body, about both states.
    fn part(&mut self) -> String {
        let vars = &["n", "m", "X"];
        let formula = self.formula(vars, 2);
        let relation = "p";
        match self.random.below(14) {
            0..3 => format!("(new({relation}(X)) <-> {formula})"),
            3 => format!("(new({relation}(X)) <-> {relation}(X) | X = n)"),
            4 => format!("({formula} -> (new({relation}(X)) <-> {relation}(X)))"),
            5 => format!(
                "(if {formula} then !new({relation}(m)) else new({relation}(X)) <-> {})",
                self.formula(vars, 1)
            ),
            6 => format!("new(f(X)) = {}", self.term(vars)),
            7 => format!("(X != n -> new(f(X)) = f(X)) & new(f(n)) = {}", self.term(&["n", "m"])),
            8 => format!("{} = new(c)", self.term(&["n", "m"])),
            9 => format!("(new(flag) <-> {})", self.formula(&["n", "m"], 2)),
            10 => "!new(flag)".into(),
            11 => format!("({formula} | new({relation}(X)))"),
            12 => format!("(new({relation}(f(X))) & new(d(c)) -> {formula})"),
            _ => format!("(new({relation}(X)) -> {} != new(c))", self.pick(vars)),
        }
    }

    fn protocol(&mut self) -> String {
        let mut text = String::from(SYMBOLS);
        text += &format!("axiom {}\n", self.pick(&["true", "exists X. e(X)", "e(X) | !e(X)"]));
        for init in ["!p(X)", "c = f(c)", "!flag", "f(X) = X", "d(c)"] {
            if self.random.below(3) > 0 {
                text += &format!("init {init}\n");
            }
        }
        if self.random.below(3) == 0 {
            text += &format!("init {}\n", self.formula(&["X"], 2));
        }
        for number in 0..=self.random.below(3) {
            let parts: Vec<String> = (0..=self.random.below(4)).map(|_| self.part()).collect();
            let guard = self.formula(&["n", "m"], 2);
            text += &format!(
                "transition t{number}(n: node, m: node) modifies p, flag, c, f {guard} & {}\n",
                parts.join(" & ")
            );
            if self.random.below(2) == 0 {
                text += &format!(
                    "transition u{number}(n: node) modifies p {} & (new(p(X)) <-> {})\n",
                    self.formula(&["n"], 1),
                    self.formula(&["n", "X"], 2)
                );
            }
        }
        // Most properties fail; weaker ones hold more often.
        let parts: Vec<String> =
            (0..=self.random.below(4)).map(|_| self.formula(&["X"], 2)).collect();
        text += &format!("safety {}\n", parts.join(" | "));
        text
    }
}

/// The protocol that a text without mistakes says.
///
/// # Panics
/// If there is one.
#[must_use]
pub fn protocol(text: &str) -> Protocol {
    let mut sources = SourceMap::new();
    let file = sources.add("test.pyv", text);
    let mut found = Diagnostics::new();
    let protocol = read(&sources, file, &mut found);
    let said: Vec<&str> = found.iter().map(|d| d.message.as_str()).collect();
    assert!(!found.has_errors(), "{said:?} of\n{text}");
    protocol
}

/// All states in which some symbols are as they are in another and the others anything.
///
/// # Panics
/// If there are too many.
#[must_use]
pub fn variations(
    protocol: &Protocol,
    from: &Structure,
    varies: impl Fn(&Change) -> bool,
) -> Vec<Structure> {
    let mut all = vec![from.clone()];
    for (id, symbol) in protocol.signature.symbols() {
        if !varies(&protocol.changes[id.index()]) {
            continue;
        }
        for position in 0..from.universe().count(&symbol.arguments).expect("it is small") {
            let values = symbol.result.map_or(2, |sort| from.universe().size(sort));
            let with = |state: &Structure, value: u32| {
                let mut state = state.clone();
                match symbol.result {
                    None => state.set(id, position, value == 1),
                    Some(_) => state.set_value(id, position, value),
                }
                state
            };
            all = all.iter().flat_map(|s| (0..values).map(move |v| with(s, v))).collect();
        }
    }
    all.iter_mut().for_each(|state| complete(protocol, state));
    all
}

/// The states that are reached, by the evaluator: for small sizes.
///
/// # Panics
/// If there are too many.
#[must_use]
pub fn reachable(protocol: &Protocol, universe: &Universe) -> BTreeSet<Structure> {
    let none = Structure::new(&protocol.signature, universe.clone());
    let not_derived = |change: &Change| !matches!(change, Change::Derived(_));
    let mut open: Vec<Structure> = variations(protocol, &none, not_derived);
    open.retain(|state| protocol.begins(state).is_ok());
    let mut reached: BTreeSet<Structure> = open.iter().cloned().collect();
    while let Some(state) = open.pop() {
        for next in variations(protocol, &state, |change| *change == Change::Mutable) {
            if reached.contains(&next) {
                continue;
            }
            let leads = protocol.transitions.iter().enumerate().any(|(number, transition)| {
                let sorts: Vec<_> = transition.parameters.iter().map(|p| p.sort).collect();
                universe.tuples(&sorts).any(|arguments| {
                    protocol.leads(&Argued { transition: number, arguments }, &state, &next)
                })
            });
            if leads {
                reached.insert(next.clone());
                open.push(next);
            }
        }
    }
    reached
}
