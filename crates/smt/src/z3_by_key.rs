//! What is said of all indices of arrays (`by_key.rs`), with Z3's own terms.

use lustral_term::{Scalar, Sort, Value};
use z3::ast::{Bool, Dynamic, Int};

use crate::by_key::Build;
use crate::z3_terms::{constant, scalar_of, tuple_of, z3_sort};

/// Makes Z3's terms.
pub(crate) struct Z3Build;

fn truth(value: &Dynamic) -> Bool {
    value.as_bool().expect("facts are truth values")
}

impl Build for Z3Build {
    type Id = Dynamic;

    fn select(&mut self, array: &Dynamic, index: &Dynamic) -> Dynamic {
        array.as_array().expect("what is looked at is an array").select(index)
    }

    fn same(&mut self, a: &Dynamic, b: &Dynamic) -> Dynamic {
        a.eq(b.clone()).into()
    }

    fn not(&mut self, a: &Dynamic) -> Dynamic {
        truth(a).not().into()
    }

    fn all(&mut self, list: &[Dynamic]) -> Dynamic {
        Bool::and(&list.iter().map(truth).collect::<Vec<_>>()).into()
    }

    fn any(&mut self, list: &[Dynamic]) -> Dynamic {
        Bool::or(&list.iter().map(truth).collect::<Vec<_>>()).into()
    }

    fn at_most(&mut self, a: &Dynamic, b: &Dynamic) -> Dynamic {
        let [a, b] = [a, b].map(|number| number.as_int().expect("bounds are integers"));
        a.le(b).into()
    }

    fn scalar(&mut self, index: &'static [Scalar], of: &Dynamic, position: usize) -> Dynamic {
        match index {
            [_] => of.clone(),
            _ => scalar_of(index, of, position),
        }
    }

    fn ite(&mut self, c: &Dynamic, yes: &Dynamic, no: &Dynamic) -> Dynamic {
        truth(c).ite(yes, no)
    }

    fn key(&mut self, index: &'static [Scalar], key: &[Value]) -> Dynamic {
        index_of_scalars(index, key.iter().map(constant).collect())
    }

    fn new_index(&mut self, index: &'static [Scalar], facts: &mut Vec<Dynamic>) -> Dynamic {
        let mut scalars = Vec::with_capacity(index.len());
        for scalar in index {
            let sort = Sort::from(*scalar);
            let made = Dynamic::fresh_const("key", &z3_sort(sort));
            facts.extend(self.range(&made, sort));
            scalars.push(made);
        }
        index_of_scalars(index, scalars)
    }

    fn new_truth(&mut self) -> Dynamic {
        Bool::fresh_const("same").into()
    }

    fn range(&mut self, of: &Dynamic, sort: Sort) -> Option<Dynamic> {
        let (Sort::Enum(e), position) = (sort, of.as_int()?) else { return None };
        let bounds = [position.ge(Int::from_u64(0)), position.lt(Int::from_u64(e.size.into()))];
        Some(Bool::and(&bounds).into())
    }
}

/// A constant that stands for an array.
pub(crate) fn new_array(sort: Sort) -> Dynamic {
    Dynamic::fresh_const("array", &z3_sort(sort))
}

/// An index: of several scalars, a tuple.
pub(crate) fn index_of_scalars(index: &'static [Scalar], scalars: Vec<Dynamic>) -> Dynamic {
    match <[Dynamic; 1]>::try_from(scalars) {
        Ok([scalar]) => scalar,
        Err(scalars) => tuple_of(index, &scalars),
    }
}
