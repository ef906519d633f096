//! Automata. At each step a flow says which state runs, and another whether it
//! begins anew; the equations of a state are a part that takes a step where it runs.
//!
//! From the state that is remembered, strong transitions choose the one that runs now;
//! from that, weak ones choose the state that is remembered:
//!
//! ```text
//! before = first fby next;                     restarts = false fby restart_next;
//! now = merge before (A -> if c then B else A) …
//! next = merge now (A -> if d then C else A) …
//! ```
//!
//! The conditions of strong transitions of a state are evaluated where it is remembered, and
//! begin anew with what is remembered of the transition that led to it; those of
//! weak ones belong to the state. (In Vélus a strong transition is remembered as well.)

use std::sync::Arc;

use lustral_syntax::Span;
use lustral_syntax::ast::{self, Transition};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use lustral_syntax::dialect::Dialect;

use super::environment::Environment;
use super::equations::Definitions;
use super::{Resolver, duplicate, similar};
use crate::program::{
    Condition, EnumId, Enumeration, ExprId, ExprKind, Meaning, Node, Program, StreamId,
};
use crate::types::Type;

/// Gives each automaton of a node the enumeration of its states. Their names are known inside
/// of it only.
pub(super) fn declare_states(
    env: &mut Environment,
    program: &mut Program,
    node: &ast::NodeDeclaration,
) {
    let mut pending: Vec<&ast::Item> = node.items.iter().rev().collect();
    while let Some(item) = pending.pop() {
        let ast::Item::Block(block) = item else { continue };
        if let ast::BlockKind::Automaton(automaton) = &block.kind {
            let id = EnumId(program.enums.len() as u32);
            let name = automaton.name.as_ref().map_or("automaton", |name| &name.name);
            program.enums.push(Enumeration {
                name: format!("{}.{name}", node.name.name).into(),
                values: automaton.states.iter().map(|state| state.name.name.clone()).collect(),
                value_spans: automaton.states.iter().map(|state| state.name.span).collect(),
                constructors: false,
            });
            program.enums.push(Enumeration {
                name: format!("{}.{name} transitions", node.name.name).into(),
                value_spans: std::iter::once(block.span)
                    .chain(transitions(automaton).map(|(_, t)| t.span))
                    .collect(),
                values: transition_names(automaton),
                constructors: false,
            });
            let name = node.name.name.clone();
            env.automata.entry(block.span).or_default().push((name, id));
        }
        let parts = block.kind.parts();
        pending.extend(parts.into_iter().flat_map(|(_, items)| items).rev());
    }
}

/// All transitions of an automaton, in the order of the text, each with its state.
fn transitions(automaton: &ast::Automaton) -> impl Iterator<Item = (&ast::State, &Transition)> {
    automaton.states.iter().flat_map(|state| state.transitions.iter().map(move |t| (state, t)))
}

/// How reports call what is taken at a step: nothing, or one of the transitions. Without
/// blanks, which some formats have no place for.
fn transition_names(automaton: &ast::Automaton) -> Vec<Arc<str>> {
    let mut names: Vec<Arc<str>> = vec!["-".into()];
    for (state, transition) in transitions(automaton) {
        let history = if transition.history { ":continue" } else { "" };
        let plain = format!("{}->{}{history}", state.name.name, transition.target.name);
        let mut name = plain.clone();
        for number in 2.. {
            if names.iter().all(|known| **known != *name) {
                break;
            }
            name = format!("{plain}:{number}");
        }
        names.push(name.into());
    }
    names
}

/// The flows that say what an automaton does.
struct Flows {
    states: EnumId,
    /// Which transition is taken, if any.
    taken: EnumId,
    /// The state that runs now, and whether it begins anew.
    now: StreamId,
    restarts: Option<StreamId>,
    /// The state that is remembered, and whether what belongs to it begins anew.
    before: StreamId,
    remembered: Option<StreamId>,
}

/// What transitions of a state choose; none where one of them has an error.
#[derive(Default)]
struct Chosen {
    states: Vec<Option<ExprId>>,
    resets: Vec<Option<ExprId>>,
    taken: Vec<Option<ExprId>>,
}

/// The same of one state: where to, whether it begins anew, by which transition.
type Choice = [Option<ExprId>; 3];

impl Chosen {
    fn push(&mut self, [to, reset, taken]: Choice) {
        self.states.push(to);
        self.resets.push(reset);
        self.taken.push(taken);
    }
}

impl Resolver<'_> {
    /// The enumeration of the states of an automaton of a node, the name of which begins with that of
    /// its declaration.
    fn states_at(&self, node: &Node, span: Span) -> Option<EnumId> {
        let all = self.env.automata.get(&span)?;
        let own = all.iter().find(|(name, _)| node.name.starts_with(&**name));
        own.or(all.last()).map(|(_, id)| *id)
    }

    pub(super) fn automaton(
        &mut self,
        node: &mut Node,
        automaton: &ast::Automaton,
        span: Span,
    ) -> Definitions {
        let Some(states) = self.states_at(node, span) else { return Definitions::default() };
        let all = || automaton.states.iter().flat_map(|state| &state.transitions);
        let strong = all().any(|t| t.strong);
        let weak = all().any(|t| !t.strong);
        let resets = all().any(|t| !t.history);
        let velus = self.ast.reading().dialect == Dialect::Velus;
        let (name, place) = match &automaton.name {
            Some(name) => (name.name.to_string(), name.span),
            None => ("automaton".to_string(), Span { end: span.start + 9, ..span }),
        };
        for (i, state) in automaton.states.iter().enumerate() {
            let before = automaton.states[..i].iter().find(|s| s.name.name == state.name.name);
            if let Some(first) = before {
                let name = &state.name;
                self.push(duplicate("state", &name.name, name.span, first.name.span));
            }
        }
        let ty = Type::Enum(states);
        let now = self.hidden_flow(node, (&name, place), ty.clone());
        // In which state it is, is for readers.
        node.streams[now.index()].hidden = false;
        let mut flow = |this: &mut Self, what: &str, ty: Type, needed: bool| {
            needed.then(|| this.hidden_flow(node, (&format!("{name} {what}"), place), ty))
        };
        let before = flow(self, "before", ty.clone(), strong).unwrap_or(now);
        let restarts = flow(self, "restarts", Type::Bool, resets);
        let kept = resets && (weak || velus);
        let remembered =
            if strong { flow(self, "restarts before", Type::Bool, kept) } else { restarts };
        // Declared behind the states.
        let taken = EnumId(states.0 + 1);
        let flows = Flows { states, taken, now, restarts, before, remembered };
        let first = self.first_state(automaton, states, span);
        if strong {
            let chosen = self.strong(node, automaton, &flows, velus);
            self.define_choice(node, &flows, chosen, place);
        }
        let (definitions, chosen) = self.states(node, automaton, &flows, span);
        self.returned(("state", "automaton"), &automaton.returns, &definitions);
        let next = self.next(node, &flows, chosen, weak, place);
        self.remember(node, &flows, first, next, velus && strong);
        if let Some(restarts) = flows.restarts {
            node.resets.push((flows.now, restarts));
        }
        if let Some(remembered) = flows.remembered.filter(|_| strong) {
            node.resets.push((flows.before, remembered));
        }
        definitions
    }

    /// What an automaton or a block says at its end that it defines, it defines.
    pub(super) fn returned(
        &mut self,
        (part, whole): (&str, &str),
        returns: &[ast::Ident],
        definitions: &Definitions,
    ) {
        for name in returns {
            let Some(&stream) = self.scope.streams.get(&name.name) else {
                self.undeclared_flow(name);
                continue;
            };
            self.mention(name.span, Meaning::Stream(stream));
            if definitions.get(stream).is_none() && !self.scope.unread {
                let message = format!("no {part} of the {whole} defines `{}`", name.name);
                self.push(Diagnostic::error(Code::Definition, name.span, message));
            }
        }
    }

    /// The state to begin with.
    fn first_state(
        &mut self,
        automaton: &ast::Automaton,
        states: EnumId,
        span: Span,
    ) -> Option<ExprId> {
        let ty = Type::Enum(states);
        if let Some(((_, last), others)) = automaton.initially.split_last() {
            let mut first = self.state_named(automaton, states, last);
            for (condition, state) in others.iter().rev() {
                let state = self.state_named(automaton, states, state);
                let condition = condition.and_then(|c| self.boolean(c, "a condition"));
                first = match (condition, state, first) {
                    (Some(c), Some(state), Some(rest)) => {
                        let kind = ExprKind::If(c, state, rest);
                        Some(self.scope.exprs.push(kind, ty.clone(), span))
                    }
                    _ => None,
                };
            }
            return first;
        }
        let mut marked = (0..).zip(&automaton.states).filter(|(_, state)| state.initial);
        let first = marked.next().map_or(0, |(i, _)| i);
        if let Some((_, second)) = marked.next() {
            let message = "an automaton begins in one state, and two are marked";
            self.push(Diagnostic::error(Code::Duplicate, second.name.span, message));
        }
        Some(self.scope.exprs.push(ExprKind::Enum(states, first), ty, span))
    }

    /// The state that a name means.
    fn state_named(
        &mut self,
        automaton: &ast::Automaton,
        states: EnumId,
        name: &ast::Ident,
    ) -> Option<ExprId> {
        let names = automaton.states.iter().map(|state| &state.name.name);
        let Some(position) = names.clone().position(|other| *other == name.name) else {
            // It may be one that could not be read.
            if self.scope.unread || name.is_missing() {
                return None;
            }
            let message = format!("the automaton has no state `{}`", name.name);
            let diagnostic = Diagnostic::error(Code::Undeclared, name.span, message);
            let meant = similar(&name.name, names.map(|name| &**name));
            self.push(match meant {
                Some(meant) => diagnostic.help(format!("is `{meant}` meant?")),
                None => diagnostic,
            });
            return None;
        };
        let position = position as u32;
        self.mention(name.span, Meaning::Value(states, position));
        let kind = ExprKind::Enum(states, position);
        Some(self.scope.exprs.push(kind, Type::Enum(states), name.span))
    }

    /// What the strong transitions of all states choose.
    fn strong(
        &mut self,
        node: &mut Node,
        automaton: &ast::Automaton,
        flows: &Flows,
        velus: bool,
    ) -> Chosen {
        let mut chosen = Chosen::default();
        for (value, state) in (0..).zip(&automaton.states) {
            let condition = Condition { flow: flows.before, value };
            chosen.push(self.inside(condition, |this| {
                // Where none is taken, what is remembered of the last one counts.
                let stays = match flows.remembered.filter(|_| !velus) {
                    Some(remembered) => this.flow_here(node, remembered),
                    None => this.flag(false, state.name.span),
                };
                this.transitions(automaton, flows, (value, true), stays)
            }));
        }
        chosen
    }

    fn define_choice(&mut self, node: &mut Node, flows: &Flows, chosen: Chosen, span: Span) {
        let ty = Type::Enum(flows.states);
        self.mark_transitions(node, flows, (flows.before, "unless"), &chosen, span);
        let [to, resets] = self.merged_choice(node, flows.before, chosen, ty, span);
        node.streams[flows.now.index()].definition = to;
        if let Some(restarts) = flows.restarts {
            node.streams[restarts.index()].definition = resets;
        }
    }

    fn merged_choice(
        &mut self,
        node: &Node,
        by: StreamId,
        chosen: Chosen,
        ty: Type,
        span: Span,
    ) -> [Option<ExprId>; 2] {
        let to: Option<Vec<ExprId>> = chosen.states.into_iter().collect();
        let resets: Option<Vec<ExprId>> = chosen.resets.into_iter().collect();
        [
            to.map(|to| self.merge_values(node, by, to, (ty, span))),
            resets.map(|resets| self.merge_values(node, by, resets, (Type::Bool, span))),
        ]
    }

    /// The equations of all states, and what their weak transitions choose.
    fn states(
        &mut self,
        node: &mut Node,
        automaton: &ast::Automaton,
        flows: &Flows,
        span: Span,
    ) -> (Definitions, Chosen) {
        let mut chosen = Chosen::default();
        let mut parts = Vec::new();
        for (value, state) in (0..).zip(&automaton.states) {
            let condition = Condition { flow: flows.now, value };
            let (part, choice) = self.inside(condition, |this| {
                let locals = &state.part.locals;
                let hidden = this.declare_locals(node, locals, &state.name.name);
                // Weak transitions know what the body knows.
                let remembered = this.last_values(node, &state.part.items);
                let mut part = this.items_inside(node, &state.part.items);
                let stays = this.flag(false, state.name.span);
                let choice = this.transitions(automaton, flows, (value, false), stays);
                this.forget_last_values(remembered);
                this.leave_locals(node, hidden, &mut part);
                (part, choice)
            });
            chosen.push(choice);
            parts.push((part, state.name.span));
        }
        (self.merged_parts(node, flows.now, parts, span), chosen)
    }

    /// The state that is remembered, and whether it begins anew.
    fn next(
        &mut self,
        node: &mut Node,
        flows: &Flows,
        chosen: Chosen,
        weak: bool,
        span: Span,
    ) -> [Option<ExprId>; 2] {
        if !weak {
            let now = self.flow_here(node, flows.now);
            return [Some(now), Some(self.flag(false, span))];
        }
        self.mark_transitions(node, flows, (flows.now, "until"), &chosen, span);
        self.merged_choice(node, flows.now, chosen, Type::Enum(flows.states), span)
    }

    /// A flow for readers, which nothing depends on: the transition that is taken at each step.
    /// Reports find it by its name (`lustral_system::Stream::transitions_of`).
    fn mark_transitions(
        &mut self,
        node: &mut Node,
        flows: &Flows,
        (by, word): (StreamId, &str),
        chosen: &Chosen,
        span: Span,
    ) {
        let Some(taken) = chosen.taken.iter().copied().collect::<Option<Vec<ExprId>>>() else {
            return;
        };
        let (ty, name) = (Type::Enum(flows.taken), node.stream(flows.now).name.clone());
        let flow = self.hidden_flow(node, (&format!("{name} {word}"), span), ty.clone());
        let value = self.merge_values(node, by, taken, (ty, span));
        node.streams[flow.index()].definition = Some(value);
    }

    fn remember(
        &mut self,
        node: &mut Node,
        flows: &Flows,
        first: Option<ExprId>,
        [next, mut reset]: [Option<ExprId>; 2],
        strong_too: bool,
    ) {
        let span = node.stream(flows.before).span;
        if let (Some(first), Some(next)) = (first, next) {
            let ty = Type::Enum(flows.states);
            let kind = ExprKind::Fby(first, next);
            let before = self.scope.exprs.push(kind, ty, span);
            node.streams[flows.before.index()].definition = Some(before);
        }
        if strong_too {
            reset = flows.restarts.map(|restarts| self.flow_here(node, restarts));
        }
        if let (Some(remembered), Some(reset)) = (flows.remembered, reset) {
            let no = self.flag(false, span);
            let kind = ExprKind::Fby(no, reset);
            let before = self.scope.exprs.push(kind, Type::Bool, span);
            node.streams[remembered.index()].definition = Some(before);
        }
    }

    /// What the strong or the weak transitions of a state choose: the first that can be
    /// taken. All are none where one of them has an error.
    fn transitions(
        &mut self,
        automaton: &ast::Automaton,
        flows: &Flows,
        (from, strong): (u32, bool),
        stays: ExprId,
    ) -> Choice {
        let state = &automaton.states[from as usize];
        let before: usize =
            automaton.states[..from as usize].iter().map(|s| s.transitions.len()).sum();
        // In the enumeration of transitions, 0 is none.
        let taken: Vec<(u32, &Transition)> = (before as u32 + 1..)
            .zip(&state.transitions)
            .filter(|(_, transition)| transition.strong == strong)
            .collect();
        let conditions: Vec<Option<ExprId>> = taken
            .iter()
            .map(|(_, t)| self.boolean(t.condition, "the condition of a transition"))
            .collect();
        let (ty, marks) = (Type::Enum(flows.states), Type::Enum(flows.taken));
        let here = ExprKind::Enum(flows.states, from);
        let none = ExprKind::Enum(flows.taken, 0);
        let mut to = Some(self.scope.exprs.push(here, ty.clone(), state.name.span));
        let mut mark = Some(self.scope.exprs.push(none, marks.clone(), state.name.span));
        let mut reset = Some(stays);
        for ((number, transition), condition) in taken.into_iter().zip(conditions).rev() {
            let target = self.state_named(automaton, flows.states, &transition.target);
            let anew = self.flag(!transition.history, transition.span);
            let this = ExprKind::Enum(flows.taken, number);
            let this = self.scope.exprs.push(this, marks.clone(), transition.span);
            let mut choose = |then: Option<ExprId>, rest: Option<ExprId>, ty: Type| {
                let kind = ExprKind::If(condition?, then?, rest?);
                Some(self.scope.exprs.push(kind, ty, transition.span))
            };
            to = choose(target, to, ty.clone());
            reset = choose(Some(anew), reset, Type::Bool);
            mark = choose(Some(this), mark, marks.clone());
        }
        [to, reset, mark]
    }

    fn flag(&mut self, value: bool, span: Span) -> ExprId {
        self.scope.exprs.push(ExprKind::Bool(value), Type::Bool, span)
    }
}
