//! What a formula about the state that is entered says of it, part by part: where it says what
//! the value of a symbol is, that is an *update*, which defines the value; all else is a
//! *constraint*.
//!
//! The parts together are equivalent to the formula, whatever is recognised: an update is a
//! formula like the others, and `build.rs` says what becomes of it.

use lustral_first_order::{Application, Formula, Moment, Quantifier, Term, VarId, Variable};

/// For all elements as variables, if the guards hold of the state that is left, the symbol has
/// this value in the state that is entered. Value and arguments speak of the state that is left.
#[derive(Clone, Debug)]
pub(super) struct Update {
    pub variables: Vec<Variable>,
    pub guards: Vec<Formula>,
    pub target: Application,
    pub value: Value,
}

/// The value of a relation or of a function.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Holds(Formula),
    Is(Term),
}

/// The parts of a formula.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    pub updates: Vec<Update>,
    pub constraints: Vec<Formula>,
}

/// What stands around a part.
#[derive(Clone, Default)]
struct Around {
    variables: Vec<Variable>,
    guards: Vec<Formula>,
}

impl Around {
    fn given(&self, guard: Formula) -> Around {
        let mut around = self.clone();
        around.guards.push(guard);
        around
    }

    /// The variables that are used: as no sort is empty, the others make no difference.
    fn variables(&self, uses: &dyn Fn(VarId) -> bool) -> Vec<Variable> {
        let used = |v: &&Variable| uses(v.id) || self.guards.iter().any(|g| g.uses(v.id));
        self.variables.iter().filter(used).cloned().collect()
    }
}

impl Parts {
    /// Takes a formula apart.
    pub fn of(formula: &Formula) -> Parts {
        let mut parts = Parts::default();
        parts.add(formula, &Around::default());
        parts
    }

    fn add(&mut self, formula: &Formula, around: &Around) {
        match formula {
            Formula::And(list) => list.iter().for_each(|part| self.add(part, around)),
            Formula::Quantified(Quantifier::Forall, variables, body) => {
                let mut around = around.clone();
                around.variables.extend(variables.iter().cloned());
                self.add(body, &around);
            }
            Formula::Implies(sides) if !sides.0.speaks_of_next() => {
                self.add(&sides.1, &around.given(sides.0.clone()));
            }
            Formula::Choice(three) if !three.0.speaks_of_next() => {
                self.add(&three.1, &around.given(three.0.clone()));
                self.add(&three.2, &around.given(three.0.clone().negated()));
            }
            _ => match update(formula) {
                Some((target, value)) => {
                    let uses = |id: VarId| {
                        target.arguments.iter().any(|term| term.uses(id))
                            || match &value {
                                Value::Holds(formula) => formula.uses(id),
                                Value::Is(term) => term.uses(id),
                            }
                    };
                    let variables = around.variables(&uses);
                    let guards = around.guards.clone();
                    self.updates.push(Update { variables, guards, target, value });
                }
                None => self.constrain(formula, around),
            },
        }
    }

    fn constrain(&mut self, formula: &Formula, around: &Around) {
        let variables = around.variables(&|id| formula.uses(id));
        let body = if around.guards.is_empty() {
            formula.clone()
        } else {
            let guards = Formula::all(around.guards.iter().cloned());
            Formula::Implies(Box::new((guards, formula.clone())))
        };
        self.constraints.push(Formula::forall(variables, body));
    }
}

/// The symbol whose value a formula says, and the value.
fn update(formula: &Formula) -> Option<(Application, Value)> {
    match formula {
        Formula::Relation(atom) if is_target(atom) => {
            Some((atom.clone(), Value::Holds(Formula::Constant(true))))
        }
        Formula::Not(inner) => match &**inner {
            Formula::Relation(atom) if is_target(atom) => {
                Some((atom.clone(), Value::Holds(Formula::Constant(false))))
            }
            _ => None,
        },
        Formula::Iff(sides) => match (&sides.0, &sides.1) {
            (Formula::Relation(atom), value) | (value, Formula::Relation(atom))
                if is_target(atom) && !value.speaks_of_next() =>
            {
                Some((atom.clone(), Value::Holds(value.clone())))
            }
            _ => None,
        },
        Formula::Equal(sides) => match (&sides.0, &sides.1) {
            (Term::Apply(target), value) | (value, Term::Apply(target))
                if is_target(target) && !value.speaks_of_next() =>
            {
                Some((target.clone(), Value::Is(value.clone())))
            }
            _ => None,
        },
        _ => None,
    }
}

/// A symbol in the state that is entered, with arguments that do not depend on that state.
fn is_target(application: &Application) -> bool {
    application.moment == Moment::Next && !application.arguments.iter().any(Term::speaks_of_next)
}
