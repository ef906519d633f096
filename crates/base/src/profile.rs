//! Where the time goes: how often, how long and how long at most each kind of
//! work was done, by whom.
//!
//! A thread records in the profile that it was given, if any, under the name of
//! whoever it works for; threads started by [`spawn`](crate::spawn) inherit
//! both. Without a profile nothing is measured.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::fault;

/// What was recorded of one kind of work of one worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    /// How often.
    pub count: u64,
    /// How long in all.
    pub total: Duration,
    /// How long at most.
    pub longest: Duration,
}

impl Share {
    fn add(&mut self, time: Duration) {
        self.count += 1;
        self.total += time;
        self.longest = self.longest.max(time);
    }
}

/// By who worked and what was done.
type Shares = BTreeMap<(&'static str, &'static str), Share>;

/// A record of work; copies share it.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    shares: Arc<Mutex<Shares>>,
}

/// Whom this thread works for, and where that is recorded.
#[derive(Clone)]
pub(crate) struct Place {
    profile: Profile,
    who: &'static str,
}

thread_local! {
    static HERE: RefCell<Option<Place>> = const { RefCell::new(None) };
}

impl Profile {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Profile {
        Profile::default()
    }

    /// Records here what this thread does from now on, and the threads that it
    /// starts.
    pub fn enter(&self, who: &'static str) {
        set_place(Some(Place { profile: self.clone(), who }));
    }

    /// Adds something that took so long.
    pub fn add(&self, who: &'static str, what: &'static str, time: Duration) {
        if let Ok(mut shares) = self.shares.lock() {
            shares.entry((who, what)).or_default().add(time);
        }
    }

    /// All that was recorded, by who and what.
    #[must_use]
    pub fn shares(&self) -> Vec<(&'static str, &'static str, Share)> {
        let Ok(shares) = self.shares.lock() else { return Vec::new() };
        shares.iter().map(|((who, what), share)| (*who, *what, *share)).collect()
    }
}

/// Whom this thread works for.
pub(crate) fn place() -> Option<Place> {
    HERE.with_borrow(Clone::clone)
}

pub(crate) fn set_place(place: Option<Place>) {
    HERE.set(place);
}

/// Does something for somebody else than this thread otherwise works for.
pub fn working_for<T>(who: &'static str, work: impl FnOnce() -> T) -> T {
    let before = place();
    set_place(before.clone().map(|place| Place { who, ..place }));
    let result = measured("all", work);
    set_place(before);
    result
}

/// Records that something took so long, if somebody wants to know.
pub fn record(what: &'static str, time: Duration) {
    if let Some(place) = place() {
        place.profile.add(place.who, what, time);
    }
}

/// Does something and records how long it took, if somebody wants to know.
pub fn measured<T>(what: &'static str, work: impl FnOnce() -> T) -> T {
    assert!(!fault::is_due(fault::Place::Work), "an injected fault in {what}");
    let Some(place) = place() else { return work() };
    let start = Instant::now();
    let result = work();
    place.profile.add(place.who, what, start.elapsed());
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_record_for_whom_they_were_started() {
        assert_eq!(measured("nothing", || 1), 1, "nobody wants to know");
        let profile = Profile::new();
        profile.enter("a");
        measured("x", || std::thread::sleep(Duration::from_millis(2)));
        working_for("b", || {
            crate::spawn("b", || measured("y", || ())).join().expect("does not panic");
        });
        measured("x", || ());
        set_place(None);
        measured("x", || ());
        let shares = profile.shares();
        let names: Vec<_> = shares.iter().map(|(who, what, _)| (*who, *what)).collect();
        assert_eq!(names, [("a", "x"), ("b", "all"), ("b", "y")]);
        let share = shares[0].2;
        assert_eq!(share.count, 2);
        assert!(share.longest >= Duration::from_millis(2) && share.total >= share.longest);
    }
}
