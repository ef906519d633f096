//! The trace of a system, with names instead of variables.

use lustral_system::{
    Instance, Origin, PropId, Question, Role, Stream, StreamRole, Trace, TransitionSystem,
    transitions_of,
};
use lustral_term::{Partial, Sort, Value, VarId};

use super::read::Reads;
use super::{
    Choice, Datum, Division, DivisionOperation, Execution, InstanceRows, Row, RowRole, RowType,
};

/// Where the steps of an execution begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Begin {
    /// At the first step.
    Initially,
    /// In some state, reachable or not.
    Anywhere,
}

impl Execution {
    /// The steps of a trace. The flows that the property depends on (its cone of
    /// influence) are the relevant ones.
    #[must_use]
    pub fn new(
        system: &TransitionSystem,
        property: PropId,
        trace: &Trace,
        begin: Begin,
    ) -> Execution {
        Execution::about(system, &system.cone(system.property(property).term), trace, begin)
    }

    /// The steps of a trace; by variable, whether it is relevant.
    #[must_use]
    pub fn about(
        system: &TransitionSystem,
        cone: &[bool],
        trace: &Trace,
        begin: Begin,
    ) -> Execution {
        let rows = |instance: &Instance| InstanceRows {
            path: instance.path.clone(),
            node: instance.node.clone(),
            streams: instance
                .streams
                .iter()
                .filter(|stream| stream.is_shown())
                .map(|s| row(system, is_relevant(instance, s, cone), trace, s))
                .collect(),
        };
        let shown = |role: Role| match begin {
            Begin::Initially => role == Role::Choice,
            Begin::Anywhere => role == Role::Choice || role == Role::Memory,
        };
        // What is the value of a flow is shown there.
        let mut elsewhere = vec![false; cone.len()];
        for (_, variable) in system.variables() {
            if let Role::Defined(term) = variable.role
                && let (Some(var), Origin::Stream { .. }) =
                    (system.terms.var(term), variable.origin)
            {
                elsewhere[var.index()] = true;
            }
        }
        let choices = system.variables().filter(|(id, v)| {
            let is_any = matches!(v.origin, Origin::Any { .. });
            shown(v.role) && cone[id.index()] && !(is_any && elsewhere[id.index()])
        });
        // A clock of its own may begin at any step.
        let begins_once = system.is_on_one_clock();
        let choices: Vec<(VarId, bool)> = choices
            .map(|(id, v)| (id, matches!(v.origin, Origin::Any { .. }) || !begins_once))
            .collect();
        let reads = choices.iter().any(|(_, every_step)| *every_step);
        let reads = reads.then(|| Reads::new(system, cone, trace));
        let choices = choices.into_iter().flat_map(|(id, every_step)| {
            let read = reads.as_ref().filter(|_| every_step && begin == Begin::Initially);
            let steps = match read {
                Some(reads) => reads.of(id),
                None if every_step => (0..trace.len()).collect(),
                None => vec![0],
            };
            chosen(system, trace, id, &steps)
        });
        Execution {
            steps: trace.len(),
            instances: system.instances.iter().map(rows).collect(),
            choices: choices.collect(),
            divisions: divisions(system, trace),
        }
    }
}

/// The values of a choice at the steps at which it counts.
fn chosen(system: &TransitionSystem, trace: &Trace, id: VarId, steps: &[usize]) -> Vec<Choice> {
    let name = &system.variable(id).name;
    let value = |step| Datum::new(system, trace.value(step, id));
    let Some(first) = steps.first() else { return Vec::new() };
    if steps.iter().all(|step| value(*step) == value(*first)) {
        return vec![Choice { name: name.clone(), value: value(*first) }];
    }
    let at = |step: &usize| Choice { name: format!("{name} at step {step}"), value: value(*step) };
    steps.iter().map(at).collect()
}

/// Transitions are of interest where the state of their automaton is: no property depends on
/// the flow that says which are taken.
fn is_relevant(instance: &Instance, stream: &Stream, cone: &[bool]) -> bool {
    let automaton = transitions_of(&stream.name).filter(|_| stream.hidden);
    let state = automaton.and_then(|name| instance.streams.iter().find(|s| s.name == name));
    cone[state.unwrap_or(stream).var.index()]
}

pub(super) fn row(
    system: &TransitionSystem,
    relevant: bool,
    trace: &Trace,
    stream: &Stream,
) -> Row {
    let counts = |step| {
        let made = |(tag, constructor): &(VarId, u32)| matches!(trace.value(step, *tag), Value::Enum(_, value) if value == constructor);
        stream.counts.iter().all(made)
    };
    let value = |step| match stream.active {
        Some(active) if !trace.value(step, active).is_true() => Datum::Absent,
        _ if !counts(step) => Datum::Absent,
        _ => Datum::new(system, trace.value(step, stream.var)),
    };
    Row {
        name: stream.name.clone(),
        role: match stream.role {
            StreamRole::Input => RowRole::Input,
            StreamRole::Output => RowRole::Output,
            StreamRole::Local => RowRole::Local,
        },
        ty: match system.variable(stream.var).sort {
            Sort::Bool => RowType::Bool,
            Sort::Int | Sort::BitVec(_) => RowType::Int,
            Sort::Real => RowType::Real,
            // Values that are shown as text, whatever it says.
            Sort::Enum(_) | Sort::Array(_) | Sort::Uninterpreted(_) => RowType::Enum,
        },
        relevant,
        values: (0..trace.len()).map(value).collect(),
    }
}

pub(super) fn divisions(system: &TransitionSystem, trace: &Trace) -> Vec<Division> {
    let division = |(question, value): (&Question, _)| match question {
        Question::Division(operation, dividend) => Some(Division {
            operation: match operation {
                Partial::RealDiv => DivisionOperation::Real,
                Partial::IntDiv => DivisionOperation::Div,
                Partial::Mod => DivisionOperation::Mod,
            },
            dividend: Datum::new(system, dividend),
            value: Datum::new(system, value),
        }),
        // What a function gives is among the flows of its instances.
        Question::Call(..) => None,
    };
    trace.answers.0.iter().filter_map(division).collect()
}
