//! Constrained Horn clauses as data.

use lustral_term::{Sort, TermId, Terms, VarId};

/// Clauses over some predicates, in one arena.
#[derive(Clone, Default, Debug)]
pub struct Clauses {
    /// The arena of all terms below.
    pub terms: Terms,
    /// By variable of the arena: its name and sort. All names are generated.
    pub variables: Vec<(String, Sort)>,
    /// The predicates.
    pub predicates: Vec<Signature>,
    /// The clauses.
    pub clauses: Vec<Clause>,
    /// Whether a quotient by zero, or the result of a function of which nothing is known, is
    /// any value in each clause, though it should be the same for the same operands: then a
    /// derivation of `false` may be about no execution.
    pub approximate: bool,
}

/// A predicate.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Its name, a generated one.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// What it is, for people.
    pub about: String,
}

/// An argument of a predicate.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its sort.
    pub sort: Sort,
    /// What it is, for people.
    pub about: String,
}

/// For all values of the variables: the applications of the body and the
/// constraints imply the head.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What it says, for people.
    pub about: String,
    /// The applications of the body.
    pub body: Vec<Application>,
    /// The constraints of the body.
    pub constraints: Vec<TermId>,
    /// None for `false`.
    pub head: Option<Application>,
}

/// A predicate, by its position, of some terms.
#[derive(Clone, Debug)]
pub struct Application {
    /// The predicate.
    pub predicate: usize,
    /// Its arguments.
    pub arguments: Vec<TermId>,
}

impl Clauses {
    /// A new variable; its name is a prefix and a number.
    pub fn variable(&mut self, prefix: char, sort: Sort) -> TermId {
        let id = VarId(self.variables.len() as u32);
        self.variables.push((format!("{prefix}{}", id.0), sort));
        self.terms.variable(id, sort)
    }
}

impl Clauses {
    /// Adds a clause.
    pub fn push(
        &mut self,
        about: &str,
        body: Vec<Application>,
        constraints: Vec<TermId>,
        head: Option<Application>,
    ) {
        self.clauses.push(Clause { about: about.into(), body, constraints, head });
    }
}

impl Clause {
    /// The terms that occur in it.
    pub fn roots(&self) -> impl Iterator<Item = TermId> + '_ {
        let applications = self.body.iter().chain(&self.head);
        let arguments = applications.flat_map(|a| a.arguments.iter());
        arguments.chain(&self.constraints).copied()
    }
}
