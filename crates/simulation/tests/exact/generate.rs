//! Random systems: small terms of all operators, with numbers large enough to
//! leave the machine's range now and then.

use lustral_base::Random;
use lustral_system::{
    Bounds, Constraint, ConstraintSource, Goal, InstanceId, Memory, Origin, Property, Role,
    TransitionSystem, Variable,
};
use lustral_term::{BitVec, EnumId, Enumeration, Sort, TermId, Value};
use num_bigint::BigInt;
use num_rational::BigRational;

pub const SORTS: [Sort; 6] = [
    Sort::Bool,
    Sort::Int,
    Sort::Real,
    Sort::Enum(Enumeration { id: EnumId(0), size: 3 }),
    Sort::BitVec(BitVec::signed(8)),
    Sort::BitVec(BitVec::unsigned(64)),
];

pub fn value(random: &mut Random, sort: Sort) -> Value {
    let number = match random.below(12) {
        0 => BigInt::from(i64::MAX) - random.below(3),
        1 => BigInt::from(i64::MIN) + random.below(3),
        2 => BigInt::from(i64::MAX) + 1 + random.below(3),
        3 => BigInt::from(3_037_000_499_u64 + random.below(3)),
        _ => BigInt::from(random.below(9)) - 4,
    };
    match sort {
        Sort::Bool => Value::Bool(random.below(2) == 0),
        Sort::Int => Value::Int(number),
        Sort::Real => Value::Real(BigRational::new(number, BigInt::from(1 + random.below(4)))),
        Sort::Enum(e) => Value::Enum(e, random.below(e.size.into()) as u32),
        Sort::BitVec(shape) => Value::bit_vec(shape, number),
        Sort::Array(_) | Sort::Uninterpreted(_) => Value::zero(sort),
    }
}

fn variable(
    system: &mut TransitionSystem,
    sort: Sort,
    role: Role,
    range: Option<Bounds>,
) -> TermId {
    let name = format!("v{}", system.variables.len());
    let origin = Origin::Auxiliary;
    system.add_variable(Variable { name, sort, role, range, origin }).1
}

/// A random system; the terms that were made on the way.
pub fn system(random: &mut Random) -> (TransitionSystem, Vec<TermId>) {
    let mut system = TransitionSystem::default();
    let mut pool = Vec::new();
    for sort in SORTS {
        for role in [Role::Input, Role::Choice] {
            let range = (sort == Sort::Int && random.below(2) == 0)
                .then(|| Bounds::between(-2, random.below(4)));
            pool.push(variable(&mut system, sort, role, range));
        }
    }
    let mut memories = Vec::new();
    for sort in [SORTS, SORTS].concat() {
        let term = variable(&mut system, sort, Role::Memory, None);
        memories.push((term, value(random, sort)));
        pool.push(term);
    }
    for _ in 0..40 {
        let term = operator(&mut system, random, &pool);
        // A definition now and then.
        if random.below(6) == 0 {
            let sort = system.terms.sort(term);
            let defined = variable(&mut system, sort, Role::Defined(term), None);
            system.definitions.push(system.terms.var(defined).unwrap());
            pool.push(defined);
        }
        pool.push(term);
    }
    for (term, initial) in memories {
        let next = pick(&system, random, &pool, system.terms.sort(term));
        let var = system.terms.var(term).unwrap();
        system.memories.push(Memory { var, initial, next });
    }
    for _ in 0..3 {
        let term = pick(&system, random, &pool, Sort::Bool);
        system.properties.push(Property { name: "p".into(), term, goal: Goal::Always });
    }
    for index in 0..random.below(3) as u32 {
        let term = constraint(&mut system, random, &pool);
        system.constraints.push(Constraint {
            term,
            source: ConstraintSource::Assertion { instance: InstanceId::ROOT, index },
        });
    }
    (system, pool)
}

/// Often one that says what an input is.
fn constraint(system: &mut TransitionSystem, random: &mut Random, pool: &[TermId]) -> TermId {
    let side = pool[random.below(2 * SORTS.len() as u64) as usize];
    let other = pick(system, random, pool, system.terms.sort(side));
    let equal = system.terms.eq(side, other);
    match random.below(3) {
        0 => equal,
        1 => {
            let guard = pick(system, random, pool, Sort::Bool);
            system.terms.or([guard, equal])
        }
        _ => pick(system, random, pool, Sort::Bool),
    }
}

pub fn pick(system: &TransitionSystem, random: &mut Random, pool: &[TermId], sort: Sort) -> TermId {
    let fitting: Vec<TermId> =
        pool.iter().copied().filter(|t| system.terms.sort(*t) == sort).collect();
    *random.pick(&fitting)
}

/// A new term over the pool.
pub fn operator(system: &mut TransitionSystem, random: &mut Random, pool: &[TermId]) -> TermId {
    let sort = *random.pick(&SORTS);
    let number = *random.pick(&[Sort::Int, Sort::Real]);
    let mut get = |system: &mut TransitionSystem, sort: Sort| match random.below(5) {
        0 => {
            let value = value(random, sort);
            system.terms.constant(value)
        }
        _ => pick(system, random, pool, sort),
    };
    let (a, b) = (get(system, sort), get(system, sort));
    let (c, x, y) = (get(system, Sort::Bool), get(system, number), get(system, number));
    let (n, r) = (get(system, Sort::Int), get(system, Sort::Real));
    let more = get(system, sort);
    let choice = random.below(7);
    let terms = &mut system.terms;
    match (sort, choice) {
        (_, 0) => terms.ite(c, a, b),
        (Sort::Bool, 1) => terms.and([a, b, more]),
        (Sort::Bool, 2) => terms.or([a, b, more]),
        (Sort::Bool, 3) => terms.not(a),
        (Sort::Bool, 4) => terms.eq(a, b),
        (Sort::Bool, 5) => terms.eq(x, y),
        (Sort::Bool, _) => terms.le(x, y),
        (Sort::Enum(_) | Sort::Array(_) | Sort::Uninterpreted(_), _) => terms.ite(c, b, a),
        (Sort::BitVec(_), 1) => terms.bv_sub(a, b),
        (Sort::BitVec(_), 2) => {
            let product = terms.bv_mul(a, b);
            terms.bv_xor(product, more)
        }
        (Sort::BitVec(_), 3) => terms.bv_div(a, b),
        (Sort::BitVec(_), 4) => terms.bv_shr(a, b),
        (Sort::BitVec(shape), 5) => terms.int_to_bv(n, shape),
        (Sort::BitVec(shape), _) => {
            let below = terms.bv_le(a, b);
            let number = terms.bv_to_int(more);
            let number = terms.int_to_bv(number, shape);
            terms.ite(below, number, a)
        }
        (_, 1) => terms.sub(a, b),
        (_, 2) => terms.add(&[a, b, more]),
        (_, 3) => terms.mul(a, b),
        (Sort::Int, 4) => terms.int_div(a, b),
        (Sort::Int, 5) => terms.modulo(a, b),
        (Sort::Int, _) => terms.floor(r),
        (Sort::Real, 4 | 5) => terms.real_div(a, b),
        (Sort::Real, _) => terms.to_real(n),
    }
}
