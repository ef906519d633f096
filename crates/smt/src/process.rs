//! A solver as a child process that speaks SMT-LIB 2.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use lustral_base::Cancel;

use crate::dialogue::{Dialogue, one_answer};
use crate::group::ChildGroup;
use crate::session::Fault;
use crate::smtlib::{SExpr, parse_sexprs};

/// No child may use more memory than this.
const MEMORY: u64 = 8 << 30;

/// An answer longer than this is nonsense.
const LONGEST_ANSWER: usize = 16 << 20;

/// Where the allocator of the GNU C library reads its settings.
pub const ALLOCATOR_SETTINGS: &str = "GLIBC_TUNABLES";

/// Set if these are ours and not the user's: no matter of other programs.
pub const ALLOCATOR_IS_OURS: &str = "LUSTRAL_ALLOCATOR";

/// A running solver.
pub struct SolverProcess {
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    cancel: Cancel,
    /// How long any answer may take.
    patience: Option<Duration>,
    /// How long those may take that are asked for now: the shorter one counts.
    limit: Option<Duration>,
    /// Killed when this value is dropped.
    _group: ChildGroup,
}

impl SolverProcess {
    /// Starts a solver.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(
        program: &str,
        args: &[String],
        cancel: Cancel,
        patience: Option<Duration>,
    ) -> Result<SolverProcess, Fault> {
        // Nobody would end it.
        if cancel.is_cancelled() {
            return Err(Fault::Stopped);
        }
        let fault = |e: std::io::Error| Fault::Start(program.to_string(), e.to_string());
        let mut command = Command::new(program);
        command.args(args);
        if std::env::var_os(ALLOCATOR_IS_OURS).is_some() {
            command.env_remove(ALLOCATOR_SETTINGS).env_remove(ALLOCATOR_IS_OURS);
        }
        let mut group = ChildGroup::spawn(command, MEMORY, &cancel).map_err(fault)?;
        let input = group.child.stdin.take();
        let output = group.child.stdout.take().expect("was asked for");
        let (sender, lines) = sync_channel(64);
        std::thread::spawn(move || {
            let mut reader = BufReader::new(output);
            let mut line = Vec::new();
            loop {
                line.clear();
                // A line without an end must not fill the memory.
                let mut limited = (&mut reader).take(LONGEST_ANSWER as u64);
                if !limited.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
                    return;
                }
                let text = String::from_utf8_lossy(&line).into_owned();
                if line.len() >= LONGEST_ANSWER || sender.send(text).is_err() {
                    return;
                }
            }
        });
        Ok(SolverProcess { input, lines, cancel, patience, limit: None, _group: group })
    }

    fn write(&mut self, text: &str) -> Result<(), Fault> {
        let input = self.input.as_mut().ok_or(Fault::Died)?;
        input.write_all(text.as_bytes()).and_then(|()| input.flush()).map_err(|_| Fault::Died)
    }

    /// Waits for a line; short waits, so that a stop is noticed.
    fn line(&mut self, until: Option<Instant>) -> Result<String, Fault> {
        loop {
            match self.lines.recv_timeout(Duration::from_millis(20)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Died),
                Err(RecvTimeoutError::Timeout) => {
                    let late = until.is_some_and(|until| Instant::now() >= until);
                    if late || self.cancel.is_cancelled() {
                        return Err(Fault::Stopped);
                    }
                }
            }
        }
    }
}

impl Dialogue for SolverProcess {
    fn tell(&mut self, commands: &str) -> Result<(), Fault> {
        self.write(commands)?;
        self.write("\n")
    }

    fn limit(&mut self, limit: Option<Duration>) {
        self.limit = limit;
    }

    fn ask(&mut self, command: &str) -> Result<SExpr, Fault> {
        self.tell(command)?;
        let patience = self.patience.into_iter().chain(self.limit).min();
        let until = patience.map(|p| Instant::now() + p);
        let mut text = String::new();
        loop {
            text.push_str(&self.line(until)?);
            if text.len() > LONGEST_ANSWER {
                return Err(Fault::Nonsense("an endless answer".into()));
            }
            match parse_sexprs(&text) {
                Some(list) if list.is_empty() => {}
                Some(_) => return one_answer(&text),
                None => {}
            }
        }
    }
}
