//! Ending what a run leaves behind.
//!
//! A checker starts solvers in process groups of their own. When it is killed
//! or crashes, they go on, and would disturb whatever is measured next. Each
//! run's environment carries a mark, which descendants inherit.

use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// The variable that carries the mark.
pub const MARK: &str = "LUSTRAL_BENCH_RUN";

/// How long to go on looking.
const PATIENCE: Duration = Duration::from_secs(2);

/// Kills all processes with this mark; tells how many times that was needed.
pub fn kill_all(mark: &str) -> usize {
    let entry = format!("{MARK}={mark}");
    let mut total = 0;
    // One that is being killed may just have started another. One that cannot
    // be killed must not stop us for ever.
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        let killed = processes().filter(|pid| kill_marked(*pid, entry.as_bytes())).count();
        total += killed;
        if killed == 0 {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    total
}

/// Kills a process with this mark whose parent has the mark as well: what was started by the first one. That goes on.
pub fn kill_child(mark: &str) -> bool {
    let entry = format!("{MARK}={mark}");
    let is_marked = |pid: Pid| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == entry.as_bytes())
    };
    let parent = |pid: Pid| {
        let status = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name, in parentheses, may hold anything.
        let fields = status.rsplit(')').next()?;
        Pid::from_raw(fields.split_whitespace().nth(1)?.parse().ok()?)
    };
    processes()
        .filter(|pid| parent(*pid).is_some_and(is_marked))
        .any(|pid| kill_marked(pid, entry.as_bytes()))
}

fn processes() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok().and_then(Pid::from_raw))
}

/// The handle is taken first: the signal goes to the process whose environment
/// was read, even if its number is given to another one meanwhile.
fn kill_marked(pid: Pid, entry: &[u8]) -> bool {
    let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else { return false };
    let Ok(environment) = fs::read(format!("/proc/{pid}/environ")) else { return false };
    environment.split(|byte| *byte == 0).any(|variable| variable == entry)
        && pidfd_send_signal(&handle, Signal::KILL).is_ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;

    use super::*;

    #[test]
    fn only_the_marked_are_killed() {
        let mark = format!("{}-stragglers", std::process::id());
        let sleep = |mark: &str| Command::new("sleep").arg("60").env(MARK, mark).spawn().unwrap();
        let (mut marked, mut other) = (sleep(&mark), sleep(&format!("{mark}-other")));
        assert!(kill_all(&mark) >= 1);
        assert_eq!(marked.wait().unwrap().signal(), Some(9));
        assert_eq!(other.try_wait().unwrap(), None);
        other.kill().unwrap();
        other.wait().unwrap();
        assert_eq!(kill_all(&mark), 0);
    }
}
