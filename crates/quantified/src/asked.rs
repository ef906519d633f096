//! A solver that is asked what follows from numbered assumptions. Not trusted.

use std::collections::BTreeSet;

use lustral_first_order::Formula;
use lustral_smt::smtlib::SExpr;
use lustral_smt::{Dialogue, Outcome, Solver, SolverOptions, open_dialogue};

use crate::prove::Limits;
use crate::smtlib::Writer;

/// A solver that is asked what follows from assumptions that can be taken back.
pub(crate) struct Asked {
    dialogue: Box<dyn Dialogue>,
    limits: Limits,
    /// What it was told for all questions.
    told: Vec<String>,
    /// The assumptions that count.
    pub assumed: BTreeSet<usize>,
}

impl Asked {
    pub fn new(limits: &Limits) -> Option<Asked> {
        let (dialogue, limits) = (opened(limits)?, limits.clone());
        Some(Asked { dialogue, limits, told: Vec::new(), assumed: BTreeSet::new() })
    }

    pub fn tell(&mut self, script: &str) -> Option<()> {
        self.told.push(script.to_string());
        self.dialogue.tell(script).ok()
    }

    /// Begins anew with all that was told. Z3 that was interrupted in the middle of a question and goes on with the next was
    /// seen to read memory that is not there (in `smt::context::cache_generation`).
    fn renew(&mut self) -> Option<()> {
        self.dialogue = opened(&self.limits)?;
        self.told.iter().try_for_each(|script| self.dialogue.tell(script).ok())
    }

    /// Whether what it was told has a model.
    pub fn check(&mut self) -> Outcome {
        self.dialogue.query("(check-sat)")
    }

    /// Assumes formulas by number, each behind a literal of its own.
    pub fn assume<'f>(
        &mut self,
        writer: &Writer<'_>,
        formulas: impl Iterator<Item = (usize, &'f Formula)>,
    ) -> Option<()> {
        for (i, formula) in formulas {
            self.assume_text(i, &writer.formula(formula))?;
        }
        Some(())
    }

    /// Assumes a formula that is written already.
    pub fn assume_text(&mut self, i: usize, formula: &str) -> Option<()> {
        self.assumed.insert(i);
        self.tell(&format!(
            "(declare-const |assume {i}| Bool)\n(assert (=> |assume {i}| {formula}))"
        ))
    }

    /// The assumptions from which a formula follows; nothing if it does not, or if that is not
    /// known.
    pub fn follows(&mut self, formula: &str) -> Option<BTreeSet<usize>> {
        self.dialogue.tell(&format!("(push 1)\n(assert (not {formula}))")).ok()?;
        let literals: Vec<String> = self.assumed.iter().map(|i| format!("|assume {i}|")).collect();
        let answer = self.dialogue.query(&format!("(check-sat-assuming ({}))", literals.join(" ")));
        let core = match answer {
            Outcome::Unsat => self.dialogue.ask("(get-unsat-core)").ok().map(|core| numbers(&core)),
            Outcome::Sat => None,
            Outcome::Unknown(_) => {
                self.renew()?;
                return None;
            }
        };
        self.dialogue.tell("(pop 1)").ok()?;
        core
    }
}

/// A solver that was told nothing.
fn opened(limits: &Limits) -> Option<Box<dyn Dialogue>> {
    let options = SolverOptions::default();
    let mut dialogue = open_dialogue(&Solver::BuiltIn, &options, &limits.cancel).ok()?;
    dialogue.limit(Some(limits.query));
    dialogue.tell("(set-option :produce-unsat-cores true)").ok()?;
    Some(dialogue)
}

/// The numbers of the assumptions in a core.
fn numbers(core: &SExpr) -> BTreeSet<usize> {
    let SExpr::List(list) = core else { return BTreeSet::new() };
    let number = |part: &SExpr| match part {
        SExpr::Atom(name) => {
            name.trim_matches('|').strip_prefix("assume ").and_then(|n| n.parse().ok())
        }
        SExpr::List(_) => None,
    };
    list.iter().filter_map(number).collect()
}
