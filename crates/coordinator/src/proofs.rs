//! What becomes of a proof before anybody sees it: it is made smaller, then it has to pass its check. So it
//! is with each that an engine finds ([`crate::checker`]), and with one that the caller has found already
//! ([`check_known`]).

use std::sync::Arc;
use std::time::Duration;

use lustral_base::Cancel;
use lustral_base::profile::working_for;
use lustral_certify::{Answer, Checked, CutSystem, Leave, ProofChecker, Rejected, Unit};
use lustral_engines::{Minimised, Minimiser};
use lustral_system::{Certificate, Dependencies, PropId};

use crate::certificates::Store;
use crate::checker::CheckResult;
use crate::options::Options;
use crate::within::caught;

/// The time for finding out what a proof rests on: the answer waits for it.
const PREMISES: Duration = Duration::from_millis(500);
/// The same for who wants an explanation.
const EXPLAINING: Duration = Duration::from_secs(5);

/// An answer, and what the parts of its proof need.
pub(crate) type Explained = (Checked<Answer>, Option<Dependencies>);

/// What proofs are about, and how they are looked at.
pub(crate) struct Proofs {
    pub unit: Arc<Unit>,
    /// If the unit's system is a cut one: what it was cut from.
    pub cut: Option<Arc<CutSystem>>,
    /// Whether equations were left out of it: what a proof rests on is found otherwise then.
    pub partial: bool,
    pub options: Options,
    pub cancel: Cancel,
}

/// What stays from one check to the next.
pub struct Tools {
    pub(crate) checker: Result<ProofChecker, Rejected>,
    /// Made for the first proof.
    minimiser: Option<Minimiser>,
}

impl Tools {
    /// For the checks of one system, with a checker if there is one.
    #[must_use]
    pub fn new(checker: Result<ProofChecker, Rejected>) -> Tools {
        Tools { checker, minimiser: None }
    }
}

impl Proofs {
    /// The smaller proof if it passes, else the one that was found.
    pub fn check(
        &self,
        tools: &mut Tools,
        property: PropId,
        certificate: Certificate,
    ) -> Result<Explained, Rejected> {
        let Tools { checker, minimiser } = tools;
        let checker = checker.as_mut().map_err(|rejected| rejected.clone())?;
        // In a large program most properties need no others, and that is soon seen.
        if self.options.minimise && !self.options.explain && certificate.parts() > 1 {
            let system = &self.unit.system;
            let is_alone = working_for("minimise", || checker.is_inductive_alone(system, property));
            let alone = || Certificate::alone(property);
            if is_alone && let Ok(answer) = self.accept(checker, property, alone()) {
                return Ok((answer, None));
            }
        }
        let mut dependencies = None;
        let minimised = self.minimised(minimiser, property, &certificate);
        if let Some(Minimised { smaller, dependencies: found }) = minimised {
            // An explanation of one proof is none of another.
            let found = self.options.explain.then_some(found);
            match smaller.map(|smaller| self.accept(checker, property, smaller)) {
                Some(Ok(answer)) => return Ok((answer, found)),
                Some(Err(rejected)) => {
                    tracing::warn!(%rejected, "a proof made smaller did not pass");
                }
                None => dependencies = found,
            }
        }
        Ok((self.accept(checker, property, certificate)?, dependencies))
    }

    /// A proof made smaller, if that is wanted.
    fn minimised(
        &self,
        minimiser: &mut Option<Minimiser>,
        property: PropId,
        certificate: &Certificate,
    ) -> Option<Minimised> {
        let Options { explain, solver_options, .. } = &self.options;
        let (system, cancel) = (&self.unit.system, self.cancel.clone());
        let new = || Minimiser::new(system, *explain, solver_options.clone(), cancel);
        let minimise = || minimiser.get_or_insert_with(new).minimise(property, certificate);
        self.options.minimise.then(|| working_for("minimise", minimise)).flatten()
    }

    fn accept(
        &self,
        proofs: &mut ProofChecker,
        property: PropId,
        certificate: Certificate,
    ) -> Result<Checked<Answer>, Rejected> {
        working_for("certify", || match &self.cut {
            None if self.partial => proofs.check(&self.unit.system, property, certificate),
            cut => {
                let stated = |i| self.unit.premise(i).is_some_and(|(_, a)| a.premise.is_stated());
                let time = if self.options.explain { EXPLAINING } else { PREMISES };
                let leave = Leave { out: &stated, time };
                let Unit { system, conditions, .. } = &*self.unit;
                let answer = match cut {
                    None => proofs.check_premises(system, property, certificate, &leave),
                    Some(cut) => proofs.check_cut(cut, property, certificate, &leave),
                };
                let condition = conditions.iter().find(|(of, _)| *of == property);
                let idle = condition.map(|(_, idle)| *idle);
                Ok(proofs.with_vacuity(system, idle, answer?))
            }
        })
    }
}

/// A proof of some properties of a cut system that the caller has found.
pub struct KnownProof {
    /// The system.
    pub cut: Arc<CutSystem>,
    /// The properties.
    pub properties: Vec<PropId>,
    /// The proof, of each of them.
    pub certificate: Certificate,
    /// Who found it.
    pub engine: &'static str,
    /// Writes certificates, if they are wanted.
    pub store: Option<Store>,
}

/// Checks a proof on this thread: what becomes of it for each of its properties.
#[must_use]
pub fn check_known(known: KnownProof, options: &Options, cancel: &Cancel) -> Vec<CheckResult> {
    let KnownProof { cut, properties, certificate, engine, store } = known;
    let unit = cut.unit().clone();
    let (options, cancel) = (options.clone(), cancel.clone());
    let proofs = Proofs { unit: unit.clone(), cut: Some(cut), partial: false, options, cancel };
    let mut tools = Tools::new(ProofChecker::new(&proofs.cancel));
    let mut one = |property: PropId| {
        let check = || proofs.check(&mut tools, property, certificate.clone());
        // A solver library can fail in ways that end in a panic.
        let checked = caught(check).unwrap_or_else(|_| {
            Err(Rejected::NoAnswer("all".into(), "the checker panicked".into()))
        });
        let (answer, dependencies) = match checked {
            Ok((answer, dependencies)) => (Ok(answer), dependencies),
            Err(rejected) => (Err(rejected), None),
        };
        let write = |answer| store.as_ref()?.write(&unit, answer);
        let certificate = answer.as_ref().ok().and_then(write);
        CheckResult { property, engine, answer, dependencies, first: false, certificate }
    };
    properties.into_iter().map(&mut one).collect()
}
