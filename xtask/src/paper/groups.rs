//! What the paper measured, in which configurations, and what it found.

use crate::bench::table::Expected;

/// A group of programs with its configurations. The first is the one by which
/// programs are easy or hard, as in the paper.
pub struct Group {
    /// What its programs are called.
    pub name: &'static str,
    /// Which programs belong to it.
    pub contains: fn(Expected) -> bool,
    /// What the depth of an answer is.
    pub depth: &'static str,
    /// What is added to a depth as lustral counts it: a counterexample that
    /// ends at step n has n + 1 steps.
    pub first: u64,
    /// How its programs are run.
    pub configurations: &'static [Configuration],
}

/// A way to run a program.
pub struct Configuration {
    /// What it is called.
    pub name: &'static str,
    /// The arguments of lustral.
    pub arguments: &'static str,
    /// What the paper says of the like of it, if anything.
    pub paper: Option<Paper>,
}

/// A row of figures as the paper gives them.
pub struct Paper {
    pub programs: &'static str,
    pub solved: &'static str,
    pub easy: &'static str,
    pub easy_time: &'static str,
    pub hard: &'static str,
    pub hard_time: &'static str,
    pub depth: &'static str,
}

/// A program is easy if the first configuration solves it in so many seconds.
pub const EASY: f64 = 2.0;

/// The groups of the paper.
pub const GROUPS: &[Group] = &[
    Group {
        name: "Falsifiable programs",
        contains: |expected| matches!(expected, Expected::Falsifiable(_)),
        depth: "longest counterexample",
        first: 1,
        configurations: &[
            Configuration {
                name: "bounded model checking",
                arguments: "--engine bmc",
                paper: Some(Paper {
                    programs: "447",
                    solved: "447",
                    easy: "404",
                    easy_time: "32 s",
                    hard: "43",
                    hard_time: "2989 s",
                    depth: "13 easy, 43 hard",
                }),
            },
            Configuration {
                name: "with abstraction",
                arguments: "--engine abstraction",
                paper: Some(Paper {
                    programs: "447",
                    solved: "447",
                    easy: "404",
                    easy_time: "73 s",
                    hard: "43",
                    hard_time: "1694 s",
                    depth: "",
                }),
            },
        ],
    },
    Group {
        name: "Valid programs",
        contains: |expected| expected == Expected::Valid,
        depth: "largest k",
        first: 0,
        configurations: &[
            Configuration {
                name: "induction with compression",
                arguments: "--engine k-induction --compression on",
                paper: Some(Paper {
                    programs: "376",
                    solved: "375",
                    easy: "370",
                    easy_time: "35 s",
                    hard: "5 of 6",
                    hard_time: "217 s",
                    depth: "12 easy, 17 hard",
                }),
            },
            Configuration {
                name: "without compression",
                arguments: "--engine k-induction --compression off",
                paper: None,
            },
            Configuration {
                name: "abstraction and compression",
                arguments: "--engine k-induction --compression on --abstraction on",
                paper: Some(Paper {
                    programs: "376",
                    solved: "376",
                    easy: "370",
                    easy_time: "115 s",
                    hard: "6",
                    hard_time: "340 s",
                    depth: "",
                }),
            },
            Configuration {
                name: "abstraction without compression",
                arguments: "--engine abstraction",
                paper: None,
            },
        ],
    },
];
