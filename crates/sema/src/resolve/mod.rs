//! Names to ids, types checked, lists taken apart.
//!
//! First the declarations of the whole program give an [`Environment`]; then each
//! node is resolved against it by itself, in any order. A part that has an error
//! is unknown (`None`) and agrees with everything: a mistake is reported once.

mod environment;
mod declarations;
mod dependencies;
mod types;
mod generic;
mod constants;
mod conditions;
mod bounds;
mod choices;
mod free;
mod local_constants;
mod scope;
mod nodes;
mod equations;
mod blocks;
mod frames;
mod keyed;
mod lazy;
mod deferred;
mod ascribed;
mod automata;
mod by_index;
mod parameters;
mod sizes;
mod quantifiers;
mod polarity;
mod unbounded;
mod elimination;
mod properties;
mod contracts;
mod clauses;
mod imported;
mod candidates;
mod expressions;
mod names;
mod tuples;
mod structures;
mod outside;
mod updates;
mod data;
mod data_types;
mod matches;
mod clocks;
mod operators;
mod operations;
mod ghosts;
mod iterators;
mod statics;
mod conversions;
mod machine;
mod order;

use std::sync::Arc;

use lustral_syntax::diagnostic::{Code, Diagnostic};
use lustral_syntax::{Diagnostics, SourceMap, Span, ast};

pub(crate) use candidates::candidates_of_nobody;
pub(crate) use declarations::declare;
pub(crate) use deferred::unique_name;
pub(crate) use environment::Environment;
pub(crate) use lustral_base::similar;
pub(crate) use nodes::{Which, resolve_node};
use operations::Operation;
pub(crate) use order::order_nodes;
pub(crate) use parameters::{Specialised, templates_of_nobody};
use scope::Scope;
pub(crate) use sizes::{but_not, shown, shown_values, specialise_all, values_of_constants};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{ConstId, ExprId, Field, Meaning, NodeId, Program, Role, StreamId, Use};
use crate::types::{Abstract, Type};

/// The values that an expression is a list of; `None` where an error was reported.
type Components = Option<Vec<ExprId>>;

/// A type parameter, with its number among the variables of the program.
type Parameter = (Arc<Abstract>, u32);

/// Names that stand for types, each with its number among the variables of the program.
type TypeArguments = FxHashMap<Arc<str>, (Type, u32)>;

/// Names that stand for what is applied, each with its number among the variables of the
/// program.
type Operations = FxHashMap<Arc<str>, (Operation, u32)>;

/// Resolves one part of a program: a constant, a type or a node.
struct Resolver<'a> {
    sources: &'a SourceMap,
    env: &'a Environment,
    /// The types and constants so far; of its nodes nothing is looked at.
    program: &'a Program,
    /// The arena of the tree that the part stands in.
    ast: &'a ast::Exprs,
    scope: Scope,
    /// An expression has a mistake of syntax, which has its diagnostic.
    broken: bool,
    /// That dialects divide integers differently was said, once is enough.
    warned_of_division: bool,
    diagnostics: Diagnostics,
    uses: Vec<Use>,
    /// The fields of the record types that were found.
    fields: Vec<Field>,
    /// The variables of types outside of nodes that were found.
    variables: Vec<(Arc<str>, Span)>,
    /// What the type parameters of the node stand for, and which variables they are.
    type_arguments: TypeArguments,
    /// What the static parameters of the node stand for that are nodes.
    operations: Operations,
    /// How many other names stand around what is resolved.
    aliases_around: usize,
    /// How many choices by `with` stand around what is resolved.
    withs_around: usize,
    /// Something needs the value of a constant input, which is not known.
    template: bool,
    /// The constant inputs and local constants whose values something needs or may need.
    needed: FxHashSet<StreamId>,
    /// Nodes for values or types that something here means.
    asked: Vec<NodeId>,
    /// A constant expression names a free constant.
    met_free: bool,
    /// Those that it names.
    met: Vec<ConstId>,
    /// How many conditions of types stand around what is resolved.
    conditions_around: usize,
    /// How many lazy operators and arms of `match` stand around what is resolved.
    choices_around: usize,
    /// Something that a contract says was left out.
    dropped: Option<Span>,
    /// What is done with the truth value of the expression that is resolved next.
    stance: Option<polarity::Stance>,
    /// Whether what is resolved is a property or a guarantee, which is shown and not assumed.
    claims: bool,
}

impl<'a> Resolver<'a> {
    fn new(
        sources: &'a SourceMap,
        env: &'a Environment,
        program: &'a Program,
        ast: &'a ast::Exprs,
        scope: Scope,
    ) -> Resolver<'a> {
        let (diagnostics, uses) = (Diagnostics::new(), Vec::new());
        Resolver {
            sources,
            env,
            program,
            ast,
            scope,
            broken: false,
            warned_of_division: false,
            diagnostics,
            uses,
            fields: Vec::new(),
            variables: Vec::new(),
            type_arguments: TypeArguments::default(),
            operations: Operations::default(),
            aliases_around: 0,
            withs_around: 0,
            template: false,
            needed: FxHashSet::default(),
            asked: Vec::new(),
            met_free: false,
            met: Vec::new(),
            conditions_around: 0,
            choices_around: 0,
            dropped: None,
            stance: None,
            claims: false,
        }
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn mention(&mut self, span: Span, meaning: Meaning) {
        self.uses.push(Use { span, meaning, role: Role::Mention });
    }

    fn show(&self, ty: &Type) -> String {
        self.program.show_type(ty)
    }
}

/// A second declaration of a name.
fn duplicate(what: &str, name: &str, span: Span, first: Span) -> Diagnostic {
    let message = format!("the {what} `{name}` is declared twice");
    Diagnostic::error(Code::Duplicate, span, message).also(first, "first declared here")
}
