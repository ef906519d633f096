//! Child processes that do not stay behind.
//!
//! A child runs in a process group of its own, with limited memory; whatever
//! happens, the group is killed when this value is dropped, and when the run
//! that it belongs to is cancelled.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use lustral_base::Cancel;
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, prlimit};

/// A child and all that it starts.
pub(crate) struct ChildGroup {
    /// The child; its input and output are pipes.
    pub child: Child,
    /// The process group, until it was killed.
    group: Group,
}

/// A process group that is killed once: its number may be another's afterwards.
type Group = Arc<Mutex<Option<Pid>>>;

fn kill_group(group: &Mutex<Option<Pid>>) {
    if let Some(pid) = group.lock().ok().and_then(|mut group| group.take()) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

impl ChildGroup {
    /// Starts a program that may use so many bytes of memory.
    pub fn spawn(
        mut command: Command,
        memory: u64,
        cancel: &Cancel,
    ) -> std::io::Result<ChildGroup> {
        let child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let pid = Pid::from_raw(child.id() as i32);
        let group: Group = Arc::new(Mutex::new(pid));
        let weak = Arc::downgrade(&group);
        // A run that ends does not wait for its threads, so that no `drop` may
        // ever come; but it cancels them.
        cancel.register(Arc::new(move || {
            if let Some(group) = weak.upgrade() {
                kill_group(&group);
            }
        }));
        if let Some(pid) = pid {
            let limit = Rlimit { current: Some(memory), maximum: Some(memory) };
            let _ = prlimit(Some(pid), Resource::As, limit);
        }
        Ok(ChildGroup { child, group })
    }

    /// Stops it until it may go on.
    pub fn hold(&self) {
        self.signal(Signal::STOP);
    }

    /// Lets it go on.
    pub fn go_on(&self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        // Under the lock, so that the number is still that of the group.
        if let Ok(group) = self.group.lock()
            && let Some(pid) = *group
        {
            let _ = kill_process_group(pid, signal);
        }
    }
}

impl Drop for ChildGroup {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        kill_group(&self.group);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
