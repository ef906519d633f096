//! Definitions of arrays by index: `a[i] = e;`. The right side is resolved once for
//! each element, with the index as a number; so an element may depend on others
//! of the same array, and each `pre` and each call is one for each element.

use lustral_syntax::ast;
use lustral_syntax::diagnostic::{Code, Diagnostic};
use num_bigint::BigInt;

use super::Resolver;
use super::scope::{Binding, Bound};
use crate::program::{ExprId, ExprKind, Meaning};
use crate::types::Type;

impl Resolver<'_> {
    /// The array that an equation with indices defines, whose type is declared;
    /// none if it has an error.
    pub(super) fn by_index(&mut self, declared: &Type, equation: &ast::Equation) -> Option<ExprId> {
        let mut ty = declared;
        let mut lengths = Vec::new();
        for index in &equation.indices {
            let Type::Array(array) = ty else {
                let shown = self.show(ty);
                let message = format!("an index of what is of type {shown}, which is no array");
                self.push(Diagnostic::error(Code::Type, index.span, message));
                return None;
            };
            lengths.push(array.length);
            ty = &array.element;
        }
        let ty = ty.clone();
        let first = self.scope.declared_indices.len() as u32;
        let declared = equation.indices.iter().map(|index| (index.name.clone(), index.span));
        self.scope.declared_indices.extend(declared);
        let mut elements = Vec::new();
        let mut named = None;
        for position in 0..lengths.iter().product() {
            // What is remarked of the first element is not said again of the others.
            let outer = std::mem::take(&mut self.diagnostics);
            let element = self.element_at((&lengths, first), position, &ty, equation);
            let own = std::mem::replace(&mut self.diagnostics, outer);
            if position == 0 || own.has_errors() {
                own.iter().for_each(|d| self.push(d.clone()));
            }
            elements.push(element?);
            self.uses.truncate(*named.get_or_insert(self.uses.len()));
        }
        Some(self.nest(&lengths, elements, ty, equation))
    }

    fn element_at(
        &mut self,
        (lengths, first): (&[u32], u32),
        position: u32,
        ty: &Type,
        equation: &ast::Equation,
    ) -> Option<ExprId> {
        let mut rest = position;
        let outer = self.scope.bindings.len();
        let mut values = Vec::new();
        for length in lengths.iter().rev() {
            values.push(BigInt::from(rest % length));
            rest /= length;
        }
        let named = equation.indices.iter().zip(values.into_iter().rev()).zip(first..);
        let named = named.map(|((name, value), index)| Binding {
            name: name.name.clone(),
            value: Bound::Constant(ExprKind::Int(value)),
            ty: Type::Int,
            meaning: Meaning::Index(index),
        });
        self.scope.bindings.extend(named);
        let found = self.expr(equation.right);
        self.scope.bindings.truncate(outer);
        let span = self.ast[equation.right].span;
        let element = self.single(found?, "an element", span)?;
        self.expect(element, ty, "an element of this array").then_some(element)
    }

    /// Elements in the order of the text as an array of arrays.
    fn nest(
        &mut self,
        lengths: &[u32],
        mut list: Vec<ExprId>,
        mut ty: Type,
        equation: &ast::Equation,
    ) -> ExprId {
        for length in lengths.iter().rev() {
            ty = Type::array(ty, *length);
            let rows = list.chunks(*length as usize);
            let rows: Vec<Vec<ExprId>> = rows.map(<[ExprId]>::to_vec).collect();
            let span = equation.span;
            let push = |row| self.scope.exprs.push(ExprKind::Compose(row), ty.clone(), span);
            list = rows.into_iter().map(push).collect();
        }
        list[0]
    }
}
