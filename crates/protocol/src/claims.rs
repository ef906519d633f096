//! Theorems and traces as protocols of their own. Trusted: what is said of these is said of the protocol.
//!
//! A theorem about one state holds of all states of the axioms, whether they can be reached or not: it is
//! the safety property of a protocol without `init` and without transitions. One about two states is that of
//! a protocol with one transition, which leads from anywhere to anywhere where the theorem does not
//! hold: that it was taken is what never happens.
//!
//! A trace is a protocol that goes through it step by step: what is safe is that its end is not reached.
//! The same as one formula about all of its states at once has a copy of each symbol for each
//! state ([`Protocol::trace_at_once`]).

use std::sync::Arc;

use lustral_first_order::{
    Application, Formula, Moment, Quantifier, Symbol, SymbolId, Term, VarId, Variable,
};

use crate::protocol::{Change, Part, Protocol, Stated, Step, Trace, Transition};

/// How the names of symbols begin that no text can have: they are of these protocols, and not shown.
pub const HIDDEN: char = ' ';

impl Protocol {
    /// The protocol whose only safety property is a theorem.
    #[must_use]
    pub fn theorem(&self, number: usize) -> Protocol {
        let (states, stated) = &self.theorems[number];
        let mut alone = self.bare(stated.name.clone(), stated);
        if *states < 2 {
            alone.safety[0].formula = stated.formula.clone();
            return alone;
        }
        let taken = alone.flag("taken");
        alone.init.push(as_stated(flag(taken, Moment::Now).negated(), stated));
        alone.safety[0].formula = flag(taken, Moment::Now).negated();
        alone.transitions.push(Transition {
            name: "any change".into(),
            parameters: Vec::new(),
            modifies: alone.mutable(),
            body: Formula::all([stated.formula.clone().negated(), flag(taken, Moment::Next)]),
            span: stated.span,
        });
        alone
    }

    /// The protocol that goes through a trace, and whose safety property is that its end is not reached.
    #[must_use]
    pub fn trace(&self, number: usize) -> Protocol {
        let trace = &self.traces[number];
        let stated = claim(trace);
        let mut through = self.bare(stated.name.clone(), &stated);
        let states = split(trace);
        let flags: Vec<SymbolId> =
            (0..states.len()).map(|state| through.flag(&state.to_string())).collect();
        let at = |state: usize, moment: Moment| {
            let is = flags.iter().enumerate().map(|(i, at)| {
                let here = flag(*at, moment);
                if i == state { here } else { here.negated() }
            });
            Formula::all(is)
        };
        let first = self.holds(&states[0].1, begins(trace));
        through.init.push(as_stated(Formula::all([first, at(0, Moment::Now)]), &stated));
        for (i, (by, parts)) in states.iter().enumerate().skip(1) {
            let after = self.at(&self.holds(parts, false), Moment::Next);
            for step in self.steps(by) {
                let taken = &self.transitions[step.transition];
                let said = [
                    at(i - 1, Moment::Now),
                    taken.body.clone(),
                    arguments(taken, &step),
                    at(i, Moment::Next),
                    after.clone(),
                ];
                let modifies = taken.modifies.iter().chain(&flags).copied().collect();
                let body = Formula::all(said);
                through.transitions.push(Transition { modifies, body, ..taken.clone() });
            }
        }
        let end = flags[states.len() - 1];
        through.safety[0].formula = flag(end, Moment::Now).negated();
        through
    }

    /// The protocol without transitions whose safety property is that no states are those of a trace: it
    /// has a symbol for each mutable one and each state of the trace.
    #[must_use]
    pub fn trace_at_once(&self, number: usize) -> Protocol {
        let trace = &self.traces[number];
        let stated = claim(trace);
        let mut once = self.bare(stated.name.clone(), &stated);
        let states = split(trace);
        let copies: Vec<Vec<SymbolId>> =
            (0..states.len()).map(|state| once.copies(self, state)).collect();
        // Of a step, and of the state that it begins in or ends in.
        let copied = |formula: &Formula, now: usize| {
            self.expanded(formula).in_one(&|atom: &Application| {
                let state = if atom.moment == Moment::Next { now + 1 } else { now };
                copies[state.min(states.len() - 1)][atom.symbol.index()]
            })
        };
        let mut all = vec![copied(&self.holds(&states[0].1, begins(trace)), 0)];
        for (i, (by, parts)) in states.iter().enumerate().skip(1) {
            let ways = self.steps(by).into_iter().map(|step| {
                let taken = &self.transitions[step.transition];
                let changes = Formula::all([taken.body.clone(), arguments(taken, &step)]);
                let changes = copied(&changes, i - 1);
                let some = match &taken.parameters[..] {
                    [] => changes,
                    all => Formula::Quantified(Quantifier::Exists, all.to_vec(), Box::new(changes)),
                };
                let stay = self.mutable().into_iter().filter(|s| !taken.modifies.contains(s));
                let stay = stay.map(|s| once.same(copies[i - 1][s.index()], copies[i][s.index()]));
                Formula::all(stay.chain([some]))
            });
            let ways: Vec<Formula> = ways.collect();
            all.push(Formula::Or(ways));
            all.push(copied(&self.holds(parts, false), i));
        }
        once.safety[0].formula = Formula::all(all).negated();
        once
    }

    /// The signature and the axioms, and a property about nothing yet.
    fn bare(&self, name: String, stated: &Stated) -> Protocol {
        let safety = vec![Stated { name, formula: Formula::Constant(true), span: stated.span }];
        Protocol {
            signature: self.signature.clone(),
            changes: self.changes.clone(),
            axioms: self.axioms.clone(),
            safety,
            ..Protocol::default()
        }
    }

    /// A new relation without arguments.
    fn flag(&mut self, name: &str) -> SymbolId {
        self.symbol(format!("{HIDDEN}{name}").into(), Vec::new(), None)
    }

    fn symbol(
        &mut self,
        name: Arc<str>,
        arguments: Vec<lustral_first_order::SortId>,
        result: Option<lustral_first_order::SortId>,
    ) -> SymbolId {
        let id = SymbolId(self.signature.symbols.len() as u32);
        self.signature.symbols.push(Symbol { name, arguments, result });
        self.changes.push(Change::Mutable);
        id
    }

    /// By symbol of the first protocol: the symbol for a state.
    fn copies(&mut self, of: &Protocol, state: usize) -> Vec<SymbolId> {
        let mut copies = Vec::new();
        for (id, symbol) in of.signature.symbols() {
            copies.push(match of.changes[id.index()] {
                Change::Immutable | Change::Derived(_) => id,
                Change::Mutable => {
                    let name = format!("{HIDDEN}{} {state}", symbol.name).into();
                    self.symbol(name, symbol.arguments.clone(), symbol.result)
                }
            });
        }
        copies
    }

    /// All that may change.
    fn mutable(&self) -> Vec<SymbolId> {
        let ids = self.signature.symbols().map(|(id, _)| id);
        ids.filter(|id| self.changes[id.index()] == Change::Mutable).collect()
    }

    /// That two symbols of the same sorts are the same for all arguments.
    fn same(&self, left: SymbolId, right: SymbolId) -> Formula {
        let symbol = self.signature.symbol(left);
        let variables: Vec<Variable> = symbol
            .arguments
            .iter()
            .zip(0..)
            // No formula around it has these, and nothing is put into it.
            .map(|(sort, i)| Variable { id: VarId(u32::MAX - i), sort: *sort, name: "X".into() })
            .collect();
        let [left, right] = [left, right].map(|symbol| Application {
            symbol,
            moment: Moment::Now,
            arguments: variables.iter().cloned().map(Term::Variable).collect(),
        });
        let body = match symbol.result {
            Some(_) => Formula::equal(Term::Apply(left), Term::Apply(right)),
            None => Formula::Iff(Box::new((Formula::Relation(left), Formula::Relation(right)))),
        };
        Formula::forall(variables, body)
    }

    /// What parts of a trace say of one state, which may have to be a first one besides.
    fn holds(&self, parts: &[&Part], first: bool) -> Formula {
        let init = || self.init.iter().map(|stated| stated.formula.clone());
        let mut all: Vec<Formula> = if first { init().collect() } else { Vec::new() };
        for part in parts {
            match part {
                Part::Init => all.extend(init()),
                Part::Holds(formula) => all.push(formula.clone()),
                Part::Any | Part::Step(_) => {}
            }
        }
        Formula::all(all)
    }

    /// The steps that a part of a trace allows.
    fn steps(&self, by: &Part) -> Vec<Step> {
        match by {
            Part::Step(steps) => steps.clone(),
            Part::Any => {
                let all = self.transitions.iter().enumerate();
                let step = |(transition, taken): (usize, &Transition)| Step {
                    transition,
                    arguments: vec![None; taken.parameters.len()],
                };
                all.map(step).collect()
            }
            Part::Init | Part::Holds(_) => Vec::new(),
        }
    }
}

/// Whether the first state of a trace is a first state of the protocol: unless the trace says first what
/// holds of it, as in mypyvy.
fn begins(trace: &Trace) -> bool {
    matches!(trace.parts.first(), Some(Part::Any | Part::Step(_)))
}

/// The states of a trace: the part by which each is entered (of the first: any), and what is said of it.
fn split(trace: &Trace) -> Vec<(&Part, Vec<&Part>)> {
    let mut states = vec![(&Part::Any, Vec::new())];
    for part in &trace.parts {
        match part {
            Part::Any | Part::Step(_) => states.push((part, Vec::new())),
            Part::Init | Part::Holds(_) => {
                if let Some((_, parts)) = states.last_mut() {
                    parts.push(part);
                }
            }
        }
    }
    states
}

/// That the parameters are what the trace says.
fn arguments(taken: &Transition, step: &Step) -> Formula {
    let given = taken.parameters.iter().zip(&step.arguments);
    let equal = given.filter_map(|(parameter, argument)| {
        Some(Formula::equal(Term::Variable(parameter.clone()), argument.clone()?))
    });
    Formula::all(equal)
}

fn flag(symbol: SymbolId, moment: Moment) -> Formula {
    Formula::Relation(Application { symbol, moment, arguments: Vec::new() })
}

fn as_stated(formula: Formula, like: &Stated) -> Stated {
    Stated { formula, ..like.clone() }
}

/// What a trace claims has a name and a place; the formula is none yet.
fn claim(trace: &Trace) -> Stated {
    let name = trace.name.clone();
    Stated { name, formula: Formula::Constant(true), span: trace.span }
}
