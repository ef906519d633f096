//! Declarations: first all names, then what they mean.

use lustral_first_order::{Application, Formula, Quantifier, SortId, Symbol, SymbolId, Term};
use lustral_syntax::diagnostic::Code;
use lustral_syntax::{Diagnostic, Span};

use super::expressions::Context;
use super::{Resolved, Resolver, Wrong};
use crate::ast::{self, Declaration, Expr, Name, Statement, Tree};
use crate::protocol::{Change, Definition, Stated, Transition};

impl Resolver<'_> {
    /// Declares all names, so that they may be used before they are declared.
    pub(super) fn declare(&mut self, tree: &Tree) {
        for declaration in &tree.declarations {
            if let Declaration::Sort(name) = declaration {
                self.declare_sort(name);
            }
        }
        let mut transitions = 0;
        for declaration in &tree.declarations {
            match declaration {
                Declaration::Symbol(symbol) => {
                    // What is wrong is said; what is right is gone on with.
                    let _ = self.declare_symbol(symbol);
                }
                Declaration::Transition(transition) => {
                    let name = &transition.name;
                    let known = self.names.transitions.get(&name.text).map(|(_, span)| *span);
                    if let Some(first) = known {
                        self.duplicate(name, first);
                    } else {
                        let entry = (transitions, name.span);
                        self.names.transitions.insert(name.text.clone(), entry);
                    }
                    transitions += 1;
                }
                _ => {}
            }
        }
    }

    fn duplicate(&mut self, name: &Name, first: Span) {
        let message = format!("`{}` is declared twice", name.text);
        self.found
            .push(Diagnostic::error(Code::Duplicate, name.span, message).also(first, "first here"));
    }

    fn declare_sort(&mut self, name: &Name) {
        if let Some((_, first)) = self.names.sorts.get(&name.text).copied() {
            return self.duplicate(name, first);
        }
        let id = SortId(self.protocol.signature.sorts.len() as u32);
        self.protocol.signature.sorts.push(name.text.as_str().into());
        self.names.sorts.insert(name.text.clone(), (id, name.span));
    }

    fn declare_symbol(&mut self, declaration: &ast::SymbolDeclaration) -> Resolved<()> {
        let name = &declaration.name;
        if let Some((_, first)) = self.names.symbols.get(&name.text).copied() {
            self.duplicate(name, first);
            return Err(Wrong);
        }
        let sorts = declaration.arguments.iter();
        let arguments = sorts.map(|sort| self.sort(sort)).collect::<Resolved<Vec<SortId>>>();
        let result = declaration.result.as_ref().map(|sort| self.sort(sort)).transpose();
        let id = SymbolId(self.protocol.signature.symbols.len() as u32);
        self.protocol.signature.symbols.push(Symbol {
            name: name.text.as_str().into(),
            arguments: arguments?,
            result: result?,
        });
        self.protocol.changes.push(match &declaration.change {
            ast::Change::Immutable => Change::Immutable,
            ast::Change::Mutable => Change::Mutable,
            // Until its definition is read.
            ast::Change::Derived(_) => Change::Derived(Definition {
                variables: Vec::new(),
                body: Formula::Constant(false),
            }),
        });
        self.names.symbols.insert(name.text.clone(), (id, name.span));
        Ok(())
    }

    /// Resolves what is declared.
    pub(super) fn define(&mut self, tree: &Tree) {
        for declaration in &tree.declarations {
            // What is wrong is said; what is right is gone on with.
            let _ = match declaration {
                Declaration::Sort(_) => Ok(()),
                Declaration::Symbol(symbol) => self.define_symbol(symbol),
                Declaration::Stated(stated) => self.state(stated),
                Declaration::Transition(transition) => self.transition(transition),
                Declaration::Trace(_) => Ok(()),
            };
        }
        // Traces speak of transitions, wherever those stand.
        for declaration in &tree.declarations {
            if let Declaration::Trace(trace) = declaration {
                let _ = self.trace(trace);
            }
        }
        let protocol = &self.protocol;
        let claims = protocol.theorems.len() + protocol.traces.len();
        if protocol.safety.is_empty() && claims == 0 && self.found.errors() == 0 {
            self.nothing_to_check(tree);
        }
    }

    /// A protocol without properties is accepted, with a warning at its last declaration.
    fn nothing_to_check(&mut self, tree: &Tree) {
        let place = tree.declarations.last().map(|last| match last {
            Declaration::Sort(name) => name.span,
            Declaration::Symbol(symbol) => symbol.name.span,
            Declaration::Stated(stated) => stated.span,
            Declaration::Transition(transition) => transition.name.span,
            Declaration::Trace(trace) => trace.span,
        });
        if let Some(span) = place {
            self.found.push(
                Diagnostic::warning(Code::Selection, span, "there is nothing to check")
                    .help("what has to hold in every state is written as `safety`"),
            );
        }
    }

    fn state(&mut self, stated: &ast::Stated) -> Resolved<()> {
        let (place, states) = match stated.statement {
            Statement::Axiom => ("an axiom", 0),
            Statement::Init => ("`init`", 1),
            Statement::Safety => ("a safety property", 1),
            Statement::Invariant => ("an invariant", 1),
            Statement::ZeroStateTheorem => ("a `zerostate theorem`", 0),
            Statement::Theorem => ("a theorem about one state", 1),
            Statement::TwoStateTheorem => ("a `twostate theorem`", 2),
        };
        let formula = self.closed(&stated.formula, &mut Context::new(place, states))?;
        let line = self.sources.line_column(stated.span).line;
        let name = stated.name.as_ref().map_or_else(
            || format!("{} at line {line}", word(stated.statement)),
            |name| name.text.clone(),
        );
        let resolved = Stated { name, formula, span: stated.span };
        let protocol = &mut self.protocol;
        match stated.statement {
            Statement::Axiom => protocol.axioms.push(resolved),
            Statement::Init => protocol.init.push(resolved),
            Statement::Safety => protocol.safety.push(resolved),
            Statement::Invariant => protocol.invariants.push(resolved),
            _ => protocol.theorems.push((states, resolved)),
        }
        Ok(())
    }

    fn transition(&mut self, declaration: &ast::TransitionDeclaration) -> Resolved<()> {
        let mut modifies = Vec::new();
        let mut all = Ok(());
        for name in &declaration.modifies {
            match self.modified(name) {
                Ok(symbol) => modifies.push(symbol),
                Err(Wrong) => all = Err(Wrong),
            }
        }
        // With a wrong list, what follows would be blamed for it.
        let known = all.is_ok().then_some(modifies.as_slice());
        let mut context = Context { modifies: known, ..Context::new("a transition", 2) };
        let parameters = self.bind(&declaration.parameters, &mut context)?;
        let body = self.closed(&declaration.body, &mut context)?;
        all?;
        let sorts = &self.sorts;
        let parameters = parameters.into_iter().map(|mut parameter| {
            parameter.sort = sorts.known(parameter.id).unwrap_or(parameter.sort);
            parameter
        });
        let parameters = parameters.collect();
        self.protocol.transitions.push(Transition {
            name: declaration.name.text.clone(),
            parameters,
            modifies,
            body,
            span: declaration.name.span,
        });
        Ok(())
    }

    /// A symbol that a transition may change.
    fn modified(&mut self, name: &Name) -> Resolved<SymbolId> {
        let Some((symbol, declared)) = self.names.symbols.get(&name.text).copied() else {
            return Err(self.undeclared(name, &[]));
        };
        let message = match self.protocol.changes[symbol.index()] {
            Change::Mutable => return Ok(symbol),
            Change::Immutable => format!("`{}` is immutable: nothing may change it", name.text),
            Change::Derived(_) => {
                format!("`{}` is derived: it changes with what it is derived from", name.text)
            }
        };
        Err(self.wrong(
            Diagnostic::error(Code::Definition, name.span, message)
                .also(declared, "it is declared here"),
        ))
    }

    /// The definition of a derived relation: `r(X, Y) <-> …`.
    fn define_symbol(&mut self, declaration: &ast::SymbolDeclaration) -> Resolved<()> {
        let ast::Change::Derived(expr) = &declaration.change else { return Ok(()) };
        let name = &declaration.name;
        let Some((symbol, _)) = self.names.symbols.get(&name.text).copied() else {
            return Err(Wrong);
        };
        let mut context = Context::new("the definition of a derived relation", 1);
        let formula = self.closed(expr, &mut context)?;
        let Some(definition) = definition(symbol, formula) else {
            return Err(self.not_a_definition(symbol, expr));
        };
        let later = |application: &Application| {
            application.symbol >= symbol
                && matches!(self.protocol.changes[application.symbol.index()], Change::Derived(_))
        };
        if definition.body.mentions(&later) {
            let message =
                format!("`{}` is defined by itself, or by what is derived later", name.text);
            return Err(self.wrong(Diagnostic::error(Code::Recursion, expr.span, message)));
        }
        self.protocol.changes[symbol.index()] = Change::Derived(definition);
        Ok(())
    }

    fn not_a_definition(&mut self, symbol: SymbolId, expr: &Expr) -> Wrong {
        let symbol = self.protocol.signature.symbol(symbol);
        let arguments: Vec<String> =
            (1..=symbol.arguments.len()).map(|i| format!("X{i}")).collect();
        let shown = match arguments.as_slice() {
            [] => symbol.name.to_string(),
            _ => format!("{}({})", symbol.name, arguments.join(", ")),
        };
        let what = "derived relations that are not defined by `<->`";
        let help = format!("write `{shown} <-> …`");
        self.wrong(Diagnostic::unsupported(expr.span, what).help(help))
    }
}

/// What is stated is called so.
fn word(statement: Statement) -> &'static str {
    match statement {
        Statement::Axiom => "axiom",
        Statement::Init => "init",
        Statement::Safety => "safety",
        Statement::Invariant => "invariant",
        Statement::ZeroStateTheorem | Statement::Theorem | Statement::TwoStateTheorem => "theorem",
    }
}

/// A formula that says for all arguments when a relation holds, as a definition.
fn definition(symbol: SymbolId, formula: Formula) -> Option<Definition> {
    let mut bound = Vec::new();
    let mut inner = formula;
    while let Formula::Quantified(Quantifier::Forall, variables, body) = inner {
        bound.extend(variables);
        inner = *body;
    }
    let Formula::Iff(sides) = inner else { return None };
    let (left, body) = *sides;
    let Formula::Relation(atom) = left else { return None };
    let mut variables = Vec::new();
    for argument in &atom.arguments {
        match argument {
            Term::Variable(v) if bound.contains(v) && !variables.contains(v) => {
                variables.push(v.clone());
            }
            _ => return None,
        }
    }
    // A variable that is no argument would be for all elements, which is no definition.
    let defines = atom.symbol == symbol && variables.len() == bound.len();
    defines.then_some(Definition { variables, body })
}
