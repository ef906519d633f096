//! The verdicts of the engines agree with the explicit search.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_certify::check_blocked;
use lustral_engines::{EngineChoice, Survey, engines, survey};
use lustral_smt::smtlib::Logic;
use lustral_smt::{Solver, SolverOptions};
use lustral_term::{Operator, Term, TermId};

use crate::engines::{MAX_K, Setup, Verdict, verdicts};
use lustral_testing::encoding::{Encoded, accepted};
use lustral_testing::failure::{Failure, expect_equal};
use lustral_testing::search::{Found, search};
use lustral_testing::tree::{Parentheses, Program};

/// Finite programs are small: engines that take longer than this hang.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long engines are waited for that may go on for minutes.
const SHORT: Duration = Duration::from_secs(10);

/// How often things happened: a test in which nothing happens tests nothing.
#[derive(Default)]
pub struct Tally {
    pub programs: AtomicUsize,
    pub too_large: AtomicUsize,
    pub vacuous: AtomicUsize,
    pub blocking: AtomicUsize,
    pub proved: AtomicUsize,
    pub unproved: AtomicUsize,
    pub falsified: AtomicUsize,
    pub falsified_later: AtomicUsize,
}

impl Tally {
    pub fn count(counter: &AtomicUsize) {
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a verdict.
    pub fn verdict(&self, verdict: &Verdict) {
        match verdict {
            Verdict::Valid => Tally::count(&self.proved),
            Verdict::Declined | Verdict::Unknown(_) => Tally::count(&self.unproved),
            Verdict::Falsified(0) => Tally::count(&self.falsified),
            Verdict::Falsified(_) => Tally::count(&self.falsified_later),
        }
    }

    /// Of many programs, some are of every kind.
    pub fn expect_everything(&self) {
        let Tally { programs, blocking, proved, falsified, falsified_later, .. } = self;
        if programs.load(Ordering::Relaxed) >= 50 {
            for counter in [blocking, proved, falsified, falsified_later] {
                assert!(counter.load(Ordering::Relaxed) > 0, "{}", self.text());
            }
        }
    }

    /// All counts in one line.
    pub fn text(&self) -> String {
        let get = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        format!(
            "{} programs, {} too large, {} vacuous, {} blocking; properties: {} proved, {} not \
             proved, {} falsified at once, {} later",
            get(&self.programs),
            get(&self.too_large),
            get(&self.vacuous),
            get(&self.blocking),
            get(&self.proved),
            get(&self.unproved),
            get(&self.falsified),
            get(&self.falsified_later),
        )
    }
}

/// Searches a program and compares all setups with what is found.
pub fn check(program: &Program, setups: &[Setup], tally: &Tally) -> Result<(), Failure> {
    let unit = accepted(&program.text(Parentheses::Needed))?;
    Tally::count(&tally.programs);
    let Some(found) = search(&unit) else {
        Tally::count(&tally.too_large);
        return Ok(());
    };
    compare(&unit, &found, setups, tally)
}

/// Whether a setup may go on for minutes: `pdh` alone tries clauses over all memories, and there
/// are many where nothing was prepared. What it answers until then must be right.
fn is_long(setup: &Setup) -> bool {
    !setup.prepared && setup.engines.iter().all(|engine| engine.name() == "pdh")
}

/// Compares all setups with what a search found.
pub fn compare(
    unit: &Encoded,
    found: &Found,
    setups: &[Setup],
    tally: &Tally,
) -> Result<(), Failure> {
    blocking_agrees(unit, found)?;
    if found.blocks.is_some() {
        Tally::count(&tally.blocking);
    }
    if found.blocks == Some(0) {
        // There is no execution: nothing is left for the engines.
        Tally::count(&tally.vacuous);
        return Ok(());
    }
    for setup in setups {
        let patience = if is_long(setup) { SHORT } else { PATIENCE };
        let (verdicts, ended) = verdicts(unit, setup, patience)?;
        if !ended && !is_long(setup) {
            return Err(Failure::new("hang", format!("{setup:?}: the engines do not end")));
        }
        for (i, verdict) in verdicts.iter().enumerate() {
            tally.verdict(verdict);
            agrees(unit, setup, verdict, found.fails[i]).map_err(|text| {
                let name = &unit.properties[i].name;
                Failure::new("verdict", format!("{setup:?}: `{name}` {text}"))
            })?;
        }
    }
    Ok(())
}

/// Whether an engine may decline properties of a program: only that for Horn
/// clauses does, and only where something is not linear, or is a product of which
/// one side is one of some constants.
fn may_decline(unit: &Encoded, setup: &Setup) -> bool {
    let terms = &unit.system.terms;
    let mut all = (0..terms.len() as u32).map(TermId);
    let is_product = |id: TermId| match terms.get(id) {
        Term::Apply(Operator::Mul, list) => {
            list.iter().filter(|factor| terms.value(**factor).is_none()).count() > 1
        }
        _ => false,
    };
    setup.engines == [EngineChoice(&engines::horn::ENGINE)]
        && (Logic::of(terms, unit.system.roots()).nonlinear || all.any(is_product))
}

fn agrees(
    unit: &Encoded,
    setup: &Setup,
    verdict: &Verdict,
    fails: Option<usize>,
) -> Result<(), String> {
    let good = match (verdict, fails) {
        (Verdict::Declined, _) => may_decline(unit, setup),
        (Verdict::Falsified(step), Some(least)) if setup.refutes_at_first() => *step == least,
        (Verdict::Falsified(step), Some(least)) => *step >= least && *step <= MAX_K,
        (Verdict::Unknown(_), Some(least)) => least >= MAX_K || !setup.refutes_all(),
        (Verdict::Valid | Verdict::Unknown(_), None) => true,
        (Verdict::Valid, Some(_)) | (Verdict::Falsified(_), None) => false,
    };
    let search = match fails {
        Some(step) => format!("fails first at step {step}"),
        None => "never fails".into(),
    };
    if good { Ok(()) } else { Err(format!("{search}, the engines say {verdict:?}")) }
}

/// The survey of the assertions finds what the search finds.
fn blocking_agrees(unit: &Encoded, found: &Found) -> Result<(), Failure> {
    let started = Instant::now();
    let result = surveyed(unit)?;
    let expected = found.blocks.map_or(Survey::Open, Survey::BlocksAt);
    // The survey has little time; what it does not find then is no mistake.
    if result == Survey::Open && started.elapsed() > Duration::from_millis(200) {
        return Ok(());
    }
    expect_equal("survey", &result, &expected, || "what the survey says".into())
}

/// What the survey says, which must pass its check.
pub fn surveyed(unit: &Encoded) -> Result<Survey, Failure> {
    let cancel = Cancel::new();
    let result = survey(&unit.system, &Solver::BuiltIn, &SolverOptions::default(), &cancel);
    if let Survey::BlocksAt(step) = result {
        let confirmed = check_blocked(&unit.system, step, &cancel);
        confirmed.map_err(|e| Failure::new("check of the survey", e.to_string()))?;
    }
    Ok(result)
}
