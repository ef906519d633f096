//! The cause of a counterexample: the few of its values with which the property fails, whatever all
//! others are; and a smallest change of them with which it would not have failed.
//!
//! A cause is a minimal unsatisfiable core of "these values, and the property holds at the last
//! step". Values of one flow are left out together first, then some of them: a reader looks at rows.
//! Nothing here is trusted: what is found is asked again of the checker.

use std::time::Duration;

use lustral_base::Cancel;
use lustral_base::schedule::{Moment, is_counted};
use lustral_smt::{Outcome, Session, Solver, SolverOptions};
use lustral_system::{Inlined, PropId, Question, Trace};
use lustral_term::{Operator, Partial, TermId, Terms, Value, VarId};
use rustc_hash::FxHashMap;

use crate::model::Inputs;
use crate::task::logic;
use crate::unroll::{Start, Unroller};

/// More queries than this are not asked for one.
const MOST_QUERIES: usize = 120;
/// Nor this many, where no clock says when it is enough.
const FEW_QUERIES: usize = 40;
/// A change is looked for at so many values.
const MOST_CHANGES: usize = 12;
/// Executions with more values than this are not looked at.
const MOST_VALUES: usize = 20_000;

/// Values of an execution with which a property fails at its last step, whatever the others are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cause {
    /// Inputs and choices, by step and variable, in this order.
    pub values: Vec<(usize, VarId)>,
    /// Divisions by zero that gave what they gave.
    pub divisions: Vec<Question>,
    /// Whether none of them can be left out.
    pub minimal: bool,
    /// The execution with a smallest change, in which the property holds, if one was found.
    pub saved: Option<Inputs>,
}

/// Who is asked for causes.
#[derive(Clone, Copy)]
pub struct Asked<'s> {
    /// The solver.
    pub solver: &'s Solver,
    /// How it is set up.
    pub options: &'s SolverOptions,
    /// Tells to stop.
    pub cancel: &'s Cancel,
}

/// Looks for the cause of an execution at whose last step a property fails, for no longer than this.
#[must_use]
pub fn cause(
    asked: &Asked<'_>,
    system: &Inlined,
    property: PropId,
    trace: &Trace,
    time: Duration,
) -> Option<Cause> {
    let mut search = Search::new(asked, system, property, trace, time)?;
    let mut kept: Vec<usize> = (0..search.given.len()).collect();
    kept = search.core(&kept)?;
    for row in search.rows(&kept) {
        kept = search.without(kept, &row);
    }
    kept = search.smaller(kept);
    let (mut values, mut divisions) = (Vec::new(), Vec::new());
    for given in kept.iter().map(|i| &search.given[*i]) {
        match &given.what {
            What::Value(step, var) => values.push((*step, *var)),
            What::Division(question) => divisions.push(question.clone()),
        }
    }
    values.sort_unstable();
    let minimal = search.minimal;
    let saved = search.saved(&kept, trace);
    Some(Cause { values, divisions, minimal, saved })
}

/// What an execution has that could have been otherwise.
enum What {
    Value(usize, VarId),
    Division(Question),
}

/// A value of it, with the literal that stands for having it.
struct Given {
    what: What,
    literal: TermId,
    /// The variable of the unrolling.
    term: TermId,
}

struct Search<'s> {
    session: Box<dyn Session>,
    unroller: Unroller<'s>,
    given: Vec<Given>,
    /// Stands for: the property holds at the last step, at all before it.
    last: TermId,
    before: TermId,
    until: Moment,
    left: usize,
    /// Whether every query was answered.
    minimal: bool,
}

impl<'s> Search<'s> {
    fn new(
        asked: &Asked<'_>,
        system: &'s Inlined,
        property: PropId,
        trace: &Trace,
        time: Duration,
    ) -> Option<Search<'s>> {
        let Asked { solver, options, cancel } = *asked;
        let session = crate::open_metered(solver, logic(system), options, cancel, "cause");
        let mut session = session.ok()?;
        let mut unroller = Unroller::new(system, Start::Initial);
        let term = system.property(property).term;
        let mut holds = Vec::new();
        for step in 0..trace.len() {
            for fact in unroller.extend() {
                session.assert(&unroller.terms, fact);
            }
            holds.push(unroller.at(step, term));
        }
        for fact in unroller.due() {
            session.assert(&unroller.terms, fact);
        }
        let mut search = Search {
            session,
            unroller,
            given: Vec::new(),
            last: Terms::TRUE,
            before: Terms::TRUE,
            until: Moment::now() + time,
            left: if is_counted() { FEW_QUERIES } else { MOST_QUERIES },
            minimal: true,
        };
        let last = holds.pop()?;
        let before = search.unroller.terms.and(holds);
        (search.last, search.before) = (search.stand_for(last), search.stand_for(before));
        let values: Vec<(usize, VarId, TermId)> = search.unroller.occurring().collect();
        if values.len() > MOST_VALUES {
            return None;
        }
        for (step, var, term) in values {
            let value = trace.value(step, var).clone();
            search.give(What::Value(step, var), term, value);
        }
        for (question, value) in &trace.answers.0 {
            if let Some(term) = search.division(question) {
                search.give(What::Division(question.clone()), term, value.clone());
            }
        }
        Some(search)
    }

    /// A literal from which a fact follows.
    fn stand_for(&mut self, fact: TermId) -> TermId {
        let literal = self.unroller.literal();
        let implied = self.unroller.terms.implies(literal, fact);
        self.session.assert(&self.unroller.terms, implied);
        literal
    }

    fn give(&mut self, what: What, term: TermId, value: Value) {
        let value = self.unroller.terms.constant(value);
        let equal = self.unroller.terms.eq(term, value);
        let literal = self.stand_for(equal);
        self.given.push(Given { what, literal, term });
    }

    /// What a division by zero gives, as a term. Of functions without a body nothing is taken from an
    /// execution: there is no row that would show it.
    fn division(&mut self, question: &Question) -> Option<TermId> {
        let Question::Division(operation, dividend) = question else { return None };
        let terms = &mut self.unroller.terms;
        let dividend_term = terms.constant(dividend.clone());
        let zero = terms.constant(Value::zero(dividend.sort()));
        let operator = match operation {
            Partial::IntDiv => Operator::IntDiv,
            Partial::Mod => Operator::Mod,
            Partial::RealDiv => Operator::RealDiv,
        };
        Some((operator.entry().construct)(terms, operator, &[dividend_term, zero]))
    }

    fn check(&mut self, kept: &[usize], also: &[TermId]) -> Outcome {
        let mut literals: Vec<TermId> = kept.iter().map(|i| self.given[*i].literal).collect();
        literals.extend(also);
        self.left = self.left.saturating_sub(1);
        self.session.limit(Some(self.until.left()));
        self.session.check(&self.unroller.terms, &literals)
    }

    fn is_over(&self) -> bool {
        self.left == 0 || self.until.left().is_zero()
    }

    /// Of some values, those that the solver needs to show that the property fails; none if it does not show that.
    fn core(&mut self, among: &[usize]) -> Option<Vec<usize>> {
        if self.is_over() {
            self.minimal = false;
            return None;
        }
        match self.check(among, &[self.last]) {
            Outcome::Unsat => {
                let core = self.session.core();
                let needed = |i: &usize| core.contains(&self.given[*i].literal);
                Some(among.iter().copied().filter(needed).collect())
            }
            Outcome::Sat => None,
            Outcome::Unknown(_) => {
                self.minimal = false;
                None
            }
        }
    }

    /// What is kept without some of it, if that is possible.
    fn without(&mut self, kept: Vec<usize>, dropped: &[usize]) -> Vec<usize> {
        let others: Vec<usize> = kept.iter().copied().filter(|i| !dropped.contains(i)).collect();
        // What is gone already need not be tried.
        if others.len() == kept.len() {
            return kept;
        }
        self.core(&others).unwrap_or(kept)
    }

    /// What is kept, by variable; those with the most values first.
    fn rows(&self, kept: &[usize]) -> Vec<Vec<usize>> {
        let mut rows: Vec<(VarId, Vec<usize>)> = Vec::new();
        let mut places: FxHashMap<VarId, usize> = FxHashMap::default();
        for i in kept {
            let What::Value(_, var) = self.given[*i].what else { continue };
            let place = *places.entry(var).or_insert(rows.len());
            if place == rows.len() {
                rows.push((var, Vec::new()));
            }
            rows[place].1.push(*i);
        }
        rows.sort_by_key(|(var, row)| (std::cmp::Reverse(row.len()), *var));
        rows.into_iter().map(|(_, row)| row).collect()
    }

    /// Leaves out what can be left out: half at once, then a quarter, at last one by one.
    fn smaller(&mut self, mut kept: Vec<usize>) -> Vec<usize> {
        let mut size = kept.len();
        while size > 1 {
            size = size.div_ceil(2);
            for tried in kept.clone().chunks(size) {
                kept = self.without(kept, tried);
            }
        }
        kept
    }

    /// The execution with one value changed, or one flow, in which the property holds at all its steps.
    fn saved(&mut self, kept: &[usize], trace: &Trace) -> Option<Inputs> {
        let values: Vec<usize> = kept
            .iter()
            .copied()
            .filter(|i| matches!(self.given[*i].what, What::Value(..)))
            .collect();
        // The last steps first: what could still have been done.
        let single = values.iter().rev().map(|i| vec![*i]).take(MOST_CHANGES);
        let rows = self.rows(&values).into_iter().filter(|row| row.len() > 1).take(MOST_CHANGES);
        let changes: Vec<Vec<usize>> = single.chain(rows).collect();
        let all: Vec<usize> = (0..self.given.len()).collect();
        for change in changes {
            if self.is_over() {
                return None;
            }
            let others: Vec<usize> = all.iter().copied().filter(|i| !change.contains(i)).collect();
            if self.check(&others, &[self.last, self.before]) == Outcome::Sat {
                let mut inputs = Inputs { answers: trace.answers.clone(), ..Inputs::default() };
                for i in change {
                    let Given { what: What::Value(step, var), term, .. } = &self.given[i] else {
                        continue;
                    };
                    let value = self.session.value(&self.unroller.terms, *term).ok()?;
                    if value != *trace.value(*step, *var) {
                        inputs.values.insert((*step, *var), value);
                    }
                }
                return Some(inputs);
            }
        }
        None
    }
}
