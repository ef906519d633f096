//! Sets and maps: each construct written out by what their leaves have for keys (`keyed.rs`
//! of the crate).
//!
//! What a map has for keys that are not in it is open, at each place where a map is made:
//! who reads it gets some value, the same for the same map and key at a step. So maps are
//! compared, and given to functions of which nothing is known, with the plainest values there.

use lustral_syntax::Span;
use lustral_syntax::ast::{self, BinaryOp as A};
use lustral_syntax::diagnostic::{Code, Diagnostic};

use super::scope::ScopeKind;
use super::{Components, Resolver};
use crate::program::{ExprId, ExprKind};
use crate::types::Type;

/// How many scalars a key may be made of.
const MOST_SCALARS: u32 = 256;

impl<'a> Resolver<'a> {
    /// `set<t>`, `map<t, u>`; nothing if the name stands for another type.
    pub(super) fn keyed_type(
        &mut self,
        name: &str,
        types: &[ast::Type],
        span: Span,
    ) -> Option<Option<Type>> {
        self.means_keyed(name, types.len()).then(|| {
            let types = self.keyed_arguments(types);
            types.and_then(|types| self.keyed(&types, span))
        })
    }

    /// Whether a name before so many types means sets or maps.
    pub(super) fn means_keyed(&self, name: &str, types: usize) -> bool {
        let other = self.type_arguments.contains_key(name) || self.env.types.contains_key(name);
        !other && matches!((name, types), ("set", 1) | ("map", 2))
    }

    /// The types that are named for keys and values. What they say of these beyond what they
    /// are is said of the flows that are declared so (`conditions/limits.rs`).
    fn keyed_arguments(&mut self, types: &[ast::Type]) -> Option<Vec<Type>> {
        let types: Vec<Option<Type>> = types.iter().map(|ty| self.ty(ty)).collect();
        types.into_iter().collect()
    }

    /// A set of values of the one type, or a map from the one to the other.
    fn keyed(&mut self, types: &[Type], span: Span) -> Option<Type> {
        if types[0].has_keys() {
            let message = "sets and maps are no keys";
            self.push(Diagnostic::error(Code::Type, span, message));
            return None;
        }
        if types[0].leaves() > MOST_SCALARS {
            let what = format!("keys of more than {MOST_SCALARS} scalars");
            self.push(Diagnostic::unsupported(span, &what));
            return None;
        }
        if types.get(1).is_some_and(Type::has_maps) {
            let help = "make one map of both keys, `map<[k, l], v>`, or use sets as values";
            self.push(
                Diagnostic::unsupported(span, "maps whose values have maps in them").help(help),
            );
            return None;
        }
        let ty = match types {
            [key] => Type::set(key),
            [key, value, ..] => Type::map(key, value),
            [] => return None,
        };
        self.bounded(ty, span)
    }

    /// `{a, b}`, `{}@<t>`
    pub(super) fn set(
        &mut self,
        elements: Vec<Components>,
        types: &[ast::Type],
        span: Span,
    ) -> Components {
        let elements: Option<Vec<Vec<ExprId>>> = elements.into_iter().collect();
        let elements = elements?.into_iter().map(|list| self.single(list, "an element", span));
        let elements = elements.collect::<Option<Vec<ExprId>>>()?;
        let key = match (types, elements.first()) {
            ([_], _) => self.keyed_arguments(types)?.swap_remove(0),
            ([], Some(first)) => self.scope.exprs[*first].ty.without_bounds(),
            ([], None) => {
                let message = "of what this is a set is not known";
                let help = "name the type: `{}@<int>`";
                self.push(Diagnostic::error(Code::Type, span, message).help(help));
                return None;
            }
            _ => {
                let message = format!("a set has elements of one type, {} given", types.len());
                self.push(Diagnostic::error(Code::Arity, span, message));
                return None;
            }
        };
        let ty = self.keyed(&[key], span)?;
        let mut set = self.everywhere(&ty, false, span);
        for element in elements {
            set = self.with_key(set, element, true, span)?;
        }
        Some(vec![set])
    }

    /// `map[]@<t, u>`; without types what `map[k := v]` begins with, which has no value yet.
    pub(super) fn empty_map(&mut self, types: &[ast::Type], span: Span) -> Components {
        match types {
            [] => Some(Vec::new()),
            [_, _] => {
                let types = self.keyed_arguments(types)?;
                let ty = self.keyed(&types, span)?;
                self.no_keys(&ty, span).map(|map| vec![map])
            }
            _ => {
                let message = format!("a map has two types, {} given", types.len());
                self.push(Diagnostic::error(Code::Arity, span, message));
                None
            }
        }
    }

    /// The map without keys that `map[k := v; …]` begins with.
    pub(super) fn map_of(&mut self, key: ExprId, value: ExprId, span: Span) -> Option<ExprId> {
        let types = [key, value].map(|e| self.scope.exprs[e].ty.without_bounds());
        let ty = self.keyed(&types, span)?;
        self.no_keys(&ty, span)
    }

    fn no_keys(&mut self, ty: &Type, span: Span) -> Option<ExprId> {
        if self.scope.kind == ScopeKind::Constant {
            let what = "constants that are maps";
            let help = "write the map where the constant is named";
            self.push(Diagnostic::unsupported(span, what).help(help));
            return None;
        }
        let mut parts = vec![self.everywhere(ty.part(0), false, span)];
        for part in 1..ty.part_count() {
            parts.push(self.open(ty.part(part), &[], span));
        }
        Some(self.scope.exprs.push(ExprKind::Compose(parts), ty.clone(), span))
    }

    /// Some value of a type, in a function the same for the same inputs.
    fn open(&mut self, ty: &Type, keys: &[ExprId], span: Span) -> ExprId {
        match self.of_inputs(keys, ty, span) {
            Some(value) => value,
            None => self.scope.exprs.push(ExprKind::Any, ty.clone(), span),
        }
    }

    /// A set with all keys there are or with none.
    fn everywhere(&mut self, ty: &Type, all: bool, span: Span) -> ExprId {
        let value = self.push_bool(ExprKind::Bool(all), span);
        self.scope.exprs.push(ExprKind::Everywhere(value), ty.clone(), span)
    }

    /// A set with a key or without it.
    fn with_key(&mut self, set: ExprId, key: ExprId, is_in: bool, span: Span) -> Option<ExprId> {
        let ty = self.scope.exprs[set].ty.clone();
        let wanted = ty.set_of()?.clone();
        if !self.expect(key, &wanted, "an element of this set") {
            return None;
        }
        let key = self.normal(key);
        let value = self.push_bool(ExprKind::Bool(is_in), span);
        Some(self.scope.exprs.push(ExprKind::Put(set, key, value), ty, span))
    }

    /// `k in s`
    pub(super) fn is_in(&mut self, key: ExprId, whole: ExprId, span: Span) -> Option<ExprId> {
        let ty = self.scope.exprs[whole].ty.clone();
        let set = match &ty {
            Type::Map(_) => self.part(whole, 0, span),
            ty if ty.set_of().is_some() => whole,
            ty => {
                let shown = self.show(ty);
                let message = format!("`in` takes a set or a map, this is of type {shown}");
                let place = self.scope.exprs[whole].span;
                let mut diagnostic = Diagnostic::error(Code::Type, place, message);
                if matches!(ty, Type::Array(_)) {
                    diagnostic = diagnostic.help("of an array write `exists (i: int) …`");
                }
                self.push(diagnostic);
                return None;
            }
        };
        let wanted = self.scope.exprs[set].ty.set_of()?.clone();
        if !self.expect(key, &wanted, "a key of this") {
            return None;
        }
        let key = self.normal(key);
        Some(self.push_bool(ExprKind::At(set, key), span))
    }

    /// `m[k]`
    pub(super) fn value_of(&mut self, map: ExprId, key: ExprId, span: Span) -> Option<ExprId> {
        let Type::Map(known) = self.scope.exprs[map].ty.clone() else { return None };
        if !self.expect(key, &known.key, "a key of this map") {
            return None;
        }
        let key = self.normal(key);
        let mut leaves = Vec::new();
        for part in 1..known.parts.types().len() as u32 {
            let table = self.part(map, part, span);
            let Type::Keyed(keyed) = self.scope.exprs[table].ty.clone() else { return None };
            let element = keyed.element.clone();
            leaves.push(self.scope.exprs.push(ExprKind::At(table, key), element, span));
        }
        Some(self.of_leaves(&known.value, &mut leaves.into_iter(), span))
    }

    /// A value of a type by its leaves. Types are not nested deeply (`DEEPEST`).
    fn of_leaves(
        &mut self,
        ty: &Type,
        leaves: &mut dyn Iterator<Item = ExprId>,
        span: Span,
    ) -> ExprId {
        if ty.is_scalar() {
            return leaves.next().expect("a type has as many leaves as it has");
        }
        let parts = 0..ty.part_count();
        let parts = parts.map(|part| self.of_leaves(ty.part(part), leaves, span)).collect();
        self.scope.exprs.push(ExprKind::Compose(parts), ty.clone(), span)
    }

    /// The leaves of a value, each as an expression.
    fn leaves_of(&mut self, value: ExprId, span: Span, found: &mut Vec<ExprId>) {
        let ty = self.scope.exprs[value].ty.clone();
        if ty.is_scalar() {
            found.push(value);
            return;
        }
        for part in 0..ty.part_count() {
            let part = self.part(value, part, span);
            self.leaves_of(part, span, found);
        }
    }

    /// `m[k := v]`
    pub(super) fn with_value(
        &mut self,
        map: ExprId,
        (key, value): (ExprId, ExprId),
        span: Span,
    ) -> Option<ExprId> {
        let ty = self.scope.exprs[map].ty.clone();
        let Type::Map(known) = &ty else { return None };
        let good = self.expect(key, &known.key, "a key of this map");
        if !self.expect(value, &known.value, "a value of this map") || !good {
            return None;
        }
        let (key, value) = (self.normal(key), self.normal(value));
        let set = self.part(map, 0, span);
        let mut parts = vec![self.with_key(set, key, true, span)?];
        let mut leaves = Vec::new();
        self.leaves_of(value, span, &mut leaves);
        for (part, leaf) in (1..).zip(leaves) {
            let table = self.part(map, part, span);
            let ty = self.scope.exprs[table].ty.clone();
            parts.push(self.scope.exprs.push(ExprKind::Put(table, key, leaf), ty, span));
        }
        Some(self.scope.exprs.push(ExprKind::Compose(parts), ty, span))
    }

    /// `+`, `*` and `-` of sets, and `-` of a map and a set; nothing if these are no such.
    pub(super) fn of_sets(
        &mut self,
        op: A,
        a: ExprId,
        b: ExprId,
        span: Span,
    ) -> Option<Components> {
        let (left, right) = (self.scope.exprs[a].ty.clone(), self.scope.exprs[b].ty.clone());
        if !matches!(op, A::Plus | A::Minus | A::Times) {
            return None;
        }
        match (left.set_of(), &left) {
            (Some(_), _) => Some(self.same_type(op.as_str(), a, b).and_then(|_| {
                let made = self.combined(op, a, b, span);
                Some(vec![made?])
            })),
            (None, Type::Map(map)) if op == A::Minus => {
                let wanted = Type::set(&map.key);
                let good = right.agrees(&wanted) || self.expect(b, &wanted, "`-` of a map");
                Some(if good { self.without(a, b, span).map(|map| vec![map]) } else { None })
            }
            _ => None,
        }
    }

    fn combined(&mut self, op: A, a: ExprId, b: ExprId, span: Span) -> Option<ExprId> {
        let ty = self.scope.exprs[a].ty.clone();
        // What is listed changes these keys only.
        match (op, self.listed(a), self.listed(b)) {
            (A::Plus, _, Some(keys)) => return self.with_keys(a, keys, true, span),
            (A::Plus, Some(keys), None) => return self.with_keys(b, keys, true, span),
            (A::Minus, _, Some(keys)) => return self.with_keys(a, keys, false, span),
            _ => {}
        }
        let bound = self.everywhere(&ty, op == A::Plus, span);
        let kind = match op {
            A::Plus => ExprKind::ByKey(a, bound, b),
            A::Minus => ExprKind::ByKey(b, bound, a),
            _ => ExprKind::ByKey(a, b, bound),
        };
        Some(self.scope.exprs.push(kind, ty, span))
    }

    fn with_keys(
        &mut self,
        set: ExprId,
        keys: Vec<ExprId>,
        are_in: bool,
        span: Span,
    ) -> Option<ExprId> {
        keys.into_iter().try_fold(set, |set, key| self.with_key(set, key, are_in, span))
    }

    /// The keys of a set that is written as a list of them.
    fn listed(&self, set: ExprId) -> Option<Vec<ExprId>> {
        let exprs = &self.scope.exprs;
        let (mut set, mut keys) = (set, Vec::new());
        let truth = |id: ExprId| match exprs[id].kind {
            ExprKind::Bool(b) => Some(b),
            _ => None,
        };
        loop {
            match exprs[set].kind {
                ExprKind::Put(rest, key, value) if truth(value) == Some(true) => {
                    keys.push(key);
                    set = rest;
                }
                ExprKind::Everywhere(value) if truth(value) == Some(false) => break,
                _ => return None,
            }
        }
        keys.reverse();
        Some(keys)
    }

    /// `m - s`: what the map had for keys that it has no more is open.
    fn without(&mut self, map: ExprId, set: ExprId, span: Span) -> Option<ExprId> {
        let ty = self.scope.exprs[map].ty.clone();
        let keys = self.part(map, 0, span);
        let mut parts = vec![self.combined(A::Minus, keys, set, span)?];
        for part in 1..ty.part_count() {
            let table = self.part(map, part, span);
            let other = self.open(ty.part(part), &[map, set], span);
            let kind = ExprKind::ByKey(set, other, table);
            parts.push(self.scope.exprs.push(kind, ty.part(part).clone(), span));
        }
        Some(self.scope.exprs.push(ExprKind::Compose(parts), ty, span))
    }

    /// The same value with the plainest ones in maps for the keys that these do not have.
    pub(super) fn plain_maps(&mut self, value: ExprId) -> ExprId {
        let (ty, span) = (self.scope.exprs[value].ty.clone(), self.scope.exprs[value].span);
        if ty.is_scalar() || !ty.has_keys() {
            return value;
        }
        let Type::Map(map) = &ty else {
            let parts = 0..ty.part_count();
            let parts = parts.map(|i| self.part(value, i, span)).collect::<Vec<_>>();
            let parts = parts.into_iter().map(|part| self.plain_maps(part)).collect();
            return self.scope.exprs.push(ExprKind::Compose(parts), ty, span);
        };
        let tables: Vec<ExprId> = (0..ty.part_count()).map(|i| self.part(value, i, span)).collect();
        let mut guards = Vec::new();
        maps_around(&map.value, 1, &mut vec![0], &mut guards);
        let mut parts = vec![tables[0]];
        for ((i, table), guards) in (1..).zip(&tables[1..]).zip(guards) {
            let plain = self.plainest(ty.part(i), span);
            // What is missing in an inner map is plain, and where the map itself is missing all is.
            parts.push(guards.iter().rev().fold(*table, |table, guard| {
                let kind = ExprKind::ByKey(tables[*guard as usize], table, plain);
                self.scope.exprs.push(kind, ty.part(i).clone(), span)
            }));
        }
        self.scope.exprs.push(ExprKind::Compose(parts), ty, span)
    }

    /// Values that are compared with `=`, as they are to be compared; none if they cannot be.
    pub(super) fn compared(&mut self, pair: [ExprId; 2], span: Span) -> Option<[ExprId; 2]> {
        let ty = self.scope.exprs[pair[0]].ty.clone();
        if !ty.has_keys() {
            return Some(pair);
        }
        if has_open_values(&ty) {
            let what = "comparisons of maps whose values have data types in them";
            let help = "compare what they have for the keys that matter: `m[k] = n[k]`";
            self.push(Diagnostic::unsupported(span, what).help(help));
            return None;
        }
        Some(pair.map(|value| self.plain_maps(value)))
    }
}

/// For each leaf of the values of a map the sets of keys that say where it counts, from the
/// outside to the inside, by the numbers that leaves have in the map. Types are not nested
/// deeply (`DEEPEST`).
fn maps_around(ty: &Type, first: u32, around: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
    match ty {
        Type::Map(map) => {
            found.push(around.clone());
            around.push(first);
            maps_around(&map.value, first + 1, around, found);
            around.pop();
        }
        _ if ty.is_scalar() => found.push(around.clone()),
        _ => {
            for part in 0..ty.part_count() {
                maps_around(ty.part(part), first + ty.first_leaf(part), around, found);
            }
        }
    }
}

/// Whether a map in a type has values of which a part may be open where its keys are known.
/// Types are not nested deeply (`DEEPEST`).
pub(super) fn has_open_values(ty: &Type) -> bool {
    match ty {
        Type::Map(map) => map.value.has_variants() || has_open_values(&map.value),
        Type::Array(array) => has_open_values(&array.element),
        _ => (0..ty.part_count()).any(|part| has_open_values(ty.part(part))),
    }
}
