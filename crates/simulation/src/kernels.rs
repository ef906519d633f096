//! The inner loops: plain loops over columns that the compiler can vectorise.
//! Whether any lane left the machine's range is gathered without a branch; the
//! lanes are looked at one by one only then.

use crate::column::WORD;

/// Applies a function to each element.
pub(crate) fn map<A: Copy, B>(out: &mut [B], a: &[A], f: impl Fn(A) -> B) {
    for (out, a) in out.iter_mut().zip(a) {
        *out = f(*a);
    }
}

/// Applies a function to the elements of two columns.
pub(crate) fn zip<A: Copy, B>(out: &mut [B], a: &[A], b: &[A], f: impl Fn(A, A) -> B) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = f(*a, *b);
    }
}

/// The same for a partial function; whether it was undefined anywhere.
pub(crate) fn zip_partial<A: Copy + Default>(
    out: &mut [A],
    a: &[A],
    b: &[A],
    f: impl Fn(A, A) -> Option<A>,
) -> bool {
    let mut failed = false;
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        let value = f(*a, *b);
        failed |= value.is_none();
        *out = value.unwrap_or_default();
    }
    failed
}

/// Which comparison.
#[derive(Clone, Copy)]
pub(crate) enum Comparison {
    Equal,
    AtMost,
}

/// Compares two columns, into bits.
pub(crate) fn compare<A: Ord>(out: &mut [u64], a: &[A], b: &[A], comparison: Comparison) {
    match comparison {
        Comparison::Equal => pack(out, a, b, |a, b| a == b),
        Comparison::AtMost => pack(out, a, b, |a, b| a <= b),
    }
}

fn pack<A>(out: &mut [u64], a: &[A], b: &[A], f: impl Fn(&A, &A) -> bool) {
    for ((out, a), b) in out.iter_mut().zip(a.chunks(WORD)).zip(b.chunks(WORD)) {
        // Eight bits at a time: short chains that do not wait for each other.
        let mut word = 0;
        for (i, (a, b)) in a.chunks(8).zip(b.chunks(8)).enumerate() {
            let mut byte = 0;
            for (j, (a, b)) in a.iter().zip(b).enumerate() {
                byte |= u64::from(f(a, b)) << j;
            }
            word |= byte << (8 * i);
        }
        *out = word;
    }
}

/// `if c then a else b`, lane by lane.
pub(crate) fn select<A: Copy>(out: &mut [A], c: &[u64], a: &[A], b: &[A]) {
    let words = out.chunks_mut(WORD).zip(c);
    for ((out, c), (a, b)) in words.zip(a.chunks(WORD).zip(b.chunks(WORD))) {
        match *c {
            0 => out.copy_from_slice(b),
            u64::MAX => out.copy_from_slice(a),
            c => {
                for (i, (out, (a, b))) in out.iter_mut().zip(a.iter().zip(b)).enumerate() {
                    *out = if c >> i & 1 == 1 { *a } else { *b };
                }
            }
        }
    }
}

/// Sums columns, those marked subtracted; whether any lane overflowed. Those
/// that are added come first.
pub(crate) fn sum(out: &mut [i64], columns: &[(&[i64], bool)]) -> bool {
    let mut overflow = 0;
    let rest = match columns {
        [(a, false), (b, false), rest @ ..] => {
            for ((out, a), b) in out.iter_mut().zip(*a).zip(*b) {
                let value = a.wrapping_add(*b);
                overflow |= (a ^ value) & (b ^ value);
                *out = value;
            }
            rest
        }
        [(a, false), (b, true), rest @ ..] => {
            for ((out, a), b) in out.iter_mut().zip(*a).zip(*b) {
                let value = a.wrapping_sub(*b);
                overflow |= (a ^ b) & (a ^ value);
                *out = value;
            }
            rest
        }
        rest => {
            out.fill(0);
            rest
        }
    };
    for (column, negative) in rest {
        for (out, a) in out.iter_mut().zip(*column) {
            let before = *out;
            let value = if *negative { before.wrapping_sub(*a) } else { before.wrapping_add(*a) };
            let other = if *negative { before ^ a } else { a ^ value };
            overflow |= (before ^ value) & other;
            *out = value;
        }
    }
    overflow < 0
}

/// Whether a sum overflows in a lane, in the order of [`sum`].
pub(crate) fn sum_overflows(columns: &[(&[i64], bool)], lane: usize) -> bool {
    let add = |sum: i64, (column, negative): &(&[i64], bool)| {
        if *negative { sum.checked_sub(column[lane]) } else { sum.checked_add(column[lane]) }
    };
    columns.iter().try_fold(0, add).is_none()
}

/// Multiplies columns; whether any lane overflowed.
pub(crate) fn product(out: &mut [i64], columns: &[&[i64]]) -> bool {
    out.copy_from_slice(columns[0]);
    let mut overflow = false;
    for column in &columns[1..] {
        for (out, a) in out.iter_mut().zip(*column) {
            let (value, over) = out.overflowing_mul(*a);
            overflow |= over;
            *out = value;
        }
    }
    overflow
}

/// Whether a product overflows in a lane, in the order of [`product`].
pub(crate) fn product_overflows(columns: &[&[i64]], lane: usize) -> bool {
    columns.iter().try_fold(1i64, |product, column| product.checked_mul(column[lane])).is_none()
}
