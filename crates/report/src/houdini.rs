//! What became of candidates: as text, and as lines of `houdini --json`.
//!
//! That a candidate is left is said of what was checked of its node ([`Kept`]), and that it is
//! false of a verdict, whose execution the interpreter has run. The rest is how the search
//! went: why Houdini removed it, and what it had removed before.

use std::fmt::Write;

use lustral_certify::{Checked, NodeInvariants};
use lustral_render::execution::{Execution, Most};
use lustral_render::{Style, printable};
use lustral_system::Predicate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::Event;
use crate::model::{Outcome, Verdict};

/// What a candidate is to its node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CandidateKind {
    /// An invariant of the node.
    Invariant,
    /// What every call gives it.
    Requires,
    /// What its callers may rely on.
    Ensures,
    /// What the node states.
    Property,
}

impl CandidateKind {
    fn word(self) -> &'static str {
        match self {
            CandidateKind::Invariant => "",
            CandidateKind::Requires => "requires ",
            CandidateKind::Ensures => "ensures ",
            CandidateKind::Property => "property ",
        }
    }
}

/// What became of a candidate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CandidateEvent {
    /// The file of the program.
    pub file: String,
    /// Its number, by which others name it; counted from 1.
    #[schemars(range(min = 1))]
    pub number: usize,
    /// The node.
    pub node: String,
    /// What it is to the node.
    pub kind: CandidateKind,
    /// Its text; of a property, its name.
    pub candidate: String,
    /// The file that it stands in, or `templates`.
    pub origin: String,
    /// Counted from 1.
    #[schemars(range(min = 1))]
    pub line: u32,
    // Not to be set from outside: see the head of the module.
    #[serde(flatten)]
    fate: CandidateFate,
    /// How Houdini removed it, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removal: Option<RemovalEvent>,
}

/// What is known of a candidate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum CandidateFate {
    /// It holds at every step, for the inputs that the node is given: it is in the largest set of
    /// candidates that is inductive.
    Kept,
    /// It fails in an execution of the program.
    False {
        /// The step at which it fails, counted from 0.
        step: usize,
        /// The execution.
        trace: Box<Execution>,
    },
    /// No inductive set of candidates has it; whether it is true is not known.
    NotInductive,
    /// The solver could not tell.
    Undecided {
        /// What it said.
        reason: String,
    },
    /// It was not tried.
    NotTried {
        /// Why not.
        reason: String,
    },
}

/// That a candidate is among what was checked of its node.
pub struct Kept(());

impl Kept {
    /// Looks whether a predicate is among what was checked: of what the node is given, or of
    /// what holds then.
    #[must_use]
    pub fn find(
        known: &Checked<NodeInvariants>,
        said: &Predicate,
        kind: CandidateKind,
    ) -> Option<Kept> {
        let known = known.get();
        let is_it = |p: &Predicate| p.same_as(said);
        let found = match kind {
            CandidateKind::Requires => known.given().iter().any(is_it),
            _ => known.always().iter().chain(known.within()).any(is_it),
        };
        found.then_some(Kept(()))
    }
}

impl CandidateFate {
    /// It is left.
    #[must_use]
    pub fn kept(_: Kept) -> CandidateFate {
        CandidateFate::Kept
    }

    /// It is false, if a verdict on it as a property says so.
    #[must_use]
    pub fn refuted(verdict: &Verdict) -> Option<CandidateFate> {
        match &verdict.outcome {
            Outcome::Falsifiable { step, trace, .. } => {
                Some(CandidateFate::False { step: *step, trace: Box::new(trace.clone()) })
            }
            _ => None,
        }
    }

    /// The word for it.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            CandidateFate::Kept => "kept",
            CandidateFate::False { .. } => "false",
            CandidateFate::NotInductive => "not inductive",
            CandidateFate::Undecided { .. } => "undecided",
            CandidateFate::NotTried { .. } => "not tried",
        }
    }
}

/// How Houdini removed a candidate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RemovalEvent {
    /// The round, counted from 1.
    #[schemars(range(min = 1))]
    pub round: usize,
    /// The node that was verified.
    pub verified: String,
    /// The call there that does not establish it, of what is required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// Steps at the last of which it fails, though all candidates that were left held before: one
    /// step if it is the first, else two, from some state, reachable or not. Absent if the solver
    /// could not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<Execution>,
    /// The numbers of the candidates that were removed before and do not hold in these steps: each
    /// of them would have excluded them.
    pub because: Vec<usize>,
}

/// A round: a node was verified with all candidates that were left.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct HoudiniRound {
    /// The file of the program.
    pub file: String,
    /// Counted from 1.
    #[schemars(range(min = 1))]
    pub round: usize,
    /// The node.
    pub verified: String,
    /// How many candidates were left before, of all nodes.
    pub left: usize,
    /// The numbers of those that were removed.
    pub removed: Vec<usize>,
}

impl CandidateEvent {
    /// What became of a candidate; of a number, what is said is filled in by the caller.
    #[must_use]
    pub fn new(about: CandidateAbout, fate: CandidateFate, removal: Option<RemovalEvent>) -> Self {
        let CandidateAbout { file, number, node, kind, candidate, origin, line } = about;
        CandidateEvent { file, number, node, kind, candidate, origin, line, fate, removal }
    }

    /// What is known of it.
    #[must_use]
    pub fn fate(&self) -> &CandidateFate {
        &self.fate
    }

    /// Its text with what it is to the node.
    #[must_use]
    pub fn said(&self) -> String {
        format!("{}{}", self.kind.word(), self.candidate)
    }
}

/// What a [`CandidateEvent`] is about.
pub struct CandidateAbout {
    /// The file of the program.
    pub file: String,
    /// The number, counted from 1.
    pub number: usize,
    /// The node.
    pub node: String,
    /// What it is to the node.
    pub kind: CandidateKind,
    /// Its text.
    pub candidate: String,
    /// Where it comes from.
    pub origin: String,
    /// The line there.
    pub line: u32,
}

/// All that Houdini has to say of a program.
#[derive(Clone, Default, Debug)]
pub struct Houdini {
    /// The candidates; the n-th has the number n + 1.
    pub candidates: Vec<CandidateEvent>,
    /// The rounds.
    pub rounds: Vec<HoudiniRound>,
}

impl Houdini {
    /// As lines.
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        let rounds = self.rounds.iter().cloned().map(Event::Round);
        let candidates = self.candidates.iter().cloned();
        rounds.chain(candidates.map(|c| Event::Candidate(Box::new(c)))).collect()
    }

    /// How many are left, of those that were tried.
    #[must_use]
    pub fn left(&self) -> (usize, usize) {
        let tried = |c: &&CandidateEvent| !matches!(c.fate, CandidateFate::NotTried { .. });
        let kept = self.candidates.iter().filter(|c| c.fate == CandidateFate::Kept).count();
        (kept, self.candidates.iter().filter(tried).count())
    }

    /// A candidate by its number.
    pub(crate) fn candidate(&self, number: usize) -> Option<&CandidateEvent> {
        self.candidates.get(number.checked_sub(1)?)
    }

    /// The nodes, in the order of their candidates.
    pub(crate) fn nodes(&self) -> Vec<&str> {
        let mut nodes: Vec<&str> = Vec::new();
        for candidate in &self.candidates {
            if !nodes.contains(&&*candidate.node) {
                nodes.push(&candidate.node);
            }
        }
        nodes
    }

    /// What happened in a round, in words.
    pub(crate) fn round(&self, round: &HoudiniRound) -> String {
        let removed = round.removed.iter().filter_map(|number| self.candidate(*number));
        let removed: Vec<String> = removed
            .map(|c| {
                let of =
                    if c.node == round.verified { String::new() } else { format!("{}: ", c.node) };
                format!("{of}{}", c.said())
            })
            .collect();
        match removed.len() {
            0 => "nothing fails".into(),
            _ => format!("removed {}", removed.join(", ")),
        }
    }

    /// How a candidate was removed, in one sentence.
    pub(crate) fn reason(&self, candidate: &CandidateEvent) -> Option<String> {
        let truth = match &candidate.fate {
            CandidateFate::Kept => return None,
            CandidateFate::NotTried { reason } => return Some(reason.clone()),
            CandidateFate::Undecided { reason } => format!("the solver cannot tell ({reason})"),
            CandidateFate::False { step, .. } => format!("it fails at step {step} of an execution"),
            CandidateFate::NotInductive => "no execution is known in which it fails".into(),
        };
        let Some(removal) = &candidate.removal else { return Some(truth) };
        let round = removal.round;
        let place = match &removal.call {
            Some(call) => format!("the call {call} in {} does not establish it", removal.verified),
            None => match removal.steps.as_ref().map(|s| s.steps) {
                Some(1) => "it fails at the first step".into(),
                Some(_) => "from some state it fails at the next step".into(),
                None => return Some(format!("round {round}: {truth}")),
            },
        };
        Some(format!("round {round}: {place}; {truth}"))
    }

    /// The chain of removals that led to one, each with how deep it stands: causes come after
    /// what they caused, each once.
    pub(crate) fn chain(&self, candidate: &CandidateEvent) -> Vec<(usize, &CandidateEvent)> {
        let mut seen = vec![candidate.number];
        let mut chain = Vec::new();
        let causes = |c: &CandidateEvent| {
            let because = c.removal.as_ref().map(|r| r.because.clone()).unwrap_or_default();
            because.into_iter().rev().collect::<Vec<usize>>()
        };
        let mut left: Vec<(usize, usize)> = causes(candidate).into_iter().map(|n| (1, n)).collect();
        while let Some((depth, number)) = left.pop() {
            let Some(cause) = self.candidate(number) else { continue };
            if seen.contains(&number) {
                continue;
            }
            seen.push(number);
            chain.push((depth, cause));
            left.extend(causes(cause).into_iter().map(|n| (depth + 1, n)));
        }
        chain
    }

    /// For people; with the steps and executions, if they are wanted.
    #[must_use]
    pub fn text(&self, style: Style, width: usize, steps: bool) -> String {
        let mut out = String::new();
        for round in &self.rounds {
            let HoudiniRound { round: number, verified, left, .. } = round;
            let what = printable(&self.round(round));
            let _ =
                writeln!(out, "round {number}: {} with {left} left: {what}", printable(verified));
        }
        for node in self.nodes() {
            let _ = writeln!(out, "node {}", printable(node));
            for candidate in self.candidates.iter().filter(|c| c.node == node) {
                self.line(candidate, style, &mut out);
                if steps {
                    self.details(candidate, style, width, &mut out);
                }
            }
        }
        let (kept, tried) = self.left();
        let _ = writeln!(out, "{kept} of {tried} candidates are left");
        out
    }

    fn line(&self, candidate: &CandidateEvent, style: Style, out: &mut String) {
        let word = candidate.fate.word();
        let colour = match candidate.fate {
            CandidateFate::Kept => Style::GREEN,
            CandidateFate::False { .. } => Style::RED,
            _ => Style::YELLOW,
        };
        let word = style.paint(colour, &format!("{word:<14}"));
        let _ = writeln!(out, "  {word}{}", printable(&candidate.said()));
        if let Some(reason) = self.reason(candidate) {
            let _ = writeln!(out, "    {}", printable(&reason));
        }
        for (depth, cause) in self.chain(candidate) {
            let round = cause.removal.as_ref().map_or(0, |r| r.round);
            let indent = "  ".repeat(depth);
            let said = printable(&cause.said());
            let node = printable(&cause.node);
            let _ =
                writeln!(out, "    {indent}because {said} of {node} was removed in round {round}");
        }
    }

    fn details(&self, candidate: &CandidateEvent, style: Style, width: usize, out: &mut String) {
        if let CandidateFate::False { trace, .. } = &candidate.fate {
            let _ = writeln!(out, "    an execution in which it fails:");
            out.push_str(&trace.blocks(style, width, Most::REASON));
            return;
        }
        if let Some(steps) = candidate.removal.as_ref().and_then(|r| r.steps.as_ref()) {
            let _ = writeln!(out, "    the steps, *possibly unreachable*:");
            out.push_str(&steps.blocks(style, width, Most::HINT));
        }
    }
}
