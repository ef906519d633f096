//! Replaying counterexamples with the interpreter.

use lustral_sema::interp::{Choices, Machine, Open, Undefined, default_value};
use lustral_sema::{InstanceId, InstanceTree, Program, PropertyInstance, Type, Value};
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
            let leaves = root.leaves(root.input_ids());
            for ((input, leaf), known) in leaves.zip(&context.system.root().streams) {
                let ty = root.stream(input).ty.leaf(leaf);
                let value = from_term(trace.value(step, known.var), ty);
                if !within(context.program, ty, &value) {
                    return reject(format!("the input `{}` leaves its range", known.name));
                }
                inputs.push(value);
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
        let leaves = node.leaves(node.stream_ids()).zip(machine.values(id));
        for (((stream, leaf), actual), shown) in leaves.zip(&known.streams) {
            let ty = node.stream(stream).ty.leaf(leaf);
            let claimed = from_term(trace.value(step, shown.var), ty);
            if claimed != *actual {
                let name = &context.system.variable(shown.var).name;
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
    program: &'a Program,
    first: FxHashMap<Open, VarId>,
    outside: FxHashMap<Open, VarId>,
    trace: &'a Trace,
    divisions: &'a Divisions,
    out_of_range: Option<String>,
}

impl<'a> TraceChoices<'a> {
    fn new(context: Context<'a>, trace: &'a Trace) -> TraceChoices<'a> {
        let (mut first, mut outside) = (FxHashMap::default(), FxHashMap::default());
        for (id, variable) in context.system.variables() {
            match variable.origin {
                Origin::FirstValue { instance, expr, leaf } => {
                    first.insert(Open { instance, expr, leaf }, id);
                }
                Origin::Any { instance, expr, leaf } => {
                    outside.insert(Open { instance, expr, leaf }, id);
                }
                _ => {}
            }
        }
        TraceChoices {
            program: context.program,
            first,
            outside,
            trace,
            divisions: &trace.divisions,
            out_of_range: None,
        }
    }
}

impl TraceChoices<'_> {
    /// What the trace has chosen at a step. Where the system has no choice, the
    /// value reaches nothing: any will do, and the comparison of flows tells.
    fn chosen(&mut self, var: Option<VarId>, step: usize, ty: &Type, what: &str) -> Value {
        let Some(var) = var else { return default_value(ty) };
        let value = from_term(self.trace.value(step, var), ty);
        if !within(self.program, ty, &value) {
            self.out_of_range = Some(format!("the value {value} of {what} is not of its type"));
        }
        value
    }
}

impl Choices for TraceChoices<'_> {
    fn first_value(&mut self, pre: Open, ty: &Type) -> Value {
        self.chosen(self.first.get(&pre).copied(), 0, ty, "a `pre` at its first step")
    }

    fn any_value(&mut self, access: Open, step: usize, ty: &Type) -> Value {
        let var = self.outside.get(&access).copied();
        self.chosen(var, step, ty, "an element outside of its array")
    }

    fn division_by_zero(&mut self, operation: Undefined, dividend: &Value) -> Value {
        let (operation, ty) = match operation {
            Undefined::Divide => (Partial::RealDiv, Type::Real),
            Undefined::Div => (Partial::IntDiv, Type::Int),
            Undefined::Mod => (Partial::Mod, Type::Int),
        };
        from_term(&self.divisions.divide_by_zero(operation, &to_term(dividend)), &ty)
    }
}

/// Whether a value is one of its type: nobody else has made sure of that.
fn within(program: &Program, ty: &Type, value: &Value) -> bool {
    match (ty, value) {
        (Type::Enum(id), Value::Enum(i)) => {
            (*i as usize) < program.enums[id.0 as usize].values.len()
        }
        (Type::Enum(_), _) | (_, Value::Enum(_)) => false,
        (Type::Subrange(bounds), Value::Int(n)) => bounds.low <= *n && *n <= bounds.high,
        _ => true,
    }
}

/// A value of a term as one of the language. Enumerations are numbers there;
/// one that is none of its values becomes one that no flow can have.
fn from_term(value: &TermValue, ty: &Type) -> Value {
    match (value, ty) {
        (TermValue::Bool(b), _) => Value::Bool(*b),
        (TermValue::Int(n), Type::Enum(_)) => Value::Enum(u32::try_from(n).unwrap_or(u32::MAX)),
        (TermValue::Int(n), _) => Value::Int(n.clone()),
        (TermValue::Real(r), _) => Value::Real(r.clone()),
        (TermValue::Enum(_, i), Type::Enum(_)) => Value::Enum(*i),
        // The language has no flow of such a sort.
        _ => Value::Enum(u32::MAX),
    }
}

fn to_term(value: &Value) -> TermValue {
    match value {
        Value::Bool(b) => TermValue::Bool(*b),
        Value::Int(n) => TermValue::Int(n.clone()),
        Value::Real(r) => TermValue::Real(r.clone()),
        Value::Enum(i) => TermValue::Int((*i).into()),
    }
}
