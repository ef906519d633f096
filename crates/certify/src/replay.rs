//! Replaying counterexamples with the interpreter.

use lustral_sema::interp::{Choices, Machine, Undefined, default_value};
use lustral_sema::program::ExprId;
use lustral_sema::{InstanceId, InstanceTree, Program, PropertyInstance, StreamId, Type, Value};
use lustral_system::{Divisions, Origin, PropId, Trace, TransitionSystem};
use lustral_term::{Interpretation, Partial, Value as TermValue, VarId};
use rustc_hash::FxHashMap;

use crate::{Answer, Checked, Rejected};

/// A program and its system: what a check needs to know.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its instances.
    pub tree: &'a InstanceTree,
    /// Its properties, in the order of the system's.
    pub properties: &'a [PropertyInstance],
    /// The system, as it came from the program.
    pub system: &'a TransitionSystem,
}

/// Checks that an execution is one of the program, and that the property holds
/// at all its steps but the last.
///
/// # Errors
/// If it is not, or does not.
pub fn check_trace(
    context: Context<'_>,
    property: PropId,
    trace: Trace,
) -> Result<Checked<Answer>, Rejected> {
    Replay::new(context, trace)?.check(context.system, property)
}

/// An execution that the interpreter has confirmed: one of the program, flow by
/// flow. It may falsify several properties.
pub struct Replay {
    trace: Trace,
    /// The node that was run.
    node: String,
    /// Whether each property holds, by step.
    holds: Vec<Vec<bool>>,
}

impl Replay {
    /// Checks that an execution is one of the program.
    ///
    /// # Errors
    /// If it is not.
    pub fn new(context: Context<'_>, trace: Trace) -> Result<Replay, Rejected> {
        let reject = |text: String| Err(Rejected::Trace(text));
        let mut choices = TraceChoices::new(context, &trace);
        let mut machine = Machine::new(context.program, context.tree);
        let root = context.tree.node(context.program, InstanceId::ROOT);
        if trace.is_empty() {
            return reject("it has no step".into());
        }
        let mut holds = Vec::with_capacity(trace.len());
        for step in 0..trace.len() {
            let mut inputs = Vec::with_capacity(root.inputs);
            for input in root.input_ids() {
                let (name, ty) = (&root.stream(input).name, &root.stream(input).ty);
                let var = context.system.root().streams[input.index()].var;
                match from_term(trace.value(step, var), ty) {
                    Some(value) => inputs.push(value),
                    None => return reject(format!("the input `{name}` leaves its range")),
                }
            }
            machine.step(&inputs, &mut choices);
            if let Some(wrong) = choices.out_of_range.take() {
                return reject(wrong);
            }
            if let Some((instance, index)) = machine.failed_assertion() {
                let path = context.tree.path(context.program, instance);
                return reject(format!("assertion {index} of `{path}` fails at step {step}"));
            }
            compare(context, &machine, &trace, step)?;
            holds.push(context.properties.iter().map(|p| machine.holds(p)).collect());
        }
        let node = context.system.root().node.clone();
        Ok(Replay { trace, node, holds })
    }

    /// Checks that a property of the system whose execution this is holds at
    /// all its steps but the last.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(
        &self,
        system: &TransitionSystem,
        property: PropId,
    ) -> Result<Checked<Answer>, Rejected> {
        let reject = |text: String| Err(Rejected::Trace(text));
        if self.node != system.root().node {
            return reject("it is an execution of another node".into());
        }
        for (step, holds) in self.holds.iter().enumerate() {
            let last = step + 1 == self.holds.len();
            if holds[property.index()] == last {
                let what = if last { "holds" } else { "fails" };
                return reject(format!("the property {what} at step {step}"));
            }
        }
        Ok(Checked::new(system, property, Answer::Falsifiable(self.trace.clone())))
    }
}

/// Every flow of every instance has the value that the trace gives it.
fn compare(
    context: Context<'_>,
    machine: &Machine<'_>,
    trace: &Trace,
    step: usize,
) -> Result<(), Rejected> {
    for id in context.tree.ids() {
        let node = context.tree.node(context.program, id);
        let known = &context.system.instances[id.index()];
        for (i, (stream, shown)) in node.streams.iter().zip(&known.streams).enumerate() {
            let claimed = trace.value(step, shown.var);
            let actual = machine.value(id, StreamId(i as u32));
            if unbounded(claimed, &stream.ty).as_ref() != Some(actual) {
                let name = &context.system.variable(shown.var).name;
                let actual = context.program.show_value(&stream.ty, actual);
                let claimed = lustral_term::show_value(claimed, context.system);
                return Err(Rejected::Trace(format!(
                    "`{name}` is {actual} at step {step}, not {claimed}"
                )));
            }
        }
    }
    Ok(())
}

/// The choices that a trace makes.
struct TraceChoices<'a> {
    system: &'a TransitionSystem,
    first: FxHashMap<(InstanceId, ExprId), VarId>,
    trace: &'a Trace,
    divisions: &'a Divisions,
    out_of_range: Option<String>,
}

impl<'a> TraceChoices<'a> {
    fn new(context: Context<'a>, trace: &'a Trace) -> TraceChoices<'a> {
        let mut first = FxHashMap::default();
        for (id, variable) in context.system.variables() {
            if let Origin::FirstValue { instance, expr } = variable.origin {
                first.insert((instance, expr), id);
            }
        }
        TraceChoices {
            system: context.system,
            first,
            trace,
            divisions: &trace.divisions,
            out_of_range: None,
        }
    }
}

impl Choices for TraceChoices<'_> {
    fn first_value(&mut self, instance: InstanceId, pre: ExprId, ty: &Type) -> Value {
        // A `pre` without a choice in the system is one whose first value
        // reaches nothing: any will do, and the comparison of flows tells.
        let Some(var) = self.first.get(&(instance, pre)) else { return default_value(ty) };
        let value = self.trace.value(0, *var);
        from_term(value, ty).unwrap_or_else(|| {
            let value = lustral_term::show_value(value, self.system);
            self.out_of_range =
                Some(format!("the first value {value} of a `pre` is not of its type"));
            default_value(ty)
        })
    }

    fn division_by_zero(&mut self, operation: Undefined, dividend: &Value) -> Value {
        let (operation, ty) = match operation {
            Undefined::Divide => (Partial::RealDiv, Type::Real),
            Undefined::Div => (Partial::IntDiv, Type::Int),
            Undefined::Mod => (Partial::Mod, Type::Int),
        };
        let dividend = match dividend {
            Value::Int(n) => TermValue::Int(n.clone()),
            Value::Real(r) => TermValue::Real(r.clone()),
            Value::Bool(_) | Value::Enum(_) => unreachable!("only numbers are divided"),
        };
        let quotient = self.divisions.divide_by_zero(operation, &dividend);
        // One of another sort is as good as none: it is zero, and the
        // comparison of flows tells.
        from_term(&quotient, &ty).unwrap_or_else(|| default_value(&ty))
    }
}

/// A value of a term as one of the language; none if it is not of the type,
/// bounds included: nobody else has made sure of that.
fn from_term(value: &TermValue, ty: &Type) -> Option<Value> {
    match (value, ty) {
        (TermValue::Int(n), Type::Subrange(bounds)) if *n < bounds.low || *n > bounds.high => None,
        _ => unbounded(value, ty),
    }
}

/// The same without the bounds of subranges, which defined flows may leave.
fn unbounded(value: &TermValue, ty: &Type) -> Option<Value> {
    Some(match (value, ty) {
        (TermValue::Bool(b), Type::Bool) => Value::Bool(*b),
        (TermValue::Int(n), Type::Int | Type::Subrange(_)) => Value::Int(n.clone()),
        (TermValue::Real(r), Type::Real) => Value::Real(r.clone()),
        (TermValue::Enum(e, i), Type::Enum(id)) if e.id == *id && *i < e.size => Value::Enum(*i),
        _ => return None,
    })
}
