//! A line for each rule: what is asked for, and what comes out. That values are
//! kept is for `tests/rewriting.rs` to show, on random terms of all operators.

use num_bigint::BigInt;

use super::arithmetic::quotient;
use crate::{
    ArraySort, BitVec, End, EnumId, Enumeration, Limit, Limited, Operator, Scalar, Sort, TermId,
    Terms, Value, VarId, show_term,
};

/// Variables of some sorts, by name.
const VARIABLES: [(&str, Sort); 14] = [
    ("p", Sort::Bool),
    ("q", Sort::Bool),
    ("m", Sort::Int),
    ("n", Sort::Int),
    ("r", Sort::Real),
    ("c", Sort::Enum(Enumeration { id: EnumId(0), size: 3 })),
    ("d", Sort::Enum(Enumeration { id: EnumId(0), size: 3 })),
    ("e", Sort::Enum(Enumeration { id: EnumId(1), size: 1 })),
    ("f", Sort::Enum(Enumeration { id: EnumId(1), size: 1 })),
    ("u", Sort::BitVec(BitVec::unsigned(8))),
    ("v", Sort::BitVec(BitVec::unsigned(8))),
    ("s", Sort::BitVec(BitVec::signed(8))),
    ("b", Sort::BitVec(BitVec::signed(1))),
    ("w", Sort::BitVec(BitVec::unsigned(16))),
];

/// The sort of the arrays `a` and `t`, and that of the sets `k`.
fn array_sorts() -> [(&'static str, Sort); 4] {
    let array = |element| Sort::Array(ArraySort::new(&[Scalar::Int], element));
    let pairs = ArraySort::new(&[Scalar::Int, Scalar::Bool], Sort::Int);
    [
        ("a", array(Sort::Int)),
        ("t", array(Sort::Int)),
        ("k", array(Sort::Bool)),
        ("z", Sort::Array(pairs)),
    ]
}

/// Makes terms from a few words in prefix notation: names of variables,
/// operators, numbers with the sort of the variable after the colon.
struct Reader {
    terms: Terms,
}

impl Reader {
    fn atom(&mut self, word: &str) -> TermId {
        if let Some(i) = VARIABLES.iter().position(|(name, _)| *name == word) {
            return self.terms.variable(VarId(i as u32), VARIABLES[i].1);
        }
        if let Some(i) = array_sorts().iter().position(|(name, _)| *name == word) {
            return self.terms.variable(VarId((VARIABLES.len() + i) as u32), array_sorts()[i].1);
        }
        match word.split_once(':') {
            None if word == "true" || word == "false" => self.terms.bool(word == "true"),
            None => self.terms.int(word.parse::<BigInt>().unwrap()),
            Some((number, like)) => {
                let (_, sort) = VARIABLES.iter().find(|(name, _)| *name == like).unwrap();
                let n: i64 = number.parse().unwrap();
                let value = match *sort {
                    Sort::Enum(e) => Value::Enum(e, n as u32),
                    Sort::BitVec(shape) => Value::bit_vec(shape, n),
                    _ => Value::Real(BigInt::from(n).into()),
                };
                self.terms.constant(value)
            }
        }
    }

    /// The term of a text such as `(Add m (Mul 2 n))`.
    fn term(&mut self, text: &str) -> TermId {
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let mut open: Vec<(&str, Vec<TermId>)> = vec![("", Vec::new())];
        let mut words = spaced.split_whitespace();
        while let Some(word) = words.next() {
            let term = match word {
                "(" => {
                    open.push((words.next().unwrap(), Vec::new()));
                    continue;
                }
                ")" => {
                    let (name, operands) = open.pop().unwrap();
                    self.terms.apply(operator(name), &operands)
                }
                _ => self.atom(word),
            };
            open.last_mut().unwrap().1.push(term);
        }
        open[0].1[0]
    }
}

fn operator(name: &str) -> Operator {
    use Operator::*;
    let plain = [
        Not, And, Or, Ite, Eq, Le, Add, Mul, IntDiv, Mod, RealDiv, ToReal, Floor, BvNot, BvNeg,
        BvAnd, BvOr, BvXor, BvAdd, BvMul, BvDiv, BvRem, BvShl, BvShr, BvLe, BvToInt, BvConcat,
        Select, Store, Choose,
    ];
    match name {
        "LowKeys" => Within(Limit { of: Limited::Key(0), end: End::Low }),
        "HighKeys" => Within(Limit { of: Limited::Key(0), end: End::High }),
        "HighValues" => Within(Limit { of: Limited::Value, end: End::High }),
        "ConstArray" => ConstArray(ArraySort::new(&[Scalar::Int], Sort::Int)),
        "ConstSet" => ConstArray(ArraySort::new(&[Scalar::Int], Sort::Bool)),
        "ToU8" => IntToBv(BitVec::unsigned(8)),
        "ToU16" => IntToBv(BitVec::unsigned(16)),
        "U8" => BvResize(BitVec::unsigned(8)),
        "Low" => BvExtract { high: 7, low: 0 },
        _ => *plain.iter().find(|o| format!("{o:?}") == name).expect(name),
    }
}

const RULES: &[(&str, &str)] = &[
    // Truth values.
    ("(Not true)", "false"),
    ("(Not (Not p))", "p"),
    ("(And p true)", "p"),
    ("(And p false)", "false"),
    ("(And p (Not p))", "false"),
    ("(And p (And q p))", "p and q"),
    ("(Or p false)", "p"),
    ("(Or p true)", "true"),
    ("(Or p (Not p))", "true"),
    ("(Ite true m n)", "m"),
    ("(Ite (Not p) m n)", "if p then n else m"),
    ("(Ite p m m)", "m"),
    ("(Ite p (Ite p m n) n)", "if p then m else n"),
    ("(Ite p m (Ite p m n))", "if p then m else n"),
    ("(Ite p true q)", "p or q"),
    ("(Ite p q false)", "p and q"),
    ("(Ite p false q)", "q and not p"),
    ("(Ite p q true)", "q or not p"),
    ("(Ite p q (Not q))", "p = q"),
    // Equality.
    ("(Eq m m)", "true"),
    ("(Eq 1 2)", "false"),
    ("(Eq p true)", "p"),
    ("(Eq p false)", "not p"),
    ("(Eq p (Not q))", "p <> q"),
    ("(Eq m (Add m 1))", "false"),
    ("(Eq (Ite p 1 2) 1)", "p"),
    ("(Eq c d)", "c = d"),
    ("(Eq 1:c 2:c)", "false"),
    ("(Eq (Ite p 1:c 2:c) 2:c)", "not p"),
    ("(Eq e f)", "true"),
    // Numbers.
    ("(Le m m)", "true"),
    ("(Le m (Add m 1))", "true"),
    ("(Le (Add m 1) m)", "false"),
    ("(Le (Ite p 1 5) 3)", "p"),
    ("(Add m m)", "2 * m"),
    ("(Add m (Mul -1 m))", "0"),
    ("(Add 1 (Add m 2))", "3 + m"),
    ("(Mul 2 (Mul 3 m))", "6 * m"),
    ("(Mul 0 m)", "0"),
    ("(Mul 2 (Add m 1))", "2 + 2 * m"),
    ("(IntDiv m 1)", "m"),
    ("(IntDiv -7 2)", "-4"),
    ("(IntDiv 7 0)", "7 div 0"),
    ("(Mod -7 2)", "1"),
    ("(RealDiv r 2:r)", "0.5 * r"),
    ("(ToReal 3)", "3.0"),
    ("(Floor (ToReal m))", "m"),
    // Machine integers.
    ("(BvNot (BvNot u))", "u"),
    ("(BvNot 0:s)", "-1"),
    ("(BvNeg (BvNeg s))", "s"),
    ("(BvNeg -128:s)", "-128"),
    ("(BvAnd u 0:u)", "0"),
    ("(BvAnd u 255:u)", "u"),
    ("(BvAnd u u)", "u"),
    ("(BvOr u 0:u)", "u"),
    ("(BvOr u 255:u)", "255"),
    ("(BvOr u u)", "u"),
    ("(BvXor u u)", "0"),
    ("(BvXor u 0:u)", "u"),
    ("(BvAdd u 0:u)", "u"),
    ("(BvAdd 255:u 1:u)", "0"),
    ("(BvAdd 127:s 1:s)", "-128"),
    ("(BvAdd u (BvNeg u))", "0"),
    ("(BvAdd 2:u (BvAdd u 3:u))", "5 + u"),
    ("(BvAdd 253:u (BvAdd u 3:u))", "u"),
    ("(BvMul u 0:u)", "0"),
    ("(BvMul u 1:u)", "u"),
    ("(BvMul b 1:b)", "b"),
    ("(BvDiv u 1:u)", "u"),
    ("(BvDiv b -1:b)", "b div (-1)"),
    ("(BvDiv 7:u 0:u)", "255"),
    ("(BvDiv -7:s 0:s)", "1"),
    ("(BvDiv 7:s 0:s)", "-1"),
    ("(BvDiv -7:s 2:s)", "-3"),
    ("(BvDiv -128:s -1:s)", "-128"),
    ("(BvRem u 1:u)", "0"),
    ("(BvRem u 0:u)", "u"),
    ("(BvRem -7:s 2:s)", "-1"),
    ("(BvShl u 0:u)", "u"),
    ("(BvShl 1:u 7:u)", "128"),
    ("(BvShl 1:u 8:u)", "0"),
    ("(BvShr 255:u 12:u)", "0"),
    ("(BvShr -1:s 12:s)", "-1"),
    ("(BvShr 0:s s)", "0"),
    ("(BvLe 0:u u)", "true"),
    ("(BvLe u 255:u)", "true"),
    ("(BvLe -128:s s)", "true"),
    ("(BvLe s 127:s)", "true"),
    ("(BvLe 0:s s)", "0 <= s"),
    ("(BvLe u u)", "true"),
    ("(ToU8 300)", "44"),
    ("(ToU8 (BvToInt u))", "u"),
    ("(ToU16 (BvToInt s))", "uint16 s"),
    ("(BvToInt -1:s)", "-1"),
    ("(BvToInt (ToU8 m))", "m mod 256"),
    ("(BvNeg (ToU8 m))", "uint8 (-1) * m"),
    ("(BvNot (ToU8 m))", "uint8 (-1) + (-1) * m"),
    ("(BvAdd 3:u (ToU8 m))", "uint8 3 + m"),
    ("(BvAdd (ToU8 n) (ToU8 m))", "uint8 n + m"),
    ("(BvAdd u (ToU8 m))", "u + (uint8 m)"),
    ("(BvMul 3:u (ToU8 m))", "uint8 3 * m"),
    ("(BvLe (ToU8 m) 7:u)", "m mod 256 <= 7"),
    ("(BvLe u (ToU8 m))", "u <= (uint8 m)"),
    ("(Eq (ToU8 m) 7:u)", "((-7) + m) mod 256 = 0"),
    ("(Eq (ToU8 m) (ToU8 n))", "(m + (-1) * n) mod 256 = 0"),
    ("(U8 (ToU16 m))", "uint8 m"),
    ("(Le (BvToInt s) 7)", "s <= 7"),
    ("(Le (BvToInt s) 127)", "true"),
    ("(Le (BvToInt s) -129)", "false"),
    ("(Le -7 (BvToInt s))", "-7 <= s"),
    ("(Le 128 (BvToInt s))", "false"),
    ("(Le (BvToInt u) (BvToInt v))", "u <= v"),
    ("(Eq (BvToInt s) 200)", "false"),
    ("(Eq (BvToInt u) 200)", "u = 200"),
    ("(Eq (BvToInt u) (BvToInt v))", "u = v"),
    ("(ToU8 (Add (BvToInt u) (BvToInt v)))", "u + v"),
    ("(ToU8 (Add (BvToInt s) 256))", "uint8 s"),
    ("(ToU8 (Mul (BvToInt u) (BvToInt v)))", "u * v"),
    ("(ToU8 (Mul -1 (BvToInt u)))", "255 * u"),
    ("(ToU8 (Ite p (BvToInt u) 300))", "if p then u else 44"),
    ("(ToU8 (Mod (BvToInt s) 256))", "uint8 s"),
    ("(ToU8 (Mod (BvToInt w) 4))", "uint8 uint@<2> w"),
    ("(ToU8 (Mod m 256))", "uint8 m"),
    ("(ToU8 (Mod m 512))", "uint8 m"),
    ("(ToU8 (Mod m 128))", "uint8 m mod 128"),
    ("(ToU8 (Add m (BvToInt u)))", "uint8 m + int(u)"),
    ("(Le (Add (BvToInt u) (BvToInt v)) 300)", "(uint@<9> v) + (uint@<9> u) <= 300"),
    ("(Le (BvToInt s) (BvToInt u))", "(sint@<9> s) <= (sint@<9> u)"),
    ("(Eq (BvToInt (BvAdd u 1:u)) (Add 1 (BvToInt u)))", "(uint@<9> 1 + u) = 1 + (uint@<9> u)"),
    ("(U8 u)", "u"),
    ("(U8 -1:s)", "255"),
    ("(Low u)", "u"),
    ("(Low w)", "w[7:0]"),
    ("(BvConcat 1:u 2:u)", "258"),
    // Arrays.
    ("(Select (Store a m n) m)", "n"),
    ("(Select (Store a 1 n) 2)", "a[2]"),
    ("(Select (Store a m n) 2)", "(a with [m] = n)[2]"),
    ("(Select (ConstArray m) n)", "m"),
    ("(Select (ConstArray 7) n)", "7"),
    ("(Select (Store (ConstArray 7) 1 2) 1)", "2"),
    ("(Store (Store a m 1) m n)", "(a with [m] = n)"),
    ("(Store a m (Select a m))", "a"),
    ("(Store (Store a m n) m (Select a m))", "a"),
    ("(Store (ConstArray 7) 1 7)", "{else 7}"),
    ("(Store (ConstSet false) 1 true)", "{1}"),
    ("(Select (Store z m p n) m p)", "n"),
    ("(Select (Store z m true n) m false)", "z[m false]"),
    ("(Select (Store z 1 p n) 2 p)", "z[2 p]"),
    ("(LowKeys (Store (ConstSet false) 1 true) m)", "m <= 1"),
    ("(LowKeys (Store k m true) 0)", "0 <= m and within(k, 0)"),
    ("(HighKeys (Store (Store k m true) n true) 3)", "n <= 3 and m <= 3 and within(k, 3)"),
    ("(HighKeys (Store k m false) 3)", "within((k with [m] = false), 3)"),
    ("(HighKeys (ConstSet true) 3)", "false"),
    ("(HighValues (ConstSet false) a m)", "true"),
    ("(HighValues (ConstSet true) (ConstArray 2) 3)", "true"),
    ("(HighValues (ConstSet true) (ConstArray 4) 3)", "false"),
    ("(HighValues (Store (ConstSet false) 1 true) (Store (ConstArray 4) 1 3) 3)", "true"),
    ("(Choose k a a)", "a"),
    ("(Choose (ConstSet true) a t)", "a"),
    ("(Choose (ConstSet false) a t)", "t"),
    ("(Choose (Store (ConstSet false) 1 true) a t)", "(t with [1] = a[1])"),
    ("(Choose (Store k m p) a t)", "(choose(k, a, t) with [m] = (if p then a[m] else t[m]))"),
    ("(Choose (Store (ConstSet false) 1 true) (ConstArray 2) (ConstArray 3))", "{1: 2, else 3}"),
];

#[test]
fn rules() {
    for (asked, expected) in RULES {
        let mut reader = Reader { terms: Terms::new() };
        let term = reader.term(asked);
        let name = |var: VarId| {
            let known = VARIABLES.iter().map(|(name, _)| *name);
            let arrays = array_sorts().map(|(name, _)| name);
            known.chain(arrays).nth(var.index()).unwrap().to_string()
        };
        assert_eq!(show_term(&reader.terms, term, 1000, &name), *expected, "{asked}");
    }
}

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
