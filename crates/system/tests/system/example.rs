//! A counter that a caller can reset, as `flow` would encode it:
//!
//! ```text
//! node main(reset: bool; by: subrange [0, 3] of int) returns (n: int; ok: bool);
//! let  assert not (reset and by = 3);
//!      n = if reset then 0 else 0 -> pre n + step(by);
//!      ok = n >= 0;  --%PROPERTY ok;  tel
//! node step(x: int) returns (y: int);  let y = x; tel
//! ```

use lustral_system::{
    Bounds, Constraint, ConstraintSource, ExprId, Goal, Instance, InstanceId, Memory, Origin,
    Property, Role, Stream, StreamId, StreamRole, TransitionSystem, Variable,
};
use lustral_term::{Sort, TermId, Value, VarId};

pub const RESET: VarId = VarId(0);
pub const BY: VarId = VarId(1);
pub const FIRST: VarId = VarId(2);
pub const LAST: VarId = VarId(3);
pub const X: VarId = VarId(4);
pub const Y: VarId = VarId(5);
pub const N: VarId = VarId(6);
pub const OK: VarId = VarId(7);

fn flow(instance: u32, stream: u32) -> Origin {
    Origin::Stream { instance: InstanceId(instance), stream: StreamId(stream), leaf: 0 }
}

fn add(
    system: &mut TransitionSystem,
    name: &str,
    sort: Sort,
    role: Role,
    origin: Origin,
) -> TermId {
    let name = name.into();
    system.add_variable(Variable { name, sort, role, range: None, origin }).1
}

fn stream(name: &str, var: VarId, role: StreamRole) -> Stream {
    Stream { name: name.into(), var, role, active: None, hidden: false, counts: Vec::new() }
}

pub fn counter() -> TransitionSystem {
    let mut system = TransitionSystem::default();
    let s = &mut system;
    let reset = add(s, "reset", Sort::Bool, Role::Input, flow(0, 0));
    let by = add(s, "by", Sort::Int, Role::Input, flow(0, 1));
    s.variables[BY.index()].range = Some(Bounds::between(0, 3));
    let first = add(s, "(first)", Sort::Bool, Role::Memory, Origin::First);
    let delay = Origin::Delay { instance: InstanceId::ROOT, expr: ExprId(7), leaf: 0 };
    let last = add(s, "(pre n)", Sort::Int, Role::Memory, delay);
    let x = add(s, "step.x", Sort::Int, Role::Defined(by), flow(1, 0));
    let y = add(s, "step.y", Sort::Int, Role::Defined(x), flow(1, 1));
    let zero = s.terms.int(0);
    let sum = s.terms.add(&[last, y]);
    let later = s.terms.ite(first, zero, sum);
    let value = s.terms.ite(reset, zero, later);
    let n = add(s, "n", Sort::Int, Role::Defined(value), flow(0, 2));
    let positive = s.terms.le(zero, n);
    let ok = add(s, "ok", Sort::Bool, Role::Defined(positive), flow(0, 3));
    s.definitions = vec![X, Y, N, OK];
    let (initial, next) = (Value::Bool(true), s.terms.bool(false));
    s.memories.push(Memory { var: FIRST, initial, next });
    s.memories.push(Memory { var: LAST, initial: Value::from(0), next: n });
    let three = s.terms.int(3);
    let most = s.terms.eq(by, three);
    let both = s.terms.and([reset, most]);
    let term = s.terms.not(both);
    let source = ConstraintSource::Assertion { instance: InstanceId::ROOT, index: 0 };
    s.constraints.push(Constraint { term, source });
    s.properties.push(Property { name: "ok".into(), term: ok, goal: Goal::Always });
    s.typing.push(s.terms.bool(true));
    let streams = vec![
        stream("reset", RESET, StreamRole::Input),
        stream("by", BY, StreamRole::Input),
        stream("n", N, StreamRole::Output),
        stream("ok", OK, StreamRole::Local),
    ];
    s.instances.push(Instance { path: String::new(), node: "main".into(), parent: None, streams });
    let streams = vec![stream("x", X, StreamRole::Input), stream("y", Y, StreamRole::Output)];
    s.instances.push(Instance {
        path: "step".into(),
        node: "step".into(),
        parent: Some(InstanceId::ROOT),
        streams,
    });
    system
}
