//! Blocks that choose between equations: all branches take a step at every step,
//! and at each the values of one are those of the flows.

use std::collections::BTreeSet;

use lustral_syntax::Span;
use lustral_syntax::ast::{self, BlockKind, Item};
use lustral_syntax::diagnostic::{Code, Diagnostic};

use super::Resolver;
use super::equations::{Definition, Definitions};
use crate::program::{ExprId, ExprKind, Node, StreamId};

/// What a branch says, and where it stands.
struct Outcome {
    definitions: Definitions,
    span: Span,
}

impl Resolver<'_> {
    pub(super) fn block(
        &mut self,
        node: &mut Node,
        definitions: &mut Definitions,
        block: &ast::Block,
    ) {
        let inside = match &block.kind {
            BlockKind::Choice(choice) if !choice.lazy => self.choice(node, choice, block.span),
            BlockKind::Frame(frame) => self.frame(node, frame, block.span),
            other => {
                self.push(Diagnostic::unsupported(block.span, other.describe()));
                self.perhaps_inside(block)
            }
        };
        for stream in inside.streams() {
            match inside.get(stream) {
                Some(Definition::At(name, expr)) => {
                    if self.defines_once(definitions, stream, name) {
                        definitions.set(stream, Definition::At(name.clone(), *expr));
                    }
                }
                _ => definitions.set(stream, Definition::Unreadable),
            }
        }
    }

    /// The flows that a block with a mistake may define.
    fn perhaps_inside(&mut self, block: &ast::Block) -> Definitions {
        let mut found = Definitions::default();
        for (_, items) in block.kind.parts() {
            for item in items {
                match item {
                    Item::Equation(equation) => self.perhaps_defines(&mut found, equation),
                    Item::Block(inner) => {
                        let inner = self.perhaps_inside(inner);
                        inner.streams().for_each(|s| found.set(s, Definition::Unreadable));
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// What a part of a block says.
    pub(super) fn part_of_block(&mut self, node: &mut Node, items: &[Item]) -> Definitions {
        let mut definitions = Definitions::default();
        for item in items {
            let (span, what) = match item {
                Item::Equation(equation) => {
                    self.equation(node, &mut definitions, equation);
                    continue;
                }
                Item::Block(block) => {
                    if let BlockKind::Frame(_) = block.kind {
                        let message = "a frame cannot stand in another block";
                        self.push(Diagnostic::error(Code::Definition, block.span, message));
                        let inside = self.perhaps_inside(block);
                        inside.streams().for_each(|s| definitions.set(s, Definition::Unreadable));
                    } else {
                        self.block(node, &mut definitions, block);
                    }
                    continue;
                }
                Item::Main(_) => {
                    node.is_main = true;
                    continue;
                }
                Item::Assert(_, span) => (*span, "assertions in blocks"),
                Item::Property(property) => (property.span, "properties in blocks"),
                Item::Candidate(_, span) => (*span, "candidates in blocks"),
                Item::Contract(contract) => (contract.span, "contracts in blocks"),
                Item::Last(_, _, span) => (*span, "last values outside of frames"),
                Item::Realizable(_, span) => (*span, "realizability questions in blocks"),
            };
            let help = "write it outside of the block, with what the block defines";
            self.push(Diagnostic::unsupported(span, what).help(help));
        }
        definitions
    }

    /// `if c then … elsif d then … else … fi`: each condition has one value for all
    /// flows.
    fn choice(&mut self, node: &mut Node, choice: &ast::Choice, span: Span) -> Definitions {
        let mut conditions = Vec::new();
        let mut outcomes = Vec::new();
        for branch in &choice.branches {
            conditions.push(self.boolean(branch.condition, "the condition of `if`"));
            outcomes.push(self.outcome(node, &branch.part));
        }
        outcomes.push(match &choice.otherwise {
            Some(part) => self.outcome(node, part),
            None => Outcome { definitions: Definitions::default(), span },
        });
        self.chosen(node, &conditions, &outcomes, span)
    }

    fn outcome(&mut self, node: &mut Node, part: &ast::Part) -> Outcome {
        if let Some(local) = part.locals.first() {
            let what = "flows declared in `if` blocks";
            self.push(Diagnostic::unsupported(local.name.span, what));
            self.broken = true;
        }
        Outcome { definitions: self.part_of_block(node, &part.items), span: part.span }
    }

    /// The flows that some branch defines, with what the conditions choose; the last
    /// branch counts where none holds.
    fn chosen(
        &mut self,
        node: &Node,
        conditions: &[Option<ExprId>],
        outcomes: &[Outcome],
        span: Span,
    ) -> Definitions {
        let all: BTreeSet<StreamId> =
            outcomes.iter().flat_map(|outcome| outcome.definitions.streams()).collect();
        let mut found = Definitions::default();
        for stream in all {
            let defined = outcomes.iter().find_map(|o| o.definitions.get(stream).cloned());
            let Some(Definition::At(name, _)) = defined else {
                found.set(stream, Definition::Unreadable);
                continue;
            };
            let values: Vec<Option<ExprId>> =
                outcomes.iter().map(|o| self.value_in(node, o, stream, &name)).collect();
            let together = self.together_by(conditions, &values, stream, span);
            found.set(stream, Definition::At(name, together));
        }
        found
    }

    /// What a flow is in a branch; none if that has an error.
    fn value_in(
        &mut self,
        node: &Node,
        outcome: &Outcome,
        stream: StreamId,
        name: &ast::Ident,
    ) -> Option<ExprId> {
        match outcome.definitions.get(stream) {
            Some(Definition::At(_, expr)) => *expr,
            Some(Definition::Unreadable) => None,
            None => self.kept(stream).unwrap_or_else(|| {
                if self.scope.unread {
                    return None;
                }
                let flow = &node.stream(stream).name;
                let message = format!("`{flow}` is not defined in every branch");
                self.push(
                    Diagnostic::error(Code::Definition, outcome.span, message)
                        .label(format!("nothing defines `{flow}` here"))
                        .also(name.span, "defined here")
                        .help(format!(
                            "define it in all branches, or keep its value: \
                             `frame ({flow}) {flow} = …; let … tel` around the block"
                        )),
                );
                None
            }),
        }
    }

    fn together_by(
        &mut self,
        conditions: &[Option<ExprId>],
        values: &[Option<ExprId>],
        stream: StreamId,
        span: Span,
    ) -> Option<ExprId> {
        let ty = self.scope.types[stream.index()].clone()?;
        let (last, others) = values.split_last()?;
        let mut result = (*last)?;
        for (condition, value) in conditions.iter().zip(others).rev() {
            let kind = ExprKind::If((*condition)?, (*value)?, result);
            result = self.scope.exprs.push(kind, ty.clone(), span);
        }
        Some(result)
    }
}
