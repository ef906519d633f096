//! Terms as Z3's own, through its C API: one call for each operator, whatever
//! the sorts of the operands are.
//!
//! Values of an enumeration are integers here, as in SMT-LIB text. Whatever is
//! free to have any value of such a sort (a variable, an element of an array,
//! the result of a function) gets the range of the sort as a fact; all other
//! terms of the sort are chosen among these, so they are in the range too.
//! Elements of abstract sorts are constants that are not told apart: with more
//! models than there should be, what has none has none.

use std::cell::RefCell;
use std::rc::Rc;

use lustral_term::{
    BitVec, Operator, Scalar, Sort, Term, TermId, Terms, Value, index_sort_name, sort_name,
    tuple_name,
};
use z3::ast::{Ast, BV, Bool, Dynamic, Int, Real};
use z3::{Context, DatatypeAccessor, DatatypeBuilder, DatatypeSort, FuncDecl};
use z3_sys::*;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::by_key::ByKey;
use crate::selection::{self, Conditions, MOST_PARTS, Part, Seen};
use crate::z3_by_key::{Z3Build, index_of_scalars, new_array};

/// Terms of one arena that were translated, each once.
#[derive(Default)]
pub(crate) struct Z3Terms {
    done: Vec<Option<Dynamic>>,
    facts: Vec<Dynamic>,
    by_key: ByKey<Dynamic>,
    /// Terms about arrays that were translated since facts were taken last.
    untold: FxHashSet<TermId>,
    /// How many parts comparisons were taken apart into.
    parts: usize,
    conditions: Conditions<TermId>,
}

impl Z3Terms {
    /// The translation of a term.
    pub fn term(&mut self, terms: &Terms, root: TermId) -> &Dynamic {
        if self.done.len() < terms.len() {
            self.done.resize(terms.len(), None);
        }
        terms.post_order(
            root,
            self,
            |this, id| this.done[id.index()].is_some(),
            |this, id| {
                let term = this.one(terms, id);
                this.done[id.index()] = Some(term);
            },
        );
        self.get(root)
    }

    /// Whether a term is about arrays, and its facts were not taken yet: a model that was found
    /// without them says nothing of its value.
    pub fn is_untold(&self, id: TermId) -> bool {
        self.untold.contains(&id)
    }

    /// What holds of the terms that were translated since this was asked last,
    /// because of their sorts.
    pub fn take_facts(&mut self) -> Vec<Bool> {
        self.untold.clear();
        self.by_key.tell();
        let facts = std::mem::take(&mut self.facts).into_iter();
        facts.map(|fact| fact.as_bool().expect("facts are truth values")).collect()
    }

    /// The indices of arrays that are looked at: at all others an array has what it has at
    /// the first.
    pub fn indices(&self, index: &'static [Scalar]) -> &[Dynamic] {
        self.by_key.told(index)
    }

    fn get(&self, id: TermId) -> &Dynamic {
        self.done[id.index()].as_ref().expect("operands are translated before their users")
    }

    fn one(&mut self, terms: &Terms, id: TermId) -> Dynamic {
        let sort = terms.sort(id);
        selection::note(terms, id, &mut self.conditions);
        let (term, is_free) = match terms.get(id) {
            Term::Value(value) => (constant(value), false),
            Term::Var(var, _) => (Dynamic::new_const(var.0, &z3_sort(sort)), true),
            Term::Apply(Operator::Call(function), list) => {
                let sorts: Vec<z3::Sort> = list.iter().map(|a| z3_sort(terms.sort(*a))).collect();
                let sorts: Vec<&z3::Sort> = sorts.iter().collect();
                let declaration = FuncDecl::new(function.smtlib(), &sorts, &z3_sort(sort));
                let list: Vec<&dyn Ast> = list.iter().map(|a| self.get(*a) as &dyn Ast).collect();
                (declaration.apply(&list), true)
            }
            Term::Apply(operator, list)
                if let Some(whole) = self.of_arrays(terms, sort, operator, list) =>
            {
                (whole, false)
            }
            Term::Apply(operator @ (Operator::Le | Operator::Eq | Operator::BvLe), &[a, b])
                if let Some(whole) = self.by_parts(terms, operator, a, b) =>
            {
                (whole, false)
            }
            Term::Apply(operator, list) => (
                self.application(operator, terms.sort(list[0]), list),
                operator == Operator::Select,
            ),
        };
        self.note_arrays(terms, id, &term);
        let of_array =
            |a: &TermId| matches!(terms.sort(*a), Sort::Array(_)) || self.untold.contains(a);
        if of_array(&id) || terms.operands(id).iter().any(of_array) {
            self.untold.insert(id);
        }
        if let (Sort::Enum(e), true) = (sort, is_free)
            && let Some(position) = term.as_int()
        {
            self.facts.push(position.ge(Int::from_u64(0)).into());
            self.facts.push(position.lt(Int::from_u64(e.size.into())).into());
        }
        term
    }

    /// What is no operator of arrays for Z3: choices at each index, limits, and equality.
    fn of_arrays(
        &mut self,
        terms: &Terms,
        sort: Sort,
        operator: Operator,
        list: &[TermId],
    ) -> Option<Dynamic> {
        match (operator, list, sort) {
            (Operator::Choose, &[c, a, b], Sort::Array(array)) => {
                let (made, parts) = (new_array(sort), [c, a, b].map(|part| self.get(part).clone()));
                let choice = (made.clone(), parts);
                let Sort::Array(condition) = terms.sort(c) else { return None };
                let sorts = (condition, array);
                self.by_key.choice(&mut Z3Build, sorts, choice, &mut self.facts);
                Some(made)
            }
            (Operator::Within(limit), list, _) => {
                let operands: Vec<Dynamic> = list.iter().map(|a| self.get(*a).clone()).collect();
                let Sort::Array(set) = terms.sort(list[0]) else { return None };
                let limit = (limit, set.index());
                self.by_key.sort(&mut Z3Build, Sort::Array(set), &mut self.facts);
                Some(self.by_key.within(&mut Z3Build, limit, &operands, &mut self.facts))
            }
            (Operator::Eq, &[a, b], _) if matches!(terms.sort(a), Sort::Array(_)) => {
                let [one, other] = [a, b].map(|part| self.get(part).clone());
                let (sort, facts) = (terms.sort(a), &mut self.facts);
                Some(self.by_key.equal(&mut Z3Build, sort, [&one, &other], facts))
            }
            _ => None,
        }
    }

    /// Notes what arrays there are, and at which indices they are looked at.
    fn note_arrays(&mut self, terms: &Terms, id: TermId, term: &Dynamic) {
        let sort = terms.sort(id);
        let (by_key, facts) = (&mut self.by_key, &mut self.facts);
        if let Sort::Array(_) = sort {
            by_key.sort(&mut Z3Build, sort, facts);
        }
        match terms.get(id) {
            Term::Value(value) => by_key.constant(&mut Z3Build, value, facts),
            Term::Apply(Operator::Call(function), list) => {
                let sorts: Vec<Sort> = list.iter().map(|a| terms.sort(*a)).collect();
                if sorts.iter().any(|sort| matches!(sort, Sort::Array(_))) {
                    let done = &self.done;
                    let get = |a: &TermId| done[a.index()].clone().expect("operands come first");
                    let call = (list.iter().map(get).collect(), term.clone());
                    by_key.call(&mut Z3Build, (function.id, &sorts, sort), call, facts);
                }
            }
            Term::Apply(Operator::Select | Operator::Store, list)
                if let Sort::Array(array) = terms.sort(list[0]) =>
            {
                let done = &self.done;
                let get = |a: &TermId| done[a.index()].clone().expect("operands come first");
                let scalars = list[1..=array.index().len()].iter().map(get).collect();
                let index = index_of_scalars(array.index(), scalars);
                by_key.index(&mut Z3Build, array.index(), index, facts);
            }
            _ => {}
        }
    }

    /// A comparison of elements of arrays, taken apart.
    fn by_parts(&mut self, terms: &Terms, op: Operator, a: TermId, b: TermId) -> Option<Dynamic> {
        let seen = Seen { terms, conditions: &self.conditions };
        let parts = selection::parts(&seen, a, b, MOST_PARTS.saturating_sub(self.parts))?;
        self.parts += parts.len();
        let first = terms.sort(a);
        let mut made: Vec<Dynamic> = Vec::with_capacity(parts.len());
        for part in parts {
            made.push(match part {
                Part::Compare(a, b) => self.application(op, first, &[a, b]),
                Part::Choose(c, yes, no) => {
                    let c = self.get(c).as_bool().expect("conditions are truth values");
                    c.ite(&made[yes], &made[no])
                }
            });
        }
        made.pop()
    }

    /// An operator applied to operands, the first of which has a sort.
    fn application(&self, operator: Operator, first: Sort, list: &[TermId]) -> Dynamic {
        let context = Context::thread_local();
        let c = context.get_z3_context();
        let raw: smallvec::SmallVec<[Z3_ast; 8]> =
            list.iter().map(|a| self.get(*a).get_z3_ast()).collect();
        let (n, all) = (raw.len() as u32, raw.as_ptr());
        let is_signed = first.bit_vec().is_some_and(BitVec::is_signed);
        // SAFETY: the operands belong to the context of this thread, are kept
        // by `done`, and have the sorts that the operator asks for.
        unsafe {
            let made = match operator {
                Operator::Not => Z3_mk_not(c, raw[0]),
                Operator::And => Z3_mk_and(c, n, all),
                Operator::Or => Z3_mk_or(c, n, all),
                Operator::Ite => Z3_mk_ite(c, raw[0], raw[1], raw[2]),
                Operator::Eq => Z3_mk_eq(c, raw[0], raw[1]),
                Operator::Le => Z3_mk_le(c, raw[0], raw[1]),
                Operator::Add => Z3_mk_add(c, n, all),
                Operator::Mul => Z3_mk_mul(c, n, all),
                Operator::IntDiv | Operator::RealDiv => Z3_mk_div(c, raw[0], raw[1]),
                Operator::Mod => Z3_mk_mod(c, raw[0], raw[1]),
                Operator::ToReal => Z3_mk_int2real(c, raw[0]),
                Operator::Floor => Z3_mk_real2int(c, raw[0]),
                Operator::BvNot => Z3_mk_bvnot(c, raw[0]),
                Operator::BvNeg => Z3_mk_bvneg(c, raw[0]),
                Operator::BvAnd => Z3_mk_bvand(c, raw[0], raw[1]),
                Operator::BvOr => Z3_mk_bvor(c, raw[0], raw[1]),
                Operator::BvXor => Z3_mk_bvxor(c, raw[0], raw[1]),
                Operator::BvAdd => Z3_mk_bvadd(c, raw[0], raw[1]),
                Operator::BvMul => Z3_mk_bvmul(c, raw[0], raw[1]),
                Operator::BvDiv if is_signed => Z3_mk_bvsdiv(c, raw[0], raw[1]),
                Operator::BvDiv => Z3_mk_bvudiv(c, raw[0], raw[1]),
                Operator::BvRem if is_signed => Z3_mk_bvsrem(c, raw[0], raw[1]),
                Operator::BvRem => Z3_mk_bvurem(c, raw[0], raw[1]),
                Operator::BvShl => Z3_mk_bvshl(c, raw[0], raw[1]),
                Operator::BvShr if is_signed => Z3_mk_bvashr(c, raw[0], raw[1]),
                Operator::BvShr => Z3_mk_bvlshr(c, raw[0], raw[1]),
                Operator::BvLe if is_signed => Z3_mk_bvsle(c, raw[0], raw[1]),
                Operator::BvLe => Z3_mk_bvule(c, raw[0], raw[1]),
                Operator::IntToBv(shape) => Z3_mk_int2bv(c, shape.width().into(), raw[0]),
                Operator::BvToInt => Z3_mk_bv2int(c, raw[0], is_signed),
                Operator::BvResize(to) => {
                    let from = first.bit_vec().map_or(1, BitVec::width);
                    match to.width().checked_sub(from) {
                        Some(more) if is_signed => Z3_mk_sign_ext(c, more.into(), raw[0]),
                        Some(more) => Z3_mk_zero_ext(c, more.into(), raw[0]),
                        None => Z3_mk_extract(c, u32::from(to.width()) - 1, 0, raw[0]),
                    }
                }
                Operator::BvConcat => Z3_mk_concat(c, raw[0], raw[1]),
                Operator::BvExtract { high, low } => {
                    Z3_mk_extract(c, high.into(), low.into(), raw[0])
                }
                Operator::Select => {
                    let index = index_of(first, &raw[1..]);
                    Z3_mk_select(c, raw[0], index.map_or(raw[1], |index| index.get_z3_ast()))
                }
                Operator::Store => {
                    let index = index_of(first, &raw[1..raw.len() - 1]);
                    let at = index.as_ref().map_or(raw[1], Ast::get_z3_ast);
                    Z3_mk_store(c, raw[0], at, raw[raw.len() - 1])
                }
                Operator::ConstArray(sort) => {
                    Z3_mk_const_array(c, index_sort(sort.index()).get_z3_sort(), raw[0])
                }
                Operator::Choose | Operator::Within(_) => {
                    unreachable!("it is said what that is at each index")
                }
                Operator::Call(_) => unreachable!("applied by the caller"),
            };
            Dynamic::wrap(&context, made.expect("the operands are well-sorted"))
        }
    }
}

/// The sort of Z3.
pub(crate) fn z3_sort(sort: Sort) -> z3::Sort {
    match sort {
        Sort::Bool => z3::Sort::bool(),
        Sort::Int | Sort::Enum(_) => z3::Sort::int(),
        Sort::Real => z3::Sort::real(),
        Sort::BitVec(shape) => z3::Sort::bitvector(shape.width().into()),
        Sort::Uninterpreted(_) => z3::Sort::uninterpreted(sort_name(sort).into()),
        Sort::Array(sort) => z3::Sort::array(&index_sort(sort.index()), &z3_sort(sort.element())),
    }
}

/// The sort of indices: of several scalars, of tuples.
fn index_sort(index: &'static [Scalar]) -> z3::Sort {
    match index {
        [scalar] => z3_sort((*scalar).into()),
        _ => tuple(index).sort.clone(),
    }
}

/// Sorts of tuples, by the context and the scalars.
type Tuples = FxHashMap<(usize, &'static [Scalar]), Rc<DatatypeSort>>;

/// The tuples of some scalars: made once in each context.
fn tuple(index: &'static [Scalar]) -> Rc<DatatypeSort> {
    thread_local! {
        static KNOWN: RefCell<Tuples> = RefCell::default();
    }
    // What is known keeps its context alive, so that no other comes to stand at its place.
    let context = Context::thread_local().get_z3_context().as_ptr() as usize;
    let known = KNOWN.with_borrow(|known| known.get(&(context, index)).cloned());
    if let Some(known) = known {
        return known;
    }
    // The names are not those of SMT-LIB text: when Z3 has read one (`z3_text.rs`) and forgets
    // its declarations, it forgets the meaning of every data type of such a name in the context.
    let name = format!("own.{}", tuple_name(index));
    let names: Vec<String> = (0..index.len()).map(|i| format!("{name}.{i}")).collect();
    let sorts = index.iter().map(|scalar| DatatypeAccessor::sort(z3_sort((*scalar).into())));
    let fields = names.iter().map(String::as_str).zip(sorts).collect();
    let sort = format!("own.{}", index_sort_name(index));
    let made = DatatypeBuilder::new(sort).variant(&name, fields).finish();
    let made = Rc::new(made);
    KNOWN.with_borrow_mut(|known| known.insert((context, index), made.clone()));
    made
}

/// An index of an array of a sort; none if it is the one operand.
fn index_of(sort: Sort, operands: &[Z3_ast]) -> Option<Dynamic> {
    let (Sort::Array(sort), [_, _, ..]) = (sort, operands) else { return None };
    let context = Context::thread_local();
    // SAFETY: operands of an application belong to the context of this thread and are kept.
    let operands: Vec<Dynamic> =
        operands.iter().map(|ast| unsafe { Dynamic::wrap(&context, *ast) }).collect();
    Some(tuple_of(sort.index(), &operands))
}

pub(crate) fn tuple_of(index: &'static [Scalar], scalars: &[Dynamic]) -> Dynamic {
    let scalars: Vec<&dyn Ast> = scalars.iter().map(|scalar| scalar as &dyn Ast).collect();
    tuple(index).variants[0].constructor.apply(&scalars)
}

/// A scalar of an index of several.
pub(crate) fn scalar_of(index: &'static [Scalar], of: &Dynamic, position: usize) -> Dynamic {
    tuple(index).variants[0].accessors[position].apply(&[of])
}

pub(crate) fn constant(value: &Value) -> Dynamic {
    match value {
        Value::Bool(b) => Bool::from_bool(*b).into(),
        Value::Int(n) => Int::from_big_int(n).into(),
        Value::Real(r) => Real::from_big_rational(r).into(),
        Value::Enum(_, i) => Int::from_u64((*i).into()).into(),
        Value::BitVec(shape, bits) => {
            let number = BV::from_str(shape.width().into(), &bits.to_string());
            number.expect("a number below 2^width").into()
        }
        Value::Uninterpreted(id, i) => {
            let sort = Sort::Uninterpreted(*id);
            Dynamic::new_const(format!("{}_{i}", sort_name(sort)), &z3_sort(sort))
        }
        Value::Array(array) => {
            let sort = array.sort();
            let all =
                z3::ast::Array::const_array(&index_sort(sort.index()), &constant(array.default()));
            let stored = array.exceptions().fold(all, |array, (index, element)| {
                let scalars: Vec<Dynamic> = index.iter().map(constant).collect();
                let index = match &scalars[..] {
                    [scalar] => scalar.clone(),
                    scalars => tuple_of(sort.index(), scalars),
                };
                array.store(&index, &constant(element))
            });
            stored.into()
        }
    }
}
