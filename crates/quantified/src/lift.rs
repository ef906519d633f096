//! What holds of a finite instance, said of all elements of all sizes. A guess: nothing here is
//! trusted.
//!
//! The reachable states of an instance are the same whatever its elements are called. So if a
//! clause holds of all of them, it holds with elements renamed too: that is what it says of any
//! elements that are pairwise different, as many as it mentions. Said without the number of
//! elements, that is a candidate for all sizes.
//!
//! Where a clause mentions all elements of a sort, and some of them in the same way, it may mean
//! that some element is so, and not that one of three is:  those become a
//! quantifier.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lustral_first_order::{
    Application, Formula, Moment, Quantifier, Signature, SortId, SymbolId, Term, Universe, VarId,
    Variable,
};

/// That a tuple is in a relation, or that a function has a value for it; or that this is not so.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Literal {
    /// The symbol.
    pub symbol: SymbolId,
    /// The arguments, and after them the value of a function.
    pub elements: Vec<u32>,
    /// Whether it is so.
    pub holds: bool,
}

/// One of these is so, in every state of the instance that can be reached.
pub type Clause = BTreeSet<Literal>;

/// An element of a sort.
type Element = (SortId, u32);

/// The sorts of what a literal mentions.
fn sorts(signature: &Signature, symbol: SymbolId) -> impl Iterator<Item = SortId> + '_ {
    let symbol = signature.symbol(symbol);
    symbol.arguments.iter().copied().chain(symbol.result)
}

fn elements(signature: &Signature, literal: &Literal) -> Vec<Element> {
    sorts(signature, literal.symbol).zip(literal.elements.iter().copied()).collect()
}

/// The formulas that a clause of an instance may mean, for all sizes. Clauses that differ by the
/// names of elements mean the same ones.
#[must_use]
pub fn lift(signature: &Signature, universe: &Universe, clause: &Clause) -> Vec<Formula> {
    let clause = &renamed(signature, clause);
    let mentioned: BTreeSet<Element> =
        clause.iter().flat_map(|literal| elements(signature, literal)).collect();
    let mut found = vec![Lifting::new(signature, &mentioned, None).formula(clause)];
    for sort in signature.sort_ids() {
        let all: Vec<Element> = mentioned.iter().copied().filter(|e| e.0 == sort).collect();
        if all.len() < 2 || all.len() != universe.size(sort) as usize {
            continue;
        }
        for group in alike(signature, clause, &all) {
            found.push(Lifting::new(signature, &mentioned, Some(&group)).formula(clause));
        }
    }
    found
}

/// More ways to name the elements of a clause than this are not tried.
const MOST_NAMES: usize = 5_040;

/// The least clause that differs only by the names of elements, where there are few enough ways.
fn renamed(signature: &Signature, clause: &Clause) -> Clause {
    let mentioned: BTreeSet<Element> =
        clause.iter().flat_map(|literal| elements(signature, literal)).collect();
    let by_sort: Vec<Vec<Element>> = mentioned
        .iter()
        .copied()
        .collect::<Vec<_>>()
        .chunk_by(|a, b| a.0 == b.0)
        .map(<[Element]>::to_vec)
        .collect();
    let ways = by_sort.iter().flat_map(|all| 1..=all.len()).try_fold(1, usize::checked_mul);
    let mut names: Vec<BTreeMap<Element, u32>> = vec![BTreeMap::new()];
    for all in &by_sort {
        let orders = if ways.is_some_and(|ways| ways <= MOST_NAMES) {
            orders(all)
        } else {
            vec![all.clone()]
        };
        let extend = |known: &BTreeMap<Element, u32>| {
            let known = known.clone();
            orders.iter().map(move |order| {
                let mut more = known.clone();
                more.extend(order.iter().copied().zip(0..));
                more
            })
        };
        names = names.iter().flat_map(extend).collect();
    }
    let rename = |names: &BTreeMap<Element, u32>| -> Clause {
        let one = |literal: &Literal| {
            let parts = elements(signature, literal);
            let elements = parts.iter().map(|element| names[element]).collect();
            Literal { elements, ..literal.clone() }
        };
        clause.iter().map(one).collect()
    };
    names.iter().map(rename).min().unwrap_or_else(|| clause.clone())
}

/// All orders of some elements.
fn orders(all: &[Element]) -> Vec<Vec<Element>> {
    if all.is_empty() {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for (i, first) in all.iter().enumerate() {
        let rest: Vec<Element> = [&all[..i], &all[i + 1..]].concat();
        found.extend(orders(&rest).into_iter().map(|mut order| {
            order.insert(0, *first);
            order
        }));
    }
    found
}

/// The largest groups of at least two elements that a clause speaks of in the same way, and of which
/// no literal mentions two.
fn alike(signature: &Signature, clause: &Clause, all: &[Element]) -> Vec<Vec<Element>> {
    let about = |element: &Element| -> BTreeSet<(SymbolId, Vec<Option<u32>>, bool)> {
        let mentions = clause.iter().filter(|l| elements(signature, l).contains(element));
        let pattern = |literal: &Literal| {
            let parts = elements(signature, literal).into_iter();
            let parts = parts.map(|e| (e != *element).then_some(e.1)).collect();
            (literal.symbol, parts, literal.holds)
        };
        mentions.map(pattern).collect()
    };
    let mut groups: BTreeMap<_, Vec<Element>> = BTreeMap::new();
    for element in all {
        groups.entry(about(element)).or_default().push(*element);
    }
    let apart = |group: &Vec<Element>| {
        let among = |literal: &Literal| {
            let mentioned = elements(signature, literal);
            group.iter().filter(|element| mentioned.contains(element)).count()
        };
        group.len() > 1 && clause.iter().all(|literal| among(literal) < 2)
    };
    groups.into_values().filter(apart).collect()
}

/// How the elements of a clause are read.
struct Lifting<'s> {
    signature: &'s Signature,
    variables: BTreeMap<Element, Variable>,
    /// Elements that stand for some element.
    group: Option<&'s [Element]>,
}

impl<'s> Lifting<'s> {
    fn new(
        signature: &'s Signature,
        mentioned: &BTreeSet<Element>,
        group: Option<&'s [Element]>,
    ) -> Lifting<'s> {
        let mut variables = BTreeMap::new();
        let mut numbers: BTreeMap<SortId, usize> = BTreeMap::new();
        // What stands for some element is counted after the others.
        let is_some = |element: &Element| group.is_some_and(|group| group.contains(element));
        let first = mentioned.iter().filter(|element| !is_some(element));
        let then = group.iter().filter_map(|group| group.first());
        for (id, element) in first.chain(then).enumerate() {
            let number = numbers.entry(element.0).or_default();
            *number += 1;
            let name: Arc<str> = name_of(signature, element.0, *number).into();
            let variable = Variable { id: VarId(id as u32), sort: element.0, name };
            variables.insert(*element, variable);
        }
        Lifting { signature, variables, group }
    }

    fn formula(&self, clause: &Clause) -> Formula {
        let in_group = |element: &Element| self.group.is_some_and(|g| g.contains(element));
        let speaks_of_some =
            |literal: &Literal| elements(self.signature, literal).iter().any(in_group);
        let outer: Vec<&Variable> =
            self.variables.iter().filter(|(e, _)| !in_group(e)).map(|(_, v)| v).collect();
        let mut parts = Vec::new();
        for (i, left) in outer.iter().enumerate() {
            for right in outer[..i].iter().filter(|right| right.sort == left.sort) {
                parts.push(same(right, left));
            }
        }
        parts.extend(clause.iter().filter(|l| !speaks_of_some(l)).map(|l| self.literal(l)));
        if let Some(one) = self.group.and_then(|group| group.first())
            && let Some(some) = self.variables.get(one)
        {
            let others = outer.iter().filter(|other| other.sort == some.sort);
            let mut inner: Vec<Formula> = others.map(|other| same(other, some).negated()).collect();
            let said: Vec<Formula> = clause
                .iter()
                .filter(|l| elements(self.signature, l).contains(one))
                .map(|l| self.literal(l))
                .collect();
            inner.push(any(said));
            let body = Box::new(Formula::all(inner));
            parts.push(Formula::Quantified(Quantifier::Exists, vec![some.clone()], body));
        }
        Formula::forall(outer.into_iter().cloned().collect(), any(parts))
    }

    fn literal(&self, literal: &Literal) -> Formula {
        let term = |element: &Element| Term::Variable(self.variables[element].clone());
        let mut terms: Vec<Term> = elements(self.signature, literal).iter().map(term).collect();
        let function = self.signature.symbol(literal.symbol).result.is_some();
        let value = if function { terms.pop() } else { None };
        let application =
            Application { symbol: literal.symbol, moment: Moment::Now, arguments: terms };
        let said = match value {
            Some(value) => Formula::equal(Term::Apply(application), value),
            None => Formula::Relation(application),
        };
        if literal.holds { said } else { said.negated() }
    }
}

fn same(left: &Variable, right: &Variable) -> Formula {
    Formula::equal(Term::Variable(left.clone()), Term::Variable(right.clone()))
}

fn any(mut parts: Vec<Formula>) -> Formula {
    if parts.len() == 1 { parts.swap_remove(0) } else { Formula::Or(parts) }
}

/// A name for a variable: the first letter of its sort, in capitals, as protocols have it.
fn name_of(signature: &Signature, sort: SortId, number: usize) -> String {
    let letter = |sort: SortId| signature.sort(sort).chars().next().unwrap_or('x');
    let shared = signature.sort_ids().filter(|other| letter(*other) == letter(sort)).count() > 1;
    let name = if shared { signature.sort(sort).to_string() } else { letter(sort).to_string() };
    format!("{}{number}", name.to_uppercase())
}
