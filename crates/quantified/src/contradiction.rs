//! Whether what a protocol says of its first states, or of a transition, contradicts itself. Not trusted: it
//! is a reason for giving no answer, or for a warning.

use lustral_protocol::{Protocol, Stated};
use lustral_smt::Outcome;

use crate::asked::Asked;
use crate::obligations::step;
use crate::prove::Limits;
use crate::smtlib::Writer;

/// The names of axioms and parts of `init` that contradict each other, of which none can be left out as
/// far as is known; nothing if it is not known that there are such.
#[must_use]
pub fn contradiction(protocol: &Protocol, limits: &Limits) -> Option<Vec<String>> {
    let mut left: Vec<&Stated> = protocol.axioms.iter().chain(&protocol.init).collect();
    if !contradict(protocol, &left, limits)? {
        return None;
    }
    let mut place = 0;
    while place < left.len() {
        let removed = left.remove(place);
        if contradict(protocol, &left, limits) != Some(true) {
            left.insert(place, removed);
            place += 1;
        }
    }
    Some(left.into_iter().map(|stated| stated.name.clone()).collect())
}

/// The numbers of the transitions of which it is known that they are possible in no state, reachable or not.
#[must_use]
pub fn dead(protocol: &Protocol, limits: &Limits) -> Vec<usize> {
    let is_dead = |number: &usize| {
        let writer = Writer { protocol, step: Some(&protocol.transitions[*number]) };
        let asked = Asked::new(limits).and_then(|mut asked| {
            asked.tell(&step(&writer))?;
            Some(asked.check())
        });
        asked == Some(Outcome::Unsat)
    };
    (0..protocol.transitions.len()).filter(is_dead).collect()
}

fn contradict(protocol: &Protocol, all: &[&Stated], limits: &Limits) -> Option<bool> {
    let writer = Writer { protocol, step: None };
    let mut asked = Asked::new(limits)?;
    asked.tell(&writer.declarations())?;
    for stated in all {
        asked.tell(&format!("(assert {})", writer.formula(&stated.formula)))?;
    }
    match asked.check() {
        Outcome::Unsat => Some(true),
        Outcome::Sat => Some(false),
        Outcome::Unknown(_) => None,
    }
}
