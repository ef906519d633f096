//! The model: verdicts as a reader wants them, with names instead of ids.

use std::sync::Arc;

use lustral_certify::{Answer, Checked, show_invariants};
use lustral_render::execution::{Begin, Execution};
use lustral_render::{LustreWriter, printable};
use lustral_system::Goal;
use lustral_system::{
    Certificate, Dependencies, InstanceId, Note, Proof, PropId, Reason, Trace, TransitionSystem,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blame::Blame;
use crate::cause::Cause;
use crate::composition::Composition;
use crate::event::micro_if_any;
use crate::explanation::Explanation;
use crate::grounds::{RestsOn, Statement};
use crate::item::ContractItem;
use crate::note::NoteEvent;
use crate::parts::{Part, parts};

/// What a verdict is about.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The file that the property stands in: as the user gave it, or an included one.
    pub file: &'a str,
    /// The system that was checked, as it came from the program.
    pub system: &'a TransitionSystem,
    /// The line of the property in its file.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// Its text, on one line; empty if it has none.
    pub expression: &'a str,
    /// What the premises of the answer are in the program.
    pub premises: &'a [Statement],
    /// Who is to blame for a counterexample, if a contract has a part in it.
    pub blame: Option<&'a Blame>,
    /// What of a contract it is, if it is part of one.
    pub item: Option<ContractItem>,
}

/// How a verdict came about.
#[derive(Clone, Debug, Default)]
pub struct RunInfo {
    /// The engine that found it.
    pub engine: Option<&'static str>,
    /// The solver that it asked, if it asked one.
    pub solver: Option<String>,
    /// The time from the start of the run, if it is to be shown.
    pub seconds: Option<f64>,
    /// What the user should know besides.
    pub warnings: Vec<String>,
    /// The folder that the certificate was written to.
    pub certificate: Option<String>,
    /// Of an execution: whether the property is known to hold at all earlier steps of every execution.
    pub first: bool,
    /// For a property without an answer, why it is not inductive.
    pub hint: Option<Hint>,
    /// Whether the user wants proofs to be explained.
    pub explain: bool,
    /// For a proof by induction, what its parts need.
    pub dependencies: Option<Dependencies>,
    /// What engines leave for the reader.
    pub notes: Vec<Arc<Note>>,
}

impl RunInfo {
    /// The engine, for people: with its solver, if that is not the one inside
    /// the program, which goes without saying.
    pub(crate) fn answered_by(&self) -> Option<String> {
        let other = self.solver.as_ref().filter(|solver| *solver != "z3-builtin");
        let solver = other.map(|solver| format!(" with {solver}")).unwrap_or_default();
        self.engine.map(|engine| format!("{engine}{solver}"))
    }
}

/// A counterexample to induction: steps from some state, reachable or not, at
/// the last of which the property fails though it holds at those before.
#[derive(Clone, Debug)]
pub struct Hint {
    /// The number of steps before the last.
    pub k: usize,
    /// The steps.
    pub trace: Trace,
}

/// A verdict. Only a checked answer makes one: its outcome cannot be set from
/// outside.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The file.
    pub file: String,
    /// The node that was checked.
    pub node: String,
    /// The property.
    pub property: String,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// Its text, on one line; empty if it has none.
    pub expression: String,
    /// What is wanted of it.
    pub goal: Goal,
    /// What of a contract it is, if it is part of one.
    pub item: Option<ContractItem>,
    /// What is known.
    pub(crate) outcome: Outcome,
    /// Of a property without an answer: the k of a counterexample to
    /// induction, and its steps.
    pub(crate) induction: Option<(usize, Execution)>,
    /// Of a proof by induction: what each of its facts needs.
    pub(crate) explanation: Option<Explanation>,
    /// What engines leave for the reader.
    pub(crate) notes: Vec<NoteEvent>,
    /// Of a proof that looks at each node once: what it does without.
    pub(crate) composition: Option<Composition>,
    /// How it came about.
    pub run: RunInfo,
}

/// What is known of a property.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It holds.
    Valid {
        /// The k of the induction, or the number of steps explored.
        k: usize,
        /// Whether k steps reach everything that can be reached.
        exhausted: bool,
        /// Whether the induction is over steps in different states.
        compression: bool,
        /// The invariants of the proof, besides the property itself.
        invariants: Vec<String>,
        /// What it takes for granted, if that was looked at.
        rests_on: Option<RestsOn>,
    },
    /// It fails at this step.
    Falsifiable {
        /// Counted from 0.
        step: usize,
        /// Whether no execution fails at an earlier step; else nobody knows.
        first: bool,
        /// The values of its parts at that step.
        parts: Vec<Part>,
        /// The few values that matter, if they were found.
        cause: Option<Box<Cause>>,
        /// The execution.
        trace: Execution,
        /// Who is to blame, if a contract has a part in it.
        blame: Option<Blame>,
    },
    /// Nothing.
    Unknown {
        /// Why.
        reason: String,
        /// The name of the kind of reason.
        code: String,
        /// There is no execution at all.
        vacuous: bool,
        /// An answer did not pass its check.
        internal_error: bool,
    },
}

impl Outcome {
    fn unknown(reason: &Reason) -> Outcome {
        Outcome::Unknown {
            reason: reason.to_string(),
            code: reason.code().to_string(),
            vacuous: *reason == Reason::Vacuous,
            internal_error: matches!(reason, Reason::CheckFailed(_) | Reason::Broken(_)),
        }
    }
}

/// The counts at the end.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Summary {
    /// Properties that hold.
    pub valid: usize,
    /// Properties of protocols that hold at the sizes that were asked for; of others nothing is known.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub holds_at_size: usize,
    /// Properties that fail.
    pub falsifiable: usize,
    /// What can be reached, of what was asked for.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reachable: usize,
    /// What cannot be reached, of what was asked for.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unreachable: usize,
    /// Properties without an answer.
    pub unknown: usize,
    /// Files that were not checked, or not wholly: they cannot be read, or what they say
    /// cannot be accepted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rejected: usize,
    /// The time from the start of the run; absent with --deterministic.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "micro_if_any")]
    #[schemars(with = "f64", range(min = 0.0))]
    pub seconds: Option<f64>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Verdict {
    /// The verdict of a checked answer.
    #[must_use]
    ///
    /// # Panics
    /// If the answer is about another node than the subject, or about calls that nobody
    /// has shown to be given what they are owed: that is a mistake
    /// of the program, and showing it would be a wrong answer.
    pub fn new(subject: Subject<'_>, answer: &Checked<Answer>, run: RunInfo) -> Verdict {
        let system = subject.system;
        let property = answer.property();
        assert_eq!(answer.node(), system.root().node, "an answer about another node");
        assert!(!answer.is_conditional(), "an answer about some calls of the node only");
        let outcome = match answer.get() {
            Answer::Valid(certificate) => {
                valid(system, property, certificate, RestsOn::new(answer, subject.premises))
            }
            Answer::Falsifiable(trace) => Outcome::Falsifiable {
                step: trace.len() - 1,
                first: run.first || trace.len() == 1,
                parts: parts(system, property, trace),
                cause: Cause::new(system, answer).map(Box::new),
                trace: Execution::new(system, property, trace, Begin::Initially),
                blame: subject.blame.cloned(),
            },
            Answer::Unknown(reason) => Outcome::unknown(reason),
        };
        let induction = match (&outcome, &run.hint) {
            (Outcome::Unknown { .. }, Some(hint)) => {
                Some((hint.k, Execution::new(system, property, &hint.trace, Begin::Anywhere)))
            }
            _ => None,
        };
        let name = &system.property(property).name;
        let explanation = match (&outcome, &run.dependencies) {
            (Outcome::Valid { invariants, rests_on, .. }, Some(dependencies)) => {
                let constrained = match rests_on {
                    Some(known) => !known.statements.is_empty(),
                    None => !system.constraints.is_empty(),
                };
                Explanation::new(name, invariants, dependencies, constrained)
            }
            _ => None,
        };
        let notes = run.notes.iter().map(|note| NoteEvent::new(system, property, note));
        let notes = notes.collect();
        Verdict {
            file: subject.file.to_string(),
            node: system.root().node.clone(),
            property: name.clone(),
            expression: subject.expression.to_string(),
            goal: system.property(property).goal,
            item: subject.item,
            line: subject.line,
            column: subject.column,
            outcome,
            induction,
            explanation,
            notes,
            composition: answer.cut().map(|cut| Composition::new(cut)),
            run,
        }
    }

    /// What is to be said of the same property in a node that was checked for some values of
    /// its constants, this among them: nothing.
    #[must_use]
    pub fn of_all_values(&self, node: &str, property: &str, reason: &Reason) -> Verdict {
        Verdict {
            node: node.to_string(),
            property: property.to_string(),
            outcome: Outcome::unknown(reason),
            induction: None,
            explanation: None,
            notes: Vec::new(),
            composition: None,
            run: RunInfo { seconds: self.run.seconds, ..RunInfo::default() },
            ..self.clone()
        }
    }

    /// What is known.
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// What it takes for granted, or who is to blame, as a sentence.
    pub(crate) fn grounds(&self) -> Option<String> {
        match &self.outcome {
            Outcome::Falsifiable { blame: Some(blame), .. } => {
                Some(printable(&blame.sentence()).to_string())
            }
            Outcome::Valid { rests_on: Some(rests_on), .. } => {
                rests_on.sentence(&self.file, &self.node)
            }
            _ => None,
        }
    }

    /// The word for it.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match (&self.outcome, self.goal) {
            (Outcome::Valid { .. }, Goal::Always) => "valid",
            (Outcome::Falsifiable { .. }, Goal::Always) => "falsifiable",
            (Outcome::Valid { .. }, Goal::Reachable | Goal::Occurs) => "unreachable",
            (Outcome::Falsifiable { .. }, Goal::Reachable | Goal::Occurs) => "reachable",
            (Outcome::Unknown { .. }, _) => "unknown",
        }
    }

    /// Whether it is as wanted; none if that is not known.
    #[must_use]
    pub fn is_as_wanted(&self) -> Option<bool> {
        match self.outcome {
            Outcome::Valid { .. } => Some(self.goal == Goal::Always),
            Outcome::Falsifiable { .. } => Some(self.goal != Goal::Always),
            Outcome::Unknown { .. } => None,
        }
    }
}

impl Summary {
    /// Counts a verdict.
    pub fn count(&mut self, verdict: &Verdict) {
        *match (&verdict.outcome, verdict.goal) {
            (Outcome::Valid { .. }, Goal::Always) => &mut self.valid,
            (Outcome::Falsifiable { .. }, Goal::Always) => &mut self.falsifiable,
            (Outcome::Valid { .. }, Goal::Reachable | Goal::Occurs) => &mut self.unreachable,
            (Outcome::Falsifiable { .. }, Goal::Reachable | Goal::Occurs) => &mut self.reachable,
            (Outcome::Unknown { .. }, _) => &mut self.unknown,
        } += 1;
    }

    /// Whether nothing was counted.
    #[must_use]
    pub fn is_without_verdicts(&self) -> bool {
        self.ratings() == [0; 3]
    }

    /// How many are as wanted, how many are not, and of how many that is not known.
    pub(crate) fn ratings(&self) -> [usize; 3] {
        [self.valid + self.reachable, self.falsifiable + self.unreachable, self.unknown]
    }
}

fn valid(
    system: &TransitionSystem,
    property: PropId,
    certificate: &Certificate,
    rests_on: Option<RestsOn>,
) -> Outcome {
    Outcome::Valid {
        k: certificate.k(),
        exhausted: matches!(certificate.proof, Proof::Exhausted { .. }),
        compression: certificate.is_compressed(),
        invariants: invariants(system, property, certificate),
        rests_on,
    }
}

/// What is no longer than this may be longer than with the names of the system.
const SHORT: usize = 300;

/// What a proof rests on besides its property: as Lustre, in the scope of the
/// instance that is named first, or else with paths as names.
fn invariants(
    system: &TransitionSystem,
    property: PropId,
    certificate: &Certificate,
) -> Vec<String> {
    let mut texts = show_invariants(system, Some(property), certificate);
    let Proof::Induction { invariants, .. } = &certificate.proof else { return texts };
    // The writer looks at the whole system, which is much for nothing.
    if invariants.is_empty() {
        return texts;
    }
    let mut writer = LustreWriter::new(system);
    let others = texts.len() - invariants.len();
    for (text, predicate) in texts[others..].iter_mut().zip(invariants) {
        match writer.expression(predicate) {
            Some((InstanceId::ROOT, lustre)) => *text = lustre,
            Some((instance, lustre)) => {
                let path = &system.instance(instance).path;
                *text = format!("{path}: {lustre}");
            }
            None => {
                let short = |t: &String| t.chars().count() <= text.chars().count().max(SHORT);
                if let Some(with_paths) = writer.with_paths(predicate).filter(short) {
                    *text = with_paths;
                }
            }
        }
    }
    texts
}
