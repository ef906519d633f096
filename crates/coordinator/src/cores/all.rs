//! All minimal cores and all minimal cut sets: sets of elements are tried until each that
//! there is contains a known core or lies within what is known to be too little.
//!
//! A set that is tried is a largest one about which nothing is known. If the property holds
//! of it, there is a new minimal core inside. If it does not, the set is a largest one
//! of which it does not hold, because with any element more it contains a known core; so
//! what is missing in it is a minimal cut set.

use lustral_base::Cancel;
use lustral_certify::ProofChecker;
use lustral_smt::{Outcome, Session, Solver, SolverOptions, smtlib::Logic};
use lustral_system::PropId;
use lustral_term::{Sort, TermId, Terms, Value, VarId};

use super::{CoreSearch, FoundCores, Tried};

impl CoreSearch {
    /// Completes what was found, beginning with one core.
    pub(super) fn all(&self, proofs: &mut ProofChecker, found: &mut FoundCores) {
        let property = found.property;
        let relevant = self.relevant(property);
        let Some(mut map) = Map::new(relevant.clone(), &self.cancel) else { return };
        // What does not matter is always there: it is no part of a cut set.
        let around = |inside: &[usize]| {
            let mut kept = vec![true; self.elements.list.len()];
            relevant.iter().for_each(|i| kept[*i] = false);
            inside.iter().for_each(|i| kept[*i] = true);
            kept
        };
        let mut certain = found.minimal;
        map.not_around(&found.cores[0].get().elements);
        loop {
            let kept = match map.next() {
                Ok(Some(inside)) => around(&inside),
                Ok(None) => break,
                Err(NoMore) => {
                    certain = false;
                    break;
                }
            };
            if self.cancel.is_cancelled() {
                certain = false;
                break;
            }
            match self.try_anew(property, &kept) {
                Tried::Proof(certificate) => {
                    let Some(core) = self.of_proof(proofs, property, &certificate, &kept) else {
                        certain = false;
                        map.not_within(&kept);
                        continue;
                    };
                    let (core, minimal) = self.minimal(proofs, &core, |_| ());
                    certain &= minimal;
                    found.minimal &= minimal;
                    map.not_around(&core.get().elements);
                    found.cores.push(core);
                    self.keep(found);
                }
                Tried::Execution(cut) => {
                    map.not_within(&kept);
                    found.cut_sets.push(cut);
                    self.keep(found);
                }
                Tried::Unknown => {
                    certain = false;
                    map.not_within(&kept);
                }
            }
        }
        found.complete = certain;
        found.cores.sort_by_key(|core| core.get().elements.len());
        found.cut_sets.sort_by_key(|cut| cut.get().elements.len());
    }

    /// The elements that a property or what is always there can depend on: no minimal core
    /// has others.
    fn relevant(&self, property: PropId) -> Vec<usize> {
        let (system, elements) = (&self.unit.system, &self.elements.elements);
        let mut roots = system.terms.variables([system.property(property).term]);
        roots.extend(system.terms.variables(system.constraints.iter().map(|c| c.term)));
        let cone = system.cone_of(roots);
        let mut inside = vec![false; elements.count];
        for (_, owners) in elements.variables.iter().filter(|(var, _)| cone[var.index()]) {
            owners.iter().for_each(|owner| inside[*owner] = true);
        }
        elements.constraints.iter().for_each(|(_, owner)| inside[*owner] = true);
        (0..elements.count).filter(|i| inside[*i]).collect()
    }
}

/// What is known of sets of elements, as clauses.
struct Map {
    /// The elements.
    elements: Vec<usize>,
    session: Box<dyn Session>,
    terms: Terms,
    /// A literal for each element: it is in the set.
    inside: Vec<TermId>,
    /// The known cores, by positions in the list.
    cores: Vec<Vec<usize>>,
}

/// The solver gives no answer.
struct NoMore;

impl Map {
    fn new(elements: Vec<usize>, cancel: &Cancel) -> Option<Map> {
        let options = SolverOptions::default();
        let session =
            lustral_smt::open_session(&Solver::BuiltIn, Logic::default(), &options, cancel).ok()?;
        let mut terms = Terms::new();
        let literal = |i: usize| terms.variable(VarId(i as u32), Sort::Bool);
        let inside = (0..elements.len()).map(literal).collect();
        Some(Map { elements, session, terms, inside, cores: Vec::new() })
    }

    /// A largest set that is around no core and within nothing that is too little.
    fn next(&mut self) -> Result<Option<Vec<usize>>, NoMore> {
        match self.session.check(&self.terms, &[]) {
            Outcome::Sat => {}
            Outcome::Unsat => return Ok(None),
            Outcome::Unknown(_) => return Err(NoMore),
        }
        let mut kept = Vec::with_capacity(self.inside.len());
        for literal in &self.inside {
            let value = self.session.value(&self.terms, *literal).map_err(|_| NoMore)?;
            kept.push(value == Value::Bool(true));
        }
        // Clauses of the other kind only ask for more.
        for i in 0..kept.len() {
            let around = |core: &Vec<usize>| core.iter().all(|j| *j == i || kept[*j]);
            if !kept[i] && !self.cores.iter().any(around) {
                kept[i] = true;
            }
        }
        Ok(Some((0..kept.len()).filter(|i| kept[*i]).map(|i| self.elements[i]).collect()))
    }

    fn not_around(&mut self, core: &[usize]) {
        let position = |element: &usize| self.elements.iter().position(|e| e == element);
        let core: Vec<usize> = core.iter().filter_map(position).collect();
        let out: Vec<TermId> = core.iter().map(|i| self.terms.not(self.inside[*i])).collect();
        let clause = self.terms.or(out);
        self.session.assert(&self.terms, clause);
        self.cores.push(core);
    }

    fn not_within(&mut self, kept: &[bool]) {
        let outside = self.elements.iter().zip(&self.inside).filter(|(e, _)| !kept[**e]);
        let clause: Vec<TermId> = outside.map(|(_, literal)| *literal).collect();
        let clause = self.terms.or(clause);
        self.session.assert(&self.terms, clause);
    }
}
