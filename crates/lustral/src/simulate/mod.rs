//! `lustral simulate`: a program run by the interpreter.

mod inputs;
mod random;

use lustral_base::Goal;
use lustral_render::execution::{Datum, Execution, InstanceRows, Row, RowRole, RowType};
use lustral_render::printable;
use lustral_sema::instances::{Wanted, properties};
use lustral_sema::interp::{Choices, Machine, Open, Undefined, Zeros};
use lustral_sema::program::Node;
use lustral_sema::{
    InstanceTree, Program, PropertyInstance, PropertySource, StreamId, Type, Value,
};
use lustral_session::{Analysed, roots};
use lustral_syntax::SourceMap;

use crate::cli::{SimulateOptions, TraceFormat};
use crate::exit::Exit;
use crate::frontend::{self, Channel};
use crate::output::{Output, eprint_line};

/// Steps without `--steps` and without inputs.
const DEFAULT_STEPS: usize = 10;

/// All values are kept until they are shown.
const MOST_STEPS: usize = 1_000_000;

/// Runs the command.
pub fn run(options: &SimulateOptions) -> Exit {
    let mut output = Output::new();
    match simulate(options, &mut output) {
        Ok(text) => output.finish_with(&text),
        Err((exit, message)) => {
            if !message.is_empty() {
                eprint_line(&format!("error: {}", printable(&message)));
            }
            exit
        }
    }
}

fn simulate(options: &SimulateOptions, output: &mut Output) -> Result<String, (Exit, String)> {
    let loaded = frontend::load(&options.file, &options.reading, Channel::People, output);
    let Analysed { program, sources, .. } = loaded.map_err(|exit| (exit, String::new()))?;
    let reject = |message: String| (Exit::Rejected, message);
    let asked: Vec<String> = options.node.iter().cloned().collect();
    let roots = roots(&program, &asked).map_err(|none| reject(none.to_string()))?;
    let [root] = roots[..] else {
        let names: Vec<&str> = roots.iter().map(|r| &*program.node(*r).name).collect();
        let message =
            format!("several nodes could run: {}; choose one with --node", names.join(", "));
        return Err(reject(message));
    };
    let tree = InstanceTree::new(&program, root)
        .map_err(|_| reject("the program unfolds to too many instances".into()))?;
    let steps = inputs(options, &program, program.node(root)).map_err(|m| (Exit::Failure, m))?;
    let mut execution = empty(&program, &tree, options.all);
    let mut machine = Machine::new(&program, &tree);
    let stated = properties(&program, &tree, Wanted::STATED);
    let mut watch =
        Watch { program: &program, tree: &tree, sources: &sources, stated, ended: false };
    let mut choices = Noticed::default();
    for (number, step) in steps.iter().enumerate() {
        machine.step(step, &mut choices);
        watch.look(number, &machine);
        for (instance, shown) in tree.ids().zip(&mut execution.instances) {
            let node = tree.node(&program, instance);
            let leaves = node.leaves(node.stream_ids()).zip(machine.values(instance));
            let leaves = leaves.filter(|((stream, _), _)| !node.stream(*stream).hidden);
            for (((stream, leaf), value), row) in leaves.zip(&mut shown.streams) {
                let ty = node.stream(stream).ty.leaf(leaf);
                row.values.push(value.map_or(Datum::Absent, |value| datum(&program, ty, value)));
            }
        }
    }
    choices.report();
    execution.steps = steps.len();
    Ok(match options.format {
        TraceFormat::Table => execution.table(),
        TraceFormat::Csv => execution.csv(),
        TraceFormat::Json => execution.json(),
        TraceFormat::Vcd => execution.vcd(),
    })
}

/// Tells of properties that fail, each once, as long as this is an execution at all.
struct Watch<'a> {
    program: &'a Program,
    tree: &'a InstanceTree,
    sources: &'a SourceMap,
    /// What was not told yet.
    stated: Vec<PropertyInstance>,
    /// Whether an assertion has failed.
    ended: bool,
}

impl Watch<'_> {
    fn look(&mut self, step: usize, machine: &Machine<'_>) {
        if self.ended {
            return;
        }
        if let Some((instance, index)) = machine.failed_assertion() {
            let assert = &self.tree.node(self.program, instance).asserts[index];
            let what = if assert.given { "assumption" } else { "assertion" };
            eprint_line(&format!(
                "warning: the {what} at line {} does not hold at step {step}: \
                 this is no execution of the program from here on",
                self.sources.line_column(assert.span).line
            ));
            self.ended = true;
            return;
        }
        let counts = |p: &PropertyInstance| {
            matches!(p.source, PropertySource::Stated(_) | PropertySource::InRange(_))
        };
        let (failed, left) = std::mem::take(&mut self.stated)
            .into_iter()
            .partition(|property| counts(property) && !machine.holds(property));
        self.stated = left;
        let failed: Vec<PropertyInstance> = failed;
        for property in failed {
            let name = printable(&property.name);
            let note = match property.goal {
                Goal::Always => format!("the property `{name}` fails at step {step}"),
                Goal::Reachable | Goal::Occurs => format!("`{name}` is reached at step {step}"),
            };
            eprint_line(&format!("note: {note}"));
        }
    }
}

/// Takes zero wherever the semantics leaves a value open, and remembers where
/// nobody was told: of a `pre` without a guard, the front end warns.
#[derive(Default)]
struct Noticed {
    divisions: bool,
    outside: bool,
    functions: bool,
}

impl Choices for Noticed {
    fn first_value(&mut self, pre: Open, step: usize, ty: &Type) -> Value {
        Zeros.first_value(pre, step, ty)
    }

    fn any_value(&mut self, access: Open, step: usize, ty: &Type) -> Value {
        self.outside = true;
        Zeros.any_value(access, step, ty)
    }

    fn apply(&mut self, function: u32, arguments: &[(&Type, Value)], ty: &Type) -> Value {
        self.functions = true;
        Zeros.apply(function, arguments, ty)
    }

    fn division_by_zero(&mut self, operation: Undefined, dividend: &Value) -> Value {
        self.divisions = true;
        Zeros.division_by_zero(operation, dividend)
    }
}

impl Noticed {
    fn report(&self) {
        if self.divisions {
            eprint_line("note: a division by zero has an arbitrary value; 0 is taken");
        }
        if self.functions {
            eprint_line("note: a function without a body has arbitrary values; 0 is taken");
        }
        if self.outside {
            eprint_line("note: an element outside of its array has an arbitrary value; 0 is taken");
        }
    }
}

/// The inputs of each step: given, or random.
fn inputs(
    options: &SimulateOptions,
    program: &Program,
    node: &Node,
) -> Result<Vec<Vec<Value>>, String> {
    let Some(path) = &options.inputs else {
        let steps = options.steps.unwrap_or(DEFAULT_STEPS);
        if steps > MOST_STEPS {
            return Err(format!("{steps} steps are too many; at most {MOST_STEPS} can be run"));
        }
        return Ok(random::steps(program, node, steps, options.seed));
    };
    let mut given = inputs::read(path, program, node)?;
    if let Some(steps) = options.steps {
        if node.inputs == 0 {
            given.resize(steps, Vec::new());
        } else if given.len() < steps {
            return Err(format!("{} steps of inputs are given, {steps} asked for", given.len()));
        }
        given.truncate(steps);
    }
    Ok(given)
}

/// An execution without steps: the flows of the node, or of all instances.
fn empty(program: &Program, tree: &InstanceTree, all: bool) -> Execution {
    let instances = tree.ids().take(if all { tree.len() } else { 1 }).map(|id| {
        let node = tree.node(program, id);
        InstanceRows {
            path: tree.path(program, id),
            node: node.name.to_string(),
            streams: node
                .stream_ids()
                .filter(|stream| !node.stream(*stream).hidden)
                .flat_map(|stream| rows(node, stream))
                .collect(),
        }
    });
    Execution {
        steps: 0,
        instances: instances.collect(),
        choices: Vec::new(),
        divisions: Vec::new(),
    }
}

/// A row for each leaf of a flow.
fn rows(node: &Node, stream: StreamId) -> Vec<Row> {
    let declared = node.stream(stream);
    let role = if node.input_ids().any(|input| input == stream) {
        RowRole::Input
    } else if node.output_ids().any(|output| output == stream) {
        RowRole::Output
    } else {
        RowRole::Local
    };
    let row = |(name, ty): (String, Type)| Row {
        name,
        role,
        ty: match ty {
            Type::Bool => RowType::Bool,
            Type::Int | Type::Subrange(_) | Type::Abstract(_) | Type::Machine(_) => RowType::Int,
            Type::Real => RowType::Real,
            Type::Enum(_) => RowType::Enum,
            Type::Record(_) | Type::Tuple(_) | Type::Array(_) => {
                unreachable!("a leaf is a scalar")
            }
        },
        relevant: true,
        values: Vec::new(),
    };
    declared.ty.leaves_of(&declared.name).into_iter().map(row).collect()
}

/// A value of a type, as it is shown.
fn datum(program: &Program, ty: &Type, value: &Value) -> Datum {
    match value {
        Value::Bool(b) => (*b).into(),
        Value::Int(n) | Value::Machine(_, n) => n.into(),
        Value::Real(_) | Value::Enum(_) => program.show_value(ty, value).into(),
    }
}
