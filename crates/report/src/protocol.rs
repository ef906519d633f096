//! What is known of the properties of protocols.

mod execution;

use std::fmt::Write;

use lustral_certify::{Answer, Checked};
use lustral_first_order::{Formula, Shown, Universe};
use lustral_protocol::{Protocol, Replayed};
use lustral_quantified::Proved;
use lustral_render::{Style, printable};
use lustral_system::Reason;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use execution::{ProtocolExecution, StateEvent, TableEvent};

use crate::event::micro_if_any;
use crate::model::{RunInfo, Summary};

/// What a verdict about a protocol is about.
#[derive(Clone, Copy)]
pub struct ProtocolSubject<'a> {
    /// The file, as the user gave it.
    pub file: &'a str,
    /// The protocol, with what is to be shown.
    pub protocol: &'a Protocol,
    /// The number of the property among what is to be shown.
    pub property: usize,
    /// What it is.
    pub about: About,
    /// The line of the property.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// What a verdict is about.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// A safety property or a stated invariant, of all states that can be reached.
    #[default]
    Property,
    /// A theorem, of all states of the axioms.
    Theorem,
    /// A trace: that it is possible, or that it is not.
    Trace,
}

impl About {
    fn is_property(&self) -> bool {
        *self == About::Property
    }
}

/// A verdict about a property of a protocol. What is known in it comes from what was checked
/// only: a proof for all sizes, an execution that was replayed, or a checked answer about an
/// instance.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ProtocolVerdict {
    /// The file.
    pub file: String,
    /// The name of the property.
    pub property: String,
    /// What it is; a property if nothing is said.
    #[serde(default, skip_serializing_if = "About::is_property")]
    pub about: About,
    /// Counted from 1.
    #[schemars(range(min = 1))]
    pub line: u32,
    /// Counted from 1.
    #[schemars(range(min = 1))]
    pub column: u32,
    // Not to be set from outside.
    #[serde(flatten)]
    outcome: ProtocolOutcome,
    /// The time from the start of the run; absent with --deterministic.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "micro_if_any")]
    #[schemars(with = "f64", range(min = 0.0))]
    pub seconds: Option<f64>,
}

/// The number of elements of a sort.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SortSize {
    /// The sort.
    pub sort: String,
    /// How many elements it has.
    pub size: u32,
}

/// What is known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum ProtocolOutcome {
    /// It holds of every state that can be reached, at every size.
    Valid {
        /// The inductive invariant, as a conjunction.
        invariant: Vec<String>,
        /// Who showed that it is one.
        solvers: Vec<String>,
        /// The folder of the certificate, if one was written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        folder: Option<String>,
    },
    /// It holds of every state that can be reached with these sizes, which are those that were asked
    /// for. Of other sizes this says nothing.
    HoldsAtSize {
        /// The sizes.
        sizes: Vec<SortSize>,
    },
    /// It fails.
    Falsifiable {
        /// The number of steps of the execution.
        step: usize,
        /// The sizes of its states.
        sizes: Vec<SortSize>,
        /// The execution.
        execution: ProtocolExecution,
    },
    /// A trace that is said to be possible is.
    Possible {
        /// The number of its steps.
        step: usize,
        /// The sizes of its states.
        sizes: Vec<SortSize>,
        /// The execution.
        execution: ProtocolExecution,
    },
    /// A trace that is said to be possible is not, at any size.
    Impossible {
        /// Who showed it.
        solvers: Vec<String>,
    },
    /// There is no answer.
    Unknown {
        /// Why.
        reason: String,
        /// A stable name of the kind of reason.
        #[schemars(regex(pattern = "^[a-z][a-z_]*$"))]
        reason_code: String,
        /// The sizes at which it holds.
        holds_at: Vec<Vec<SortSize>>,
        /// The sizes at which no execution was found at the end of which it fails. The search was complete, and
        /// nobody checked it a second time.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        searched: Vec<Vec<SortSize>>,
        /// What was found to be inductive for all sizes, and is too little. Nobody checked it a second time.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        facts: Vec<String>,
        /// A transition that may break it, as far as is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        broken_by: Option<String>,
    },
}

/// What was found of a property that has no answer.
#[derive(Clone, Default, Debug)]
pub struct ProtocolHints {
    /// The sizes at which it holds.
    pub holds_at: Vec<Universe>,
    /// The sizes at which no execution refutes it, as far as a search says.
    pub searched: Vec<Universe>,
    /// What seems to be inductive for all sizes.
    pub facts: Vec<Formula>,
    /// The number of a transition that may break it.
    pub broken_by: Option<usize>,
}

/// The sizes of a universe, by the names of the sorts.
#[must_use]
pub fn sizes(protocol: &Protocol, universe: &Universe) -> Vec<SortSize> {
    let size = |sort| SortSize {
        sort: protocol.signature.sort(sort).to_string(),
        size: universe.size(sort),
    };
    protocol.signature.sort_ids().map(size).collect()
}

/// Sizes for people.
fn sizes_text(sizes: &[SortSize]) -> String {
    let parts: Vec<String> = sizes.iter().map(|s| format!("{} = {}", s.sort, s.size)).collect();
    if parts.is_empty() { "no sorts".into() } else { printable(&parts.join(", ")) }
}

impl ProtocolVerdict {
    fn new(subject: ProtocolSubject<'_>, outcome: ProtocolOutcome, run: &RunInfo) -> Self {
        ProtocolVerdict {
            file: subject.file.to_string(),
            property: subject.protocol.safety[subject.property].name.clone(),
            about: subject.about,
            line: subject.line,
            column: subject.column,
            outcome,
            seconds: run.seconds,
        }
    }

    /// Of a proof for all sizes.
    ///
    /// # Panics
    /// If it is one of another property: showing it would be a wrong answer.
    #[must_use]
    pub fn valid(subject: ProtocolSubject<'_>, proved: &Proved, run: &RunInfo) -> Self {
        assert_eq!(proved.property(), subject.property, "a proof of another property");
        let signature = &subject.protocol.signature;
        let shown = |fact| Shown(signature, fact).to_string();
        let outcome = ProtocolOutcome::Valid {
            invariant: proved.facts().iter().map(shown).collect(),
            solvers: proved.solvers().to_vec(),
            folder: run.certificate.clone(),
        };
        Self::new(subject, outcome, run)
    }

    /// Of an execution that was replayed.
    ///
    /// # Panics
    /// If another property fails in it.
    #[must_use]
    pub fn falsifiable(subject: ProtocolSubject<'_>, replayed: &Replayed, run: &RunInfo) -> Self {
        assert_eq!(replayed.property(), subject.property, "an execution for another property");
        let protocol = subject.protocol;
        let execution = replayed.execution();
        let outcome = ProtocolOutcome::Falsifiable {
            step: execution.steps.len(),
            sizes: sizes(protocol, execution.first.universe()),
            execution: ProtocolExecution::new(protocol, replayed),
        };
        Self::new(subject, outcome, run)
    }

    /// Of a trace that is said to be possible: an execution of what goes through it, at the end of which it
    /// is at its end.
    ///
    /// # Panics
    /// If another property fails in it.
    #[must_use]
    pub fn possible(subject: ProtocolSubject<'_>, replayed: &Replayed, run: &RunInfo) -> Self {
        let mut verdict = Self::falsifiable(subject, replayed, run);
        if let ProtocolOutcome::Falsifiable { step, sizes, execution } = verdict.outcome {
            verdict.outcome = ProtocolOutcome::Possible { step, sizes, execution };
        }
        verdict
    }

    /// Of a trace that is said to be possible: a proof that its end is not reached.
    ///
    /// # Panics
    /// If it is one of another property.
    #[must_use]
    pub fn impossible(subject: ProtocolSubject<'_>, proved: &Proved, run: &RunInfo) -> Self {
        assert_eq!(proved.property(), subject.property, "a proof of another property");
        let outcome = ProtocolOutcome::Impossible { solvers: proved.solvers().to_vec() };
        Self::new(subject, outcome, run)
    }

    /// Of a checked answer about the instance of the given sizes, in which the property has the
    /// same number. Nothing if the answer is not that it holds.
    #[must_use]
    pub fn holds_at(
        subject: ProtocolSubject<'_>,
        universe: &Universe,
        answer: &Checked<Answer>,
        run: &RunInfo,
    ) -> Option<Self> {
        let holds = matches!(answer.get(), Answer::Valid(_));
        let same = answer.property().index() == subject.property;
        let outcome = ProtocolOutcome::HoldsAtSize { sizes: sizes(subject.protocol, universe) };
        (holds && same).then(|| Self::new(subject, outcome, run))
    }

    /// Without an answer.
    #[must_use]
    pub fn unknown(
        subject: ProtocolSubject<'_>,
        reason: &Reason,
        hints: &ProtocolHints,
        run: &RunInfo,
    ) -> Self {
        let protocol = subject.protocol;
        let all = |seen: &[Universe]| seen.iter().map(|one| sizes(protocol, one)).collect();
        let shown = |fact| Shown(&protocol.signature, fact).to_string();
        let outcome = ProtocolOutcome::Unknown {
            reason: reason.to_string(),
            reason_code: reason.code().to_string(),
            holds_at: all(&hints.holds_at),
            searched: all(&hints.searched),
            facts: hints.facts.iter().map(shown).collect(),
            broken_by: hints.broken_by.map(|number| protocol.transitions[number].name.clone()),
        };
        Self::new(subject, outcome, run)
    }

    /// What is known.
    #[must_use]
    pub fn outcome(&self) -> &ProtocolOutcome {
        &self.outcome
    }

    /// Whether the property holds as far as was asked; none if that is not known.
    #[must_use]
    pub fn is_as_wanted(&self) -> Option<bool> {
        match self.outcome {
            ProtocolOutcome::Valid { .. }
            | ProtocolOutcome::HoldsAtSize { .. }
            | ProtocolOutcome::Possible { .. } => Some(true),
            ProtocolOutcome::Falsifiable { .. } | ProtocolOutcome::Impossible { .. } => Some(false),
            ProtocolOutcome::Unknown { .. } => None,
        }
    }

    /// For people at a terminal; after another verdict, whose invariant need not be shown again.
    #[must_use]
    pub fn text(&self, style: Style, before: Option<&ProtocolVerdict>) -> String {
        let time = self.seconds.map(|s| format!(", {s:.2} s")).unwrap_or_default();
        let name = style.paint(Style::BOLD, &printable(&self.property));
        let (colour, word, how) = match &self.outcome {
            ProtocolOutcome::Valid { .. } => {
                (Style::GREEN, "valid", format!("(for all sizes{time})"))
            }
            ProtocolOutcome::HoldsAtSize { sizes } => {
                let sizes = sizes_text(sizes);
                (Style::GREEN, "holds", format!("(with {sizes} only{time})"))
            }
            ProtocolOutcome::Falsifiable { step, sizes, .. } => {
                let sizes = sizes_text(sizes);
                let after = match self.about {
                    About::Theorem => String::new(),
                    About::Property | About::Trace => format!("after {} ", steps(*step)),
                };
                (Style::RED, "falsifiable", format!("({after}with {sizes}{time})"))
            }
            ProtocolOutcome::Possible { step, sizes, .. } => {
                let sizes = sizes_text(sizes);
                (Style::GREEN, "possible", format!("({} with {sizes}{time})", steps(*step)))
            }
            ProtocolOutcome::Impossible { .. } => {
                (Style::RED, "impossible", format!("(for all sizes{time})"))
            }
            ProtocolOutcome::Unknown { reason, .. } => {
                (Style::YELLOW, "unknown", format!("({})", printable(reason)))
            }
        };
        let how = style.paint(Style::DIM, &how);
        let mut out = format!("{} {name}  {how}\n", style.paint(colour, &format!("{word:<11}")));
        match &self.outcome {
            ProtocolOutcome::Valid { .. } if !self.about.is_property() => {}
            ProtocolOutcome::Valid { invariant, folder, .. } => {
                let same = |other: &ProtocolVerdict| match &other.outcome {
                    ProtocolOutcome::Valid { invariant: known, .. } => known == invariant,
                    _ => false,
                };
                let known = before.is_some_and(same);
                let which = if known { "the same" } else { "the" };
                if invariant.is_empty() {
                    out.push_str("  of every state, whether it can be reached or not\n");
                } else {
                    let _ = writeln!(out, "  by {which} inductive invariant");
                }
                for fact in invariant.iter().filter(|_| !known) {
                    let _ = writeln!(out, "    {}", printable(fact));
                }
                if let Some(folder) = folder {
                    let _ = writeln!(out, "  certificate written to {}", printable(folder));
                }
            }
            ProtocolOutcome::Falsifiable { execution, .. }
            | ProtocolOutcome::Possible { execution, .. } => {
                execution.text(self.about, style, &mut out)
            }
            ProtocolOutcome::Unknown { .. } => self.hints(before, &mut out),
            ProtocolOutcome::HoldsAtSize { .. } | ProtocolOutcome::Impossible { .. } => {}
        }
        out
    }
}

/// No more facts are shown that are too little.
const MOST_FACTS: usize = 12;

impl ProtocolVerdict {
    /// What was found although there is no answer; what was said of another property is not said again.
    fn hints(&self, before: Option<&ProtocolVerdict>, out: &mut String) {
        let ProtocolOutcome::Unknown { holds_at, searched, facts, broken_by, .. } = &self.outcome
        else {
            return;
        };
        let smaller = |all: &[Vec<SortSize>]| if all.len() > 1 { " and smaller ones" } else { "" };
        if let Some(last) = holds_at.last() {
            let _ = writeln!(out, "  it holds with {}{}", sizes_text(last), smaller(holds_at));
        }
        if let Some(last) = searched.last() {
            let (last, more) = (sizes_text(last), smaller(searched));
            let _ = writeln!(out, "  no execution with {last}{more} was found that refutes it");
        }
        if let Some(step) = broken_by {
            let what =
                if facts.is_empty() { "alone it" } else { "with what is known for all sizes it" };
            let step = printable(step);
            let _ = writeln!(out, "  {what} is not inductive: `{step}` may break it");
        }
        let said = before.is_some_and(|other| match &other.outcome {
            ProtocolOutcome::Unknown { facts: known, .. } => known == facts,
            _ => false,
        });
        if facts.is_empty() || said {
            return;
        }
        out.push_str("  inductive for all sizes, as it seems, and too little:\n");
        for fact in facts.iter().take(MOST_FACTS) {
            let _ = writeln!(out, "    {}", printable(fact));
        }
        if facts.len() > MOST_FACTS {
            let _ = writeln!(out, "    … and {} more", facts.len() - MOST_FACTS);
        }
    }
}

impl Summary {
    /// Counts a verdict about a protocol.
    pub fn count_protocol(&mut self, verdict: &ProtocolVerdict) {
        *match (&verdict.outcome, verdict.is_as_wanted()) {
            (ProtocolOutcome::HoldsAtSize { .. }, _) => &mut self.holds_at_size,
            (_, Some(true)) => &mut self.valid,
            (_, Some(false)) => &mut self.falsifiable,
            (_, None) => &mut self.unknown,
        } += 1;
    }
}

fn steps(number: usize) -> String {
    if number == 1 { "1 step".into() } else { format!("{number} steps") }
}
