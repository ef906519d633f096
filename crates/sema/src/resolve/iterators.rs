//! Operators and iterators over arrays, applied: element by element, from the first one on
//! (`map`, `red`, `fill`, `fillred`, `boolred` of Lustre V6; `map`, `mapi`, `fold`, `foldi`, `mapfold`
//! of Heptagon, where the accumulator comes last). Sizes are numbers by then, so
//! an iterator is written out, and each `pre` and each call in it is one for each element.

use lustral_syntax::Span;
use lustral_syntax::diagnostic::{Code, Diagnostic};
use num_bigint::BigInt;

use super::clocks::Activated;
use super::expressions::count;
use super::operations::{Iterator, Operation};
use super::parameters::literal;
use super::{Components, Resolver};
use crate::program::{BinaryOp, ExprId, ExprKind};
use crate::types::Type;

/// How often the iterators of a node may apply something.
const MOST: usize = 200_000;

impl Iterator {
    /// How it is written.
    pub(super) fn word(self) -> &'static str {
        match self {
            Iterator::Map => "map",
            Iterator::Fold => "red",
            Iterator::MapIndexed => "mapi",
            Iterator::FoldLast => "mapfold",
            Iterator::FoldIndexed => "foldi",
        }
    }

    fn is_indexed(self) -> bool {
        matches!(self, Iterator::MapIndexed | Iterator::FoldIndexed)
    }

    /// Whether the accumulator stands behind the elements.
    fn is_late(self) -> bool {
        matches!(self, Iterator::FoldLast | Iterator::FoldIndexed)
    }
}

impl Resolver<'_> {
    /// Applies something to arguments.
    pub(super) fn apply(
        &mut self,
        operation: &Operation,
        args: Vec<ExprId>,
        span: Span,
    ) -> Components {
        match operation {
            Operation::Node(id, given) => self.call_node(*id, given.clone(), Some(args), span),
            Operation::Builtin(name) => {
                let name = lustral_syntax::ast::Ident { name: name.clone(), span };
                self.builtin(&name, Some(&args), span).flatten()
            }
            Operation::Unary(op, ty) => {
                let [a] = self.operands(op.as_str(), args, ty.as_ref(), span)?;
                self.unary(*op, vec![a], span)
            }
            Operation::Binary(op, ty) => {
                let [a, b] = self.operands(op.as_str(), args, ty.as_ref(), span)?;
                self.binary(*op, vec![a], vec![b], span)
            }
            Operation::If => {
                let [c, a, b] = self.operands("if", args, None, span)?;
                self.conditional(vec![c], vec![a], vec![b], span)
            }
            Operation::Count(low, high, None) => self.counted(low, high, args, span),
            Operation::Count(low, high, Some(size)) => {
                let [array] = self.operands("boolred", args, None, span)?;
                self.goes_over(array, *size, span)?;
                let parts = (0..*size).map(|i| self.part(array, i, span)).collect();
                self.counted(low, high, parts, span)
            }
            Operation::Condact(of, default) => {
                let Some((clock, rest)) = args.split_first() else {
                    return self.too_few("condact", ("a condition", "first"), span);
                };
                let call = self.apply(of, rest.to_vec(), span)?;
                let (value, ty) = default;
                let default = literal(value, ty).map(|kind| self.scalar(kind, ty.clone(), span));
                let (clock, defaults) = (Some(vec![*clock]), Some(vec![default]));
                let (initial, place) = (true, span);
                let parts = Activated { call, clock, reset: None, defaults, initial, place };
                self.activated(parts, span)
            }
            Operation::Iterated(how, of, size) => self.iterate(*how, (of, *size), args, span),
        }
    }

    /// The operands of an operator, if there are as many as it takes.
    fn operands<const N: usize>(
        &mut self,
        op: &str,
        args: Vec<ExprId>,
        ty: Option<&Type>,
        span: Span,
    ) -> Option<[ExprId; N]> {
        let args = <[ExprId; N]>::try_from(args).map_err(|args| {
            let message = format!("`{op}` takes {}, {} given", count(N, "argument"), args.len());
            self.push(Diagnostic::error(Code::Arity, span, message));
        });
        let args = args.ok()?;
        let fits = |arg: &ExprId| ty.is_none_or(|ty| self.expect(*arg, ty, &format!("`{op}`")));
        args.iter().all(fits).then_some(args)
    }

    fn too_few<T>(&mut self, word: &str, (what, place): (&str, &str), span: Span) -> Option<T> {
        let message = format!("`{word}` takes {what} as its {place} argument");
        self.push(Diagnostic::error(Code::Arity, span, message));
        None
    }

    /// Whether something is an array of as many elements as an iterator goes over;
    /// reports if not.
    fn goes_over(&mut self, array: ExprId, size: u32, span: Span) -> Option<()> {
        let length = self.length(array)?;
        if length != size {
            let (have, want) = (count(length as usize, "element"), size);
            let message = format!("this array has {have}, the iterator goes over {want}");
            let place = self.scope.exprs[array].span;
            self.push(Diagnostic::error(Code::Type, place, message).also(span, "the iterator"));
            return None;
        }
        Some(())
    }

    fn iterate(
        &mut self,
        how: Iterator,
        (of, size): (&Operation, u32),
        args: Vec<ExprId>,
        span: Span,
    ) -> Components {
        let (first, arrays) = match (how, &args[..]) {
            (Iterator::Map | Iterator::MapIndexed, arrays) => (None, arrays),
            (Iterator::Fold, [first, arrays @ ..]) => (Some(*first), arrays),
            (Iterator::FoldLast | Iterator::FoldIndexed, [arrays @ .., first]) => {
                (Some(*first), arrays)
            }
            (Iterator::Fold, []) => return self.too_few("red", ("an accumulator", "first"), span),
            (_, []) => return self.too_few(how.word(), ("an accumulator", "last"), span),
        };
        for array in arrays {
            self.goes_over(*array, size, span)?;
        }
        if size as usize > MOST.saturating_sub(self.scope.quantified) {
            let message = format!("the iterators of a node go over at most {MOST} elements");
            self.push(Diagnostic::error(Code::Type, span, message));
            return None;
        }
        self.scope.quantified += size as usize;
        let mut accumulator = first;
        let mut columns: Vec<Vec<ExprId>> = Vec::new();
        for i in 0..size {
            let parts = arrays.iter().map(|array| self.part(*array, i, span));
            let mut all: Vec<ExprId> = parts.collect();
            if how.is_indexed() {
                all.extend(self.scalar(ExprKind::Int(i.into()), Type::Int, span));
            }
            let place = if how.is_late() { all.len() } else { 0 };
            accumulator.into_iter().for_each(|accumulator| all.insert(place, accumulator));
            let mut found = self.once(i == 0, of, all, span)?;
            if let Some(before) = accumulator {
                accumulator = Some(self.accumulated(before, (how, &mut found), span)?);
            }
            columns.resize_with(found.len(), Vec::new);
            columns.iter_mut().zip(found).for_each(|(column, one)| column.push(one));
        }
        let mut results: Vec<ExprId> = Vec::new();
        for column in columns {
            let column = column.into_iter().map(|one| Some(vec![one])).collect();
            results.extend(self.array(column, span)?);
        }
        let place = if how.is_late() { results.len() } else { 0 };
        accumulator.into_iter().for_each(|accumulator| results.insert(place, accumulator));
        Some(results)
    }

    /// The next accumulator, which is the first of some results, or the last.
    fn accumulated(
        &mut self,
        before: ExprId,
        (how, found): (Iterator, &mut Vec<ExprId>),
        span: Span,
    ) -> Option<ExprId> {
        if found.is_empty() {
            let message = "what is iterated gives no accumulator: it has no outputs";
            self.push(Diagnostic::error(Code::Arity, span, message));
            return None;
        }
        let next = found.remove(if how.is_late() { found.len() - 1 } else { 0 });
        let wanted = self.scope.exprs[before].ty.clone();
        self.expect(next, &wanted, "the accumulator").then_some(next)
    }

    /// Applies something to the elements at one position. What is remarked of the first
    /// ones is not said again of the others.
    fn once(&mut self, first: bool, of: &Operation, args: Vec<ExprId>, span: Span) -> Components {
        let outer = std::mem::take(&mut self.diagnostics);
        let found = self.apply(of, args, span);
        let own = std::mem::replace(&mut self.diagnostics, outer);
        if first || own.has_errors() {
            own.iter().for_each(|d| self.push(d.clone()));
        }
        found
    }

    /// Whether at least so many and at most so many of some are true.
    fn counted(
        &mut self,
        low: &BigInt,
        high: &BigInt,
        list: Vec<ExprId>,
        span: Span,
    ) -> Components {
        if *low == BigInt::ZERO && *high == BigInt::from(1) {
            return self.at_most_one(list, span);
        }
        if !list.iter().all(|one| self.expect(*one, &Type::Bool, "what is counted")) {
            return None;
        }
        let exprs = &mut self.scope.exprs;
        let mut int = |n: BigInt| exprs.push(ExprKind::Int(n), Type::Int, span);
        let (low, high) = (int(low.clone()), int(high.clone()));
        let (zero, one) = (int(BigInt::ZERO), int(BigInt::from(1)));
        let mut sum = zero;
        for element in list {
            let counts = exprs.push(ExprKind::If(element, one, zero), Type::Int, span);
            sum = exprs.push(ExprKind::Binary(BinaryOp::Plus, sum, counts), Type::Int, span);
        }
        let mut compare =
            |a, b| exprs.push(ExprKind::Binary(BinaryOp::LessEqual, a, b), Type::Bool, span);
        let (above, below) = (compare(low, sum), compare(sum, high));
        Some(self.scalar(ExprKind::Binary(BinaryOp::And, above, below), Type::Bool, span))
    }
}
