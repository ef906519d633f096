//! Declarations.

use lustral_syntax::{Diagnostic, Span};

use super::{BEGINNINGS, Parsed, Parser};
use crate::ast::{
    Change, Declaration, Name, Stated, Statement, SymbolDeclaration, TraceArgument, TraceCall,
    TraceDeclaration, TracePart, TransitionDeclaration,
};
use crate::token::Kind;

impl Parser<'_, '_> {
    /// A declaration.
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let token = self.peek();
        if token.kind != Kind::Word {
            let diagnostic = self.about_next("expected a declaration");
            let diagnostic = match self.meant(&BEGINNINGS) {
                Some(word) if token.kind == Kind::Name => {
                    diagnostic.help(format!("did you mean `{word}`?"))
                }
                _ if diagnostic.help.is_some() => diagnostic,
                _ => diagnostic
                    .help("declarations begin with a word like `sort`, `transition` or `safety`"),
            };
            return Err(self.wrong(diagnostic));
        }
        match token.text {
            "sort" => {
                self.next();
                let name = self.name("a sort")?;
                self.annotations()?;
                Ok(Declaration::Sort(name))
            }
            "mutable" => self.symbol(Change::Mutable),
            "immutable" => self.symbol(Change::Immutable),
            "derived" => self.derived(),
            "axiom" => self.stated(Statement::Axiom),
            "init" => self.stated(Statement::Init),
            "safety" => self.stated(Statement::Safety),
            "invariant" => self.stated(Statement::Invariant),
            "theorem" => self.stated(Statement::Theorem),
            "zerostate" => self.states(Statement::ZeroStateTheorem),
            "onestate" => self.states(Statement::Theorem),
            "twostate" => self.states(Statement::TwoStateTheorem),
            "transition" => self.transition(),
            "sat" | "unsat" => self.trace(),
            "sketch" => self.unsupported("sketches of invariants"),
            "definition" => self.unsupported("definitions"),
            "automaton" => self.unsupported("automata of phases"),
            "relation" | "function" | "constant" => {
                let diagnostic = self.about_next("expected a declaration");
                let help = format!("write `mutable {0}` or `immutable {0}`", token.text);
                Err(self.wrong(diagnostic.help(help)))
            }
            _ => Err(self.unexpected("expected a declaration")),
        }
    }

    fn unsupported<T>(&mut self, what: &str) -> Parsed<T> {
        let span = self.peek().span;
        Err(self.wrong(Diagnostic::unsupported(span, what)))
    }

    /// Annotations, which change no meaning.
    fn annotations(&mut self) -> Parsed<()> {
        while self.peek().kind == Kind::Annotation {
            self.next();
            if self.take("(").is_some() {
                self.list(|this| this.name("what an annotation is about"))?;
                self.expect(")", "at the end of an annotation")?;
            }
        }
        Ok(())
    }

    /// The sorts of arguments, perhaps none.
    fn arity(&mut self) -> Parsed<Vec<Name>> {
        if self.take("(").is_none() || self.take(")").is_some() {
            return Ok(Vec::new());
        }
        let sorts = self.list(|this| this.name("a sort"))?;
        self.expect(")", "after the sorts of the arguments")?;
        Ok(sorts)
    }

    fn symbol(&mut self, change: Change) -> Parsed<Declaration> {
        let first = self.next();
        let kind = self.peek().text;
        if !(self.is("relation") || self.is("function") || self.is("constant")) {
            let message =
                format!("expected `relation`, `function` or `constant` after `{}`", first.text);
            return Err(self.unexpected(&message));
        }
        self.next();
        let name = self.name(&format!("a {kind}"))?;
        let arguments = if kind == "constant" { Vec::new() } else { self.arity()? };
        let result = if kind == "relation" {
            None
        } else {
            self.expect(":", &format!("and the sort of the {kind} `{}`", name.text))?;
            Some(self.name("a sort")?)
        };
        self.annotations()?;
        Ok(Declaration::Symbol(SymbolDeclaration { name, arguments, result, change }))
    }

    fn derived(&mut self) -> Parsed<Declaration> {
        self.next();
        self.expect("relation", "after `derived`")?;
        let name = self.name("a relation")?;
        let arguments = self.arity()?;
        self.annotations()?;
        self.expect(":", "before the definition of a derived relation")?;
        let change = Change::Derived(self.expression()?);
        Ok(Declaration::Symbol(SymbolDeclaration { name, arguments, result: None, change }))
    }

    fn stated(&mut self, statement: Statement) -> Parsed<Declaration> {
        let start = self.next().span;
        let name = match self.take("[") {
            Some(_) => {
                let name = self.name("a statement")?;
                self.expect("]", "after the name")?;
                Some(name)
            }
            None => None,
        };
        let formula = self.expression()?;
        let span = start.to(formula.span);
        Ok(Declaration::Stated(Stated { statement, name, formula, span }))
    }

    /// A theorem about so many states.
    fn states(&mut self, statement: Statement) -> Parsed<Declaration> {
        self.next();
        if self.is("definition") {
            return self.unsupported("definitions");
        }
        if !self.is("theorem") {
            return Err(self.unexpected("expected `theorem`"));
        }
        self.stated(statement)
    }

    fn transition(&mut self) -> Parsed<Declaration> {
        self.next();
        let name = self.name("a transition")?;
        self.expect("(", "before the parameters of a transition")?;
        let parameters =
            if self.is(")") { Vec::new() } else { self.list(|this| this.binder("a parameter"))? };
        self.expect(")", "after the parameters of a transition")?;
        if self.is("{") {
            return self.unsupported("transitions as blocks of statements");
        }
        let modifies = if self.take("modifies").is_some() {
            self.list(|this| this.name("what the transition modifies"))?
        } else if self.take("=").is_some() {
            Vec::new()
        } else {
            let message = "expected `modifies` and what the transition may change";
            let diagnostic = self.about_next(message);
            let help = "a transition that changes nothing is written with `=` instead";
            return Err(self.wrong(diagnostic.help(help)));
        };
        let body = self.expression()?;
        Ok(Declaration::Transition(TransitionDeclaration { name, parameters, modifies, body }))
    }

    fn trace(&mut self) -> Parsed<Declaration> {
        let first = self.next();
        let possible = first.text == "sat";
        self.expect("trace", &format!("after `{}`", first.text))?;
        self.expect("{", "before the parts of a trace")?;
        let mut parts = Vec::new();
        let end: Span = loop {
            if let Some(end) = self.take("}") {
                break end;
            }
            parts.push(self.trace_part()?);
        };
        let span = first.span.to(end);
        Ok(Declaration::Trace(TraceDeclaration { possible, parts, span }))
    }

    fn trace_part(&mut self) -> Parsed<TracePart> {
        if self.take("assert").is_some() {
            if self.take("init").is_some() {
                return Ok(TracePart::AssertInit);
            }
            return Ok(TracePart::Assert(self.expression()?));
        }
        if self.take("any").is_some() {
            self.expect("transition", "after `any`")?;
            return Ok(TracePart::AnyTransition);
        }
        let mut calls = vec![self.trace_call()?];
        while self.take("|").is_some() {
            calls.push(self.trace_call()?);
        }
        Ok(TracePart::Step(calls))
    }

    fn trace_call(&mut self) -> Parsed<TraceCall> {
        let name = self.name("a transition")?;
        if self.take("(").is_none() {
            return Ok(TraceCall { name, arguments: None });
        }
        let arguments = if self.is(")") {
            Vec::new()
        } else {
            self.list(|this| match this.take("*") {
                Some(_) => Ok(TraceArgument::Any),
                None => this.expression().map(TraceArgument::Term),
            })?
        };
        self.expect(")", "after the arguments of a transition")?;
        Ok(TraceCall { name, arguments: Some(arguments) })
    }
}
