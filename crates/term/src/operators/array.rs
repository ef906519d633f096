//! Arrays, as in the theory of SMT-LIB: total functions, from tuples of scalars.

use lustral_base::sort::{ArraySort, Scalar, Sort};
use lustral_base::{Limit, Limited};

use crate::operator::{Arity, Entry, Notation, Operator, Smtlib};
use crate::value::{Array, Value};

fn array(value: &Value) -> &Array {
    match value {
        Value::Array(array) => array,
        _ => unreachable!("operands are well-sorted"),
    }
}

fn index(values: &[&Value]) -> Vec<Value> {
    values.iter().copied().cloned().collect()
}

/// What the first of some sorts is from and to, if it is one of arrays and those behind it
/// are an index; with what comes after the index.
fn element(sorts: &[Sort]) -> Option<(ArraySort, &[Sort])> {
    let (Sort::Array(sort), rest) = sorts.split_first()? else { return None };
    let wanted = sort.index().iter().map(|scalar| Sort::from(*scalar));
    let (index, rest) = rest.split_at_checked(sort.index().len())?;
    index.iter().copied().eq(wanted).then_some((*sort, rest))
}

/// The text of an index: of several scalars, a tuple.
fn index_text(sort: ArraySort, texts: &[&str]) -> String {
    match texts {
        [text] => (*text).to_string(),
        texts => format!("({} {})", crate::tuple_name(sort.index()), texts.join(" ")),
    }
}

pub static SELECT: Entry = Entry {
    arity: Arity::AtLeast(2),
    typing: |_, sorts| {
        element(sorts).filter(|(_, rest)| rest.is_empty()).map(|(sort, _)| sort.element())
    },
    evaluate: |_, values, _| array(values[0]).select(&index(&values[1..])).clone(),
    construct: |terms, _, list| terms.select(list[0], &list[1..]),
    smtlib: Smtlib::Text(|_, sorts, texts| {
        let Sort::Array(sort) = sorts[0] else { unreachable!("operands are well-sorted") };
        format!("(select {} {})", texts[0], index_text(sort, &texts[1..]))
    }),
    notation: Notation::Index,
};

pub static STORE: Entry = Entry {
    arity: Arity::AtLeast(3),
    typing: |_, sorts| {
        let (sort, rest) = element(sorts)?;
        (rest == [sort.element()]).then_some(sorts[0])
    },
    evaluate: |_, values, _| {
        let mut array = array(values[0]).clone();
        let last = values.len() - 1;
        array.store(index(&values[1..last]), values[last].clone());
        Value::Array(Box::new(array))
    },
    construct: |terms, _, list| {
        let last = list.len() - 1;
        terms.store(list[0], &list[1..last], list[last])
    },
    smtlib: Smtlib::Text(|_, sorts, texts| {
        let Sort::Array(sort) = sorts[0] else { unreachable!("operands are well-sorted") };
        let last = texts.len() - 1;
        format!("(store {} {} {})", texts[0], index_text(sort, &texts[1..last]), texts[last])
    }),
    notation: Notation::Update,
};

pub static CONST_ARRAY: Entry = Entry {
    arity: Arity::Exactly(1),
    typing: |op, sorts| (result(op).element() == sorts[0]).then_some(Sort::Array(result(op))),
    evaluate: |op, values, _| {
        Value::Array(Box::new(Array::constant(result(op), values[0].clone())))
    },
    construct: |terms, op, list| terms.const_array(result(op), list[0]),
    smtlib: Smtlib::Text(|op, _, texts| {
        format!("((as const {}) {})", crate::sort_name(Sort::Array(result(op))), texts[0])
    }),
    notation: Notation::Call("array"),
};

fn result(op: Operator) -> ArraySort {
    match op {
        Operator::ConstArray(sort) => sort,
        _ => unreachable!("an entry is of its operator"),
    }
}

/// Whether a condition has a truth value for each element of arrays of a sort, or of arrays in
/// these.
fn chooses(condition: Sort, of: Sort) -> bool {
    let mut pair = (condition, of);
    loop {
        let (Sort::Array(condition), Sort::Array(of)) = pair else { return false };
        match condition.element() {
            _ if condition.index() != of.index() => return false,
            Sort::Bool => return true,
            inner => pair = (inner, of.element()),
        }
    }
}

pub static CHOOSE: Entry = Entry {
    arity: Arity::Exactly(3),
    typing: |_, sorts| {
        let [condition, yes, no] = *sorts else { return None };
        (chooses(condition, yes) && yes == no).then_some(no)
    },
    evaluate: |_, values, _| {
        let made = Array::choose(array(values[0]), array(values[1]), array(values[2]));
        Value::Array(Box::new(made))
    },
    construct: |terms, _, list| terms.choose(list[0], list[1], list[2]),
    // No operator of the standard: whoever writes it says what it is at each index that is
    // looked at (`smt/src/by_key.rs`).
    smtlib: Smtlib::Name("choose"),
    notation: Notation::Call("choose"),
};

pub static WITHIN: Entry = Entry {
    arity: Arity::AtLeast(2),
    typing: |op, sorts| {
        let Some(Sort::Array(set)) = sorts.first() else { return None };
        let fits = match (limit(op).of, &sorts[1..]) {
            (Limited::Key(at), [Sort::Int]) => {
                set.index().get(at as usize).is_some_and(|scalar| *scalar == Scalar::Int)
            }
            (Limited::Value, [Sort::Array(table), Sort::Int]) => {
                table.index() == set.index() && table.element() == Sort::Int
            }
            _ => false,
        };
        (fits && set.element() == Sort::Bool).then_some(Sort::Bool)
    },
    evaluate: |op, values, _| {
        let (bound, limit) = (values[values.len() - 1], limit(op));
        let holds = match limit.of {
            Limited::Key(at) => array(values[0]).keys_within(at as usize, limit.end, bound),
            Limited::Value => array(values[0]).values_within(array(values[1]), limit.end, bound),
        };
        Value::Bool(holds)
    },
    construct: |terms, op, list| terms.within(limit(op), list),
    // No operator of the standard, as `choose` is none.
    smtlib: Smtlib::Name("within"),
    notation: Notation::Call("within"),
};

fn limit(op: Operator) -> Limit {
    match op {
        Operator::Within(limit) => limit,
        _ => unreachable!("an entry is of its operator"),
    }
}
