//! Inputs from CSV and JSON.

use std::collections::BTreeMap;

use lustral_base::decimal;
use lustral_sema::interp::default_value;
use lustral_sema::program::Node;
use lustral_sema::types::{Keyed, Table};
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
    /// A value is given where the input has none.
    #[error(
        "step {step}, input `{name}`: its clock is false there, and `{text}` is given: leave it out"
    )]
    Absent {
        /// The input.
        name: String,
        /// When.
        step: usize,
        /// What is given.
        text: String,
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

/// What a text gives.
pub struct Given {
    /// The values of all inputs, step by step.
    pub steps: Vec<Vec<Value>>,
    /// The outputs that it has as well.
    pub expected: Vec<Expected>,
}

/// An output that a text has, as tests have it: what is to come out.
pub struct Expected {
    /// The scalar, by its name.
    pub name: String,
    ty: Type,
    /// The text of each step, if there is one.
    texts: Vec<Option<String>>,
}

impl Expected {
    /// What is to come out at a step: the text, and the value that it is, if it is one.
    pub fn at(&self, program: &Program, step: usize) -> Option<(&str, Option<Value>)> {
        let text = self.texts.get(step)?.as_deref()?;
        Some((text, parse(program, &self.ty, text)))
    }

    pub fn ty(&self) -> &Type {
        &self.ty
    }
}

/// The scalars of the outputs, none of them given yet.
fn outputs(node: &Node) -> Vec<Expected> {
    let outputs = node.output_ids().map(|output| node.stream(output));
    let leaves = outputs.flat_map(|stream| stream.ty.leaves_of(&stream.name));
    leaves.map(|(name, ty)| Expected { name, ty, texts: Vec::new() }).collect()
}

/// A column for each input, and perhaps for outputs.
pub fn from_csv(text: &str, program: &Program, node: &Node) -> Result<Given, Unusable> {
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
    let place = |output: Expected| Some((column(&output.name).ok()?, output));
    let mut expected: Vec<(usize, Expected)> =
        outputs(node).into_iter().filter_map(place).collect();
    let mut steps = Vec::new();
    for (number, record) in reader.records().enumerate() {
        let record = record.map_err(|e| Unusable::Csv(e.to_string()))?;
        let cells = columns.iter().map(|column| record.get(*column).unwrap_or(""));
        let cells: Vec<Option<String>> =
            cells.map(|cell| (!cell.is_empty()).then(|| cell.to_string())).collect();
        let empty = |leaf: &Leaf| wrong(number, &leaf.name, "", program, &leaf.ty);
        let values = values_of_step(program, &leaves, &cells, (number, &empty))?;
        steps.push(values);
        for (column, output) in &mut expected {
            let cell = record.get(*column).filter(|cell| !cell.is_empty());
            output.texts.push(cell.map(ToString::to_string));
        }
    }
    let expected = expected.into_iter().map(|(_, output)| output).collect();
    Ok(Given { steps, expected })
}

/// A scalar that the inputs are made of.
struct Leaf {
    name: String,
    ty: Type,
    /// Where it is a part of its input: the scalars that say which constructors made the
    /// values of data types, with those that have it.
    made_by: Vec<(usize, u32)>,
    /// The scalars that are its clock, the clock of that, and so on, with the values that they
    /// need.
    clock: Vec<(usize, u32)>,
    /// Its clock is no input: whether there is a value is not known here.
    optional: bool,
}

impl Leaf {
    /// Whether it is a part of its input, by the values of the scalars before it.
    fn counts(&self, known: &[Value]) -> bool {
        let made = |(tag, constructor): &(usize, u32)| known[*tag] == Value::Enum(*constructor);
        self.made_by.iter().all(made)
    }

    /// Whether its input has a value, by those of the inputs that are its clock.
    fn is_present(&self, known: &[Value]) -> bool {
        self.clock.iter().all(|(leaf, value)| match known[*leaf] {
            Value::Bool(b) => u32::from(b) == *value,
            Value::Enum(found) => found == *value,
            _ => unreachable!("a clock is a bool or an enumeration"),
        })
    }
}

/// The values of all scalars at a step from their texts. Where an input has no value because its
/// clock is false, none may be given; what is no part of its input may be left out.
fn values_of_step(
    program: &Program,
    leaves: &[Leaf],
    texts: &[Option<String>],
    (step, missing): (usize, &dyn Fn(&Leaf) -> Unusable),
) -> Result<Vec<Value>, Unusable> {
    let mut values: Vec<Value> = leaves.iter().map(|leaf| default_value(&leaf.ty)).collect();
    // Clocks come before what they are the clocks of.
    let mut order: Vec<usize> = (0..leaves.len()).collect();
    order.sort_by_key(|i| leaves[*i].clock.len());
    for i in order {
        let leaf = &leaves[i];
        values[i] = match &texts[i] {
            Some(text) if !leaf.is_present(&values) => {
                let (name, text) = (leaf.name.clone(), text.clone());
                return Err(Unusable::Absent { name, step, text });
            }
            Some(text) => parse(program, &leaf.ty, text)
                .ok_or_else(|| wrong(step, &leaf.name, text, program, &leaf.ty))?,
            None if leaf.optional || !leaf.is_present(&values) || !leaf.counts(&values) => continue,
            None => return Err(missing(leaf)),
        };
    }
    Ok(values)
}

/// The scalars that the inputs are made of.
fn leaves(node: &Node) -> Vec<Leaf> {
    let mut found: Vec<Leaf> = Vec::new();
    let mut first_of = Vec::new();
    for stream in node.input_ids().map(|input| node.stream(input)) {
        let first = found.len();
        first_of.push(first);
        for (leaf, (name, ty)) in (0..).zip(stream.ty.leaves_of(&stream.name)) {
            let made_by = stream.ty.counts_where(leaf).into_iter();
            let made_by = made_by.map(|(tag, made)| (first + tag as usize, made)).collect();
            found.push(Leaf { name, ty, made_by, clock: Vec::new(), optional: false });
        }
    }
    let ends = first_of.iter().skip(1).copied().chain([found.len()]);
    let ranges: Vec<_> = first_of.iter().copied().zip(ends).collect();
    for (input, (start, end)) in node.input_ids().zip(ranges) {
        let mut at = node.stream(input).clock;
        while let Some(condition) = at {
            let clock = first_of.get(condition.flow.index());
            for leaf in &mut found[start..end] {
                match clock {
                    Some(first) => leaf.clock.push((*first, condition.value)),
                    None => leaf.optional = true,
                }
            }
            at = node.stream(condition.flow).clock;
        }
    }
    found
}

/// The members of a JSON object, numbers as they are written: a detour over
/// floating point would round them.
type Object = BTreeMap<String, Box<RawValue>>;

/// An array of objects, one a step; or an object of arrays, one an input. Outputs may be there too.
pub fn from_json(text: &str, program: &Program, node: &Node) -> Result<Given, Unusable> {
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
    let leaves = leaves(node);
    let mut expected = outputs(node);
    let names = leaves.iter().map(|leaf| leaf.name.as_str());
    let names: Vec<&str> = names.chain(expected.iter().map(|o| o.name.as_str())).collect();
    let steps: Vec<Object> = steps.into_iter().map(|step| flat(step, &names)).collect();
    let mut values = Vec::with_capacity(steps.len());
    for (number, step) in steps.iter().enumerate() {
        let text = |leaf: &Leaf| {
            step.get(&leaf.name).map(|raw| raw.get()).filter(|raw| *raw != "null").map(unquoted)
        };
        let texts: Vec<Option<String>> = leaves.iter().map(text).collect();
        let missing = |leaf: &Leaf| match step.get(&leaf.name) {
            Some(null) => wrong(number, &leaf.name, null.get(), program, &leaf.ty),
            None => Unusable::NoInput { name: leaf.name.clone(), step: Some(number) },
        };
        values.push(values_of_step(program, &leaves, &texts, (number, &missing))?);
    }
    for output in &mut expected {
        let given = |step: &Object| {
            step.get(&output.name).map(|raw| raw.get()).filter(|raw| *raw != "null").map(unquoted)
        };
        output.texts = steps.iter().map(given).collect();
    }
    Ok(Given { steps: values, expected })
}

/// A value of JSON as text: strings without their quotes.
fn unquoted(raw: &str) -> String {
    serde_json::from_str::<String>(raw).unwrap_or_else(|_| raw.to_string())
}

/// What is nested by the names of scalars, `p.lo` for `{"p": {"lo": 1}}` and `a[0]` for
/// `{"a": [1]}`. Only what scalars have in their names is opened, so that no text is too deep.
fn flat(step: Object, scalars: &[&str]) -> Object {
    let is_whole = |name: &str| {
        scalars.iter().any(|scalar| {
            let rest = scalar.strip_prefix(name);
            rest.is_some_and(|rest| rest.starts_with(['.', '[']))
        })
    };
    let mut found = Object::new();
    let mut stack: Vec<(String, Box<RawValue>)> = step.into_iter().collect();
    while let Some((name, raw)) = stack.pop() {
        let text = raw.get();
        if text.starts_with('{')
            && is_whole(&name)
            && let Ok(fields) = serde_json::from_str::<Object>(text)
        {
            stack.extend(fields.into_iter().map(|(field, raw)| (format!("{name}.{field}"), raw)));
        } else if text.starts_with('[')
            && is_whole(&name)
            && let Ok(parts) = serde_json::from_str::<Vec<Box<RawValue>>>(text)
        {
            let parts = parts.into_iter().enumerate();
            stack.extend(parts.map(|(i, raw)| (format!("{name}[{i}]"), raw)));
        } else {
            found.insert(name, raw);
        }
    }
    found
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
        Type::Keyed(keyed) => table(program, keyed, text).map(|table| Value::Table(table.into())),
        Type::Record(_) | Type::Tuple(_) | Type::Array(_) | Type::Map(_) => {
            unreachable!("a leaf is a scalar")
        }
    }
}

/// A set or a part of a map as it is shown: `{1, 2}`, `{1: 5, (2, 3): 7, else 0}`.
fn table(program: &Program, keyed: &Keyed, text: &str) -> Option<Table> {
    let mut rest = default_value(&keyed.element);
    let mut listed = Vec::new();
    for part in parts(text.trim().strip_prefix('{')?.strip_suffix('}')?)? {
        if let Some(value) = part.strip_prefix("else ") {
            rest = parse(program, &keyed.element, value.trim())?;
            continue;
        }
        let pair = parts_at(part, b':')?;
        let (key, value) = match pair[..] {
            [key] if keyed.element == Type::Bool => (key, Value::Bool(true)),
            [key, value] => (key, parse(program, &keyed.element, value)?),
            _ => return None,
        };
        let leaves = (0..keyed.key.leaves()).map(|leaf| keyed.key.leaf(leaf));
        let scalars = match (keyed.key.leaves(), key.strip_prefix('(')) {
            (1, _) => vec![key],
            (_, Some(list)) => parts(list.strip_suffix(')')?)?,
            _ => return None,
        };
        if scalars.len() != keyed.key.leaves() as usize {
            return None;
        }
        let key = scalars.into_iter().zip(leaves).map(|(text, ty)| parse(program, ty, text));
        listed.push((key.collect::<Option<Vec<Value>>>()?, value));
    }
    // Of values of enumerations there is an end: what all others have is not said of them.
    let leaf = |leaf| keyed.key.leaf(leaf);
    let endless = |ty: &Type| matches!(ty, Type::Int | Type::Real | Type::Abstract(_));
    let leaves = || (0..keyed.key.leaves()).map(leaf);
    let named = leaves().any(|ty| matches!(ty, Type::Enum(_))) && !leaves().any(endless);
    if named && rest != default_value(&keyed.element) {
        return None;
    }
    let all = Table::everywhere(keyed.sorts.clone(), rest);
    Some(listed.into_iter().fold(all, |table, (key, value)| table.put(key, value)))
}

fn parts(text: &str) -> Option<Vec<&str>> {
    if text.trim().is_empty() { Some(Vec::new()) } else { parts_at(text, b',') }
}

/// What stands between marks that are in no brackets; nothing if brackets are not closed.
fn parts_at(text: &str, mark: u8) -> Option<Vec<&str>> {
    let (mut depth, mut from, mut found) = (0usize, 0, Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth = depth.checked_sub(1)?,
            _ if byte == mark && depth == 0 => {
                found.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(text[from..].trim());
    (depth == 0).then_some(found)
}
