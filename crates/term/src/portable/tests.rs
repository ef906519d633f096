//! Terms are read as they were written, and what is broken is not read.

use num_rational::BigRational;
use proptest::prelude::*;

use super::*;

/// Builds a term from a random recipe: each step takes operands from what is
/// there already.
fn build(steps: &[(u8, usize, usize, usize, i64)]) -> (Terms, TermId) {
    let mut terms = Terms::new();
    let mut known: [Vec<TermId>; 3] = [vec![Terms::TRUE], vec![terms.int(1)], Vec::new()];
    known[2].push(terms.constant(Value::Real(BigRational::new(1.into(), 3.into()))));
    let mut last = Terms::TRUE;
    for (i, (operator, a, b, c, n)) in steps.iter().enumerate() {
        let pick = |list: &[TermId], at: &usize| list[at % list.len()];
        let (x, y, z) = (pick(&known[0], a), pick(&known[0], b), pick(&known[0], c));
        let (m, k) = (pick(&known[1], a), pick(&known[1], b));
        let (r, s) = (pick(&known[2], a), pick(&known[2], b));
        let var = VarId(i as u32);
        last = match operator % 18 {
            0 => terms.variable(var, Sort::Bool),
            1 => terms.variable(var, Sort::Int),
            2 => terms.variable(var, Sort::Real),
            3 => terms.int(*n),
            4 => terms.constant(Value::Real(BigRational::new((*n).into(), 7.into()))),
            5 => terms.not(x),
            6 => terms.and([x, y, z]),
            7 => terms.or([x, y, z]),
            8 => terms.ite(x, y, z),
            9 => terms.ite(x, m, k),
            10 => terms.eq(m, k),
            11 => terms.le(r, s),
            12 => terms.add(&[m, k]),
            13 => terms.mul(r, s),
            14 => terms.int_div(m, k),
            15 => terms.modulo(m, k),
            16 => terms.real_div(r, s),
            _ => {
                let whole = terms.floor(r);
                terms.to_real(whole)
            }
        };
        let kind = match terms.sort(last) {
            Sort::Bool => 0,
            Sort::Int => 1,
            _ => 2,
        };
        known[kind].push(last);
    }
    (terms, last)
}

fn equal(a: &Terms, b: &Terms) -> bool {
    let mut ids = (0..a.len() as u32).map(TermId);
    a.len() == b.len() && ids.all(|id| a.get(id) == b.get(id) && a.sort(id) == b.sort(id))
}

fn round_trip(terms: &Terms) -> Terms {
    serde_json::from_str(&serde_json::to_string(terms).unwrap()).unwrap()
}

proptest! {
    #[test]
    fn what_is_read_is_what_was_written(
        steps in prop::collection::vec(any::<(u8, usize, usize, usize, i64)>(), 1..60)
    ) {
        let (mut terms, root) = build(&steps);
        let mut read = round_trip(&terms);
        prop_assert!(equal(&terms, &read));
        // Interning goes on where it was.
        prop_assert_eq!(read.int(123_456), terms.int(123_456));
        let (part, roots) = terms.part(&[root]);
        prop_assert_eq!(part.len(), terms.closure([root, Terms::FALSE, Terms::TRUE]).len());
        prop_assert!(equal(&part, &round_trip(&part)));
        let name = |var: VarId| format!("v{}", var.0);
        let shown = crate::show_term(&terms, root, 1000, &name);
        prop_assert_eq!(shown, crate::show_term(&part, roots[0], 1000, &name));
    }
}

#[test]
fn damaged_lists_are_refused() {
    let truth = r#"{"Value":{"Bool":false}},{"Value":{"Bool":true}}"#;
    let rejected = |more: &str, message: &str| {
        let text = format!("[{truth}{more}]");
        let error = serde_json::from_str::<Terms>(&text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    };
    for list in ["[]", r#"[{"Value":{"Bool":true}},{"Value":{"Bool":false}}]"#] {
        let error = serde_json::from_str::<Terms>(list).unwrap_err().to_string();
        assert!(error.contains("first two terms"), "{error}");
    }
    let x = r#",{"Var":[0,"Int"]}"#;
    rejected(r#",{"Apply":["Not",[2]]}"#, "which does not come before it");
    rejected(r#",{"Apply":["Not",[4000000000]]}"#, "which does not come before it");
    rejected(&format!(r#"{x},{{"Apply":["Not",[2]]}}"#), "no operands of sorts");
    rejected(&format!(r#"{x},{{"Apply":["Eq",[0,2]]}}"#), "no operands of sorts");
    rejected(r#",{"Apply":["Eq",[0]]}"#, "no operands of sorts");
    rejected(r#",{"Apply":["And",[0]]}"#, "no operands of sorts");
    rejected(r#",{"Apply":["Add",[]]}"#, "no operands of sorts");
    rejected(&format!(r#"{x}{x}"#), "is the same as term 2");
    rejected(r#",{"Value":{"Bool":true}}"#, "is the same as term 1");
    rejected(&format!(r#"{x},{{"Var":[0,"Real"]}}"#), "two sorts");
    rejected(r#",{"Value":{"Real":"1/0"}}"#, "zero");
    rejected(r#",{"Value":{"Int":"seven"}}"#, "invalid digit");
}
