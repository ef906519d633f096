//! One child process: limited from outside, its output kept, its time and
//! memory measured.
//!
//! The child leads a process group of its own, and its environment carries a
//! mark by which descendants that left the group are found (see `stragglers`).

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};
use wait4::Wait4;

use super::stragglers::{self, MARK};

/// How long a child may take to obey a request to end.
const OBEDIENCE: Duration = Duration::from_secs(1);

/// How soon an interruption is noticed.
const TICK: Duration = Duration::from_millis(100);

/// Output beyond this is dropped.
const LONGEST_OUTPUT: usize = 64 << 20;

/// How a child came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this exit code.
    Exit(i32),
    /// By a signal that was not ours.
    Signal(i32),
    /// It passed its limit and was killed.
    Overrun,
    /// The whole benchmark was told to stop.
    Interrupted,
}

/// A child that has ended.
#[derive(Debug)]
pub struct Ended {
    /// How.
    pub ending: Ending,
    /// From its start to its end.
    pub wall: Duration,
    /// The largest resident set, in bytes, of the child or of one of its own
    /// children that it waited for. The kernel counts from before the program is
    /// loaded, so it is never less than our own, some 4 MB.
    pub peak: u64,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

/// What bounds a run.
#[derive(Clone, Copy)]
pub struct Bounds<'a> {
    /// The child is killed after this time.
    pub limit: Duration,
    /// The child is killed when this is set.
    pub stop: &'a AtomicBool,
    /// Tells this run's processes from all others on the machine.
    pub mark: &'a str,
}

/// Runs a child to its end.
///
/// # Errors
/// If it cannot be started or watched.
pub fn run(mut command: Command, bounds: Bounds<'_>) -> io::Result<Ended> {
    command.env(MARK, bounds.mark).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = command.spawn()?;
    let group = Pid::from_child(&child);
    let mut outputs = Outputs::of(&mut child);
    let watched = watch(group, &mut outputs, start, bounds);
    let wall = start.elapsed();
    // Nobody has waited for the child yet, so its number still is its own.
    let _ = kill_process_group(group, Signal::KILL);
    stragglers::kill_all(bounds.mark);
    outputs.drain();
    let used = child.wait4()?;
    let ending = watched?.unwrap_or_else(|| match (used.status.code(), used.status.signal()) {
        (Some(code), _) => Ending::Exit(code),
        (None, signal) => Ending::Signal(signal.unwrap_or(0)),
    });
    let [stdout, stderr] = outputs.texts();
    Ok(Ended { ending, wall, peak: used.rusage.maxrss, stdout, stderr })
}

/// Waits until the child has ended. Gives the ending that was forced on it.
fn watch(
    group: Pid,
    outputs: &mut Outputs,
    start: Instant,
    bounds: Bounds<'_>,
) -> io::Result<Option<Ending>> {
    let child = pidfd_open(group, PidfdFlags::empty())?;
    let mut forced: Option<(Ending, Instant)> = None;
    loop {
        let left = bounds.limit.saturating_sub(start.elapsed());
        let patience = if forced.is_some() { TICK } else { TICK.min(left) };
        if outputs.wait(Some(&child), patience)? {
            break;
        }
        let stop = bounds.stop.load(Ordering::Relaxed);
        if let Some((_, when)) = forced {
            if when.elapsed() >= OBEDIENCE {
                let _ = kill_process_group(group, Signal::KILL);
            }
        } else if stop || start.elapsed() >= bounds.limit {
            let ending = if stop { Ending::Interrupted } else { Ending::Overrun };
            forced = Some((ending, Instant::now()));
            // A tool that obeys takes its own children with it.
            let _ = kill_process_group(group, Signal::TERM);
        }
    }
    Ok(forced.map(|(ending, _)| ending))
}

/// The two outputs of a child, read as they come.
struct Outputs {
    pipes: [Pipe; 2],
}

struct Pipe {
    source: Option<File>,
    text: Vec<u8>,
}

impl Outputs {
    fn of(child: &mut Child) -> Outputs {
        let sources = [child.stdout.take().map(OwnedFd::from), child.stderr.take().map(Into::into)];
        Outputs { pipes: sources.map(|fd| Pipe { source: fd.map(File::from), text: Vec::new() }) }
    }

    /// Reads what is there, waiting for it or for the end of the child. Tells
    /// whether the child has ended.
    fn wait(&mut self, child: Option<&OwnedFd>, patience: Duration) -> io::Result<bool> {
        let ready = self.poll(child, patience)?;
        let (ended, ready) = ready.split_at(usize::from(child.is_some()));
        let open = self.pipes.iter_mut().filter(|pipe| pipe.source.is_some());
        for (pipe, _) in open.zip(ready).filter(|(_, ready)| **ready) {
            pipe.read();
        }
        Ok(ended.first().is_some_and(|ended| *ended))
    }

    /// Whether each is ready: the child, then the pipes that are open.
    fn poll(&self, child: Option<&OwnedFd>, patience: Duration) -> io::Result<Vec<bool>> {
        let sources = self.pipes.iter().filter_map(|pipe| pipe.source.as_ref());
        let mut waited: Vec<PollFd<'_>> = (child.map(AsFd::as_fd).into_iter())
            .chain(sources.map(AsFd::as_fd))
            .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN))
            .collect();
        let patience = Timespec::try_from(patience).map_err(io::Error::other)?;
        match poll(&mut waited, Some(&patience)) {
            Ok(_) => Ok(waited.iter().map(|fd| !fd.revents().is_empty()).collect()),
            Err(Errno::INTR) => Ok(vec![false; waited.len()]),
            Err(e) => Err(e.into()),
        }
    }

    /// Reads what the child has left in the pipes.
    fn drain(&mut self) {
        while self.poll(None, Duration::ZERO).is_ok_and(|ready| ready.contains(&true)) {
            if self.wait(None, Duration::ZERO).is_err() {
                return;
            }
        }
    }

    fn texts(self) -> [String; 2] {
        self.pipes.map(|pipe| String::from_utf8_lossy(&pipe.text).into_owned())
    }
}

impl Pipe {
    /// Reads once; at the end of the output the pipe is closed.
    fn read(&mut self) {
        let mut buffer = vec![0; 1 << 16];
        let Some(source) = &mut self.source else { return };
        match source.read(&mut buffer) {
            Ok(0) => self.source = None,
            Ok(length) if self.text.len() < LONGEST_OUTPUT => {
                self.text.extend_from_slice(&buffer[..length]);
            }
            Ok(_) => {}
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.source = None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(script: &str) -> String {
        format!("{}-test-{script}", std::process::id())
    }

    fn shell(script: &str, limit: Duration, stop: bool) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let stop = AtomicBool::new(stop);
        run(command, Bounds { limit, stop: &stop, mark: &mark(script) }).unwrap()
    }

    const LONG: Duration = Duration::from_secs(20);
    const SHORT: Duration = Duration::from_millis(200);

    #[test]
    fn output_and_exit_code() {
        let ended = shell("echo out; echo err >&2; exit 40", LONG, false);
        assert_eq!(ended.ending, Ending::Exit(40));
        assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("out\n", "err\n"));
        assert!(ended.peak > 100_000);
    }

    #[test]
    fn a_signal() {
        assert_eq!(shell("kill -SEGV $$", LONG, false).ending, Ending::Signal(11));
    }

    #[test]
    fn large_outputs_do_not_block() {
        let ended = shell("head -c 3000000 /dev/zero; head -c 300000 /dev/zero >&2", LONG, false);
        assert_eq!(ended.ending, Ending::Exit(0));
        assert_eq!((ended.stdout.len(), ended.stderr.len()), (3_000_000, 300_000));
    }

    #[test]
    fn an_overrun_is_cut_and_its_output_kept() {
        let ended = shell("echo begun; sleep 60", SHORT, false);
        assert_eq!((ended.ending, ended.stdout.as_str()), (Ending::Overrun, "begun\n"));
        assert!(ended.wall >= SHORT && ended.wall < SHORT + OBEDIENCE, "{:?}", ended.wall);
    }

    #[test]
    fn a_deaf_child_is_killed() {
        let ended = shell("trap '' TERM; while :; do sleep 1; done", SHORT, false);
        assert_eq!(ended.ending, Ending::Overrun);
        assert!(ended.wall < 5 * OBEDIENCE);
    }

    #[test]
    fn an_interruption_is_noticed() {
        assert_eq!(shell("sleep 60", LONG, true).ending, Ending::Interrupted);
    }

    #[test]
    fn descendants_outside_the_group_are_killed() {
        let script = "setsid sleep 60 & setsid sh -c 'sleep 60; :' & sleep 0.2; echo done";
        let ended = shell(script, LONG, false);
        assert_eq!((ended.ending, ended.stdout.as_str()), (Ending::Exit(0), "done\n"));
        assert_eq!(stragglers::kill_all(&mark(script)), 0);
    }
}
