//! Candidates that say why something is in a relation: what was required of the step that put it there.
//! A guess: nothing here is trusted.
//!
//! Where a transition puts tuples into a relation, something else holds at that time. Perhaps it holds from then
//! on: a leader has been voted for by all of some quorum. Such a fact has a quantifier inside of another, and no
//! finite instance suggests it, since there it is about these elements and those.

use lustral_first_order::{
    Application, Formula, Moment, Quantifier, SymbolId, Term, VarId, Variable,
};
use lustral_protocol::{Change, Protocol, Transition};

/// No more candidates are made for one relation.
const MOST: usize = 24;

/// How a transition puts tuples into a relation.
struct Adding {
    /// What the arguments are called.
    arguments: Vec<Variable>,
    /// What holds of the tuples that are put there, and of the parameters.
    tuples: Formula,
    /// The parameters.
    parameters: Vec<Variable>,
    /// What the transition requires of the state in which it is taken, part by part.
    required: Vec<Formula>,
}

/// Facts that are perhaps inductive: each says of a relation that what is in it has a reason.
#[must_use]
pub fn reasons(protocol: &Protocol) -> Vec<Formula> {
    let mut found = Vec::new();
    for (id, symbol) in protocol.signature.symbols() {
        if symbol.result.is_some() || protocol.changes[id.index()] != Change::Mutable {
            continue;
        }
        let changing = protocol.transitions.iter().filter(|t| t.modifies.contains(&id));
        let all: Option<Vec<Option<Adding>>> = changing.map(|t| adding(t, id)).collect();
        let adding: Vec<Adding> = all.into_iter().flatten().flatten().collect();
        if let Some(first) = adding.first() {
            found.extend(facts(id, &first.arguments, &adding));
        }
    }
    found
}

/// The facts about a relation: one for each choice of what every transition that adds to it requires.
fn facts(relation: SymbolId, arguments: &[Variable], adding: &[Adding]) -> Vec<Formula> {
    let mut chosen: Vec<Vec<Formula>> = vec![Vec::new()];
    for one in adding {
        let ways: Vec<Formula> = if one.required.is_empty() {
            vec![one.reason(arguments, &Formula::Constant(true))]
        } else {
            one.required.iter().map(|required| one.reason(arguments, required)).collect()
        };
        let more = |known: &Vec<Formula>| {
            let known = known.clone();
            ways.iter().map(move |way| [&known[..], std::slice::from_ref(way)].concat())
        };
        chosen = chosen.iter().flat_map(more).take(MOST).collect();
    }
    let fact = |mut reasons: Vec<Formula>| {
        let arguments = arguments.to_vec();
        let terms = arguments.iter().cloned().map(Term::Variable).collect();
        let is = Application { symbol: relation, moment: Moment::Now, arguments: terms };
        let reason = if reasons.len() == 1 { reasons.swap_remove(0) } else { Formula::Or(reasons) };
        Formula::forall(arguments, Formula::Implies(Box::new((Formula::Relation(is), reason))))
    };
    chosen.into_iter().map(fact).collect()
}

impl Adding {
    /// That there are parameters for which the tuple is put there, and for which something holds.
    fn reason(&self, arguments: &[Variable], required: &Formula) -> Formula {
        let place = |id: VarId| self.arguments.iter().position(|own| own.id == id);
        let as_argument = |formula: &Formula| {
            formula.replaced(&|v| Some(Term::Variable(arguments[place(v.id)?].clone())))
        };
        // A parameter that is one of the arguments need not be spoken of.
        let mut is: Vec<(VarId, Variable)> = Vec::new();
        let mut rest = Vec::new();
        for part in parts(&self.tuples) {
            match self.parameter(&part) {
                Some((parameter, argument)) if is.iter().all(|(known, _)| *known != parameter) => {
                    let Some(place) = place(argument) else { continue };
                    is.push((parameter, arguments[place].clone()));
                }
                _ => rest.push(part),
            }
        }
        rest.push(required.clone());
        let instead = |formula: &Formula| {
            as_argument(formula).replaced(&|v| {
                let (_, argument) = is.iter().find(|(parameter, _)| *parameter == v.id)?;
                Some(Term::Variable(argument.clone()))
            })
        };
        let body = Formula::all(rest.iter().map(instead));
        let left = self.parameters.iter().filter(|p| is.iter().all(|(known, _)| *known != p.id));
        // What does not speak of a parameter holds whichever it is.
        let left: Vec<Variable> = left.filter(|p| body.uses(p.id)).cloned().collect();
        if left.is_empty() {
            return body;
        }
        Formula::Quantified(Quantifier::Exists, left, Box::new(body))
    }

    /// That an argument is a parameter, if that is what a formula says.
    fn parameter(&self, formula: &Formula) -> Option<(VarId, VarId)> {
        let Formula::Equal(sides) = formula else { return None };
        let (Term::Variable(left), Term::Variable(right)) = (&sides.0, &sides.1) else {
            return None;
        };
        let is_parameter = |v: &Variable| self.parameters.iter().any(|p| p.id == v.id);
        let is_argument = |v: &Variable| self.arguments.iter().any(|a| a.id == v.id);
        match (left, right) {
            (a, p) if is_argument(a) && is_parameter(p) => Some((p.id, a.id)),
            (p, a) if is_argument(a) && is_parameter(p) => Some((p.id, a.id)),
            _ => None,
        }
    }
}

/// What a transition adds to a relation: nothing inside if it only takes away. Nothing if that is not to be
/// read from its body.
fn adding(by: &Transition, relation: SymbolId) -> Option<Option<Adding>> {
    let mut outer = Vec::new();
    let body = without_forall(&by.body, &mut outer);
    let (mut update, mut required) = (None, Vec::new());
    for part in parts(body) {
        let mut inner = outer.clone();
        match without_forall(&part, &mut inner) {
            Formula::Iff(sides) if is_new(&sides.0, relation) => {
                update = Some((sides.0.clone(), sides.1.clone()));
            }
            _ if part.speaks_of_next() => {}
            _ => {
                let bound = outer.iter().filter(|v| part.uses(v.id)).cloned().collect();
                required.push(Formula::forall(bound, part));
            }
        }
    }
    let (Formula::Relation(new), becomes) = update? else { return None };
    let arguments: Option<Vec<Variable>> = new
        .arguments
        .iter()
        .map(|term| match term {
            Term::Variable(variable) => Some(variable.clone()),
            _ => None,
        })
        .collect();
    let own = arguments?;
    let was = Formula::Relation(Application { moment: Moment::Now, ..new });
    let tuples = match becomes {
        Formula::And(list) if list.contains(&was) => return Some(None),
        Formula::Or(list) => {
            let mut others: Vec<Formula> = list.into_iter().filter(|part| *part != was).collect();
            if others.len() == 1 { others.swap_remove(0) } else { Formula::Or(others) }
        }
        same if same == was => return Some(None),
        other => other,
    };
    if tuples.speaks_of_next() {
        return None;
    }
    // The same variable may be bound in what is required: the arguments get new ones.
    let arguments: Vec<Variable> = own.iter().zip(0..).map(|(v, i)| fresh(v, i, &outer)).collect();
    let tuples = tuples.replaced(&|v| {
        let place = own.iter().position(|known| known.id == v.id)?;
        Some(Term::Variable(arguments[place].clone()))
    });
    Some(Some(Adding { arguments, tuples, parameters: by.parameters.clone(), required }))
}

/// A variable that no formula of a protocol has, with a name that none of the others has.
fn fresh(like: &Variable, number: u32, others: &[Variable]) -> Variable {
    let mut name = like.name.to_string();
    while others.iter().any(|other| *other.name == *name) {
        name.push('0');
    }
    Variable { id: VarId(u32::MAX - number), sort: like.sort, name: name.into() }
}

/// The formula inside of universal quantifiers, whose variables are noted.
fn without_forall<'f>(mut formula: &'f Formula, bound: &mut Vec<Variable>) -> &'f Formula {
    while let Formula::Quantified(Quantifier::Forall, variables, inner) = formula {
        bound.extend(variables.iter().cloned());
        formula = inner;
    }
    formula
}

/// The parts of a conjunction.
fn parts(formula: &Formula) -> Vec<Formula> {
    let mut found = Vec::new();
    let mut left = vec![formula];
    while let Some(one) = left.pop() {
        match one {
            Formula::And(list) => left.extend(list.iter().rev()),
            other => found.push(other.clone()),
        }
    }
    found
}

fn is_new(formula: &Formula, relation: SymbolId) -> bool {
    matches!(formula, Formula::Relation(atom)
        if atom.symbol == relation && atom.moment == Moment::Next)
}
