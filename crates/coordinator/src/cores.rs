//! The search for inductive validity cores: what a proved property needs of the program.
//!
//! The first core is what the obligations of the proof at hand use. It is made minimal by
//! leaving out one element after the other and proving the property anew, by the engines, of
//! the system without it. All minimal ones are found as in MARCO (Liffiton et al., *Fast,
//! flexible MUS enumeration*, Constraints 2016; Ghassabani, Whalen and Gacek, *Efficient
//! generation of all minimal inductive validity cores*, FMCAD 2017), which finds the
//! minimal cut sets on the way. Every core and every cut set is checked by `certify`.

mod all;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lustral_base::Cancel;
use lustral_base::schedule::Moment;
use lustral_certify::{Answer, Checked, Core, CutSet, ProofChecker, Rejected, Unit, UnitElements};
use lustral_engines::CoreFinder;
use lustral_system::{Certificate, Proof, PropId, Trace};

use crate::event::Event;
use crate::options::Options;
use crate::run::{Job, Run};

/// How much of what a property needs is to be found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CoreWish {
    /// A core, found soon.
    One,
    /// One of which nothing can be left out.
    Minimal,
    /// All of which nothing can be left out, and all minimal cut sets.
    All,
}

/// What was found for a property.
#[derive(Clone, Debug)]
pub struct FoundCores {
    /// The property.
    pub property: PropId,
    /// The cores; at least one.
    pub cores: Vec<Checked<Core>>,
    /// The minimal cut sets, where all cores are asked for.
    pub cut_sets: Vec<Checked<CutSet>>,
    /// Whether nothing can be left out of any core: an execution shows that of each element.
    pub minimal: bool,
    /// Whether there are no other minimal cores, nor minimal cut sets.
    pub complete: bool,
}

/// A proof about a system without some elements, or an execution of it.
enum Tried {
    Proof(Certificate),
    Execution(Checked<CutSet>),
    Unknown,
}

/// The time for the first core.
const FIRST: Duration = Duration::from_secs(20);
/// The longest time for a proof without an element.
const LONGEST: Duration = Duration::from_secs(10);
/// The time for trying a known proof without an element.
const AGAIN: Duration = Duration::from_secs(1);

/// Looks for what the properties of a unit need.
pub struct CoreSearch {
    unit: Arc<Unit>,
    /// The elements of its nodes.
    pub elements: Arc<UnitElements>,
    options: Options,
    cancel: Cancel,
    /// The best that is known of the property that is looked at.
    so_far: Mutex<Option<FoundCores>>,
}

impl CoreSearch {
    /// For a unit in which nothing is cut.
    #[must_use]
    pub fn new(unit: Arc<Unit>, options: &Options, cancel: Cancel) -> CoreSearch {
        let elements = Arc::new(unit.elements());
        let options = Options { explain: false, ..options.clone() };
        CoreSearch { unit, elements, options, cancel, so_far: Mutex::default() }
    }

    /// What a property needs, from a proof that passed its check.
    ///
    /// # Errors
    /// If there is no core that passes its check, which is so when the time is up.
    pub fn find(&self, answer: &Checked<Answer>, wish: CoreWish) -> Result<FoundCores, Rejected> {
        let Answer::Valid(certificate) = answer.get() else {
            return Err(Rejected::Obligation("the property is not proved".into()));
        };
        let property = answer.property();
        *self.known() = None;
        let mut proofs = ProofChecker::new(&self.cancel)?;
        let first = self.first(&mut proofs, property, certificate)?;
        let mut found = FoundCores {
            property,
            minimal: first.get().elements.is_empty(),
            complete: first.get().elements.is_empty(),
            cores: vec![first],
            cut_sets: Vec::new(),
        };
        self.keep(&found);
        if wish > CoreWish::One && !found.minimal {
            let smaller = |core: &Checked<Core>| {
                self.keep(&FoundCores { cores: vec![core.clone()], ..found.clone() });
            };
            let (core, minimal) = self.minimal(&mut proofs, &found.cores[0], smaller);
            found.cores = vec![core];
            found.minimal = minimal;
            self.keep(&found);
        }
        if wish == CoreWish::All && !found.complete {
            self.all(&mut proofs, &mut found);
        }
        Ok(found)
    }

    /// The best that is known of the property that was looked at last, for whoever has waited
    /// long enough: a core that was found is not lost to the search for a smaller one.
    #[must_use]
    pub fn so_far(&self, property: PropId) -> Option<FoundCores> {
        self.known().clone().filter(|found| found.property == property)
    }

    fn keep(&self, found: &FoundCores) {
        *self.known() = Some(found.clone());
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Option<FoundCores>> {
        self.so_far.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the proof at hand uses; if that cannot be found, all of it.
    fn first(
        &self,
        proofs: &mut ProofChecker,
        property: PropId,
        certificate: &Certificate,
    ) -> Result<Checked<Core>, Rejected> {
        let all = vec![true; self.elements.list.len()];
        if let Some(used) = self.finder().used(property, certificate, &all, self.until(FIRST)) {
            match self.check(proofs, property, &used, certificate) {
                Err(rejected) => tracing::debug!(%rejected, "a core did not pass"),
                passed => return passed,
            }
        }
        self.check(proofs, property, &all, certificate)
    }

    /// A core of which nothing can be left out, within another; and whether that is known.
    /// Somebody is told of each smaller one.
    fn minimal(
        &self,
        proofs: &mut ProofChecker,
        from: &Checked<Core>,
        smaller: impl Fn(&Checked<Core>),
    ) -> (Checked<Core>, bool) {
        let mut core = from.clone();
        let mut is_minimal = true;
        for element in from.get().elements.iter().rev() {
            if self.cancel.is_cancelled() {
                return (core, false);
            }
            let mut kept = self.kept(&core.get().elements);
            if !std::mem::replace(&mut kept[*element], false) {
                continue;
            }
            match self.without(proofs, &core, &kept) {
                Ok(found) => {
                    smaller(&found);
                    core = found;
                }
                Err(is_needed) => is_minimal &= is_needed,
            }
        }
        (core, is_minimal)
    }

    /// A core with no more than what is kept.
    ///
    /// # Errors
    /// If none is found; whether there is none.
    fn without(
        &self,
        proofs: &mut ProofChecker,
        core: &Checked<Core>,
        kept: &[bool],
    ) -> Result<Checked<Core>, bool> {
        let property = core.property();
        let again = self.until(AGAIN);
        let used = self.finder().used(property, &core.get().certificate, kept, again);
        let known =
            used.and_then(|used| self.check(proofs, property, &used, &core.get().certificate).ok());
        if let Some(smaller) = known {
            return Ok(smaller);
        }
        match self.try_anew(property, kept) {
            Tried::Proof(certificate) => {
                self.of_proof(proofs, property, &certificate, kept).ok_or(false)
            }
            Tried::Execution(_) => Err(true),
            Tried::Unknown => Err(false),
        }
    }

    /// The core of a proof about what is kept.
    fn of_proof(
        &self,
        proofs: &mut ProofChecker,
        property: PropId,
        certificate: &Certificate,
        kept: &[bool],
    ) -> Option<Checked<Core>> {
        let used = self.finder().used(property, certificate, kept, self.until(FIRST));
        let passed = used.and_then(|used| self.check(proofs, property, &used, certificate).ok());
        passed.or_else(|| self.check(proofs, property, kept, certificate).ok())
    }

    /// Has the engines look at the system in which only some elements are left.
    fn try_anew(&self, property: PropId, kept: &[bool]) -> Tried {
        let mut system = self.elements.elements.only(&self.unit.system, kept);
        system.properties = vec![system.property(property).clone()];
        let properties = vec![self.unit.properties[property.index()].clone()];
        let conditions = Vec::new();
        let unit = Arc::new(Unit { system, properties, conditions, ..(*self.unit).clone() });
        let job = Job {
            unit,
            cut: None,
            partial: true,
            lemmas: Vec::new(),
            store: None,
            patience: Some(self.share(LONGEST)),
            cancel: self.cancel.child(),
        };
        for event in Run::start(job, &self.options) {
            match event {
                Event::Checked(result) => {
                    let answer = result.answer.ok();
                    return match answer.as_ref().map(|answer| answer.get()) {
                        Some(Answer::Valid(found)) => Tried::Proof(renamed(found, property)),
                        _ => Tried::Unknown,
                    };
                }
                Event::Execution(found) => return self.executed(property, kept, &found.trace),
                Event::Ended(_) | Event::Progress(_) => {}
                Event::Broken(_) => return Tried::Unknown,
            }
        }
        Tried::Unknown
    }

    fn executed(&self, property: PropId, kept: &[bool], trace: &Trace) -> Tried {
        let (system, elements) = (&self.unit.system, &self.elements.elements);
        match Checked::<CutSet>::check(system, elements, property, kept, trace) {
            Ok(found) => Tried::Execution(found),
            Err(rejected) => {
                tracing::warn!(%rejected, "an execution without some equations is none");
                Tried::Unknown
            }
        }
    }

    fn check(
        &self,
        proofs: &mut ProofChecker,
        property: PropId,
        kept: &[bool],
        certificate: &Certificate,
    ) -> Result<Checked<Core>, Rejected> {
        let elements = &self.elements.elements;
        proofs.check_core(&self.unit.system, elements, property, kept, certificate.clone())
    }

    fn finder(&self) -> CoreFinder<'_> {
        let (system, elements) = (&self.unit.system, &self.elements.elements);
        CoreFinder::new(system, elements, self.options.solver_options.clone(), self.cancel.clone())
    }

    /// By which elements are kept.
    fn kept(&self, some: &[usize]) -> Vec<bool> {
        let mut kept = vec![false; self.elements.list.len()];
        some.iter().for_each(|i| kept[*i] = true);
        kept
    }

    /// So much time, or a quarter of what is left.
    fn share(&self, time: Duration) -> Duration {
        let left = |deadline: std::time::Instant| {
            deadline.saturating_duration_since(std::time::Instant::now()) / 4
        };
        self.cancel.deadline().map_or(time, |deadline| left(deadline).min(time))
    }

    fn until(&self, time: Duration) -> Moment {
        Moment::now() + self.share(time)
    }
}

/// A proof about a system with one property, as one about that with all.
fn renamed(certificate: &Certificate, property: PropId) -> Certificate {
    let mut certificate = certificate.clone();
    if let Proof::Induction { properties, .. } = &mut certificate.proof {
        properties.iter_mut().for_each(|p| *p = property);
    }
    certificate
}
