//! Values: random ones, and those of the language as those of terms.

use std::collections::BTreeMap;
use std::sync::Arc;

use lustral_base::random::mix;
use lustral_sema::interp::{Choices, Open, Undefined, default_value};
use lustral_sema::types::{KeySort, Keyed, Table};
use lustral_sema::{Program, Type, Value};
use lustral_system::{Answers, Question};
use lustral_term::{
    Array, ArraySort, Enumeration, Function, FunctionId, Interpretation, Partial, Scalar, Sort,
    Value as TermValue,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::dice::Dice;

/// A value of the language as one of a sort.
///
/// # Panics
/// If it is of another.
#[must_use]
pub fn to_term(value: &Value, sort: Sort) -> TermValue {
    match (value, sort) {
        (Value::Bool(b), Sort::Bool) => TermValue::Bool(*b),
        (Value::Int(n), Sort::Int) => TermValue::Int(n.clone()),
        (Value::Real(r), Sort::Real) => TermValue::Real(r.clone()),
        (Value::Machine(found, n), Sort::BitVec(shape)) if *found == shape => {
            TermValue::bit_vec(shape, n.clone())
        }
        (Value::Enum(i), Sort::Enum(e)) => TermValue::Enum(e, *i),
        (Value::Table(table), Sort::Array(sort)) => {
            let mut array = Array::constant(sort, to_term(table.rest(), sort.element()));
            for (key, value) in table.listed() {
                let index = key.iter().zip(sort.index());
                let index = index.map(|(value, scalar)| to_term(value, (*scalar).into()));
                array.store(index.collect(), to_term(value, sort.element()));
            }
            TermValue::Array(Box::new(array))
        }
        _ => panic!("{value} is not of the sort {sort:?}"),
    }
}

/// A value of a term as one of the language.
fn from_term(value: TermValue) -> Value {
    match value {
        TermValue::Bool(b) => Value::Bool(b),
        TermValue::Int(n) => Value::Int(n),
        TermValue::Real(r) => Value::Real(r),
        TermValue::Enum(_, i) => Value::Enum(i),
        TermValue::BitVec(shape, bits) => Value::Machine(shape, shape.number(&bits)),
        TermValue::Array(array) => {
            let sort = |scalar: &Scalar| match scalar {
                Scalar::Bool => KeySort::Bool,
                Scalar::BitVec(shape) => KeySort::Machine(*shape),
                _ => KeySort::Other,
            };
            let sorts = array.sort().index().iter().map(sort).collect();
            let mut table = Table::everywhere(sorts, from_term(array.default().clone()));
            for (index, element) in array.exceptions() {
                let key = index.iter().cloned().map(from_term).collect();
                table = table.put(key, from_term(element.clone()));
            }
            Value::Table(Arc::new(table))
        }
        other @ TermValue::Uninterpreted(..) => {
            unreachable!("{other:?} is no scalar of the language")
        }
    }
}

/// The sort of the values of a scalar type.
fn sort_of(program: &Program, ty: &Type) -> Sort {
    match ty {
        Type::Bool => Sort::Bool,
        Type::Int | Type::Subrange(_) | Type::Abstract(_) => Sort::Int,
        Type::Real => Sort::Real,
        Type::Machine(shape) => Sort::BitVec(*shape),
        Type::Enum(id) => {
            let size = program.enums[id.0 as usize].values.len() as u32;
            Sort::Enum(Enumeration { id: *id, size })
        }
        Type::Keyed(keyed) => {
            let leaves = (0..keyed.key.leaves()).map(|leaf| keyed.key.leaf(leaf));
            let index = leaves.map(|ty| sort_of(program, ty).scalar());
            let index = index.collect::<Option<Vec<Scalar>>>().expect("a leaf is a scalar");
            Sort::Array(ArraySort::new(&index, sort_of(program, &keyed.element)))
        }
        Type::Record(_) | Type::Tuple(_) | Type::Array(_) | Type::Map(_) => {
            panic!("a leaf is a scalar")
        }
    }
}

fn fraction(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(BigInt::from(numerator), BigInt::from(denominator))
}

/// A random value of a scalar type, zero rather often.
///
/// # Panics
/// If the type has parts.
pub fn random(dice: &mut Dice, program: &Program, ty: &Type) -> Value {
    match ty {
        Type::Bool => Value::Bool(dice.chance(50)),
        Type::Int if dice.chance(5) => Value::Int(BigInt::from(dice.number())),
        Type::Int | Type::Abstract(_) => Value::Int(BigInt::from(dice.between(-4, 5))),
        Type::Real => Value::Real(fraction(dice.between(-6, 6), dice.between(1, 4))),
        Type::Subrange(bounds) => Value::Int(bounds.pick(dice.number() % 8)),
        Type::Enum(_) => dice.pick(&all(program, ty)).clone(),
        Type::Machine(shape) => {
            let [low, high] = shape.range();
            let near = BigInt::from(dice.between(0, 3));
            // Where the numbers wrap around there is most to see.
            let number = match dice.below(4) {
                0 => &low + &near,
                1 => &high - &near,
                _ => near - BigInt::from(2),
            };
            Value::Machine(*shape, number.clamp(low, high))
        }
        Type::Keyed(keyed) => Value::Table(Arc::new(random_table(dice, program, keyed))),
        Type::Record(_) | Type::Tuple(_) | Type::Array(_) | Type::Map(_) => {
            panic!("a leaf is a scalar")
        }
    }
}

/// Random values for some keys, and one for all others.
fn random_table(dice: &mut Dice, program: &Program, keyed: &Keyed) -> Table {
    let leaves: Vec<&Type> = (0..keyed.key.leaves()).map(|leaf| keyed.key.leaf(leaf)).collect();
    let endless = |ty: &&&Type| matches!(ty, Type::Int | Type::Real | Type::Abstract(_));
    // Of keys of which there is an end with enumerations among them, it is the plainest one.
    let rest = if leaves.iter().any(|ty| endless(&ty)) && dice.chance(30) {
        random(dice, program, &keyed.element)
    } else {
        default_value(&keyed.element)
    };
    let mut table = Table::everywhere(keyed.sorts.clone(), rest);
    for _ in 0..dice.below(4) {
        let mut key: Vec<Value> = leaves.iter().map(|ty| random(dice, program, ty)).collect();
        for leaf in 0..leaves.len() {
            let around = keyed.key.counts_where(leaf as u32);
            if around.iter().any(|(tag, made)| key[*tag as usize] != Value::Enum(*made)) {
                key[leaf] = default_value(leaves[leaf]);
            }
        }
        table = table.put(key, random(dice, program, &keyed.element));
    }
    table
}

/// All values of a scalar type that has few.
///
/// # Panics
/// If it has infinitely many, or parts.
#[must_use]
pub fn all(program: &Program, ty: &Type) -> Vec<Value> {
    match ty {
        Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Type::Subrange(bounds) => {
            let bound = |n: &Option<BigInt>| n.as_ref().and_then(BigInt::to_i64);
            let bounds = bound(&bounds.low).zip(bound(&bounds.high));
            let (low, high) = bounds.expect("a subrange of few values is near zero");
            (low..=high).map(|n| Value::Int(n.into())).collect()
        }
        Type::Enum(id) => {
            let count = program.enums[id.0 as usize].values.len() as u32;
            (0..count).map(Value::Enum).collect()
        }
        Type::Machine(shape) => {
            let [low, high] = shape.range();
            let bound = |n: &BigInt| n.to_i64().expect("a machine integer of few bits");
            (bound(&low)..=bound(&high)).map(|n| Value::Machine(*shape, n.into())).collect()
        }
        Type::Int | Type::Real | Type::Abstract(_) => panic!("a type with infinitely many values"),
        Type::Keyed(_) => panic!("a type with too many values"),
        Type::Record(_) | Type::Tuple(_) | Type::Array(_) | Type::Map(_) => {
            panic!("a leaf is a scalar")
        }
    }
}

/// Random functions for what is left open: divisions by zero, and functions without a
/// body.
#[derive(Clone, Copy, Debug)]
pub struct RandomFunctions(pub u64);

impl RandomFunctions {
    /// A small value of a sort, that of a question.
    fn answer(self, question: &Question) -> TermValue {
        let mut hash = mix(self.0);
        for byte in format!("{question:?}").bytes() {
            hash = mix(hash ^ u64::from(byte));
        }
        let small = (hash % 9) as i64 - 4;
        match question.sort() {
            Sort::Bool => TermValue::Bool(small > 0),
            Sort::Real => TermValue::Real(fraction(small, 2)),
            Sort::Enum(e) => TermValue::Enum(e, (hash % u64::from(e.size)) as u32),
            Sort::BitVec(shape) => TermValue::bit_vec(shape, small),
            sort @ Sort::Array(_) => TermValue::zero(sort),
            _ => TermValue::Int(small.into()),
        }
    }
}

impl Interpretation for RandomFunctions {
    fn divide_by_zero(&self, operation: Partial, dividend: &TermValue) -> TermValue {
        self.answer(&Question::Division(operation, dividend.clone()))
    }

    fn call(&self, function: Function, arguments: &[&TermValue]) -> TermValue {
        let arguments = arguments.iter().copied().cloned().collect();
        self.answer(&Question::Call(function, arguments))
    }
}

/// Random choices, the same for the same question, all of them remembered.
pub struct RandomChoices<'p> {
    program: &'p Program,
    dice: Dice,
    function: RandomFunctions,
    /// The first values that were asked for, by step.
    pub first: BTreeMap<(Open, usize), Value>,
    /// The elements outside of their arrays that were asked for, by step.
    pub outside: BTreeMap<(Open, usize), Value>,
    /// What was asked of functions that are left open.
    pub answers: Answers,
}

impl<'p> RandomChoices<'p> {
    /// No choice yet.
    #[must_use]
    pub fn new(program: &'p Program, mut dice: Dice) -> RandomChoices<'p> {
        let function = RandomFunctions(dice.number());
        RandomChoices {
            program,
            dice,
            function,
            first: BTreeMap::new(),
            outside: BTreeMap::new(),
            answers: Answers::default(),
        }
    }

    /// The functions that are left open.
    #[must_use]
    pub fn function(&self) -> RandomFunctions {
        self.function
    }
}

impl RandomChoices<'_> {
    fn answer(&mut self, question: Question) -> Value {
        let value = self.function.answer(&question);
        self.answers.0.insert(question, value.clone());
        from_term(value)
    }
}

impl Choices for RandomChoices<'_> {
    fn apply(&mut self, function: u32, arguments: &[(&Type, Value)], ty: &Type) -> Value {
        let sort = |ty: &Type| sort_of(self.program, ty);
        let mut list: Vec<TermValue> =
            arguments.iter().map(|(ty, value)| to_term(value, sort(ty))).collect();
        if list.is_empty() {
            // As in terms.
            list.push(TermValue::Bool(true));
        }
        let function = Function { id: FunctionId(function), result: sort(ty) };
        self.answer(Question::Call(function, list))
    }

    fn first_value(&mut self, pre: Open, step: usize, ty: &Type) -> Value {
        let RandomChoices { program, dice, .. } = self;
        self.first.entry((pre, step)).or_insert_with(|| random(dice, program, ty)).clone()
    }

    fn any_value(&mut self, access: Open, step: usize, ty: &Type) -> Value {
        let RandomChoices { program, dice, .. } = self;
        let known = self.outside.entry((access, step));
        known.or_insert_with(|| random(dice, program, ty)).clone()
    }

    fn division_by_zero(&mut self, operation: Undefined, dividend: &Value) -> Value {
        let operation = match operation {
            Undefined::Divide => Partial::RealDiv,
            Undefined::Div => Partial::IntDiv,
            Undefined::Mod => Partial::Mod,
        };
        let sort = if operation == Partial::RealDiv { Sort::Real } else { Sort::Int };
        self.answer(Question::Division(operation, to_term(dividend, sort)))
    }
}
