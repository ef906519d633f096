//! Values of the language as those of terms, and back.

use std::sync::Arc;

use lustral_sema::interp::default_value;
use lustral_sema::types::{Keyed, Table};
use lustral_sema::{Program, Type, Value};
use lustral_term::{Array, Scalar, Sort, Value as TermValue};

/// A value of the language as one of a term.
pub(crate) fn to_term(program: &Program, value: &Value, ty: &Type) -> TermValue {
    match (value, ty) {
        (Value::Bool(b), _) => TermValue::Bool(*b),
        (Value::Int(n), _) => TermValue::Int(n.clone()),
        (Value::Real(r), _) => TermValue::Real(r.clone()),
        (Value::Machine(shape, n), _) => TermValue::bit_vec(*shape, n.clone()),
        (Value::Enum(i), Type::Enum(id)) => {
            TermValue::Enum(lustral_kernel::enumeration(program, *id), *i)
        }
        (Value::Table(table), Type::Keyed(keyed)) => {
            let Sort::Array(sort) = lustral_kernel::Type::of(program, ty).sort else {
                unreachable!("what has values for keys is an array")
            };
            let rest = to_term(program, table.rest(), &keyed.element);
            let mut array = Array::constant(sort, rest);
            for (key, value) in table.listed() {
                let leaves = (0..).map(|leaf| keyed.key.leaf(leaf));
                let index = key.iter().zip(leaves).map(|(value, ty)| to_term(program, value, ty));
                array.store(index.collect(), to_term(program, value, &keyed.element));
            }
            TermValue::Array(Box::new(array))
        }
        (Value::Enum(_) | Value::Table(_), _) => unreachable!("a value is of its type"),
    }
}

/// A value of a term as one of the language; none if it is not of the type,
/// bounds included: nobody else has made sure of that.
pub(crate) fn from_term(program: &Program, value: &TermValue, ty: &Type) -> Option<Value> {
    match (value, ty) {
        (TermValue::Int(n), Type::Subrange(bounds)) if !bounds.contains(n) => None,
        _ => unbounded(program, value, ty),
    }
}

/// The same without the bounds of subranges, which defined flows may leave.
pub(crate) fn unbounded(program: &Program, value: &TermValue, ty: &Type) -> Option<Value> {
    Some(match (value, ty) {
        (TermValue::Bool(b), Type::Bool) => Value::Bool(*b),
        (TermValue::Int(n), Type::Int | Type::Subrange(_) | Type::Abstract(_)) => {
            Value::Int(n.clone())
        }
        (TermValue::Real(r), Type::Real) => Value::Real(r.clone()),
        (TermValue::BitVec(found, bits), Type::Machine(shape)) => {
            (found == shape).then(|| Value::Machine(*shape, shape.number(bits)))?
        }
        (TermValue::Enum(e, i), Type::Enum(id)) => {
            let known = (*i as usize) < program.enums[id.index()].values.len();
            (e.id == *id && known).then_some(Value::Enum(*i))?
        }
        (TermValue::Array(array), Type::Keyed(keyed)) => {
            Value::Table(Arc::new(table(program, array, keyed)?))
        }
        _ => return None,
    })
}

/// What an array has for keys. Solvers know more indices than there are keys: positions of no
/// value of an enumeration, and other values than the plainest in the place of what does not
/// count. What an array has there is left out.
fn table(program: &Program, array: &Array, keyed: &Keyed) -> Option<Table> {
    let key = |index: &[TermValue]| -> Option<Vec<Value>> {
        let leaves = (0..keyed.key.leaves()).map(|leaf| keyed.key.leaf(leaf));
        let values = index.iter().zip(leaves).map(|(value, ty)| unbounded(program, value, ty));
        values.collect()
    };
    let rest = unbounded(program, array.default(), &keyed.element)?;
    let index = array.sort().index();
    let listed = index.iter().any(|scalar| matches!(scalar, Scalar::Enum(_)));
    if let Some(all) = all_keys(index).filter(|_| listed) {
        // Of these keys tables have the plainest value as their rest.
        let plain = default_value(&keyed.element);
        let mut table = Table::everywhere(keyed.sorts.clone(), plain);
        for index in all {
            let (key, value) =
                (key(&index)?, unbounded(program, array.select(&index), &keyed.element)?);
            if is_plain(&keyed.key, &key) {
                table = table.put(key, value);
            }
        }
        return Some(table);
    }
    let mut table = Table::everywhere(keyed.sorts.clone(), rest);
    for (index, element) in array.exceptions() {
        let key = key(index)?;
        if is_plain(&keyed.key, &key) {
            table = table.put(key, unbounded(program, element, &keyed.element)?);
        }
    }
    Some(table)
}

/// Whether all that does not count in a key is the plainest value.
fn is_plain(ty: &Type, key: &[Value]) -> bool {
    (0..).zip(key).all(|(leaf, value)| {
        let around = ty.counts_where(leaf);
        let counts = |(tag, made): &(u32, u32)| key[*tag as usize] == Value::Enum(*made);
        around.iter().all(counts) || *value == default_value(ty.leaf(leaf))
    })
}

/// The most keys that are gone through one by one.
const MOST: usize = 1 << 16;

/// All values of indices, where there is an end of them; none also where there are too many.
fn all_keys(index: &[Scalar]) -> Option<Vec<Vec<TermValue>>> {
    let mut all: Vec<Vec<TermValue>> = vec![Vec::new()];
    for scalar in index {
        let values: Vec<TermValue> = match scalar {
            Scalar::Bool => vec![false.into(), true.into()],
            Scalar::Enum(e) => (0..e.size).map(|i| TermValue::Enum(*e, i)).collect(),
            Scalar::BitVec(shape) if shape.width() <= 16 => {
                (0..1u32 << shape.width()).map(|n| TermValue::bit_vec(*shape, n)).collect()
            }
            _ => return None,
        };
        if all.len().saturating_mul(values.len()) > MOST {
            return None;
        }
        let longer = |start: &Vec<TermValue>| -> Vec<Vec<TermValue>> {
            values.iter().map(|value| [&start[..], std::slice::from_ref(value)].concat()).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    Some(all)
}
