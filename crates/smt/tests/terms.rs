//! Random terms of every operator: the evaluator, Z3 in the process and Z3 on
//! SMT-LIB text agree on their values, and text comes back as the same term.

#[path = "../../term/tests/random/mod.rs"]
#[allow(dead_code)]
mod random;

use lustral_base::Cancel;
use lustral_smt::smtlib::{Writer, declare, parse_sexprs, parse_term};
use lustral_smt::{Fault, Outcome, Session, SolverOptions, Z3Session};
use lustral_term::{
    ArraySort, Evaluator, Operator, Scalar, Sort, Term, TermId, Terms, VarId, ZeroMeaning,
};
use random::{SORTS, Sample, conversions, operators, samples};
use rustc_hash::FxHashMap;

/// Operators whose value nothing leaves open.
fn determined() -> Vec<Operator> {
    use Operator::{Call, IntDiv, Mod, RealDiv};
    operators().into_iter().filter(|o| !matches!(o, Call(_) | IntDiv | Mod | RealDiv)).collect()
}

/// Whether a term has no element of an abstract sort: they are not told apart.
fn is_told_apart(terms: &Terms, term: TermId) -> bool {
    let is_abstract = |id: &TermId| matches!(terms.sort(*id), Sort::Uninterpreted(_));
    !terms.closure([term]).iter().any(is_abstract)
}

/// Whether the text of a term tells the sorts of arrays: not of those with
/// signed words or values of enumerations.
fn is_readable(terms: &Terms, term: TermId) -> bool {
    let is_plain = |id: &TermId| match terms.sort(*id) {
        _ if is_about_all_indices(terms, *id) => false,
        Sort::Array(sort) if sort.index() != [Scalar::Int] => false,
        Sort::Array(sort) => match sort.element() {
            Sort::Enum(_) => false,
            Sort::BitVec(shape) => !shape.is_signed(),
            _ => true,
        },
        _ => true,
    };
    terms.closure([term]).iter().all(is_plain)
}

/// Whether a term is written with a new name and what holds of it.
fn is_about_all_indices(terms: &Terms, term: TermId) -> bool {
    match terms.get(term) {
        Term::Apply(Operator::Choose | Operator::Within(_), _) => true,
        Term::Apply(Operator::Eq, list) => matches!(terms.sort(list[0]), Sort::Array(_)),
        _ => false,
    }
}

/// That variables have their values, and a term has not.
fn wrong(terms: &mut Terms, list: &[Sample], sample: &Sample) -> Vec<TermId> {
    let mut facts = Vec::new();
    for variable in &list[..SORTS.len()] {
        if !is_told_apart(terms, variable.term) {
            continue;
        }
        let value = terms.constant(variable.value.clone());
        facts.push(terms.eq(variable.term, value));
    }
    let value = terms.constant(sample.value.clone());
    let equal = terms.eq(sample.term, value);
    facts.push(terms.not(equal));
    facts
}

#[test]
fn z3_agrees() {
    for seed in 0..60 {
        let among = if seed < 40 { determined() } else { conversions() };
        let (mut terms, list) = samples(seed, 30, &among, &ZeroMeaning);
        for sample in &list {
            if !is_told_apart(&terms, sample.term) {
                continue;
            }
            let facts = wrong(&mut terms, &list, sample);
            let mut session = Z3Session::new(&SolverOptions::default(), Cancel::new());
            facts.iter().for_each(|fact| session.assert(&terms, *fact));
            let outcome = session.check(&terms, &[]);
            assert_eq!(
                outcome,
                Outcome::Unsat,
                "seed {seed}: {:?} {:?}",
                sample.made,
                sample.value
            );
        }
    }
}

fn text_of(terms: &Terms, facts: &[TermId]) -> String {
    let (mut writer, mut out) = (Writer::new("t"), String::new());
    for fact in facts {
        let text = writer.term(terms, *fact, &mut out, &mut |out, var: VarId, sort| {
            let name = format!("v{}", var.0);
            declare(out, &name, sort);
            name
        });
        out.push_str(&format!("(assert {text})\n"));
    }
    out
}

#[test]
fn z3_agrees_on_text() {
    for seed in 100..120 {
        let (mut terms, list) = samples(seed, 30, &determined(), &ZeroMeaning);
        for sample in list.iter().filter(|s| s.made.is_some()) {
            if !is_told_apart(&terms, sample.term) {
                continue;
            }
            let facts = wrong(&mut terms, &list, sample);
            let text = text_of(&terms, &facts);
            let solver = z3::Solver::new();
            solver.from_string(text.clone());
            assert_eq!(solver.check(), z3::SatResult::Unsat, "seed {seed}: {text}");
        }
    }
}

#[test]
fn models_have_the_values() {
    for seed in 200..230 {
        let (mut terms, list) = samples(seed, 30, &determined(), &ZeroMeaning);
        let mut session = Z3Session::new(&SolverOptions::default(), Cancel::new());
        for variable in &list[..SORTS.len()] {
            if !is_told_apart(&terms, variable.term) {
                continue;
            }
            let value = terms.constant(variable.value.clone());
            let fact = terms.eq(variable.term, value);
            session.assert(&terms, fact);
        }
        assert_eq!(session.check(&terms, &[]), Outcome::Sat);
        for sample in list.iter().filter(|s| is_told_apart(&terms, s.term)) {
            let value = session.value(&terms, sample.term);
            // Nothing was said of what it is at all indices.
            let is_of_arrays = |id: &TermId| matches!(terms.sort(*id), Sort::Array(_));
            if sample.made.is_some()
                && terms.closure([sample.term]).iter().any(is_of_arrays)
                && matches!(value, Err(Fault::Nonsense(_)))
            {
                continue;
            }
            assert_eq!(value.as_ref(), Ok(&sample.value), "seed {seed}: {:?}", sample.made);
        }
    }
}

#[test]
fn enumerations_and_functions_stay_in_their_ranges() {
    let mut terms = Terms::new();
    let sort = Sort::Enum(random::COLOUR);
    let colour = terms.variable(VarId(0), sort);
    let index = terms.variable(VarId(1), Sort::Int);
    let array = terms.variable(
        VarId(2),
        Sort::Array(ArraySort::new(&[Scalar::Int], Sort::Enum(random::COLOUR))),
    );
    let function = lustral_term::Function { id: lustral_term::FunctionId(0), result: sort };
    let called = terms.call(function, &[index]);
    let selected = terms.select(array, &[index]);
    for term in [colour, called, selected] {
        let others = (0..random::COLOUR.size).map(|i| lustral_term::Value::Enum(random::COLOUR, i));
        let facts: Vec<TermId> = others
            .map(|value| {
                let value = terms.constant(value);
                let equal = terms.eq(term, value);
                terms.not(equal)
            })
            .collect();
        let mut session = Z3Session::new(&SolverOptions::default(), Cancel::new());
        facts.iter().for_each(|fact| session.assert(&terms, *fact));
        assert_eq!(session.check(&terms, &[]), Outcome::Unsat);
        let solver = z3::Solver::new();
        solver.from_string(text_of(&terms, &facts));
        assert_eq!(solver.check(), z3::SatResult::Unsat);
    }
}

#[test]
fn text_comes_back() {
    for seed in 300..400 {
        let (mut terms, list) = samples(seed, 30, &determined(), &ZeroMeaning);
        let names: Vec<String> = (0..SORTS.len()).map(|i| format!("v{i}")).collect();
        for sample in list.iter().filter(|s| s.sort == Sort::Bool) {
            if !is_told_apart(&terms, sample.term) || !is_readable(&terms, sample.term) {
                continue;
            }
            let text = text_of(&terms, &[sample.term]);
            let mut bound: FxHashMap<&str, TermId> = FxHashMap::default();
            for (name, variable) in names.iter().zip(&list) {
                bound.insert(name, variable.term);
            }
            // Definitions are read one by one, as `let` bindings would be.
            let expressions = parse_sexprs(&text).unwrap();
            let mut defined: Vec<(String, TermId)> = Vec::new();
            let mut last = None;
            for expression in &expressions {
                let lustral_smt::smtlib::SExpr::List(list) = expression else { panic!() };
                let lustral_smt::smtlib::SExpr::Atom(head) = &list[0] else { panic!() };
                let mut all = bound.clone();
                all.extend(defined.iter().map(|(name, term)| (name.as_str(), *term)));
                match (head.as_str(), &list[1..]) {
                    ("define-fun", [lustral_smt::smtlib::SExpr::Atom(name), _, _, body]) => {
                        let term = parse_term(body, &mut terms, &all)
                            .unwrap_or_else(|| panic!("seed {seed}: {body:?}"));
                        defined.push((name.clone(), term));
                    }
                    ("assert", [body]) => last = parse_term(body, &mut terms, &all),
                    _ => {}
                }
            }
            let term = last.unwrap_or_else(|| panic!("seed {seed}: {text}"));
            let values = |var: VarId| list[var.index()].value.clone();
            let value = Evaluator::new(&terms, &ZeroMeaning).eval(term, values);
            assert_eq!(value, sample.value, "seed {seed}: {text}");
        }
    }
}
