//! The line of a verdict.

use lustral_render::Execution;
use lustral_system::Goal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Event, micro_if_any};
use crate::blame::Blame;
use crate::cause::Cause;
use crate::composition::Composition;
use crate::explanation::Fact;
use crate::grounds::RestsOn;
use crate::item::ContractItem;
use crate::model::{Outcome, Verdict};
use crate::note::NoteEvent;
use crate::parts::Part;
use crate::realizability::{ConflictEvent, ContractOutcome, ContractVerdict};

/// What is known of a property.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
// What the types do not say: an engine has found every answer, and all but one ask a solver.
#[schemars(extend("allOf" = [
    {
        "if": { "properties": { "verdict": {
            "enum": ["valid", "falsifiable", "reachable", "unreachable", "realizable", "unrealizable"]
        } } },
        "then": { "required": ["engine"] }
    },
    {
        "if": { "required": ["engine"], "properties": { "engine": { "not": { "const": "simulation" } } } },
        "then": { "required": ["solver"] }
    },
]))]
pub struct VerdictEvent {
    /// The file that the property stands in, which may be an included one.
    pub file: String,
    /// The node that was checked.
    pub node: String,
    /// With the path of the instance for properties of called nodes.
    pub property: String,
    /// What of a contract it is, if it is part of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<ContractItem>,
    /// Counted from 1.
    #[schemars(range(min = 1))]
    pub line: u32,
    /// Counted from 1.
    #[schemars(range(min = 1))]
    pub column: u32,
    /// The text of the property, on one line; empty if it has none.
    #[serde(default)]
    pub expression: String,
    // Not to be set from outside: see the head of the module above.
    #[serde(flatten)]
    outcome: OutcomeEvent,
    /// With --explain: what engines say of their search for an answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<NoteEvent>,
    /// With --compositional, of a proof: what it does without, and what it was
    /// given instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub composition: Option<Composition>,
    /// The engine that found the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The solver that the engine asked; absent if it asked none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver: Option<String>,
    /// The time from the start of the run; absent with --deterministic.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "micro_if_any")]
    #[schemars(with = "f64", range(min = 0.0))]
    pub seconds: Option<f64>,
    /// What the user should know besides.
    pub warnings: Vec<String>,
}

/// What is known, with its evidence.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum OutcomeEvent {
    /// It holds.
    Valid(ProvedEvent),
    /// It fails.
    Falsifiable {
        /// The step at which it fails, counted from 0.
        step: usize,
        /// Whether no execution fails at an earlier step; if not, nobody knows.
        #[serde(default)]
        first: bool,
        /// The values of the parts of the property at that step, the whole first.
        #[serde(default)]
        parts: Vec<Part>,
        /// The few values that matter: with them it fails at that step, whatever all others are. Absent
        /// if they were not found in time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cause: Option<Box<Cause>>,
        /// The execution.
        trace: Execution,
        /// Who is to blame, if a contract has a part in it: the caller, which breaks what a node assumes;
        /// the node, which breaks its contract; or a contract of a node without a body, which says too little.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        blame: Option<Blame>,
    },
    /// Of a contract: some node keeps it.
    Realizable {
        /// The number of moves of the strategy that was found.
        moves: usize,
        /// With --strategy: the program with a body for the node.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node_with_body: Option<String>,
    },
    /// Of a contract: no node keeps it.
    Unrealizable {
        /// The step at which no outputs are right, counted from 0.
        step: usize,
        /// A play: inputs of the environment and right outputs, and at the last step
        /// inputs for which there are none.
        trace: Execution,
        /// Which guarantees cannot be kept together, if that was found out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        conflict: Option<ConflictEvent>,
    },
    /// What was asked for is reached.
    Reachable {
        /// The step at which it is reached, counted from 0.
        step: usize,
        /// Whether no execution reaches it at an earlier step; if not, nobody knows.
        #[serde(default)]
        first: bool,
        /// The execution.
        trace: Execution,
    },
    /// What was asked for is never reached: its opposite always holds.
    Unreachable(ProvedEvent),
    /// There is no answer.
    Unknown {
        /// Why.
        reason: String,
        /// A stable name of the kind of reason.
        #[schemars(regex(pattern = "^[a-z][a-z_]*$"))]
        reason_code: String,
        /// Whether there is no execution at all.
        vacuous: bool,
        /// Why the property is not inductive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        counterexample_to_induction: Option<InductionEvent>,
    },
}

/// What was proved, and how.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ProvedEvent {
    /// The k of the induction, or the number of steps explored.
    pub k: usize,
    /// The proof.
    pub certificate: CertificateEvent,
    /// With --explain, of a proof by induction: its facts, the property
    /// first, then the invariants of the certificate in their order. Each
    /// follows at a step from the facts that it needs at the k steps before.
    /// Nothing can be left out of a list, unless finding that out took too long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub explanation: Option<Vec<Fact>>,
    /// What the proof needs of what is asserted and assumed; with --compositional also what the proofs
    /// about called nodes may need. Absent if the program asserts and assumes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rests_on: Option<RestsOn>,
}

/// A proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CertificateEvent {
    /// Its kind.
    pub proof: ProofKind,
    /// Whether the induction is over steps in different states.
    pub compression: bool,
    /// What strengthens the property.
    pub invariants: Vec<String>,
    /// The folder that it was written to.
    pub folder: Option<String>,
}

/// How a property was proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProofKind {
    /// By induction.
    Induction,
    /// All that can be reached was explored.
    Exhausted,
}

/// A counterexample to induction: steps from some state, reachable or not, at
/// the last of which the property fails though it holds at those before.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct InductionEvent {
    /// The number of steps before the last.
    #[schemars(range(min = 1))]
    pub k: usize,
    /// Always true: it is a hint and no answer.
    #[schemars(extend("const" = true))]
    pub possibly_unreachable: bool,
    /// The steps.
    pub trace: Execution,
}

impl VerdictEvent {
    /// What is known.
    #[must_use]
    pub fn outcome(&self) -> &OutcomeEvent {
        &self.outcome
    }

    /// The same, to leave out what is of no use elsewhere: here only.
    pub(crate) fn outcome_mut(&mut self) -> &mut OutcomeEvent {
        &mut self.outcome
    }
}

impl From<&Verdict> for Event {
    fn from(verdict: &Verdict) -> Event {
        Event::Verdict(Box::new(VerdictEvent {
            file: verdict.file.clone(),
            node: verdict.node.clone(),
            property: verdict.property.clone(),
            item: verdict.item,
            line: verdict.line,
            column: verdict.column,
            expression: verdict.expression.clone(),
            outcome: outcome(verdict),
            notes: verdict.notes.clone(),
            composition: verdict.composition.clone(),
            engine: verdict.run.engine.map(Into::into),
            solver: verdict.run.solver.clone(),
            seconds: verdict.run.seconds,
            warnings: verdict.run.warnings.clone(),
        }))
    }
}

/// The name under which the verdict about a contract stands among those about properties.
const CONTRACT: &str = "contract";

impl From<&ContractVerdict> for Event {
    fn from(verdict: &ContractVerdict) -> Event {
        Event::Verdict(Box::new(VerdictEvent {
            file: verdict.file.clone(),
            node: verdict.node.clone(),
            property: CONTRACT.into(),
            item: None,
            line: verdict.line,
            column: verdict.column,
            expression: String::new(),
            outcome: contract_outcome(verdict),
            notes: Vec::new(),
            composition: None,
            engine: verdict.run.engine.map(Into::into),
            solver: verdict.run.solver.clone(),
            seconds: verdict.run.seconds,
            warnings: verdict.run.warnings.clone(),
        }))
    }
}

fn contract_outcome(verdict: &ContractVerdict) -> OutcomeEvent {
    match &verdict.outcome {
        ContractOutcome::Realizable { moves, node } => {
            OutcomeEvent::Realizable { moves: *moves, node_with_body: node.clone() }
        }
        ContractOutcome::Unrealizable { play, conflict } => OutcomeEvent::Unrealizable {
            step: play.steps - 1,
            trace: play.clone(),
            conflict: conflict.clone(),
        },
        ContractOutcome::Unknown { reason, code } => OutcomeEvent::Unknown {
            reason: reason.clone(),
            reason_code: code.clone(),
            vacuous: code == "vacuous",
            counterexample_to_induction: None,
        },
    }
}

fn outcome(verdict: &Verdict) -> OutcomeEvent {
    match &verdict.outcome {
        Outcome::Valid { k, exhausted, compression, invariants, rests_on } => {
            let certificate = CertificateEvent {
                proof: if *exhausted { ProofKind::Exhausted } else { ProofKind::Induction },
                compression: *compression,
                invariants: invariants.clone(),
                folder: verdict.run.certificate.clone(),
            };
            let proved = ProvedEvent {
                k: *k,
                certificate,
                explanation: verdict.explanation.as_ref().map(|e| e.facts.clone()),
                rests_on: rests_on.clone(),
            };
            match verdict.goal {
                Goal::Always => OutcomeEvent::Valid(proved),
                Goal::Reachable | Goal::Occurs => OutcomeEvent::Unreachable(proved),
            }
        }
        Outcome::Falsifiable { step, first, parts, cause, trace, blame } => {
            let (step, first, parts, cause) = (*step, *first, parts.clone(), cause.clone());
            let (trace, blame) = (trace.clone(), blame.clone());
            match verdict.goal {
                Goal::Always => {
                    OutcomeEvent::Falsifiable { step, first, parts, cause, trace, blame }
                }
                Goal::Reachable | Goal::Occurs => OutcomeEvent::Reachable { step, first, trace },
            }
        }
        Outcome::Unknown { reason, code, vacuous, .. } => OutcomeEvent::Unknown {
            reason: reason.clone(),
            reason_code: code.clone(),
            vacuous: *vacuous,
            counterexample_to_induction: verdict.induction.as_ref().map(|(k, table)| {
                InductionEvent { k: *k, possibly_unreachable: true, trace: table.clone() }
            }),
        },
    }
}
