//! Lints: what is warned of, by name, and how much each of them matters.
//!
//! The name of a warning is the word of its [`Code`](crate::diagnostic::Code), which is shown in
//! brackets. A level is set on the command line, or in a file by a comment `--%ALLOW name;`,
//! `--%WARN name;` or `--%DENY name;`, which counts for that file and goes before the command
//! line, as attributes do in Rust. Errors have no level: a program that has one has no meaning.

use lustral_base::similar;

use crate::ast::Program;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use crate::source::{FileId, Span};

/// How much a warning matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// It is not told.
    Allow,
    /// It is told.
    Warn,
    /// The program is rejected.
    Deny,
}

/// The words that set levels in comments.
pub(crate) const WORDS: [(&str, Level); 3] =
    [("ALLOW", Level::Allow), ("WARN", Level::Warn), ("DENY", Level::Deny)];

/// Something that is warned of.
#[derive(Clone, Copy, Debug)]
pub struct Lint {
    /// Its name.
    pub name: &'static str,
    /// What it is if nobody says otherwise.
    pub level: Level,
    /// What it is about.
    pub about: &'static str,
}

/// The name for all of them.
pub const ALL: &str = "all";

const fn warn(name: &'static str, about: &'static str) -> Lint {
    Lint { name, level: Level::Warn, about }
}

const fn quiet(name: &'static str, about: &'static str) -> Lint {
    Lint { name, level: Level::Allow, about }
}

/// All lints, in the order of the alphabet.
pub const LINTS: [Lint; 28] = [
    warn("clock", "a reset whose clock only a rule says"),
    quiet("dead-node", "a node that nothing checked calls, and that states nothing"),
    warn("dead-transition", "a transition of a protocol that is never possible"),
    warn("definition", "an arm that is never chosen, or an output without an equation"),
    warn("dialect", "a text that means something else in another dialect"),
    warn("division-by-zero", "a division by a constant that is zero"),
    warn("duplicate", "two properties of a protocol that have one name"),
    warn("index", "a constant index outside of its array"),
    warn("misspelt-annotation", "a comment that was perhaps meant as an annotation"),
    warn("not-removed", "a certificate of an earlier run that is still there"),
    warn("not-used", "something that was learned and is not used"),
    warn("not-utf-8", "a file that is read as Latin-1"),
    warn("overflow", "a number that does not fit its machine integer"),
    warn(
        "says-nothing",
        "a property that holds whatever the flows are, or under a condition that never holds",
    ),
    warn("selection", "a protocol without anything to check"),
    quiet("shadowing", "a flow or index with the name of something else that is hidden by it"),
    warn("unchecked-properties", "properties of nodes that nothing checked calls"),
    warn("unchecked-theorems", "theorems and traces of a protocol, with `--size`"),
    warn(
        "unconstrained",
        "a symbol of a protocol of which `init` or a transition does not say what it is, or a transition only for some elements",
    ),
    warn("undeclared", "a name in a pattern or among candidates that was perhaps misspelt"),
    warn("unguarded-pre", "a `pre` whose first value is arbitrary"),
    warn("unknown-lint", "a level for a lint that does not exist"),
    warn(
        "unreachable",
        "a state or transition of an automaton that is never reached (`--explain`)",
    ),
    quiet("unread-input", "an input that nothing reads"),
    warn("unrealizable", "a contract that proofs rest on and no body can keep"),
    warn("unused", "something else that has no effect"),
    quiet("unused-flow", "a local flow on which no output, property or assertion depends"),
    warn("unwritten-cache", "a cache that cannot be written"),
];

/// A level for a lint that does not exist.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoSuchLint {
    /// The name.
    pub name: String,
    /// One that was perhaps meant.
    pub meant: Option<&'static str>,
}

impl std::fmt::Display for NoSuchLint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there is no lint `{}`", self.name)?;
        match self.meant {
            Some(meant) => write!(f, ": is `{meant}` meant?"),
            None => Ok(()),
        }
    }
}

/// The lints of this name, which may stand for all.
fn named(name: &str) -> Result<&'static [Lint], NoSuchLint> {
    if name == ALL {
        return Ok(&LINTS);
    }
    match LINTS.iter().position(|lint| lint.name == name) {
        Some(i) => Ok(&LINTS[i..=i]),
        None => {
            let names = LINTS.iter().map(|lint| lint.name).chain([ALL]);
            Err(NoSuchLint { name: name.into(), meant: similar(name, names) })
        }
    }
}

/// Which levels were set, and where.
#[derive(Clone, Default, Debug)]
pub struct Levels {
    /// What was asked for, the last counts.
    asked: Vec<(&'static str, Level)>,
    /// What files say of themselves, the last counts.
    stated: Vec<(FileId, &'static str, Level)>,
}

impl Levels {
    /// Asks for a level.
    ///
    /// # Errors
    /// If there is no lint of that name.
    pub fn ask(&mut self, name: &str, level: Level) -> Result<(), NoSuchLint> {
        self.asked.extend(named(name)?.iter().map(|lint| (lint.name, level)));
        Ok(())
    }

    /// Reads what the files of a program say.
    pub fn read(&mut self, program: &Program, diagnostics: &mut Diagnostics) {
        for tree in &program.trees {
            for span in &tree.comments {
                let Some((level, names)) = stated(&tree.text[span.range()]) else { continue };
                for (start, name) in names {
                    let start = span.start + start as u32;
                    let place = Span { start, end: start + name.len() as u32, ..*span };
                    match named(name) {
                        Ok(lints) => self
                            .stated
                            .extend(lints.iter().map(|lint| (tree.file, lint.name, level))),
                        Err(wrong) => diagnostics.push(Diagnostic::warning(
                            Code::UnknownLint,
                            place,
                            wrong.to_string(),
                        )),
                    }
                }
            }
        }
    }

    /// The level of a lint, where it is about a file of which nothing is known: anywhere.
    #[must_use]
    pub fn of(&self, name: &str, file: Option<FileId>) -> Level {
        let mut stated = self.stated.iter().rev();
        let here = stated.find(|(f, lint, _)| Some(*f) == file && *lint == name);
        let asked = || self.asked.iter().rev().find(|(lint, _)| *lint == name);
        let usual = || LINTS.iter().find(|lint| lint.name == name);
        here.map(|(.., level)| *level)
            .or_else(|| asked().map(|(_, level)| *level))
            .or_else(|| usual().map(|lint| lint.level))
            .unwrap_or(Level::Warn)
    }

    /// What is told of some diagnostics.
    #[must_use]
    pub fn apply(&self, diagnostics: &Diagnostics) -> Diagnostics {
        let mut told = Diagnostics::new();
        for diagnostic in diagnostics.iter() {
            let name = diagnostic.code.as_str();
            let mut diagnostic = diagnostic.clone();
            if diagnostic.severity == Severity::Warning {
                match self.of(name, Some(diagnostic.primary.span.file)) {
                    Level::Allow => continue,
                    Level::Warn => {}
                    Level::Deny => {
                        diagnostic.severity = Severity::Error;
                        diagnostic = diagnostic.note(format!("`{name}` is denied here"));
                    }
                }
            }
            told.push(diagnostic);
        }
        told
    }
}

/// What a comment says of levels: the level, and names with their places in the comment.
fn stated(comment: &str) -> Option<(Level, Vec<(usize, &str)>)> {
    let body = ["--", "(*", "/*"].iter().find_map(|open| comment.strip_prefix(open))?;
    let body = body.strip_prefix(['%', '!'])?;
    let (word, level) = WORDS.iter().find(|(word, _)| body.starts_with(word))?;
    let rest = &body[word.len()..];
    if !rest.is_empty() && !rest.starts_with([' ', '\t', ';']) {
        return None;
    }
    let rest = rest.split([';', '*']).next().unwrap_or_default();
    let start = comment.len() - body.len() + word.len();
    let names = rest.split([',', ' ', '\t']).filter(|name| !name.is_empty());
    let place = |name: &str| start + (name.as_ptr() as usize - rest.as_ptr() as usize);
    Some((*level, names.map(|name| (place(name), name)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_comments() {
        let (level, names) = stated("--%ALLOW unused-flow, shadowing; because").expect("a level");
        assert_eq!(level, Level::Allow);
        assert_eq!(names, [(9, "unused-flow"), (22, "shadowing")]);
        assert!(stated("--%ALLOWED x").is_none() && stated("-- ALLOW x").is_none());
        assert_eq!(stated("(*%DENY all*)"), Some((Level::Deny, vec![(8, "all")])));
    }

    #[test]
    fn lints_are_in_order_and_the_last_level_counts() {
        assert!(LINTS.is_sorted_by_key(|lint| lint.name));
        let mut levels = Levels::default();
        assert_eq!(levels.of("unguarded-pre", None), Level::Warn);
        levels.ask(ALL, Level::Deny).expect("a name for all");
        levels.ask("unguarded-pre", Level::Allow).expect("a lint");
        assert_eq!(levels.of("unguarded-pre", None), Level::Allow);
        assert_eq!(levels.of("dead-node", None), Level::Deny);
        let wrong = levels.ask("unused-flaw", Level::Deny).expect_err("no lint");
        assert_eq!(wrong.meant, Some("unused-flow"));
    }
}
