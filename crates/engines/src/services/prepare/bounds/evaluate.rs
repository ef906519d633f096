//! Intervals of terms, from those of variables.
//!
//! The branches of an `if` are evaluated in the context of its condition: what
//! it says of the terms that it compares. The same term may so be evaluated in
//! many contexts; beyond a budget, contexts are not told apart any more.

use lustral_system::TransitionSystem;
use lustral_term::{Operator, Sort, Term, TermId, Terms, Value};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::interval::Interval;

/// The evaluations after which no further contexts are made.
const BUDGET: usize = 4_000;

/// The evaluations after which a term that a group of memories before has settled is not
/// looked into again: all that is near was seen by then.
const NEAR: usize = 24;

/// A context, by its number; the first is that of a step as such.
type Context = u32;

/// What is known of some terms.
pub(super) type Facts = FxHashMap<TermId, Interval>;

/// The values of terms at one step.
pub(super) struct Evaluation<'s> {
    terms: &'s Terms,
    /// By variable.
    variables: &'s [Interval],
    /// The values of some terms in all contexts, as far as these variables tell.
    settled: &'s Facts,
    known: FxHashMap<(Context, TermId), Interval>,
    /// By context: what is known of some terms there.
    contexts: Vec<Facts>,
    /// By context, condition and its truth: the context of the branch, if any
    /// value can be there.
    branches: FxHashMap<(Context, TermId, bool), Option<Context>>,
}

impl<'s> Evaluation<'s> {
    /// An evaluation of a system's terms at a step at which its constraints hold.
    pub fn new(
        system: &'s TransitionSystem,
        variables: &'s [Interval],
        settled: &'s Facts,
    ) -> Evaluation<'s> {
        let mut this = Evaluation {
            terms: &system.terms,
            variables,
            settled,
            known: FxHashMap::default(),
            contexts: vec![FxHashMap::default()],
            branches: FxHashMap::default(),
        };
        let mut learned = FxHashMap::default();
        for constraint in &system.constraints {
            this.value(constraint.term);
            // What cannot hold makes all executions end: any value will do.
            let _ = this.learn(0, constraint.term, true, &mut learned);
        }
        // What was known before did not know this.
        this.known.clear();
        this.contexts[0] = learned;
        this
    }

    /// The same where it is known already what the constraints say.
    pub fn knowing(
        system: &'s TransitionSystem,
        variables: &'s [Interval],
        settled: &'s Facts,
        facts: Facts,
    ) -> Evaluation<'s> {
        Evaluation {
            terms: &system.terms,
            variables,
            settled,
            known: FxHashMap::default(),
            contexts: vec![facts],
            branches: FxHashMap::default(),
        }
    }

    /// What the constraints say.
    pub fn into_facts(mut self) -> Facts {
        std::mem::take(&mut self.contexts[0])
    }

    /// How much was evaluated.
    pub fn work(&self) -> usize {
        self.known.len()
    }

    /// The value of a term.
    pub fn value(&mut self, term: TermId) -> Interval {
        let mut stack = vec![(0, term)];
        while let Some(&(context, term)) = stack.last() {
            if self.known.contains_key(&(context, term)) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let value = self.attempt(context, term, &mut stack);
            if stack.len() == before {
                let told = self.contexts[context as usize].get(&term).copied();
                let value = told.and_then(|told| value.meet(told)).unwrap_or(value);
                self.known.insert((context, term), value);
                stack.pop();
            }
        }
        self.known[&(0, term)]
    }

    /// The value of a term, unless something must be known before, which then
    /// is on the stack.
    fn attempt(
        &mut self,
        context: Context,
        term: TermId,
        stack: &mut Vec<(Context, TermId)>,
    ) -> Interval {
        let terms = self.terms;
        if self.known.len() > NEAR
            && let Some(value) = self.settled.get(&term)
        {
            return *value;
        }
        if let Term::Apply(Operator::Ite, [condition, yes, no]) = terms.get(term) {
            return self.choice(context, *condition, [*yes, *no], stack);
        }
        let before = stack.len();
        let needed = terms.operands(term).iter().map(|operand| (context, *operand));
        stack.extend(needed.filter(|needed| !self.known.contains_key(needed)));
        if stack.len() == before { self.operator(context, term) } else { Interval::ALL }
    }

    /// The value of an `if`: of the branches that can be taken.
    fn choice(
        &mut self,
        context: Context,
        condition: TermId,
        branches: [TermId; 2],
        stack: &mut Vec<(Context, TermId)>,
    ) -> Interval {
        let Some(truth) = self.known.get(&(context, condition)).copied() else {
            stack.push((context, condition));
            return Interval::ALL;
        };
        let mut values: Option<Interval> = None;
        for (branch, holds) in branches.into_iter().zip([true, false]) {
            if !truth.contains(Interval::bool(holds)) {
                continue;
            }
            let Some(inner) = self.branch(context, condition, holds) else { continue };
            match self.known.get(&(inner, branch)) {
                Some(value) => {
                    values = Some(values.map_or(*value, |other| other.join(*value)));
                }
                None => stack.push((inner, branch)),
            }
        }
        // No branch at all: the context itself cannot be.
        values.unwrap_or_else(|| self.any(branches[0]))
    }

    /// The context of a branch; nothing if no value can be there.
    fn branch(&mut self, context: Context, condition: TermId, holds: bool) -> Option<Context> {
        if let Some(known) = self.branches.get(&(context, condition, holds)) {
            return *known;
        }
        if self.known.len() > BUDGET {
            // What holds everywhere holds here.
            return Some(0);
        }
        let mut learned = self.contexts[context as usize].clone();
        let before = learned.clone();
        let feasible = self.learn(context, condition, holds, &mut learned);
        let found = match feasible {
            false => None,
            true if learned == before => Some(context),
            true => {
                self.contexts.push(learned);
                Some(self.contexts.len() as Context - 1)
            }
        };
        self.branches.insert((context, condition, holds), found);
        found
    }

    /// Adds what a condition says of the terms in it. False if it cannot hold.
    fn learn(&self, context: Context, condition: TermId, holds: bool, learned: &mut Facts) -> bool {
        let mut pending = vec![(condition, holds)];
        while let Some((term, holds)) = pending.pop() {
            if !self.note(context, term, Interval::bool(holds), learned) {
                return false;
            }
            let feasible = match (self.terms.get(term), holds) {
                (Term::Apply(Operator::Not, [inner]), _) => {
                    pending.push((*inner, !holds));
                    true
                }
                (Term::Apply(Operator::And, list), true)
                | (Term::Apply(Operator::Or, list), false) => {
                    pending.extend(list.iter().map(|part| (*part, holds)));
                    true
                }
                (Term::Apply(Operator::Le, [a, b]), _) if self.terms.sort(*a) == Sort::Int => {
                    self.compare(context, [*a, *b], holds, learned)
                }
                (Term::Apply(Operator::Eq, [a, b]), _) if self.is_discrete(*a) => {
                    self.equate(context, [*a, *b], holds, learned)
                }
                _ => true,
            };
            if !feasible {
                return false;
            }
        }
        true
    }

    /// What `a <= b`, or its contrary `b + 1 <= a`, says of integers.
    fn compare(
        &self,
        context: Context,
        [a, b]: [TermId; 2],
        holds: bool,
        learned: &mut Facts,
    ) -> bool {
        let (low, high, gap) = if holds { (a, b, 0) } else { (b, a, 1) };
        let below = self.seen(context, high, learned).add(Interval::number(-gap));
        let above = self.seen(context, low, learned).add(Interval::number(gap));
        self.note(context, low, Interval::at_most(below), learned)
            && self.note(context, high, Interval::at_least(above), learned)
    }

    /// What an equality, or its contrary, says.
    fn equate(
        &self,
        context: Context,
        [a, b]: [TermId; 2],
        holds: bool,
        learned: &mut Facts,
    ) -> bool {
        let values = [a, b].map(|term| self.seen(context, term, learned));
        if holds {
            return self.note(context, a, values[1], learned)
                && self.note(context, b, values[0], learned);
        }
        for (term, own, other) in [(a, values[0], values[1]), (b, values[1], values[0])] {
            // A single value at an end of the other's is not there.
            let Some(value) = other.value() else { continue };
            let rest = Interval {
                low: own.low + i64::from(own.low == value),
                high: own.high - i64::from(own.high == value),
            };
            if rest.low > rest.high || !self.note(context, term, rest, learned) {
                return false;
            }
        }
        true
    }

    /// What is known of a term in a context that is being made.
    fn seen(&self, context: Context, term: TermId, learned: &Facts) -> Interval {
        let known = self.known.get(&(context, term)).copied();
        let known = known.unwrap_or_else(|| self.any(term));
        learned.get(&term).and_then(|told| known.meet(*told)).unwrap_or(known)
    }

    /// Adds that a term is in an interval, and what that means for the only
    /// part of a sum that is not a constant. False if it cannot be.
    fn note(&self, context: Context, term: TermId, within: Interval, learned: &mut Facts) -> bool {
        let (mut term, mut within) = (term, within);
        loop {
            let Some(value) = self.seen(context, term, learned).meet(within) else { return false };
            learned.insert(term, value);
            let Term::Apply(Operator::Add, list) = self.terms.get(term) else { return true };
            let constant = |t: &TermId| self.terms.value(*t).and_then(integer);
            let mut others = list.iter().filter(|t| constant(t).is_none());
            let (Some(other), None) = (others.next(), others.next()) else { return true };
            let sum = list.iter().filter_map(constant).try_fold(0_i64, i64::checked_add);
            let Some(sum) = sum else { return true };
            (term, within) = (*other, within.add(Interval::number(sum).negated()));
        }
    }

    /// Whether intervals say what values a term has.
    fn is_discrete(&self, term: TermId) -> bool {
        matches!(self.terms.sort(term), Sort::Bool | Sort::Int | Sort::Enum(_))
    }

    /// All values of a term's sort.
    fn any(&self, term: TermId) -> Interval {
        whole(self.terms.sort(term))
    }

    /// The value of an operator whose operands are known in its context.
    fn operator(&self, context: Context, term: TermId) -> Interval {
        let at = |term: &TermId| self.known[&(context, *term)];
        let is_int = |term: &TermId| self.terms.sort(*term) == Sort::Int;
        match self.terms.get(term) {
            Term::Value(Value::Bool(b)) => Interval::bool(*b),
            Term::Value(value) => integer(value).map_or(Interval::ALL, Interval::number),
            Term::Var(var, _) => self.variables[var.index()],
            Term::Apply(Operator::Not, [a]) => {
                Interval { low: 1 - at(a).high, high: 1 - at(a).low }
            }
            Term::Apply(Operator::And, list) => Interval {
                low: list.iter().map(|t| at(t).low).min().unwrap_or(1),
                high: list.iter().map(|t| at(t).high).min().unwrap_or(1),
            },
            Term::Apply(Operator::Or, list) => Interval {
                low: list.iter().map(|t| at(t).low).max().unwrap_or(0),
                high: list.iter().map(|t| at(t).high).max().unwrap_or(0),
            },
            Term::Apply(Operator::Le, [a, b]) if is_int(a) => match (at(a), at(b)) {
                (a, b) if a.always_at_most(b) => Interval::TRUE,
                (a, b) if b.add(Interval::number(1)).always_at_most(a) => Interval::FALSE,
                _ => Interval::BOOL,
            },
            Term::Apply(Operator::Eq, [a, b]) if self.is_discrete(*a) => match (at(a), at(b)) {
                (a, b) if a.meet(b).is_none() => Interval::FALSE,
                (a, b) if a.value().is_some() && a == b => Interval::TRUE,
                _ => Interval::BOOL,
            },
            Term::Apply(Operator::Add, list) if is_int(&list[0]) => {
                list.iter().map(at).reduce(Interval::add).unwrap_or(Interval::ALL)
            }
            Term::Apply(Operator::Mul, list) if is_int(&list[0]) => {
                list.iter().map(at).reduce(Interval::mul).unwrap_or(Interval::ALL)
            }
            Term::Apply(Operator::IntDiv, [a, b]) => match at(b).value() {
                Some(by) if by > 0 => at(a).quotient(by),
                _ => Interval::ALL,
            },
            Term::Apply(Operator::Mod, [_, b]) => match at(b).value() {
                Some(by) if by > 0 => Interval { low: 0, high: by - 1 },
                _ => Interval::ALL,
            },
            _ => self.any(term),
        }
    }
}

/// All values of a sort.
pub(super) fn whole(sort: Sort) -> Interval {
    match sort {
        Sort::Bool => Interval::BOOL,
        Sort::Enum(e) => Interval { low: 0, high: i64::from(e.size) - 1 },
        _ => Interval::ALL,
    }
}

/// An integer that fits, or the position of a value of an enumeration.
pub(super) fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Int(n) => n.to_i64(),
        Value::Enum(_, i) => Some((*i).into()),
        _ => None,
    }
}
