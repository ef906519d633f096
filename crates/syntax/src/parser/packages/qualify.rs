//! Names of packages get their paths: `f` in the package `P` becomes `P::f` where it is
//! declared and where it is meant. A name is looked up in its package, in those around, and
//! in those that are used; flows and what a node is given hide it, as everywhere.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Piece;
use super::names::{Flows, Visitor, names_of};
use crate::ast::ExprId;
use crate::diagnostic::{Code, Diagnostic};
use crate::mentions::Kind;
use crate::parser::Parser;
use crate::source::Span;

/// Whole names by their kinds, each with the scope that it is declared in.
type Declared = FxHashMap<(Kind, Arc<str>), usize>;

impl Parser<'_> {
    pub(super) fn qualify_names(&mut self) {
        if self.packages.scopes.len() == 1 {
            return;
        }
        let pieces = std::mem::take(&mut self.packages.pieces);
        let declared = self.declare(&pieces);
        for piece in &pieces {
            self.rename(piece, &declared);
        }
    }

    /// Gives the names that are declared in packages their paths.
    fn declare(&mut self, pieces: &[Piece]) -> Declared {
        let mut declared = Declared::default();
        for piece in pieces.iter().filter(|piece| piece.declares != 0) {
            for at in piece.declarations.clone() {
                let path = self.packages.scopes[piece.declares].path.clone();
                let provided = self.packages.scopes[piece.declares].provides.as_mut();
                let list = &mut self.declarations[at];
                let known = provided.as_ref().is_some_and(|p| p.contains(&list.name().name));
                let mut short = Vec::new();
                let names = names_of(list);
                for (kind, name) in names {
                    if name.is_missing() {
                        continue;
                    }
                    short.push(name.name.clone());
                    name.name = format!("{path}::{}", name.name).into();
                    declared.entry((kind, name.name.clone())).or_insert(piece.declares);
                }
                // The values of a type that is provided are provided.
                if let (true, Some(provided)) = (known, provided) {
                    provided.extend(short);
                }
            }
        }
        declared
    }

    /// The whole name that one means in a scope, if it is that of a package.
    fn meant(
        &self,
        (kind, name): (Kind, &str),
        scope: usize,
        declared: &Declared,
    ) -> Option<(Arc<str>, usize)> {
        let scopes = &self.packages.scopes;
        let with = |path: &str, name: &str| -> Option<(Arc<str>, usize)> {
            let whole = if path.is_empty() { name.into() } else { format!("{path}::{name}") };
            let (key, found) = declared.get_key_value(&(kind, whole.into()))?;
            Some((key.1.clone(), *found))
        };
        let around = || around(scope, |at| (at != 0).then(|| scopes[at].outer));
        let own = around().find_map(|at| with(&scopes[at].path, name));
        own.or_else(|| {
            let used = around().flat_map(|at| scopes[at].uses.iter());
            used.into_iter().find_map(|used| {
                let inside = format!("{}::{name}", used.name);
                around().find_map(|at| with(&scopes[at].path, &inside))
            })
        })
    }

    /// Gives the names that a piece mentions their paths.
    fn rename(&mut self, piece: &Piece, declared: &Declared) {
        let exprs = piece.exprs.clone().map(|id| ExprId(id as u32));
        let exprs: Vec<ExprId> = exprs.collect();
        let mut flows = Flows::default();
        let mut found = Vec::new();
        for at in piece.declarations.clone() {
            flows.declared(&self.declarations[at]);
        }
        exprs.iter().for_each(|id| flows.bound(&self.exprs[*id].kind));
        let mut names: Vec<(Vec<Kind>, Arc<str>, Span)> = Vec::new();
        self.each_mention(piece, &exprs, &mut |kinds, name, span| {
            names.push((kinds.to_vec(), name.clone(), span));
        });
        let mut whole: FxHashMap<(Vec<Kind>, Arc<str>), Arc<str>> = FxHashMap::default();
        for (kinds, name, span) in names {
            let shown = kinds.iter().filter(|kind| !flows.hide(**kind, &name));
            let meant = shown.copied().find_map(|kind| {
                Some((kind, self.meant((kind, &name), piece.mentions, declared)?))
            });
            let Some((kind, (meant, scope))) = meant else { continue };
            if kind == Kind::Value && flows.inner.contains(&name) {
                let what = "flows inside of a part or a condition with the name of something in \
                            their package";
                found.push(Diagnostic::unsupported(span, what));
                continue;
            }
            if let Some(diagnostic) = self.hidden((&name, span), scope, piece.mentions) {
                found.push(diagnostic);
            }
            whole.insert((kinds, name), meant);
        }
        self.each_mention(piece, &exprs, &mut |kinds, name, _| {
            if let Some(meant) = whole.get(&(kinds.to_vec(), name.clone())) {
                *name = meant.clone();
            }
        });
        for diagnostic in found {
            self.diagnostics.push_once(&diagnostic);
        }
    }

    /// What to say of a name of a package that it does not provide.
    fn hidden(&self, (name, span): (&str, Span), owner: usize, from: usize) -> Option<Diagnostic> {
        let scopes = &self.packages.scopes;
        let short = name.rsplit("::").next().unwrap_or(name);
        let provides = scopes[owner].provides.as_ref()?;
        let inside = around(from, |at| (at != 0).then(|| scopes[at].outer)).any(|at| at == owner);
        if inside || provides.contains(short) {
            return None;
        }
        let message = format!("the package `{}` does not provide `{short}`", scopes[owner].path);
        Some(Diagnostic::error(Code::Undeclared, span, message))
    }

    fn each_mention(&mut self, piece: &Piece, exprs: &[ExprId], visitor: &mut Visitor<'_>) {
        for at in piece.declarations.clone() {
            super::names::declaration(&mut self.declarations[at], visitor);
        }
        for id in exprs {
            super::names::expression(&mut self.exprs, *id, visitor);
        }
    }
}

/// A scope and those around it, from the inside.
fn around(scope: usize, outer: impl Fn(usize) -> Option<usize>) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(scope), move |at| outer(*at))
}
