//! Clocks that follow from others when these are known: of calls in parts of blocks, of what
//! is held, and of calls that begin anew and what they do so by.
//!
//! Everything here is done in rounds, each of which looks at what was known before it, so
//! that the order of the equations does not matter.

use lustral_syntax::diagnostic::{Code, Diagnostic};

use super::unify::{ClockId, Known, Sampled};
use super::{Held, Inference};
use crate::program::{Call, ExprId};

impl<'a> Inference<'a> {
    /// Finds out what is left. A clock that nothing determines is that of the node, or of the
    /// part of a block.
    pub(super) fn late(&mut self) {
        self.in_parts();
        while self.hold() || self.bounded() || self.undetermined() {}
        for held in std::mem::take(&mut self.held) {
            self.not_sampled(&held);
        }
        self.resets();
    }

    /// A call in a part of a block that neither takes nor gives anything with a clock runs
    /// where the part does.
    fn in_parts(&mut self) {
        for (call, (arguments, _)) in self.node.calls.iter().zip(self.calls.clone()) {
            let Some(part) = call.part else { continue };
            if let Known::Nothing = self.clocks.find(arguments).1 {
                let steps = Known::On(self.streams[part.flow.index()], Sampled::Flow(part));
                let steps = self.clocks.add(steps);
                let _ = self.clocks.unify(arguments, steps);
            }
        }
    }

    /// What is held is on the clock from which the value was sampled. That clock may be
    /// known only after others are. Says whether anything was found out.
    fn hold(&mut self) -> bool {
        let mut left = Vec::new();
        let open = std::mem::take(&mut self.held);
        let before = open.len();
        for held in open {
            match self.clocks.find(held.value).1 {
                Known::On(parent, _) => {
                    if self.clocks.unify(held.result, parent).is_err() {
                        let message = "what is held is on another clock than its use".into();
                        let (result, span) = (held.result, held.span);
                        self.unexpected(message, (parent, span), (result, span));
                    }
                }
                Known::Base => self.not_sampled(&held),
                _ => left.push(held),
            }
        }
        self.held = left;
        self.held.len() < before
    }

    /// Calls that begin anew and have no clock of their own: the clock on which they run,
    /// and the reset. With a clock of their own, both are sampled by it.
    fn restarted(&self) -> Vec<(&'a Call, ClockId, ExprId)> {
        let node = self.node;
        let all = node.calls.iter().zip(&self.calls);
        all.filter(|(call, _)| call.clock.is_none())
            .filter_map(|(call, (clock, _))| Some((call, *clock, call.reset?)))
            .collect()
    }

    /// A call whose clock nothing else says runs at every step of its reset; if several bound
    /// the same clock, of the slowest one.
    fn bounded(&mut self) -> bool {
        let mut bounds: Vec<(ClockId, Vec<ClockId>)> = Vec::new();
        for (_, clock, reset) in self.restarted() {
            let (unknown, reset) = (self.clocks.find(clock), self.exprs[reset.index()]);
            if unknown.1 != Known::Nothing || self.clocks.unknown(reset).is_some() {
                continue;
            }
            match bounds.iter_mut().find(|(known, _)| *known == unknown.0) {
                Some((_, resets)) => resets.push(reset),
                None => bounds.push((unknown.0, vec![reset])),
            }
        }
        let mut found = false;
        for (unknown, resets) in bounds {
            let slowest = resets
                .iter()
                .find(|slow| resets.iter().all(|other| self.clocks.lies_in(**slow, *other)));
            if let Some(slowest) = slowest {
                found |= self.clocks.unify(unknown, *slowest).is_ok();
            }
        }
        found
    }

    /// A reset whose clock nothing determines is on the clock of the node, as all that has
    /// none, or of the part of a block in which it is written.
    fn undetermined(&mut self) -> bool {
        let mut found = Vec::new();
        for (call, _, reset) in self.restarted() {
            if let Some(unknown) = self.clocks.unknown(self.exprs[reset.index()]) {
                found.push((unknown, call.part));
                self.guessed.push(reset);
            }
        }
        // What is in a part comes first: a flow outside of it is sampled there, and known.
        found.sort_by_key(|(_, part)| part.is_none());
        for (unknown, part) in &found {
            let clock = match part {
                Some(part) => {
                    let steps = Known::On(self.streams[part.flow.index()], Sampled::Flow(*part));
                    self.clocks.add(steps)
                }
                None => self.base,
            };
            if self.clocks.unify(*unknown, clock).is_err() {
                let _ = self.clocks.unify(*unknown, self.base);
            }
        }
        !found.is_empty()
    }

    /// What a call begins anew by is on the clock of the call or on a faster one: there a
    /// reset counts also where the call does not run.
    fn resets(&mut self) {
        for (call, clock, reset) in self.restarted() {
            if let Some(unknown) = self.clocks.unknown(clock) {
                let _ = self.clocks.unify(unknown, self.base);
            }
            let found = self.exprs[reset.index()];
            let callee = &self.program.node(call.callee).name;
            if self.clocks.lies_in(clock, found) {
                // On which clock it is makes a difference, and nothing but a rule says so.
                if self.guessed.contains(&reset) && !self.clocks.lies_in(found, clock) {
                    let message = "nothing says on which clock this reset is".to_string();
                    let diagnostic =
                        Diagnostic::warning(Code::Clock, self.node.exprs[reset].span, message)
                            .label(format!("taken to be on {}", self.show(found)))
                            .also(call.span, format!("the call is on {}", self.show(clock)))
                            .help("declare the flow with its clock, or sample the reset");
                    self.warnings.push(diagnostic);
                }
                continue;
            }
            let message = format!("this is on another clock than the call of `{callee}`");
            let span = self.node.exprs[reset].span;
            let diagnostic = Diagnostic::error(Code::Clock, span, message)
                .label(format!("this is on {}", self.show(found)))
                .also(call.span, format!("the call is on {}", self.show(clock)))
                .note("a reset is on the clock of the call, or on one from which that is sampled")
                .help("make a flow of that clock of it with `when`, `merge` or `current`");
            self.found.push(diagnostic);
        }
    }

    fn not_sampled(&mut self, held: &Held) {
        let message = "only the value of a sampled flow can be held";
        self.found.push(
            Diagnostic::error(Code::Clock, held.span, message)
                .label("this has a value at every step of its node")
                .help("sample it with `when`, or leave out `current`"),
        );
    }
}
