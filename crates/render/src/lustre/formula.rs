//! Formulas over arguments that have names but no place in a program.

use lustral_system::{
    Instance, InstanceId, Origin, Predicate, Role, Stream, StreamId, StreamRole, TransitionSystem,
    Variable,
};
use lustral_term::{Sort, VarId};

use super::{LustreWriter, Values};

/// What a formula is about: the variable of the same number.
pub struct Named {
    /// How it is called.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// The names of its values, if it is of an enumeration.
    pub values: Option<Values>,
}

/// A formula as people write it, in the operators of Lustre and with the names
/// of values; `None` if it is too long, or mixes enumerations and numbers.
#[must_use]
pub fn formula(arguments: Vec<Named>, predicate: &Predicate) -> Option<String> {
    let mut system = TransitionSystem::default();
    let mut streams = Vec::with_capacity(arguments.len());
    for (i, Named { name, sort, values }) in arguments.into_iter().enumerate() {
        let (instance, stream) = (InstanceId::ROOT, StreamId(i as u32));
        let origin = Origin::Stream { instance, stream, leaf: 0 };
        let (role, range) = (Role::Input, None);
        let variable = Variable { name: name.clone(), sort, role, range, origin };
        let (var, _) = system.add_variable(variable);
        debug_assert_eq!(var, VarId(i as u32));
        streams.push(Stream { name, var, role: StreamRole::Input, values, active: None });
    }
    let (path, node) = (String::new(), String::new());
    system.instances = vec![Instance { path, node, parent: None, streams }];
    let mut writer = LustreWriter::new(&system);
    let predicate = writer.without_ranges(predicate);
    writer.expression(&predicate).map(|(_, text)| text)
}
