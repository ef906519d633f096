//! Replaying counterexamples with the interpreter.

use lustral_sema::interp::{Choices, Machine, Open, Undefined, default_value};
use lustral_sema::{InstanceId, InstanceTree, Program, PropertyInstance, Type, Value};
use lustral_system::{Answers, Origin, PropId, Trace, TransitionSystem};
use lustral_term::{
    Function, FunctionId, Interpretation, Partial, Value as TermValue, VarId, show_value,
};
use rustc_hash::FxHashMap;

use crate::values::{from_term, to_term, unbounded};
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
                match from_term(context.program, trace.value(step, known.var), ty) {
                    Some(value) => inputs.push(value),
                    None => {
                        return reject(format!("the input `{}` leaves its range", known.name));
                    }
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

impl Replay {
    /// Whether a property holds at all steps.
    pub(crate) fn holds(&self, property: PropId) -> bool {
        self.holds.iter().all(|holds| holds[property.index()])
    }
}

/// Every flow of every instance has the value that the trace gives it, and has one
/// exactly where the trace says so.
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
            let active = shown.active.is_none_or(|var| trace.value(step, var).is_true());
            if active != actual.is_some() {
                let name = &context.system.variable(shown.var).name;
                let not = if active { " not" } else { "" };
                return Err(Rejected::Trace(format!("`{name}` is{not} there at step {step}")));
            }
            let Some(actual) = actual else { continue };
            let claimed = trace.value(step, shown.var);
            if unbounded(context.program, claimed, ty).as_ref() != Some(actual) {
                let name = &context.system.variable(shown.var).name;
                let actual = context.program.show_value(ty, actual);
                let claimed = show_value(claimed, context.system);
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
    context: Context<'a>,
    first: FxHashMap<Open, VarId>,
    outside: FxHashMap<Open, VarId>,
    trace: &'a Trace,
    answers: &'a Answers,
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
        TraceChoices { context, first, outside, trace, answers: &trace.answers, out_of_range: None }
    }
}

impl TraceChoices<'_> {
    /// What the trace has chosen at a step. Where the system has no choice, the
    /// value reaches nothing: any will do, and the comparison of flows tells.
    fn chosen(&mut self, var: Option<VarId>, step: usize, ty: &Type, what: &str) -> Value {
        let Some(var) = var else { return default_value(ty) };
        let value = self.trace.value(step, var);
        from_term(self.context.program, value, ty).unwrap_or_else(|| {
            let value = show_value(value, self.context.system);
            self.out_of_range = Some(format!("the value {value} of {what} is not of its type"));
            default_value(ty)
        })
    }
}

impl Choices for TraceChoices<'_> {
    fn first_value(&mut self, pre: Open, step: usize, ty: &Type) -> Value {
        self.chosen(self.first.get(&pre).copied(), step, ty, "a `pre` at its first step")
    }

    fn any_value(&mut self, access: Open, step: usize, ty: &Type) -> Value {
        let var = self.outside.get(&access).copied();
        self.chosen(var, step, ty, "an element outside of its array")
    }

    fn apply(&mut self, function: u32, arguments: &[(&Type, Value)], ty: &Type) -> Value {
        let program = self.context.program;
        let mut list: Vec<TermValue> =
            arguments.iter().map(|(ty, value)| to_term(program, value, ty)).collect();
        if list.is_empty() {
            // As in terms.
            list.push(TermValue::Bool(true));
        }
        let sort = lustral_kernel::Type::of(program, ty).sort;
        let function = Function { id: FunctionId(function), result: sort };
        let answer = self.answers.call(function, &list.iter().collect::<Vec<_>>());
        from_term(program, &answer, ty).unwrap_or_else(|| default_value(ty))
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
            // Machine integers leave nothing open.
            Value::Bool(_) | Value::Enum(_) | Value::Machine(..) | Value::Table(_) => {
                unreachable!("only numbers are divided")
            }
        };
        let quotient = self.answers.divide_by_zero(operation, &dividend);
        // One of another sort is as good as none: it is zero, and the
        // comparison of flows tells.
        from_term(self.context.program, &quotient, &ty).unwrap_or_else(|| default_value(&ty))
    }
}
