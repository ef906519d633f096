//! Names to ids, types checked, tuples taken apart.

mod candidates;
mod constants;
mod declarations;
mod expressions;
mod nodes;

use std::sync::Arc;

use lustral_syntax::diagnostic::{Code, Diagnostic};
use lustral_syntax::{Diagnostics, SourceMap, Span, ast};
use rustc_hash::FxHashMap;

use crate::program::{ConstId, ExprId, NodeId, Program};
use crate::types::{EnumId, Type, Value};

pub(crate) fn resolve(
    sources: &SourceMap,
    ast: &ast::Program,
    diagnostics: &mut Diagnostics,
) -> Program {
    let mut resolver = Resolver {
        sources,
        ast,
        diagnostics,
        program: Program::default(),
        types: FxHashMap::default(),
        values: FxHashMap::default(),
        nodes: FxHashMap::default(),
        const_values: Vec::new(),
        unknown_consts: Vec::new(),
    };
    resolver.declare();
    resolver.nodes();
    resolver.candidates_of_nobody();
    resolver.program
}

/// Where a name was declared, and as what.
pub(crate) struct Declared<T> {
    pub span: Span,
    pub what: T,
}

/// A name that stands for a value wherever no flow has it.
#[derive(Clone)]
pub(crate) enum Global {
    Const(ConstId, Type),
    Enum(EnumId, u32),
    /// A constant with an error that has its diagnostic.
    Broken,
}

/// The interface of a node: all that its callers need to know.
pub(crate) struct Interface {
    pub id: NodeId,
    pub inputs: Vec<Option<Type>>,
    pub outputs: Vec<Option<Type>>,
    pub is_function: bool,
}

pub(crate) struct Resolver<'a> {
    sources: &'a SourceMap,
    ast: &'a ast::Program,
    diagnostics: &'a mut Diagnostics,
    program: Program,
    /// `None`: a type with an error that has its diagnostic.
    types: FxHashMap<Arc<str>, Declared<Option<Type>>>,
    values: FxHashMap<Arc<str>, Declared<Global>>,
    nodes: FxHashMap<Arc<str>, Declared<Interface>>,
    /// The values of the constants so far, and whether a division by zero
    /// leaves them open.
    const_values: Vec<Value>,
    unknown_consts: Vec<bool>,
}

impl Resolver<'_> {
    fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn duplicate(&mut self, what: &str, name: &str, span: Span, first: Span) {
        self.push(
            Diagnostic::error(
                Code::Duplicate,
                span,
                format!("the {what} `{name}` is declared twice"),
            )
            .also(first, "first declared here"),
        );
    }

    fn show(&self, ty: &Type) -> String {
        self.program.show_type(ty)
    }
}

/// The name among some that was perhaps meant: at most a third of it differs.
pub(crate) fn similar<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    known
        .filter(|k| k.len() < 64 && name.len() < 64)
        .map(|k| (edit_distance(name, k), k))
        .filter(|(distance, k)| *distance * 3 <= name.len().max(k.len()).max(3))
        .min()
        .map(|(_, k)| k)
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = diagonal + usize::from(!x.eq_ignore_ascii_case(y));
            diagonal = row[j + 1];
            row[j + 1] = cost.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// The scalar components of an expression; `None` where an error was reported.
pub(crate) type Components = Option<Vec<ExprId>>;
