//! What the properties of a program notice of small changes of it.

use std::fmt::Write;

use lustral_render::{Style, printable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What became of the mutants of a node and those that it calls.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Mutants {
    /// The file of the node.
    pub file: String,
    /// The node that is checked.
    pub node: String,
    /// How many mutants were looked at.
    pub mutants: usize,
    /// Of how many of them a property fails that holds of the program, or there is no execution.
    pub killed: usize,
    /// Those of which all properties hold that hold of the program.
    pub survivors: Vec<Mutant>,
    /// Those of which neither was found out in time.
    pub undecided: Vec<Mutant>,
    /// How many were not looked at: more than were asked for, or the time was up.
    pub left: usize,
    /// The properties that hold of the program, and how many mutants each was the first to notice.
    pub properties: Vec<Killer>,
}

/// The program with a small change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Mutant {
    /// The file that is changed.
    pub file: String,
    /// Where the change begins, counted from 1.
    #[schemars(range(min = 1))]
    pub line: u32,
    /// Counted from 1.
    #[schemars(range(min = 1))]
    pub column: u32,
    /// The line in which it ends.
    #[schemars(range(min = 1))]
    pub last_line: u32,
    /// The node that it is in; none for a constant of the program.
    pub node: Option<String>,
    /// What stands there, on one line.
    pub text: String,
    /// What is put in its place.
    pub becomes: String,
}

/// A property, and what it notices.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Killer {
    /// Its name.
    pub property: String,
    /// How many mutants it was the first to notice.
    pub killed: usize,
}

/// More are not listed for people.
const MOST_LISTED: usize = 40;
/// Longer texts are cut for people.
const LONGEST: usize = 60;

impl Mutants {
    /// As lines for people.
    #[must_use]
    pub fn text(&self, style: Style) -> String {
        let colour = if self.survivors.is_empty() { Style::GREEN } else { Style::YELLOW };
        let head = style.paint(colour, &format!("{:<11}", "mutants"));
        let mut out = format!("{head} {}\n", self.sentence());
        let survive = self.survivors.iter().map(|mutant| ("survives", mutant));
        let all = survive.chain(self.undecided.iter().map(|mutant| ("undecided", mutant)));
        for (word, mutant) in all.take(MOST_LISTED) {
            let _ = writeln!(out, "  {word:<10} {}", mutant.sentence(&self.file, &self.node));
        }
        let count = self.survivors.len() + self.undecided.len();
        if count > MOST_LISTED {
            let _ = writeln!(out, "  … {} more, which --json has", count - MOST_LISTED);
        }
        out
    }

    /// How many became what.
    pub(crate) fn sentence(&self) -> String {
        let Mutants { mutants, killed, left, .. } = self;
        let are = |n: usize| if n == 1 { "is" } else { "are" };
        let mut said = match mutants {
            0 => "none was looked at".to_string(),
            _ => format!("{killed} of {mutants} {} killed", are(*killed)),
        };
        match self.survivors.len() {
            0 => {}
            1 => said += ", 1 survives",
            n => drop(write!(said, ", {n} survive")),
        }
        if !self.undecided.is_empty() {
            let n = self.undecided.len();
            let _ = write!(said, ", {n} {} undecided", are(n));
        }
        if *left > 0 {
            let _ = write!(said, "; {left} {} not looked at", are(*left));
        }
        said
    }
}

impl Mutant {
    /// What is changed, for people who look at a node of a file.
    pub(crate) fn sentence(&self, file: &str, node: &str) -> String {
        let elsewhere = if self.file == file { String::new() } else { format!("{}:", self.file) };
        let of = match &self.node {
            Some(own) if own != node => format!(" of `{own}`"),
            _ => String::new(),
        };
        let place = format!("{elsewhere}{}:{}{of}", self.line, self.column);
        let said = format!("{place}  `{}` as `{}`", short(&self.text), short(&self.becomes));
        printable(&said).to_string()
    }
}

/// A text, cut in the middle if it is long.
fn short(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= LONGEST {
        return text.to_string();
    }
    let half = LONGEST / 2;
    let (begin, end) = (&characters[..half], &characters[characters.len() - half..]);
    begin.iter().copied().chain([' ', '…', ' ']).chain(end.iter().copied()).collect()
}
