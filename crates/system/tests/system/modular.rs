//! Programs node by node.

use lustral_system::{Modular, ModularNode, Slot, StreamRole, TooLarge};

use crate::example::{self, counter};

fn node(calls: Vec<usize>) -> ModularNode {
    let mut system = counter();
    let call = system.instances.pop().unwrap();
    for i in 0..calls.len() {
        system.instances.push(call.clone());
        system.instances[i + 1].path = format!("call{i}");
    }
    let (name, place) = ("main".into(), String::new());
    ModularNode { name, place, system, calls, places: Vec::new(), state: Vec::new() }
}

#[test]
fn the_state_is_what_is_remembered_here_then_what_calls_remember() {
    let mut modular = Modular { nodes: vec![node(vec![]), node(vec![0, 0]), node(vec![1])] };
    modular.lay_out().unwrap();
    // The flag of the first step is no part of a state.
    assert_eq!(modular.nodes[0].state, [Slot::Own(example::LAST)]);
    let called = |call, slot| Slot::Called { call, slot };
    assert_eq!(modular.nodes[1].state, [Slot::Own(example::LAST), called(0, 0), called(1, 0)]);
    assert_eq!(modular.nodes[2].state.len(), 4);
    assert_eq!(modular.root(), 2);
    let deepest = modular.nodes[2].state[3];
    assert_eq!(modular.memory(2, deepest), (0, example::LAST));
    assert_eq!(modular.slot_name(2, deepest), "call0.call1.(pre n)");
    assert_eq!(modular.slot_variable(2, deepest).name, "(pre n)");
}

#[test]
fn states_that_double_are_refused() {
    let mut nodes = vec![node(vec![])];
    nodes.extend((0..25).map(|i| node(vec![i, i])));
    assert_eq!(Modular { nodes }.lay_out(), Err(TooLarge));
}

#[test]
fn flows_by_their_roles() {
    let node = node(vec![0]);
    let of = |role| node.flows(role).collect::<Vec<_>>();
    assert_eq!(of(StreamRole::Input), [example::RESET, example::BY]);
    assert_eq!(of(StreamRole::Output), [example::N]);
    let call = |role| node.call_flows(0, role).collect::<Vec<_>>();
    assert_eq!(
        (call(StreamRole::Input), call(StreamRole::Output)),
        (vec![example::X], vec![example::Y])
    );
    assert_eq!(node.memories().map(|m| m.var).collect::<Vec<_>>(), [example::LAST]);
    assert!(node.memory_of(example::N).is_none());
}
