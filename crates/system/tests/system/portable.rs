//! Systems are read as they were written, and what is broken is not read.

use std::sync::Arc;

use lustral_system::{
    Answers, Certificate, EnumNames, Inlined, InvalidSystem, Predicate, Proof, PropId, Question,
    Reason, Role, States, Trace, TransitionSystem, Unsupported, Variable, dump,
};
use lustral_term::{
    EnumId, Enumeration, Function, FunctionId, Partial, Sort, TermId, Value, VarId, show_term,
};
use serde_json::{Value as Json, json};

use crate::example::{self, counter};

fn written(system: &TransitionSystem) -> Json {
    serde_json::to_value(system).unwrap()
}

#[test]
fn a_system_that_is_read_is_the_one_that_was_written() {
    let system = counter();
    let read: TransitionSystem = serde_json::from_value(written(&system)).unwrap();
    assert_eq!(dump(&read), dump(&system));
    assert_eq!(written(&read), written(&system));
}

/// Nothing depends on a definition, and what is read is no other thing.
#[test]
fn an_inlined_system_that_is_read_is_one() {
    let raw = counter();
    assert!(!raw.definitions.is_empty());
    assert!(serde_json::from_value::<Inlined>(written(&raw)).is_err());
    let inlined = Inlined::new(&raw);
    let read: Inlined = serde_json::from_value(serde_json::to_value(&inlined).unwrap()).unwrap();
    assert_eq!(dump(&read), dump(&inlined));
    let defined = |var: &VarId| matches!(read.variable(*var).role, Role::Defined(_));
    assert!(!read.terms.variables(read.roots()).iter().any(defined));
    // What is inlined already stays as it is.
    assert_eq!(written(&Inlined::new(&inlined)), written(&inlined));
}

#[test]
fn values_have_as_many_names_as_there_are() {
    let mut system = counter();
    let (name, range, origin) = ("m".into(), None, lustral_system::Origin::Auxiliary);
    let sort = Sort::Enum(Enumeration { id: EnumId(0), size: 2 });
    system.add_variable(Variable { name, sort, role: Role::Input, range, origin });
    let named = |values: &[&str]| {
        let values = values.iter().map(ToString::to_string).collect();
        let enumerations = [EnumNames { name: "mode".into(), values, constructors: false }].into();
        TransitionSystem { enumerations, ..system.clone() }
    };
    assert_eq!(named(&["Off", "On"]).validate(), Ok(()));
    assert_eq!(named(&["Off", "On"]).value_name(&Value::zero(sort)), Some("Off"));
    assert_eq!(named(&["Off"]).validate(), Err(InvalidSystem::Names(EnumId(0))));
}

#[test]
fn reasons() {
    let engine = || "horn".into();
    for reason in [
        Reason::DepthLimit(7),
        Reason::Declined { engine: engine(), why: Unsupported::Nonlinear },
        Reason::Inconclusive { engine: engine(), code: "too_wide".into(), text: "a text".into() },
        Reason::Solver("a fault".into()),
    ] {
        let read: Reason = serde_json::from_value(serde_json::to_value(&reason).unwrap()).unwrap();
        assert_eq!((read.code(), &read), (reason.code(), &reason));
    }
}

fn predicate() -> Predicate {
    let mut terms = counter().terms;
    let n = terms.variable(example::N, Sort::Int);
    let (zero, hundred) = (terms.int(0), terms.int(100));
    let (low, high) = (terms.le(zero, n), terms.le(n, hundred));
    let term = terms.and([low, high]);
    Predicate { terms: Arc::new(terms), term }
}

fn text(predicate: &Predicate) -> String {
    show_term(&predicate.terms, predicate.term, 100, &|var: VarId| format!("v{}", var.0))
}

#[test]
fn a_predicate_takes_along_what_it_reaches() {
    let predicate = predicate();
    let read: Predicate =
        serde_json::from_value(serde_json::to_value(&predicate).unwrap()).unwrap();
    assert_eq!(text(&read), text(&predicate));
    // false, true, n, 0, 100, two bounds and the conjunction.
    assert_eq!(read.terms.len(), 8);
    assert_eq!(read.belongs_to(&counter()), Ok(()));
    assert!(read.belongs_to(&TransitionSystem::default()).is_err());
}

#[test]
fn certificates_and_executions() {
    let states = States { memories: vec![example::LAST], facts: vec![predicate()] };
    let proof = Proof::Induction {
        k: 2,
        properties: vec![PropId(0)],
        invariants: vec![predicate()],
        compression: Some(states.clone()),
    };
    for proof in [proof, Proof::Exhausted { steps: 3, states }] {
        let json = serde_json::to_value(Certificate { proof }).unwrap();
        let read: Certificate = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), json);
    }
    let division = Question::Division(Partial::IntDiv, Value::from(7));
    let function = Function { id: FunctionId(4), result: Sort::Int };
    let call = Question::Call(function, vec![Value::from(2), Value::from(true)]);
    let answers = [(division, Value::from(3)), (call, Value::from(9))];
    let answers = Answers(answers.into());
    let trace = Trace::run(&counter(), 3, answers, |_, var| counter().plain(var));
    let json = serde_json::to_string(&trace).unwrap();
    assert_eq!(serde_json::from_str::<Trace>(&json).unwrap(), trace);
}

/// Whatever number is changed to one that is out of range, reading says so.
#[test]
fn damaged_systems_are_refused() {
    let refused = |change: &dyn Fn(&mut Json), message: &str| {
        let mut json = written(&counter());
        change(&mut json);
        let error = serde_json::from_value::<TransitionSystem>(json).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    };
    refused(&|s| s["properties"][0]["term"] = json!(999), "a property is the term 999");
    refused(&|s| s["typing"] = json!([999]), "a typing fact is the term 999");
    refused(&|s| s["candidates"] = json!([999]), "a candidate is the term 999");
    refused(&|s| s["assumption"] = json!(999), "the assumption is the term 999");
    refused(&|s| s["memories"][1]["next"] = json!(0), "a next value is of sort Bool, not Int");
    refused(&|s| s["memories"][1]["var"] = json!(99), "a memory is the variable 99");
    refused(&|s| s["memories"][1]["var"] = json!(0), "another role");
    refused(
        &|s| s["memories"][1]["initial"] = json!({"Bool": true}),
        "an initial value is of sort",
    );
    refused(&|s| s["definitions"] = json!([5, 4, 6, 7]), "uses one that comes later");
    refused(&|s| s["definitions"] = json!([0]), "another role");
    refused(&|s| s["instances"][1]["parent"] = json!(1), "a caller is the instance 1");
    refused(&|s| s["instances"][1]["streams"][0]["var"] = json!(99), "a flow is the variable 99");
    refused(&|s| s["constraints"][0]["source"] = json!({"Summary": 9}), "the instance 9");
    refused(&|s| s["variables"] = json!([]), "which does not exist");
    refused(&|s| s["variables"][1]["range"] = json!({"low": "3", "high": "2"}), "bounds");
    refused(&|s| s["terms"][5] = s["terms"][4].clone(), "is the same as");
}

#[test]
fn a_definition_by_itself_is_refused() {
    let mut system = counter();
    let itself = system.terms.variable(example::X, Sort::Int);
    system.variables[example::X.index()].role = Role::Defined(itself);
    assert!(system.validate().is_err());
    system.variables[example::X.index()].role = Role::Defined(TermId(999));
    assert!(system.validate().is_err());
}
