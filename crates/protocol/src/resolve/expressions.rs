//! Expressions as formulas and terms. Sorts of variables are put in when a whole formula was
//! gone through: until then they have none.

use lustral_first_order::{
    Application, Formula, Moment, Quantifier, SortId, SymbolId, Term, VarId, Variable,
};
use lustral_syntax::diagnostic::Code;
use lustral_syntax::{Diagnostic, Span};

use super::sorts::SortOf;
use super::{Resolved, Resolver, Wrong};
use crate::ast::{Binary, Binder, Expr, ExprKind, Name};
use crate::protocol::Change;

/// Where an expression stands.
pub(super) struct Context<'c> {
    /// What it is in, for messages: "an axiom".
    pub place: &'static str,
    /// How many states it may speak of.
    pub states: u8,
    /// What may change, where that is said.
    pub modifies: Option<&'c [SymbolId]>,
    /// Inside of `new(…)`.
    pub next: bool,
    /// The variables around it, the inner ones last.
    pub scope: Vec<(String, VarId)>,
}

impl<'c> Context<'c> {
    /// Outermost, in something that speaks of so many states.
    pub fn new(place: &'static str, states: u8) -> Context<'c> {
        Context { place, states, modifies: None, next: false, scope: Vec::new() }
    }

    fn variable(&self, name: &str) -> Option<VarId> {
        self.scope.iter().rev().find(|(known, _)| known == name).map(|(_, id)| *id)
    }
}

/// A sort that is not known yet.
const OPEN: SortId = SortId(u32::MAX);

impl Resolver<'_> {
    /// New variables in the scope.
    pub(super) fn bind(
        &mut self,
        binders: &[Binder],
        context: &mut Context<'_>,
    ) -> Resolved<Vec<Variable>> {
        let mut variables: Vec<Variable> = Vec::new();
        for binder in binders {
            let sort = binder.sort.as_ref().map(|sort| self.sort(sort)).transpose()?;
            let name = &binder.name;
            if variables.iter().any(|other| *other.name == *name.text) {
                let message = format!("`{}` is bound twice", name.text);
                return Err(self.wrong(Diagnostic::error(Code::Duplicate, name.span, message)));
            }
            let id = self.sorts.variable(sort);
            context.scope.push((name.text.clone(), id));
            self.bound.push((id, name.clone()));
            variables.push(Variable { id, sort: OPEN, name: name.text.as_str().into() });
        }
        Ok(variables)
    }

    /// Says which of the variables that were bound since the last time have no sort.
    fn all_sorted(&mut self) -> Resolved<()> {
        let mut all = Ok(());
        for (id, name) in std::mem::take(&mut self.bound) {
            if self.sorts.known(id).is_none() {
                let Name { text, span } = name;
                let message = format!("nothing says of which sort `{text}` is");
                let help = format!("write it where it is bound: `{text}: …`");
                self.found.push(Diagnostic::error(Code::Type, span, message).help(help));
                all = Err(Wrong);
            }
        }
        all
    }

    /// A formula with the sorts of its variables put in.
    pub(super) fn with_sorts(&self, formula: &Formula) -> Formula {
        formula.renamed(&|variable| Variable {
            sort: self.sorts.known(variable.id).unwrap_or(variable.sort),
            ..variable.clone()
        })
    }

    /// A closed formula: names in capitals that nothing declares are for all elements.
    pub(super) fn closed(&mut self, expr: &Expr, context: &mut Context<'_>) -> Resolved<Formula> {
        let bound: Vec<String> = context.scope.iter().map(|(name, _)| name.clone()).collect();
        let free = self.implicit(expr, &bound);
        let binders: Vec<Binder> =
            free.into_iter().map(|name| Binder { name, sort: None }).collect();
        let before = context.scope.len();
        let variables = self.bind(&binders, context)?;
        let body = self.formula(expr, context);
        context.scope.truncate(before);
        let Ok(body) = body else {
            // What has no sort may owe that to the mistake.
            self.bound.clear();
            return Err(Wrong);
        };
        self.all_sorted()?;
        Ok(self.with_sorts(&Formula::forall(variables, body)))
    }

    /// A formula.
    pub(super) fn formula(&mut self, expr: &Expr, context: &mut Context<'_>) -> Resolved<Formula> {
        match &expr.kind {
            ExprKind::Constant(value) => Ok(Formula::Constant(*value)),
            ExprKind::Apply(name, arguments) => self.relation(expr, name, arguments, context),
            ExprKind::Not(inner) => Ok(self.formula(inner, context)?.negated()),
            ExprKind::And(list) => Ok(Formula::all(self.formulas(list, context)?)),
            ExprKind::Or(list) => Ok(Formula::Or(self.formulas(list, context)?)),
            ExprKind::Binary(Binary::Equal, sides) => self.equal(expr, sides, context),
            ExprKind::Binary(Binary::NotEqual, sides) => {
                Ok(self.equal(expr, sides, context)?.negated())
            }
            ExprKind::Binary(operator, sides) => {
                let left = self.formula(&sides.0, context);
                let both = Box::new((left?, self.formula(&sides.1, context)?));
                Ok(match operator {
                    Binary::Implies => Formula::Implies(both),
                    _ => Formula::Iff(both),
                })
            }
            ExprKind::Distinct(list) => self.distinct(list, context),
            ExprKind::If(three) => {
                let condition = self.formula(&three.0, context)?;
                let then = self.formula(&three.1, context)?;
                let otherwise = self.formula(&three.2, context)?;
                Ok(Formula::Choice(Box::new((condition, then, otherwise))))
            }
            ExprKind::Quantified(forall, binders, body) => {
                self.quantified(*forall, binders, body, context)
            }
            ExprKind::New(inner) => {
                self.enter_next(expr.span, context)?;
                let inner = self.formula(inner, context);
                context.next = false;
                inner
            }
            ExprKind::Let(binder, parts) => {
                if self.is_formula(&parts.0, context) {
                    let place = parts.0.span;
                    return Err(self.wrong(Diagnostic::unsupported(place, "formulas in `let`")));
                }
                let before = context.scope.len();
                let (variable, value) = self.local(binder, &parts.0, context)?;
                let body = self.formula(&parts.1, context);
                context.scope.truncate(before);
                Ok(body?.replaced(&|other| (other.id == variable).then(|| value.clone())))
            }
        }
    }

    /// Formulas, all of which are gone through even if one is wrong.
    fn formulas(&mut self, list: &[Expr], context: &mut Context<'_>) -> Resolved<Vec<Formula>> {
        let resolved: Vec<_> = list.iter().map(|inner| self.formula(inner, context)).collect();
        resolved.into_iter().collect()
    }

    fn quantified(
        &mut self,
        forall: bool,
        binders: &[Binder],
        body: &Expr,
        context: &mut Context<'_>,
    ) -> Resolved<Formula> {
        let before = context.scope.len();
        let variables = self.bind(binders, context);
        let body = match variables {
            Ok(_) => self.formula(body, context),
            Err(Wrong) => Err(Wrong),
        };
        context.scope.truncate(before);
        let (variables, body) = (variables?, body?);
        let quantifier = if forall { Quantifier::Forall } else { Quantifier::Exists };
        Ok(Formula::Quantified(quantifier, variables, Box::new(body)))
    }

    fn enter_next(&mut self, span: Span, context: &mut Context<'_>) -> Resolved<()> {
        if context.states < 2 {
            let message = format!("`new(…)` in {}, which speaks of one state only", context.place);
            let help = "`new` belongs into transitions and `twostate theorem`s";
            return Err(self.wrong(Diagnostic::error(Code::Type, span, message).help(help)));
        }
        if context.next {
            let message = "`new(…)` inside of `new(…)`: there are two states only";
            return Err(self.wrong(Diagnostic::error(Code::Type, span, message)));
        }
        context.next = true;
        Ok(())
    }

    /// Whether an expression can only be a formula.
    fn is_formula(&self, expr: &Expr, context: &Context<'_>) -> bool {
        match &expr.kind {
            ExprKind::Apply(name, _) => {
                context.variable(&name.text).is_none()
                    && self.names.symbols.get(&name.text).is_some_and(|(symbol, _)| {
                        self.protocol.signature.symbol(*symbol).result.is_none()
                    })
            }
            ExprKind::New(inner) => self.is_formula(inner, context),
            ExprKind::If(three) => self.is_formula(&three.1, context),
            ExprKind::Let(_, parts) => self.is_formula(&parts.1, context),
            _ => true,
        }
    }

    fn equal(
        &mut self,
        expr: &Expr,
        sides: &(Expr, Expr),
        context: &mut Context<'_>,
    ) -> Resolved<Formula> {
        if self.is_formula(&sides.0, context) && self.is_formula(&sides.1, context) {
            let left = self.formula(&sides.0, context)?;
            let right = self.formula(&sides.1, context)?;
            return Ok(Formula::Iff(Box::new((left, right))));
        }
        if let ExprKind::Not(inner) = &sides.0.kind {
            let (left, right) = (self.text(inner.span), self.text(sides.1.span));
            let message = format!("`!` binds tighter than `=`: `!{left}` is no element");
            let help = format!("write `{left} != {right}`");
            return Err(self.wrong(Diagnostic::error(Code::Type, expr.span, message).help(help)));
        }
        let (left, left_sort) = self.term(&sides.0, context)?;
        let (right, right_sort) = self.term(&sides.1, context)?;
        if let Err((left, right)) = self.sorts.unify(left_sort, right_sort) {
            let [left, right] = [left, right].map(|s| self.protocol.signature.sort(s).to_string());
            let message = format!("`{left}` and `{right}` are different sorts");
            let label = format!("this is of the sort `{right}`");
            let one = format!("this is of the sort `{left}`");
            return Err(self.wrong(
                Diagnostic::error(Code::Type, sides.1.span, message)
                    .label(label)
                    .also(sides.0.span, one),
            ));
        }
        Ok(Formula::equal(left, right))
    }

    fn distinct(&mut self, list: &[Expr], context: &mut Context<'_>) -> Resolved<Formula> {
        let mut parts = Vec::new();
        for (i, left) in list.iter().enumerate() {
            for right in &list[i + 1..] {
                let sides = (left.clone(), right.clone());
                parts.push(self.equal(right, &sides, context)?.negated());
            }
        }
        Ok(Formula::And(parts))
    }

    fn relation(
        &mut self,
        expr: &Expr,
        name: &Name,
        arguments: &[Expr],
        context: &mut Context<'_>,
    ) -> Resolved<Formula> {
        if let Some(id) = context.variable(&name.text) {
            let sort = self.sorts.known(id).map(|s| self.protocol.signature.sort(s).to_string());
            let what = sort.map_or("an element".into(), |sort| format!("of the sort `{sort}`"));
            let message = format!("`{}` is {what}, and a formula is wanted here", name.text);
            return Err(self.wrong(Diagnostic::error(Code::Type, name.span, message)));
        }
        let symbol = self.symbol(name, context)?;
        if let Some(result) = self.protocol.signature.symbol(symbol).result {
            let sort = self.protocol.signature.sort(result);
            let shown = self.text(expr.span);
            let message =
                format!("`{shown}` is of the sort `{sort}`, and a formula is wanted here");
            return Err(self.wrong(Diagnostic::error(Code::Type, expr.span, message)));
        }
        Ok(Formula::Relation(self.application(expr.span, symbol, arguments, context)?))
    }

    /// The symbol with a name, which may be used here.
    fn symbol(&mut self, name: &Name, context: &Context<'_>) -> Resolved<SymbolId> {
        let Some((symbol, _)) = self.names.symbols.get(&name.text).copied() else {
            let variables: Vec<String> = context.scope.iter().map(|(n, _)| n.clone()).collect();
            return Err(self.undeclared(name, &variables));
        };
        let change = &self.protocol.changes[symbol.index()];
        if *change == Change::Immutable {
            return Ok(symbol);
        }
        let derived = matches!(change, Change::Derived(_));
        if context.states == 0 {
            let message =
                format!("`{}` may change, and {} speaks of no state", name.text, context.place);
            let help = "what holds of the first state is written as `init`, and of every state as \
                        `safety` or `invariant`";
            return Err(self.wrong(Diagnostic::error(Code::Type, name.span, message).help(help)));
        }
        if let Some(modifies) = context.modifies
            && context.next
            && !derived
            && !modifies.contains(&symbol)
        {
            let message = format!("`{}` is not among what the transition modifies", name.text);
            let help = format!("add it: `modifies …, {}`", name.text);
            return Err(
                self.wrong(Diagnostic::error(Code::Definition, name.span, message).help(help))
            );
        }
        Ok(symbol)
    }

    fn application(
        &mut self,
        span: Span,
        symbol: SymbolId,
        arguments: &[Expr],
        context: &mut Context<'_>,
    ) -> Resolved<Application> {
        let known = self.protocol.signature.symbol(symbol);
        let (name, wanted) = (known.name.clone(), known.arguments.clone());
        if wanted.len() != arguments.len() {
            let sorts: Vec<&str> =
                wanted.iter().map(|s| self.protocol.signature.sort(*s)).collect();
            let message = format!(
                "`{name}` has {} argument{}, and here are {}",
                wanted.len(),
                if wanted.len() == 1 { "" } else { "s" },
                arguments.len()
            );
            let help = format!("it is declared as `{name}({})`", sorts.join(", "));
            return Err(self.wrong(Diagnostic::error(Code::Arity, span, message).help(help)));
        }
        let immutable = self.protocol.changes[symbol.index()] == Change::Immutable;
        let moment = if context.next && !immutable { Moment::Next } else { Moment::Now };
        let mut terms = Vec::new();
        for (argument, sort) in arguments.iter().zip(wanted) {
            let (term, own) = self.term(argument, context)?;
            self.expect_sort(argument.span, own, sort, &name)?;
            terms.push(term);
        }
        Ok(Application { symbol, moment, arguments: terms })
    }

    pub(super) fn expect_sort(
        &mut self,
        span: Span,
        own: SortOf,
        wanted: SortId,
        of: &str,
    ) -> Resolved<()> {
        let Err((own, wanted)) = self.sorts.unify(own, SortOf::Known(wanted)) else {
            return Ok(());
        };
        let [own, wanted] = [own, wanted].map(|s| self.protocol.signature.sort(s).to_string());
        let shown = self.text(span);
        let message =
            format!("`{shown}` is of the sort `{own}`, and `{of}` wants a `{wanted}` here");
        Err(self.wrong(Diagnostic::error(Code::Type, span, message)))
    }

    /// A term with its sort.
    pub(super) fn term(
        &mut self,
        expr: &Expr,
        context: &mut Context<'_>,
    ) -> Resolved<(Term, SortOf)> {
        if self.is_formula(expr, context) {
            let shown = self.text(expr.span);
            let message = format!("`{shown}` is a formula, and an element is wanted here");
            return Err(self.wrong(Diagnostic::error(Code::Type, expr.span, message)));
        }
        match &expr.kind {
            ExprKind::Apply(name, arguments) => {
                if let Some(id) = context.variable(&name.text) {
                    if !arguments.is_empty() {
                        let message = format!("`{}` is a variable: it has no arguments", name.text);
                        return Err(self.wrong(Diagnostic::error(Code::Arity, expr.span, message)));
                    }
                    let variable = Variable { id, sort: OPEN, name: name.text.as_str().into() };
                    return Ok((Term::Variable(variable), SortOf::Variable(id)));
                }
                let symbol = self.symbol(name, context)?;
                let result = self.protocol.signature.symbol(symbol).result;
                let application = self.application(expr.span, symbol, arguments, context)?;
                let sort = result.map(SortOf::Known).ok_or(Wrong)?;
                Ok((Term::Apply(application), sort))
            }
            ExprKind::New(inner) => {
                self.enter_next(expr.span, context)?;
                let inner = self.term(inner, context);
                context.next = false;
                inner
            }
            ExprKind::If(three) => {
                let condition = self.formula(&three.0, context)?;
                let (then, sort) = self.term(&three.1, context)?;
                let (otherwise, other) = self.term(&three.2, context)?;
                if self.sorts.unify(sort, other).is_err() {
                    let message = "both branches of `if` must be of the same sort";
                    return Err(self.wrong(Diagnostic::error(Code::Type, expr.span, message)));
                }
                Ok((Term::Choice(Box::new((condition, then, otherwise))), sort))
            }
            ExprKind::Let(binder, _) => Err(self
                .wrong(Diagnostic::unsupported(binder.name.span, "terms that begin with `let`"))),
            _ => Err(Wrong),
        }
    }

    /// A variable that stands for a term; it is in scope from here on.
    fn local(
        &mut self,
        binder: &Binder,
        value: &Expr,
        context: &mut Context<'_>,
    ) -> Resolved<(VarId, Term)> {
        let (value_term, sort) = self.term(value, context)?;
        let variables = self.bind(std::slice::from_ref(binder), context)?;
        let id = variables.first().map(|v| v.id).ok_or(Wrong)?;
        if let Err((own, wanted)) = self.sorts.unify(sort, SortOf::Variable(id)) {
            let [own, wanted] = [own, wanted].map(|s| self.protocol.signature.sort(s).to_string());
            let message = format!("this is of the sort `{own}`, and not of the sort `{wanted}`");
            return Err(self.wrong(Diagnostic::error(Code::Type, value.span, message)));
        }
        Ok((id, value_term))
    }
}
