//! `lustral tests`: inputs that reach every branch, state, transition and MC/DC obligation.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use lustral_render::execution::Execution;
use lustral_render::{Style, printable};
use lustral_report::{Outcome, Verdict};
use lustral_session::{
    Analysed, Asking, Check, CheckOptions, Ending, Event, FileLoader, NoFiles, NotAsked,
    Obligation, Selection, Test, asking, cover, roots, test_lines,
};

use crate::cli::{TestsOptions, limit};
use crate::exit::Exit;
use crate::frontend::{self, Channel};
use crate::output::{Output, eprint_line, stdout_style};
use crate::signals;

/// Runs the command.
pub fn run(options: &TestsOptions) -> Exit {
    signals::watch();
    if let Some(missing) = options.search.solvers().find(|solver| !solver.is_there()) {
        eprint_line(&format!("error: {}", printable(&crate::check::missing_solver(missing))));
        return Exit::Failure;
    }
    let mut output = Output::new();
    let exit = match tests(options, &mut output) {
        Ok(exit) => exit,
        Err((exit, message)) => {
            if !message.is_empty() {
                eprint_line(&format!("error: {}", printable(&message)));
            }
            exit
        }
    };
    if let Some(code) = signals::received() {
        signal_hook::low_level::exit(code);
    }
    output.finish(exit)
}

fn tests(options: &TestsOptions, output: &mut Output) -> Result<Exit, (Exit, String)> {
    // All that is done shares one limit.
    let end = limit(options.search.timeout).and_then(|time| Instant::now().checked_add(time));
    let channel = if options.json { Channel::Json } else { Channel::People };
    let request = options.reading.request(&options.file);
    let original = frontend::accept(&options.file, request.analyse(&FileLoader), channel, output)
        .map_err(|exit| (exit, String::new()))?;
    let node = the_node(&original, options)?;
    let asking = asking(&request, &FileLoader).map_err(|error| match error {
        NotAsked::Unreadable(_) => (Exit::Failure, error.to_string()),
        _ => (Exit::Rejected, error.to_string()),
    })?;
    let (verdicts, mut exit) = answers(options, &asking, &node, end);
    let asked = asking.request().analyse(&NoFiles).map_err(|e| (Exit::Failure, e.to_string()))?;
    let traces: Vec<Execution> = verdicts.iter().filter_map(execution).cloned().collect();
    let stop = || signals::received().is_some() || end.is_some_and(|end| Instant::now() >= end);
    let (tests, complete) = cover(&asking, &asked, &original, &node, &traces, &stop);
    let found = Found::new(&asking, &verdicts, &tests, complete);
    if !found.unknown.is_empty() {
        exit = exit.min(Exit::Unknown);
    }
    if let Some(folder) = &options.output {
        let write = |(number, test): (usize, &Test)| {
            std::fs::write(folder.join(format!("test-{}.csv", number + 1)), &test.csv)
        };
        let written = std::fs::create_dir_all(folder)
            .and_then(|()| tests.iter().enumerate().try_for_each(write));
        let folder = folder.display();
        written.map_err(|e| (Exit::Failure, format!("cannot write to {folder}: {e}")))?;
    }
    if options.json {
        let Found { reached, unreachable, unknown } = &found;
        output.write(&test_lines(&asking, &tests, (reached, unreachable, unknown)));
    } else {
        output.write(&text(options, &node, &asking, &tests, &found));
    }
    Ok(exit)
}

/// The node that is tested.
fn the_node(program: &Analysed, options: &TestsOptions) -> Result<String, (Exit, String)> {
    let asked: Vec<String> = options.node.iter().cloned().collect();
    let roots =
        roots(&program.program, &asked).map_err(|error| (Exit::Rejected, error.to_string()))?;
    match &roots[..] {
        [root] => Ok(program.program.node(*root).name.to_string()),
        several => {
            let name = |root: &_| program.program.node(*root).name.to_string();
            let names: Vec<String> = several.iter().map(name).collect();
            let names = names.join(", ");
            Err((
                Exit::Rejected,
                format!("several nodes could be tested: {names}; choose one with --node"),
            ))
        }
    }
}

/// The verdicts about the program that asks. A quarter of the time is left for running what was found.
fn answers(
    options: &TestsOptions,
    asking: &Asking,
    node: &str,
    end: Option<Instant>,
) -> (Vec<Verdict>, Exit) {
    let left = |end: Instant| end.saturating_duration_since(Instant::now());
    let time: Option<Duration> = end.map(|end| left(end) * 3 / 4);
    let selection = Selection { nodes: vec![node.to_string()], ..Selection::default() };
    let check_options = CheckOptions {
        selection,
        search: options.search.options(),
        time,
        ..CheckOptions::default()
    };
    let check = Check::new(asking.request(), check_options);
    signals::stop_with(check.cancel());
    let (mut verdicts, mut exit) = (Vec::new(), Exit::Valid);
    for event in check {
        match event {
            Event::Verdict(verdict) => verdicts.push(*verdict),
            Event::Ended(Ending::Broken(_)) => exit = Exit::Failure,
            _ => {}
        }
    }
    (verdicts, exit)
}

/// The execution that reaches something.
fn execution(verdict: &Verdict) -> Option<&Execution> {
    match verdict.outcome() {
        Outcome::Falsifiable { trace, .. } => Some(trace),
        _ => None,
    }
}

/// What became of the obligations, by number.
struct Found {
    /// Some test reaches it.
    reached: Vec<usize>,
    /// It was proved that nothing reaches it, in no instance of its node.
    unreachable: Vec<usize>,
    /// Neither, and why.
    unknown: BTreeMap<usize, String>,
}

impl Found {
    /// Whether all executions were run says why no test comes of one.
    fn new(asking: &Asking, verdicts: &[Verdict], tests: &[Test], complete: bool) -> Found {
        let mut by_number: BTreeMap<usize, Vec<&Verdict>> = BTreeMap::new();
        for verdict in verdicts {
            if let Some(number) = asking.number(&verdict.property) {
                by_number.entry(number).or_default().push(verdict);
            }
        }
        let mut found = Found { reached: vec![], unreachable: vec![], unknown: BTreeMap::new() };
        for (number, verdicts) in by_number {
            let is_reached = |test: &Test| test.reached.iter().any(|(i, _)| *i == number);
            let unknown = verdicts.iter().find_map(|verdict| match verdict.outcome() {
                Outcome::Unknown { reason, .. } => Some(reason.clone()),
                _ => None,
            });
            if tests.iter().any(is_reached) {
                found.reached.push(number);
            } else if verdicts.iter().any(|verdict| execution(verdict).is_some()) {
                let why = if complete {
                    "only with values that the program leaves open"
                } else {
                    "the time was up before its execution was run"
                };
                found.unknown.insert(number, why.to_string());
            } else if let Some(reason) = unknown {
                found.unknown.insert(number, reason);
            } else {
                found.unreachable.push(number);
            }
        }
        found
    }
}

/// All of it for people.
fn text(
    options: &TestsOptions,
    node: &str,
    asking: &Asking,
    tests: &[Test],
    found: &Found,
) -> String {
    let style = stdout_style();
    let file = options.file.display().to_string();
    let one = |obligation: &Obligation| {
        let place =
            if obligation.file == file { String::new() } else { format!("{}:", obligation.file) };
        let Obligation { node, kind, line, text, .. } = obligation;
        let text = format!("{place}{line}: {node}: {} {text}", kind.word());
        printable(&text).to_string()
    };
    let mut out = format!("{}: node {}\n", printable(&file), printable(node));
    let mut said: Vec<usize> = Vec::new();
    for (number, test) in tests.iter().enumerate() {
        let name = style.paint(Style::BOLD, &format!("test {}", number + 1));
        let steps = if test.steps == 1 { "1 step" } else { &format!("{} steps", test.steps) };
        out += &format!("{name}  ({steps})\n");
        for (i, step) in &test.reached {
            if !said.contains(i) {
                said.push(*i);
                out += &format!("  at step {step}, {}\n", one(&asking.obligations[*i]));
            }
        }
    }
    for i in &found.unreachable {
        let word = style.paint(Style::YELLOW, "unreachable");
        out += &format!("{word} {}\n", one(&asking.obligations[*i]));
    }
    for (i, reason) in &found.unknown {
        let word = style.paint(Style::YELLOW, "unknown    ");
        let reason = printable(reason);
        out += &format!("{word} {}  ({reason})\n", one(&asking.obligations[*i]));
    }
    for obligation in &asking.left_out {
        let word = style.paint(Style::YELLOW, "not asked  ");
        out += &format!("{word} {}\n", one(obligation));
    }
    let all = found.reached.len() + found.unreachable.len() + found.unknown.len();
    let Found { reached, unreachable, unknown } = found;
    let (reached, unreachable, unknown) = (reached.len(), unreachable.len(), unknown.len());
    let tests = if tests.len() == 1 { "1 test".into() } else { format!("{} tests", tests.len()) };
    out + &format!(
        "{all} obligations: {reached} reached by {tests}, {unreachable} unreachable, {unknown} unknown\n"
    )
}
