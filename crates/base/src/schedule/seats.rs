//! The seats of a schedule, and who is next: plain data without threads.

use std::time::Duration;

use super::Achievement;

/// An achievement is forgotten by halves in this time.
const MEMORY: Duration = Duration::from_secs(1);

/// The most that achievements count.
const MOST_MERIT: f64 = 3.0;

/// What somebody with a seat does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    /// Works, with a permit.
    Working,
    /// Would work.
    Waiting,
    /// Waits for others until then, or until something changes; then it would
    /// work.
    Resting(Duration),
    /// Waits for others, and says itself when that is over.
    Away,
    /// Will never work again.
    Gone,
}

/// A seat.
#[derive(Clone, Debug)]
struct Seat {
    status: Status,
    /// The time worked, less where much was achieved.
    used: Duration,
    /// The clock when it got its permit.
    since: Duration,
    /// What was achieved of late, and when that was.
    merit: f64,
    as_of: Duration,
}

/// The seats, and how many may work.
#[derive(Clone, Debug)]
pub(super) struct Seats {
    pub jobs: usize,
    /// The work done, where that is counted.
    pub clock: Duration,
    seats: Vec<Seat>,
}

impl Seats {
    pub fn new(jobs: usize) -> Seats {
        Seats { jobs, clock: Duration::ZERO, seats: Vec::new() }
    }

    /// A seat that waits for its turn. Whoever comes late has no right to all
    /// the time before.
    pub fn add(&mut self, now: Duration) -> usize {
        let alive = self.seats.iter().filter(|s| s.status != Status::Gone);
        let used = alive.map(|s| s.used).min().unwrap_or_default();
        let (status, merit) = (Status::Waiting, 0.0);
        self.seats.push(Seat { status, used, since: now, merit, as_of: now });
        self.hand_out(now);
        self.seats.len() - 1
    }

    pub fn is_working(&self, number: usize) -> bool {
        self.seats[number].status == Status::Working
    }

    /// What the clock showed when somebody who works got the permit.
    pub fn since(&self, number: usize) -> Duration {
        self.seats[number].since
    }

    /// Whether there are more who work or would work than permits.
    pub fn is_crowded(&self) -> bool {
        let alive = |s: &&Seat| s.status != Status::Gone;
        self.seats.iter().filter(alive).count() > self.jobs
    }

    /// Somebody who has worked does something else now; perhaps wants to work
    /// again.
    pub fn pass(&mut self, number: usize, status: Status, now: Duration) {
        let seat = &mut self.seats[number];
        if seat.status == Status::Working {
            let time = now.saturating_sub(seat.since);
            seat.merit *= 0.5_f64.powf(now.saturating_sub(seat.as_of).div_duration_f64(MEMORY));
            seat.as_of = now;
            seat.used += time.div_f64(1.0 + seat.merit);
        }
        seat.status = status;
        self.hand_out(now);
    }

    /// Somebody has achieved something.
    pub fn credit(&mut self, number: usize, achievement: Achievement) {
        let worth = match achievement {
            Achievement::Depth => 0.1,
            Achievement::Lemma => 0.2,
            Achievement::Finding => 1.0,
        };
        let seat = &mut self.seats[number];
        seat.merit = (seat.merit + worth).min(MOST_MERIT);
    }

    /// Those who rest would work again: something has changed.
    pub fn wake(&mut self) {
        for seat in &mut self.seats {
            if let Status::Resting(_) = seat.status {
                seat.status = Status::Waiting;
            }
        }
    }

    /// Gives permits to those who wait.
    fn hand_out(&mut self, now: Duration) {
        let working = |seats: &[Seat]| seats.iter().filter(|s| s.status == Status::Working).count();
        while working(&self.seats) < self.jobs {
            let Some(next) = self.next() else { break };
            let clock = self.clock.max(now);
            let seat = &mut self.seats[next];
            seat.status = Status::Working;
            seat.since = clock;
        }
        if working(&self.seats) == 0 {
            self.skip();
        }
    }

    /// The next to work.
    fn next(&self) -> Option<usize> {
        let waits = |seat: &Seat| match seat.status {
            Status::Waiting => true,
            Status::Resting(until) => until <= self.clock,
            _ => false,
        };
        let waiting = self.seats.iter().enumerate().filter(|(_, s)| waits(s));
        let first = waiting.min_by_key(|(number, s)| (s.used, *number));
        first.map(|(number, _)| number)
    }

    /// Nobody works and nobody waits: the clock goes on to when somebody does.
    fn skip(&mut self) {
        let until = self.seats.iter().enumerate().filter_map(|(number, s)| match s.status {
            Status::Resting(until) => Some((until, number)),
            _ => None,
        });
        if let Some((until, number)) = until.min() {
            self.clock = self.clock.max(until);
            self.seats[number].status = Status::Working;
            self.seats[number].since = self.clock;
        }
    }
}
