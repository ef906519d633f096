//! What a proof rests on besides the equations of the program.

use std::fmt::Write;

use lustral_certify::{Answer, Checked};
use lustral_render::printable;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The statements that a proof needs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RestsOn {
    /// The statements; none if the property holds whatever is asserted and assumed.
    pub statements: Vec<Statement>,
    /// Whether this proof is known to need each of them. Another proof may need others.
    pub minimal: bool,
}

/// Something that the program takes for granted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Statement {
    /// The file that it stands in.
    pub file: String,
    /// Counted from 1.
    #[schemars(range(min = 1))]
    pub line: u32,
    /// Counted from 1.
    #[schemars(range(min = 1))]
    pub column: u32,
    /// What it is.
    pub kind: StatementKind,
    /// The node that it stands in.
    pub node: String,
}

/// Who takes something for granted.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum StatementKind {
    /// An `assert`.
    Assertion,
    /// The contract of the node that is checked, of its inputs.
    Assumption,
    /// The type of an input.
    Type,
    /// The contract, or the type of an output, of a node without a body.
    Guarantee,
    /// The condition of an `any` or `choose`.
    Choice,
}

/// More statements than this are not listed for people.
const MOST_LISTED: usize = 8;

impl RestsOn {
    /// What an answer rests on, if it is a proof of which that was looked at; the
    /// statements are those of its premises.
    pub(crate) fn new(answer: &Checked<Answer>, statements: &[Statement]) -> Option<RestsOn> {
        let premises = answer.premises()?;
        // What the proofs of called nodes may rest on is listed whether they need it or not.
        let minimal = premises.minimal && statements.len() == premises.constraints.len();
        let mut statements = statements.to_vec();
        // One statement counts for every instance of its node.
        statements.sort_unstable();
        statements.dedup();
        Some(RestsOn { statements, minimal })
    }

    /// The statements as a reader of a file wants them, unless there are none.
    pub(crate) fn sentence(&self, file: &str, node: &str) -> Option<String> {
        let one = |s: &Statement| {
            let kind = match s.kind {
                StatementKind::Assertion => "the assertion",
                StatementKind::Assumption => "the assumption",
                StatementKind::Type => "the type",
                StatementKind::Guarantee => "the guarantee",
                StatementKind::Choice => "the condition",
            };
            let place = if s.file == file { String::new() } else { format!("{}:", s.file) };
            let of = if s.node == node { String::new() } else { format!(" in node `{}`", s.node) };
            format!("{kind} at {place}{}:{}{of}", s.line, s.column)
        };
        let [first @ .., last] = &self.statements[..] else { return None };
        let mut text = String::new();
        let listed = first.len().min(MOST_LISTED - 1);
        for (i, statement) in first[..listed].iter().enumerate() {
            let _ = write!(text, "{}{}", if i > 0 { ", " } else { "" }, one(statement));
        }
        let _ = match first.len() {
            0 => write!(text, "{}", one(last)),
            n if n < MOST_LISTED => write!(text, " and {}", one(last)),
            n => write!(text, " and {} more", n + 1 - listed),
        };
        let doubt = if self.minimal { "" } else { " (perhaps on fewer)" };
        Some(printable(&format!("rests on {text}{doubt}")).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(kind: StatementKind, line: u32, node: &str) -> Statement {
        Statement { file: "a.lus".into(), line, column: 3, kind, node: node.into() }
    }

    #[test]
    fn sentences() {
        let rests = |statements: Vec<Statement>, minimal| RestsOn { statements, minimal };
        let said = |r: RestsOn| r.sentence("a.lus", "top");
        assert_eq!(said(rests(vec![], true)), None);
        let assertion = statement(StatementKind::Assertion, 4, "top");
        assert_eq!(
            said(rests(vec![assertion.clone()], false)).as_deref(),
            Some("rests on the assertion at 4:3 (perhaps on fewer)")
        );
        let mut other = statement(StatementKind::Assumption, 7, "sub");
        other.file = "b.lus".into();
        assert_eq!(
            said(rests(vec![assertion.clone(), other], true)).as_deref(),
            Some("rests on the assertion at 4:3 and the assumption at b.lus:7:3 in node `sub`")
        );
        let many = (1..=20).map(|line| statement(StatementKind::Type, line, "top")).collect();
        let many = said(rests(many, true)).unwrap();
        assert!(many.ends_with("the type at 7:3 and 13 more"), "{many}");
        let eight = (1..=8).map(|line| statement(StatementKind::Type, line, "top")).collect();
        let eight = said(rests(eight, true)).unwrap();
        assert!(eight.ends_with("the type at 7:3 and the type at 8:3"), "{eight}");
    }
}
