//! Inputs from CSV and JSON.

use std::collections::BTreeMap;

use lustral_base::decimal;
use lustral_sema::interp::default_value;
use lustral_sema::program::Node;
use lustral_sema::{Program, Type, Value};
use num_bigint::BigInt;
use serde_json::value::RawValue;

/// Why a text does not give the inputs of a node.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unusable {
    /// It is no CSV.
    #[error("{0}")]
    Csv(String),
    /// It is no JSON, or of another shape.
    #[error("expected an array of objects or an object of arrays: {0}")]
    Json(String),
    /// A column is missing.
    #[error("there is no column `{0}`")]
    NoColumn(String),
    /// Two columns have the same name.
    #[error("there are two columns `{0}`")]
    Twice(String),
    /// An input is missing.
    #[error("{}there is no input `{name}`", step.map(|n| format!("step {n}: ")).unwrap_or_default())]
    NoInput {
        /// The input.
        name: String,
        /// Where it is missing, if not everywhere.
        step: Option<usize>,
    },
    /// The inputs are not given for the same number of steps.
    #[error("the input `{name}` has {found} values, others have {length}")]
    Lengths {
        /// The one with fewer values.
        name: String,
        /// Its number of values.
        found: usize,
        /// That of another.
        length: usize,
    },
    /// A value is none of the input's type.
    #[error("step {step}, input `{name}`: `{text}` is not of type {ty}")]
    Value {
        /// The input.
        name: String,
        /// When.
        step: usize,
        /// What is given.
        text: String,
        /// The type, as it is written.
        ty: String,
    },
}

/// The values of all inputs, step by step: a column for each input.
pub fn from_csv(text: &str, program: &Program, node: &Node) -> Result<Vec<Vec<Value>>, Unusable> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|e| Unusable::Csv(e.to_string()))?.clone();
    let column = |name: &str| {
        header.iter().position(|h| h == name).ok_or_else(|| Unusable::NoColumn(name.into()))
    };
    if let Some(twice) =
        header.iter().enumerate().find(|(i, h)| header.iter().take(*i).any(|g| g == *h))
    {
        return Err(Unusable::Twice(twice.1.into()));
    }
    let leaves = leaves(node);
    let columns: Vec<usize> =
        leaves.iter().map(|leaf| column(&leaf.name)).collect::<Result<_, _>>()?;
    let mut steps = Vec::new();
    for (number, record) in reader.records().enumerate() {
        let record = record.map_err(|e| Unusable::Csv(e.to_string()))?;
        let mut values: Vec<Value> = Vec::with_capacity(leaves.len());
        for (leaf, column) in leaves.iter().zip(&columns) {
            let cell = record.get(*column).unwrap_or("");
            let cell = Some(cell).filter(|cell| !cell.is_empty() || leaf.counts(&values));
            values.push(leaf.value(program, cell, number)?);
        }
        steps.push(values);
    }
    Ok(steps)
}

/// A scalar that the inputs are made of.
struct Leaf {
    name: String,
    ty: Type,
    /// Where it is a part of its input: the scalars that say which constructors made the
    /// values of data types, with those that have it.
    made_by: Vec<(usize, u32)>,
}

impl Leaf {
    /// Whether it is a part of its input, by the values of the scalars before it.
    fn counts(&self, before: &[Value]) -> bool {
        let made = |(tag, constructor): &(usize, u32)| before[*tag] == Value::Enum(*constructor);
        self.made_by.iter().all(made)
    }

    /// Its value from its text; what is no part of its input may be left out.
    fn value(&self, program: &Program, text: Option<&str>, step: usize) -> Result<Value, Unusable> {
        let Some(text) = text else { return Ok(default_value(&self.ty)) };
        let wrong = || wrong(step, &self.name, text, program, &self.ty);
        parse(program, &self.ty, text).ok_or_else(wrong)
    }
}

/// The scalars that the inputs are made of.
fn leaves(node: &Node) -> Vec<Leaf> {
    let mut found = Vec::new();
    for stream in node.input_ids().map(|input| node.stream(input)) {
        let first = found.len();
        for (leaf, (name, ty)) in (0..).zip(stream.ty.leaves_of(&stream.name)) {
            let made_by = stream.ty.counts_where(leaf).into_iter();
            let made_by = made_by.map(|(tag, made)| (first + tag as usize, made)).collect();
            found.push(Leaf { name, ty, made_by });
        }
    }
    found
}

/// The members of a JSON object, numbers as they are written: a detour over
/// floating point would round them.
type Object = BTreeMap<String, Box<RawValue>>;

/// An array of objects, one a step; or an object of arrays, one an input.
pub fn from_json(text: &str, program: &Program, node: &Node) -> Result<Vec<Vec<Value>>, Unusable> {
    let shape = |e: serde_json::Error| Unusable::Json(e.to_string());
    let steps: Vec<Object> = if text.trim_start().starts_with('[') {
        serde_json::from_str(text).map_err(shape)?
    } else {
        let columns: BTreeMap<String, Vec<Box<RawValue>>> =
            serde_json::from_str(text).map_err(shape)?;
        if let (true, Some(first)) = (columns.is_empty(), node.input_ids().next()) {
            return Err(Unusable::NoInput {
                name: node.stream(first).name.to_string(),
                step: None,
            });
        }
        transpose(columns)?
    };
    let mut values = Vec::with_capacity(steps.len());
    let leaves = leaves(node);
    for (number, step) in steps.iter().enumerate() {
        let mut found: Vec<Value> = Vec::with_capacity(leaves.len());
        for leaf in &leaves {
            let raw = step.get(&leaf.name).map(|raw| raw.get());
            let raw = raw.filter(|raw| *raw != "null" || leaf.counts(&found));
            if raw.is_none() && leaf.counts(&found) {
                return Err(Unusable::NoInput { name: leaf.name.clone(), step: Some(number) });
            }
            let text = raw
                .map(|raw| serde_json::from_str::<String>(raw).unwrap_or_else(|_| raw.to_string()));
            found.push(leaf.value(program, text.as_deref(), number)?);
        }
        values.push(found);
    }
    Ok(values)
}

/// Columns as rows; they must have the same length.
fn transpose(columns: BTreeMap<String, Vec<Box<RawValue>>>) -> Result<Vec<Object>, Unusable> {
    let length = columns.values().map(Vec::len).max().unwrap_or(0);
    let mut steps: Vec<Object> = (0..length).map(|_| Object::new()).collect();
    for (name, column) in columns {
        if column.len() != length {
            let found = column.len();
            return Err(Unusable::Lengths { name, found, length });
        }
        for (step, value) in steps.iter_mut().zip(column) {
            step.insert(name.clone(), value);
        }
    }
    Ok(steps)
}

fn wrong(step: usize, name: &str, text: &str, program: &Program, ty: &Type) -> Unusable {
    let (name, text, ty) = (name.to_string(), text.to_string(), program.show_type(ty));
    Unusable::Value { name, step, text, ty }
}

/// A value of a type from its text.
fn parse(program: &Program, ty: &Type, text: &str) -> Option<Value> {
    match ty {
        Type::Bool => match text {
            "true" | "1" => Some(Value::Bool(true)),
            "false" | "0" => Some(Value::Bool(false)),
            _ => None,
        },
        Type::Int | Type::Abstract(_) => text.parse().ok().map(Value::Int),
        Type::Subrange(bounds) => {
            text.parse::<BigInt>().ok().filter(|n| bounds.contains(n)).map(Value::Int)
        }
        Type::Machine(shape) => {
            let [low, high] = shape.range();
            let number = text.parse().ok().filter(|n| low <= *n && *n <= high);
            number.map(|n| Value::Machine(*shape, n))
        }
        Type::Real => decimal::parse(text).map(Value::Real),
        Type::Enum(id) => {
            let values = &program.enums[id.0 as usize].values;
            let found = values.iter().position(|v| &**v == text);
            found.map(|i| Value::Enum(i as u32))
        }
        Type::Record(_) | Type::Tuple(_) | Type::Array(_) => unreachable!("a leaf is a scalar"),
    }
}
