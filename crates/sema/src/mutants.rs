//! Small changes of a program, as programs with faults: do its properties notice? (Mutation analysis: DeMillo,
//! Lipton and Sayward, *Hints on test data selection*, Computer 1978.)
//!
//! A mutation puts another expression in the place of one, of operands that were there before. No flow then depends
//! on anything that it did not depend on, at the same step or before, and types and clocks are what they were: a
//! mutant of a program without errors has none. What properties, contracts, assertions and types say is
//! never changed.

use std::cell::RefCell;
use std::collections::BTreeMap;

use lustral_base::{decimal, transitions_of};
use lustral_syntax::source::with_parentheses;
use lustral_syntax::{SourceMap, Span};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use rustc_hash::FxHashSet;

use crate::program::{
    BinaryOp, ConstId, Expr, ExprId, ExprKind, Exprs, Node, NodeId, Program, UnaryOp,
};

/// A small change of a program.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// The node that it is in, the first of those that are made from one text; none for a constant of the program.
    pub node: Option<NodeId>,
    /// The place of what is changed.
    pub span: Span,
    /// What stands there afterwards, on one line.
    pub becomes: String,
    /// The expressions that this text became, and what they are instead.
    sites: Vec<(Option<NodeId>, ExprId, ExprKind)>,
}

impl Mutation {
    /// The program with the change.
    #[must_use]
    pub fn of(&self, program: &Program) -> Program {
        let mut mutant = program.clone();
        for (node, expr, kind) in &self.sites {
            let exprs = match node {
                Some(node) => &mut mutant.nodes[node.index()].exprs,
                None => &mut mutant.const_exprs,
            };
            exprs.replace(*expr, kind.clone());
        }
        mutant
    }
}

/// The mutations of some nodes and of the constants that they name, in the order of the text. The
/// program has no errors.
#[must_use]
pub fn mutations(
    program: &Program,
    sources: &SourceMap,
    nodes: impl IntoIterator<Item = NodeId>,
) -> Vec<Mutation> {
    let mut found = Mutations { sources, list: BTreeMap::new() };
    let mut constants: FxHashSet<ConstId> = FxHashSet::default();
    for id in nodes {
        let node = program.node(id);
        for expr in changeable(node) {
            if let ExprKind::Const(constant) = node.exprs[expr].kind {
                constants.insert(constant);
            }
            found.of_expression(program, Some(id), &node.exprs, expr);
        }
    }
    let mut constants: Vec<ConstId> = constants.into_iter().collect();
    constants.sort_unstable();
    for constant in constants {
        let constant = &program.consts[constant.index()];
        if let Some(expr) = constant.expr.filter(|_| !constant.open) {
            found.of_expression(program, None, &program.const_exprs, expr);
        }
    }
    found.list.into_values().collect()
}

/// The expressions of a node that are part of what it does, and of nothing that is said of it.
fn changeable(node: &Node) -> Vec<ExprId> {
    if node.imported || node.template {
        return Vec::new();
    }
    let said = node.properties.iter().map(|p| p.expr);
    let said = said.chain(node.clauses.iter().map(|c| c.expr));
    let said = said.chain(node.asserts.iter().map(|a| a.expr));
    let said = said.chain(node.streams.iter().filter_map(|s| s.condition));
    let said = reached(node, said);
    // Which transitions are marked as taken is for readers.
    let done = node.streams.iter().filter(|s| transitions_of(&s.name).is_none());
    let done = done.filter_map(|s| s.definition);
    let done = done.chain(node.scopes.iter().flat_map(|s| s.activation.into_iter().chain(s.reset)));
    let done = reached(node, done);
    let mut found: Vec<ExprId> = done.difference(&said).copied().collect();
    // What contracts and types add stands outside of the body.
    found.retain(|expr| node.body.covers(node.exprs[*expr].span));
    found.sort_unstable();
    found
}

/// All that some expressions are made of, with the arguments of calls and what these go by.
fn reached(node: &Node, roots: impl Iterator<Item = ExprId>) -> FxHashSet<ExprId> {
    let mut found = FxHashSet::default();
    let stack: RefCell<Vec<ExprId>> = RefCell::new(roots.collect());
    loop {
        let Some(next) = stack.borrow_mut().pop() else { return found };
        if !found.insert(next) {
            continue;
        }
        let kind = &node.exprs[next].kind;
        let _ = kind.with_operands(|operand| {
            stack.borrow_mut().push(operand);
            operand
        });
        if let ExprKind::Output(call, _) = kind {
            let call = &node.calls[call.index()];
            let parts = call.args.iter().chain(&call.clock).chain(&call.reset);
            stack.borrow_mut().extend(parts.copied());
        }
    }
}

/// What was found so far: by place and by what it becomes, because one text may have become several expressions.
struct Mutations<'s> {
    sources: &'s SourceMap,
    list: BTreeMap<(u32, u32, u32, String), Mutation>,
}

impl<'s> Mutations<'s> {
    fn add(
        &mut self,
        (node, expr): (Option<NodeId>, ExprId),
        span: Span,
        becomes: &str,
        kind: ExprKind,
    ) {
        let words: Vec<&str> = becomes.split_whitespace().collect();
        let becomes = with_parentheses(&words.join(" "));
        let key = (span.file.0, span.start, span.end, becomes.clone());
        let new = || Mutation { node, span, becomes, sites: Vec::new() };
        self.list.entry(key).or_insert_with(new).sites.push((node, expr, kind));
    }

    fn of_expression(
        &mut self,
        program: &Program,
        node: Option<NodeId>,
        exprs: &Exprs,
        id: ExprId,
    ) {
        let at = (node, id);
        let expr = &exprs[id];
        match &expr.kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Real(_)
            | ExprKind::Enum(..)
            | ExprKind::Machine(..) => self.of_literal(program, at, expr),
            ExprKind::Unary(UnaryOp::Not, operand) => {
                let written = self.sources.text(expr.span).starts_with("not");
                if written {
                    let text = self.sources.text(exprs[*operand].span).to_string();
                    let same = ExprKind::Binary(BinaryOp::And, *operand, *operand);
                    self.add(at, expr.span, &text, same);
                }
            }
            ExprKind::Binary(op, a, b) => self.of_operator(at, exprs, (*op, *a, *b)),
            ExprKind::If(condition, then, other) => {
                let span = exprs[*condition].span;
                let is_literal = matches!(exprs[*condition].kind, ExprKind::Bool(_));
                if !is_literal && !self.sources.text(span).is_empty() {
                    for (text, branch) in [("true", *then), ("false", *other)] {
                        self.add(at, span, text, ExprKind::If(*condition, branch, branch));
                    }
                }
            }
            ExprKind::Arrow(first, later) => {
                // Other ways to say what comes first have no arrow.
                let written = self.between(expr.span, exprs[*first].span, exprs[*later].span);
                let sides = if written == Some("->") { vec![*first, *later] } else { Vec::new() };
                for side in sides {
                    let text = self.sources.text(exprs[side].span).to_string();
                    self.add(at, expr.span, &text, ExprKind::Arrow(side, side));
                }
            }
            _ => {}
        }
    }

    /// Another value, where the text is one: not where it is said in other words.
    fn of_literal(&mut self, program: &Program, at: (Option<NodeId>, ExprId), expr: &Expr) {
        let text = self.sources.text(expr.span).to_string();
        let is_number = text.starts_with(|c: char| c.is_ascii_digit());
        let changes: Vec<(String, ExprKind)> = match &expr.kind {
            ExprKind::Bool(value) if text == value.to_string() => {
                vec![((!value).to_string(), ExprKind::Bool(!value))]
            }
            ExprKind::Int(value) if is_number => {
                let one = BigInt::one();
                let mut near = vec![value + &one];
                near.extend((!value.is_zero()).then(|| value - &one));
                near.into_iter().map(|n| (n.to_string(), ExprKind::Int(n))).collect()
            }
            ExprKind::Real(value) if is_number => {
                let next = value + BigRational::one();
                vec![(decimal::for_programs(&next), ExprKind::Real(next))]
            }
            ExprKind::Machine(shape, value) if is_number => {
                let other = if value.is_zero() { BigInt::one() } else { BigInt::zero() };
                let fits = !(shape.is_signed() && shape.width() == 1);
                let change = || (other.to_string(), ExprKind::Machine(*shape, other.clone()));
                fits.then(change).into_iter().collect()
            }
            ExprKind::Enum(of, value) => {
                let known = &program.enums[of.index()];
                // Where the value is declared, nothing is said of when it is taken.
                let is_declared = known.value_spans.get(*value as usize) == Some(&expr.span);
                let is_value = known.values.get(*value as usize).is_some_and(|v| **v == *text);
                let is_written = is_value && !is_declared;
                let next = (*value + 1) % known.values.len().max(1) as u32;
                let change =
                    || (known.values[next as usize].to_string(), ExprKind::Enum(*of, next));
                let other = is_written && next != *value && !known.constructors;
                other.then(change).into_iter().collect()
            }
            _ => Vec::new(),
        };
        for (becomes, kind) in changes {
            self.add(at, expr.span, &becomes, kind);
        }
    }

    /// Another operator, where one is written between the operands.
    fn of_operator(
        &mut self,
        at: (Option<NodeId>, ExprId),
        exprs: &Exprs,
        (op, a, b): (BinaryOp, ExprId, ExprId),
    ) {
        let Some((other, word)) = opposite(op) else { return };
        let (whole, left, right) = (exprs[at.1].span, exprs[a].span, exprs[b].span);
        let Some(written) = self.between(whole, left, right) else { return };
        let text = |start, end| self.sources.text(Span { start, end, ..whole });
        let between = text(left.end, right.start).replace(written, word);
        let (before, after) = (text(whole.start, left.end), text(right.start, whole.end));
        let becomes = format!("{before}{between}{after}");
        self.add(at, whole, &becomes, ExprKind::Binary(other, a, b));
    }

    /// What is written between two operands, if that is one word.
    fn between(&self, whole: Span, left: Span, right: Span) -> Option<&'s str> {
        if !(whole.covers(left) && whole.covers(right) && left.end <= right.start) {
            return None;
        }
        let text = self.sources.text(Span { start: left.end, end: right.start, ..whole });
        let written = text.trim_matches(|c: char| c.is_whitespace() || c == '(' || c == ')');
        (!written.is_empty() && written.len() <= LONGEST_OPERATOR).then_some(written)
    }
}

/// What is longer has a comment in it.
const LONGEST_OPERATOR: usize = 8;

/// The operator that is put in the place of one, of the same types, with its word.
fn opposite(op: BinaryOp) -> Option<(BinaryOp, &'static str)> {
    Some(match op {
        BinaryOp::And => (BinaryOp::Or, "or"),
        BinaryOp::Or | BinaryOp::Implies => (BinaryOp::And, "and"),
        BinaryOp::Xor => (BinaryOp::Equal, "="),
        BinaryOp::Equal => (BinaryOp::NotEqual, "<>"),
        BinaryOp::NotEqual => (BinaryOp::Equal, "="),
        BinaryOp::Less => (BinaryOp::LessEqual, "<="),
        BinaryOp::LessEqual => (BinaryOp::Less, "<"),
        BinaryOp::Greater => (BinaryOp::GreaterEqual, ">="),
        BinaryOp::GreaterEqual => (BinaryOp::Greater, ">"),
        BinaryOp::Plus | BinaryOp::Times => (BinaryOp::Minus, "-"),
        BinaryOp::Minus => (BinaryOp::Plus, "+"),
        BinaryOp::Divide => (BinaryOp::Plus, "+"),
        BinaryOp::Div => (BinaryOp::Mod, "mod"),
        BinaryOp::Mod => (BinaryOp::Div, "div"),
        BinaryOp::BitOr => (BinaryOp::BitAnd, "&&"),
        BinaryOp::BitAnd => (BinaryOp::BitOr, "||"),
        BinaryOp::ShiftLeft => (BinaryOp::ShiftRight, "rsh"),
        BinaryOp::ShiftRight => (BinaryOp::ShiftLeft, "lsh"),
        BinaryOp::Join => return None,
    })
}
