//! What a program can be asked beside what it states: that every index is inside of its
//! array, and that no operation on machine integers overflows. Properties for who asks.
//!
//! An operation matters where its value is used: in the branch that an `if` chooses, on the
//! right of `and` where the left side holds, on the right of `->` after the first step.
//! What a `pre` remembers counts as used, and so does what is computed for a slower clock.
//!
//! An operation overflows where its result is not that of the integers, which is said in
//! machine integers that are wide enough.

use std::collections::BTreeMap;

use lustral_base::ScopeId;
use lustral_base::sort::BitVec;
use lustral_syntax::source::with_parentheses;
use lustral_syntax::{SourceMap, Span};
use num_bigint::BigInt;

use crate::program::{
    BinaryOp, ExprId, ExprKind, Exprs, Node, Program, Property, PropertyKind, UnaryOp,
};
use crate::types::Type;

/// What is asked of every place in a program.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Hazards {
    /// That the index of an element is inside of the array, wherever it is not a constant.
    pub indices: bool,
    /// That operations on machine integers, and conversions to them, do not overflow.
    pub overflows: bool,
}

/// Adds to each node with a body, for each place of its text, the properties that are
/// asked for. The program has no errors.
pub fn state_hazards(program: &mut Program, sources: &SourceMap, asked: Hazards) {
    if asked == Hazards::default() {
        return;
    }
    for node in program.nodes.iter_mut().filter(|node| !node.template && !node.imported) {
        for ((_, name, _), (span, expr)) in statements(node, sources, asked) {
            let taken = node.properties.iter().any(|p| *p.name == *name)
                || node.clauses.iter().any(|c| *c.name == *name);
            let column = sources.line_column(span).column;
            let name = if taken { format!("{name}:{column}") } else { name };
            let (name, kind) = (name.into(), PropertyKind::Always);
            node.properties.push(Property { name, kind, expr, span });
        }
    }
}

/// The text of an operation. Its place is without parentheses around operands at its ends.
pub(crate) fn excerpt(sources: &SourceMap, span: Span) -> String {
    const LONGEST: usize = 40;
    let text = &sources.file(span.file).text[span.range()];
    let short: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let whole = with_parentheses(&short);
    if whole.chars().count() <= LONGEST {
        return whole;
    }
    whole.chars().take(LONGEST).chain(['…']).collect()
}

/// When the value of an expression is used.
#[derive(Clone)]
enum Used {
    Never,
    Always,
    /// Where one of these holds.
    Where(Vec<ExprId>),
}

/// What is asked, in the order of the text: the same text on the same line, as it is
/// quantified or defined by index, is one thing for all its values.
type Statements = BTreeMap<((u32, u32), String, ScopeId), (Span, ExprId)>;

fn statements(node: &mut Node, sources: &SourceMap, asked: Hazards) -> Statements {
    let count = node.exprs.len();
    let concerned = concerned(&node.exprs, asked);
    let mut used = vec![Used::Never; count];
    for root in roots(node) {
        used[root.index()] = Used::Always;
    }
    let mut all = Statements::new();
    let mut build = Build { exprs: &mut node.exprs, span: node.span, scope: ScopeId::NODE };
    // An operand comes before its users: the last ones are nobody's operands.
    for id in (0..count as u32).rev().map(ExprId) {
        let when = std::mem::replace(&mut used[id.index()], Used::Never);
        if !concerned[id.index()] || matches!(when, Used::Never) {
            continue;
        }
        build.at(id);
        let when = build.any(when);
        build.pass_on(id, when, &concerned, &mut used);
        let mut stated = Vec::new();
        if asked.indices {
            stated.extend(build.inside(id).map(|holds| ("in range", holds)));
        }
        if asked.overflows {
            stated.extend(build.exact(id).map(|holds| ("no overflow", holds)));
        }
        for (what, holds) in stated {
            let holds = match when {
                Some(when) => build.binary(BinaryOp::Implies, when, holds),
                None => holds,
            };
            let (span, scope) = (build.span, build.scope);
            let line = sources.line_column(span).line;
            let name = format!("{what}({}) at line {line}", excerpt(sources, span));
            let place = (span.file.0, span.start);
            let entry = all.entry((place, name, scope)).or_insert((span, holds));
            if entry.1 != holds {
                entry.1 = build.binary(BinaryOp::And, entry.1, holds);
            }
        }
    }
    all
}

/// By expression: whether something is asked of it or of what it is made of.
fn concerned(exprs: &Exprs, asked: Hazards) -> Vec<bool> {
    let mut concerned = vec![false; exprs.len()];
    for (id, expr) in exprs.iter() {
        let own = match expr.kind {
            ExprKind::Element(..) | ExprKind::WithElement(..) => asked.indices,
            ExprKind::Unary(..) | ExprKind::Binary(..) => {
                asked.overflows && expr.ty.machine().is_some()
            }
            _ => false,
        };
        let mut any = own;
        every_operand(exprs, id, |operand| any |= concerned[operand.index()]);
        concerned[id.index()] = any;
    }
    concerned
}

/// All operands, those of `pre` too.
fn every_operand(exprs: &Exprs, id: ExprId, mut visit: impl FnMut(ExprId)) {
    match exprs[id].kind {
        ExprKind::Pre(operand) => visit(operand),
        ExprKind::Fby(_, later) => {
            visit(later);
            exprs.present_operands(id, visit);
        }
        _ => exprs.present_operands(id, visit),
    }
}

/// The expressions whose values matter at every step of their clocks.
fn roots(node: &Node) -> Vec<ExprId> {
    let flows = node.streams.iter().flat_map(|s| s.definition.into_iter().chain(s.condition));
    let calls = node.calls.iter();
    let calls = calls.flat_map(|c| c.args.iter().copied().chain(c.clock).chain(c.reset));
    let scopes = node.scopes.iter().flat_map(|s| s.activation.into_iter().chain(s.reset));
    let asserts = node.asserts.iter().map(|assertion| assertion.expr);
    let properties = node.properties.iter().map(|property| property.expr);
    let clauses = node.clauses.iter().map(|clause| clause.expr);
    flows.chain(calls).chain(scopes).chain(asserts).chain(properties).chain(clauses).collect()
}

/// Expressions about an expression: at its place and on its clock.
struct Build<'e> {
    exprs: &'e mut Exprs,
    span: Span,
    scope: ScopeId,
}

impl Build<'_> {
    fn at(&mut self, id: ExprId) {
        (self.span, self.scope) = (self.exprs[id].span, self.exprs[id].scope);
    }

    fn push(&mut self, kind: ExprKind, ty: Type) -> ExprId {
        let id = self.exprs.push(kind, ty, self.span);
        self.exprs.set_scope(id, self.scope);
        id
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.push(ExprKind::Binary(op, a, b), Type::Bool)
    }

    fn not(&mut self, a: ExprId) -> ExprId {
        self.push(ExprKind::Unary(UnaryOp::Not, a), Type::Bool)
    }

    /// Whether the present step is the first, or is not.
    fn first(&mut self, is_first: bool) -> ExprId {
        let now = self.push(ExprKind::Bool(is_first), Type::Bool);
        let later = self.push(ExprKind::Bool(!is_first), Type::Bool);
        self.push(ExprKind::Arrow(now, later), Type::Bool)
    }

    /// One condition for all; none if there is nothing to ask.
    fn any(&mut self, used: Used) -> Option<ExprId> {
        let Used::Where(list) = used else { return None };
        list.into_iter().reduce(|all, one| self.binary(BinaryOp::Or, all, one))
    }

    fn both(&mut self, when: Option<ExprId>, condition: ExprId) -> ExprId {
        when.map_or(condition, |when| self.binary(BinaryOp::And, when, condition))
    }

    /// Tells the operands of an expression when their values are used.
    fn pass_on(&mut self, id: ExprId, when: Option<ExprId>, concerned: &[bool], used: &mut [Used]) {
        let mut tell = |id: ExprId, condition| {
            if concerned.get(id.index()).is_some_and(|concerned| *concerned) {
                use_where(used, id, condition);
            }
        };
        match self.exprs[id].kind.clone() {
            ExprKind::If(condition, a, b) => {
                tell(condition, when);
                let (yes, no) = (self.both(when, condition), self.not(condition));
                tell(a, Some(yes));
                let no = self.both(when, no);
                tell(b, Some(no));
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Implies | BinaryOp::Or), a, b) => {
                tell(a, when);
                let matters = if op == BinaryOp::Or { self.not(a) } else { a };
                let matters = self.both(when, matters);
                tell(b, Some(matters));
            }
            ExprKind::Arrow(a, b) => {
                for (operand, is_first) in [(a, true), (b, false)] {
                    let then = self.first(is_first);
                    let then = self.both(when, then);
                    tell(operand, Some(then));
                }
            }
            ExprKind::Pre(operand) => tell(operand, None),
            ExprKind::Fby(a, later) => {
                let first = self.first(true);
                let first = self.both(when, first);
                tell(a, Some(first));
                tell(later, None);
            }
            // On other clocks, and there at every step.
            ExprKind::When(..) | ExprKind::Merge(..) | ExprKind::Held(..) => {
                self.exprs.present_operands(id, |operand| tell(operand, None));
            }
            _ => self.exprs.present_operands(id, |operand| tell(operand, when)),
        }
    }

    /// That the index of an access is inside of the array.
    fn inside(&mut self, id: ExprId) -> Option<ExprId> {
        let (ExprKind::Element(array, index, _) | ExprKind::WithElement(array, index, _)) =
            self.exprs[id].kind
        else {
            return None;
        };
        let size = self.exprs[array].ty.part_count();
        let zero = self.push(ExprKind::Int(BigInt::ZERO), Type::Int);
        let size = self.push(ExprKind::Int(size.into()), Type::Int);
        let above = self.binary(BinaryOp::LessEqual, zero, index);
        let below = self.binary(BinaryOp::Less, index, size);
        Some(self.binary(BinaryOp::And, above, below))
    }

    /// That an operation has the result that it has on integers; none if it cannot have
    /// another.
    fn exact(&mut self, id: ExprId) -> Option<ExprId> {
        let shape = self.exprs[id].ty.machine()?;
        let wider = |width: u32| {
            let width = u16::try_from(width).ok()?;
            BitVec::try_from((width, shape.is_signed())).ok()
        };
        let width = u32::from(shape.width());
        match self.exprs[id].kind {
            ExprKind::Binary(op, a, b) => {
                let wide = wider(match op {
                    BinaryOp::Plus | BinaryOp::Minus => width + 1,
                    BinaryOp::Times => 2 * width,
                    // Only -128 div -1 and its like.
                    BinaryOp::Div | BinaryOp::Divide if shape.is_signed() => width + 1,
                    _ => return None,
                })?;
                let (a, b) = (self.converted(wide, a), self.converted(wide, b));
                let exact = self.push(ExprKind::Binary(op, a, b), Type::Machine(wide));
                Some(self.same(wide, id, exact))
            }
            ExprKind::Unary(UnaryOp::Minus, a) => {
                let wide = wider(width + 1)?;
                let a = self.converted(wide, a);
                let exact = self.push(ExprKind::Unary(UnaryOp::Minus, a), Type::Machine(wide));
                Some(self.same(wide, id, exact))
            }
            ExprKind::Unary(UnaryOp::ToMachine(to), a) => match self.exprs[a].ty {
                Type::Machine(from) if from.width() <= to.width() => None,
                Type::Machine(from) => Some(self.same(from, id, a)),
                // Numbers as written have their warning.
                _ if self.is_written(a) => None,
                _ => {
                    let number = self.push(ExprKind::Unary(UnaryOp::ToInt, id), Type::Int);
                    Some(self.binary(BinaryOp::Equal, number, a))
                }
            },
            _ => None,
        }
    }

    fn is_written(&self, id: ExprId) -> bool {
        match self.exprs[id].kind {
            ExprKind::Int(_) => true,
            ExprKind::Unary(UnaryOp::Minus, inner) => {
                matches!(self.exprs[inner].kind, ExprKind::Int(_))
            }
            _ => false,
        }
    }

    fn converted(&mut self, to: BitVec, operand: ExprId) -> ExprId {
        self.push(ExprKind::Unary(UnaryOp::ToMachine(to), operand), Type::Machine(to))
    }

    /// That an operation gives what it gives in a wider type.
    fn same(&mut self, wide: BitVec, id: ExprId, exact: ExprId) -> ExprId {
        let result = self.converted(wide, id);
        self.binary(BinaryOp::Equal, result, exact)
    }
}

/// Notes that the value of an expression is used where a condition holds, if there is
/// one.
fn use_where(used: &mut [Used], id: ExprId, condition: Option<ExprId>) {
    let known = &mut used[id.index()];
    match (&mut *known, condition) {
        (Used::Always, _) => {}
        (Used::Where(list), Some(condition)) => list.push(condition),
        (Used::Never, Some(condition)) => *known = Used::Where(vec![condition]),
        (Used::Never | Used::Where(_), None) => *known = Used::Always,
    }
}
