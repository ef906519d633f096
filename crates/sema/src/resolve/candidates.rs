//! Candidates for invariants: those of the program and those of other files. A
//! candidate is a guess, so a mistake in one is a warning wherever it stands.

use lustral_syntax::ast::{self, CandidateRole, Item};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use lustral_syntax::{Diagnostics, Severity, Span};

use super::scope::flow_names;
use super::{Environment, Resolver, similar};
use crate::guards;
use rustc_hash::FxHashSet;

use crate::program::{Candidate, Candidates, ExprId, ExprKind, Stream, StreamKind};

impl<'a> Resolver<'a> {
    /// All candidates of a node, in a scope of its flows, those of its contract too, whose
    /// arena and calls are empty.
    pub(super) fn candidates(
        &mut self,
        streams: &[Stream],
        node: &ast::NodeDeclaration,
        program: &'a ast::Program,
    ) -> Candidates {
        for (name, id) in flow_names(streams) {
            self.scope.streams.entry(name).or_insert(id);
        }
        self.scope.closed = true;
        let mut list = Vec::new();
        let own = node.items.iter().filter_map(|item| match item {
            Item::Candidate(role, expr, _) => Some((self.ast, (*role, *expr))),
            _ => None,
        });
        let others = program.candidates.iter().flat_map(|file| {
            let blocks = file.blocks.iter().filter(|block| block.node.name == node.name.name);
            blocks.flat_map(|block| block.list.iter().map(|expr| (&file.exprs, *expr)))
        });
        let all: Vec<(&'a ast::Exprs, (CandidateRole, ast::ExprId))> = own.chain(others).collect();
        for (exprs, (role, expr)) in all {
            self.ast = exprs;
            let outer = std::mem::take(&mut self.diagnostics);
            let found = self.candidate(streams, role, expr);
            let own = std::mem::replace(&mut self.diagnostics, outer);
            self.remark(&own);
            list.extend(found);
        }
        Candidates { exprs: std::mem::take(&mut self.scope.exprs), list }
    }

    fn candidate(
        &mut self,
        streams: &[Stream],
        role: CandidateRole,
        root: ast::ExprId,
    ) -> Option<Candidate> {
        let before = self.scope.exprs.len();
        let found = self.boolean(root, "a candidate").filter(|expr| {
            if let Some(call) = self.scope.calls.first() {
                // An instance more would be checked, and its assertions assumed.
                let span = call.span;
                self.push(
                    Diagnostic::unsupported(span, "calls in candidates")
                        .help("give the result of the call a name in the node"),
                );
                return false;
            }
            if let Some(span) = self.reads_by_variable(*expr) {
                self.push(Diagnostic::unsupported(span, "variable indices in candidates"));
                return false;
            }
            let places = guards::unguarded(self.program, &self.scope.exprs, &[], [*expr]);
            let first = places.into_keys().min_by_key(|span| span.start);
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
            first.is_none() && self.keeps_to_its_role(streams, role, *expr)
        });
        self.scope.calls.clear();
        if found.is_none() {
            self.scope.exprs.truncate(before);
            self.scope.forget_shared();
        }
        found.map(|expr| Candidate { role, expr, span: self.ast[root].span })
    }

    /// Whether a candidate is about what its role says: what is required about the inputs
    /// at one step, which a caller must be able to show; what is ensured about the
    /// interface, which a caller can see.
    fn keeps_to_its_role(&mut self, streams: &[Stream], role: CandidateRole, root: ExprId) -> bool {
        let Some(word) = role.word() else { return true };
        let requires = role == CandidateRole::Requires;
        // What a candidate is made of comes after what earlier ones are made of, or is shared.
        let mut left = vec![root];
        let mut seen = FxHashSet::default();
        while let Some(id) = left.pop() {
            if !seen.insert(id) {
                continue;
            }
            let span = self.scope.exprs[id].span;
            let wrong = match &self.scope.exprs[id].kind {
                ExprKind::Stream(stream) => {
                    let stream = &streams[stream.index()];
                    let kind = stream.kind;
                    let seen = kind == StreamKind::Input
                        || (kind == StreamKind::Output && !requires)
                        || stream.constant.is_some();
                    (!seen).then(|| {
                        let about = if requires { "inputs" } else { "inputs and outputs" };
                        format!("`{word}` is about {about} of the node: `{}` is none", stream.name)
                    })
                }
                ExprKind::Pre(_) | ExprKind::Fby(..) if requires => {
                    Some(format!("`{word}` is about the inputs at one step: it cannot look back"))
                }
                _ => None,
            };
            if let Some(message) = wrong {
                let message = format!("{message}; the candidate is skipped");
                self.push(Diagnostic::warning(Code::Undeclared, span, message));
                return false;
            }
            let kind = self.scope.exprs[id].kind.clone();
            let operands = std::cell::RefCell::new(Vec::new());
            let _ = kind.with_operands(|operand| {
                operands.borrow_mut().push(operand);
                operand
            });
            left.extend(operands.into_inner());
        }
        true
    }

    /// Where an element is read that may be outside of its array. It would be an
    /// arbitrary value, and no candidate of use.
    fn reads_by_variable(&self, root: ExprId) -> Option<Span> {
        let exprs = &self.scope.exprs;
        let all = exprs.iter().filter(|(id, _)| *id <= root);
        let is_open = |kind: &ExprKind| {
            matches!(kind, ExprKind::Element(..) | ExprKind::Any | ExprKind::Apply(..))
        };
        let mut open = all.filter(|(_, e)| is_open(&e.kind));
        open.next_back().map(|(_, e)| e.span)
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
}

/// Candidates of other files for nodes that there are not.
pub(crate) fn candidates_of_nobody(
    env: &Environment,
    ast: &ast::Program,
    diagnostics: &mut Diagnostics,
) {
    for block in ast.candidates.iter().flat_map(|file| &file.blocks) {
        let name = &block.node;
        if env.nodes.contains_key(&name.name) || env.hidden.hides_node(&name.name) {
            continue;
        }
        let message = format!("there is no node `{}`: its candidates are skipped", name.name);
        let mut diagnostic = Diagnostic::warning(Code::Undeclared, name.span, message);
        if let Some(meant) = similar(&name.name, env.nodes.keys().map(|k| &**k)) {
            diagnostic = diagnostic.help(format!("is `{meant}` meant?"));
        }
        diagnostics.push(diagnostic);
    }
}
