//! Sets and maps: types and values.
//!
//! A set of values of a type `K` is one leaf, which has a truth value for each key: whether it
//! is in the set. A map from `K` to `V` has a leaf for its keys, which is such a set, and one
//! for each leaf of `V`, with a value for each key: what those of keys that are not in the map
//! have is left open. A leaf of `V` may be one of these again.
//!
//! The keys are values of a type without bounds, with the plainest ones in the place of
//! fields that do not count, so that one value is one key.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use lustral_base::sort::BitVec;

use crate::types::{Tuple, Type, Value};

/// A value of one scalar type for each value of another type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Keyed {
    /// The keys.
    pub key: Type,
    /// What each has: a type with one leaf.
    pub element: Type,
    /// What the leaves of keys are.
    pub sorts: Arc<[KeySort]>,
}

/// A map.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Map {
    /// The keys.
    pub key: Type,
    /// What those in the map have.
    pub value: Type,
    /// The set of the keys that are in it, and a leaf for each of the values.
    pub parts: Tuple,
}

/// What a leaf of a key is, as far as it says how many there are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum KeySort {
    /// A truth value.
    Bool,
    /// A machine integer.
    Machine(BitVec),
    /// Another: there is no end of such, or they are values of an enumeration.
    Other,
}

impl KeySort {
    fn count(self) -> Option<u64> {
        match self {
            KeySort::Bool => Some(2),
            KeySort::Machine(shape) => 1u64.checked_shl(shape.width().into()),
            KeySort::Other => None,
        }
    }

    fn values(self) -> Vec<Value> {
        match self {
            KeySort::Bool => vec![Value::Bool(false), Value::Bool(true)],
            KeySort::Machine(shape) => {
                let [low, high] = shape.range();
                let mut all = Vec::new();
                let mut next = low;
                while next <= high {
                    all.push(Value::Machine(shape, next.clone()));
                    next += 1;
                }
                all
            }
            KeySort::Other => Vec::new(),
        }
    }
}

impl Type {
    /// A value for each key.
    #[must_use]
    pub fn keyed(key: &Type, element: Type) -> Type {
        let key = key.without_bounds();
        let sort = |leaf| match key.leaf(leaf) {
            Type::Bool => KeySort::Bool,
            Type::Machine(shape) => KeySort::Machine(*shape),
            _ => KeySort::Other,
        };
        let sorts = (0..key.leaves()).map(sort).collect();
        let element = element.without_bounds();
        Type::Keyed(Arc::new(Keyed { key, element, sorts }))
    }

    /// Sets of values of a type.
    #[must_use]
    pub fn set(key: &Type) -> Type {
        Type::keyed(key, Type::Bool)
    }

    /// Maps from values of a type to those of another.
    #[must_use]
    pub fn map(key: &Type, value: &Type) -> Type {
        let (key, value) = (key.without_bounds(), value.without_bounds());
        let leaves = (0..value.leaves()).map(|leaf| value.leaf(leaf).clone());
        let tables = leaves.map(|leaf| Type::keyed(&key, leaf));
        let parts = Tuple::new([Type::set(&key)].into_iter().chain(tables).collect());
        Type::Map(Arc::new(Map { key, value, parts }))
    }

    /// What it is a set of.
    #[must_use]
    pub fn set_of(&self) -> Option<&Type> {
        match self {
            Type::Keyed(keyed) if keyed.element == Type::Bool => Some(&keyed.key),
            _ => None,
        }
    }

    /// Whether a part of it is a map.
    #[must_use]
    pub fn has_maps(&self) -> bool {
        match self {
            Type::Map(_) => true,
            Type::Keyed(_) => false,
            Type::Array(array) => array.element.has_maps(),
            _ => (0..self.part_count()).any(|part| self.part(part).has_maps()),
        }
    }

    /// Whether a part of it is a set or a map.
    #[must_use]
    pub fn has_keys(&self) -> bool {
        match self {
            Type::Keyed(_) | Type::Map(_) => true,
            Type::Array(array) => array.element.has_keys(),
            _ => (0..self.part_count()).any(|part| self.part(part).has_keys()),
        }
    }
}

/// A value for each key: the same for almost all of them, and others.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Table {
    sorts: Arc<[KeySort]>,
    rest: Value,
    /// None of them is the rest. Where there is no end of keys, the rest is what all but
    /// finitely many have. Of keys that are made of truth values and machine integers only the
    /// rest is what most have, and of several the least. Where values of enumerations are
    /// among them and there is an end, it is the plainest value: no operation of the language
    /// makes a table with another rest of such, and who makes one from other data lists all
    /// keys. So equal tables have one form.
    listed: BTreeMap<Vec<Value>, Value>,
}

impl Table {
    /// The same value for all keys.
    #[must_use]
    pub fn everywhere(sorts: Arc<[KeySort]>, value: Value) -> Table {
        Table { sorts, rest: value, listed: BTreeMap::new() }
    }

    /// The value of a key.
    #[must_use]
    pub fn at(&self, key: &[Value]) -> &Value {
        self.listed.get(key).unwrap_or(&self.rest)
    }

    /// The table with another value for a key.
    #[must_use]
    pub fn put(&self, key: Vec<Value>, value: Value) -> Table {
        let mut table = self.clone();
        table.listed.insert(key, value);
        table.plain()
    }

    /// For each key the value of the one table where a third has `true`, and else that of the
    /// other; where the third has tables, so have the others, and these are chosen from.
    #[must_use]
    pub fn choice(condition: &Table, yes: &Table, no: &Table) -> Table {
        let pick = |c: &Value, yes: &Value, no: &Value| match (c, yes, no) {
            // Tables in tables are as deep as types are nested.
            (Value::Table(c), Value::Table(yes), Value::Table(no)) => {
                Value::Table(Arc::new(Table::choice(c, yes, no)))
            }
            _ => {
                if *c == Value::Bool(true) {
                    yes.clone()
                } else {
                    no.clone()
                }
            }
        };
        let keys = [condition, yes, no].into_iter().flat_map(|table| table.listed.keys());
        let listed = keys
            .map(|key| (key.clone(), pick(condition.at(key), yes.at(key), no.at(key))))
            .collect();
        let rest = pick(&condition.rest, &yes.rest, &no.rest);
        Table { sorts: yes.sorts.clone(), rest, listed }.plain()
    }

    /// The value of almost all keys.
    #[must_use]
    pub fn rest(&self) -> &Value {
        &self.rest
    }

    /// The keys that have other values, with these.
    pub fn listed(&self) -> impl ExactSizeIterator<Item = (&[Value], &Value)> {
        self.listed.iter().map(|(key, value)| (&key[..], value))
    }

    /// What the leaves of its keys are.
    #[must_use]
    pub fn sorts(&self) -> &Arc<[KeySort]> {
        &self.sorts
    }

    /// How many keys there are, where that is known.
    fn count(&self) -> Option<u64> {
        self.sorts.iter().try_fold(1u64, |all, sort| all.checked_mul(sort.count()?))
    }

    /// Whether so many keys are all there are.
    pub(crate) fn has_only(&self, keys: usize) -> bool {
        self.count() == Some(keys as u64)
    }

    /// The one form of the table.
    fn plain(mut self) -> Table {
        let all = self.count();
        let listed = self.listed.len() as u64;
        if let Some(all) = all.filter(|all| listed.saturating_mul(2) >= *all) {
            let mut times: BTreeMap<Value, u64> = BTreeMap::new();
            for value in self.listed.values() {
                *times.entry(value.clone()).or_default() += 1;
            }
            *times.entry(self.rest.clone()).or_default() += all - listed;
            let most = times.values().copied().max().unwrap_or(0);
            let chosen = times.into_iter().find(|(_, count)| *count == most);
            if let Some((chosen, _)) = chosen.filter(|(value, _)| *value != self.rest) {
                // As many as are listed, up to a factor of two.
                for key in self.keys() {
                    let rest = &self.rest;
                    self.listed.entry(key).or_insert_with(|| rest.clone());
                }
                self.rest = chosen;
            }
        }
        let rest = self.rest.clone();
        self.listed.retain(|_, value| *value != rest);
        self
    }

    /// All keys, where there is an end of them.
    fn keys(&self) -> Vec<Vec<Value>> {
        let mut all = vec![Vec::new()];
        for sort in self.sorts.iter() {
            let mut longer = Vec::new();
            for start in &all {
                for value in sort.values() {
                    longer.push([&start[..], &[value]].concat());
                }
            }
            all = longer;
        }
        all
    }
}

/// `{(1, 2): 5, else 0}`, without the names of values of enumerations
/// (`Program::show_value`).
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{")?;
        for (key, value) in &self.listed {
            let key: Vec<String> = key.iter().map(Value::to_string).collect();
            write!(f, "({}): {value}, ", key.join(", "))?;
        }
        write!(f, "else {}}}", self.rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(sorts: &[KeySort], listed: &[(Value, bool)], rest: bool) -> Table {
        let all = Table::everywhere(sorts.into(), Value::Bool(rest));
        listed
            .iter()
            .fold(all, |table, (key, value)| table.put(vec![key.clone()], Value::Bool(*value)))
    }

    /// Of few keys all may be listed: then the same table can be written with any rest.
    #[test]
    fn equal_tables_have_one_form() {
        let bits = KeySort::Machine(BitVec::unsigned(2));
        let word = |n: u32| Value::Machine(BitVec::unsigned(2), n.into());
        for set in 0..16u32 {
            let listed: Vec<_> = (0..4).map(|n| (word(n), set >> n & 1 == 1)).collect();
            let forms = [false, true].map(|rest| table(&[bits], &listed, rest));
            assert_eq!(forms[0], forms[1], "{set}");
            for (key, value) in &listed {
                assert_eq!(*forms[0].at(std::slice::from_ref(key)), Value::Bool(*value));
            }
        }
        let both = [(Value::Bool(true), true), (Value::Bool(false), true)];
        assert_eq!(table(&[KeySort::Bool], &both, false), table(&[KeySort::Bool], &[], true));
        // Of integers there are always others.
        let one = [(Value::Int(1.into()), true)];
        assert_ne!(table(&[KeySort::Other], &one, false), table(&[KeySort::Other], &[], true));
    }

    #[test]
    fn a_choice_is_one_at_each_key() {
        let int = |n: i32| Value::Int(n.into());
        let set = |list: &[i32], rest: bool| {
            let listed: Vec<_> = list.iter().map(|n| (int(*n), !rest)).collect();
            table(&[KeySort::Other], &listed, rest)
        };
        let (a, b) = (set(&[1, 2], false), set(&[2, 3], true));
        let (none, all) = (set(&[], false), set(&[], true));
        assert_eq!(Table::choice(&a, &b, &none), set(&[1], false));
        assert_eq!(Table::choice(&a, &all, &b), set(&[3], true));
        assert_eq!(Table::choice(&b, &none, &a), set(&[2], false));
    }
}
