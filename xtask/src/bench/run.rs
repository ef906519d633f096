//! Running the tools on the programs, some at a time.

use std::process;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use super::judge::{Judged, Measure};
use super::process::{Bounds, run as run_process};
use super::table::Program;
use super::tool::Tool;

/// How long beyond its timeout a tool may take to notice it.
const GRACE: Duration = Duration::from_secs(2);

/// What is to be run, and how.
pub struct Plan<'a, 't> {
    /// The programs.
    pub programs: &'a [Program],
    /// Lustral.
    pub ours: &'t Tool,
    /// A tool to run beside it.
    pub other: Option<&'t Tool>,
    /// The limit the tools are given.
    pub timeout: Duration,
    /// How many runs at a time.
    pub jobs: usize,
    /// Set when the user wants to stop.
    pub stop: &'t AtomicBool,
}

/// What came out for one program.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// Its place among the programs.
    pub index: usize,
    /// The program.
    pub program: &'a Program,
    /// What lustral did.
    pub ours: Judged,
    /// What the other tool did.
    pub other: Option<Judged>,
}

impl<'a, 't> Plan<'a, 't> {
    /// The same with another set-up of lustral.
    pub fn with<'o>(&self, ours: &'o Tool) -> Plan<'a, 'o>
    where
        't: 'o,
    {
        Plan { ours, other: self.other, ..*self }
    }

    /// Runs everything, or what there is time for until `stop` is set. Each row
    /// is shown as soon as it is known; they are returned in order.
    pub fn run(&self, mut show: impl FnMut(&Row<'a>)) -> Vec<Row<'a>> {
        let next = AtomicUsize::new(0);
        let (sender, results) = channel();
        let mut rows: Vec<Row<'a>> = thread::scope(|scope| {
            for _ in 0..self.jobs.min(self.programs.len()) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || self.work(next, &sender));
            }
            drop(sender);
            results.into_iter().inspect(|row| show(row)).collect()
        });
        rows.sort_by_key(|row| row.index);
        rows
    }

    /// Takes one program after the other.
    fn work(&self, next: &AtomicUsize, sender: &Sender<Row<'a>>) {
        while !self.stop.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(program) = self.programs.get(index) else { return };
            let Some(row) = self.row(index, program) else { return };
            if sender.send(row).is_err() {
                return;
            }
        }
    }

    /// Runs the tools on a program. Which of two goes first alternates, so that
    /// neither always finds the machine as the other has left it.
    fn row(&self, index: usize, program: &'a Program) -> Option<Row<'a>> {
        let judged =
            |tool| Some(Judged::new(self.measure(tool, index, program)?, program.expected));
        let Some(other) = self.other else {
            return Some(Row { index, program, ours: judged(self.ours)?, other: None });
        };
        let (ours, other) = if index.is_multiple_of(2) {
            let ours = judged(self.ours)?;
            (ours, judged(other)?)
        } else {
            let other = judged(other)?;
            (judged(self.ours)?, other)
        };
        Some(Row { index, program, ours, other: Some(other) })
    }

    fn measure(&self, tool: &Tool, index: usize, program: &Program) -> Option<Measure> {
        let mark = format!("{}-{index}", process::id());
        let bounds = Bounds { limit: self.timeout + GRACE, stop: self.stop, mark: &mark };
        match run_process(tool.command(&program.path), bounds) {
            Ok(ended) => tool.read(&ended),
            Err(e) => {
                let failure = Some(format!("cannot run it: {e}"));
                Some(Measure { answer: None, failure, wall: 0.0, peak: 0.0, shares: Vec::new() })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tool::words;
    use super::*;

    fn programs(count: usize) -> Vec<Program> {
        let program = |i| Program { name: format!("{i}.lus"), path: "p".into(), expected: None };
        (0..count).map(program).collect()
    }

    /// Solves everything.
    fn solving() -> Tool {
        let words = words("sh -c 'echo valid; sleep 0.01' {file}").unwrap();
        let (valid, falsifiable) = ("valid".into(), "invalid".into());
        Tool::Other { words, timeout: 10.0, valid, falsifiable }
    }

    fn failing() -> Tool {
        let words = words("sh -c 'echo no >&2; exit 7' {file}").unwrap();
        let (valid, falsifiable) = ("valid".into(), "invalid".into());
        Tool::Other { words, timeout: 10.0, valid, falsifiable }
    }

    fn run(count: usize, jobs: usize, stop: bool) -> (Vec<usize>, Vec<String>) {
        let (programs, ours, other) = (programs(count), solving(), failing());
        let (timeout, stop) = (Duration::from_secs(10), AtomicBool::new(stop));
        let other = Some(&other);
        let plan = Plan { programs: &programs, ours: &ours, other, timeout, jobs, stop: &stop };
        let mut shown = Vec::new();
        let rows = plan.run(|row| shown.push(row.index));
        shown.sort_unstable();
        assert_eq!(shown, rows.iter().map(|row| row.index).collect::<Vec<_>>());
        let statuses = rows.iter().map(|row| {
            let other = row.other.as_ref().map(|other| other.status.text());
            format!("{}, {}", row.ours.status.text(), other.unwrap_or_default())
        });
        (shown, statuses.collect())
    }

    #[test]
    fn all_are_run_in_order_however_many_at_a_time() {
        for jobs in [1, 3, 20] {
            let (indices, statuses) = run(7, jobs, false);
            assert_eq!(indices, (0..7).collect::<Vec<_>>());
            assert!(statuses.iter().all(|text| text == "ok, error: exit code 7: no"));
        }
    }

    #[test]
    fn nothing_is_begun_after_a_stop() {
        assert_eq!(run(7, 2, true).0, Vec::<usize>::new());
    }
}
