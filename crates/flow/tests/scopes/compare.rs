//! The encoding against the definition, at every step.

use std::collections::HashMap;

use lustral_flow::encode;
use lustral_kernel::{Claim, ExprId, Program};
use lustral_sema::{InstanceId, InstanceTree, NodeId, PropertyInstance};
use lustral_system::{Answers, ClockPart, Origin, Trace, TransitionSystem};
use lustral_term::{Value, VarId};

use crate::build::SPAN;
use crate::definition::{Definition, V};

/// What was compared.
#[derive(Default, Debug)]
pub struct Count {
    pub present: usize,
    pub absent: usize,
    pub restarts: usize,
}

/// Encodes the last node of a program and runs both.
pub fn compare(
    program: &Program,
    input: &dyn Fn(usize, usize) -> V,
    seed: u64,
    steps: usize,
    count: &mut Count,
) -> (TransitionSystem, Trace) {
    let root = NodeId(program.nodes.len() as u32 - 1);
    let tree = InstanceTree::new(program, root).unwrap();
    let mut properties = Vec::new();
    for instance in tree.ids() {
        let node = program.node(tree.instance(instance).node);
        properties.extend(node.obligations.iter().map(|o| PropertyInstance {
            instance,
            source: o.source,
            name: o.name.clone(),
            goal: o.kind.goal(),
            span: SPAN,
        }));
    }
    let system = encode(program, &tree, &properties);
    let (values, clocks) = (HashMap::new(), HashMap::new());
    let mut definition = Definition { program, tree: &tree, input, seed, values, clocks };
    let free = |step: usize, var: VarId| match system.variable(var).origin {
        Origin::Stream { stream, .. } => input(stream.index(), step).term(),
        Origin::FirstValue { instance, expr, .. } => {
            definition.choice(instance, ExprId(expr.0), step).term()
        }
        other => unreachable!("{other:?} is not free"),
    };
    let trace = Trace::run(&system, steps, Answers::default(), free);
    for t in 0..steps {
        for i in tree.ids() {
            flows(&mut definition, &system, &trace, (i, t), count);
        }
        clocks_agree(&mut definition, &system, &trace, t, count);
        claims(&mut definition, &system, &trace, t);
    }
    (system, trace)
}

fn flows(
    definition: &mut Definition<'_>,
    system: &TransitionSystem,
    trace: &Trace,
    (i, t): (InstanceId, usize),
    count: &mut Count,
) {
    let node = definition.program.node(definition.tree.instance(i).node);
    let declared = node.flow_ids().filter(|f| node.flow(*f).source.is_some());
    for (f, stream) in declared.zip(&system.instance(i).streams) {
        let active = definition.active(i, node.flow(f).scope, t);
        let shown = stream.active.is_none_or(|var| trace.value(t, var).is_true());
        assert_eq!(shown, active, "the presence of {} at step {t}", stream.name);
        if active {
            count.present += 1;
            let value = definition.flow(i, f, t).term();
            assert_eq!(*trace.value(t, stream.var), value, "{i:?} {} at step {t}", stream.name);
        } else {
            count.absent += 1;
        }
    }
}

/// The flags of the scopes say what the definition does.
fn clocks_agree(
    definition: &mut Definition<'_>,
    system: &TransitionSystem,
    trace: &Trace,
    t: usize,
    count: &mut Count,
) {
    for (var, variable) in system.variables() {
        let Origin::Clock { instance, scope, part } = variable.origin else { continue };
        let active = definition.active(instance, scope, t);
        let first = definition.first(instance, scope, t);
        let flag = *trace.value(t, var) == Value::Bool(true);
        match part {
            ClockPart::Active => assert_eq!(flag, active, "{} at step {t}", variable.name),
            ClockPart::First if active => {
                assert_eq!(flag, first, "{} at step {t}", variable.name);
                count.restarts += usize::from(first && t > 0);
            }
            ClockPart::First | ClockPart::Fresh => {}
        }
    }
}

/// Constraints and obligations count at the active steps of their scopes.
fn claims(definition: &mut Definition<'_>, system: &TransitionSystem, trace: &Trace, t: usize) {
    let mut expected = (Vec::new(), Vec::new());
    for i in definition.tree.ids() {
        let node = definition.program.node(definition.tree.instance(i).node);
        for c in &node.constraints {
            let holds = !definition.active(i, c.scope, t)
                || definition.expr(i, c.scope, c.expr, t).is_true();
            expected.0.push(holds);
        }
        for o in &node.obligations {
            let Claim::Expr(expr) = o.claim else { unreachable!("all claims are expressions") };
            let holds =
                !definition.active(i, o.scope, t) || definition.expr(i, o.scope, expr, t).is_true();
            expected.1.push(holds);
        }
    }
    let eval = |term| trace.eval(system, t, term).is_true();
    let constraints: Vec<bool> = system.constraints.iter().map(|c| eval(c.term)).collect();
    let properties: Vec<bool> = system.properties.iter().map(|p| eval(p.term)).collect();
    assert_eq!((constraints, properties), expected, "what holds at step {t}");
}
