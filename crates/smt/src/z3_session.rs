//! Z3 in the process, through its API.
//!
//! All sessions of a thread share the thread's context, which lives as long as
//! the thread; each has a solver of its own.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use lustral_base::Cancel;
use lustral_term::{Operator, Sort, Term, TermId, Terms, Value};
use z3::ast::{Bool, Int, Real};
use z3::{Context, Model, Params, SatResult, Solver, StatisticsValue};

use crate::session::{Fault, Outcome, Session};
use crate::smtlib::{parse_sexprs, read_value};
use crate::solvers::SolverOptions;
use crate::z3_text::Handle;

/// The version of the library, such as `5.4.0`.
#[must_use]
pub fn z3_version() -> String {
    let version = z3::full_version();
    let number = version.trim_start_matches("Z3 ").split_whitespace().next();
    number.unwrap_or(version).to_string()
}

/// A session with Z3.
pub struct Z3Session {
    solver: Solver,
    asts: Vec<Option<Built>>,
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

#[derive(Clone)]
enum Built {
    Bool(Bool),
    Int(Int),
    Real(Real),
}

impl Z3Session {
    /// An empty session on this thread.
    #[must_use]
    pub fn new(options: &SolverOptions, cancel: Cancel) -> Z3Session {
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
            asts: Vec::new(),
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

    fn build(&mut self, terms: &Terms, root: TermId) -> Built {
        if self.asts.len() < terms.len() {
            self.asts.resize(terms.len(), None);
        }
        terms.post_order(
            root,
            self,
            |this, id| this.asts[id.index()].is_some(),
            |this, id| {
                let built = this.one(terms, id);
                this.asts[id.index()] = Some(built);
            },
        );
        self.get(root).clone()
    }

    fn get(&self, id: TermId) -> &Built {
        self.asts[id.index()].as_ref().expect("operands are built before their users")
    }

    fn bool(&self, id: TermId) -> &Bool {
        match self.get(id) {
            Built::Bool(b) => b,
            _ => unreachable!("sorts are checked by the front end"),
        }
    }

    fn int(&self, id: TermId) -> &Int {
        match self.get(id) {
            Built::Int(n) => n,
            _ => unreachable!("sorts are checked by the front end"),
        }
    }

    fn real(&self, id: TermId) -> &Real {
        match self.get(id) {
            Built::Real(r) => r,
            _ => unreachable!("sorts are checked by the front end"),
        }
    }

    fn one(&self, terms: &Terms, id: TermId) -> Built {
        match terms.get(id) {
            Term::Value(Value::Bool(b)) => Built::Bool(Bool::from_bool(*b)),
            Term::Value(Value::Int(n)) => Built::Int(Int::from_big_int(n)),
            Term::Value(Value::Real(r)) => Built::Real(Real::from_big_rational(r)),
            Term::Var(var, Sort::Bool) => Built::Bool(Bool::new_const(var.0)),
            Term::Var(var, Sort::Int) => Built::Int(Int::new_const(var.0)),
            Term::Var(var, Sort::Real) => Built::Real(Real::new_const(var.0)),
            Term::Apply(operator, operands) => self.application(terms, operator, operands),
        }
    }

    fn application(&self, terms: &Terms, operator: Operator, list: &[TermId]) -> Built {
        let sort = terms.sort(list[list.len() - 1]);
        match operator {
            Operator::Not => Built::Bool(self.bool(list[0]).not()),
            Operator::And | Operator::Or => {
                let list: Vec<&Bool> = list.iter().map(|a| self.bool(*a)).collect();
                let is_conjunction = operator == Operator::And;
                Built::Bool(if is_conjunction { Bool::and(&list) } else { Bool::or(&list) })
            }
            Operator::Ite => {
                let (condition, a, b) = (self.bool(list[0]), list[1], list[2]);
                match sort {
                    Sort::Bool => Built::Bool(condition.ite(self.bool(a), self.bool(b))),
                    Sort::Int => Built::Int(condition.ite(self.int(a), self.int(b))),
                    Sort::Real => Built::Real(condition.ite(self.real(a), self.real(b))),
                }
            }
            Operator::Eq => Built::Bool(match sort {
                Sort::Bool => self.bool(list[0]).eq(self.bool(list[1])),
                Sort::Int => self.int(list[0]).eq(self.int(list[1])),
                Sort::Real => self.real(list[0]).eq(self.real(list[1])),
            }),
            Operator::Le => Built::Bool(match sort {
                Sort::Real => self.real(list[0]).le(self.real(list[1])),
                _ => self.int(list[0]).le(self.int(list[1])),
            }),
            Operator::Add | Operator::Mul => {
                let is_sum = operator == Operator::Add;
                if sort == Sort::Real {
                    let list: Vec<&Real> = list.iter().map(|a| self.real(*a)).collect();
                    return Built::Real(if is_sum { Real::add(&list) } else { Real::mul(&list) });
                }
                let list: Vec<&Int> = list.iter().map(|a| self.int(*a)).collect();
                Built::Int(if is_sum { Int::add(&list) } else { Int::mul(&list) })
            }
            Operator::IntDiv => Built::Int(self.int(list[0]).div(self.int(list[1]))),
            Operator::Mod => Built::Int(self.int(list[0]).modulo(self.int(list[1]))),
            Operator::RealDiv => Built::Real(self.real(list[0]).div(self.real(list[1]))),
            Operator::ToReal => Built::Real(self.int(list[0]).to_real()),
            Operator::Floor => Built::Int(self.real(list[0]).to_int()),
        }
    }
}

impl Session for Z3Session {
    fn assert(&mut self, terms: &Terms, fact: TermId) {
        self.sat = false;
        if let Built::Bool(b) = self.build(terms, fact) {
            self.solver.assert(&b);
        }
    }

    fn check(&mut self, terms: &Terms, literals: &[TermId]) -> Outcome {
        (self.model, self.sat) = (None, false);
        self.literals.clear();
        for literal in literals {
            if let Built::Bool(b) = self.build(terms, *literal) {
                self.literals.push((*literal, b));
            }
        }
        if self.cancel.is_cancelled() {
            return Outcome::Unknown("stopped".into());
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
            SatResult::Unknown => {
                let reason = self.solver.get_reason_unknown();
                Outcome::Unknown(reason.unwrap_or_else(|| "unknown".into()))
            }
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
        let built = self.build(terms, term);
        // To make a model takes time, and not all who ask want one.
        if self.model.is_none() && self.sat {
            self.model = self.solver.get_model();
        }
        let model = self.model.as_ref().ok_or(Fault::Nonsense("there is no model".into()))?;
        let text = match &built {
            Built::Bool(b) => model.eval(b, true).map(|v| v.to_string()),
            Built::Int(n) => model.eval(n, true).map(|v| v.to_string()),
            Built::Real(r) => model.eval(r, true).map(|v| v.to_string()),
        };
        let text = text.ok_or(Fault::Nonsense("the model has no value".into()))?;
        let answer = parse_sexprs(&text).and_then(|mut list| list.pop());
        let answer = answer.ok_or(Fault::Nonsense(text))?;
        read_value(&answer, terms.sort(term))
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
