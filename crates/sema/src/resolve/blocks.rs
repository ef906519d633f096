//! Blocks that choose between equations: all branches take a step at every step,
//! and at each the values of one are those of the flows.

use std::collections::BTreeSet;

use lustral_syntax::Span;
use lustral_syntax::ast::{self, BlockKind, Item};
use lustral_syntax::diagnostic::{Code, Diagnostic};

use super::Resolver;
use super::equations::{Definition, Definitions};
use super::scope::ScopeKind;
use crate::program::{ExprId, ExprKind, Node, StreamId};

impl Resolver<'_> {
    pub(super) fn block(
        &mut self,
        node: &mut Node,
        definitions: &mut Definitions,
        block: &ast::Block,
    ) {
        let span = block.span;
        let inside = match &block.kind {
            BlockKind::Conditional(choice) if !choice.lazy => {
                self.conditional_block(node, choice, span)
            }
            BlockKind::Frame(frame) => self.frame(node, frame, span),
            // What is chosen has no memory: only what begins anew needs one.
            BlockKind::Automaton(_) | BlockKind::Reset(..)
                if self.scope.kind == ScopeKind::Function =>
            {
                let what = format!("{} in functions", block.kind.describe());
                self.push(Diagnostic::unsupported(span, &what));
                self.perhaps_inside(block)
            }
            BlockKind::Conditional(choice) => {
                let found = self.lazy_choice(node, choice, span);
                self.returned(("branch", "block"), &choice.returns, &found);
                found
            }
            BlockKind::Switch(switch) => match self.switch(node, switch, span) {
                Some(found) => {
                    self.returned(("branch", "block"), &switch.returns, &found);
                    found
                }
                None => self.perhaps_inside(block),
            },
            BlockKind::Automaton(automaton) => self.automaton(node, automaton, span),
            BlockKind::Reset(items, every) => self.reset(node, (items, *every), span),
            BlockKind::Local(part) => self.lazy_part(node, part),
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
                    self.inner_block(node, &mut definitions, block);
                    continue;
                }
                Item::Main(_) => {
                    node.is_main = true;
                    continue;
                }
                Item::Assert(_, span) => (*span, "assertions in blocks"),
                Item::Property(property) => (property.span, "properties in blocks"),
                Item::Candidate(_, _, span) => (*span, "candidates in blocks"),
                Item::Contract(contract) => (contract.span, "contracts in blocks"),
                Item::Last(_, _, span) => (*span, "last values in branches of `if`"),
                Item::Realizable(_, span) => (*span, "realizability questions in blocks"),
            };
            let help = "write it outside of the block, with what the block defines";
            self.push(Diagnostic::unsupported(span, what).help(help));
        }
        definitions
    }

    /// A block that stands in another.
    pub(super) fn inner_block(
        &mut self,
        node: &mut Node,
        definitions: &mut Definitions,
        block: &ast::Block,
    ) {
        if !matches!(block.kind, BlockKind::Frame(_)) {
            return self.block(node, definitions, block);
        }
        let message = "a frame cannot stand in another block";
        self.push(Diagnostic::error(Code::Definition, block.span, message));
        let inside = self.perhaps_inside(block);
        inside.streams().for_each(|s| definitions.set(s, Definition::Unreadable));
    }

    /// `if c then … elsif d then … else … fi`: each condition has one value for all
    /// flows.
    fn conditional_block(
        &mut self,
        node: &mut Node,
        choice: &ast::Conditional,
        span: Span,
    ) -> Definitions {
        let mut conditions = Vec::new();
        let mut outcomes = Vec::new();
        for branch in &choice.branches {
            conditions.push(self.boolean(branch.condition, "the condition of `if`"));
            outcomes.push(self.outcome(node, &branch.part));
        }
        outcomes.push(match &choice.otherwise {
            Some(part) => self.outcome(node, part),
            None => (Definitions::default(), span),
        });
        self.selected_outcomes(node, &conditions, &outcomes, span)
    }

    fn outcome(&mut self, node: &mut Node, part: &ast::Part) -> (Definitions, Span) {
        if let Some(local) = part.locals.first() {
            let what = "flows declared in `if` blocks";
            self.push(Diagnostic::unsupported(local.name.span, what));
            self.broken = true;
        }
        (self.part_of_block(node, &part.items), part.span)
    }

    /// The flows that some branch defines, with what the conditions choose; the last
    /// branch counts where none holds.
    fn selected_outcomes(
        &mut self,
        node: &Node,
        conditions: &[Option<ExprId>],
        outcomes: &[(Definitions, Span)],
        span: Span,
    ) -> Definitions {
        let all: BTreeSet<StreamId> =
            outcomes.iter().flat_map(|(part, _)| part.streams()).collect();
        let mut found = Definitions::default();
        for stream in all {
            let defined = outcomes.iter().find_map(|o| o.0.get(stream).cloned());
            let Some(Definition::At(name, _)) = defined else {
                found.set(stream, Definition::Unreadable);
                continue;
            };
            let values: Vec<Option<ExprId>> =
                outcomes.iter().map(|o| self.value_in(node, (&o.0, o.1), stream, &name)).collect();
            let together = self.together_by(conditions, &values, stream, span);
            found.set(stream, Definition::At(name, together));
        }
        found
    }

    /// What a flow is in a branch; none if that has an error.
    pub(super) fn value_in(
        &mut self,
        node: &Node,
        (part, span): (&Definitions, Span),
        stream: StreamId,
        name: &ast::Ident,
    ) -> Option<ExprId> {
        match part.get(stream) {
            Some(Definition::At(_, expr)) => *expr,
            Some(Definition::Unreadable) => None,
            None => self.kept(stream).unwrap_or_else(|| {
                let untyped = self.scope.types[stream.index()].is_none();
                if self.scope.unread || self.scope.hides_flows || untyped {
                    return None;
                }
                let flow = &node.stream(stream).name;
                let message = format!("`{flow}` is not defined in every branch");
                self.push(
                    Diagnostic::error(Code::Definition, span, message)
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
