//! Typed ids: a position in a vector that knows which vector it belongs to
//! (an index newtype), and the ids of a typed program.
//!
//! The program's ids stand here and not beside its tree, because what is made
//! of a program keeps them as origins: a transition system says which flow of
//! which instance a variable is, and must not know the language for that.
//!
//! An id is written (by serde) as its number. Whoever reads one judges whether
//! it is in range: the id itself cannot know.

#[doc(hidden)]
pub use serde;

/// Defines an id: `id!(/// What it numbers. Name);`
#[macro_export]
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index of a vector.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl $crate::ids::serde::Serialize for $name {
            fn serialize<S: $crate::ids::serde::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                serializer.serialize_u32(self.0)
            }
        }

        impl<'de> $crate::ids::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::ids::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<$name, D::Error> {
                <u32 as $crate::ids::serde::Deserialize>::deserialize(deserializer).map($name)
            }
        }
    };
}

id!(/// A type with a name of a program.
    TypeId);
id!(/// An enumeration of a program.
    EnumId);
id!(/// A constant of a program.
    ConstId);
id!(/// A node of a program.
    NodeId);
id!(/// A flow of a node.
    StreamId);
id!(/// An expression of a node or of the constants.
    ExprId);
id!(/// A call in the text of a node.
    CallId);
id!(/// An instance of a node in the tree of calls; the root is 0, parents come
    /// before children.
    InstanceId);

id!(/// A clock scope of a node of the kernel.
    ScopeId);

impl ScopeId {
    /// The scope that every node has: the clock of its call.
    pub const NODE: ScopeId = ScopeId(0);
}

impl InstanceId {
    /// The instance that is checked.
    pub const ROOT: InstanceId = InstanceId(0);
}
