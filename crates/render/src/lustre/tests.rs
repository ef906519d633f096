//! Terms as Lustre text.

use std::sync::Arc;

use lustral_base::sort::BitVec;
use lustral_system::{EnumNames, ExprId, Instance, Stream, StreamId, StreamRole, Variable};
use lustral_term::{EnumId, Enumeration, Sort, Value};

use super::*;

const MODE: Enumeration = Enumeration { id: EnumId(0), size: 3 };

fn names() -> Arc<[EnumNames]> {
    let values = ["Off", "On", "Broken"].map(String::from).into();
    [EnumNames { name: "mode".into(), values, constructors: false }].into()
}

/// A value of the enumeration.
fn value(terms: &mut Terms, position: u32) -> TermId {
    terms.constant(Value::Enum(MODE, position))
}

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
    let mut system = TransitionSystem { enumerations: names(), ..TransitionSystem::default() };
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
    let (mode_var, mode) = add(Sort::Enum(MODE), later, flow(0, 1));
    let (number_var, number) = add(Sort::Int, later, flow(0, 2));
    let (given_var, given) = add(Sort::Int, Role::Defined(number), flow(1, 0));
    let (pre_mode_var, pre_mode) = add(Sort::Enum(MODE), Role::Memory, delay);
    let (pre_number_var, pre_number) = add(Sort::Int, Role::Memory, delay);
    let (_, choice) = add(
        Sort::Int,
        Role::Choice,
        Origin::FirstValue { instance: InstanceId::ROOT, expr: ExprId(0), leaf: 0 },
    );
    let zero = system.terms.int(0);
    let off = value(&mut system.terms, 0);
    let held = system.terms.ite(first, off, pre_mode);
    let sum = system.terms.add(&[pre_number, input]);
    let number_is = system.terms.ite(first, zero, sum);
    system.variables[mode_var.index()].role = Role::Defined(held);
    system.variables[number_var.index()].role = Role::Defined(number_is);
    system.definitions = vec![mode_var, number_var, given_var];
    let memory = |var, initial, next| Memory { var, initial, next };
    system.memories = vec![
        memory(first_var, Value::Bool(true), Terms::FALSE),
        memory(pre_mode_var, Value::Enum(MODE, 0), mode),
        memory(pre_number_var, Value::from(0), number),
    ];
    let stream = |name: &str, var| Stream {
        name: name.into(),
        var,
        role: StreamRole::Local,
        active: None,
        hidden: false,
        counts: Vec::new(),
    };
    let root = vec![stream("i", input_var), stream("m", mode_var), stream("n", number_var)];
    let called = vec![stream("given", given_var)];
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
fn machine_integers_have_their_operators() {
    let (byte, signed) = (BitVec::unsigned(8), BitVec::signed(8));
    expect("(uint8 15) && (uint8 i) <= (uint8 7)", |t, e| {
        let (word, mask, bound) =
            (t.int_to_bv(e.input, byte), t.bit_vec(byte, 15), t.bit_vec(byte, 7));
        let masked = t.bv_and(word, mask);
        t.bv_le(masked, bound)
    });
    expect("((uint8 1) || (uint8 i) - (uint8 2)) lsh (uint8 3) <> (uint8 0)", |t, e| {
        let word = t.int_to_bv(e.input, byte);
        let [one, minus_two, three, zero] = [1, -2, 3, 0].map(|n| t.bit_vec(byte, n));
        let either = t.bv_or(word, one);
        let sum = t.bv_add(either, minus_two);
        let shifted = t.bv_shl(sum, three);
        let equal = t.eq(shifted, zero);
        t.not(equal)
    });
    expect("2 * int ((int8 i) rsh (uint8 1)) <= i", |t, e| {
        let (word, one) = (t.int_to_bv(e.input, signed), t.bit_vec(byte, 1));
        let half = t.bv_shr(word, one);
        let (half, two) = (t.bv_to_int(half), t.int(2));
        let whole = t.mul(half, two);
        t.le(whole, e.input)
    });
    expect("(uint8 int ((int8 i) mod (int8 3)))[3:0] = (uint@<4> 5)", |t, e| {
        let (word, three) = (t.int_to_bv(e.input, signed), t.bit_vec(signed, 3));
        let rest = t.bv_rem(word, three);
        let rest = t.bv_resize(rest, byte);
        let (low, five) = (t.bv_extract(rest, 3, 0), t.bit_vec(BitVec::unsigned(4), 5));
        t.eq(low, five)
    });
}

#[test]
fn values_of_enumerations_have_names() {
    expect("true -> pre m = Off", |t, e| {
        let off = value(t, 0);
        t.eq(e.pre_mode, off)
    });
    expect("true -> pre m <> Broken", |t, e| {
        let broken = value(t, 2);
        let equal = t.eq(e.pre_mode, broken);
        t.not(equal)
    });
    expect("i <= 3 -> (if i <= 3 then On else pre m) = Off", |t, e| {
        let (three, off, on) = (t.int(3), value(t, 0), value(t, 1));
        let small = t.le(e.input, three);
        let chosen = t.ite(small, on, e.pre_mode);
        let later = t.eq(chosen, off);
        t.ite(e.first, small, later)
    });
}

/// A flow hides the value that has its name, and only that.
#[test]
fn a_flow_hides_a_value() {
    let mut example = example();
    example.system.instances[0].streams[0].name = "On".into();
    let text = |position| {
        let mut terms = example.system.terms.clone();
        let value = value(&mut terms, position);
        let term = terms.eq(example.pre_mode, value);
        lustre_expression(&example.system, &Predicate { terms: Arc::new(terms), term })
    };
    assert_eq!(text(1), None);
    assert_eq!(text(0).as_deref(), Some("true -> pre m = Off"));
}

/// What has no place in a program has names of values too.
#[test]
fn formulas_have_the_names_of_values() {
    let mut terms = Terms::new();
    let mode = terms.variable(VarId(0), Sort::Enum(MODE));
    let number = terms.variable(VarId(1), Sort::Int);
    let (on, three) = (value(&mut terms, 1), terms.int(3));
    let (is_on, small) = (terms.eq(mode, on), terms.le(number, three));
    let term = terms.or([is_on, small]);
    let named = |name: &str, sort| Named { name: name.into(), sort };
    let arguments = vec![named("(c.pre m)'", Sort::Enum(MODE)), named("(c.pre n)", Sort::Int)];
    let text = formula(arguments, &names(), &Predicate { terms: Arc::new(terms), term });
    assert_eq!(text.as_deref(), Some("(c.pre n) <= 3 or (c.pre m)' = On"));
}

#[test]
fn numbers_are_exact_and_signs_begin_no_comment() {
    expect("-i >= -7", |t, e| {
        let (seven, minus) = (t.int(-7), t.neg(e.input));
        t.le(seven, minus)
    });
    // Kind 2 would read `-i mod 3` as `-(i mod 3)`.
    expect("(-i) mod 3 = 2", |t, e| {
        let (two, three, minus) = (t.int(2), t.int(3), t.neg(e.input));
        let rest = t.modulo(minus, three);
        t.eq(rest, two)
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
