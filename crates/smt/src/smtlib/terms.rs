//! Terms from SMT-LIB 2.

use lustral_term::{Sort, TermId, Terms, Value};
use num_bigint::BigInt;
use num_traits::Zero;
use rustc_hash::FxHashMap;

use crate::smtlib::SExpr;
use crate::smtlib::cases::by_cases;
use crate::smtlib::reader::decimal;

/// The term of an S-expression whose free names are these variables. Nothing if
/// it is not well-sorted or has something that terms have not, such as a
/// quantifier.
#[must_use]
pub fn parse_term(
    root: &SExpr,
    terms: &mut Terms,
    variables: &FxHashMap<&str, TermId>,
) -> Option<TermId> {
    let mut reader = Reader { terms, variables, bound: FxHashMap::default(), values: Vec::new() };
    let mut stack = vec![Work::Term(root)];
    while let Some(work) = stack.pop() {
        match work {
            Work::Term(SExpr::Atom(name)) => {
                let term = reader.atom(name)?;
                reader.values.push(term);
            }
            Work::Term(whole @ SExpr::List(list)) => match &list[..] {
                [SExpr::Atom(head), SExpr::List(bindings), body] if head == "let" => {
                    stack.push(Work::Unbind(bindings));
                    stack.push(Work::Term(body));
                    stack.push(Work::Bind(bindings));
                    for binding in bindings {
                        stack.push(Work::Term(pair(binding)?.1));
                    }
                }
                [SExpr::Atom(head), _, _] if head == "_" => {
                    let term = reader.bits(whole)?;
                    reader.values.push(term);
                }
                [head, operands @ ..] if !operands.is_empty() => {
                    stack.push(Work::Apply(head, operands.len()));
                    stack.extend(operands.iter().map(Work::Term));
                }
                _ => return None,
            },
            Work::Apply(head, count) => {
                // They were put on the stack in order, so the last came first.
                let mut operands = reader.values.split_off(reader.values.len() - count);
                operands.reverse();
                let term = match head {
                    SExpr::Atom(head) => reader.apply(head, &operands)?,
                    SExpr::List(head) => reader.indexed(head, &operands)?,
                };
                reader.values.push(term);
            }
            Work::Bind(bindings) => {
                for binding in bindings {
                    let value = reader.values.pop()?;
                    reader.bound.entry(pair(binding)?.0).or_default().push(value);
                }
            }
            Work::Unbind(bindings) => {
                for binding in bindings {
                    reader.bound.get_mut(pair(binding)?.0)?.pop();
                }
            }
        }
    }
    reader.values.pop()
}

fn is_comparison(head: &str) -> bool {
    matches!(head, "=" | "distinct" | "<=" | "<" | ">=" | ">")
}

/// What is left to do.
enum Work<'e> {
    Term(&'e SExpr),
    Apply(&'e SExpr, usize),
    Bind(&'e [SExpr]),
    Unbind(&'e [SExpr]),
}

/// The name and the term of a binding.
fn pair(binding: &SExpr) -> Option<(&str, &SExpr)> {
    match binding {
        SExpr::List(list) => match &list[..] {
            [SExpr::Atom(name), term] => Some((name, term)),
            _ => None,
        },
        SExpr::Atom(_) => None,
    }
}

pub(super) struct Reader<'e, 't> {
    pub(super) terms: &'t mut Terms,
    variables: &'t FxHashMap<&'t str, TermId>,
    bound: FxHashMap<&'e str, Vec<TermId>>,
    values: Vec<TermId>,
}

impl Reader<'_, '_> {
    fn atom(&mut self, name: &str) -> Option<TermId> {
        if let Some(term) = self.bound.get(name).and_then(|stack| stack.last()) {
            return Some(*term);
        }
        match name {
            "true" => return Some(Terms::TRUE),
            "false" => return Some(Terms::FALSE),
            _ => {}
        }
        if let Some(term) = self.variables.get(name) {
            return Some(*term);
        }
        if name.starts_with('#') {
            return self.bits(&SExpr::Atom(name.to_string()));
        }
        if !name.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        if name.contains('.') {
            return Some(self.terms.constant(Value::Real(decimal(name)?)));
        }
        Some(self.terms.int(name.parse::<BigInt>().ok()?))
    }

    fn apply(&mut self, head: &str, list: &[TermId]) -> Option<TermId> {
        if let ("select" | "store", Sort::Array(_)) = (head, self.terms.sort(list[0])) {
            return self.array(head, list);
        }
        let (head, list) = (head, &*self.agreeing(head, list));
        let sort = self.terms.sort(list[0]);
        let uniform = list.iter().all(|t| self.terms.sort(*t) == sort);
        if uniform && sort == Sort::Int && is_comparison(head) {
            let compared = self.plain(head, sort, list)?;
            return Some(by_cases(self.terms, compared).unwrap_or(compared));
        }
        self.plain(head, sort, list)
    }

    /// An operator applied to operands that agree as far as they can.
    fn plain(&mut self, head: &str, sort: Sort, list: &[TermId]) -> Option<TermId> {
        let uniform = list.iter().all(|t| self.terms.sort(*t) == sort);
        let terms = &mut *self.terms;
        match (head, sort, list) {
            ("ite", Sort::Bool, [c, a, b]) if terms.sort(*a) == terms.sort(*b) => {
                Some(terms.ite(*c, *a, *b))
            }
            _ if !uniform => None,
            ("=", _, [_, _, ..]) => {
                let equal: Vec<TermId> = list.windows(2).map(|w| terms.eq(w[0], w[1])).collect();
                Some(terms.and(equal))
            }
            ("distinct", _, [a, b]) => {
                let equal = terms.eq(*a, *b);
                Some(terms.not(equal))
            }
            (_, Sort::Bool, _) => self.boolean(head, list),
            (_, Sort::Int | Sort::Real, _) => self.arithmetic(head, sort, list),
            (_, Sort::BitVec(shape), _) => self.bit_vector(head, shape, list),
            (_, Sort::Enum(_) | Sort::Uninterpreted(_) | Sort::Array(_), _) => None,
        }
    }

    fn boolean(&mut self, head: &str, list: &[TermId]) -> Option<TermId> {
        let terms = &mut *self.terms;
        match (head, list) {
            ("and", _) => Some(terms.and(list.iter().copied())),
            ("or", _) => Some(terms.or(list.iter().copied())),
            ("not", [a]) => Some(terms.not(*a)),
            ("=>", [a, b]) => Some(terms.implies(*a, *b)),
            ("xor", [a, b]) => {
                let equal = terms.eq(*a, *b);
                Some(terms.not(equal))
            }
            _ => None,
        }
    }

    fn arithmetic(&mut self, head: &str, sort: Sort, list: &[TermId]) -> Option<TermId> {
        let terms = &mut *self.terms;
        let not_zero = |terms: &Terms, t: TermId| match terms.value(t) {
            Some(Value::Int(n)) => !n.is_zero(),
            Some(Value::Real(r)) => !r.is_zero(),
            _ => false,
        };
        match (head, list) {
            ("<=", [a, b]) => Some(terms.le(*a, *b)),
            (">=", [a, b]) => Some(terms.le(*b, *a)),
            ("<", [a, b]) => Some(terms.lt(*a, *b)),
            (">", [a, b]) => Some(terms.lt(*b, *a)),
            ("+", _) => Some(terms.add(list)),
            ("-", [a]) => Some(terms.neg(*a)),
            ("-", [first, rest @ ..]) => {
                Some(rest.iter().fold(*first, |sum, term| terms.sub(sum, *term)))
            }
            ("*", [first, rest @ ..]) => {
                Some(rest.iter().fold(*first, |product, term| terms.mul(product, *term)))
            }
            ("div", [a, b]) if sort == Sort::Int && not_zero(terms, *b) => {
                Some(terms.int_div(*a, *b))
            }
            ("mod", [a, b]) if sort == Sort::Int && not_zero(terms, *b) => {
                Some(terms.modulo(*a, *b))
            }
            ("/", [a, b]) if sort == Sort::Real && not_zero(terms, *b) => {
                Some(terms.real_div(*a, *b))
            }
            ("to_real", [a]) if sort == Sort::Int => Some(terms.to_real(*a)),
            ("to_int", [a]) if sort == Sort::Real => Some(terms.floor(*a)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::parse_sexprs;
    use lustral_term::{EnumId, Enumeration, Evaluator, VarId, ZeroMeaning, show_term};

    /// What the text says of integers is said of values.
    #[test]
    fn enumerations_have_no_order() {
        let mut terms = Terms::new();
        let e = Enumeration { id: EnumId(0), size: 4 };
        let [m, n] = [0, 1].map(|i| terms.variable(VarId(i), Sort::Enum(e)));
        let variables = FxHashMap::from_iter([("m", m), ("n", n)]);
        let mut read = |text: &str| {
            let parsed = parse_sexprs(text).unwrap();
            let term = parse_term(&parsed[0], &mut terms, &variables).unwrap();
            show_term(&terms, term, 1000, &|v: VarId| ["m", "n"][v.index()].to_string())
        };
        assert_eq!(read("(<= m 0)"), "m = #0");
        assert_eq!(read("(< m 2)"), "m = #1 or m = #0");
        assert_eq!(read("(>= 2 m)"), "m <> #3");
        assert_eq!(read("(> m 0)"), "m <> #0");
        assert_eq!(read("(<= 0 m)"), "true");
        assert_eq!(read("(> m 3)"), "false");
        assert_eq!(read("(= 2 m)"), "m = #2");
        assert_eq!(read("(= m 4)"), "false");
        assert_eq!(read("(<= (+ m (* (- 1) m)) 0)"), "true");
        assert_eq!(read("(= (+ m (* (- 1) n)) 0)"), "m = n");
        assert_eq!(read("(not (= (+ m (* (- 1) n)) 0))"), "m <> n");
        assert_eq!(read("(<= (+ m n) 0)"), "m = #0 and n = #0");
        // In whatever words, it is true of the same values.
        let parsed = parse_sexprs("(<= (* 2 m) n)").unwrap();
        let term = parse_term(&parsed[0], &mut terms, &variables).unwrap();
        assert!(terms.closure([term]).iter().all(|t| terms.sort(*t) != Sort::Int));
        for (m, n) in (0..4).flat_map(|m| (0..4).map(move |n| (m, n))) {
            let mut evaluator = Evaluator::new(&terms, &ZeroMeaning);
            let holds = evaluator.eval(term, |v| Value::Enum(e, [m, n][v.index()]));
            assert_eq!(holds, Value::Bool(2 * m <= n), "{m} {n}");
        }
    }

    fn read(text: &str) -> Option<String> {
        let mut terms = Terms::new();
        let mut variables = FxHashMap::default();
        for (i, (name, sort)) in
            [("b", Sort::Bool), ("n", Sort::Int), ("r", Sort::Real)].into_iter().enumerate()
        {
            variables.insert(name, terms.variable(VarId(i as u32), sort));
        }
        let term = parse_term(&parse_sexprs(text)?[0], &mut terms, &variables)?;
        Some(show_term(&terms, term, 1000, &|var: VarId| ["b", "n", "r"][var.index()].to_string()))
    }

    /// Two texts that denote the same term.
    #[track_caller]
    fn same(a: &str, b: &str) {
        assert!(read(a).is_some(), "{a}");
        assert_eq!(read(a), read(b), "{a} and {b}");
    }

    #[test]
    fn forms_of_terms() {
        same("(>= n (- 3))", "(<= (- 3) n)");
        same("(not (<= n 2))", "(> n 2)");
        same("(< r (/ 1.0 3.0))", "(not (>= r (/ 1.0 3.0)))");
        same("(<= (* (- 1.0) r) (- (/ 1.0 2.0)))", "(<= (- r) (- 0.5))");
        same("(=> b (= n 1))", "(or (not b) (= n 1))");
        same("(xor b true)", "(not b)");
        same("(- n 1 n)", "(+ n (- 1) (* (- 1) n))");
        same("(<= (to_real n) r)", "(>= r (to_real n))");
        same("(ite b (= n 1) (= n 2))", "(ite (not b) (= n 2) (= n 1))");
    }

    #[test]
    fn bindings() {
        same("(let ((a!1 (+ n 1))) (<= a!1 5))", "(<= (+ n 1) 5)");
        same("(let ((x n) (y (* 2 n))) (<= x y))", "(<= n (* 2 n))");
        // The value of a binding does not see the others, the body does.
        same("(let ((x 1)) (let ((x (+ x 1)) (y x)) (= n (+ x y))))", "(= n 3)");
        same("(and (let ((n 4)) (<= n 5)) (<= n 7))", "(<= n 7)");
    }

    #[test]
    fn deep_terms() {
        let text = format!("{}b{}", "(not ".repeat(100_001), ")".repeat(100_001));
        let run = move || assert_eq!(read(&text), read("(not b)"));
        lustral_base::spawn("deep", run).join().unwrap();
    }

    #[test]
    fn no_terms() {
        for text in [
            "(exists ((x Int)) (= x n))",
            "(+ n r)",
            "(+ n b)",
            "(and n b)",
            "(ite n b b)",
            "(ite b n r)",
            "(div n 0)",
            "(div n n)",
            "(/ n 2)",
            "(not b b)",
            "(not)",
            "()",
            "unknown",
            "((_ divisible 3) n)",
            "(let ((x)) b)",
            "(let ((x 1)) y)",
            "1x",
            "(state n)",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
