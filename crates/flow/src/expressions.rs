//! Expressions of an instance as terms.
//!
//! `a -> b` is a choice on the flag of the first steps of its scope; below it,
//! `a` is read as at a first step and `b` as later, which removes most flags and
//! most arbitrary values. `pre e` is a memory of the term of `e` after the first
//! step, and at the first step an arbitrary value of its own. An expression has
//! one scope, and flows are variables, so there is only one flag to speak of.

use lustral_kernel::{ExprId, ExprKind, Exprs, ScopeId};
use lustral_sema::InstanceId;
use lustral_sema::program::ConstId;
use lustral_term::{Function, FunctionId, Sort, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::encode::Encoder;
use crate::operators::combine;

/// What the value of an expression may be read from: `->` and `pre` differ at
/// the first steps of their scope and later.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum When {
    Any,
    First,
    Later,
}

/// The terms of expressions so far, of one arena in one scope of an instance.
pub(crate) type Done = FxHashMap<(ExprId, When), TermId>;

/// Where expressions are read: an arena, in a scope of an instance.
#[derive(Clone, Copy)]
pub(crate) struct Place<'e> {
    pub instance: InstanceId,
    pub scope: ScopeId,
    pub exprs: &'e Exprs,
}

impl Encoder<'_> {
    /// The term of an expression of an instance's arena, in a scope, at any
    /// step: an explicit stack, because expressions may be nested deeply.
    pub(crate) fn expr(
        &mut self,
        instance: InstanceId,
        scope: ScopeId,
        exprs: &Exprs,
        root: ExprId,
    ) -> TermId {
        self.expr_with(instance, scope, exprs, root, &mut Done::default())
    }

    /// The same, and what was found on the way is remembered.
    pub(crate) fn expr_with(
        &mut self,
        instance: InstanceId,
        scope: ScopeId,
        exprs: &Exprs,
        root: ExprId,
        done: &mut Done,
    ) -> TermId {
        self.expr_when(Place { instance, scope, exprs }, (root, When::Any), done)
    }

    /// The same, as it is read at some steps.
    pub(crate) fn expr_when(
        &mut self,
        place: Place<'_>,
        root: (ExprId, When),
        done: &mut Done,
    ) -> TermId {
        let exprs = place.exprs;
        let mut stack = vec![root];
        while let Some(&(id, when)) = stack.last() {
            if done.contains_key(&(id, when)) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            operands(exprs, id, when, |id, when| {
                if !done.contains_key(&(id, when)) {
                    stack.push((id, when));
                }
            });
            if stack.len() == before {
                let term = self.one(place, id, when, done);
                done.insert((id, when), term);
                stack.pop();
            }
        }
        done[&root]
    }

    /// The term of an expression whose operands have theirs.
    fn one(&mut self, place: Place<'_>, id: ExprId, when: When, done: &Done) -> TermId {
        let Place { instance, scope, exprs } = place;
        let get = |e: &ExprId| done[&(*e, when)];
        match &exprs[id].kind {
            ExprKind::Const(c) => self.constant(*c),
            // A present flow is read where its scope is active; elsewhere its
            // variable has a value too, which does not count.
            ExprKind::Flow(flow) | ExprKind::Present(flow) => {
                self.flows[instance.index()][flow.index()]
            }
            ExprKind::Output(call, i) => {
                let child = self.tree.child(instance, *call);
                let inputs = self.node(child).inputs;
                self.flows[child.index()][inputs + *i as usize]
            }
            ExprKind::Arrow(a, b) => match when {
                When::First => get(a),
                When::Later => get(b),
                When::Any => {
                    let (a, b) = (done[&(*a, When::First)], done[&(*b, When::Later)]);
                    let first = self.clock(instance, scope).first;
                    self.system.terms.ite(first, a, b)
                }
            },
            ExprKind::Pre(operand) => match when {
                When::First => self.first_value(instance, exprs, id),
                When::Later => self.later(place, (id, *operand), done),
                When::Any => {
                    let a = self.first_value(instance, exprs, id);
                    let b = self.later(place, (id, *operand), done);
                    let first = self.clock(instance, scope).first;
                    self.system.terms.ite(first, a, b)
                }
            },
            ExprKind::Any => self.any_value(instance, exprs, id),
            ExprKind::Apply(function, list) => {
                let arguments: Vec<TermId> = list.iter().map(get).collect();
                self.apply(*function, exprs[id].ty.sort, arguments)
            }
            kind => combine(&mut self.system.terms, kind, get),
        }
    }

    /// What was remembered of an operand.
    fn later(&mut self, place: Place<'_>, (id, operand): (ExprId, ExprId), done: &Done) -> TermId {
        let term = done[&(operand, When::Any)];
        self.delay(place.instance, place.scope, place.exprs, (id, operand), term)
    }

    /// A function of which nothing is known. In terms each has an argument.
    fn apply(&mut self, function: u32, result: Sort, mut arguments: Vec<TermId>) -> TermId {
        if arguments.is_empty() {
            arguments.push(Terms::TRUE);
        }
        self.system.terms.call(Function { id: FunctionId(function), result }, &arguments)
    }

    /// A declared constant: its expression, folded by the term constructors.
    pub(crate) fn constant(&mut self, root: ConstId) -> TermId {
        let program = self.program;
        // Constants are sorted by dependency: fill in all up to this one.
        for c in 0..=root.index() {
            if self.constants[c].is_some() {
                continue;
            }
            let expr = program.constants[c].expr;
            let mut done: FxHashMap<ExprId, TermId> = FxHashMap::default();
            for id in program.constant_exprs.closure([expr]) {
                let term = match &program.constant_exprs[id].kind {
                    ExprKind::Const(used) => {
                        self.constants[used.index()].expect("a constant comes after those it uses")
                    }
                    ExprKind::Apply(function, list) => {
                        let arguments: Vec<TermId> = list.iter().map(|e| done[e]).collect();
                        let sort = program.constant_exprs[id].ty.sort;
                        self.apply(*function, sort, arguments)
                    }
                    kind => combine(&mut self.system.terms, kind, |e| done[e]),
                };
                done.insert(id, term);
            }
            self.constants[c] = Some(done[&expr]);
        }
        self.constants[root.index()].expect("just filled in")
    }
}

/// The operands that an expression needs, each with when it is read.
fn operands(exprs: &Exprs, id: ExprId, when: When, mut visit: impl FnMut(ExprId, When)) {
    match &exprs[id].kind {
        ExprKind::Arrow(a, b) => {
            if when != When::Later {
                visit(*a, When::First);
            }
            if when != When::First {
                visit(*b, When::Later);
            }
        }
        // What is remembered is the value at whatever step it was.
        ExprKind::Pre(operand) => {
            if when != When::First {
                visit(*operand, When::Any);
            }
        }
        _ => exprs.operands(id, |operand| visit(operand, when)),
    }
}
