//! Primal-dual Houdini as the only engine, for all sizes (`--engine pdh` without `--size`).

use std::collections::BTreeSet;

use lustral_base::profile::measured;
use lustral_coordinator::{Broken, within};
use lustral_engines::{EngineChoice, Pdh};
use lustral_first_order::Formula;
use lustral_orbits::{PrimalDual, primal_dual};
use lustral_quantified::{Invariant, Limits, Prover};
use lustral_system::Reason;

use super::all_sizes::QUERY;
use super::{CheckProtocol, Looking, Stage};

impl CheckProtocol {
    /// Whether it is the only engine that was asked for.
    pub(super) fn only_primal_dual(&self) -> bool {
        let chosen = &self.options.search.engines;
        chosen.iter().copied().map(EngineChoice::name).eq([Pdh::NAME])
    }

    /// Searches for each property in turn.
    pub(super) fn primal_dual(&mut self, mut looking: Box<Looking>) -> Option<Stage> {
        for property in looking.open.clone() {
            if !looking.open.contains(&property) {
                continue;
            }
            let limits = Limits { query: QUERY, cancel: self.work.cancel.clone() };
            let (protocol, first) = (looking.protocol.clone(), looking.first.clone());
            let search = move || primal_dual(&protocol, property, &first, &limits);
            let found = measured("primal-dual", || within(&self.work.cancel, search));
            let reason = match found {
                Err(why) => return self.stopped(&looking, Broken { stage: "pdh", why }),
                Ok(PrimalDual::Provable(facts) | PrimalDual::Safe(facts)) => {
                    self.shown(&mut looking, property, facts)
                }
                Ok(PrimalDual::Unsafe(execution)) => {
                    self.refute(&mut looking, &execution).err().map(Reason::CheckFailed)
                }
                Ok(PrimalDual::Unprovable(states)) => Some(inconclusive(
                    "unprovable",
                    format!(
                        "not provable by steps of width 1, whether it holds or not: it fails in one of {states} \
                         states that no such proof excludes"
                    ),
                )),
                Ok(PrimalDual::Unknown) => Some(inconclusive(
                    "undecided",
                    "whether an induction step holds is not known".into(),
                )),
                Ok(PrimalDual::Stopped) => match self.work.cancel.cause() {
                    Some(cause) => return self.give_up(&looking, &cause.into()),
                    None => Some(inconclusive("undecided", "a solver is gone".into())),
                },
            };
            if let Some(reason) = reason {
                self.leave(&mut looking, property, &reason);
            }
        }
        None
    }

    /// Has what was found shown again; why it is not, if so.
    fn shown(
        &mut self,
        looking: &mut Looking,
        property: usize,
        facts: Vec<Formula>,
    ) -> Option<Reason> {
        let limits = Limits { query: QUERY, cancel: self.work.cancel.clone() };
        let protocol = looking.protocol.clone();
        let mut prover = std::mem::replace(&mut looking.prover, Prover::new(&self.solvers()));
        let prove = move || {
            let proof = prover.prove(&protocol, property, &Invariant::new(facts), &limits);
            (prover, proof)
        };
        match within(&self.work.cancel, prove) {
            Err(_) => Some(Reason::CheckFailed("the check was stopped".into())),
            Ok((prover, proof)) => {
                looking.prover = prover;
                match proof {
                    Ok(proved) => {
                        self.proved(looking, &proved);
                        None
                    }
                    Err(why) => Some(Reason::CheckFailed(why.to_string())),
                }
            }
        }
    }

    /// One property has no answer.
    fn leave(&mut self, looking: &mut Looking, property: usize, reason: &Reason) {
        let others = std::mem::replace(&mut looking.open, BTreeSet::from([property]));
        let _ = self.give_up(looking, reason);
        looking.open = others;
        looking.open.remove(&property);
    }
}

fn inconclusive(code: &'static str, text: String) -> Reason {
    Reason::Inconclusive { engine: Pdh::NAME.into(), code: code.into(), text }
}
