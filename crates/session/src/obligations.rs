//! What tests of a node shall reach, and tests that do.
//!
//! An obligation is a condition over the flows of a node: that a branch is taken, a state entered, or
//! that one condition decides alone about a decision (MC/DC). A copy of the program asks for each of them
//! with `check reachable`, and is checked like any other. So each has an execution, which becomes a test, or a proof that there
//! is none. What a test reaches, the interpreter says: it runs the copy on the inputs of the test, and what it
//! does not see counts for nothing.

mod collect;
mod cover;

use lustral_syntax::Loader;
use lustral_syntax::{Diagnostics, Dialect, NoFiles, Severity};

use crate::load::{Analysed, Request, Unreadable};
use collect::Insertions;

pub use cover::{Test, cover, test_lines};

/// What tests shall reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// The node that it is about, in any of its instances.
    pub node: String,
    /// What kind it is.
    pub kind: Kind,
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// What it is, for people.
    pub text: String,
}

/// The kinds of obligations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A side of an `if`, a `merge` or a block.
    Branch,
    /// A state of an automaton.
    State,
    /// A transition of an automaton.
    Transition,
    /// A condition that decides alone about a decision.
    Mcdc,
    /// A mode of a contract.
    Mode,
}

impl Kind {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Kind::Branch => "branch",
            Kind::State => "state",
            Kind::Transition => "transition",
            Kind::Mcdc => "mcdc",
            Kind::Mode => "mode",
        }
    }
}

/// A program that asks for each obligation.
pub struct Asking {
    /// The text.
    pub text: String,
    /// Its dialect.
    pub dialect: Dialect,
    /// What it asks for; the property about each is named by its number, but modes, which come last,
    /// are asked for anyway and have their own names.
    pub obligations: Vec<Obligation>,
    /// What cannot be asked for in the text, such as conditions over flows that only a part of an expression sees.
    pub left_out: Vec<Obligation>,
}

/// How often a copy that is rejected is made again without what is wrong in it.
const TRIES: usize = 20;

/// The program that asks for all obligations of its nodes.
///
/// # Errors
/// If a file cannot be read, or with what is wrong with the copy.
pub fn asking(request: &Request, loader: &dyn Loader) -> Result<Asking, NotAsked> {
    let tree = request.tree(loader)?;
    let mut dialects = tree.trees.iter().map(|tree| tree.exprs.reading().dialect);
    let dialect = dialects.next().unwrap_or_default();
    if dialects.any(|other| other != dialect) {
        return Err(NotAsked::Dialects);
    }
    let names = request.file_names(loader)?;
    let mut insertions = Insertions::collect(&tree, &names);
    let mut left_out = Vec::new();
    for _ in 0..TRIES {
        let (mut text, places) = insertions.text(&tree);
        // What is warned of in the program was said of the program.
        text.push_str("--%ALLOW all;\n");
        let copy = Request::text("tests.lus", text.clone()).in_dialect(Some(dialect));
        let analysed = copy.analyse(&NoFiles)?;
        let wrong = wrong_places(&analysed.diagnostics);
        let bad: Vec<usize> =
            (0..places.len()).filter(|i| wrong.iter().any(|at| places[*i].contains(at))).collect();
        if bad.is_empty() {
            return match first_error(&analysed) {
                Some(error) => Err(NotAsked::Rejected(error)),
                None => {
                    let mut obligations = insertions.obligations();
                    obligations.extend(collect::modes(&tree, &names));
                    Ok(Asking { text, dialect, obligations, left_out })
                }
            };
        }
        left_out.extend(insertions.remove(&bad));
    }
    Err(NotAsked::Rejected("too many conditions cannot be asked for".into()))
}

/// Where errors begin.
fn wrong_places(diagnostics: &Diagnostics) -> Vec<usize> {
    let all = diagnostics.sorted();
    let errors = all.iter().filter(|d| d.severity == Severity::Error);
    errors.map(|d| d.primary.span.range().start).collect()
}

fn first_error(analysed: &Analysed) -> Option<String> {
    let all = analysed.diagnostics.sorted();
    all.iter().find(|d| d.severity == Severity::Error).map(|d| d.message.clone())
}

/// Why there is no program that asks for obligations.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotAsked {
    /// A file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// Its files are in different dialects.
    #[error("the files of the program are in different dialects")]
    Dialects,
    /// The copy of the program is rejected.
    #[error("what tests shall reach cannot be asked for: {0}")]
    Rejected(String),
}

impl Asking {
    /// The program.
    #[must_use]
    pub fn request(&self) -> Request {
        Request::text("tests.lus", self.text.clone()).in_dialect(Some(self.dialect))
    }
}
