//! Implicants, projections and witnesses of random literals, by trying values.

use lustral_base::Random;
use lustral_projection::{Form, Literal, Relation, Valuation, implicant, project, witnesses};
use lustral_term::{EnumId, Enumeration, Sort, TermId, Terms, Translation, Value, VarId};
use num_rational::BigRational;

/// A random literal over some variables that the values satisfy.
fn random_literal(
    variables: &[TermId],
    sort: Sort,
    values: &[i64],
    random: &mut Random,
) -> Literal {
    let mut small = || BigRational::from_integer((random.below(7) as i64 - 3).into());
    let mut form = Form::new(sort);
    for variable in variables {
        form.linear.add(*variable, &small());
    }
    let (slack, zero) = (small(), BigRational::default());
    let at = |term: TermId| {
        let i = variables.iter().position(|v| *v == term).expect("it is one of them");
        BigRational::from_integer(values[i].into())
    };
    form.linear.constant = -form.linear.value(at) - slack.clone().max(zero.clone());
    let relation = match slack.cmp(&zero) {
        std::cmp::Ordering::Less => Relation::Zero,
        std::cmp::Ordering::Equal => Relation::AtMost,
        std::cmp::Ordering::Greater => Relation::Below,
    };
    Literal::Linear(form, relation).normalised()
}

/// What is left of a projection is true where it was taken, and implies that
/// there is a value for the variable that is gone.
#[test]
fn projection_is_one() {
    let mut random = Random::new(7);
    for round in 0..60 {
        let sort = if round % 2 == 0 { Sort::Int } else { Sort::Real };
        let number = |n: i64| match sort {
            Sort::Real => Value::Real(BigRational::from_integer(n.into())),
            _ => Value::Int(n.into()),
        };
        let mut terms = Terms::new();
        let variables: Vec<TermId> = (0..3).map(|i| terms.variable(VarId(i), sort)).collect();
        let values: Vec<i64> = (0..3).map(|_| random.below(9) as i64 - 4).collect();
        let mut valuation = Valuation::default();
        for (i, value) in values.iter().enumerate() {
            valuation.values.insert(VarId(i as u32), number(*value));
        }
        let count = 1 + random.below(4);
        let literals: Vec<Literal> =
            (0..count).map(|_| random_literal(&variables, sort, &values, &mut random)).collect();
        let left = project(&terms, literals.clone(), &valuation, |term| term == variables[0]);
        let list: Vec<TermId> = literals.iter().map(|l| l.term(&mut terms)).collect();
        let whole = terms.and(list);
        let list: Vec<TermId> = left.iter().map(|l| l.term(&mut terms)).collect();
        let left = terms.and(list);
        assert!(!terms.variables([left]).contains(&VarId(0)));
        assert!(
            valuation.evaluator(&terms).holds(whole) && valuation.evaluator(&terms).holds(left)
        );
        // A step of a twelfth is fine enough for these coefficients.
        let (parts, span) = if sort == Sort::Int { (1, 40) } else { (12, 480) };
        for (y, z) in (-3..=3).flat_map(|y| (-3..=3).map(move |z| (y, z))) {
            valuation.values.insert(VarId(1), number(y));
            valuation.values.insert(VarId(2), number(z));
            if !valuation.evaluator(&terms).holds(left) {
                continue;
            }
            let exists = (-span..=span).any(|x: i64| {
                let value = match sort {
                    Sort::Int => number(x),
                    _ => Value::Real(BigRational::new(x.into(), parts.into())),
                };
                valuation.values.insert(VarId(0), value);
                valuation.evaluator(&terms).holds(whole)
            });
            assert!(exists, "round {round}: {literals:?} at {y}, {z}");
        }
    }
}

/// The same of values of an enumeration, of which there are few: what they must
/// differ from may be all of them.
#[test]
fn projection_of_enumerations_is_one() {
    let mut random = Random::new(11);
    let e = Enumeration { id: EnumId(0), size: 3 };
    for round in 0..200 {
        let mut terms = Terms::new();
        let mut sides: Vec<TermId> =
            (0..4).map(|i| terms.variable(VarId(i), Sort::Enum(e))).collect();
        sides.extend((0..3).map(|i| terms.constant(Value::Enum(e, i))));
        let mut valuation = Valuation::default();
        for i in 0..4 {
            valuation.values.insert(VarId(i), Value::Enum(e, random.below(3) as u32));
        }
        let mut literals = Vec::new();
        for _ in 0..1 + random.below(6) {
            let pick = |random: &mut Random| sides[random.below(sides.len() as u64) as usize];
            let (a, b) = (sides[0], pick(&mut random));
            let (a, b) = if random.below(4) == 0 { (b, pick(&mut random)) } else { (a, b) };
            let mut values = valuation.evaluator(&terms);
            let equal = values.of(a) == values.of(b);
            literals.push(Literal::Equal(a, b, equal));
        }
        let left = project(&terms, literals.clone(), &valuation, |term| term == sides[0]);
        let list: Vec<TermId> = literals.iter().map(|l| l.term(&mut terms)).collect();
        let whole = terms.and(list);
        let list: Vec<TermId> = left.iter().map(|l| l.term(&mut terms)).collect();
        let left = terms.and(list);
        assert!(!terms.variables([left]).contains(&VarId(0)));
        assert!(valuation.evaluator(&terms).holds(left), "round {round}: {literals:?}");
        for n in 0..27_u32 {
            for (i, power) in [(1, 1), (2, 3), (3, 9)] {
                valuation.values.insert(VarId(i), Value::Enum(e, n / power % 3));
            }
            if valuation.evaluator(&terms).holds(left) {
                let exists = (0..3).any(|x| {
                    valuation.values.insert(VarId(0), Value::Enum(e, x));
                    valuation.evaluator(&terms).holds(whole)
                });
                assert!(exists, "round {round}: {literals:?} at {n}");
            }
        }
    }
}

/// An implicant is true where it was taken, and implies the formula.
#[test]
fn implicants_imply() {
    let mut terms = Terms::new();
    let (a, b) = (terms.variable(VarId(0), Sort::Bool), terms.variable(VarId(1), Sort::Bool));
    let (x, y) = (terms.variable(VarId(2), Sort::Int), terms.variable(VarId(3), Sort::Int));
    let larger = terms.ite(a, x, y);
    let two = terms.int(2);
    let (near, same) = (terms.le(larger, two), terms.eq(x, y));
    let differs = terms.not(same);
    let both = terms.eq(a, b);
    let either = terms.or([near, both]);
    let formula = terms.and([either, differs]);
    let states: Vec<Valuation> = (0..4 * 25)
        .map(|n: i64| {
            let truth = |bit: i64| Value::Bool((n / 25) >> bit & 1 == 1);
            let values = [truth(0), truth(1), Value::from(n % 5), Value::from(n / 5 % 5)];
            let values = values.into_iter().enumerate().map(|(i, v)| (VarId(i as u32), v));
            Valuation { values: values.collect(), ..Valuation::default() }
        })
        .collect();
    for state in &states {
        let found = implicant(&terms, &[formula], state);
        assert_eq!(found.is_some(), state.evaluator(&terms).holds(formula));
        let Some(found) = found else { continue };
        let mut copy = terms.clone();
        let list: Vec<TermId> = found.iter().map(|literal| literal.term(&mut copy)).collect();
        let all = copy.and(list);
        assert!(state.evaluator(&copy).holds(all));
        for other in &states {
            let mut values = other.evaluator(&copy);
            assert!(!values.holds(all) || values.holds(formula), "{found:?}");
        }
    }
}

/// With its witnesses for the variables that are gone, a formula is true where they were
/// taken; and they do not speak of these variables.
#[test]
fn witnesses_are_witnesses() {
    let mut random = Random::new(5);
    for round in 0..400 {
        let sort = if round % 2 == 0 { Sort::Int } else { Sort::Real };
        let mut terms = Terms::new();
        let variables: Vec<TermId> = (0..4).map(|i| terms.variable(VarId(i), sort)).collect();
        let values: Vec<i64> = (0..4).map(|_| random.below(9) as i64 - 4).collect();
        let mut valuation = Valuation::default();
        for (i, value) in values.iter().enumerate() {
            let value = BigRational::from_integer((*value).into());
            let value = match sort {
                Sort::Real => Value::Real(value),
                _ => Value::Int(value.to_integer()),
            };
            valuation.values.insert(VarId(i as u32), value);
        }
        let count = 1 + random.below(6);
        let literals: Vec<Literal> =
            (0..count).map(|_| random_literal(&variables, sort, &values, &mut random)).collect();
        let gone = &variables[..2];
        let found = witnesses(&mut terms, literals.clone(), &valuation, gone);
        assert_eq!(found.len(), 2);
        let list: Vec<TermId> = literals.iter().map(|l| l.term(&mut terms)).collect();
        let whole = terms.and(list);
        let source = terms.clone();
        let inserted = Translation::new().apply(&source, &mut terms, whole, |terms, var, sort| {
            let variable = terms.variable(var, sort);
            let witness = found.iter().find(|witness| witness.variable == variable);
            witness.map_or(variable, |witness| witness.term)
        });
        let left = terms.variables([inserted]);
        assert!(!left.contains(&VarId(0)) && !left.contains(&VarId(1)), "round {round}");
        assert!(valuation.evaluator(&terms).holds(inserted), "round {round}: {literals:?}");
    }
}

/// A product of variables is not taken apart: the variable in it keeps its value, and the
/// others go by that.
#[test]
fn what_stands_in_a_product_keeps_its_value() {
    let mut terms = Terms::new();
    let [x, y, z] = [0, 1, 2].map(|i| terms.variable(VarId(i), Sort::Int));
    let product = terms.mul(x, y);
    let (two, sum) = (terms.int(2), terms.add(&[x, y]));
    let (bounded, equal) = (terms.le(product, two), terms.eq(z, sum));
    let values =
        [(VarId(0), Value::from(1)), (VarId(1), Value::from(2)), (VarId(2), Value::from(3))];
    let valuation = Valuation { values: values.into_iter().collect(), ..Valuation::default() };
    let literals = implicant(&terms, &[bounded, equal], &valuation).expect("they hold");
    let found = witnesses(&mut terms, literals, &valuation, &[x, z]);
    let one = terms.int(1);
    let next = terms.add(&[one, y]);
    let terms_of: Vec<TermId> = found.iter().map(|witness| witness.term).collect();
    assert_eq!(terms_of, [one, next]);
}
