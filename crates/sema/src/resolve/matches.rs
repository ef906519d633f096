//! `match e with | C(x, _) : a | … end`: the first arm whose pattern the value has. Of the
//! arms only that takes a step, as of the sides of lazy operators (`deferred.rs`); where
//! nothing in them has steps of its own, it is a choice by `if`. `case e of (C => a) …` of
//! Vélus always is: all its arms take every step.
//!
//! That some arm is always chosen is checked on the patterns, by the usual algorithm: a
//! matrix of patterns, specialised to each constructor of its first column.

use lustral_syntax::Span;
use lustral_syntax::ast::{self, ExprKind as Ast, Pattern};
use lustral_syntax::diagnostic::{Code, Diagnostic};

use super::deferred::DEEPEST;
use super::expressions::count;
use super::scope::{Binding, Bound, ScopeKind};
use super::{Components, Resolver, duplicate, similar};
use crate::program::{Condition, ExprId, ExprKind, Meaning};
use crate::types::Type;

/// Shorter names are like too many others.
const SHORTEST: usize = 3;

/// How many steps the search for a value without an arm may take.
const MOST: usize = 100_000;

/// The run of the arena with all arms of a `match`.
pub(super) fn arms(ast: &ast::Exprs, id: ast::ExprId) -> Option<(u32, u32)> {
    match &ast[id].kind {
        Ast::Match(_, value, arms) => Some((value.0 + 1, arms.last()?.1.0)),
        _ => None,
    }
}

/// What a pattern asks for.
#[derive(Clone, PartialEq)]
enum Shape {
    Any,
    Made(u32, Vec<Shape>),
}

/// An arm with its pattern resolved. Parts of the value are named by the way to them.
struct Arm {
    shape: Shape,
    tests: Vec<(Vec<u32>, u32)>,
    names: Vec<(ast::Ident, Vec<u32>, Type)>,
    value: ast::ExprId,
    /// The first expression of all arms.
    first: u32,
}

/// What is matched: the value, and how many conditions are around it.
#[derive(Clone, Copy)]
struct Matched {
    value: ExprId,
    level: usize,
    way: ast::Arms,
    span: Span,
}

impl Resolver<'_> {
    pub(super) fn matched(&mut self, id: ast::ExprId, value: Components) -> Components {
        let (ast, span) = (self.ast, self.ast[id].span);
        let Ast::Match(way, of, list) = &ast[id].kind else { return None };
        let value = self.single(value?, "what is matched", ast[*of].span)?;
        let ty = self.scope.exprs[value].ty.clone();
        if constructors(self, &ty) == 0 {
            let shown = self.show(&ty);
            let message =
                format!("`{}` takes a value of a data type, this is of type {shown}", word(*way));
            let help = "choose by `if` and `=`";
            self.push(Diagnostic::error(Code::Type, ast[*of].span, message).help(help));
            return None;
        }
        let arms: Vec<Option<Arm>> = list
            .iter()
            .map(|(pattern, value)| {
                let (tests, names) = (Vec::new(), Vec::new());
                let first = of.0 + 1;
                let mut arm = Arm { shape: Shape::Any, tests, names, value: *value, first };
                arm.shape = self.pattern(pattern, &ty, &mut Vec::new(), &mut arm)?;
                Some(arm)
            })
            .collect();
        let arms: Vec<Arm> = arms.into_iter().collect::<Option<_>>()?;
        self.exhaustive(&ty, &arms, *way, span)?;
        self.chosen_at_times(&ty, &arms, list, *way)?;
        arms.iter().for_each(|arm| self.names_like_constructors(arm));
        let matched = Matched { value, level: self.scope.sampled.len(), way: *way, span };
        let steps = *way == ast::Arms::Chosen
            && self.scope.kind != ScopeKind::Constant
            && (of.0 + 1..id.0).any(|inside| self.takes_steps(ast::ExprId(inside)));
        if self.choices_around >= DEEPEST
            || steps && self.scope.sampled.len() + arms.len() > DEEPEST
        {
            self.too_deep(span);
            return None;
        }
        if steps && self.scope.closed {
            let what = "`match` with calls, memory or types of expressions here";
            self.push(Diagnostic::unsupported(span, what));
            return None;
        }
        self.choices_around += 1;
        let found =
            if steps { self.by_steps(matched, &arms) } else { self.by_conditions(matched, &arms) };
        self.choices_around -= 1;
        found
    }

    /// Resolves a pattern for a part of the value.
    fn pattern(
        &mut self,
        pattern: &Pattern,
        ty: &Type,
        path: &mut Vec<u32>,
        arm: &mut Arm,
    ) -> Option<Shape> {
        let (name, fields) = match pattern {
            Pattern::Any(_) => return Some(Shape::Any),
            // What is no constructor is a name for the part.
            Pattern::Name(name) if !self.is_constructor(&name.name) => {
                if let Some((first, ..)) = arm.names.iter().find(|n| n.0.name == name.name) {
                    let first = first.span;
                    self.push(duplicate("variable", &name.name, name.span, first));
                    return None;
                }
                arm.names.push((name.clone(), path.clone(), ty.clone()));
                return Some(Shape::Any);
            }
            Pattern::Name(name) => (name, &[][..]),
            Pattern::Fields(name, fields) => (name, &fields[..]),
        };
        let constructor = self.constructor_of(ty, name)?;
        let own = ty.variants().map_or(0..0, |variants| variants.fields(constructor));
        if fields.len() != own.len() {
            let want = count(own.len(), "field");
            let message = format!("`{}` has {want}, the pattern {}", name.name, fields.len());
            let help = "`_` stands for a field that does not matter";
            self.push(Diagnostic::error(Code::Arity, name.span, message).help(help));
            return None;
        }
        arm.tests.push((path.clone(), constructor));
        let mut shapes = Vec::new();
        for (part, field) in own.zip(fields) {
            path.push(part);
            let shape = self.pattern(field, ty.part(part), path, arm);
            path.pop();
            shapes.push(shape?);
        }
        Some(Shape::Made(constructor, shapes))
    }

    /// Reports a value that no arm is for.
    fn exhaustive(&mut self, ty: &Type, arms: &[Arm], way: ast::Arms, span: Span) -> Option<()> {
        let rows: Vec<Vec<Shape>> = arms.iter().map(|arm| vec![arm.shape.clone()]).collect();
        let mut left = MOST;
        let missing = self.missing(&rows, &[Shape::Any], std::slice::from_ref(ty), &mut left);
        let diagnostic = match missing.as_deref() {
            None if left == 0 => {
                let word = word(way);
                let message = format!("the patterns of this `{word}` are too many to look through");
                Diagnostic::error(Code::Syntax, span, message).help("use several of them")
            }
            None => return Some(()),
            Some(values) => {
                let (word, rest) = (word(way), rest(way));
                let message = format!("this `{word}` has no arm for `{}`", values.join(", "));
                Diagnostic::error(Code::Definition, span, message)
                    .help(format!("add it, or `{rest}` for all that is left"))
            }
        };
        self.push(diagnostic);
        None
    }

    /// Reports arms that are for nothing, because those before them take all their values. In
    /// `case` a value stands once, as in `merge`.
    fn chosen_at_times(
        &mut self,
        ty: &Type,
        arms: &[Arm],
        list: &[(Pattern, ast::ExprId)],
        way: ast::Arms,
    ) -> Option<()> {
        let rows: Vec<Vec<Shape>> = arms.iter().map(|arm| vec![arm.shape.clone()]).collect();
        let (mut left, mut wrong) = (MOST, false);
        for (i, (pattern, _)) in list.iter().enumerate() {
            let types = std::slice::from_ref(ty);
            if self.missing(&rows[..i], &rows[i], types, &mut left).is_some() || left == 0 {
                continue;
            }
            let word = word(way);
            let same = rows[..i].iter().position(|row| *row == rows[i]);
            let diagnostic = match same {
                Some(before) if way == ast::Arms::All => {
                    wrong = true;
                    let message = format!("this `{word}` has two arms for the same values");
                    Diagnostic::error(Code::Definition, pattern.span(), message)
                        .also(list[before].0.span(), "the first one")
                }
                _ => {
                    let message = format!("this arm of `{word}` is never chosen");
                    Diagnostic::warning(Code::Definition, pattern.span(), message)
                        .label("the arms before it are for all its values")
                }
            };
            self.push(diagnostic);
        }
        (!wrong).then_some(())
    }

    /// Reports names in a pattern that are almost those of constructors: they are for any value.
    /// Who uses a name means it.
    fn names_like_constructors(&mut self, arm: &Arm) {
        for (name, _, ty) in &arm.names {
            let known = (0..constructors(self, ty)).map(|i| self.name_of(ty, i));
            let known: Vec<String> = known.collect();
            let meant = similar(&name.name, known.iter().map(String::as_str));
            let Some(meant) = meant.filter(|_| name.name.len() >= SHORTEST) else { continue };
            let inside = (arm.first..=arm.value.0).map(|i| &self.ast[ast::ExprId(i)].kind);
            if inside.into_iter().any(|kind| matches!(kind, Ast::Name(n) if *n == name.name)) {
                continue;
            }
            let message = format!("`{}` is no constructor: it stands for any value", name.name);
            let diagnostic = Diagnostic::warning(Code::Undeclared, name.span, message);
            self.push(diagnostic.help(format!("is `{meant}` meant? `_` stands for any value too")));
        }
    }

    /// Values of some types, side by side, that have the shape `of` and for which there is no
    /// row; none if there are none or the search was given up.
    fn missing(
        &self,
        rows: &[Vec<Shape>],
        of: &[Shape],
        types: &[Type],
        left: &mut usize,
    ) -> Option<Vec<String>> {
        if *left == 0 {
            return None;
        }
        *left -= 1;
        let Some((first, rest)) = types.split_first() else {
            return rows.is_empty().then(Vec::new);
        };
        let made = |shape: &Shape| matches!(shape, Shape::Made(..));
        if !made(&of[0]) && !rows.iter().any(|row| made(&row[0])) {
            let others: Vec<Vec<Shape>> = rows.iter().map(|row| row[1..].to_vec()).collect();
            let mut found = self.missing(&others, &of[1..], rest, left)?;
            found.insert(0, "_".into());
            return Some(found);
        }
        for constructor in 0..constructors(self, first) {
            let fields = first.variants().map_or(0..0, |known| known.fields(constructor));
            let arity = fields.len();
            let special = |row: &[Shape]| match &row[0] {
                Shape::Any => Some([vec![Shape::Any; arity], row[1..].to_vec()].concat()),
                Shape::Made(own, inside) if *own == constructor => {
                    Some([inside.clone(), row[1..].to_vec()].concat())
                }
                Shape::Made(..) => None,
            };
            let Some(of) = special(of) else { continue };
            let special: Vec<Vec<Shape>> = rows.iter().filter_map(|row| special(row)).collect();
            let inside: Vec<Type> =
                fields.map(|part| first.part(part).clone()).chain(rest.iter().cloned()).collect();
            if let Some(mut found) = self.missing(&special, &of, &inside, left) {
                let others = found.split_off(arity);
                let name = self.name_of(first, constructor);
                let whole = if arity == 0 { name } else { format!("{name}({})", found.join(", ")) };
                return Some([vec![whole], others].concat());
            }
        }
        None
    }

    fn name_of(&self, ty: &Type, constructor: u32) -> String {
        let tag = match ty {
            Type::Enum(id) => *id,
            _ => ty.variants().expect("it has constructors").tag,
        };
        self.program.enums[tag.index()].values[constructor as usize].to_string()
    }

    /// A part of what is matched, here.
    fn part_at(&mut self, matched: Matched, path: &[u32]) -> ExprId {
        let whole = self.sampled(matched.value, matched.level);
        path.iter().fold(whole, |whole, part| self.part(whole, *part, matched.span))
    }

    /// Whether the value has the pattern of an arm.
    fn is_matched(&mut self, matched: Matched, arm: &Arm) -> ExprId {
        let span = matched.span;
        let mut all = Vec::new();
        for (path, constructor) in &arm.tests {
            let part = self.part_at(matched, path);
            all.push(self.is_made_by(part, *constructor, span));
        }
        self.conjunction(&all, span)
    }

    /// The value of an arm, in which its pattern gives names to parts.
    fn arm(&mut self, matched: Matched, arm: &Arm) -> Components {
        let before = self.scope.bindings.len();
        for (name, path, ty) in &arm.names {
            let part = self.part_at(matched, path);
            let index = self.scope.declared_indices.len() as u32;
            self.scope.declared_indices.push((name.name.clone(), name.span));
            let (name, meaning) = (name.name.clone(), Meaning::Index(index));
            let value = Bound::Expr(part, self.scope.sampled.len());
            self.scope.bindings.push(Binding { name, value, ty: ty.clone(), meaning });
        }
        let found = self.expr(arm.value);
        self.scope.bindings.truncate(before);
        found
    }

    fn by_conditions(&mut self, matched: Matched, arms: &[Arm]) -> Components {
        let first = arms.first().map_or(0, |arm| arm.first);
        let last = arms.last().map_or(0, |arm| arm.value.0);
        let selects = self.selects(first, last);
        let (mut values, mut before) = (Vec::new(), Vec::new());
        for arm in arms {
            let fits = selects.then(|| (self.is_matched(matched, arm), true));
            let guards = [before.clone(), fits.into_iter().collect()].concat();
            values.push(self.guarded_by(&guards, |r| r.arm(matched, arm)));
            before.extend(fits.map(|(fits, _)| (fits, false)));
        }
        let mut values: Vec<Vec<ExprId>> = values.into_iter().collect::<Option<_>>()?;
        // All values have an arm: it is the last one where it is none of the others.
        let mut found = values.pop()?;
        for (arm, value) in arms.iter().zip(values).rev() {
            let pairs = self.pairs(word(matched.way), value, found, matched.span)?;
            let condition = self.is_matched(matched, arm);
            let exprs = &mut self.scope.exprs;
            let one = |(a, b, ty)| exprs.push(ExprKind::If(condition, a, b), ty, matched.span);
            found = pairs.into_iter().map(one).collect();
        }
        Some(found)
    }

    /// Each arm where the value has its pattern and that of none before.
    fn by_steps(&mut self, matched: Matched, arms: &[Arm]) -> Components {
        let (first, others) = arms.split_first()?;
        if others.is_empty() {
            return self.arm(matched, first);
        }
        let span = matched.span;
        let condition = self.is_matched(matched, first);
        let flow = self.choice(Some(condition), span);
        let yes = self.inside(Condition { flow, value: 1 }, |r| r.arm(matched, first));
        let no = self.inside(Condition { flow, value: 0 }, |r| r.by_steps(matched, others));
        let pairs = self.pairs(word(matched.way), yes?, no?, span)?;
        let clock = self.scope.exprs.push(ExprKind::Stream(flow), Type::Bool, span);
        let exprs = &mut self.scope.exprs;
        let one = |(yes, no, ty)| exprs.push(ExprKind::Merge(clock, vec![no, yes]), ty, span);
        Some(pairs.into_iter().map(one).collect())
    }
}

/// The word that a choice by pattern begins with.
fn word(way: ast::Arms) -> &'static str {
    match way {
        ast::Arms::All => "case",
        ast::Arms::Chosen => "match",
    }
}

/// How an arm for all that is left is written.
fn rest(way: ast::Arms) -> &'static str {
    match way {
        ast::Arms::All => "(_ => …)",
        ast::Arms::Chosen => "| _ : …",
    }
}

/// How many constructors a type has; none if it is no data type.
fn constructors(resolver: &Resolver<'_>, ty: &Type) -> u32 {
    match ty {
        Type::Enum(id) => resolver.program.enums[id.index()].values.len() as u32,
        _ => ty.variants().map_or(0, crate::types::Variants::count),
    }
}
