//! The model: verdicts as a reader wants them, with names instead of ids.

use std::sync::Arc;

use crate::lustre::LustreWriter;
use lustral_certify::{Answer, Checked, show_invariants};
use lustral_system::{
    Certificate, Dependencies, DualSearch, Instance, InstanceId, Proof, PropId, Reason, Role,
    StreamRole, Trace, TransitionSystem,
};
use lustral_term::{Partial, Sort, Value};
use num_traits::{One, Signed, Zero};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::composition::Composition;
use crate::duality::Duality;
use crate::event::micro_if_any;
use crate::explanation::Explanation;

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
    /// For a property without an answer, why it is not inductive.
    pub hint: Option<Hint>,
    /// Whether the user wants proofs to be explained.
    pub explain: bool,
    /// For a proof by induction, what its parts need.
    pub dependencies: Option<Dependencies>,
    /// How a primal-dual search for the property ended.
    pub dual_search: Option<Arc<DualSearch>>,
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
    /// What is known.
    pub(crate) outcome: Outcome,
    /// Of a property without an answer: the k of a counterexample to
    /// induction, and its steps.
    pub(crate) induction: Option<(usize, TraceTable)>,
    /// Of a proof by induction: what each of its facts needs.
    pub(crate) explanation: Option<Explanation>,
    /// How a primal-dual search for the property went.
    pub(crate) duality: Option<Duality>,
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
    },
    /// It fails at this step.
    Falsifiable {
        /// Counted from 0.
        step: usize,
        /// The execution.
        trace: TraceTable,
    },
    /// Nothing.
    Unknown {
        /// Why.
        reason: String,
        /// The name of the kind of reason.
        code: &'static str,
        /// There is no execution at all.
        vacuous: bool,
        /// An answer did not pass its check.
        internal_error: bool,
    },
}

/// An execution, by instance and flow.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct TraceTable {
    /// The number of steps.
    #[schemars(range(min = 1))]
    pub steps: usize,
    /// The instances, the checked node first.
    pub instances: Vec<InstanceRows>,
    /// The arbitrary values that the execution relies on; for steps that begin
    /// in some state, also what that state remembers.
    pub choices: Vec<Choice>,
    /// What divisions by zero gave.
    pub divisions: Vec<Division>,
}

/// The flows of an instance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct InstanceRows {
    /// Its path below the checked node; empty for that node itself.
    pub path: String,
    /// The name of its node.
    pub node: String,
    /// Its flows.
    pub streams: Vec<Row>,
}

/// A flow.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// What it is to its node.
    pub role: RowRole,
    /// The kind of its values.
    #[serde(rename = "type")]
    pub ty: RowType,
    /// Whether the property depends on it.
    pub relevant: bool,
    /// Its value at each step.
    pub values: Vec<Datum>,
}

/// What a flow is to its node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RowRole {
    /// It is given.
    Input,
    /// It is returned.
    Output,
    /// Nobody else sees it.
    Local,
}

impl RowRole {
    /// All of them.
    pub const ALL: [RowRole; 3] = [RowRole::Input, RowRole::Output, RowRole::Local];

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            RowRole::Input => "input",
            RowRole::Output => "output",
            RowRole::Local => "local",
        }
    }
}

/// The kind of the values of a flow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RowType {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Rational numbers.
    Real,
    /// Names.
    Enum,
}

impl RowType {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            RowType::Bool => "bool",
            RowType::Int => "int",
            RowType::Real => "real",
            RowType::Enum => "enum",
        }
    }
}

/// Truth values as such; integers as numbers below 2^53 in size and as text
/// beyond; reals as text, a decimal or a fraction; values of enumerations by name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Datum {
    /// A truth value.
    Bool(bool),
    /// An integer that every reader keeps exact.
    Int(i64),
    /// All else.
    Text(String),
}

impl std::fmt::Display for Datum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Datum::Bool(b) => b.fmt(f),
            Datum::Int(n) => n.fmt(f),
            Datum::Text(text) => f.write_str(text),
        }
    }
}

impl From<bool> for Datum {
    fn from(b: bool) -> Datum {
        Datum::Bool(b)
    }
}

impl From<i64> for Datum {
    fn from(n: i64) -> Datum {
        Datum::Int(n)
    }
}

impl From<String> for Datum {
    fn from(text: String) -> Datum {
        Datum::Text(text)
    }
}

impl From<&str> for Datum {
    fn from(text: &str) -> Datum {
        Datum::Text(text.to_string())
    }
}

/// An arbitrary first value of a `pre`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Choice {
    /// What it is the first value of.
    pub name: String,
    /// The value.
    pub value: Datum,
}

/// What a division by zero gave.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Division {
    /// The operation.
    pub operation: DivisionOperation,
    /// What was divided.
    pub dividend: Datum,
    /// What came out.
    pub value: Datum,
}

/// An operation that divides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub enum DivisionOperation {
    /// Of reals.
    #[serde(rename = "/")]
    Real,
    /// The integer quotient.
    #[serde(rename = "div")]
    Div,
    /// The remainder.
    #[serde(rename = "mod")]
    Mod,
}

impl DivisionOperation {
    /// As it stands in a program.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            DivisionOperation::Real => "/",
            DivisionOperation::Div => "div",
            DivisionOperation::Mod => "mod",
        }
    }
}

/// The counts at the end.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Summary {
    /// Properties that hold.
    pub valid: usize,
    /// Properties that fail.
    pub falsifiable: usize,
    /// Properties without an answer.
    pub unknown: usize,
    /// The time from the start of the run; absent with --deterministic.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "micro_if_any")]
    #[schemars(with = "f64", range(min = 0.0))]
    pub seconds: Option<f64>,
}

impl Verdict {
    /// The verdict of a checked answer.
    #[must_use]
    ///
    /// # Panics
    /// If the answer is about another node than the subject: that is a mistake
    /// of the program, and showing it would be a wrong answer.
    pub fn new(subject: Subject<'_>, answer: &Checked<Answer>, run: RunInfo) -> Verdict {
        let system = subject.system;
        let property = answer.property();
        assert_eq!(answer.node(), system.root().node, "an answer about another node");
        let outcome = match answer.get() {
            Answer::Valid(certificate) => valid(system, property, certificate),
            Answer::Falsifiable(trace) => Outcome::Falsifiable {
                step: trace.len() - 1,
                trace: table(system, property, trace, Begin::Initially),
            },
            Answer::Unknown(reason) => Outcome::Unknown {
                reason: reason.to_string(),
                code: reason.code(),
                vacuous: *reason == Reason::Vacuous,
                internal_error: matches!(reason, Reason::CheckFailed(_) | Reason::Broken(_)),
            },
        };
        let induction = match (&outcome, &run.hint) {
            (Outcome::Unknown { .. }, Some(hint)) => {
                Some((hint.k, table(system, property, &hint.trace, Begin::Anywhere)))
            }
            _ => None,
        };
        let name = &system.property(property).name;
        let explanation = match (&outcome, &run.dependencies) {
            (Outcome::Valid { invariants, .. }, Some(dependencies)) => {
                Explanation::new(name, invariants, dependencies)
            }
            _ => None,
        };
        let search = run.dual_search.as_ref();
        let duality = search.map(|search| Duality::new(system, property, search));
        Verdict {
            file: subject.file.to_string(),
            node: system.root().node.clone(),
            property: name.clone(),
            line: subject.line,
            column: subject.column,
            outcome,
            induction,
            explanation,
            duality,
            composition: answer.cut().map(|cut| Composition::new(cut)),
            run,
        }
    }

    /// What is known.
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The word for it.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self.outcome {
            Outcome::Valid { .. } => "valid",
            Outcome::Falsifiable { .. } => "falsifiable",
            Outcome::Unknown { .. } => "unknown",
        }
    }
}

impl Summary {
    /// Counts a verdict.
    pub fn count(&mut self, verdict: &Verdict) {
        match verdict.outcome {
            Outcome::Valid { .. } => self.valid += 1,
            Outcome::Falsifiable { .. } => self.falsifiable += 1,
            Outcome::Unknown { .. } => self.unknown += 1,
        }
    }
}

fn valid(system: &TransitionSystem, property: PropId, certificate: &Certificate) -> Outcome {
    Outcome::Valid {
        k: certificate.k(),
        exhausted: matches!(certificate.proof, Proof::Exhausted { .. }),
        compression: certificate.is_compressed(),
        invariants: invariants(system, property, certificate),
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

/// Where the steps of a table begin.
#[derive(Clone, Copy, PartialEq)]
enum Begin {
    Initially,
    Anywhere,
}

fn table(system: &TransitionSystem, property: PropId, trace: &Trace, begin: Begin) -> TraceTable {
    let cone = system.cone(system.property(property).term);
    let rows = |instance: &Instance| InstanceRows {
        path: instance.path.clone(),
        node: instance.node.clone(),
        streams: instance
            .streams
            .iter()
            .map(|stream| {
                let value = |step| show(trace.value(step, stream.var), stream.values.as_deref());
                let sort = system.variable(stream.var).sort;
                Row {
                    name: stream.name.clone(),
                    role: match stream.role {
                        StreamRole::Input => RowRole::Input,
                        StreamRole::Output => RowRole::Output,
                        StreamRole::Local => RowRole::Local,
                    },
                    ty: match (sort, &stream.values) {
                        (_, Some(_)) => RowType::Enum,
                        (Sort::Bool, _) => RowType::Bool,
                        (Sort::Int, _) => RowType::Int,
                        (Sort::Real, _) => RowType::Real,
                    },
                    relevant: cone[stream.var.index()],
                    values: (0..trace.len()).map(value).collect(),
                }
            })
            .collect(),
    };
    let shown = |role: Role| match begin {
        Begin::Initially => role == Role::Choice,
        Begin::Anywhere => role == Role::Choice || role == Role::Memory,
    };
    let choices = system.variables().filter(|(id, v)| shown(v.role) && cone[id.index()]);
    let choices = choices
        .map(|(id, v)| Choice { name: v.name.clone(), value: show(trace.value(0, id), None) });
    let divisions = trace.divisions.0.iter().map(|((operation, dividend), value)| Division {
        operation: match operation {
            Partial::RealDiv => DivisionOperation::Real,
            Partial::IntDiv => DivisionOperation::Div,
            Partial::Mod => DivisionOperation::Mod,
        },
        dividend: show(dividend, None),
        value: show(value, None),
    });
    TraceTable {
        steps: trace.len(),
        instances: system.instances.iter().map(rows).collect(),
        choices: choices.collect(),
        divisions: divisions.collect(),
    }
}

/// A value in JSON: truth values as such, integers as numbers where every
/// reader keeps them exact and else as text, reals and enumerations as text.
pub(crate) fn show(value: &Value, names: Option<&[String]>) -> Datum {
    match value {
        Value::Bool(b) => (*b).into(),
        Value::Int(n) => {
            if let (Some(names), Ok(i)) = (names, usize::try_from(n))
                && let Some(name) = names.get(i)
            {
                return name.as_str().into();
            }
            match i64::try_from(n) {
                Ok(small) if small.unsigned_abs() < 1 << 53 => small.into(),
                _ => n.to_string().into(),
            }
        }
        Value::Real(r) => show_real(r.numer(), r.denom()).into(),
    }
}

/// A decimal where it is a short one, else a fraction.
fn show_real<N>(numerator: &N, denominator: &N) -> String
where
    N: Clone + Zero + One + Signed + std::fmt::Display + From<u32>,
    for<'a> &'a N: std::ops::Rem<&'a N, Output = N>
        + std::ops::Div<&'a N, Output = N>
        + std::ops::Mul<&'a N, Output = N>,
{
    let ten = N::from(10);
    let mut scale = N::one();
    for digits in 0..=12usize {
        if (&scale % denominator).is_zero() {
            let scaled = (numerator * &(&scale / denominator)).abs();
            let sign = if numerator.is_negative() { "-" } else { "" };
            let text = format!("{:0>width$}", scaled.to_string(), width = digits + 1);
            let (whole, fraction) = text.split_at(text.len() - digits);
            let fraction = if fraction.is_empty() { "0" } else { fraction };
            return format!("{sign}{whole}.{fraction}");
        }
        scale = &scale * &ten;
    }
    format!("{numerator}/{denominator}")
}
