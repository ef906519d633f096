//! Two versions of a node, compared: a *product*, a program of the language in which both run on the same
//! inputs and each output is compared, is checked like any other. So that they agree is proved, and
//! the proof checked, and that they do not is an execution that the interpreter has replayed, as of every property.
//!
//! What the product says of the versions rests on how it is made (`product.rs`, `names.rs`) and on the
//! printer of `syntax`; of an execution, [`replay`] runs both versions as they are as well.

mod changes;
mod names;
mod product;

use lustral_render::execution::{Datum, Execution, Row, RowRole};
use lustral_syntax::Loader;

use crate::load::{Analysed, Request};
use crate::simulate::{Inputs, Seen, SimulateOptions, Simulated, simulate};

pub use changes::{Change, Changed, changes, output_line, property_line};
pub use product::{Incomparable, Pair, Product};

/// One of the versions.
pub struct Version<'a> {
    /// The program.
    pub request: &'a Request,
    /// What it is; it has no errors.
    pub analysed: &'a Analysed,
    /// The node, if one was asked for.
    pub node: Option<&'a str>,
}

/// The program in which both versions run.
///
/// # Errors
/// If they cannot be compared.
pub fn product(
    old: &Version<'_>,
    new: &Version<'_>,
    loader: &dyn Loader,
) -> Result<Product, Incomparable> {
    let with_locals = product::build(old, new, loader, true)?;
    // The local flows are seen for the sake of candidates only.
    if with_locals.is_accepted() {
        return Ok(with_locals);
    }
    let without = product::build(old, new, loader, false)?;
    match without.first_error() {
        None => Ok(without),
        Some(error) => Err(Incomparable::Rejected(error)),
    }
}

/// What came of running both versions on the inputs of an execution of the product.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Replayed {
    /// They differ as the execution says.
    Differ,
    /// The execution chooses values that the language leaves open, and a plain run takes zero for these: it says nothing.
    Open,
    /// They do something else: something is wrong with the product.
    Otherwise(String),
}

/// Runs both versions, as they are, on the inputs of an execution of the product.
#[must_use]
pub fn replay(
    product: &Product,
    old: &Version<'_>,
    new: &Version<'_>,
    execution: &Execution,
) -> Replayed {
    let Some(root) = execution.instances.first() else {
        return Replayed::Otherwise("the execution has no flows".into());
    };
    let flows = |pair: &Pair, name: &str| -> Vec<(String, Vec<Datum>)> {
        leaves(&root.streams, name)
            .map(|(rest, row)| (format!("{}{rest}", pair.name), row.values.clone()))
            .collect()
    };
    let mut left_open = !execution.choices.is_empty() || !execution.divisions.is_empty();
    let mut differs = false;
    let sides = [(old, &product.old_node, false), (new, &product.new_node, true)];
    for (version, node, is_new) in sides {
        let inputs = product.inputs.iter().flat_map(|pair| {
            let name = if is_new { &pair.new } else { &pair.old };
            leaves(&root.streams, &pair.name).map(move |(rest, row)| (format!("{name}{rest}"), row))
        });
        // Constants without a value are inputs as well, by their own names where both versions have them.
        let is_given = |row: &Row| {
            product
                .inputs
                .iter()
                .any(|pair| leaves(std::slice::from_ref(row), &pair.name).next().is_some())
        };
        let constants =
            root.streams.iter().filter(|row| row.role == RowRole::Input && !is_given(row));
        let constants = constants.map(|row| (row.name.clone(), row));
        let inputs: Vec<(String, &Row)> = inputs.chain(constants).collect();
        let run = match run(version, node, &inputs, execution.steps) {
            Ok(run) => run,
            Err(error) => return Replayed::Otherwise(error),
        };
        left_open |= run.seen.iter().any(|seen| matches!(seen, Seen::Zero(_)));
        let shown = &run.execution.instances[0].streams;
        for pair in &product.outputs {
            let (own, here) =
                if is_new { (&pair.new, &pair.new_flow) } else { (&pair.old, &pair.name) };
            let expected: Vec<(String, Vec<Datum>)> = flows(pair, here);
            let found: Vec<(String, Vec<Datum>)> = leaves(shown, own)
                .map(|(rest, row)| (format!("{}{rest}", pair.name), row.values.clone()))
                .collect();
            if expected != found {
                if left_open || product.may_be_open {
                    return Replayed::Open;
                }
                let why = format!("`{own}` has other values in a run of `{node}`");
                return Replayed::Otherwise(why);
            }
            differs |= is_new && flows(pair, &pair.name) != expected;
        }
    }
    if differs { Replayed::Differ } else { Replayed::Otherwise("no output differs".into()) }
}

/// The rows of a flow, with what their names have after the flow's.
fn leaves<'r>(rows: &'r [Row], name: &str) -> impl Iterator<Item = (String, &'r Row)> {
    let name = name.to_string();
    rows.iter().filter_map(move |row| {
        let rest = row.name.strip_prefix(&name)?;
        (rest.is_empty() || rest.starts_with(['.', '['])).then(|| (rest.to_string(), row))
    })
}

/// A version on some inputs.
fn run(
    version: &Version<'_>,
    node: &str,
    inputs: &[(String, &Row)],
    steps: usize,
) -> Result<Simulated, String> {
    let mut columns = serde_json::Map::new();
    for (name, row) in inputs {
        debug_assert_eq!(row.role, RowRole::Input);
        let values = row.values.iter().map(|value| match value {
            Datum::Absent => serde_json::Value::Null,
            value => serde_json::Value::String(value.to_string()),
        });
        columns.insert(name.clone(), values.collect());
    }
    let options = SimulateOptions {
        node: Some(node.to_string()),
        inputs: Inputs::Json(serde_json::Value::Object(columns).to_string()),
        steps: Some(steps),
        all: false,
    };
    simulate(version.analysed, &options).map_err(|error| error.to_string())
}
