//! The trace of a system, with names instead of variables.

use lustral_system::{
    Instance, Origin, PropId, Role, Stream, StreamRole, Trace, TransitionSystem, Variable,
};
use lustral_term::{Partial, Sort, VarId};

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
            streams: instance.streams.iter().map(|s| row(system, cone, trace, s)).collect(),
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
        let choices = choices.flat_map(|(id, v)| chosen(system, trace, id, v));
        Execution {
            steps: trace.len(),
            instances: system.instances.iter().map(rows).collect(),
            choices: choices.collect(),
            divisions: divisions(system, trace),
        }
    }
}

/// The values of a choice: most are read once, others at every step.
fn chosen(system: &TransitionSystem, trace: &Trace, id: VarId, variable: &Variable) -> Vec<Choice> {
    let value = |step| Datum::new(system, trace.value(step, id));
    // A clock of its own may begin at any step.
    let every_step = matches!(variable.origin, Origin::Any { .. }) || !system.is_on_one_clock();
    if !every_step || (1..trace.len()).all(|step| value(step) == value(0)) {
        return vec![Choice { name: variable.name.clone(), value: value(0) }];
    }
    let at =
        |step| Choice { name: format!("{} at step {step}", variable.name), value: value(step) };
    (0..trace.len()).map(at).collect()
}

fn row(system: &TransitionSystem, cone: &[bool], trace: &Trace, stream: &Stream) -> Row {
    let value = |step| match stream.active {
        Some(active) if !trace.value(step, active).is_true() => Datum::Absent,
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
        relevant: cone[stream.var.index()],
        values: (0..trace.len()).map(value).collect(),
    }
}

fn divisions(system: &TransitionSystem, trace: &Trace) -> Vec<Division> {
    let division = |((operation, dividend), value): (&(Partial, _), _)| Division {
        operation: match operation {
            Partial::RealDiv => DivisionOperation::Real,
            Partial::IntDiv => DivisionOperation::Div,
            Partial::Mod => DivisionOperation::Mod,
        },
        dividend: Datum::new(system, dividend),
        value: Datum::new(system, value),
    };
    trace.divisions.0.iter().map(division).collect()
}
