//! Who works when: a limited number of permits, handed to those who have had
//! the least, where what was achieved counts for them; and the clock that
//! engines go by.
//!
//! Whoever works has a *seat*, and its thread holds a permit while it works. It
//! gives the permit up between two advances, in the middle of a long query
//! (metered sessions), and while it waits for others.
//!
//! A *counted* schedule makes a run the same every time: there is one permit,
//! and the clock does not show the time but the work done, in units that are
//! the same in every run. Then all that engines do depends on what was done
//! before only: whose turn it is, how long somebody waits, when a query has
//! taken too long. While nobody has anything to do, the clock goes on at once to
//! the moment when somebody has.
//!
//! The seat of a thread is known to the thread, not to the engine: engines are
//! written as if they were alone.

mod seats;

use std::cell::RefCell;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::Cancel;

use seats::{Seats, Status};

/// How long a thread that waits for a permit does not look whether all stops.
const GLANCE: Duration = Duration::from_millis(20);

/// What a look at the board costs that shows nothing new, in a counted schedule.
const LOOK: Duration = Duration::from_micros(20);

/// A schedule; copies are the same one.
#[derive(Clone)]
pub struct Schedule {
    shared: Arc<Shared>,
}

struct Shared {
    seats: Mutex<Seats>,
    changed: Condvar,
    /// What is stopped when the clock of a counted schedule shows so much.
    alarms: Mutex<Vec<(Duration, Cancel)>>,
    started: Instant,
    counted: bool,
}

impl Default for Schedule {
    /// All work at the same time.
    fn default() -> Schedule {
        Schedule::new(usize::MAX)
    }
}

/// Something that makes whoever achieved it worth more of the time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Achievement {
    /// A property holds one step deeper.
    Depth,
    /// An invariant for others.
    Lemma,
    /// A property is settled.
    Finding,
}

impl Schedule {
    /// So many work at the same time.
    #[must_use]
    pub fn new(jobs: usize) -> Schedule {
        Schedule::with(jobs.max(1), false)
    }

    /// One works at a time, and the clock counts work.
    #[must_use]
    pub fn counted() -> Schedule {
        Schedule::with(1, true)
    }

    fn with(jobs: usize, counted: bool) -> Schedule {
        let shared = Shared {
            seats: Mutex::new(Seats::new(jobs)),
            changed: Condvar::new(),
            alarms: Mutex::default(),
            started: Instant::now(),
            counted,
        };
        Schedule { shared: Arc::new(shared) }
    }

    /// Whether the clock counts work.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        self.shared.counted
    }

    /// How many may work at the same time.
    #[must_use]
    pub fn jobs(&self) -> usize {
        self.with_seats(|seats| seats.jobs)
    }

    fn with_seats<T>(&self, f: impl FnOnce(&mut Seats) -> T) -> T {
        let mut seats = self.shared.seats.lock().expect("no holder panics");
        let (result, clock) = (f(&mut seats), seats.clock);
        drop(seats);
        if self.shared.counted {
            self.ring(clock);
        }
        self.shared.changed.notify_all();
        result
    }

    /// Stops what is to be stopped at this time. In a counted schedule whoever
    /// works moves the clock, so this happens at the same point in every run.
    fn ring(&self, clock: Duration) {
        let mut alarms = self.shared.alarms.lock().expect("no holder panics");
        let due: Vec<Cancel> =
            alarms.extract_if(.., |(at, _)| *at <= clock).map(|(_, c)| c).collect();
        drop(alarms);
        due.iter().for_each(Cancel::expire);
    }

    /// Stops something when the clock shows so much, where it counts work. Where
    /// it shows the time, a deadline does that.
    pub fn stop_at(&self, clock: Duration, cancel: &Cancel) {
        if self.shared.counted {
            let mut alarms = self.shared.alarms.lock().expect("no holder panics");
            alarms.push((clock, cancel.clone()));
        }
    }

    /// A seat that waits for its turn, for a thread that is about to start. In a
    /// counted schedule whoever has the turn reserves them, so that their order
    /// is the same in every run.
    pub fn reserve(&self, cancel: &Cancel) -> Seat {
        let now = self.now();
        let number = self.with_seats(|seats| seats.add(now));
        Seat { schedule: self.clone(), number, cancel: cancel.clone() }
    }

    /// Does something on this thread by this schedule, in a seat of its own.
    pub fn by_turns<T>(&self, cancel: &Cancel, work: impl FnOnce() -> T) -> T {
        self.reserve(cancel).sit(work)
    }

    /// What the clock shows: the time since the beginning, or the work done.
    #[must_use]
    pub fn now(&self) -> Duration {
        if self.shared.counted {
            self.shared.seats.lock().expect("no holder panics").clock
        } else {
            self.shared.started.elapsed()
        }
    }
}

/// A place in a schedule. It is given up when this value is dropped.
pub struct Seat {
    schedule: Schedule,
    number: usize,
    cancel: Cancel,
}

thread_local! {
    static HERE: RefCell<Option<Arc<Seat>>> = const { RefCell::new(None) };
}

fn here() -> Option<Arc<Seat>> {
    HERE.with_borrow(Clone::clone)
}

impl Seat {
    /// Does something on this thread in this seat, as soon as it has a permit.
    pub fn sit<T>(self, work: impl FnOnce() -> T) -> T {
        let seat = Arc::new(self);
        seat.wait();
        let before = HERE.replace(Some(seat));
        let result = work();
        // Dropped here, the seat gives its permit to others.
        HERE.set(before);
        result
    }

    /// Waits for a permit; without one where all stops.
    fn wait(&self) {
        let shared = &self.schedule.shared;
        let mut seats = shared.seats.lock().expect("no holder panics");
        while !seats.is_working(self.number) && !self.cancel.is_cancelled() {
            seats = shared.changed.wait_timeout(seats, GLANCE).expect("no holder panics").0;
        }
    }

    /// Gives the permit to whoever has waited longest for the least, and waits.
    fn pass(&self, status: Status) {
        let now = self.schedule.now();
        self.schedule.with_seats(|seats| seats.pass(self.number, status, now));
        self.wait();
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let now = self.schedule.now();
        self.schedule.with_seats(|seats| seats.pass(self.number, Status::Gone, now));
    }
}

/// Lets others work, if somebody has a better right to it.
pub fn pause() {
    if let Some(seat) = here() {
        seat.pass(Status::Waiting);
    }
}

/// Lets others work, if this thread has had its permit for so long.
pub fn pause_after(time: Duration) {
    if let Some(seat) = here() {
        let now = seat.schedule.now();
        // Nobody need hear of a look.
        let seats = seat.schedule.shared.seats.lock().expect("no holder panics");
        let since = seats.since(seat.number);
        drop(seats);
        if now.saturating_sub(since) >= time {
            seat.pass(Status::Waiting);
        }
    }
}

/// Whether this thread's clock counts work.
pub fn is_counted() -> bool {
    HERE.with_borrow(|seat| seat.as_ref().is_some_and(|seat| seat.schedule.shared.counted))
}

/// Whether others want to work and have no permit, or may want to.
pub fn is_crowded() -> bool {
    here().is_some_and(|seat| seat.schedule.with_seats(|seats| seats.is_crowded()))
}

/// The clock of this thread: the time, or the work done by all.
pub fn now() -> Duration {
    // Without a seat only differences matter.
    static ORIGIN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    here().map_or_else(|| ORIGIN.get_or_init(Instant::now).elapsed(), |seat| seat.schedule.now())
}

/// A token that stops when this one does, and when the clock of this thread has
/// gone on by so much.
#[must_use]
pub fn child_for(cancel: &Cancel, time: Duration) -> Cancel {
    let Some(seat) = here().filter(|seat| seat.schedule.shared.counted) else {
        return cancel.child_until(Instant::now().checked_add(time));
    };
    let child = cancel.child();
    seat.schedule.stop_at(seat.schedule.now().saturating_add(time), &child);
    child
}

/// Work of this thread that a clock that counts work must show.
pub fn charge(work: Duration) {
    if let Some(seat) = here().filter(|seat| seat.schedule.shared.counted) {
        seat.schedule.with_seats(|seats| seats.clock += work);
    }
}

/// Lets others work until something changes on the board, but not longer than
/// this: `wait` waits for that, where time is what the clock shows.
pub fn rest(patience: Duration, wait: impl FnOnce()) {
    match here() {
        None => wait(),
        Some(seat) if seat.schedule.shared.counted => {
            charge(LOOK);
            seat.pass(Status::Resting(seat.schedule.now() + patience));
        }
        Some(seat) => {
            let now = seat.schedule.now();
            seat.schedule.with_seats(|seats| seats.pass(seat.number, Status::Away, now));
            wait();
            seat.pass(Status::Waiting);
        }
    }
}

/// Tells those who rest that something has changed on the board.
pub fn changed() {
    if let Some(seat) = here().filter(|seat| seat.schedule.shared.counted) {
        seat.schedule.with_seats(Seats::wake);
    }
}

/// This thread has achieved something.
pub fn achieved(achievement: Achievement) {
    if let Some(seat) = here() {
        seat.schedule.with_seats(|seats| seats.credit(seat.number, achievement));
    }
}

/// A moment by the clock of this thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Moment(Duration);

impl Moment {
    /// By the clock, now.
    #[must_use]
    pub fn now() -> Moment {
        Moment(now())
    }

    /// The time since then.
    #[must_use]
    pub fn elapsed(self) -> Duration {
        now().saturating_sub(self.0)
    }

    /// The time from now on until then; nothing if that is past.
    #[must_use]
    pub fn left(self) -> Duration {
        self.0.saturating_sub(now())
    }
}

impl std::ops::Add<Duration> for Moment {
    type Output = Moment;

    fn add(self, time: Duration) -> Moment {
        Moment(self.0.saturating_add(time))
    }
}

#[cfg(test)]
mod tests;
