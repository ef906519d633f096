//! Bit-vectors, arrays and enumerations from SMT-LIB 2.
//!
//! The text does not know the sign of a bit-vector nor that an integer is a
//! value of an enumeration. Operands are brought to one sort here: a word takes
//! the sign that the operation or the other operand has, which changes no bit;
//! beside an integer, a value of an enumeration is its position.

use lustral_term::{ArraySort, BitVec, Enumeration, Scalar, Sort, TermId, Value};
use num_traits::ToPrimitive;
use smallvec::SmallVec;

use super::reader::parse_bits;
use super::terms::Reader;
use crate::smtlib::SExpr;

type Operands = SmallVec<[TermId; 4]>;

impl Reader<'_, '_> {
    /// A bit-vector, without a sign until something else is known.
    pub(super) fn bits(&mut self, answer: &SExpr) -> Option<TermId> {
        let (width, bits) = parse_bits(answer)?;
        let width = u16::try_from(width).ok().filter(|w| (1..=BitVec::MAX_WIDTH).contains(w))?;
        Some(self.terms.constant(Value::BitVec(BitVec::unsigned(width), bits)))
    }

    /// Operands of one sort, where the text alone does not tell them apart.
    pub(super) fn agreeing(&mut self, head: &str, list: &[TermId]) -> Operands {
        let mut list = Operands::from_slice(list);
        let from = usize::from(head == "ite");
        if list.len() <= from {
            return list;
        }
        let sorts: SmallVec<[Sort; 4]> = list[from..].iter().map(|t| self.terms.sort(*t)).collect();
        if sorts.iter().any(|s| s.bit_vec().is_some()) {
            // The sign of the first that is no constant.
            let known = list[from..].iter().find(|t| self.terms.value(**t).is_none());
            let signed = match head {
                "bvsdiv" | "bvsrem" | "bvsle" | "bvslt" | "bvsge" | "bvsgt" | "bvashr" => true,
                "bvudiv" | "bvurem" | "bvule" | "bvult" | "bvuge" | "bvugt" | "bvlshr" => false,
                _ => {
                    known.and_then(|t| self.terms.sort(*t).bit_vec()).is_some_and(BitVec::is_signed)
                }
            };
            for t in &mut list[from..] {
                if let Some(shape) = self.terms.sort(*t).bit_vec() {
                    *t = self.terms.bv_resize(*t, with_sign(shape.width(), signed));
                }
            }
            return list;
        }
        let enumeration = sorts.iter().find_map(|s| s.enumeration());
        let Some(enumeration) = enumeration else { return list };
        let uniform = sorts.iter().all(|s| *s == sorts[0]);
        if uniform && matches!(head, "=" | "distinct" | "ite") {
            return list;
        }
        let constants = |t: &TermId| {
            self.terms.sort(*t) == Sort::Enum(enumeration)
                || self.position(*t, enumeration).is_some()
        };
        if matches!(head, "=" | "distinct" | "ite") && list[from..].iter().all(constants) {
            for t in &mut list[from..] {
                if let Some(i) = self.position(*t, enumeration) {
                    *t = self.terms.constant(Value::Enum(enumeration, i));
                }
            }
            return list;
        }
        for t in &mut list[from..] {
            if let Sort::Enum(e) = self.terms.sort(*t) {
                *t = self.number(*t, e);
            }
        }
        list
    }

    /// The position that an integer constant is in an enumeration.
    fn position(&self, t: TermId, e: Enumeration) -> Option<u32> {
        match self.terms.value(t)? {
            Value::Int(n) => n.to_u32().filter(|i| *i < e.size),
            _ => None,
        }
    }

    /// The position of a value of an enumeration, as an integer.
    fn number(&mut self, t: TermId, e: Enumeration) -> TermId {
        let mut number = self.terms.int(e.size - 1);
        for i in (0..e.size - 1).rev() {
            let value = self.terms.constant(Value::Enum(e, i));
            let (equal, position) = (self.terms.eq(t, value), self.terms.int(i));
            number = self.terms.ite(equal, position, number);
        }
        number
    }

    pub(super) fn bit_vector(
        &mut self,
        head: &str,
        shape: BitVec,
        list: &[TermId],
    ) -> Option<TermId> {
        let terms = &mut *self.terms;
        Some(match (head, list) {
            ("bvnot", [a]) => terms.bv_not(*a),
            ("bvneg", [a]) => terms.bv_neg(*a),
            ("bvand", [a, b]) => terms.bv_and(*a, *b),
            ("bvor", [a, b]) => terms.bv_or(*a, *b),
            ("bvxor", [a, b]) => terms.bv_xor(*a, *b),
            ("bvadd", [a, b]) => terms.bv_add(*a, *b),
            ("bvsub", [a, b]) => terms.bv_sub(*a, *b),
            ("bvmul", [a, b]) => terms.bv_mul(*a, *b),
            ("bvudiv" | "bvsdiv", [a, b]) => terms.bv_div(*a, *b),
            ("bvurem" | "bvsrem", [a, b]) => terms.bv_rem(*a, *b),
            ("bvshl", [a, b]) => terms.bv_shl(*a, *b),
            ("bvlshr" | "bvashr", [a, b]) => terms.bv_shr(*a, *b),
            ("bvule" | "bvsle", [a, b]) => terms.bv_le(*a, *b),
            ("bvuge" | "bvsge", [a, b]) => terms.bv_le(*b, *a),
            ("bvult" | "bvslt", [a, b]) => terms.bv_lt(*a, *b),
            ("bvugt" | "bvsgt", [a, b]) => terms.bv_lt(*b, *a),
            ("concat", [a, b]) => terms.bv_concat(*a, *b),
            ("bv2nat" | "ubv_to_int", [a]) => {
                let word = terms.bv_resize(*a, BitVec::unsigned(shape.width()));
                terms.bv_to_int(word)
            }
            ("sbv_to_int", [a]) => {
                let word = terms.bv_resize(*a, BitVec::signed(shape.width()));
                terms.bv_to_int(word)
            }
            _ => return None,
        })
    }

    pub(super) fn array(&mut self, head: &str, list: &[TermId]) -> Option<TermId> {
        let terms = &mut *self.terms;
        let sorts: SmallVec<[Sort; 4]> = list.iter().map(|t| terms.sort(*t)).collect();
        let Sort::Array(array) = sorts[0] else { return None };
        // Of indices with several parts the text is a tuple, of which there are no terms.
        let fits = array.index().len() == 1 && sorts.get(1) == Some(&array.index()[0].into());
        match (head, list) {
            ("select", [a, i]) if fits => Some(terms.select(*a, &[*i])),
            ("store", [a, i, e]) if fits => {
                let element = match (array.element(), sorts[2].bit_vec()) {
                    (Sort::BitVec(to), Some(from)) if to.width() == from.width() => {
                        terms.bv_resize(*e, to)
                    }
                    (wanted, _) if wanted == sorts[2] => *e,
                    (Sort::Enum(of), _) => {
                        let i = self.position(*e, of)?;
                        self.terms.constant(Value::Enum(of, i))
                    }
                    _ => return None,
                };
                Some(self.terms.store(*a, &[*i], element))
            }
            _ => None,
        }
    }

    /// An operator with parameters.
    pub(super) fn indexed(&mut self, head: &[SExpr], list: &[TermId]) -> Option<TermId> {
        let atom = |e: &SExpr| match e {
            SExpr::Atom(text) => Some(text.clone()),
            SExpr::List(_) => None,
        };
        let [first, name, rest @ ..] = head else { return None };
        let (first, name) = (atom(first)?, atom(name)?);
        let &[a] = list else { return None };
        if first == "as" && name == "const" {
            let element = self.terms.sort(a);
            // Other indices than integers are not looked for in what solvers find.
            let [SExpr::Atom(array), SExpr::Atom(index), _] = list_of(rest.first()?)? else {
                return None;
            };
            let sort = ArraySort::new(&[Scalar::Int], element);
            return (array == "Array" && index == "Int").then(|| self.terms.const_array(sort, a));
        }
        let numbers: Option<Vec<u16>> = rest.iter().map(|e| atom(e)?.parse().ok()).collect();
        let in_range = |w: u16| (1..=BitVec::MAX_WIDTH).contains(&w);
        let shape = self.terms.sort(a).bit_vec();
        match (first.as_str(), name.as_str(), &numbers?[..], shape) {
            ("_", "extract", &[high, low], Some(s)) if low <= high && high < s.width() => {
                Some(self.terms.bv_extract(a, high, low))
            }
            ("_", "zero_extend" | "sign_extend", &[more], Some(s)) => {
                let width = s.width().checked_add(more).filter(|w| in_range(*w))?;
                let signed = name == "sign_extend";
                let from = self.terms.bv_resize(a, with_sign(s.width(), signed));
                Some(self.terms.bv_resize(from, with_sign(width, signed)))
            }
            ("_", "int2bv" | "int_to_bv", &[width], None) if in_range(width) => {
                (self.terms.sort(a) == Sort::Int)
                    .then(|| self.terms.int_to_bv(a, BitVec::unsigned(width)))
            }
            _ => None,
        }
    }
}

fn with_sign(width: u16, signed: bool) -> BitVec {
    if signed { BitVec::signed(width) } else { BitVec::unsigned(width) }
}

fn list_of(text: &SExpr) -> Option<&[SExpr]> {
    match text {
        SExpr::List(list) => Some(list),
        SExpr::Atom(_) => None,
    }
}
