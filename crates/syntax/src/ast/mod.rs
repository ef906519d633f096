//! The syntax tree: one [`Tree`] for each file, and the [`Program`] that some
//! files are together.
//!
//! Expressions live in the arena of their file, operands before the expressions
//! that use them. So a pass over a program is a loop, dropping a tree is dropping
//! a vector, and no nesting, however deep, can exhaust the stack. A tree depends
//! on the text of its file and on nothing else: it can be kept while other files
//! change.

mod blocks;
mod clocks;
mod contracts;
mod data;
mod declarations;
mod expr;
mod gaps;
mod operators;
mod statics;

use std::sync::Arc;

pub use blocks::{
    Automaton, Block, BlockKind, Branch, Conditional, Frame, Part, State, Switch, Transition,
};
pub use clocks::{Activation, Case, Sampling};
pub use contracts::{Claim, Contract, ContractDeclaration, ContractItem, Ghost, Import, Mode};
pub use data::{Arms, Constructor, DEEPEST_PATTERN, Pattern};
pub use declarations::{
    Bound, BoundKind, CandidateRole, ConstDeclaration, DEEPEST, Declaration, Equation, Item,
    NodeDeclaration, Property, Question, Type, TypeDeclaration, TypeKind, Variable,
};
pub use expr::{Choice, Expr, ExprId, ExprKind, Exprs, Quantifier, Selector, UpdateForm};
pub use gaps::{Gap, GapKind, NodeGaps};
pub use operators::{BinaryOp, UnaryOp};
pub use statics::{Operator, Static, StaticArgument, StaticNode, StaticParameter};

pub(crate) use operators::PREFIX;

use crate::diagnostic::Diagnostics;
use crate::dialect::Wish;
use crate::source::{FileId, Span};

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name; empty where a name was expected and is missing.
    pub name: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

impl Ident {
    /// Whether it stands for a name that is missing in the text.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        self.name.is_empty()
    }
}

/// What the parser makes of one file.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The file.
    pub file: FileId,
    /// The text that was parsed.
    pub text: Arc<str>,
    /// What was known of its dialect before; what it is, its expressions say.
    pub wish: Wish,
    /// The declarations in the order of the text.
    pub declarations: Vec<Declaration>,
    /// All expressions.
    pub exprs: Exprs,
    /// The files that it includes, as written.
    pub includes: Vec<Include>,
    /// The places of the comments, in the order of the text.
    pub comments: Vec<Span>,
    /// What could not be read outside of nodes.
    pub gaps: Vec<Gap>,
    /// What is wrong with the text.
    pub diagnostics: Diagnostics,
}

/// `include "path"`
#[derive(Clone, Debug)]
pub struct Include {
    /// The path, with the place of its quotes.
    pub path: Ident,
}

impl Tree {
    /// The comments that end directly above a declaration which begins at a byte:
    /// no blank line, and nothing else, stands between.
    #[must_use]
    pub fn comments_above(&self, start: u32) -> &[Span] {
        let end = self.comments.partition_point(|comment| comment.end <= start);
        let mut first = end;
        let mut below = start;
        while let Some(comment) = first.checked_sub(1).map(|i| self.comments[i]) {
            let between = &self.text[comment.end as usize..below as usize];
            let blank_line = between.bytes().filter(|b| *b == b'\n').count() > 1;
            if blank_line || !between.bytes().all(|b| b.is_ascii_whitespace()) {
                break;
            }
            below = comment.start;
            first -= 1;
        }
        &self.comments[first..end]
    }
}

/// A whole program: the file that is asked about and all that it includes, each
/// once, in the order in which they were found.
#[derive(Clone, Default, Debug)]
pub struct Program {
    /// The trees of the files.
    pub trees: Vec<Arc<Tree>>,
    /// Candidates for invariants from other files.
    pub candidates: Vec<CandidateFile>,
    /// Whether a file that it includes could not be read, which has its diagnostic.
    pub incomplete: bool,
}

impl Program {
    /// All declarations, each with the tree that it stands in.
    pub fn declarations(&self) -> impl Iterator<Item = (&Arc<Tree>, &Declaration)> {
        self.trees.iter().flat_map(|tree| tree.declarations.iter().map(move |d| (tree, d)))
    }

    /// All nodes, each with the tree that it stands in.
    pub fn nodes(&self) -> impl Iterator<Item = (&Arc<Tree>, &NodeDeclaration)> {
        self.declarations().filter_map(|(tree, declaration)| match declaration {
            Declaration::Node(node) => Some((tree, node)),
            _ => None,
        })
    }
}

/// A file of candidates.
#[derive(Clone, Default, Debug)]
pub struct CandidateFile {
    /// Its expressions.
    pub exprs: Exprs,
    /// The candidates by node.
    pub blocks: Vec<CandidateBlock>,
}

/// `node name e; e;`: candidates for a node from another file. They are guesses,
/// perhaps about an earlier version of the program: what does not fit is skipped.
#[derive(Clone, Debug)]
pub struct CandidateBlock {
    /// The node.
    pub node: Ident,
    /// What may hold at every step.
    pub list: Vec<(CandidateRole, ExprId)>,
}
