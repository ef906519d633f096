//! Random well-sorted terms, each with the value that its operators give it
//! when nothing is rewritten.

use std::sync::LazyLock;

use lustral_term::{
    Arity, ArraySort, BitVec, End, EnumId, Enumeration, Function, FunctionId, Interpretation,
    Limit, Limited, Operator, Partial, Scalar, Sort, SortId, TermId, Terms, Value, VarId,
};
use num_rational::BigRational;

/// A small generator of its own (splitmix64): the tests of two crates use it.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

pub const SIGNED: BitVec = BitVec::signed(8);
pub const UNSIGNED: BitVec = BitVec::unsigned(8);
pub const WIDE: BitVec = BitVec::unsigned(70);
pub const BIT: BitVec = BitVec::signed(1);
pub const COLOUR: Enumeration = Enumeration { id: EnumId(0), size: 3 };
pub const ALONE: Enumeration = Enumeration { id: EnumId(1), size: 1 };

/// The sorts of variables.
pub static SORTS: LazyLock<Vec<Sort>> = LazyLock::new(|| {
    let array = |index: &[Scalar], element| Sort::Array(ArraySort::new(index, element));
    let sets = array(&[Scalar::Int], Sort::Bool);
    vec![
        Sort::Bool,
        Sort::Int,
        Sort::Real,
        Sort::Enum(COLOUR),
        Sort::Enum(ALONE),
        Sort::BitVec(SIGNED),
        Sort::BitVec(UNSIGNED),
        Sort::BitVec(WIDE),
        Sort::BitVec(BIT),
        Sort::Uninterpreted(SortId(0)),
        array(&[Scalar::Int], Sort::Int),
        array(&[Scalar::Int], Sort::Enum(COLOUR)),
        array(&[Scalar::Int], Sort::BitVec(SIGNED)),
        array(&[Scalar::Bool], Sort::Int),
        array(&[Scalar::Bool], Sort::Bool),
        array(&[Scalar::Enum(COLOUR)], Sort::Bool),
        array(&[Scalar::Int, Scalar::Bool], Sort::Int),
        array(&[Scalar::Int, Scalar::Bool], Sort::Bool),
        array(&[Scalar::Int], sets),
        sets,
    ]
});

/// Limits of sets.
pub fn limits() -> impl Iterator<Item = Operator> {
    let all = [Limited::Key(0), Limited::Value];
    let ends = |of| [End::Low, End::High].map(|end| Operator::Within(Limit { of, end }));
    all.into_iter().flat_map(ends)
}

/// All operators, those with parameters with some.
pub fn operators() -> Vec<Operator> {
    use Operator::*;
    let function = |id, result| Call(Function { id: FunctionId(id), result });
    let mut list = vec![
        Not, And, Or, Ite, Eq, Le, Add, Mul, IntDiv, Mod, RealDiv, ToReal, Floor, BvNot, BvNeg,
        BvAnd, BvOr, BvXor, BvAdd, BvMul, BvDiv, BvRem, BvShl, BvShr, BvLe, BvToInt, BvConcat,
        Select, Store, Choose,
    ];
    list.extend(SORTS.iter().filter_map(|sort| match sort {
        Sort::Array(array) => Some(ConstArray(*array)),
        _ => None,
    }));
    list.extend(limits());
    for shape in [SIGNED, UNSIGNED, WIDE, BIT, BitVec::signed(16)] {
        list.extend([IntToBv(shape), BvResize(shape)]);
    }
    list.extend([BvExtract { high: 7, low: 0 }, BvExtract { high: 5, low: 2 }]);
    list.extend([function(0, Sort::Int), function(1, Sort::Enum(COLOUR))]);
    list
}

/// Operators that make integers of words, compare them and make words of them.
pub fn conversions() -> Vec<Operator> {
    use Operator::*;
    let mut list = vec![Ite, Eq, Le, Add, Mul, BvToInt, BvToInt, BvAdd, BvMul];
    list.extend([SIGNED, UNSIGNED, WIDE, BIT].map(IntToBv));
    list
}

/// The arguments of a function, if it has a fixed signature.
fn arguments(operator: Operator) -> Option<&'static [Sort]> {
    match operator {
        Operator::Call(Function { id: FunctionId(0), .. }) => Some(&[Sort::Int, Sort::Bool]),
        Operator::Call(_) => Some(&[Sort::Real]),
        _ => None,
    }
}

pub fn value(random: &mut Random, sort: Sort) -> Value {
    let number = [0, 1, -1, 2, -2, 3, 5, 7, -128, 127, 255, 256][random.below(12)];
    match sort {
        Sort::Bool => Value::Bool(random.below(2) == 0),
        Sort::Int => Value::from(number),
        Sort::Real => {
            let denominator = [1, 2, 3][random.below(3)];
            Value::Real(BigRational::new(number.into(), denominator.into()))
        }
        Sort::Enum(e) => Value::Enum(e, random.below(e.size as usize) as u32),
        Sort::BitVec(shape) => Value::bit_vec(shape, number),
        Sort::Uninterpreted(id) => Value::Uninterpreted(id, random.below(3) as u32),
        Sort::Array(sort) => {
            let element = value(random, sort.element());
            let mut array = lustral_term::Array::constant(sort, element);
            for _ in 0..random.below(3) {
                let index = sort.index().iter().map(|scalar| value(random, (*scalar).into()));
                let index = index.collect();
                array.store(index, value(random, sort.element()));
            }
            Value::Array(Box::new(array))
        }
    }
}

/// A meaning that is not zero: rewriting must not have used another.
pub struct Odd;

impl Interpretation for Odd {
    fn divide_by_zero(&self, operation: Partial, dividend: &Value) -> Value {
        let more = BigRational::from_integer((operation as i64 + 41).into());
        match dividend {
            Value::Int(n) => Value::Int(n + more.to_integer()),
            Value::Real(r) => Value::Real(r + more),
            other => other.clone(),
        }
    }

    fn call(&self, function: Function, arguments: &[&Value]) -> Value {
        let odd = arguments.iter().filter(|v| v.is_negative() || v.is_true()).count();
        match function.result {
            Sort::Enum(e) => Value::Enum(e, odd as u32 % e.size),
            _ => Value::from(odd as i64 + 17),
        }
    }
}

/// A term with its sort and its value.
#[derive(Clone, Debug)]
pub struct Sample {
    pub term: TermId,
    pub sort: Sort,
    pub value: Value,
    /// Its operator and the positions of its operands.
    pub made: Option<(Operator, Vec<usize>)>,
}

/// Terms over one variable and one value of each sort; variables have the
/// values of the first samples, in the order of [`SORTS`].
pub fn samples(
    seed: u64,
    count: usize,
    operators: &[Operator],
    meaning: &dyn Interpretation,
) -> (Terms, Vec<Sample>) {
    let (mut random, mut terms) = (Random(seed), Terms::new());
    let mut list: Vec<Sample> = Vec::new();
    for (i, sort) in SORTS.iter().copied().enumerate() {
        let term = terms.variable(VarId(i as u32), sort);
        list.push(Sample { term, sort, value: value(&mut random, sort), made: None });
    }
    for sort in SORTS.iter().copied() {
        let value = value(&mut random, sort);
        list.push(Sample { term: terms.constant(value.clone()), sort, value, made: None });
    }
    for _ in 0..count {
        let operator = operators[random.below(operators.len())];
        let arity = match operator.entry().arity {
            Arity::Exactly(n) => n,
            Arity::AtLeast(_) => arguments(operator).map_or(2 + random.below(3), <[Sort]>::len),
        };
        for _ in 0..200 {
            let chosen: Vec<usize> = (0..arity).map(|_| random.below(list.len())).collect();
            let sorts: Vec<Sort> = chosen.iter().map(|i| list[*i].sort).collect();
            let fits = arguments(operator).is_none_or(|wanted| wanted == sorts);
            let Some(sort) = operator.result(&sorts).filter(|_| fits) else { continue };
            let operands: Vec<TermId> = chosen.iter().map(|i| list[*i].term).collect();
            let values: Vec<&Value> = chosen.iter().map(|i| &list[*i].value).collect();
            let value = operator.evaluate(&values, meaning);
            assert_eq!(value.sort(), sort, "{operator:?} of {values:?}");
            let term = terms.apply(operator, &operands);
            list.push(Sample { term, sort, value, made: Some((operator, chosen)) });
            break;
        }
    }
    (terms, list)
}
