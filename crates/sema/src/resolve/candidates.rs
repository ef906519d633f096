//! Candidates for invariants: those of the program and those of other files. A
//! candidate is a guess, so a mistake in one is a warning wherever it stands.

use lustral_syntax::ast::{self, Item};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use lustral_syntax::{Diagnostics, Severity};

use crate::guards;
use crate::program::{Candidate, Candidates};
use crate::resolve::expressions::Scope;
use crate::resolve::{Resolver, similar};

impl Resolver<'_> {
    /// All candidates of a node, in a scope of its flows.
    pub(super) fn candidates(
        &mut self,
        node: &ast::NodeDeclaration,
        mut scope: Scope,
    ) -> Candidates {
        let mut list = Vec::new();
        let ast = self.ast;
        let own = node.items.iter().filter_map(|item| match item {
            Item::Candidate(expr) => Some(expr),
            _ => None,
        });
        let blocks = ast.candidates.iter().filter(|b| b.node.name == node.name.name);
        for expr in own.chain(blocks.flat_map(|block| &block.list)) {
            let outer = std::mem::take(self.diagnostics);
            let found = self.candidate(&mut scope, *expr);
            let own = std::mem::replace(self.diagnostics, outer);
            self.remark(&own);
            list.extend(found);
        }
        Candidates { exprs: scope.exprs, list }
    }

    fn candidate(&mut self, scope: &mut Scope, root: ast::ExprId) -> Option<Candidate> {
        let before = scope.exprs.len();
        let found = self.boolean(scope, root, "a candidate").filter(|expr| {
            if let Some(call) = scope.calls.first() {
                // An instance more would be checked, and its assertions assumed.
                self.push(
                    Diagnostic::unsupported(call.span, "calls in candidates")
                        .help("give the result of the call a name in the node"),
                );
                return false;
            }
            let places = guards::unguarded(&self.program, &scope.exprs, &[], [*expr]);
            let first = places.into_iter().min_by_key(|span| span.start);
            if let Some(span) = first {
                self.push(
                    Diagnostic::warning(
                        Code::UnguardedPre,
                        span,
                        "the first value of this `pre` is arbitrary: the candidate is skipped",
                    )
                    .help("say what should hold at the first step: `true -> …`"),
                );
            }
            first.is_none()
        });
        scope.calls.clear();
        if found.is_none() {
            scope.exprs.truncate(before);
        }
        found.map(|expr| Candidate { expr, span: self.ast.exprs[root].span })
    }

    /// Says what is wrong with a candidate, as a warning, and once: it is skipped
    /// whatever else is wrong.
    fn remark(&mut self, own: &Diagnostics) {
        match own.iter().find(|d| d.severity == Severity::Error) {
            Some(error) => self.push(
                Diagnostic { severity: Severity::Warning, ..error.clone() }
                    .note("the candidate is skipped"),
            ),
            None => own.iter().for_each(|d| self.push(d.clone())),
        }
    }

    /// Candidates of other files for nodes that there are not.
    pub(super) fn candidates_of_nobody(&mut self) {
        for block in &self.ast.candidates {
            let name = &block.node;
            if self.nodes.contains_key(&name.name) {
                continue;
            }
            let message = format!("there is no node `{}`: its candidates are skipped", name.name);
            let mut diagnostic = Diagnostic::warning(Code::Undeclared, name.span, message);
            if let Some(meant) = similar(&name.name, self.nodes.keys().map(|k| &**k)) {
                diagnostic = diagnostic.help(format!("is `{meant}` meant?"));
            }
            self.push(diagnostic);
        }
    }
}
