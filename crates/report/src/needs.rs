//! What properties need of a program: inductive validity cores, and what no core has.

use std::fmt::Write;

use lustral_certify::{Checked, Core, CutSet};
use lustral_render::{Style, printable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a property needs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Needs {
    /// The file that the property stands in.
    pub file: String,
    /// The node that is checked.
    pub node: String,
    /// The name of the property.
    pub property: String,
    /// The cores: of each, the property holds whatever the other equations and statements
    /// are. None if none was found.
    cores: Vec<Vec<Element>>,
    /// Whether nothing can be left out of any of them.
    minimal: bool,
    /// Whether there are no other minimal ones (with `all`), nor other minimal cut sets.
    complete: bool,
    /// The sets of equations and statements without which the property fails, from which
    /// nothing can be left out; where they are asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    cut_sets: Option<Vec<Vec<Element>>>,
    /// How many equations there are in the node and those that it calls.
    pub equations: usize,
    /// How many statements: assertions, assumptions and the like.
    pub statements: usize,
    /// Why there is no core, if there is none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

/// An equation or a statement of the program, for all instances of its node.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Element {
    /// The file that it stands in.
    pub file: String,
    /// Where it begins, counted from 1.
    #[schemars(range(min = 1))]
    pub line: u32,
    /// Counted from 1.
    #[schemars(range(min = 1))]
    pub column: u32,
    /// The line in which it ends.
    #[schemars(range(min = 1))]
    pub last_line: u32,
    /// What it is.
    pub kind: ElementKind,
    /// The node that it stands in.
    pub node: String,
    /// The flows that an equation defines; none if no declaration has them.
    pub flows: Vec<String>,
    /// Its number among those of the program: parts of an automaton look alike.
    #[serde(skip)]
    pub number: usize,
}

/// What can be needed.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ElementKind {
    /// An equation.
    Equation,
    /// An `assert`.
    Assertion,
    /// The contract of the node that is checked, of its inputs.
    Assumption,
    /// The type of an input.
    Type,
    /// The contract, or the type of an output, of a node without a body.
    Guarantee,
    /// The condition of an `any` or `choose`.
    Choice,
}

/// The property that needs something, and all that there is.
pub struct Needing<'a> {
    /// The file that the property stands in.
    pub file: &'a str,
    /// The node that is checked.
    pub node: &'a str,
    /// The property.
    pub property: &'a str,
    /// All equations and statements, by number.
    pub elements: &'a [Element],
}

/// What was found for it.
pub struct Found<'a> {
    /// The cores.
    pub cores: &'a [Checked<Core>],
    /// The cut sets, if they are asked for.
    pub cut_sets: Option<Vec<&'a Checked<CutSet>>>,
    /// Whether nothing can be left out of any.
    pub minimal: bool,
    /// Whether there are no others.
    pub complete: bool,
}

/// More elements than this are not listed for people.
const MOST_LISTED: usize = 12;

impl Needs {
    /// What was found for a property.
    #[must_use]
    pub fn new(needing: &Needing<'_>, found: &Found<'_>) -> Needs {
        let named = |numbers: &[usize]| {
            let mut list: Vec<Element> =
                numbers.iter().filter_map(|i| needing.elements.get(*i).cloned()).collect();
            list.sort();
            list
        };
        let cores = found.cores.iter().map(|core| named(&core.get().elements)).collect();
        let cut_sets = found.cut_sets.as_ref();
        let cut_sets =
            cut_sets.map(|sets| sets.iter().map(|set| named(&set.get().elements)).collect());
        let Found { minimal, complete, .. } = *found;
        Needs { cores, cut_sets, minimal, complete, ..Needs::none(needing, None) }
    }

    /// Nothing was found.
    #[must_use]
    pub fn none(needing: &Needing<'_>, reason: Option<String>) -> Needs {
        let equations = needing.elements.iter().filter(|e| e.kind == ElementKind::Equation).count();
        Needs {
            file: needing.file.into(),
            node: needing.node.into(),
            property: needing.property.into(),
            cores: Vec::new(),
            minimal: false,
            complete: false,
            cut_sets: None,
            equations,
            statements: needing.elements.len() - equations,
            reason,
        }
    }

    /// The cores.
    #[must_use]
    pub fn cores(&self) -> &[Vec<Element>] {
        &self.cores
    }

    /// As lines for people.
    #[must_use]
    pub fn text(&self, style: Style) -> String {
        let name = style.paint(Style::BOLD, &printable(&self.property));
        let word = |word: &str| style.paint(Style::GREEN, &format!("{word:<11}"));
        let mut out = String::new();
        match &self.cores[..] {
            [] => {
                let reason = self.reason.as_deref().unwrap_or("none was found");
                let _ = writeln!(out, "{} {name}  unknown ({})", word("core"), printable(reason));
            }
            [core] => {
                let only = if self.complete && !core.is_empty() { ", the only one" } else { "" };
                let how = if self.minimal { "minimal" } else { "perhaps fewer" };
                let sentence = self.sentence(core);
                let _ = writeln!(out, "{} {name}  {sentence}  ({how}{only})", word("core"));
            }
            several => {
                let perhaps = if self.complete { "" } else { ", perhaps more" };
                let number = several.len();
                let _ = writeln!(out, "{} {name}  {number} minimal cores{perhaps}:", word("core"));
                for core in several {
                    let _ = writeln!(out, "  {}", self.sentence(core));
                }
            }
        }
        if let Some(sets) = &self.cut_sets {
            let perhaps = if self.complete { "" } else { ", perhaps more" };
            let number = sets.len();
            let noun = if number == 1 { "minimal cut set" } else { "minimal cut sets" };
            let colon = if number == 0 { "" } else { ":" };
            let _ = writeln!(out, "{} {name}  {number} {noun}{perhaps}{colon}", word("cuts"));
            for set in sets {
                let _ = writeln!(out, "  fails without {}", listed(set, &self.file, &self.node));
            }
        }
        out
    }

    /// How much a core is, and what.
    pub(crate) fn sentence(&self, core: &[Element]) -> String {
        if core.is_empty() {
            return "nothing: it holds whatever the equations are".into();
        }
        let equations = core.iter().filter(|e| e.kind == ElementKind::Equation).count();
        let of = |n: usize, all: usize, noun: &str| {
            format!("{n} of {all} {noun}{}", if all == 1 { "" } else { "s" })
        };
        let mut how_much = of(equations, self.equations, "equation");
        if self.statements > 0 {
            let statements = core.len() - equations;
            let _ = write!(how_much, " and {}", of(statements, self.statements, "statement"));
        }
        format!("{how_much}: {}", listed(core, &self.file, &self.node))
    }
}

/// Elements by their places.
fn listed(elements: &[Element], file: &str, node: &str) -> String {
    let mut text: Vec<String> =
        elements.iter().take(MOST_LISTED).map(|e| e.place(file, node)).collect();
    if elements.len() > MOST_LISTED {
        text.push(format!("… {} more", elements.len() - MOST_LISTED));
    }
    printable(&text.join(", ")).to_string()
}

impl Element {
    fn place(&self, file: &str, node: &str) -> String {
        let elsewhere = if self.file == file { String::new() } else { format!("{}:", self.file) };
        let what = match self.kind {
            ElementKind::Equation => self.flows.join(" "),
            ElementKind::Assertion => "(assertion)".into(),
            ElementKind::Assumption => "(assumption)".into(),
            ElementKind::Type => "(type)".into(),
            ElementKind::Guarantee => "(guarantee)".into(),
            ElementKind::Choice => "(condition)".into(),
        };
        let space = if what.is_empty() { "" } else { " " };
        let of = if self.node == node { String::new() } else { format!(" of `{}`", self.node) };
        format!("{elsewhere}{}:{}{space}{what}{of}", self.line, self.column)
    }
}

/// What the cores of a node leave out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Coverage {
    /// The file of the node.
    pub file: String,
    /// The node that is checked.
    pub node: String,
    /// How many equations there are in the node and those that it calls.
    pub equations: usize,
    /// How many properties have cores; the others do not count.
    pub properties: usize,
    /// The equations that are in none of these cores.
    pub uncovered: Vec<Element>,
}

impl Coverage {
    /// What none of some cores has, of all elements. Nothing if there are no cores.
    #[must_use]
    pub fn new(file: &str, node: &str, elements: &[Element], needs: &[Needs]) -> Option<Coverage> {
        let properties = needs.iter().filter(|needs| !needs.cores.is_empty()).count();
        let equations = || elements.iter().filter(|e| e.kind == ElementKind::Equation);
        let is_covered = |element: &&Element| {
            needs.iter().flat_map(|needs| &needs.cores).any(|core| core.contains(element))
        };
        let mut uncovered: Vec<Element> = equations().filter(|e| !is_covered(e)).cloned().collect();
        uncovered.sort();
        (properties > 0).then(|| Coverage {
            file: file.into(),
            node: node.into(),
            equations: equations().count(),
            properties,
            uncovered,
        })
    }

    /// As a line for people.
    #[must_use]
    pub fn text(&self, style: Style) -> String {
        let sentence = self.sentence();
        let colour = if self.uncovered.is_empty() { Style::GREEN } else { Style::YELLOW };
        format!("{} {sentence}\n", style.paint(colour, &format!("{:<11}", "coverage")))
    }

    pub(crate) fn sentence(&self) -> String {
        let Coverage { equations, uncovered, .. } = self;
        match uncovered.len() {
            0 => format!("each of {equations} equations is in a core"),
            n => {
                let verb = if n == 1 { "is" } else { "are" };
                let list = listed(uncovered, &self.file, &self.node);
                format!("{n} of {equations} equations {verb} in no core: {list}")
            }
        }
    }
}
