//! Z3 in the process, through its API.
//!
//! All sessions of a thread share the thread's context, which lives as long as
//! the thread; each has a solver of its own.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use lustral_base::Cancel;
use lustral_term::{Sort, Term, TermId, Terms, Value};
use z3::ast::{Bool, Dynamic};
use z3::{Context, Model, Params, SatResult, Solver, StatisticsValue};

use crate::session::{Fault, NoAnswer, Outcome, Session};
use crate::smtlib::{SExpr, array_of, parse_sexprs, read_element, read_value};
use crate::solvers::SolverOptions;
use crate::z3_terms::Z3Terms;
use crate::z3_text::{Handle, keep_signals};

/// The version of the library, such as `5.4.0`.
#[must_use]
pub fn z3_version() -> String {
    let version = z3::full_version();
    let number = version.trim_start_matches("Z3 ").split_whitespace().next();
    number.unwrap_or(version).to_string()
}

/// What Z3 says where a query took longer, or was more work, than it may.
const LIMITS: [&str; 2] = ["timeout", "max. resource limit exceeded"];

/// A session with Z3.
pub struct Z3Session {
    solver: Solver,
    terms: Z3Terms,
    literals: Vec<(TermId, Bool)>,
    /// The model of the last query, once somebody asked for a value.
    model: Option<Model>,
    /// Whether the last query had a model and nothing was asserted since.
    sat: bool,
    cancel: Cancel,
    /// How long a query may take, and whether Z3 was told of any such limit.
    limit: Option<Duration>,
    limited: bool,
    /// How much work a query may be, and whether Z3 was told of any such limit.
    work: Option<u32>,
    work_limited: bool,
    handle: Arc<Mutex<Handle>>,
}

impl Z3Session {
    /// An empty session on this thread.
    #[must_use]
    pub fn new(options: &SolverOptions, cancel: Cancel) -> Z3Session {
        keep_signals();
        let solver = Solver::new();
        let mut params = Params::new();
        params.set_u32("random_seed", options.seed);
        if let Some(number) = options.arithmetic {
            params.set_u32("arith.solver", number);
        }
        // Signals are for the program to handle, not for a library in it.
        params.set_bool("ctrl_c", false);
        solver.set_params(&params);
        let context = Context::thread_local().get_z3_context();
        let handle = Handle::register(context, &cancel);
        Z3Session {
            solver,
            terms: Z3Terms::default(),
            literals: Vec::new(),
            model: None,
            sat: false,
            cancel,
            limit: None,
            limited: false,
            work: None,
            work_limited: false,
            handle,
        }
    }

    /// Why the last query has no answer.
    fn reason(&self) -> NoAnswer {
        if self.cancel.is_cancelled() {
            return NoAnswer::Stopped;
        }
        match self.solver.get_reason_unknown() {
            Some(reason) if LIMITS.contains(&&*reason) => NoAnswer::Limit,
            reason => NoAnswer::GaveUp(reason.unwrap_or_else(|| "unknown".into())),
        }
    }

    /// The value that a model gives an array or an element of one. Of an array it is what the
    /// model says of the indices that are looked at, and everywhere else what it says of the first
    /// of these (`by_key.rs`). Arrays in arrays are as deep as types are nested.
    fn element_of(&self, model: &Model, of: &Dynamic, sort: Sort) -> Result<Value, Fault> {
        let (Sort::Array(array), Some(whole)) = (sort, of.as_array()) else {
            return read_element(&evaluate(model, of)?, sort);
        };
        let mut elements = Vec::new();
        for index in self.terms.indices(array.index()) {
            let element = self.element_of(model, &whole.select(index), array.element())?;
            elements.push((evaluate(model, index)?, element));
        }
        Ok(array_of(array, elements))
    }

    /// A truth value, after the facts that its parts bring along.
    fn truth(&mut self, terms: &Terms, id: TermId) -> Bool {
        let truth = self.terms.term(terms, id).as_bool().expect("facts are truth values");
        for fact in self.terms.take_facts() {
            self.solver.assert(&fact);
        }
        truth
    }
}

/// What a model says of a term.
fn evaluate(model: &Model, term: &Dynamic) -> Result<SExpr, Fault> {
    let text = model.eval(term, true).map(|v| v.to_string());
    let text = text.ok_or(Fault::Nonsense("the model has no value".into()))?;
    let answer = parse_sexprs(&text).and_then(|mut list| list.pop());
    answer.ok_or(Fault::Nonsense(text))
}

impl Session for Z3Session {
    fn assert(&mut self, terms: &Terms, fact: TermId) {
        self.sat = false;
        let fact = self.truth(terms, fact);
        self.solver.assert(&fact);
    }

    fn check(&mut self, terms: &Terms, literals: &[TermId]) -> Outcome {
        (self.model, self.sat) = (None, false);
        self.literals.clear();
        for literal in literals {
            let truth = self.truth(terms, *literal);
            self.literals.push((*literal, truth));
        }
        if self.cancel.is_cancelled() {
            return Outcome::Unknown(NoAnswer::Stopped);
        }
        let deadline = self.cancel.deadline();
        let left = deadline.map(|d| d.saturating_duration_since(std::time::Instant::now()));
        let time = left.into_iter().chain(self.limit).min().map(|time| time.as_millis() + 1);
        if time.is_some() || self.limited {
            let mut params = Params::new();
            let time = time.and_then(|time| u32::try_from(time).ok());
            params.set_u32("timeout", time.unwrap_or(u32::MAX));
            self.solver.set_params(&params);
            self.limited = time.is_some();
        }
        if self.work.is_some() || self.work_limited {
            let mut params = Params::new();
            // Zero is no limit.
            params.set_u32("rlimit", self.work.map_or(0, |units| units.max(1)));
            self.solver.set_params(&params);
            self.work_limited = self.work.is_some();
        }
        let assumptions: Vec<Bool> = self.literals.iter().map(|(_, b)| b.clone()).collect();
        match self.solver.check_assumptions(&assumptions) {
            SatResult::Sat => {
                self.sat = true;
                Outcome::Sat
            }
            SatResult::Unsat => Outcome::Unsat,
            SatResult::Unknown => Outcome::Unknown(self.reason()),
        }
    }

    fn limit(&mut self, limit: Option<Duration>) {
        self.limit = limit;
    }

    fn limit_work(&mut self, units: Option<u32>) {
        self.work = units;
    }

    fn work(&self) -> Option<u32> {
        match self.solver.get_statistics().value("rlimit count") {
            Some(StatisticsValue::UInt(units)) => Some(units),
            _ => None,
        }
    }

    fn fault(&self) -> Option<Fault> {
        None
    }

    fn core(&mut self) -> Vec<TermId> {
        let core = self.solver.get_unsat_core();
        let inside = |b: &Bool| core.iter().any(|c| c.ast_eq(b));
        self.literals.iter().filter(|(_, b)| inside(b)).map(|(id, _)| *id).collect()
    }

    fn value(&mut self, terms: &Terms, term: TermId) -> Result<Value, Fault> {
        // To make a model takes time, and not all who ask want one.
        if self.model.is_none() && self.sat {
            self.model = self.solver.get_model();
        }
        let model = self.model.as_ref().ok_or(Fault::Nonsense("there is no model".into()))?;
        let (whole, sort) = (self.terms.term(terms, term).clone(), terms.sort(term));
        if self.terms.is_untold(term) {
            // What the solver never heard of can have any value.
            return match terms.get(term) {
                Term::Var(..) => Ok(Value::zero(sort)),
                Term::Value(value) => Ok(value.clone()),
                Term::Apply(..) => {
                    Err(Fault::Nonsense("a term that the solver does not know".into()))
                }
            };
        }
        match sort {
            Sort::Array(_) => self.element_of(model, &whole, sort),
            _ => read_value(&evaluate(model, &whole)?, sort),
        }
    }
}

impl Drop for Z3Session {
    fn drop(&mut self) {
        // From here on no interrupt reaches the context, which may end with its thread.
        if let Ok(mut handle) = self.handle.lock() {
            handle.0 = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Z3 counts when it is asked for numbers, with some options.
    fn counters(options: &SolverOptions) -> Vec<String> {
        let mut session = Z3Session::new(options, Cancel::new());
        let mut terms = Terms::new();
        let numbers: Vec<TermId> =
            (0..6).map(|i| terms.variable(lustral_term::VarId(i), Sort::Int)).collect();
        let (two, seven) = (terms.int(2), terms.int(7));
        for pair in numbers.windows(2) {
            let double = terms.mul(two, pair[0]);
            let sum = terms.add(&[double, seven]);
            let less = terms.le(sum, pair[1]);
            session.assert(&terms, less);
        }
        // Without an assumption, simplification may leave no numbers to count.
        let assumed = terms.variable(lustral_term::VarId(6), Sort::Bool);
        assert_eq!(session.check(&terms, &[assumed]), Outcome::Sat);
        session.solver.get_statistics().entries().map(|entry| entry.key).collect()
    }

    #[test]
    fn the_arithmetic_is_the_one_asked_for() {
        let with = |arithmetic| counters(&SolverOptions { arithmetic, ..SolverOptions::default() });
        assert_ne!(with(Some(2)), with(Some(6)), "they count different things");
    }

    #[test]
    fn work_is_counted_and_limited() {
        let mut session = Z3Session::new(&SolverOptions::default(), Cancel::new());
        let mut terms = Terms::new();
        // x² + y² = z² · 7 has no solution but zero, and no solver finds out.
        let [x, y, z] = [0, 1, 2].map(|i| terms.variable(lustral_term::VarId(i), Sort::Int));
        let [xx, yy, zz] = [x, y, z].map(|v| terms.mul(v, v));
        let (one, seven) = (terms.int(1), terms.int(7));
        let (left, right) = (terms.add(&[xx, yy]), terms.mul(seven, zz));
        for fact in [terms.eq(left, right), terms.le(one, z)] {
            session.assert(&terms, fact);
        }
        for _ in 0..3 {
            session.limit_work(Some(20_000));
            let before = session.work().unwrap();
            assert!(matches!(session.check(&terms, &[]), Outcome::Unknown(_)));
            let work = session.work().unwrap().wrapping_sub(before);
            assert!((10_000..200_000).contains(&work), "{work}");
        }
    }
}
