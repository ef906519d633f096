use num_bigint::BigInt;

use super::arithmetic::quotient;
use crate::{Sort, Terms, VarId};

#[test]
fn quotients_are_euclidean() {
    for (n, d, q) in [(7, 2, 3), (-7, 2, -4), (7, -2, -3), (-7, -2, 4), (6, -3, -2), (-6, 3, -2)] {
        assert_eq!(quotient(&BigInt::from(n), &BigInt::from(d)), BigInt::from(q), "{n} {d}");
    }
}

#[test]
fn like_terms_meet() {
    let mut t = Terms::new();
    let x = t.variable(VarId(0), Sort::Int);
    let one = t.int(1);
    let a = t.add(&[x, one]);
    let b = t.add(&[a, one]);
    let two = t.int(2);
    assert_eq!(b, t.add(&[two, x]));
    assert_eq!(t.sub(b, a), one);
    assert_eq!(t.le(a, b), Terms::TRUE);
    assert_eq!(t.eq(a, b), Terms::FALSE);
}

#[test]
fn long_chains_stay_linear() {
    let mut t = Terms::new();
    let mut all = Terms::TRUE;
    let mut sum = t.int(0);
    for i in 0..10_000 {
        let x = t.variable(VarId(i), Sort::Bool);
        all = t.and([all, x]);
        let y = t.variable(VarId(20_000 + i), Sort::Int);
        sum = t.add(&[sum, y]);
    }
    let operands: usize = t.closure([all, sum]).into_iter().map(|a| t.operands(a).len()).sum();
    assert!(operands < 1_000_000, "{operands}");
}
