//! Models of Lustre V6: `model M needs type t; const c: t; provides … body … end`, and
//! packages made of them, `package X = M(t = int; c = 0);`. The text of a model is read once
//! for each such package, with what it needs declared before: templates as macros, which is
//! what the manual says of them.

use crate::ast::{
    ConstDeclaration, Declaration, Gap, GapKind, Ident, NodeDeclaration, Operator, StaticArgument,
    StaticParameter, Type, TypeDeclaration, TypeKind,
};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::parser::{Parsed, Parser};
use crate::source::Span;
use crate::token::TokenKind;

/// A model that was met, by the token behind its name.
pub(super) struct Model {
    at: usize,
    /// Where it is declared.
    around: usize,
    span: Span,
}

/// What a model is given, perhaps with the name of what it needs.
type Given = (Option<Ident>, StaticArgument);

/// `package X = M(t = int; 3);`
pub(super) struct Instance {
    /// The package.
    scope: usize,
    /// Where it is declared.
    around: usize,
    model: Ident,
    arguments: Vec<Given>,
    span: Span,
}

impl Parser<'_> {
    /// A model, behind its name: what it says is read where it is used.
    pub(super) fn model(&mut self, name: &Ident) {
        let (at, around) = (self.at, self.packages.inside);
        let model = Model { at, around, span: name.span };
        if let Some(first) = self.packages.models.insert(name.name.clone(), model) {
            let message = format!("the model `{}` is declared twice", name.name);
            let diagnostic = Diagnostic::error(Code::Duplicate, name.span, message);
            self.diagnostics.push(diagnostic.also(first.span, "first declared here"));
        }
        while self.peek() != TokenKind::End {
            let ends = self.is_word("end");
            self.bump();
            if ends && (self.at_declaration() || self.peek() == TokenKind::Semicolon) {
                return;
            }
        }
    }

    /// `= M(t = int; 3);`, behind the name of the package
    pub(super) fn instance(&mut self, name: Ident, start: Span) {
        self.bump();
        let (before, around) = (self.extent(), self.packages.inside);
        let scope = self.open_scope(&name);
        let Ok((model, arguments)) = self.model_with_arguments() else {
            self.gap(GapKind::Text, start);
            return self.skip_to_declaration();
        };
        let span = name.span;
        self.packages.instances.push(Instance { scope, around, model, arguments, span });
        self.piece(before, around, around);
    }

    fn model_with_arguments(&mut self) -> Parsed<(Ident, Vec<Given>)> {
        use TokenKind::{Comma, Const, Equal, Function, Identifier, Node, Semicolon, Type};
        let model = self.ident("of a model")?;
        let mut list = Vec::new();
        self.expect(TokenKind::LeftParen, "and what the model needs")?;
        while self.peek() != TokenKind::RightParen {
            let word = self.peek();
            let is_word = matches!(word, Type | Const | Node | Function);
            let named = |offset| (self.peek_after(offset), self.peek_after(offset + 1));
            let name = if named(usize::from(is_word)) == (Identifier, Equal) {
                if is_word {
                    self.bump();
                }
                let name = self.ident("of what the model needs")?;
                self.bump();
                Some(name)
            } else {
                None
            };
            let argument = match word {
                Type if name.is_some() => StaticArgument::Type(self.ty()?),
                Node | Function if name.is_some() => StaticArgument::Operator(self.operator()?),
                Const if name.is_some() => StaticArgument::Const(self.size()?),
                _ => self.static_argument()?,
            };
            list.push((name, argument));
            if !self.eat(Semicolon) && !self.eat(Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightParen, "after what the model needs")?;
        self.end_of_declaration("after the package")?;
        Ok((model, list))
    }

    /// Reads the models for the packages that are made of them.
    pub(super) fn instantiate_models(&mut self) {
        let end = self.at;
        let outer = std::mem::take(&mut self.diagnostics);
        let mut found = Diagnostics::new();
        for instance in std::mem::take(&mut self.packages.instances) {
            let Some(model) = self.packages.models.get(&instance.model.name) else {
                let message = format!("there is no model `{}`", instance.model.name);
                found.push(Diagnostic::error(Code::Undeclared, instance.model.span, message));
                // What the package has is what the model has.
                for kind in [GapKind::Text, GapKind::Type, GapKind::Value, GapKind::Node] {
                    self.gap(kind, instance.span);
                }
                continue;
            };
            (self.at, self.wrong) = (model.at, None);
            let (around, span) = (model.around, model.span);
            // Names that the model does not declare are those of where it stands.
            self.packages.scopes[instance.scope].outer = around;
            self.instantiate(instance, span);
            found.push_new(&std::mem::take(&mut self.diagnostics));
        }
        self.at = end;
        self.diagnostics = outer;
        self.diagnostics.push_new(&found);
    }

    fn instantiate(&mut self, instance: Instance, model: Span) {
        let scope = instance.scope;
        self.head(scope);
        let mut needs = Vec::new();
        if self.is_word("needs") {
            self.bump();
            let before = self.extent();
            if self.needs(&mut needs).is_err() {
                return;
            }
            // The types in what it needs are those that it is given.
            self.piece(before, scope, scope);
        }
        self.give(&instance, needs);
        self.head(scope);
        self.inside(scope, model);
    }

    fn needs(&mut self, list: &mut Vec<StaticParameter>) -> Parsed<()> {
        use TokenKind::{Const, Function, Node, Type};
        while matches!(self.peek(), Type | Const | Node | Function) {
            self.static_parameter(list)?;
            self.expect(TokenKind::Semicolon, "after what the model needs")?;
        }
        Ok(())
    }

    /// Declares what the model needs as what the package gives.
    fn give(&mut self, instance: &Instance, needs: Vec<StaticParameter>) {
        let (scope, around, span) = (instance.scope, instance.around, instance.span);
        let unknown = instance.arguments.iter().filter_map(|(name, _)| name.as_ref());
        for name in unknown.filter(|name| needs.iter().all(|n| n.name().name != name.name)) {
            let message = format!("the model `{}` needs no `{}`", instance.model.name, name.name);
            self.diagnostics.push(Diagnostic::error(Code::Undeclared, name.span, message));
        }
        if instance.arguments.iter().skip(needs.len()).any(|(name, _)| name.is_none()) {
            let (model, count) = (&instance.model.name, needs.len());
            let message = format!("`{model}` needs {count} arguments, more are given");
            self.diagnostics.push(Diagnostic::error(Code::Arity, span, message));
        }
        for (position, need) in needs.into_iter().enumerate() {
            let by_name = instance
                .arguments
                .iter()
                .find(|(name, _)| name.as_ref().is_some_and(|name| name.name == need.name().name));
            let by_place = || instance.arguments.get(position).filter(|(name, _)| name.is_none());
            let Some((_, argument)) = by_name.or_else(by_place) else {
                let (model, name) = (&instance.model.name, need.name());
                let message = format!("`{model}` needs `{}`, which is not given", name.name);
                self.gaps.push(Gap { kind: GapKind::Text, span: name.span });
                self.diagnostics.push(Diagnostic::error(Code::Arity, span, message));
                continue;
            };
            let before = self.extent();
            let constant = matches!(need, StaticParameter::Const(_));
            let named = need.name().span;
            match given(need, argument, span) {
                Some(declaration) => self.declarations.push(declaration),
                None => {
                    let message = format!("this is not what `{}` needs", instance.model.name);
                    self.gaps.push(Gap { kind: GapKind::Text, span: named });
                    self.diagnostics.push(Diagnostic::error(Code::Type, span, message));
                }
            }
            // The type of a constant is said by the model, all else where the package is made.
            self.piece(before, scope, if constant { scope } else { around });
        }
    }
}

/// The declaration of what a model needs as what it is given.
fn given(need: StaticParameter, argument: &StaticArgument, span: Span) -> Option<Declaration> {
    Some(match (need, argument) {
        (StaticParameter::Type(name), argument) => {
            let definition = match argument {
                StaticArgument::Type(ty) => ty.clone(),
                StaticArgument::Name(other, _) => {
                    Type { kind: TypeKind::Named(other.name.clone()), span: other.span }
                }
                _ => return None,
            };
            let parameters = Vec::new();
            Declaration::Type(TypeDeclaration { name, parameters, definition, span })
        }
        (StaticParameter::Const(variable), argument) => {
            let (StaticArgument::Const(value) | StaticArgument::Name(_, value)) = argument else {
                return None;
            };
            let (name, ty, value) = (variable.name, Some(variable.ty), Some(*value));
            Declaration::Const(ConstDeclaration { name, ty, value, span })
        }
        (StaticParameter::Node(node), argument) => {
            let operator = match argument {
                StaticArgument::Operator(operator) => operator.clone(),
                StaticArgument::Name(name, _) => {
                    let (name, span) = (name.clone(), name.span);
                    Operator { name, arguments: Vec::new(), span }
                }
                _ => return None,
            };
            Declaration::Node(another_name(node.name, node.is_function, operator, span))
        }
    })
}

/// `node f = g;`
fn another_name(name: Ident, is_function: bool, operator: Operator, span: Span) -> NodeDeclaration {
    NodeDeclaration {
        name,
        is_function,
        imported: false,
        type_parameters: Vec::new(),
        statics: Vec::new(),
        alias: Some(operator),
        inputs: Vec::new(),
        outputs: Vec::new(),
        locals: Vec::new(),
        constants: Vec::new(),
        items: Vec::new(),
        gaps: Default::default(),
        span,
        header: span,
        body: Span { start: span.end, ..span },
    }
}
