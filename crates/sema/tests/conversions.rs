//! Division in the dialects and conversions without a declaration, judged by the
//! interpreter.

mod common;

use lustral_sema::interp::{Machine, Zeros};
use lustral_sema::{InstanceId, InstanceTree, NodeId, StreamId, Value};
use num_bigint::BigInt;

/// The values of expressions of one type, of a program in a dialect.
fn values(dialect: &str, ty: &str, definitions: &[String]) -> Vec<Value> {
    let names: Vec<String> = (0..definitions.len()).map(|i| format!("c{i}")).collect();
    let equations = names.iter().zip(definitions).map(|(c, e)| format!("{c} = {e};\n"));
    let text = format!(
        "--%DIALECT {dialect}\nnode f() returns ({}: {ty});\nlet\n{}tel\n",
        names.join(", "),
        equations.collect::<String>()
    );
    let checked = common::check_text(&text);
    assert!(checked.errors.is_empty() && checked.warnings.is_empty(), "{text}\n{checked}");
    let program = checked.analysis.program();
    let tree = InstanceTree::new(program, NodeId(0)).expect("one instance");
    let mut machine = Machine::new(program, &tree);
    machine.step(&[], &mut Zeros);
    let streams = 0..definitions.len() as u32;
    streams
        .map(|i| machine.value(InstanceId(0), StreamId(i), 0).expect("it is there").clone())
        .collect()
}

fn int(value: i64) -> Value {
    Value::Int(BigInt::from(value))
}

#[test]
fn integers_are_divided_as_the_dialect_does() {
    let signs = [(7i64, 2i64), (-7, 2), (7, -2), (-7, -2), (6, -3), (-6, 3), (0, 5)];
    for (dialect, truncates) in
        [("kind2", false), ("lustrec", true), ("v6", true), ("velus", true), ("heptagon", true)]
    {
        let written = |op: &str| -> Vec<String> {
            signs.iter().map(|(a, b)| format!("({a}) {op} ({b})")).collect()
        };
        let quotient = |(a, b): (i64, i64)| if truncates { a / b } else { a.div_euclid(b) };
        let remainder = |(a, b): (i64, i64)| if truncates { a % b } else { a.rem_euclid(b) };
        let quotients: Vec<Value> = signs.map(quotient).into_iter().map(int).collect();
        let remainders: Vec<Value> = signs.map(remainder).into_iter().map(int).collect();
        assert_eq!(values(dialect, "int", &written("div")), quotients, "{dialect}");
        assert_eq!(values(dialect, "int", &written("/")), quotients, "{dialect}");
        assert_eq!(values(dialect, "int", &written("mod")), remainders, "{dialect}");
    }
}

#[test]
fn conversions_of_lustrec() {
    let numbers = [-2.5f64, -2.0, -1.75, -0.5, 0.0, 0.25, 0.5, 1.5, 2.0, 2.75];
    let written = |name: &str| -> Vec<String> {
        numbers.iter().map(|number| format!("{name}({number:?})")).collect()
    };
    let check = |name: &str, f: fn(f64) -> f64| {
        let expected: Vec<Value> = numbers.iter().map(|n| int(f(*n) as i64)).collect();
        assert_eq!(values("lustrec", "int", &written(name)), expected, "{name}");
    };
    check("_Floor", f64::floor);
    check("floor", f64::floor);
    check("_Ceiling", f64::ceil);
    check("real_to_int", f64::trunc);
    check("_Round", f64::round);
    let same = ["int_to_real(3) - 3.0", "_fabs(-1.5) - 1.5", "bool_to_real(true) - 1.0"];
    let found = values("lustrec", "real", &same.map(String::from));
    assert!(found.iter().all(|v| v.to_string() == "0.0" || v.to_string() == "0"), "{found:?}");
    let truths = ["int_to_bool(2)", "not int_to_bool(0)", "bool_to_int(true) = 1"];
    assert_eq!(values("lustrec", "bool", &truths.map(String::from)), [true; 3].map(Value::Bool));
}

#[test]
fn whole_numbers_in_other_bases() {
    let written = ["0x1F", "0b101", "0o17", "0XfF"].map(String::from);
    assert_eq!(values("kind2", "int", &written), [31, 5, 15, 255].map(int));
}
