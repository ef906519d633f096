//! Contracts that proofs rest on and that nobody can keep: what was proved of them is true of no
//! program in which their nodes have bodies.

use std::time::{Duration, Instant};

use lustral_certify::{opened, wanted};
use lustral_coordinator::{Pace, Unit, within};
use lustral_realize::Options;
use lustral_report::{Outcome, StatementKind};
use lustral_smt::SolverOptions;

use super::Check;
use crate::event::Event;
use crate::realize::is_unrealizable;
use crate::remark::Remark;

/// The time for each contract.
const FOR_ONE: Duration = Duration::from_millis(500);

impl Check {
    /// Notes the nodes without a body on whose contracts a proof rests.
    pub(super) fn note_contracts(&mut self, event: &Event) {
        let Event::Verdict(verdict) = event else { return };
        let Outcome::Valid { rests_on: Some(rests_on), .. } = verdict.outcome() else { return };
        let known = rests_on.statements.iter().filter(|s| s.kind == StatementKind::Guarantee);
        self.relied.extend(known.map(|statement| statement.node.clone()));
    }

    /// Says which of them nobody can keep, as far as that is found out soon. By a clock that counts
    /// work it is not looked for: how far one gets in some time differs.
    pub(super) fn say_what_nobody_keeps(&mut self) {
        let Some(kernel) = self.kernel.take() else { return };
        if self.options.search.pace == Pace::Counted {
            return;
        }
        for name in std::mem::take(&mut self.relied) {
            let Some(id) = kernel.typed.node_named(&name) else { continue };
            let now = Instant::now();
            let left = self.work.cancel.deadline().map(|d| d.saturating_duration_since(now) / 4);
            let until = now + left.map_or(FOR_ONE, |left| left.min(FOR_ONE));
            let cancel = self.work.cancel.child_until(Some(until));
            let options = Options {
                solver: self.options.search.solver.clone(),
                solver_options: SolverOptions::default(),
                cancel: cancel.clone(),
            };
            let (kernel, wanted) = (kernel.clone(), wanted(kernel.typed.node(id)));
            let search = move || {
                let unit = Unit::new(&kernel, id, wanted).map(opened).ok()?;
                Some(is_unrealizable(&unit, &options))
            };
            if let Ok(Some(true)) = within(&cancel, search) {
                self.work.log.say(Remark::Unkeepable { node: name });
            }
        }
    }
}
