//! Bounds of three numbers together: `x - y - z` and `x + y + z`.
//!
//! `done + pending <= issued` is no octagon, and no conservation law where something
//! gets lost. All triples would be too many. Only memories count, and of them only
//! those that change together: their next values hang on a common condition. And
//! bounds are constants of the program from the start, so that an expression that
//! has none is soon out of the way.

use lustral_system::TransitionSystem;
use lustral_term::{Operator, Term, TermId, Terms};
use rustc_hash::FxHashSet;

use super::bounds::{Bounded, Bounds, Interval, Thresholds};
use super::number::Number;

/// The most triples.
const MOST_TRIPLES: usize = 20;
/// The most memories that are looked at.
const MOST_MEMORIES: usize = 16;

/// The forms: whether each of the three is subtracted. Both bounds are looked
/// for, so the negations are there as well.
const FORMS: [[bool; 3]; 4] =
    [[false, true, true], [true, false, true], [true, true, false], [false, false, false]];

/// Features, and whether each is subtracted.
type Form = [(usize, bool); 3];

/// Expressions over three features, and their bounds.
#[derive(Clone)]
pub(crate) struct Triples {
    forms: Vec<Form>,
    expressions: Vec<Bounded>,
    bounds: Bounds,
}

fn signed(value: Number, minus: bool) -> Option<Number> {
    if minus { value.negated() } else { Some(value) }
}

impl Triples {
    /// No triples.
    pub fn none() -> Triples {
        Triples { forms: Vec::new(), expressions: Vec::new(), bounds: Bounds::new() }
    }

    /// Over those features that are memories and change together.
    pub fn new(system: &TransitionSystem, terms: &mut Terms, features: &[Bounded]) -> Triples {
        let mut triples = Triples::none();
        let memories = changing(system, terms, features);
        let together = |a: usize, b: usize| {
            let ((i, ours), (j, theirs)) = (&memories[a], &memories[b]);
            features[*i].sort == features[*j].sort && !ours.is_disjoint(theirs)
        };
        for c in 0..memories.len() {
            for b in (0..c).filter(|b| together(*b, c)) {
                for a in (0..b).filter(|a| together(*a, b) && together(*a, c)) {
                    if triples.forms.len() >= MOST_TRIPLES * FORMS.len() {
                        return triples;
                    }
                    triples.add(terms, features, [memories[a].0, memories[b].0, memories[c].0]);
                }
            }
        }
        triples
    }

    fn add(&mut self, terms: &mut Terms, features: &[Bounded], three: [usize; 3]) {
        for minus in FORMS {
            let form: Form = std::array::from_fn(|i| (three[i], minus[i]));
            let parts = form.map(|(feature, minus)| {
                if minus { terms.neg(features[feature].term) } else { features[feature].term }
            });
            let term = terms.add(&parts);
            self.forms.push(form);
            self.expressions.push(Bounded { term, sort: features[three[0]].sort });
        }
    }

    /// Learns of a row: the values of the features.
    pub fn absorb(&mut self, numbers: &[Option<Number>], thresholds: &Thresholds) {
        let value = |form: &Form| {
            form.iter().try_fold(Number::from(0), |sum, (feature, minus)| {
                sum.plus(signed(numbers[*feature]?, *minus)?)
            })
        };
        let values: Vec<Option<Number>> = self.forms.iter().map(value).collect();
        self.bounds.absorb(&values, thresholds, false);
    }

    /// What is known, beyond what bounds of features, and of sums and differences
    /// of two, say; and beyond equations, which others know.
    pub fn facts(
        &self,
        terms: &mut Terms,
        known: &Bounds,
        pairs: &[(usize, usize, bool)],
        features: usize,
    ) -> Vec<TermId> {
        let of_pair = |(a, a_minus): (usize, bool), (b, b_minus): (usize, bool)| {
            let wanted = (a.min(b), a.max(b), a_minus != b_minus);
            let found = pairs.iter().position(|pair| *pair == wanted);
            let interval = found.and_then(|i| known.interval(features + i)).unwrap_or_default();
            // The pair is that of the smaller index plus or minus the other.
            let first_minus = if a < b { a_minus } else { b_minus };
            interval.signed(first_minus)
        };
        let implied = |i: usize| {
            let form = self.forms[i];
            let mut best = Interval::default();
            for k in 0..3 {
                let (feature, minus) = form[k];
                let one = known.interval(feature).unwrap_or_default().signed(minus);
                let two = of_pair(form[(k + 1) % 3], form[(k + 2) % 3]);
                best = best.meet(one.plus(two));
            }
            best
        };
        self.bounds.beyond(implied).facts(terms, &self.expressions, None)
    }
}

/// The features that are memories, each with the conditions that decide about
/// its next value.
fn changing(
    system: &TransitionSystem,
    terms: &Terms,
    features: &[Bounded],
) -> Vec<(usize, FxHashSet<TermId>)> {
    let mut found = Vec::new();
    for memory in &system.memories {
        let is_it = |f: &Bounded| terms.var(f.term) == Some(memory.var);
        let Some(feature) = features.iter().position(is_it) else { continue };
        if found.len() == MOST_MEMORIES {
            break;
        }
        let mut conditions = FxHashSet::default();
        for term in system.terms.closure([memory.next]) {
            if let Term::Apply(Operator::Ite, [condition, ..]) = system.terms.get(term) {
                // All parts of it: what is added in one place is guarded in another.
                conditions.extend(atoms(&system.terms, *condition));
            }
        }
        found.push((feature, conditions));
    }
    found
}

/// The atoms of a condition.
fn atoms(terms: &Terms, condition: TermId) -> Vec<TermId> {
    let is_atom = |t: &TermId| {
        matches!(
            terms.get(*t),
            Term::Var(_, lustral_term::Sort::Bool)
                | Term::Apply(Operator::Eq, _)
                | Term::Apply(Operator::Le, _)
        )
    };
    terms.closure([condition]).into_iter().filter(is_atom).collect()
}
