//! Stopping solvers from another thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Something that stops a running query. Called from other threads, perhaps often.
pub type Interrupter = Arc<dyn Fn() + Send + Sync>;

/// Tells all who hold a copy to stop, at once or at a given time.
#[derive(Clone, Default)]
pub struct Cancel {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    stopped: AtomicBool,
    deadline: Mutex<Option<Instant>>,
    interrupters: Mutex<Vec<Interrupter>>,
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
        let cancel = Cancel::default();
        *cancel.shared.deadline.lock().expect("no holder panics") = deadline;
        cancel
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
        let weak = Arc::downgrade(&child.shared);
        self.register(Arc::new(move || {
            if let Some(shared) = weak.upgrade() {
                Cancel { shared }.cancel();
            }
        }));
        if self.shared.stopped.load(Ordering::Relaxed) {
            child.cancel();
        }
        child
    }

    /// The time at which all stops.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        *self.shared.deadline.lock().expect("no holder panics")
    }

    /// Whether to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.shared.stopped.load(Ordering::Relaxed)
            || self.deadline().is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Stops all, and interrupts the queries that run now. A query that begins
    /// just now may miss it: whoever waits for the end calls this again.
    pub fn cancel(&self) {
        self.shared.stopped.store(true, Ordering::Relaxed);
        let interrupters = self.shared.interrupters.lock().expect("no holder panics").clone();
        for interrupt in interrupters {
            interrupt();
        }
    }

    /// Adds what stops a query.
    pub fn register(&self, interrupter: Interrupter) {
        self.shared.interrupters.lock().expect("no holder panics").push(interrupter);
    }
}
