//! Few tests that reach much.

use std::collections::{BTreeMap, BTreeSet};

use lustral_render::execution::{Execution, RowRole};
use serde_json::json;

use super::{Asking, Kind, Obligation};
use crate::load::Analysed;
use crate::simulate::{Inputs, Seen, SimulateOptions, Simulated, simulate};

/// Inputs, and what the program makes of them.
#[derive(Clone, Debug)]
pub struct Test {
    /// The inputs and the outputs, a line for each step, as `simulate` reads and writes them.
    pub csv: String,
    /// The number of steps.
    pub steps: usize,
    /// The obligations that it reaches, by number, with the first step at which it does.
    pub reached: Vec<(usize, usize)>,
}

/// Tests from executions of the program that asks: those that reach most that others do
/// not first, as long as they reach anything. An execution that the interpreter does not repeat
/// on the inputs alone (it relies on values that the program leaves open) reaches what it is seen to reach.
///
/// Also whether all executions were tried: no other is begun once `stop` says so.
#[must_use]
pub fn cover(
    asking: &Asking,
    asked: &Analysed,
    original: &Analysed,
    node: &str,
    executions: &[Execution],
    stop: &dyn Fn() -> bool,
) -> (Vec<Test>, bool) {
    let run = |execution: &Execution| test(asking, asked, original, node, execution);
    let mut tried = executions.iter().map_while(|execution| (!stop()).then(|| run(execution)));
    let mut complete = 0;
    let mut all: Vec<Test> = tried.by_ref().inspect(|_| complete += 1).flatten().collect();
    // One long run may do what many short ones do.
    let random = (0..RANDOM_RUNS).map_while(|seed| (!stop()).then(|| random(asked, node, seed)));
    all.extend(random.flatten().filter_map(|execution| run(&execution)));
    let mut open: BTreeSet<usize> = all.iter().flat_map(|t| &t.reached).map(|(i, _)| *i).collect();
    let mut chosen = Vec::new();
    while !open.is_empty() {
        let gain = |test: &Test| test.reached.iter().filter(|(i, _)| open.contains(i)).count();
        // Of those that reach the same the shortest, and of these the first.
        let best = (0..all.len()).max_by_key(|i| {
            (gain(&all[*i]), std::cmp::Reverse(all[*i].steps), std::cmp::Reverse(*i))
        });
        let Some(best) = best else { break };
        let test = all.remove(best);
        test.reached.iter().for_each(|(i, _)| {
            open.remove(i);
        });
        chosen.push(test);
    }
    (chosen, complete == executions.len())
}

/// Random runs that are tried, and their steps.
const RANDOM_RUNS: u64 = 8;
const RANDOM_STEPS: usize = 30;

/// A run on random inputs, as far as it is an execution.
fn random(asked: &Analysed, node: &str, seed: u64) -> Option<Execution> {
    let run = |steps| {
        let (node, inputs) = (Some(node.to_string()), Inputs::Random { seed });
        simulate(asked, &SimulateOptions { node, inputs, steps: Some(steps), all: false }).ok()
    };
    let found = run(RANDOM_STEPS)?;
    let end = found.seen.iter().find_map(|seen| match seen {
        Seen::NoExecution { step, .. } => Some(*step),
        _ => None,
    });
    match end {
        Some(0) => None,
        Some(steps) => Some(run(steps)?.execution),
        None => Some(found.execution),
    }
}

/// The test that an execution is, run twice: by the program that asks, for what it reaches, and by
/// the program itself, for its outputs. Both read the text that is written.
fn test(
    asking: &Asking,
    asked: &Analysed,
    original: &Analysed,
    node: &str,
    execution: &Execution,
) -> Option<Test> {
    let inputs = columns(execution, |role| role == RowRole::Input);
    let run = |program: &Analysed, csv: String| -> Option<Simulated> {
        let inputs = Inputs::Csv(csv);
        let (node, steps) = (Some(node.to_string()), Some(execution.steps));
        simulate(program, &SimulateOptions { node, inputs, steps, all: false }).ok()
    };
    let shown = run(original, inputs)?.execution;
    let csv = columns(&shown, |role| role != RowRole::Local);
    // What is written is what was run: its own outputs come out of it again.
    let again = run(original, csv.clone())?;
    if columns(&again.execution, |role| role != RowRole::Local) != csv {
        return None;
    }
    let seen = run(asked, csv.clone())?.seen;
    if seen.iter().any(|seen| matches!(seen, Seen::NoExecution { .. })) {
        return None;
    }
    let mut reached: Vec<(usize, usize)> = Vec::new();
    for seen in &seen {
        if let Seen::Reached { name, step } = seen
            && let Some(number) = number(name, asking)
            && !reached.iter().any(|(i, _)| *i == number)
        {
            reached.push((number, *step));
        }
    }
    reached.sort_unstable();
    // What comes after reaches nothing new.
    let steps = 1 + reached.iter().map(|(_, step)| *step).max()?;
    let csv = csv.split_inclusive('\n').take(1 + steps).collect();
    Some(Test { csv, steps, reached })
}

/// The obligation that a property asks for, by the end of its name.
pub(super) fn number(name: &str, asking: &Asking) -> Option<usize> {
    let mode = name.strip_prefix("mode ").map(|mode| format!("`{mode}`"));
    let is_mode = |o: &Obligation| o.kind == Kind::Mode && Some(&o.text) == mode.as_ref();
    if let Some(mode) = asking.obligations.iter().position(is_mode) {
        return Some(mode);
    }
    let number: usize = name.rsplit('.').next()?.parse().ok()?;
    asking.obligations.get(number).is_some_and(|o| o.kind != Kind::Mode).then_some(number)
}

/// Some flows of the node as CSV.
fn columns(execution: &Execution, wanted: impl Fn(RowRole) -> bool) -> String {
    let mut shown = Execution { instances: execution.instances[..1].to_vec(), ..execution.clone() };
    shown.instances[0].streams.retain(|row| wanted(row.role));
    shown.csv()
}

impl Asking {
    /// The obligation that a verdict of this program is about.
    #[must_use]
    pub fn number(&self, property: &str) -> Option<usize> {
        number(property, self)
    }
}

/// The lines of `lustral tests --json`: one for each test, and one for each obligation. The numbers are
/// those that are reached, those that nothing reaches, and those of which neither is known, with the reason.
#[must_use]
pub fn test_lines(
    asking: &Asking,
    tests: &[Test],
    (reached, unreachable, unknown): (&[usize], &[usize], &BTreeMap<usize, String>),
) -> String {
    let mut out = String::new();
    for (number, test) in tests.iter().enumerate() {
        let reached: Vec<_> = test
            .reached
            .iter()
            .map(|(obligation, step)| json!({ "obligation": obligation, "step": step }))
            .collect();
        let Test { csv, steps, .. } = test;
        let line = json!({
            "event": "test", "test": number + 1, "steps": steps, "csv": csv, "reached": reached,
        });
        out += &format!("{line}\n");
    }
    for (number, obligation) in asking.obligations.iter().enumerate() {
        let verdict = if reached.contains(&number) {
            "reached"
        } else if unreachable.contains(&number) {
            "unreachable"
        } else if unknown.contains_key(&number) {
            "unknown"
        } else {
            continue;
        };
        let Obligation { node, kind, file, line, text } = obligation;
        let line = json!({
            "event": "obligation", "obligation": number, "node": node, "kind": kind.word(),
            "file": file, "line": line, "text": text, "verdict": verdict,
            "reason": unknown.get(&number),
        });
        out += &format!("{line}\n");
    }
    out
}
