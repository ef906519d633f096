//! Who shows obligations: a solver that has been told nothing else. Trusted.

use std::time::Duration;

use lustral_base::Cancel;
use lustral_first_order::Formula;
use lustral_protocol::Protocol;
use lustral_smt::{NoAnswer, Outcome, Solver, SolverOptions, open_dialogue};
use rustc_hash::FxHashSet;

use crate::obligations::{Invariant, Obligation, obligations};

/// How long solvers may take, and what stops them.
#[derive(Clone)]
pub struct Limits {
    /// For each question.
    pub query: Duration,
    /// Stops all.
    pub cancel: Cancel,
}

/// That a property holds of every state that can be reached, at every size. Only
/// [`Prover::prove`] makes one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proved {
    property: usize,
    facts: Vec<Formula>,
    obligations: Vec<Obligation>,
    solvers: Vec<String>,
}

impl Proved {
    /// The number of the property among the safety properties.
    #[must_use]
    pub fn property(&self) -> usize {
        self.property
    }

    /// The inductive invariant, as a conjunction.
    #[must_use]
    pub fn facts(&self) -> &[Formula] {
        &self.facts
    }

    /// What was shown.
    #[must_use]
    pub fn obligations(&self) -> &[Obligation] {
        &self.obligations
    }

    /// Who showed it.
    #[must_use]
    pub fn solvers(&self) -> &[String] {
        &self.solvers
    }
}

/// Why facts prove nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unproved {
    /// This is not so.
    Refuted(String),
    /// Of this nothing is known.
    Open(String, NoAnswer),
}

impl std::fmt::Display for Unproved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unproved::Refuted(name) => write!(f, "not so: {name}"),
            Unproved::Open(name, why) => write!(f, "not known: {name} ({why})"),
        }
    }
}

/// Who shows what is to be shown. What was shown once is not asked again: what a script says does not
/// depend on what it is for.
pub struct Prover {
    solvers: Vec<Solver>,
    /// The scripts that all of the solvers have shown to have no model.
    shown: FxHashSet<String>,
}

impl Prover {
    /// Each of the solvers has to show everything; if there are none, the built-in one.
    #[must_use]
    pub fn new(solvers: &[Solver]) -> Prover {
        let mut solvers = solvers.to_vec();
        if solvers.is_empty() {
            solvers.push(Solver::BuiltIn);
        }
        Prover { solvers, shown: FxHashSet::default() }
    }

    /// Shows that a safety property follows from facts that are inductive.
    ///
    /// # Errors
    /// With what a solver does not show.
    pub fn prove(
        &mut self,
        protocol: &Protocol,
        property: usize,
        invariant: &Invariant,
        limits: &Limits,
    ) -> Result<Proved, Unproved> {
        let stated = &protocol.safety[property];
        let obligations = obligations(protocol, invariant, (&stated.name, &stated.formula));
        for obligation in obligations.iter().filter(|obligation| !obligation.same) {
            if self.shown.contains(&obligation.script) {
                continue;
            }
            for solver in &self.solvers {
                show(obligation, solver, limits)?;
            }
            self.shown.insert(obligation.script.clone());
        }
        let solvers = self.solvers.iter().map(|solver| solver.name().to_string()).collect();
        Ok(Proved { property, facts: invariant.facts().to_vec(), obligations, solvers })
    }
}

fn show(obligation: &Obligation, solver: &Solver, limits: &Limits) -> Result<(), Unproved> {
    let open = |fault: lustral_smt::Fault| Unproved::Open(obligation.name.clone(), fault.into());
    let options = SolverOptions::default();
    let mut dialogue = open_dialogue(solver, &options, &limits.cancel).map_err(open)?;
    dialogue.limit(Some(limits.query));
    // Without it cvc5 gives up where no instance of a quantifier suggests itself. It changes how a
    // solver searches, not what is asked.
    let search = match solver.name() {
        "cvc5" => "(set-option :full-saturate-quant true)\n",
        _ => "",
    };
    let script = format!("{search}(set-logic UF)\n{}", obligation.script);
    dialogue.tell(&script).map_err(open)?;
    match dialogue.query("(check-sat)") {
        Outcome::Unsat => Ok(()),
        Outcome::Sat => Err(Unproved::Refuted(obligation.name.clone())),
        Outcome::Unknown(why) => Err(Unproved::Open(obligation.name.clone(), why)),
    }
}
