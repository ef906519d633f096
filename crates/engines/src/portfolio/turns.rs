//! Whose turn it is among the open properties, for engines that look at one
//! property at a time: round robin, with turns that become longer from round to
//! round.

use std::collections::VecDeque;
use std::time::Duration;

use lustral_system::PropId;

use super::engine::Stop;

/// The turns of an engine.
pub(crate) struct Turns {
    /// By property: why it is not tried any more.
    ended: Vec<Option<Stop>>,
    /// Those that wait for their turn in this round.
    waiting: VecDeque<PropId>,
    length: Duration,
}

impl Turns {
    /// The turns of so many properties; those of the first round take this long.
    pub fn new(properties: usize, first: Duration) -> Turns {
        Turns { ended: vec![None; properties], waiting: VecDeque::new(), length: first / 2 }
    }

    /// The property whose turn is next. If none of the open ones is tried any
    /// more, why: a reason that says more than that a depth was reached, if
    /// there is one.
    ///
    /// # Errors
    /// If there is no such property.
    pub fn next(&mut self, open: &[PropId]) -> Result<PropId, Stop> {
        let ended = &self.ended;
        let tried = |p: &PropId| ended[p.index()].is_none();
        self.waiting.retain(|p| open.contains(p) && tried(p));
        if self.waiting.is_empty() {
            self.waiting.extend(open.iter().copied().filter(tried));
            self.length = self.length.saturating_mul(2);
        }
        self.waiting.pop_front().ok_or_else(|| {
            let mut stops = open.iter().filter_map(|p| ended[p.index()].clone());
            let other = stops.clone().find(|stop| !matches!(stop, Stop::DepthLimit(_)));
            other.or(stops.next()).unwrap_or(Stop::Done)
        })
    }

    /// Whether a property may have another turn.
    pub fn is_tried(&self, property: PropId) -> bool {
        self.ended[property.index()].is_none()
    }

    /// Says why a property has no other turn.
    pub fn end(&mut self, property: PropId, stop: Stop) {
        self.ended[property.index()] = Some(stop);
    }

    /// How long a turn takes in this round.
    pub fn length(&self) -> Duration {
        self.length
    }

    /// Whether others wait for their turn in this round.
    pub fn others_wait(&self) -> bool {
        !self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_have_their_turn_and_turns_become_longer() {
        let [a, b, c] = [0, 1, 2].map(PropId);
        let mut turns = Turns::new(3, Duration::from_secs(1));
        let mut order = Vec::new();
        for _ in 0..3 {
            order.push(turns.next(&[a, b, c]).unwrap());
        }
        assert_eq!((order, turns.length()), (vec![a, b, c], Duration::from_secs(1)));
        assert_eq!(turns.next(&[a, b, c]), Ok(a));
        assert_eq!(turns.length(), Duration::from_secs(2));
        // Whatever was settled or has ended is passed over.
        turns.end(b, Stop::DepthLimit(3));
        assert!(!turns.is_tried(b) && turns.others_wait());
        assert_eq!(turns.next(&[b]), Err(Stop::DepthLimit(3)));
        turns.end(a, Stop::NothingLeft);
        assert_eq!(turns.next(&[a, b]), Err(Stop::NothingLeft), "it says more");
        assert_eq!(turns.next(&[]), Err(Stop::Done));
    }
}
