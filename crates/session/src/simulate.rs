//! A program run by the interpreter, with given or random inputs.
//!
//! ```
//! use lustral_session::{NoFiles, Request, SimulateOptions, simulate};
//!
//! let text = "node main(x: bool) returns (n: int); let n = 0 -> pre n + 1; check \"small\" n < 2; tel";
//! let analysed = Request::text("main.lus", text).analyse(&NoFiles)?;
//! let simulated = simulate(&analysed, &SimulateOptions::default())?;
//! assert_eq!(simulated.execution.steps, 10);
//! assert_eq!(simulated.seen[0].to_string(), "the property `small` fails at step 2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answers;
mod inputs;
mod noticed;
mod random;

use std::fmt;

use lustral_base::Goal;
use lustral_render::execution::{Datum, Execution, InstanceRows, Row, RowRole, RowType};
use lustral_report::event::NoteSeverity;
use lustral_sema::instances::{Wanted, properties};
use lustral_sema::interp::Machine;
use lustral_sema::program::{Node, Premise};
use lustral_sema::{
    InstanceTree, Program, PropertyInstance, PropertySource, StreamId, Type, Value,
};
use lustral_syntax::SourceMap;
use lustral_system::transitions_of;

use crate::load::Analysed;
use crate::select::{NoSuchNode, roots, tried};

use inputs::{Expected, Given};
use noticed::Noticed;

pub use inputs::Unusable;

/// Steps where neither a number nor inputs are given.
const DEFAULT_STEPS: usize = 10;

/// All values are kept until they are shown.
const MOST_STEPS: usize = 1_000_000;

/// What is run, and how.
#[derive(Clone, Default, Debug)]
pub struct SimulateOptions {
    /// The node; else the one marked as main, else the one that no other calls.
    pub node: Option<String>,
    /// Where the values of the inputs come from.
    pub inputs: Inputs,
    /// The number of steps; else as many as there are inputs, or ten.
    pub steps: Option<usize>,
    /// Whether the flows of called nodes are wanted too.
    pub all: bool,
}

/// Where the values of a node's inputs come from.
#[derive(Clone, Debug)]
pub enum Inputs {
    /// Drawn, the same for the same seed.
    Random {
        /// The seed.
        seed: u64,
    },
    /// A text with a column for each input and a line for each step.
    Csv(String),
    /// An array of objects, one a step; or an object of arrays, one an input.
    Json(String),
}

impl Default for Inputs {
    fn default() -> Inputs {
        Inputs::Random { seed: 0 }
    }
}

/// What a run gave.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// The values of the flows.
    pub execution: Execution,
    /// What there is to say of them, in the order in which it was seen.
    pub seen: Vec<Seen>,
}

/// Something to know of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    /// What the program takes for granted fails: this is no execution of it from here on.
    NoExecution {
        /// Whether it is an assumption of a contract, a guarantee of a node without a body, or else an assertion.
        premise: Premise,
        /// The line that says it.
        line: u32,
        /// When it fails first.
        step: usize,
    },
    /// A property fails, for the first time.
    Fails {
        /// The property.
        name: String,
        /// When.
        step: usize,
    },
    /// What a property of reachability asks for happens, for the first time.
    Reached {
        /// The property.
        name: String,
        /// When.
        step: usize,
    },
    /// Zero was taken for values that the language leaves open.
    Zero(LeftOpen),
    /// An output is not what the text with the inputs has for it, for the first time.
    Differs {
        /// The output.
        name: String,
        /// When.
        step: usize,
        /// What came out.
        found: String,
        /// What the text has.
        expected: String,
    },
}

/// What has an arbitrary value without a warning of the front end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeftOpen {
    /// A division by zero.
    Division,
    /// A function without a body.
    Function,
    /// An element outside of its array.
    Element,
    /// A flow that no equation defines, or `any`.
    Any,
    /// An output of a node without a body.
    Output,
}

impl Seen {
    /// How much it matters.
    #[must_use]
    pub fn severity(&self) -> NoteSeverity {
        match self {
            Seen::Differs { .. } => NoteSeverity::Error,
            Seen::NoExecution { .. } => NoteSeverity::Warning,
            Seen::Fails { .. } | Seen::Reached { .. } | Seen::Zero(_) => NoteSeverity::Note,
        }
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seen::NoExecution { premise: Premise::Guaranteed, line, step } => write!(
                f,
                "no outputs were found at step {step} that keep the guarantee at line {line}: \
                 this is no execution of the program from here on"
            ),
            Seen::NoExecution { premise, line, step } => write!(
                f,
                "the {} at line {line} does not hold at step {step}: \
                 this is no execution of the program from here on",
                if premise.is_given() { "assumption" } else { "assertion" }
            ),
            Seen::Zero(LeftOpen::Output) => {
                write!(
                    f,
                    "a node without a body has any outputs that keep its contract; some are taken"
                )
            }
            Seen::Fails { name, step } => write!(f, "the property `{name}` fails at step {step}"),
            Seen::Reached { name, step } => write!(f, "`{name}` is reached at step {step}"),
            Seen::Differs { name, step, found, expected } => write!(
                f,
                "the output `{name}` is {found} at step {step}, where the inputs come with {expected}"
            ),
            Seen::Zero(what) => {
                let what = match what {
                    LeftOpen::Division => "a division by zero has an arbitrary value",
                    LeftOpen::Function => "a function without a body has arbitrary values",
                    LeftOpen::Element => "an element outside of its array has an arbitrary value",
                    LeftOpen::Any | LeftOpen::Output => {
                        "what no equation defines, and `any`, has an arbitrary value"
                    }
                };
                write!(f, "{what}; 0 is taken")
            }
        }
    }
}

/// Why a program was not run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotRun {
    /// It has errors.
    #[error("the program is rejected")]
    Rejected,
    /// The node that was asked for is not there.
    #[error(transparent)]
    NoNode(#[from] NoSuchNode),
    /// No node was asked for, and there are several.
    #[error("several nodes could run: {}", .0.join(", "))]
    Several(Vec<String>),
    /// The calls of the node are too many to be laid out.
    #[error("the program unfolds to too many instances")]
    TooLarge,
    /// What is given as its inputs is not.
    #[error(transparent)]
    Inputs(#[from] Unusable),
    /// More steps than can be kept.
    #[error("{0} steps are too many; at most {MOST_STEPS} can be run")]
    TooLong(usize),
    /// Fewer inputs than steps.
    #[error("{given} steps of inputs are given, {asked} asked for")]
    TooFew {
        /// The steps that have inputs.
        given: usize,
        /// The steps that were asked for.
        asked: usize,
    },
}

/// Runs a node of a program.
///
/// # Errors
/// If it cannot be run, or the inputs are not those of the node.
pub fn simulate(analysed: &Analysed, options: &SimulateOptions) -> Result<Simulated, NotRun> {
    if analysed.diagnostics.has_errors() {
        return Err(NotRun::Rejected);
    }
    let (program, sources) = (&*analysed.program, &analysed.sources);
    let asked: Vec<String> = options.node.iter().cloned().collect();
    let roots = roots(program, &asked)?;
    let ([root], []) = (&roots[..], &tried(program, &asked, &roots)[..]) else {
        let name = |root: &_| program.node(*root).name.to_string();
        return Err(NotRun::Several(roots.iter().map(name).collect()));
    };
    let root = *root;
    let tree = InstanceTree::new(program, root).map_err(|_| NotRun::TooLarge)?;
    let Given { steps, expected } = steps(options, program, program.node(root))?;
    let mut execution = empty(program, &tree, options.all);
    let mut machine = Machine::new(program, &tree);
    let stated = properties(program, &tree, Wanted::STATED);
    let mut watch = Watch { program, tree: &tree, sources, stated, ended: false, seen: Vec::new() };
    let mut choices = Noticed::new(program, &tree);
    for (number, step) in steps.iter().enumerate() {
        machine = answers::step(machine, step, &mut choices);
        watch.look(number, &machine);
        for (instance, shown) in tree.ids().zip(&mut execution.instances) {
            let node = tree.node(program, instance);
            let values: Vec<Option<&Value>> = machine.values(instance).collect();
            let leaves = node.leaves(node.stream_ids()).enumerate();
            let leaves = leaves.filter(|(_, (stream, _))| is_shown(node, *stream));
            for ((at, (stream, leaf)), row) in leaves.zip(&mut shown.streams) {
                let ty = &node.stream(stream).ty;
                let first = at - leaf as usize;
                let made = |(tag, constructor): (u32, u32)| {
                    values[first + tag as usize] == Some(&Value::Enum(constructor))
                };
                let counts = ty.counts_where(leaf).into_iter().all(made);
                let value = values[at].filter(|_| counts);
                let shown = value.map(|value| datum(program, ty.leaf(leaf), value));
                row.values.push(shown.unwrap_or(Datum::Absent));
            }
        }
    }
    execution.steps = steps.len();
    // What comes after the end of the execution means nothing.
    let ended = watch.seen.iter().find_map(|seen| match seen {
        Seen::NoExecution { step, .. } => Some(*step),
        _ => None,
    });
    let mut seen = watch.seen;
    seen.extend(difference(program, &execution, &expected, ended.unwrap_or(steps.len())));
    seen.extend(choices.seen());
    Ok(Simulated { execution, seen })
}

/// The first difference between what came out before a step and what was expected.
fn difference(
    program: &Program,
    execution: &Execution,
    expected: &[Expected],
    end: usize,
) -> Option<Seen> {
    let rows = &execution.instances.first()?.streams;
    let is_output = |row: &&Row| row.role == RowRole::Output;
    let row = |output: &Expected| rows.iter().filter(is_output).find(|r| r.name == output.name);
    let pairs: Vec<(&Expected, &Row)> =
        expected.iter().filter_map(|output| Some((output, row(output)?))).collect();
    (0..end).flat_map(|step| pairs.iter().map(move |pair| (step, *pair))).find_map(
        |(step, (output, row))| {
            let (text, value) = output.at(program, step)?;
            let found = row.values.get(step)?;
            let same = value.is_some_and(|value| datum(program, output.ty(), &value) == *found);
            let found = match found {
                Datum::Absent => "absent".to_string(),
                found => found.to_string(),
            };
            let (name, expected) = (output.name.clone(), text.to_string());
            (!same).then_some(Seen::Differs { name, step, found, expected })
        },
    )
}

/// Notices properties that fail, each once, as long as this is an execution at all.
struct Watch<'a> {
    program: &'a Program,
    tree: &'a InstanceTree,
    sources: &'a SourceMap,
    /// What was not seen yet.
    stated: Vec<PropertyInstance>,
    /// Whether an assertion has failed.
    ended: bool,
    seen: Vec<Seen>,
}

impl Watch<'_> {
    fn look(&mut self, step: usize, machine: &Machine<'_>) {
        if self.ended {
            return;
        }
        if let Some((instance, index)) = machine.failed_assertion() {
            let assert = &self.tree.node(self.program, instance).asserts[index];
            let line = self.sources.line_column(assert.span).line;
            self.seen.push(Seen::NoExecution { premise: assert.premise, line, step });
            self.ended = true;
            return;
        }
        let counts = |p: &PropertyInstance| {
            matches!(p.source, PropertySource::Stated(_) | PropertySource::InRange(_))
        };
        let seen = &mut self.seen;
        self.stated.retain(|property| {
            if !counts(property) || machine.holds(property) {
                return true;
            }
            let name = property.name.to_string();
            seen.push(match property.goal {
                Goal::Always => Seen::Fails { name, step },
                Goal::Reachable | Goal::Occurs => Seen::Reached { name, step },
            });
            false
        });
    }
}

/// The inputs of each step: given, or random.
fn steps(options: &SimulateOptions, program: &Program, node: &Node) -> Result<Given, NotRun> {
    let mut given = match &options.inputs {
        Inputs::Random { seed } => {
            let steps = options.steps.unwrap_or(DEFAULT_STEPS);
            if steps > MOST_STEPS {
                return Err(NotRun::TooLong(steps));
            }
            let steps = random::steps(program, node, steps, *seed);
            return Ok(Given { steps, expected: Vec::new() });
        }
        Inputs::Csv(text) => inputs::from_csv(text, program, node)?,
        Inputs::Json(text) => inputs::from_json(text, program, node)?,
    };
    if let Some(asked) = options.steps {
        if node.inputs == 0 {
            given.steps.resize(asked, Vec::new());
        } else if given.steps.len() < asked {
            return Err(NotRun::TooFew { given: given.steps.len(), asked });
        }
        given.steps.truncate(asked);
    }
    Ok(given)
}

/// Whether a flow has a row.
fn is_shown(node: &Node, stream: StreamId) -> bool {
    let flow = node.stream(stream);
    !flow.hidden || transitions_of(&flow.name).is_some()
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
                .filter(|stream| is_shown(node, *stream))
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
            Type::Enum(_) | Type::Keyed(_) => RowType::Enum,
            Type::Record(_) | Type::Tuple(_) | Type::Array(_) | Type::Map(_) => {
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
        Value::Real(_) | Value::Enum(_) | Value::Table(_) => program.show_value(ty, value).into(),
    }
}
