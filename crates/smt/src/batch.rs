//! A child process that is given all its input at once and answers once.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_base::profile;

use crate::group::ChildGroup;
use crate::session::Fault;

/// An answer longer than this is nonsense.
const LONGEST_ANSWER: u64 = 16 << 20;

/// How a worker is started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkerCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
}

/// A worker at work.
pub struct Batch {
    answer: Receiver<Result<String, Fault>>,
    /// Killed when this value is dropped.
    group: ChildGroup,
    started: Instant,
}

impl Drop for Batch {
    fn drop(&mut self) {
        profile::record("worker", self.started.elapsed());
    }
}

impl Batch {
    /// Starts a worker that may use so many bytes of memory, and hands it its
    /// input.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(
        command: &WorkerCommand,
        memory: u64,
        input: String,
        cancel: &Cancel,
    ) -> Result<Batch, Fault> {
        let fault =
            |e: std::io::Error| Fault::Start(command.program.display().to_string(), e.to_string());
        let mut program = Command::new(&command.program);
        program.args(&command.args);
        let mut group = ChildGroup::spawn(program, memory, cancel).map_err(fault)?;
        let mut stdin = group.child.stdin.take().expect("was asked for");
        let stdout = group.child.stdout.take().expect("was asked for");
        // Threads of their own: a worker that does not read, or never ends,
        // must hold up nobody. They end with the pipes.
        std::thread::spawn(move || stdin.write_all(input.as_bytes()));
        let (sender, answer) = sync_channel(1);
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let read = stdout.take(LONGEST_ANSWER).read_to_end(&mut bytes);
            let whole = read.is_ok() && (bytes.len() as u64) < LONGEST_ANSWER;
            let text = String::from_utf8(bytes).ok().filter(|_| whole);
            let _ = sender.send(text.ok_or(Fault::Nonsense("no readable text".into())));
        });
        Ok(Batch { answer, group, started: Instant::now() })
    }

    /// Stops the worker until it may go on: others have their turn.
    pub fn hold(&self) {
        self.group.hold();
    }

    /// Lets the worker go on.
    pub fn go_on(&self) {
        self.group.go_on();
    }

    /// All that the worker said, once it has ended; waits a while for that.
    pub fn poll(&self, patience: Duration) -> Option<Result<String, Fault>> {
        match self.answer.recv_timeout(patience) {
            Ok(answer) => Some(answer),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Err(Fault::Died)),
        }
    }
}
