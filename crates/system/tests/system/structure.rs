//! What a system says of itself.

use lustral_system::{Bounds, InstanceId, TransitionSystem, dump};
use lustral_term::VarId;

use crate::example::{self, counter};

#[test]
fn a_system_as_text() {
    insta::assert_snapshot!(dump(&counter()), @r"
    input v0: Bool  -- reset
    input v1: Int in 0..3  -- by
    memory v2: Bool  -- (first)
    memory v3: Int  -- (pre n)
    define v4: Int = v1  -- step.x
    define v5: Int = v4  -- step.y
    define v6: Int = if v0 then 0 else (if v2 then 0 else v3 + v5)  -- n
    define v7: Bool = 0 <= v6  -- ok
    v2 := true then false
    v3 := 0 then v6
    constraint not (v0 and v1 = 3)
    typing true
    property ok : v7
    ");
}

fn inside(system: &TransitionSystem, cone: &[bool]) -> Vec<VarId> {
    system.variables().map(|(id, _)| id).filter(|id| cone[id.index()]).collect()
}

#[test]
fn the_cone_goes_through_memories_and_definitions() {
    let system = counter();
    let property = system.properties[0].term;
    let all: Vec<VarId> = system.variables().map(|(id, _)| id).collect();
    assert_eq!(inside(&system, &system.cone(property)), all);
    let called = system.cone_of(vec![example::Y]);
    assert_eq!(inside(&system, &called), [example::BY, example::X, example::Y]);
    let flag = system.cone_of(vec![example::FIRST]);
    assert_eq!(inside(&system, &flag), [example::FIRST]);
}

#[test]
fn the_root_is_the_first_instance() {
    let system = counter();
    assert_eq!(system.root().node, "main");
    assert_eq!(system.instance(InstanceId(1)).parent, Some(InstanceId::ROOT));
}

#[test]
fn plain_values_are_in_range() {
    let mut system = counter();
    let range = system.variables[example::BY.index()].range.as_mut().unwrap();
    *range = Bounds::between(2, 3);
    assert_eq!(system.plain(example::BY), 2.into());
    assert_eq!(system.plain(example::RESET), false.into());
}
