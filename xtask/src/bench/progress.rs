//! What is shown while a benchmark runs.

use std::io::{IsTerminal, Write, stderr};

use super::judge::Status;
use super::run::Row;

/// Counts what is done, on standard error.
pub struct Progress {
    total: usize,
    done: usize,
    solved: usize,
    terminal: bool,
}

impl Progress {
    /// Nothing is done yet.
    pub fn new(total: usize) -> Progress {
        Progress { total, done: 0, solved: 0, terminal: stderr().is_terminal() }
    }

    /// Shows a row: wrong answers always, the rest only on a terminal.
    pub fn show(&mut self, row: &Row<'_>) {
        self.done += 1;
        self.solved += usize::from(row.ours.status.solved());
        for (tool, run) in [("lustral", Some(&row.ours)), ("the other tool", row.other.as_ref())] {
            if let Some(Status::Wrong(how)) = run.map(|run| &run.status) {
                self.clear();
                eprintln!("WRONG: {tool}: {}: {how}", row.program.name);
            }
        }
        if self.terminal {
            let Progress { done, total, solved, .. } = self;
            eprint!("\r\x1b[K[{done}/{total}] {solved} solved  {}", row.program.name);
            let _ = stderr().flush();
        }
    }

    /// Takes the line away.
    pub fn clear(&self) {
        if self.terminal {
            eprint!("\r\x1b[K");
        }
    }
}
