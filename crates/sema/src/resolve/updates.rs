//! Functional updates: a structure with other values in some of its parts.

use lustral_syntax::Span;

use super::structures::Change;
use super::{Components, Resolver};
use crate::program::{ExprId, ExprKind};
use crate::types::Type;

impl Resolver<'_> {
    /// `a[i := e]`, `r[a := e; b := f]`: the changes one after the other.
    pub(super) fn update(
        &mut self,
        whole: Vec<ExprId>,
        changes: Vec<(Change, Vec<ExprId>)>,
        span: Span,
    ) -> Components {
        // `map` alone has no value: what follows tells its type.
        let mut made = match whole[..] {
            [] => None,
            _ => Some(self.single(whole, "what is changed", span)?),
        };
        for (change, value) in changes {
            let value = self.single(value, "the new value", span)?;
            let whole = match (made, &change) {
                (Some(whole), _) => whole,
                (None, Change::Index(index)) => {
                    let key = self.single(index.clone(), "a key", span)?;
                    self.map_of(key, value, span)?
                }
                (None, Change::Name(name)) => {
                    let key = self.name(&name.name, name.span)?;
                    let key = self.single(key, "a key", name.span)?;
                    self.map_of(key, value, span)?
                }
            };
            made = Some(self.change(whole, change, value, span)?);
        }
        made.map(|whole| vec![whole])
    }

    fn change(
        &mut self,
        whole: ExprId,
        change: Change,
        value: ExprId,
        span: Span,
    ) -> Option<ExprId> {
        let ty = self.scope.exprs[whole].ty.clone();
        let (index, place) = match (change, &ty) {
            (Change::Name(field), _) if ty.variants().is_some() => {
                self.no_record(&ty, field.span);
                return None;
            }
            (Change::Name(field), Type::Record(_)) => {
                let position = self.field_position(&ty, &field)?;
                let place = format!("the field `{}`", field.name);
                let good = self.expect(value, ty.part(position), &place);
                let kind = ExprKind::With(whole, position, value);
                return good.then(|| self.scope.exprs.push(kind, ty, span));
            }
            (Change::Name(name), _) => {
                let index = self.name(&name.name, name.span)?;
                (self.single(index, "an index", name.span)?, name.span)
            }
            (Change::Index(index), _) => (self.single(index, "an index", span)?, span),
        };
        if matches!(ty, Type::Map(_)) {
            return self.with_value(whole, (index, value), span);
        }
        if matches!(ty, Type::Tuple(_)) {
            let number = self.known_int(index);
            let position = self.tuple_position(whole, number, place)?;
            let good = self.expect(value, ty.part(position), "this component");
            let kind = ExprKind::With(whole, position, value);
            return good.then(|| self.scope.exprs.push(kind, ty, span));
        }
        let length = self.length(whole)?;
        let good = self.expect(index, &Type::Int, "an index");
        if !good || !self.expect(value, ty.part(0), "an element of this array") {
            return None;
        }
        // The changed element may have other bounds than the others.
        let element = ty.part(0).join(&self.scope.exprs[value].ty);
        let ty = Type::array(element, length);
        let kind = match self.known_int(index) {
            None => ExprKind::WithElement(whole, index, value),
            Some(known) => match u32::try_from(&known).ok().filter(|i| *i < length) {
                Some(position) => ExprKind::With(whole, position, value),
                None => return Some(whole),
            },
        };
        Some(self.scope.exprs.push(kind, ty, span))
    }
}
