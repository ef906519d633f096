//! Stopping work from another thread: a cancellation token that knows why it
//! was pulled.
//!
//! Tokens form a tree: a child stops with its parent, and can be stopped alone.
//! Whoever stops a token gives the cause; the first cause counts, and children
//! inherit it, so that whoever finds its work stopped can say why.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Instant;

/// Something that stops a running query. Called from other threads, perhaps often.
pub type Interrupter = Arc<dyn Fn() + Send + Sync>;

/// Why work was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The user, or the system on the user's behalf, stopped the run.
    Interrupted,
    /// The time is up.
    Deadline,
    /// Nobody needs the result any more.
    NotNeeded,
}

/// Tells all who hold a copy to stop, at once or at a given time.
#[derive(Clone, Default)]
pub struct Cancel {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    /// The cause as a number, zero while nothing is stopped.
    cause: AtomicU8,
    deadline: Option<Instant>,
    children: Mutex<Vec<Weak<Shared>>>,
    interrupters: Mutex<Vec<Interrupter>>,
}

impl Shared {
    /// Why work was stopped. That the time is up nobody says: it is noticed.
    fn cause(&self) -> Option<Cause> {
        let known = match self.cause.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Cause::Interrupted),
            2 => Some(Cause::Deadline),
            _ => Some(Cause::NotNeeded),
        };
        let late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        known.or_else(|| late().then_some(Cause::Deadline))
    }

    /// Takes note of a cause, if it is the first.
    fn record(&self, cause: Cause) {
        let number = match cause {
            Cause::Interrupted => 1,
            Cause::Deadline => 2,
            Cause::NotNeeded => 3,
        };
        let _ = self.cause.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed);
    }
}

impl Cancel {
    /// Nothing is stopped yet.
    #[must_use]
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Stops at this time at the latest.
    #[must_use]
    pub fn with_deadline(deadline: Option<Instant>) -> Cancel {
        Cancel { shared: Arc::new(Shared { deadline, ..Shared::default() }) }
    }

    /// A token that stops when this one does, and can be stopped alone.
    #[must_use]
    pub fn child(&self) -> Cancel {
        self.child_until(self.deadline())
    }

    /// The same, with a time of its own.
    #[must_use]
    pub fn child_until(&self, deadline: Option<Instant>) -> Cancel {
        let child = Cancel::with_deadline(deadline);
        let mut children = self.shared.children.lock().expect("no holder panics");
        children.retain(|known| known.strong_count() > 0);
        children.push(Arc::downgrade(&child.shared));
        drop(children);
        if self.shared.cause.load(Ordering::Relaxed) != 0
            && let Some(cause) = self.cause()
        {
            child.stop(cause);
        }
        child
    }

    /// The time at which all stops.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.shared.deadline
    }

    /// Whether to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cause().is_some()
    }

    /// Why to stop, if so: the first cause there was.
    #[must_use]
    pub fn cause(&self) -> Option<Cause> {
        self.shared.cause()
    }

    /// Stops all because nobody needs the result any more.
    pub fn cancel(&self) {
        self.stop(Cause::NotNeeded);
    }

    /// Stops all because the time is up, by a clock that is not the system's.
    pub fn expire(&self) {
        self.stop(Cause::Deadline);
    }

    /// Stops all because the user wants it.
    pub fn interrupt(&self) {
        self.stop(Cause::Interrupted);
    }

    /// Stops all, and interrupts the queries that run now. A query that begins
    /// just now may miss it: whoever waits for the end calls this again.
    fn stop(&self, cause: Cause) {
        // A walk over the tree of tokens; the causes they have already stay.
        let mut pending = vec![self.shared.clone()];
        while let Some(shared) = pending.pop() {
            let cause = shared.cause().unwrap_or(cause);
            shared.record(cause);
            let interrupters = shared.interrupters.lock().expect("no holder panics").clone();
            interrupters.iter().for_each(|interrupt| interrupt());
            let children = shared.children.lock().expect("no holder panics");
            pending.extend(children.iter().filter_map(Weak::upgrade));
        }
    }

    /// Adds what stops a query.
    pub fn register(&self, interrupter: Interrupter) {
        self.shared.interrupters.lock().expect("no holder panics").push(interrupter);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_first_cause_counts() {
        let cancel = Cancel::new();
        assert_eq!(cancel.cause(), None);
        cancel.interrupt();
        cancel.cancel();
        assert_eq!(cancel.cause(), Some(Cause::Interrupted));
    }

    #[test]
    fn children_inherit_the_cause_and_keep_their_own() {
        let parent = Cancel::new();
        let (first, second) = (parent.child(), parent.child());
        first.cancel();
        assert_eq!((first.cause(), parent.cause()), (Some(Cause::NotNeeded), None));
        parent.interrupt();
        assert_eq!(first.cause(), Some(Cause::NotNeeded));
        assert_eq!(second.child().cause(), Some(Cause::Interrupted), "even those that come later");
    }

    #[test]
    fn time_that_is_up_comes_before_whatever_is_done_about_it() {
        let past = Instant::now() - Duration::from_millis(1);
        let cancel = Cancel::with_deadline(Some(past));
        cancel.interrupt();
        assert_eq!(cancel.cause(), Some(Cause::Deadline));
        let child = Cancel::new().child_until(Some(past));
        assert!(child.is_cancelled());
    }

    #[test]
    fn every_stop_interrupts_all_queries_below() {
        let (parent, stopped) = (Cancel::new(), Arc::new(AtomicUsize::new(0)));
        let child = parent.child();
        let count = stopped.clone();
        child.register(Arc::new(move || {
            count.fetch_add(1, Ordering::Relaxed);
        }));
        parent.cancel();
        parent.cancel();
        assert_eq!(stopped.load(Ordering::Relaxed), 2);
    }
}
