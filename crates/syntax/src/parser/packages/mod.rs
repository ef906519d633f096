//! Packages: namespaces. `package P … body … end` of Lustre V6, `package P … end;` of SCADE.
//!
//! What a package declares gets its path before its name, `P::f`, and so do the names that
//! mean it (`qualify.rs`): behind the parser there are no packages, only such names. A model
//! is a package that is given types, constants and nodes; for each `package X = M(…);` its
//! text is read anew (`models.rs`).

mod models;
mod names;
mod qualify;

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{GapKind, Ident};
use crate::diagnostic::{Code, Diagnostic};
use crate::parser::{Parsed, Parser};
use crate::source::Span;
use crate::token::{Token, TokenKind};
use models::{Instance, Model};

/// How deep packages may stand in each other, so that reading them may recurse.
const DEEPEST: usize = 16;

/// The packages of a file. The first scope is the file itself.
pub(super) struct Packages {
    scopes: Vec<Scope>,
    /// The one that is being read.
    inside: usize,
    pieces: Vec<Piece>,
    models: FxHashMap<Arc<str>, Model>,
    instances: Vec<Instance>,
}

impl Packages {
    pub fn new() -> Packages {
        let scopes = vec![Scope::default()];
        let (pieces, instances) = (Vec::new(), Vec::new());
        Packages { scopes, inside: 0, pieces, models: FxHashMap::default(), instances }
    }
}

/// Where names are looked up: a package, or the file.
#[derive(Default)]
struct Scope {
    /// The names of the packages around and its own, with `::` between them; empty of the file.
    path: String,
    /// The one around; of the file itself.
    outer: usize,
    /// How many stand around.
    depth: usize,
    /// The packages whose names mean something here without their path.
    uses: Vec<Ident>,
    /// What others may name, if that is said.
    provides: Option<FxHashSet<Arc<str>>>,
}

/// Some declarations that follow each other, and the expressions in them.
struct Piece {
    /// Whose names they declare.
    declares: usize,
    /// Where the names that they mention are looked up.
    mentions: usize,
    declarations: Range<usize>,
    exprs: Range<usize>,
}

impl Parser<'_> {
    /// Whether a package or a model begins here.
    pub(super) fn at_package(&self) -> bool {
        use TokenKind::{Equal, Identifier};
        let word = |offset: usize| matches!(self.word_after(offset), "package" | "model");
        let marked = usize::from(self.is_visibility(0) && word(1));
        word(marked)
            && self.peek_after(marked) == Identifier
            && self.peek_after(marked + 1) == Identifier
            && (self.begins_line() || self.ended_before())
            // `package = 3;` is an equation, and so is `model, x = f(y);`.
            && self.peek_after(1) != Equal
    }

    /// Whether SCADE's `private` or `public` stands some tokens on.
    fn is_visibility(&self, offset: usize) -> bool {
        matches!(self.word_after(offset), "private" | "public")
    }

    /// Whether such a word stands here before a declaration.
    pub(super) fn at_visibility(&self) -> bool {
        let declares = matches!(
            self.peek_after(1),
            TokenKind::Node | TokenKind::Function | TokenKind::Type | TokenKind::Const
        );
        declares && self.begins_line() && self.is_visibility(0)
    }

    /// Whether what stands before has come to its end.
    fn ended_before(&self) -> bool {
        let before = self.at.checked_sub(1).map(|at| self.tokens[at]);
        before.is_none_or(|token| {
            let word = &self.text[token.span.range()];
            matches!(token.kind, TokenKind::Tel | TokenKind::Semicolon)
                || matches!(word, "end" | "body")
        })
    }

    /// Whether the package that is being read ends here.
    pub(super) fn at_package_end(&self) -> bool {
        self.packages.inside != 0
            && self.depth == 0
            && self.is_word("end")
            && (self.begins_line() || self.ended_before())
            && !matches!(self.peek_after(1), TokenKind::Equal | TokenKind::Comma)
    }

    /// How many declarations and expressions there are.
    fn extent(&self) -> (usize, usize) {
        (self.declarations.len(), self.exprs.len())
    }

    /// Notes the declarations that were read since some extent.
    fn piece(&mut self, (declared, exprs): (usize, usize), declares: usize, mentions: usize) {
        let declarations = declared..self.declarations.len();
        let exprs = exprs..self.exprs.len();
        self.packages.pieces.push(Piece { declares, mentions, declarations, exprs });
    }

    /// A declaration, or a package with all that is in it.
    pub(super) fn declaration_or_package(&mut self) {
        if self.at_package() {
            return self.package_or_model();
        }
        let (start, before, inside) = (self.span(), self.extent(), self.packages.inside);
        if self.at_visibility() {
            self.bump();
        }
        if self.declaration().is_err() {
            self.skip_to_declaration();
            self.gap(GapKind::Text, start);
        }
        self.piece(before, inside, inside);
    }

    /// What was read of packages is looked up.
    pub(super) fn finish_packages(&mut self) {
        self.instantiate_models();
        self.qualify_names();
    }

    fn package_or_model(&mut self) {
        let start = self.span();
        if self.is_visibility(0) {
            self.bump();
        }
        let is_model = self.word() == "model";
        self.bump();
        let Ok(name) = self.ident("of a package") else { return };
        let instance = self.peek() == TokenKind::Equal || self.is_word("is");
        match (is_model, instance) {
            (true, _) => self.model(&name),
            (false, true) => self.instance(name, start),
            (false, false) => self.package(&name, start),
        }
    }

    /// A package in the one that is being read.
    fn open_scope(&mut self, name: &Ident) -> usize {
        let packages = &mut self.packages;
        let (outer, around) = (packages.inside, &packages.scopes[packages.inside]);
        let depth = around.depth + 1;
        let path = match &*around.path {
            "" => name.name.to_string(),
            path => format!("{path}::{}", name.name),
        };
        packages.scopes.push(Scope { path, outer, depth, uses: Vec::new(), provides: None });
        packages.scopes.len() - 1
    }

    /// `uses A, B; provides … body … end`, behind the name
    fn package(&mut self, name: &Ident, start: Span) {
        let scope = self.open_scope(name);
        if self.packages.scopes[scope].depth > DEEPEST {
            let message = format!("packages stand at most {DEEPEST} deep in each other");
            self.diagnostics.push(Diagnostic::error(Code::Syntax, start, message));
            return self.skip_to_declaration();
        }
        self.head(scope);
        self.inside(scope, start);
    }

    /// What is declared in a package, to its end.
    fn inside(&mut self, scope: usize, start: Span) {
        let outer = std::mem::replace(&mut self.packages.inside, scope);
        while !self.at_package_end() && self.peek() != TokenKind::End {
            self.declaration_or_package();
        }
        self.packages.inside = outer;
        if self.peek() == TokenKind::End {
            let _: Parsed<()> = self.fail("`end` at the end of the package", None);
            return self.gap(GapKind::Text, start);
        }
        self.bump();
        self.eat(TokenKind::Semicolon);
    }

    /// What stands before the declarations of a package.
    fn head(&mut self, scope: usize) {
        loop {
            if self.is_word("uses") {
                self.bump();
                self.uses(scope);
            } else if self.is_word("provides") {
                self.bump();
                self.provides(scope);
            } else if self.peek() != TokenKind::Semicolon {
                break;
            } else {
                self.bump();
            }
        }
        if self.is_word("body") {
            self.bump();
        }
    }

    /// `A, B;` behind `uses`, or behind SCADE's `open`
    fn uses(&mut self, scope: usize) {
        while let Ok(name) = self.ident("of a package") {
            self.packages.scopes[scope].uses.push(name);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.eat(TokenKind::Semicolon);
    }

    /// Whether SCADE's `open P;` stands here.
    pub(super) fn at_open_package(&self) -> bool {
        self.is_word("open")
            && self.peek_after(1) == TokenKind::Identifier
            && matches!(self.peek_after(2), TokenKind::Semicolon | TokenKind::Comma)
            && self.begins_line()
    }

    pub(super) fn open_package(&mut self) {
        self.bump();
        self.uses(self.packages.inside);
    }

    /// The names behind `provides`; what they stand for is said again in the body.
    fn provides(&mut self, scope: usize) {
        use TokenKind::{Comma, Const, End, Function, Identifier, Node, Type};
        let mut names = FxHashSet::default();
        while !self.is_word("body") && self.peek() != End {
            let declares = matches!(self.peek(), Type | Const | Node | Function);
            self.bump();
            while declares && self.peek() == Identifier {
                let token = self.bump();
                names.insert(self.ident_of(token).name);
                if !self.eat(Comma) {
                    break;
                }
            }
        }
        self.packages.scopes[scope].provides = Some(names);
    }
}

/// `P::f` as one name, where no blank stands in it. What begins with `::` is a mode of a
/// contract, and what follows `Lustre` one of V6's operators.
pub(super) fn join_names(text: &str, tokens: Vec<Token>) -> Vec<Token> {
    use TokenKind::{DoubleColon, Identifier};
    if tokens.iter().all(|token| token.kind != DoubleColon) {
        return tokens;
    }
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let touches = |a: &Token, b: &Token| a.span.end == b.span.start;
        let is_name = match &joined[..] {
            [.., first, path, _] if first.kind == DoubleColon && touches(first, path) => false,
            [.., path, colons] => {
                [path.kind, colons.kind, token.kind] == [Identifier, DoubleColon, Identifier]
                    && touches(path, colons)
                    && touches(colons, &token)
                    && &text[path.span.range()] != "Lustre"
            }
            _ => false,
        };
        if is_name {
            joined.pop();
            let path = joined.pop().map_or(token.span, |path| path.span);
            joined.push(Token { kind: Identifier, span: path.to(token.span) });
        } else {
            joined.push(token);
        }
    }
    joined
}
