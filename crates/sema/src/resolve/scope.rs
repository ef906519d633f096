//! Where an expression stands: what its names may mean and what it may contain.

use std::sync::Arc;

use lustral_syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use super::frames::Frame;
use crate::program::{
    Call, CallId, Condition, ConstId, ExprId, ExprKind, Exprs, Meaning, Stream, StreamId,
    StreamKind,
};
use crate::types::Type;

#[derive(Clone, Default)]
pub(crate) struct Scope {
    pub exprs: Exprs,
    pub calls: Vec<Call>,
    /// Those of nodes, which may have a memory.
    pub stateful: FxHashSet<CallId>,
    pub streams: FxHashMap<Arc<str>, StreamId>,
    /// The type of each flow; `None` where an error was reported.
    pub types: Vec<Option<Type>>,
    pub kind: ScopeKind,
    /// The inputs, if this is a function: `kind` says so of the condition of a `choose` in a node as well.
    pub inputs: Option<Vec<StreamId>>,
    /// The elements that are read and may be outside of their arrays, by how they are
    /// written.
    pub reads: FxHashMap<String, ExprId>,
    /// The flows of the part around that have the values of clocks from outside, by these.
    pub inner_clocks: FxHashMap<StreamId, StreamId>,
    /// The flows of the free constants that the node or what it calls uses.
    pub free: FxHashMap<ConstId, StreamId>,
    /// The flows that never change: those of free constants and local constants.
    pub constant_flows: FxHashSet<StreamId>,
    /// The constant inputs of the node, where their values are not known.
    pub parameters: FxHashMap<Arc<str>, StreamId>,
    /// The names that stand for values here, the innermost last.
    pub bindings: Vec<Binding>,
    /// All indices of the node so far, of definitions and of quantifiers: their
    /// names and places.
    pub declared_indices: Vec<(Arc<str>, Span)>,
    /// How many combinations of values quantifiers, and elements iterators, went over so
    /// far.
    pub quantified: usize,
    /// The types of the results of the functions of the node so far.
    pub functions: Vec<Type>,
    /// What holds of the values that `any` chooses: every execution satisfies it.
    pub chosen: Vec<(ExprId, Span)>,
    /// What the types of expressions and the selectors of data types ask for: properties
    /// of the node.
    pub ascribed: Vec<Asked>,
    /// What is known of the step where a side of a lazy operator or an arm of `match` is
    /// resolved: truth values, whether they hold, and how many conditions are around them.
    pub guards: Vec<(ExprId, bool, usize)>,
    /// Flows that expressions made, which follow those that the node has.
    pub pending: Vec<Stream>,
    /// No flows and no properties can be added to the node here.
    pub closed: bool,
    /// The flows whose last values are known, by which `last` goes and what is left out.
    pub frame: Frame,
    /// The conditions around, the outermost first: where they hold, there is a step here.
    pub sampled: Vec<Condition>,
    /// For flows that are declared inside of conditions, how many these are.
    pub levels: FxHashMap<StreamId, usize>,
    /// A part of the body could not be read: what is missing or said twice may be its
    /// fault.
    pub unread: bool,
    /// There are flows that could not be read: a name may be one of them.
    pub hides_flows: bool,
    /// Flows of the node that its contract, which is read, does not see.
    pub unseen: Vec<Arc<str>>,
}

/// Something that is to hold of an expression wherever it is evaluated.
#[derive(Clone)]
pub(crate) struct Asked {
    pub holds: ExprId,
    pub span: Span,
    /// What of the expression it is about.
    pub of: &'static str,
}

/// A name that stands for a value while an expression is resolved for it: an
/// index of a definition, a variable of a quantifier, or a constant input.
#[derive(Clone)]
pub(crate) struct Binding {
    pub name: Arc<str>,
    /// What it stands for.
    pub value: Bound,
    pub ty: Type,
    /// What its name means: an index of the node, or one of its flows.
    pub meaning: Meaning,
}

/// What a bound name stands for.
#[derive(Clone)]
pub(crate) enum Bound {
    /// A constant.
    Constant(ExprKind),
    /// One and the same expression wherever it is named, and how many conditions are
    /// around it.
    Expr(ExprId, usize),
}

#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) enum ScopeKind {
    #[default]
    Constant,
    Function,
    Node,
}

impl Scope {
    /// Only constants can be named here.
    pub fn constants(exprs: Exprs) -> Scope {
        Scope { exprs, ..Scope::default() }
    }

    /// The flows of a node can be named here.
    pub fn node(streams: &[Stream], types: Vec<Option<Type>>, kind: ScopeKind) -> Scope {
        let ids = (0..).map(StreamId).zip(streams);
        let free = ids.filter_map(|(id, stream)| Some((stream.constant?, id))).collect();
        let inputs = (0..).map(StreamId).zip(streams);
        let inputs = inputs.filter(|(_, stream)| stream.kind == StreamKind::Input);
        let inputs = (kind == ScopeKind::Function).then(|| inputs.map(|(id, _)| id).collect());
        Scope { streams: flow_names(streams), free, inputs, types, kind, ..Scope::default() }
    }
}

/// How much of a node there was at some time: expressions, calls, what holds of chosen
/// values and of expressions, flows that expressions made.
#[derive(Clone, Copy)]
pub(crate) struct Mark([usize; 5]);

impl Mark {
    /// The number of expressions.
    pub fn exprs(&self) -> usize {
        self.0[0]
    }

    /// The number of conditions of chosen values.
    pub fn chosen(&self) -> usize {
        self.0[2]
    }

    /// The number of flows that expressions made.
    pub fn pending(&self) -> usize {
        self.0[4]
    }
}

impl Scope {
    /// How much there is now.
    pub fn mark(&self) -> Mark {
        let Scope { exprs, calls, chosen, ascribed, pending, .. } = self;
        Mark([exprs.len(), calls.len(), chosen.len(), ascribed.len(), pending.len()])
    }

    /// Takes back what came after a mark.
    pub fn take_back(&mut self, Mark([exprs, calls, chosen, ascribed, pending]): Mark) {
        self.exprs.truncate(exprs);
        self.forget_shared();
        self.calls.truncate(calls);
        self.stateful.retain(|call| call.index() < calls);
        self.chosen.truncate(chosen);
        self.ascribed.truncate(ascribed);
        self.types.truncate(self.types.len() - (self.pending.len() - pending));
        self.pending.truncate(pending);
    }

    /// Forgets which expressions stand for what is written in several places: some of
    /// them are taken back, or another arena begins.
    pub fn forget_shared(&mut self) {
        self.reads.clear();
        self.inner_clocks.clear();
        self.frame.forget_shared();
    }
}

/// The flows by their names, without those that hand on free constants.
pub(crate) fn flow_names(streams: &[Stream]) -> FxHashMap<Arc<str>, StreamId> {
    // In reverse, so that of two with the same name the first one counts.
    let ids = streams.iter().enumerate().rev().filter(|(_, s)| s.constant.is_none());
    ids.map(|(i, s)| (s.name.clone(), StreamId(i as u32))).collect()
}
