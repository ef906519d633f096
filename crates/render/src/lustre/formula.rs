//! Formulas over arguments that have names but no place in a program.

use std::sync::Arc;

use lustral_system::{
    EnumNames, Instance, InstanceId, Origin, Predicate, Role, Stream, StreamId, StreamRole,
    TransitionSystem, Variable,
};
use lustral_term::{Sort, VarId};

use super::LustreWriter;

/// What a formula is about: the variable of the same number.
pub struct Named {
    /// How it is called.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
}

/// A formula as people write it, in the operators of Lustre and with the names
/// of values; `None` if it is too long.
#[must_use]
pub fn formula(
    arguments: Vec<Named>,
    enumerations: &Arc<[EnumNames]>,
    predicate: &Predicate,
) -> Option<String> {
    let enumerations = enumerations.clone();
    let mut system = TransitionSystem { enumerations, ..TransitionSystem::default() };
    let mut streams = Vec::with_capacity(arguments.len());
    for (i, Named { name, sort }) in arguments.into_iter().enumerate() {
        let (instance, stream) = (InstanceId::ROOT, StreamId(i as u32));
        let origin = Origin::Stream { instance, stream, leaf: 0 };
        let (role, range) = (Role::Input, None);
        let variable = Variable { name: name.clone(), sort, role, range, origin };
        let (var, _) = system.add_variable(variable);
        debug_assert_eq!(var, VarId(i as u32));
        streams.push(Stream {
            name,
            var,
            role: StreamRole::Input,
            active: None,
            hidden: false,
            counts: Vec::new(),
        });
    }
    let (path, node) = (String::new(), String::new());
    system.instances = vec![Instance { path, node, parent: None, streams }];
    LustreWriter::new(&system).expression(predicate).map(|(_, text)| text)
}
