//! What the limits on candidates leave out.
//!
//! The strongest facts that are left say as much as if all candidates had been listed, within limits:
//! of so many numbers only some are paired, and so on. Where such a limit is reached it is told, because the
//! candidate that is needed may be one of those that nobody tried.

use std::fmt;

use lustral_system::{Note, PropId};

use crate::board::Board;

/// A limit that was reached: only some of all that there are take part in something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Limit {
    /// In what they take part, as the end of a sentence.
    what: &'static str,
    /// How many do.
    kept: usize,
    /// How many there are.
    all: usize,
}

/// The limits that were reached.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LeftOut(Vec<Limit>);

impl LeftOut {
    /// Notes how many of all take part in something, if not all do.
    pub(crate) fn note(&mut self, what: &'static str, kept: usize, all: usize) {
        if kept >= all {
            return;
        }
        match self.0.iter_mut().find(|limit| limit.what == what) {
            Some(limit) => {
                limit.kept += kept;
                limit.all += all;
            }
            None => self.0.push(Limit { what, kept, all }),
        }
    }

    /// Adds those that were reached elsewhere.
    pub(crate) fn add(&mut self, other: &LeftOut) {
        other.0.iter().for_each(|limit| self.note(limit.what, limit.kept, limit.all));
    }

    /// Whether none was reached.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Leaves a note for the report of properties that stay open.
    pub(crate) fn tell(&self, board: &Board, engine: &'static str) {
        if self.is_empty() {
            return;
        }
        let note = Note {
            engine,
            title: "Limits on candidates",
            code: "limits",
            summary: format!("{engine} did not try all candidates of the templates: {self}"),
            inconclusive: None,
            only_open: true,
            sections: Vec::new(),
        };
        let open: Vec<PropId> = board.open();
        open.into_iter().for_each(|property| board.post_note(property, note.clone()));
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Limit { what, kept, all }) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{kept} of {all} {what}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_limits_that_are_reached_are_told() {
        let mut left_out = LeftOut::default();
        left_out.note("numbers are looked at", 64, 64);
        assert!(left_out.is_empty());
        left_out.note("numbers are looked at", 64, 70);
        left_out.note("numbers are in equations", 40, 64);
        let mut other = LeftOut::default();
        other.note("numbers are in equations", 40, 50);
        left_out.add(&other);
        assert_eq!(
            left_out.to_string(),
            "64 of 70 numbers are looked at, 80 of 114 numbers are in equations"
        );
    }
}
