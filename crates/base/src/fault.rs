//! Faults on request, for `cargo xtask faults`: a variable of the environment asks for one, `work N` for a panic where the
//! Nth piece of work begins that profiles know (a stage, a query, a check), on whatever thread that is, or `thread N` for
//! a system that does not start the Nth thread. Builds without debug assertions, as users have them, do not look.

/// Where something may go wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// A piece of work begins.
    Work,
    /// A thread is to be started.
    Thread,
}

/// Whether something is to go wrong here, this time.
#[cfg(not(debug_assertions))]
pub(crate) fn is_due(_: Place) -> bool {
    false
}

/// Whether something is to go wrong here, this time.
#[cfg(debug_assertions)]
pub(crate) fn is_due(place: Place) -> bool {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    static ASKED: OnceLock<Option<(Place, u64)>> = OnceLock::new();
    static PASSED: AtomicU64 = AtomicU64::new(0);
    let asked = ASKED.get_or_init(|| asked(&std::env::var("LUSTRAL_FAULT").ok()?));
    asked.is_some_and(|(at, number)| {
        at == place && PASSED.fetch_add(1, Ordering::Relaxed) + 1 == number
    })
}

/// What a text asks for.
#[cfg(any(debug_assertions, test))]
fn asked(text: &str) -> Option<(Place, u64)> {
    let (place, number) = text.split_once(' ')?;
    let place = match place {
        "work" => Place::Work,
        "thread" => Place::Thread,
        _ => return None,
    };
    Some((place, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_and_a_number_are_asked_for() {
        assert_eq!(asked("work 12"), Some((Place::Work, 12)));
        assert_eq!(asked("thread 1"), Some((Place::Thread, 1)));
        for other in ["", "work", "work x", "sleep 3"] {
            assert_eq!(asked(other), None);
        }
    }
}
