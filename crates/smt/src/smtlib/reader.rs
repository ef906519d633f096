//! Answers of solvers.

use lustral_term::{Array, ArraySort, Sort, Value};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use crate::session::Fault;

/// An S-expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SExpr {
    /// A symbol, a number or a text in quotes (kept with them).
    Atom(String),
    /// A list.
    List(Vec<SExpr>),
}

impl SExpr {
    /// The beginning of its text, for messages: as long as a line may be.
    #[must_use]
    pub(crate) fn shown(&self) -> String {
        const MOST: usize = 200;
        let mut text = String::new();
        // What is still to be written; nothing closes a list.
        let mut stack = vec![Some(self)];
        while let Some(next) = stack.pop() {
            if text.len() > MOST {
                text.extend([" …"]);
                break;
            }
            if next.is_some() && !text.is_empty() && !text.ends_with('(') {
                text.push(' ');
            }
            match next {
                None => text.push(')'),
                Some(SExpr::Atom(atom)) => text.extend(atom.chars().take(MOST)),
                Some(SExpr::List(list)) => {
                    text.push('(');
                    stack.push(None);
                    stack.extend(list.iter().rev().map(Some));
                }
            }
        }
        text
    }
}

/// All complete S-expressions of a text; `None` if one is not complete.
#[must_use]
pub fn parse_sexprs(text: &str) -> Option<Vec<SExpr>> {
    let mut open: Vec<Vec<SExpr>> = vec![Vec::new()];
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        match c {
            '(' => open.push(Vec::new()),
            ')' => {
                let list = open.pop()?;
                open.last_mut()?.push(SExpr::List(list));
            }
            ';' => while chars.next_if(|(_, c)| *c != '\n').is_some() {},
            '"' | '|' => {
                let mut end = None;
                while let Some((i, d)) = chars.next() {
                    // A doubled quote is a quote.
                    if d == c && !(c == '"' && chars.next_if(|(_, d)| *d == '"').is_some()) {
                        end = Some(i + 1);
                        break;
                    }
                }
                open.last_mut()?.push(SExpr::Atom(text[start..end?].to_string()));
            }
            c if c.is_whitespace() => {}
            _ => {
                let mut end = start + c.len_utf8();
                let part = |d: char| !d.is_whitespace() && !"()\";|".contains(d);
                while let Some((i, d)) = chars.next_if(|(_, d)| part(*d)) {
                    end = i + d.len_utf8();
                }
                open.last_mut()?.push(SExpr::Atom(text[start..end].to_string()));
            }
        }
    }
    if open.len() == 1 { open.pop() } else { None }
}

/// The value of a sort that an answer denotes.
#[must_use]
pub fn parse_value(answer: &SExpr, sort: Sort) -> Option<Value> {
    match sort {
        Sort::Bool => match answer {
            SExpr::Atom(a) if a == "true" => Some(Value::Bool(true)),
            SExpr::Atom(a) if a == "false" => Some(Value::Bool(false)),
            _ => None,
        },
        Sort::Int => {
            let r = rational(answer, 0)?;
            r.denom().is_one().then(|| Value::Int(r.to_integer()))
        }
        Sort::Real => rational(answer, 0).map(Value::Real),
        Sort::Enum(e) => {
            let position = rational(answer, 0)?;
            let i = position.denom().is_one().then(|| position.to_integer().to_u32())??;
            (i < e.size).then_some(Value::Enum(e, i))
        }
        Sort::BitVec(shape) => {
            let (width, bits) = parse_bits(answer)?;
            (width == u64::from(shape.width())).then_some(Value::BitVec(shape, bits))
        }
        Sort::Uninterpreted(id) => {
            // Such as `U0!val!3`, `@U0_3` or `(as @U0_3 U0)`.
            let name = match answer {
                SExpr::Atom(name) => name,
                SExpr::List(list) => match &list[..] {
                    [SExpr::Atom(head), SExpr::Atom(name), _] if head == "as" => name,
                    _ => return None,
                },
            };
            let digits = name.trim_start_matches(|c: char| c != '!' && c != '_');
            let number = digits.rsplit(['!', '_']).next()?;
            Some(Value::Uninterpreted(id, number.parse().ok()?))
        }
        // Of arrays one asks for the elements (`array_of`).
        Sort::Array(_) => None,
    }
}

/// The width and the bits of a bit-vector: `#x…`, `#b…` or `(_ bv… …)`.
pub(crate) fn parse_bits(answer: &SExpr) -> Option<(u64, BigUint)> {
    match answer {
        SExpr::Atom(text) => {
            let (digit, radix, digits) = match text.get(..2)? {
                "#x" => (4, 16, &text[2..]),
                "#b" => (1, 2, &text[2..]),
                _ => return None,
            };
            Some((digit * digits.len() as u64, BigUint::parse_bytes(digits.as_bytes(), radix)?))
        }
        SExpr::List(list) => match &list[..] {
            [SExpr::Atom(head), SExpr::Atom(number), SExpr::Atom(width)] if head == "_" => {
                let bits: BigUint = number.strip_prefix("bv")?.parse().ok()?;
                let width: u64 = width.parse().ok()?;
                (bits.bits() <= width).then_some((width, bits))
            }
            _ => None,
        },
    }
}

/// The array that has some elements at some indices, and the first of them everywhere else. A
/// position that no value of its enumeration has is no index.
pub(crate) fn array_of(sort: ArraySort, elements: Vec<(SExpr, Value)>) -> Value {
    let all = elements.first().map_or_else(|| Value::zero(sort.element()), |(_, e)| e.clone());
    let mut array = Array::constant(sort, all);
    for (index, element) in elements {
        if let Some(index) = parse_index(&index, sort) {
            array.store(index, element);
        }
    }
    Value::Array(Box::new(array))
}

/// An element of an array. What nobody has looked at may be no position of its enumeration.
///
/// # Errors
/// Those of [`read_value`].
pub(crate) fn read_element(answer: &SExpr, sort: Sort) -> Result<Value, Fault> {
    match sort {
        Sort::Enum(_) => Ok(parse_value(answer, sort).unwrap_or_else(|| Value::zero(sort))),
        _ => read_value(answer, sort),
    }
}

/// An index: a scalar, or a tuple of some. A position that no value of its enumeration has is
/// no index of the array.
fn parse_index(answer: &SExpr, sort: ArraySort) -> Option<Vec<Value>> {
    let scalars = match (sort.index(), answer) {
        ([_], scalar) => std::slice::from_ref(scalar),
        (index, SExpr::List(list)) if list.len() == index.len() + 1 => &list[1..],
        _ => return None,
    };
    let scalars = scalars.iter().zip(sort.index());
    scalars.map(|(answer, scalar)| parse_value(answer, (*scalar).into())).collect()
}

/// The value of a sort that an answer denotes.
///
/// # Errors
/// If it is a number that is no fraction, or nothing of the kind.
pub fn read_value(answer: &SExpr, sort: Sort) -> Result<Value, Fault> {
    parse_value(answer, sort).ok_or_else(|| {
        if is_root(answer) && sort == Sort::Real {
            Fault::Irrational
        } else {
            Fault::Nonsense(answer.shown())
        }
    })
}

/// Whether an answer is a root of a polynomial, as solvers write them:
/// `(root-obj p i)` or `(_ real_algebraic_number …)`, perhaps negated.
fn is_root(answer: &SExpr) -> bool {
    const NAMES: [&str; 3] = ["root-obj", "real_algebraic_number", "root-of-with-ordering"];
    let SExpr::List(list) = answer else { return false };
    list.iter().take(2).any(|part| match part {
        SExpr::Atom(name) => NAMES.contains(&name.as_str()),
        SExpr::List(inner) => {
            inner.iter().take(2).any(|p| matches!(p, SExpr::Atom(n) if NAMES.contains(&n.as_str())))
        }
    })
}

fn rational(answer: &SExpr, depth: usize) -> Option<BigRational> {
    match answer {
        SExpr::Atom(text) => decimal(text),
        SExpr::List(list) if depth < 8 => match &list[..] {
            [SExpr::Atom(op), a] if op == "-" => Some(-rational(a, depth + 1)?),
            [SExpr::Atom(op), a] if op == "to_real" => rational(a, depth + 1),
            [SExpr::Atom(op), a, b] if op == "/" => {
                let (a, b) = (rational(a, depth + 1)?, rational(b, depth + 1)?);
                (!b.is_zero()).then(|| a / b)
            }
            _ => None,
        },
        SExpr::List(_) => None,
    }
}

pub(crate) fn decimal(text: &str) -> Option<BigRational> {
    if let Some((n, d)) = text.split_once('/') {
        let (n, d): (BigInt, BigInt) = (n.parse().ok()?, d.parse().ok()?);
        return (!d.is_zero()).then(|| BigRational::new(n, d));
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let scale = BigInt::from(10).pow(u32::try_from(fraction.len()).ok()?);
    Some(BigRational::new(digits, scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_an_answer() {
        let shown = |text: &str| parse_sexprs(text).map(|list| list[0].shown()).unwrap_or_default();
        assert_eq!(shown("( set-option  :a (b (c)) () )"), "(set-option :a (b (c)) ())");
        assert_eq!(shown("|a b|"), "|a b|");
        let long = shown(&format!("({})", "abc ".repeat(1000)));
        assert!(long.len() < 300 && long.ends_with(" …"), "{long}");
    }

    #[test]
    fn values_in_the_forms_of_many_solvers() {
        for (text, sort, n, d) in [
            ("5", Sort::Int, 5, 1),
            ("(- 5)", Sort::Int, -5, 1),
            ("-5", Sort::Int, -5, 1),
            ("1.5", Sort::Real, 3, 2),
            ("(/ 1 3)", Sort::Real, 1, 3),
            ("(- (/ 1.0 3.0))", Sort::Real, -1, 3),
            ("(/ (- 1) 3)", Sort::Real, -1, 3),
            ("1/3", Sort::Real, 1, 3),
        ] {
            let parsed = parse_sexprs(text).unwrap();
            let value = parse_value(&parsed[0], sort).unwrap();
            let expected = BigRational::new(n.into(), d.into());
            match value {
                Value::Int(v) => assert_eq!(BigRational::from_integer(v), expected, "{text}"),
                Value::Real(v) => assert_eq!(v, expected, "{text}"),
                _ => panic!("{text}"),
            }
        }
        for nonsense in ["maybe", "(+ 1 2)", "(/ 1 0)", "()"] {
            let parsed = parse_sexprs(nonsense).unwrap();
            assert_eq!(parse_value(&parsed[0], Sort::Real), None, "{nonsense}");
        }
        assert_eq!(parse_sexprs("((a 1)"), None);
        for root in [
            "(root-obj (+ (^ x 2) (- 2)) 1)",
            "(- (root-obj (+ (^ x 2) (- 2)) 1))",
            "(_ real_algebraic_number <1*x^2 + (-2), (5/4, 3/2)>)",
        ] {
            let parsed = parse_sexprs(root).unwrap();
            assert_eq!(read_value(&parsed[0], Sort::Real), Err(Fault::Irrational), "{root}");
            assert_ne!(read_value(&parsed[0], Sort::Int), Err(Fault::Irrational), "{root}");
        }
    }
}
