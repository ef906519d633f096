//! Diagnostics as data: what is wrong, where, why, and what to do about it.

use crate::source::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The program has a meaning, perhaps not the intended one.
    Warning,
    /// The program is rejected.
    Error,
}

/// The kind of a diagnostic: a stable word that scripts can rely on. Of warnings it is the name
/// of their [lint](crate::lint).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Code {
    /// The text does not follow the grammar.
    Syntax,
    /// A part of the language that Lustral does not have yet.
    Unsupported,
    /// An included file cannot be read.
    Include,
    /// A name that nothing declares.
    Undeclared,
    /// A name declared twice.
    Duplicate,
    /// An expression of the wrong type.
    Type,
    /// A wrong number of arguments, operands or left-hand sides.
    Arity,
    /// A flow with no equation, with two, or an equation for an input.
    Definition,
    /// A flow that depends on itself at the same step.
    Causality,
    /// Flows that have values at different steps where they must have them at the same.
    Clock,
    /// A node that calls itself, a constant or type defined by itself.
    Recursion,
    /// An expression that should be constant and is not.
    NotConstant,
    /// A division by a constant that is zero.
    DivisionByZero,
    /// A number that a machine integer does not have.
    Overflow,
    /// An index outside of the bounds of its array.
    Index,
    /// A `pre` whose first value nothing guards.
    UnguardedPre,
    /// A node to be checked that does not exist or has nothing to check.
    Selection,
    /// Something that has no effect.
    Unused,
    /// A text that means something else in another dialect.
    Dialect,
    /// A comment that was perhaps meant as an annotation.
    MisspeltAnnotation,
    /// A local flow on which nothing depends that matters.
    UnusedFlow,
    /// An input that nothing reads.
    UnreadInput,
    /// A node that nothing checked calls.
    DeadNode,
    /// A name that hides another.
    Shadowing,
    /// A level for a lint that does not exist.
    UnknownLint,
    /// A symbol of a protocol that may become anything.
    Unconstrained,
    /// A transition of a protocol that is never possible.
    DeadTransition,
}

impl Code {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Code::Syntax => "syntax",
            Code::Unsupported => "unsupported",
            Code::Include => "include",
            Code::Undeclared => "undeclared",
            Code::Duplicate => "duplicate",
            Code::Type => "type",
            Code::Arity => "arity",
            Code::Definition => "definition",
            Code::Causality => "causality",
            Code::Clock => "clock",
            Code::Recursion => "recursion",
            Code::NotConstant => "not-constant",
            Code::DivisionByZero => "division-by-zero",
            Code::Overflow => "overflow",
            Code::Index => "index",
            Code::UnguardedPre => "unguarded-pre",
            Code::Selection => "selection",
            Code::Unused => "unused",
            Code::Dialect => "dialect",
            Code::MisspeltAnnotation => "misspelt-annotation",
            Code::UnusedFlow => "unused-flow",
            Code::UnreadInput => "unread-input",
            Code::DeadNode => "dead-node",
            Code::Shadowing => "shadowing",
            Code::UnknownLint => "unknown-lint",
            Code::Unconstrained => "unconstrained",
            Code::DeadTransition => "dead-transition",
        }
    }
}

/// A place with a remark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The remark; may be empty.
    pub text: String,
}

/// One diagnostic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Its kind.
    pub code: Code,
    /// What is wrong, in one line.
    pub message: String,
    /// The place it is about.
    pub primary: Label,
    /// Other places that matter.
    pub secondary: Vec<Label>,
    /// Remarks that belong to no place.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code,
            message: message.into(),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// A warning at a place.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// "Not supported yet", the one form for all that is missing.
    pub fn unsupported(span: Span, what: impl std::fmt::Display) -> Diagnostic {
        Diagnostic::error(Code::Unsupported, span, format!("{what} are not supported yet"))
    }

    /// Adds a remark at the place itself.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a remark.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }
}

/// The diagnostics of a run, gathered by every stage of the front end.
#[derive(Clone, Default, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// None so far.
    #[must_use]
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        self.list.push(diagnostic);
    }

    /// Adds one, unless the same is there.
    pub fn push_once(&mut self, diagnostic: &Diagnostic) {
        if !self.list.contains(diagnostic) {
            self.push(diagnostic.clone());
        }
    }

    /// Adds what others say of places of which the same kind of thing was not said before.
    pub fn push_new(&mut self, others: &Diagnostics) {
        let before = self.list.len();
        for other in &others.list {
            let same = |known: &Diagnostic| {
                known.code == other.code && known.primary.span == other.primary.span
            };
            if !self.list[..before].iter().any(same) {
                self.push_once(other);
            }
        }
    }

    /// Whether the program is rejected.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The number of errors.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// All of them, in the order of the text (those of one place in the order found).
    #[must_use]
    pub fn sorted(&self) -> Vec<&Diagnostic> {
        let mut list: Vec<&Diagnostic> = self.list.iter().collect();
        list.sort_by_key(|d| (d.primary.span.file, d.primary.span.start));
        list
    }

    /// All of them, in the order found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }
}
