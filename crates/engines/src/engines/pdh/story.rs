//! How a search went, as a note for the report.

use std::sync::Arc;

use lustral_duality::{Answer, PredicateId, PrimalDualHoudini, StateId, Tally};
use lustral_system::{Count, Facts, NamedStates, Note, Predicate, Round, Rounds, Section};

use super::lustre::Lustre;
use super::{Pdh, Told};

/// What is counted in each round: of the states and, facing them, of the
/// predicates.
const COUNTS: [[Count; 3]; 2] = [
    [
        Count { name: "states", meaning: "states that were discovered" },
        Count { name: "abstract", meaning: "those that no proof excludes" },
        Count { name: "reachable", meaning: "those that are reachable" },
    ],
    [
        Count { name: "predicates", meaning: "predicates that were discovered" },
        Count { name: "invariant", meaning: "those that are invariant" },
        Count { name: "provable", meaning: "those that have a proof" },
    ],
];

/// The rounds of a search, and its answer about a width.
pub(super) fn tell(
    domain: &Lustre<'_>,
    search: &PrimalDualHoudini,
    Told { width, answer, exhausted }: &Told,
) -> Note {
    let (code, gist, evidence) = match answer {
        Answer::Provable(steps) => {
            let steps = steps.iter().map(|step| named(domain, step.adds.iter()));
            ("provable", format!("{width}-provable"), Some(proof(steps.collect())))
        }
        Answer::Safe(set) => {
            // Other predicates may have a narrower proof: of those nothing is known.
            let gist = if *exhausted {
                format!("safe, though these predicates have no proof by steps of width {width}")
            } else {
                "safe; how narrow a proof can be was not found out".into()
            };
            ("safe", gist, Some(invariant(named(domain, set.iter()))))
        }
        // The execution says it all.
        Answer::Unsafe(_) => ("unsafe", "unsafe".into(), None),
        Answer::Unprovable(set) => {
            let gist = format!("{width}-unprovable, which says nothing about its truth");
            ("unprovable", gist, Some(states(domain, set.iter())))
        }
    };
    let inconclusive = match answer {
        Answer::Unprovable(set) => Some(format!(
            "not provable by steps of width {width} from {}, whether it holds or not: it fails in \
             one of {} states that no such proof excludes",
            domain.vocabulary(),
            set.len()
        )),
        _ => None,
    };
    let mut sections = Vec::new();
    if !search.rounds.is_empty() {
        let rounds = search.rounds.iter().map(round).collect();
        sections.push(Section::Rounds(Rounds { parameter: "width", sides: COUNTS, rounds }));
    }
    // A failure rests on nothing.
    if let Some(evidence) = evidence {
        sections.extend([given(domain), evidence]);
    }
    Note {
        engine: Pdh::NAME,
        title: "Primal-dual search",
        code,
        summary: format!("{gist}, {}", when(search.rounds.len())),
        inconclusive,
        only_open: false,
        sections,
    }
}

fn round(tally: &Tally) -> Round {
    Round { parameter: tally.k, sides: [tally.states, tally.predicates] }
}

/// After how many rounds a search came to its end.
fn when(rounds: usize) -> String {
    match rounds {
        0 => "before the first round of states against predicates".into(),
        1 => "after 1 round of states against predicates".into(),
        n => format!("after {n} rounds of states against predicates"),
    }
}

/// What every query of the search was given as known.
fn given(domain: &Lustre<'_>) -> Section {
    let system = &domain.slice().system;
    let terms = Arc::new(system.terms.clone());
    let typing = system.typing.iter();
    let one = |term: &_| vec![Some(Predicate { terms: terms.clone(), term: *term })];
    let groups = typing.map(one).collect();
    let title = "given, as preparation found it";
    Section::Facts(Facts { title, code: "given", ordered: false, groups })
}

fn proof(groups: Vec<Vec<Option<Predicate>>>) -> Section {
    let title = "the proof, in the order in which each step follows from those before";
    Section::Facts(Facts { title, code: "steps", ordered: true, groups })
}

fn invariant(set: Vec<Option<Predicate>>) -> Section {
    let title = "the invariant, inductive as a whole";
    Section::Facts(Facts { title, code: "invariant", ordered: true, groups: vec![set] })
}

/// Predicates; nothing for the property.
fn named<'p>(
    domain: &Lustre<'_>,
    list: impl Iterator<Item = &'p PredicateId>,
) -> Vec<Option<Predicate>> {
    let one = |p: &PredicateId| domain.predicates(std::iter::once(*p)).pop();
    list.map(one).collect()
}

/// States, without what was added to the system.
fn states<'s>(domain: &Lustre<'_>, list: impl Iterator<Item = &'s StateId>) -> Section {
    let slice = domain.slice();
    let memories = slice.memories();
    let shown: Vec<usize> =
        (0..memories.len()).filter(|i| Some(memories[*i]) != slice.held).collect();
    let values = |s: &StateId| {
        let state = domain.known.values(*s);
        shown.iter().map(|i| state[*i].clone()).collect()
    };
    Section::States(NamedStates {
        title: "the states that no such proof excludes",
        code: "states",
        memories: shown.iter().map(|i| memories[*i]).collect(),
        states: list.map(values).collect(),
    })
}
