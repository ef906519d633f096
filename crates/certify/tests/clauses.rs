//! Models of the clauses of a program, node by node: what is a model passes,
//! and what was changed so that it is none is refused; nothing is shown of a node
//! that does not follow.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use lustral_base::Cancel;
use lustral_certify::{
    Checked, CutProgram, NodeClauses, NodeModel, PartList, Parts, ProofChecker, Rejected,
};
use lustral_horn::{Definition, Model, Place, Selection};
use lustral_sema::NodeId;
use lustral_sema::instances::Wanted;
use lustral_term::{Sort, TermId, Terms, VarId};
use lustral_testing::encoding::accepted;

const COUNT: &str = "
    node count(r: bool) returns (n: int); let n = 0 -> if r then 0 else pre n + 1; tel
    node main(r: bool) returns (a: int); let a = count(r); check a >= 0; tel";

const COUNT_NODE: usize = 0;
const MAIN: usize = 1;

fn clauses() -> Arc<NodeClauses> {
    let kernel = Arc::new(accepted(COUNT).unwrap().kernel);
    let wanted = Wanted::ALL;
    let program = CutProgram::below(&kernel, NodeId(1), wanted, &|_| String::new()).unwrap();
    let program = Arc::new(program);
    NodeClauses::new(&program, &Selection::all(&program))
}

/// Which argument something is.
#[derive(Clone, Copy)]
enum Named {
    Output,
    Flag,
    Before,
    After,
}

fn position(clauses: &NodeClauses, node: usize, places: &[Place], named: Named) -> VarId {
    let output = clauses.program().nodes[node].flows(lustral_system::StreamRole::Output).next();
    let wanted = match named {
        Named::Output => Place::Flow(output.unwrap()),
        Named::Flag => Place::Flag,
        Named::Before => Place::Before(0),
        Named::After => Place::After(0),
    };
    VarId(places.iter().position(|place| *place == wanted).unwrap() as u32)
}

fn at_least(terms: &mut Terms, var: VarId, bound: i64) -> TermId {
    let (var, bound) = (terms.variable(var, Sort::Int), terms.int(bound));
    terms.le(bound, var)
}

/// Definitions of a node's predicates, or of `Main`.
struct Build<'c> {
    clauses: &'c NodeClauses,
    model: Model,
}

impl Build<'_> {
    fn define(&mut self, predicate: usize, define: impl Fn(&mut Terms) -> TermId) {
        let mut terms = Terms::new();
        let term = define(&mut terms);
        self.model.definitions[predicate] = Definition { terms, term };
    }

    /// Numbers are not negative and flags hold, at every step from such a state.
    fn node(&mut self, node: usize, numbers: &[Named]) {
        let clauses = self.clauses;
        let predicates = &clauses.nodes[node];
        let flag = predicates.initial_places.contains(&Place::Flag);
        let holds = |terms: &mut Terms, places: &[Place]| {
            let at = |named| position(clauses, node, places, named);
            let mut parts: Vec<TermId> =
                numbers.iter().map(|named| at_least(terms, at(*named), 0)).collect();
            parts.extend(flag.then(|| terms.variable(at(Named::Flag), Sort::Bool)));
            terms.and(parts)
        };
        self.define(predicates.initial, |terms| holds(terms, &predicates.initial_places));
        self.define(predicates.step, |terms| {
            let before = position(clauses, node, &predicates.step_places, Named::Before);
            let before = at_least(terms, before, 0);
            let then = holds(terms, &predicates.step_places);
            terms.implies(before, then)
        });
        let invariant = predicates.invariant.unwrap();
        self.define(invariant, |terms| at_least(terms, VarId(0), 0));
        if node == MAIN {
            self.define(clauses.main, |terms| holds(terms, &predicates.initial_places));
        }
    }
}

fn model(clauses: &NodeClauses) -> Build<'_> {
    let model = Model::always(&clauses.clauses);
    let mut build = Build { clauses, model };
    build.node(COUNT_NODE, &[Named::Output, Named::After]);
    build.node(MAIN, &[Named::Output, Named::After]);
    build
}

fn checker() -> ProofChecker {
    ProofChecker::new(&Cancel::new()).unwrap()
}

fn passes(
    clauses: &Arc<NodeClauses>,
    model: Model,
    properties: bool,
) -> Result<Checked<NodeModel>, Rejected> {
    clauses.check(&mut checker(), model, properties)
}

#[test]
fn a_model_passes_and_changed_ones_do_not() {
    let clauses = clauses();
    let (count, main) = (&clauses.nodes[COUNT_NODE], &clauses.nodes[MAIN]);
    let changed = |properties: bool, change: &dyn Fn(&mut Build<'_>)| {
        let mut build = model(&clauses);
        change(&mut build);
        passes(&clauses, build.model, properties)
    };
    assert!(changed(true, &|_| {}).is_ok_and(|model| model.get().proves_properties()));
    let refused = |change: &dyn Fn(&mut Build<'_>)| {
        matches!(changed(true, change), Err(Rejected::Obligation(_)))
    };
    // Stronger than it is at the first step.
    let output = position(&clauses, COUNT_NODE, &count.initial_places, Named::Output);
    assert!(refused(&|build| build.define(count.initial, |terms| at_least(terms, output, 1))));
    // A later step from any state.
    let output = position(&clauses, COUNT_NODE, &count.step_places, Named::Output);
    assert!(refused(&|build| build.define(count.step, |terms| at_least(terms, output, 0))));
    // The caller relies on what is no longer said of the call.
    assert!(refused(&|build| build.node(COUNT_NODE, &[Named::After])));
    assert!(refused(&|build| build.define(count.step, |_| Terms::TRUE)));
    // Nothing is said of the states that the caller begins with.
    assert!(refused(&|build| build.define(main.invariant.unwrap(), |_| Terms::FALSE)));
    // It is a model, and the property does not follow.
    let forget = |build: &mut Build<'_>| build.define(build.clauses.main, |_| Terms::TRUE);
    assert!(refused(&forget));
    assert!(changed(false, &forget).is_ok_and(|model| !model.get().proves_properties()));
    // Definitions that are about something else.
    assert!(refused(&|build| build.define(count.initial, |terms| at_least(terms, VarId(9), 0))));
    assert!(refused(&|build| build.define(count.initial, |terms| at_least(terms, VarId(0), 0))));
    assert!(refused(&|build| build.model.definitions.truncate(2)));
    assert!(refused(&|build| build.model.definitions.rotate_left(1)));
}

#[test]
fn only_what_follows_is_shown() {
    let clauses = clauses();
    let checked = passes(&clauses, model(&clauses).model, true).unwrap();
    let count = &clauses.nodes[COUNT_NODE];
    let list = |var: VarId, bound: i64| {
        let mut terms = Terms::new();
        let parts = vec![at_least(&mut terms, var, bound)];
        PartList { terms, parts }
    };
    let of = |places: &[Place]| position(&clauses, COUNT_NODE, places, Named::Output);
    let (first, later) = (of(&count.initial_places), of(&count.step_places));
    let parts = |first_bound: i64, later_bound: i64, state_bound: i64| Parts {
        first: list(first, first_bound),
        later: list(later, later_bound),
        states: list(VarId(0), state_bound),
        main: None,
    };
    let mut checker = checker();
    let mut shown = |node, parts| checked.describe(&mut checker, node, parts);
    // What holds of later steps needs what holds of the states that are reached.
    let summary = shown(COUNT_NODE, parts(0, 0, 0)).unwrap();
    assert_eq!((summary.node(), summary.get().node()), ("count", COUNT_NODE));
    assert!(shown(COUNT_NODE, parts(-1, -7, 0)).is_ok());
    // All of it needs no choice and no check.
    let all = checked.as_it_is(COUNT_NODE);
    let Parts { first, later, states, main } = all.get().parts();
    assert_eq!([first, later, states].map(|list| list.parts.len()), [2, 1, 1]);
    assert!(main.is_none() && checked.as_it_is(MAIN).get().parts().main.is_some());
    for (first, later, state) in [(1, 0, 0), (0, 1, 0), (0, 0, 1)] {
        let refused = shown(COUNT_NODE, parts(first, later, state)).unwrap_err();
        assert!(matches!(refused, Rejected::Obligation(_)), "{refused}");
    }
    // `Main` is about another node, and there is no such argument.
    let main = Parts { main: Some(PartList::default()), ..Parts::default() };
    assert!(matches!(shown(COUNT_NODE, main.clone()), Err(Rejected::Malformed(_))));
    assert!(shown(MAIN, main).is_ok());
    let strange = Parts { first: list(VarId(9), 0), ..Parts::default() };
    assert!(shown(COUNT_NODE, strange).is_err());
}
