//! Formulas in which something was put in another's place.

use crate::formula::{Application, Formula, Moment, Term, Variable};
use crate::signature::SymbolId;

/// What takes the place of something; what is not mentioned stays.
pub trait Substitution {
    /// What stands for a variable where it is used.
    fn variable(&self, variable: &Variable) -> Term {
        Term::Variable(self.binder(variable))
    }

    /// The variable where it is bound.
    fn binder(&self, variable: &Variable) -> Variable {
        variable.clone()
    }

    /// What stands for a relation, its arguments being done with.
    fn relation(&self, _atom: &Application) -> Option<Formula> {
        None
    }

    /// What takes the place of a symbol.
    fn symbol(&self, application: &Application) -> SymbolId {
        application.symbol
    }

    /// Where a symbol is looked up.
    fn moment(&self, application: &Application) -> Moment {
        application.moment
    }
}

/// Every variable with what the function makes of it, where it is bound and where it is used.
struct Renamed<'f>(&'f dyn Fn(&Variable) -> Variable);

impl Substitution for Renamed<'_> {
    fn binder(&self, variable: &Variable) -> Variable {
        (self.0)(variable)
    }
}

/// Every free variable replaced by a term where the function has one.
struct Replaced<'f>(&'f dyn Fn(&Variable) -> Option<Term>);

impl Substitution for Replaced<'_> {
    fn variable(&self, variable: &Variable) -> Term {
        (self.0)(variable).unwrap_or_else(|| Term::Variable(variable.clone()))
    }
}

/// Symbols looked up elsewhere.
struct Moved<'f>(&'f dyn Fn(&Application) -> Moment);

impl Substitution for Moved<'_> {
    fn moment(&self, application: &Application) -> Moment {
        (self.0)(application)
    }
}

/// Other symbols, looked up in the only state there is.
struct InOne<'f>(&'f dyn Fn(&Application) -> SymbolId);

impl Substitution for InOne<'_> {
    fn symbol(&self, application: &Application) -> SymbolId {
        (self.0)(application)
    }

    fn moment(&self, _: &Application) -> Moment {
        Moment::Now
    }
}

/// Relations replaced by formulas where the function has one.
struct Expanded<'f>(&'f dyn Fn(&Application) -> Option<Formula>);

impl Substitution for Expanded<'_> {
    fn relation(&self, atom: &Application) -> Option<Formula> {
        (self.0)(atom)
    }
}

impl Formula {
    /// With formulas in the place of relations. The arguments of what the function is given
    /// have their relations replaced already.
    #[must_use]
    pub fn expanded(&self, with: &dyn Fn(&Application) -> Option<Formula>) -> Formula {
        self.substituted(&Expanded(with))
    }

    /// With other variables, where they are bound and where they are used.
    #[must_use]
    pub fn renamed(&self, with: &dyn Fn(&Variable) -> Variable) -> Formula {
        self.substituted(&Renamed(with))
    }

    /// With terms in the place of variables. A term must not mention a variable that the
    /// formula binds: ids are unique, so only the caller's own could be.
    #[must_use]
    pub fn replaced(&self, with: &dyn Fn(&Variable) -> Option<Term>) -> Formula {
        self.substituted(&Replaced(with))
    }

    /// About one state, with other symbols of the same sorts.
    #[must_use]
    pub fn in_one(&self, with: &dyn Fn(&Application) -> SymbolId) -> Formula {
        self.substituted(&InOne(with))
    }

    /// With symbols looked up at other moments.
    #[must_use]
    pub fn moved(&self, to: &dyn Fn(&Application) -> Moment) -> Formula {
        self.substituted(&Moved(to))
    }

    fn substituted(&self, by: &dyn Substitution) -> Formula {
        let list = |list: &[Formula]| list.iter().map(|f| f.substituted(by)).collect();
        match self {
            Formula::Constant(value) => Formula::Constant(*value),
            Formula::Relation(atom) => {
                let atom = atom.substituted(by);
                by.relation(&atom).unwrap_or(Formula::Relation(atom))
            }
            Formula::Equal(sides) => {
                Formula::equal(sides.0.substituted(by), sides.1.substituted(by))
            }
            Formula::Not(inner) => inner.substituted(by).negated(),
            Formula::And(inner) => Formula::And(list(inner)),
            Formula::Or(inner) => Formula::Or(list(inner)),
            Formula::Implies(sides) => {
                Formula::Implies(Box::new((sides.0.substituted(by), sides.1.substituted(by))))
            }
            Formula::Iff(sides) => {
                Formula::Iff(Box::new((sides.0.substituted(by), sides.1.substituted(by))))
            }
            Formula::Choice(three) => {
                let [a, b, c] = [&three.0, &three.1, &three.2].map(|f| f.substituted(by));
                Formula::Choice(Box::new((a, b, c)))
            }
            Formula::Quantified(quantifier, variables, body) => {
                let variables = variables.iter().map(|v| by.binder(v)).collect();
                Formula::Quantified(*quantifier, variables, Box::new(body.substituted(by)))
            }
        }
    }
}

impl Application {
    fn substituted(&self, by: &dyn Substitution) -> Application {
        Application {
            symbol: by.symbol(self),
            moment: by.moment(self),
            arguments: self.arguments.iter().map(|term| term.substituted(by)).collect(),
        }
    }
}

impl Term {
    /// With symbols looked up at other moments.
    #[must_use]
    pub fn moved(&self, to: &dyn Fn(&Application) -> Moment) -> Term {
        self.substituted(&Moved(to))
    }

    fn substituted(&self, by: &dyn Substitution) -> Term {
        match self {
            Term::Variable(variable) => by.variable(variable),
            Term::Apply(application) => Term::Apply(application.substituted(by)),
            Term::Choice(three) => Term::Choice(Box::new((
                three.0.substituted(by),
                three.1.substituted(by),
                three.2.substituted(by),
            ))),
        }
    }
}
