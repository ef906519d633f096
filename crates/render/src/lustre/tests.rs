//! Terms as Lustre text.

use lustral_system::{ExprId, Instance, Stream, StreamId, StreamRole, Variable};
use lustral_term::Value;

use super::*;

/// A root with an input, an enumeration and a number that remember themselves,
/// and an instance that it calls with the number.
struct Example {
    system: TransitionSystem,
    first: TermId,
    input: TermId,
    pre_mode: TermId,
    pre_number: TermId,
    /// The input of the called node.
    given: TermId,
    choice: TermId,
}

fn example() -> Example {
    let mut system = TransitionSystem::default();
    let mut add = |sort, role, origin| {
        let name = String::new();
        system.add_variable(Variable { name, sort, role, range: None, origin })
    };
    let flow = |instance, stream| Origin::Stream {
        instance: InstanceId(instance),
        stream: StreamId(stream),
        leaf: 0,
    };
    let delay = Origin::Delay { instance: InstanceId::ROOT, expr: ExprId(0), leaf: 0 };
    let later = Role::Defined(Terms::FALSE);
    let (first_var, first) = add(Sort::Bool, Role::Memory, Origin::First);
    let (input_var, input) = add(Sort::Int, Role::Input, flow(0, 0));
    let (mode_var, mode) = add(Sort::Int, later, flow(0, 1));
    let (number_var, number) = add(Sort::Int, later, flow(0, 2));
    let (given_var, given) = add(Sort::Int, Role::Defined(number), flow(1, 0));
    let (pre_mode_var, pre_mode) = add(Sort::Int, Role::Memory, delay);
    let (pre_number_var, pre_number) = add(Sort::Int, Role::Memory, delay);
    let (_, choice) = add(
        Sort::Int,
        Role::Choice,
        Origin::FirstValue { instance: InstanceId::ROOT, expr: ExprId(0), leaf: 0 },
    );
    let zero = system.terms.int(0);
    let held = system.terms.ite(first, zero, pre_mode);
    let sum = system.terms.add(&[pre_number, input]);
    let number_is = system.terms.ite(first, zero, sum);
    system.variables[mode_var.index()].role = Role::Defined(held);
    system.variables[number_var.index()].role = Role::Defined(number_is);
    system.definitions = vec![mode_var, number_var, given_var];
    let memory = |var, initial, next| Memory { var, initial, next };
    system.memories = vec![
        memory(first_var, Value::Bool(true), Terms::FALSE),
        memory(pre_mode_var, Value::from(0), mode),
        memory(pre_number_var, Value::from(0), number),
    ];
    let stream = |name: &str, var, values| Stream {
        name: name.into(),
        var,
        role: StreamRole::Local,
        values,
        active: None,
    };
    let values: Values = ["Off", "On", "Broken"].map(String::from).into();
    let root = vec![
        stream("i", input_var, None),
        stream("m", mode_var, Some(values)),
        stream("n", number_var, None),
    ];
    let called = vec![stream("given", given_var, None)];
    let instance = |node: &str, parent, streams| Instance {
        path: String::new(),
        node: node.into(),
        parent,
        streams,
    };
    system.instances =
        vec![instance("main", None, root), instance("sub", Some(InstanceId::ROOT), called)];
    Example { system, first, input, pre_mode, pre_number, given, choice }
}

/// The text of a predicate and the node that it is about.
fn written(build: impl Fn(&mut Terms, &Example) -> TermId) -> Option<(String, String)> {
    let example = example();
    let mut terms = example.system.terms.clone();
    let term = build(&mut terms, &example);
    let predicate = Predicate { terms: Arc::new(terms), term };
    let (instance, text) = LustreWriter::new(&example.system).expression(&predicate)?;
    assert_eq!(lustre_expression(&example.system, &predicate).as_ref(), Some(&text));
    Some((example.system.instance(instance).node.clone(), text))
}

#[track_caller]
fn expect(text: &str, build: impl Fn(&mut Terms, &Example) -> TermId) {
    assert_eq!(written(build), Some(("main".to_string(), text.to_string())));
}

#[test]
fn what_looks_back_stands_behind_an_arrow() {
    expect("i <= 3", |t, e| {
        let three = t.int(3);
        t.le(e.input, three)
    });
    expect("true -> pre n <= 3", |t, e| {
        let three = t.int(3);
        t.le(e.pre_number, three)
    });
    // The sum is what `n` is later.
    expect("i <= 3 -> n <= 3", |t, e| {
        let (three, sum) = (t.int(3), t.add(&[e.input, e.pre_number]));
        let late = t.le(sum, three);
        let early = t.le(e.input, three);
        t.ite(e.first, early, late)
    });
    expect("false -> pre n = 3", |t, e| {
        let three = t.int(3);
        t.eq(e.pre_number, three)
    });
    expect("true -> false", |_, e| e.first);
}

#[test]
fn values_of_enumerations_have_names_and_no_order() {
    expect("true -> pre m <> Broken", |t, e| {
        let one = t.int(1);
        t.le(e.pre_mode, one)
    });
    expect("true -> pre m = Off", |t, e| {
        let zero = t.int(0);
        t.le(e.pre_mode, zero)
    });
    expect("false -> pre m <> Off", |t, e| {
        let one = t.int(1);
        t.le(one, e.pre_mode)
    });
    expect("true -> pre m <> Broken", |t, e| {
        let two = t.int(2);
        let equal = t.eq(e.pre_mode, two);
        t.not(equal)
    });
    // A sum of an enumeration and a number has no type.
    let mixed = written(|t, e| {
        let sum = t.add(&[e.pre_mode, e.pre_number]);
        let one = t.int(1);
        t.le(sum, one)
    });
    assert_eq!(mixed, None);
}

/// That a value is one of its enumeration is left out, and `a and a` is `a`.
#[test]
fn ranges_of_enumerations_go_without_saying() {
    let Example { system, pre_mode, pre_number, .. } = example();
    let mut terms = system.terms.clone();
    let [zero, one, two] = [0, 1, 2].map(|n| terms.int(n));
    let (low, high) = (terms.le(zero, pre_mode), terms.le(pre_mode, two));
    let (some, number) = (terms.le(pre_mode, one), terms.le(zero, pre_number));
    let range = terms.and([low, high]);
    let all = terms.and([range, some, number]);
    let terms = Arc::new(terms);
    let mut writer = LustreWriter::new(&system);
    let mut text = |term| {
        let predicate = Predicate { terms: terms.clone(), term };
        let said = writer.without_ranges(&predicate);
        writer.expression(&said).unwrap().1
    };
    assert_eq!(text(range), "true");
    assert_eq!(text(all), "true -> pre n >= 0 and pre m <> Broken");
}

/// What has no place in a program has names of values too.
#[test]
fn formulas_have_the_names_of_values() {
    let mut terms = Terms::new();
    let [mode, number] = [0, 1].map(|n| terms.variable(VarId(n), Sort::Int));
    let [one, three] = [1, 3].map(|n| terms.int(n));
    let (is_on, small) = (terms.eq(mode, one), terms.le(number, three));
    let term = terms.or([is_on, small]);
    let named = |name: &str, values| Named { name: name.into(), sort: Sort::Int, values };
    let values: Values = ["Off", "On"].map(String::from).into();
    let arguments = vec![named("(c.pre m)'", Some(values)), named("(c.pre n)", None)];
    let text = formula(arguments, &Predicate { terms: Arc::new(terms), term });
    assert_eq!(text.as_deref(), Some("(c.pre n) <= 3 or (c.pre m)' = On"));
}

#[test]
fn numbers_are_exact_and_signs_begin_no_comment() {
    expect("-i >= -7", |t, e| {
        let (seven, minus) = (t.int(-7), t.neg(e.input));
        t.le(seven, minus)
    });
    expect("real i <= (1.0 / 3.0)", |t, e| {
        let (one, three) = (t.int(1), t.int(3));
        let (one, three, real) = (t.to_real(one), t.to_real(three), t.to_real(e.input));
        let third = t.real_div(one, three);
        t.le(real, third)
    });
}

#[test]
fn an_instance_speaks_of_others_by_its_own_names() {
    // The called node can name its input, and the root what it passes.
    let of_called = written(|t, e| {
        let three = t.int(3);
        t.le(e.given, three)
    });
    assert_eq!(of_called, Some(("sub".into(), "given <= 3".into())));
    expect("n <= i", |t, e| t.le(e.given, e.input));
    // Nobody can name an arbitrary value.
    assert_eq!(written(|t, e| t.le(e.choice, e.input)), None);
}
